"""Every small move of the game, in a fixed order, and how it is written; and the tasks and questions that wait.

A move is a readable tuple of words: the action, and what it names.

Pending tasks and questions are a stack with the next one on top. A task is a word with plain values, so a table can be
copied and compared in the middle of anything. A question is a task too: it waits on top until it is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

from grimalkin.games.cats_of_new_orleans.box import UNARMED, Box
from grimalkin.games.cats_of_new_orleans.figures import every_name, every_unknown
from grimalkin.games.cats_of_new_orleans.kinds import NUMBERS, SQUARES
from grimalkin.games.cats_of_new_orleans.numbers import ENDED, REACTIONS
from grimalkin.games.cats_of_new_orleans.table import Table

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
