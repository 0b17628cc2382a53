"""The table of a game of Wolf-Man's Curse: where the cards are, how far the game has come, and what follows from both.

Neither deck has an order: a card is drawn when it is dealt or turned up. The number cards that are not in a hand, on
the table or in a seat's pile are left over this month.

In facts, `seat` is a name, `card` the id of a card and `worth` its value tonight; a fact named after a suit is its
points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from grimalkin.engine import kinds
from grimalkin.engine.kinds import Card, Chosen, Each, Hand, Items, Kind, Number, Plain, Row, Seat, Values, Word
from grimalkin.engine.law import law
from grimalkin.engine.loading import Laying
from grimalkin.engine.shape import Choice, Listing, Path, Shape, Whole, YesNo
from grimalkin.engine.state import Declared, shows
from grimalkin.engine.words import listed
from grimalkin.games.wolf_mans_curse import facts as wm
from grimalkin.games.wolf_mans_curse.facts import OPTIONS, Box, Cards, in_words
from grimalkin.games.wolf_mans_curse.scoring import Sheet, month_points

COUNTS = "the score sheet and the pile count"


class View(NamedTuple):
    """A seat's view (WM-AMB-20). Cards are numbers, as in `cards`; suits are columns of the score sheet."""

    seat: int
    cards: Cards
    names: tuple[str, ...]
    to_act: int
    phase: int
    month: int
    night: int
    moon: int
    """The card turned up tonight; NOTHING after the end."""
    doubled: int
    """The suit that counts double tonight, or NO_SUIT."""
    leader: int
    """The seat that lays first tonight."""
    hand: tuple[int, ...]
    laid: tuple[int, ...]
    """By seat: the card laid tonight, FACE_DOWN if this seat may not see it, NOTHING if none is laid yet."""
    piles: tuple[tuple[int, ...], ...]
    """By seat: the cards captured this month."""
    seen: int
    """Bit mask of the number cards this seat has seen this month, including its own."""
    sheets: tuple[tuple[int, ...], ...]
    """By seat: the four columns, for the finished months."""
    jokers: tuple[int, ...]
    """By seat: jokers from the finished months."""
    faces: tuple[int, ...]
    """The cards still in the face pile."""
    dropped: bool
    """Whether an unfinished last month is not scored (WM-AMB-3)."""


class Faces(Values[str]):
    """Cards of the face pile by their ids, as chance draws them, in the order of their numbers."""

    def shape(self, box: Box) -> Shape:
        return Listing(Choice(box.ids), describe=self.about)

    def read(self, value: list[str], at: Path, reading: Laying, whose: str = "") -> list[str]:
        return [reading.state.box.ids[card] for card in sorted(reading.pieces(value, at, "the face pile"))]


class Sheets(Each[list[int]]):
    """By seat: the four columns for the finished months; in records, as totals or as a row for each month."""

    def __init__(self) -> None:
        super().__init__(Row(Number(), "Points in {} of the finished months (default: 0)."))

    def begins(self) -> Callable[[kinds.Start], list[list[int]]]:
        return lambda start: [[0] * len(wm.SUITS) for _ in start.seats]

    def write(self, of: Board, into: dict[str, Any], names: kinds.Names, seat: int) -> None:
        into |= zip(wm.SUITS, of.sheets[seat], strict=True)

    def shapes(self, box: Box) -> dict[str, Shape]:
        row = Listing(Whole(), len(wm.SUITS), len(wm.SUITS))
        columns = ", ".join(wm.SUITS)
        months = f"Instead of the totals: one row for each finished month, as {columns}, in phase over too."
        return {suit: Whole(0, describe=self.about.format(suit)) for suit in wm.SUITS} | {
            "months": Listing(row, describe=months)
        }

    def lay(self, into: Board, record: Mapping[str, Any], at: Path, reading: Laying, whose: str = "") -> None:
        for seat, (name, has) in enumerate(record["seats"].items()):
            both = [suit for suit in wm.SUITS if suit in has]
            if "months" in has and both:
                told = f"the totals are also written: {listed(both)}"
                reading.wrong(("seats", name, "months"), told, "write only one of the two")
            totals = [has.get(suit, 0) for suit in wm.SUITS]
            into.sheets[seat] = [sum(column) for column in zip(totals, *has.get("months", []), strict=True)]


class Lover(Kind[int]):
    """The seat that captured the queen of hearts, or NOBODY; in records, yes or no for each seat."""

    by_seat = True
    first = wm.NOBODY

    def write(self, of: Board, into: dict[str, Any], names: kinds.Names, seat: int) -> None:
        if of.lover == seat:
            into["lover"] = "yes"

    def shape(self, box: Box) -> Shape:
        return YesNo(self.about)

    def lay(self, into: Board, record: Mapping[str, Any], at: Path, reading: Laying, whose: str = "") -> None:
        """Do nothing: this is set when the end is read. By default it is the seat with her in its pile."""


def has_nights(state: Board) -> bool:
    """Return whether a state's record has nights; a score sheet by itself has none."""
    return state.phase != wm.ENDED or (state.month, state.night) != (1, 1)


