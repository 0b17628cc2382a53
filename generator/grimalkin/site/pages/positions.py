"""Write examples as files: each position as text for experiments, with the command that replays it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from grimalkin.content.rules import Example
from grimalkin.engine.saved import as_yaml
from grimalkin.site.pages.links import Words
from grimalkin.site.pages.shown import Shown


def position_file(example: str) -> str:
    return f"positions/{example}.yaml"


def position_files(shown: Shown, page: str, examples: Sequence[Example], words: Words) -> dict[str, str]:
    """Return a file for each example of a page, and a script with all of them for the page to show."""
    if not examples:
        return {}
    texts = {one.id: position_text(shown, one) for one in examples}
    told = {
        "said": [words["copy-text"], words["copied-text"]],
        "texts": {id_: [command(shown, id_), texts[id_]] for id_ in texts},
    }
    script = f"window.grimalkinPositions={json.dumps(told, ensure_ascii=False, separators=(',', ':'))};\n"
    files = {position_file(id_): head(shown, id_) + text for id_, text in texts.items()}
    return {**files, f"positions/{page.removesuffix('.md')}.js": script}


def position_text(shown: Shown, example: Example) -> str:
    """Return the position as `why` and `score` read it; for a new game, who begins and the options."""
    script = shown.game.scripts.get(example.id)
    given = script.given if script else example.given
    if given is not None:
        return as_yaml(_plain(given))
    options = script.options if script else example.options
    seats = list(script.seats if script else example.seats)
    return as_yaml({"seats": seats, **({"options": _plain(options)} if options else {})})


def command(shown: Shown, example: str) -> str:
    """Return the command that replays an example; "" without an engine."""
    return f"grimalkin replay {example} --game {shown.game.name}" if example in shown.traces else ""


def head(shown: Shown, example: str) -> str:
    """Return the comment at the head of a file."""
    replayed = command(shown, example)
    version = " ".join(shown.game.info.rules_version.split())
    return f"# {example}, rules version {version}\n" + (f"# {replayed}\n" if replayed else "")


def _plain(value: Any) -> Any:
    """Convert texts that read as numbers, yes or no, so that the file needs no quotes.

    >>> _plain({"6": "penny", "hand": ["12", "007", "no"]})
    {6: 'penny', 'hand': [12, '007', False]}
    """
    if isinstance(value, Mapping):
        return {_plain(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if value in ("yes", "no"):
        return value == "yes"
    return int(value) if isinstance(value, str) and value.isdecimal() and str(int(value)) == value else value
