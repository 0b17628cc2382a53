"""Check everything that learn.yaml names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from grimalkin.content.folder import Folder
from grimalkin.content.player_aids import LearnFile, SetUp, ToldRound
from grimalkin.content.rules import Example, Playthrough
from grimalkin.content.texts.references import references
from grimalkin.content.validation import Misfit
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import plural

if TYPE_CHECKING:
    from grimalkin.content.game import Game

_NO_RULE = "this does not name a rule", "every statement must lead to its rule: add ([[ID]]) after it"


def check_learn(folder: Folder, game: Game) -> None:
    """Report what is wrong with learn.yaml, as far as that can be seen without a picture."""
    if game.learn and not folder.problems:
        folder.tell_each("learn.yaml", _misfits(game.learn, game))


def _misfits(learn: LearnFile, game: Game) -> Iterator[Misfit]:
    for at, text in learn.paragraphs():
        if not any(one.kind == "id" and one.name in game.laws for one in references(text)):
            yield at, *_NO_RULE
    playthroughs = {one.id: one for one in game.playthroughs}
    if learn.setup:
        yield from _of_setup(learn.setup, {**playthroughs, **{one.id: one for one in game.examples}})
    if learn.told:
        yield from _of_told(learn.told, playthroughs)
    for number, one in enumerate(learn.pieces):
        if one.piece not in game.by_id:
            told = f'there is no component "{one.piece}"'
            yield ("pieces", number, "piece"), told, did_you_mean(one.piece, game.by_id)
        for index, label in enumerate(one.labels):
            if label.square:
                at = ("pieces", number, "labels", index, "square")
                yield at, "a piece has no squares", "write `drawn` or `place`"


def _of_setup(setup: SetUp, scripts: Mapping[str, Playthrough | Example]) -> Iterator[Misfit]:
    if setup.position is None:
        if setup.labels:
            yield ("setup", "labels"), "these labels have no picture", "name a `position` to draw"
        return
    script = scripts.get(setup.position.of)
    if script is None:
        told = f'there is no playthrough or example "{setup.position.of}"'
        yield ("setup", "position", "of"), told, did_you_mean(setup.position.of, scripts)
    elif setup.position.after > _moves(script):
        yield ("setup", "position", "after"), *_too_many(setup.position.of, setup.position.after, script)


def _of_told(told: ToldRound, playthroughs: Mapping[str, Playthrough]) -> Iterator[Misfit]:
    play = playthroughs.get(told.playthrough)
    if play is None:
        wrong = f'there is no playthrough "{told.playthrough}"'
        yield ("told", "playthrough"), wrong, did_you_mean(told.playthrough, playthroughs)
        return
    before = 0
    for number, moment in enumerate(told.moments):
        at = ("told", "moments", number)
        if moment.last > _moves(play):
            yield (*at, "last"), *_too_many(told.playthrough, moment.last, play)
        if not before < moment.first <= moment.last:
            right = f"`first` must come after move {before}, the last one shown" if before else "the first move is 1"
            hint = f"{right}; `last` is the same or a later one"
            yield (*at, "first"), f"moves {moment.first} to {moment.last} are out of order", hint
        before = moment.last


def _moves(script: Playthrough | Example) -> int:
    """Return the number of moves in a script."""
    from grimalkin.engine.replay import is_move

    return sum(map(is_move, script.steps))


def _too_many(name: str, move: int, script: Playthrough | Example) -> tuple[str, str]:
    return f"{name} has no move {move}", f"it has {plural(_moves(script), 'move')}"
