"""Reading: text with its place, under limits, and a problem instead of a traceback for whatever a file may hold."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
from no_hang import no_hang

from grimalkin.problems import Problems
from grimalkin.source import files_in, read_yaml
from grimalkin.source.reading import MOST_BYTES, MOST_DEPTH, MOST_EVENTS


def read(tmp_path: Path, text: str | bytes) -> tuple[object, list[str]]:
    path = tmp_path / "file.yaml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    problems = Problems()
    source = read_yaml(path, problems)
    return (source.data if source else None), [str(problem).replace(str(tmp_path) + "/", "") for problem in problems]


def test_values_stay_what_was_written(tmp_path: Path) -> None:
    """Times, truth words and numbers are text until a model converts them."""
    data, problems = read(tmp_path, "time: 4:30\nanswer: no\nempty:\nlist: [1, {deep: 2.50}]\n")

    assert {"time": "4:30", "answer": "no", "empty": "", "list": ["1", {"deep": "2.50"}]} == data
    assert [] == problems


def test_every_value_has_its_line(tmp_path: Path) -> None:
    """A place is found for a value, and for a missing value the nearest one around it."""
    path = tmp_path / "file.yaml"
    path.write_text("a: 1\nb:\n  - x: 1\n  - x: 2\n    y: 3\n")
    source = read_yaml(path, Problems())
    assert source is not None

    assert 5 == source.place(("b", 1, "y")).line
    assert 4 == source.place(("b", 1, "not there")).line
    assert [1, 1, 3, 3] == [source.place(at).line for at in ((), ("c",), ("b", 7, "x"), ("b", 0, "x", "y"))]
    assert 1 == source.place((0, "id")).line


def test_values_of_a_key_written_twice_keep_the_lines_of_the_first(tmp_path: Path) -> None:
    """The second value is read for its own faults only."""
    path = tmp_path / "file.yaml"
    path.write_text("a: {x: 1}\na:\n  x: 2\n  y:\n    - z: 3\nb: 4\n")
    problems = Problems()
    source = read_yaml(path, problems)
    assert source is not None

    assert {"a": {"x": "1"}, "b": "4"} == source.data
    assert [1, 1, 6] == [source.place(at).line for at in (("a", "x"), ("a", "y"), ("b",))]
    assert 1 == len(problems.found)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: *x", 'file.yaml:1: the alias "*x" is not read'),
        ("a: &x 1", 'file.yaml:1: the anchor "&x" is not read'),
        ("a: !!int 3", "file.yaml:1: the tag"),
        ("<<: {a: 1}", 'file.yaml:1: the merge key "<<" is not read'),
        ("a: 1\n---\nb: 2", "file.yaml:2: a second document begins here"),
        ("", "file.yaml: the file is empty; write its content, or delete the file"),
        ("# only a comment", "file.yaml: the file is empty; write its content, or delete the file"),
        ("a: b: c", "put quotes around text that has a colon in it"),
        ("a:\n\tb: 1", "indent with spaces, not tabs"),
        ("? [a]\n: b", "file.yaml:1: a key must be text"),
        ("a: {b", "file.yaml:"),
        ("a: \x01", "YAML cannot contain the character U+0001"),
        (b"a: 1\nb: \xff", "file.yaml:2: byte 0xff is not UTF-8"),
        (b"\x89PNG\r\n\x1a\n\0\0", "file.yaml: this is a picture (PNG)"),
        ("a\0b: 1", "zero byte"),
        ("a: 1\nb: 2\na: 3", 'file.yaml:3: the key "a" is written twice\n    file.yaml:1: the other place'),
    ],
)
def test_what_is_not_read_is_told(tmp_path: Path, text: str | bytes, problem: str) -> None:
    """Each is a problem with its place and a remedy."""
    _, problems = read(tmp_path, text)

    assert len(problems) == 1
    assert problem in problems[0]


@pytest.mark.slow("works up to the bounds")
@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("brackets", b"[" * 50_000, "nested more than 64 deep"),
        ("mappings", b"{a: " * 50_000, "nested more than 64 deep"),
        ("dashes", b"- " * 50_000, "nested more than 64 deep"),
        ("values", b"- 1\n" * (MOST_EVENTS + 10), "more than 1,000,000 values"),
        ("huge", b"a" * (MOST_BYTES + 1), "at most 8,000,000 are read"),
        (
            "aliases",
            b"a: &a [x, x, x, x, x, x, x, x, x]\n"
            + b"".join(b"%c: &%c [%s]\n" % (98 + i, 98 + i, b", ".join([b"*%c" % (97 + i)] * 9)) for i in range(9)),
            "is not read",
        ),
    ],
)
def test_hostile_files_cost_little(tmp_path: Path, name: str, text: bytes, problem: str) -> None:
    """Bounded time and memory, and a problem."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with no_hang():
        _, problems = read(tmp_path, text)

    assert any(problem in told for told in problems), problems
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500_000  # KB


def test_hundred_megabytes_are_not_even_opened(tmp_path: Path) -> None:
    """A sparse file of 100 MB is refused by its size."""
    path = tmp_path / "huge.yaml"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    problems = Problems()

    assert read_yaml(path, problems) is None
    assert ["at most 8,000,000 are read"] == [problem.hint for problem in problems]


def test_values_may_be_nested_up_to_the_bound(tmp_path: Path) -> None:
    nested = [read(tmp_path, "[" * deep + "]" * deep)[1] for deep in (MOST_DEPTH, MOST_DEPTH + 1)]

    assert [[], ["file.yaml:1: values are nested more than 64 deep"]] == nested


def test_a_folder_holds_files_up_to_the_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grimalkin.source.files.MOST_FILES", 2)
    (tmp_path / "icons").mkdir()
    found = []
    for number in range(3):
        (tmp_path / "icons" / f"{number}.svg").write_text("")
        problems = Problems()
        found.append((len(files_in(tmp_path, "icons", ".svg", problems)), [one.message for one in problems]))

    assert [(1, []), (2, []), (0, ["there are more than 2 files in this folder"])] == found


def test_letters_and_accents_are_read_as_one(tmp_path: Path) -> None:
    """macOS writes a letter and its accent apart, and a search for the one letter would not find it."""
    words = tmp_path / "words.yaml"
    words.write_text("name: Cafe\u0301\n", encoding="utf-8")
    told = read_yaml(words, Problems())

    assert told is not None
    assert {"name": "Café"} == told.data
