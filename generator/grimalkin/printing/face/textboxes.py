"""Fit the text boxes of a face: the lines of each, set as groups of letters and icons.

Lengths are in millimetres, widths of words in em.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from lxml import etree

from grimalkin.content.texts.references import ASKED, brace_faults, chosen, loose_fault, loose_marks, references
from grimalkin.content.texts.styles import PLAIN, Look
from grimalkin.printing.face.flaws import frame
from grimalkin.printing.face.svg.paths import length_of
from grimalkin.printing.face.svg.subset import NAMESPACE, SVG, UNSAID
from grimalkin.printing.face.svg.xml import Element, tag_of, text_of
from grimalkin.printing.face.workshop import Workpiece
from grimalkin.printing.type.bidi import ISOLATED, begins_right, has_right, isolated, parts_from_left, right_fault
from grimalkin.printing.type.breaks import language_fault
from grimalkin.printing.type.fit import POINT, Block, cut_off, fit
from grimalkin.printing.type.fonts import Font, known_font
from grimalkin.printing.type.shaping import MissingGlyph, UnknownFont, line_width, variant_fault
from grimalkin.printing.type.words import (
    ICON_EM,
    ICON_SIGN,
    ITEM_GAP,
    Piece,
    Word,
    blank_spaces,
    piece_width,
    read_words,
    row_width,
)

MOST_IN_BOX = 20_000
"""The most characters of a text box; a whole page of small print has a third of that."""
ALIGNS = ("left", "center", "right", "justify")
_BOX_NUMBERS = ("x", "y", "width", "height", "size", "leading", "tight")
_BOX = f"{{{SVG}}}textbox"


def decide(piece: Workpiece, root: Element) -> None:
    """Resolve the conditions in the texts of an element, for this card in these inks."""
    values = piece.workshop.asked_of(piece.id.rpartition("-")[0])

    def holds(name: str) -> bool:
        return name in ("cards", piece.workshop.inks) if name in ASKED else values.get(name, False)

    for box in root.iter(_BOX):
        text = box.text or ""
        if "{if" not in text:
            continue
        for message, hint in _mark_faults(piece, text, {*ASKED, *values}):
            piece.problem(f"{box.get('name') or 'text box'}: {message}", hint, box)
        for one in references(text):  # on another card it may be printed
            if one.kind == "icon" and one.name not in piece.workshop.icons and not piece.workshop.draft:
                piece.problem(*piece.workshop.icons.fault(one.name, f":{one.name}:"), box)
        box.text = chosen(text, holds)


def _mark_faults(piece: Workpiece, text: str, names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the faults in the marks of a text that may use these names."""
    yield from map(loose_fault, loose_marks(text))
    yield from brace_faults(text, piece.workshop.looks, names, code=False)