class Board(Declared[Box, View]):
    """What lies on the table in a game of Wolf-Man's Curse."""

    phase = Word(
        wm.PHASES,
        wm.PLAYING,
        "Default: playing. Over means a finished score sheet; it can be judged even without a lover.",
        always=True,
    )
    month = Number(1, "Default: 1.", least=1, always=True, only=has_nights)
    night = Number(
        1,
        "The night of the month (default: 1); in phase over, the last one played.",
        least=1,
        most=wm.NIGHTS,
        always=True,
        only=has_nights,
    )
    moon = Card("The card of the face pile that is turned up tonight.", place="the moon", when=(wm.PLAYING,))
    leader = Seat(
        "On the second and third night: the seat that leads (default: the left-hand neighbour of the last captor, "
        "if the piles show who that is).",
        when=(wm.PLAYING,),
        only=lambda state: state.night > 1,
        always=True,
    )
    turn = Seat(
        "The seat to act (default: what the rules give).", key="to-act", view="to_act", when=(wm.PLAYING,), always=True
    )
    faces = Faces(
        "The cards still in the face pile, in any order (default: all that are nowhere else; from month 2 on you must "
        "write it).",
        when=(wm.PLAYING,),
        always=True,
    )
    dropped = Chosen(OPTIONS, "last-month", wm.DROPPED)
    hands = Each(
        Hand(f"The number cards in hand: {wm.HAND}, less one for every night laid.", place="{}'s hand"),
        key="hand",
        when=(wm.PLAYING,),
        hint=COUNTS,
        seen="own",
        view="hand",
    )
    laid = Each(
        Card(
            "The card laid tonight (default: none yet); face down while the first night goes on.",
            place="{}'s card for tonight",
        ),
        when=(wm.PLAYING,),
        hint=COUNTS,
        seen="hidden",
    )
    piles = Each(
        Hand(
            "The cards captured this month, in any order: all the cards of each night. If you leave any out, you "
            'must write "faces" and "leader".',
            place="{}'s pile",
        ),
        key="pile",
    )
    sheets = Sheets()
    jokers = Each(Number(0, "Jokers of the finished months; which of them does not matter (default: 0)."), always=True)
    lover = Lover(
        "In phase over: whether the seat captured the queen of hearts (default: whether she is in its pile).",
        when=(wm.ENDED,),
        hint="she ends the game on the night when she is captured (WM-END-1)",
    )
    doubled = Plain(wm.NO_SUIT)
    """The suit that counts double tonight."""
    to_lay = Plain(0)
    """How many seats have yet to lay tonight."""
    history = Items[tuple[int, list[int], int]]()
    """For a tally: (suit doubled, cards laid by seat, captor) for every night played."""

    def begin(self) -> None:
        self.faces = self.box.face_ids[:]
        self.to_lay = len(self.seats)

    def to_act(self) -> int:
        return self.turn

    def turn_key(self) -> tuple[int, int, int]:
        """Return the key of a turn, which is one card (WM-MONTH-3)."""
        return self.month, self.night, self.to_lay

    @shows("names", "laid", "seen", "faces")
    @law("WM-AMB-20", "WM-NIGHT-4")
    def _seen(self, seat: int) -> tuple[tuple[str, ...], tuple[int, ...], int, tuple[int, ...]]:
        """Return values of the view. Captured cards, the score sheet, the jokers and the faces used are known to all
        (WM-AMB-20); hands, and the cards of a first night until all have laid, are not (WM-NIGHT-4)."""
        laid = self.laid
        if self.night == 1:
            laid = [card if card < 0 or other == seat else wm.FACE_DOWN for other, card in enumerate(laid)]
        seen = sum([1 << card for card in (*self.hands[seat], *laid) if card >= 0])
        numbers = (1 << self.box.count) - 1
        for pile in self.piles:
            seen += sum([1 << card for card in pile]) & numbers
        return self.seats, tuple(laid), seen, tuple([self.box.numbers[id_] for id_ in self.faces])

    def pieces(self) -> Mapping[str, int]:
        """Count every card once. Those that are nowhere are left over this month, gone from the face pile, or held as
        jokers."""
        lying = [card for cards in (*self.hands, self.laid, *self.piles, [self.moon]) for card in cards]
        lying += [self.box.numbers[id_] for id_ in self.faces]
        return {id_: max(1, lying.count(card)) for card, id_ in enumerate(self.box.cards.ids)}

    @law("WM-AMB-3", "WM-AMB-4", "WM-AMB-14", "WM-AMB-23")
    def sheets_now(self) -> list[Sheet]:
        """Return the score sheet including this month's captures, and the queen of hearts (WM-AMB-3, WM-AMB-4). If the
        last month is dropped, only its points are lost (WM-AMB-23): jokers from any month count, and the captor of the
        last night has the queen (WM-AMB-14)."""
        sheets = []
        for seat, name in enumerate(self.seats):
            pile = self.piles[seat]
            points = month_points([] if self.is_dropped() else pile, self.box.cards)
            columns = [now + more for now, more in zip(self.sheets[seat], points, strict=True)]
            clubs, spades, hearts, diamonds = columns
            sheets.append(Sheet(name, clubs, spades, hearts, diamonds, self.all_jokers(seat), seat == self.lover))
        return sheets

    def is_dropped(self) -> bool:
        """Return whether this month will never be scored."""
        return self.dropped and self.phase == wm.ENDED and self.night < wm.NIGHTS

    def all_jokers(self, seat: int) -> int:
        """Return how many jokers a seat has, including this month's."""
        return self.jokers[seat] + sum(joker in self.piles[seat] for joker in self.box.jokers)

    # Words for sentences

    def worth(self, card: int) -> int:
        """Return the value of a number card tonight."""
        cards = self.box.cards
        return cards.values[card] * (wm.DOUBLE if cards.suits[card] == self.doubled else 1)

    def counts(self, card: int) -> str:
        """Return a clause saying that a card counts double, or an empty one if it does not."""
        worth = self.worth(card)
        return f", which counts {worth}" if worth != self.box.cards.values[card] else ""

    def the(self, card: int) -> str:
        return f"the {self.bare(card)}"

    def list_of(self, cards: Sequence[int]) -> str:
        return listed([self.the(card) for card in cards])

    def ids_of(self, cards: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.box.ids[card] for card in cards)

    def bare(self, card: int) -> str:
        return in_words(self.box.cards, card)
