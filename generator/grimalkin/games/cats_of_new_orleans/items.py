"""Loot: draw, carry, equip, drop, hand over, discard and spend it."""

from __future__ import annotations

from grimalkin.engine.law import law
from grimalkin.games.cats_of_new_orleans.agenda import Move, answer, ask, do, task
from grimalkin.games.cats_of_new_orleans.draws import pick
from grimalkin.games.cats_of_new_orleans.names import spoken
from grimalkin.games.cats_of_new_orleans.numbers import INTERLUDE, MOST_WEAPONS, NOTHING
from grimalkin.games.cats_of_new_orleans.space import hero_of
from grimalkin.games.cats_of_new_orleans.table import Hero, Table
from grimalkin.games.cats_of_new_orleans.triggers import react
from grimalkin.games.cats_of_new_orleans.who import Said, bucks_of
from grimalkin.problems.plain import listed, plural

# Cards of a hero


def take_from(hero: Hero, card: int) -> None:
    """Remove a card from a hero, wherever it is on the dashboard."""
    for place in (hero.loot, hero.weapons, hero.skills):
        if card in place:
            place.remove(card)
            return


@law("NO-LOOT-5", "NO-CHR-8", "NO-AMB-79")
def give_to(hero: Hero, card: int) -> None:
    """Put a card into a hero's loot slot, which holds any number."""
    hero.loot = sorted([*hero.loot, card])


@law("NO-CHR-6", "NO-LOOT-7")
def can_equip(table: Table, hero: Hero, card: int) -> bool:
    """Return whether a weapon in the loot slot can be equipped: two at most."""
    return card in table.box.weapons and len(hero.weapons) < MOST_WEAPONS


def equip(table: Table, hero: Hero, card: int) -> None:
    """Move a weapon from the loot slot into a weapon slot."""
    hero.loot.remove(card)
    hero.weapons = sorted([*hero.weapons, card])
    table.tell("NO-LOOT-5", f"{spoken(table, hero.name)} equips {table.box.names[card]}.", card=table.box.ids[card])


def throw_away(table: Table, hero: Hero, card: int) -> None:
    """Discard a card, refreshed and loaded."""
    take_from(hero, card)
    table.exhausted &= ~(1 << card)
    table.depleted &= ~(1 << card)
    if card in table.box.loot:
        table.loot_gone = sorted([*table.loot_gone, card])


@law("NO-AMB-72", "NO-AMB-140")
def pay_bucks(table: Table, hero: Hero, count: int) -> int:
    """Spend or lose bucks, and return how many: fewer if there are not enough.

    On board, the other heroes pay in their order if a hero's own bucks are not enough.
    """
    payers = [hero] if table.phase != INTERLUDE else [hero, *(one for one in table.heroes if one is not hero)]
    paid = 0
    for one in payers:
        paid += _pay_own(table, one, count - paid)
    return paid


@law("NO-AMB-124")
def _pay_own(table: Table, hero: Hero, count: int) -> int:
    """Pay with a hero's own bucks: loose ones first, then cards from the smallest; change comes back as loose bucks."""
    box, left = table.box, min(count, bucks_of(table, hero))
    paid = left
    loose = min(left, hero.bucks)
    hero.bucks -= loose
    left -= loose
    while left:
        card = min((c for c in hero.loot if box.piece(c).get("bucks")), key=lambda c: (box.piece(c)["bucks"], c))
        throw_away(table, hero, card)
        worth = int(box.piece(card)["bucks"])
        hero.bucks += max(0, worth - left)
        left = max(0, left - worth)
    if paid:
        told = f"{spoken(table, hero.name)} pays {plural(paid, 'buck')}."
        table.tell("NO-AMB-72", told, hero=hero.name, bucks=paid)
    return paid


# Drawing


@law("NO-LOOT-2")
def take_loot(table: Table) -> int:
    """Take the next Loot card; NOTHING if none is left."""
    if table.loot_top:
        return table.loot_top.pop(0)
    if table.loot_deck:
        return pick(table, "loot", table.loot_deck)
    return table.loot_under.pop(0) if table.loot_under else NOTHING


@task
@law("NO-ACT-11", "NO-LOOT-4")
def draw_loot(table: Table, name: str, count: int) -> None:
    """Draw Loot cards for a hero, one after the other."""
    hero = hero_of(table, name)
    if not count:
        return
    card = take_loot(table)
    if card == NOTHING:
        table.tell("NO-LOOT-2", "The Loot deck is empty.", cards=0)
        return
    if count > 1:
        do(table, "draw_loot", name, count - 1)
    table.tell("NO-LOOT-2", f"{spoken(table, name)} finds {table.box.names[card]}.", card=table.box.ids[card])
    receive(table, hero, card)
    react(table, "you-draw-loot", name)


@law("NO-LOOT-9", "NO-LOOT-5")
def receive(table: Table, hero: Hero, card: int) -> None:
    """Carry out and discard a drawn event, or give any other card to the hero."""
    if table.box.piece(card)["kind"] == "event":
        table.loot_gone = sorted([*table.loot_gone, card])
        for ability in reversed(table.box.event(card)):
            do(table, "sentences", Said(ability, hero.name, hero.name), ability.body)
        return
    give_to(hero, card)
    if can_equip(table, hero, card):
        id_ = table.box.ids[card]
        ask(table, "keep_loot", [("equip", id_), ("stow", id_)], hero.name)


