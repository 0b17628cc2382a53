"""Cutting machines: frozen templates, the sheets that follow them, and cut files read back by other libraries."""

from __future__ import annotations

import hashlib
import io
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, get_args

import ezdxf
import pdfplumber
import pytest
from games_for_tests import Lazily, write_game
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from grimalkin.cli import main
from grimalkin.cli.common import MACHINES
from grimalkin.content.cutters import NAMES, CutterTemplate, Machine, load_cutters
from grimalkin.content.stocks import Paper, Stock, load_papers, load_stocks
from grimalkin.printing.draw.pdf import new_canvas
from grimalkin.printing.sheet.cutting import (
    Mark,
    as_yaml,
    cut_dxf,
    cut_pdf,
    cut_svg,
    draw_registration,
    image_area,
    impose_on,
    label_strips,
    propose,
    registration,
    slots_on,
    template_for,
)
from grimalkin.printing.sheet.cutting import outlines as outlines_of
from grimalkin.printing.sheet.pieces import Piece
from grimalkin.printing.sheet.settings import CutFile, MarkStyle, Settings
from grimalkin.problems import Place, Problems, Stop
from grimalkin.source import data_folder

MM = 25.4 / 72
TOLERANCE = 0.01
HERE = Place("--cutter")
FROZEN = Path(__file__).parent / "golden" / "cutters.txt"
NONE = Problems()
TEMPLATES: Any = Lazily(lambda: load_cutters(None, NONE))
STOCKS: Any = Lazily(lambda: load_stocks(None, NONE))
PAPERS: Any = Lazily(lambda: load_papers(None, NONE))
POKER = "silhouette-a4-poker-1"
FIRST_RELEASE = 384

Box = tuple[float, float, float, float]


def dxf(id_: str) -> bytes:
    template = TEMPLATES[id_]
    return cut_dxf(template, PAPERS[template.paper], STOCKS[template.stock])


def svg(id_: str) -> str:
    template = TEMPLATES[id_]
    return cut_svg(template, PAPERS[template.paper], STOCKS[template.stock])


def outlines(id_: str) -> list[Any]:
    """What the DXF of a template holds, in the order of its places."""
    return list(ezdxf.read(io.StringIO(dxf(id_).decode())).modelspace())


def boxes_of_dxf(data: bytes, page_height: float) -> list[Box]:
    """Left, upper edge, width, height of every outline, from the page's upper left corner."""
    boxes = []
    for entity in ezdxf.read(io.StringIO(data.decode())).modelspace():
        if entity.dxftype() == "CIRCLE":
            x, y, _ = entity.dxf.center
            r = entity.dxf.radius
            boxes.append((x - r, page_height - y - r, 2 * r, 2 * r))
        else:
            assert entity.closed
            points = list(entity.get_points("xyb"))
            left, right = min(p[0] for p in points), max(p[0] for p in points)
            foot, top = min(p[1] for p in points), max(p[1] for p in points)
            boxes.append((left, page_height - top, right - left, top - foot))
    return boxes


NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "A": 7, "Z": 0}


def box_of_path(path: str) -> Box:
    """Left, top, width, height of the ends of a path's lines and arcs; two half circles reach their radius further."""
    x = y = radius = 0.0
    points = []
    for letter, rest in re.findall(r"([MLHVAZ])([^MLHVAZ]*)", path):
        numbers = [float(number) for number in rest.split()]
        assert NUMBERS[letter] == len(numbers)
        if letter in "ML":
            x, y = numbers
        elif letter == "H":
            x = numbers[0]
        elif letter == "V":
            y = numbers[0]
        elif letter == "A":
            assert numbers[0] == numbers[1]
            radius = numbers[0]
            x, y = numbers[5:]
        points.append((x, y))
    if path.count("A") == 2:
        points += [(px, py + way * radius) for px, py in points for way in (-1, 1)]
    left, top = min(p[0] for p in points), min(p[1] for p in points)
    return (left, top, max(p[0] for p in points) - left, max(p[1] for p in points) - top)


def paths_of(text: str, layer: str) -> list[str]:
    root = etree.fromstring(text.encode())
    found = root.xpath(f"//*[local-name()='g'][@id='{layer}']/*[local-name()='path']/@d")
    return [str(path) for path in found]


def expected_boxes(template: CutterTemplate) -> list[Box]:
    width, height = template.piece.width, template.piece.height
    return [(x, y, *((height, width) if turn else (width, height))) for x, y, turn in slots_on(template)]


# What is published


def geometry(template: CutterTemplate) -> str:
    """Everything a saved cut job depends on, to 0.001 mm: the page, each mark, each slot, the outline in the DXF."""

    def shown(*numbers: float) -> str:
        return " ".join(f"{number + 0.0:.3f}" for number in numbers)

    lines = [template.id, f"page {shown(template.page.width, template.page.height)}"]
    lines += [f"image {shown(*image_area(template))}"]
    lines += [f"bleed {shown(template.bleed)}"]
    for mark in registration(template):
        kind = "square" if mark.width is None else f"line {shown(mark.width)}"
        lines.append(f"mark {kind}: {shown(*(number for point in mark.points for number in point))}")
    (turn,) = {turn for _, _, turn in slots_on(template)}
    lines.append(f"turn {turn}")
    for y, row in groupby(slots_on(template), key=lambda slot: slot[1]):
        lines.append(f"row {shown(y)}: {shown(*(x for x, _, _ in row))}")
    outline = outlines(template.id)[0]
    if outline.dxftype() == "CIRCLE":
        lines.append(f"outline circle: {shown(outline.dxf.center.x, outline.dxf.center.y, outline.dxf.radius)}")
    else:
        lines.append(f"outline corner: {', '.join(shown(*point) for point in outline.get_points('xyb'))}")
    return "\n".join(lines) + "\n"


