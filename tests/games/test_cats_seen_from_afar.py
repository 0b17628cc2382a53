"""Nine cats and seventeen foes: each is told by its outline alone, as small as a figure on a map."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image

from grimalkin.content import load_game
from grimalkin.content.stocks import Stock, load_stocks
from grimalkin.printing.draw.raster import INCH, face_png
from grimalkin.printing.face import Composer
from grimalkin.problems import Problems
from grimalkin.source import data_folder

CATS = "cats-of-new-orleans"
HIGH = 48
"""Pixels of a figure from its feet to the 32 mm that it may reach."""
MOST = 0.8
"""Of what either of two figures covers, how much both may cover."""
ROOM = Stock(name="Figure", shape="rectangle", width=30, height=34, bleed=0, safe=0)
TEMPLATE = """\
{% set hue = "#000000" %}
{% extends "base/linocut.svg.j2" %}
{% block ground %}{% endblock %}
{% block art %}
{% if card.cat %}{% import "cats-of-new-orleans/cat-" ~ card.of ~ ".svg.j2" as cat %}{% set drawn = cat.figure() %}
{% else %}{% import "cats-of-new-orleans/vermin.svg.j2" as vermin %}{% set drawn = vermin.figures[card.of]() %}
{% endif %}
{% set full = 'fill="#000000" stroke="#000000" stroke-width="0.3"' | safe %}
{% set line = 'fill="none" stroke="#000000" stroke-width="0.5"' | safe %}
<g transform="translate(15 33)">{{ drawn.format(**dict(p, ground=full, night=full, lit=full, straw=full, tint=full,
  mass=full, litflat=full, strawflat=full, tintflat=full, dark=full, shade=full, gouge=full, gougehue=full, key=full,
  line=line, thin=line, bold=line, cutline=line)) }}</g>
{% endblock %}
"""


@cache
def outlines(folder: Path) -> Mapping[str, frozenset[int]]:
    """The pixels that each figure covers, by its id."""
    game_folder = folder / CATS
    shutil.copytree(data_folder("content") / CATS, game_folder)
    (game_folder / "faces").mkdir()
    (game_folder / "faces" / "outline.svg.j2").write_text(TEMPLATE, encoding="utf-8")
    problems = Problems()
    game = load_game(game_folder, problems)
    assert game is not None, [*map(str, problems)]
    composer = Composer(game, load_stocks(game_folder, problems), problems)
    covered = {}
    for deck in ("heroes", "foes"):
        for row in game.components[deck]:
            card = {"of": row.id, "cat": deck == "heroes"}
            face = composer.compose("outline", f"{row.id}-front", row.name, row.name, ROOM, card)
            assert face is not None, [*map(str, problems)]
            picture = Image.open(io.BytesIO(face_png(face, round(HIGH / 32 * INCH), square=True))).convert("L")
            covered[row.id] = frozenset(at for at, pixel in enumerate(picture.tobytes()) if pixel < 128)
    return covered


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, frozenset[int]]]:
    yield outlines(tmp_path_factory.mktemp("outlines"))


def overlap(one: frozenset[int], other: frozenset[int]) -> float:
    return len(one & other) / len(one | other)


@pytest.mark.slow("draws all figures")
def test_all_figures_are_told_apart_by_their_outlines(drawn: Mapping[str, frozenset[int]]) -> None:
    """No two of them overlap by more than four fifths when their feet stand on one spot."""
    assert 9 + 17 == len(drawn)
    alike = {
        (a, b): round(overlap(drawn[a], drawn[b]), 2)
        for a, b in combinations(drawn, 2)
        if overlap(drawn[a], drawn[b]) > MOST
    }

    assert {} == alike


@pytest.mark.slow("draws all figures")
def test_figures_fill_their_room(drawn: Mapping[str, frozenset[int]]) -> None:
    """None is a speck: each covers an eighth of what a standee shows of it, at least."""
    room = round(ROOM.width / 32 * HIGH) * round(ROOM.height / 32 * HIGH)

    assert [] == [id_ for id_, pixels in drawn.items() if len(pixels) < room / 8]
