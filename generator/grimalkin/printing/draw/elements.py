"""Turn the elements of a resolved SVG into operators of a PDF, in strokes with their role for screen readers."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any, NamedTuple

from lxml import etree

from grimalkin.printing.draw.canvas import XObjects
from grimalkin.printing.draw.images import hold
from grimalkin.printing.draw.packing import colour, exact, row, short
from grimalkin.printing.draw.paint import Paints, at_use, is_plain, paint
from grimalkin.printing.draw.pdf_pages import PdfPage
from grimalkin.printing.draw.shapes import (
    FINE,
    INHERITED,
    Style,
    extent,
    line_box,
    matrix_operator,
    matrix_through,
    number,
    outline,
    own_style,
    path_box,
    place_of_symbol,
    text_runs,
)
from grimalkin.printing.face.fields import Field
from grimalkin.printing.face.images.pictures import Placed
from grimalkin.printing.face.svg.paths import (
    IDENTITY,
    Box,
    Matrix,
    is_flat,
    length_of,
    moved_to,
    symbol_matrix,
    times,
)
from grimalkin.printing.face.svg.subset import HIDDEN, INK, SVG
from grimalkin.printing.face.svg.xml import Element, text_of

_TEXT_TAG, _USE_TAG, _SYMBOL_TAG = f"{{{SVG}}}text", f"{{{SVG}}}use", f"{{{SVG}}}symbol"
BLACKS = ("#000000", INK)
LARGE = 10.0
"""The width and height in millimetres from which a black area needs more than black ink in a print shop."""
_SPOKEN: Any = etree.XPath("descendant-or-self::*[self::svg:text or @aria-label]", namespaces={"svg": SVG})


class Stroke(NamedTuple):
    """Part of a drawn face: operators, and their role for screen readers."""

    kind: str
    """ "art", "text", "figure" or "field"; "state" moves or clips what follows and paints nothing."""
    code: str
    forms: tuple[str, ...] = ()
    """The forms that the operators use."""
    words: str = ""
    """The words of a text, or the label of a figure."""
    inside: tuple[Stroke, ...] = ()
    """The lines and icons of a text that has icons in it; `code` is then empty."""
    field: Field | None = None
    box: Box | None = None
    """The box of a figure, in millimetres of the face; None when it draws nothing."""


class Elements:
    """Draws elements with the forms and pictures of one document."""

    def __init__(self, xobjects: XObjects) -> None:
        self.xobjects, self.canvas = xobjects, xobjects.canvas
        self.paints = Paints(xobjects, self)
        self.placed: dict[str, Placed] = {}
        """The pictures of the drawn faces, by the keys of their images."""
        self.held: dict[str, tuple[str, str]] = {}
        """The pictures in the canvas already, with the operator that turns each."""
        self.symbol_texts: dict[Element, str] = {}
        self.solid = self.canvas.colours.solid
        """The colour of large black areas, if a print shop wants another for them."""

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
        transform = element.get("transform")
        if tag in HIDDEN or (transform and is_flat(matrix_through(transform))):
            return
        label = label_of(element)
        if element in boxes and not label:
            yield from self.text_box(element, {**style, **own_style(element)}, known, matrix)
        elif tag == "g" and not label and _is_told(element) and not self.paints.is_veiled(element, known):
            before = self.state(element, known)
            if before:
                yield Stroke("state", "q " + " ".join(before))
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
            words = text_of(element) if tag == "text" else _words(element) if tag == "g" else ""
            if label:
                yield self.stroke("figure", code, label, extent(element, style, known, matrix))
            elif code:
                yield self.stroke("text" if words.strip() else "art", code, words)

    def stroke(self, kind: str, code: list[str], words: str, box: Box | None = None) -> Stroke:
        used, self.xobjects.used = tuple(self.xobjects.used), []
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
                label = label_of(child)
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
        transform = element.get("transform")
        if tag in HIDDEN or (transform and is_flat(matrix_through(transform))):
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
        """Draw the content of an element, without what applies to it as a whole."""
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
            path = outline(element)
            if self.solid and style["fill"] in BLACKS and is_large(element, path):
                style = {**style, "fill": self.solid}
            paint(path, style, code, tag == "line")
        else:
            self.paints.shape(outline(element), style, code, known, tag == "line")

    def image(self, image: Element, code: list[str]) -> None:
        """Draw a picture: a unit square that is stretched into its place."""
        href = image.get("href", "")
        if href not in self.held:
            placed = self.placed[href]
            page = placed.picture if isinstance(placed.picture, PdfPage) else None
            form = page.form(self.canvas) if page and placed.treatment == "as-is" else None
            self.held[href] = (form, "") if form else hold(self.canvas, placed)
        name, turn = self.held[href]
        x, y, width, height = (length_of(image, key) for key in ("x", "y", "width", "height"))
        if width and height:
            self.xobjects.used.append(name)
            code.append(f"q {row(width, 0, 0, -height, x, y + height)} cm {turn} /{name} Do Q")

    def use(self, use: Element, style: Style, code: list[str], known: Mapping[str, Element]) -> None:
        """Draw a symbol, scaled into the place of its use; there is one form for each symbol in each inherited look.

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
        outside, self.xobjects.used = self.xobjects.used, []
        for child in symbol if own or key not in self.xobjects.names else ():
            self.element(child, style, inside, known)
        inner, self.xobjects.used = self.xobjects.used, outside
        if own:  # its targets may differ in another face
            key = ("symbol", box, *inside)
        shown = self.xobjects.form(key, box, "\n".join(inside), inner)
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


def _is_told(group: Element) -> bool:
    """Return whether anything in a group has its own tag: a text, or something with a label."""
    return any(one.tag == _TEXT_TAG or label_of(one) for one in _SPOKEN(group))


def _words(group: Element) -> str:
    """Return the words of a group that is drawn as a whole."""
    parts = ((label_of(one) or text_of(one)) for one in group.iter() if one.tag == _TEXT_TAG or label_of(one))
    return " ".join(parts)


def _is_open(element: Element, content: str, known: Mapping[str, Element]) -> bool:
    """Return whether an element, given with its source text, uses definitions from elsewhere by id."""
    if "url(" in content:
        return True
    used = [known[use.get("href", "#")[1:]] for use in element.iter(_USE_TAG)] if "use" in content else []
    return any(_is_open(one, etree.tostring(one, encoding="unicode"), known) for one in used)


def is_large(element: Element, path: str) -> bool:
    """Return whether a shape is so large on its face that black ink alone would look grey. Icons never are."""
    matrix = IDENTITY
    for holder in (element, *element.iterancestors()):
        if holder.tag == _SYMBOL_TAG:
            return False
        transform = holder.get("transform")
        if transform:
            matrix = times(matrix_through(transform), matrix)
    box = path_box(path, 0, matrix)
    return box is not None and min(box[2] - box[0], box[3] - box[1]) >= LARGE


def label_of(element: Element) -> str:
    """Return an element's label for screen readers; "" if it is blank."""
    return element.get("aria-label", "").strip()
