"""Pictures of positions: figures, tokens, doors, and answers about squares, from a position and what is wished of it.

Sight, Ranges and reach come from the same functions that play the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from grimalkin.engine import pictures
from grimalkin.engine.contract import Facts
from grimalkin.engine.kinds import members
from grimalkin.engine.pictures import Figure, Layer, Line, Picture, Token, Wishes
from grimalkin.engine.shape import Misfit, Misfits, Path
from grimalkin.games.cats_of_new_orleans.box import box_of
from grimalkin.games.cats_of_new_orleans.clauses import ignores
from grimalkin.games.cats_of_new_orleans.figures import Figure as Piece
from grimalkin.games.cats_of_new_orleans.figures import (
    barred_for_heroes,
    between,
    board_of,
    corners,
    covered,
    covers,
    find_figure,
    foe_of,
    here,
    hindered_row,
    in_range,
    occupied,
    own_hindrance,
    sees,
    walk,
    ways_of,
)
from grimalkin.games.cats_of_new_orleans.maps import (
    BIG,
    DIRECTIONS,
    FROM_AFAR,
    NUMBERS,
    SQUARES,
    Board,
    Door,
    Ways,
    reach,
)
from grimalkin.games.cats_of_new_orleans.numbers import LOOT, OBJECTIVE
from grimalkin.games.cats_of_new_orleans.scenario import tokens_on
from grimalkin.games.cats_of_new_orleans.state import State, load
from grimalkin.games.cats_of_new_orleans.table import Hero, spoken
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import listed, plural


def picture(facts: Facts, position: Mapping[str, Any] | None, wishes: Wishes) -> Picture | None:
    """Return what to draw of a position, or of a map named in the wishes; None while nobody is on the map.

    Raises Misfits that point to the keys of the wishes.
    """
    box = box_of(facts)
    if position is None:
        name = wishes["map"]
        if name not in facts["maps"]:
            raise Misfits([Misfit(("map",), f'there is no map "{name}"', did_you_mean(name, facts["maps"]))])
        board = box.board(name)
        return _Drawing(board, board.ways(board.first_open), None, name).draw(wishes)
    state = load(facts, position)
    if state.interlude or (not here(state) and not state.vermin):
        return None
    return picture_of(state, wishes)


def picture_of(state: State, wishes: Wishes) -> Picture:
    """Return what to draw of a table. Raises Misfits that point to the keys of the wishes."""
    name = state.box.facts["scenarios"][state.scenario]["map"]
    return _Drawing(board_of(state), ways_of(state), state, name).draw(wishes)


RANGES: Final = {0: "NO-RNG-2", 1: "NO-RNG-2", 2: "NO-RNG-3", 3: "NO-RNG-4", 4: "NO-RNG-5"}
"""The rule of each Range; all longer ones share one."""


class Place(NamedTuple):
    """The squares that a question is about, and their name."""

    squares: int
    called: str
    figure: Piece | None = None


class _Drawing:
    """One picture in progress. Without a state, nobody is on the map."""

    def __init__(self, board: Board, ways: Ways, state: State | None, map_id: str) -> None:
        self.board = board
        self.ways = ways
        self.state = state
        self.map_id = map_id
        self.misfits: list[Misfit] = []
        self.tokens: list[Token] = []
        self.layers: list[Layer] = []
        self.lines: list[Line] = []
        self.told: list[str] = []
        self.rules: list[str] = []

    def draw(self, wishes: Wishes) -> Picture:
        figures: tuple[Figure, ...] = ()
        if self.state is not None:
            figures = tuple(_figures(self.state))
            self.tokens += _tokens(self.state)
        if "sight" in wishes:
            self.sight([self.place(name, ("sight", at)) for at, name in enumerate(wishes["sight"])])
        if "range" in wishes:
            self.ranges(*wishes["range"])
        if "reach" in wishes:
            self.reach(*wishes["reach"])
        for at, (one, other) in enumerate(wishes.get("lines", ())):
            self.line(self.place(one, ("lines", at, 0)), self.place(other, ("lines", at, 1)))
        for at, name in enumerate(wishes.get("around", ())):
            self.square(name, ("around", at))
        if self.misfits:
            raise Misfits(self.misfits)
        return Picture(
            self.map_id,
            tuple(self.board.doors[number].name for number in members(self.ways.open_doors)),
            tuple(self.tokens),
            tuple(self.layers),
            tuple(self.lines),
            figures,
            tuple(wishes.get("around", ())),
            wishes.get("whole", False),
            tuple(one[:1].upper() + one[1:] for one in self.told),
            tuple(dict.fromkeys(self.rules)),
        )

    # Figures and squares

    def figures(self) -> list[Piece]:
        """Return all heroes, on the map or not, and the vermin."""
        return [*self.state.heroes, *self.state.vermin] if self.state else []

    def wrong(self, at: Path, message: str, hint: str = "") -> None:
        self.misfits.append(Misfit(at, message, hint))

    def square(self, name: str, at: Path) -> int | None:
        number = NUMBERS.get(name)
        if number is None or number >= self.board.size or not self.board.on_map >> number & 1:
            self.wrong(at, f'there is no square "{name}" on the map {self.board.name}')
            return None
        return number

    def place(self, name: str, at: Path) -> Place:
        """Return a figure on the map, or a square; an empty place after a problem."""
        if self.state is not None:
            figure = find_figure(self.state, name)
            if figure is not None:
                squares = covered(self.state, figure)
                if not squares:
                    self.wrong(at, f"{name} is not on the map")
                called = spoken(self.state, name)
                return Place(squares, f"{called} on {SQUARES[figure.at]}" if squares else "", figure)
        if name not in NUMBERS:
            names = [one.name for one in self.figures()]
            hint = did_you_mean(name, names) if names else "write a square like c3"
            self.wrong(at, f'"{name}" is neither a figure on the map nor a square', hint)
            return Place(0, "")
        number = self.square(name, at)
        if number is None:
            return Place(0, "")
        if not any(token.square == name and token.kind == pictures.HERE for token in self.tokens):
            self.tokens.append(Token(name, pictures.HERE))
        return Place(1 << number, name)

    def number(self, text: str, at: Path) -> int:
        if not text.isdigit() or not 0 <= int(text) <= 40:
            self.wrong(at, f'"{text}" is not a number', "write a whole number")
            return 0
        return int(text)

    # Questions

    def sight(self, places: Sequence[Place]) -> None:
        """Draw what figures or squares see, freely or hindered by terrain or a figure on the way."""
        free = seen = 0
        for place in places:
            for square in members(place.squares):
                row, hindered = sees(self.ways, square), self.hindered(square, place)
                seen |= row
                free |= row & ~hindered
                self.rules += _rules_of_sight(self.ways, square, hindered & ~hindered_row(self.ways, square))
        names = " and ".join(place.called for place in places)
        verb = "see" if len(places) > 1 else "sees"
        self.layer(pictures.SEEN, free)
        self.layer(pictures.HINDERED, seen & ~free)
        told = f"{names} {verb} {plural(seen.bit_count(), 'square')}"
        if len(places) == 1 and places[0].figure is None:
            told = f"From {names} you see {plural(seen.bit_count(), 'square')}"
        self.told.append(f"{told}, {_count(seen & ~free)} of them hindered.")
        if self.state is None and len(places) == 1 and places[0].squares:
            self.doors(members(places[0].squares)[0])

    def doors(self, square: int) -> None:
        """Report the doors that decide what is seen from a square."""
        through: list[str] = []
        behind: list[str] = []
        for number, door, changed in _doors_of_sight(self.ways, square):
            is_open = self.ways.open_doors >> number & 1
            doors = through if is_open else behind
            count = changed.bit_count() if doors else plural(changed.bit_count(), "square")
            doors.append(f"{count} (between {SQUARES[door.a]} and {SQUARES[door.b]})")
        if through:
            self.told.append(f"Open doors show {listed(through)}.")
        if behind:
            self.told.append(f"Closed doors hide {listed(behind)}.")

    def hindered(self, square: int, place: Place) -> int:
        """Return the squares at which anything hinders an attack from this one."""
        row = hindered_row(self.ways, square)
        if self.state is None:
            return row
        own = place.squares
        standing = [covered(self.state, one) for one in self.figures()]
        for target in members(self.board.on_map & ~row):
            way = between(self.board, square, target)
            if way and any(way & one for one in standing if one != own and not one >> target & 1):
                row |= 1 << target
        return row

    def ranges(self, name: str, *numbers: str) -> None:
        """Draw what each Range covers, and what is too close for the long ones."""
        place = self.place(name, ("range", 0))
        found = [self.number(text, ("range", at)) for at, text in enumerate(numbers, 1)]
        near = 0
        counts: list[str] = []
        for number in found:
            mask = in_range(self.board, place.squares, number)
            if number >= FROM_AFAR:
                for square in members(place.squares):
                    near |= self.board.within(square, number) & ~mask
            self.layers.append(Layer(pictures.RANGE, _names(mask), (number,), _names(place.squares)[0] if mask else ""))
            counts.append(f"Range {number} covers {mask.bit_count() if counts else plural(mask.bit_count(), 'square')}")
        long = [str(number) for number in found if number >= FROM_AFAR]
        self.layer(pictures.DEAD, near)
        self.told.append(f"From {place.called}, {listed(counts)}.")
        self.rules += _rules_of_ranges(found, near)
        if near:
            told = f"The {_count(near)} squares at point-blank range are too close for Range"
            self.told.append(f"{told} {listed(long)}.")

    def reach(self, name: str, points: str) -> None:
        """Draw where a figure can end with movement points, and the lowest cost of reaching each square."""
        place, most = self.place(name, ("reach", 0)), self.number(points, ("reach", 1))
        barred = crowded = 0
        free = False
        if self.state is not None:
            hero = place.figure if isinstance(place.figure, Hero) else None
            barred = barred_for_heroes(self.state, hero)
            crowded = occupied(self.state, place.figure)
            free = hero is not None and ignores(self.state, hero, "hindering")
        ends: dict[int, int] = {}
        if place.squares:
            ends = reach(self.ways, members(place.squares)[0], most, barred, crowded, free)
        squares = sorted(ends)
        self.layers.append(
            Layer(pictures.REACH, tuple(SQUARES[at] for at in squares), tuple(ends[at] for at in squares))
        )
        self.told.append(
            f"With {plural(most, 'movement point')}, {place.called} can end on {plural(len(ends), 'square')}."
        )

    def line(self, one: Place, other: Place) -> None:
        """Draw the line of sight between two places that is best for the first, and what is in its way."""
        order = (pictures.FREE, pictures.HINDERED, pictures.BLOCKED)
        pairs = [(a, b) for a in members(one.squares) for b in members(other.squares)]
        found = [(*pair, *self.along(*pair, one, other)) for pair in pairs]
        if not found:
            return
        a, b, how, at, why = min(found, key=lambda line: order.index(line[2]))
        self.lines.append(Line(SQUARES[a], SQUARES[b], how, at))
        self.rules += _rules_of_line(how, why.startswith("the figure"))
        if how == pictures.BLOCKED:
            self.told.append(f"{one.called} cannot see {other.called}: {why} is in the way.")
        else:
            self.told.append(f"{one.called} sees {other.called}{f', hindered by {why}' if why else ''}.")

    def along(self, a: int, b: int, one: Place, other: Place) -> tuple[str, tuple[float, float] | None, str]:
        """Return the state of a line, where it is hindered or blocked, and by what."""
        board, ways = self.board, self.ways
        across, down = board.column[b] - board.column[a], board.row[b] - board.row[a]
        steps = list(walk(across, down))
        free = sees(ways, a) >> b & 1
        hinders = bool(self.hindered(a, one) >> b & 1) if self.state is None else self.is_hindered(a, b, one, other)
        if free and not hinders:
            return pictures.FREE, None, ""
        for column, row, way in steps:
            square = a + row * board.width + column
            to = square + way[0] + way[1] * board.width
            middle = (board.column[a] + column + 0.5 + way[0] / 2, board.row[a] + row + 0.5 + way[1] / 2)
            centre = (board.column[to] + 0.5, board.row[to] + 0.5)
            if not free:
                if not ways.lines[DIRECTIONS.index(way)] >> square & 1:
                    return pictures.BLOCKED, middle, self.barrier(square, to)
                if board.blocking >> to & 1 and to != b:
                    return pictures.BLOCKED, centre, f"blocking terrain on {SQUARES[to]}"
            else:
                if board.hindering >> to & 1:
                    return pictures.HINDERED, centre, f"terrain on {SQUARES[to]}"
                edge = board.hindering_edges.right if way[0] else board.hindering_edges.lower
                if (column or row) and 0 in way and edge >> min(square, to) & 1:
                    return pictures.HINDERED, middle, f"the edge between {SQUARES[square]} and {SQUARES[to]}"
                if self.stands(to, b, one, other):
                    return pictures.HINDERED, centre, f"the figure on {SQUARES[to]}"
        return (pictures.HINDERED, None, "terrain") if free else (pictures.BLOCKED, None, "something")

    def is_hindered(self, a: int, b: int, one: Place, other: Place) -> bool:
        if hindered_row(self.ways, a) >> b & 1:
            return True
        return any(self.stands(to, b, one, other) for to in members(between(self.board, a, b)))

    def stands(self, at: int, last: int, one: Place, other: Place) -> bool:
        """Return whether a figure other than those at both ends of a line is on this square."""
        if self.state is None or at == last:
            return False
        return bool(occupied(self.state) & ~one.squares & ~other.squares & 1 << at)

    def barrier(self, square: int, to: int) -> str:
        """Return what no line crosses between two squares."""
        door = next((one for one in self.board.doors if {one.a, one.b} == {square, to}), None)
        is_corner = self.board.distance(square, to) > 1
        what = "a closed door" if door else "the corner" if is_corner else "a wall"
        return f"{what} between {SQUARES[square]} and {SQUARES[to]}"

    def layer(self, kind: str, mask: int) -> None:
        if mask:
            self.layers.append(Layer(kind, _names(mask)))


# Rules: those without which the picture would be different


def _rules_of_sight(ways: Ways, square: int, behind_figures: int = 0) -> Iterator[str]:
    """Yield the rules behind the sight from a square; `behind_figures` are the squares that only figures hinder."""
    seen, row = sees(ways, square), hindered_row(ways, square)
    yield "NO-LOS-2"
    if ways.board.on_map & ~seen:
        yield "NO-LOS-3"
    if corners(ways, square):
        yield "NO-AMB-81"
    if any(_doors_of_sight(ways, square)):
        yield "NO-AMB-96"
    if seen & row:
        yield "NO-DRM-7"
    yield from _rules_of_own_square(ways.board, square, seen & ~row)
    if seen & behind_figures:
        yield from ("NO-LOS-4", "NO-DRM-10")


def _rules_of_own_square(board: Board, square: int, free: int) -> Iterator[str]:
    """Yield the rules by which a square itself, and the edges around it, do not hinder its figure."""
    ground, edges = own_hindrance(board, square)
    if (ground and free & ~(1 << square)) or free & edges:
        yield "NO-DRM-8"
    if free & edges:
        yield "NO-AMB-44"


def _doors_of_sight(ways: Ways, square: int) -> Iterator[tuple[int, Door, int]]:
    """Yield the doors that would change the sight from a square if they were opened or closed, each with its number and
    the squares that it changes."""
    for number, door in enumerate(ways.board.doors):
        changed = sees(ways.board.ways(ways.open_doors ^ 1 << number), square) ^ sees(ways, square)
        if changed:
            yield number, door, changed


def _rules_of_ranges(numbers: Sequence[int], near: int) -> Iterator[str]:
    """Yield the rules behind these Ranges; `near` are the squares in the dead zone of the long ones."""
    yield "NO-RNG-1"
    yield from (RANGES.get(number, "NO-RNG-6") for number in sorted(numbers))
    if near and max(numbers) > FROM_AFAR:
        yield "NO-RNG-5"


def _rules_of_line(how: str, by_figure: bool) -> Iterator[str]:
    """Yield the rules behind a line that is free, hindered or blocked."""
    yield "NO-LOS-2"
    if how == pictures.BLOCKED:
        yield "NO-LOS-3"
    elif how == pictures.HINDERED:
        yield "NO-DRM-10" if by_figure else "NO-DRM-7"


# The table


def _figures(state: State) -> Iterator[Figure]:
    """Yield everybody on the map: heroes with their first letters, vermin with theirs and their numbers."""
    names = {hero.name: spoken(state, hero.name) for hero in state.heroes}
    for hero in here(state):
        sign = _sign(names[hero.name], [other for name, other in names.items() if name != hero.name])
        yield Figure(hero.name, names[hero.name], SQUARES[hero.at], pictures.OURS, sign, 1, _states(hero), hero.name)
    for vermin in state.vermin:
        word, _, number = vermin.name.rpartition("-")
        badges = [(str(vermin.wounds), plural(vermin.wounds, "Wound"))] if vermin.wounds else []
        badges += [*_states(vermin), *[("x", "a zombie")] * vermin.zombie]
        initials = "".join(part[0] for part in vermin.name.split("-")) if word else number[:2]
        sign = word[0] + number if number.isdigit() else initials
        size = BIG if covers(state, vermin).bit_count() > 1 else 1
        kind, sign = (pictures.THEIRS, sign) if vermin.up else (pictures.HIDDEN, "?" + number)
        of = foe_of(state, vermin).id if vermin.up else ""
        yield Figure(vermin.name, spoken(state, vermin.name), SQUARES[vermin.at], kind, sign, size, tuple(badges), of)


def _states(one: Piece) -> tuple[tuple[str, str], ...]:
    return (*[("z", "stunned")] * one.stunned, *[("v", "vulnerable")] * one.vulnerable)


def _sign(name: str, others: Sequence[str]) -> str:
    """Return the fewest first letters of a name with which no other name begins.

    >>> _sign("Murray", ["Minou", "Patch"]), _sign("Patch", ["Minou"])
    ('Mu', 'P')
    """
    length = 1
    while length < len(name) and any(other[:length] == name[:length] for other in others):
        length += 1
    return name[:length]


def _tokens(state: State) -> list[Token]:
    """Return the tokens not yet taken, items on the ground, and Stinkbombs."""
    found = []
    for letter, called in ((OBJECTIVE, "Objective"), (LOOT, "Loot")):
        for square in board_of(state).marks.get(letter, ()):
            count = tokens_on(state, square)
            if count > 0:
                told = f"{count} × {called}" if count > 1 else called
                found.append(Token(SQUARES[square], pictures.TOKEN, letter, told))
    for square, cards in state.ground.items():
        if cards:
            names = ", ".join(state.box.names[card] for card in cards)
            found.append(Token(SQUARES[square], pictures.CARDS, str(len(cards)), names))
    return found + [Token(SQUARES[square], pictures.CLOUD, "", "a Stinkbomb") for square in state.stinkbombs]


# Words


def _names(mask: int) -> tuple[str, ...]:
    return tuple(SQUARES[square] for square in members(mask))


def _count(mask: int) -> str:
    return str(mask.bit_count() or "none")
