"""The odds of The Cats of New Orleans: against the engine, which plays an attack with all cards that can come."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple, TypeVar

import pytest
from cats_yard import FACTS, record_of, whole, yard

from grimalkin.engine.chance import Seeded
from grimalkin.engine.odds import Answer, Case, Expected, Odds, find_odds, read_cards
from grimalkin.engine.words import Event
from grimalkin.games import cats_of_new_orleans
from grimalkin.games.cats_of_new_orleans import load
from grimalkin.games.cats_of_new_orleans.attack import open_fight
from grimalkin.games.cats_of_new_orleans.box import Box, box_of
from grimalkin.games.cats_of_new_orleans.figures import find_figure
from grimalkin.games.cats_of_new_orleans.moves import asked, reply, run
from grimalkin.games.cats_of_new_orleans.players.odds import (
    answer_to,
    arms_with,
    attackers_of,
    expected,
    marks_of,
    odds,
)
from grimalkin.games.cats_of_new_orleans.players.outcomes import AVERAGE, Draws, Kind, Known, _Walk, chance_of
from grimalkin.games.cats_of_new_orleans.state import State
from grimalkin.games.cats_of_new_orleans.table import Hero

T = TypeVar("T")


@cache
def the_odds() -> Odds:
    return odds(FACTS)


@cache
def the_box() -> Box:
    return box_of(FACTS)


@cache
def marks() -> dict[str, Any]:
    return {mark.target.id: mark for mark in marks_of(the_box())}


@cache
def attackers() -> dict[str, Any]:
    return {one.attempt.id: one for one in attackers_of(the_box(), tuple(marks().values()))}


def numbers(attempt: str, target: str, *, held: Sequence[str] = (), **more: Any) -> dict[str, Fraction]:
    """The answer to a case, by name; with a card of the hand the best that can be done with it."""
    found = the_odds().answer(Case(attempt, target, held=tuple(held), **more))
    return {one.what: one.value for one in (found.held if held else found.numbers)}


# The engine as it plays


class Fork(Exception):
    """Chance or the party must choose one of so many, and the way ends here."""

    def __init__(self, count: int, is_chance: bool) -> None:
        self.count, self.is_chance = count, is_chance


class Way:
    """What chance gives and the party chooses, as numbers, in the order in which they are asked for."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.left = list(numbers)

    def choose(self, count: int, is_chance: bool) -> int:
        if not self.left:
            raise Fork(count, is_chance)
        return self.left.pop(0)

    def pick(self, _label: str, pool: Sequence[T]) -> T:
        return pool[self.choose(len(pool), True)]

    def take(self, label: str, pool: list[T]) -> T:
        return pool.pop(pool.index(self.pick(label, pool)))

    def clone(self) -> Way:
        return Way(self.left)


class Scene(NamedTuple):
    """An attack in the yard, before its first draw."""

    state: State
    by: str
    attack: str
    at: str


def scene(attempt: str, *lines: str, known: Known | None = None) -> Scene:
    """The attacker stands first in the lines, the target second."""
    state = load(yard(), record_of([line for line in lines if line]))
    if known is not None:
        state.deck, state.discard, state.hand = map(list, known)
    by, at = (line.split()[0] for line in lines[:2])
    return Scene(state, by, attempt, at)


class Came(NamedTuple):
    """What came of an attack."""

    stun: bool
    wounds: int
    lives: int
    gone: bool


def played(one: Scene, way: Any) -> Came:
    """The attack as the engine plays it. For an ace nobody takes a card."""
    state = one.state.clone()
    state.chance, state.log = way, []
    by = find_figure(state, one.by)
    assert by is not None
    arm = attackers()[one.attack].arm
    open_fight(state, by, arm, one.at)
    run(state)
    while (question := asked(state)) is not None and question[0] in ("cheat", "ace"):
        moves = question[2]
        index = moves.index(("pass",)) if question[0] == "ace" else choice(way, len(moves))
        reply(state, moves[index])
        run(state)
    at = find_figure(state, one.at)
    wounds = [event for event in state.log if event.rule in ("NO-HIT-5", "NO-VATK-9")]
    return Came(
        any(event.rule in ("NO-HIT-7", "NO-HIT-8", "NO-VATK-8") for event in state.log),
        len(wounds) if isinstance(at, Hero) else sum(_number(event, "wounds") for event in wounds),
        sum(_number(event, "lost") for event in wounds) if isinstance(at, Hero) else 0,
        at is None or (isinstance(at, Hero) and at.at < 0),
    )


