"""A component and a face template in, a Face out. What cannot be composed is a problem with the card's name.

Cards of one template have much in common: a frame, an icon, a number. So a face is resolved layer by layer, each a
child of its outermost element, and a layer whose text was met before is not resolved again.
"""

from __future__ import annotations

import copy
import hashlib
import re
import traceback
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

from jinja2 import TemplateError, TemplateNotFound, TemplateSyntaxError, UndefinedError
from lxml import etree
from markupsafe import Markup, escape

from grimalkin.content.game import Game
from grimalkin.content.models import Component, Deck
from grimalkin.content.stocks import Stock
from grimalkin.face.fit import POINT, Block, MissingGlyph, UnknownFont, Word, fit, read_words, text_width
from grimalkin.face.fonts import Font, find_font, font_paths
from grimalkin.face.sandbox import Sandbox, TooMuch, Values, Watched
from grimalkin.face.subset import ELEMENTS, SVG, attribute_fault, is_number, unchecked_fault
from grimalkin.problems import Place, Problem, Problems, did_you_mean, shown_path
from grimalkin.source import data_folder
from grimalkin.source.digest import in_letters

MOST_DRAWINGS = 20_000
MOST_NESTED = 8
"""How often a face may draw symbols, and how deep symbols may use symbols."""
MOST_KEPT = 2_000
"""Parts kept because they came twice. Beyond it all are let go: what comes often is soon back."""
MOST_SEEN = 50_000
MOST_RECENT = 32
"""Components whose faces are kept: copies of one card follow each other on a sheet."""
_TEXT = f"{{{SVG}}}text"
_NAMESPACE: Any = {None: SVG}
_PARSER = etree.XMLParser(
    resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
)

Element = etree._Element
Inks = Literal["full", "low", "mono"]
"""Designs of a face: all its inks; white paper and outlines; black alone. Templates know it as `inks`."""


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """A child of a face's outermost element, resolved. Faces share layers; nobody changes them."""

    element: Element
    boxes: frozenset[Element] = frozenset()
    """The groups that were text boxes."""
    look: bytes = b""
    """A digest of what is drawn."""
    shared: bool = False
    """Whether it is kept because other faces have it too."""
    icons: frozenset[str] = frozenset()
    uses: tuple[str, ...] = ()
    """Where its <use> elements lead, and below where its clip paths do."""
    clips: tuple[str, ...] = ()
    targets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The ids in it, with where the <use> elements within each lead."""
    clip_targets: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Face:
    """One side of a component, resolved: plain SVG in millimetres, its origin the upper left corner of the trim."""

    id: str
    """The component's id and the side: "penny-front"."""
    name: str
    alt: str
    stock: Stock
    content: tuple[Layer, ...] = field(repr=False)
    """The children of the outermost element, in the order in which they are painted."""

    @property
    def layers(self) -> tuple[Layer, ...]:
        return self.content

    @cached_property
    def root(self) -> Element:
        """The whole SVG, made when it is asked for. Its viewBox takes in the bleed."""
        b, width, height = self.stock.bleed, self.stock.width, self.stock.height
        size = {
            "viewBox": f"{-b:g} {-b:g} {width + 2 * b:g} {height + 2 * b:g}",
            "width": f"{width + 2 * b:g}mm",
            "height": f"{height + 2 * b:g}mm",
        }
        root = etree.Element(f"{{{SVG}}}svg", size, nsmap=_NAMESPACE)
        root.extend(copy.deepcopy(layer.element) for layer in self.content)
        etree.cleanup_namespaces(root)
        return root

    @property
    def svg(self) -> str:
        return etree.tostring(self.root, encoding="unicode")

    @cached_property
    def fingerprint(self) -> str:
        """Six letters and digits that change when the printed look, the stock or the alternative text changes."""
        digest = hashlib.sha256(_cut(self.stock))
        digest.update(self.alt.encode())
        for layer in self.layers:
            digest.update(layer.look)
        return in_letters(int.from_bytes(digest.digest()[:4], "big"), 6)


