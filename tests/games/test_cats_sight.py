"""Maps of The Cats of New Orleans: who sees what, what hinders, and how far attacks and figures go.

By hand on drawn maps, and on random ones against oracles that look at two squares at a time. Maps are drawn as in the
content, without the letters of columns and the numbers of rows; a test fills in the marks, and compares the drawings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise, product
from random import Random
from textwrap import dedent
from typing import Any, NamedTuple

import pytest
from soak import seeded

from grimalkin.content.squares import square_name
from grimalkin.engine.kinds import mask, members
from grimalkin.games.cats_of_new_orleans.figures import any_sees, between, hindered, hindered_row, sees
from grimalkin.games.cats_of_new_orleans.maps import DIRECTIONS, FAR, Board, Flood, Step, Ways, reach, step_cost
from grimalkin.games.cats_of_new_orleans.players import pictures

Facts = dict[str, Any]
Square = tuple[int, int]
"""Column and row."""
Edge = frozenset[Square]
"""The two squares on its sides."""
Find = Callable[[Ways, int], int]


# Maps as text


def lines_of(text: str) -> list[str]:
    lines = dedent(text).strip("\n").split("\n")
    return [line.ljust(len(lines[0])) for line in lines]


def read(text: str) -> Facts:
    """The facts of a drawn map."""
    lines = lines_of(text)
    columns = len(lines[0]) // 4
    marks = {
        square_name(column, row): mark
        for row, line in enumerate(lines[1::2])
        for column in range(columns)
        if (mark := line[4 * column + 1 : 4 * column + 3].strip())
    }
    squares = [line[3::4] for line in lines[1::2]]
    upright = [line[::4] for line in lines[1::2]]
    flat = [line[2::4].replace("-", "|") for line in lines[::2]]
    return {"name": "Drawn", "spaces": 0, "track": {}} | {
        "squares": squares,
        "upright": upright,
        "flat": flat,
        "marks": marks,
    }


def redrawn(text: str, marks: Mapping[int, str]) -> list[str]:
    """A drawn map with these marks and no others."""
    lines = lines_of(text)
    columns = len(lines[0]) // 4
    for row, index in enumerate(range(1, len(lines), 2)):
        for column in range(columns):
            at = 4 * column + 1
            lines[index] = f"{lines[index][:at]}{marks.get(row * columns + column, ''):2}{lines[index][at + 2 :]}"
    return lines


def with_stars(text: str, find: Find) -> list[str]:
    """A drawn map with a star on every square that is found from the one with the eye, @."""
    board = Board(read(text))
    (eye,) = board.marks["@"]
    return redrawn(text, dict.fromkeys(members(find(board.ways(board.first_open), eye)), "*") | {eye: "@"})


# Sight by hand


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            """
            +---.---+---.---+---.
            |* . * .|  .   .   .|
            .   .   .   .   .   .
            |* . @ .|  .   .   .|
            +   .   +   .   +   .
            |* . * .|  .   .   .|
            .   .   .   .   .   .
            |* . * .|  .   .   .|
            +---.---+---.---+---.
            """,
            id="a straight wall has no gaps at its joints",
        ),
        pytest.param(
            """
            +---.---+---.---+---.
            |* . * .|  .   .   .|
            .   .   .   .   .   .
            |* . * .|  .   .   .|
            +   .   +   .   +   .
            |* . * .|  . * . * .|
            .   .   .   .   .   .
            |@ . * . * . * . * .|
            +---.---+---.---+---.
            """,
            id="the end of a wall is a mere corner",
        ),
        pytest.param(
            """
            +---.---+---.---+---.
            |@ . * .|  .   .   .|
            .   .   .   .   .   .
            |* . * .|  .   .   .|
            +---.---+   .   +   .
            |  .   .   .   .   .|
            .   .   .   .   .   .
            |  .   .   .   .   .|
            +---.---+---.---+---.
            """,
            id="the corner of a room is closed",
        ),
        pytest.param(
            """
            +---.---+---.---+---.
            |  .   .|* . * . * .|
            .   .   .   .   .   .
            |  .   .|* . * . * .|
            +---.---+   .   +   .
            |* . * . @ . * . * .|
            +---.---+---.---+---.
            """,
            id="from outside too",
        ),
        pytest.param(
            """
            +---.---+---.---+---.
            |@ . * . * #   .   .|
            .   .   .   .   .   .
            |* . * #   . * .   .|
            +   .   +   .   +   .
            |* #   .   .   .   .|
            .   .   .   .   .   .
            |  . * .   .   .   .|
            +---.---+---.---+---.
            """,
            id="between blocks that touch at a corner there is a gap",
        ),
        pytest.param(
            """
            +---.---+---.---+---.
            |@ . * . * . * . * .|
            .   .   .   .   .   .
            |* . * #   . * . * .|
            +   .   +   .   +   .
            |* .   .   .   .   .|
            .   .   .   .   .   .
            |* . * .   .   .   .|
            +---.---+---.---+---.
            """,
            id="past a single corner",
        ),
        pytest.param(
            """
            +---.---+---.---+---.
            |* . * .   . * . * .|
            .   .   .---.   .   .
            |* . * .|* . * . * .|
            +   .   +   .   +   .
            |* . @ . * . * . * .|
            +---.---+---.---+---.
            """,
            id="two thin walls and the squares in their shadow",
        ),
        pytest.param(
            """
            +---.---+---.---+---.
            |  . * .   .D* . * .|
            .---.ddd.---.   .   .
            |* . * . * .d* . * .|
            +   .   +   .---+---.
            |* . @ . * . * . * .|
            +---.---+---.---+---.
            """,
            id="open doors",
        ),
        pytest.param(
            """
            +---.---+---.---+---.
            |  .   .   .d  .   .|
            .---.DDD.---.   .   .
            |* . * . * .D  .   .|
            +   .   +   .---+---.
            |* . @ . * . * . * .|
            +---.---+---.---+---.
            """,
            id="closed doors",
        ),
        pytest.param(
            """
            +---.---+       +---.
            |* . * .>       |  .|
            .   .   .       .   .
            |@ . * .>       |  .|
            +   .   +vvv.---+   .
            |* . * . * . * .   .|
            .   .   .   .   .   .
            |* . * . * . * . * .|
            +---.---+---.---+---.
            """,
            id="nobody looks over what is no map",
        ),
        pytest.param(
            """
            +---.---+---.---+
            |* . * : * ~ * .|
            .   .:::.   .   .
            |@ : * :~* . * .|
            +---.---+---.---+
            """,
            id="hindering terrain and water are looked over",
        ),
    ],
)
def test_what_is_in_sight(text: str) -> None:
    """Squares with a star are in sight of the eye, and no others; blocking ones are seen and end the look."""
    assert lines_of(text) == with_stars(text, lambda ways, eye: sees(ways, eye) & ~(1 << eye))


def test_one_sees_its_own_square_and_several_see_what_one_of_them_sees() -> None:
    """NO-AMB-87: a large figure is seen by who sees any of its squares."""
    board = Board(read("+---.---+\n|  .|  .|\n+---.---+"))
    ways = board.ways(0)

    assert [0b01, 0b10] == [sees(ways, 0), sees(ways, 1)]
    assert 0b11 == any_sees(ways, 0b11)
    assert 0 == any_sees(ways, 0)


@pytest.mark.parametrize(
    ("across", "down", "squares"),
    [(1, 0, []), (1, 1, []), (3, 0, [(1, 0), (2, 0)]), (2, 1, [(1, 0), (1, 1)]), (3, 1, [(1, 0), (2, 1)])],
)
def test_what_lies_between(across: int, down: int, squares: list[Square]) -> None:
    """Squares that the line enters, ends apart; not those of which it touches a corner."""
    board = Board(read("+---.---+---.---+---.---+---.\n" + "\n".join(["|  " + ".   " * 6 + ".|", "." * 29] * 7)))

    def number(column: int, row: int) -> int:
        return (3 + row) * 7 + 3 + column

    for right, below in product((1, -1), repeat=2):
        expected = mask(number(right * column, below * row) for column, row in squares)

        assert expected == between(board, number(0, 0), number(right * across, below * down))


# Hindering terrain by hand


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            """
            +---.---+---.---+
            |@ ::  .   . * :|
            .:::.   .:::.   .
            |  .   .   .   .|
            +   .   +   .   +
            |  . * :   .   .|
            +---.---+---.---+
            """,
            id="not what belongs to its own square, not a mere corner",
        ),
        pytest.param(
            """
            +---.---+---.---+
            |  .   . * : * .|
            .   .   .   .   .
            |@ .   . * : * .|
            +   .   +   .   +
            |  .   .   .   .|
            +---.---+---.---+
            """,
            id="into and through yellow squares",
        ),
        pytest.param(
            """
            +---.---+---.---+
            |@ .   .   .:* .|
            .   .:::.   .   .
            |  .   . * .   .|
            +   .:::+   .   +
            |  . * .   . * .|
            +---.---+---.---+
            """,
            id="an edge counts where it is crossed",
        ),
        pytest.param(
            """
            +---.---+---.---+
            |@ .   .   .   .|
            .   .   .:::.   .
            |  . * : * .   .|
            +   .   +   .   +
            |  . * . * . * .|
            +---.---+---.---+
            """,
            id="at a point, one of the two ways round it is free",
        ),
        pytest.param(
            """
            +---.---+---.---+
            |@ .   .   .   .|
            .   .   .:::.   .
            |  .   .:* . * .|
            +   .   +   .   +
            |  .   .   . * .|
            +---.---+---.---+
            """,
            id="at a point, both ways round it are yellow",
        ),
        pytest.param(
            """
            +---.---+---.---+
            |@ .   .:* . * .|
            .   .:::.   .   .
            |  .:* . * . * .|
            +   .   +   .   +
            |  . * . * . * .|
            +---.---+---.---+
            """,
            id="at the first point, both edges that are not its own are yellow",
        ),
    ],
)
def test_what_is_hindered(text: str) -> None:
    """Terrain hinders an attack from the eye at the squares with a star, and at no others."""
    assert lines_of(text) == with_stars(text, hindered_row)


# Sight against an oracle


class Ground(NamedTuple):
    """A map as oracles look at it: pairs and sets, and nothing worked out before."""

    board: Board
    standable: set[Square]
    on_map: set[Square]
    hindering: set[Square]
    closed: set[Edge]
    """Walls and closed doors."""
    yellow: set[Edge]
    blue: set[Edge]
    opaque: set[Square]

    def square(self, number: int) -> Square:
        return number % self.board.width, number // self.board.width

    def number(self, square: Square) -> int:
        return square[1] * self.board.width + square[0]


def edges_of(drawn: Facts, signs: str) -> set[Edge]:
    """The edges inside a map that have one of these signs."""
    upright = {
        frozenset(((column - 1, row), (column, row)))
        for row, line in enumerate(drawn["upright"])
        for column, sign in enumerate(line)
        if sign in signs and 0 < column < len(line) - 1
    }
    return upright | {
        frozenset(((column, row - 1), (column, row)))
        for row, line in enumerate(drawn["flat"])
        for column, sign in enumerate(line)
        if sign in signs and 0 < row < len(drawn["flat"]) - 1
    }


def ground_of(drawn: Facts, open_doors: set[str]) -> Ground:
    """How oracles see a map when doors of these names stand open."""
    board = Board(drawn)
    signs = {(x, y): sign for y, row in enumerate(drawn["squares"]) for x, sign in enumerate(row)}
    on_map = {square for square, sign in signs.items() if sign != " "}
    outline = {frozenset((one, (one[0] + x, one[1] + y))) for one in signs for x, y in ((1, 0), (0, 1))}
    doors = {
        edge
        for edge in edges_of(drawn, "Dd")
        if f"{square_name(*min(edge))}{'s' if min(edge)[0] == max(edge)[0] else 'e'}" not in open_doors
    }
    closed = edges_of(drawn, "|") | doors | {edge for edge in outline if not edge <= on_map}
    return Ground(
        board,
        {square for square in on_map if signs[square] != "#"},
        on_map,
        {square for square, sign in signs.items() if sign == ":"},
        closed,
        edges_of(drawn, ":"),
        edges_of(drawn, "~"),
        {square for square, sign in signs.items() if sign in "# "},
    )


def inside(a: Square, b: Square, square: Square) -> bool:
    """Whether some part of the segment between two centres, more than a point, lies within a square."""
    begin, end = Fraction(0), Fraction(1)
    for axis in (0, 1):
        start, length = Fraction(2 * a[axis] + 1, 2), b[axis] - a[axis]
        if length == 0:
            if not square[axis] < start < square[axis] + 1:
                return False
            continue
        sides = sorted(((square[axis] - start) / length, (square[axis] + 1 - start) / length))
        begin, end = max(begin, sides[0]), min(end, sides[1])
    return begin < end


def crosses(a: Square, b: Square, edge: Edge) -> bool:
    """Whether the segment between two centres goes through an edge, not through one of its ends."""
    one, other = sorted(edge)
    axis = 0 if one[1] == other[1] else 1
    if a[axis] == b[axis]:
        return False
    along = (other[axis] - Fraction(2 * a[axis] + 1, 2)) / (b[axis] - a[axis])
    at = Fraction(2 * a[1 - axis] + 1, 2) + along * (b[1 - axis] - a[1 - axis])
    return 0 < along < 1 and one[1 - axis] < at < one[1 - axis] + 1


def ways_round(a: Square, b: Square) -> Iterator[tuple[list[Edge], list[Edge]]]:
    """For each point through which the segment goes exactly, the edges of the two ways round it."""
    right, below = (1 if b[0] > a[0] else -1), (1 if b[1] > a[1] else -1)
    for column in range(min(a[0], b[0]) + 1, max(a[0], b[0]) + 1):
        along = Fraction(2 * column - 2 * a[0] - 1, 2 * (b[0] - a[0]))
        row = Fraction(2 * a[1] + 1, 2) + along * (b[1] - a[1])
        if a[1] != b[1] and row.denominator == 1:
            left, top = column - (right > 0), int(row) - (below > 0)
            one, other = (left, top), (left + right, top + below)
            corners = ((left + right, top), (left, top + below))
            ways = [[frozenset((one, corner)), frozenset((corner, other))] for corner in corners]
            yield ways[0], ways[1]


def is_seen(ground: Ground, a: Square, b: Square) -> bool:
    """NO-LOS-2, 3 and NO-AMB-81, told of two squares."""
    return (
        not any(inside(a, b, square) for square in ground.opaque - {a, b})
        and not any(crosses(a, b, edge) for edge in ground.closed)
        and all(any(ground.closed.isdisjoint(way) for way in ways) for ways in ways_round(a, b))
    )


def is_hindered(ground: Ground, a: Square, b: Square) -> bool:
    """NO-DRM-7, 8 and NO-AMB-44, 81, told of two squares."""
    yellow = {edge for edge in ground.yellow if a not in edge}
    return (
        any(inside(a, b, square) for square in ground.hindering - {a})
        or any(crosses(a, b, edge) for edge in yellow)
        or not all(any(yellow.isdisjoint(way) for way in ways) for ways in ways_round(a, b))
    )


def random_map(random: Random) -> Facts:
    """A small map of anything, walls in rows and doors among it."""
    width, height = random.randrange(2, 9), random.randrange(2, 9)
    some = random.choice((0.02, 0.1, 0.25))

    def edges(count: int) -> list[str]:
        return random.choices(" |Dd:~<", (1, some, some / 2, some / 2, some, some / 2, 0.01), k=count)

    squares = ["".join(random.choices(".#:~ ", (1, some, some, some, some / 4), k=width)) for _ in range(height)]
    squares[0] = "." + squares[0][1:]
    upright = [["|", *edges(width - 1), "|"] for _ in range(height)]
    flat = [["|"] * width, *(edges(width) for _ in range(height - 1)), ["|"] * width]
    if random.random() < 0.5:
        column, length = random.randrange(1, width), random.randrange(1, height + 1)
        for row in upright[:length]:
            row[column] = "|"
    return {"name": "Random", "marks": {}, "spaces": 0, "track": {}} | {
        "squares": squares,
        "upright": ["".join(row) for row in upright],
        "flat": ["".join(row) for row in flat],
    }


def random_ways(random: Random) -> tuple[Facts, Ways]:
    """A random map with some of its doors open."""
    drawn = random_map(random)
    board = Board(drawn)
    return drawn, board.ways(random.getrandbits(len(board.doors) + 1) & (1 << len(board.doors)) - 1)


def ground_for(drawn: Facts, ways: Ways) -> Ground:
    return ground_of(drawn, {ways.board.doors[door].name for door in members(ways.open_doors)})


@seeded(6)
def test_sight_and_hindrance_are_those_of_geometry(seed: int) -> None:
    """Of some two hundred pairs of squares of a random map, each is judged as fractions judge it."""
    random = Random(seed)
    drawn, ways = random_ways(random)
    ground, board = ground_for(drawn, ways), ways.board
    squares = members(board.on_map)
    for a, b in ((random.choice(squares), random.choice(squares)) for _ in range(200)):
        at, to = ground.square(a), ground.square(b)
        if a != b:
            entered = {square for square in product(range(board.width), range(board.height)) if inside(at, to, square)}

            assert entered - {at, to} == set(map(ground.square, members(between(board, a, b)))), (drawn, at, to)
        assert is_seen(ground, at, to) == bool(sees(ways, a) >> b & 1), (drawn, at, to)
        assert is_hindered(ground, at, to) == hindered(ways, a, b), (drawn, at, to)


@seeded(20)
def test_all_that_lies_between_two_holds_both_ways(seed: int) -> None:
    """Sight, Range, adjacent and surrounding squares, steps and what lies between are the same from the other end."""
    random = Random(seed)
    _, ways = random_ways(random)
    board = ways.board
    far = random.randrange(9)
    for a, b in product(members(board.on_map), repeat=2):
        for find in (
            lambda at: sees(ways, at),
            lambda at: board.in_range(at, far),
            ways.adjacent.__getitem__,
            ways.surrounding.__getitem__,
            ways.near.__getitem__,
        ):
            assert find(a) >> b & 1 == find(b) >> a & 1
        if a < b < a + 2 * board.width:
            assert between(board, a, b) == between(board, b, a)


# Turned and mirrored maps


def mirrored(drawn: Facts) -> Facts:
    """A map with left and right exchanged."""
    swapped = str.maketrans("<>", "><")
    return drawn | {
        "squares": [row[::-1] for row in drawn["squares"]],
        "upright": [row[::-1].translate(swapped) for row in drawn["upright"]],
        "flat": [row[::-1] for row in drawn["flat"]],
    }


def turned(drawn: Facts) -> Facts:
    """A map turned to the right, so that what was its lower left square is its upper left one."""

    def turn(rows: list[str]) -> list[str]:
        return ["".join(column).translate(str.maketrans("<>^v", "^v><")) for column in zip(*rows[::-1], strict=True)]

    return drawn | {
        "squares": turn(drawn["squares"]),
        "upright": turn(drawn["flat"]),
        "flat": turn(drawn["upright"]),
    }


@seeded(10)
def test_turned_and_mirrored_maps_are_turned_and_mirrored_in_all(seed: int) -> None:
    """The eight turns of a map give the same rows of sight and of hindrance, steps, exits, doors and large places."""
    random = Random(seed)
    drawn, ways = random_ways(random)
    board = ways.board
    opened = [{door.a, door.b} for number, door in enumerate(board.doors) if ways.open_doors >> number & 1]
    where = {square: square for square in range(board.size)}  # on the turned map
    for count in range(8):
        other = Board(drawn)
        there = other.ways(
            mask(
                number
                for number, door in enumerate(other.doors)
                if {door.a, door.b} in [{where[at] for at in door} for door in opened]
            )
        )

        def moved(squares: int, where: Mapping[int, int] = where) -> int:
            return mask(where[square] for square in members(squares))

        assert moved(board.exits) == other.exits
        for a, b in where.items():
            assert moved(sees(ways, a)) == sees(there, b)
            assert moved(hindered_row(ways, a)) == hindered_row(there, b)
            assert moved(ways.adjacent[a]) == there.adjacent[b]
            assert moved(ways.surrounding[a]) == there.surrounding[b]
            assert moved(board.in_range(a, 4)) == other.in_range(b, 4)
            assert {step._replace(to=where[step.to]) for step in ways.steps[a]} == set(there.steps[b])
            places = {moved(board.footprint(to)) for to in ways.large_steps[a]}
            if board.footprint(a):
                corner = min(members(moved(board.footprint(a))))

                assert places == {other.footprint(to) for to in there.large_steps[corner]}

        width, height = other.width, other.height
        if count == 3:
            drawn = mirrored(drawn)
            where = {a: b // width * width + width - 1 - b % width for a, b in where.items()}
        else:
            drawn = turned(drawn)
            where = {a: b % width * height + height - 1 - b // width for a, b in where.items()}


# More walls


@seeded(20)
def test_a_wall_or_a_closed_door_takes_away_and_gives_nothing(seed: int) -> None:
    """With one more of either, nothing more is seen, and no step is new or easier; no way gets shorter."""
    random = Random(seed)
    drawn, ways = random_ways(random)
    board = ways.board
    fewer = [Board(with_wall(drawn, random)).ways(ways.open_doors)]
    fewer += [board.ways(ways.open_doors & ~(1 << door)) for door in members(ways.open_doors)]
    for less in fewer:
        for square in range(board.size):
            assert not sees(less, square) & ~sees(ways, square)
            assert not less.surrounding[square] & ~ways.surrounding[square]
            assert not less.near[square] & ~ways.near[square]
            assert not set(less.large_steps[square]) - set(ways.large_steps[square])
            before = {step.to: step for step in ways.steps[square]}
            for step in less.steps[square]:
                assert step.hinders >= before[step.to].hinders
                assert step.wets >= before[step.to].wets
        shorter = ways.flood(1, board.standable)
        reached = 0
        for number, wave in enumerate(less.flood(1, board.standable)):
            reached |= shorter[number] if number < len(shorter) else 0

            assert not wave & ~reached


def with_wall(drawn: Facts, random: Random) -> Facts:
    """A map with a wall on one more of its edges, and on no door."""
    rows = [list(row) for row in [*drawn["upright"], *drawn["flat"]]]
    places = [(row, at) for row, edges in enumerate(rows) for at, sign in enumerate(edges) if sign in " :~"]
    if places:
        row, at = random.choice(places)
        rows[row][at] = "|"
    edges, height = ["".join(row) for row in rows], len(drawn["upright"])
    return drawn | {"upright": edges[:height], "flat": edges[height:]}


# Steps


def step_oracle(ground: Ground, at: Square, x: int, y: int) -> Step | None:
    """NO-TERR-2 and NO-AMB-19, 81, told of two squares."""
    to = (at[0] + x, at[1] + y)
    ways = [[at, to]] if not x or not y else [[at, (to[0], at[1]), to], [at, (at[0], to[1]), to]]
    over = [
        {frozenset(pair) for pair in pairwise(way)}
        for way in ways
        if ground.standable.issuperset(way) and ground.closed.isdisjoint(map(frozenset, pairwise(way)))
    ]
    if not over:
        return None
    return Step(
        ground.number(to),
        len(ways) == 2,
        all(way & ground.yellow for way in over),
        all(way & ground.blue for way in over),
    )


@seeded(20)
def test_steps_are_those_that_terrain_and_walls_leave(seed: int) -> None:
    """Each of the eight, in the order of the squares to which they lead, against an oracle that looks at one alone."""
    drawn, ways = random_ways(Random(seed))
    ground = ground_for(drawn, ways)
    for square in range(ways.board.size):
        at = ground.square(square)
        steps = [step for x, y in DIRECTIONS if (step := step_oracle(ground, at, x, y))]

        assert steps == list(ways.steps[square])
        assert sorted(steps) == steps
        assert mask(step.to for step in steps) == ways.near[square]


@seeded(20)
def test_neighbours_are_those_to_which_a_line_leads(seed: int) -> None:
    """NO-AMB-82: blocking squares too are adjacent and surrounding; a wall or a closed door between ends it."""
    drawn, ways = random_ways(Random(seed))
    ground = ground_for(drawn, ways)
    for a, b in product(members(ways.board.on_map), repeat=2):
        at, to = ground.square(a), ground.square(b)
        away = (abs(at[0] - to[0]), abs(at[1] - to[1]))

        assert bool(ways.adjacent[a] >> b & 1) == (sum(away) == 1 and frozenset((at, to)) not in ground.closed)
        assert bool(ways.surrounding[a] >> b & 1) == (max(away) == 1 and is_seen(ground, at, to))


@seeded(20)
def test_a_flood_counts_the_fewest_steps(seed: int) -> None:
    """Against a search that takes one square after another; only free squares are entered."""
    random = Random(seed)
    _, ways = random_ways(random)
    board = ways.board
    free = board.standable & random.getrandbits(board.size)
    free |= board.standable & random.getrandbits(board.size)
    sources = mask(random.choices(members(board.on_map), k=random.randrange(1, 4)))
    fewest = dict.fromkeys(members(sources), 0)
    going = list(fewest)
    for at in going:
        for step in ways.steps[at]:
            if free >> step.to & 1 and step.to not in fewest:
                fewest[step.to] = fewest[at] + 1
                going.append(step.to)

    waves = ways.flood(sources, free)

    assert fewest == {square: steps for steps, wave in enumerate(waves) for square in members(wave)}
    assert all(waves)


@pytest.mark.parametrize("seed", range(40))
def test_a_flood_goes_only_as_far_as_anybody_asks(seed: int) -> None:
    """It finds the first wave with a square, takes no step more, and goes on from there when asked again."""
    random = Random(seed)
    _, ways = random_ways(random)
    board, steps = ways.board, []

    def around(squares: int) -> int:
        steps.append(squares)
        return ways.around(squares)

    start, wanted = random.choices(members(board.standable), k=2)
    waves = [*ways.flood(1 << start, board.standable)]
    flood = Flood(around, 1 << start, board.standable)
    far = next((number for number, wave in enumerate(waves) if wave >> wanted & 1), FAR)

    assert far == flood.first(1 << wanted)
    assert steps == waves[: min(far, len(steps))]
    assert waves[far : far + 1] == flood[far : far + 1]
    assert waves == [*flood]


@pytest.mark.parametrize("seed", range(20))
def test_rings_count_the_steps_of_a_king(seed: int) -> None:
    """They ignore everything between, and do not lead round the edge of the map."""
    random = Random(seed)
    board = random_ways(random)[1].board
    sources = random.choices(range(board.size), k=2)
    far = {at: min(board.king(at, source) for source in sources) for at in range(board.size)}

    assert far == {at: number for number, ring in enumerate(board.rings(mask(sources))) for at in members(ring)}


# Range


@pytest.mark.parametrize(
    ("reach_of_attack", "rows"),
    [
        (0, ["......", "......", "..*...", "......", "......"]),
        (1, ["......", "..*...", ".***..", "..*...", "......"]),
        (2, ["..*...", ".***..", "*****.", ".***..", "..*..."]),
        (3, [".***..", "*****.", "******", "*****.", ".***.."]),
        (4, ["*****.", "**.***", "*...**", "**.***", "*****."]),
        (5, ["******", "**.***", "*...**", "**.***", "******"]),
    ],
)
def test_what_an_attack_covers(reach_of_attack: int, rows: list[str]) -> None:
    """From c3: up to Range 3 everything so near, counted orthogonally; from 4 on nothing that is nearer than 2."""
    board = Board(read("+---.---+---.---+---.---+\n" + "\n".join(["|  .|  " + ".   " * 4 + ".|", "." * 25] * 5)))
    expected = mask(number for number, sign in enumerate("".join(rows)) if sign == "*")

    assert expected == board.in_range(board.numbers["c3"], reach_of_attack)


def test_range_leaves_out_what_is_no_map() -> None:
    """Walls are counted through, and squares that are not there are not covered."""
    board = Board(read("+---.---+       +---.\n|  .|  .|       |  .|\n+---.---+       +---.\n"))

    assert mask([0, 1, 4]) == board.within(0, 4)
    assert mask([4]) == board.in_range(0, 4)
    assert (4, 4) == (board.distance(0, 4), board.king(0, 4))


def test_distances_are_counted_orthogonally_and_as_kings_go() -> None:
    """NO-AMB-10 and NO-AMB-83."""
    board = Board(read("+---.---+---.---+\n" + "\n".join(["|  .   .   .   .|", "." * 17] * 3)))
    a1, b3, d2 = (board.numbers[name] for name in ("a1", "b3", "d2"))

    assert [3, 4, 3] == [board.distance(a1, b3), board.distance(a1, d2), board.distance(d2, b3)]
    assert [2, 3, 2] == [board.king(a1, b3), board.king(a1, d2), board.king(d2, b3)]


# Reach


def with_costs(text: str, points: int, free: bool = False, leap: bool = False) -> list[str]:
    """A drawn map with the MP that each square takes: of the hero @, between others X, and mosquitos M."""
    board = Board(read(text))
    (hero,) = board.marks["@"]
    ways, barred, crowded = board.ways(board.first_open), mask(board.marks.get("X", ())), mask(board.marks.get("M", ()))
    costs = reach(ways, hero, points, barred, crowded, free, leap)
    figures = {square: mark for mark in "@XM" for square in board.marks.get(mark, ())}
    return redrawn(text, figures | {square: f"{figures.get(square, '')}{cost}" for square, cost in costs.items()})


@pytest.mark.parametrize(
    ("points", "pounce", "text"),
    [
        pytest.param(
            3,
            False,
            """
            +---.---+---.---+
            |2 . 1 . 2 . 3 .|
            .   .   .   .   .
            |1 . @ . 2 : 3 .|
            +   .   +   .   +
            |  # 1 . 2 . 3 .|
            .   .   .---.   .
            |3 . 2 . 3 .   .|
            +---.---+---.---+
            """,
            id="a Stride: 2 past a corner, 1 more into yellow",
        ),
        pytest.param(
            3,
            False,
            """
            +---.---+---.---+
            |@ . M2. 3 .   .|
            .   .   .   .   .
            |X . 3 : M .   .|
            +---.---+---.---+
            """,
            id="mosquitos hinder, others bar",
        ),
        pytest.param(
            9,
            False,
            """
            +---.---+---.---+
            |@ . 1 ~   .   .|
            .   .---.   .   .
            |1 .~2 .   :   .|
            +---.---+---.---+
            """,
            id="nobody goes on from water, or after a step over its edge",
        ),
        pytest.param(
            6,
            False,
            """
            +---.---+---.---+
            |@ .~1 . 4 . 5 .|
            .   .   .   .   .
            |1 . 2 . 3 . 4 .|
            +---.---+---.---+
            """,
            id="what water gives for less does not lead on",
        ),
        pytest.param(
            3,
            False,
            """
            +---.---+---.---+
            |@ . 1 . 2 . 3 .|
            .:::.   .   .   .
            |2 .:2 . 3 .   .|
            +---.---+---.---+
            """,
            id="a yellow edge hinders once, and may be gone round",
        ),
        pytest.param(
            4,
            False,
            """
            +---.---+---.---+
            |@ . 1 . 2 . 3 .|
            .:::.---.   .   .
            |2 ::M3: 3 . 4 .|
            +---.---+---.---+
            """,
            id="edge, terrain and figure together hinder once",
        ),
        pytest.param(
            6,
            True,
            """
            +---.---+---.---+
            |@ :|5 . 4 . 5 .|
            .   .---.   .   .
            |X : M2: 3 : 4 .|
            +---.---+   .   +
            |  .   .|X : X ~|
            .   .   .   .   .
            |  . 6 . 5 . 6 .|
            +---.---+---.---+
            """,
            id="a Pounce leaps over figures and pays nothing for what hinders",
        ),
    ],
)
def test_what_can_be_reached(points: int, pounce: bool, text: str) -> None:
    """The fewest MP to every square where the hero @ can end, between others X, and mosquitos M."""
    board = Board(read(text))
    figures = {square: mark[0] for mark, squares in board.marks.items() for square in squares if mark[0] in "@XM"}
    hero, barred, crowded = (mask(square for square, one in figures.items() if one == figure) for figure in "@XM")
    ways, start = board.ways(board.first_open), hero.bit_length() - 1

    costs = reach(ways, start, points, barred, crowded, free=pounce, leap=pounce)

    found = {square: f"{figures.get(square, '')}{cost}" for square, cost in costs.items()}
    assert lines_of(text) == redrawn(text, figures | found)


def test_what_a_step_costs() -> None:
    """1 MP, diagonally 2, and 1 more for what hinders; nothing more while pouncing."""
    board = Board(read("+---.---+\n|  .   :|\n.:::.   .\n|  .   .|\n+---.---+"))
    east, south, diagonal = board.ways(0).steps[0]

    assert [2, 2, 2] == [step_cost(board, step, 0) for step in (east, south, diagonal)]
    assert [2, 2, 3] == [step_cost(board, step, 0b1100) for step in (east, south, diagonal)]
    assert [1, 1, 2] == [step_cost(board, step, 0b1100, free=True) for step in (east, south, diagonal)]


@seeded(20)
def test_reach_is_what_every_path_tried_gives(seed: int) -> None:
    """No way is cheaper than what is found, and all that some way reaches is found."""
    random = Random(seed)
    _, ways = random_ways(random)
    board = ways.board
    barred, crowded = (board.standable & random.getrandbits(board.size) & random.getrandbits(board.size) for _ in "bc")
    free, leap = random.choice(((False, False), (True, True), (True, False), (False, True)))
    hero = random.choice(members(board.standable))
    points = random.randrange(6)
    fewest: dict[int, int] = {}

    def go(at: int, left: int) -> None:
        for step in ways.steps[at]:
            left_then = left - step_cost(board, step, crowded, free)
            on_barred = barred >> step.to & 1
            if left_then >= 0 and (leap or not on_barred):
                if not on_barred:
                    fewest[step.to] = min(fewest.get(step.to, points), points - left_then)
                if not step.wets and not board.water >> step.to & 1:
                    go(step.to, left_then)

    go(hero, points)
    fewest.pop(hero, None)

    assert fewest == reach(ways, hero, points, barred, crowded, free, leap)


# Large figures


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            """
            +---.---+---.---+---.
            |* . * . * .   #   .|
            .   .   .   .   .   .
            |* . * . * . * .   #|
            +   .   +   .   +   .
            |  .   .   .   .   .|
            +---.---+---.---+---.
            """,
            id="one blocking square is disregarded, not two",
        ),
        pytest.param(
            """
            +---.---+---.---+---.
            |* #   .|* .   .D  .|
            .   .   .   .   .   .
            |  . * .d* . * .   .|
            +---.   +   .   +   .
            |  .   .   .   .   .|
            +---.---+---.---+---.
            """,
            id="neither walls nor closed doors inside",
        ),
        pytest.param(
            """
            +---.---+---.
            |* . * .   .|
            .   .   .   .
            |* .   .   .|
            +   .   +---.
            |  .   .|
            +---.---+
            """,
            id="all four on the map",
        ),
    ],
)
def test_where_large_figures_may_stand(text: str) -> None:
    """NO-LARGE-1, 2: stars are the upper left squares of their four."""
    board = Board(read(text))

    assert lines_of(text) == redrawn(text, dict.fromkeys(members(board.ways(board.first_open).large_places), "*"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            """
            +---.---+---.---+---.
            |  # * #   .   .   .|
            .   .   .   .---.   .
            |* . @ . * .   .|  .|
            +   .   +   .   +   .
            |* .   .   .   .   .|
            .   .   .---.   .   .
            |  .   .   .   .   .|
            +---.---+---.---+---.
            """,
            id="where it may stand",
        ),
        pytest.param(
            """
            +---.---+---.---+
            |  . @ .D  .   .|
            .   .   .   .   .
            |* . * . * .   .|
            +   .   +   .   +
            |  .   .   .   .|
            +---.---+---.---+
            """,
            id="a door that was closed under it",
        ),
    ],
)
def test_steps_of_large_figures(text: str) -> None:
    """By one small square, in eight directions; @ and stars are the upper left squares of their four."""
    assert lines_of(text) == with_stars(text, lambda ways, eye: mask(ways.large_steps[eye]))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            """
            +---.---+---.---+---.---+
            |* #   . @ .   .   .   .|
            .   .   .   .   .   .   .
            |  .   .   .   .|  .   .|
            +   .   +   .   +   .   +
            |  .   . * .   .   .   .|
            .   .   .   .   .   .   .
            |  .   .   .   .   .   .|
            +---.---+---.---+---.---+
            """,
            id="no wall on the way",
        ),
        pytest.param(
            """
            +---.---+---.---+---.---+
            |  .   .   #   #   .   .|
            .   .   .   .   .   .   .
            |  .   .   .   .   .   .|
            +   .   +   .   +   .   +
            |  .   . @ .   .d* .   .|
            .   .---.   .   .   .   .
            |  .   .   .   .   #   .|
            +---.---+---.---+---.---+
            """,
            id="where it may stand",
        ),
        pytest.param(
            """
            +---.---+---.---+---.---+
            |  .   .   . @ .   .   .|
            .   .   .   .   .   .   .
            |  .   .   .   .   .   .|
            +---.---+---.---+---.---+
            """,
            id="from a whole big square",
        ),
    ],
)
def test_big_steps_of_large_figures(text: str) -> None:
    """By one big square to a neighbouring one."""
    assert lines_of(text) == with_stars(text, lambda ways, eye: mask(ways.large_big_steps[eye]))


# What a map says


CELLAR = """
    +---.---+       +---.---+
    |S1. L .|       |V .   #>
    .   .   .       .   .~~~.
    |  .   .d  .   .|V :   .<
    +   .DDD+^^^.---+   .   +
    |  .   .D  .   .|  ~ S1.|
    .   .   .   .ddd.   .   .
    |  .   .   .   .|  .   .|
    +vvv.---+---.---+---.---+
