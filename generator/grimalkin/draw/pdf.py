"""Draw faces to PDF: our own writer for the documented SVG subset, straight onto a reportlab canvas.

Art that comes again (a symbol, a whole face) becomes a PDF form, drawn once. The page is turned once so that one unit
is a millimetre and y grows downwards, as in SVG; text turns itself back.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from lxml import etree
from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from grimalkin.face.compose import Element, Face
from grimalkin.face.fonts import font_paths

MM = 72 / 25.4
"""Points in a millimetre."""

rl_config.useA85 = 0  # a fifth of every file, and thirty times the speed with pictures
rl_config.invariant = 1  # the same content gives the same bytes

KAPPA = 4 / 3 * (math.sqrt(2) - 1)
"""How far the handles of a Bézier quarter circle reach, in radii."""

Style = Mapping[str, str]
INHERITED = (
    "fill",
    "fill-rule",
    "stroke",
    "stroke-width",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-dasharray",
    "font-family",
    "font-size",
    "text-anchor",
)
_START: Style = {
    "fill": "#000000",
    "fill-rule": "nonzero",
    "stroke": "none",
    "stroke-width": "1",
    "stroke-linecap": "butt",
    "stroke-linejoin": "miter",
    "stroke-dasharray": "none",
    "text-anchor": "start",
}
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}


class Drawer:
    """Draws faces onto one canvas, and keeps the forms that the canvas holds already."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas: Any = canvas  # its list of operators, its forms in use and its document are not public
        self.forms: dict[object, str] = {}
        self.symbol_texts: dict[Element, str] = {}
        self.used: list[str] = []
        """Forms that the code written since the last `emit` refers to."""

    def draw(self, face: Face, x: float, y: float, repeated: bool = False) -> None:
        """Draw a face with its trim's upper left corner at x, y points from the page's lower left corner.

        A repeated face becomes a form the first time; faces with one root share it.
        """
        code = [f"q {MM:.6f} 0 0 {-MM:.6f} {x:.4f} {y:.4f} cm"]
        if repeated:
            stock = face.stock
            box = (-stock.bleed, -stock.bleed, stock.width + stock.bleed, stock.height + stock.bleed)
            code.append(f"/{self.form(face.root, box, face.root, _START, symbols(face.root))} Do")
        else:
            self.element(face.root, _START, code, symbols(face.root))
        code.append("Q")
        self.emit(code)

    def emit(self, code: list[str]) -> None:
        self.canvas._code.append("\n".join(code))
        self.canvas._formsinuse.extend(self.used)
        self.used = []

    def form(
        self,
        key: object,
        box: tuple[float, float, float, float],
        content: Element,
        style: Style,
        known: Mapping[str, Element],
    ) -> str:
        """The PDF name of a form with this content, made when it is not there yet."""
        name = self.forms.get(key)
        if name is None:
            name = f"g{len(self.forms)}"
            self.forms[key] = name
            code: list[str] = []
            outside, self.used = self.used, []
            for child in content:
                self.element(child, style, code, known)
            self.canvas.beginForm(name, *box)
            self.emit(code)
            self.canvas.endForm()
            self.used = outside
        self.used.append(name)
        return str(self.canvas._doc.getXObjectName(name))

    def element(self, element: Element, style: Style, code: list[str], known: Mapping[str, Element]) -> None:
        tag = element.tag.rpartition("}")[2]
        if tag in ("defs", "symbol", "title", "desc", "clipPath"):
            return
        own = {key: value for key in INHERITED if (value := element.get(key)) is not None}
        if own:
            style = {**style, **own}
        transform = element.get("transform")
        clip = element.get("clip-path")
        if transform or clip:
            code.append("q")
        if transform:
            code.append(matrix_operator(transform))
        if clip:
            for shape in known[clip[5:-1]]:
                code.append(outline(shape) + " W n")
        if tag in ("g", "svg"):
            for child in element:
                self.element(child, style, code, known)
        elif tag == "use":
            self.use(element, style, code, known)
        elif tag == "text":
            self.text(element, style, code)
        else:
            paint(outline(element), style, code, tag in ("line", "polyline"))
        if transform or clip:
            code.append("Q")

    def use(self, use: Element, style: Style, code: list[str], known: Mapping[str, Element]) -> None:
        """A symbol, scaled into the place where it is used; one form for each symbol in each colour.

        What is not a symbol is drawn again as it is, moved to x, y.
        """
        symbol = known[use.get("href", "#")[1:]]
        if not symbol.tag.endswith("}symbol"):
            code.append(f"q 1 0 0 1 {float(use.get('x', '0')):.4f} {float(use.get('y', '0')):.4f} cm")
            self.element(symbol, style, code, known)
            code.append("Q")
            return
        x0, y0, width, height = (float(part) for part in symbol.get("viewBox", "0 0 24 24").split())
        x, y = float(use.get("x", "0")), float(use.get("y", "0"))
        scale = min(float(use.get("width", str(width))) / width, float(use.get("height", str(height))) / height)
        content = self.symbol_texts.get(symbol)
        if content is None:  # the same icon in another face is another element, but the same form
            content = self.symbol_texts[symbol] = etree.tostring(symbol, encoding="unicode")
        key = (style["fill"], style["stroke"], content)
        name = self.form(key, (x0, y0, x0 + width, y0 + height), symbol, style, known)
        code.append(f"q {scale:.5f} 0 0 {scale:.5f} {x - x0 * scale:.4f} {y - y0 * scale:.4f} cm /{name} Do Q")

    def text(self, text: Element, style: Style, code: list[str]) -> None:
        """Runs of text, each from its own x when it has one, else from where the run before it ended."""
        pen_x, y = float(text.get("x", "0")), float(text.get("y", "0"))
        runs: list[tuple[str, Style, float | None]] = []
        if text.text:
            runs.append((text.text, style, None))
        for span in text:
            own = {**style, **{key: value for key in INHERITED if (value := span.get(key)) is not None}}
            start = span.get("x")
            if span.text:
                runs.append((span.text, own, float(start) if start else None))
            if span.tail:
                runs.append((span.tail, style, None))
        whole = sum(pdfmetrics.stringWidth(run, font(own), float(own["font-size"])) for run, own, _ in runs)
        anchor = style["text-anchor"]
        pen_x -= whole / 2 if anchor == "middle" else whole if anchor == "end" else 0
        for run, style_of_run, begin in runs:
            if begin is not None:
                pen_x = begin
            name, size = font(style_of_run), float(style_of_run["font-size"])
            code.append(f"BT {colour(style_of_run['fill'])} rg 1 0 0 -1 {pen_x:.4f} {y:.4f} Tm")
            self.show(run, name, size, code)
            code.append("ET")
            pen_x += pdfmetrics.stringWidth(run, name, size)

    def show(self, run: str, name: str, size: float, code: list[str]) -> None:
        """Show a run of text. reportlab splits it over the subsets of the font that are embedded."""
        embedded: Any = pdfmetrics.getFont(name)
        for subset, data in embedded.splitString(run, self.canvas._doc):
            internal = embedded.getSubsetInternalName(subset, self.canvas._doc)
            code.append(f"{internal} {size:.4f} Tf ({self.canvas._escape(data)}) Tj")


