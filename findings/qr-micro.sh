#!/usr/bin/env bash
# segno.make makes Micro QR codes of short texts without being asked. OpenCV's reader, which many programs use, finds
# nothing in them, but reads the ordinary codes of segno.make_qr. Both look like QR codes to the person who prints them.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check segno==1.6.6 opencv-python-headless==5.0.0.93
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import sys

import cv2
import segno

print("segno", segno.__version__, "OpenCV", cv2.__version__)
found = []
for make in (segno.make, segno.make_qr):
    code = make("https://a.b")
    code.save(f"{sys.argv[1]}/code.png", scale=16)
    text, *_ = cv2.QRCodeDetector().detectAndDecode(cv2.imread(f"{sys.argv[1]}/code.png"))
    found.append((code.is_micro, text))
    print(f"segno.{make.__name__}: {code.designator}, read as {text!r}")
sys.exit(0 if found == [(True, ""), (False, "https://a.b")] else "it has changed")
PYTHON
