"""Printers: profiles are kept whole, the calibration sheet reads what it should, and backs move by exactly that."""

from __future__ import annotations

import cmath
import errno
import io
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pdfplumber
import pikepdf
import pytest

from grimalkin.cli import machines, main
from grimalkin.content.stocks import Paper
from grimalkin.output.printout import _suited
from grimalkin.printing.sheet.calibration import (
    STEP,
    UP_LEFT,
    Readings,
    added,
    calibration_pdf,
    on_front,
    places,
    printer_of,
    rounded,
)
from grimalkin.printing.sheet.settings import Flip, Printer, Settings, back_matrix, front_matrix
from grimalkin.problems import Stop

A4 = Paper(name="A4", width=210, height=297)
LETTER = Paper(name="Letter", width=215.9, height=279.4)
A5 = Paper(name="A5", width=148, height=210)
MM = 72 / 25.4


@pytest.fixture(autouse=True)
def settings_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "settings"
    monkeypatch.setenv("GRIMALKIN_CONFIG", str(folder))
    return folder


def told(stop: pytest.ExceptionInfo[Stop]) -> str:
    return "\n".join(str(problem) for problem in stop.value.problems)


# Profiles


def test_a_profile_is_read_back_as_it_was_written() -> None:
    """Every digit is kept, and names may have spaces and letters of any language."""
    one, two = Printer("Küche 2", 1.3, -0.6, 0.1 + 0.2), Printer("attic", 0, 0, -5)
    machines.save_printer(one)
    machines.save_printer(two)

    assert {"Küche 2": one, "attic": two} == machines.load_printers()
    assert one == machines.find_printer("Küche 2")


def test_a_profile_that_is_not_there_is_told_with_the_nearest(settings_folder: Path) -> None:
    """Nothing is known at first; then the nearest name helps."""
    with pytest.raises(Stop) as stop:
        machines.find_printer("kitchn")
    assert '--printer: there is no printer "kitchn"; `grimalkin calibrate` makes' in told(stop)
    machines.save_printer(Printer("kitchen"))

    with pytest.raises(Stop) as stop:
        machines.find_printer("kitchn")
    assert 'did you mean "kitchen"?' in told(stop)
    with pytest.raises(Stop):
        machines.remove_printer("kitchn")
    machines.remove_printer("kitchen")
    assert {} == machines.load_printers()


@pytest.mark.parametrize(
    ("printer", "problem"),
    [
        (Printer("a", back_x=20.1), "back-x is 20.1 mm; at most 20 mm either way"),
        (Printer("a", back_y=math.nan), "back-y is nan mm; at most 20 mm either way"),
        (Printer("a", angle=-5.5), "angle is -5.5°; at most 5° either way"),
        (Printer(""), '"" cannot be a name'),
        (Printer("../a"), '"../a" cannot be a name'),
        (Printer("a" * 41), "cannot be a name"),
    ],
)
def test_profiles_that_cannot_be_are_refused(printer: Printer, problem: str, settings_folder: Path) -> None:
    """And nothing is written."""
    with pytest.raises(Stop) as stop:
        machines.save_printer(printer)

    assert problem in told(stop)
    assert not settings_folder.exists()


def test_the_limits_themselves_are_allowed() -> None:
    """20 mm and 5 degrees."""
    machines.save_printer(Printer("far", -20, 20, 5))

    assert Printer("far", -20, 20, 5) == machines.find_printer("far")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('["a"]\nback-x = \n', "printers.toml:2: not TOML: "),
        ("back-x = 1\n", '"back-x" does not belong to a printer; begin with ["back-x"]'),
        ('["a"]\nangel = 1\n', 'printer "a" has an unknown key "angel"; did you mean "angle"?'),
        ('["a"]\nback-x = "1"\n', 'printer "a": back-x is "1"; it must be a number'),
        ('["a"]\nback-x = inf\n', 'printer "a": back-x is Infinity; it must be a number'),
        ('["a"]\nangle = 9\n', 'printer "a": angle is 9°; at most 5° either way'),
    ],
)
def test_a_file_that_was_edited_wrongly_is_told(text: str, problem: str, settings_folder: Path) -> None:
    """With the line, when TOML itself is broken."""
    settings_folder.mkdir()
    (settings_folder / "printers.toml").write_text(text, encoding="utf-8")

    with pytest.raises(Stop) as stop:
        machines.load_printers()
    assert problem in told(stop)


