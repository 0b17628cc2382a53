"""A folder of finished pictures, and the floor: the same files placed by hand with reportlab, nine a page.

Alone: python benchmarks/finished.py FOLDER FILE places the pictures of a folder.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

MM = 72 / 25.4
SIZE = (744, 1039)
"""63 × 88 mm at 300 dpi: a poker card without bleed."""


def write(folder: Path, cards: int) -> Path:
    """Fill a folder with photographs, all different."""
    from PIL import Image, ImageChops, ImageFilter

    folder.mkdir()
    for number in range(cards):
        random = Random(number)
        rough = Image.frombytes("RGB", (40, 54), random.randbytes(40 * 54 * 3)).resize(SIZE, Image.Resampling.BICUBIC)
        grain = Image.frombytes("L", SIZE, random.randbytes(SIZE[0] * SIZE[1])).filter(ImageFilter.GaussianBlur(0.7))
        image = ImageChops.add(rough.filter(ImageFilter.GaussianBlur(6)), grain.convert("RGB"), scale=2)
        image.save(folder / f"card {number}.jpg", quality=90)
    return folder


def floor(folder: Path, out: Path) -> None:
    """Place nine cards a page, 1 mm apart, and nothing else: no bleed, no marks, in the order of their names."""
    from reportlab import rl_config
    from reportlab.pdfgen.canvas import Canvas

    rl_config.useA85 = 0
    canvas = Canvas(str(out), pagesize=(210 * MM, 297 * MM), pageCompression=1, invariant=1)
    paths = sorted(folder.glob("*.jpg"))
    for start in range(0, len(paths), 9):
        for number, path in enumerate(paths[start : start + 9]):
            x, y = 9.5 + number % 3 * 64, 15.5 + number // 3 * 89
            canvas.drawImage(str(path), x * MM, y * MM, 63 * MM, 88 * MM)
        canvas.showPage()
    canvas.save()


if __name__ == "__main__":
    floor(Path(sys.argv[1]), Path(sys.argv[2]))
