"""Choose and draw plans for pages: the part of a map to show, and the marks on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from grimalkin.content import Game
from grimalkin.engine.pictures import Picture, Wishes
from grimalkin.engine.replay import Trace
from grimalkin.printing.face.map_paths import Box
from grimalkin.printing.face.plans import (
    Detail,
    detail,
    detail_of_position,
    details_of_example,
    figures_in,
    patterns_in,
    picture_of,
    told_of,
)
from grimalkin.site.pages.links import Words
from grimalkin.site.pages.plan_drawing import plan_svg


@dataclass(frozen=True)
class Plan:
    """A plan ready for a page."""

    svg: str
    who: tuple[tuple[str, str], ...] = ()
    """Symbol and name of each figure."""
    key: tuple[tuple[str, str], ...] = ()
    """Symbols drawn in squares, each with its meaning."""
    told: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    """Ids of the rules that decided the symbols and the lines."""


class Plans:
    """Draws plans of positions from what the engine of a game says about them."""

    def __init__(self, game: Game, words: Words) -> None:
        self.game = game
        self.words = words
        self.picture = picture_of(game)

    def pair(self, trace: Trace, wishes: Wishes | None) -> tuple[Plan | None, Plan | None]:
        """Draw the plans of an example before its first step, and after its last if the map then looks different."""
        before, after = details_of_example(self.game, trace, wishes)
        return (self.draw(before) if before else None), (self.draw(after) if after else None)

    def on_map(self, wishes: Mapping[str, Any], is_told: bool = False) -> Plan | None:
        """Draw a plan of a map without figures. If `is_told`, a caption describes it, so its label does not."""
        found = detail_of_position(self.game, None, wishes)
        if found is None or not is_told:
            return self.draw(found) if found else None
        untold = found._replace(picture=found.picture._replace(told=()))
        return replace(self.draw(untold), told=found.picture.told)

    def plan(self, picture: Picture, box: Box | None = None) -> Plan:
        return self.draw(detail(self.game, picture, box))

    def draw(self, shown: Detail) -> Plan:
        picture = shown.picture
        return Plan(
            plan_svg(shown.map, picture, shown.box, told_of(shown, self.words)),
            figures_in(shown),
            tuple((kind, self.words[f"plan-{kind}"]) for kind in patterns_in(picture)),
            picture.told,
            picture.rules,
        )
