"""Models of scenarios, and of the entries of a story book."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from grimalkin.content.values import Id, Line, Model, Passages, SmallFileId, Status, Text, Title, Whole

_SOURCE = "The place in the rulebook: the heading above the passage, or a list of headings."


class Clause(Model):
    """One part of a scenario: an objective, a special rule, a step of its set-up."""

    title: Line | None = Field(None, description="Its name, if it has one.")
    text: Text = Field(description="What it says, in words that the game's engine can read.")
    told: Text | None = Field(None, description="Small print above it, which only people read.")
    code: Id | None = Field(
        None, description="The hook in the game's code, for what the engine's sentences cannot say."
    )
    rules: tuple[Id, ...] = Field(
        (), description="The rules and rulings to read with it; the scenario's page links to them."
    )
    source: Passages = Field((), description=_SOURCE)
    status: Status = "printed"


class Apart(Model):
    """Pieces that are set aside and do not go into the pool."""

    piece: Id = Field(description="The piece, by its id.")
    count: Whole = Field(1, ge=1, description="How many of them.")
    mark: Line = Field(description="The letter on the map where it appears.")
    round: Whole | None = Field(
        None, ge=1, description="The space of the round track at which it appears; without one, it appears immediately."
    )


class Scenario(Model):
    """One scenario: what to lay out, what to achieve, and what follows."""

    id: SmallFileId = Field(description="Small letters, digits and hyphens; never change it, never use it twice.")
    number: Whole = Field(ge=1, description="Its place in the book.")
    title: Title
    map: Id = Field(description="The map, by the name of its file in maps, without .txt.")
    loot: tuple[Whole, ...] = Field(min_length=1, description="The levels of loot in the deck.")
    without: tuple[Line, ...] = Field((), description="Kinds of loot that are left out of the deck.")
    intro: Text = Field(description="What to read aloud at the start.")
    pool: dict[Id, Whole] = Field({}, description="The markers to shuffle face down: pieces, and how many of each.")
    pieces: dict[Id, Whole] = Field(
        {},
        description="How many it needs of a piece, or of each piece in a deck, if that is fewer than the box holds: "
        "{candle: 0}.",
    )
    apart: tuple[Apart, ...] = Field((), description="Pieces set aside, and where and when they appear.")
    set_up: tuple[Clause, ...] = Field((), description="How the set-up differs from the usual one.")
    spawn: tuple[Clause, ...] = Field((), description="How spawning differs from the usual.")
    objectives: tuple[Clause, ...] = Field(min_length=1, description="What the heroes must do.")
    special: tuple[Clause, ...] = Field((), description="Rules for this scenario only.")
    exit: Text = Field(description="What to read aloud after success.")
    next: tuple[Id, ...] = Field((), description="The scenarios that may follow.")
    entries: tuple[Whole, ...] = Field(
        (), description="The story entries that may be read in it, if no engine says when."
    )
    between: tuple[Clause, ...] = Field((), description="What to do before the next scenario.")
    source: Passages = Field((), description=_SOURCE)
    status: Status = Field(
        description="Where it comes from: a retold story is ours, even if its facts are the rulebook's."
    )
    note: Text | None = Field(None, description="How we read the rulebook, or why the scenario is made like this.")

    def clauses(self) -> dict[str, tuple[Clause, ...]]:
        """Return the clauses of the scenario by the keys of its file."""
        return {
            "set-up": self.set_up,
            "spawn": self.spawn,
            "objectives": self.objectives,
            "special": self.special,
            "between": self.between,
        }


class Entry(Model):
    """A numbered entry of the story book, to be read only when the game says so."""

    number: Whole = Field(ge=1, description="Its number; never change it, never use it twice.")
    title: Title
    text: Text = Field(description="What to read aloud.")
    does: Text | None = Field(None, description="What then happens, in words that the game's engine can read.")
    code: Id | None = Field(
        None, description="The hook in the game's code, for what the engine's sentences cannot say."
    )
    source: Passages = Field((), description=_SOURCE)
    status: Status = "house"


class StoryFile(Model):
    """story.yaml"""

    entries: tuple[Entry, ...] = Field(min_length=1, description="The entries, in order of their numbers.")


def plain(model: Model) -> dict[str, Any]:
    """Return a model as JSON data, with the keys of its file."""
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)
