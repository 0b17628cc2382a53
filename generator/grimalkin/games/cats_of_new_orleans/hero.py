"""The actions of a hero in its activation, and their effects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from grimalkin.engine.kinds import members
from grimalkin.engine.law import law
from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans import numbers
from grimalkin.games.cats_of_new_orleans.attack import is_area, open_fight
from grimalkin.games.cats_of_new_orleans.box import UNARMED, Arm
from grimalkin.games.cats_of_new_orleans.cards import begin_transfer, load_weapon, throw_away
from grimalkin.games.cats_of_new_orleans.clauses import (
    USEFUL,
    Said,
    candidates,
    ignores,
    in_scope,
    is_forbidden,
    number,
    range_of,
)
from grimalkin.games.cats_of_new_orleans.effects import deeds_of, is_usable, note_use, pay, use_move
from grimalkin.games.cats_of_new_orleans.events import forget_activation, react
from grimalkin.games.cats_of_new_orleans.figures import (
    Figure,
    barred_for_heroes,
    board_of,
    covers,
    find_vermin,
    hero_of,
    kit_of,
    occupied,
    sees,
    ways_of,
)
from grimalkin.games.cats_of_new_orleans.maps import FROM_AFAR, POINT_BLANK, SQUARES
from grimalkin.games.cats_of_new_orleans.moves import GO, Move, answer, ask, do, square_of, task
from grimalkin.games.cats_of_new_orleans.moving import (
    cost_to,
    is_held,
    is_passing,
    leap_squares,
    leaps_for,
    make_step,
    steps_for,
)
from grimalkin.games.cats_of_new_orleans.phrases.abilities import a_phrase
from grimalkin.games.cats_of_new_orleans.scenario import tokens_on
from grimalkin.games.cats_of_new_orleans.table import Hero, Table

# The activation


@law("NO-HERO-2", "NO-HERO-3", "NO-HERO-4", "NO-TERR-5", "NO-GEN-1", "NO-AMB-109")
def activate(table: Table, hero: Hero) -> None:
    """Begin a hero's activation with its AP; in water it has only 1."""
    table.active, table.path = hero.name, []
    base = numbers.HERO_AP[len(table.heroes)]
    if board_of(table).water >> hero.at & 1 and not ignores(table, hero, "water"):
        base = numbers.WATER_AP
        table.tell("NO-TERR-5", "{hero} is in water and has {ap} AP.", hero=hero, ap=base)
    hero.ap += base
    hero.moved = hero.attacked = False
    hero.declined = []
    table.tell("NO-HERO-2", "{hero} is activated with {ap} AP.", hero=hero, ap=hero.ap)
    react(table, "activation-starts", hero.name)
    react(table, "activates", hero.name)


@task
def end_activation(table: Table, name: str) -> None:
    """End an activation; remaining points are lost."""
    if table.active != name:
        return
    hero = hero_of(table, name)
    do(table, "close_activation", name)
    if hero.on_map:
        react(table, "activation-ends", name)


@task
@law("NO-AMB-18")
def close_activation(table: Table, name: str) -> None:
    """Clear everything that belonged to the activation."""
    hero = hero_of(table, name)
    hero.ap = hero.mp = 0
    hero.leaping = numbers.NOTHING
    hero.moved = hero.attacked = False
    hero.used, hero.uses, hero.declined = 0, 0, []
    hero.done = True
    table.active = ""
    forget_activation(table)
    do(table, "next_hero")


# Legal moves


def legal_actions(table: Table, hero: Hero) -> list[Move]:
    """Return all moves that a hero can make now, in the fixed order of moves."""
    moves: list[Move]
    if hero.leaping >= 0:
        moves = [GO[step.to] for step, _ in leaps_for(table, hero)]
        return moves if barred_for_heroes(table, hero) >> hero.at & 1 else [*moves, ("land",)]
    moves, ap = [], hero.ap
    if hero.stunned:
        return [("unstun",), ("end",)] if ap >= numbers.COST["unstun"] else [("end",)]
    if is_passing(table, hero):
        return [GO[step.to] for step, _ in steps_for(table, hero, hero.mp)] or [("end",)]
    if ap >= 1:
        moves.append(("prowl",))
        if is_held(table, hero) is None:
            moves.append(("stride",))
            if ap >= numbers.COST["pounce"]:
                moves.append(("pounce",))
    if hero.mp:
        moves += [GO[step.to] for step, _ in steps_for(table, hero, hero.mp)]
    if ap >= 1:
        if is_forbidden(table, "heroes", "attack") is None:
            moves += attacks_for(table, hero)
        moves += reloads_for(table, hero)
        if ap >= numbers.COST["investigate"]:
            moves += searches_for(table, hero)
        if table.ground.get(hero.at):
            moves.append(("pick-up",))
        if hero.weapons or hero.loot:
            moves.append(("drop",))
        moves += mates_for(table, hero)
        if board_of(table).exits >> hero.at & 1 and is_forbidden(table, "heroes", "leave") is None:
            moves.append(("leave",))
    kit = kit_of(table, hero)
    if kit.deeds:
        moves += dict.fromkeys(use_move(table, said) for said in deeds_of(table, hero, kit.deeds))
    moves += doors_for(table, hero)
    moves.append(("end",))
    return moves


