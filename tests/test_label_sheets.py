"""Sheets of labels: their places, the pieces on them, and what is told if something does not fit."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest
from games_for_tests import write_game

from grimalkin.cli import main
from grimalkin.content import load_game
from grimalkin.content.label_sheets import LabelSheet, load_label_sheets
from grimalkin.content.stocks import Stock, load_papers, load_stocks
from grimalkin.output.printout import print_out
from grimalkin.printing.face import Composer
from grimalkin.printing.sheet.marks import marks_of
from grimalkin.printing.sheet.on_labels import impose_on_labels, labels_for
from grimalkin.printing.sheet.pieces import Piece, faces_by, pieces_of
from grimalkin.printing.sheet.settings import Edition, Printer, Settings
from grimalkin.problems import Problems, Stop

INCH = 25.4
MM = 25.4 / 72
LABELS = load_label_sheets(None, Problems())
PAPERS = load_papers(None, Problems())
A4, LETTER = PAPERS["a4"], PAPERS["letter"]
ON = replace(Settings(), labels="x", backs="none")


def sticker(width: float, height: float, shape: str = "rectangle", bleed: float = 3) -> Piece:
    stock = Stock(name="Sticker", shape=shape, width=width, height=height, bleed=bleed, safe=0)
    return Piece("sticker", "deck", stock, True)


def stopped(pieces: list[Piece], name: str, chosen: Settings = ON) -> list[str]:
    with pytest.raises(Stop) as stop:
        impose_on_labels(pieces, LABELS[name], name, PAPERS[LABELS[name].paper], chosen)
    return [str(problem) for problem in stop.value.problems]


def test_labels_lie_in_the_middle_of_their_paper() -> None:
    """A number that is wrong would put the block off its middle; makers keep both margins alike."""
    assert len(LABELS) >= 12
    for name, labels in LABELS.items():
        left, top, right, foot = labels.block
        paper = PAPERS[labels.paper]

        assert labels.is_on(paper), name
        assert left == pytest.approx(paper.width - right, abs=0.05), name
        assert top == pytest.approx(paper.height - foot, abs=0.05), name
        assert labels.source and "read on 2026-" in labels.source, name


def test_the_places_of_avery_5160() -> None:
    """Thirty labels of 2 5/8 × 1 in: columns 2 3/4 in apart, rows that touch."""
    places = list(LABELS["avery-5160"].places())

    assert 30 == len(places) == LABELS["avery-5160"].count
    assert places[0] == pytest.approx((0.1875 * INCH, 0.5 * INCH), abs=0.001)
    assert places[4] == pytest.approx((2.9375 * INCH, 1.5 * INCH), abs=0.001)
    assert places[29] == pytest.approx((5.6875 * INCH, 9.5 * INCH), abs=0.001)


def test_a_piece_is_in_the_middle_of_its_label() -> None:
    """60 × 20 mm on 66.675 × 25.4 mm; bleed reaches halfway to the neighbours, but not beyond the paper."""
    sheets = impose_on_labels([sticker(60, 20, bleed=9)] * 31, LABELS["avery-5160"], "x", LETTER, ON)
    first, second = sheets[0].slots[0], sheets[0].slots[1]

    assert [30, 1] == [len(sheet.slots) for sheet in sheets]
    assert (first.x, first.y) == pytest.approx((4.7625 + 3.3375, 12.7 + 2.7), abs=1e-6)
    assert second.x - first.x == pytest.approx(69.85)
    assert first.room == pytest.approx(((69.85 - 60) / 2, 2.7, (69.85 - 60) / 2, 2.7), abs=1e-6)


def test_a_piece_is_turned_if_it_fits_only_so() -> None:
    """A poker card lies on its side on a label of 97 × 67.7 mm."""
    (sheet,) = impose_on_labels([sticker(63, 88)], LABELS["zweckform-4782"], "x", A4, ON)

    assert 90 == sheet.slots[0].turn
    assert (8 + 4.5, 13.1 + 2.35) == pytest.approx((sheet.slots[0].x, sheet.slots[0].y), abs=1e-6)


def test_labels_that_are_cut_need_no_marks() -> None:
    """A piece as large as its label is peeled off; a smaller one, and a round one on a square label, is cut."""
    (whole,) = impose_on_labels([sticker(66.675, 25.4)], LABELS["avery-5160"], "x", LETTER, ON)
    (small,) = impose_on_labels([sticker(60, 20)], LABELS["avery-5160"], "x", LETTER, ON)
    (round_,) = impose_on_labels([sticker(25.4, 25.4, "circle")], LABELS["avery-5160"], "x", LETTER, ON)
    room = (0.0, 0.0, LETTER.width, LETTER.height)

    assert whole.is_precut and not marks_of(whole, "corners", room).lines
    assert not small.is_precut and marks_of(small, "corners", room).lines
    assert not round_.is_precut


def test_partly_used_sheets_and_backs() -> None:
    """The first sheet begins later, a damaged label stays empty, and backs take the places of their fronts."""
    chosen = replace(ON, backs="apart", start_at=7, skip_slots=frozenset({2}))
    sheets = impose_on_labels([sticker(90, 60)] * 4, LABELS["zweckform-4782"], "x", A4, chosen)
    places = list(LABELS["zweckform-4782"].places())

    assert ["front", "back"] * 2 == [sheet.side for sheet in sheets]
    for sheet, numbers in zip(sheets, ([7, 8], [7, 8], [1, 3], [1, 3]), strict=True):
        expected = [(places[number - 1][0] + 3.5, places[number - 1][1] + 3.85) for number in numbers]
        assert [(slot.x, slot.y) for slot in sheet.slots] == [pytest.approx(one) for one in expected]


def test_what_does_not_suit_labels_is_told() -> None:
    """A piece that is too large, in whichever way it lies, and options that would move pieces."""
    head, hint = (
        "--labels: the stock Sticker is",
        "name larger labels, a smaller --scale, or only what fits with --only",
    )
    told = f"{head} 63 × 88 mm, and a label of avery-5160 is 66.675 × 25.4 mm; {hint}"
    assert [told] == stopped([sticker(63, 88), sticker(20, 20)], "avery-5160")
    told = f"{head} 30 × 30 mm, and a label of avery-c2243 is 38.1 mm across; {hint}"
    assert [told] == stopped([sticker(30, 30), sticker(26, 26), sticker(38.1, 38.1, "circle")], "avery-c2243")
    small = [sticker(20, 20)]
    assert ["--gutter: labels have their own places; leave it out"] == stopped(
        small, "avery-5160", replace(ON, gutter=1)
    )
    assert (
        "--start-at: a sheet of avery-5160 has 30 places" in stopped(small, "avery-5160", replace(ON, start_at=31))[0]
    )


def found(name: str, known: dict[str, LabelSheet] = LABELS, papers: tuple[str, ...] = ("a4", "letter")) -> str:
    problems = Problems()
    labels_for(known, name, {paper: PAPERS[paper] for paper in papers}, problems)
    return "\n".join(map(str, problems))


def test_labels_are_found_by_their_name() -> None:
    """With the nearest name, the right paper, and only if they are on it."""
    beyond = LABELS["avery-l7160"].model_copy(update={"left": 20.0})

    assert not found("avery-5160")
    assert '--labels: there are no labels "avery-516"; did you mean "avery-5160"?' == found("avery-516")
    told = '--labels: "avery-5160" is a sheet of letter; write --paper letter'
    assert told == found("avery-5160", papers=("a4",))
    assert '--labels: there are no labels ""' in found("")
    assert '"mine" has labels beyond the edge of A4, which is 210 × 297 mm' in found("mine", {"mine": beyond})


@pytest.mark.slow("draws sheets")
def test_a_game_brings_labels_of_its_own(tmp_path: Path) -> None:
    """Pieces are printed where its file says, moved as the printer's profile says for fronts, backs too."""
    own = "name: Ours\npaper: a4\nwidth: 70\nheight: 95\ncolumns: 2\nrows: 2\nleft: 30\ntop: 40\nstep-right: 75\n"
    folder = write_game(tmp_path / "tiny", **{"labels/ours.yaml": own})
    problems = Problems()
    game = load_game(folder, problems)
    assert game and not problems
    composer = Composer(game, load_stocks(folder, problems), problems, "full")
    pieces = [replace(piece, two_sided=True) for piece in pieces_of(game, composer.stocks)]
    chosen = Settings(labels="ours", printer=Printer("p", back_x=9, front_x=2, front_y=1), cover=False)
    made = print_out(
        composer, faces_by(game, composer), pieces, {"a4": A4, "letter": LETTER}, chosen, Edition("1", "a")
    )

    assert not problems
    assert [f"{game.name}-a4-ours-{side}.pdf" for side in ("fronts", "backs")] == list(made.files)
    stock = pieces[0].stock
    for data in made.files.values():
        with pikepdf.open(io.BytesIO(data)) as pdf:
            trim = [float(value) * MM for value in pdf.pages[0].TrimBox]
        left, top = 30 + (70 - stock.width) / 2 + 2, 40 + (95 - stock.height) / 2 - 1
        assert (left, 297 - top) == pytest.approx((trim[0], trim[3]), abs=0.01)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("step-right: 60", "step-right is 60 mm, so labels of 70 mm would overlap"),
        ("shape: circle", "a circle must be as wide as it is high"),
        ("rows: 0", "rows"),
        ("width: 0", 'width: "0" is too small; it must be more than 0'),
        ("wide: 3", 'unknown key "wide"'),
    ],
)
def test_a_wrong_sheet_is_told(more: str, told: str, tmp_path: Path) -> None:
    """With its place, as in every file."""
    lines = {"name": "Ours", "paper": "a4", "width": "70", "height": "95", "columns": "2", "rows": "2"}
    lines |= {"left": "1", "top": "1"} | dict([more.split(": ")])
    folder = write_game(tmp_path, **{"labels/ours.yaml": "".join(f"{key}: {lines[key]}\n" for key in lines)})
    problems = Problems()
    labels_for(load_label_sheets(folder, problems), "ours", PAPERS, problems)

    assert 1 == len(list(problems))
    assert told in "\n".join(map(str, problems))
    assert "labels/ours.yaml:" in str(next(iter(problems)))


def test_check_reads_the_labels_of_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A designer learns of a fault before printing."""
    folder = write_game(tmp_path / "tiny", **{"labels/ours.yaml": "name: Ours\npaper: a4\nwidth: wide\n"})

    assert main(["check", str(folder)]) == 1
    assert "labels/ours.yaml:3: width" in capsys.readouterr().err
