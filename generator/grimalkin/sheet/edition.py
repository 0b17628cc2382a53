"""The edition of the content on sheets."""

from __future__ import annotations

from typing import NamedTuple


class Edition(NamedTuple):
    """The content that was printed: its version, and the fingerprint that distinguishes it from all others."""

    version: str
    fingerprint: str

    def __str__(self) -> str:
        return ", ".join(self.words)

    @property
    def words(self) -> list[str]:
        """Return the version, if there is one, and the fingerprint, each with its label."""
        version = [f"rules version {self.version}"] if self.version else []
        return [*version, f"content {self.fingerprint}"]
