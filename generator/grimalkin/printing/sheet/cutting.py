"""Lay out pieces on a cutting machine's template, and make registration marks and a cut file.

Everything uses the template's own numbers, so sheet and cut file agree as long as the template does not change. Lengths
are in millimetres from the page's upper left corner, except in DXF, where y points upwards.
"""

from __future__ import annotations

import io
import itertools
import logging
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

from grimalkin.content.cutters import (
    NAMES,
    SILHOUETTES,
    UNMARKED,
    Area,
    Box,
    Cut,
    CutterTemplate,
    Machine,
    Marks,
    Page,
    Squares,
)
from grimalkin.content.outlines import flat
from grimalkin.content.stocks import Paper, Stock
from grimalkin.printing.draw.canvas import PackedCanvas
from grimalkin.printing.draw.pdf import MM, new_canvas
from grimalkin.printing.draw.shapes import path_operators
from grimalkin.printing.draw.tags import Tags
from grimalkin.printing.face.svg.paths import absolute_path
from grimalkin.printing.sheet.impose import add_leaf, by_sides, places_to_fill
from grimalkin.printing.sheet.marks import on_page
from grimalkin.printing.sheet.pieces import Piece, Sheet, Slot
from grimalkin.printing.sheet.settings import CutFile, Settings
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean, extra

LEAST_GAP = 1.5
"""Millimetres between the cuts of neighbours: a blade that cuts the same line twice tears the paper."""
FAIR_GAP = 2.0
TIGHT = 0.9
"""The weight of a piece if the gap is too small for comfort: a tight sheet must hold a tenth more."""
GOOD_GAP = 3.0
GOOD_LENGTH = 10
"""The length of a mark's arms, in millimetres, beyond which room between pieces matters more."""
CRICUT_IMAGE = (171.0, 234.0)
"""Millimetres: a little less than 6.75 × 9.25 in, the rectangle that earlier versions of Design Space accepted."""
MARKS_OF: Mapping[Machine, tuple[float, int]] = {"silhouette-feeder": (15.875, 3), "cameo-alpha": (10.0, 4)}
"""The inset of a Silhouette's marks and the number of marked corners, unless they are 10 mm and three. A sheet feeder
needs 0.625 in."""
LABEL_EDGE = 3.5
"""Millimetres from the paper's edges to the strips for labels: nearly every printer reaches them."""
QUARTER_ARC = math.tan(math.pi / 8)
"""The bulge of a quarter circle in a DXF polyline: the tangent of a quarter of its angle."""
SAME = 0.001
_COMMAND = re.compile("([MLHVACZ])([^MLHVACZ]*)")


@dataclass(frozen=True, slots=True)
class Mark:
    """A shape for a sensor: a black area, or a black line of some width with a mitred corner."""

    points: tuple[tuple[float, float], ...]
    width: float | None = None


# Templates


def template_for(
    cutters: Mapping[str, CutterTemplate],
    machine: str,
    paper_name: str,
    stock_id: str,
    place: Place,
    problems: Problems,
) -> CutterTemplate | None:
    """Return the newest template of a machine for a paper ("a4") and a stock; if there is none, add a problem."""
    of_machine = [one for one in cutters.values() if one.machine == machine]
    if not of_machine:
        known = sorted({one.machine for one in cutters.values()})
        problems.add(place, f'there is no cutting machine "{machine}" here', did_you_mean(machine, known))
        return None
    of_stock = [one for one in of_machine if one.stock == stock_id]
    fitting = [one for one in of_stock if one.paper == paper_name]
    if fitting:
        return max(fitting, key=lambda one: one.version)
    papers = ", ".join(sorted({one.paper for one in of_stock}))
    problems.add(
        place,
        f'there is no template for the machine {machine} that cuts pieces of the stock "{stock_id}" from {paper_name}',
        f"there is one for {papers}" if papers else "add one to the `cutters` folder of the game",
    )
    return None


