"""Exact odds of every attack, from attacker, target, circumstances and known cards; and average results of attacks.

`attack` decides what a card does, `outcomes` counts the draws. Modifiers that belong to an attack and its target come
from their cards and powers; all others are entered as the modifier of the case.

Averages are the chance of a Stun and the expected Wounds. They assume the deck as shuffled for a scenario, a target
without special powers, and no cheating.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from grimalkin.engine.contract import Facts
from grimalkin.engine.odds import Answer, Attempt, Card, Case, Circumstance, Expected, Odds, Target
from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans.attack import hits_of, lives_by_colour, result_of
from grimalkin.games.cats_of_new_orleans.box import ALWAYS, COURT, Arm, Box, box_of
from grimalkin.games.cats_of_new_orleans.events import DIES_OF_STUN
from grimalkin.games.cats_of_new_orleans.numbers import (
    HINDERED_DRM,
    KING,
    MOST_HAND,
    MOST_LIVES,
    NOTHING,
    STUNNED_DRM,
    VULNERABLE_DRM,
)
from grimalkin.games.cats_of_new_orleans.phrases.abilities import Kit, Static, a_phrase
from grimalkin.games.cats_of_new_orleans.players.outcomes import (
    AVERAGE,
    Draws,
    Heap,
    Known,
    chance_of,
    draws_of,
    heaps_of,
)
from grimalkin.problems.plain import plural, signed

TO_STUN, TO_WOUND = 0, 1
"""The result of a draw whose chance is computed."""


def expected(facts: Facts, piece: str) -> tuple[Expected, ...]:
    """Return, for every attack of a piece, the chance of a Stun and the average Wounds."""
    box = box_of(facts)
    return tuple(
        one
        for arm, kit in arms_with(box, piece)
        for one in (
            Expected("Stuns", chance_of_stun(box, arm, kit), is_share=True, of=arm.name),
            Expected("Wounds", wounds_of(box, arm, kit), of=arm.name),
        )
    )


def arms_with(box: Box, piece: str) -> list[tuple[Arm, Kit]]:
    """Return the attacks of a piece, each with what the piece itself says about it."""
    number = box.numbers.get(piece)
    if number is None:
        return []
    deck = box.piece(number)["deck"]
    if deck == "foes":
        foe = box.foe(number)
        return [(arm, foe.kit) for arm in foe.arms]
    if deck == "heroes" or number in box.weapons:
        return [(box.arm(number), box.kit((number,)))]
    return []


def chance_of_stun(box: Box, arm: Arm, kit: Kit) -> Fraction:
    return chance_of(_draws(box, arm, kit, TO_STUN))


def wounds_of(box: Box, arm: Arm, kit: Kit) -> Fraction:
    return chance_of(_draws(box, arm, kit, TO_WOUND)._replace(goal=AVERAGE))


def _draws(box: Box, arm: Arm, kit: Kit, result: int) -> Draws:
    """Return the draws of an attack from the whole deck, without modifiers."""
    wound_too = bool(kit.says("wound-too"))
    heaps = heaps_of(box, shuffled(box), by_colour=False)
    hits = tuple(int(hits_of(arm, result_of(heap.value, 0), wound_too)[result]) for heap in heaps)
    return draws_of(heaps, hits, 0, arm.draws, int(takes_two(kit)))


def takes_two(kit: Kit) -> bool:
    """Return whether the higher of two cards always counts for each draw."""
    return any(static.condition is None for static in kit.says("better-of-two"))


def shuffled(box: Box) -> Known:
    """Return the deck as shuffled for a scenario: without its Kings (NO-SET-15)."""
    known: Known = box.once("shuffled", lambda: Known(tuple(card for card in box.poker if card not in box.kings)))
    return known


HINDERED, STUNNED, VULNERABLE = "hindered", "stunned", "vulnerable"
WOUNDED, STINKBOMB, HARD = "wounded", "stinkbomb", "hard"
MODIFIERS: Final = range(-8, 9)
"""Hindering terrain, a Stinkbomb, Shell-Armor and a flaw take 8 away; with 8 more, all but two weapons of level 1 hit
with any card that hits at all."""
STUN, WOUNDS, LIVES, OUT, GONE = "Stun", "Wounds", "Lives", "Out", "Eliminated"
"""Labels of the numbers of a case, apart from the chances of several Wounds."""
TEXT: Final = (
    "The hit chance and the expected damage of every attack: the chance of a Stun, the chance of at least one Wound, "
    "and the average number of Wounds."
)
NOTES: Final = (
    (
        ("NO-GEN-4",),
        "Without cards in the party hand there is no cheating; with them, the party sees a draw before it cheats.",
    ),
    (("NO-DECK-4",), "Aces add no card to the party hand until the attack is over."),
    (
        ("NO-DECK-8",),
        "A Joker is immediately reshuffled together with the discard; the other cards of the attack stay out.",
    ),
    (("NO-DECK-9",), "Lives lost or recovered through a Joker are not counted, even a hero's last Life."),
    (("NO-DRM-4",), "Cards and skills used after an attack has begun are left out; add their modifiers yourself."),
)


class Attacker(NamedTuple):
    """An attack, with what its owner says about it."""

    attempt: Attempt
    arm: Arm
    kit: Kit
    foe: str
    """The foe that makes it; empty for a hero."""

    @property
    def is_area(self) -> bool:
        return bool(self.kit.says("area"))


class Mark(NamedTuple):
    """The target of an attack."""

    target: Target
    kit: Kit
    health: int
    """Lives for a hero."""
    is_hero: bool
    is_boss: bool
    dies_of_stun: bool
    own: tuple[tuple[str, int], ...]
    """Its own modifiers to its attackers' draws, by rule."""
    immune: str
    """The rule by which it cannot be stunned; empty if it can."""
    dodges_on: int
    """The value that a flip must reach to cancel everything; 0 if none does."""
    dodge: str
    """The rule behind that."""


