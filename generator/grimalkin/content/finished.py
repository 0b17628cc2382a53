"""What a game knows of the finished pictures that are its faces, when it is a folder of pictures and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Finished:
    """Pictures that are the faces of a game."""

    art: Mapping[str, Path]
    """The pictures, read already, by what faces call them: a `face.gallery.Pictures`."""
    rooms: Mapping[str, Mapping[str, Any]]
    """What the template `base/picture` draws, by the name in the columns `front` and `back` of a row."""
    digest: str
    """Changes when anything of the faces does."""
