"""The facts of Werecats: numbers of the rules, tables, and the cards that a game's content brings, in Turn Order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from grimalkin.engine.contract import Facts
from grimalkin.engine.shape import Misfit, Record, Whole

SEATS: Final = (2, 4)  # WC-PLAYERS-2, WC-AMB-2
CITY_SIZE: Final = 6  # WC-SETUP-3, WC-CITY-2, WC-CITY-3
START_FOOD: Final = 2  # WC-SETUP-1
SET_UP_FORCE: Final = 3  # WC-SETUP-4: villagers this strong do not stay in the first City
SCARED_IN: Final = 6  # WC-SCARE-1: how many villagers a Scare brings
REANIMATE_COST: Final = 2  # WC-PWR-7, food off the starting cat
EXTRA_COST: Final = 1  # WC-PWR-6, food off the starting cat
MOST_WERECATS: Final = 8  # WC-END-2, the starting cat counted
EVERY_JEWEL: Final = 5  # WC-END-3, WC-SCORE-3: colours
VILLAGER_POINTS: Final = 1  # WC-SCORE-1
HIGH_VALUE_POINTS: Final = 2  # WC-PWR-4
CREATED_POINTS: Final = 2  # WC-SCORE-2
EVERY_JEWEL_POINTS: Final = 10  # WC-SCORE-3
ONE_JEWEL_POINTS: Final = 3  # WC-SCORE-4, for each werecat of the colour

OPTIONS: Final = Record(
    {}, {"rounds": Whole(1, describe="The game ends with this round at the latest (default: no last round).")}
)

SIMULATION: Final[Mapping[str, Any]] = {"rounds": 40}
# A bound for boxes of up to 54 cards whose Corpulence is 4 at most. A werecat has one turn a round, of 5 small moves at
# most: eating and sharing 4 food out one by one; an extra action takes 4 (eat, again, eat, done), for no second power
# can be used. So a round has at most 5 moves for each werecat that is there at its end. The game goes on only while
# each of the 4 seats has 7 at most, so the first 39 rounds have at most 5 x 28 moves each, and the last one, in which
# any card may become a werecat, 5 x 54. Before the first round come 4 choices.
MOST_DECISIONS: Final = 4 + 39 * 5 * 28 + 5 * 54

CHOOSING, ACTING, MEAL, ENDED = range(4)
PHASES: Final = ("choosing", "acting", "meal", "over")

# A move is `verb | number of the card`; the verbs are multiples of 256.
EAT, CONVERT, DIVE, SCARE, REST, SHARE, DRAG, DRAW, AGAIN, REANIMATE, DONE, CHOOSE = range(0, 12 << 8, 1 << 8)
VERB_BITS: Final = ~255
CARD_BITS: Final = 255
ACTIONS: Final = {  # WC-ROUND-5, and to take none (WC-ROUND-4)
    EAT: "eat",
    CONVERT: "convert",
    DIVE: "dive",
    SCARE: "scare",
    REST: "rest",
}
NOBODY: Final = -1
NOTHING: Final = -1


class Power(NamedTuple):
    """A food power: the rule that gives it, its name, the small move that uses it, and its word."""

    rule: str
    name: str
    verb: int
    word: str


POWERS: Final[Mapping[str, Power]] = {  # WC-PWR-1, by the word in the content
    "sharing": Power("WC-PWR-2", "Sharing", SHARE, "share"),
    "pressure": Power("WC-PWR-3", "Peer Pressure", DRAG, "drag"),
    "value": Power("WC-PWR-4", "High Value", NOTHING, ""),  # WC-PWR-10: never asked for
    "draw": Power("WC-PWR-5", "Draw", DRAW, "draw"),
    "extra": Power("WC-PWR-6", "Extra Action", AGAIN, "again"),
    "reanimate": Power("WC-PWR-7", "ReAnimate", REANIMATE, "reanimate"),
}
POWER_OF_VERB: Final[Mapping[int, Power]] = {power.verb: power for power in POWERS.values() if power.word}
FOOD_LAST: Final = (SHARE, REANIMATE)  # WC-AMB-28: these are used before the food of the meal is received

LAWS: Final[Mapping[str, str]] = {
    "WC-PLAYERS-2": "SEATS",
    "WC-PLAYERS-3": "winners",
    "WC-CARD-1": "Cards",
    "WC-CARD-2": "Cards",
    "WC-CARD-3": "Cards",
    "WC-CARD-4": "Cards",
    "WC-CARD-5": "turn_order",
    "WC-CARD-6": "Cards",
    "WC-CARD-7": "POWERS",
    "WC-CARD-8": "Cards",
    "WC-CARD-9": "State._create",
    "WC-CARD-11": "Cards",
    "WC-SETUP-1": "State._choose",
    "WC-SETUP-2": "State._draw",
    "WC-SETUP-3": "State._lay_city",
    "WC-SETUP-4": "State._lay_city",
    "WC-SETUP-5": "State._fill_city",
    "WC-CITY-1": "State._why_not_there",
    "WC-CITY-2": "State._begin_round",
    "WC-CITY-3": "State._fill_empty_city",
    "WC-CITY-4": "State._fill_empty_city",
    "WC-ROUND-1": "State._begin_round",
    "WC-ROUND-2": "State._end_turn",
    "WC-ROUND-3": "State._end_turn",
    "WC-ROUND-4": "State._rest",
    "WC-ROUND-5": "ACTIONS",
    "WC-ROUND-6": "turn_order",
    "WC-FOOD-1": "State._spend",
    "WC-FOOD-2": "State._spend",
    "WC-FOOD-3": "State._receive",
    "WC-EAT-1": "State._why_not_eat",
    "WC-EAT-2": "State._spend",
    "WC-EAT-3": "State._eat",
    "WC-EAT-4": "State._receive",
    "WC-EAT-5": "State._why_not_power",
    "WC-PWR-1": "POWERS",
    "WC-PWR-2": "State._share",
    "WC-PWR-3": "State._drag",
    "WC-PWR-4": "villager_lines",
    "WC-PWR-5": "State._draw_one",
    "WC-PWR-6": "State._again",
    "WC-PWR-7": "State._reanimate",
    "WC-PWR-8": "State._why_not_power",
    "WC-PWR-9": "State._why_not_power",
    "WC-PWR-10": "villager_lines",
    "WC-CONV-1": "State._why_not_convert",
    "WC-CONV-2": "State._spend",
    "WC-CONV-3": "State._create",
    "WC-CONV-4": "State._convert",
    "WC-DIVE-1": "State._dive",
    "WC-SCARE-1": "State._scare",
    "WC-SCARE-2": "State._scare",
    "WC-SCARE-3": "State._why_not_scare",
    "WC-END-1": "State.ends",
    "WC-END-2": "State.ends",
    "WC-END-3": "State.ends",
    "WC-END-4": "State._end_round",
    "WC-SCORE-1": "villager_lines",
    "WC-SCORE-2": "created_lines",
    "WC-SCORE-3": "jewel_lines",
    "WC-SCORE-4": "jewel_lines",
    "WC-SCORE-5": "State.score",
    "WC-AMB-2": "SEATS",
    "WC-AMB-3": "winners",
    "WC-AMB-4": "SET_UP_FORCE",
    "WC-AMB-5": "State._lay_city",
    "WC-AMB-6": "State._scare",
    "WC-AMB-7": "State._create",
    "WC-AMB-8": "State._create",
    "WC-AMB-9": "State._draw",
    "WC-AMB-10": "State._end_round",
    "WC-AMB-11": "State._begin_round",
    "WC-AMB-12": "State._eat",
    "WC-AMB-13": "State._share",
    "WC-AMB-14": "State._again",
    "WC-AMB-15": "State._reanimate",
    "WC-AMB-16": "State.view",
    "WC-AMB-17": "jewel_lines",
    "WC-AMB-18": "card_misfits",
    "WC-AMB-19": "start",
    "WC-AMB-20": "card_misfits",
    "WC-AMB-21": "State._spend",
    "WC-AMB-22": "State._dive",
    "WC-AMB-25": "State.view",
    "WC-AMB-26": "State._fill_city",
    "WC-AMB-27": "OPTIONS",
    "WC-AMB-28": "FOOD_LAST",
    "WC-AMB-29": "State._fill_empty_city",
    "WC-AMB-30": "State._scare",
    "WC-AMB-31": "State.legal",
    "WC-AMB-32": "State._choose",
    "WC-AMB-33": "villager_lines",
}

REFUSALS: Final = frozenset(
    {
        "WC-SETUP-1",
        "WC-CITY-1",
        "WC-ROUND-4",
        "WC-EAT-1",
        "WC-EAT-5",
        "WC-PWR-2",
        "WC-PWR-3",
        "WC-PWR-6",
        "WC-PWR-7",
        "WC-PWR-8",
        "WC-PWR-9",
        "WC-CONV-1",
        "WC-SCARE-3",
        "WC-END-4",
        "WC-AMB-13",
    }
)


# Cards


class Cards(NamedTuple):
    """Every villager and starting cat in Turn Order, each fact as one tuple. A card's number is its place here."""

    ids: tuple[str, ...]
    names: tuple[str, ...]
    forces: tuple[int, ...]
    wills: tuple[int, ...]
    """0 for a starting cat, as for corpulences."""
    vigors: tuple[int, ...]
    corpulences: tuple[int, ...]
    orders: tuple[int, ...]
    reds: tuple[bool, ...]
    jewels: tuple[str, ...]
    """The family jewel's colour; empty for a starting cat."""
    powers: tuple[str, ...]
    """A word of POWERS, or empty."""
    counts: tuple[int, ...]


