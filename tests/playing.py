"""What the tests of several games do with a game: play lines, count moves, let bots play."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import grimalkin
from grimalkin.engine.chance import Seeded
from grimalkin.engine.contract import Facts, GameModule
from grimalkin.engine.play import play_out
from grimalkin.engine.replay import play_line
from grimalkin.engine.words import OVER, Event, Refusal, Refused

NAMES = ("Ada", "Basil", "Cleo", "Dora", "Enid", "Fay", "Gus", "Hal")


def played(game: GameModule, state: Any, *lines: str) -> list[Event]:
    """The events of some lines."""
    events: list[Event] = []
    for line in lines:
        play_line(game, state, line, events)
    return events


def rules(events: list[Event]) -> list[str]:
    return [event.rule for event in events]


def told(events: list[Event], rule: str) -> list[str]:
    """The sentences of one rule."""
    return [event.text for event in events if event.rule == rule]


def legal(game: GameModule, state: Any) -> list[str]:
    """The lines of one small move each that may be played."""
    return [game.write([move], state) for move in state.legal()]


def refusal(game: GameModule, state: Any, line: str) -> Refusal:
    """The rule that refuses a line, and why."""
    with pytest.raises(Refused) as caught:
        play_line(game, state.clone(), line)
    return caught.value.refusal


def turn(state: Any) -> str:
    """Whose turn it is."""
    return "nobody" if state.to_act() == OVER else state.seats[state.to_act()]


def perft(state: Any, depth: int) -> int:
    """How many sequences of so many small moves there are."""
    if depth == 0:
        return 1
    total = 0
    for move in state.legal():
        after = state.clone()
        after.apply(move)
        total += perft(after, depth - 1)
    return total


def wins(game: GameModule, facts: Facts, seats: int, games: int) -> float:
    """How many games of one sensible bot against random ones it wins, ties counted in parts; it changes seats."""
    won = 0.0
    for seed in range(games):
        mine = seed % seats
        bots = [game.BOTS["sensible" if seat == mine else "random"](seed + seat) for seat in range(seats)]
        state = game.start(facts, NAMES[:seats], game.SIMULATION, Seeded(seed))
        play_out(state, bots, game.MOST_DECISIONS)
        winners = state.result().winners
        won += (NAMES[mine] in winners) / max(1, len(winners))
    return won


def assert_no_doubt_arises(game: GameModule, state: Any, seed: int) -> None:
    """Play on at random to the end, where no position may be doubted."""
    luck = Random(seed)
    while state.to_act() != OVER:
        assert game.doubts(state) == [], state.position()
        state.apply(luck.choice(state.legal()))
    assert game.doubts(state) == []


def assert_bots_repeat_themselves(game: GameModule, facts: Facts, *bots: str) -> None:
    """Play one game twice: a seed fixes what a bot chooses."""
    first, second = (
        play_out(
            game.start(facts, NAMES[: len(bots)], game.SIMULATION, Seeded(3)),
            [game.BOTS[name](seed) for seed, name in enumerate(bots)],
            game.MOST_DECISIONS,
        )
        for _ in range(2)
    )
    assert first == second


BARE = """
import json, sys
sys.path.insert(0, {path!r})
from grimalkin.engine.chance import Seeded
from grimalkin.engine.play import play_out
from grimalkin.games import {name} as game
state = game.start(json.load(sys.stdin), ["Ada", "Basil"], game.SIMULATION, Seeded(1))
play_out(state, [game.BOTS["sensible"](1), game.BOTS["random"](2)], game.MOST_DECISIONS)
print(state.result().because)
"""


def assert_plays_bare(game: GameModule, facts: Facts) -> None:
    """Play a game with Python alone, isolated and without site-packages."""
    script = BARE.format(path=str(Path(grimalkin.__file__).parent.parent), name=game.__name__.rpartition(".")[2])
    command = [sys.executable, "-I", "-S", "-c", script]
    done = subprocess.run(command, input=json.dumps(dict(facts)), capture_output=True, text=True, check=False)

    assert done.stderr == ""
    assert "the highest total" in done.stdout
