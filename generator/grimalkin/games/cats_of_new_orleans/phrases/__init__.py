"""The phrase table of The Cats of New Orleans: the sentences of cards, powers, flaws, events and scenarios.

A text has one ability on each line. An ability has its gates (trigger and cost), its sentences, and its limits.
`figures` has who, where and which, `moments` has gates and limits, `verbs` has actions. `abilities` are sorted by when
they apply.
"""

from __future__ import annotations

from typing import Final

from grimalkin.engine.contract import Facts
from grimalkin.engine.phrases import Form, Kind, Names, Series, Table
from grimalkin.games.cats_of_new_orleans.phrases.figures import FIGURES
from grimalkin.games.cats_of_new_orleans.phrases.moments import MOMENTS
from grimalkin.games.cats_of_new_orleans.phrases.verbs import VERBS

SENTENCES: Final = (
    Kind("text", "all that a card says", [Form("text", "{abilities}")]),
    Kind("abilities", "abilities, one a line", Series("ability", "\n", "\n")),
    Kind(
        "ability",
        "an ability",
        [
            Form("always", "{^body}{limits}"),
            Form("when", "{^trigger}, {body}{limits}"),
            Form("costs", "{^cost}: {^body}{limits}"),
            Form("when-costs", "{^trigger}, {cost}: {^body}{limits}"),
        ],
    ),
    Kind("body", "sentences", Series("sentence", " ", " ", capitals=True)),
    Kind(
        "sentence",
        "a sentence",
        [
            Form("do", "{clauses}."),
            Form("for-a-time", "{duration}, {clauses}."),
            Form("may", "you may {clauses}."),
            Form("either", "either {clauses}, or {other:clauses}."),
            Form("pays", "{whom} may {cost} to {clauses}."),
            Form("if", "if {condition}, {clauses}."),
            Form("draw", "DRAW. On {result}, {clauses}."),
            Form(
                "draw-else",
                "DRAW. On {result}, {clauses}. Otherwise, {else:clauses}.",
                example="Exhaust: DRAW. On 7+, stun a vermin in sight. Otherwise, suffer 1 Wound.",
                offered=True,
            ),
            Form("flip", "FLIP. On {result}, {clauses}."),
            Form("flip-else", "FLIP. On {result}, {clauses}. Otherwise, {else:clauses}."),
            Form("must-draw", "{figure} makes a DRAW. On {result}, {clauses}."),
            Form("flip-for-both", "FLIP for {figure} and, if on the map, for {other:figure}. On {result}, {clauses}."),
            Form("flip-for", "FLIP for {figure}. On {result}, {clauses}."),
            Form("coin", "Flip the Buck coin. Heads: {^heads:clauses}. Tails: {^tails:clauses}."),
        ],
    ),
    Kind("clauses", "what is done, in this order", Series("clause", ", ", " and ")),
)

TABLE: Final = Table([*SENTENCES, *MOMENTS, *VERBS, *FIGURES])


def names_of(facts: Facts) -> Names:
    """Return the names that sentences may use, with their ids."""
    pieces = facts["components"]
    return {
        "foes": {piece["name"]: id_ for id_, piece in pieces.items() if piece["deck"] == "foes"},
        "heroes": {piece["name"]: id_ for id_, piece in pieces.items() if piece["deck"] == "heroes"},
        "loot": {piece["name"]: id_ for id_, piece in pieces.items() if piece["deck"] == "loot"},
        "markers": {piece["name"]: id_ for id_, piece in pieces.items() if piece["deck"] == "markers"},
    }
