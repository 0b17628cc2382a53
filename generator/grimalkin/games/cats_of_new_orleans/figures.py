"""The figures: the squares they cover, who is beside whom, who sees whom; and lines of sight between squares.

A line runs from the centre of one square to that of another. What it crosses depends on the offset between the two
alone, so each offset is walked once and kept as a Ray: masks over planes, one plane for what stands on squares, two for
edges, and more for the points where four squares meet. Laid over what is in the way on the map, a ray shows with a
single `&` whether the line is free.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Final, NamedTuple

from grimalkin.engine.kinds import members
from grimalkin.engine.law import law
from grimalkin.games.cats_of_new_orleans.box import Foe
from grimalkin.games.cats_of_new_orleans.maps import (
    DIRECTIONS,
    FROM_AFAR,
    NE,
    NW,
    POINT_BLANK,
    SE,
    SW,
    UNKNOWN,
    Board,
    E,
    Edges,
    S,
    Ways,
    union,
)
from grimalkin.games.cats_of_new_orleans.numbers import INTERLUDE
from grimalkin.games.cats_of_new_orleans.phrases.abilities import Kit
from grimalkin.games.cats_of_new_orleans.table import Hero, Table, Vermin

Figure = Hero | Vermin


def board_of(table: Table) -> Board:
    return table.plan.board


def ways_of(table: Table) -> Ways:
    """Return what walls and doors allow, with the doors as they are."""
    return table.plan.board.ways(table.doors)


def hero_of(table: Table, name: str) -> Hero:
    """Return a hero by its name. Raises KeyError if there is none."""
    for hero in table.heroes:
        if hero.name == name:
            return hero
    raise KeyError(name)


def find_vermin(table: Table, name: str) -> Vermin | None:
    for vermin in table.vermin:
        if vermin.name == name:
            return vermin
    return None


def find_figure(table: Table, name: str) -> Figure | None:
    """Return the hero or vermin of this name, or None."""
    for hero in table.heroes:
        if hero.name == name:
            return hero
    return find_vermin(table, name)


def is_hero(table: Table, name: str) -> bool:
    return any(hero.name == name for hero in table.heroes)


@law("NO-AMB-140")
def here(table: Table) -> list[Hero]:
    """Return the heroes on the map; in an interlude, all heroes."""
    if table.phase == INTERLUDE:
        return list(table.heroes)
    return [hero for hero in table.heroes if hero.at >= 0]


def is_here(table: Table, hero: Hero) -> bool:
    """Return whether anything can happen to a hero: it is on the map, or this is an interlude."""
    return hero.at >= 0 or table.phase == INTERLUDE


def foe_of(table: Table, vermin: Vermin) -> Foe:
    """Return the foe card of a vermin, even a hidden one."""
    return table.box.foes[vermin.marker]


def kit_of(table: Table, hero: Hero) -> Kit:
    """Return everything that a hero has: flaw, skills, equipped weapons and Loot; a Stash counts only in a Reload."""
    kept = hero.kept
    if kept is not None and kept[0] == hero.loot and kept[1] == hero.weapons and kept[2] == hero.skills:
        kit: Kit = kept[3]
        return kit
    box = table.box
    loot = tuple(card for card in hero.loot if card not in box.weapons and card not in box.stashes)
    kit = box.kit((hero.card, *hero.skills, *hero.weapons, *loot))
    hero.kept = (hero.loot[:], hero.weapons[:], hero.skills[:], kit)
    return kit


def kits_of(table: Table, figure: Figure) -> tuple[Kit, ...]:
    """Return the kits of a figure; for a vermin also that of its aspect, but none while it is face down."""
    if isinstance(figure, Hero):
        return (kit_of(table, figure),)
    if not figure.up:
        return ()
    kit = table.box.foes[figure.marker].kit
    return (kit,) if figure.aspect < 0 else (kit, table.box.foe(figure.aspect).kit)


@law("NO-AMB-54", "NO-HIDE-3")
def has_power(table: Table, vermin: Vermin, power: str) -> bool:
    """Return whether a revealed vermin has a power, its own or that of its aspect."""
    if not vermin.up:
        return False
    foe = foe_of(table, vermin)
    return power in foe.powers or (vermin.aspect >= 0 and power in table.box.foe(vermin.aspect).powers)


def is_boss(table: Table, vermin: Vermin) -> bool:
    return vermin.up and foe_of(table, vermin).has("boss")


@law("NO-LARGE-1")
def covers(table: Table, vermin: Vermin) -> int:
    """Return the squares under a vermin: one, or four for a large one."""
    if vermin.up and table.box.foes[vermin.marker].large:
        return table.plan.board.footprint(vermin.at)
    return 1 << vermin.at


def covered(table: Table, figure: Figure) -> int:
    """Return the squares under a figure; none off the map."""
    if isinstance(figure, Hero):
        return 1 << figure.at if figure.at >= 0 else 0
    return covers(table, figure)


def occupied(table: Table, but: Figure | None = None) -> int:
    """Return all squares with a figure."""
    mask, foes = 0, table.box.foes
    for hero in table.heroes:
        if hero.at >= 0 and hero is not but:
            mask |= 1 << hero.at
    for vermin in table.vermin:
        if vermin is but:
            continue
        if vermin.up and foes[vermin.marker].large:
            mask |= table.plan.board.footprint(vermin.at)
        else:
            mask |= 1 << vermin.at
    return mask


def heroes_mask(table: Table) -> int:
    mask = 0
    for hero in table.heroes:
        if hero.at >= 0:
            mask |= 1 << hero.at
    return mask


def shares(table: Table, vermin: Vermin) -> bool:
    """Return whether a vermin may share its square (NO-VERM-9, NO-PWR-21)."""
    return vermin.up and table.box.foes[vermin.marker].shares


@law("NO-MOVE-6", "NO-AMB-20")
def barred_for_heroes(table: Table, hero: Hero | None) -> int:
    """Return the squares that a hero may not enter: all with a figure, except those with only Swarming vermin."""
    mask = 0
    for other in table.heroes:
        if other.at >= 0 and other is not hero:
            mask |= 1 << other.at
    for vermin in table.vermin:
        if not shares(table, vermin):
            mask |= covers(table, vermin)
    return mask


@law("NO-GEN-2", "NO-AMB-82")
def adjacent_to(table: Table, squares: int) -> int:
    """Return the squares orthogonally next to these, with no wall or closed door between."""
    return union(ways_of(table).adjacent, squares) & ~squares


@law("NO-GEN-3", "NO-AMB-82")
def surrounding(table: Table, squares: int) -> int:
    """Return the squares around these, diagonals included, with no wall between."""
    return union(ways_of(table).surrounding, squares) & ~squares


@law("NO-AMB-87", "NO-LOS-1")
def sight_of(table: Table, figure: Figure) -> int:
    """Return the squares that a figure sees from any of its squares."""
    return any_sees(ways_of(table), covered(table, figure))


def seen_by_heroes(table: Table) -> int:
    """Return the squares that any hero on the map sees."""
    return any_sees(ways_of(table), heroes_mask(table))


@law("NO-AMB-107")
def distance(table: Table, one: Figure, other: Figure) -> int:
    """Return the distance in squares, counted orthogonally and through walls, between the nearest squares
    (NO-AMB-10)."""
    return far_apart(board_of(table), covered(table, one), covered(table, other))


def far_apart(board: Board, squares: int, others: int) -> int:
    """Return the shortest distance from any of these squares to any of the others."""
    return min(board.distance(a, b) for a in members(squares) for b in members(others))


@law("NO-AMB-48", "NO-RNG-5", "NO-AMB-128")
def in_range(board: Board, squares: int, range_: int) -> int:
    """Return the squares that an attack of this Range covers, counted from the nearest of these squares."""
    if not squares & squares - 1:
        return board.in_range(squares.bit_length() - 1, range_)
    near = far = 0
    for square in members(squares):
        far |= board.within(square, range_)
        near |= board.within(square, POINT_BLANK)
    return far & ~near if range_ >= FROM_AFAR else far


@law("NO-RNG-1", "NO-LOS-1", "NO-AMB-87")
def lines(table: Table, by: Figure, at: Figure, range_: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of squares, of an attacker and of a target in Range, that see each other."""
    board, ways = board_of(table), ways_of(table)
    mine, theirs = covered(table, by), covered(table, at)
    # One of the two is a hero with one square, so Range works the same in both directions.
    covers_it = (
        in_range(board, mine, range_) & theirs if isinstance(at, Hero) else in_range(board, theirs, range_) & mine
    )
    if covers_it:
        for square in members(mine):
            for target in members(sees(ways, square) & theirs):
                yield square, target


