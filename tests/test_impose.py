"""Imposition as arithmetic: counts, places, and what must hold for any stocks and settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from soak import MORE

from grimalkin.content.stocks import Paper, Stock, load_papers, load_stocks
from grimalkin.problems import Place, Problems
from grimalkin.sheet.impose import EPSILON, Sheet, Slot, best_grid, impose, mirrored
from grimalkin.sheet.marks import around, cut_order, marks_of
from grimalkin.sheet.pieces import Piece
from grimalkin.sheet.settings import Printer, Settings, back_matrix

HERE = Place("game.yaml")
STOCKS = load_stocks(None, Problems())
PAPERS = load_papers(None, Problems())
A4 = PAPERS["a4"]
POKER = STOCKS["poker"]


def pieces(stock: Stock, count: int, two_sided: bool = True, id_: str = "card") -> list[Piece]:
    return [Piece(f"{id_}-{index}", "deck", stock, two_sided) for index in range(count)]


def sheets_of(what: Sequence[Piece], paper: Paper = A4, **chosen: object) -> list[Sheet]:
    problems = Problems()
    made = impose(what, paper, replace(Settings(), **chosen), HERE, problems)

    assert [] == [str(problem) for problem in problems]
    return made


# Worked out by hand


def test_poker_cards_with_their_whole_bleed_lie_turned_on_a4() -> None:
    """Room for trims 190 × 277: turned, 2 × 88 + 6 = 182 wide and 4 × 63 + 3 × 6 = 270 high hold 8; upright only 4."""
    grid = best_grid(POKER, 190, 277, None)

    assert (0, 4, 2, 8) == (grid.upright_rows, grid.turned_rows, grid.turned, grid.capacity)
    assert [8, 8, 8, 8, 8, 8, 6] == [
        len(sheet.slots) for sheet in sheets_of(pieces(POKER, 54)) if sheet.side == "front"
    ]


def test_without_a_gutter_nine_poker_cards_lie_on_a4() -> None:
    """3 × 63 = 189 ≤ 190 and 3 × 88 = 264 ≤ 277; on Letter 3 × 88 > 259.4, but 2 × 88 by 4 × 63 = 252 hold 8."""
    assert 9 == best_grid(POKER, 190, 277, 0).capacity
    assert 8 == best_grid(POKER, 195.9, 259.4, 0).capacity


def test_rows_of_turned_pieces_fill_what_upright_rows_leave() -> None:
    """Pieces of 60 × 100 without bleed."""
    stock = Stock(name="Odd", shape="rectangle", width=60, height=100, bleed=0)

    # 190 wide: 3 upright (180) or 1 turned (100). 277 high: 2 upright rows (200); 77 left: a turned row after 4.5.
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


def test_a_half_used_sheet_of_labels() -> None:
    """Starting at place 3 and never printing on place 5: six of eight places are left, then seven."""
    first, _, second, _ = sheets_of(pieces(POKER, 12), start_at=3, skip_slots=frozenset({5}))
    whole = sheets_of(pieces(POKER, 8))[0]

    assert (5, 7) == (len(first.slots), len(second.slots))
    places = [(slot.x, slot.y) for slot in whole.slots]
    assert [places[index] for index in (2, 3, 5, 6, 7)] == [(slot.x, slot.y) for slot in first.slots]
    assert [places[index] for index in (0, 1, 2, 3, 5, 6, 7)] == [(slot.x, slot.y) for slot in second.slots]


def test_only_the_first_sheet_of_all_is_used_in_part_already() -> None:
    """One place is gone on the first sheet, which is two-sided; the one-sided mats after it begin at place 1."""
    some = [*pieces(POKER, 5), *pieces(STOCKS["half-page"], 2, two_sided=False, id_="mat")]
    made = sheets_of(some, start_at=2)

    assert [5, 5, 2, 0] == [len(sheet.slots) for sheet in made]
    assert 1 == len(sheets_of(some[5:], start_at=2)[0].slots)


def test_a_board_is_tiled_with_overlap() -> None:
    """360 × 240 mm with 3 mm of bleed on A4 (190 × 277): upright 2 × 1 sheets; neighbours share at least 12 mm."""
    made = [sheet for sheet in sheets_of(pieces(STOCKS["board"], 1, two_sided=False)) if sheet.side == "front"]
    windows = []
    for sheet in made:
        (slot,) = sheet.slots
        assert slot.window is not None
        left, top, right, foot = slot.window
        assert 10 - EPSILON <= left and right <= 200 + EPSILON and 10 - EPSILON <= top and foot <= 287 + EPSILON
        windows.append((left - slot.x, top - slot.y, right - slot.x, foot - slot.y))

    assert [(1, 1, 2, 1), (2, 1, 2, 1)] == [
        (t.column, t.row, t.columns, t.rows) for t in (sheet.tile for sheet in made) if t
    ]
    assert (-3, 363) == (pytest.approx(windows[0][0]), pytest.approx(windows[1][2]))
    assert windows[0][2] - windows[1][0] == pytest.approx(2 * 190 - 366)


def test_what_cannot_be_laid_out_is_told() -> None:
    """A house is too large even for tiles; a fold has no room for a full page; places that are not there."""
    house = Stock(name="House", shape="rectangle", width=2000, height=2000)
    for what, chosen, told in (
        (pieces(house, 1), {}, '"card-0" needs 2000 × 2000 mm, there is room for 190 × 270 mm'),
        (pieces(STOCKS["full-page"], 1), {"backs": "fold"}, '"card-0" needs 186 × 251 mm, there is room for'),
        (pieces(POKER, 1), {"start_at": 9}, "a sheet of Poker card has 8 places"),
        (pieces(POKER, 1), {"margin": 103}, "margins of 103 mm leave nothing of A4"),
    ):
        problems = Problems()

        assert [] == impose(what, A4, replace(Settings(), **chosen), HERE, problems)
        assert [told] == [problem.message[: len(told)] for problem in problems]


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


@pytest.mark.slow("hundreds of random sheets")
@pytest.mark.soak
@settings(max_examples=150 * MORE, deadline=None)
@given(
    st.lists(st.tuples(STOCK, st.integers(1, 40), st.booleans()), min_size=1, max_size=5),
    st.sampled_from(["duplex", "fold", "none", "apart"]),
    st.sampled_from(["long", "short"]),
    st.sampled_from([None, 0, 1, 4]),
    st.sampled_from(sorted(PAPERS)),
    st.integers(1, 3),
    st.frozensets(st.integers(2, 4), max_size=2),
)
def test_imposition_keeps_its_promises(stocks, backs, flip, gutter, paper_name, start_at, skipped) -> None:
    """Nothing overlaps, no trim leaves the margins and no bleed the paper, every piece is there exactly as often as
    asked, backs meet fronts under the flip or the fold, and every sheet is the same when it is made again."""
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
            left, top, right, foot = slot.trim
            assert min(left, top) >= 10 - EPSILON
            assert right <= paper.width - 10 + EPSILON and foot <= paper.height - 10 + EPSILON
            assert min(slot.bleed[:2]) >= 0 and slot.bleed[2] <= paper.width and slot.bleed[3] <= paper.height
            assert all(0 <= room <= slot.piece.stock.bleed for room in slot.room)
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
        marks = marks_of(sheet, style, A4)

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
    """Two marks for each of the upright cuts and each of the level ones, all beyond the bleeds."""
    sheet = sheets_of(pieces(POKER, 8))[0]
    left, top, right, foot = around(sheet.slots)
    lines = marks_of(sheet, "ticks", A4).lines

    assert 2 * 4 + 2 * 8 == len(lines)
    assert all(x2 <= left or x1 >= right or y2 <= top or y1 >= foot for x1, y1, x2, y2 in lines)


def test_the_order_of_cuts() -> None:
    """Eight turned poker cards: eight cuts across (two a row), then four down."""
    order = cut_order(sheets_of(pieces(POKER, 8))[0])

    assert (8, 4) == (len(order.across), len(order.down))
    assert order.words.startswith("Guillotine: cut 1 to 8 across and keep the head strip")
    assert order.words.endswith("and cut 9 to 12 down by its marks")


def test_an_order_of_cuts_never_cuts_through_a_piece() -> None:
    """Cards and tents of different heights in one row, or wide and narrow pieces in one column, have no numbers."""
    mixed = [*pieces(STOCKS["bridge"], 1, id_="a"), *pieces(STOCKS["square"], 1, id_="b")]
    wide = Stock(name="Wide", shape="rectangle", width=120, height=40, bleed=3)
    narrow = Stock(name="Narrow", shape="rectangle", width=60, height=40, bleed=3)
    for some in (mixed, [*pieces(wide, 1, id_="a"), *pieces(narrow, 3, id_="b")]):
        order = cut_order(sheets_of(some, gutter=0)[0])

        assert ((), ()) == (order.across, order.down)
        assert "part the rows in the white between them" in order.words


def test_folding_pieces_show_their_folds() -> None:
    """A standee of 30 × 50 with feet of 15: a strip of 130 × 30, turned, with folds at 15, 65 and 115 mm."""
    (sheet, _) = sheets_of(pieces(STOCKS["standee"], 1, two_sided=False))
    (slot,) = sheet.slots
    folds = marks_of(sheet, "corners", A4).folds

    assert (130, 30, 90) == (slot.width, slot.height, slot.turn)
    assert {15, 65, 115} == {round(x1 - slot.x, 3) for x1, _, _, _ in folds}
    # In the piece's own bleed of 2 mm, beside the trim.
    for x1, y1, x2, y2 in folds:
        assert x1 == x2
        assert (slot.y - 2 <= y1 and y2 <= slot.y - 0.2) or (slot.y + 30.2 <= y1 and y2 <= slot.y + 32)


def test_marks_stay_on_the_paper() -> None:
    """With no margin there is no room beyond the bleed: marks then lie in it, on white, and none is lost."""
    sheet = sheets_of(pieces(POKER, 9), margin=0)[0]
    marks = marks_of(sheet, "corners", A4)

    assert marks.white
    for x1, y1, x2, y2 in marks.lines:
        assert 0 < x1 <= x2 < 210 and 0 < min(y1, y2) and max(y1, y2) < 297
    left = min(slot.x for slot in sheet.slots)
    assert any(x1 == x2 == pytest.approx(left, abs=0.001) for x1, _, x2, _ in marks.lines)


def test_a_blank_back_has_no_marks() -> None:
    """In any style; it has no slots to lie around."""
    blank = sheets_of(pieces(POKER, 1, two_sided=False))[1]
    for style in ("corners", "crosses", "ticks", "lines", "dots", "none"):
        assert () == marks_of(blank, style, A4).lines


def test_tiles_have_the_marks_to_cut_and_to_join_them() -> None:
    """Two tiles of a board of 360 × 240 on A4: the trim's edges are marked on both sides of each window; the left tile
    is cut at its right edge, x = 200, and the right tile shows where that edge comes to lie: 14 mm in from its left."""
    for flip in ("long", "short"):
        left, left_back, right, _ = sheets_of(pieces(STOCKS["board"], 1), flip=flip)
        a, b = marks_of(left, "corners", A4), marks_of(right, "corners", A4)
        level = {y1 for _, y1, _, y2 in a.lines if y1 == y2}
        upright = {x1 for x1, _, x2, _ in b.lines if x1 == x2}

        assert {28.5, 268.5} == level  # (297 - 240) / 2, and 240 further
        assert [200] == [x1 for x1, _, x2, _ in a.joins if x1 == x2]
        assert {24, 197} == upright  # 10 + 14, and the trim: 3 mm before the end of the art at 200
        back = marks_of(left_back, "corners", A4)
        assert [10 if flip == "long" else 200] == [x1 for x1, _, x2, _ in back.joins if x1 == x2]
