"""What a table is worth to the party, judged from a view of it: how far the goals are, what threatens where, whom an
attack would help against.

All is counted in Lives. Nothing here knows more than the view does: no card to come, no marker that lies face down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from heapq import heappop, heappush
from typing import Final, NamedTuple

from grimalkin.engine.kinds import mask, members
from grimalkin.games.cats_of_new_orleans.board import Board, Ways
from grimalkin.games.cats_of_new_orleans.box import Arm, Box, Foe, Scenario
from grimalkin.games.cats_of_new_orleans.chances import promise
from grimalkin.games.cats_of_new_orleans.numbers import (
    DIFFICULTIES,
    EASY,
    HARD,
    HERO_AP,
    HINDERED_DRM,
    OBJECTIVE,
    SPAWNS,
    STUNNED_DRM,
    UNREVEALED_AP,
    VULNERABLE_DRM,
)
from grimalkin.games.cats_of_new_orleans.reach import DIAGONAL_COST, HINDERING_COST, STEP_COST
from grimalkin.games.cats_of_new_orleans.sight import sees
from grimalkin.games.cats_of_new_orleans.table import HeroView, VerminView, View

FAR: Final = 999
STUN: Final = 0.5
"""What a Stun costs a hero, in Lives: half an activation."""
STRIDE: Final = 3
"""The MP of an AP."""
DOOR: Final = 3
"""What a closed door costs on the way: an AP."""
HORIZON: Final = 3
"""The rounds for which a vermin that stays would go on to hurt."""
CAUGHT: Final = 40.0
"""What it costs to lose the scenario by being smelled, in Lives."""
KING: Final = 9.0
"""What a Wound of somebody who must be eliminated is worth, in Lives."""
LEAST_PACE: Final = 0.6
MORE_PACE: Final = 0.45
HURRY: Final = 3.0
"""What an MP is worth at least, and by how much more at the last moment. Parties that took their time were caught by
the end of the track with all their Lives: getting on is worth more than it seems."""
FIRST_AGAIN: Final = 0.3
"""The chance that the vermin go first in the next round."""


class Aim(NamedTuple):
    """An attack on a vermin, by the squares from which it can be made."""

    vermin: VerminView
    arm: Arm
    squares: int
    free: float
    """What it is worth where nothing hinders it, and"""
    hindered: float


class Threat(NamedTuple):
    """Squares on which a vermin can attack in its next activation, and the Lives and Stuns that this costs there."""

    vermin: VerminView
    squares: int
    lives: float
    stuns: float


class Judged:
    """A view, and what follows from it."""

    def __init__(self, view: View) -> None:
        self.view: Final = view
        self.box: Final[Box] = view.box
        self.plan: Final[Scenario] = view.box.scenario(view.scenario)
        self.board: Final[Board] = self.plan.board
        self.ways: Final[Ways] = self.board.ways(view.doors)
        self.heroes: Final = [hero for hero in view.heroes if hero.at >= 0]
        self.peaceful: Final = bool(self.plan.kit.says("may-not"))
        self.left: Final = self.board.spaces - view.space
        """The rounds after this one, before the Round marker leaves the track."""
        taken = dict(view.taken)
        self.objectives: Final = [at for at in self.board.marks.get(OBJECTIVE, ()) if not taken.get(at)]
        self.quarry: Final = _quarry(self.plan, view)
        """The foes who must be eliminated, by the numbers of their markers."""
        self.awake: Final = _awake(self.plan)
        self.must_leave: Final = not any(
            one.name == "need-not" for text in self.plan.objectives for one in text.every()
        )
        self.care: Final = sum(CARE[hero.lives] for hero in self.heroes) / max(1, len(self.heroes))
        """How much the party minds to lose a Life."""
        self.threats: Final = list(self._threats())
        self._far: dict[int, list[int]] = {}
        self._danger: dict[int, tuple[float, float]] = {}
        self._goals: dict[str, int] = {}
        self._harms: dict[str, float] = {}
        self._aims: dict[str, list[Aim]] = {}

    # Whom it is about

    def foe(self, one: VerminView) -> Foe | None:
        """Its card, if anybody knows it. Where the pool holds one kind, everybody does."""
        return self.box.foes[one.marker] if one.marker >= 0 else None

    def covers(self, one: VerminView) -> int:
        foe = self.foe(one) if one.up else None
        return self.board.footprint(one.at) if foe and foe.large else 1 << one.at

    def crowded(self, but: str = "") -> int:
        """The squares with a figure, save one hero's."""
        taken = mask(hero.at for hero in self.heroes if hero.name != but)
        for one in self.view.vermin:
            taken |= self.covers(one)
        return taken

    def barred(self, but: str) -> int:
        """The squares that a hero cannot enter."""
        taken = mask(hero.at for hero in self.heroes if hero.name != but)
        for one in self.view.vermin:
            foe = self.foe(one) if one.up else None
            if foe is None or not foe.shares:
                taken |= self.covers(one)
        return taken

    def holders(self) -> int:
        """The squares next to which nobody strides: those of vermin that are not stunned."""
        return mask(square for one in self.view.vermin if not one.stunned for square in members(self.covers(one)))

    def is_held(self, square: int) -> bool:
        return bool(self.ways.adjacent[square] & self.holders())

    # How far it is

    def goal(self, hero: HeroView) -> int:
        """The squares to which a hero wants to come: an objective, somebody who must be eliminated, an exit."""
        found = self._goals.get(hero.name)
        if found is None:
            found = self._goals[hero.name] = self._goal_of(hero)
        return found

    def _goal_of(self, hero: HeroView) -> int:
        mine = self.errands.get(hero.name)
        if mine is not None:
            return self.around([mine])
        hunted = [one for one in self.view.vermin if one.marker in self.quarry]
        if hunted:
            return self._shooting(hero, hunted)
        if self.objectives and not self.must_leave:
            return self.around(self.objectives)
        if self.objectives:
            runs = self.far_from(self.board.exits)
            return self.around([min(self.objectives, key=lambda at: runs[at])])
        if self.must_leave:
            return self.board.exits
        return mask(one.at for one in self.view.vermin)

    @cached_property
    def errands(self) -> dict[str, int]:
        """By hero, the objective that it is to search: each is given to the nearest who has no other yet."""
        found: dict[str, int] = {}
        for at in sorted(self.objectives, key=self._nearest):
            far = self.far_from(self.around([at]))
            free = [hero for hero in self.heroes if hero.name not in found] or self.heroes
            if free:
                found.setdefault(min(free, key=lambda hero: (far[hero.at], hero.card)).name, at)
        return found

    def _nearest(self, square: int) -> int:
        far = self.far_from(self.around([square]))
        return min((far[hero.at] for hero in self.heroes), default=FAR)

    def around(self, squares: list[int]) -> int:
        """Where a hero can search some squares."""
        found = mask(squares)
        for square in squares:
            found |= self.ways.surrounding[square]
        return found & self.board.standable

    def _shooting(self, hero: HeroView, hunted: list[VerminView]) -> int:
        """Where a hero can attack any of these, with whatever it has."""
        found = 0
        for one in hunted:
            squares = self.covers(one)
            for arm in self.arms(hero):
                found |= covered(self.ways, squares, arm.range)
            found |= _beside(self.ways, squares)
        return found & self.board.standable

    def far(self, hero: HeroView) -> list[int]:
        """By square, the MP from there to a hero's goal."""
        return self.far_from(self.goal(hero))

    def far_from(self, goals: int) -> list[int]:
        """By square, the MP from there to the nearest of some."""
        found = self._far.get(goals)
        if found is None:
            found = self._far[goals] = distances(self.ways, goals)
        return found

    def urgency(self, hero: HeroView) -> float:
        """How much of its time a hero needs for what is left to do: 1 is all of it."""
        far = self.far(hero)[hero.at]
        if far >= FAR:
            return 0.5
        needed = far / STRIDE + self.must_leave
        mine = self.errands.get(hero.name)
        if mine is not None:
            needed += 2
        if self.must_leave and self.objectives:
            runs = self.far_from(self.board.exits)
            needed += runs[mine if mine is not None else min(self.objectives, key=lambda at: runs[at])] / STRIDE
        each = HERO_AP[len(self.view.heroes)]
        return needed / max(1.0, (self.left + (not hero.done)) * each * 0.85)

    def pace(self, hero: HeroView) -> float:
        """What an MP towards its goal is worth to a hero, in Lives: the more, the less time there is."""
        return LEAST_PACE + MORE_PACE * min(self.urgency(hero), HURRY) ** 2

    # What threatens

    def danger(self, square: int, hero: HeroView) -> float:
        """What may happen to a hero on a square before it is activated again, in Lives of a hero who has few."""
        found = self._danger.get(square)
        if found is None:
            found = self._danger[square] = (self._risk(square), 0.0) if self.peaceful else self._danger_on(square)
        lives, trouble = found
        return lives + trouble if self.peaceful else lives * CARE[hero.lives] + trouble

    def _danger_on(self, square: int) -> tuple[float, float]:
        """The Lives that may be lost on a square, and what else there is against it."""
        lives = trouble = 0.0
        for threat in self.threats:
            if threat.squares >> square & 1:
                mine = self.board.king(threat.vermin.at, square)
                nearer = sum(self.board.king(threat.vermin.at, other.at) < mine for other in self.heroes)
                share = 1.0 if not nearer else 0.5
                lives += threat.lives * share
                trouble += threat.stuns * share * STUN
        if self.board.hindering >> square & 1:
            lives, trouble = lives * COVER, trouble * COVER
        if self.is_held(square):
            trouble += 0.3
        if self.board.water >> square & 1:
            trouble += 1.0
        return lives, trouble + 0.3 * self._spawning(square)

    def _risk(self, square: int) -> float:
        """Where nobody may fight: how soon a vermin can be activated beside somebody on this square."""
        risk = 0.0
        again = self.view.first == 1  # the vermin have had their turn
        beside = self.ways.adjacent[square] | 1 << square
        rings = self.ways.flood(beside & self.board.standable, self.board.standable)
        for number, ring in enumerate(rings[:4]):
            for one in self.view.vermin:
                if ring >> one.at & 1:
                    risk += RISKS[again][number]
        return risk + CAUGHT / 4 * self._spawning(square)

    def _spawning(self, square: int) -> float:
        """Whether vermin may come out beside this square at the end of the round: 1 on the spot, less around it."""
        worst = 0.0
        for letter in SPAWNS:
            if self.view.space + 1 in self.board.track.get(letter, ()):
                for at in self.board.marks.get(letter, ()):
                    near = self.board.king(at, square)
                    worst = max(worst, 1.0 if near <= 1 else 0.4 if near <= 2 else 0.0)
        return worst

    def _threats(self) -> Iterator[Threat]:
        """Every vermin that is revealed, by how many attacks it has left when it has come into Range. Of aspects, any
        may be the next."""
        for one in self.view.vermin:
            foe = self.foe(one)
            if foe is None or self.peaceful or one.stunned:
                continue
            points = foe.ap if one.up else UNREVEALED_AP
            chance = 1 / max(1, len(foe.aspects))
            rings = self.ways.flood(self.covers(one), self.board.standable)
            for arms in [self.box.foe(aspect).arms for aspect in foe.aspects] or [foe.arms]:
                yield from self._threats_with(one, arms, points, rings, chance)

    def _threats_with(
        self, one: VerminView, arms: Sequence[Arm], points: int, rings: list[int], chance: float
    ) -> Iterator[Threat]:
        if not arms:
            return
        lives, stuns = max((self.hurt_by(arm) for arm in arms), key=sum)
        done = 0
        for steps, squares in enumerate(rings[:points]):
            reached = 0
            for arm in arms:
                reached |= covered(self.ways, squares, arm.range)
            reached &= ~done
            done |= reached
            if reached:
                times = (points - steps) * chance
                yield Threat(one, reached, lives * times, stuns * times)

    def hurt_by(self, arm: Arm) -> tuple[float, float]:
        """The Lives and the Stuns that an attack of a vermin costs a hero."""
        promised = promise(self.box, arm, 0)
        each = 1.0 if self.view.difficulty == DIFFICULTIES[EASY] else 1.5
        return promised.wounds * each, promised.stun

    def cost_of(self, arm: Arm) -> float:
        """The same as one number."""
        lives, stuns = self.hurt_by(arm)
        return lives * self.care + stuns * STUN

    def harm(self, one: VerminView) -> float:
        """What a vermin costs the party in a round, as long as it stands among them."""
        found = self._harms.get(one.name)
        if found is None:
            found = self._harms[one.name] = self._harm_of(one)
        return found

    def _harm_of(self, one: VerminView) -> float:
        foe = self.foe(one)
        if foe is None:
            return 0.4
        if foe.aspects:
            each = [self.cost_of(arm) for aspect in foe.aspects for arm in self.box.foe(aspect).arms]
            return foe.ap * sum(each) / len(foe.aspects)
        return foe.ap * max((self.cost_of(arm) for arm in foe.arms), default=0.0) if not self.peaceful else 0.0

    # What attacks promise

    def arms(self, hero: HeroView) -> list[Arm]:
        """The attacks of a hero that are loaded."""
        box = self.box
        return [box.arm(hero.card), *(box.arm(card) for card in hero.weapons if not self.view.depleted >> card & 1)]

    def aims(self, hero: HeroView) -> list[Aim]:
        """All attacks that a hero could make from anywhere."""
        found = self._aims.get(hero.name)
        if found is None:
            found = self._aims[hero.name] = [] if self.peaceful else list(self._aims_of(hero))
        return found

    def _aims_of(self, hero: HeroView) -> Iterator[Aim]:
        for one in self.view.vermin:
            squares = self.covers(one)
            for arm in self.arms(hero):
                reached = covered(self.ways, squares, arm.range)
                free, hindered = (self.worth(arm, one, drm) for drm in (0, HINDERED_DRM))
                yield Aim(one, arm, reached, free, hindered)

    def worth(self, arm: Arm, one: VerminView, drm: int) -> float:
        """What an attack on a vermin is worth, in Lives."""
        drm += STUNNED_DRM * one.stunned + VULNERABLE_DRM * one.vulnerable
        promised = promise(self.box, arm, drm)
        foe = self.foe(one)
        if foe is None:
            return 0.4 * promised.wounds + 0.1
        harm = self.harm(one)
        left = max(1, foe.health - one.wounds)
        if foe.health == 1 and foe.shares:  # a Stun is the end of it
            return max(promised.stun, promised.kills[0]) * harm
        killed = promised.kills[min(left, len(promised.kills)) - 1]
        rounds = min(HORIZON, self.left + 1)
        value = killed * harm * rounds + 0.35 * (promised.wounds - killed) * harm * rounds / left
        if one.marker in self.quarry:
            value += KING * promised.wounds
        if not one.stunned and self.can_be_stunned(one, foe):
            value += promised.stun * (1 - killed) * harm
        return value

    def can_be_stunned(self, one: VerminView, foe: Foe) -> bool:
        """Whether a Stun would keep a vermin from anything."""
        if one.zombie or foe.id in self.awake or foe.kit.says("cannot-be-stunned"):
            return False
        return not (self.view.difficulty == DIFFICULTIES[HARD] and foe.has("boss"))


