#!/usr/bin/env bash
# reportlab numbers the branches of an outline with the counter that it then writes as the outline's Count, which is
# the number of bookmarks that are shown (ISO 32000-1, table 152): two closed chapters count as four. Viewers do not
# mind, but the validator pdfcpu refuses such a file in its strict mode.
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

folder = Path(sys.argv[1])


def count(closed):
    """The Count of an outline of two chapters with two parts each, and the number of bookmarks that are shown."""
    canvas = Canvas(str(folder / "out.pdf"))
    for number in range(6):
        canvas.bookmarkPage(f"b{number}")
        canvas.addOutlineEntry(f"Bookmark {number}", f"b{number}", int(number % 3 > 0), closed=closed)
    canvas.showPage()
    canvas.save()
    with pikepdf.open(folder / "out.pdf") as pdf:
        chapters = [pdf.Root.Outlines.First, pdf.Root.Outlines.Last]
        shown = 2 + sum(max(0, int(chapter.Count)) for chapter in chapters)
        return int(pdf.Root.Outlines.Count), shown


found = [count(True), count(False)]
print(f"reportlab {reportlab.__version__}")
for name, (written, shown) in zip(("closed", "open"), found, strict=True):
    print(f"two {name} chapters of two parts: {shown} bookmarks are shown, the outline's Count is {written}")
sys.exit(0 if found == [(4, 2), (8, 6)] else f"it has changed: {found}")
PYTHON
