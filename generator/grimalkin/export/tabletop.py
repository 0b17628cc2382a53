"""Designs in, a saved object of Tabletop Simulator out, with the pictures that it shows.

Rectangular cards become decks: their faces lie in rows on a sheet, and a card is known by the number of its sheet and
its place on it. Everything else becomes tiles, in a bag when there are several. The format is that of
https://kb.tabletopsimulator.com/custom-content/save-file-format/ and custom-deck/, the numbers of shapes those of
https://api.tabletopsimulator.com/custom-game-objects/.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from PIL import Image

from grimalkin.content import Game
from grimalkin.content.models import Component
from grimalkin.content.stocks import Stock
from grimalkin.draw.png import INCH, Shot, develop, grid_pdf, pixels
from grimalkin.export.designs import Design, Done, by_deck, look, one_back
from grimalkin.export.pictures import Wanted, pictures
from grimalkin.face import Face
from grimalkin.output.disk import write_new
from grimalkin.output.workers import in_parallel

MOST_COLUMNS, MOST_ROWS = 10, 7
MOST_DESIGNS = MOST_COLUMNS * MOST_ROWS - 1
"""On one sheet: the last place is what others see of a card in a hand."""
CARD_HEIGHT = 88.9
"""Millimetres of a card that is drawn at scale 1; cards of any size are drawn equally high otherwise."""
TILE_HEIGHT = 2 * INCH
"""The same of a tile: two units, and a unit is about an inch."""
BOX, HEX, CIRCLE, ROUNDED = 0, 1, 2, 3
THICKNESS = 0.1
APART = 5.0
"""Units between things on the table."""

Address = Callable[[str], str]
"""The address of a picture, from its file's name."""
Thing = dict[str, Any]


def addresses(base: str | None, folder: Path) -> Address:
    """Where the pictures are: below an address of the web, else in a folder of this computer."""
    if base is None:
        return lambda name: (folder / name).absolute().as_uri()
    written = quote(base.rstrip("/"), safe="%/:?#[]@!$&'()*+,;=~", errors="surrogateescape")
    return lambda name: f"{written}/{quote(name)}"


def export_tts(
    game: Game, designs: Sequence[Design], folder: Path, address: Address, dpi: int, largest: int, jobs: int, done: Done
) -> int:
    """The saved object and its pictures, none wider or higher than `largest` pixels. Returns how many pictures."""
    table = _Table(game, address, dpi, largest)
    together = _together(designs)
    for deck, members in by_deck(designs).items():
        for cards in together.get(deck, ()):
            table.deck(cards)
        tiles = [design for design in members if not _is_card(design)]
        if tiles:
            table.tiles(deck, tiles)
    made = 0
    for name, data in table.drawn(jobs, done):
        write_new(folder / name, data)
        made += 1
    write_new(folder / f"{game.name}.json", json.dumps(table.saved(), indent=2, ensure_ascii=False) + "\n")
    return made


def grid(count: int, stock: Stock, dpi: int, largest: int) -> tuple[int, int, int]:
    """Columns, rows and dots per inch of a sheet with room for `count` faces: as sharp as it can be, then as small."""
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
    """By their places, row by row."""
    columns: int
    rows: int
    dpi: int


