"""Attacks from choice to results: draws, modifiers, Stuns and Wounds, and the effects of powers on them.

An attack under way is a Fight on top of `table.fights`. A second one, such as a Counterattack in the middle of it, is
put on top and ends first. Draw Result Modifiers are everything added to each draw, with the rule behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Final

from grimalkin.engine.kinds import members
from grimalkin.engine.law import By, law
from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans import numbers
from grimalkin.games.cats_of_new_orleans.box import ALWAYS, Arm, Box
from grimalkin.games.cats_of_new_orleans.cards import joker, put_away, take_card, toss
from grimalkin.games.cats_of_new_orleans.clauses import (
    USEFUL,
    VERBS,
    Said,
    added,
    every_static,
    fits,
    in_scope,
    is_card,
    is_new,
    is_of_weapon,
    lasts,
    means,
    number,
    pick_of,
    range_of,
    statics_for,
    verb,
)
from grimalkin.games.cats_of_new_orleans.events import (
    CANCELLED,
    can_be_stunned,
    react,
    reveal,
    rule_against_stun,
    stun_vermin,
    wound_vermin,
)
from grimalkin.games.cats_of_new_orleans.figures import (
    Figure,
    best_line,
    board_of,
    covered,
    covers,
    find_figure,
    find_vermin,
    here,
    hero_of,
    is_hindered,
)
from grimalkin.games.cats_of_new_orleans.moves import do, task
from grimalkin.games.cats_of_new_orleans.phrases.abilities import DURING, STATIC, a_phrase
from grimalkin.games.cats_of_new_orleans.table import Fight, Hero, Table, Vermin
from grimalkin.problems.plain import listed, plural

STINKBLAST: Final[Annotated[str, By("NO-PWR-20", "NO-AMB-64")]] = "stinkbomb"
"""Of several tokens, only one counts."""


@law("NO-ATK-4", "NO-DRM-4", "NO-DRM-5", "NO-DRM-8", "NO-AMB-34")
def modifiers(
    table: Table, by: Figure, arm: Arm, at: Figure, hindered: bool, extra: int, rule: str
) -> tuple[tuple[str, int], ...]:
    """Return the modifiers of each draw of an attack, by rule."""
    found: list[tuple[str, int]] = []
    if hindered:
        found.append(("NO-DRM-1", numbers.HINDERED_DRM))
    if at.stunned:
        found.append(("NO-DRM-2", numbers.STUNNED_DRM))
    if at.vulnerable:
        found.append(("NO-DRM-3", numbers.VULNERABLE_DRM))
    if extra:
        found.append((rule, extra))
    for said, clause in every_static(table, "draws"):
        if is_of_weapon(said, arm) and _speaks_of(table, said, clause, by) and in_scope(table, said, clause, arm, at):
            found.append((said.rule, int(str(clause["n"]))))
    for said, clause in every_static(table, "attackers-draws"):
        whom = a_phrase(clause["whom"])
        meant = at.name == said.me if whom.name == "you" else means(table, said, a_phrase(whom["figure"]), at)
        if meant:
            found.append((said.rule, int(str(clause["n"]))))
    found += stinkbombs(table, by)
    return tuple(found)


@law("NO-PWR-20")
def stinkbombs(table: Table, by: Figure) -> list[tuple[str, int]]:
    """Return the penalty of a Stinkbomb token on attacks by figures around it, even after its Stinker has gone."""
    if not table.stinkbombs:
        return []
    for static in table.box.token_statics:
        said = Said(static.ability, "", "")
        if fits(table, said, a_phrase(static.clause["who"]), by):
            return [(static.ability.rule, int(str(static.clause["n"])))]
    return []


def _speaks_of(table: Table, said: Said, clause: Phrase, by: Figure) -> bool:
    """Return whether the subject of a clause is the attacker."""
    who = a_phrase(clause["who"])
    if who.name == "you":
        return by.name == said.me
    return all(one.name != STINKBLAST for one in clause.every()) and means(table, said, who, by)


def is_area(table: Table, arm: Arm) -> bool:
    """Return whether this weapon attacks an area."""
    return arm.card >= 0 and "area" in table.box.kit((arm.card,)).by_clause


def has_static(table: Table, by: Figure, arm: Arm, clause: str) -> bool:
    """Return whether a card or power of the attacker says this about its attack."""
    return any(is_of_weapon(said, arm) for said, _ in statics_for(table, clause, by))


def draws_of(table: Table, by: Figure, arm: Arm) -> int:
    """Return the number of cards drawn for an attack (NO-LOOT-11)."""
    return arm.draws + added(table, by, arm, "more-cards")


def better_of_two(table: Table, by: Figure, arm: Arm) -> int:
    """Return 1 if the higher of two cards counts for each draw, -1 if the lower (NO-PWR-11, NO-AMB-62)."""

    def says(clause: str) -> bool:
        return any(in_scope(table, said, one, arm, None) for said, one in statics_for(table, clause, by))

    return says("better-of-two") - says("worse-of-two")


# Areas


@law("NO-AOE-1", "NO-AMB-45", "NO-TERR-6", "NO-AMB-87", "NO-AMB-49", "NO-GEN-16", "NO-AMB-104")
def targets_in_area(table: Table, area: int) -> list[Figure]:
    """Return every figure in a big square, friend or foe, unless it stands only on water there."""
    board = board_of(table)
    dry = board.bigs[area] & ~board.water
    found: list[Figure] = [hero for hero in here(table) if dry >> hero.at & 1]
    found += [vermin for vermin in table.vermin if covers(table, vermin) & dry]
    return [one for one in found if not any(_out_of_water(said) for said, _ in statics_for(table, "areas-miss", one))]


@law("NO-TERR-6")
def missed_in_area(table: Table, area: int) -> list[str]:
    """Return the figures in a big square that an attack on it misses without a draw."""
    squares, hit = board_of(table).bigs[area], targets_in_area(table, area)
    figures: list[Figure] = [*here(table), *table.vermin]
    return [one.name for one in figures if covered(table, one) & squares and one not in hit]


def _out_of_water(said: Said) -> bool:
    """Return whether a power that makes area attacks miss is not about water, which is checked square by square."""
    trigger = said.ability.trigger
    return trigger is None or all(part.name != "in-water" for part in trigger.every())


def open_fight(table: Table, by: Figure, arm: Arm, target: str, area: int = numbers.NOTHING, extra: int = 0) -> None:
    """Begin an attack on a figure or on a big square."""
    if isinstance(by, Hero):
        by.attacked = True
    fight = Fight(by.name, arm, target, area, extra=extra, by_vermin=isinstance(by, Vermin))
    if area != numbers.NOTHING:
        names = [one.name for one in targets_in_area(table, area)]
        fight = fight._replace(targets=tuple(names))
        corner = board_of(table).big_names[area]
        table.tell("NO-AOE-1", "{} attacks the area of {at} with {}.", by, arm.called, at=corner)
        for name in missed_in_area(table, area):
            table.tell(
                "NO-TERR-6", "{target} is in water, so the attack misses without a draw.", target=name, idle=True
            )
    else:
        table.tell("NO-ATK-1", "{by} attacks {target} with {}.", arm.called, by=by, target=target, attack=arm.name)
    table.fights.append(fight)
    do(table, "next_target")
    react(table, "attacks", by.name, other=target)
    for name in reversed((target,) if target else fight.targets):
        react(table, "attacks-whom", by.name, that=name)
        if isinstance(find_figure(table, name), Hero):
            react(table, "you-are-attacked", name, other=by.name)
    if isinstance(by, Hero):
        react(table, "you-attack", by.name, that=target)


@task
def next_target(table: Table) -> None:
    """Attack the next figure of an area, or the single target."""
    fight = table.fights[-1]
    if fight.area == numbers.NOTHING:
        if fight.at:
            do(table, "close_fight")
            do(table, "aim")
        else:
            do(table, "close_fight")
        return
    if not fight.targets:
        do(table, "close_fight")
        return
    table.fights[-1] = fight._replace(at=fight.targets[0], targets=fight.targets[1:], cards=(), results=())
    do(table, "next_target")
    do(table, "aim")


@task
@law("NO-HIDE-4", "NO-DRM-5", "NO-ATK-3", "NO-AMB-104", "NO-AMB-115", "NO-AMB-117")
def aim(table: Table) -> None:
    """Reveal a face-down target, and settle the modifiers before the first draw."""
    fight = table.fights[-1]
    by, at = find_figure(table, fight.by), find_figure(table, fight.at)
    if by is None or at is None or not covered(table, by) or not covered(table, at):
        return
    if isinstance(at, Vermin) and not at.up:
        reveal(table, at)
        fight = fight._replace(at=at.name)
    arm = fight.arm
    fight = fight._replace(met=(*fight.met, at.name))
    line = best_line(table, by, at, range_of(table, by, arm))
    if line is None and fight.area == numbers.NOTHING:  # the target was moved, or a door was closed
        table.tell("NO-AMB-115", "{target} is out of reach now, so the attack misses without a draw.", by=by, target=at)
        return
    hindered = False
    if not (fight.unhindered or has_static(table, by, arm, "no-hindering")):
        hindered = line[2] if line is not None else _area_hindered(table, by, at)
    why = modifiers(table, by, arm, at, hindered, fight.extra, "NO-DRM-4")
    drm = sum(number for _, number in why)
    better = max(-1, min(1, fight.better + better_of_two(table, by, arm)))
    wound_too = fight.wound_too or has_static(table, by, arm, "wound-too")
    table.fights[-1] = fight._replace(
        drm=drm, why=why, need=draws_of(table, by, arm) + fight.more, better=better, wound_too=wound_too
    )
    for rule, count in why:
        table.tell(rule, f"{count:+d} on each draw.".replace("-", "−"), modifier=count)
    do(table, "next_draw")


def _area_hindered(table: Table, by: Figure, at: Figure) -> bool:
    """Return whether an area target that is itself out of Range or sight is hindered by its square or the way there."""
    squares = members(covered(table, by))
    return all(
        is_hindered(table, by, at, square, target) for square in squares for target in members(covered(table, at))
    )


@task
@law("NO-ATK-3", "NO-LOOT-11", "NO-VATK-7", "NO-AMB-148")
def next_draw(table: Table) -> None:
    """Draw one card for each Attack Draw, then compare."""
    fight = table.fights[-1]
    if len(fight.results) >= fight.need or not is_on(table, fight):
        do(table, "compare")
        return
    do(table, "next_draw")
    do(table, "read_draw")
    if fight.better and fight.shadow == numbers.NOTHING:
        do(table, "draw_two")
    else:
        do(table, "draw", fight.by, True)


@law("NO-AMB-126")
def is_on(table: Table, fight: Fight) -> bool:
    """Return whether both figures are still on the map. A Joker may have removed one, which ends the attack."""
    figures = (find_figure(table, fight.by), find_figure(table, fight.at))
    return all(one is not None and covered(table, one) for one in figures)


@task
@law("NO-AMB-62", "NO-PWR-11", "NO-AMB-101", "NO-AMB-127")
def draw_two(table: Table) -> None:
    """Draw two cards, one of which counts and may be cheated; a Joker has its effect either way."""
    fight, box = table.fights[-1], table.box
    first, second = take_card(table), take_card(table)
    names = listed([box.names[first], box.names[second]])
    second_counts = is_second_kept(box.values[first], box.values[second], fight.better)
    kept, other = (second, first) if second_counts else (first, second)
    table.tell("NO-AMB-62", "{} are drawn; {card} counts.", names, card=kept, other=other)
    if box.is_joker(other):
        joker(table, other)
    else:
        put_away(table, other)
    table.card = kept
    do(table, "offer_cheat", fight.by, True)


def is_second_kept(first: int, second: int, better: int) -> bool:
    """Return whether the second of two values counts; if they are equal, the first does."""
    return better * (second - first) > 0


@task
@law("NO-DRM-6", "NO-DECK-3", "NO-DECK-5", "NO-DECK-6", "NO-DECK-7", "NO-HIT-2", "NO-AMB-33", "NO-AMB-13")
def read_draw(table: Table) -> None:
    """Note the result of a draw: the value of the card plus all modifiers; 0 for a miss whatever they are."""
    fight, card = table.fights[-1], table.card
    if card == numbers.NOTHING:  # a cancelled card is not a hit, even if every result is one
        table.fights[-1] = fight._replace(results=(*fight.results, card), cards=(*fight.cards, card))
        return
    value = table.box.values[card]
    result = result_of(value, fight.drm)
    if value == 1:
        rule = "NO-HIT-2" if table.box.is_ace(card) else "NO-DRM-6"
        if ALWAYS in (fight.arm.stun, fight.arm.wound):
            table.tell("NO-AMB-32", "{}: this attack hits anyway.", table.box.names[card], result=0)
        else:
            table.tell(rule, "{} misses.", table.box.names[card], result=0)
    else:
        sign = "−" if fight.drm < 0 else "+"
        shown = f"{value} {sign} {abs(fight.drm)} = {value + fight.drm}" if fight.drm else f"{value}"
        told = f"Result: {shown}.".replace("-", "−")
        table.tell("NO-ATK-4", told, value=value, modifier=fight.drm, result=value + fight.drm)
    table.fights[-1] = fight._replace(results=(*fight.results, result), cards=(*fight.cards, card))


def result_of(value: int, drm: int) -> int:
    """Return the result of a card's value with all modifiers; 0 for a miss."""
    return 0 if value == 1 or value + drm <= numbers.MISS else value + drm


