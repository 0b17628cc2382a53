"""What the faces of a game are made with: rows, templates, icons, fonts and pictures; and how faults are reported."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any, TypeVar

from jinja2 import BytecodeCache, TemplateError, TemplateNotFound, TemplateSyntaxError
from jinja2.utils import missing
from lxml import etree
from markupsafe import Markup, escape

from grimalkin.content.face_templates import TEMPLATE, face_folders, template_hint
from grimalkin.content.game import Game
from grimalkin.content.models import BUILT_IN, Component, Drawn, PicturesIn, is_filled
from grimalkin.content.stocks import Stock
from grimalkin.printing.face.flaws import MOST_FLAWS, Flaw, Told
from grimalkin.printing.face.images.game_art import Pictures
from grimalkin.printing.face.images.icons import Icons
from grimalkin.printing.face.layers import Inks
from grimalkin.printing.face.svg.subset import ELEMENTS, INK, OWN
from grimalkin.printing.face.svg.xml import ENTITY, MISMATCH, Element, tag_of, xml_message
from grimalkin.printing.face.templating import gouges
from grimalkin.printing.face.templating.allowed import FILTERS, TEXT_METHODS
from grimalkin.printing.face.templating.reads import WORDS, Reads, Row, Standing
from grimalkin.printing.face.templating.sandbox import MissingName, Sandbox
from grimalkin.printing.face.templating.template_cache import compiled_templates
from grimalkin.printing.face.templating.template_faults import (
    TemplateFault,
    find_element,
    find_line,
    find_text,
    kind_of,
    said_of,
    syntax_message,
    template_message,
)
from grimalkin.printing.type.game_fonts import Fonts
from grimalkin.printing.type.shaping import MissingGlyph, Overgrown, UnknownFont
from grimalkin.problems import GUIDE, Place, Problems, did_you_mean, shown_path
from grimalkin.problems.plain import id_from, listed
from grimalkin.source import data_folder
from grimalkin.source.colours import ink_of, noted
from grimalkin.source.reuse import Reuse

_DRAWING: dict[str, Callable[..., Markup | float]] = {
    "cut_gouges": gouges.gouges,
    "cut_rays": gouges.rays,
    "cut_chatter": gouges.chatter,
    "cut_cosine": gouges.cosine,
}
"""Drawing functions for templates; `base/cut.svg.j2` passes them on."""
MOST_TOLD = 20
"""The most faults that are reported for one face."""
S = TypeVar("S", bound=Sandbox)


class Workshop:
    """What the faces of one game are made with, in one kind of ink. Templates come from its own folder first.

    In a `draft`, what is missing or does not fit is marked and printed. `before` holds pictures that were read earlier,
    `sandbox` the templates of the same game. Without `finishes`, cut lines, varnish and white ink are left out.
    """

    def __init__(
        self,
        game: Game,
        stocks: Mapping[str, Stock],
        problems: Problems,
        inks: Inks = "full",
        draft: bool = False,
        before: Pictures | None = None,
        sandbox: Sandbox | None = None,
        finishes: bool = False,
    ) -> None:
        self.finishes = finishes
        self.game = game
        self.draft = draft
        self.reads = Reads()
        self.stocks = stocks
        self.problems = problems
        self.kin = game.info.kin
        self.icons = Icons(game.folder, problems, self.kin)
        self.fonts = Fonts(game.folder, problems, _fallback(game))
        art = game.finished.art if game.finished else None
        self.pictures = art if isinstance(art, Pictures) else Pictures(game.folder, problems, before)
        self.folders = face_folders(game.folder, self.kin)
        self.sandbox = sandbox or self.new_sandbox(Sandbox, compiled_templates())
        self.sandbox.marks_absent = draft
        self.treatments = {deck.id: deck.pictures for deck in (*game.info.decks, *game.info.books)}
        self.words_of = {row.id: row.name for row in game.by_id.values()}
        self.words_of.update({rule.id: rule.id for rule in game.rules.values()})
        self.words_of.update({term.id: term.name for term in game.terms})
        self.inks = inks
        self.looks = game.info.looks(coloured=inks == "full")
        """The looks of words in the styles that texts may name."""
        every = {**game.components, **game.pages}
        decks = {deck: [self.rows[row.id] for row in rows] for deck, rows in every.items()}
        self.shared = {**_shared_context(game), "decks": decks, "lists": _plain_lists(game), "inks": inks}
        self.shared |= {"maps": _plain_maps(game), "scenarios": _plain_scenarios(game), "story": _plain_story(game)}
        self.shared["habits"] = _plain_habits(game)
        self.shared |= {"finished": game.finished.rooms} if game.finished else {}
        self.shared["icons"] = sorted(self.icons)
        self.stock_values = {stock: plain_stock(stock) for stock in stocks.values()}
        self.told: dict[tuple[Place, str], Told] = {}
        """Faults of faces already reported."""
        self.checked: set[str] = set()
        """Templates whose blocks have been checked."""

    def inked(self, colour: str) -> str:
        """Return a colour given by its inks as faces hold it; none for a finish that is left out."""
        held = noted(colour)
        ink = ink_of(held)
        return "none" if ink and ink.kind == "finish" and not self.finishes else held

    def standing(self, reuse: Reuse) -> Standing:
        """Return those earlier results whose templates would read the same again."""
        return Standing(reuse, self.rows, {**self.shared, WORDS: self.words_of})

    def new_sandbox(self, kind: type[S], compiled: BytecodeCache | None = None) -> S:
        """Return an environment for the templates of this game, with everything that they may call."""
        roots = [self.game.folder, data_folder("templates")]
        made = kind(self.folders, True, compiled, roots, {**_DRAWING, "icon": icon_function(self.icons), "fail": _fail})
        made.budget.rows = self.row_ids
        return made

    @cached_property
    def row_ids(self) -> frozenset[int]:
        return frozenset(id(row) for row in self.rows.values())

    @cached_property
    def rows(self) -> dict[str, dict[str, Any]]:
        """Return every component as a template sees it, by id."""
        game = self.game
        drawn: list[Drawn] = [*game.info.books, *game.info.decks]
        return {row.id: Row(_plain_row(row, deck), self.reads) for deck in drawn for row in game.rows_of(deck)}

    def has_template(self, name: str) -> bool:
        return any((folder / f"{name}{TEMPLATE}").is_file() for folder in self.folders)

    def own_or_shared(self, name: str) -> str:
        """Return the game's template of this name, or else the shared one."""
        return name if self.has_template(name) else f"base/{name}"

    def source_of(self, name: str) -> tuple[str, str]:
        """Return the text of a template that exists, as it is written, and its file."""
        assert self.sandbox.loader is not None
        text, file, _ = self.sandbox.loader.get_source(self.sandbox, f"{name}{TEMPLATE}")
        return text, str(file)

    def treatment(self, id_: str) -> tuple[str, int]:
        """Return how these inks treat a face's pictures, a word of `PicturesIn`, and their pixels per inch."""
        chosen = self.treatments.get(self.rows.get(id_.rpartition("-")[0], {}).get("deck", ""), PicturesIn())
        return "as-is" if self.inks == "full" else getattr(chosen, self.inks), chosen.dpi

    def asked_of(self, id_: str) -> dict[str, bool]:
        """Return the columns of a component's deck that texts may ask for, and whether each is filled."""
        row = self.rows.get(id_, {})
        return {name.replace("_", "-"): is_filled(value) for name, value in row.items() if name not in BUILT_IN}

    def column_of(self, id_: str, fits: Callable[[str], bool]) -> str:
        """Return the first column of a card whose text satisfies `fits`; "" when none does."""
        values = self.rows.get(id_.rpartition("-")[0], {})
        found = (column for column, value in values.items() if value not in (None, "") and fits(str(value)))
        return next(found, "").replace("_", "-")

    # Faults

    def fault(
        self, id_: str, place: Place, message: str, hint: str = "", also: Place | None = None, kind: str = ""
    ) -> None:
        """Report a fault once, with the number of faces that have it. `also` is the row of the first.

        `kind` identifies the fault, if the message does not.
        """
        flaw = Flaw(place, message, hint, also, kind)
        told = self.told.setdefault(flaw.key, Told(id_, flaw))
        if told.faces:
            self.problems.found.pop(told.problem(), None)
        told.faces[id_] = None
        self.problems.found[told.problem()] = None

    def absent_columns(self) -> list[Flaw]:
        """Return the columns that the last rendered card lacks; a mark is printed in their place."""
        return [
            Flaw(Place(shown_path(Path(file)), line), *self.missing_name(error))
            for (file, line, _), error in self.sandbox.absent.items()
        ]

    def check_blocks(self) -> None:
        """Report unused parts of templates: blocks that the extended template lacks, and text outside all blocks."""
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
                self.problems.add(Place(path, shape.loose), "text outside all blocks is not drawn", "put it in a block")

    def templates_of(self, name: str, is_above: bool = False) -> list[str]:
        """Return a template and all that it extends, includes and imports; with `is_above` only what it extends."""
        names = [name]
        for one in names:
            shape = self.sandbox.parsed.get(one)
            if shape:
                more = shape.parents if is_above else [*shape.parents, *shape.used]
                names.extend(other for other in dict.fromkeys(more) if other not in names)
        return names

    def files_of(self, name: str) -> list[str]:
        """Return the files of a template and of all that it uses."""
        return [self.sandbox.parsed[one].file for one in self.templates_of(name) if one in self.sandbox.parsed]

    def xml_fault(self, error: etree.XMLSyntaxError, text: str, id_: str, file: str) -> None:
        """Report why a rendered template is not XML, in words that are the same for every card."""
        message, hint = xml_message(error.msg)
        lines = text.split("\n")
        line = lines[min(error.lineno or 1, len(lines)) - 1].strip()
        files = self.files_of(file)
        place = None
        pair = MISMATCH.match(error.msg or "")
        if pair:
            if pair[3] not in ELEMENTS and pair[3] not in OWN:
                place = find_text(files, f"</{pair[3]}>")
            place = place or find_line(files, lines[min(int(pair[2]), len(lines)) - 1])
        entity = ENTITY.search(error.msg or "")
        place = (find_text(files, f"&{entity[1]};") if entity else place) or find_line(files, line)
        if place is None:
            hint = hint or f'near "{line[:80]}"'
        self.fault(id_, place or self.template_place(file, None), f"it is not XML: {message}", hint)

    def template_fault(self, error: Exception) -> tuple[str, str]:
        """Return what went wrong while a template was rendered, and a hint or ""."""
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
            return message, template_hint(self.game.folder, name.rpartition(": ")[2], kin=self.kin)
        return template_message(error)

    def missing_name(self, error: MissingName) -> tuple[str, str]:
        """Return the message about a name that a template could not find, and a hint."""
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
            count = f"there are {len(owner)}, counting from 0" if isinstance(owner, str | list | tuple | range) else ""
            return f"there is no item {str(name)[:40]} here", count
        if not isinstance(owner, dict):
            hint = did_you_mean(name, TEXT_METHODS) if isinstance(owner, str) else ""
            hint = f"call the method: {name}()" if name in TEXT_METHODS else hint
            return f'{kind_of(type(owner).__name__)} has no "{name[:200]}"', hint
        keys = [key for key in owner if isinstance(key, str)]
        unused = self.game.unused.get(str(owner.get("deck", "")), ())
        keys += [id_from(header).replace("-", "_") for header in unused]
        return f'there is no "{name[:200]}" here', did_you_mean(name, keys, "it is not one of these")

    def template_place(self, file: str, error: Exception | None) -> Place:
        """Return the line of a template where an error arose; for finished pictures, their place."""
        if self.game.finished:
            return self.game.own_place
        if isinstance(error, TemplateSyntaxError) and error.filename:
            return Place(shown_path(Path(error.filename)), error.lineno)
        for frame in reversed(traceback.extract_tb(error.__traceback__) if error else []):
            if frame.filename.endswith(".j2"):
                return Place(shown_path(Path(frame.filename)), frame.lineno or 0)
        if ".." in PurePath(file).parts or PurePath(file).is_absolute():  # files outside are off limits
            return Place(shown_path(self.folders[0]))
        for folder in self.folders:
            if (folder / file).is_file():
                return Place(shown_path(folder / file))
        return Place(shown_path(self.folders[0] / file))

    def named_place(self, template: str, side: str) -> Place | None:
        """Return where game.yaml names a template for this side of a deck, if it does."""
        source = self.game.source
        for index, deck in enumerate(self.game.info.decks):
            if source and template == (deck.faces.front if side == "front" else deck.faces.back):
                return source.place(("decks", index, "faces", side))
        return None

    def row_place(self, id_: str) -> Place | None:
        """Return the row of the component whose face this is, if it is a component's."""
        component = id_.rpartition("-")[0]
        return self.game.place(component) if component in self.game.places else None


