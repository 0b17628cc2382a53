#!/usr/bin/env bash
# A page that reportlab writes begins by naming Helvetica, which is not in the file, though no text uses it: a search
# for fonts that are not embedded finds one in every PDF by reportlab. The resources of a page do not show whether it
# can be printed elsewhere; only its content does.
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
canvas = Canvas(str(path))
canvas.rect(10, 10, 20, 20)
canvas.save()
with pikepdf.open(path) as pdf:
    page = pdf.pages[0]
    named = [str(font.BaseFont) for font in page.Resources.Font.as_dict().values()]
    steps = [str(step.operator) for step in pikepdf.parse_content_stream(page)]
print(f"reportlab {reportlab.__version__}, a page with one rectangle: {' '.join(steps)}")
print(f"its fonts: {', '.join(named)}")
sys.exit(0 if named == ["/Helvetica"] and "Tf" in steps and "Tj" not in steps else "it has changed")
PYTHON
