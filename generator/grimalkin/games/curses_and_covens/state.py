"""A game of Curses & Covens in progress: its start, every legal move, and the Census."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from grimalkin.engine.chance import Chance
from grimalkin.engine.contract import Facts
from grimalkin.engine.law import law
from grimalkin.engine.loading import seat_misfits
from grimalkin.engine.state import begin
from grimalkin.engine.words import Event, Refusal, Result, Score
from grimalkin.games.curses_and_covens import facts as cc
from grimalkin.games.curses_and_covens import refusals, scoring
from grimalkin.games.curses_and_covens.board import Log
from grimalkin.games.curses_and_covens.facts import Ending, Kind, Move, Phase, Spell, Stage, Verb, box_of
from grimalkin.games.curses_and_covens.knowledge import DECK, IN_WOODS, NOWHERE, TRAY, UNDER_DECK, Deed, other_world
from grimalkin.games.curses_and_covens.travel import Travel
from grimalkin.problems.plain import plural

IN_THE_WOODS: Final = "woods"
"""The label of a draw."""

# Looked up once: each look-up in a class of rows takes about 60 ns, and a decision takes 3 µs.
CENSUS, HUNT, LULLABY = Phase.CENSUS, Phase.HUNT, Spell.LULLABY
ANNOUNCE, QUESTION, DEAL, ACT, ANSWER = Stage.ANNOUNCE, Stage.QUESTION, Stage.DEAL, Stage.ACT, Stage.ANSWER
PICK, PASS, EMPTY = Stage.PICK, Stage.PASS, Stage.EMPTY
SHOWN, DREW, HATTED = Deed.SHOWN, Deed.DREW, Deed.HATTED
DEAL_NOTHING: Final = Move(Verb.DEAL_NOTHING)
QUESTION_MOVES: Final = (Move(Verb.SHUFFLE), Move(Verb.LEAVE))


class State(Travel):
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

    @law("CC-AMB-26")
    def _begin_round(self, log: list[Event] | None) -> None:
        self.phase = CENSUS
        if log is not None:
            rule = "CC-ROUND-1" if self.round == 1 else "CC-HUNT-13"
            self.say(log, rule, "Round {round} begins with its Census.", round=self.round)
            if self.round == 1:
                text = "The hat is in front of {town}, which speaks for the towns."
                self.say(log, "CC-AMB-23", text, town=self.hat)
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
            if len(hand) >= cc.COVEN and judge(hand).most >= cc.COVEN:
                coven = True
        if log is not None:
            self._log_census(log)
        if coven:
            self._win(Ending.COVEN, log)
        else:
            self.stage = ANNOUNCE
            self.turn = self.hat

    def _draw_in_census(self, town: int, log: list[Event] | None) -> None:
        if self.pool or self.under:
            source, card = self._draw(self.seats[town])
            self.hands[town].append(card)
            self.history.append((DREW, source, town, (card,)))
            if log is not None:
                text, hint = "{town} has no cards and draws {card}.", "{town} has no cards and draws one."
                self.whisper(log, "CC-CENSUS-1", text, [town], hint, town=town, card=card)
        elif log is not None:
            self.say(log, "CC-TRAV-7", "{town} has no cards and draws none: the deck is empty.", town=town)

    def _log_census(self, log: Log) -> None:
        towns = range(1, len(self.seats))
        for town in towns:
            shown = "{cards}" if self.hands[town] else "no cards"
            self.say(log, "CC-CENSUS-2", f"{{town}} shows {shown}.", town=town, cards=self.hands[town])
        for town in towns:
            self._log_coven(town, log)

    def _log_coven(self, town: int, log: Log) -> None:
        """Log whether a town's hand is a coven, or why not if it looks like one."""
        hand, kinds = self.hands[town], self.box.cards.kinds
        suited = [sum(kinds[card] is suit for card in hand) for suit in cc.SUITS]
        wild = sum(kinds[card] is Kind.WILD for card in hand)
        most, others = self.most_of_a_suit(town), max(suited)
        suit = cc.SUITS[suited.index(others)].word
        coven = {"town": town, "suit": suit, "witches": most, "needed": cc.COVEN}
        if most >= cc.COVEN:
            self.say(log, "CC-CENSUS-3", "{town} shows {witches} witches of {suit}: a coven.", **coven)
            if wild:
                text = f"The wild witch stands for {suit} with {plural(others, 'other')}."
                self.say(log, "CC-AMB-13", text, town=town, suit=suit, others=others)
                text = "She may be any suit in each check, and is {suit} in this one."
                self.say(log, "CC-AMB-14", text, suit=suit)
            if self.castable():
                self.say(log, "CC-AMB-15", "The coven comes before any spell.")
            return
        if most == cc.COVEN - 1 and any(kinds[card] is Kind.FAKE for card in hand):
            text = "{town}'s fake witch has no suit, so {witches} of {suit} are not a coven."
            self.say(log, "CC-HUNT-12", text, **coven)
        if wild and sum(suited) >= cc.COVEN - 1:
            suits = tuple([suit.word for suit, count in zip(cc.SUITS, suited, strict=True) if count])
            text = "{town}'s wild witch stands for one suit, not for {suits} together, so there is no coven."
            self.say(log, "CC-AMB-13", text, town=town, suits=suits, needed=cc.COVEN)

    @law("CC-SPELL-2", "CC-SPELL-3")
    def _cast(self, move: Move, log: list[Event] | None) -> None:
        """Set a tile apart: its spell applies in this round (CC-SPELL-2), and the witches stay in hand (CC-SPELL-3)."""
        self.cast = spell = move.spell
        assert spell is not None
        self.history.append((Deed.CASTING, self.turn, spell, ()))
        if log is not None:
            self._log_cast(spell, log)

    def _log_cast(self, spell: Spell, log: Log) -> None:
        box, kinds = self.box, self.box.cards.kinds
        casters = [town for town, hand in enumerate(self.hands) if spell in box.judge(hand).casts]
        tame = [[card for card in self.hands[town] if kinds[card] is not Kind.WILD] for town in casters]
        first, second = box.icons[spell]
        text = f"{{town}} announces {{spell}}: {{shown-by}} {'show' if len(casters) > 1 else 'shows'} {{icons}}."
        icons = first.word, second.word
        self.say(log, "CC-SPELL-1", text, town=self.turn, spell=spell, icons=icons, shown_by=casters)
        if first is second:
            self.say(log, "CC-AMB-3", "Two {suit} icons need two witches.", suit=first.word)
        if not any(spell in box.judge(hand).casts for hand in tame):
            self.say(log, "CC-SPELL-5", "The wild witch stands for one of the icons.")
        text = "{tile} is set apart, and {spell} lasts until the round is over."
        self.say(log, "CC-SPELL-2", text, tile=box.tile_of[spell], spell=spell)
        self.say(log, "CC-SPELL-3", "The witches stay in hand.")
        self.say(log, spell.rule, spell.effect, spell=spell, picks=spell.picks, laps=spell.laps)

    def _say(self, words: str, log: list[Event] | None) -> None:
        """Say something that everybody hears and that is not binding (CC-CENSUS-4, CC-CENSUS-5, CC-AMB-27)."""
        self.talk.append(f"{self.seats[self.turn]}: {words}")
        self.history.append((Deed.SAID, self.turn, NOWHERE, words))
        if log is not None:
            self.say(log, "CC-CENSUS-4", '{town} says: "{words}"', town=self.turn, words=words)
            self.say(log, "CC-CENSUS-5", "Whether it is true or not, {hunter} hears it too.")
            self.say(log, "CC-AMB-27", "Nobody has to keep to it.")

    def _pass_hat(self, move: Move, log: list[Event] | None) -> None:
        """Pass on the hat, which decides who goes first in Travel (CC-CENSUS-6), and end the Census (CC-CENSUS-7)."""
        before, self.hat = self.hat, move.seat
        self.history.append((HATTED, NOWHERE, self.hat, ()))
        if log is not None:
            keeps = self.hat == before
            text = f"{{town}} {'keeps' if keeps else 'has'} the hat, and goes first in Travel."
            self.say(log, "CC-CENSUS-6", text, town=self.hat, keeps=keeps)
            self.say(log, "CC-CENSUS-7", "The towns take their shown cards back.")
        self.talk = []
        self._arrival(log)

    # Shuffling

    def _shuffle(self, _move: Move, log: list[Event] | None) -> None:
        """Shuffle the cards under the deck into it (CC-SETUP-7)."""
        ids = self.box.ids
        self.history.append((Deed.SHUFFLED, UNDER_DECK, DECK, tuple(self.under)))
        if log is not None:
            under = len(self.under)
            text = f"{{hunter}} shuffles the deck, including {plural(under, 'card')} from under it."
            self.say(log, "CC-SETUP-7", text, under=under)
            self.say(log, "CC-AMB-12", "This changes which card is drawn next, but no rule.")
        self.pool += [ids[card] for card in self.under]
        self.under = []
        self._go_on(log)

    def _leave(self, _move: Move, log: list[Event] | None) -> None:
        if log is not None:
            self.say(log, "CC-AMB-26", "{hunter} leaves the deck as it is.")
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
        other, box = self.with_chance(chance), self.box
        numbers, ids = box.numbers, box.ids
        places: dict[int, Sequence[int]] = dict(enumerate(self.hands))
        places[DECK] = [numbers[id_] for id_ in self.pool]
        places[TRAY] = self.tray
        plain = {*self.hands[seat], *self.witches, *self.rituals, self.taken}
        if seat == cc.HUNTER:
            plain.update(self.tray)
        other.history, now = other_world(self.history, seat, len(ids), places, plain, chance)
        other.hands = [sorted([now[card] for card in hand]) for hand in self.hands]
        other.woods = now[self.woods]
        other.under = [now[card] for card in self.under]
        other.tray = sorted([now[card] for card in self.tray])
        other.pool = [ids[now[numbers[id_]]] for id_ in self.pool]
        return other

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
    state = begin(State, box, seats, cc.OPTIONS.read(options), chance, seat_misfits(seats, cc.SEATS))
    take, numbers, pool = chance.take, box.numbers, state.pool
    state.woods = numbers[take(IN_THE_WOODS, pool)]
    state.history.append((Deed.HIDDEN, DECK, IN_WOODS, (state.woods,)))
    for town, name in enumerate(state.seats):
        if town != cc.HUNTER:
            hand = state.hands[town] = sorted([numbers[take(name, pool)] for _ in range(cc.HAND)])
            state.history.append((Deed.DEALT, DECK, town, tuple(hand)))
    if log is not None:
        _log_set_up(state, log)
    state._begin_round(log)
    return state