def slots_on(template: CutterTemplate) -> list[tuple[float, float, int]]:
    """Return the left and upper edges of every trim, and its turn in degrees counter-clockwise, row by row."""
    return [(x, y, 90 if template.turned else 0) for x, y in template.places()]


def image_area(template: CutterTemplate) -> Box:
    """Return the part of the page that the cut file covers and a picture for the machine must show: left, top, right,
    foot."""
    return template.image.box if template.image else (0, 0, template.page.width, template.page.height)


def label_strips(template: CutterTemplate) -> tuple[Box, Box]:
    """Return strips for text above and below the pieces, away from marks: left, top, right, foot."""
    page = template.page
    marks = template.marks or template.squares
    left = marks.corner if marks else 10.0
    foot = template.room()[1] - 0.5
    head = (left, LABEL_EDGE, page.width - left, foot)
    return head, (left, page.height - foot, page.width - left, page.height - LABEL_EDGE)


def propose(
    machine: Machine, paper_name: str, paper: Paper, stock_id: str, stock: Stock, version: int = 1
) -> CutterTemplate | None:
    """Propose a template for a stock: the grid, upright or turned, that holds the most pieces; None if none fits.

    Among grids with equally many pieces, prefer marks that a sensor finds easily and room between the pieces.
    """
    if machine == "cricut" and (paper.width < CRICUT_IMAGE[0] or paper.height < CRICUT_IMAGE[1]):
        return None
    width, height = stock.piece
    inset, corners = MARKS_OF.get(machine, (10.0, 3))
    steps = range(int(2 * LEAST_GAP), int(max(2 * LEAST_GAP, 4 * stock.bleed)) + 1)
    lengths = range(5, 21) if machine in SILHOUETTES else (0,)
    best: tuple[tuple[float, ...], CutterTemplate] | None = None
    for turned, step, length in itertools.product((False, True) if width != height else (False,), steps, lengths):
        gap = step / 2
        blank = CutterTemplate.model_construct(
            name="",
            machine=machine,
            paper=paper_name,
            stock=stock_id,
            version=version,
            page=Page(width=paper.width, height=paper.height),
            piece=_cut_of(stock),
            marks=Marks(inset=inset, length=length, corners=corners) if machine in SILHOUETTES else None,
            squares=Squares() if machine == "opos" else None,
            image=_cricut_image(paper) if machine == "cricut" else None,
            turned=turned,
            bleed=min(stock.bleed, gap / 2),
            columns=(),
            rows=(),
        )
        for columns, rows, left_out in _grids(blank, gap):
            count = len(columns) * len(rows) - len(left_out)
            marks = (min(length, GOOD_LENGTH), min(gap, GOOD_GAP), length, gap)
            worth = (count * (1 if gap >= FAIR_GAP else TIGHT), *marks, -len(left_out), not turned)
            if count and (best is None or worth > best[0]):
                said = {"name": f"{NAMES[machine]}, {paper.name}, {stock.name}: {count} to a sheet"}
                grid = {"columns": columns, "rows": rows, "left_out": left_out}
                best = (worth, CutterTemplate.model_validate({**blank.__dict__, **said, **grid}))
    return best[1] if best else None


def _cut_of(stock: Stock) -> Cut:
    """Return the cut of a stock."""
    width, height = stock.piece
    lines = stock.lines.digest if stock.lines else None
    return Cut(shape=stock.shape, width=width, height=height, corner=stock.corner, lines=lines)


def _cricut_image(paper: Paper) -> Area:
    """Return the image area, in the middle of the paper."""
    width, height = CRICUT_IMAGE
    x, y = ((whole - size) / 2 for whole, size in ((paper.width, width), (paper.height, height)))
    return Area(x=round(x, 3), y=round(y, 3), width=width, height=height)


Grid = tuple[list[float], list[float], list[int]]
"""Left edges, upper edges, and the slots left out."""


