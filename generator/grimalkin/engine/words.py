"""The words of the engine: Refusal, Line and Score, Result, Event, and the three ways a move is not accepted.

Every refusal, score line and event names the id of the rule (or ruling) that says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

OVER = -1
"""What `State.to_act` answers when the game has ended."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is not allowed now: the rule's id, and a sentence with the numbers that matter."""

    rule: str
    because: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.because}"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a score: `count` things worth `each` points make `points`; `rule` says why."""

    rule: str
    label: str
    count: int
    each: int
    points: int


@dataclass(frozen=True, slots=True)
class Score:
    """What one seat scores. A total always comes with its lines; `notes` are (rule, sentence) about choices in it."""

    seat: str
    lines: tuple[Line, ...]
    notes: tuple[tuple[str, str], ...] = ()

    @property
    def total(self) -> int:
        return sum(line.points for line in self.lines)


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the names of the winning seats, and the rules that made them so."""

    winners: tuple[str, ...]
    rules: tuple[str, ...]
    because: str


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: which rule made it happen, a sentence, and who may read the sentence.

    `audience` is None when everyone may; else the seats (by number) that may. The others read `hint`, if there is one.
    """

    rule: str
    text: str
    audience: frozenset[int] | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """What a simulation counts of a finished game, and of each seat in seat order.

    Words are compared with each other: how often games end so, how often seats with that word win. Whole numbers are
    summed up. All games and all seats have the same keys.
    """

    game: Mapping[str, str | int]
    seats: tuple[Mapping[str, str | int], ...]


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words in a sentence; nothing for none.

    >>> listed(["Ada", "Basil", "Cleo"])
    'Ada, Basil and Cleo'
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""


class NotAMove(Exception):
    """A line of notation that is not accepted. One of its three kinds is raised, never this one."""


class Unreadable(NotAMove):
    """The text is not notation of this game at all."""


class Ambiguous(NotAMove):
    """The text could mean more than one move here."""


class Refused(NotAMove):
    """The text is a move, but a rule forbids it now."""

    def __init__(self, refusal: Refusal, move: str) -> None:
        super().__init__(f'"{move}" is refused by {refusal}')
        self.refusal = refusal
        self.move = move
