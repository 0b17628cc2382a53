#!/usr/bin/env bash
# resvg takes 96 dpi unless it is told otherwise. Its binding resvg_py passes on a dpi of 0, which its help calls "SVG
# default": a file in millimetres, as for print and cutters, then has no size and is refused as invalid, while one in
# pixels is drawn. With dpi=96 both are drawn.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check resvg_py==0.5.0 pillow==13.0.0
"$folder/venv/bin/python" - <<'PYTHON'
import io
import sys
from importlib.metadata import version

import resvg_py
from PIL import Image

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{0}" viewBox="0 0 20 20"><path d="M0 0H9V9Z"/></svg>'


def drawn(**options):
    try:
        return Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(**options)))).width
    except ValueError as error:
        return str(error)


millimetres, pixels = SVG.format("20mm"), SVG.format("20")
found = {
    "resvg_py, 20 px": drawn(svg_string=pixels),
    "resvg_py, 20 mm": drawn(svg_string=millimetres),
    "resvg_py, 20 mm, dpi=96": drawn(svg_string=millimetres, dpi=96),
}
print(f"resvg_py {version('resvg_py')}")
for name, width in found.items():
    print(f"{name}: {width if isinstance(width, str) else f'{width} pixels wide'}")
expected = [20, "SVG has an invalid size", 76]
sys.exit(0 if list(found.values()) == expected else f"it has changed: {found}")
PYTHON
