"""The profiles of the user's printers, in one small TOML file in the settings folder.

`GRIMALKIN_CONFIG` names a different folder.
"""

from __future__ import annotations

import json
import math
import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from grimalkin.printing.sheet.settings import Printer
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean, shown_path
from grimalkin.source.files import write_over

MOST_OFFSET = 20.0
"""In millimetres. A printer that is further off feeds paper askew, or is set to the wrong size."""
MOST_ANGLE = 5.0
"""In degrees."""
MOST_WAIT = 10.0
"""Seconds to wait while another command writes a profile, which takes only milliseconds."""
AXES = (
    ("back-x", " mm", MOST_OFFSET, ("to the right", "to the left")),
    ("back-y", " mm", MOST_OFFSET, ("up", "down")),
    ("angle", "°", MOST_ANGLE, ("counter-clockwise", "clockwise")),
)
"""The values of a profile, in the order of `values`: key, unit, maximum, and the two directions."""
_NAME = re.compile(r"\w++([ .-]\w++)*+")
_KEYS = [key for key, *_ in AXES]
_HEAD = """\
# Printers measured with `grimalkin printer`: how far backs are moved to meet their fronts, looking at the back.
# Millimetres to the right and up, degrees counter-clockwise around the middle of the page.
"""


def file() -> Path:
    """Return the path of the file of profiles, which may not exist yet."""
    folder = os.environ.get("GRIMALKIN_CONFIG")
    if folder:
        return Path(folder) / "printers.toml"
    import platformdirs

    return platformdirs.user_config_path("grimalkin", appauthor=False) / "printers.toml"


def load() -> dict[str, Printer]:
    """Return every profile by name, in alphabetical order. Stops with every fault in the file."""
    path = file()
    where = Place(shown_path(path))
    if not path.exists():
        return {}
    try:
        data = tomllib.loads(
            path.read_text(encoding="utf-8-sig")
        )  # Windows editors may begin it with a byte order mark
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        place = Place(where.path, int(line[1]) if line else 0)
        raise Stop.at(place, f"not TOML: {str(error).lower()}", "correct the line, or remove the file") from None
    except UnicodeDecodeError:
        raise Stop.at(where, "not UTF-8", "save the file as UTF-8, or remove it") from None
    problems = Problems()
    found = {name: _read(name, one, where, problems) for name, one in sorted(data.items())}
    problems.stop()
    return found


def find(name: str) -> Printer:
    """Return the profile of that name. Stops if there is none."""
    known = load()
    if name in known:
        return known[name]
    hint = did_you_mean(name, known) or "`grimalkin calibrate` makes a sheet for measuring one"
    raise Stop.at(Place("--printer"), f'there is no printer "{name}"', hint)


def save(printer: Printer) -> None:
    """Add a profile, or replace the one of that name."""
    refuse_faults(printer)
    with changing() as known:
        known[printer.name] = printer


def remove(name: str) -> None:
    """Remove a profile. Stops if there is none."""
    find(name)
    with changing() as known:
        known.pop(name, None)


@contextmanager
def changing() -> Iterator[dict[str, Printer]]:
    """Yield the profiles for changing, while no other command can; write them if the block succeeds."""
    path = file()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(f"{path}.lock", timeout=MOST_WAIT):
            known = load()
            yield known
            _write(known.values())
    except Timeout:
        raise Stop.at(Place(shown_path(path)), "another command is writing here", "try again") from None


def refuse_faults(printer: Printer) -> None:
    """Stop if something is wrong with a profile."""
    faults = faults_of(printer)
    if faults:
        raise Stop([Problem(Place(f'printer "{printer.name}"'), fault, hint) for fault, hint in faults])


def faults_of(printer: Printer) -> list[tuple[str, str]]:
    """Return each fault in a profile, with a hint."""
    faults = []
    if not _NAME.fullmatch(printer.name) or len(printer.name) > 40:
        faults.append(
            (f'"{printer.name}" cannot be a name', "use at most 40 letters and digits, as in kitchen or office-2")
        )
    for (key, unit, most, _), value in zip(AXES, values(printer), strict=True):
        if not abs(value) <= most:  # true also of NaN
            faults.append((f"{key} is {value:g}{unit}", f"at most {most:g}{unit} either way"))
    return faults


def values(printer: Printer) -> tuple[float, float, float]:
    """Return the offsets of its backs, in the order of `AXES`."""
    return printer.back_x, printer.back_y, printer.angle


def _read(name: str, data: Any, where: Place, problems: Problems) -> Printer:
    if not isinstance(data, dict):
        problems.add(where, f'"{name}" does not belong to a printer', f'begin with ["{name}"]')
        return Printer(name)
    numbers: dict[str, float] = {}
    for key, value in data.items():
        if key not in _KEYS:
            problems.add(where, f'printer "{name}" has the key "{key}"', did_you_mean(key, _KEYS))
        elif isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            problems.add(where, f'printer "{name}": {key} is {json.dumps(value, default=str)}', "it must be a number")
        else:
            numbers[key] = float(value)
    printer = Printer(name, *(numbers.get(key, 0.0) for key in _KEYS))
    for fault, hint in faults_of(printer):
        problems.add(where, f'printer "{name}": {fault}', hint)
    return printer


def _write(printers: Iterable[Printer]) -> None:
    """Rewrite the complete file."""
    parts = [_HEAD]
    for printer in sorted(printers, key=lambda printer: printer.name):
        lines = [f"{key} = {value!r}\n" for key, value in zip(_KEYS, values(printer), strict=True)]
        parts.append(f"\n[{json.dumps(printer.name, ensure_ascii=False)}]\n" + "".join(lines))
    write_over(file(), "".join(parts).encode())
