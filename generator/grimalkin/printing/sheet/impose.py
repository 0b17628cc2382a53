"""Imposition: where each piece goes on the sheets. Only arithmetic, in millimetres from the page's upper left corner.

Pieces are in rows that a guillotine can cut: first the rows, then the pieces in a row. A stock that fills whole sheets
gets the fullest sheet possible, with rows of turned pieces if that holds more; the remaining pieces of all stocks share
sheets. Everything, with words and marks, stays within the paper's margins. Backs are the mirror image of their fronts,
over the edge on which the printer flips the leaf or the line along which a sheet is folded.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from grimalkin.content.stocks import USUAL, Paper, Stock
from grimalkin.printing.sheet.grids import (
    LEAST_BLEED,
    Gaps,
    Grid,
    by_stock,
    fewest_sheets,
    fullest,
    gaps_of,
    grid_rows,
    size_of,
    slots_of,
)
from grimalkin.printing.sheet.honeycomb import best_nest
from grimalkin.printing.sheet.pieces import (
    EPSILON,
    MARKS,
    STRIP,
    WORDS_EDGE,
    Box,
    Fold,
    Piece,
    Sheet,
    Slot,
    Tile,
    mirrored,
)
from grimalkin.printing.sheet.settings import Settings
from grimalkin.problems import Place, Problems, Stop
from grimalkin.problems.plain import plural

OVERLAP = 12.0
"""The part of a tiled piece that two neighbouring sheets both show."""
MOST_TILES = 64


def impose(pieces: Sequence[Piece], paper: Paper, settings: Settings, place: Place, problems: Problems) -> list[Sheet]:
    """Return all sheets: fronts, and backs by the settings. A piece that cannot be laid out is a problem at `place`."""
    rooms = _rooms(paper, settings)
    if min(right - left for left, _, right, _ in rooms) < 10 or min(foot - top for _, top, _, foot in rooms) < 10:
        margin = paper.said_margin if settings.margin is None else f"{settings.margin:g}"
        problems.add(place, f"margins of {margin} mm leave no room on {paper.name}", "give a smaller --margin")
        return []
    two_sided, one_sided = by_sides(pieces, settings)
    sheets: list[Sheet] = []
    if settings.backs == "fold":
        sheets += _folded(two_sided, rooms, paper, settings, place, problems)
        two_sided = []
    for group in (two_sided, one_sided):
        # Only the very first sheet may have used places already.
        chosen = replace(settings, start_at=1) if sheets else settings
        for slots, tile in _pages(group, rooms, paper, chosen, place, problems):
            add_leaf(sheets, slots, paper, settings, tile=tile)
    _check_skipped(pieces, rooms, paper, settings, problems)
    return [] if problems else sheets


def printable(paper: Paper, settings: Settings) -> Box:
    """Return the paper within its margins, which holds everything printed."""
    left, top, right, foot = paper.margins if settings.margin is None else (settings.margin,) * 4
    return (left, top, paper.width - right, paper.height - foot)


def _rooms(paper: Paper, settings: Settings) -> list[Box]:
    """Return the rooms for pieces with their bleed: between text on the left and the right, and between text above and
    below. If the option or the paper's file sets a margin, pieces may also fill everything within it."""
    left, top, right, foot = whole = printable(paper, settings)
    edges = (left, top, paper.width - right, paper.height - foot)
    words = [max(WORDS_EDGE - edge, 0) + STRIP for edge in edges]
    rooms = [(left + words[0], top, right - words[2], foot), (left, top + words[1], right, foot - words[3])]
    is_asked_for = settings.margin is not None or {*paper.margins} != {USUAL}
    return [*rooms, whole] if is_asked_for else rooms


def by_sides(pieces: Iterable[Piece], settings: Settings) -> tuple[list[Piece], list[Piece]]:
    """Return the pieces for two-sided leaves, then the rest, which can be printed on one side only."""
    groups: tuple[list[Piece], list[Piece]] = ([], [])
    for piece in pieces:
        groups[0 if piece.two_sided and settings.backs != "none" else 1].append(piece)
    return groups


