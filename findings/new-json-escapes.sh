#!/usr/bin/env bash
# JSON writes a character beyond U+FFFF as two escapes, "\ud83d\udc31", as json.dumps does by default.
# YAML and Jinja do not read them as one character, though JSON looks like a part of both: libyaml refuses them, PyYAML in
# Python and Jinja make two halves of them, which cannot be encoded. `ensure_ascii=False` keeps the character whole.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyyaml==6.0.4 jinja2==3.1.6
"$folder/venv/bin/python" - <<'PYTHON'
import json
import sys

import jinja2
import yaml

written = json.dumps("\U0001f431")


def read_as_yaml(loader: type) -> str:
    try:
        return yaml.load(written, loader)
    except yaml.YAMLError:
        return "refused"


found = {
    "libyaml": read_as_yaml(yaml.CSafeLoader),
    "PyYAML in Python": read_as_yaml(yaml.SafeLoader),
    "Jinja": jinja2.Environment().from_string("{{ " + written + " }}").render(),
}
print(f"PyYAML {yaml.__version__}, Jinja {jinja2.__version__} read {written} as")
for name, text in found.items():
    print(f"  {name}: {ascii(text)}")
halves = "\ud83d\udc31"
expected = {"libyaml": "refused", "PyYAML in Python": halves, "Jinja": halves}
sys.exit(0 if found == expected else f"it has changed: {found!a}")
PYTHON
