#!/usr/bin/env bash
# A <use> of a <symbol> with a viewBox fits the symbol into the width and height of the <use> (SVG 1.1, 5.5). MuPDF and
# svglib draw it as large as its viewBox, so an icon on a grid of 24 that is used 8 wide is three times too large. librsvg
# and CairoSVG fit it. A group with a transform instead has the same size in all of them.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pymupdf==2.0 svglib==2.3.2 cairosvg==2.9.1 pypdfium2==5.15.2 pillow==13.0.0
command -v rsvg-convert >/dev/null || { echo "rsvg-convert is needed: apt-get install librsvg2-bin"; exit 2; }
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import cairosvg
import pymupdf
import pypdfium2
from PIL import Image
from reportlab.graphics import renderPDF
from svglib.svglib import svg2rlg

folder = Path(sys.argv[1])
PAGE = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 width="480" height="480" viewBox="0 0 480 480">{}</svg>"""
SQUARE = '<rect width="240" height="240" fill="black"/>'
WAYS = {
    "symbol": f'<symbol id="icon" viewBox="0 0 240 240">{SQUARE}</symbol>'
    '<use xlink:href="#icon" x="40" y="40" width="80" height="80"/>',
    "group": f'<g transform="translate(40 40) scale(.33333)">{SQUARE}</g>',
}


def wide(image):
    """The width of what is drawn, for a page 480 units wide, to the nearest ten."""
    image = image.convert("RGBA")
    white = Image.new("RGBA", image.size, "white")
    white.alpha_composite(image)
    left, _, right, _ = white.convert("L").point(lambda grey: 255 * (grey < 128)).getbbox()
    return 10 * round((right - left) * 48 / image.width)


def seen(way):
    path = folder / "in.svg"
    path.write_text(PAGE.format(WAYS[way]))
    pymupdf.open(path)[0].get_pixmap().save(folder / "mupdf.png")
    renderPDF.drawToFile(svg2rlg(str(path)), str(folder / "svglib.pdf"))
    cairosvg.svg2png(url=str(path), write_to=str(folder / "cairo.png"))
    subprocess.run(["rsvg-convert", path, "-o", folder / "rsvg.png"], check=True)
    return {
        "MuPDF": wide(Image.open(folder / "mupdf.png")),
        "svglib": wide(pypdfium2.PdfDocument(folder / "svglib.pdf")[0].render().to_pil()),
        "librsvg": wide(Image.open(folder / "rsvg.png")),
        "CairoSVG": wide(Image.open(folder / "cairo.png")),
    }


found = {way: seen(way) for way in WAYS}
rsvg = subprocess.run(["rsvg-convert", "--version"], capture_output=True, text=True).stdout.strip()
print(", ".join(f"{name} {version(name)}" for name in ("pymupdf", "svglib", "cairosvg")) + f", {rsvg}")
for way, widths in found.items():
    print(f"a square to be 80 wide, as a {way}: " + ", ".join(f"{name} {width}" for name, width in widths.items()))
expected = {
    "symbol": {"MuPDF": 240, "svglib": 240, "librsvg": 80, "CairoSVG": 80},
    "group": {"MuPDF": 80, "svglib": 80, "librsvg": 80, "CairoSVG": 80},
}
sys.exit(0 if found == expected else f"it has changed: {found}")
PYTHON
