"""Remarks on a drawing: faults, which prevent it from being read, and notes."""

from __future__ import annotations

from typing import Any

from grimalkin.printing.face.svg.xml import Element, line_of

Remark = tuple[int, str, str]
"""A line of the file (0 for none), the message and the hint."""
MOST_REMARKS = 50


class Remarks:
    """Remarks in order, without duplicates; any after the first fifty are dropped."""

    def __init__(self) -> None:
        self.faults: dict[Remark, None] = {}
        self.notes: dict[Remark, None] = {}

    def fault(self, where: Element | int, message: str, hint: str = "") -> None:
        self._keep(self.faults, where, message, hint)

    def note(self, where: Element | int, message: str, hint: str = "") -> None:
        self._keep(self.notes, where, message, hint)

    @staticmethod
    def _keep(kept: dict[Remark, None], where: Any, message: str, hint: str) -> None:
        if len(kept) < MOST_REMARKS:
            kept[(where if isinstance(where, int) else line_of(where), message, hint)] = None


class Unreadable(Exception):
    """A fault that stops the reading: place, message and hint."""

    def __init__(self, where: Element | int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.where, self.message, self.hint = where, message, hint


def shown(text: str) -> str:
    """Return text from a file, shortened for a message."""
    text = " ".join(text.split())
    return text if len(text) <= 40 else f"{text[:39]}…"
