"""Typographic apostrophes and quotation marks for texts that were typed with straight ones.

Files keep the characters of a keyboard; faces, sheets, books and pages show those that a typesetter would use.
"""

from __future__ import annotations

import re

from grimalkin.content.texts.references import CODE

_OPENS = re.compile(r"(?<![\\\w])(?<!\w\*)(?<!\w\*\*)'(?=\w[^'\n]*[\w.,!?]'(?!\w))")
_APOSTROPHE = re.compile(r"(?<![\\\d\s\u0590-\u05ff])'(?!\d)|(?<![\\\w])'(?=\w)")
"""Not after a digit, where it means feet or minutes, and not after a Hebrew letter, where it is a geresh."""
_DOUBLE_OPENS = re.compile(r"(?<![\\\w.,;:!?)’”])\"(?=[\w(\[{*:‘'])")
_DOUBLE = re.compile(r'(?<!\\)"')


def apostrophes(text: str) -> str:
    r"""Return a text with typographic apostrophes and single quotation marks, except straight ones after a \\.

    >>> print(apostrophes("It's the cats' night ('so'), '90s, 6'2\", **Ada**'s cats', don\\'t"))
    It’s the cats’ night (‘so’), ’90s, 6'2", **Ada**’s cats’, don\'t
    """
    if "'" not in text:
        return text
    return _APOSTROPHE.sub("’", _OPENS.sub("‘", text))


def quotes(text: str) -> str:
    r"""Return an English text with typographic apostrophes and quotation marks, except in code and after a \\.

    >>> print(quotes("It's \"the cats' night\" ('so'), `it's`"))
    It’s “the cats’ night” (‘so’), `it's`
    """
    parts: list[str] = []
    at = 0
    for code in CODE.finditer(text):
        parts += [_quotes(text[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*parts, _quotes(text[at:])])


def _quotes(text: str) -> str:
    if '"' in text:
        text = _DOUBLE.sub("”", _DOUBLE_OPENS.sub("“", text))
    return apostrophes(text)
