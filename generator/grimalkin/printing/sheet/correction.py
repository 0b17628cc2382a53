"""Move everything drawn on a page by a correction, such as that of a printer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from grimalkin.printing.draw.canvas import PackedCanvas
from grimalkin.printing.draw.tags import Tags
from grimalkin.printing.face.svg.paths import IDENTITY, Matrix


@contextmanager
def corrected(canvas: PackedCanvas, tags: Tags, matrix: Matrix | None) -> Iterator[None]:
    """Move everything drawn and tagged within by a matrix in points; leave it where it is if there is none."""
    if matrix is None:
        yield
        return
    tags.matrix = matrix
    canvas.emit("q " + " ".join(f"{value:.6f}" for value in matrix) + " cm")
    yield
    canvas.emit("Q")
    tags.matrix = IDENTITY
