"""The scoring of Werecats: score lines and a result, from counts of what each seat has; and a reference table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from grimalkin.engine.contract import Facts
from grimalkin.engine.cribs import Crib, CribRow, Cribs
from grimalkin.engine.law import law
from grimalkin.engine.words import Fact, Line, Result, Score, listed, ranked
from grimalkin.games.werecats import facts as wc


@law("WC-PWR-10", "WC-AMB-33")
def card_lines(plain: int, high: int, created: int) -> list[Line]:
    """Return score lines for a Graveyard, given its numbers of villagers without High Value (WC-SCORE-1) and with it
    (WC-PWR-4), however they got there (WC-PWR-10, WC-AMB-33), and for werecats other than the starting one
    (WC-SCORE-2)."""
    rows = (
        ("WC-SCORE-1", "villagers in the Graveyard", plain, wc.VILLAGER_POINTS),
        ("WC-PWR-4", "High Value villagers", high, wc.HIGH_VALUE_POINTS),
        ("WC-SCORE-2", "created werecats", created, wc.CREATED_POINTS),
    )
    return [Line(rule, label, count, each, count * each) for rule, label, count, each in rows if count]


class JewelScore(NamedTuple):
    """What a seat scores for jewels: the line, if any, and the numbers behind it as a note and as facts."""

    lines: tuple[Line, ...]
    notes: tuple[tuple[str, str], ...]
    facts: Mapping[str, Fact]


def jewel_score(jewels: Mapping[str, int]) -> JewelScore:
    """Return the score for jewels, given the created werecats of each colour: for all five or for one colour, whichever
    scores more (WC-SCORE-3, WC-SCORE-4, WC-AMB-17). Of tied colours, the first counts."""
    colours = sum(1 for count in jewels.values() if count)
    if not colours:
        return JewelScore((), (), {"jewels": 0})
    colour = max(jewels, key=lambda colour: jewels[colour])
    count, points = jewels[colour], jewels[colour] * wc.ONE_JEWEL_POINTS
    one = f"{count} × {wc.ONE_JEWEL_POINTS} = {points} points"
    line = Line("WC-SCORE-4", f"{colour} werecats", count, wc.ONE_JEWEL_POINTS, points)
    rule = "WC-SCORE-4"
    note = (
        f"The created werecats have {colours} of {wc.EVERY_JEWEL} jewels, too few for {wc.EVERY_JEWEL_POINTS} points; "
        f"the best of them, {colour}, scores {one}."
    )
    if has_every_jewel(jewels):
        better = "one jewel scores" if points > wc.EVERY_JEWEL_POINTS else "five jewels score"
        rule = "WC-AMB-17"
        note = f"Five jewels would score {wc.EVERY_JEWEL_POINTS} points, {colour} alone would score {one}, so {better}."
        if points < wc.EVERY_JEWEL_POINTS:
            line = Line("WC-SCORE-3", "five jewels", 1, wc.EVERY_JEWEL_POINTS, wc.EVERY_JEWEL_POINTS)
    facts: dict[str, Fact] = {"jewels": colours, "every-jewel": wc.EVERY_JEWEL}
    facts |= {"every-jewel-points": wc.EVERY_JEWEL_POINTS, "best-jewel": colour, "best-jewel-count": count}
    facts |= {"one-jewel-points": wc.ONE_JEWEL_POINTS, "best-jewel-points": points}
    return JewelScore((line,), ((rule, note),), facts)


def has_every_jewel(jewels: Mapping[str, int]) -> bool:
    return sum(1 for count in jewels.values() if count) >= wc.EVERY_JEWEL


def winners(scores: Sequence[Score], created: Sequence[int], food: Sequence[int]) -> Result:
    """Return the result: the highest total wins (WC-PLAYERS-3). More created werecats break a tie, then more food left
    on werecats; otherwise tied seats share the win (WC-AMB-3). All other places are decided in the same way."""
    places = ranked(list(zip([score.total for score in scores], created, food, strict=True)))
    best = max(score.total for score in scores)
    rules: tuple[str, ...] = ("WC-PLAYERS-3",)
    facts = {"points": best}
    left = [seat for seat, score in enumerate(scores) if score.total == best]
    if len(left) == 1:
        alone = f"{scores[left[0]].seat} has the highest total, {best}."
        return Result((scores[left[0]].seat,), rules, alone, facts=facts, places=places)
    rules += ("WC-AMB-3",)
    because = f"{listed([scores[seat].seat for seat in left])} have the highest total, {best}"
    for counts, what, fact in ((created, "created werecats", "created"), (food, "food left", "food")):
        most = facts[fact] = max(counts[seat] for seat in left)
        tied, left = left, [seat for seat in left if counts[seat] == most]
        if len(left) == 1:
            more = f"{because}; {scores[left[0]].seat} has the most {what}, {most}."
            return Result((scores[left[0]].seat,), rules, more, facts=facts, places=places)
        if len(left) < len(tied):
            because += f"; {listed([scores[seat].seat for seat in left])} have the most {what}, {most}"
    names = tuple(scores[seat].seat for seat in left)
    equal = f"{listed(names)} also tie in created werecats and food left, and share the win."
    return Result(names, rules, f"{because}; {equal}", facts=facts, places=places)


# For reference

POINTS = (
    ("card in your Graveyard", wc.VILLAGER_POINTS, "WC-SCORE-1"),
    ("High Value card there", wc.HIGH_VALUE_POINTS, "WC-PWR-4"),
    ("werecat that you made", wc.CREATED_POINTS, "WC-SCORE-2"),
    ("either all five jewels", wc.EVERY_JEWEL_POINTS, "WC-SCORE-3"),
    ("or each jewel of one kind", wc.ONE_JEWEL_POINTS, "WC-SCORE-4"),
)
"""For each thing that scores: its name, its points, and the rule."""


def points(_facts: Facts) -> Crib:
    """Return the points for each thing that scores at the end."""
    return Crib("What counts", ("points",), tuple(CribRow(what, (str(each),), (rule,)) for what, each, rule in POINTS))


CRIBS: Cribs = {"points": points}
