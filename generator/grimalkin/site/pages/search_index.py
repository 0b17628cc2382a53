"""Build the index of the search, and write its files: one with the settings, and a set for each game and for the rest.

A set has a head, which every query needs, and parts, of which the script loads only those that a query needs: lists of
the entries with a word, and the texts that results show.

All slow work is done here, once: stemming, and the weight of each word in each entry as in BM25 (Robertson and
Zaragoza, The Probabilistic Relevance Framework, 2009), over titles, questions and text. The script only adds up. It
needs no stemmer, since all forms of a word that occur are listed together. The files are plain scripts, since a page
opened from disk may not fetch data."""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any, NamedTuple

import snowballstemmer

from grimalkin.site.pages.kinds import brought_kinds
from grimalkin.site.pages.links import Map, Words
from grimalkin.site.pages.plan_drawing import HIDE
from grimalkin.site.pages.scripts import as_json, script
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.templates import load_synonyms, load_words

LONGEST_LINE = 140
"""The most characters of an entry's text that a result shows."""
_WEIGHTS = (7.0, 4.0, 1.0)
"""Weight of a word in the title, in players' questions, and in the text."""
_LENGTH = (0.35, 0.3, 0.7)
"""How strongly length reduces the weight in each of these."""
_ENOUGH = 2.5
"""Number of occurrences at which a word reaches half of its maximum weight."""
_STEPS = 26
"""Number of letters that encode the weight of an entry."""
_WORD = re.compile(r"([^\W_]+)(?:['’][^\W_]+)*")
_BEYOND_ASCII = re.compile(r"[^\0-\x7f]")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_LEAST_PART = 4_000
"""Characters of a part with lists of entries at which the next letter begins another part."""
_TEXTS = 64
"""Number of texts in a part."""


@dataclass(frozen=True)
class Entry:
    """An entry of the search index."""

    address: str
    title: str
    text: str
    kind: str
    asked: str = ""
    """Players' questions and synonyms, which the text may lack."""
    has_face: bool = False
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


class Index(NamedTuple):
    """The index of a game as plain data for the script."""

    head: Mapping[str, object]
    """What every query needs.

    `pages` are addresses, each with the number of its entries. `anchors`, separated by blanks, `titles` and `kinds`
    have an item for each entry; the letter of a kind is a capital if the entry has a face. `names` are other names of
    entries. `words` lists all forms of a word, separated by blanks, and different words, separated by bars. `parts` has
    the first word of each part of `posts`. `same` has words that mean the same here. `made` is a digest of the whole;
    the names of parts end in it, so that nobody reads those of another version.
    """
    posts: Sequence[str]
    """For each word, its entries as steps in base 36 from one to the next, each followed by a letter for its weight.

    All words with the same first letter are in the same part, because a letter that is typed needs all of them. Words
    that say little come first, because the search hardly ever needs them.
    """
    texts: Sequence[Sequence[str]]


def index_of(
    entries: Sequence[Entry], same: Iterable[Sequence[str]] = (), little: Collection[str] = frozenset()
) -> Index:
    """Return the index of all entries; those of a page follow each other."""
    fields: list[tuple[Counter[str], ...]] = []
    forms: dict[str, set[str]] = defaultdict(set)
    for entry in entries:
        words = [words_of(part) for part in (entry.title, entry.asked, entry.text)]
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
    is_little = {stem: forms[stem].issubset(little) for stem in worth}
    stems = sorted(worth, key=lambda stem: (not is_little[stem], min(forms[stem])))
    posts = {stem: _posts(worth[stem], len(entries)) for stem in stems}
    parts: list[list[str]] = []
    for _, with_letter in groupby(stems, key=lambda stem: "" if is_little[stem] else min(forms[stem])[0]):
        if not parts or sum(map(len, parts[-1])) > _LEAST_PART:
            parts.append([])
        parts[-1] += (posts[stem] for stem in with_letter)
    texts = [_shortened(entry.text) for entry in entries]
    pages = groupby(entry.address.partition("#")[0] for entry in entries)
    head = {
        "pages": [[page, sum(1 for _ in some)] for page, some in pages],
        "anchors": " ".join(entry.address.partition("#")[2] for entry in entries),
        "titles": [entry.title for entry in entries],
        "kinds": "".join(entry.kind.upper() if entry.has_face else entry.kind for entry in entries),
        "names": {n: [" ".join(words_of(name)) for name in one.names] for n, one in enumerate(entries) if one.names},
        "words": "|".join(" ".join(sorted(forms[stem])) for stem in stems),
        "parts": list(accumulate(map(len, parts[:-1]), initial=0)),
        "same": _plain_groups(same),
    }
    everything = as_json([head, parts, texts])
    return Index(
        {**head, "made": hashlib.sha256(everything.encode()).hexdigest()[:8]},
        ["|".join(part) for part in parts],
        [texts[n : n + _TEXTS] for n in range(0, len(texts), _TEXTS)],
    )