@task
@law(
    *("NO-ATK-6", "NO-HIT-1", "NO-HIT-3", "NO-HIT-4", "NO-AMB-32", "NO-AMB-51", "NO-LOOT-13"),
    *("NO-AMB-118", "NO-AMB-123"),
)
def compare(table: Table) -> None:
    """Compare each result with the Stun and the Wound Value."""
    fight = table.fights[-1]
    arm, goes_on = fight.arm, is_on(table, fight)
    hits = [hits_of(arm, result, fight.wound_too) for result in fight.results]
    stuns = goes_on and any(stun for stun, _ in hits)
    wounding = [goes_on and wound for _, wound in hits]
    wounds = sum(wounding)
    table.fights[-1] = fight = fight._replace(stuns=stuns, wounds=wounds)
    do(table, "clear_cards")
    do(table, "land", tuple(card for card, hits in zip(fight.cards, wounding, strict=True) if hits))
    _deplete(table, fight)
    at = find_figure(table, fight.at)
    if wounds or (stuns and (isinstance(at, Hero) or (at is not None and can_be_stunned(table, at)))):
        react(table, "would-land", fight.at, that=fight.at, other=fight.by)
    elif not stuns:
        table.tell("NO-ATK-6", "The attack has no effect.", wounds=0)


def hits_of(arm: Arm, result: int, wound_too: bool) -> tuple[bool, bool]:
    """Return whether a result stuns, and whether it wounds."""
    stuns = reaches(result, arm.stun)
    return stuns, reaches(result, arm.wound) or (wound_too and stuns)


