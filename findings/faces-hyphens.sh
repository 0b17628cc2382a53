#!/usr/bin/env bash
# pyphen's Dutch and Afrikaans dictionaries break before a letter with a diaeresis and keep it: re-ëel, ge-ïnd, vo-ël.
# In both languages it is lost at the end of a line (re-eel, vo-el). pyphen can say that letters change (as it does for
# Hungarian), so that whoever asks for such places trusts that there is none here.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyphen==0.18.1
"$folder/venv/bin/python" - <<'PYTHON'
import sys
from importlib.metadata import version

from pyphen import Pyphen

print("pyphen", version("pyphen"))
found = []
for language, word in (("nl", "reëel"), ("nl", "geïnd"), ("af", "voëltjie"), ("hu", "asszonnyal")):
    places = Pyphen(lang=language).positions(word)
    found.append((Pyphen(lang=language).inserted(word), any(place.data for place in places)))
    print(f"{language}: {word} -> {found[-1][0]}, letters change: {'yes' if found[-1][1] else 'no'}")
sys.exit(0 if [one[1] for one in found] == [False, False, False, True] and found[0][0] == "re-ëel" else "it has changed")
PYTHON
