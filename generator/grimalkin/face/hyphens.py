"""Words and a language in, the places between their syllables out: with pyphen, which takes a while to import."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from grimalkin.problems import did_you_mean

if TYPE_CHECKING:
    from pyphen import Pyphen

LEAST_BEFORE, LEAST_AFTER = 2, 3
"""Letters that stay together at both ends of a word."""
_INDIA = map(chr, range(0x0900, 0x0E00))
_SIGNS = "".join(["\u200c\u200d", *(char for char in _INDIA if unicodedata.category(char)[0] == "M")])
"""Vowels and other signs of the scripts of India, which are part of a letter and no letters to Python."""
_LETTERS = f"(?:[^\\W\\d_]|[{_SIGNS}])++"
_WORD = re.compile(f"{_LETTERS}")
_WHOLE = re.compile(f"[^\\w{_SIGNS}]*+{_LETTERS}(?:['’]{_LETTERS})*+\\W*")
"""One word with the marks around it: no address, no compound, nothing with digits."""
_KEPT = {language: frozenset("äëïöü") for language in ("af", "nl")}
"""What no line begins with: in Dutch and Afrikaans a diaeresis is lost there (reëel, re-eel)."""
_REPEATING = frozenset(["cs", "es", "hr", "pl", "pt", "sk", "sr"])
"""Languages in which the next line begins with the hyphen of a compound again."""
_UNHYPHENATED = {"th": "Thai is written without hyphens; write U+200B between words, where a line may end"}


SUCH_AS = "write a language as en, de or fr; the list is pyphen's"


@cache
def language_fault(language: str) -> tuple[str, str] | None:
    """Why a language cannot be hyphenated, with what to do; None when it can."""
    from pyphen import LANGUAGES

    known = [name.replace("_", "-") for name in LANGUAGES if _base(name) not in _UNHYPHENATED]
    if language in known:
        return None
    hint = _UNHYPHENATED.get(_base(language)) or did_you_mean(language, known, SUCH_AS)
    return f'no words of "{language}" are known', hint


def _base(language: str) -> str:
    """A language without its country."""
    return re.split("[-_]", language)[0]


def repeats_hyphen(language: str) -> bool:
    """Whether a compound that is broken at its hyphen has it at both sides.

    >>> repeats_hyphen("pl"), repeats_hyphen("pt-BR"), repeats_hyphen("de")
    (True, True, False)
    """
    return _base(language) in _REPEATING


@cache
def _dictionary(language: str) -> Pyphen:
    from pyphen import Pyphen

    return Pyphen(lang=language.replace("-", "_"), left=LEAST_BEFORE, right=LEAST_AFTER)


def syllables(text: str, language: str) -> list[int]:
    """After how many characters a word may be hyphenated; marks may stand around it. The language has no fault.

    Capitals, words with digits, compounds and addresses are left whole, and so is what changes its letters when it is
    hyphenated, as in Hungarian and Dutch.
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
