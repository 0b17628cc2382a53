"""The thirteen townsfolk of Curses & Covens, told apart by nothing but their outlines."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from itertools import combinations

import pytest
from games_for_tests import bundled_game
from lxml import etree
from PIL import Image, ImageChops

from grimalkin.content.stocks import load_stocks
from grimalkin.printing.draw.raster import face_png
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.sheet.pieces import all_faces
from grimalkin.problems import Problems

HEIGHT = 48
"""Of a picture, in pixels: a card held up across the room."""
MOST = 0.8
"""The limit for what two outlines share, as a part of what they cover together."""
WINDOW = (4.2, 4.2, 58.8, 63.5)
"""The picture on a card in millimetres, down to the strip with the name: left, top, right, bottom."""
FLAG = (3, 3, 19.9, 24.6)
"""What the flag with the occupation hides of it."""


def silhouette(face: Face, composer: Composer) -> Image.Image:
    """The figure on a face, black on white, without what is behind it."""
    root = face.root
    figure = root.find(f".//{{{SVG}}}g[@id='figure']")
    assert figure is not None
    for one in figure.iter():
        for key in ("fill", "stroke"):
            if one.get(key, "none") != "none":
                one.set(key, "#000000")
    drawn = (
        f'<svg xmlns="{SVG}"><g transform="translate(31.5 36)">{etree.tostring(figure, encoding="unicode")}</g></svg>'
    )
    layers = composer.resolve(drawn, face.id, "townsfolk.svg.j2", face.stock)
    assert layers is not None, list(composer.problems)
    return cropped(replace(face, content=layers))


def cropped(face: Face) -> Image.Image:
    """The part of a face inside its picture."""
    width, height = (WINDOW[at + 2] - WINDOW[at] for at in (0, 1))
    made = Image.open(io.BytesIO(face_png(face, math.ceil(HEIGHT / height * 25.4)))).convert("RGBA")
    white = Image.new("RGBA", made.size, "#ffffff")
    white.alpha_composite(made)
    scale = made.width / face.stock.width
    white.paste("#ffffff", tuple(round(side * scale) for side in FLAG))
    left, top = round(WINDOW[0] * scale), round(WINDOW[1] * scale)
    part = white.crop((left, top, left + round(width * scale), top + round(height * scale)))
    return part.convert("L").point(lambda grey: 255 if grey < 128 else 0).convert("1")


def shared(one: Image.Image, other: Image.Image) -> float:
    """How much of what two outlines cover together is covered by both."""
    both, either = (
        operation(one, other).histogram()[255] for operation in (ImageChops.logical_and, ImageChops.logical_or)
    )
    return both / either


@pytest.mark.slow("draws thirteen figures")
def test_no_two_townsfolk_have_the_same_outline() -> None:
    """One deck of thirteen people must not be one person with changed hats."""
    game = bundled_game("curses-and-covens")
    composer = Composer(game, load_stocks(game.folder, Problems()), Problems())
    figures = {}
    for name, face in all_faces(game, composer).items():
        if name in {f"{card.id}-front" for card in game.components["townsfolk"]}:
            figures[name] = silhouette(face, composer)

    alike = {
        pair: round(found, 2)
        for pair in combinations(figures, 2)
        if (found := shared(*(figures[name] for name in pair))) > MOST
    }

    assert len(figures) == 13
    assert alike == {}
