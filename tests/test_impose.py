"""Imposition as arithmetic: counts, places, and what must hold for any stocks and settings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from soak import MORE

from grimalkin.content.stocks import Margins, Paper, Stock, load_papers, load_stocks
from grimalkin.printing.draw.canvas import string_width
from grimalkin.printing.draw.packing import MM
from grimalkin.printing.sheet.grids import LEAST_BLEED, best_grid
from grimalkin.printing.sheet.impose import impose, printable
from grimalkin.printing.sheet.labels import Label, lay_out
from grimalkin.printing.sheet.marks import around, cut_order, marks_of
from grimalkin.printing.sheet.pieces import EPSILON, STRIP, Piece, Sheet, Slot, mirrored
from grimalkin.printing.sheet.settings import Printer, Settings, back_matrix
from grimalkin.problems import Place, Problems

HERE = Place("game.yaml")
STOCKS = load_stocks(None, Problems())
PAPERS = load_papers(None, Problems())
A4 = PAPERS["a4"]
POKER = STOCKS["poker"]
ROOM = printable(A4, Settings())


def pieces(stock: Stock, count: int, two_sided: bool = True, id_: str = "card") -> list[Piece]:
    return [Piece(f"{id_}-{index}", "deck", stock, two_sided) for index in range(count)]


def sheets_of(what: Sequence[Piece], paper: Paper = A4, **chosen: object) -> list[Sheet]:
    problems = Problems()
    made = impose(what, paper, replace(Settings(), **chosen), HERE, problems)

    assert [] == [str(problem) for problem in problems]
    return made


# Worked out by hand


@pytest.mark.parametrize(
    ("paper", "bleed"),
    [
        ("a4", (1.1, 2.65)),  # (210 - 10 - 2 × 2.2 - 189) / 6; (287 - 2 × 3.5 for marks - 264) / 6
        ("letter", (0.9, 0.9)),  # (279.4 - 10 - 264) / 6; beside, (205.9 - 4.4 - 7 - 189) / 6
        ("both", (1.1, 0.9)),  # as wide as A4, as high as Letter
    ],
)
def test_nine_poker_cards_lie_on_a_sheet(paper: str, bleed: tuple[float, float]) -> None:
    """Three by three and upright: 3 × 63 = 189 and 3 × 88 = 264 leave that much for the bleed of each side."""
    made = sheets_of(pieces(POKER, 54), PAPERS[paper])
    x, y = bleed

    assert [9] * 12 == [len(sheet.slots) for sheet in made]
    assert {(x, y, x, y)} == {slot.room for sheet in made for slot in sheet.slots}
    assert {0} == {slot.turn for slot in made[0].slots}
    assert [63 + 2 * x] * 2 == pytest.approx([b.x - a.x for a, b in pairwise(made[0].slots[:3])])
    assert [88 + 2 * y] * 2 == pytest.approx([b.y - a.y for a, b in pairwise(made[0].slots[::3])])


@pytest.mark.parametrize(("paper", "count"), [("a4", 8), ("letter", 6), ("both", 6)])
def test_poker_cards_with_their_whole_bleed(paper: str, count: int) -> None:
    """On A4, turned: 2 × 94 = 188 wide and 4 × 69 = 276 high; Letter is too low for the fourth row."""
    made = sheets_of(pieces(POKER, 24), PAPERS[paper], gutter="bleed")

    assert [count] * (48 // count) == [len(sheet.slots) for sheet in made]
    assert {(3, 3, 3, 3)} == {slot.room for sheet in made for slot in sheet.slots}
    assert {90} == {slot.turn for slot in made[0].slots}


@pytest.mark.parametrize(("paper", "below"), [("a4", 3), ("letter", 2.7), ("both", 2.7)])
def test_without_a_gutter_nine_poker_cards_share_their_cuts(paper: str, below: float) -> None:
    """3 × 88 = 264 leave (269.4 - 264) / 2 above and below on Letter; between neighbours there is nothing."""
    slots = sheets_of(pieces(POKER, 9), PAPERS[paper], gutter=0)[0].slots

    assert 9 == len(slots)
    assert (0, 0, 0, 0) == slots[4].room
    assert (below, 0) == (slots[0].room[1], slots[0].room[3])
    assert (slots[0].trim[2], slots[0].trim[3]) == pytest.approx((slots[4].x, slots[4].y))


def test_a_bleed_that_is_narrow_is_shown_whole() -> None:
    """Cards without bleed lie cut to cut, those with half a millimetre are a millimetre apart."""
    for bleed in (0, 0.5):
        stock = POKER.model_copy(update={"bleed": bleed})
        slots = sheets_of(pieces(stock, 9))[0].slots

        assert {(bleed,) * 4} == {slot.room for slot in slots}
        assert 63 + 2 * bleed == pytest.approx(slots[1].x - slots[0].x)


def test_words_stand_above_and_below_where_that_holds_more() -> None:
    """Dimes on A4: 10 by 14 need 10 × 19.61 = 196.1 mm of width, and words beside them leave 195.6."""
    slots = sheets_of(pieces(STOCKS["dime"], 140))[0].slots

    assert 140 == len(slots)
    assert 5 + STRIP <= min(slot.bleed[1] for slot in slots)


def test_bleed_grows_where_no_more_pieces_fit() -> None:
    """Four tarot cards on A4 leave room for their whole bleed; a few pieces of many stocks too."""
    for some in (
        pieces(STOCKS["tarot"], 4),
        [*pieces(POKER, 3), *pieces(STOCKS["penny"], 9, id_="b"), *pieces(STOCKS["mini"], 2, id_="c")],
    ):
        slots = sheets_of(some)[0].slots

        assert len(some) == len(slots)
        assert {True} == {slot.room == (slot.piece.stock.bleed,) * 4 for slot in slots}


def test_rows_of_turned_pieces_fill_what_upright_rows_leave() -> None:
    """Pieces of 60 × 100 without bleed."""
    stock = Stock(name="Odd", shape="rectangle", width=60, height=100, bleed=0)

    # 190 wide: 3 upright (180) or 1 turned (100). 277 high: 2 upright rows (200); 77 left for a turned row.
    assert (2, 3, 1, 1) == (
        (grid := best_grid(stock, 190, 277, None)).upright_rows,
        grid.upright,
        grid.turned_rows,
        grid.turned,
    )
    assert 7 == grid.capacity


def test_the_first_card_of_a_duplex_sheet_and_its_back() -> None:
    """One poker card alone lies turned, as that takes less height: (210 - 88) / 2 = 61 and (297 - 63) / 2 = 117."""
    front, back = sheets_of(pieces(POKER, 1))

    assert [(61, 117, 90)] == [(slot.x, slot.y, slot.turn) for slot in front.slots]
    assert [(61, 117, 270)] == [(slot.x, slot.y, slot.turn) for slot in back.slots]


def test_turned_cards_turn_their_backs_the_other_way() -> None:
    """Over the long edge a card turned left has its back turned right; over the short edge, left as well."""
    for flip, turn in (("long", 270), ("short", 90)):
        front, back, *_ = sheets_of(pieces(POKER, 8), flip=flip)

        assert {90} == {slot.turn for slot in front.slots}
        assert {turn} == {slot.turn for slot in back.slots}


def test_an_upright_card_turned_over_the_short_edge_has_its_back_head_down_on_the_page() -> None:
    """The page is turned over its short edge, the card is turned like a page of a book: the back is printed turned."""
    front = Slot(pieces(POKER, 1)[0], "front", 20, 30, 0, (3, 2, 1, 0))

    assert Slot(front.piece, "back", 20, 297 - 30 - 88, 180, (3, 0, 1, 2)) == mirrored(front, "horizontal", A4)
    assert Slot(front.piece, "back", 210 - 20 - 63, 30, 0, (1, 2, 3, 0)) == mirrored(front, "vertical", A4)


def test_gutter_fold_puts_backs_across_one_line() -> None:
    """Four poker cards: fronts on the upper half, backs below the fold at 148.5, at the same distance from it."""
    (sheet,) = sheets_of(pieces(POKER, 4), backs="fold")

    assert ("horizontal", 148.5) == sheet.fold
    fronts = [slot for slot in sheet.slots if slot.side == "front"]
    backs = {slot.piece.id: slot for slot in sheet.slots if slot.side == "back"}
    assert 4 == len(fronts) == len(backs)
    for slot in fronts:
        back = backs[slot.piece.id]
        assert slot.x == back.x
        assert 148.5 - (slot.y + slot.height) == pytest.approx(back.y - 148.5)
        assert (180 - slot.turn) % 360 == back.turn


def test_fronts_only_leave_no_blank_pages() -> None:
    """Nine tarot cards need no backs: as many pages as leaves."""
    made = sheets_of(pieces(STOCKS["tarot"], 9), backs="none")

    assert {"front"} == {sheet.side for sheet in made}
    assert 9 == sum(len(sheet.slots) for sheet in made)


def test_small_counts_of_different_stocks_share_a_sheet() -> None:
    """Two poker cards, three pennies, a tile and a mini card lie on one leaf."""
    some = [
        *pieces(POKER, 2, id_="poker"),
        *pieces(STOCKS["penny"], 3, id_="penny"),
        *pieces(STOCKS["tile-50"], 1, id_="tile"),
        *pieces(STOCKS["mini"], 1, id_="mini"),
    ]

    assert ["front", "back"] == [sheet.side for sheet in sheets_of(some)]


def test_pieces_share_a_row_that_has_room_for_all_of_their_bleeds() -> None:
    """Side by side and with the least bleed, two pieces of 60 mm and one of 75.5 mm are wider than the 200 mm between
    the margins, though without the bleed at one end they are not."""
    narrow, wide = (Stock(name="Tall", shape="rectangle", width=width, height=210) for width in (60, 75.5))
    made = sheets_of([*pieces(narrow, 2), *pieces(wide, 1)], backs="none")

    assert [2, 1] == [len(sheet.slots) for sheet in made]


def test_a_half_used_sheet_of_labels() -> None:
    """Starting at place 3 and never printing on place 5: six of nine places are left, then eight."""
    first, _, second, _ = sheets_of(pieces(POKER, 14), start_at=3, skip_slots=frozenset({5}))
    whole = sheets_of(pieces(POKER, 9))[0]

    assert (6, 8) == (len(first.slots), len(second.slots))
    places = [(slot.x, slot.y) for slot in whole.slots]
    assert [places[index] for index in (2, 3, 5, 6, 7, 8)] == [(slot.x, slot.y) for slot in first.slots]
    assert [places[index] for index in (0, 1, 2, 3, 5, 6, 7, 8)] == [(slot.x, slot.y) for slot in second.slots]


def test_only_the_first_sheet_of_all_is_used_in_part_already() -> None:
    """One place is gone on the first sheet, which is two-sided; the one-sided mats after it begin at place 1."""
    some = [*pieces(POKER, 5), *pieces(STOCKS["half-page"], 2, two_sided=False, id_="mat")]
    made = sheets_of(some, start_at=2)

    assert [5, 5, 2, 0] == [len(sheet.slots) for sheet in made]
    assert 1 == len(sheets_of(some[5:], start_at=2)[0].slots)


def test_a_board_is_tiled_with_overlap() -> None:
    """360 × 240 mm with 3 mm of bleed on A4: upright 2 × 1 sheets, with words above and below and 3.5 mm for marks all
    round (193 × 275.6 mm); neighbours share at least 12 mm."""
    made = [sheet for sheet in sheets_of(pieces(STOCKS["board"], 1, two_sided=False)) if sheet.side == "front"]
    windows = []
    for sheet in made:
        (slot,) = sheet.slots
        assert slot.window is not None
        left, top, right, foot = slot.window
        assert 8.5 - EPSILON <= left and right <= 201.5 + EPSILON
        assert 10.7 - EPSILON <= top and foot <= 286.3 + EPSILON
        windows.append((left - slot.x, top - slot.y, right - slot.x, foot - slot.y))

    assert [(1, 1, 2, 1), (2, 1, 2, 1)] == [
        (t.column, t.row, t.columns, t.rows) for t in (sheet.tile for sheet in made) if t
    ]
    assert (-3, 363) == (pytest.approx(windows[0][0]), pytest.approx(windows[1][2]))
    assert windows[0][2] - windows[1][0] == pytest.approx(2 * 193 - 366)


def test_backs_may_have_more_bleed_than_fronts() -> None:
    """Nine poker cards on A4: outside, backs show 3 mm, not 1.1; between cards and on fronts, nothing changes."""
    nine = pieces(POKER, 9)
    front, back = sheets_of(nine, back_bleed=5)
    usual_front, usual_back = sheets_of(nine)

    assert usual_front == front
    assert [slot.trim for slot in usual_back.slots] == [slot.trim for slot in back.slots]
    assert (1.1, 2.65) == pytest.approx(usual_back.slots[2].room[:2], abs=0.01)
    assert (3, 3, 1.1, 2.65) == pytest.approx(back.slots[2].room, abs=0.01)
    assert usual_back.slots[4].room == back.slots[4].room
    left, top, right, foot = around(back.slots)
    assert min(left, 210 - right) >= 5 - EPSILON and min(top, 297 - foot) >= 5 + STRIP - EPSILON
    less = sheets_of(nine, back_bleed=2)[1]
    assert (2, 2.65, 1.1, 2.65) == pytest.approx(less.slots[2].room, abs=0.01)


def test_what_cannot_be_laid_out_is_told() -> None:
    """A house is too large even for tiles; a fold has no room for a full page; places that are not there."""
    house = Stock(name="House", shape="rectangle", width=2000, height=2000, joined=True)
    poster = Stock(name="Poster", shape="rectangle", width=250, height=400)
    for what, chosen, told in (
        (pieces(house, 1), {}, '"card-0" needs 2000 × 2000 mm, but there is room for 188.6 × 280 mm'),
        (
            pieces(STOCKS["full-page"], 1),
            {"backs": "fold"},
            '"card-0" is 186 × 251 mm and bleed of 2 mm; A4 has room for',
        ),
        (pieces(poster, 2), {}, '"card-0" is 250 × 400 mm and bleed of 3 mm; A4 has room for 200 × 282.6 mm'),
        (pieces(POKER, 1), {"start_at": 10}, "a sheet of Poker card has 9 places"),
        (pieces(POKER, 1), {"margin": 103}, "margins of 103 mm leave no room on A4"),
    ):
        problems = Problems()

        assert [] == impose(what, A4, replace(Settings(), **chosen), HERE, problems)
        assert [told] == [problem.message[: len(told)] for problem in problems]


INDEX = Stock(name="Index card", shape="rectangle", width=76.2, height=127, bleed=0)
US_POKER = Stock(name="US poker", shape="rectangle", width=63.5, height=88.9, bleed=3)


@pytest.mark.parametrize("stock", [INDEX, US_POKER, US_POKER.model_copy(update={"width": 88.9, "height": 63.5})])
def test_a_card_as_large_as_its_paper_lies_alone_on_it(stock: Stock) -> None:
    """The paper's edges are the cut: two cards are two leaves, at the very corner of the paper, with no bleed left."""
    paper = Paper(name="A card", width=min(stock.piece), height=max(stock.piece), margin=0)
    for margin in (None, 0.0):
        made = sheets_of(pieces(stock, 2), paper, margin=margin)

        assert [(leaf, side) for leaf in (1, 2) for side in ("front", "back")] == [(s.leaf, s.side) for s in made]
        assert [(0, 0, *paper_size(paper))] * 4 == [pytest.approx(slot.trim) for sheet in made for slot in sheet.slots]
        assert {(0, 0, 0, 0)} == {tuple(map(abs, slot.room)) for sheet in made for slot in sheet.slots}
        assert [None] * 4 == [sheet.tile for sheet in made]