@lru_cache(maxsize=256)
def _cut(stock: Stock) -> bytes:
    """What of a stock can be seen on the finished piece."""
    return stock.model_dump_json(exclude={"name", "source", "safe"}).encode()


def _look(element: Element) -> bytes:
    return hashlib.sha256(etree.tostring(element, method="c14n", with_tail=False)).digest()


class Composer:
    """Composes the faces of one game. Templates come from the game's own folder first, then from the shared one."""

    def __init__(self, game: Game, stocks: Mapping[str, Stock], problems: Problems, inks: Inks = "full") -> None:
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
        self.shared = {**_shared_context(game), "inks": inks}
        self.columns = {deck.id: _columns(deck) for deck in game.info.decks}
        self.stock_values = {stock: stock.model_dump() for stock in stocks.values()}
        self.kept: dict[bytes, Layer] = {}
        """Parts by the text they came from."""
        self.seen: set[int] = set()
        """Hashes of texts that came once."""
        self.constant: dict[tuple[str, str, Stock], tuple[Layer, ...]] = {}
        """Faces of templates that never look at their card, by template, side and stock: most backs."""
        self.recent: dict[str, tuple[Face | None, Face | None]] = {}
        self.icon_layers: dict[frozenset[str], Layer] = {}
        self.told: dict[tuple[Place, str, str], tuple[str, set[str]]] = {}
        """Faults of faces: the face that is named, and all that have it."""

    def faces(self, deck: Deck, component: Component) -> tuple[Face | None, Face | None]:
        """Front and back of a component. A side is None when there is none, or when it could not be composed."""
        known = self.recent.get(component.id)
        if known:
            return known
        values = _component_values(component, deck, self.columns[deck.id])
        stock = self.stocks[component.stock or deck.stock or ""]
        front = self.compose(deck.faces.front, f"{component.id}-front", component.name, component.alt, stock, values)
        back = None
        if deck.faces.back is not None:
            alt = component.back_alt or f"{deck.name}, back"
            back = self.compose(deck.faces.back, f"{component.id}-back", component.name, alt, stock, values)
        if len(self.recent) >= MOST_RECENT:
            self.recent.clear()
        self.recent[component.id] = front, back
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
        watched = Watched(card)
        stock_values = self.stock_values.get(stock) or stock.model_dump()
        context = {**self.shared, "card": watched, "stock": stock_values, "side": side, **more}
        try:
            text = self.sandbox.render(file, context)
        except _TEMPLATE_FAULTS as error:
            self.fault(id_, self.template_place(file, error), _template_message(error))
            return None
        layers = self.resolve(text, id_, file)
        if layers is None:
            return None
        if not watched.seen and not more:
            self.constant[template, side, stock] = layers
        return Face(id_, name, alt or name, stock, layers)

    def resolve(self, text: str, id_: str, file: str) -> tuple[Layer, ...] | None:
        """The layers of a rendered template, None when one of them is at fault."""
        resolver = _Resolver(self, id_, file)
        try:
            root = etree.fromstring(text.encode(), _PARSER)
        except etree.XMLSyntaxError as error:
            line = text.split("\n")[(error.lineno or 1) - 1].strip()
            resolver.problem(f"it is not XML: {error.msg}", f'near "{line[:80]}"')
            return None
        if root.tag != f"{{{SVG}}}svg":
            what = "<svg> without its namespace" if _tag(root) == "svg" else f"<{_tag(root)}>"
            resolver.problem(f"the outermost element is {what}", f'it is <svg xmlns="{SVG}">')
            return None
        resolver.check_attributes(root, "svg")
        if "<!DOCTYPE" in text and any(True for _ in root.iter(etree.Entity)):
            resolver.problem("<?> is not drawn")
            return None
        layers: list[Layer] = []
        icons: set[str] = set()
        for child in root:
            source = etree.tostring(child, with_tail=False)
            layer = self.kept.get(source)
            if layer is None:
                mark = hash(source)
                shared = mark in self.seen
                if not shared:
                    if len(self.seen) >= MOST_SEEN:
                        self.seen.clear()
                    self.seen.add(mark)
                else:  # in a document of its own, or it would keep all of this one in the memory
                    child = etree.fromstring(source, _PARSER)
                layer = resolver.layer(child, shared)
                if layer is None:
                    continue
                if shared:
                    if len(self.kept) >= MOST_KEPT:
                        self.kept.clear()
                    self.kept[source] = layer
            layers.append(layer)
            icons.update(layer.icons)
        if icons and resolver.sound:
            symbols = self.icon_symbols(frozenset(icons), resolver)
            if symbols:
                layers.insert(0, symbols)
        if resolver.sound:
            resolver.check_links(layers)
        return tuple(layers) if resolver.sound else None

    def icon_symbols(self, names: frozenset[str], resolver: _Resolver) -> Layer | None:
        """The symbols of these icons, as a layer that stands before all others."""
        known = self.icon_layers.get(names)
        if known:
            return known
        defs = etree.Element(f"{{{SVG}}}defs", nsmap=_NAMESPACE)
        for name in sorted(names):
            path = self.icons.get(name)
            if path is None:
                resolver.problem(f'there is no icon "{name}"', did_you_mean(name, self.icons))
                continue
            try:
                defs.append(read_icon(path, name))
            except (etree.XMLSyntaxError, ValueError, OSError) as error:
                resolver.problem(f"the icon {shown_path(path)} cannot be read: {error}")
        layer = resolver.layer(defs, True) if resolver.sound else None
        if layer:
            self.icon_layers[names] = layer
        return layer

    def fault(self, id_: str, place: Place, message: str, hint: str = "") -> None:
        """Tell a fault once, with the number of faces that have it."""
        first, faces = self.told.setdefault((place, message, hint), (id_, set()))

        def problem() -> Problem:
            more = len(faces) - 1
            count = f" (and {more} more face{'s' if more > 1 else ''})" if more else ""
            written = f"the face {first}: {message}"
            return Problem(place, written, hint + count) if hint else Problem(place, written + count)

        if faces:
            self.problems.found.pop(problem(), None)
        faces.add(id_)
        now = problem()
        self.problems.add(now.place, now.message, now.hint)

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
    MemoryError,
    SyntaxError,
)
"""What a template can raise while it is rendered."""


