"""Small faces of 30 × 30 mm that are painted with more than flat ink, one trait each, by name."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import pypdfium2
from games_for_tests import write_game
from PIL import Image

from grimalkin.content import load_game
from grimalkin.content.stocks import Stock
from grimalkin.printing.draw.pdf import face_pdf
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.problems import Problems

FINER = 4
"""PDFium draws edges of a whole pixel; pixels are the mean of so many in each direction."""
STOCK = Stock(name="Square", shape="rectangle", width=30, height=30, bleed=0)
RISING = '<stop offset="0" stop-color="#000000"/><stop offset="1" stop-color="#ffffff"/>'
"""From black to white."""
BRIGHT = (
    '<stop offset="0" stop-color="#d01020"/><stop offset="0.3" stop-color="#f0e020"/>'
    '<stop offset="0.7" stop-color="#1090d0"/><stop offset="1" stop-color="#302060"/>'
)
FADING = '<stop offset="0" stop-color="#d01020"/><stop offset="1" stop-color="#d01020" stop-opacity="0"/>'
ALL = '<rect width="30" height="30" {}/>'
SMALL = '<rect x="6" y="6" width="14" height="14" fill="url(#a)"/>'
"""PDFium takes 256 samples of a gradient, or of all of its turns: a sharp edge of a long one is off by some dots."""
STAR = "M15 2L19 11L29 12L21 19L24 28L15 23L6 28L9 19L1 12L11 11Z"
DISCS = '<circle cx="11" cy="15" r="8"/><circle cx="19" cy="15" r="8"/>'


def along(stops: str = RISING, more: str = "", x1: float = 0, y1: float = 0, x2: float = 30, y2: float = 0) -> str:
    """A linear gradient #a, over the whole face from left to right unless said."""
    place = f'x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"'
    return f'<linearGradient id="a" gradientUnits="userSpaceOnUse" {place} {more}>{stops}</linearGradient>'


def around(stops: str = RISING, more: str = "", r: float = 15, cx: float = 15, cy: float = 15) -> str:
    """A radial gradient #a, in the middle of the face unless said."""
    place = f'cx="{cx}" cy="{cy}" r="{r}"'
    return f'<radialGradient id="a" gradientUnits="userSpaceOnUse" {place} {more}>{stops}</radialGradient>'


def mask(inside: str, more: str = "", box: str = 'x="0" y="0" width="30" height="30"') -> str:
    return f'<mask id="m" maskUnits="userSpaceOnUse" {box} {more}>{inside}</mask>'


def tile(inside: str, more: str = "", box: str = 'width="6" height="6"') -> str:
    return f'<pattern id="p" patternUnits="userSpaceOnUse" {box} {more}>{inside}</pattern>'


def clip(shapes: str, more: str = "") -> str:
    return f'<clipPath id="c" {more}>{shapes}</clipPath>'


