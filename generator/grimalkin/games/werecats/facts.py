"""The facts of Werecats: the rules' numbers, tables, and the cards in a game's content, in Turn Order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple

from grimalkin.engine.contract import Facts
from grimalkin.engine.kinds import mask
from grimalkin.engine.law import By, law
from grimalkin.engine.loading import Components, made_once
from grimalkin.engine.shape import Misfit, Record, Whole

SEATS: Final[Annotated[tuple[int, int], By("WC-PLAYERS-2", "WC-AMB-2")]] = (2, 4)
CITY_SIZE: Final[Annotated[int, By("WC-SETUP-3", "WC-CITY-2", "WC-CITY-3")]] = 6
START_FOOD: Final[Annotated[int, By("WC-SETUP-1")]] = 2
SET_UP_FORCE: Final[Annotated[int, By("WC-SETUP-4", "WC-AMB-4")]] = 3
"""Villagers with this Force or more do not stay in the first City."""
SCARED_IN: Final[Annotated[int, By("WC-SCARE-1")]] = 6
"""The number of villagers that a Scare brings."""
REANIMATE_COST: Final[Annotated[int, By("WC-PWR-7")]] = 2
"""The cost in food from the starting cat."""
EXTRA_COST: Final[Annotated[int, By("WC-PWR-6")]] = 1
"""The cost in food from the starting cat."""
MOST_WERECATS: Final[Annotated[int, By("WC-END-2")]] = 8
"""The most werecats a seat may have, including the starting cat."""
EVERY_JEWEL: Final[Annotated[int, By("WC-END-3", "WC-SCORE-3")]] = 5
"""The number of colours."""
VILLAGER_POINTS: Final[Annotated[int, By("WC-SCORE-1")]] = 1
HIGH_VALUE_POINTS: Final[Annotated[int, By("WC-PWR-4")]] = 2
CREATED_POINTS: Final[Annotated[int, By("WC-SCORE-2")]] = 2
EVERY_JEWEL_POINTS: Final[Annotated[int, By("WC-SCORE-3")]] = 10
ONE_JEWEL_POINTS: Final[Annotated[int, By("WC-SCORE-4")]] = 3
"""The points for each werecat of the colour."""

OPTIONS: Final[Annotated[Record, By("WC-AMB-27")]] = Record(
    {}, {"rounds": Whole(1, describe="The game ends with this round, if not before (default: no last round).")}
)

SIMULATION: Final[Mapping[str, Any]] = {"rounds": 40}
# A bound for boxes of up to 54 cards with a Corpulence of at most 4. A werecat has one turn a round, of at most 5 small
# moves: eating, and sharing 4 food one by one. An extra action takes 4 (eat, again, eat, done), since no second power
# can be used. So a round has at most 5 moves for each werecat in play at its end. The game goes on only while
# each of the 4 seats has at most 7, so the first 39 rounds have at most 5 x 28 moves each, and the last one, in which
# any card may become a werecat, 5 x 54. Before the first round come 4 choices.
MOST_DECISIONS: Final = 4 + 39 * 5 * 28 + 5 * 54


PHASES: Final = ("choosing", "acting", "meal", "over")
"""The phases, by the kind of decision."""
CHOOSING, ACTING, MEAL, ENDED = range(len(PHASES))
VERBS: Final = (
    "eat",
    "convert",
    "dive",
    "scare",
    "rest",
    "share",
    "drag",
    "draw",
    "again",
    "reanimate",
    "done",
    "choose",
)
"""The verbs of small moves, as written. A move is `verb | card`: a multiple of 256, and a card's number; a pair would
take a third longer to make and half as long again to look up."""
EAT, CONVERT, DIVE, SCARE, REST, SHARE, DRAG, DRAW, AGAIN, REANIMATE, DONE, CHOOSE = range(0, len(VERBS) << 8, 1 << 8)
VERB_BITS: Final = ~255
CARD_BITS: Final = 255
ACTIONS: Final[Annotated[tuple[int, ...], By("WC-ROUND-4", "WC-ROUND-5")]] = (EAT, CONVERT, DIVE, SCARE, REST)
WITHOUT_CARD: Final = (DIVE, SCARE, REST, DRAW, AGAIN, DONE)
NOBODY: Final = -1
NOTHING: Final = -1


def word(verb: int) -> str:
    """Return the word for a verb, as in notation."""
    return VERBS[verb >> 8]


class Power(NamedTuple):
    """A food power: its rule, its name, and the verb that uses it, or NOTHING if players never have to choose."""

    rule: str
    name: str
    verb: int

    @property
    def word(self) -> str:
        """Return the word in notation; empty if players never have to choose whether to use it."""
        return word(self.verb) if self.verb != NOTHING else ""


POWERS: Final[Annotated[Mapping[str, Power], By("WC-PWR-1", "WC-CARD-7", "WC-PWR-10")]] = {
    "sharing": Power("WC-PWR-2", "Sharing", SHARE),
    "pressure": Power("WC-PWR-3", "Peer Pressure", DRAG),
    "value": Power("WC-PWR-4", "High Value", NOTHING),
    "draw": Power("WC-PWR-5", "Draw", DRAW),
    "extra": Power("WC-PWR-6", "Extra Action", AGAIN),
    "reanimate": Power("WC-PWR-7", "ReAnimate", REANIMATE),
}
"""The food powers by their words in the content."""
POWER_OF_VERB: Final[Mapping[int, Power]] = {power.verb: power for power in POWERS.values() if power.verb != NOTHING}
FOOD_LAST: Final[Annotated[tuple[int, ...], By("WC-AMB-28")]] = (SHARE, REANIMATE)
"""The verbs of powers that are used before the werecat receives the food from the meal."""


# Cards


@law("WC-CARD-1", "WC-CARD-2", "WC-CARD-3", "WC-CARD-4", "WC-CARD-6", "WC-CARD-8", "WC-CARD-11")
class Cards(NamedTuple):
    """Every villager and starting cat in Turn Order, with a tuple for each fact. A card's number is its index here."""

    ids: tuple[str, ...]
    names: tuple[str, ...]
    forces: tuple[int, ...]
    wills: tuple[int, ...]
    """0 for a starting cat, as in `corpulences`."""
    vigors: tuple[int, ...]
    corpulences: tuple[int, ...]
    orders: tuple[int, ...]
    reds: tuple[bool, ...]
    jewels: tuple[str, ...]
    """The colours of the family jewels; empty for a starting cat."""
    powers: tuple[str, ...]
    """Keys of POWERS, or empty."""
    counts: tuple[int, ...]


