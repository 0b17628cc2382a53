"""A game of Were Kittens in progress: what is allowed, what happens, what can be seen, and how it is written down.

In facts `seat` is a name, whose turn or whose thing it is, and `acting` the space of its cat that acts; `space` is a
space that the sentence speaks of, `kind` the kind of the coin or cat there; `claw` counts what has been eaten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from grimalkin.engine.chance import Chance
from grimalkin.engine.contract import Facts
from grimalkin.engine.law import law
from grimalkin.engine.loading import seat_misfits
from grimalkin.engine.shape import Misfit, Misfits
from grimalkin.engine.words import OVER, Event, Fact, Refusal, Result, Score, Tally, listed
from grimalkin.games.were_kittens.facts import (
    ACT_ORDER,
    ACTING,
    CARDS,
    CAT,
    CITY_SIZE,
    DONE,
    DONE_FIRST,
    EAT,
    ENDED,
    MAKE,
    NO_KIND,
    NOBODY,
    NOT_ASKED,
    OPTIONS,
    PASS,
    PLACE_EAT,
    PLACING,
    POPULATING,
    QUARTER,
    REPOPULATE,
    SEATS,
    SET_UP,
    START_COINS,
    START_RULES,
    TABLE,
    TAKE,
    Box,
    Coin,
    Move,
    Phase,
    Verb,
    box_of,
    make_cost,
    seat_of,
    size,
    slot_of,
    space_of,
)
from grimalkin.games.were_kittens.scoring import score_of, winners
from grimalkin.problems.plain import plural


class View(NamedTuple):
    """What a seat sees: everything (WK-AMB-23). Heaps are tuples of the number of each kind."""

    seat: int
    coins: tuple[Coin, ...]
    moves: tuple[Move, ...]
    """What the numbers of moves stand for."""
    to_act: int
    phase: Phase
    round: int
    quarter: int
    city: tuple[int, ...]
    supply: tuple[int, ...]
    hand: tuple[tuple[int, ...], ...]
    eat: tuple[tuple[int, ...], ...]
    scare: tuple[tuple[int, ...], ...]
    cats: tuple[tuple[tuple[int, int, bool], ...], ...]
    """Of each seat: (space, kind, lies heads-up)."""
    acting: int
    """The space of the cat to act, else 0."""
    eaten: int
    done: int
    first: int
    race: bool
    rounds: int


@law("WK-PIECE-1", "WK-PIECE-2")
class State:
    """A game of Were Kittens in progress."""

    __slots__ = (
        "acting",  # slot of the cat that acts, or whose action set off the populating; else NOBODY
        "again",  # the phase that populating interrupts; PLACING when nothing is populated
        "at",  # how many cats of the queue have come up
        "box",
        "cats",  # kind of the cat by slot, else NOBODY
        "city",
        "done",  # bit mask of the seats that are done placing
        "eat",  # heaps by seat, as are hand and scare
        "eaten",  # claw that the acting cat has eaten
        "filled",  # slots with a cat
        "first",  # seat that said it was done first, else NOBODY
        "hand",
        "heads",  # slots with a heads-up cat
        "phase",
        "quarter",  # seat, else NOBODY
        "queue",  # slots of the cats that act in this round, in order
        "race",
        "round",
        "rounds",  # cap, or 0
        "scare",
        "seats",
        "starts",  # kind of the starting cat by seat; NOBODY before it is chosen, and in positions, which do not tell
        "supply",
        "turn",  # seat to act, or OVER
    )

    def __init__(self, box: Box, seats: tuple[str, ...], options: Mapping[str, Any]) -> None:
        self.box = box
        self.seats = seats
        self.race: bool = options.get("race", False)
        self.rounds: int = options.get("rounds", 0)
        self.phase: Phase = SET_UP
        self.round = 1
        self.turn = 0
        self.quarter = NOBODY
        self.city = 0
        self.supply = box.everything
        self.hand = [0] * len(seats)
        self.eat = [0] * len(seats)
        self.scare = [0] * len(seats)
        self.cats = [NOBODY] * (len(seats) << 3)
        self.starts = [NOBODY] * len(seats)
        self.filled = 0
        self.heads = 0
        self.queue: tuple[int, ...] = ()
        self.at = 0
        self.acting = NOBODY
        self.eaten = 0
        self.again: Phase = PLACING
        self.done = 0
        self.first = NOBODY

    def clone(self) -> State:
        other = State.__new__(State)
        other.box = self.box
        other.seats = self.seats
        other.race = self.race
        other.rounds = self.rounds
        other.phase = self.phase
        other.round = self.round
        other.turn = self.turn
        other.quarter = self.quarter
        other.city = self.city
        other.supply = self.supply
        other.hand = self.hand[:]
        other.eat = self.eat[:]
        other.scare = self.scare[:]
        other.cats = self.cats[:]
        other.starts = self.starts[:]
        other.filled = self.filled
        other.heads = self.heads
        other.queue = self.queue
        other.at = self.at
        other.acting = self.acting
        other.eaten = self.eaten
        other.again = self.again
        other.done = self.done
        other.first = self.first
        return other

    def key(self) -> tuple[Any, ...]:
        # The queue is left out: it follows from the quarter, the heads-up cats and the cat that acts.
        return (
            self.seats,
            self.race,
            self.rounds,
            self.phase,
            self.round,
            self.turn,
            self.quarter,
            self.city,
            self.supply,
            tuple(self.hand),
            tuple(self.eat),
            tuple(self.scare),
            tuple(self.cats),
            self.heads,
            self.acting,
            self.eaten,
            self.again,
            self.done,
            self.first,
        )

    def to_act(self) -> int:
        return self.turn

    def turn_key(self) -> tuple[int, ...]:
        """A turn is one choice of set-up, one seat's placing, one coin let in, or one cat's action."""
        return self.round, self.phase, self.acting

    # What is allowed

    def legal(self) -> list[int]:
        """Every legal move in the order of its number, without `cat N`, which only names what is so anyway.

        A short cut past `why_not`: ready lists, copied.
        """
        phase = self.phase
        box = self.box
        if phase is POPULATING:
            return list(box.populate_moves[self.supply])
        seat = self.turn
        if phase is ACTING:
            possible = box.possible[self.city][self.filled >> (seat << 3) & 255]
            strength = box.coins[self.cats[self.acting]].cat_claw + self.eaten
            enough = strength if strength < box.top else box.top
            if not self.eat[seat]:
                return list(possible.or_none[enough])
            # What has been eaten binds to nothing (WK-AMB-16).
            return [*possible.by_strength[enough], *box.eat_moves[self.eat[seat]], *box.no_action]
        if phase is PLACING:
            # With the race on, `done first` is open to one seat a round (WK-PLACE-4).
            ready = box.race_moves if self.race and self.first == NOBODY else box.place_moves
            return list(ready[self.hand[seat]])
        if phase is SET_UP:
            return list(box.start_moves[self.supply])
        return []

    def why_not(self, move: int) -> Refusal | None:
        """The one source of what is legal; answers for every move that `read` can make."""
        phase = self.phase
        made = self.box.moves[move]
        if made.verb.phase is not phase:
            asks = phase.asks if phase is ENDED else f"{self.seats[self.turn]} {phase.asks}"
            facts = {"phase": phase.word, "move": made.text}
            return Refusal(phase.rule, f'{asks}, so "{made.text}" cannot be', facts)
        if phase is SET_UP:
            return self._why_not_choose(made)
        if phase is PLACING:
            return self._why_not_place(made)
        if phase is POPULATING:
            return self._why_not_populate(made)
        return self._why_not_act(made)

    @law("WK-AMB-12")
    def _why_not_choose(self, move: Move) -> Refusal | None:
        if move.kind == NO_KIND:
            return Refusal("WK-SETUP-2", f"the two coins are of one kind: {listed(self.box.kinds, 'or')}")
        there = self.box.counts[self.supply][move.kind]
        if there < START_COINS:
            name = self._kind(move)
            needs = f"two coins are needed, the supply has {_some(there, name)}"
            return Refusal("WK-SETUP-2", needs, {"kind": name, "supply": there, "needed": START_COINS})
        return None

    @law("WK-PLACE-3")
    def _why_not_place(self, move: Move) -> Refusal | None:
        """Nobody has to place anything."""
        verb = move.verb
        if verb is DONE:
            return None
        if verb is DONE_FIRST:
            if not self.race:
                return Refusal("WK-AMB-24", NOT_ASKED)
            if self.first != NOBODY:
                first = self.seats[self.first]
                return Refusal("WK-PLACE-4", f"{first} was done first in this round", {"first": first})
            return None
        if self.box.counts[self.hand[self.turn]][move.kind]:
            return None
        rule, name = "WK-PLACE-1" if verb is PLACE_EAT else "WK-PLACE-2", self._kind(move)
        who = self.seats[self.turn]
        has = f"victims are placed from hand, and {who} has no {name} in hand"
        return Refusal(rule, has, {"seat": who, "kind": name, "hand": 0})

    def _why_not_populate(self, move: Move) -> Refusal | None:
        if move.kind == NO_KIND:
            return Refusal("WK-AMB-19", "the quarter is not a villager")
        if not self.box.counts[self.supply][move.kind]:
            name = self._kind(move)
            return Refusal("WK-POP-1", f"the supply has no {name}", {"kind": name, "supply": 0})
        return None

    @law("WK-AMB-3", "WK-AMB-15", "WK-AMB-16", "WK-AMB-28")
    def _why_not_act(self, move: Move) -> Refusal | None:
        """Re-populating and passing are always allowed, after eating too."""
        verb = move.verb
        if verb is TAKE:
            return self._why_not_take(move)
        if verb is MAKE:
            return self._why_not_make(move)
        if verb is EAT:
            return self._why_not_eat(move)
        if verb is CAT:
            return self._why_not_cat(move.space)
        return None

    @law("WK-ACT-3")
    def _why_not_take(self, move: Move) -> Refusal | None:
        name = self._kind(move)
        if not self.box.counts[self.city][move.kind]:
            return Refusal("WK-ACT-2", f"no {name} lies in the city", {"kind": name, "city": 0})
        claw, needed = self._claw(), self.box.coins[move.kind].villager_claw
        if claw < needed:
            both = f"the claw of {self._cat()} is {claw}, a {name} villager's is {needed}"
            return Refusal("WK-ACT-2", both, {**self._acts(), "kind": name, "claw": claw, "needed": needed})
        return None

    @law("WK-ACT-7")
    def _why_not_make(self, move: Move) -> Refusal | None:
        space, name = move.space, self._kind(move)
        if not self.box.counts[self.city][move.kind]:
            return Refusal("WK-ACT-4", f"no {name} lies in the city", {"kind": name, "city": 0})
        there = self.cats[slot_of(self.turn, space)]
        if there != NOBODY:
            who, cat = self.seats[self.turn], self.box.kinds[there]
            return Refusal(
                "WK-AMB-4", f"{who}'s {cat} cat fills space {space}", {"seat": who, "space": space, "kind": cat}
            )
        claw, base = self._claw(), self.box.coins[move.kind].base
        cost = make_cost(base, space)
        if claw < cost:
            making = f"making a {name} in space {space} costs {base} - {space} = {cost}"
            costs = {"space": space, "claw": claw, "needed": cost, "base": base, "cost": cost}
            return Refusal(
                "WK-ACT-6", f"the claw of {self._cat()} is {claw}, {making}", {**self._acts(), "kind": name, **costs}
            )
        return None

    @law("WK-CLAW-7", "WK-AMB-8", "WK-AMB-9", "WK-AMB-16")
    def _why_not_eat(self, move: Move) -> Refusal | None:
        """Whatever lies on the own eat area, any number, whatever for."""
        seat, name = self.turn, self._kind(move)
        counts = self.box.counts
        if not counts[self.eat[seat]][move.kind]:
            hand, scare = counts[self.hand[seat]][move.kind], counts[self.scare[seat]][move.kind]
            elsewhere = [words for words, there in (("in hand", hand), ("on the scare area", scare)) if there]
            but = f"; one {listed(elsewhere)} cannot be eaten" if elsewhere else ""
            who = self.seats[seat]
            facts: dict[str, Fact] = {"seat": who, "kind": name, "eat": 0, "hand": hand, "scare": scare}
            return Refusal("WK-CLAW-5", f"no {name} lies on {who}'s eat area{but}", facts)
        return None

    def _why_not_cat(self, space: int) -> Refusal | None:
        """`cat N` says which cat the player means to act with."""
        seat = self.seats[self.turn]
        slot = slot_of(self.turn, space)
        up = space_of(self.acting)
        if self.cats[slot] == NOBODY:
            return Refusal("WK-PIECE-3", f"{seat} has no cat in space {space}", {"seat": seat, "space": space})
        if not self.heads >> slot & 1:
            lies: dict[str, Fact] = {"seat": seat, "space": space, "kind": self.box.kinds[self.cats[slot]]}
            return Refusal("WK-TURN-3", f"{seat}'s {self._name(slot)} lies tails-up", lies)
        if space > up:
            first = f"lower spaces act first: {self._cat()} comes before space {space}"
            return Refusal("WK-TURN-1", first, {**self._acts(), "space": space})
        if space < up:
            late = f"space {space} has had its turn: {self._cat()} is up"
            return Refusal("WK-TURN-1", late, {**self._acts(), "space": space})
        return None

    @law("WK-CLAW-1", "WK-PIECE-6")
    def _claw(self) -> int:
        """The acting cat's claw with what it has eaten."""
        return self.box.coins[self.cats[self.acting]].cat_claw + self.eaten

    # What happens

    def apply(self, move: int, log: list[Event] | None = None) -> None:
        phase = self.phase
        made = self.box.moves[move]
        if phase is POPULATING:
            self._populate(made, log)
        elif phase is ACTING:
            self._act(made, log)
        elif phase is PLACING:
            self._place(made, log)
        else:
            self._choose(made, log)

    @law("WK-AMB-29")
    def _choose(self, move: Move, log: list[Event] | None) -> None:
        """Seats choose in turn, since any order will do."""
        seat, kind = self.turn, move.kind
        space = self.box.coins[kind].start_space
        slot = slot_of(seat, space)
        self.supply -= START_COINS * move.coin
        self.hand[seat] += move.coin
        self._new_cat(slot, kind)
        self.starts[seat] = kind
        self.heads |= 1 << slot
        if log is not None:
            name = self._kind(move)
            who = self.seats[seat]
            took: dict[str, Fact] = {"seat": who, "kind": name, "coins": START_COINS}
            log.append(Event("WK-SETUP-2", f"{who} takes two coins of one kind, {name}.", facts=took))
            rule = START_RULES.get(name, "WK-SETUP-3")
            lies = f"{who}'s {name} cat lies heads-up in space {space}, the other {name} is in hand."
            log.append(Event(rule, lies, facts={"seat": who, "kind": name, "space": space}))
        if seat + 1 < len(self.seats):
            self.turn = seat + 1
        else:
            self._begin_placing()

    def _begin_placing(self) -> None:
        self.phase = PLACING
        self.turn = self._next_to_place()

    @law("WK-SETUP-9", "WK-AMB-25")
    def _next_to_place(self) -> int:
        """The next seat that is not done, clockwise from the one that gets the quarter by default.

        In round 1 that is seat 0, the first player.
        """
        seats = len(self.seats)
        turn = (self.round - 1) % seats
        while self.done >> turn & 1:
            turn = (turn + 1) % seats
        return turn

    @law("WK-CARD-2", "WK-AMB-2")
    def _place(self, move: Move, log: list[Event] | None) -> None:
        seat, verb = self.turn, move.verb
        if verb is DONE or verb is DONE_FIRST:
            if verb is DONE_FIRST:
                self.first = seat
                if log is not None:
                    first = self.seats[seat]
                    log.append(Event("WK-PLACE-4", f"{first} is done before all others.", facts={"first": first}))
            self.done |= 1 << seat
            if self.done == (1 << len(self.seats)) - 1:
                self._end_placing(log)
            else:
                self.turn = self._next_to_place()
            return
        self.hand[seat] -= move.coin
        if verb is PLACE_EAT:
            self.eat[seat] += move.coin
        else:
            self.scare[seat] += move.coin
        if log is not None:
            rule, area = ("WK-PLACE-1", "eat") if verb is PLACE_EAT else ("WK-PLACE-2", "scare")
            who, name = self.seats[seat], self._kind(move)
            facts = {"seat": who, "kind": name, "area": area}
            log.append(Event(rule, f"{who} places a {name} on the {area} area.", facts=facts))

    def _end_placing(self, log: list[Event] | None) -> None:
        by_race = self.first != NOBODY
        holder = self.first if by_race else (self.round - 1) % len(self.seats)
        if log is not None:
            gets = "keeps" if holder == self.quarter else "gets"
            name = self.seats[holder]
            if by_race:
                log.append(
                    Event("WK-PLACE-4", f"{name} was done first and {gets} the quarter.", facts={"quarter": name})
                )
            else:
                by_default = f"By default {name} {gets} the quarter in round {self.round}."
                log.append(Event("WK-AMB-24", by_default, facts={"quarter": name, "round": self.round}))
        self.quarter = holder
        self.done = 0
        self.first = NOBODY
        there = size(self.city)
        if there < CITY_SIZE and self.supply:
            if log is not None:
                holds = f"The city holds {there} of {CITY_SIZE} coins: it is filled."
                log.append(Event("WK-POP-4", holds, facts={"city": there, "needed": CITY_SIZE}))
            self._begin_populating(PLACING, log)
        else:
            self._begin_acting(log)

    def _begin_populating(self, again: Phase, log: list[Event] | None) -> None:
        self.phase = POPULATING
        self.again = again
        self.turn = self.quarter
        if log is not None:
            name = self.seats[self.turn]
            begins = f"{name} holds the quarter and begins to populate the city."
            log.append(Event("WK-POP-5", begins, facts={"quarter": name}))

    @law("WK-AMB-17", "WK-AMB-27")
    def _populate(self, move: Move, log: list[Event] | None) -> None:
        """One coin a seat, clockwise, while there is one."""
        supply = self.supply = self.supply - move.coin
        city = self.city = self.city + move.coin
        if log is not None:
            who, name = self.seats[self.turn], self._kind(move)
            moves = f"{who} moves a {name} from the supply to the city."
            log.append(Event("WK-POP-1", moves, facts={"seat": who, "kind": name}))
        if supply and size(city) < CITY_SIZE:
            turn = self.turn + 1
            self.turn = turn if turn < len(self.seats) else 0
            return
        if log is not None and size(city) < CITY_SIZE:
            only = f"The supply is empty: the city holds only {plural(size(city), 'coin')}."
            log.append(Event("WK-AMB-6", only, facts={"city": size(city)}))
        again = self.again
        self.again = PLACING
        if again is ACTING:
            self._next_cat(log)
        else:
            self._begin_acting(log)

    @law("WK-PIECE-4")
    def _begin_acting(self, log: list[Event] | None) -> None:
        heads = self.heads
        self.queue = tuple([slot for slot in ACT_ORDER[len(self.seats)][self.quarter] if heads >> slot & 1])
        self.at = 0
        self._next_cat(log)

    @law("WK-TURN-2")
    def _next_cat(self, log: list[Event] | None) -> None:
        """The next cat may act, once; after the last one comes the refresh."""
        at = self.at
        if at == len(self.queue):
            self._refresh(log)
            return
        slot = self.acting = self.queue[at]
        self.at = at + 1
        self.turn = seat_of(slot)
        self.phase = ACTING
        if log is not None:
            space = space_of(slot)
            who, kind = self.seats[self.turn], self.box.kinds[self.cats[slot]]
            up = f"Space {space}: {who}'s {kind} cat is up"
            facts: dict[str, Fact] = {"seat": who, "space": space, "kind": kind}
            order = ACT_ORDER[len(self.seats)][self.quarter]
            sharing = [seat_of(other) for other in order if space_of(other) == space and self.heads >> other & 1]
            if len(sharing) == 1:
                log.append(Event("WK-TURN-1", f"{up}.", facts=facts))
            else:
                rule = "WK-TURN-4" if len(sharing) == 2 and self.quarter in sharing else "WK-AMB-5"
                names = tuple([self.seats[seat] for seat in sharing])
                because = f"since {self.seats[self.quarter]} holds the quarter"
                shared = f"{up}; {listed(names)} act in this order, {because}."
                facts |= {"order": names, "quarter": self.seats[self.quarter]}
                log.append(Event(rule, shared, facts=facts))

    @law("WK-ACT-1")
    def _act(self, move: Move, log: list[Event] | None) -> None:
        """One of the three actions, a pass, or what comes before an action."""
        verb = move.verb
        if verb is TAKE:
            self.city -= move.coin
            self.hand[self.turn] += move.coin
            if log is not None:
                name = self._kind(move)
                claws = {"claw": self._claw(), "needed": self.box.coins[move.kind].villager_claw}
                takes: dict[str, Fact] = {**self._acts(), "kind": name, **claws}
                log.append(Event("WK-ACT-2", f"{self._cat()} takes a {name} into hand.", facts=takes))
        elif verb is PASS:
            if log is not None:
                stays = f"{self._cat()} does not act and stays heads-up."
                log.append(Event("WK-AMB-15", stays, facts=self._acts()))
                if self.eaten:
                    lost = "What it ate stays in the supply, and the claw is lost."
                    log.append(Event("WK-AMB-16", lost, facts={"eaten": self.eaten}))
            self.eaten = 0
            self._next_cat(log)
            return
        elif verb is MAKE:
            self._make(move, log)
        elif verb is REPOPULATE:
            if log is not None:
                back = f"back to the supply go {self._heap_text(self.city)}" if self.city else "the city is empty"
                rule = "WK-ACT-9" if self.city else "WK-AMB-28"
                coins: dict[str, Fact] = {**self._heap_record(self.city), **self._acts(), "city": size(self.city)}
                log.append(Event(rule, f"{self._cat()} re-populates: {back}.", facts=coins))
            self.supply += self.city
            self.city = 0
        elif verb is EAT:
            self._eat(move, log)
            return
        else:  # cat N changes nothing
            return
        self._flip(log)
        self._end_action(verb, log)

    def _make(self, move: Move, log: list[Event] | None) -> None:
        space = move.space
        self.city -= move.coin
        if log is not None:
            name, claw, base = self._kind(move), self._claw(), self.box.coins[move.kind].base
            cost = make_cost(base, space)
            makes = f"makes a {name} cat in space {space} (cost {base} - {space} = {cost}, claw {claw})."
            costs = {"space": space, "claw": claw, "needed": cost, "base": base, "cost": cost}
            log.append(Event("WK-ACT-6", f"{self._cat()} {makes}", facts={**self._acts(), "kind": name, **costs}))
            lies = f"The new cat in space {space} lies tails-up and waits for the next round."
            new: dict[str, Fact] = {"seat": self.seats[self.turn], "space": space, "kind": name}
            log.append(Event("WK-ACT-8", lies, facts=new))
        self._new_cat(slot_of(self.turn, space), move.kind)

    def _new_cat(self, slot: int, kind: int) -> None:
        self.cats[slot] = kind
        self.filled |= 1 << slot

    @law("WK-AMB-7")
    def _eat(self, move: Move, log: list[Event] | None) -> None:
        """The victim is in the supply before the action is done."""
        adds = self.box.coins[move.kind].villager_claw
        if log is not None:
            name, claw = self._kind(move), self._claw()
            eats = f"eats a {name}, which goes to the supply (claw {claw} + {adds} = {claw + adds})."
            facts: dict[str, Fact] = {**self._acts(), "kind": name, "before": claw, "adds": adds, "claw": claw + adds}
            log.append(Event("WK-CLAW-5", f"{self._cat()} {eats}", facts=facts))
        self.eat[self.turn] -= move.coin
        self.supply += move.coin
        self.eaten += adds

    @law("WK-CLAW-4", "WK-AMB-10")
    def _flip(self, log: list[Event] | None) -> None:
        """The cat has acted; what it ate is forgotten."""
        self.heads ^= 1 << self.acting
        self.eaten = 0
        if log is not None:
            turned = f"{self._cat()} has acted and is turned to tails."
            facts: dict[str, Fact] = {"space": space_of(self.acting), "kind": self.box.kinds[self.cats[self.acting]]}
            log.append(Event("WK-TURN-3", turned, facts={**self._acts(), **facts}))

    def _end_action(self, verb: Verb, log: list[Event] | None) -> None:
        """An emptied city is populated before the next cat acts."""
        if self.city or not self.supply:
            self._next_cat(log)
            return
        if log is not None and verb is not REPOPULATE:
            rule = "WK-POP-3" if verb is TAKE else "WK-AMB-26"
            log.append(Event(rule, "The city's last coin is gone: it is populated anew."))
        self._begin_populating(ACTING, log)

    @law("WK-REF-2", "WK-REF-3", "WK-REF-4", "WK-REF-5", "WK-AMB-1")
    def _refresh(self, log: list[Event] | None) -> None:
        """Phase 3, or the end of the game."""
        self.acting = NOBODY
        left = self.city or self.supply
        if not left or 0 < self.rounds <= self.round:
            self.phase = ENDED
            self.turn = OVER
            if log is not None:
                if left:
                    log.append(Event("WK-REF-1", "Coins are left in city or supply."))
                    cap = f"The game is stopped by its cap of {plural(self.rounds, 'round')}."
                    log.append(Event("WK-AMB-18", cap, facts={"rounds": self.rounds}))
                else:
                    log.append(Event("WK-REF-1", "No coin is left in city or supply, so there is no refresh."))
                    ends = f"The game ends with round {self.round}."
                    log.append(Event("WK-END-1", ends, facts={"round": self.round}))
            return
        if log is not None:
            self._log_refresh(log)
        self.heads = self.filled
        for seat, lost in enumerate(self.eat):
            self.hand[seat] += self.scare[seat]
            self.scare[seat] = 0
            self.supply += lost
            self.eat[seat] = 0
        self.round += 1
        self._begin_placing()

    def _log_refresh(self, log: list[Event]) -> None:
        log.append(Event("WK-REF-1", "Coins are left in city or supply, so the game goes on."))
        if self.heads != self.filled:
            log.append(Event("WK-REF-2", "All cats are turned heads-up."))
        for rule, area, heaps, to in (
            ("WK-REF-3", "scare", self.scare, "come back to hand"),
            ("WK-REF-4", "eat", self.eat, "are lost to the supply"),
        ):
            for seat, name in enumerate(self.seats):
                if heaps[seat]:
                    text = f"{name}'s victims on the {area} area {to}: {self._heap_text(heaps[seat])}."
                    victims: dict[str, Fact] = {
                        **self._heap_record(heaps[seat]),
                        "seat": name,
                        "victims": size(heaps[seat]),
                    }
                    log.append(Event(rule, text, facts=victims))
        log.append(Event("WK-REF-5", f"Round {self.round + 1} begins.", facts={"round": self.round + 1}))

    # What can be seen

    def view(self, seat: int) -> View:
        box = self.box
        counts = box.counts
        return View(
            seat,
            box.coins,
            box.moves,
            self.turn,
            self.phase,
            self.round,
            self.quarter,
            counts[self.city],
            counts[self.supply],
            tuple([counts[of] for of in self.hand]),
            tuple([counts[of] for of in self.eat]),
            tuple([counts[of] for of in self.scare]),
            tuple(
                [
                    tuple(
                        [
                            (space, self.cats[slot], bool(self.heads >> slot & 1))
                            for slot, space in CARDS[of]
                            if self.cats[slot] != NOBODY
                        ]
                    )
                    for of in range(len(self.seats))
                ]
            ),
            space_of(self.acting) if self.phase is ACTING else 0,
            self.eaten,
            self.done,
            self.first,
            self.race,
            self.rounds,
        )

    def imagine(self, unused_seat: int, unused_chance: Chance) -> State:
        return self.clone()

    def pieces(self) -> Mapping[str, int]:
        kinds = self.box.kinds
        totals = [0] * len(kinds)
        for of in (self.city, self.supply, *self.hand, *self.eat, *self.scare):
            for kind, count in enumerate(self.box.counts[of]):
                totals[kind] += count
        for kind in self.cats:
            if kind != NOBODY:
                totals[kind] += 1
        return {**dict(zip(kinds, totals, strict=True)), QUARTER: 1}

    @law("WK-PIECE-5", "WK-SCORE-4", "WK-AMB-13")
    def score(self) -> list[Score]:
        """Every cat counts, the first one too, and every victim wherever it lies."""
        coins, counts = self.box.coins, self.box.counts
        scores = []
        for seat, name in enumerate(self.seats):
            kinds = [self.cats[slot] for slot, _ in CARDS[seat]]
            cats = [kinds.count(kind) for kind in range(len(coins))]
            scores.append(score_of(name, coins, cats, counts[self.victims(seat)]))
        return scores

    def victims(self, seat: int) -> int:
        """All victims of a seat, as one heap."""
        return self.hand[seat] + self.eat[seat] + self.scare[seat]

    def result(self) -> Result | None:
        return winners(self.score()) if self.phase is ENDED else None

    # Words for sentences

    def _kind(self, move: Move) -> str:
        return self.box.kinds[move.kind]

    def _name(self, slot: int) -> str:
        return f"{self.box.kinds[self.cats[slot]]} cat in space {space_of(slot)}"

    def _cat(self) -> str:
        return f"{self.seats[seat_of(self.acting)]}'s {self._name(self.acting)}"

    def _acts(self) -> dict[str, Fact]:
        """In facts: which cat acts."""
        return {"seat": self.seats[seat_of(self.acting)], "acting": space_of(self.acting)}

    def _heap_text(self, of: int) -> str:
        counts = zip(self.box.counts[of], self.box.kinds, strict=True)
        return ", ".join(_some(count, kind) for count, kind in counts if count)

    # Positions

    def position(self) -> dict[str, Any]:
        phase = self.phase
        record: dict[str, Any] = {
            "phase": phase.word,
            "round": self.round,
            "quarter": TABLE if self.quarter == NOBODY else self.seats[self.quarter],
            "city": self._heap_record(self.city),
            "supply": self._heap_record(self.supply),
        }
        if phase is not ENDED:
            record["to-act"] = self.seats[self.turn]
        if self.acting != NOBODY:
            record["acting"] = {"seat": self.seats[seat_of(self.acting)], "space": space_of(self.acting)}
        if phase is ACTING:
            record["eaten"] = self.eaten
        if phase is POPULATING:
            record["again"] = self.again.word
        if phase is PLACING:
            record["done"] = [name for seat, name in enumerate(self.seats) if self.done >> seat & 1]
            if self.first != NOBODY:
                record["first"] = self.seats[self.first]
        options = ({"race": "yes"} if self.race else {}) | ({"rounds": self.rounds} if self.rounds else {})
        if options:
            record["options"] = options
        record["seats"] = {
            name: {
                "hand": self._heap_record(self.hand[seat]),
                "eat": self._heap_record(self.eat[seat]),
                "scare": self._heap_record(self.scare[seat]),
                "cats": {
                    str(space): cat_word(self.box.kinds[self.cats[slot]], self.heads >> slot & 1)
                    for slot, space in CARDS[seat]
                    if self.cats[slot] != NOBODY
                },
            }
            for seat, name in enumerate(self.seats)
        }
        return record

    def _heap_record(self, of: int) -> dict[str, int]:
        counts = zip(self.box.kinds, self.box.counts[of], strict=True)
        return {kind: count for kind, count in counts if count}