# Attacks and targets


def odds(facts: Facts) -> Odds:
    """Return the calculator for attacks: attempts, targets, circumstances, cards, and the function that answers."""
    box = box_of(facts)
    kept: Odds = box.once("odds", lambda: _odds(box))
    return kept


def _odds(box: Box) -> Odds:
    marks = {mark.target.id: mark for mark in marks_of(box)}
    attackers = {one.attempt.id: one for one in attackers_of(box, tuple(marks.values()))}
    cards = cards_of(box)
    by_kind = {card.id: [box.numbers[words[0]] for words in card.pieces] for card in cards}

    def answer(case: Case) -> Answer:
        known = known_of(box, by_kind, case)
        return answer_to(box, attackers[case.attempt], marks[case.target], known, case)

    attempts = tuple(one.attempt for one in attackers.values())
    targets = tuple(mark.target for mark in marks.values())
    areas = tuple(at_least(n) for n in range(1, max(one.arm.draws for one in attackers.values()) + 1))
    known = attempts, targets, circumstances(box), cards
    return Odds("Attacks", TEXT, *known, MOST_HAND, MODIFIERS, answer, STUN, areas, NOTES)


def circumstances(box: Box) -> tuple[Circumstance, ...]:
    """Return the circumstances that may apply to an attack."""
    return (
        Circumstance(HINDERED, "hindered", f"{signed(HINDERED_DRM)} on each draw", "NO-DRM-1"),
        Circumstance(STUNNED, "already stunned", f"{signed(STUNNED_DRM)} on each draw, no further Stun", "NO-DRM-2"),
        Circumstance(VULNERABLE, "vulnerable", f"{signed(VULNERABLE_DRM)} on each draw", "NO-DRM-3"),
        Circumstance(WOUNDED, "already wounded", "as the weapon's text says", "NO-LOOT-14"),
        *(
            Circumstance(STINKBOMB, "beside a Stinkbomb", f"{signed(_n(one.clause))} on each draw", one.ability.rule)
            for one in box.token_statics[:1]
        ),
        Circumstance(HARD, "on hard", "no boss can be stunned", "NO-GEN-9"),
    )


