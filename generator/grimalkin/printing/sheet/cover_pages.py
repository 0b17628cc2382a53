"""Draw the two pages of a Cover: a scene to the edges with the title on one, everything to know before printing on the
other.

Millimetres from the page's upper left corner.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, radians, sin

from grimalkin import __version__
from grimalkin.content.stocks import Paper
from grimalkin.printing.draw.canvas import PackedCanvas
from grimalkin.printing.draw.pdf import MM, Drawer
from grimalkin.printing.draw.shapes import edge_gouges, path_operators
from grimalkin.printing.draw.tags import COLUMN, NUMBERED, UNNUMBERED, Tags
from grimalkin.printing.face import Face
from grimalkin.printing.face.svg.colours import contrast
from grimalkin.printing.face.svg.paths import Box, Matrix, absolute_path
from grimalkin.printing.face.svg.subset import INK
from grimalkin.printing.face.views import ART
from grimalkin.printing.sheet.correction import corrected
from grimalkin.printing.sheet.cover import PALE, Cover
from grimalkin.printing.sheet.writing import Align, Run, Setting, Writer
from grimalkin.printing.type.breaks import by_sense
from grimalkin.printing.type.fonts import SANS, SANS_SEMIBOLD, SERIF_BLACK, SERIF_BOLD, SERIF_ITALIC
from grimalkin.problems import Stop
from grimalkin.problems.plain import listed, spans
from grimalkin.source import data_folder

BANK_CARD = (85.60, 53.98, 3.18)
"""Width, height and corner of a bank card (ISO/IEC 7810, ID-1)."""
SOFT = "#5b5f68"
SCENE = 0.62
"""The greatest height of the scene, as a part of the page."""
LEAST = 4.5
"""The least contrast between words and their ground."""
LEAST_FAN, LEAST_BESIDE = 24.0, 40.0
"""The least height of the pieces on a cover, and the least width of the small print beside the measures, in mm."""
MOST_LETTERS = 60
"""The number of letters up to which the title is in the header of the second page, too."""
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
    page.plan()
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
        self.is_full = cover.inks == "full"
        self.measured_first = False
        """Whether the measures are on the first page, because the second has no room for them."""

    def front(self) -> None:
        """Draw the scene to the edges of the page, and below it on a ground the title, its tagline and some pieces.

        A printer may cut a few millimetres off at each edge, so words keep away from it.
        """
        cover, writer = self.cover, self.writer
        wide, high = self.paper.width, self.paper.height
        ground = (INK if cover.art else self.accent) if self.is_full else None
        pale = PALE if self.is_full and contrast(PALE, ground or "#ffffff") >= LEAST else None
        measured = self.foot - self.measures_height() - 4 if self.measured_first else high
        tall = min(wide * ART.height / ART.width, SCENE * measured) if cover.art else 0.0
        if ground is not None or not cover.art:
            self.block(tall - 1, measured if self.measured_first else high + 1, ground)
        if cover.art is not None:
            self.scene(cover.art, tall)
        y = tall + (11 if self.large else 6) if cover.art else self.top + (24 if self.large else 10)
        room = measured - 6 - y
        if not cover.has_title:
            y = self.title(y, min(room * 0.38, (60 if self.large else 34) if not cover.art else room), pale)
        if cover.tagline:
            tagline = writer.set(cover.tagline, self.width, SERIF_ITALIC, 17 if self.large else 11, 8, 18)
            y = writer.put(tagline, self.left, y, "P", pale) + 2
        told = " · ".join(f"{count} {noun}" for count, noun in self.facts())
        told = " · ".join(filter(None, [told, "draft" * cover.draft])) or " "
        facts = writer.set(told, self.width, SANS, 11 if self.large else 8, 6.5, 10)
        y = writer.put(facts, self.left, y, "P", pale) + (9 if self.large else 5)
        rest = measured - y - (16 if self.large else 10)
        if cover.fan and rest >= LEAST_FAN:
            self.fan(y, rest)
        elif not cover.art and not cover.fan and rest >= LEAST_FAN:
            size = min(rest, 60)
            with writer.artifact():
                self.mark(self.left - size * 2 / 24, y - size * 2 / 24, size * 28 / 24, pale)
        if self.measured_first:
            self.measures(self.foot - self.measures_height())

    def block(self, top: float, foot: float, fill: str | None) -> None:
        """Draw a ground across the page, if it has a colour, with gouges at its right edge."""
        wide = self.paper.width
        with self.writer.artifact():
            if fill:
                self.canvas.setFillColor(fill)
                self.canvas.rect(-MM, self.writer.y(foot), (wide + 2) * MM, (foot - top) * MM, stroke=0, fill=1)
            self.canvas.setFillColor(PALE if fill else self.ink)
            self.canvas.emit(f"{edge_gouges(wide, top, foot, self.writer.y)} f")

    def scene(self, art: Face, tall: float) -> None:
        """Draw the picture from edge to edge at the head of the page, `tall` millimetres high."""
        wide = self.paper.width
        scale = max((wide + 2) / ART.width, tall / ART.height)
        canvas, writer = self.canvas, self.writer
        with writer.figure(art.alt, (0, 0, wide, tall)):
            canvas.saveState()
            canvas.emit(f"{-MM:.2f} {writer.y(tall):.2f} {(wide + 2) * MM:.2f} {(tall + 1) * MM:.2f} re W n")
            left = (wide - ART.width * scale) / 2
            self.drawer.draw(art, (scale * MM, 0.0, 0.0, -scale * MM, left * MM, writer.y(-0.6)))
            canvas.restoreState()

    def title(self, y: float, room: float, pale: str | None) -> float:
        """Draw the title as the game draws it, or in letters; return its foot."""
        cover, writer = self.cover, self.writer
        mark = cover.title_drawn
        if mark is None:
            large = (84, 72, 60, 50, 40, 32, 24) if self.large else (36, 28, 22, 18, 14)
            return writer.put(self.largest(by_sense(cover.title), large, room), self.left, y, "H1", pale) + 3
        scale = min(self.width / mark.stock.width, room / mark.stock.height)
        high = mark.stock.height * scale
        with writer.figure(mark.alt, (self.left, y, self.left + mark.stock.width * scale, y + high)):
            matrix = (scale * MM, 0.0, 0.0, -scale * MM, self.left * MM, writer.y(y))
            self.drawer.draw(mark, matrix)
        return y + high + 7

    def largest(self, text: str, sizes: Sequence[int], room: float) -> Setting:
        """Set a title in the largest of these sizes that fits, and fail with the smallest."""
        for size in sizes[:-1]:
            try:
                return self.writer.set(text, self.width, SERIF_BLACK, size, size, room, 1.08)
            except Stop:
                continue
        return self.writer.set(text, self.width, SERIF_BLACK, sizes[-1], 15 if self.large else 9, max(room, 24), 1.08)

    def header(self) -> float:
        """Draw the details that distinguish this print from others, above a fine line; return the header's foot."""
        cover, writer = self.cover, self.writer
        size = 8 if self.large else 6.5
        half = self.width / 2
        kind = "Draft, to print and play" if cover.draft else "Print and play"
        has_title = sum(map(len, (cover.title, kind))) <= MOST_LETTERS
        title = writer.set(f"{cover.title} · {kind}" if has_title else kind, half + 10, SANS_SEMIBOLD, size, 4, 5)
        which = " · ".join([cover.paper, *cover.edition])
        edition = writer.set(which, half - 12, SANS, size, 5, 4)
        writer.put(title, self.left, self.top, "H1" if cover.has_title or cover.title_drawn else "P")
        writer.put(edition, self.left + half + 12, self.top, "P", align="right")
        y = self.top + title.height + 1
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

    def fan(self, top: float, height: float) -> None:
        """Draw the fronts that represent the game, each overlapping the one before, as large as fits."""
        faces, canvas = self.cover.fan, self.canvas
        turns = {1: (0.0,), 2: (-5.0, 5.0), 3: (-7.0, 0.0, 7.0)}[len(faces)]
        spread = 1 + 0.8 * (len(faces) - 1)
        scales = [
            min(0.9 * height / face.stock.height, 0.8 * self.width / spread / face.stock.width, 1.8) for face in faces
        ]
        widest = max(scale * face.stock.width for scale, face in zip(scales, faces, strict=True))
        step = 0.8 * widest
        wide = widest + step * (len(faces) - 1)
        left = self.left + (self.width - wide) / 2
        alt = f"Some of the pieces: {listed([face.name for face in faces])}"
        middles = [
            (left + widest / 2 + step * number, top + height / 2 + abs(turn) * height / 400)
            for number, turn in enumerate(turns)
        ]
        boxes = list(map(_turned, faces, middles, turns, scales))
        lefts, tops, rights, feet = zip(*boxes, strict=True)
        with self.writer.figure(alt, (min(lefts), min(tops), max(rights), max(feet))):
            for face, (x, y), turn, scale in zip(faces, middles, turns, scales, strict=True):
                canvas.saveState()
                canvas.translate(x * MM, self.writer.y(y))
                canvas.rotate(-turn)
                canvas.scale(scale * MM, -scale * MM)
                canvas.translate(-face.stock.width / 2, -face.stock.height / 2)
                outline = path_operators(face.stock.outline())
                canvas.emit(f"q 1 g {outline} f {outline} W n")
                self.drawer.draw(face, (1, 0, 0, 1, 0, 0))
                canvas.emit(f"Q 0.4 w {0 if self.cover.inks == 'mono' else 0.5} G {outline} S")
                canvas.restoreState()

    def mark(self, x: float, y: float, size: float, fill: str | None = None) -> None:
        """Draw the cat's head with the moon for an eye; with little ink, draw only its outline."""
        icon = (data_folder("templates") / "icons" / "cat-mark.svg").read_text(encoding="utf-8")
        written = re.search(r' d="([^"]+)"', icon)
        assert written is not None
        scale = size / 24 * MM
        self.canvas.saveState()
        self.canvas.transform(scale, 0, 0, -scale, x * MM, self.writer.y(y))
        self.canvas.setFillColor(fill or self.ink)
        self.canvas.setStrokeColor(self.ink)
        self.canvas.setLineWidth(0.25)
        self.canvas.emit(path_operators(absolute_path(written[1])) + (" S" if self.cover.inks == "low" else " f*"))
        self.canvas.restoreState()

    # Measures

    def measures_height(self) -> float:
        return 9.0 + BANK_CARD[1] + 8

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

    def plan(self) -> None:
        """Decide where the measures are: on the second page if they fit there below the instructions."""
        self.measured_first = self.spread(True) is None
        if self.measured_first and self.spread(False) is None:
            message = f"the text of the cover does not fit on {self.cover.paper}"
            raise Stop.at(self.cover.place, message, "choose a larger paper, or leave the cover out")

    def last(self) -> tuple[float, list[Setting]]:
        """Return the height of the small print with its lines: beside the measures, or below everything."""
        beside = self.width - BANK_CARD[0] - 36
        is_beside = not self.measured_first and beside >= LEAST_BESIDE
        width, small = beside if is_beside else self.width, 7.5 if self.large else 6.5
        lines = [self.writer.set(text, width, SANS, small, 5.5, 40 if is_beside else 16) for text in self.small_print()]
        return (0.0 if is_beside else sum(line.height + 0.8 for line in lines)), lines

    def spread(self, measured: bool) -> tuple[list[list[_Part]], list[list[int]]] | None:
        """Return the sections of the second page and their columns in the largest type that fits, or None."""
        self.measured_first = not measured
        top = self.top + (10 if self.large else 9) + (6 if self.large else 4)
        foot = self.foot - self.last()[0] - (self.measures_height() + 5 if measured else 0.0)
        width = self.column()
        largest = 23 if self.large else 17
        smallest = 14 if measured else 12
        tried = [(MOST_FLAWS, size) for size in range(largest, smallest - 1, -1)]
        tried += [(most, smallest) for most in range(MOST_FLAWS - 1, -1, -1) if self.cover.flaws]
        for most, half_points in tried:
            sections = self.sections(width, half_points / 2, most)
            spread = _spread([sum(part.height for part in parts) for parts in sections], self.columns)
            tall = max(sum(part.height for index in column for part in sections[index]) for column in spread)
            if top + tall <= foot:
                return sections, spread
        return None

    @property
    def columns(self) -> int:
        return 2 if self.width >= 150 else 1

    def column(self) -> float:
        return (self.width - 10.0 * (self.columns - 1)) / self.columns

    def back(self) -> None:
        """Draw the instructions and the checklist in one or two columns, the measures, and the small print."""
        found = self.spread(not self.measured_first)
        assert found is not None, "the plan has found room"
        top = self.header() + (6 if self.large else 4)
        sections, spread = found
        for number, column in enumerate(spread):
            y = top
            for index in column:
                for part in sections[index]:
                    part.draw(self.left + number * (self.column() + 10.0), y)
                    y += part.height
        height, last = self.last()
        soft = SOFT if self.cover.inks != "mono" else None
        x, y = self.left, self.foot - height
        if not self.measured_first:
            measures = self.foot - height - self.measures_height()
            self.measures(measures)
            if not height:
                x, y = self.left + BANK_CARD[0] + 36, measures + 9
        for setting in last:
            y = self.writer.put(setting, x, y, "P", soft) + (0.8 if height else 2.2)

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


def _turned(face: Face, middle: tuple[float, float], turn: float, scale: float) -> Box:
    """Return the box in millimetres around a face and its bleed, turned about its middle by so many degrees."""
    stock = face.stock
    wide, high = scale * (stock.width / 2 + stock.bleed), scale * (stock.height / 2 + stock.bleed)
    sine, cosine = abs(sin(radians(turn))), cos(radians(turn))
    across, down = wide * cosine + high * sine, wide * sine + high * cosine
    x, y = middle
    return x - across, y - down, x + across, y + down
