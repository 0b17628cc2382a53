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
from grimalkin.games.cats_of_new_orleans.clauses import USEFUL, in_scope, is_new, lasts, number, pick_of, verb
from grimalkin.games.cats_of_new_orleans.events import (
    CANCELLED,
    can_be_stunned,
    eliminate,
    end_last,
    lose_lives,
    recover,
    statics_for,
    stun_vermin,
    wound_vermin,
)
from grimalkin.games.cats_of_new_orleans.figures import (
    Figure,
    Said,
    bucks_of,
    find_figure,
    find_vermin,
    foe_of,
    hero_of,
)
from grimalkin.games.cats_of_new_orleans.moves import Move, answer, ask, do, spoken, task
from grimalkin.games.cats_of_new_orleans.numbers import NOTHING
from grimalkin.games.cats_of_new_orleans.phrases.abilities import STATIC
from grimalkin.games.cats_of_new_orleans.table import Fight, Hero, Table, Vermin
from grimalkin.problems.plain import listed, plural

# Points, Lives, markers


@verb("gain-ap")
def gain_ap(table: Table, said: Said, clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
    for one in figures:
        one.ap += number(clause)
        told = f"{spoken(table, one.name)} gains {number(clause)} AP."
        table.tell(said.ability.rule, told, figure=one.name, ap=number(clause))


@verb("lose-ap")
def lose_ap(table: Table, said: Said, clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
    for one in figures:
        lost = min(one.ap, number(clause))
        one.ap -= lost
        table.tell(said.ability.rule, f"{spoken(table, one.name)} loses {lost} AP.", figure=one.name, ap=lost)


@verb("gain-mp")
def gain_mp(table: Table, said: Said, clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
    for one in figures:
        if isinstance(one, Hero):
            one.mp += number(clause)
            told = f"{spoken(table, one.name)} gains {number(clause)} MP."
            table.tell(said.ability.rule, told, figure=one.name, mp=number(clause))


@verb("recover", "regain")
def recovers(table: Table, said: Said, clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
    for one in figures:
        if isinstance(one, Hero):
            recover(table, one, number(clause), said.ability.rule)
        else:
            heal(table, one, number(clause), said.ability.rule)


def heal(table: Table, vermin: Vermin, count: int, rule: str) -> None:
    """Give Health back to a vermin."""
    gained = min(count, vermin.wounds) if count else vermin.wounds
    vermin.wounds -= gained
    if gained:
        table.tell(rule, f"{spoken(table, vermin.name)} regains {gained} Health.", vermin=vermin.name, health=gained)


@verb("regain-up-to")
def regain_up_to(table: Table, said: Said, clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
    """Give Health, beyond the card's maximum as wounds below zero."""
    for one in figures:
        if isinstance(one, Vermin):
            health = foe_of(table, one).health - one.wounds
            gained = min(number(clause), max(0, int(str(clause["most"])) - health))
            one.wounds -= gained
            table.tell(said.ability.rule, f"{spoken(table, one.name)} gains {gained} Health.", vermin=one.name)


@verb("regain-all")
@law("NO-PWR-15", "NO-AMB-58")
def regain_all(table: Table, said: Said, _clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
    for one in figures:
        if isinstance(one, Vermin):
            heal(table, one, max(0, one.wounds), said.ability.rule)


@verb("lose-lives")
def loses_lives(table: Table, said: Said, clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
    for one in figures:
        if isinstance(one, Hero):
            lose_lives(table, one, number(clause), said.ability.rule)


@verb("suffer", "suffer-unstunned")
@law("NO-AMB-85")
def suffers(table: Table, said: Said, clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
    """Give Wounds without a DRAW: each costs a hero 1 Life."""
    by = said.me
    for one in reversed(figures):
        if isinstance(one, Hero):
            for _ in range(number(clause)):
                do(table, "wound_hero", one.name, 1, by, said.ability.rule)
        else:
            do(table, "wounds_of_card", one.name, number(clause), by)


@task
def wounds_of_card(table: Table, name: str, count: int, by: str) -> None:
    """Wound a vermin through a card."""
    one = find_vermin(table, name)
    if one is not None:
        wound_vermin(table, one, count, _hero_name(table, by))


def _hero_name(table: Table, name: str) -> str:
    """Return a name if it is a hero's, otherwise an empty one."""
    return name if any(hero.name == name for hero in table.heroes) else ""


@verb("stun")
def stun(table: Table, said: Said, _clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
    for one in reversed(figures):
        do(table, "stun_of_card", one.name, said.me, said.ability.rule)


@task
def stun_of_card(table: Table, name: str, by: str, rule: str) -> None:
    """Stun a figure through a card."""
    one = find_figure(table, name)
    if isinstance(one, Hero):
        do(table, "stun_hero", name, by, rule)
    elif one is not None:
        stun_vermin(table, one, _hero_name(table, by))


@verb("unstun")
def unstun(table: Table, said: Said, _clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
    for one in figures:
        if one.stunned:
            one.stunned = False
            told = f"{spoken(table, one.name)} loses its Stun marker."
            table.tell(said.ability.rule, told, figure=one.name)


@verb("mark-vulnerable")
@law("NO-STAT-3")
def mark_vulnerable(table: Table, said: Said, _clause: Phrase, figures: Sequence[Figure], until_u: str) -> None:
    for one in figures:
        one.vulnerable = True
        table.tell(said.ability.rule, f"{spoken(table, one.name)} is now vulnerable.", figure=one.name)


@verb("take-vulnerable")
def take_vulnerable(table: Table, said: Said, _clause: Phrase, _figures: object, _until: str) -> None:
    me = hero_of(table, said.me)
    if me.on_map:
        me.vulnerable = True
        table.tell(said.ability.rule, f"{spoken(table, me.name)} is now vulnerable.", figure=me.name)


@verb("drop-vulnerable")
def drop_vulnerable(table: Table, said: Said, _clause: Phrase, _figures: object, _until: str) -> None:
    unmark(table, said, hero_of(table, said.me))


@verb("unmark-vulnerable")
def unmark_vulnerable(table: Table, said: Said, _clause: Phrase, figures: Sequence[Figure], until_u: str) -> None:
    for one in figures:
        unmark(table, said, one)


def unmark(table: Table, said: Said, one: Figure) -> None:
    if one.vulnerable:
        one.vulnerable = False
        table.tell(said.ability.rule, f"{spoken(table, one.name)} is no longer vulnerable.", figure=one.name)


@verb("eliminate", "is-eliminated")
@law("NO-PWR-19", "NO-VERM-8")
def eliminates(table: Table, said: Said, _clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
    for one in list(figures):
        if isinstance(one, Vermin) and one in table.vermin:
            eliminate(table, one, "", said.ability.rule)


@verb("end-activation")
def end_activation(table: Table, said: Said, _clause: Phrase, _figures: object, _until: str) -> None:
    if table.active == said.me:
        end_last(table, said.me)


# Attacks


@verb(*sorted(STATIC))
@law("NO-AMB-108")
def so_it_is(table: Table, said: Said, clause: Phrase, figures: Sequence[Figure], until: str) -> None:
    """Apply a static for a time: for the attack under way, or until the activation, the round or the turn is over."""
    fight = table.fights[-1] if table.fights else None
    if clause.name == "no-attack":
        for one in figures:
            if isinstance(one, Vermin):
                one.quiet = True
        return
    about_fight = until == "attack" or (not until and said.ability.on in FIGHTING)
    if fight is not None and about_fight and clause.name in CHANGED and _is_of_attacker(fight, clause, figures):
        at = find_figure(table, fight.at)
        if in_scope(table, said, clause, fight.arm, at):
            table.fights[-1] = CHANGED[clause.name](fight, clause)
            if clause.name == "more-cards":
                told = plural(number(clause), "more draw")
            else:
                told = TOLD_OF_FIGHT.get(clause.name) or f"{number(clause):+d} on each draw".replace("-", "−")
            table.tell(
                said.ability.rule, f"{said.ability.name}, {spoken(table, fight.by)}'s attack: {told}.", by=said.me
            )
        return
    if said.ability.card >= 0 and is_new(table, said, until):
        table.lasting = sorted([*table.lasting, lasts(table, said, until)])
        table.tell(said.ability.rule, f"{said.ability.name}: in effect {UNTIL[until]}.", by=said.me)


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


FIGHTING: Final = frozenset({"you-attack", "attacks", "attacks-whom", "you-draw", "somebody-draws", "you-are-attacked"})
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
def redraw(table: Table, said: Said, _clause: Phrase, _figures: object, _until: str) -> None:
    """Replace the card just drawn with the next one, which may be cheated too."""
    for index in range(len(table.todo) - 1, -1, -1):
        task_ = table.todo[index]
        if task_[0] == "have_effect":
            del table.todo[index:]
            put_away(table, table.card)
            table.tell(said.ability.rule, f"{table.box.names[table.card]} is replaced.", card=table.box.ids[table.card])
            table.card = take_card(table)
            told = f"{spoken(table, said.me)} draws {table.box.names[table.card]} instead."
            table.tell("NO-DECK-11", told, card=table.box.ids[table.card])
            do(table, "offer_cheat", task_[1], task_[2])
            return


@verb("cancel")
@law("NO-PWR-8", "NO-AMB-59")
def cancel(table: Table, said: Said, clause: Phrase, _figures: object, _until: str) -> None:
    """Cancel a Stun, a Wound, both of an attack, or a drawn card."""
    what = clause["what"]
    assert isinstance(what, Phrase)
    if what.name == "both":
        table.fights[-1] = table.fights[-1]._replace(stuns=False, wounds=0)
        table.tell(
            said.ability.rule, f"{said.ability.name}: all Stuns and Wounds of this attack are cancelled.", by=said.me
        )
    elif what.name == "card":
        table.tell(said.ability.rule, f"{table.box.names[table.card]} is cancelled.", card=table.box.ids[table.card])
        put_away(table, table.card)
        table.card = NOTHING
    else:
        table.stayed = CANCELLED
        table.tell(said.ability.rule, f"{said.ability.name}: the {what.name.capitalize()} is cancelled.", by=said.me)


@verb("take-for")
def take_for(table: Table, said: Said, _clause: Phrase, _figures: object, _until: str) -> None:
    table.stayed = said.me
    table.tell(said.ability.rule, f"{spoken(table, said.me)} suffers the Wound instead.", by=said.me)


@verb("attack-back")
@law("NO-PWR-6", "NO-AMB-61", "NO-AMB-90")
def attack_back(table: Table, said: Said, clause: Phrase, _figures: object, _until: str) -> None:
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
def party_card(table: Table, said: Said, clause: Phrase, _figures: object, _until: str) -> None:
    add_to_hand(table, number(clause), said.ability.rule)


@verb("lose-party-card")
def lose_party_card(table: Table, _said: Said, clause: Phrase, _figures: object, _until: str) -> None:
    do(table, "discard_down", max(0, len(table.hand) - number(clause)))


@verb("look-poker")
def look_poker(table: Table, said: Said, clause: Phrase, _figures: object, _until: str) -> None:
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
def look_loot(table: Table, said: Said, _clause: Phrase, _figures: object, _until: str) -> None:
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
def draws_loot(table: Table, _said: Said, clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
    for one in reversed(figures):
        if isinstance(one, Hero):
            do(table, "draw_loot", one.name, number(clause))


@verb("draw-loot-keep")
def draw_loot_keep(table: Table, said: Said, clause: Phrase, _figures: object, _until: str) -> None:
    """Draw several cards to keep one. In the middle of an Investigation this replaces the normal draw."""
    for index in range(len(table.todo) - 1, -1, -1):
        if said.ability.on == "you-investigate" and table.todo[index][0] == "draw_loot":
            del table.todo[index]
            break
    do(table, "draw_and_keep", said.me, number(clause))


@verb("gain-bucks")
def gain_bucks(table: Table, said: Said, clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
    for one in figures:
        if isinstance(one, Hero):
            one.bucks += number(clause)
            told = f"{spoken(table, one.name)} gains {plural(number(clause), 'buck')}."
            table.tell(said.ability.rule, told, hero=one.name)


@verb("lose-bucks")
def lose_bucks(table: Table, _said: Said, clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
    for one in figures:
        if isinstance(one, Hero):
            pay_bucks(table, one, number(clause))


@verb("reload")
def reload(table: Table, said: Said, _clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
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
    load_weapon(table, hero_of(table, name), table.box.numbers[move[1]], rule)


def load_weapon(table: Table, hero: Hero, card: int, rule: str) -> None:
    table.depleted &= ~(1 << card)
    told = f"{spoken(table, hero.name)} reloads {table.box.arm(card).called}."
    table.tell(rule, told, card=table.box.ids[card])


@verb("deplete")
def deplete(table: Table, said: Said, _clause: Phrase, _figures: object, _until: str) -> None:
    table.depleted |= 1 << said.ability.card
    told = f"{spoken(table, said.me)} depletes {table.box.arm(said.ability.card).called}."
    table.tell(said.ability.rule, told, card=table.box.ids[said.ability.card])


@verb("refresh-skill")
def refresh_skill(table: Table, said: Said, _clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
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
def refresh_this(table: Table, said: Said, _clause: Phrase, _figures: object, _until: str) -> None:
    refresh_card(table, said.ability.card, said.ability.rule)


@law("NO-LOOT-6")
def refresh_card(table: Table, card: int, rule: str) -> None:
    if table.exhausted >> card & 1:
        table.exhausted &= ~(1 << card)
        table.tell(rule, f"{table.box.called(card)}: refreshed.", card=table.box.ids[card])


@verb("discard")
def discard_this(table: Table, said: Said, _clause: Phrase, _figures: object, _until: str) -> None:
    throw_away(table, hero_of(table, said.me), said.ability.card)
