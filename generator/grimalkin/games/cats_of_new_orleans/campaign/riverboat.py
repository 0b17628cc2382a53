"""The interlude after a scenario has been won: its text, and the Riverboat, step by step.

Nobody is on a map. In the Lounge a Riverboat Event is drawn; at the bar, the gear and the skills, heroes take turns in
any order and as often as they like, until the party goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from grimalkin.engine.law import law
from grimalkin.engine.phrases import Phrase
from grimalkin.engine.words import Refusal, refuse
from grimalkin.games.cats_of_new_orleans import numbers
from grimalkin.games.cats_of_new_orleans.box import Box, boat_is_open
from grimalkin.games.cats_of_new_orleans.cards import (
    can_equip,
    equip,
    give_to,
    pay_bucks,
    pick,
    take_loot,
    throw_away,
)
from grimalkin.games.cats_of_new_orleans.clauses import Said, phrases
from grimalkin.games.cats_of_new_orleans.effects import can_pay
from grimalkin.games.cats_of_new_orleans.events import recover
from grimalkin.games.cats_of_new_orleans.figures import hero_of, purse_of
from grimalkin.games.cats_of_new_orleans.moves import HANDFULS, Move, do, ranks, task
from grimalkin.games.cats_of_new_orleans.phrases.abilities import Ability, abilities_of
from grimalkin.games.cats_of_new_orleans.scenario import fill_loot, party
from grimalkin.games.cats_of_new_orleans.table import Hero, HeroView, Table, View, spoken
from grimalkin.problems.plain import listed, plural

NEXT: Final = "next-scenario-starts"
"""The trigger of events that affect the next scenario."""
ON_SALE: Final = frozenset({"weapon", "item", "ammunition"})
"""Kinds of Loot that can be bought (NO-BOAT-5)."""


# Set-up


@law("NO-GEN-11", "NO-SCN-8")
def lay_out_interlude(table: Table, options: Mapping[str, Any]) -> None:
    """Lay out the party with everything it has, both decks, and the text after the scenario."""
    box = table.box
    table.phase = numbers.INTERLUDE
    table.kings = list(box.kings)
    table.deck = [card for card in box.poker if card not in box.kings]
    table.doors = table.plan.board.first_open
    table.pool, table.apart = sorted(table.plan.pool), table.still_to_come()
    table.aspects_lost = sorted(box.numbers[id_] for id_ in options.get("aspects-lost", ()))
    table.aspects = [card for card in table.plan.aspects if card not in table.aspects_lost]
    table.heroes = party(table, options)
    table.entries = sorted(options.get("log", ()))
    fill_loot(table)
    do(table, "open_boat", tuple(box.numbers[id_] for id_ in options.get("heard", ())))
    for ability in reversed([*between(box, table.scenario)]):
        do(table, "sentences", Said(ability, "", ""), ability.body)


def between(box: Box, scenario: str) -> Iterator[Ability]:
    """Yield the abilities of a scenario's text for the time after it."""
    for clause in box.facts["scenarios"][scenario]["between"]:
        if clause.get("text"):
            yield from abilities_of(box.read(clause["text"]), numbers.NOTHING, "NO-SCN-8", clause["title"])


def clauses_in(sentence: Phrase, label: str = "clauses") -> list[Phrase]:
    """Return the clauses in a part of a sentence, if it has that part."""
    return [clause for name, value in sentence.parts if name == label for clause in phrases(value)]


@task
@law("NO-BOAT-1", "NO-BOAT-2", "NO-AMB-144")
def open_boat(table: Table, heard: tuple[int, ...]) -> None:
    """Board the Riverboat, with an Event that has not been drawn before, if there is one."""
    if not boat_is_open(table.box, table.scenario):
        do(table, "go_ashore")
        return
    table.step = numbers.LOUNGE
    left = [card for card in table.box.events if card not in heard] or list(table.box.events)
    table.event = pick(table, "event", left)
    told = f"In the Lounge: {table.box.names[table.event]}."
    table.tell("NO-BOAT-2", told, event=table.box.ids[table.event])
    do(table, "next_step")
    for ability in reversed(table.box.told_aboard(table.event)):
        if ability.on != NEXT:
            do(table, "sentences", Said(ability, "", ""), ability.body)


def speaks_of_next(box: Box, event: int) -> bool:
    """Return whether an event applies at the start of the next scenario."""
    return any(ability.on == NEXT for ability in box.told_aboard(event))