@law("NO-DRM-1", "NO-DRM-7", "NO-DRM-10", "NO-LOS-4", "NO-TERR-3", "NO-AMB-43", "NO-AMB-89")
def is_hindered(table: Table, by: Figure, at: Figure, square: int, target: int) -> bool:
    """Return whether terrain or a figure hinders an attack from one square to the other."""
    ways, own = ways_of(table), covered(table, by)
    if hindered_past(ways, own, square, target) if own & own - 1 else hindered(ways, square, target):
        return True
    way = between(board_of(table), square, target)
    if not way:
        return False
    mask = occupied(table) & ~covered(table, by) & ~covered(table, at)
    return bool(way & mask)


@law("NO-AMB-87")
def best_line(table: Table, by: Figure, at: Figure, range_: int) -> tuple[int, int, bool] | None:
    """Return the attacker's best line: its two squares, and whether it is hindered; None if there is none."""
    best = None
    for square, target in lines(table, by, at, range_):
        hinders = is_hindered(table, by, at, square, target)
        if not hinders:
            return square, target, False
        best = best or (square, target, True)
    return best


def closest_free(table: Table, square: int, large: bool = False) -> list[int]:
    """Return the empty squares closest to one: itself, or those in the fewest steps (NO-AMB-147)."""
    ways, board = ways_of(table), board_of(table)
    taken = occupied(table)
    places = ways.large_places if large else board.standable
    for ring in ways.flood(1 << square, board.standable):
        free = [at for at in members(ring & places) if not (taken & (board.footprint(at) if large else 1 << at))]
        if free:
            return free
    return []


