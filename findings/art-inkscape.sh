#!/usr/bin/env bash
# SVG 2 names a link "href" and keeps "xlink:href" for old programs. Inkscape 1.2, which Debian 12 has, draws neither
# <use> nor <image> with a plain href, without a warning, though it knows other parts of SVG 2, and librsvg and CairoSVG
# draw both. A file for drawing programs needs xlink:href.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check cairosvg==2.9.1 pillow==13.0.0
command -v inkscape >/dev/null || { echo "Inkscape is needed: apt-get install inkscape"; exit 2; }
command -v rsvg-convert >/dev/null || { echo "rsvg-convert is needed: apt-get install librsvg2-bin"; exit 2; }
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import base64
import io
import subprocess
import sys
from pathlib import Path

import cairosvg
from PIL import Image

folder = Path(sys.argv[1])
dot = io.BytesIO()
Image.new("RGB", (4, 4), "red").save(dot, "PNG")
data = "data:image/png;base64," + base64.b64encode(dot.getvalue()).decode()
SVG = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="20">
<defs><rect id="box" width="10" height="10" fill="blue"/></defs>
<use {href}="#box" x="5" y="5"/><image {href}="{data}" x="25" y="5" width="10" height="10"/></svg>"""


def drawn(name):
    image = Image.open(folder / name).convert("RGBA")
    return tuple(image.getpixel((x, 10))[3] > 128 for x in (10, 30))


found = {}
for href in ("href", "xlink:href"):
    (folder / "in.svg").write_text(SVG.format(href=href, data=data))
    subprocess.run(
        ["inkscape", folder / "in.svg", f"--export-filename={folder / 'ink.png'}"], capture_output=True, check=True
    )
    subprocess.run(["rsvg-convert", folder / "in.svg", "-o", folder / "rsvg.png"], check=True)
    cairosvg.svg2png(url=str(folder / "in.svg"), write_to=str(folder / "cairo.png"))
    found[href] = [drawn("ink.png"), drawn("rsvg.png"), drawn("cairo.png")]
inkscape = subprocess.run(["inkscape", "--version"], capture_output=True, text=True).stdout.split("(")[0].strip()
rsvg = subprocess.run(["rsvg-convert", "--version"], capture_output=True, text=True).stdout.strip()
print(f"{inkscape}, {rsvg}, CairoSVG {cairosvg.__version__}")
for href, seen in found.items():
    for name, (use, image) in zip(("Inkscape", "librsvg", "CairoSVG"), seen, strict=True):
        print(f"{href}: {name} draws {'the' if use else 'no'} <use> and {'the' if image else 'no'} <image>")
both, none = (True, True), (False, False)
sys.exit(0 if found == {"href": [none, both, both], "xlink:href": [both] * 3} else f"it has changed: {found}")
PYTHON
