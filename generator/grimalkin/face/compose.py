"""A component and a face template in, a Face out. What cannot be composed is a problem with the card's name."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from fontTools.pens.basePen import BasePen
from fontTools.svgLib.path import parse_path
from jinja2 import TemplateError, TemplateNotFound, TemplateSyntaxError, UndefinedError
from lxml import etree
from markupsafe import Markup, escape

from grimalkin.content.game import Game
from grimalkin.content.models import Component, Deck
from grimalkin.content.stocks import Stock
from grimalkin.face.fit import POINT, Block, MissingGlyph, Piece, UnknownFont, fit, read_words, text_width
from grimalkin.face.fonts import Font, find_font, font_paths
from grimalkin.face.sandbox import Sandbox, TooMuch
from grimalkin.face.subset import ELEMENTS, TEXTBOX
from grimalkin.problems import Place, Problems, did_you_mean, shown_path
from grimalkin.source import data_folder

SVG = "http://www.w3.org/2000/svg"
MOST_DRAWINGS = 20_000
MOST_NESTED = 8
"""How often a face may draw symbols, and how deep symbols may use symbols."""
_PARSER = etree.XMLParser(
    resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
)

Element = etree._Element


@dataclass(frozen=True)
class Face:
    """One side of a component, resolved: plain SVG in millimetres, its origin the upper left corner of the trim.

    The root has a viewBox that takes in the bleed.
    """

    id: str
    """The component's id and the side: "penny-front"."""
    name: str
    alt: str
    stock: Stock
    root: Element = field(repr=False)

    @property
    def svg(self) -> str:
        return etree.tostring(self.root, encoding="unicode")


class Composer:
    """Composes the faces of one game. Templates come from the game's own folder first, then from the shared one."""

    def __init__(self, game: Game, stocks: Mapping[str, Stock], problems: Problems) -> None:
        templates = data_folder("templates")
        self.game = game
        self.stocks = stocks
        self.problems = problems
        self.icons = {
            path.stem: path
            for folder in (templates / "icons", game.folder / "icons")
            for path in sorted(folder.glob("*.svg"))
        }
        self.folders = [game.folder / "faces", templates / "faces" / game.name, templates / "faces"]
        self.sandbox = Sandbox(self.folders, autoescape=True)
        self.sandbox.globals["icon"] = self.icon
        self.sandbox.globals["fail"] = _fail
        self.words_of = {row.id: row.name for row in game.by_id.values()}
        self.words_of.update({rule.id: rule.id for rule in game.rules.values()})
        self.words_of.update({term.id: term.name for term in game.terms})
        self.shared = _shared_context(game)
        self.resolved: dict[tuple[str, Stock], Element] = {}
        """Roots by the text they came from: cards that look the same share a root, and so a form in the PDF."""
        self.constant: dict[tuple[str, str, Stock], Element] = {}
        """Roots of templates that never look at their card, by template, side and stock: most backs."""

    def faces(self, deck: Deck, component: Component) -> tuple[Face | None, Face | None]:
        """Front and back of a component. A side is None when there is none, or when it could not be composed."""
        values = _component_values(component, deck)
        stock = self.stocks[component.stock or deck.stock or ""]
        front = self.compose(deck.faces.front, f"{component.id}-front", component.name, component.alt, stock, values)
        if deck.faces.back is None:
            return front, None
        back = self.compose(deck.faces.back, f"{component.id}-back", component.name, component.alt, stock, values)
        return front, back

    def compose(
        self, template: str, id_: str, name: str, alt: str | None, stock: Stock, card: Mapping[str, Any], **more: Any
    ) -> Face | None:
        """One face. `card` is what the template knows under that name; `more` are further names."""
        file = f"{template}.svg.j2"
        side = id_.rpartition("-")[2]
        constant = self.constant.get((template, side, stock)) if not more else None
        if constant is not None:
            return Face(id_, name, alt or name, stock, constant)
        watched = _Watched(card)
        context = {**self.shared, "card": watched, "stock": stock.model_dump(), "side": side, **more}
        try:
            text = self.sandbox.render(file, context)
        except _TEMPLATE_FAULTS as error:
            self.problems.add(self.template_place(file, error), f"the face {id_}: {_template_message(error)}")
            return None
        known = self.resolved.get((text, stock))
        if known is not None:
            return Face(id_, name, alt or name, stock, known)
        place = self.template_place(file, None)
        try:
            root = etree.fromstring(text.encode(), _PARSER)
        except etree.XMLSyntaxError as error:
            line = text.split("\n")[(error.lineno or 1) - 1].strip()
            self.problems.add(place, f"the face {id_} is not XML: {error.msg}", f'near "{line[:80]}"')
            return None
        face = _Resolver(self, id_, place).resolve(root, name, alt or name, stock)
        if face:
            self.resolved[text, stock] = face.root
            if not watched.seen and not more:
                self.constant[template, side, stock] = face.root
        return face

    def template_place(self, file: str, error: Exception | None) -> Place:
        """The line of a template at which an error arose."""
        if isinstance(error, TemplateSyntaxError) and error.filename:
            return Place(shown_path(Path(error.filename)), error.lineno)
        for frame in reversed(traceback.extract_tb(error.__traceback__) if error else []):
            if frame.filename.endswith(".j2"):
                return Place(shown_path(Path(frame.filename)), frame.lineno or 0)
        for folder in self.folders:
            if (folder / file).is_file():
                return Place(shown_path(folder / file))
        return Place(shown_path(self.folders[0] / file))

    def icon(self, name: str, x: float, y: float, size: float, fill: str, label: str = "") -> Markup:
        """An icon as SVG, its upper left corner at x, y mm, `size` mm wide and high. With a label it is read aloud."""
        if name not in self.icons:
            raise TemplateError(f'there is no icon "{name}"; {did_you_mean(name, self.icons)}')
        label_part = f' role="img" aria-label="{escape(label)}"' if label else ""
        return Markup(
            f'<use href="#icon-{name}" x="{x:.3f}" y="{y:.3f}" width="{size:.3f}" height="{size:.3f}"'
            f' fill="{escape(fill)}"{label_part}/>'
        )


