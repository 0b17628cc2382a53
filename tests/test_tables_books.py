"""Workbooks that are written by hand here: formats, merged cells, hidden sheets, and what no workbook should hold."""

from __future__ import annotations

import io
import tempfile
import time
import tracemalloc
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grimalkin.problems import Problems
from grimalkin.source.tables import Fault, Table, read_table_file
from grimalkin.source.tables.formats import shown

TABLES = Path(__file__).with_name("tables")
RELATIONS = "<r>{}</r>".format
RELATION = '<Relationship Id="{}" Type="x/{}" Target="{}"/>'.format


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return made.getvalue()


def xlsx(rows: str, after: str = "", about: str = "", **parts: str) -> bytes:
    """A workbook with one sheet, `Cards`. `after` follows its rows, `about` is of the workbook; `parts` are others."""
    kinds = {"styles": "styles", "strings": "sharedStrings", "second": "worksheet"}
    known = "".join(RELATION(name, kinds[name], f"{name}.xml") for name in parts)
    second = '<sheet name="Second" id="second"/>' if "second" in parts else ""
    return zipped(
        {
            "_rels/.rels": RELATIONS(RELATION("a", "officeDocument", "xl/workbook.xml")),
            "xl/_rels/workbook.xml.rels": RELATIONS(RELATION("b", "worksheet", "/xl/first.xml") + known),
            "xl/workbook.xml": f'<w><sheets><sheet name="Cards" id="b"/>{second}</sheets>{about}</w>',
            "xl/first.xml": f"<s><sheetData>{rows}</sheetData>{after}</s>",
            **{f"xl/{name}.xml": part for name, part in parts.items()},
        }
    )


def text(written: str, at: str = "") -> str:
    where = f'r="{at}"' if at else ""
    return f'<c t="inlineStr" {where}><is><t>{written}</t></is></c>'


NAMES = f"<row>{text('Name')}{text('Power')}</row>"
SPACES = 'xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:style="s" xmlns:calcext="a:calcext:1.0"'


def ods(rows: str, before: str = "", style: str = "") -> bytes:
    """A document with one sheet, `Cards`, after what stands `before`; `style` is that of automatic styles."""
    sheet = f'<table:table table:name="Cards">{rows}</table:table>'
    return zipped({"mimetype": "x", "content.xml": f"<d {SPACES}>{style}<b>{before}{sheet}</b></d>"})


def cell(written: str, about: str = 'office:value-type="string"') -> str:
    return f"<table:table-cell {about}><text:p>{written}</text:p></table:table-cell>"


def row(cells: str, about: str = "") -> str:
    return f"<table:table-row {about}>{cells}</table:table-row>"


ODS_NAMES = row(cell("Name") + cell("Power"))


def read(folder: Path, data: bytes, name: str = "deck.xlsx", sheet: str = "") -> tuple[Table | None, list[str]]:
    """A table and its problems, each without the folder."""
    path = folder / name
    path.write_bytes(data)
    problems = Problems()
    table = read_table_file(path, problems, sheet=sheet)
    return table, [str(one).replace(f"{folder}/", "") for one in problems]


def rows(found: tuple[Table | None, list[str]]) -> list[list[str]]:
    """The rows of a table without a problem, as they print."""
    table, problems = found

    assert [] == problems
    assert table is not None
    return [
        ["" if one is None else one.message if isinstance(one, Fault) else str(one) for one in r] for r in table.rows
    ]


