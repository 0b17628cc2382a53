"""Every small move of the game, in a fixed order; the names of vermin; and the tasks and questions that wait.

A move is a readable tuple of words: the action, and what it names. Vermin are named and sorted by marker, then by
number; face-down ones are last.

Pending tasks and questions are a stack with the next one on top. A task is a word with plain values, so a table can be
copied and compared in the middle of anything. A question is a task too: it waits on top until it is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

from grimalkin.engine.law import law
from grimalkin.games.cats_of_new_orleans.box import UNARMED, Box
from grimalkin.games.cats_of_new_orleans.kinds import NUMBERS, SQUARES
from grimalkin.games.cats_of_new_orleans.numbers import ENDED, REACTIONS
from grimalkin.games.cats_of_new_orleans.table import Table, Vermin

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


# Names of vermin

UNKNOWN = "unknown"


def spoken(table: Table, name: str) -> str:
    """Return what sentences call a figure: Patch, Mosquito 2, Unknown 1."""
    box = table.box
    number = box.numbers.get(name)
    if number is not None and number in box.hero_numbers:
        return box.names[number]
    words: dict[str, str] = box.once("words", lambda: {one.word: box.names[one.number] for one in box.markers})
    if name in words:
        return words[name]
    word, _, number_of_it = name.rpartition("-")
    return f"{words.get(word, word.capitalize())} {number_of_it}" if word else name.capitalize()


def rank(box: Box, vermin: Vermin) -> tuple[int, int]:
    """Return the sort key of a vermin."""
    word, _, number = vermin.name.rpartition("-")
    if not vermin.up:
        return len(box.ids), int(number)
    return vermin.marker, int(number) if number.isdigit() and word else 0


@law("NO-HIDE-1", "NO-HIDE-6")
def christen(table: Table, vermin: Vermin) -> None:
    """Name a vermin: after its marker or, face down, "unknown", with the smallest free number."""
    box = table.box
    taken = {other.name for other in table.vermin if other is not vermin}
    if vermin.up:
        marker = box.marker(vermin.marker)
        if marker.count == 1:
            vermin.name = marker.word
            return
        word = marker.word
    else:
        word = UNKNOWN
    number = 1
    while f"{word}-{number}" in taken:
        number += 1
    vermin.name = f"{word}-{number}"


def insert(table: Table, vermin: Vermin) -> None:
    """Name a vermin that appears or is turned over, and sort it among the others."""
    was = vermin.name
    christen(table, vermin)
    if was and was != vermin.name:
        if table.active == was:
            table.active = vermin.name
        table.fights = [
            fight._replace(
                by=vermin.name if fight.by == was else fight.by, at=vermin.name if fight.at == was else fight.at
            )
            for fight in table.fights
        ]
    if vermin not in table.vermin:
        table.vermin.append(vermin)
    table.vermin.sort(key=lambda one: rank(table.box, one))


def every_name(box: Box) -> list[str]:
    """Return every name that vermin can have, in order."""
    names = []
    for marker in box.markers:
        names += [marker.word] if marker.count == 1 else [f"{marker.word}-{n + 1}" for n in range(marker.count)]
    return names + every_unknown(box)


def every_unknown(box: Box) -> list[str]:
    return [f"{UNKNOWN}-{n + 1}" for n in range(sum(marker.count for marker in box.markers))]


# Tasks and questions

F = TypeVar("F", bound=Callable[..., None])

ASK: Final = "ask"
TASKS: Final[dict[str, Callable[..., None]]] = {}
"""By word, the function of a task. Each module registers its own."""
ANSWERS: Final[dict[str, Callable[..., None]]] = {}
"""By the word of a question, the function that takes its answer."""
GROUP: Final = -1
"""The seat asked for the whole party: the first one, or that of the active hero."""


def task(function: F) -> F:
    """Register a function for the task of the same name."""
    TASKS[function.__name__] = function
    return function


def answer(function: F) -> F:
    """Register a function for the answers to the question of the same name."""
    ANSWERS[function.__name__] = function
    return function


def do(table: Table, word: str, *about: Any) -> None:
    """Put a task on top: it comes next, unless others are put on it."""
    table.todo.append((word, *about))


def do_last(table: Table, word: str, *about: Any) -> None:
    """Put a task at the bottom: it comes when everything waiting now is done, such as at the end of an activation."""
    if (word, *about) not in table.todo:
        table.todo.insert(0, (word, *about))


def ask(table: Table, question: str, moves: Sequence[Move], *about: Any, seat: int = GROUP) -> None:
    """Ask a question, even one with a single answer."""
    assert moves, question
    rank = ranks(table.box)
    answers = tuple(sorted(moves, key=lambda move: rank.get(move, len(rank))))
    table.todo.append((ASK, question, seat, answers, about))


def ask_or_go_on(table: Table, question: str, moves: Sequence[Move], *about: Any, seat: int = GROUP) -> None:
    """Ask a question, or give its single answer without asking."""
    if len(moves) == 1:
        ANSWERS[question](table, moves[0], *about)
    elif moves:
        ask(table, question, moves, *about, seat=seat)


def asked(table: Table) -> tuple[Any, ...] | None:
    """Return the question on top: its word, the seat, the answers, and its details; None if there is none."""
    return table.todo[-1][1:] if table.todo and table.todo[-1][0] == ASK else None


def reply(table: Table, move: Move) -> None:
    """Answer the question on top."""
    _, question, _, _, about = table.todo.pop()
    ANSWERS[question](table, move, *about)


def run(table: Table) -> None:
    """Carry out tasks up to the next question or the end."""
    todo = table.todo
    while todo:
        top = todo[-1]
        if top[0] == ASK:
            return
        todo.pop()
        TASKS[top[0]](table, *top[1:])
        if table.won or table.lost:
            table.phase, table.active = ENDED, ""
            left = tuple(todo)
            todo.clear()
            TASKS["gather_up"](table, left)
        elif len(todo) > REACTIONS * 8:
            raise RecursionError("cards set each other off without end")
