"""Draw the two pages of a Cover: title, picture and measures on one, instructions and checklist on the other.

Millimetres from the page's upper left corner.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grimalkin import __version__
from grimalkin.content.stocks import Paper
from grimalkin.printing.draw.canvas import PackedCanvas
from grimalkin.printing.draw.pdf import MM, Drawer
from grimalkin.printing.draw.shapes import path_operators
from grimalkin.printing.draw.tags import COLUMN, NUMBERED, UNNUMBERED, Tags
from grimalkin.printing.face.svg.paths import Matrix, absolute_path
from grimalkin.printing.face.svg.subset import INK
from grimalkin.printing.face.views import ART
from grimalkin.printing.sheet.correction import corrected
from grimalkin.printing.sheet.cover import Cover
from grimalkin.printing.sheet.writing import Align, Run, Writer
from grimalkin.printing.type.fonts import SANS, SANS_SEMIBOLD, SERIF_BLACK, SERIF_BOLD, SERIF_ITALIC
from grimalkin.problems import Stop
from grimalkin.problems.plain import listed, spans
from grimalkin.source import data_folder

BANK_CARD = (85.60, 53.98, 3.18)
"""Width, height and corner of a bank card (ISO/IEC 7810, ID-1)."""
SOFT = "#5b5f68"
MOST_FLAWS = 12
"""The maximum number of faults of a draft that the cover lists."""


def draw_cover(
    canvas: PackedCanvas,
    paper: Paper,
    cover: Cover,
    tags: Tags,
    drawer: Drawer | None = None,
    correction: Matrix | None = None,
) -> None:
    """Draw the two pages of the cover, moved by a correction in points if there is one. Stop if the text does not fit.

    `drawer` draws the rest of the document; the names of the picture's forms must not clash with those of its forms.
    """
    page = _Page(canvas, paper, cover, tags, drawer)
    tags.open("Sect", title=cover.title)
    with corrected(canvas, tags, correction):
        page.front()
    canvas.showPage()
    with corrected(canvas, tags, correction):
        page.back()
    tags.close()
    canvas.showPage()


@dataclass(frozen=True)
class _Part:
    """A part of a known height, and a function that draws it at x and top."""

    height: float
    draw: Callable[[float, float], None]


class _Page:
    """The two pages of one cover."""

    def __init__(
        self, canvas: PackedCanvas, paper: Paper, cover: Cover, tags: Tags, drawer: Drawer | None = None
    ) -> None:
        self.drawer = Drawer(canvas)  # without tags: the picture is one figure
        if drawer is not None:
            self.drawer.xobjects.names = drawer.xobjects.names
        self.canvas, self.paper, self.cover, self.tags = canvas, paper, cover, tags
        self.large = paper.width >= 200
        edge = 15.0 if self.large else 10.0
        self.left, self.top = edge, edge
        self.width, self.foot = paper.width - 2 * edge, paper.height - edge
        self.ink = "#000000" if cover.inks == "mono" else INK
        self.writer = Writer(canvas, paper, tags, "the cover", cover.place, self.ink)
        self.accent = cover.palette[0][1] if cover.palette else self.ink

    def front(self) -> None:
        """Draw the title and the picture, then the measures below them, and the credits at the foot."""
        cover, writer = self.cover, self.writer
        small = 7.5 if self.large else 6.5
        last = [writer.set(text, self.width, SANS, small, 5.5, 16) for text in self.small_print()]
        foot = self.foot - sum(setting.height + 0.8 for setting in last)
        measures = foot - 5 - self.measures_height()
        title = writer.set(
            cover.title, self.width, SERIF_BLACK, 44 if self.large else 28, 15, 36 if self.large else 22, 1.08
        )
        lines = [cover.tagline] if cover.tagline else []
        taglines = [writer.set(one, self.width, SERIF_ITALIC, 15 if self.large else 11, 8, 14) for one in lines]
        top = self.header() + (7 if self.large else 4)
        room = measures - 7 - top - title.height - sum(tagline.height for tagline in taglines) - 9
        # The picture is read after the title, though it is above it.
        y = top + self.picture_height(room) + (6 if self.large else 3)
        y = writer.put(title, self.left, y, "H1") + 1
        for tagline in taglines:
            y = writer.put(tagline, self.left, y, "P")
        with writer.artifact():
            self.canvas.setFillColor(self.accent)
            self.canvas.rect(self.left * MM, writer.y(y + 3.4), 18 * MM, 1.4 * MM, stroke=0, fill=1)
        self.picture(top, room)
        self.measures(measures)
        for setting in last:
            foot = writer.put(setting, self.left, foot, "P", SOFT if cover.inks != "mono" else None) + 0.8

    def header(self) -> float:
        """Draw the details that distinguish this print from others, above a fine line; return the header's foot."""
        cover, writer = self.cover, self.writer
        size = 8 if self.large else 6.5
        half = self.width / 2
        kind = "Draft, to print and play" if cover.draft else "Print and play"
        what = writer.set(kind, half, SANS_SEMIBOLD, size, 6)
        which = " · ".join([cover.paper, *cover.edition])
        edition = writer.set(which, half + 20, SANS, size, 5, 4)
        writer.put(what, self.left, self.top, "P")
        writer.put(edition, self.left + half - 20, self.top, "P", align="right")
        y = self.top + what.height + 1
        with writer.artifact():
            writer.line(self.left, y, self.left + self.width, y, 0.2)
        return y

    def small_print(self) -> list[str]:
        cover = self.cover
        made = f"Sheets made with Grimalkin {__version__}."
        return [text for text in (" · ".join(cover.credits), cover.notice, f"{cover.licence} {made}".strip()) if text]

    def facts(self) -> list[tuple[str, str]]:
        pieces = sum(component.count for component in self.cover.components)
        return [*self.cover.facts, *([(str(pieces), "piece" if pieces == 1 else "pieces")] if pieces else [])]

    def picture_height(self, room: float) -> float:
        column = 34 if self.large else 26
        if self.cover.art is None:
            return min(room, (84 if self.cover.fan else 48) if self.large else (50 if self.cover.fan else 32))
        return min(room, (self.width - column) * ART.height / ART.width)

    def picture(self, top: float, room: float) -> None:
        """Draw the game's picture, or the mark, and beside it the facts that interest players most."""
        cover, writer = self.cover, self.writer
        height = self.picture_height(room)
        if cover.art is not None:
            scale = height / ART.height
            wide = ART.width * scale
            with writer.figure(cover.art.alt, (self.left, top, self.left + wide, top + height)):
                matrix = (scale * MM, 0.0, 0.0, -scale * MM, self.left * MM, writer.y(top))
                self.drawer.draw(cover.art, matrix)
        elif cover.fan:
            wide = self.fan(top, height)
        else:
            wide = height
            with writer.artifact():
                self.mark(self.left - height * 2 / 24, top - height * 2 / 24, height * 28 / 24)
        x = self.left + wide + (7 if self.large else 4)
        size = 26 if self.large else 17
        parts = []
        for number, label in self.facts():
            big = writer.set(number, self.left + self.width - x, SERIF_BLACK, size, 9, 12)
            parts.append((big, writer.set(label, self.left + self.width - x, SANS, size * 0.4, 6, 6)))
        tall = sum(big.height + below.height + 2.5 for big, below in parts)
        y = max(top, top + height - tall + 1.5)
        for big, below in parts:
            y = writer.put(big, x, y, "P") - 0.5
            y = writer.put(below, x, y, "P") + 3

    def fan(self, top: float, height: float) -> float:
        """Draw the fronts that represent the game, each overlapping the one before; return their width, in mm."""
        faces, canvas = self.cover.fan, self.canvas
        turns = {1: (0.0,), 2: (-5.0, 5.0), 3: (-7.0, 0.0, 7.0)}[len(faces)]
        room = (self.width - (34 if self.large else 26)) / (1 + 0.62 * (len(faces) - 1)) * 0.9
        scales = [min(0.86 * height / face.stock.height, room / face.stock.width) for face in faces]
        widest = max(scale * face.stock.width for scale, face in zip(scales, faces, strict=True))
        step, edge = 0.62 * widest, 0.08 * height * (len(faces) > 1)
        wide = widest + step * (len(faces) - 1) + 2 * edge
        alt = f"Some of the pieces: {listed([face.name for face in faces])}"
        with self.writer.figure(alt, (self.left, top, self.left + wide, top + height)):
            for number, (face, turn, scale) in enumerate(zip(faces, turns, scales, strict=True)):
                x = self.left + edge + widest / 2 + step * number
                canvas.saveState()
                canvas.translate(x * MM, self.writer.y(top + height / 2 + abs(turn) * height / 400))
                canvas.rotate(-turn)
                canvas.scale(scale * MM, -scale * MM)
                canvas.translate(-face.stock.width / 2, -face.stock.height / 2)
                outline = path_operators(face.stock.outline())
                canvas.emit(f"q 1 g {outline} f {outline} W n")
                self.drawer.draw(face, (1, 0, 0, 1, 0, 0))
                canvas.emit(f"Q 0.4 w 0.5 G {outline} S")
                canvas.restoreState()
        return wide

    def mark(self, x: float, y: float, size: float) -> None:
        """Draw the cat's head with the moon for an eye; with little ink, draw only its outline."""
        icon = (data_folder("templates") / "icons" / "cat-mark.svg").read_text(encoding="utf-8")
        written = re.search(r' d="([^"]+)"', icon)
        assert written is not None
        scale = size / 24 * MM
        self.canvas.saveState()
        self.canvas.transform(scale, 0, 0, -scale, x * MM, self.writer.y(y))
        self.canvas.setFillColor(self.ink)
        self.canvas.setStrokeColor(self.ink)
        self.canvas.setLineWidth(0.25)
        self.canvas.emit(path_operators(absolute_path(written[1])) + (" S" if self.cover.inks == "low" else " f*"))
        self.canvas.restoreState()

    # Measures

    def measures_height(self) -> float:
        return 9.0 + BANK_CARD[1] + 12

    def measures(self, top: float) -> None:
        """Draw a bank card's outline and rules of 100 mm and 50 mm, which show whether the scale is right."""
        writer = self.writer
        heading = writer.set("Measure before you cut", self.width, SERIF_BOLD, 13 if self.large else 11, 9)
        writer.put(heading, self.left, top, "H2")
        wide, high, corner = BANK_CARD
        y = top + 9
        x = self.left
        alt = f"The outline of a bank card, {wide:.2f} × {high:.2f} mm, and rules of 100 mm and 50 mm"
        with writer.figure(alt, (x - 0.1, y - 0.1, x + 100 + 15.5, y + high + 7.5)):
            writer.rectangle(x, y, wide, high, 0.2, corner=corner)
            self.rule(x, y + high + 7, 100, False)
            self.rule(x + wide + 8, y, 50, True)
        say = [
            "Lay a bank card on this outline. If it fits, every piece and every cut "
            f"{'is ' + self.cover.scale if self.cover.scale else 'has its true size, too'}.",
            "If not, print again at 100\xa0%, or “actual size”: a page that was fitted to the paper is too small.",
            "Or use a ruler: the lines measure 100\xa0mm and 50\xa0mm, the outline "
            f"{wide:.1f}\xa0×\xa0{high:.1f}\xa0mm.",
        ]
        settings = [writer.set(text, wide - 14, SANS, 9.5, 7, 14) for text in say]
        tall = sum(setting.height for setting in settings) + 2.4 * (len(settings) - 1)
        line = y + (high - tall) / 2
        for setting in settings:
            line = writer.put(setting, x + 7, line, "P") + 2.4

    def rule(self, x: float, y: float, length: int, upright: bool) -> None:
        """Draw a measured line with a mark at every millimetre and its length at the end."""
        writer = self.writer
        for step in range(length + 1):
            tall = 3.2 if step % 10 == 0 else 2.2 if step % 5 == 0 else 1.3
            mark = (x, y + step, x + tall, y + step) if upright else (x + step, y, x + step, y - tall)
            writer.line(*mark, 0.15)
        label = writer.set(f"{length} mm", 14, SANS, 7.5, 6)
        if upright:
            writer.line(x, y, x, y + length)
            writer.draw(label, x + 4.4, y + length - label.height / 2)
        else:
            writer.line(x, y, x + length, y)
            writer.draw(label, x + length + 1.5, y - label.height)

    # The back

    def back(self) -> None:
        """Draw the instructions and the checklist in one or two columns, in the largest type that fits."""
        top = self.header() + (6 if self.large else 4)
        columns = 2 if self.width >= 150 else 1
        gap = 10.0
        width = (self.width - gap * (columns - 1)) / columns
        largest = 23 if self.large else 17
        tried = [(MOST_FLAWS, size) for size in range(largest, 11, -1)]
        tried += [(most, 12) for most in range(MOST_FLAWS - 1, -1, -1) if self.cover.flaws]
        for most, half_points in tried:
            sections = self.sections(width, half_points / 2, most)
            spread = _spread([sum(part.height for part in parts) for parts in sections], columns)
            tall = max(sum(part.height for index in column for part in sections[index]) for column in spread)
            if top + tall <= self.foot:
                break
        else:
            message = f"the text of the cover does not fit on {self.cover.paper}"
            raise Stop.at(self.cover.place, message, "choose a larger paper, or leave the cover out")
        for number, column in enumerate(spread):
            y = top
            for index in column:
                for part in sections[index]:
                    part.draw(self.left + number * (width + gap), y)
                    y += part.height

    def sections(self, width: float, size: float, flaws: int) -> list[list[_Part]]:
        """Return the parts of the back, by section, for this column width, type size and number of flaws."""
        cover = self.cover
        wrong = [*cover.flaws[:flaws]]
        if len(cover.flaws) > len(wrong):
            wrong.append(f"and {len(cover.flaws) - len(wrong):,} more" if wrong else f"{len(cover.flaws):,} faults")
        stock = [[(SANS_SEMIBOLD, f"{names}:"), (SANS, " " + what)] for names, what in cover.stock]
        sections: Sequence[tuple[str, Sequence[object], Callable[[], _Part]]] = (
            ("Faults", wrong, lambda: self.bullets(wrong, width, size)),
            ("Print", cover.settings, lambda: self.bullets(cover.settings, width, size)),
            ("Paper and board", stock, lambda: self.bullets(stock, width, size)),
            ("Cut", cover.cutting, lambda: self.bullets(cover.cutting, width, size, numbered=True)),
            ("Checklist", cover.components, lambda: self.checklist(width, size)),
            ("Inks", cover.palette, lambda: self.swatches(width, size)),
        )
        return [[self.heading(title, width, size), part()] for title, said, part in sections if said]

    def heading(self, text: str, width: float, size: float) -> _Part:
        setting = self.writer.set(text, width, SERIF_BOLD, size * 1.4, 6)

        def draw(x: float, top: float) -> None:
            self.writer.put(setting, x, top, "H2")

        return _Part(setting.height + size * 0.14, draw)

    def bullets(self, lines: Sequence[str | Sequence[Run]], width: float, size: float, numbered: bool = False) -> _Part:
        """Return a list with numbers or small squares before its lines."""
        indent, gap = size * 0.45, size * 0.13
        settings = [self.writer.set(line, width - indent, SANS, size, size) for line in lines]
        writer = self.writer

        def draw(x: float, top: float) -> None:
            with writer.element("L", attributes=NUMBERED if numbered else UNNUMBERED):
                for number, setting in enumerate(settings, 1):
                    with writer.element("LI"):
                        if numbered:
                            label = writer.set(str(number), indent, SERIF_BOLD, size, 5)
                            writer.put(label, x, top, "Lbl")
                        else:
                            side = size * 0.1
                            with writer.artifact():
                                self.canvas.setFillColor(self.accent)
                                middle = writer.y(top + setting.block.size * 0.3528 * 0.52 + side / 2)
                                self.canvas.rect((x + 0.3) * MM, middle, side * MM, side * MM, stroke=0, fill=1)
                        top = writer.put(setting, x + indent, top, "LBody") + gap

        return _Part(sum(setting.height + gap for setting in settings) + size * 0.45, draw)

    def checklist(self, width: float, size: float) -> _Part:
        """Return the checklist: a box to tick, the name, the count, and the pages."""
        box, number, pages = size * 0.33, size * 1.1, size * 2.0
        name = width - box - 2 - number - pages - 2
        pad = size * 0.12
        writer = self.writer
        head = [writer.set(text, w, SANS_SEMIBOLD, size * 0.85, 5)
                for text, w in (("what", name), ("count", number + 1), ("pages", pages))]  # fmt: skip
        rows = []
        for component in self.cover.components:
            what = writer.set(component.name, name, SANS_SEMIBOLD, size, 5, 20)
            detail = writer.set(component.detail, name, SANS, size * 0.85, 5) if component.detail else None
            count = writer.set(str(component.count), number, SERIF_BOLD, size, 5)
            where = writer.set(spans(component.pages), pages, SANS, size, 5)
            tall = max(what.height + (detail.height + 0.3 if detail else 0), where.height) + 2 * pad
            rows.append((what, detail, count, where, tall))
        at = (box + 2, box + 2 + name, width - pages)
        aligned: tuple[Align, ...] = ("left", "right", "right")
        height = head[0].height + pad + sum(row[4] for row in rows)

        def draw(x: float, top: float) -> None:
            with writer.element("Table", title="Checklist", box=(x, top, x + width, top + height)):
                with writer.element("TR"):
                    for setting, offset, align in zip(head, at, aligned, strict=True):
                        writer.put(setting, x + offset, top, "TH", align=align, attributes=COLUMN)
                top += head[0].height + pad
                for what, detail, count, where, tall in rows:
                    with writer.artifact():
                        writer.line(x, top, x + width, top, 0.12)
                        writer.rectangle(x + 0.2, top + pad + 0.3, box, box, 0.25)
                    with writer.element("TR"):
                        with writer.element("TD"):
                            y = writer.put(what, x + at[0], top + pad, "P")
                            if detail:
                                writer.put(detail, x + at[0], y + 0.3, "P")
                        writer.put(count, x + at[1], top + pad, "TD", align="right")
                        writer.put(where, x + at[2], top + pad, "TD", align="right")
                    top += tall
            with writer.artifact():
                writer.line(x, top, x + width, top, 0.12)

        return _Part(height + size * 0.5, draw)

    def swatches(self, width: float, size: float) -> _Part:
        """Return small samples of the game's inks, with a note that printers vary."""
        cover, writer = self.cover, self.writer
        each = width / min(len(cover.palette), 4)
        rows = [cover.palette[start : start + 4] for start in range(0, len(cover.palette), 4)]
        side = size * 0.42
        labels = [[writer.set(name, each - side - 2, SANS, size * 0.85, 4.5, 8) for name, _ in row] for row in rows]
        text = "The inks as intended; printers differ."
        note = writer.set(text, width, SANS, size, size)

        def draw(x: float, top: float) -> None:
            for row, settings in zip(rows, labels, strict=True):
                for index, ((_, colour), setting) in enumerate(zip(row, settings, strict=True)):
                    with writer.artifact():
                        writer.rectangle(x + index * each, top, side, side, 0.12, colour)
                    writer.put(setting, x + index * each + side + 1, top + (side - setting.height) / 2, "P")
                top += side + 1.2
            writer.put(note, x, top + 0.6, "P")

        return _Part(len(rows) * (side + 1.2) + note.height + 2, draw)


def _spread(heights: Sequence[float], columns: int) -> list[list[int]]:
    """Divide sections among columns, in order, so that the taller column is as short as possible."""
    every = list(range(len(heights)))
    if columns == 1 or len(every) < 2:
        return [every]
    cut = min(range(1, len(every)), key=lambda cut: max(sum(heights[:cut]), sum(heights[cut:])))
    return [every[:cut], every[cut:]]
