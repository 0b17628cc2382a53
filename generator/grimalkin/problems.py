"""What can be wrong, as values: a place, what is wrong, what would be right.

Steps return what they made together with the problems they met; only the command line turns problems into text and an
exit code. Exceptions are kept for our own bugs and for refused moves.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grimalkin.plain import visible


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line of a file; line 0 stands for the whole file."""

    path: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong with what a user wrote.

    `message` says what is wrong and quotes it; `hint` says what would be right; `also` is the second place, when two
    lines disagree.
    """

    place: Place
    message: str
    hint: str = ""
    also: Place | None = None

    def __str__(self) -> str:
        text = f"{self.place}: {self.message}"
        if self.hint:
            text += f"; {self.hint}"
        text = visible(text)  # what is quoted may have lines of its own, which would look like other problems
        if self.also:
            text += f"\n    {visible(str(self.also))}: the other place"
        return text


MOST_FOUND = 300


@dataclass(slots=True)
class Problems:
    """The problems met so far, each kept once."""

    found: dict[Problem, None] = field(default_factory=dict)

    def add(self, place: Place, message: str, hint: str = "", also: Place | None = None) -> None:
        self.found[Problem(place, message, hint, also)] = None

    def __bool__(self) -> bool:
        return bool(self.found)

    @property
    def enough(self) -> bool:
        """Whether there are so many that nobody reads on: what would only find more may end."""
        return len(self.found) >= MOST_FOUND

    def __iter__(self) -> Iterator[Problem]:
        return iter(sorted(self.found, key=lambda p: (p.place, p.message)))


class Stop(Exception):
    """A command cannot go on. Carries every problem found; raised by a whole step, caught by the command line."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(str(p) for p in self.problems))


MOST_COMPARED = 200
"""Words that a word is compared with."""
LONGEST_WORD = 80


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint: the nearest known word, else the whole list while it is short, else nothing.

    >>> did_you_mean("vigour", ["vigor", "will"])
    'did you mean "vigor"?'
    >>> did_you_mean("x", ["claw", "base"])
    'known here: base, claw'
    >>> did_you_mean("QH", ["qd", "qh"])
    'did you mean "qh"?'
    """
    if len(word) > LONGEST_WORD:
        return ""
    choices = sorted(set(known))
    if len(choices) > MOST_COMPARED:  # comparing takes long; the first letter is seldom the wrong one
        alike = [choice for choice in choices if choice[:1].lower() == word[:1].lower() and len(choice) <= LONGEST_WORD]
        choices = sorted(alike, key=lambda choice: abs(len(choice) - len(word)))[:MOST_COMPARED]
    near = [choice for choice in choices if choice.lower() == word.lower()]
    near = near or difflib.get_close_matches(word, choices, n=1, cutoff=0.6)
    if near:
        return f'did you mean "{near[0]}"?'
    if choices and len(choices) <= 12:
        return "known here: " + ", ".join(choices)
    return ""


def shown_path(path: Path) -> str:
    """A path as a person would type it: relative to the current folder when it lies below it. Links stay links."""
    for whole in (os.path.abspath, os.path.realpath):
        try:
            return Path(whole(path)).relative_to(Path.cwd()).as_posix()
        except ValueError:  # it does not lie there, or holds a zero byte
            continue
    return str(path)
