#!/usr/bin/env bash
# An arc with a radius of 0 is a straight line in SVG (https://www.w3.org/TR/SVG2/paths.html#ArcOutOfRangeParameters).
# fontTools' parse_path says so in a comment, and draws nothing: the path goes on from the arc's end without a line.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check fonttools==4.68.0
"$folder/venv/bin/python" - <<'PYTHON'
import sys

from fontTools import version
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.svgLib.path import parse_path


def drawn(d):
    pen = SVGPathPen(None)
    parse_path(d, pen)
    return pen.getCommands()


arc, line = "M0 0A0 3 0 0 1 5 5L9 0Z", "M0 0L5 5L9 0Z"
print(f"fontTools {version}")
print(f"{arc}  is drawn as  {drawn(arc)}")
print(f"{line}            is drawn as  {drawn(line)}")
sys.exit(0 if "5" not in drawn(arc) and "5" in drawn(line) else "it has changed: the line is there")
PYTHON
