"""Text without spaces in, the places within where a line may end out.

A short list in the spirit of the Unicode line breaking algorithm (https://www.unicode.org/reports/tr14/), less what
typographers leave together. What is not in it is never broken: numbers, icons and what stands beside them, words and
the marks after them, in whatever style.
"""

from __future__ import annotations

import re
from typing import Literal

from grimalkin.face.hyphens import syllables

Break = Literal["free", "soft", "bound"]
"""As good as a space; in need, and a hyphen is printed; in need, after a sign that is there anyway."""

_WIDE = "\u2e80-\u30ff\u31f0-\u9fff\uf900-\ufaff\uff01-\uff9f\U00020000-\U0003ffff"
"""Chinese and Japanese, which have no spaces. Korean has."""
_BEGINS_NONE = (
    "\u3000、。，．・：；？！゛゜ヽヾゝゞ々〻ー）〕］｝〉》」』】〙〗〟｠〜"
    "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿ｡｣､･ｧ-ｰﾞﾟ"
)
_ENDS_NONE = "（〔［｛〈《「『【〘〖〝｟｢"
"""What no line begins with and what none ends with there (https://www.w3.org/TR/jlreq/#line_breaking_rules)."""
_BREAK = re.compile(
    "(?P<soft>\u00ad)"
    "|(?P<free>\u200b"
    # After a dash between words; it stays with the first of them.
    "|(?<=[\\w.,;:!?…%°)\\]\"'”’])(?:—|--)(?=[^\\W\\d_]|[\"'“‘(\\[][^\\W\\d_])"
    f"|(?<![{_ENDS_NONE}])(?![{_BEGINS_NONE}])"
    f"(?:(?<=[{_WIDE}])(?=[{_WIDE}]|[^\\W\\d_])|(?<=[^\\W\\d_])(?=[{_WIDE}])))"
    # Between words of two letters at least: "e-mail", "km/h", "A–K" and "3–4" are left whole.
    "|(?P<bound>(?<=[\\w'’][^\\W\\d_])[-–/](?=[^\\W\\d_][^\\W\\d_]))"
)


def breaks(text: str, language: str = "") -> dict[int, Break]:
    """After how many characters a line may end, in their order. A soft hyphen counts as a character.

    A language hyphenates words that have no such places of their own.

    >>> breaks("well-known"), breaks("e-mail,"), breaks("moth\u00aderless")
    ({5: 'bound'}, {}, {5: 'soft'})
    """
    found: dict[int, Break] = {}
    if not text.isascii() or "-" in text or "/" in text:  # few words
        found = {match.end(): match.lastgroup for match in _BREAK.finditer(text)}  # type: ignore[misc]
    return found or dict.fromkeys(syllables(text, language) if language else (), "soft")