def cards_of(box: Box) -> tuple[Card, ...]:
    """Return the poker cards by value, from the ace; then the Jokers."""
    whole = Counter(shuffled(box).deck)
    values = sorted({box.values[card] for card in box.poker if not box.is_joker(card)})
    found = []
    for value in values:
        same = [card for card in box.poker if box.values[card] == value and not box.is_joker(card)]
        name = box.names[same[0]].split()[0]
        pieces = tuple((box.ids[card], box.letters[card]) for card in same)
        found.append(Card(COURT.get(value, str(value)), name, pieces, sum(whole[card] for card in same), True))
    for card in box.poker:
        if box.is_joker(card):
            found.append(Card(box.ids[card], box.names[card], ((box.ids[card],),), whole[card], False))
    return tuple(found)


def attackers_of(box: Box, marks: Sequence[Mark]) -> Iterator[Attacker]:
    """Yield every attack: of heroes without weapons, of weapons by level, of foes."""
    foes, heroes = _aims([mark for mark in marks if not mark.is_hero]), _aims([mark for mark in marks if mark.is_hero])
    weapons = sorted(box.weapons, key=lambda one: (box.piece(one)["level"], one))
    groups = [(number, "Unarmed") for number in box.hero_numbers]
    groups += [(number, f"Weapons of level {box.piece(number)['level']}") for number in weapons]
    groups += [(number, "Foes") for number in box.of_deck("foes")]
    for number, group in groups:
        piece, is_foe = box.ids[number], group == "Foes"
        for arm, kit in arms_with(box, piece):
            id_ = f"{piece}-{arm.name.lower().replace(' ', '-')}" if is_foe else piece
            name = arm.name if number in box.weapons else f"{box.names[number]}: {arm.name}"
            attempt = Attempt(id_, name, piece, told(arm, kit), group, *(heroes if is_foe else foes))
            yield Attacker(attempt, arm, kit, piece if is_foe else "")


def _aims(marks: Sequence[Mark]) -> tuple[tuple[str, ...], str]:
    """Return the possible targets of an attack, and the first of them without special powers."""
    plain = (one for one in marks if not (one.own or one.immune or one.dodges_on or one.dies_of_stun))
    return tuple(one.target.id for one in marks), next(plain, marks[0]).target.id


def told(arm: Arm, kit: Kit) -> str:
    """Return the numbers of an attack in brief."""
    parts = [plural(arm.draws, "draw")]
    parts += [_reached(name, value) for name, value in (("Stun", arm.stun), ("Wound", arm.wound))]
    if takes_two(kit):
        parts.append("the higher of two cards for each draw")
    if kit.says("wound-too"):
        parts.append("a Stun is also a Wound")
    if kit.says("area"):
        parts.append("an area attack")
    return ", ".join(parts)


def marks_of(box: Box) -> Iterator[Mark]:
    """Yield everybody who can be attacked: foes, a foe with each of its Aspects, heroes."""
    for number in box.of_deck("foes"):
        foe = box.foe(number)
        if not foe.health:
            continue
        yield _mark(box, foe.id, foe.name, foe.id, foe.kit, foe.health, foe.powers)
        for other in foe.aspects:
            aspect = box.foe(other)
            kit = Kit((*foe.kit.abilities, *aspect.kit.abilities))
            mark = _mark(box, aspect.id, aspect.name, aspect.id, kit, foe.health, foe.powers | aspect.powers)
            if mark.target.told != _mark(box, "", "", "", foe.kit, foe.health, foe.powers).target.told:
                yield mark  # the other Aspects look like the foe itself
    for number in box.hero_numbers:
        yield _mark(box, box.ids[number], box.names[number], box.ids[number], box.kit((number,)), 0, frozenset())


def _mark(box: Box, id_: str, name: str, piece: str, kit: Kit, health: int, powers: frozenset[str]) -> Mark:
    own = tuple((one.ability.rule, _n(one.clause)) for one in _always(kit, "attackers-draws") if _is_own(one, "whom"))
    immune = next((one.ability.rule for one in _always(kit, "cannot-be-stunned") if _is_own(one, "who")), "")
    dodges_on, dodge = _dodge(kit)
    fragile = DIES_OF_STUN in powers
    parts = [
        *([f"Health {health}"] if health else []),
        *(["a Stun eliminates it"] if fragile else []),
        *(["cannot be stunned"] if immune else []),
        *([f"dodges on {dodges_on}+"] if dodges_on else []),
        *(f"{signed(n)} on each draw" for _, n in own),
    ]
    target = Target(id_, name, piece, health, ", ".join(parts))
    is_hero = not health
    return Mark(target, kit, health or MOST_LIVES, is_hero, "boss" in powers, fragile, own, immune, dodges_on, dodge)


