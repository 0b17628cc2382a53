"""A made-up game for a print shop: inks, spot colours and a finish on a card, and what programs read from its PDF."""

from __future__ import annotations

import argparse
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from games_for_tests import FILES, write_game
from PIL import Image

from grimalkin.cli.shops import ONLY_FOR_SHOPS, condition_of
from grimalkin.content import Game, load_game
from grimalkin.content.shops import Shop
from grimalkin.printing.draw.condition import Condition, own_profile
from grimalkin.printing.draw.stocks import composer_of
from grimalkin.printing.export.designs import Design, designs_of
from grimalkin.printing.export.lots import ANY_SHOP, lots_of
from grimalkin.printing.export.printshop import Inking, lot_pdf, pages_of
from grimalkin.problems import Problems

PALETTE = """\
palette:
  red: cmyk(0, 100, 100, 0)
  soft: gray(40)
  gold: spot(Gold, cmyk(0, 20, 60, 25), 50)
  varnish: finish(Varnish)
  orange: "#f08c14"
"""
FACE = """\
{% extends "base/face.svg.j2" %}
{% block words %}
<rect x="-3" y="-3" width="69" height="94" fill="#ffffff"/>
<rect x="5" y="5" width="10" height="10" fill="{{ palette.red }}"/>
<rect x="20" y="5" width="10" height="10" fill="{{ palette.soft }}"/>
<rect x="35" y="5" width="10" height="10" fill="{{ palette.gold }}"/>
<rect x="5" y="20" width="10" height="10" fill="{{ palette.orange }}"/>
<rect x="20" y="20" width="10" height="10" fill="cmyk(10, 20, 30, 40)"/>
<rect x="35" y="20" width="10" height="10" fill="#808080"/>
<rect x="5" y="35" width="5" height="5" fill="{{ palette.varnish }}"/>
<rect x="10" y="35" width="10" height="10" fill="{{ palette.red }}"/>
<rect x="10" y="35" width="5" height="5" fill="{{ palette.varnish }}"/>
<rect x="35" y="35" width="5" height="5" fill="#ffffff"/>
<rect x="5" y="50" width="53" height="10" fill="{{ palette.red }}"/>
<text x="5" y="60" font-family="SourceSansProBlack" font-size="14" fill="{{ ink }}">MMM</text>
<text x="5" y="80" font-family="SourceSansProBlack" font-size="14" fill="{{ ink }}">MMM</text>
{% endblock %}
"""
FLAT = {
    (10, 10): ("red", (0, 100, 100, 0)),
    (25, 10): ("soft", (0, 0, 0, 40)),
    (25, 25): ("four inks", (10, 20, 30, 40)),
    (7.5, 37.5): ("paper under varnish", (0, 0, 0, 0)),
    (12.5, 37.5): ("red under varnish", (0, 100, 100, 0)),
    (37.5, 37.5): ("white", (0, 0, 0, 0)),
}
"""Points on the card in millimetres, with the inks there in per cent."""
BLEED, DPI = 3.0, 144


def shop_game(folder: Path, palette: str = PALETTE, face: str = FACE) -> Game:
    """The game, read from a folder that it is written to."""
    text = FILES["game.yaml"].replace('palette: {red: "#aa0000"}\n', palette)
    write_game(folder, game_yaml=text, **{"faces/plain.svg.j2": face})
    problems = Problems()
    game = load_game(folder, problems)
    assert game and not problems, list(problems)
    return game


def shop_pdf(game: Game, condition: Condition | None, cut_line: str = "") -> bytes:
    """The PDF of its deck, one face per page."""
    problems = Problems()
    finishes = condition is not None and condition.space == "cmyk"
    designs = designs_of(game, (), problems, composer_of(game, problems, finishes=finishes))
    assert not problems, list(problems)
    return pdf_of(game, designs, condition, cut_line)


