"""The poker deck, the party hand and Loot.

Nothing can change FLIPs, and the party may cheat DRAWs. Loot is drawn, carried, equipped, dropped, handed over,
discarded and spent.
"""

from __future__ import annotations

from grimalkin.engine.law import law
from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans.clauses import (
    USEFUL,
    Said,
    for_each,
    number,
    verb,
)
from grimalkin.games.cats_of_new_orleans.events import (
    lose_lives,
    react,
    recover,
)
from grimalkin.games.cats_of_new_orleans.figures import (
    bucks_of,
    here,
    hero_of,
    is_hero,
)
from grimalkin.games.cats_of_new_orleans.moves import Move, answer, ask, ask_or_go_on, do, task
from grimalkin.games.cats_of_new_orleans.numbers import HEADS, INTERLUDE, MOST_HAND, MOST_WEAPONS, NOTHING, TAILS
from grimalkin.games.cats_of_new_orleans.table import Hero, Table
from grimalkin.problems.plain import listed, plural


def pick(table: Table, label: str, pool: list[int]) -> int:
    """Draw a piece at random, and remove it from its pool."""
    ids = table.box.ids
    id_ = table.chance.pick(label, [ids[piece] for piece in pool])
    table.since.append((f"{label}:", id_))
    piece = table.box.numbers[id_]
    pool.remove(piece)
    return piece


@law("NO-AMB-38", "NO-GEN-14")
def take_card(table: Table) -> int:
    """Take the next card of the poker deck, first shuffling the discard if the deck is empty."""
    if table.top:
        return table.top.pop(0)
    if not table.deck:
        reshuffle(table)
    return pick(table, "poker", table.deck)


def reshuffle(table: Table) -> None:
    """Shuffle the discard back into the deck, including any cards whose order was known."""
    table.deck = sorted([*table.deck, *table.top, *table.discard])
    table.top, table.discard = [], []


def put_away(table: Table, card: int) -> None:
    """Discard a card. A Joker that has had its effect is already in the deck."""
    if card not in table.deck:
        table.discard = sorted([*table.discard, card])


@law("NO-DECK-8", "NO-DECK-9", "NO-DECK-10", "NO-AMB-39", "NO-AMB-94")
def joker(table: Table, card: int) -> None:
    """Carry out a Joker and shuffle it back with the whole discard. Cards read by an attack stay out."""
    box = table.box
    table.deck.append(card)
    reshuffle(table)
    if box.is_black(card):
        table.tell(
            "NO-DECK-9", "Black Joker: each hero suffers 1 Wound, and the deck is reshuffled.", card=card, wounds=1
        )
        for hero in here(table):
            lose_lives(table, hero, 1, "NO-DECK-9")
    else:
        table.tell(
            "NO-DECK-10", "Red Joker: each hero recovers 1 Life, and the deck is reshuffled.", card=card, lives=1
        )
        for hero in here(table):
            recover(table, hero, 1, "NO-DECK-10")


@law("NO-DECK-12", "NO-AMB-14")
def flip(table: Table, rule: str, why: str) -> int:
    """Flip a card, which nothing can change. Discard it; a Joker goes back into the deck."""
    card = take_card(table)
    table.card = card
    table.tell(rule, "FLIP {}: {card}.", why, card=card)
    if table.box.is_joker(card):
        joker(table, card)
    else:
        put_away(table, card)
    return card


# DRAW


@task
def draw(table: Table, who: str, fighting: bool) -> None:
    """Draw a card for a figure as `table.card`; the party may cheat it."""
    card = take_card(table)
    table.card = card
    table.tell("NO-DECK-11", "DRAW for {}: {card}.", who, card=card)
    do(table, "offer_cheat", who, fighting)


@task
@law("NO-GEN-4", "NO-PCH-3", "NO-AMB-86")
def offer_cheat(table: Table, who: str, fighting: bool) -> None:
    """Ask whether the party cheats, as long as it has cards."""
    if not table.hand:
        do(table, "settle", who, fighting)
        return
    ids = table.box.ids
    ask(table, "cheat", [("keep",), *(("cheat", ids[card]) for card in table.hand)], who, fighting)


