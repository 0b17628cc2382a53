"""What preflight says of pictures, with values worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from test_preflight import game_with

from grimalkin.printing.face import Composer
from grimalkin.printing.preflight import faces
from grimalkin.printing.preflight.faces import Look, Specimen
from grimalkin.printing.preflight.findings import Fault, Finding
from grimalkin.problems import Place


def specimen_with(tmp_path: Path, words: str, name: str, image: Image.Image) -> tuple[Composer, Specimen]:
    """The first face of the made-up game, with one picture in its folder `art`."""
    (tmp_path / "tiny" / "art").mkdir(parents=True)
    image.save(tmp_path / "tiny" / "art" / name)
    game, composer = game_with(tmp_path, words)
    row = game.components["cards"][0]
    face, _ = composer.faces(game.info.decks[0], row)
    assert face is not None, list(composer.problems)
    return composer, Specimen(face, row, "front", Place("t"), Place("r"), [], Look(face))


@pytest.mark.parametrize(
    ("place", "dpi", "is_warning"),
    [
        ('width="25.4"', None, None),  # 300 pixels on an inch
        ('width="38.1"', None, None),  # 1.5 inches: 200
        ('width="50.8"', 150, True),
        ('width="25.4" transform="scale(2)"', 150, True),
        ('width="50.8" transform="scale(1.6)"', 94, False),
        ('width="25.4" height="50.8" preserveAspectRatio="none"', 150, True),
        ('width="25.4" height="50.8" preserveAspectRatio="xMidYMid slice"', 150, True),
    ],
)
def test_pixels_are_counted_at_the_size_that_is_printed(
    tmp_path: Path, place: str, dpi: int | None, is_warning: bool | None
) -> None:
    image = Image.new("RGB", (300, 300))
    _, specimen = specimen_with(tmp_path, f'<image href="art/a.png" {place}/>', "a.png", image)
    found = list(faces.check_resolution(specimen))

    assert [(is_warning, f"the picture a.png has {dpi} pixels per inch")] * (dpi is not None) == [
        (one.is_warning, one.message) for one in found
    ]


def test_a_remedy_says_how_many_pixels_are_enough(tmp_path: Path) -> None:
    """150 of 200 are three quarters: 300 × 150 become 400 × 200."""
    image = Image.new("RGB", (300, 150))
    _, specimen = specimen_with(tmp_path, '<image href="art/a.png" width="50.8"/>', "a.png", image)

    assert "at least 200: 400 × 200 pixels, or print it smaller" == next(faces.check_resolution(specimen)).remedy


@pytest.mark.parametrize(("inks", "percent"), [((255, 255, 255, 26), 310), ((255, 255, 255, 0), None)])
def test_ink_is_added_up(tmp_path: Path, inks: tuple[int, ...], percent: int | None) -> None:
    """Three full inks are 300 %; 26 of 255 are 10 % more."""
    image = Image.new("CMYK", (400, 400), inks)
    _, specimen = specimen_with(tmp_path, '<image href="art/a.tif" width="20"/>', "a.tif", image)

    wanted = [f"the picture a.tif has {percent} % of ink in its darkest part"] if percent else []
    assert wanted == [one.message for one in faces.check_ink(specimen)]


def test_heavy_pictures_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faces, "HEAVY", 100)
    image = Image.effect_noise((60, 60), 90)
    composer, _ = specimen_with(tmp_path, '<image href="art/a.png" width="5"/>', "a.png", image)
    (found,) = faces.check_weight(composer.game, composer)

    assert found.is_warning
    assert "the heaviest: a.png 0.0 MB" in found.message
    monkeypatch.setattr(faces, "HEAVY", 1_000_000)
    assert [] == list(faces.check_weight(composer.game, composer))


def test_a_warning_says_so() -> None:
    warning = Finding("weight", "all faces", Place("art"), "heavy", "less", is_warning=True)

    assert "art: warning: all faces: heavy; less [weight]" == str(warning)
    assert Fault((warning,)).is_warning
    assert Fault((warning,)).record()["warning"] is True
