"""Problems as values: a place, what is wrong there, and what would be right.

Steps return what they made together with the problems they found; only the command line turns problems into text and an
exit code. Exceptions are kept for our own bugs and for refused moves.
"""

from __future__ import annotations

import os
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from string import hexdigits

from grimalkin.problems.plain import visible


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line in a file; line 0 means the whole file. `where` names a place in a file without lines.

    >>> print(Place("deck.xlsx", 7, "sheet Cards, cell C7"))
    deck.xlsx, sheet Cards, cell C7
    """

    path: str
    line: int = 0
    where: str = ""

    def __str__(self) -> str:
        if self.where:
            return f"{self.path}, {self.where}"
        return f"{self.path}:{self.line}" if self.line else self.path


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One fault in something that a user wrote.

    `message` says what is wrong and quotes it; `hint` says what would be right; `also` is a second place, if two lines
    disagree.
    """

    place: Place
    message: str
    hint: str = ""
    also: Place | None = None

    def __str__(self) -> str:
        text = f"{self.place}: {self.message}"
        if self.hint:
            text += f"; {self.hint}"
        text = visible(text)  # a quoted text may have line ends, and would look like several problems
        if self.also:
            text += f"\n    {visible(str(self.also))}: the other place"
        return text


MOST_FOUND = 300


@dataclass(slots=True)
class Problems:
    """The problems found so far, without duplicates."""

    found: dict[Problem, None] = field(default_factory=dict)

    def add(self, place: Place, message: str, hint: str = "", also: Place | None = None) -> None:
        self.found[Problem(place, message, hint, also)] = None

    def extend(self, problems: Iterable[Problem]) -> None:
        self.found.update(dict.fromkeys(problems))

    def stop(self) -> None:
        """Raise Stop if there are any problems."""
        if self.found:
            raise Stop(self)

    def __bool__(self) -> bool:
        return bool(self.found)

    @property
    def enough(self) -> bool:
        """Return whether there are more problems than anybody would read, so that the search may end."""
        return len(self.found) >= MOST_FOUND

    def __iter__(self) -> Iterator[Problem]:
        return iter(sorted(self.found, key=lambda p: (p.place, p.message)))


class Stop(Exception):
    """An error for a command that cannot go on. Steps raise it with every problem; the command line catches it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(str(p) for p in self.problems))

    @classmethod
    def at(cls, place: Place, message: str, hint: str = "") -> Stop:
        """Make a Stop with one problem."""
        return cls([Problem(place, message, hint)])


EXTRAS = {"ezdxf": "dxf", "pikepdf": "pdf"}
"""Packages that a plain installation lacks, and the extras that bring them: `pip install "grimalkin[dxf]"`."""


@contextmanager
def extra(place: Place) -> Iterator[None]:
    """Guard the import of an optional package: if it is missing, raise a Stop that names the extra to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        hint = f'pip install "grimalkin[{EXTRAS[error.name]}]"'
        raise Stop([Problem(place, f"this needs {error.name}, which is not installed", hint)]) from None


GUIDE = "the guide's reference lists all of them"
MOST_COMPARED = 200
"""The most words that a word is compared with."""
LONGEST_WORD = 80
MOST_LISTED = 12
SHORTEST_BEGINNING = 2
"""The fewest letters of a word that may stand for the only known word beginning with it."""
MOST_SLIPS = 5
"""The most wrong letters in a word that is still recognised."""


def did_you_mean(word: str, known: Iterable[str], where: str = "") -> str:
    """Return a hint: the nearest known word, or all words if there are few, or some words and `where` to find all.

    The nearest is the one with the fewest letters to correct; among equals, the one that begins most alike. The only
    word that begins with the given one is nearer than any with two letters to correct.

    >>> did_you_mean("vigour", ["vigor", "will"])
    'did you mean "vigor"?'
    >>> did_you_mean("x", ["claw", "base"])
    'known here: base, claw'
    >>> did_you_mean("QH", ["qd", "qh"])
    'did you mean "qh"?'
    >>> did_you_mean("dup", ["duplex", "fold"])
    'did you mean "duplex"?'
    >>> did_you_mean("x", "abcdefghijklmnop", "see the list")
    'there are 16, such as n, o, p; see the list'
    """
    choices = sorted({choice for choice in known if 0 < len(choice) <= LONGEST_WORD})
    near = nearest(word, choices)
    if near:
        return near
    if 0 < len(choices) <= MOST_LISTED:
        return "known here: " + ", ".join(choices)
    if choices and where:
        at = max(0, min(bisect(choices, word) - 1, len(choices) - 3))
        return f"there are {len(choices):,}, such as {', '.join(choices[at : at + 3])}; {where}"
    return where


