#!/usr/bin/env bash
# A curved line that is painted with a gradient ends flat in PDFium: it is cut to the box around the points of its path,
# which half of its width lies outside of. With a plain colour the same line is whole. Two dots that nobody sees, drawn
# in the same path farther out, make it whole again. Poppler draws all three alike.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pypdfium2==5.15.2 pikepdf==10.18.0 pillow==13.0.0
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import sys
from pathlib import Path

import pikepdf
import pypdfium2
from pikepdf import Array, Dictionary, Name

LINE = "20 60 m 20 10 80 10 80 60 c S"  # it curves down to 22.5, its points lie at 10, and half of its width of 70 reaches below the page
DOTS = "-90 -90 m -90 -90 l 190 190 m 190 190 l "
folder = Path(sys.argv[1])
pdf = pikepdf.new()
function = Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([1, 0, 0]), C1=Array([0, 0, 1]), N=1)
shading = Dictionary(ShadingType=2, ColorSpace=Name.DeviceRGB, Coords=Array([0, 0, 100, 0]), Function=function)
pattern = pdf.make_indirect(Dictionary(PatternType=2, Shading=shading))
for code in (f"1 0 0 RG {LINE}", f"/Pattern CS /P SCN {LINE}", f"/Pattern CS /P SCN {DOTS}{LINE}"):
    page = pdf.add_blank_page(page_size=(100, 100))
    page.Resources = Dictionary(Pattern=Dictionary(P=pattern))
    page.Contents = pdf.make_stream(f"70 w {code}".encode())
pdf.save(folder / "out.pdf")
low = []
for page in pypdfium2.PdfDocument(folder / "out.pdf"):
    image = page.render(scale=4).to_pil().convert("RGB")
    low.append(round(100 - max(y for y in range(400) if image.getpixel((200, y)) != (255, 255, 255)) / 4))
print(f"pypdfium2 {pypdfium2.PYPDFIUM_INFO}")
print(f"lowest point of a line: {low[0]} in a colour, {low[1]} with a gradient, {low[2]} with a gradient and two dots")
sys.exit(0 if low[0] == low[2] != low[1] else f"it has changed: {low}")
PYTHON