CROSSED: Final = {(1, 0): 1, (-1, 0): 1, (0, 1): 2, (0, -1): 2, (1, 1): 3, (-1, -1): 3, (1, -1): 4, (-1, 1): 4}
"""By direction, the plane of the edge, or of the point where four squares meet, that is crossed. Plane 0 is that of
squares. An edge or a point has the bit of the square to its left or above it, or both."""


LEAVING: Final = {DIRECTIONS[way]: 5 + number for number, way in enumerate((NW, NE, SW, SE))}
"""The planes of the points by which a line leaves the attacker's own square, whose edges do not count."""


class Ray(NamedTuple):
    """The squares, edges and points that a line crosses. Bit 0 is the upper left corner of the line's rectangle."""

    corner: int
    """The offset from the square where the line begins to that corner."""
    between: int
    """The squares entered before the last one."""
    sight: int
    """Everything that may block sight, plane by plane."""
    hindrance: int
    """Everything that may hinder an attack, plane by plane."""


# Sight


@law("NO-LOS-2", "NO-LOS-3", "NO-LOS-4", "NO-AMB-81", "NO-AMB-129")
def sees(ways: Ways, square: int) -> int:
    """Return the squares in sight of one, including itself. A blocking square is seen, but nothing behind it."""
    row = ways.seen[square]
    if row == UNKNOWN:
        if ways.obstacles == UNKNOWN:
            ways.obstacles = _obstacles(ways)
        row = ways.seen[square] = _seen_past(ways.board, square, ways.obstacles)
    return row


def any_sees(ways: Ways, squares: int) -> int:
    """Return the squares in sight of at least one of these."""
    if squares and not squares & squares - 1:
        return sees(ways, squares.bit_length() - 1)
    row = 0
    for square in members(squares):
        row |= sees(ways, square)
    return row


@law("NO-AMB-43")
def between(board: Board, a: int, b: int) -> int:
    """Return the squares that the line between two others enters, without those that it only touches at a corner."""
    ray = _ray(board, a, b)
    return ray.between << a + ray.corner