def choice(way: Any, count: int) -> int:
    return way.choose(count, False) if isinstance(way, Way) else 0


def _number(event: Event, name: str) -> int:
    found = event.facts[name]
    assert isinstance(found, int)
    return found


def brute(one: Scene, goal: Callable[[Came], int], best: Callable[[list[Fraction]], Fraction] = max) -> Fraction:
    """All that can come is played: chance gives each card as often as another, the party does what is best."""

    def value(way: list[int]) -> Fraction:
        try:
            return Fraction(goal(played(one, Way(way))))
        except Fork as fork:
            values = [value([*way, n]) for n in range(fork.count)]
            return sum(values, Fraction(0)) / fork.count if fork.is_chance else best(values)

    return value([])


def cards(text: str) -> tuple[int, ...]:
    return tuple(the_box().numbers[whole(word)] for word in text.split())


GOALS: Mapping[str, Callable[[Came], int]] = {
    "Stun": lambda came: came.stun,
    "Wound": lambda came: came.wounds >= 1,
    "2 Wounds or more": lambda came: came.wounds >= 2,
    "3 Wounds or more": lambda came: came.wounds >= 3,
    "4 Wounds or more": lambda came: came.wounds >= 4,
    "Wounds": lambda came: came.wounds,
    "Lives": lambda came: came.lives,
    "Eliminated": lambda came: came.gone,
}
PEPPERBOX = "minou c3 weapons pepperbox"
SMALL = {
    "two draws": ("pepperbox", PEPPERBOX, "rat-king c4", "5h Qs 3c Ad 8h", ""),
    "a Joker brings the discard back": (
        "pepperbox",
        PEPPERBOX,
        "rat-king c4",
        "5h Qs 3c red-joker black-joker",
        "Kh 2c",
    ),
    "the last card of the deck": ("pepperbox", PEPPERBOX, "rat-king c4", "5h", "Qs 3c Ad"),
    "stunned already": ("pepperbox", PEPPERBOX, "rat-king c4 stunned", "5h Qs 7c Ad 8h 2d", ""),
    "three draws": ("belaying-pins", "minou c3 weapons belaying-pins", "rat-king c4", "5h Qs 8c black-joker Jh", "2c"),
    "a dodge": ("pepperbox", PEPPERBOX, "george-burr c4", "5h Qs 3c 9d red-joker 10h", "Jd"),
    "a dodge with the deck empty": ("pepperbox", PEPPERBOX, "george-burr c4", "5h Qs", "10d 2c"),
    "no dodge while stunned": ("pepperbox", PEPPERBOX, "george-burr c4 stunned", "5h Qs 3c 9d 10h", ""),
    "no Stun": ("pepperbox", PEPPERBOX, "croc c4", "5h Qs 3c 9d 10h", ""),
    "Shell-Armor": ("pepperbox", PEPPERBOX, "viceroy c4", "7h Qs Jc 9d 10h", ""),
    "a Stun eliminates": ("pepperbox", PEPPERBOX, "mosquito-1 c4", "5h Qs 3c Ad 2h 4h", ""),
    "a Wound eliminates": ("pepperbox", PEPPERBOX, "pistoleer-1 c4", "5h Qs 3c Ad 2h 4h", ""),
    "two Wounds eliminate": ("pepperbox", PEPPERBOX, "stinker-1 c4", "5h Qs 3c Ad Jh 4h", ""),
    "a Stun is a Wound": ("buffalo-rifle", "minou c3 weapons buffalo-rifle", "rat-king f3", "5h Qs 3c Ad 8h", ""),
    "frenzy": ("roux-poubelle-razorblade", "roux-poubelle c4", "patch c3", "5h Qs 4c Ad black-joker 9h", "Kh"),
    "frenzy with equal cards": (
        "roux-poubelle-razorblade",
        "roux-poubelle c4",
        "patch c3",
        "Kh red-joker Ad black-joker",
        "4h",
    ),
    "a Joker of the discard": (
        "volley-gun",
        "minou c3 weapons volley-gun",
        "rat-king f3",
        "5h",
        "red-joker Qs 3c",
    ),
    "three times two cards": ("psycho-cutlass", "rat-king c4 aspect psycho", "patch c3", "Ad black-joker Qs 3c 7h", ""),
    "a hero": ("croc-jaws", "croc c4", "patch c3", "9c 9h Qs 3c red-joker", "Ac"),
    "a hero who is easy to hit": ("croc-jaws", "croc c4", "minou c3", "8c 8h Qs 3c Ad", ""),
    "what always hits": ("bayou-mosquitos-stinging-bite", "mosquito-1 c3", "patch c3", "9c Ah Qs 3d Ad", ""),
}
"""Attack, attacker, target, and few cards: those to come, and those in the discard."""
TARGETS = {"mosquito-1": "bayou-mosquitos", "pistoleer-1": "pistoleers", "stinker-1": "stinkers"}


