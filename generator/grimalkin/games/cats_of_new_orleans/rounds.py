"""A round: the Initiative segment, the turns of both sides, the End segment; spawning; how a vermin spends its AP."""

from __future__ import annotations

from grimalkin.engine.law import law
from grimalkin.games.cats_of_new_orleans import vermin as deciding
from grimalkin.games.cats_of_new_orleans.attack import open_fight
from grimalkin.games.cats_of_new_orleans.cards import flip, pick
from grimalkin.games.cats_of_new_orleans.clauses import Said
from grimalkin.games.cats_of_new_orleans.events import forget_activation, react
from grimalkin.games.cats_of_new_orleans.figures import (
    board_of,
    closest_free,
    covers,
    find_figure,
    find_vermin,
    has_power,
    here,
    kits_of,
    ways_of,
)
from grimalkin.games.cats_of_new_orleans.maps import SQUARES
from grimalkin.games.cats_of_new_orleans.moves import TO, Move, answer, ask, ask_or_go_on, do, insert, square_of, task
from grimalkin.games.cats_of_new_orleans.numbers import HEROES, INITIATIVE, SIDES, SPAWNS, VERMIN, VERMIN_FLIP
from grimalkin.games.cats_of_new_orleans.table import Table, Vermin, spoken
from grimalkin.games.cats_of_new_orleans.vermin import CLOSEST_HERO, ROUND_A_CORNER, Filter
from grimalkin.problems.plain import listed, plural

# Initiative


@task
@law("NO-ROUND-1", "NO-INIT-1", "NO-INIT-2", "NO-INIT-3", "NO-INIT-4", "NO-AMB-15", "NO-AMB-16")
def start_round(table: Table) -> None:
    """Begin a round: each side flips a card, the higher one has the initiative, and ties are flipped again."""
    table.phase, table.second, table.active = INITIATIVE, False, ""
    table.tell("NO-ROUND-1", "Round {round}.", round=table.round)
    for hero in table.heroes:
        hero.done = False
        hero.used_in_round = 0
    for vermin in table.vermin:
        vermin.done = False
    if table.initiative:
        winner, table.initiative = table.initiative - 1, 0
        table.tell("NO-GEN-5", "The {side} win the initiative, whatever the cards say.", side=SIDES[winner])
        do(table, "have_initiative", winner)
        return
    do(table, "flip_initiative")


@task
def flip_initiative(table: Table) -> None:
    """Flip one card for each side."""
    values = table.box.values
    less = 0 if has_leader(table) else VERMIN_FLIP
    heroes = values[flip(table, "NO-INIT-1", "for the heroes")]
    if table.won or table.lost:  # a Joker
        return
    vermin = values[flip(table, "NO-INIT-1", "for the vermin")] + less
    told = f"Heroes {heroes}, vermin {vermin}.".replace("-", "−")
    table.tell("NO-INIT-2", told, heroes=heroes, vermin=vermin)
    if heroes == vermin:
        table.tell("NO-INIT-4", "Tied: both sides flip again.", heroes=heroes)
        do(table, "flip_initiative")
    else:
        do(table, "have_initiative", 0 if heroes > vermin else 1)


@law("NO-INIT-5", "NO-PWR-14", "NO-AMB-47")
def has_leader(table: Table) -> bool:
    """Return whether a revealed figure lets the card of the vermin count in full."""
    return any(kit.says("whole-initiative") for vermin in table.vermin if vermin.up for kit in kits_of(table, vermin))


@task
@law("NO-INIT-2", "NO-INIT-3", "NO-AMB-17")
def have_initiative(table: Table, side: int) -> None:
    """Let the heroes choose who goes first; vermin always go first."""
    if side == 0:
        ask(table, "first_side", [("heroes-first",), ("vermin-first",)])
    else:
        table.first = 1
        table.tell("NO-INIT-3", "The vermin go first.", first="vermin")
        do(table, "start_turn", 1)


@answer
def first_side(table: Table, move: Move) -> None:
    """Note the heroes' choice."""
    table.first = 0 if move[0] == "heroes-first" else 1
    table.tell("NO-INIT-2", "The {first} go first.", first=SIDES[table.first])
    do(table, "start_turn", table.first)


# Turns