@answer
def keep_loot(table: Table, move: Move, name: str) -> None:
    """Equip a weapon just found, or keep it in the loot slot."""
    if move[0] == "equip":
        equip(table, hero_of(table, name), table.box.numbers[move[1]])


@task
def draw_and_keep(table: Table, name: str, count: int) -> None:
    """Draw some cards to keep one of, and ask which."""
    found = tuple(sorted(card for _ in range(count) if (card := take_loot(table)) != NOTHING))
    if not found:
        table.tell("NO-LOOT-2", "The Loot deck is empty.", cards=0)
        return
    ids = table.box.ids
    names = listed([table.box.names[card] for card in found])
    table.tell("NO-LOOT-2", f"{spoken(table, name)} draws {names}.", cards=tuple(ids[card] for card in found))
    ask(table, "keep_one", [("choose", ids[card]) for card in dict.fromkeys(found)], name, found)


@answer
def keep_one(table: Table, move: Move, name: str, found: tuple[int, ...]) -> None:
    """Keep one of the drawn cards, and put the others under the deck."""
    card, left = table.box.numbers[move[1]], list(found)
    left.remove(card)
    table.loot_under += left
    table.tell("NO-LOOT-2", f"{spoken(table, name)} keeps {table.box.names[card]}.", card=move[1])
    receive(table, hero_of(table, name), card)
    react(table, "you-draw-loot", name)


# Dropping, picking up, handing over


@law("NO-ACT-12", "NO-AMB-78")
def arranging(table: Table, hero: Hero) -> list[Move]:
    """Return the moves that equip or stow weapons while items are handled."""
    ids = table.box.ids
    moves: list[Move] = [("equip", ids[card]) for card in dict.fromkeys(hero.loot) if can_equip(table, hero, card)]
    return moves + [("stow", ids[card]) for card in hero.weapons]


@task
def handle(table: Table, name: str, mode: str, other: str, count: int) -> None:
    """Ask for the next item to pick up, drop or transfer, until the player is done."""
    hero, ids = hero_of(table, name), table.box.ids
    moves: list[Move] = []
    if mode == "pick-up":
        moves = [("take", ids[card]) for card in dict.fromkeys(table.ground.get(hero.at, ()))]
    elif mode == "drop":
        moves = [("put", ids[card]) for card in sorted({*hero.weapons, *hero.loot})]
    else:
        mate = hero_of(table, other)
        moves = [("give", ids[card]) for card in sorted({*hero.weapons, *hero.loot})]
        moves += [("get", ids[card]) for card in sorted({*mate.weapons, *mate.loot})]
    if mode != "transfer":
        moves += arranging(table, hero)
    if not moves and count:
        return
    if count:
        moves.append(("done",))
    ask(table, "handled", moves, name, mode, other, count)


@answer
@law("NO-ACT-12", "NO-ACT-13", "NO-LOOT-5")
def handled(table: Table, move: Move, name: str, mode: str, other: str, count: int) -> None:
    """Move one item."""
    if move[0] == "done":
        return
    hero, verb, card = hero_of(table, name), move[0], table.box.numbers[move[1]]
    if verb in ("equip", "stow"):
        if verb == "equip":
            equip(table, hero, card)
        else:
            hero.weapons.remove(card)
            give_to(hero, card)
        do(table, "handle", name, mode, other, count)
        return
    if verb == "take":
        table.ground[hero.at].remove(card)
        if not table.ground[hero.at]:
            del table.ground[hero.at]
        give_to(hero, card)
    elif verb == "put":
        take_from(hero, card)
        table.ground[hero.at] = sorted([*table.ground.get(hero.at, ()), card])
    elif verb == "give":
        take_from(hero, card)
        give_to(hero_of(table, other), card)
    else:
        take_from(hero_of(table, other), card)
        give_to(hero, card)
    rule = "NO-ACT-13" if mode == "transfer" else "NO-ACT-12"
    done = {"take": "picks up", "put": "drops", "give": "gives away", "get": "receives"}[verb]
    table.tell(rule, f"{spoken(table, name)} {done} {table.box.names[card]}.", card=move[1])
    do(table, "handle", name, mode, other, count + 1)


@answer
def agree(table: Table, move: Move, name: str, other: str, cost: int) -> None:
    """Begin an exchange that the other player agrees to, or note that it was declined."""
    hero = hero_of(table, name)
    if move[0] == "decline":
        hero.declined = sorted([*hero.declined, hero_of(table, other).card])
        table.tell("NO-ACT-13", f"{spoken(table, other)} declines the exchange.", hero=other)
        return
    begin_transfer(table, hero, other, cost)


def begin_transfer(table: Table, hero: Hero, other: str, cost: int) -> None:
    """Begin an exchange of items on which both agree."""
    hero.ap -= cost
    table.tell("NO-ACT-13", f"{spoken(table, hero.name)} and {spoken(table, other)} exchange items.", hero=other)
    do(table, "handle", hero.name, "transfer", other, 0)
