"""Finished pictures that serve as the faces of a game made from a folder of pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Finished:
    """Pictures that serve as the faces of a game."""

    art: Mapping[str, Path]
    """The pictures, already read, by the names that faces use: a `face.game_art.Pictures`."""
    rooms: Mapping[str, Mapping[str, Any]]
    """The data that the template `base/picture` draws, by the name in the columns `front` and `back` of a row."""
    digest: str
    """Changes whenever a face does."""
