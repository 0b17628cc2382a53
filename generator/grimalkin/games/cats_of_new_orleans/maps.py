"""Maps as boards: a Board from the facts of a map and, for each state of its doors, the Ways on it.

Squares are numbers, row by row from the upper left; sets of squares are bit masks (`engine.kinds.mask`, `members`), and
so are sets of doors. Whatever holds for many squares is computed for all of them together, by shifting whole masks.

Edges inside a map are to the right of a square or below it. The outline, with its exits, is never crossed: leaving the
map is an action, and no line of sight crosses squares that are off the map.

`reach` finds the squares where a hero can end with its movement points (MP), and their costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Annotated, Any, Final, NamedTuple

from grimalkin.engine.kinds import mask, members
from grimalkin.engine.law import By, law

TERRAIN: Final[Annotated[Mapping[str, str], By("NO-TERR-1")]] = {"blocking": "#", "hindering": ":", "water": "~"}
"""The signs of terrain on squares; hindering terrain and water may also be edges."""
WALL: Final = "|"
DOORS: Final = "Dd"
OPEN: Final = "d"
"""A door that is open at the start."""
OFF: Final = " "
"""A square that is not on the map."""
BIG: Final[Annotated[int, By("NO-GEN-15")]] = 2
"""Small squares along the side of a big one, and of a large figure."""
POINT_BLANK: Final[Annotated[int, By("NO-RNG-2", "NO-RNG-5")]] = 1
"""The Range that no attack from afar covers."""
FROM_AFAR: Final[Annotated[int, By("NO-RNG-3", "NO-RNG-4", "NO-RNG-5", "NO-RNG-6", "NO-AMB-8")]] = 4
"""From this Range on, an attack covers nothing at point-blank range."""

DIRECTIONS: Final = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
"""Steps across and down, in the order of the squares they lead to."""
NW, N, NE, W, E, SW, S, SE = range(len(DIRECTIONS))
STRAIGHT: Final[Annotated[tuple[int, ...], By("NO-GEN-2", "NO-AMB-65")]] = (N, W, E, S)
EVERY_WAY: Final[Annotated[tuple[int, ...], By("NO-GEN-3")]] = tuple(range(len(DIRECTIONS)))
UNKNOWN: Final = -1
"""A mask that has not been computed yet."""
MOST_KEPT: Final = 256
"""The most floods that are cached."""
FAR: Final = 10_000
"""More steps than any map has: nothing can be reached."""


class Edges(NamedTuple):
    """A set of edges inside a map: the squares to the left of upright ones, and those above flat ones."""

    right: int
    lower: int

    def joined(self, others: Edges) -> Edges:
        """Return these edges and the others."""
        return Edges(self.right | others.right, self.lower | others.lower)


class Door(NamedTuple):
    """A door, named by the square to its left or above it, and by the side of that square."""

    name: str
    a: int
    b: int
    upright: bool


class Step(NamedTuple):
    """A step to one of the squares around a figure's own."""

    to: int
    diagonal: bool
    hinders: bool
    """Whether it crosses a hindering edge."""
    wets: bool
    """Whether it crosses an edge with water. Round a corner, a figure takes the side without one."""