class Workpiece:
    """A face in the making: whatever is wrong with it is a problem or, in a draft, perhaps a flaw that is printed."""

    def __init__(self, workshop: Workshop, id_: str, file: str, stock: Stock) -> None:
        self.workshop = workshop
        self.id = id_
        self.file = file
        self.stock = stock
        self.icons: set[str] = set()
        self.links: set[tuple[str, str]] = set()
        self.renames = False
        """Whether a font has a different name on the face than in the template."""
        self.sound = True
        self.told = 0
        self.flaws = workshop.absent_columns()
        """Faults that a draft marks and prints."""
        self.missing_icons: set[str] = set()
        """Faults already among the flaws."""

    def problem(
        self,
        message: str,
        hint: str = "",
        element: Element | None = None,
        also: Place | None = None,
        wrong: str = "",
        kind: str = "",
    ) -> None:
        """Report a fault, at the template line that wrote the element if that can be known.

        `wrong` is the attribute at fault, if any; `kind` is as in `Workshop.fault`.
        """
        self.sound = False
        self.told += 1
        if self.told > MOST_TOLD:
            return
        self.workshop.fault(self.id, self.place_of(element, wrong), message, hint, also, kind)

    def draws_flaw(
        self,
        message: str,
        hint: str,
        element: Element | None,
        also: Place | None = None,
        wrong: str = "",
        kind: str = "",
    ) -> bool:
        """Note a flaw and return True in a draft, which marks it; otherwise report a problem and return False.

        The parameters are those of `problem`.
        """
        if not self.workshop.draft or len(self.flaws) >= MOST_FLAWS:
            self.problem(message, hint, element, also, wrong, kind)
            return False
        self.flaws.append(Flaw(self.place_of(element, wrong), message, hint, also, kind))
        return True

    def place_of(self, element: Element | None, wrong: str) -> Place:
        """Return the template line that wrote an element, or otherwise the template."""
        workshop, place = self.workshop, None
        if element is not None:
            attributes = {str(key): str(value) for key, value in element.attrib.items()}
            files, text = workshop.files_of(self.file), str(element.text or "")
            place = find_element(files, tag_of(element), attributes, text, wrong)
        return place or workshop.template_place(self.file, None)

    def column_of(self, fits: Callable[[str], bool]) -> tuple[str, Place | None]:
        """Return the first column of the card whose text satisfies `fits`, with its row; "" and None when none does."""
        column = self.workshop.column_of(self.id, fits)
        return column, self.workshop.row_place(self.id) if column else None

    def no_glyph(self, error: MissingGlyph | UnknownFont, text: str, label: str, element: Element) -> None:
        """Report a character that a font lacks, in its column, or a font that does not exist."""
        if isinstance(error, UnknownFont):
            message, hint = self.workshop.fonts.fault(error.name) or (str(error), "")
            styled = "" if element.get("font-family") == error.name else "bold and italic text use separate fonts; "
            self.problem(f"{label}{message}", styled + hint, element)
            return
        if isinstance(error, Overgrown):
            self.problem(f"{label}{error}", "choose another font", element)
            return
        column, row = self.column_of(lambda cell: error.char in cell and cell in text)
        hint = f'it is in the column "{column}"' if column else ""
        others = self.workshop.fonts.having(error.char)
        hint = f"{hint}{'; ' if hint else ''}remove it, or choose a font that has it"
        hint += f": {listed(others, 'or')}" if others else ""
        self.problem(f"{label}{error}", hint, element, row)


