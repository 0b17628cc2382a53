"""Abilities of cards and powers, sorted by when they apply.

A *kit* is everything that one hero or vermin has: *statics*, which hold all the time, *reactions*, which wait for
something to happen, and *deeds*, which may be done in its own activation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Final, NamedTuple

from grimalkin.engine.law import By
from grimalkin.engine.phrases import Phrase

STATIC: Final = frozenset(
    {
        "draws",
        "attackers-draws",
        "more-cards",
        "reach",
        "better-of-two",
        "worse-of-two",
        "no-hindering",
        "wound-too",
        "area",
        "ignore",
        "shares",
        "cannot-be-stunned",
        "only-attacks",
        "no-weapons",
        "areas-miss",
        "no-attack",
        "whole-initiative",
        "may-not",
        "need-not",
    }
)
"""Clauses that hold all the time. All other clauses make something happen."""
OWN_ATTACK: Final = frozenset(
    {"you-attack", "after-attack", "attack-misses", "you-stun", "you-wound", "you-eliminate", "you-draw"}
)
"""Triggers about attacks that, on a weapon, mean only attacks made with it."""
DURING: Final = frozenset({"you-attack", "attacks", "attacks-whom", "you-draw", "somebody-draws", "you-are-attacked"})
"""Triggers in the middle of an attack."""
ABOARD: Final[Annotated[frozenset[str], By("NO-AMB-141")]] = frozenset(
    {"recover", "lose-lives", "suffer", "gain-bucks", "lose-bucks", "draw-loot", "draw-loot-keep", "cheaper"}
    | {"larger-offer", "initiative-heroes", "initiative-vermin", "read", "log"}
)
"""Clauses that need neither a map nor the party hand. Only these have an effect on the Riverboat."""


class Ability(NamedTuple):
    """One line of a card: its trigger, its cost, its effects, and its limits."""

    card: int
    """The number of the card, hero or aspect that has it; NOTHING for a power or a clause of a scenario."""
    rule: str
    """The rule that makes it count."""
    name: str
    """What sentences call it."""
    trigger: Phrase | None
    cost: Phrase | None
    body: tuple[Phrase, ...]
    limits: tuple[str, ...]
    on: str
    """The name of its trigger; empty without one."""
    optional: bool
    """Whether one may decline it: it has a cost or says "may"."""
    clause: int
    """The number of the special rule, in a scenario; otherwise NOTHING."""
    weapon: bool
    """Whether it is on a weapon."""


class Static(NamedTuple):
    """A clause that holds while its condition does; None: always."""

    ability: Ability
    condition: Phrase | None
    clause: Phrase


class Kit:
    """Abilities by when they apply."""

    __slots__ = ("abilities", "by_clause", "deeds", "reactions", "statics")

    def __init__(self, abilities: Sequence[Ability]) -> None:
        self.abilities = tuple(abilities)
        self.statics: tuple[Static, ...] = tuple(one for ability in abilities for one in statics_of(ability))
        self.by_clause: dict[str, tuple[Static, ...]] = {}
        for static in self.statics:
            name = static.clause.name
            self.by_clause[name] = (*self.by_clause.get(name, ()), static)
        self.reactions: dict[str, tuple[Ability, ...]] = {}
        deeds = []
        for ability in abilities:
            if is_static(ability):
                continue
            if ability.on:
                self.reactions[ability.on] = (*self.reactions.get(ability.on, ()), ability)
            else:
                deeds.append(ability)
        self.deeds = tuple(deeds)

    def says(self, clause: str) -> tuple[Static, ...]:
        """Return the statics with this clause."""
        return self.by_clause.get(clause, ())


EMPTY: Final = Kit(())


def abilities_of(
    phrase: Phrase, card: int, rule: str, name: str, *, clause: int = -1, weapon: bool = False
) -> Iterator[Ability]:
    """Yield the abilities of a text, one for each line."""
    for one in _all(phrase["abilities"]):
        parts = dict(one.parts)
        trigger, cost = parts.get("trigger"), parts.get("cost")
        body = tuple(_all(parts["body"]))
        limits = tuple(limit.name for _, limit in _phrases(parts["limits"]))
        optional = cost is not None or all(sentence.name in ("may", "pays") for sentence in body)
        on = trigger.name if isinstance(trigger, Phrase) else ""
        if not on and any(clause.name == "redraw" for sentence in body for clause in sentence.every()):
            on = "you-drew"  # it is about a card just drawn
        yield Ability(
            card,
            rule,
            name,
            trigger if isinstance(trigger, Phrase) else None,
            cost if isinstance(cost, Phrase) else None,
            body,
            limits,
            on,
            optional,
            clause,
            weapon,
        )


def statics_of(ability: Ability) -> Iterator[Static]:
    """Yield the statics of an ability; none if it makes something happen."""
    if not is_static(ability):
        return
    held = dict(ability.trigger.parts).get("condition") if ability.trigger is not None else None
    for sentence in ability.body:
        inner = sentence["condition"] if sentence.name == "if" else held
        assert inner is None or isinstance(inner, Phrase)
        for clause in _all(sentence["clauses"]):
            yield Static(ability, inner, clause)


def is_static(ability: Ability) -> bool:
    """Return whether an ability only holds: it has no cost, and applies either always or under a condition."""
    if ability.cost is not None or ability.on not in ("", "while", "initiative"):
        return False
    return ability.on == "initiative" or all(
        sentence.name in ("do", "if") and all(clause.name in STATIC for clause in _all(sentence["clauses"]))
        for sentence in ability.body
    )


def kit_of(abilities: Iterable[Ability]) -> Kit:
    return Kit(tuple(abilities))


def _all(value: object) -> tuple[Phrase, ...]:
    """Return the phrases in a slot."""
    if isinstance(value, tuple):
        return tuple(one for one in value if isinstance(one, Phrase))
    return (value,) if isinstance(value, Phrase) else ()


def _phrases(phrase: object) -> Iterator[tuple[str, Phrase]]:
    assert isinstance(phrase, Phrase)
    for label, value in phrase.parts:
        if isinstance(value, Phrase):
            yield label, value


def a_phrase(value: object) -> Phrase:
    """Return the phrase in a slot with exactly one."""
    assert isinstance(value, Phrase)
    return value
