"""The notation of Were Kittens: lines of text as moves, and records as states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grimalkin.engine.chance import Chance
from grimalkin.engine.contract import Facts
from grimalkin.engine.law import law
from grimalkin.engine.shape import Misfit, Record
from grimalkin.engine.state import Reading
from grimalkin.engine.words import OVER, Ambiguous, Unreadable, find_typed, listed, typed
from grimalkin.games.were_kittens import facts as wk
from grimalkin.games.were_kittens.facts import Box, box_of, heap, seat_of, size
from grimalkin.games.were_kittens.state import State, begin_misfits
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import plural


def every_move(facts: Facts) -> list[int]:
    """Return every small move that changes something, in the order of `legal`. This leaves out `cat N`."""
    return [number for number, move in enumerate(box_of(facts).moves) if move.verb is not wk.CAT]


def read(text: str, state: State) -> list[int]:
    """Read small moves separated by commas. Case, spaces and hyphens do not matter."""
    return [_read_one(typed(part), state.box) for part in text.split(",")]


def _read_one(text: str, box: Box) -> int:
    if not text:
        raise Unreadable("a move is missing")
    move = find_typed(text, box.by_text, wk.ACTION_NAMES)
    if move is not None:
        return move
    longer = [whole for whole in box.by_text if whole.startswith(f"{text} ")]
    if longer:
        raise Ambiguous(f'"{text}" does not say enough: {listed(longer, "or")}')
    words = text.split()
    if words and words[0] in ("make", "cat") and not (words[-1].isdigit() and int(words[-1]) in wk.SPACES):
        raise Unreadable(f'"{text}" names no space; spaces are numbered {wk.SPACES[0]} to {wk.SPACES[-1]}')
    hint = did_you_mean(text, [known for known in box.by_text if wk.QUARTER not in known])
    raise Unreadable(f'"{text}" is not a move of this game' + (f"; {hint}" if hint else ""))


def write(moves: Sequence[int], state: State, _reader: int | None = None) -> str:
    """Write small moves separated by commas. Every reader may see them all."""
    return ", ".join([state.box.moves[move].text for move in moves])


# Positions


def position_shape(facts: Facts) -> Record:
    """Return the shape of a position's record."""
    return State.shape(box_of(facts))


def load(facts: Facts, position: Mapping[str, Any], chance: Chance | None = None) -> State:
    """Return the state that a position describes, without making automatic steps.

    A game that must have ended is over, whatever phase is written.
    """
    return _Loading.of(State, box_of(facts), position, chance, begin_misfits).run()


