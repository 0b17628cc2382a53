#!/usr/bin/env bash
# pdfplumber gives the colour of a shape as a tuple, and a shade of grey as a mere number, however the page sets it.
# Whoever counts the inks of a print and asks a colour for its parts meets this first in the black-only file.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pdfplumber==0.11.10 pdfminer.six==20260107 reportlab==5.1.0
"$folder/venv/bin/python" - <<'PYTHON'
import io
import sys

import pdfplumber
from reportlab.pdfgen.canvas import Canvas

WAYS = ("0.5 g", "/DeviceGray cs 0.5 scn", "0.5 0.5 0.5 rg", "0 0 0 0.5 k")
file = io.BytesIO()
canvas = Canvas(file, pagesize=(60, 20))
for number, way in enumerate(WAYS):
    canvas._code.append(f"q {way} {number * 10} 0 8 8 re f Q")
canvas.save()
found = [rect["non_stroking_color"] for rect in pdfplumber.open(file).pages[0].rects]
print(f"pdfplumber {pdfplumber.__version__}")
for way, colour in zip(WAYS, found):
    print(f"{way}: {colour!r}")
sys.exit(0 if found == [0.5, 0.5, (0.5, 0.5, 0.5), (0.0, 0.0, 0.0, 0.5)] else f"it has changed: {found}")
PYTHON
