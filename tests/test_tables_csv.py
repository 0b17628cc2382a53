"""CSV and TSV in the dialects that spreadsheets and people write."""

from __future__ import annotations

import copy
import csv
import io
import pickle
import tempfile
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grimalkin.problems import Problems
from grimalkin.source.tables import Fault, Number, Table, as_numbers, as_yes_no, read_table_file

CARDS = [["Name", "Text", "Power"], ["Otter", "Swim, then dive.", "3"], ["Marten", 'Say "hi"; hide.', "1.5"]]


def read(folder: Path, written: str | bytes, name: str = "cards.csv") -> tuple[Table | None, list[str]]:
    """A table and its problems, each without the folder."""
    path = folder / name
    path.write_bytes(written if isinstance(written, bytes) else written.encode())
    problems = Problems()
    table = read_table_file(path, problems)
    return table, [str(one).replace(f"{folder}/", "") for one in problems]


def grid(table: Table | None) -> list[list[str]]:
    """The header and the rows, as they print."""
    assert table is not None
    return [list(table.columns), *([("" if cell is None else str(cell)) for cell in row] for row in table.rows)]


TABS = 'Name\tText\tPower\r\nOtter\tSwim, then dive.\t3\r\nMarten\t"Say ""hi""; hide."\t1.5\r\n'
SEMICOLONS = 'Otter;Swim, then dive.;3\nMarten;"Say ""hi""; hide.";1.5\n'
DIALECTS: dict[str, str | bytes] = {
    "commas": 'Name,Text,Power\nOtter,"Swim, then dive.",3\nMarten,"Say ""hi""; hide.",1.5\n',
    "semicolons": "Name;Text;Power\n" + SEMICOLONS,
    "tabs": TABS,
    "tabs, no quotes": 'Name\tText\tPower\nOtter\tSwim, then dive.\t3\nMarten\tSay "hi"; hide.\t1.5\n',
    "bars": 'Name|Text|Power\nOtter|Swim, then dive.|3\nMarten|"Say ""hi""; hide."|1.5\n',
    "bars around": '|Name|Text|Power|\n|Otter|Swim, then dive.|3|\n|Marten|Say "hi"; hide.|1.5|\n',
    "all in quotes": '"Name","Text","Power"\n"Otter","Swim, then dive.","3"\n"Marten","Say ""hi""; hide.","1.5"\n',
    "single quotes": "Name,Text,Power\nOtter,'Swim, then dive.',3\nMarten,Say \"hi\"; hide.,1.5\n",
    "single ones": "'Name';'Text';'Power'\n'Otter';'Swim, then dive.';'3'\n'Marten';'Say \"hi\"; hide.';'1.5'\n",
    "sep": "sep=;\nName;Text;Power\n" + SEMICOLONS,
    "sep of a rare sign": 'sep=^\nName^Text^Power\nOtter^Swim, then dive.^3\nMarten^Say "hi"; hide.^1.5\n',
    "sep in quotes": '"sep=,"\nName,Text,Power\nOtter,"Swim, then dive.",3\nMarten,"Say ""hi""; hide.",1.5\n',
    "sep tab": 'sep=\t\nName\tText\tPower\nOtter\tSwim, then dive.\t3\nMarten\tSay "hi"; hide.\t1.5\n',
    "a mark in front": '\ufeffName,Text,Power\nOtter,"Swim, then dive.",3\nMarten,"Say ""hi""; hide.",1.5\n',
    "CRLF": 'Name,Text,Power\r\nOtter,"Swim, then dive.",3\r\nMarten,"Say ""hi""; hide.",1.5\r\n',
    "CR": 'Name,Text,Power\rOtter,"Swim, then dive.",3\rMarten,"Say ""hi""; hide.",1.5\r',
    "no last end of line": 'Name,Text,Power\nOtter,"Swim, then dive.",3\nMarten,"Say ""hi""; hide.",1.5',
    "a delimiter at each end": 'Name,Text,Power,\nOtter,"Swim, then dive.",3,\nMarten,"Say ""hi""; hide.",1.5,\n',
    "at the end of rows alone": 'Name;Text;Power\nOtter;Swim, then dive.;3;\nMarten;"Say ""hi""; hide.";1.5;\n',
    "blank rows": ',,\nName,Text,Power\n,,\nOtter,"Swim, then dive.",3\n\n\nMarten,"Say ""hi""; hide.",1.5\n,,\n',
    "blank columns": ',Name,,Text,Power,,\n,Otter,,"Swim, then dive.",3,,\n,Marten,,"Say ""hi""; hide.",1.5,,\n',
    "spaces": 'Name , Text , Power\n Otter , "Swim, then dive.", 3\nMarten, "Say ""hi""; hide.", 1.5\n',
    "a title": 'My deck,,\nName,Text,Power\nOtter,"Swim, then dive.",3\nMarten,"Say ""hi""; hide.",1.5\n',
    "a title alone": 'My deck\n\nName,Text,Power\nOtter,"Swim, then dive.",3\nMarten,"Say ""hi""; hide.",1.5\n',
    "a title with commas": "My deck, for May\nName;Text;Power\n" + SEMICOLONS,
    "lines in quotes": '"Name,Text,Power"\n"Otter,""Swim, then dive."",3"\n"Marten,""Say """"hi""""; hide."",1.5"\n',
    "UTF-16 of Excel": f"\ufeff{TABS}".encode("utf-16-le"),
    "big-endian UTF-16": f"\ufeff{TABS}".encode("utf-16-be"),
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_dialects(tmp_path: Path, dialect: str) -> None:
    """The same two cards, written in many ways."""
    table, problems = read(tmp_path, DIALECTS[dialect])

    assert ([], CARDS) == (problems, grid(table))


ODD: dict[str, tuple[str, list[list[str]]]] = {
    "one column": ("name\nCat\nOwl\n", [["name"], ["Cat"], ["Owl"]]),
    "one column and decimal commas": ("fee\n2,5\n", []),
    "a header alone": ("name;count\n", [["name", "count"]]),
    "lines within a cell": ('name;text\nCat;"one\r\ntwo"\n', [["name", "text"], ["Cat", "one\ntwo"]]),
    "a header of two lines": ('name;"rules\ntext"\nCat;x\n', [["name", "rules text"], ["Cat", "x"]]),
    "missing cells": ("a,b,c\nCat\nOwl,x\n", [["a", "b", "c"], ["Cat", "", ""], ["Owl", "x", ""]]),
    "semicolons in text": ("a,b\nCat,a; b; c\nOwl,d; e; f\n", [["a", "b"], ["Cat", "a; b; c"], ["Owl", "d; e; f"]]),
    "two apostrophes": ("a,b\nCat,'Tis x\nOwl,'Twas x\n", [["a", "b"], ["Cat", "'Tis x"], ["Owl", "'Twas x"]]),
    "inches": ('name,text\nCat,5" long\n', [["name", "text"], ["Cat", '5" long']]),
    "numbers alone": ("1,2\n3,4\nend\n", [["1", "2"], ["3", "4"], ["end", ""]]),
    "a word of headers in a row": ("Karte;Anzahl\nName;2\n", [["Karte", "Anzahl"], ["Name", "2"]]),
    "numbers taken for text": ('name,code\nCat,"=""007"""\n', [["name", "code"], ["Cat", "007"]]),
    "accents apart": ("name,count\ne\u0301clair,2\n", [["name", "count"], ["éclair", "2"]]),
}  # fmt: skip


@pytest.mark.parametrize("case", ODD)
def test_odd_tables(tmp_path: Path, case: str) -> None:
    written, expected = ODD[case]
    table, problems = read(tmp_path, written)

    if expected:
        assert ([], expected) == (problems, grid(table))
    else:
        assert ["cards.csv:2: this row has 2 cells, but the table has 1 column"] == [
            one.partition(";")[0] for one in problems
        ]


def test_lines_are_those_of_the_file(tmp_path: Path) -> None:
    """Also after a line for Excel, a title, and text of several lines."""
    table, problems = read(tmp_path, 'sep=;\nMy deck;\nname;text\nCat;"one\ntwo"\n;\nOwl;x\n')

    assert [] == problems
    assert table is not None
    assert ([3, 4, 7], [["Cat", "one\ntwo"], ["Owl", "x"]]) == ([table.header, *table.lines], grid(table)[1:])


def test_too_many_cells(tmp_path: Path) -> None:
    """A comma without quotes moves cells, so the row is a problem; the others are read."""
    table, problems = read(tmp_path, "name,text,count\nCat,Sit, stay,2\nOwl,Fly,1\nHen,Run, hide,1\n")
    hint = 'put straight quotes (") around text that has a comma in it (and 1 more row)'

    assert [f"cards.csv:2: this row has 4 cells, but the table has 3 columns; {hint}"] == problems
    assert [["Owl", "Fly", "1"]] == grid(table)[1:]


def test_other_encodings(tmp_path: Path) -> None:
    """Windows-1252 is read with a remark; what would be no words then is refused."""
    table, problems = read(tmp_path, "name;count\nÉclair;2\n".encode("windows-1252"))

    assert ([], [["name", "count"], ["Éclair", "2"]]) == (problems, grid(table))
    assert table is not None
    assert 'the file is not UTF-8; it is read as Windows-1252, with words such as "Éclair"' == table.remarks[0].message
    for name, encoding in {"Źdźbło": "windows-1250", "кошка": "windows-1251", "猫の町": "shift-jis"}.items():
        table, problems = read(tmp_path, f"name;count\n{name};2\n".encode(encoding))
        assert None is table
        assert ["cards.csv:2: byte"] == [one[:17] for one in problems]
        assert problems[0].endswith("is not UTF-8; save it as CSV, UTF-8")


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("", "the file is empty"),
        (b"PK\x03\x04\x14\0xl/", "this is an Excel workbook (.xlsx)"),
        ('{"cards": []}', "this is JSON, not CSV"),
        ("| name | count |\n| --- | --- |\n| Cat | 2 |\n", "this is a Markdown table, not CSV"),
        ("<table>", "this is HTML or XML, not CSV"),
        ('name;text\nCat;"open\nOwl;x\n', "a quote opens here and never closes"),
        ("name;text\nCat;'open'x\n" * 2 + '"a"b;c', "text follows a quote that closes a cell"),
        (",".join(f"c{one}" for one in range(501)), "the table has 501 columns"),
        ("a\0b,c\n", "the file has a zero byte in it"),
    ],
)
def test_no_tables(tmp_path: Path, written: str | bytes, told: str) -> None:
    table, problems = read(tmp_path, written)

    assert None is table
    assert [told] == [one.partition(": ")[2].partition(";")[0] for one in problems]


