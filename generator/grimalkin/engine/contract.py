"""The contract of game modules, which lets everything else treat all games alike.

A module in `grimalkin.games` has these names, in this order: facts as tables, scoring functions, `State`, notation,
bots. A move is a small int or another hashable value; a turn made of several choices is several small moves.

A game with hidden places may also have `seen(state, seat)`: the record of a position as that seat knows it, with "?"
for every piece that the seat has not seen there, or that may have left unseen. It serves to show a game from one seat,
and cannot be loaded.

A game whose seats have roles may have `ROLES = True`: bots then keep their seats in simulations.

A game may let seats talk. Speech is a move made of arbitrary words: `why_not`, `apply`, `read` and `write` accept it
like any other move, but `legal` and `every_move` never list it.

A game may have `doubts(state)`: the reasons why a position could not have arisen, as Misfits at the keys of its record.
`load` refuses only records that have the wrong shape, lose pieces, or lack what the engine needs to go on.

A game in which seats play at the same time may give its states a method `let(seat)`: it lets a seat play before the
one to act, and says whether it may. Scripts are then written in any order.

A game in which chance decides in the middle of a line may have `drawn(line, facts)`: the draws that a line contains.
Scripts are then written as at the table, with their draws in the line.

A game that is played on maps may have `picture(facts, position, wishes)`: what a picture of a position shows, as a
value that pages draw. `engine.pictures` lists the wishes.

A game with pieces that act by themselves may have `behaviour(facts, piece)`: what a piece does, in sentences generated
from the tables that the engine uses. `engine.cribs` has its type. A game with odds may have `expected(facts, piece)`:
calculated numbers. A game with attempts that may fail may have `odds(facts)`: the questions that can be asked about
them, and a function that answers exactly. `engine.odds` has the types.

A game that has scenarios may have `set_up(facts, scenario)`, which lays one out: the steps before it begins, and a
picture. `engine.pictures` has the value.

A game with campaigns may have `CAMPAIGN`: what a party keeps from one play to the next, and what can come next.
`engine.campaigns` has its functions.

A module declares that it fulfils this contract as follows, and a type checker then checks every line:

    if TYPE_CHECKING:
        from grimalkin.games import werecats

        _this: GameOf[State, int, View] = werecats
        _doubts: Doubts[State] = doubts
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Protocol, Self, TypeAlias, TypeVar

from grimalkin.engine.chance import Chance
from grimalkin.engine.shape import Misfit, Record
from grimalkin.engine.words import Event, Refusal, Result, Score, Tally

Facts = Mapping[str, Any]
"""A game's content as plain JSON: {"components": {id: {"count": int, "deck": str, column: value, ...}}}."""

M = TypeVar("M")
"""A move: a small int or another hashable value."""
V = TypeVar("V", contravariant=True)
V_co = TypeVar("V_co", covariant=True)
"""The view of a seat: what it may know."""


class StateOf(Protocol[M, V_co]):
    """A game in progress. Mutable; one driver owns it."""

    @property
    def seats(self) -> tuple[str, ...]:
        """Return the names of the seats, clockwise."""

    def to_act(self) -> int:
        """Return the number of the seat to act, or OVER. Automatic steps are done already."""

    def turn_key(self) -> Hashable:
        """Return a value that stays the same throughout a turn. A line of notation ends with the turn."""

    def legal(self) -> list[M]:
        """Return every legal small move in a fixed order; never empty while a seat is to act."""

    def why_not(self, move: M) -> Refusal | None:
        """Return None if the move is legal; otherwise the rule that forbids it, and why."""

    def apply(self, move: M, log: list[Event] | None = None) -> None:
        """Make a legal move, unchecked, and every automatic step after it. Appends events to a log, if given."""

    def view(self, seat: int) -> V_co:
        """Return what a seat may know, as a read-only value."""

    def imagine(self, seat: int, chance: Chance) -> Self:
        """Return a new state that looks the same to a seat, with everything hidden from that seat drawn again."""

    def score(self) -> list[Score]:
        """Return what every seat would score now, in seat order."""

    def result(self) -> Result | None:
        """Return the result once the game is over, or None."""

    def position(self) -> dict[str, Any]:
        """Return this state as a plain record; `load` is the inverse."""

    def pieces(self) -> Mapping[str, int]:
        """Return the number of each component in the game, wherever it is; this never changes during a game."""

    def key(self) -> tuple[Any, ...]:
        """Return a canonical hashable value: two states are equal if their keys are."""

    def clone(self) -> Self:
        """Return an independent copy."""


