"""Find where a line may end inside text without spaces: at breaks, and between syllables, which pyphen finds.

The breaks follow a few rules in the spirit of the Unicode line breaking algorithm
(https://www.unicode.org/reports/tr14/), without those that typographers avoid. Nothing else is broken: not numbers,
icons with their neighbours, or words with the punctuation after them, in any style.
"""

from __future__ import annotations

import pickle
import re
import sys
import unicodedata
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Literal

from grimalkin.problems import did_you_mean
from grimalkin.source.cache import Cache, cache_folder
from grimalkin.source.files import MOST_BYTES

if TYPE_CHECKING:
    from pyphen import Pyphen

LEAST_BEFORE, LEAST_AFTER = 2, 3
"""Letters that stay together at each end of a word."""
BEGINNING = frozenset(
    [
        "a",
        "an",
        "and",
        "at",
        "by",
        "for",
        "from",
        "in",
        "into",
        "of",
        "on",
        "or",
        "over",
        "the",
        "to",
        "under",
        "with",
        "&",
    ]
)
"""Words that begin a phrase of a title."""
LONGEST_PHRASE = 18
"""The most letters of a phrase of a title that stay on one line."""
_MOST_KEPT = 100
"""The most languages in the user's cache."""
_INDIA = map(chr, range(0x0900, 0x0E00))
_SIGNS = "".join(["\u200c\u200d", *(char for char in _INDIA if unicodedata.category(char)[0] == "M")])
"""Vowels and other signs in Indian scripts, which are part of a letter but which Python does not class as letters."""
_LETTERS = f"(?:[^\\W\\d_]|[{_SIGNS}])++"
_WORD = re.compile(f"{_LETTERS}")
_WHOLE = re.compile(f"[^\\w{_SIGNS}]*+{_LETTERS}(?:['’]{_LETTERS})*+\\W*")
"""One word with its punctuation: not an address, a compound or anything with digits."""
_KEPT = {language: frozenset("äëïöü") for language in ("af", "nl")}
"""Letters that no line begins with: Dutch and Afrikaans drop a diaeresis there (reëel, re-eel)."""
_REPEATING = frozenset(["cs", "es", "hr", "pl", "pt", "sk", "sr"])
"""Languages in which the next line repeats the hyphen of a compound."""
_UNHYPHENATED = {"th": "Thai is written without hyphens; write U+200B between words, where a line may end"}


SUCH_AS = "write a language such as en, de or fr; pyphen has the list"


@cache
def language_fault(language: str) -> tuple[str, str] | None:
    """Return why a language cannot be hyphenated, with a hint; None if it can."""
    from pyphen import LANGUAGES

    known = [name.replace("_", "-") for name in LANGUAGES if _base(name) not in _UNHYPHENATED]
    if language in known:
        return None
    hint = _UNHYPHENATED.get(_base(language)) or did_you_mean(language, known, SUCH_AS)
    return f'there is no hyphenation for "{language}"', hint


def _base(language: str) -> str:
    """Return a language code without its country."""
    return re.split("[-_]", language)[0]


def repeats_hyphen(language: str) -> bool:
    """Return whether a language repeats a compound's hyphen on the next line.

    >>> repeats_hyphen("pl"), repeats_hyphen("pt-BR"), repeats_hyphen("de")
    (True, True, False)
    """
    return _base(language) in _REPEATING


@cache
def _dictionary(language: str) -> Pyphen:
    """Return the hyphenation of a language. Reading it from pyphen's file takes ten times as long as from the cache."""
    from pyphen import LANGUAGES, Pyphen, hdcache, language_fallback

    name = language.replace("-", "_")
    source, folder = LANGUAGES[language_fallback(name)], cache_folder("hyphens")
    if folder is not None and source not in hdcache:
        kept = Cache(folder, ".hyphens", _MOST_KEPT, MOST_BYTES)
        path, made_with = kept.path(str(source)), f"{version('pyphen')} {sys.version}\n".encode()
        body = kept.read(path, made_with)
        if body is None:
            Pyphen(lang=name)
            kept.write(path, made_with + pickle.dumps(hdcache[source]))
        else:
            hdcache[source] = pickle.loads(body)
    return Pyphen(lang=name, left=LEAST_BEFORE, right=LEAST_AFTER)


