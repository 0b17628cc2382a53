"""Read a file into a raw `Table`: the cells of a spreadsheet or a list, as a spreadsheet shows them.

This package does not know what a column means: whether it holds names or counts, numbers or text. A fault in a cell is
a value (`Fault`), because perhaps nothing uses the cell.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from grimalkin.problems import Place, Problems, shown_path
from grimalkin.problems.plain import listed
from grimalkin.source.tables.cells import Cell, Fault, Number, as_numbers, as_yes_no
from grimalkin.source.tables.delimited import read_delimited
from grimalkin.source.tables.grid import Table
from grimalkin.source.tables.items import read_json, read_yaml_table

__all__ = ["TABLE_FILES", "Cell", "Fault", "Number", "Table", "as_numbers", "as_yes_no", "read_table_file"]

_TEXTS = (".csv", ".tsv", ".txt")
_BOOKS = (".xlsx", ".xlsm", ".ods")
_LISTS = {".json": read_json, ".yaml": read_yaml_table}
TABLE_FILES: tuple[str, ...] = (*_TEXTS, *_BOOKS, *_LISTS)
"""The extensions of files that are read as tables."""


def read_table_file(
    path: Path, problems: Problems, inside: Path | None = None, sheet: str = "", known: Collection[str] = ()
) -> Table | None:
    """Read a table as a spreadsheet shows it; return None with a problem.

    `sheet` names a sheet of a workbook or a list of a JSON or YAML file. `known` are names of columns that help to find
    the header below a title. `inside` is as in `read_bytes`. The file extension decides how to read it.
    """
    ending = path.suffix.lower()
    if ending in _LISTS:
        return _LISTS[ending](path, problems, inside, sheet)
    place = Place(shown_path(path))
    if ending in _BOOKS:
        from grimalkin.source.tables.book import (
            read_book,
        )  # few games have a workbook, and reading one needs more imports

        return read_book(path, problems, inside, sheet, known)
    if ending not in _TEXTS:
        told = (
            f'a file with the extension "{ending}" cannot be read as a table' if ending else "the file has no extension"
        )
        problems.add(place, told, f"a table is one of {listed(TABLE_FILES, 'or')}")
    elif sheet:
        problems.add(place, f'there is no sheet "{sheet}"', "a text file has no sheets: leave the name out")
    else:
        return read_delimited(path, problems, inside, known)
    return None
