"""Games from other installed distributions: find a game's content and engine by its name.

A distribution offers a game by an entry point of the group `grimalkin.games`: the name of the game, and the module that
plays it, in a package. The game's content is the folder `content/NAME` of that package, which is found without running
any of its code; nothing in that folder is ever run.

The code is written by strangers. Faults in it are reported with the distribution and the line, and stop no other game.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AnySet
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import FunctionType, ModuleType, TracebackType
from typing import TYPE_CHECKING, cast

from grimalkin.problems import Place, Problem, Problems, Stop, shown_path
from grimalkin.problems.plain import SMALL_ID

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint, EntryPoints

    from grimalkin.engine.contract import Checks

GROUP = "grimalkin.games"
OURS = "grimalkin.games"
"""The package of the games that come with Grimalkin. It deliberately has the same name as the group."""
LONGEST_SAID = 300
"""The most characters to show of an exception's message."""
TRIED = "`grimalkin test {}` shows which promise it breaks"


@dataclass(frozen=True, slots=True)
class Outside:
    """A game that a distribution offers. `by` is the distribution with its version."""

    name: str
    module: str
    by: str

    @property
    def said(self) -> str:
        """The entry point as its author wrote it."""
        return f'the entry point "{self.name} = {self.module}"'

    def problem(self, message: str, hint: str = "") -> Problem:
        """Return a problem with the installed distribution."""
        return Problem(Place(self.by), message, hint)

    def packages(self) -> list[Path]:
        """Return the folders of the module's package; a package without `__init__.py` may have several."""
        top = self.module.partition(".")[0]
        try:
            spec = importlib.util.find_spec(top)  # for a top-level package, this runs none of its code
        except (ImportError, ValueError, AttributeError):
            spec = None
        if spec is None:
            hint = "install the distribution again"
            raise Stop([self.problem(f"{self.said} names the package {top}, which does not exist", hint)])
        places = [Path(place).absolute() for place in spec.submodule_search_locations or ()]
        if not places:
            hint = "make it a package: a folder that contains the game's content"
            raise Stop([self.problem(f"{self.said} names {top}, which is a single file", hint)])
        return places

    def folder(self) -> Path:
        """Return the folder of the game's content. Raises Stop."""
        places = [package / "content" / self.name for package in self.packages()]
        for place in places:
            try:
                if (place / "game.yaml").is_file():
                    return place
            except OSError as error:
                raise Stop([self.problem(f"{shown_path(place)} cannot be read: {error.strerror}")]) from None
        hint = "a game's content must be in its package, as content/NAME/game.yaml"
        raise Stop([self.problem(f'the game "{self.name}" has no game.yaml in {shown_path(places[0])}', hint)])

    def engine(self) -> Checks:
        """Return the module that plays the game or only checks its pieces. Raises Stop with everything it lacks."""
        with guarded(self.name):
            try:
                module = importlib.import_module(self.module)
            except ModuleNotFoundError as error:
                if error.name and f"{self.module}.".startswith(f"{error.name}."):
                    told = f"{self.said} names the module {error.name}, which does not exist"
                    raise Stop([self.problem(told, f"the package is in {shown_path(self.packages()[0])}")]) from None
                raise
            except SyntaxError as error:
                if error.filename:
                    raise
                told = f'the engine of "{self.name}" cannot be imported: {error.msg}'
                hint = f"a file in {shown_path(self.packages()[0])} is not a text file"
                raise Stop([self.problem(told, hint)]) from None
            return whole(module, f"{self.by}: ")


def is_ours(name: str) -> bool:
    """Return whether a game of this name comes with Grimalkin."""
    word = name.replace("-", "_")
    return SMALL_ID.fullmatch(name) is not None and importlib.util.find_spec(f"{OURS}.{word}") is not None


def outside_games(problems: Problems | None = None) -> Mapping[str, Outside]:
    """Return the games of other distributions, by name; add faults of their entry points to `problems`."""
    games, faults = _listed(tuple(sys.path))
    for problem in (fault for each in faults.values() for fault in each) if problems is not None else ():
        assert problems is not None
        problems.found[problem] = None
    return games


def find_outside(name: str) -> Outside | None:
    """Return the game of this name, if one distribution offers it. Raises Stop if several do."""
    games, faults = _listed(tuple(sys.path))
    if name in faults and name not in games and not is_ours(name):
        raise Stop(faults[name])
    return games.get(name)


@lru_cache(maxsize=4)
def _listed(_path: tuple[str, ...]) -> tuple[Mapping[str, Outside], Mapping[str, list[Problem]]]:
    """Return everything that distributions on the path offer: games by name, and problems by game name."""
    faults: dict[str, list[Problem]] = {}
    offers: dict[str, dict[Outside, None]] = {}
    for point, by in _points(faults):
        game = Outside(point.name, point.value.strip(), by)
        wrong = ""
        if not SMALL_ID.fullmatch(game.name):
            wrong, hint = "has a name that no game can have", "use small letters, digits and hyphens"
        elif not all(part.isidentifier() for part in game.module.split(".")):
            wrong, hint = "does not name a module", "write it as my_game.engine"
        elif is_ours(game.name):
            wrong, hint = "has the name of a game that comes with Grimalkin", "its author must choose another"
        if wrong:
            faults.setdefault(game.name, []).append(game.problem(f"{game.said} {wrong}", hint))
        else:
            offers.setdefault(game.name, {})[game] = None
    games = {}
    for name, each in sorted(offers.items()):
        first, *others = each
        games[name] = first
        for other in others:
            told = f'{other.said} offers the game "{name}", and so does {first.by} ({first.module})'
            faults.setdefault(name, []).append(other.problem(told, "uninstall one of the two"))
            games.pop(name, None)
    return games, faults


