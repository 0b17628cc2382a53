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

from grimalkin.engine import kinds
from grimalkin.engine.kinds import ByPiece, Card, CardSet, Each, Flag, Number, Option, Pile, Plain, Seat, Seats, Word
from grimalkin.engine.law import law
from grimalkin.engine.loading import Laying
from grimalkin.engine.shape import Choice, Path, Shape, Table, Whole
from grimalkin.engine.state import Declared
from grimalkin.engine.words import NO_FACTS, Fact, Refusal, listed, refuse
from grimalkin.games.werecats import facts as wc
from grimalkin.games.werecats.facts import OPTIONS, Box, Cards
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
    return tuple(box.ids[card] for card in kinds.members(box.villagers))


class Cats(Each[int]):
    """The set of each seat's werecats; in records, with the food on each."""

    def __init__(self) -> None:
        about = (
            "The seat's werecats, each with the food on it, or a list of them with no food. One of them is a starting "
            'cat, unless "start" names it.'
        )
        super().__init__(CardSet(about, place="{}'s werecats"))

    def write(self, of: Board, into: dict[str, Any], names: kinds.Names, seat: int) -> None:
        into["cats"] = {names.ids[card]: of.food[card] for card in kinds.members(of.cats[seat])}

    def shapes(self, box: Box) -> dict[str, Shape]:
        starting = tuple(box.ids[card] for card in kinds.members(box.starting))
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
        wc.PHASES,
        wc.CHOOSING,
        "Default: acting; while a seat has no werecat, choosing; when a card is eaten, meal.",
        always=True,
    )
    round = Number(1, "Default: 1.", least=1, always=True)
    first = Seat("The seat that chose its starting cat first (default: the first seat).", always=True)
    turn = Seat(
        "The seat to act (default: what the rules give).",
        key="to-act",
        view="to_act",
        when=(wc.CHOOSING, wc.ACTING, wc.MEAL),
        always=True,
    )
    acting = Card("The werecat whose turn it is (default: the first of all in Turn Order).", when=(wc.ACTING, wc.MEAL))
    used = Flag(
        "Whether the werecat whose turn it is has used a food power in this turn (default: no).",
        when=(wc.ACTING, wc.MEAL),
    )
    eaten = Card("In phase meal: the card just eaten, whose food power may be used.", of=villagers, when=(wc.MEAL,))
    meal = Number(
        0,
        "In phase meal, with Sharing or ReAnimate: food not yet handed out (default: all the card's food).",
        least=1,
        when=(wc.MEAL,),
    )
    scared = Seats("The seats that have scared the City in this round (default: none).", when=(wc.ACTING, wc.MEAL))
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
            return [wc.DONE]
        if asked == wc.SHARE:
            own = kinds.members(self.cats[seat] & ~(1 << self.acting)) if self.meal else []
            vigors = self.box.cards.vigors
            return [*(wc.SHARE | card for card in own if self.food[card] < vigors[card]), wc.DONE]
        if asked == wc.DRAG:
            return [*(wc.DRAG | card for card in sorted(self.city)), wc.DONE]
        if asked == wc.DRAW:
            return [wc.DRAW, wc.DONE]
        payer = self.food[self.starting_of(seat)]
        if asked == wc.AGAIN:
            return [wc.AGAIN, wc.DONE] if payer >= wc.EXTRA_COST else [wc.DONE]
        if payer < wc.REANIMATE_COST:
            return [wc.DONE]
        return [*(wc.REANIMATE | card for card in sorted(self.graveyards[seat])), wc.DONE]

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
            if cats.bit_count() > wc.EVERY_JEWEL and has_every_jewel(self.jewels_of(seat)):
                shows = f"{self.seats[seat]}'s created werecats have all {wc.EVERY_JEWEL} jewels."
                ends.append(("WC-END-3", "five jewels", shows, {"seat": self.seats[seat], "jewels": wc.EVERY_JEWEL}))
        for seat, cats in enumerate(self.cats):
            if cats.bit_count() >= wc.MOST_WERECATS:
                owns = f"{self.seats[seat]} owns {cats.bit_count()} werecats."
                facts: dict[str, Fact] = {"seat": self.seats[seat], "werecats": cats.bit_count()}
                ends.append(("WC-END-2", "eight werecats", owns, facts))
        if not self.deck and not self.under:
            ends.append(("WC-END-1", "empty deck", "The deck is empty.", NO_FACTS))
        if 0 < self.rounds <= self.round:
            agreed = f"The players agreed that round {self.rounds} is the last."
            ends.append(("WC-AMB-27", "last round", agreed, {"rounds": self.rounds}))
        return ends

    # What is refused

    def why_not(self, move: int) -> Refusal | None:
        """Return why a move is not legal, or None. It decides about every move that `read` can return."""
        phase = self.phase
        verb, card = move & wc.VERB_BITS, move & wc.CARD_BITS
        if phase == wc.ENDED:
            text = self.box.texts[move]
            over = f'the game is over, so "{text}" is not allowed'
            for rule, _, why, _ in self.ends():
                return refuse("WC-END-4", f"{over}: {why.removesuffix('.')}", move=text, end=rule)
            return refuse("WC-END-4", over, move=text)
        if phase == wc.CHOOSING or verb == wc.CHOOSE:
            return self._why_not_choose(move)
        if verb in wc.ACTIONS:
            if phase == wc.MEAL:
                return self._why_not_second_action(move)
            if verb in (wc.EAT, wc.CONVERT):
                return self._why_not_overcome(verb, card)
            return self._why_not_scare() if verb == wc.SCARE else None
        return self._why_not_power(verb, card)

    def _why_not_choose(self, move: int) -> Refusal | None:
        card = move & wc.CARD_BITS
        if self.phase != wc.CHOOSING:
            return Refusal("WC-SETUP-1", "players choose starting cats only during set-up, before the first round")
        who = self.seats[self.turn]
        if move & wc.VERB_BITS != wc.CHOOSE:
            text = self.box.texts[move]
            now = f'{who} chooses a starting cat now, so "{text}" is not allowed'
            return refuse("WC-SETUP-1", now, seat=who, move=text)
        if not self.box.starting >> card & 1:
            villager = f"{self.the(card)} is a villager, not a starting cat"
            return refuse("WC-SETUP-1", villager, card=self.box.ids[card])
        if self.column >> card & 1:
            text = f"{self.the(card)} is taken: {self.seats[self.owner_of(card)]} has it"
            return refuse("WC-SETUP-1", text, card=self.box.ids[card], seat=self.seats[self.owner_of(card)])
        return None

    def _why_not_second_action(self, move: int) -> Refusal:
        answers = self.power_moves()
        if answers == [wc.DONE]:
            other = 'only "done" is possible now'
        elif answers == [wc.AGAIN, wc.DONE]:
            other = '"again" buys another action, "done" ends the turn'
        else:
            other = f'only "{wc.POWER_OF_VERB[self.box.asks[self.eaten]].word}" or "done" is possible now'
        text = self.box.texts[move]
        taken = f'{self.cat()} has taken its action, so "{text}" is not allowed; {other}'
        return refuse("WC-ROUND-4", taken, **self.acts(), move=text)

    def _why_not_overcome(self, verb: int, card: int) -> Refusal | None:
        """Return why a villager may not be eaten or converted, or None."""
        if card not in self.city:
            only = f"werecats can eat or convert only villagers in the City; {self.where(card)}"
            return refuse("WC-CITY-1", only, card=self.box.ids[card])
        needed = (self.box.eat_needs if verb == wc.EAT else self.box.convert_needs)[card]
        if needed <= self.strength():
            return None
        force, will = self.box.cards.forces[card], self.box.cards.wills[card]
        if verb == wc.EAT:
            rule, has, facts = "WC-EAT-1", f"Force {force}", {"force": force}
        else:
            rule, has = "WC-CONV-1", f"Force {force} and Will {will}, {force + will} in all"
            facts = {"force": force, "will": will, "resists": force + will}
        weak = f"{self.the(card)} has {has}; {self.strength_text()}, and needs more than {needed - 1}"
        return Refusal(rule, weak, {**self.strength_facts(card), **facts, "needed": needed})

    def _why_not_scare(self) -> Refusal | None:
        if self.scared >> self.turn & 1:
            name = self.seats[self.turn]
            text = f"{name} has already scared the City in round {self.round}; the limit is once a round"
            return refuse("WC-SCARE-3", text, seat=name, round=self.round, limit=1)
        return None

    def _why_not_power(self, verb: int, card: int) -> Refusal | None:
        """Return why a food power may not be used, or None. It is used only right after eating a card that has it."""
        cat = self.cat()
        if self.phase != wc.MEAL:
            return Refusal("WC-EAT-5", f"{cat} has not just eaten a card with a food power", self.acts())
        if verb == wc.DONE:
            return None
        own = wc.POWER_OF_VERB[self.box.asks[self.eaten]]
        if verb != own.verb:
            powers = f"the food power of {self.the(self.eaten)} is {own.name}, not {wc.POWER_OF_VERB[verb].name}"
            return refuse("WC-EAT-5", powers, card=self.box.ids[self.eaten], power=own.name)
        if self.power_is_spent():
            # Two rules forbid this; the refusal names the one that explains more.
            if verb == wc.AGAIN:
                only = f"only the first card of a turn brings another action; {self.the(self.eaten)} is a later one"
                return refuse("WC-PWR-9", only, card=self.box.ids[self.eaten])
            used = f"{cat} has already used a food power this turn, and the limit is 1 a turn"
            return refuse("WC-PWR-8", used, **self.acts(), limit=1)
        if verb == wc.SHARE:
            return self._why_not_share(card)
        if verb == wc.DRAG:
            if card in self.city:
                return None
            only = f"only villagers in the City can be dragged; {self.where(card)}"
            return refuse("WC-PWR-3", only, card=self.box.ids[card])
        if verb == wc.DRAW:
            return None
        payer = self.starting_of(self.turn)
        rule, what, cost = "WC-PWR-7", "ReAnimate", wc.REANIMATE_COST
        if verb == wc.AGAIN:
            rule, what, cost = "WC-PWR-6", "another action", wc.EXTRA_COST
        if self.food[payer] < cost:
            pays = f"{self.name(payer)} has {self.food[payer]} food"
            text = f"{what} costs {cost} food from the starting cat; {pays}"
            return refuse(rule, text, payer=self.box.ids[payer], cost=cost, food=self.food[payer])
        if verb == wc.REANIMATE and card not in self.graveyards[self.turn]:
            who = self.seats[self.turn]
            where = f"the card must be in {who}'s own Graveyard; {self.where(card)}"
            return refuse("WC-PWR-7", where, seat=who, card=self.box.ids[card])
        return None

    def _why_not_share(self, card: int) -> Refusal | None:
        who = self.seats[self.turn]
        if not self.meal:
            return refuse("WC-PWR-2", "this meal brings no food to share", card=self.box.ids[self.eaten])
        if not self.cats[self.turn] >> card & 1:
            own = f"{who} can share food only with their own werecats; {self.where(card)}"
            return refuse("WC-PWR-2", own, seat=who, card=self.box.ids[card])
        cat: dict[str, Fact] = {"seat": who, "cat": self.box.ids[card]}
        if card == self.acting:
            return Refusal("WC-AMB-13", f'food that {who} does not share stays with {self.the(card)}: say "done"', cat)
        vigor = self.box.cards.vigors[card]
        if self.food[card] >= vigor:
            full = f"{self.name(card)} is full: it holds {self.food[card]} food, and its Vigor is {vigor}"
            return refuse("WC-AMB-13", full, **cat, food=self.food[card], vigor=vigor)
        return None

    # What can be counted

    def created_by(self, seat: int) -> int:
        """Return the number of a seat's werecats other than the starting one."""
        return (self.cats[seat] & ~self.box.starting).bit_count()

    def food_of(self, seat: int) -> int:
        """Return the food on all werecats of a seat."""
        return sum(self.food[card] for card in kinds.members(self.cats[seat]))

    def jewels_of(self, seat: int) -> dict[str, int]:
        """Return a seat's number of created werecats of each colour."""
        colours = zip(self.box.colours, self.box.with_jewel, strict=True)
        return {colour: (self.cats[seat] & jewel).bit_count() for colour, jewel in colours}

    def owner_of(self, cat: int) -> int:
        for seat, cats in enumerate(self.cats):
            if cats >> cat & 1:
                return seat
        return wc.NOBODY

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
