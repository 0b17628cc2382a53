#!/usr/bin/env bash
# Poppler's pdftops reports "Syntax Error: loop in Resources" when two forms share one dictionary of resources, neither
# of which uses the other. There is no loop, the PostScript is whole, and qpdf and Ghostscript find no fault in the file:
# whoever looks for the fault there looks in vain.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pikepdf==10.18.0
for program in pdftops:poppler-utils qpdf:qpdf gs:ghostscript; do
  command -v "${program%:*}" >/dev/null || { echo "${program%:*} is needed: apt-get install ${program#*:}"; exit 2; }
done
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import subprocess
import sys
from pathlib import Path

import pikepdf

folder = Path(sys.argv[1])


def said(*command):
    made = subprocess.run(command, capture_output=True, text=True)
    return made.returncode, made.stderr.strip()


def file(shared):
    """A page with two squares, each a form; their resources are one object or two."""
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(60, 30))
    one = pdf.make_indirect(pikepdf.Dictionary(ExtGState=pikepdf.Dictionary(G=pikepdf.Dictionary(ca=1))))
    two = one if shared else pdf.make_indirect(pikepdf.Dictionary(ExtGState=pikepdf.Dictionary(G=pikepdf.Dictionary(ca=1))))
    forms = pikepdf.Dictionary()
    for name, resources in (("/A", one), ("/B", two)):
        form = pdf.make_stream(b"/G gs 0 0 20 20 re f")
        form.Type, form.Subtype, form.BBox = pikepdf.Name.XObject, pikepdf.Name.Form, [0, 0, 20, 20]
        form.Resources = resources
        forms[name] = form
    page.Resources = pikepdf.Dictionary(XObject=forms)
    page.Contents = pdf.make_stream(b"q 1 0 0 1 5 5 cm /A Do Q q 1 0 0 1 35 5 cm /B Do Q")
    path = folder / f"{'one' if shared else 'two'}.pdf"
    pdf.save(path)
    return path


found = []
for shared in (True, False):
    path = file(shared)
    _, error = said("pdftops", str(path), str(folder / "out.ps"))
    said("gs", "-q", "-r72", "-sDEVICE=pgmraw", "-o", str(folder / "out.pgm"), str(folder / "out.ps"))
    pixels = (folder / "out.pgm").read_bytes()[-60 * 30 :]
    drawn = [pixels[15 * 60 + x] < 128 for x in (15, 45)]
    sound = said("qpdf", "--check", str(path)) == (0, "") == said("gs", "-q", "-sDEVICE=nullpage", "-o", "-", str(path))
    found.append(("loop in Resources" in error, all(drawn), sound))
version = said("pdftops", "-v")[1].splitlines()[0]
print(version)
for name, (loop, drawn, sound) in zip(("share their resources", "have resources of their own"), found, strict=True):
    print(
        f"two forms that {name}: pdftops reports {'a loop' if loop else 'nothing'}, "
        f"{'both are' if drawn else 'not both are'} in its PostScript, others find {'nothing' if sound else 'faults'}"
    )
sys.exit(0 if found == [(True, True, True), (False, True, True)] else f"it has changed: {found}")
PYTHON