def _grids(blank: CutterTemplate, gap: float) -> Iterator[Grid]:
    """Yield grids in the middle of the paper, without slots too near a mark.

    The fullest grid loses its corners to the marks; a grid with fewer columns or rows may lose none.
    """
    width, height = blank.size
    bleed, page = blank.bleed, blank.page
    left, top, right, foot = blank.room()
    marks = blank.marks or blank.squares
    inset = max(bleed, marks.inset - left if marks else 0)  # trims stay within the marks
    across = int((right - left - 2 * inset + gap + SAME) / (width + gap))
    down = int((foot - top - 2 * inset + gap + SAME) / (height + gap))
    for fewer_columns, fewer_rows in itertools.product(range(3), repeat=2):
        columns = _edges(page.width, width, gap, across - fewer_columns)
        rows = _edges(page.height, height, gap, down - fewer_rows)
        places = enumerate(((x, y) for y in rows for x in columns), 1)
        yield columns, rows, [number for number, (x, y) in places if blank.is_near_mark(x, y)]


def _edges(whole: float, size: float, gap: float, count: int) -> list[float]:
    start = (whole - count * size - (count - 1) * gap) / 2
    return [round(start + index * (size + gap), 3) for index in range(count)]


def as_yaml(template: CutterTemplate) -> str:
    """Return the text of a template's file, for the folder `cutters` of a game."""
    piece = {key: value for key, value in template.piece.model_dump().items() if value}
    usual = template.marks is not None and template.marks.corners == 3
    said = {
        "name": _quoted(template.name),
        "machine": template.machine,
        "paper": template.paper,
        "stock": template.stock,
        "version": template.version,
        "page": _flow(template.page.model_dump()),
        "piece": _flow(piece),
        "marks": template.marks and _flow(template.marks.model_dump(exclude={"corners"} if usual else None)),
        "squares": template.squares and _flow(template.squares.model_dump()),
        "image": template.image and _flow(template.image.model_dump()),
        "turned": "yes" if template.turned else None,
        "bleed": _mm(template.bleed),
        "columns": f"[{', '.join(map(_mm, template.columns))}]",
        "rows": f"[{', '.join(map(_mm, template.rows))}]",
        "left-out": f"[{', '.join(map(str, template.left_out))}]" if template.left_out else None,
        "certain": template.certain and _quoted(template.certain),
        "documented": template.documented and _quoted(template.documented),
    }
    lines = [f"{key}: {value}" for key, value in said.items() if value]
    return "\n".join(["# yaml-language-server: $schema=../../schemas/cutter.json", *lines]) + "\n"


def _flow(values: Mapping[str, Any]) -> str:
    shown = (f"{key}: {value if isinstance(value, str) else _mm(value)}" for key, value in values.items())
    return "{" + ", ".join(shown) + "}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


# Sheets


def impose_on(pieces: Sequence[Piece], template: CutterTemplate, paper: Paper, settings: Settings) -> list[Sheet]:
    """Return the sheets for pieces of the template's stock: fronts, and backs by the settings, as `impose` does.

    Stop if the pieces, paper or settings do not suit the template.
    """
    if settings.mirror and any(piece.stock.lines for piece in pieces):
        told = "the cut file of a drawn outline is not mirrored, but its sheet would be"
        raise Stop.at(Place("--mirror"), told, "mirror the drawing, or print these pieces without --cutter")
    if settings.backs == "fold":
        told = "a sheet with registration marks cannot be folded"
        raise Stop.at(Place("--backs"), told, "choose duplex, apart or none")
    fixed = {
        "--gutter": settings.gutter is not None,
        "--margin": settings.margin is not None,
        "--marks": settings.marks not in ("corners", "none"),
        "--scale": settings.scale != 100,
    }
    if any(fixed.values()):
        told = "a sheet for a cutting machine takes sizes, places and marks from its template"
        raise Stop(Problem(Place(option), told, "leave it out") for option, given in fixed.items() if given)
    for stock in dict.fromkeys(piece.stock for piece in pieces):
        _must_fit(template, paper, stock)
    slots = slots_on(template)
    numbers, free = places_to_fill(len(slots), f"a sheet of {template.id}", settings)
    room = (template.bleed,) * 4
    sheets: list[Sheet] = []
    for group in by_sides(pieces, settings):
        while group:
            here, free = free or numbers, []
            placed, group = group[: len(here)], group[len(here) :]
            fronts = (Slot(piece, "front", *slots[at - 1], room) for piece, at in zip(placed, here, strict=False))
            add_leaf(sheets, tuple(fronts), paper, settings, template=template.id)
    return sheets