def textbox(piece: Workpiece, box: Element) -> Element | None:
    """Return the lines that fit into a text box, as a group; None with a problem if none do.

    In a draft, the group of a text that does not fit has a frame around it.
    """
    label = box.get("name") or "text box"
    number = box_numbers(box)
    family = piece.workshop.fonts.chain(box.get("font", UNSAID["font"]))
    if isinstance(family, tuple):
        message, hint = family
        piece.problem(f"{label}: {message}", hint, box, wrong="font")
        return None
    font = known_font(family.partition(",")[0])
    for child in box:
        piece.problem(f"{label}: <{tag_of(child)}> in a text box is not drawn", "write *italic* or **bold**", box)
        return None
    text = text_of(box)
    if len(text) > MOST_IN_BOX:
        piece.problem(f"{label}: it holds {len(text):,} characters", f"at most {MOST_IN_BOX:,}", box)
        return None
    size, floor = number["size"], number["floor"]
    if floor > size:
        message = f"{label}: the floor, {floor:g} pt, is larger than the size, {size:g} pt"
        piece.problem(message, "it is the smallest size to which a text may shrink", box, wrong="floor")
        return None
    if not (0 < floor <= size <= 1000 and 0.5 <= number["tight"] <= number["leading"] <= 10):
        piece.problem(
            f"{label}: size {size:g}, floor {floor:g}, leading {number['leading']:g} and tight {number['tight']:g} "
            "do not work together",
            "0 < floor ≤ size, 0.5 ≤ tight ≤ leading",
            box,
        )
        return None
    language = box.get("hyphenate", "")
    fault = language_fault(language) if language else None
    if fault:
        piece.problem(f'{label}: hyphenate="{language}": {fault[0]}', fault[1], box, wrong="hyphenate")
        return None
    for message, hint in _mark_faults(piece, text, ASKED) if "*" in text or "{" in text else ():
        piece.problem(f"{label}: {message}", hint, box, kind=f"{label}: marks")  # a cell's were reported before
        return None
    fault = right_fault(text)
    if fault:
        piece.problem(f"{label}: {fault[0]}", fault[1], box)
        return None
    variant = box.get("font-variant", "")
    base = PLAIN._replace(variant=variant) if variant else PLAIN
    try:
        styled = piece.workshop.fonts.styled
        words = read_words(text, family, piece.workshop.words_of, piece.workshop.looks, language, base, styled)
        if not font.space:  # spaces separate the words
            raise MissingGlyph(font.name, " ")
    except (MissingGlyph, UnknownFont) as error:
        piece.no_glyph(error, text, f"{label}: ", box)
        return None
    lacking = _lacking(words) if variant or "{" in text else None
    if lacking:
        piece.problem(f"{label}: {lacking[0]}", lacking[1], box)
        return None
    sizes = (number["width"], number["height"], size, floor, number["leading"], number["tight"])
    icons = {piece.icon for line in words for word in line for piece in word.pieces if piece.icon}
    for name in sorted(icons):
        if name not in piece.workshop.icons:
            if not piece.draws_flaw(*piece.workshop.icons.fault(name, f":{name}:"), box):
                return None
            piece.missing_icons.add(name)
    piece.icons |= icons
    align = box.get("align", "left")
    block = fit(words, font, *sizes, align == "justify", box.get("wrap") == "balance", align == "left")
    if block is None:
        shown = " ".join(text.split())
        shown = f'"{shown[:60]}{"…" if len(shown) > 60 else ""}"'
        room = f"{number['width']:g} × {number['height']:g} mm at {floor:g} pt"
        column, row = piece.column_of(lambda cell: cell in text and len(cell) > len(text) / 3)
        hint = f'write less in the column "{column}"' if column else "write less"
        message, kind = f"{label}: {shown} does not fit into {room}", f"{label}: {room}"
        if not piece.draws_flaw(message, f"{hint}, or give it more room", box, row, kind=kind):
            return None
        block = cut_off(words, font, number["width"], number["height"], floor, number["tight"])
        group = _set_block(piece, block, font, box, number)
        frame(group, number, piece.workshop.inks)
        return group
    return _set_block(piece, block, font, box, number)


def _set_block(piece: Workpiece, block: Block, font: Font, box: Element, number: dict[str, float]) -> Element:
    """Return the fitted lines as <text>; wrapped lines end in a space, so that screen readers separate words."""
    em = block.size * POINT
    fill = box.get("fill", UNSAID["fill"])
    text = text_of(box)
    from_right = has_right(text) and begins_right(text)
    align = box.get("align", "right" if from_right else UNSAID["align"])
    valign = box.get("valign", UNSAID["valign"])
    if align not in ALIGNS or valign not in ("top", "middle", "bottom"):
        wrong = "valign" if align in ALIGNS else "align"
        hint = "one of: " + ("top, middle, bottom" if wrong == "valign" else ", ".join(ALIGNS))
        piece.problem(f'{wrong}="{box.get(wrong)}" is not known', hint, box, wrong=wrong)
    spare = number["height"] - block.height
    top = number["y"] + (spare / 2 if valign == "middle" else spare if valign == "bottom" else 0)
    # The first baseline: the line box is one em high, with its letters in the middle.
    baseline = top + em * (1 + font.ascent - font.descent) / 2
    setter = Typesetter(block, font, fill, number["x"], number["width"])
    return setter.set_lines(baseline, align, has_right(text), from_right)


def box_numbers(written: Element | Mapping[str, str]) -> dict[str, float]:
    """Return the numbers of a text box with these attributes, including the defaults."""
    number = {key: length_of(written, key, float(UNSAID.get(key, "0"))) for key in _BOX_NUMBERS}
    number["floor"] = length_of(written, "floor") or min(number["size"], float(UNSAID["floor"]))
    return number


