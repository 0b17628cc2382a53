"""Write the link previews: a script with every rule, ruling, term and component of a game in brief.

The script that shows them is site/theme/assets/preview.js. They contain only what pages show openly: laws, terms and
components, never the folded parts of scenarios and story books.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from grimalkin.content.rules import Rule, Ruling
from grimalkin.site.pages.gallery import Gallery
from grimalkin.site.pages.links import Map, Words
from grimalkin.site.pages.words import passage_words

ENOUGH = 150
"""Characters after which no further sentence is added, and"""
MOST = 240
"""after which a sentence is cut off."""
MOST_CELLS = 5
SAID = ("rule", "ruling", "term", "preview-open")


def previews_file(game: str) -> str:
    return f"assets/previews/{game}.js"


def previews_script(to: Map, galleries: Sequence[Gallery]) -> str:
    """Return a script with everything that a link may lead to, in brief. It is a script because a page opened from disk
    cannot load data.

    For a law: its kind, number, title, text and source; for a term: its name and text; for a component: its name, the
    number of its deck, width and height of its front (or nothing), and its short values.
    """
    game = to.shown.game
    origins = list(dict.fromkeys(_origin(law.status, law.source, to.words) for law in game.laws.values()))
    laws = {
        id_: [
            int(not isinstance(law, Rule)),
            to.numbers[id_],
            law.title,
            (law.summary if isinstance(law, Rule) else "") or opening(to.plain(_words(law))),
            origins.index(_origin(law.status, law.source, to.words)),
        ]
        for id_, law in game.laws.items()
    }
    terms = {term.id: [term.name, opening(to.plain(term.text))] for term in game.terms}
    told = {
        "said": {key: to.words[key] for key in SAID},
        "origins": origins,
        "decks": [deck.name for deck in game.info.decks],
        "laws": laws,
        "terms": terms,
        "cards": dict(_cards(to, galleries)),
    }
    data = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return f"(window.grimalkinPreviews=window.grimalkinPreviews||{{}})[{json.dumps(game.name)}]={data};\n"


def _words(law: Rule | Ruling) -> str:
    return law.text if isinstance(law, Rule) else law.ruling


def _origin(status: str, passages: Sequence[str], words: Words) -> str:
    """Describe the source of a law."""
    if not passages:
        return words[f"from-{status}-bare"]
    return words[f"from-{status}"].format(where=passage_words(passages))


def _cards(to: Map, galleries: Sequence[Gallery]) -> Iterator[tuple[str, list[object]]]:
    shown = to.shown
    short = {row.id: _short(one, cells, to.words) for one in galleries for row, _, cells in one.rows}
    for number, deck in enumerate(shown.game.info.decks):
        for row in shown.game.components[deck.id]:
            face = shown.faces.get(f"{row.id}-front")
            size = [round(face.stock.width), round(face.stock.height), int(face.stock.shape == "circle")] if face else 0
            yield row.id, [row.name, number, size, short.get(row.id, "")]


def _short(one: Gallery, cells: Sequence[str], words: Words) -> str:
    """Return the numbers and choices of a component."""
    untold = ("–", words["said-no"], words["said-nothing"])
    told = ((head, cell) for head, cell in zip(one.heads, cells, strict=True) if head.kind != "text")
    values = [f"{head.label}\xa0{cell}" for head, cell in told if cell not in untold]
    return " · ".join(values[:MOST_CELLS])


def opening(text: str) -> str:
    """Return the first sentence or two of a text.

    >>> opening("Take a coin. Then pass."), opening("One.\\n\\nAnother.")
    ('Take a coin. Then pass.', 'One.')
    >>> opening("word " * 80)[-11:]
    'word word …'
    """
    first = " ".join(text.strip().partition("\n\n")[0].split())
    told = ""
    for sentence in re.split(r"(?<=[.!?])\s(?=[^a-z])", first):
        if told and len(told) + len(sentence) > ENOUGH:
            break
        told += f" {sentence}" if told else sentence
    return told if len(told) <= MOST else f"{told[:MOST].rpartition(' ')[0] or told[:MOST]} …"
