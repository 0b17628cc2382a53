"""Read and check the facts of The Cats of New Orleans: the texts of its pieces, powers and scenarios."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from grimalkin.engine.contract import Facts
from grimalkin.engine.phrases import NotRead, Phrase
from grimalkin.engine.shape import Misfit
from grimalkin.games.cats_of_new_orleans.checks import cross_misfits
from grimalkin.games.cats_of_new_orleans.phrases import TABLE, names_of

At = tuple[str | int, ...]
COLUMNS: Final = ("text", "special", "does")
"""The columns of pieces, powers and entries that hold sentences."""
CLAUSES: Final = ("set-up", "spawn", "objectives", "special", "between")
"""The keys of a scenario that hold sentences."""


def check_facts(facts: Facts) -> list[Misfit]:
    """Return the faults in the components, powers, scenarios and story of this game."""
    names = names_of(facts)
    said: dict[At, Phrase] = {}
    misfits = []
    for at, text in every_text(facts):
        try:
            said[at] = TABLE.read(text, names)
        except NotRead as error:
            misfits.append(Misfit(at, str(error), error.hint(text)))
    return misfits or list(cross_misfits(facts, said))


def every_text(facts: Facts) -> Iterator[tuple[At, str]]:
    """Yield every text for the phrase table with the keys that lead to it; texts carried out by a hook are left out."""
    for id_, piece in facts["components"].items():
        if piece["deck"] != "records":
            yield from _texts(("components", id_), piece)
    for list_id, rows in facts.get("lists", {}).items():
        for id_, row in rows.items():
            yield from _texts(("lists", list_id, id_), row)
    for id_, scenario in facts.get("scenarios", {}).items():
        for key in CLAUSES:
            for index, clause in enumerate(scenario.get(key, ())):
                yield from _texts(("scenarios", id_, key, index), clause)
    for number, entry in facts.get("entries", {}).items():
        if not entry.get("code") and entry.get("does"):
            yield ("entries", number, "does"), entry["does"]


def _texts(at: At, holder: Mapping[str, Any]) -> Iterator[tuple[At, str]]:
    for column in COLUMNS:
        if holder.get(column) and not holder.get("code"):
            yield (*at, column), holder[column]


def read_text(text: str, facts: Facts) -> Phrase:
    """Return the meaning of a card's text. Raises NotRead."""
    return TABLE.read(text, names_of(facts))
