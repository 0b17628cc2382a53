"""Models of the texts about a game: rules and rulings, errata, terms, examples, playthroughs, search words."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from grimalkin.content.values import SOURCE, Id, Line, Model, Name, OwnId, Passages, Status, Text, Title, Whole

_SEARCH_ALSO = "Other words and questions that people use to search for it. Only the search uses them."


class Rule(Model):
    """One numbered statement. Its id never changes; the printed number follows from its position."""

    id: OwnId
    title: Line = Field(description="The heading of the rule, a few words.")
    summary: Line | None = Field(
        None, description="The rule in one line, as a reminder. Previews and short lists show it."
    )
    text: Text = Field(description="The rule itself.")
    note: Text | None = Field(
        None,
        description="What only some readers want to know: how we read the rulebook, or what follows. Shown below "
        "in small type.",
    )
    source: Passages = Field((), description=SOURCE)
    status: Status = "printed"
    forbids: bool = Field(False, description="Whether the rule forbids something; it then needs an illegal example.")
    unchecked: Line | None = Field(None, description="The reason why no position or move can show this rule.")
    revision: Whole = Field(1, ge=1, description="Add one whenever the words change.")
    search_also: tuple[Line, ...] = Field((), description=_SEARCH_ALSO)


class Section(Model):
    """A part of the rules."""

    id: OwnId
    title: Title
    intro: Text | None = Field(None, description="Text above the rules.")
    rules: tuple[Rule, ...] = Field(min_length=1, description="Its rules, in order.")


class Ruling(Model):
    """A decision on how we play where the rulebook is silent, unclear or contradicts itself."""

    id: OwnId
    title: Title
    question: Text = Field(description="What players ask.")
    ruling: Text = Field(description="The answer.")
    why: Text | None = Field(None, description="The reason.")
    rules: tuple[Id, ...] = Field((), description="The rules it is about.")
    source: Passages = Field((), description=SOURCE)
    status: Status = "ruling"
    forbids: bool = Field(False, description="Whether the ruling forbids something; it then needs an illegal example.")
    unchecked: Line | None = Field(None, description="The reason why no position or move can show this ruling.")
    revision: Whole = Field(1, ge=1, description="Add one whenever the words change.")
    search_also: tuple[Line, ...] = Field((), description=_SEARCH_ALSO)
    withdrawn: Line | None = Field(
        None, description="The reason why it no longer applies. Its id and number are never used again."
    )


class Erratum(Model):
    """A mistake that the rulebook prints, and what it should say."""

    id: OwnId
    rules: tuple[Id, ...] = Field(min_length=1, description="Ids of the rules it is about.")
    printed: Text = Field(description="What the rulebook prints.")
    reads: Text = Field(description="What it should say.")
    why: Text = Field(description="The reason.")
    source: Passages = Field(min_length=1, description=SOURCE)
    withdrawn: Line | None = Field(
        None, description="The reason why it is not a mistake after all. Its id and number are never used again."
    )


class Term(Model):
    """A word with a fixed meaning in this game."""

    id: OwnId
    name: Name
    text: Text = Field(description="What the word means.")
    also: tuple[Line, ...] = Field((), description="Other forms of the word, for the search.")
    search_also: tuple[Line, ...] = Field((), description=_SEARCH_ALSO)


# Examples and playthroughs

StepLine = dict[str, Any]
_STEPS = (
    "What happens, step by step. Each step has one key: a seat's name, with a move in notation; `draw`, what chance "
    "gives; `check`, facts that hold at this point; or `say`, a remark. A remark is one text for everybody, or several "
    "by reader: `open` for readers who see all cards, a seat's name for the player in that seat."
)


class Script(Model):
    """The common part of examples and playthroughs: moves, and the facts expected after them."""

    id: OwnId
    title: Title
    options: dict[str, Any] = Field({}, description="Options agreed before the game.")
    steps: tuple[StepLine, ...] = Field((), description=_STEPS)
    expect: dict[str, Any] = Field(min_length=1, description="Facts that hold at the end.")


class Example(Script):
    """A position, the moves made in it, and the facts that hold afterwards. It proves the first of its rules."""

    rules: tuple[Id, ...] = Field(
        min_length=1, description="The rules it shows, by id; the first is the one it proves."
    )
    kind: Literal["legal", "illegal", "scoring", "boundary", "tie"] = Field(description="The kind of case it shows.")
    question: Line | None = Field(None, description="The player's question that it answers; pages use it as the title.")
    text: Text = Field(description="The example, written for players.")
    status: Status = "house"
    source: Passages = Field((), description=SOURCE)
    printed: Text | None = Field(None, description="The result that the rulebook gives.")
    erratum: Id | None = Field(
        None, description="The erratum about it, if the rulebook's example breaks its own rules."
    )
    given: dict[str, Any] | None = Field(None, description="The position it starts from; without it, a new game.")
    seats: tuple[Line, ...] = Field((), description="Names of the players.")
    picture: dict[str, Any] | None = Field(
        None, description="What to draw in its picture of the map, in a game played on maps."
    )


class Playthrough(Script):
    """A whole game with remarks and checked facts; each move is one line of notation."""

    summary: Text = Field(description="A few sentences about it.")
    seats: tuple[Line, ...] = Field(min_length=1, description="Names of the players.")
    steps: tuple[StepLine, ...] = Field(min_length=1, description=_STEPS)


class RulesFile(Model):
    """rules.yaml"""

    sections: tuple[Section, ...] = Field(min_length=1, description="The parts of the rules.")


class RulingsFile(Model):
    """rulings.yaml"""

    rulings: tuple[Ruling, ...] = Field(description="The rulings.")


class ErrataFile(Model):
    """errata.yaml"""

    errata: tuple[Erratum, ...] = Field(description="The errata.")


class TermsFile(Model):
    """terms.yaml"""

    terms: tuple[Term, ...] = Field(description="The terms.")


class ExamplesFile(Model):
    """examples/*.yaml"""

    examples: tuple[Example, ...] = Field(min_length=1, description="The examples.")


# Search words

Words = Annotated[tuple[Line, ...], Field(min_length=2)]


class SearchFile(Model):
    """search.yaml"""

    same: tuple[Words, ...] = Field(
        (), description="Groups of words that mean the same: a search for one also finds the others."
    )
    also: dict[Id, Annotated[tuple[Line, ...], Field(min_length=1)]] = Field(
        {}, description="Words and questions that people use to search for something, by its id."
    )


class SharedWords(SearchFile):
    """The search words for all games, from a file that comes with Grimalkin."""

    little: tuple[Line, ...] = Field(description="Words that say little about what people look for: how, many, can.")
