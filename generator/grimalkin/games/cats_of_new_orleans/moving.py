"""Changes of position: points, steps of heroes and what they meet, leaps, shoves, swaps, doors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grimalkin.engine.kinds import members
from grimalkin.engine.law import law
from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans.clauses import (
    USEFUL,
    VERBS,
    Said,
    for_each,
    ignores,
    number,
    verb,
)
from grimalkin.games.cats_of_new_orleans.events import (
    end_last,
    react,
)
from grimalkin.games.cats_of_new_orleans.figures import (
    Figure,
    barred_for_heroes,
    board_of,
    covered,
    covers,
    far_apart,
    find_figure,
    hero_of,
    occupied,
    shares,
    ways_of,
)
from grimalkin.games.cats_of_new_orleans.maps import SQUARES, Step, can_land, reach, step_cost
from grimalkin.games.cats_of_new_orleans.moves import (
    ANSWERS,
    GO,
    GROUP,
    TO,
    Move,
    answer,
    ask,
    ask_or_go_on,
    do,
    square_of,
    task,
)
from grimalkin.games.cats_of_new_orleans.numbers import HEROES, NOTHING, POINTS
from grimalkin.games.cats_of_new_orleans.phrases.abilities import a_phrase
from grimalkin.games.cats_of_new_orleans.table import Hero, Table, Vermin

# Steps of heroes


@law("NO-MOVE-5", "NO-AMB-20", "NO-HIDE-2")
def is_held(table: Table, hero: Hero) -> Vermin | None:
    """Return the unstunned vermin next to a hero that keeps it from striding and pouncing, or None."""
    beside, foes = ways_of(table).adjacent[hero.at], table.box.foes
    for vermin in table.vermin:
        near = beside >> vermin.at & 1 or (foes[vermin.marker].large and beside & covers(table, vermin))
        if near and not vermin.stunned:
            return vermin
    return None


@law("NO-MOVE-1", "NO-MOVE-6", "NO-AMB-18", "NO-AMB-21", "NO-TERR-2", "NO-TERR-3", "NO-AMB-113")
def steps_for(table: Table, hero: Hero, points: int, squares: bool = False) -> list[tuple[Step, int]]:
    """Return the steps that a hero can make with this many MP, or squares, each with its cost.

    A hero that ignores figures passes them if its points suffice to leave their squares again.
    """
    ways = ways_of(table)
    near = ways.near[hero.at]
    taken = occupied(table, hero) & near
    barred = barred_for_heroes(table, hero) & near if taken else 0
    free = ignores(table, hero, "hindering")
    passes = bool(taken) and ignores(table, hero, "figures")
    found = []
    for step in ways.steps[hero.at]:
        cost = 1 if squares else step_cost(ways.board, step, 0 if passes else taken, free)
        if cost <= points and (
            not barred >> step.to & 1 or (passes and _comes_out(table, hero, step, points - cost, squares, free))
        ):
            found.append((step, cost))
    return found


def _comes_out(table: Table, hero: Hero, step: Step, points: int, squares: bool, free: bool) -> bool:
    """Return whether a hero that passes a figure can go on from there to a square where it can stay."""
    ways = ways_of(table)
    wet = ways.board.water >> step.to & 1 or step.wets
    if wet and not ignores(table, hero, "water"):
        return False
    barred = barred_for_heroes(table, hero)
    if squares:
        return any(ring & ~barred for ring in ways.flood(1 << step.to, ways.board.standable)[: points + 1])
    return bool(reach(ways, step.to, points, barred, 0, free=free, leap=True))


def is_passing(table: Table, hero: Hero) -> bool:
    """Return whether a hero is passing a figure, so that it cannot stay where it is."""
    at = hero.at
    return at >= 0 and (
        any(other.at == at and other is not hero for other in table.heroes)
        or any(covers(table, one) >> at & 1 and not shares(table, one) for one in table.vermin)
    )


@law("NO-ACT-7", "NO-AMB-22", "NO-AMB-18")
def leaps_for(table: Table, hero: Hero) -> list[tuple[Step, int]]:
    """Return the steps of a Pounce: across any figure, as long as it can still end on a free square."""
    ways, points = ways_of(table), hero.leaping
    barred = barred_for_heroes(table, hero)
    wet = 0 if ignores(table, hero, "water") else ways.board.water
    found = []
    for step in ways.steps[hero.at]:
        cost = step_cost(ways.board, step, 0, True)
        if cost > points:
            continue
        if barred >> step.to & 1 and ((wet >> step.to & 1) or not can_land(ways, step.to, points - cost, barred)):
            continue
        found.append((step, cost))
    return found


def make_step(table: Table, hero: Hero, square: int) -> None:
    """Move a hero to a square next to its own."""
    ways, was = ways_of(table), hero.at
    step = next(step for step in ways.steps[was] if step.to == square)
    hero.at = square
    hero.moved = True
    table.path.append(square)
    name = SQUARES[square]
    rule = "NO-MOVE-3" if step.diagonal else "NO-MOVE-2"
    table.tell(rule, "{hero} goes to {at}.", hero=hero, at=name, stood=was)
    arrive(table, hero, wets=step.wets, entered=True)


@law("NO-TERR-4", "NO-AMB-23")
def arrive(table: Table, hero: Hero, wets: bool = False, entered: bool = False) -> None:
    """Carry out what a hero meets on a square: sight, terror, water."""
    wet = (wets or board_of(table).water >> hero.at & 1) and not ignores(table, hero, "water")
    if wet:
        do(table, "stop_in_water", hero.name)
    if entered:
        beside = ways_of(table).adjacent[hero.at]
        for vermin in reversed(table.vermin):
            if vermin.up and beside & covers(table, vermin):
                do(table, "frighten", hero.name, vermin.name, hero.at)
    do(table, "look")


@task
@law("NO-PWR-23", "NO-AMB-60", "NO-AMB-92")
def frighten(table: Table, name: str, by: str, square: int) -> None:
    """React to a hero that has entered a square next to a vermin, which may be terrifying."""
    if hero_of(table, name).at == square:
        react(table, "enters-adjacent", name, that=by)


@task
def stop_in_water(table: Table, name: str) -> None:
    """End the activation of a hero in water immediately."""
    hero = hero_of(table, name)
    table.tell("NO-TERR-4", "{hero} is in water: its activation ends.", hero=name)
    if hero.leaping >= 0:
        hero.leaping = NOTHING
        hero.vulnerable = True
        table.tell("NO-ACT-9", "{hero} is vulnerable after the Pounce.", hero=name)
    if table.active == name:
        hero.mp = hero.ap = 0
        end_last(table, name)
    table.todo[:] = [one for one in table.todo if not _goes_on(one, name)]
    react(table, "you-enter-water", name)


def _goes_on(task_: tuple[Any, ...], name: str) -> bool:
    """Return whether a task is the rest of this hero's move or card, which water ends."""
    if task_[0] in ("walk", "stroll", "free_act", "free_deed"):
        return bool(task_[1] == name)
    return task_[0] in ("clauses", "sentence", "sentences") and task_[1].me == name


