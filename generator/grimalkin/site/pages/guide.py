"""The guide: the order of hand-written pages, and the home page when the guide is a site of its own."""

from __future__ import annotations

import re
from pathlib import Path

from grimalkin.problems import Problems
from grimalkin.site.pages.templates import environment, load_words, page_text
from grimalkin.source import read_text

FIRST = (
    *("index", "your-own-game", "coming-from", "tables", "layouts", "pictures-as-cards", "templates", "art"),
    *("rules-of-your-own", "reference", "scenarios", "phrases", "gallery", "commands", "engine-commands", "printing"),
    "print-shops",
)
"""Hand-written pages that come first in their folder."""
LAST = ("contributing",)
_LINK = re.compile(r"\[([^\[\]]{1,200})\]\([^()\s]{1,200}\)")


def place_in_folder(path: str) -> tuple[int, str]:
    """Return a sort key for a handwritten page: some come first, some last, the others by name."""
    name = path.rpartition("/")[2].removesuffix(".md")
    return (FIRST.index(name) if name in FIRST else len(FIRST) + (name in LAST), path)


def home_of_guide(site: Path) -> dict[str, str]:
    """Write the home page of the guide alone: its pages, each with its title and its first sentence."""
    words, pages = load_words(), []
    for path in sorted((site / "docs" / "guide").glob("*.md"), key=lambda one: place_in_folder(one.name)):
        title, _, text = (read_text(path, Problems()) or "").partition("\n")
        first = _LINK.sub(r"\1", text.strip().partition("\n")[0])  # a link to another part of the page would be broken
        pages.append((f"guide/{path.name}", title.removeprefix("# "), first))
    body = environment().get_template("guide.md.j2").render(pages=pages)
    meta = {"title": words["home"], "description": words["guide-description"]}
    return {"index.md": page_text(meta, body)}