def small(name: str, hand: str = "") -> tuple[Scene, Answer]:
    attempt, by, at, deck, discard = SMALL[name]
    known = Known(cards(deck), cards(discard), cards(hand))
    word, *_, last = at.split()
    case = Case(attempt, TARGETS.get(word, word), circumstances=("stunned",) if last == "stunned" else ())
    return scene(attempt, by, at, known=known), answer_to(
        the_box(), attackers()[attempt], marks()[case.target], known, case
    )


@pytest.mark.slow("counts many attacks")
@pytest.mark.parametrize("name", SMALL)
def test_every_number_is_what_the_engine_plays(name: str) -> None:
    """Few cards, all orders in which they can come, each number by itself."""
    one, answer = small(name)
    told = compared(name, answer.numbers)

    assert told == {what: brute(one, GOALS[what]) for what in told}


def compared(name: str, numbers: Sequence[Expected]) -> dict[str, Fraction]:
    """What can be seen of an attack: on whom a Stun eliminates no Wound is put, though cards may have brought one."""
    seen = ("Stun", "Eliminated") if name == "a Stun eliminates" else tuple(GOALS)
    return {number.what: number.value for number in numbers if number.what in seen}


WITH_HAND = {
    "two draws": ["Qh", "5d", "2d"],
    "a Joker brings the discard back": ["Qh", "Ad"],
    "three draws": ["Qh"],
    "a dodge": ["Qh"],
    "a Stun eliminates": ["5d"],
    "two Wounds eliminate": ["Qh", "Qh 2d"],
    "frenzy": ["2d"],
    "a hero": ["2d", "9d"],
    "a hero who is easy to hit": ["Ah"],
}
"""Cards of the party hand, for some of them."""


@pytest.mark.slow("counts many attacks")
@pytest.mark.parametrize(("name", "hand"), [(name, hand) for name, hands in WITH_HAND.items() for hand in hands])
def test_cards_of_the_hand_are_used_as_is_best(name: str, hand: str) -> None:
    """The party sees each card before it cheats, and each number is asked for by itself."""
    one, answer = small(name, hand)
    best = min if answer.numbers[-1].what == "Lives" or one.attack.startswith("roux") else max
    told = compared(name, answer.held)

    assert told == {what: brute(one, GOALS[what], best) for what in told}


MANY = {
    "twin-revolvers": ("minou c3 weapons twin-revolvers", "george-burr c4", ()),
    "volley-gun": ("minou c3 weapons volley-gun", "rat-king f3 vulnerable", ("vulnerable",)),
    "psycho-cutlass": ("rat-king c4 aspect psycho", "patch c3", ()),
}


