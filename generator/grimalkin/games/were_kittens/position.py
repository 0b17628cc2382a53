"""Positions of Were Kittens: the shape of their records, and a record in, a state out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from grimalkin.engine.chance import Chance
from grimalkin.engine.contract import Facts
from grimalkin.engine.law import law
from grimalkin.engine.loading import Loading
from grimalkin.engine.shape import Choice, Listing, Misfit, Misfits, Record, Shape, Table, Text, Whole
from grimalkin.engine.words import OVER
from grimalkin.games.were_kittens.facts import (
    ACT_ORDER,
    ACTING,
    CARDS,
    CITY_SIZE,
    ENDED,
    NOBODY,
    OPTIONS,
    PHASES,
    PLACING,
    POPULATING,
    SET_UP,
    SPACES,
    START_COINS,
    TABLE,
    Box,
    box_of,
    heap,
    seat_of,
    size,
    slot_of,
)
from grimalkin.games.were_kittens.state import State, begin_misfits, cat_word
from grimalkin.problems.plain import plural


def position_shape(facts: Facts) -> Record:
    """What the record of a position looks like."""
    return _shape(box_of(facts))


@lru_cache(maxsize=8)
def _shape(box: Box) -> Record:
    def coins_in(describe: str) -> Table:
        return Table(Whole(0, max(coin.count for coin in box.coins)), box.kinds, describe)

    cat = Choice(tuple(cat_word(kind, heads) for kind in box.kinds for heads in (1, 0)))
    seat = Record(
        {},
        {
            "hand": coins_in("Victims in hand."),
            "eat": coins_in("Victims on the eat area."),
            "scare": coins_in("Victims on the scare area."),
            "cats": Table(cat, tuple(map(str, SPACES)), "The kind of cat in each space; tails-up ones say so."),
        },
    )
    optional: dict[str, Shape] = {
        "phase": Choice(
            tuple(PHASES), "Default: acting; when no cat lies heads-up, placing, or over if no coin is left."
        ),
        "round": Whole(1, describe="Default: 1."),
        "quarter": Text(f"The seat that holds the quarter, or {TABLE} (default: the first seat)."),
        "city": coins_in("Default: none."),
        "supply": coins_in("Default: every coin that lies nowhere else."),
        "to-act": Text("The seat to act (default: what the rules give)."),
        "acting": Record(
            {"seat": Text("Whose cat."), "space": Whole(SPACES[0], SPACES[-1])},
            describe="The cat to act (default: the first heads-up one); while populating, the cat that has just acted.",
        ),
        "eaten": Whole(describe="Claw that the cat to act has eaten already (default: 0)."),
        "again": Choice(("placing", "acting"), "What this populating interrupts (default: placing)."),
        "done": Listing(Text(), describe="The seats that are done placing (default: those before the seat to act)."),
        "first": Text("The seat that said it was done first."),
        "options": OPTIONS,
    }
    return Record({"seats": Table(seat, describe="What each seat has, seats in clockwise order.")}, optional)


KEY_PHASES: Final = {
    "to-act": (SET_UP, PLACING, POPULATING, ACTING),
    "acting": (ACTING, POPULATING),
    "eaten": (ACTING,),
    "again": (POPULATING,),
    "done": (PLACING,),
    "first": (PLACING,),
}


def load(facts: Facts, position: Mapping[str, Any], unused_chance: Chance | None = None) -> State:
    """The state that a position describes. Automatic steps are not done: what is written is what there is."""
    box = box_of(facts)
    record, misfits = position_shape(facts).read(position)
    if not misfits:
        misfits = begin_misfits(tuple(record["seats"]))
    if misfits:
        raise Misfits(misfits)
    return _Loading(box, record).run()


class _Loading(Loading[State]):
    """One position on its way from a record to a state."""

    def __init__(self, box: Box, record: Mapping[str, Any]) -> None:
        super().__init__(State(box, tuple(record["seats"]), record.get("options", {})), record)
        self.box = box
        self.steps = {
            SET_UP: self.set_up,
            PLACING: self.placing,
            POPULATING: self.populating,
            ACTING: self.acting,
            ENDED: self.over,
        }

    def run(self) -> State:
        state, record = self.state, self.record
        state.round = record.get("round", 1)
        self.lay_coins()
        state.quarter = NOBODY if record.get("quarter") == TABLE else self.seat("quarter", 0)
        default = ACTING if state.heads or "acting" in record else PLACING if state.city or state.supply else ENDED
        state.phase = PHASES[record["phase"]] if "phase" in record else default
        self.check_keys(KEY_PHASES, state.phase, tuple(PHASES))
        if state.phase in (POPULATING, ACTING) and state.quarter == NOBODY:
            self.wrong("quarter", f"in phase {state.phase.word} a seat holds the quarter")
        if not self.misfits:
            self.steps[state.phase]()
        self.check_to_act()
        return self.finish()

    def seat(self, key: str, default: int) -> int:
        """The number of the seat that a key names."""
        name = self.record.get(key)
        if name is None:
            return default
        return self.number(name, key)

    def heap(self, record: Mapping[str, int]) -> int:
        return heap(record.get(kind, 0) for kind in self.box.kinds)

    def lay_coins(self) -> None:
        state, record, kinds = self.state, self.record, self.box.kinds
        state.city = self.heap(record.get("city", {}))
        lying = list(self.box.counts[state.city])
        for seat, has in enumerate(record["seats"].values()):
            for area, heaps in (("hand", state.hand), ("eat", state.eat), ("scare", state.scare)):
                heaps[seat] = self.heap(has.get(area, {}))
                for kind, count in enumerate(self.box.counts[heaps[seat]]):
                    lying[kind] += count
            for space, word in has.get("cats", {}).items():
                kind = kinds.index(word.removesuffix(" tails"))
                slot = slot_of(seat, int(space))
                state._new_cat(slot, kind)
                if word == kinds[kind]:
                    state.heads |= 1 << slot
                lying[kind] += 1
        supply = [coin.count - there for coin, there in zip(self.box.coins, lying, strict=True)]
        for kind, name in enumerate(kinds):
            missing = supply[kind] - record["supply"].get(name, 0) if "supply" in record else min(supply[kind], 0)
            if missing:
                what = f"{missing} {name} missing" if missing > 0 else f"{-missing} {name} too many"
                self.wrong(
                    "supply" if "supply" in record else "seats", what, f"the game has {self.box.coins[kind].count}"
                )
        if not self.misfits:
            state.supply = heap(supply)

    def set_up(self) -> None:
        """The seats that have chosen are those with coins; they are the first ones (WK-AMB-29). The others can each
        take two coins of one kind (WK-SETUP-2)."""
        state = self.state
        has = [
            bool(state.hand[seat]) or any(state.cats[slot] != NOBODY for slot, _ in CARDS[seat])
            for seat in range(len(state.seats))
        ]
        if all(has) or has != sorted(has, reverse=True):
            self.wrong("seats", "during set-up the first seats have coins, the seat to act and those after it none")
        else:
            state.turn = has.index(False)
        pairs = sum([count // START_COINS for count in self.box.counts[state.supply]])
        if pairs < has.count(False):
            told = f"{plural(has.count(False), 'seat')} still to choose, pairs of one kind in the supply: {pairs}"
            self.wrong("supply" if "supply" in self.record else "seats", told, "each seat takes one (WK-SETUP-2)")

    def placing(self) -> None:
        state, record = self.state, self.record
        if "done" in record:
            for index, name in enumerate(record["done"]):
                state.done |= 1 << self.number(name, ("done", index))
            if state.done == (1 << len(state.seats)) - 1:
                self.wrong("done", "when all are done, the phase is no longer placing")
                return
        elif "to-act" in record:
            turn = self.seat("to-act", 0)
            while state._next_to_place() != turn:
                state.done |= 1 << state._next_to_place()
        state.turn = state._next_to_place()
        state.first = self.seat("first", NOBODY)

    @law("WK-AMB-27")
    def populating(self) -> None:
        state, record = self.state, self.record
        if not state.supply:
            self.wrong("phase", "populating takes a coin in the supply")
        state.again = ACTING if record.get("again") == "acting" else PLACING
        # A city that was emptied fills from nothing, so its coins tell whose turn it is.
        begun = size(state.city) if state.again is ACTING else 0
        state.turn = (state.quarter + begun) % len(state.seats)
        if state.again is PLACING:
            state.turn = self.seat("to-act", state.turn)
            if "acting" in record:
                self.wrong("acting", 'no cat has acted before this populating; write "again: acting" if one has')
        elif "acting" not in record:
            self.wrong("again", 'the cat that has just acted is missing; name it under "acting"')
        else:
            self.find_cat()

    def acting(self) -> None:
        state = self.state
        if "acting" in self.record:
            self.find_cat()
            slot = state.acting
            if not self.misfits and not state.heads >> slot & 1:
                self.wrong("acting", f"the {state._name(slot)} lies tails-up", "a cat that is to act lies heads-up")
        elif not state.heads:
            self.wrong("phase", "no cat lies heads-up, so none can act")
        else:
            order = ACT_ORDER[len(state.seats)][state.quarter]
            self.queue_from(next(slot for slot in order if state.heads >> slot & 1))
        if self.misfits:
            return
        state.turn = seat_of(state.acting)
        state.eaten = self.record.get("eaten", 0)

    def find_cat(self) -> None:
        named = self.record["acting"]
        slot = slot_of(self.number(named["seat"], ("acting", "seat")), named["space"])
        if self.state.cats[slot] == NOBODY:
            self.wrong("acting", f"{named['seat']} has no cat in space {named['space']}")
        else:
            self.queue_from(slot)

    def queue_from(self, slot: int) -> None:
        """This cat is up or has just been; the heads-up ones after it in the order are still to come."""
        state = self.state
        order = ACT_ORDER[len(state.seats)][state.quarter]
        later = order[order.index(slot) + 1 :]
        state.acting = slot
        state.queue = (slot, *(other for other in later if state.heads >> other & 1))
        state.at = 1

    def over(self) -> None:
        self.state.turn = OVER


def doubts(state: State) -> list[Misfit]:
    """What says that a position could not have arisen. The game can go on from it all the same."""
    there, found = size(state.city), []
    if there > CITY_SIZE:
        found.append(Misfit(("city",), f"{there} coins are too many", f"the city holds {CITY_SIZE} (WK-POP-1)"))
    if state.first != NOBODY and not (state.race and state.done >> state.first & 1):
        must = f"{state.seats[state.first]} must be done, in a game with the race option"
        found.append(Misfit(("first",), must, "only then is somebody done first (WK-PLACE-4)"))
    if state.phase is POPULATING:
        if there == CITY_SIZE:
            found.append(Misfit(("phase",), "populating takes room in the city", f"it holds {CITY_SIZE} (WK-POP-1)"))
        if state.acting != NOBODY and state.heads >> state.acting & 1:
            lies = f"the {state._name(state.acting)} lies heads-up"
            found.append(Misfit(("acting",), lies, "a cat that has acted lies tails-up (WK-TURN-3)"))
    if state.eaten > (claw := state.box.heap_claw(state.supply)):
        eaten = f"what was eaten lies in the supply, and that has a claw of {claw} in all"
        found.append(Misfit(("eaten",), eaten, f"it cannot be {state.eaten} (WK-CLAW-5)"))
    if state.rounds and state.round > state.rounds:
        found.append(
            Misfit(("round",), f"round {state.round} cannot be", f"round {state.rounds} is the last (WK-AMB-18)")
        )
    return found
