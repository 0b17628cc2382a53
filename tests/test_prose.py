"""The list of wording to avoid finds what it should, and lets pass what it should."""

from __future__ import annotations

from pathlib import Path

import pytest
from prose import KINDS, ROOT, Habit, Text, faults, files, habits, texts


def wording(words: str, kind: str, habit: Habit) -> list[str]:
    return list(faults(Text(kind, ROOT / "a.md", 1, words), [habit]))


@pytest.mark.parametrize("habit", habits(), ids=lambda habit: habit.write[:40])
def test_each_habit_is_found_and_its_better_wording_is_not(habit: Habit) -> None:
    """In every kind of text that the entry names, and in no other."""
    for kind in KINDS:
        assert (kind in habit.kinds) == bool(wording(habit.found, kind, habit))
        assert [] == wording(habit.fine, kind, habit)


@pytest.mark.parametrize(
    "text", ['Say "draw anew" again.', "Run `anew`.", "See [a](anew).", "“Anew”", "{{ anew }}", "<anew/>"]
)
def test_quotes_and_code_are_left_alone(text: str) -> None:
    """What somebody else wrote, and what a computer reads."""
    assert [] == list(faults(Text("docs", ROOT / "a.md", 1, text), habits()))


def test_a_fault_names_its_line() -> None:
    """Also when the words go over the end of a line."""
    text = Text("docs", ROOT / "a.md", 3, "One.\nTwo, as\nwell.\n\nThree, anew.")

    assert ['a.md:4: "as well"', 'a.md:7: "anew"'] == sorted(
        fault.partition(";")[0] for fault in faults(text, habits())
    )


def test_texts_of_each_kind_are_read(tmp_path: Path) -> None:
    """Docstrings, comments and messages of Python; values of YAML; cells of CSV; a whole page."""
    python = '"""Doc string."""\n\ndef f():\n    "Other doc."\n    x = 1  # a comment\n    return f"a message {x}"\n'
    for name, source in {
        "a.py": python,
        "b.yaml": "key: a value\nlist:\n- one\n- >-\n  three\n  words\n",
        "c.csv": 'id,text\na,"two\n lines"\nb,one word\n',
        "d.md": "A page.\n",
    }.items():
        (tmp_path / name).write_text(source, encoding="utf-8")

    assert {
        ("docstrings", 1, "Doc string."),
        ("docstrings", 4, "Other doc."),
        ("docstrings", 5, "a comment"),
        ("messages", 6, "a message "),
        ("rules", 1, "a value"),
        ("rules", 4, "three words"),
        ("rules", 2, "two\n lines"),
        ("rules", 4, "one word"),
        ("docs", 1, "A page.\n"),
    } == {(text.kind, text.line, text.words) for path in tmp_path.iterdir() for text in texts(path)}
    assert {".py", ".yaml", ".csv", ".j2", ".md"} == {path.suffix for path in files()}
