"""Grimalkin from Python: open a game by its name, and play it on Tables in the notation of its rules.

`import grimalkin` offers all of this as `grimalkin.open`. An installed package contains the facts of bundled games as
JSON, so that a bare Python can ask about their rules; the facts of other games are read from their content files.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from grimalkin.engine.chance import Chance, ChanceError, Recorded, Scripted, Seeded, draw_labels
from grimalkin.engine.contract import Facts, GameModule, State
from grimalkin.engine.loading import doubts_about
from grimalkin.engine.replay import find_seen, play_line, without_draws
from grimalkin.engine.shape import Misfit, Misfits
from grimalkin.engine.words import OVER, Event, NotAMove, Refusal, Refused, Result, Score, places_of
from grimalkin.games import find_game, guarded, outside_games
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean

if TYPE_CHECKING:
    from grimalkin.content import Game as Content

At = tuple[str | int, ...]
Draws = Mapping[str, str | Sequence[str]] | Iterable[tuple[str, str]]
"""The next draws: {label: item}, {label: [item, item]}, or pairs of a label and an item, in order."""
READY = Path(__file__).parents[1] / "data" / "facts"
"""The folder in an installed package with everything needed to play each bundled game, as JSON."""


@dataclass(frozen=True, slots=True)
class Law:
    """A rule or ruling: its id, its title, and whether it forbids something (if not, "refused" means not taken)."""

    id: str
    title: str
    forbids: bool


@dataclass(frozen=True, slots=True, repr=False)
class Game:
    """A game whose rules can be asked about. `facts` holds its components, in the form that its `module` takes."""

    name: str
    title: str
    module: GameModule
    facts: Facts
    laws: Mapping[str, Law]
    """Every rule and ruling, by its id."""
    version: str = ""
    """The version of the rules."""

    @property
    def seats(self) -> tuple[int, int]:
        """Return the fewest and the most seats."""
        return self.module.SEATS

    def __repr__(self) -> str:
        return f"<Game {self.name}: {self.title}>"

    @property
    def options(self) -> dict[str, str]:
        """Return the options that `start` takes, each with its meaning."""
        return {name: str(getattr(shape, "describe", "")) for name, shape in self.module.OPTIONS.known.items()}

    @property
    def draws(self) -> dict[str, str]:
        """Return the labels of all draws, each with a description. "{seat}" stands for the name of any seat."""
        return dict(self.module.DRAWS)

    @property
    def bots(self) -> tuple[str, ...]:
        return tuple(self.module.BOTS)

    def law(self, id_: str) -> Law:
        """Return a rule or ruling. An engine may name a rule not yet written; whatever it refuses is forbidden."""
        return self.laws.get(id_) or Law(id_, "not written yet", True)

    def start(
        self,
        seats: Iterable[str],
        options: Mapping[str, Any] | None = None,
        *,
        seed: int | str | None = None,
        draws: Draws = (),
    ) -> Table:
        """Return a new game for the named seats, in clockwise order. Draws come first from `draws`, then from the seed.

        Raise Misfits for wrong seats or options, ChanceError for a draw that does not exist.
        """
        if isinstance(seats, str):
            raise Misfits.at(("seats",), f'"{seats}" is only one name', "name every seat, in a list")
        seats = tuple(seats)
        dealt = Dealt(self.given(draws, seats if all(isinstance(name, str) for name in seats) else ()), seed)
        opening: list[Event] = []
        with self._asked():
            state = self.module.start(self.facts, seats, options or {}, dealt, opening)
            return Table(self, state, dealt, tuple(opening))

    def table(
        self,
        position: Mapping[str, Any] | str | os.PathLike[str],
        *,
        seed: int | str | None = None,
        draws: Draws = (),
    ) -> Table:
        """Return the table that a position describes: a record, or the path of a YAML or JSON file with a record.

        Raise Misfits for a record that is not a position of the game; for such a file, raise Stop with the line.
        """
        dealt = Dealt([], seed)
        if isinstance(position, Mapping):
            record, place = position, None
        else:
            record, place = _read(Path(position))
        try:
            with self._asked():
                table = Table(self, self.module.load(self.facts, record, dealt), dealt)
        except Misfits as error:
            if place is None:
                raise
            raise Stop(misfit_problem(place(misfit.at), misfit) for misfit in error.misfits) from None
        dealt.said.left += self.given(draws, table.seats)
        return table

    def given(self, draws: Draws, seats: Sequence[str]) -> list[tuple[str, str]]:
        """Return draws as pairs of a label and an item. Raise ChanceError for a label that the game never uses."""
        pairs: list[tuple[str, str]] = []
        for label, item in draws.items() if isinstance(draws, Mapping) else draws:
            pairs += [(label, str(one)) for one in ([item] if isinstance(item, str) else item)]
        known = draw_labels(self.module.DRAWS, seats)
        for label, _ in pairs:
            if label not in known:
                hint = did_you_mean(label, known) or "nothing in this game is drawn"
                raise ChanceError(f'{self.title} has no draw called "{label}"; {hint}')
        return pairs

    @contextmanager
    def _asked(self) -> Iterator[None]:
        """Run the engine: an unexpected error in an outside engine becomes a Stop, with the line of its code."""
        try:
            yield
        except (NotAMove, ChanceError, Misfits):
            raise
        except BaseException:
            module = getattr(self.module, "__name__", "")
            engines = (game.name for game in outside_games().values() if game.module == module)
            with guarded(next(engines, self.name)):
                raise


class Table:
    """A game in progress. Moves are lines of its notation, which may be several small moves joined by commas."""

    __slots__ = ("_dealt", "_state", "game", "opening", "seats")

    def __init__(self, game: Game, state: State, dealt: Dealt, opening: tuple[Event, ...] = ()) -> None:
        self.game = game
        self.seats: tuple[str, ...] = state.seats
        self.opening = opening
        """The events at the start of the game."""
        self._state = state
        self._dealt = dealt

    @property
    def to_act(self) -> str | None:
        """Return the name of the seat to act, or None if the game is over."""
        with self.game._asked():
            seat = self._state.to_act()
            return None if seat == OVER else self.seats[seat]

    @property
    def draws(self) -> tuple[tuple[str, str], ...]:
        """Return everything drawn at this table so far, as pairs that can be passed as `draws` to repeat the game."""
        return tuple(self._dealt.draws)

    def legal(self) -> list[str]:
        """Return every legal small move, in a fixed order; none after the end. What seats may say is not listed."""
        with self.game._asked():
            return [self.game.module.write([move], self._state) for move in self._state.legal()]

    def why_not(self, line: str, draws: Draws = ()) -> Refusal | None:
        """Return None if the line may be played now, otherwise the rule that forbids it and the reason. Change nothing.

        Raise Unreadable, Ambiguous, TooFar or ChanceError as `play` does.
        """
        try:
            self.clone().play(line, draws)
        except Refused as error:
            return error.refusal
        return None

    def play(self, line: str, draws: Draws = ()) -> list[Event]:
        """Play a line and every automatic step after it, and return the events.

        `draws` are the next draws, and the line must use all of them. If an exception is raised, the table stays as it
        was: Unreadable, Ambiguous, Refused, Over (a Refused), TooFar, or ChanceError for a missing draw.
        """
        if not isinstance(line, str):
            raise TypeError(f"a line must be text, such as legal() returns, not {line!r}")
        given = self.game.given(draws, self.seats)
        with self.game._asked():
            line, told = without_draws(self.game.module, line, self.game.facts)
        given = [*given, *told]
        waiting = self._dealt.said.left
        events: list[Event] = []
        self._dealt.said.left = given + waiting
        try:
            with self.game._asked():
                if given:
                    after = self.clone()
                    play_line(self.game.module, after._state, line)
                    if (left := len(after._dealt.said.left) - len(waiting)) > 0:
                        label, item = given[-left]
                        raise ChanceError(f'"{line}" draws nothing for "{label}", but {item} is given')
                play_line(self.game.module, self._state, line, events)
        except BaseException:
            self._dealt.said.left = waiting
            raise
        return events

    def score(self) -> list[Score]:
        """Return what every seat would score now, in seat order."""
        with self.game._asked():
            return list(self._state.score())

    def result(self) -> Result | None:
        """Return who won and why, or None if the game is not over."""
        with self.game._asked():
            return self._state.result()

    def places(self) -> dict[str, int]:
        """Return the place of every seat once the game is over, otherwise {}.

        Tied seats share a place, but only winners are first.
        """
        with self.game._asked():
            result = self._state.result()
            return places_of(result, self.seats) if result else {}

    def position(self) -> dict[str, Any]:
        """Return the complete table as a record for `Game.table`, which JSON can hold."""
        with self.game._asked():
            return dict(self._state.position())

    def seen(self, seat: str) -> dict[str, Any] | None:
        """Return the position as that seat knows it, with "?" for anything unknown; None if the game cannot say."""
        if seat not in self.seats:
            raise ValueError(f'"{seat}" has no seat; {did_you_mean(seat, self.seats)}')
        seen = find_seen(self.game.module)
        with self.game._asked():
            return seen(self._state, self.seats.index(seat)) if seen else None

    def doubts(self) -> list[Misfit]:
        """Return the reasons why this position could not arise in play, each with the keys of the record concerned."""
        with self.game._asked():
            return doubts_about(self.game.module, self._state)

    def clone(self) -> Table:
        """Return a copy of the table; neither affects the other."""
        self._dealt.copy = None
        with self.game._asked():
            state = self._state.clone()
            # A state clones the chance that it draws from, unless its game draws nothing.
            return Table(self.game, state, self._dealt.copy or self._dealt.clone(), self.opening)

    __copy__ = clone  # otherwise a copy would share the state

    def __repr__(self) -> str:
        try:
            told = "the game is over" if self.to_act is None else f"{self.to_act} is to act"
        except Stop:  # a table must be printable even while debugging
            told = "its engine fails"
        return f"<Table of {self.game.title}: {told}>"


class Dealt(Recorded):
    """The chance of a table: first the given draws, then draws from a seed; every draw is recorded."""

    __slots__ = ("copy", "luck", "said")

    def __init__(self, said: list[tuple[str, str]], seed: int | str | None) -> None:
        self.said = Scripted()
        self.said.left = said
        self.luck = None if seed is None else Seeded(seed)
        super().__init__(self.said)
        self.copy: Dealt | None = None
        """Its latest clone, so that code that clones a state can reach the chance of the clone."""

    def source(self) -> Chance:
        return self.said if self.said.left or self.luck is None else self.luck

    def clone(self) -> Self:
        other = type(self)(list(self.said.left), None)
        other.luck = self.luck and self.luck.clone()
        other.draws = list(self.draws)
        self.copy = other
        return other


def open_game(game: str | os.PathLike[str]) -> Game:
    """Return a game, as on the command line: by name (./content/NAME or an installed game), or by a folder's path.

    Text without a slash is a name; a `Path` is always a path. Raise Stop with everything that is wrong.
    """
    name = game if isinstance(game, str) else os.path.join(os.curdir, game)  # noqa: PTH118  Path drops the "./"
    ready = READY / f"{name}.json"
    if not {"/", "\\"} & set(name) and not (Path("content") / name / "game.yaml").is_file() and ready.is_file():
        return from_record(json.loads(ready.read_bytes()))
    from grimalkin.content import whole_game
    from grimalkin.source import find_game_folder

    content = whole_game(find_game_folder(name))
    if content.module is None:
        raise Stop.at(Place(name), f"{content.info.title} has no engine, so nothing can be played or scored")
    laws, version = _laws(content), content.info.rules_version
    return Game(content.name, content.info.title, content.module, content.facts, laws, version)


def changed_since(game: Game, version: str) -> tuple[str, ...] | None:
    """Return the rules and rulings added or reworded since a kept version of a game.

    Return None if that version was not kept, or the game's folder is not found.
    """
    from grimalkin.content import whole_game
    from grimalkin.content.versions import changed_laws
    from grimalkin.source import find_game_folder

    try:
        return changed_laws(whole_game(find_game_folder(game.name)), version)
    except Stop:
        return None


def ready_facts(folder: Path) -> dict[str, dict[str, Any]]:
    """Return, by name, everything needed to play each game in a folder that has an engine. Raises Stop."""
    from grimalkin.content import whole_game

    games = [whole_game(path.parent) for path in sorted(folder.glob("*/game.yaml"))]
    return {game.name: as_record(game) for game in games if game.module is not None}


def as_record(content: Content) -> dict[str, Any]:
    """Return everything needed to play a game, as plain JSON."""
    return {
        "name": content.name,
        "title": content.info.title,
        "engine": content.info.engine or content.name,
        "facts": content.facts,
        "laws": [[law.id, law.title, law.forbids] for law in _laws(content).values()],
        "version": content.info.rules_version,
    }


def from_record(record: Mapping[str, Any]) -> Game:
    """Return the game that such a record describes."""
    module = find_game(record["engine"])
    if module is None:  # the record came with this package
        raise LookupError(f"{record['name']} has no engine")
    laws = {id_: Law(id_, title, forbids) for id_, title, forbids in record["laws"]}
    return Game(record["name"], record["title"], module, record["facts"], laws, record["version"])


def _laws(content: Content) -> dict[str, Law]:
    return {id_: Law(id_, law.title, law.forbids) for id_, law in content.laws.items()}


def misfit_problem(place: Place, misfit: Misfit, called: str = "") -> Problem:
    """Return a misfit in a record as a problem in its file; `called` is the file's name for the place, if any."""
    where = called or ".".join(str(key) for key in misfit.at)
    return Problem(place, f"{where}: {misfit.message}" if where else misfit.message, misfit.hint)


