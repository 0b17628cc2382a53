"""The edition of the content on sheets."""

from __future__ import annotations

from typing import NamedTuple


class Edition(NamedTuple):
    """A printed edition of the content: its version, and the fingerprint that distinguishes it from all others."""

    version: str
    fingerprint: str

    def __str__(self) -> str:
        return ", ".join(self.words)

    @property
    def words(self) -> list[str]:
        """Return the version, if any, and the fingerprint, each with its label."""
        version = [f"rules version {self.version}"] if self.version else []
        return [*version, f"content {self.fingerprint}"]
