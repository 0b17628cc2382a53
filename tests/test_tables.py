"""Tables as people send them: the text of CSV, JSON and YAML, workbooks, and what nobody should have to read."""

from __future__ import annotations

from pathlib import Path

from grimalkin.problems import Problems
from grimalkin.source.tables import Cell, Fault, Table, as_numbers, read_table_file

TABLES = Path(__file__).with_name("tables")


def read(path: Path, sheet: str = "") -> Table:
    """A table without a problem."""
    problems = Problems()
    table = read_table_file(path, problems, sheet=sheet)

    assert [] == [str(one) for one in problems]
    assert table is not None
    return table


def told(path: Path, sheet: str = "") -> list[str]:
    """The problems of a file, each without its folder."""
    problems = Problems()
    read_table_file(path, problems, sheet=sheet)
    return [path.name + str(one).partition(path.name)[2] for one in problems]


def shown(table: Table) -> list[list[str]]:
    """What is printed of each cell."""
    return [["" if cell is None else str(cell) for cell in row] for row in table.rows]


def column(table: Table, name: str) -> list[Cell]:
    return [row[table.columns.index(name)] for row in table.rows]


def remarks(table: Table) -> list[str]:
    return [one.message for one in table.remarks]


def test_semicolons_and_decimal_commas() -> None:
    table = read(TABLES / "semicolon.csv")

    assert ("Card Name", "COUNT", "Power", "Weight (kg)", "Designer's note") == table.columns
    assert ["Old Badger", "0", "6", "12", "cut from the set, keep the row"] == shown(table)[2]
    assert [7.5, 1.25, 12, 0.8] == as_numbers(column(table, "Weight (kg)"), table.decimal)
    assert [2, 1, 0, 3] == as_numbers(column(table, "COUNT"), table.decimal)
    assert ["the columns are separated by semicolons"] == remarks(table)


def test_a_title_above_the_header() -> None:
    table = read(TABLES / "title-above.csv")

    assert ("ID", "Name", "Count", "Power", "Rules Text", "Done?") == table.columns
    assert ["harbour_cat", "Harbour Cat", "2", "3", "Draw a card, then hide.", "x"] == shown(table)[0]
    assert ["", "Bell Keeper", "1", "4", "Ring twice.", ""] == shown(table)[3]
    assert ["the header is line 4"] == remarks(table)
    assert [5, 6, 7, 8] == [table.place(row).line for row in range(4)]
    assert 4 == table.place().line


def test_tabs_blank_rows_and_quotes() -> None:
    table = read(TABLES / "tabs.tsv")

    assert ("Name", "Count", "Speed", "Text") == table.columns
    assert [2, 3, 4, 6] == [table.place(row).line for row in range(4)]
    assert "Move two spaces, then stop." == column(table, "Text")[1]
    assert [1.5, 2.25, 0.5, 3] == as_numbers(column(table, "Speed"), table.decimal)
    assert () == table.remarks


def test_names_alone() -> None:
    table = read(TABLES / "names-only.csv")

    assert ["Guard", "Guard", "Éclair!", "2nd Watch", "???"] == column(table, "name")
    assert ["2,5", "3,5", "1", "4", "0,5"] == [
        str(one) for one in as_numbers(column(table, "Fee"), table.decimal) or []
    ]


def test_a_list_of_objects() -> None:
    table = read(TABLES / "cards.json")

    assert ("Name", "count", "Power", "Rare", "keywords", "seen by") == table.columns
    assert ["3", "2.5", "1", "4"] == [str(one) for one in column(table, "Power")]
    assert [False, True, None, True] == column(table, "Rare")
    assert [("swift", "small"), (), None, ("slow",)] == column(table, "keywords")
    assert [2, 1, 0, None] == column(table, "count")
    assert "cards.json, item 3" == str(table.place(2, 1)).rpartition("/")[2]


def test_merged_cells_dates_yes_no_and_percentages() -> None:
    table = read(TABLES / "kinds.xlsx")

    assert ("Suit", "Name", "Count", "Since", "Rare", "Chance") == table.columns
    assert ["Fish", "Fish", "Fish", "Bell", "Bell"] == column(table, "Suit")
    assert ["2024-03-05", "2023-12-31", "2024-02-29", "2025-10-01", "2025-10-02"] == column(table, "Since")
    assert [True, False, True, False, False] == column(table, "Rare")
    assert ["25%", "50%", "100%", "7.5%", "0%"] == [str(one) for one in column(table, "Chance")]
    assert [0.25, 0.5, 1, 0.075, 0] == column(table, "Chance")
    assert [2, 1, 1, 3, 0] == column(table, "Count")
    assert ['this sheet is read, not "Tokens"', "the header is row 3"] == remarks(table)


def test_a_sheet_by_its_name() -> None:
    table = read(TABLES / "kinds.xlsx", sheet="tokens")

    assert ("Tokens", [["Coin", "12"], ["Lantern", "4"]]) == (table.sheet, shown(table))
    assert ['kinds.xlsx: there is no sheet "Token"; the sheets are Cards and Tokens'] == told(
        TABLES / "kinds.xlsx", sheet="Token"
    )


def test_error_cells() -> None:
    """Each is a fault at its cell, and the rows around it are right."""
    table = read(TABLES / "error.xlsx")
    fault = column(table, "Power")[2]

    assert isinstance(fault, Fault)
    assert ("#DIV/0!", 'the cell has an error: "#DIV/0!"') == (fault.text, fault.message)
    assert str(table.place(2, 2)).endswith("error.xlsx, sheet Cards, cell C4")
    assert [3, 1, 6] == [one for one in column(table, "Power") if one != fault]
    assert isinstance(column(table, "Sum so far")[1], Fault)


def test_repeated_cells_and_rows_of_ods() -> None:
    table = read(TABLES / "repeated.ods")

    assert ("Name", "Count", "Power", "Claw") == table.columns
    assert ["Alley Cat", 2, 2, 2] == list(table.rows[0])
    assert ["Moon Cat", 1, None, 4] == list(table.rows[-1])
    assert (2, 3, 6, 7, 8, 9) == table.lines
    assert str(table.place(5, 3)).endswith("repeated.ods, sheet Cats, cell D9")


def test_files_that_are_no_tables(tmp_path: Path) -> None:
    """An ending that nobody knows, a sheet of a text file, and a file that is not there."""
    endings = ".csv, .tsv, .txt, .xlsx, .xlsm, .ods, .json or .yaml"

    assert [
        f'cards.xls: a file with the extension ".xls" cannot be read as a table; a table is one of {endings}'
    ] == told(tmp_path / "cards.xls")
    assert ['semicolon.csv: there is no sheet "Cards"; a text file has no sheets: leave the name out'] == told(
        TABLES / "semicolon.csv", sheet="Cards"
    )
    assert ["cards.xlsx: there is no such file"] == told(tmp_path / "cards.xlsx")


def test_known_columns_tell_the_header_from_a_title(tmp_path: Path) -> None:
    """Where the title has nearly as many cells as the header."""
    path = tmp_path / "cards.csv"
    path.write_text("Deck;Harbour\nKarte;Wert;Ort\nKatze;1;Dach\n", encoding="utf-8")
    lines = []
    for known in ((), ("karte", "ort")):
        table = read_table_file(path, Problems(), known=known)
        lines += [table.header if table else 0]

    assert [1, 2] == lines
