"""`grimalkin new` from a table or a ready layout: a table in, the files of a ready-to-build game out."""

from __future__ import annotations

import argparse
import json
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grimalkin.cli.common import remark
from grimalkin.cli.layouts import LAYOUTS, Found, Plan, choose, draw
from grimalkin.problems import Place, Problem, Problems, Stop, shown_path
from grimalkin.problems.plain import fault_of_name, id_from, plural, visible
from grimalkin.source import data_folder, is_inside, read_bytes
from grimalkin.source.files import ART_FILES, MOST_ART
from grimalkin.source.tables import Fault, Table, read_table_file

USE = re.compile(r"\{% set use = (\{.*?\}) %\}", re.DOTALL)
_TONE = re.compile(r'\{% set tone = "(#\w{6})" %\}')
_PLAIN_NAME = re.compile(r"\w[\w .()-]*")
BACKSLASH = "\\"
MOST_NAMED = 3
"""The maximum number of missing pictures that a remark names."""


@dataclass(frozen=True, slots=True)
class _Told:
    """A table and its columns."""

    table: Table
    columns: tuple[Found, ...]
    """All columns except those that every table has."""
    names: str
    """The header of its name column; "" if it has none."""
    cards: int


def new_from(folder: Path, title: str, options: argparse.Namespace) -> int:
    """Make a game's folder from a table, or from a layout's sample rows."""
    sample = data_folder("templates") / "faces" / "layouts" / f"{options.layout}.csv"
    path = Path(options.table) if options.table else sample
    _check_path(options.table or "")
    told = _read(path, options.sheet or "")
    columns = told.columns
    called = [name for name in (path.stem, told.table.sheet) if name] if options.table else []
    layout, why = (LAYOUTS[options.layout], "") if options.layout else choose(columns, called, _copies(told))
    pictures = _pictures(path, [one for one in columns if one.means(layout.parts.get("art", ()))])
    plan = draw(layout, why, columns, bool(pictures))
    plan, name = (plan, "") if told.names else _without_names(plan, columns)
    _check(told.table, plan)
    file = _file_name(path) if options.table else f"cards{path.suffix}"
    _write(folder, _files(title, file, told, options.sheet, plan, name), {file: path, **pictures})
    _print(folder, title, file, told, plan, name)
    return 0


def _check_path(table: str) -> None:
    """Stop if the table is an address or a folder instead of a file."""
    if "://" in table:
        told, hint = "nothing is fetched from the internet", "download the table as XLSX or CSV, and name that file"
        raise Stop.at(Place(table), told, hint)
    if Path(table).is_dir() and table:
        inside = sorted(path for path in Path(table).iterdir() if path.suffix.lower() in (".xlsx", ".ods", ".csv"))
        hint = f"name a table in it, such as {shown_path(inside[0])}" if inside else "name a table"
        raise Stop.at(Place(table), "this is a folder", hint)


def _read(path: Path, sheet: str) -> _Told:
    from grimalkin.content.models import EVERY_COLUMN, Tabled
    from grimalkin.content.tables.columns import kind_of, understand
    from grimalkin.content.tables.rows import as_count, as_text
    from grimalkin.content.validation import is_a
    from grimalkin.content.values import Line

    problems = Problems()
    known = {word for layout in LAYOUTS.values() for words in layout.parts.values() for word in words}
    table = read_table_file(path, problems, sheet=sheet, known=known)
    problems.stop()
    assert table is not None
    if not table.rows:
        raise Stop.at(
            Place(shown_path(path)), "the table has no cards", "write a row for each design, below the header"
        )
    common = understand(Tabled(file="cards.csv"), table, None, problems).indices
    problems.stop()
    remark([*table.remarks, *_doubled(table)])
    names: dict[int, str] = {}
    for index, header in enumerate(table.columns):
        can_be_named = table.columns.count(header) == 1 and is_a(Line, header)
        if can_be_named and index not in common.values():
            names[index] = _column_name(header, index, [*names.values(), *EVERY_COLUMN])
    columns = []
    for index, name in names.items():
        cells = [row[index] for row in table.rows]
        texts = tuple(filled for cell in cells if (filled := as_text(cell)))
        is_sound = not any(isinstance(cell, Fault) for cell in cells)
        columns.append(Found(index, table.columns[index], name, kind_of(cells), texts, is_sound))
    counts = [as_count(row[common["count"]], table.decimal) if "count" in common else "1" for row in table.rows]
    cards = sum(int(count) if count.isdecimal() else 1 for count in counts)
    return _Told(table, tuple(columns), table.columns[common["name"]] if "name" in common else "", cards)