def _points(faults: dict[str, list[Problem]]) -> Iterator[tuple[EntryPoint, str]]:
    """Yield the entry points of the group, each with the name and version of its distribution."""
    for one in _offered(tuple(sys.path))[1]:
        if GROUP in _raw(one):
            told = f"the entry points of {_by(one)} cannot be read"
            hint = f"its entry_points.txt has lines such as my-game = my_game.engine under [{GROUP}]"
            faults.setdefault("", []).append(Problem(Place(str(one.locate_file(""))), told, hint))
    for point in offered(GROUP):
        yield point, _by(point.dist)


def offered(group: str) -> EntryPoints:
    """Return the readable entry points of a group in all installed distributions."""
    return _offered(tuple(sys.path))[0].select(group=group)


@lru_cache(maxsize=4)
def _offered(_path: tuple[str, ...]) -> tuple[EntryPoints, list[Distribution]]:
    """Return all entry points, and the distributions whose entry points cannot be read."""
    from importlib.metadata import EntryPoints, distributions, entry_points  # 40 ms, and our own games do not need it

    unreadable = []
    with suppress(Exception):  # one unreadable distribution hides all others
        return cast("EntryPoints", entry_points()), []
    found: dict[str, EntryPoints] = {}
    for one in distributions():
        try:
            found.setdefault(one.metadata["Name"], one.entry_points)
        except Exception:
            unreadable.append(one)
    return EntryPoints(point for each in found.values() for point in each), unreadable


def _raw(distribution: Distribution) -> str:
    try:
        return distribution.read_text("entry_points.txt") or ""
    except Exception:  # it is not text, and may concern games
        return GROUP


def distribution_of(point: EntryPoint) -> str:
    """Return the name and version of the distribution of an entry point."""
    return _by(point.dist)


def _by(distribution: Distribution | None) -> str:
    try:
        said = [distribution.metadata["Name"], distribution.version] if distribution is not None else []
    except Exception:
        said = []
    return " ".join(word for word in said if word) or "a distribution without a name"


def code_print() -> str:
    """Return a digest of all outside games' code, since its texts may be on sheets and pages."""
    import hashlib

    total = hashlib.sha256()
    for game in outside_games().values():
        try:
            packages = game.packages()
        except Stop:
            continue
        for path in (path for package in packages for path in sorted(package.rglob("*.py"))):
            total.update(f"{path}\0".encode(errors="surrogateescape"))
            with suppress(OSError):  # a dead link or a folder, which Python does not read either
                total.update(path.read_bytes())
    return total.hexdigest()


# What a module must have


def _is_span(value: object) -> bool:
    pair = value if isinstance(value, tuple) and len(value) == 2 else (0, 0)
    return all(type(number) is int for number in pair) and 1 <= pair[0] <= pair[1]


def _is_count(value: object) -> bool:
    return type(value) is int and value > 0


def _are_ids(value: object) -> bool:
    return isinstance(value, AnySet) and _all_words(value)


def _table_of(fits: Callable[[object], bool], *names: str) -> Callable[[object], bool]:
    """Return a check for mappings from words, including these words, to suitable values."""
    return lambda value: (
        isinstance(value, Mapping) and _all_words(value) and all(map(fits, value.values())) and {*names} <= {*value}
    )


def _all_words(values: object) -> bool:
    return isinstance(values, Iterable) and all(isinstance(value, str) for value in values)


def _is(kind: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, kind)


def _is_record(value: object) -> bool:
    from grimalkin.engine.shape import Record

    return isinstance(value, Record)


KINDS: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "SEATS": (_is_span, "two whole numbers, the fewest and the most seats, as in (2, 4)"),
    "LAWS": (_table_of(_all_words), "the result of `gather` in grimalkin.engine.law"),
    "REFUSALS": (_are_ids, "a set of ids of rules"),
    "OPTIONS": (_is_record, "a Record of grimalkin.engine.shape; Record({}) for none"),
    "DRAWS": (_table_of(_is(str)), "a mapping from the labels of draws to what is drawn; {} for none"),
    "SIMULATION": (_is(Mapping), "a mapping of options; {} for none"),
    "MOST_DECISIONS": (_is_count, "a whole number of at least 1"),
    "BOTS": (
        _table_of(callable, "random", "sensible"),
        'a mapping from names to functions that make bots, including "random" and "sensible"',
    ),
}
"""The tables of the contract, and the type of each."""
OPTIONAL: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "CHARTS": (_table_of(callable), "a mapping from names to functions"),
    "CRIBS": (_table_of(callable), "a mapping from names to functions"),
    "PLAYS": (_is(bool), "False while the module only checks the pieces of its game"),
    "ROLES": (_is(bool), "True or False"),
    "seen": (callable, "a function"),
    "doubts": (callable, "a function"),
    "behaviour": (callable, "a function"),
    "expected": (callable, "a function"),
}
"""Optional names of a module."""


