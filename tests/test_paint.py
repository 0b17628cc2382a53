"""Faces with more than flat ink, drawn to PDF: what PDFium shows of them, and what the file holds."""

from __future__ import annotations

import io
import re
from collections import Counter

import pikepdf
import pypdfium2
import pytest
from lxml import etree
from no_hang import no_hang
from painted import (
    ALL,
    BRIGHT,
    CHECKS,
    DISCS,
    FACES,
    FADING,
    ICON,
    RISING,
    STOCK,
    along,
    around,
    clip,
    face_of,
    mask,
    picture,
    shown,
    tile,
)
from PIL import ImageChops
from reference import PAINTED

from grimalkin.printing.draw.canvas import PackedCanvas
from grimalkin.printing.draw.paint import START, Paints
from grimalkin.printing.draw.pdf import MM, Drawer, Press, Prints, face_pdf, new_canvas, symbols
from grimalkin.printing.draw.shapes import extent
from grimalkin.printing.draw.tags import Tags
from grimalkin.printing.face import Face, Inks
from grimalkin.printing.face.callouts import spots
from grimalkin.printing.face.layers import standalone_svg
from grimalkin.printing.face.svg.paths import IDENTITY
from grimalkin.printing.face.svg.subset import LINKS
from grimalkin.printing.face.svg.xml import Element
from grimalkin.printing.preflight.contours import painted
from grimalkin.site.pages.differences import pieces_of
from grimalkin.site.preview.show import Shown, page_svg

BLACK, WHITE, RED, BLUE = (0, 0, 0), (255, 255, 255), (255, 0, 0), (0, 0, 255)
GREY = (128, 128, 128)
FILLED = 'fill="url(#a)"'


def colours(svg: str, *points: tuple[float, float]) -> list[tuple[int, int, int]]:
    """What a face shows at points, in millimetres."""
    image = shown(svg)
    return [image.getpixel((round(x * 10), round(y * 10))) for x, y in points]  # type: ignore[misc]


def near(*wanted: tuple[int, int, int]) -> list[object]:
    """Colours, or what differs from them by three of 255 at the most."""
    return [pytest.approx(colour, abs=3) for colour in wanted]


def streams(pdf: bytes) -> list[str]:
    """Everything in a file: its dictionaries, and what pages, forms and patterns draw."""
    with pikepdf.open(io.BytesIO(pdf)) as read:
        found = [repr(one) for one in read.objects]
        drawn = [one for one in read.objects if isinstance(one, pikepdf.Stream) and is_drawn(one)]
        return found + [one.read_bytes().decode("latin-1") for one in drawn]


def is_drawn(stream: pikepdf.Stream) -> bool:
    return "/BBox" in stream or ("/Type" not in stream and "/Length1" not in stream and "/Subtype" not in stream)


# Gradients


def test_a_gradient_runs_evenly() -> None:
    """From black on the left to white on the right: a half of it in the middle, a tenth at a tenth."""
    face = along() + ALL.format(FILLED)

    assert near(GREY, (26, 26, 26), (230, 230, 230)) == colours(face, (15, 9), (3, 3), (27, 27))


def test_a_gradient_stays_with_its_shape_in_groups() -> None:
    """Its space is that of the shape: in a group of half the size that begins in the middle, so does the gradient."""
    face = along() + f'<g transform="translate(15 0)"><g transform="scale(0.5)">{ALL.format(FILLED)}</g></g>'

    assert near(BLACK, GREY, WHITE, WHITE) == colours(face, (15.05, 5), (22.5, 5), (29.9, 5), (7, 5))


def test_a_stroke_takes_a_gradient() -> None:
    line = '<path d="M0 15L30 15" stroke="url(#a)" stroke-width="4"/>'

    assert near((26, 26, 26), GREY, WHITE) == colours(along() + line, (3, 15), (15, 16.5), (3, 18))


