"""A game of Curses & Covens in progress: legal moves and their effects."""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from typing import Any, Final

from grimalkin.engine.chance import Chance
from grimalkin.engine.contract import Facts
from grimalkin.engine.law import law
from grimalkin.engine.loading import seat_misfits
from grimalkin.engine.state import begin
from grimalkin.engine.words import OVER, Event, Refusal, Result, Score
from grimalkin.games.curses_and_covens import events, refusals, scoring, sight
from grimalkin.games.curses_and_covens.board import Board
from grimalkin.games.curses_and_covens.box import box_of
from grimalkin.games.curses_and_covens.facts import (
    COVEN,
    HAND,
    HUNTER,
    NOBODY,
    NOTHING,
    OPTIONS,
    RITUALS_TO_WIN,
    SEATS,
    WITCHES_TO_WIN,
    Ending,
    Kind,
    Move,
    Phase,
    Spell,
    Stage,
    Verb,
)
from grimalkin.games.curses_and_covens.knowledge import DECK, IN_WOODS, NOWHERE, TAKEN, TRAY, UNDER_DECK, Deed

IN_THE_WOODS: Final = "woods"
ON_THE_TRAY: Final = "tray"
PICKED_CARD: Final = "pick"
"""These are labels of draws. A card for a town is drawn under the town's name."""

# Looked up once: each look-up in a class of rows takes about 60 ns, and a decision takes 3 µs.
CENSUS, ARRIVAL, TRAVEL, HUNT = Phase.CENSUS, Phase.ARRIVAL, Phase.TRAVEL, Phase.HUNT
ANNOUNCE, QUESTION, DEAL, ACT, ANSWER = Stage.ANNOUNCE, Stage.QUESTION, Stage.DEAL, Stage.ACT, Stage.ANSWER
PICK, PASS, EMPTY = Stage.PICK, Stage.PASS, Stage.EMPTY
TOWNSFOLK, RITUAL = Kind.TOWNSFOLK, Kind.RITUAL
LULLABY, NIGHTMARE, BROKEN_MIRROR = Spell.LULLABY, Spell.NIGHTMARE, Spell.BROKEN_MIRROR
FORKED_PATH = Spell.FORKED_PATH
SHOWN, DREW, ARRIVED, LOOKED, GAVE = Deed.SHOWN, Deed.DREW, Deed.ARRIVED, Deed.LOOKED, Deed.GAVE
ASKED, SWAPPED, PICKED, PASSED, CAUGHT = Deed.ASKED, Deed.SWAPPED, Deed.PICKED, Deed.PASSED, Deed.CAUGHT
LAID, HATTED = Deed.LAID, Deed.HATTED
DEAL_NOTHING: Final = Move(Verb.DEAL_NOTHING)
QUESTION_MOVES: Final = (Move(Verb.SHUFFLE), Move(Verb.LEAVE))


