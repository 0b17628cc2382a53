"""Find where a line may end in text without spaces.

A few rules in the spirit of the Unicode line breaking algorithm (https://www.unicode.org/reports/tr14/), without the
breaks that typographers avoid. Nothing else is broken: not numbers, icons with their neighbours, or words with the
punctuation after them, in any style.
"""

from __future__ import annotations

import re
from typing import Literal

from grimalkin.printing.face.hyphens import syllables

Break = Literal["free", "soft", "bound"]
"""As good as a space; if need be, with a printed hyphen; if need be, after a character that is printed anyway."""

_WIDE = "\u2e80-\u30ff\u31f0-\u9fff\uf900-\ufaff\uff01-\uff9f\U00020000-\U0003ffff"
"""Chinese and Japanese, which have no spaces. Korean does."""
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
