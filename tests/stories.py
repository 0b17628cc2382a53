"""Positions and lines as text, in tables that the tests of games read: one case a row, or one story after the other.

A story is a title with its rule, a position as the game's tests write it, and then steps, each of which is checked:

    WK-POP-3 taking the last coin populates the city at once
        Ada: cats 1 penny | Basil: cats 2 penny -- quarter: Basil, city: {dime: 1}
        ! take penny -> WK-ACT-2
        > take dime -> WK-ACT-2 WK-TURN-3 WK-POP-3 WK-POP-5
        turn: Basil
        acting: {seat: Ada, space: 1}

A line that is indented further goes on with the one before. After `for CARD: wild, fake` the story is told of each.
Lines are played after `>`, one after the other between `/`; one may begin with the seat whose turn it is. Behind the
arrow are the rules of all their events, in their order; after `...` those that must be among them, after `no` those
that must not. `!` is a line that is refused, and the rule, or the kind of no; after a colon, why. A name with a colon
asks one of the questions of `assert_followed`, or leads to a part of the position; what is to be found there is YAML,
and of sentences, with ` / ` between them, `...` leaves some out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import pytest
import yaml
from playing import legal, played, rules, told, turn

from grimalkin.engine.contract import GameModule
from grimalkin.engine.replay import play_line
from grimalkin.engine.words import Event, NotAMove, Refusal, Score

Question = Callable[[Any, str], object]
"""What a step asks of a state, with a word."""


class Story(NamedTuple):
    """A position as a game's tests write it, and the steps from there."""

    given: str
    steps: list[str]


def stories(table: str) -> list[Any]:
    """The stories of a table, as parameters of a test. Lines that begin with # are remarks."""
    found = []
    for block in re.split(r"\n(?=\S)", _joined(table, indent=8)):
        title, *lines = (line.strip() for line in block.split("\n") if line.strip())
        word, values = "", [""]
        if lines[0].startswith("for "):
            word, _, listed = lines.pop(0).removeprefix("for ").partition(": ")
            values = listed.split(", ")
        for value in values:
            given, *steps = (line.replace(word, value) if word else line for line in lines)
            found.append(pytest.param(Story(given, steps), id="-".join([*title.split(), *value.split()])))
    return found


def rows(table: str, header: bool = False) -> list[Any]:
    """The cells of each row of a table, as parameters of a test; a header goes."""
    return [
        pytest.param(*(cell.strip() for cell in row.split("|")), id="-".join(row.replace("|", " ").split()))
        for row in _joined(table, indent=4).split("\n")[header:]
    ]


def _joined(table: str, indent: int) -> str:
    """A table without remarks, where lines that are indented so far go on with the line before."""
    return re.sub(rf"\n {{{indent},}}", " ", re.sub(r"^ *#.*\n", "", table, flags=re.MULTILINE).strip("\n"))


def flow(text: str) -> Any:
    """What flow YAML says between two braces; every value stays text."""
    return yaml.load("{" + text + "}", yaml.BaseLoader)


def plain(value: object) -> object:
    """A value with texts as keys, as a position has them, and with lists for tuples."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return list(map(plain, value)) if isinstance(value, list | tuple) else value


def assert_followed(
    game: GameModule, state: Any, steps: Iterable[str], opening: Iterable[Event] = (), **more: Question
) -> None:
    """Play a story from its position, step by step. `opening` happened before. A game may ask `more`."""
    events: list[Event | Refusal] = [*opening]
    asked: dict[str, Question] = {
        "keys": lambda state, _: sorted(state.position()),
        "turn": lambda state, _: turn(state),
        "actor": lambda state, _: turn(state),
        "legal": lambda state, verb: [line for line in legal(game, state) if line.startswith(verb)],
        "told": lambda _, rule: told(events, rule),
        "reads": lambda state, seat: list(filter(None, (event.told(state.seats.index(seat)) for event in events))),
        "hidden": lambda state, _: [
            [event.rule, *(state.seats[seat] for seat in sorted(event.audience))] for event in events if event.audience
        ],
        "says": lambda _, words: any(words in event.text for event in events),
        "fired": lambda *_: rules(events),
        "count": lambda _, rule: rules(events).count(rule),
        "facts": lambda _, rule: next(dict(event.facts) for event in events if event.rule == rule),
        "total": lambda state, seat: score_of(state, seat).total,
        "score": lambda state, seat: dict(score_of(state, seat).facts),
        "result": lambda state, _: dict(state.result().facts),
        "over": lambda state, _: state.result() is not None,
        "noted": lambda state, seat: [rule for rule, _ in score_of(state, seat).notes],
        "lines": lambda state, seat: [
            [one.rule, one.label, one.count, one.each, one.points] for one in score_of(state, seat).lines
        ],
        "pieces": lambda state, _: sorted(state.pieces()),
        "doubts": lambda state, _: list(map(str, game.doubts(state))),
        "ends": lambda state, _: (
            state.result().steps == tuple((event.rule, event.text) for event in events)[-len(state.result().steps) :]
        ),
        "winners": lambda state, _: state.result().winners,
        "because": lambda state, _: state.result().because,
        "decided": lambda state, _: state.result().rules,
        **more,
    }
    for step in steps:
        mark, _, rest = step.partition(" ")
        line, _, expected = rest.partition(" -> ")
        if mark == ">":
            events = []
            for one in line.split(" / "):
                seat, _, moves = one.partition(": ")
                actor = asked["actor"](state, "")
                if seat not in (turn(state), actor):
                    assert seat not in state.seats, f"{one}: it is the turn of {actor}"
                    moves = one
                events += played(game, state, moves)
            assert_fired(expected.split(), rules(events), step)
        elif mark == "!":
            with pytest.raises(NotAMove) as caught:
                play_line(game, trial := state.clone(), line)
            assert trial.key() == state.key(), step
            no = getattr(caught.value, "refusal", None)
            events = [no] if no else []
            why = f"{no.rule}: {no.because}" if no else f"{type(caught.value).__name__}: {caught.value}"
            assert agree(expected if ": " in expected else f"{expected}: ...", why), f"{step}\n{why}"
        else:
            key, _, text = step.partition(": ")
            name, _, word = key.partition(" ")
            found = asked[name](state, word) if name in asked else part(state.position(), key)
            if name in ("told", "reads"):
                assert agree(text, " / ".join(found)), f"{step}\n{found}"
            else:
                assert plain(yaml.safe_load(text)) == plain(found), f"{step}\n{found}"


def agree(written: str, told: str) -> bool:
    """Whether a text is what is written, where `...` stands for sentences or words, or for none."""
    pattern = re.escape(written)
    for mark, any_ in ((" / ... / ", " / (.* / )?"), ("... / ", "(.* / )?"), (" / ...", "( / .*)?"), ("...", ".*")):
        pattern = pattern.replace(re.escape(mark), any_)
    return bool(re.fullmatch(pattern, told, re.DOTALL))


def score_of(state: Any, seat: str) -> Score:
    return next(score for score in state.score() if score.seat == seat)


def assert_fired(written: list[str], fired: list[str], step: str) -> None:
    """Compare the rules of events with those behind an arrow, if there are any."""
    match written:
        case []:
            pass
        case ["...", *some]:
            assert set(some) <= set(fired), f"{step}\n{fired}"
        case ["no", *some]:
            assert not set(some) & set(fired), f"{step}\n{fired}"
        case _:
            assert written == fired, f"{step}\n{fired}"


def part(value: Any, path: str) -> Any:
    """What stands in a position at a path with dots."""
    for key in path.split("."):
        value = value[key]
    return value