def _read(path: Path) -> tuple[Mapping[str, Any], Callable[[At], Place]]:
    """Return the record in a YAML or JSON file, and a function from keys to places in it. Raises Stop."""
    if path.suffix.lower() == ".json":
        return _read_json(path), lambda _: Place(str(path))
    from grimalkin.source import read_yaml

    problems = Problems()
    source = read_yaml(path, problems)
    if source is None or problems:
        raise Stop(problems)
    return source.data, source.place


def _read_json(path: Path) -> Mapping[str, Any]:
    """Return the mapping in a JSON file. Raises Stop."""
    place = Place(str(path))
    try:
        record = json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise Stop.at(Place(str(path), error.lineno), f"this is not JSON: {error.msg}") from None
    except RecursionError:
        raise Stop.at(place, "values are nested too deep") from None
    except UnicodeDecodeError:
        raise Stop.at(place, "this is not text in UTF-8") from None
    except FileNotFoundError:
        raise Stop.at(place, "there is no such file") from None
    except (OSError, ValueError) as error:
        raise Stop.at(place, getattr(error, "strerror", None) or str(error)) from None
    if not isinstance(record, dict):
        raise Stop.at(place, "a position must be a mapping", 'begin it with "{"')
    return record


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    for key, _ in pairs if len(record) < len(pairs) else ():
        if sum(key == other for other, _ in pairs) > 1:
            raise ValueError(f'the key "{key}" is written twice')
    return record
