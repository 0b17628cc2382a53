"""Laws: which code implements which rule. The code itself names the rule, and `gather` collects the names.

A piece of code is the home of a rule in three cases:

- it names the full id as a string: a function that returns `Refusal("WC-EAT-1", ...)`, or an annotated table of the
  module with the id in one of its rows;
- `@law("WC-ROUND-4")` marks the function, method or class, if its code does not otherwise name the id;
- `CITY_SIZE: Annotated[int, By("WC-CITY-1")] = 4` marks a number or table of the module.

>>> @law("CAT-7")
... def nap() -> None: ...
>>> of_code(nap, "CAT-")
['CAT-7']
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, fields, is_dataclass
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, TypeVar, get_args

T = TypeVar("T", bound=Callable[..., Any])

_MARK = "__laws__"
_LISTS = ("LAWS", "REFUSALS")
"""Tables that only list ids and implement nothing."""


@dataclass(frozen=True)
class By:
    """The rules of a module's number or table, for use in its annotation."""

    rules: tuple[str, ...]

    def __init__(self, *rules: str) -> None:
        object.__setattr__(self, "rules", rules)


def law(*rules: str) -> Callable[[T], T]:
    """Mark a function, method or class as the implementation of these rules."""

    def mark(carries_out: T) -> T:
        setattr(carries_out, _MARK, rules)
        return carries_out

    return mark


def gather(prefix: str, *modules: ModuleType) -> Mapping[str, tuple[str, ...]]:
    """Return the rules whose ids begin with the prefix and a hyphen, in the order of the code, with their homes.

    A home is written like "grimalkin.games.werecats.board:Board._why_not_eat"; `find_home` finds it again.
    """
    laws: dict[str, list[str]] = {}
    for module in modules:
        for place, value in _places(module):
            for rule in dict.fromkeys(_rules(module, place, value, f"{prefix}-")):
                laws.setdefault(rule, []).append(f"{module.__name__}:{place}")
    return MappingProxyType({rule: tuple(homes) for rule, homes in laws.items()})


def refusals(prefix: str, of: type | ModuleType) -> frozenset[str]:
    """Return the rules by which a State or module refuses: those named in functions `why_not` and `_why_not_...`."""
    functions = [function for name, function in vars(of).items() if name.lstrip("_").startswith("why_not")]
    return frozenset(rule for function in functions for rule in _named(function.__code__, f"{prefix}-"))


def find_home(home: str) -> object | None:
    """Return the object at the home of a rule; None if there is none."""
    module, _, place = home.partition(":")
    found: object | None = sys.modules.get(module)
    for part in place.split("."):
        found = getattr(found, part, None)
    return found


def of_code(code: Callable[..., Any], prefix: str) -> list[str]:
    """Return the rules with which a function or class is marked, and the rules that a function's code names."""
    named = list(vars(code).get(_MARK, ()))
    return [*named, *_named(code.__code__, prefix)] if isinstance(code, FunctionType) else named


def _places(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Yield everything that a module defines: its tables, functions and classes, and their own members."""
    for name, value in list(vars(module).items()):  # a module without annotations gets its empty table when asked
        value = _unwrapped(value)
        if isinstance(value, type | FunctionType):
            if value.__module__ == module.__name__:
                yield from _parts(name, value) if isinstance(value, type) else [(name, value)]
        elif name in module.__annotations__ and name not in _LISTS:  # imports count where they are defined
            yield name, value


def _parts(name: str, of: type) -> Iterator[tuple[str, Any]]:
    yield name, of
    for inner, value in vars(of).items():
        function = _unwrapped(value.fget if isinstance(value, property) else getattr(value, "__func__", value))
        if isinstance(function, FunctionType):
            yield f"{name}.{inner}", function


def _unwrapped(value: Any) -> Any:
    """Return the function that a decorator such as `lru_cache` wraps."""
    while hasattr(value, "__wrapped__"):
        value = value.__wrapped__
    return value


def _rules(module: ModuleType, place: str, value: Any, prefix: str) -> Iterator[str]:
    if isinstance(value, type | FunctionType):
        yield from of_code(value, prefix)
        return
    annotation = module.__annotations__[place]
    if "By(" in str(annotation):
        # As `typing.get_type_hints` does it, which would also look up names that only type checkers import.
        yield from _said_by(eval(annotation, vars(module)) if isinstance(annotation, str) else annotation)
    yield from _held(value, prefix)


def _said_by(hint: Any) -> Iterator[str]:
    for part in get_args(hint):
        yield from part.rules if isinstance(part, By) else _said_by(part)


def _named(code: CodeType, prefix: str) -> Iterator[str]:
    """Yield the ids among the strings of a function and of its inner functions."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _named(constant, prefix)
        else:
            yield from _held(constant, prefix)


def _held(value: object, prefix: str) -> Iterator[str]:
    """Yield the ids in the rows of a plain table."""
    if isinstance(value, str):
        if value.startswith(prefix) and value[-1].isdigit() and value.replace("-", "").isalnum():
            yield value
    elif isinstance(value, Mapping):
        for row in (*value.keys(), *value.values()):
            yield from _held(row, prefix)
    elif isinstance(value, tuple | list | Set):
        for row in value if not isinstance(value, Set) else sorted(map(str, value)):
            yield from _held(row, prefix)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _held(getattr(value, field.name), prefix)
