"""The facts of Were Kittens: the rules' numbers, the phases, the verbs, and the coins from the game's content."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Final, Generic, NamedTuple, TypeVar

from grimalkin.engine.contract import Facts
from grimalkin.engine.law import By, law
from grimalkin.engine.loading import Components, made_once
from grimalkin.engine.shape import Misfit, Record, Whole, YesNo

T = TypeVar("T")

SEATS: Annotated[tuple[int, int], By("WK-PLAYERS-1")] = (2, 3)
SPACES: Annotated[tuple[int, ...], By("WK-CARD-1")] = (1, 2, 3, 4, 5, 6)
CITY_SIZE: Annotated[int, By("WK-POP-1", "WK-POP-4", "WK-AMB-21")] = 4
START_COINS: Annotated[int, By("WK-SETUP-2")] = 2
START_RULES: Final = {"penny": "WK-SETUP-4", "nickel": "WK-SETUP-5", "dime": "WK-SETUP-6"}
"""The rule that places each kind's starting cat; WK-SETUP-3 covers all other kinds."""
QUARTER: Annotated[str, By("WK-AMB-19")] = "quarter"
"""The quarter is not a villager, so it is never one of the kinds."""
TABLE: Annotated[str, By("WK-SETUP-8")] = "table"
"""Where the quarter lies before any seat holds it."""

OPTIONS: Annotated[Record, By("WK-AMB-2")] = Record(
    {},
    {
        "race": YesNo("Players race for the quarter: the seat that finishes first says so (default: no)."),
        "rounds": Whole(1, describe="The game stops after this many rounds (default: no limit)."),
    },
)

SIMULATION: Annotated[Mapping[str, Any], By("WK-AMB-18")] = {"rounds": 60}
MOST_COINS: Final = 127
# A bound for boxes of that many coins and the quarter. In one round let C cats act and P victims be placed. Three
# six-space cards give C <= 18, and each coin is only one of the two, so P + C <= 127. Moves: P placements; one "done"
# per seat, 3; the eating, at most P because coins eaten do not come back to an eat area in the round; C actions or
# passes; 4 populating moves after placing and after each action. That is 2P + 5C + 7, greatest with C = 18 and P = 109:
# 315. Before the first round come 3 moves of set-up.
MOST_DECISIONS: Final = 3 + 315 * SIMULATION["rounds"]

NOT_ASKED: Final = (
    "this game is written down without the race, so nobody is asked who was first; "
    "at the table you may race (options: {race: yes})"
)


class Phase(NamedTuple):
    """A phase of a round: its word in records, its rule, and the task that it sets a seat."""

    word: str
    rule: str
    asks: str


PHASES: Annotated[tuple[Phase, ...], By("WK-ROUND-1")] = (
    Phase("set-up", "WK-SETUP-2", "chooses two coins of one kind now"),
    Phase("placing", "WK-PLACE-1", "places victims now or finishes placing"),
    Phase("populating", "WK-POP-1", "moves a supply coin to the city now"),
    Phase("acting", "WK-TURN-2", "acts with one cat now"),
    Phase("over", "WK-END-1", "the game is over"),
)
SET_UP, PLACING, POPULATING, ACTING, ENDED = range(len(PHASES))
AFTER_PLACING, AFTER_ACTING = range(2)
"""The steps that populating can interrupt."""


class Verb(Enum):
    """The action of a small move, with its notation and its phase. Moves are listed in this order."""

    def __init__(self, text: str, phase: int) -> None:
        self.text = text
        self.phase = phase

    CHOOSE = "{kind}", SET_UP
    PLACE_EAT = "place {kind} eat", PLACING
    PLACE_SCARE = "place {kind} scare", PLACING
    DONE = "done", PLACING
    DONE_FIRST = "done first", PLACING
    POPULATE = "populate {kind}", POPULATING
    TAKE = "take {kind}", ACTING
    MAKE = "make {kind} {space}", ACTING
    EAT = "eat {kind}", ACTING
    REPOPULATE = "repopulate", ACTING
    PASS = "pass", ACTING
    CAT = "cat {space}", ACTING


ACTION_NAMES: Final = {"take victim": "take", "make cat": "make"}
"""The rules' names of actions and the words for them in moves; re-populate differs only by its hyphen."""
# Bare names, because looking up a member in its class takes Python 3.11 a tenth of the time of a whole decision.
CHOOSE, PLACE_EAT, PLACE_SCARE, DONE, DONE_FIRST, POPULATE, TAKE, MAKE, EAT, REPOPULATE, PASS, CAT = Verb

NOBODY: Final = -1
NO_KIND: Final = -1
"""The kind in moves that do not name a kind of coin, or that try to use the quarter as a villager."""