def pdf_of(game: Game, designs: Sequence[Design], condition: Condition | None, cut_line: str = "") -> bytes:
    """The first PDF of some designs, for a shop about which nothing else is known."""
    lot = lots_of(ANY_SHOP, game, designs, Problems())[0][0]
    (_, pages), *_ = pages_of(lot, False)
    return lot_pdf(game, lot, pages, True, Inking(condition, cut_line))


def inking_of(shop: Shop) -> Inking:
    """How a command colours the PDFs for a shop without further options."""
    nothing = argparse.Namespace(colour=None, **dict.fromkeys(ONLY_FOR_SHOPS))
    return Inking(condition_of(nothing, shop) if shop.files[0] == "pdf" else None)


def condition(**changed: object) -> Condition:
    return Condition(**{"space": "cmyk", "profile": own_profile(), **changed})  # type: ignore[arg-type]


def plates(pdf: bytes, folder: Path) -> dict[str, Image.Image]:
    """The plates of the first page by name, as Ghostscript separates them; 0 is the most ink."""
    (folder / "in.pdf").write_bytes(pdf)
    run(
        "gs",
        "-q",
        "-dSAFER",
        "-dLastPage=1",
        "-sDEVICE=tiffsep",
        f"-r{DPI}",
        "-o",
        folder / "p%d.tif",
        folder / "in.pdf",
    )
    found = {}
    for path in folder.glob("p1(*).tif"):
        with Image.open(path) as image:
            found[path.stem[3:-1]] = image.convert("L")
    return found


def in_four_inks(program: str, pdf: bytes, folder: Path) -> Image.Image:
    """The first page in CMYK, as a program draws it."""
    (folder / "in.pdf").write_bytes(pdf)
    if program == "gs":
        out = folder / "four.tif"
        run("gs", "-q", "-dSAFER", "-dLastPage=1", "-sDEVICE=tiff32nc", f"-r{DPI}", "-o", out, folder / "in.pdf")
        with Image.open(out) as image:
            return image.copy()
    if program == "mutool":
        out = folder / "four.pam"
        run("mutool", "draw", "-q", "-r", str(DPI), "-c", "cmyk", "-F", "pam", "-o", out, folder / "in.pdf", "1")
        return _pam(out.read_bytes())
    how = ("-r", str(DPI), "-l", "1", "-singlefile", "-jpegcmyk", "-jpegopt", "quality=100")
    run("pdftoppm", *how, folder / "in.pdf", folder / "four")
    with Image.open(folder / "four.jpg") as image:
        image.load()
        return image.copy()


def _pam(data: bytes) -> Image.Image:
    head, _, pixels = data.partition(b"ENDHDR\n")
    width, height, depth = (int(re.search(rb"%b (\d+)" % key, head)[1]) for key in (b"WIDTH", b"HEIGHT", b"DEPTH"))  # type: ignore[index]
    assert depth == 4, head
    return Image.frombytes("CMYK", (width, height), pixels)


def at(image: Image.Image, x: float, y: float) -> tuple[float, ...]:
    """The inks at a point of the card, in per cent."""
    found = image.getpixel((round((x + BLEED) / 25.4 * DPI), round((y + BLEED) / 25.4 * DPI)))
    return tuple(value / 2.55 for value in (found if isinstance(found, tuple) else (found,)))  # type: ignore[operator]


def ink_coverage(pdf: bytes, folder: Path) -> list[tuple[float, ...]]:
    """The share of each ink on each page in per cent, by Ghostscript."""
    (folder / "in.pdf").write_bytes(pdf)
    told = run("gs", "-q", "-dSAFER", "-o", "-", "-sDEVICE=ink_cov", folder / "in.pdf")
    return [tuple(map(float, line.split()[:4])) for line in told.splitlines() if "CMYK" in line]


def run(*command: str | Path) -> str:
    return subprocess.run([str(one) for one in command], capture_output=True, check=True, timeout=60, text=True).stdout
