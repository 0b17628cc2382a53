#!/usr/bin/env bash
# A font may have GPOS kerning and an old table "kern". HarfBuzz takes the old table for each script of which GPOS says
# nothing, so that Latin is kerned by it in a font whose GPOS kerns Cyrillic alone. HarfBuzz' own subsetter drops the
# old table unless it is told otherwise, and the letters that are left are then wider than they were.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check fonttools==4.68.0 uharfbuzz==0.57.0
"$folder/venv/bin/python" - <<'PYTHON'
import io
import sys

import uharfbuzz as hb
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import newTable
from fontTools.ttLib.tables._k_e_r_n import KernTable_format_0

NAMES = [".notdef", "A", "V"]


def font(script):
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(NAMES)
    builder.setupCharacterMap({65: "A", 86: "V"})
    pen = TTGlyphPen(None)
    for at, point in enumerate([(0, 0), (0, 700), (500, 700), (500, 0)]):
        (pen.lineTo if at else pen.moveTo)(point)
    pen.closePath()
    glyph = pen.glyph()
    builder.setupGlyf({name: glyph for name in NAMES})
    builder.setupHorizontalMetrics({name: (600, 0) for name in NAMES})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupOS2()
    builder.setupNameTable({"familyName": "Two", "styleName": "Regular"})
    builder.setupPost()
    table = KernTable_format_0()
    table.coverage, table.format, table.apple, table.kernTable = 1, 0, False, {("A", "V"): -200}
    builder.font["kern"] = newTable("kern")
    builder.font["kern"].version, builder.font["kern"].kernTables = 0, [table]
    addOpenTypeFeaturesFromString(
        builder.font, f"languagesystem {script} dflt; feature kern {{ pos A V -50; }} kern;"
    )
    file = io.BytesIO()
    builder.save(file)
    return hb.Face(file.getvalue())


def width(face):
    buffer = hb.Buffer()
    buffer.add_str("AV")
    buffer.guess_segment_properties()
    hb.shape(hb.Font(face), buffer)
    return sum(at.x_advance for at in buffer.glyph_positions)


def subset(face):
    order = hb.SubsetInput()
    order.unicode_set.update(map(ord, "AV"))
    return order.subset(face)


print(f"uharfbuzz {hb.__version__}, HarfBuzz {hb.version_string()}")
latin, cyrillic = font("latn"), font("cyrl")
found = [width(latin), width(cyrillic), width(subset(cyrillic))]
print(f"AV is 1200 wide without kerning; with GPOS for Latin {found[0]}, with GPOS for Cyrillic alone {found[1]}")
print(f"the same letters of the latter, cut out of it by HarfBuzz: {found[2]}")
sys.exit(0 if found == [1150, 1000, 1200] else f"it has changed: {found}")
PYTHON
