"""A rule is said where it is carried out, and gathered from there."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from grimalkin.engine.law import find_home, gather

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
