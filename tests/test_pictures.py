"""The pictures on the games' own faces: faults that can be measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, product

import pytest
from PIL import Image, ImageChops, ImageDraw
from soak import sampled

from grimalkin.content import as_variant, load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.draw.pdf import symbols
from grimalkin.printing.draw.shapes import matrix_through
from grimalkin.printing.face import Composer, Face, Inks
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.face.svg.xml import Element
from grimalkin.printing.face.views import ART
from grimalkin.printing.preflight.contours import painted
from grimalkin.printing.sheet.pieces import all_faces
from grimalkin.problems import Problems
from grimalkin.source import bundled_games, find_game_folder

pytestmark = pytest.mark.slow("draws all faces in all inks")

ALL_INKS: tuple[Inks, ...] = ("full", "low", "mono")
SHAPES = [f"{{{SVG}}}{tag}" for tag in ("path", "circle", "ellipse")]


@cache
def faces(name: str, inks: Inks) -> list[Face]:
    """Every face of a game, as usual and as each variant, and its cover."""
    problems = Problems()
    game = load_game(find_game_folder(name), problems)
    assert game is not None
    found: dict[str, Face] = {}
    for variant in (game, *(as_variant(game, [each]) for each in game.info.variants)):
        composer = Composer(variant, load_stocks(variant.folder, problems), problems, inks)
        cover = composer.compose("cover", "cover-front", game.info.title, None, ART, {})
        assert cover is not None, f"{name} has no cover face: write templates/faces/{name}/cover.svg.j2"
        found.update({face.fingerprint: face for face in (*all_faces(variant, composer).values(), cover)})
    assert not problems, list(problems)
    return list(found.values())


def drawn(element: Element, known: Mapping[str, Element]) -> Iterator[Element]:
    """An element and all that is drawn with it, through what it refers to."""
    for part in element.iter():
        yield part
        if part.tag == f"{{{SVG}}}use":
            yield from drawn(known[part.get("href", "#")[1:]], known)


# Letters


def flips(element: Element) -> bool:
    a, b, c, d, _, _ = matrix_through(element.get("transform", "scale(1)"))
    return a * d < b * c


@sampled(("name", "inks"), list(product(bundled_games(), ALL_INKS)), 8)
def test_no_letter_and_no_symbol_is_mirrored(name: str, inks: Inks) -> None:
    """Whoever is turned round holds nothing that can be read: texts and symbols are turned, never flipped."""
    mirrored = {
        f"{face.id}: {part.text or part.get('href')}"
        for face in faces(name, inks)
        for element in face.root.iter()
        if flips(element)
        for part in drawn(element, symbols(face.root))
        if part.tag == f"{{{SVG}}}text" or part.get("href", "").startswith("#icon-")
    }

    assert set() == mirrored


# Portraits

SMALL, RIBBON = 48, 64
"""The height of a small picture of a villager in pixels, and of what it shows, down to the ribbon, in millimetres."""


def silhouette(face: Face) -> Image.Image:
    """Who is on a face, without the ground, in white on black."""
    picture = Image.new("1", (SMALL * 63 // RIBBON, SMALL))
    draw = ImageDraw.Draw(picture)
    for part in painted(face):
        if part.clips and part.fill != "none":
            for contour in part.contours:
                draw.polygon([(x * SMALL / RIBBON, y * SMALL / RIBBON) for x, y in contour], fill=1)
    return picture


def area(picture: Image.Image) -> int:
    return picture.histogram()[-1]


@cache
def villagers(inks: Inks) -> dict[str, Face]:
    return {face.id: face for face in faces("werecats", inks) if face.root.xpath("//*[starts-with(@href, '#coat-')]")}


def test_villagers_are_told_apart_by_their_silhouettes() -> None:
    """In small black pictures, two people share at most 80 % of the area that either covers."""
    seen = {name: silhouette(face) for name, face in villagers("full").items()}
    shared = {
        (one, other): area(ImageChops.logical_and(seen[one], seen[other]))
        / area(ImageChops.logical_or(seen[one], seen[other]))
        for one, other in combinations(seen, 2)
    }

    assert 50 == len(seen)
    assert {} == {pair: part for pair, part in shared.items() if part > 0.8}


@pytest.mark.parametrize("inks", ALL_INKS)
def test_what_a_villager_holds_stands_on_paper(inks: Inks) -> None:
    """Under each thing lies a rim of paper: no black coat swallows a key."""
    paper = "#f7f1e3" if inks == "full" else "#ffffff"
    held = [
        next(shape for shape in things[0].iter(*SHAPES))
        for face in villagers(inks).values()
        if (things := face.root.xpath("//*[@fill-rule='nonzero']"))
    ]

    assert 49 == len(held)
    assert {(paper, paper, "1.8")} == {
        tuple(shape.get(key) for key in ("fill", "stroke", "stroke-width")) for shape in held
    }


# Type


@pytest.mark.parametrize("inks", ALL_INKS)
@pytest.mark.parametrize("name", bundled_games())
def test_type_is_large_enough_to_read(name: str, inks: Inks) -> None:
    """As printed, after all transforms: words have 6.5 points or more, and what holds a figure 7."""
    small = {
        (face.id, part.words, round(part.size, 2))
        for face in faces(name, inks)
        for part in painted(face)
        if part.words and part.size < (7 if any(letter.isdigit() for letter in part.words) else 6.5) - 0.01
    }

    assert set() == small
