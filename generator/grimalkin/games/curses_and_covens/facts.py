"""The facts of Curses & Covens: numbers from the rules, and a row for each kind of card, spell, phase, ending or
move."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Annotated, Any, Final, NamedTuple, Self

from grimalkin.engine.law import By, law
from grimalkin.engine.shape import Choice, Record, Whole

SEATS: Final[Annotated[tuple[int, int], By("CC-PLAYERS-2", "CC-AMB-1")]] = (3, 6)
ROLES: Final[Annotated[bool, By("CC-PLAYERS-1")]] = True
HUNTER: Final[Annotated[int, By("CC-PLAYERS-1")]] = 0
"""The seat named first; the towns sit clockwise from its left."""
HIDDEN_CARDS: Final[Annotated[int, By("CC-SETUP-4")]] = 1
HAND: Final[Annotated[int, By("CC-SETUP-5")]] = 2
COVEN: Final[Annotated[int, By("CC-WIN-1")]] = 3
RITUALS_TO_WIN: Final[Annotated[int, By("CC-WIN-2")]] = 2
WITCHES_TO_WIN: Final[Annotated[int, By("CC-WIN-3")]] = 5
PICKS: Final[Annotated[int, By("CC-HUNT-1")]] = 2

NOTHING: Final = -1
"""The absence of a card."""
UNSEEN: Final = -1
"""In a seat's view: a card hidden from that seat."""
NOBODY: Final = -1


class Row(IntEnum):
    """A row of a table: its number in order, with a name and columns. Compare members with `is`, which is faster than
    `==` between numbers. Look them up in their class once in each module: inside a function, a look-up takes five
    times as long."""

    def __new__(cls, *unused_columns: object) -> Self:
        row = int.__new__(cls, len(cls.__members__))
        row._value_ = len(cls.__members__)
        return row

    def __init__(self, word: str) -> None:
        self.word = word


@law("CC-CARD-1")
class Kind(Row):
    """A kind of card: a suited witch, by her suit, or another kind. Witches are first."""

    def __init__(self, word: str, is_witch: bool) -> None:
        self.word = word
        self.is_witch = is_witch

    LOVE = "love", True
    CRYSTAL = "crystal", True
    NATURE = "nature", True
    WILD = "wild", True
    FAKE = "fake", True
    TOWNSFOLK = "townsfolk", False
    RITUAL = "ritual", False


SUITS: Final = (Kind.LOVE, Kind.CRYSTAL, Kind.NATURE)


# Spells


class Side(Row):
    """A side of a spell tile."""

    CHARM = "charm"
    CURSE = "curse"

    @property
    def other(self) -> Side:
        return Side.CURSE if self is Side.CHARM else Side.CHARM


SIDES: Final = {side.word: side for side in Side}


@law("CC-CURSE-1", "CC-CURSE-3", "CC-AMB-2")
class Spell(Row):
    """A spell, which is cast with one side of a tile."""

    def __init__(self, word: str, side: Side, rule: str, effect: str, picks: int = PICKS, laps: int = 1) -> None:
        self.word = word
        self.side = side
        self.rule = rule
        self.effect = effect
        """The text of the log when the spell is cast."""
        self.picks = picks
        """The number of picks in the Hunt."""
        self.laps = laps
        """The number of laps in Travel."""

    LULLABY = (
        "lullaby",
        Side.CHARM,
        "CC-CHARM-1",
        "The town with the hat will draw first in Arrival, and the Hunter will not look at its card.",
    )
    NIGHTMARE = (
        "nightmare",
        Side.CURSE,
        "CC-CURSE-1",
        "The Hunt will have only 1 pick, and the town picked will lose its whole hand.",
        1,
    )
    LOOKING_GLASS = (
        "looking-glass",
        Side.CHARM,
        "CC-CHARM-2",
        "The second pick will have to be from another town.",
    )
    BROKEN_MIRROR = (
        "broken-mirror",
        Side.CURSE,
        "CC-CURSE-2",
        "No witch will be captured in this Hunt, but the Hunter chooses who gets which card in Arrival.",
    )
    FORKED_PATH = (
        "forked-path",
        Side.CHARM,
        "CC-CHARM-3",
        "The town with the hat will take 2 actions.",
    )
    WILD_CHASE = (
        "wild-chase",
        Side.CURSE,
        "CC-CURSE-3",
        "Travel will go round twice, and the Hunt will have 3 picks.",
        3,
        2,
    )


SPELLS: Final = {spell.word: spell for spell in Spell}
MOST_PICKS: Final = max(spell.picks for spell in Spell)
MOST_LAPS: Final = max(spell.laps for spell in Spell)
TILES: Final = ("cradle", "mirror", "path")

# The course of a game


