"""Divide laws and their examples into pages, each light enough to load quickly.

The size of a page is estimated from its contents, since links must be known before it is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

from grimalkin.content import Game
from grimalkin.content.rules import Example, Rule, Ruling
from grimalkin.engine.pictures import find_picture
from grimalkin.site.pages.citations import COUNTING
from grimalkin.site.pages.shown import Shown

L = TypeVar("L", Rule, Ruling)
T = TypeVar("T")
MOST: Final = 56_000
"""The most bytes of laws and their examples on a page, as estimated here, without the page around them."""
LAW, EXAMPLE, STEP, EVENT, SUM, PLAN, FILLED = 800, 1_100, 110, 65, 120, 1_450, 1_300
"""Estimated bytes of each of these beyond its words; the last is for a plan that shows what an example asks for."""
ROW: Final = 400
"""Estimated bytes of a rule or an example in a list."""
TOGETHER: Final = 60
"""The most rulings that stay on one page with their examples."""
SHORT: Final = 220
"""Estimated bytes of a ruling in brief, beyond its words."""
MOST_LISTED: Final = 64_000
"""The most bytes listed on one page."""
PARTS: Final = 14_500
"""Bytes of the shapes and styles that plans share, and the possible error of their estimated size."""


def pages_of(
    laws: Sequence[L], also: dict[str, int], shown: Shown, examples: dict[str, list[Example]]
) -> list[list[L]]:
    """Divide the laws of a section into pages, in order. `also` is the extra text around some of them."""
    weights = [
        LAW + _length(law) + also.get(law.id, 0) + sum(_weight(one, shown) for one in examples.get(law.id, ()))
        for law in laws
    ]
    room = MOST - (PARTS if _is_drawn(shown) else 0)
    return parted(laws, weights, room)


class Listed(NamedTuple):
    """Laws that are listed together: those of a section, or some rulings."""

    number: int
    """The number of the section; 0 for rulings."""
    title: str
    anchor: str
    """Of its heading; "" if the page before has that heading."""
    laws: Sequence[Rule] | Sequence[Ruling]


def lists_of(game: Game, words: Mapping[str, str]) -> list[list[Listed]]:
    """Divide the sections, and behind them the rulings, into pages that list their examples."""
    shows = Counter(example.rules[0] for example in game.examples)
    found = [
        Listed(number, section.title, f"of-{section.id}", section.rules)
        for number, section in enumerate(game.sections, 1)
    ]
    for at in range(0, len(game.rulings), TOGETHER):
        found.append(Listed(0, words["rulings"], "" if at else "of-rulings", game.rulings[at : at + TOGETHER]))
    weights = [sum(ROW * (1 + shows[law.id]) for law in part.laws) for part in found]
    if weights:
        weights[-1] += sum(ROW for law in game.laws.values() if law.unchecked)
    return parted(found, weights, MOST_LISTED)


def rulings_of(game: Game) -> list[list[Ruling]]:
    """Divide the rulings in brief into pages, by section; a game without rulings has one empty page."""
    places = {section.id: number for number, section in enumerate(game.sections)}
    listed = sorted(game.rulings, key=lambda one: places.get(section_of(game, one), len(places)))
    return parted(listed, [SHORT + _length(ruling) for ruling in listed], MOST_LISTED)


def section_of(game: Game, ruling: Ruling) -> str:
    """Return the section of a ruling, which is that of its first rule, or ""."""
    first = ruling.rules[:1]
    return next((one.id for one in game.sections if any(rule.id in first for rule in one.rules)), "")


def parted(items: Sequence[T], weights: Sequence[int], most: int) -> list[list[T]]:
    """Divide items, in order, into as few parts as possible, all about equally heavy.

    >>> parted("abcdef", [1, 1, 1, 1, 1, 1], 4)
    [['a', 'b', 'c'], ['d', 'e', 'f']]
    >>> parted("abc", [9, 1, 1], 4)
    [['a'], ['b', 'c']]
    """
    total = sum(weights)
    count = max(1, -(-total // most))
    parts: list[list[T]] = [[]]
    own = 0
    for item, weight in zip(items, weights, strict=True):
        if parts[-1] and (own + weight > most or own + weight / 2 > total / count):
            parts.append([])
            own = 0
        parts[-1].append(item)
        own += weight
    return parts


def _length(law: Rule | Ruling) -> int:
    if isinstance(law, Rule):
        return round(1.35 * (len(law.text) + len(law.note or "")))
    return round(1.35 * (len(law.question) + len(law.ruling) + len(law.why or "")))


def _weight(example: Example, shown: Shown) -> int:
    trace = shown.traces.get(example.id)
    weight = EXAMPLE + len(example.text) + len(example.printed or "")
    weight += len(str(trace.before)) // 3 if trace else 0
    for step in trace.steps if trace else ():
        weight += STEP + len(step.line) + len(str(step.say))
        weight += sum(EVENT + len(event.text) for event in step.events)
        weight += sum(STEP for _ in step.checks)
    weight += sum(STEP for _ in trace.checks) if trace else 0
    if trace and example.kind in COUNTING:
        weight += sum(SUM for score in trace.scores for _ in score.lines)
    if trace and _is_drawn(shown):  # once more, since a figure may have moved
        plans = 2 if any(step.line and not step.refusal for step in trace.steps) else 1
        weight += (PLAN + (FILLED if example.picture else 0)) * plans
    return weight


def _is_drawn(shown: Shown) -> bool:
    game = shown.game
    return bool(game.maps and game.module and find_picture(game.module))