def symbols(root: Element) -> dict[str, Element]:
    """Everything in a face that can be referred to, by id."""
    return {id_: element for element in root.iter() if (id_ := element.get("id"))}


@lru_cache(maxsize=256)
def registered(family: str) -> str:
    """A font known to reportlab under its package's name."""
    pdfmetrics.registerFont(TTFont(family, str(font_paths()[family])))
    return family


def font(style: Style) -> str:
    return registered(style["font-family"])


@lru_cache(maxsize=1024)
def colour(written: str) -> str:
    """A colour as three numbers of a PDF operator."""
    red, green, blue = HexColor(written).rgb()
    return f"{red:.4g} {green:.4g} {blue:.4g}"


def paint(path: str, style: Style, code: list[str], open_path: bool = False) -> None:
    """Fill and stroke a path."""
    fill = style["fill"] != "none" and not open_path
    stroke = style["stroke"] != "none"
    if not fill and not stroke:
        return
    if fill:
        code.append(f"{colour(style['fill'])} rg")
    if stroke:
        dashes = "" if style["stroke-dasharray"] == "none" else style["stroke-dasharray"].replace(",", " ")
        cap, join = _CAPS[style["stroke-linecap"]], _JOINS[style["stroke-linejoin"]]
        code.append(
            f"{colour(style['stroke'])} RG {float(style['stroke-width']):.4f} w {cap} J {join} j [{dashes}] 0 d"
        )
    even = "*" if style["fill-rule"] == "evenodd" else ""
    code.append(path + (f" B{even}" if fill and stroke else f" f{even}" if fill else " S"))


def outline(element: Element) -> str:
    """The outline of a shape as PDF path operators."""
    tag = element.tag.rpartition("}")[2]

    def number(key: str) -> float:
        return float(element.get(key, "0"))

    if tag == "path":
        return path_operators(element.get("d", ""))
    if tag == "rect":
        return rectangle(number("x"), number("y"), number("width"), number("height"), number("rx"))
    if tag == "circle":
        return ellipse(number("cx"), number("cy"), number("r"), number("r"))
    if tag == "ellipse":
        return ellipse(number("cx"), number("cy"), number("rx"), number("ry"))
    if tag == "line":
        return f"{number('x1'):.4f} {number('y1'):.4f} m {number('x2'):.4f} {number('y2'):.4f} l"
    values = [f"{float(value):.4f}" for value in re.findall(r"-?[\d.]+(?:e-?\d+)?", element.get("points", ""))]
    points = [f"{x} {y}" for x, y in zip(values[::2], values[1::2], strict=True)]
    return f"{points[0]} m " + " ".join(f"{point} l" for point in points[1:]) + (" h" if tag == "polygon" else "")