def test_a_gradient_begins_at_its_focal_point() -> None:
    """Its middle at 15, its focal point at 10: on the way from 10 to 30 a half is at 20, to the left it is at 5."""
    face = around(more='fx="10" fy="15"') + ALL.format(FILLED)

    assert near(BLACK, GREY, GREY) == colours(face, (10, 15), (20, 15), (5, 15))


@pytest.mark.parametrize(
    ("spread", "wanted"),
    [("pad", (BLACK, GREY, WHITE)), ("reflect", (WHITE, GREY, BLACK)), ("repeat", (BLACK, GREY, BLACK))],
)
def test_beyond_a_gradient_is_what_it_asks_for(spread: str, wanted: tuple[tuple[int, int, int], ...]) -> None:
    """A gradient of 10 mm; 0.2 mm are a fiftieth of it. They are looked at behind 0, 15 and 20 mm."""
    face = along(more=f'spreadMethod="{spread}"', x1=10, x2=20) + ALL.format(FILLED)
    found = colours(face, (0.2, 5), (15, 5), (20.2, 5))
    if spread == "reflect":
        wanted = WHITE, GREY, WHITE

    assert [pytest.approx(colour, abs=8) for colour in wanted] == found


def test_a_gradient_of_opacities_lets_the_ground_shine_through() -> None:
    """From red to nothing over 30 mm, at half its opacity, on blue."""
    face = (
        ALL.format('fill="#0000ff"')
        + along(FADING.replace("#d01020", "#ff0000"))
        + ALL.format(f'{FILLED} opacity="0.5"')
    )

    assert near((128, 0, 128), (64, 0, 191), BLUE) == colours(face, (0.1, 5), (15, 5), (29.9, 5))


def test_a_gradient_without_length_is_flat() -> None:
    """As in SVG, in its last colour; one without stops paints nothing."""
    assert near((48, 32, 96)) == colours(along(BRIGHT, x2=0) + ALL.format(FILLED), (3, 3))
    assert near(BLACK) == colours(ALL.format("") + along("") + ALL.format(FILLED), (3, 3))


@pytest.mark.parametrize(
    "paint",
    [
        along(x2=1e-200),
        along(x2=1e-8, more='spreadMethod="repeat"'),
        along(more='gradientTransform="scale(1e-160)" spreadMethod="reflect"'),
        around(r=1e-200),
        around(r=20000.00001, more='fr="20000" spreadMethod="repeat"'),
        around(r=1e-7, more='spreadMethod="reflect"'),
        around(r=5, more='fx="40" fy="15" spreadMethod="repeat"'),
        around(r=5, more='fx="20" fy="15" fr="9" spreadMethod="repeat"'),
        tile("<circle r='1'/>", box='width="1e-9" height="1e-9"').replace('"p"', '"a"'),
        tile("<circle r='1'/>", 'patternTransform="scale(1e-120)"').replace('"p"', '"a"'),
        tile("<circle r='1'/>", 'patternTransform="scale(1e-5)"').replace('"p"', '"a"'),
        tile("<circle r='1'/>", box='width="9000" height="1e-3"').replace('"p"', '"a"'),
    ],
)
def test_what_is_too_fine_or_too_far_is_drawn_at_once(paint: str) -> None:
    """Whatever it shows: numbers stay numbers, and nobody counts to a billion."""
    with no_hang():
        pdf = face_pdf(face_of(paint + ALL.format(FILLED) + '<circle r="9" stroke="url(#a)" stroke-width="3"/>'), False)
        picture(pdf)

    assert 60_000 > len(pdf)
    assert not re.search(r"\b(?:nan|inf)\b|\de-\d", "\n".join(streams(pdf)))


# Opacity


@pytest.mark.parametrize("paint", ['opacity="0.5"', 'fill-opacity="0.5"', 'opacity="0.8" fill-opacity="0.625"'])
def test_half_opaque_black_on_white_is_grey(paint: str) -> None:
    assert near(GREY) == colours(ALL.format(paint), (15, 15))


