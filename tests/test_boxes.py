"""Tuck boxes: their measures by hand, what is printed on them, and the command that makes them."""

from __future__ import annotations

import io
import re
from itertools import pairwise
from pathlib import Path

import ezdxf
import pdfplumber
import pytest
from games_for_tests import FILES, bundled_game, write_game

from grimalkin.cli import main
from grimalkin.content.outlines import area, flat, length
from grimalkin.content.stocks import load_papers
from grimalkin.printing.draw.stocks import load_stocks
from grimalkin.printing.face import Composer, Inks
from grimalkin.printing.sheet.settings import Settings
from grimalkin.printing.sheet.tuck_box import Boxed, Cards, Contents, box_for, box_sheets, boxed
from grimalkin.problems import Problems, Stop

POKER = box_for(Cards(63, 88, 54 * 0.3))


@pytest.mark.parametrize(
    ("cards", "inside", "flat_size"),
    [
        (Cards(63, 88, 54 * 0.3), (64, 89, 17.2), (174.4, 151.4)),  # 12 + 2 * 64 + 2 * 17.2; 89 + 2 * 14 + 2 * 17.2
        (Cards(63, 88, 108 * 0.3), (64, 89, 33.4), (206.8, 183.8)),
        (Cards(66, 92, 54 * 0.6), (67, 93, 33.4), (212.8, 187.8)),
        (Cards(66, 92, 108 * 0.6), (67, 93, 65.8), (277.6, 252.6)),
        (Cards(63, 88, 2 * 0.3), (64, 89, 4), (148, 125)),  # no box is less deep
    ],
)
def test_a_box_has_the_measures_of_its_cards(
    cards: Cards, inside: tuple[float, ...], flat_size: tuple[float, float]
) -> None:
    box = box_for(cards)

    assert (box.width, box.height, box.depth) == inside
    assert box.size == pytest.approx(flat_size)


def test_panels_lie_side_by_side() -> None:
    assert POKER.across == (0, 12, 76, 93.2, 157.2, 174.4)
    assert POKER.down == (0, 14, 31.2, 120.2, 137.4, 151.4)
    assert POKER.panels["front"] == (93.2, 31.2, 64, 89)
    assert POKER.panels["lid"] == (12, 14, 64, 17.2)


def test_dust_flaps_do_not_meet() -> None:
    """As long as the box is deep, and less than half as long as the front is wide: 26 / 2 - 1."""
    assert [box_for(cards).flap for cards in (Cards(63, 88, 16.2), Cards(25, 25, 60), Cards(63, 88, 4))] == [
        17.2,
        12,
        12,
    ]


def test_the_outline_is_panels_and_flaps() -> None:
    """Panels 2 * 81.2 * 89, lid and bottom 2 * 64 * 17.2, glue 12 * 84; two flaps of 63 * 14 with corners of 8; four of
    17.2 that narrow to 14.2 within 13.2 and end after 4 more in corners of 4; less half a circle of 10."""
    round_off = 1 - 3.14159265 / 4
    tucks = 2 * (63 * 14 - 2 * round_off * 64)
    dust = 4 * ((17.2 + 14.2) / 2 * 13.2 + 14.2 * 4 - 2 * round_off * 16)
    expected = 2 * 81.2 * 89 + 2 * 64 * 17.2 + 12 * 84 + tucks + dust - 157.08
    (contour,) = flat(POKER.edge())

    assert area(contour) == pytest.approx(expected, abs=3)
    xs, ys = zip(*contour, strict=True)
    assert (min(xs), min(ys), max(xs), max(ys)) == pytest.approx((0, 0, 174.4, 151.4))


def test_creases_lie_between_panels() -> None:
    """Four down, six across the ends of the panels, and one at each flap that is tucked in."""
    creases = POKER.creases()

    assert len(creases) == 12
    assert length(contour for path in creases for contour in flat(path)) == pytest.approx(
        4 * 89 + 2 * (64 + 2 * 17.2) + 2 * 63
    )
    assert "M93.2 31.2L93.2 120.2" in creases


@pytest.mark.parametrize("depth", [0.5, 5, 16.2, 60])
@pytest.mark.parametrize(("width", "height"), [(25, 25), (63, 88), (120, 70)])
def test_every_box_is_cut_in_one_line_that_crosses_itself_nowhere(width: float, height: float, depth: float) -> None:
    """Around a line that crosses itself, points on both of its sides lie inside or outside at some place."""
    box = box_for(Cards(width, height, depth))
    lines = box.stock.lines
    assert lines
    (contour,) = lines.contours
    for (x1, y1), (x2, y2) in pairwise(contour):
        long = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        if long > 0.1:
            x, y, right, down = (x1 + x2) / 2, (y1 + y2) / 2, -(y2 - y1) / long * 0.02, (x2 - x1) / long * 0.02

            assert (lines.holds(x + right, y + down), lines.holds(x - right, y - down)) == (True, False), (x, y)


def made(game: str, inks: Inks = "full", count: int = 54, thickness: float = 0.3) -> tuple[Composer, Boxed]:
    content = bundled_game(game)
    problems = Problems()
    composer = Composer(content, load_stocks(None, problems), problems, inks)
    deck = next(deck for deck in content.info.decks if deck.kind == "card")
    found = boxed(composer, Contents([deck], composer.stocks["poker"], count, thickness))

    assert found and not problems, list(problems)
    return composer, found


