"""Read a position from a form that was filled in and saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grimalkin.problems import Place, Problems, extra

if TYPE_CHECKING:
    from grimalkin.parts.forms.filled import Filled


def is_pdf(data: bytes) -> bool:
    """Return whether these are the bytes of a PDF. Mail and web servers may put other bytes before it."""
    return b"%PDF-" in data[:1024]  # PDF readers look this far


def claims(data: bytes, name: str) -> bool:
    return is_pdf(data) or (bool(data) and name.lower().endswith(".pdf"))


def read(data: bytes, place: Place, problems: Problems, game: str, file: str) -> Filled | None:
    from grimalkin.source.files import MOST_BYTES

    if not is_pdf(data):
        told, hint = "this is not a PDF, though its name ends in .pdf", "name a form that was saved, or a YAML file"
        problems.add(place, told, hint)
        return None
    if len(data) > MOST_BYTES:
        problems.add(place, "the PDF is too large", f"at most {MOST_BYTES:,} bytes are read")
        return None
    with extra(place):
        from grimalkin.parts.forms.filled import read_filled

    filled = read_filled(data, place, problems, game, file)
    if filled and "kept" in filled.notes:
        told, hint = "this form says what a party keeps; it is not a position", "`grimalkin campaign read` reads it"
        problems.add(place, told, hint)
        return None
    return filled