@pytest.mark.parametrize(
    ("value", "code", "expected"),
    [
        (3.0, "General", "3"),
        (0.1 + 0.2, "General", "0.3"),
        (9.5, "0.00", "9.50"),
        (7, "000", "007"),
        (1234567, "#,##0", "1,234,567"),
        (7, "0,000", "0,007"),
        (9.5, '_("$"* #,##0.00_)', "$9.50"),
        (1500, "[$€-407] #,##0", "€ 1,500"),
        (7, '0" kg"', "7 kg"),
        (0.075, "0.0%", "7.5%"),
        (0.285, "0.0%", "28.5%"),
        (0.075, "0%", "8%"),
        (2.5, "0", "3"),
        (3, "0.#", "3"),
        (0.5, "#.##", ".5"),
        (-5, "#,##0 ;[Red](#,##0)", "(5)"),
        (-0.04, "0.0", "0.0"),
        (0, '0;-0;"–"', "–"),
        (0, "0;-0;;@", "0"),
        (12.5, "@", "12.5"),
        (0.5, "# ?/?", "0.5"),
        (0.25, "[<1]0%;0", "0.25"),
        (45356, "d mmm yyyy", "2024-03-05"),
        (45356, "dd/mm/yyyy;@", "2024-03-05"),
        (45356, '[$-F800]dddd", der "d.m.', "2024-03-05"),
        (45356.6041666, "yyyy-mm-dd h:mm", "2024-03-05 14:30"),
        (45356, "yyyy-mm-dd h:mm:ss", "2024-03-05"),
        (45356, "mmm-yy", "2024-03"),
        (45356, "yyyy", "2024"),
        (0.6041666, "h:mm AM/PM", "14:30"),
        (0.6041667, "hh:mm:ss", "14:30"),
        (0.6043982, "hh:mm:ss", "14:30:20"),
        (1.5, "[h]:mm", "36:00"),
        (59 / 86400, "mm:ss", "00:59"),
        (59, "yyyy-mm-dd", "1900-02-28"),
        (61, "yyyy-mm-dd", "1900-03-01"),
    ],
)
def test_number_formats(value: float, code: str, expected: str) -> None:
    read = shown(float(value), code)

    assert expected == str(read)
    assert isinstance(read, str) or value == read


def test_dates_that_are_none() -> None:
    assert "-1 is shown as a date, but is not one" == getattr(shown(-1.0, "d.m.yy"), "message", "")
    assert "2028-03-06" == shown(45356.0, "d.m.yy", since_1904=True)


def test_kinds_of_cells_in_xlsx(tmp_path: Path) -> None:
    """Texts of every kind, a formula that nobody calculated, numbers as text, dates of ISO, and styles."""
    strings = "<sst><si><r><t>Moon</t></r><r><t> Cat</t></r><rPh><t>x</t></rPh></si><si><t>a_x000D_\nb</t></si></sst>"
    formats = (
        '<numFmts><numFmt numFmtId="164" formatCode="000"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>'
    )
    styles = f'<x>{formats}<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs></x>'
    cells = '<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="str"><f>B1</f><v>x</v></c>'
    cells += "<c><f>A1+B1</f></c><c><f>A1+B1</f><v/></c>"
    cells += (
        '<c s="1"><v>7</v></c><c s="2"><v>45356</v></c><c t="d"><v>2024-03-05T00:00:00</v></c><c t="b"><v>0</v></c>'
    )
    cells += f'{text("007")}<c t="str"><f>""</f><v></v></c>'
    header = "<row>" + "".join(map(text, "abcdefghijk")) + "</row>"
    uncalculated = 'the formula "=A1+B1" was never calculated'

    assert [
        ["Moon Cat", "a\nb", "x", uncalculated, uncalculated, "007", "2024-03-05", "2024-03-05", "False", "007", ""]
    ] == rows(read(tmp_path, xlsx(f"{header}<row>{cells}</row>", strings=strings, styles=styles)))


def test_formulas_that_store_zero(tmp_path: Path) -> None:
    """Nothing in the cell tells them from a true 0, so there is a remark if all are 0 and the workbook says as much."""
    body = f"{NAMES}<row>{text('Cat')}<c><f>1+1</f><v>0</v></c></row>"
    for value, about, expected in (
        ("0", '<calcPr fullCalcOnLoad="1"/>', ["every formula has the value 0, such as "]),
        ("0", "<calcPr/>", []),
        ("2", '<calcPr fullCalcOnLoad="1"/>', []),
    ):
        table, problems = read(tmp_path, xlsx(body.replace(">0<", f">{value}<"), about=about))
        assert [] == problems
        assert table is not None
        assert expected == [one.message.partition("B2")[0] for one in table.remarks]


