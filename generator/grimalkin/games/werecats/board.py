"""The table of a game of Werecats: what lies on it, how far the game has come, and what follows from both.

The deck has no order: it is the set of villagers that nobody has seen, above the cards that a Scare put under it, in
order. An unseen card is drawn when it is turned up.

In the facts of events and refusals, `seat` is a name, `cat` the werecat of that seat that acts or gets food, with
`cat-force`, and `card` the card that is eaten, converted or mentioned, with `force` and `will`; `food` is the food on
`cat` or on `payer`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from grimalkin.engine.kinds import (
    ByPiece,
    Card,
    CardSet,
    Each,
    Flag,
    Names,
    Number,
    Option,
    Pile,
    Plain,
    Seat,
    Seats,
    Word,
    members,
)
from grimalkin.engine.law import law
from grimalkin.engine.loading import Laying
from grimalkin.engine.shape import Choice, Path, Shape, Table, Whole
from grimalkin.engine.state import Declared
from grimalkin.engine.words import (
    NO_FACTS,
    Fact,
    listed,
)
from grimalkin.games.werecats.facts import (
    ACTING,
    AGAIN,
    CHOOSING,
    DONE,
    DRAG,
    DRAW,
    EVERY_JEWEL,
    EXTRA_COST,
    MEAL,
    MOST_WERECATS,
    NOBODY,
    OPTIONS,
    PHASES,
    REANIMATE,
    REANIMATE_COST,
    SHARE,
    Box,
    Cards,
)
from grimalkin.games.werecats.scoring import has_every_jewel


@law("WC-AMB-16", "WC-AMB-25")
class View(NamedTuple):
    """A seat's view, which shows everything except the order of the deck. Graveyards and scared cards were once open,
    so everybody may see them. Cards are numbers, and sets of cards are bit masks."""

    seat: int
    cards: Cards
    to_act: int
    phase: int
    round: int
    rounds: int
    """The last round, or 0."""
    first: int
    """The seat that chose first."""
    acting: int
    """The werecat whose turn it is, or NOTHING."""
    eaten: int
    """While a power may be used, the card just eaten; otherwise NOTHING."""
    meal: int
    """Food from that card that has not been handed out yet."""
    used: bool
    """Whether the acting werecat has used a food power in this turn."""
    scared: int
    """The set of seats that have scared the City in this round, as a bit mask."""
    cats: tuple[int, ...]
    """The set of each seat's werecats."""
    food: tuple[int, ...]
    """The food on each card."""
    graveyards: tuple[tuple[int, ...], ...]
    city: tuple[int, ...]
    """The oldest first."""
    deck: int
    """The set of villagers in the deck that nobody has seen."""
    under: tuple[int, ...]
    """The known cards under them, the top one first."""


def villagers(box: Box) -> tuple[str, ...]:
    return tuple(box.ids[card] for card in members(box.villagers))


class Cats(Each[int]):
    """The set of each seat's werecats; in records, with the food on each."""

    def __init__(self) -> None:
        about = (
            "The seat's werecats, each with the food on it, or a list of them with no food. One of them is a starting "
            'cat, unless "start" names it.'
        )
        super().__init__(CardSet(about, place="{}'s werecats"))

    def write(self, of: Board, into: dict[str, Any], names: Names, seat: int) -> None:
        into["cats"] = {names.ids[card]: of.food[card] for card in members(of.cats[seat])}

    def shapes(self, box: Box) -> dict[str, Shape]:
        starting = tuple(box.ids[card] for card in members(box.starting))
        return {
            "start": Choice(starting, "The seat's starting cat, with no food."),
            "cats": Table(Whole(), tuple(box.ids), self.about, listed=0, load="food"),
        }

    def lay(self, into: Board, record: Mapping[str, Any], at: Path, reading: Laying, whose: str = "") -> None:
        numbers = into.box.numbers
        for seat, (name, has) in enumerate(record["seats"].items()):
            cats = dict(has.get("cats", {}))
            if has.get("start") in cats:
                again = f"{has['start']} is among the cats too"
                reading.wrong(("seats", name, "start"), again, "name it in one place")
            elif "start" in has:
                cats[has["start"]] = 0
            into.cats[seat] = self.inner.read(cats, ("seats", name, "cats"), reading, name)
            into.column |= into.cats[seat]
            for id_, food in cats.items():
                into.food[numbers[id_]] = food


