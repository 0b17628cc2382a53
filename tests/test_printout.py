"""`grimalkin sheets` and what a build keeps: every option, records, and work that is not done twice."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from games_for_tests import FILES, write_game

from grimalkin.cli import main
from grimalkin.content import load_game
from grimalkin.output import swap, unchanged
from grimalkin.output.disk import digest
from grimalkin.output.records import Record, changes, record_of
from grimalkin.printing.sheet.settings import Edition
from grimalkin.problems import Problems, Stop

pytestmark = [pytest.mark.slow("builds and prints, again and again"), pytest.mark.usefixtures("short_guide")]

Shown = tuple[int, str, str]
Builds = Callable[..., Path]
Build = Callable[..., object]


class Killed(BaseException):
    """Stands for the end of the process; nothing may catch it."""


def killed(*_: object) -> None:
    raise Killed


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the made-up game in it, from where commands are given."""
    write_game(tmp_path / "tiny")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Builds:
    """A folder in which these games were built, once for all tests."""

    @cache
    def built(*names: str) -> Path:
        folder = tmp_path_factory.mktemp("built")
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            patch.chdir(folder)
            games = [f"./{write_game(folder / name).name}" for name in names]
            assert 0 == main(["build", *games, "--paper", "a4"])
        return folder

    return built


@pytest.fixture
def build(builds: Builds, table: Path) -> Build:
    """These games as they are when they were built elsewhere: a build of them here draws all anew."""
    return lambda *names: shutil.copytree(builds(*names), table, dirs_exist_ok=True)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Shown:
    try:
        code = main(arguments)
    except SystemExit as left:
        code = int(left.code or 0)
    said = capsys.readouterr()
    return code, said.out, said.err


def page_texts(path: Path) -> list[str]:
    """The text of each page in the order in which it was drawn; cards may lie turned."""
    document = pypdfium2.PdfDocument(path)
    texts = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return texts


def test_sheets_of_one_game(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """A PDF a paper and the record, in a folder of their own, which the next call replaces."""
    code, out, err = run(capsys, "sheets", "./tiny")
    made = table / "output" / "print" / "tiny"

    assert (0, "") == (code, err)
    assert ["manifest.json", "tiny-a4.pdf", "tiny-letter.pdf"] == sorted(path.name for path in made.iterdir())
    assert "print at 100 %" in out
    run(capsys, "sheets", "./tiny", "--paper", "both", "--ink", "low", "--backs", "apart")
    assert ["manifest.json", "tiny-both-low-backs.pdf", "tiny-both-low-fronts.pdf"] == sorted(
        path.name for path in made.iterdir()
    )
    with pikepdf.open(made / "tiny-both-low-fronts.pdf") as pdf:
        sizes = {tuple(round(float(value), 3) for value in page.mediabox[2:]) for page in pdf.pages}
    assert {(595.276, 792.0)} == sizes  # 210 × 279.4 mm


@pytest.mark.parametrize("backs", ["duplex", "none", "apart"])
def test_every_page_that_comes_out_is_counted(backs: str, capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Covers too, and on each paper; a build counts as well."""
    _, out, _ = run(capsys, "sheets", "./tiny", "--backs", backs, "--same-backs-once")
    printed = sum(len(page_texts(path)) for path in (table / "output" / "print" / "tiny").glob("*.pdf"))

    assert printed > 4  # two papers have two covers of two pages
    assert f"\n{printed} pages, content" in out
    _, out, _ = run(capsys, "build", "./tiny", "--backs", backs, "--paper", "a4", "--ink", "low")
    built = sum(len(page_texts(path)) for path in (table / "output" / "sheets" / "tiny").glob("*.pdf"))
    assert out.startswith(f"{built} pages to print")


def test_some_cards_some_times(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Only the owl, three times; an unknown card is told."""
    run(capsys, "sheets", "./tiny", "--only", "owl", "--copies", "3", "--no-cover", "--paper", "a4")
    (front, _) = page_texts(table / "output" / "print" / "tiny" / "tiny-a4.pdf")

    assert (3, 0) == (front.count("Owl"), front.count("Mouse"))
    manifest = json.loads((table / "output" / "print" / "tiny" / "manifest.json").read_text())
    assert {"mouse", "owl"} == set(manifest["cards"])  # a record of a part would make the rest look new
    assert (1, '--only: there is no card or deck "owll"; did you mean "owl"?\n1 problem; nothing was changed\n') == (
        run(capsys, "sheets", "./tiny", "--only", "owll")[::2]
    )


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--copies", "0"], 2, '"0" is not a whole number from 1 to 1000'),
        (["--gutter", "wide"], 2, '"wide" is not a length from 0 to 50 mm'),
        (["--skip-slots", "2,x"], 2, '--skip-slots: "x" is not a whole number from 1 to 999'),
        (["--skip-slots", "0"], 2, '--skip-slots: "0" is not a whole number from 1 to 999'),
        (["--skip-slots", "+2"], 2, '--skip-slots: "+2" is not a whole number from 1 to 999'),
        (
            ["--paper", "a4", "--skip-slots", "2,10"],
            1,
            "--skip-slots: no sheet of A4 has a place 10; the fullest has 9",
        ),
        (["--start-at", "10"], 1, "a sheet of Poker card has 9 places, and none of them is left to print on"),
        (["--gutter", "wide"], 2, '--gutter: "wide" is not a length from 0 to 50 mm, nor "bleed"'),
        (["--paper", "a44"], 1, '--paper: there is no paper "a44"; did you mean "a4"?'),
        (["--changed-since", "9.9"], 1, 'there is no record of "9.9"; every build makes one'),
        (["--margin", "79", "--paper", "a4"], 1, '"mouse" is 63 × 88 mm'),
    ],
)
def test_mistakes_are_answered(
    capsys: pytest.CaptureFixture[str], table: Path, arguments: list[str], code: int, told: str
) -> None:
    """With the place, the cause and the remedy, and nothing is written."""
    got, _, err = run(capsys, "sheets", "./tiny", *arguments, *(["--backs", "fold"] if "--margin" in arguments else []))

    assert code == got
    assert told in err
    assert not (table / "output" / "print").exists()


