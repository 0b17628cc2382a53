"""A rule is said where it is carried out, and gathered from there."""

from __future__ import annotations

import ast
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import pytest

import grimalkin
from grimalkin.engine.law import find_home, gather
from grimalkin.games import find_game
from grimalkin.source import bundled_games

CODE = '''
from __future__ import annotations
from collections import OrderedDict
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple
from grimalkin.engine.law import By, law
from grimalkin.engine.words import Refusal
if TYPE_CHECKING:
    from nowhere import Thing

class Spell(NamedTuple):
    name: str
    rule: str

CITY_SIZE: Annotated[int, By("CAT-1", "CAT-2")] = 4
ROWS: Final[Annotated[tuple[int, ...], By("CAT-3")]] = (1, 2)
SPELLS: Final = (Spell("nap", "CAT-4"), Spell("pounce", "CAT-5"))
BY_RULE: Final = {"CAT-6": {"wake"}}
LAWS: Final = {"CAT-90": ()}
REFUSALS: Final = frozenset({"CAT-91"})
PROSE: Final = "CAT-92 is a rule, and so is CAT-93"
other: Thing = None

@law("CAT-7")
class State:
    """See CAT-94."""
    @law("CAT-8", "CAT-9")
    def nap(self): ...
    def why_not(self):
        return Refusal("CAT-10", "no, see CAT-95") if self else [Refusal("CAT-11", "no") for _ in "ab"]
    @property
    @law("CAT-12")
    def asleep(self): ...
    @staticmethod
    def purr():
        return "CAT-10"

@lru_cache
@law("CAT-13")
def count(): ...

def others():
    return "DOG-1", "CAT-", "CAT-X"
'''


@pytest.fixture
def module():
    """A module that carries out rules in every way there is."""
    made = ModuleType("nap_time")
    made.__dict__["__name__"] = "nap_time"
    sys.modules["nap_time"] = made
    exec(CODE, made.__dict__)
    yield made
    del sys.modules["nap_time"]


def test_a_law_is_found_where_it_is_carried_out(module):
    """By a mark, by an annotation, in the rows of a table, and in the code of a function; never in prose or a list."""
    expected = {
        "CAT-1": ("nap_time:CITY_SIZE",),
        "CAT-2": ("nap_time:CITY_SIZE",),
        "CAT-3": ("nap_time:ROWS",),
        "CAT-4": ("nap_time:SPELLS",),
        "CAT-5": ("nap_time:SPELLS",),
        "CAT-6": ("nap_time:BY_RULE",),
        "CAT-7": ("nap_time:State",),
        "CAT-8": ("nap_time:State.nap",),
        "CAT-9": ("nap_time:State.nap",),
        "CAT-10": ("nap_time:State.why_not", "nap_time:State.purr"),
        "CAT-11": ("nap_time:State.why_not",),
        "CAT-12": ("nap_time:State.asleep",),
        "CAT-13": ("nap_time:count",),
    }

    assert expected == dict(gather("CAT", module))


def test_every_home_is_found_again(module):
    """What `gather` writes, `find_home` reads; what is not there, it does not find."""
    homes = {home for places in gather("CAT", module).values() for home in places}

    assert all(find_home(home) is not None for home in homes)
    assert find_home("nap_time:State.run") is None
    assert find_home("no_such_module:State") is None


def test_what_is_imported_stays_where_it_is_defined(module):
    """A second module that imports the first one's names is no second home."""
    second = ModuleType("second")
    second.__dict__.update(vars(module), __name__="second", __annotations__={})

    assert {} == gather("CAT", second)


def test_a_module_without_tables_is_gathered_too():
    """A module that annotates nothing has no table of annotations until it is asked for one."""
    bare = ModuleType("bare")
    exec("def nap():\n    return 'CAT-14'\nnap.__module__ = 'bare'\nrest = []", vars(bare))

    assert {"CAT-14": ("bare:nap",)} == dict(gather("CAT", bare))


def used(text: str) -> set[str]:
    """The names that code reads, calls or quotes, except inside what has that name itself; and functions that a
    decorator registers, such as `@verb("heal")`."""
    names = set()
    waiting: list[tuple[ast.AST, frozenset[str]]] = [(ast.parse(text), frozenset())]
    while waiting:
        code, inside = waiting.pop()
        match code:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                inside |= {name}
                marks = [ast.unparse(by.func) for by in code.decorator_list if isinstance(by, ast.Call)]
                if {*marks} - {"dataclass", "law", "lru_cache"}:
                    names.add(name)
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
                if name not in inside:
                    names.add(name)
        waiting += [(part, inside) for part in ast.iter_child_nodes(code)]
    return names


def dead_homes(homes: Iterable[str], code: Iterable[str]) -> list[str]:
    """The homes of rules whose names no other code has."""
    names = {name for text in code for name in used(text)}
    return sorted(home for home in homes if home.rpartition(":")[2].rpartition(".")[2] not in names)


def test_what_nothing_uses_is_no_home():
    """A table nobody reads and a function that only calls itself are found; one that is registered or quoted is not."""
    dead = """
        from nap_time import CITY_SIZE, ROWS
        @law("CAT-13")
        def count(): return count()
        @verb("purrs")
        def purr(): ...
        def others(state): return state.nap, "asleep", CITY_SIZE
    """
    homes = [f"nap_time:{place}" for place in ("CITY_SIZE", "ROWS", "State.asleep", "State.nap", "count", "purr")]

    assert ["nap_time:ROWS", "nap_time:count"] == dead_homes(homes, [textwrap.dedent(dead)])


def test_every_home_of_a_rule_is_used():
    """A rule lives where it is carried out, not in a table or function that only names it."""
    games = [game for name in bundled_games() if (game := find_game(name))]
    homes = {home for game in games for places in game.LAWS.values() for home in places}
    house = Path(grimalkin.__file__).parent
    code = [path.read_text(encoding="utf-8") for room in ("engine", "games") for path in (house / room).rglob("*.py")]

    assert [] == dead_homes(homes, code)