"""


def test_a_board_says_what_is_drawn() -> None:
    """Squares, terrain, marks, exits and doors with their names."""
    board = Board(read(CELLAR) | {"spaces": 8, "track": {"S1": [3, 6]}})

    def names(squares: int) -> str:
        return " ".join(board.names[square] for square in members(squares))

    assert ("Drawn", 6, 4, 24) == (board.name, board.width, board.height, board.size)
    assert "c1 d1" == names(board.everything & ~board.on_map)
    assert "f1" == names(board.blocking)
    assert "e2" == names(board.hindering)
    assert "e3" == names(board.water)
    assert board.on_map & ~board.blocking == board.standable
    assert "b1 d1 d2 d3 d4" == names(board.walls.right)
    assert {"S1": (0, 17), "L": (1,), "V": (4, 10)} == board.marks
    assert (8, {"S1": (3, 6)}) == (board.spaces, board.track)
    assert ["b2e", "b2s", "b3e", "d3s"] == [door.name for door in board.doors]
    assert [("b2", "c2"), ("b2", "b3"), ("b3", "c3"), ("d3", "d4")] == [
        (board.names[door.a], board.names[door.b]) for door in board.doors
    ]
    assert 0b1001 == board.first_open
    assert 0b0011 == board.doors_of[board.numbers["b2"]]
    assert 0b0110 == board.doors_of[board.numbers["b3"]]
    assert 0 == board.doors_of[board.numbers["a1"]]


def test_exits_belong_to_the_squares_out_of_which_they_point() -> None:
    """On all four sides."""
    board = Board(read("+^^^.---+\n<  .   .|\n.   .   .\n|  .   .>\n+vvv.---+"))

    assert ["a1", "a2", "b2"] == [board.names[square] for square in members(board.exits)]


def test_big_squares_are_four_small_ones() -> None:
    """NO-GEN-15: counted from the upper left. Neighbours are those beside, not at a corner, and on the map."""
    board = Board(read(CELLAR))

    assert ("a1", "c1", "e1", "a3", "c3", "e3") == board.big_names
    assert [mask([0, 1, 6, 7]), mask([8, 9]), mask([4, 5, 10, 11])] == list(board.bigs[:3])
    assert all(board.bigs[board.big[square]] >> square & 1 for square in members(board.on_map))
    assert ((1, 3), (0, 2, 4), (1, 5), (0, 4), (1, 3, 5), (2, 4)) == board.neighbouring_bigs

    island = Board(read("+---.---+       +---.\n|  .   .|       |  .|\n+---.---+       +---."))

    assert [((), (0, 2), ()), (0b11, 0, 0b10000)] == [island.neighbouring_bigs, island.bigs]


def test_ways_are_made_once_for_each_state_of_the_doors() -> None:
    """Whoever asks again gets the same."""
    board = Board(read(CELLAR))

    assert board.ways(0b1001) is board.ways(0b1001)
    assert board.ways(0b1001) is not board.ways(0)
    assert board != Board(read(CELLAR))


def test_boards_of_the_maps_in_the_box(facts_of: Callable[[str], Facts]) -> None:
    """Each names its squares as its map does; every one with a mark is reached, doors open, and exits are stood on."""
    for drawn in facts_of("cats-of-new-orleans")["maps"].values():
        board = Board(drawn)
        (start,) = board.marks["G"]
        ways = board.ways((1 << len(board.doors)) - 1)
        reached = sum(ways.flood(1 << start, board.standable))

        assert tuple(square_name(*divmod(at, board.width)[::-1]) for at in range(board.size)) == board.names
        assert {name: mark for mark, at in board.marks.items() for name in map(board.names.__getitem__, at)} == {
            **drawn["marks"]
        }
        assert reached == board.standable
        assert not board.exits & ~board.standable
        assert sum("".join(drawn[side]).lower().count("d") for side in ("upright", "flat")) == len(board.doors)


# What a picture hangs on


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        pytest.param("+---.---.\n|@ .   .|\n+---.---.", "NO-LOS-2", id="all is seen, and freely"),
        pytest.param("+---.---.\n|@ .|  .|\n+---.---.", "NO-LOS-2 NO-LOS-3", id="a wall"),
        pytest.param("+---.---.---.\n|@ .   #   .|\n+---.---.---.", "NO-LOS-2 NO-LOS-3", id="a blocking square"),
        pytest.param("+---.---.\n|@ .d  .|\n+---.---.", "NO-LOS-2 NO-AMB-96", id="an open door"),
        pytest.param("+---.---.\n|@ .D  .|\n+---.---.", "NO-LOS-2 NO-LOS-3 NO-AMB-96", id="a closed door"),
        pytest.param("+---.---.\n|@ .   :|\n+---.---.", "NO-LOS-2 NO-DRM-7", id="a yellow square"),
        pytest.param("+---.---.---.\n|@ .   .:  .|\n+---.---.---.", "NO-LOS-2 NO-DRM-7", id="a yellow edge"),
        pytest.param("+---.---.\n|@ .|  :|\n+---.---.", "NO-LOS-2 NO-LOS-3", id="a yellow square behind a wall"),
        pytest.param("+---.---.\n|@ :   .|\n+---.---.", "NO-LOS-2 NO-DRM-8", id="its own square is yellow"),
        pytest.param(
            "+---.---.\n|@ .:  .|\n+---.---.", "NO-LOS-2 NO-DRM-8 NO-AMB-44", id="an edge of its own is yellow"
        ),
        pytest.param(
            "+---.---.\n|@ .|  .|\n.   .   .\n|  .   .|\n+---.---.",
            "NO-LOS-2 NO-LOS-3 NO-AMB-81",
            id="one way round a corner is free",
        ),
        pytest.param(
            "+---.---.\n|@ .|  .|\n.---.   .\n|  .   .|\n+---.---.",
            "NO-LOS-2 NO-LOS-3 NO-AMB-81",
            id="no way round a corner is free",
        ),
    ],
)
def test_a_look_hangs_on_the_rules_that_it_met(text: str, rules: str) -> None:
    """Those without which something else would be seen, or be hindered, and no others."""
    board = Board(read(text))
    (eye,) = board.marks["@"]

    assert rules.split() == list(pictures._rules_of_sight(board.ways(board.first_open), eye))


def test_a_door_is_told_with_the_squares_that_it_decides() -> None:
    """Only one that shows or hides something; two squares lie behind the open one, one behind the other."""
    board = Board(read("+---.---.---.---.\n|  .D@ .d  .   .|\n.   .   .---.ddd.\n|  .   .|  .   .|\n+---.---.---.---."))
    ways = board.ways(board.first_open)
    (eye,) = board.marks["@"]

    found = {door.name: changed.bit_count() for _, door, changed in pictures._doors_of_sight(ways, eye)}

    assert {"a1e": 1, "b1e": 2} == {name: count for name, count in found.items() if name != "d1s"}


@pytest.mark.parametrize(
    ("numbers", "near", "rules"),
    [
        ([1], 0, "1 2"),
        ([0, 2], 0, "1 2 3"),
        ([3], 0, "1 4"),
        ([4], 5, "1 5"),
        ([8], 5, "1 6 5"),
        ([3, 12], 0, "1 4 6"),
    ],
)
def test_ranges_hang_on_their_rules(numbers: list[int], near: int, rules: str) -> None:
    """On that of the dead zone too, where some squares of it are on the map."""
    assert [f"NO-RNG-{number}" for number in rules.split()] == list(
        dict.fromkeys(pictures._rules_of_ranges(numbers, near))
    )
