#!/usr/bin/env bash
# Turning a page with reportlab's setPageRotation swaps the sides of its MediaBox, but not those of its TrimBox or its
# BleedBox, and the turn applies to all following pages. /Rotate turns a page as a whole for display (ISO 32000-1, table
# 30), so the boxes no longer match: the trim box is in the wrong place.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check reportlab==5.1.0 pikepdf==10.18.0
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import sys
from pathlib import Path

import pikepdf
import reportlab
from reportlab.pdfgen.canvas import Canvas

path = Path(sys.argv[1]) / "out.pdf"
canvas = Canvas(str(path), pagesize=(100, 200))
for turn in (0, 90, None):
    if turn is not None:
        canvas.setPageRotation(turn)
    canvas.setTrimBox((10, 10, 90, 190))
    canvas.showPage()
canvas.save()
with pikepdf.open(path) as pdf:
    found = [
        (int(page.obj.get("/Rotate", 0)), *([float(one) for one in page.obj[box]] for box in ("/MediaBox", "/TrimBox")))
        for page in pdf.pages
    ]
print(f"reportlab {reportlab.__version__}: turn, MediaBox, TrimBox of three pages of 100 × 200, the second turned by 90")
print(*found, sep="\n")
turned = (90, [0, 0, 200, 100], [10, 10, 90, 190])
sys.exit(0 if found[1:] == [turned, turned] else "it has changed")
PYTHON
