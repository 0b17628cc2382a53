"""A built site in, a page of each of its kinds out."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from grimalkin.site.pages.addresses import ADDRESSES


@cache
def kinds(site: Path, lightest: bool = False) -> dict[str, Path]:
    """The heaviest page of each kind, or the lightest. What only leads on to another page is none."""
    found: dict[str, Path] = {}
    for path in sorted(site.rglob("*.html"), key=lambda path: path.stat().st_size, reverse=lightest):
        if path.parent.name == ADDRESSES:
            continue
        kind = re.search(r'data-kind="([^"]+)"', path.read_text("utf-8"))
        assert kind, path
        found[kind[1]] = path
    return found
