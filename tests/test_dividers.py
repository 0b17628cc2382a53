"""Dividers: their outlines by hand, the command that makes them, and stocks that say so."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from games_for_tests import FILES, write_game

from grimalkin.cli import main
from grimalkin.content.outlines import area, flat
from grimalkin.content.stocks import Stock, load_papers, load_stocks
from grimalkin.printing.sheet.dividers import stock_of
from grimalkin.printing.sheet.impose import impose, printable
from grimalkin.printing.sheet.marks import marks_of
from grimalkin.printing.sheet.pieces import Piece
from grimalkin.printing.sheet.settings import Settings
from grimalkin.problems import Place, Problems

A4 = load_papers(None, Problems())["a4"]
POKER = load_stocks(None, Problems())["poker"]


def divider(at: str, **more: float) -> Stock:
    said = {"name": "Divider", "width": 63, "height": 98, "corner": 3, "tab": {"at": at, "width": 25, "height": 10}}
    return Stock.model_validate({**said, "shape": "divider", **more})


@pytest.mark.parametrize(("at", "left", "corners"), [("left", 0, 5), ("middle", 19, 6), ("right", 38, 5)])
def test_the_outline_is_a_card_and_its_tab(at: str, left: float, corners: int) -> None:
    """63 × 88 and 25 × 10 mm, less what round corners cut off; a tab at the end is in line with the card."""
    stock = divider(at)
    assert stock.lines and not stock.lines.creases
    (contour,) = flat(stock.lines.path)
    tops = [x for x, y in contour if y < 9]

    assert area(contour) == pytest.approx(63 * 88 + 25 * 10 - corners * 9 * (1 - math.pi / 4), abs=0.5)
    assert (left, left + 25) == pytest.approx((min(tops), max(tops)))
    xs, ys = zip(*contour, strict=True)
    assert (0, 0, 63, 98) == pytest.approx((min(xs), min(ys), max(xs), max(ys)))
    assert stock.lines.holds(left + 12, 4) and not stock.lines.holds((left + 40) % 63, 4)


def test_corners_of_a_divider_may_be_square() -> None:
    stock = divider("middle", corner=0)

    assert stock.lines
    assert "M19 0L44 0L44 10L63 10L63 98L0 98L0 10L19 10Z" == stock.lines.path


def test_a_smaller_divider_has_a_smaller_tab() -> None:
    """At half its size, all of its outline is half as large."""
    whole, half = divider("right"), divider("right").scaled(0.5)
    assert whole.lines and half.lines

    points = [(x / 2, y / 2) for contour in whole.lines.contours for x, y in contour]
    for x, y in points:
        assert abs(half.lines.inside(x, y)) < 0.05


@pytest.mark.parametrize("flip", ["long", "short"])
def test_tabs_of_backs_meet_those_of_fronts(flip) -> None:
    """What is cut from the front is cut from the back, seen from behind."""
    pieces = [Piece(at, "d", divider(at), True) for at in ("left", "middle", "right")]
    front, back = impose(pieces, A4, Settings(flip=flip), Place("x"), Problems())
    room = printable(A4, Settings())
    for one, other in zip(marks_of(front, "corners", room).edges, marks_of(back, "corners", room).edges, strict=True):
        (cut,), (behind,) = flat(one), flat(other)
        turned = [(210 - x, y) if flip == "long" else (x, 297 - y) for x, y in cut]
        for x, y in turned:
            assert min(math.hypot(x - u, y - v) for u, v in behind) < 0.5
        assert area(cut) == pytest.approx(area(behind), abs=0.1)


def test_a_divider_stands_out_above_its_cards() -> None:
    """63 × 88 mm and a tab of 10 mm; in sleeves 66 × 92 mm; small tokens get one on which a name can be read."""
    bare, sleeved = (stock_of(POKER, "left", 10, is_sleeved) for is_sleeved in (False, True))
    small = stock_of(Stock(name="Token", shape="circle", width=16, height=16), "right", 8, False)

    assert (63, 98) == (bare.width, bare.height)
    assert (66, 102) == (sleeved.width, sleeved.height)
    assert (44, 24) == (small.width, small.height)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("shape: rectangle\ntab: {width: 25, height: 10}", "a divider needs a `tab`, and nothing else may have one"),
        ("shape: divider", "a divider needs a `tab`, and nothing else may have one"),
        ("shape: divider\ntab: {width: 70, height: 10}", "the tab is wider than the divider"),
        ("shape: divider\ntab: {width: 25, height: 98}", "the height includes the tab"),
        ("shape: divider\ncorner: 12\ntab: {width: 25, height: 10}", "the radius of the corners is too large"),
        ("shape: divider\ntab: {at: top, width: 25, height: 10}", "tab.at"),
    ],
)
def test_a_wrong_divider_is_told(more: str, told: str, tmp_path: Path) -> None:
    folder = write_game(tmp_path, **{"stocks/mine.yaml": f"name: Mine\nwidth: 63\nheight: 98\n{more}\n"})
    problems = Problems()
    load_stocks(folder, problems)

    assert told in "\n".join(map(str, problems))


@pytest.mark.slow("draws dividers")
def test_the_command_makes_dividers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One for each deck of cards, in a file for each paper; names that are not known are told."""
    second = FILES["game.yaml"][FILES["game.yaml"].index("  - id: cards") :].replace("id: cards", "id: more")
    tables = FILES["cards.csv"].replace("mouse", "vole").replace("owl", "crow")
    game = FILES["game.yaml"] + second.replace("name: Cards", "name: More cards").replace("cards.csv", "more.csv")
    folder = write_game(tmp_path / "tiny", **{"game.yaml": game, "more.csv": tables})
    wanted = ["dividers", str(folder), "--output", str(tmp_path / "out")]

    assert 0 == main([*wanted, "--both-sides"])
    out = capsys.readouterr().out
    assert "2 dividers, tabs 10 mm high; print at 100 %" in out
    names = {path.name for path in (tmp_path / "out" / "dividers" / "tiny").iterdir()}
    assert {"tiny-dividers-a4.pdf", "tiny-dividers-letter.pdf"} <= names
    assert 1 == main([*wanted, "--deck", "mor"])
    assert '--deck: there is no deck "mor"; did you mean "more"?' in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*wanted, "--tab", "3"])
    assert '"3" is not a height from 5 to 40 mm' in capsys.readouterr().err