def published(path: Path) -> dict[str, str]:
    """What is held of every template, by its id."""
    held = path.read_text(encoding="utf-8") if path.exists() else ""
    return {text.partition("\n")[0]: f"{text.strip()}\n" for text in held.split("\n\n") if text}


def assert_published(path: Path, texts: Mapping[str, str], bless: bool) -> None:
    """Compare with what is published. Blessing adds what is missing, and never changes what is there."""
    held = published(path)
    if bless and not texts.keys() <= held.keys():
        path.write_text("\n".join(text for _, text in sorted({**texts, **held}.items())), encoding="utf-8")
        held = published(path)

    assert [] == sorted(texts.keys() - held.keys()), "these are new: `pytest --bless` publishes them"
    assert [] == sorted(held.keys() - texts.keys()), "these are published, and must stay"
    assert held == texts, "a published template is never changed: make a new version of it instead"


@pytest.mark.slow("makes the templates of all machines, papers and stocks")
def test_a_published_template_never_changes(request: pytest.FixtureRequest) -> None:
    """People keep cut files: what an id stands for stays where it is, and no id goes away."""
    texts = {id_: geometry(template) for id_, template in TEMPLATES.items()}
    assert_published(FROZEN, texts, request.config.getoption("--bless"))


def test_no_template_is_lost() -> None:
    """Deleting a template together with what holds it is noticed too."""
    assert not list(NONE)
    assert len(published(FROZEN)) >= FIRST_RELEASE


def test_blessing_leaves_a_published_template_alone(tmp_path: Path) -> None:
    """`--bless` writes what is missing, and nothing else."""
    path = tmp_path / "held.txt"
    assert_published(path, {"one": "one\nslot 1\n"}, bless=True)
    with pytest.raises(AssertionError, match="make a new version"):
        assert_published(path, {"one": "one\nslot 2\n", "two": "two\nslot 1\n"}, bless=True)
    with pytest.raises(AssertionError, match="must stay"):
        assert_published(path, {"two": "two\nslot 1\n"}, bless=True)

    assert "one\nslot 1\n\ntwo\nslot 1\n" == path.read_text(encoding="utf-8")


# Places and marks


def test_poker_cards_on_a4() -> None:
    """Two columns of turned cards 2 mm apart, (210 - 2 × 88 - 2) / 2 from the left; four rows, (297 - 4 × 63 - 6) / 2
    from the top."""
    slots = slots_on(TEMPLATES[POKER])

    assert [(x, y, 90) for y in (19.5, 84.5, 149.5, 214.5) for x in (16, 106)] == slots


def test_the_marks_of_a_silhouette() -> None:
    """On Letter: a square of 5 mm upper left, and two L of 6 mm whose lines lie 10 mm from the paper's edges."""
    marks = registration(TEMPLATES["silhouette-letter-poker-1"])

    assert [
        Mark(((10, 10), (15, 10), (15, 15), (10, 15))),
        Mark(((199.9, 10), (205.9, 10), (205.9, 16)), 1),
        Mark(((10, 263.4), (10, 269.4), (16, 269.4)), 1),
    ] == [Mark(tuple((round(x, 6), round(y, 6)) for x, y in mark.points), mark.width) for mark in marks]
    assert [] == registration(TEMPLATES["cricut-letter-poker-1"])


def test_marks_in_the_finished_pdf() -> None:
    """The square and both L lie where they should, in black."""
    template, paper = TEMPLATES[POKER], PAPERS["a4"]
    canvas = new_canvas((paper.width / MM, paper.height / MM))
    draw_registration(canvas, template, paper)
    canvas.showPage()
    canvas.save()
    with pdfplumber.open(io.BytesIO(canvas.out.getvalue())) as pdf:
        page = pdf.pages[0]
        shapes = [(shape, shape["fill"]) for shape in [*page.rects, *page.curves, *page.lines]]
        found = sorted(
            (fill, *(round(shape[key] * MM, 2) for key in ("x0", "top", "x1", "bottom"))) for shape, fill in shapes
        )
        assert [(False, 10, 280, 17, 287), (False, 193, 10, 200, 17), (True, 10, 10, 15, 15)] == found
        for shape, fill in shapes:
            assert shape["non_stroking_color" if fill else "stroking_color"] in (0, (0,))
            assert fill or shape["linewidth"] * MM == pytest.approx(1, abs=TOLERANCE)