def paper_size(paper: Paper) -> tuple[float, float]:
    return paper.width, paper.height


def test_a_card_is_not_cut_where_its_paper_keeps_a_margin() -> None:
    """63.5 × 88.9 mm within 5 mm of a paper of that size: there is room for 53.5 × 78.9 mm."""
    for margins in (5.0, Margins(left=0, top=0, right=0, bottom=0.5)):
        problems = Problems()
        paper = Paper(name="A card", width=63.5, height=88.9, margin=margins)

        assert [] == impose(pieces(US_POKER, 2), paper, Settings(), HERE, problems)
        (problem,) = problems
        assert '"card-0" is 63.5 × 88.9 mm and bleed of 3 mm; A card has room for ' in problem.message
        assert "a smaller --margin, a larger paper" in problem.hint


def test_margins_of_a_paper_differ_by_side() -> None:
    """A printer that leaves 12.7 mm white below: everything lies above that, and within 5 mm of the other sides."""
    paper = A4.model_copy(update={"margin": Margins(bottom=12.7)})
    made = sheets_of(pieces(POKER, 9), paper)

    assert (5, 5, 205, 297 - 12.7) == pytest.approx(printable(paper, Settings()))
    assert "5 / 5 / 5 / 12.7" == paper.said_margin
    for sheet in made:
        boxes = [slot.bleed for slot in sheet.slots]
        assert max(box[3] for box in boxes) <= 297 - 12.7 + EPSILON
        assert min(box[1] for box in boxes) >= 5 - EPSILON


