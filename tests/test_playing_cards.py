"""The deck of Wolf-Man's Curse as a deck of playing cards: pips, indices, and backs without a right way up."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from PIL import Image, ImageChops

from grimalkin.content import load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.draw.raster import face_png
from grimalkin.printing.face.compose import Composer
from grimalkin.printing.face.layers import Face, Inks
from grimalkin.problems import Problems
from grimalkin.source import find_game_folder

SVG = "{http://www.w3.org/2000/svg}"
POINT = 25.4 / 72
TURNED = {2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 2, 8: 3, 9: 4, 10: 5}
"""Pips that stand on their head, by value, as on every international playing card."""


Compose = Callable[..., tuple[Face, Face]]


@pytest.fixture(scope="module")
def composed() -> Compose:
    """Gives front and back of a card, on any stock and with any inks."""
    problems = Problems()
    game = load_game(find_game_folder("wolf-mans-curse"), problems)
    assert game is not None
    composers: dict[tuple[str, Inks], Composer] = {}

    def faces(card: str, stock: str = "poker", inks: Inks = "full") -> tuple[Face, Face]:
        if (stock, inks) not in composers:
            composers[stock, inks] = Composer(game, load_stocks(game.folder, problems), problems, inks)
        component = game.by_id[card].model_copy(update={"stock": stock})
        deck = next(deck for deck in game.info.decks if game.by_id[card] in game.components[deck.id])
        front, back = composers[stock, inks].faces(deck, component)

        assert not list(problems)
        assert front is not None and back is not None
        return front, back

    return faces


def pips(face: Face, suit: str) -> tuple[int, int]:
    """How many large pips of a suit stand upright and on their head."""
    upright = turned = 0
    for use in face.root.iter(f"{SVG}use"):
        if use.get("href") == f"#pip-{suit}":
            if any(group.get("transform", "").startswith("rotate(180") for group in use.iterancestors()):
                turned += 1
            else:
                upright += 1
    return upright, turned


@pytest.mark.parametrize("suit", ["clubs", "spades", "hearts", "diamonds"])
@pytest.mark.parametrize("value", TURNED)
def test_a_number_card_shows_its_value_in_pips(composed: Compose, suit: str, value: int) -> None:
    """Of its own suit only, and those of the lower half are turned."""
    face, _ = composed(f"{value}{suit[0]}")
    others = {"clubs", "spades", "hearts", "diamonds"} - {suit}

    assert (value - TURNED[value], TURNED[value]) == pips(face, suit)
    assert [(0, 0)] * 3 == [pips(face, other) for other in others]


@pytest.mark.parametrize("stock", ["poker", "bridge"])
@pytest.mark.parametrize(("card", "index"), [("ac", "A"), ("7s", "7"), ("10d", "10"), ("qh", "Q")])
def test_the_index_can_be_read_in_a_fan(composed: Compose, card: str, index: str, stock: str) -> None:
    """It is set in 20 pt or more in the upper left corner, and comes again in the lower right one."""
    face, _ = composed(card, stock)
    found = [text for text in face.root.iter(f"{SVG}text") if text.text == index]
    (text,) = found
    turned = [use.get("transform", "") for use in face.root.iter(f"{SVG}use") if use.get("href") == "#index"]
    width, height = face.stock.width, face.stock.height

    assert float(text.get("font-size", "0")) >= 20 * POINT
    assert ["index"] == [group.get("id") for group in text.iterancestors(f"{SVG}g")]
    assert [f"rotate(180 {width / 2} {height / 2})"] == turned


@pytest.mark.parametrize("inks", ["full", "low", "mono"])
@pytest.mark.parametrize("stock", ["poker", "bridge"])
@pytest.mark.parametrize("card", ["5h", "kd"])
def test_a_back_has_no_right_way_up(composed: Compose, card: str, stock: str, inks: Inks) -> None:
    """Turned by half, its picture is the same, but for the soft edges of shapes."""
    _, back = composed(card, stock, inks)
    picture = Image.open(io.BytesIO(face_png(back, 100, square=True))).convert("L")
    difference = ImageChops.difference(picture, picture.rotate(180))
    unlike = sum(difference.histogram()[96:])

    assert unlike <= picture.width * picture.height / 2000


def test_the_two_backs_are_told_apart_by_their_edges(composed: Compose) -> None:
    """With all inks and in black only, the rim of a face card's back is dark and that of a number card's pale."""
    for inks in ("full", "mono"):
        pale, dark = (face_png(composed(card, inks=inks)[1], 100, square=True) for card in ("5h", "kd"))

        assert rim(pale) > 220
        assert rim(dark) < 60


def rim(png: bytes) -> int:
    """How light a picture is a millimetre below the middle of its upper edge, 0 to 255."""
    picture = Image.open(io.BytesIO(png)).convert("L")
    return picture.tobytes()[4 * picture.width + picture.width // 2]
