"""Words and a language in, the places between their syllables out: with pyphen, which takes a while to import."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from grimalkin.problems import did_you_mean

if TYPE_CHECKING:
    from pyphen import Pyphen

LEAST_BEFORE, LEAST_AFTER = 2, 3
"""Letters that stay together at both ends of a word."""
_WORD = re.compile("[^\\W\\d_]+")
_WHOLE = re.compile("\\W*[^\\W\\d_]+(?:['’][^\\W\\d_]+)*\\W*")
"""One word with the marks around it: no address, no compound, nothing with digits."""


SUCH_AS = "write a language as en, de or fr; the list is pyphen's"


@cache
def language_fault(language: str) -> tuple[str, str] | None:
    """Why a language cannot be hyphenated, with what to do; None when it can."""
    from pyphen import LANGUAGES

    known = [name.replace("_", "-") for name in LANGUAGES]
    return (
        None if language in known else (f'no words of "{language}" are known', did_you_mean(language, known, SUCH_AS))
    )


@cache
def _dictionary(language: str) -> Pyphen:
    from pyphen import Pyphen

    return Pyphen(lang=language.replace("-", "_"), left=LEAST_BEFORE, right=LEAST_AFTER)


def syllables(text: str, language: str) -> list[int]:
    """After how many characters a word may be hyphenated; marks may stand around it. The language has no fault.

    Capitals, words with digits, compounds and addresses are left whole, and so is what changes its letters when it is
    hyphenated, as in Hungarian.
    """
    if not _WHOLE.fullmatch(text):
        return []
    return [
        word.start() + place
        for word in _WORD.finditer(text)
        if not word[0].isupper() and len(word[0].lower()) == len(word[0])
        for place in _dictionary(language).positions(word[0])
        if not place.data
    ]