def test_a_margin_in_a_papers_file_counts_like_the_options() -> None:
    """Twelve mini cards of 44 × 68 mm in 10 mm: what holds more with the option does so with the file, too."""
    for margin in (0.0, 2.0, 3.5):
        paper = A4.model_copy(update={"margin": margin})
        for stock in (POKER, STOCKS["mini"], STOCKS["tarot"], STOCKS["domino"]):
            by_file, by_option = sheets_of(pieces(stock, 40), paper), sheets_of(pieces(stock, 40), margin=margin)

            assert by_option == by_file


def test_a_printer_that_prints_backs_too_far_left() -> None:
    """2.54 mm to the right are 7.2 points; a half turn keeps the middle of the page (10 × 20 mm) where it is."""
    shift = back_matrix(Printer("a", back_x=2.54), A4)
    turn = back_matrix(Printer("b", angle=180), Paper(name="Small", width=10, height=20, margin=0))

    assert (1, 0, 0, 1, 7.2, 0) == pytest.approx(shift, abs=1e-9)
    assert (-1, 0, 0, -1, 10 / 25.4 * 72, 20 / 25.4 * 72) == pytest.approx(turn, abs=1e-9)


# What must hold always


def lie_apart(slots: Sequence[Slot]) -> bool:
    boxes = [slot.bleed for slot in slots]
    return all(
        a[2] <= b[0] + EPSILON or b[2] <= a[0] + EPSILON or a[3] <= b[1] + EPSILON or b[3] <= a[1] + EPSILON
        for index, a in enumerate(boxes)
        for b in boxes[index + 1 :]
    )


