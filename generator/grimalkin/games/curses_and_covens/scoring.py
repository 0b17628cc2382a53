"""Scores and endings of Curses & Covens: how near each side is to winning, who has won, and the counts for
simulations."""

from __future__ import annotations

from collections.abc import Mapping

from grimalkin.engine.words import Fact, Line, Result, Score, Tally, listed
from grimalkin.games.curses_and_covens import facts as cc
from grimalkin.games.curses_and_covens.board import Board
from grimalkin.games.curses_and_covens.facts import Ending, Side, Spell
from grimalkin.games.curses_and_covens.knowledge import Deed


def scores(board: Board) -> list[Score]:
    """Return three columns that show how near each side is to winning; there are no points."""
    scores = []
    for seat, name in enumerate(board.seats):
        hunts = seat == cc.HUNTER
        witches, rituals = (len(board.witches), 0) if hunts else (0, len(board.rituals))
        coven = 0 if hunts else board.most_of_a_suit(seat)
        lines = (
            Line("CC-WIN-3", "witches in front of the Hunter", witches, 1, witches, "witches"),
            Line("CC-WIN-2", "rituals sprung", rituals, 1, rituals, "rituals"),
            Line("CC-WIN-1", "witches of one suit in hand", coven, 1, coven, "coven"),
        )
        facts: dict[str, Fact] = {"role": "hunter" if hunts else "town", "hand": len(board.hands[seat])}
        scores.append(Score(name, lines, facts=facts))
    return scores


def covens(board: Board) -> list[str]:
    """Return the towns that have a coven."""
    return [
        name for town, name in enumerate(board.seats) if town != cc.HUNTER and board.most_of_a_suit(town) >= cc.COVEN
    ]


Step = tuple[str, str, Mapping[str, Fact]]
"""A rule, a sentence, and its facts."""


def steps(board: Board, ending: Ending) -> list[Step]:
    """Return the steps that led to an ending; the last one decides."""
    hunter = board.seats[cc.HUNTER]
    if ending is Ending.COVEN:
        towns = covens(board)
        text = f"{listed(towns)} has shown a coven in the Census: the towns win."
        return [("CC-WIN-1", text, {"towns": tuple(towns), "needed": cc.COVEN})]
    if ending is Ending.RITUALS:
        facts: dict[str, Fact] = {"rituals": len(board.rituals), "needed": cc.RITUALS_TO_WIN}
        text = f"{hunter} has walked into {len(board.rituals)} rituals: the towns win."
        return [("CC-HUNT-7", "The second ritual wins immediately.", facts), ("CC-WIN-2", text, facts)]
    if ending is Ending.CAPTURES:
        facts = {"witches": len(board.witches), "needed": cc.WITCHES_TO_WIN}
        text = f"{len(board.witches)} witches are captured: {hunter} wins."
        return [("CC-HUNT-6", "The fifth witch wins immediately.", facts), ("CC-WIN-3", text, facts)]
    text = f"Round {board.round} was agreed as the last, and neither side has won."
    return [("CC-AMB-30", text, {"round": board.round})]


def result(board: Board) -> Result | None:
    """Return the winners once the game is over."""
    ending = board.ending
    if ending is Ending.GOES_ON:
        return None
    winners = {Ending.CAPTURES: board.seats[:1], Ending.NOBODY: ()}.get(ending, board.seats[1:])
    _, because, facts = steps(board, ending)[-1]
    rounds: dict[str, Fact] = {"ending": ending.word, "round": board.round}
    return Result(winners, ending.rules, because, facts={**rounds, **facts})


def tally(board: Board) -> Tally:
    """Return the counts for simulations: how the game ended, which spells were cast, and which towns lost witches."""
    spells = [[*Spell][target] for deed, _, target, _ in board.history if deed is Deed.CASTING]
    fake_caught = board.box.fake in board.witches
    game: dict[str, str | int] = {
        "ending": board.ending.tallied,
        "rounds": board.round,
        "charms cast": sum(spell.side is Side.CHARM for spell in spells),
        "curses cast": sum(spell.side is Side.CURSE for spell in spells),
        "the straw witch": "caught" if fake_caught else "free",
    }
    lost = [0] * len(board.seats)
    picked_from = cc.NOBODY
    for deed, source, _, _ in board.history:
        if deed is Deed.PICKED:
            picked_from = source
        elif deed is Deed.CAUGHT and picked_from != cc.NOBODY:
            lost[picked_from] += 1
    seats: list[dict[str, str | int]] = [
        {"role": "Witch Hunter" if seat == cc.HUNTER else "town", "witches lost": lost[seat]}
        for seat in range(len(board.seats))
    ]
    towns_won = board.ending in (Ending.COVEN, Ending.RITUALS)
    trials = {
        name: (int(spell in spells), int(spell in spells and towns_won))
        for spell, name in sorted(board.box.spell_names.items())
    }
    return Tally(game, tuple(seats), {"games with the spell, and won by the towns": trials})