class Phase(Row):
    """A part of a round, or the end."""

    CENSUS = "census"
    ARRIVAL = "arrival"
    TRAVEL = "travel"
    HUNT = "hunt"
    OVER = "over"


PHASES: Final = {phase.word: phase for phase in Phase}


class Stage(IntEnum):
    """The task of the seat to act."""

    ANNOUNCE = 0
    """In a Census: cast a spell, talk, and pass on the hat."""
    QUESTION = 1
    """Say whether to shuffle."""
    DEAL = 2
    """Give out the cards on the tray."""
    ACT = 3
    """Take one of the three actions of Travel."""
    ANSWER = 4
    """Pass a card to the town that has asked."""
    PICK = 5
    """Choose the town of a pick."""
    PASS = 6
    """Choose the town that gets the townsfolk card."""
    EMPTY = 7
    """Lay the hand under the deck, card by card."""
    END = 8
    """Nothing: the game is over."""


class Ending(Row):
    """A kind of ending."""

    def __init__(self, word: str = "", tallied: str = "", rules: tuple[str, ...] = (), why: str = "") -> None:
        self.word = word
        self.tallied = tallied
        """Its name in simulations."""
        self.rules = rules
        """The rule that decides, and the rule that led to it."""
        self.why = why
        """The reason in refusals of further moves."""

    GOES_ON = ()
    COVEN = "coven", "a coven", ("CC-WIN-1", "CC-CENSUS-3"), "the towns have won with a coven"
    RITUALS = "rituals", "two rituals", ("CC-WIN-2", "CC-HUNT-7"), "the towns have won with their second ritual"
    CAPTURES = (
        "captures",
        "five witches caught",
        ("CC-WIN-3", "CC-HUNT-6"),
        "the Witch Hunter has won with the fifth witch",
    )
    NOBODY = "nobody", "nobody wins", ("CC-AMB-30",), "the last round is over, and nobody has won"


ENDINGS: Final = {ending.word: ending for ending in Ending if ending is not Ending.GOES_ON}

# Moves


class Verb(Row):
    """A kind of small move."""

    def __init__(self, form: str, stage: Stage, rule: str = "") -> None:
        self.form = form
        """The move's notation."""
        self.stage = stage
        """The stage in which it is made."""
        self.rule = rule
        """The rule saying that it needs a card from the player's own hand, or a town."""
        self.names_a_seat = "{seat}" in form

    CAST = "cast {spell}", Stage.ANNOUNCE
    HAT = "hat {seat}", Stage.ANNOUNCE, "CC-CENSUS-6"
    SHUFFLE = "shuffle", Stage.QUESTION
    LEAVE = "leave", Stage.QUESTION
    DEAL = "deal {card}", Stage.DEAL
    DEAL_NOTHING = "deal nothing", Stage.DEAL
    GIVE = "give {card} to {seat}", Stage.ACT, "CC-TRAV-2"
    ASK = "ask {seat}", Stage.ACT, "CC-TRAV-3"
    WOODS = "woods {card}", Stage.ACT, "CC-TRAV-4"
    ANSWER = "hand {card}", Stage.ANSWER, "CC-TRAV-3"
    PICK = "pick {seat}", Stage.PICK, "CC-HUNT-2"
    PASS = "pass to {seat}", Stage.PASS, "CC-HUNT-4"
    UNDER = "under {card}", Stage.EMPTY, "CC-AMB-10"


class Move(NamedTuple):
    """A small move. A box makes its moves once, so packing them into numbers would not save time: random play with
    these takes 0.95 to 1.01 times as long as it did with numbers, with 3 to 6 seats."""

    verb: Verb
    card: int = NOTHING
    seat: int = NOBODY
    spell: Spell | None = None


# Options

ALL, NONE = "all", "none"
OPTIONS: Final[Annotated[Record, By("CC-AMB-30", "CC-AMB-31")]] = Record(
    {},
    {
        "tiles": Choice(
            (ALL, NONE, *(f"no-{tile}" for tile in TILES)),
            "The spell tiles in play; the others stay in the box (default: all).",
        ),
        "rounds": Whole(0, 999, "The last round, after which nobody wins; 0 means that there is none (default: 0)."),
    },
)
LAST_ROUND: Final = 40
SIMULATION: Final[Mapping[str, Any]] = {"rounds": LAST_ROUND}
# A round at a full table: spell and hat; a question in the Census, one for each town in Arrival and one for each of 3
# picks; 5 towns dealt to; 2 laps of 5 actions, each with an answer; 3 picks, each with a card passed on; and all 26
# cards that are not in the woods laid under the deck.
MOST_DECISIONS: Final = LAST_ROUND * (2 + (1 + 5 + 3) + 5 + 2 * 5 * 2 + 3 * 2 + 26)
