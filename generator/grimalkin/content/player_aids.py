"""The models of player aids: learn.yaml, which teaches a game to newcomers, and quick.yaml, the quick reference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from grimalkin.content.values import Id, Line, Model, Paragraph, SmallFileId, Text, Title, Whole
from grimalkin.problems.plain import plural
from grimalkin.source import At

Coordinate = Annotated[float, Field(ge=0, le=2000, allow_inf_nan=False)]
MOST_LABELS = 12
"""The most labels in one picture: nobody reads more."""
MOST_STEPS = 40
"""The most items in any list: a page for newcomers should take only minutes to read."""


class Label(Model):
    """A number that points to something in a picture, with an explanation.

    One of three keys gives its place. Something found by its name is still found when the picture changes.
    """

    drawn: Line | None = Field(
        None, description="What is drawn there: the name of a text box, the id of a symbol, or words in the picture."
    )
    which: Whole | None = Field(
        None, ge=1, description="Which one, if several have that name; they are counted in the order of the template."
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
    after: Whole = Field(0, ge=0, description="How many of its moves have been made; 0 is the start.")


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
    picture: bool = Field(True, description="Whether to show the table at that point.")


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

    title: Line | None = Field(None, description="The title, if it is not “Learn to play”.")
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


# The quick reference

MOST = 40
"""The most headings, lines under a heading, and groups of rows: with more, it would not be a quick reference."""


class QuickLine(Model):
    """One line, and the rules behind it."""

    text: Line | None = Field(None, description="The words of the line; without them, the summary of the first rule.")
    rules: tuple[Id, ...] = Field(min_length=1, description="The rules or rulings behind it; the line links to them.")


def _of_a_rule(value: Any) -> Any:
    return {"rules": [value]} if isinstance(value, str) else value


QuickLines = tuple[
    Annotated[QuickLine, BeforeValidator(_of_a_rule, json_schema_input_type=Id | QuickLine)],
    ...,
]
"""Lines; the id of a rule on its own stands for its summary."""


def _one_or_many(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


Cell = Annotated[
    tuple[Id, ...], BeforeValidator(_one_or_many, json_schema_input_type=Id | tuple[Id, ...]), Field(min_length=1)
]
"""Columns shown in one cell, one after the other; usually one."""


class QuickRows(Model):
    """Rows of a table, made from the pieces of a deck."""

    deck: Id = Field(description="The deck.")
    columns: tuple[Cell, ...] = Field(
        (), description="The cells: columns of the deck, or `count` for the number of pieces."
    )
    only: dict[Id, Line] = Field({}, description="Only pieces with these values in their columns: {kind: weapon}.")
    by: Id | None = Field(
        None, description="A column to group by: one row for each of its values. Without it, each piece has a row."
    )
    together: Line | None = Field(None, description="The name of a single row for all these pieces together.")
    name: Id | None = Field(None, description="The column that names each row, instead of the piece's name.")
    sort: Id | None = Field(None, description="The column to sort by; without it, the order is the table's.")

    @model_validator(mode="after")
    def one_way_of_naming(self) -> Self:
        if sum(one is not None for one in (self.by, self.together, self.name)) > 1:
            raise ValueError("write only one of `by`, `together` and `name`")
        return self


class QuickTable(Model):
    """A small table, made from pieces or from the engine's numbers."""

    rows: tuple[QuickRows, ...] = Field((), max_length=MOST, description="Groups of rows, made from pieces.")
    engine: Id | None = Field(None, description="Instead of `rows`: the name of a table that the game's engine makes.")
    of: Line | None = Field(None, description="The heading above the names; without it, the name of the deck.")
    heads: tuple[Line, ...] = Field(
        (), description="The headings above the cells; without them, the labels of the columns."
    )
    called: dict[Id, dict[str, Line]] = Field(
        {}, description="Other words for some values of a column: {power: {value: High Value}}."
    )
    icons: tuple[Id, ...] = Field((), description="Columns whose values are shown as icons with these names.")
    told: dict[str, Annotated[QuickLine, BeforeValidator(_of_a_rule, json_schema_input_type=Id | QuickLine)]] = Field(
        {}, description="Words for each row in an extra last column, by the id of the piece or the value of `by`."
    )

    @model_validator(mode="after")
    def cells_fit(self) -> Self:
        if bool(self.rows) == bool(self.engine):
            raise ValueError("write either `rows` of pieces or the name of an `engine` table")
        if self.engine and (self.of or self.heads or self.called or self.icons or self.told):
            raise ValueError("a table from the engine has its own heads and words; leave out the other keys")
        wide = len(self.rows[0].columns) if self.rows else 0
        if any(len(rows.columns) != wide for rows in self.rows):
            raise ValueError("all `rows` of a table must have the same number of columns")
        if self.rows and self.heads and len(self.heads) != wide + bool(self.told):
            has = plural(wide + bool(self.told), "column")
            raise ValueError(f"the table has {has} next to the names, but {plural(len(self.heads), 'head')}")
        if self.rows and not wide and not self.told:
            raise ValueError("a table with only the names of its rows needs `columns` or `told`")
        return self


class Glance(Model):
    """One heading of a quick reference, with its lines and table."""

    id: SmallFileId = Field(description="Small letters, digits and hyphens; it is the heading's address on the page.")
    title: Title
    rules: tuple[Id, ...] = Field((), description="Rules to link next to the heading.")
    table: QuickTable | None = Field(None, description="A table above the lines.")
    lines: QuickLines = Field(
        (),
        max_length=MOST,
        description="Lines, each with its rules; the id of a rule by itself stands for its summary.",
    )
    numbered: bool = Field(False, description="Whether the lines are numbered steps.")

    @model_validator(mode="after")
    def something_is_told(self) -> Self:
        if not self.lines and not self.table:
            raise ValueError("there is nothing under this heading; it needs `lines` or a `table`")
        return self


class QuickFile(Model):
    """quick.yaml"""

    quick: tuple[Glance, ...] = Field(
        min_length=1, max_length=MOST, description="The headings, in the order of the page."
    )
