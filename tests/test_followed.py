"""Playthroughs on maps: a plan of each step, of which all that looks the same is drawn once; ways, and reasons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, islice
from random import Random
from typing import Any

import pytest
from games_for_tests import bundled_game

from grimalkin.content import Game
from grimalkin.engine.chance import Seeded
from grimalkin.engine.pictures import find_picture
from grimalkin.engine.replay import Script, replay
from grimalkin.engine.words import OVER, Event
from grimalkin.site.pages.examples import StepView
from grimalkin.site.pages.plan_drawing import shared
from grimalkin.site.pages.plans import Follower, Plans, changed_squares, moves
from grimalkin.site.pages.templates import environment, load_words

STREET: dict[str, Any] = {
    "options": {"scenario": "streets"},
    "seats": {"Ada": {}},
    "heroes": {"patch": {"at": "c4"}, "minou": {"at": "d6"}},
    "vermin": {"pistoleer-1": {"at": "n3"}},
}


@pytest.fixture(scope="module")
def game() -> Game:
    return bundled_game("cats-of-new-orleans")


@pytest.fixture
def follower(game: Game) -> Follower:
    return Follower(Plans(game, load_words()))


def put(**heroes: str) -> dict[str, Any]:
    """The street with heroes elsewhere."""
    return STREET | {"heroes": STREET["heroes"] | {name: {"at": square} for name, square in heroes.items()}}


def ways(game: Game, before: dict[str, Any], after: dict[str, Any], *events: Event) -> list[tuple[str, list[str]]]:
    assert game.module is not None
    picture = find_picture(game.module)
    assert picture is not None
    first, last = picture(game.facts, before, {}), picture(game.facts, after, {})
    assert first is not None and last is not None
    return [(figure.name, way) for figure, way in moves(first, last, events)]


def step(name: str, stood: str, at: str) -> Event:
    return Event("NO-MOVE-2", "It goes.", facts={"hero": name, "at": at, "stood": stood})


# Plans


def test_a_step_after_which_the_map_looks_the_same_has_no_plan(follower: Follower) -> None:
    """Neither has one in which only AP are spent, nor one before anybody is there."""
    plans = [follower.plan(position) for position in ({}, STREET, STREET, put(patch="d4"), put(patch="d4"))]

    assert [bool(plan) for plan in plans] == [False, True, False, True, False]


def test_the_map_and_every_figure_are_drawn_once(game: Game, follower: Follower) -> None:
    """Twenty plans refer to one board and three figures; the ground is no part of any."""
    plans = "".join(follower.plan(put(patch=square)) for _ in range(10) for square in ("c4", "d4"))

    assert plans.count("<svg") == 20
    assert "ground-" not in plans
    assert len(re.findall("<g id=", follower.shared)) == 4
    assert set(re.findall(r'href="#([bf]\d+)"', plans)) == set(re.findall(r'<g id="([^"]+)"', follower.shared))


def test_whatever_is_referred_to_is_on_the_page(game: Game, follower: Follower) -> None:
    page = "".join(follower.plan(put(patch=square)) for square in ("c4", "d4")) + follower.shared + follower.empty
    page += shared(game, page, str)

    assert set(re.findall(r'(?:href="#|url\(#)([\w-]+)', page)) <= set(re.findall(r'id="([\w-]+)"', page))


def test_a_plan_tells_who_has_moved_and_where_everybody_is(follower: Follower) -> None:
    follower.plan(STREET)

    told = re.findall('aria-label="([^"]*)"', follower.plan(put(patch="d4")))

    assert told == ["Patch from c4 to d4. Rampart Street, a1 to r10. Patch on d4, Minou on d6, Pistoleer 1 on n3."]


def test_what_has_moved_is_in_the_middle(follower: Follower) -> None:
    """Of a way that is longer than a phone is wide, its end is; the plan in the text is cut to the way."""
    follower.plan(STREET)
    short = follower.plan(put(patch="e4"))
    far = follower.plan(put(patch="q6"))

    assert re.findall('data-at="([^"]*)"', short + far) == ["35 35", "165 55"]
    assert 'viewBox="-5 5 ' in short


def evening(game: Game, scenario: str, seed: int) -> Iterator[tuple[dict[str, Any], tuple[Event, ...]]]:
    """The positions of a game by chance, each with what led to it."""
    assert game.module is not None
    random = Random(seed)
    state = game.module.start(game.facts, ("Ada", "Basil"), {"scenario": scenario}, Seeded(seed), [])
    while state.to_act() != OVER:
        events: list[Event] = []
        turn = state.to_act(), state.turn_key()
        while (state.to_act(), state.turn_key()) == turn and (not events or random.random() < 0.7):
            state.apply(random.choice(list(state.legal())), events)
        yield dict(state.position()), tuple(events)


@pytest.mark.slow("plays an evening")
def test_a_long_evening_on_a_large_map_is_light(game: Game, follower: Follower) -> None:
    """Eighty steps on 24 x 10 squares: 100 KB of plans at most, and a sixth of that for what they share."""
    steps = chain.from_iterable(evening(game, "hijacked", seed) for seed in range(5))
    plans = list(islice(filter(None, (follower.plan(*step) for step in steps)), 80))
    parts = follower.shared + follower.empty
    parts += shared(game, parts, str)

    assert len(plans) == 80
    assert max(map(len, plans)) < 2_500
    assert len("".join(plans)) < 100_000
    assert len(parts) < 17_000


# Ways


def test_a_way_goes_through_the_squares_that_events_tell(game: Game) -> None:
    events = (step("patch", "c4", "d4"), step("patch", "d4", "d5"), step("minou", "d6", "d7"))

    assert ways(game, STREET, put(patch="d5"), *events) == [("patch", ["c4", "d4", "d5"])]


def test_a_way_that_is_not_told_to_its_end_is_straight(game: Game) -> None:
    assert ways(game, STREET, put(patch="e5"), step("patch", "c4", "d4")) == [("patch", ["c4", "e5"])]


def test_a_search_is_no_step(game: Game) -> None:
    """Where something is done is told by `at` too, but not where the figure stood."""
    search = Event("NO-ACT-10", "Patch searches c5.", facts={"hero": "patch", "at": "c5"})

    assert ways(game, STREET, put(patch="d4"), search, step("patch", "c4", "d4")) == [("patch", ["c4", "d4"])]


def test_who_gets_another_name_has_come_from_where_it_stood(game: Game) -> None:
    def lies(name: str, square: str) -> dict[str, Any]:
        return STREET | {"vermin": {name: {"at": square, "is": "marker-bayou-mosquito"}}}

    after = STREET | {"vermin": {"mosquito-1": {"at": "h7"}}}
    goes = Event("NO-VERM-2", "", facts={"vermin": "unknown-1", "at": "h7", "stood": "i7"})
    seen = Event("NO-HIDE-5", "", facts={"vermin": "mosquito-1", "was": "unknown-1"})

    assert ways(game, lies("unknown-1", "i7"), after, goes, seen) == [("mosquito-1", ["i7", "h7"])]


def test_the_engine_tells_of_every_step_where_it_began(game: Game) -> None:
    """Patch and then the pistoleer, who comes closer by one."""
    assert game.module is not None
    script = Script("NO-EX-1", STREET, ("Ada",), {}, ({"Ada": "patch: stride d4 e4 f4; end"},), {})

    (played,) = replay(game.module, game.facts, script).steps

    assert ways(game, STREET, dict(played.position), *played.events) == [("patch", ["c4", "d4", "e4", "f4"])]


def test_straight_parts_of_a_way_are_one_line(follower: Follower) -> None:
    follower.plan(STREET)

    plan = follower.plan(
        put(patch="e5"), (step("patch", "c4", "d4"), step("patch", "d4", "e4"), step("patch", "e4", "e5"))
    )

    assert '<path class="line moved" d="M25 35L45 35L45 45"/>' in plan


def test_a_door_and_a_token_make_a_difference(game: Game) -> None:
    assert game.module is not None
    picture = find_picture(game.module)
    assert picture is not None
    before = picture(game.facts, STREET, {})
    after = picture(game.facts, STREET | {"doors": {"c3s": "open"}, "stinkbombs": ["h5"]}, {})
    assert before is not None and after is not None

    assert list(changed_squares(before, after, ())) == ["c3", "h5"]


# Reasons


@pytest.mark.parametrize(
    ("events", "reasons", "happened"),
    [
        (("wakes", "why", "goes"), {1}, [("wakes", ()), ("goes", ("why",))]),
        (("one", "two", "goes", "three", "stays"), {0, 1, 3}, [("goes", ("one", "two")), ("stays", ("three",))]),
        (("wakes", "why"), {1}, [("wakes", ("why",))]),
        (("why", "why too"), {0, 1}, [("why", ("why too",))]),
        (("goes",), set(), [("goes", ())]),
    ],
)
def test_reasons_stand_with_what_they_led_to(
    events: tuple[str, ...], reasons: set[int], happened: list[tuple[str, tuple[str, ...]]]
) -> None:
    """What led to nothing in this step stands with what was before: the group is asked, and answers in the next one."""
    assert list(StepView(events=events, reasons=frozenset(reasons)).happened) == happened


def test_an_event_that_counts_candidates_is_a_reason() -> None:
    counted = {"before": 4, "after": 1, "value": 3, "left": ("Patch",)}

    assert Event("NO-VERM-3", "Closest hero: Patch, 3 moves.", facts=counted).is_reason
    assert not Event("WK-ACT-1", "Ada pays.", facts={"before": 4, "after": 1}).is_reason


@pytest.fixture
def why() -> Callable[..., str]:
    template = "{% from 'parts.md.j2' import why with context %}{{ why(reasons) }}"
    return lambda *reasons: environment().from_string(template).render(reasons=reasons)


def test_many_reasons_are_folded(why: Callable[..., str]) -> None:
    assert why("one", "two").startswith('<details class="why" open>')
    assert why("one", "two", "three").startswith('<details class="why"><summary>Why</summary> <ul><li>one</li>')