class _Loading(Reading[State]):
    """The loading of one position: the contents of its record, and what follows from the rules."""

    def run(self) -> State:
        state, record = self.state, self.record
        self.lay()
        self.count_coins()
        if "quarter" not in record:
            state.quarter = 0
        if "phase" not in record:
            acts = state.heads or "acting" in record
            state.phase = wk.ACTING if acts else wk.PLACING if state.city or state.supply else wk.ENDED
        self.check_phase(state.phase)
        if state.phase != wk.ENDED and not self.misfits and self.was_over():
            self.end(wk.ENDED)
        if state.phase in (wk.POPULATING, wk.ACTING) and state.quarter == wk.NOBODY:
            self.wrong("quarter", f"in phase {wk.PHASES[state.phase].word} a seat holds the quarter")
        if not self.misfits:
            (self.set_up, self.placing, self.populating, self.acting, self.over)[state.phase]()
        self.check_to_act()
        return self.finish()

    def was_over(self) -> bool:
        """Return whether the game ended with the previous round: this one comes after the last, or begins when both
        the city and the supply are empty.

        If it comes after the last round, set the state back to that round.
        """
        state = self.state
        if 0 < state.rounds < state.round:
            state.round = state.rounds
            return True
        begins = state.phase == wk.PLACING or (state.phase == wk.POPULATING and state.again == wk.AFTER_PLACING)
        return begins and not state.city and not state.supply

    def count_coins(self) -> None:
        """Check that every coin is somewhere. If the record has no supply, all coins that are nowhere else form it."""
        state, box = self.state, self.state.box
        written = "supply" in self.record
        if not written:
            state.supply = 0
        lying = state.pieces()
        missing = [coin.count - lying[coin.name] for coin in box.coins]
        if not written and min(missing) >= 0:
            state.supply = heap(missing)
        for coin, count in zip(box.coins, missing, strict=True):
            if count < 0 or (count and written):
                what = f"{count} {coin.name} missing" if count > 0 else f"{-count} {coin.name} too many"
                self.wrong("supply" if written else "seats", what, f"the game has {coin.count}")

    def set_up(self) -> None:
        """Check that the seats that have chosen, and so have coins, are the first ones (WK-AMB-29), and that the others
        can each take two coins of one kind (WK-SETUP-2)."""
        state = self.state
        has = [bool(hand or state.slots(seat)) for seat, hand in enumerate(state.hand)]
        if all(has) or has != sorted(has, reverse=True):
            self.wrong(
                "seats", "during set-up, seats before the one to act have coins; that seat and those after it have none"
            )
        else:
            state.turn = has.index(False)
        pairs = sum([count // wk.START_COINS for count in state.box.counts[state.supply]])
        if pairs < has.count(False):
            told = f"{plural(has.count(False), 'seat')} still to choose, pairs of one kind in the supply: {pairs}"
            self.wrong("supply" if "supply" in self.record else "seats", told, "each seat takes one (WK-SETUP-2)")

    def placing(self) -> None:
        state, record = self.state, self.record
        if "done" in record:
            if state.done == (1 << len(state.seats)) - 1:
                self.wrong("done", "once all seats are done, the phase is no longer placing")
                return
        elif "to-act" in record:
            turn = state.turn
            while state.next_to_place() != turn:
                state.done |= 1 << state.next_to_place()
        state.turn = state.next_to_place()

    @law("WK-AMB-27")
    def populating(self) -> None:
        state, record = self.state, self.record
        if not state.supply:
            self.wrong("phase", "populating needs a coin in the supply")
        if state.again == wk.AFTER_PLACING:
            if "to-act" not in record:
                state.turn = state.quarter
            if "acting" in record:
                self.wrong("acting", 'no cat has acted before this populating; write "again: acting" if one has')
            return
        # An empty city is filled one coin at a time, so the number of coins in it shows whose turn it is.
        state.turn = (state.quarter + size(state.city)) % len(state.seats)
        if "acting" not in record:
            self.wrong("again", 'the cat that has just acted is missing; name it under "acting"')
        else:
            self.find_cat()

    def acting(self) -> None:
        state = self.state
        if "acting" in self.record:
            self.find_cat()
            if not self.misfits and not state.heads >> state.acting & 1:
                lies = f"the {state.name(state.acting)} is tails-up"
                self.wrong("acting", lies, "a cat that is to act must be heads-up")
        elif not state.heads:
            self.wrong("phase", "no cat is heads-up, so none can act")
        else:
            order = wk.ACT_ORDER[len(state.seats)][state.quarter]
            self.queue_from(next(slot for slot in order if state.heads >> slot & 1))
        state.turn = seat_of(state.acting)

    def find_cat(self) -> None:
        named, slot = self.record["acting"], self.state.acting
        if self.state.cats[slot] == wk.NOBODY:
            self.wrong("acting", f"{named['seat']} has no cat on space {named['space']}")
        else:
            self.queue_from(slot)

    def queue_from(self, slot: int) -> None:
        """Queue this cat, which is up or has just acted, and the heads-up cats that follow it in turn order."""
        state = self.state
        order = wk.ACT_ORDER[len(state.seats)][state.quarter]
        later = order[order.index(slot) + 1 :]
        state.acting = slot
        state.queue = (slot, *(other for other in later if state.heads >> other & 1))
        state.at = 1

    def over(self) -> None:
        self.state.turn = OVER


def doubts(state: State) -> list[Misfit]:
    """Return the reasons why a position could not have arisen in play. The game can still go on from it."""
    there, found = size(state.city), []
    if there > wk.CITY_SIZE:
        found.append(Misfit(("city",), f"{there} coins are too many", f"the city holds {wk.CITY_SIZE} (WK-POP-1)"))
    if state.first != wk.NOBODY and not (state.race and state.done >> state.first & 1):
        must = f"{state.seats[state.first]} must be done, in a game with the race option"
        found.append(Misfit(("first",), must, "only a seat that is done can be first (WK-PLACE-4)"))
    if state.phase == wk.POPULATING:
        if there == wk.CITY_SIZE:
            found.append(Misfit(("phase",), "populating needs room in the city", f"it holds {wk.CITY_SIZE} (WK-POP-1)"))
        if state.acting != wk.NOBODY and state.heads >> state.acting & 1:
            lies = f"the {state.name(state.acting)} is heads-up"
            found.append(Misfit(("acting",), lies, "a cat that has acted must be tails-up (WK-TURN-3)"))
    if state.eaten > (claw := state.box.heap_claw(state.supply)):
        eaten = f"the eaten claw must lie in the supply, which has only {claw}"
        found.append(Misfit(("eaten",), eaten, f"it cannot be {state.eaten} (WK-CLAW-5)"))
    if state.rounds and state.round > state.rounds:
        found.append(
            Misfit(("round",), f"round {state.round} is too late", f"round {state.rounds} is the last (WK-AMB-18)")
        )
    return found
