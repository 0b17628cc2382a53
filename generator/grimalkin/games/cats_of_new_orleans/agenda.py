"""Pending tasks and questions: a stack with the next one on top.

A task is a word with plain values, so a table can be copied and compared in the middle of anything. A question is a
task too: it waits on top until it is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from grimalkin.games.cats_of_new_orleans.moves import Move, ranks
from grimalkin.games.cats_of_new_orleans.numbers import ENDED, REACTIONS
from grimalkin.games.cats_of_new_orleans.table import Table

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