CARE: Final = (3.0, 3.0, 2.2, 1.6, 1.1, 0.8, 0.6, 0.5, 0.4, 0.4)
"""By the Lives it has, how much a hero minds to lose one."""
COVER: Final = 0.6
"""How much of what threatens is left where hindering terrain makes attacks harder."""
RISKS: Final = ((CAUGHT, FIRST_AGAIN * CAUGHT, 0.4, 0.1), (FIRST_AGAIN * CAUGHT, 1.5, 0.2, 0.05))
"""Whether the vermin have had their turn of this round, and by their moves until they are beside somebody."""


def _quarry(plan: Scenario, view: View) -> frozenset[int]:
    """The markers of those who must be eliminated."""
    foes = {
        str(one["foe"])
        for text in plan.objectives
        for clause in text.every()
        if clause.name == "eliminate"
        for one in clause.every()
        if "foe" in dict(one.parts)
    }
    if not foes:
        return frozenset()
    return frozenset(marker.number for marker in view.box.markers if view.box.foe(marker.foe).id in foes)


def _awake(plan: Scenario) -> frozenset[str]:
    """The foes whom the scenario frees from every Stun."""
    return frozenset(
        str(one["foe"])
        for ability in plan.kit.reactions.get("is-stunned", ())
        if ability.trigger is not None and any(c.name == "unstun" for s in ability.body for c in s.every())
        for one in ability.trigger.every()
        if one.name == "named"
    )


