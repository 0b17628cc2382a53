"""Draw faces to PDF: our own writer of the documented SVG subset, directly onto a reportlab canvas.

Repeated art (a symbol, a frame, a whole back) becomes a PDF form, drawn once. The page is transformed once so that one
unit is a millimetre and y grows downwards, as in SVG; text is flipped back. With tags, screen readers read every text,
and all art with a label.

Several documents share drawings as plates, which a press makes only once. All documents of a press share the tables of
their fonts, so that a glyph has the same code and meaning in each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from lxml import etree

from grimalkin.content.stocks import Stock
from grimalkin.printing.draw.canvas import PackedCanvas, Resource, XObjects
from grimalkin.printing.draw.elements import Elements, Stroke
from grimalkin.printing.draw.masters import MARK, Masters, Run, Shape, digest_of, stands_alone
from grimalkin.printing.draw.packing import MM, colour, row, short
from grimalkin.printing.draw.paint import START
from grimalkin.printing.draw.recolour import Greys
from grimalkin.printing.draw.shapes import common, path_operators
from grimalkin.printing.draw.tags import Tags
from grimalkin.printing.draw.typefaces import Types
from grimalkin.printing.face.layers import Face, Inks, Layer
from grimalkin.printing.face.svg.paths import IDENTITY, Box, Matrix, box_through
from grimalkin.printing.face.svg.subset import INK
from grimalkin.printing.face.svg.xml import Element

if TYPE_CHECKING:
    from grimalkin.printing.draw.condition import Condition
    from grimalkin.printing.draw.form import Form

__all__ = [
    "MM",
    "Drawer",
    "colour",
    "face_pdf",
    "new_canvas",
    "symbols",
]

INSET = 0.15
"""How far inside the bleed a mask ends, in millimetres: the outermost pixels are half art, half paper."""
SMALLEST_FORM = 150
"""The fewest characters of code worth a form; a shorter form costs more than it saves."""
MOST_SEEN = 50_000
MOST_FACES = 100
MOST_KEPT = 500
"""The limit for layers in memory. Beyond it all are dropped; frequent layers are soon back."""

Seen = Callable[[Box], Box | None]
"""Return the visible part of a box of the face on the page, in points; None if it is not visible."""


class Drawer:
    """A drawer of faces onto one canvas, which keeps track of the forms in it."""

    def __init__(
        self,
        canvas: PackedCanvas,
        tags: Tags | None = None,
        form: Form | None = None,
        name: str = "g",
        masters: Masters | None = None,
    ) -> None:
        self.canvas = canvas
        self.xobjects = XObjects(canvas, name)
        self.elements = Elements(self.xobjects)
        self.masters = masters
        """Draws layers for several documents; without it, all are drawn here."""
        self.copies: dict[Shape, str] = {}
        """The names of the forms of masters."""
        self.tags = tags
        self.form_to_fill = form
        """Takes the fields of faces; only with tags. Without it there is nothing to fill in."""
        self.seen: set[bytes] = set()
        """Digests of art that was drawn once, and becomes a form if it recurs."""
        self.strokes: dict[Layer, list[Stroke]] = {}
        """Drawn layers that other faces share."""
        self.faces: dict[tuple[Layer, ...], list[Stroke]] = {}
        """Drawn faces that are repeated."""
        self.told: tuple[int, set[tuple[Layer, ...]]] = (0, set())
        """A page, and the faces without text that are already tagged there."""

    def draw(
        self,
        face: Face,
        matrix: Matrix,
        clip: Box | None = None,
        repeated: bool = False,
        heading: str = "H3",
        is_told: bool = True,
    ) -> None:
        """Draw a face. `matrix` maps its millimetres to points on the page; `clip` is a box there.

        Nothing is drawn outside the clip, or outside the bleed if there is no clip. Art of a repeated face becomes a
        form the first time, other art the second time. `heading` is the level of the name in the structure; with
        `is_told` False, the face becomes part of the open element.
        """
        a, b, c, d, e, f = matrix
        moved = f"{a:.6g} {b:.6g} {c:.6g} {d:.6g} {short(e)} {short(f)} cm"
        bleed = face.stock.bleed
        box = (-bleed, -bleed, face.stock.width + bleed, face.stock.height + bleed)
        code = ["q", _window(clip), moved] if clip else ["q", moved, _window(box)]
        strokes = self.face_strokes(face, repeated)
        if self.tags is None or not is_told:
            code += self.runs(strokes, box, repeated)
        else:
            page = (0.0, 0.0, *self.canvas.page_size)
            window = common(clip or box_through(matrix, box), page) or page

            def seen(part: Box) -> Box | None:
                return common(box_through(matrix, part), window)

            code += self.tagged(face, strokes, matrix, seen, box, repeated, heading, self.tags)
        code.append("Q")
        if self.canvas.condition and not self.canvas.blended.isdisjoint(self.xobjects.used):
            self.canvas.veiled.setdefault(face.id, face.name)
        self.emit(code)

    def emit(self, code: list[str]) -> None:
        self.canvas.emit("\n".join(code), self.xobjects.used)
        self.xobjects.used = []

    def tagged(
        self,
        face: Face,
        strokes: list[Stroke],
        matrix: Matrix,
        seen: Seen,
        box: Box,
        repeated: bool,
        heading: str,
        tags: Tags,
    ) -> list[str]:
        """Return the operators of a face with its structure: its name, then texts and figures in drawing order."""
        code: list[str] = []
        whole = seen(box)  # the bleed is visible, too, until it is cut off
        start = tags.told()
        depth = 0
        name = _plain(face.name)
        named = False
        says_more = _plain(face.alt) != name
        figure = face.alt if says_more else ""
        if not any(stroke.kind in ("text", "figure", "field") for stroke in strokes):
            what = face.layers
            if self.told[0] != self.canvas.page_number:
                self.told = (self.canvas.page_number, set())
            if what in self.told[1]:
                begin = tags.artifact()
            else:
                self.told[1].add(what)
                begin = tags.begin("Figure", face.alt or face.name, box=whole)
            return [begin, *self.runs(strokes, box, repeated), tags.end()]
        title = "" if any(stroke.kind == "text" and _plain(stroke.words) == name for stroke in strokes) else face.name
        for kind, group in groupby(strokes, _is_art):
            if kind:
                art = list(group)
                # Art represents the name if no text does, and has the alternative text if that says more.
                if title:
                    head = art[:1] if figure else art
                    begin = tags.begin(heading, actual=title, first=start)
                    code += [begin, *self.runs(head, box, repeated, depth), tags.end()]
                    title, art = "", art[len(head) :]
                if figure and art:
                    begin = tags.begin("Figure", figure, box=whole)
                    code += [begin, *self.runs(art, box, repeated, depth), tags.end()]
                    figure, art = "", []
                if art:
                    code += [tags.artifact(), *self.runs(art, box, repeated, depth), tags.end()]
                continue
            for stroke in group:
                self.xobjects.used.extend(stroke.forms)
                if stroke.kind == "state":
                    depth += _deeper(stroke)
                    code.append(stroke.code)
                elif stroke.field and self.form_to_fill:
                    self.form_to_fill.place(stroke.field, matrix)
                elif stroke.kind == "figure":
                    code += self.told_figure(stroke, seen, tags)
                elif not named and _plain(stroke.words) == name:
                    named = True
                    code += self.told_text(stroke, heading, start, seen, tags)
                else:
                    code += self.told_text(stroke, "P", None, seen, tags)
        return code

    def told_figure(self, figure: Stroke, seen: Seen, tags: Tags) -> list[str]:
        """Return an icon, or labelled art, as a figure; as an artifact if its part of the face is not visible."""
        box = figure.box and seen(figure.box)
        begin = tags.begin("Figure", figure.words, box=box) if box else tags.artifact()
        return [begin, figure.code, tags.end()]

    def told_text(self, text: Stroke, kind: str, first: int | None, seen: Seen, tags: Tags) -> list[str]:
        """Return a text, with its icons as figures between its words."""
        if not text.inside:
            return [tags.begin(kind, first=first), text.code, tags.end()]
        code: list[str] = []
        tags.open(kind, first=first)
        for stroke in text.inside:
            if stroke.kind == "text":
                code += [tags.content(kind), stroke.code, tags.pause()]
            else:
                code += self.told_figure(stroke, seen, tags)
        tags.close()
        return code

    def runs(self, strokes: Iterable[Stroke], box: Box, repeated: bool, depth: int = 0) -> list[str]:
        """Return the operators of strokes that share one tag or have none; long art becomes forms.

        `depth` is the number of open groups: inside one, the box of the face is not a valid box for a form.
        """
        code: list[str] = []
        for is_art, group in groupby(strokes, _is_art):
            found = list(_flat(group))
            text = "\n".join(stroke.code for stroke in found)
            used = [form for stroke in found for form in stroke.forms]
            key = self.form_key(text, box, repeated) if is_art and not depth else None
            if key:
                code.append(f"/{self.xobjects.form(key, box, text, used)} Do")
            else:
                code.append(text)
                self.xobjects.used.extend(used)
            depth += sum(map(_deeper, found))
        return code

    def form_key(self, code: str, box: Box, repeated: bool) -> bytes | None:
        """Return the key of a form for this art, if it is worth one: not tiny, and sure to recur or seen before."""
        if len(code) < SMALLEST_FORM:
            return None
        kept = self.masters.digests.get(id(code)) if self.masters else None
        key = (kept or digest_of(code)) + _written(box)
        if repeated or key in self.xobjects.names or key in self.seen:
            return key
        if len(self.seen) >= MOST_SEEN:
            self.seen.clear()
        self.seen.add(key)
        return None

    def face_strokes(self, face: Face, repeated: bool) -> list[Stroke]:
        """Return the strokes of a face, from bottom to top. Repeated layers are kept."""
        kept = self.faces.get(face.layers) if repeated else None
        if kept is not None:
            return kept
        drawn: list[Stroke] = []
        known = cache(lambda: symbols(*(one.element for one in face.layers if one.targets)))
        for layer in face.layers:
            self.elements.placed.update(layer.pictures)
        for layer in face.layers:
            if layer.form_field:
                if self.form_to_fill:
                    drawn.append(Stroke("field", "", field=layer.form_field))
                continue
            strokes = self.strokes.get(layer)
            if strokes is None:
                outside, self.xobjects.used = self.xobjects.used, []
                master = self.masters.strokes(face, layer, known) if self.masters else None
                if master is None:
                    strokes = list(self.elements.walk(layer.element, START, known(), layer.boxes, IDENTITY))
                else:
                    strokes = [self.copy(stroke) for stroke in master]
                self.xobjects.used = outside
                if (layer.shared or repeated) and stands_alone(layer):
                    if len(self.strokes) >= MOST_KEPT:
                        self.strokes.clear()
                        self.elements.symbol_texts.clear()
                    self.strokes[layer] = strokes
            drawn += strokes
        if repeated:
            if all(map(_is_art, drawn)) and drawn:  # usually a back: one stroke is as good as fifty
                forms = tuple(dict.fromkeys(form for stroke in drawn for form in stroke.forms))
                drawn = [Stroke("art", "\n".join(stroke.code for stroke in drawn), forms)]
            if len(self.faces) >= MOST_FACES:
                self.faces.clear()
            self.faces[face.layers] = drawn
        return drawn

    def copy(self, stroke: Stroke) -> Stroke:
        """Return the stroke of a master with the names of this document."""
        if not stroke.inside and MARK not in stroke.code:
            return stroke
        inside = tuple(map(self.copy, stroke.inside))
        code = self.own(stroke.code)
        used, self.xobjects.used = self.xobjects.used or [form for one in inside for form in one.forms], []
        return stroke._replace(code=code, forms=tuple(used), inside=inside)

    def own(self, code: str) -> str:
        """Return operators of a master with the names of this document."""
        parts = code.split(MARK)
        parts[1::2] = map(self.own_part, parts[1::2])
        return "".join(parts)

    def own_part(self, number: str) -> str:
        assert self.masters
        part = self.masters.part(number)
        if isinstance(part, Run):
            shown: list[str] = []
            last = f"{self.canvas.types[part.family].name} {part.size} Tf" if part.is_set else ""
            self.canvas.show(part.text, part.family, part.size, shown, last, part.variant, part.spread)
            return shown[0]
        name = self.copies.get(part)
        if name is None:
            outside, self.xobjects.used = self.xobjects.used, []
            key = tuple(self.own(one) if isinstance(one, str) and MARK in one else one for one in part.key)
            code = self.own(part.code)
            used, self.xobjects.used = self.xobjects.used, outside
            name = self.copies[part] = self.xobjects.form_name(key, part.box, code, used)
        self.xobjects.used.append(name)
        return self.canvas.form_name(name)


@lru_cache(maxsize=256)
def _window(box: Box) -> str:
    """Return operators that clip to a box, cached: all faces of a game share the same few boxes."""
    x0, y0, x1, y1 = box
    return f"{row(x0, y0, x1 - x0, y1 - y0)} re W n"


@lru_cache(maxsize=256)
def _written(box: Box) -> bytes:
    return str(box).encode()


def _is_art(stroke: Stroke) -> bool:
    return stroke.kind == "art"


def _deeper(stroke: Stroke) -> int:
    """Return 1 at the start of a group that moves or clips its contents, -1 at its end, otherwise 0."""
    return 0 if stroke.kind != "state" else -1 if stroke.code == "Q" else 1


def _flat(strokes: Iterable[Stroke]) -> Iterator[Stroke]:
    for stroke in strokes:
        yield from stroke.inside or (stroke,)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


_NAMED: Any = etree.XPath("descendant-or-self::*[@id]")


def symbols(*roots: Element) -> dict[str, Element]:
    """Return all elements of a face that can be referred to, by id."""
    return {id_: element for root in roots for element in _NAMED(root) if (id_ := element.get("id"))}


def new_canvas(
    size: tuple[float, float],
    types: Types | None = None,
    inks: Inks = "full",
    condition: Condition | None = None,
) -> PackedCanvas:
    """Return a canvas with pages of `size` points. Documents with the same texts may share their fonts.

    In black only, everything is in DeviceGray, with the game's black ink as pure black. Otherwise colours are those of
    the condition, if any, or of screens.
    """
    if inks == "mono" or (condition and condition.space == "gray"):
        return PackedCanvas(size, types, Greys(INK), condition)
    if condition is None:
        return PackedCanvas(size, types)
    from grimalkin.printing.draw.separations import Separated

    return PackedCanvas(size, types, Separated(condition), condition)


def face_pdf(face: Face, bleed: bool) -> bytes:
    """Return one face as a single-page PDF, cut to the trim or with its bleed, and with TrimBox and BleedBox set."""
    return faces_pdf([face], bleed)


def faces_pdf(faces: Sequence[Face], bleed: bool, masks: Sequence[Stock] = ()) -> bytes:
    """Return a PDF with one page for each face, then one for each stock of `masks`, with its outline in black."""
    canvas = new_canvas((1, 1))
    canvas.setTitle(faces[0].name)
    drawer = Drawer(canvas)
    for face in faces:
        edge = face.stock.bleed if bleed else 0.0
        width, height = (face.stock.width + 2 * edge) * MM, (face.stock.height + 2 * edge) * MM
        canvas.setPageSize((width, height))
        canvas.setTrimBox((edge * MM, edge * MM, width - edge * MM, height - edge * MM))
        canvas.setBleedBox((0, 0, width, height))
        drawer.draw(face, (MM, 0, 0, -MM, edge * MM, height - edge * MM))
        canvas.showPage()
    for stock in masks:
        edge, inset = (stock.bleed, INSET) if bleed else (0.0, 0.0)
        width, height = (stock.width + 2 * edge) * MM, (stock.height + 2 * edge) * MM
        canvas.setPageSize((width, height))
        matrix = f"{MM:.6f} 0 0 {-MM:.6f} {edge * MM:.4f} {height - edge * MM:.4f} cm"
        drawer.emit([f"q {matrix} 0 0 0 rg {path_operators(stock.outline(edge - inset))} f Q"])
        canvas.showPage()
    return canvas.pdf()


# Plates


class Plate(NamedTuple):
    """Operators, and the names of the forms in them."""

    code: str
    forms: tuple[str, ...] = ()


class Press:
    """A maker of plates."""

    def __init__(self) -> None:
        self.types = Types()
        self.bench = _Bench(self.types)
        self.drawer = Drawer(self.bench, name="p")

    def face(self, face: Face) -> Plate:
        """Return a face in its own millimetres, as part of the open element."""
        self.drawer.draw(face, IDENTITY, is_told=False)
        return self.plate()

    def form(self, name: str, plate: Plate, box: Box) -> Plate:
        """Return a plate that prints another one as a form, so that a document holds it once; `box` is around it."""
        self.bench.put_form(name, box, *plate)
        return Plate(f"/{self.bench.form_name(name)} Do", (name,))

    def plate(self) -> Plate:
        """Return everything drawn on the bench since the last plate."""
        return Plate(*self.bench.taken())


class Prints:
    """The plates of a press in one document, and the forms already there."""

    def __init__(self, press: Press, canvas: PackedCanvas) -> None:
        self.press, self.canvas = press, canvas
        self.there: set[str] = set()

    def put(self, plate: Plate) -> None:
        """Put a plate on the current page."""
        self._need(plate.forms)
        self.canvas.emit(plate.code, plate.forms)

    def _need(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self.there:
                self.there.add(name)
                resource = self.press.bench.kept.get(name)
                if resource:
                    self._need(resource.used)
                    self.canvas.hold(resource)
                    continue
                box, code, inner, group = self.press.bench.forms[name]
                self._need(inner)
                self.canvas.put_form(name, box, code, inner, group)


class _Bench(PackedCanvas):
    """A canvas that writes no file, but keeps its drawings, and forms and resources by name."""

    def __init__(self, types: Types) -> None:
        super().__init__((1, 1), types)
        self.forms: dict[str, tuple[Iterable[float], str, tuple[str, ...], str]] = {}
        self.kept: dict[str, Resource] = {}

    def put_form(self, name: str, box: Iterable[float], code: str, used: Iterable[str], group: str = "") -> None:
        self.forms[name] = (box, code, tuple(dict.fromkeys(used)), group)

    def hold(self, resource: Resource) -> str:
        self.kept[resource.name] = resource
        return resource.name