def test_faults_of_cells(tmp_path: Path) -> None:
    """What a spreadsheet wrote in place of a value, and text that is too long."""
    table, problems = read(tmp_path, f"name,a,b,c,d\nCat,#DIV/0!,#####,=SUM(A1:A3),{'x' * 10_001}\nOwl,#1,##,=5,-\n")

    assert [] == problems
    assert table is not None
    assert ["#DIV/0!", "#####", "x" * 40] == [one.text for one in table.rows[0] if isinstance(one, Fault)]
    assert ("Owl", "#1", "##", "=5", "-") == table.rows[1]
    assert ['the formula "=SUM(A1:A3)" is printed as written'] == [one.message for one in table.remarks]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ("2 7,5 12", [2, 7.5, 12]),
        ("1,200 30", [1200, 30]),
        ("1,200 7,5", [1.2, 7.5]),
        ("1.234,5 1.000", [1234.5, 1000]),
        ("1,234,567 1,000", [1234567, 1000]),
        ("1'234.50 2", [1234.5, 2]),
        ("25% 7,5%", [0.25, 0.075]),
        ("+1 -2 −3", [1, -2, -3]),
        ("3.0 4,0", [3, 4]),
        (".5 0,25", [0.5, 0.25]),
        ("007 12", None),
        ("1/2 3", None),
        ("1e5", None),
        ("1,2,3", None),
        ("1,234,5", None),
        ("1,5 2.5 1,250", [1.5, 2.5, 1250]),
        ("", None),
    ],
)
def test_text_as_numbers(cells: str, expected: list[float] | None) -> None:
    """Every number prints as it was written, but for a needless zero."""
    read = as_numbers(cells.split())

    assert expected == read
    assert {"3.0": "3", "4,0": "4"}.get(cells.split()[0] if cells else "", "") in ("", str(read[0]) if read else "")
    if read and cells != "3.0 4,0":
        assert cells.split() == [str(one) for one in read]


