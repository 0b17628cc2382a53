#!/usr/bin/env bash
# Poppler's pdfunite and pdfseparate give every page a TrimBox as large as the page, whatever TrimBox it has, and drop
# its BleedBox. A print shop that is sent the joined file cuts at the edge of the bleed. qpdf and pypdf keep both boxes.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check reportlab==5.1.0 pypdf==7.1.1
command -v pdfunite >/dev/null || { echo "Poppler's pdfunite is needed: apt-get install poppler-utils"; exit 2; }
command -v qpdf >/dev/null || { echo "qpdf is needed: apt-get install qpdf"; exit 2; }
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import subprocess
import sys
from pathlib import Path

import pypdf
from reportlab.pdfgen.canvas import Canvas

folder = Path(sys.argv[1])
card = folder / "card.pdf"
canvas = Canvas(str(card), pagesize=(200, 270))
canvas.setBleedBox((1, 1, 199, 269))
canvas.setTrimBox((9, 9, 191, 261))
canvas.rect(9, 9, 182, 252)
canvas.save()
subprocess.run(["pdfunite", card, card, folder / "pdfunite.pdf"], check=True)
subprocess.run(["pdfseparate", card, folder / "pdfseparate.pdf"], check=True)
subprocess.run(["qpdf", "--empty", "--pages", card, card, "--", folder / "qpdf.pdf"], check=True)
writer = pypdf.PdfWriter()
writer.append(card)
writer.append(card)
writer.write(folder / "pypdf.pdf")
version = subprocess.run(["pdfunite", "-v"], capture_output=True, text=True).stderr.splitlines()[0]
other = subprocess.run(["qpdf", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
print(f"{version}; {other}; pypdf {pypdf.__version__}")
found = {}
for name in ("pdfunite", "pdfseparate", "qpdf", "pypdf"):
    page = pypdf.PdfReader(folder / f"{name}.pdf").pages[0]
    found[name] = [[round(float(side)) for side in page.get(box, [])] for box in ("/TrimBox", "/BleedBox")]
    print(f"{name}: TrimBox {found[name][0]}, BleedBox {found[name][1] or 'none'}")
whole, kept = [[0, 0, 200, 270], []], [[9, 9, 191, 261], [1, 1, 199, 269]]
expected = {"pdfunite": whole, "pdfseparate": whole, "qpdf": kept, "pypdf": kept}
sys.exit(0 if found == expected else f"it has changed: {found}")
PYTHON
