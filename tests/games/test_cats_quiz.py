"""What do the vermin do? A quiz: for each rule positions with all the right answers, drawn.

A square is a dot, a number sign (blocking), a colon (hindering) or a tilde (water); a figure stands on a dot, unless
`under` says otherwise. Between squares a bar is a wall, and so are strokes on a line between rows. Heroes are capital
letters, vermin small ones, a large one begins at its letter and covers the plus signs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from textwrap import dedent
from typing import Any, NamedTuple

import pytest
from cats_yard import FACTS, SCENARIO

from grimalkin.content.squares import square_name
from grimalkin.engine.chance import Seeded
from grimalkin.engine.words import Event
from grimalkin.games.cats_of_new_orleans import load
from grimalkin.games.cats_of_new_orleans.box import ALWAYS, Arm
from grimalkin.games.cats_of_new_orleans.moves import write
from grimalkin.games.cats_of_new_orleans.state import State
from grimalkin.games.cats_of_new_orleans.vermin import Strike, best_arm

HEROES = {"A": "patch", "B": "murray", "C": "lunette", "D": "nera"}
SMALL = {"p": "pistoleer-1", "q": "pistoleer-2", "b": "bayou-bitter-1", "s": "stinker-1", "t": "stinker-2"}
BOSSES = {"v": "viceroy", "x": "mort"}
VERMIN = SMALL | BOSSES | {"m": "mosquito-1", "?": "unknown-1"}
GROUND = ".#:~"


class Position(NamedTuple):
    """A question: who is next, or what the one who was chosen does."""

    title: str
    drawing: str
    right: str
    """All right answers: names of vermin, squares, heroes to choose from, or what happens without a choice."""
    who: str = ""
    """Who is activated, all others having been. Empty: the question is who is next."""
    under: Mapping[str, str] = {}
    about: Mapping[str, Mapping[str, Any]] = {}
    """What else is so, by figure."""


def figures_and_map(drawing: str, under: Mapping[str, str]) -> tuple[dict[str, str], dict[str, Any]]:
    """Where figures stand, and the facts of the map."""
    lines = [line for line in dedent(drawing).strip("\n").split("\n") if line.strip()]
    rows = [line for line in lines if set(line) - set(" -")]
    width = (max(map(len, rows)) + 1) // 2
    figures: dict[str, str] = {}
    squares: list[str] = []
    upright: list[str] = []
    flat = ["|" * width]
    for line in lines:
        if line not in rows:
            flat[-1] = "".join("|" if line.ljust(2 * width)[2 * at] == "-" else " " for at in range(width))
            continue
        line = line.ljust(2 * width)
        row = ""
        for at in range(width):
            sign, name = line[2 * at], square_name(at, len(squares))
            if sign in HEROES or sign in VERMIN:
                figures[HEROES.get(sign) or VERMIN[sign]] = name
            row += under.get(name, sign if sign in GROUND else ".")
        squares.append(row)
        upright.append("|" + "".join(line[2 * at + 1] for at in range(width - 1)) + "|")
        flat.append(" " * width)
    flat[-1] = "|" * width
    about = {"name": "The Quiz", "spaces": 8, "track": {}, "marks": {}}
    return figures, {**about, "squares": squares, "upright": upright, "flat": flat}


def state_of(case: Position, backwards: bool) -> State:
    """The position, with its figures in one order or in the other."""
    figures, _ = figures_and_map(case.drawing, case.under)
    heroes: dict[str, dict[str, Any]] = {}
    vermin: dict[str, dict[str, Any]] = {}
    for name, square in figures.items():
        if name in HEROES.values():
            heroes[name] = {"at": square}
        else:
            vermin[name] = {"at": square}
            if name == "unknown-1":
                vermin[name]["is"] = "marker-bayou-mosquito"
            if case.who and name != case.who:
                vermin[name]["done"] = True
    if len(heroes) in (1, 3):
        heroes[next(name for name in HEROES.values() if name not in heroes)] = {"place": "left"}
    for name, more in case.about.items():
        (heroes if name in heroes else vermin).setdefault(name, {}).update(more)
    for hero in heroes.values():
        hero["seat"] = "Ada"
    if backwards:
        heroes, vermin = dict(reversed(heroes.items())), dict(reversed(vermin.items()))
    record = {"seats": {"Ada": {}}, "phase": "vermin", "round": 1, "first": "vermin", "second": False}
    options = {"scenario": f"quiz-{QUIZ.index(case)}"}
    return load(facts(), {**record, "options": options, "heroes": heroes, "vermin": vermin}, Seeded(1))


@cache
def facts() -> dict[str, Any]:
    """The facts with a map and a scenario for each question."""
    maps = {f"quiz-{n}": figures_and_map(case.drawing, case.under)[1] for n, case in enumerate(QUIZ)}
    scenarios = {name: {**SCENARIO, "id": name, "map": name, "pool": {}} for name in maps}
    return {
        **FACTS,
        "components": dict(FACTS["components"]),
        "maps": {**maps, **FACTS["maps"]},
        "scenarios": {**scenarios, **FACTS["scenarios"]},
    }


def answers(state: State, who: str) -> set[str]:
    """What may be answered; or what happens, when there is nothing to answer."""
    if not who:
        return {move[1] for move in state.legal()}
    log: list[Event] = []
    state.apply(("vermin", who), log)
    for event in log:
        if event.rule == "NO-ATK-1":
            return {f"{event.facts['attack']} at {event.facts['target']}"}
        if event.rule == "NO-VERM-2":
            return {str(event.facts["at"])}
        if event.rule == "NO-VATK-3":
            return {"stays"}
        if event.rule in ("NO-AMB-29", "NO-AMB-30"):
            return {"unstuns" if event.rule == "NO-AMB-29" else "reloads"}
    return {write([move], state).removeprefix("to ").removeprefix("choose ") for move in state.legal()}


QUIZ = [
    # Who is next
    Position(
        "NO-VERM-1",
        """
        A . . s . .
        . . . . . .
        . . . b . .
        """,
        "stinker-1, bayou-bitter-1",
    ),
    Position("NO-VERM-1", "A . p . s B", "stinker-1"),
    Position("NO-VATK-1", "A . p . s", "pistoleer-1"),
    Position(
        "NO-VATK-1",
        """
        A . . .
        . p . s
        """,
        "stinker-1",
        about={"pistoleer-1": {"done": True}},
    ),
    Position(
        "NO-AMB-27",
        """
        A|p . .
        .|. . .
        . . s .
        """,
        "stinker-1",
    ),
    Position(
        "NO-AMB-27",
        """
        A p s . .
        . . . . .
        """,
        "pistoleer-1",
    ),
    Position("NO-AMB-27", "A p m s", "mosquito-1", about={"pistoleer-1": {"done": True}}),
    # Which hero
    Position("NO-VERM-3", "A . s . . B", "b1", "stinker-1"),
    Position("NO-VERM-3", "A . s . B", "b1, d1", "stinker-1"),
    Position("NO-VERM-3", "A|s . . B", "c1", "stinker-1"),
    # Which step
    Position(
        "NO-VATK-3",
        """
        A . . .
        . . . .
        . . . s
        """,
        "c2, c3",
        "stinker-1",
    ),
    Position(
        "NO-VATK-3",
        """
        A # . .
        . # s .
        . . . .
        """,
        "b3",
        "stinker-1",
    ),
    Position(
        "NO-VERM-2",
        """
        A ~ s
        . : .
        """,
        "b1, b2",
        "stinker-1",
    ),
    Position(
        "NO-AMB-25",
        """
        A . . s
        . t . .
        . . . .
        """,
        "c1, c2",
        "stinker-1",
    ),
    Position(
        "NO-AMB-25",
        """
        A t . s
        # # . .
        """,
        "c1, c2",
        "stinker-1",
    ),
    Position(
        "NO-AMB-25",
        """
        A . t s
        . . # .
        . . . .
        """,
        "d2",
        "stinker-1",
    ),
    # Whom it attacks
    Position("NO-AMB-80", "A s B", "patch, murray", "stinker-1"),
    Position("NO-AMB-80", "A . b . B", "patch, murray", "bayou-bitter-1"),
    Position("NO-AMB-80", "A . b . . B", "Spit Venom at patch", "bayou-bitter-1"),
    Position(
        "NO-AMB-80",
        """
        A . . .
        . . b B
        """,
        "Fangs at murray",
        "bayou-bitter-1",
    ),
    Position("NO-VATK-2", "A s", "Saber at patch", "stinker-1"),
    Position("NO-VATK-2", "A . s", "b1", "stinker-1"),
    Position("NO-VATK-2", "A|s", "stays", "stinker-1"),
    # With what
    Position("NO-VATK-6", "A s .", "Saber at patch", "stinker-1"),
    Position("NO-VATK-6", "A b .", "Fangs at patch", "bayou-bitter-1"),
    Position("NO-VATK-6", "A . . b", "Spit Venom at patch", "bayou-bitter-1"),
    Position("NO-VATK-6", "A p", "Tooth and Claw at patch", "pistoleer-1"),
    # Cornered
    Position(
        "NO-PWR-5",
        """
        B .
        A b
        """,
        "Fangs at patch",
        "bayou-bitter-1",
    ),
    Position(
        "NO-PWR-5",
        """
        B . A
        . b .
        """,
        "patch, murray",
        "bayou-bitter-1",
    ),
    Position("NO-PWR-5", "A|b . B", "Spit Venom at murray", "bayou-bitter-1"),
    # Precision
    Position("NO-PWR-16", "A . . p", "Pistols at patch", "pistoleer-1"),
    Position("NO-PWR-16", "A . . . . . p", "f1", "pistoleer-1"),
    Position(
        "NO-PWR-16",
        """
        A . : . p
        . . . . .
        """,
        "d2",
        "pistoleer-1",
    ),
    Position("NO-AMB-63", "A t . p . . . B", "Pistols at murray", "pistoleer-1"),
    Position(
        "NO-AMB-63",
        """
        . . . . .
        A . t p .
        . . . . .
        """,
        "d1, d3",
        "pistoleer-1",
    ),
    Position(
        "NO-AMB-63",
        """
        : : : : :
        A : : p :
        : : : : :
        """,
        "c1, c2, c3",
        "pistoleer-1",
        under={"a2": ":"},
    ),
    # Glider
    Position(
        "NO-PWR-12",
        """
        A . . . x .
        . . . . . .
        """,
        "c1, c2",
        "mort",
    ),
    Position(
        "NO-AMB-65",
        """
        A . # # . .
        . . # # . .
        . . . . x .
        . . . . . .
        """,
        "c3",
        "mort",
    ),
    Position(
        "NO-AMB-88",
        """
        A . . .|x .
        . . . .|. .
        . . . . . .
        . . . . . .
        """,
        "e2, e3, e4",
        "mort",
    ),
    Position(
        "NO-PWR-12",
        """
        A . t . . x
        . . ~ . . .
        """,
        "c2",
        "mort",
    ),
    # Large
    Position(
        "NO-PWR-13",
        """
        A . . . v +
        . . . . + +
        """,
        "c1",
        "viceroy",
    ),
    Position(
        "NO-LARGE-2",
        """
        A . . # v +
        . . . . + +
        """,
        "c1",
        "viceroy",
    ),
    Position(
        "NO-LARGE-2",
        """
        A . . # v +
        . . . # + +
        """,
        "stays",
        "viceroy",
    ),
    Position(
        "NO-LARGE-3",
        """
        A . . s v +
        . . . . + +
        . . . . . .
        . . . . . .
        """,
        "d2, e3",
        "viceroy",
    ),
    Position(
        "NO-LARGE-3",
        """
        A . v +
        . . + +
        . s . .
        """,
        "stinker-1, viceroy",
    ),
    # Swarming
    Position("NO-PWR-21", "A m .", "a1", "mosquito-1"),
    Position("NO-PWR-21", "A p m", "b1", "mosquito-1"),
    Position("NO-PWR-21", "A . .", "Stinging Bite at patch", "mosquito-1", about={"mosquito-1": {"at": "a1"}}),
    Position(
        "NO-PWR-21",
        """
        A . .
        # # p
        . . m
        """,
        "c2",
        "mosquito-1",
    ),
    Position(
        "NO-HIDE-3",
        """
        A . .
        # # p
        . . ?
        """,
        "stays",
        "unknown-1",
    ),
    # Nobody can be reached
    Position("NO-AMB-83", "A|. s", "b1", "stinker-1"),
    Position(
        "NO-AMB-83",
        """
        .|. .
        A|. s
        .|. .
        """,
        "b1, b2, b3",
        "stinker-1",
    ),
    Position("NO-AMB-83", "A|s .", "stays", "stinker-1"),
    Position(
        "NO-AMB-83",
        """
        . .|. A
        . .|. .
        s .|. .
        """,
        "a2, b2, b3",
        "stinker-1",
    ),
    # Beside a hero, across a corner
    Position(
        "NO-AMB-98",
        """
        A .
        . s
        """,
        "a2, b1",
        "stinker-1",
    ),
    Position(
        "NO-AMB-98",
        """
        A p
        . s
        """,
        "a2",
        "stinker-1",
    ),
    Position(
        "NO-AMB-98",
        """
        A p
        q s
        """,
        "stays",
        "stinker-1",
    ),
    # Instead of all that
    Position("NO-AMB-30", "A . . p", "reloads", "pistoleer-1", about={"pistoleer-1": {"empty": 2}}),
    Position("NO-AMB-30", "A p", "Tooth and Claw at patch", "pistoleer-1", about={"pistoleer-1": {"empty": 2}}),
    Position("NO-AMB-30", "A . . . . . p", "f1", "pistoleer-1", about={"pistoleer-1": {"empty": 2}}),
    Position("NO-AMB-29", "A s", "unstuns", "stinker-1", about={"stinker-1": {"stunned": True}}),
]


def named(case: Position) -> str:
    return f"{case.title}: {case.right}"


@pytest.mark.parametrize("case", QUIZ, ids=named)
def test_all_right_answers_and_no_other(case: Position) -> None:
    wanted = set(case.right.split(", "))
    assert wanted == answers(state_of(case, backwards=False), case.who)


@pytest.mark.parametrize("case", QUIZ, ids=named)
def test_the_order_of_figures_does_not_matter(case: Position) -> None:
    forward, backward = state_of(case, backwards=False), state_of(case, backwards=True)
    assert [one.name for one in forward.vermin] == [one.name for one in backward.vermin]
    assert answers(forward, case.who) == answers(backward, case.who)


@pytest.mark.parametrize(
    ("numbers", "right"),
    [
        pytest.param([(6, 9), (5, 8)], 1, id="the lower Wound Value"),
        pytest.param([(9, 8), (5, 9)], 0, id="the lower Wound Value, whatever stuns"),
        pytest.param([(7, 8), (5, 8)], 1, id="of equal ones, the lower Stun Value"),
        pytest.param([(5, 8), (5, 8)], 0, id="of equal ones, the first"),
        pytest.param([(5, 2), (ALWAYS, ALWAYS)], 1, id="what always hits"),
    ],
)
def test_the_sharper_attack(numbers: list[tuple[int, int]], right: int) -> None:
    """NO-VATK-6, with values that no two attacks of one card have."""
    arms = [Arm(f"arm-{at}", "Arm", -1, 1, 1, stun, wound, "", True, at) for at, (stun, wound) in enumerate(numbers)]
    assert arms[right] == best_arm([Strike("patch", arm) for arm in arms], "patch")