@law("NO-AMB-116")
def reaches(result: int, value: int) -> bool:
    """Return whether a result reaches a Stun or Wound Value. A miss reaches only what always hits."""
    return result != numbers.NOTHING and (value == ALWAYS or (result > 0 and result >= value))


@law("NO-ATK-8", "NO-AMB-31", "NO-AMB-116")
def _deplete(table: Table, fight: Fight) -> None:
    """Deplete a weapon if a card that it names is among those of the attack."""
    arm = fight.arm
    if not arm.deplete or not any(
        card != numbers.NOTHING and is_card(table, table.box.depleting(arm.deplete), card) for card in fight.cards
    ):
        return
    by = find_figure(table, fight.by)
    if isinstance(by, Vermin):
        by.empty |= 1 << arm.number
    elif arm.card >= 0:
        table.depleted |= 1 << arm.card
    table.tell("NO-ATK-8", "{} depletes {}.", fight.by, arm.called, attack=arm.name)


@task
@law("NO-ATK-7", "NO-ATK-5", "NO-AMB-59", "NO-VATK-8")
def land(table: Table, wounding: tuple[int, ...]) -> None:
    """Land Stuns first, then Wounds."""
    fight = table.fights[-1]
    at = find_figure(table, fight.at)
    if at is None or not (fight.stuns or fight.wounds):
        return
    table.fights[-1] = fight._replace(hit=True)
    if isinstance(at, Vermin):
        do(table, "land_wounds", fight.at, fight.wounds, fight.by)
        if fight.stuns:
            _miss_stun(table, fight, at)
            stun_vermin(table, at, fight.by)
            if at not in table.vermin:  # the name may now belong to another vermin
                table.todo.remove(("land_wounds", fight.at, fight.wounds, fight.by))
        return
    for card in reversed(wounding):
        do(table, "wound_by_card", at.name, card, fight.by)
    if fight.stuns:
        _miss_stun(table, fight, at)
        do(table, "stun_hero", at.name, fight.by, "NO-VATK-8")