@pytest.mark.slow("counts many attacks")
@pytest.mark.parametrize("attempt", MANY)
def test_odds_agree_with_many_attacks_from_the_whole_deck(attempt: str) -> None:
    """Of 3000 attacks that a seed has drawn, as many come off as should; at most four deviations away."""
    by, at, circumstances = MANY[attempt]
    one = scene(attempt, by, at)
    chance, tries = Seeded(f"odds {attempt}"), 3000
    came = [played(one, chance) for _ in range(tries)]
    for what, share in numbers(attempt, at.split()[0], circumstances=circumstances).items():
        if what in GOALS and what not in ("Wounds", "Lives"):
            margin = 4 * float(share * (1 - share) / tries) ** 0.5

            assert sum(map(GOALS[what], came)) / tries == pytest.approx(float(share), abs=margin), what


# Facts of single cases


def test_chances_of_so_many_wounds_add_up_to_their_average() -> None:
    for attempt in the_odds().attempts:
        for target in attempt.targets[::4]:
            found = numbers(attempt.id, target)

            assert found["Wounds"] == sum(found[what] for what in the_odds().areas if what in found)


def test_averages_are_odds_without_anything() -> None:
    """What pages about pieces tell is the same number."""
    for attempt in the_odds().attempts:
        target = "rat-king" if "rat-king" in attempt.targets else "patch"
        told = numbers(attempt.id, target)
        name = attackers()[attempt.id].arm.name
        of_piece = {one.what: one.value for one in expected(FACTS, attempt.piece) if one.of == name}

        assert of_piece == {"Stuns": told["Stun"], "Wounds": told["Wounds"]}


def test_more_is_never_worse() -> None:
    for attempt in the_odds().attempts:
        found = [numbers(attempt.id, attempt.targets[0], modifier=n) for n in the_odds().modifiers]

        for what in found[0]:
            assert [one[what] for one in found] == sorted(one[what] for one in found)


@pytest.mark.parametrize(
    ("attempt", "target", "circumstances", "modifier", "rules"),
    [
        ("pepperbox", "pistoleers", ("hindered", "vulnerable"), -1, ["NO-DRM-1", "NO-DRM-3"]),
        ("pepperbox", "viceroy", ("stunned",), 1, ["NO-PWR-18", "NO-DRM-2"]),
        ("squirrel-rifle", "pistoleers", ("hindered",), 0, []),
        ("oyster-knife", "croc", ("wounded",), 2, ["NO-LOOT-14"]),
        ("odile", "croc", ("wounded",), -1, ["NO-CHR-7"]),
        ("pepperbox", "croc", ("wounded", "stinkbomb"), -3, ["NO-PWR-20"]),
        ("stinkers-saber", "patch", ("stinkbomb",), 0, []),
        ("croc-jaws", "minou", (), 1, ["NO-CHR-7"]),
    ],
)
def test_what_is_added(
    attempt: str, target: str, circumstances: tuple[str, ...], modifier: int, rules: list[str]
) -> None:
    found = the_odds().answer(Case(attempt, target, circumstances=circumstances))

    assert modifier == found.modifier
    assert rules == [rule for rule, _ in found.added]


def test_who_cannot_be_stunned() -> None:
    """Croc never, Mort on hard, and nobody twice."""
    assert numbers("pepperbox", "croc")["Stun"] == 0
    assert numbers("pepperbox", "mort")["Stun"] > 0 == numbers("pepperbox", "mort", circumstances=("hard",))["Stun"]
    assert numbers("pepperbox", "stinkers", circumstances=("hard",))["Stun"] > 0
    assert numbers("pepperbox", "stinkers", circumstances=("stunned",))["Stun"] == 0


def test_nobody_dodges_an_area() -> None:
    """Blunderbuss: one draw, 10+ wounds. 10 to Queen are 12 cards of 50, and the red Joker."""
    assert numbers("blunderbuss", "george-burr")["Wounds"] == Fraction(13, 50)


def test_one_draw_and_a_dodge_by_hand() -> None:
    """Cavalry Saber: 7+ wounds. Of 50 cards 25 do; a Joker is back in the deck before the flip, which fails on 9+."""
    high, red = 16, 1
    middle = Fraction(8, 50) * Fraction(49 - high - red, 49)
    hits = Fraction(high, 50) * Fraction(49 - (high - 1) - red, 49) + Fraction(red, 50) * Fraction(50 - high - red, 50)

    assert numbers("cavalry-saber", "george-burr")["Wounds"] == middle + hits


