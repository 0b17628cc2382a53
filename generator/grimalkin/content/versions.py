"""Kept versions of a game: their rules and their cards' looks, so that later versions can list the changes.

Each is a file in the game's folder, versions/VERSION.json, which `grimalkin keep` writes and nobody edits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grimalkin.content.folder import Folder
from grimalkin.content.game import Game, Kept
from grimalkin.content.rules import Erratum, Rule, Ruling
from grimalkin.problems import Place, Problems, shown_path
from grimalkin.source import files_in, read_text

FOLDER = "versions"
NAME = re.compile(r"[A-Za-z0-9]+([.-][A-Za-z0-9]+)*")
"""Names of versions that every file system accepts as file names."""
LONGEST_NAME = 40
_APART = {"id", "summary", "search_also"}
"""Fields of rules, rulings and components that do not affect their meaning."""
_WORDS = ("title", "text", "note", "question", "ruling", "why")
"""The text fields of a rule or ruling; when one of them changes, its revision must go up."""


def kept_text(game: Game, records: Sequence[Any], note: str = "") -> str:
    """Return the file for a game's current version, with one rule or component per line."""
    laws: dict[str, Any] = {}
    for section in game.sections:
        for rule in section.rules:
            laws[rule.id] = {"number": game.numbers[rule.id], "section": section.title, **_written(rule)}
    for ruling in game.every_ruling:
        laws[ruling.id] = {"number": game.numbers[ruling.id], **_written(ruling)}
    data = {
        "game": game.name,
        "rules-version": game.info.rules_version,
        **({"note": note} if note else {}),
        "laws": laws,
        "errata": {erratum.id: _written(erratum) for erratum in game.every_erratum},
        "components": {deck: {row.id: _written(row) for row in rows} for deck, rows in game.components.items()},
        "records": records,
    }
    text = json.dumps(data, indent=1, ensure_ascii=False)
    # Put everything without nesting on one line: in JSON text, no line ends inside a string.
    text = re.sub(r"\[[^\[\]{}]*\]", on_one_line, text)
    return re.sub(r"\{[^{}]*\}", on_one_line, text) + "\n"


def on_one_line(found: re.Match[str]) -> str:
    """Put a list or an object of indented JSON on one line; nothing is nested in it."""
    inner = " ".join(line.strip() for line in found[0][1:-1].split("\n"))
    return f"{found[0][0]}{inner.strip()}{found[0][-1]}"


def _written(model: Any) -> dict[str, Any]:
    written = model.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude=_APART)
    if isinstance(model, Rule | Ruling):
        written["revision"] = model.revision
    return dict(written)


def read_kept(folder: Path, problems: Problems) -> tuple[Kept, ...]:
    """Return all kept versions of a game. One that cannot be read is a problem."""
    found = []
    for path in files_in(folder, FOLDER, ".json", problems):
        text = read_text(path, problems, folder)
        if text is None:
            continue
        try:
            data = json.loads(text)
            laws, errata, components = data["laws"], data["errata"], data["components"]
            kept = Kept(data["rules-version"], laws, errata, components, list(data["records"]), data.get("note", ""))
            is_sound = (
                kept.version == path.stem
                and isinstance(kept.note, str)
                and all(map(_is_table, (laws, errata, *components.values())))
            )
            is_sound = is_sound and all(isinstance(law["revision"], int) for law in laws.values())
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            is_sound = False
        if is_sound:
            found.append(kept)
        else:
            hint = "`grimalkin keep` writes these files; restore it, or delete it"
            problems.add(Place(shown_path(path)), "this is not a kept version", hint)
    return tuple(found)


def _is_table(table: Mapping[str, Any]) -> bool:
    """Return whether every value in the mapping is itself a mapping."""
    return all(isinstance(row, dict) for row in table.values())


def changed_laws(game: Game, version: str) -> tuple[str, ...] | None:
    """Return the rules and rulings added or reworded since a version; None if it was not kept."""
    kept = next((one for one in game.kept if one.version == version), None)
    if kept is None:
        return None
    laws: dict[str, Rule | Ruling] = {**game.rules, **{one.id: one for one in game.every_ruling}}
    return tuple(id_ for id_, law in laws.items() if id_ not in kept.laws or law.revision > kept.laws[id_]["revision"])


def check_kept(folder: Folder, game: Game) -> None:
    """Report reworded rules with an unchanged revision, published ids that are gone, and an unchanged version."""
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
                folder.problems.add(game.place(id_), told, f"raise its `revision` to {kept.laws[id_]['revision'] + 1}")
        for id_ in gone:
            told = f"{id_}, which version {kept.version} has, is gone"
            hint = "published ids must stay; if a ruling no longer applies, say why, under `withdrawn`"
            folder.problems.add(Place(shown_path(game.folder)), told, hint)
        if game.source is not None and kept.version == game.info.rules_version and (changed or gone or new):
            first = (changed + gone + new)[0]
            told = f"version {kept.version} was kept, but {first} has changed since"
            folder.problems.add(game.source.place(("rules-version",)), told, "give the rules a new version")