def test_four_corners_of_a_cameo_alpha() -> None:
    """An L in every corner, both arms inwards; on A4 their corners are 190 × 277 mm apart."""
    template = TEMPLATES["cameo-alpha-a4-poker-1"]
    assert template.marks
    length = template.marks.length
    corners = {mark.points[1]: (mark.points[0], mark.points[2]) for mark in registration(template)}

    assert {(10, 10), (200, 10), (10, 287), (200, 287)} == set(corners)
    for (x, y), ends in corners.items():
        assert ((x + (length if x == 10 else -length), y), (x, y + (length if y == 10 else -length))) == ends


def test_the_marks_for_a_sheet_feeder() -> None:
    """The three marks of every Silhouette, 5/8 in from the edges."""
    square, right, foot = registration(TEMPLATES["silhouette-feeder-letter-poker-1"])

    assert (15.875, 15.875) == square.points[0] and (20.875, 20.875) == square.points[2]
    assert right.points[1] == pytest.approx((215.9 - 15.875, 15.875))
    assert foot.points[1] == pytest.approx((15.875, 279.4 - 15.875))


def test_the_squares_of_a_summa() -> None:
    """Black squares of 2 mm, 7 mm from the edges of the paper, in every corner; nothing else within 5 mm."""
    template = TEMPLATES["opos-a4-poker-1"]
    boxes = [(*mark.points[0], *mark.points[2]) for mark in registration(template)]

    assert [(7, 7, 9, 9), (201, 7, 203, 9), (7, 288, 9, 290), (201, 288, 203, 290)] == boxes
    assert 9 == len(slots_on(template))
    for x, y, width, height in expected_boxes(template):
        for left, top, right, foot in boxes:
            dx = max(left - (x + width + template.bleed), x - template.bleed - right, 0)
            dy = max(top - (y + height + template.bleed), y - template.bleed - foot, 0)
            assert max(dx, dy) >= 5 - 0.002


def test_machines_without_marks() -> None:
    """What no public document says is not made up."""
    for machine in ("scanncut", "siser"):
        assert [] == registration(TEMPLATES[f"{machine}-a4-poker-1"])
        assert "regmarks" not in svg(f"{machine}-a4-poker-1")
    assert MACHINES == get_args(Machine) == tuple(NAMES)


def test_pieces_keep_away_from_marks() -> None:
    """The corner of each mark is free to 1.5 mm beyond its end; trims stay within the marks, or within the image."""
    for template in TEMPLATES.values():
        page, bleed = template.page, template.bleed
        for x, y, width, height in expected_boxes(template):
            left, top, right, foot = x - bleed, y - bleed, x + width + bleed, y + height + bleed
            if template.marks or template.squares:
                inset, side = 7, 14 - 0.002
                if template.marks:
                    inset = template.marks.inset
                    side = inset + template.marks.length + 1.5 - 0.002
                assert not (left < side and top < side), template.id
                assert not (right > page.width - side and top < side), template.id
                assert not (left < side and foot > page.height - side), template.id
                if template.squares or template.marks.corners == 4:
                    assert not (right > page.width - side and foot > page.height - side), template.id
                assert x >= inset - 0.002 and x + width <= page.width - inset + 0.002
                assert y >= inset - 0.002 and y + height <= page.height - inset + 0.002
            elif not template.image:
                assert min(left, top, page.width - right, page.height - foot) >= 8 - 0.002
            else:
                area = image_area(template)
                assert left >= area[0] and top >= area[1] and right <= area[2] and foot <= area[3]
                assert area[2] - area[0] <= 6.75 * 25.4 and area[3] - area[1] <= 9.25 * 25.4


def test_published_templates_still_suit_stocks_and_papers() -> None:
    """A stock whose size changes needs a new version of its templates."""
    for id_, template in TEMPLATES.items():
        impose_on([piece(template.stock)], template, PAPERS[template.paper], Settings())
        assert id_ == template.id


def test_labels_have_room() -> None:
    """The strips above and below stay clear of every marked corner, every bleed and the edges of the paper."""
    for template in TEMPLATES.values():
        for strip in label_strips(template):
            assert strip[2] - strip[0] > 100 and strip[3] - strip[1] >= 4
            assert strip[1] >= 3.5 and strip[3] <= template.page.height - 3.5
            for _, y, _, height in expected_boxes(template):
                assert y - template.bleed >= strip[3] or y + height + template.bleed <= strip[1]
            if template.marks:
                side = template.marks.inset + template.marks.length + 1.5
                assert strip[0] >= side and strip[2] <= template.page.width - side


# Cut files


def are_close(expected: list[Box], found: list[Box]) -> bool:
    if len(expected) != len(found):
        return False
    return all(one == pytest.approx(other, abs=TOLERANCE) for one, other in zip(expected, found, strict=True))


@pytest.mark.slow("reads the cut files of every template for A4")
def test_cut_files_register_with_the_page() -> None:
    """Outlines in DXF and SVG lie on the slots to 0.01 mm, in their order."""
    off = []
    for id_, template in TEMPLATES.items():
        expected, paths = expected_boxes(template), paths_of(svg(id_), "cut")
        if template.paper == "a4" and not (
            are_close(expected, boxes_of_dxf(dxf(id_), template.page.height))
            and are_close(expected, [box_of_path(path) for path in paths])
            and all(path.endswith("Z") and path.count("M") == 1 for path in paths)
        ):
            off.append(id_)

    assert [] == off