def _must_fit(template: CutterTemplate, paper: Paper, stock: Stock) -> None:
    """Stop if the paper or stock is no longer the one that the template was made for."""
    place, again = Place(template.id), "add a new version of the template"
    page, piece = template.page, template.piece
    if abs(page.width - paper.width) > SAME or abs(page.height - paper.height) > SAME:
        told = f"made for paper of {_size(page.width, page.height)}; {paper.name} is {_size(paper.width, paper.height)}"
        raise Stop.at(place, told, again)
    width, height = stock.piece
    now, then = (width, height, stock.corner), (piece.width, piece.height, piece.corner)
    if stock.shape != piece.shape or any(abs(a - b) > SAME for a, b in zip(now, then, strict=True)):
        told = f"made to cut {_piece(piece.shape, *then)}; the stock {stock.name} is {_piece(stock.shape, *now)}"
        raise Stop.at(place, told, again)
    if (lines := _cut_of(stock).lines) != piece.lines:
        told = f"made for the lines {piece.lines}; the drawing of the stock {stock.name} now has the lines {lines}"
        raise Stop.at(place, told, again)


def _size(width: float, height: float) -> str:
    return f"{_mm(width)} × {_mm(height)} mm"


def _piece(shape: str, width: float, height: float, corner: float) -> str:
    return f"a {shape} of {_size(width, height)}" + (f" with corners of {_mm(corner)} mm" if corner else "")


# Registration marks


def registration(template: CutterTemplate) -> list[Mark]:
    """Return the marks that a Silhouette or a Summa looks for. A Cricut's own program prints its marks."""
    if template.squares:
        at, size = template.squares.inset, template.squares.size
        across = (at, template.page.width - at - size)
        down = (at, template.page.height - at - size)
        return [Mark(((x, y), (x + size, y), (x + size, y + size), (x, y + size))) for y in down for x in across]
    if template.marks is None:
        return []
    inset, length, thickness = template.marks.inset, template.marks.length, template.marks.thickness
    right, foot = template.page.width - inset, template.page.height - inset
    if template.marks.corners == 4:
        ends = itertools.product(((inset, length), (foot, -length)), ((inset, length), (right, -length)))
        return [Mark(((x + dx, y), (x, y), (x, y + dy)), thickness) for (y, dy), (x, dx) in ends]
    side = inset + 5.0
    return [
        Mark(((inset, inset), (side, inset), (side, side), (inset, side))),
        Mark(((right - length, inset), (right, inset), (right, inset + length)), thickness),
        Mark(((inset, foot - length), (inset, foot), (inset + length, foot)), thickness),
    ]


def draw_registration(canvas: PackedCanvas, template: CutterTemplate, paper: Paper) -> None:
    """Draw the marks on a page, for fronts only: the machine looks at the side that it cuts."""
    marks = registration(template)
    if not marks:
        return
    code = ["q 0 g 0 G 0 J 0 j 10 M [] 0 d"]
    for mark in marks:
        path = " ".join(
            f"{x * MM:.4f} {(paper.height - y) * MM:.4f} {'l' if index else 'm'}"
            for index, (x, y) in enumerate(mark.points)
        )
        code.append(f"{path} h f" if mark.width is None else f"{mark.width * MM:.4f} w {path} S")
    code.append("Q")
    canvas.emit("\n".join(code))


# Cut files

SVG = "http://www.w3.org/2000/svg"
INKSCAPE = "http://www.inkscape.org/namespaces/inkscape"


