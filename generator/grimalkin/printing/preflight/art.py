"""Check the pictures on faces: pixels, ink and file size."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from PIL import Image

from grimalkin.content import Game
from grimalkin.printing.face import Composer
from grimalkin.printing.face.pictures import Picture, Placed
from grimalkin.printing.face.pixels import opened
from grimalkin.printing.preflight.faces import Specimen
from grimalkin.printing.preflight.findings import Finding
from grimalkin.problems import Place, shown_path

FEW, TOO_FEW = 200, 100
"""Pixels to the inch as printed: below the first a picture is soft, below the second it shows squares."""
MOST_INK = 300
"""The total per cent of cyan, magenta, yellow and black that coated paper takes (ISO 12647-2, and most printers)."""
HEAVY = 50_000_000
"""The total bytes of a game's pictures above which files are slow to send and to print."""
MOST_NAMED = 3


def check_resolution(specimen: Specimen) -> Iterator[Finding]:
    """Yield pictures with too few pixels for their printed size."""
    for placed in specimen.face.pictures.values():
        if placed.dpi < FEW:
            message = f"the picture {placed.picture.path.name} has {placed.dpi:.0f} pixels per inch"
            wide, high = placed.picture.size
            times = FEW / placed.dpi
            remedy = f"at least {FEW}: {wide * times:.0f} × {high * times:.0f} pixels, or print it smaller"
            yield _finding(specimen, "resolution", placed, message, remedy, placed.dpi >= TOO_FEW)


def check_ink(specimen: Specimen) -> Iterator[Finding]:
    """Yield pictures in printer's inks with more ink than paper can hold."""
    for placed in specimen.face.pictures.values():
        ink = _ink_of(placed.picture) if placed.treatment == "as-is" else 0
        if ink > MOST_INK:
            message = f"the picture {placed.picture.path.name} has {ink} % of ink in its darkest part"
            yield _finding(
                specimen, "ink", placed, message, f"at most {MOST_INK} %: convert it with your printer's profile"
            )


def check_weight(game: Game, composer: Composer) -> Iterator[Finding]:
    """Yield a finding, with the largest pictures, if the pictures make files too large."""
    pictures = {one.digest: one for one in composer.pictures.known.values() if isinstance(one, Picture)}
    whole = sum(one.weight for one in pictures.values())
    heaviest = sorted(pictures.values(), key=lambda one: (-one.weight, one.path.name))[:MOST_NAMED]
    if whole > HEAVY:
        named = ", ".join(f"{one.path.name} {one.weight / 1e6:.1f} MB" for one in heaviest)
        place = Place(shown_path(game.folder / "art"))
        message = f"the pictures weigh {whole / 1e6:.0f} MB; the heaviest: {named}"
        yield Finding("weight", "all faces", place, message, "save photographs as JPEG", is_warning=True)


def _finding(
    specimen: Specimen, check: str, placed: Placed, message: str, remedy: str, is_warning: bool = False
) -> Finding:
    place = Place(shown_path(placed.picture.path))
    return Finding(check, specimen.name, place, message, remedy, place, placed.picture.path.name, is_warning)


@lru_cache(maxsize=1000)
def _ink_of(picture: Picture) -> int:
    """Return the greatest ink coverage in any part of a picture, in per cent; 0 if it is not in printer's inks."""
    if picture.kind not in ("JPEG", "TIFF"):
        return 0
    with opened(picture, picture.read()) as image:
        if image.mode != "CMYK":
            return 0
        image.draft("CMYK", (400, 400))
        small = image.resize((min(400, image.width), min(400, image.height)), Image.Resampling.BOX)
    channels = [channel.tobytes() for channel in small.split()]
    return round(max(map(sum, zip(*channels, strict=True))) / 2.55)
