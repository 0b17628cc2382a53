"""Turn a game with scenarios into a table for Tabletop Simulator, ready for an evening.

The first row has the contents of the box, sorted: decks of loot by level, books, and maps without a scenario. Behind it
is a bag for each hero, with everything that belongs to the hero, and behind these a bag for each scenario: its map, its
pool, pieces set apart, its tokens, and a note with instructions for laying it out.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image

from grimalkin.content import Game, as_scenario
from grimalkin.content.maps import Map
from grimalkin.content.print_runs import hero_of, level_of
from grimalkin.content.scenarios import Scenario
from grimalkin.engine.pictures import Put, find_set_up
from grimalkin.output.disk import write_new
from grimalkin.parts.maps.uvtt import maps_of, picture
from grimalkin.parts.scenarios.pages import written_puts
from grimalkin.printing.draw.stocks import composer_of
from grimalkin.printing.export.designs import Design, by_deck
from grimalkin.printing.export.tabletop import (
    BOX,
    THICKNESS,
    TILE_HEIGHT,
    Counted,
    Table,
    Thing,
    all_of,
    is_card,
    name_of,
    piles,
)
from grimalkin.printing.face import Face
from grimalkin.printing.face.views import MARGIN, SQUARE
from grimalkin.printing.sheet.booklets import reading_pdf
from grimalkin.problems import Place, Problems
from grimalkin.problems.plain import how_many, listed
from grimalkin.site.pages.templates import load_words

HEROES, SCENARIOS = 1, 2
"""The rows behind the box."""
RANDOM: Final = {"Order": 2}
"""The property that makes a bag give out its contents at random."""
SURFACE: Final = 0.1
"""The height of snap points on a tile, as Tabletop Simulator saves them."""


@dataclass(frozen=True, slots=True)
class Evenings:
    """A layout of the table, with the maps and books that a game has in addition to its decks."""

    designs: Sequence[Design]
    maps: Mapping[str, Face]
    """Complete maps by their names, except maps that are too large to draw."""
    books: Mapping[str, bytes]
    """PDFs to read, by the ids of the books."""

    @property
    def faces(self) -> int:
        return len(self.maps)

    @property
    def said(self) -> str:
        return f", {how_many(len(self.books), 'book')}" if self.books else ""

    def arrange(self, table: Table, folder: Path) -> None:
        _Evenings(table, self.designs, self).arrange()
        for id_, pdf in self.books.items():
            write_new(folder / f"{id_}.pdf", pdf)


def layout(game: Game, designs: Sequence[Design], problems: Problems) -> Evenings | None:
    """Return the layout for a game with scenarios, maps or books. Anything that cannot be drawn is a problem."""
    if not game.scenarios and not game.maps and not game.info.books:
        return None
    composer = composer_of(game, problems)
    maps = maps_of(composer, framed=True)
    books = {}
    for book in game.info.books:
        pages = [face for row in game.pages[book.id] if (face := composer.faces(book, row)[0])]
        if pages and not problems:
            books[book.id] = reading_pdf(game, book, pages)
    return Evenings(designs, maps, books)


@dataclass(frozen=True, slots=True)
class _Evenings:
    """The things on a table, row by row."""

    table: Table
    designs: Sequence[Design]
    besides: Evenings

    @property
    def game(self) -> Game:
        return self.table.game

    def arrange(self) -> None:
        for deck, members in by_deck(self.designs).items():
            for cards in piles(self.designs).get(deck, ()):
                self.table.print(cards)
                self.table.place(*self.in_the_box(deck, cards))
            shared = [one for one in members if not is_card(one) and not self.hero(one)]
            self.table.place(*self.table.tiles(deck, all_of(shared)))
        self.table.place(*self.books(), *self.spare_maps())
        party = self.game.info.party
        for row in self.game.components[party] if party else ():
            own = [one for one in self.designs if self.hero(one) == row.id]
            things = list(self.boxed(all_of(own), row.id))
            self.table.place(self.table.bag(row.id, row.name, things, "party"), row=HEROES)
        for scenario in self.game.scenarios:
            self.table.place(self.scenario(scenario), row=SCENARIOS)

    def hero(self, design: Design) -> str | None:
        return hero_of(self.game, design.row, design.deck)

    def in_the_box(self, deck: str, cards: Sequence[Design]) -> Iterator[Thing]:
        """Yield the cards of the box: those with levels in a bag with a deck for each level, the rest as one deck."""
        levels: dict[int | None, list[Design]] = {}
        for one in cards:
            if not self.hero(one):
                levels.setdefault(level_of(one.row, one.deck), []).append(one)
        rest = levels.pop(None, [])
        if rest:
            yield self.table.pile(deck, name_of(rest), all_of(rest))
        if levels:
            every = [one for some in levels.values() for one in some]
            things = [
                self.table.pile(f"{deck}-{level}", f"{name_of(some)}, level {level}", all_of(some))
                for level, some in sorted(levels.items(), key=lambda pair: pair[0] or 0)
            ]
            yield self.table.bag(deck, name_of(every), things)

    def boxed(self, some: Iterable[Counted], *of: str) -> Iterator[Thing]:
        """Yield pieces for a bag, with those of each deck together."""
        counts = {design.row.id: count for design, count in some if count}
        for deck, members in by_deck(one for one in self.designs if one.row.id in counts).items():
            cards = [one for one in members if is_card(one)]
            for stock in dict.fromkeys(one.stock for one in cards):
                alike = [(one, counts[one.row.id]) for one in cards if one.stock == stock]
                yield self.table.pile(deck, members[0].deck.name, alike, *of)
            tiles = [(one, counts[one.row.id]) for one in members if not is_card(one)]
            yield from self.table.tiles(deck, tiles, *of)

    def scenario(self, scenario: Scenario) -> Thing:
        """Return the bag of a scenario."""
        drawn, puts = self.game.maps.get(scenario.map), list(self.puts(scenario))
        things = [self.map_tile(drawn, scenario.id)] if drawn else []
        things.append(self.note(scenario, puts))
        things += self.boxed(self.needed(scenario, puts), scenario.id)
        things += self.pool(scenario)
        name = f"{scenario.number}. {scenario.title}"
        return self.table.bag(scenario.id, name, things, "scenarios")

    def puts(self, scenario: Scenario) -> Iterator[Put]:
        """Yield the layout of a scenario: from the engine if it sets it up, otherwise from its file."""
        set_up = find_set_up(self.game.module)
        if set_up is None:
            yield from written_puts(self.game, scenario, load_words())
        else:
            laid = set_up(self.game.facts, scenario.id)
            yield from (*laid.party, *laid.puts)

    def needed(self, scenario: Scenario, puts: Iterable[Put]) -> Iterator[Counted]:
        """Yield the pieces that only the scenario needs: not a hero's, not loot, not in the pool and not set apart."""
        part = as_scenario(self.game, scenario, [], Place(scenario.id)).part
        counts = part.counts if part else {}
        named = {*scenario.pieces, *(id_ for put in puts for id_, _ in put.pieces)}
        elsewhere = {*scenario.pool, *(apart.piece for apart in scenario.apart)}
        for one in self.designs:
            belongs = one.deck.needs or {one.row.id, one.deck.id} & named
            if belongs and one.row.id not in elsewhere and not self.hero(one) and level_of(one.row, one.deck) is None:
                yield one, counts.get(one.row.id, 0)

    def pool(self, scenario: Scenario) -> Iterator[Thing]:
        """Yield the pool, from which players draw at random without reading names, and the pieces set apart."""
        words, by_id = load_words(), {one.row.id: one for one in self.designs}
        hidden = [
            self.lying(by_id[piece], copy, scenario.id)
            for piece, count in scenario.pool.items()
            if piece in by_id
            for copy in range(count)
        ]
        if hidden:
            yield self.table.bag("pool", words["scenario-pool"], hidden, scenario.id) | {"Bag": RANDOM}
        shown = []
        for apart in scenario.apart:
            if apart.piece in by_id:
                told = words["set-up-later" if apart.round else "set-up-apart"]
                told = told.format(letter=apart.mark, space=apart.round)
                for copy in range(apart.count):
                    thing = self.piece(by_id[apart.piece], copy, scenario.id, "apart", apart.mark, str(apart.round))
                    shown.append(thing | {"Description": told})
        if shown:
            yield self.table.bag("apart", words["scenario-apart"], shown, scenario.id)

    def piece(self, design: Design, copy: int, *of: str) -> Thing:
        return (self.table.card if is_card(design) else self.table.tile)(design, copy, *of)

    def lying(self, design: Design, copy: int, *of: str) -> Thing:
        """Return a piece that lies face down and hides its name."""
        thing = self.piece(design, copy, *of)
        thing["Transform"]["rotZ"] = 180.0
        return thing | {"Tooltip": False}

    def note(self, scenario: Scenario, puts: Iterable[Put]) -> Thing:
        """Return a text card that says what goes where."""
        lines = []
        for put in puts:
            pieces = [f"{count} × {self.game.by_id[id_].name}" for id_, count in put.pieces]
            more = "; ".join(part for part in (listed(pieces), ", ".join(put.squares)) if part)
            lines.append(f"{put.told} ({more})" if more else put.told)
        name = f"{scenario.title}: {load_words()['scenario-set-up']}"
        note = self.table.thing("Notecard", None, 0, 1.0, "set-up", name, (scenario.id,))
        return note | {"Description": "\n".join(lines)}

    def map_tile(self, drawn: Map, *of: str) -> Thing:
        """Return a map as a tile at the scale of the figures, which snap to the middles of its squares."""
        face, name = self.besides.maps.get(drawn.id), f"{drawn.id}-map.png"
        if face:
            self.table.single(name, face)
        else:
            self.table.ready[name] = _plain(drawn, self.table.largest)
        margin = MARGIN if face else 0
        width, height = (side * SQUARE + 2 * margin for side in (drawn.columns, drawn.rows))
        tile = self.table.thing("Custom_Tile", None, 0, height / TILE_HEIGHT, drawn.id, drawn.name, of)
        shape = {"Type": BOX, "Thickness": THICKNESS, "Stackable": False, "Stretch": True}
        points = [
            {
                "Position": {
                    "x": round((margin + (column + 0.5) * SQUARE - width / 2) * 2 / height, 4),
                    "y": SURFACE,
                    "z": round((margin + (row + 0.5) * SQUARE - height / 2) * 2 / height, 4),
                }
            }
            for row in range(drawn.rows)
            for column in range(drawn.columns)
        ]
        return tile | {
            "CustomImage": self.table.image(name, None) | {"CustomTile": shape},
            "AttachedSnapPoints": points,
        }

    def spare_maps(self) -> list[Thing]:
        """Return the maps without a scenario, in a bag if there are several."""
        used = {scenario.map for scenario in self.game.scenarios}
        tiles = [self.map_tile(drawn) for drawn in self.game.maps.values() if drawn.id not in used]
        return tiles if len(tiles) < 2 else [self.table.bag("maps", load_words()["maps"], tiles)]

    def books(self) -> Iterator[Thing]:
        """Yield the books, to read at the table."""
        for book in self.game.info.books:
            if book.id in self.besides.books:
                thing = self.table.thing("Custom_PDF", None, 0, 1.0, book.id, book.name)
                url = self.table.address(f"{book.id}.pdf")
                yield thing | {"CustomPDF": {"PDFUrl": url, "PDFPassword": "", "PDFPage": 0, "PDFPageOffset": 0}}


def _plain(drawn: Map, largest: int) -> bytes:
    """Draw a map that is too large for one face in the plain style used for other virtual tables."""
    image = Image.open(io.BytesIO(picture(drawn)))
    image.thumbnail((largest, largest))
    written = io.BytesIO()
    image.save(written, "PNG")
    return written.getvalue()
