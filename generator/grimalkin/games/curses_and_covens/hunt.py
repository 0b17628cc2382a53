"""The Hunt of Curses & Covens, with which a round ends, and the end of a game."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from typing import Final

from grimalkin.engine.law import law
from grimalkin.engine.words import OVER, Event
from grimalkin.games.curses_and_covens import facts as cc
from grimalkin.games.curses_and_covens.board import Board, Log
from grimalkin.games.curses_and_covens.facts import Ending, Kind, Move, Phase, Spell, Stage
from grimalkin.games.curses_and_covens.knowledge import NOWHERE, TAKEN, UNDER_DECK, Deed
from grimalkin.games.curses_and_covens.scoring import steps
from grimalkin.problems.plain import plural

PICKED_CARD: Final = "pick"
"""The label of a draw."""

# Looked up once: each look-up in a class of rows takes about 60 ns, and a decision takes 3 µs.
HUNT, QUESTION, PICK, PASS, EMPTY = Phase.HUNT, Stage.QUESTION, Stage.PICK, Stage.PASS, Stage.EMPTY
TOWNSFOLK, RITUAL = Kind.TOWNSFOLK, Kind.RITUAL
NIGHTMARE, LOOKING_GLASS, BROKEN_MIRROR = Spell.NIGHTMARE, Spell.LOOKING_GLASS, Spell.BROKEN_MIRROR
PICKED, PASSED, CAUGHT, LAID = Deed.PICKED, Deed.PASSED, Deed.CAUGHT, Deed.LAID


class Hunt(Board):
    """A game whose Hunt can be played."""

    def _begin_round(self, log: Log | None) -> None:
        raise NotImplementedError

    def _ask_to_shuffle(self) -> None:
        self.stage = QUESTION
        self.turn = cc.HUNTER

    @law("CC-ROUND-1")
    def _hunt(self, log: Log | None) -> None:
        self.phase = HUNT
        if log is not None:
            picks = self.picks_allowed()
            rule = "CC-HUNT-1" if self.cast is None or picks == cc.PICKS else self.cast.rule
            self.say(log, rule, f"The Hunt begins: {plural(picks, 'pick')}.", picks=picks)
        self._next_pick(log)

    # Picks

    @law("CC-HUNT-1", "CC-CHARM-2", "CC-AMB-8", "CC-AMB-29")
    def _next_pick(self, log: Log | None) -> None:
        """Let the Hunter pick again, if there are picks left (CC-HUNT-1) and a town to pick from (CC-AMB-8, CC-AMB-29).
        Under Looking-Glass it may not be the first town again (CC-CHARM-2)."""
        if self.picks < self.picks_allowed():
            barred = self.barred()
            hands = self.hands
            if any(hands if barred == cc.NOBODY else hands[:barred] + hands[barred + 1 :]):
                self.stage = PICK
                self.turn = cc.HUNTER
                return
            if log is not None:
                self._log_skipped(log)
        self._end_hunt(log)

    def _log_skipped(self, log: Log) -> None:
        left = self.picks_allowed() - self.picks
        if any(self.hands):
            text = "Only the first town has cards, so the second pick is skipped."
            self.say(log, "CC-CHARM-2", text, town=self.first, picks_left=left)
            return
        self.say(log, "CC-AMB-8", f"No town has cards, so {plural(left, 'pick')} cannot be made.", picks_left=left)
        if left > 1 or self.picks:
            self.say(log, "CC-AMB-29", "Picks that cannot be made are skipped.")

    @law("CC-HUNT-2", "CC-HUNT-3")
    def _pick(self, move: Move, log: Log | None) -> None:
        """Pick a card from a town, at random (CC-HUNT-2); two picks may be from the same town or from different ones
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
            self._log_picked(town, card, log)
        kind = self.box.cards.kinds[card]
        if kind is TOWNSFOLK:
            self.taken = card
            self.taken_from = town
            others = self.table.passes[town]
            if len(others) == 1:
                self._pass_on(others[0], log)
            else:
                self.stage = PASS
                self.turn = cc.HUNTER
        elif kind is RITUAL:
            self._shown_ritual(town, card, log)
        else:
            self._shown_witch(town, card, log)

    def _log_picked(self, town: int, card: int, log: Log) -> None:
        text = "{hunter} picks a card from {town}, and everybody sees {card}."
        self.say(log, "CC-HUNT-2", text, town=town, card=card, pick=self.picks, picks=self.picks_allowed())
        if self.picks > 1:
            if self.cast is LOOKING_GLASS:
                self.say(log, "CC-CHARM-2", "The first pick was from {town}.", town=self.first)
            elif self.first == town:
                rule = "CC-CURSE-3" if self.cast is Spell.WILD_CHASE else "CC-HUNT-3"
                self.say(log, rule, "The Hunter may pick from {town} again.", town=town)

    # The card shown

    @law("CC-HUNT-4", "CC-CURSE-1", "CC-AMB-9")
    def _pass_on(self, move: Move, log: Log | None) -> None:
        """Pass the townsfolk card on to another town (CC-HUNT-4, CC-AMB-9). In a Nightmare the town it came from then
        lays its hand under the deck (CC-CURSE-1)."""
        town, card, to = self.taken_from, self.taken, move.seat
        self.taken = cc.NOTHING
        self.taken_from = cc.NOBODY
        insort(self.hands[to], card)
        self.history.append((PASSED, TAKEN, to, (card,)))
        if log is not None:
            self._log_passed_on(town, card, to, log)
        if self.cast is NIGHTMARE:
            self._empty(town, log)
        else:
            self._next_pick(log)

    def _log_passed_on(self, town: int, card: int, to: int, log: Log) -> None:
        hand = len(self.hands[town])
        self.say(log, "CC-HUNT-4", "{card} is passed on to {to}.", from_=town, to=to, card=card)
        if len(self.seats) > 3:
            words, _ = self.gaps({"from": town})
            text = "{hunter} could choose any town except {from}; everybody knows the card."
            log.append(Event("CC-AMB-9", text.format_map(words)))
        if self.cast is NIGHTMARE and hand:
            text = "{town}, which was picked, puts the rest of its hand under the deck."
            self.say(log, "CC-CURSE-1", text, town=town, hand=hand)

    @law("CC-HUNT-7", "CC-HUNT-14", "CC-WIN-2", "CC-CURSE-1", "CC-AMB-29")
    def _shown_ritual(self, town: int, card: int, log: Log | None) -> None:
        """Lay a ritual in front of the Hunter (CC-HUNT-7). The town keeps its hand (CC-HUNT-14), except in a Nightmare
        (CC-CURSE-1). The second ritual wins immediately (CC-WIN-2)."""
        self.rituals.append(card)
        self.history.append((Deed.TRAPPED, TAKEN, cc.HUNTER, (card,)))
        if log is not None:
            self._log_ritual(town, card, log)
        if len(self.rituals) >= cc.RITUALS_TO_WIN:
            self._win(Ending.RITUALS, log)
        elif self.cast is NIGHTMARE:
            self._empty(town, log)
        else:
            self._next_pick(log)

    def _log_ritual(self, town: int, card: int, log: Log) -> None:
        count, nightmare = len(self.rituals), self.cast is NIGHTMARE
        keeps = {"town": town, "hand": len(self.hands[town])}
        text = f"{{card}} stays in front of {{hunter}}: {plural(count, 'ritual')} there."
        self.say(log, "CC-HUNT-7", text, town=town, card=card, rituals=count, needed=cc.RITUALS_TO_WIN)
        if not self.hands[town]:
            return
        if count < cc.RITUALS_TO_WIN:
            if nightmare:
                self.say(log, "CC-CURSE-1", "{town} still puts the rest of its hand under the deck.", **keeps)
            else:
                self.say(log, "CC-HUNT-14", "{town} keeps its hand.", **keeps)
        elif nightmare:
            self.say(log, "CC-AMB-29", "The second ritual wins before anything goes under the deck.", **keeps)

    @law("CC-HUNT-5", "CC-HUNT-6", "CC-HUNT-10", "CC-HUNT-11", "CC-HUNT-15", "CC-WIN-3", "CC-AMB-32")
    def _shown_witch(self, town: int, card: int, log: Log | None) -> None:
        """Capture a witch (CC-HUNT-5), even the wild one (CC-HUNT-15). The fifth one there (CC-AMB-32) wins immediately
        (CC-WIN-3, CC-HUNT-6). The fake counts (CC-HUNT-11), but her own capture never wins (CC-HUNT-10). Under a Broken
        Mirror no witch is captured (CC-CURSE-2)."""
        if self.cast is BROKEN_MIRROR:
            self.taken = card
            self.taken_from = town
            if log is not None:
                hand = len(self.hands[town])
                after = " after the rest of {town}'s hand" if hand else ""
                text = f"{{card}} is not captured, and will go under the deck{after}."
                self.say(log, "CC-CURSE-2", text, town=town, card=card, hand=hand)
            self._empty(town, log)
            return
        self.witches.append(card)
        self.history.append((CAUGHT, TAKEN, cc.HUNTER, (card,)))
        if log is not None:
            self._log_caught(town, card, log)
        if card != self.box.fake and len(self.witches) >= cc.WITCHES_TO_WIN:
            self._win(Ending.CAPTURES, log)
        else:
            self._empty(town, log)

    def _log_caught(self, town: int, card: int, log: Log) -> None:
        count, hand, is_fake = len(self.witches), len(self.hands[town]), card == self.box.fake
        enough = count >= cc.WITCHES_TO_WIN
        witches = f"{count} {'witch' if count == 1 else 'witches'}"
        text = f"{{card}} is captured: {witches} in front of {{hunter}}."
        self.say(log, "CC-HUNT-5", text, town=town, card=card, witches=count, needed=cc.WITCHES_TO_WIN)
        if self.box.cards.kinds[card] is Kind.WILD:
            self.say(log, "CC-HUNT-15", "The wild witch is captured like any other.")
        if enough and is_fake:
            text = f"She makes {witches}, but her own capture never wins the game: the others escape."
            self.say(log, "CC-HUNT-10", text, witches=count, needed=cc.WITCHES_TO_WIN)
        elif enough and self.box.fake in self.witches:
            self.say(log, "CC-HUNT-11", "The fake witch is one of the {witches}.", witches=count)
        if hand and (is_fake or not enough):
            rest = "its other card" if hand == 1 else "the other {hand} cards of its hand"
            self.say(log, "CC-HUNT-5", f"{{town}} puts {rest} under the deck.", town=town, hand=hand)

    # The hand that goes under the deck

    @law("CC-HUNT-5", "CC-AMB-10")
    def _empty(self, town: int, log: Log | None) -> None:
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

    def _lay_under(self, move: Move, log: Log | None) -> None:
        town = self.emptying
        hand, card = self.hands[town], move.card
        hand.remove(card)
        self.under.append(card)
        self.history.append((LAID, town, UNDER_DECK, (card,)))
        if log is not None:
            self.whisper(log, "CC-AMB-10", "{town} puts {card} under the deck.", [town], town=town, card=card)
        if not hand:
            self._emptied(True, log)
        elif len(hand) == 1:
            self._lay_under(self.box.unders[hand[0]], log)

    @law("CC-HUNT-8", "CC-HUNT-9", "CC-AMB-11", "CC-AMB-25", "CC-AMB-26")
    def _emptied(self, laid: bool, log: Log | None) -> None:
        """Finish laying a hand. A witch that is not captured goes under it (CC-CURSE-2). If the fake was captured, all
        others escape (CC-HUNT-8, CC-AMB-11) in the order of their capture (CC-AMB-25), and she stays (CC-HUNT-9)."""
        self.emptying = cc.NOBODY
        under = self.under
        if self.taken != cc.NOTHING:
            card, self.taken, self.taken_from = self.taken, cc.NOTHING, cc.NOBODY
            under.append(card)
            self.history.append((Deed.SLIPPED, TAKEN, UNDER_DECK, (card,)))
            laid = True
            if log is not None:
                self.say(log, "CC-CURSE-2", "{card} goes under the deck.", card=card)
        elif len(self.witches) > 1 and self.witches[-1] == self.box.fake:
            *others, fake = self.witches
            self.witches = [fake]
            under += others
            self.history.append((Deed.ESCAPED, cc.HUNTER, UNDER_DECK, tuple(others)))
            if log is not None:
                self._log_escaped(others, laid, log)
            laid = True
        if laid and self.may_shuffle():
            self._ask_to_shuffle()
        else:
            self._next_pick(log)

    def _log_escaped(self, others: Sequence[int], laid: bool, log: Log) -> None:
        """Log the escape of the other witches. `laid`: whether the town has laid cards under the deck before."""
        fake = self.box.fake
        text = f"Because of {{card}}, {{cards}} {'escapes' if len(others) == 1 else 'escape'} under the deck."
        self.say(log, "CC-HUNT-8", text, card=fake, cards=others)
        if laid:
            self.say(log, "CC-AMB-11", "They go below the cards that the town has put there.")
        if len(others) > 1:
            self.say(log, "CC-AMB-25", "The first one captured is nearest the top: {card}.", card=others[0])
        self.say(log, "CC-HUNT-9", "{card} stays until the end of the game.", card=fake)

    # The end of a round and of the game

    @law("CC-HUNT-13", "CC-AMB-30")
    def _end_hunt(self, log: Log | None) -> None:
        """Turn over the tile cast this round, which rejoins the others (CC-SPELL-6); no other tile turns (CC-AMB-16).
        Then the next Census begins (CC-HUNT-13), unless this was the last round (CC-AMB-30)."""
        self.picks = 0
        self.first = cc.NOBODY
        if self.cast is not None:
            tile = self.box.tile_of[self.cast]
            self.sides[tile] = side = self.cast.side.other
            self.cast = None
            self.history.append((Deed.FLIPPED, NOWHERE, tile, ()))
            if log is not None:
                self.say(log, "CC-SPELL-6", "{tile} turns over and shows its {side}.", tile=tile, side=side.word)
                if len(self.sides) - self.sides.count(None) > 1:
                    self.say(log, "CC-AMB-16", "Tiles that nobody cast stay as they are.")
        if self.limit and self.round >= self.limit:
            self._win(Ending.NOBODY, log)
        else:
            self.round += 1
            self._begin_round(log)

    def _win(self, ending: Ending, log: Log | None) -> None:
        """End the game immediately, whatever picks are left (CC-AMB-17)."""
        if log is not None:
            left = self.picks_allowed() - self.picks
            if ending in (Ending.RITUALS, Ending.CAPTURES) and left > 0:
                text = f"The game is over, and {plural(left, 'pick')} will not be made."
                self.say(log, "CC-AMB-17", text, picks_left=left)
            log += [Event(rule, because, facts=facts) for rule, because, facts in steps(self, ending)]
        self.ending = ending
        self.phase = Phase.OVER
        self.stage = Stage.END
        self.turn = OVER
        self.picks = 0
        self.first = cc.NOBODY
