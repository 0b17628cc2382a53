"""Write the data of pages as scripts, since a page opened from disk cannot load any: the table at every step of a
playthrough, the positions of examples, and previews of links.

Repeated sentences are stored once. Previews contain only what pages show openly: laws, terms and components, never the
folded parts of scenarios and story books. The script that shows them is site/theme/assets/preview.js."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grimalkin.content.models import Deck
from grimalkin.content.rules import Example, Playthrough, Rule, Ruling
from grimalkin.engine.chance import ChanceError
from grimalkin.engine.replay import RESERVED, Trace
from grimalkin.engine.saved import as_yaml
from grimalkin.engine.shape import Misfits
from grimalkin.engine.words import Score
from grimalkin.site.pages.differences import as_numbers
from grimalkin.site.pages.examples import Viewer
from grimalkin.site.pages.gallery import Gallery
from grimalkin.site.pages.links import Map, Words
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.templates import origin_words

START = ""
"""The step before the first one."""
SCORE = 3
"""Index of the score in the data of a step."""


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def script(name: str, value: object, key: str = "") -> str:
    """Return a script that keeps a value for the scripts of the theme; with a key, alongside those of other games.

    >>> script("Words", {"a": 1}, "owls")
    '(window.grimalkinWords=window.grimalkinWords||{})["owls"]={"a":1};\\n'
    """
    kept = f"window.grimalkin{name}"
    return f"({kept}={kept}||{{}})[{as_json(key)}]={as_json(value)};\n" if key else f"{kept}={as_json(value)};\n"


# The stepper


def script_of(viewer: Viewer, play: Playthrough, trace: Trace, is_scored: bool) -> tuple[str, bool]:
    """Return the script: sentences, and for each step the picture and its words, the position in words, the score, and
    marks.

    Also return whether it has a score; it has none if the score never changes.
    """
    sentences: dict[str, int] = {}
    steps: dict[str, list[Any]] = {}
    last = None
    for name, position, before in _positions(viewer, play, trace):
        picture = viewer.tables.picture(position, before)
        told = [sentences.setdefault(one, len(sentences)) for one in viewer.tables.sentences(position)]
        score = ", ".join(scored(viewer, position)) if is_scored else ""
        new = as_numbers(viewer.tables.marks(last, picture))
        path = viewer.reader.path(picture.path) if picture else ""
        steps[name] = [path, picture.alt if picture else "", told, score, new]
        last = picture
    keeps_score = len({step[SCORE] for step in steps.values()}) > 1
    if not keeps_score:
        for step in steps.values():
            step[SCORE] = ""
    return script("Tables", {"told": list(sentences), "steps": steps}), keeps_score


def _positions(
    viewer: Viewer, play: Playthrough, trace: Trace
) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any] | None]]:
    """Yield the start and every move: anchor, position after it, and position before it."""
    position = viewer.position(trace)
    yield START, position, None
    number = 0
    for step, traced in zip(viewer.shown.game.scripts[play.id].steps, trace.steps, strict=False):
        if not set(step) & set(RESERVED):
            number += 1
            before, position = position, viewer.position(traced)
            yield f"step-{number}", position, before


def scored(viewer: Viewer, position: Mapping[str, Any]) -> Iterator[str]:
    """Yield the score of each seat in a fully known position, as a sentence without its full stop."""
    module = viewer.shown.game.module
    if module is None or not position or viewer.seat is not None:
        return
    try:
        scores = module.load(viewer.shown.game.facts, position).score()
    except (Misfits, ChanceError):
        return
    yield from map(_points, scores)


def _points(score: Score) -> str:
    if not score.columns:
        return f"{score.seat} {score.total}"
    columns = " + ".join(f"{column} {points}" for column, points in score.columns.items() if points)
    return f"{score.seat} {columns or 0}"


# The positions of examples


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
    files = {position_file(id_): head(shown, id_) + text for id_, text in texts.items()}
    return {**files, f"positions/{page.removesuffix('.md')}.js": script("Positions", told)}


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


# Previews of links

ENOUGH = 150
"""Characters after which no further sentence is added, and"""
MOST = 240
"""after which a sentence is cut off."""
MOST_CELLS = 5
SAID = ("rule", "ruling", "term", "preview-open")


def previews_file(game: str) -> str:
    return f"assets/previews/{game}.js"


def previews_script(to: Map, galleries: Sequence[Gallery]) -> str:
    """Return a script with everything that a link may lead to, in brief.

    For a law: its kind, number, title, text and source; for a term: its name and text; for a component: its name, the
    number of its deck, width and height of its front (or nothing), and its short values.
    """
    game = to.shown.game
    origins = list(dict.fromkeys(origin_words(law.status, law.source, to.words) for law in game.laws.values()))
    laws = {
        id_: [
            int(not isinstance(law, Rule)),
            to.numbers[id_],
            law.title,
            (law.summary if isinstance(law, Rule) else "") or opening(to.plain(_words(law))),
            origins.index(origin_words(law.status, law.source, to.words)),
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
    return script("Previews", told, game.name)


def _words(law: Rule | Ruling) -> str:
    return law.text if isinstance(law, Rule) else law.ruling


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


# Cards

CARDS_SAID = (
    "cards-column",
    "cards-number",
    "cards-words",
    "cards-value",
    "cards-choice",
    "cards-near",
    "cards-known",
)
"""Keys of the messages for a query that the script cannot read."""


def cards_file(game: str) -> str:
    return f"assets/cards/{game}.js"


def cards_script(to: Map, galleries: Sequence[Gallery]) -> str:
    """Return a script with all components of a game and the values in their galleries."""
    game = to.shown.game
    columns = {one.deck.id: one for one in galleries}
    decks = [_deck(deck, columns.get(deck.id), to) for deck in game.info.decks]
    told = {"said": said_of(to.words), "decks": [deck for deck in decks if deck["cards"]]}
    return script("Cards", told, game.name)


def said_of(words: Words) -> dict[str, str]:
    return {key: words[key] for key in CARDS_SAID}


def said_in_galleries(words: Words) -> str:
    """Return the messages of the gallery's script, escaped for an attribute in single quotes."""
    told = as_json({**said_of(words), "gallery-elsewhere": words["gallery-elsewhere"]})
    return told.replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;")


def _deck(deck: Deck, gallery: Gallery | None, to: Map) -> dict[str, object]:
    rows = to.shown.game.components[deck.id]
    cells = {row.id: values for row, _, values in gallery.rows} if gallery else {}
    return {
        "id": deck.id,
        "name": deck.name,
        "page": to.pages[rows[0].id].replace(".md", ".html") if rows else "",
        "columns": [[head.key, head.label, head.kind] for head in gallery.heads] if gallery else [],
        "cards": [
            [
                row.id,
                row.name,
                int(f"{row.id}-front" in to.shown.faces),
                [" ".join(value.split()) for value in cells.get(row.id, ())],
            ]
            for row in rows
        ],
    }
