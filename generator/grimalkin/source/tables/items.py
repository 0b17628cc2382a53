"""Read a list in a JSON or YAML file as a Table: each item is a row, and its keys are the columns."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from grimalkin.problems import Place, Problem, Problems, shown_path
from grimalkin.problems.plain import listed
from grimalkin.source.reading import Source, read_text, read_yaml
from grimalkin.source.tables.cells import Cell, Fault, clean, find_float, number
from grimalkin.source.tables.grid import MOST_COLUMNS, Row, Table, make_table


def read_json(path: Path, problems: Problems, inside: Path | None, sheet: str) -> Table | None:
    """Read a list of objects as a Table; return None with a problem. `sheet` names the list if there are several."""
    text = read_text(path, problems, inside)
    if text is None:
        return None
    place = Place(shown_path(path))
    try:
        data = json.loads(text, parse_float=_real, parse_constant=_no_number, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        problems.add(Place(place.path, error.lineno), f"this is not JSON: {_lower(error.msg)}", _json_hint(text, error))
    except RecursionError:
        problems.add(place, "values are nested too deep", "a table is a list of objects")
    except ValueError as error:
        problems.add(place, str(error) if isinstance(error, _WrongError) else "a number has too many digits")
    else:
        return _table(data, path, sheet, lambda at: Place(place.path, at[-1] + 1, f"item {at[-1] + 1}"), problems)
    return None


def read_yaml_table(path: Path, problems: Problems, inside: Path | None, sheet: str) -> Table | None:
    """Read a list of mappings as a Table; return None with a problem. `sheet` is as in `read_json`."""
    source = read_yaml(path, problems, inside)
    return None if source is None else _table(source.data, path, sheet, source.place, problems, source)


class _WrongError(ValueError):
    """JSON that some readers accept, but we do not."""


def _real(written: str) -> int | float:
    value = find_float(written)
    return _no_number(written) if value is None else number(value)


def _no_number(written: str) -> NoReturn:
    raise _WrongError(f"{written} is not a number that can be printed")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        again = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise _WrongError(f'the key "{again}" is written twice in one object')
    return made


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]


def _json_hint(text: str, error: json.JSONDecodeError) -> str:
    before = text[: error.pos].rstrip()[-1:]
    if before == "," and text[error.pos : error.pos + 1] in ("]", "}"):
        return "delete the comma before the bracket"
    if text[error.pos : error.pos + 1] in ("'", "“", "”"):
        return 'write straight double quotes (")'
    if error.msg == "Extra data" and before == "}":
        return "put brackets around the whole list, as in [{…}, {…}], and commas between its items"
    return ""


_EXAMPLES = "{name: Guard, count: 2}", '{"name": "Guard", "count": 2}'
"""Examples in YAML and JSON."""


def _table(
    data: Any, path: Path, sheet: str, place: Callable[[Any], Place], problems: Problems, source: Source | None = None
) -> Table | None:
    whole = Place(shown_path(path))
    found = _the_list(data, sheet, whole, problems)
    if found is None:
        return None
    key, items = found
    columns: dict[str, int] = {}
    rows = [Row(0, {})]
    for index, item in enumerate(items):
        if problems.enough:
            return None
        here = place((key, index) if key else (index,))
        if not isinstance(item, Mapping):
            what = "a list" if isinstance(item, list) else f'"{str(item)[:40]}"'
            example = _EXAMPLES[source is None]
            problems.add(here, f"this item is {what}", f"an item has keys and values, such as {example}")
            continue
        cells = {columns.setdefault(_name(name), len(columns)): _cell(value) for name, value in item.items()}
        if len(columns) > MOST_COLUMNS:
            problems.add(here, f"the table has more than {MOST_COLUMNS:,} columns")
            return None
        filled = {at: cell for at, cell in cells.items() if cell not in (None, "")}
        rows.append(Row(here.line if source else index + 1, filled))
    if len(rows) == 1:
        if not items:
            problems.add(whole, "the list is empty", "each item is a card")
        return None
    rows[0] = Row(0, {index: name for name, index in columns.items()})
    remarks = [Problem(whole, f'the list is "{key}"')] if key else []
    return make_table(path, key, rows, problems, counts="line" if source else "item", header=0, remarks=remarks)


def _the_list(data: Any, sheet: str, place: Place, problems: Problems) -> tuple[str, list[Any]] | None:
    """Return the key of the list and the list; the key is "" if the list is the whole file."""
    if isinstance(data, list):
        if sheet:
            problems.add(place, f'there is no list "{sheet}"', "the file is a single list; leave the name out")
            return None
        return "", data
    lists = {key: value for key, value in data.items() if isinstance(value, list)} if isinstance(data, Mapping) else {}
    chosen = [key for key in lists if not sheet or key.casefold() == sheet.strip().casefold()]
    if len(chosen) == 1:
        return chosen[0], lists[chosen[0]]
    if not lists:
        problems.add(place, "there is no list in this file", "a table is a list of objects, one for each card")
    elif sheet:
        problems.add(place, f'there is no list "{sheet}"', f"the lists are {listed(list(lists)[:20])}")
    else:
        problems.add(place, f"there are {len(lists)} lists", f"name one of {listed(list(lists)[:20], 'or')}")
    return None


def _name(name: Any) -> str:
    text = clean(str(name))
    return " ".join(text.split()) if isinstance(text, str) else text.text


def _cell(value: Any) -> Cell:
    if isinstance(value, str):
        return None if value in ("null", "~") else clean(value)
    if isinstance(value, list):
        return _several(value)
    if isinstance(value, Mapping):
        return _nested(value)
    return value  # type: ignore[no-any-return]  # None, bool, int or Number


def _several(values: list[Any]) -> Cell:
    """Return a list as texts; a list that contains lists or objects is a fault."""
    if any(isinstance(value, list | Mapping) for value in values):
        return _nested(values)
    cells = [_cell(value) for value in values]
    faults = [cell for cell in cells if isinstance(cell, Fault)]
    return faults[0] if faults else tuple(str(cell) for cell in cells if cell not in (None, ""))


def _nested(value: list[Any] | Mapping[str, Any]) -> Fault:
    """Return the fault for a nested value; it does not quote the value, which may be hundreds of levels deep."""
    what = "list that contains other lists" if isinstance(value, list) else "group of keys and values"
    return Fault("", f"this is a {what}", "write a text, a number, or a list of these")
