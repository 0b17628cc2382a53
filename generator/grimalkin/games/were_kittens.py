"""Were Kittens: coins that are villagers, cats or victims by where they lie, for two or three players.

Facts, positions and lines of notation in; small moves, refusals, events and score lines out. All coins are open and
nothing is drawn: views hide nothing, and no chance is used.

Inside a state everything is a small int, written so that the common steps are one addition each:

- a *move* is `verb | kind << 3 | space`, where the verbs are multiples of 64;
- a *heap* of coins holds the number of each kind in eight bits of its own: kind 0 in the lowest, and so on;
- a *slot* is `seat << 3 | space`: one turn order space of one player card. Sets of slots are bit masks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple

from grimalkin.engine.chance import Chance
from grimalkin.engine.contract import Bot, Facts
from grimalkin.engine.loading import Loading, seat_misfits
from grimalkin.engine.play import random_bot
from grimalkin.engine.shape import Choice, Listing, Misfit, Misfits, Record, Shape, Table, Text, Whole, YesNo
from grimalkin.engine.words import (
    OVER,
    Ambiguous,
    Event,
    Line,
    Refusal,
    Result,
    Score,
    Tally,
    Unreadable,
    find_typed,
    listed,
    typed,
)
from grimalkin.plain import plural
from grimalkin.problems import did_you_mean

# Facts

SEATS: Final = (2, 3)  # WK-PLAYERS-1
SPACES: Final = (1, 2, 3, 4, 5, 6)  # WK-CARD-1
CITY_SIZE: Final = 4  # WK-POP-1, WK-POP-4
START_COINS: Final = 2  # WK-SETUP-2: one becomes the cat, one the victim
RANKS: Final = (("most", 2), ("second", 1), ("third", 0))  # WK-SCORE-2: points of one coin; lower ranks like the last
START_RULES: Final = {"penny": "WK-SETUP-4", "nickel": "WK-SETUP-5", "dime": "WK-SETUP-6"}
QUARTER: Final = "quarter"  # WK-AMB-19: not a villager, so never one of the kinds
TABLE: Final = "table"  # WK-SETUP-8: where the quarter lies before anybody has it

OPTIONS: Final = Record(
    {},
    {
        "race": YesNo("The race for the quarter is an input: the seat that was done first says so (default no)."),
        "rounds": Whole(1, describe="The game stops after this many rounds (default: no cap)."),
    },
)

SIMULATION: Final[Mapping[str, Any]] = {"rounds": 60}  # WK-AMB-18 suggests 60
# A bound for boxes of up to 22 coins besides the quarter, as WK-SETUP-7 counts them. In one round let C cats act and P
# victims be placed. Three cards of six spaces give C <= 18, and a coin is only one of the two, so P + C <= 22. Moves:
# P placements; one "done" a seat, 3; the eating, at most P because coins eaten do not come back to an eat area in the
# round; C actions or passes; 4 populating moves after placing and after each action. That is 2P + 5C + 7, greatest
# with C = 18 and P = 4: 105. Before the first round come 3 moves of set-up.
MOST_DECISIONS: Final = 3 + 105 * 60

SET_UP, PLACING, POPULATING, ACTING, ENDED = range(5)
PHASES: Final = ("set-up", "placing", "populating", "acting", "over")
PHASE_RULES: Final = ("WK-SETUP-2", "WK-PLACE-1", "WK-POP-1", "WK-TURN-2", "WK-END-1")
PHASE_ASKS: Final = (
    "takes two coins of one kind now",
    "places victims now, or is done",
    "moves a supply coin to the city now",
    "acts with one cat now",
    "the game is over",
)

NOT_ASKED: Final = (
    "this game is written down without the race, so nobody is asked who was first; "
    "at the table you may race (options: {race: yes})"
)

CHOOSE, PLACE_EAT, PLACE_SCARE, DONE, POPULATE, TAKE, MAKE, EAT, REPOPULATE, PASS, CAT = range(0, 11 << 6, 1 << 6)
DONE_FIRST: Final = DONE | 1
VERB_PHASES: Final = (SET_UP, PLACING, PLACING, PLACING, POPULATING) + (ACTING,) * 6

VERB_BITS: Final = ~63
KIND_BITS: Final = 7 << 3  # also the distance in bits of the kind's number in a heap: eight times the kind
SPACE_BITS: Final = 7
ACTION_NAMES: Final = {"take victim": "take", "make cat": "make"}
"""What the rules call actions; re-populate differs by its hyphen alone."""
QUARTER_KIND: Final = 7  # what moves name that try to use the quarter as a villager
MOST_KINDS: Final = 7
MOST_OF_A_KIND: Final = 127
NOBODY: Final = -1

ACT_ORDER: Final = {  # WK-TURN-1, WK-TURN-4, WK-AMB-5: slots in the order of acting, by number of seats and holder
    seats: tuple(
        tuple((holder + step) % seats << 3 | space for space in SPACES for step in range(seats))
        for holder in range(seats)
    )
    for seats in range(SEATS[0], SEATS[1] + 1)
}

LAWS: Final[Mapping[str, str]] = {
    "WK-PLAYERS-1": "SEATS",
    "WK-GOAL-1": "winners",
    "WK-PIECE-1": "State",
    "WK-PIECE-2": "State",
    "WK-PIECE-3": "State._why_not_cat",
    "WK-PIECE-4": "State._begin_acting",
    "WK-PIECE-5": "State.score",
    "WK-PIECE-6": "State._strength",
    "WK-PIECE-7": "box_of",
    "WK-CARD-1": "SPACES",
    "WK-CARD-2": "State._place",
    "WK-SETUP-2": "State._choose",
    "WK-SETUP-3": "State._choose",
    "WK-SETUP-4": "START_RULES",
    "WK-SETUP-5": "START_RULES",
    "WK-SETUP-6": "START_RULES",
    "WK-SETUP-7": "start",
    "WK-SETUP-8": "TABLE",
    "WK-SETUP-9": "State._next_to_place",
    "WK-CLAW-1": "State._strength",
    "WK-CLAW-2": "Coins",
    "WK-CLAW-3": "Coins",
    "WK-CLAW-4": "State._flip",
    "WK-CLAW-5": "State._eat",
    "WK-CLAW-6": "Coins",
    "WK-CLAW-7": "State._why_not_eat",
    "WK-ROUND-1": "PHASES",
    "WK-PLACE-1": "State._place",
    "WK-PLACE-2": "State._place",
    "WK-PLACE-3": "State._why_not_place",
    "WK-PLACE-4": "State._end_placing",
    "WK-POP-1": "State._populate",
    "WK-POP-3": "State._end_action",
    "WK-POP-4": "State._end_placing",
    "WK-POP-5": "State._begin_populating",
    "WK-TURN-1": "ACT_ORDER",
    "WK-TURN-2": "State._next_cat",
    "WK-TURN-3": "State._flip",
    "WK-TURN-4": "ACT_ORDER",
    "WK-ACT-1": "State._act",
    "WK-ACT-2": "State._why_not_take",
    "WK-ACT-3": "State._why_not_take",
    "WK-ACT-4": "make_cost",
    "WK-ACT-5": "Coins",
    "WK-ACT-6": "State._why_not_make",
    "WK-ACT-7": "State._why_not_make",
    "WK-ACT-8": "State._make",
    "WK-ACT-9": "State._act",
    "WK-REF-1": "State._refresh",
    "WK-REF-2": "State._refresh",
    "WK-REF-3": "State._refresh",
    "WK-REF-4": "State._refresh",
    "WK-REF-5": "State._refresh",
    "WK-END-1": "State._refresh",
    "WK-SCORE-1": "cat_lines",
    "WK-SCORE-2": "RANKS",
    "WK-SCORE-3": "ranks",
    "WK-SCORE-4": "State.score",
    "WK-SCORE-5": "winners",
    "WK-AMB-1": "State._refresh",
    "WK-AMB-2": "OPTIONS",
    "WK-AMB-3": "State._why_not_act",
    "WK-AMB-4": "State._why_not_make",
    "WK-AMB-5": "ACT_ORDER",
    "WK-AMB-6": "State._populate",
    "WK-AMB-7": "State._eat",
    "WK-AMB-8": "State._why_not_eat",
    "WK-AMB-9": "State._eat",
    "WK-AMB-10": "State._flip",
    "WK-AMB-11": "victim_lines",
    "WK-AMB-12": "State._why_not_choose",
    "WK-AMB-13": "State.score",
    "WK-AMB-14": "winners",
    "WK-AMB-15": "State._act",
    "WK-AMB-16": "State._why_not_act",
    "WK-AMB-17": "State._populate",
    "WK-AMB-18": "State._refresh",
    "WK-AMB-19": "QUARTER",
    "WK-AMB-20": "cat_lines",
    "WK-AMB-21": "CITY_SIZE",
    "WK-AMB-24": "State._end_placing",
    "WK-AMB-25": "State._next_to_place",
    "WK-AMB-26": "State._end_action",
    "WK-AMB-27": "State._populate",
    "WK-AMB-28": "State._why_not_act",
    "WK-AMB-29": "State._choose",
}

REFUSALS: Final = frozenset(PHASE_RULES) | {
    "WK-PLACE-2",
    "WK-PLACE-4",
    "WK-AMB-24",
    "WK-AMB-19",
    "WK-ACT-2",
    "WK-ACT-4",
    "WK-ACT-6",
    "WK-AMB-4",
    "WK-CLAW-5",
    "WK-TURN-1",
    "WK-TURN-3",
    "WK-PIECE-3",
}


# Scoring


def make_cost(base: int, space: int) -> int:
    """The claw that making a cat takes (WK-ACT-4)."""
    return base - space


def ranks(counts: Sequence[int]) -> list[int]:
    """Each number's rank from 0, the greatest first; equal numbers share a rank, and none is left out (WK-SCORE-3)."""
    order = sorted({count for count in counts if count}, reverse=True)
    return [order.index(count) if count else len(order) for count in counts]


