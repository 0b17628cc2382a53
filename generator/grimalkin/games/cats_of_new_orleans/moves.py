"""Every small move of the game, in a fixed order, and how it is written.

A move is a readable tuple of words: the action, and what it names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grimalkin.games.cats_of_new_orleans.box import UNARMED, Box
from grimalkin.games.cats_of_new_orleans.kinds import NUMBERS, SQUARES
from grimalkin.games.cats_of_new_orleans.names import every_name, every_unknown

Move = tuple[str, ...]

BEFORE: Final = ("heroes-first", "vermin-first")
BARE: Final = ("prowl", "stride", "pounce")
AFTER: Final = ("end", "keep", "do", "pass", "first", "second", "back", "under", "done", "agree", "decline")
HANDFULS: Final = ("1", "5", "20")
"""The numbers of bucks that can be handed over at a time; all of them is also possible."""
GO = tuple(("go", name) for name in SQUARES)
TO = tuple(("to", name) for name in SQUARES)
OF_LOOT: Final = ("equip", "stow", "take", "put", "give", "get")


def every(box: Box) -> Iterator[Move]:
    """Yield every move, in the order in which `legal` lists them."""
    ids, heroes = box.ids, [box.ids[hero] for hero in box.hero_numbers]
    squares = _squares(box)
    for word in BEFORE:
        yield (word,)
    for hero in heroes:
        yield ("act", hero)
    for word in BARE:
        yield (word,)
    for square in squares:
        yield ("go", square)
    yield ("land",)
    names = every_name(box)
    known = names[: len(names) - len(every_unknown(box))]
    corners = [corner for corner in squares if corner in _corners(box)]
    for attack in (UNARMED, *(ids[card] for card in box.loot if card in box.weapons)):
        for name in known:
            yield ("attack", attack, name)
        if attack != UNARMED and box.kit((box.numbers[attack],)).says("area"):
            for corner in corners:
                yield ("attack", attack, corner)
    for card in box.loot:
        if card in box.weapons:
            yield ("reload", ids[card])
    marked = {name for drawn in box.facts["maps"].values() for name, mark in drawn["marks"].items() if mark in "HL"}
    for square in squares:
        if square in marked:
            yield ("investigate", square)
    yield ("pick-up",)
    yield ("drop",)
    for hero in heroes:
        yield ("transfer", hero)
    yield ("unstun",)
    yield ("leave",)
    for card in (*box.hero_numbers, *box.skills, *box.loot):
        if any(not ability.on or ability.optional for ability in box.abilities(card)):
            yield ("use", ids[card])
    doors = {door.name for map_id in box.facts["maps"] for door in box.board(map_id).doors}
    for square in squares:
        for side in "es":
            if f"{square}{side}" in doors:
                yield ("door", f"{square}{side}")
    for word in AFTER:
        yield (word,)
    for card in box.poker:
        yield ("cheat", ids[card])
    for card in box.poker:
        yield ("discard", ids[card])
    for name in (*heroes, *names):
        yield ("choose", name)
    for card in (*box.skills, *box.loot, *box.poker):
        yield ("choose", ids[card])
    for square in squares:
        yield ("to", square)
    for word in OF_LOOT:
        for card in box.loot:
            if word not in ("equip", "stow") or card in box.weapons:
                yield (word, ids[card])
    for name in names:
        yield ("vermin", name)
    for hero in heroes:
        yield ("hand", hero)
        for count in HANDFULS:
            yield ("hand", hero, count)
    yield ("heal",)
    for word in ("buy", "gamble", "sell"):
        for card in box.loot:
            if (box.piece(card)["kind"] == "bucks") is (word == "gamble") and box.piece(card)["kind"] != "event":
                yield (word, ids[card])
    for card in box.skills:
        yield ("train", ids[card])
    yield ("onward",)


def _squares(box: Box) -> list[str]:
    """Return the squares of all maps together, by row and column."""
    found: dict[int, str] = {}
    for map_id in box.facts["maps"]:
        board = box.board(map_id)
        for square, name in enumerate(board.names):
            if board.on_map >> square & 1:
                found[square] = name
    return [found[square] for square in sorted(found)]


def _corners(box: Box) -> set[str]:
    return {name for map_id in box.facts["maps"] for name in box.board(map_id).big_names}


def ranks(box: Box) -> dict[Move, int]:
    """Return the place of every move in the order of all moves."""
    found: dict[Move, int] = box.once("ranks", lambda: {move: rank for rank, move in enumerate(every(box))})
    return found


def square_of(move: Move) -> int:
    """Return the square that a move names."""
    return NUMBERS[move[1]]