class Board:
    """A map, independent of its doors. It never changes, but caches results."""

    __slots__ = (
        *("name", "width", "height", "size", "column", "row", "names", "numbers", "shifts"),
        *("everything", "inner", "on_map", "blocking", "hindering", "water", "standable"),
        *("walls", "hindering_edges", "water_edges", "exits", "doors", "doors_of", "first_open"),
        *("marks", "spaces", "track", "big", "bigs", "big_names", "neighbouring_bigs", "aligned", "fits"),
        *("_ways", "_within", "_covered", "places", "rays", "hindrances", "hindered"),
    )

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self.name: Final[str] = facts["name"]
        self.width: Final = len(facts["squares"][0])
        self.height: Final = len(facts["squares"])
        self.size: Final = self.width * self.height
        self.column: Final = tuple(square % self.width for square in range(self.size))
        self.row: Final = tuple(square // self.width for square in range(self.size))
        """The column and row of each square, from 0."""
        self.places: Final = tuple(
            row * 2 * self.width + column for column, row in zip(self.column, self.row, strict=True)
        )
        """A number for each square; the difference of two gives away how far apart they are, across and down."""
        self.names: Final = tuple(map(square_name, self.column, self.row))
        self.numbers: Final = {name: square for square, name in enumerate(self.names)}
        self.shifts: Final = tuple(across + down * self.width for across, down in DIRECTIONS)
        """The number that each direction adds to that of a square."""

        signs = "".join(facts["squares"])
        self.everything: Final = (1 << self.size) - 1
        """The whole lattice, on the map or not."""
        self.inner: Final = mask(square for square, column in enumerate(self.column) if column < self.width - 1)
        """The lattice without its last column."""
        self.on_map: Final = self.everything & ~_signed(signs, OFF)
        self.blocking: Final = _signed(signs, TERRAIN["blocking"])
        self.hindering: Final = _signed(signs, TERRAIN["hindering"])
        self.water: Final = _signed(signs, TERRAIN["water"])
        self.standable: Final = self.on_map & ~self.blocking

        self.walls: Final = self._edges(facts, WALL)
        self.hindering_edges: Final = self._edges(facts, TERRAIN["hindering"])
        self.water_edges: Final = self._edges(facts, TERRAIN["water"])
        self.exits: Final = mask(_exits(facts, self.width))
        """Squares with a green arrow on an edge."""
        self.doors: Final = tuple(self._doors(self._edges(facts, DOORS)))
        self.first_open: Final = mask(map(self.doors.index, self._doors(self._edges(facts, OPEN))))
        """The doors that are open at the start."""
        self.doors_of: Final = tuple(
            mask(number for number, door in enumerate(self.doors) if square in (door.a, door.b))
            for square in range(self.size)
        )
        """By square, the doors on its edges."""

        marks = sorted((self.numbers[name], mark) for name, mark in facts["marks"].items())
        self.marks: Final = {letter: tuple(square for square, mark in marks if mark == letter) for _, letter in marks}
        self.spaces: Final[int] = facts["spaces"]
        self.track: Final = {letter: tuple(spaces) for letter, spaces in facts["track"].items()}

        across = -(-self.width // BIG)
        pairs = zip(self.column, self.row, strict=True)
        self.big: Final = tuple(row // BIG * across + column // BIG for column, row in pairs)
        """The big square of each square."""
        corners = [self.big.index(big) for big in range(self.big[-1] + 1)]
        self.bigs: Final = tuple(
            mask(square for square in members(self.on_map) if self.big[square] == big) for big in range(len(corners))
        )
        self.big_names: Final = tuple(self.names[corner] for corner in corners)
        self.neighbouring_bigs: Final = tuple(
            tuple(big for big, other in enumerate(corners) if self.bigs[big] and self.distance(one, other) == BIG)
            for one in corners
        )
        """By big square, its orthogonal neighbours on the map."""
        self.aligned: Final = mask(corners)
        """The upper left squares of big ones."""
        self.fits: Final = self.inner & on_all_four(self.on_map, self.width)
        """The upper left squares of blocks of four that are all on the map."""

        self._ways: Final[dict[int, Ways]] = {}
        self._within: Final[dict[tuple[int, int], int]] = {}
        self._covered: Final[dict[tuple[int, int], int]] = {}
        # Caches of `sight` for a map, explained there.
        self.rays: Final[dict[int, Any]] = {}
        self.hindrances = UNKNOWN
        self.hindered: Final = [UNKNOWN] * self.size

    def _edges(self, facts: Mapping[str, Any], signs: str) -> Edges:
        """Return the edges inside the map that have one of these signs."""
        right = "".join(row[1:] for row in facts["upright"])
        return Edges(_signed(right, signs) & self.inner, _signed("".join(facts["flat"][1:-1]), signs))

    def _doors(self, edges: Edges) -> list[Door]:
        """Return the doors on these edges, in the order of their squares, right before below."""
        sides = [(square, 1, "e") for square in members(edges.right)]
        sides += [(square, self.width, "s") for square in members(edges.lower)]
        sides.sort(key=itemgetter(0, 2))
        return [Door(f"{self.names[at]}{side}", at, at + add, side == "e") for at, add, side in sides]

    def ways(self, open_doors: int) -> Ways:
        """Return the Ways while these doors are open and the others closed."""
        try:
            return self._ways[open_doors]
        except KeyError:
            return self._ways.setdefault(open_doors, Ways(self, open_doors))

    @law("NO-AMB-10", "NO-RNG-1")
    def distance(self, a: int, b: int) -> int:
        """Return the distance between two squares, counted orthogonally and through walls."""
        return abs(self.column[a] - self.column[b]) + abs(self.row[a] - self.row[b])

    @law("NO-AMB-83")
    def king(self, a: int, b: int) -> int:
        """Return the number of king's steps between two squares, ignoring everything between."""
        return max(abs(self.column[a] - self.column[b]), abs(self.row[a] - self.row[b]))

    def within(self, square: int, most: int) -> int:
        """Return the squares at most this far from a square."""
        found = self._within.get((square, most))
        if found is None:
            found = mask(at for at in members(self.on_map) if self.distance(at, square) <= most)
            self._within[square, most] = found
        return found

    @law("NO-RNG-2", "NO-RNG-3", "NO-RNG-4", "NO-RNG-5", "NO-RNG-6", "NO-AMB-8", "NO-AMB-9")
    def in_range(self, square: int, reach: int) -> int:
        """Return the squares that an attack of this Range covers: from 4 on none at point-blank range, at 0 only its
        own."""
        try:
            return self._covered[square, reach]
        except KeyError:
            covered = self.within(square, reach)
            covered = covered if reach < FROM_AFAR else covered & ~self.within(square, POINT_BLANK)
            return self._covered.setdefault((square, reach), covered)

    def standing_on(self, squares: int) -> int:
        """Return the upper left squares of the large figures that cover any of these."""
        both = squares | squares >> 1
        return (both | both >> self.width) & self.fits

    @law("NO-LARGE-1")
    def footprint(self, square: int) -> int:
        """Return the four squares under a large figure, by the upper left one; none if they are not all on the map."""
        return (0b11 | 0b11 << self.width) << square if self.fits >> square & 1 else 0

    def rings(self, squares: int) -> Iterator[int]:
        """Yield the squares by their king's steps from any of these, ignoring everything between."""
        inner, outer, width = self.inner, self.inner << 1, self.width
        found, ring = 0, squares
        while ring:
            yield ring
            found |= ring
            row = found | (found & inner) << 1 | (found & outer) >> 1
            ring = (row | row << width | row >> width) & self.everything & ~found

    @law("NO-AMB-19", "NO-AMB-81")
    def passes(self, ground: int, edges: Edges) -> tuple[int, ...]:
        """Return, by direction, the squares with a way to the next one over this ground and over none of the edges.

        A diagonal has two ways, over either of the squares at its corner, and one is enough.
        """
        width = self.width
        east = ground & ground >> 1 & self.inner & ~edges.right
        south = ground & ground >> width & ~edges.lower
        west, north = east << 1, south << width
        return (
            west & (north << 1) | north & (west << width),
            north,
            east & (north >> 1) | north & (east << width),
            west,
            east,
            west & (south << 1) | south & (west >> width),
            south,
            east & (south >> 1) | south & (east >> width),
        )


class Ways:
    """What walls, doors and the outline of a map allow with some of its doors open."""

    def __init__(self, board: Board, open_doors: int) -> None:
        self.board: Final = board
        self.open_doors: Final = open_doors
        doors = [door for number, door in enumerate(board.doors) if not open_doors >> number & 1]
        self.closed: Final = board.walls.joined(
            Edges(mask(door.a for door in doors if door.upright), mask(door.a for door in doors if not door.upright))
        )
        """Walls and closed doors."""
        self.lines: Final = board.passes(board.on_map, self.closed)
        """By direction, the squares from which a line leads to the next one, blocking or not."""
        self.walks: Final = _walks(board, self.closed)
        """By direction, the squares from which a figure can go to the next one."""
        # Caches of `sight` for this state of the doors, explained there.
        self.obstacles = UNKNOWN
        self.seen: Final = [UNKNOWN] * board.size
        # Caches for vermin, which ask for the same results repeatedly.
        self.floods: Final[dict[tuple[int, int], Flood]] = {}
        self.shots: Final[dict[tuple[int, int], int]] = {}

    @cached_property
    def adjacent(self) -> tuple[int, ...]:
        """By square, its orthogonal neighbours with no wall or closed door between, blocking ones included."""
        return _targets(self.board, STRAIGHT, self.lines)

    @cached_property
    def surrounding(self) -> tuple[int, ...]:
        """By square, those of the eight around it that a line leads to."""
        return _targets(self.board, EVERY_WAY, self.lines)

    @cached_property
    def near(self) -> tuple[int, ...]:
        """By square, the squares that one step leads to."""
        return _targets(self.board, EVERY_WAY, self.walks)

    @cached_property
    def steps(self) -> tuple[tuple[Step, ...], ...]:
        """By square, the steps that terrain and walls allow, in the order of the squares they lead to."""
        board = self.board
        dry = _walks(board, self.closed.joined(board.water_edges))
        free = _walks(board, self.closed.joined(board.hindering_edges))
        return tuple(
            tuple(
                Step(at + board.shifts[way], way not in STRAIGHT, not free[way] >> at & 1, not dry[way] >> at & 1)
                for way in EVERY_WAY
                if self.walks[way] >> at & 1
            )
            for at in range(board.size)
        )

    @cached_property
    def wet_steps(self) -> tuple[int, ...]:
        """By square, the squares that a step over water leads to."""
        return tuple(mask(step.to for step in steps if step.wets) for steps in self.steps)

    def flood(self, sources: int, free: int) -> Flood:
        """Return squares by their fewest steps from any source, sources first, entering only free squares.

        The latest results are cached, as vermin ask for the same ones repeatedly.
        """
        asked = sources, free
        kept = self.floods.get(asked)
        if kept is None:
            if len(self.floods) >= MOST_KEPT:
                self.floods.clear()
            kept = self.floods[asked] = Flood(self.around, sources, free)
        return kept

    def around(self, squares: int) -> int:
        """Return the squares that one step leads to from any of these."""
        nw, n, ne, w, e, sw, s, se = self.walks
        width = self.board.width
        more, less = width + 1, width - 1
        return (
            (squares & e) << 1
            | (squares & w) >> 1
            | (squares & s) << width
            | (squares & n) >> width
            | (squares & se) << more
            | (squares & nw) >> more
            | (squares & sw) << less
            | (squares & ne) >> less
        )

    def large_around(self, squares: int) -> int:
        """Return the squares, the upper left ones of a large figure, that one of its steps leads to from any of
        these."""
        found = 0
        for far, way, sources in self.large_walks:
            found |= _shifted(squares & sources, far * self.board.shifts[way])
        return found

    @cached_property
    def large_places(self) -> int:
        """The squares where a large figure may stand, by its upper left square."""
        return _large_places(self)

    @cached_property
    def large_walks(self) -> tuple[tuple[int, int, int], ...]:
        """The steps of a large figure: how far, in which direction, and from which upper left squares."""
        return (*_large_walks(self, EVERY_WAY, 1), *_large_walks(self, STRAIGHT, BIG))

    @cached_property
    def large_steps(self) -> tuple[tuple[int, ...], ...]:
        """By the upper left square of a large figure, those that one step leads to."""
        return _large_steps(self, 1)

    @cached_property
    def large_big_steps(self) -> tuple[tuple[int, ...], ...]:
        """The same for a large figure that moves from one big square to another."""
        return _large_steps(self, BIG)


class Flood(Sequence[int]):
    """Squares by their fewest steps from some sources, each wave found when somebody asks for it."""

    __slots__ = ("_around", "_found", "_free")

    def __init__(self, around: Callable[[int], int], sources: int, free: int) -> None:
        self._around = around
        self._free = free & ~sources
        self._found = [sources] if sources else []

    def first(self, wanted: int) -> int:
        """Return the number of the first wave with any of these squares; FAR if none has one."""
        found = self._found
        for number, wave in enumerate(found):
            if wave & wanted:
                return number
        while self._goes_on():
            if found[-1] & wanted:
                return len(found) - 1
        return FAR

    def _goes_on(self) -> bool:
        """Find the next wave, and return whether there is one."""
        free = self._free
        if not free or not self._found:
            return False
        if wave := self._around(self._found[-1]) & free:
            self._found.append(wave)
            self._free = free ^ wave
            return True
        self._free = 0
        return False

    def __iter__(self) -> Iterator[int]:
        number = 0
        while number < len(self._found) or self._goes_on():
            yield self._found[number]
            number += 1

    def __len__(self) -> int:
        while self._goes_on():
            pass
        return len(self._found)

    def __getitem__(self, at: Any) -> Any:
        """Return a wave, or several; only those up to the last one asked for are found."""
        last = at.stop if isinstance(at, slice) else at
        while (last is None or last < 0 or last >= len(self._found)) and self._goes_on():
            pass
        return self._found[at]


# Tables of Ways


@law("NO-TERR-2")
def _walks(board: Board, closed: Edges) -> tuple[int, ...]:
    """Return, by direction, the squares from which a figure can step to the next one without crossing these edges."""
    return board.passes(board.standable, closed)


@law("NO-AMB-82")
def _targets(board: Board, directions: Iterable[int], sources: Sequence[int]) -> tuple[int, ...]:
    """Return, by square, the squares that directions lead to, given those from which each direction leads anywhere."""
    targets = [0] * board.size
    for way in directions:
        for square in members(sources[way]):
            targets[square] |= 1 << square + board.shifts[way]
    return tuple(targets)


@law("NO-LARGE-2")
def _large_places(ways: Ways) -> int:
    """Return where a large figure may stand: on one blocking square at most, and over no wall or closed door."""
    board, width = ways.board, ways.board.width
    both, either = board.blocking & board.blocking >> 1, board.blocking | board.blocking >> 1
    crowded = both | both >> width | either & either >> width
    east, south = ways.lines[E], ways.lines[S]
    return board.fits & east & east >> width & south & south >> 1 & ~crowded


@law("NO-LARGE-2", "NO-LARGE-4", "NO-AMB-48", "NO-PWR-13")
def _large_walks(ways: Ways, directions: Sequence[int], far: int) -> Iterator[tuple[int, int, int]]:
    """Yield the steps of a large figure, by one square or two, if none of its squares crosses a wall or closed door.

    A blocking square under it is ignored on the way too.
    """
    board = ways.board
    for way in directions:
        sources = board.fits & on_all_four(ways.lines[way], board.width)
        sources &= _shifted(ways.large_places, -far * board.shifts[way])
        if far == BIG:
            sources &= board.aligned  # its second step stays inside the place where it ends
        yield far, way, sources


def _large_steps(ways: Ways, far: int) -> tuple[tuple[int, ...], ...]:
    """Return, by upper left square, the steps of a large figure by this many squares."""
    board = ways.board
    targets: list[tuple[int, ...]] = [()] * board.size
    for far_, way, sources in ways.large_walks:
        for square in members(sources) if far_ == far else ():
            targets[square] += (square + far * board.shifts[way],)
    return tuple(targets)


# Masks and facts


def on_all_four(squares: int, width: int) -> int:
    """Return the upper left squares of blocks of four that belong to a set. The last column is meaningless."""
    both = squares & squares >> 1
    return both & both >> width


def _shifted(squares: int, shift: int) -> int:
    """Return squares with their numbers shifted by this many."""
    return squares << shift if shift > 0 else squares >> -shift


def _signed(signs: str, wanted: str) -> int:
    return mask(number for number, sign in enumerate(signs) if sign in wanted)


def _exits(facts: Mapping[str, Any], width: int) -> Iterator[int]:
    """Yield the squares that arrows point out of."""
    for row, edges in enumerate(facts["upright"]):
        yield from (row * width + at - (sign == ">") for at, sign in enumerate(edges) if sign in "<>")
    for row, edges in enumerate(facts["flat"]):
        yield from ((row - (sign == "v")) * width + at for at, sign in enumerate(edges) if sign in "^v")


def square_name(column: int, row: int) -> str:
    """Return the name of a square as maps write it, from its column and row, counted from 0.

    >>> square_name(2, 2), square_name(26, 0)
    ('c3', 'aa1')
    """
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return f"{letters}{row + 1}"


STRIDE: Final = 40
"""The difference between the numbers of two squares one below the other, on every map."""
SQUARES: Final = tuple(square_name(column, row) for row in range(40) for column in range(STRIDE))
"""The name of every square that a map can have, by its number."""
NUMBERS: Final = {name: number for number, name in enumerate(SQUARES)}

# Reach of movement points

STEP_COST: Final[Annotated[int, By("NO-MOVE-2")]] = 1
DIAGONAL_COST: Final[Annotated[int, By("NO-MOVE-3")]] = 2
HINDERING_COST: Final[Annotated[int, By("NO-MOVE-4", "NO-TERR-3", "NO-AMB-21")]] = 1
"""Added only once, however much hinders."""


@law("NO-MOVE-1", "NO-MOVE-2", "NO-MOVE-3", "NO-MOVE-4", "NO-AMB-21", "NO-ACT-7")
def step_cost(board: Board, step: Step, crowded: int, free: bool = False) -> int:
    """Return the MP of a step, with figures on the crowded squares; `free` ignores everything that hinders."""
    cost = DIAGONAL_COST if step.diagonal else STEP_COST
    if not free and (step.hinders or (board.hindering | crowded) >> step.to & 1):
        cost += HINDERING_COST
    return cost


@law("NO-MOVE-6", "NO-TERR-4", "NO-ACT-7", "NO-AMB-22")
def reach(
    ways: Ways, square: int, points: int, barred: int, crowded: int, free: bool = False, leap: bool = False
) -> dict[int, int]:
    """Return the squares where a hero can end with these MP, each with its lowest cost; not its own square.

    Barred squares cannot be entered, only crossed with `leap`. A hero that enters water goes no further.
    """
    board, far = ways.board, points + 1
    ends: dict[int, int] = {}
    leads_on = {square: 0}  # squares reached on land; over water some may cost less
    spending: list[list[int]] = [[square], *([] for _ in range(points))]
    for spent, squares in enumerate(spending[:points]):
        for at in squares:
            for step in ways.steps[at]:
                to = step.to
                if leads_on.get(to, far) <= spent + STEP_COST:
                    continue  # every step costs at least this
                cost = spent + step_cost(board, step, crowded, free)
                is_barred = barred >> to & 1
                if cost > points or (is_barred and not leap):
                    continue
                if not is_barred and cost < ends.get(to, far):
                    ends[to] = cost
                if not step.wets and not board.water >> to & 1 and cost < leads_on.get(to, far):
                    leads_on[to] = cost
                    spending[cost].append(to)
    return ends


def can_land(ways: Ways, square: int, points: int, barred: int) -> bool:
    """Return whether a Pounce can go on from a square to one that is not barred."""
    return points > 0 and bool(
        ways.near[square] & ~barred & ways.board.within(square, points)
        or reach(ways, square, points, barred, 0, free=True, leap=True)
    )


def union(rows: Sequence[int], squares: int) -> int:
    """Return all squares in the rows of these squares."""
    if squares and not squares & squares - 1:
        return rows[squares.bit_length() - 1]
    found = 0
    for square in members(squares):
        found |= rows[square]
    return found


def within_walls(ways: Ways, squares: int, within: int) -> int:
    """Return the squares connected to these by a way within others, with no wall or closed door between."""
    found = edge = squares
    while edge:
        edge = union(ways.adjacent, edge) & within & ~found
        found |= edge
    return found