# Slots: a slot is one turn order space on one player card, as one small int. Sets of slots are bit masks: with frozen
# sets instead, a decision in random play takes 1.06 to 1.14 times as long, and a clone 1.11 times.


def slot_of(seat: int, space: int) -> int:
    return seat << 3 | space


def seat_of(slot: int) -> int:
    return slot >> 3


def space_of(slot: int) -> int:
    return slot & 7


CARDS: Final = tuple(tuple((slot_of(seat, space), space) for space in SPACES) for seat in range(SEATS[1]))
"""The slots of each player card, with their spaces."""
ACT_ORDER: Annotated[Mapping[int, tuple[tuple[int, ...], ...]], By("WK-TURN-1", "WK-TURN-4", "WK-AMB-5")] = {
    seats: tuple(
        tuple(slot_of((holder + step) % seats, space) for space in SPACES for step in range(seats))
        for holder in range(seats)
    )
    for seats in range(SEATS[0], SEATS[1] + 1)
}
"""The slots in the order in which their cats act, by the number of seats and the seat that holds the quarter."""


# Heaps: a heap of coins is one int with eight bits for the number of each kind, kind 0 in the lowest. With tuples of
# numbers instead, a decision in random play takes 1.5 to 1.65 times as long, and one by the sensible bot 1.1 times.


def heap(counts: Iterable[int]) -> int:
    """Return the heap that holds these numbers of each kind."""
    return sum(count << 8 * kind for kind, count in enumerate(counts))


def size(of: int) -> int:
    """Return the number of coins in a heap: the sum of its base-256 digits, since 256 leaves 1 when divided by 255."""
    return of % 255


# Coins


@law("WK-CLAW-2", "WK-CLAW-3", "WK-CLAW-6", "WK-ACT-5", "WK-SCORE-1", "WK-AMB-20")
@dataclass(frozen=True, slots=True)
class Coin:
    """A kind of coin. A coin is a villager, a cat or a victim, depending on its place."""

    name: str
    count: int
    cat_claw: int
    villager_claw: int
    """Its claw as a villager and as a victim."""
    base: int
    points: int
    start_space: int


COLUMNS: Final = ("cat-claw", "villager-claw", "make-base", "cat-points", "start-space")
"""The columns of the content with the numbers of a coin, in the order of Coin's fields."""


@law("WK-ACT-4")
def make_cost(base: int, space: int) -> int:
    """Return the claw needed to make a cat."""
    return base - space


@dataclass(frozen=True, slots=True)
class Move:
    """The parts of a small move. A state uses only its number, which is its index in `Box.moves`."""

    verb: Verb
    kind: int
    """The index of the kind of coin, or NO_KIND."""
    space: int
    """The space named by the move, or 0."""
    text: str
    coin: int
    """A heap of one coin of this kind."""


class Possible(NamedTuple):
    """The possible actions with one city and one set of free spaces, by the strength of the acting cat."""

    by_strength: tuple[list[int], ...]
    """Moves that take or make. The last list is also for every greater strength."""
    or_none: tuple[list[int], ...]
    """The same moves, with re-populating and passing."""


class Memo(dict[int, T], Generic[T]):
    """A cache for the results of a pure function of one int."""

    def __init__(self, function: Callable[[int], T]) -> None:
        super().__init__()
        self.function = function

    def __missing__(self, key: int) -> T:
        value = self[key] = self.function(key)
        return value


