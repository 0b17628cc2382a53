"""Decision records all have one form, and link to one another by their numbers."""

from __future__ import annotations

import re

import pytest

from grimalkin.source import data_folder

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
