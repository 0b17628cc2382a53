"""The value of a table for the party, judged from a view of it: distances to goals, threats, and useful attacks.

All values are in Lives. Nothing here knows more than the view: no coming card, no face-down marker.

Chances of attacks are quick estimates like those that players make at the table: each draw is separate, from a whole
deck. Readers get exact numbers (`odds`); bots ask for these estimates hundreds of times in a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from heapq import heappop, heappush
from typing import Final, NamedTuple

from grimalkin.engine.kinds import mask, members
from grimalkin.games.cats_of_new_orleans import numbers
from grimalkin.games.cats_of_new_orleans.attack import result_of
from grimalkin.games.cats_of_new_orleans.box import Arm, Box, Foe, Scenario
from grimalkin.games.cats_of_new_orleans.figures import sees
from grimalkin.games.cats_of_new_orleans.maps import DIAGONAL_COST, HINDERING_COST, STEP_COST, Board, Ways
from grimalkin.games.cats_of_new_orleans.table import HeroView, VerminView, View


class Promise(NamedTuple):
    """The expected results of a whole attack."""

    stun: float
    """The chance of at least one Stun."""
    wounds: float
    """The expected number of Wounds."""
    kills: tuple[float, ...] = ()
    """By remaining Health, from 1, the chance of that many Wounds."""


MOST_HEALTH = 9


@lru_cache(maxsize=4096)
def of_card(box: Box, stun: int, wound: int, drm: int) -> tuple[float, float]:
    """Return the chances that one card gives a Stun, and a Wound. Kings are not in the deck."""
    stuns = wounds = 0
    cards = [card for card in box.poker if card not in box.kings]
    for card in cards:
        result = result_of(box.values[card], drm)
        stuns += result >= stun
        wounds += result >= wound
    return stuns / len(cards), wounds / len(cards)


@lru_cache(maxsize=4096)
def promise(box: Box, arm: Arm, drm: int) -> Promise:
    """Return the expected results of an attack with this modifier on each of its draws."""
    stun, wound = of_card(box, arm.stun, arm.wound, drm)
    count = arm.draws
    at_least = [1.0]
    exactly = [(1 - wound) ** count]
    for number in range(1, MOST_HEALTH + 1):
        at_least.append(max(0.0, at_least[-1] - exactly[-1]))
        more = count - number + 1
        exactly.append(exactly[-1] * wound / (1 - wound) * more / number if wound < 1 and more > 0 else 0.0)
    if wound >= 1:
        at_least = [1.0 if number <= count else 0.0 for number in range(MOST_HEALTH + 1)]
    return Promise(1 - (1 - stun) ** count, count * wound, tuple(at_least[1:]))


FAR: Final = 999
STUN: Final = 0.5
"""The cost of a Stun to a hero, in Lives: half an activation."""
STRIDE: Final = 3
"""The MP for one AP."""
DOOR: Final = 3
"""The cost of a closed door on the way: one AP."""
HORIZON: Final = 3
"""The rounds for which a vermin that stays would keep hurting."""
CAUGHT: Final = 40.0
"""The cost of losing the scenario by being smelled, in Lives."""
KING: Final = 9.0
"""The value of a Wound on a vermin that must be eliminated, in Lives."""
LEAST_PACE: Final = 0.6
MORE_PACE: Final = 0.45
HURRY: Final = 3.0
"""The least value of an MP, and how much it rises until the last moment. Parties that took their time ran out of rounds
with all their Lives: getting on is worth more than it seems."""
FIRST_AGAIN: Final = 0.3
"""The chance that the vermin go first next round."""


class Aim(NamedTuple):
    """An attack on a vermin, with the squares from which it can be made."""

    vermin: VerminView
    arm: Arm
    squares: int
    free: float
    """Its value if nothing hinders it; `hindered` is the value otherwise."""
    hindered: float


class Threat(NamedTuple):
    """Squares on which a vermin can attack in its next activation, and the Lives and Stuns that this costs."""

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
        """The rounds after this one, until the Round marker leaves the track."""
        taken = dict(view.taken)
        self.objectives: Final = [at for at in self.board.marks.get(numbers.OBJECTIVE, ()) if not taken.get(at)]
        self.quarry: Final = _quarry(self.plan, view)
        """The foes that must be eliminated, by the numbers of their markers."""
        self.awake: Final = _awake(self.plan)
        self.must_leave: Final = not any(
            one.name == "need-not" for text in self.plan.objectives for one in text.every()
        )
        self.care: Final = sum(CARE[hero.lives] for hero in self.heroes) / max(1, len(self.heroes))
        """How much the party minds losing a Life."""
        self.threats: Final = list(self._threats())
        self.goal: Final = cache(self._goal)
        """Return the squares that a hero wants to reach: near an objective, in range of a quarry, or an exit."""
        self.aims: Final = cache(self._aims)
        """Return all attacks that a hero could make from anywhere."""
        self._harms: Final[dict[str, float]] = {}
        self._dangers: Final[dict[int, tuple[float, float]]] = {}

    # Figures

    def foe(self, one: VerminView) -> Foe | None:
        """Return the card of a vermin, if anybody knows it. If the pool holds one kind, everybody does."""
        return self.box.foes[one.marker] if one.marker >= 0 else None

    def covers(self, one: VerminView) -> int:
        foe = self.foe(one) if one.up else None
        return self.board.footprint(one.at) if foe and foe.large else 1 << one.at

    def crowded(self, but: str = "") -> int:
        """Return the squares with a figure, except one hero's."""
        taken = mask(hero.at for hero in self.heroes if hero.name != but)
        for one in self.view.vermin:
            taken |= self.covers(one)
        return taken

    def barred(self, but: str) -> int:
        """Return the squares that a hero cannot enter."""
        taken = mask(hero.at for hero in self.heroes if hero.name != but)
        for one in self.view.vermin:
            foe = self.foe(one) if one.up else None
            if foe is None or not foe.shares:
                taken |= self.covers(one)
        return taken

    def holders(self) -> int:
        """Return the squares of vermin that are not stunned: nobody strides next to them."""
        return mask(square for one in self.view.vermin if not one.stunned for square in members(self.covers(one)))

    def is_held(self, square: int) -> bool:
        return bool(self.ways.adjacent[square] & self.holders())

    # Distances

    def _goal(self, hero: HeroView) -> int:
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
        """By hero, the objective to search: each goes to the nearest hero who has none yet."""
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
        """Return the squares from which a hero can search any of these squares."""
        found = mask(squares)
        for square in squares:
            found |= self.ways.surrounding[square]
        return found & self.board.standable

    def _shooting(self, hero: HeroView, hunted: list[VerminView]) -> int:
        """Return the squares from which a hero can attack any of these vermin."""
        found = 0
        for one in hunted:
            squares = self.covers(one)
            for arm in self.arms(hero):
                found |= covered(self.ways, squares, arm.range)
            found |= _beside(self.ways, squares)
        return found & self.board.standable

    def far(self, hero: HeroView) -> list[int]:
        """Return, by square, the MP from there to a hero's goal."""
        return self.far_from(self.goal(hero))

    def far_from(self, goals: int) -> list[int]:
        """Return, by square, the MP from there to the nearest of these goals."""
        return distances(self.ways, goals)

    def urgency(self, hero: HeroView) -> float:
        """Return the share of the remaining time that a hero needs for what is left to do: 1 is all of it."""
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
        each = numbers.HERO_AP[len(self.view.heroes)]
        return needed / max(1.0, (self.left + (not hero.done)) * each * 0.85)

    def pace(self, hero: HeroView) -> float:
        """Return the value of an MP towards a hero's goal, in Lives: higher with less time."""
        return LEAST_PACE + MORE_PACE * min(self.urgency(hero), HURRY) ** 2

    # Threats

    def danger(self, square: int, hero: HeroView) -> float:
        """Return the expected loss of a hero on a square before its next activation; it counts more with few Lives."""
        if square not in self._dangers:
            self._dangers[square] = self._risk_on(square) if self.peaceful else self._loss_on(square)
        lives, trouble = self._dangers[square]
        return lives + trouble if self.peaceful else lives * CARE[hero.lives] + trouble

    def _loss_on(self, square: int) -> tuple[float, float]:
        """Return the Lives that may be lost on a square, and its other disadvantages."""
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

    def _risk_on(self, square: int) -> tuple[float, float]:
        """Return the risk, where nobody may fight, that a vermin is activated beside a hero on this square."""
        risk = 0.0
        again = self.view.first == 1  # the vermin have had their turn
        beside = self.ways.adjacent[square] | 1 << square
        rings = self.ways.flood(beside & self.board.standable, self.board.standable)
        for number, ring in enumerate(rings[:4]):
            for one in self.view.vermin:
                if ring >> one.at & 1:
                    risk += RISKS[again][number]
        return risk + CAUGHT / 4 * self._spawning(square), 0.0

    def _spawning(self, square: int) -> float:
        """Return whether vermin may spawn beside this square at the end of the round: 1 on the spot, less around it."""
        worst = 0.0
        for letter in numbers.SPAWNS:
            if self.view.space + 1 in self.board.track.get(letter, ()):
                for at in self.board.marks.get(letter, ()):
                    near = self.board.king(at, square)
                    worst = max(worst, 1.0 if near <= 1 else 0.4 if near <= 2 else 0.0)
        return worst

    def _threats(self) -> Iterator[Threat]:
        """Yield every vermin with the attacks it has left once in Range. Any aspect may be the next."""
        for one in self.view.vermin:
            foe = self.foe(one)
            if foe is None or self.peaceful or one.stunned:
                continue
            points = foe.ap if one.up else numbers.UNREVEALED_AP
            chance = 1 / max(1, len(foe.aspects))
            rings = self.ways.flood(self.covers(one), self.board.standable)
            for arms in [self.box.foe(aspect).arms for aspect in foe.aspects] or [foe.arms]:
                yield from self._threats_with(one, arms, points, rings, chance)

    def _threats_with(
        self, one: VerminView, arms: Sequence[Arm], points: int, rings: Sequence[int], chance: float
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
        """Return the Lives and the Stuns that a vermin's attack costs a hero."""
        promised = promise(self.box, arm, 0)
        each = 1.0 if self.view.difficulty == numbers.DIFFICULTIES[numbers.EASY] else 1.5
        return promised.wounds * each, promised.stun

    def cost_of(self, arm: Arm) -> float:
        """Return the cost of a vermin's attack to a hero as a single number, in Lives."""
        lives, stuns = self.hurt_by(arm)
        return lives * self.care + stuns * STUN

    def harm(self, one: VerminView) -> float:
        """Return what a vermin costs the party in a round, as long as it is among them."""
        if one.name not in self._harms:
            self._harms[one.name] = self._harm(one)
        return self._harms[one.name]

    def _harm(self, one: VerminView) -> float:
        foe = self.foe(one)
        if foe is None:
            return 0.4
        if foe.aspects:
            each = [self.cost_of(arm) for aspect in foe.aspects for arm in self.box.foe(aspect).arms]
            return foe.ap * sum(each) / len(foe.aspects)
        return foe.ap * max((self.cost_of(arm) for arm in foe.arms), default=0.0) if not self.peaceful else 0.0

    # Attacks

    def arms(self, hero: HeroView) -> list[Arm]:
        """Return the attacks of a hero that are loaded."""
        box = self.box
        return [box.arm(hero.card), *(box.arm(card) for card in hero.weapons if not self.view.depleted >> card & 1)]

    def _aims(self, hero: HeroView) -> list[Aim]:
        return [
            Aim(
                one,
                arm,
                covered(self.ways, self.covers(one), arm.range),
                self.worth(arm, one, 0),
                self.worth(arm, one, numbers.HINDERED_DRM),
            )
            for one in (self.view.vermin if not self.peaceful else ())
            for arm in self.arms(hero)
        ]

    def worth(self, arm: Arm, one: VerminView, drm: int) -> float:
        """Return the value of an attack on a vermin, in Lives."""
        drm += numbers.STUNNED_DRM * one.stunned + numbers.VULNERABLE_DRM * one.vulnerable
        promised = promise(self.box, arm, drm)
        foe = self.foe(one)
        if foe is None:
            return 0.4 * promised.wounds + 0.1
        harm = self.harm(one)
        left = max(1, foe.health - one.wounds)
        if foe.health == 1 and foe.shares:  # a Stun eliminates it
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
        """Return whether a Stun would stop a vermin from doing anything."""
        if one.zombie or foe.id in self.awake or foe.kit.says("cannot-be-stunned"):
            return False
        return not (self.view.difficulty == numbers.DIFFICULTIES[numbers.HARD] and foe.has("boss"))


CARE: Final = (3.0, 3.0, 2.2, 1.6, 1.1, 0.8, 0.6, 0.5, 0.4, 0.4)
"""By remaining Lives, how much a hero minds losing one."""
COVER: Final = 0.6
"""The share of a threat that remains on hindering terrain, where attacks are harder."""
RISKS: Final = ((CAUGHT, FIRST_AGAIN * CAUGHT, 0.4, 0.1), (FIRST_AGAIN * CAUGHT, 1.5, 0.2, 0.05))
"""By whether the vermin have had their turn this round, and by the moves that they need to be beside a hero."""


def _quarry(plan: Scenario, view: View) -> frozenset[int]:
    """Return the markers of foes that must be eliminated."""
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
    """Return the foes that the scenario frees from every Stun."""
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
    """Return the squares that an attack of this Range covers and sees from any of these; it works both ways."""
    board, found = ways.board, 0
    for square in members(squares):
        found |= board.in_range(square, reach) & sees(ways, square)
    return found


@lru_cache(maxsize=512)
def distances(ways: Ways, goals: int) -> list[int]:
    """Return, by square, the fewest MP to any goal, ignoring figures. A closed door adds the cost of opening it."""
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
        # Steps are taken in reverse: from a neighbour to this square, which may hinder.
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