def _always(kit: Kit, clause: str) -> Iterator[Static]:
    return (one for one in kit.says(clause) if one.condition is None)


def _is_own(one: Static, key: str) -> bool:
    """Return whether a clause is about the owner of the card or power."""
    return any(part.name in ("you", "this-vermin") for part in a_phrase(one.clause[key]).every())


def _dodge(kit: Kit) -> tuple[int, str]:
    """Return the value from which a flip cancels an attack before it lands, and the rule; 0 without one."""
    for ability in kit.reactions.get("would-land", ()):
        for sentence in ability.body:
            if sentence.name == "flip" and any(one.name == "cancel" for one in sentence.every()):
                return int(str(a_phrase(sentence["result"])["n"])), ability.rule
    return 0, ""


# Answers


def known_of(box: Box, by_kind: dict[str, list[int]], case: Case) -> Known:
    """Return the cards of a case: seen cards in the discard, held cards in the hand, all others still to come."""
    in_deck = set(shuffled(box).deck)

    def pick(kind: str, gone: set[int], any_of: bool) -> int:
        card = next(one for one in by_kind[kind] if one not in gone and (any_of or one in in_deck))
        gone.add(card)
        return card

    gone: set[int] = set()
    held = tuple(pick(kind, gone, True) for kind in case.held)
    seen = tuple(pick(kind, gone, False) for kind in case.seen)
    return Known(tuple(card for card in shuffled(box).deck if card not in gone), seen, held)


def answer_to(box: Box, by: Attacker, at: Mark, known: Known, case: Case) -> Answer:
    """Return the modifiers and chances of a case."""
    added, remarks = added_to(box, by, at, case)
    modifier = sum(n for _, n in added) + case.modifier
    when = set(case.circumstances)
    fight = Fight(
        by.arm._replace(id="", name="", card=NOTHING, range=0, deplete="", body=False, number=0),
        modifier,
        int(takes_two(by.kit)),
        bool(by.kit.says("wound-too")),
        0 if by.is_area or STUNNED in when else at.dodges_on,
        not (at.immune or STUNNED in when or (HARD in when and at.is_boss)),
        at.dies_of_stun,
        at.is_hero,
        case.left or at.health,
    )
    numbers = numbers_of(box, fight, known._replace(hand=()))
    held = numbers_of(box, fight, known) if known.hand else ()
    return Answer(modifier, added, numbers, held, (*remarks, *remarks_on(by, at, fight, when)))


def added_to(
    box: Box, by: Attacker, at: Mark, case: Case
) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, str], ...]]:
    """Return the modifiers from circumstances, attack and target, by rule; and the circumstances without effect."""
    found: list[tuple[str, int]] = list(at.own)
    remarks: list[tuple[str, str]] = []
    if HINDERED in case.circumstances:
        if free := next(_always(by.kit, "no-hindering"), None):
            remarks.append((free.ability.rule, "Nothing hinders this attack."))
        else:
            found.append(("NO-DRM-1", HINDERED_DRM))
    if STUNNED in case.circumstances:
        found.append(("NO-DRM-2", STUNNED_DRM))
    if VULNERABLE in case.circumstances:
        found.append(("NO-DRM-3", VULNERABLE_DRM))
    for one in _always(by.kit, "draws"):
        if WOUNDED in case.circumstances and any(
            part.parts and ("which", Phrase("wounded", ())) in part.parts for part in one.clause.every()
        ):
            found.append((one.ability.rule, _n(one.clause)))
    if STINKBOMB in case.circumstances:
        for one in box.token_statics[:1]:
            if by.foe and any(part.name == "not" and part["foe"] == by.foe for part in one.clause.every()):
                remarks.append((one.ability.rule, "A Stinkbomb does not affect its own kind."))
            else:
                found.append((one.ability.rule, _n(one.clause)))
    return tuple(found), tuple(remarks)


