"""Files of older formats in, records of the format of now out.

Each step takes a record of one format, as it was read, and gives that of the next. It never asks an engine, since an
older file is of older rules: what these make of it is found out when it is followed. A step is never changed once a
file was written in its format, and tests/campaigns has one of each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grimalkin.engine.saved import FORMAT
from grimalkin.problems import Place, Stop

STEPS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""By the format that each takes. There is one format so far."""


def format_of(record: Mapping[str, Any], place: Place, newest: int = FORMAT) -> int:
    """The format of a file. Stops when it says none, or a newer one."""
    written = str(record.get("format", ""))
    if not written.isascii() or not written.isdigit() or len(written) > 9 or int(written) < 1:
        raise Stop.at(place, f'format: "{written}" is no format of a campaign', f"files of now say format: {newest}")
    if int(written) > newest:
        told = f"this file has the format {written}, and formats up to {newest} are known here"
        raise Stop.at(place, told, "a newer Grimalkin reads it; the file stays as it is")
    return int(written)


def migrated(
    record: dict[str, Any], number: int, steps: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = STEPS
) -> dict[str, Any]:
    """A record of that format as one of the format of now."""
    while number in steps:
        record = steps[number](record)
        number += 1
        record["format"] = str(number)
    return record
