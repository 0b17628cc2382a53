"""A game of Were Kittens in progress: legal moves, refusals and effects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from grimalkin.engine.chance import Chance
from grimalkin.engine.contract import Facts
from grimalkin.engine.law import law
from grimalkin.engine.loading import seat_misfits
from grimalkin.engine.shape import Misfit
from grimalkin.engine.state import begin
from grimalkin.engine.words import OVER, Event, Fact, Refusal, Result, Score, Tally, listed, refuse, tell
from grimalkin.games.were_kittens import facts as wk
from grimalkin.games.were_kittens.board import Board, some
from grimalkin.games.were_kittens.facts import Move, Verb, box_of, make_cost, seat_of, size, slot_of, space_of
from grimalkin.games.were_kittens.scoring import score_of, winners
from grimalkin.problems.plain import plural

# Looked up once, as decisions are short: Were Kittens takes about 1.1 µs for one.
SET_UP, PLACING, POPULATING, ACTING = wk.SET_UP, wk.PLACING, wk.POPULATING, wk.ACTING
DONE, DONE_FIRST, PLACE_EAT = wk.DONE, wk.DONE_FIRST, wk.PLACE_EAT
TAKE, MAKE, EAT, REPOPULATE, PASS = wk.TAKE, wk.MAKE, wk.EAT, wk.REPOPULATE, wk.PASS
ACT_ORDER, CITY_SIZE, NOBODY = wk.ACT_ORDER, wk.CITY_SIZE, wk.NOBODY


class State(Board):
    """A game of Were Kittens in progress."""

    # What is allowed

    def legal(self) -> list[int]:
        """Return every legal move in numerical order, without `cat N`, which only names the cat that is up.

        To be faster than `why_not`, this copies ready lists.
        """
        phase = self.phase
        box = self.box
        if phase == POPULATING:
            return list(box.populate_moves[self.supply])
        seat = self.turn
        if phase == ACTING:
            possible = box.possible[self.city][self.filled >> (seat << 3) & 255]
            strength = box.coins[self.cats[self.acting]].cat_claw + self.eaten
            enough = strength if strength < box.top else box.top
            if not self.eat[seat]:
                return list(possible.or_none[enough])
            # A cat may take any action after eating (WK-AMB-16).
            return [*possible.by_strength[enough], *box.eat_moves[self.eat[seat]], *box.no_action]
        if phase == PLACING:
            # In the race, only one seat a round may say `done first` (WK-PLACE-4).
            ready = box.race_moves if self.race and self.first == NOBODY else box.place_moves
            return list(ready[self.hand[seat]])
        if phase == SET_UP:
            return list(box.start_moves[self.supply])
        return []

    @law("WK-AMB-3", "WK-AMB-15", "WK-AMB-16", "WK-AMB-28")
    def why_not(self, move: int) -> Refusal | None:
        """Return why a move is not legal, or None. It covers every move that `read` can return. A cat may always
        re-populate or pass, even after eating."""
        phase = self.phase
        made = self.box.moves[move]
        if made.verb.phase != phase:
            word, rule, asks = wk.PHASES[phase]
            now = asks if phase == wk.ENDED else f"{self.seats[self.turn]} {asks}"
            if phase == wk.ENDED and 0 < self.rounds <= self.round and (self.city or self.supply):
                rule, now = "WK-AMB-18", f"{asks} after its limit of {plural(self.rounds, 'round')}"
            return refuse(rule, f'{now}, so "{made.text}" is not allowed', phase=word, move=made.text)
        why_not = _WHY_NOT.get(made.verb)
        return why_not(self, made) if why_not else None

    @law("WK-AMB-12")
    def _why_not_choose(self, move: Move) -> Refusal | None:
        if move.kind == wk.NO_KIND:
            return Refusal("WK-SETUP-2", f"both coins must be of one kind: {listed(self.box.kinds, 'or')}")
        there = self.box.counts[self.supply][move.kind]
        if there < wk.START_COINS:
            name = self.kind(move)
            needs = f"two coins are needed, but the supply has {some(there, name)}"
            return refuse("WK-SETUP-2", needs, kind=name, supply=there, needed=wk.START_COINS)
        return None

    @law("WK-PLACE-3")
    def _why_not_place(self, move: Move) -> Refusal | None:
        """Return why a seat may not place this, or None. No seat has to place anything."""
        if self.box.counts[self.hand[self.turn]][move.kind]:
            return None
        rule, name = "WK-PLACE-1" if move.verb is PLACE_EAT else "WK-PLACE-2", self.kind(move)
        who = self.seats[self.turn]
        has = f"only victims in hand can be placed, and {who} has no {name} in hand"
        return refuse(rule, has, seat=who, kind=name, hand=0)

    def _why_not_first(self, _move: Move) -> Refusal | None:
        if not self.race:
            return Refusal("WK-AMB-24", wk.NOT_ASKED)
        if self.first != NOBODY:
            first = self.seats[self.first]
            return refuse("WK-PLACE-4", f"{first} finished first in this round", first=first)
        return None

    def _why_not_populate(self, move: Move) -> Refusal | None:
        if move.kind == wk.NO_KIND:
            return Refusal("WK-AMB-19", "the quarter is not a villager")
        if not self.box.counts[self.supply][move.kind]:
            name = self.kind(move)
            return refuse("WK-POP-1", f"the supply has no {name}", kind=name, supply=0)
        return None

    @law("WK-ACT-3")
    def _why_not_take(self, move: Move) -> Refusal | None:
        name = self.kind(move)
        if not self.box.counts[self.city][move.kind]:
            return refuse("WK-ACT-2", f"there is no {name} in the city", kind=name, city=0)
        claw, needed = self.claw(), self.box.coins[move.kind].villager_claw
        if claw < needed:
            both = f"{self.cat()} has claw {claw}, but taking a {name} needs {needed}"
            return refuse("WK-ACT-2", both, **self.acts(), kind=name, claw=claw, needed=needed)
        return None

    @law("WK-ACT-7")
    def _why_not_make(self, move: Move) -> Refusal | None:
        space, name = move.space, self.kind(move)
        if not self.box.counts[self.city][move.kind]:
            return refuse("WK-ACT-4", f"there is no {name} in the city", kind=name, city=0)
        there = self.cats[slot_of(self.turn, space)]
        if there != NOBODY:
            who, cat = self.seats[self.turn], self.box.kinds[there]
            return refuse("WK-AMB-4", f"{who}'s {cat} cat is already on space {space}", seat=who, space=space, kind=cat)
        claw, base = self.claw(), self.box.coins[move.kind].base
        cost = make_cost(base, space)
        if claw < cost:
            making = f"making a {name} cat on space {space} costs {base} - {space} = {cost}"
            text = f"{self.cat()} has claw {claw}, but {making}"
            return refuse("WK-ACT-6", text, **self.costs(move))
        return None

    @law("WK-CLAW-7", "WK-AMB-8", "WK-AMB-9", "WK-AMB-16")
    def _why_not_eat(self, move: Move) -> Refusal | None:
        """Return why the cat may not eat this, or None. It may eat any number on its eat area, for any action."""
        seat, name = self.turn, self.kind(move)
        counts = self.box.counts
        if not counts[self.eat[seat]][move.kind]:
            hand, scare = counts[self.hand[seat]][move.kind], counts[self.scare[seat]][move.kind]
            elsewhere = [words for words, there in (("in hand", hand), ("on the scare area", scare)) if there]
            but = f"; cats cannot eat one {listed(elsewhere)}" if elsewhere else ""
            who = self.seats[seat]
            text = f"there is no {name} on {who}'s eat area{but}"
            return refuse("WK-CLAW-5", text, seat=who, kind=name, eat=0, hand=hand, scare=scare)
        return None

    def _why_not_cat(self, move: Move) -> Refusal | None:
        """Return why the cat on a space may not act now, or None. With `cat N`, a player chooses which cat acts."""
        seat, space, up = self.seats[self.turn], move.space, space_of(self.acting)
        slot = slot_of(self.turn, space)
        if self.cats[slot] == NOBODY:
            return refuse("WK-PIECE-3", f"{seat} has no cat on space {space}", seat=seat, space=space)
        if not self.heads >> slot & 1:
            text = f"{seat}'s {self.name(slot)} is tails-up"
            return refuse("WK-TURN-3", text, seat=seat, space=space, kind=self.box.kinds[self.cats[slot]])
        if space > up:
            first = f"lower spaces act first, so {self.cat()} acts before space {space}"
            return refuse("WK-TURN-1", first, **self.acts(), space=space)
        if space < up:
            late = f"space {space} has already had its turn: {self.cat()} is up"
            return refuse("WK-TURN-1", late, **self.acts(), space=space)
        return None

    # What happens

    def apply(self, move: int, log: list[Event] | None = None) -> None:
        phase = self.phase
        made = self.box.moves[move]
        if phase == POPULATING:
            self._populate(made, log)
        elif phase == ACTING:
            self._act(made, log)
        elif phase == PLACING:
            self._place(made, log)
        else:
            self._choose(made, log)

    @law("WK-AMB-29")
    def _choose(self, move: Move, log: list[Event] | None) -> None:
        """Choose a seat's starting coins. Seats choose in turn, since the order does not matter."""
        seat, kind = self.turn, move.kind
        space = self.box.coins[kind].start_space
        slot = slot_of(seat, space)
        self.supply -= wk.START_COINS * move.coin
        self.hand[seat] += move.coin
        self.new_cat(slot, kind)
        self.starts[seat] = kind
        self.heads |= 1 << slot
        if log is not None:
            name = self.kind(move)
            who = self.seats[seat]
            text = f"{who} takes two coins of the same kind: {name}."
            tell(log, "WK-SETUP-2", text, seat=who, kind=name, coins=wk.START_COINS)
            rule = wk.START_RULES.get(name, "WK-SETUP-3")
            lies = f"{who} lays one {name} heads-up on space {space} as a cat and keeps the other in hand."
            tell(log, rule, lies, seat=who, kind=name, space=space)
        if seat + 1 < len(self.seats):
            self.turn = seat + 1
        else:
            self._begin_placing()

    def _begin_placing(self) -> None:
        self.phase = PLACING
        self.turn = self.next_to_place()

    @law("WK-CARD-2", "WK-AMB-2")
    def _place(self, move: Move, log: list[Event] | None) -> None:
        seat, verb = self.turn, move.verb
        if verb is DONE or verb is DONE_FIRST:
            if verb is DONE_FIRST:
                self.first = seat
                if log is not None:
                    first = self.seats[seat]
                    tell(log, "WK-PLACE-4", f"{first} finishes before all others.", first=first)
            self.done |= 1 << seat
            if self.done == (1 << len(self.seats)) - 1:
                self._end_placing(log)
            else:
                self.turn = self.next_to_place()
            return
        self.hand[seat] -= move.coin
        if verb is PLACE_EAT:
            self.eat[seat] += move.coin
        else:
            self.scare[seat] += move.coin
        if log is not None:
            rule, area = ("WK-PLACE-1", "eat") if verb is PLACE_EAT else ("WK-PLACE-2", "scare")
            who, name = self.seats[seat], self.kind(move)
            tell(log, rule, f"{who} places a {name} on the {area} area.", seat=who, kind=name, area=area)

    def _end_placing(self, log: list[Event] | None) -> None:
        by_race = self.first != NOBODY
        holder = self.first if by_race else (self.round - 1) % len(self.seats)
        if log is not None:
            gets = "keeps" if holder == self.quarter else "gets"
            name = self.seats[holder]
            if by_race:
                tell(log, "WK-PLACE-4", f"{name} finished first and {gets} the quarter.", quarter=name)
            else:
                by_default = f"By default {name} {gets} the quarter in round {self.round}."
                tell(log, "WK-AMB-24", by_default, quarter=name, round=self.round)
        self.quarter = holder
        self.done = 0
        self.first = NOBODY
        there = size(self.city)
        if there < CITY_SIZE and self.supply:
            if log is not None:
                holds = f"The city holds {there} of {CITY_SIZE} coins, so the players populate it."
                tell(log, "WK-POP-4", holds, city=there, needed=CITY_SIZE)
            self._begin_populating(wk.AFTER_PLACING, log)
        else:
            self._begin_acting(log)

    def _begin_populating(self, again: int, log: list[Event] | None) -> None:
        self.phase = POPULATING
        self.again = again
        self.turn = self.quarter
        if log is not None:
            name = self.seats[self.turn]
            begins = f"{name} holds the quarter and populates first."
            tell(log, "WK-POP-5", begins, quarter=name)

    @law("WK-AMB-17", "WK-AMB-27")
    def _populate(self, move: Move, log: list[Event] | None) -> None:
        """Move one coin from the supply to the city. The seats take turns, clockwise, until the city is full."""
        supply = self.supply = self.supply - move.coin
        city = self.city = self.city + move.coin
        if log is not None:
            who, name = self.seats[self.turn], self.kind(move)
            moves = f"{who} moves a {name} from the supply to the city."
            tell(log, "WK-POP-1", moves, seat=who, kind=name)
        if supply and size(city) < CITY_SIZE:
            turn = self.turn + 1
            self.turn = turn if turn < len(self.seats) else 0
            return
        if log is not None and size(city) < CITY_SIZE:
            only = f"The supply is empty, so the city holds only {plural(size(city), 'coin')}."
            tell(log, "WK-AMB-6", only, city=size(city))
        again = self.again
        self.again = wk.AFTER_PLACING
        if again == wk.AFTER_ACTING:
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
        """Let the next cat in the queue act once, or refresh after the last one."""
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
                tell(log, "WK-TURN-1", f"{up}.", **facts)
            else:
                rule = "WK-TURN-4" if len(sharing) == 2 and self.quarter in sharing else "WK-AMB-5"
                names = tuple([self.seats[seat] for seat in sharing])
                because = f"since {self.seats[self.quarter]} holds the quarter"
                shared = f"{up}; {listed(names)} act in this order, {because}."
                facts |= {"order": names, "quarter": self.seats[self.quarter]}
                tell(log, rule, shared, **facts)

    @law("WK-ACT-1")
    def _act(self, move: Move, log: list[Event] | None) -> None:
        """Carry out one of the three actions, a pass, or a move that precedes an action."""
        verb = move.verb
        if verb is TAKE:
            self.city -= move.coin
            self.hand[self.turn] += move.coin
            if log is not None:
                name = self.kind(move)
                claws = {"claw": self.claw(), "needed": self.box.coins[move.kind].villager_claw}
                tell(log, "WK-ACT-2", f"{self.cat()} takes a {name}.", **self.acts(), kind=name, **claws)
        elif verb is PASS:
            if log is not None:
                stays = f"{self.cat()} does not act and stays heads-up."
                tell(log, "WK-AMB-15", stays, **self.acts())
                if self.eaten:
                    lost = "The eaten victims stay in the supply, and their claw is lost."
                    tell(log, "WK-AMB-16", lost, eaten=self.eaten)
            self.eaten = 0
            self._next_cat(log)
            return
        elif verb is MAKE:
            self._make(move, log)
        elif verb is REPOPULATE:
            if log is not None:
                puts = f" and puts {self.heap_text(self.city)} into the supply" if self.city else " the empty city"
                rule = "WK-ACT-9" if self.city else "WK-AMB-28"
                text = f"{self.cat()} re-populates{puts}."
                tell(log, rule, text, **self.box.told(self.city), **self.acts(), city=size(self.city))
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
            name, claw, base = self.kind(move), self.claw(), self.box.coins[move.kind].base
            cost = make_cost(base, space)
            makes = f"makes a {name} cat on space {space} (cost {base} - {space} = {cost}, claw {claw})."
            tell(log, "WK-ACT-6", f"{self.cat()} {makes}", **self.costs(move))
            lies = f"The new cat on space {space} is tails-up and waits for the next round."
            tell(log, "WK-ACT-8", lies, seat=self.seats[self.turn], space=space, kind=name)
        self.new_cat(slot_of(self.turn, space), move.kind)

    @law("WK-AMB-7")
    def _eat(self, move: Move, log: list[Event] | None) -> None:
        """Eat a victim, which goes to the supply before the action takes place."""
        adds = self.box.coins[move.kind].villager_claw
        if log is not None:
            name, claw = self.kind(move), self.claw()
            eats = f"eats a {name}, which goes to the supply (claw {claw} + {adds} = {claw + adds})."
            text = f"{self.cat()} {eats}"
            tell(log, "WK-CLAW-5", text, **self.acts(), kind=name, before=claw, adds=adds, claw=claw + adds)
        self.eat[self.turn] -= move.coin
        self.supply += move.coin
        self.eaten += adds

    @law("WK-CLAW-4", "WK-AMB-10")
    def _flip(self, log: list[Event] | None) -> None:
        """Turn the cat that has acted tails-up, and reset the claw gained by eating."""
        self.heads ^= 1 << self.acting
        self.eaten = 0
        if log is not None:
            turned = f"{self.cat()} has acted and is turned tails-up."
            kind = self.box.kinds[self.cats[self.acting]]
            tell(log, "WK-TURN-3", turned, **self.acts(), space=space_of(self.acting), kind=kind)

    def _end_action(self, verb: Verb, log: list[Event] | None) -> None:
        """End an action. An emptied city is populated before the next cat acts."""
        if self.city or not self.supply:
            self._next_cat(log)
            return
        if log is not None and verb is not REPOPULATE:
            rule = "WK-POP-3" if verb is TAKE else "WK-AMB-26"
            tell(log, rule, "The city's last coin is gone, so the players populate it again.")
        self._begin_populating(wk.AFTER_ACTING, log)

    @law("WK-REF-2", "WK-REF-3", "WK-REF-4", "WK-REF-5", "WK-AMB-1")
    def _refresh(self, log: list[Event] | None) -> None:
        """Carry out phase 3, or end the game."""
        self.acting = NOBODY
        left = self.city or self.supply
        if not left or 0 < self.rounds <= self.round:
            self.phase = wk.ENDED
            self.turn = OVER
            if log is not None:
                if left:
                    tell(log, "WK-REF-1", "Coins are left in the city or the supply.")
                    cap = f"The game stops at its limit of {plural(self.rounds, 'round')}."
                    tell(log, "WK-AMB-18", cap, rounds=self.rounds)
                else:
                    tell(log, "WK-REF-1", "No coins are left in the city or the supply, so there is no refresh.")
                    ends = f"The game ends with round {self.round}."
                    tell(log, "WK-END-1", ends, round=self.round)
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
        tell(log, "WK-REF-1", "Coins are left in the city or the supply, so the game goes on.")
        if self.heads != self.filled:
            tell(log, "WK-REF-2", "All cats are turned heads-up.")
        for rule, area, heaps, to in (
            ("WK-REF-3", "scare", self.scare, "return to hand"),
            ("WK-REF-4", "eat", self.eat, "are lost and go to the supply"),
        ):
            for seat, name in enumerate(self.seats):
                if heaps[seat]:
                    text = f"{name}'s victims on the {area} area {to}: {self.heap_text(heaps[seat])}."
                    tell(log, rule, text, **self.box.told(heaps[seat]), seat=name, victims=size(heaps[seat]))
        tell(log, "WK-REF-5", f"Round {self.round + 1} begins.", round=self.round + 1)

    # What can be seen

    def imagine(self, _seat: int, _chance: Chance) -> State:
        return self.clone()

    @law("WK-PIECE-5", "WK-SCORE-4", "WK-AMB-13")
    def score(self) -> list[Score]:
        """Return every seat's score. All cats count, including the first, and all victims, wherever they are."""
        coins, counts = self.box.coins, self.box.counts
        scores = []
        for seat, name in enumerate(self.seats):
            kinds = [self.cats[slot] for slot, _ in wk.CARDS[seat]]
            cats = [kinds.count(kind) for kind in range(len(coins))]
            scores.append(score_of(name, coins, cats, counts[self.victims(seat)]))
        return scores

    def result(self) -> Result | None:
        return winners(self.score()) if self.phase == wk.ENDED else None


