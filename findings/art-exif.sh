#!/usr/bin/env bash
# Pillow opens a picture without decoding it, and getexif() of a JPEG or a WebP reads the head alone. Of a PNG it decodes
# all pixels, since the chunk eXIf may stand behind them: asking how a picture is turned takes as long as drawing it.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pillow==13.0.0
"$folder/venv/bin/python" - <<'PYTHON'
import io
import sys

from PIL import Image, __version__

found = {}
for kind in ("PNG", "JPEG", "WEBP"):
    file = io.BytesIO()
    Image.new("RGB", (64, 64), "teal").save(file, kind)
    image = Image.open(file)
    before = image._im is not None  # whether there are pixels in the memory
    image.getexif()
    found[kind] = before, image._im is not None
print(f"Pillow {__version__}")
for kind, (before, after) in found.items():
    print(f"{kind}: decoded after open() {before}, after getexif() {after}")
sys.exit(0 if found == {"PNG": (False, True), "JPEG": (False, False), "WEBP": (False, False)} else f"changed: {found}")
PYTHON