def _column_name(header: str, index: int, taken: Sequence[str]) -> str:
    """Return a name for a column in game.yaml and in templates, where some words already have a meaning."""
    from grimalkin.content.models import ColumnName
    from grimalkin.content.validation import is_a

    name = id_from(header) or f"column-{index + 1}"
    name = name if name[0].isalpha() else f"column-{name}"
    name = name if is_a(ColumnName, name) else f"{name}-column"
    return name if name not in taken else f"{name}-{index + 1}"


def _copies(told: _Told) -> float:
    return told.cards / len(told.table.rows)


def _doubled(table: Table) -> Iterator[Problem]:
    """Yield remarks on columns that are left out because several have the same header."""
    for header, count in Counter(filter(None, table.columns)).items():
        if count > 1:
            told = f'{count} columns are called "{visible(header)}", so none of them is used'
            yield Problem(table.place(), told, "rename all but one, and begin again")


def _without_names(plan: Plan, columns: Sequence[Found]) -> tuple[Plan, str]:
    """Plan for a table without a name column; return the plan and the header of the column used instead, or ""."""
    wanted = plan.parts.get(plan.layout.named)
    sure = [wanted] if wanted else [] if plan.layout.named == "-" else columns
    name = next((one for one in sure if one.is_for_names and (wanted or not one.repeats)), None)
    if name is None:
        return plan, ""
    parts = {part: one for part, one in plan.parts.items() if one is not name or part == plan.layout.named}
    return Plan(plan.layout, plan.why, parts, plan.numbers), name.header


def _check(table: Table, plan: Plan) -> None:
    """Stop if the layout draws a cell that cannot be read."""
    problems = Problems()
    for one in plan.columns():
        for number, row in enumerate(table.rows):
            cell = row[one.index]
            if isinstance(cell, Fault):
                problems.add(table.place(number, one.index), f"{one.header}: {cell.message}", cell.hint)
    problems.stop()


# Pictures


def _pictures(table: Path, columns: Sequence[Found]) -> dict[str, Path]:
    """Return the pictures beside a table that its art column names, by their paths in the new folder `art`.

    If any of them is missing, return none, with a remark, because a missing picture would prevent printing.
    """
    found: dict[str, Path] = {}
    for text in columns[0].texts if columns else ():
        inside = text.replace("\\", "/").removeprefix("art/")
        places = (table.parent / inside, table.parent / "art" / inside)
        path = next((one for one in places if one.is_file() and is_inside(one, table.parent)), None)
        if path and path.suffix in ART_FILES:
            found[f"art/{inside}"] = path
    texts = dict.fromkeys(columns[0].texts if columns else ())
    missing = [text for text in texts if f"art/{text.replace(BACKSLASH, '/').removeprefix('art/')}" not in found]
    if missing:
        few = ", ".join(missing[:MOST_NAMED]) + (", …" if len(missing) > MOST_NAMED else "")
        told = f"{plural(len(missing), 'picture')} in the column {columns[0].header} cannot be used: {few}"
        hint = "put JPEG, PNG, WebP or SVG files with these names beside the table, or later into the folder art"
        remark([Problem(Place(shown_path(table)), told, hint)])
    return {} if missing else found


# Files


def _file_name(path: Path) -> str:
    """Return the table's file name in the game's folder: its own, if that is safe on every disk and not taken."""
    fine = _PLAIN_NAME.fullmatch(path.name) and not fault_of_name(path.name) and id_from(path.stem)
    return path.name if fine and path.suffix != ".yaml" else f"cards{path.suffix.lower()}"


def _files(title: str, file: str, told: _Told, sheet: str | None, plan: Plan, name: str) -> dict[str, str]:
    """Return the text files of the game by their paths in its folder."""
    folder = data_folder("templates") / "faces" / "layouts"
    front = (folder / f"{plan.layout.name}.svg.j2").read_text(encoding="utf-8")
    back = folder / f"{plan.layout.name}-back.svg.j2"
    files = {
        "game.yaml": _game_yaml(title, file, told, sheet, plan, name, back.is_file(), _TONE.findall(front)[0]),
        "faces/card.svg.j2": USE.sub(lambda _: f"{{% set use = {_used(plan, name)} %}}", front, count=1),
    }
    return files | ({"faces/card-back.svg.j2": back.read_text(encoding="utf-8")} if back.is_file() else {})


def _used(plan: Plan, name: str) -> str:
    """Return the lines of a template that say which column fills each part."""
    columns = {part: "name" if one.header == name else _in_template(one) for part, one in plan.parts.items()}
    lines = [f"  {_quoted(part)}: {_quoted(column)}," for part, column in columns.items()]
    if plan.numbers:
        numbers = ", ".join(f"{_quoted(one.header)}: {_quoted(_in_template(one))}" for one in plan.numbers)
        lines.append(f'  "stats": {{{numbers}}},')
    return "\n".join(["{", *lines, "}"])


