"""The verbs of clauses about figures, attacks and cards: the party hand, both decks, bucks, Depleted tokens.

Cards have no code of their own, only these clauses. The verbs of powers and scenarios are in `scenario`, moves in
`moving`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from grimalkin.engine.law import law
from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans.cards import add_to_hand, pay_bucks, put_away, take_card, take_loot, throw_away
from grimalkin.games.cats_of_new_orleans.clauses import (
    USEFUL,
    VERBS,
    Said,
    for_each,
    in_scope,
    is_new,
    lasts,
    number,
    pick_of,
    statics_for,
    verb,
)
from grimalkin.games.cats_of_new_orleans.events import (
    CANCELLED,
    can_be_stunned,
    eliminate,
    end_last,
    lose_lives,
    recover,
    stun_vermin,
    wound_vermin,
)
from grimalkin.games.cats_of_new_orleans.figures import Figure, bucks_of, find_figure, find_vermin, foe_of, hero_of
from grimalkin.games.cats_of_new_orleans.moves import Move, answer, ask, do, task
from grimalkin.games.cats_of_new_orleans.numbers import NOTHING
from grimalkin.games.cats_of_new_orleans.phrases.abilities import DURING, STATIC
from grimalkin.games.cats_of_new_orleans.table import Fight, Hero, Table, Vermin
from grimalkin.problems.plain import listed, plural

# Points, Lives, markers


@for_each(Figure, "gain-ap")
def gain_ap(table: Table, said: Said, clause: Phrase, one: Figure) -> None:
    one.ap += number(clause)
    table.tell(said.rule, "{figure} gains {ap} AP.", figure=one, ap=number(clause))


@for_each(Figure, "lose-ap")
def lose_ap(table: Table, said: Said, clause: Phrase, one: Figure) -> None:
    lost = min(one.ap, number(clause))
    one.ap -= lost
    table.tell(said.rule, "{figure} loses {ap} AP.", figure=one, ap=lost)


@for_each(Hero, "gain-mp")
def gain_mp(table: Table, said: Said, clause: Phrase, one: Hero) -> None:
    one.mp += number(clause)
    table.tell(said.rule, "{figure} gains {mp} MP.", figure=one, mp=number(clause))


@for_each(Figure, "recover", "regain")
def recovers(table: Table, said: Said, clause: Phrase, one: Figure) -> None:
    if isinstance(one, Hero):
        recover(table, one, number(clause), said.rule)
    else:
        heal(table, one, number(clause), said.rule)


def heal(table: Table, vermin: Vermin, count: int, rule: str) -> None:
    """Give Health back to a vermin."""
    gained = min(count, vermin.wounds) if count else vermin.wounds
    vermin.wounds -= gained
    if gained:
        table.tell(rule, "{vermin} regains {health} Health.", vermin=vermin, health=gained)


@for_each(Vermin, "regain-up-to")
def regain_up_to(table: Table, said: Said, clause: Phrase, one: Vermin) -> None:
    """Give Health, beyond the card's maximum as wounds below zero."""
    health = foe_of(table, one).health - one.wounds
    gained = min(number(clause), max(0, int(str(clause["most"])) - health))
    one.wounds -= gained
    table.tell(said.rule, "{vermin} gains {} Health.", gained, vermin=one)


@for_each(Vermin, "regain-all")
@law("NO-PWR-15", "NO-AMB-58")
def regain_all(table: Table, said: Said, _clause: Phrase, one: Vermin) -> None:
    heal(table, one, max(0, one.wounds), said.rule)


@for_each(Hero, "lose-lives")
def loses_lives(table: Table, said: Said, clause: Phrase, one: Hero) -> None:
    lose_lives(table, one, number(clause), said.rule)


@for_each(Figure, "suffer", "suffer-unstunned", stacked=True)
@law("NO-AMB-85")
def suffers(table: Table, said: Said, clause: Phrase, one: Figure) -> None:
    """Give Wounds without a DRAW: each costs a hero 1 Life."""
    if isinstance(one, Hero):
        for _ in range(number(clause)):
            do(table, "wound_hero", one.name, 1, said.me, said.rule)
    else:
        do(table, "wounds_of_card", one.name, number(clause), said.me)


@task
def wounds_of_card(table: Table, name: str, count: int, by: str) -> None:
    """Wound a vermin through a card."""
    one = find_vermin(table, name)
    if one is not None:
        wound_vermin(table, one, count, _hero_name(table, by))


def _hero_name(table: Table, name: str) -> str:
    """Return a name if it is a hero's, otherwise an empty one."""
    return name if any(hero.name == name for hero in table.heroes) else ""


@for_each(Figure, "stun", stacked=True)
def stun(table: Table, said: Said, _clause: Phrase, one: Figure) -> None:
    do(table, "stun_of_card", one.name, said.me, said.rule)


@task
def stun_of_card(table: Table, name: str, by: str, rule: str) -> None:
    """Stun a figure through a card."""
    one = find_figure(table, name)
    if isinstance(one, Hero):
        do(table, "stun_hero", name, by, rule)
    elif one is not None:
        stun_vermin(table, one, _hero_name(table, by))


