"""The models of what a game with scenarios is played by: the scenarios, and the entries of its story book."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from grimalkin.content.values import Id, Line, Model, Passages, SmallFileId, Status, Text, Title, Whole

_SOURCE = "Where the rulebook says so: the heading above the passage, or a list of headings."


class Clause(Model):
    """One thing that holds in a scenario: an objective, a special rule, a step of its set-up."""

    title: Line | None = Field(None, description="A few words, if it has a name.")
    text: Text = Field(description="What it says, in the words that the engine of the game reads.")
    told: Text | None = Field(None, description="What stands above it in small print, for readers alone.")
    code: Id | None = Field(None, description="The hook in the game's code, for what no sentence of its table can say.")
    rules: tuple[Id, ...] = Field((), description="The rules and rulings to read with it; its page links them.")
    source: Passages = Field((), description=_SOURCE)
    status: Status = "printed"


class Apart(Model):
    """Pieces that do not go into the pool."""

    piece: Id = Field(description="The piece, by its id.")
    count: Whole = Field(1, ge=1, description="How many of it.")
    mark: Line = Field(description="The letter on the map where it comes.")
    round: Whole | None = Field(
        None, ge=1, description="The space of the round track with which it comes; else at once."
    )


class Scenario(Model):
    """One scenario: what is laid out, what is asked, and what follows."""

    id: SmallFileId = Field(description="Small letters, digits and hyphens; never changed, never used twice.")
    number: Whole = Field(ge=1, description="Its place in the book.")
    title: Title
    map: Id = Field(description="The map, by the name of its file in maps, without .txt.")
    loot: tuple[Whole, ...] = Field(min_length=1, description="The levels of loot that make up the deck.")
    without: tuple[Line, ...] = Field((), description="Kinds of loot that are left out of the deck.")
    intro: Text = Field(description="What may be read aloud at once.")
    pool: dict[Id, Whole] = Field({}, description="How many markers of which piece are shuffled face down.")
    pieces: dict[Id, Whole] = Field(
        {},
        description="How many of which piece it needs, or of each of a deck, where that is fewer than the box holds: "
        "{candle: 0}.",
    )
    apart: tuple[Apart, ...] = Field((), description="What is set aside, and where and when it comes.")
    set_up: tuple[Clause, ...] = Field((), description="Where the set-up differs from the usual one.")
    spawn: tuple[Clause, ...] = Field((), description="Where spawning differs from the usual.")
    objectives: tuple[Clause, ...] = Field(min_length=1, description="What must be done.")
    special: tuple[Clause, ...] = Field((), description="Rules that hold in this scenario alone.")
    exit: Text = Field(description="What is read after success.")
    next: tuple[Id, ...] = Field((), description="The scenarios that may follow.")
    entries: tuple[Whole, ...] = Field(
        (), description="The entries of the story that may be read in it, where no engine tells."
    )
    between: tuple[Clause, ...] = Field((), description="What is done before the next one.")
    source: Passages = Field((), description=_SOURCE)
    status: Status = Field(description="Who says so: a story retold is ours, even where the rulebook has its facts.")
    note: Text | None = Field(None, description="How we read the rulebook, or why it is made like this.")

    def clauses(self) -> dict[str, tuple[Clause, ...]]:
        """What holds in it, by the keys of its file."""
        return {
            "set-up": self.set_up,
            "spawn": self.spawn,
            "objectives": self.objectives,
            "special": self.special,
            "between": self.between,
        }


class Entry(Model):
    """A numbered entry of the story book, read when something says so and never before."""

    number: Whole = Field(ge=1, description="Its number; never changed, never used twice.")
    title: Title
    text: Text = Field(description="What is read aloud.")
    does: Text | None = Field(None, description="What then happens, in the words that the engine of the game reads.")
    code: Id | None = Field(None, description="The hook in the game's code, for what no sentence of its table can say.")
    source: Passages = Field((), description=_SOURCE)
    status: Status = "house"


class StoryFile(Model):
    """story.yaml"""

    entries: tuple[Entry, ...] = Field(min_length=1, description="The entries, in the order of their numbers.")


def plain(model: Model) -> dict[str, Any]:
    """What a model says, as what JSON can hold, by the words of its file."""
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)
