"""The behaviour of foes in plain words, built from their numbers, their powers and the measures by which vermin decide.

No text here is about a particular foe. Its sentences follow from what the engine asks about it: its attacks and the
distances at which they fit, reactions to its Stun or elimination, what it ignores. The text of a power is quoted for
the moment when it applies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from grimalkin.engine.contract import Facts
from grimalkin.engine.cribs import Habit
from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans.box import ALWAYS, Arm, Box, Foe, box_of, shoots
from grimalkin.games.cats_of_new_orleans.clauses import is_about, scope_of
from grimalkin.games.cats_of_new_orleans.events import DIES_OF_STUN
from grimalkin.games.cats_of_new_orleans.maps import FROM_AFAR, POINT_BLANK
from grimalkin.games.cats_of_new_orleans.numbers import STUNNED_DRM, UNREVEALED_AP, WATER_AP
from grimalkin.games.cats_of_new_orleans.phrases import TABLE
from grimalkin.games.cats_of_new_orleans.phrases.abilities import Ability, Kit, Static
from grimalkin.games.cats_of_new_orleans.vermin import (
    ACTS,
    ACTS_FAR_OFF,
    AIM,
    ARM,
    CLOSER,
    EQUAL_AIM,
    EQUAL_ARM,
    FAR_OFF,
    LARGE_CLOSER,
    PREY,
    ROUND_A_CORNER,
    TARGET,
    TARGET_FAR_OFF,
    Strike,
    best_arm,
)
from grimalkin.problems.plain import listed, plural

UNSEEN: Final = "Face down"
TURN: Final = "Its turn"
VICTIM: Final = "Target"
WEAPON: Final = "Attack"
WAY: Final = "Movement"
STUNNED: Final = "Stunned"
EMPTY: Final = "Depleted"
ATTACKED: Final = "Attacked"
BESIDES: Final = "Other powers"
END: Final = "Eliminated"
ORDER: Final = (UNSEEN, TURN, VICTIM, WEAPON, WAY, STUNNED, EMPTY, ATTACKED, BESIDES, END)
"""The moments when a foe does something, in order."""
ON: Final = {
    "its-activation-starts": TURN,
    "activates-in-water": TURN,
    "has-attacked": END,
    "is-stunned": STUNNED,
    "would-land": ATTACKED,
    "after-attacks-whom": ATTACKED,
    "is-eliminated": END,
    "while": UNSEEN,
}
"""The moment of each trigger in powers; all other triggers are BESIDES."""
HOLDS: Final = {
    "better-of-two": WEAPON,
    "worse-of-two": WEAPON,
    "ignore": WAY,
    "shares": WAY,
    "cannot-be-stunned": STUNNED,
    "attackers-draws": ATTACKED,
    "areas-miss": ATTACKED,
}
"""The moment when each static in powers matters; all other statics are BESIDES."""
HOOKS: Final = {"glider": WAY, "large": WAY, "conjoined": END, "revolving-personality": TURN, "coward": TURN}
"""The moments of powers that no sentence can express. Precision is covered by its measures."""


class Being(NamedTuple):
    """A foe as it is on the map: with one of its Aspects, it has the attacks and powers of both."""

    foe: Foe
    arms: tuple[Arm, ...]
    powers: frozenset[str]
    kit: Kit

    @property
    def fights(self) -> bool:
        return bool(self.arms or self.foe.aspects)


def behaviour(facts: Facts, piece: str) -> tuple[Habit, ...]:
    """Return what a foe does, from lying face down to its end; for an Aspect, only what it changes."""
    box = box_of(facts)
    number = box.numbers.get(piece)
    if number is None or box.piece(number)["deck"] != "foes":
        return ()
    foe = box.foe(number)
    owner = next((one for one in map(box.foe, box.of_deck("foes")) if number in one.aspects), None)
    if owner is None:
        return tuple(in_order(box, Being(foe, foe.arms, foe.powers, foe.kit)))
    alone = set(in_order(box, Being(owner, owner.arms, owner.powers, owner.kit)))
    kit = Kit((*owner.kit.abilities, *foe.kit.abilities))
    both = Being(owner, (*owner.arms, *foe.arms), owner.powers | foe.powers, kit)
    return tuple(habit for habit in in_order(box, both) if habit not in alone)


def in_order(box: Box, one: Being) -> list[Habit]:
    """Return all its habits, moment by moment."""
    parts = (unseen, turn, victim, weapon, way, stunned, empty, end)
    found = [Habit(*told) for part in parts for told in part(box, one)]
    found += by_powers(box, one)
    return sorted(found, key=lambda habit: ORDER.index(habit.when))


Told = Iterator[tuple[str, str, tuple[str, ...]]]


def unseen(_box: Box, _one: Being) -> Told:
    yield (
        UNSEEN,
        f"It has {UNREVEALED_AP} AP and no powers, and does not attack. Turn it face up when a hero sees it.",
        ("NO-HIDE-3", "NO-HIDE-5"),
    )


def turn(_box: Box, one: Being) -> Told:
    """Yield when it is activated, and what its AP are for."""
    yield (
        TURN,
        f"Of the vermin that have yet to act, the one with the {ACTS.words} goes next; if several tie, the group "
        f"chooses. Vermin that can reach nobody go last, those with the {ACTS_FAR_OFF.words} first (ignore obstacles).",
        (ACTS.rule, ACTS_FAR_OFF.rule),
    )
    if "large" in one.powers:
        yield TURN, "Count every distance from the nearest of its squares.", (LARGE_CLOSER.rule,)
    yield TURN, f"It has {one.foe.ap} AP.", ("NO-VERM-6",)
    told = "An attack costs 1 AP, and so does a move. It moves only when it cannot attack."
    yield TURN, told, ("NO-VERM-2", "NO-VATK-3", "NO-VATK-4")
    if not ignored(one, "water"):
        told = f"If it starts in water, it has {WATER_AP} AP; if it enters water, its activation ends."
        yield TURN, told, ("NO-TERR-5", "NO-TERR-4")


def victim(_box: Box, one: Being) -> Told:
    """Yield how it chooses the hero that it attacks."""
    if not one.fights:
        yield VICTIM, "Nobody: it has no attack.", ("NO-VERM-6",)
        return
    yield (
        VICTIM,
        "It attacks as soon as a hero is in sight and in Range of an attack that it may use. "
        f"Of several heroes, it attacks the closest ({TARGET.words}); if several tie, the group chooses. "
        f"If it can reach none of them, the {TARGET_FAR_OFF.words} decide.",
        ("NO-VATK-2", TARGET.rule, TARGET_FAR_OFF.rule),
    )
    if aims(one):
        careful = listed([arm.name for arm in one.arms if shoots(arm)])
        told = f"With {careful}, it attacks only if neither terrain nor another figure hinders the shot."
        yield VICTIM, told, ("NO-PWR-16", "NO-AMB-63", "NO-AMB-103")


def aims(one: Being) -> bool:
    """Return whether it looks for a clear shot, as in `vermin.steps`."""
    return "precision" in one.powers and any(shoots(arm) for arm in one.arms)


# Attacks


def weapon(box: Box, one: Being) -> Told:
    """Yield which attack it makes, by its distance from the hero."""
    least = 0 if one.kit.says("shares") else 1
    for near, far, fitting in distances(one, least):
        where = how_far(near, far)
        if fitting:
            arm = best_arm([Strike("", arm) for arm in fitting], "")
            others = [other for other in fitting if other != arm]
            why, rules = better(arm, others)
            yield WEAPON, f"{where}: {numbers_of(box, arm)}{why}", ("NO-VATK-5", *rules)
        elif one.arms:
            told = f"{where}: no attack fits, so it moves."
            yield WEAPON, told, ("NO-RNG-5",) if far <= POINT_BLANK else ("NO-VATK-3",)

    for static in one.kit.says("only-attacks"):
        barred = [arm.name for arm in one.arms if is_about(static.ability, scope_of(static.clause), arm) is False]
        if barred:
            told = f"{said(box, static.ability)} This rules out {listed(barred)} against any target."
            yield WEAPON, told, (static.ability.rule,)


def distances(one: Being, least: int) -> Iterator[tuple[int, int, tuple[Arm, ...]]]:
    """Yield the spans of distance over which the same attacks fit: from, to, and the attacks."""
    farthest = max((arm.range for arm in one.arms), default=0)
    near, before = least, fitting(one, least)
    for distance in range(least + 1, farthest + 1):
        now = fitting(one, distance)
        if now != before:
            yield near, distance - 1, before
            near, before = distance, now
    yield near, farthest, before


def fitting(one: Being, distance: int) -> tuple[Arm, ...]:
    """Return the attacks that reach this far and that its powers allow there."""
    found = [arm for arm in one.arms if reaches_to(arm, distance)]
    if distance == POINT_BLANK:  # a hero at this distance is adjacent
        for static in one.kit.says("only-attacks"):
            found = [arm for arm in found if is_about(static.ability, scope_of(static.clause), arm) is not False]
    return tuple(found)


def reaches_to(arm: Arm, distance: int) -> bool:
    """Return whether an attack covers a square this many steps away, as a board would say."""
    return distance <= arm.range and not (arm.range >= FROM_AFAR and distance <= POINT_BLANK)


def how_far(near: int, far: int) -> str:
    if far == 0:
        return "In its own square"
    if near == 0:
        return f"Up to {plural(far, 'square')} away"
    return f"{plural(near, 'square')} away" if near == far else f"{near} to {far} squares away"


def numbers_of(box: Box, arm: Arm) -> str:
    """Return an attack in words."""
    draws = plural(arm.draws, "draw")
    if arm.stun == arm.wound == ALWAYS:
        return f"{arm.name}, {draws}: always stuns and always wounds"
    return f"{arm.name}, {draws}: stuns {on(arm.stun)} and wounds {on(arm.wound)}"


def on(value: int) -> str:
    return "always" if value == ALWAYS else f"on {value}+"


def better(arm: Arm, others: Sequence[Arm]) -> tuple[str, tuple[str, ...]]:
    """Return why it makes this attack rather than others that fit."""
    if not others:
        return ".", ()
    measure = ARM if all(other.wound > arm.wound for other in others) else EQUAL_ARM
    return f". {listed([other.name for other in others])} would also reach: the {measure.words} decides.", (ARM.rule,)


# Movement


def way(_box: Box, one: Being) -> Told:
    """Yield how it moves when it cannot attack."""
    closer = LARGE_CLOSER if "large" in one.powers else CLOSER
    when = "If it cannot attack"
    if aims(one):
        yield (
            WAY,
            f"{when}, it moves towards a clear shot at a hero in Range, and no closer than it must: to a square with "
            f"the {AIM.words}, and of tied squares the one with the {EQUAL_AIM.words}.",
            (AIM.rule, EQUAL_AIM.rule),
        )
        when = "If there is no such square, or its weapon is depleted"
    yield (
        WAY,
        f"{when}, it moves 1 square, diagonals included, towards the closest hero ({PREY.words}): to a square with the "
        f"{closer.words}. If several tie, the group chooses.",
        tuple(dict.fromkeys(("NO-VATK-3", PREY.rule, closer.rule))),
    )
    if not one.kit.says("shares"):
        yield WAY, "It cannot enter or pass through a square with a figure.", ("NO-AMB-25",)
    if not ignored(one, "hindering"):
        yield WAY, "Hindering terrain costs it nothing extra.", ("NO-AMB-24",)
    yield (
        WAY,
        f"If it can reach nobody, it moves to a square with the {FAR_OFF.words}, ignoring obstacles, or stays if it is "
        "already on one.",
        (FAR_OFF.rule,),
    )
    sure = any(reaches_to(arm, 2) and not arm.deplete for arm in one.arms) and not aims(one)
    if one.arms and not one.kit.says("shares") and not sure:
        told = "If it is one move from a hero round a corner and cannot attack, it moves to a square beside the hero"
        yield WAY, f"{told} from which it can.", (ROUND_A_CORNER.rule,)


def ignored(one: Being, terrain: str) -> bool:
    """Return whether it always ignores a kind of terrain."""
    found = (static.clause["terrain"] for static in one.kit.says("ignore") if static.condition is None)
    return any(isinstance(named, Phrase) and terrain in named.name for named in found)


# Stun, depletion, elimination


def stunned(_box: Box, one: Being) -> Told:
    if any(static.condition is None and is_of_itself(static) for static in one.kit.says("cannot-be-stunned")):
        return
    if DIES_OF_STUN in one.powers:
        yield STUNNED, "A Stun eliminates it.", ("NO-HIT-7",)
        return
    told = "It spends all AP of its next activation on removing the marker."
    yield STUNNED, f"{told} Until then, attacks on it get +{STUNNED_DRM}.", ("NO-AMB-29", "NO-DRM-2")
    if "boss" in one.powers:
        yield STUNNED, "On hard, it cannot be stunned.", ("NO-HIT-9",)


def is_of_itself(static: Static) -> bool:
    who = static.clause["who"]
    return isinstance(who, Phrase) and who.name in ("you", "this-vermin")


def empty(box: Box, one: Being) -> Told:
    """Yield what happens when cards deplete its attacks."""
    for arm in one.arms:
        if not arm.deplete:
            continue
        card = TABLE.print(box.depleting(arm.deplete), box.phrase_names, "card")
        yield EMPTY, f"{_capital(card)} among the drawn cards depletes {arm.called}.", ("NO-ATK-8", "NO-AMB-31")
        others = [other.name for other in one.arms if other != arm]
        would = f"{arm.called} would" if others else f"{arm.called} would fit"
        before = f"It then uses {listed(others)}. If that does not fit and {would}" if others else f"If {would}"
        told = f"{before}, it spends all AP of an activation on reloading and does nothing else."
        yield EMPTY, told, ("NO-AMB-30",)


def end(box: Box, one: Being) -> Told:
    """Yield how it is eliminated, and what happens then."""
    yield END, f"{plural(one.foe.health, 'Wound')} eliminate{'s' if one.foe.health == 1 else ''} it.", ("NO-VERM-5",)
    if "boss" in one.powers:
        return
    told = "Its marker goes to the vermin discard and may return when the pool is empty."
    yield END, told, ("NO-ELIM-1", "NO-SPAWN-2")
    for foe in map(box.foe, box.of_deck("foes")):
        for ability in foe.kit.reactions.get("is-eliminated", ()):
            if raises(ability):
                body = [arm.name for arm in one.arms if arm.body]
                left = f"As a zombie, it has only {listed(body)}." if len(body) < len(one.arms) else ""
                left = left if body else "As a zombie, it has no attack."
                told = f"While {foe.name} is on the map: {said(box, ability, bare=True)} {left}"
                yield END, told.strip(), (ability.rule, "NO-AMB-57")


def raises(ability: Ability) -> bool:
    """Return whether a power brings others back."""
    return any(clause.name == "returns" for sentence in ability.body for clause in sentence.every())


# Powers


def by_powers(box: Box, one: Being) -> Iterator[Habit]:
    """Yield every line of its powers, in its own words."""
    for name in sorted(one.powers & HOOKS.keys()):
        row = box.facts["lists"]["powers"][name]
        for line in row["text"].split("\n"):
            yield Habit(HOOKS[name], _its(line), (row["rule"],))
    of_tokens = [
        ability for ability in box.token_abilities if ability.rule in {each.rule for each in one.kit.abilities}
    ]
    for ability in (*one.kit.abilities, *of_tokens):
        names = [static.clause.name for static in one.kit.statics if static.ability == ability]
        when = next((HOLDS[name] for name in names if name in HOLDS), BESIDES)
        if ability.on in ON and not names:
            when = ON[ability.on]
        if when in (END, STUNNED) and not is_about_itself(ability):
            when = BESIDES
        if "only-attacks" in names:  # described with the remaining attacks
            continue
        if any("stinkbomb" in clause.name for sentence in ability.body for clause in sentence.every()):
            when = STUNNED
        yield Habit(when, said(box, ability), (ability.rule,))


def is_about_itself(ability: Ability) -> bool:
    """Return whether an ability is about its owner, not about others."""
    parts = [ability.trigger] if ability.trigger is not None else list(ability.body)
    return any(part.name == "this-vermin" for phrase in parts for part in phrase.every())


def said(box: Box, ability: Ability, bare: bool = False) -> str:
    """Return a line of a power as printed, with "it" for its owner; if `bare`, without its trigger and limits."""

    def printed(phrase: Phrase, kind: str) -> str:
        return TABLE.print(phrase, box.phrase_names, kind)

    text = " ".join(_capital(printed(sentence, "sentence")) for sentence in ability.body)
    if ability.cost is not None:
        text = f"{_capital(printed(ability.cost, 'cost'))}: {text}"
    if ability.trigger is not None and not bare:
        text = f"{_capital(printed(ability.trigger, 'trigger'))}, {_small(text)}"
    limits = (f"{_capital(printed(Phrase(name), 'limit'))}." for name in ability.limits)
    return _its(" ".join([text, *(() if bare else limits)]))


def _its(text: str) -> str:
    """Replace "this vermin" with "it"."""
    text = text.replace("This vermin's", "Its").replace("this vermin's", "its").replace("This vermin", "It")
    return re.sub(r"(?<!those of )\bthis vermin", "it", text)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _small(text: str) -> str:
    """Return a sentence that continues another; words in capitals stay as they are."""
    return text if text[:2].isupper() else text[:1].lower() + text[1:]