# Hindering terrain


def hindered(ways: Ways, a: int, b: int) -> bool:
    """Return whether terrain hinders an attack from one square at another."""
    return hindered_row(ways, a) >> b & 1 == 1


@law("NO-DRM-8", "NO-AMB-48", "NO-AMB-130")
def hindered_past(ways: Ways, own: int, a: int, b: int) -> bool:
    """Return whether terrain hinders an attack by a large attacker, none of whose own squares counts."""
    ray = _ray(ways.board, a, b)
    return bool(_hindrances(ways.board, own) >> a + ray.corner & ray.hindrance)


@law("NO-DRM-7", "NO-DRM-8", "NO-DRM-9", "NO-AMB-44", "NO-AMB-81")
def hindered_row(ways: Ways, square: int) -> int:
    """Return the squares at which terrain hinders an attack from this one, whether in sight or not.

    Figures in between hinder too: see `between`. Doors do not matter.
    """
    board = ways.board
    row = board.hindered[square]
    if row == UNKNOWN:
        if board.hindrances == UNKNOWN:
            board.hindrances = _hindrances(board)
        row = board.hindered[square] = _crossed(board, square, board.hindrances, True)
    return row


# Reasons, for readers


def corners(ways: Ways, square: int) -> int:
    """Return the squares whose visibility depends on a point where four squares meet: seen because one way round it is
    free, or unseen because none is."""
    board, lines = ways.board, ways.lines
    east, south = lines[E], lines[S]
    west = east << 1
    both = east & south >> 1 & south & east >> board.width, (west & south << 1 & south & west >> board.width) >> 1
    found = 0
    for points in (both, (board.everything, board.everything)):
        passed = (board.standable, east, south, *points)
        obstacles = _planes(board, *(board.everything & ~each for each in passed))
        found |= _seen_past(board, square, obstacles) ^ sees(ways, square)
    return found


def own_hindrance(board: Board, square: int) -> tuple[bool, int]:
    """Return whether a square itself is hindering, and the squares to which a line leaves it over a hindering edge."""
    passed = board.passes(board.everything, board.hindering_edges)
    beyond = 0
    for target in members(board.on_map & ~(1 << square)):
        across, down = board.column[target] - board.column[square], board.row[target] - board.row[square]
        _, _, way = next(walk(across, down))
        if not passed[DIRECTIONS.index(way)] >> square & 1:
            beyond |= 1 << target
    return bool(board.hindering >> square & 1), beyond


# Rows


def _crossed(board: Board, square: int, planes: int, hinders: bool) -> int:
    """Return the squares to which a line from this one crosses anything in these planes that matters."""
    row, crossed, shifted = 0, attrgetter("hindrance" if hinders else "sight"), {}
    for target in members(board.on_map) if board.on_map >> square & 1 else ():
        ray = _ray(board, square, target)
        if (corner := ray.corner) not in shifted:
            shifted[corner] = planes >> square + corner
        if shifted[corner] & crossed(ray):
            row |= 1 << target
    return row


def _seen_past(board: Board, square: int, obstacles: int) -> int:
    return board.on_map & ~_crossed(board, square, obstacles, False) if board.on_map >> square & 1 else 0


@law("NO-LOS-3", "NO-AMB-81")
def _obstacles(ways: Ways) -> int:
    """Return everything that blocks sight: blocking squares, walls and closed doors, and points with no way round
    them."""
    board, lines = ways.board, ways.lines
    passed = (board.standable, lines[E], lines[S], lines[SE], lines[SW] >> 1)
    return _planes(board, *(board.everything & ~each for each in passed))


@law("NO-DRM-7", "NO-AMB-44", "NO-AMB-81")
def _hindrances(board: Board, own: int = 0) -> int:
    """Return everything that hinders an attack: yellow squares and edges, and points with no way round them; an
    attacker's own squares do not count."""
    right, lower = board.hindering_edges
    right, lower = right & ~(own | own >> 1), lower & ~(own | own >> board.width)
    lines = board.passes(board.everything, Edges(right, lower))
    passed = (lines[E], lines[S], lines[SE], lines[SW] >> 1)
    below, beside = right >> board.width, lower >> 1  # the same edges of the squares below, and to the right
    leaving = (right & lower, right & beside, below & lower, below & beside)
    return _planes(board, board.hindering & ~own, *(board.everything & ~each for each in passed), *leaving)