def test_only_what_has_changed_is_printed(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """The mouse is stronger now, there is one owl more, and a new fox: those are printed, and the list says so."""
    run(capsys, "sheets", "./tiny", "--no-cover")
    first = json.loads((table / "output" / "print" / "tiny" / "manifest.json").read_text())
    rows = "id,name,count,power,mood\nmouse,Mouse,2,9,calm\nowl,Owl,2,7,\nfox,Fox,1,3,\n"
    write_game(table / "tiny", cards_csv=rows, game_yaml=FILES["game.yaml"].replace("count: 3", "count: 5"))
    code, out, err = run(capsys, "sheets", "./tiny", "--changed-since", first["content"], "--paper", "a4", "--no-cover")

    assert (0, "") == (code, err)
    lines = (table / "output" / "print" / "tiny" / "changes.txt").read_text().splitlines()
    assert ["changed: 2 × Mouse", "more: 1 × Owl", "new: 1 × Fox"] == [line.split(" (")[0] for line in lines]
    assert all(line in out for line in lines)
    (front, _) = page_texts(table / "output" / "print" / "tiny" / "tiny-a4.pdf")
    assert (2, 1, 1) == (front.count("Mouse"), front.count("Owl"), front.count("Fox"))


def test_a_record_from_elsewhere_brings_no_control_characters(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Its ids stand in a list that people look at in a terminal; half a letter would fit into no file."""
    run(capsys, "sheets", "./tiny", "--no-cover", "--paper", "a4")
    record = json.loads((table / "output" / "print" / "tiny" / "manifest.json").read_text())
    record["cards"]["a\x1b[2J\n\ud800"] = {"count": 1, "look": "\x9b"}
    (table / "theirs.json").write_text(json.dumps(record))
    code, out, err = run(capsys, "sheets", "./tiny", "--changed-since", "theirs.json", "--paper", "a4", "--no-cover")
    written = (table / "output" / "print" / "tiny" / "changes.txt").read_text(encoding="utf-8")

    assert (0, "") == (code, err)
    assert "gone: take out 1 × a\\x1b[2J\\n\\ud800 (\\u009b)\n" == written
    assert out.startswith(written)


def test_changes_of_some_cards_alone(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """With --only the list tells of those cards only; what has to be taken out is written down, too."""
    run(capsys, "sheets", "./tiny", "--no-cover", "--paper", "a4")
    rows = "id,name,count,power,mood\nmouse,Mouse,1,1,calm\nowl,Owl,1,8,\n"
    write_game(table / "tiny", cards_csv=rows, game_yaml=FILES["game.yaml"].replace("count: 3", "count: 2"))
    code, out, _ = run(capsys, "sheets", "./tiny", "--only", "mouse", "--changed-since", "1", "--no-cover")
    made = table / "output" / "print" / "tiny"

    assert 0 == code
    assert out.startswith("fewer: take out 1 × Mouse") and "Owl" not in out
    assert out.endswith("nothing needs to be printed again\n")
    assert ["changes.txt", "manifest.json"] == sorted(path.name for path in made.iterdir())


def test_nothing_has_changed(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Comparing with the record of this very content prints nothing, by version as by fingerprint."""
    run(capsys, "sheets", "./tiny", "--no-cover")

    assert (0, "nothing needs to be printed again\n", "") == run(capsys, "sheets", "./tiny", "--changed-since", "1")
    told = run(capsys, "sheets", "./tiny", "--changed-since", "2")[2]

    assert 'there is no record of "2"; known here: ' in told
    assert re.search(r"\b1\b", told.partition("known here: ")[2])


def test_two_records_of_one_version_must_be_told_apart(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """A version that was not raised has two looks: both are named, none is guessed. A file is always plain."""
    run(capsys, "sheets", "./tiny", "--no-cover")
    write_game(table / "tiny", cards_csv=FILES["cards.csv"].replace("Owl,1,7", "Owl,1,8"))
    run(capsys, "sheets", "./tiny", "--no-cover")
    records = sorted((table / "output" / "records" / "tiny").glob("*.json"))
    code, _, err = run(capsys, "sheets", "./tiny", "--changed-since", "1")

    assert (1, 2) == (code, len(records))
    assert "2 records have this version; name one of" in err
    assert all(json.loads(path.read_text())["content"] + " (20" in err for path in records)  # with the day it was made
    outs = [run(capsys, "sheets", "./tiny", "--changed-since", str(path), "--no-cover")[1] for path in records]
    assert 1 == sum("changed: 1 × Owl" in out for out in outs)
    (table / "other.json").write_text("[]")
    assert (
        "this is not a record of printed cards" in run(capsys, "sheets", "./tiny", "--changed-since", "other.json")[2]
    )


def test_changes_between_records() -> None:
    """Each kind of change once, worked out by hand."""
    edition = Edition("1", "aaaaaa")
    before = Record("g", edition, "full", {"a": (1, "x"), "b": (2, "x"), "c": (2, "x"), "d": (2, "x"), "e": (1, "x")})
    now = Record("g", edition, "full", {"a": (1, "y"), "b": (3, "x"), "c": (1, "x"), "d": (2, "x"), "f": (4, "x")})
    told = changes(before, now, {"a": "Ada"})

    assert {"a": 1, "b": 1, "f": 4} == told.copies
    assert [
        "changed: 1 × Ada (a, x becomes y)",
        "more: 1 × b (b, 2 becomes 3)",
        "fewer: take out 1 × c (c, 2 becomes 1)",
        "new: 4 × f (f, x)",
        "gone: take out 1 × e (x)",
    ] == told.lines


def test_a_record_has_the_order_of_the_game(table: Path) -> None:
    """Commands draw in orders of their own, and must not take each other's records for changed ones."""
    problems = Problems()
    game = load_game(table / "tiny", problems)
    assert game is not None
    drawn = [{"mouse": "1", "owl": "2"}, {"owl": "2", "mouse": "1"}]
    texts = [record_of(game, Edition("1", "abcdef"), "full", looks).text() for looks in drawn]

    assert texts[0] == texts[1]


def test_an_unchanged_build_draws_nothing(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """The second build says so and leaves every file untouched; a file that somebody changed or removed is made
    again."""
    first = run(capsys, "build", "./tiny", "--paper", "a4")
    times = {path: path.stat().st_mtime_ns for path in (table / "output").rglob("*") if path.is_file()}
    second = run(capsys, "build", "./tiny", "--paper", "a4")

    assert 0 == first[0]
    assert (0, "nothing has changed since the last build\n" + first[1], "") == second
    assert times == {path: path.stat().st_mtime_ns for path in times}
    sheet = table / "output" / "sheets" / "tiny" / "tiny-a4.pdf"
    good = sheet.read_bytes()
    sheet.write_bytes(b"scribbled over")
    third = run(capsys, "build", "./tiny", "--paper", "a4")
    kept = table / "output" / "kept" / "sheets" / "tiny" / "tiny-a4.pdf"
    assert (0, first[1], "") == (third[0], third[1].partition("output/sheets/tiny/tiny-a4.pdf was")[0], third[2])
    assert third[1].endswith(f"changed after it was made; your copy is now {kept.relative_to(table)}\n")
    assert (good, b"scribbled over") == (sheet.read_bytes(), kept.read_bytes())
    page = table / "output" / "site" / "index.html"
    page.unlink()
    run(capsys, "build", "./tiny", "--paper", "a4")
    assert page.is_file()


def test_a_game_that_has_not_changed_is_not_drawn_again(
    capsys: pytest.CaptureFixture[str], table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two games one changes: only its faces are drawn, and the site shows both."""
    write_game(table / "other")
    run(capsys, "build", "./tiny", "./other", "--paper", "a4")
    write_game(table / "other", cards_csv=FILES["cards.csv"].replace("Owl,1,7", "Owl,1,8"))
    drawn: list[str] = []
    import grimalkin.build as module

    real = module.rolls

    def counted(wanted):
        drawn.extend(one.face.id for one in wanted)
        return real(wanted)

    monkeypatch.setattr(module, "rolls", counted)
    monkeypatch.setattr(module, "cores", lambda: 1)  # another process would count for itself
    code, out, _ = run(capsys, "build", "./tiny", "./other", "--paper", "a4")

    assert 0 == code
    assert ["mouse-front", "mouse-back", "owl-front", "owl-back"] == drawn
    assert (table / "output" / "sheets" / "tiny" / "tiny-a4.pdf").is_file()
    assert "8 pictures" in out


def test_a_made_up_deck_of_54_cards(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Six leaves of nine and their backs, every name once, and the same bytes from another folder."""
    rows = "".join(f"card-{index},The {index + 1}th Cat,1,{index % 9 + 1},\n" for index in range(54))
    files = {"cards_csv": "id,name,count,power,mood\n" + rows, "rules_yaml": RULES}
    for folder in ("deck", "elsewhere/deck"):
        write_game(table / folder, game_yaml=FILES["game.yaml"].replace("count: 3", "count: 54"), **files)
    run(capsys, "sheets", "./deck", "--paper", "a4", "--no-cover")
    data = (table / "output" / "print" / "deck" / "deck-a4.pdf").read_bytes()
    run(capsys, "sheets", "./elsewhere/deck", "--paper", "a4", "--no-cover", "--output", "there")
    texts = page_texts(table / "output" / "print" / "deck" / "deck-a4.pdf")

    assert 12 == len(texts)
    assert all(1 == " ".join(texts[::2]).count(f"The {index + 1}th Cat") for index in range(54))
    assert data == (table / "there" / "print" / "deck" / "deck-a4.pdf").read_bytes()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert "/StructTreeRoot" in pdf.Root
    run(capsys, "sheets", "./deck", "--paper", "a4", "--no-cover", "--same-backs-once")
    assert 12 == len(page_texts(table / "output" / "print" / "deck" / "deck-a4.pdf"))  # these backs bear names
    (table / "deck" / "faces" / "back.svg.j2").write_text('{% extends "base/face.svg.j2" %}')
    game = (table / "deck" / "game.yaml").read_text()
    (table / "deck" / "game.yaml").write_text(game.replace("back: plain", "back: back"))
    run(capsys, "sheets", "./deck", "--paper", "a4", "--no-cover", "--same-backs-once")
    assert 7 == len(page_texts(table / "output" / "print" / "deck" / "deck-a4.pdf"))


def test_folders_of_ones_own_survive_any_order_of_commands(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """A hand-written site beside printed sheets is not a build's to replace."""
    (table / "site").mkdir()
    (table / "site" / "index.html").write_text("mine")
    run(capsys, "sheets", "./tiny", "--paper", "a4", "--output", ".")
    code, _, err = run(capsys, "build", "./tiny", "--paper", "a4", "--output", ".")

    assert (1, True) == (code, "site: this was not made by Grimalkin; choose another --output" in err)
    assert "mine" == (table / "site" / "index.html").read_text()


def test_what_lies_about_in_the_output_is_not_published(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """A private file among sheets that need not be drawn does not come to the site; it stays where it is."""
    write_game(table / "other")
    run(capsys, "build", "./tiny", "./other", "--paper", "a4")
    (table / "output" / "sheets" / "tiny" / "private-notes.pdf").write_bytes(b"%PDF secret")
    write_game(table / "other", cards_csv=FILES["cards.csv"].replace("Owl,1,7", "Owl,1,8"))
    code, _, err = run(capsys, "build", "./tiny", "./other", "--paper", "a4")

    assert (0, "") == (code, err)
    assert not list((table / "output" / "site").rglob("private*"))
    assert (table / "output" / "sheets" / "tiny" / "private-notes.pdf").is_file()


@pytest.mark.parametrize("name", ["{0}/secret.pdf", "e<img src=q onerror=alert(1)>.pdf", "../../../secret.pdf"])
def test_a_made_up_list_of_sheets_brings_nothing_to_the_site(
    capsys: pytest.CaptureFixture[str], table: Path, name: str
) -> None:
    """Names that lead out of the folder, and such as we never make, came with a download."""
    write_game(table / "other")
    run(capsys, "build", "./tiny", "./other", "--paper", "a4")
    output, name = table / "output", name.format(table)
    (table / "secret.pdf").write_bytes(b"%PDF of somebody")
    decoy = Path(f"{output}/sheets/tiny/./{name}")
    decoy.parent.mkdir(parents=True, exist_ok=True)
    decoy.write_bytes(b"%PDF of somebody")
    marker = (output / swap.MARKER).read_text().splitlines()
    marker.insert(marker.index("sheets/tiny") + 1, f"{digest(decoy)}  sheets/tiny/{name}")
    (output / swap.MARKER).write_text("\n".join(marker) + "\n")
    write_game(table / "other", cards_csv=FILES["cards.csv"].replace("Owl,1,7", "Owl,1,8"))
    code, _, err = run(capsys, "build", "./tiny", "./other", "--paper", "a4")

    assert (0, "") == (code, err)
    assert "alert" not in (output / "site" / "tiny" / "downloads.html").read_text()
    assert b"%PDF of somebody" not in [path.read_bytes() for path in (output / "site").rglob("*.pdf")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no FIFOs in folders")
def test_a_made_up_list_of_sheets_opens_no_pipe(table: Path) -> None:
    """One that takes its place is told."""
    folder = table / "output" / "sheets" / "tiny"
    folder.mkdir(parents=True)
    (table / "output" / swap.MARKER).write_text(f"{swap.MADE}\nsheets/tiny\n{'0' * 64}  sheets/tiny/one.pdf\n")
    os.mkfifo(folder / "one.pdf")

    with pytest.raises(Stop, match=r"one\.pdf: this is neither a file nor a folder"):
        unchanged.sheets_of(table / "output", "tiny")


def test_own_files_where_sheets_are_printed_are_kept(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """And told at the end of the command, also when a command that was cut off had moved them."""
    made = table / "output" / "print" / "tiny"
    run(capsys, "sheets", "./tiny", "--paper", "a4")
    (made / "notes.txt").write_text("mine")
    (made / "tiny-a4.pdf").write_bytes(b"filled in")
    code, out, err = run(capsys, "sheets", "./tiny", "--paper", "a4")

    assert (0, "") == (code, err)
    assert [
        "output/print/tiny/notes.txt was not made by Grimalkin; it is now output/kept/print/tiny/notes.txt",
        "output/print/tiny/tiny-a4.pdf was changed after it was made; "
        "your copy is now output/kept/print/tiny/tiny-a4.pdf",
    ] == out.splitlines()[-2:]
    assert b"filled in" == (table / "output" / "kept" / "print" / "tiny" / "tiny-a4.pdf").read_bytes()
    assert "kept" not in run(capsys, "sheets", "./tiny", "--paper", "a4")[1]


def test_a_swap_that_was_cut_off_is_finished_before_any_answer(
    capsys: pytest.CaptureFixture[str], table: Path, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build is killed while it swaps, and what it was made for is taken back: the output is that of the content."""
    command = ("build", "./tiny", "--paper", "a4")
    build("tiny")
    before = {path: path.read_bytes() for path in (table / "output" / "sheets").rglob("*.*")}
    (table / "output" / "site" / "notes.txt").write_text("mine")
    write_game(table / "tiny", cards_csv=FILES["cards.csv"].replace("Mouse", "Shrew"))
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(swap, "_bring_in", killed)
        run(capsys, *command)
    assert (table / "output" / ".swap.json").is_file()
    write_game(table / "tiny")
    code, out, err = run(capsys, *command)

    assert (0, "") == (code, err)
    assert "nothing has changed" not in out
    assert [
        "output/site/notes.txt was not made by Grimalkin; it is now output/kept/site/notes.txt",
        "output: an interrupted command has been finished",
    ] == out.splitlines()[-2:]
    assert before == {path: path.read_bytes() for path in before}
    assert "Shrew" not in (table / "output" / "site" / "tiny" / "index.html").read_text()
    assert "nothing has changed" in run(capsys, *command)[1]


def test_what_was_kept_is_told_when_the_command_fails(
    capsys: pytest.CaptureFixture[str], table: Path, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It finished a swap, and then found the content wrong."""
    command = ("build", "./tiny", "--paper", "a4")
    build("tiny")
    (table / "output" / "site" / "notes.txt").write_text("mine")
    write_game(table / "tiny", cards_csv=FILES["cards.csv"].replace("Mouse", "Shrew"))
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(swap, "_bring_in", killed)
        run(capsys, *command)
    write_game(table / "tiny", cards_csv=FILES["cards.csv"].replace("2,1", "2,x"))
    code, out, err = run(capsys, *command)

    assert 1 == code
    assert [
        "output/site/notes.txt was not made by Grimalkin; it is now output/kept/site/notes.txt",
        "output: an interrupted command has been finished",
    ] == out.splitlines()
    assert "nothing was changed" not in err


@pytest.mark.parametrize("command", [("sheets", "./tiny"), ("build", "./tiny", "--paper", "a4")])
def test_a_record_that_was_changed_is_kept(
    capsys: pytest.CaptureFixture[str], table: Path, command: tuple[str, ...]
) -> None:
    """It is the user's."""
    run(capsys, *command)
    name = next(path.relative_to(table / "output") for path in (table / "output" / "records").rglob("*.json"))
    record = table / "output" / name
    before = record.read_text()
    record.write_text("mine")
    code, out, err = run(capsys, *command)

    assert (0, "") == (code, err)
    told = f"output/{name.as_posix()} differs from what is recorded now; the old file is now output/kept/"
    assert told + name.as_posix() == out.splitlines()[-1]
    assert before == record.read_text()
    assert "mine" == (table / "output" / "kept" / name).read_text()


@pytest.mark.parametrize("name", ["records", "records/tiny"])
def test_records_behind_a_link_are_not_read(
    capsys: pytest.CaptureFixture[str], table: Path, build: Build, name: str
) -> None:
    """Nor written."""
    build("tiny")
    path = table / "output" / name
    path.rename(table / "elsewhere")
    path.symlink_to(table / "elsewhere")
    for command in (("sheets", "./tiny", "--changed-since", "1"), ("sheets", "./tiny", "--ink", "low")):
        code, out, err = run(capsys, *command)

        assert (1, "") == (code, out)
        assert f"output/{name}: this is a link; remove it, or choose another --output\n" in err


def test_a_record_of_another_name_is_not_found_by_its_version(
    capsys: pytest.CaptureFixture[str], table: Path, build: Build
) -> None:
    """What it calls itself would lead out of the folder; whoever means it names the file."""
    build("tiny")
    for path in (table / "output" / "records" / "tiny").glob("*.json"):
        text = path.read_text().replace('"content": "', '"content": "../../../../').replace('"count": 2', '"count": 1')
        path.with_name(f"other-{path.name}").write_text(text)
    told = run(capsys, "sheets", "./tiny", "--changed-since", "1")

    assert (0, "nothing needs to be printed again\n", "") == told


@pytest.mark.parametrize("text", ["[" * 200_000, '{"cards": {"a": {"count": 1e999, "look": ""}}}', "1" * 17_000_000])
def test_a_record_is_read_under_limits(capsys: pytest.CaptureFixture[str], table: Path, text: str) -> None:
    """Whoever names it: nested as deep as somebody likes, with numbers beyond all numbers, or of many megabytes."""
    (table / "record.json").write_text(text)
    code, out, err = run(capsys, "sheets", "./tiny", "--changed-since", "record.json")

    assert (1, "") == (code, out)
    assert "this is not a record of printed cards" in err or "at most 16,000,000 bytes are read" in err


@pytest.mark.parametrize(
    "wrong",
    [
        {"inks": 5},
        {"inks": [1]},
        {"variants": [[1]]},
        {"variants": "wide"},
        {"content": {}},
        {"rules-version": 1},
        {"game": None},
        {"cards": {"owl": {"count": "2", "look": ""}}},
        {"cards": {"owl": {"count": -2, "look": ""}}},
        {"cards": {"owl": {"count": 10**10, "look": ""}}},
        {"cards": {"owl": {"count": 2, "look": []}}},
        {"cards": [1]},
    ],
)
def test_a_record_holds_what_records_hold(
    capsys: pytest.CaptureFixture[str], table: Path, wrong: dict[str, object]
) -> None:
    """Texts and whole numbers. A file that does not is none, and keeps no other from being found."""
    run(capsys, "sheets", "./tiny", "--paper", "a4")
    made = next((table / "output" / "records" / "tiny").glob("*.json"))
    other = made.with_name("other.json")
    other.write_text(json.dumps(json.loads(made.read_text()) | wrong))
    named = run(capsys, "sheets", "./tiny", "--changed-since", "output/records/tiny/other.json")
    found = run(capsys, "sheets", "./tiny", "--changed-since", "1")

    assert (1, "") == named[:2]
    assert named[2].startswith("output/records/tiny/other.json: this is not a record of printed cards; records are")
    assert (0, "nothing needs to be printed again\n", "") == found


NOTED = '{"key": "KEY", "games": {"tiny": %s}, "pages": 1}'


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        "[1, 2]",
        NOTED % "5",
        NOTED % '{"key": "", "records": {}, "sheets": 1e999, "pictures": 1}',
        NOTED % '{"key": "", "records": {"\\ud800": 1}, "sheets": 1, "pictures": 1}',
        NOTED % '{"key": "", "records": {"../x": ""}, "sheets": 1, "pictures": 1}',
    ],
)
def test_a_state_that_cannot_be_relied_on_is_none(
    capsys: pytest.CaptureFixture[str], table: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever came with a download: the game is made anew."""
    monkeypatch.setattr(unchanged.Order, "key", lambda _: "KEY")
    (table / "output").mkdir()
    (table / "output" / unchanged.STATE).write_text(text)

    assert unchanged.nothing_to_do(table / "output", unchanged.Order([table / "tiny"])) is None


@pytest.mark.parametrize(
    "text",
    [
        NOTED % '{"key": "", "records": [[1, 2]], "sheets": 1, "pictures": 1}',
        NOTED % '{"key": "", "records": {"a": [1]}, "sheets": 1, "pictures": 1}',
        NOTED % f'{{"key": "", "records": {{"a": {"[" * 900 + "]" * 900}}}, "sheets": 1, "pictures": 1}}',
        NOTED % '{"key": "", "records": {}, "sheets": 1e308, "pictures": 1}',
        NOTED % '{"key": "", "records": {}, "sheets": 10000000000, "pictures": 1}',
        NOTED % '{"key": "", "records": {}, "sheets": true, "pictures": 1}',
        '{"key": "KEY", "games": {}, "pages": -5}',
        '{"key": ["KEY"], "games": {}, "pages": 5}',
    ],
)
def test_a_state_holds_what_states_hold(table: Path, text: str) -> None:
    """Texts and numbers of things. One that does not is as good as none."""
    (table / unchanged.STATE).write_text(text)

    assert unchanged.State() == unchanged.noted(table)


def test_an_export_folder_that_is_a_link_is_refused(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """The folder for a game lies in the output folder, unless another one is named."""
    (table / "elsewhere").mkdir()
    (table / "output").mkdir()
    (table / "output" / "export").symlink_to(table / "elsewhere")
    code, _, err = run(capsys, "export", "svg", "./tiny")

    assert (1, True) == (code, "output/export: this is a link; remove it, or choose another --output" in err)
    assert [] == list((table / "elsewhere").iterdir())


def test_a_game_without_backs_prints_no_blank_pages(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Three cards on one page, said to be fronts only, though sheets are made for both sides by default."""
    write_game(table / "tiny", game_yaml=FILES["game.yaml"].replace("{front: plain, back: plain}", "{front: plain}"))
    run(capsys, "sheets", "./tiny", "--no-cover")
    (text,) = page_texts(table / "output" / "print" / "tiny" / "tiny-a4.pdf")

    assert "fronts only" in text


def test_markup_of_other_tools_is_remarked(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """With its row and our spelling; what braces and ampersands mean by themselves stays unsaid."""
    cards = "id,name,count,power,tale\n" + "".join(
        f'c{number},C{number},1,1,"{text}"\n'
        for number, text in enumerate(
            (r"One.\nTwo.", "<b>Bold</b>", "Salt &amp; pepper", "Pay {gold}", "<br/>", "5 < 6 & {", "A :paw: **b**")
        )
    )
    game = (
        FILES["game.yaml"]
        .replace("count: 3", "count: 7")
        .replace(
            "      mood: {type: choice, label: mood, choices: [calm, cross], optional: yes}\n",
            "      tale: {type: text, label: tale}\n",
        )
    )
    rules = FILES["rules.yaml"].replace("[[mouse]]", "[[c0]]").replace("[[owl]]", "[[c1]]")
    write_game(table / "tiny", game_yaml=game, cards_csv=cards, rules_yaml=rules)
    code, _, err = run(capsys, "sheets", "./tiny")
    told = [line for line in err.splitlines() if "as written" in line]

    line = 'remark: tiny/cards.csv:{}: tale: "{}" is printed as written; {}'
    in_cell = "break the line in the cell itself (Alt and Enter in a spreadsheet)"
    assert 0 == code, err
    assert told == [
        line.format(2, r"\n", in_cell),
        line.format(3, "<b>", "write **bold**"),
        line.format(4, "&amp;", "write the character itself"),
        line.format(5, "{gold}", "write an icon as :gold:"),
        line.format(6, "<br/>", in_cell),
    ]


def test_a_face_can_print_the_version_of_the_rules(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    face = FILES["faces/plain.svg.j2"].replace("{{ card.name }}", "v{{ game.version }}")
    write_game(table / "tiny", **{"faces/plain.svg.j2": face})
    run(capsys, "sheets", "./tiny", "--no-cover")

    assert "v1" in page_texts(table / "output" / "print" / "tiny" / "tiny-a4.pdf")[0].split()


def test_a_paper_whose_file_is_wrong_is_not_said_to_be_missing(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    write_game(table / "tiny", **{"papers/card.yaml": "name: Card\nwidth: 90\nheight: 140\nmargin: {botom: 12.7}\n"})
    said = run(capsys, "sheets", "./tiny", "--paper", "card")[2]

    assert 'tiny/papers/card.yaml:4: unknown key "botom"; did you mean "bottom"?' in said
    assert "there is no paper" not in said


def test_a_paper_whose_name_has_a_hyphen(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Its name is told on the site as it is in its file."""
    (table / "tiny" / "papers").mkdir()
    (table / "tiny" / "papers" / "photo-5x7.yaml").write_text(
        "name: Photo paper\nwidth: 127\nheight: 177.8\nmargin: 5\n"
    )
    code, _, err = run(capsys, "build", "./tiny", "--paper", "photo-5x7")

    assert (0, "") == (code, err)
    page = (table / "output" / "site" / "tiny" / "downloads.html").read_text()
    assert "Sheets on Photo paper, little ink" in page


def test_a_version_is_a_name_and_never_a_path(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Whatever it holds, records stay in their folder, and are found by it."""
    game = FILES["game.yaml"].replace('rules-version: "1"', 'rules-version: "../../../out/1.0: beta?"')
    write_game(table / "tiny", game_yaml=game)
    run(capsys, "build", "./tiny", "--paper", "a4", "--output", "deep/down/output")

    assert 3 == len(list((table / "deep" / "down" / "output" / "records" / "tiny").glob("*.json")))
    assert sorted(["tiny", "deep"]) == sorted(path.name for path in table.iterdir())
    told = run(capsys, "sheets", "./tiny", "--changed-since", "../../../out/1.0: beta?", "--output", "deep/down/output")
    assert (0, "nothing needs to be printed again\n", "") == told


def test_a_record_that_was_lost_is_written_again(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Every build leaves one, also when nothing else has changed."""
    run(capsys, "build", "./tiny", "--paper", "a4")
    records = sorted((table / "output" / "records" / "tiny").iterdir())
    for path in records:
        path.unlink()
    run(capsys, "build", "./tiny", "--paper", "a4")

    assert records == sorted((table / "output" / "records" / "tiny").iterdir())


def test_no_paper_is_no_request(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Wrong usage, and what was printed before stays."""
    run(capsys, "sheets", "./tiny", "--paper", "a4")
    code, _, err = run(capsys, "sheets", "./tiny", "--paper", ",")

    assert (2, True) == (code, '"," contains no name' in err)
    assert (table / "output" / "print" / "tiny" / "tiny-a4.pdf").is_file()


RULES = "sections: [{id: a, title: A, rules: [{id: TI-1, title: A, text: 'A [[=power]].'}]}]"


def test_an_output_folder_has_a_name_that_can_be_one(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """An empty one would mean the current folder, and a file is told as what it is."""
    (table / "file").write_text("mine")
    empty = run(capsys, "sheets", "./tiny", "--output", "")
    file = run(capsys, "sheets", "./tiny", "--paper", "a4", "--output", "file")

    assert 2 == empty[0] and 'argument --output: "" is not the name of a folder; "." is the current one' in empty[2]
    assert (1, "") == file[:2]
    assert file[2].startswith("file: the output folder cannot be made: this path, or part of it, is a file")


def test_control_characters_in_the_name_of_an_output_are_shown(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    """Also in what is told of files that were kept."""
    command = ("sheets", "./tiny", "--paper", "a4", "--output", "a\x1bb")
    run(capsys, *command)
    (table / "a\x1bb" / "print" / "tiny" / "one\ntwo").write_text("mine")
    code, out, err = run(capsys, *command)

    assert (0, "") == (code, err)
    assert "\x1b" not in out
    assert out.splitlines()[-1].startswith(r"a\x1bb/print/tiny/one\ntwo was not made by Grimalkin")