def test_a_card_that_hits_is_a_sure_hit() -> None:
    """A 10 of the hand is the last card, if none before it wounded; the 9 is not enough."""
    plain, ten, nine = (numbers("pepperbox", "pistoleers", held=held) for held in ([], ["10"], ["9"]))

    assert ten["Wound"] == ten["Eliminated"] == 1 > plain["Eliminated"]
    assert nine["Wound"] < Fraction(1, 2) < nine["Stun"] == 1


def test_cards_that_were_seen_do_not_come() -> None:
    """With all 40 cards of 3 to Queen in the discard, 2s, aces and Jokers are left. Jokers bring the others back."""
    seen = tuple(
        card.id for card in the_odds().cards for _ in range(4) if card.id in {*map(str, range(3, 11)), "J", "Q"}
    )
    found = numbers("cavalry-saber", "rat-king", seen=seen)

    assert len(seen) == 40
    assert found["Stun"] == Fraction(1, 10)  # the red Joker


def test_an_ace_misses_whatever_is_added() -> None:
    """And so does the black Joker: 5 of 50 cards. With 6 less, only 11, Queen and the red Joker reach a 5."""
    assert numbers("cavalry-saber", "rat-king", modifier=13)["Stun"] == Fraction(45, 50)
    assert numbers("cavalry-saber", "rat-king", modifier=-6)["Stun"] == Fraction(9, 50)


def test_health_that_is_left() -> None:
    one = numbers("pepperbox", "croc", left=1)

    assert one["Eliminated"] == one["Wound"]
    assert numbers("croc-jaws", "patch", left=1)["Out"] == numbers("croc-jaws", "patch")["Wound"]


def test_two_ways_of_counting_are_one() -> None:
    """Without a hand nothing is chosen, and ways may be followed from the first draw on, or back from the last one."""
    kinds = (Kind(1, 0, False, False), Kind(2, 0, False, False), Kind(7, 1, False, False), Kind(9, 1, False, True))
    kinds = (*kinds, Kind(13, 1, True, True))
    for goal in (AVERAGE, 1, 2, 3):
        draws = Draws(kinds, (4, 20, 8, 16, 1), (0, 2, 1, 0, 0), (0,) * 5, 3, goal=goal)

        assert chance_of(draws) == _Walk(draws).whole()


# What can be asked


def test_every_attack_and_every_foe_is_there() -> None:
    with_arms = [piece for piece in FACTS["components"] if arms_with(the_box(), piece)]

    assert sorted(with_arms) == sorted({one.piece for one in the_odds().attempts})
    assert {one.piece for one in the_odds().targets} >= {
        id_ for id_, one in FACTS["components"].items() if one.get("health")
    }
    assert all({*one.targets} <= {target.id for target in the_odds().targets} for one in the_odds().attempts)


def test_targets_that_are_alike_stand_together() -> None:
    found = the_odds().alike(the_odds().attempts_of("pepperbox")[0])

    assert ["mort", "roux-poubelle"] in [[one.id for one in several] for several in found]
    assert ["bayou-bitters-fangs", "bayou-bitters-spit-venom"] == [
        one.id for one in the_odds().attempts_of("bayou-bitters")
    ]
    for several in found:
        assert len({tuple(numbers("pepperbox", one.id).values()) for one in several}) == 1


def test_cards_are_read() -> None:
    assert read_cards(the_odds(), ["9", "9H", "ace-of-spades", "qd", "red-joker"]) == (
        ("9", "9", "A", "Q", "red-joker"),
        [],
    )


@pytest.mark.parametrize(
    ("words", "held", "because"),
    [
        (["eleven"], False, 'there is no card "eleven"'),
        (["9h", "9H"], False, "9H is named twice"),
        (["2"] * 5, False, "there are no more of 2"),
        (["K"], False, "King is not in the deck"),
        (["black-joker"], True, "Black joker cannot be held"),
    ],
)
def test_cards_that_are_not_there(words: list[str], held: bool, because: str) -> None:
    assert [one.because for one in read_cards(the_odds(), words, held=held)[1]] == [because]


def test_the_module_offers_them() -> None:
    assert find_odds(cats_of_new_orleans) is odds
    assert find_odds(None) is None