def _planes(board: Board, *masks: int) -> int:
    return sum(each << number * board.size for number, each in enumerate(masks))


# Rays


def _ray(board: Board, a: int, b: int) -> Ray:
    offset = board.places[b] - board.places[a]
    try:
        ray: Ray = board.rays[offset]
    except KeyError:
        ray = board.rays[offset] = _cast(board, board.column[b] - board.column[a], board.row[b] - board.row[a])
    return ray


def _cast(board: Board, across: int, down: int) -> Ray:
    left, top = min(across, 0), min(down, 0)
    entered = sight = hindrance = 0
    for column, row, way in walk(across, down):
        to = (column + way[0], row + way[1])
        entered |= 1 << _bit(board, to[0] - left, to[1] - top)
        at = _bit(board, min(column, to[0]) - left, min(row, to[1]) - top)
        crossed = 1 << CROSSED[way] * board.size + at
        sight |= crossed
        if (column, row) != (0, 0):
            hindrance |= crossed
        elif way in LEAVING:
            hindrance |= 1 << LEAVING[way] * board.size + at
    last = 1 << _bit(board, across - left, down - top)
    return Ray(_bit(board, left, top), entered & ~last, sight | entered & ~last, hindrance | entered)


def _bit(board: Board, column: int, row: int) -> int:
    return row * board.width + column


@law("NO-LOS-2")
def walk(across: int, down: int) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """Yield each square that a line leaves on its way from the centre of one square to that of another: its column and
    row, from 0, and the direction.

    Along a line of length one, the upright edges are crossed at (2i + 1) / (2 * across), the flat ones at (2j + 1) /
    (2 * down); where both are the same, it goes exactly through a point.

    >>> [way for _, _, way in walk(3, 1)]
    [(1, 0), (1, 1), (1, 0)]
    """
    columns, rows = abs(across), abs(down)
    right, below = (1 if across > 0 else -1), (1 if down > 0 else -1)
    i = j = 0
    while i < columns or j < rows:
        upright, flat = (2 * i + 1) * rows, (2 * j + 1) * columns
        way = (right if upright <= flat else 0, below if upright >= flat else 0)
        yield i * right, j * below, way
        i += upright <= flat
        j += upright >= flat


def clear_shots(ways: Ways, target: int, range_: int) -> int:
    """Return the squares with a target in this Range and in sight, unhindered by terrain. They are cached."""
    asked = target, range_
    if asked not in ways.shots:
        found = 0
        for square in members(ways.board.in_range(target, range_) & sees(ways, target)):
            if not hindered_row(ways, square) >> target & 1:
                found |= 1 << square
        ways.shots[asked] = found
    return ways.shots[asked]


class Shots(NamedTuple):
    """Where a hero can be shot from: in Range, in sight, and hindered at most by figures."""

    at: int
    """The square of the hero."""
    squares: int
    figures: int
    """The squares of all other figures."""


def aims(board: Board, squares: int, shots: Iterable[Shots]) -> int:
    """Return those of some squares from which at least one of the shots is clear."""
    found = 0
    for shot in shots:
        for square in members(shot.squares & squares & ~found):
            if not between(board, square, shot.at) & shot.figures:
                found |= 1 << square
    return found


def bucks_of(table: Table, hero: Hero) -> int:
    """Return a hero's bucks, loose and on cards (NO-AMB-72)."""
    return hero.bucks + sum(int(table.box.piece(card).get("bucks") or 0) for card in hero.loot)


@law("NO-AMB-140")
def purse_of(table: Table, hero: Hero) -> int:
    """Return the bucks that a hero can spend: its own, or on board those of all heroes."""
    heroes = table.heroes if table.phase == INTERLUDE else [hero]
    return sum(bucks_of(table, one) for one in heroes)
