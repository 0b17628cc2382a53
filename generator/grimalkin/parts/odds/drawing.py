"""Draw charts of chances: steps over the bonus added to each draw, and bars over the card in hand.

Both are small, since a page has many charts; their common axes are drawn once per page. Everything takes the colour of
the surrounding text and differs in tone and stroke, to suit a light page, a dark page and paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from grimalkin.problems.plain import signed
from grimalkin.site.pages.plan_drawing import rounded

WIDTH: Final = 340
HEIGHT: Final = 104
"""Height of 100 %, including the room above."""
TOP: Final = 16
"""Height of the room above."""
LEFT: Final = 34
BELOW: Final = 16
"""Height of the labels below the chart."""
TONES: Final = (0.22, 0.42, 0.62, 0.82)
"""Opacity of the areas, from the outermost."""
GAP: Final = 26
"""Distance between two panels of bars."""


def shared(modifiers: Sequence[int], cards: Sequence[str], panels: Sequence[str]) -> str:
    """Draw the axes that all charts of a page refer to."""
    return (
        '<svg class="axes" aria-hidden="true" width="0" height="0"><defs>'
        f'<g id="axes-steps">{_grid(LEFT, WIDTH)}{_marks(LEFT, WIDTH, [signed(n) for n in modifiers], 2)}</g>'
        f'<g id="axes-bars">{"".join(_panel(at, name, cards) for at, name in zip(_panels(), panels, strict=True))}</g>'
        "</defs></svg>"
    )


def steps(line: Sequence[float], areas: Sequence[Sequence[float]], told: str) -> str:
    """Draw shares over modifiers: nested areas and a dashed line."""
    step = (WIDTH - LEFT) / len(line)
    drawn = "".join(
        f'<path d="{_stairs(area, step)}V{HEIGHT}H{LEFT}z" fill-opacity="{tone}"/>'
        for area, tone in zip(areas, TONES, strict=False)
        if any(area)
    )
    drawn += f'<path class="line" d="{_stairs(line, step)}"/>'
    return _picture("steps", drawn, told)


def bars(panels: Sequence[tuple[float, Sequence[float]]], told: str) -> str:
    """Draw, for each panel, a line for the share without a card, and a bar for the share with each card."""
    drawn = ""
    for (left, right), (plain, shares) in zip(_panels(), panels, strict=True):
        step = (right - left) / len(shares)
        path = "".join(
            f"M{rounded(left + step * at + 1)} {HEIGHT}V{rounded(_y(share))}h{rounded(step - 2)}V{HEIGHT}z"
            for at, share in enumerate(shares)
            if share
        )
        drawn += f'<path d="{path}" fill-opacity="{TONES[1]}"/>' if path else ""
        drawn += f'<path class="line" d="M{rounded(left)} {rounded(_y(plain))}H{rounded(right)}"/>'
    return _picture("bars", drawn, told)


def _picture(name: str, drawn: str, told: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT + BELOW}" role="img" aria-label="{escape(told)}">'
        f'<use href="#axes-{name}"/>{drawn}</svg>'
    )


def _y(share: float) -> float:
    return HEIGHT - (HEIGHT - TOP) * share


def _stairs(shares: Sequence[float], step: float) -> str:
    """Draw a step for each share, joining equal neighbours."""
    path, at, now = "", float(LEFT), -1.0
    for share in shares:
        if share != now:
            path += f"H{rounded(at)}V{rounded(_y(share))}" if path else f"M{rounded(at)} {rounded(_y(share))}"
        at, now = at + step, share
    return f"{path}H{rounded(at)}"


# Axes


def _panels() -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the left and right edges of each panel of bars."""
    middle = (LEFT + WIDTH - GAP) / 2
    return (LEFT, middle), (middle + GAP, WIDTH)


def _grid(left: float, right: float) -> str:
    """Draw a line at each quarter, with its percentage."""
    lines = "".join(f"M{rounded(left)} {rounded(_y(part / 4))}H{rounded(right)}" for part in range(5))
    told = "".join(
        f'<text x="{rounded(left - 4)}" y="{rounded(_y(part / 2) + 4)}" text-anchor="end">{50 * part}</text>'
        for part in range(3)
    )
    return f'<path d="{lines}" stroke="currentColor" stroke-opacity=".22"/>{told}'


def _marks(left: float, right: float, marks: Sequence[str], every: int) -> str:
    """Label the steps: all of them, or every second one."""
    step = (right - left) / len(marks)
    return "".join(
        f'<text x="{rounded(left + step * (at + 0.5))}" y="{HEIGHT + 13}" text-anchor="middle">{escape(mark)}</text>'
        for at, mark in enumerate(marks)
        if not at % every
    )


def _panel(at: tuple[float, float], name: str, cards: Sequence[str]) -> str:
    left, right = at
    grid = _grid(left, right) if left == LEFT else _grid(left, right).partition("<text")[0]
    head = f'<text x="{rounded(left)}" y="10" font-weight="bold">{escape(name)}</text>'
    return head + grid + _marks(left, right, cards, 1)
