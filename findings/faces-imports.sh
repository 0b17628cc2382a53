#!/usr/bin/env bash
# A Jinja template that imports another one exports the names that it sets and its macros, but not the names that it has
# taken from elsewhere: a Python module would pass them on. So a file that gathers parts of many files for others to
# import must set each name again, and until then both ways to import it say that the name does not exist.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check jinja2==3.1.6
"$folder/venv/bin/python" - <<'PYTHON'
import sys

import jinja2

parts = {
    "hats": "{% macro hat() %}a hat{% endmacro %}",
    "wardrobe": "{% from 'hats' import hat %}{% set cap = hat %}{% macro worn() %}{{ hat() }}, worn{% endmacro %}",
}
made = jinja2.Environment(loader=jinja2.DictLoader(parts), undefined=jinja2.StrictUndefined)
found = {}
for name in ("hat", "cap", "worn"):
    for text in ("{% import 'wardrobe' as w %}{{ w.NAME() }}", "{% from 'wardrobe' import NAME %}{{ NAME() }}"):
        try:
            said = made.from_string(text.replace("NAME", name)).render()
        except jinja2.UndefinedError:
            said = "undefined"
        found.setdefault(name, []).append(said)
print(f"Jinja2 {jinja2.__version__}")
for name, (whole, one) in found.items():
    print(f"{name}: {whole} as a part of the whole, {one} by name")
want = {"hat": ["undefined"] * 2, "cap": ["a hat"] * 2, "worn": ["a hat, worn"] * 2}
sys.exit(0 if found == want else f"it has changed: {found}")
PYTHON
