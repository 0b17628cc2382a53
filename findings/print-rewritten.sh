#!/usr/bin/env bash
# "Compressing" a print-ready PDF with Ghostscript can make it several times larger: a form that all pages share, such as
# the back of every card, is written anew for each page. The viewer preference PrintScaling /None is lost as well, so
# that viewers offer to fit the pages to the paper again, while TrimBox is kept. mutool clean keeps all three.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check reportlab==5.1.0 pikepdf==10.18.0
command -v gs >/dev/null || { echo "Ghostscript is needed: apt-get install ghostscript"; exit 2; }
command -v mutool >/dev/null || { echo "MuPDF's mutool is needed: apt-get install mupdf-tools"; exit 2; }
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import subprocess
import sys
from pathlib import Path
from random import Random

import pikepdf
from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas

folder = Path(sys.argv[1])
rl_config.useA85 = 0
source = folder / "cards.pdf"
canvas = Canvas(str(source), pagesize=(200, 270), pageCompression=1)
canvas.setViewerPreference("PrintScaling", "None")
canvas.beginForm("back", 0, 0, 200, 270)
random = Random(1)
for _ in range(2000):
    canvas.line(*(random.uniform(0, 200) for _ in range(4)))
canvas.endForm()
for _ in range(54):
    canvas.setTrimBox((9, 9, 191, 261))
    canvas.doForm("back")
    canvas.showPage()
canvas.save()
subprocess.run(["gs", "-q", "-sDEVICE=pdfwrite", "-o", folder / "gs.pdf", source], check=True)
subprocess.run(["mutool", "clean", "-gggz", source, folder / "mutool.pdf"], check=True)
gs = subprocess.run(["gs", "--version"], capture_output=True, text=True).stdout.strip()
mutool = subprocess.run(["mutool", "-v"], capture_output=True, text=True).stderr.strip()
print(f"Ghostscript {gs}, {mutool}; 54 cards with one back: {source.stat().st_size} bytes")
found = {}
for name in ("gs", "mutool"):
    with pikepdf.open(folder / f"{name}.pdf") as pdf:
        scaling = pdf.Root.get("/ViewerPreferences", {}).get("/PrintScaling") == "/None"
        trim = float(pdf.pages[0].TrimBox[0]) == 9
    times = (folder / f"{name}.pdf").stat().st_size / source.stat().st_size
    found[name] = (times > 10, scaling, trim)
    words = ("is" if scaling else "is not", "is" if trim else "is not")
    print(f"{name}: {times:.1f} times the bytes; PrintScaling {words[0]} kept, TrimBox {words[1]}")
sys.exit(0 if found == {"gs": (True, False, True), "mutool": (False, True, True)} else f"it has changed: {found}")
PYTHON
