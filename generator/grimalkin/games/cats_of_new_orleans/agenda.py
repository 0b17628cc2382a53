"""What is still to be done, and what is asked: a stack of tasks, the next one on top.

A task is a word and what it is about, plain values, so that a table can be copied and compared in the middle of
anything. A question is a task too: it waits on top until one of its answers is given.
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
"""By word, what a task does. Each module says its own."""
ANSWERS: Final[dict[str, Callable[..., None]]] = {}
"""By the word of a question, what an answer does."""
GROUP: Final = -1
"""Whoever is asked when it concerns the whole party: the first seat, or the seat whose hero is activated."""


def task(function: F) -> F:
    """This function does the task that is called as it is."""
    TASKS[function.__name__] = function
    return function


def answer(function: F) -> F:
    """This function takes the answers to the question that is called as it is."""
    ANSWERS[function.__name__] = function
    return function


def do(table: Table, word: str, *about: Any) -> None:
    """Put a task on top: it is the next one, unless others come on top of it."""
    table.todo.append((word, *about))


def do_last(table: Table, word: str, *about: Any) -> None:
    """Do this when all that waits now is done: at the end of an activation, for instance, whatever goes on in it."""
    if (word, *about) not in table.todo:
        table.todo.insert(0, (word, *about))


def ask(table: Table, question: str, moves: Sequence[Move], *about: Any, seat: int = GROUP) -> None:
    """Ask something. Where there is one answer only, it is given at once."""
    assert moves, question
    rank = ranks(table.box)
    answers = tuple(sorted(moves, key=lambda move: rank.get(move, len(rank))))
    table.todo.append((ASK, question, seat, answers, about))


def ask_or_go_on(table: Table, question: str, moves: Sequence[Move], *about: Any, seat: int = GROUP) -> None:
    """Ask something to which there is perhaps one answer only, which then needs no asking."""
    if len(moves) == 1:
        ANSWERS[question](table, moves[0], *about)
    elif moves:
        ask(table, question, moves, *about, seat=seat)


def asked(table: Table) -> tuple[Any, ...] | None:
    """The question on top: its word, who is asked, the answers, and what it is about."""
    return table.todo[-1][1:] if table.todo and table.todo[-1][0] == ASK else None


def reply(table: Table, move: Move) -> None:
    """Give an answer to the question on top."""
    _, question, _, _, about = table.todo.pop()
    ANSWERS[question](table, move, *about)


def run(table: Table) -> None:
    """Do all that is to be done, up to the next question or the end."""
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
