"""Ordinary SVG in, plain art out: one trait each, with values worked out by hand."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO
from pathlib import Path

import pytest
from lxml import etree
from PIL import Image

from grimalkin.printing.face.art import Art, read_art
from grimalkin.printing.face.art.geometry import Size
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.face.svg.xml import Element

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
HANDED = sorted((Path(__file__).parent / "art" / "handed").glob("*.svg"))


def png(width: int, height: int) -> str:
    file = BytesIO()
    Image.new("L", (width, height)).save(file, "PNG")
    return f"data:image/png;base64,{b64encode(file.getvalue()).decode()}"


PIXEL = png(4, 2)
"""A picture of 4 × 2 pixels."""


def art(body: str, head: str = 'viewBox="0 0 100 50"', **more: bool) -> Art:
    found = read_art(f"{HEAD} {head}>{body}</svg>".encode(), "a-", **more)

    assert isinstance(found, Art), found
    return found


def lines(body: str, head: str = 'viewBox="0 0 100 50"', **more: bool) -> list[str]:
    """All that is drawn, and its definitions, an element a line."""
    return [shown(one) for one in art(body, head, **more).element.iterdescendants()]


def shown(element: Element) -> str:
    tag = str(element.tag).removeprefix(f"{{{SVG}}}")
    return " ".join([tag, *(f"{name}={value}" for name, value in element.attrib.items())])


def faults(body: str, head: str = 'viewBox="0 0 100 50"') -> list[tuple[int, str, str]]:
    found = read_art(f"{HEAD} {head}>{body}</svg>".encode(), "a-")

    assert isinstance(found, list)
    return found


# Styles


@pytest.mark.parametrize(
    ("body", "colour"),
    [
        ('<rect width="1" height="1" fill="#F80"/>', "#ff8800"),
        ('<rect width="1" height="1" style="fill: RGB(255,136,0) "/>', "#ff8800"),
        ('<rect width="1" height="1" fill="#00f" style="fill:#ff8800"/>', "#ff8800"),
        ('<rect width="1" height="1" fill="#ff8800" style="fill:nonsense"/>', "#ff8800"),
        ('<style>rect{fill:#ff8800}</style><rect width="1" height="1" fill="#00f"/>', "#ff8800"),
        ('<style>.a{fill:#ff8800}rect{fill:#00f}</style><rect class="a" width="1" height="1"/>', "#ff8800"),
        ('<style>#b{fill:#ff8800}.a{fill:#00f}</style><rect id="b" class="a" width="1" height="1"/>', "#ff8800"),
        ('<style>.a{fill:#f80!important}</style><rect class="a" style="fill:red" width="1" height="1"/>', "#ff8800"),
        (
            '<style><![CDATA[ g > .a , x { fill : #ff8800 ; } ]]></style><g><path class="a" d="M0 0h1v1"/></g>',
            "#ff8800",
        ),
        ('<g fill="#ff8800"><g><rect width="1" height="1"/></g></g>', "#ff8800"),
        ('<g fill="#ff8800"><rect width="1" height="1" style="fill:inherit"/></g>', "#ff8800"),
        ('<g color="#ff8800" fill="currentColor"><rect width="1" height="1"/></g>', "#ff8800"),
        ('<rect width="1" height="1" fill="url(#no) #ff8800"/>', "#ff8800"),
        ('<rect width="1" height="1" fill="var(--x, #ff8800)"/>', "#ff8800"),
        ('<g style="--x:#ff8800"><rect width="1" height="1" fill="var(--x, red)"/></g>', "#ff8800"),
        ('<rect width="1" height="1" fill="hsl(32, 100%, 50%)"/>', "#ff8800"),
        ('<rect width="1" height="1" fill="darkorange"/>', "#ff8c00"),
    ],
)
def test_a_colour_comes_from_where_css_says(body: str, colour: str) -> None:
    (line,) = lines(body)

    assert f"fill={colour}" in line.split()


def test_what_holds_anyway_is_said_once() -> None:
    """Whatever is around the drawing, it looks the same."""
    found = art('<rect width="1" height="1" style="stroke-width:1;stroke-linecap:butt;opacity:1"/>')

    assert "g fill=#000000 stroke=none fill-rule=nonzero" in shown(found.element)
    assert ["rect x=0 y=0 width=1 height=1"] == [shown(one) for one in found.element]


def test_opacity_of_colours_becomes_that_of_fill_and_stroke() -> None:
    assert ["rect x=0 y=0 width=1 height=1 fill-opacity=0.1 fill=#ff0000 stroke-opacity=0.2 stroke=#0000ff"] == lines(
        '<rect width="1" height="1" fill="rgba(255,0,0,.2)" fill-opacity=".5" stroke="rgb(0 0 255 / 20%)"/>'
    )


def test_what_is_not_shown_is_gone() -> None:
    assert ["rect x=0 y=0 width=3 height=3"] == lines(
        '<g display="none"><rect width="1" height="1"/></g><g visibility="hidden"><rect width="2" height="2"/>'
        '<rect width="3" height="3" visibility="visible"/></g><rect width="4" height="4" opacity="0"/>'
        '<rect width="5" height="5" fill="none"/><g transform="scale(0)"><rect width="6" height="6"/></g>'
    )


# Sizes


@pytest.mark.parametrize(
    ("head", "box", "size"),
    [
        ('width="63mm" height="88mm" viewBox="0 0 63 88"', (0, 0, 63, 88), (63, 88)),
        ('width="1in" height="72pt"', (0, 0, 96, 96), (25.4, 25.4)),
        ('width="96" viewBox="0 0 20 10"', (0, 0, 20, 10), (25.4, 12.7)),
        ('width="100%" height="100%" viewBox="-1 -2 20 10"', (-1, -2, 20, 10), None),
        ('style="width:96px;height:48px" viewBox="0 0 20 10"', (0, 0, 20, 10), (25.4, 12.7)),
    ],
)
def test_box_and_size(head: str, box: tuple[float, ...], size: tuple[float, float] | None) -> None:
    found = art("", head)

    assert (box, size) == (found.box, found.size)


def test_illustrator_has_72_px_to_the_inch() -> None:
    said = "<!-- Generator: Adobe Illustrator 16.0.0, SVG Export Plug-In -->"
    found = read_art(f'{said}{HEAD} width="72px" height="144px"/>'.encode(), "a-")

    assert isinstance(found, Art)
    assert (25.4, 50.8) == found.size


def test_units_become_user_units() -> None:
    assert ["rect x=96 y=5 width=50 height=20 rx=8 ry=8"] == lines(
        '<g font-size="20"><rect x="1in" y="10%" width="50%" height="1em" rx="6pt"/></g>'
    )


# Structure


def test_use_is_expanded() -> None:
    """A symbol in its grid, and cut at the edge of its place."""
    assert [
        "defs",
        "clipPath id=a-1",
        "rect x=0 y=0 width=20 height=20",
        "g transform=matrix(1 0 0 1 5 6)",
        "g clip-path=url(#a-1)",
        "circle cx=5 cy=5 r=5 fill=#00ff00 transform=matrix(2 0 0 2 0 0)",
    ] == lines(
        '<symbol id="s" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5"/></symbol>'
        '<use xlink:href="#s" x="5" y="6" width="20" height="20" fill="lime"/>'
    )


def test_a_nested_svg_becomes_a_group() -> None:
    found = lines('<svg x="10" width="20" height="20" viewBox="0 0 10 20" overflow="visible"><path d="M0 0h1"/></svg>')

    assert ["path d=M0 0L1 0 transform=matrix(1 0 0 1 15 0)"] == found


def test_a_line_painted_before_its_inside_is_drawn_twice() -> None:
    assert [
        "rect x=0 y=0 width=9 height=9 fill=none stroke-width=4 stroke=#ff0000",
        "rect x=0 y=0 width=9 height=9",
    ] == lines('<rect width="9" height="9" stroke="red" stroke-width="4" paint-order="stroke"/>')


def test_the_first_that_holds_is_drawn_of_a_switch() -> None:
    assert ["rect x=0 y=0 width=2 height=2"] == lines(
        '<switch><g requiredExtensions="x"><rect width="1" height="1"/></g><rect width="2" height="2"/>'
        '<rect width="3" height="3"/></switch>'
    )


# Paints


def test_a_gradient_of_a_box_is_in_the_units_of_its_shape() -> None:
    assert [
        "defs",
        "linearGradient gradientUnits=userSpaceOnUse x1=0 y1=0 x2=1 y2=0 "
        "gradientTransform=matrix(40 0 0 20 10 5) id=a-1",
        "stop offset=0 stop-color=#ff0000",
        "stop offset=0.5 stop-color=#0000ff stop-opacity=0.25",
        "rect x=10 y=5 width=40 height=20 fill=url(#a-1)",
    ] == lines(
        '<linearGradient id="g" xlink:href="#h"/><linearGradient id="h"><stop stop-color="red"/>'
        '<stop offset="50%" style="stop-color:blue;stop-opacity:.25"/></linearGradient>'
        '<rect x="10" y="5" width="40" height="20" fill="url(#g)"/>'
    )


@pytest.mark.parametrize(
    ("gradient", "fill"),
    [
        ('<linearGradient id="g"/>', None),
        ('<linearGradient id="g"><stop stop-color="red" stop-opacity=".5"/></linearGradient>', "fill-opacity=0.5"),
        ('<radialGradient id="g" r="0"><stop/><stop stop-color="red"/></radialGradient>', "fill=#ff0000"),
        ('<linearGradient id="g" x2="0"><stop/><stop stop-color="red"/></linearGradient>', "fill=#ff0000"),
    ],
)
def test_a_gradient_that_is_none_is_flat(gradient: str, fill: str | None) -> None:
    found = lines(f'{gradient}<rect width="1" height="1" fill="url(#g)"/>')

    assert found == [] if fill is None else fill in found[0].split()


def test_a_pattern_of_a_box_is_in_the_units_of_its_shape() -> None:
    assert [
        "defs",
        "pattern patternUnits=userSpaceOnUse x=10 y=10 width=20 height=10 id=a-1",
        "g transform=matrix(40 0 0 40 0 0)",
        "rect x=0 y=0 width=0.25 height=0.25",
        "rect x=10 y=10 width=40 height=40 fill=url(#a-1)",
    ] == lines(
        '<pattern id="p" width=".5" height=".25" patternContentUnits="objectBoundingBox">'
        '<rect width=".25" height=".25"/></pattern><rect x="10" y="10" width="40" height="40" fill="url(#p)"/>'
    )


# Clips, masks, markers


def test_a_clip_path_of_a_box_is_in_the_units_of_what_it_cuts() -> None:
    assert [
        "defs",
        "clipPath id=a-1",
        "circle cx=0.5 cy=0.5 r=0.5 transform=matrix(40 0 0 20 10 5)",
        "rect x=10 y=5 width=40 height=20 clip-path=url(#a-1)",
    ] == lines(
        '<clipPath id="c" clipPathUnits="objectBoundingBox"><circle cx=".5" cy=".5" r=".5"/></clipPath>'
        '<rect x="10" y="5" width="40" height="20" clip-path="url(#c)"/>'
    )


def test_a_clip_path_of_pieces_that_are_cut_becomes_a_mask() -> None:
    found = lines(
        '<clipPath id="i"><path d="M0 0H9V9Z"/></clipPath>'
        '<clipPath id="c"><rect width="9" height="5" clip-path="url(#i)"/><rect x="9" width="9" height="9"/></clipPath>'
        '<rect width="50" height="50" clip-path="url(#c)"/>'
    )

    assert "mask maskUnits=userSpaceOnUse x=0 y=0 width=18 height=9 id=a-2" in found
    assert "rect x=0 y=0 width=50 height=50 mask=url(#a-2)" == found[-1]


def test_what_an_empty_clip_path_cuts_is_gone() -> None:
    assert ["rect x=0 y=0 width=2 height=2"] == lines(
        '<clipPath id="c"/><rect width="1" height="1" clip-path="url(#c)"/><rect width="2" height="2"/>'
    )


def test_a_mask_reaches_a_tenth_over_what_it_masks() -> None:
    assert [
        "defs",
        "mask maskUnits=userSpaceOnUse x=6 y=3 width=48 height=24 mask-type=alpha id=a-1",
        "rect x=0 y=0 width=30 height=30 fill=#ffffff",
        "rect x=10 y=5 width=40 height=20 mask=url(#a-1)",
    ] == lines(
        '<mask id="m" style="mask-type:alpha" fill="white"><rect width="30" height="30"/></mask>'
        '<rect x="10" y="5" width="40" height="20" mask="url(#m)"/>'
    )


def test_markers_stand_at_corners_and_grow_with_the_line() -> None:
    """The second one turns half way from right to down, which is 45 degrees."""
    found = lines(
        '<marker id="m" orient="auto" overflow="visible"><rect width="1" height="1" fill="red"/></marker>'
        '<path d="M10 10H20V30" fill="none" stroke="#000" stroke-width="2" '
        'marker-start="url(#m)" marker-mid="url(#m)"/>'
    )

    assert [
        "path d=M10 10L20 10L20 30 fill=none stroke-width=2 stroke=#000000",
        "g transform=matrix(2 0 0 2 10 10)",
        "rect x=0 y=0 width=1 height=1 fill=#ff0000",
        "g transform=matrix(1.414214 1.414214 -1.414214 1.414214 20 10)",
        "rect x=0 y=0 width=1 height=1 fill=#ff0000",
    ] == found


# Texts and pictures


def test_text_becomes_outlines() -> None:
    """In Source Sans, an l is a rectangle of 8.3 to 17.7 hundredths of an em, 71 of them high."""
    found = art('<text x="10" y="40" font-size="100" font-family="Source Sans Pro">I</text>')
    (path,) = found.element

    assert f"{{{SVG}}}path" == path.tag
    assert path.get("d", "").startswith("M")
    assert () == found.notes


def test_another_font_is_worth_a_note() -> None:
    found = art('\n<text y="9" font-family="Arial, sans-serif">a</text><text y="9" font-family="Arial">b</text>')
    hint = "turn the text into paths in the program that drew it, or add the font"

    assert ((2, 'the font "Arial" is not installed, so another takes its place', hint),) == found.notes


def test_a_font_is_looked_up_by_who_asks() -> None:
    asked: list[tuple[str, int, bool]] = []
    source = f'{HEAD} viewBox="0 0 9 9"><text style="font:italic bold 4px Owl">a</text></svg>'
    read_art(source.encode(), "a-", fonts=lambda *one: asked.append(one))

    assert ("Owl", 700, True) in asked


def test_a_picture_is_fitted() -> None:
    """Of 4 × 2 pixels, it is 20 wide in the middle of a square of 20."""
    (line,) = lines(f'<image width="20" height="20" href="{PIXEL}"/>')

    assert f"image x=0 y=5 width=20 height=10 preserveAspectRatio=none href={PIXEL}" == line


def test_a_picture_that_fills_its_place_is_cut_there() -> None:
    found = lines(f'<image width="20" height="20" href="{PIXEL}" preserveAspectRatio="xMinYMin slice"/>')

    assert f"image x=0 y=0 width=40 height=20 preserveAspectRatio=none href={PIXEL} clip-path=url(#a-1)" == found[-1]


def test_pictures_are_found_by_who_asks() -> None:
    source = f'{HEAD} viewBox="0 0 9 9"><image width="8" href="owl.png"/></svg>'.encode()
    found = read_art(source, "a-", pictures=lambda href: Size("picture-owl", 2, 1))

    assert isinstance(found, Art)
    assert ["image x=0 y=0 width=8 height=4 preserveAspectRatio=none href=picture-owl"] == [
        shown(one) for one in found.element
    ]


# Icons


def test_what_has_no_colour_in_an_icon_takes_the_one_it_is_used_with() -> None:
    """So it has no fill; and a line in the colour of the text keeps that name."""
    body = (
        '<rect width="1" height="1"/><rect width="2" height="2" fill="currentColor"/>'
        '<path d="M0 0H9" fill="none" stroke="currentColor"/><rect width="3" height="3" fill="#000"/>'
    )

    assert [
        "rect x=0 y=0 width=1 height=1",
        "rect x=0 y=0 width=2 height=2",
        "path d=M0 0L9 0 fill=none stroke=currentColor",
        "rect x=0 y=0 width=3 height=3 fill=#000000",
    ] == lines(body, icon=True)
    assert {"fill", "stroke"}.isdisjoint(art(body, icon=True).element.attrib)


def test_an_icon_that_says_its_colour_keeps_it() -> None:
    assert ["rect x=0 y=0 width=1 height=1 fill=#ff0000"] == lines(
        '<rect width="1" height="1" fill="currentColor" color="red"/>', icon=True
    )


def test_the_mask_of_an_icon_has_colours_of_its_own() -> None:
    found = lines(
        '<mask id="m"><rect width="9" height="9" fill="#fff"/><rect width="3" height="3"/></mask>'
        '<rect width="9" height="9" mask="url(#m)"/>',
        icon=True,
    )

    assert "rect x=0 y=0 width=3 height=3 stroke=none fill=#000000" in found
    assert "rect x=0 y=0 width=9 height=9 mask=url(#a-1)" == found[-1]


# What is refused

FLATTEN = "flatten it in the program that drew it, or save this as a picture"
NUMBER = "write a number of at most 100,000, without calc()"
TRANSFORM = "translate, scale, rotate, skewX, skewY or matrix, in plain numbers"
PATHS = "turn the text into paths in the program that drew it"


@pytest.mark.parametrize(
    ("body", "message", "hint"),
    [
        (
            '<g filter="blur(2px)"/>',
            '<g filter="blur(2px)"> is not drawn',
            f"a filter (shadow, blur, glow) is made of pixels; {FLATTEN}",
        ),
        (
            '<g style="mix-blend-mode:multiply"/>',
            '<g mix-blend-mode="multiply"> is not drawn',
            f"colours are not blended; {FLATTEN}",
        ),
        ("<foreignObject/>", "<foreignObject> is not drawn", "draw its text with <text>, or save this as a picture"),
        ('<rect><animate attributeName="x"/></rect>', "<animate> is not drawn", "nothing moves on paper; leave it out"),
        ('<text><textPath href="#p">a</textPath></text>', "<textPath> is not drawn", PATHS),
        ("<script/>", "<script> is not drawn", "remove it, and save what it draws"),
        (
            '<image width="1" href="http://x.org/a.png"/>',
            'the picture "http://x.org/a.png" is not in the file',
            "embed it in the program that drew it",
        ),
        ('<use href="b.svg#a"/>', '<use href="b.svg#a"> refers to nothing', "write the #id of something in this file"),
        ('<rect width="1" height="1" fill="url(b.svg#a)"/>', '"b.svg#a" is in another file', "copy it into this one"),
        (
            '<rect clip-path="circle(3px)" width="1" height="1"/>',
            'clip-path="circle(3px)" is not drawn',
            "write url(#id) with the id of a <clipPath>",
        ),
        ('<rect width="calc(1px + 2px)" height="1"/>', 'width="calc(1px + 2px)" cannot be read', NUMBER),
        ('<rect x="NaN" width="1" height="1"/>', 'x="NaN" cannot be read', NUMBER),
        (
            '<rect fill="lab(50 10 10)" width="1" height="1"/>',
            'fill="lab(50 10 10)" cannot be read',
            "write the colour as #rrggbb",
        ),
        ('<path d="M0 0 L 1"/>', 'the path "M0 0 L 1" cannot be read', "a command has too few numbers"),
        ('<g transform="rotate3d(1,1,1,45deg)"/>', 'transform="rotate3d(1,1,1,45deg)" cannot be read', TRANSFORM),
        ('<style>@import "a.css";</style>', "@import is not read", "write the rules themselves"),
        (
            "<text>\u05d0</text>",
            "the font SourceSansPro has no character '\u05d0' (U+05D0)",
            f"{PATHS}, or choose another font",
        ),
        (
            '<g id="a"><use href="#a"/></g>',
            '<use href="#a"> draws the element that contains it',
            "refer to an element that does not contain it",
        ),
        (
            '<mask id="a"><path d="M0 0h1v1" mask="url(#a)"/></mask><path d="M0 0h1v1" mask="url(#a)"/>',
            '<mask id="a"> is drawn within itself',
            "remove one of the references",
        ),
        (
            '<linearGradient id="a" href="#a"/><rect width="1" height="1" fill="url(#a)"/>',
            '<linearGradient id="a"> refers to itself',
            "remove one of the references",
        ),
        (
            '<g transform="scale(9999)"><g transform="scale(9999)"><path d="M0 0h1v1"/></g></g>',
            "nested transforms stretch it beyond any paper",
            "remove one of them",
        ),
    ],
)
def test_what_is_not_carried_is_a_fault_with_its_line(body: str, message: str, hint: str) -> None:
    found = faults(f"<g/>\n{body}")

    assert [(message, hint)] == [one[1:] for one in found]
    assert 2 == found[0][0] or "stretch" in message


def test_a_filter_on_what_is_not_shown_is_no_matter() -> None:
    """Neither is one that is not there."""
    assert ["rect x=0 y=0 width=1 height=1"] == lines('<rect width="1" height="1" filter="url(#f)"/>')
    assert [] == lines('<g display="none" filter="blur(2px)"><rect width="1" height="1"/></g>')


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it is not XML: it is empty"),
        (b"<svg viewBox='0 0 1 1'/>", "its outermost element is <svg> without its namespace"),
        (f"{HEAD}/>".encode(), "it has no viewBox and no size"),
        (f"{HEAD} viewBox='0 0 0 1'/>".encode(), "its width or height is 0"),
        (b" " * 5_000_001, "it has 5,000,001 bytes"),
        (
            f"{HEAD} viewBox='0 0 1 1'>{'<g>' * 200}{'</g>' * 200}</svg>".encode(),
            "elements are nested more than 200 deep",
        ),
        (
            f"<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/hostname'>]>{HEAD}><title>&x;</title></svg>".encode(),
            "it is not XML: &x; is not known",
        ),
        (
            f"<!DOCTYPE svg [<!ENTITY x '<g/>'>]>{HEAD} viewBox='0 0 1 1'>&x;</svg>".encode(),
            "<g> from an entity is not read",
        ),
    ],
)
def test_a_file_that_cannot_be_read_at_all(data: bytes, message: str) -> None:
    found = read_art(data, "a-")

    assert isinstance(found, list)
    assert [message] == [one[1] for one in found]


@pytest.mark.slow("draws 50,000 shapes")
def test_uses_of_uses_end() -> None:
    """Ten times ten times … of one square; the end comes before the memory is full."""
    groups = "".join(f'<g id="g{one}">' + f'<use href="#g{one + 1}"/>' * 10 + "</g>" for one in range(9))
    found = faults(f'<defs>{groups}<rect id="g9" width="1" height="1"/></defs><use href="#g0"/>')

    assert ["more than 50,000 shapes are drawn"] == [one[1] for one in found]


# The subset


@pytest.mark.parametrize("path", HANDED, ids=lambda path: path.stem)
def test_drawings_of_programs_become_plain_art(path: Path) -> None:
    """Elements and attributes of the wider subset alone, and references to definitions that are there."""
    found = read_art(path.read_bytes(), "owl-")

    assert isinstance(found, Art), found
    ids = {str(one.get("id")) for one in found.element.iter() if one.get("id")}
    for element in found.element.iter():
        assert str(element.tag).removeprefix(f"{{{SVG}}}") in ELEMENTS
        for name, value in element.attrib.items():
            assert name not in ("style", "class") and not str(name).startswith("{")
            if str(value).startswith("url("):
                assert str(value)[5:-1] in ids
    assert all(one.startswith("owl-") for one in ids)


ELEMENTS = frozenset(
    [
        "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "defs", "clipPath", "mask", "pattern",
        "linearGradient", "radialGradient", "stop", "image",
    ]
)  # fmt: skip


def test_reading_twice_writes_the_same() -> None:
    data = HANDED[0].read_bytes()
    one, other = (read_art(data, "a-") for _ in range(2))

    assert isinstance(one, Art)
    assert isinstance(other, Art)
    assert etree.tostring(one.element) == etree.tostring(other.element)