@answer
@law("NO-AMB-35", "NO-AMB-97", "NO-AMB-100")
def cheat(table: Table, move: tuple[str, ...], who: str, fighting: bool) -> None:
    """Keep the drawn card, or replace it with one from the party hand, which then counts as drawn in every respect."""
    if move[0] == "keep":
        do(table, "settle", who, fighting)
        return
    card = table.box.numbers[move[1]]
    table.tell("NO-PCH-3", "The party cheats: {card} replaces {instead}.", card=move[1], instead=table.card)
    put_away(table, table.card)
    table.hand.remove(card)
    table.card = card
    do(table, "offer_cheat", who, fighting)
    react(table, "party-cheats", who)


@task
def settle(table: Table, who: str, fighting: bool) -> None:
    """Make the card final; then come reactions to the draw, and the effect of the card itself."""
    do(table, "have_effect", who, fighting)
    if fighting:
        react(table, "you-draw", who, card=table.card)
        react(table, "somebody-draws", who, card=table.card)
    react(table, "you-drew", who, card=table.card)


@task
@law("NO-AMB-37")
def have_effect(table: Table, who: str, fighting: bool) -> None:
    """Carry out an Ace, which may add a card to the party hand, or a Joker. A cancelled card has no effect."""
    card, box = table.card, table.box
    if card == NOTHING:
        return
    if not fighting and not box.is_joker(card):
        put_away(table, card)
    if box.is_joker(card):
        joker(table, card)
    elif box.is_ace(card) and is_hero(table, who) and len(table.hand) < MOST_HAND:
        ask(table, "ace", [("do",), ("pass",)], fighting)


@answer
@law("NO-DECK-4", "NO-PCH-2")
def ace(table: Table, move: tuple[str, ...], _fighting: bool) -> None:
    """Add a card to the party hand, or not."""
    if move[0] == "do":
        add_to_hand(table, 1, "NO-DECK-4")


@law("NO-PCH-1", "NO-AMB-36", "NO-AMB-76", "NO-AMB-133")
def add_to_hand(table: Table, count: int, rule: str) -> None:
    """Add cards to the party hand. Carry out a Joker and draw another card; above 3 cards, ask for discards."""
    for _ in range(count):
        card = take_card(table)
        while table.box.is_joker(card):
            joker(table, card)
            if table.won or table.lost:
                return
            card = take_card(table)
        table.hand = sorted([*table.hand, card])
        table.tell(rule, "{card} is added to the party hand.", card=card)
    if len(table.hand) > MOST_HAND:
        do(table, "discard_down", MOST_HAND)


@task
def discard_down(table: Table, most: int) -> None:
    """Ask which card of the party hand to discard, until few enough are left."""
    if len(table.hand) <= most:
        return
    do(table, "discard_down", most)
    ids = table.box.ids
    ask(table, "discard", [("discard", ids[card]) for card in dict.fromkeys(table.hand)])


@answer
def discard(table: Table, move: tuple[str, ...]) -> None:
    """Discard a card from the party hand."""
    card = table.box.numbers[move[1]]
    table.hand.remove(card)
    put_away(table, card)
    table.tell("NO-PCH-1", "{card} is discarded from the party hand.", card=move[1])