def add_leaf(
    sheets: list[Sheet],
    slots: tuple[Slot, ...],
    paper: Paper,
    settings: Settings,
    tile: Tile | None = None,
    template: str | None = None,
) -> None:
    """Add the front of the next leaf, and its back if backs have their own pages."""
    if settings.mirror:
        slots = tuple(replace(slot, is_mirrored=True) for slot in slots)
    front = Sheet(sheets[-1].leaf + 1 if sheets else 1, "front", slots, tile=tile, template=template)
    sheets.append(front)
    if settings.backs in ("duplex", "apart"):
        two_sided = [slot for slot in slots if slot.piece.two_sided]
        if settings.is_one_sided:
            backs = tuple(replace(slot, side="back") for slot in two_sided)
        else:
            axis = "vertical" if settings.flip == "long" else "horizontal"
            backs = tuple(mirrored(slot, axis, paper) for slot in two_sided)
            if settings.back_bleed is not None and not template:
                backs = with_outer_bleed(backs, settings.back_bleed, _rooms(paper, settings))
        sheets.append(replace(front, side="back", slots=backs))


def with_outer_bleed(slots: tuple[Slot, ...], most: float, rooms: Sequence[Box]) -> tuple[Slot, ...]:
    """Return slots with more bleed on the sides that have no neighbour: up to `most` or the stock's own, in the room
    that leaves the most. A tile and a nested hexagon keep theirs."""
    ways = [tuple(_grown(slot, slots, most, room) for slot in slots) for room in rooms]
    return max(ways, key=lambda way: sum(sum(slot.room) for slot in way), default=slots)


def _grown(slot: Slot, slots: Sequence[Slot], most: float, room: Box) -> Slot:
    if slot.window or slot.cell:
        return slot
    left, top, right, foot = slot.trim
    want = min(most, slot.piece.stock.bleed)
    others = [other.trim for other in slots if other is not slot]
    across = [box for box in others if box[1] < foot - EPSILON and box[3] > top + EPSILON]
    along = [box for box in others if box[0] < right - EPSILON and box[2] > left + EPSILON]
    has_neighbour = (
        any(box[2] <= left + EPSILON for box in across),
        any(box[3] <= top + EPSILON for box in along),
        any(box[0] >= right - EPSILON for box in across),
        any(box[1] >= foot - EPSILON for box in along),
    )
    free = (left - room[0], top - room[1], room[2] - right, room[3] - foot)
    sides = (
        now if kept else max(now, min(want, space))
        for now, kept, space in zip(slot.room, has_neighbour, free, strict=True)
    )
    return replace(slot, room=tuple(sides))  # type: ignore[arg-type]


def places_to_fill(count: int, what: str, settings: Settings) -> tuple[list[int], list[int]]:
    """Return the numbers of the places to fill on each of `what`, which has `count` places, and of those on the first.

    Stop if the settings leave none.
    """
    numbers = [number for number in range(1, count + 1) if number not in settings.skip_slots]
    free = [number for number in numbers if number >= settings.start_at]
    if (last := max(settings.skip_slots, default=0)) > count:
        raise Stop.at(Place("--skip-slots"), f"{what} has no place {last}", f"it has {plural(count, 'place')}")
    if not numbers or (not free and settings.start_at > count):
        told = f"{what} has {plural(count, 'place')}, and none of them is left to print on"
        raise Stop.at(Place("--start-at"), told, "change --start-at or --skip-slots")
    return numbers, free


def _check_skipped(
    pieces: Sequence[Piece], rooms: list[Box], paper: Paper, settings: Settings, problems: Problems
) -> None:
    """Report slots to skip that are on no sheet."""
    if not settings.skip_slots or not pieces:
        return
    stocks = {piece.stock for piece in pieces}
    nests = [nest for stock in stocks if (nest := best_nest(stock, rooms, settings.gutter))]
    grids = [fullest(stock, rooms, settings.gutter)[1] for stock in stocks]
    most = max([grid.capacity for grid in grids] + [nest.capacity for nest in nests])
    last = max(settings.skip_slots)
    if last > most:
        has = f"the fullest has {plural(most, 'place')}" if most else "no piece shares a sheet with others"
        problems.add(Place("--skip-slots"), f"no sheet of {paper.name} has a place {last}", has)


