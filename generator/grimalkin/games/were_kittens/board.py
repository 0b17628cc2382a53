"""The table of a game of Were Kittens: where the coins lie, how far the game has come, and what follows from both.

In the facts of events and refusals, `seat` is the name of the seat whose turn or piece it is, and `acting` the space of
that seat's acting cat; `space` is the space that the sentence mentions, and `kind` the kind of the coin or cat there.
`claw` includes the victims that the cat has eaten.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from grimalkin.engine.kinds import (
    Agreed,
    Each,
    Items,
    Kind,
    Names,
    Number,
    Option,
    Plain,
    Seat,
    Seats,
    Start,
    Values,
    Word,
)
from grimalkin.engine.law import law
from grimalkin.engine.loading import Laying
from grimalkin.engine.shape import Choice, Path, Record, Shape, Table, Text, Whole
from grimalkin.engine.state import Declared, shows
from grimalkin.engine.words import Fact
from grimalkin.games.were_kittens import facts as wk
from grimalkin.games.were_kittens.facts import OPTIONS, Box, Coin, Move, make_cost, seat_of, slot_of, space_of


class View(NamedTuple):
    """A seat's view, which shows everything (WK-AMB-23). Heaps are tuples of the number of each kind."""

    seat: int
    coins: tuple[Coin, ...]
    moves: tuple[Move, ...]
    """All moves, in numerical order."""
    to_act: int
    phase: int
    round: int
    quarter: int
    city: tuple[int, ...]
    supply: tuple[int, ...]
    hand: tuple[tuple[int, ...], ...]
    eat: tuple[tuple[int, ...], ...]
    scare: tuple[tuple[int, ...], ...]
    cats: tuple[tuple[tuple[int, int, bool], ...], ...]
    """Each seat's cats, as (space, kind, whether it is heads-up)."""
    acting: int
    """The space of the cat to act, or 0."""
    eaten: int
    done: int
    first: int
    race: bool
    rounds: int


class Coins(Kind[int]):
    """A heap of coins; in records, the number of each kind that it contains."""

    always = True

    def written(self, value: int, names: Names) -> dict[str, int]:
        box: Box = names.box
        return box.told(value)

    def shape(self, box: Box) -> Shape:
        return Table(Whole(0, max(coin.count for coin in box.coins)), box.kinds, self.about)

    def read(self, value: Mapping[str, int], at: Path, reading: Laying, whose: str = "") -> int:
        numbers, found = reading.state.box.numbers, 0
        for kind, count in value.items():
            found += count << 8 * numbers[kind]
        return found


class Holder(Seat):
    """The seat that holds the quarter, or NOBODY while it lies on the table."""

    def written(self, value: int, names: Names) -> str:
        return names.seats[value] if value >= 0 else wk.TABLE

    def read(self, value: str, at: Path, reading: Laying, whose: str = "") -> int:
        return wk.NOBODY if value == wk.TABLE else reading.number(value, at)


class Slot(Kind[int]):
    """The slot of a cat, or NOBODY; in records, its seat and its space."""

    first = wk.NOBODY

    def written(self, value: int, names: Names) -> dict[str, Any]:
        return {"seat": names.seats[value >> 3], "space": value & 7}

    def shape(self, box: Box) -> Shape:
        return Record({"seat": Text("Whose cat."), "space": Whole(wk.SPACES[0], wk.SPACES[-1])}, describe=self.about)

    def read(self, value: Mapping[str, Any], at: Path, reading: Laying, whose: str = "") -> int:
        return slot_of(reading.number(value["seat"], (*at, "seat")), value["space"])


class Cats(Values[int]):
    """The kind of cat in each slot, or NOBODY; in records, by space, with the side that is up."""

    by_seat = True

    def begins(self) -> Callable[[Start], list[int]]:
        return lambda start: [wk.NOBODY] * (len(start.seats) << 3)

    def write(self, of: Board, into: dict[str, Any], names: Names, seat: int) -> None:
        into[self.key] = {
            str(space): cat_word(of.box.kinds[of.cats[slot]], of.heads >> slot & 1) for slot, space in of.slots(seat)
        }

    def shape(self, box: Box) -> Shape:
        cat = Choice(tuple(cat_word(kind, heads) for kind in box.kinds for heads in (1, 0)))
        return Table(cat, tuple(map(str, wk.SPACES)), self.about)

    def lay(self, into: Board, record: Mapping[str, Any], at: Path, reading: Laying, whose: str = "") -> None:
        kinds = into.box.kinds
        for seat, has in enumerate(record["seats"].values()):
            for space, word in has.get(self.key, {}).items():
                kind, slot = kinds.index(word.removesuffix(" tails")), slot_of(seat, int(space))
                into.new_cat(slot, kind)
                into.heads |= (word == kinds[kind]) << slot


