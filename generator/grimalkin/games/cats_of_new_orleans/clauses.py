"""What a clause is about: which attacks, whom it names, for how long; and the verbs that carry clauses out.

Cards have no code of their own, only these clauses. Verbs register themselves, each with whether it would change
anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from grimalkin.engine.law import law
from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans.box import UNARMED, Arm
from grimalkin.games.cats_of_new_orleans.events import statics_for
from grimalkin.games.cats_of_new_orleans.figures import Figure, Said, candidates, find_figure, fits
from grimalkin.games.cats_of_new_orleans.phrases.abilities import Ability, a_phrase
from grimalkin.games.cats_of_new_orleans.table import Table, Vermin

Verb = Callable[[Table, Said, Phrase, Sequence[Figure], str], None]
VERBS: Final[dict[str, Verb]] = {}
"""By the name of a clause, the function that applies it to the figures it means."""
Useful = Callable[[Table, Said, Phrase, Figure | None], bool]
USEFUL: Final[dict[str, Useful]] = {}
"""By the name of a clause, whether it would change anything for a figure. Clauses not listed always might."""
CHOICES: Final = frozenset({"whom", "who", "figure"})
"""The slots in which a clause names figures."""
NOT_PICKED: Final = frozenset(
    {"attackers-draws", "areas-miss", "attack-back", "stinkbomb", "returns", "leaves-scenario"}
)
"""Clauses that do nothing to the figures they name, or to nobody on the map."""


def means(table: Table, said: Said, figure: Phrase, one: Figure) -> bool:
    if figure.name in ("it", "this-vermin", "that-hero", "that-vermin"):
        return one in candidates(table, said, figure)
    return fits(table, said, figure, one)


def in_scope(table: Table, said: Said, clause: Phrase, arm: Arm, at: Figure | None) -> bool:
    """Return whether a clause applies to this attack, by its Range, weapon and target."""
    of = scope_of(clause)
    by_arm = is_about(said.ability, of, arm)
    if by_arm is not None or at is None:
        return by_arm is not False
    if of.name == "on-figure":
        return means(table, said, a_phrase(of["figure"]), at)
    return fits(table, said, Phrase("a-vermin", of.parts), at)


def scope_of(clause: Phrase) -> Phrase:
    """Return the attacks that a clause is about."""
    of = dict(clause.parts).get("scope")
    if of is None:
        return Phrase("any")
    return a_phrase(a_phrase(of)["scope"]) if a_phrase(of).name == "scope" else a_phrase(of)


def is_about(ability: Ability, of: Phrase, arm: Arm) -> bool | None:
    """Return whether an attack is in scope, whatever its target; None if the target decides."""
    if of.name in ("any", "of-its-attacks"):
        return True
    if of.name == "with-this":
        return ability.card == arm.card
    if of.name == "unarmed":
        return arm.id == UNARMED
    if of.name == "range-1":
        return arm.range == 1
    if of.name == "range-at-least":
        return arm.range >= int(str(of["n"]))
    return None


def verb(*names: str) -> Callable[[Verb], Verb]:
    """Register a function for the clauses of these names."""

    def mark(function: Verb) -> Verb:
        VERBS.update(dict.fromkeys(names, function))
        return function

    return mark


def pick_of(clause: Phrase) -> Phrase | None:
    """Return the figures that a clause means: a phrase for figures, `you`, or up to a number; None for nobody."""
    if clause.name in NOT_PICKED:
        return None
    for label, value in clause.parts:
        if label in CHOICES and isinstance(value, Phrase):
            return value["figure"] if value.name == "figure" and isinstance(value["figure"], Phrase) else value
    return None


def one_of(figure: Phrase) -> Phrase:
    """Return a phrase for any one of those among whom several may be chosen."""
    return Phrase("a-vermin", tuple(part for part in figure.parts if part[0] != "n"))


def number(clause: Phrase) -> int:
    return int(str(clause["n"]))


def can_do(table: Table, said: Said, clause: Phrase, one: Figure | None = None) -> bool:
    """Return whether a clause would change anything, as far as known beforehand; for `one` only, if given."""
    figure = pick_of(clause)
    if figure is not None and one is None:
        if figure.name not in ("you", "up-to"):
            return any(can_do(table, said, clause, each) for each in candidates(table, said, figure))
        if figure.name == "up-to":
            return any(can_do(table, said, clause, each) for each in candidates(table, said, one_of(figure)))
        one = find_figure(table, said.me)
    useful = USEFUL.get(clause.name)
    return useful is None or useful(table, said, clause, one)


def lasts(table: Table, said: Said, until: str) -> tuple[str, str, int, int]:
    """Return the record of an ability that applies for a time."""
    ability = said.ability
    return (until or "activation", said.me, ability.card, table.box.said_by(ability.card).index(ability))


def is_new(table: Table, said: Said, until: str) -> bool:
    """Return whether an ability does not yet apply for this time."""
    return lasts(table, said, until) not in table.lasting


@law("NO-AMB-106")
def is_of_weapon(said: Said, arm: Arm) -> bool:
    """Return whether an ability applies to this attack: that of a weapon applies only to attacks with it."""
    return not said.ability.weapon or said.ability.card == arm.card


def range_of(table: Table, by: Figure, arm: Arm) -> int:
    """Return the Range of an attack, with what cards add to it."""
    return arm.range if isinstance(by, Vermin) else arm.range + added(table, by, arm, "reach")


def added(table: Table, by: Figure, arm: Arm, name: str) -> int:
    """Return what the attacker's own cards add to an attack through clauses of this name."""
    return sum(
        int(str(clause["n"]))
        for said, clause in statics_for(table, name, by)
        if is_of_weapon(said, arm) and in_scope(table, said, clause, arm, None)
    )