def _folded(
    pieces: list[Piece], rooms: list[Box], paper: Paper, settings: Settings, place: Place, problems: Problems
) -> list[Sheet]:
    """Return sheets with fronts on one half and backs on the other, with the fold that needs fewer sheets."""
    if not pieces:
        return []
    ways: list[tuple[int, list[Sheet], Problems]] = []
    folds: list[Fold] = [("horizontal", paper.height / 2), ("vertical", paper.width / 2)]
    for fold in folds:
        halves = [
            (left, top, right, fold[1]) if fold[0] == "horizontal" else (left, top, fold[1], foot)
            for left, top, right, foot in rooms
        ]
        found = Problems()
        sheets = [
            Sheet(leaf, "front", slots + tuple(mirrored(slot, fold[0], paper) for slot in slots), fold)
            for leaf, (slots, _) in enumerate(_pages(pieces, halves, paper, settings, place, found, is_folded=True), 1)
        ]
        ways.append((10_000 * sum(1 for _ in found) + len(sheets), sheets, found))
    _, sheets, found = min(ways, key=lambda way: way[0])
    for problem in found:
        problems.add(problem.place, problem.message, problem.hint)
    return sheets


# Pages


def _pages(
    pieces: Sequence[Piece],
    rooms: list[Box],
    paper: Paper,
    settings: Settings,
    place: Place,
    problems: Problems,
    is_folded: bool = False,
) -> Iterator[tuple[tuple[Slot, ...], Tile | None]]:
    """Yield the front slots of each sheet, within the room that holds the most."""
    gutter = settings.gutter
    chosen_places = settings.start_at > 1 or bool(settings.skip_slots)
    left_over: list[Piece] = []
    filling: dict[Stock, tuple[Grid, Box, tuple[Gaps, Gaps]]] = {}  # for stocks that have filled a sheet
    first = settings.start_at
    for stock, group in by_stock(pieces).items():
        room, grid = fullest(stock, rooms, gutter)
        nest = best_nest(stock, rooms, gutter)
        if nest and nest.capacity > grid.capacity and (chosen_places or len(group) > grid.capacity):
            numbers, free = _places(nest.capacity, stock, settings, first, problems)
            while numbers and group and (chosen_places or len(group) > grid.capacity):
                filled = dict(zip(free, group, strict=False))
                group, free, first = group[len(filled) :], numbers, 1
                if filled:
                    yield nest.slots(filled), None
            left_over += group
            continue
        if not grid.capacity:
            if stock.joined and not is_folded:
                yield from _tiled(group, rooms, place, problems)
            elif not is_folded and (alone := _alone(stock, paper, settings)):
                yield from (((replace(alone, piece=piece),), None) for piece in group)
            else:
                _too_large(group[0], rooms, paper, place, problems, is_folded)
            continue
        numbers, free = _places(grid.capacity, stock, settings, first, problems)
        if not numbers:
            continue
        while group and (chosen_places or len(group) >= grid.capacity):
            filled = dict(zip(free, group, strict=False))
            group, free, first = group[len(filled) :], numbers, 1
            if stock not in filling:
                filling[stock] = grid, room, gaps_of(grid_rows(stock, grid, {}), room, gutter)
            if filled:
                yield slots_of(grid_rows(stock, grid, filled), *filling[stock][1:]), None
        left_over += group
    if len(kinds := {piece.stock for piece in left_over}) == 1 and (stock := kinds.pop()) in filling:
        # The last sheet of a deck is cut like the others.
        grid, room, gaps = filling[stock]
        yield slots_of(grid_rows(stock, grid, dict(enumerate(left_over, 1))), room, gaps), None
        return
    room, sheets = fewest_sheets(left_over, rooms, gutter)
    for rows in sheets:
        yield slots_of(rows, room, gaps_of(rows, room, gutter)), None


def _places(
    count: int, stock: Stock, settings: Settings, first: int, problems: Problems
) -> tuple[list[int], list[int]]:
    """Return the places to fill on every sheet of a stock, and on the first; none, with a problem, if none is left."""
    numbers = [number for number in range(1, count + 1) if number not in settings.skip_slots]
    free = [number for number in numbers if number >= first]
    if not numbers or (not free and first > count):
        told = f"a sheet of {stock.name} has {plural(count, 'place')}, and none of them is left to print on"
        problems.add(Place("--start-at, --skip-slots"), told, "name places that exist")
        return [], []
    return numbers, free