def icon_function(icons: Icons) -> Callable[..., Markup]:
    """Return the function `icon` of templates."""

    def icon(name: str, x: float, y: float, size: float, fill: str, label: str = "") -> Markup:
        """Return an icon as SVG, its top left corner at x, y, `size` mm wide and high. Screen readers say its label."""
        for value in (name, fill, label):
            if not isinstance(value, str):
                raise TemplateError("icon(name, x, y, size, fill, label): name, fill and label must be text")
        if name not in icons:
            raise TemplateFault(*icons.fault(name, name[:200]))
        for key, number in (("x", x), ("y", y), ("size", size)):
            if not isinstance(number, int | float):
                shown = number[:40] if isinstance(number, str) else "not a number"
                raise TemplateFault(f'icon("{name}"): {key} is "{shown}"', "write a number in millimetres")
        label_part = f' role="img" aria-label="{escape(label)}"' if label else ""
        return Markup(
            f'<use href="#icon-{name}" x="{x:.3f}" y="{y:.3f}" width="{size:.3f}" height="{size:.3f}"'
            f' fill="{escape(fill)}"{label_part}/>'
        )

    return icon


def _fallback(game: Game) -> dict[str, Place]:
    """Return the fonts that fill gaps, and where game.yaml names each."""
    at = ("fallback-fonts",)
    return {name: game.source.place((*at, index)) for index, name in enumerate(game.info.fallback_fonts) if game.source}