def victim_points(counts: Sequence[int]) -> int:
    """What victims score together, given the number of each kind (WK-SCORE-2)."""
    return sum(
        count * RANKS[min(rank, len(RANKS) - 1)][1] for count, rank in zip(counts, ranks(counts), strict=True) if count
    )


def cat_lines(cats: Mapping[str, int], points: Mapping[str, int]) -> list[Line]:
    """A line for each kind of cat (WK-SCORE-1)."""
    return [
        Line("WK-SCORE-1", f"{kind} cats", count, points[kind], count * points[kind])
        for kind, count in cats.items()
        if count
    ]


def victim_lines(victims: Mapping[str, int]) -> list[Line]:
    """A line for each kind of victim. A shared rank names the rule or ruling that lets it be shared."""
    counts = list(victims.values())
    lines = []
    for kind, count, rank in zip(victims, counts, ranks(counts), strict=True):
        if not count:
            continue
        word, each = RANKS[min(rank, len(RANKS) - 1)]
        shared = "WK-AMB-11" if rank == 1 else "WK-SCORE-3"
        rule = shared if counts.count(count) > 1 else "WK-SCORE-2"
        lines.append(Line(rule, f"{kind} victims ({word})", count, each, count * each))
    return lines


def winners(scores: Sequence[Score]) -> Result:
    """The highest total wins (WK-SCORE-5); a tie is a shared win (WK-AMB-14)."""
    best = max(score.total for score in scores)
    names = tuple(score.seat for score in scores if score.total == best)
    if len(names) == 1:
        return Result(names, ("WK-SCORE-5",), f"{names[0]} has the highest total, {best}.")
    return Result(names, ("WK-SCORE-5", "WK-AMB-14"), f"{listed(names)} share the highest total, {best}.")


# State


class Coins(NamedTuple):
    """The kinds of coin in the facts' order, each fact as one tuple."""

    kinds: tuple[str, ...]
    counts: tuple[int, ...]
    cat_claws: tuple[int, ...]
    villager_claws: tuple[int, ...]
    bases: tuple[int, ...]
    points: tuple[int, ...]
    start_spaces: tuple[int, ...]


class Possible(NamedTuple):
    """What can be done with one city and one set of free spaces, by the strength of the acting cat."""

    by_strength: tuple[list[int], ...]
    """Takes and makes. The last list is for every greater strength too."""
    or_none: tuple[list[int], ...]
    """The same, with re-populating and passing."""


class Memo(dict[int, Any]):
    """Remembers what a pure function of one int has answered."""

    def __init__(self, function: Callable[[int], Any]) -> None:
        super().__init__()
        self.function = function

    def __missing__(self, key: int) -> Any:
        value = self[key] = self.function(key)
        return value


