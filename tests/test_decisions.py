"""Decision records all have one form, and link to one another by their numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grimalkin.source import data_folder

ROOT = Path(__file__).parents[1]
RECORDS = sorted((data_folder("site") / "docs" / "decisions").glob("*.md"))


@pytest.mark.parametrize("number", range(1, len(RECORDS) + 1))
def test_a_record_has_a_status_and_three_parts(number: int) -> None:
    """Its number, then what was decided when, then Context, Decision and Consequences, none of them empty."""
    record = RECORDS[number - 1]
    title, _, rest = record.read_text(encoding="utf-8").partition("\n\n")
    status, *parts = re.split(r"\n\n?## (\w+)\n\n", rest)

    assert record.name.startswith(f"{number:04}-") and title.startswith(f"# {number}. ")
    assert re.fullmatch(r"\*\*Status\*\*: (accepted|replaced by \[[^\n]*\)) on \d{4}-\d\d-\d\d\b[^\n]*\.", status)
    assert ["Context", "Decision", "Consequences"] == parts[::2]
    assert all(parts[1::2])


def test_links_between_records_have_their_numbers() -> None:
    """Record 36 is 0036-…."""
    for record in RECORDS:
        for number, name in re.findall(
            r"\[(?:[Rr]ecord )?(\d+)\]\((\d{4}-[\w-]+\.md)", record.read_text(encoding="utf-8")
        ):
            assert name.startswith(f"{int(number):04}-"), record.name
            assert (record.parent / name).is_file(), record.name


def test_modules_that_records_name_exist() -> None:
    """By the end of their path: whoever moves or removes a module mends the records that name it."""
    folders = ("generator", "tests", "benchmarks")
    modules = [f"/{path.relative_to(ROOT).as_posix()}" for one in folders for path in (ROOT / one).rglob("*.py")]
    named = [(path.name, one) for path in RECORDS for one in re.findall(r"`(\w+/[\w/]+\.py)`", path.read_text("utf-8"))]

    assert len(named) > 5
    assert [] == [(record, one) for record, one in named if not any(path.endswith(f"/{one}") for path in modules)]