def test_a_decimal_sign_for_the_table(tmp_path: Path) -> None:
    """1,250 is 1.25 in a table with decimal commas, and 1250 in others."""
    for written, expected in (("a;b\n1,250;x\n", 1.25), ('a,b\n"1,250",x\n', 1250), ('a,b\n"1,250","0,5"\n', 1.25)):
        table, _ = read(tmp_path, written)
        assert table is not None
        assert [expected] == as_numbers([row[0] for row in table.rows], table.decimal)


def test_yes_and_no() -> None:
    assert [True, False, None, True] == as_yes_no(["Yes", "FALSE", "", True])
    assert None is as_yes_no(["yes", "perhaps"])
    assert None is as_yes_no(["", None])


def test_numbers_survive_copies() -> None:
    for number in (copy.deepcopy(Number(0.075, "7.5%")), pickle.loads(pickle.dumps(Number(0.075, "7.5%")))):
        assert (0.075, "7.5%", "7.5%") == (float(number), str(number), f"{number}")
    assert 1 == len({Number(0.5, "50%"), Number(0.5), 0.5})


def test_calculating_with_numbers() -> None:
    """The result is whole where it can be, and has no more digits than a spreadsheet shows."""
    half = Number(2.5, "2,5")
    results = [half * 2, 10 - half, half + half, 5 / half, half % 2, -half, round(half), round(half, 1), half > 2]

    assert ["5", "7.5", "5", "2", "0.5", "-2.5", "2", "2.5", "True"] == [str(one) for one in results]
    assert "28.5" == str(Number(0.285, "28.5%") * 100)
    assert "0.3" == str(Number(0.1) + 0.2)