def test_merged_cells(tmp_path: Path) -> None:
    """A value counts for each of its rows, and of several columns for the first; a header may have two rows.

    Cells that are covered may still hold what they did before.
    """
    header = f"<row>{text('Name')}{text('Stats')}</row><row>{text('', 'A2')}{text('Power')}{text('Claw')}</row>"
    body = (
        f"<row>{text('Cat')}<c><v>1</v></c><c><v>2</v></c></row><row>{text('old')}<c><v>3</v></c><c><v>4</v></c></row>"
    )
    areas = "".join(f'<mergeCell ref="{area}"/>' for area in ("A1:A2", "B1:C1", "A3:A5", "B4:C4"))
    after = f"<mergeCells>{areas}</mergeCells>"
    table, problems = read(tmp_path, xlsx(header + body, after))

    assert [["Cat", "1", "2"], ["Cat", "3", ""]] == rows((table, problems))
    assert table is not None
    assert (("Name", "Power", "Claw"), 2) == (table.columns, table.header)
    assert ["B4:C4 is one merged cell", "the header is row 2"] == [one.message for one in table.remarks]


def test_sheets_that_are_hidden_or_empty(tmp_path: Path) -> None:
    """The first is hidden, and read by its name alone."""
    second = "<s><sheetData><row/></sheetData></s>"
    data = xlsx(f"{NAMES}<row>{text('Cat')}</row>", second=second)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["xl/workbook.xml"] = parts["xl/workbook.xml"].replace(b'id="b"', b'id="b" state="hidden"')
    hidden = zipped(parts)

    told = "deck.xlsx: every sheet is empty or hidden; to read a hidden one, name it in game.yaml: `sheet: Cards`"
    assert [told] == read(tmp_path, hidden)[1]
    assert [["Cat", ""]] == rows(read(tmp_path, hidden, sheet="cards"))
    assert ['deck.xlsx: the sheet "Second" is empty'] == read(tmp_path, hidden, sheet="Second")[1]


def test_a_cell_far_below(tmp_path: Path) -> None:
    """It is a row like another, and the empty ones between cost nothing."""
    table, problems = read(tmp_path, xlsx(f'{NAMES}<row r="1048576"><c r="A1048576"><v>5</v></c></row>'))

    assert [["5", ""]] == rows((table, problems))
    assert table is not None
    assert str(table.place(0, 0)).endswith("deck.xlsx, sheet Cards, cell A1048576")


def test_kinds_of_cells_in_ods(tmp_path: Path) -> None:
    """Numbers as they were shown, with their values; comments and repeated spaces as in the document."""
    note = '<x:note xmlns:x="t"><text:p>no</text:p></x:note>'
    values = {
        'office:value-type="float" office:value="7.5"': "7,5",
        'office:value-type="float" office:value="3"': "3.0",
        'office:value-type="float" office:value="7" ': "007",
        'office:value-type="percentage" office:value="0.075"': "7.5%",
        'office:value-type="percentage" office:value="0.07"': "",
        'office:value-type="currency" office:value="2.5"': "2,50 €",
        'office:value-type="date" office:date-value="2024-03-05"': "5. März 2024",
        'office:value-type="date" office:date-value="2024-03-05T14:30:00"': "5.3.24",
        'office:value-type="time" office:time-value="PT14H30M00S"': "2:30 PM",
        'office:value-type="boolean" office:boolean-value="false"': "FALSCH",
        'table:formula="of:=[.A1]/0" office:value-type="string" calcext:value-type="error"': "#DIV/0!",
        'table:formula="of:=[.A1]*2"': "",
        'office:value-type="string"': f'a <text:s text:c="2"/>b</text:p><text:p>c{note}',
    }
    cells = "".join(cell(shown, about) for about, shown in values.items())
    found = rows(read(tmp_path, ods(row("".join(map(cell, "abcdefghijklm"))) + row(cells)), "deck.ods"))

    told = ['the cell has an error: "#DIV/0!"', 'the formula "=[.A1]*2" was never calculated', "a   b\nc"]
    dates = ["2024-03-05", "2024-03-05 14:30", "14:30"]
    assert [["7,5", "3", "007", "7.5%", "7%", "2,50 €", *dates, "False", *told]] == found


