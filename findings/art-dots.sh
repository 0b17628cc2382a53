#!/usr/bin/env bash
# A line of no length with square ends is a square dot in a PDF. PDFium draws it when it is written as a line to where it
# begins (m l), and draws nothing when the path is closed where it begins (m h), though round ends are drawn of both.
# SVG has such dots as "M5 5Z", and browsers draw them; Poppler draws neither.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check reportlab==5.1.0 pypdfium2==5.15.2 pillow==13.0.0
command -v pdftoppm >/dev/null || { echo "Poppler's pdftoppm is needed: apt-get install poppler-utils"; exit 2; }
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import subprocess
import sys
from pathlib import Path

import pypdfium2
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

folder = Path(sys.argv[1])
canvas = Canvas(str(folder / "out.pdf"), pagesize=(40, 20))
for x, end in ((10, "10 10 l"), (30, "h")):
    canvas._code.append(f"2 J 8 w {x} 10 m {end} S")
canvas.save()
subprocess.run(["pdftoppm", "-r", "72", "-png", "-singlefile", folder / "out.pdf", folder / "poppler"], check=True)
version = subprocess.run(["pdftoppm", "-v"], capture_output=True, text=True).stderr.splitlines()[0]
seen = {
    "PDFium": pypdfium2.PdfDocument(folder / "out.pdf")[0].render().to_pil().convert("L"),
    "Poppler": Image.open(folder / "poppler.png").convert("L"),
}
found = {name: [image.getpixel((x, 10)) < 128 for x in (10, 30)] for name, image in seen.items()}
print(f"pypdfium2 {pypdfium2.PYPDFIUM_INFO}, {version}")
for name, (line, closed) in found.items():
    print(f"{name}: a dot of m l {'is' if line else 'is not'} drawn, one of m h {'is' if closed else 'is not'}")
sys.exit(0 if found == {"PDFium": [True, False], "Poppler": [False, False]} else f"it has changed: {found}")
PYTHON
