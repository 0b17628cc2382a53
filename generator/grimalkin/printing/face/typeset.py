"""Turn fitted lines into positioned <text> and <use>. Lengths are in millimetres, widths of words in em."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lxml import etree

from grimalkin.content.styles import PLAIN, Look
from grimalkin.printing.face.bidi import ISOLATED, isolated, parts_from_left
from grimalkin.printing.face.fit import POINT, Block
from grimalkin.printing.face.fonts import Font
from grimalkin.printing.face.shaping import line_width
from grimalkin.printing.face.subset import SVG
from grimalkin.printing.face.words import (
    ICON_EM,
    ICON_SIGN,
    ITEM_GAP,
    Piece,
    Word,
    blank_spaces,
    piece_width,
    row_width,
)
from grimalkin.printing.face.xml import Element

WIDEST = 0.5
"""The most by which justification may widen a space, in em. A line that would need more is left ragged."""
NO_BREAK = "\u00a0"
_SPACES = frozenset((" ", NO_BREAK))
NAMESPACE: Any = {None: SVG}
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

        `is_mixed`: the text may have right-to-left letters; `from_right`: the text as a whole runs from the right.
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
        """Set a line that may have right-to-left letters. `from_right`: the text as a whole runs from the right.

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
