"""A game in, what a link says of its target out: a file of every rule, ruling, term and component, in short.

The script is site/theme/assets/preview.js. In the file is nothing but what stands open on pages of its own: laws, terms
and components. What scenarios and story books fold away is none of these.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from grimalkin.content.models import Rule, Ruling
from grimalkin.pages.gallery import Gallery
from grimalkin.pages.links import Map, Words
from grimalkin.pages.words import passage_words

ENOUGH = 150
"""Letters after which no further sentence is begun, and"""
MOST = 240
"""those after which a sentence is broken off."""
MOST_CELLS = 5
SAID = ("rule", "ruling", "term", "preview-open")


def previews_file(game: str) -> str:
    return f"assets/previews/{game}.js"


def previews_script(to: Map, galleries: Sequence[Gallery]) -> str:
    """Everything of a game that a link may lead to, in short, as a plain script: pages from disk load no data.

    Of a law: its kind, number, title, words, and who says so; of a term: its name and words; of a component: its name,
    the number of its deck, width and height of its front (or nothing), and its short values.
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
    """Who says so."""
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
    """The numbers and choices of a component."""
    untold = ("–", words["said-no"], words["said-nothing"])
    told = ((head, cell) for head, cell in zip(one.heads, cells, strict=True) if head.kind != "text")
    values = [f"{head.label}\xa0{cell}" for head, cell in told if cell not in untold]
    return " · ".join(values[:MOST_CELLS])


def opening(text: str) -> str:
    """A sentence or two with which a text begins.

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