class Box:
    """What is the same in every game with the same cards: their facts, ready numbers, and the notation.

    Sets of cards are bit masks, the bit of a card being its number.
    """

    __slots__ = (
        "actions",
        "asks",
        "bits",
        "calm_actions",
        "cards",
        "colours",
        "convert_needs",
        "eat_needs",
        "high_value",
        "ids",
        "misfits",
        "moves",
        "numbers",
        "starting",
        "texts",
        "villagers",
        "with_jewel",
    )

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.ids = cards.ids
        self.misfits = tuple(card_misfits(cards))
        self.numbers = {id_: card for card, id_ in enumerate(cards.ids)}
        self.bits = tuple((1 << card, id_) for card, id_ in enumerate(cards.ids))
        self.colours = tuple(sorted({jewel for jewel in cards.jewels if jewel}))
        self.with_jewel = tuple(_mask(jewel == colour for jewel in cards.jewels) for colour in self.colours)
        self.starting = _mask(not jewel for jewel in cards.jewels)
        self.villagers = _mask(bool(jewel) for jewel in cards.jewels)
        self.high_value = _mask(power == "value" for power in cards.powers)
        self.eat_needs = tuple(force + 1 for force in cards.forces)  # WC-EAT-1: strictly more
        self.convert_needs = tuple(force + will + 1 for force, will in zip(cards.forces, cards.wills, strict=True))
        self.asks = tuple(POWERS[power].verb if power else NOTHING for power in cards.powers)
        self.actions = [DIVE, SCARE, REST]
        self.calm_actions = [DIVE, REST]  # WC-SCARE-3: the seat has scared the City in this round
        self.texts = dict(_every_text(cards.ids))
        self.moves = {text: move for move, text in self.texts.items()}