@law("WK-PIECE-1", "WK-PIECE-2")
class Board(Declared[Box, View]):
    """What lies on the table in a game of Were Kittens."""

    phase = Word(
        tuple(phase.word for phase in wk.PHASES),
        wk.SET_UP,
        "Default: acting; when no cat lies heads-up, placing, or over if no coin is left.",
        always=True,
    )
    round = Number(1, "Default: 1.", least=1, always=True)
    quarter = Holder(f"The seat that holds the quarter, or {wk.TABLE} (default: the first seat).", always=True)
    city = Coins("Default: none.")
    supply = Coins("Default: every coin that is nowhere else.")
    turn = Seat(
        "The seat to act (default: what the rules give).",
        key="to-act",
        view="to_act",
        when=(wk.SET_UP, wk.PLACING, wk.POPULATING, wk.ACTING),
        always=True,
    )
    acting = Slot(
        "The cat to act (default: the first heads-up one); while populating, the cat that has just acted.",
        when=(wk.ACTING, wk.POPULATING),
    )
    eaten = Number(0, "Claw that the cat to act has eaten already (default: 0).", when=(wk.ACTING,), always=True)
    again = Word(
        (wk.PHASES[wk.PLACING].word, wk.PHASES[wk.ACTING].word),
        wk.AFTER_PLACING,
        "What this populating interrupts (default: placing).",
        when=(wk.POPULATING,),
        always=True,
    )
    done = Seats(
        "The seats that are done placing (default: those before the seat to act).", when=(wk.PLACING,), always=True
    )
    first = Seat("The seat that said it finished first.", nobody=True, when=(wk.PLACING,))
    race = Agreed(OPTIONS, "race")
    rounds = Option(OPTIONS, "rounds", 0)
    hand = Each(Coins("Victims in hand."))
    eat = Each(Coins("Victims on the eat area."))
    scare = Each(Coins("Victims on the scare area."))
    cats = Cats("The kind of cat on each space, and whether it is tails-up.")
    heads = Number()
    """The set of slots with a heads-up cat."""
    filled = Plain(0)
    """The set of slots with a cat."""
    queue = Plain[tuple[int, ...]](())
    """The slots of the cats that act in this round, in order. The quarter, the heads-up cats and the acting cat
    determine it."""
    at = Plain(0)
    """How many cats in the queue have had their turn."""
    starts = Items[int]()
    """The kind of each seat's starting cat; NOBODY before it is chosen, and in positions, which do not record it."""

    def begin(self) -> None:
        self.quarter = wk.NOBODY
        self.supply = self.box.everything
        self.starts = [wk.NOBODY] * len(self.seats)

    def to_act(self) -> int:
        return self.turn

    def turn_key(self) -> tuple[int, ...]:
        """Return the key of a turn: a choice in set-up, a seat's placing, a coin for the city, or a cat's action."""
        return self.round, self.phase, self.acting

    @law("WK-SETUP-9", "WK-AMB-25")
    def next_to_place(self) -> int:
        """Return the next seat still placing, clockwise from the one that gets the quarter by default.

        In round 1 the quarter goes to seat 0, the first player, by default.
        """
        seats = len(self.seats)
        turn = (self.round - 1) % seats
        while self.done >> turn & 1:
            turn = (turn + 1) % seats
        return turn

    def new_cat(self, slot: int, kind: int) -> None:
        self.cats[slot] = kind
        self.filled |= 1 << slot

    @law("WK-CLAW-1", "WK-PIECE-6")
    def claw(self) -> int:
        """Return the acting cat's claw, including what it has eaten."""
        return self.box.coins[self.cats[self.acting]].cat_claw + self.eaten

    @shows("city", "supply", "hand", "eat", "scare")
    def _counted(self, _seat: int) -> tuple[tuple[Any, ...], ...]:
        counts = self.box.counts
        hand, eat = tuple([counts[of] for of in self.hand]), tuple([counts[of] for of in self.eat])
        return counts[self.city], counts[self.supply], hand, eat, tuple([counts[of] for of in self.scare])

    @shows("cats", "acting")
    def _seen(self, _seat: int) -> tuple[tuple[tuple[tuple[int, int, bool], ...], ...], int]:
        cats = [
            tuple([(space, self.cats[slot], bool(self.heads >> slot & 1)) for slot, space in self.slots(seat)])
            for seat in range(len(self.seats))
        ]
        return tuple(cats), space_of(self.acting) if self.phase == wk.ACTING else 0

    def slots(self, seat: int) -> list[tuple[int, int]]:
        """Return the slots where a seat has a cat, with their spaces."""
        return [(slot, space) for slot, space in wk.CARDS[seat] if self.cats[slot] != wk.NOBODY]

    def pieces(self) -> Mapping[str, int]:
        counts = [self.box.counts[of] for of in (self.city, self.supply, *self.hand, *self.eat, *self.scare)]
        totals = [sum(each) + self.cats.count(kind) for kind, each in enumerate(zip(*counts, strict=True))]
        return {**dict(zip(self.box.kinds, totals, strict=True)), wk.QUARTER: 1}

    def victims(self, seat: int) -> int:
        """Return all of a seat's victims as one heap."""
        return self.hand[seat] + self.eat[seat] + self.scare[seat]

    # Words for sentences

    def kind(self, move: Move) -> str:
        return self.box.kinds[move.kind]

    def name(self, slot: int) -> str:
        return f"{self.box.kinds[self.cats[slot]]} cat on space {space_of(slot)}"

    def cat(self) -> str:
        return f"{self.seats[seat_of(self.acting)]}'s {self.name(self.acting)}"

    def acts(self) -> dict[str, Fact]:
        """Return the facts about the acting cat."""
        return {"seat": self.seats[seat_of(self.acting)], "acting": space_of(self.acting)}

    def costs(self, move: Move) -> dict[str, Fact]:
        """Return the facts about the cost of making a cat."""
        base = self.box.coins[move.kind].base
        cost = make_cost(base, move.space)
        costs = {"space": move.space, "claw": self.claw(), "needed": cost, "base": base, "cost": cost}
        return {**self.acts(), "kind": self.kind(move), **costs}

    def heap_text(self, of: int) -> str:
        counts = zip(self.box.counts[of], self.box.kinds, strict=True)
        return ", ".join(some(count, kind) for count, kind in counts if count)


def cat_word(kind: str, heads: int) -> str:
    return kind if heads else f"{kind} tails"


def some(count: int, kind: str) -> str:
    return f"{count or 'no'} {kind}"
