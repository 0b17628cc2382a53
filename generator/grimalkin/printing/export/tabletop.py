"""Turn designs into a saved object for Tabletop Simulator, with its pictures.

Rectangular cards become decks: their faces are in rows on a sheet, and a card is identified by its sheet's number and
its position there. Everything else becomes tiles, in a bag if there are several; a part may arrange the pieces of a
hero or a scenario. For the format, see https://kb.tabletopsimulator.com/custom-content/save-file-format/ and
custom-deck/; for the numbers of shapes, https://api.tabletopsimulator.com/custom-game-objects/. Each field was compared
with objects that the program saved: decision record 43.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

from PIL import Image

from grimalkin.content import Game
from grimalkin.content.models import Component
from grimalkin.content.stocks import Stock
from grimalkin.output.disk import write_new
from grimalkin.output.workers import in_parallel
from grimalkin.printing.draw.raster import INCH, Shot, develop, grid_pdf, pixels
from grimalkin.printing.export.designs import Design, Done, Wanted, by_deck, look, one_back, pictures
from grimalkin.printing.face import Face

MOST_COLUMNS, MOST_ROWS = 10, 7
MOST_DESIGNS = MOST_COLUMNS * MOST_ROWS - 1
"""The maximum number of designs on one sheet, whose last position is what other players see of a card in a hand."""
CARD_HEIGHT = 88.9
"""The height in millimetres of a card at scale 1; without scaling, all cards would be equally tall."""
TILE_HEIGHT = 2 * INCH
"""The height in millimetres of a tile at scale 1: two units of about an inch."""
BOX, HEX, CIRCLE, ROUNDED = 0, 1, 2, 3
MERGED = 15.0
"""Pixels between the points of a token's edge."""
THICKNESS = 0.1
TINTED = {"Card", "DeckCustom", "Figurine_Custom"}
TINT = 0.71324
"""How bright the program itself saves cards and figures, in each colour; with 1, they would glow among its own."""
APART = 5.0
"""Units between things on the table."""

Address = Callable[[str], str]
"""A function from a file's name to the address of the picture."""
Thing = dict[str, Any]
Counted = tuple[Design, int]
"""A design, and its number of copies."""


def addresses(base: str | None, folder: Path) -> Address:
    """Return a function for addresses of pictures: below a web address, otherwise in a folder on this computer."""
    if base is None:
        return lambda name: (folder / name).absolute().as_uri()
    written = quote(base.rstrip("/"), safe="%/:?#[]@!$&'()*+,;=~", errors="surrogateescape")
    return lambda name: f"{written}/{quote(name)}"


class Layout(Protocol):
    """Another layout of the table, with more than its decks, as the module `tabletop` of a part makes it.

    The module has a function `layout(game, designs, problems)`, which returns None for a game that it does not suit.
    """

    @property
    def faces(self) -> int:
        """Return the number of faces to draw in addition to those of the designs."""
        ...

    @property
    def said(self) -> str:
        """Return what to say about its own files, after the name of the saved object."""
        ...

    def arrange(self, table: Table, folder: Path) -> None:
        """Put everything on the table, and write its own files into the folder."""
        ...


def export_tts(
    game: Game,
    designs: Sequence[Design],
    folder: Path,
    address: Address,
    dpi: int,
    largest: int,
    jobs: int,
    done: Done,
    layout: Layout | None = None,
) -> int:
    """Write the saved object and its pictures, at most `largest` pixels wide and high. Return their number.

    Without a layout, the table has the decks.
    """
    table = Table(game, address, dpi, largest)
    if layout:
        layout.arrange(table, folder)
        return table.write(folder, jobs, done)
    together = piles(designs)
    for deck, members in by_deck(designs).items():
        for cards in together.get(deck, ()):
            table.print(cards)
            table.place(table.pile(deck, name_of(cards), all_of(cards)))
        table.place(*table.tiles(deck, all_of(design for design in members if not is_card(design))))
    return table.write(folder, jobs, done)


def all_of(designs: Iterable[Design]) -> list[Counted]:
    """Return each design with its copies in the box."""
    return [(design, design.row.count) for design in designs]


def name_of(designs: Sequence[Design]) -> str:
    """Return the name of a deck on the table, which may combine several decks of the game."""
    *others, last = dict.fromkeys(design.deck.name for design in designs)
    return f"{', '.join(others)} and {last}" if others else last


