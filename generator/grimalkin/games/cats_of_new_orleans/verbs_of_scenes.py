"""The verbs of powers and scenarios: vermin that return or hide, tokens, entries, spawns, the end."""

from __future__ import annotations

from collections.abc import Sequence

from grimalkin.engine.law import law
from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans import space
from grimalkin.games.cats_of_new_orleans.agenda import do
from grimalkin.games.cats_of_new_orleans.look import reveal
from grimalkin.games.cats_of_new_orleans.names import insert, spoken
from grimalkin.games.cats_of_new_orleans.space import Figure
from grimalkin.games.cats_of_new_orleans.table import Table, Vermin
from grimalkin.games.cats_of_new_orleans.who import Said, number, verb

# Powers


@verb("returns")
@law("NO-PWR-1", "NO-AMB-91")
def returns(table: Table, said: Said, clause_unused: Phrase, figures_unused: object, until_unused: str) -> None:
    """Bring an eliminated vermin back at full Health, on its square or the closest empty one."""
    fallen = said.fallen
    if fallen is None or fallen.marker not in table.graves:
        return
    table.graves.remove(fallen.marker)
    do(table, "place_vermin", fallen.marker, fallen.square, True, True)


@verb("leaves-scenario")
@law("NO-PWR-2")
def leaves_scenario(table: Table, said: Said, clause_unused: Phrase, figures_unused: object, until_unused: str) -> None:
    fallen = said.fallen
    if fallen is not None and fallen.marker in table.graves:
        table.graves.remove(fallen.marker)
        table.gone = sorted([*table.gone, fallen.marker])
        table.tell(said.ability.rule, f"{spoken(table, fallen.name)} leaves the scenario for good.", vermin=fallen.name)


@verb("stinkbomb")
@law("NO-PWR-20", "NO-AMB-93", "NO-AMB-64")
def stinkbomb(table: Table, said: Said, clause_unused: Phrase, figures_unused: object, until_unused: str) -> None:
    one = space.find_figure(table, said.me)
    most = table.box.piece(table.box.numbers["stinkbomb-token"])["count"]
    if one is not None and len(table.stinkbombs) < most:
        square = one.at
        table.stinkbombs = sorted([*table.stinkbombs, square])
        name = space.board_of(table).names[square]
        table.tell(said.ability.rule, f"A Stinkbomb token is placed on {name}.", square=name)


@verb("reveal")
def reveals(
    table: Table, said_unused: Said, clause_unused: Phrase, figures: Sequence[Figure], until_unused: str
) -> None:
    for one in list(figures):
        if isinstance(one, Vermin) and not one.up:
            reveal(table, one)


@verb("hide")
def hides(table: Table, said_unused: Said, clause_unused: Phrase, figures: Sequence[Figure], until_unused: str) -> None:
    for one in figures:
        if isinstance(one, Vermin):
            one.up, one.known = False, True
            insert(table, one)


# The scenario


@verb("initiative-heroes", "initiative-vermin")
def initiative(table: Table, said: Said, clause: Phrase, figures_unused: object, until_unused: str) -> None:
    """Set the next initiative: 1 for the heroes, 2 for the vermin."""
    table.initiative = 1 if clause.name == "initiative-heroes" else 2
    side = "heroes" if table.initiative == 1 else "vermin"
    table.tell(said.ability.rule, f"The {side} will win the next initiative.", side=side)


@verb("read")
@law("NO-SCN-9", "NO-S1-7")
def read(table: Table, said_unused: Said, clause: Phrase, figures_unused: object, until_unused: str) -> None:
    do(table, "read_entry", number(clause), said_unused.that)


@verb("log")
def log(table: Table, said_unused: Said, clause: Phrase, figures_unused: object, until_unused: str) -> None:
    if number(clause) not in table.entries:
        table.entries.append(number(clause))
        table.entries.sort()
    table.tell("NO-SCN-9", f"Entry {number(clause)} is now in the Adventure Log.", entry=number(clause))


@verb("leaves-map")
def leaves_map(table: Table, said: Said, clause: Phrase, figures_unused: object, until_unused: str) -> None:
    """Remove a Stinkbomb token from the map."""
    if said.square in table.stinkbombs:
        table.stinkbombs.remove(said.square)
        name = space.board_of(table).names[said.square]
        table.tell(said.ability.rule, f"The Stinkbomb token on {name} is removed.", square=name)


@verb("spawn")
def spawn(table: Table, said_unused: Said, clause: Phrase, figures_unused: object, until_unused: str) -> None:
    mark = clause["mark"]
    assert isinstance(mark, Phrase)
    for _ in range(number(clause)):
        do(table, "spawn_on", mark.name.upper())


@verb("scenario-lost")
@law("NO-S1-4", "NO-S1-5")
def scenario_lost(table: Table, said: Said, clause_unused: Phrase, figures_unused: object, until_unused: str) -> None:
    table.lost = said.ability.name
    table.tell(said.ability.rule, f"{said.ability.name}: the scenario is lost.", why=said.ability.name)


@verb(
    "remove-loot",
    "take-preferred",
    "learn",
    "safehaven",
    "riverboat",
    "need-not",
    "investigate",
    "cheaper",
    "larger-offer",
)
def elsewhere(*unused: object) -> None:
    """Do nothing: set-up, objectives and the Riverboat handle these clauses."""