@law("NO-ATK-1")
def arms_of(table: Table, hero: Hero) -> list[Arm]:
    """Return the attacks of a hero: unarmed, and with each equipped weapon that is loaded."""
    box = table.box
    return [box.arm(hero.card), *(box.arm(card) for card in hero.weapons if not table.depleted >> card & 1)]


@law("NO-ATK-2", "NO-RNG-2", "NO-RNG-3", "NO-RNG-4", "NO-RNG-5", "NO-RNG-6", "NO-AMB-45", "NO-AMB-48", "NO-AMB-128")
def attacks_for(table: Table, hero: Hero, range_1: bool = False) -> list[Move]:
    """Return the attacks that a hero can make now."""
    board = board_of(table)
    seen = sees(ways_of(table), hero.at)
    spots = [(vermin.name, mask) for vermin in table.vermin if (mask := covers(table, vermin)) & seen]
    moves: list[Move] = []
    for arm in arms_of(table, hero):
        if range_1 and arm.range != 1:
            continue
        reach = range_of(table, hero, arm)
        within = board.in_range(hero.at, reach)
        near = (
            board.within(hero.at, POINT_BLANK) if reach >= FROM_AFAR else 0
        )  # too close with any square of a large one
        if is_area(table, arm):
            moves += [
                ("attack", arm.id, board.big_names[area])
                for area, squares in enumerate(board.bigs)
                if squares & within & seen and squares & occupied(table)
            ]
        else:
            moves += [("attack", arm.id, name) for name, mask in spots if mask & within and not mask & near]
    return moves


@law("NO-ACT-15", "NO-LOOT-8")
def reloads_for(table: Table, hero: Hero) -> list[Move]:
    """Return the moves that reload a depleted weapon with a Stash of Ammunition."""
    if not table.depleted or not any(card in table.box.stashes for card in hero.loot):
        return []
    return [("reload", table.box.ids[card]) for card in hero.weapons if table.depleted >> card & 1]


@law("NO-ACT-10", "NO-LOOT-1", "NO-LOOT-2", "NO-LOOT-3", "NO-AMB-11")
def searches_for(table: Table, hero: Hero) -> list[Move]:
    """Return the moves that search a token on the hero's square or around it; each Loot square is searched once."""
    marks = board_of(table).marks
    near = ways_of(table).surrounding[hero.at] | 1 << hero.at
    squares = [square for square in marks.get(numbers.LOOT, ()) if near >> square & 1 and square not in hero.searched]
    squares += [square for square in marks.get(numbers.OBJECTIVE, ()) if near >> square & 1]
    return [("investigate", SQUARES[square]) for square in sorted(squares) if tokens_on(table, square)]


@law("NO-ACT-13")
def mates_for(table: Table, hero: Hero) -> list[Move]:
    """Return the moves that exchange items with an adjacent hero."""
    beside = ways_of(table).adjacent[hero.at]
    mine = bool(hero.weapons or hero.loot)
    return [
        ("transfer", other.name)
        for other in table.heroes
        if other is not hero
        and other.at >= 0
        and beside >> other.at & 1
        and (mine or other.weapons or other.loot)
        and other.card not in hero.declined
    ]


def doors_for(table: Table, hero: Hero) -> list[Move]:
    """Return the doors that the scenario lets a hero open or close now."""
    deeds = table.plan.kit.deeds
    if not deeds:
        return []
    board = board_of(table)
    found: list[Move] = []
    for ability in deeds:
        opens = ability.clause in table.plan.opening
        if opens and not board.doors_of[hero.at]:
            continue
        said = Said(ability, hero.name, hero.name)
        if not is_usable(table, said):
            continue
        if opens:
            found += [("door", board.doors[number].name) for number in members(board.doors_of[hero.at])]
        else:
            found.append(use_move(table, said))
    return found


# Making moves


def act_on(table: Table, hero: Hero, move: Move) -> None:
    """Pay for a legal move of the active hero and make it. An exchange is paid for when both agree."""
    if move[0] in numbers.COST and move[0] != "transfer":
        hero.ap -= numbers.COST[move[0]]
    DEEDS[move[0]](table, hero, move)