def outlines(template: CutterTemplate, paper: Paper, stock: Stock, settings: Settings) -> dict[str, bytes]:
    """Return the cut files that the settings ask for, by the endings of their names."""
    usual: tuple[CutFile, ...] = ("svg", "pdf") if template.machine in UNMARKED else ("svg", "dxf")
    skipped, has_marks = settings.skip_slots, settings.marks != "none"
    files: dict[str, bytes] = {}
    for kind in dict.fromkeys(settings.cut_files or usual):
        if kind == "pdf":
            files["-outlines.pdf"] = cut_pdf(template, paper, stock, skipped)
        elif kind in ("dxf", "dxf-r12"):
            release: Literal["R12", "R2010"] = "R12" if kind == "dxf-r12" else "R2010"
            ending = "-r12.dxf" if kind == "dxf-r12" else ".dxf"
            files[ending] = cut_dxf(template, paper, stock, skipped, release)
        else:
            per_inch = int(kind.partition("-")[2] or 0)
            ending = f"-{per_inch}px.svg" if per_inch else ".svg"
            files[ending] = cut_svg(template, paper, stock, skipped, has_marks, per_inch).encode()
    return files


def _cut_at(template: CutterTemplate, skipped: Collection[int]) -> list[tuple[float, float]]:
    """Return the positions to cut: all except those skipped, which count from 1."""
    return [place for number, place in enumerate(template.places(), 1) if number not in skipped]


def cut_svg(
    template: CutterTemplate,
    paper: Paper,
    stock: Stock,
    skipped: Collection[int] = (),
    has_marks: bool = True,
    per_inch: int = 0,
) -> str:
    """Return the outlines as SVG at true size, one closed path for each slot that is not skipped.

    Units are millimetres of the page; with `per_inch`, they are that many pixels to the inch, for programs that ignore
    units. A file for a Cricut shows only the image's part of the page, with its frame.
    """
    _must_fit(template, paper, stock)
    unit, by = ("", per_inch / 25.4) if per_inch else ("mm", 1.0)
    left, top, right, foot = image_area(template)
    width, height = _mm((right - left) * by), _mm((foot - top) * by)
    hair = _mm(0.1 * by)

    def drawn(path: str) -> str:
        return path if by == 1 else _larger(path, by)

    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="{SVG}" xmlns:inkscape="{INKSCAPE}" width="{width}{unit}" height="{height}{unit}" '
        f'viewBox="{_mm(left * by)} {_mm(top * by)} {width} {height}">',
        f"<title>{escape(template.id)}</title>",
        _layer("cut", "Cut", f'fill="none" stroke="#ff0000" stroke-width="{hair}"'),
    ]
    lines += [f'<path d="{drawn(_outline(template, stock, x, y))}"/>' for x, y in _cut_at(template, skipped)]
    lines.append("</g>")
    if stock.lines and stock.lines.creases:
        lines.append(_layer("crease", "Crease", f'fill="none" stroke="#00a000" stroke-width="{hair}"'))
        for x, y in _cut_at(template, skipped):
            lines += [f'<path d="{drawn(_lying(crease, template, x, y))}"/>' for crease in stock.lines.creases]
        lines.append("</g>")
    marks = registration(template) if has_marks else []
    if marks:
        # The Inkscape extension that drives these machines leaves out layers with this name.
        lines.append(_layer("regmarks", "Regmarks", 'fill="none" stroke="none"'))
        for mark in marks:
            path = drawn("M" + "L".join(f"{_mm(x)} {_mm(y)}" for x, y in mark.points))
            if mark.width is None:
                lines.append(f'<path fill="#000000" d="{path}Z"/>')
            else:
                lines.append(f'<path stroke="#000000" stroke-width="{_mm(mark.width * by)}" d="{path}"/>')
        lines.append("</g>")
    if template.image:
        # Design Space takes the size of the drawing for that of the file: the frame makes them the same.
        lines.append(_layer("frame", "Frame", f'fill="none" stroke="#0000ff" stroke-width="{hair}"'))
        lines.append(f'<path d="{drawn(f"M{_mm(left)} {_mm(top)}H{_mm(right)}V{_mm(foot)}H{_mm(left)}Z")}"/>')
        lines.append("</g>")
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def _larger(path: str, by: float) -> str:
    """Return a path with all lengths multiplied; the angle and the flags of an arc are none."""
    parts = []
    for letter, written in _COMMAND.findall(path):
        numbers = written.split()
        kept = range(2, 5) if letter == "A" else ()
        moved = (text if index in kept else _mm(float(text) * by) for index, text in enumerate(numbers))
        parts.append(letter + " ".join(moved))
    return "".join(parts)


