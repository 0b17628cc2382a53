#!/usr/bin/env bash
# CUPS' filter pdftopdf takes the TrimBox of a page for the page: "fit to page" enlarges a sheet whose trim is smaller
# than the paper, and cuts off the crop marks outside it. Without a TrimBox the same page gets smaller. The viewer
# preference PrintScaling /None is not read; print-scaling=none keeps size and marks.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check reportlab==5.1.0 pikepdf==10.18.0
filter=/usr/lib/cups/filter/pdftopdf
ppd=/usr/share/ppd/cupsfilters/Generic-PDF_Printer-PDF.ppd
[ -x "$filter" ] && [ -f "$ppd" ] || { echo "CUPS' pdftopdf is needed: apt-get install cups-filters"; exit 2; }
echo "cups-filters $(dpkg-query --show --showformat='${Version}' cups-filters 2>/dev/null || echo "of unknown version")"
PPD="$ppd" "$folder/venv/bin/python" - "$folder" "$filter" <<'PYTHON'
import subprocess
import sys
from pathlib import Path

import pikepdf
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

folder, program = Path(sys.argv[1]), sys.argv[2]


def printed(trim, option):
    """The scale of an A4 page on A4, and whether a line outside its trim is within what is drawn."""
    canvas = Canvas(str(folder / "sheet.pdf"), pagesize=A4)
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.line(40, 300, 60, 300)  # a crop mark
    if trim:
        canvas.setTrimBox((72, 72, 540, 720))
    canvas.showPage()
    canvas.save()
    made = subprocess.run(
        [program, "1", "user", "title", "1", f"PageSize=A4 {option}", folder / "sheet.pdf"],
        capture_output=True,
        check=True,
    )
    (folder / "out.pdf").write_bytes(made.stdout)
    with pikepdf.open(folder / "out.pdf") as pdf:
        page = pdf.pages[0]
        scale = next(float(at.operands[0]) for at in pikepdf.parse_content_stream(page) if str(at.operator) == "cm")
        (form,) = page.Resources.XObject.values()
        return round(scale, 2), float(form.BBox[0]) <= 40


found = [printed(False, "fit-to-page"), printed(True, "fit-to-page"), printed(True, "print-scaling=none")]
names = ("A4 on A4, fit to page", "the same with a TrimBox", "the same with print-scaling=none")
for name, (scale, marks) in zip(names, found, strict=True):
    print(f"{name}: {scale:.0%}, the crop mark is {'kept' if marks else 'cut off'}")
sys.exit(0 if found == [(0.91, True), (1.19, False), (1.0, True)] else f"it has changed: {found}")
PYTHON
