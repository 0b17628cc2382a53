"""Report names in a game's folder that are impossible or used twice, and files that nothing reads."""

from __future__ import annotations

import os

from grimalkin.content.folder import ONE_FILE, Folder
from grimalkin.content.models import GameFile
from grimalkin.content.player_aids import LearnFile, QuickFile
from grimalkin.content.rules import ErrataFile, RulesFile, RulingsFile, SearchFile, TermsFile
from grimalkin.content.scenarios import StoryFile
from grimalkin.content.values import Model
from grimalkin.floors import having
from grimalkin.problems import Place, Problem, did_you_mean, shown_path
from grimalkin.problems.plain import ID, fault_of_name, folded, is_name_of_game, listed
from grimalkin.source import data_folder, files_below, is_inside, name_of
from grimalkin.source.digest import CONTENT, LAYOUT
from grimalkin.source.tables import TABLE_FILES

FILES: dict[str, type[Model]] = {
    "game.yaml": GameFile,
    "rules.yaml": RulesFile,
    "rulings.yaml": RulingsFile,
    "errata.yaml": ErrataFile,
    "terms.yaml": TermsFile,
    "quick.yaml": QuickFile,
    "search.yaml": SearchFile,
    "story.yaml": StoryFile,
    "learn.yaml": LearnFile,
}
"""The YAML files that we read in a game's folder; parts add others."""
RESERVED_NAMES = ("assets", "decisions", "fonts", "guide", "pictures", "search", "sheets", "cards", "site")
"""Folders of the site, so no game can have these names."""
SHARED = {
    "cutters": ".yaml",
    "icons": ".svg",
    "labels": ".yaml",
    "papers": ".yaml",
    "shops": ".yaml",
    "stocks": ".yaml",
}
"""Folders that may be shared or belong to a game, each with the extension of the files that are read in it."""
FOLDERS = (*CONTENT, *LAYOUT)
"""All folders that are read in a game's folder."""


def every_file() -> dict[str, type[Model]]:
    """Return the YAML files in a game's folder, those of parts included."""
    return FILES | {name: model for part in having("content", "FILES") for name, model in part.FILES.items()}


def check_names(folder: Folder, info: GameFile) -> None:
    """Report an invalid folder name, names used twice, and files that nothing would read."""
    name = name_of(folder.path)
    fault = fault_of_name(name)
    if not is_name_of_game(name):
        fault = "write small letters, digits and hyphens"
    elif name in RESERVED_NAMES:
        fault = "the site has a folder with this name"
    if fault:
        folder.problems.add(Place(shown_path(folder.path)), f'a game folder cannot be called "{name}"', fault)
    source = folder.sources["game.yaml"]
    for key in ("decks", "books", "lists", "variants"):
        list(folder.each((info, source), key))
    _check_files(folder)
    tables = [drawn.file for drawn in (*info.decks, *info.books)] + [listing.file for listing in info.lists]
    if info.party is not None:
        folder.must_be_there("deck", info.party, [deck.id for deck in info.decks], source, ("party",))
    names = every_file()
    known = {*names, *(os.path.normpath(table) for table in tables)}
    for path in sorted(folder.path.iterdir()):
        if path.name in known:
            continue
        if path.suffix in (".yaml", ".yml"):
            near = did_you_mean(path.name, names)
            if near.startswith("did") or path.with_suffix(".yaml").name in names:
                folder.problems.add(Place(shown_path(path)), "nothing reads this file", near)
            else:
                folder.remarks.append(Problem(Place(shown_path(path)), "nothing reads this file"))
        elif path.suffix.lower() in TABLE_FILES and path.suffix != ".txt" and all(map(folder.has_table, tables)):
            hint = f"game.yaml names {listed(tables)}"
            folder.remarks.append(Problem(Place(shown_path(path)), "nothing reads this table", hint))
    yaml = ("campaigns", "examples", "playthroughs", "scenarios")
    for kind, ending in (*((kind, ".yaml") for kind in yaml), ("maps", ".txt"), ("versions", ".json")):
        inside = is_inside(folder.path / kind, folder.path)
        for path in sorted((folder.path / kind).glob("*")) if inside else ():
            if path.suffix != ending or not path.is_file():
                told = f"this folder is for files that end in {ending}"
                folder.problems.add(Place(shown_path(path)), "nothing reads this", told)


def _check_files(folder: Folder) -> None:
    """Report file names that some file systems refuse, and names used as ids that are not valid ids."""
    for kind in FOLDERS:
        ending = SHARED.get(kind)
        shared = (data_folder("templates") / kind).glob(f"*{ending}") if ending else ()
        taken = {folded(path.name): path for path in shared}
        inside = folder.path / kind
        paths = files_below(inside, folder.path) if kind else folder.path.glob("*")
        for path in sorted(paths):
            if path.name.startswith(".") or not (kind or path.suffix in TABLE_FILES):
                continue
            place = Place(shown_path(path))
            first = taken.setdefault(folded(path.name), path)
            if first.name != path.name:  # a game's own file may replace a shared one
                told = f'this name is too similar to "{first.name}"'
                folder.problems.add(place, told, f"{ONE_FILE}; rename it", Place(shown_path(first)))
            fault = fault_of_name(path.name)
            if fault:
                folder.problems.add(place, "not every disk allows this file name", fault)
            elif ending == path.suffix == ".yaml" and not ID.fullmatch(path.stem):
                hint = f"write letters, digits and single hyphens before {path.suffix}"
                folder.problems.add(place, "the name of this file is used as an id, but is not a valid one", hint)
