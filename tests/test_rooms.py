# ruff: noqa: N815 - the names are those of the format
"""Rooms of PlayingCards.io: one file with all pieces, which its reader and that of VirtualTabletop.io understand."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any, Literal

import pytest
from games_for_tests import FILES, write_game
from PIL import Image
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from grimalkin.cli import main
from grimalkin.printing.export.rooms import HAND, MARGIN, SCALE, WIDE, arrange


class Strict(BaseModel):
    """What exports of the program (schema 8) have, as described in Tubbyland/pcio-authoring (0a3bf0f)."""

    model_config = ConfigDict(extra="forbid", strict=True)
    id: str = Field(pattern="^[a-z0-9]+$")
    x: int = Field(ge=0)
    y: int = Field(ge=0)
    z: int


class Shown(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    type: Literal["image"]
    x: Literal[0]
    y: Literal[0]
    w: int
    h: int
    color: str
    valueType: Literal["dynamic"]
    value: Literal["face", "back"]


class Template(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    includeBorder: Literal["none"]
    includeRadius: bool
    objects: list[Shown]


class CardType(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    label: str
    face: str = Field(pattern="^package://userassets/[a-z0-9.-]+$")
    back: str = Field(pattern="^package://userassets/[a-z0-9.-]+$")


class Hand(Strict):
    type: Literal["hand"]


class Holder(Strict):
    type: Literal["holder"]
    label: str
    width: int
    height: int
    hasShuffleButton: bool


class Deck(Strict):
    type: Literal["cardDeck"]
    parent: str
    collectionName: str
    cardWidth: int
    cardHeight: int
    enlarge: bool
    collectionType: Literal["pieces"] | None = None
    cardTypes: dict[str, CardType]
    faceTemplate: Template
    backTemplate: Template


class Card(Strict):
    type: Literal["card", "piece"]
    deck: str
    cardType: str
    parent: str
    faceup: bool


Widget = TypeAdapter(list[Hand | Holder | Deck | Card])

CARDS = "id,name,count,power,mood\n" + "".join(f"c{number},Card {number},{1 + number % 2},1,\n" for number in range(3))
TILES = """\
  - {id: tiles, name: Tiles, kind: coin, file: tiles.csv, count: 3, stock: penny, faces: {front: coin}}
"""
COIN = '{% extends "base/face.svg.j2" %}{% block words %}{% endblock %}'


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of three designs of cards, in four copies, with one back, and of coins without a back."""
    return write_game(
        tmp_path_factory.mktemp("small"),
        game_yaml=FILES["game.yaml"].replace("count: 3", "count: 4") + TILES,
        cards_csv=CARDS,
        rules_yaml=FILES["rules.yaml"].replace("mouse", "c0").replace("owl", "c1"),
        **{"tiles.csv": "id,name,count\ntoken,Token,3\n", "faces/coin.svg.j2": COIN},
    )


def room(folder: Path, *options: str) -> zipfile.ZipFile:
    out = folder.parent / "out"
    assert main(["export", "pcio", str(folder), "--output", str(out), *options]) == 0
    (file,) = (path for path in (out / "pcio").iterdir() if path.suffix == ".pcio")
    return zipfile.ZipFile(io.BytesIO(file.read_bytes()))


def widgets(archive: zipfile.ZipFile) -> list[Any]:
    return Widget.validate_json(archive.read("widgets.json"))


def test_a_room_is_one_file_with_all_its_pictures(small: Path) -> None:
    """It has each picture once and no other, and does not compress them again."""
    archive = room(small)
    named = {
        name.removeprefix("package://")
        for deck in widgets(archive)
        if isinstance(deck, Deck)
        for kind in deck.cardTypes.values()
        for name in (kind.face, kind.back)
    }

    assert archive.read("schemaVersion") == b"8"
    assert {"schemaVersion", "widgets.json", *named} == set(archive.namelist())
    assert {zipfile.ZIP_STORED} == {archive.getinfo(name).compress_type for name in named}
    for name in named:
        with Image.open(io.BytesIO(archive.read(name))) as picture:
            assert picture.format == "PNG"


