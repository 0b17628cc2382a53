"""Build the stepper's data from a replayed playthrough: the table at every step, what is new on it, and words.

It is a separate script, to keep the page light. Repeated sentences are stored once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from grimalkin.content.rules import Playthrough
from grimalkin.engine.chance import ChanceError
from grimalkin.engine.replay import RESERVED, Trace
from grimalkin.engine.shape import Misfits
from grimalkin.engine.words import Score
from grimalkin.site.pages.examples import Viewer
from grimalkin.site.pages.marks import as_numbers

START = ""
"""The step before the first one."""
SCORE = 3
"""Index of the score in the data of a step."""


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
    tables = json.dumps({"told": list(sentences), "steps": steps}, ensure_ascii=False, separators=(",", ":"))
    return f"window.grimalkinTables={tables};\n", keeps_score


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
    return f"{score.seat} {_listed(f'{column} {points}' for column, points in score.columns.items() if points) or 0}"


def _listed(parts: Iterable[str]) -> str:
    return " + ".join(parts)