def test_units_and_layers_of_a_dxf() -> None:
    """R2010, millimetres, every outline on one layer, the page as extents."""
    drawing = ezdxf.read(io.StringIO(dxf(POKER).decode()))

    assert "AC1024" == drawing.dxfversion
    assert ezdxf.units.MM == drawing.units
    assert (210, 297, 0) == drawing.header["$EXTMAX"]
    assert {("LWPOLYLINE", "CUT"): 8} == Counter((e.dxftype(), e.dxf.layer) for e in drawing.modelspace())
    assert not drawing.audit().errors


def test_rounded_corners_are_quarter_circles() -> None:
    """A bulge is the tangent of a quarter of the angle: tan 22.5° = 0.41421; the arcs of the corners turn left."""
    card = outlines(POKER)[0]
    points = list(card.get_points("xyb"))

    # The first card lies at 16, 19.5 and is 88 × 63 when turned; its foot is at 297 - 19.5 - 63 = 214.5.
    assert [(19, 214.5, 0), (101, 214.5, 0.41421)] == [(x, y, round(bulge, 5)) for x, y, bulge in points[:2]]
    assert [0, 0.41421] * 4 == [round(bulge, 5) for *_, bulge in points]
    assert "A3 3 0 0 1 104 22.5" in svg(POKER)


def test_coins_are_circles() -> None:
    """The first penny of a Cricut's sheet: its left edge at 24.75, upper edge at 24.925, radius 9.525 mm."""
    coin = outlines("cricut-letter-penny-1")[0]

    assert "CIRCLE" == coin.dxftype()
    assert (24.75 + 9.525, 279.4 - 24.925 - 9.525) == pytest.approx(tuple(coin.dxf.center)[:2], abs=1e-9)
    assert 9.525 == coin.dxf.radius
    expected = "M24.75 34.45A9.525 9.525 0 0 1 43.8 34.45A9.525 9.525 0 0 1 24.75 34.45Z"
    assert expected == paths_of(svg("cricut-letter-penny-1"), "cut")[0]


def test_hexagons_are_cut_as_they_lie() -> None:
    """A tile with a flat top, 46.188 × 40 mm, turned: then its points are above and below."""
    hexagon = TEMPLATES["cricut-a4-hex-40-1"]
    assert hexagon.turned
    x, y, _ = slots_on(hexagon)[0]
    corners = [(20, 0), (40, 11.547), (40, 34.641), (20, 46.188), (0, 34.641), (0, 11.547)]
    outline = outlines(hexagon.id)[0]
    found = sorted((px - x, 297 - py - y) for px, py in outline.get_points("xy"))

    assert sorted(corners) == [pytest.approx(point, abs=TOLERANCE) for point in found]


def test_the_svg_of_a_silhouette() -> None:
    """The page's size in millimetres; three marks on a layer of their own, named so that drivers leave it out."""
    root = etree.fromstring(svg(POKER).encode())

    assert ("210mm", "297mm", "0 0 210 297") == (root.get("width"), root.get("height"), root.get("viewBox"))
    assert ["M10 10L15 10L15 15L10 15Z", "M193 10L200 10L200 17", "M10 280L10 287L17 287"] == paths_of(
        svg(POKER), "regmarks"
    )
    assert 'inkscape:label="Regmarks"' in svg(POKER)


@pytest.mark.parametrize("per_inch", [96, 72])
@pytest.mark.parametrize("id_", [POKER, "cricut-a4-penny-1", "scanncut-letter-hex-40-1"])
def test_an_svg_in_pixels_has_the_size_that_programs_read(id_: str, per_inch: int) -> None:
    """Width, height, view and every path are pixels: 793.7 × 1122.5 of 96 to the inch are an A4 page."""
    template = TEMPLATES[id_]
    text = cut_svg(template, PAPERS[template.paper], STOCKS[template.stock], (), True, per_inch)
    root, by = etree.fromstring(text.encode()), per_inch / 25.4
    left, top, right, foot = image_area(template)
    size = [float(str(root.get(key))) for key in ("width", "height")]

    assert size == pytest.approx([(right - left) * by, (foot - top) * by], abs=0.001)
    assert [left * by, top * by, *size] == pytest.approx(
        [float(n) for n in str(root.get("viewBox")).split()], abs=0.001
    )
    expected = [tuple(value * by for value in box) for box in expected_boxes(template)]
    assert are_close(expected, [box_of_path(path) for path in paths_of(text, "cut")])
    assert len(paths_of(svg(id_), "regmarks")) == len(paths_of(text, "regmarks"))
    arcs = [arc.split()[2:5] for arc in re.findall(r"A([^A-Z]+)", text.partition("<path")[2].partition("</g>")[0])]
    assert all(["0", "0", "1"] == arc for arc in arcs) and bool(arcs) == ("hex" not in id_)


