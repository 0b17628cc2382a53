"""The vermin turn, one activation after the other: how a vermin spends its AP."""

from __future__ import annotations

from grimalkin.engine.law import law
from grimalkin.games.cats_of_new_orleans import space
from grimalkin.games.cats_of_new_orleans import vermin as deciding
from grimalkin.games.cats_of_new_orleans.actions import forget_activation
from grimalkin.games.cats_of_new_orleans.agenda import Move, answer, ask, ask_or_go_on, do, task
from grimalkin.games.cats_of_new_orleans.attack import open_fight
from grimalkin.games.cats_of_new_orleans.draws import pick
from grimalkin.games.cats_of_new_orleans.kinds import SQUARES
from grimalkin.games.cats_of_new_orleans.moves import TO, square_of
from grimalkin.games.cats_of_new_orleans.names import spoken
from grimalkin.games.cats_of_new_orleans.numbers import NOTHING
from grimalkin.games.cats_of_new_orleans.table import Table, Vermin
from grimalkin.games.cats_of_new_orleans.triggers import react
from grimalkin.games.cats_of_new_orleans.vermin import CLOSEST_HERO, ROUND_A_CORNER, Filter
from grimalkin.problems.plain import listed, plural


@task
@law("NO-ROUND-2", "NO-AMB-42")
def next_vermin(table: Table) -> None:
    """Ask which vermin is next, or end the turn after the last."""
    table.active = ""
    if not space.here(table):
        do(table, "end_turn")
        return
    names = [one.name for one in deciding.next_to_act(table)]
    if names:
        ask(table, "vermin", [("vermin", name) for name in names])
    else:
        do(table, "end_turn")


@answer
@law("NO-VERM-2", "NO-AMB-29", "NO-HIDE-2", "NO-AMB-137")
def vermin(table: Table, move: Move) -> None:
    """Activate a vermin."""
    one = space.find_vermin(table, move[1])
    assert one is not None
    table.active, table.path = one.name, []
    one.done = True
    one.ap = deciding.ap_of(table, one)
    table.tell("NO-VERM-1", f"{spoken(table, one.name)} is activated with {one.ap} AP.", vermin=one.name, ap=one.ap)
    if space.has_power(table, one, "revolving-personality"):
        turn_aspect(table, one)
    if one.stunned:
        one.stunned = False
        one.ap = 0
        table.tell(
            "NO-AMB-29", f"{spoken(table, one.name)} spends all its AP on removing its Stun marker.", vermin=one.name
        )
        do(table, "rest")
    else:
        do(table, "set_out")
    wet = bool(space.covers(table, one) & space.board_of(table).water)
    if not one.stunned and one.ap:
        react(table, "its-activation-starts", one.name)
        if wet:
            react(table, "activates-in-water", one.name)
        do(table, "wade")
    react(table, "activates", one.name)


@law("NO-PWR-17", "NO-AMB-54", "NO-AMB-55")
def turn_aspect(table: Table, one: Vermin) -> None:
    """Draw one of the Rat King's remaining Aspect cards, shuffling them once all have been drawn."""
    if not table.aspects:
        table.aspects, table.aspects_used = sorted(table.aspects_used), []
    if not table.aspects:
        return
    card = pick(table, "aspect", table.aspects)
    table.aspects_used = sorted([*table.aspects_used, card])
    one.aspect = card
    table.tell("NO-PWR-17", f"{table.box.names[card]} takes the floor.", card=table.box.ids[card])


@task
@law("NO-PWR-4", "NO-AMB-55")
def lose_aspect(table: Table, marker_unused: int) -> None:
    """Remove one of the Aspect cards of a Conjoined vermin for the rest of the campaign."""
    left = sorted([*table.aspects, *table.aspects_used])
    if left:
        card = pick(table, "aspect", left)
        table.aspects = [one for one in table.aspects if one != card]
        table.aspects_used = [one for one in table.aspects_used if one != card]
        table.aspects_lost = sorted([*table.aspects_lost, card])
        table.tell("NO-PWR-4", f"{table.box.names[card]} is out until the campaign ends.", card=table.box.ids[card])


def active(table: Table) -> Vermin | None:
    """Return the active vermin, if it is still there."""
    return space.find_vermin(table, table.active)


@task
@law("NO-TERR-5")
def wade(table: Table) -> None:
    """Reduce the AP of a vermin in water to 1, before it spends any."""
    one = active(table)
    if one is not None and (left := deciding.ap_in_water(table, one)) < one.ap:
        one.ap = left
        table.tell("NO-TERR-5", f"{spoken(table, one.name)} is in water and has {left} AP.", vermin=one.name, ap=left)


@task
@law("NO-AMB-30", "NO-VERM-2")
def set_out(table: Table) -> None:
    """Begin the activation; reloading a weapon that it would use now takes all its AP."""
    one = active(table)
    if one is None:
        do(table, "rest")
        return
    if not one.stunned and deciding.must_reload(table, one):
        one.empty = one.ap = 0
        table.tell("NO-AMB-30", f"{spoken(table, one.name)} spends all its AP on reloading.", vermin=one.name)
    do(table, "flee" if space.has_power(table, one, "coward") else "prowl_on")


@task
def flee(table: Table) -> None:
    """Move a coward out of the Range of a hero's attack first; afterwards it does not move back."""
    one = active(table)
    log: list[Filter] | None = [] if table.log is not None else None
    squares = deciding.flight(table, one, log) if one is not None and one.ap else None
    if squares:
        explain(table, log)
        ask_or_go_on(table, "step", [TO[square] for square in squares], "flee")
    else:
        do(table, "prowl_on", squares is None and not table.path)