def test_a_group_is_drawn_as_a_whole_before_it_is_laid_on() -> None:
    """Two discs that overlap show no seam: 40 % of the paper everywhere."""
    found = colours(f'<g opacity="0.6">{DISCS}</g>', (5, 15), (15, 15), (25, 15), (15, 2))

    assert near(*[(102, 102, 102)] * 3, WHITE) == found


def test_fill_and_stroke_of_a_shape_are_one_whole() -> None:
    """A red square with a black edge at half opacity: nothing red shows within the edge. Each with an opacity of its
    own: the inner half of the edge lies on the fill."""
    square = '<rect x="8" y="8" width="14" height="14" fill="#ff0000" stroke="#000000" stroke-width="4" {}/>'
    inner, outer, middle = (9, 15), (7, 15), (15, 15)

    assert near(GREY, GREY, (255, 128, 128)) == colours(square.format('opacity="0.5"'), inner, outer, middle)
    assert near((128, 0, 0), GREY, RED) == colours(square.format('stroke-opacity="0.5"'), inner, outer, middle)


def test_letters_fade_with_their_group() -> None:
    """A full stop of 60 mm, which PDFium shows as a square."""
    text = '<text x="2" y="28" font-family="SourceSansPro" font-size="80" fill="#000000" {}>.</text>'
    dot = (10, 25)

    assert near(BLACK, GREY, GREY) == [
        colours(face, dot)[0]
        for face in (text.format(""), text.format('opacity="0.5"'), f'<g fill-opacity="0.5">{text.format("")}</g>')
    ]
    assert near((255, 0, 0)) == colours(text.format("").replace("#000000", "url(#a)") + along(RED_ONLY), dot)


def test_a_text_box_fades_with_its_group() -> None:
    """An icon and letters: nothing on the face is darker than grey, and something is as dark."""
    box = '<textbox x="1" y="1" width="28" height="28" size="30" fill="#000000">ll :paw: l</textbox>'

    assert near(BLACK) == [darkest(box)]
    assert near(GREY) == [darkest(f'<g fill-opacity="0.5">{box}</g>')]
    assert near(GREY) == [darkest(f'<g opacity="0.5">{box}</g>')]


def darkest(svg: str) -> tuple[int, int, int]:
    return tuple(low for low, _ in shown(svg).getextrema())  # type: ignore[return-value, misc]


RED_ONLY = '<stop offset="0" stop-color="#ff0000"/><stop offset="1" stop-color="#ff0000" stop-opacity="0.99"/>'


# Clip paths and masks


def test_a_clip_path_leaves_what_is_in_any_of_its_shapes() -> None:
    """Two rectangles that run against each other: as one path, their overlap would be a hole."""
    face = clip('<path d="M2 2L20 2L20 20L2 20Z"/><path d="M28 28L28 10L10 10L10 28Z"/>')
    face += ALL.format('fill="#ff0000" clip-path="url(#c)"')

    assert near(RED, RED, RED, WHITE) == colours(face, (5, 5), (15, 15), (25, 25), (25, 5))


def test_a_clip_path_moves_and_cuts_itself() -> None:
    """A square of 10 mm, moved by 10, and of that what another one leaves: 15 to 20."""
    face = clip('<rect x="5" width="20" height="30"/>', 'transform="translate(10)"')
    other = '<rect width="10" height="30" transform="translate(10)"/>'
    face += clip(other, 'clip-path="url(#c)"').replace('"c"', '"d"')
    face += ALL.format('fill="#ff0000" clip-path="url(#d)"')

    assert near(WHITE, RED, WHITE) == colours(face, (14, 15), (17, 15), (21, 15))


def test_a_mask_counts_light_as_svg_does() -> None:
    """Green is 71.52 % of the light, white at half opacity a half; beyond the box of the mask nothing is seen."""
    inside = '<rect width="15" height="30" fill="#00ff00"/>'
    inside += '<rect x="15" width="15" height="30" fill="#ffffff" opacity="0.5"/>'
    face = mask(inside, box='x="0" y="0" width="30" height="20"')
    face += '<g transform="translate(0 5)" mask="url(#m)">' + ALL.format('fill="#0000ff"') + "</g>"

    assert near((73, 73, 255), (128, 128, 255), WHITE, WHITE) == colours(face, (7, 15), (22, 15), (22, 26), (7, 3))


