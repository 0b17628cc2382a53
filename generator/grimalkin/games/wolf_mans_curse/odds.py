"""The chance that each number card captures against unknown cards, found by counting all cases.

The input is facts, the output a chart. The other players lay any of the remaining cards with equal probability, so
their skill does not matter here. Every face card and joker is equally likely to be turned up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import comb

from grimalkin.engine.chance import Chance, every_outcome
from grimalkin.engine.contract import Facts
from grimalkin.engine.odds import Chart, Charts, Panel, Point, Series
from grimalkin.games.wolf_mans_curse.facts import NO_SUIT, SEATS, SUITS, Box, box_of
from grimalkin.games.wolf_mans_curse.scoring import captor

PLAIN, OWN, OTHER, NONE = "plain night", "its suit doubled", "another suit doubled", "joker, nothing doubled"
Night = tuple[int, int]
"""For a card and a doubled suit: how many face cards double it, and how many other number cards the card then beats."""
Nights = Mapping[int, Night]
"""By doubled suit."""


def capture_chart(facts: Facts) -> Chart:
    """Return the chart of captures: for each number of players and each number card, its share on four kinds of nights.

    A plain night is any that does not double the card's own suit, weighted by how many cards of the face pile cause it.
    """
    box = box_of(facts)
    nights = {card: nights_of(card, box) for card in range(box.count)}
    values = sorted(set(box.cards.values[: box.count]))
    panels = []
    for players in range(SEATS[0], SEATS[1] + 1):
        shares = {kind: shares_in(kind, nights, players - 1, box) for kind in (PLAIN, OWN, OTHER, NONE)}
        series = (_series(kind, found, values, box) for kind, found in shares.items())
        panels.append(Panel(f"{players} players", tuple(series)))
    return Chart("value", tuple(map(str, values)), tuple(panels))


CHARTS: Charts = {"captures": capture_chart}


def nights_of(card: int, box: Box) -> Nights:
    """Return the nights of a card, found by pairing every card turned up with every card of one other player."""
    others = [other for other in range(box.count) if other != card]
    found: Counter[tuple[int, bool]] = Counter()

    def night(chance: Chance) -> tuple[int, bool]:
        doubled = box.cards.suits[chance.pick("moon", box.faces)]
        laid = (card, chance.pick("another player", others))
        return doubled, captor(laid, box.strengths[doubled]) == 0

    for _, outcome in every_outcome(night):
        found[outcome] += 1
    nights = {}
    for doubled in sorted({doubled for doubled, _ in found}):
        turned_up = sum(suit == doubled for suit in box.cards.suits[box.count :])
        nights[doubled] = turned_up, found[doubled, True] // turned_up
    return nights


def shares_in(kind: str, nights: Mapping[int, Nights], opponents: int, box: Box) -> dict[int, float]:
    """Return, by card, its chance of capturing on nights of a kind."""
    shares = {}
    for card, all_nights in nights.items():
        own = box.cards.suits[card]
        among = {
            PLAIN: [doubled for doubled in all_nights if doubled != own],
            OWN: [own],
            OTHER: [doubled for doubled in all_nights if doubled not in (own, NO_SUIT)],
            NONE: [NO_SUIT],
        }[kind]
        if these := [all_nights[doubled] for doubled in among if doubled in all_nights]:
            shares[card] = capture_share(these, opponents, box.count - 1)
    return shares


def capture_share(nights: Sequence[Night], opponents: int, others: int) -> float:
    """Return a card's chance of capturing on nights like these, each weighted by its number of face cards.

    The opponents lay different cards, any of C(others, opponents) sets; the card must beat all of them.
    """
    captures = sum(turned_up * comb(beaten, opponents) for turned_up, beaten in nights)
    return captures / (comb(others, opponents) * sum(turned_up for turned_up, _ in nights))


def _series(kind: str, shares: Mapping[int, float], values: Sequence[int], box: Box) -> Series:
    points = {(box.cards.suits[card], box.cards.values[card]): Point(share) for card, share in shares.items()}
    parts = {name: tuple(points.get((suit, value)) for value in values) for suit, name in enumerate(SUITS)}
    return Series(kind, parts, drawn=kind in (PLAIN, OWN))
