"""Effects of cards, powers and special rules: who may use them, their costs, and their sentences one by one.

`react` in `events` finds the abilities; here they are carried out, by the verbs of their clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from grimalkin.engine.law import law
from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans.cards import flip, pay_bucks, throw_away, toss
from grimalkin.games.cats_of_new_orleans.clauses import (
    ONE_OF,
    USEFUL,
    VERBS,
    Said,
    can_do,
    candidates,
    counts,
    for_each,
    holds,
    is_card,
    is_new,
    one_of,
    phrases,
    pick_of,
    verb,
)
from grimalkin.games.cats_of_new_orleans.events import lose_lives, reveal
from grimalkin.games.cats_of_new_orleans.figures import (
    Figure,
    find_figure,
    hero_of,
    purse_of,
)
from grimalkin.games.cats_of_new_orleans.moves import Move, answer, ask, ask_or_go_on, do, task
from grimalkin.games.cats_of_new_orleans.numbers import HEROES, INTERLUDE, NOTHING, OUT
from grimalkin.games.cats_of_new_orleans.phrases.abilities import ABOARD, Ability, a_phrase
from grimalkin.games.cats_of_new_orleans.table import Hero, Table, Vermin

# Permission


@law("NO-LOOT-6", "NO-SKILL-4", "NO-AMB-95", "NO-AMB-114")
def is_usable(table: Table, said: Said) -> bool:
    """Return whether an ability can be used now: not used up, not exhausted, affordable, and of some use."""
    ability = said.ability
    me, cost = find_figure(table, said.me), ability.cost
    if is_out(me) or (ability.on in BEFORE_ANYTHING and ability.card >= 0 and me is not None and me.stunned):
        return False
    if not counts(table, ability) and (cost is None or cost.name != "discard"):
        return False
    return within_limits(table, said) and (cost is None or can_pay(table, said, cost)) and has_use(table, said)


@law("NO-AMB-40", "NO-AMB-102")
def is_out(me: Figure | None) -> bool:
    """Return whether this is a hero who is out: its cards no longer count."""
    return isinstance(me, Hero) and me.place == OUT


BEFORE_ANYTHING: Final = frozenset({"", "activation-starts"})
"""Triggers for which a stunned hero cannot use a card, as it must first remove its Stun marker (NO-ACT-14). It may
react to others."""


@law("NO-SCN-5", "NO-AOE-2")
def within_limits(table: Table, said: Said) -> bool:
    """Return whether the limits of an ability allow another use."""
    ability = said.ability
    me = find_figure(table, said.me)
    bit = 1 << ability.card if ability.card >= 0 else 0
    for limit in ability.limits:
        if limit == "not-stunned" and me is not None and me.stunned:
            return False
        if limit == "not-areas" and table.fights and table.fights[-1].area >= 0:
            return False
        if limit == "not-bosses" and said.fallen is not None and said.fallen.boss:
            return False
        if limit == "not-zombies" and said.fallen is not None and said.fallen.zombie:
            return False
        if isinstance(me, Hero) and limit in LIMITED and getattr(me, LIMITED[limit]) & bit:
            return False
        if limit == "scenario" and ability.clause >= 0 and ability.clause in table.used_up:
            return False
    return True


LIMITED: Final = {"activation": "used", "round": "used_in_round", "scenario": "used_in_scenario"}
"""By limit, the field that records that a card is used up."""


def use_up(table: Table, said: Said) -> None:
    """Note the use of an ability with a limit."""
    ability = said.ability
    me = find_figure(table, said.me)
    for limit in ability.limits:
        if isinstance(me, Hero) and ability.card >= 0 and limit in LIMITED:
            setattr(me, LIMITED[limit], getattr(me, LIMITED[limit]) | 1 << ability.card)
        if limit == "scenario" and ability.clause >= 0 and ability.clause not in table.used_up:
            table.used_up = sorted([*table.used_up, ability.clause])


def has_use(table: Table, said: Said) -> bool:
    """Return whether any effect of an ability is possible."""
    return any(is_of_use(table, said, sentence) for sentence in said.ability.body)


def is_of_use(table: Table, said: Said, sentence: Phrase) -> bool:
    """Return whether any effect of a sentence is possible."""
    if sentence.name == "if" and not holds(table, said, a_phrase(sentence["condition"])):
        return False
    if sentence.name == "pays":
        return bool(payers(table, said, sentence))
    if sentence.name not in ("do", "may", "for-a-time", "if"):
        return True
    is_timed = sentence.name == "for-a-time" and said.ability.card >= 0
    if is_timed and not is_new(table, said, a_phrase(sentence["duration"]).name):
        return False
    left, chosen = clauses_of(sentence), False
    for index, clause in enumerate(left):
        figure = pick_of(clause)
        if figure is not None and figure.name in ONE_OF:
            if choosable(table, said, left[index:]):
                return True
            chosen = True
        elif not (chosen and refers_back(clause)) and can_do(table, said, clause):
            return True
    return False


def refers_back(clause: Phrase) -> bool:
    """Return whether a clause is about the figure mentioned by another."""
    figure = pick_of(clause)
    return figure is not None and figure.name in BACK


BACK: Final = frozenset({"it", "that-hero", "that-vermin"})


def choosable(table: Table, said: Said, left: tuple[Phrase, ...]) -> list[Figure]:
    """Return the figures meant by the first clause on whom it, or a later clause about the same figure, has an
    effect."""
    figure = pick_of(left[0])
    assert figure is not None
    more = [clause for clause in left[1:] if refers_back(clause)]
    return [
        one
        for one in candidates(table, said, figure)
        if can_do(table, said, left[0], one)
        or any(can_do(table, said._replace(that=one.name), clause, one) for clause in more)
    ]


# Costs


AVAILABLE: Final[Mapping[str, Callable[[Table, Hero], int]]] = {
    "spend-ap": lambda table, me: me.ap if table.active == me.name else NOTHING,
    "spend-mp": lambda table, me: me.mp if table.active == me.name else NOTHING,
    "spend-bucks": purse_of,
    "lose-lives": lambda _table, me: me.lives - 1,
    "party-card": lambda table, _me: len(table.hand),
    "stash": lambda table, me: sum(card in table.box.stashes for card in me.loot) - 1,
}
"""By the name of a cost, the most of it that a hero can pay."""


def price_of(cost: Phrase) -> tuple[str, int, bool]:
    """Return what something costs, how much of it, and whether the card is exhausted too."""
    name = cost.name.removesuffix("-exhaust")
    return name, int(str(dict(cost.parts).get("n", 0))), cost.name.endswith("exhaust")


def can_pay(table: Table, said: Said, cost: Phrase) -> bool:
    """Return whether the owner of an ability can pay for it."""
    me = find_figure(table, said.me)
    name, n, exhausts = price_of(cost)
    if isinstance(me, Vermin):
        return cost.name != "spend-ap" or me.ap >= n
    if me is None or (exhausts and table.exhausted >> said.ability.card & 1):
        return False
    return name not in AVAILABLE or AVAILABLE[name](table, me) >= n


@law("NO-LOOT-6", "NO-SKILL-4")
def pay(table: Table, said: Said, cost: Phrase) -> None:
    """Pay for an ability."""
    me = find_figure(table, said.me)
    name, n, exhausts = price_of(cost)
    card = said.ability.card
    if isinstance(me, Vermin):
        me.ap -= n
        return
    assert me is not None
    if exhausts:
        table.exhausted |= 1 << card
        table.tell(said.rule, "{} exhausts {}.", me, said.name, card=card)
    if name == "spend-ap":
        me.ap -= n
    elif name == "spend-mp":
        me.mp -= n
    elif name == "spend-bucks":
        pay_bucks(table, me, n)
    elif name == "lose-lives":
        lose_lives(table, me, n, said.rule)
    elif name == "party-card":
        do(table, "discard_down", len(table.hand) - n)
    elif name == "stash":
        throw_away(table, me, next(card for card in me.loot if card in table.box.stashes))
    elif name == "discard":
        table.tell(said.rule, "{} discards {}.", me, said.name, card=card)
        throw_away(table, me, card)


# Sentences


@task
def offer(table: Table, offered: tuple[Said, ...], on: str) -> None:
    """Ask whether to use one of these abilities; after one is used, ask about the others again."""
    if table.stayed:  # it has already been prevented
        return
    usable = [said for said in offered if is_usable(table, said)]
    if not usable:
        return
    moves = dict.fromkeys(use_move(table, said) for said in usable)
    ask(table, "use", [*moves, ("pass",)], offered, on)


def use_move(table: Table, said: Said) -> tuple[str, ...]:
    """Return the move that uses a card."""
    ability = said.ability
    if ability.card >= 0:
        return ("use", table.box.ids[ability.card])
    return ("use", ability.name.lower().replace(" ", "-"))


@answer
def use(table: Table, move: tuple[str, ...], offered: tuple[Said, ...], on: str) -> None:
    """Use a card, or pass."""
    if move[0] == "pass":
        return
    for said in offered:
        if use_move(table, said) == move and is_usable(table, said):
            rest = tuple(other for other in offered if other is not said)
            if rest:
                do(table, "offer", rest, on)
            note_use(table, said)
            do(table, "perform", said)
            return


def note_use(table: Table, said: Said) -> None:
    """Count a card used by a hero in its activation."""
    if table.active == said.me and said.ability.card >= 0:
        hero_of(table, said.me).uses += 1


@task
def perform(table: Table, said: Said) -> None:
    """Pay for an ability and carry it out, if its limits allow it."""
    ability = said.ability
    if is_out(find_figure(table, said.me)):
        return
    if not within_limits(table, said) or not (counts(table, ability) or ability.cost is not None):
        return
    if ability.cost is not None and not can_pay(table, said, ability.cost):
        return
    if not has_use(table, said):
        return
    use_up(table, said)
    do(table, "sentences", said, ability.body)
    if ability.cost is not None:
        pay(table, said, ability.cost)


@task
def sentences(table: Table, said: Said, body: tuple[Phrase, ...]) -> None:
    """Carry out sentences one after the other."""
    for sentence in reversed(body):
        do(table, "sentence", said, sentence)


@task
def sentence(table: Table, said: Said, one: Phrase) -> None:
    """Carry out a sentence, by its form."""
    SENTENCES[one.name](table, said, one)


def clauses_of(one: Phrase, label: str = "clauses") -> tuple[Phrase, ...]:
    return tuple(phrases(one[label]))


def _do(table: Table, said: Said, one: Phrase) -> None:
    do(table, "clauses", said, clauses_of(one), "")


def _may(table: Table, said: Said, one: Phrase) -> None:
    """Carry out an optional ability that was already accepted, or ask about an optional sentence."""
    if said.ability.optional:
        _do(table, said, one)
    else:
        ask(table, "yes_or_no", [("do",), ("pass",)], said, clauses_of(one), None)


@law("NO-AMB-146")
def _pays(table: Table, said: Said, one: Phrase) -> None:
    """Ask each figure that can pay, or one of them; the effects are then for the one that has paid."""
    found = payers(table, said, one)
    if _whom(one).name in ONE_OF and len(found) > 1:
        do(table, "may_pay_once", tuple(found), one)
        return
    for each in reversed(found):
        do(table, "may_pay", each, one)


def _whom(one: Phrase) -> Phrase:
    """Return the figures who may pay."""
    whom = a_phrase(one["whom"])
    return a_phrase(whom["figure"]) if whom.name == "figure" else whom


def payers(table: Table, said: Said, one: Phrase) -> list[Said]:
    """Return the ability for each figure that may and can pay."""
    cost = a_phrase(one["cost"])
    found = [said._replace(me=each.name) for each in _all_meant(table, said, _whom(one))]
    return [each for each in found if can_pay(table, each, cost)]


@task
def may_pay(table: Table, said: Said, one: Phrase) -> None:
    """Ask whether a figure pays, if it still can."""
    cost = a_phrase(one["cost"])
    if can_pay(table, said, cost):
        ask(table, "yes_or_no", [("do",), ("pass",)], said, clauses_of(one), cost)


@task
def may_pay_once(table: Table, offered: tuple[Said, ...], one: Phrase) -> None:
    """Ask which of several pays, if any."""
    moves: list[tuple[str, ...]] = [("choose", said.me) for said in offered]
    ask(table, "pays_once", [*moves, ("pass",)], offered, one)


@answer
def pays_once(table: Table, move: tuple[str, ...], offered: tuple[Said, ...], one: Phrase) -> None:
    """Let one figure pay, or none."""
    for said in offered:
        if move == ("choose", said.me):
            do(table, "clauses", said, clauses_of(one), "")
            pay(table, said, a_phrase(one["cost"]))


def _draw(table: Table, said: Said, one: Phrase) -> None:
    do(table, "see_result", said, one)
    do(table, "draw", said.me, False)


@task
def see_result(table: Table, said: Said, one: Phrase) -> None:
    """Carry out what follows from the card drawn."""
    _by_result(table, said, one, table.card)


def _by_result(table: Table, said: Said, one: Phrase, card: int) -> None:
    if is_card(table, a_phrase(one["result"]), card):
        do(table, "clauses", said, clauses_of(one), "")
    elif any(label == "else" for label, _ in one.parts):
        do(table, "clauses", said, clauses_of(one, "else"), "")


def _must_draw(table: Table, said: Said, one: Phrase) -> None:
    """Let that hero draw, and carry out what follows for it."""
    for figure in candidates(table, said, a_phrase(one["figure"]))[:1]:
        do(table, "see_result", said, one)
        do(table, "draw", figure.name, False)


def _flip_for(table: Table, said: Said, one: Phrase) -> None:
    """Flip a card for each figure or token."""
    for label in ("other", "figure"):
        if any(name == label for name, _ in one.parts):
            figure = a_phrase(one[label])
            if figure.name == "each-stinkbomb":
                for square in reversed(table.stinkbombs):
                    do(table, "flip_for", said._replace(square=square), one)
                continue
            for each in reversed(candidates(table, said, figure)):
                do(table, "flip_for", said._replace(that=each.name), one)


@task
def flip_for(table: Table, said: Said, one: Phrase) -> None:
    """Flip a card, perhaps for one of several figures."""
    card = flip(table, said.rule, f"for {said.name}")
    _by_result(table, said, one, card)


AFFECTING: Final = frozenset(
    {"stun", "mark-vulnerable", "push", "pull", "suffer", "suffer-unstunned", "regain", "eliminate", "swap"}
)
"""Clauses that affect a vermin."""
SENTENCES: Final[dict[str, Callable[[Table, Said, Phrase], None]]] = {
    "do": _do,
    "for-a-time": lambda table, said, one: do(table, "clauses", said, clauses_of(one), a_phrase(one["duration"]).name),
    "may": _may,
    "pays": _pays,
    "either": lambda table, said, one: ask(
        table, "either", [("first",), ("second",)], said, clauses_of(one), clauses_of(one, "other")
    ),
    "if": lambda table, said, one: _do(table, said, one) if holds(table, said, a_phrase(one["condition"])) else None,
    "draw": _draw,
    "draw-else": _draw,
    "flip": flip_for,
    "flip-else": flip_for,
    "must-draw": _must_draw,
    "flip-for": _flip_for,
    "flip-for-both": _flip_for,
    "coin": lambda table, said, one: do(table, "clauses", said, clauses_of(one, toss(table)), ""),
}
"""By the form of a sentence, the function that carries it out."""


@answer
def yes_or_no(
    table: Table, move: tuple[str, ...], said: Said, clauses_: tuple[Phrase, ...], cost: Phrase | None
) -> None:
    """Carry out something optional, perhaps for a price, or decline it."""
    if move[0] == "do":
        do(table, "clauses", said, clauses_, "")
        if cost is not None:
            pay(table, said, cost)


@answer
def either(
    table: Table, move: tuple[str, ...], said: Said, first: tuple[Phrase, ...], second: tuple[Phrase, ...]
) -> None:
    """Carry out one or the other."""
    do(table, "clauses", said, first if move[0] == "first" else second, "")


# Clauses


@task
def clauses(table: Table, said: Said, left: tuple[Phrase, ...], duration: str) -> None:
    """Carry out the next clause: find the figures it means, and ask if there are several to choose from."""
    if not left:
        return
    clause = left[0]
    figure = pick_of(clause)
    if figure is not None and figure.name in ONE_OF:
        found = choosable(table, said, left)
        if not found:
            do(table, "clauses", said, left[1:], duration)
            return
        if len(found) > 1:
            ask(table, "choose", [("choose", one.name) for one in found], said, left, duration)
            return
        _carry_out(table, said._replace(that=found[0].name), left, duration, found)
    elif figure is not None and figure.name == "up-to":
        do(table, "choose_up_to", said, left, duration, int(str(figure["n"])), ())
    else:
        _carry_out(table, said, left, duration, _all_meant(table, said, figure))


def _all_meant(table: Table, said: Said, figure: Phrase | None) -> list[Figure]:
    if figure is None:
        return []
    if figure.name == "you":
        me = find_figure(table, said.me)
        return [me] if me is not None else []
    return candidates(table, said, figure)


@law("NO-HIDE-4", "NO-AMB-141")
def _carry_out(table: Table, said: Said, left: tuple[Phrase, ...], duration: str, figures: list[Figure]) -> None:
    """Carry out a clause for these figures, revealing face-down ones first."""
    if left[0].name in AFFECTING:
        for one in figures:
            if isinstance(one, Vermin) and not one.up:
                was = one.name
                reveal(table, one)
                said = said._replace(that=one.name) if said.that == was else said
    do(table, "clauses", said, left[1:], duration)
    if table.phase == INTERLUDE and left[0].name not in ABOARD:
        return
    VERBS[left[0].name](table, said, left[0], figures, duration)


@answer
@law("NO-GEN-17")
def choose(table: Table, move: tuple[str, ...], said: Said, left: tuple[Phrase, ...], duration: str) -> None:
    """Carry out a clause for the figure chosen."""
    one = find_figure(table, move[1])
    assert one is not None
    _carry_out(table, said._replace(that=one.name), left, duration, [one])


@task
def choose_up_to(
    table: Table, said: Said, left: tuple[Phrase, ...], duration: str, most: int, chosen: tuple[str, ...]
) -> None:
    """Ask for one more figure, until there are enough or none is left."""
    figure = pick_of(left[0])
    assert figure is not None
    found = [one.name for one in candidates(table, said, one_of(figure)) if can_do(table, said, left[0], one)]
    found = [name for name in found if name not in chosen]
    if len(chosen) == most or not found:
        figures = [one for name in chosen if (one := find_figure(table, name)) is not None]
        _carry_out(table, said, left, duration, figures)
        return
    moves: list[tuple[str, ...]] = [("choose", name) for name in found]
    ask(table, "choose_more", [*moves, ("done",)], said, left, duration, most, chosen)


@answer
def choose_more(
    table: Table,
    move: tuple[str, ...],
    said: Said,
    left: tuple[Phrase, ...],
    duration: str,
    most: int,
    chosen: tuple[str, ...],
) -> None:
    """Add one more figure, or finish."""
    if move[0] == "done":
        most = len(chosen)
    else:
        chosen = (*chosen, move[1])
    do(table, "choose_up_to", said, left, duration, most, chosen)


def deeds_of(table: Table, hero: Hero, kit_deeds: tuple[Ability, ...]) -> list[Said]:
    """Return the abilities that a hero can use now in its activation."""
    if table.phase != HEROES or not kit_deeds:
        return []
    return [said for ability in kit_deeds if is_usable(table, said := Said(ability, hero.name, hero.name))]


# Exhausted cards


@for_each(Hero, "refresh-skill")
def refresh_skill(table: Table, said: Said, _clause: Phrase, one: Hero) -> None:
    tired = [card for card in one.skills if table.exhausted >> card & 1 and card != said.ability.card]
    ask_or_go_on(table, "refresh", [("choose", table.box.ids[card]) for card in tired], said.rule)


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


USEFUL["refresh-skill"] = lambda table, said, clause, one: (
    isinstance(one, Hero) and any(table.exhausted >> card & 1 for card in one.skills if card != said.ability.card)
)
