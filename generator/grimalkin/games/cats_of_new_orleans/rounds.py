"""A round: the Initiative segment, the turns of both sides, the End segment; and spawning."""

from __future__ import annotations

from grimalkin.engine.law import law
from grimalkin.games.cats_of_new_orleans import space
from grimalkin.games.cats_of_new_orleans.actions import activate
from grimalkin.games.cats_of_new_orleans.agenda import Move, answer, ask, ask_or_go_on, do, task
from grimalkin.games.cats_of_new_orleans.draws import flip, pick
from grimalkin.games.cats_of_new_orleans.kinds import SQUARES
from grimalkin.games.cats_of_new_orleans.moves import TO, square_of
from grimalkin.games.cats_of_new_orleans.names import insert, spoken
from grimalkin.games.cats_of_new_orleans.numbers import HEROES, INITIATIVE, SIDES, SPAWNS, VERMIN, VERMIN_FLIP
from grimalkin.games.cats_of_new_orleans.table import Table, Vermin
from grimalkin.games.cats_of_new_orleans.triggers import react
from grimalkin.games.cats_of_new_orleans.who import Said

# Initiative


@task
@law("NO-ROUND-1", "NO-INIT-1", "NO-INIT-2", "NO-INIT-3", "NO-INIT-4", "NO-AMB-15", "NO-AMB-16")
def start_round(table: Table) -> None:
    """Begin a round: each side flips a card, the higher one has the initiative, and ties are flipped again."""
    table.phase, table.second, table.active = INITIATIVE, False, ""
    table.tell("NO-ROUND-1", f"Round {table.round}.", round=table.round)
    for hero in table.heroes:
        hero.done = False
        hero.used_in_round = 0
    for vermin in table.vermin:
        vermin.done = False
    if table.initiative:
        winner, table.initiative = table.initiative - 1, 0
        table.tell("NO-GEN-5", f"The {SIDES[winner]} win the initiative, whatever the cards say.", side=SIDES[winner])
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
    return any(
        kit.says("whole-initiative") for vermin in table.vermin if vermin.up for kit in space.kits_of(table, vermin)
    )


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
    table.tell("NO-INIT-2", f"The {SIDES[table.first]} go first.", first=SIDES[table.first])
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
                table.tell("NO-HERO-1", f"{spoken(table, hero.name)} is no longer vulnerable.", hero=hero.name)
        do(table, "next_hero")
        react(table, "hero-turn-starts", "")
    else:
        table.phase = VERMIN
        for vermin in table.vermin:
            if vermin.vulnerable:
                vermin.vulnerable = False
                table.tell("NO-AMB-42", f"{spoken(table, vermin.name)} is no longer vulnerable.", vermin=vermin.name)
        do(table, "next_vermin")


@task
@law("NO-HERO-2")
def next_hero(table: Table) -> None:
    """Wait until a hero is chosen, or end the turn after the last."""
    table.active = ""
    if all(hero.done for hero in space.here(table)):
        do(table, "end_turn")


def begin_hero(table: Table, name: str) -> None:
    """Activate the hero that was chosen."""
    activate(table, space.hero_of(table, name))


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
    board = space.board_of(table)
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
        table.tell("NO-SCN-6", f"The Round marker moves to space {table.space}.", space=table.space)
        do(table, "reach_space")


@task
@law("NO-SCN-7", "NO-SPAWN-1", "NO-SPAWN-6")
def reach_space(table: Table) -> None:
    """Carry out a space of the round track: letters spawn, and vermin set aside for it appear."""
    board, story = space.board_of(table), table.plan
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
    for square in reversed(space.board_of(table).marks.get(mark, ())):
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
    squares = space.closest_free(table, square, large)
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
    table.tell(rule, f"{spoken(table, vermin.name)} {came} on {SQUARES[vermin.at]}.", vermin=vermin.name, at=move[1])
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
