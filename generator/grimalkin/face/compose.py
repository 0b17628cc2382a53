"""A component and a face template in, a Face out. What cannot be composed is a problem with the card's name.

Cards of one template have much in common: a frame, an icon, a number. So a face is resolved layer by layer, each a
child of its outermost element, and a layer whose text was met before is not resolved again.
"""

from __future__ import annotations

import copy
import hashlib
import re
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path, PurePath
from typing import Any, Literal, TypeVar

from jinja2 import BytecodeCache, TemplateError, TemplateNotFound, TemplateSyntaxError
from jinja2.utils import missing
from lxml import etree
from markupsafe import Markup, escape

from grimalkin.content.game import Game
from grimalkin.content.models import Component, Deck
from grimalkin.content.references import first_mark, loose_fault, loose_marks
from grimalkin.content.stocks import Stock
from grimalkin.content.templates import TEMPLATE, face_folders, template_hint
from grimalkin.face.compiled import compiled_templates
from grimalkin.face.faults import TemplateFault, kind_of, said_of, syntax_message, template_message
from grimalkin.face.fields import Field, FieldFault, name_faults, place_fault, read_field
from grimalkin.face.fit import (
    POINT,
    Block,
    MissingGlyph,
    UnknownFont,
    Word,
    blank_spaces,
    fit,
    read_words,
    text_width,
    written,
)
from grimalkin.face.fonts import Font, find_font, font_fault
from grimalkin.face.icons import Icons
from grimalkin.face.lines import find_element, find_line, find_text
from grimalkin.face.paths import MOST_LENGTH, PathFault, absolute_path, matrix_of, times
from grimalkin.face.sandbox import FILTERS, TEXT_METHODS, MissingName, Sandbox
from grimalkin.face.subset import CLIPS, ELEMENTS, SVG, attribute_fault, missing_fault, nesting_fault, unchecked_fault
from grimalkin.face.xml import ENTITY, MISMATCH, PARSER, Element, line_of, tag_of, xml_message
from grimalkin.problems import GUIDE, Place, Problem, Problems, Stop, did_you_mean, shown_path
from grimalkin.problems.plain import plural
from grimalkin.source import data_folder
from grimalkin.source.digest import in_letters

MOST_DRAWINGS = 20_000
MOST_NESTED = 8
"""How often a face may draw symbols, and how deep symbols may use symbols."""
MOST_KEPT = 2_000
"""Parts kept because they came twice. Beyond it all are let go: what comes often is soon back."""
MOST_SEEN = 50_000
MOST_IN_BOX = 20_000
"""Characters of a text box; a whole page of small print has a third."""
MOST_TOLD = 20
"""Faults of one face."""
MOST_NAMED = 5
"""Faces that a fault names beside the first."""
MOST_RECENT = 32
"""Components whose faces are kept: copies of one card follow each other on a sheet."""
_TEXT = f"{{{SVG}}}text"
_FIELD = f"{{{SVG}}}field"
_BOX = f"{{{SVG}}}textbox"
_WITH_TEXT = frozenset(["text", "tspan", "textbox", "title", "desc"])
_NAMESPACE: Any = {None: SVG}
S = TypeVar("S", bound=Sandbox)
Inks = Literal["full", "low", "mono"]
"""Designs of a face: all its inks; white paper and outlines; black alone. Templates know it as `inks`."""


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """A child of a face's outermost element, resolved. Faces share layers; nobody changes them."""

    element: Element
    boxes: Mapping[Element, Mapping[str, str]] = field(default_factory=dict)
    """The groups that were text boxes, with the attributes of these."""
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
    form_field: Field | None = None
    """What is filled in here; nothing is drawn then."""


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
    def fields(self) -> tuple[Field, ...]:
        """What is filled in on a form, in the order of the template."""
        return tuple(layer.form_field for layer in self.content if layer.form_field)

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


@dataclass(slots=True)
class _Told:
    """A fault of faces: the face that is named, with the row that is at fault, and all that have it."""

    first: str
    message: str
    hint: str
    also: Place | None
    faces: dict[str, None] = field(default_factory=dict)

    def problem(self, place: Place) -> Problem:
        more = len(self.faces) - 1
        count = f" (and {plural(more, 'more face')}{self.others() if self.also else ''})" if more else ""
        written = f"the face {self.first}: {self.message}"
        if self.hint:
            return Problem(place, written, self.hint + count, self.also)
        return Problem(place, written + count, "", self.also)

    def others(self) -> str:
        """The other faces, if what is wrong is written in the row of each."""
        others = [face for face in self.faces if face != self.first]
        return ": " + ", ".join(others[:MOST_NAMED]) + (", …" if len(others) > MOST_NAMED else "")