def _plain_groups(same: Iterable[Sequence[str]]) -> list[list[str]]:
    return [[" ".join(words_of(word)) for word in group] for group in same]


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_LINE else text[: text.rfind(" ", 0, LONGEST_LINE)] + " …"


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


SECOND_PLACES = ("rules", "rules-list", "rulings", "scoring", "examples", "gallery", "galleries")
"""Kinds of pages, apart from those of parts, that repeat content of other pages; the search finds only the original.

The page of a playthrough from one seat repeats content, too.
"""
ORDER = "rutcewp"
RULE, RULING, TERM, PIECE, EXAMPLE, PLAY, PAGE = tuple(ORDER)
"""Codes for the kinds of entries; `said` holds a word for each."""
REST = "site"
"""Name of the file for pages outside any game."""
_KINDS = ("rule", "ruling", "term", "component", "example", "search-play", "search-page")
MOST_HEADS = 600
"""The most characters of headings that lead to an entire page."""
MOST_READ = {EXAMPLE: 500, PLAY: 500, PAGE: 1_500}
LONGEST_READ = 4_000
"""The most characters of a text that are indexed; a longer text reveals its subject early on."""
MOST_LABELS = 80
"""The most characters of the labels at the head of an example."""


class Keywords(NamedTuple):
    """Search terms for an anchor beyond the text of its page."""

    kind: str
    words: str
    """Questions of players, and synonyms."""
    has_face: bool = False
    names: Sequence[str] = ()
    """Other names."""


def keywords_of(games: Sequence[Shown]) -> dict[str, Keywords]:
    """Return the extra search terms of every rule, ruling, term, piece and example, by address."""
    words = load_words()
    found: dict[str, Keywords] = {}
    for shown in games:
        found.update(_keywords(shown, words))
    return found


def _keywords(shown: Shown, words: Words) -> dict[str, Keywords]:
    game, to = shown.game, Map(shown, words)
    other: Mapping[str, Sequence[str]] = game.search.also if game.search else {}

    def told(kind: str, id_: str, parts: Sequence[str | None]) -> Keywords:
        return Keywords(kind, " ".join(filter(None, (*map(to.plain, filter(None, parts)), *other.get(id_, ())))))

    found: dict[str, Keywords] = {}
    for rule in game.rules.values():
        found[rule.id] = told(RULE, rule.id, [rule.summary, *rule.search_also])
    for ruling in game.rulings:
        found[ruling.id] = told(RULING, ruling.id, [ruling.question, *ruling.search_also])
    for example in game.examples:
        found[example.id] = told(EXAMPLE, example.id, [example.question])
    for row in game.by_id.values():
        found[row.id] = told(PIECE, row.id, [])._replace(has_face=f"{row.id}-front" in shown.faces)
    placed = {f"{game.name}/{to.pages[id_].removesuffix('.md')}.html#{id_}": one for id_, one in found.items()}
    for term in game.terms:
        asked = told(TERM, term.id, [*term.also, *term.search_also])
        placed[f"{game.name}/terms.html#{term.id}"] = asked._replace(names=term.also)
    return placed