@for_each(Figure, "unstun")
def unstun(table: Table, said: Said, _clause: Phrase, one: Figure) -> None:
    if one.stunned:
        one.stunned = False
        table.tell(said.rule, "{figure} loses its Stun marker.", figure=one)


@for_each(Figure, "mark-vulnerable")
@law("NO-STAT-3")
def mark_vulnerable(table: Table, said: Said, _clause: Phrase, one: Figure) -> None:
    one.vulnerable = True
    table.tell(said.rule, "{figure} is now vulnerable.", figure=one)


@verb("take-vulnerable")
def take_vulnerable(table: Table, said: Said, _clause: Phrase) -> None:
    me = hero_of(table, said.me)
    if me.on_map:
        me.vulnerable = True
        table.tell(said.rule, "{figure} is now vulnerable.", figure=me)


@verb("drop-vulnerable")
def drop_vulnerable(table: Table, said: Said, _clause: Phrase) -> None:
    unmark(table, said, hero_of(table, said.me))


@for_each(Figure, "unmark-vulnerable")
def unmark_vulnerable(table: Table, said: Said, _clause: Phrase, one: Figure) -> None:
    unmark(table, said, one)


def unmark(table: Table, said: Said, one: Figure) -> None:
    if one.vulnerable:
        one.vulnerable = False
        table.tell(said.rule, "{figure} is no longer vulnerable.", figure=one)


@for_each(Vermin, "eliminate", "is-eliminated")
@law("NO-PWR-19", "NO-VERM-8")
def eliminates(table: Table, said: Said, _clause: Phrase, one: Vermin) -> None:
    if one in table.vermin:
        eliminate(table, one, "", said.rule)


@verb("end-activation")
def end_activation(table: Table, said: Said, _clause: Phrase) -> None:
    if table.active == said.me:
        end_last(table, said.me)


# Attacks


@law("NO-AMB-108")
def so_it_is(table: Table, said: Said, clause: Phrase, figures: Sequence[Figure], until: str) -> None:
    """Apply a static for a time: for the attack under way, or until the activation, the round or the turn is over."""
    fight = table.fights[-1] if table.fights else None
    if clause.name == "no-attack":
        for one in figures:
            if isinstance(one, Vermin):
                one.quiet = True
        return
    about_fight = until == "attack" or (not until and said.ability.on in DURING)
    if fight is not None and about_fight and clause.name in CHANGED and _is_of_attacker(fight, clause, figures):
        at = find_figure(table, fight.at)
        if in_scope(table, said, clause, fight.arm, at):
            table.fights[-1] = CHANGED[clause.name](fight, clause)
            if clause.name == "more-cards":
                told = plural(number(clause), "more draw")
            else:
                told = TOLD_OF_FIGHT.get(clause.name) or f"{number(clause):+d} on each draw".replace("-", "−")
            table.tell(said.rule, "{}, {}'s attack: {}.", said.name, fight.by, told, by=said.me)
        return
    if said.ability.card >= 0 and is_new(table, said, until):
        table.lasting = sorted([*table.lasting, lasts(table, said, until)])
        table.tell(said.rule, "{}: in effect {}.", said.name, UNTIL[until], by=said.me)


VERBS.update(dict.fromkeys(STATIC, so_it_is))


def _is_of_attacker(fight: Fight, clause: Phrase, figures: Sequence[Figure]) -> bool:
    """Return whether a clause about an attack is about the attacker."""
    return pick_of(clause) is None or any(one.name == fight.by for one in figures)


UNTIL: Final = {
    "": "for the rest of this activation",
    "activation": "for the rest of this activation",
    "round": "for the rest of this round",
    "next-hero-turn": "until the next hero turn",
    "scenario": "for the rest of the scenario",
    "attack": "for this attack",
}
"""How long something lasts, by the name of the duration; without one, until the activation ends."""
TOLD_OF_FIGHT: Final = {
    "better-of-two": "two cards for each draw, and the higher counts",
    "worse-of-two": "two cards for each draw, and the lower counts",
    "no-hindering": "nothing hinders it",
    "wound-too": "a Stun is also a Wound",
}


CHANGED: Final[Mapping[str, Callable[[Fight, Phrase], Fight]]] = {
    "draws": lambda fight, clause: fight._replace(extra=fight.extra + number(clause), drm=fight.drm + number(clause)),
    "more-cards": lambda fight, clause: fight._replace(
        more=fight.more + number(clause), need=fight.need + number(clause)
    ),
    "better-of-two": lambda fight, _clause: fight._replace(better=1),
    "worse-of-two": lambda fight, _clause: fight._replace(better=-1),
    "no-hindering": lambda fight, _clause: fight._replace(unhindered=True),
    "wound-too": lambda fight, _clause: fight._replace(wound_too=True),
}
"""How a clause changes an attack under way: before its first draw, or from the next on."""


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