# Steps


@task
@law("NO-BOAT-1")
def next_step(table: Table) -> None:
    """Begin the next step, or end the visit."""
    if table.step == numbers.TRAINING:
        do(table, "go_ashore")
        return
    table.step += 1
    if table.step == numbers.BAR:
        do(table, "open_bar")
    elif table.step == numbers.GEAR:
        do(table, "open_gear")
    else:
        table.tell("NO-BOAT-8", "Teachers are on board: heroes can learn skills.", step=numbers.STEPS[table.step])


@task
@law("NO-BOAT-3", "NO-AMB-40")
def open_bar(table: Table) -> None:
    """Serve the first drink for free."""
    table.tell("NO-BOAT-3", "The bar is open, and the first drink is free.", step=numbers.STEPS[table.step])
    for hero in table.heroes:
        recover(table, hero, 1, "NO-BOAT-3")


@task
@law("NO-BOAT-4", "NO-AMB-71")
def open_gear(table: Table) -> None:
    """Draw cards until enough are on offer, not counting Events and Stashes of Ammunition."""
    box, names = table.box, table.box.names
    wanted = numbers.OFFER + said_by_event(table, "larger-offer")
    while wanted and (card := take_loot(table)) != numbers.NOTHING:
        kind = box.piece(card)["kind"]
        if kind == "event":
            table.aside = sorted([*table.aside, card])
            continue
        table.offer = sorted([*table.offer, card])
        wanted -= kind != "ammunition"
    told = f"On offer: {listed([names[card] for card in table.offer]) or 'nothing'}."
    table.tell("NO-BOAT-4", told, cards=tuple(box.ids[card] for card in table.offer))
    if table.aside:
        told = f"Set aside: {listed([names[card] for card in table.aside])}."
        table.tell("NO-BOAT-4", told, cards=tuple(box.ids[card] for card in table.aside))


def said_by_event(table: Table | View, clause: str, wares: str = "") -> int:
    """Return the number in this clause of the visit's event, such as extra cards or a discount; 0 without one."""
    found = 0
    for ability in table.box.told_aboard(table.event) if table.event >= 0 else ():
        for sentence in ability.body:
            for one in sentence.every():
                if one.name == clause and (not wares or _wares(one) == wares):
                    found += int(str(one["n"]))
    return found


def _wares(clause: Phrase) -> str:
    wares = clause["wares"]
    assert isinstance(wares, Phrase)
    return wares.name


@task
@law("NO-BOAT-9", "NO-AMB-143", "NO-AMB-71")
def go_ashore(table: Table) -> None:
    """End the interlude. Cards that nobody has return to the Loot deck."""
    table.loot_deck = sorted(
        [*table.loot_deck, *table.loot_top, *table.loot_under, *table.loot_gone, *table.offer, *table.aside]
    )
    table.loot_top, table.loot_under, table.loot_gone, table.offer, table.aside = [], [], [], [], []
    rule, told = ("NO-BOAT-9", "The party goes ashore.") if table.step else ("NO-SCN-8", "The next scenario can begin.")
    table.won = True
    table.tell(rule, told, won=True)


# Turns


def legal_aboard(table: Table) -> list[Move]:
    """Return the heroes who may take a turn, or the moves in a turn, in the fixed order of moves."""
    if not table.active:
        return [*(("act", hero.name) for hero in sorted(table.heroes, key=lambda one: one.card)), ("onward",)]
    hero, rank = hero_of(table, table.active), ranks(table.box)
    return sorted({*arranging(table, hero), *trading(table, hero), ("end",)}, key=lambda move: rank[move])


@law("NO-AMB-140")
def arranging(table: Table, hero: Hero) -> Iterator[Move]:
    """Yield the moves allowed at any time on board: exchanging cards and bucks, equipping or stowing weapons."""
    ids = table.box.ids
    yield from (("equip", ids[card]) for card in hero.loot if can_equip(table, hero, card))
    yield from (("stow", ids[card]) for card in hero.weapons)
    for other in table.heroes:
        if other is not hero:
            if hero.weapons or hero.loot or other.weapons or other.loot:
                yield ("transfer", other.name)
            if hero.bucks:
                yield ("hand", other.name)
                yield from (("hand", other.name, count) for count in HANDFULS if hero.bucks >= int(count))


