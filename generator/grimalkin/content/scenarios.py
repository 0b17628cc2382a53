"""Models of scenarios and story entries, and the functions that read them and the maps of the scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import Field

from grimalkin.content.folder import Claim, Folder
from grimalkin.content.maps import Map, read_map
from grimalkin.content.models import GameFile
from grimalkin.content.values import SOURCE, Id, Line, Model, Passages, SmallFileId, Status, Text, Title, Whole
from grimalkin.problems import Place, shown_path
from grimalkin.source import Source, files_in, read_text


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
    source: Passages = Field((), description=SOURCE)
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
    source: Passages = Field((), description=SOURCE)
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
    source: Passages = Field((), description=SOURCE)
    status: Status = "house"


class StoryFile(Model):
    """story.yaml"""

    entries: tuple[Entry, ...] = Field(min_length=1, description="The entries, in order of their numbers.")


def plain(model: Model) -> dict[str, Any]:
    """Return a model as JSON data, with the keys of its file."""
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


# Reading


def read_maps(folder: Folder, info: GameFile) -> dict[str, Map]:
    """Return the maps in the folder `maps`, by the names of their files, without those that have problems."""
    found: dict[str, Map] = {}
    marks = info.maps.marks if info.maps else {}
    for path in files_in(folder.path, "maps", ".txt", folder.problems):
        text = read_text(path, folder.problems, folder.path)
        drawn, faults = read_map(text, path.stem, marks) if text is not None else (None, [])
        for line, message, hint in faults:
            folder.problems.add(Place(shown_path(path), line), message, hint)
        if drawn is not None:
            found[path.stem] = drawn
            folder.places[f"maps/{path.stem}"] = Source(path, {}), ()
    return found


def read_scenarios(folder: Folder, maps: Mapping[str, Map]) -> tuple[Scenario, ...]:
    """Return the scenarios in order of their numbers. Report missing maps and missing next scenarios."""
    found: list[Scenario] = []
    own: dict[str, Claim] = {}
    for path in files_in(folder.path, "scenarios", ".yaml", folder.problems):
        scenario, source = folder.file(f"scenarios/{path.name}", Scenario)
        if scenario is not None:
            folder.claim_in(own, scenario.id, source, ())
            folder.places[f"scenarios/{scenario.id}"] = source, ()
            found.append(scenario)
    for scenario in found:
        source, _ = folder.places[f"scenarios/{scenario.id}"]
        if not any(problem.place.path.endswith(f"maps/{scenario.map}.txt") for problem in folder.problems):
            folder.must_be_there("map", scenario.map, maps, source, ("map",))
        for index, name in enumerate(scenario.next):
            folder.must_be_there("scenario", name, [one.id for one in found], source, ("next", index))
    places = (folder.places[f"scenarios/{scenario.id}"][0].place(("number",)) for scenario in found)
    _check_numbers(folder, "a scenario", found, places)
    return tuple(sorted(found, key=lambda scenario: scenario.number))


def read_story(folder: Folder) -> tuple[Entry, ...]:
    """Return the entries of story.yaml."""
    file, source = folder.file("story.yaml", StoryFile)
    entries = file.entries if file else ()
    for index, entry in enumerate(entries):
        folder.places[f"entries/{entry.number}"] = source, ("entries", index)
    places = (source.place(("entries", index, "number")) for index in range(len(entries)))
    _check_numbers(folder, "an entry", entries, places)
    return entries


def _check_numbers(folder: Folder, what: str, numbered: Sequence[Scenario | Entry], places: Iterable[Place]) -> None:
    """Report numbers that occur twice."""
    first: dict[int, Place] = {}
    for one, place in zip(numbered, places, strict=True):
        if first.setdefault(one.number, place) is not place:
            told = f"there is already {what} {one.number}"
            folder.problems.add(place, told, "give it another number", first[one.number])