@lru_cache(maxsize=256)
def _cut(stock: Stock) -> bytes:
    """What of a stock can be seen on the finished piece."""
    return stock.model_dump_json(exclude={"name", "source", "safe"}).encode()


def _look(element: Element) -> bytes:
    return hashlib.sha256(etree.tostring(element, method="c14n", with_tail=False)).digest()


class Composer:
    """Composes the faces of one game. Templates come from the game's own folder first, then from the shared one."""

    def __init__(self, game: Game, stocks: Mapping[str, Stock], problems: Problems, inks: Inks = "full") -> None:
        self.game = game
        self.stocks = stocks
        self.problems = problems
        self.icons = Icons(game.folder, problems)
        self.folders = face_folders(game.folder)
        self.sandbox = self.new_sandbox(Sandbox, compiled_templates())
        self.words_of = {row.id: row.name for row in game.by_id.values()}
        self.words_of.update({rule.id: rule.id for rule in game.rules.values()})
        self.words_of.update({term.id: term.name for term in game.terms})
        decks = {deck: [self.rows[row.id] for row in rows] for deck, rows in game.components.items()}
        self.shared = {**_shared_context(game), "decks": decks, "inks": inks}
        self.stock_values = {stock: stock.model_dump() for stock in stocks.values()}
        self.kept: dict[bytes, Layer] = {}
        """Parts by the text they came from."""
        self.seen: set[int] = set()
        """Hashes of texts that came once."""
        self.constant: dict[tuple[str, str, Stock], tuple[Layer, ...]] = {}
        """Faces of templates that never look at their card, by template, side and stock: most backs."""
        self.recent: dict[str, tuple[Face | None, Face | None]] = {}
        self.icon_layers: dict[frozenset[str], Layer] = {}
        self.told: dict[tuple[Place, str], _Told] = {}
        """Faults of faces."""
        self.checked: set[str] = set()
        """Templates whose blocks were looked at."""

    def new_sandbox(self, kind: type[S], compiled: BytecodeCache | None = None) -> S:
        """An environment for the templates of this game, with all that they may call."""
        roots = [self.game.folder, data_folder("templates")]
        made = kind(self.folders, True, compiled, roots, {"icon": icon_function(self.icons), "fail": _fail})
        made.rows = frozenset(id(row) for row in self.rows.values())
        return made

    @cached_property
    def rows(self) -> dict[str, dict[str, Any]]:
        """Every component as a template sees it, by id."""
        game = self.game
        return {row.id: _plain_row(row, deck) for deck in game.info.decks for row in game.components[deck.id]}

    def faces(self, deck: Deck, component: Component) -> tuple[Face | None, Face | None]:
        """Front and back of a component. A side is None when there is none, or when it could not be composed."""
        known = self.recent.get(component.id)
        if known:
            return known
        values = self.rows[component.id]
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
        self, template: str, id_: str, name: str, alt: str | None, stock: Stock, card: dict[str, Any], **more: Any
    ) -> Face | None:
        """One face. `card` is what the template knows under that name; `more` are further names."""
        file = f"{template}{TEMPLATE}"
        side = id_.rpartition("-")[2]
        constant = self.constant.get((template, side, stock)) if not more else None
        if constant is not None:
            return Face(id_, name, alt or name, stock, constant)
        stock_values = self.stock_values.get(stock) or stock.model_dump()
        context = {**self.shared, "card": card, "stock": stock_values, "side": side, **more}
        try:
            text = self.sandbox.render(file, context)
        except Stop as stop:
            self.problems.found.update(dict.fromkeys(stop.problems))
            return None
        except Exception as error:  # Jinja runs what a stranger wrote: whatever comes of it is a fault of the template
            place = self.template_place(file, error)
            if isinstance(error, TemplateNotFound) and error.name == file:
                message, hint = self.template_fault(error)[0], template_hint(self.game.folder, template, TEMPLATE)
                self.fault(id_, self.named_place(template, side) or place, message, hint)
            else:
                self.fault(id_, place, *self.template_fault(error))
            return None
        if len(self.sandbox.parsed) > len(self.checked):
            self.check_blocks()
        layers = self.resolve(text, id_, file, stock)
        if layers is None:
            return None
        if "card" not in self.sandbox.asked and not more:
            self.constant[template, side, stock] = layers
        return Face(id_, name, alt or name, stock, layers)

    def resolve(self, text: str, id_: str, file: str, stock: Stock) -> tuple[Layer, ...] | None:
        """The layers of a rendered template, None when one of them is at fault."""
        resolver = _Resolver(self, id_, file, stock)
        try:
            root = etree.fromstring(text.encode(), PARSER)
        except UnicodeEncodeError as error:
            resolver.problem(
                f"U+{ord(text[error.start]):04X} is not a character", "it is half of one: write the whole character"
            )
            return None
        except etree.XMLSyntaxError as error:
            self.xml_fault(error, text, id_, file)
            return None
        if root.tag != f"{{{SVG}}}svg":
            what = "<svg> without its namespace" if tag_of(root) == "svg" else f"<{tag_of(root)}>"
            resolver.problem(f"the outermost element is {what}", f'it is <svg xmlns="{SVG}">')
            return None
        resolver.check_attributes(root, "svg")
        if "<!DOCTYPE" in text and any(True for _ in root.iter(etree.Entity)):
            resolver.problem("<?> is not drawn")
            return None
        layers: list[Layer] = []
        icons: set[str] = set()
        resolver.check_stray(root.text)
        for child in root:
            tail = child.tail
            if tail and not tail.isspace():
                resolver.check_stray(tail)
            if child.tag == _FIELD:
                place = resolver.field(child)
                if place is not None:
                    layers.append(place)
                continue
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
                    child = etree.fromstring(source, PARSER)
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
            symbols = self.icon_symbols(frozenset(icons), resolver, root)
            if symbols:
                layers.insert(0, symbols)
        if resolver.sound:
            resolver.check_links(layers)
            for fault in name_faults([layer.form_field for layer in layers if layer.form_field]).values():
                resolver.problem(fault)
        return tuple(layers) if resolver.sound else None

    def icon_symbols(self, names: frozenset[str], resolver: _Resolver, root: Element) -> Layer | None:
        """The symbols of these icons, as a layer that stands before all others."""
        known = self.icon_layers.get(names)
        if known:
            return known
        defs = etree.Element(f"{{{SVG}}}defs", nsmap=_NAMESPACE)
        for name in sorted(names):
            if name not in self.icons:
                use = next((use for use in root.iter(f"{{{SVG}}}use") if use.get("href") == f"#icon-{name}"), None)
                resolver.problem(f'there is no icon "{name}"', self.icons.hint(name), use, wrong="href")
                continue
            symbol = self.icons.symbol(name)
            if symbol is None:
                resolver.sound = False
            else:
                defs.append(copy.deepcopy(symbol))
        layer = resolver.layer(defs, True) if resolver.sound else None
        if layer:
            self.icon_layers[names] = layer
        return layer

    def fault(
        self, id_: str, place: Place, message: str, hint: str = "", also: Place | None = None, kind: str = ""
    ) -> None:
        """Tell a fault once, with the number of faces that have it. `also` is the row of the first.

        `kind` is what makes it the same fault, if it is not the message.
        """
        told = self.told.setdefault((place, kind or message), _Told(id_, message, hint, also))
        if told.faces:
            self.problems.found.pop(told.problem(place), None)
        told.faces[id_] = None
        self.problems.found[told.problem(place)] = None

    def check_blocks(self) -> None:
        """Tell what templates write in vain: blocks that what they extend lacks, and what is in no block."""
        shapes = self.sandbox.parsed
        for name in sorted(shapes.keys() - self.checked):
            shape = shapes[name]
            self.checked.add(name)
            above = self.templates_of(name, True)[1:]
            if not above or not all(one in shapes and not shapes[one].is_open for one in above) or shape.is_open:
                continue
            path = shown_path(Path(shape.file))
            known = set().union(*(shapes[one].blocks for one in above))
            for block, line in shape.outermost.items():
                if block not in known:
                    where = " or ".join(above)
                    message = f'there is no block "{block}" in {where}'
                    self.problems.add(Place(path, line), message, did_you_mean(block, known))
            if shape.loose:
                self.problems.add(
                    Place(path, shape.loose), "what stands outside of all blocks is not drawn", "write it in a block"
                )

    def templates_of(self, name: str, is_above: bool = False) -> list[str]:
        """A template and all that it extends, includes and imports; with `is_above` only what it extends."""
        names = [name]
        for one in names:
            shape = self.sandbox.parsed.get(one)
            if shape:
                more = shape.parents if is_above else [*shape.parents, *shape.used]
                names.extend(other for other in dict.fromkeys(more) if other not in names)
        return names

    def files_of(self, name: str) -> list[str]:
        """The files of a template and of all that it uses."""
        return [self.sandbox.parsed[one].file for one in self.templates_of(name) if one in self.sandbox.parsed]

    def xml_fault(self, error: etree.XMLSyntaxError, text: str, id_: str, file: str) -> None:
        """Tell why a rendered template is not XML, in words that are the same for every card."""
        message, hint = xml_message(error.msg)
        lines = text.split("\n")
        line = lines[min(error.lineno or 1, len(lines)) - 1].strip()
        files = self.files_of(file)
        place = None
        pair = MISMATCH.match(error.msg or "")
        if pair:
            if pair[3] not in ELEMENTS and pair[3] != "textbox":
                place = find_text(files, f"</{pair[3]}>")
            place = place or find_line(files, lines[min(int(pair[2]), len(lines)) - 1])
        entity = ENTITY.search(error.msg or "")
        place = (find_text(files, f"&{entity[1]};") if entity else place) or find_line(files, line)
        if place is None:
            hint = hint or f'near "{line[:80]}"'
        self.fault(id_, place or self.template_place(file, None), f"it is not XML: {message}", hint)

    def template_fault(self, error: Exception) -> tuple[str, str]:
        """What went wrong while a template was rendered, and a hint or nothing."""
        missing = re.match(r"No (filter|test) named '(.*)'", said_of(error))
        if missing and isinstance(error, TemplateError):
            known = FILTERS if missing[1] == "filter" else self.sandbox.tests
            return f'there is no {missing[1]} "{missing[2]}"', did_you_mean(missing[2], known, GUIDE)
        if isinstance(error, MissingName):
            return self.missing_name(error)
        if isinstance(error, TemplateSyntaxError):
            return syntax_message(said_of(error))
        if isinstance(error, TemplateNotFound):
            name = (error.name or "")[:200]
            message = f'there is no template "{name}" in the face folders'
            return message, template_hint(self.game.folder, name.rpartition(": ")[2])
        return template_message(error)

    def missing_name(self, error: MissingName) -> tuple[str, str]:
        """What a template asked for in vain, and what may be meant."""
        owner, name, known = error.owner, error.name, self.sandbox.names
        if not name:
            return said_of(error), ""
        if owner is missing:
            tables = {one: value for one, value in known.items() if isinstance(value, dict)}
            inside = {key: f'"{one}.{key}"' for one, value in tables.items() for key in value if isinstance(key, str)}
            hint = did_you_mean(name, {**inside, **known})
            for key in inside.keys() - known.keys():
                hint = hint.replace(f'"{key}"', inside[key])
            return f'there is no "{name[:200]}" here', hint or did_you_mean(name, known, GUIDE)
        if not isinstance(name, str):
            count = f"there are {len(owner)}, counted from 0" if isinstance(owner, str | list | tuple | range) else ""
            return f"there is no item {str(name)[:40]} here", count
        if not isinstance(owner, dict):
            hint = did_you_mean(name, TEXT_METHODS) if isinstance(owner, str) else ""
            hint = f"a method is called: {name}()" if name in TEXT_METHODS else hint
            return f'{kind_of(type(owner).__name__)} has no "{name[:200]}"', hint
        keys = [key for key in owner if isinstance(key, str)]
        return f'there is no "{name[:200]}" here', did_you_mean(name, keys, "it is none of them")

    def template_place(self, file: str, error: Exception | None) -> Place:
        """The line of a template at which an error arose."""
        if isinstance(error, TemplateSyntaxError) and error.filename:
            return Place(shown_path(Path(error.filename)), error.lineno)
        for frame in reversed(traceback.extract_tb(error.__traceback__) if error else []):
            if frame.filename.endswith(".j2"):
                return Place(shown_path(Path(frame.filename)), frame.lineno or 0)
        if ".." in PurePath(file).parts or PurePath(file).is_absolute():  # what lies outside is nobody's to ask for
            return Place(shown_path(self.folders[0]))
        for folder in self.folders:
            if (folder / file).is_file():
                return Place(shown_path(folder / file))
        return Place(shown_path(self.folders[0] / file))

    def named_place(self, template: str, side: str) -> Place | None:
        """Where game.yaml names a template for this side of a deck, if it does."""
        source = self.game.source
        for index, deck in enumerate(self.game.info.decks):
            if source and template == (deck.faces.front if side == "front" else deck.faces.back):
                return source.place(("decks", index, "faces", side))
        return None

    def row_place(self, id_: str) -> Place | None:
        """Where the component is written whose face this is, if it is a component's."""
        component = id_.rpartition("-")[0]
        return self.game.place(component) if component in self.game.by_id else None

    def column_of(self, id_: str, fits: Callable[[str], bool]) -> str:
        """The first column of a card whose text fits; "" when none does."""
        values = self.rows.get(id_.rpartition("-")[0], {})
        found = (column for column, value in values.items() if value not in (None, "") and fits(str(value)))
        return next(found, "").replace("_", "-")


