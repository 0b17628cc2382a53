#!/usr/bin/env bash
# Typst and reportlab unpack an opaque PNG and pack its pixels into the PDF without a predictor (no DecodeParms), so a
# soft picture takes about three times the bytes of its file. WeasyPrint copies the packed data of the file with
# Predictor 15, as the PNG has it, and needs no more bytes. Deflate alone does not make a PDF as small as its PNGs.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check typst==0.15.2 reportlab==5.1.0 weasyprint==70.0 pillow==13.0.0
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import sys
from importlib.metadata import version
from pathlib import Path
from random import Random

import typst
from PIL import Image
from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas
from weasyprint import HTML

folder = Path(sys.argv[1])
picture = folder / "soft.png"
rough = Image.frombytes("RGB", (12, 9), Random(0).randbytes(12 * 9 * 3))
rough.resize((400, 300), Image.Resampling.BICUBIC).save(picture)
(folder / "typst.typ").write_text('#image("soft.png", width: 53mm)')
typst.compile(str(folder / "typst.typ"), output=str(folder / "typst.pdf"))
rl_config.useA85 = 0
canvas = Canvas(str(folder / "reportlab.pdf"))
canvas.drawImage(str(picture), 0, 0, 150, 113)
canvas.save()
HTML(string='<img src="soft.png">', base_url=str(folder)).write_pdf(folder / "weasyprint.pdf")
found = {}
for name in ("typst", "reportlab", "weasyprint"):
    data = (folder / f"{name}.pdf").read_bytes()
    ratio = len(data) / picture.stat().st_size
    found[name] = (ratio > 2.5, b"/Predictor 15" in data)
    print(f"{name} {version(name)}: {ratio:.1f} times the bytes of the PNG, predictor: {b'/Predictor 15' in data}")
expected = {"typst": (True, False), "reportlab": (True, False), "weasyprint": (False, True)}
sys.exit(0 if found == expected else f"it has changed: {found}")
PYTHON
