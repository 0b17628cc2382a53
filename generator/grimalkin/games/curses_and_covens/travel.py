"""Arrival and Travel in Curses & Covens: how cards come to the towns, and from one to another."""

from __future__ import annotations

from bisect import insort
from typing import Final

from grimalkin.engine.law import law
from grimalkin.engine.words import Event
from grimalkin.games.curses_and_covens import facts as cc
from grimalkin.games.curses_and_covens.board import Log
from grimalkin.games.curses_and_covens.facts import Move, Phase, Spell, Stage
from grimalkin.games.curses_and_covens.hunt import Hunt
from grimalkin.games.curses_and_covens.knowledge import DECK, IN_WOODS, TRAY, UNDER_DECK, Deed
from grimalkin.problems.plain import plural

ON_THE_TRAY: Final = "tray"
"""The label of a draw. A card for a town is drawn under the town's name."""

# Looked up once: each look-up in a class of rows takes about 60 ns, and a decision takes 3 µs.
ARRIVAL, TRAVEL, DEAL, ACT, ANSWER = Phase.ARRIVAL, Phase.TRAVEL, Stage.DEAL, Stage.ACT, Stage.ANSWER
LULLABY, FORKED_PATH, BROKEN_MIRROR = Spell.LULLABY, Spell.FORKED_PATH, Spell.BROKEN_MIRROR
DREW, ARRIVED, LOOKED = Deed.DREW, Deed.ARRIVED, Deed.LOOKED
GAVE, ASKED, SWAPPED = Deed.GAVE, Deed.ASKED, Deed.SWAPPED