def icon_function(icons: Icons) -> Callable[..., Markup]:
    """The function `icon` of templates."""

    def icon(name: str, x: float, y: float, size: float, fill: str, label: str = "") -> Markup:
        """An icon as SVG, its upper left corner at x, y mm, `size` mm wide and high. With a label it is read aloud."""
        for value in (name, fill, label):
            if not isinstance(value, str):
                raise TemplateError("icon(name, x, y, size, fill, label): the name, the fill and the label are texts")
        if name not in icons:
            raise TemplateFault(f'there is no icon "{name[:200]}"', icons.hint(name))
        for key, number in (("x", x), ("y", y), ("size", size)):
            if not isinstance(number, int | float):
                shown = number[:40] if isinstance(number, str) else "no number"
                raise TemplateFault(f'icon("{name}"): {key} is "{shown}"', "write a number of millimetres")
        label_part = f' role="img" aria-label="{escape(label)}"' if label else ""
        return Markup(
            f'<use href="#icon-{name}" x="{x:.3f}" y="{y:.3f}" width="{size:.3f}" height="{size:.3f}"'
            f' fill="{escape(fill)}"{label_part}/>'
        )

    return icon


def _shared_context(game: Game) -> dict[str, Any]:
    """What every template of a game knows."""
    return {
        "game": {"name": game.name, "title": game.info.title, "tagline": game.info.tagline},
        "palette": dict(game.info.palette),
        "ink": "#1d1a26",
        "paper": "#f7f1e3",
        "moon": "#e8d9a8",
    }


