#!/usr/bin/env bash
# segno takes a text for Japanese whenever its bytes could be pairs of Shift JIS, whatever the encoding: "ça" in Latin 1,
# and even "✓✓" with encoding="utf-8". Readers then show other characters. Anything but ASCII needs mode="byte".
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check segno==1.6.6 zxing-cpp==3.1.1 pillow==13.0.0
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import sys
from importlib.metadata import version

import segno
import zxingcpp
from PIL import Image

print("segno", segno.__version__, "zxing-cpp", version("zxing-cpp"))
found = []
for text, said in (("ça", {}), ("✓✓", {"encoding": "utf-8"}), ("✓✓", {"encoding": "utf-8", "mode": "byte"})):
    code = segno.make_qr(text, **said)
    code.save(f"{sys.argv[1]}/code.png", scale=8)
    read = zxingcpp.read_barcode(Image.open(f"{sys.argv[1]}/code.png").convert("L")).text
    found.append((code.mode, read))
    print(f"make_qr({text!r}, {said}): {code.mode}, read as {read!r}")
sys.exit(0 if found == [("kanji", "軋"), ("kanji", "笨凪恣"), ("byte", "✓✓")] else "it has changed")
PYTHON
