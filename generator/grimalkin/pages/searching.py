"""Entries of a game in, what a search asks out: its words, and for each of them where it stands and how much it counts.

All that takes time is done here, once: stems are found, and what each word is worth for each entry is worked out as in
BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009), over titles, what players ask, and text. The
script only adds up. It needs no stemmer, since all forms of a word that occur stand together.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

from grimalkin.content.search import SearchFile, SharedWords

LONGEST_LINE = 140
"""Characters of an entry's text that a result may show."""
_WEIGHTS = (7.0, 4.0, 1.0)
"""What a word counts for in the title, in what players ask, and in the text."""
_LENGTH = (0.35, 0.3, 0.7)
"""How much it counts less for in a long one than in a short one."""
_ENOUGH = 2.5
"""So much of a word is half of what any amount of it can be worth."""
_STEPS = 26
"""An entry's worth is one of so many letters."""
_WORD = re.compile(r"([^\W_]+)(?:['’][^\W_]+)*")
_BEYOND_ASCII = re.compile(r"[^\0-\x7f]")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Entry:
    """Something that can be found."""

    address: str
    title: str
    text: str
    kind: str
    where: str
    """Of which page it is a part."""
    asked: str = ""
    """What players ask, and other words for it, which the text may not have."""
    picture: str = ""
    names: Sequence[str] = ()
    """What else it is called; who asks one of these asks for it."""


def words_of(text: str) -> list[str]:
    """The words of a text as the search compares them: small letters without accents, no possessive.

    >>> words_of("The Wolf-Man’s café, 12 Lives")
    ['the', 'wolf', 'man', 'cafe', '12', 'lives']
    """
    plain = _BEYOND_ASCII.sub(_without_accent, unicodedata.normalize("NFKD", text))
    return _WORD.findall(plain.casefold())


def _without_accent(found: re.Match[str]) -> str:
    return "" if unicodedata.combining(found[0]) else found[0]


@lru_cache(maxsize=50_000)
def stem_of(word: str) -> str:
    return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")


def index_of(entries: Sequence[Entry], same: Iterable[Sequence[str]]) -> Mapping[str, object]:
    """What a script asks, as plain data.

    `entries` as rows; `words`, all forms of a word next to each other and the words apart by strokes; `posts`, for each
    of them the entries that have it, as steps from one to the next in base 36, each followed by a letter for its worth;
    `same`, words that mean another here.
    """
    fields: list[tuple[Counter[str], ...]] = []
    forms: dict[str, set[str]] = defaultdict(set)
    for entry in entries:
        words = [words_of(part) for part in _parts(entry)]
        fields.append(tuple(Counter(map(stem_of, each)) for each in words))
        for word in set().union(*words):
            forms[stem_of(word)].add(word)
    lengths = [tuple(sum(field.values()) for field in each) for each in fields]
    means = [max(1.0, sum(each[number] for each in lengths) / max(1, len(entries))) for number in range(len(_WEIGHTS))]
    worth: dict[str, dict[int, float]] = defaultdict(dict)
    for number, (each, long) in enumerate(zip(fields, lengths, strict=True)):
        for stem in set().union(*each):
            whole = 0.0
            for at, weight in enumerate(_WEIGHTS):
                whole += weight * each[at][stem] / (1 - _LENGTH[at] + _LENGTH[at] * long[at] / means[at])
            worth[stem][number] = whole / (whole + _ENOUGH)
    stems = sorted(worth, key=lambda stem: min(forms[stem]))
    return {
        "entries": [_row(entry) for entry in entries],
        "words": "|".join(" ".join(sorted(forms[stem])) for stem in stems),
        "posts": "|".join(_posts(worth[stem], len(entries)) for stem in stems),
        "same": [[" ".join(words_of(word)) for word in group] for group in same],
    }


def _parts(entry: Entry) -> tuple[str, str, str]:
    return entry.title, entry.asked, entry.text


def _row(entry: Entry) -> list[str]:
    text = entry.text
    if len(text) > LONGEST_LINE:
        text = text[: text.rfind(" ", 0, LONGEST_LINE)] + " …"
    names = "|".join(" ".join(words_of(name)) for name in entry.names)
    row = [entry.address, entry.title, text, entry.kind, entry.where, entry.picture, names]
    while not row[-1]:
        row.pop()
    return row


def _posts(worth: Mapping[int, float], count: int) -> str:
    """Entries with a word, in their order: how many further each is, unless it is the next, and its worth.

    >>> _posts({0: 1.0, 1: 0.5, 40: 0.01}, 41)
    'UK13A'
    """
    rare = math.log(1 + (count - len(worth) + 0.5) / (len(worth) + 0.5)) / math.log(1 + (count + 0.5) / 1.5)
    parts, last = [], -1
    for number in sorted(worth):
        step = number - last
        value = min(_STEPS - 1, int(worth[number] * (0.25 + 0.75 * rare) * _STEPS))
        parts.append(("" if step == 1 else _base36(step)) + chr(65 + value))
        last = number
    return "".join(parts)


def _base36(number: int) -> str:
    found = ""
    while number:
        number, digit = divmod(number, 36)
        found = _DIGITS[digit] + found
    return found or "0"


def groups_of(shared: SharedWords, own: SearchFile | None) -> list[Sequence[str]]:
    """Words that mean the same: those of every game, and those of one."""
    return [*(own.same if own else ()), *shared.same]