S = TypeVar("S", bound=StateOf[Any, Any])


class Checks(Protocol):
    """The functions of a module that only checks the pieces of its game and has `PLAYS = False`."""

    def check_facts(self, facts: Facts, /) -> Sequence[Misfit]:
        """Return what is wrong with the components as pieces of this game, and with what belongs to them.

        Each has the keys that lead to it in the facts: ("components", id), ("lists", list, id), ("scenarios", id, …).
        """


class GameOf(Protocol[S, M, V]):
    """The functions and tables of a game module, by the types of its states, moves and views."""

    @property
    def SEATS(self) -> tuple[int, int]:  # noqa: N802 - the name of a table in a module, here and below
        """The fewest and the most seats."""

    @property
    def LAWS(self) -> Mapping[str, tuple[str, ...]]:  # noqa: N802
        """Every rule and ruling id that this code implements, each with its homes, as `law.gather` finds them."""

    @property
    def REFUSALS(self) -> frozenset[str]:  # noqa: N802
        """Every id with which `why_not` can refuse."""

    @property
    def OPTIONS(self) -> Record:  # noqa: N802
        """The options of `start`, each with its meaning."""

    @property
    def DRAWS(self) -> Mapping[str, str]:  # noqa: N802
        """The label of every kind of draw, with its description; SEAT in a label is the name of any seat."""

    @property
    def SIMULATION(self) -> Mapping[str, Any]:  # noqa: N802
        """The options with which every game ends, for simulations."""

    @property
    def MOST_DECISIONS(self) -> int:  # noqa: N802
        """With SIMULATION, no game takes more small moves than this."""

    @property
    def BOTS(self) -> Mapping[str, Callable[[int], Callable[[V, list[M]], M]]]:  # noqa: N802
        """Bots by name, including "random" and "sensible"; each is made from its own seed."""

    def check_facts(self, facts: Facts, /) -> Sequence[Misfit]:
        """Return the same as `Checks.check_facts`."""

    def position_shape(self, facts: Facts, /) -> Record:
        """Return the shape of the record of a position."""

    def start(
        self,
        facts: Facts,
        seats: Sequence[str],
        options: Mapping[str, Any],
        chance: Chance,
        log: list[Event] | None = None,
        /,
    ) -> S:
        """Begin a new game for the named seats, in clockwise order. Appends its first events to a log, if given."""

    def load(self, facts: Facts, position: Mapping[str, Any], chance: Chance | None = None, /) -> S:
        """Return the state that a position record describes. Raises Misfits.

        Later draws come from `chance`; without one, a draw is an error.
        """

    def every_move(self, facts: Facts, /) -> list[M]:
        """Return every small move that could change something, legal or not, in the fixed order of `legal`."""

    def read(self, text: str, state: S, /) -> list[M]:
        """Return the small moves of one line of notation, legal or not. Raises Unreadable or Ambiguous."""

    def write(self, moves: Sequence[M], state: S, reader: int | None = None, /) -> str:
        """Return one line of notation for the small moves of one seat; `read` is the inverse.

        With a `reader`, the number of a seat, anything that this seat may not know becomes a question mark.
        """

    def tally(self, state: S, /) -> Tally:
        """Return what a simulation counts in a finished game."""


Drawn: TypeAlias = Callable[[str, Facts], tuple[str, list[tuple[str, str]]]]
"""The function `drawn` of a game that has one: a line in; the line without what chance gave, and the draws that it
tells, as (label, piece). Raises Unreadable."""
Doubts: TypeAlias = Callable[[S], Sequence[Misfit]]
"""The optional function `doubts` of a game."""
Seen: TypeAlias = Callable[[S, int], dict[str, Any]]
"""The optional function `seen` of a game."""

Move: TypeAlias = Any
View: TypeAlias = Any
State: TypeAlias = StateOf[Any, Any]
GameModule: TypeAlias = GameOf[Any, Any, Any]
Bot: TypeAlias = Callable[[View, list[Move]], Move]
"""A bot of any game, for code that treats all games alike."""