@law("NO-BOAT-3", "NO-BOAT-5", "NO-BOAT-6", "NO-BOAT-7", "NO-BOAT-8")
def trading(table: Table, hero: Hero) -> Iterator[Move]:
    """Yield the moves of a hero at this step."""
    ids, purse = table.box.ids, purse_of(table, hero)
    if table.step == numbers.BAR and hero.lives < numbers.MOST_LIVES and purse >= numbers.DRINK:
        yield ("heal",)
    if table.step == numbers.GEAR:
        for card in table.offer:
            if is_on_sale(table, card):
                if purse >= price_of(table, card):
                    yield ("buy", ids[card])
            elif can_gamble(table, hero, card):
                yield ("gamble", ids[card])
        yield from (("sell", ids[card]) for card in (*hero.weapons, *hero.loot) if paid_for(table, card))
    if table.step == numbers.TRAINING:
        for card in lessons_for(table, hero):
            if purse >= fee_of(table, card):
                yield ("train", ids[card])


def is_on_sale(table: Table | View, card: int) -> bool:
    """Return whether a card on offer can be bought; the others are gambles."""
    return table.box.piece(card)["kind"] in ON_SALE


@law("NO-LOOT-10", "NO-BOAT-5")
def price_of(table: Table | View, card: int) -> int:
    """Return the price of a card on this visit."""
    return max(0, int(table.box.piece(card)["price"]) - said_by_event(table, "cheaper", "loot"))


@law("NO-BOAT-7")
def paid_for(table: Table | View, card: int) -> int:
    """Return what a card sells for: half its price; 0 without a price."""
    return int(table.box.piece(card)["price"] or 0) // numbers.SECOND_HAND


@law("NO-SKILL-3", "NO-BOAT-8")
def fee_of(table: Table | View, card: int) -> int:
    """Return the price of a skill on this visit."""
    return max(0, numbers.LESSONS[table.box.piece(card)["level"]] - said_by_event(table, "cheaper", "skills"))


def lessons_for(table: Table | View, hero: Hero | HeroView) -> list[int]:
    """Return a hero's own skills that it has not learned."""
    box = table.box
    return [card for card in box.skills if box.piece(card)["hero"] == hero.name and card not in hero.skills]


def can_gamble(table: Table, hero: Hero, card: int) -> bool:
    """Return whether a hero can pay the cost of a Buck card."""
    abilities = table.box.told_aboard(card)
    said = [Said(ability, hero.name, hero.name) for ability in abilities]
    return all(one.ability.cost is None or can_pay(table, one, one.ability.cost) for one in said)


def make_aboard(table: Table, move: Move) -> None:
    """Make a move between two questions: begin a turn, act in it, or go on."""
    if move[0] == "onward":
        do(table, "next_step")
    elif move[0] == "act":
        table.active = move[1]
    elif move[0] == "end":
        table.active = ""
        table.turn += 1
    else:
        DEEDS[move[0]].make(table, hero_of(table, table.active), move)


def _equip(table: Table, hero: Hero, move: Move) -> None:
    equip(table, hero, table.box.numbers[move[1]])


def _stow(table: Table, hero: Hero, move: Move) -> None:
    card = table.box.numbers[move[1]]
    hero.weapons.remove(card)
    give_to(hero, card)
    table.tell("NO-AMB-140", f"{spoken(table, hero.name)} stows {table.box.names[card]}.", card=move[1])


@law("NO-AMB-140")
def _transfer(table: Table, hero: Hero, move: Move) -> None:
    told = f"{spoken(table, hero.name)} and {spoken(table, move[1])} exchange items."
    table.tell("NO-AMB-140", told, hero=move[1])
    do(table, "handle", hero.name, "transfer", move[1], 0)


@law("NO-AMB-72")
def _hand(table: Table, hero: Hero, move: Move) -> None:
    """Hand over loose bucks, this many or all; those on cards are handed over as cards."""
    other = hero_of(table, move[1])
    count = int(move[2]) if len(move) > 2 else hero.bucks
    hero.bucks, other.bucks = hero.bucks - count, other.bucks + count
    told = f"{spoken(table, hero.name)} hands {spoken(table, other.name)} {plural(count, 'buck')}."
    table.tell("NO-AMB-72", told, hero=other.name, bucks=count)


@law("NO-BOAT-3", "NO-AMB-41")
def _heal(table: Table, hero: Hero, _move: Move) -> None:
    pay_bucks(table, hero, numbers.DRINK)
    recover(table, hero, 1, "NO-BOAT-3")