# Moves from cards


def act(table: Table, said: Said, clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
    """Give heroes a move or an attack that costs no AP."""
    more = bool(table.todo[-1][2])
    for one in reversed(figures):
        if isinstance(one, Hero) and one.on_map:
            do(table, "free_act", one.name, a_phrase(clause["act"]), said, more)


VERBS["act"] = act


@task
@law("NO-AMB-18", "NO-AMB-109", "NO-AMB-110")
def free_act(table: Table, name: str, what: Phrase, said: Said, more: bool) -> None:
    """Carry out a free action of one hero. Its own activation gains the MP; if the sentence goes on, it moves first."""
    hero = hero_of(table, name)
    if not hero.on_map:
        return
    own = table.active == name and table.phase == HEROES and hero.leaping < 0
    if what.name in ("prowl", "stride"):
        if what.name == "stride" and is_held(table, hero) is not None:
            table.tell("NO-MOVE-5", "{hero} cannot Stride next to an unstunned vermin.", hero=name)
            return
        points = POINTS[what.name]
        if own:
            hero.mp += points
            table.tell(said.rule, "{figure} {}s for free: {mp} MP.", what.name, figure=name, mp=points)
            if more:
                do(table, "stroll", name)
        else:
            do(table, "walk", name, points, False)
        react(table, f"you-{what.name}", name)
    elif what.name in ("move", "move-ignoring"):
        do(table, "walk", name, number(what), True)
    elif what.name == "leap":
        squares = leap_squares(table, hero, number(what))
        if squares:
            ask_or_go_on(table, "leap", [TO[square] for square in squares], name)
    else:
        do(table, "free_deed", name, what, said)


def cost_to(table: Table, hero: Hero, square: int, leaps: bool = False) -> int:
    """Return the MP of a possible step to a square, which may be part of a Pounce."""
    ways = ways_of(table)
    step = next(step for step in ways.steps[hero.at] if step.to == square)
    free = leaps or ignores(table, hero, "hindering")
    taken = 0 if free or ignores(table, hero, "figures") else occupied(table, hero)
    return step_cost(ways.board, step, taken, free)


@task
@law("NO-AMB-110", "NO-AMB-112")
def walk(table: Table, name: str, points: int, squares: bool) -> None:
    """Ask for the next step of a free move, until the points or squares run out or the hero stops."""
    _ask_step(table, "walks", hero_of(table, name), points, points, squares)


@task
def stroll(table: Table, name: str) -> None:
    """Let a hero spend any of its MP before the rest of its card."""
    hero = hero_of(table, name)
    _ask_step(table, "strolls", hero, hero.mp)


def _ask_step(table: Table, question: str, hero: Hero, points: int, *about: Any) -> None:
    """Ask for a step, or whether to stop, if the hero may stay where it is."""
    found = steps_for(table, hero, points, *about[1:]) if points and hero.on_map else []
    if found:
        stop: list[Move] = [] if is_passing(table, hero) else [("done",)]
        moves = [*(GO[step.to] for step, _ in found), *stop]
        ask(table, question, moves, hero.name, *about, seat=hero.seat if about else GROUP)


@answer
def walks(table: Table, move: Move, name: str, points: int = NOTHING, squares: bool = False) -> None:
    """Make one more step, or stop."""
    if move[0] == "done":
        return
    hero, square = hero_of(table, name), square_of(move)
    if points == NOTHING:
        hero.mp -= cost_to(table, hero, square)
        do(table, "stroll", name)
    else:
        cost = 1 if squares else cost_to(table, hero, square)
        do(table, "walk", name, points - cost, squares)
    make_step(table, hero, square)


ANSWERS["strolls"] = walks


@law("NO-AMB-107", "NO-AMB-112")
def leap_squares(table: Table, hero: Hero, range_: int) -> list[int]:
    """Return the empty squares within a Range."""
    board = board_of(table)
    return members(board.within(hero.at, range_) & board.standable & ~occupied(table))


@answer
def leap(table: Table, move: Move, name: str) -> None:
    """Leap to a square, whatever is between."""
    hero = hero_of(table, name)
    hero.at, hero.moved = square_of(move), True
    table.tell("NO-GEN-5", "{hero} leaps to {at}.", hero=name, at=move[1])
    arrive(table, hero, entered=True)


# Forced moves


@law("NO-AMB-119")
def squares_off(table: Table, figure: Figure, origin: Figure, towards: bool) -> list[int]:
    """Return the free squares one step away that are farther from a figure, or nearer to it."""
    board, ways = board_of(table), ways_of(table)
    large = covers(table, figure).bit_count() > 1 if isinstance(figure, Vermin) else False
    taken = occupied(table, figure)
    if isinstance(figure, Hero):
        taken = barred_for_heroes(table, figure)
    steps = ways.large_steps[figure.at] if large else [step.to for step in ways.steps[figure.at]]
    centre = covered(table, origin)
    now = far_apart(board, covered(table, figure), centre)
    found = []
    for square in steps:
        under = board.footprint(square) if large else 1 << square
        far = far_apart(board, under, centre)
        if not under & taken and (far < now if towards else far > now):
            found.append(square)
    return found


@for_each(Figure, "push", "pull", stacked=True)
def push(table: Table, said: Said, clause: Phrase, one: Figure) -> None:
    do(table, "shift", one.name, said.me, number(clause), clause.name == "pull")


@for_each(Figure, "moves-away", stacked=True)
@law("NO-AMB-60")
def moves_away(table: Table, said: Said, _clause: Phrase, one: Figure) -> None:
    origin = said.that if one.name == said.me else said.me
    do(table, "shift", one.name, origin, 1, False)


@task
@law("NO-AMB-60", "NO-AMB-119")
def shift(table: Table, name: str, origin: str, squares: int, towards: bool) -> None:
    """Move a figure square by square, as the party chooses. If no square is free, it stays."""
    one, other = find_figure(table, name), find_figure(table, origin)
    if one is None or other is None or not squares or not covered(table, one) or not covered(table, other):
        return
    found = squares_off(table, one, other, towards)
    if found:
        ask_or_go_on(table, "shifted", [TO[square] for square in found], name, origin, squares, towards)


@answer
@law("NO-AMB-119")
def shifted(table: Table, move: Move, name: str, origin: str, squares: int, towards: bool) -> None:
    """Move it to this square."""
    one = find_figure(table, name)
    assert one is not None
    one.at = square_of(move)
    table.tell("NO-AMB-119", "{figure} is moved to {at}.", figure=name, at=move[1])
    do(table, "shift", name, origin, squares - 1, towards)
    if isinstance(one, Hero):
        arrive(table, one)
        return
    wet = covers(table, one) & board_of(table).water
    if table.active == name and wet and not ignores(table, one, "water"):
        one.ap = 0
        table.tell("NO-TERR-4", "{vermin} is in water: its activation ends.", vermin=name)
    do(table, "look")


@for_each(Figure, "swap")
def swap(table: Table, said: Said, _clause: Phrase, one: Figure) -> None:
    me = hero_of(table, said.me)
    me.at, one.at = one.at, me.at
    me.moved = True
    table.tell(said.rule, "{} and {figure} swap places.", me, figure=one)
    arrive(table, me)
    if isinstance(one, Hero):
        arrive(table, one)


# Doors


@verb("door")
@law("NO-AMB-96")
def door(table: Table, said: Said, _clause: Phrase) -> None:
    """Ask which door on an edge of the hero's square to open or close."""
    hero = hero_of(table, said.me)
    board = board_of(table)
    moves = [("door", board.doors[number_].name) for number_ in members(board.doors_of[hero.at])]
    if moves:
        ask_or_go_on(table, "turn_door", moves, said.rule)


@task
@answer
def turn_door(table: Table, move: Move, rule: str) -> None:
    """Open or close this door."""
    board = board_of(table)
    index = next(index for index, one in enumerate(board.doors) if one.name == move[1])
    table.doors ^= 1 << index
    state = "open" if table.doors >> index & 1 else "closed"
    table.tell(rule, "Door {door} is now {state}.", door=move[1], state=state)
    do(table, "look")


def _is_free(table: Table, one: Figure | None, origin: str, towards: bool) -> bool:
    """Return whether a figure can be moved away from another, or towards it."""
    other = find_figure(table, origin)
    return one is not None and other is not None and bool(squares_off(table, one, other, towards))


USEFUL["moves-away"] = lambda table, said, clause, one: (
    one is not None and _is_free(table, one, said.that if one.name == said.me else said.me, False)
)
USEFUL["door"] = lambda table, said, clause, one: bool(board_of(table).doors_of[hero_of(table, said.me).at])
USEFUL["push"] = lambda table, said, clause, one: _is_free(table, one, said.me, False)
USEFUL["pull"] = lambda table, said, clause, one: _is_free(table, one, said.me, True)


# Points


@for_each(Figure, "gain-ap")
def gain_ap(table: Table, said: Said, clause: Phrase, one: Figure) -> None:
    one.ap += number(clause)
    table.tell(said.rule, "{figure} gains {ap} AP.", figure=one, ap=number(clause))


@for_each(Figure, "lose-ap")
def lose_ap(table: Table, said: Said, clause: Phrase, one: Figure) -> None:
    lost = min(one.ap, number(clause))
    one.ap -= lost
    table.tell(said.rule, "{figure} loses {ap} AP.", figure=one, ap=lost)


@for_each(Hero, "gain-mp")
def gain_mp(table: Table, said: Said, clause: Phrase, one: Hero) -> None:
    one.mp += number(clause)
    table.tell(said.rule, "{figure} gains {mp} MP.", figure=one, mp=number(clause))


@verb("end-activation")
def end_activation(table: Table, said: Said, _clause: Phrase) -> None:
    if table.active == said.me:
        end_last(table, said.me)