@task
@law("NO-VATK-4", "NO-AMB-122")
def prowl_on(table: Table, moving: bool = True) -> None:
    """Attack if possible while AP remain, otherwise move, otherwise stay."""
    one = active(table)
    if one is None or one.ap <= 0 or not space.here(table):
        do(table, "rest")
        return
    if one.stunned:  # stunned by a card in the middle of its activation
        one.stunned = False
        table.tell(
            "NO-AMB-122", f"{spoken(table, one.name)} spends all its AP on removing its Stun marker.", vermin=one.name
        )
        do(table, "rest")
        return
    log: list[Filter] | None = [] if table.log is not None else None
    fled = deciding.flight(table, one, log) if space.has_power(table, one, "coward") else None
    found = [] if fled else deciding.strikes(table, one)
    if found:
        heroes = deciding.targets(table, one, found, log)
        explain(table, log)
        ask_or_go_on(table, "target", [("choose", hero.name) for hero in heroes], moving)
        return
    squares = deciding.steps(table, one, log) if moving else []
    explain(table, log)
    if squares:
        ask_or_go_on(table, "step", [TO[square] for square in squares])
        return
    table.tell("NO-VATK-3", f"{spoken(table, one.name)} stays where it is.", vermin=one.name)
    do(table, "rest")


def explain(table: Table, log: list[Filter] | None) -> None:
    """Log each step of a decision: who or what remained, by which count, of how many."""
    for one in log or ():
        left = tuple(called(table, each) for each in one.left)
        table.tell(one.rule, explained(one, left), before=one.before, after=one.after, value=one.value, left=left)


def explained(one: Filter, left: tuple[str, ...]) -> str:
    """Return one step of a decision as a sentence: "Closest hero: Patch, 1 move (of 2 heroes)."."""
    if one.by == ROUND_A_CORNER and one.value:
        return f"It cannot attack from any of {plural(one.before, 'square')}."
    found, several = one.by.found.split("|")
    names = [*left[:SHOWN], *([f"{len(left) - SHOWN} more"] if len(left) > SHOWN else [])]
    told = f"{several if len(left) > 1 else found}: {listed(names) or 'none'}"
    told += f", {one.counted()}" if one.counted() else ""
    noun = "hero|heroes" if one.by.found == CLOSEST_HERO else "square|squares"
    return f"{told} (of {one.before} {noun.split('|')[one.before != 1]})." if one.before > 1 else f"{told}."


SHOWN = 6
"""Squares that are named in a sentence."""


def called(table: Table, one: object) -> str:
    """Return the name of a square, an attack or a figure."""
    if isinstance(one, int):
        return SQUARES[one]
    name = str(getattr(one, "name", one))
    return spoken(table, name) if space.find_figure(table, name) is not None else name


@answer
@law("NO-VATK-2", "NO-VATK-6", "NO-VERM-2")
def target(table: Table, move: Move, moving: bool) -> None:
    """Attack this hero, for 1 AP."""
    one = active(table)
    assert one is not None
    one.ap -= 1
    do(table, "prowl_on", moving)
    arm = deciding.best_arm(deciding.strikes(table, one), move[1])
    open_fight(table, one, arm, move[1])


@task
@law("NO-PWR-6", "NO-AMB-61")
def strike(table: Table, name: str, hero: str) -> None:
    """Make an attack out of turn, without AP, if one fits."""
    one = space.find_vermin(table, name)
    if one is None:
        return
    found = [each for each in deciding.strikes(table, one) if each.hero == hero]
    if found:
        open_fight(table, one, deciding.best_arm(found, hero), hero)


@answer
@law("NO-VATK-3", "NO-TERR-4", "NO-PWR-10", "NO-PWR-12", "NO-PWR-13")
def step(table: Table, move: Move, then: str = "prowl_on") -> None:
    """Move to this square, for 1 AP. Water ends the activation of a vermin that does not ignore it."""
    one = active(table)
    assert one is not None
    square = square_of(move)
    was = one.at
    one.ap -= 1
    wets = any(way.to == square and way.wets for way in space.ways_of(table).steps[was])
    glides = space.has_power(table, one, "glider") and deciding.glides(table, one) >> square & 1
    one.at = square
    table.path.append(square)
    told = f"{spoken(table, one.name)} goes to {SQUARES[square]}."
    table.tell("NO-VERM-2", told, vermin=one.name, at=move[1], stood=SQUARES[was])
    do(table, then)
    if not glides:
        do(table, "sink", wets)
    do(table, "look")


@task
@law("NO-TERR-4", "NO-HIDE-4")
def sink(table: Table, wets: bool) -> None:
    """End the activation in water, unless the vermin ignores it. If a hero sees it there, it has already been
    revealed."""
    one = active(table)
    if one is not None and (deciding.is_wet(table, one) or (wets and not deciding.ignores(table, one, "water"))):
        one.ap = 0
        table.tell("NO-TERR-4", f"{spoken(table, one.name)} is in water: its activation ends.", vermin=one.name)


@task
def rest(table: Table) -> None:
    """End the activation."""
    one = active(table)
    if one is not None:
        one.ap = 0
        one.quiet = False
    table.active = ""
    forget_activation(table)
    do(table, "next_vermin")


NOBODY = NOTHING
