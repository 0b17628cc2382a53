"""The picture of a Werecats table: what lies there is drawn, by its word and its number."""

from __future__ import annotations

import re
from typing import Any

import pytest
from shown import bundled

from grimalkin.games import werecats
from grimalkin.site.pages.tables import Tables

TABLE: dict[str, Any] = {
    "seats": {
        "Ada": {"cats": {"soot": 3, "baker": 1}, "graveyard": ["miller", "widow"]},
        "Basil": {"cats": {"tom": 2}},
    },
    "city": ["constable", "seer", "heir"],
    "under": ["dandy"],
    "scared": ["Basil"],
    "acting": "baker",
}


@pytest.fixture(scope="module")
def tables() -> Tables:
    return Tables(bundled("werecats"))


def drawn(tables: Tables, position: dict[str, Any]) -> tuple[str, str]:
    """The SVG of a position without its fonts, and the words in it."""
    state = werecats.load(tables.composer.game.facts, position)
    picture = tables.picture(state.position())
    assert picture is not None
    svg = re.sub(r"<style>.*?</style>", "", tables.files[picture.path], flags=re.DOTALL)
    words = re.sub(r"\s+", " ", " ".join(re.findall(r">([^<]+)<", svg)))
    return svg, words


def test_cards_food_and_piles_are_drawn(tables: Tables) -> None:
    """Three in the City, two cats of Ada, her Graveyard of two, the deck of 43: 50 - 3 - 1 - 2 - 1 known under it = 43,
    drawn with the one below as 44."""
    _, words = drawn(tables, TABLE)
    for word in ("Constable", "Seer", "Heir", "Baker", "Dandy", "44"):
        assert word in words, word


def test_who_has_scared_and_who_acts_is_told(tables: Tables) -> None:
    """Basil has scared the City; the baker has its turn."""
    _, words = drawn(tables, TABLE)

    assert "Basil · has scared the City" in words
    assert "Ada · has scared" not in words
    assert "Baker acts" in words


def test_before_the_first_round_seats_choose(tables: Tables) -> None:
    """Ada has chosen, Basil has not."""
    _, words = drawn(tables, {"seats": {"Ada": {"cats": {"soot": 2}}, "Basil": {}}, "phase": "choosing"})

    assert "Basil · chooses a starting cat" in words
    assert "Ada · " not in words


def test_food_changes_the_picture(tables: Tables) -> None:
    """One food less on the baker is another picture; so is a City in another order."""
    seats = {**TABLE["seats"], "Ada": {"cats": {"soot": 3, "baker": 0}, "graveyard": ["miller", "widow"]}}
    pictures = {
        drawn(tables, position)[0]
        for position in (TABLE, {**TABLE, "seats": seats}, {**TABLE, "city": ["heir", "seer", "constable"]})
    }

    assert len(pictures) == 3
