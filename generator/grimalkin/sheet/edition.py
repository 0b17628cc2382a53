"""Which content stands on the sheets."""

from __future__ import annotations

from typing import NamedTuple


class Edition(NamedTuple):
    """Which content was printed: what people call it, and what tells it from every other."""

    version: str
    fingerprint: str

    def __str__(self) -> str:
        return ", ".join(self.words)

    @property
    def words(self) -> list[str]:
        """Return the version, if there is one, and the fingerprint, each with its label."""
        version = [f"rules version {self.version}"] if self.version else []
        return [*version, f"content {self.fingerprint}"]