CHECKS = '<rect width="3" height="3" fill="#c02020"/><rect x="3" y="3" width="3" height="3" fill="#2020c0"/>'
ICON = (
    '<symbol id="s" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/><path d="M1 5L9 5" stroke="#ffffff"/>'
    '<path d="M5 1L5 9" stroke="currentColor" stroke-width="3" transform="rotate(45 5 5)"/></symbol>'
)
FACES = {
    "linear gradient": along(BRIGHT) + ALL.format('fill="url(#a)"'),
    "linear gradient that ends inside": along(BRIGHT, x1=8, y1=8, x2=20, y2=14) + ALL.format('fill="url(#a)"'),
    "linear gradient with a transform": along(
        BRIGHT, 'gradientTransform="rotate(30) skewX(0)"'.replace(" skewX(0)", "")
    )
    + ALL.format('fill="url(#a)"'),
    "linear gradient, skewed": along(BRIGHT, 'gradientTransform="matrix(1 0.5 -0.8 1 3 2)"', x2=12)
    + f'<path d="{STAR}" fill="url(#a)"/>',
    "linear gradient in a tiny space": along(BRIGHT, 'gradientTransform="matrix(0.003 0 0 0.003 0 0)"', x2=10000)
    + ALL.format('fill="url(#a)"'),
    "sharp edges": along(
        '<stop offset="0" stop-color="#000000"/><stop offset="0.25" stop-color="#000000"/>'
        '<stop offset="0.25" stop-color="#d01020"/><stop offset="0.75" stop-color="#1090d0"/>'
        '<stop offset="0.75" stop-color="#ffffff"/>',
        x1=8,
        x2=18,
    )
    + SMALL,
    "sharp edges at both ends": along(
        '<stop offset="0" stop-color="#000000"/><stop offset="0" stop-color="#d01020"/>'
        '<stop offset="1" stop-color="#1090d0"/><stop offset="1" stop-color="#20c020"/>',
        x1=8,
        x2=18,
    )
    + SMALL,
    "reflected": along(BRIGHT, 'spreadMethod="reflect"', x1=9, y1=9, x2=14, y2=12) + ALL.format('fill="url(#a)"'),
    "repeated": along(BRIGHT, 'spreadMethod="repeat"', x1=9, y1=9, x2=14, y2=12) + SMALL,
    "repeated, with a transform": along(
        BRIGHT, 'spreadMethod="repeat" gradientTransform="rotate(60 15 15)"', x1=9, x2=14
    )
    + f'<g transform="translate(4 2) scale(0.8)"><path d="{STAR}" fill="url(#a)"/></g>',
    "radial gradient": around(BRIGHT) + ALL.format('fill="url(#a)"'),
    "radial gradient, an ellipse": around(BRIGHT, 'gradientTransform="matrix(1 0.2 0 0.5 0 5)"')
    + ALL.format('fill="url(#a)"'),
    "focal point": around(BRIGHT, 'fx="9" fy="11"') + ALL.format('fill="url(#a)"'),
    "focal circle": around(BRIGHT, 'fx="12" fy="15" fr="4"') + ALL.format('fill="url(#a)"'),
    "focal point, repeated": around(BRIGHT, 'fx="13" fy="14" spreadMethod="repeat"', r=4) + SMALL,
    "rings, reflected": around(BRIGHT, 'fr="2" spreadMethod="reflect"', r=6) + ALL.format('fill="url(#a)"'),
    "gradient on a stroke": along(BRIGHT)
    + '<path d="M4 26C4 4 26 4 26 26" fill="none" stroke="url(#a)" stroke-width="5" stroke-linecap="round"/>',
    "gradient on a level line": along(BRIGHT)
    + '<line x1="3" y1="15" x2="27" y2="15" stroke="url(#a)" stroke-width="4"/>',
    "gradient on a dashed stroke": along(BRIGHT, y2=30)
    + '<circle cx="15" cy="15" r="11" fill="none" stroke="url(#a)" stroke-width="4" stroke-dasharray="5 3 2" '
    'stroke-dashoffset="4"/>',
    "gradients on fill and stroke": along(BRIGHT)
    + around(RISING).replace('"a"', '"b"')
    + f'<path d="{STAR}" fill="url(#b)" stroke="url(#a)" stroke-width="2" stroke-linejoin="round"/>',
    "fading": '<rect width="30" height="12" fill="#2020c0"/>' + along(FADING) + ALL.format('fill="url(#a)"'),
    "fading, in groups": '<rect width="30" height="12" fill="#2020c0"/>'
    + around(FADING, 'fx="10" fy="15"')
    + '<g transform="rotate(20 15 15)"><g transform="scale(0.7)" opacity="0.8"><g transform="translate(5 5)">'
    + ALL.format('fill="url(#a)" stroke="url(#a)" stroke-width="4"')
    + "</g></g></g>",
    "fading on a stroke": along(FADING, y2=30)
    + f'<path d="{STAR}" fill="none" stroke="url(#a)" stroke-width="3" stroke-miterlimit="4"/>',
    "equally clear stops": along(BRIGHT.replace("/>", ' stop-opacity="0.5"/>'))
    + '<rect width="30" height="12"/>'
    + ALL.format('fill="url(#a)" fill-opacity="0.8"'),
    "flat gradients": along('<stop offset="0.4" stop-color="#20c020"/>')
    + around(BRIGHT, r=0).replace('"a"', '"b"')
    + '<rect width="30" height="12" fill="url(#a)"/><rect y="16" width="30" height="12" fill="url(#b)"/>',
    "opacity of a shape": '<rect width="30" height="12"/>' + f'<path d="{STAR}" fill="#d01020" opacity="0.5"/>',
    "opacity of fill and stroke": '<rect width="30" height="12"/>'
    + f'<path d="{STAR}" fill="#d01020" stroke="#2020c0" stroke-width="3" stroke-miterlimit="4" opacity="0.5"/>',
    "opacity of each paint": '<rect width="30" height="12"/>'
    + f'<path d="{STAR}" fill="#d01020" stroke="#2020c0" stroke-width="3" stroke-miterlimit="4" fill-opacity="0.3" '
    'stroke-opacity="0.6"/>',
    "opacity of a group": f'<rect width="30" height="12" fill="#20c020"/><g opacity="0.6">{DISCS}</g>',
    "opacity of groups in groups": '<rect width="30" height="12" fill="#20c020"/><g opacity="0.7" fill="#d01020">'
    f'<g opacity="0.5" transform="translate(3 4) rotate(10)">{DISCS}</g><rect x="10" width="6" height="30"/></g>',
    "clip path": clip(f'<path d="{STAR}"/>') + along(BRIGHT) + ALL.format('fill="url(#a)" clip-path="url(#c)"'),
    "clip path of a picture in a group": clip('<circle cx="15" cy="15" r="12"/>')
    + f'<g transform="translate(3 3) scale(0.8)" clip-path="url(#c)">{ALL.format("")}'
    f'<rect width="15" height="15" fill="#d01020"/></g>',
    "clip path with two shapes apart": clip('<rect x="2" y="2" width="8" height="26"/><circle cx="20" cy="15" r="8"/>')
    + ALL.format('fill="#d01020" clip-path="url(#c)"'),
    "clip path with shapes that overlap": clip(
        '<path d="M2 2L20 2L20 20L2 20Z"/><path d="M28 28L28 10L10 10L10 28Z" transform="rotate(10 15 15)"/>'
    )
    + along(BRIGHT)
    + ALL.format('fill="url(#a)" clip-path="url(#c)"'),
    "clip path by the even-odd rule": clip(
        f'<path d="{STAR}M10 10L20 10L20 20L10 20Z" clip-rule="evenodd" transform="matrix(1 0.1 0.1 1 -1 -1)"/>'
    )
    + ALL.format('fill="#d01020" clip-path="url(#c)"'),
    "clip path in a clip path": clip('<circle cx="12" cy="15" r="10"/>')
    + clip('<circle cx="18" cy="15" r="10"/>', 'clip-path="url(#c)" transform="translate(0 2)"').replace('"c"', '"d"')
    + ALL.format('fill="#d01020" clip-path="url(#d)"'),
    "mask by light": mask(ALL.format('fill="url(#a)"'))
    + along()
    + '<rect width="30" height="12"/>'
    + ALL.format('fill="#d01020" mask="url(#m)"'),
    "mask by colours": mask(
        '<rect width="10" height="30" fill="#ff0000"/><rect x="10" width="10" height="30" fill="#00ff00"/>'
        '<rect x="20" width="10" height="30" fill="#0000ff"/>'
    )
    + ALL.format('mask="url(#m)"'),
    "mask by opacity": mask(f'<g opacity="0.7" fill="#000000">{DISCS}</g>', 'mask-type="alpha"')
    + ALL.format('fill="#d01020" mask="url(#m)"'),
    "mask of a group, moved": mask(
        '<circle cx="15" cy="15" r="14" fill="#ffffff"/>', "", 'x="4" y="4" width="20" height="15"'
    )
    + '<g transform="translate(4 2) rotate(15) scale(0.8)" mask="url(#m)" opacity="0.8">'
    + along(BRIGHT)
    + ALL.format('fill="url(#a)"')
    + '<circle cx="10" cy="10" r="5"/></g>',
    "mask in a mask": mask(f'<g mask="url(#n)"><path d="{STAR}" fill="#ffffff"/></g>')
    + mask(ALL.format('fill="url(#a)"')).replace('"m"', '"n"')
    + along()
    + ALL.format('fill="#2020c0" mask="url(#m)"'),
    "empty mask and overlapping clip path": mask("")
    + clip('<path d="M2 2L20 2L20 20L2 20Z"/><path d="M28 28L28 10L10 10L10 28Z"/>')
    + ALL.format('fill="#2020c0" mask="url(#m)" clip-path="url(#c)" opacity="0.9"'),
    "mask and overlapping clip path": mask(ALL.format('fill="url(#a)"'))
    + clip('<path d="M2 2L20 2L20 20L2 20Z"/><path d="M28 28L28 10L10 10L10 28Z"/>')
    + along()
    + ALL.format('fill="#2020c0" mask="url(#m)" clip-path="url(#c)" opacity="0.9"'),
    "pattern": tile(CHECKS) + ALL.format('fill="url(#p)"'),
    "pattern with a transform": tile(
        CHECKS, 'patternTransform="rotate(30) scale(0.9)"', 'x="2" y="1" width="6" height="6"'
    )
    + f'<path d="{STAR}" fill="url(#p)" stroke="#000000" stroke-width="0.5"/>',
    "pattern in a group": tile(CHECKS)
    + f'<g transform="translate(3 4) rotate(20) scale(0.7)"><path d="{STAR}" fill="url(#p)"/></g>',
    "pattern of gradients, on a stroke": tile(
        ALL.format('fill="url(#a)"'), 'patternTransform="scale(1.25)"', 'width="8" height="8"'
    )
    + along(BRIGHT, x2=8, y2=8)
    + '<circle cx="15" cy="15" r="10" fill="none" stroke="url(#p)" stroke-width="7" stroke-opacity="0.8"/>',
    "pattern on a clear stroke": tile('<rect x="1" width="3" height="6"/>')
    + f'<path d="{STAR}" fill="#d01020" stroke="url(#p)" stroke-width="4" stroke-opacity="0.3"/>'
    + f'<path d="{STAR}" fill="url(#p)" fill-opacity="0.3" transform="translate(0 4)"/>',
    "clear pattern": tile('<circle cx="3" cy="3" r="2.5" opacity="0.5"/><circle cx="4" cy="4" r="2"/>')
    + '<rect width="30" height="12" fill="#20c020"/>'
    + ALL.format('fill="url(#p)"'),
    "miter limits": '<g fill="none" stroke="#000000" stroke-width="2"><path d="M3 12L9 3L12 12" stroke-miterlimit="1"/>'
    '<path d="M16 12L20 5L24 12" stroke-miterlimit="20"/><path d="M3 28L6 19L9 28" stroke-miterlimit="4"/></g>',
    "points with square ends": '<g fill="none" stroke="#d01020" stroke-width="5" stroke-linecap="square">'
    '<path d="M8 8L8 8M20 8L20 8Z"/><path d="M8 20L8 20L14 24"/><line x1="24" y1="20" x2="24" y2="20"/></g>',
    "points in a row": '<g fill="none" stroke="#d01020" stroke-width="2" stroke-linecap="round">'
    '<circle cx="15" cy="15" r="12" stroke-dasharray="0 3"/><path d="M5 15L25 15" stroke-dasharray="4 3 0 3"/></g>',
    "dash offsets": '<g fill="none" stroke="#000000" stroke-width="2" stroke-dasharray="5 2 1">'
    '<path d="M2 5L28 5" stroke-dashoffset="3"/><path d="M2 15L28 15" stroke-dashoffset="-3"/>'
    '<path d="M2 25L28 25" stroke-dashoffset="12.5"/></g>',
    "corners": '<rect x="2" y="2" width="26" height="8" rx="6" ry="2"/>'
    '<rect x="2" y="12" width="26" height="6" rx="9"/>'
    '<rect x="2" y="20" width="8" height="8" ry="3"/><rect x="16" y="20" width="12" height="8" rx="0" ry="3"/>',
    "skewed": '<g transform="matrix(1 0.3 -0.4 0.8 6 0)"><rect x="4" y="4" width="18" height="18" fill="#d01020" '
    'stroke="#000000" stroke-width="2"/></g>',
    "even-odd": f'<path d="{STAR}M10 10L20 10L20 20L10 20Z" fill-rule="evenodd" fill="#d01020"/>',
    "symbol in current colour": ICON
    + '<use href="#s" x="2" y="2" width="12" height="12" fill="#d01020"/><g fill="#2020c0">'
    '<use href="#s" x="12" y="12" width="16" height="16" opacity="0.5"/></g>',
    "symbol with a gradient": ICON
    + along(BRIGHT, x2=10)
    + '<use href="#s" x="3" y="3" width="24" height="24" fill="url(#a)"/>',
    "filled lines": '<polyline points="3,3 20,5 12,20" fill="#d01020" stroke="#000000"/>'
    '<line x1="3" y1="25" x2="27" y2="22" fill="#d01020" stroke="#000000"/>',
    "symbol that reaches out of its grid": '<symbol id="s" viewBox="5 5 10 10"><circle cx="10" cy="10" r="8"/></symbol>'
    '<use href="#s" x="2" y="2" width="20" height="10" fill="#d01020"/>'
    '<use href="#s" x="2" y="16" width="6" height="12"/><use href="#s" x="16" y="16" width="12" height="12"/>',
    "huge numbers": f'<g transform="scale(0.0003)"><g transform="scale(3333)"><path d="{STAR}"/></g>'
    '<circle cx="50000" cy="50000" r="30000" fill="#d01020"/></g>',
    "use with a clip path": clip('<circle cx="6" cy="6" r="5"/><rect x="8" y="8" width="5" height="9"/>')
    + '<symbol id="s" viewBox="0 0 30 30">'
    + ALL.format("")
    + '</symbol><use href="#s" x="10" y="8" width="18" height="18" clip-path="url(#c)" fill="#d01020"/>',
    "use with a mask": mask(ALL.format('fill="url(#a)"'))
    + along()
    + f'<defs><g id="d">{DISCS}</g></defs><use href="#d" x="2" y="3" mask="url(#m)" fill="#d01020"/>'
    '<use href="#d" y="-7" opacity="0.5" transform="scale(0.7)"/>',
}
"""What a browser must show alike."""


@cache
def composer() -> Composer:
    problems = Problems()
    with tempfile.TemporaryDirectory() as folder:
        game = load_game(write_game(Path(folder) / "tiny"), problems)
        assert game is not None
        return Composer(game, {}, problems)


def face_of(svg: str) -> Face:
    """A face as a template would draw it."""
    made = composer()
    layers = made.resolve(f'<svg xmlns="{SVG}">{svg}</svg>', "mouse-front", "plain.svg.j2", STOCK)

    assert layers is not None, list(made.problems)
    return Face("mouse-front", "Mouse", "Mouse", STOCK, layers)


def picture(pdf: bytes, size: int = 300, page: int = 0) -> Image.Image:
    """A page of 30 × 30 mm as PDFium shows it."""
    document = pypdfium2.PdfDocument(pdf)
    scale = FINER * size / (30 / 25.4 * 72)
    image: Image.Image = document[page].render(scale=scale).to_pil().convert("RGB")
    document.close()
    return image.crop((0, 0, FINER * size, FINER * size)).reduce(FINER)


def shown(svg: str, size: int = 300) -> Image.Image:
    """A face as PDFium shows it, in a PDF of its own."""
    return picture(face_pdf(face_of(svg), False), size)
