"""Drawings of programs, and public sets of icons and flags: what is printed of them looks as a browser shows it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from alike import A_PAGE, FOLDER, GROUND, MOST_OFF, PROGRAMS, SIDE, as_it_is, looks, off
from games_for_tests import write_game
from painted import STOCK, picture
from PIL import Image, ImageFilter
from playwright.sync_api import Browser, Page
from soak import MORE

from grimalkin.content import load_game
from grimalkin.printing.draw.pdf import faces_pdf
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.problems import Problems

PUBLIC = {"lucide-static@0.460.0": 200, "bootstrap-icons@1.11.3": 200, "flag-icons@7.2.3": 271}
"""Packages of npm in versions that were tried, and how many drawings of each are looked at."""
COARSE = {"gradient-offsets.svg", "gradient-repeat.svg"}
"""PDFium takes 256 samples of a gradient, so a sharp edge in a long one is off by some dots; Poppler shows it right."""


@pytest.fixture(scope="module")
def sheet(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 2 * SIDE, "height": SIDE})
    yield page
    page.close()


def unlike(folder: Path, paths: Sequence[Path], sheet: Page) -> tuple[dict[str, float], dict[str, list[str]]]:
    """The drawings that do not look alike, and by how much; and the problems of those that are refused."""
    art = write_game(folder / "tiny") / "art"
    art.mkdir()
    for number, path in enumerate(paths):
        shutil.copyfile(path, art / f"{number}.svg")
    game = load_game(folder / "tiny", Problems())
    assert game is not None
    apart: dict[str, float] = {}
    refused: dict[str, list[str]] = {}
    for at in range(0, len(paths), A_PAGE):
        faces: dict[Path, Face] = {}
        for number, path in enumerate(paths[at : at + A_PAGE], at):
            problems = Problems()
            image = (
                f'<rect width="30" height="30" fill="{GROUND}"/><image href="art/{number}.svg" width="30" height="30"/>'
            )
            face = f'<svg xmlns="{SVG}">{image}</svg>'
            layers = Composer(game, {}, problems).resolve(face, "mouse-front", "plain.svg.j2", STOCK)
            if layers is None:
                refused[path.name] = list(map(str, problems))
            else:
                faces[path] = Face("mouse-front", path.name, path.name, STOCK, layers)
        pdf = faces_pdf(list(faces.values()), False) if faces else b""
        shown = looks(sheet, [as_it_is(path.read_bytes()) for path in faces])
        for page, (path, one) in enumerate(zip(faces, shown, strict=True)):
            printed: Image.Image = picture(pdf, SIDE, page).filter(ImageFilter.GaussianBlur(1))
            if (found := off(one, printed)) >= MOST_OFF * (4 if path.name in COARSE else 1):
                apart[path.name] = round(found, 4)
    return apart, refused


@pytest.mark.slow("a browser shows drawings")
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_printed_looks_like_the_drawing(program: str, sheet: Page, tmp_path: Path) -> None:
    assert ({}, {}) == unlike(tmp_path, sorted((FOLDER / program).glob("*.svg")), sheet)


@pytest.mark.soak
@pytest.mark.slow("installs sets of icons and flags")
@pytest.mark.skipif(MORE == 1, reason="public drawings are looked at in a soak only")
@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm")
@pytest.mark.parametrize("package", PUBLIC)
def test_public_drawings_are_printed_as_they_look(package: str, sheet: Page, tmp_path: Path) -> None:
    """98 of 100 look alike; the rest are refused with a problem that says why, and none differs in silence."""
    install = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock", "--prefix", str(tmp_path)]
    subprocess.run([*install, package], check=True, capture_output=True)
    found = sorted((tmp_path / "node_modules" / package.partition("@")[0]).rglob("*.svg"))
    step = max(1, len(found) // PUBLIC[package])
    some = [path for path in found[::step] if path.stat().st_size < 1_000_000][: PUBLIC[package]]
    apart, refused = unlike(tmp_path, some, sheet)

    assert {} == apart
    assert len(refused) <= 0.02 * len(some), refused
