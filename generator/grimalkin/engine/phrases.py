"""Sentences as data: a table of phrases parses a text into a tree of plain values, and prints it again.

A table has *kinds* of phrases (a clause, who is meant, a condition), and each kind has *forms*: a name, and a pattern
of words and slots. Reading finds the forms that fit a text; printing fills the slots of a form. So every meaning is
written once, in plain words, and a translation is a table with the same names.

>>> table = Table([
...     Kind("text", "a sentence", [Form("gain", "{^who} gain{n}."), Form("lose", "{^who} lose{n}.")]),
...     Kind("who", "who it is about", [Form("you", "you"), Form("cats", "all cats")]),
...     Kind("n", "how many", [Form("of", " {n:number} fish<|es>")]),
... ])
>>> tree = table.read("All cats gain 2 fishes.")
>>> tree["who"].name, tree["n"]["n"]
('cats', 2)
>>> table.print(tree)
'All cats gain 2 fishes.'
>>> table.read("All cats gain 1 fishes.")
Traceback (most recent call last):
    ...
grimalkin.engine.phrases.NotRead: it stops making sense at "fishes."

In a pattern, `{who}` is a slot for a phrase of that kind, `{a:who}` one with a label of its own, `{^who}` one that
begins with a capital letter, and `<one|many>` goes with the number before it. Every table contains three kinds:
`number`, `signed` (+2, −1) and `name` with a list of names that the reader supplies: `{foe:name foes}`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property
from itertools import takewhile
from typing import Final, TypeAlias

from grimalkin.problems.plain import listed

Value: TypeAlias = "Phrase | int | str | tuple[Phrase, ...]"
Names: TypeAlias = Mapping[str, Mapping[str, str]]
"""Lists of names: for each list, the names used in texts, with their ids."""
LONGEST: Final = 1_000
"""The most characters of a text."""
MOST_READINGS: Final = 2
"""The most readings kept for one piece of text: two are enough to show that it is ambiguous."""
MOST_TOLD: Final = 6
"""The most possibilities that a hint lists."""
LETTERS: Final = string.ascii_letters + string.digits + "'’-"
MINUS: Final = "\N{MINUS SIGN}"

_PART = re.compile(r"\{(\^?)(?:([a-z-]+):)?([a-z-]+)(?: ([a-z-]+))?\}|<([^<>|]*)\|([^<>|]*)>|([^{}<>]+)")
_NUMBER = re.compile(r"(?:0|[1-9][0-9]{0,3})(?![0-9])")
_SIGNED = re.compile(r"([+\N{MINUS SIGN}])([1-9][0-9]?)(?![0-9])")
_NOT_SIGNED = re.compile(r"[-\N{EN DASH}]([1-9][0-9]?)(?![0-9])")


@dataclass(frozen=True, slots=True)
class Phrase:
    """The meaning of a piece of text: the name of its form, and the values of its slots by label."""

    name: str
    parts: tuple[tuple[str, Value], ...] = ()

    def __getitem__(self, label: str) -> Value:
        """Return the value of a slot. Raises KeyError if the form has no such slot."""
        for one, value in self.parts:
            if one == label:
                return value
        raise KeyError(label)

    def every(self) -> Iterator[Phrase]:
        """Yield this phrase and all phrases within it."""
        yield self
        for _, value in self.parts:
            for one in value if isinstance(value, tuple) else (value,):
                if isinstance(one, Phrase):
                    yield from one.every()

    def plain(self) -> dict[str, object]:
        """Return the phrase as JSON values."""
        return {"phrase": self.name, **{label: _plain(value) for label, value in self.parts}}


def _plain(value: Value) -> object:
    if isinstance(value, tuple):
        return [one.plain() for one in value]
    return value.plain() if isinstance(value, Phrase) else value


class NotRead(ValueError):
    """An error for a text that the table cannot read. `at` is where reading stops; `could` would be possible there."""

    def __init__(self, message: str, at: int = 0, could: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.at = at
        self.could = tuple(could)

    def hint(self, text: str) -> str:
        """Return what would be possible where reading stopped, likeliest first."""
        word = text[self.at :].lstrip().split(" ", 1)[0].lower()
        likely = sorted(self.could, key=lambda one: -SequenceMatcher(None, word, one.lower().split(" ", 1)[0]).ratio())
        told = [f'"{one}"' for one in likely[:MOST_TOLD]]
        return f"possible here: {listed(told, 'or')}" if told else ""


@dataclass(frozen=True)
class Form:
    """A way to say something: its name within its kind, and its pattern. `fixed` holds slots implied by its words."""

    name: str
    pattern: str
    example: str = ""
    """A complete text that uses it, for the guide and the tests."""
    fixed: Mapping[str, Phrase] = field(default_factory=dict)
    offered: bool = False
    """Whether it stays in the table although none of our texts uses it."""

    @cached_property
    def parts(self) -> tuple[str | Slot | Plural, ...]:
        """Return the parts of the pattern."""
        found: list[str | Slot | Plural] = []
        at = 0
        for match in _PART.finditer(self.pattern):
            assert match.start() == at, f"{self.name}: the pattern is broken at {self.pattern[at:]!r}"
            at = match.end()
            capital, label, kind, names, one, many, words = match.groups()
            if kind:
                found.append(Slot(label or kind, kind, bool(capital), names or ""))
            else:
                found.append(words if words is not None else Plural(one, many))
        assert at == len(self.pattern), f"{self.name}: the pattern is broken at {self.pattern[at:]!r}"
        return tuple(found)


@dataclass(frozen=True)
class Series:
    """A list of phrases of one kind, such as `a` or `a, b and c`. It is read as a tuple."""

    of: str
    between: str
    last: str
    capitals: bool = False
    """Whether all phrases after the first begin with a capital letter."""


@dataclass(frozen=True)
class Kind:
    """Phrases that can be used in the same place; `title` is the kind's name for people."""

    name: str
    title: str
    forms: Sequence[Form] | Series


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot for a phrase of a kind."""

    label: str
    kind: str
    capital: bool
    names: str


@dataclass(frozen=True, slots=True)
class Plural:
    """A word that agrees with the number before it."""

    one: str
    many: str


class Table:
    """Kinds of phrases; a complete text is of the first kind."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        self.kinds: Mapping[str, Kind] = {kind.name: kind for kind in kinds}
        self.first = next(iter(self.kinds))
        self._by_name: dict[tuple[str, str], list[Form]] = {}
        self._leads: dict[tuple[str, bool], dict[str, list[tuple[Form, str]]]] = {}
        """By kind, and by whether it begins with a capital letter: the forms that can begin with each letter."""
        for kind in self.kinds.values():
            leads = []
            for form in kind.forms if not isinstance(kind.forms, Series) else ():
                self._by_name.setdefault((kind.name, form.name), []).append(form)
                leads.append((form, form.parts[0] if form.parts and isinstance(form.parts[0], str) else ""))
            for capital in (False, True):
                firsts = [(_capital(lead) if capital else lead)[:1] for _, lead in leads]
                self._leads[kind.name, capital] = {
                    letter: [one for one, first in zip(leads, firsts, strict=True) if first in ("", letter)]
                    for letter in {"", *firsts}
                }

    def beginning(self, kind: str, letter: str, capital: bool) -> Sequence[tuple[Form, str]]:
        """Return the forms of a kind that can begin with a letter, each with its first words, or with a slot."""
        leads = self._leads[kind, capital]
        return leads.get(letter, leads[""])

    def every_form(self) -> Iterator[tuple[Kind, Form]]:
        """Yield all forms, kind by kind."""
        for kind in self.kinds.values():
            if not isinstance(kind.forms, Series):
                yield from ((kind, form) for form in kind.forms)

    def read(self, text: str, names: Names | None = None, kind: str = "") -> Phrase:
        """Return the tree of a text. Raises NotRead if it has no meaning or several, or would print differently."""
        if len(text) > LONGEST:
            raise NotRead(f"it has {len(text):,} characters; at most {LONGEST:,}")
        first = kind or self.first
        found = [tree for end, tree in _Reading(self, text, names or {}).phrases(first, 0, False) if end == len(text)]
        if not found:  # only a second reading notes where it stops: this keeps the first one fast
            reading = _Reading(self, text, names or {}, watched=True)
            reading.phrases(first, 0, False)
            raise reading.fault()
        if len(found) > 1:
            ways = " or ".join(f'"{name}"' for name in _difference(found[0], found[1]))
            raise NotRead(f"it can be read in two ways, as {ways}")
        tree = found[0]
        assert isinstance(tree, Phrase)
        printed = self.print(tree, names, kind)
        if printed != text:
            raise NotRead(f'it should be written "{printed}"')
        return tree

    def print(self, tree: Value, names: Names | None = None, kind: str = "") -> str:
        """Return the text of a phrase of a kind. Raises KeyError if the table has no form for it."""
        turned = {key: {id_: name for name, id_ in each.items()} for key, each in (names or {}).items()}
        return self._print(tree, kind or self.first, turned)

    def _print(self, tree: Value, kind: str, names: Mapping[str, Mapping[str, str]]) -> str:
        if isinstance(tree, tuple):
            series = self.kinds[kind].forms
            assert isinstance(series, Series)
            texts = [self._print(one, series.of, names) for one in tree]
            if series.capitals:
                texts = [text if not index else _capital(text) for index, text in enumerate(texts)]
            return series.last.join([series.between.join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)
        assert isinstance(tree, Phrase)
        return self._filled(self._form(tree, kind), tree, names)

    def _form(self, tree: Phrase, kind: str) -> Form:
        """Return the form that prints a phrase."""
        for form in self._by_name.get((kind, tree.name), ()):
            slots = {part.label for part in form.parts if isinstance(part, Slot)}
            if slots | set(form.fixed) == {label for label, _ in tree.parts} and all(
                tree[label] == value for label, value in form.fixed.items()
            ):
                return form
        raise KeyError(f"no form of {kind} prints {tree}")

    def uses(self, tree: Value, kind: str = "") -> Iterator[tuple[str, Form]]:
        """Yield every form used to print the tree, with the name of its kind, from the outermost to the innermost."""
        kind = kind or self.first
        if isinstance(tree, tuple):
            series = self.kinds[kind].forms
            assert isinstance(series, Series)
            for one in tree:
                yield from self.uses(one, series.of)
        elif isinstance(tree, Phrase):
            form = self._form(tree, kind)
            yield kind, form
            for part in form.parts:
                if isinstance(part, Slot) and part.kind in self.kinds:
                    yield from self.uses(tree[part.label], part.kind)

    def _filled(self, form: Form, tree: Phrase, names: Mapping[str, Mapping[str, str]]) -> str:
        texts: list[str] = []
        number: Value = 0
        for part in form.parts:
            if isinstance(part, str):
                texts.append(part)
            elif isinstance(part, Plural):
                texts.append(part.one if number == 1 else part.many)
            else:
                value = tree[part.label]
                if isinstance(value, int):
                    number = value
                    shown = str(value) if part.kind == "number" else f"{'+' if value > 0 else MINUS}{abs(value)}"
                elif isinstance(value, str):
                    shown = names[part.names][value]
                else:
                    shown = self._print(value, part.kind, names)
                texts.append(_capital(shown) if part.capital else shown)
        return "".join(texts)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _difference(one: Value, other: Value) -> tuple[str, str]:
    """Return the names of the outermost phrases in which two trees differ."""
    if isinstance(one, Phrase) and isinstance(other, Phrase) and one.name == other.name:
        for (label, left), (same, right) in zip(one.parts, other.parts, strict=False):
            if label == same and left != right:
                return _difference(left, right)
    if isinstance(one, tuple) and isinstance(other, tuple):
        for left, right in zip(one, other, strict=False):
            if left != right:
                return _difference(left, right)
    return tuple(
        each.name if isinstance(each, Phrase) else str(len(each)) if isinstance(each, tuple) else str(each)
        for each in (one, other)
    )  # type: ignore[return-value]


Found: TypeAlias = "list[tuple[int, Value]]"
"""The end and the value of each reading."""
Many: TypeAlias = "list[tuple[int, tuple[Phrase, ...]]]"


class _Reading:
    """The reading of one text. The phrases that begin at a place are found only once."""

    def __init__(self, table: Table, text: str, names: Names, watched: bool = False) -> None:
        self.table = table
        self.text = text
        self.names = names
        self.watched = watched
        """Whether to note where reading stops."""
        self.known: dict[tuple[str, int, bool], Found] = {}
        self.furthest = 0
        self.could: dict[str, None] = {}

    def fault(self) -> NotRead:
        """Return where reading stopped, and what would be possible there."""
        start = self.furthest
        if start == len(self.text):
            return NotRead("it ends too early", start, list(self.could))
        if self.text[start].isalnum():  # it stopped within a word: that word is wrong
            start = len(self.text[:start].rstrip(LETTERS))
        rest = self.text[start:].lstrip()
        shown = rest if len(rest) <= 40 else f"{rest[:40].rsplit(' ', 1)[0]} …"
        return NotRead(f'it stops making sense at "{shown}"', start, list(self.could))

    def wanted(self, at: int, what: str) -> None:
        """Note what would have been possible at a place."""
        if at > self.furthest:
            self.furthest = at
            self.could.clear()
        if at == self.furthest:
            self.could[what] = None

    def phrases(self, kind: str, at: int, capital: bool) -> Found:
        """Return every phrase of a kind that begins at a place, with its end."""
        key = kind, at, capital
        found = self.known.get(key)
        if found is None:
            forms = self.table.kinds[kind].forms
            if isinstance(forms, Series):
                found = self.series(forms, at, capital)
            else:
                found = []
                usable = self.table.beginning(kind, self.text[at : at + 1], capital)
                for form, lead in [(form, "") for form in forms] if self.watched else usable:
                    if lead and self.literal(lead, at, capital) < 0:
                        continue
                    for end, values in self.formed(form, at, capital):
                        parts = sorted({**values, **form.fixed}.items())
                        found.append((end, Phrase(form.name, tuple(parts))))
            found = self.known[key] = _few(found)
        return found

    def series(self, series: Series, at: int, capital: bool) -> Found:
        """Return every list of one or more phrases that begins at a place."""
        first = self.phrases(series.of, at, capital)
        going: Many = [(end, (one,)) for end, one in first if isinstance(one, Phrase)]
        found = [*going]
        while going:
            if series.last != series.between:
                found += self.longer(series, going, series.last)
            going = self.longer(series, going, series.between)
            if series.last == series.between:
                found += going
        return [*found]

    def longer(self, series: Series, going: Many, words: str) -> Many:
        """Extend each list by one phrase after these words."""
        return [
            (until, (*before, one))
            for end, before in going
            if (begin := self.literal(words, end, False)) >= 0
            for until, one in self.phrases(series.of, begin, series.capitals)
            if isinstance(one, Phrase)
        ]

    def formed(self, form: Form, at: int, capital: bool) -> list[tuple[int, dict[str, Value]]]:
        """Return every reading of a form at a place: its end, and the values of its slots."""
        ways: list[tuple[int, dict[str, Value], int]] = [(at, {}, 0)]
        for index, part in enumerate(form.parts):
            first = capital and index == 0
            after: list[tuple[int, dict[str, Value], int]] = []
            for here, values, number in ways:
                if isinstance(part, Slot):
                    for end, value in self.slot(part, here, first or part.capital):
                        count = value if isinstance(value, int) else number
                        after.append((end, {**values, part.label: value}, count))
                else:
                    words = part if isinstance(part, str) else part.one if number == 1 else part.many
                    end = self.literal(words, here, first)
                    if end >= 0:
                        after.append((end, values, number))
            if not after:
                return []
            ways = after
        return [(end, values) for end, values, _ in ways]

    def slot(self, slot: Slot, at: int, capital: bool) -> Found:
        """Return every value of a slot at a place."""
        if slot.kind == "number":
            match = _NUMBER.match(self.text, at)
            if match is None:
                self.wanted(at, "a number")
                return []
            return [(match.end(), int(match[0]))]
        if slot.kind == "signed":
            match = _SIGNED.match(self.text, at)
            if match is None:
                self.wanted(at, f"+1 or {MINUS}1")
                loose = _NOT_SIGNED.match(self.text, at)
                return [(loose.end(), -int(loose[1]))] if loose else []
            return [(match.end(), int(match[2]) * (1 if match[1] == "+" else -1))]
        if slot.kind == "name":
            found: Found = []
            for name, id_ in self.names.get(slot.names, {}).items():
                if self.text.startswith(name, at) and not self.text[at + len(name) : at + len(name) + 1].isalnum():
                    found.append((at + len(name), id_))
                else:
                    self.wanted(at, name)
            return found
        return self.phrases(slot.kind, at, capital)

    def literal(self, words: str, at: int, capital: bool) -> int:
        """Return the end of these words if the text has them at this place, otherwise -1."""
        if capital:
            words = _capital(words)
        if self.text.startswith(words, at):
            return at + len(words)
        if not self.watched:
            return -1
        same = sum(1 for _ in takewhile(lambda two: two[0] == two[1], zip(words, self.text[at:], strict=False)))
        same = words.rfind(" ", 0, same) + 1 if " " in words[:same].lstrip() else 0
        self.wanted(at + same, words[same:].strip() or "a space")
        return -1


def _few(found: Found) -> Found:
    """Return the readings without duplicates, with only a few of each length."""
    kept: dict[int, list[Value]] = {}
    for end, value in found:
        same = kept.setdefault(end, [])
        if len(same) < MOST_READINGS and value not in same:
            same.append(value)
    return [(end, value) for end, values in kept.items() for value in values]
