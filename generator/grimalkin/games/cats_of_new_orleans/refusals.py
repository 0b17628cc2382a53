"""Why a move is not allowed now: the rule, and a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final

from grimalkin.engine.law import By
from grimalkin.engine.words import Refusal, listed, refuse
from grimalkin.games.cats_of_new_orleans.attack import is_area
from grimalkin.games.cats_of_new_orleans.box import Arm
from grimalkin.games.cats_of_new_orleans.clauses import ignores, is_forbidden, range_of
from grimalkin.games.cats_of_new_orleans.figures import (
    adjacent_to,
    barred_for_heroes,
    board_of,
    covered,
    covers,
    distance,
    far_apart,
    find_figure,
    find_vermin,
    has_power,
    hero_of,
    heroes_mask,
    occupied,
    sees,
    ways_of,
)
from grimalkin.games.cats_of_new_orleans.hero import arm_called
from grimalkin.games.cats_of_new_orleans.maps import NUMBERS, SQUARES, step_cost
from grimalkin.games.cats_of_new_orleans.moves import Move, asked
from grimalkin.games.cats_of_new_orleans.moving import is_held, is_passing
from grimalkin.games.cats_of_new_orleans.numbers import COST, ENDED, MOST_WEAPONS, NOTHING, PHASES
from grimalkin.games.cats_of_new_orleans.scenario import tokens_on
from grimalkin.games.cats_of_new_orleans.table import Hero, Table, Vermin, spoken
from grimalkin.games.cats_of_new_orleans.vermin import (
    FAR,
    GOAL,
    Filter,
    flight,
    free_for,
    is_large,
    moves_to,
    next_to_act,
    reachable,
    steps,
    straight,
)
from grimalkin.problems.plain import plural

WAITS: Final[
    Annotated[
        dict[str, tuple[str, str]],
        By("NO-GEN-4", "NO-DECK-4", "NO-PCH-1", "NO-GEN-17", "NO-LOOT-5", "NO-SET-7", "NO-S1-10", "NO-SKILL-2"),
    ]
] = {
    "cheat": ("NO-GEN-4", "a card was drawn: keep it, or cheat with a card from the party hand"),
    "ace": ("NO-DECK-4", "an ace lets the party add a card to its hand: do it, or pass"),
    "discard": ("NO-PCH-1", "the party hand holds too many cards: discard one"),
    "use": ("NO-GEN-5", "a card can be used now: use it, or pass"),
    "choose": ("NO-GEN-17", "choose one of the figures first"),
    "choose_more": ("NO-GEN-17", "choose another figure, or be done"),
    "yes_or_no": ("NO-GEN-5", "this is optional: do it, or pass"),
    "either": ("NO-GEN-5", "choose the first option or the second"),
    "keep_loot": ("NO-LOOT-5", "a weapon was found: equip it or stow it"),
    "keep_one": ("NO-GEN-5", "choose which of the drawn cards to keep"),
    "handled": ("NO-ACT-12", "finish handling items first: move one, or be done after moving at least one"),
    "agree": ("NO-ACT-13", "the other player must agree to the exchange or decline it"),
    "lay": ("NO-GEN-5", "put the cards back first, starting with the top one"),
    "put_back": ("NO-GEN-5", "put the card back on top, or under the deck"),
    "load": ("NO-GEN-5", "choose a depleted weapon first"),
    "refresh": ("NO-GEN-5", "choose an exhausted skill first"),
    "walks": ("NO-GEN-5", "finish the free move first: go to a square within reach, or be done"),
    "strolls": ("NO-GEN-5", "finish this move before the rest of the card: go on, or be done"),
    "leap": ("NO-AMB-112", "choose an empty square within Range"),
    "shifted": ("NO-AMB-119", "choose a free square one step away"),
    "turn_door": ("NO-AMB-96", "choose a door on an edge of the square"),
    "free_attack": ("NO-ACT-8", "a free attack is possible: choose one, or pass"),
    "free_action": ("NO-GEN-5", "carry out the free action first"),
    "first_side": ("NO-INIT-2", "the heroes have the initiative: choose which side goes first"),
    "placed": ("NO-SPAWN-4", "several empty squares are equally close: choose one"),
    "take_preferred": ("NO-S1-10", "choose one of the hero's preferred weapons"),
    "learn": ("NO-SKILL-2", "choose a skill for the hero to learn"),
    "bring": ("NO-SKILL-5", "choose which of the hero's skills come along"),
    "pays_once": ("NO-AMB-146", "choose who pays, or pass"),
    "start_on": ("NO-SET-7", "a hero starts on the start square or orthogonally next to it"),
    "target": ("NO-AMB-80", "it must attack one of the closest heroes that it can attack"),
    "step": ("NO-VERM-3", "it must move to a square that is nearer to one of the closest heroes"),
    "vermin": ("NO-VERM-1", "of the vermin that have yet to act, the one closest to a hero goes next"),
}
"""By the word of a question, the rule behind it and the sentence that refuses other moves."""
NO_ATTACKS: Final[Annotated[dict[str, str], By("NO-S1-6")]] = {"bad-times": "NO-S1-6"}
"""By scenario, the rule of the Guide Book that forbids heroes to attack."""


def why_not(table: Table, move: Move) -> Refusal:
    """Refuse a move that is not legal."""
    if table.phase == ENDED:
        return refuse("NO-SCN-3", "the scenario is over")
    question = asked(table)
    if move[0] == "cheat" and (question is None or question[0] != "first_side"):
        return _why_not_cheat(table, move)
    if question is not None:
        return _why_not_answer(table, move, question)
    if not table.active:
        return _why_not_activate(table, move)
    return _why_not_do(table, hero_of(table, table.active), move)


def _why_not_cheat(table: Table, move: Move) -> Refusal:
    card = table.box.numbers[move[1]]
    if card not in table.hand:
        return refuse("NO-PCH-3", f"{table.box.names[card]} is not in the party hand", card=move[1])
    return refuse("NO-DECK-12", "only a DRAW can be cheated, not a FLIP, and no drawn card is waiting")


def _why_not_answer(table: Table, move: Move, question: tuple[object, ...]) -> Refusal:
    """Refuse a move that does not answer the question asked."""
    word = str(question[0])
    rule, because = WAITS[word]
    if word == "vermin" and move[0] == "vermin":
        return _why_not_vermin(table, move)
    if word == "step" and move[0] == "to":
        one = find_vermin(table, table.active)
        assert one is not None
        return _why_not_step(table, one, NUMBERS[move[1]], question[3] == ("flee",)) or refuse(rule, because)
    if word == "first_side" and move[0] == "cheat":
        return refuse("NO-AMB-15", "the initiative is decided by FLIPs, which cannot be cheated")
    if word in ("handled", "keep_loot") and move[0] == "equip":
        hero = hero_of(table, str(question[3][0]))  # type: ignore[index]  # whose cards they are
        if len(hero.weapons) >= MOST_WEAPONS:
            told = f"{spoken(table, hero.name)} already has {MOST_WEAPONS} weapons equipped"
            return refuse("NO-CHR-6", told, weapons=MOST_WEAPONS)
    if word == "handled" and {move[0], str(question[3][1])} in ({"take", "drop"}, {"put", "pick-up"}):  # type: ignore[index]
        return refuse("NO-AMB-78", "one action can pick items up or drop them, but not both")
    if word == "shifted":
        square = NUMBERS[move[1]] if move[0] == "to" else None
        rule = _shift_rule(table, square, *question[3][:2])  # type: ignore[index]  # who, and from whom
    if word in ("walks", "strolls") and move[0] == "go":
        name = next(iter(question[3]), "")  # type: ignore[call-overload]  # whose walk it is
        return _why_not_go(table, hero_of(table, str(name)), move, walking=True)
    return refuse(rule, because)


def _shift_rule(table: Table, square: int | None, name: str, origin: str) -> str:
    """Return the rule by which a moved figure may not go to this square or do something else: fright leads 1 square
    away."""
    board = board_of(table)
    one, other = find_figure(table, name), find_figure(table, origin)
    assert one is not None and other is not None
    if not isinstance(other, Vermin) or not has_power(table, other, "terrifying"):
        return "NO-AMB-119"
    if square is None:
        return "NO-AMB-60"
    far = far_apart(board, 1 << square, covered(table, other))
    return "NO-PWR-23" if board.king(one.at, square) != 1 or far <= distance(table, one, other) else "NO-AMB-60"


def _why_not_step(table: Table, one: Vermin, square: int, flees: bool) -> Refusal | None:
    """Refuse a square that a vermin cannot reach, or that is not among the best."""
    if not reachable(table, one) >> square & 1:
        return _why_not_reached(table, one, square)
    log: list[Filter] = []
    if flees:
        flight(table, one, log)
    else:
        steps(table, one, log)
    # Only decisions about squares, not those about heroes or the destination.
    log = [each for each in log if isinstance(next(iter(each.left), 0), int) and each.by != GOAL]
    chain = log[-1:]  # earlier attempts that found nothing do not belong to it
    while len(chain) < len(log) and log[-len(chain) - 1].after == chain[0].before:
        chain.insert(0, log[-len(chain) - 1])
    each = next((each for each in chain if square not in each.left), None)
    if each is None:
        return None
    left = listed([SQUARES[at] for at in each.left if isinstance(at, int)][:6], "or")
    told = f"{spoken(table, one.name)} must go to {left} ({each.reason()})"
    return refuse(each.rule, told, value=abs(each.value))


def _why_not_reached(table: Table, one: Vermin, square: int) -> Refusal | None:
    """Refuse a square that a vermin cannot reach with 1 AP; None if it can."""
    board, ways, name = board_of(table), ways_of(table), SQUARES[square]
    if is_large(table, one) or not board.on_map >> square & 1:
        return None
    if not free_for(table, one) >> square & 1 and board.standable >> square & 1:
        return refuse("NO-AMB-25", f"a figure stands on {name}")
    if has_power(table, one, "glider") and board.king(one.at, square) > 1:
        if board.big[square] in board.neighbouring_bigs[board.big[one.at]]:
            return refuse("NO-AMB-88", f"a wall separates {spoken(table, one.name)} from the big square of {name}")
        return refuse("NO-AMB-65", f"{name} is not in a big square next to that of {spoken(table, one.name)}")
    if board.king(one.at, square) != 1:
        return refuse("NO-VERM-2", f"{name} is not next to {SQUARES[one.at]}, where {spoken(table, one.name)} stands")
    if not ways.near[one.at] >> square & 1:
        return refuse("NO-TERR-2", f"the way from {SQUARES[one.at]} to {name} is blocked")
    return None


def _why_not_vermin(table: Table, move: Move) -> Refusal:
    one = find_vermin(table, move[1])
    if one is None:
        return refuse("NO-VERM-1", f"no vermin on the map is called {move[1]}")
    if one.done:
        return refuse("NO-ROUND-2", f"{spoken(table, move[1])} has already been activated this turn")
    log: list[Filter] = []
    next_ = [spoken(table, other.name) for other in next_to_act(table, log)]
    counted = "; ".join(each.reason() for each in log)
    heroes = heroes_mask(table)
    far = straight(table, 1 << one.at, heroes)
    nearer = all(far < straight(table, 1 << other.at, heroes) for other in next_to_act(table))
    rule = "NO-AMB-99" if moves_to(table, one, heroes) == FAR else "NO-AMB-27" if nearer else "NO-VERM-1"
    counts = tuple(str(abs(each.value)) for each in log)
    return refuse(rule, f"{listed(next_, 'or')} must go first ({counted})", counted=counts)


def _why_not_activate(table: Table, move: Move) -> Refusal:
    """Refuse a move between two activations of heroes."""
    if move[0] != "act":
        if move[0] == "vermin":
            return refuse("NO-ROUND-2", f"it is the turn of the {PHASES[table.phase]}")
        return refuse("NO-HERO-2", "choose a hero to activate first")
    hero = _hero(table, move[1])
    if hero is None:
        return refuse("NO-SET-1", f"{spoken(table, move[1])} is not in this party")
    if not hero.on_map:
        return refuse("NO-SCN-4", f"{spoken(table, move[1])} is not on the map")
    return refuse("NO-HERO-2", f"{spoken(table, move[1])} has already been activated this round")


def _hero(table: Table, name: str) -> Hero | None:
    return next((hero for hero in table.heroes if hero.name == name), None)


def _why_not_do(table: Table, hero: Hero, move: Move) -> Refusal:
    """Refuse a move of the active hero."""
    word, me = move[0], spoken(table, hero.name)
    if word in ("act", "vermin"):
        return refuse("NO-HERO-2", f"{me} must finish its activation first")
    if word in ("heroes-first", "vermin-first"):
        return refuse("NO-INIT-2", "this choice belongs to the Initiative segment")
    if hero.leaping >= 0:
        if word == "go":
            return _why_not_go(table, hero, move)
        if word == "land":
            return refuse("NO-AMB-22", f"a Pounce cannot end on {SQUARES[hero.at]}, where another figure stands")
        return refuse("NO-AMB-18", f"{me} is in the middle of a Pounce: go on, or land")
    if word == "land":
        return refuse("NO-ACT-7", f"{me} is not pouncing")
    if hero.stunned and word != "unstun":
        rule = "NO-AMB-114" if word == "use" else "NO-ACT-14"
        return refuse(rule, f"{me} is stunned and must remove the Stun marker first")
    if word != "go" and is_passing(table, hero):
        return refuse("NO-AMB-113", f"{me} is passing a figure on {SQUARES[hero.at]} and must move on first")
    if word in COST and hero.ap < COST[word]:
        cost = COST[word]
        told = f"{me} has {hero.ap} AP, and this costs {cost}"
        return refuse(next(rule for rule in COST_RULES if word in COST_RULES[rule]), told, ap=hero.ap, needed=cost)
    if word in REASONS:
        return REASONS[word](table, hero, move)
    rule, because = BECAUSE.get(word, ("NO-HERO-3", "nothing calls for this in the middle of {me}'s activation"))
    return refuse(rule, because.format(me=me, ap=hero.ap, at=SQUARES[hero.at]))


COST_RULES: Final[dict[str, tuple[str, ...]]] = {
    "NO-ACT-1": ("prowl", "stride", "pounce"),
    "NO-ACT-2": ("attack", "reload"),
    "NO-ACT-3": ("investigate",),
    "NO-ACT-4": ("pick-up", "drop", "transfer"),
    "NO-ACT-5": ("unstun", "leave"),
}
"""By rule, the actions whose cost it gives."""


def _why_not_held(table: Table, hero: Hero, _move: Move) -> Refusal:
    holder = is_held(table, hero)
    assert holder is not None
    me = spoken(table, hero.name)
    rule = "NO-MOVE-5" if holder.up else "NO-AMB-20"
    return refuse(rule, f"{me} is next to {spoken(table, holder.name)}, which is not stunned: only a Prowl is possible")


def _why_not_go(table: Table, hero: Hero, move: Move, walking: bool = False) -> Refusal:
    square, me = NUMBERS[move[1]], spoken(table, hero.name)
    board, ways = board_of(table), ways_of(table)
    if not board.on_map >> square & 1:
        return refuse("NO-TERR-2", f"{move[1]} is not on this map")
    if board.king(hero.at, square) != 1:
        return refuse("NO-MOVE-1", f"{move[1]} is not next to {SQUARES[hero.at]}, where {me} stands")
    step = next((step for step in ways.steps[hero.at] if step.to == square), None)
    if step is None:
        if board.blocking >> square & 1 or board.distance(hero.at, square) == 1:
            return refuse("NO-TERR-2", f"the way from {SQUARES[hero.at]} to {move[1]} is blocked")
        corners = board.within(hero.at, 1) & board.within(square, 1)
        if not corners & ~board.standable:
            return refuse("NO-AMB-81", f"walls block both ways round the corner to {move[1]}")
        return refuse("NO-AMB-19", f"both ways round the corner to {move[1]} are blocked")
    if hero.leaping < 0 and barred_for_heroes(table, hero) >> square & 1:
        rule = "NO-AMB-113" if ignores(table, hero, "figures") else "NO-MOVE-6"
        return refuse(rule, f"a figure stands on {move[1]}")
    points = hero.leaping if hero.leaping >= 0 else hero.mp
    cost = step_cost(board, step, 0 if hero.leaping >= 0 else occupied(table, hero), hero.leaping >= 0)
    if cost > points or walking:
        rule = "NO-MOVE-4" if cost - (2 if step.diagonal else 1) else "NO-MOVE-3" if step.diagonal else "NO-MOVE-2"
        if rule == "NO-MOVE-4" and not board.hindering >> square & 1 and not step.hinders:
            rule = "NO-AMB-21"
        return refuse(rule, f"{move[1]} costs {cost} MP, and {me} has {points}", mp=points, needed=cost)
    return refuse("NO-AMB-22", f"from {move[1]} the Pounce could not reach a free square to land on")


def _why_not_attack(table: Table, hero: Hero, move: Move) -> Refusal:
    me = spoken(table, hero.name)
    forbidden = is_forbidden(table, "heroes", "attack")
    if forbidden is not None:
        return refuse(NO_ATTACKS.get(table.scenario, "NO-SCN-5"), f"{forbidden.name}: no hero may attack")
    arm = arm_called(table, hero, move[1])
    if arm.card >= 0 and arm.card not in hero.weapons:
        return refuse("NO-ATK-1", f"{me} does not have {arm.name} equipped")
    if arm.card >= 0 and table.depleted >> arm.card & 1:
        return refuse("NO-ATK-8", f"{me} must reload {arm.called} first")
    if is_area(table, arm):
        return _why_not_area(table, hero, arm, move[2])
    at = find_vermin(table, move[2])
    if at is None:
        if _hero(table, move[2]) is not None:
            return refuse("NO-ATK-2", f"{spoken(table, move[2])} is a hero, and only vermin can be attacked")
        return refuse("NO-ATK-2", f"no vermin on the map is called {move[2]}")
    under = covers(table, at)
    if not sees(ways_of(table), hero.at) & under:
        return refuse("NO-LOS-2", f"{me} cannot see {spoken(table, move[2])}")
    far, reach = distance(table, hero, at), range_of(table, hero, arm)
    if far < 2 and reach > 3:
        told = f"{spoken(table, move[2])} is within Range 1, too close for Range {reach}"
        return refuse("NO-RNG-5", told, near=1, distance=far, range=reach)
    rule = "NO-RNG-2" if reach < 2 else "NO-RNG-3" if reach == 2 else "NO-RNG-4" if reach == 3 else "NO-RNG-6"
    told = f"{spoken(table, move[2])} is {plural(far, 'square')} away, and the Range of {arm.called} is {reach}"
    return refuse(rule, told, distance=far, range=reach)


def _why_not_area(table: Table, hero: Hero, arm: Arm, target: str) -> Refusal:
    """Refuse an attack aimed at a big square."""
    board, square = board_of(table), NUMBERS.get(target, NOTHING)
    if square == NOTHING or not board.on_map >> square & 1:
        return refuse("NO-AMB-45", f"aim {arm.called} at a big square, named by its upper left square, not at {target}")
    area = board.big[square]
    if target != board.big_names[area]:
        return refuse(
            "NO-AMB-45", f"the big square of {target} is named by its upper left square, {board.big_names[area]}"
        )
    if not board.bigs[area] & occupied(table):
        return refuse("NO-AMB-45", f"nobody stands in the big square of {target}")
    reach = range_of(table, hero, arm)
    return refuse("NO-AMB-45", f"no square of the area of {target} is in sight and within Range {reach}", range=reach)


def _why_not_reload(table: Table, hero: Hero, move: Move) -> Refusal:
    card, me = table.box.numbers[move[1]], spoken(table, hero.name)
    if card not in hero.weapons:
        return refuse("NO-ACT-15", f"{me} does not have {table.box.names[card]} equipped")
    if not table.depleted >> card & 1:
        return refuse("NO-ACT-15", f"there is no Depleted token on {table.box.arm(card).called}")
    return refuse("NO-LOOT-8", f"{me} has no Stash of Ammunition")


def _why_not_investigate(table: Table, hero: Hero, move: Move) -> Refusal:
    square, me = NUMBERS[move[1]], spoken(table, hero.name)
    if not tokens_on(table, square):
        return refuse("NO-ACT-10", f"there is no token on {move[1]}")
    if square in hero.searched:
        return refuse("NO-LOOT-3", f"{me} has already searched {move[1]}")
    if board_of(table).king(hero.at, square) == 1:
        return refuse("NO-AMB-82", f"{SQUARES[hero.at]} and {move[1]} are separated by a wall or closed door")
    return refuse("NO-AMB-11", f"{move[1]} is neither {me}'s square nor one of the eight around it")


def _why_not_transfer(table: Table, hero: Hero, move: Move) -> Refusal:
    other, me = _hero(table, move[1]), spoken(table, hero.name)
    if other is None or not other.on_map or other is hero:
        return refuse("NO-ACT-13", f"{spoken(table, move[1])} is not another hero on the map")
    if board_of(table).distance(hero.at, other.at) != 1:
        return refuse("NO-ACT-13", f"{spoken(table, move[1])} is not orthogonally next to {me}")
    if not adjacent_to(table, 1 << hero.at) >> other.at & 1:
        return refuse("NO-AMB-82", f"{me} and {spoken(table, move[1])} are separated by a wall or closed door")
    if other.card in hero.declined:
        return refuse("NO-ACT-13", f"{spoken(table, move[1])} has declined an exchange in this activation")
    return refuse("NO-ACT-13", f"neither {me} nor {spoken(table, move[1])} has anything to exchange")


def _why_not_use(table: Table, hero: Hero, move: Move) -> Refusal:
    box, me = table.box, spoken(table, hero.name)
    card = box.numbers[move[1]]
    if card not in (hero.card, *hero.skills, *hero.weapons, *hero.loot):
        return refuse("NO-GEN-5", f"{me} does not have {box.called(card)}")
    if table.exhausted >> card & 1:
        rule = "NO-SKILL-4" if card in hero.skills else "NO-LOOT-6"
        return refuse(rule, f"{me} has already exhausted {box.called(card)}")
    if (hero.used | hero.used_in_round | hero.used_in_scenario) >> card & 1:
        return refuse("NO-GEN-5", f"{me} may not use {box.called(card)} again yet")
    return refuse("NO-GEN-5", f"{me} cannot use {box.called(card)} now, or there is nobody to use it on")


def _why_not_door(table: Table, hero: Hero, move: Move) -> Refusal:
    board, me = board_of(table), spoken(table, hero.name)
    door = next((one for one in board.doors if one.name == move[1]), None)
    if door is None or hero.at not in (door.a, door.b):
        return refuse("NO-AMB-96", f"there is no door {move[1]} on an edge of {SQUARES[hero.at]}")
    if hero.ap < 1:
        return refuse("NO-AMB-96", f"{me} has no AP left to open or close a door")
    return refuse("NO-SCN-5", "this scenario has no rule for opening or closing doors")


BECAUSE: Final[dict[str, tuple[str, str]]] = {
    "prowl": ("NO-ACT-1", "{me} has {ap} AP"),
    "pick-up": ("NO-ACT-12", "there is nothing to pick up on {at}"),
    "drop": ("NO-ACT-12", "{me} has nothing to drop"),
    "unstun": ("NO-ACT-14", "{me} is not stunned"),
    "leave": ("NO-SCN-4", "no green arrow leads off the map from {at}"),
}
"""By the word of a move that can be refused for only one reason, the rule and the sentence."""
REASONS: Final[dict[str, Callable[[Table, Hero, Move], Refusal]]] = {
    "stride": _why_not_held,
    "pounce": _why_not_held,
    "go": _why_not_go,
    "attack": _why_not_attack,
    "reload": _why_not_reload,
    "investigate": _why_not_investigate,
    "transfer": _why_not_transfer,
    "use": _why_not_use,
    "door": _why_not_door,
}
"""By the word of a move, the function that refuses it."""