def _plain_row(component: Component, deck: Deck) -> dict[str, Any]:
    """A component as a template sees it: plain values. Hyphens in the names of columns are underscores."""
    values = {"id": component.id, "name": component.name, "count": component.count, "deck": deck.id}
    columns = [column.replace("-", "_") for column in deck.columns]
    values.update((column, getattr(component, column)) for column in columns)
    return values


def _fail(message: str) -> str:
    """Stops a template with a message of its own."""
    if not isinstance(message, str | int | float):
        raise TemplateError('write fail("what is wrong")')
    raise TemplateError(str(message))


class _Resolver:
    """Turns the children of one rendered template into layers: checks the subset, fits the text boxes."""

    def __init__(self, composer: Composer, id_: str, file: str, stock: Stock) -> None:
        self.composer = composer
        self.id = id_
        self.file = file
        self.stock = stock
        self.icons: set[str] = set()
        self.sound = True
        self.told = 0

    def problem(
        self,
        message: str,
        hint: str = "",
        element: Element | None = None,
        also: Place | None = None,
        wrong: str = "",
        kind: str = "",
    ) -> None:
        """Tell a fault, at the line of the template that wrote the element when that can be known.

        `wrong` is the attribute at fault, if it is one; `kind` is as in `Composer.fault`.
        """
        self.sound = False
        self.told += 1
        if self.told > MOST_TOLD:
            return
        composer = self.composer
        icon = self.icon_place(element)
        if icon:
            composer.problems.add(icon, message, hint)
            return
        place = None
        if element is not None:
            attributes = {str(key): str(value) for key, value in element.attrib.items()}
            files, text = composer.files_of(self.file), str(element.text or "")
            place = find_element(files, tag_of(element), attributes, text, wrong)
        composer.fault(self.id, place or composer.template_place(self.file, None), message, hint, also, kind)

    def icon_place(self, element: Element | None) -> Place | None:
        """The line of an icon's file at which an element stands, None when it is not an icon's."""
        for one in (element, *element.iterancestors()) if element is not None else ():
            id_ = one.get("id") or ""
            path = self.composer.icons.get(id_.removeprefix("icon-"))
            if tag_of(one) == "symbol" and id_.startswith("icon-") and path:
                return Place(shown_path(path), 0 if one is element else line_of(element))
        return None

    def row_place(self) -> Place | None:
        return self.composer.row_place(self.id)

    def no_glyph(self, error: MissingGlyph | UnknownFont, text: str, label: str, element: Element) -> None:
        """Tell of a character that a font lacks, in the column it comes from, or of a font that is not there."""
        if isinstance(error, UnknownFont):
            message, hint = font_fault(error.name) or (str(error), "")
            styled = (
                "" if element.get("font-family") == error.name else "bold and italic text have fonts of their own; "
            )
            self.problem(f"{label}{message}", styled + hint, element)
            return
        column = self.composer.column_of(self.id, lambda cell: error.char in cell and cell in text)
        hint = f'it stands in the column "{column}"' if column else ""
        hint = f"{hint}{'; ' if hint else ''}leave it out, or choose a font that has it"
        self.problem(f"{label}{error}", hint, element, self.row_place() if column else None)

    def check_stray(self, text: str | None, element: Element | None = None) -> None:
        """Text that stands between elements would not be drawn. `element` is the one it stands in or behind."""
        if not text or text.isspace():
            return
        shown = text.strip().split("\n")[0].strip()
        message, hint = f'the text "{shown[:40]}" stands between elements', "write it in a <text> or a <textbox>"
        if self.icon_place(element):
            self.problem(message, hint, element)
            return
        place = find_text(self.composer.files_of(self.file), shown)
        self.composer.fault(self.id, place or self.composer.template_place(self.file, None), message, hint)
        self.sound = False

    def layer(self, root: Element, shared: bool) -> Layer | None:
        """A child of the outermost element, resolved; None when something in it is at fault."""
        before, self.sound, self.icons = self.sound, True, set()
        resolved = self.resolve(root, shared)
        if resolved is None:
            return None
        self.sound = before
        return resolved

    def field(self, element: Element) -> Layer | None:
        """A field of a form as a layer; an empty group is all that is left of it in the face."""
        before, self.sound = self.sound, True
        self.check_attributes(element, "field")
        for child in element:
            self.problem(f"<{tag_of(child)}> in a field is not drawn", "a field is empty", element)
        self.check_stray(element.text, element)
        field = None
        if self.sound:
            try:
                field = read_field({str(key): str(value) for key, value in element.attrib.items()})
                misplaced = place_fault(field, self.stock.width, self.stock.height, self.id.rpartition("-")[2])
            except FieldFault as fault:
                misplaced = fault
            if misplaced:
                self.problem(misplaced.message, misplaced.hint, element)
        self.sound = self.sound and before
        return Layer(etree.Element(f"{{{SVG}}}g", nsmap=_NAMESPACE), form_field=field) if field else None

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
            tag = tag_of(element)
            if element.tag == _BOX:
                boxes.append(element)
            elif tag == "field":
                self.problem("a <field> stands within another element", "write it on its own, outside of all", element)
                continue
            elif tag == "svg":
                self.problem("<svg> stands within a face", "write <g>, or a <symbol> and <use>", element)
                continue
            elif tag not in ELEMENTS or element.tag != f"{{{SVG}}}{tag}":
                self.problem(
                    f"<{tag}> is not drawn",
                    _INSTEAD.get(tag) or did_you_mean(tag, [*ELEMENTS, "textbox", "field"], GUIDE),
                    element,
                )
                continue
            self.check_attributes(element, tag)
            holder = element.getparent() if element is not root else None
            fault = holder is not None and holder.tag != _BOX and nesting_fault(str(holder.tag), tag)
            if fault:
                self.problem(*fault, element)
            attributes = element.attrib
            if tag == "text" or tag == "tspan":
                texts.append(element)
            elif tag == "path":
                paths.append(element)
            elif tag == "use":
                uses.append(element)
            elif tag == "clipPath":
                self.check_clip(element)
            elif "clip-path" in attributes:
                clips.append(str(attributes["clip-path"]))
            if "transform" in attributes:
                self.check_size(element)
            if "id" in attributes:
                named.append(element)
            stroked = stroked or "stroke" in attributes
            if tag not in _WITH_TEXT and element.text:
                if not element.text.isspace():
                    self.check_stray(element.text, element)
                element.text = None
            if tag != "tspan" and element.tail:
                if not element.tail.isspace():
                    self.check_stray(element.tail, element)
                element.tail = None
        if not self.sound:
            return None
        for text in texts:
            text.text = text.text and _on_one_line(
                written(text.text), (whole := text.tag == _TEXT), whole and not len(text)
            )
            text.tail = text.tail and _on_one_line(written(text.tail), last=text.getnext() is None)
            self.check_glyphs(text)
        groups: dict[Element, Mapping[str, str]] = {}
        for box in boxes:
            group = self.textbox(box)
            if group is None:
                continue
            groups[group] = {str(key): str(value) for key, value in box.attrib.items()}
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
            root, groups, _look(root), shared, icons, hrefs, tuple(clips), targets, clip_targets
        )  # fmt: skip

    def check_attributes(self, element: Element, tag: str) -> None:
        attributes: Any = element.attrib
        sound = True
        for key, value in attributes.items():
            # Long values do not come again; short ones are checked once.
            fault = attribute_fault(tag, key, value) if len(value) < 40 else unchecked_fault(tag, key, value)
            if fault:
                sound = False
                message, hint = fault
                column = self.composer.column_of(self.id, value.__eq__)
                if column:
                    hint += f'{", " if hint else ""}in the column "{column}"'
                self.problem(message, hint, element, self.row_place() if column else None, key)
        lacking = missing_fault(tag, attributes) if sound else None
        if lacking:
            self.problem(*lacking, element)

    def check_clip(self, clip: Element) -> None:
        """A clip path is one shape as it stands: what else SVG allows would be cut in another way on paper."""
        wrong = next((child for child in clip if tag_of(child) not in CLIPS or "transform" in child.attrib), None)
        if wrong is not None or len(clip) != 1:
            shapes = ", ".join(sorted(CLIPS))
            self.problem("a <clipPath> holds one shape, and no transform", f"one of: {shapes}", clip)

    def check_size(self, element: Element) -> None:
        """Groups that stretch within groups that stretch stay of a size that paper has."""
        matrix = matrix_of(element.get("transform", ""))
        for above in element.iterancestors():
            outer = above.get("transform")
            if outer and matrix:
                matrix = times(matrix_of(outer) or matrix, matrix)
        if matrix and not all(abs(one) <= MOST_LENGTH for one in matrix):
            hint = "leave one of them out"
            self.problem("transforms within transforms stretch this beyond all paper", hint, element, wrong="transform")

    def make_absolute(self, path: Element) -> None:
        written = path.get("d", "")
        try:
            path.set("d", absolute_path(written))
        except PathFault as error:
            self.problem(f'the path "{written[:40]}" cannot be read', str(error), path, wrong="d")

    def check_links(self, layers: list[Layer]) -> None:
        """Every use and clip path leads somewhere in the face, and symbols do not use each other without end."""
        if not any(layer.uses or layer.clips for layer in layers):
            return
        inside: dict[str, tuple[str, ...]] = {}
        for layer in layers:
            inside.update(layer.targets)
        clip_targets = {id_ for layer in layers for id_ in layer.clip_targets}

        def find(key: str, value: str) -> Element | None:
            elements = (element for layer in layers for element in layer.element.iter())
            return next((element for element in elements if element.get(key) == value), None)

        for clip in (clip for layer in layers for clip in layer.clips):
            if self.told >= MOST_TOLD:
                return
            if not clip.startswith("url(#") or clip[5:-1] not in clip_targets:
                hint, at_fault = "write url(#id) of a <clipPath>", find("clip-path", clip)
                self.problem(f'clip-path="{clip}" leads nowhere', hint, at_fault, wrong="clip-path")
        uses = [href for layer in layers for href in layer.uses]
        for href in uses:
            if self.told >= MOST_TOLD:
                return
            if href[1:] not in inside or not href.startswith("#"):
                hint = did_you_mean(href[1:], [id_ for id_ in inside if id_])
                self.problem(f'<use href="{href}"> leads nowhere', hint, find("href", href), wrong="href")
        if self.sound and any(inside.values()) and _drawings(uses, inside) > MOST_DRAWINGS:
            self.problem(f"symbols within symbols draw more than {MOST_DRAWINGS:,} shapes", "or one uses itself")

    def check_glyphs(self, text: Element) -> None:
        for part, element in ((text.text, text), (text.tail if tag_of(text) == "tspan" else None, text.getparent())):
            family = _inherited(element, "font-family") if part and element is not None else None
            if part and part.strip() and family is None:
                self.problem(f'the text "{part.strip()[:30]}" has no font-family', "", text)
            elif part and part.strip() and _inherited(element, "font-size") is None:
                self.problem(f'the text "{part.strip()[:30]}" has no font-size', "", text)
            elif part and family:
                mark = first_mark(part) if any(sign in part for sign in ("*", ":", "[[", "\\")) else ""
                if mark:
                    self.problem(f'<text> prints "{mark}" as it stands', "write it in a <textbox>", text)
                try:
                    text_width(family, part)
                except (MissingGlyph, UnknownFont) as error:
                    self.no_glyph(error, part, "", text)

    def textbox(self, box: Element) -> Element | None:
        """The lines that fit into a text box, as a group; None with a problem when none do."""
        label = box.get("name") or "text box"
        number = {key: float(box.get(key, default)) for key, default in _BOX_NUMBERS.items()}
        family = box.get("font", "SourceSansPro")
        font = find_font(family)
        if font is None:
            message, hint = font_fault(family) or ("", "")
            self.problem(f"{label}: {message}", hint, box, wrong="font")
            return None
        for child in box:
            self.problem(f"{label}: <{tag_of(child)}> in a text box is not drawn", "write *italic* or **bold**", box)
            return None
        text = "".join(str(part) for part in box.itertext())
        if len(text) > MOST_IN_BOX:
            self.problem(f"{label}: it holds {len(text):,} characters", f"at most {MOST_IN_BOX:,}", box)
            return None
        size = number["size"]
        floor = number["floor"] or min(size, 6.5)
        if floor > size:
            message = f"{label}: the floor, {floor:g} pt, is more than the size, {size:g} pt"
            self.problem(message, "it is the least size to which a text may shrink", box, wrong="floor")
            return None
        if not (0 < floor <= size <= 1000 and 0.5 <= number["tight"] <= number["leading"] <= 10):
            self.problem(
                f"{label}: size {size:g}, floor {floor:g}, leading {number['leading']:g} and tight {number['tight']:g} "
                "do not go together",
                "0 < floor ≤ size, 0.5 ≤ tight ≤ leading",
                box,
            )
            return None
        for mark in loose_marks(text):
            message, hint = loose_fault(mark)
            self.problem(f"{label}: {message}", hint, box, kind=f"{label}: stars")  # those of a cell were told before
            return None
        try:
            words = read_words(text, family, self.composer.words_of)
            text_width(family, " ")  # which parts the words
        except (MissingGlyph, UnknownFont) as error:
            self.no_glyph(error, text, f"{label}: ", box)
            return None
        block = fit(words, font, number["width"], number["height"], size, floor, number["leading"], number["tight"])
        if block is None:
            shown = " ".join(text.split())
            shown = f'"{shown[:60]}{"…" if len(shown) > 60 else ""}"'
            room = f"{number['width']:g} × {number['height']:g} mm at {floor:g} pt"
            column = self.composer.column_of(self.id, lambda cell: cell in text and len(cell) > len(text) / 3)
            hint = f'write less in the column "{column}"' if column else "write less"
            row = self.row_place() if column else None
            message, kind = f"{label}: {shown} does not fit into {room}", f"{label}: {room}"
            self.problem(message, f"{hint}, or give it more room", box, row, kind=kind)
            return None
        return self.set_block(block, font, box, number)

    def set_block(self, block: Block, font: Font, box: Element, number: dict[str, float]) -> Element:
        """The fitted lines as <text> elements; each wrapped line ends in a space, so that readers keep words apart."""
        em = block.size * POINT
        fill = box.get("fill", "#1d1a26")
        align, valign = box.get("align", "left"), box.get("valign", "top")
        if align not in ("left", "center", "right") or valign not in ("top", "middle", "bottom"):
            wrong = "valign" if align in ("left", "center", "right") else "align"
            hint = "one of: " + ("top, middle, bottom" if wrong == "valign" else "left, center, right")
            self.problem(f'{wrong}="{box.get(wrong)}" is not known', hint, box, wrong=wrong)
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
            self.set_line(box, group, words, x, baseline, em, space, "" if last or words[-1].goes_on else " ")
        return group

    def set_line(
        self,
        box: Element,
        group: Element,
        words: tuple[Word, ...],
        x: float,
        y: float,
        em: float,
        space: float,
        end: str,
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
                    self.inline_icon(box, group, piece.icon, x, y, em)
                    x += em
                    continue
                if piece.text[:1] in blank_spaces(piece.font):  # it is left blank, and read as a space
                    run += " " if run else ""
                    flush()
                    run = ""
                    x += text_width(piece.font, piece.text) * em
                    continue
                if piece.font != run_font or not run:
                    flush()
                    run, run_x, run_font = "", x, piece.font
                run += piece.text
                x += text_width(piece.font, piece.text) * em
        flush(end)

    def inline_icon(self, box: Element, group: Element, name: str, x: float, y: float, em: float) -> None:
        if name not in self.composer.icons:
            self.problem(f'there is no icon ":{name}:"', self.composer.icons.hint(name), box)
            return
        self.icons.add(name)
        attributes = {"href": f"#icon-{name}", "x": f"{x:.3f}", "y": f"{y - em * 0.82:.3f}"}
        size = {"width": f"{em:.3f}", "height": f"{em:.3f}", "role": "img", "aria-label": name}
        etree.SubElement(group, f"{{{SVG}}}use", attributes | size)


_INSTEAD = {
    "image": "faces are drawn with shapes; a drawing of your own is icons/NAME.svg",
    "linearGradient": "ink is flat; write a colour as fill",
    "radialGradient": "ink is flat; write a colour as fill",
    "style": 'there are no styles; write attributes, as in fill="#1d1a26"',
}
"""What to write in the place of elements that other SVG has."""
_BOX_NUMBERS = {
    "x": "0", "y": "0", "width": "0", "height": "0", "size": "8", "floor": "0", "leading": "1.25", "tight": "1.08",
}  # fmt: skip


def _on_one_line(text: str, first: bool = False, last: bool = False) -> str:
    """Text as SVG has it: the end of a line and the blanks around are one space, and none at the edges."""
    if "\n" not in text:
        return text
    head, *middle, tail = text.split("\n")
    line = " ".join([head.rstrip(), *filter(None, map(str.strip, middle)), tail.lstrip()])
    line = line.lstrip() if first else line
    return line.rstrip() if last else line


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


def _inherited(element: Element | None, attribute: str) -> str | None:
    while element is not None:
        value = element.get(attribute)
        if value is not None:
            return value
        element = element.getparent()
    return None