def _shared_context(game: Game) -> dict[str, Any]:
    """What every template of a game knows."""
    return {
        "game": {"name": game.name, "title": game.info.title, "tagline": game.info.tagline},
        "palette": dict(game.info.palette),
        "ink": "#1d1a26",
        "paper": "#f7f1e3",
        "moon": "#e8d9a8",
        "decks": _Decks(game),
    }


class _Decks(Mapping[str, list[Values]]):
    """The components of every deck as a template sees them, made when a template asks."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._made: dict[str, list[Values]] = {}

    def __getitem__(self, key: str) -> list[Values]:
        if key not in self._made:
            rows = self._game.components[key]
            deck = next(deck for deck in self._game.info.decks if deck.id == key)
            names = _columns(deck)
            self._made[key] = [Values(_component_values(row, deck, names)) for row in rows]
        return self._made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._game.components)

    def __len__(self) -> int:
        return len(self._game.components)


def _columns(deck: Deck) -> list[str]:
    """The columns of a deck by the names that templates know: hyphens turned into underscores."""
    return [column.replace("-", "_") for column in deck.columns]


def _component_values(component: Component, deck: Deck, columns: list[str]) -> dict[str, Any]:
    """A component as a template sees it: plain values."""
    values = {"id": component.id, "name": component.name, "count": component.count, "deck": deck.id}
    values.update((column, getattr(component, column)) for column in columns)
    return values


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
    if isinstance(error, MemoryError):
        return "the template needs more memory than there is"
    if isinstance(error, SyntaxError):
        return f"the template cannot be compiled: {error.msg}"
    return str(error)


class _Resolver:
    """Turns the children of one rendered template into layers: checks the subset, fits the text boxes."""

    def __init__(self, composer: Composer, id_: str, file: str) -> None:
        self.composer = composer
        self.id = id_
        self.file = file
        self.icons: set[str] = set()
        self.sound = True

    def problem(self, message: str, hint: str = "") -> None:
        self.composer.fault(self.id, self.composer.template_place(self.file, None), message, hint)
        self.sound = False

    def layer(self, root: Element, shared: bool) -> Layer | None:
        """A child of the outermost element, resolved; None when something in it is at fault."""
        before, self.sound, self.icons = self.sound, True, set()
        resolved = self.resolve(root, shared)
        if resolved is None:
            return None
        self.sound = before
        return resolved

    def resolve(self, root: Element, shared: bool) -> Layer | None:
        boxes: list[Element] = []
        texts: list[Element] = []
        paths: list[Element] = []
        uses: list[Element] = []
        clips: list[str] = []
        named: list[Element] = []
        stroked = False
        root.tail = None
        for element in root.iter():
            tag = _tag(element)
            if tag == "textbox":
                boxes.append(element)
            elif tag not in ELEMENTS:
                self.problem(f"<{tag}> is not drawn", did_you_mean(tag, [*ELEMENTS, "textbox"]))
                continue
            self.check_attributes(element, tag)
            attributes = element.attrib
            if tag == "text" or tag == "tspan":
                texts.append(element)
            elif tag == "path":
                paths.append(element)
            elif tag == "use":
                uses.append(element)
            elif "clip-path" in attributes:
                clips.append(str(attributes["clip-path"]))
            if "id" in attributes:
                named.append(element)
            stroked = stroked or "stroke" in attributes
            if tag not in ("text", "tspan", "textbox") and element.text and not element.text.strip():
                element.text = None
            if tag != "tspan" and element.tail and not element.tail.strip():
                element.tail = None
        if not self.sound:
            return None
        for text in texts:
            self.check_glyphs(text)
        groups: list[Element] = []
        for box in boxes:
            group = self.textbox(box)
            if group is None:
                continue
            groups.append(group)
            if stroked:
                texts.extend(group.iter(f"{{{SVG}}}text"))
            parent = box.getparent()
            if box is root:
                root = group
            if parent is not None:
                parent.replace(box, group)
        for path in paths:
            self.make_absolute(path)
        if stroked:
            for text in texts:
                if _inherited(text, "stroke") not in (None, "none"):
                    text.set("stroke", "none")  # letters are filled only; a group's stroke is not meant for them
        hrefs = tuple(use.get("href", "") for use in uses)
        self.icons.update(href[6:] for href in hrefs if href.startswith("#icon-"))
        if not self.sound:
            return None
        use_tag, clip_tag = f"{{{SVG}}}use", f"{{{SVG}}}clipPath"
        targets = {one.get("id", ""): tuple(use.get("href", "") for use in one.iter(use_tag)) for one in named}
        clip_targets = frozenset(one.get("id", "") for one in named if one.tag == clip_tag)
        icons = frozenset(self.icons)
        return Layer(
            root, frozenset(groups), _look(root), shared, icons, hrefs, tuple(clips), targets, clip_targets
        )  # fmt: skip

    def check_attributes(self, element: Element, tag: str) -> None:
        attributes: Any = element.attrib
        for key, value in attributes.items():
            # Long values do not come again; short ones are checked once.
            fault = attribute_fault(tag, key, value) if len(value) < 40 else unchecked_fault(tag, key, value)
            if fault:
                self.problem(*fault)
        if tag in ("polygon", "polyline") and "points" not in attributes:
            self.problem(*unchecked_fault(tag, "points", "") or ("", ""))

    def make_absolute(self, path: Element) -> None:
        written = path.get("d", "")
        try:
            absolute = absolute_path(written)
        except Exception as error:  # fontTools raises many kinds for a malformed path
            self.problem(f'the path "{written[:40]}" cannot be read: {error}')
            return
        if _ABSOLUTE.fullmatch(absolute) is None:
            self.problem(f'the path "{written[:40]}" cannot be read', "its numbers are millimetres")
        path.set("d", absolute)

    def check_links(self, layers: list[Layer]) -> None:
        """Every use and clip path leads somewhere in the face, and symbols do not use each other without end."""
        if not any(layer.uses or layer.clips for layer in layers):
            return
        inside: dict[str, tuple[str, ...]] = {}
        for layer in layers:
            inside.update(layer.targets)
        clip_targets = {id_ for layer in layers for id_ in layer.clip_targets}
        for clip in (clip for layer in layers for clip in layer.clips):
            if not clip.startswith("url(#") or clip[5:-1] not in clip_targets:
                self.problem(f'clip-path="{clip}" leads nowhere', "write url(#id) of a <clipPath>")
        uses = [href for layer in layers for href in layer.uses]
        for href in uses:
            if href[1:] not in inside or not href.startswith("#"):
                self.problem(
                    f'<use href="{href}"> leads nowhere', did_you_mean(href[1:], [id_ for id_ in inside if id_])
                )
        if self.sound and any(inside.values()) and _drawings(uses, inside) > MOST_DRAWINGS:
            self.problem(f"symbols within symbols draw more than {MOST_DRAWINGS:,} shapes", "or one uses itself")

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

    def textbox(self, box: Element) -> Element | None:
        """The lines that fit into a text box, as a group; None with a problem when none do."""
        label = box.get("name") or "text box"
        try:
            number = {key: float(box.get(key, default)) for key, default in _BOX_NUMBERS.items()}
        except ValueError:
            self.problem(f"{label}: x, y, width, height, size, floor, leading and tight are numbers")
            return None
        family = box.get("font", "SourceSansPro")
        font = find_font(family)
        if font is None:
            self.problem(f'{label}: there is no font "{family}"', did_you_mean(family, font_paths()))
            return None
        text = "".join(str(part) for part in box.itertext())
        size = number["size"]
        floor = number["floor"] or min(size, 6.5)
        if not (0 < floor <= size <= 1000 and 0.5 <= number["tight"] <= number["leading"] <= 10):
            self.problem(
                f"{label}: size {size:g}, floor {floor:g}, leading {number['leading']:g} and tight {number['tight']:g} "
                "do not go together",
                "0 < floor ≤ size, 0.5 ≤ tight ≤ leading",
            )
            return None
        try:
            words = read_words(text, family, self.composer.words_of)
        except (MissingGlyph, UnknownFont) as error:
            self.problem(f"{label}: {error}")
            return None
        block = fit(words, font, number["width"], number["height"], size, floor, number["leading"], number["tight"])
        if block is None:
            shown = " ".join(text.split())
            self.problem(
                f'{label}: "{shown[:60]}{"…" if len(shown) > 60 else ""}" does not fit into '
                f"{number['width']:g} × {number['height']:g} mm at {floor:g} pt",
                "write less, or give it more room",
            )
            return None
        return self.set_block(block, font, box, number)

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
        group = etree.Element(f"{{{SVG}}}g", {"fill": fill}, nsmap=_NAMESPACE)
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
        self, group: Element, words: tuple[Word, ...], x: float, y: float, em: float, space: float, end: str
    ) -> None:
        """One line: runs of one font become <text>, icons become <use>."""
        run, run_x, run_font = "", x, ""

        def flush(tail: str = "") -> None:
            if run:
                text = etree.SubElement(
                    group,
                    _TEXT,
                    {"x": f"{run_x:.3f}", "y": f"{y:.3f}", "font-family": run_font, "font-size": f"{em:.4f}"},
                )
                text.text = run + tail

        plain = {word.pieces[0].font if len(word.pieces) == 1 else "" for word in words}
        if len(plain) == 1 and "" not in plain and not any(word.pieces[0].icon for word in words):
            run, run_font = " ".join([word.pieces[0].text for word in words]), plain.pop()
            flush(end)
            return
        for index, word in enumerate(words):
            if index:
                x += space * em
                if run:
                    run += " "
            for piece in word.pieces:
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


def read_icon(path: Path, name: str) -> Element:
    """An icon file as a <symbol>. Its viewBox is kept; what has no fill of its own takes the colour it is used with."""
    svg = etree.fromstring(path.read_bytes(), _PARSER)
    if svg.tag != f"{{{SVG}}}svg":
        raise ValueError(f'it begins with <svg xmlns="{SVG}">')
    box = svg.get("viewBox", "0 0 24 24").split()
    if len(box) != 4 or not all(is_number(part) for part in box) or float(box[2]) <= 0 or float(box[3]) <= 0:
        raise ValueError(f'its viewBox is "{svg.get("viewBox")}"; write it as 0 0 24 24')
    symbol = etree.Element(f"{{{SVG}}}symbol", {"id": f"icon-{name}", "viewBox": svg.get("viewBox", "0 0 24 24")})
    for child in svg:
        if _tag(child) not in ("title", "desc"):
            symbol.append(child)
    return symbol


@lru_cache(maxsize=1024)
def absolute_path(d: str) -> str:
    """A path with absolute M, L, C and Z only: arcs and shorthands are resolved.

    >>> absolute_path("m1 1h2v2z")
    'M1 1L3 1L3 3L1 1Z'
    """
    from fontTools.svgLib.path import parse_path  # not every face has a path, and the import takes a while

    pen = _AbsolutePen()
    parse_path(d, pen)
    return "".join(pen.layers)


def _short(value: float) -> str:
    """A number of millimetres with three decimals, and with four below 1: an icon may be drawn on a square of 1."""
    text = f"{value:.{4 if abs(value) < 1 else 3}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _pair(point: tuple[float, float]) -> str:
    return f"{_short(point[0])} {_short(point[1])}"


class _AbsolutePen:
    """A fontTools pen that writes a path with absolute M, L, C and Z only."""

    def __init__(self) -> None:
        self.layers: list[str] = []
        self.at = (0.0, 0.0)

    def moveTo(self, pt: tuple[float, float]) -> None:  # noqa: N802 - fontTools names these
        self.layers.append(f"M{_pair(pt)}")
        self.at = pt

    def lineTo(self, pt: tuple[float, float]) -> None:  # noqa: N802
        self.layers.append(f"L{_pair(pt)}")
        self.at = pt

    def curveTo(self, a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> None:  # noqa: N802
        self.layers.append(
            f"C{_short(a[0])} {_short(a[1])} {_short(b[0])} {_short(b[1])} {_short(c[0])} {_short(c[1])}"
        )
        self.at = c

    def qCurveTo(self, b: tuple[float, float], c: tuple[float, float]) -> None:  # noqa: N802
        a = self.at
        one = (a[0] + 2 / 3 * (b[0] - a[0]), a[1] + 2 / 3 * (b[1] - a[1]))
        two = (c[0] + 2 / 3 * (b[0] - c[0]), c[1] + 2 / 3 * (b[1] - c[1]))
        self.curveTo(one, two, c)

    def closePath(self) -> None:  # noqa: N802
        self.layers.append("Z")

    def endPath(self) -> None:  # noqa: N802
        pass


_ABSOLUTE = re.compile(r"(?:[MLC](?:-?\d+(?:\.\d*)?(?:e[-+]?\d+)? ?)+|Z)*")
_BOX_NUMBERS = {
    "x": "0", "y": "0", "width": "0", "height": "0", "size": "8", "floor": "0", "leading": "1.25", "tight": "1.08",
}  # fmt: skip


def _drawings(uses: list[str], inside: Mapping[str, tuple[str, ...]]) -> int:
    """How often symbols are drawn when every use is followed; beyond the bound when one leads back to itself."""
    counts: dict[str, int] = {}

    def count(hrefs: Iterable[str], depth: int) -> int:
        if depth > MOST_NESTED:
            return MOST_DRAWINGS + 1
        total = 0
        for href in hrefs:
            if href not in counts:
                counts[href] = 1 + count(inside[href[1:]], depth + 1)
            total += counts[href]
        return total

    return count(uses, 0)


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else "?"


def _inherited(element: Element | None, attribute: str) -> str | None:
    while element is not None:
        value = element.get(attribute)
        if value is not None:
            return value
        element = element.getparent()
    return None
