"""Turn paint that is not flat into operators and resources of a PDF: gradients, patterns, opacity, masks, clip paths.

Three facts about PDF shape this code (ISO 32000-1):

- The matrix of a pattern maps to the space of the form or page that contains the operators, regardless of any `cm`
  (8.7.2). So anything painted with a pattern becomes its own form, in which that space is the shape's.
- The group of a soft mask is in the space where the mask is set (11.6.5.2), which is the element's.
- Opacity and masks of an element as a whole need a transparency group: a form drawn before it is composited (11.6.6).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Protocol

from grimalkin.printing.draw.canvas import Resource, XObjects
from grimalkin.printing.draw.packing import colour, exact, row, short
from grimalkin.printing.draw.shapes import Style, common, cut, matrix_through, number, own_style, path_box, through
from grimalkin.printing.face.svg.paths import (
    IDENTITY,
    MOST_LENGTH,
    Box,
    Matrix,
    dashes_of,
    inverse,
    length_of,
    point_through,
    times,
)
from grimalkin.printing.face.svg.xml import Element

START: Style = {
    "fill": "#000000",
    "fill-rule": "nonzero",
    "fill-opacity": "1",
    "stroke": "none",
    "stroke-width": "1",
    "stroke-linecap": "butt",
    "stroke-linejoin": "miter",
    "stroke-dasharray": "none",
    "stroke-opacity": "1",
    "text-anchor": "start",
}
WIDE: Box = (-MOST_LENGTH, -MOST_LENGTH, MOST_LENGTH, MOST_LENGTH)
"""The box of a form that clips nothing: no number on a face is larger."""
MOST_TURNS = 250
"""The most repetitions of a gradient; anything further away has the colour of its end."""
LEAST_STEP = 0.00001
"""The least distance between stops in a gradient; a shorter one becomes a sharp edge."""
BEYOND = 0.05
"""How far a gradient continues beyond an end with a sharp edge, relative to its length."""
LEAST_DASH = 0.0002
"""The length written for a dash of length 0, a dot, because PDFium would make it a tenth of a unit long."""
MOST_TILES, MOST_LEFT = 2_000, 200_000
"""The most tiles drawn one by one, and the most left to the viewer; more are invisible, so none is drawn."""
LEAST = 1e-9
"""The least length of a gradient, and the least area of a transformed unit square; anything less counts as none."""
_OPACITY = {"fill": "fill-opacity", "stroke": "stroke-opacity"}
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
_OPEN = ("line",)
Stop = tuple[float, str]
"""A position on a gradient, from 0 to 1, and the numbers of its colour there."""
Known = Mapping[str, Element]


ENLARGED = 100
"""The factor by which a path stroked with a pattern is written larger. PDFium outlines such a stroke before it is
placed, and treats fractions of a unit as straight, which is visible in a space of millimetres.
"""


def is_plain(style: Style, paint: str) -> bool:
    """Return whether the fill or stroke is flat, opaque ink, or none."""
    return style[paint][0] in "#n" and style[_OPACITY[paint]] == "1"


def paint(path: str, style: Style, code: list[str], open_path: bool = False) -> None:
    """Fill and stroke a path with flat ink."""
    fill = style["fill"] != "none" and not open_path
    stroke = _is_stroked(style)
    if not path or not (fill or stroke):
        return
    operators = []
    ends = ""
    if fill:
        operators.append(f"{colour(style['fill'])} rg")
    if stroke:
        operators.append(f"{colour(style['stroke'])} RG {number(style['stroke-width'])} w")
        ends = _ends(style)
        if style["stroke-linecap"] == "square":
            path = _with_squares(path)
    even = "*" if style["fill-rule"] == "evenodd" else ""
    operators.append(path + (f" B{even}" if fill and stroke else f" f{even}" if fill else " S"))
    # Ends, corners and dashes are rare, so they are reset after use, as is the overprint of a finish.
    is_alone = ends or " finish(" in f"{style['fill']}{style['stroke']}"
    code.append(f"q {ends}{' '.join(operators)} Q" if is_alone else " ".join(operators))


def _is_stroked(style: Style) -> bool:
    return style["stroke"] != "none" and length_of(style, "stroke-width") > 0  # in a PDF, 0 is a hairline


def _ends(style: Style, larger: float = 1) -> str:
    """Return operators for a line's ends, corners and dashes, where they differ from those of a new page.

    A page begins with a mitre limit of 10. Without `stroke-miterlimit` that remains, although SVG's is 4.
    """
    cap, join = _CAPS[style["stroke-linecap"]], _JOINS[style["stroke-linejoin"]]
    dashes = dashes_of(style["stroke-dasharray"]) or ()
    ends = (f"{cap} J " if cap else "") + (f"{join} j " if join else "")
    if "stroke-miterlimit" in style:
        ends += f"{number(style['stroke-miterlimit'])} M "
    if dashes:
        start = length_of(style, "stroke-dashoffset")
        if len(dashes) % 2 and (start or 0 in dashes):  # on repetition, dashes become gaps, but not in all viewers
            dashes *= 2
        start %= sum(dashes)
        dashes = tuple(one if at % 2 else one or LEAST_DASH for at, one in enumerate(dashes))
        ends += f"[{row(*(one * larger for one in dashes))}] {short(start * larger)} d "
    return ends


def _with_squares(path: str) -> str:
    """Return a path with points lengthened to minimal lines, because in SVG square ends make a point a square."""
    return _POINT.sub(lambda found: f"{found[1]} {found[2]} m {row(float(found[1]) + 0.0005, float(found[2]))} l", path)


_POINT = re.compile(r"(?<!\S)([-\d.]+) ([-\d.]+) m \1 \2 l(?: h)?(?=$| \S+ \S+ m)")


def _wider(path: str, reach: float, width: float) -> str:
    """Return two dots beyond the visible part of a patterned line, which PDFium clips to the points of its path."""
    box = path_box(path, reach, IDENTITY)
    if box is None:
        return ""
    first, last = row(box[0] - width, box[1] - width), row(box[2] + width, box[3] + width)
    return f"{first} m {first} l {last} m {last} l "


class Drawing(Protocol):
    """Something that draws the contents of masks, patterns and groups, which may be painted in turn."""

    def state(self, element: Element, known: Known) -> list[str]: ...

    def element(self, element: Element, style: Style, code: list[str], known: Known) -> None: ...

    def content(self, element: Element, tag: str, style: Style, code: list[str], known: Known) -> None: ...


class Paints:
    """Paints for the elements of one drawer, using resources of its canvas."""

    def __init__(self, xobjects: XObjects, elements: Drawing) -> None:
        self.xobjects, self.elements = xobjects, elements
        self.is_light = False
        """Whether a luminance mask is being drawn, in which colours become SVG's lightness values."""

    # Shapes

    def shape(self, path: str, style: Style, code: list[str], known: Known, open_path: bool) -> None:
        """Fill and stroke a path with any paint, in two steps, so that a translucent stroke shows the fill below it."""
        acts = []
        if path and style["fill"] != "none" and not open_path:
            acts.append(("fill", f"{path} f{'*' if style['fill-rule'] == 'evenodd' else ''}", 0.0))
        if path and _is_stroked(style):
            width = length_of(style, "stroke-width")
            reach = width / 2 * max(1.5, length_of(style, "stroke-miterlimit", 10))
            larger = ENLARGED if style["stroke"].startswith("url(") else 1
            begin, line = "", _with_squares(path) if style["stroke-linecap"] == "square" else path
            if larger > 1:
                begin = f"{exact(1 / larger, 0, 0, 1 / larger, 0, 0)} cm "
                line = _wider(path, reach, width) + line
                line = through(line, (larger, 0, 0, larger, 0, 0))
            act = f"{begin}{_ends(style, larger)}{short(width * larger)} w {line} S"
            acts.append(("stroke", act, reach))
        for key, act, reach in acts:
            box = path_box(path, reach, IDENTITY)
            if box:
                self.act(key, act, box, style, code, known)

    def act(self, key: str, act: str, box: Box, style: Style, code: list[str], known: Known) -> None:
        """Paint with the fill or stroke of a style within a box."""
        alpha = _share(style[f"{key}-opacity"])
        written = style[key] if style[key] != "currentColor" else style.get("color", "#000000")
        veils: list[str] = []
        pattern, is_tiled = "", False
        if written.startswith("url("):
            server = known[written[5:-1]]
            is_tiled = server.tag.endswith("}pattern")
            if is_tiled:
                pattern = self.pattern(server, box, known)
            else:
                stops = _stops(server)
                if len(stops) == 1 or (stops and _is_point(server)):
                    _, written, share = stops[-1]
                    alpha *= share
                elif stops:
                    pattern = self.gradient(server, [(at, self.ink(ink)) for at, ink, _ in stops], box, self.space)
                    shares = [(at, short(share)) for at, _, share in stops]
                    if len({share for _, share in shares}) > 1:
                        veils.append(self.shaded(server, shares, box))
                    else:
                        alpha *= stops[0][2]
            if not pattern and written.startswith("url("):
                return  # it is empty
        if alpha < 1:
            veils.append(self.faded("both" if is_tiled else key, alpha))
        begin = "".join(f"/{veil} gs " for veil in veils)
        if pattern:
            space, paints = ("CS", "SCN") if key == "stroke" else ("cs", "scn")
            inside = f"/Pattern {space} /{pattern} {paints} {act}"
            if veils and is_tiled:  # PDFium ignores opacity when it tiles a line
                name = self.xobjects.form(("group", self.space, box, inside), box, inside, [pattern], self.space)
                self.xobjects.used += veils
                code.append(f"q {begin}/{name} Do Q")
            else:
                inside = begin + inside
                name = self.xobjects.form(("paint", box, inside), box, inside, [*veils, pattern])
                code.append(f"/{name} Do")
            return
        self.xobjects.used += veils
        ink = self.ink(written)
        operator = ("g", "G") if self.is_light else ("rg", "RG")
        inside = f"{begin}{ink} {operator[key == 'stroke']} {act}"
        code.append(f"q {inside} Q" if begin or key == "stroke" or " finish(" in written else inside)

    def alpha(self, key: str, style: Style) -> str:
        """Return the name of the opacity of a fill or stroke; "" if it is opaque."""
        share = _share(style[f"{key}-opacity"])
        return self.faded(key, share) if share < 1 else ""

    def faded(self, key: str, alpha: float) -> str:
        """Return the name of an opacity (11.6.4.4): ca is for fills, CA for strokes, and both for a group."""
        entries = [f"/{entry} {short(alpha)}" for entry, other in (("ca", "stroke"), ("CA", "fill")) if key != other]
        return self.held("ExtGState", "".join(entries), ())

    @property
    def space(self) -> str:
        """The current colour space."""
        return "DeviceGray" if self.is_light else "DeviceRGB"

    def ink(self, written: str) -> str:
        """Return the numbers of a colour: three, or its lightness (https://www.w3.org/TR/css-masking-1/#MaskValues)."""
        if not self.is_light:
            return colour(written)
        parts = colour(written[:7])
        shares = zip((0.2126, 0.7152, 0.0722), map(float, parts.split()), strict=True)
        return short(sum(share * part for share, part in shares))

    def held(self, kind: str, body: str, inside: Iterable[str], code: str | None = None) -> str:
        """Add a resource to the document, and return its name."""
        return self.xobjects.canvas.hold(Resource(kind, body, tuple(dict.fromkeys(inside)), code))

    # Gradients and patterns

    def gradient(self, server: Element, stops: Sequence[Stop], box: Box, space: str) -> str:
        """Return the name of a gradient's pattern (8.7.4.5.3 and 8.7.4.5.4), for use within a box."""
        matrix = matrix_through(server.get("gradientTransform", ""))
        line = _Line(server)
        spread = server.get("spreadMethod", "pad")
        first, last = 0.0, 1.0
        if spread == "pad":
            # Where two colours meet at an end, the outer one continues beyond it.
            first = -BEYOND if stops[0][0] == stops[1][0] == 0 and line.is_straight else 0.0
            last = 1 + BEYOND if stops[-1][0] == stops[-2][0] == 1 else 1.0
            function = _function([((at - first) / (last - first), ink) for at, ink in stops])
        else:
            first, last = line.reach(_corners(box, matrix))
            function = _repeated(_function(stops), first, last, spread == "reflect")
        shading = f"/ShadingType {2 if line.is_straight else 3}/ColorSpace/{space}"
        shading += f"/Coords[{exact(*line.at(first), *line.at(last))}]/Function{function}/Extend[true true]"
        body = f"/PatternType 2/Matrix[{exact(*matrix)}]/Shading<<{shading}>>"
        return self.held("Pattern", body, ())

    def shaded(self, server: Element, stops: Sequence[Stop], box: Box) -> str:
        """Return the name of a mask with the opacity of a gradient."""
        pattern = self.gradient(server, stops, box, "DeviceGray")
        left, top, right, foot = box
        code = f"/Pattern cs /{pattern} scn {row(left, top, right - left, foot - top)} re f"
        return self.masked("Luminosity", box, code, [pattern])

    def pattern(self, pattern: Element, box: Box, known: Known) -> str:
        """Return the name of a tiling pattern (8.7.3) for use within a box; "" if it paints nothing.

        A tile begins at the origin of its contents, as in browsers. The single cell of the pattern contains all tiles
        visible in the box, because viewers round the size of small cells to their pixels.
        """
        x, y, width, height = (length_of(pattern, key) for key in ("x", "y", "width", "height"))
        matrix = matrix_through(pattern.get("patternTransform", ""))
        if not width or not height or _is_flat(matrix):
            return ""
        code, inside = self.drawn(pattern, known)
        whole = 0.0, 0.0, width, height
        across, down = zip(*_corners(box, matrix), strict=True)
        columns = range(math.floor((min(across) - x) / width), math.floor((max(across) - x) / width) + 1)
        rows = range(math.floor((min(down) - y) / height), math.floor((max(down) - y) / height) + 1)
        step = width, height
        if len(columns) * len(rows) <= MOST_TILES:
            tile = self.xobjects.form_name(("tile", whole, code), whole, code, inside)
            shown = f"cm /{self.xobjects.canvas.form_name(tile)} Do Q"
            code = "\n".join(f"q 1 0 0 1 {row(x + i * width, y + j * height)} {shown}" for j in rows for i in columns)
            inside = [tile]
            step = 4 * width * len(columns), 4 * height * len(rows)
            left, top = x + columns[0] * width - step[0] / 4, y + rows[0] * height - step[1] / 4
            whole = left, top, left + 0.75 * step[0], top + 0.75 * step[1]
        elif len(columns) * len(rows) > MOST_LEFT:
            return ""
        else:
            matrix = times(matrix, (1, 0, 0, 1, x, y))
        body = f"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[{row(*whole)}]"
        body += f"/XStep {exact(step[0])}/YStep {exact(step[1])}/Matrix[{exact(*matrix)}]"
        return self.held("Pattern", body, inside, code)

    def drawn(self, holder: Element, known: Known) -> tuple[str, list[str]]:
        """Draw the contents of a mask or pattern, which inherit from its ancestors. Return the operators and names."""
        style = dict(START)
        for outer in (*reversed(list(holder.iterancestors())), holder):
            style.update(own_style(outer))
        code: list[str] = []
        outside, self.xobjects.used = self.xobjects.used, []
        for child in holder:
            self.elements.element(child, style, code, known)
        inside, self.xobjects.used = self.xobjects.used, outside
        return "\n".join(code), inside

    # Opacity, masks, clip paths

    def is_veiled(self, element: Element, known: Known) -> bool:
        """Return whether an element is drawn as a whole before it is composited."""
        clip = element.get("clip-path")
        return (
            element.get("opacity", "1") != "1"
            or element.get("mask") is not None
            or (clip is not None and bool(self.clips(clip, known)[1]))
        )

    def veil(self, element: Element, tag: str, style: Style, code: list[str], known: Known) -> None:
        """Draw such an element. One with a single paint needs no separate group."""
        xobjects = self.xobjects
        opacity, mask, clip = _share(element.get("opacity", "1")), element.get("mask"), element.get("clip-path")
        soft = self.clips(clip, known)[1] if clip else []
        if not opacity:
            return
        code += ["q", *self.elements.state(element, known)]
        if not mask and not soft and _is_single(tag, style):
            shares = {key: short(opacity * _share(style[key])) for key in ("fill-opacity", "stroke-opacity")}
            self.elements.content(element, tag, {**style, **shares}, code, known)
        else:
            inside: list[str] = []
            outside, xobjects.used = xobjects.used, []
            self.elements.content(element, tag, style, inside, known)
            used, xobjects.used = xobjects.used, outside
            veils = [self.mask(known[mask[5:-1]], known)] if mask else []
            veils = [*veils, *map(self.clip, soft)]
            begins = [(" ".join(at_use(element, [f"/{veil} gs"])), veil) for veil in veils]
            if opacity < 1:
                veil = self.faded("both", opacity)
                begins.append((f"/{veil} gs", veil))
            for begin, veil in begins:  # two masks do not combine, nor do opacity and mask in all viewers
                text = "\n".join(inside)
                name = xobjects.form_name(("group", self.space, text), WIDE, text, used, self.space)
                inside, used = [f"{begin} /{xobjects.canvas.form_name(name)} Do"], [name, veil]
            code += inside
            xobjects.used += used
        code.append("Q")

    def mask(self, mask: Element, known: Known) -> str:
        """Return the name of a <mask> (11.6.5). Everything outside its box is hidden."""
        x, y, width, height = (length_of(mask, key) for key in ("x", "y", "width", "height"))
        kind = "Alpha" if mask.get("mask-type") == "alpha" else "Luminosity"
        before, self.is_light = self.is_light, kind == "Luminosity"
        code, inside = self.drawn(mask, known)
        code = f"{row(x, y, width, height)} re W n\n{code}"  # some viewers clip to the bounding box of a rotated box
        self.is_light = before
        return self.masked(kind, (x, y, x + width, y + height), code, inside)

    def clip(self, shapes: Iterable[tuple[str, str]]) -> str:
        """Return the name of a mask of several shapes: a single path would have holes where two of them overlap."""
        code = " ".join(["1 g", *(f"{path} f{even}" for path, even in shapes)])
        return self.masked("Luminosity", WIDE, code, ())

    def masked(self, kind: str, box: Box, code: str, inside: Iterable[str]) -> str:
        """Return the name of a mask made from these operators."""
        space = "DeviceGray" if kind == "Luminosity" else "DeviceRGB"
        group = self.xobjects.form_name(("mask", space, box, code), box, code, inside, space)
        return self.held("ExtGState", f"/SMask<</S/{kind}/G {{{group}}}>>", (group,))

    def clips(self, clip: str, known: Known) -> tuple[list[str], list[list[tuple[str, str]]]]:
        """Return operators for a clip path and its own clip paths, and the shapes of those that must become masks."""
        code: list[str] = []
        soft: list[list[tuple[str, str]]] = []
        reference: str | None = clip
        while reference:
            element = known[reference[5:-1]]
            shapes = cut(element)
            if len(shapes) < 2 or _are_apart(shapes):
                paths, even = [path for path, _ in shapes] or ["0 0 0 0 re"], shapes[0][1] if shapes else ""
                code.append(f"{' '.join(paths)} W{even} n")
            else:
                soft.append(shapes)
            reference = element.get("clip-path")
        return code, soft