class Box:
    """What is the same in every game with the same coins: their facts, the notation, and ready lists of moves.

    The memos answer pure functions of heaps, so they hold at most one entry for each heap that these coins can form.
    """

    __slots__ = (
        "coins",
        "counts",
        "everything",
        "moves",
        "place_moves",
        "populate_moves",
        "possible",
        "race_moves",
        "texts",
        "top",
    )

    def __init__(self, coins: Coins) -> None:
        assert len(coins.kinds) <= MOST_KINDS and sum(coins.counts) <= MOST_OF_A_KIND
        self.coins = coins
        self.everything = heap(coins.counts)
        self.texts = dict(_every_text(coins.kinds))
        self.moves = {text: move for move, text in self.texts.items()}
        self.top = max(*coins.villager_claws, *(make_cost(base, SPACES[0]) for base in coins.bases))
        self.counts = Memo(self._counts)
        self.populate_moves = Memo(lambda supply: self._each(POPULATE, supply))
        self.place_moves = Memo(lambda hand: [*self._each(PLACE_EAT, hand), *self._each(PLACE_SCARE, hand), DONE])
        self.race_moves = Memo(lambda hand: [*self.place_moves[hand], DONE_FIRST])
        self.possible = Memo(self._possible)

    def _counts(self, of: int) -> tuple[int, ...]:
        return tuple(of >> 8 * kind & 255 for kind in range(len(self.coins.kinds)))

    def heap_claw(self, of: int) -> int:
        """The claw of all coins of a heap together, as victims."""
        return sum(count * claw for count, claw in zip(self.counts[of], self.coins.villager_claws, strict=True))

    def _each(self, verb: int, of: int) -> list[int]:
        return [verb | kind << 3 for kind, count in enumerate(self.counts[of]) if count]

    def _possible(self, city_and_filled: int) -> Possible:
        """Key: the city's heap, then seven bits that tell which spaces are filled."""
        kinds = [kind for kind, count in enumerate(self.counts[city_and_filled >> 7]) if count]
        free = [space for space in SPACES if not city_and_filled >> space & 1]
        needs = {TAKE | kind << 3: self.coins.villager_claws[kind] for kind in kinds}
        needs |= {MAKE | kind << 3 | s: make_cost(self.coins.bases[kind], s) for kind in kinds for s in free}
        by_strength = tuple([move for move, need in needs.items() if need <= n] for n in range(self.top + 1))
        return Possible(by_strength, tuple([*moves, REPOPULATE, PASS] for moves in by_strength))


def box_of(facts: Facts) -> Box:
    """The box that holds the coins of the facts: every component that has a cat claw."""
    kinds = [(name, coin) for name, coin in facts["components"].items() if coin.get("cat-claw") is not None]
    columns = ("count", "cat-claw", "villager-claw", "make-base", "cat-points", "start-space")
    return _box(
        Coins(tuple(name for name, _ in kinds), *(tuple(coin[column] for _, coin in kinds) for column in columns))
    )


@lru_cache(maxsize=8)
def _box(coins: Coins) -> Box:
    return Box(coins)


def heap(counts: Iterable[int]) -> int:
    """A heap from the number of each kind."""
    return sum(count << 8 * kind for kind, count in enumerate(counts))


def size(of: int) -> int:
    """How many coins a heap holds: the sum of its base-256 digits, since 256 leaves 1 when divided by 255."""
    return of % 255


class View(NamedTuple):
    """What a seat sees: everything (WK-AMB-23). Heaps are tuples of the number of each kind."""

    seat: int
    coins: Coins
    to_act: int
    phase: int
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


