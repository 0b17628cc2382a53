"""Files of older formats in, records of the current format out.

Each step converts a record, as it was read, from one format to the next. It never asks an engine, since an older file
may have older rules: their effects appear only when the file is followed. A step never changes once files were written
in its format, and tests/campaigns has a file in each format.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grimalkin.engine.saved import FORMAT
from grimalkin.problems import Place, Stop

STEPS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""The steps, by the format that each converts. There is only one format so far."""


def format_of(record: Mapping[str, Any], place: Place, newest: int = FORMAT) -> int:
    """Return the format of a file. Stops if it has none or is newer."""
    written = str(record.get("format", ""))
    if not written.isascii() or not written.isdigit() or len(written) > 9 or int(written) < 1:
        told = f'format: "{written}" is not a format of campaign files'
        raise Stop.at(place, told, f"the current one is format: {newest}")
    if int(written) > newest:
        told = f"this file has format {written}, but this Grimalkin reads formats only up to {newest}"
        raise Stop.at(place, told, "use a newer Grimalkin; the file was not changed")
    return int(written)


def migrated(
    record: dict[str, Any], number: int, steps: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = STEPS
) -> dict[str, Any]:
    """Convert a record of that format to the current format."""
    while number in steps:
        record = steps[number](record)
        number += 1
        record["format"] = str(number)
    return record