def write_search(
    site: Path,
    docs: Sequence[Mapping[str, str]],
    asked: Mapping[str, Keywords],
    metas: Mapping[str, Mapping[str, Any]],
    games: Sequence[Shown],
    has_rest: bool = True,
) -> None:
    """Write the files of the search. `docs` has location, title and text of every page and part of a page.

    Without a rest, only the pages of games can be found.
    """
    words, synonyms = load_words(), load_synonyms()
    by_name = {shown.game.name: shown.game for shown in games}
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries(docs, asked, metas, words):
        name = entry.address.partition("/")[0]
        found[name if name in by_name else REST].append(entry)
    folder = site / "assets" / "found"
    for name in (*by_name, *[REST] * has_rest):
        game = by_name.get(name)
        index = index_of(found[name], game.search.same if game and game.search else (), frozenset(synonyms.little))
        (folder / name).mkdir(parents=True, exist_ok=True)
        files: dict[str, object] = {name: index.head}
        files |= {f"{name}/posts-{n}-{index.head['made']}": part for n, part in enumerate(index.posts)}
        files |= {f"{name}/texts-{n}-{index.head['made']}": part for n, part in enumerate(index.texts)}
        for file, part in files.items():
            (folder / f"{file}.js").write_text(script("Found", part, file), "utf-8")
    said = {key.removeprefix("search-"): words[key] for key in words if key.startswith("search-")}
    said = {key: word for key, word in said.items() if has_rest or key != "rest"}
    kinds = dict(zip(ORDER, (words[key] for key in _KINDS), strict=True))
    titles = [[name, game.marked_title] for name, game in by_name.items()]
    head = {
        "said": said,
        "kinds": kinds,
        "games": titles,
        "little": " ".join(synonyms.little),
        "same": _plain_groups(synonyms.same),
        "texts": _TEXTS,
    }
    (site / "assets" / "search-index.js").write_text(script("Search", head), "utf-8")


def entries(
    docs: Sequence[Mapping[str, str]],
    asked: Mapping[str, Keywords],
    metas: Mapping[str, Mapping[str, Any]],
    words: Words,
) -> list[Entry]:
    """Return everything that can be found, each place once."""
    parted = {doc["location"].partition("#")[0] for doc in docs if "#" in doc["location"]}
    heads: dict[str, list[str]] = defaultdict(list)
    for doc in docs:
        page, _, anchor = doc["location"].partition("#")
        if anchor:
            heads[page].append(_plain(doc["title"]))
    repeating = {*SECOND_PLACES, *(name for name, kind in brought_kinds().items() if getattr(kind, "REPEATS", False))}
    found = []
    for doc in docs:
        address, text = doc["location"], _plain(doc["text"])
        page, _, anchor = address.partition("#")
        meta = metas.get(page, {})
        if (anchor and meta.get("kind") in repeating) or meta.get("seat"):
            continue
        told = asked.get(address)
        more = told.words if told else ""
        if not anchor and page in parted:  # its text is indexed with its sections
            text = unescape(str(meta.get("description", "")))
            more = "" if meta.get("kind") in repeating else " ".join(heads[page])[:MOST_HEADS]
        for key in ("checked", "unchecked"):  # the text before a seal is labels
            _, seal, rest = text.partition(f"{words[key]} {words[key + '-long']} ")
            text = rest if seal and len(text) - len(rest) < MOST_LABELS else text
        kind = told.kind if told else PLAY if meta.get("kind") == "playthrough" else PAGE
        text = text[: MOST_READ.get(kind, LONGEST_READ)]
        has_face, names = (told.has_face, told.names) if told else (False, ())
        found.append(Entry(address, _plain(doc["title"]), text, kind, more, has_face, names))
    return found


def _plain(text: str | None) -> str:
    """Return text for the search, without letters from drawings."""
    words = re.sub(f"{HIDE}[^{HIDE}]*{HIDE}", " ", unescape(text or ""))
    return re.sub(r" ([.,;:)])", r"\1", " ".join(words.split()))
