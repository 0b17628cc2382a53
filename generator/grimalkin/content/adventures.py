"""Read the maps, scenarios and story in a game's folder."""

from __future__ import annotations

from collections.abc import Mapping

from grimalkin.content.folder import Claim, Folder
from grimalkin.content.maps import Map, read_map
from grimalkin.content.models import GameFile
from grimalkin.content.scenarios import Entry, Scenario, StoryFile
from grimalkin.problems import Place, shown_path
from grimalkin.source import Source, files_in, read_text


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
            folder.places[f"maps/{path.stem}"] = Source(path, {}, {}), ()
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
    first: dict[int, Place] = {}
    for scenario in found:
        source, _ = folder.places[f"scenarios/{scenario.id}"]
        place = source.place(("number",))
        if first.setdefault(scenario.number, place) is not place:
            told = f"there is already a scenario {scenario.number}"
            folder.problems.add(place, told, "give it another number", first[scenario.number])
    return tuple(sorted(found, key=lambda scenario: scenario.number))


def read_story(folder: Folder) -> tuple[Entry, ...]:
    """Return the entries of story.yaml."""
    file, source = folder.file("story.yaml", StoryFile)
    first: dict[int, Place] = {}
    for index, entry in enumerate(file.entries if file else ()):
        at = ("entries", index)
        folder.places[f"entries/{entry.number}"] = source, at
        place = source.place((*at, "number"))
        if first.setdefault(entry.number, place) is not place:
            told = f"there is already an entry {entry.number}"
            folder.problems.add(place, told, "give it another number", first[entry.number])
    return file.entries if file else ()
