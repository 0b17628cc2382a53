"""Loading: turn the record of a position into a state, or collect every Misfit; and what begins a game.

This holds what all games share; a game's own loader adds the steps from the record to the state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, wraps
from typing import Any, Generic, TypeVar

from grimalkin.engine.contract import Doubts, Facts, GameModule, State
from grimalkin.engine.shape import Misfit, Misfits, Path
from grimalkin.engine.words import OVER, typed
from grimalkin.problems import did_you_mean

B = TypeVar("B")
S = TypeVar("S", bound=State)
Components = Mapping[str, Mapping[str, Any]]


class _Same:
    """Components that are equal only to themselves: comparing them all for each new game would take half its time."""

    __slots__ = ("components",)

    def __init__(self, components: Components) -> None:
        self.components = components

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.components is other.components

    def __hash__(self) -> int:
        return id(self.components)


def made_once(make: Callable[[Components], B]) -> Callable[[Facts], B]:
    """Return a function that makes, once, the value that all games with the same facts share.

    Facts must not be changed in place after they have been used.
    """
    kept = lru_cache(maxsize=8)(lambda same: make(same.components))

    @wraps(make)
    def made(facts: Facts) -> B:
        return kept(_Same(facts["components"]))

    return made


def seat_misfits(seats: Sequence[str], span: tuple[int, int]) -> list[Misfit]:
    """Return what is wrong with the seats; their number must be within the span (fewest, most)."""
    misfits = []
    for at, name in enumerate(seats):
        if not isinstance(name, str):
            misfits.append(Misfit(("seats", at), f"{name!r} is not text", "a seat's name must be text"))
        elif not name.strip():
            misfits.append(Misfit(("seats", at), "a seat has no name"))
        elif "\n" in name:  # as in records; other ends of lines are printed as marks
            misfits.append(Misfit(("seats", at), "a name must be on one line"))
    if misfits:
        return misfits
    if not span[0] <= len(seats) <= span[1]:
        told = f"{len(seats)} is the wrong number of seats"
        misfits.append(Misfit(("seats",), told, f"{span[0]} to {span[1]} play"))
    if len(set(seats)) < len(seats):
        misfits.append(Misfit(("seats",), "two seats have the same name"))
    written: dict[str, str] = {}
    for name in dict.fromkeys(seats):
        first = written.setdefault(typed(name), name)
        if first != name:
            told = f'"{first}" and "{name}" differ only in capitals, spaces or marks'
            misfits.append(Misfit(("seats", name), told, "moves cannot tell them apart; rename one of them"))
    return misfits


def doubts_about(game: GameModule, state: State) -> list[Misfit]:
    """Return the reasons why a position could not have arisen; empty if the game does not offer them."""
    doubts: Doubts[State] | None = getattr(game, "doubts", None)
    return list(doubts(state)) if doubts else []


class Loading(Generic[S]):
    """The loading of one position, from a record to a state.

    The record has been read with the shape of the game's positions; the state begins as it is before a game.
    """

    def __init__(self, state: S, record: Mapping[str, Any]) -> None:
        self.state = state
        self.record = record
        self.misfits: list[Misfit] = []

    def wrong(self, at: str | Path, message: str, hint: str = "") -> None:
        """Record a misfit at a key of the record, or at the keys that lead to a value."""
        self.misfits.append(Misfit((at,) if isinstance(at, str) else at, message, hint))

    def number(self, name: str, at: str | Path) -> int:
        """Return the number of a seat; 0, with a misfit, for an unknown name."""
        if name in self.state.seats:
            return self.state.seats.index(name)
        self.wrong(at, f'"{name}" is not a seat here', did_you_mean(name, self.state.seats))
        return 0

    def check_to_act(self) -> None:
        """Check that the seat named under `to-act`, if any, is to act. Other misfits take precedence."""
        if self.misfits or "to-act" not in self.record:
            return
        named, turn = self.record["to-act"], self.state.to_act()
        right = "nobody is" if turn == OVER else f"it is {self.state.seats[turn]}"
        if named and self.number(named, "to-act") != turn and not self.misfits:
            self.wrong("to-act", f"{named} is not to act here", right)
        elif not named and turn != OVER:
            self.wrong("to-act", "this position needs a seat to act", right)

    def finish(self) -> S:
        """Return the state. Raises Misfits if anything was wrong."""
        if self.misfits:
            raise Misfits(self.misfits)
        return self.state


class Laying(Loading[Any]):
    """The loading of a position as the kinds of its fields see it: it knows where each piece lies."""

    def __init__(self, state: Any, record: Mapping[str, Any]) -> None:
        super().__init__(state, record)
        self.places: dict[int, str] = {}
        """The place of each piece."""

    def pieces(self, ids: Sequence[str] | Mapping[str, Any], at: Path, place: str) -> list[int]:
        """Return pieces at a place, given as a list or as the keys of a mapping. Each piece lies in at most one place;
        without a place, the pieces are only mentioned.
        """
        numbers, places = self.state.box.numbers, self.places
        laid: list[int] = [numbers[id_] for id_ in ids]
        for index, piece in enumerate(laid if place else ()):
            if piece in places:
                self.twice(piece, (*at, self.state.box.ids[piece] if isinstance(ids, Mapping) else index), place)
            places[piece] = place
        return laid

    def piece(self, id_: str, at: Path, place: str) -> int:
        """Return one piece at a place, as `pieces` does."""
        piece: int = self.state.box.numbers[id_]
        if place:
            if piece in self.places:
                self.twice(piece, at, place)
            self.places[piece] = place
        return piece

    def twice(self, piece: int, at: Path, place: str) -> None:
        again = f"{self.state.box.ids[piece]} is in two places: {self.places[piece]} and {place}"
        self.wrong(at, again, "each card exists only once")
