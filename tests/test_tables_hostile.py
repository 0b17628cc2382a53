"""Tables that somebody made to hurt: they end soon, in little memory, with a message and no traceback."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from test_tables_books import text, xlsx

from grimalkin.content.tables.rows import ids_of_rows
from grimalkin.problems import Problems
from grimalkin.source.tables import Fault, read_table_file

SECONDS = 5.0
"""Of a processor. What took the square of its length took minutes."""


def told(path: Path) -> list[str]:
    """The problems of a table, each without its place."""
    problems = Problems()
    began = time.process_time()
    read_table_file(path, problems)

    assert time.process_time() - began < SECONDS
    return [one.message for one in problems]


@pytest.mark.parametrize("name", ["Guard", "Guard {half}"])
def test_fifty_thousand_equal_names_get_their_ids_soon(name: str) -> None:
    names = [name.format(half=at // 2) if at % 2 else "Guard" for at in range(50_000)]
    began = time.process_time()
    ids = ids_of_rows([""] * len(names), names, (), "deck")

    assert time.process_time() - began < SECONDS
    assert len(set(ids)) == len(names)


def test_a_number_behind_a_long_name_leaves_no_double_hyphen() -> None:
    """The id is cut after a hyphen to make room."""
    ids = ids_of_rows(["", ""], ["a" * 53 + " bcdefg"] * 2, (), "deck")

    assert ids == ["a" * 53 + "-bcdefg", "a" * 53 + "-2"]


MARKS = "\u0315\u0300" * 100_000
"""Accents that are not in the order of Unicode: putting them in order takes the square of their number."""
HOSTILE: dict[str, tuple[str, str]] = {
    "accents.csv": (f"Name,Text\nOwl,x{MARKS}\n", "a letter has more than 50 accents"),
    "accents.json": (json.dumps([{"name": "Owl" + MARKS[:9_000]}] * 140), ""),
    "accents.yaml": (f"- name: Owl{MARKS}\n", "a letter has more than 50 accents"),
    "header.csv": ("Name" + ",h" * 3_900_000 + "\n", "this row has 3,900,001 cells"),
    "doubled.json": (
        "[{" + "".join(f'"k{at}":1,' for at in range(60_000)) + '"k59999":2}]',
        'the key "k59999" is written twice in one object',
    ),
    "lists.json": ('[{"name":' + "[" * 800 + "]" * 800 + "}]", ""),
    "objects.json": ('[{"name":' + '{"a":' * 800 + "1" + "}" * 800 + "}]", ""),
    "bars.csv": ("| a |\n" + " " * 1_000_000 + "x", ""),
    "deep.json": ("[" * 100_000, "values are nested too deep"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_table_is_refused_soon(tmp_path: Path, name: str) -> None:
    text, message = HOSTILE[name]
    (tmp_path / name).write_text(text, encoding="utf-8")

    assert told(tmp_path / name) == [message] * bool(message)


@pytest.mark.parametrize("name", ["lists.json", "objects.json"])
def test_a_nested_value_is_a_problem_of_its_cell(tmp_path: Path, name: str) -> None:
    """It is nested as deep as the parser of JSON allows, which is deeper than a function of ours could follow."""
    (tmp_path / name).write_text(HOSTILE[name][0], encoding="utf-8")
    table = read_table_file(tmp_path / name, Problems())

    assert table is not None
    ((fault,),) = table.rows
    assert isinstance(fault, Fault)
    assert fault.message.startswith("this is a ")


def test_a_long_word_of_another_encoding_is_read_soon(tmp_path: Path) -> None:
    (tmp_path / "long.csv").write_bytes(b"Name\n" + b"a" * 7_000_000 + b" \xe9\n")

    assert told(tmp_path / "long.csv") == ["a cell has 7,000,002 characters"]


def test_a_long_number_that_is_none_is_read_soon(tmp_path: Path) -> None:
    row = f"<row><c><v>{'1' * 79_000}x</v></c></row>"
    (tmp_path / "long.xlsx").write_bytes(xlsx(f"<row>{text('Name')}</row>" + row * 40))

    assert told(tmp_path / "long.xlsx") == []
