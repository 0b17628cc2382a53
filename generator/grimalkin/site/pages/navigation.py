"""Build the navigation: the first page of each kind, and the order of all pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, count

from grimalkin.content import Game
from grimalkin.content.rules import Playthrough
from grimalkin.content.texts.typography import apostrophes
from grimalkin.problems.plain import LONGEST_ID
from grimalkin.site.pages.citations import COUNTING
from grimalkin.site.pages.examples import Seat
from grimalkin.site.pages.gallery import galleries, gallery_page
from grimalkin.site.pages.kinds import Menu, brought_kinds, listing, placed
from grimalkin.site.pages.links import Map, Words, deck_page, part_page, section_page
from grimalkin.site.pages.pagination import lists_of, rulings_of
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.templates import by_hand, load_words

MOST_LETTERS = 21_500
"""The most characters of rules and their rulings on one page: the page weighs more than twice as much, and pages must
stay light."""
PRINT = "print.md"
"""The page with all rules, for games whose `rules.md` only lists them; it is for reading through or printing, however
heavy."""


def begins(shown: Shown, words: Words) -> dict[str, str]:
    """Return the first page of each kind that the game has, in reading order."""
    game = shown.game
    paths = {
        "overview": "index.md",
        "rules": section_page(game.sections[0].id) if game.sections else "",
        "rulings": "rulings.md" if game.rulings or game.withdrawn else "",
        "scoring": "scoring.md" if game.sections and is_scored(game) else "",
        "examples": "examples.md" if game.examples or game.module else "",
        "playthroughs": f"playthroughs/{game.playthroughs[0].id}.md" if game.playthroughs else "",
        "gallery": "gallery.md" if galleries(shown, words) else "",
        "components": "components.md",
        "terms": "terms.md" if game.terms else "",
        "errata": "errata.md" if game.errata else "",
        "downloads": "downloads.md",
        "credits": "credits.md" if game.info.credits or game.info.our_work else "",
    }
    brought = brought_kinds()
    order = placed(list(paths), {name: kind.MENU_BEFORE for name, kind in brought.items()})
    paths |= {name: kind.begins(shown) for name, kind in brought.items()}
    return {kind: paths[kind] for kind in order if paths[kind]}


def navigation(games: Sequence[Shown]) -> Menu:
    """Return all pages in reading order."""
    words = load_words()
    nav: Menu = [{words["home"]: "index.md"}]
    brought = brought_kinds()
    for shown in games:
        game = shown.game
        to = Map(shown, words)
        decks = [(deck.name, deck_page(deck.id, len(game.components[deck.id]))) for deck in game.info.decks]
        sorted_ = galleries(shown, words)
        parts = [(one.deck.name, gallery_page(one, sorted_)) for one in sorted_]
        examples = titled_parts(words, words["examples"], "examples.md", len(lists_of(game, words)))
        parts_of_rulings = len(rulings_of(game))
        short = titled_parts(words, words["all-rulings"], "rulings.md", parts_of_rulings)
        within: dict[str, list[tuple[str, str]]] = {
            "rules": [
                page
                for number, section in enumerate(game.sections, 1)
                for page in titled_parts(
                    words, f"{number} {section.title}", section_page(section.id), to.parts[section.id]
                )
            ],
            "rulings": short[1:] + [(title, path) for path, title in rulings_pages(to).items()],
            "examples": examples if len(examples) > 1 else [],
            "playthroughs": [(play.title, f"playthroughs/{play.id}.md") for play in game.playthroughs],
            "components": [(name, path) for name, path in decks if path != "components.md"],
            "gallery": [(name, path) for name, path in parts if path != "gallery.md"],
        }
        entries: Menu = []
        for kind, path in begins(shown, words).items():
            if kind in brought:
                entries += brought[kind].menu(shown, words)
                continue
            inside = within.get(kind, [])
            if f"all-{kind}" in words and (inside or kind not in ("components", "gallery")):
                name = "rules-list" if kind == "rules" and is_long(game) else f"all-{kind}"
                title = part_title(words, words[name], 1, parts_of_rulings if kind == "rulings" else 1)
                inside = [(title, f"{kind}.md"), *inside]
            entries += listing(words[kind], inside, path)
        nav.append({game.marked_title: _below(f"{game.name}/", entries)})
    return nav


def _below(folder: str, menu: Menu) -> Menu:
    """Return a menu with its paths below a folder."""
    return [
        {title: folder + page if isinstance(page, str) else _below(folder, page) for title, page in entry.items()}
        for entry in menu
    ]


def is_long(game: Game) -> bool:
    """Return whether the rules of a game are too long to load on one page."""
    rules = sum(len(rule.text) + len(rule.note or "") for rule in game.rules.values())
    rulings = sum(len(ruling.question) + len(ruling.ruling) for ruling in game.rulings)
    return rules + rulings + sum(len(section.intro or "") for section in game.sections) > MOST_LETTERS


def is_scored(game: Game) -> bool:
    """Return whether a game is about points: one of its examples counts them, or it has no engine or examples yet."""
    kinds = {example.kind for example in game.examples}
    return game.module is None or not kinds or bool(kinds & set(COUNTING))


def seat_pages(shown: Shown, play: Playthrough) -> dict[Seat, str]:
    """Return the page of a playthrough from each seat's view, if the game says what each seat knows.

    No two pages of a game have names that differ only in capitals: some file systems would treat them as one file.
    """
    taken = {one.id.lower() for one in shown.game.playthroughs}
    paths: dict[Seat, str] = {}
    for one in shown.game.playthroughs:
        trace = shown.traces.get(one.id)
        for number, name in enumerate(trace.seats if trace and trace.known else ()):
            told = re.sub(r"[^a-z0-9]+", "-", name.lower())[:LONGEST_ID].strip("-")
            wishes = (f"{one.id}-seat-{number + more}" for more in count(1))
            first = [f"{one.id}-{told}"] if told else []
            page = next(page for page in chain(first, wishes) if page.lower() not in taken)
            taken.add(page.lower())
            if one.id == play.id:
                paths[Seat(number, name)] = f"playthroughs/{page}.md"
    return paths


def beside(games: Sequence[Shown]) -> dict[str, str]:
    """Return the pages left out of the navigation, each with the page that represents it there."""
    found: dict[str, str] = {}
    for shown in games:
        if is_long(shown.game):
            found[f"{shown.game.name}/{PRINT}"] = f"{shown.game.name}/rules.md"
        for play in shown.game.playthroughs:
            to = f"{shown.game.name}/playthroughs/{play.id}.md"
            found.update({f"{shown.game.name}/{path}": to for path in seat_pages(shown, play).values()})
    return found


def part_title(words: Words, title: str, part: int, parts: int) -> str:
    """Return the title of a page, with its number if it is one of several."""
    return words["part-of"].format(title=title, part=part, parts=parts) if parts > 1 else title


def titled_parts(words: Words, title: str, page: str, parts: int) -> list[tuple[str, str]]:
    """Return the title and the path of each page of something that may take several."""
    return [(part_title(words, title, part, parts), part_page(page, part)) for part in range(1, parts + 1)]


def rulings_pages(to: Map) -> dict[str, str]:
    """Return the title of each page of rulings, in the order of sections; general rulings come last."""
    words = to.words
    firsts = [
        (words["rulings-on"].format(section=section.title), f"rulings-{section.id}.md")
        for section in to.shown.game.sections
    ]
    titles: dict[str, str] = {}
    for title, first in [*firsts, (words["rulings-general"], "rulings-general.md")]:
        parts = next(part for part in count() if part_page(first, part + 1) not in to.rulings_on)
        titles.update({path: named for named, path in titled_parts(words, title, first, parts)})
    return titles


def lettered(games: Sequence[Shown], words: Words) -> dict[str, str]:
    """Return all text in each font that only a few words have: hand lettering, and the italics of longer taglines."""
    hand, line = [words["checked"], words["unchecked"], words["fails"], words["not-found"]], [""]
    for tagline in (words["motto"], *(shown.game.info.tagline or "" for shown in games)):
        (hand if by_hand(tagline) else line).append(tagline)
    return {"hand": apostrophes(" ".join(hand)), "line": apostrophes(" ".join(line))}
