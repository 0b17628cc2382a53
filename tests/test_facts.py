"""What a sentence says in numbers is there for programs too, under the same names in a whole game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from grimalkin.engine.chance import Seeded
from grimalkin.engine.words import OVER, Event, Fact
from grimalkin.games import find_game
from grimalkin.source import bundled_games
from grimalkin.testing.checks import NAMES

GAMES = {name: game for name in bundled_games() if (game := find_game(name))}


class Told(NamedTuple):
    """A sentence of a game with its facts."""

    rule: str
    text: str
    facts: Mapping[str, Fact]


@pytest.fixture(scope="module")
def told(facts_of: Callable[[str], dict[str, Any]]) -> Callable[[str], list[Told]]:
    """Every event, refusal and result of some random games, and notes of their scores."""
    read: dict[str, list[Told]] = {}

    def sentences(name: str) -> list[Told]:
        if name not in read:
            read[name] = [each for seed in range(16) for each in of_a_game(name, facts_of(name), seed)]
        return read[name]

    return sentences


def of_a_game(name: str, facts: dict[str, Any], seed: int) -> Iterator[Told]:
    """What is told in one random game. In each of its states some moves that are not legal are asked about."""
    game, log, luck = GAMES[name], list[Event](), Seeded(f"moves {seed}")
    seats = game.SEATS[0] + seed % (game.SEATS[1] - game.SEATS[0] + 1)
    state = game.start(facts, NAMES[:seats], game.SIMULATION, Seeded(seed), log)
    every = list(game.every_move(facts))
    while state.to_act() != OVER:
        for refusal in map(state.why_not, every[len(log) % 7 :: 7]):
            if refusal:
                yield Told(refusal.rule, refusal.because, refusal.facts)
        state.apply(luck.pick("move", state.legal()), log)
        for score in state.score() if len(log) % 9 == 0 or state.to_act() == OVER else ():
            yield from (Told(rule, note, score.facts) for rule, note in score.notes)
    for event in log:
        yield Told(event.rule, event.text, event.facts)
    result = state.result()
    assert result is not None
    yield Told(result.rules[0], result.because, result.facts)


def missing(each: Told) -> list[str]:
    """The numbers of a sentence that are none of its facts, stand in none of their words, and are not how many names
    one of them has. Numbers in ids of cards, rules and squares, and in names such as Mosquito 2, do not count."""
    there = {str(len(fact) if isinstance(fact, tuple) else fact) for fact in each.facts.values()}
    for fact in each.facts.values():
        words = fact if isinstance(fact, tuple) else (str(fact),)
        there |= {number for word in words for number in re.findall("[0-9]+", word)}
    text = re.sub(r"\b(?!Range|Level|Health)[A-Z][a-z]+ [0-9]+\b", "", each.text)
    return [number for number in re.findall(r"(?<![-0-9a-z])[0-9]+", text) if number not in there]


@pytest.mark.slow("reads a whole game with other facts")
@pytest.mark.parametrize("name", GAMES)
def test_what_a_sentence_says_in_numbers_is_a_fact(name: str, told: Callable[[str], list[Told]]) -> None:
    """Of every event, refusal and result of random games, and every note of a score."""

    assert {} == {each.rule: each for each in told(name) if missing(each)}


@pytest.mark.slow("reads whole games")
@pytest.mark.parametrize("name", GAMES)
def test_a_seat_is_a_name(name: str, told: Callable[[str], list[Told]]) -> None:
    """A fact called `seat` is the name of one, in every game; and every name of a fact is in small letters."""
    found = [(each.rule, fact) for each in told(name) for fact in (each.facts.get("seat", "Ada"),) if fact not in NAMES]

    assert [] == found
    assert [] == [fact for each in told(name) for fact in each.facts if not re.fullmatch("[a-z]+(-[a-z]+)*", fact)]