def nearest(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """Suggest the nearest known word, as `did_you_mean` does; return `otherwise` if none is near.

    >>> nearest("dup", ["duplex", "fold"]), nearest("x", ["duplex", "fold"], "choose one")
    ('did you mean "duplex"?', 'choose one')
    """
    choices = sorted({choice for choice in known if 0 < len(choice) <= LONGEST_WORD})
    near = _nearest(word, choices) if len(word) <= LONGEST_WORD else ""
    return f'did you mean "{near}"?' if near else otherwise


def _nearest(word: str, choices: Sequence[str]) -> str:
    """Return the choice that is probably meant by a mistyped or shortened word; "" if none is near enough."""
    word = word.lower()
    if len(choices) > MOST_COMPARED:  # comparing is slow; similar words have nearly the same letters
        letters = set(word)
        choices = sorted(choices, key=lambda one: (len(letters ^ set(one.lower())), abs(len(one) - len(word))))
    best: tuple[int, int, str] | None = None
    for choice in choices[:MOST_COMPARED]:
        other = choice.lower()
        most = min(MOST_SLIPS, max(len(word), len(other)) * 2 // 5)
        slips = _slips(word, other, min(most, best[0]) if best else most)
        if slips is not None:
            alike = sum(1 for _ in takewhile(lambda two: two[0] == two[1], zip(word, other, strict=False)))
            found = (slips, -alike, choice)
            best = min(best or found, found)
    begun = [choice for choice in choices if choice.lower().startswith(word)]
    if len(begun) == 1 and len(word) >= SHORTEST_BEGINNING and (best is None or best[0] > 1):
        return begun[0]
    return best[2] if best else ""


def _slips(one: str, other: str, most: int) -> int | None:
    """Return how many letters are wrong, missing, extra or swapped with the next one; None if more than `most`.

    This is the distance of Damerau and Levenshtein, computed only where it can be small enough.
    """
    if abs(len(one) - len(other)) > most:
        return None
    far = most + 1
    last: list[int] = []
    row = [min(at, far) for at in range(len(other) + 1)]
    for i, letter in enumerate(one, 1):
        above, last, row = last, row, [min(i, far)] + [far] * len(other)
        for j in range(max(1, i - most), min(len(other), i + most) + 1):
            cost = last[j - 1] + (letter != other[j - 1])
            cost = min(cost, last[j] + 1, row[j - 1] + 1)
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == other[j - 1]:
                cost = min(cost, above[j - 2] + 1)
            row[j] = min(cost, far)
        if min(row) >= far and min(last) >= far:
            return None
    return row[-1] if row[-1] <= most else None


def colour_hint(written: str) -> str:
    """Return a hint on how to write a colour.

    >>> colour_hint("#fa0"), colour_hint("22304a"), colour_hint("red")
    ('write "#ffaa00"', 'write "#22304a"', 'write a colour as "#1d1a26"')
    """
    digits = written.removeprefix("#")
    if len(digits) in (3, 6) and all(sign in hexdigits for sign in digits):
        return f'write "#{digits if len(digits) == 6 else "".join(2 * sign for sign in digits)}"'
    return 'write a colour as "#1d1a26"'


def shown_path(path: Path) -> str:
    """Return a path as a person would type it: relative to the current folder if it is below that. Links stay links."""
    return _shown(path, Path.cwd())


@lru_cache(maxsize=1000)  # called for every line that a message is about
def _shown(path: Path, here: Path) -> str:
    for whole in (os.path.abspath, os.path.realpath):
        try:
            return Path(whole(path)).relative_to(here).as_posix()
        except ValueError:  # it is not below the folder, or has a zero byte
            continue
    return str(path)
