#!/usr/bin/env bash
# calamine reads a cell with an error (#DIV/0!) as an empty text, in XLSX and in ODS as LibreOffice writes it, so a wrong
# formula looks like an empty cell. The file marks the error: t="e" in XLSX, calcext:value-type="error" in
# ODS. An ODS without that attribute, as odfpy writes it, gives the text of the error.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check python-calamine==0.9.1 XlsxWriter==3.3.1
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import xlsxwriter
from python_calamine import CalamineWorkbook

folder = Path(sys.argv[1])
book = xlsxwriter.Workbook(folder / "out.xlsx")
sheet = book.add_worksheet()
sheet.write_row("A1", ["lamp", None, "end"])
sheet.write_formula("B1", "=6/0", None, "#DIV/0!")
book.close()
assert b't="e"' in zipfile.ZipFile(folder / "out.xlsx").read("xl/worksheets/sheet1.xml")

SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
)
CALCEXT = 'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'


def ods(name: str, error: str) -> None:
    cell = '<table:table-cell office:value-type="string"{}><text:p>{}</text:p></table:table-cell>'.format
    row = cell("", "lamp") + cell(error, "#DIV/0!") + cell("", "end")
    with zipfile.ZipFile(folder / name, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr(
            "content.xml",
            f'<office:document-content {SPACES} {CALCEXT}><office:body><office:spreadsheet><table:table table:name="A">'
            f"<table:table-row>{row}</table:table-row></table:table></office:spreadsheet></office:body>"
            "</office:document-content>",
        )


ods("libreoffice.ods", ' office:string-value="" calcext:value-type="error"')
ods("plain.ods", "")
names = ("out.xlsx", "libreoffice.ods", "plain.ods")
found = {name: CalamineWorkbook.from_path(folder / name).get_sheet_by_index(0).to_python()[0][1] for name in names}
print(f"python-calamine {version('python-calamine')}, XlsxWriter {version('XlsxWriter')}")
for name, cell in found.items():
    print(f"{name}: the cell with #DIV/0! is read as {cell!r}")
expected = {"out.xlsx": "", "libreoffice.ods": "", "plain.ods": "#DIV/0!"}
sys.exit(0 if found == expected else f"it has changed: {found}")
PYTHON