class State(Board):
    """A game of Curses & Covens in progress."""

    # What is allowed

    @law("CC-SPELL-4", "CC-TRAV-6", "CC-AMB-6", "CC-AMB-8", "CC-AMB-9", "CC-AMB-22", "CC-AMB-24", "CC-AMB-28")
    def legal(self) -> list[Move | str]:
        """Return every legal small move except talk, in the order of `every_move`."""
        stage, turn = self.stage, self.turn
        if stage is ACT:
            hands, table = self.hands, self.table
            hand = hands[turn]
            moves: list[Move | str] = []
            if len(hand) > 1:
                gives = table.gives[turn]
                for card in hand:
                    moves += gives[card]
            if hands.count([]) == 1:  # only the Witch Hunter's hand is empty, so every town can be asked
                moves += table.asks[turn]
            else:
                moves += [ask for ask in table.asks[turn] if hands[ask.seat]]
            woods = self.box.woods
            return moves + [woods[card] for card in hand]
        if stage is PICK:
            hands = self.hands
            barred = self.barred()
            return [pick for town, pick in enumerate(self.table.picks, 1) if hands[town] and town != barred]
        if stage is ANNOUNCE:
            if self.cast is not None or self.talk:
                return [*self.table.hats]
            casts = self.box.casts
            return [*[casts[spell] for spell in self.castable()], *self.table.hats]
        if stage is QUESTION:
            return [*QUESTION_MOVES]
        if stage is ANSWER:
            answers = self.box.answers
            return [answers[card] for card in self.hands[turn]]
        if stage is PASS:
            return [*self.table.passes[self.taken_from]]
        if stage is EMPTY:
            unders = self.box.unders
            return [unders[card] for card in self.hands[turn]]
        if stage is DEAL:
            all_deals = self.box.deals
            deals: list[Move | str] = [all_deals[card] for card in self.tray]
            return [*deals, DEAL_NOTHING] if len(self.tray) < len(self.hands) - 1 - self.served else deals
        return []

    def why_not(self, move: Move | str) -> Refusal | None:
        """Return why a move is not allowed, or None. This alone decides which moves are legal. A refusal does not
        reveal anything hidden from the seat to act."""
        return refusals.refusal(self, move)

    # What happens

    def apply(self, move: Move | str, log: list[Event] | None = None) -> None:
        """Make a small move, and all automatic steps after it."""
        if isinstance(move, str):
            self._say(move, log)
        else:
            _STEPS[move.verb](self, move, log)

    # Census

    @law("CC-ROUND-1", "CC-AMB-26")
    def _begin_round(self, log: list[Event] | None) -> None:
        self.phase = CENSUS
        if log is not None:
            events.round_begins(self, log)
        if self.under and self.hands.count([]) > 1 and self.may_shuffle():
            self._ask_to_shuffle()
        else:
            self._census(log)

    @law("CC-CENSUS-1", "CC-CENSUS-2", "CC-CENSUS-3", "CC-WIN-1", "CC-AMB-15", "CC-AMB-20", "CC-AMB-23")
    def _census(self, log: list[Event] | None) -> None:
        """Let empty towns draw (CC-CENSUS-1) and all show their hands (CC-CENSUS-2); a coven wins (CC-WIN-1,
        CC-CENSUS-3) before any spell is cast (CC-AMB-15)."""
        hands, history, judge = self.hands, self.history, self.box.judge
        coven = False
        towns = self.table.service[0]
        for town in towns:
            if not hands[town]:
                self._draw_in_census(town, log)
        for town in towns:
            hand = hands[town]
            history.append((SHOWN, town, NOWHERE, tuple(hand)))
            if len(hand) >= COVEN and judge(hand).most >= COVEN:
                coven = True
        if log is not None:
            events.census(self, log)
        if coven:
            self._win(Ending.COVEN, log)
        else:
            self.stage = ANNOUNCE
            self.turn = self.hat

    @law("CC-CENSUS-1", "CC-TRAV-7")
    def _draw_in_census(self, town: int, log: list[Event] | None) -> None:
        card = NOTHING
        if self.pool or self.under:
            source, card = self._draw(self.seats[town])
            self.hands[town].append(card)
            self.history.append((DREW, source, town, (card,)))
        if log is not None:
            events.drew_in_census(self, town, card, log)

    def _draw(self, label: str) -> tuple[int, int]:
        """Draw the top card of the deck, and return its place and the card. While the deck has cards in unknown order,
        it is one of those."""
        if self.pool:
            return DECK, self.box.numbers[self.chance.take(label, self.pool)]
        return UNDER_DECK, self.under.pop(0)

    @law("CC-SPELL-2", "CC-SPELL-3")
    def _cast(self, move: Move, log: list[Event] | None) -> None:
        """Set a tile apart: its spell applies in this round (CC-SPELL-2), and the witches stay in hand (CC-SPELL-3)."""
        self.cast = spell = move.spell
        assert spell is not None
        self.history.append((Deed.CASTING, self.turn, spell, ()))
        if log is not None:
            events.cast(self, spell, log)

    @law("CC-CENSUS-4", "CC-CENSUS-5", "CC-AMB-27")
    def _say(self, words: str, log: list[Event] | None) -> None:
        """Say something that everybody hears and that is not binding (CC-CENSUS-4, CC-CENSUS-5, CC-AMB-27)."""
        self.talk.append(f"{self.seats[self.turn]}: {words}")
        self.history.append((Deed.SAID, self.turn, NOWHERE, words))
        if log is not None:
            events.said(self, words, log)

    @law("CC-CENSUS-6", "CC-CENSUS-7")
    def _pass_hat(self, move: Move, log: list[Event] | None) -> None:
        """Pass on the hat, which decides who goes first in Travel (CC-CENSUS-6), and end the Census (CC-CENSUS-7)."""
        before, self.hat = self.hat, move.seat
        self.history.append((HATTED, NOWHERE, self.hat, ()))
        if log is not None:
            events.hat_passed(self, before, log)
        self.talk = []
        self._arrival(log)

    # Arrival

    @law("CC-ROUND-1", "CC-ARR-1", "CC-ARR-2", "CC-CHARM-1", "CC-CURSE-2")
    def _arrival(self, log: list[Event] | None) -> None:
        """Begin Arrival: cards are dealt one by one (CC-ARR-1), or by the Hunter's choice (CC-ARR-2, CC-CURSE-2). Under
        a Lullaby the first one is always dealt unseen (CC-CHARM-1)."""
        self.phase = ARRIVAL
        if self.is_arrival_of_choice() and self.cast is not LULLABY:
            self._lay_out(log)
        else:
            self._serve(log)

    @law("CC-ARR-1", "CC-TRAV-7", "CC-CHARM-1", "CC-AMB-7", "CC-AMB-26")
    def _serve(self, log: list[Event] | None, asked: bool = False) -> None:
        """Give the next towns the top card of the deck, while there is one (CC-TRAV-7, CC-AMB-7); before an Arrival of
        choice, only to the town served first under a Lullaby. The Hunter may shuffle before each card, unless already
        `asked`."""
        pool, history, seats, hands, draw = self.pool, self.history, self.seats, self.hands, self._draw
        order, unseen = self.service(), self.cast is LULLABY and not self.served
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
                history.append((DREW, source, town, (card,)))
            else:
                history.append((ARRIVED, source, town, (card,)))
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

    @law("CC-ARR-2", "CC-AMB-7")
    def _fill_tray(self, log: list[Event] | None) -> None:
        """Draw a card for each remaining town while the deck lasts; the Hunter looks at them all."""
        towns = len(self.hands) - 1 - self.served
        while len(self.tray) < towns and (self.pool or self.under):
            source, card = self._draw(ON_THE_TRAY)
            insort(self.tray, card)
            self.history.append((LOOKED, source, TRAY, (card,)))
        if log is not None:
            events.looked(self, log)
        self._next_deal(log)

    def _next_deal(self, log: list[Event] | None) -> None:
        left = len(self.hands) - 1 - self.served
        if not self.tray:
            self._travel(log)
        elif left == len(self.tray) == 1:
            self._deal(self.box.deals[self.tray[0]], log)
        else:
            self.stage = DEAL
            self.turn = HUNTER

    @law("CC-ARR-2", "CC-AMB-7", "CC-AMB-28")
    def _deal(self, move: Move, log: list[Event] | None) -> None:
        """Give the next town a card of the Hunter's choice (CC-ARR-2), or nothing if there are fewer cards than towns
        (CC-AMB-7, CC-AMB-28)."""
        town = self.service()[self.served]
        self.served += 1
        if move.card == NOTHING:
            if log is not None:
                events.dealt_nothing(self, town, log)
        else:
            card = move.card
            self.tray.remove(card)
            insort(self.hands[town], card)
            self.history.append((ARRIVED, TRAY, town, (card,)))
            if log is not None:
                events.dealt(self, town, card, log)
        self._next_deal(log)

    # Travel

    @law("CC-ROUND-1")
    def _travel(self, log: list[Event] | None) -> None:
        self.phase = TRAVEL
        self.served = 0
        if log is not None:
            events.travel_begins(self, log)
        self._next_action(log)

    @law("CC-TRAV-1", "CC-CURSE-3", "CC-AMB-6")
    def _next_action(self, log: list[Event] | None) -> None:
        """Let the next town clockwise take its action (CC-TRAV-1), in one lap or, in a Wild Chase, two (CC-CURSE-3).
        At least one town has cards, since Arrival deals some if none had any, and so a town without cards can ask
        (CC-AMB-6)."""
        if self.acted == len(self.hands) - 1:
            self.acted = 0
            if self.cast is None or self.lap >= self.cast.laps:
                self.lap = 1
                self._hunt(log)
                return
            self.lap += 1
            if log is not None:
                events.another_lap(self, log)
        self.stage = ACT
        self.turn = self.acting()

    @law("CC-CHARM-3")
    def _acted(self, log: list[Event] | None) -> None:
        """Finish an action. On a Forked Path the town with the hat takes a second one (CC-CHARM-3)."""
        if self.cast is FORKED_PATH and not self.acted and not self.again:
            self.again = True
            if log is not None:
                events.acts_again(self, log)
        else:
            self.again = False
            self.acted += 1
        self._next_action(log)

    @law("CC-TRAV-2")
    def _give(self, move: Move, log: list[Event] | None) -> None:
        """Give a card to another town (CC-TRAV-2)."""
        self._hand_over(self.turn, move.seat, move.card)
        if log is not None:
            events.gave(self, move, log)
        self._acted(log)

    def _hand_over(self, town: int, to: int, card: int) -> None:
        self.hands[town].remove(card)
        insort(self.hands[to], card)
        self.history.append((GAVE, town, to, (card,)))

    @law("CC-TRAV-3", "CC-AMB-4")
    def _ask(self, move: Move, log: list[Event] | None) -> None:
        """Ask another town, which must pass a card of its choice (CC-TRAV-3) unless it has only one (CC-AMB-4)."""
        asked = move.seat
        alone = len(self.hands[asked]) == 1
        if log is not None:
            events.asked(self, asked, log)
        if alone:
            self.history.append((ASKED, self.turn, asked, ()))
            self._acted(log)
        else:
            self.stage = ANSWER
            self.turn = self.asked = asked

    @law("CC-TRAV-3")
    def _answer(self, move: Move, log: list[Event] | None) -> None:
        card = move.card
        asker = self.acting()
        self.asked = NOBODY
        self._hand_over(self.turn, asker, card)
        if log is not None:
            events.answered(self, self.turn, asker, card, log)
        self._acted(log)

    @law("CC-TRAV-4", "CC-AMB-5")
    def _swap(self, move: Move, log: list[Event] | None) -> None:
        """Exchange a card for the one in the woods (CC-TRAV-4); even a town with only one card may do so (CC-AMB-5)."""
        town, card, got = self.turn, move.card, self.woods
        hand = self.hands[town]
        hand.remove(card)
        insort(hand, got)
        self.woods = card
        self.history.append((SWAPPED, town, IN_WOODS, (card, got)))
        if log is not None:
            events.swapped(self, town, card, got, log)
        self._acted(log)

    # Hunt

    @law("CC-ROUND-1")
    def _hunt(self, log: list[Event] | None) -> None:
        self.phase = HUNT
        if log is not None:
            events.hunt_begins(self, log)
        self._next_pick(log)

    @law("CC-HUNT-1", "CC-CHARM-2", "CC-AMB-8", "CC-AMB-29")
    def _next_pick(self, log: list[Event] | None) -> None:
        """Let the Hunter pick again, if there are picks left (CC-HUNT-1) and a town to pick from (CC-AMB-8, CC-AMB-29).
        Under Looking-Glass it may not be the first town again (CC-CHARM-2)."""
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

    @law("CC-HUNT-2", "CC-HUNT-3")
    def _pick(self, move: Move, log: list[Event] | None) -> None:
        """Pick a card from a town, by chance (CC-HUNT-2); two picks may be from the same town or from different ones
        (CC-HUNT-3)."""
        town = move.seat
        hand, ids = self.hands[town], self.box.ids
        card = self.box.numbers[self.chance.pick(PICKED_CARD, [ids[card] for card in hand])]
        hand.remove(card)
        self.picks += 1
        if self.picks == 1:
            self.first = town
        self.history.append((PICKED, town, TAKEN, (card,)))
        if log is not None:
            events.picked(self, town, card, log)
        kind = self.box.cards.kinds[card]
        if kind is TOWNSFOLK:
            self.taken = card
            self.taken_from = town
            others = self.table.passes[town]
            if len(others) == 1:
                self._pass_on(others[0], log)
            else:
                self.stage = PASS
                self.turn = HUNTER
        elif kind is RITUAL:
            self._shown_ritual(town, card, log)
        else:
            self._shown_witch(town, card, log)

    @law("CC-HUNT-4", "CC-CURSE-1", "CC-AMB-9")
    def _pass_on(self, move: Move, log: list[Event] | None) -> None:
        """Pass the townsfolk card on to another town (CC-HUNT-4, CC-AMB-9). In a Nightmare the town it came from then
        lays its hand under the deck (CC-CURSE-1)."""
        town, card, to = self.taken_from, self.taken, move.seat
        self.taken = NOTHING
        self.taken_from = NOBODY
        insort(self.hands[to], card)
        self.history.append((PASSED, TAKEN, to, (card,)))
        if log is not None:
            events.passed_on(self, town, card, to, log)
        if self.cast is NIGHTMARE:
            self._empty(town, log)
        else:
            self._next_pick(log)

    @law("CC-HUNT-7", "CC-HUNT-14", "CC-WIN-2", "CC-CURSE-1", "CC-AMB-29")
    def _shown_ritual(self, town: int, card: int, log: list[Event] | None) -> None:
        """Lay a ritual in front of the Hunter (CC-HUNT-7). The town keeps its hand (CC-HUNT-14), except in a Nightmare
        (CC-CURSE-1). The second ritual wins immediately (CC-WIN-2)."""
        self.rituals.append(card)
        self.history.append((Deed.TRAPPED, TAKEN, HUNTER, (card,)))
        if log is not None:
            events.ritual(self, town, card, log)
        if len(self.rituals) >= RITUALS_TO_WIN:
            self._win(Ending.RITUALS, log)
        elif self.cast is NIGHTMARE:
            self._empty(town, log)
        else:
            self._next_pick(log)

    @law("CC-HUNT-5", "CC-HUNT-6", "CC-HUNT-10", "CC-HUNT-11", "CC-HUNT-15", "CC-WIN-3", "CC-CURSE-2", "CC-AMB-32")
    def _shown_witch(self, town: int, card: int, log: list[Event] | None) -> None:
        """Capture a witch (CC-HUNT-5), even the wild one (CC-HUNT-15). The fifth one there (CC-AMB-32) wins immediately
        (CC-WIN-3, CC-HUNT-6). The fake counts (CC-HUNT-11), but her own capture never wins (CC-HUNT-10). Under a Broken
        Mirror no witch is captured (CC-CURSE-2)."""
        if self.cast is BROKEN_MIRROR:
            self.taken = card
            self.taken_from = town
            if log is not None:
                events.slips_away(self, town, card, log)
            self._empty(town, log)
            return
        self.witches.append(card)
        self.history.append((CAUGHT, TAKEN, HUNTER, (card,)))
        if log is not None:
            events.caught(self, town, card, log)
        if card != self.box.fake and len(self.witches) >= WITCHES_TO_WIN:
            self._win(Ending.CAPTURES, log)
        else:
            self._empty(town, log)

    @law("CC-HUNT-5", "CC-AMB-10")
    def _empty(self, town: int, log: list[Event] | None) -> None:
        """Let a town lay its whole hand under the deck, in an order of its choice (CC-HUNT-5, CC-AMB-10)."""
        hand = self.hands[town]
        self.emptying = town
        if len(hand) > 1:
            self.stage = EMPTY
            self.turn = town
        elif hand:
            self._lay_under(self.box.unders[hand[0]], log)
        else:
            self._emptied(False, log)

    def _lay_under(self, move: Move, log: list[Event] | None) -> None:
        town = self.emptying
        hand, card = self.hands[town], move.card
        hand.remove(card)
        self.under.append(card)
        self.history.append((LAID, town, UNDER_DECK, (card,)))
        if log is not None:
            events.laid_under(self, town, card, log)
        if not hand:
            self._emptied(True, log)
        elif len(hand) == 1:
            self._lay_under(self.box.unders[hand[0]], log)

    @law("CC-HUNT-8", "CC-HUNT-9", "CC-CURSE-2", "CC-AMB-11", "CC-AMB-25", "CC-AMB-26")
    def _emptied(self, laid: bool, log: list[Event] | None) -> None:
        """Finish laying a hand. A witch that is not captured goes under it (CC-CURSE-2). If the fake was captured, all
        others escape (CC-HUNT-8, CC-AMB-11) in the order of their capture (CC-AMB-25), and she stays (CC-HUNT-9)."""
        self.emptying = NOBODY
        under = self.under
        if self.taken != NOTHING:
            card, self.taken, self.taken_from = self.taken, NOTHING, NOBODY
            under.append(card)
            self.history.append((Deed.SLIPPED, TAKEN, UNDER_DECK, (card,)))
            laid = True
            if log is not None:
                events.slipped(self, card, log)
        elif len(self.witches) > 1 and self.witches[-1] == self.box.fake:
            *others, fake = self.witches
            self.witches = [fake]
            under += others
            self.history.append((Deed.ESCAPED, HUNTER, UNDER_DECK, tuple(others)))
            if log is not None:
                events.escaped(self, others, laid, log)
            laid = True
        if laid and self.may_shuffle():
            self._ask_to_shuffle()
        else:
            self._next_pick(log)

    @law("CC-HUNT-13", "CC-SPELL-6", "CC-AMB-16", "CC-AMB-30")
    def _end_hunt(self, log: list[Event] | None) -> None:
        """Turn over the tile cast this round, which rejoins the others (CC-SPELL-6); no other tile turns (CC-AMB-16).
        Then the next Census begins (CC-HUNT-13), unless this was the last round (CC-AMB-30)."""
        self.picks = 0
        self.first = NOBODY
        if self.cast is not None:
            tile = self.box.tile_of[self.cast]
            self.sides[tile] = side = self.cast.side.other
            self.cast = None
            self.history.append((Deed.FLIPPED, NOWHERE, tile, ()))
            if log is not None:
                events.flipped(self, tile, side, log)
        if self.limit and self.round >= self.limit:
            self._win(Ending.NOBODY, log)
        else:
            self.round += 1
            self._begin_round(log)

    @law("CC-AMB-17")
    def _win(self, ending: Ending, log: list[Event] | None) -> None:
        """End the game immediately, whatever picks are left (CC-AMB-17)."""
        if log is not None:
            events.game_ends(self, ending, log)
        self.ending = ending
        self.phase = Phase.OVER
        self.stage = Stage.END
        self.turn = OVER
        self.picks = 0
        self.first = NOBODY

    # Shuffling

    def _ask_to_shuffle(self) -> None:
        self.stage = QUESTION
        self.turn = HUNTER

    @law("CC-SETUP-7")
    def _shuffle(self, _move: Move, log: list[Event] | None) -> None:
        """Shuffle the cards under the deck into it (CC-SETUP-7)."""
        ids = self.box.ids
        self.history.append((Deed.SHUFFLED, UNDER_DECK, DECK, tuple(self.under)))
        if log is not None:
            events.shuffled(self, log)
        self.pool += [ids[card] for card in self.under]
        self.under = []
        self._go_on(log)

    def _leave(self, _move: Move, log: list[Event] | None) -> None:
        if log is not None:
            events.left_alone(self, log)
        self._go_on(log)

    def _go_on(self, log: list[Event] | None) -> None:
        """Continue with what the Hunter was asked before."""
        if self.phase is CENSUS:
            self._census(log)
        elif self.phase is HUNT:
            self._next_pick(log)
        elif self.is_arrival_of_choice() and (self.served or self.cast is not LULLABY):
            self._fill_tray(log)
        else:
            self._serve(log, asked=True)

    # What can be seen

    def imagine(self, seat: int, chance: Chance) -> State:
        """Return another course of hidden cards that looks the same to this seat."""
        return sight.another_world(self, seat, chance)

    def score(self) -> list[Score]:
        return scoring.scores(self)

    def result(self) -> Result | None:
        return scoring.result(self)

    def position(self) -> dict[str, Any]:
        record = super().position()
        return {"seats": record.pop("seats"), **record}


