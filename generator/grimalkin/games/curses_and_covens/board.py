"""What lies on the table of a game of Curses & Covens, how far the game has come, and what can be read off both.

The deck is never put in an order: a card is drawn by chance when it comes. Only the cards laid under it lie in one,
until the Hunter shuffles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from grimalkin.engine.chance import Chance
from grimalkin.engine.law import law
from grimalkin.games.curses_and_covens.box import Box
from grimalkin.games.curses_and_covens.facts import (
    ALL,
    HUNTER,
    NOBODY,
    NONE,
    NOTHING,
    PICKS,
    TILES,
    Ending,
    Phase,
    Side,
    Spell,
    Stage,
)
from grimalkin.games.curses_and_covens.knowledge import Entry, Known, Mind

LULLABY, LOOKING_GLASS, BROKEN_MIRROR = Spell.LULLABY, Spell.LOOKING_GLASS, Spell.BROKEN_MIRROR
PASS, PICK, QUESTION = Stage.PASS, Stage.PICK, Stage.QUESTION


class Board:
    """The fields of a game in progress. The tiles begin with the charm up (CC-SETUP-3), the hat in front of the town on
    the Hunter's left (CC-SETUP-8)."""

    __slots__ = (
        "acted",  # in Travel: how many towns, from the hat on, are done with in this lap
        "again",  # in Travel: whether the hat's first action of a Forked Path is done
        "box",
        "cast",  # spell cast this round, or None
        "chance",
        "emptying",  # in a Hunt: the town that lays its hand under the deck, or NOBODY
        "ending",
        "first",  # in a Hunt: the town of the first pick, or NOBODY
        "hands",  # by seat: cards in the order of their numbers; none for the Witch Hunter
        "hat",
        "history",
        "lap",
        "limit",  # the last round, or 0
        "minds",  # by seat: what it has read from the history so far, or None
        "origin",  # sizes of the hands, how many cards lay under the deck and on the tray, when the history begins
        "phase",
        "picks",  # in a Hunt: picks made, with the one under way
        "pool",  # ids of the cards of the deck in no known order
        "rituals",  # in front of the Witch Hunter
        "round",
        "seats",
        "served",  # in Arrival: how many towns are done with, in the order of service
        "sides",  # by tile: the side that is up; None for a tile left in the box
        "stage",
        "table",
        "taken",  # in a Hunt: the card shown, while it lies nowhere else, or NOTHING
        "taken_from",
        "talk",  # in a Census: what has been said
        "tray",  # in an Arrival of choice: the cards that the Witch Hunter looks at
        "turn",  # seat to act, or OVER
        "under",  # the cards laid under the deck, from the top down
        "witches",  # in front of the Witch Hunter, in the order in which they came
        "woods",  # the card in the woods
    )

    @law("CC-SETUP-3", "CC-SETUP-8", "CC-AMB-23", "CC-AMB-31")
    def __init__(self, box: Box, seats: tuple[str, ...], options: Mapping[str, Any], chance: Chance) -> None:
        self.box = box
        self.seats = seats
        self.table = box.tables[len(seats)]
        self.chance = chance
        self.limit: int = options.get("rounds", 0)
        tiles = options.get("tiles", ALL)
        self.sides = [None if tiles in (NONE, f"no-{tile}") else Side.CHARM for tile in TILES]
        self.round = 1
        self.phase = Phase.CENSUS
        self.stage = Stage.ANNOUNCE
        self.turn = 1
        self.hands: list[list[int]] = [[] for _ in seats]
        self.woods = NOTHING
        self.pool = box.card_ids[:]
        self.under: list[int] = []
        self.witches: list[int] = []
        self.rituals: list[int] = []
        self.cast: Spell | None = None
        self.hat = 1
        self.talk: list[str] = []
        self.served = 0
        self.tray: list[int] = []
        self.acted = 0
        self.lap = 1
        self.again = False
        self.picks = 0
        self.first = NOBODY
        self.taken = NOTHING
        self.taken_from = NOBODY
        self.emptying = NOBODY
        self.ending = Ending.GOES_ON
        self.history: list[Entry] = []
        self.origin = ([0] * len(seats), 0, 0)
        self.minds: list[Mind | None] = [None] * len(seats)

    # Copies

    def copy(self, chance: Chance) -> Self:
        """The same table, with another source of chance."""
        other = type(self).__new__(type(self))
        other.box = self.box
        other.seats = self.seats
        other.table = self.table
        other.chance = chance
        other.limit = self.limit
        other.sides = self.sides[:]
        other.round = self.round
        other.phase = self.phase
        other.stage = self.stage
        other.turn = self.turn
        other.hands = [cards[:] for cards in self.hands]
        other.woods = self.woods
        other.pool = self.pool[:]
        other.under = self.under[:]
        other.witches = self.witches[:]
        other.rituals = self.rituals[:]
        other.cast = self.cast
        other.hat = self.hat
        other.talk = self.talk[:]
        other.served = self.served
        other.tray = self.tray[:]
        other.acted = self.acted
        other.lap = self.lap
        other.again = self.again
        other.picks = self.picks
        other.first = self.first
        other.taken = self.taken
        other.taken_from = self.taken_from
        other.emptying = self.emptying
        other.ending = self.ending
        other.history = self.history[:]
        other.origin = self.origin
        other.minds = [None] * len(self.seats)
        return other

    def key(self) -> tuple[Any, ...]:
        return (
            self.seats,
            self.limit,
            tuple(self.sides),
            self.round,
            self.phase,
            self.stage,
            self.turn,
            tuple(map(tuple, self.hands)),
            self.woods,
            tuple(sorted(self.pool)),
            tuple(self.under),
            tuple(self.witches),
            tuple(self.rituals),
            self.cast,
            self.hat,
            tuple(self.talk),
            self.served,
            tuple(self.tray),
            self.acted,
            self.lap,
            self.again,
            self.picks,
            self.first,
            self.taken,
            self.taken_from,
            self.emptying,
            self.ending,
            tuple(self.history),
        )

    # What can be read off

    def to_act(self) -> int:
        return self.turn

    def turn_key(self) -> tuple[int, ...]:
        """A turn is what one town announces in a Census, one question, all that is dealt in an Arrival of choice, one
        action, one answer, one pick with its card passed on, or all that one town lays under the deck."""
        stage, pick = self.stage, self.picks
        if stage is PASS:  # a part of the pick under way
            stage, pick = PICK, pick - 1
        served = self.served if stage is QUESTION else 0
        return self.round, self.phase, stage, served, self.lap, self.acted, self.again, pick

    @law("CC-TRAV-1")
    def acting(self) -> int:
        """In Travel, the town on turn: clockwise from the hat on (CC-TRAV-1)."""
        return (self.hat - 1 + self.acted) % (len(self.hands) - 1) + 1

    @law("CC-HUNT-1")
    def picks_allowed(self) -> int:
        """How many picks this Hunt has (CC-HUNT-1)."""
        return PICKS if self.cast is None else self.cast.picks

    @law("CC-ARR-2", "CC-CURSE-2")
    def is_arrival_of_choice(self) -> bool:
        """Whether the Hunter gives out cards by choice this round (CC-ARR-2, CC-CURSE-2)."""
        return self.cast is BROKEN_MIRROR or bool(self.rituals)

    @law("CC-ARR-1", "CC-CHARM-1", "CC-AMB-20")
    def service(self) -> list[int]:
        """The towns in the order in which they are served in Arrival: from the Hunter's left (CC-ARR-1, CC-AMB-20),
        under a Lullaby the one with the hat first (CC-CHARM-1)."""
        return self.table.service[self.hat if self.cast is LULLABY else 0]

    @law("CC-HUNT-3", "CC-CHARM-2")
    def barred(self) -> int:
        """The town that the next pick must not fall on (CC-CHARM-2), or NOBODY."""
        return self.first if self.cast is LOOKING_GLASS and self.picks else NOBODY

    @law("CC-SPELL-1")
    def castable(self) -> list[Spell]:
        """In a Census: every spell on a side that is up, if one town shows two witches that match its icons
        (CC-SPELL-1)."""
        shown: set[Spell] = set()
        judge = self.box.judge
        for hand in self.hands:
            if len(hand) > 1:
                shown |= judge(hand).casts
        if not shown:
            return []
        tiles = self.box.tiles
        up = [tiles[number].spells[side] for number, side in enumerate(self.sides) if side is not None]
        return sorted([spell for spell in up if spell in shown])

    @law("CC-AMB-26")
    def may_shuffle(self) -> bool:
        """Whether cards lie under the deck in an order that a shuffle would undo. The Hunter is asked only at certain
        moments (CC-AMB-26); at the table any moment will do."""
        return bool(self.under) and len(self.pool) + len(self.under) > 1

    def most_of_a_suit(self, town: int) -> int:
        """The most witches of one suit in a town's hand, the wild among them."""
        return self.box.judge(self.hands[town]).most

    def pieces(self) -> Mapping[str, int]:
        """Every card, as often as it lies anywhere, and every tile."""
        numbers, ids = self.box.numbers, self.box.card_ids
        lying = [card for cards in (*self.hands, self.under, self.tray, self.witches, self.rituals) for card in cards]
        lying += [self.woods, self.taken, *(numbers[id_] for id_ in self.pool)]
        return {id_: lying.count(card) for card, id_ in enumerate(ids)} | {tile.id: 1 for tile in self.box.tiles}

    def mind(self, seat: int) -> Mind:
        """What a seat has seen and knows."""
        mind = self.minds[seat]
        if mind is None:
            mind = self.minds[seat] = Mind(seat, *self.origin)
        mind.follow(self.history)
        return mind

    def known(self, seat: int) -> Known:
        """Where a seat knows cards to lie. The Hunter sees the tray, whatever the history tells."""
        known = self.mind(seat).known(self.hands[seat])
        return known._replace(tray=tuple(self.tray)) if seat == HUNTER else known