@law("NO-STAT-2", "NO-HIT-8")
def _miss_stun(table: Table, fight: Fight, at: Figure) -> None:
    """Log that a Stun without Wounds has no effect on a figure that is stunned or cannot be."""
    rule = rule_against_stun(table, at)
    if rule and not fight.wounds:
        why = "is already stunned" if at.stunned else "cannot be stunned"
        table.tell(rule, "{target} {}, so the Stun has no effect.", why, target=at, idle=True)


@task
def land_wounds(table: Table, name: str, wounds: int, by: str) -> None:
    """Land the Wounds of an attack on a vermin, if it is still there."""
    at = find_vermin(table, name)
    if at is not None and wounds:
        wound_vermin(table, at, wounds, by)


@task
@law("NO-AMB-134")
def wound_by_card(table: Table, name: str, card: int, by: str) -> None:
    """Land one Wound on a hero. The coin is flipped only now, and not for a hero who is already out."""
    if hero_of(table, name).at >= 0:
        do(table, "wound_hero", name, lives_of_wound(table, card), by, "NO-VATK-9")


@law("NO-GEN-7", "NO-GEN-8", "NO-VATK-9", "NO-AMB-6", "NO-AMB-7", "NO-AMB-84")
def lives_of_wound(table: Table, card: int) -> int:
    """Return what a Wound costs a hero: 1 Life, or 2 for a black suit; on easy always 1."""
    if table.difficulty == numbers.DIFFICULTIES[numbers.EASY]:
        return 1
    if table.coin:
        return 1 if toss(table) == numbers.HEADS else 2
    return lives_by_colour(table.box, card)


