"""Pictures of the ready layouts, for the guide: three cards of each, in full, low and black ink, and a back."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageChops, ImageStat

from grimalkin.cli import main
from grimalkin.cli.layouts import LAYOUTS
from grimalkin.content import load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.draw.raster import face_png
from grimalkin.printing.face import Composer, Face, Inks
from grimalkin.problems import Problems
from grimalkin.source import data_folder

SHOWN = data_folder("site") / "docs" / "pictures" / "layouts"
DPI = 84
GAP = 10
WIDEST = 1_000
MOST_COLOURS = 96
INKS: tuple[Inks, ...] = ("full", "low", "mono")


def drawn() -> dict[str, Image.Image]:
    """The picture of each layout, by its name: the first three of its own cards, and the back of the first."""
    with TemporaryDirectory() as folder:
        return {name: _drawn(Path(folder) / name, name) for name in LAYOUTS}


def _drawn(folder: Path, name: str) -> Image.Image:
    assert main(["new", str(folder), "--layout", name]) == 0
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None, list(problems)
    deck = game.info.decks[0]
    rows = game.components[deck.id][: len(INKS)]
    sides = [
        Composer(game, load_stocks(folder, problems), problems, inks).faces(deck, row)
        for inks, row in zip(INKS, rows, strict=True)
    ]
    faces = [front for front, _ in sides] + [sides[0][1]]
    assert not list(problems), list(problems)
    return _beside_each_other([picture_of(face) for face in faces if face])


def picture_of(face: Face) -> Image.Image:
    return Image.open(io.BytesIO(face_png(face, dpi=DPI))).convert("RGBA")


def _beside_each_other(pictures: list[Image.Image]) -> Image.Image:
    """Four pictures in a row, or in two where a row would be too wide for a page."""
    wide, high = pictures[0].size
    columns = 4 if 4 * wide <= WIDEST else 2
    row = Image.new("RGBA", (columns * (wide + GAP) - GAP, 4 // columns * (high + GAP) - GAP))
    for number, one in enumerate(pictures):
        row.paste(one, (number % columns * (wide + GAP), number // columns * (high + GAP)))
    return row


def packed(picture: Image.Image) -> bytes:
    """A picture as a file, in as many colours as flat inks and their edges need."""
    few = on_white(picture).quantize(MOST_COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).convert("RGB")
    few.putalpha(picture.getchannel("A"))
    out = io.BytesIO()
    few.save(out, "WebP", lossless=True, quality=100, method=6)
    return out.getvalue()


def assert_kept(folder: Path, drawn: Mapping[str, Image.Image], bless: bool, most: float = 4) -> None:
    """The pictures in a folder are those drawn now, no more and no fewer; libraries may round a little otherwise."""
    if bless:
        folder.mkdir(exist_ok=True)
        for name, picture in drawn.items():
            (folder / f"{name}.webp").write_bytes(packed(picture))
    kept = {path.stem: Image.open(io.BytesIO(path.read_bytes())) for path in folder.iterdir()}

    assert set(kept) == set(drawn)
    for name, picture in drawn.items():
        assert kept[name].size == picture.size, name
        apart = ImageChops.difference(on_white(kept[name]), on_white(picture))
        assert max(ImageStat.Stat(apart).mean) < most, name


def on_white(picture: Image.Image) -> Image.Image:
    white = Image.new("RGBA", picture.size, "#ffffff")
    white.alpha_composite(picture.convert("RGBA"))
    return white.convert("RGB")