class Board(Declared[Box, View]):
    """A game of Werecats in progress, as far as it shows on the table."""

    phase = Word(
        PHASES,
        CHOOSING,
        "Default: acting; while a seat has no werecat, choosing; when a card is eaten, meal.",
        always=True,
    )
    round = Number(1, "Default: 1.", least=1, always=True)
    first = Seat("The seat that chose its starting cat first (default: the first seat).", always=True)
    turn = Seat(
        "The seat to act (default: what the rules give).",
        key="to-act",
        view="to_act",
        when=(CHOOSING, ACTING, MEAL),
        always=True,
    )
    acting = Card("The werecat whose turn it is (default: the first of all in Turn Order).", when=(ACTING, MEAL))
    used = Flag(
        "Whether the werecat whose turn it is has used a food power in this turn (default: no).", when=(ACTING, MEAL)
    )
    eaten = Card("In phase meal: the card just eaten, whose food power may be used.", of=villagers, when=(MEAL,))
    meal = Number(
        0,
        "In phase meal, with Sharing or ReAnimate: food not yet handed out (default: all the card's food).",
        least=1,
        when=(MEAL,),
    )
    scared = Seats("The seats that have scared the City in this round (default: none).", when=(ACTING, MEAL))
    rounds = Option(OPTIONS, "rounds", 0)
    city = Pile("The villagers in the City, the oldest first (default: none).", of=villagers, place="the City")
    deck = CardSet(
        "The villagers in the deck that nobody has seen, in any order (default: every villager that is nowhere "
        "else). If it is written, villagers that are nowhere are out of this game.",
        of=villagers,
        place="the deck",
    )
    under = Pile(
        "The known cards under the deck, the top one first (default: none).", of=villagers, place="under the deck"
    )
    cats = Cats()
    food = ByPiece()
    graveyards = Each(
        Pile(
            "The villagers in the seat's Graveyard, the oldest first (default: none).",
            of=villagers,
            place="{}'s Graveyard",
        ),
        key="graveyard",
    )
    column = Plain(0)
    """The set of all werecats."""

    def begin(self) -> None:
        self.deck = self.box.villagers

    # What is possible

    def power_moves(self) -> list[int]:
        seat, asked = self.turn, self.box.asks[self.eaten]
        if self.power_is_spent():
            return [DONE]
        if asked == SHARE:
            own = members(self.cats[seat] & ~(1 << self.acting)) if self.meal else []
            vigors = self.box.cards.vigors
            return [*(SHARE | card for card in own if self.food[card] < vigors[card]), DONE]
        if asked == DRAG:
            return [*(DRAG | card for card in sorted(self.city)), DONE]
        if asked == DRAW:
            return [DRAW, DONE]
        payer = self.food[self.starting_of(seat)]
        if asked == AGAIN:
            return [AGAIN, DONE] if payer >= EXTRA_COST else [DONE]
        if payer < REANIMATE_COST:
            return [DONE]
        return [*(REANIMATE | card for card in sorted(self.graveyards[seat])), DONE]

    def power_is_spent(self) -> bool:
        """Return whether a power was used in this turn before the card just eaten, whose power is then lost (WC-PWR-8).

        Sharing that has begun may continue; it can be recognised by the food already handed out.
        """
        return self.used and self.meal in (0, self.box.cards.corpulences[self.eaten])

    def strength(self) -> int:
        """Return the Force of the acting cat if it spends all its food."""
        return self.box.cards.forces[self.acting] + self.food[self.acting]

    def ends(self) -> list[tuple[str, str, str, Mapping[str, Fact]]]:
        """Return the reasons for this round to be the last, as of now: (rule, word for a tally, sentence, facts)."""
        ends: list[tuple[str, str, str, Mapping[str, Fact]]] = []
        for seat, cats in enumerate(self.cats):
            if cats.bit_count() > EVERY_JEWEL and has_every_jewel(self.jewels_of(seat)):
                shows = f"{self.seats[seat]}'s created werecats have all {EVERY_JEWEL} jewels."
                ends.append(("WC-END-3", "five jewels", shows, {"seat": self.seats[seat], "jewels": EVERY_JEWEL}))
        for seat, cats in enumerate(self.cats):
            if cats.bit_count() >= MOST_WERECATS:
                owns = f"{self.seats[seat]} owns {cats.bit_count()} werecats."
                facts: dict[str, Fact] = {"seat": self.seats[seat], "werecats": cats.bit_count()}
                ends.append(("WC-END-2", "eight werecats", owns, facts))
        if not self.deck and not self.under:
            ends.append(("WC-END-1", "empty deck", "The deck is empty.", NO_FACTS))
        if 0 < self.rounds <= self.round:
            agreed = f"The players agreed that round {self.rounds} is the last."
            ends.append(("WC-AMB-27", "last round", agreed, {"rounds": self.rounds}))
        return ends

    # What can be counted

    def created_by(self, seat: int) -> int:
        """Return the number of a seat's werecats other than the starting one."""
        return (self.cats[seat] & ~self.box.starting).bit_count()

    def food_of(self, seat: int) -> int:
        """Return the food on all werecats of a seat."""
        return sum(self.food[card] for card in members(self.cats[seat]))

    def jewels_of(self, seat: int) -> dict[str, int]:
        """Return a seat's number of created werecats of each colour."""
        colours = zip(self.box.colours, self.box.with_jewel, strict=True)
        return {colour: (self.cats[seat] & jewel).bit_count() for colour, jewel in colours}

    def owner_of(self, cat: int) -> int:
        for seat, cats in enumerate(self.cats):
            if cats >> cat & 1:
                return seat
        return NOBODY

    def starting_of(self, seat: int) -> int:
        return (self.cats[seat] & self.box.starting).bit_length() - 1

    # Words for sentences

    def the(self, card: int) -> str:
        """Return a card as sentences name it: a villager by its id, as in moves, a starting cat by its name."""
        cards = self.box.cards
        return f"the {cards.ids[card].replace('-', ' ')}" if cards.jewels[card] else cards.names[card]

    def name(self, cat: int) -> str:
        """Return the name of a werecat, with that of its seat."""
        return f"{self.seats[self.owner_of(cat)]}'s {self.the(cat).removeprefix('the ')}"

    def cat(self) -> str:
        return self.name(self.acting)

    def acts(self) -> dict[str, Fact]:
        """Return the facts about the acting werecat."""
        return {"seat": self.seats[self.turn], "cat": self.box.ids[self.acting]}

    def names(self, cards: Sequence[int]) -> str:
        return listed([self.the(card) for card in cards])

    def ids_of(self, cards: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.box.ids[card] for card in cards)

    def strength_text(self) -> str:
        force, food = self.box.cards.forces[self.acting], self.food[self.acting]
        return f"{self.cat()} has Force {force} and {food} food, {force + food} in all"

    def strength_facts(self, card: int) -> dict[str, Fact]:
        """Return the facts about the acting werecat's strength against a card."""
        force, food = self.box.cards.forces[self.acting], self.food[self.acting]
        cat = {"cat-force": force, "food": food, "strength": self.strength()}
        return {**self.acts(), **cat, "card": self.box.ids[card]}

    def where(self, card: int) -> str:
        """Return where a card lies, as a clause."""
        the = self.the(card)
        if self.column >> card & 1:
            return f"{the} is {self.seats[self.owner_of(card)]}'s werecat"
        for seat, cards in enumerate(self.graveyards):
            if card in cards:
                return f"{the} is in {self.seats[seat]}'s Graveyard"
        if card in self.city:
            return f"{the} is in the City"
        if self.deck >> card & 1 or card in self.under:
            return f"{the} is in the deck"
        return f"{the} is not in this game"
