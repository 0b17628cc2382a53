"""The verbs of clauses about cards and things: the party hand, both decks, bucks, Depleted tokens, exhausted cards."""

from __future__ import annotations

from collections.abc import Sequence

from grimalkin.engine.law import law
from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans import space
from grimalkin.games.cats_of_new_orleans.agenda import Move, answer, ask, do, task
from grimalkin.games.cats_of_new_orleans.draws import add_to_hand, take_card
from grimalkin.games.cats_of_new_orleans.items import pay_bucks, take_loot, throw_away
from grimalkin.games.cats_of_new_orleans.names import spoken
from grimalkin.games.cats_of_new_orleans.numbers import NOTHING
from grimalkin.games.cats_of_new_orleans.space import Figure
from grimalkin.games.cats_of_new_orleans.table import Hero, Table
from grimalkin.games.cats_of_new_orleans.who import Said, number, verb
from grimalkin.problems.plain import listed, plural

# Cards and things


@verb("party-card")
def party_card(table: Table, said: Said, clause: Phrase, figures_unused: object, until_unused: str) -> None:
    add_to_hand(table, number(clause), said.ability.rule)


@verb("lose-party-card")
def lose_party_card(table: Table, said_unused: Said, clause: Phrase, figures_unused: object, until_unused: str) -> None:
    do(table, "discard_down", max(0, len(table.hand) - number(clause)))


@verb("look-poker")
def look_poker(table: Table, said: Said, clause: Phrase, figures_unused: object, until_unused: str) -> None:
    """Look at the top cards and put them back in any order."""
    count = min(number(clause), len(table.deck) + len(table.top))
    cards = tuple(take_card(table) for _ in range(count))
    names = listed([table.box.names[card] for card in cards])
    told = f"The top cards, from the top down: {names}." if len(cards) > 1 else f"The top card: {names}."
    table.tell(said.ability.rule, told, cards=tuple(table.box.ids[card] for card in cards))
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
def look_loot(table: Table, said: Said, clause_unused: Phrase, figures_unused: object, until_unused: str) -> None:
    """Look at the top Loot card, to put it back or under the deck."""
    card = take_loot(table)
    if card != NOTHING:
        table.tell(said.ability.rule, f"The top card: {table.box.names[card]}.", card=table.box.ids[card])
        ask(table, "put_back", [("back",), ("under",)], card)


@answer
def put_back(table: Table, move: Move, card: int) -> None:
    """Put the card back on top, or under the deck."""
    if move[0] == "back":
        table.loot_top.insert(0, card)
    else:
        table.loot_under.append(card)


@verb("draw-loot")
def draws_loot(table: Table, said_unused: Said, clause: Phrase, figures: Sequence[Figure], until_unused: str) -> None:
    for one in reversed(figures):
        if isinstance(one, Hero):
            do(table, "draw_loot", one.name, number(clause))


@verb("draw-loot-keep")
def draw_loot_keep(table: Table, said: Said, clause: Phrase, figures_unused: object, until_unused: str) -> None:
    """Draw several cards to keep one. In the middle of an Investigation this replaces the normal draw."""
    for index in range(len(table.todo) - 1, -1, -1):
        if said.ability.on == "you-investigate" and table.todo[index][0] == "draw_loot":
            del table.todo[index]
            break
    do(table, "draw_and_keep", said.me, number(clause))


@verb("gain-bucks")
def gain_bucks(table: Table, said: Said, clause: Phrase, figures: Sequence[Figure], until_unused: str) -> None:
    for one in figures:
        if isinstance(one, Hero):
            one.bucks += number(clause)
            told = f"{spoken(table, one.name)} gains {plural(number(clause), 'buck')}."
            table.tell(said.ability.rule, told, hero=one.name)


@verb("lose-bucks")
def lose_bucks(table: Table, said_unused: Said, clause: Phrase, figures: Sequence[Figure], until_unused: str) -> None:
    for one in figures:
        if isinstance(one, Hero):
            pay_bucks(table, one, number(clause))


@verb("reload")
def reload(table: Table, said: Said, clause_unused: Phrase, figures: Sequence[Figure], until_unused: str) -> None:
    """Remove the Depleted token from a weapon."""
    for one in figures:
        if isinstance(one, Hero):
            empty = [card for card in one.weapons if table.depleted >> card & 1]
            if len(empty) > 1:
                ask(table, "load", [("choose", table.box.ids[card]) for card in empty], one.name, said.ability.rule)
            elif empty:
                load_weapon(table, one, empty[0], said.ability.rule)


@answer
def load(table: Table, move: Move, name: str, rule: str) -> None:
    """Load this weapon, chosen from several."""
    load_weapon(table, space.hero_of(table, name), table.box.numbers[move[1]], rule)


def load_weapon(table: Table, hero: Hero, card: int, rule: str) -> None:
    table.depleted &= ~(1 << card)
    told = f"{spoken(table, hero.name)} reloads {table.box.arm(card).called}."
    table.tell(rule, told, card=table.box.ids[card])


@verb("deplete")
def deplete(table: Table, said: Said, clause_unused: Phrase, figures_unused: object, until_unused: str) -> None:
    table.depleted |= 1 << said.ability.card
    told = f"{spoken(table, said.me)} depletes {table.box.arm(said.ability.card).called}."
    table.tell(said.ability.rule, told, card=table.box.ids[said.ability.card])


@verb("refresh-skill")
def refresh_skill(
    table: Table, said: Said, clause_unused: Phrase, figures: Sequence[Figure], until_unused: str
) -> None:
    for one in figures:
        if isinstance(one, Hero):
            tired = [card for card in one.skills if table.exhausted >> card & 1 and card != said.ability.card]
            if len(tired) > 1:
                ask(table, "refresh", [("choose", table.box.ids[card]) for card in tired], said.ability.rule)
            elif tired:
                refresh_card(table, tired[0], said.ability.rule)


@answer
def refresh(table: Table, move: Move, rule: str) -> None:
    """Refresh this skill, chosen from several."""
    refresh_card(table, table.box.numbers[move[1]], rule)


@verb("refresh")
def refresh_this(table: Table, said: Said, clause_unused: Phrase, figures_unused: object, until_unused: str) -> None:
    refresh_card(table, said.ability.card, said.ability.rule)


@law("NO-LOOT-6")
def refresh_card(table: Table, card: int, rule: str) -> None:
    if table.exhausted >> card & 1:
        table.exhausted &= ~(1 << card)
        table.tell(rule, f"{table.box.called(card)}: refreshed.", card=table.box.ids[card])


@verb("discard")
def discard_this(table: Table, said: Said, clause_unused: Phrase, figures_unused: object, until_unused: str) -> None:
    throw_away(table, space.hero_of(table, said.me), said.ability.card)
