"""Pictures within a drawing: what an <image> refers to in, its size in pixels out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from grimalkin.face.pictures import Picture, embedded_picture


class Size(NamedTuple):
    """A picture by what refers to it, and how many pixels it has."""

    href: str
    width: float
    height: float


Fault = tuple[str, str]
"""What is wrong, and what to do."""
Pictures = Callable[[str], Size | Fault]
"""Finds what an <image> refers to; a picture without a size is not drawn."""


def embedded(href: str) -> Size | Fault:
    """A picture that lies in the file itself."""
    found = embedded_picture(href, Path())
    return Size("".join(href.split()), *found.size) if isinstance(found, Picture) else found
