"""References inside text: `[[WK-ACT-4]]` a rule, `[[penny]]` a component, `[[=claw]]` a term, `:paw:` an icon.

`[[id|words]]` shows words of its own. What a reference becomes (a link, a number, a glyph) is up to its reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_REFERENCE = re.compile(r"\[\[(=?)([^\[\]|]+)(?:\|([^\[\]]+))?\]\]")
_ICON = re.compile(r"(?<![\w:]):([a-z][a-z0-9-]*):(?![\w:])")


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference in a text: what it names, the words to show if it brings its own, and where it stands."""

    kind: str
    """ "id" for a rule, ruling, example or component; "term"; or "icon"."""
    name: str
    words: str
    start: int
    end: int


def references(text: str) -> Iterator[Reference]:
    """Every reference of a text, in order of kind, then place."""
    for match in _REFERENCE.finditer(text):
        kind = "term" if match[1] else "id"
        yield Reference(kind, match[2].strip(), match[3] or "", match.start(), match.end())
    for match in _ICON.finditer(text):
        yield Reference("icon", match[1], "", match.start(), match.end())