class Card(NamedTuple):
    """A villager or a starting cat as the content tells it. A starting cat has no jewel, no Will, no Corpulence."""

    id: str
    copies: int
    name: str
    force: int
    will: int | None
    vigor: int
    corpulence: int | None
    order: int
    red: bool | None
    jewel: str | None
    power: str | None


def turn_order(cards: Sequence[Card]) -> list[Card]:
    """The first to act first: low numbers before high ones (WC-CARD-5), and of two equal numbers the red border
    (WC-ROUND-6)."""
    return sorted(cards, key=lambda card: (card.order, not card.red))


def check_facts(facts: Facts) -> list[Misfit]:
    """What is wrong with the components as pieces of this game."""
    misfits = []
    for id_, card in facts["components"].items():
        if card.get("vigor") is not None:
            needed = ("force", "turn-order", *(("will", "corpulence", "red-border") if card.get("jewel") else ()))
            for column in needed:
                if card.get(column) is None:
                    message = f'the column "{column}" is empty'
                    misfits.append(Misfit(("components", id_), message, "every villager and starting cat has it"))
            if card.get("power") not in (None, *POWERS):
                known = ", ".join(POWERS)
                misfits.append(Misfit(("components", id_), f'no food power is called "{card["power"]}"', known))
    return misfits or list(box_of(facts).misfits)