class Travel(Hunt):
    """A game whose Arrival, Travel and Hunt can be played."""

    # Arrival

    @law("CC-ROUND-1", "CC-ARR-1", "CC-ARR-2", "CC-CHARM-1", "CC-CURSE-2")
    def _arrival(self, log: Log | None) -> None:
        """Begin Arrival: cards are dealt one by one (CC-ARR-1), or by the Hunter's choice (CC-ARR-2, CC-CURSE-2). Under
        a Lullaby the first one is always dealt unseen (CC-CHARM-1)."""
        self.phase = ARRIVAL
        if self.is_arrival_of_choice() and self.cast is not LULLABY:
            self._lay_out(log)
        else:
            self._serve(log)

    def _draw(self, label: str) -> tuple[int, int]:
        """Draw the top card of the deck, and return its place and the card. While the deck has cards in unknown order,
        it is one of those."""
        if self.pool:
            return DECK, self.box.numbers[self.chance.take(label, self.pool)]
        return UNDER_DECK, self.under.pop(0)

    @law("CC-ARR-1", "CC-TRAV-7", "CC-CHARM-1", "CC-AMB-7", "CC-AMB-26")
    def _serve(self, log: Log | None, asked: bool = False) -> None:
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
                    self._log_empty_deck(log)
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
                self._log_arrived(town, card, unseen, log)
            unseen = False
        if choice:
            self._lay_out(log)
        else:
            self._travel(log)

    def _log_empty_deck(self, log: Log) -> None:
        self.say(log, "CC-TRAV-7", "The deck is empty, so no card is drawn.")
        if self.served:
            text = "The towns got their cards one after the other, so {towns} got nothing."
            self.say(log, "CC-AMB-7", text, towns=self.service()[self.served :])

    def _log_arrived(self, town: int, card: int, unseen: bool, log: Log) -> None:
        if unseen:
            text = "{town} has the hat and draws first: {card}, which {hunter} does not see."
            hint = "{town} has the hat and draws first, and {hunter} does not look at the card."
            self.whisper(log, "CC-CHARM-1", text, [town], hint, town=town, card=card)
        else:
            text = "{hunter} draws {card} and passes it to {town}."
            hint = "{hunter} draws a card, looks at it and passes it to {town}."
            self.whisper(log, "CC-ARR-1", text, [cc.HUNTER, town], hint, town=town, card=card)

    def _lay_out(self, log: Log | None) -> None:
        if self.may_shuffle():
            self._ask_to_shuffle()
        else:
            self._fill_tray(log)

    @law("CC-ARR-2", "CC-AMB-7")
    def _fill_tray(self, log: Log | None) -> None:
        """Draw a card for each remaining town while the deck lasts; the Hunter looks at them all."""
        towns = len(self.hands) - 1 - self.served
        while len(self.tray) < towns and (self.pool or self.under):
            source, card = self._draw(ON_THE_TRAY)
            insort(self.tray, card)
            self.history.append((LOOKED, source, TRAY, (card,)))
        if log is not None:
            self._log_tray(towns, log)
        self._next_deal(log)

    def _rule_of_choice(self) -> str:
        """Return the rule that lets the Hunter give out cards by choice."""
        return "CC-CURSE-2" if self.cast is BROKEN_MIRROR and not self.rituals else "CC-ARR-2"

    def _log_tray(self, towns: int, log: Log) -> None:
        count = len(self.tray)
        if not count:
            self._log_empty_deck(log)
            return
        rule = self._rule_of_choice()
        why = "under Broken Mirror" if rule == "CC-CURSE-2" else "with a ritual in front"
        looks = f"{{hunter}}, {why}, draws {plural(count, 'card')} and looks at"
        hint = f"{looks} {'them all' if count > 1 else 'it'}."
        self.whisper(log, rule, f"{looks} {{cards}}.", [cc.HUNTER], hint, cards=self.tray)
        if count < towns:
            text = f"There are {{towns-left}} towns to serve and only {plural(count, 'card')}."
            self.say(log, "CC-AMB-7", text, towns_left=towns, drawn=count)

    def _next_deal(self, log: Log | None) -> None:
        left = len(self.hands) - 1 - self.served
        if not self.tray:
            self._travel(log)
        elif left == len(self.tray) == 1:
            self._deal(self.box.deals[self.tray[0]], log)
        else:
            self.stage = DEAL
            self.turn = cc.HUNTER

    @law("CC-ARR-2", "CC-AMB-7")
    def _deal(self, move: Move, log: Log | None) -> None:
        """Give the next town a card of the Hunter's choice (CC-ARR-2), or nothing if there are fewer cards than towns
        (CC-AMB-7, CC-AMB-28)."""
        town, card = self.service()[self.served], move.card
        self.served += 1
        if card == cc.NOTHING:
            if log is not None:
                self.say(log, "CC-AMB-28", "{hunter} gives nothing to {town}.", town=town)
        else:
            self.tray.remove(card)
            insort(self.hands[town], card)
            self.history.append((ARRIVED, TRAY, town, (card,)))
            if log is not None:
                rule, text = self._rule_of_choice(), "{hunter} gives {card} to {town}."
                self.whisper(log, rule, text, [cc.HUNTER, town], town=town, card=card)
        self._next_deal(log)

    # Travel

    @law("CC-ROUND-1")
    def _travel(self, log: Log | None) -> None:
        self.phase = TRAVEL
        self.served = 0
        if log is not None:
            self._log_order("CC-TRAV-1", "Travel begins with {}: {}.", log)
        self._next_action(log)

    def _log_order(self, rule: str, text: str, log: Log) -> None:
        """Log the order of the towns, beginning with the one with the hat."""
        order = self.seats[self.hat :] + self.seats[1 : self.hat]
        log.append(Event(rule, text.format(order[0], ", then ".join(order)), facts={"towns": order}))

    @law("CC-TRAV-1", "CC-AMB-6")
    def _next_action(self, log: Log | None) -> None:
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
                self._log_order("CC-CURSE-3", "Travel goes round again: {1}.", log)
        self.stage = ACT
        self.turn = self.acting()

    def _acted(self, log: Log | None) -> None:
        """Finish an action. On a Forked Path the town with the hat takes a second one (CC-CHARM-3)."""
        if self.cast is FORKED_PATH and not self.acted and not self.again:
            self.again = True
            if log is not None:
                self.say(log, "CC-CHARM-3", "{town} has the hat and gets a second action.", town=self.hat)
        else:
            self.again = False
            self.acted += 1
        self._next_action(log)

    def _give(self, move: Move, log: Log | None) -> None:
        """Give a card to another town (CC-TRAV-2)."""
        town, card, to = self.turn, move.card, move.seat
        self._hand_over(town, to, card)
        if log is not None:
            text = "{from} gives {card} to {to}."
            self.whisper(log, "CC-TRAV-2", text, [town, to], from_=town, to=to, card=card)
        self._acted(log)

    def _hand_over(self, town: int, to: int, card: int) -> None:
        self.hands[town].remove(card)
        insort(self.hands[to], card)
        self.history.append((GAVE, town, to, (card,)))

    def _ask(self, move: Move, log: Log | None) -> None:
        """Ask another town, which must pass a card of its choice (CC-TRAV-3) unless it has only one (CC-AMB-4)."""
        town, asked = self.turn, move.seat
        alone = len(self.hands[asked]) == 1
        if log is not None:
            if not self.hands[town]:
                self.say(log, "CC-AMB-6", "{town} has no cards, so it can only ask.", town=town)
            self.say(log, "CC-TRAV-3", "{town} asks {asked} for a card.", town=town, asked=asked)
            if alone:
                self.say(log, "CC-AMB-4", "{asked} has only 1 card, so nothing moves.", asked=asked, hand=1)
        if alone:
            self.history.append((ASKED, town, asked, ()))
            self._acted(log)
        else:
            self.stage = ANSWER
            self.turn = self.asked = asked

    def _answer(self, move: Move, log: Log | None) -> None:
        card, town = move.card, self.turn
        asker = self.acting()
        self.asked = cc.NOBODY
        self._hand_over(town, asker, card)
        if log is not None:
            hand, text = len(self.hands[town]) + 1, "{from} passes {card} to {to}."
            self.whisper(log, "CC-TRAV-3", text, [town, asker], from_=town, to=asker, card=card)
            self.say(log, "CC-AMB-22", "{town} was free to choose any of its {hand} cards.", town=town, hand=hand)
        self._acted(log)

    def _swap(self, move: Move, log: Log | None) -> None:
        """Exchange a card for the one in the woods (CC-TRAV-4); even a town with only one card may do so (CC-AMB-5)."""
        town, card, got = self.turn, move.card, self.woods
        hand = self.hands[town]
        hand.remove(card)
        insort(hand, got)
        self.woods = card
        self.history.append((SWAPPED, town, IN_WOODS, (card, got)))
        if log is not None:
            text = "{town} puts {put} in the woods and takes {got} from there."
            hint = "{town} exchanges a card with the one in the woods."
            self.whisper(log, "CC-TRAV-4", text, [town], hint, town=town, put=card, got=got)
            if len(hand) == 1:
                text = "It was {town}'s only card, but an exchange is not a gift."
                self.say(log, "CC-AMB-5", text, town=town, hand=1)
        self._acted(log)