# Pieces larger than the paper


def _alone(stock: Stock, paper: Paper, settings: Settings) -> Slot | None:
    """Return the slot of a piece that has a sheet to itself: its bleed may end at the edge of the paper, where it needs
    less. None if the paper is too small."""
    left, top, right, foot = printable(paper, settings)
    for turn, (wide, tall) in ((0, stock.piece), (90, stock.piece[::-1])):
        x, y = (left + right - wide) / 2, (top + foot - tall) / 2
        spare = (x - left, y - top, right - wide - x, foot - tall - y)
        at_edge = (left, top, paper.width - right, paper.height - foot)
        if all(
            one >= -EPSILON and (not margin or one >= min(stock.bleed, LEAST_BLEED))
            for one, margin in zip(spare, at_edge, strict=True)
        ):
            room: Box = tuple(min(max(one, 0), stock.bleed) for one in spare)  # type: ignore[assignment]
            return Slot(Piece("", "", stock, False), "front", x, y, turn, room)
    return None


def _too_large(piece: Piece, rooms: list[Box], paper: Paper, place: Place, problems: Problems, is_folded: bool) -> None:
    """Report a piece too large for every room on the paper, with a hint."""
    w, h = piece.stock.piece
    width, height = size_of(max(rooms, key=lambda room: math.prod(size_of(room))))
    bleed = f" and bleed of {piece.stock.bleed:g} mm" if piece.stock.bleed else ""
    told = f'"{piece.id}" is {w:g} × {h:g} mm{bleed}; {paper.name} has room for {width:.4g} × {height:.4g} mm'
    told += " on each side of the fold" if is_folded else ""
    margin = "a smaller --margin, " * any(paper.margins)
    other = "--backs duplex" if is_folded else "one with `joined: yes`"
    problems.add(place, told, f"choose {margin}a larger paper, a smaller stock, or {other}")


def _tiled(
    pieces: list[Piece], rooms: list[Box], place: Place, problems: Problems
) -> Iterator[tuple[tuple[Slot, ...], Tile | None]]:
    """Yield a sheet for every part of a piece that is larger than every room; neighbours both show the overlap."""
    stock = pieces[0].stock
    bleed = stock.bleed
    areas = [(left + MARKS, top + MARKS, right - MARKS, foot - MARKS) for left, top, right, foot in rooms]
    ways: list[tuple[float, int, Box, int, int, float, float]] = [(math.inf, 0, areas[0], 0, 0, 0, 0)]
    for turn, area in product((0, 90), areas):
        width, height = size_of(area)
        if min(width, height) >= 2 * OVERLAP:
            wide, tall = (size + 2 * bleed for size in (stock.piece[::-1] if turn else stock.piece))
            columns, rows = _tiles(wide, width), _tiles(tall, height)
            ways.append((columns * rows, turn, area, columns, rows, wide, tall))
    count, turn, area, columns, rows, wide, tall = min(ways, key=lambda way: way[:2])
    width, height = size_of(area)
    if count > MOST_TILES:
        w, h = stock.piece
        told = f'"{pieces[0].id}" needs {w:g} × {h:g} mm, but there is room for {width:g} × {height:g} mm'
        problems.add(place, told, "choose a smaller stock or a larger paper")
        return
    for piece in pieces:
        for row in range(rows):
            for column in range(columns):
                x = _tile_start(wide, width, column, columns, area[0])
                y = _tile_start(tall, height, row, rows, area[1])
                window = (max(x, area[0]), max(y, area[1]), min(x + wide, area[2]), min(y + tall, area[3]))
                slot = Slot(piece, "front", x + bleed, y + bleed, turn, (bleed, bleed, bleed, bleed), window)
                yield (slot,), Tile(column + 1, row + 1, columns, rows)


def _tiles(size: float, room: float) -> int:
    """Return the number of sheets that a length needs."""
    return 1 if size <= room + EPSILON else math.ceil((size - OVERLAP - EPSILON) / (room - OVERLAP))


def _tile_start(size: float, room: float, index: int, count: int, start: float) -> float:
    """Return the start of the piece on the page of one of its tiles."""
    if count == 1:
        return start + (room - size) / 2
    return start - index * (size - room) / (count - 1)