def at_use(element: Element, code: list[str]) -> list[str]:
    """Return operators of a clip path or mask in the element's space: for a <use>, moved by its x and y."""
    if element.tag.endswith("}use") and ("x" in element.attrib or "y" in element.attrib):
        x, y = length_of(element, "x"), length_of(element, "y")
        return [f"1 0 0 1 {row(x, y)} cm", *code, f"1 0 0 1 {row(-x, -y)} cm"]
    return code


def _share(written: str) -> float:
    """Read an opacity, limited to the range from 0 to 1, as in SVG."""
    return min(1.0, max(0.0, float(written)))


def _is_single(tag: str, style: Style) -> bool:
    """Return whether an element paints each point only once."""
    if tag in ("g", "use", "svg", "image"):
        return False
    return tag == "text" or tag in _OPEN or style["fill"] == "none" or not _is_stroked(style)


def _are_apart(shapes: Sequence[tuple[str, str]]) -> bool:
    """Return whether a single path clips like the separate shapes: all have the same rule, and none is near another."""
    boxes = [path_box(path, 0, IDENTITY) for path, _ in shapes]
    pairs = ((one, other) for at, one in enumerate(boxes) for other in boxes[:at])
    same = len({even for _, even in shapes}) == 1
    return same and not any(one and other and common(one, other) for one, other in pairs)