class Fight(NamedTuple):
    """Everything, apart from the cards, that the numbers of a case depend on. Many attacks are the same fight."""

    arm: Arm
    modifier: int
    better: int
    wound_too: bool
    dodges_on: int
    can_be_stunned: bool
    dies_of_stun: bool
    at_hero: bool
    left: int


Hits = tuple[bool, bool]
"""Whether a card stuns, and whether it wounds."""


@lru_cache(maxsize=4096)
def results_of(arm: Arm, modifier: int, wound_too: bool) -> tuple[Hits, ...]:
    """Return the hits of a card, by its value from 0."""
    return tuple(hits_of(arm, result_of(value, modifier), wound_too) for value in range(KING + 1))


@lru_cache(maxsize=8192)
def numbers_of(box: Box, fight: Fight, known: Known) -> tuple[Expected, ...]:
    """Return chances and averages, each with the best use of the hand."""
    results = results_of(fight.arm, fight.modifier, fight.wound_too)

    def draws(hits: Callable[[Heap, Hits], int], by_colour: bool = False) -> Draws:
        heaps = heaps_of(box, known, by_colour)
        worth = tuple(hits(heap, results[heap.value]) for heap in heaps)
        found = draws_of(heaps, worth, fight.dodges_on, fight.arm.draws, fight.better)
        return found._replace(is_shunned=fight.at_hero)

    def harm(_heap: Heap, result: Hits) -> int:
        """Return how much closer a result brings a vermin to its end: a Wound, or a Stun that eliminates it."""
        stuns, wounds = result
        return fight.left if stuns and fight.dies_of_stun and fight.can_be_stunned else int(wounds)

    def lives(heap: Heap, result: Hits) -> int:
        return lives_by_colour(box, heap.card) if result[1] else 0

    most = fight.arm.draws
    stuns = draws(lambda _, result: int(result[0]))
    wounds = draws(lambda _, result: int(result[1]))
    found = [Expected(STUN, chance_of(stuns) if fight.can_be_stunned else Fraction(0), is_share=True)]
    for n in range(1, most + 1):
        found.append(Expected(at_least(n), chance_of(wounds._replace(goal=n)), is_share=True))
    if not fight.at_hero:
        ends = draws(harm) if fight.dies_of_stun else wounds
        found.append(Expected(GONE, chance_of(ends._replace(goal=fight.left)), is_share=True))
    found.append(Expected(WOUNDS, chance_of(wounds._replace(goal=AVERAGE))))
    if fight.at_hero and not fight.better:  # the higher of two cards counts, whatever its colour
        lost = draws(lives, by_colour=True)
        if fight.left <= 2 * most:
            found.append(Expected(OUT, chance_of(lost._replace(goal=fight.left)), is_share=True))
        found.append(Expected(LIVES, chance_of(lost._replace(goal=AVERAGE))))
    return tuple(found)


def at_least(n: int) -> str:
    return "Wound" if n == 1 else f"{n} Wounds or more"


def remarks_on(by: Attacker, at: Mark, fight: Fight, when: set[str]) -> Iterator[tuple[str, str]]:
    """Yield what changes the numbers of a case without being a modifier."""
    name = at.target.name
    if at.immune:
        yield at.immune, f"{name} cannot be stunned."
    elif HARD in when and at.is_boss:
        yield "NO-GEN-9", "On hard, no boss can be stunned."
    elif STUNNED in when:
        yield "NO-STAT-2", f"A second Stun has no effect on {name}."
    if at.dies_of_stun:
        yield "NO-HIT-7", f"A Stun eliminates {name}."
    if at.dodges_on and not fight.dodges_on:
        yield at.dodge, f"{name} cannot dodge {'an area attack' if by.is_area else 'while stunned'}."
    elif at.dodges_on:
        yield at.dodge, f"{name} may dodge: before anything lands, a FLIP of {at.dodges_on} or more cancels the attack."
    if at.is_hero and not fight.better:
        yield "NO-GEN-8", "Lives follow normal and hard, where a Wound from a black card costs 2."


# Words


def _reached(name: str, value: int) -> str:
    return f"{name} always" if value == ALWAYS else f"{name} {value}+"


def _n(clause: Phrase) -> int:
    return int(str(clause["n"]))
