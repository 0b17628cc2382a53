"""A game of Curses & Covens in progress: what is allowed, what happens, what can be seen.

The deck is never put in an order: a card is drawn by chance when it comes. Only the cards laid under it lie in one,
until the Hunter shuffles.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from grimalkin.engine.chance import Chance
from grimalkin.engine.contract import Facts
from grimalkin.engine.loading import seat_misfits
from grimalkin.engine.shape import Misfits
from grimalkin.engine.words import OVER, Event, Line, Refusal, Result, Score, Tally
from grimalkin.games.curses_and_covens import events, refusals
from grimalkin.games.curses_and_covens.facts import (
    ACT,
    ALL,
    ANNOUNCE,
    ANSWER,
    ANSWERS,
    ARRIVAL,
    BROKEN_MIRROR,
    BY_CAPTURES,
    BY_COVEN,
    BY_NOBODY,
    BY_RITUALS,
    CARD_BITS,
    CARD_SHIFT,
    CAST,
    CENSUS,
    CHARM,
    CHARMS,
    COVEN,
    CURSE,
    DEAL,
    DEAL_NOTHING,
    DEALS,
    EMPTY,
    END,
    ENDED,
    ENDINGS,
    FORKED_PATH,
    GOES_ON,
    HAND,
    HUNT,
    HUNTER,
    LEAVE,
    LOOKING_GLASS,
    LULLABY,
    NIGHTMARE,
    NIGHTMARE_PICKS,
    NO_SPELL,
    NOBODY,
    NONE,
    NOTHING,
    OPTIONS,
    PASS,
    PHASES,
    PICK,
    PICKS,
    QUESTION,
    RITUAL,
    RITUALS_TO_WIN,
    SEAT_BITS,
    SEATS,
    SHUFFLE,
    SIDES,
    SPELLS,
    TILES,
    TOWNSFOLK,
    TRAVEL,
    UNDER,
    UNSEEN,
    VERB_SHIFT,
    WILD_CHASE,
    WILD_CHASE_LAPS,
    WILD_CHASE_PICKS,
    WITCHES_TO_WIN,
    Box,
    Cards,
    Tile,
    box_of,
    move_of,
)
from grimalkin.games.curses_and_covens.knowledge import (
    ARRIVED,
    ASKED,
    CASTING,
    CAUGHT,
    DEALT,
    DECK,
    DREW,
    ESCAPED,
    FLIPPED,
    GAVE,
    HATTED,
    HIDDEN,
    IN_WOODS,
    LAID,
    LOOKED,
    NOWHERE,
    PASSED,
    PICKED,
    SAID,
    SHOWN,
    SHUFFLED,
    SLIPPED,
    SWAPPED,
    TAKEN,
    TRAPPED,
    TRAY,
    UNDER_DECK,
    Entry,
    Known,
    Mind,
    other_world,
    write_entry,
)

IN_THE_WOODS: Final = "woods"
ON_THE_TRAY: Final = "tray"
PICKED_CARD: Final = "pick"
"""Labels of draws. A card that goes to a town is drawn under the name of that town."""


class View(NamedTuple):
    """What a seat sees (CC-AMB-18). Cards are numbers, as in `cards`; spells are places in SPELLS."""

    seat: int
    cards: Cards
    tiles: tuple[Tile, ...]
    names: tuple[str, ...]
    to_act: int
    round: int
    rounds: int
    """The last round, or 0."""
    phase: int
    """A place in PHASES."""
    stage: int
    """What the seat to act has to do: ANNOUNCE, QUESTION, DEAL, ACT, ANSWER, PICK, PASS, EMPTY or END."""
    hand: tuple[int, ...]
    sizes: tuple[int, ...]
    """By seat: how many cards it has in hand."""
    witches: tuple[int, ...]
    """In front of the Witch Hunter, in the order in which they came."""
    rituals: tuple[int, ...]
    sides: tuple[int, ...]
    """By tile: the side that is up, CHARM or CURSE; NOTHING for a tile left in the box."""
    cast: int
    """The spell cast this round, or NO_SPELL."""
    castable: tuple[int, ...]
    """In a Census: the spells for which one town shows the icons."""
    hat: int
    talk: tuple[str, ...]
    deck: int
    """How many cards lie in the deck in no known order,"""
    under: int
    """and how many below them."""
    served: int
    """In Arrival: how many towns are done with,"""
    service: tuple[int, ...]
    """and all towns in the order in which they are served this round."""
    tray: tuple[int, ...]
    """In an Arrival of choice: what the Witch Hunter looks at. For a town, those that it knows to lie there first, and
    the others UNSEEN."""
    acted: int
    """In Travel: how many towns, from the hat on, are done with,"""
    lap: int
    """in which lap,"""
    again: bool
    """and whether the hat's first action of a Forked Path is done."""
    acting: int
    """In Travel: the town on turn, also while another answers it; or NOBODY."""
    picks: int
    """In a Hunt: picks made, with the one under way."""
    first: int
    """In a Hunt: the town of the first pick, or NOBODY."""
    taken: int
    """In a Hunt: the card shown that does not lie anywhere yet, or NOTHING,"""
    taken_from: int
    """and from which town it came, or NOBODY."""
    ending: int
    """How the game ended: GOES_ON, BY_COVEN, BY_RITUALS, BY_CAPTURES or BY_NOBODY."""
    log: tuple[Entry, ...]
    """The history, with every card that this seat did not see as UNSEEN."""
    known: Known