def card_misfits(cards: Cards) -> Iterator[Misfit]:
    """What is wrong with a set of cards as pieces of this game."""
    seen: dict[tuple[int, bool], str] = {}
    for id_, count, order, red in zip(cards.ids, cards.counts, cards.orders, cards.reds, strict=True):
        if count != 1:
            yield Misfit(("components", id_), f"there are {count} of it", "each card of Werecats is there once")
        if (order, red) in seen:
            both = f"{seen[order, red]} has Turn Order {order} with the same border"
            yield Misfit(
                ("components", id_), both, "a number is there twice at most, once with a red border (WC-AMB-18)"
            )
        seen[order, red] = id_
    for id_, jewel, vigor in zip(cards.ids, cards.jewels, cards.vigors, strict=True):
        if not jewel and vigor < START_FOOD:
            hint = f"a starting cat begins with {START_FOOD} food on it (WC-AMB-20)"
            yield Misfit(("components", id_), f"Vigor {vigor} is too little", hint)


def box_of(facts: Facts) -> Box:
    """The box that holds the cards of the facts: every component that has a Vigor."""
    found = [(id_, card, card.get) for id_, card in facts["components"].items() if card.get("vigor") is not None]
    # Made for each new game, so that it must be quick: plain tuples, which are equal to a Card.
    return _box(
        tuple(
            [
                (
                    id_,
                    card["count"],
                    card["name"],
                    card["force"],
                    get("will"),
                    card["vigor"],
                    get("corpulence"),
                    card["turn-order"],
                    get("red-border"),
                    get("jewel"),
                    get("power"),
                )
                for id_, card, get in found
            ]
        )
    )


@lru_cache(maxsize=8)
def _box(rows: tuple[tuple[Any, ...], ...]) -> Box:
    cards = turn_order([Card(*row) for row in rows])
    return Box(
        Cards(
            tuple(card.id for card in cards),
            tuple(card.name for card in cards),
            tuple(card.force for card in cards),
            tuple(card.will or 0 for card in cards),
            tuple(card.vigor for card in cards),
            tuple(card.corpulence or 0 for card in cards),
            tuple(card.order for card in cards),
            tuple(bool(card.red) for card in cards),
            tuple(card.jewel or "" for card in cards),
            tuple(card.power or "" for card in cards),
            tuple(card.copies for card in cards),
        )
    )


def _mask(bits: Iterator[bool] | Sequence[bool]) -> int:
    return sum(1 << card for card, bit in enumerate(bits) if bit)


def _every_text(ids: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Every small move with its notation, in the order of its number. Any card may be written anywhere."""
    for verb, word in ((EAT, "eat"), (CONVERT, "convert")):
        yield from ((verb | card, f"{word} {id_}") for card, id_ in enumerate(ids))
    yield from ((verb, ACTIONS[verb]) for verb in (DIVE, SCARE, REST))
    for verb in (SHARE, DRAG):
        yield from ((verb | card, f"{POWER_OF_VERB[verb].word} {id_}") for card, id_ in enumerate(ids))
    yield from ((verb, POWER_OF_VERB[verb].word) for verb in (DRAW, AGAIN))
    yield from ((REANIMATE | card, f"reanimate {id_}") for card, id_ in enumerate(ids))
    yield DONE, "done"
    yield from ((CHOOSE | card, f"choose {id_}") for card, id_ in enumerate(ids))
