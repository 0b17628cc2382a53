"""A built site in, a page of each of its kinds out."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path


@cache
def kinds(site: Path, lightest: bool = False) -> dict[str, Path]:
    """The heaviest page of each kind, or the lightest."""
    found: dict[str, Path] = {}
    for path in sorted(site.rglob("*.html"), key=lambda path: path.stat().st_size, reverse=lightest):
        kind = re.search(r'data-kind="([^"]+)"', path.read_text("utf-8"))
        assert kind, path
        found[kind[1]] = path
    return found