def toss(table: Table) -> str:
    """Flip the Buck coin."""
    side = table.chance.pick("coin", [HEADS, TAILS])
    table.since.append(("coin:", side))
    table.tell("NO-AMB-6", "The Buck coin shows {coin}.", coin=side)
    return side


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
    table.tell("NO-LOOT-5", "{} equips {card}.", hero, card=card)


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
        table.tell("NO-AMB-72", "{hero} pays {}.", plural(paid, "buck"), hero=hero, bucks=paid)
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
    table.tell("NO-LOOT-2", "{} finds {card}.", name, card=card)
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
    """Draw some cards, and ask which one to keep."""
    found = tuple(sorted(card for _ in range(count) if (card := take_loot(table)) != NOTHING))
    if not found:
        table.tell("NO-LOOT-2", "The Loot deck is empty.", cards=0)
        return
    ids = table.box.ids
    names = listed([table.box.names[card] for card in found])
    table.tell("NO-LOOT-2", "{} draws {}.", name, names, cards=tuple(ids[card] for card in found))
    ask(table, "keep_one", [("choose", ids[card]) for card in dict.fromkeys(found)], name, found)


@answer
def keep_one(table: Table, move: Move, name: str, found: tuple[int, ...]) -> None:
    """Keep one of the drawn cards, and put the others under the deck."""
    card, left = table.box.numbers[move[1]], list(found)
    left.remove(card)
    table.loot_under += left
    table.tell("NO-LOOT-2", "{} keeps {card}.", name, card=move[1])
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
    table.tell(rule, "{} {} {card}.", name, done, card=move[1])
    do(table, "handle", name, mode, other, count + 1)


@answer
def agree(table: Table, move: Move, name: str, other: str, cost: int) -> None:
    """Begin an exchange that the other player agrees to, or note that it was declined."""
    hero = hero_of(table, name)
    if move[0] == "decline":
        hero.declined = sorted([*hero.declined, hero_of(table, other).card])
        table.tell("NO-ACT-13", "{hero} declines the exchange.", hero=other)
        return
    begin_transfer(table, hero, other, cost)


def begin_transfer(table: Table, hero: Hero, other: str, cost: int) -> None:
    """Begin an exchange of items on which both agree."""
    hero.ap -= cost
    table.tell("NO-ACT-13", "{} and {hero} exchange items.", hero, hero=other)
    do(table, "handle", hero.name, "transfer", other, 0)


# Verbs about cards and bucks


@verb("party-card")
def party_card(table: Table, said: Said, clause: Phrase) -> None:
    add_to_hand(table, number(clause), said.rule)


@verb("lose-party-card")
def lose_party_card(table: Table, _said: Said, clause: Phrase) -> None:
    do(table, "discard_down", max(0, len(table.hand) - number(clause)))


@verb("look-poker")
def look_poker(table: Table, said: Said, clause: Phrase) -> None:
    """Look at the top cards and put them back in any order."""
    count = min(number(clause), len(table.deck) + len(table.top))
    cards = tuple(take_card(table) for _ in range(count))
    names = listed([table.box.names[card] for card in cards])
    told = f"The top cards, from the top down: {names}." if len(cards) > 1 else f"The top card: {names}."
    table.tell(said.rule, told, cards=tuple(table.box.ids[card] for card in cards))
    do(table, "lay_back", tuple(sorted(cards)), ())


@task
def lay_back(table: Table, left: tuple[int, ...], laid: tuple[int, ...]) -> None:
    """Ask for the next card from the top down."""
    if len(left) < 2:
        table.top = [*laid, *left, *table.top]
        return
    ask(table, "lay", [("choose", table.box.ids[card]) for card in left], left, laid)


@answer
def lay(table: Table, move: Move, left: tuple[int, ...], laid: tuple[int, ...]) -> None:
    """Put this card next from the top."""
    card = table.box.numbers[move[1]]
    do(table, "lay_back", tuple(one for one in left if one != card), (*laid, card))


@verb("look-loot")
def look_loot(table: Table, said: Said, _clause: Phrase) -> None:
    """Look at the top Loot card, to put it back or under the deck."""
    card = take_loot(table)
    if card != NOTHING:
        table.tell(said.rule, "The top card: {card}.", card=card)
        ask(table, "put_back", [("back",), ("under",)], card)


@answer
def put_back(table: Table, move: Move, card: int) -> None:
    """Put the card back on top, or under the deck."""
    if move[0] == "back":
        table.loot_top.insert(0, card)
    else:
        table.loot_under.append(card)