@task
@law("NO-ROUND-2", "NO-HERO-1", "NO-AMB-42")
def start_turn(table: Table, side: int) -> None:
    """Begin the turn of a side: remove its Vulnerable markers; Stuns stay."""
    table.active = ""
    if side == 0:
        table.phase = HEROES
        table.lasting = [one for one in table.lasting if one[0] != "next-hero-turn"]
        for hero in table.heroes:
            if hero.vulnerable:
                hero.vulnerable = False
                table.tell("NO-HERO-1", "{hero} is no longer vulnerable.", hero=hero)
        do(table, "next_hero")
        react(table, "hero-turn-starts", "")
    else:
        table.phase = VERMIN
        for vermin in table.vermin:
            if vermin.vulnerable:
                vermin.vulnerable = False
                table.tell("NO-AMB-42", "{vermin} is no longer vulnerable.", vermin=vermin)
        do(table, "next_vermin")


@task
@law("NO-HERO-2")
def next_hero(table: Table) -> None:
    """Wait until a hero is chosen, or end the turn after the last."""
    table.active = ""
    if all(hero.done for hero in here(table)):
        do(table, "end_turn")


@task
@law("NO-ROUND-2", "NO-ROUND-3")
def end_turn(table: Table) -> None:
    """Begin the other side's turn, or after the second turn the End segment."""
    if table.second:
        do(table, "end_segment")
    else:
        table.second = True
        do(table, "start_turn", 1 - table.first)


# The End segment


@task
@law("NO-ROUND-3", "NO-ROUND-4", "NO-SCN-6", "NO-SPAWN-5", "NO-AMB-66")
def end_segment(table: Table) -> None:
    """Move the Round marker on; vermin spawn; then cards and powers of this segment apply."""
    board = board_of(table)
    do(table, "next_round")
    react(table, "end-segment", "")
    do(table, "flip_tokens")
    if table.space == board.spaces:
        table.space = 1
        table.tell("NO-SCN-6", "The Round marker leaves the track and returns to its first space.", space=1)
        do(table, "reach_space")
        react(table, "track-ends", "")
    else:
        table.space += 1
        table.tell("NO-SCN-6", "The Round marker moves to space {space}.", space=table.space)
        do(table, "reach_space")


@task
@law("NO-SCN-7", "NO-SPAWN-1", "NO-SPAWN-6")
def reach_space(table: Table) -> None:
    """Carry out a space of the round track: letters spawn, and vermin set aside for it appear."""
    board, story = board_of(table), table.plan
    for marker, count, mark, when in reversed(story.apart):
        if when == table.space and marker in table.apart:
            for square in reversed(board.marks[mark][: min(count, table.apart.count(marker))]):
                table.apart.remove(marker)
                do(table, "place_vermin", marker, square, True, False)
    react(table, "track-reaches", "", card=table.space)
    for mark in reversed(SPAWNS):
        if table.space in board.track.get(mark, ()):
            do(table, "spawn_on", mark)


@task
def spawn_on(table: Table, mark: str) -> None:
    """Spawn one marker on each square with a letter."""
    for square in reversed(board_of(table).marks.get(mark, ())):
        do(table, "spawn_marker", square)


@task
@law("NO-SPAWN-1", "NO-SPAWN-2", "NO-SPAWN-3", "NO-HIDE-1")
def spawn_marker(table: Table, square: int) -> None:
    """Spawn a face-down marker from the pool, refilling an empty pool from the vermin discard."""
    if not table.pool and table.graves:
        table.pool, table.graves = table.graves, []
        table.tell("NO-SPAWN-2", "The vermin discard is shuffled into a new pool.", pool=len(table.pool))
    if not table.pool:
        table.tell("NO-SPAWN-3", "Nothing spawns: both the pool and the vermin discard are empty.", pool=0)
        return
    marker = pick(table, "marker", table.pool)
    do(table, "place_vermin", marker, square, False, False)


@task
@law("NO-SPAWN-4", "NO-AMB-91", "NO-AMB-147", "NO-LARGE-2")
def place_vermin(table: Table, marker: int, square: int, up: bool, zombie: bool) -> None:
    """Place a vermin on a square, or on the closest empty one."""
    large = table.box.foe(table.box.marker(marker).foe).has("large") and up
    squares = closest_free(table, square, large)
    if not squares:
        table.graves = sorted([*table.graves, marker])
        return
    ask_or_go_on(table, "placed", [TO[each] for each in squares], marker, up, zombie)