def lives_by_colour(box: Box, card: int) -> int:
    """Return what a Wound costs by the colour of its card: a Joker has no suit and counts as red."""
    return 2 if box.suits.get(card) in ("clubs", "spades") else 1


@task
def clear_cards(table: Table) -> None:
    """Discard the cards of the attack."""
    fight = table.fights[-1]
    for card in fight.cards:
        if card != numbers.NOTHING and not table.box.is_joker(card):
            put_away(table, card)
    table.fights[-1] = fight._replace(cards=())


@task
def close_fight(table: Table) -> None:
    """End the attack, and trigger its consequences."""
    fight = table.fights.pop()
    by, at = fight.by, fight.at
    react(table, "has-attacked", by, other=at)
    if not fight.by_vermin:
        if not fight.hit:
            _react_with(table, fight, "attack-misses", by, at)
        _react_with(table, fight, "after-attack", by, at)
    for name in reversed(fight.met or (at,)):
        react(table, "after-attacks-whom", by, that=name)


def _react_with(table: Table, fight: Fight, on: str, by: str, at: str) -> None:
    """Trigger a weapon's text about an attack that has just ended, as if it were still on top."""
    table.fights.append(fight)
    react(table, on, by, that=at)
    table.fights.pop()


# Verbs about attacks


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
"""How a clause changes an attack under way: before its first draw, or from the next draw on."""


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
        table.card = numbers.NOTHING
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


VERBS.update(dict.fromkeys(STATIC, so_it_is))
USEFUL["cancel"] = lambda table, said, clause, one: not table.stayed
