"""Names that become names of files: unlike each other and possible on every disk, whoever wrote them."""

from __future__ import annotations

import json
import shutil
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
import yaml
from games_for_tests import FILES, write_game

from grimalkin.content import load_game
from grimalkin.content.schemas import every_file
from grimalkin.content.values import Model
from grimalkin.problems import Problems
from grimalkin.problems.plain import LONGEST_ID
from grimalkin.source import bundled_games, data_folder

LISTS_OF_FILES = {"examples": "examples", "playthrough": "playthroughs"}
"""Content files of which a game may have several, by their model, and the folder that they lie in."""


def problems_of(folder: Path) -> list[str]:
    problems = Problems()
    load_game(folder, problems)
    return [str(problem).replace(f"{folder}/", "") for problem in problems]


def lists_with_ids(kind: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The keys that lead to every list within a model whose items have an id."""
    for key, inner in get_type_hints(kind).items():
        for part in get_args(inner) if get_origin(inner) in (Union, types.UnionType) else (inner,):
            item = get_args(part)[0] if get_origin(part) is tuple else part
            if isinstance(item, type) and issubclass(item, Model):
                if get_origin(part) is tuple and "id" in item.model_fields:
                    yield (*at, key)
                yield from lists_with_ids(item, (*at, key))


def first_lists(data: Any, keys: tuple[str, ...]) -> Iterator[list[dict[str, Any]]]:
    """Every list that keys lead to, through the items of the lists on the way."""
    key, *rest = keys
    here = data.get(key, [])
    if not rest:
        yield here
        return
    for item in here:
        yield from first_lists(item, tuple(rest))


MODELS = every_file()
CASES = [(name, keys) for name, model in MODELS.items() for keys in lists_with_ids(model)]


def test_the_registry_has_what_a_game_names() -> None:
    """So that the next test does not try nothing."""
    assert {("game", ("decks",)), ("rules", ("sections", "rules")), ("charts", ("charts",))} <= set(CASES)
    others = {"playthrough", "scenario", "story", "told-campaign", "learn", "search"}
    assert {name for name, _ in CASES} | others == set(MODELS)


@pytest.mark.slow("reads whole games")
@pytest.mark.parametrize(("name", "keys"), CASES, ids=lambda part: part if isinstance(part, str) else ".".join(part))
def test_ids_that_differ_by_case_alone_are_a_problem(tmp_path: Path, name: str, keys: tuple[str, ...]) -> None:
    """In every list of every file: with both places, unless the model wants small letters anyway."""
    for game in bundled_games():
        source = data_folder("content") / game
        inside = source / LISTS_OF_FILES[name] if name in LISTS_OF_FILES else source
        for path in sorted(inside.glob("*.yaml" if name in LISTS_OF_FILES else f"{name}.yaml")):
            data = yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)
            for found in first_lists(data, keys):
                if found:
                    folder = tmp_path / game
                    shutil.copytree(source, folder)
                    found.append({**found[0], "id": found[0]["id"].swapcase()})
                    (folder / path.relative_to(source)).write_text(json.dumps(data), encoding="utf-8")
                    told = problems_of(folder)
                    alike = [one for one in told if "only in capital letters" in one]

                    assert [one for one in alike if "the other place" in one] == alike
                    assert alike or [one for one in told if "is not well formed" in one]
                    return
    pytest.fail(f"no bundled game has {'.'.join(keys)}")


def test_playthroughs_whose_ids_differ_by_case_alone_are_a_problem(tmp_path: Path) -> None:
    """Each is a file of its own, and so is its page."""
    folder = tmp_path / "were-kittens"
    shutil.copytree(data_folder("content") / "were-kittens", folder)
    path = next(folder.glob("playthroughs/two*.yaml"))
    text = path.read_text(encoding="utf-8").replace("WK-PLAY-1", "WK-Play-1", 1)
    path.with_name("zwei.yaml").write_text(text, encoding="utf-8")

    assert [
        'playthroughs/zwei.yaml:2: the id "WK-Play-1" differs from "WK-PLAY-1" only in capital letters; '
        "Windows and macOS treat both as one file; give it another id\n"
        "    playthroughs/two-kittens-at-midnight.yaml:2: the other place"
    ] == problems_of(folder)


@pytest.mark.parametrize("kind", ["cutters", "icons", "papers", "shops", "stocks", "examples", "faces", "playthroughs"])
def test_files_that_are_one_on_some_disk_are_a_problem(tmp_path: Path, kind: str) -> None:
    """By the case of a letter, or by how its accent is written; wherever files of a game are read."""
    folder = write_game(tmp_path / "tiny")
    (folder / kind).mkdir(exist_ok=True)
    for name in ("für.txt", "FU\u0308R.txt"):
        (folder / kind / name).write_text("", encoding="utf-8")
    if len(list((folder / kind).glob("*.txt"))) == 1:
        pytest.skip("here they are one file")

    assert [
        f'{kind}/für.txt: this name is too similar to "FU\u0308R.txt"; Windows and macOS treat both as one file; '
        "rename it\n"
        f"    {kind}/FU\u0308R.txt: the other place"
    ] == [one for one in problems_of(folder) if "too similar to" in one]


def test_a_file_of_ones_own_is_not_almost_a_shared_one(tmp_path: Path) -> None:
    """Sheets on "A4" and on "a4" would be one file; a paper of the same name takes the place of the shared one."""
    paper = "name: Mine\nwidth: 210\nheight: 297\n"
    folder = write_game(tmp_path / "tiny", **{"papers/A4.yaml": paper, "papers/letter.yaml": paper})

    assert ['papers/A4.yaml: this name is too similar to "a4.yaml"'] == [
        one.partition(";")[0] for one in problems_of(folder)
    ]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("stocks/my card.yaml", "write letters, digits and single hyphens before .yaml"),
        ("papers/a_b.yaml", "write letters, digits and single hyphens before .yaml"),
        ("stocks/nul.yaml", "Windows keeps this name for itself"),
        ("papers/Com1.yaml", "Windows keeps this name for itself"),
        ("faces/a?.svg.j2", 'Windows has no "?" in names'),
        ("faces/plain.svg.j2.", "Windows drops dots and spaces at the end of a name"),
        (f"faces/{'a' * 120}.svg.j2", "it has more than 120 bytes"),
    ],
)
@pytest.mark.skipif("sys.platform == 'win32'", reason="Windows does not take these names")
def test_a_file_that_not_every_disk_can_have_is_a_problem(tmp_path: Path, path: str, told: str) -> None:
    text = (data_folder("templates") / "stocks" / "poker.yaml").read_text(encoding="utf-8")
    folder = write_game(tmp_path / "tiny", **{path: text})

    assert [path] == [one.partition(":")[0] for one in problems_of(folder) if one.endswith(told)]


@pytest.mark.parametrize(
    ("key", "id_", "told"),
    [
        ("  - id: cards", "con", "Windows keeps this name for itself"),
        ("  - id: cards", "LPT1", "Windows keeps this name for itself"),
        ("  - id: cards", "c" * (LONGEST_ID + 1), "an id has at most 60 characters; this one has 61"),
    ],
)
def test_an_id_that_names_files_can_name_one(tmp_path: Path, key: str, id_: str, told: str) -> None:
    folder = write_game(tmp_path / "tiny", game_yaml=FILES["game.yaml"].replace(key, f"  - id: {id_}"))

    assert [True] == [one.startswith("game.yaml:13: ") and one.endswith(told) for one in problems_of(folder)]


def test_a_game_is_not_called_like_a_device(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "aux")

    assert [f'{folder}: a game folder cannot be called "aux"; Windows keeps this name for itself'] == problems_of(
        folder
    )


def test_no_section_takes_the_page_of_rulings_apart(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "tiny", rules_yaml=FILES["rules.yaml"].replace("id: play", "id: General"))

    assert ['rules.yaml:2: a section cannot be called "General"'] == [
        one.partition(";")[0] for one in problems_of(folder)
    ]
