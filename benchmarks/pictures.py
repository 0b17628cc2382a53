"""A deck of 54 cards whose fronts are pictures, and the floor: the same files placed by hand with reportlab.

Alone: python benchmarks/pictures.py FOLDER KIND FILE draws what `write` put into a folder.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import deck

CARDS = 54
KINDS = ("jpg", "png")
SIZE = (815, 1110)
"""69 × 94 mm at 300 dpi: a poker card with its bleed."""
MM = 72 / 25.4
FACE = """\
<svg xmlns="http://www.w3.org/2000/svg">
<image href="art/{{ card.id }}.KIND" x="-3" y="-3" width="69" height="94" preserveAspectRatio="none"/>
</svg>
"""


def write(folder: Path, kind: str, cards: int = CARDS) -> Path:
    """The deck as a game folder. JPEG are photographs; PNG are the same with alpha that fades to the corners."""
    from PIL import Image, ImageChops, ImageFilter

    deck.write(folder, cards)
    (folder / "faces" / "card.svg.j2").write_text(FACE.replace("KIND", kind))
    (folder / "art").mkdir()
    fading = Image.radial_gradient("L").resize(SIZE).point(lambda value: 255 - value)
    for number in range(cards):
        random = Random(number)
        rough = Image.frombytes("RGB", (40, 54), random.randbytes(40 * 54 * 3)).resize(SIZE, Image.Resampling.BICUBIC)
        grain = Image.frombytes("L", SIZE, random.randbytes(SIZE[0] * SIZE[1])).filter(ImageFilter.GaussianBlur(0.7))
        image = ImageChops.add(rough.filter(ImageFilter.GaussianBlur(6)), grain.convert("RGB"), scale=2)
        if kind == "png":
            image.putalpha(fading)
        image.save(folder / "art" / f"card-{number}.{kind}", quality=90)
    return folder


def art(folder: Path) -> int:
    """The bytes of all pictures."""
    return sum(path.stat().st_size for path in (folder / "art").iterdir())


def floor(folder: Path, kind: str, out: Path) -> None:
    """Nine cards a page, as `grimalkin sheets` lays them out, with nothing else on it."""
    from reportlab import rl_config
    from reportlab.pdfgen.canvas import Canvas

    rl_config.useA85 = 0
    canvas = Canvas(str(out), pagesize=(210 * MM, 297 * MM), pageCompression=1, invariant=1)
    beside, above = deck.BLEED
    cards = len(list((folder / "art").iterdir()))
    for start in range(0, cards, len(deck.PLACES)):
        for number, (x, y) in enumerate(deck.PLACES[: cards - start], start):
            canvas.saveState()
            canvas.translate(x * MM, (297 - y - 88) * MM)
            room = canvas.beginPath()
            room.rect(-beside * MM, -above * MM, (63 + 2 * beside) * MM, (88 + 2 * above) * MM)
            canvas.clipPath(room, stroke=0)
            path = folder / "art" / f"card-{number}.{kind}"
            canvas.drawImage(str(path), -3 * MM, -3 * MM, 69 * MM, 94 * MM, mask="auto" if kind == "png" else None)
            canvas.restoreState()
        canvas.showPage()
    canvas.save()


if __name__ == "__main__":
    floor(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