class State:
    """A game of Were Kittens in progress."""

    __slots__ = (
        "acting",  # slot of the cat that acts, or whose action set off the populating; else NOBODY
        "again",  # the phase that populating interrupts, else NOBODY
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
        self.phase = SET_UP
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
        self.again = NOBODY
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
        if phase == POPULATING:
            return list(box.populate_moves[self.supply])
        seat = self.turn
        if phase == ACTING:
            acting = self.acting
            possible = box.possible[self.city << 7 | self.filled >> (seat << 3) & 126]
            strength = box.coins.cat_claws[self.cats[acting]] + self.eaten
            enough = strength if strength < box.top else box.top
            if not self.eat[seat]:
                return list(possible.or_none[enough])
            # What has been eaten binds to nothing (WK-AMB-16).
            return [*possible.by_strength[enough], *box._each(EAT, self.eat[seat]), REPOPULATE, PASS]
        if phase == PLACING:
            # With the race on, `done first` is open to one seat a round (WK-PLACE-4).
            ready = box.race_moves if self.race and self.first == NOBODY else box.place_moves
            return list(ready[self.hand[seat]])
        if phase == SET_UP:
            return [CHOOSE | kind << 3 for kind, count in enumerate(box.counts[self.supply]) if count >= START_COINS]
        return []

    def why_not(self, move: int) -> Refusal | None:
        """The one source of what is legal; answers for every move that `read` can make."""
        phase = self.phase
        if VERB_PHASES[move >> 6] != phase:
            asks = PHASE_ASKS[phase] if phase == ENDED else f"{self.seats[self.turn]} {PHASE_ASKS[phase]}"
            return Refusal(PHASE_RULES[phase], f'{asks}, so "{self.box.texts[move]}" cannot be')
        if phase == SET_UP:
            return self._why_not_choose(move)
        if phase == PLACING:
            return self._why_not_place(move)
        if phase == POPULATING:
            return self._why_not_populate(move)
        return self._why_not_act(move)

    def _why_not_choose(self, move: int) -> Refusal | None:
        kind = move >> 3 & 7
        if kind == QUARTER_KIND:
            return Refusal("WK-SETUP-2", f"the two coins are of one kind: {listed(self.box.coins.kinds, 'or')}")
        there = self.box.counts[self.supply][kind]
        if there < START_COINS:
            return Refusal("WK-SETUP-2", f"two coins are needed, the supply has {_some(there, self._kind(move))}")
        return None

    def _why_not_place(self, move: int) -> Refusal | None:
        seat = self.seats[self.turn]
        if move == DONE:
            return None
        if move == DONE_FIRST:
            if not self.race:
                return Refusal("WK-AMB-24", NOT_ASKED)
            if self.first != NOBODY:
                return Refusal("WK-PLACE-4", f"{self.seats[self.first]} was done first in this round")
            return None
        if self.box.counts[self.hand[self.turn]][move >> 3 & 7]:
            return None
        rule = "WK-PLACE-1" if move & VERB_BITS == PLACE_EAT else "WK-PLACE-2"
        return Refusal(rule, f"victims are placed from hand, and {seat} has no {self._kind(move)} in hand")

    def _why_not_populate(self, move: int) -> Refusal | None:
        kind = move >> 3 & 7
        if kind == QUARTER_KIND:
            return Refusal("WK-AMB-19", "the quarter is not a villager")
        if not self.box.counts[self.supply][kind]:
            return Refusal("WK-POP-1", f"the supply has no {self._kind(move)}")
        return None

    def _why_not_act(self, move: int) -> Refusal | None:
        """Re-populating and passing are always allowed (WK-AMB-3, WK-AMB-15), after eating too (WK-AMB-16)."""
        verb = move & VERB_BITS
        if verb == TAKE:
            return self._why_not_take(move)
        if verb == MAKE:
            return self._why_not_make(move)
        if verb == EAT:
            return self._why_not_eat(move)
        if verb == CAT:
            return self._why_not_cat(move & SPACE_BITS)
        return None

    def _why_not_take(self, move: int) -> Refusal | None:
        kind = move >> 3 & 7
        name = self._kind(move)
        if not self.box.counts[self.city][kind]:
            return Refusal("WK-ACT-2", f"no {name} lies in the city")
        need = self.box.coins.villager_claws[kind]
        if self._strength() < need:
            both = f"the claw of {self._cat()} is {self._strength()}, a {name} villager's is {need}"
            return Refusal("WK-ACT-2", both)
        return None

    def _why_not_make(self, move: int) -> Refusal | None:
        kind, space = move >> 3 & 7, move & SPACE_BITS
        name = self._kind(move)
        if not self.box.counts[self.city][kind]:
            return Refusal("WK-ACT-4", f"no {name} lies in the city")
        there = self.cats[self.turn << 3 | space]
        if there != NOBODY:
            return Refusal(
                "WK-AMB-4", f"{self.seats[self.turn]}'s {self.box.coins.kinds[there]} cat fills space {space}"
            )
        base = self.box.coins.bases[kind]
        need = make_cost(base, space)
        if self._strength() < need:
            return Refusal(
                "WK-ACT-6",
                f"the claw of {self._cat()} is {self._strength()}, "
                f"making a {name} in space {space} costs {base} - {space} = {need}",
            )
        return None

    def _why_not_eat(self, move: int) -> Refusal | None:
        """Whatever lies on the own eat area, any number (WK-CLAW-7), whatever for (WK-AMB-16)."""
        kind = move >> 3 & 7
        seat, name = self.turn, self._kind(move)
        counts = self.box.counts
        if not counts[self.eat[seat]][kind]:
            elsewhere = [
                words
                for words, where in (("in hand", self.hand[seat]), ("on the scare area", self.scare[seat]))
                if counts[where][kind]
            ]
            but = f"; one {listed(elsewhere)} cannot be eaten" if elsewhere else ""
            return Refusal("WK-CLAW-5", f"no {name} lies on {self.seats[seat]}'s eat area{but}")
        return None

    def _why_not_cat(self, space: int) -> Refusal | None:
        """`cat N` says which cat the player means to act with."""
        seat = self.seats[self.turn]
        slot = self.turn << 3 | space
        if self.cats[slot] == NOBODY:
            return Refusal("WK-PIECE-3", f"{seat} has no cat in space {space}")
        if not self.heads >> slot & 1:
            return Refusal("WK-TURN-3", f"{seat}'s {self._name(slot)} lies tails-up")
        if slot > self.acting:
            return Refusal("WK-TURN-1", f"lower spaces act first: {self._cat()} comes before space {space}")
        if slot < self.acting:
            return Refusal("WK-TURN-1", f"space {space} has had its turn: {self._cat()} is up")
        return None

    def _strength(self) -> int:
        """The acting cat's claw with what it has eaten."""
        return self.box.coins.cat_claws[self.cats[self.acting]] + self.eaten

    # What happens

    def apply(self, move: int, log: list[Event] | None = None) -> None:
        phase = self.phase
        if phase == POPULATING:
            self._populate(move, log)
        elif phase == ACTING:
            self._act(move, log)
        elif phase == PLACING:
            self._place(move, log)
        else:
            self._choose(move, log)

    def _choose(self, move: int, log: list[Event] | None) -> None:
        seat, kind = self.turn, move >> 3 & 7
        coin = 1 << (move & KIND_BITS)
        slot = seat << 3 | self.box.coins.start_spaces[kind]
        self.supply -= START_COINS * coin
        self.hand[seat] += coin
        self._new_cat(slot, kind)
        self.starts[seat] = kind
        self.heads |= 1 << slot
        if log is not None:
            name = self._kind(move)
            log.append(Event("WK-SETUP-2", f"{self.seats[seat]} takes two coins of one kind, {name}."))
            rule = START_RULES.get(name, "WK-SETUP-3")
            where = f"heads-up in space {slot & SPACE_BITS}"
            log.append(Event(rule, f"{self.seats[seat]}'s {name} cat lies {where}, the other {name} is in hand."))
        if seat + 1 < len(self.seats):
            self.turn = seat + 1
        else:
            self._begin_placing()

    def _begin_placing(self) -> None:
        self.phase = PLACING
        self.turn = self._next_to_place()

    def _next_to_place(self) -> int:
        """The next seat that is not done, clockwise from the one that gets the quarter by default (WK-AMB-25).

        In round 1 that is seat 0, the first player (WK-SETUP-9).
        """
        seats = len(self.seats)
        turn = (self.round - 1) % seats
        while self.done >> turn & 1:
            turn = (turn + 1) % seats
        return turn

    def _place(self, move: int, log: list[Event] | None) -> None:
        seat = self.turn
        if move & VERB_BITS == DONE:
            if move == DONE_FIRST:
                self.first = seat
                if log is not None:
                    log.append(Event("WK-PLACE-4", f"{self.seats[seat]} is done before all others."))
            self.done |= 1 << seat
            if self.done == (1 << len(self.seats)) - 1:
                self._end_placing(log)
            else:
                self.turn = self._next_to_place()
            return
        coin = 1 << (move & KIND_BITS)
        self.hand[seat] -= coin
        if move & VERB_BITS == PLACE_EAT:
            self.eat[seat] += coin
        else:
            self.scare[seat] += coin
        if log is not None:
            rule, area = ("WK-PLACE-1", "eat") if move & VERB_BITS == PLACE_EAT else ("WK-PLACE-2", "scare")
            log.append(Event(rule, f"{self.seats[seat]} places a {self._kind(move)} on the {area} area."))

    def _end_placing(self, log: list[Event] | None) -> None:
        by_race = self.first != NOBODY
        holder = self.first if by_race else (self.round - 1) % len(self.seats)
        if log is not None:
            gets = "keeps" if holder == self.quarter else "gets"
            if by_race:
                log.append(Event("WK-PLACE-4", f"{self.seats[holder]} was done first and {gets} the quarter."))
            else:
                name = self.seats[holder]
                log.append(Event("WK-AMB-24", f"By default {name} {gets} the quarter in round {self.round}."))
        self.quarter = holder
        self.done = 0
        self.first = NOBODY
        if size(self.city) < CITY_SIZE and self.supply:
            if log is not None:
                log.append(Event("WK-POP-4", f"The city holds {size(self.city)} of {CITY_SIZE} coins: it is filled."))
            self._begin_populating(PLACING, log)
        else:
            self._begin_acting(log)

    def _begin_populating(self, again: int, log: list[Event] | None) -> None:
        self.phase = POPULATING
        self.again = again
        self.turn = self.quarter
        if log is not None:
            log.append(Event("WK-POP-5", f"{self.seats[self.turn]} holds the quarter and begins to populate the city."))

    def _populate(self, move: int, log: list[Event] | None) -> None:
        coin = 1 << (move & KIND_BITS)
        supply = self.supply = self.supply - coin
        city = self.city = self.city + coin
        if log is not None:
            name = self.seats[self.turn]
            log.append(Event("WK-POP-1", f"{name} moves a {self._kind(move)} from the supply to the city."))
        if supply and city % 255 < CITY_SIZE:
            turn = self.turn + 1
            self.turn = turn if turn < len(self.seats) else 0
            return
        if log is not None and size(city) < CITY_SIZE:
            log.append(Event("WK-AMB-6", f"The supply is empty: the city holds only {_coins(size(city))}."))
        again = self.again
        self.again = NOBODY
        if again == ACTING:
            self._next_cat(log)
        else:
            self._begin_acting(log)

    def _begin_acting(self, log: list[Event] | None) -> None:
        heads = self.heads
        self.queue = tuple([slot for slot in ACT_ORDER[len(self.seats)][self.quarter] if heads >> slot & 1])
        self.at = 0
        self._next_cat(log)

    def _next_cat(self, log: list[Event] | None) -> None:
        """The next cat may act, once (WK-TURN-2); after the last one comes the refresh."""
        at = self.at
        if at == len(self.queue):
            self._refresh(log)
            return
        slot = self.acting = self.queue[at]
        self.at = at + 1
        self.turn = slot >> 3
        self.phase = ACTING
        if log is not None:
            space = slot & SPACE_BITS
            up = f"Space {space}: {self.seats[self.turn]}'s {self.box.coins.kinds[self.cats[slot]]} cat is up"
            order = ACT_ORDER[len(self.seats)][self.quarter]
            sharing = [other >> 3 for other in order if other & SPACE_BITS == space and self.heads >> other & 1]
            if len(sharing) == 1:
                log.append(Event("WK-TURN-1", f"{up}."))
            else:
                rule = "WK-TURN-4" if len(sharing) == 2 and self.quarter in sharing else "WK-AMB-5"
                names = listed([self.seats[seat] for seat in sharing])
                because = f"since {self.seats[self.quarter]} holds the quarter"
                log.append(Event(rule, f"{up}; {names} act in this order, {because}."))

    def _act(self, move: int, log: list[Event] | None) -> None:
        """One of the three actions (WK-ACT-1), a pass, or what comes before an action."""
        verb = move & VERB_BITS
        if verb == TAKE:
            coin = 1 << (move & KIND_BITS)
            self.city -= coin
            self.hand[self.turn] += coin
            if log is not None:
                log.append(Event("WK-ACT-2", f"{self._cat()} takes a {self._kind(move)} into hand."))
        elif verb == PASS:
            if log is not None:
                log.append(Event("WK-AMB-15", f"{self._cat()} does not act and stays heads-up."))
                if self.eaten:
                    log.append(Event("WK-AMB-16", "What it ate stays in the supply, and the claw is lost."))
            self.eaten = 0
            self._next_cat(log)
            return
        elif verb == MAKE:
            self._make(move, log)
        elif verb == REPOPULATE:
            if log is not None:
                back = f"back to the supply go {self._heap_text(self.city)}" if self.city else "the city is empty"
                rule = "WK-ACT-9" if self.city else "WK-AMB-28"
                log.append(Event(rule, f"{self._cat()} re-populates: {back}."))
            self.supply += self.city
            self.city = 0
        elif verb == EAT:
            self._eat(move, log)
            return
        else:  # cat N changes nothing
            return
        self._flip(log)
        self._end_action(verb, log)

    def _make(self, move: int, log: list[Event] | None) -> None:
        kind, space = move >> 3 & 7, move & SPACE_BITS
        self.city -= 1 << (move & KIND_BITS)
        if log is not None:
            base = self.box.coins.bases[kind]
            cost = f"cost {base} - {space} = {make_cost(base, space)}, claw {self._strength()}"
            log.append(Event("WK-ACT-6", f"{self._cat()} makes a {self._kind(move)} cat in space {space} ({cost})."))
            log.append(Event("WK-ACT-8", f"The new cat in space {space} lies tails-up and waits for the next round."))
        self._new_cat(self.turn << 3 | space, kind)

    def _new_cat(self, slot: int, kind: int) -> None:
        self.cats[slot] = kind
        self.filled |= 1 << slot

    def _eat(self, move: int, log: list[Event] | None) -> None:
        """The victim is in the supply before the action is done (WK-AMB-7)."""
        coin = 1 << (move & KIND_BITS)
        claw = self.box.coins.villager_claws[move >> 3 & 7]
        if log is not None:
            eats = f"{self._cat()} eats a {self._kind(move)}, which goes to the supply"
            log.append(Event("WK-CLAW-5", f"{eats} (claw {self._strength()} + {claw} = {self._strength() + claw})."))
        self.eat[self.turn] -= coin
        self.supply += coin
        self.eaten += claw

    def _flip(self, log: list[Event] | None) -> None:
        """The cat has acted; what it ate is forgotten (WK-AMB-10)."""
        self.heads ^= 1 << self.acting
        self.eaten = 0
        if log is not None:
            log.append(Event("WK-TURN-3", f"{self._cat()} has acted and is turned to tails."))

    def _end_action(self, verb: int, log: list[Event] | None) -> None:
        """An emptied city is populated before the next cat acts (WK-POP-3, WK-AMB-26)."""
        if self.city or not self.supply:
            self._next_cat(log)
            return
        if log is not None and verb != REPOPULATE:
            rule = "WK-POP-3" if verb == TAKE else "WK-AMB-26"
            log.append(Event(rule, "The city's last coin is gone: it is populated anew."))
        self._begin_populating(ACTING, log)

    def _refresh(self, log: list[Event] | None) -> None:
        """Phase 3, or the end of the game."""
        self.acting = NOBODY
        left = self.city or self.supply
        if not left or self.round == self.rounds:
            self.phase = ENDED
            self.turn = OVER
            if log is not None:
                if left:
                    log.append(Event("WK-REF-1", "Coins are left in city or supply."))
                    log.append(Event("WK-AMB-18", f"The game is stopped by its cap of {_rounds(self.rounds)}."))
                else:
                    log.append(Event("WK-REF-1", "No coin is left in city or supply, so there is no refresh."))
                    log.append(Event("WK-END-1", f"The game ends with round {self.round}."))
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
                    victims = self._heap_text(heaps[seat])
                    log.append(Event(rule, f"{name}'s victims on the {area} area {to}: {victims}."))
        log.append(Event("WK-REF-5", f"Round {self.round + 1} begins."))

    # What can be seen

    def view(self, seat: int) -> View:
        counts = self.box.counts
        return View(
            seat,
            self.box.coins,
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
                            (slot & SPACE_BITS, self.cats[slot], bool(self.heads >> slot & 1))
                            for slot in range(of << 3, of + 1 << 3)
                            if self.cats[slot] != NOBODY
                        ]
                    )
                    for of in range(len(self.seats))
                ]
            ),
            self.acting & SPACE_BITS if self.phase == ACTING else 0,
            self.eaten,
            self.done,
            self.first,
            self.race,
            self.rounds,
        )

    def imagine(self, unused_seat: int, unused_chance: Chance) -> State:
        return self.clone()

    def pieces(self) -> Mapping[str, int]:
        totals = [0] * len(self.box.coins.kinds)
        for of in (self.city, self.supply, *self.hand, *self.eat, *self.scare):
            for kind, count in enumerate(self.box.counts[of]):
                totals[kind] += count
        for kind in self.cats:
            if kind != NOBODY:
                totals[kind] += 1
        return {**dict(zip(self.box.coins.kinds, totals, strict=True)), QUARTER: 1}

    def score(self) -> list[Score]:
        """Every cat counts, the first one too (WK-AMB-13), and every victim wherever it lies (WK-SCORE-4)."""
        coins = self.box.coins
        points = dict(zip(coins.kinds, coins.points, strict=True))
        scores = []
        for seat, name in enumerate(self.seats):
            cats = self.cats[seat << 3 : seat + 1 << 3]
            victims = self.box.counts[self.hand[seat] + self.eat[seat] + self.scare[seat]]
            lines = cat_lines({kind: cats.count(number) for number, kind in enumerate(coins.kinds)}, points)
            lines += victim_lines(dict(zip(coins.kinds, victims, strict=True)))
            scores.append(Score(name, tuple(lines)))
        return scores

    def result(self) -> Result | None:
        return winners(self.score()) if self.phase == ENDED else None

    # Words for sentences

    def _kind(self, move: int) -> str:
        return self.box.coins.kinds[move >> 3 & 7]

    def _name(self, slot: int) -> str:
        return f"{self.box.coins.kinds[self.cats[slot]]} cat in space {slot & SPACE_BITS}"

    def _cat(self) -> str:
        return f"{self.seats[self.acting >> 3]}'s {self._name(self.acting)}"

    def _heap_text(self, of: int) -> str:
        counts = zip(self.box.counts[of], self.box.coins.kinds, strict=True)
        return ", ".join(_some(count, kind) for count, kind in counts if count)

    # Positions

    def position(self) -> dict[str, Any]:
        phase = self.phase
        record: dict[str, Any] = {
            "phase": PHASES[phase],
            "round": self.round,
            "quarter": TABLE if self.quarter == NOBODY else self.seats[self.quarter],
            "city": self._heap_record(self.city),
            "supply": self._heap_record(self.supply),
        }
        if phase != ENDED:
            record["to-act"] = self.seats[self.turn]
        if self.acting != NOBODY:
            record["acting"] = {"seat": self.seats[self.acting >> 3], "space": self.acting & SPACE_BITS}
        if phase == ACTING:
            record["eaten"] = self.eaten
        if phase == POPULATING:
            record["again"] = PHASES[self.again]
        if phase == PLACING:
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
                    str(slot & SPACE_BITS): _cat_word(self.box.coins.kinds[self.cats[slot]], self.heads >> slot & 1)
                    for slot in range(seat << 3, seat + 1 << 3)
                    if self.cats[slot] != NOBODY
                },
            }
            for seat, name in enumerate(self.seats)
        }
        return record

    def _heap_record(self, of: int) -> dict[str, int]:
        counts = zip(self.box.coins.kinds, self.box.counts[of], strict=True)
        return {kind: count for kind, count in counts if count}


