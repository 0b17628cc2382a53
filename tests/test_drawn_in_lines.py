"""A line may tell what chance gave, in a game that reads it."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from games_for_tests import facts_of

import grimalkin
from grimalkin.cli import main
from grimalkin.engine.replay import Script, replay
from grimalkin.games import find_game

CATS = find_game("cats-of-new-orleans")
FACTS: Any = facts_of("cats-of-new-orleans")


def script(*steps: dict[str, Any]) -> Script:
    heroes = {"patch": {"at": "b6", "weapons": ["pepperbox"]}, "nera": {"at": "b8"}}
    given = {
        "options": {"scenario": "streets"},
        "seats": {"Ada": {}},
        "phase": "heroes",
        "heroes": heroes,
        "vermin": {"mosquito-1": {"at": "d6"}},
    }
    return Script("drawn", given, (), {}, steps, {})


def test_draws_in_a_line_come_in_their_order() -> None:
    """Two Attack Draws are told where they were made, and the line stays as it was written."""
    line = "Patch: pepperbox at mosquito-1, draws 5H 9C"
    trace = replay(CATS, FACTS, script({"Ada": line}))

    assert None is trace.fault
    assert line == trace.steps[0].line
    assert ["5-of-hearts", "9-of-clubs"] == sorted(trace.after["discard"])


def test_a_draw_that_is_not_made_is_a_fault() -> None:
    """A third card is one too many."""
    trace = replay(CATS, FACTS, script({"Ada": "Patch: pepperbox at mosquito-1, draws 5H 9C 2S"}))

    assert (("steps",), "1 scripted draws were never made") == trace.fault


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Patch: pepperbox at mosquito-1, draws 5X", '"5X" cannot be drawn here'),
        ("Patch: pepperbox at mosquito-1, draws", 'a draw of "poker" is not in the script'),
    ],
)
def test_what_cannot_be_drawn_is_told(line: str, why: str) -> None:
    """At the line that says so."""
    trace = replay(CATS, FACTS, script({"Ada": line}))

    assert trace.fault is not None
    assert (("steps", 0), why) == trace.fault


def test_other_games_read_their_lines_as_ever() -> None:
    """A module without `drawn` is asked for nothing."""
    from grimalkin.engine.replay import without_draws

    assert ("draws 5H", []) == without_draws(SimpleNamespace(), "draws 5H", {})  # type: ignore[arg-type]


@pytest.mark.slow("reads a whole game")
def test_a_question_takes_them_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`why` plays the line with the cards that it tells, and says what is wrong with one."""
    place = tmp_path / "position.json"
    place.write_text(json.dumps(script().given), encoding="utf-8")

    assert 0 == main(["why", "cats-of-new-orleans", str(place), "Patch: pepperbox at mosquito-1, draws 5H 9C"])
    assert "Mosquito 1 is eliminated." in capsys.readouterr().out
    assert 1 == main(["why", "cats-of-new-orleans", str(place), "Patch: pepperbox at mosquito-1, draws 5X"])
    assert '"5X" cannot be drawn here' in capsys.readouterr().err


@pytest.mark.slow("reads a whole game")
def test_a_table_takes_them_too() -> None:
    """As the library plays it."""
    table = grimalkin.open("cats-of-new-orleans").table(script().given)
    events = table.play("Patch: pepperbox at mosquito-1, draws 5H 9C")

    assert "Mosquito 1 is eliminated." in [event.text for event in events]
