"""Tables that somebody made to hurt: they end soon, in little memory, with a message and no traceback."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from grimalkin.content.ids import ids_of_rows
from grimalkin.problems import Problems
from grimalkin.source.tables import read_table_file

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