class State:
    """A game of Curses & Covens in progress. The tiles begin with the charm up (CC-SETUP-3), the hat in front of the
    town on the Hunter's left (CC-SETUP-8)."""

    __slots__ = (
        "acted",  # in Travel: how many towns, from the hat on, are done with in this lap
        "again",  # in Travel: whether the hat's first action of a Forked Path is done
        "box",
        "cast",  # spell cast this round, or NO_SPELL
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
        "sides",  # by tile: the side that is up; NOTHING for a tile left in the box
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

    def __init__(self, box: Box, seats: tuple[str, ...], options: Mapping[str, Any], chance: Chance) -> None:
        self.box = box
        self.seats = seats
        self.table = box.tables[len(seats)]
        self.chance = chance
        self.limit: int = options.get("rounds", 0)
        tiles = options.get("tiles", ALL)
        self.sides = [NOTHING if tiles in (NONE, f"no-{tile}") else CHARM for tile in TILES]
        self.round = 1
        self.phase = CENSUS
        self.stage = ANNOUNCE
        self.turn = 1
        self.hands: list[list[int]] = [[] for _ in seats]
        self.woods = NOTHING
        self.pool = box.card_ids[:]
        self.under: list[int] = []
        self.witches: list[int] = []
        self.rituals: list[int] = []
        self.cast = NO_SPELL
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
        self.ending = GOES_ON
        self.history: list[Entry] = []
        self.origin = ([0] * len(seats), 0, 0)
        self.minds: list[Mind | None] = [None] * len(seats)

    def clone(self) -> State:
        return self._copy(self.chance.clone())

    def _copy(self, chance: Chance) -> State:
        other = State.__new__(State)
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

    def to_act(self) -> int:
        return self.turn

    def turn_key(self) -> tuple[int, ...]:
        """A turn is what one town announces in a Census, one question, all that is dealt in an Arrival of choice, one
        action, one answer, one pick with its card passed on, or all that one town lays under the deck."""
        stage, pick = self.stage, self.picks
        if stage == PASS:  # a part of the pick under way
            stage, pick = PICK, pick - 1
        served = self.served if stage == QUESTION else 0
        return self.round, self.phase, stage, served, self.lap, self.acted, self.again, pick

    def acting(self) -> int:
        """In Travel, the town on turn: clockwise from the hat on (CC-TRAV-1)."""
        return (self.hat - 1 + self.acted) % (len(self.hands) - 1) + 1

    def picks_allowed(self) -> int:
        """How many picks this Hunt has (CC-HUNT-1)."""
        if self.cast == NIGHTMARE:
            return NIGHTMARE_PICKS
        return WILD_CHASE_PICKS if self.cast == WILD_CHASE else PICKS

    def is_arrival_of_choice(self) -> bool:
        """Whether the Hunter gives out cards by choice this round (CC-ARR-2, CC-CURSE-2)."""
        return self.cast == BROKEN_MIRROR or bool(self.rituals)

    def service(self) -> list[int]:
        """The towns in the order in which they are served in Arrival: from the Hunter's left (CC-ARR-1, CC-AMB-20),
        under a Lullaby the one with the hat first (CC-CHARM-1)."""
        return self.table.service[self.hat if self.cast == LULLABY else 0]

    # What is allowed

    def legal(self) -> list[int]:
        """Every legal small move but talk, in the order of `every_move`."""
        stage, turn = self.stage, self.turn
        if stage == ACT:
            hands, table = self.hands, self.table
            hand = hands[turn]
            moves: list[int] = []
            if len(hand) > 1:
                gives = table.gives[turn]
                for card in hand:
                    moves += gives[card]
            if hands.count([]) == 1:  # the Witch Hunter's, so that every town can be asked
                moves += table.asks[turn]
            else:
                moves += [ask for ask in table.asks[turn] if hands[ask & SEAT_BITS]]
            woods = self.box.woods
            return moves + [woods[card] for card in hand]
        if stage == PICK:
            hands = self.hands
            barred = self.barred()
            return [pick for town, pick in enumerate(self.table.picks, 1) if hands[town] and town != barred]
        if stage == ANNOUNCE:
            if self.cast != NO_SPELL or self.talk:
                return self.table.hats[:]
            return [move_of(CAST, spell) for spell in self.castable()] + self.table.hats
        if stage == QUESTION:
            return [SHUFFLE << VERB_SHIFT, LEAVE << VERB_SHIFT]
        if stage == ANSWER:
            verb = move_of(ANSWERS)
            return [verb + (card << CARD_SHIFT) for card in self.hands[turn]]
        if stage == PASS:
            return self.table.passes[self.taken_from][:]
        if stage == EMPTY:
            return [move_of(UNDER, card) for card in self.hands[turn]]
        if stage == DEAL:
            deals = [move_of(DEALS, card) for card in self.tray]
            return [*deals, move_of(DEAL_NOTHING)] if len(self.tray) < len(self.hands) - 1 - self.served else deals
        return []

    def why_not(self, move: int | str) -> Refusal | None:
        """The one source of what is legal; answers for every move. It tells nothing that is hidden from who acts."""
        return refusals.refusal(self, move)

    def castable(self) -> list[int]:
        """In a Census: every spell on a side that is up, if one town shows two witches that match its icons
        (CC-SPELL-1)."""
        shown = 0
        box = self.box
        weights = box.weights
        for hand in self.hands:
            if len(hand) > 1:
                shown |= box.judged[sum([weights[card] for card in hand])].pairs
        if not shown:
            return []
        up, pairs = box.sides, box.pairs
        spells = [up[tile][side] for tile, side in enumerate(self.sides) if side != NOTHING]
        return sorted([spell for spell in spells if pairs[spell] & shown])

    # What happens

    def apply(self, move: int | str, log: list[Event] | None = None) -> None:
        """Make a small move, and everything that follows of itself: a round is a Census, an Arrival, a Travel and a
        Hunt (CC-ROUND-1)."""
        if isinstance(move, str):
            self._say(move, log)
        else:
            _STEPS[move >> VERB_SHIFT](self, move, log)

    # Census

    def _begin_round(self, log: list[Event] | None) -> None:
        self.phase = CENSUS
        if log is not None:
            events.round_begins(self, log)
        if self.under and self.hands.count([]) > 1 and self.may_shuffle():
            self._ask_to_shuffle()
        else:
            self._census(log)

    def _census(self, log: list[Event] | None) -> None:
        """Empty towns draw (CC-CENSUS-1), all show their hands (CC-CENSUS-2), and a coven wins (CC-WIN-1, CC-CENSUS-3)
        before any spell is cast (CC-AMB-15)."""
        hands, history = self.hands, self.history
        everybody = self.table.everybody
        weights, judged = self.box.weights, self.box.judged
        coven = False
        towns = self.table.service[0]
        for town in towns:
            if not hands[town]:
                self._draw_in_census(town, log)
        for town in towns:
            hand = hands[town]
            history.append((SHOWN, town, NOWHERE, tuple(hand), everybody))
            if len(hand) >= COVEN and judged[sum([weights[card] for card in hand])].most >= COVEN:
                coven = True
        if log is not None:
            events.census(self, log)
        if coven:
            self._win(BY_COVEN, log)
        else:
            self.stage = ANNOUNCE
            self.turn = self.hat

    def _draw_in_census(self, town: int, log: list[Event] | None) -> None:
        card = NOTHING
        if self.pool or self.under:
            source, card = self._draw(self.seats[town])
            self.hands[town].append(card)
            self.history.append((DREW, source, town, (card,), 1 << town))
        if log is not None:
            events.drew_in_census(self, town, card, log)

    def _draw(self, label: str) -> tuple[int, int]:
        """The top card of the deck, and where it lay: one that nobody can know, until none of those is left."""
        if self.pool:
            return DECK, self.box.numbers[self.chance.take(label, self.pool)]
        return UNDER_DECK, self.under.pop(0)

    def _cast(self, move: int, log: list[Event] | None) -> None:
        """A tile is set apart, and its spell holds for this round (CC-SPELL-2); the witches stay where they are
        (CC-SPELL-3)."""
        self.cast = spell = move >> CARD_SHIFT & CARD_BITS
        self.history.append((CASTING, self.turn, spell, (), self.table.everybody))
        if log is not None:
            events.cast(self, spell, log)

    def _say(self, words: str, log: list[Event] | None) -> None:
        """Talk: everybody hears it, and it binds nobody (CC-CENSUS-4, CC-CENSUS-5, CC-AMB-27)."""
        self.talk.append(f"{self.seats[self.turn]}: {words}")
        self.history.append((SAID, self.turn, NOWHERE, words, self.table.everybody))
        if log is not None:
            events.said(self, words, log)

    def _pass_hat(self, move: int, log: list[Event] | None) -> None:
        """The hat tells who goes first in Travel (CC-CENSUS-6), and ends the Census (CC-CENSUS-7)."""
        before, self.hat = self.hat, move & SEAT_BITS
        self.history.append((HATTED, NOWHERE, self.hat, (), self.table.everybody))
        if log is not None:
            events.hat_passed(self, before, log)
        self.talk = []
        self._arrival(log)

    # Arrival

    def _arrival(self, log: list[Event] | None) -> None:
        """Cards come one by one (CC-ARR-1), or by the Hunter's choice (CC-ARR-2, CC-CURSE-2). Under a Lullaby the first
        one comes unseen, either way (CC-CHARM-1)."""
        self.phase = ARRIVAL
        if self.is_arrival_of_choice() and self.cast != LULLABY:
            self._lay_out(log)
        else:
            self._serve(log)

    def _serve(self, log: list[Event] | None, asked: bool = False) -> None:
        """The next towns get the top card of the deck, while there is one (CC-TRAV-7, CC-AMB-7); before an Arrival of
        choice, only the one that is served first under a Lullaby. The Hunter may shuffle before each card, unless
        `asked` already."""
        pool, history, seats, hands, draw = self.pool, self.history, self.seats, self.hands, self._draw
        order, unseen = self.service(), self.cast == LULLABY and not self.served
        choice = self.is_arrival_of_choice()
        last = 1 if choice else len(order)
        while self.served < last:
            if self.under and not asked and self.may_shuffle():
                self._ask_to_shuffle()
                return
            asked = False
            if not (pool or self.under):
                if log is not None:
                    events.deck_empty(self, log)
                self._travel(log)
                return
            town = order[self.served]
            self.served += 1
            source, card = draw(seats[town])
            insort(hands[town], card)
            if unseen:
                history.append((DREW, source, town, (card,), 1 << town))
            else:
                history.append((ARRIVED, source, town, (card,), 1 | 1 << town))
            if log is not None:
                events.arrived(self, town, card, unseen, log)
            unseen = False
        if choice:
            self._lay_out(log)
        else:
            self._travel(log)

    def _lay_out(self, log: list[Event] | None) -> None:
        if self.may_shuffle():
            self._ask_to_shuffle()
        else:
            self._fill_tray(log)

    def _fill_tray(self, log: list[Event] | None) -> None:
        """The Hunter draws a card for each town that is left, as far as the deck goes, and looks at them all."""
        towns = len(self.hands) - 1 - self.served
        while len(self.tray) < towns and (self.pool or self.under):
            source, card = self._draw(ON_THE_TRAY)
            insort(self.tray, card)
            self.history.append((LOOKED, source, TRAY, (card,), 1))
        if log is not None:
            events.looked(self, log)
        self._next_deal(log)

    def _next_deal(self, log: list[Event] | None) -> None:
        left = len(self.hands) - 1 - self.served
        if not self.tray:
            self._travel(log)
        elif left == len(self.tray) == 1:
            self._deal(move_of(DEALS, self.tray[0]), log)
        else:
            self.stage = DEAL
            self.turn = HUNTER

    def _deal(self, move: int, log: list[Event] | None) -> None:
        """The next town gets a card of the Hunter's choice (CC-ARR-2), or nothing, if there are fewer
        cards than towns (CC-AMB-7, CC-AMB-28)."""
        town = self.service()[self.served]
        self.served += 1
        if move >> VERB_SHIFT == DEAL_NOTHING:
            if log is not None:
                events.dealt_nothing(self, town, log)
        else:
            card = move >> CARD_SHIFT & CARD_BITS
            self.tray.remove(card)
            insort(self.hands[town], card)
            self.history.append((ARRIVED, TRAY, town, (card,), 1 | 1 << town))
            if log is not None:
                events.dealt(self, town, card, log)
        self._next_deal(log)

    # Travel

    def _travel(self, log: list[Event] | None) -> None:
        self.phase = TRAVEL
        self.served = 0
        if log is not None:
            events.travel_begins(self, log)
        self._next_action(log)

    def _next_action(self, log: list[Event] | None) -> None:
        """The next town clockwise has 1 action (CC-TRAV-1), once round, or twice in a Wild Chase (CC-CURSE-3). One of
        them always has cards, for Arrival deals some if none had any; so who has none can ask (CC-AMB-6)."""
        if self.acted == len(self.hands) - 1:
            self.acted = 0
            if self.cast != WILD_CHASE or self.lap == WILD_CHASE_LAPS:
                self.lap = 1
                self._hunt(log)
                return
            self.lap += 1
            if log is not None:
                events.another_lap(self, log)
        self.stage = ACT
        self.turn = self.acting()

    def _acted(self, log: list[Event] | None) -> None:
        """An action is done. On a Forked Path the town with the hat has another one (CC-CHARM-3)."""
        if self.cast == FORKED_PATH and not self.acted and not self.again:
            self.again = True
            if log is not None:
                events.acts_again(self, log)
        else:
            self.again = False
            self.acted += 1
        self._next_action(log)

    def _give(self, move: int, log: list[Event] | None) -> None:
        """A card goes to another town (CC-TRAV-2)."""
        self._hand_over(self.turn, move & SEAT_BITS, move >> CARD_SHIFT & CARD_BITS)
        if log is not None:
            events.gave(self, move, log)
        self._acted(log)

    def _hand_over(self, town: int, to: int, card: int) -> None:
        self.hands[town].remove(card)
        insort(self.hands[to], card)
        self.history.append((GAVE, town, to, (card,), self.table.both[town][to]))

    def _ask(self, move: int, log: list[Event] | None) -> None:
        """Another town must hand over a card of its choice (CC-TRAV-3), unless it has only one (CC-AMB-4)."""
        asked = move & SEAT_BITS
        alone = len(self.hands[asked]) == 1
        if log is not None:
            events.asked(self, asked, log)
        if alone:
            self.history.append((ASKED, self.turn, asked, (), self.table.everybody))
            self._acted(log)
        else:
            self.stage = ANSWER
            self.turn = asked

    def _answer(self, move: int, log: list[Event] | None) -> None:
        card = move >> CARD_SHIFT & CARD_BITS
        asker = self.acting()
        self._hand_over(self.turn, asker, card)
        if log is not None:
            events.answered(self, self.turn, asker, card, log)
        self._acted(log)

    def _swap(self, move: int, log: list[Event] | None) -> None:
        """A card is exchanged for the one in the woods (CC-TRAV-4), by a town with a single card too (CC-AMB-5)."""
        town, card, got = self.turn, move >> CARD_SHIFT & CARD_BITS, self.woods
        hand = self.hands[town]
        hand.remove(card)
        insort(hand, got)
        self.woods = card
        self.history.append((SWAPPED, town, IN_WOODS, (card, got), 1 << town))
        if log is not None:
            events.swapped(self, town, card, got, log)
        self._acted(log)

    # Hunt

    def _hunt(self, log: list[Event] | None) -> None:
        self.phase = HUNT
        if log is not None:
            events.hunt_begins(self, log)
        self._next_pick(log)

    def barred(self) -> int:
        """The town that the next pick must not fall on (CC-CHARM-2), or NOBODY."""
        return self.first if self.cast == LOOKING_GLASS and self.picks else NOBODY

    def _next_pick(self, log: list[Event] | None) -> None:
        """The Hunter picks again, while picks are left (CC-HUNT-1) and there is a town to pick from (CC-AMB-8,
        CC-AMB-29), in a Looking-Glass another one than the first (CC-CHARM-2)."""
        if self.picks < self.picks_allowed():
            barred = self.barred()
            hands = self.hands
            if any(hands if barred == NOBODY else hands[:barred] + hands[barred + 1 :]):
                self.stage = PICK
                self.turn = HUNTER
                return
            if log is not None:
                events.picks_skipped(self, log)
        self._end_hunt(log)

    def _pick(self, move: int, log: list[Event] | None) -> None:
        """A card of a town, by chance (CC-HUNT-2), of the same town twice or of two (CC-HUNT-3)."""
        town = move & SEAT_BITS
        hand, ids = self.hands[town], self.box.card_ids
        card = self.box.numbers[self.chance.pick(PICKED_CARD, [ids[card] for card in hand])]
        hand.remove(card)
        self.picks += 1
        if self.picks == 1:
            self.first = town
        everybody = self.table.everybody
        self.history.append((PICKED, town, TAKEN, (card,), everybody))
        if log is not None:
            events.picked(self, town, card, log)
        kind = self.box.cards.kinds[card]
        if kind == TOWNSFOLK:
            self.taken = card
            self.taken_from = town
            others = self.table.passes[town]
            if len(others) == 1:
                self._pass_on(others[0], log)
            else:
                self.stage = PASS
                self.turn = HUNTER
        elif kind == RITUAL:
            self._shown_ritual(town, card, log)
        else:
            self._shown_witch(town, card, log)

    def _pass_on(self, move: int, log: list[Event] | None) -> None:
        """The townsfolk card goes to another town (CC-HUNT-4, CC-AMB-9). In a Nightmare the town it came from then lays
        its hand under the deck (CC-CURSE-1)."""
        town, card, to = self.taken_from, self.taken, move & SEAT_BITS
        self.taken = NOTHING
        self.taken_from = NOBODY
        insort(self.hands[to], card)
        self.history.append((PASSED, TAKEN, to, (card,), self.table.everybody))
        if log is not None:
            events.passed_on(self, town, card, to, log)
        if self.cast == NIGHTMARE:
            self._empty(town, log)
        else:
            self._next_pick(log)

    def _shown_ritual(self, town: int, card: int, log: list[Event] | None) -> None:
        """A ritual stays in front of the Hunter (CC-HUNT-7), and the town keeps its hand (CC-HUNT-14), unless in a
        Nightmare (CC-CURSE-1). The second one wins at once (CC-WIN-2)."""
        self.rituals.append(card)
        self.history.append((TRAPPED, TAKEN, HUNTER, (card,), self.table.everybody))
        if log is not None:
            events.ritual(self, card, log)
        if len(self.rituals) >= RITUALS_TO_WIN:
            self._win(BY_RITUALS, log)
        elif self.cast == NIGHTMARE:
            self._empty(town, log)
        else:
            self._next_pick(log)

    def _shown_witch(self, town: int, card: int, log: list[Event] | None) -> None:
        """A witch is captured (CC-HUNT-5), the wild one too (CC-HUNT-15). The fifth that lies there (CC-AMB-32) wins at
        once (CC-WIN-3, CC-HUNT-6), the fake among them (CC-HUNT-11), but she is never the one that wins (CC-HUNT-10).
        Under a Broken Mirror no witch is captured (CC-CURSE-2)."""
        if self.cast == BROKEN_MIRROR:
            self.taken = card
            self.taken_from = town
            if log is not None:
                events.slips_away(self, town, card, log)
            self._empty(town, log)
            return
        self.witches.append(card)
        self.history.append((CAUGHT, TAKEN, HUNTER, (card,), self.table.everybody))
        if log is not None:
            events.caught(self, town, card, log)
        if card != self.box.fake and len(self.witches) >= WITCHES_TO_WIN:
            self._win(BY_CAPTURES, log)
        else:
            self._empty(town, log)

    def _empty(self, town: int, log: list[Event] | None) -> None:
        """A town lays its whole hand under the deck, in an order of its choice (CC-HUNT-5, CC-AMB-10)."""
        hand = self.hands[town]
        self.emptying = town
        if len(hand) > 1:
            self.stage = EMPTY
            self.turn = town
        elif hand:
            self._lay_under(move_of(UNDER, hand[0]), log)
        else:
            self._emptied(False, log)

    def _lay_under(self, move: int, log: list[Event] | None) -> None:
        town = self.emptying
        hand, card = self.hands[town], move >> CARD_SHIFT & CARD_BITS
        hand.remove(card)
        self.under.append(card)
        self.history.append((LAID, town, UNDER_DECK, (card,), 1 << town))
        if log is not None:
            events.laid_under(self, town, card, log)
        if not hand:
            self._emptied(True, log)
        elif len(hand) == 1:
            self._lay_under(move_of(UNDER, hand[0]), log)

    def _emptied(self, laid: bool, log: list[Event] | None) -> None:
        """The hand is gone. A witch that is not captured goes under it (CC-CURSE-2); for the fake all others escape
        (CC-HUNT-8, CC-AMB-11) in the order of their capture (CC-AMB-25), and she stays (CC-HUNT-9)."""
        self.emptying = NOBODY
        under, everybody = self.under, self.table.everybody
        if self.taken != NOTHING:
            card, self.taken, self.taken_from = self.taken, NOTHING, NOBODY
            under.append(card)
            self.history.append((SLIPPED, TAKEN, UNDER_DECK, (card,), everybody))
            laid = True
            if log is not None:
                events.slipped(self, card, log)
        elif len(self.witches) > 1 and self.witches[-1] == self.box.fake:
            *others, fake = self.witches
            self.witches = [fake]
            under += others
            self.history.append((ESCAPED, HUNTER, UNDER_DECK, tuple(others), everybody))
            if log is not None:
                events.escaped(self, others, laid, log)
            laid = True
        if laid and self.may_shuffle():
            self._ask_to_shuffle()
        else:
            self._next_pick(log)

    def _end_hunt(self, log: list[Event] | None) -> None:
        """The tile cast this round turns over and rejoins the others (CC-SPELL-6), no other one does (CC-AMB-16). Then
        the next Census begins (CC-HUNT-13), unless this was the last round (CC-AMB-30)."""
        self.picks = 0
        self.first = NOBODY
        if self.cast != NO_SPELL:
            tile = self.box.tile_of[self.cast]
            self.sides[tile] = CURSE if self.sides[tile] == CHARM else CHARM
            self.cast = NO_SPELL
            self.history.append((FLIPPED, NOWHERE, tile, (), self.table.everybody))
            if log is not None:
                events.flipped(self, tile, log)
        if self.limit and self.round >= self.limit:
            self._win(BY_NOBODY, log)
        else:
            self.round += 1
            self._begin_round(log)

    def _win(self, ending: int, log: list[Event] | None) -> None:
        """The game ends at once, whatever picks are left (CC-AMB-17)."""
        if log is not None:
            events.game_ends(self, ending, log)
        self.ending = ending
        self.phase = ENDED
        self.stage = END
        self.turn = OVER
        self.picks = 0
        self.first = NOBODY

    # Shuffling

    def may_shuffle(self) -> bool:
        """Whether cards lie under the deck in an order that a shuffle would undo. The Hunter is asked only at certain
        moments (CC-AMB-26); at the table any moment will do (CC-AMB-12)."""
        return bool(self.under) and len(self.pool) + len(self.under) > 1

    def _ask_to_shuffle(self) -> None:
        self.stage = QUESTION
        self.turn = HUNTER

    def _shuffle(self, unused_move: int, log: list[Event] | None) -> None:
        """The cards under the deck are shuffled into it (CC-SETUP-7)."""
        ids = self.box.card_ids
        self.history.append((SHUFFLED, UNDER_DECK, DECK, tuple(self.under), 0))
        if log is not None:
            events.shuffled(self, log)
        self.pool += [ids[card] for card in self.under]
        self.under = []
        self._go_on(log)

    def _leave(self, unused_move: int, log: list[Event] | None) -> None:
        if log is not None:
            events.left_alone(self, log)
        self._go_on(log)

    def _go_on(self, log: list[Event] | None) -> None:
        """What the Hunter was asked before."""
        if self.phase == CENSUS:
            self._census(log)
        elif self.phase == HUNT:
            self._next_pick(log)
        elif self.is_arrival_of_choice() and (self.served or self.cast != LULLABY):
            self._fill_tray(log)
        else:
            self._serve(log, asked=True)

    # What can be seen

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

    def view(self, seat: int) -> View:
        """What a seat may know (CC-AMB-18): its own hand, what lies open, how many cards lie elsewhere, and what it has
        seen before (CC-ARR-3, CC-TRAV-5)."""
        known = self.known(seat)
        tray = known.tray + (UNSEEN,) * (len(self.tray) - len(known.tray))
        return View(
            seat,
            self.box.cards,
            self.box.tiles,
            self.seats,
            self.turn,
            self.round,
            self.limit,
            self.phase,
            self.stage,
            tuple(self.hands[seat]),
            tuple(map(len, self.hands)),
            tuple(self.witches),
            tuple(self.rituals),
            tuple(self.sides),
            self.cast,
            tuple(self.castable()) if self.stage == ANNOUNCE else (),
            self.hat,
            tuple(self.talk),
            len(self.pool),
            len(self.under),
            self.served,
            tuple(self.service()),
            tray,
            self.acted,
            self.lap,
            self.again,
            self.acting() if self.phase == TRAVEL else NOBODY,
            self.picks,
            self.first,
            self.taken,
            self.taken_from,
            self.ending,
            tuple(self.mind(seat).log),
            known,
        )

    def imagine(self, seat: int, chance: Chance) -> State:
        """Another course of hidden cards that looks the same to this seat."""
        other = self._copy(chance)
        numbers, ids = self.box.numbers, self.box.card_ids
        places: dict[int, Sequence[int]] = dict(enumerate(self.hands))
        places[DECK] = [numbers[id_] for id_ in self.pool]
        places[TRAY] = self.tray
        plain = {*self.hands[seat], *self.witches, *self.rituals, self.taken}
        if seat == HUNTER:
            plain.update(self.tray)
        other.history, now = other_world(self.history, seat, len(ids), places, plain, chance)
        other.hands = [sorted([now[card] for card in hand]) for hand in self.hands]
        other.woods = now[self.woods]
        other.under = [now[card] for card in self.under]
        other.tray = sorted([now[card] for card in self.tray])
        other.pool = [ids[now[numbers[id_]]] for id_ in self.pool]
        return other

    def pieces(self) -> Mapping[str, int]:
        """Every card, as often as it lies anywhere, and every tile."""
        numbers, ids = self.box.numbers, self.box.card_ids
        lying = [card for cards in (*self.hands, self.under, self.tray, self.witches, self.rituals) for card in cards]
        lying += [self.woods, self.taken, *(numbers[id_] for id_ in self.pool)]
        return {id_: lying.count(card) for card, id_ in enumerate(ids)} | {tile.id: 1 for tile in self.box.tiles}

    def most_of_a_suit(self, town: int) -> int:
        """The most witches of one suit in a town's hand, the wild among them."""
        weights = self.box.weights
        return self.box.judged[sum([weights[card] for card in self.hands[town]])].most

    def score(self) -> list[Score]:
        """There are no points: three columns tell how near each side is to its ends."""
        scores = []
        for seat, name in enumerate(self.seats):
            counts = (len(self.witches), 0, 0) if seat == HUNTER else (0, len(self.rituals), self.most_of_a_suit(seat))
            lines = zip(
                ("CC-WIN-3", "CC-WIN-2", "CC-WIN-1"),
                ("witches in front of the Hunter", "rituals sprung", "witches of one suit in hand"),
                ("witches", "rituals", "coven"),
                counts,
                strict=True,
            )
            scores.append(Score(name, tuple([Line(rule, text, n, 1, n, column) for rule, text, column, n in lines])))
        return scores

    def result(self) -> Result | None:
        return events.result(self) if self.ending != GOES_ON else None

    # Positions

    def position(self) -> dict[str, Any]:
        """Every key that says more than its default does."""
        ids, names = self.box.card_ids, self.seats
        record: dict[str, Any] = {"seats": {}, "round": self.round, "phase": PHASES[self.phase], "hat": names[self.hat]}
        for seat, name in enumerate(names):
            if seat == HUNTER:
                front = {"witches": self.witches, "rituals": self.rituals}
                record["seats"][name] = {key: [ids[card] for card in cards] for key, cards in front.items()}
            else:
                record["seats"][name] = {"hand": [ids[card] for card in self.hands[seat]]}
        record["woods"] = ids[self.woods]
        record["deck"] = self.pool[:]
        record["under"] = [ids[card] for card in self.under]
        record["tiles"] = {tile: SIDES[side] for tile, side in zip(TILES, self.sides, strict=True) if side != NOTHING}
        if self.cast != NO_SPELL:
            record["cast"] = SPELLS[self.cast]
        if self.talk:
            record["talk"] = self.talk[:]
        if self.stage == QUESTION:
            record["shuffle"] = True
        if self.served:
            record["served"] = [names[town] for town in self.service()[: self.served]]
        if self.tray:
            record["tray"] = [ids[card] for card in self.tray]
        record |= self._course()
        if self.turn != OVER:
            record["to-act"] = names[self.turn]
        options = self._options()
        if options:
            record["options"] = options
        record["history"] = [write_entry(entry, self.box, names) for entry in self.history]
        return record

    def _course(self) -> dict[str, Any]:
        """How far a Travel or a Hunt has come, or how the game has ended, as a part of a position."""
        names, record = self.seats, dict[str, Any]()
        if self.phase == TRAVEL:
            record["acted"] = self.acted
            if self.lap > 1:
                record["lap"] = self.lap
            if self.again:
                record["again"] = True
            if self.stage == ANSWER:
                record["asked"] = names[self.turn]
        if self.phase == HUNT:
            record["picks"] = self.picks
            if self.first != NOBODY:
                record["first"] = names[self.first]
            if self.taken != NOTHING:
                record["taken"] = {"card": self.box.card_ids[self.taken], "from": names[self.taken_from]}
            if self.emptying != NOBODY:
                record["emptying"] = names[self.emptying]
        if self.ending != GOES_ON:
            record["won"] = ENDINGS[self.ending]
        return record

    def _options(self) -> dict[str, Any]:
        out = [tile for tile, side in zip(TILES, self.sides, strict=True) if side == NOTHING]
        options: dict[str, Any] = {"tiles": NONE if len(out) == len(TILES) else f"no-{out[0]}"} if out else {}
        return options | ({"rounds": self.limit} if self.limit else {})


_STEPS: Final = (
    State._cast,
    State._pass_hat,
    State._shuffle,
    State._leave,
    State._deal,
    State._deal,
    State._give,
    State._ask,
    State._swap,
    State._answer,
    State._pick,
    State._pass_on,
    State._lay_under,
)
"""By verb: what a small move does."""


def start(
    facts: Facts,
    seats: Sequence[str],
    options: Mapping[str, Any],
    chance: Chance,
    log: list[Event] | None = None,
) -> State:
    """A new game: a card is hidden in the woods (CC-SETUP-4), each town is dealt its hand (CC-SETUP-5), the rest is the
    deck (CC-SETUP-6), and the first Census begins."""
    chosen, misfits = OPTIONS.read(options)
    misfits += seat_misfits(seats, SEATS)
    if misfits:
        raise Misfits(misfits)
    box = box_of(facts)
    state = State(box, tuple(seats), chosen, chance)
    take, numbers, pool = chance.take, box.numbers, state.pool
    state.woods = numbers[take(IN_THE_WOODS, pool)]
    state.history.append((HIDDEN, DECK, IN_WOODS, (state.woods,), 1))
    for town, name in enumerate(state.seats):
        if town != HUNTER:
            hand = state.hands[town] = sorted([numbers[take(name, pool)] for _ in range(HAND)])
            state.history.append((DEALT, DECK, town, tuple(hand), 1 << town))
    if log is not None:
        events.set_up(state, log)
    state._begin_round(log)
    return state


def tally(state: State) -> Tally:
    """What a simulation counts of a finished game: how it ended, what was cast, and which towns lost witches."""
    spells = [target for kind, _, target, _, _ in state.history if kind == CASTING]
    fake_caught = state.box.fake in state.witches
    game: dict[str, str | int] = {
        "ending": events.ENDING_WORDS[state.ending],
        "rounds": state.round,
        "charms cast": sum(spell in CHARMS for spell in spells),
        "curses cast": sum(spell not in CHARMS for spell in spells),
        "the straw witch": "caught" if fake_caught else "free",
    }
    lost = [0] * len(state.seats)
    picked_from = NOBODY
    for kind, source, _, _, _ in state.history:
        if kind == PICKED:
            picked_from = source
        elif kind == CAUGHT and picked_from != NOBODY:
            lost[picked_from] += 1
    seats: list[dict[str, str | int]] = [
        {"role": "Witch Hunter" if seat == HUNTER else "town", "witches lost": lost[seat]}
        for seat in range(len(state.seats))
    ]
    towns_won = state.ending in (BY_COVEN, BY_RITUALS)
    trials = {
        name: (int(spell in spells), int(spell in spells and towns_won))
        for spell, name in enumerate(state.box.spell_names)
    }
    return Tally(game, tuple(seats), {"games with the spell, and won by the towns": trials})
