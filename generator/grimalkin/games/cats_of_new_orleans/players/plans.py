"""Plans for an activation: where to go, whom to attack, what to search, in which order; and the value of each plan.

A plan is a list of deeds. Only the first is carried out before planning again, as the hero may find something on the
way; but the plan is chosen for its total value.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Final, NamedTuple

from grimalkin.engine.kinds import members
from grimalkin.games.cats_of_new_orleans.figures import between, hindered_row
from grimalkin.games.cats_of_new_orleans.maps import SQUARES, STEP_COST, Ways, step_cost
from grimalkin.games.cats_of_new_orleans.moves import Move
from grimalkin.games.cats_of_new_orleans.numbers import COST, LOOT, LOOT_TOKENS, POINTS
from grimalkin.games.cats_of_new_orleans.players.judgement import DOOR, Aim, Judged
from grimalkin.games.cats_of_new_orleans.table import HeroView

FOUND: Final = 1.1
"""The value of a Loot card, in Lives, to a party that has time."""
ACHIEVED: Final = 12.0
"""The value of achieving an objective."""
AWAY: Final = 6.0
"""The value of leaving when everything is done."""
LATER: Final = 0.85
"""The value of a second attack on the same target, relative to the first."""
IDLE: Final = 0.05
"""The value of an unused AP."""


class Plan(NamedTuple):
    """A plan for a hero, and its value."""

    worth: float
    moves: tuple[Move, ...]
    """The first small moves; the rest follows from planning again."""


class Trip(NamedTuple):
    """A way to a square."""

    cost: int
    before: int
    """The square before it."""


def trips(ways: Ways, square: int, points: int, barred: int, crowded: int, leap: bool = False) -> dict[int, Trip]:
    """Return where a hero can get with these MP, and how. With `leap`, nothing hinders it, and it crosses barred
    squares."""
    board = ways.board
    found = {square: Trip(0, square)}
    spending: list[list[int]] = [[square], *([] for _ in range(points))]
    for spent, squares in enumerate(spending[:points]):
        for at in squares:
            if found[at].cost < spent:
                continue
            for step in ways.steps[at]:
                to = step.to
                known = found.get(to)
                if (known is not None and known.cost <= spent + STEP_COST) or (barred >> to & 1 and not leap):
                    continue
                if step.wets or board.water >> to & 1:
                    continue  # nobody enters water by choice
                cost = spent + step_cost(board, step, crowded, leap)
                if cost <= points and (known is None or cost < known.cost):
                    found[to] = Trip(cost, at)
                    spending[cost].append(to)
    return found


def way(found: dict[int, Trip], to: int) -> list[int]:
    """Return the squares of a way, except the first."""
    steps: list[int] = []
    while found[to].before != to:
        steps.append(to)
        to = found[to].before
    return steps[::-1]


class Planner:
    """The plans of a hero that is activated, or that might be."""

    def __init__(self, judged: Judged, hero: HeroView, ap: int) -> None:
        self.judged: Final = judged
        self.hero: Final = hero
        self.ap: Final = ap
        self.board: Final = judged.board
        self.ways: Final = judged.ways
        self.far: Final = judged.far(hero)
        self.pace: Final = judged.pace(hero)
        self.barred: Final = judged.barred(hero.name)
        self.crowded: Final = judged.crowded(hero.name)
        self.aims: Final[list[Aim]] = judged.aims(hero)
        self.held: Final[bool] = judged.is_held(hero.at)
        self._searches: Final = self._what_to_search()
        # No `functools.cache`: on our own methods, it would keep all these objects until the next garbage collection.
        self._ends: Final[dict[int, float]] = {}
        self._best: Final[dict[int, tuple[float, Aim | None]]] = {}

    # Values of squares

    def end(self, square: int) -> float:
        """Return the value of ending the activation on a square."""
        if square not in self._ends:
            gained = min(self.far[self.hero.at], 60) - min(self.far[square], 60)
            self._ends[square] = gained * self.pace - self.judged.danger(square, self.hero)
        return self._ends[square]

    def aim(self, square: int) -> tuple[float, Aim | None]:
        """Return the value of the best attack from a square, and the attack."""
        if square not in self._best:
            self._best[square] = self._aim(square)
        return self._best[square]

    def _aim(self, square: int) -> tuple[float, Aim | None]:
        best: tuple[float, Aim | None] = (0.0, None)
        row = hindered_row(self.ways, square) if self.aims else 0
        for aim in self.aims:
            if aim.squares >> square & 1 and aim.free > best[0]:
                at = aim.vermin.at
                blocked = row >> at & 1 or between(self.board, square, at) & self.crowded
                value = aim.hindered if blocked else aim.free
                if value > best[0]:
                    best = value, aim
        return best

    def attack(self, square: int, times: int) -> float:
        """Return the value of this many attacks from a square."""
        value, aim = self.aim(square)
        if aim is None or not times:
            return 0.0
        foe = self.judged.foe(aim.vermin)
        again = LATER if foe is None or foe.health - aim.vermin.wounds > 1 else 0.5
        return value * (1 + again * (times - 1))

    def _what_to_search(self) -> list[tuple[int, int, float]]:
        """Return the squares to search, the squares from which each can be searched, and what that is worth."""
        found = [(at, ACHIEVED) for at in self.judged.objectives]
        urgency = self.judged.urgency(self.hero)
        if urgency < 0.8:
            taken = dict(self.judged.view.taken)
            loot = [at for at in self.board.marks.get(LOOT, ()) if taken.get(at, 0) < LOOT_TOKENS]
            found += [(at, FOUND * (1 - urgency)) for at in loot]
        return [(at, self.ways.surrounding[at] | 1 << at, worth) for at, worth in found]

    def search(self, square: int) -> tuple[float, int]:
        """Return the value of the best search from a square, and the square to search."""
        found = ((worth, at) for at, near, worth in self._searches if near >> square & 1)
        return max(found, key=itemgetter(0), default=(0.0, -1))

    # Plans

    def best(self, legal: frozenset[Move] | None = None) -> Plan:
        """Return the best plan; given legal moves, the best that begins with one."""
        chosen = Plan(self.end(self.hero.at), (("end",),))
        for plan in self.plans():
            if plan.worth > chosen.worth and (legal is None or plan.moves[0] in legal):
                chosen = plan
        return chosen

    def plans(self) -> Iterator[Plan]:
        yield from self._on_the_spot()
        for spent in range(self.ap + 1):
            yield from self._going(spent)
        if self.ap >= COST["pounce"] and not self.held and not self.hero.mp:
            yield from self._pouncing()

    def _on_the_spot(self) -> Iterator[Plan]:
        """Yield plans that first do something where the hero is."""
        here, ap = self.hero.at, self.ap
        _, aim = self.aim(here)
        if aim is not None and ap:
            for times in range(1, ap + 1):
                rest = max(self.ends_after(ap - times, frees=True).values(), default=self.end(here))
                yield Plan(self.attack(here, times) + rest, (("attack", aim.arm.id, aim.vermin.name),))
        worth, at = self.search(here)
        if worth and ap >= COST["investigate"]:
            rest = max(self.ends_after(ap - COST["investigate"]).values(), default=self.end(here))
            yield Plan(worth + rest, (("investigate", SQUARES[at]),))
        if self._may_leave(here) and ap:
            yield Plan(AWAY, (("leave",),))

    def ends_after(self, spent: int, frees: bool = False) -> dict[int, float]:
        """Return the value of ending on each square, with this many AP for moving; perhaps after a blow that frees the
        hero."""
        found = self.reached(spent, frees)
        return {square: self.end(square) for square in found if not self.barred >> square & 1}

    def reached(self, spent: int, frees: bool = False) -> dict[int, Trip]:
        """Return where a hero can get with this many AP. A held hero prowls until it is free."""
        hero = self.hero
        each = POINTS["prowl"] if self.held and not frees else POINTS["stride"]
        points = hero.mp + each * spent
        return trips(self.ways, hero.at, points, self.barred, self.crowded)

    def leaps(self, points: int) -> dict[int, Trip]:
        """Return where a hero can get with these MP of a Pounce."""
        return trips(self.ways, self.hero.at, points, self.barred, self.crowded, leap=True)

    def _going(self, spent: int) -> Iterator[Plan]:
        """Yield plans that spend this many AP on moving, and the rest on something there."""
        hero, left = self.hero, self.ap - spent
        if not spent and not hero.mp:
            return
        found = self.reached(spent)
        gains = self._gain(spent)
        leave = left >= COST["leave"]
        for square, trip in found.items():
            if self.barred >> square & 1 or (square == hero.at):
                continue
            worth = self.end(square)
            if left and self.aims:
                worth += self.attack(square, left)
            if left >= COST["investigate"]:
                worth = max(worth, self.end(square) + self.search(square)[0])
            elif left:
                worth += self.opening(square)
            if leave and self._may_leave(square):
                worth = AWAY - 0.1 * spent
            worth += IDLE * left
            if gains and trip.cost <= hero.mp:
                continue  # the remaining MP are enough
            yield Plan(worth, (*gains, *(("go", SQUARES[each]) for each in way(found, square))))

    def _gain(self, spent: int) -> tuple[Move, ...]:
        """Return the action that gives the MP."""
        if not spent:
            return ()
        return (("prowl" if self.held else "stride",),)

    def _pouncing(self) -> Iterator[Plan]:
        """Yield plans with a Pounce that ends in an attack."""
        hero, found = self.hero, self.leaps(POINTS["pounce"])
        left = self.ap - COST["pounce"]
        for square in found:
            if self.barred >> square & 1 or square == hero.at:
                continue
            worth = self.end(square) - 0.15 * max(0.0, self.judged.danger(square, hero)) - 0.05
            worth += self._blow(square) + self.attack(square, left)
            if left and self._may_leave(square):
                worth = AWAY - 0.2
            yield Plan(worth, (("pounce",), *(("go", SQUARES[each]) for each in way(found, square)), ("land",)))

    def _blow(self, square: int) -> float:
        """Return the best attack of Range 1 from a square."""
        return max((aim.free for aim in self.aims if aim.arm.range == 1 and aim.squares >> square & 1), default=0.0)

    def _may_leave(self, square: int) -> bool:
        judged = self.judged
        if not judged.must_leave or not self.board.exits >> square & 1:
            return False
        return not judged.objectives and not any(one.marker in judged.quarry for one in judged.view.vermin)

    def opening(self, square: int) -> float:
        """Return the value of opening a door on a square: the way behind it gets shorter."""
        return DOOR * self.pace if self._door_on_the_way(square) else 0.0

    def _door_on_the_way(self, square: int) -> str:
        """Return the first closed door of a square with a shorter way behind it; empty if there is none."""
        for number in members(self.board.doors_of[square] & ~self.judged.view.doors):
            door = self.board.doors[number]
            behind = door.b if square == door.a else door.a
            if self.far[behind] < self.far[square] - DOOR:
                return door.name
        return ""

    def door(self) -> Plan | None:
        """Return the plan to open a door on the hero's square, if the way leads through it."""
        square = self.hero.at
        name = self._door_on_the_way(square) if self.ap else ""
        if not name:
            return None
        rest = self.end(square) + DOOR * self.pace + max(0, self.ap - 1) * 2 * self.pace
        return Plan(rest, (("door", name),))
