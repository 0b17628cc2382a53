"""Decisions of vermin: each is a list of filters, a rule and a measure. One remaining candidate is forced; the group
chooses among several.

Every decision goes through `narrowed`, which records the counts, and the record is the explanation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, TypeVar

from grimalkin.engine.kinds import members
from grimalkin.engine.law import law
from grimalkin.games.cats_of_new_orleans.box import Arm, shoots
from grimalkin.games.cats_of_new_orleans.clauses import ignores, in_scope, is_forbidden, range_of, statics_for
from grimalkin.games.cats_of_new_orleans.figures import (
    Shots,
    aims,
    any_sees,
    best_line,
    board_of,
    clear_shots,
    covers,
    foe_of,
    has_power,
    here,
    hero_of,
    heroes_mask,
    in_range,
    occupied,
    shares,
    ways_of,
)
from grimalkin.games.cats_of_new_orleans.maps import FAR, Flood, union, within_walls
from grimalkin.games.cats_of_new_orleans.numbers import UNREVEALED_AP, WATER_AP
from grimalkin.games.cats_of_new_orleans.table import Hero, Table, Vermin
from grimalkin.problems.plain import plural

T = TypeVar("T")


class Measure(NamedTuple):
    """What one step of a decision compares: the candidates with the lowest count remain."""

    rule: str
    words: str
    """For refusals and descriptions of foes: the fewest moves to a hero."""
    found: str
    """For the log: what the remaining candidates are, in the singular and the plural."""
    unit: str
    """What is counted, as a noun; empty for a measure of yes or no."""


CLOSEST_HERO: Final = "Closest hero|Closest heroes"
NEARER: Final = "Square closest to a hero|Squares closest to a hero"
SHOT: Final = "Square closest to a clear shot|Squares closest to a clear shot"
SAFER: Final = ("Square closest to safety|Squares closest to safety", "move")
ACTS: Final = Measure("NO-VERM-1", "fewest moves to a hero", "Closest vermin|Closest vermin", "move")
ACTS_FAR_OFF: Final = Measure("NO-AMB-99", "fewest squares to a hero", "Closest vermin|Closest vermin", "square")
TARGET: Final = Measure("NO-AMB-80", "fewest moves to get there", CLOSEST_HERO, "move")
TARGET_FAR_OFF: Final = Measure("NO-AMB-83", "fewest squares to get there", CLOSEST_HERO, "square")
ARM: Final = Measure("NO-VATK-6", "lowest Wound Value", "Lowest Wound Value|Lowest Wound Value", "")
EQUAL_ARM: Final = Measure("NO-VATK-6", "lowest Stun Value", "Lowest Stun Value|Lowest Stun Value", "")
PREY: Final = Measure("NO-VERM-3", "fewest moves to get there", CLOSEST_HERO, "move")
CLOSER: Final = Measure("NO-VERM-3", "fewest moves left to a hero", NEARER, "move")
LARGE_CLOSER: Final = Measure("NO-LARGE-3", "fewest moves left to a hero", NEARER, "move")
ROUND_A_CORNER: Final = Measure(
    "NO-AMB-98", "it can attack from there", "Square to attack from|Squares to attack from", ""
)
FAR_OFF: Final = Measure("NO-AMB-83", "fewest squares to a hero", NEARER, "square")
AIM: Final = Measure("NO-PWR-16", "fewest moves left to a clear shot", SHOT, "move")
EQUAL_AIM: Final = Measure(
    "NO-AMB-63", "most moves to a hero", "Of these, farthest from a hero|Of these, farthest from a hero", "move"
)
GOAL: Final = Measure("NO-VERM-3", "moves to its destination", "Destination|Possible destinations", "move")
"""Reported in the log; it decides nothing."""


class Filter(NamedTuple):
    """One step of a decision: its measure, the number of candidates before and after, and the count of the best."""

    by: Measure
    before: int
    after: int
    value: int
    left: tuple[object, ...] = ()
    """The candidates that remain."""

    @property
    def rule(self) -> str:
        return self.by.rule

    def counted(self) -> str:
        """Return the count of the best with its unit: "2 moves"; empty for a measure of yes or no."""
        if not self.by.unit:
            return ""
        if abs(self.value) >= FAR:
            return "out of reach"
        return plural(abs(self.value), self.by.unit) + (" away" if self.by.unit == "square" else "")

    def reason(self) -> str:
        """Return the measure and its count, as refusals quote them: "fewest moves to a hero: 2"."""
        if not self.by.unit or abs(self.value) >= FAR:
            return self.by.words
        return f"{self.by.words}: {abs(self.value)}"

    def __str__(self) -> str:
        return f"{self.rule}: {self.by.words} {self.value}, {self.before} to {self.after}"


def narrowed(found: Sequence[T], by: Measure, count: Callable[[T], int], log: list[Filter] | None = None) -> list[T]:
    """Return the candidates with the lowest count."""
    if len(found) < 2 and log is None:
        return list(found)
    counted = [(count(one), one) for one in found]
    if not counted:
        return []
    least = min(value for value, _ in counted)
    left = [one for value, one in counted if value == least]
    if log is not None:
        log.append(Filter(by, len(found), len(left), least, tuple(left)))
    return left


def first_of(rings: Iterable[int], squares: int, by: Measure, log: list[Filter] | None = None) -> tuple[list[int], int]:
    """Return the squares in the first ring that has any, with its number; all of them, and FAR, if none has one."""
    value, left = FAR, squares
    for number, ring in enumerate(rings) if squares else ():
        if ring & squares:
            value, left = number, ring & squares
            break
    found = members(left)
    if log is not None and found:
        log.append(Filter(by, squares.bit_count(), len(found), value, tuple(found)))
    return found, value


# Distances


@law("NO-AMB-25", "NO-AMB-26", "NO-VERM-9", "NO-PWR-21")
def free_for(table: Table, vermin: Vermin) -> int:
    """Return the squares that a vermin may enter: all for a Swarming one, otherwise those without a figure."""
    standable = table.plan.board.standable
    return standable if shares(table, vermin) else standable & ~occupied(table)


def is_large(table: Table, vermin: Vermin) -> bool:
    return vermin.up and table.box.foes[vermin.marker].large


@law("NO-AMB-27", "NO-VERM-3", "NO-AMB-24")
def rings_from(table: Table, vermin: Vermin, targets: int) -> Flood:
    """Return the squares that this vermin may enter, by its fewest moves from the targets."""
    return ways_of(table).flood(targets, free_for(table, vermin))


@law("NO-LARGE-3", "NO-AMB-48")
def moves_to(table: Table, vermin: Vermin, targets: int, rings: Flood | None = None) -> int:
    """Return the fewest moves of a vermin to any of these squares with heroes; FAR if it cannot get there."""
    if is_large(table, vermin):
        return large_moves(table, vermin, targets)
    if targets >> vermin.at & 1:
        return 0
    rings = rings_from(table, vermin, targets) if rings is None else rings
    return min(rings.first(ways_of(table).near[vermin.at]) + 1, FAR)


@law("NO-LARGE-1", "NO-LARGE-2", "NO-LARGE-3", "NO-LARGE-4", "NO-AMB-48")
def large_moves(table: Table, vermin: Vermin, targets: int, at: int | None = None) -> int:
    """Return the fewest moves of a large vermin, counted from whichever of its squares is nearest."""
    waves = waves_from(table, vermin, 1 << (vermin.at if at is None else at))
    return min(waves.first(large_goals(table, targets)) + 1, FAR)


def large_goals(table: Table, targets: int) -> int:
    """Return where a large vermin, by its upper left square, is on one of the targets or one move away from it."""
    return board_of(table).standing_on(targets | union(ways_of(table).near, targets))


def ring_of(rings: Iterable[int], square: int) -> int:
    """Return the number of the ring, or wave, with a square; FAR if none has it."""
    return next((number for number, ring in enumerate(rings) if ring >> square & 1), FAR)


def straight(table: Table, squares: int, targets: int) -> int:
    """Return the fewest king's steps from any of these squares to any of the targets, ignoring everything between
    (NO-AMB-83)."""
    return next((number for number, ring in enumerate(board_of(table).rings(targets)) if ring & squares), FAR)


# Order of activation


@law("NO-VERM-1", "NO-VATK-1", "NO-AMB-27", "NO-AMB-28", "NO-AMB-99")
def next_to_act(table: Table, log: list[Filter] | None = None) -> list[Vermin]:
    """Return, of the vermin that have not been activated, those closest to any hero."""
    waiting = [one for one in table.vermin if not one.done]
    targets = heroes_mask(table)
    if (len(waiting) < 2 and log is None) or not targets:
        return waiting
    fewest, left = FAR, waiting
    ways, foes = ways_of(table), table.box.foes
    near: dict[Flood, int] = {}
    rings: dict[bool, Flood] = {}
    ends = []
    for one in waiting:
        if one.up and foes[one.marker].large:
            flood, wanted = waves_from(table, one, 1 << one.at), large_goals(table, targets)
        elif targets >> one.at & 1:
            fewest = 0
            break
        else:
            sharing = one.up and foes[one.marker].shares
            if sharing not in rings:
                rings[sharing] = rings_from(table, one, targets)
            flood, wanted = rings[sharing], ways.near[one.at]
        ends.append((flood, wanted))
        near[flood] = near.get(flood, 0) | wanted
    if not fewest:
        left = [one for one in waiting if targets >> one.at & 1 and not is_large(table, one)]
    elif (ring := min(flood.first(wanted) for flood, wanted in near.items())) != FAR:
        fewest = ring + 1
        reached = {flood: sum(flood[ring : ring + 1]) for flood in near}
        left = [one for one, (flood, wanted) in zip(waiting, ends, strict=True) if reached[flood] & wanted]
    if log is not None and waiting:
        log.append(Filter(ACTS, len(waiting), len(left), fewest, tuple(left)))
    if fewest == FAR:
        left = narrowed(left, ACTS_FAR_OFF, lambda one: straight(table, covers(table, one), targets), log)
    return left


# AP and attacks


@law("NO-VERM-4", "NO-HIDE-3")
def ap_of(table: Table, vermin: Vermin) -> int:
    """Return the AP on its card; 1 while it is face down."""
    return foe_of(table, vermin).ap if vermin.up else UNREVEALED_AP


@law("NO-TERR-5", "NO-AMB-23", "NO-PWR-22")
def ap_in_water(table: Table, vermin: Vermin) -> int:
    """Return the AP that water leaves it."""
    return min(vermin.ap, WATER_AP) if is_wet(table, vermin) else vermin.ap


def is_wet(table: Table, vermin: Vermin) -> bool:
    """Return whether it is in water and does not ignore that."""
    return bool(covers(table, vermin) & board_of(table).water) and not ignores(table, vermin, "water")


@law("NO-PWR-5", "NO-AMB-54", "NO-AMB-57", "NO-PWR-1")
def arms_of(table: Table, vermin: Vermin) -> Sequence[Arm]:
    """Return the attacks that it may use, from its card and its aspect; its powers may exclude some."""
    return allowed(table, vermin, all_arms_of(table, vermin)) if vermin.up else ()


def all_arms_of(table: Table, vermin: Vermin) -> Sequence[Arm]:
    """Return the attacks of its card and its aspect; a zombie has no weapons."""
    arms: Sequence[Arm] = table.box.foes[vermin.marker].arms
    if vermin.aspect >= 0:
        arms = (*arms, *table.box.foe(vermin.aspect).arms)
    return [arm for arm in arms if arm.body] if vermin.zombie else arms


def allowed(table: Table, vermin: Vermin, arms: Sequence[Arm]) -> Sequence[Arm]:
    """Return those of its attacks that its powers allow now."""
    for said, clause in statics_for(table, "only-attacks", vermin):
        arms = [arm for arm in arms if in_scope(table, said, clause, arm, None)]
    return arms


# Attacking


class Strike(NamedTuple):
    """An attack that it can make now."""

    hero: str
    arm: Arm


@law("NO-VATK-2", "NO-PWR-16", "NO-AMB-63")
def strikes(table: Table, vermin: Vermin, empty: bool = False) -> list[Strike]:
    """Return every attack on every hero in Range and sight; with `empty`, depleted attacks too."""
    if not vermin.up or vermin.quiet or is_forbidden(table, "vermin", "attack") is not None:
        return []
    squares = covers(table, vermin)
    seen = any_sees(ways_of(table), squares) & heroes_mask(table)
    if not seen:
        return []
    reached = [
        (arm, mask)
        for arm in all_arms_of(table, vermin)
        if (empty or not vermin.empty >> arm.number & 1)
        and (mask := in_range(table.plan.board, squares, arm.range) & seen)
    ]
    if not reached:
        return []
    arms = allowed(table, vermin, [arm for arm, _ in reached])
    precise = has_power(table, vermin, "precision")
    found = []
    for hero in here(table):
        for arm, mask in reached:
            if mask >> hero.at & 1 and arm in arms:
                if precise and shoots(arm):
                    line = best_line(table, vermin, hero, arm.range)
                    if line is None or line[2]:
                        continue
                found.append(Strike(hero.name, arm))
    return found


def strikes_from(table: Table, vermin: Vermin, square: int) -> list[Strike]:
    """Return the attacks that it could make from another square."""
    was, vermin.at = vermin.at, square
    found = strikes(table, vermin)
    vermin.at = was
    return found


@law("NO-AMB-80", "NO-VATK-1", "NO-GEN-17")
def targets(table: Table, vermin: Vermin, found: Iterable[Strike], log: list[Filter] | None = None) -> list[Hero]:
    """Return the closest of the heroes that it can attack."""
    heroes = [hero_of(table, name) for name in dict.fromkeys(strike.hero for strike in found)]

    def moves(hero: Hero) -> int:
        return moves_to(table, vermin, 1 << hero.at)

    left = narrowed(heroes, TARGET, moves, log)
    if left and len(left) > 1 and moves(left[0]) == FAR:
        under = covers(table, vermin)
        left = narrowed(left, TARGET_FAR_OFF, lambda hero: straight(table, under, 1 << hero.at), log)
    return left


@law("NO-VATK-6")
def best_arm(found: Iterable[Strike], hero: str, log: list[Filter] | None = None) -> Arm:
    """Return the fitting attack with the lowest Wound Value, then the lowest Stun Value."""
    arms = [strike.arm for strike in found if strike.hero == hero]
    arms = narrowed(arms, ARM, lambda arm: arm.wound, log)
    arms = narrowed(arms, EQUAL_ARM, lambda arm: arm.stun, log)
    return arms[0]


@law("NO-AMB-30", "NO-VERM-2")
def must_reload(table: Table, vermin: Vermin) -> bool:
    """Return whether it could attack with a depleted attack, and cannot otherwise."""
    return bool(vermin.empty) and not strikes(table, vermin) and bool(strikes(table, vermin, empty=True))


# Moving


@law("NO-VATK-3", "NO-VERM-3", "NO-VERM-2", "NO-VERM-7", "NO-AMB-24", "NO-AMB-28", "NO-AMB-83")
def steps(table: Table, vermin: Vermin, log: list[Filter] | None = None) -> list[int]:
    """Return the squares that it may move to next; none if it stays."""
    if has_power(table, vermin, "precision"):
        aimed = steps_to_aim(table, vermin, log)
        if aimed:
            return aimed
    return steps_closer(table, vermin, log)


def reachable(table: Table, vermin: Vermin) -> int:
    """Return the squares that it can reach with one AP."""
    ways = ways_of(table)
    if is_large(table, vermin):
        return ways.large_around(1 << vermin.at) & ~ways.board.standing_on(occupied(table, vermin))
    mask = ways.near[vermin.at] & free_for(table, vermin)
    if has_power(table, vermin, "glider"):
        mask |= glides(table, vermin)
    return mask


@law("NO-PWR-12", "NO-AMB-65", "NO-AMB-88")
def glides(table: Table, vermin: Vermin, at: int | None = None) -> int:
    """Return the free squares of the big squares next to its own, with no wall between."""
    board, ways = board_of(table), ways_of(table)
    own = vermin.at if at is None else at
    mine = board.big[own]
    edge = union(ways.adjacent, within_walls(ways, 1 << own, board.bigs[mine]))
    mask = 0
    for other in board.neighbouring_bigs[mine]:
        mask |= within_walls(ways, edge & board.bigs[other], board.bigs[other])
    return mask & board.standable & ~occupied(table, vermin)


def steps_closer(table: Table, vermin: Vermin, log: list[Filter] | None) -> list[int]:
    """Return the steps one move closer to a closest hero along a free way; if no hero can be reached, those that lead
    as close as possible."""
    heroes = heroes_mask(table)
    if not heroes:
        return []
    if is_large(table, vermin):
        return large_steps_closer(table, vermin, heroes, log)
    ways, free = ways_of(table), free_for(table, vermin)
    rings = ways.flood(heroes, free)
    now = moves_to(table, vermin, heroes, rings)
    if now == FAR:
        return _nearest_reachable(table, vermin, heroes, log)
    if now == 0:
        return []
    if log is not None:
        narrowed(here(table), PREY, lambda hero: moves_to(table, vermin, 1 << hero.at), log)
        tell_destination(table, vermin, now, rings, log)
    around, glider = ways.near[vermin.at] & free, has_power(table, vermin, "glider")
    if glider:
        around |= glides(table, vermin)
    # Only gliders can come closer to a hero that is not the closest.
    if now == 1 or glider:
        heroes = closest_heroes(table, vermin, now)
        rings = ways.flood(heroes, free)
    left, moves = first_of(rings, around, CLOSER, log)
    if moves < now:
        return left
    return beside_hero(table, vermin, members(around & sum(rings[1:2])), log) if now == 1 else []


def large_steps_closer(table: Table, vermin: Vermin, heroes: int, log: list[Filter] | None) -> list[int]:
    """Return the same for a large vermin, which makes room for itself."""
    now, around = large_moves(table, vermin, heroes), reachable(table, vermin)
    if now == FAR:
        return _nearest_reachable(table, vermin, heroes, log)
    if now > 1:
        left, moves = first_of(large_rings(table, vermin, heroes), around, LARGE_CLOSER, log)
        return left if moves < now else []
    found = around & large_goals(table, closest_heroes(table, vermin, now))
    return beside_hero(table, vermin, members(found), log)


def large_rings(table: Table, vermin: Vermin, targets: int) -> Sequence[int]:
    """Return the squares that this large vermin may enter, by its fewest moves to the targets; none are on them."""
    free = free_for_large(table, vermin)
    return (0, *Flood(ways_of(table).large_around, large_goals(table, targets) & free, free))


def tell_destination(table: Table, vermin: Vermin, now: int, rings: Flood, log: list[Filter]) -> None:
    """Log the squares beside a closest hero that a shortest way leads to; this decides nothing."""
    if now < 2:
        return
    ways = ways_of(table).flood(1 << vermin.at, free_for(table, vermin))
    ends = members(ways[now - 1] & rings[1]) if len(ways) >= now else []
    log.append(Filter(GOAL, rings[1].bit_count(), len(ends), now - 1, tuple(ends)))


@law("NO-AMB-132")
def closest_heroes(table: Table, vermin: Vermin, now: int) -> int:
    """Return the squares of the heroes that are this many moves away."""
    if now == 1:
        under = covers(table, vermin)
        return heroes_mask(table) & (under | union(ways_of(table).near, under))
    mask = 0
    for hero in here(table):
        if moves_to(table, vermin, 1 << hero.at) == now:
            mask |= 1 << hero.at
    return mask


@law("NO-AMB-98")
def beside_hero(table: Table, vermin: Vermin, found: list[int], log: list[Filter] | None) -> list[int]:
    """Return the squares, also one move from a hero, from which a vermin that cannot attack now could do so."""
    near = {hero.name for hero in here(table) if moves_to(table, vermin, 1 << hero.at) == 1}

    def misses(square: int) -> int:
        return int(all(strike.hero not in near for strike in strikes_from(table, vermin, square)))

    left = narrowed(found, ROUND_A_CORNER, misses, log)
    return left if left and not misses(left[0]) else []


def waves_from(table: Table, vermin: Vermin, sources: int) -> Flood:
    """Return the squares that it may enter, by its fewest moves from sources; for a large one, upper left squares."""
    ways = ways_of(table)
    if is_large(table, vermin):
        return Flood(ways.large_around, sources, free_for_large(table, vermin))
    free = free_for(table, vermin) | 1 << vermin.at
    if not has_power(table, vermin, "glider"):
        return ways.flood(sources, free)

    def around(squares: int) -> int:
        found = ways.around(squares)
        for square in members(squares):
            found |= glides(table, vermin, square)
        return found

    return Flood(around, sources, free)


def free_for_large(table: Table, vermin: Vermin) -> int:
    """Return the squares, by the upper left one, where this large vermin may stand."""
    return ways_of(table).large_places & ~board_of(table).standing_on(occupied(table, vermin))


@law("NO-AMB-83", "NO-AMB-131")
def _nearest_reachable(table: Table, vermin: Vermin, heroes: int, log: list[Filter] | None) -> list[int]:
    """Return the steps towards a reachable square nearest to any hero, counted straight, whichever the group chooses;
    it stays if its own is one of them."""
    board = board_of(table)
    rings = board.rings(heroes)
    everywhere = sum(waves_from(table, vermin, 1 << vermin.at))  # gliding reaches more squares
    best, _ = first_of(map(board.standing_on, rings) if is_large(table, vermin) else rings, everywhere, FAR_OFF, log)
    if vermin.at in best:
        return []
    found, around = 0, reachable(table, vermin)
    for square in best:
        found |= around & next(wave for wave in waves_from(table, vermin, 1 << square) if wave & around)
    return members(found)


@law("NO-PWR-16", "NO-AMB-63", "NO-AMB-103")
def steps_to_aim(table: Table, vermin: Vermin, log: list[Filter] | None) -> list[int]:
    """Return the steps towards the nearest square with a clear shot at a hero in Range, and no closer."""
    arms = [arm for arm in arms_of(table, vermin) if shoots(arm)]
    if not arms:
        return []
    if is_large(table, vermin):
        return _large_aims(table, vermin, log)
    board, ways, free = board_of(table), ways_of(table), free_for(table, vermin)
    shots = shots_at(table, vermin, arms)
    around = ways.near[vermin.at] & free
    waves: Sequence[int] = ways.flood(1 << vermin.at, free)
    if has_power(table, vermin, "glider"):  # gliding may lead past the nearest
        around |= glides(table, vermin)
        waves = (free | 1 << vermin.at,)
    goals = next(filter(None, (aims(board, wave, shots) for wave in waves)), 0)
    if not goals:
        if log is not None and aims(board, free | 1 << vermin.at, shots):
            first_of((), around, AIM, log)
        return []
    if goals >> vermin.at & 1 and log is not None:
        goals |= aims(board, around, shots)
    rings = ways.flood(goals, free)
    now = moves_to(table, vermin, goals, rings)
    found, moves = first_of(rings, around, AIM, log)
    if moves >= now:
        return []
    if len(found) < 2 and log is None:
        return found
    near = waves_from(table, vermin, heroes_mask(table))
    return narrowed(found, EQUAL_AIM, lambda square: -ring_of(near, square), log)


def shots_at(table: Table, vermin: Vermin, arms: Iterable[Arm]) -> list[Shots]:
    """Return the shots at each hero with each of these attacks that is loaded."""
    ways, figures = ways_of(table), occupied(table, vermin)
    return [
        Shots(hero.at, clear_shots(ways, hero.at, arm.range), figures & ~(1 << hero.at))
        for arm in arms
        if not vermin.empty >> arm.number & 1
        for hero in here(table)
    ]


@law("NO-AMB-48", "NO-AMB-63")
def _large_aims(table: Table, vermin: Vermin, log: list[Filter] | None) -> list[int]:
    """Return the steps of a large vermin towards the nearest place with such a shot."""
    heroes = heroes_mask(table)
    for number, wave in enumerate(waves_from(table, vermin, 1 << vermin.at), -1):
        if number < 0:  # where it stands
            continue
        goals = [at for at in members(wave) if any(shoots(each.arm) for each in strikes_from(table, vermin, at))]
        if goals:
            back = waves_from(table, vermin, sum(1 << at for at in goals))
            found = members(reachable(table, vermin) & back[number])
            return narrowed(found, EQUAL_AIM, lambda at: -large_moves(table, vermin, heroes, at), log)
    return []


def flight(table: Table, vermin: Vermin, log: list[Filter] | None) -> list[int] | None:
    """Return the steps of a Coward out of the Range of all heroes' attacks, or as far as it can; None if it need not
    flee.

    No card has this power, so its rule is the one in the list of powers.
    """
    rule = str(table.box.facts["lists"]["powers"]["coward"]["rule"])
    board = board_of(table)
    danger = 0
    for hero in here(table):
        for card in (hero.card, *hero.weapons):
            danger |= board.in_range(hero.at, range_of(table, hero, table.box.arm(card)))
    if not danger >> vermin.at & 1:
        return None
    heroes = heroes_mask(table)
    found = [*members(reachable(table, vermin)), vermin.at]
    rings = ways_of(table).flood(1 << vermin.at, free_for(table, vermin))
    safe = sum(rings[: vermin.ap + 1]) & ~danger
    if safe:
        back = rings_from(table, vermin, safe)
        nearer = Measure(rule, "fewest moves left to leave every Range", *SAFER)
        left = narrowed(found, nearer, lambda square: ring_of(back, square), log)
    else:
        away = Measure(rule, "most squares to a hero", "Farthest from a hero|Farthest from a hero", "square")
        left = narrowed(found, away, lambda at: -straight(table, 1 << at, heroes), log)
    return [] if vermin.at in left else left
