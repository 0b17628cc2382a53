"""A made-up game, written to a folder: small, whole, and with no engine. Tests change one file of it at a time.

And the bundled games, each read once.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from grimalkin.content import Game, load_game
from grimalkin.content.shops import Shop
from grimalkin.games import find_game
from grimalkin.printing.export.designs import Design
from grimalkin.printing.export.lots import ANY_SHOP, lots_of
from grimalkin.printing.export.orders import Order, order_files
from grimalkin.printing.export.printshop import write_zip
from grimalkin.problems import Problems
from grimalkin.source import bundled_games, find_game_folder

FILES = {
    "game.yaml": """\
title: Tiny
tagline: A game for tests
summary: Nothing happens here.
players: {least: 1, most: 2}
minutes: {least: 1, most: 1}
year: 2026
prefix: TI
rules-version: "1"
credits:
  - {role: Design, name: Nobody}
palette: {red: "#aa0000"}
decks:
  - id: cards
    name: Cards
    kind: card
    file: cards.csv
    count: 3
    stock: poker
    faces: {front: plain, back: plain}
    columns:
      power: {type: whole, label: power, least: 1, most: 9}
      mood: {type: choice, label: mood, choices: [calm, cross], optional: yes}
""",
    "cards.csv": "id,name,count,power,mood\nmouse,Mouse,2,1,calm\nowl,Owl,1,7,\n",
    "rules.yaml": """\
sections:
  - id: play
    title: Play
    rules:
      - id: TI-PLAY-1
        title: Play a card
        text: Play a [[mouse]] or an [[owl]].
      - id: TI-PLAY-2
        title: Strength
        text: See [[TI-PLAY-1]] and the word [[=power]].
""",
    "terms.yaml": "terms:\n  - {id: power, name: power, text: How strong a card is.}\n",
    "faces/plain.svg.j2": """\
{% extends "base/face.svg.j2" %}
{% block words %}
<textbox name="name" x="5" y="5" width="53" height="10" size="12">{{ card.name }}</textbox>
<text x="5" y="40" font-family="SourceSansPro" font-size="5" fill="#1d1a26">{{ card.power }}</text>
{% endblock %}
""",
}


def write_game(folder: Path, **changes: str) -> Path:
    """The made-up game in `folder`. A change is named after its file, with `__` for the slash and `_` for the dot."""
    names = {name.replace("/", "__").replace(".", "_"): name for name in FILES}
    files = dict(FILES)
    for key, text in changes.items():
        files[names.get(key, key)] = text
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


class Lazily(Mapping[str, Any]):
    """A mapping that is made when somebody first looks into it, so that collecting tests reads no game."""

    def __init__(self, make: Callable[[], Mapping[str, Any]]) -> None:
        self.make = make

    @cached_property
    def made(self) -> Mapping[str, Any]:
        return self.make()

    def __getitem__(self, key: str) -> Any:
        return self.made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.made)

    def __len__(self) -> int:
        return len(self.made)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return deepcopy(self.made, memo)


def zip_of(game: Game, designs: Sequence[Design], shop: Shop = ANY_SHOP, **how: Any) -> bytes:
    """The ZIP for a print shop, of which nothing is known unless it is named."""
    problems = Problems()
    lots, left_out = lots_of(shop, game, designs, problems)
    assert [] == list(problems)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "order.zip"
        write_zip(order_files(Order(game, shop, lots, left_out, **how), 1, lambda _: None), path)
        return path.read_bytes()


def facts_of(name: str) -> Mapping[str, Any]:
    """The facts of a bundled game, read when they are first looked at."""
    return Lazily(lambda: bundled_game(name).facts)


def rows_of(name: str, table: str) -> list[dict[str, str]]:
    """The rows of a bundled game's table as they are written: quick enough for the parameters of tests."""
    with (find_game_folder(name) / table).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def played_games() -> list[str]:
    """The games that come along and have an engine."""
    return [name for name in bundled_games() if find_game(name)]


@cache
def bundled_game(name: str) -> Game:
    """A game that comes along, as it was read once for all tests, which leave it as it is."""
    problems = Problems()
    game = load_game(find_game_folder(name), problems)

    assert game is not None and not problems, list(problems)
    return game


def leave_examples_at_home(folder: Path) -> None:
    """Take the examples that a game shows first out of its game.yaml, for a copy without them."""
    path = folder / "game.yaml"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith("best-examples:")), "utf-8")
