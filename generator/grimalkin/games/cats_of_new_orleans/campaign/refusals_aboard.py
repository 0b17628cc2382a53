"""Why a move is not allowed now on the Riverboat: the rule, and a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from grimalkin.engine.words import Refusal, refuse
from grimalkin.games.cats_of_new_orleans.box import boat_is_open
from grimalkin.games.cats_of_new_orleans.campaign.riverboat import fee_of, is_on_sale, lessons_for, paid_for, price_of
from grimalkin.games.cats_of_new_orleans.figures import hero_of, purse_of
from grimalkin.games.cats_of_new_orleans.moves import Move
from grimalkin.games.cats_of_new_orleans.numbers import BAR, DRINK, GEAR, MOST_LIVES, MOST_WEAPONS, STEPS, TRAINING
from grimalkin.games.cats_of_new_orleans.table import Hero, Table, spoken
from grimalkin.problems.plain import plural

STEP_OF: Final = {"heal": BAR, "buy": GEAR, "gamble": GEAR, "sell": GEAR, "train": TRAINING}
"""The step to which each move belongs."""
ABOARD: Final = frozenset({*STEP_OF, "hand", "onward"})
"""Words of moves that are made only on board."""


def why_not_aboard(table: Table, move: Move) -> Refusal:
    """Refuse a move that is not possible on board, or not now."""
    word = move[0]
    if word == "act":
        if table.active:
            return refuse("NO-AMB-140", f"{spoken(table, table.active)} must end its turn first")
        return refuse("NO-SET-1", f"{spoken(table, move[1])} is not in this party")
    if word == "onward":
        return refuse("NO-AMB-140", f"{spoken(table, table.active)} must end its turn first")
    if not table.active:
        return refuse("NO-AMB-140", "choose a hero to take a turn first, or go on")
    hero = hero_of(table, table.active)
    if word in STEP_OF and STEP_OF[word] != table.step:
        told = f"this belongs to the {STEPS[STEP_OF[word]]} step, and the party is at the {STEPS[table.step]} step"
        return refuse("NO-BOAT-1", told, step=STEPS[table.step])
    if word in REASONS:
        return REASONS[word](table, hero, move)
    return refuse("NO-AMB-140", "this is only possible on a map, in a scenario")


def why_not_ashore(table: Table) -> Refusal:
    """Refuse a move that belongs on board."""
    if boat_is_open(table.box, table.scenario):
        return refuse("NO-BOAT-1", "this is only possible on the Riverboat, between scenarios")
    return refuse("NO-AMB-69", "this is only possible on the Riverboat, which is not open yet")


def _why_not_heal(table: Table, hero: Hero, _move: Move) -> Refusal:
    if hero.lives == MOST_LIVES:
        return refuse("NO-CHR-3", f"{spoken(table, hero.name)} already has {MOST_LIVES} Lives", lives=hero.lives)
    return _too_dear(table, hero, "NO-BOAT-3", DRINK)


def _too_dear(table: Table, hero: Hero, rule: str, price: int) -> Refusal:
    purse = purse_of(table, hero)
    return refuse(rule, f"it costs {plural(price, 'buck')}, and the party has {purse}", bucks=purse, needed=price)


def _why_not_buy(table: Table, hero: Hero, move: Move) -> Refusal:
    card = table.box.numbers[move[1]]
    if table.box.piece(card).get("kind") == "bucks":
        return refuse("NO-BOAT-6", f"you can only gamble on {table.box.names[card]}, not buy it")
    if card not in table.offer:
        return refuse("NO-BOAT-5", f"{table.box.names[card]} is not among the Loot on offer")
    assert is_on_sale(table, card)
    return _too_dear(table, hero, "NO-BOAT-5", price_of(table, card))


def _why_not_gamble(table: Table, _hero: Hero, move: Move) -> Refusal:
    card = table.box.numbers[move[1]]
    name = table.box.names[card]
    if table.box.piece(card).get("kind") != "bucks":
        return refuse("NO-BOAT-6", f"you can gamble only on Buck cards, not on {name}")
    if card not in table.offer:
        return refuse("NO-BOAT-6", f"{name} is not among the Loot on offer")
    return refuse("NO-BOAT-6", f"the party cannot pay for a gamble on {name}")


def _why_not_sell(table: Table, hero: Hero, move: Move) -> Refusal:
    card = table.box.numbers[move[1]]
    if card not in (*hero.weapons, *hero.loot):
        return refuse("NO-BOAT-7", f"{spoken(table, hero.name)} does not have {table.box.names[card]}")
    assert not paid_for(table, card)
    price = table.box.piece(card)["price"]
    told = f"half the price of {price}, rounded down, is nothing" if price else "it has no price"
    return refuse("NO-BOAT-7", f"nobody buys {table.box.names[card]}: {told}")


def _why_not_train(table: Table, hero: Hero, move: Move) -> Refusal:
    card = table.box.numbers[move[1]]
    me, name = spoken(table, hero.name), table.box.names[card]
    if table.box.piece(card).get("hero") != hero.name:
        return refuse("NO-BOAT-8", f"{me} can learn only its own skills, not {name}")
    if card not in lessons_for(table, hero):
        return refuse("NO-BOAT-8", f"{me} has already learned {name}")
    return _too_dear(table, hero, "NO-SKILL-3", fee_of(table, card))


def _why_not_equip(table: Table, hero: Hero, move: Move) -> Refusal:
    name = table.box.names[table.box.numbers[move[1]]]
    if table.box.numbers[move[1]] not in table.box.weapons:
        return refuse("NO-LOOT-5", f"only weapons can be equipped, not {name}")
    if table.box.numbers[move[1]] in hero.loot:
        return refuse("NO-CHR-6", f"{spoken(table, hero.name)} already has {MOST_WEAPONS} weapons equipped")
    return refuse("NO-LOOT-5", f"{spoken(table, hero.name)} does not have {name} in its loot slot")


def _why_not_stow(table: Table, hero: Hero, move: Move) -> Refusal:
    name = table.box.names[table.box.numbers[move[1]]]
    return refuse("NO-LOOT-5", f"{spoken(table, hero.name)} does not have {name} equipped")


def _why_not_share(table: Table, hero: Hero, move: Move) -> Refusal:
    """Refuse to exchange items or hand over bucks."""
    other = next((one for one in table.heroes if one.name == move[1]), None)
    if other is None or other is hero:
        return refuse("NO-AMB-72", f"{spoken(table, move[1])} is not another hero on board")
    if move[0] == "hand":
        told = f"only {plural(hero.bucks, 'buck')}" if hero.bucks else "no bucks"
        return refuse("NO-AMB-72", f"{spoken(table, hero.name)} has {told} without a card", bucks=hero.bucks)
    return refuse(
        "NO-AMB-140", f"neither {spoken(table, hero.name)} nor {spoken(table, move[1])} has anything to exchange"
    )


REASONS: Final[dict[str, Callable[[Table, Hero, Move], Refusal]]] = {
    "heal": _why_not_heal,
    "buy": _why_not_buy,
    "gamble": _why_not_gamble,
    "sell": _why_not_sell,
    "train": _why_not_train,
    "equip": _why_not_equip,
    "stow": _why_not_stow,
    "transfer": _why_not_share,
    "hand": _why_not_share,
}
"""By the word of a move, the function that refuses it."""
