"""Versions of a game that were kept: what its rules said and how its cards looked, so that a later one can tell what
has changed.

Each is a file of its own in the game's folder, versions/VERSION.json, which `grimalkin keep` writes and nobody edits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grimalkin.content.models import Erratum, Rule, Ruling
from grimalkin.problems import Place, Problems, shown_path
from grimalkin.source import files_in, read_text

if TYPE_CHECKING:
    from grimalkin.content.game import Game

FOLDER = "versions"
NAME = re.compile(r"[A-Za-z0-9]+([.-][A-Za-z0-9]+)*")
"""What a version is called whose file every disk can have."""
LONGEST_NAME = 40
_APART = {"id", "summary", "search_also"}
"""What of a rule, a ruling or a component is not part of what it says."""
_WORDS = ("title", "text", "note", "question", "ruling", "why")
"""What of a rule or a ruling is words; when one of these changes, its revision goes up."""


@dataclass(frozen=True)
class Kept:
    """A version as it was: plain data, as it is in the file."""

    version: str
    laws: Mapping[str, Mapping[str, Any]]
    """What was written of every rule and ruling, by id; of a rule, its printed number and the title of its section."""
    errata: Mapping[str, Mapping[str, Any]]
    components: Mapping[str, Mapping[str, Mapping[str, Any]]]
    """The cells of every component, by its id, by the id of its deck."""
    records: Sequence[Any]
    """How the components looked in each design, as records of printed cards tell it."""


def kept_text(game: Game, records: Sequence[Any]) -> str:
    """The file of the version that a game has now, a rule or a component a line."""
    laws: dict[str, Any] = {}
    for section in game.sections:
        for rule in section.rules:
            laws[rule.id] = {"number": game.numbers[rule.id], "section": section.title, **_written(rule)}
    for ruling in game.every_ruling:
        laws[ruling.id] = {"number": game.numbers[ruling.id], **_written(ruling)}
    from grimalkin.content.simulations import on_one_line

    data = {
        "game": game.name,
        "rules-version": game.info.rules_version,
        "laws": laws,
        "errata": {erratum.id: _written(erratum) for erratum in game.every_erratum},
        "components": {deck: {row.id: _written(row) for row in rows} for deck, rows in game.components.items()},
        "records": records,
    }
    text = json.dumps(data, indent=1, ensure_ascii=False)
    # What holds nothing nested goes on one line: in JSON text a line never ends inside a string.
    text = re.sub(r"\[[^\[\]{}]*\]", on_one_line, text)
    return re.sub(r"\{[^{}]*\}", on_one_line, text) + "\n"


def _written(model: Any) -> dict[str, Any]:
    written = model.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude=_APART)
    if isinstance(model, Rule | Ruling):
        written["revision"] = model.revision
    return dict(written)


def read_kept(folder: Path, problems: Problems) -> tuple[Kept, ...]:
    """Every version that was kept of a game. One that cannot be read is a problem."""
    found = []
    for path in files_in(folder, FOLDER, ".json", problems):
        text = read_text(path, problems, folder)
        if text is None:
            continue
        try:
            data = json.loads(text)
            laws, errata, components = data["laws"], data["errata"], data["components"]
            kept = Kept(data["rules-version"], laws, errata, components, list(data["records"]))
            is_sound = kept.version == path.stem and all(map(_is_table, (laws, errata, *components.values())))
            is_sound = is_sound and all(isinstance(law["revision"], int) for law in laws.values())
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            is_sound = False
        if is_sound:
            found.append(kept)
        else:
            hint = "`grimalkin keep` writes these files; take it back as it was, or delete it"
            problems.add(Place(shown_path(path)), "this is not a version that was kept", hint)
    return tuple(found)


def _is_table(table: Mapping[str, Any]) -> bool:
    """Whether it holds, by id, what is written under a few names."""
    return all(isinstance(row, dict) for row in table.values())


def changed_laws(game: Game, version: str) -> tuple[str, ...] | None:
    """The rules and rulings that are new, or have other words, since a version; None when it was not kept."""
    kept = next((one for one in game.kept if one.version == version), None)
    if kept is None:
        return None
    laws: dict[str, Rule | Ruling] = {**game.rules, **{one.id: one for one in game.every_ruling}}
    return tuple(id_ for id_, law in laws.items() if id_ not in kept.laws or law.revision > kept.laws[id_]["revision"])


def check_kept(game: Game, problems: Problems) -> None:
    """Who changes the words of a rule raises its revision, and the version of the rules; published ids stay."""
    laws: dict[str, Rule | Ruling] = {**game.rules, **{one.id: one for one in game.every_ruling}}
    others: dict[str, Erratum] = {erratum.id: erratum for erratum in game.every_erratum}
    now = {id_: [getattr(law, name, None) or "" for name in _WORDS] for id_, law in laws.items()} if game.kept else {}
    for kept in game.kept:
        then = {id_: [law.get(name, "") for name in _WORDS] for id_, law in kept.laws.items()}
        changed = [id_ for id_ in then if id_ in laws and now[id_] != then[id_]]
        gone = [id_ for id_ in (*kept.laws, *kept.errata) if id_ not in laws and id_ not in others]
        new = [id_ for id_ in laws if id_ not in kept.laws]
        for id_ in changed:
            if laws[id_].revision <= kept.laws[id_]["revision"]:
                told = f"the words of {id_} have changed since version {kept.version}"
                problems.add(game.place(id_), told, f"raise its `revision` to {kept.laws[id_]['revision'] + 1}")
        for id_ in gone:
            told = f"{id_} of version {kept.version} is gone"
            hint = "an id that was published stays; a ruling that holds no more says why, under `withdrawn`"
            problems.add(Place(shown_path(game.folder)), told, hint)
        if game.source is not None and kept.version == game.info.rules_version and (changed or gone or new):
            first = (changed + gone + new)[0]
            told = f"version {kept.version} was kept, and {first} is not as it was then"
            problems.add(game.source.place(("rules-version",)), told, "the rules have a new version now")