def plain_stock(stock: Stock) -> dict[str, Any]:
    """Return a stock as a template sees it."""
    values = {**stock.model_dump(), "outline": stock.outline()}
    if stock.tab:
        values["tab"] = {"x": stock.tab_left, "y": 0.0, "width": stock.tab.width, "height": stock.tab.height}
    return values


def _plain_lists(game: Game) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of every list, as a template sees them."""
    return {listing.id: [row.model_dump(mode="json") for row in game.lists[listing.id]] for listing in game.info.lists}


def _plain_maps(game: Game) -> dict[str, dict[str, Any]]:
    """Return every map as a template sees it, by id."""
    return {drawn.id: drawn.shown() for drawn in game.maps.values()}


def _plain_scenarios(game: Game) -> dict[str, dict[str, Any]]:
    """Return every scenario as a template sees it, by id. As with columns, hyphens become underscores."""
    return {scenario.id: scenario.model_dump(mode="json") for scenario in game.scenarios}


def _plain_story(game: Game) -> list[dict[str, Any]]:
    return [entry.model_dump(mode="json") for entry in game.entries]


def _plain_habits(game: Game) -> dict[str, list[dict[str, Any]]]:
    """Return what pieces that act by themselves do, by id, as the engine describes it; none without an engine."""
    if game.module is None:
        return {}
    from grimalkin.engine.cribs import find_behaviour  # a game without an engine needs nothing of it

    behaviour = find_behaviour(game.module)
    if behaviour is None:
        return {}
    told = {row.id: behaviour(game.facts, row.id) for rows in game.components.values() for row in rows}
    return {id_: [habit._asdict() for habit in habits] for id_, habits in told.items() if habits}


def _shared_context(game: Game) -> dict[str, Any]:
    """Return what every template of a game knows."""
    return {
        "game": {
            "name": game.name,
            "title": game.info.title,
            "tagline": game.info.tagline or "",
            "version": game.info.rules_version,
        },
        "palette": dict(game.info.palette),
        "ink": INK,
        "paper": "#f7f1e3",
        "moon": "#e8d9a8",
    }


def _plain_row(component: Component, deck: Drawn) -> dict[str, Any]:
    """Return a component as a template sees it: plain values. Hyphens in the names of columns become underscores."""
    values = {"id": component.id, "name": component.name, "count": component.count, "deck": deck.id}
    columns = [column.replace("-", "_") for column in deck.columns]
    values.update((column, getattr(component, column)) for column in columns)
    return values


def _fail(message: str) -> str:
    """Stop a template with its own message."""
    if not isinstance(message, str | int | float):
        raise TemplateError('write fail("what is wrong")')
    raise TemplateError(str(message))
