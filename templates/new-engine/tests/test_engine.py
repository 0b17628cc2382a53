"""The engine keeps what every engine promises, and the content says what the engine does."""

from __future__ import annotations

import pytest
from grimalkin.cli import main
from grimalkin.testing import Promise, facts_of, promises

from new_game import engine

FACTS = facts_of("new-game")


@pytest.mark.parametrize("promise", promises("new_game.engine", FACTS), ids=str)
def test_the_engine_keeps(promise: Promise) -> None:
    """Each promise holds in random games of every number of players."""
    promise()


def test_the_content_is_proved() -> None:
    """Every rule has an example that holds, and every prohibition one that it refuses."""
    assert main(["check", "new-game"]) == 0


def test_a_full_cat_is_refused_its_highest_card() -> None:
    """A program reads the number out of the facts of the refusal, not out of its sentence."""
    position = {"full": "Ada", "seats": {"Ada": {"hand": ["poet", "queen"]}, "Basil": {"hand": ["thief", "baker"]}}}
    state = engine.load(FACTS, position)
    (queen,) = engine.read("lay queen", state)
    refusal = state.why_not(queen)

    assert refusal is not None
    assert refusal.rule == "NG-PLAY-2"
    assert refusal.facts == {"power": 12}