def test_an_old_dxf() -> None:
    """R12 has polylines with the same corners and bulges as R2010, circles, and the page as extents."""
    for id_ in (POKER, "cricut-a4-penny-1"):
        template = TEMPLATES[id_]
        made = [cut_dxf(template, PAPERS["a4"], STOCKS[template.stock], (), "R12") for _ in range(2)]
        drawing = ezdxf.read(io.StringIO(made[0].decode()))
        old, new = list(drawing.modelspace()), outlines(id_)

        assert made[0] == made[1]
        assert "AC1009" == drawing.dxfversion
        assert ((0, 0, 0), (210, 297, 0)) == (drawing.header["$EXTMIN"], drawing.header["$EXTMAX"])
        assert len(old) == len(new) and not drawing.audit().errors
        for one, other in zip(old, new, strict=True):
            if one.dxftype() == "CIRCLE":
                assert (one.dxf.center, one.dxf.radius) == (other.dxf.center, other.dxf.radius)
                continue
            assert one.is_closed and "CUT" == one.dxf.layer
            points = [(v.dxf.location.x, v.dxf.location.y, v.dxf.bulge) for v in one.vertices]
            assert points == [pytest.approx(point) for point in other.get_points("xyb")]


def test_a_pdf_of_outlines() -> None:
    """A page of the paper's size with every outline where it is cut, and nothing else."""
    template = TEMPLATES["siser-letter-us-poker-1"]
    data = cut_pdf(template, PAPERS["letter"], STOCKS["us-poker"])
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        (page,) = pdf.pages
        found = sorted((s["x0"] * MM, s["top"] * MM, s["width"] * MM, s["height"] * MM) for s in page.curves)
        assert (215.9, 279.4) == pytest.approx((page.width * MM, page.height * MM), abs=TOLERANCE)
        assert not page.chars and not page.lines and not page.rects
    assert are_close(sorted(expected_boxes(template)), found)
    assert data == cut_pdf(template, PAPERS["letter"], STOCKS["us-poker"])


def test_the_files_that_a_machine_needs() -> None:
    """Those that suit it, or those that are named, each once; without marks, none are in the SVG."""

    def made(machine: str, *names: CutFile, marks: MarkStyle = "corners") -> dict[str, bytes]:
        template = TEMPLATES[f"{machine}-a4-poker-1"]
        return outlines_of(template, PAPERS["a4"], STOCKS["poker"], Settings(cut_files=names, marks=marks))

    assert [".svg", ".dxf"] == list(made("silhouette"))
    assert [".svg", "-outlines.pdf"] == list(made("scanncut"))
    assert ["-72px.svg", "-r12.dxf"] == list(made("siser", "svg-72", "dxf-r12", "svg-72"))
    assert svg(POKER).encode() == made("silhouette")[".svg"]
    assert dxf(POKER) == made("silhouette")[".dxf"]
    assert b"Regmarks" not in made("silhouette", marks="none")[".svg"]


def test_the_svg_of_a_cricut() -> None:
    """The image's part of the page and no more, with its frame drawn; the pieces lie in its middle, so that Design
    Space can centre one on the other."""
    for id_, template in TEMPLATES.items():
        if template.machine == "cricut":
            root = etree.fromstring(svg(id_).encode())
            left, top, right, foot = image_area(template)
            assert ("171mm", "234mm") == (root.get("width"), root.get("height"))
            assert [left, top, 171, 234] == [float(number) for number in str(root.get("viewBox")).split()]
            (frame,) = paths_of(svg(id_), "frame")
            assert are_close([(left, top, 171, 234)], [box_of_path(frame)])
            boxes = expected_boxes(template)
            assert left + right == pytest.approx(
                min(b[0] for b in boxes) + max(b[0] + b[2] for b in boxes), abs=TOLERANCE
            )
            assert top + foot == pytest.approx(
                min(b[1] for b in boxes) + max(b[1] + b[3] for b in boxes), abs=TOLERANCE
            )


def test_a_whole_sheet_may_be_centred_on_the_page() -> None:
    """Programs that lose the origin of a DXF can centre it: all outlines together lie in the middle of the page."""
    for template in TEMPLATES.values():
        boxes = expected_boxes(template)
        across = min(b[0] for b in boxes) + max(b[0] + b[2] for b in boxes)
        down = min(b[1] for b in boxes) + max(b[1] + b[3] for b in boxes)
        assert (template.page.width, template.page.height) == pytest.approx((across, down), abs=TOLERANCE)


PRINT_HASHES = """
import hashlib
from grimalkin.content.cutters import load_cutters
from grimalkin.content.stocks import load_papers, load_stocks
from grimalkin.problems import Problems
from grimalkin.printing.sheet.cutting import cut_dxf, cut_svg
problems = Problems()
template = load_cutters(None, problems)["silhouette-a4-penny-1"]
paper, stock = load_papers(None, problems)["a4"], load_stocks(None, problems)["penny"]
print(hashlib.sha256(cut_dxf(template, paper, stock)).hexdigest())
print(hashlib.sha256(cut_svg(template, paper, stock).encode()).hexdigest())
"""