def _lacking(lines: Iterable[Iterable[Word]]) -> tuple[str, str] | None:
    """Return the fault of the first word whose font lacks a feature that it needs; None when there is none."""
    pieces = (piece for line in lines for word in line for piece in word.pieces if piece.look.variant)
    return next(filter(None, (variant_fault(piece.font, piece.look.variant) for piece in pieces)), None)


# Setting


WIDEST = 0.5
"""The most that justification may widen a space, in em. A line that would need more is left ragged."""
NO_BREAK = "\u00a0"
_SPACES = frozenset((" ", NO_BREAK))
_TEXT, _USE = f"{{{SVG}}}text", f"{{{SVG}}}use"


class Typesetter:
    """A typesetter for the lines of one text box. `font` is the font of the box, `x` and `width` give its room.

    Each wrapped line ends in a space, so that screen readers separate words.
    """

    def __init__(self, block: Block, font: Font, fill: str, x: float, width: float) -> None:
        self.block, self.x, self.width = block, x, width
        self.em, self.space = block.size * POINT, font.space
        self.group: Element = etree.Element(f"{{{SVG}}}g", {"fill": fill}, nsmap=NAMESPACE)

    def set_lines(self, baseline: float, align: str, is_mixed: bool, from_right: bool) -> Element:
        """Return the group with all lines, the first on this baseline.

        `is_mixed`: the text may contain right-to-left letters; `from_right`: the text as a whole runs from the right.
        """
        block, em, space, room, left_edge = self.block, self.em, self.space, self.width, self.x
        is_left = align == "left"
        widths = [0.0 if is_left else row_width(words, space) * em for words in block.lines]
        # The lines of lists are aligned with each other, so all are placed as the widest would be.
        listed = max([width for words, width in zip(block.lines, widths, strict=True) if words[0].hang], default=0.0)
        for row, (words, gap, ends, width) in enumerate(zip(block.lines, block.gaps, block.ends, widths, strict=True)):
            baseline += em * block.growth[row]
            if row:
                baseline += em * block.leading * (1 + 0.45 * gap)
            spare_width = room - (listed if words[0].hang else width)
            x = left_edge + (spare_width / 2 if align == "center" else spare_width if align == "right" else 0)
            wider = 0.0
            if align == "justify" and not ends:
                wider = (room - width) / max(1, _spaces(words[1:] if words[0].hang else words))
                wider = wider if wider <= WIDEST * em else 0.0
            last = row == len(block.lines) - 1
            end = "" if last or words[-1].goes_on else " "
            if words[0].hang:
                sign, words = words[0], words[1:]
                left = x + (sign.hang - ITEM_GAP - sign.width) * em
                self.set_line((sign,), left, baseline, " " if words else end)
                x += sign.hang * em
            if is_mixed:
                self.set_mixed_line(words, x, baseline, end, from_right)
            else:
                self.set_line(words, x, baseline, end, wider)
        return self.group

    def set_mixed_line(self, words: Sequence[Word], x: float, y: float, end: str, from_right: bool) -> None:
        """Set a line that may contain right-to-left letters. `from_right`: the text as a whole runs from the right.

        Its parts are placed in visual order, but written as <text> and <use> in reading order.
        """
        em, space = self.em, self.space
        runs: list[tuple[Piece, str]] = []
        for index, word in enumerate(words):
            for number, piece in enumerate(word.pieces):
                if index and not number and runs:
                    runs[-1] = runs[-1][0], runs[-1][1] + " "
                last = runs[-1][0] if runs else None
                if last and not piece.icon and (last.font, last.icon, last.look) == (piece.font, "", piece.look):
                    runs[-1] = last, runs[-1][1] + piece.text
                else:
                    runs.append((piece, piece.text or ICON_SIGN))
        line = "".join(text for _, text in runs)
        line, begin = (isolated(line), len(ISOLATED[0])) if from_right else (line, 0)
        placed: list[tuple[int, Piece, str, float]] = []
        for part in parts_from_left(line):
            inside, at = [], begin
            for piece, text in runs:
                start, stop = max(at, part.start), min(at + len(text), part.end)
                if start < stop:
                    inside.append((start, piece, line[start:stop]))
                at += len(text)
            for start, piece, text in reversed(inside) if part.from_right else inside:
                scale = em * piece.look.scale
                if piece.icon:
                    blank = space * em * text.count(" ")
                    drawn = text.count(ICON_SIGN) * ICON_EM * scale
                    placed.append((start, piece, text, x + blank if part.from_right else x))
                    x += drawn + blank
                    continue
                words_alone = text.strip(" ")
                shown = isolated(words_alone) if part.from_right else text
                width = line_width(piece.font, shown, piece.look.variant) * scale
                before = space * scale * (len(text) - len(text.rstrip(" "))) if part.from_right else 0.0
                after = space * scale * (len(text) - len(text.lstrip(" "))) if part.from_right else 0.0
                if words_alone:
                    placed.append((start, piece, shown + (" " if before else ""), x + before))
                    x += before + width + after
                else:
                    x += before if part.from_right else width
        for start, piece, shown, left in sorted(placed, key=lambda one: one[0]):
            if piece.icon:
                if ICON_SIGN in shown:
                    self.add_icon(piece, left, y)
                continue
            is_last = start == max(placed)[0]
            self.add_text(shown + (end if is_last else ""), piece.font, piece.look, left, y)

    def add_text(self, words: str, font: str, look: Look, x: float, y: float) -> Element:
        """Add a run in one style as <text>."""
        attributes = {
            "x": f"{x:.3f}",
            "y": f"{y:.3f}",
            "font-family": font,
            "font-size": f"{self.em * look.scale:.4f}",
        }
        if look is not PLAIN:
            extra = {"fill": look.fill, "font-variant": look.variant}
            attributes |= {key: value for key, value in extra.items() if value}
        text = etree.SubElement(self.group, _TEXT, attributes)
        text.text = words
        return text

    def set_line(self, words: Sequence[Word], x: float, y: float, end: str, wider: float = 0.0) -> None:
        """Set one line: runs in one style become <text>, icons <use>. Each space is widened by `wider` millimetres."""
        em, space = self.em, self.space
        run, run_x, run_font, run_look = "", x, "", PLAIN

        def flush(tail: str = "") -> None:
            if run:
                text = self.add_text(run + tail, run_font, run_look, run_x, y)
                if wider and not _SPACES.isdisjoint(run):
                    text.set("word-spacing", f"{wider:.4f}")

        every = [word.pieces for word in words]
        plain = {
            pieces[0].font if len(pieces) == 1 and pieces[0].look is PLAIN and not pieces[0].icon else ""
            for pieces in every
        }
        if len(plain) == 1 and "" not in plain:
            run, run_font = " ".join([pieces[0].text for pieces in every]), plain.pop()
            flush(end)
            return
        for index, word in enumerate(words):
            if index:
                x += space * word.blank * em + wider
                if run:
                    run += " "
                if word.blank != run_look.scale:
                    flush()
                    run = ""
            for piece in word.pieces:
                if piece.icon:
                    flush()
                    run = ""
                    self.add_icon(piece, x, y)
                elif piece.text[:1] in blank_spaces(piece.font):  # left blank, and read aloud as a space
                    run += " " if run else ""
                    flush()
                    run = ""
                else:
                    if piece.font != run_font or piece.look is not run_look or not run:
                        flush()
                        run, run_x, run_font, run_look = "", x, piece.font, piece.look
                    run += piece.text
                x += piece_width(piece) * em + wider * piece.text.count(NO_BREAK)
        flush(end)

    def add_icon(self, piece: Piece, x: float, y: float) -> None:
        em, fill = self.em * piece.look.scale, piece.look.fill
        attributes = {"href": f"#icon-{piece.icon}", "x": f"{x:.3f}", "y": f"{y - em * 0.82:.3f}"}
        size = {"width": f"{em:.3f}", "height": f"{em:.3f}", "role": "img", "aria-label": piece.icon}
        etree.SubElement(self.group, _USE, attributes | size | ({"fill": fill} if fill else {}))


def _spaces(words: tuple[Word, ...]) -> int:
    """Return how many spaces in a line `word-spacing` widens; in CSS these include no-break spaces."""
    return len(words) - 1 + sum(piece.text.count(NO_BREAK) for word in words for piece in word.pieces)