def test_merged_and_hidden_in_ods(tmp_path: Path) -> None:
    style = '<style:style style:name="h"><style:table-properties table:display="false"/></style:style>'
    hidden = f'<table:table table:name="Notes" table:style-name="h">{ODS_NAMES}</table:table>'
    merged = cell("Fish", 'office:value-type="string" table:number-rows-spanned="2"')
    body = row(merged + cell("1")) + row("<table:covered-table-cell/>" + cell("2"), 'table:visibility="collapse"')
    table, problems = read(tmp_path, ods(ODS_NAMES + body, hidden, style), "deck.ods")

    assert [["Fish", "1"], ["Fish", "2"]] == rows((table, problems))
    assert table is not None
    assert ['this sheet is read, not "Notes" (hidden)', "row 3 is hidden, but still read"] == [
        one.message for one in table.remarks
    ]


def test_a_million_rows_of_ods(tmp_path: Path) -> None:
    """Those that are empty cost nothing, neither time nor memory."""
    empty = row('<table:table-cell table:number-columns-repeated="16384"/>', 'table:number-rows-repeated="1048000"')
    data = ods(ODS_NAMES + empty * 500 + row(cell("Cat")))
    start = time.process_time()
    tracemalloc.start()
    table, problems = read(tmp_path, data, "deck.ods")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert [["Cat", ""]] == rows((table, problems))
    assert table is not None
    assert (524_000_002,) == table.lines
    assert time.process_time() - start < 1
    assert most < 10_000_000  # eight for whatever the file may hold


