"""Draw faces to PDF: our own writer of the documented SVG subset, directly onto a reportlab canvas.

Repeated art (a symbol, a frame, a whole back) becomes a PDF form, drawn once. The page is transformed once so that one
unit is a millimetre and y grows downwards, as in SVG; text is flipped back. With tags, screen readers read every text,
and all art with a label.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from lxml import etree

from grimalkin.content.stocks import Stock
from grimalkin.draw.canvas import PackedCanvas
from grimalkin.draw.images import hold
from grimalkin.draw.packing import MM, colour, exact, row, short
from grimalkin.draw.paint import START, Paints, at_use, is_plain, paint
from grimalkin.draw.pdf_pages import PdfPage
from grimalkin.draw.shapes import (
    FINE,
    INHERITED,
    Style,
    box_through,
    common,
    extent,
    line_box,
    matrix_operator,
    matrix_through,
    number,
    outline,
    own_style,
    path_operators,
    place_of_symbol,
    text_runs,
)
from grimalkin.draw.tags import Tags
from grimalkin.draw.type import Types
from grimalkin.face.compose import Face, Inks
from grimalkin.face.fields import Field
from grimalkin.face.paths import (
    IDENTITY,
    Box,
    Matrix,
    is_flat,
    length_of,
    moved_to,
    symbol_matrix,
    times,
)
from grimalkin.face.pictures import Placed
from grimalkin.face.resolve import Layer
from grimalkin.face.subset import HIDDEN, INK, SVG
from grimalkin.face.xml import Element

if TYPE_CHECKING:
    from grimalkin.draw.form import Form

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

_TEXT_TAG, _USE_TAG = f"{{{SVG}}}text", f"{{{SVG}}}use"
Seen = Callable[[Box], Box | None]
"""Return the visible part of a box of the face on the page, in points; None if it is not visible."""


class Stroke(NamedTuple):
    """A part of a drawn face: operators, and their role for screen readers."""

    kind: str
    """ "art", "text", "figure" or "field"; "state" moves or clips what follows and paints nothing."""
    code: str
    forms: tuple[str, ...] = ()
    """The forms that the operators use."""
    words: str = ""
    """The words of a text, or the label of a figure."""
    inside: tuple[Stroke, ...] = ()
    """The lines and icons of a text with icons in it, whose `code` is then empty."""
    field: Field | None = None
    box: Box | None = None
    """The box of a figure, in millimetres of the face; None if it draws nothing."""


class Drawer:
    """A drawer of faces onto one canvas, which keeps track of the forms in it."""

    def __init__(
        self,
        canvas: PackedCanvas,
        tags: Tags | None = None,
        form: Form | None = None,
        name: str = "g",
    ) -> None:
        self.canvas = canvas
        self.paints = Paints(self)
        self.placed: dict[str, Placed] = {}
        """The pictures of the drawn faces, by the keys of their images."""
        self.held: dict[str, tuple[str, str]] = {}
        """The pictures already in the canvas, with the operator that turns each."""
        self.name = name
        """The prefix of form names: each drawer of a document has its own."""
        self.tags = tags
        self.form_to_fill = form
        """The form that takes the fields of faces, only with tags; without it, there is nothing to fill in."""
        self.forms: dict[object, str] = {}
        """The names of forms by their drawings."""
        self.seen: set[bytes] = set()
        """Digests of art that was drawn once, and becomes a form if it recurs."""
        self.strokes: dict[Layer, list[Stroke]] = {}
        """Drawn layers that other faces share."""
        self.faces: dict[tuple[Layer, ...], list[Stroke]] = {}
        """Drawn faces that are repeated."""
        self.symbol_texts: dict[Element, str] = {}
        self.used: list[str] = []
        """Forms that the current code uses."""
        self.told: tuple[int, set[tuple[Layer, ...]]] = (0, set())
        """A page, and the faces without text already tagged there."""

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
        self.emit(code)

    def emit(self, code: list[str]) -> None:
        self.canvas.emit("\n".join(code), self.used)
        self.used = []

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
                self.used.extend(stroke.forms)
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
                code.append(f"/{self.form(key, box, text, used)} Do")
            else:
                code.append(text)
                self.used.extend(used)
            depth += sum(map(_deeper, found))
        return code

    def form_key(self, code: str, box: Box, repeated: bool) -> bytes | None:
        """Return the key of a form for this art, if it is worth one: not tiny, and sure to recur or seen before."""
        if len(code) < SMALLEST_FORM:
            return None
        key = blake2b(f"{box}{code}".encode(), digest_size=16).digest()
        if repeated or key in self.forms or key in self.seen:
            return key
        if len(self.seen) >= MOST_SEEN:
            self.seen.clear()
        self.seen.add(key)
        return None

    def form(self, key: object, box: Box, code: str, used: Iterable[str], group: str = "") -> str:
        """Return the PDF name of a form with this content, creating it if necessary."""
        name = self.form_name(key, box, code, used, group)
        self.used.append(name)
        return self.canvas.form_name(name)

    def form_name(self, key: object, box: Box, code: str, used: Iterable[str], group: str = "") -> str:
        """Return the name of a form as listed in resources."""
        name = self.forms.get(key)
        if name is None:
            name = self.forms[key] = f"{self.name}{len(self.forms)}"
            self.canvas.put_form(name, box, code, used, group)
        return name

    def face_strokes(self, face: Face, repeated: bool) -> list[Stroke]:
        """Return the strokes of a face, from bottom to top. Repeated layers are kept."""
        kept = self.faces.get(face.layers) if repeated else None
        if kept is not None:
            return kept
        drawn: list[Stroke] = []
        known: dict[str, Element] | None = None
        for layer in face.layers:
            self.placed.update(layer.pictures)
        for layer in face.layers:
            if layer.form_field:
                if self.form_to_fill:
                    drawn.append(Stroke("field", "", field=layer.form_field))
                continue
            strokes = self.strokes.get(layer)
            if strokes is None:
                if known is None:
                    known = symbols(*(one.element for one in face.layers if one.targets))
                outside, self.used = self.used, []
                strokes = list(self.walk(layer.element, START, known, layer.boxes, IDENTITY))
                self.used = outside
                # The targets of a layer may differ in another face, except icons.
                alone = all(href[1:] in layer.targets or href.startswith("#icon-") for href in layer.uses)
                if (layer.shared or repeated) and alone and all(id_ in layer.defined for _, id_ in layer.links):
                    if len(self.strokes) >= MOST_KEPT:
                        self.strokes.clear()
                        self.symbol_texts.clear()
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

    def walk(
        self,
        element: Element,
        style: Style,
        known: Mapping[str, Element],
        boxes: Container[Element],
        matrix: Matrix,
    ) -> Iterator[Stroke]:
        """Yield the strokes of an element: texts and labelled art separately, other art in order.

        `matrix` is the transform of the groups around it.
        """
        tag = element.tag.rpartition("}")[2]
        if tag in HIDDEN or is_flat(matrix_through(element.get("transform", ""))):
            return
        label = _label(element)
        if element in boxes and not label:
            yield from self.text_box(element, {**style, **own_style(element)}, known, matrix)
        elif tag == "g" and not label and _is_told(element) and not self.paints.is_veiled(element, known):
            before = self.state(element, known)
            if before:
                yield Stroke("state", "q " + " ".join(before))
            transform = element.get("transform")
            if transform:
                matrix = times(matrix, matrix_through(transform))
            style = {**style, **own_style(element)}
            for child in element:
                yield from self.walk(child, style, known, boxes, matrix)
            if before:
                yield Stroke("state", "Q")
        else:
            code: list[str] = []
            self.element(element, style, code, known)
            words = "".join(map(str, element.itertext())) if tag == "text" else _words(element) if tag == "g" else ""
            if label:
                yield self.stroke("figure", code, label, extent(element, style, known, matrix))
            elif code:
                yield self.stroke("text" if words.strip() else "art", code, words)

    def stroke(self, kind: str, code: list[str], words: str, box: Box | None = None) -> Stroke:
        used, self.used = tuple(self.used), []
        return Stroke(kind, "\n".join(code), used, words, box=box)

    def text_box(self, group: Element, style: Style, known: Mapping[str, Element], matrix: Matrix) -> Iterator[Stroke]:
        """Yield a fitted text: its lines in one text object, with its icons between them."""
        inside: list[Stroke] = []
        lines: list[str] = []
        words: list[str] = []
        last = last_fill = ""
        veil = self.paints.alpha("fill", style)

        def flush() -> None:
            nonlocal lines
            if lines:
                shown = "\n".join(["BT " + lines[0], *lines[1:], "ET"])
                inside.append(Stroke("text", f"q /{veil} gs\n{shown}\nQ", (veil,)) if veil else Stroke("text", shown))
                lines = []

        for child in group:
            if child.tag == _TEXT_TAG:
                run = child.text or ""
                words.append(run)
                fill = child.get("fill", style["fill"])
                if fill == "none":
                    continue
                size = number(child.get("font-size", "0"))
                if not lines:
                    last = last_fill = ""
                if fill != last_fill:
                    lines.append(f"{colour(fill)} rg")
                    last_fill = fill
                lines.append(f"1 0 0 -1 {number(child.get('x', '0'))} {number(child.get('y', '0'))} Tm")
                more = child.get("font-variant", ""), length_of(child, "word-spacing")
                last = self.canvas.show(run, child.get("font-family", ""), size, lines, last, *more)
            else:
                flush()
                code: list[str] = []
                self.element(child, style, code, known)
                label = _label(child)
                inside.append(self.stroke("figure", code, label, extent(child, style, known, matrix)))
                words.append(label)
        flush()
        used = tuple(form for stroke in inside for form in stroke.forms)
        if len(inside) == 1 and inside[0].kind == "text":
            yield Stroke("text", inside[0].code, used, "".join(words))
        elif inside:
            yield Stroke("text", "", used, "".join(words), tuple(inside))

    def state(self, element: Element, known: Mapping[str, Element]) -> list[str]:
        """Return the operators of an element's transform and clip path."""
        code: list[str] = []
        transform, clip = element.get("transform"), element.get("clip-path")
        if transform:
            code.append(matrix_operator(transform))
        if clip:
            code += at_use(element, self.paints.clips(clip, known)[0])
        return code

    def element(self, element: Element, style: Style, code: list[str], known: Mapping[str, Element]) -> None:
        tag = element.tag.rpartition("}")[2]
        if tag in HIDDEN or is_flat(matrix_through(element.get("transform", ""))):
            return
        own = own_style(element)
        if own:
            style = {**style, **own}
        if self.paints.is_veiled(element, known):
            self.paints.veil(element, tag, style, code, known)
            return
        before = self.state(element, known)
        if before:
            code += ["q", *before]
        self.content(element, tag, style, code, known)
        if before:
            code.append("Q")

    def content(self, element: Element, tag: str, style: Style, code: list[str], known: Mapping[str, Element]) -> None:
        """Draw the content of an element, without the properties that apply to it as a whole."""
        if tag in ("g", "svg"):
            for child in element:
                self.element(child, style, code, known)
        elif tag == "use":
            self.use(element, style, code, known)
        elif tag == "text":
            self.text(element, style, code, known)
        elif tag == "image":
            self.image(element, code)
        elif is_plain(style, "fill") and is_plain(style, "stroke") and not self.paints.is_light:
            paint(outline(element), style, code, tag == "line")
        else:
            self.paints.shape(outline(element), style, code, known, tag == "line")

    def image(self, image: Element, code: list[str]) -> None:
        """Draw a picture: a unit square that is stretched to fill its box."""
        href = image.get("href", "")
        if href not in self.held:
            placed = self.placed[href]
            page = placed.picture if isinstance(placed.picture, PdfPage) else None
            form = page.form(self.canvas) if page and placed.treatment == "as-is" else None
            self.held[href] = (form, "") if form else hold(self.canvas, placed)
        name, turn = self.held[href]
        x, y, width, height = (length_of(image, key) for key in ("x", "y", "width", "height"))
        if width and height:
            self.used.append(name)
            code.append(f"q {row(width, 0, 0, -height, x, y + height)} cm {turn} /{name} Do Q")

    def use(self, use: Element, style: Style, code: list[str], known: Mapping[str, Element]) -> None:
        """Draw a symbol, scaled into the box of its use; each symbol has one form for each inherited style.

        Anything but a symbol is drawn again unchanged, moved to x, y.
        """
        symbol = known[use.get("href", "#")[1:]]
        if not symbol.tag.endswith("}symbol"):
            *_, x, y = moved_to(use)
            code.append(f"q 1 0 0 1 {short(x)} {short(y)} cm")
            self.element(symbol, style, code, known)
            code.append("Q")
            return
        scale, *_, x, y = symbol_matrix(use, symbol)
        if not scale:
            return  # as in SVG, a use with width or height 0 draws nothing
        content = self.symbol_texts.get(symbol)
        if content is None:  # in another face, the same icon is a different element, but the same form
            content = self.symbol_texts[symbol] = etree.tostring(symbol, encoding="unicode", with_tail=False)
        box = place_of_symbol(use, symbol)
        key: object = (*map(style.get, INHERITED), box, content)
        own = (
            _is_open(symbol, content, known)
            or not (is_plain(style, "fill") and is_plain(style, "stroke"))
            or self.paints.is_light
        )
        if own or "currentColor" in content:
            style = {**style, "color": style["fill"] if style["fill"][0] == "#" else style.get("color", "#000000")}
        inside: list[str] = []
        outside, self.used = self.used, []
        for child in symbol if own or key not in self.forms else ():
            self.element(child, style, inside, known)
        inner, self.used = self.used, outside
        if own:  # its targets may differ in another face
            key = ("symbol", box, *inside)
        shown = self.form(key, box, "\n".join(inside), inner)
        size = f"{scale:.5f}" if scale >= FINE else exact(scale)
        code.append(f"q {size} 0 0 {size} {short(x)} {short(y)} cm /{shown} Do Q")

    def text(self, text: Element, style: Style, code: list[str], known: Mapping[str, Element]) -> None:
        for run in text_runs(text, style):
            look = run.style
            if not is_plain(look, "fill") or self.paints.is_light:
                shown = [f"BT 1 0 0 -1 {short(run.x)} {short(run.y)} Tm"]
                size, spread = number(look["font-size"]), length_of(look, "word-spacing")
                self.canvas.show(run.text, look["font-family"], size, shown, "", run.variant, spread)
                em, (left, top, right, foot) = length_of(look, "font-size"), line_box(run)
                box = left - em, top - em, right + em, foot + em  # letters may extend beyond their line
                self.paints.act("fill", "\n".join([*shown, "ET"]), box, look, code, known)
            elif look["fill"] != "none":
                code.append(f"BT {colour(look['fill'])} rg 1 0 0 -1 {short(run.x)} {short(run.y)} Tm")
                size, spread = number(look["font-size"]), length_of(look, "word-spacing")
                self.canvas.show(run.text, look["font-family"], size, code, "", run.variant, spread)
                code.append("ET")