_STEPS: Final = {
    Verb.CAST: State._cast,
    Verb.HAT: State._pass_hat,
    Verb.SHUFFLE: State._shuffle,
    Verb.LEAVE: State._leave,
    Verb.DEAL: State._deal,
    Verb.DEAL_NOTHING: State._deal,
    Verb.GIVE: State._give,
    Verb.ASK: State._ask,
    Verb.WOODS: State._swap,
    Verb.ANSWER: State._answer,
    Verb.PICK: State._pick,
    Verb.PASS: State._pass_on,
    Verb.UNDER: State._lay_under,
}
"""By verb: the method that carries out the move."""


@law("CC-SETUP-4", "CC-SETUP-5", "CC-SETUP-6")
def start(
    facts: Facts,
    seats: Sequence[str],
    options: Mapping[str, Any],
    chance: Chance,
    log: list[Event] | None = None,
) -> State:
    """Start a new game: hide a card in the woods (CC-SETUP-4), deal each town its hand (CC-SETUP-5), form the deck from
    the rest (CC-SETUP-6), and begin the first Census."""
    box = box_of(facts)
    state = begin(State, box, seats, OPTIONS.read(options), chance, seat_misfits(seats, SEATS))
    take, numbers, pool = chance.take, box.numbers, state.pool
    state.woods = numbers[take(IN_THE_WOODS, pool)]
    state.history.append((Deed.HIDDEN, DECK, IN_WOODS, (state.woods,)))
    for town, name in enumerate(state.seats):
        if town != HUNTER:
            hand = state.hands[town] = sorted([numbers[take(name, pool)] for _ in range(HAND)])
            state.history.append((Deed.DEALT, DECK, town, tuple(hand)))
    if log is not None:
        events.set_up(state, log)
    state._begin_round(log)
    return state