@law("NO-AMB-111")
def _go(table: Table, hero: Hero, move: Move) -> None:
    """Make a step with MP, or with those of a Pounce, which may lead across vermin."""
    square = square_of(move)
    if hero.leaping < 0:
        hero.mp -= cost_to(table, hero, square)
        make_step(table, hero, square)
        return
    hero.leaping -= cost_to(table, hero, square, leaps=True)
    make_step(table, hero, square)
    for vermin in table.vermin:
        if covers(table, vermin) >> square & 1:
            react(table, "you-leap", hero.name, that=vermin.name)


@law("NO-ACT-6")
def _gain_points(table: Table, hero: Hero, move: Move) -> None:
    hero.mp += numbers.POINTS[move[0]]
    table.tell("NO-ACT-6", "{hero} {}s: {gained} MP.", move[0], hero=hero, gained=numbers.POINTS[move[0]], mp=hero.mp)
    react(table, f"you-{move[0]}", hero.name)


def arm_called(table: Table, hero: Hero, attack: str) -> Arm:
    """Return the attack of a hero that a move names."""
    return table.box.arm(hero.card if attack == UNARMED else table.box.numbers[attack])


def begin_attack(table: Table, hero: Hero, attack: str, target: str, extra: int = 0) -> None:
    """Begin one of a hero's attacks."""
    arm = arm_called(table, hero, attack)
    if is_area(table, arm):
        open_fight(table, hero, arm, "", board_of(table).big_names.index(target), extra)
    else:
        open_fight(table, hero, arm, target, extra=extra)


# Pounce


@law("NO-ACT-7")
def _pounce(table: Table, hero: Hero, _move: Move) -> None:
    hero.leaping = numbers.POINTS["pounce"]
    table.tell("NO-ACT-7", "{hero} pounces: {mp} MP.", hero=hero, mp=hero.leaping)


@law("NO-ACT-8", "NO-AMB-22", "NO-AMB-111")
def _land(table: Table, hero: Hero, _move: Move) -> None:
    """End the Pounce: one free attack of Range 1, and then the hero is vulnerable."""
    hero.leaping = numbers.NOTHING
    table.tell("NO-ACT-8", "{hero} lands on {}.", SQUARES[hero.at], hero=hero)
    do(table, "after_pounce", hero.name)
    do(table, "offer_pounce_attack", hero.name)
    react(table, "you-pounce", hero.name)


@task
def offer_pounce_attack(table: Table, name: str) -> None:
    """Offer the free attack after the Pounce."""
    hero = hero_of(table, name)
    if not hero.on_map or is_forbidden(table, "heroes", "attack") is not None:
        return
    moves = attacks_for(table, hero, range_1=True)
    if moves:
        ask(table, "free_attack", [*moves, ("pass",)], name, 0)


@task
@law("NO-ACT-9", "NO-STAT-3")
def after_pounce(table: Table, name: str) -> None:
    """Make a hero that has pounced vulnerable."""
    hero = hero_of(table, name)
    if hero.on_map:
        hero.vulnerable = True
        table.tell("NO-ACT-9", "{hero} is vulnerable after the Pounce.", hero=name)


@answer
def free_attack(table: Table, move: Move, name: str, extra: int) -> None:
    """Make a free attack, or decline it."""
    if move[0] == "attack":
        begin_attack(table, hero_of(table, name), move[1], move[2], extra)


# Investigate


@law("NO-ACT-3", "NO-ACT-10", "NO-ACT-11", "NO-LOOT-2", "NO-LOOT-3", "NO-AMB-105")
def investigate_square(table: Table, hero: Hero, square: int) -> None:
    """Search and remove a token: Loot gives a card, an Objective has the effect that the scenario gives it."""
    name = SQUARES[square]
    table.taken[square] = table.taken.get(square, 0) + 1
    table.tell("NO-ACT-10", "{hero} searches {at}.", hero=hero, at=name)
    if square in board_of(table).marks.get(numbers.LOOT, ()):
        hero.searched = sorted([*hero.searched, square])
        do(table, "draw_loot", hero.name, 1)
    else:
        do(table, "check_end")
        found = sum(1 for one in board_of(table).marks[numbers.OBJECTIVE] if table.taken.get(one))
        react(table, "investigates", hero.name, card=found)
    react(table, "you-investigate", hero.name)


# Items


@law("NO-ACT-15", "NO-LOOT-8", "NO-AMB-125")
def reload_weapon(table: Table, hero: Hero, card: int) -> None:
    """Discard a Stash of Ammunition to reload a weapon."""
    throw_away(table, hero, next(one for one in hero.loot if one in table.box.stashes))
    load_weapon(table, hero, card, "NO-ACT-15")
    react(table, "you-reload", hero.name)