def syllables(text: str, language: str) -> list[int]:
    """Return the numbers of characters after which a word, perhaps with punctuation, may be hyphenated. The language
    must have no fault.

    Words in capitals or with digits, compounds and addresses are not hyphenated, and nor are words whose spelling would
    change, as in Hungarian and Dutch.
    """
    if not _WHOLE.fullmatch(text):
        return []
    kept = _KEPT.get(_base(language), frozenset())
    return [
        word.start() + place
        for word in _WORD.finditer(text)
        if not word[0].isupper() and len(word[0].lower()) == len(word[0])
        for place in _dictionary(language).positions(word[0])
        if not place.data and word[0][place].lower() not in kept
    ]


# Breaks


Break = Literal["free", "soft", "bound"]
"""As good as a space; if necessary, with a printed hyphen; if necessary, after a character that is printed anyway."""

_WIDE = "\u2e80-\u30ff\u31f0-\u9fff\uf900-\ufaff\uff01-\uff9f\U00020000-\U0003ffff"
"""Chinese and Japanese, which have no spaces. Korean has them."""
_BEGINS_NONE = (
    "\u3000、。，．・：；？！゛゜ヽヾゝゞ々〻ー）〕］｝〉》」』】〙〗〟｠〜"
    "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿ｡｣､･ｧ-ｰﾞﾟ"
)
_ENDS_NONE = "（〔［｛〈《「『【〘〖〝｟｢"
"""Characters that no line may begin with, and that none may end with (https://www.w3.org/TR/jlreq/#line_breaking_rules)."""
_BREAK = re.compile(
    "(?P<soft>\u00ad)"
    "|(?P<free>\u200b"
    # After a dash between words; it stays with the first of them.
    "|(?<=[\\w.,;:!?…%°)\\]\"'”’])(?:—|--)(?=[^\\W\\d_]|[\"'“‘(\\[][^\\W\\d_])"
    f"|(?<![{_ENDS_NONE}])(?![{_BEGINS_NONE}])"
    f"(?:(?<=[{_WIDE}])(?=[{_WIDE}]|[^\\W\\d_])|(?<=[^\\W\\d_])(?=[{_WIDE}])))"
    # Between words of at least two letters: "e-mail", "km/h", "A–K" and "3–4" are kept together.
    "|(?P<bound>(?<=[\\w'’][^\\W\\d_])[-–/](?=[^\\W\\d_][^\\W\\d_]))"
)


def breaks(text: str, language: str = "") -> dict[int, Break]:
    """Return the numbers of characters after which a line may end, in order. A soft hyphen counts as a character.

    If a language is given, words without such places are hyphenated.

    >>> breaks("well-known"), breaks("e-mail,"), breaks("moth\u00aderless")
    ({5: 'bound'}, {}, {5: 'soft'})
    """
    found: dict[int, Break] = {}
    if not text.isascii() or "-" in text or "/" in text:  # few words need this
        found = {match.end(): match.lastgroup for match in _BREAK.finditer(text)}  # type: ignore[misc]
    return found or dict.fromkeys(syllables(text, language) if language else (), "soft")


def by_sense(title: str) -> str:
    """Return a title whose lines can end only between phrases, if it has several: no-break spaces bind the others.

    >>> by_sense("The Cats of New Orleans").replace("\xa0", "_")
    'The_Cats of_New_Orleans'
    >>> by_sense("Curses & Covens").replace("\xa0", "_"), by_sense("Wolf-Man's Curse")
    ('Curses &_Covens', "Wolf-Man's Curse")
    """
    phrases: list[list[str]] = [[]]
    for word in title.split():
        if phrases[-1] and word.lower() in BEGINNING and phrases[-1][-1].lower() not in BEGINNING:
            phrases.append([])
        phrases[-1].append(word)
    if len(phrases) == 1:
        return title
    said = ((" ".join(words), "\xa0".join(words)) for words in phrases)
    return " ".join(bound if len(bound) <= LONGEST_PHRASE else loose for loose, bound in said)
