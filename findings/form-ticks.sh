#!/usr/bin/env bash
# A program may ask viewers to draw all fields of a form again. For a ticked box, one would expect the font, colour and
# symbol that the box names. Poppler takes colour, size and symbol from there, but not the font: it wants one called
# ZaDb, whatever that is, and without it reports an unknown font and draws another. PDFium draws a tick of its own.
# So give the form a font of your own under that name: Poppler then draws your tick.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pikepdf==10.18.0 pypdfium2==5.1.0 pillow==12.0.0
command -v pdftoppm >/dev/null || { echo "Poppler's pdftoppm is needed: apt-get install poppler-utils"; exit 2; }
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import subprocess
import sys
from pathlib import Path

import pikepdf
import pypdfium2
from pikepdf import Array, Dictionary, Name, String
from PIL import Image

folder = Path(sys.argv[1])


def write(path, font):
    """A page with a ticked box of 40 × 40 points. The only glyph of its font fills the box."""
    pdf = pikepdf.Pdf.new()
    page = pdf.add_blank_page(page_size=(100, 100))
    square = pdf.make_stream(b"1000 0 0 0 1000 1000 d1 0 0 1000 1000 re f")
    own = Dictionary(
        Type=Name.Font, Subtype=Name.Type3, FontBBox=Array([0, 0, 1000, 1000]), Resources=Dictionary(),
        FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]), CharProcs=Dictionary(square=square), Widths=Array([1000]),
        Encoding=Dictionary(Type=Name.Encoding, Differences=Array([52, Name.square])), FirstChar=52, LastChar=52,
    )
    empty = pdf.make_stream(b"", Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 40, 40]))
    box = pdf.make_indirect(Dictionary(
        Type=Name.Annot, Subtype=Name.Widget, FT=Name.Btn, T=String("box"), Rect=Array([30, 30, 70, 70]), F=4,
        V=Name.Yes, AS=Name.Yes, AP=Dictionary(N=Dictionary(Yes=empty, Off=empty)),
        DA=String(f"/{font} 40 Tf 1 0 0 rg"), MK=Dictionary(CA=String("4")),
    ))
    page.Annots = Array([box])
    fonts = Dictionary({f"/{font}": pdf.make_indirect(own)})
    pdf.Root.AcroForm = Dictionary(Fields=Array([box]), NeedAppearances=True, DR=Dictionary(Font=fonts))
    pdf.save(path)


def red(image):
    """Count red pixels at 72 dpi: the whole box has 1600."""
    data = image.convert("RGB").tobytes()
    return sum(data[at] > 200 and data[at + 1] < 80 for at in range(0, len(data), 3))


version = subprocess.run(["pdftoppm", "-v"], capture_output=True, text=True).stderr.splitlines()[0]
print(f"{version}; PDFium {pypdfium2.PDFIUM_INFO}; pikepdf {pikepdf.__version__}")
found = {}
for font in ("Signs", "ZaDb"):
    path = folder / f"{font}.pdf"
    write(path, font)
    shown = ["pdftoppm", "-r", "72", "-png", "-singlefile", path, folder / font]
    asked = subprocess.run(shown, capture_output=True, text=True, check=True)
    document = pypdfium2.PdfDocument(path)
    document.init_forms()
    pixels = red(Image.open(folder / f"{font}.png")), red(document[0].render(may_draw_forms=True).to_pil())
    found[font] = [count > 1200 for count in pixels] + ["Unknown font tag 'ZaDb'" in asked.stderr]
    told = asked.stderr.strip() or "no message"
    print(f"font {font}: Poppler draws {pixels[0]} red pixels, PDFium {pixels[1]}; {told}")
expected = {"Signs": [False, False, True], "ZaDb": [True, False, False]}
sys.exit(0 if found == expected else f"it has changed: {found}")
PYTHON