def grid(count: int, stock: Stock, dpi: int, largest: int) -> tuple[int, int, int]:
    """Return the columns, rows and dpi of the sharpest sheet for `count` faces; the smallest if several are equal."""
    choices = []
    for columns in range(2, MOST_COLUMNS + 1):
        rows = max(2, -(-count // columns))
        if rows <= MOST_ROWS:
            sharp = min(dpi, int(min(largest / (columns * stock.width), largest / (rows * stock.height)) * INCH))
            while max(columns * pixels(stock.width, sharp), rows * pixels(stock.height, sharp)) > largest:
                sharp -= 1
            choices.append((-sharp, columns * rows, columns, rows))
    sharp, _, columns, rows = min(choices)
    return columns, rows, -sharp


@dataclass(slots=True)
class _Sheet:
    """A picture of many faces to draw."""

    name: str
    faces: dict[int, Face]
    """Faces by their positions, row by row."""
    columns: int
    rows: int
    dpi: int


@dataclass(slots=True)
class Table:
    """The things on a table so far, and the pictures they need."""

    game: Game
    address: Address
    dpi: int
    largest: int
    things: list[Thing] = field(default_factory=list)
    sheets: list[_Sheet] = field(default_factory=list)
    singles: dict[tuple[int, bool], list[Wanted]] = field(default_factory=dict)
    """Pictures of single faces, by their dots per inch."""
    blanks: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Sizes of empty backs in pixels."""
    ready: dict[str, bytes] = field(default_factory=dict)
    """Pictures drawn elsewhere."""
    guids: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    """Names of the pictures of single faces."""
    count: int = 0
    """The number of sheets of cards."""
    printed: dict[str, tuple[int, dict[str, Thing]]] = field(default_factory=dict)
    """The number of each card on the sheets, and its sheet."""
    lengths: dict[int, int] = field(default_factory=dict)
    """The number of things in each row."""

    def print(self, designs: Sequence[Design]) -> None:
        """Add sheets for cards of one stock, which `pile` and `card` can then use."""
        deck = designs[0].deck.id
        for start in range(0, len(designs), MOST_DESIGNS):
            self.count += 1
            members = designs[start : start + MOST_DESIGNS]
            sheet = self.sheet(f"{deck}_{self.count}", members)  # no id has an underscore, so no tile has this name
            for index, design in enumerate(members):
                self.printed[design.row.id] = self.count * 100 + index, {str(self.count): sheet}

    def pile(self, deck: str, name: str, cards: Iterable[Counted], *of: str) -> Thing:
        """Return a deck of printed cards of one stock, or a single card. `of` names the bag around it, if any."""
        cards = list(cards)
        things = [self.card(design, copy, *of) for design, count in cards for copy in range(count)]
        if len(things) == 1:
            return things[0]
        stock = cards[0][0].stock
        whole = self.thing("DeckCustom", None, 0, stock.height / CARD_HEIGHT, deck, name, of)
        sheets: dict[str, Thing] = {}
        for card in things:
            sheets |= card["CustomDeck"]
        whole |= {
            "SidewaysCard": stock.width > stock.height,
            "DeckIDs": [card["CardID"] for card in things],
            "CustomDeck": sheets,
            "ContainedObjects": things,
        }
        whole["Transform"]["rotZ"] = 180.0
        return whole

    def card(self, design: Design, copy: int, *of: str) -> Thing:
        """Return a printed card, face down.

        Cards of a sheet are called so; a `CardCustom` has a picture of its own, and the program may ask for it when
        such a card joins a deck.
        """
        stock = design.stock
        number, sheet = self.printed[design.row.id]
        card = self.thing("Card", design.row, copy, stock.height / CARD_HEIGHT, of=of)
        card |= {"CardID": number, "SidewaysCard": stock.width > stock.height, "CustomDeck": sheet}
        card["Transform"]["rotZ"] = 180.0
        return card

    def sheet(self, name: str, designs: Sequence[Design]) -> Thing:
        """Add sheets of fronts and backs. The last position on the fronts' sheet has the back, if all share one."""
        stock = designs[0].stock
        columns, rows, dpi = grid(len(designs) + 1, stock, self.dpi, self.largest)
        shared = one_back(designs)
        back = designs[0].back
        fronts = {place: design.front for place, design in enumerate(designs)}
        if back and shared:
            fronts[columns * rows - 1] = back
        self.sheets.append(_Sheet(f"{name}-front.png", fronts, columns, rows, dpi))
        if not shared:
            backs = {place: design.back for place, design in enumerate(designs) if design.back}
            self.sheets.append(_Sheet(f"{name}-back.png", backs, columns, rows, dpi))
        elif back:
            self.single(f"{name}-back.png", back)
        else:
            self.blanks[f"{name}-back.png"] = (pixels(stock.width, dpi), pixels(stock.height, dpi))
        return {
            "FaceURL": self.address(f"{name}-front.png"),
            "BackURL": self.address(f"{name}-back.png"),
            "NumWidth": columns,
            "NumHeight": rows,
            "BackIsHidden": True,
            "UniqueBack": not shared,
            "Type": 0 if stock.corner else 1,
        }

    def tiles(self, deck: str, designs: Iterable[Counted], *of: str) -> list[Thing]:
        """Return the tiles of one deck, in a bag if there are several."""
        designs = list(designs)
        tiles = [self.tile(design, copy, *of) for design, count in designs for copy in range(count)]
        return tiles if len(tiles) < 2 else [self.bag(deck, designs[0][0].deck.name, tiles, *of)]

    def bag(self, id_: str, name: str, things: list[Thing], *of: str) -> Thing:
        """Return a bag with things in it."""
        return self.thing("Bag", None, 0, 1.0, id_, name, of) | {"ContainedObjects": things}

    def tile(self, design: Design, copy: int, *of: str) -> Thing:
        """Return a tile, or a figure if the piece folds and stands up."""
        stock = design.stock
        for face in design.faces[:1] if stock.lines else design.faces:
            self.single(f"{face.id}.png", face, turned=_pointed(stock))
        folds = stock.fold != "none"
        height = stock.width if _pointed(stock) else stock.height
        tile = self.thing("Figurine_Custom" if folds else "Custom_Tile", design.row, copy, height / TILE_HEIGHT, of=of)
        image = self.image(f"{design.front.id}.png", f"{design.back.id}.png" if design.back else None)
        if not folds:
            if stock.lines:  # it is cut out around its transparent parts, and shows its front on both sides
                return self.token(tile, image)
            shape = {"circle": CIRCLE, "hexagon": HEX}.get(stock.shape, ROUNDED if stock.corner else BOX)
            image["CustomTile"] = {"Type": shape, "Thickness": THICKNESS, "Stackable": True, "Stretch": True}
            if _pointed(stock):
                tile["Transform"]["rotY"] = 270.0
        else:
            tile["Transform"]["scaleY"] = tile["Transform"]["scaleX"]  # it stands, so this is its height
        return tile | {"CustomImage": image}

    @staticmethod
    def token(tile: Thing, image: Thing) -> Thing:
        """Return a tile as a token with the shape of its picture."""
        merged = {"Thickness": THICKNESS, "MergeDistancePixels": MERGED, "StandUp": False, "Stackable": True}
        return tile | {"Name": "Custom_Token", "CustomImage": image | {"ImageSecondaryURL": "", "CustomToken": merged}}

    def image(self, front: str, back: str | None) -> Thing:
        """Return the part of a thing that refers to its pictures by name."""
        return {
            "ImageURL": self.address(front),
            "ImageSecondaryURL": self.address(back) if back else "",
            "ImageScalar": 1.0,
            "WidthScale": 0.0,
        }

    def single(self, name: str, face: Face, turned: bool = False) -> None:
        """Add a picture of one face, once."""
        if name in self.taken:
            return
        self.taken.add(name)
        stock = face.stock
        dpi = min(self.dpi, int(self.largest / max(stock.width, stock.height) * INCH))
        self.singles.setdefault((dpi, stock.lines is None), []).append(Wanted(name, face, turned=turned))

    def thing(
        self,
        name: str,
        row: Component | None,
        copy: int,
        scale: float,
        id_: str = "",
        nickname: str = "",
        of: tuple[str, ...] = (),
    ) -> Thing:
        """Return the properties that every saved object needs."""
        tint = TINT if name in TINTED else 1.0
        return {
            "GUID": self.guid(*of, name, row.id if row else id_, copy),
            "Name": name,
            "Transform": {
                **dict.fromkeys(("posX", "posY", "posZ", "rotX"), 0.0),
                "rotY": 180.0,
                "rotZ": 0.0,
                "scaleX": round(scale, 4),
                "scaleY": 1.0,
                "scaleZ": round(scale, 4),
            },
            "Nickname": row.name if row else nickname,
            "Description": (row.alt or "") if row else "",
            "ColorDiffuse": dict.fromkeys("rgb", tint),
            "Locked": False,
            **dict.fromkeys(("Grid", "Snap", "Autoraise", "Sticky", "Tooltip"), True),
            "Hands": name == "Card",
            "HideWhenFaceDown": name in ("Card", "DeckCustom"),
        }

    def guid(self, *parts: object) -> str:
        """Return six unique hexadecimal digits, the same in every export."""
        text = "/".join(str(part) for part in (self.game.name, *parts))
        guid = hashlib.sha256(text.encode()).hexdigest()[:6]
        while guid in self.guids:
            guid = f"{(int(guid, 16) + 1) % 16**6:06x}"
        self.guids.add(guid)
        return guid

    def place(self, *things: Thing, row: int = 0) -> None:
        """Put things on the table, each to the right of the last in its row, with the rows one behind another."""
        for thing in things:
            thing["Transform"] |= {"posX": self.lengths.get(row, 0) * APART, "posY": 1.0}
            if row:
                thing["Transform"]["posZ"] = row * APART
            self.lengths[row] = self.lengths.get(row, 0) + 1
            self.things.append(thing)

    def saved(self) -> Thing:
        """Return the saved object, without a date, so that the same game gives the same file."""
        empty = ("GameMode", "Date", "Table", "Sky", "Note", "Rules", "PlayerTurn", "LuaScript", "LuaScriptState")
        return {"SaveName": self.game.marked_title, **dict.fromkeys(empty, ""), "ObjectStates": self.things}

    def write(self, folder: Path, jobs: int, done: Done) -> int:
        """Write the saved object and its pictures. Return the number of pictures."""
        made = 0
        for name, data in self.drawn(jobs, done):
            write_new(folder / name, data)
            made += 1
        write_new(folder / f"{self.game.name}.json", json.dumps(self.saved(), indent=2, ensure_ascii=False) + "\n")
        return made

    def drawn(self, jobs: int, done: Done) -> Iterator[tuple[str, bytes]]:
        """Yield the names and contents of all pictures."""
        many = len(self.sheets) > 1
        for sheet, data in zip(
            self.sheets, in_parallel(develop, _sheet_tasks(self.sheets), jobs if many else 1), strict=True
        ):
            yield sheet.name, data[0]
            done(len(sheet.faces))
        for (dpi, square), wanted in self.singles.items():
            yield from pictures(wanted, dpi, False, square, jobs, done)
        for name, size in self.blanks.items():
            buffer = io.BytesIO()
            Image.new("RGB", size, "white").save(buffer, "PNG")
            yield name, buffer.getvalue()
        yield from self.ready.items()


def _sheet_tasks(sheets: Iterable[_Sheet]) -> Iterator[tuple[object, ...]]:
    for sheet in sheets:
        stock = next(iter(sheet.faces.values())).stock
        size = (sheet.columns * pixels(stock.width, sheet.dpi), sheet.rows * pixels(stock.height, sheet.dpi))
        yield grid_pdf(sheet.faces, sheet.columns, sheet.rows), [Shot(0, size, sheet.dpi)]


def piles(designs: Sequence[Design]) -> dict[str, list[list[Design]]]:
    """Group the cards that form a deck on the table, by the id of the first card's deck in the game.

    They share a stock, and belong to one deck of the game, or to several with the same back, which are
    indistinguishable from behind and so shuffled together.
    """
    found: dict[tuple[str, Stock, object], list[Design]] = {}
    for deck, members in by_deck(designs).items():
        cards = [design for design in members if is_card(design)]
        for stock in dict.fromkeys(design.stock for design in cards):
            some = [design for design in cards if design.stock == stock]
            shared = one_back(some) and some[0].back is not None
            key = ("", stock, look(some[0].back)) if shared else (deck, stock, None)
            found.setdefault(key, []).extend(some)
    together: dict[str, list[list[Design]]] = {}
    for cards in found.values():
        together.setdefault(cards[0].deck.id, []).append(cards)
    return together


def is_card(design: Design) -> bool:
    """Return whether a design is a card in a deck rather than a tile."""
    return design.deck.kind == "card" and design.stock.shape == "rectangle" and design.stock.fold == "none"


def _pointed(stock: Stock) -> bool:
    """Return whether a hexagon stands on a corner; Tabletop Simulator's hexagon rests on a side."""
    return stock.shape == "hexagon" and stock.height > stock.width