@answer
@law("NO-SPAWN-4", "NO-SPAWN-6", "NO-AMB-135")
def placed(table: Table, move: Move, marker: int, up: bool, zombie: bool) -> None:
    """Place it here."""
    vermin = Vermin()
    vermin.marker, vermin.up, vermin.zombie, vermin.at = marker, up, zombie, square_of(move)
    vermin.done = table.phase == VERMIN
    insert(table, vermin)
    rule = "NO-AMB-91" if zombie else "NO-SPAWN-6" if up else "NO-SPAWN-1"
    came = "returns as a zombie" if zombie else "appears"
    table.tell(rule, "{vermin} {} on {}.", came, SQUARES[vermin.at], vermin=vermin, at=move[1])
    do(table, "look")


@task
@law("NO-PWR-20")
def flip_tokens(table: Table) -> None:
    """Flip a card for each Stinkbomb token, with or without a Stinker on the map."""
    if table.stinkbombs:
        for ability in table.box.token_abilities:
            do(table, "perform", Said(ability, "", ""))


@task
def next_round(table: Table) -> None:
    """Begin the next round."""
    table.round += 1
    table.lasting = [one for one in table.lasting if one[0] != "round"]
    do(table, "start_round")


# The activation of a vermin


@task
@law("NO-ROUND-2", "NO-AMB-42")
def next_vermin(table: Table) -> None:
    """Ask which vermin is next, or end the turn after the last."""
    table.active = ""
    if not here(table):
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
    one = find_vermin(table, move[1])
    assert one is not None
    table.active, table.path = one.name, []
    one.done = True
    one.ap = deciding.ap_of(table, one)
    table.tell("NO-VERM-1", "{vermin} is activated with {ap} AP.", vermin=one, ap=one.ap)
    if has_power(table, one, "revolving-personality"):
        turn_aspect(table, one)
    if one.stunned:
        one.stunned = False
        one.ap = 0
        table.tell("NO-AMB-29", "{vermin} spends all its AP on removing its Stun marker.", vermin=one)
        do(table, "rest")
    else:
        do(table, "set_out")
    wet = bool(covers(table, one) & board_of(table).water)
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
    table.tell("NO-PWR-17", "{card} takes the floor.", card=card)


@task
@law("NO-PWR-4", "NO-AMB-55")
def lose_aspect(table: Table, _marker: int) -> None:
    """Remove one of the Aspect cards of a Conjoined vermin for the rest of the campaign."""
    left = sorted([*table.aspects, *table.aspects_used])
    if left:
        card = pick(table, "aspect", left)
        table.aspects = [one for one in table.aspects if one != card]
        table.aspects_used = [one for one in table.aspects_used if one != card]
        table.aspects_lost = sorted([*table.aspects_lost, card])
        table.tell("NO-PWR-4", "{card} is out until the campaign ends.", card=card)


def active(table: Table) -> Vermin | None:
    """Return the active vermin, if it is still there."""
    return find_vermin(table, table.active)


@task
@law("NO-TERR-5")
def wade(table: Table) -> None:
    """Reduce the AP of a vermin in water to 1, before it spends any."""
    one = active(table)
    if one is not None and (left := deciding.ap_in_water(table, one)) < one.ap:
        one.ap = left
        table.tell("NO-TERR-5", "{vermin} is in water and has {ap} AP.", vermin=one, ap=left)


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
        table.tell("NO-AMB-30", "{vermin} spends all its AP on reloading.", vermin=one)
    do(table, "flee" if has_power(table, one, "coward") else "prowl_on")


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
    if one is None or one.ap <= 0 or not here(table):
        do(table, "rest")
        return
    if one.stunned:  # stunned by a card in the middle of its activation
        one.stunned = False
        table.tell("NO-AMB-122", "{vermin} spends all its AP on removing its Stun marker.", vermin=one)
        do(table, "rest")
        return
    log: list[Filter] | None = [] if table.log is not None else None
    fled = deciding.flight(table, one, log) if has_power(table, one, "coward") else None
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
    table.tell("NO-VATK-3", "{vermin} stays where it is.", vermin=one)
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
    return spoken(table, name) if find_figure(table, name) is not None else name


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
    one = find_vermin(table, name)
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
    wets = bool(ways_of(table).wet_steps[was] >> square & 1)
    glides = has_power(table, one, "glider") and deciding.glides(table, one) >> square & 1
    one.at = square
    table.path.append(square)
    table.tell("NO-VERM-2", "{vermin} goes to {}.", SQUARES[square], vermin=one, at=move[1], stood=was)
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
        table.tell("NO-TERR-4", "{vermin} is in water: its activation ends.", vermin=one)


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