def test_a_mask_of_opacity_takes_no_notice_of_colours() -> None:
    face = mask('<rect width="15" height="30" opacity="0.5"/>', 'mask-type="alpha"')
    face += ALL.format('fill="#0000ff" mask="url(#m)"')

    assert near((128, 128, 255), WHITE) == colours(face, (7, 15), (22, 15))


# Patterns, lines, corners, symbols


def test_tiles_lie_side_by_side() -> None:
    """From 2, 2 on, every 4 mm: in each a red square of 2 mm, and of a blue one that reaches out of it a corner."""
    inside = '<rect width="2" height="2" fill="#ff0000"/><rect x="3" y="3" width="3" height="3" fill="#0000ff"/>'
    face = tile(inside, "", 'x="2" y="2" width="4" height="4"') + ALL.format('fill="url(#p)"')
    red, blue = (RED, (3, 3), (7, 7), (27, 27)), (BLUE, (1.5, 1.5), (5.5, 5.5), (29.5, 29.5))
    white = WHITE, (5, 3), (4.5, 4.5), (9, 7)

    for colour, *points in (red, blue, white):
        assert near(*[colour] * 3) == colours(face, *points)  # type: ignore[arg-type]


def test_many_small_tiles_are_left_to_the_viewer() -> None:
    """Tiles of 0.25 mm, half of each black: grey from afar."""
    face = tile('<rect width="0.25" height="0.125"/>', "", 'width="0.25" height="0.25"') + ALL.format('fill="url(#p)"')
    image = shown(face).resize((1, 1))

    assert pytest.approx(128, abs=12) == image.getpixel((0, 0))[0]  # type: ignore[index]
    assert 5_000 > len(face_pdf(face_of(face), False))


def test_current_colour_is_the_fill_a_symbol_is_used_with() -> None:
    """A disc with a bar, both red, and both blue; in the picture of a page as well."""
    face = ICON + '<use href="#s" width="15" height="15" fill="#ff0000"/>'
    face += '<g fill="#0000ff"><use href="#s" x="15" width="15" height="15"/></g>'

    assert near(RED, BLUE) == colours(face, (4, 4), (19, 4))
    assert ["#ff0000", "#0000ff"] == face_of(face).root.xpath("//*[local-name() = 'use']/@color")


def test_a_mitre_ends_at_its_limit() -> None:
    """A corner of 23 degrees reaches five widths out; a limit of four cuts it off."""
    corner = '<path d="M13 28L15 18L17 28" fill="none" stroke="#000000" stroke-width="2" stroke-miterlimit="{}"/>'
    tip = (15, 14)

    assert near(BLACK, WHITE) == [colours(corner.format(limit), tip)[0] for limit in (6, 4)]


def test_dashes_begin_where_they_should() -> None:
    """Dashes and gaps of 5 mm, moved on by 5: a gap comes first; by minus 5, too."""
    line = '<path d="M0 15L30 15" stroke="#000000" stroke-width="4" stroke-dasharray="5" stroke-dashoffset="{}"/>'

    for offset in ("5", "-5", "15"):
        assert near(WHITE, BLACK) == colours(line.format(offset), (2, 15), (7, 15))


# The file


def test_the_same_content_gives_the_same_bytes() -> None:
    for svg in FACES.values():
        assert face_pdf(face_of(svg), False) == face_pdf(face_of(svg), False)


def drawn(faces: list[Face], inks: Inks = "full", is_tagged: bool = False) -> bytes:
    """A document of faces, one a page."""
    canvas = new_canvas((30 * MM, 30 * MM), inks=inks)
    drawer = Drawer(canvas, Tags(canvas) if is_tagged else None)
    for face in faces:
        drawer.draw(face, (MM, 0, 0, -MM, 0, 30 * MM))
        canvas.showPage()
    return canvas.pdf()


