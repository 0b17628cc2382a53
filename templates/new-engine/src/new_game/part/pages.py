"""A page of the site: how likely each cat is to take a supper for two."""

from __future__ import annotations

from grimalkin.site.pages.kinds import Menu, listing
from grimalkin.site.pages.links import Words
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.write import Writer

KIND = "new-game-strength"
MENU_BEFORE = OVERVIEW_BEFORE = "terms"
PAGE = "strength.md"
WORDS = {
    KIND: "Strength",
    f"{KIND}-question": "How strong is each cat?",
    f"{KIND}-answer": "How often each takes a supper for two",
}


def begins(shown: Shown) -> str:
    """Return the page, if the game is this one or a variant of it."""
    return PAGE if shown.game.engine == "new-game" else ""


def menu(shown: Shown, words: Words) -> Menu:
    """Return the entry of the menu."""
    return listing(words[KIND], [], PAGE)


def write(writer: Writer) -> None:
    """Write the page: against a random other cat, a cat wins as often as others are weaker."""
    if not begins(writer.shown):
        return
    cats = sorted(writer.game.by_id.values(), key=lambda row: row.power)
    rows = [(row.name, row.power, weaker / (len(cats) - 1)) for weaker, row in enumerate(cats)]
    writer.page(PAGE, "new-game-strength", writer.words[KIND], rows=rows)
