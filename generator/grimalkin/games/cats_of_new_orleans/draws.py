"""The poker deck and the party hand: FLIPs, which nothing can change, and DRAWs, which the party may cheat."""

from __future__ import annotations

from grimalkin.engine.law import law
from grimalkin.games.cats_of_new_orleans.agenda import answer, ask, do, task
from grimalkin.games.cats_of_new_orleans.hurt import lose_lives, recover
from grimalkin.games.cats_of_new_orleans.names import spoken
from grimalkin.games.cats_of_new_orleans.numbers import HEADS, MOST_HAND, NOTHING, TAILS
from grimalkin.games.cats_of_new_orleans.space import here
from grimalkin.games.cats_of_new_orleans.table import Table
from grimalkin.games.cats_of_new_orleans.triggers import react


def pick(table: Table, label: str, pool: list[int]) -> int:
    """Draw a piece by chance, and remove it from its pool."""
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
        told = "Black Joker: each hero suffers 1 Wound, and the deck is reshuffled."
        table.tell("NO-DECK-9", told, card=box.ids[card], wounds=1)
        for hero in here(table):
            lose_lives(table, hero, 1, "NO-DECK-9")
    else:
        told = "Red Joker: each hero recovers 1 Life, and the deck is reshuffled."
        table.tell("NO-DECK-10", told, card=box.ids[card], lives=1)
        for hero in here(table):
            recover(table, hero, 1, "NO-DECK-10")


@law("NO-DECK-12", "NO-AMB-14")
def flip(table: Table, rule: str, why: str) -> int:
    """Flip a card, which nothing can change. Discard it; a Joker goes back into the deck."""
    card = take_card(table)
    table.card = card
    table.tell(rule, f"FLIP {why}: {table.box.names[card]}.", card=table.box.ids[card])
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
    table.tell("NO-DECK-11", f"DRAW for {spoken(table, who)}: {table.box.names[card]}.", card=table.box.ids[card])
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
    table.tell(
        "NO-PCH-3",
        f"The party cheats: {table.box.names[card]} replaces {table.box.names[table.card]}.",
        card=move[1],
        instead=table.box.ids[table.card],
    )
    put_away(table, table.card)
    table.hand.remove(card)
    table.card = card
    do(table, "offer_cheat", who, fighting)
    react(table, "party-cheats", who)


@task
def settle(table: Table, who: str, fighting: bool) -> None:
    """Make the card final; only effects of cards drawn for an attack follow."""
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
def ace(table: Table, move: tuple[str, ...], fighting_unused: bool) -> None:
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
        table.tell(rule, f"{table.box.names[card]} is added to the party hand.", card=table.box.ids[card])
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
    table.tell("NO-PCH-1", f"{table.box.names[card]} is discarded from the party hand.", card=move[1])


def is_hero(table: Table, name: str) -> bool:
    return any(hero.name == name for hero in table.heroes)


def toss(table: Table) -> str:
    """Flip the Buck coin."""
    side = table.chance.pick("coin", [HEADS, TAILS])
    table.since.append(("coin:", side))
    table.tell("NO-AMB-6", f"The Buck coin shows {side}.", coin=side)
    return side