@lru_cache(maxsize=4096)
def path_operators(d: str) -> str:
    """Absolute M, L, C and Z as m, l, c and h."""
    letters = {"M": "m", "L": "l", "C": "c", "Z": "h"}
    parts = [f"{numbers.strip()} {letters[letter]}" for letter, numbers in re.findall(r"([MLCZ])([^MLCZ]*)", d)]
    return " ".join(parts)


def rectangle(x: float, y: float, width: float, height: float, radius: float = 0) -> str:
    if radius <= 0:
        return f"{x:.4f} {y:.4f} {width:.4f} {height:.4f} re"
    r = min(radius, width / 2, height / 2)
    k, right, foot = r * (1 - KAPPA), x + width, y + height
    return (
        f"{x + r:.4f} {y:.4f} m {right - r:.4f} {y:.4f} l "
        f"{right - k:.4f} {y:.4f} {right:.4f} {y + k:.4f} {right:.4f} {y + r:.4f} c {right:.4f} {foot - r:.4f} l "
        f"{right:.4f} {foot - k:.4f} {right - k:.4f} {foot:.4f} {right - r:.4f} {foot:.4f} c {x + r:.4f} {foot:.4f} l "
        f"{x + k:.4f} {foot:.4f} {x:.4f} {foot - k:.4f} {x:.4f} {foot - r:.4f} c {x:.4f} {y + r:.4f} l "
        f"{x:.4f} {y + k:.4f} {x + k:.4f} {y:.4f} {x + r:.4f} {y:.4f} c h"
    )


def ellipse(cx: float, cy: float, rx: float, ry: float) -> str:
    kx, ky = rx * KAPPA, ry * KAPPA
    return (
        f"{cx + rx:.4f} {cy:.4f} m "
        f"{cx + rx:.4f} {cy + ky:.4f} {cx + kx:.4f} {cy + ry:.4f} {cx:.4f} {cy + ry:.4f} c "
        f"{cx - kx:.4f} {cy + ry:.4f} {cx - rx:.4f} {cy + ky:.4f} {cx - rx:.4f} {cy:.4f} c "
        f"{cx - rx:.4f} {cy - ky:.4f} {cx - kx:.4f} {cy - ry:.4f} {cx:.4f} {cy - ry:.4f} c "
        f"{cx + kx:.4f} {cy - ry:.4f} {cx + rx:.4f} {cy - ky:.4f} {cx + rx:.4f} {cy:.4f} c h"
    )


@lru_cache(maxsize=4096)
def matrix_operator(transform: str) -> str:
    """An SVG transform list as one PDF `cm`: matrix, translate, scale, rotate."""
    m = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    for name, arguments in re.findall(r"(\w+)\s*\(([^)]*)\)", transform):
        v = [float(part) for part in re.split(r"[\s,]+", arguments.strip())]
        if name == "translate":
            step = (1.0, 0.0, 0.0, 1.0, v[0], v[1] if len(v) > 1 else 0.0)
        elif name == "scale":
            step = (v[0], 0.0, 0.0, v[1] if len(v) > 1 else v[0], 0.0, 0.0)
        elif name == "rotate":
            cos, sin = math.cos(math.radians(v[0])), math.sin(math.radians(v[0]))
            cx, cy = (v[1], v[2]) if len(v) == 3 else (0.0, 0.0)
            step = (cos, sin, -sin, cos, cx - cos * cx + sin * cy, cy - sin * cx - cos * cy)
        else:
            step = (v[0], v[1], v[2], v[3], v[4], v[5])
        a, b, c, d, e, f = m
        m = (
            a * step[0] + c * step[1],
            b * step[0] + d * step[1],
            a * step[2] + c * step[3],
            b * step[2] + d * step[3],
            a * step[4] + c * step[5] + e,
            b * step[4] + d * step[5] + f,
        )
    return " ".join(f"{value:.6f}" for value in m) + " cm"


def new_canvas(buffer: io.BytesIO, size: tuple[float, float]) -> Canvas:
    """A canvas whose pages are `size` points. Its first font is one of ours: Helvetica would not be embedded."""
    options: dict[str, Any] = {"pagesize": size, "pageCompression": 1, "initialFontName": registered("SourceSansPro")}
    return Canvas(buffer, **options)


def face_pdf(face: Face, bleed: bool) -> bytes:
    """One face as a PDF page of its own, cut to the trim or with its bleed; TrimBox and BleedBox are set."""
    stock = face.stock
    edge = stock.bleed if bleed else 0.0
    width, height = (stock.width + 2 * edge) * MM, (stock.height + 2 * edge) * MM
    buffer = io.BytesIO()
    canvas = new_canvas(buffer, (width, height))
    canvas.setTitle(face.name)
    canvas.setTrimBox((edge * MM, edge * MM, width - edge * MM, height - edge * MM))
    canvas.setBleedBox((0, 0, width, height))
    Drawer(canvas).draw(face, edge * MM, height - edge * MM)
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()
