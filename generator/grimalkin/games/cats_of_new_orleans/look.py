"""Revealing and hiding: vermin that a hero sees immediately turn face up, and some turn face down again unseen."""

from __future__ import annotations

from grimalkin.engine.law import law
from grimalkin.games.cats_of_new_orleans import space
from grimalkin.games.cats_of_new_orleans.agenda import task
from grimalkin.games.cats_of_new_orleans.names import insert, spoken
from grimalkin.games.cats_of_new_orleans.table import Table, Vermin
from grimalkin.games.cats_of_new_orleans.triggers import react
from grimalkin.games.cats_of_new_orleans.who import Said, holds


@law("NO-HIDE-6")
def reveal(table: Table, vermin: Vermin) -> None:
    """Turn a vermin face up, and rename it."""
    was = vermin.name
    vermin.up, vermin.known = True, False
    insert(table, vermin)
    table.tell(
        "NO-HIDE-5", f"{spoken(table, was)} is revealed as {spoken(table, vermin.name)}.", vermin=vermin.name, was=was
    )
    react(table, "is-revealed", vermin.name)


@task
@law("NO-HIDE-5", "NO-AMB-74", "NO-AMB-139")
def look(table: Table) -> None:
    """Check who is seen after every change of places, doors or figures, and who no longer is."""
    seen, foes = space.seen_by_heroes(table), table.box.foes
    hiding = []
    for vermin in table.vermin[:]:
        if not vermin.up:
            if seen >> vermin.at & 1:
                reveal(table, vermin)
        elif foes[vermin.marker].hides:
            hiding.append(vermin)
    for vermin in hiding:  # only now are the names of revealed vermin free again
        hide_if_unseen(table, vermin)
    watch(table, seen)


@law("NO-PWR-3")
def hide_if_unseen(table: Table, vermin: Vermin) -> None:
    """Turn a vermin with Camouflage that no hero sees face down again; everybody remembers its marker."""
    for kit in space.kits_of(table, vermin):
        for ability in kit.reactions.get("while", ()):
            said = Said(ability, vermin.name, vermin.name)
            assert ability.trigger is not None
            condition = ability.trigger["condition"]
            if holds(table, said, condition):  # type: ignore[arg-type]  # a phrase, as the form has it
                was = vermin.name
                vermin.up, vermin.known = False, True
                insert(table, vermin)
                told = (
                    f"Out of every hero's sight, {spoken(table, was)} turns face down as {spoken(table, vermin.name)}."
                )
                table.tell(ability.rule, told, vermin=vermin.name, was=was)
                return


def watch(table: Table, seen: int) -> None:
    """Trigger the special rules of the scenario that wait until a hero sees a certain vermin."""
    waiting = table.plan.kit.reactions.get("sees", ())
    if not any(ability.clause not in table.used_up for ability in waiting):
        return
    for vermin in table.vermin:
        if vermin.up and seen & space.covers(table, vermin):
            for hero in space.here(table):
                if space.sees_figure(table, hero, vermin):
                    react(table, "sees", hero.name, that=vermin.name)
                    break