def _layer(id_: str, label: str, style: str) -> str:
    return f'<g id="{id_}" inkscape:groupmode="layer" inkscape:label="{label}" {style}>'


def _lying(path: str, template: CutterTemplate, x: float, y: float) -> str:
    """Return a path of a stock, moved to the position of its piece."""
    width = template.piece.width
    return on_page(path, (0.0, -1.0, 1.0, 0.0, x, y + width) if template.turned else (1.0, 0.0, 0.0, 1.0, x, y))


def _outline(template: CutterTemplate, stock: Stock, x: float, y: float) -> str:
    """Return the edge of a piece as an SVG path of exact arcs; for a drawn outline, all cuts."""
    if stock.lines:
        return _lying(stock.lines.path, template, x, y)
    width, height = template.size
    shape, corner = template.piece.shape, template.piece.corner
    if shape == "circle":
        r, middle = _mm(width / 2), _mm(y + height / 2)
        half = f"A{r} {r} 0 0 1 "
        return f"M{_mm(x)} {middle}{half}{_mm(x + width)} {middle}{half}{_mm(x)} {middle}Z"
    if shape == "hexagon":
        return "M" + "L".join(f"{_mm(x + dx)} {_mm(y + dy)}" for dx, dy in _hexagon(width, height)) + "Z"
    right, foot = x + width, y + height
    if not corner:
        return f"M{_mm(x)} {_mm(y)}H{_mm(right)}V{_mm(foot)}H{_mm(x)}Z"
    arc = f"A{_mm(corner)} {_mm(corner)} 0 0 1 "
    return (
        f"M{_mm(x + corner)} {_mm(y)}H{_mm(right - corner)}{arc}{_mm(right)} {_mm(y + corner)}"
        f"V{_mm(foot - corner)}{arc}{_mm(right - corner)} {_mm(foot)}"
        f"H{_mm(x + corner)}{arc}{_mm(x)} {_mm(foot - corner)}"
        f"V{_mm(y + corner)}{arc}{_mm(x + corner)} {_mm(y)}Z"
    )


