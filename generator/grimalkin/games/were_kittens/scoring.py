"""The scoring of Were Kittens: ranks, points, score lines and the result, from the numbers of cats and victims; and
reference tables of costs and points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, NamedTuple

from grimalkin.engine.contract import Facts
from grimalkin.engine.cribs import Crib, CribRow, Cribs
from grimalkin.engine.law import By, law
from grimalkin.engine.words import Fact, Line, Result, Score, listed, ranked
from grimalkin.games.were_kittens.facts import SPACES, Coin, box_of, make_cost


class Rank(NamedTuple):
    """A rank among kinds of victims, with the points for each coin of that kind."""

    word: str
    points: int


RANKS: Annotated[tuple[Rank, ...], By("WK-SCORE-2")] = (Rank("most", 2), Rank("second", 1), Rank("third", 0))
"""Ranks below these score the same as the last one."""


@law("WK-SCORE-3")
def ranks(counts: Sequence[int]) -> list[int]:
    """Rank the numbers, the greatest as 0. Equal numbers share a rank, and no rank is skipped."""
    order = sorted({count for count in counts if count}, reverse=True)
    return [order.index(count) if count else len(order) for count in counts]


def _rank(number: int) -> Rank:
    return RANKS[min(number, len(RANKS) - 1)]


def victim_points(counts: Sequence[int]) -> int:
    """Return the points for all victims, given the number of each kind."""
    return sum(count * _rank(rank).points for count, rank in zip(counts, ranks(counts), strict=True) if count)


def cat_lines(coins: Sequence[Coin], counts: Sequence[int]) -> list[Line]:
    """Return a score line for each kind of cat."""
    return [
        Line("WK-SCORE-1", f"{coin.name} cats", count, coin.points, count * coin.points)
        for coin, count in zip(coins, counts, strict=True)
        if count
    ]


def victim_lines(victims: Mapping[str, int]) -> list[Line]:
    """Return a score line for each kind of victim. A shared rank names the rule or ruling that allows it."""
    counts = list(victims.values())
    return [line for _, _, line in _ranked(victims, counts)]


def _ranked(kinds: Iterable[str], counts: Sequence[int]) -> Iterator[tuple[str, Rank, Line]]:
    """Yield each kind with at least one victim, its rank and its score line."""
    for kind, count, number in zip(kinds, counts, ranks(counts), strict=True):
        if count:
            rank = _rank(number)
            shared = "WK-AMB-11" if number == 1 else "WK-SCORE-3"
            rule = shared if counts.count(count) > 1 else "WK-SCORE-2"
            word, points = rank
            yield kind, rank, Line(rule, f"{kind} victims ({word})", count, points, count * points)


def score_of(seat: str, coins: Sequence[Coin], cats: Sequence[int], victims: Sequence[int]) -> Score:
    """Return a seat's score, given its cats and victims of each kind. The facts also name the kinds of each rank."""
    lines = cat_lines(coins, cats)
    facts: dict[str, Fact] = {"cats": sum(cats), "victims": sum(victims)}
    held: dict[str, tuple[str, ...]] = {rank.word: () for rank in RANKS}
    for kind, rank, line in _ranked([coin.name for coin in coins], victims):
        held[rank.word] += (kind,)
        lines.append(line)
    return Score(seat, tuple(lines), facts=facts | held)


@law("WK-GOAL-1")
def winners(scores: Sequence[Score]) -> Result:
    """Return the result: the highest total wins, and tied seats share the win."""
    places = ranked([score.total for score in scores])
    best = max(score.total for score in scores)
    names = tuple(score.seat for score in scores if score.total == best)
    rules: tuple[str, ...] = ("WK-SCORE-5",)
    because = f"{names[0]} has the highest total, {best}."
    if len(names) > 1:
        rules, because = (*rules, "WK-AMB-14"), f"{listed(names)} share the highest total, {best}."
    return Result(names, rules, because, facts={"total": best}, places=places)


# For reference


def costs(facts: Facts) -> Crib:
    """Return the claw that a cat needs to make another, for each kind of coin and each space of the new cat."""
    coins = box_of(facts).coins
    rows = [CribRow(coin.name, tuple(str(make_cost(coin.base, space)) for space in SPACES), ()) for coin in coins]
    return Crib("On space", tuple(map(str, SPACES)), tuple(rows))


def victims(_facts: Facts) -> Crib:
    """Return the points for a victim by the rank of its kind."""
    words = [f"kind that you have {rank.word} of" if rank.word == "most" else f"{rank.word} kind" for rank in RANKS]
    rows = [CribRow(word, (str(rank.points),), ()) for word, rank in zip(words, RANKS, strict=True)]
    return Crib("Each victim of the", ("points",), tuple(rows))


CRIBS: Cribs = {"costs": costs, "victims": victims}