# Gradients


def _stops(server: Element) -> list[tuple[float, str, float]]:
    """Return the stops of a gradient with colour and opacity, in ascending order."""
    found: list[tuple[float, str, float]] = []
    for stop in server:
        if stop.tag.endswith("}stop"):
            at = max(_share(stop.get("offset", "0")), found[-1][0] if found else 0.0)
            found.append((at, stop.get("stop-color", "#000000"), _share(stop.get("stop-opacity", "1"))))
    return found


def _is_point(server: Element) -> bool:
    """Return whether a gradient has no length, or is flat, and so shows only its last colour, as in SVG."""
    line = _Line(server)
    if _is_flat(matrix_through(server.get("gradientTransform", ""))):
        return True
    return math.dist(line.start, line.end) < LEAST or (not line.is_straight and line.end[-1] < LEAST)


def _is_flat(matrix: Matrix) -> bool:
    a, b, c, d, *_ = matrix
    return abs(a * d - b * c) < LEAST * LEAST


class _Line:
    """The geometry of a gradient: points of a line, or circles with a centre and a radius."""

    def __init__(self, server: Element) -> None:
        def number(key: str, unsaid: float = 0.0) -> float:
            return length_of(server, key, unsaid)

        self.is_straight = server.tag.endswith("}linearGradient")
        if self.is_straight:
            self.start: tuple[float, ...] = (number("x1"), number("y1"))
            self.end: tuple[float, ...] = (number("x2"), number("y2"))
        else:
            cx, cy, r = number("cx"), number("cy"), number("r")
            self.start, self.end = (number("fx", cx), number("fy", cy), number("fr")), (cx, cy, r)

    def at(self, share: float) -> tuple[float, ...]:
        return tuple(a + (b - a) * share for a, b in zip(self.start, self.end, strict=True))

    def reach(self, points: Iterable[tuple[float, float]]) -> tuple[float, float]:
        """Return the range of a gradient's repetitions that covers all points."""
        (x, y, *radius), (dx, dy, *growth) = self.start, map(lambda a, b: b - a, self.start, self.end)
        if self.is_straight:
            shares = [((px - x) * dx + (py - y) * dy) / (dx * dx + dy * dy) for px, py in points]
            first, last = math.floor(min(shares)), math.ceil(max(shares))
            middle = (first + last) // 2
            return max(first, middle - MOST_TURNS // 2), min(max(last, first + 1), middle + MOST_TURNS // 2)
        r, dr = radius[0], growth[0]
        a = dx * dx + dy * dy - dr * dr
        if a >= 0 or dr <= 0:  # the circles do not cover the plane
            return 0.0, 1.0
        # A point is on the circle at t when (p - start - t d)² = (r + t dr)².
        shares = [1.0]
        for px, py in points:
            qx, qy = px - x, py - y
            half = qx * dx + qy * dy + r * dr
            shares.append((half - math.sqrt(max(0.0, half * half - a * (qx * qx + qy * qy - r * r)))) / a)
        return max(-r / dr, -MOST_TURNS), math.ceil(min(max(shares), MOST_TURNS))


def _corners(box: Box, matrix: Matrix) -> list[tuple[float, float]]:
    """Return the corners of a box, mapped back through a matrix."""
    back = inverse(matrix)
    return [point_through(back, x, y) for x in box[::2] for y in box[1::2]]


def _function(stops: Sequence[Stop]) -> str:
    """Return a function from 0 to 1 through the colours of stops (7.10.3), made from pieces (7.10.4)."""
    ends = [(0.0, stops[0][1]), *stops, (1.0, stops[-1][1])]
    pieces = [(one, other) for one, other in pairwise(ends) if other[0] - one[0] >= LEAST_STEP]
    pieces = pieces or [(ends[0], ends[-1])]  # too many stops to be distinguishable
    functions = [f"<</FunctionType 2/Domain[0 1]/N 1/C0[{one}]/C1[{other}]>>" for (_, one), (_, other) in pieces]
    return _joined(functions, [start for (start, _), _ in pieces[1:]], "0 1 " * len(pieces))


def _joined(functions: Sequence[str], bounds: Sequence[float], encoded: str) -> str:
    if len(functions) == 1 and encoded.strip() == "0 1":
        return functions[0]
    inner = f"/Functions[{''.join(functions)}]/Bounds[{exact(*bounds)}]/Encode[{encoded.strip()}]"
    return f"<</FunctionType 3/Domain[0 1]{inner}>>"


def _repeated(function: str, first: float, last: float, is_reflected: bool) -> str:
    """Return a function from 0 to 1 that repeats another once for each whole number from `first` to `last`."""
    encoded: list[str] = []
    bounds: list[float] = []
    for turn in range(math.floor(first), math.ceil(last)):
        low, high = max(first, turn) - turn, min(last, turn + 1) - turn
        if high - low < LEAST_STEP:
            continue
        if encoded:
            bounds.append((turn - first) / (last - first))
        encoded.append(exact(1 - low, 1 - high) if is_reflected and turn % 2 else exact(low, high))
    return _joined([function] * len(encoded), bounds, " ".join(encoded))
