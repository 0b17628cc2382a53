"""Content in, the facts of each game as JSON out, while a wheel is built: so that a bare Python can ask its rules.

They are made of the very content that the wheel holds, and are kept nowhere else, so they cannot be out of date. An
editable install has none: there, content is read as it is.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Facts(BuildHookInterface):  # type: ignore[type-arg] # hatchling's type of its own settings
    """Adds `grimalkin/data/facts/GAME.json`. Stops the build when anything is wrong with a game."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root / "generator"))
        from grimalkin.play.table import ready_facts

        self.folder = tempfile.TemporaryDirectory()
        for name, record in ready_facts(root / "content").items():
            path = Path(self.folder.name) / f"{name}.json"
            path.write_text(json.dumps(record), encoding="utf-8")
            build_data["force_include"][str(path)] = f"grimalkin/data/facts/{name}.json"

    def finalize(self, unused_version: str, unused_build_data: dict[str, Any], unused_artifact: str) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()