def test_a_failed_write_leaves_the_old_file(settings_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new file takes the place of the old one in one step, or not at all."""
    machines.save_printer(Printer("kitchen", 1))

    def fails(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no room")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", fails)
        with pytest.raises(OSError, match="no room"):
            machines.save_printer(Printer("office", 2))

    assert {"kitchen": Printer("kitchen", 1)} == machines.load_printers()
    assert ["printers.toml"] == [path.name for path in settings_folder.iterdir() if path.suffix != ".lock"]


def test_a_file_may_begin_with_a_mark_of_its_encoding(settings_folder: Path) -> None:
    """As Windows writes it."""
    settings_folder.mkdir()
    (settings_folder / "printers.toml").write_text('["Küche"]\nback-x = 1\n', encoding="utf-8-sig")

    assert {"Küche": Printer("Küche", 1)} == machines.load_printers()


def test_no_profile_is_lost_when_many_are_written_at_once() -> None:
    """One command waits for another."""
    names = [f"printer-{number}" for number in range(12)]
    with ThreadPoolExecutor(len(names)) as pool:
        list(pool.map(lambda name: main(["printer", "set", name, "--back-x", "1"]), names))

    assert sorted(names) == sorted(machines.load_printers())


def test_a_command_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """It tells that another one is writing."""
    monkeypatch.setattr(machines, "MOST_WAIT", 0)
    with machines.changing_printers(), ThreadPoolExecutor(1) as pool, pytest.raises(Stop) as stop:
        pool.submit(machines.save_printer, Printer("kitchen")).result()

    assert "printers.toml: another command is writing here; try again" in told(stop)


# The matrix of backs


def test_a_shift_is_in_points_to_the_right_and_up() -> None:
    """25.4 mm are 72 points."""
    assert back_matrix(Printer("p", 25.4, -12.7), A4) == pytest.approx((1, 0, 0, 1, 72, -36), abs=1e-9)


def test_the_page_turns_around_its_middle_and_is_then_moved() -> None:
    """A quarter turn of 100 × 60 mm: (x, y) becomes (cx + cy - y, cy - cx + x), so 80 and -20 mm, and the shift."""
    paper = Paper(name="small", width=100, height=60)
    matrix = back_matrix(Printer("p", 2.54, 5.08, 90), paper)

    assert matrix == pytest.approx((0, 1, -1, 0, 5760 / 25.4 + 7.2, -1440 / 25.4 + 14.4), abs=1e-9)


def test_a_turn_leaves_the_middle_where_it_is() -> None:
    """30 degrees counter-clockwise: the cosine is √3/2, the sine 1/2."""
    a, b, c, d, e, f = back_matrix(Printer("p", angle=30), A4)
    x, y = 105 * MM, 148.5 * MM

    assert (a, b, c, d) == pytest.approx((math.sqrt(3) / 2, 0.5, -0.5, math.sqrt(3) / 2), abs=1e-9)
    assert (a * x + c * y + e, b * x + d * y + f) == pytest.approx((x, y), abs=1e-9)


def test_fronts_are_stretched_from_the_middle_and_then_moved() -> None:
    """A 100 × 60 mm page 2 % wider and 1 % shorter: its upper right corner goes 1 mm out and 0.3 mm down."""
    paper = Paper(name="small", width=100, height=60)
    printer = Printer("p", back_x=9, front_x=0.5, front_y=-2, scale_x=102, scale_y=99)
    a, b, c, d, e, f = front_matrix(printer, paper)

    assert (0, 0) == (b, c)
    assert (a * 100 * MM + e, d * 60 * MM + f) == pytest.approx((101.5 * MM, 57.7 * MM), abs=1e-9)
    assert (0.5 * MM - 1 * MM, -2 * MM + 0.3 * MM) == pytest.approx((e, f), abs=1e-9)


def test_backs_are_turned_and_then_stretched() -> None:
    """After a quarter turn of a page 2 % wider, what was 10 mm above the middle is 10.2 mm to its left."""
    paper = Paper(name="small", width=100, height=60)
    a, b, c, d, e, f = back_matrix(Printer("p", angle=90, scale_x=102), paper)
    x, y = 50 * MM, 40 * MM

    assert (a * x + c * y + e, b * x + d * y + f) == pytest.approx((39.8 * MM, 30 * MM), abs=1e-9)


# Readings


@pytest.mark.parametrize("paper", [A4, LETTER, A5])
@pytest.mark.parametrize(("x", "y", "angle"), [(0, 0, 0), (1.3, -0.6, 0), (-2, 0.7, 0.4), (0.1, 0.2, -1.5)])
def test_readings_give_the_correction_that_they_show(paper: Paper, x: float, y: float, angle: float) -> None:
    """A reading is how far the correction moves the zero of a scale; complex numbers stand for points."""
    middle = complex(paper.width / 2, paper.height / 2)
    turn = cmath.rect(1, math.radians(angle))

    def read(point: complex) -> complex:
        return middle + turn * (point - middle) + complex(x, y) - point

    at = {letter: complex(*point) for letter, point in places(paper).items()}
    readings = Readings(
        across=read(at["C"]).real,
        up=read(at["C"] - UP_LEFT).imag,
        up_left=read(at["A"] - UP_LEFT).imag,
        up_right=read(at["B"] - UP_LEFT).imag,
    )
    found = printer_of("p", readings, paper)

    assert (found.back_x, found.back_y, found.angle) == pytest.approx((x, y, angle), abs=1e-9)


def test_a_millimetre_between_the_corners_is_an_angle() -> None:
    """On A4 the zeros of A and B are 210 - 18 - 28 - 18 = 146 mm apart: asin(1/146) is 0.39244 degrees."""
    found = printer_of("p", Readings(0, 0, -0.5, 0.5), A4)

    assert 0.39244 == pytest.approx(found.angle, abs=1e-5)
    assert 19 / 146 == pytest.approx(found.back_y, abs=1e-12)


def test_a_second_measurement_is_added_to_the_first() -> None:
    """After a quarter turn, 3 mm to the right lie upwards and 4 mm up to the left; angles add up."""
    found = added(Printer("p", 1, 2, 90), Printer("p", 3, 4, 0.5))

    assert (found.back_x, found.back_y, found.angle) == pytest.approx((1 - 4, 2 + 3, 90.5), abs=1e-9)
    assert Printer("p", 1.23, -0.5, 0.0) == rounded(Printer("p", 1.2345, -0.499, -0.001))


def test_a_second_measurement_keeps_what_fronts_do() -> None:
    """On a page that is stretched by 2 %, 3 mm to the right of the drawing are 3.06 mm on the paper."""
    found = added(Printer("p", 1, 0, 0, 5, 6, 102, 99), Printer("p", 3, 4, 0))

    assert Printer("p", 4.06, 3.96, 0, 5, 6, 102, 99) == rounded(found)


@pytest.mark.parametrize(
    ("reading", "whole", "tenth"), [(1.3, 1, 3), (-0.6, -1, 4), (0, 0, 0), (-2.1, -3, 9), (5.5, 5, 5)]
)
def test_lines_meet_as_on_a_calliper(reading: float, whole: int, tenth: int) -> None:
    """Line n of the front lies at the reading and n times 0.9 mm; it meets a millimetre where n is the tenth."""
    meets = [n for n in range(10) if abs(reading + n * STEP - round(reading + n * STEP)) < 1e-9]

    assert [tenth] == meets
    assert whole == math.floor(reading)
    assert reading == pytest.approx(whole + tenth / 10)


# The sheet


def lines_of(paper: Paper, flip: Flip, page: int, printer: Printer | None = None) -> set[tuple[float, ...]]:
    """The lines of a page in millimetres from its lower left corner, rounded to 0.01."""
    data = calibration_pdf(paper, "a4", flip, printer)
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        assert 2 == len(pdf.pages)
        return {
            tuple(round(value / MM, 2) for value in (line["x0"], line["y0"], line["x1"], line["y1"]))
            for line in pdf.pages[page].lines
        }


def test_a_point_of_the_back_is_seen_from_the_front() -> None:
    """Over the long edge left and right change places, over the short edge above and below."""
    assert (170, 250) == on_front((40, 250), A4, "long")
    assert (40, 47) == on_front((40, 250), A4, "short")


@pytest.mark.parametrize("flip", ["long", "short"])
def test_the_lines_of_the_front_lie_behind_the_zeros(flip: Flip) -> None:
    """At A, 37 mm from the left and 268 from the foot of the back: the long line goes from 8.5 mm below to 3 above."""
    assert (37, 268) == places(A4)["A"]
    front = lines_of(A4, flip, 0)
    across = (173, 259.5, 173, 271) if flip == "long" else (37, 26, 37, 37.5)
    fifth_up = (192 - 2, 272.5, 192 + 6.5, 272.5) if flip == "long" else (18 - 6.5, 24.5, 18 + 2, 24.5)

    assert across in front
    assert fifth_up in front


def test_the_scales_of_the_back_move_with_a_profile() -> None:
    """The zero of C, at 105 × 148.5 mm, lies 1.3 mm further right and 0.6 mm lower."""
    plain = (105.0, 146.5, 105.0, 155.0)
    moved = (106.3, 145.9, 106.3, 154.4)

    assert plain in lines_of(A4, "long", 1)
    assert moved in lines_of(A4, "long", 1, Printer("kitchen", 1.3, -0.6))
    assert plain not in lines_of(A4, "long", 1, Printer("kitchen", 1.3, -0.6))
    assert lines_of(A4, "long", 0) == lines_of(A4, "long", 0, Printer("kitchen", 1.3, -0.6))


@pytest.mark.slow("draws the sheet on every paper, and reads it")
@pytest.mark.parametrize("paper", [A4, LETTER, A5])
@pytest.mark.parametrize("printer", [None, Printer("a printer with a name that is rather long")])
def test_everything_on_the_sheet_lies_within_the_margin(paper: Paper, printer: Printer | None) -> None:
    """No word and no line comes closer than 8 mm to the edge, and no two words lie on each other."""
    with pdfplumber.open(io.BytesIO(calibration_pdf(paper, "a4", "long", printer))) as pdf:
        for page in pdf.pages:
            for thing in (*page.chars, *page.lines):
                assert 8 * MM <= thing["x0"] <= thing["x1"] <= (paper.width - 8) * MM
                assert 8 * MM <= thing["top"] <= thing["bottom"] <= (paper.height - 8) * MM
            words = [(word["x0"], word["top"], word["x1"], word["bottom"]) for word in page.extract_words()]
            for index, (left, top, right, foot) in enumerate(words):
                for x0, y0, x1, y1 in words[index + 1 :]:
                    apart = x0 >= right - 0.5 or x1 <= left + 0.5 or y0 >= foot - 4 or y1 <= top + 4  # lines interlock
                    assert apart, page.extract_words()[index]["text"]
        assert "grimalkin printer measure" in " ".join(pdf.pages[1].extract_text().split())


@pytest.mark.parametrize(("flip", "sides"), [("long", "/DuplexFlipLongEdge"), ("short", "/DuplexFlipShortEdge")])
def test_print_dialogues_offer_both_sides(flip: Flip, sides: str) -> None:
    """A viewer that knows the preference preselects the edge that the sheet is for."""
    with pikepdf.open(io.BytesIO(calibration_pdf(A4, "a4", flip))) as pdf:
        assert sides == str(pdf.Root.ViewerPreferences.Duplex)


def test_the_same_sheet_has_the_same_bytes() -> None:
    """From run to run."""
    assert calibration_pdf(A4, "a4", "long") == calibration_pdf(A4, "a4", "long")


# The commands


def test_profiles_are_written_and_told(capsys: pytest.CaptureFixture[str], settings_folder: Path) -> None:
    """What is left out stays as it was; a decimal comma is read too."""
    assert 0 == main(["printer", "list"])
    assert "no printers yet" in capsys.readouterr().out
    assert 0 == main(["printer", "set", "kitchen", "--back-x", "1,3", "--angle", "-0.25"])
    assert 0 == main(["printer", "set", "kitchen", "--back-y", "-0.6"])
    capsys.readouterr()

    assert 0 == main(["printer"])
    said = "kitchen: backs move 1.3 mm to the right, 0.6 mm down, 0.25° clockwise\n"
    assert said == capsys.readouterr().out
    assert 0 == main(["printer", "show", "kitchen"])
    assert str(settings_folder) in capsys.readouterr().out
    assert 0 == main(["printer", "remove", "kitchen"])
    assert 1 == main(["printer", "show", "kitchen"])


def test_a_profile_moves_fronts_and_stretches_pages(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, settings_folder: Path
) -> None:
    """Only what differs from the usual is kept; a first measurement would forget it, and is refused."""
    assert 0 == main(["printer", "set", "labels", "--front-x", "-0.8", "--scale-y", "100.4%"])
    told = "labels: fronts move 0.8 mm to the left; pages become 0.4 % longer\n"
    assert told == capsys.readouterr().out
    kept = (settings_folder / "printers.toml").read_text("utf-8")
    assert "front-x = -0.8" in kept and "scale-y = 100.4" in kept
    assert "front-y" not in kept and "scale-x" not in kept
    assert Printer("labels", front_x=-0.8, scale_y=100.4) == machines.find_printer("labels")

    assert 1 == main(["printer", "set", "labels", "--scale-x", "94"])
    assert "scale-x is 94 %; from 95 to 105 %" in capsys.readouterr().err
    assert 1 == main(["printer", "measure", "labels"])
    assert "print the sheet with --printer labels, and add --again" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n0\n0\n0\n"))
    assert 0 == main(["printer", "measure", "labels", "--again"])
    assert Printer("labels", 1, front_x=-0.8, scale_y=100.4) == machines.find_printer("labels")


def test_values_that_are_no_numbers_are_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2 for what is not a number, 1 for a number that cannot be."""
    with pytest.raises(SystemExit) as stopped:
        main(["printer", "set", "kitchen", "--back-x", "wide"])
    assert 2 == stopped.value.code
    assert '"wide" is not a number of mm' in capsys.readouterr().err
    assert 1 == main(["printer", "set", "kitchen", "--back-x", "200"])
    assert "back-x is 200 mm; at most 20 mm either way" in capsys.readouterr().err
    assert 1 == main(["printer", "set", "kitchen"])
    assert {} == machines.load_printers()


def test_a_printer_is_measured_by_four_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is not a number is asked again. On a sheet printed with the profile, the readings are added to it."""
    monkeypatch.setattr("sys.stdin", io.StringIO("1.3\nx\n-0,6\n-0.5\n0.5\n"))
    assert 0 == main(["printer", "measure", "kitchen"])
    # 19 mm × sin(0.392°) = 0.13 mm: the scale that reads up stands beside the middle
    assert Printer("kitchen", 1.3, -0.47, 0.39) == machines.find_printer("kitchen")
    monkeypatch.setattr("sys.stdin", io.StringIO("0\n0.1\n0\n0\n"))
    assert 0 == main(["printer", "measure", "kitchen", "--again"])
    assert Printer("kitchen", 1.3, -0.37, 0.39) == machines.find_printer("kitchen")
    monkeypatch.setattr("sys.stdin", io.StringIO("1.3\n"))
    assert 1 == main(["printer", "measure", "office"])
    assert "the reading up at C is missing" in capsys.readouterr().err


def test_the_sheet_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its name says the paper and the edge; unknown papers and printers are told."""
    monkeypatch.chdir(tmp_path)
    assert 0 == main(["calibrate", "--paper", "letter", "--flip", "short"])
    assert (tmp_path / "calibration-letter-short.pdf").read_bytes().startswith(b"%PDF")
    assert 1 == main(["calibrate", "--paper", "lettr"])
    assert '--paper: there is no paper "lettr"; did you mean "letter"?' in capsys.readouterr().err
    assert 1 == main(["calibrate", "--printer", "kitchen"])
    machines.save_printer(Printer("kitchen", 1))
    assert 0 == main(["calibrate", "--printer", "kitchen", "--output", str(tmp_path / "again.pdf")])
    assert (tmp_path / "again.pdf").is_file()


def test_a_name_with_underscores_is_looked_at_once() -> None:
    """Each sign is read in one way alone; a name of 40 underscores that ends badly would take years otherwise."""
    assert machines._NAME.fullmatch("_" * 40 + "!") is None
    assert machines._NAME.fullmatch("_my printer-2.b")


# What a sheet can use


def test_a_profile_keeps_only_what_its_sheets_can_use() -> None:
    """Without back pages, backs are not moved; a Cricut's pictures are not fronts; on labels, every side is a front."""
    whole = Printer("p", 1, 2, 0.5, 3, 4, 101, 99)
    fronts, backs = Printer("p", 0, 0, 0, 3, 4, 101, 99), Printer("p", 1, 2, 0.5)

    assert fronts == _suited(Settings(backs="none", printer=whole), True).printer
    assert _suited(Settings(backs="fold", printer=backs), True).printer is None
    assert backs == _suited(Settings(cutter="cricut", printer=whole), True).printer
    assert _suited(Settings(cutter="cricut", printer=fronts), True).printer is None
    on_labels = _suited(Settings(labels="x", printer=whole), True)
    assert ("apart", fronts) == (on_labels.backs, on_labels.printer)
    assert "none" == _suited(Settings(labels="x"), False).backs
    assert Settings(printer=whole) == _suited(Settings(printer=whole), True)
