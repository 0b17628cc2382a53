"""Write text on a page without a template, such as a cover, as fitted and tagged lines. The text must fit.

Lengths are in millimetres from the page's upper left corner, type sizes in points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Literal

from grimalkin.content.stocks import Paper
from grimalkin.printing.draw.canvas import PackedCanvas
from grimalkin.printing.draw.pdf import MM
from grimalkin.printing.draw.tags import Tags
from grimalkin.printing.face.svg.paths import Box
from grimalkin.printing.face.svg.subset import INK
from grimalkin.printing.type.fit import POINT, Block, fit
from grimalkin.printing.type.fonts import find_font, known_font
from grimalkin.printing.type.shaping import MissingGlyph, text_width
from grimalkin.printing.type.words import Piece, Word, plainly_written
from grimalkin.problems import Place, Stop

Run = tuple[str, str]
"""A font and words in it."""
Align = Literal["left", "center", "right"]


@dataclass(frozen=True)
class Setting:
    """Text broken into lines that fit its box."""

    block: Block
    font: str
    width: float

    @property
    def height(self) -> float:
        return self.block.height


class Writer:
    """A writer on the pages of one canvas, in `ink` by default. Problems refer to the page as `about` ("the cover")."""

    def __init__(
        self, canvas: PackedCanvas, paper: Paper, tags: Tags, about: str, place: Place, ink: str = INK
    ) -> None:
        self.canvas, self.paper, self.tags, self.ink = canvas, paper, tags, ink
        self.about, self.place = about, place

    def set(
        self,
        text: str | Sequence[Run],
        width: float,
        font: str,
        size: float,
        floor: float | None = None,
        height: float = 1000,
        leading: float = 1.25,
    ) -> Setting:
        """Break text into lines at most `width` mm wide, shrunk to `floor` points if need be. Stop if that fails."""
        runs: Sequence[Run] = [(font, text)] if isinstance(text, str) else text
        found = find_font(font)
        assert found is not None
        try:
            words = [_words(runs)]
        except MissingGlyph as error:
            hint = "write it in letters that the font has" + ", or print with --no-cover" * (self.about == "the cover")
            raise Stop.at(self.place, f"{self.about}: {error}", hint) from None
        block = fit(words, found, width, height, size, floor or size, leading, min(1.08, leading))
        if block is None:
            whole = "".join(part for _, part in runs)
            message = (
                f'{self.about}: "{whole[:60]}" does not fit into {width:g} × {height:g} mm at {floor or size:g} pt'
            )
            raise Stop.at(self.place, message, "shorten it, or choose a larger paper")
        return Setting(block, font, width)

    def put(
        self,
        setting: Setting,
        x: float,
        top: float,
        kind: str | None,
        colour: str | None = None,
        align: Align = "left",
        attributes: str = "",
    ) -> float:
        """Draw text with its upper left corner at x, top, tagged as `kind` (None: an artifact). Return its foot."""
        with self.tags.leaf(kind, attributes=attributes):
            self.draw(setting, x, top, colour, align)
        return top + setting.height

    def draw(self, setting: Setting, x: float, top: float, colour: str | None = None, align: Align = "left") -> None:
        """Draw text within marked content that is already open."""
        block = setting.block
        font = known_font(setting.font)
        em = block.size * POINT
        space = text_width(setting.font, " ")
        baseline = top + em * (1 + font.ascent - font.descent) / 2
        self.canvas.setFillColor(colour or self.ink)
        for row, words in enumerate(block.lines):
            whole = (sum(word.width for word in words) + space * (len(words) - 1)) * em
            at = x + {"left": 0.0, "center": (setting.width - whole) / 2, "right": setting.width - whole}[align]
            last = row == len(block.lines) - 1
            self._line(words, at, baseline + row * em * block.leading, em, space, "" if last else " ")

    def _line(self, words: Sequence[Word], x: float, y: float, em: float, space: float, end: str) -> None:
        """Draw one line. Adjacent words in the same font form one run of text; a wrapped line ends in a space."""
        runs: list[tuple[str, float, str]] = []
        for index, word in enumerate(words):
            for number, piece in enumerate(word.pieces):
                joined = " " if index and not number else ""
                if runs and runs[-1][0] == piece.font:
                    runs[-1] = (piece.font, runs[-1][1], runs[-1][2] + joined + piece.text)
                else:
                    if joined and runs:  # the space belongs to the run before it
                        runs[-1] = (*runs[-1][:2], runs[-1][2] + " ")
                    runs.append((piece.font, x, piece.text))
                x += piece_width(piece) * em
            x += space * em
        for number, (font, at, text) in enumerate(runs):
            self.canvas.setFont(font, em / POINT)
            self.canvas.drawString(at * MM, self.y(y), text + (end if number == len(runs) - 1 else ""))

    def y(self, y: float) -> float:
        """Convert to points from the foot of the page."""
        return (self.paper.height - y) * MM

    def in_points(self, box: Box) -> Box:
        """Convert left, top, right and foot to a box of the page in points."""
        left, top, right, foot = box
        return left * MM, self.y(foot), right * MM, self.y(top)

    def line(self, x1: float, y1: float, x2: float, y2: float, weight: float = 0.2, colour: str | None = None) -> None:
        self.canvas.setStrokeColor(colour or self.ink)
        self.canvas.setLineWidth(weight * MM)
        self.canvas.line(x1 * MM, self.y(y1), x2 * MM, self.y(y2))

    def rectangle(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        weight: float = 0.2,
        fill: str | None = None,
        corner: float = 0,
    ) -> None:
        self.canvas.setStrokeColor(self.ink)
        self.canvas.setLineWidth(weight * MM)
        if fill:
            self.canvas.setFillColor(fill)
        box = (x * MM, self.y(y + height), width * MM, height * MM)
        if corner:
            self.canvas.roundRect(*box, corner * MM, stroke=1, fill=int(bool(fill)))
        else:
            self.canvas.rect(*box, stroke=1, fill=int(bool(fill)))

    @contextmanager
    def element(self, kind: str, title: str = "", attributes: str = "", box: Box | None = None) -> Iterator[None]:
        """Put everything written within into one structure element. `box` encloses a table, in millimetres."""
        self.tags.open(kind, title, attributes=attributes, box=box and self.in_points(box))
        yield
        self.tags.close()

    def artifact(self) -> AbstractContextManager[None]:
        """Mark everything drawn within as an artifact, which is not read aloud."""
        return self.tags.leaf(None)

    def figure(self, alt: str, box: Box) -> AbstractContextManager[None]:
        """Mark everything drawn within, in a box in millimetres, as a figure with an alt text."""
        return self.tags.leaf("Figure", alt, box=self.in_points(box))


def piece_width(piece: Piece) -> float:
    """Return the width of a piece of text in em."""
    return text_width(piece.font, piece.text)


def _words(runs: Sequence[Run]) -> list[Word]:
    """Split runs into words, without markup. A word may contain several fonts."""
    words: list[Word] = []
    pieces: list[Piece] = []

    def flush() -> None:
        if pieces:
            words.append(Word(tuple(pieces), sum(piece_width(piece) for piece in pieces)))
            pieces.clear()

    for font, text in runs:
        for index, chunk in enumerate(plainly_written(text, font).split(" ")):
            if index:
                flush()
            if chunk:
                pieces.append(Piece(font, chunk))
    flush()
    return words