@verb("cancel")
@law("NO-PWR-8", "NO-AMB-59")
def cancel(table: Table, said: Said, clause: Phrase) -> None:
    """Cancel a Stun, a Wound, both of an attack, or a drawn card."""
    what = clause["what"]
    assert isinstance(what, Phrase)
    if what.name == "both":
        table.fights[-1] = table.fights[-1]._replace(stuns=False, wounds=0)
        table.tell(said.rule, "{}: all Stuns and Wounds of this attack are cancelled.", said.name, by=said.me)
    elif what.name == "card":
        table.tell(said.rule, "{card} is cancelled.", card=table.card)
        put_away(table, table.card)
        table.card = NOTHING
    else:
        table.stayed = CANCELLED
        table.tell(said.rule, "{}: the {} is cancelled.", said.name, what.name.capitalize(), by=said.me)


@verb("take-for")
def take_for(table: Table, said: Said, _clause: Phrase) -> None:
    table.stayed = said.me
    table.tell(said.rule, "{by} suffers the Wound instead.", by=said.me)


@verb("attack-back")
@law("NO-PWR-6", "NO-AMB-61", "NO-AMB-90")
def attack_back(table: Table, said: Said, clause: Phrase) -> None:
    """Let a vermin that survived attack its attacker without AP, if it has an attack that fits."""
    do(table, "strike", said.me, said.that if said.that != said.me else said.other)


# Usefulness


USEFUL.update(
    {
        "stun": lambda t, s, c, one: (
            (isinstance(one, Hero) and not one.stunned and not statics_for(t, "cannot-be-stunned", one))
            or (isinstance(one, Vermin) and (not one.up or can_be_stunned(t, one)))
        ),
        "unstun": lambda t, s, c, one: one is not None and one.stunned,
        "recover": lambda t, s, c, one: isinstance(one, Hero) and one.lives < 9,
        "reveal": lambda t, s, c, one: isinstance(one, Vermin) and not one.up,
        "reload": lambda t, s, c, one: isinstance(one, Hero) and any(t.depleted >> card & 1 for card in one.weapons),
        "refresh-skill": lambda t, s, c, one: (
            isinstance(one, Hero) and any(t.exhausted >> card & 1 for card in one.skills if card != s.ability.card)
        ),
        "mark-vulnerable": lambda t, s, c, one: one is not None and not one.vulnerable,
        "unmark-vulnerable": lambda t, s, c, one: one is not None and one.vulnerable,
        "drop-vulnerable": lambda t, s, c, one: hero_of(t, s.me).vulnerable,
        "regain": lambda t, s, c, one: isinstance(one, Vermin) and one.wounds > 0,
        "initiative-heroes": lambda t, s, c, one: t.initiative != 1,
        "initiative-vermin": lambda t, s, c, one: t.initiative != 2,
        "lose-party-card": lambda t, s, c, one: bool(t.hand),
        "lose-bucks": lambda t, s, c, one: isinstance(one, Hero) and bucks_of(t, one) > 0,
        "draw-loot": lambda t, s, c, one: bool(t.loot_deck or t.loot_top or t.loot_under),
        "draw-loot-keep": lambda t, s, c, one: (
            bool(t.loot_deck or t.loot_top or t.loot_under)
            and (s.ability.on != "you-investigate" or any(task_[0] == "draw_loot" for task_ in t.todo))
        ),
        "look-loot": lambda t, s, c, one: bool(t.loot_deck or t.loot_top or t.loot_under),
        "look-poker": lambda t, s, c, one: len(t.deck) + len(t.top) > 1,
        "redraw": lambda t, s, c, one: t.card >= 0 and any(task_[0] == "have_effect" for task_ in t.todo),
        "cancel": lambda t, s, c, one: not t.stayed,
    }
)


# Cards and things


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
    if len(empty) > 1:
        ask(table, "load", [("choose", table.box.ids[card]) for card in empty], one.name, said.rule)
    elif empty:
        load_weapon(table, one, empty[0], said.rule)


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


@for_each(Hero, "refresh-skill")
def refresh_skill(table: Table, said: Said, _clause: Phrase, one: Hero) -> None:
    tired = [card for card in one.skills if table.exhausted >> card & 1 and card != said.ability.card]
    if len(tired) > 1:
        ask(table, "refresh", [("choose", table.box.ids[card]) for card in tired], said.rule)
    elif tired:
        refresh_card(table, tired[0], said.rule)


@answer
def refresh(table: Table, move: Move, rule: str) -> None:
    """Refresh this skill, chosen from several."""
    refresh_card(table, table.box.numbers[move[1]], rule)


@verb("refresh")
def refresh_this(table: Table, said: Said, _clause: Phrase) -> None:
    refresh_card(table, said.ability.card, said.rule)


@law("NO-LOOT-6")
def refresh_card(table: Table, card: int, rule: str) -> None:
    if table.exhausted >> card & 1:
        table.exhausted &= ~(1 << card)
        table.tell(rule, "{}: refreshed.", table.box.called(card), card=card)


@verb("discard")
def discard_this(table: Table, said: Said, _clause: Phrase) -> None:
    throw_away(table, hero_of(table, said.me), said.ability.card)