def start(
    facts: Facts,
    seats: Sequence[str],
    options: Mapping[str, Any],
    unused_chance: Chance,
    log: list[Event] | None = None,
) -> State:
    """A new game. All coins form the supply, and the quarter lies on the table (WK-SETUP-7, WK-SETUP-8)."""
    chosen, misfits = OPTIONS.read(options)
    misfits += _seat_misfits(seats)
    if misfits:
        raise Misfits(misfits)
    if log is not None:
        log.append(Event("WK-SETUP-7", "All coins form the supply."))
        log.append(Event("WK-SETUP-8", "The quarter lies on the table."))
    return State(box_of(facts), tuple(seats), chosen)


def _seat_misfits(seats: Sequence[str]) -> list[Misfit]:
    misfits = seat_misfits(seats, SEATS)
    if TABLE in seats:
        misfits.append(Misfit(("seats", TABLE), f'a seat cannot be called "{TABLE}"', "it is where the quarter starts"))
    return misfits


def _cat_word(kind: str, heads: int) -> str:
    return kind if heads else f"{kind} tails"


def _some(count: int, kind: str) -> str:
    return f"{count or 'no'} {kind}"


def _coins(count: int) -> str:
    return plural(count, "coin")


def _rounds(count: int) -> str:
    return plural(count, "round")


