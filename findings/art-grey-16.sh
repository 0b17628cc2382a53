#!/usr/bin/env bash
# A grey PNG of 16 bits, as scanners and 3D programs write them, is drawn white by reportlab: its reader asks Pillow for
# RGB, and Pillow takes what is above 255 for white. There is no warning, and the file looks right in every viewer.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check reportlab==5.1.0 pillow==13.0.0 pypdfium2==5.15.2
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import sys

import pypdfium2
from PIL import Image, __version__
from reportlab import Version
from reportlab.pdfgen.canvas import Canvas

folder = sys.argv[1]
middle = Image.frombytes("I;16", (8, 8), (32896).to_bytes(2, "little") * 64)  # half of 65,535
middle.save(f"{folder}/grey.png")
canvas = Canvas(f"{folder}/out.pdf", pagesize=(72, 72))
canvas.drawImage(f"{folder}/grey.png", 0, 0, 72, 72)
canvas.save()
shown = pypdfium2.PdfDocument(f"{folder}/out.pdf")[0].render().to_pil().convert("RGB").getpixel((36, 36))
print(f"reportlab {Version}, Pillow {__version__}: half of all light in 16 bits is printed as {shown}; 128 of 255 are meant")
sys.exit(shown != (255, 255, 255))
PYTHON
