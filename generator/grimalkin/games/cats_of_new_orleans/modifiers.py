"""Draw Result Modifiers: everything added to each draw of an attack, with the rule behind it."""

from __future__ import annotations

from typing import Annotated, Final

from grimalkin.engine.law import By, law
from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans.box import Arm
from grimalkin.games.cats_of_new_orleans.numbers import HINDERED_DRM, STUNNED_DRM, VULNERABLE_DRM
from grimalkin.games.cats_of_new_orleans.space import Figure
from grimalkin.games.cats_of_new_orleans.table import Table, Vermin
from grimalkin.games.cats_of_new_orleans.triggers import every_static, statics_for
from grimalkin.games.cats_of_new_orleans.who import Said, fits, in_scope, means

STINKBLAST: Final[Annotated[str, By("NO-PWR-20", "NO-AMB-64")]] = "stinkbomb"
"""Of several tokens, only one counts."""


@law("NO-ATK-4", "NO-DRM-4", "NO-DRM-5", "NO-DRM-8", "NO-AMB-34")
def modifiers(
    table: Table, by: Figure, arm: Arm, at: Figure, hindered: bool, extra: int, rule: str
) -> tuple[tuple[str, int], ...]:
    """Return the modifiers of each draw of an attack, by rule."""
    found: list[tuple[str, int]] = []
    if hindered:
        found.append(("NO-DRM-1", HINDERED_DRM))
    if at.stunned:
        found.append(("NO-DRM-2", STUNNED_DRM))
    if at.vulnerable:
        found.append(("NO-DRM-3", VULNERABLE_DRM))
    if extra:
        found.append((rule, extra))
    for said, clause in every_static(table, "draws"):
        if is_of_weapon(said, arm) and _speaks_of(table, said, clause, by) and in_scope(table, said, clause, arm, at):
            found.append((said.ability.rule, int(str(clause["n"]))))
    for said, clause in every_static(table, "attackers-draws"):
        whom = _phrase(clause["whom"])
        meant = at.name == said.me if whom.name == "you" else means(table, said, _phrase(whom["figure"]), at)
        if meant:
            found.append((said.ability.rule, int(str(clause["n"]))))
    found += stinkbombs(table, by)
    return tuple(found)


@law("NO-PWR-20")
def stinkbombs(table: Table, by: Figure) -> list[tuple[str, int]]:
    """Return the penalty of a Stinkbomb token on attacks of figures around it, even after its Stinker has gone."""
    if not table.stinkbombs:
        return []
    for static in table.box.token_statics:
        said = Said(static.ability, "", "")
        if fits(table, said, _phrase(static.clause["who"]), by):
            return [(static.ability.rule, int(str(static.clause["n"])))]
    return []


@law("NO-AMB-106")
def is_of_weapon(said: Said, arm: Arm) -> bool:
    """Return whether an ability applies to this attack: that of a weapon applies only to attacks with it."""
    return not said.ability.weapon or said.ability.card == arm.card


def _speaks_of(table: Table, said: Said, clause: Phrase, by: Figure) -> bool:
    """Return whether the subject of a clause is the attacker."""
    who = _phrase(clause["who"])
    if who.name == "you":
        return by.name == said.me
    if _is_of_token(clause):
        return False
    return means(table, said, who, by)


def _is_of_token(clause: Phrase) -> bool:
    return any(one.name == STINKBLAST for one in clause.every())


def is_unhindered(table: Table, by: Figure, arm: Arm) -> bool:
    """Return whether a weapon or card makes an attack ignore all hindrance."""
    return any(is_of_weapon(said, arm) for said, _ in statics_for(table, "no-hindering", by))


def is_area(table: Table, arm: Arm) -> bool:
    """Return whether this weapon attacks an area."""
    return arm.card >= 0 and "area" in table.box.kit((arm.card,)).by_clause


def is_wound_too(table: Table, by: Figure, arm: Arm) -> bool:
    """Return whether a Stun of this attack is also a Wound."""
    return any(is_of_weapon(said, arm) for said, _ in statics_for(table, "wound-too", by))


def draws_of(table: Table, by: Figure, arm: Arm) -> int:
    """Return the number of cards drawn for an attack (NO-LOOT-11)."""
    return arm.draws + _added(table, by, arm, "more-cards")


def range_of(table: Table, by: Figure, arm: Arm) -> int:
    """Return the Range of an attack, with what cards add to it."""
    return arm.range if isinstance(by, Vermin) else arm.range + _added(table, by, arm, "reach")


def _added(table: Table, by: Figure, arm: Arm, name: str) -> int:
    """Return what the attacker's own cards add to an attack through clauses of this name."""
    return sum(
        int(str(clause["n"]))
        for said, clause in statics_for(table, name, by)
        if is_of_weapon(said, arm) and in_scope(table, said, clause, arm, None)
    )


def better_of_two(table: Table, by: Figure, arm: Arm) -> int:
    """Return 1 if the higher of two cards counts for each draw, -1 if the lower (NO-PWR-11, NO-AMB-62)."""
    better = any(in_scope(table, said, clause, arm, None) for said, clause in statics_for(table, "better-of-two", by))
    worse = any(in_scope(table, said, clause, arm, None) for said, clause in statics_for(table, "worse-of-two", by))
    return int(better) - int(worse)


def _phrase(value: object) -> Phrase:
    assert isinstance(value, Phrase)
    return value
