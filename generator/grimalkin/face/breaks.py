"""Find where a line may end in text without spaces.

A short list in the spirit of the Unicode line breaking algorithm (https://www.unicode.org/reports/tr14/), without
breaks that typographers avoid. Everything else is never broken: numbers, icons and their neighbours, words and the
punctuation after them, in whatever style.
"""

from __future__ import annotations

import re
from typing import Literal

from grimalkin.face.hyphens import syllables

Break = Literal["free", "soft", "bound"]
"""As good as a space; if need be, with a hyphen that is printed; if need be, after a character that is there anyway."""

_WIDE = "\u2e80-\u30ff\u31f0-\u9fff\uf900-\ufaff\uff01-\uff9f\U00020000-\U0003ffff"
"""Chinese and Japanese, which have no spaces. Korean has them."""
_BEGINS_NONE = (
    "\u3000、。，．・：；？！゛゜ヽヾゝゞ々〻ー）〕］｝〉》」』】〙〗〟｠〜"
    "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿ｡｣､･ｧ-ｰﾞﾟ"
)
_ENDS_NONE = "（〔［｛〈《「『【〘〖〝｟｢"
"""Characters that no line begins with, and that none ends with (https://www.w3.org/TR/jlreq/#line_breaking_rules)."""
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
    """Return after how many characters a line may end, in order. A soft hyphen counts as a character.

    With a language, words without such places are hyphenated.

    >>> breaks("well-known"), breaks("e-mail,"), breaks("moth\u00aderless")
    ({5: 'bound'}, {}, {5: 'soft'})
    """
    found: dict[int, Break] = {}
    if not text.isascii() or "-" in text or "/" in text:  # few words need this
        found = {match.end(): match.lastgroup for match in _BREAK.finditer(text)}  # type: ignore[misc]
    return found or dict.fromkeys(syllables(text, language) if language else (), "soft")