def _in_template(one: Found) -> str:
    return one.name.replace("-", "_")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _game_yaml(
    title: str, file: str, told: _Told, sheet: str | None, plan: Plan, name: str, has_back: bool, tone: str
) -> str:
    drawn = [one for one in plan.columns() if one.header != name]
    others = [one for one in told.columns if one not in drawn and one.header != name and one.is_sound]
    lines = [
        "# What the game is, and what is in its box. Change anything; `grimalkin preview` shows it immediately.",
        f"title: {_quoted(title)}",
        "palette:",
        f"  accent: {_quoted(tone)}",
        *_colours(plan),
        "decks:",
        f"  - file: {_quoted(file)}",
        *([f"    sheet: {_quoted(sheet)}"] if sheet else []),
        f"    stock: {plan.layout.stock}",
        *(["    kind: coin"] if plan.layout.stock.startswith("circle") else []),
        "    face: card",
        f"    back: {'card-back' if has_back else 'card'}",
        "    columns:" if name or drawn or others else "",
        *([f"      name: {_quoted(name)}"] if name else []),
        *(_column(one, plan) for one in drawn),
        *(["      # those that are on no face:"] if others else []),
        *(_column(one, plan, ", shown: no") for one in others),
    ]
    return "\n".join(line for line in lines if line) + "\n"


def _colours(plan: Plan) -> Iterator[str]:
    """Yield a comment that shows how to give a kind of card its own colour."""
    kind = plan.parts.get("kind")
    texts = kind.texts if kind else ()
    own = next((id_from(text) for text in texts if id_from(text) == "-".join(text.lower().split())), "")
    if kind and own:
        yield f'  # a colour of its own for each {visible(kind.header)}, such as {own}: "#2d5c88"'


def _column(one: Found, plan: Plan, more: str = "") -> str:
    from grimalkin.content.validation import is_a
    from grimalkin.content.values import Line

    label = _quoted(one.header)
    header = "" if id_from(one.header) == one.name else f", header: {label}"
    is_kind = one is plan.parts.get("kind") and one.repeats and all(is_a(Line, text) for text in one.texts)
    choices = list(dict.fromkeys(one.texts)) if is_kind else []
    kind = f"choice, choices: [{', '.join(map(_quoted, choices))}]" if choices else one.type
    return f"      {one.name}: {{type: {kind}, label: {label}{header}, optional: yes{more}}}"


def _write(folder: Path, files: Mapping[str, str], copies: Mapping[str, Path]) -> None:
    """Write files and copies of files by their paths in the folder; read all of them before writing the first."""
    from grimalkin.output.disk import write_new

    problems = Problems()
    data = {name: read_bytes(path, problems, None, MOST_ART) for name, path in copies.items()}
    problems.stop()
    for name, one in {**files, **data}.items():
        assert one is not None
        write_new(folder / name, one)


# What is printed


def _print(folder: Path, title: str, file: str, told: _Told, plan: Plan, name: str) -> None:
    from grimalkin.content import load_game

    shown = shlex.quote(folder.as_posix() if folder.is_absolute() or len(folder.parts) > 1 else f"./{folder}")
    rows = plural(len(told.table.rows), "row")
    print(f"{title} is in {shown}: {plural(told.cards, 'piece')} in {rows} of {file}")
    print(f"layout: {plan.layout.name}{visible(f', {plan.why}' if plan.why else '')}")
    for label, header in _lines(told, plan, name):
        print(f"  {label:<12}{visible(header)}")
    problems = Problems()
    load_game(folder, problems)
    if problems:
        print(f"to print the game, first correct {plural(len(problems.found), 'cell')} in {shown}/{file}:")
        for problem in problems:
            print(f"  {problem}")
    print(f"now run  grimalkin preview {shown}  and change {shown}/faces/card.svg.j2")
    print(f"then     grimalkin build {shown}  for sheets to print and a site")
    if plan.why:
        print(f"or start again with --layout NAME; grimalkin new --help lists all {len(LAYOUTS)} layouts")


def _lines(told: _Told, plan: Plan, name: str) -> Iterator[tuple[str, str]]:
    """Yield each part of the layout with its header in the table."""
    if told.names or name:
        yield "name", told.names or name
    for part, one in plan.parts.items():
        yield plan.layout.parts[part][0], one.header
    if plan.numbers:
        yield "numbers", ", ".join(one.header for one in plan.numbers)
    drawn = [one.index for one in plan.columns()]
    rest = [one.header for one in told.columns if one.index not in drawn and one.header != name]
    if rest:
        yield "on no face", ", ".join(rest)