def _log_set_up(state: State, log: Log) -> None:
    towns = range(1, len(state.seats))
    text = "{hunter} is the Witch Hunter, {towns} are the towns."
    state.say(log, "CC-PLAYERS-1", text, hunter=cc.HUNTER, towns=towns)
    text = "{town} sits on {hunter}'s left, and the other towns follow clockwise."
    state.say(log, "CC-AMB-20", text, town=towns[0])
    tiles = [tile for tile, side in enumerate(state.sides) if side is not None]
    if tiles:
        state.say(log, "CC-SETUP-3", "On the table, charm side up: {tiles}.", tiles=tiles)
    out = [tile for tile, side in enumerate(state.sides) if side is None]
    if out:
        state.say(log, "CC-AMB-31", "Left in the box: {tiles}.", tiles=out)
    hint = "{hunter} looks at a card and hides it in the woods."
    state.whisper(log, "CC-SETUP-4", "{hunter} hides {card} in the woods.", [cc.HUNTER], hint, card=state.woods)
    for town in towns:
        hand = state.hands[town]
        hint = f"{{town}} is dealt {plural(len(hand), 'card')}."
        state.whisper(log, "CC-SETUP-5", "{town} is dealt {cards}.", [town], hint, town=town, cards=hand)
    deck = len(state.pool)
    state.say(log, "CC-SETUP-6", f"The other {plural(deck, 'card')} form the deck.", deck=deck)