# Notation


def _every_text(kinds: Sequence[str]) -> Iterable[tuple[int, str]]:
    """Every small move with its notation, in the order of its number."""
    yield from ((CHOOSE | kind << 3, name) for kind, name in enumerate(kinds))
    yield CHOOSE | QUARTER_KIND << 3, QUARTER
    yield from ((PLACE_EAT | kind << 3, f"place {name} eat") for kind, name in enumerate(kinds))
    yield from ((PLACE_SCARE | kind << 3, f"place {name} scare") for kind, name in enumerate(kinds))
    yield DONE, "done"
    yield DONE_FIRST, "done first"
    yield from ((POPULATE | kind << 3, f"populate {name}") for kind, name in enumerate(kinds))
    yield POPULATE | QUARTER_KIND << 3, f"populate {QUARTER}"
    yield from ((TAKE | kind << 3, f"take {name}") for kind, name in enumerate(kinds))
    for kind, name in enumerate(kinds):
        yield from ((MAKE | kind << 3 | space, f"make {name} {space}") for space in SPACES)
    yield from ((EAT | kind << 3, f"eat {name}") for kind, name in enumerate(kinds))
    yield REPOPULATE, "repopulate"
    yield PASS, "pass"
    yield from ((CAT | space, f"cat {space}") for space in SPACES)


