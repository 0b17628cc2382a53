"""Pictures of positions with fewer inks: on white paper, in black only, and whatever colours showed is still shown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from games_for_tests import bundled_game
from lxml import etree

from grimalkin.content import prove
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.face import Composer, Face, Inks
from grimalkin.printing.face.svg.paths import absolute_path
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.face.views import WIDTH, table_face
from grimalkin.problems import Problems
from grimalkin.source import find_game_folder

GAMES = ["were-kittens", "werecats", "wolf-mans-curse", "curses-and-covens"]
WHITE = {"none", "#ffffff"}
BROAD = 0.3 * WIDTH
"""Of dark shapes: what is meant to be dark is a coin, a tile or the back of a card."""


def composer(name: str, inks: Inks) -> Composer:
    game = bundled_game(name)
    return Composer(game, load_stocks(game.folder, Problems()), Problems(), inks)


@cache
def positions(name: str) -> list[dict[str, Any]]:
    """Where the examples of a game begin, each once."""
    proved = prove(find_game_folder(name), Problems())
    assert proved is not None
    found = {json.dumps(trace.before, sort_keys=True, default=str): trace.before for trace in proved[1].values()}
    return [position for position in found.values() if position]


def tables(name: str, inks: Inks) -> list[Face]:
    """The pictures of all positions."""
    pens = composer(name, inks)
    return [table_face(pens, position, "A position.") for position in positions(name)]


def painted(face: Face) -> set[str]:
    """All that shapes and words are painted with."""
    return {one.get(key) or "#000000" for one in face.root.iter(f"{{{SVG}}}*") for key in ("fill", "stroke")}


def broad_fills(root: etree._Element) -> Iterator[str]:
    """The shapes that are wide and not white, as they are written."""
    for one in root.iter(f"{{{SVG}}}rect", f"{{{SVG}}}path", f"{{{SVG}}}circle"):
        if one.tag == f"{{{SVG}}}path":
            points = absolute_path(one.get("d", "")).translate(str.maketrans("MLCZ", "    ")).split()[::2]
            across = [float(x) for x in points]
            wide = max(across) - min(across)
        else:
            wide = float(one.get("width") or 2 * float(one.get("r", "0")))
        fills = [up.get("fill") for up in (one, *one.iterancestors()) if up.get("fill")]
        if wide >= BROAD and (fills or ["#000000"])[0] not in WHITE:
            yield etree.tostring(one, encoding="unicode")


@pytest.mark.slow("draws the positions of all examples")
@pytest.mark.parametrize("name", GAMES)
def test_black_alone_is_black_and_white(name: str) -> None:
    """Any other colour would come out of a laser printer as dots."""
    assert {"none", "#000000", "#ffffff"} >= set().union(*map(painted, tables(name, "mono")))


@pytest.mark.slow("draws the positions of all examples")
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("inks", ["low", "mono"])
def test_the_paper_is_the_ground(name: str, inks: Inks) -> None:
    """Streets, woods and mats are drawn in lines, and the paper below them is white."""
    assert [] == [shape for face in tables(name, inks) for shape in broad_fills(face.root)]


@pytest.mark.slow("plays the examples")
@pytest.mark.parametrize("name", GAMES)
def test_the_full_ground_is_dark(name: str) -> None:
    """What the test above looks for is there with all inks: it can fail."""
    face = table_face(composer(name, "full"), positions(name)[0], "A position.")

    assert list(broad_fills(face.root))


@pytest.mark.slow("draws the positions of all examples twice")
@pytest.mark.parametrize("name", GAMES)
def test_what_differs_in_colour_differs_in_black_alone(name: str) -> None:
    """Positions whose full pictures are not the same have other pictures in black, too."""
    full, mono = ([face.svg for face in tables(name, inks)] for inks in ("full", "mono"))

    assert len(set(full)) == len(set(mono))


# Facts that colour alone told


def picture(name: str, inks: Inks = "mono", **position: Any) -> str:
    return table_face(composer(name, inks), position, "A position.").svg


def test_who_is_to_act_has_a_thick_frame() -> None:
    seats = {"Ada": {"hand": []}, "Ben": {"hand": []}}

    assert 'stroke="#000000" stroke-width="1"' in picture("wolf-mans-curse", seats=seats, **{"to-act": "Ada"})
    assert 'stroke="#000000" stroke-width="1"' not in picture("wolf-mans-curse", seats=seats)


def test_a_doubled_suit_lies_in_a_double_frame() -> None:
    """In full inks it lies in moonlight."""
    seats = {"Ada": {"hand": ["8h", "4s"]}}
    inner = '<rect x="-3.1"'

    assert 1 == picture("wolf-mans-curse", seats=seats, moon="kh").count(inner)
    assert 0 == picture("wolf-mans-curse", seats=seats, moon="kd").count(inner)
    assert 0 == picture("wolf-mans-curse", "full", seats=seats, moon="kh").count(inner)


def test_hearts_and_diamonds_are_outlines_in_black() -> None:
    """As on the cards: in full inks they are red."""
    shown = picture("wolf-mans-curse", seats={"Ada": {}})

    assert 2 == shown.count('<g stroke="#000000" stroke-width="2" stroke-linejoin="round">')