@lru_cache(maxsize=256)
def _window(box: Box) -> str:
    """Return operators that clip to a box, cached: all faces of a game share the same few boxes."""
    x0, y0, x1, y1 = box
    return f"{row(x0, y0, x1 - x0, y1 - y0)} re W n"


def _is_told(group: Element) -> bool:
    """Return whether anything in a group has its own tag: a text, or an element with a label."""
    return any(one.tag == _TEXT_TAG or _label(one) for one in group.iter())


def _words(group: Element) -> str:
    """Return the words of a group that is drawn as a whole."""
    parts = (
        (_label(one) or "".join(map(str, one.itertext())))
        for one in group.iter()
        if one.tag == _TEXT_TAG or _label(one)
    )
    return " ".join(parts)


def _is_open(element: Element, content: str, known: Mapping[str, Element]) -> bool:
    """Return whether an element, given with its source text, refers by id to definitions elsewhere."""
    if "url(" in content:
        return True
    used = [known[use.get("href", "#")[1:]] for use in element.iter(_USE_TAG)] if "use" in content else []
    return any(_is_open(one, etree.tostring(one, encoding="unicode"), known) for one in used)


def _label(element: Element) -> str:
    """Return an element's label for screen readers; "" if it is blank."""
    return element.get("aria-label", "").strip()


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


def symbols(*roots: Element) -> dict[str, Element]:
    """Return all elements of a face that can be referred to, by id."""
    return {id_: element for root in roots for element in root.iter() if (id_ := element.get("id"))}


def new_canvas(
    out: BinaryIO, size: tuple[float, float], types: Types | None = None, inks: Inks = "full"
) -> PackedCanvas:
    """Return a canvas with pages of `size` points. Documents with the same texts may share their fonts.

    In black only, everything is in DeviceGray, with the game's black ink as pure black.
    """
    return PackedCanvas(out, size, types, INK if inks == "mono" else None)


def face_pdf(face: Face, bleed: bool) -> bytes:
    """Return one face as a single-page PDF, cut to the trim or with its bleed, and with TrimBox and BleedBox set."""
    return faces_pdf([face], bleed)


def faces_pdf(faces: Sequence[Face], bleed: bool, masks: Sequence[Stock] = ()) -> bytes:
    """Return a PDF with one page for each face, then one for each stock of `masks`, with its outline in black."""
    buffer = io.BytesIO()
    canvas = new_canvas(buffer, (1, 1))
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
    canvas.save()
    return buffer.getvalue()