class Box:
    """Everything that games with the same coins share: the coins' facts, all moves, and ready lists of moves.

    The memos cache pure functions of heaps, so they hold at most one entry for each heap that these coins can form.
    """

    coins: tuple[Coin, ...]
    moves: tuple[Move, ...]

    def __init__(self, coins: tuple[Coin, ...]) -> None:
        assert sum(coin.count for coin in coins) <= MOST_COINS
        self.coins = coins
        self.ids = self.kinds = tuple(coin.name for coin in coins)
        self.numbers = {name: kind for kind, name in enumerate(self.kinds)}
        self.everything = heap(coin.count for coin in coins)
        self.moves = tuple(_every_move(self.kinds))
        self.by_text = {move.text: number for number, move in enumerate(self.moves)}
        self.number = {(move.verb, move.kind, move.space): number for number, move in enumerate(self.moves)}
        self.top = max(max(coin.villager_claw, make_cost(coin.base, SPACES[0])) for coin in coins)
        done, first = self.number[DONE, NO_KIND, 0], self.number[DONE_FIRST, NO_KIND, 0]
        self.no_action = (self.number[REPOPULATE, NO_KIND, 0], self.number[PASS, NO_KIND, 0])
        self.counts = Memo(self._counts)
        self.start_moves = Memo(lambda supply: self._each(CHOOSE, supply, START_COINS))
        self.place_moves = Memo(lambda hand: [*self._each(PLACE_EAT, hand), *self._each(PLACE_SCARE, hand), done])
        self.race_moves = Memo(lambda hand: [*self.place_moves[hand], first])
        self.populate_moves = Memo(lambda supply: self._each(POPULATE, supply))
        self.eat_moves = Memo(lambda eat: self._each(EAT, eat))
        self.possible = Memo(lambda city: Memo(lambda filled: self._possible(city, filled)))

    def _counts(self, of: int) -> tuple[int, ...]:
        return tuple(of >> 8 * kind & 255 for kind in range(len(self.coins)))

    def told(self, of: int) -> dict[str, int]:
        """Return the number of each kind in a heap, by name, leaving out kinds that are not in it."""
        return {kind: count for kind, count in zip(self.kinds, self.counts[of], strict=True) if count}

    def heap_claw(self, of: int) -> int:
        """Return the total claw of a heap's coins as victims."""
        return sum(count * coin.villager_claw for count, coin in zip(self.counts[of], self.coins, strict=True))

    def _each(self, verb: Verb, of: int, least: int = 1) -> list[int]:
        """Return this verb's moves for every kind that has at least `least` coins in the heap."""
        return [self.number[verb, kind, 0] for kind, count in enumerate(self.counts[of]) if count >= least]

    def _possible(self, city: int, filled: int) -> Possible:
        """Return the possible actions. `filled` is a bit mask of the player card's occupied spaces."""
        kinds = [(kind, coin) for kind, coin in enumerate(self.coins) if self.counts[city][kind]]
        free = [space for space in SPACES if not filled >> space & 1]
        needs = {self.number[TAKE, kind, 0]: coin.villager_claw for kind, coin in kinds}
        needs |= {self.number[MAKE, kind, space]: make_cost(coin.base, space) for kind, coin in kinds for space in free}
        by_strength = tuple([move for move, need in needs.items() if need <= n] for n in range(self.top + 1))
        return Possible(by_strength, tuple([*moves, *self.no_action] for moves in by_strength))


def _every_move(kinds: Sequence[str]) -> Iterator[Move]:
    """Yield every small move, in the order of `legal`."""
    for verb in Verb:
        for kind, name in enumerate(kinds) if "{kind}" in verb.text else [(NO_KIND, "")]:
            for space in SPACES if "{space}" in verb.text else (0,):
                text = verb.text.format(kind=name, space=space)
                yield Move(verb, kind, space, text, 0 if kind == NO_KIND else 1 << 8 * kind)
        if verb in (CHOOSE, POPULATE):  # so that it can be refused with a reason (WK-AMB-19)
            yield Move(verb, NO_KIND, 0, verb.text.format(kind=QUARTER), 0)


@made_once
@law("WK-PIECE-7")
def box_of(components: Components) -> Box:
    """Return the box of the coins in the facts: every component that has a cat claw."""
    return Box(
        tuple(
            Coin(name, coin["count"], *(coin[column] for column in COLUMNS))
            for name, coin in components.items()
            if coin.get(COLUMNS[0]) is not None
        )
    )


def check_facts(facts: Facts) -> list[Misfit]:
    """Return what is wrong with the components: coins that lack a number, or too many or too few coins."""
    components = facts["components"]
    coins = {name: coin for name, coin in components.items() if coin.get(COLUMNS[0]) is not None}
    misfits = [
        Misfit(("components", name), f'the column "{column}" is empty', f"every coin with a {COLUMNS[0]} has it")
        for name, coin in coins.items()
        for column in COLUMNS
        if coin.get(column) is None
    ]
    misfits += [
        Misfit(
            ("components", name),
            f"no player mat has a space {coin[COLUMNS[-1]]}",
            f"the spaces are {SPACES[0]} to {SPACES[-1]}",
        )
        for name, coin in coins.items()
        if coin.get(COLUMNS[-1]) not in (None, *SPACES)
    ]
    last = next(reversed(coins or components))
    total = sum(coin["count"] for coin in coins.values())
    if total > MOST_COINS:
        misfits.append(Misfit(("components", last), f"{total} coins are too many", f"at most {MOST_COINS}"))
    pairs = sum(coin["count"] // START_COINS for coin in coins.values())
    if pairs < SEATS[1]:
        needed = f"each of {SEATS[1]} players takes {START_COINS} of one kind"
        misfits.append(Misfit(("components", last), f"the coins make only {pairs} pairs", needed))
    return misfits