@dataclass(slots=True)
class _Table:
    """What lies on the table so far, and the pictures it needs."""

    game: Game
    address: Address
    dpi: int
    largest: int
    things: list[Thing] = field(default_factory=list)
    sheets: list[_Sheet] = field(default_factory=list)
    singles: dict[int, list[Wanted]] = field(default_factory=dict)
    """Pictures of one face, by their dots per inch."""
    blanks: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Empty backs: their size in pixels."""
    guids: set[str] = field(default_factory=set)

    def deck(self, designs: list[Design]) -> None:
        """A deck of cards of one stock, or a single card. It may hold several decks of the game."""
        stock = designs[0].stock
        decks = by_deck(designs)
        deck = next(iter(decks))
        *others, last = [members[0].deck.name for members in decks.values()]
        name = f"{', '.join(others)} and {last}" if others else last
        custom: dict[int, Thing] = {}
        cards: list[Thing] = []
        for start in range(0, len(designs), MOST_DESIGNS):
            number = len(self.numbers()) + len(custom) + 1
            members = designs[start : start + MOST_DESIGNS]
            custom[number] = self.sheet(f"{deck}_{number}", members)  # no id has such a sign, so no tile is called so
            for index, design in enumerate(members):
                for copy in range(design.row.count):
                    card = self.thing("CardCustom", design.row, copy, stock.height / CARD_HEIGHT)
                    card |= {
                        "CardID": number * 100 + index,
                        "SidewaysCard": stock.width > stock.height,
                        "CustomDeck": {str(number): custom[number]},
                    }
                    card["Transform"]["rotZ"] = 180.0  # face down
                    cards.append(card)
        if len(cards) == 1:
            self.place(cards[0])
            return
        whole = self.thing("DeckCustom", None, 0, stock.height / CARD_HEIGHT, deck, name)
        whole |= {
            "SidewaysCard": stock.width > stock.height,
            "DeckIDs": [card["CardID"] for card in cards],
            "CustomDeck": {str(number): sheet for number, sheet in custom.items()},
            "ContainedObjects": cards,
        }
        whole["Transform"]["rotZ"] = 180.0
        self.place(whole)

    def sheet(self, name: str, designs: list[Design]) -> Thing:
        """Sheets of fronts and backs. The last place of the fronts is the back, when there is one for all."""
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

    def tiles(self, deck: str, designs: list[Design]) -> None:
        """Tiles of one deck: in a bag, or one by itself."""
        tiles = [self.tile(design, copy) for design in designs for copy in range(design.row.count)]
        for design in designs:
            for face in design.faces:
                self.single(f"{face.id}.png", face, turned=_pointed(design.stock))
        if len(tiles) == 1:
            self.place(tiles[0])
            return
        bag = self.thing("Bag", None, 0, 1.0, deck, designs[0].deck.name)
        self.place(bag | {"ContainedObjects": tiles})

    def tile(self, design: Design, copy: int) -> Thing:
        """One tile, or a figure when it folds to stand."""
        stock = design.stock
        folds = stock.fold != "none"
        height = stock.width if _pointed(stock) else stock.height
        tile = self.thing("Figurine_Custom" if folds else "Custom_Tile", design.row, copy, height / TILE_HEIGHT)
        image: Thing = {
            "ImageURL": self.address(f"{design.front.id}.png"),
            "ImageSecondaryURL": self.address(f"{design.back.id}.png") if design.back else "",
            "ImageScalar": 1.0,
            "WidthScale": 0.0,
        }
        if not folds:
            shape = {"circle": CIRCLE, "hexagon": HEX}.get(stock.shape, ROUNDED if stock.corner else BOX)
            image["CustomTile"] = {"Type": shape, "Thickness": THICKNESS, "Stackable": True, "Stretch": True}
            if _pointed(stock):
                tile["Transform"]["rotY"] = 270.0
        return tile | {"CustomImage": image}

    def single(self, name: str, face: Face, turned: bool = False) -> None:
        """A picture of one face."""
        stock = face.stock
        dpi = min(self.dpi, int(self.largest / max(stock.width, stock.height) * INCH))
        self.singles.setdefault(dpi, []).append(Wanted(name, face, turned=turned))

    def thing(
        self, name: str, row: Component | None, copy: int, scale: float, id_: str = "", nickname: str = ""
    ) -> Thing:
        """What every object of a save has."""
        return {
            "GUID": self.guid(name, row.id if row else id_, copy),
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
            "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
            "Locked": False,
            **dict.fromkeys(("Grid", "Snap", "Autoraise", "Sticky", "Tooltip"), True),
        }

    def guid(self, *parts: object) -> str:
        """Six hexadecimal digits, the same at every export, and no two alike."""
        text = "/".join(str(part) for part in (self.game.name, *parts))
        guid = hashlib.sha256(text.encode()).hexdigest()[:6]
        while guid in self.guids:
            guid = f"{(int(guid, 16) + 1) % 16**6:06x}"
        self.guids.add(guid)
        return guid

    def place(self, thing: Thing) -> None:
        """Put a thing onto the table, to the right of the last."""
        thing["Transform"] |= {"posX": len(self.things) * APART, "posY": 1.0}
        self.things.append(thing)

    def numbers(self) -> set[str]:
        """The numbers of the sheets that are on the table."""
        return {number for thing in self.things for number in thing.get("CustomDeck", ())}

    def saved(self) -> Thing:
        """The saved object. Without a date, so that the same game gives the same file."""
        empty = ("GameMode", "Date", "Table", "Sky", "Note", "Rules", "PlayerTurn", "LuaScript", "LuaScriptState")
        return {"SaveName": self.game.marked_title, **dict.fromkeys(empty, ""), "ObjectStates": self.things}

    def drawn(self, jobs: int, done: Done) -> Iterator[tuple[str, bytes]]:
        """The names and contents of all pictures."""
        many = len(self.sheets) > 1
        for sheet, data in zip(
            self.sheets, in_parallel(develop, _sheet_tasks(self.sheets), jobs if many else 1), strict=True
        ):
            yield sheet.name, data[0]
            done(len(sheet.faces))
        for dpi, wanted in self.singles.items():
            yield from pictures(wanted, dpi, False, True, jobs, done)
        for name, size in self.blanks.items():
            buffer = io.BytesIO()
            Image.new("RGB", size, "white").save(buffer, "PNG")
            yield name, buffer.getvalue()


def _sheet_tasks(sheets: Iterable[_Sheet]) -> Iterator[tuple[object, ...]]:
    for sheet in sheets:
        stock = next(iter(sheet.faces.values())).stock
        size = (sheet.columns * pixels(stock.width, sheet.dpi), sheet.rows * pixels(stock.height, sheet.dpi))
        yield grid_pdf(sheet.faces, sheet.columns, sheet.rows), [Shot(0, size, sheet.dpi)]


def _together(designs: Sequence[Design]) -> dict[str, list[list[Design]]]:
    """The cards that make a deck on the table, below the id of the game's deck that the first of them is from.

    They share their stock and come from one deck of the game, or from several with one back for all: nobody can tell
    these from behind, so they are shuffled together.
    """
    found: dict[tuple[str, Stock, object], list[Design]] = {}
    for deck, members in by_deck(designs).items():
        cards = [design for design in members if _is_card(design)]
        for stock in dict.fromkeys(design.stock for design in cards):
            some = [design for design in cards if design.stock == stock]
            shared = one_back(some) and some[0].back is not None
            key = ("", stock, look(some[0].back)) if shared else (deck, stock, None)
            found.setdefault(key, []).extend(some)
    together: dict[str, list[list[Design]]] = {}
    for cards in found.values():
        together.setdefault(cards[0].deck.id, []).append(cards)
    return together


def _is_card(design: Design) -> bool:
    return design.deck.kind == "card" and design.stock.shape == "rectangle" and design.stock.fold == "none"


def _pointed(stock: Stock) -> bool:
    """Whether a hexagon stands on a point; the tile of Tabletop Simulator lies on a side."""
    return stock.shape == "hexagon" and stock.height > stock.width
