"""The ready layouts, for any table of their kind: each in three inks, with much, with little and with a name alone."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import drawn_layouts
import pytest
from PIL import Image, ImageChops, ImageStat

from grimalkin.cli.layouts import LAYOUTS
from grimalkin.content import load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.draw.raster import face_png
from grimalkin.printing.face import Composer, Face
from grimalkin.problems import Problems
from grimalkin.source import data_folder

FOLDER = data_folder("templates") / "faces" / "layouts"
DRAWN = {
    "tarot": ("number",),
    "item": ("icon",),
    "token": ("kind", "icon", "text"),
    "domino": ("name", "left", "right", "art"),
}
"""Columns of which a layout makes something other than text."""
Row = dict[str, str]
LONG = "When this comes into play, each player reveals three cards, keeps one and passes the others to the left. "


def rows_to_try(name: str) -> list[Row]:
    """The sample rows, one with everything, long names and long text, and one with a name alone."""
    rows = sample(name)
    columns = {column for row in rows for column in row} - {"name", "count"}
    text = next(column for column in ("upright", "quote", "answer", "left", "text") if column in columns | {"text"})
    fullest = {column: next(row[column] for row in rows if row[column]) for column in columns}
    fuller = [
        {"name": "The Extraordinarily Long-Winded Bartholomew of the Seven Wharves"},
        {"name": "Drawn", "art": "moon.png"},
        {"name": "Long", text: LONG * (2 if LAYOUTS[name].stock == "mini" else 3)},
    ]
    return [*rows, *(fullest | row for row in fuller), {"name": "Only"}]


def sample(name: str) -> list[Row]:
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return [{column.lower(): cell for column, cell in row.items()} for row in csv.DictReader(file)]


def written(folder: Path, name: str, rows: list[Row]) -> Path:
    """A game whose only deck has this layout and these rows."""
    (folder / "art").mkdir(parents=True)
    Image.new("RGB", (60, 40), "#aa0000").save(folder / "art" / "moon.png")
    back = f"{name}-back" if (FOLDER / f"{name}-back.svg.j2").exists() else name
    deck = f"{{file: cards.csv, stock: {LAYOUTS[name].stock}, face: layouts/{name}, back: layouts/{back}}}"
    (folder / "game.yaml").write_text(f"title: Laid Out\ndecks: [{deck}]\n", encoding="utf-8")
    with (folder / "cards.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, dict.fromkeys(column for row in rows for column in row if column != "count"))
        table.writeheader()
        table.writerows({column: cell for column, cell in row.items() if column != "count"} for row in rows)
    return folder


@cache
def faces_of(folder: Path, inks: str) -> tuple[list[Face], list[str]]:
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None, list(problems)
    composer = Composer(game, load_stocks(folder, problems), problems, inks)  # type: ignore[arg-type]
    faces = [face for row in game.components["cards"] for face in composer.faces(game.info.decks[0], row) if face]
    return faces, [str(problem) for problem in problems]


@pytest.fixture(params=LAYOUTS)
def laid_out(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    yield request.param, written(tmp_path / "game", request.param, rows_to_try(request.param))


def test_every_layout_takes_much_little_and_nothing(laid_out: tuple[str, Path]) -> None:
    """In each ink both sides of each card are made without a problem, and all that a row holds stands on them."""
    name, folder = laid_out
    for inks in ("full", "low", "mono"):
        faces, problems = faces_of(folder, inks)
        colours = {colour for face in faces for colour in re.findall(r'(?:fill|stroke)="(#\w+)"', face.svg)}

        assert problems == []
        assert len(faces) == 2 * len(rows_to_try(name))
        assert inks != "low" or colours <= {"#ffffff", "#1d1a26"}
        assert inks != "mono" or colours <= {"#ffffff", "#000000"}
        for row, face in zip(rows_to_try(name), faces[::2], strict=True):
            on_both = words(face) + words(faces[faces.index(face) + 1])
            drawn = ("count", "art", *DRAWN.get(name, ()))
            written = [cell for column, cell in row.items() if column not in drawn]
            assert [cell for cell in written if plain(cell) not in on_both] == []
            assert bool(face.pictures) == ("art" in row and "art" not in DRAWN.get(name, ()))


def words(face: Face) -> str:
    """All text on a face, without spaces."""
    return plain("".join(face.root.itertext()) + "".join(face.root.xpath("//@aria-label")))


def plain(text: str) -> str:
    return re.sub(r"[\s*]", "", text).replace("’", "'")


def test_no_back_gives_its_card_away(laid_out: tuple[str, Path]) -> None:
    """All backs are one, and look the same after half a turn."""
    name, folder = laid_out
    faces, _ = faces_of(folder, "full")
    backs = {face.svg for face in faces[1::2]}

    if len(backs) == 1:
        assert difference_when_turned(face_png(faces[1], dpi=100)) < 1.5
    assert len(backs) == 1 or name in ("flash", "token")


def difference_when_turned(png: bytes) -> float:
    """How much a picture differs from itself turned upside down: the mean over all pixels, of 255."""
    picture = Image.open(io.BytesIO(png)).convert("L")
    return float(ImageStat.Stat(ImageChops.difference(picture, picture.rotate(180))).mean[0])


def test_a_deck_may_name_a_layout(tmp_path: Path) -> None:
    """Its columns need not be declared: those that the layout draws are found, and the others remarked on."""
    least = "title: Least\ndecks:\n  - {file: cards.csv, face: layouts/monster}\n"
    folder = tmp_path / "least"
    folder.mkdir()
    (folder / "game.yaml").write_text(least, encoding="utf-8")
    (folder / "cards.csv").write_text("Name,Attack,Secret\nOwl,37,Mouse\n", encoding="utf-8")
    faces, problems = faces_of(folder, "full")
    game = load_game(folder, Problems())

    assert problems == []
    assert "37" in words(faces[0])
    assert game is not None and 'the column "Secret"' in str(game.remarks[-1])


def test_the_guide_shows_each_layout() -> None:
    """With its stock, what it draws, and a picture."""
    page = (data_folder("site") / "docs" / "guide" / "layouts.md").read_text(encoding="utf-8")
    shown = {part.split("`")[1].removeprefix("--layout "): part for part in page.split("\n### ")[1:]}

    assert list(shown) == list(LAYOUTS)
    for name, layout in LAYOUTS.items():
        assert f"../pictures/layouts/{name}.webp" in shown[name]
        assert [words[0] for words in layout.parts.values() if f"`{words[0]}`" not in shown[name]] == []
        assert bool(layout.labels) == (" and numbers." in shown[name])


@pytest.mark.slow("draws the pictures of the guide")
def test_the_pictures_of_layouts_show_what_is_printed(request: pytest.FixtureRequest) -> None:
    """Those of the page, no more and no fewer; libraries may round a little differently."""
    drawn_layouts.assert_kept(drawn_layouts.SHOWN, drawn_layouts.drawn(), request.config.getoption("--bless"))
