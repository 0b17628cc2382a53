"""The model of learn.yaml, which teaches a game to newcomers, and a check of everything it names.

It is independent of pages: a chapter of a book can be made from it too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field, model_validator

from grimalkin.content.folder import Folder
from grimalkin.content.references import references
from grimalkin.content.rules import Example, Playthrough
from grimalkin.content.validation import Misfit
from grimalkin.content.values import Id, Line, Model, Paragraph, Text, Title, Whole
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import plural
from grimalkin.source import At

if TYPE_CHECKING:
    from grimalkin.content.game import Game

Coordinate = Annotated[float, Field(ge=0, le=2000, allow_inf_nan=False)]
MOST_LABELS = 12
"""The most labels in one picture: nobody reads more."""
MOST_STEPS = 40
"""The most items in any list: a page for newcomers should take only minutes to read."""
_NO_RULE = "this does not name a rule", "every statement must lead to its rule: add ([[ID]]) after it"


class Label(Model):
    """A number that points to something in a picture, with an explanation.

    One of three keys gives its place. Something found by its name is still found when the picture changes.
    """

    drawn: Line | None = Field(
        None, description="What is drawn there: the name of a text box, the id of a symbol, or words in the picture."
    )
    which: Whole | None = Field(
        None, ge=1, description="Which of several with that name, in the order of the template."
    )
    square: Line | None = Field(None, description="On a map: the name of the square.")
    place: tuple[Coordinate, Coordinate] | None = Field(
        None, description="For anything else: millimetres from the left edge and from the upper edge."
    )
    side: Literal["left", "right", "above", "below"] | None = Field(
        None, description="The side of the picture that the number is on; by default the nearest."
    )
    text: Paragraph = Field(description="What it is, with its rule.")

    @model_validator(mode="after")
    def is_somewhere(self) -> Self:
        if sum(one is not None for one in (self.drawn, self.square, self.place)) != 1:
            raise ValueError("a label marks exactly one thing: write `drawn`, `square` or `place`")
        if self.which is not None and self.drawn is None:
            raise ValueError("`which` needs `drawn`: it counts things with that name")
        return self

    @property
    def key(self) -> str:
        """Return the key that gives the label's place."""
        return "drawn" if self.drawn is not None else "square" if self.square is not None else "place"


class Checked(Model):
    """A position that the engine has checked."""

    of: Id = Field(description="The playthrough or the example.")
    after: Whole = Field(0, ge=0, description="The number of its moves that were made; 0 is the start.")


class SetUp(Model):
    """The set-up of the game."""

    steps: tuple[Paragraph, ...] = Field(
        min_length=1, max_length=MOST_STEPS, description="What to take, where to lay it, and who begins."
    )
    position: Checked | None = Field(None, description="The position in the picture.")
    labels: tuple[Label, ...] = Field((), max_length=MOST_LABELS, description="What to point out in the picture.")


class Moment(Model):
    """A few moves of a playthrough, with the story of what happens."""

    first: Whole = Field(ge=1, description="The first move, numbered as on the playthrough's page.")
    last: Whole = Field(ge=1, description="The last move.")
    text: Text = Field(description="What happens, for somebody who sees it for the first time.")
    picture: bool = Field(True, description="Whether to show the table as it is then.")


class ToldRound(Model):
    """A round of a playthrough, with its story."""

    playthrough: Id = Field(description="The playthrough.")
    text: Text = Field(description="Who plays, and what to look at.")
    moments: tuple[Moment, ...] = Field(
        min_length=1, max_length=MOST_STEPS, description="Its moments, in the order of the moves."
    )


class FirstPiece(Model):
    """A piece, and an explanation of what is on it."""

    piece: Id = Field(description="The component.")
    side: Literal["front", "back"] = Field("front", description="Which of its faces to show.")
    title: Title
    text: Text = Field(description="What it is for.")
    labels: tuple[Label, ...] = Field(min_length=1, max_length=MOST_LABELS, description="What is on it.")


class LearnFile(Model):
    """learn.yaml"""

    title: Line | None = Field(None, description="The title, if not “Learn to play”.")
    about: Paragraph = Field(description="What the game is about and how it is won, in about three sentences.")
    setup: SetUp | None = Field(None, description="The set-up.")
    round: tuple[Paragraph, ...] = Field(
        (), max_length=MOST_STEPS, description="What happens in a round, in three to five lines."
    )
    told: ToldRound | None = Field(None, description="A round from a playthrough, move by move.")
    pieces: tuple[FirstPiece, ...] = Field(
        (), max_length=MOST_STEPS, description="Pieces to explain to somebody who has never seen them."
    )
    later: tuple[Paragraph, ...] = Field((), max_length=MOST_STEPS, description="What to leave out of the first game.")

    def paragraphs(self) -> Iterator[tuple[At, str]]:
        """Yield every text that says how the game is played, with its place."""
        yield ("about",), self.about
        if self.setup:
            yield from ((("setup", "steps", n), text) for n, text in enumerate(self.setup.steps))
        yield from ((("round", n), text) for n, text in enumerate(self.round))
        if self.told:
            yield from ((("told", "moments", n, "text"), one.text) for n, one in enumerate(self.told.moments))
        yield from ((("pieces", n, "text"), one.text) for n, one in enumerate(self.pieces))
        yield from ((("later", n), text) for n, text in enumerate(self.later))
        yield from (((*at, "text"), label.text) for at, label in self.labels())

    def labels(self) -> Iterator[tuple[At, Label]]:
        """Yield every label, with its place."""
        for number, label in enumerate(self.setup.labels if self.setup else ()):
            yield ("setup", "labels", number), label
        for number, piece in enumerate(self.pieces):
            yield from ((("pieces", number, "labels", n), label) for n, label in enumerate(piece.labels))


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