STOCK = st.builds(
    lambda width, height, bleed, shape: Stock(
        name="Some",
        shape=shape,
        width=width,
        height=width if shape == "circle" else height,
        bleed=bleed,
    ),
    st.floats(10, 90),
    st.floats(10, 130),
    st.sampled_from([0, 1.5, 3]),
    st.sampled_from(["rectangle", "rectangle", "circle"]),
)


@pytest.mark.soak
@settings(max_examples=25 * MORE, deadline=None)
@given(
    st.lists(st.tuples(STOCK, st.integers(1, 40), st.booleans()), min_size=1, max_size=5),
    st.sampled_from(["duplex", "fold", "none", "apart"]),
    st.sampled_from(["long", "short"]),
    st.sampled_from([None, "bleed", 0, 1, 4]),
    st.sampled_from(sorted(PAPERS)),
    st.integers(1, 3),
    st.frozensets(st.integers(2, 4), max_size=2),
)
def test_imposition_keeps_its_promises(stocks, backs, flip, gutter, paper_name, start_at, skipped) -> None:
    """Nothing overlaps, no bleed leaves the margins, words have room on two sides, every piece is there exactly as
    often as asked and shows the least of its bleed, backs meet fronts under the flip or the fold, and every sheet is
    the same when it is made again."""
    paper = PAPERS[paper_name]
    some = [
        piece
        for index, (stock, count, two_sided) in enumerate(stocks)
        for piece in [Piece(f"p{index}", f"d{index % 2}", stock, two_sided)] * count
    ]
    chosen = Settings(backs=backs, flip=flip, gutter=gutter, start_at=start_at, skip_slots=skipped)
    problems = Problems()
    made = impose(some, paper, chosen, HERE, problems)
    assume(not problems)  # a stock with few places a sheet may have none left

    fronts = Counter(slot.piece.id for sheet in made for slot in sheet.slots if slot.side == "front")
    printed = Counter(slot.piece.id for sheet in made for slot in sheet.slots if slot.side == "back")
    assert Counter(piece.id for piece in some) == fronts
    assert (Counter(p.id for p in some if p.two_sided) if backs != "none" else Counter()) == printed
    for sheet in made:
        assert lie_apart(sheet.slots)
        for slot in sheet.slots:
            own = slot.piece.stock.bleed
            least = own if gutter == "bleed" else min(own, LEAST_BLEED, math.inf if gutter is None else gutter / 2)
            assert all(least - EPSILON <= room <= own for room in slot.room)
        if sheet.slots:
            left, top, right, foot = around(sheet.slots)
            beside, above = min(left, paper.width - right), min(top, paper.height - foot)
            assert min(beside, above) >= 5 - EPSILON and max(beside, above) >= 5 + STRIP - EPSILON
        if sheet.fold:
            kind, at = sheet.fold
            edge = 3 if kind == "horizontal" else 2
            assert all(slot.bleed[edge] <= at + EPSILON for slot in sheet.slots if slot.side == "front")
            assert_backs_meet(sheet.slots, sheet.slots, kind == "vertical", paper)
    if backs in ("duplex", "apart"):
        assert ["front", "back"] * (len(made) // 2) == [sheet.side for sheet in made]
        for front, back in zip(made[::2], made[1::2], strict=True):
            assert front.leaf == back.leaf
            assert_backs_meet(front.slots, back.slots, flip == "long", paper)
    assert made == impose(some, paper, chosen, HERE, Problems())


def assert_backs_meet(fronts: Sequence[Slot], backs: Sequence[Slot], sideways: bool, paper: Paper) -> None:
    """Every back lies where its front is when the page is turned over, and no other back is there."""
    expected = Counter()
    for slot in fronts:
        if slot.side == "front" and slot.piece.two_sided:
            x = paper.width - slot.x - slot.width if sideways else slot.x
            y = slot.y if sideways else paper.height - slot.y - slot.height
            turn = (-slot.turn if sideways else 180 - slot.turn) % 360
            expected[slot.piece.id, round(x, 6), round(y, 6), turn] += 1
    found = Counter((s.piece.id, round(s.x, 6), round(s.y, 6), s.turn) for s in backs if s.side == "back")

    assert expected == found


# Marks


@pytest.mark.parametrize("style", ["corners", "crosses", "ticks", "lines", "dots"])
@pytest.mark.parametrize("gutter", [None, 0, 3])
@pytest.mark.parametrize("name", ["poker", "penny", "hex-40", "hex-60", "tile-50", "mini"])
def test_no_mark_touches_a_trim(name: str, gutter: float | None, style) -> None:
    """Lines are sampled every half millimetre; those that stay out of the bleed keep out of all bleeds."""
    for sheet in sheets_of(pieces(STOCKS[name], 11), gutter=gutter):
        marks = marks_of(sheet, style, ROOM)

        assert marks.lines
        for slot in sheet.slots:
            if slot.piece.stock.shape != "rectangle":
                continue
            left, top, right, foot = slot.trim if marks.white else slot.bleed
            for x1, y1, x2, y2 in (*marks.lines, *marks.white):
                for step in range(11):
                    x, y = x1 + (x2 - x1) * step / 10, y1 + (y2 - y1) * step / 10
                    assert not (left < x < right and top < y < foot), (slot, (x1, y1, x2, y2))


def test_edge_ticks_lie_outside_the_block() -> None:
    """Two marks for each of the upright cuts and each of the level ones, all beyond the trims."""
    sheet = sheets_of(pieces(POKER, 9))[0]
    left, top, right, foot = around(sheet.slots, bleed=False)
    lines = marks_of(sheet, "ticks", ROOM).lines

    assert 2 * 6 + 2 * 6 == len(lines)
    assert all(x2 < left or x1 > right or y2 < top or y1 > foot for x1, y1, x2, y2 in lines)


@pytest.mark.parametrize("paper_name", ["a4", "letter", "both"])
def test_every_card_has_marks_at_its_corners(paper_name: str) -> None:
    """Two at each corner of each of nine cards, in line with its sides and within the room: outside of the bleed where
    they can be 1.5 mm long, else from the trim through the bleed, on white."""
    paper = PAPERS[paper_name]
    sheet = sheets_of(pieces(POKER, 9), paper)[0]
    room = (7.2, 5, paper.width - 7.2, paper.height - 5)  # between the words
    marks = marks_of(sheet, "corners", room)

    assert 9 * 8 == len(marks.lines)
    for x1, y1, x2, y2 in marks.lines:
        assert room[0] - EPSILON <= x1 and x2 <= room[2] + EPSILON
        assert room[1] - EPSILON <= y1 and y2 <= room[3] + EPSILON
        in_bleed = any(
            b[0] < (x1 + x2) / 2 < b[2] and b[1] < (y1 + y2) / 2 < b[3] for b in (slot.bleed for slot in sheet.slots)
        )
        assert in_bleed == ((x1, y1, x2, y2) in marks.white)
        assert x2 - x1 + y2 - y1 >= (0.7 if in_bleed else 1.5)
    ends = [end for x1, y1, x2, y2 in marks.lines for end in ((x1, y1), (x2, y2))]
    for slot in sheet.slots:
        left, top, right, foot = (round(at, 3) for at in slot.trim)
        assert {left, right} <= {x for x, y in ends if 0 < top - y < 4}
        assert {left, right} <= {x for x, y in ends if 0 < y - foot < 4}
        assert {top, foot} <= {y for x, y in ends if 0 < left - x < 4}
        assert {top, foot} <= {y for x, y in ends if 0 < x - right < 4}


def test_the_order_of_cuts() -> None:
    """Four tarot cards, upright: four cuts across (two a row), then four down. Nine poker cards leave no room for the
    numbers beside their marks, so the words name none."""
    order = cut_order(sheets_of(pieces(STOCKS["tarot"], 4))[0], ROOM)
    full = cut_order(sheets_of(pieces(POKER, 9))[0], ROOM)

    assert (4, 4, True) == (len(order.across), len(order.down), order.is_numbered)
    assert order.words.startswith("Guillotine: cut 1 to 4 across and keep the top strip")
    assert order.words.endswith("and cut 5 to 8 down by its marks")
    assert (6, 6, False) == (len(full.across), len(full.down), full.is_numbered)
    assert full.words.startswith("Guillotine: cut across and keep the top strip")
    assert full.words.endswith("and cut down by its marks")


@pytest.mark.parametrize("length", [1, 20, 60])
def test_words_beside_nine_cards_can_be_read(length: int) -> None:
    """On the narrowest sheet, in 5 pt or more and within a strip of 2.2 mm on each side: the order of cuts stands
    beside the shorter of the others. What is much too long is cut short, and the order of cuts is not seen."""
    paper = PAPERS["both"]
    sheet = sheets_of(pieces(POKER, 9), paper)[0]
    room = printable(paper, Settings())
    label = Label(f"A title {'of many words ' * length}", "printed " * length, cut_order(sheet, room).words)
    words = lay_out(label, sheet, paper, room)

    assert ("beside", (7.2, 5, 202.8, 274.4)) == (words.where, pytest.approx(words.room))
    assert words.rule is not None
    seen = [text for text in (words.title, *words.lines, words.rule) if text.is_seen]
    assert (length < 60) == all(text.is_seen for text in words.lines)
    for text in seen:
        assert text.size >= 5 - 0.01
        assert 5 <= text.x and text.x + string_width(text.words, text.font, text.size) / MM <= 274.4 + EPSILON
        high, low = text.y - 0.75 * text.size / MM, text.y + 0.22 * text.size / MM
        assert (5 - EPSILON <= high and low <= 7.2) or (202.8 <= high and low <= 205 + EPSILON)


def test_words_beside_the_pieces_keep_off_the_wider_margin() -> None:
    """They begin at the foot of the sheet, where this printer leaves 12.7 mm white."""
    paper = A4.model_copy(update={"margin": Margins(bottom=12.7)})
    sheet = sheets_of(pieces(POKER, 9), paper)[0]
    words = lay_out(Label("A title", "printed"), sheet, paper, printable(paper, Settings()))

    assert "beside" == words.where
    assert 12.7 == pytest.approx(min(text.x for text in (words.title, *words.lines)))


def test_an_order_of_cuts_never_cuts_through_a_piece() -> None:
    """Cards and tents of different heights in one row, or wide and narrow pieces in one column, have no numbers."""
    mixed = [*pieces(STOCKS["bridge"], 1, id_="a"), *pieces(STOCKS["square"], 1, id_="b")]
    wide = Stock(name="Wide", shape="rectangle", width=120, height=40, bleed=3)
    narrow = Stock(name="Narrow", shape="rectangle", width=60, height=40, bleed=3)
    for some in (mixed, [*pieces(wide, 1, id_="a"), *pieces(narrow, 3, id_="b")]):
        order = cut_order(sheets_of(some, gutter=0)[0], ROOM)

        assert ((), ()) == (order.across, order.down)
        assert "separate the rows, then cut each by its own marks" in order.words


def test_folding_pieces_show_their_folds() -> None:
    """A standee of 30 × 50 with feet of 15: a strip of 130 × 30, turned, with folds at 15, 65 and 115 mm."""
    (sheet, _) = sheets_of(pieces(STOCKS["standee"], 1, two_sided=False))
    (slot,) = sheet.slots
    folds = marks_of(sheet, "corners", ROOM).folds

    assert (130, 30, 90) == (slot.width, slot.height, slot.turn)
    assert {15, 65, 115} == {round(x1 - slot.x, 3) for x1, _, _, _ in folds}
    # In the piece's own bleed of 2 mm, beside the trim.
    for x1, y1, x2, y2 in folds:
        assert x1 == x2
        assert (slot.y - 2 <= y1 and y2 <= slot.y - 0.1) or (slot.y + 30.1 <= y1 and y2 <= slot.y + 32)


def test_folds_are_shown_in_what_bleed_there_is() -> None:
    """A strip that lies on its left side has 1 mm above it and 2 mm below."""
    slot = Slot(Piece("a", "deck", STOCKS["standee"], False), "front", 50, 60, 90, (2, 1, 2, 2))
    folds = marks_of(Sheet(1, "front", (slot,)), "corners", ROOM).folds

    assert {(59.1, 59.85), (90.15, 91.9)} == {(y1, y2) for _, y1, _, y2 in folds}


def test_marks_stay_in_their_room() -> None:
    """Of any style, on sheets of every stock."""
    for stock in STOCKS.values():
        for sheet in sheets_of(pieces(stock, 3, two_sided=False)):
            for style in ("corners", "crosses", "ticks", "lines", "dots"):
                for x1, y1, x2, y2 in marks_of(sheet, style, ROOM).lines:
                    assert 5 <= min(x1, x2) and max(x1, x2) <= 205
                    assert 5 <= min(y1, y2) and max(y1, y2) <= 292


def test_a_blank_back_has_no_marks() -> None:
    """In any style; it has no slots to lie around."""
    blank = sheets_of(pieces(POKER, 1, two_sided=False))[1]
    for style in ("corners", "crosses", "ticks", "lines", "dots", "none"):
        assert () == marks_of(blank, style, ROOM).lines


def test_tiles_have_the_marks_to_cut_and_to_join_them() -> None:
    """Two tiles of a board of 360 × 240 on A4: the trim's edges are marked on both sides of each window; the left tile
    is cut at its right edge, x = 201.5, and the right tile shows where that edge comes to lie, 20 mm in."""
    for flip in ("long", "short"):
        left, left_back, right, _ = sheets_of(pieces(STOCKS["board"], 1), flip=flip)
        a, b = marks_of(left, "corners", ROOM), marks_of(right, "corners", ROOM)
        level = {y1 for _, y1, _, y2 in a.lines if y1 == y2}
        upright = {x1 for x1, _, x2, _ in b.lines if x1 == x2}

        assert {28.5, 268.5} == level  # (297 - 240) / 2, and 240 further
        assert [201.5] == [x1 for x1, _, x2, _ in a.joins if x1 == x2]
        assert {28.5, 198.5} == upright  # 8.5 + 20, and the trim: 3 mm before the end of the art at 201.5
        back = marks_of(left_back, "corners", ROOM)
        assert [8.5 if flip == "long" else 201.5] == [x1 for x1, _, x2, _ in back.joins if x1 == x2]