@for_each(Hero, "draw-loot", stacked=True)
def draws_loot(table: Table, _said: Said, clause: Phrase, one: Hero) -> None:
    do(table, "draw_loot", one.name, number(clause))


@verb("draw-loot-keep")
def draw_loot_keep(table: Table, said: Said, clause: Phrase) -> None:
    """Draw several cards to keep one. In the middle of an Investigation this replaces the normal draw."""
    for index in range(len(table.todo) - 1, -1, -1):
        if said.ability.on == "you-investigate" and table.todo[index][0] == "draw_loot":
            del table.todo[index]
            break
    do(table, "draw_and_keep", said.me, number(clause))


@for_each(Hero, "gain-bucks")
def gain_bucks(table: Table, said: Said, clause: Phrase, one: Hero) -> None:
    one.bucks += number(clause)
    table.tell(said.rule, "{hero} gains {}.", plural(number(clause), "buck"), hero=one)


@for_each(Hero, "lose-bucks")
def lose_bucks(table: Table, _said: Said, clause: Phrase, one: Hero) -> None:
    pay_bucks(table, one, number(clause))


@for_each(Hero, "reload")
def reload(table: Table, said: Said, _clause: Phrase, one: Hero) -> None:
    """Remove the Depleted token from a weapon."""
    empty = [card for card in one.weapons if table.depleted >> card & 1]
    ask_or_go_on(table, "load", [("choose", table.box.ids[card]) for card in empty], one.name, said.rule)


@answer
def load(table: Table, move: Move, name: str, rule: str) -> None:
    """Load this weapon, chosen from several."""
    load_weapon(table, hero_of(table, name), table.box.numbers[move[1]], rule)


def load_weapon(table: Table, hero: Hero, card: int, rule: str) -> None:
    table.depleted &= ~(1 << card)
    table.tell(rule, "{} reloads {}.", hero, table.box.arm(card).called, card=card)


@verb("deplete")
def deplete(table: Table, said: Said, _clause: Phrase) -> None:
    table.depleted |= 1 << said.ability.card
    table.tell(said.rule, "{} depletes {}.", said.me, table.box.arm(said.ability.card).called, card=said.ability.card)


@verb("redraw")
def redraw(table: Table, said: Said, _clause: Phrase) -> None:
    """Replace the card just drawn with the next one, which may be cheated too."""
    for index in range(len(table.todo) - 1, -1, -1):
        task_ = table.todo[index]
        if task_[0] == "have_effect":
            del table.todo[index:]
            put_away(table, table.card)
            table.tell(said.rule, "{card} is replaced.", card=table.card)
            table.card = take_card(table)
            table.tell("NO-DECK-11", "{} draws {card} instead.", said.me, card=table.card)
            do(table, "offer_cheat", task_[1], task_[2])
            return


USEFUL.update(
    {
        "reload": lambda t, s, c, one: isinstance(one, Hero) and any(t.depleted >> card & 1 for card in one.weapons),
        "lose-party-card": lambda t, s, c, one: bool(t.hand),
        "lose-bucks": lambda t, s, c, one: isinstance(one, Hero) and bucks_of(t, one) > 0,
        "draw-loot": lambda t, s, c, one: bool(t.loot_deck or t.loot_top or t.loot_under),
        "draw-loot-keep": lambda t, s, c, one: (
            bool(t.loot_deck or t.loot_top or t.loot_under)
            and (s.ability.on != "you-investigate" or any(task_[0] == "draw_loot" for task_ in t.todo))
        ),
        "look-loot": lambda t, s, c, one: bool(t.loot_deck or t.loot_top or t.loot_under),
        "redraw": lambda t, s, c, one: t.card >= 0 and any(task_[0] == "have_effect" for task_ in t.todo),
        "look-poker": lambda t, s, c, one: len(t.deck) + len(t.top) > 1,
    }
)
