"""Build the search index of a game: its words, and for each word its entries and its weight in each.

All slow work is done here, once: stemming, and the weight of each word in each entry as in BM25 (Robertson and
Zaragoza, The Probabilistic Relevance Framework, 2009), over titles, questions and text. The script only adds up. It
needs no stemmer, since all forms of a word that occur are listed together.
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

from grimalkin.content.rules import SearchFile, SharedWords

LONGEST_LINE = 140
"""Most characters of an entry's text that a result shows."""
_WEIGHTS = (7.0, 4.0, 1.0)
"""Weight of a word in the title, in players' questions, and in the text."""
_LENGTH = (0.35, 0.3, 0.7)
"""How strongly length reduces the weight in each of these."""
_ENOUGH = 2.5
"""Amount of a word that reaches half of its maximum weight."""
_STEPS = 26
"""Number of letters that encode the weight of an entry."""
_WORD = re.compile(r"([^\W_]+)(?:['’][^\W_]+)*")
_BEYOND_ASCII = re.compile(r"[^\0-\x7f]")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Entry:
    """An entry of the search index."""

    address: str
    title: str
    text: str
    kind: str
    where: str
    """Title of its page."""
    asked: str = ""
    """Players' questions and synonyms, which the text may lack."""
    picture: str = ""
    names: Sequence[str] = ()
    """Other names; a search for one of these means this entry."""


def words_of(text: str) -> list[str]:
    """Return the words of a text as the search compares them: lower case, without accents or possessives.

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
    """Return the index as plain data for the script.

    `entries` are rows. `words` lists all forms of a word, separated by blanks, and different words, separated by bars.
    `posts` has, for each word, its entries as steps in base 36 from one to the next, each followed by a letter for its
    weight. `same` has words that mean the same here.
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
    """Encode the entries with a word, in order: the step from the previous entry, unless 1, and the weight.

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
    """Return groups of words with the same meaning, one game's groups before those for all games."""
    return [*(own.same if own else ()), *shared.same]
