"""Cats at supper: cards laid face down, the strongest takes them all, and who is full is slow.

Facts, positions and lines of notation in; moves, refusals, events and scores out. Hands and the pile are hidden.

A card is the number of its place by power, from 0, and a move is the card that is laid. Set-up deals the cards, and
after a supper more are drawn: that is all the chance there is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from grimalkin.engine.chance import Chance, Scripted
from grimalkin.engine.contract import Facts
from grimalkin.engine.law import By, gather, law
from grimalkin.engine.loading import Loading, made_once, seat_misfits
from grimalkin.engine.play import random_bot
from grimalkin.engine.shape import Choice, Listing, Misfit, Misfits, Record, Table, Text
from grimalkin.engine.words import (
    OVER,
    Event,
    Line,
    Refusal,
    Result,
    Score,
    Tally,
    Unreadable,
    find_typed,
    listed,
    typed,
)

# Facts

SEATS: Final = (2, 4)
HAND: Annotated[int, By("NG-SETUP-1")] = 3
NOTHING: Final = -1
"""Where no card lies, and who has taken no supper."""
OPTIONS: Final = Record({})
DRAWS: Final[Mapping[str, str]] = {
    "deal": "a card that is dealt, to one seat after the other",
    "draw": "a card that is drawn after a supper",
}
"""The label of everything that chance gives, with what is drawn."""
SIMULATION: Final[Mapping[str, Any]] = {}
MOST_DECISIONS: Final = 99
"""Each card is laid at most once, and no box has more."""


class Box(NamedTuple):
    """The cards of a box by their numbers: ids, names, powers and fish."""

    ids: tuple[str, ...]
    names: tuple[str, ...]
    powers: tuple[int, ...]
    fish: tuple[int, ...]


@made_once
def box_of(components: Mapping[str, Mapping[str, Any]]) -> Box:
    """The box that the content describes, made once for all games with it."""
    rows = sorted(components.items(), key=lambda row: row[1]["power"])
    return Box(
        tuple(id_ for id_, _ in rows),
        tuple(row["name"] for _, row in rows),
        tuple(row["power"] for _, row in rows),
        tuple(row["fish"] for _, row in rows),
    )


def check_facts(facts: Facts) -> list[Misfit]:
    """What is wrong with the cards as cards of this game."""
    first: dict[int, str] = {}
    misfits = []
    for id_, row in facts["components"].items():
        other = first.setdefault(row["power"], id_)
        if other != id_:
            misfits.append(Misfit(("components", id_), f"{other} has the power {row['power']} too", "each has its own"))
        if row["count"] != 1:
            misfits.append(Misfit(("components", id_), f"there are {row['count']} of it", "there is one of each cat"))
    if len(first) < SEATS[1] * HAND:
        least = SEATS[1] * HAND
        misfits.append(Misfit(("components", next(iter(first.values()))), f"{len(first)} cats", f"at least {least}"))
    return misfits


# State


class View(NamedTuple):
    """What a seat may know: its own cards, and of the others only what lies face up, and how many cards they hold."""

    seat: int
    hand: tuple[int, ...]
    laid: int
    sizes: tuple[int, ...]
    has_laid: tuple[bool, ...]
    taken: tuple[tuple[int, ...], ...]
    full: int
    fish: tuple[int, ...]
    """Of each card of the box."""


class State:
    """A game in progress. Hands, taken cards and the pile are sorted lists of cards; `laid` is a card of each seat."""

    __slots__ = ("box", "chance", "full", "hands", "laid", "pile", "seats", "taken")

    def __init__(self, box: Box, seats: Sequence[str], chance: Chance) -> None:
        self.box = box
        self.seats = tuple(seats)
        self.chance = chance
        self.pile: list[int] = []
        self.hands: list[list[int]] = [[] for _ in seats]
        self.laid = [NOTHING] * len(seats)
        self.taken: list[list[int]] = [[] for _ in seats]
        self.full = NOTHING
        """The seat that took the last supper."""

    def to_act(self) -> int:
        for seat, card in enumerate(self.laid):
            if card == NOTHING and self.hands[seat]:
                return seat
        return OVER

    def turn_key(self) -> int:
        return self.laid.count(NOTHING)

    def legal(self) -> list[int]:
        seat = self.to_act()
        return [] if seat == OVER else self._may_lay(seat, self.hands[seat])

    def why_not(self, move: int) -> Refusal | None:
        seat, name = self.to_act(), self.box.names[move]
        if seat == OVER:
            return Refusal("NG-PLAY-1", "the game is over, and all hands are empty")
        if move not in self.hands[seat]:
            return Refusal("NG-PLAY-1", f"{name} is not in the hand of {self.seats[seat]}")
        if move not in self._may_lay(seat, self.hands[seat]):
            power = self.box.powers[move]
            because = f"{self.seats[seat]} is full from the last supper, and {name}, power {power}, is the highest card"
            return Refusal("NG-PLAY-2", because, {"power": power})
        return None

    @law("NG-CASE-1")
    def _may_lay(self, seat: int, hand: list[int]) -> list[int]:
        """The cards of a hand that a seat may lay: all but the highest when it is full, unless there is no other."""
        return hand[:-1] if seat == self.full and len(hand) > 1 else hand[:]

    def apply(self, move: int, log: list[Event] | None = None) -> None:
        log = [] if log is None else log
        seat = self.to_act()
        self.hands[seat].remove(move)
        self.laid[seat] = move
        name = self.seats[seat]
        told = f"{name} lays {self.box.names[move]}."
        log.append(Event("NG-PLAY-1", told, frozenset([seat]), f"{name} lays a card.", {"card": self.box.ids[move]}))
        if NOTHING not in self.laid:
            self._eat(log)

    def _eat(self, log: list[Event]) -> None:
        """The strongest takes all; then everybody draws, if there is enough."""
        strongest = max(self.laid)
        self.full = self.laid.index(strongest)
        winner = self.seats[self.full]
        laid = [self.box.names[card] for card in sorted(self.laid)]  # whose each was, no view shows: it is not told
        told = f"{winner} takes {listed(laid)}, with {self.box.names[strongest]} as the strongest."
        log.append(Event("NG-PLAY-3", told, facts={"power": self.box.powers[strongest]}))
        self.taken[self.full] = sorted([*self.taken[self.full], *self.laid])
        self.laid = [NOTHING] * len(self.seats)
        if len(self.pile) >= len(self.seats):
            self._draw("draw", "NG-PLAY-4", log)
        if self.to_act() == OVER:
            log.append(Event("NG-END-1", "All hands are empty, and the game is over."))

    def _draw(self, label: str, rule: str, log: list[Event]) -> None:
        """Everybody draws a card."""
        for seat, hand in enumerate(self.hands):
            card = _drawn(self.chance, label, self.pile, self.box)
            hand.append(card)
            hand.sort()
            name = self.seats[seat]
            told = f"{name} draws {self.box.names[card]}."
            log.append(Event(rule, told, frozenset([seat]), f"{name} draws a card.", {"card": self.box.ids[card]}))

    def view(self, seat: int) -> View:
        return View(
            seat,
            tuple(self.hands[seat]),
            self.laid[seat],
            tuple(map(len, self.hands)),
            tuple(card != NOTHING for card in self.laid),
            tuple(map(tuple, self.taken)),
            self.full,
            self.box.fish,
        )

    def imagine(self, seat: int, chance: Chance) -> State:
        """What this seat does not see is drawn anew. Of each hand, only what may be laid can have been laid."""
        other = self.clone()
        others = [each for each in range(len(self.seats)) if each != seat]
        hidden = [card for each in others for card in (*self.hands[each], self.laid[each]) if card != NOTHING]
        unseen = sorted([*self.pile, *hidden])
        for each in others:
            count = len(self.hands[each]) + (self.laid[each] != NOTHING)
            cards = sorted(chance.take("imagined", unseen) for _ in range(count))
            if self.laid[each] != NOTHING:
                other.laid[each] = chance.pick("imagined", self._may_lay(each, cards))
                cards.remove(other.laid[each])
            other.hands[each] = cards
        other.pile = unseen
        return other

    def score(self) -> list[Score]:
        scores = []
        for name, cards in zip(self.seats, self.taken, strict=True):
            fish = sum(self.box.fish[card] for card in cards)
            scores.append(Score(name, (Line("NG-END-2", "fish", fish, 1, fish),)))
        return scores

    def result(self) -> Result | None:
        if self.to_act() != OVER:
            return None
        most = max(score.total for score in self.score())
        equal = [seat for seat, score in enumerate(self.score()) if score.total == most]
        winner = max(equal, key=lambda seat: max(self.taken[seat], default=NOTHING))
        because = f"most points: {most}"
        if len(equal) > 1:
            because += f", and of {listed([self.seats[seat] for seat in equal])} the strongest single cat"
        return Result((self.seats[winner],), ("NG-END-3",), because, facts={"points": most})

    def position(self) -> dict[str, Any]:
        record: dict[str, Any] = {"pile": self._ids(self.pile)}
        if self.full != NOTHING:
            record["full"] = self.seats[self.full]
        record["seats"] = {name: self._of_seat(seat) for seat, name in enumerate(self.seats)}
        return record

    def _of_seat(self, seat: int) -> dict[str, Any]:
        laid = {} if self.laid[seat] == NOTHING else {"laid": self.box.ids[self.laid[seat]]}
        return {"hand": self._ids(self.hands[seat]), **laid, "taken": self._ids(self.taken[seat])}

    def _ids(self, cards: Iterable[int]) -> list[str]:
        return [self.box.ids[card] for card in cards]

    def pieces(self) -> Mapping[str, int]:
        heaps = [self.pile, self.laid, *self.hands, *self.taken]
        return {self.box.ids[card]: 1 for heap in heaps for card in heap if card != NOTHING}

    def key(self) -> tuple[Any, ...]:
        hands, taken = tuple(map(tuple, self.hands)), tuple(map(tuple, self.taken))
        return self.seats, tuple(self.pile), hands, tuple(self.laid), taken, self.full

    def clone(self) -> State:
        other = State(self.box, self.seats, self.chance.clone())
        other.pile, other.laid, other.full = self.pile[:], self.laid[:], self.full
        other.hands, other.taken = [cards[:] for cards in self.hands], [cards[:] for cards in self.taken]
        return other


def _drawn(chance: Chance, label: str, pile: list[int], box: Box) -> int:
    """A card out of the pile. A script names it by its id, so chance is asked for an id."""
    card = box.ids.index(chance.pick(label, [box.ids[card] for card in pile]))
    pile.remove(card)
    return card


def start(
    facts: Facts,
    seats: Sequence[str],
    options: Mapping[str, Any],
    chance: Chance,
    log: list[Event] | None = None,
) -> State:
    """A new game: three cards for everybody."""
    misfits = [*seat_misfits(seats, SEATS), *OPTIONS.read(dict(options))[1]]
    if misfits:
        raise Misfits(misfits)
    box = box_of(facts)
    state = State(box, seats, chance)
    state.pile = list(range(len(box.ids)))
    for seat, name in enumerate(state.seats):
        hand = sorted(_drawn(chance, "deal", state.pile, box) for _ in range(HAND))
        state.hands[seat] = hand
        if log is not None:
            told = f"{name} is dealt {listed([box.names[card] for card in hand])}."
            cards = {"cards": tuple([box.ids[card] for card in hand])}
            log.append(Event("NG-SETUP-1", told, frozenset([seat]), f"{name} is dealt {HAND} cards.", cards))
    return state


def tally(state: State) -> Tally:
    """What a simulation counts of a finished game."""
    points = [score.total for score in state.score()]
    return Tally({"suppers": sum(map(len, state.taken)) // len(state.seats)}, tuple({"fish": fish} for fish in points))


# Positions


def position_shape(facts: Facts) -> Record:
    """What the record of a position looks like."""
    card = Choice(box_of(facts).ids)
    seat = Record(
        {},
        {
            "hand": Listing(card, describe="The cards in the hand."),
            "laid": Choice(card.words, "The card that is laid, face down."),
            "taken": Listing(card, describe="The cards that were taken, face up."),
        },
    )
    pile = Listing(card, describe="The cards in the pile. What is named nowhere is not part of the game.")
    return Record(
        {"seats": Table(seat, describe="By name, clockwise from the first player.")},
        {"full": Text("Who took the last supper."), "pile": pile},
    )


def load(facts: Facts, position: Mapping[str, Any], chance: Chance | None = None) -> State:
    """The state that a position record describes. Raises Misfits."""
    record, misfits = position_shape(facts).read(position)
    if misfits:
        raise Misfits(misfits)
    misfits = seat_misfits(tuple(record["seats"]), SEATS)
    if misfits:
        raise Misfits(misfits)
    box = box_of(facts)
    loading = Loading(State(box, tuple(record["seats"]), chance or Scripted()), record)
    state, where = loading.state, dict[str, str]()

    def cards(ids: Iterable[str], *at: str) -> list[int]:
        for id_ in ids:
            first = where.setdefault(id_, " ".join(at))
            if first != " ".join(at) or list(ids).count(id_) > 1:
                loading.wrong(at, f"{id_} lies here and in {first}", "there is one of each cat")
        return sorted(map(box.ids.index, ids))

    state.pile = cards(record.get("pile", ()), "pile")
    for seat, (name, has) in enumerate(record["seats"].items()):
        state.hands[seat] = cards(has.get("hand", ()), "seats", name, "hand")
        state.taken[seat] = cards(has.get("taken", ()), "seats", name, "taken")
        for card in cards([has["laid"]] if "laid" in has else [], "seats", name, "laid"):
            state.laid[seat] = card
    if "full" in record:
        state.full = loading.number(record["full"], "full")
    if NOTHING not in state.laid:
        loading.wrong("seats", "everybody has laid a card", "turn them over: who is the strongest takes them")
    if len({len(hand) + (card != NOTHING) for hand, card in zip(state.hands, state.laid, strict=True)}) > 1:
        loading.wrong("seats", "the hands are not equally large", "who has laid a card has one less")
    return loading.finish()


# Notation


def every_move(facts: Facts) -> list[int]:
    """Every card."""
    return list(range(len(box_of(facts).ids)))


def read(text: str, state: State) -> list[int]:
    """`lay queen`, or the whole name of the cat."""
    known = {id_: card for card, id_ in enumerate(state.box.ids)}
    known |= {typed(name): card for card, name in enumerate(state.box.names)}
    moves = []
    for part in text.split(","):
        verb, _, words = typed(part).partition(" ")
        card = find_typed(words, known)
        if verb != "lay" or card is None:
            raise Unreadable(f'"{part}" is no move; write "lay" and the id of a card, as in "lay {state.box.ids[0]}"')
        moves.append(card)
    return moves


def write(moves: Sequence[int], state: State, reader: int | None = None) -> str:
    """What is laid face down is read by nobody but who lays it."""
    shown = reader is None or reader == state.to_act()
    return ", ".join(f"lay {state.box.ids[move] if shown else '?'}" for move in moves)


# Bots


def sensible_bot(_: int) -> Callable[[View, list[int]], int]:
    """Lays its strongest card while it has the fewest suppers, and else the one with the least to lose."""

    def bot(view: View, legal: list[int]) -> int:
        behind = sum(view.fish[card] for card in view.taken[view.seat]) * len(view.taken) <= sum(
            view.fish[card] for cards in view.taken for card in cards
        )
        return max(legal) if behind else min(legal, key=lambda card: (view.fish[card], card))

    return bot


BOTS: Final[Mapping[str, Callable[[int], Callable[[View, list[int]], int]]]] = {
    "random": random_bot,
    "sensible": sensible_bot,
}
LAWS: Final = gather("NG", sys.modules[__name__])
REFUSALS: Final = frozenset({"NG-PLAY-1", "NG-PLAY-2"})

if TYPE_CHECKING:
    from grimalkin.engine.contract import GameOf

    from new_game import engine

    _this: GameOf[State, int, View] = engine