@law("NO-ACT-13")
def offer_transfer(table: Table, hero: Hero, other: str, cost: int) -> None:
    """Begin an exchange, or ask the player of the other hero first."""
    seat = hero_of(table, other).seat
    if seat == hero.seat:
        begin_transfer(table, hero, other, cost)
    else:
        ask(table, "agree", [("agree",), ("decline",)], hero.name, other, cost, seat=seat)


@law("NO-ACT-14", "NO-ACT-5")
def _unstun(table: Table, hero: Hero, _move: Move) -> None:
    hero.stunned = False
    table.tell("NO-ACT-14", "{hero} is no longer stunned.", hero=hero)


@law("NO-SCN-4", "NO-ACT-5")
def _leave(table: Table, hero: Hero, _move: Move) -> None:
    table.tell("NO-SCN-4", "{hero} leaves the map.", hero=hero)
    hero.at, hero.place = numbers.NOWHERE, numbers.LEFT
    do(table, "end_activation", hero.name)
    do(table, "look")
    do(table, "check_end")


def _use(table: Table, hero: Hero, move: Move) -> None:
    """Use a card, or open or close a door as the scenario allows."""
    kits = (kit_of(table, hero), table.plan.kit)
    for kit in kits:
        for ability in kit.deeds:
            said = Said(ability, hero.name, hero.name)
            if move[0] == "door" and kit is kits[1] and ability.clause in table.plan.opening:
                do(table, "turn_door", move, ability.rule)
                if ability.cost is not None:
                    pay(table, said, ability.cost)
                return
            if use_move(table, said) == move and is_usable(table, said):
                note_use(table, said)
                do(table, "perform", said)
                return


# Free actions from cards


@task
def free_deed(table: Table, name: str, what: Phrase, said: Said) -> None:
    """Offer an attack, a search, a reload or an exchange that costs no AP."""
    moves = free_moves(table, said, what, hero_of(table, name))
    if moves and what.name in ("attack", "attack-at"):
        ask(table, "free_attack", [*moves, ("pass",)], name, int(str(dict(what.parts).get("n", 0))))
    elif moves:
        ask(table, "free_action", moves, name)


def free_moves(table: Table, said: Said, what: Phrase, hero: Hero) -> list[Move]:
    """Return the ways in which a hero can carry out a free attack, search, reload or exchange now."""
    if what.name in ("attack", "attack-at"):
        moves = [] if is_forbidden(table, "heroes", "attack") is not None else attacks_for(table, hero)
        arms = {move: arm_called(table, hero, move[1]) for move in moves}
        return [move for move in moves if in_scope(table, said, what, arms[move], find_vermin(table, move[2]))]
    return FREE[what.name](table, hero)


FREE = {"reload": reloads_for, "investigate": searches_for, "transfer": mates_for}


@answer
def free_action(table: Table, move: Move, name: str) -> None:
    """Carry out the free action."""
    if move[0] == "transfer":
        offer_transfer(table, hero_of(table, name), move[1], 0)
    else:
        DEEDS[move[0]](table, hero_of(table, name), move)


def can_free_act(table: Table, said: Said, clause: Phrase, one: Figure | None = None) -> bool:
    """Return whether a free action is of any use now, to one hero or to anybody whom the card means."""
    what = a_phrase(clause["act"])
    who = dict(clause.parts).get("who")
    if not isinstance(who, Phrase):
        return True
    if one is None:
        return any(can_free_act(table, said, clause, each) for each in candidates(table, said, who))
    if not isinstance(one, Hero):
        return False
    if what.name in ("attack", "attack-at", *FREE):
        return bool(free_moves(table, said, what, one))
    if what.name == "stride":
        return one.on_map and is_held(table, one) is None
    return bool(leap_squares(table, one, number(what))) if what.name == "leap" else one.on_map


DEEDS: Final[dict[str, Callable[[Table, Hero, Move], None]]] = {
    "go": _go,
    "prowl": _gain_points,
    "stride": _gain_points,
    "pounce": _pounce,
    "land": _land,
    "attack": lambda table, hero, move: begin_attack(table, hero, move[1], move[2]),
    "investigate": lambda table, hero, move: investigate_square(table, hero, square_of(move)),
    "reload": lambda table, hero, move: reload_weapon(table, hero, table.box.numbers[move[1]]),
    "pick-up": lambda table, hero, move: do(table, "handle", hero.name, move[0], "", 0),
    "drop": lambda table, hero, move: do(table, "handle", hero.name, move[0], "", 0),
    "transfer": lambda table, hero, move: offer_transfer(table, hero, move[1], numbers.COST["transfer"]),
    "unstun": _unstun,
    "leave": _leave,
    "use": _use,
    "door": _use,
    "end": lambda table, hero, _move: do(table, "end_activation", hero.name),
}
"""By its word, the function that carries out a move."""

USEFUL["act"] = can_free_act