def _beside(ways: Ways, squares: int) -> int:
    found = 0
    for square in members(squares):
        found |= ways.adjacent[square]
    return found & ~squares


@lru_cache(maxsize=16384)
def covered(ways: Ways, squares: int, reach: int) -> int:
    """What an attack of a Range covers and sees from any of some squares; they are covered from there, too."""
    board, found = ways.board, 0
    for square in members(squares):
        found |= board.in_range(square, reach) & sees(ways, square)
    return found


@lru_cache(maxsize=512)
def distances(ways: Ways, goals: int) -> list[int]:
    """By square, the fewest MP to any goal, without regard to figures. A closed door costs as much as opening it."""
    board = ways.board
    every_door = board.ways((1 << len(board.doors)) - 1)
    found = [FAR] * board.size
    waiting: list[tuple[int, int]] = []
    for square in members(goals & board.standable):
        found[square] = 0
        heappush(waiting, (0, square))
    while waiting:
        far, square = heappop(waiting)
        if far > found[square]:
            continue
        # The step leads the other way round: from a neighbour to this square, which may hinder.
        entering = HINDERING_COST if board.hindering >> square & 1 else 0
        entering += 6 if board.water >> square & 1 else 0
        for step in every_door.steps[square]:
            cost = (DIAGONAL_COST if step.diagonal else STEP_COST) + max(entering, step.hinders)
            if not ways.near[square] >> step.to & 1:
                cost += DOOR
            if far + cost < found[step.to]:
                found[step.to] = far + cost
                heappush(waiting, (far + cost, step.to))
    return found
