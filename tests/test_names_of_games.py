"""The house knows no game: what it must know of one, the game declares."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from games_for_tests import bundled_game

import grimalkin
from grimalkin.content import load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.engine.shape import Listing, Record, Shape, Table
from grimalkin.printing.face import Composer
from grimalkin.problems import Problems
from grimalkin.source import bundled_games, data_folder

ROOT = Path(grimalkin.__file__).parent
HOUSE = sorted(path for path in ROOT.rglob("*.py") if path.relative_to(ROOT).parts[0] not in ("games", "data"))
"""Every module outside of `games`."""
TEXTS = sorted(
    path
    for folder in ("templates/pages", "templates/faces/base", "site/theme")
    for path in data_folder(folder.partition("/")[0]).joinpath(folder.partition("/")[2]).rglob("*")
    if path.suffix in (".j2", ".yaml", ".html", ".js", ".css")
)
"""What all games share besides."""
SHOWN = {
    "cli/": "what --help shows can be typed as it stands, with the games that come along",
    **{f"parts/{part}/cli.py": "the same" for part in ("campaign", "odds", "simulations")},
    "parts/maps/export.py": "the same",
}
"""Modules whose longer texts show a game to a reader, and why."""
OTHER = {
    "deck": "a kind of components, and a page of it",
    "faces": "the folder of templates, and a key of game.yaml",
    "mort": "a table of fonts for morphing glyphs",
    "hand": "the lettering of the site's titles",
    "path": "the element of SVG, and the address of a page",
    "at": "where something is: a place in a table, the key of a figure's square in what an engine tells",
    "scenario": "what a game is played as, of any game that has scenarios",
    "mirror": "a way to make the bleed of a picture",
    "quarter": "the first quartile in a table of numbers",
    "seat": "the key of a page seen from a seat",
}
"""Ids of games that are words of the house too, and what they mean there."""
ENGINE = {"options", "seat", "seats", "to-act"}
"""Keys that positions of all games have, or facts about them."""


NAMES = set(bundled_games())
WORD = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")


@cache
def pieces() -> set[str]:
    """The ids of all pieces that are no words of the house."""
    return {id_ for name in NAMES for id_ in bundled_game(name).by_id} - set(OTHER)


@cache
def law() -> re.Pattern[str]:
    """How the id of any game's rule begins."""
    return re.compile(rf"\b(?:{'|'.join(bundled_game(name).info.prefix for name in sorted(NAMES))})-[A-Z]")


def names_in(text: str) -> set[str]:
    """The games, pieces and rules of games that a text names."""
    words = set(WORD.findall(text))
    return words & NAMES | {word for word in words & pieces() if "-" in word} | set(law().findall(text))


def keys(shape: Shape) -> Iterator[str]:
    """Every key of a position, at any depth."""
    if isinstance(shape, Record):
        for key, inner in {**shape.required, **shape.optional}.items():
            yield key
            yield from keys(inner)
    elif isinstance(shape, Table | Listing):
        yield from keys(shape.each)


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Every text in the code of a module, with its line; docstrings are for readers."""
    tree = ast.parse(path.read_text("utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.lineno, node.value


def faults(path: Path, name: str) -> list[str]:
    """Every text of a module that names something of a game."""
    shows = any(name.startswith(start) for start in SHOWN)
    found = []
    for line, text in texts(path):
        named = {text} & pieces() | (set() if shows else names_in(text))
        found += [f"{name}:{line}: {word}" for word in sorted(named)]
    return found


@pytest.mark.slow("reads every module of the house")
def test_the_house_names_nothing_of_a_game() -> None:
    """No piece, no game and no rule: a game from anywhere has others."""
    assert [] == [fault for path in HOUSE for fault in faults(path, path.relative_to(ROOT).as_posix())]


def test_the_house_reads_no_key_of_one_game() -> None:
    """Of a position it knows the seats, whose turn it is, and the options; what else lies there, the game tells."""
    games = [game for name in sorted(NAMES) if (game := bundled_game(name)).module]
    known = {key for game in games for key in keys(game.module.position_shape(game.facts))}
    known -= ENGINE | set(OTHER) | pieces()
    shared = [(path, path.relative_to(ROOT).as_posix()) for path in HOUSE]
    readers = [
        path
        for path, name in shared
        if name.startswith(("site/pages/", "parts/")) and path.name not in ("cli.py", "actions.py")
    ]
    found = {(path.name, text) for path in readers for _, text in texts(path) if text in known}
    # The ends of a line are round; an entry stands under a heading; boxes of scenarios are apart, one for each party; a
    # door *is* closed; a deck may be of the kind `coin`.
    others = {("charts.py", "round"), ("content.py", "under"), ("tabletop.py", "apart"), ("tabletop.py", "party")}
    others |= {("export.py", "is"), ("plan_drawing.py", "coin")}

    assert others == found


def test_what_games_share_names_none() -> None:
    """Neither the templates of pages and faces nor the theme of the site."""
    assert [] == [f"{path.name}: {name}" for path in TEXTS for name in sorted(names_in(path.read_text("utf-8")))]


@pytest.mark.parametrize("text", ["penny", "an example of were-kittens", "as in WM-SCORE-2", "like love-rose"])
def test_a_name_of_a_game_is_found(tmp_path: Path, text: str) -> None:
    """As a text, or within one."""
    path = tmp_path / "module.py"
    path.write_text(f'"""penny"""\n\nX = {text!r}\n')

    assert 1 == len(faults(path, "site/pages/module.py"))


@pytest.mark.parametrize("line", ["engine: were-kittens", "faces: were-kittens"])
def test_a_copy_under_another_name_finds_the_faces_of_its_game(tmp_path: Path, line: str) -> None:
    """One line of game.yaml is enough: templates are looked for under the name that it gives."""
    copy = tmp_path / "my-kittens"
    shutil.copytree(data_folder("content") / "were-kittens", copy)
    file = copy / "game.yaml"
    file.write_text(f"{line}\n{file.read_text(encoding='utf-8')}", encoding="utf-8")
    problems = Problems()
    game = load_game(copy, problems)
    assert game is not None
    composer = Composer(game, load_stocks(copy, problems), problems)

    assert data_folder("templates") / "faces" / "were-kittens" in composer.folders
