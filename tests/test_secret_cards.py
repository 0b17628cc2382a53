"""The cards of Curses & Covens, whose secrets live behind their backs: one back for all, without a right way up."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops

from grimalkin.content import load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.draw.raster import face_png
from grimalkin.printing.face import Composer, Face, standalone_svg
from grimalkin.printing.face.layers import Inks
from grimalkin.problems import Problems
from grimalkin.source import find_game_folder

pytestmark = pytest.mark.slow("draws all cards of a game")

SECRET = ("witches", "townsfolk", "rituals")
INKS: tuple[Inks, ...] = ("full", "low", "mono")


def backs(inks: Inks) -> dict[str, Face]:
    """The back of every card that is ever held in secret."""
    problems = Problems()
    game = load_game(find_game_folder("curses-and-covens"), problems)
    assert game is not None
    composer = Composer(game, load_stocks(game.folder, problems), problems, inks)
    decks = [deck for deck in game.info.decks if deck.id in SECRET]
    found = {row.id: composer.faces(deck, row)[1] for deck in decks for row in game.components[deck.id]}

    assert not list(problems)
    assert None not in found.values()
    return {id_: face for id_, face in found.items() if face}


@pytest.mark.parametrize("inks", INKS)
def test_no_card_can_be_told_by_its_back(inks: Inks) -> None:
    """All 27 backs are one picture, stroke by stroke."""
    faces = backs(inks)

    assert len(faces) == 27
    assert len({standalone_svg(face).split("</title>")[-1] for face in faces.values()}) == 1


@pytest.mark.parametrize("inks", INKS)
def test_no_card_can_be_told_by_which_way_it_lies(inks: Inks) -> None:
    """Turned by half, the back is the same, but for the soft edges of shapes."""
    picture = Image.open(io.BytesIO(face_png(backs(inks)["fake"], 100, square=True))).convert("L")
    difference = ImageChops.difference(picture, picture.rotate(180))

    assert sum(difference.histogram()[32:]) == 0
