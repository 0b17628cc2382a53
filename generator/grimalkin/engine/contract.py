"""What a game module offers, so that everything else can treat all games alike.

A module in `grimalkin.games` has these names, in this order: facts as tables, scoring functions, `State`, notation,
bots. A move is a small int or another hashable value; a turn made of several choices is several small moves.

A game with hidden places may also have `seen(state, seat)`: the record of a position as that seat knows it, with "?"
for every piece that it has not seen there, or go there, or that may have left since unseen by it. It is for showing a
game from one seat, and cannot be loaded.

A game whose seats have roles may have `ROLES = True`: bots then keep their seats in simulations.

A game may let seats talk. What is said is a move without end of possible words: `why_not`, `apply`, `read` and `write`
accept it like any other, but it is never listed, neither by `legal` nor by `every_move`.

A game may have `doubts(state)`: what says that a position could not have arisen, as Misfits at the keys of its record.
`load` refuses only what has the wrong shape, does not conserve the pieces, or lacks what the engine needs to go on.

A game in which seats play at the same time may have a method `let(seat)` of its states: it lets a seat play before the
one to act, and says whether it may. Scripts are then written in any order.

A game in which chance decides in the middle of a line may have `drawn(line, facts)`: what chance gave, where a line
tells it. Scripts are then written as at the table, with their draws in the line.

A game that is played on maps may have `picture(facts, position, wishes)`: what a picture of a position shows, as a
value that pages draw. `engine.pictures` tells what may be wished for.

A game with pieces that act by themselves may have `behaviour(facts, piece)`: what a piece does, in sentences made of
what the engine decides by. One with odds may have `expected(facts, piece)`: numbers that it has counted out.
`engine.habits` has the types of both. One in which attempts come off or not may have `odds(facts)`: what can be asked
about them, and a function that answers exactly. `engine.odds` has the types.

A game that has scenarios may have `set_up(facts, scenario)`: what is put where before one begins, and what it looks
like then, found out by laying it out. `engine.set_up` has the value.

A game whose plays follow each other may have `CAMPAIGN`: what a party keeps from one to the next, and which can come
next. `engine.campaigns` has its functions.

A module says that it keeps this contract, and a type checker then holds it to every line of it:

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
"""What a seat may know."""


class StateOf(Protocol[M, V_co]):
    """A game in progress. Mutable; one driver owns it."""

    @property
    def seats(self) -> tuple[str, ...]:
        """Their names, clockwise."""

    def to_act(self) -> int:
        """The number of the seat to act, or OVER. Automatic steps are done already."""

    def turn_key(self) -> Hashable:
        """What stays the same while one turn goes on. A line of notation ends with it, whoever acts next."""

    def legal(self) -> list[M]:
        """Every legal small move in a fixed order; never empty while someone is to act."""

    def why_not(self, move: M) -> Refusal | None:
        """None when the move is legal, else the rule that forbids it and why."""

    def apply(self, move: M, log: list[Event] | None = None) -> None:
        """Make a legal move and every automatic step after it. Trusts the move. Appends events to a given log."""

    def view(self, seat: int) -> V_co:
        """What that seat may know, as a read-only value."""

    def imagine(self, seat: int, chance: Chance) -> Self:
        """Another state that this seat cannot tell from this one, with everything hidden from it drawn anew."""

    def score(self) -> list[Score]:
        """What every seat would score now, in seat order."""

    def result(self) -> Result | None:
        """Who won, once the game is over."""

    def position(self) -> dict[str, Any]:
        """This state as a plain record, the inverse of `load`."""

    def pieces(self) -> Mapping[str, int]:
        """How many of each component lie anywhere at all; never changes during a game."""

    def key(self) -> tuple[Any, ...]:
        """A canonical hashable value: two states are equal when their keys are."""

    def clone(self) -> Self:
        """An independent copy."""


S = TypeVar("S", bound=StateOf[Any, Any])


class Checks(Protocol):
    """What a module can do that only checks the pieces of its game, and says `PLAYS = False`."""

    def check_facts(self, facts: Facts, /) -> Sequence[Misfit]:
        """What is wrong with the components as pieces of this game, and with what belongs to them.

        Each is at the keys that lead to it in the facts: ("components", id), ("lists", list, id), ("scenarios", id, …).
        """


class GameOf(Protocol[S, M, V]):
    """The functions and tables of a game module, by the types of its states, moves and views."""

    @property
    def SEATS(self) -> tuple[int, int]:  # noqa: N802 - the name of a table in a module, here and below
        """Fewest and most seats."""

    @property
    def LAWS(self) -> Mapping[str, tuple[str, ...]]:  # noqa: N802
        """Every rule and ruling id that this code carries out, with its homes, as `law.gather` finds them."""

    @property
    def REFUSALS(self) -> frozenset[str]:  # noqa: N802
        """Every id that `why_not` can answer."""

    @property
    def OPTIONS(self) -> Record:  # noqa: N802
        """Options of `start`, each with its meaning."""

    @property
    def DRAWS(self) -> Mapping[str, str]:  # noqa: N802
        """The label of everything that chance gives, with what is drawn; SEAT in it is the name of any seat."""

    @property
    def SIMULATION(self) -> Mapping[str, Any]:  # noqa: N802
        """The options under which every game ends, for simulations."""

    @property
    def MOST_DECISIONS(self) -> int:  # noqa: N802
        """With SIMULATION, no game takes more small moves than this."""

    @property
    def BOTS(self) -> Mapping[str, Callable[[int], Callable[[V, list[M]], M]]]:  # noqa: N802
        """Bots by name, "random" and "sensible" among them; each is made from a seed of its own."""

    def check_facts(self, facts: Facts, /) -> Sequence[Misfit]:
        """As in Checks."""

    def position_shape(self, facts: Facts, /) -> Record:
        """What the record of a position looks like."""

    def start(
        self,
        facts: Facts,
        seats: Sequence[str],
        options: Mapping[str, Any],
        chance: Chance,
        log: list[Event] | None = None,
        /,
    ) -> S:
        """A new game for the seats named, in clockwise order. Appends what happens at its start to a given log."""

    def load(self, facts: Facts, position: Mapping[str, Any], chance: Chance | None = None, /) -> S:
        """The state that a position record describes. Raises Misfits.

        What is drawn later comes from `chance`; without one, a draw is an error.
        """

    def every_move(self, facts: Facts, /) -> list[M]:
        """Every small move that changes something, legal ever or not, in the fixed order of `legal`."""

    def read(self, text: str, state: S, /) -> list[M]:
        """The small moves of one line of notation, legal or not. Raises Unreadable or Ambiguous."""

    def write(self, moves: Sequence[M], state: S, reader: int | None = None, /) -> str:
        """One line of notation for the small moves of one seat; `read` gives them back.

        With a `reader`, the number of a seat, what that seat may not know of them is written as a question mark.
        """

    def tally(self, state: S, /) -> Tally:
        """What a simulation counts of a finished game."""


Drawn: TypeAlias = Callable[[str, Facts], tuple[str, list[tuple[str, str]]]]
"""The function `drawn` of a game that has one: a line in; the line without what chance gave, and the draws that it
tells, as (label, piece). Raises Unreadable."""
Doubts: TypeAlias = Callable[[S], Sequence[Misfit]]
"""The function `doubts` of a game that has one."""
Seen: TypeAlias = Callable[[S, int], dict[str, Any]]
"""The function `seen` of a game that has one."""

Move: TypeAlias = Any
View: TypeAlias = Any
State: TypeAlias = StateOf[Any, Any]
GameModule: TypeAlias = GameOf[Any, Any, Any]
Bot: TypeAlias = Callable[[View, list[Move]], Move]
"""Any game's, for what treats all games alike."""