FILLED = row(cell("x"), 'table:number-rows-repeated="1048000"')
HOSTILE: dict[str, tuple[bytes, str]] = {
    "a document type": (
        zipped({"_rels/.rels": '<!DOCTYPE r [<!ENTITY a "b">]><r/>'}), "the workbook declares a document type",
    ),
    "a long tag": (xlsx(f'<row a="{"x" * 2_000_000}"/>'), "a tag in xl/first.xml has more than 1,000,000 bytes"),
    "many names": (xlsx("".join(f"<a{one}/>" for one in range(1001))), "the workbook has more than 1,000 kinds of"),
    "many parts": (zipped({str(one): "" for one in range(2001)}), "the workbook has more than 2,000 parts"),
    "wide": (xlsx(f"<row>{text('x') * 501}</row>"), "the table has 501 columns"),
    "far columns of ods": (
        ods(row(cell("x", 'office:value-type="string" table:number-columns-repeated="16384"'))),
        "the cell A1 is repeated in more than 500 columns",
    ),
    "filled rows of ods": (ods(ODS_NAMES + FILLED), "row 2 is repeated 1,048,000 times"),
    "no such text": (xlsx('<row><c t="s"><v>9</v></c></row>'), "the workbook is damaged: it has no text number 9"),
    "no such cell": (xlsx('<row><c r="ABCD1"/></row>'), 'the workbook is damaged: there is no cell "ABCD1"'),
    "another encoding": (zipped({"_rels/.rels": '<?xml version="1.0" encoding="x"?><r/>'}), "the workbook is damaged"),
    "half": ((TABLES / "kinds.xlsx").read_bytes()[:3000], "the workbook is damaged"),
    "binary": (zipped({"xl/workbook.bin": ""}), "this is a binary Excel workbook (.xlsb)"),
    "another archive": (zipped({"word/document.xml": ""}), "this is a Word document (.docx), not a workbook"),
    "old": (
        b"\xd0\xcf\x11\xe0" + bytes(500),
        "this is a document from an old version of Office (.xls or .doc), not a workbook",
    ),
    "a password": (b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), "the workbook has a password"),
    "a password of ods": (
        zipped({"content.xml": "", "META-INF/manifest.xml": "<m><encryption-data/></m>"}),
        "the document has a password",
    ),
    "text": (b"name,count\nCat,2\n", "this is text, not a workbook"),
    "nothing": (xlsx(""), "the workbook is empty"),
    "only what is covered": (
        xlsx(f"<row>{text('x', 'A2')}</row>", '<mergeCell ref="A1:A2"/>'), "the workbook is empty",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_workbooks_that_are_not_read(tmp_path: Path, case: str) -> None:
    data, told = HOSTILE[case]
    table, problems = read(tmp_path, data, "deck.ods" if b"content.xml" in data else "deck.xlsx")

    assert None is table
    assert [told] == [one.partition(": ")[2].partition(";")[0][: len(told)] for one in problems]


def test_bombs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workbooks are left where they have too many bytes, cells or events, long before the memory is full."""
    monkeypatch.setattr("grimalkin.source.tables.workbook.MOST_UNPACKED", 1_000_000)
    monkeypatch.setattr("grimalkin.source.tables.workbook.MOST_EVENTS", 10_000)
    monkeypatch.setattr("grimalkin.source.tables.workbook.MOST_CELLS", 1_000)
    for body, told in (
        (" " * 1_000_000, "the workbook has more than 1,000,000 bytes when it is unpacked"),
        ("<row/>" * 10_000, "the workbook has more cells, including empty ones, than are read"),
        ("<row><c><v>1</v></c></row>" * 1_001, 'the sheet "Cards" has more than 1,000 cells'),
    ):
        assert [told] == [one.partition(": ")[2].partition(";")[0] for one in read(tmp_path, xlsx(body))[1]]


def test_links_lead_nowhere(tmp_path: Path) -> None:
    """A sheet that lies in another file is none, and what is not asked for is not unpacked."""
    data = xlsx(f"{NAMES}<row>{text('Cat')}</row>", second="")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["xl/vbaProject.bin"] = bytes(65_000_000)
    name = "xl/_rels/workbook.xml.rels"
    parts[name] = parts[name].replace(b'Target="second.xml"', b'Target="file:///etc/passwd" TargetMode="External"')

    assert [["Cat", ""]] == rows(read(tmp_path, zipped(parts)))
    told = 'deck.xlsx: there is no sheet "Second"; the sheets are Cards'
    assert [told] == read(tmp_path, zipped(parts), sheet="Second")[1]


@settings(max_examples=60, deadline=None)
@example(name="kinds.xlsx", part=3, at=0, put=b"<?xml version='1.0' encoding='x'?>")
@given(
    name=st.sampled_from(["kinds.xlsx", "error.xlsx", "repeated.ods"]),
    part=st.integers(0, 9),
    at=st.integers(0, 5000),
    put=st.binary(max_size=4)
    | st.sampled_from([b'"', b"<v>", b"</c>", b"<rPh>", b"</rPh>", b"-1", b"e", b"</p>", b">"]),
)
def test_damaged_workbooks_are_read_or_reported(name: str, part: int, at: int, put: bytes) -> None:
    """Whatever is changed in a part, there is a table or a problem, and every place of a table can be shown."""
    with zipfile.ZipFile(TABLES / name) as archive:
        parts = {one: archive.read(one) for one in archive.namelist()}
    victim = sorted(parts)[part % len(parts)]
    at %= len(parts[victim]) + 1
    parts[victim] = parts[victim][:at] + put + parts[victim][at + len(put) :]
    with tempfile.TemporaryDirectory() as folder:
        table, problems = read(Path(folder), zipped(parts), name)

    assert (table is None) == bool(problems)
    if table is not None:
        assert all(
            str(table.place(row, column)) for row in range(len(table.rows)) for column in range(len(table.columns))
        )