def test_what_comes_again_is_one_object() -> None:
    """Three pages with a gradient, a mask and an opacity of the same: one of each in the file."""
    svg = along() + mask(ALL.format(FILLED)) + ALL.format('fill="#0000ff" mask="url(#m)" opacity="0.5"')
    with pikepdf.open(io.BytesIO(drawn([face_of(svg) for _ in range(3)]))) as read:
        found = Counter(key for one in read.objects if isinstance(one, pikepdf.Dictionary) for key in dict(one))

    assert (1, 1, 1) == (found["/Shading"], found["/SMask"], found["/ca"])


def test_a_symbol_takes_the_gradient_of_its_own_face() -> None:
    """The same symbol, which uses another one, on two pages, where the gradient that fills it is not the same."""
    face = '<symbol id="s" viewBox="0 0 30 30"><rect width="30" height="30" fill="url(#a)"/></symbol>'
    face += '<symbol id="t" viewBox="0 0 30 30"><use href="#s" width="30" height="30"/></symbol>'
    face += '<use href="#t" width="30" height="30"/>'
    pdf = drawn([face_of(face + along(stops)) for stops in (RISING, RISING.replace("ffffff", "ff0000"))])

    assert near(GREY, (128, 0, 0)) == [picture(pdf, page=page).getpixel((150, 150)) for page in (0, 1)]


def test_a_page_with_transparency_says_in_which_colours_it_is_mixed() -> None:
    """And no other page does (ISO 32000-1, 11.4.7)."""
    with pikepdf.open(io.BytesIO(drawn([face_of(ALL.format('opacity="0.5"')), face_of(ALL.format(""))]))) as read:
        groups = [page.get("/Group") for page in read.pages]

        assert "/DeviceRGB" == groups[0].CS
        assert groups[1] is None


@pytest.mark.parametrize("name", FACES)
def test_in_black_alone_everything_is_grey(name: str) -> None:
    """Colour spaces, functions and operators; and what is shown is as light as in colour, nearly."""
    pdf = drawn([face_of(FACES[name])], "mono")
    everything = "\n".join(streams(pdf))

    assert "DeviceRGB" not in everything and "DeviceCMYK" not in everything
    assert not re.search(r"[\d.]+ [\d.]+ [\d.]+ (?:rg|RG|scn|SCN)\b", everything)
    assert picture(pdf).convert("L").resize((1, 1)).getpixel((0, 0)) == pytest.approx(
        shown(FACES[name]).convert("L").resize((1, 1)).getpixel((0, 0)), abs=6
    )


def test_numbers_have_no_exponent() -> None:
    """No reader takes 4.9e-05 for a number."""
    svg = along(more='gradientTransform="matrix(0.000049 0 0 0.000049 0 0)"', x2=90000) + ALL.format(FILLED)

    assert not re.search(r"\de-\d", "\n".join(streams(drawn([face_of(svg)]))))


def test_a_plate_brings_along_what_it_is_painted_with() -> None:
    """Drawn once, printed into two documents: each shows it as its own drawing does."""
    face = face_of(FACES["mask of a group, moved"] + tile(CHECKS) + '<circle cx="24" cy="24" r="5" fill="url(#p)"/>')
    press = Press()
    plate = press.face(face)
    for _ in range(2):
        canvas = new_canvas((30 * MM, 30 * MM), press.types)
        canvas.emit(f"q {MM} 0 0 {-MM} 0 {30 * MM} cm")
        Prints(press, canvas).put(plate)
        canvas.emit("Q")
        canvas.showPage()
        canvas.save()

        wanted, found = picture(face_pdf(face, False)), picture(canvas.out.getvalue())
        assert 3 > max(high for _, high in ImageChops.difference(wanted, found).getextrema())  # type: ignore[misc]