def every_move(facts: Facts) -> list[int]:
    """Every small move that changes something, in the order of `legal`. `cat N` is not among them."""
    return [move for move in box_of(facts).texts if move < CAT]


def read(text: str, state: State) -> list[int]:
    """Small moves joined by commas. Case, spaces and hyphens do not matter."""
    return [_read_one(typed(part), state.box) for part in text.split(",")]


def _read_one(text: str, box: Box) -> int:
    if not text:
        raise Unreadable("a move is missing")
    move = find_typed(text, box.moves, ACTION_NAMES)
    if move is not None:
        return move
    longer = [whole for whole in box.moves if whole.startswith(f"{text} ")]
    if longer:
        raise Ambiguous(f'"{text}" does not say enough: {listed(longer, "or")}')
    words = text.split()
    if words and words[0] in ("make", "cat") and not (words[-1].isdigit() and int(words[-1]) in SPACES):
        raise Unreadable(f'"{text}" names no space; spaces are numbered {SPACES[0]} to {SPACES[-1]}')
    hint = did_you_mean(text, [known for known in box.moves if QUARTER not in known])
    raise Unreadable(f'"{text}" is not a move of this game' + (f"; {hint}" if hint else ""))


def write(moves: Sequence[int], state: State, unused_reader: int | None = None) -> str:
    """Small moves joined by commas. All of them are made in the open."""
    return ", ".join([state.box.texts[move] for move in moves])


def tally(state: State) -> Tally:
    """For simulations: how the game ended and after how many rounds; what each seat began and ended with."""
    kinds = state.box.coins.kinds
    seats = []
    for seat, score in enumerate(state.score()):
        start = state.starts[seat]
        words: dict[str, str | int] = {
            "starting coin": "unknown" if start == NOBODY else kinds[start],
            "cats": sum(kind != NOBODY for kind in state.cats[seat << 3 : seat + 1 << 3]),
            "victims": size(state.hand[seat] + state.eat[seat] + state.scare[seat]),
            "points": score.total,
        }
        seats.append(words)
    end = "last round" if state.city or state.supply else "no coins left"
    return Tally({"end": end, "rounds": state.round}, tuple(seats))


# Positions


def check_facts(facts: Facts) -> list[Misfit]:
    """What is wrong with the components: a coin lacks one of its numbers."""
    columns = ("villager-claw", "make-base", "cat-points", "start-space")
    return [
        Misfit(("components", id_), f'the column "{column}" is empty', "every coin with a cat-claw has it")
        for id_, coin in facts["components"].items()
        if coin.get("cat-claw") is not None
        for column in columns
        if coin.get(column) is None
    ]


def position_shape(facts: Facts) -> Record:
    """What the record of a position looks like."""
    coins = box_of(facts).coins

    def coins_in(describe: str) -> Table:
        return Table(Whole(0, max(coins.counts)), coins.kinds, describe)

    cat = Choice(tuple(_cat_word(kind, heads) for kind in coins.kinds for heads in (1, 0)))
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
        "phase": Choice(PHASES, "Default: acting; when no cat lies heads-up, placing, or over if no coin is left."),
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
        misfits = _seat_misfits(tuple(record["seats"]))
    if misfits:
        raise Misfits(misfits)
    return _Loading(box, record).run()