class Box:
    """Everything that games with the same cards share: the cards' facts, ready numbers, and the notation.

    Sets of cards are bit masks, in which a card's number is its bit. A clone shares them: copying a set of 40 cards
    would take 0.3 µs, and a whole clone with masks takes 0.8 µs.
    """

    cards: Cards

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.ids = cards.ids
        self.misfits = tuple(card_misfits(cards))
        self.numbers = {id_: card for card, id_ in enumerate(cards.ids)}
        self.bits = tuple((1 << card, id_) for card, id_ in enumerate(cards.ids))
        self.colours = tuple(sorted({jewel for jewel in cards.jewels if jewel}))
        self.with_jewel = tuple(cards_with(jewel == colour for jewel in cards.jewels) for colour in self.colours)
        self.starting = cards_with(not jewel for jewel in cards.jewels)
        self.villagers = cards_with(bool(jewel) for jewel in cards.jewels)
        self.high_value = cards_with(power == "value" for power in cards.powers)
        self.eat_needs = tuple(force + 1 for force in cards.forces)  # WC-EAT-1: strictly more
        self.convert_needs = tuple(force + will + 1 for force, will in zip(cards.forces, cards.wills, strict=True))
        self.asks = tuple(POWERS[power].verb if power else NOTHING for power in cards.powers)
        self.actions = [DIVE, SCARE, REST]
        self.calm_actions = [DIVE, REST]  # WC-SCARE-3: the seat has scared the City in this round
        self.texts = dict(_every_text(cards.ids))
        self.moves = {text: move for move, text in self.texts.items()}


def check_facts(facts: Facts) -> list[Misfit]:
    """Return what is wrong with the components as pieces of this game."""
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


@law("WC-AMB-18", "WC-AMB-20")
def card_misfits(cards: Cards) -> Iterator[Misfit]:
    """Yield what is wrong with a set of cards as pieces of this game."""
    seen: dict[tuple[int, bool], str] = {}
    for id_, count, order, red in zip(cards.ids, cards.counts, cards.orders, cards.reds, strict=True):
        if count != 1:
            yield Misfit(("components", id_), f"there are {count} of it", "Werecats has one of each card")
        if (order, red) in seen:
            both = f"{seen[order, red]} has Turn Order {order} with the same border"
            yield Misfit(("components", id_), both, "a number occurs at most twice, once with a red border (WC-AMB-18)")
        seen[order, red] = id_
    for id_, jewel, vigor in zip(cards.ids, cards.jewels, cards.vigors, strict=True):
        if not jewel and vigor < START_FOOD:
            hint = f"a starting cat begins with {START_FOOD} food on it (WC-AMB-20)"
            yield Misfit(("components", id_), f"Vigor {vigor} is too low", hint)


COLUMNS: Final = (
    *("id", "name", "force", "will", "vigor", "corpulence"),
    *("turn-order", "red-border", "jewel", "power", "count"),
)
"""The columns of the content with the facts of Cards, in the order of its fields."""
EMPTY: Final[Mapping[str, Any]] = {"will": 0, "corpulence": 0, "red-border": False, "jewel": "", "power": ""}
"""The values for columns that are empty for a starting cat, or for a villager without a power."""


@made_once
@law("WC-CARD-5", "WC-ROUND-6")
def box_of(components: Components) -> Box:
    """Return the box of the cards in the facts: every component that has a Vigor, low numbers first (WC-CARD-5), and
    the red border first if two numbers are equal (WC-ROUND-6)."""
    rows: list[dict[str, Any]] = [
        {column: EMPTY.get(column) if card.get(column) is None else card[column] for column in COLUMNS} | {"id": id_}
        for id_, card in components.items()
        if card.get("vigor") is not None
    ]
    rows.sort(key=lambda row: (row["turn-order"], not row["red-border"]))
    return Box(Cards(*(tuple(row[column] for row in rows) for column in COLUMNS)))


def cards_with(facts: Iterable[bool]) -> int:
    """Return the set of cards for which a fact, given for each card in order, is true."""
    return mask(card for card, so in enumerate(facts) if so)


def _every_text(ids: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield every small move with its notation, in the moves' numerical order. Every verb is paired with every card."""
    for verb in range(0, len(VERBS) << 8, 1 << 8):
        if verb in WITHOUT_CARD:
            yield verb, word(verb)
        else:
            yield from ((verb | card, f"{word(verb)} {id_}") for card, id_ in enumerate(ids))
