"""What cards and powers can do, ready to be asked: their sentences sorted by when they have a say.

A *kit* is all that one hero or vermin has: *statics*, which say how things are, *reactions*, which wait for something
to happen, and *deeds*, which may be done in the own activation.
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
"""Clauses that say how things are. Of all others something happens."""
OWN_ATTACK: Final = frozenset(
    {"you-attack", "after-attack", "attack-misses", "you-stun", "you-wound", "you-eliminate", "you-draw"}
)
"""When a weapon speaks of attacks, it means those that are made with it."""


ABOARD: Final[Annotated[frozenset[str], By("NO-AMB-141")]] = frozenset(
    {"recover", "lose-lives", "suffer", "gain-bucks", "lose-bucks", "draw-loot", "draw-loot-keep", "cheaper"}
    | {"larger-offer", "initiative-heroes", "initiative-vermin", "read", "log"}
)
"""Clauses that need neither a map nor the party hand. No others do anything on the Riverboat."""


class Ability(NamedTuple):
    """One line of a card: when it has a say, what it costs, what it does, how often."""

    card: int
    """The number of the card, hero or aspect that has it; NOTHING for a power or a clause of a scenario."""
    rule: str
    """The rule by which it has a say."""
    name: str
    """What it is called in sentences."""
    trigger: Phrase | None
    cost: Phrase | None
    body: tuple[Phrase, ...]
    limits: tuple[str, ...]
    on: str
    """The name of its trigger; empty without one."""
    optional: bool
    """Whether one may leave it: it costs something, or says that one may."""
    clause: int
    """Of a scenario, which of its special rules; else NOTHING."""
    weapon: bool
    """Whether it stands on a weapon."""


class Static(NamedTuple):
    """How things are, as long as a condition holds; None: always."""

    ability: Ability
    condition: Phrase | None
    clause: Phrase


class Kit:
    """Abilities by when they have a say."""

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
        """The statics with this clause."""
        return self.by_clause.get(clause, ())


EMPTY: Final = Kit(())


def abilities_of(
    phrase: Phrase, card: int, rule: str, name: str, *, clause: int = -1, weapon: bool = False
) -> Iterator[Ability]:
    """The abilities of a text, one a line."""
    for one in _all(phrase["abilities"]):
        parts = dict(one.parts)
        trigger, cost = parts.get("trigger"), parts.get("cost")
        body = tuple(_all(parts["body"]))
        limits = tuple(limit.name for _, limit in _phrases(parts["limits"]))
        optional = cost is not None or all(sentence.name in ("may", "pays") for sentence in body)
        on = trigger.name if isinstance(trigger, Phrase) else ""
        if not on and any(clause.name == "redraw" for sentence in body for clause in sentence.every()):
            on = "you-drew"  # it speaks of a card that has just been drawn
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
    """What it says of how things are. Nothing, if something happens."""
    if not is_static(ability):
        return
    held = dict(ability.trigger.parts).get("condition") if ability.trigger is not None else None
    for sentence in ability.body:
        inner = sentence["condition"] if sentence.name == "if" else held
        assert inner is None or isinstance(inner, Phrase)
        for clause in _all(sentence["clauses"]):
            yield Static(ability, inner, clause)


def is_static(ability: Ability) -> bool:
    """Whether it only says how things are: without a price, always or while something is so."""
    if ability.cost is not None or ability.on not in ("", "while", "initiative"):
        return False
    return ability.on == "initiative" or all(
        sentence.name in ("do", "if") and all(clause.name in STATIC for clause in _all(sentence["clauses"]))
        for sentence in ability.body
    )


def kit_of(abilities: Iterable[Ability]) -> Kit:
    return Kit(tuple(abilities))


def _all(value: object) -> tuple[Phrase, ...]:
    """The phrases in a slot."""
    if isinstance(value, tuple):
        return tuple(one for one in value if isinstance(one, Phrase))
    return (value,) if isinstance(value, Phrase) else ()


def _phrases(phrase: object) -> Iterator[tuple[str, Phrase]]:
    assert isinstance(phrase, Phrase)
    for label, value in phrase.parts:
        if isinstance(value, Phrase):
            yield label, value
