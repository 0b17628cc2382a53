"""Sizes in pixels of the pictures that an <image> in a drawing refers to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from grimalkin.printing.face.pictures import Picture, embedded_picture


class Size(NamedTuple):
    """A picture by its reference, and its size in pixels."""

    href: str
    width: float
    height: float


Fault = tuple[str, str]
"""A message and a hint."""
Pictures = Callable[[str], Size | Fault]
"""Finds what an <image> refers to; a picture without a size is not drawn."""


def embedded(href: str) -> Size | Fault:
    """Return a picture embedded in the file itself."""
    found = embedded_picture(href, Path())
    return Size("".join(href.split()), *found.size) if isinstance(found, Picture) else found