_WHY_NOT: Final = {
    wk.CHOOSE: State._why_not_choose,
    PLACE_EAT: State._why_not_place,
    wk.PLACE_SCARE: State._why_not_place,
    DONE_FIRST: State._why_not_first,
    wk.POPULATE: State._why_not_populate,
    TAKE: State._why_not_take,
    MAKE: State._why_not_make,
    EAT: State._why_not_eat,
    wk.CAT: State._why_not_cat,
}
"""By verb: the method that refuses the move, in the phase in which it is made. Other moves are never refused there."""


def start(
    facts: Facts,
    seats: Sequence[str],
    options: Mapping[str, Any],
    chance: Chance,
    log: list[Event] | None = None,
) -> State:
    """Start a new game. All coins form the supply, and the quarter lies on the table."""
    state = begin(State, box_of(facts), seats, wk.OPTIONS.read(options), chance, begin_misfits(seats))
    if log is not None:
        tell(log, "WK-SETUP-7", "All coins form the supply.")
        tell(log, "WK-SETUP-8", "The quarter lies on the table.")
    return state


def begin_misfits(seats: Sequence[str]) -> list[Misfit]:
    misfits = seat_misfits(seats, wk.SEATS)
    if wk.TABLE in seats:
        misfits.append(
            Misfit(("seats", wk.TABLE), f'a seat cannot be called "{wk.TABLE}"', "that is where the quarter starts")
        )
    return misfits


def tally(state: State) -> Tally:
    """Return the counts for simulations: how and when the game ended, and each seat's coins at its start and end."""
    kinds = state.box.kinds
    seats = []
    for seat, score in enumerate(state.score()):
        start = state.starts[seat]
        words: dict[str, str | int] = {
            "starting coin": "unknown" if start == NOBODY else kinds[start],
            "cats": sum(state.cats[slot] != NOBODY for slot, _ in wk.CARDS[seat]),
            "victims": size(state.victims(seat)),
            "points": score.total,
        }
        seats.append(words)
    end = "last round" if state.city or state.supply else "no coins left"
    return Tally({"end": end, "rounds": state.round}, tuple(seats))