class _Loading(Loading[State]):
    """One position on its way from a record to a state."""

    def __init__(self, box: Box, record: Mapping[str, Any]) -> None:
        super().__init__(State(box, tuple(record["seats"]), record.get("options", {})), record)
        self.box = box

    def run(self) -> State:
        state, record = self.state, self.record
        state.round = record.get("round", 1)
        self.lay_coins()
        state.quarter = NOBODY if record.get("quarter") == TABLE else self.seat("quarter", 0)
        default = ACTING if state.heads or "acting" in record else PLACING if state.city or state.supply else ENDED
        state.phase = PHASES.index(record["phase"]) if "phase" in record else default
        self.check_keys(KEY_PHASES, state.phase, PHASES)
        if state.phase in (POPULATING, ACTING) and state.quarter == NOBODY:
            self.wrong("quarter", f"in phase {PHASES[state.phase]} a seat holds the quarter")
        if not self.misfits:
            (self.set_up, self.placing, self.populating, self.acting, self.over)[state.phase]()
        self.check_to_act()
        return self.finish()

    def seat(self, key: str, default: int) -> int:
        """The number of the seat that a key names."""
        name = self.record.get(key)
        if name is None:
            return default
        return self.number(name, key)

    def heap(self, record: Mapping[str, int]) -> int:
        return heap(record.get(kind, 0) for kind in self.box.coins.kinds)

    def lay_coins(self) -> None:
        state, record, coins = self.state, self.record, self.box.coins
        state.city = self.heap(record.get("city", {}))
        lying = list(self.box.counts[state.city])
        if sum(lying) > CITY_SIZE:
            self.wrong("city", f"{sum(lying)} coins are too many", f"the city holds {CITY_SIZE} (WK-POP-1)")
        for seat, has in enumerate(record["seats"].values()):
            for area, heaps in (("hand", state.hand), ("eat", state.eat), ("scare", state.scare)):
                heaps[seat] = self.heap(has.get(area, {}))
                for kind, count in enumerate(self.box.counts[heaps[seat]]):
                    lying[kind] += count
            for space, word in has.get("cats", {}).items():
                kind = coins.kinds.index(word.removesuffix(" tails"))
                slot = seat << 3 | int(space)
                state._new_cat(slot, kind)
                if word == coins.kinds[kind]:
                    state.heads |= 1 << slot
                lying[kind] += 1
        supply = [count - there for count, there in zip(coins.counts, lying, strict=True)]
        for kind, name in enumerate(coins.kinds):
            missing = supply[kind] - record["supply"].get(name, 0) if "supply" in record else min(supply[kind], 0)
            if missing:
                what = f"{missing} {name} missing" if missing > 0 else f"{-missing} {name} too many"
                self.wrong("supply" if "supply" in record else "seats", what, f"the game has {coins.counts[kind]}")
        if not self.misfits:
            state.supply = heap(supply)

    def set_up(self) -> None:
        """The seats that have chosen are those with coins; they are the first ones (WK-AMB-29)."""
        state = self.state
        has = [bool(state.hand[seat] or state.filled >> (seat << 3) & 255) for seat in range(len(state.seats))]
        if all(has) or has != sorted(has, reverse=True):
            self.wrong("seats", "during set-up the first seats have coins, the seat to act and those after it none")
        else:
            state.turn = has.index(False)

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
        if state.first != NOBODY and not (state.race and state.done >> state.first & 1):
            self.wrong("first", f"{record['first']} must be done, in a game with the race option")

    def populating(self) -> None:
        state, record = self.state, self.record
        if size(state.city) == CITY_SIZE or not state.supply:
            self.wrong("phase", "populating takes a coin in the supply and room in the city")
        state.again = ACTING if record.get("again") == "acting" else PLACING
        # A city that was emptied fills from nothing, so its coins tell whose turn it is (WK-AMB-27).
        begun = size(state.city) if state.again == ACTING else 0
        state.turn = (state.quarter + begun) % len(state.seats)
        if state.again == PLACING:
            state.turn = self.seat("to-act", state.turn)
        if state.again == PLACING:
            if "acting" in record:
                self.wrong("acting", 'no cat has acted before this populating; write "again: acting" if one has')
        elif "acting" not in record:
            self.wrong("again", 'the cat that has just acted is missing; name it under "acting"')
        else:
            self.find_cat(heads=False)

    def acting(self) -> None:
        state = self.state
        if "acting" in self.record:
            self.find_cat(heads=True)
        elif not state.heads:
            self.wrong("phase", "no cat lies heads-up, so none can act")
        else:
            order = ACT_ORDER[len(state.seats)][state.quarter]
            self.queue_from(next(slot for slot in order if state.heads >> slot & 1))
        if self.misfits:
            return
        state.turn = state.acting >> 3
        state.eaten = self.record.get("eaten", 0)
        there = self.box.heap_claw(state.supply)
        if state.eaten > there:
            self.wrong("eaten", f"what was eaten lies in the supply (WK-CLAW-5), and that has a claw of {there} in all")

    def find_cat(self, heads: bool) -> None:
        named = self.record["acting"]
        slot = self.number(named["seat"], ("acting", "seat")) << 3 | named["space"]
        if self.state.cats[slot] == NOBODY:
            self.wrong("acting", f"{named['seat']} has no cat in space {named['space']}")
        elif self.state.heads >> slot & 1 != heads:
            lies, must = ("tails", "is to act lies heads") if heads else ("heads", "has acted lies tails")
            self.wrong("acting", f"the {self.state._name(slot)} lies {lies}-up", f"a cat that {must}-up")
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


# Bots


def sensible_bot(seed: int) -> Bot:
    """Takes what scores most, and makes more cats while many coins are left; places a victim only for making one."""
    luck = Random(str(seed)).random

    def choose(view: View, legal: list[int]) -> int:
        return max(legal, key=lambda move: (_worth(view, move), luck()))

    return choose


def _worth(view: View, move: int) -> float:
    """How good a move looks, in points."""
    verb, kind = move & VERB_BITS, move >> 3 & 7
    coins, seat = view.coins, view.seat
    if verb == CHOOSE:
        return coins.cat_claws[kind]
    if verb == TAKE:
        return _gain(view, kind, 1)
    if verb == MAKE:
        # A low space acts early and leaves the cheap ones free.
        return coins.points[kind] + _tempo(view) + coins.cat_claws[kind] / 10 - (move & SPACE_BITS) / 100
    if verb == EAT:
        # What lies on the eat area is lost anyway.
        return 1 + _tempo(view) if _wants(view, view.city, view.eat[seat], view.eaten) else -9
    if verb == PLACE_EAT:
        placed = tuple(count + (kind == other) for other, count in enumerate(view.eat[seat]))
        enough = _wants(view, _likely_city(view), view.eat[seat], 0)
        helps = _wants(view, _likely_city(view), placed, 0)
        return _tempo(view) + _gain(view, kind, -1) if helps and not enough else -9
    return -1.0 if verb in (PLACE_SCARE, REPOPULATE) else 0.0


def _gain(view: View, kind: int, more: int) -> int:
    """What the own victims score more with one coin more or less of a kind."""
    heaps = (view.hand[view.seat], view.eat[view.seat], view.scare[view.seat])
    now = [sum(counts) for counts in zip(*heaps, strict=True)]
    then = [count + more * (kind == other) for other, count in enumerate(now)]
    return victim_points(then) - victim_points(now)


def _tempo(view: View) -> float:
    """What a cat is worth beyond its points: the coins it may still take."""
    seats = len(view.hand)
    return (sum(view.city) + sum(view.supply)) / (2 * seats)


def _likely_city(view: View) -> tuple[int, ...]:
    """The city that will be there when cats act: what lies there, or anything while it is still to be filled."""
    if sum(view.city) == CITY_SIZE:
        return view.city
    return tuple(city + supply for city, supply in zip(view.city, view.supply, strict=True))


def _wants(view: View, city: Sequence[int], eaten: Sequence[int], before: int) -> bool:
    """Whether the acting cat, or else the strongest one, could make a cat after eating these victims too."""
    coins = view.coins
    own = view.cats[view.seat]
    claws = [coins.cat_claws[kind] for space, kind, _ in own if view.acting in (0, space)]
    free = [space for space in SPACES if space not in [at for at, _, _ in own]]
    if not claws or not free:
        return False
    claw = max(claws) + before + sum(n * each for n, each in zip(eaten, coins.villager_claws, strict=True))
    return any(count and make_cost(coins.bases[kind], free[-1]) <= claw for kind, count in enumerate(city))


BOTS: Final[Mapping[str, Callable[[int], Bot]]] = {"random": random_bot, "sensible": sensible_bot}