def test_each_deck_lies_in_a_holder_of_its_own(small: Path) -> None:
    """Every copy is a card, in the order of the table; cards lie face down and can be shuffled, coins face up."""
    every = widgets(room(small))
    decks = [one for one in every if isinstance(one, Deck)]
    holders = {one.id: one for one in every if isinstance(one, Holder)}
    cards = [one for one in every if isinstance(one, Card)]

    assert ["Cards", "Token"] == [deck.collectionName for deck in decks] == [one.label for one in holders.values()]
    assert ["c0", "c1", "c1", "c2", "token", "token", "token"] == [card.cardType for card in cards]
    assert [("card", False)] * 4 + [("piece", True)] * 3 == [(card.type, card.faceup) for card in cards]
    assert [None, "pieces"] == [deck.collectionType for deck in decks], "so what is around a coin is transparent"
    assert [True, False] == [holders[deck.parent].hasShuffleButton for deck in decks]
    assert {"c0": "Card 0", "c1": "Card 1", "c2": "Card 2"} == {
        key: kind.label for key, kind in decks[0].cardTypes.items()
    }
    for card in cards:
        deck = next(one for one in decks if one.id == card.deck)
        holder = holders[card.parent]
        assert card.cardType in deck.cardTypes and deck.parent == card.parent
        assert (holder.width, holder.height) == (deck.cardWidth + 2 * MARGIN, deck.cardHeight + 2 * MARGIN)
    assert [card.z for card in cards] == sorted({one.z for one in cards}), "the first card lies lowest"
    assert len({one.id for one in every}) == len(every)


def test_a_poker_card_is_as_wide_as_the_program_makes_one(small: Path) -> None:
    """A card of 63 mm takes 103 pixels, and all others are to scale."""
    decks = [one for one in widgets(room(small)) if isinstance(one, Deck)]

    assert [(103, 144), (31, 31)] == [(deck.cardWidth, deck.cardHeight) for deck in decks]
    assert [True, False] == [deck.backTemplate.includeRadius for deck in decks]
    assert {(deck.cardWidth, deck.cardHeight) for deck in decks} == {
        (shown.w, shown.h) for deck in decks for shown in (*deck.faceTemplate.objects, *deck.backTemplate.objects)
    }


def test_a_piece_without_a_back_shows_white_there(small: Path) -> None:
    archive = room(small)
    (coins,) = (one for one in widgets(archive) if isinstance(one, Deck) and one.collectionName == "Token")
    token = coins.cardTypes["token"]

    assert token.face == "package://userassets/token-front.png"
    with Image.open(io.BytesIO(archive.read(token.back.removeprefix("package://")))) as picture:
        assert picture.convert("RGBA").getpixel((picture.width // 2, picture.height // 2)) == (255, 255, 255, 255)
        assert picture.convert("RGBA").getpixel((0, 0))[3] == 0, "cut like its front"  # type: ignore[index]


def test_the_same_game_is_the_same_room(small: Path) -> None:
    first = room(small, "--jobs", "1").fp
    again = room(small, "--jobs", "2").fp
    assert first is not None and again is not None
    first.seek(0)
    again.seek(0)

    assert first.read() == again.read()


def test_pictures_are_as_sharp_as_you_ask(small: Path) -> None:
    archive = room(small, "--only", "c0", "--dpi", "100")
    with Image.open(io.BytesIO(archive.read("userassets/c0-front.png"))) as picture:
        assert picture.size == (248, 346)


def test_each_design_of_a_coin_has_a_pile_unless_there_are_too_many(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of one stock then share a pile with the name of their deck."""
    monkeypatch.setattr("grimalkin.printing.export.rooms.SINGLY", 2 * SCALE)

    assert ["Cards", "Tiles"] == [one.label for one in widgets(room(small)) if isinstance(one, Holder)]


@pytest.mark.parametrize("sizes", [[(63.0, 88.0)], [(63.0, 88.0)] * 40, [(186.0, 118.0), *[(19.0, 19.0)] * 200]])
def test_piles_lie_beside_one_another(sizes: list[tuple[float, float]]) -> None:
    """No two overlap, with the label above and the button below; all are above the hand, and have one scale."""
    scale, places = arrange(sizes)
    boxes = [
        (x, y - 40, x + round(width * scale) + 2 * MARGIN, y + round(height * scale) + 2 * MARGIN + 32)
        for (x, y), (width, height) in zip(places, sizes, strict=True)
    ]

    assert scale <= SCALE
    assert all(x >= 0 and y >= 0 and right <= WIDE and foot <= HAND for x, y, right, foot in boxes)
    assert not any(
        a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
        for index, a in enumerate(boxes)
        for b in boxes[index + 1 :]
    )


def test_more_piles_than_a_table_holds_are_a_problem(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing would be legible any more."""
    assert arrange([(63.0, 88.0)] * 5000) == (0.0, [])

    monkeypatch.setattr("grimalkin.printing.export.rooms.LEAST", 2 * SCALE)
    assert main(["export", "pcio", str(small), "--output", str(small.parent / "none")]) == 1
    told = "the table of PlayingCards.io has no room for 2 piles; export some of them with --only"
    assert told in capsys.readouterr().err