def functions() -> list[str]:
    """Return the names of the contract's functions."""
    from grimalkin.engine.contract import GameOf

    return [name for name, value in vars(GameOf).items() if isinstance(value, FunctionType) and name[0] != "_"]


def plays(module: object) -> bool:
    """Return whether a module plays its game rather than merely checking its pieces."""
    return getattr(module, "PLAYS", True) is not False


def lacks(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Yield what is wrong, and what would be right, for every name in the contract that is missing or wrong."""
    for name, (fits, right) in KINDS.items() if plays(module) else ():
        if not hasattr(module, name):
            yield f"has no {name}", f"it is {right}"
        elif not fits(getattr(module, name)):
            yield f"has a {name} of the wrong kind", f"it is {right}"
    for name in functions() if plays(module) else ["check_facts"]:
        if not callable(getattr(module, name, None)):
            yield f"has no function {name}", "the guide describes it: Rules of your own"
    for name, (fits, right) in OPTIONAL.items():
        if hasattr(module, name) and not fits(getattr(module, name)):
            yield f"has a {name} of the wrong kind", f"it is {right}"


def whole(module: ModuleType, by: str = "") -> Checks:
    """Return the module if it fulfils the contract. Raises Stop with everything it lacks."""
    faults = list(lacks(module))
    if faults:
        place = Place(shown_path(Path(module.__file__ or module.__name__)))
        raise Stop(Problem(place, f"{by}the engine {fault}", hint) for fault, hint in faults)
    return cast("Checks", module)


# Faults in strangers' code


@contextmanager
def guarded(name: str = "") -> Iterator[None]:
    """Raise Stop for any exception of an outside engine in the block, with the line of its code.

    `name` is the game whose engine is used: its answers are blamed even for exceptions outside its code. The default is
    the outside game whose engine is in use, if there is only one.
    """
    try:
        yield
    except (Stop, KeyboardInterrupt):
        raise
    except BaseException as error:
        problem = _fault(error, name)
        if problem is None:
            raise
        raise Stop([problem]) from error


def _fault(error: BaseException, name: str) -> Problem | None:
    """Return the problem with an outside engine that an exception reveals, or None."""
    games = outside_games()
    roots = {game: _roots(game) for game in games.values()}
    last: tuple[Outside, Place] | None = None
    for path, line in [*_lines(error.__traceback__), *_written_at(error)]:
        for game, folders in roots.items():
            if any(path.is_relative_to(folder) for folder in folders):
                last = game, Place(shown_path(path), line)
    what = f"{type(error).__name__}{_words(error)}"
    if last is not None:
        game, place = last
        while_ = "cannot be imported" if isinstance(error, ImportError | SyntaxError) else "fails"
        return Problem(place, f'{game.by}: the engine of "{game.name}" {while_}: {what}')
    loaded = [game for game in games.values() if game.module in sys.modules]
    asked = games.get(name) if name else loaded[0] if len(loaded) == 1 else None
    if asked is None or isinstance(error, OSError) or not isinstance(error, Exception):
        return None
    *_, (path, line) = [(Path(), 0), *_lines(error.__traceback__)]
    told = f'the engine of "{asked.name}" returned a value that cannot be used: {what} ({path.name}, line {line})'
    return asked.problem(told, TRIED.format(asked.name))


def raised(error: BaseException, module: object) -> str:
    """Describe an exception of an engine, with the last line of its own code in the traceback, if any."""
    here = Path(getattr(module, "__file__", None) or "").absolute().parent
    lines = list(_lines(error.__traceback__))
    path, line = [*lines[-1:], *(one for one in lines if one[0].is_relative_to(here))][-1]
    return f"{type(error).__name__}{_words(error)} ({path.name}, line {line})"


def _roots(game: Outside) -> list[Path]:
    try:
        return game.packages()
    except Stop:
        return []


def _lines(traceback: TracebackType | None) -> Iterator[tuple[Path, int]]:
    """Yield the lines of a traceback, the innermost last."""
    while traceback is not None:
        yield Path(traceback.tb_frame.f_code.co_filename).absolute(), traceback.tb_lineno
        traceback = traceback.tb_next


def _written_at(error: BaseException) -> Iterator[tuple[Path, int]]:
    """Yield the place of a syntax error."""
    if isinstance(error, SyntaxError) and error.filename:
        yield Path(error.filename).absolute(), error.lineno or 0


def _words(error: BaseException) -> str:
    """Return the message of an exception, shortened; an engine's exceptions may have no readable message."""
    try:
        said = " ".join((error.msg if isinstance(error, SyntaxError) else str(error)).split())
    except Exception:
        said = ""
    return f": {said[:LONGEST_SAID]}" if said else ""
