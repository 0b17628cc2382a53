#!/usr/bin/env bash
# JSON writes a character beyond U+FFFF as two escapes, "\ud83d\udc31", which is what json.dumps does unless told otherwise.
# Such text is no string for YAML or Jinja, though both look as if JSON were a part of them: libyaml refuses it, PyYAML in
# Python and Jinja make two half characters of it, which cannot be encoded. `ensure_ascii=False` keeps the character whole.
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
