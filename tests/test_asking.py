"""What a script needs to ask cards with operators: the examples of a gallery, and the file of a game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from shown import BIRDS, MORE_BIRDS, bundled, show, write_birds

from grimalkin.site.pages import pages
from grimalkin.site.pages.gallery import Head, asks, galleries, names_of
from grimalkin.site.pages.links import Map
from grimalkin.site.pages.scripts import cards_script
from grimalkin.site.pages.templates import load_words


def head(key: str, label: str) -> Head:
    return Head(key, label, "text", None)


@pytest.mark.parametrize(
    ("heads", "names"),
    [
        ([head("vp", "Victory points")], ["victory-points"]),
        ([head("view_", "how it, if at all, is seen")], ["view"]),
        ([head("stun", "Stun Value, 0 for always")], ["stun"]),
        ([head("long", "a label that is much too long")], ["long"]),
        ([head("first", "cost"), head("second", "cost")], ["cost", "second"]),
        ([head("first", "second"), head("second", "other")], ["first", "other"]),
    ],
)
def test_columns_are_called_as_players_call_them(heads: Sequence[Head], names: list[str]) -> None:
    """By their label where it is short, plain, and of no other column; else by their key."""
    assert names_of(heads) == names


def test_examples_find_something_and_not_everything(tmp_path: Path) -> None:
    """Which rows they find is told with them; a deck whose cards are all alike has none."""
    words = load_words()
    (cards, birds) = galleries(show(write_birds(tmp_path / "birds", BIRDS)), words)

    assert [(ask.query, len(ask.found)) for ask in asks(birds, words)] == [
        ("family:wood", 1),
        ("wings>4", 1),
        ("tame:yes", 2),
        ("song:hiss", 1),
        ("tale:anybody", 1),
        ("view:near", 2),
        ("tame:yes view:near", 1),
        ('"barn owl"', 1),
        ('-name:"barn owl"', 3),
    ]
    assert all(0 < len(ask.found) < len(cards.rows) for ask in asks(cards, words))


def test_the_file_of_a_game_has_what_galleries_show(tmp_path: Path) -> None:
    """Of every deck its cards; of columns those that the site shows, in the words of the gallery."""
    made = pages(show(write_birds(tmp_path / "birds", BIRDS + MORE_BIRDS)))
    text = str(made["assets/cards/birds.js"])
    told = json.loads(text.partition("]=")[2].rstrip(";\n"))
    birds = told["decks"][1]

    assert [deck["id"] for deck in told["decks"]] == ["cards", "birds"]
    assert birds["page"] == "components-birds.html"
    assert [column[0] for column in birds["columns"]] == ["family", "wings", "tame", "song", "tale", "view_"]
    assert birds["cards"][0] == ["barn-owl", "Barn owl", 1, ["barn", "4", "yes", "Night Song", "–", "far"]]
    assert len(birds["cards"]) == 14
    assert '"cap"' not in text


@pytest.mark.slow("the largest game is read")
def test_no_column_that_is_not_shown_is_in_the_file_of_a_game() -> None:
    """Nor what stands in books, such as stories."""
    shown = bundled("cats-of-new-orleans")
    words = load_words()
    text = cards_script(Map(shown, words), galleries(shown, words))
    told = json.loads(text.partition("]=")[2].rstrip(";\n"))
    keys = {(deck["id"], column[0]) for deck in told["decks"] for column in deck["columns"]}
    hidden = {
        (deck.id, name) for deck in shown.game.info.decks for name, column in deck.columns.items() if not column.shown
    }
    stories = [row.name for rows in shown.game.pages.values() for row in rows]

    assert hidden
    assert keys & hidden == set()
    assert stories
    assert not any(f'["{row.id}",' in text for rows in shown.game.pages.values() for row in rows)
    assert len(text) < 60_000
