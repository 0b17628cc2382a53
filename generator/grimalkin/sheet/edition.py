"""Which content stands on the sheets."""

from __future__ import annotations

from typing import NamedTuple


class Edition(NamedTuple):
    """Which content was printed: what people call it, and what tells it from every other."""

    version: str
    fingerprint: str

    def __str__(self) -> str:
        return f"rules version {self.version}, content {self.fingerprint}"
