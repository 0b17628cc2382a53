"""Fit the text boxes of a face: the lines of each, set as groups of letters and icons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from grimalkin.content.references import ASKED, brace_faults, chosen, loose_fault, loose_marks, references
from grimalkin.content.styles import PLAIN
from grimalkin.printing.face.bidi import begins_right, has_right, right_fault
from grimalkin.printing.face.fit import POINT, Block, cut_off, fit
from grimalkin.printing.face.flaws import frame
from grimalkin.printing.face.fonts import Font, known_font
from grimalkin.printing.face.hyphens import language_fault
from grimalkin.printing.face.paths import length_of
from grimalkin.printing.face.shaping import MissingGlyph, UnknownFont, variant_fault
from grimalkin.printing.face.subset import SVG, UNSAID
from grimalkin.printing.face.typeset import Typesetter
from grimalkin.printing.face.words import Word, read_words
from grimalkin.printing.face.workshop import Workpiece
from grimalkin.printing.face.xml import Element, tag_of

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
    text = "".join(str(part) for part in box.itertext())
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
    block = fit(words, font, *sizes, box.get("align") == "justify", box.get("wrap") == "balance")
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
    text = "".join(str(part) for part in box.itertext())
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