def start(
    facts: Facts,
    seats: Sequence[str],
    options: Mapping[str, Any],
    unused_chance: Chance,
    log: list[Event] | None = None,
) -> State:
    """A new game. All coins form the supply, and the quarter lies on the table."""
    chosen, misfits = OPTIONS.read(options)
    misfits += begin_misfits(seats)
    if misfits:
        raise Misfits(misfits)
    if log is not None:
        log.append(Event("WK-SETUP-7", "All coins form the supply."))
        log.append(Event("WK-SETUP-8", "The quarter lies on the table."))
    return State(box_of(facts), tuple(seats), chosen)


def begin_misfits(seats: Sequence[str]) -> list[Misfit]:
    misfits = seat_misfits(seats, SEATS)
    if TABLE in seats:
        misfits.append(Misfit(("seats", TABLE), f'a seat cannot be called "{TABLE}"', "it is where the quarter starts"))
    return misfits


def cat_word(kind: str, heads: int) -> str:
    return kind if heads else f"{kind} tails"


def _some(count: int, kind: str) -> str:
    return f"{count or 'no'} {kind}"


def tally(state: State) -> Tally:
    """For simulations: how the game ended and after how many rounds; what each seat began and ended with."""
    kinds = state.box.kinds
    seats = []
    for seat, score in enumerate(state.score()):
        start = state.starts[seat]
        words: dict[str, str | int] = {
            "starting coin": "unknown" if start == NOBODY else kinds[start],
            "cats": sum(state.cats[slot] != NOBODY for slot, _ in CARDS[seat]),
            "victims": size(state.victims(seat)),
            "points": score.total,
        }
        seats.append(words)
    end = "last round" if state.city or state.supply else "no coins left"
    return Tally({"end": end, "rounds": state.round}, tuple(seats))