def test_a_text_in_a_group_that_fades_is_told() -> None:
    """The group is drawn as a whole, and told with the words that are in it."""
    text = '<text x="3" y="10" font-family="SourceSansPro" font-size="5" fill="#000000">Moonlit owl</text>'
    pdf = drawn([face_of(f'<g opacity="0.5"><rect width="30" height="9" fill="#d01020"/>{text}</g>')], is_tagged=True)
    document = pypdfium2.PdfDocument(pdf)

    assert "Moonlit owl" == document[0].get_textpage().get_text_range().strip()
    with pikepdf.open(io.BytesIO(pdf)) as read:
        assert 1 == sum(one.get("/S") == "/P" for one in read.objects if isinstance(one, pikepdf.Dictionary))


def test_flat_ink_needs_none_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is flat and opaque is drawn as ever."""
    monkeypatch.setattr(Paints, "shape", None)
    monkeypatch.setattr(PackedCanvas, "hold", None)
    elements: list[Element] = list(face_of(ALL.format('fill="#ff0000" stroke="#0000ff" opacity="1"')).root)

    assert 1 == len(elements)
    assert b"Group" not in drawn([face_of(ALL.format('fill="#ff0000" stroke="#0000ff" opacity="1"'))])


# Whoever reads faces


@pytest.mark.parametrize("name", FACES)
def test_whoever_reads_a_face_copes_with_it(name: str) -> None:
    """Checks see flat inks, pages and exports their own ids, and what is defined elsewhere is no spot."""
    face = face_of(FACES[name])

    assert all(re.fullmatch("none|#[0-9a-f]{6}", ink) for part in painted(face) for ink in (part.fill, part.stroke))
    assert {"a", "b", "c", "m", "n", "p"}.isdisjoint(spot.name for spot in spots(face))
    assert extent(face.root, START, symbols(face.root), IDENTITY) is not None
    assert 1 <= len(standalone_svg(face)) and pieces_of(face.root, 30, 30) is not None
    inside = etree.fromstring(page_svg(Shown("x", ("Mouse",), "front", 1, "Square", "Mouse", "", face), STOCK))
    ids = {one.get("id") for one in inside.iter()}
    links = [value for one in inside.iter() for key in LINKS if (value := one.get(key, "")).startswith("url(")]

    assert all(link[5:-1] in ids and link.startswith("url(#x--") for link in links)


def test_a_check_sees_what_shines_through() -> None:
    """Half of white paper lightens black to grey; what is clearer is no ground; a gradient is its middle."""
    svg = (
        ALL.format('fill-opacity="0.8" opacity="0.75"')
        + ALL.format('opacity="0.4"')
        + along(BRIGHT)
        + ALL.format(FILLED)
    )

    assert ["#666666", "#1090d0"] == [part.fill for part in painted(face_of(svg)) if part.fill != "none"]


def test_the_example_of_the_guide_is_drawn() -> None:
    """Dusk in a window with a round sill, and a cloud of one piece before it."""
    outside, single, double = colours(PAINTED, (2, 2), (22, 20), (27, 20))

    assert WHITE == outside
    assert near(single) == [double]


def test_a_line_with_a_gradient_is_as_wide_as_another() -> None:
    """Its lowest point lies below all points of its path, where PDFium would cut it off."""
    hook = 'd="M9.5 9.4C15 10 17.5 14 15.6 17.6C14.4 20 11.6 19.4 12 17.4" fill="none" stroke-width="2.4"'
    for ends in ("butt", "round", "square"):
        (shown_here,) = colours(
            f'{along(BRIGHT)}<path {hook} stroke="url(#a)" stroke-linecap="{ends}"/>', (13.4, 20.15)
        )
        corners = colours(
            f'{along(BRIGHT)}<path {hook} stroke="url(#a)" stroke-linecap="{ends}"/>', (0.2, 0.2), (29.8, 29.8)
        )

        assert WHITE != shown_here
        assert [WHITE, WHITE] == corners