def test_a_box_wears_the_colours_of_its_game() -> None:
    """The first of the palette that is dark enough for words; white paper with little ink."""
    full, low = (made("werecats", inks)[1].face.svg for inks in ("full", "low"))

    assert re.findall(r'<rect[^>]*fill="#a3182f"', full)
    assert "#a3182f" not in re.findall(r'<rect[^>]*fill="([^"]+)"', low)


def test_art_and_words_lie_on_their_panels() -> None:
    """The back of a card in the middle of the front, its half millimetre more as large; three cards on the back."""
    _, found = made("werecats", count=54)
    placed = dict(re.findall(r'clip-path="url\(#(front-panel|fan-\d)\)"[^>]*><g transform="([^"]+)"', found.face.svg))

    assert set(placed) == {"front-panel", "fan-1", "fan-2", "fan-3"}
    # 89 / 88 = 1.01136: 93.2 + (64 - 63 * 1.01136) / 2 from the left, at the upper edge of the panel
    assert placed["front-panel"] == "translate(93.3420 31.2000) scale(1.01136)"
    assert placed["fan-2"] == "translate(-31.5 -44)"
    ids = re.findall(r' id="([^"]+)"', found.face.svg)
    assert len(ids) == len(set(ids))


def test_a_box_is_turned_to_fit_its_paper() -> None:
    papers = load_papers(None, Problems())
    _, found = made("werecats", count=54)
    _, large = made("werecats", count=108)
    slot, turned = (box_sheets(one, "a4", papers, Settings(backs="none"))[0][0].slots[0] for one in (found, large))

    assert (slot.turn, slot.width, slot.height) == (0, pytest.approx(174.4), pytest.approx(151.4))
    assert (turned.turn, turned.width, turned.height) == (90, pytest.approx(183.8), pytest.approx(206.8))
    assert slot.x + slot.width / 2 == pytest.approx(105)


def test_a_box_that_fits_no_paper_says_which_would_do() -> None:
    papers = load_papers(None, Problems())
    for count, hint in ((160, "choose a3 or tabloid"), (700, "make two boxes, each with a smaller --count")):
        _, found = made("werecats", count=count)
        with pytest.raises(Stop) as stop:
            box_sheets(found, "a4", papers, Settings(backs="none"))

        width, height = found.box.size
        assert str(stop.value) == (
            f"--paper: the box of {count} cards is {width:g} × {height:g} mm laid flat; A4 is too small for it; {hint}"
        )


def test_the_command_makes_a_page_and_cut_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three cards of the tiny game count as 30 here; the page has the lines of the box where its slot is."""
    game = write_game(tmp_path / "tiny")
    options = ["--count", "30", "--thickness", "0.4", "--paper", "a4", "--cutter", "silhouette"]
    code = main(["box", str(game), *options, "--output", str(tmp_path)])
    folder = tmp_path / "boxes" / "tiny-cards"
    told = capsys.readouterr().out

    assert code == 0
    assert told.endswith("for 30 cards: 64 × 89 × 13 mm inside, 166 × 143 mm laid flat; print at 100 %\n")
    names = {path.name for path in folder.iterdir()}
    assert names == {
        f"tiny-{name}" for name in ("box-a4.pdf", "silhouette-a4-tuck-box-1.svg", "silhouette-a4-tuck-box-1.dxf")
    }
    drawing = ezdxf.read(io.StringIO((folder / "tiny-silhouette-a4-tuck-box-1.dxf").read_text()))
    assert [len(drawing.query(f'LWPOLYLINE[layer=="{layer}"]')) for layer in ("CUT", "CREASE")] == [1, 12]
    with pdfplumber.open(folder / "tiny-box-a4.pdf") as pdf:
        (page,) = pdf.pages
        text = page.extract_text()
    assert "Tiny" in text or "yniT" in text


def test_two_decks_of_two_sizes_share_a_box(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As wide as the wider and as high as the higher: a poker card of 63 × 88 mm and a square one of 70 mm."""
    more = "  - {id: more, name: More, kind: card, file: more.csv, count: 7, stock: square, faces: {front: plain}}\n"
    head, cards, tail = FILES["game.yaml"].partition("decks:\n")
    text = head + cards + tail + more.replace("}}", "}, columns: {power: {type: whole, label: power}}}")
    game = write_game(
        tmp_path / "tiny", game_yaml=text, more_csv="x", **{"more.csv": "id,name,count,power\nbig,Big,7,1\n"}
    )

    assert main(["box", str(game), "--deck", "cards,more", "--paper", "a3", "--output", str(tmp_path)]) == 0
    assert "for 10 cards: 71 × 89 × 4 mm inside" in capsys.readouterr().out  # 10 * 0.3 + 1


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--deck", "card"], '--deck: there is no deck "card"; did you mean "cards"?'),
        (["--stock", "pokr"], '--stock: there is no stock "pokr"; did you mean "poker"?'),
        (["--face", "mous"], '--face: there is no card "mous"; did you mean "mouse"?'),
        (["--paper", "a9"], '--paper: there is no paper "a9"; '),
        (["--count", "1000", "--paper", "a4"], "--paper: the box of 1,000 cards is "),
    ],
)
def test_wrong_wishes_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], expected: str
) -> None:
    game = write_game(tmp_path / "tiny")

    assert main(["box", str(game), *options, "--output", str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith(expected)