def _hexagon(width: float, height: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of a hexagon of this size, clockwise."""
    return Stock(name="hexagon", shape="hexagon", width=width, height=height).corners


def cut_pdf(template: CutterTemplate, paper: Paper, stock: Stock, skipped: Collection[int] = ()) -> bytes:
    """Return the outlines as a PDF page of the paper's size: cuts as red lines, creases as green ones."""
    _must_fit(template, paper, stock)
    canvas = new_canvas((paper.width * MM, paper.height * MM))
    canvas.describe(f"Outlines for {template.id}", "Grimalkin", f"{NAMES[template.machine]}: outlines at 100 %.")
    tags = Tags(canvas)
    # As in SVG: millimetres from the upper left corner, y downwards.
    code = [f"q {MM:.6f} 0 0 {-MM:.6f} 0 {paper.height * MM:.4f} cm 0.1 w 1 0 0 RG"]
    places = _cut_at(template, skipped)
    code += [f"{path_operators(absolute_path(_outline(template, stock, x, y)))} S" for x, y in places]
    if stock.lines and stock.lines.creases:
        code.append("0 0.627 0 RG")
        for x, y in places:
            code += [f"{path_operators(_lying(crease, template, x, y))} S" for crease in stock.lines.creases]
    with tags.leaf(None):
        canvas.emit("\n".join([*code, "Q"]))
    canvas.showPage()
    return canvas.pdf()


def cut_dxf(
    template: CutterTemplate,
    paper: Paper,
    stock: Stock,
    skipped: Collection[int] = (),
    release: Literal["R12", "R2010"] = "R2010",
) -> bytes:
    """Return the outlines as DXF, one for each slot that is not skipped, with the same bytes each time.

    Lengths are millimetres, with y upwards and the origin at the page's lower left corner. R12 is for old programs; it
    cannot say that its unit is the millimetre.
    """
    with extra(Place("--cutter")):
        import ezdxf

    _must_fit(template, paper, stock)
    library: Any = ezdxf  # its types do not say which names it exports
    options = library.options
    before = options.write_fixed_meta_data_for_testing
    options.write_fixed_meta_data_for_testing = True  # otherwise a time and random ids are written
    log = logging.getLogger("ezdxf")
    level = log.level
    log.setLevel(logging.ERROR)  # it warns about the unit of every R12
    try:
        drawing = library.new(release, units=library.units.MM)
        add = drawing.modelspace().add_lwpolyline if release == "R2010" else drawing.modelspace().add_polyline2d
        drawing.layers.add("CUT", color=1)
        if stock.lines and stock.lines.creases:
            drawing.layers.add("CREASE", color=3)
        space = drawing.modelspace()
        extents = (0, 0, 0), (template.page.width, template.page.height, 0)
        space.reset_extents(*extents)
        # A lower corner of zeros counts as missing when the header is written, so it is set there, too.
        drawing.header["$EXTMIN"], drawing.header["$EXTMAX"] = extents
        width, height = template.size
        for x, y in _cut_at(template, skipped):
            foot = template.page.height - y - height
            if stock.lines:
                for layer, paths in (("CUT", stock.lines.cuts), ("CREASE", stock.lines.creases)):
                    for contour in (one for path in paths for one in flat(_lying(path, template, x, y))):
                        points = [(px, template.page.height - py, 0.0) for px, py in contour]
                        closed = points[0] == points[-1]
                        points = points[:-1] if closed else points
                        add(points, format="xyb", close=closed, dxfattribs={"layer": layer})
            elif template.piece.shape == "circle":
                space.add_circle((x + width / 2, foot + height / 2), width / 2, dxfattribs={"layer": "CUT"})
            else:
                points = [(x + dx, foot + dy, bulge) for dx, dy, bulge in _polyline(template)]
                add(points, format="xyb", close=True, dxfattribs={"layer": "CUT"})
        for kind in sorted(drawing.entitydb.dxf_types_in_use()):
            drawing.classes.add_class(kind)  # otherwise they are written in the order of a set
        text = io.StringIO()
        drawing.write(text)
    finally:
        options.write_fixed_meta_data_for_testing = before
        log.setLevel(level)
    return text.getvalue().encode("utf-8")


def _polyline(template: CutterTemplate) -> list[tuple[float, float, float]]:
    """Return corners and bulges counter-clockwise, y up, from the lower left of a piece."""
    width, height = template.size
    corner = template.piece.corner
    if template.piece.shape == "hexagon":
        # Clockwise with y down becomes counter-clockwise with y up if the order is reversed, too.
        return [(x, height - y, 0.0) for x, y in reversed(_hexagon(width, height))]
    if not corner:
        return [(0, 0, 0), (width, 0, 0), (width, height, 0), (0, height, 0)]
    bulge = QUARTER_ARC
    return [
        (corner, 0, 0),
        (width - corner, 0, bulge),
        (width, corner, 0),
        (width, height - corner, bulge),
        (width - corner, height, 0),
        (corner, height, bulge),
        (0, height - corner, 0),
        (0, corner, bulge),
    ]


def _mm(value: float) -> str:
    """Write a length to a ten-thousandth of a millimetre, in as few digits as possible."""
    return f"{value + 0.0:.4f}".rstrip("0").rstrip(".")