@pytest.mark.slow("processes draw every template")
def test_cut_files_are_the_same_bytes_in_every_run() -> None:
    """Another process, with other hashes of text, writes the same files: no time, no random ids."""
    command = [sys.executable, "-c", PRINT_HASHES]
    here = [dxf("silhouette-a4-penny-1"), svg("silhouette-a4-penny-1").encode()]
    for seed in ("1", "2", "7"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run(command, env=env, capture_output=True, text=True, check=True)

        assert [hashlib.sha256(data).hexdigest() for data in here] == run.stdout.split()


# Sheets


def piece(stock: str = "poker", two_sided: bool = True, name: str = "card") -> Piece:
    return Piece(name, "deck", STOCKS[stock], two_sided)


def test_backs_meet_fronts() -> None:
    """A card at 16, 19.5 has its back at 210 - 16 - 88 = 106 over the long edge, with its head on the other side; over
    the short edge at 297 - 19.5 - 63 = 214.5, with its head on the same side."""
    template = TEMPLATES[POKER]
    for flip, expected in (("long", (106, 19.5, 270)), ("short", (16, 214.5, 90))):
        front, back = impose_on([piece()], template, PAPERS["a4"], Settings(flip=flip))
        (slot,) = back.slots

        assert (16, 19.5, 90) == (front.slots[0].x, front.slots[0].y, front.slots[0].turn)
        assert expected == (slot.x, slot.y, slot.turn)
        assert (1, 1, 1, 1) == slot.room == front.slots[0].room
        assert [POKER, POKER] == [front.template, back.template]


def test_every_piece_is_printed_once() -> None:
    """Nine two-sided and two one-sided cards: leaves of 8, 1 and 2; the back of the last is blank."""
    pieces = [piece(name=f"a{i}") for i in range(9)] + [piece(two_sided=False, name=f"b{i}") for i in range(2)]
    sheets = impose_on(pieces, TEMPLATES[POKER], PAPERS["a4"], Settings())

    assert [(1, "front", 8), (1, "back", 8), (2, "front", 1), (2, "back", 1), (3, "front", 2), (3, "back", 0)] == [
        (sheet.leaf, sheet.side, len(sheet.slots)) for sheet in sheets
    ]
    fronts = [slot.piece.id for sheet in sheets if sheet.side == "front" for slot in sheet.slots]
    assert [one.id for one in pieces] == fronts


def test_fronts_only() -> None:
    """Without backs, one- and two-sided pieces share sheets."""
    sheets = impose_on([piece(), piece(two_sided=False)], TEMPLATES[POKER], PAPERS["a4"], Settings(backs="none"))

    assert [(1, "front", 2)] == [(sheet.leaf, sheet.side, len(sheet.slots)) for sheet in sheets]


def test_places_are_skipped_and_started_at() -> None:
    """Place 2 stays empty on every sheet; the first sheet begins at place 7."""
    chosen = Settings(start_at=7, skip_slots=frozenset({2}), backs="none")
    first, second = impose_on([piece()] * 9, TEMPLATES[POKER], PAPERS["a4"], chosen)
    places = [(x, y) for x, y, _ in slots_on(TEMPLATES[POKER])]

    assert [7, 8] == [places.index((slot.x, slot.y)) + 1 for slot in first.slots]
    assert [1, 3, 4, 5, 6, 7, 8] == [places.index((slot.x, slot.y)) + 1 for slot in second.slots]


def test_a_skipped_place_is_not_cut() -> None:
    """Place 7 of 8 is left out of the sheet and of both cut files, and the others stay where they are."""
    template, paper, stock = TEMPLATES[POKER], PAPERS["a4"], STOCKS["poker"]
    expected = [box for number, box in enumerate(expected_boxes(template), 1) if number != 7]

    assert are_close(expected, boxes_of_dxf(cut_dxf(template, paper, stock, {7}), template.page.height))
    assert are_close(expected, [box_of_path(path) for path in paths_of(cut_svg(template, paper, stock, {7}), "cut")])


def stopped(pieces: list[Piece], paper: Paper, settings: Settings) -> str:
    with pytest.raises(Stop) as stop:
        impose_on(pieces, TEMPLATES[POKER], paper, settings)
    return str(stop.value)


def test_what_does_not_suit_a_template_is_told() -> None:
    """A changed stock, a changed paper, a fold, a layout that is not the template's, and no place left."""
    changed = Piece("card", "deck", STOCKS["poker"].model_copy(update={"corner": 2.0}), True)
    a4, letter = PAPERS["a4"], PAPERS["letter"]

    assert (
        "silhouette-a4-poker-1: made to cut a rectangle of 63 × 88 mm with corners of 3 mm; the stock Poker card is "
        "a rectangle of 63 × 88 mm with corners of 2 mm; add a new version of the template"
    ) == stopped([changed], a4, Settings())
    assert (
        "silhouette-a4-poker-1: made for paper of 210 × 297 mm; Letter is 215.9 × 279.4 mm; "
        "add a new version of the template"
    ) == stopped([piece()], letter, Settings())
    assert "--backs: a sheet with registration marks cannot be folded; choose duplex, apart or none" == stopped(
        [piece()], a4, Settings(backs="fold")
    )
    for chosen, option in (
        (Settings(gutter=0), "--gutter"),
        (Settings(margin=5), "--margin"),
        (Settings(marks="lines"), "--marks"),
        (Settings(scale=95), "--scale"),
    ):
        expected = (
            f"{option}: a sheet for a cutting machine takes sizes, places and marks from its template; leave it out"
        )
        assert expected == stopped([piece()], a4, chosen)
    beyond = Settings(skip_slots=frozenset({1, 9}))
    assert "has no place 9; it has 8 places" in stopped([piece()], a4, beyond)
    for chosen in (Settings(start_at=9), Settings(skip_slots=frozenset(range(1, 9)))):
        assert "has 8 places, and none of them is left" in stopped([piece()], a4, chosen)


# Finding and adding templates


def found(machine: str, paper: str, stock: str) -> tuple[str | None, list[str]]:
    problems = Problems()
    template = template_for(TEMPLATES, machine, paper, stock, HERE, problems)
    return (template.id if template else None), [str(problem) for problem in problems]


def test_the_template_for_a_stock() -> None:
    """Machine, paper and stock give a template, or a problem that tells what there is."""
    assert (POKER, []) == found("silhouette", "a4", "poker")
    assert (None, ['--cutter: there is no cutting machine "silhuette" here; did you mean "silhouette"?']) == found(
        "silhuette", "a4", "poker"
    )
    assert found("cricut", "a3", "poker") == (
        None,
        [
            '--cutter: there is no template for the machine cricut that cuts pieces of the stock "poker" from a3; '
            "there is one for a4, letter"
        ],
    )
    assert found("cricut", "a4", "board") == (
        None,
        [
            '--cutter: there is no template for the machine cricut that cuts pieces of the stock "board" from a4; '
            "add one to the `cutters` folder of the game"
        ],
    )


def test_the_newest_version_is_used() -> None:
    """Version 10 is newer than version 9."""
    ninth, tenth = (TEMPLATES[POKER].model_copy(update={"version": version}) for version in (9, 10))
    cutters = {ninth.id: ninth, tenth.id: tenth}

    assert tenth is template_for(cutters, "silhouette", "a4", "poker", HERE, Problems())


SHARD = Stock(name="Shard", shape="rectangle", width=40, height=25, corner=2, bleed=2)


def test_a_designer_adds_a_template(tmp_path: Path) -> None:
    """What is proposed for a stock of one's own, written to the game's folder, is read back as it was."""
    proposed = propose("silhouette", "a4", PAPERS["a4"], "shard", SHARD)
    assert proposed is not None
    (tmp_path / "cutters").mkdir()
    (tmp_path / "cutters" / "silhouette-a4-shard-1.yaml").write_text(as_yaml(proposed), encoding="utf-8")
    problems = Problems()
    cutters = load_cutters(tmp_path, problems)

    assert [] == [str(problem) for problem in problems]
    assert proposed == cutters["silhouette-a4-shard-1"]
    # 2 mm apart, four columns (166 mm) of ten (268 mm) lie upright, and seven (187 mm) of six (250 mm) turned.
    assert 42 == len(slots_on(proposed))


@pytest.mark.slow("proposes templates for hundreds of sizes")
def test_the_command_proposes_a_template(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Saved where it says, the game has a template of its stock, and the next proposal is the second version."""
    folder = write_game(tmp_path / "tiny")
    for kind in ("stocks", "cutters"):
        (folder / kind).mkdir()
    shard = "name: Shard\nshape: rectangle\nwidth: 40\nheight: 25\ncorner: 2\nbleed: 2\n"
    (folder / "stocks" / "shard.yaml").write_text(shard, encoding="utf-8")
    wanted = ["cutter", "silhouette", "a4", "shard", str(folder)]

    assert 0 == main(wanted)
    out, err = capsys.readouterr()
    assert "save it as cutters/silhouette-a4-shard-1.yaml in the game's folder\n" == err
    (folder / "cutters" / "silhouette-a4-shard-1.yaml").write_text(out, encoding="utf-8")
    problems = Problems()
    assert 42 == len(slots_on(load_cutters(folder, problems)["silhouette-a4-shard-1"]))
    assert not problems
    assert 0 == main(wanted)
    assert "\nversion: 2\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["a4", "pokker"], 'STOCK: there is no stock "pokker"; did you mean "poker"?\n'),
        (["a44", "poker"], 'PAPER: there is no paper "a44"; did you mean "a4"?\n'),
        (
            ["a4", "board"],
            'STOCK: "board" does not fit on A4 with the room that the machine silhouette needs; name a larger paper\n',
        ),
    ],
)
def test_the_command_tells_what_it_cannot_propose(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that is not known, and a stock that does not fit."""
    assert 1 == main(["cutter", "silhouette", *arguments])
    assert ("", told) == capsys.readouterr()


def test_nothing_is_proposed_for_what_does_not_fit() -> None:
    """A board of 360 × 240 mm lies on no A4 sheet, and a Cricut's image on no A5."""
    assert propose("silhouette", "a4", PAPERS["a4"], "board", STOCKS["board"]) is None
    assert propose("cricut", "a4", PAPERS["a4"], "board", STOCKS["board"]) is None
    assert propose("cricut", "a5", Paper(name="A5", width=148, height=210), "poker", STOCKS["poker"]) is None


@pytest.mark.slow("proposes templates for hundreds of sizes")
@settings(max_examples=25, deadline=None)
@given(st.floats(12, 130), st.floats(12, 130), st.floats(0, 4), st.sampled_from(["a4", "letter"]), st.booleans())
def test_proposals_keep_their_promises(width: float, height: float, bleed: float, paper: str, cricut: bool) -> None:
    """Whatever the stock: pieces with their bleed do not meet each other, and lie in the middle of the page."""
    stock = Stock(name="any", shape="rectangle", width=round(width, 2), height=round(height, 2), bleed=round(bleed, 2))
    template = propose("cricut" if cricut else "silhouette", paper, PAPERS[paper], "any", stock)
    assert template is not None
    boxes = [
        (x - template.bleed, y - template.bleed, x + w + template.bleed, y + h + template.bleed)
        for x, y, w, h in expected_boxes(template)
    ]
    for index, one in enumerate(boxes):
        for other in boxes[:index]:
            apart = one[0] >= other[2] or other[0] >= one[2] or one[1] >= other[3] or other[1] >= one[3]
            assert apart or min(one[2] - other[0], one[3] - other[1], other[2] - one[0], other[3] - one[1]) < 0.003
    assert template.bleed <= stock.bleed
    CutterTemplate.model_validate(template.model_dump())


WRONG = {
    "columns: [16, 106]": ("columns: [6, 106]", "the piece at 6, 19.5 mm has no room for its bleed"),
    "rows: [19.5, 84.5, 149.5, 214.5]": ("rows: [19.5, 84.4]", "the rows at 19.5 and 84.4 mm overlap"),
    "version: 1": ("version: 2", 'this template is "silhouette-a4-mine-2"; name the file "silhouette-a4-mine-2.yaml"'),
    "length: 7": ("length: 20", "the piece at 16, 19.5 mm is too near a registration mark"),
    "inset: 10": ("inset: 5", "marks.inset: "),
    "machine: silhouette": ("machine: cricut", "a Silhouette needs `marks`"),
    "turned: yes": ("turnt: yes", 'unknown key "turnt"; did you mean "turned"?'),
    "bleed: 1": ("bleed: 1\nleft-out: [9]", "left-out: there is no place 9"),
}


@pytest.mark.parametrize("good", WRONG)
def test_a_wrong_template_is_told(good: str, tmp_path: Path) -> None:
    """Each fault in a template of one's own, with its file."""
    bad, expected = WRONG[good]
    text = as_yaml(TEMPLATES[POKER])
    text = text.replace("stock: poker", "stock: mine")
    assert text.count(good) == 1
    (tmp_path / "cutters").mkdir()
    (tmp_path / "cutters" / "silhouette-a4-mine-1.yaml").write_text(text.replace(good, bad), encoding="utf-8")
    problems = Problems()
    load_cutters(tmp_path, problems)
    told = [str(problem) for problem in problems]

    assert told and all("silhouette-a4-mine-1.yaml" in one for one in told)
    assert any(expected in one for one in told), told


def test_a_published_id_cannot_be_taken(tmp_path: Path) -> None:
    """A game's own folder does not change what a shared id stands for."""
    (tmp_path / "cutters").mkdir()
    text = as_yaml(TEMPLATES[POKER])
    (tmp_path / "cutters" / f"{POKER}.yaml").write_text(text.replace("length: 7", "length: 6"), encoding="utf-8")
    problems = Problems()
    cutters = load_cutters(tmp_path, problems)

    assert TEMPLATES[POKER] == cutters[POKER]
    assert ["give it a higher version"] == [problem.hint for problem in problems]


GUIDE = (data_folder("site") / "docs" / "guide" / "cutting-machines.md").read_text(encoding="utf-8")


def test_the_tables_of_the_guide_are_whole() -> None:
    """Every stock with the pieces on a sheet of each paper, and with the length that Silhouette Studio must be told."""

    def shown(machine: str, paper: str, stock: str) -> str:
        template = template_for(TEMPLATES, machine, paper, stock, HERE, Problems())
        if template is None:
            return "–"
        return f"{len(slots_on(template))}" + (f", {template.marks.length:g} mm" if template.marks else "")

    for machine, papers in (("silhouette", ("a4", "letter", "a3", "tabloid")), ("cricut", ("a4", "letter"))):
        for stock in {template.stock for template in TEMPLATES.values()}:
            assert f"| `{stock}` | " + " | ".join(shown(machine, paper, stock) for paper in papers) + " |" in GUIDE
    others = ("silhouette-feeder", "cameo-alpha", "opos", "scanncut")
    for stock in {template.stock for template in TEMPLATES.values()}:
        cells = [shown(machine, paper, stock) for machine in others for paper in ("a4", "letter")]
        assert f"| `{stock}` | " + " | ".join(cells) + " |" in GUIDE
        assert cells[6:] == [shown("siser", paper, stock) for paper in ("a4", "letter")]


def test_the_template_of_the_guide_works(tmp_path: Path) -> None:
    """Typed in as it stands, under the name it gives."""
    (shown,) = re.findall(r"```yaml\n([^`]*?\nmachine: .*?)```", GUIDE, re.DOTALL)
    (name,) = re.findall(r"`my-game/cutters/([\w.-]+)`", GUIDE)
    (tmp_path / "cutters").mkdir()
    (tmp_path / "cutters" / name).write_text(shown, encoding="utf-8")
    problems = Problems()
    template = load_cutters(tmp_path, problems)[name.removesuffix(".yaml")]

    assert [] == [str(problem) for problem in problems]
    assert 36 == len(slots_on(template))
    impose_on([Piece("a", "deck", SHARD, False)], template, PAPERS["a4"], Settings())