@law("NO-BOAT-5")
def _buy(table: Table, hero: Hero, move: Move) -> None:
    card = table.box.numbers[move[1]]
    price = price_of(table, card)
    pay_bucks(table, hero, price)
    table.offer.remove(card)
    told = f"{spoken(table, hero.name)} buys {table.box.names[card]} for {plural(price, 'buck')}."
    table.tell("NO-BOAT-5", told, card=move[1], price=price)
    give_to(hero, card)


@law("NO-BOAT-6")
def _gamble(table: Table, hero: Hero, move: Move) -> None:
    """Use up the card: carry it out, and discard it."""
    card = table.box.numbers[move[1]]
    table.offer.remove(card)
    table.loot_gone = sorted([*table.loot_gone, card])
    told = f"{spoken(table, hero.name)} gambles on {table.box.names[card]}."
    table.tell("NO-BOAT-6", told, hero=hero.name, card=move[1])
    for ability in reversed(table.box.told_aboard(card)):
        do(table, "perform", Said(ability, hero.name, hero.name))


@law("NO-BOAT-7")
def _sell(table: Table, hero: Hero, move: Move) -> None:
    card = table.box.numbers[move[1]]
    paid = paid_for(table, card)
    throw_away(table, hero, card)
    hero.bucks += paid
    told = f"{spoken(table, hero.name)} sells {table.box.names[card]} for {plural(paid, 'buck')}."
    table.tell("NO-BOAT-7", told, card=move[1], paid=paid)


@law("NO-BOAT-8", "NO-SKILL-3")
def _train(table: Table, hero: Hero, move: Move) -> None:
    card = table.box.numbers[move[1]]
    fee = fee_of(table, card)
    pay_bucks(table, hero, fee)
    hero.skills = sorted([*hero.skills, card])
    told = f"{spoken(table, hero.name)} learns {table.box.names[card]} for {plural(fee, 'buck')}."
    table.tell("NO-BOAT-8", told, card=move[1], price=fee)


# Refusals


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
    if word in DEEDS and DEEDS[word].step not in (0, table.step):
        then, now = numbers.STEPS[DEEDS[word].step], numbers.STEPS[table.step]
        told = f"this belongs to the {then} step, and the party is at the {now} step"
        return refuse("NO-BOAT-1", told, step=now)
    if word in DEEDS:
        return DEEDS[word].why_not(table, hero, move)
    return refuse("NO-AMB-140", "this is only possible on a map, in a scenario")


def why_not_ashore(table: Table) -> Refusal:
    """Refuse a move that belongs on board."""
    if boat_is_open(table.box, table.scenario):
        return refuse("NO-BOAT-1", "this is only possible on the Riverboat, between scenarios")
    return refuse("NO-AMB-69", "this is only possible on the Riverboat, which is not open yet")


def _why_not_heal(table: Table, hero: Hero, _move: Move) -> Refusal:
    if hero.lives == numbers.MOST_LIVES:
        return refuse(
            "NO-CHR-3", f"{spoken(table, hero.name)} already has {numbers.MOST_LIVES} Lives", lives=hero.lives
        )
    return _too_dear(table, hero, "NO-BOAT-3", numbers.DRINK)


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
        return refuse("NO-CHR-6", f"{spoken(table, hero.name)} already has {numbers.MOST_WEAPONS} weapons equipped")
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


class Deed(NamedTuple):
    """A move in a turn on board: what carries it out, what refuses it, and the step to which it belongs; 0 for any."""

    make: Callable[[Table, Hero, Move], None]
    why_not: Callable[[Table, Hero, Move], Refusal]
    step: int = 0


DEEDS: Final[Mapping[str, Deed]] = {
    "equip": Deed(_equip, _why_not_equip),
    "stow": Deed(_stow, _why_not_stow),
    "transfer": Deed(_transfer, _why_not_share),
    "hand": Deed(_hand, _why_not_share),
    "heal": Deed(_heal, _why_not_heal, numbers.BAR),
    "buy": Deed(_buy, _why_not_buy, numbers.GEAR),
    "gamble": Deed(_gamble, _why_not_gamble, numbers.GEAR),
    "sell": Deed(_sell, _why_not_sell, numbers.GEAR),
    "train": Deed(_train, _why_not_train, numbers.TRAINING),
}
"""By the word of a move."""
ABOARD: Final = frozenset({"hand", "onward", *(word for word, deed in DEEDS.items() if deed.step)})
"""Words of moves that are made only on board."""