def test_lists_of_other_forms(tmp_path: Path) -> None:
    """One list in an object, chosen ones, YAML; what is nested is a fault of its cell."""
    table, problems = read(
        tmp_path,
        '{"made": "today", "cards": [{"name": "Cat", "at": {"x": 1}, "n": [1, 2.50], "half": "\\ud800"}]}',
        "a.json",
    )

    assert [] == problems
    assert table is not None
    assert "cards" == table.sheet
    assert isinstance(table.rows[0][1], Fault)
    assert ("1", "2.5") == table.rows[0][2]
    assert "the character U+D800 cannot be printed" == getattr(table.rows[0][3], "message", "")

    table, problems = read(tmp_path, "- name: Cat\n  tags: [a, b]\n  note: ~\n- name: Owl\n", "a.yaml")

    assert [] == problems
    assert table is not None
    assert [("Cat", ("a", "b"), None), ("Owl", None, None)] == list(table.rows)
    assert f"{tmp_path}/a.yaml:4" == str(table.place(1, 0))


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ('[{"a": 1},]', "a.json:1: this is not JSON: "),
        ('[{"a": 1, "a": 2}]', 'a.json: the key "a" is written twice in one object'),
        ('[{"a": NaN}]', "a.json: NaN is not a number that can be printed"),
        ('[{"a": 1e999}]', "a.json: 1e999 is not a number that can be printed"),
        ("[" * 100_000, "a.json: values are nested too deep"),
        ('{"a": [], "b": []}', "a.json: there are 2 lists; name one of a or b"),
        ('["a"]', 'a.json, item 1: this item is "a"'),
        ("[]", "a.json: the list is empty"),
        ("3", "a.json: there is no list in this file"),
        (f"[{'9' * 5000}]", "a.json: a number has too many digits"),
    ],
)
def test_lists_that_are_no_tables(tmp_path: Path, written: str, told: str) -> None:
    assert told == read(tmp_path, written, "a.json")[1][0][: len(told)]


SIGNS = st.characters(
    exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp", "Cn"], exclude_characters="=#'|\ufeff"
) | st.sampled_from(';,\t" \n')
ROWS = st.lists(st.lists(st.text(SIGNS, max_size=8), min_size=3, max_size=3), max_size=6)


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, delimiter=st.sampled_from(",;\t|"), end=st.sampled_from(["\n", "\r\n"]), every=st.booleans())
def test_what_python_writes_is_read(rows: list[list[str]], delimiter: str, end: str, every: bool) -> None:
    """Any text, in each dialect, comes back as it was, but for the spaces around it and letters in several pieces."""
    written = io.StringIO(newline="")
    table = [["Name", "Rules text", "Power"], *rows]
    quoting = csv.QUOTE_ALL if every else csv.QUOTE_MINIMAL
    csv.writer(written, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(table)
    with tempfile.TemporaryDirectory() as folder:
        made, problems = read(Path(folder), written.getvalue())
    expected = [[unicodedata.normalize("NFC", cell.strip()) for cell in row] for row in table]

    assert [] == problems
    assert [row for row in expected if any(row)] == grid(made)