_TEMPLATE_FAULTS = (
    TemplateError,
    TooMuch,
    TypeError,
    ValueError,
    ArithmeticError,
    RecursionError,
    LookupError,
    AttributeError,
    UnicodeError,
)
"""What a template can raise while it is rendered."""


class _Watched(Mapping[str, Any]):
    """A component's values, which remember whether a template looked at them."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values
        self.seen = False

    def __getitem__(self, key: str) -> Any:
        self.seen = True
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        self.seen = True
        return iter(self._values)

    def __len__(self) -> int:
        self.seen = True
        return len(self._values)


def _shared_context(game: Game) -> dict[str, Any]:
    """What every template of a game knows."""
    decks = {deck.id: deck for deck in game.info.decks}
    return {
        "game": {"name": game.name, "title": game.info.title, "tagline": game.info.tagline},
        "palette": dict(game.info.palette),
        "ink": "#1d1a26",
        "paper": "#f7f1e3",
        "moon": "#e8d9a8",
        "decks": {id_: [_component_values(row, decks[id_]) for row in rows] for id_, rows in game.components.items()},
    }


def _component_values(component: Component, deck: Deck) -> dict[str, Any]:
    """A component as a template sees it: plain values, hyphens turned into underscores."""
    own = {column.replace("-", "_"): getattr(component, column.replace("-", "_")) for column in deck.columns}
    return {"id": component.id, "name": component.name, "count": component.count, "deck": deck.id, **own}


def _fail(message: str) -> str:
    """Stops a template with a message of its own."""
    raise TemplateError(message)


def _template_message(error: Exception) -> str:
    if isinstance(error, TemplateNotFound):
        return f'there is no template "{error.name}" in the face folders'
    if isinstance(error, UndefinedError):
        known = re.search(r"has no attribute '(\w+)'", str(error.message))
        return f'there is no "{known[1]}" here' if known else str(error.message)
    if isinstance(error, UnicodeError):
        return "the template is not UTF-8"
    if isinstance(error, RecursionError):
        return "the template calls itself without end"
    return str(error)


class _Resolver:
    """Turns rendered SVG into a Face: checks the subset, fits the text boxes, brings in the icons."""

    def __init__(self, composer: Composer, id_: str, place: Place) -> None:
        self.composer = composer
        self.id = id_
        self.place = place
        self.icons: set[str] = set()
        self.sound = True

    def problem(self, message: str, hint: str = "") -> None:
        self.composer.problems.add(self.place, f"the face {self.id}: {message}", hint)
        self.sound = False

    def resolve(self, root: Element, name: str, alt: str, stock: Stock) -> Face | None:
        if root.tag != f"{{{SVG}}}svg":
            what = "<svg> without its namespace" if _tag(root) == "svg" else f"<{_tag(root)}>"
            self.problem(f"the outermost element is {what}", f'it is <svg xmlns="{SVG}">')
            return None
        self.check(root)
        if not self.sound:
            return None
        for box in list(root.iter(f"{{{SVG}}}textbox")):
            self.textbox(box)
        used = {use.get("href", "")[1:] for use in root.iter(f"{{{SVG}}}use")}
        self.icons.update(id_[5:] for id_ in used if id_.startswith("icon-"))
        self.bring_icons(root)
        self.check_links(root)
        for path in root.iter(f"{{{SVG}}}path"):
            written = path.get("d", "")
            try:
                absolute = absolute_path(written)
            except Exception as error:  # fontTools raises many kinds for a malformed path
                self.problem(f'the path "{written[:40]}" cannot be read: {error}')
                continue
            if _ABSOLUTE.fullmatch(absolute) is None:
                self.problem(f'the path "{written[:40]}" cannot be read', "its numbers are millimetres")
            path.set("d", absolute)
        if not self.sound:
            return None
        b = stock.bleed
        root.set("viewBox", f"{-b:g} {-b:g} {stock.width + 2 * b:g} {stock.height + 2 * b:g}")
        root.set("width", f"{stock.width + 2 * b:g}mm")
        root.set("height", f"{stock.height + 2 * b:g}mm")
        etree.cleanup_namespaces(root)
        return Face(self.id, name, alt, stock, root)

    def check(self, root: Element) -> None:
        for element in root.iter():
            tag = _tag(element)
            if tag == "textbox":
                allowed = TEXTBOX
            elif tag in ELEMENTS:
                allowed = ELEMENTS[tag]
            else:
                self.problem(f"<{tag}> is not drawn", did_you_mean(tag, [*ELEMENTS, "textbox"]))
                continue
            for attribute in element.attrib:
                if attribute not in allowed:
                    written = str(attribute)
                    self.problem(f'<{tag}> has no attribute "{written}" here', did_you_mean(written, allowed))
            for paint in ("fill", "stroke"):
                value = element.get(paint)
                if value is not None and value != "none" and not re.fullmatch(r"#[0-9a-fA-F]{6}", value):
                    self.problem(f'{paint}="{value}" is not a colour', "write #rrggbb or none")
            transform = element.get("transform")
            if transform is not None and not _TRANSFORM.fullmatch(transform):
                self.problem(f'transform="{transform}" cannot be read', "translate, scale, rotate or matrix")
            for number in sorted(_NUMBERS & {str(key) for key in element.attrib}):
                if not _is_number(element.get(number, "")):
                    self.problem(f'<{tag} {number}="{element.get(number)}"> is not a number of millimetres')
            for attribute, words in _WORDS.items():
                value = element.get(attribute)
                if value is not None and value not in words:
                    self.problem(f'{attribute}="{value}" is not known', "one of: " + ", ".join(words))
            dashes = element.get("stroke-dasharray", "none")
            if dashes != "none" and not all(_is_number(part) for part in re.split(r"[\s,]+", dashes.strip())):
                self.problem(f'stroke-dasharray="{dashes}" cannot be read', "numbers of millimetres, or none")
            if tag in ("polygon", "polyline"):
                points = re.split(r"[\s,]+", element.get("points", "").strip())
                if len(points) < 4 or len(points) % 2 or not all(_is_number(part) for part in points):
                    self.problem(
                        f'<{tag} points="{element.get("points", "")[:40]}"> cannot be read', "pairs of numbers"
                    )
            if tag == "symbol" and len((element.get("viewBox") or "0 0 24 24").split()) != 4:
                self.problem(f'viewBox="{element.get("viewBox")}" cannot be read', "write it as 0 0 24 24")
            if tag == "tspan" or tag == "text":
                family = element.get("font-family")
                if family is not None and family not in font_paths():
                    self.problem(f'there is no font "{family}"', did_you_mean(family, font_paths()))

    def check_links(self, root: Element) -> None:
        ids = {element.get("id") for element in root.iter() if element.get("id")}
        clips = {clip.get("id") for clip in root.iter(f"{{{SVG}}}clipPath")}
        for group in root.iter(f"{{{SVG}}}g"):
            clip = group.get("clip-path")
            if clip is not None and (not clip.startswith("url(#") or clip[5:-1] not in clips):
                self.problem(f'clip-path="{clip}" leads nowhere', "write url(#id) of a <clipPath>")
        for use in root.iter(f"{{{SVG}}}use"):
            href = use.get("href", "")
            if href[1:] not in ids or not href.startswith("#"):
                self.problem(f'<use href="{href}"> leads nowhere', did_you_mean(href[1:], [id_ for id_ in ids if id_]))
        if self.sound and _drawings(root) > MOST_DRAWINGS:
            self.problem(f"symbols within symbols draw more than {MOST_DRAWINGS:,} shapes", "or one uses itself")
        for text in root.iter(f"{{{SVG}}}text", f"{{{SVG}}}tspan"):
            self.check_glyphs(text)
            if _inherited(text, "stroke") not in (None, "none"):
                text.set("stroke", "none")  # letters are filled only; a group's stroke is not meant for them

    def check_glyphs(self, text: Element) -> None:
        for part, element in ((text.text, text), (text.tail if _tag(text) == "tspan" else None, text.getparent())):
            family = _inherited(element, "font-family") if part and element is not None else None
            if part and part.strip() and family is None:
                self.problem(f'the text "{part.strip()[:30]}" has no font-family')
            elif part and part.strip() and _inherited(element, "font-size") is None:
                self.problem(f'the text "{part.strip()[:30]}" has no font-size')
            elif part and family:
                try:
                    text_width(family, part)
                except (MissingGlyph, UnknownFont) as error:
                    self.problem(str(error))

    def textbox(self, box: Element) -> None:
        """Replace a text box by the lines that fit, or tell why none do."""
        label = box.get("name") or "text box"
        try:
            number = {key: float(box.get(key, default)) for key, default in _BOX_NUMBERS.items()}
        except ValueError:
            self.problem(f"{label}: x, y, width, height, size, floor, leading and tight are numbers")
            return
        family = box.get("font", "SourceSansPro")
        font = find_font(family)
        if font is None:
            self.problem(f'{label}: there is no font "{family}"', did_you_mean(family, font_paths()))
            return
        text = "".join(str(part) for part in box.itertext())
        size = number["size"]
        floor = number["floor"] or min(size, 6.5)
        if not (0 < floor <= size <= 1000 and 0.5 <= number["tight"] <= number["leading"] <= 10):
            self.problem(
                f"{label}: size {size:g}, floor {floor:g}, leading {number['leading']:g} and tight {number['tight']:g} "
                "do not go together",
                "0 < floor ≤ size, 0.5 ≤ tight ≤ leading",
            )
            return
        try:
            words = read_words(text, family, self.composer.words_of)
        except (MissingGlyph, UnknownFont) as error:
            self.problem(f"{label}: {error}")
            return
        block = fit(words, font, number["width"], number["height"], size, floor, number["leading"], number["tight"])
        if block is None:
            shown = " ".join(text.split())
            self.problem(
                f'{label}: "{shown[:60]}{"…" if len(shown) > 60 else ""}" does not fit into '
                f"{number['width']:g} × {number['height']:g} mm at {floor:g} pt",
                "write less, or give it more room",
            )
            return
        group = self.set_block(block, font, box, number)
        parent = box.getparent()
        assert parent is not None
        group.tail = box.tail
        parent.replace(box, group)

    def set_block(self, block: Block, font: Font, box: Element, number: dict[str, float]) -> Element:
        """The fitted lines as <text> elements; each wrapped line ends in a space, so that readers keep words apart."""
        em = block.size * POINT
        fill = box.get("fill", "#1d1a26")
        align, valign = box.get("align", "left"), box.get("valign", "top")
        if align not in ("left", "center", "right") or valign not in ("top", "middle", "bottom"):
            self.problem(f'align="{align}" valign="{valign}" is not known', "left center right, top middle bottom")
        spare = number["height"] - block.height
        top = number["y"] + (spare / 2 if valign == "middle" else spare if valign == "bottom" else 0)
        # The first baseline: the line box is one em high, its letters stand in the middle of it.
        baseline = top + em * (1 + font.ascent - font.descent) / 2
        space = text_width(font.name, " ")
        group = etree.Element(f"{{{SVG}}}g", {"fill": fill})
        for row, (words, gap) in enumerate(zip(block.lines, block.gaps, strict=True)):
            if row:
                baseline += em * block.leading * (1 + 0.45 * gap)
            width = (sum(word.width for word in words) + space * (len(words) - 1)) * em
            spare_width = number["width"] - width
            x = number["x"] + (spare_width / 2 if align == "center" else spare_width if align == "right" else 0)
            last = row == len(block.lines) - 1
            self.set_line(group, words, x, baseline, em, space, "" if last else " ")
        return group

    def set_line(
        self, group: Element, words: tuple[Any, ...], x: float, y: float, em: float, space: float, end: str
    ) -> None:
        """One line: runs of one font become <text>, icons become <use>."""
        run, run_x, run_font = "", x, ""

        def flush(tail: str = "") -> None:
            if run:
                text = etree.SubElement(
                    group,
                    f"{{{SVG}}}text",
                    {"x": f"{run_x:.3f}", "y": f"{y:.3f}", "font-family": run_font, "font-size": f"{em:.4f}"},
                )
                text.text = run + tail

        for index, word in enumerate(words):
            if index:
                x += space * em
                if run:
                    run += " "
            for piece in cast(tuple[Piece, ...], word.pieces):
                if piece.icon:
                    flush()
                    run = ""
                    self.inline_icon(group, piece.icon, x, y, em)
                    x += em
                    continue
                if piece.font != run_font or not run:
                    flush()
                    run, run_x, run_font = "", x, piece.font
                run += piece.text
                x += text_width(piece.font, piece.text) * em
        flush(end)

    def inline_icon(self, group: Element, name: str, x: float, y: float, em: float) -> None:
        if name not in self.composer.icons:
            self.problem(f'there is no icon ":{name}:"', did_you_mean(name, self.composer.icons))
            return
        self.icons.add(name)
        attributes = {"href": f"#icon-{name}", "x": f"{x:.3f}", "y": f"{y - em * 0.82:.3f}"}
        size = {"width": f"{em:.3f}", "height": f"{em:.3f}", "role": "img", "aria-label": name}
        etree.SubElement(group, f"{{{SVG}}}use", attributes | size)

    def bring_icons(self, root: Element) -> None:
        """Put the symbols of all icons used at the head of the face."""
        if not self.icons:
            return
        defs = etree.Element(f"{{{SVG}}}defs")
        for name in sorted(self.icons):
            path = self.composer.icons.get(name)
            if path is None:
                self.problem(f'there is no icon "{name}"', did_you_mean(name, self.composer.icons))
                continue
            try:
                defs.append(read_icon(path, name))
            except (etree.XMLSyntaxError, ValueError, OSError) as error:
                self.problem(f"the icon {shown_path(path)} cannot be read: {error}")
                continue
        root.insert(0, defs)
        self.check(defs)


def read_icon(path: Path, name: str) -> Element:
    """An icon file as a <symbol>. Its viewBox is kept; what has no fill of its own takes the colour it is used with."""
    svg = etree.fromstring(path.read_bytes(), _PARSER)
    if svg.tag != f"{{{SVG}}}svg":
        raise ValueError(f'it begins with <svg xmlns="{SVG}">')
    box = svg.get("viewBox", "0 0 24 24").split()
    if len(box) != 4 or not all(_is_number(part) for part in box) or float(box[2]) <= 0 or float(box[3]) <= 0:
        raise ValueError(f'its viewBox is "{svg.get("viewBox")}"; write it as 0 0 24 24')
    symbol = etree.Element(f"{{{SVG}}}symbol", {"id": f"icon-{name}", "viewBox": svg.get("viewBox", "0 0 24 24")})
    for child in svg:
        if _tag(child) not in ("title", "desc"):
            symbol.append(child)
    return symbol


class _AbsolutePen(BasePen):  # type: ignore[misc]
    """Writes a path with absolute M, L, C and Z only."""

    def __init__(self) -> None:
        super().__init__(None)
        self.parts: list[str] = []

    def _moveTo(self, pt: tuple[float, float]) -> None:  # noqa: N802 - fontTools names it
        self.parts.append(f"M{pt[0]:.4g} {pt[1]:.4g}")

    def _lineTo(self, pt: tuple[float, float]) -> None:  # noqa: N802
        self.parts.append(f"L{pt[0]:.4g} {pt[1]:.4g}")

    def _curveToOne(self, a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> None:  # noqa: N802
        self.parts.append(f"C{a[0]:.4g} {a[1]:.4g} {b[0]:.4g} {b[1]:.4g} {c[0]:.4g} {c[1]:.4g}")

    def _closePath(self) -> None:  # noqa: N802
        self.parts.append("Z")

    def _endPath(self) -> None:  # noqa: N802
        pass


@lru_cache(maxsize=4096)
def absolute_path(d: str) -> str:
    """A path with absolute M, L, C and Z only: arcs and shorthands are resolved.

    >>> absolute_path("m1 1h2v2z")
    'M1 1L3 1L3 3L1 1Z'
    """
    pen = _AbsolutePen()
    parse_path(d, pen)
    return "".join(pen.parts)


_NUMBER = r"\s*-?(?:\d+(?:\.\d*)?|\.\d+)(?:e-?\d+)?"
_STEP = (
    rf"(?:translate|scale)\({_NUMBER}(?:[\s,]+{_NUMBER})?\s*\)"
    rf"|rotate\({_NUMBER}(?:[\s,]+{_NUMBER}[\s,]+{_NUMBER})?\s*\)"
    rf"|matrix\({_NUMBER}(?:[\s,]+{_NUMBER}){{5}}\s*\)"
)
_TRANSFORM = re.compile(rf"(?:\s*(?:{_STEP})\s*)+")
_ABSOLUTE = re.compile(r"(?:[MLC](?:-?\d+(?:\.\d*)?(?:e[-+]?\d+)? ?)+|Z)*")
_WORDS = {
    "stroke-linecap": ("butt", "round", "square"),
    "stroke-linejoin": ("miter", "round", "bevel"),
    "fill-rule": ("nonzero", "evenodd"),
    "text-anchor": ("start", "middle", "end"),
}
_NUMBERS = frozenset(
    {"x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2", "stroke-width", "font-size"}
)
_BOX_NUMBERS = {
    "x": "0", "y": "0", "width": "0", "height": "0", "size": "8", "floor": "0", "leading": "1.25", "tight": "1.08",
}  # fmt: skip


def _drawings(root: Element) -> int:
    """How often symbols are drawn when every use is followed; beyond the bound when one leads back to itself."""
    by_id = {element.get("id"): element for element in root.iter() if element.get("id")}
    counts: dict[str | None, int] = {}

    def count(element: Element, depth: int) -> int:
        if depth > MOST_NESTED:
            return MOST_DRAWINGS + 1
        total = 0
        for use in element.iter(f"{{{SVG}}}use"):
            id_ = use.get("href", "")[1:]
            if id_ not in counts:
                counts[id_] = 1 + count(by_id[id_], depth + 1)
            total += counts[id_]
        return total

    return count(root, 0)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?(\d+(\.\d*)?|\.\d+)(e-?\d{1,2})?", text) is not None


def _tag(element: Element) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else "?"


def _inherited(element: Element | None, attribute: str) -> str | None:
    while element is not None:
        value = element.get(attribute)
        if value is not None:
            return value
        element = element.getparent()
    return None
