#!/usr/bin/env bash
# A program that writes a formula into a workbook without calculating it stores no value (openpyxl) or 0 (XlsxWriter).
# Readers return the stored value, so =6*7 is None or 0, and nothing in the cell distinguishes such a 0 from a true one.
# One clue: both programs set fullCalcOnLoad, which asks for everything to be calculated when the workbook is opened.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check openpyxl==3.1.5 python-calamine==0.9.1 XlsxWriter==3.3.1
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import openpyxl
import xlsxwriter
from python_calamine import CalamineWorkbook

folder = Path(sys.argv[1])
book = openpyxl.Workbook()
book.active.append(["lamp", "=6*7", "end"])
book.save(folder / "openpyxl.xlsx")
book = xlsxwriter.Workbook(folder / "xlsxwriter.xlsx")
book.add_worksheet().write_row("A1", ["lamp", "=6*7", "end"])
book.close()
found = {}
for name in ("openpyxl.xlsx", "xlsxwriter.xlsx"):
    found[name] = (
        openpyxl.load_workbook(folder / name, data_only=True).active["B1"].value,
        CalamineWorkbook.from_path(folder / name).get_sheet_by_index(0).to_python()[0][1],
        b'fullCalcOnLoad="1"' in zipfile.ZipFile(folder / name).read("xl/workbook.xml"),
    )
print(", ".join(f"{name} {version(name)}" for name in ("openpyxl", "python-calamine", "XlsxWriter")))
for name, (one, other, asks) in found.items():
    print(f"{name}: =6*7 is {one!r} to openpyxl and {other!r} to calamine; fullCalcOnLoad is {'' if asks else 'not '}set")
expected = {"openpyxl.xlsx": (None, "", True), "xlsxwriter.xlsx": (0, 0.0, True)}
sys.exit(0 if found == expected else f"it has changed: {found}")
PYTHON
