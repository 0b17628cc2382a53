"""Floors and parts: find the modules that parts bring to a floor.

What only some games have, such as odds or a campaign, is a part: a package in `grimalkin.parts` with a module for each
floor that it has something for (`pages`, `cli`, …). Each floor says what it expects of such a module, loops over them,
and knows none by name. An installed distribution brings a part of its own by an entry point of the group
`grimalkin.parts`: the name of the part, and its package.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Iterator
from functools import lru_cache
from types import ModuleType

from grimalkin.problems import Place, Problem, Stop

PARTS = "grimalkin.parts"
"""The package of our parts, and the group of entry points for others."""


def brought_to(floor: str) -> tuple[ModuleType, ...]:
    """Return the modules that parts bring to a floor, ours first. Raises Stop if one from outside fails."""
    return _brought(floor, tuple(sys.path))


@lru_cache(maxsize=16)
def _brought(floor: str, _path: tuple[str, ...]) -> tuple[ModuleType, ...]:
    found = [_module(f"{package}.{floor}", by) for package, by in _packages()]
    return tuple(module for module in found if module is not None)


def _packages() -> Iterator[tuple[str, str]]:
    """Yield the package of every part, each with its distribution; "" for ours."""
    from grimalkin.engine.outside import distribution_of, offered

    ours = importlib.import_module(PARTS)
    for one in pkgutil.iter_modules(ours.__path__):
        yield f"{PARTS}.{one.name}", ""
    for point in sorted(offered(PARTS)):
        yield point.value.strip(), distribution_of(point)


def _module(name: str, by: str) -> ModuleType | None:
    """Import a module of a part, if it has that one."""
    try:
        return importlib.import_module(name) if importlib.util.find_spec(name) is not None else None
    except Exception as error:  # a stranger's code may raise anything
        if not by:
            raise
        told = f"its part {name} cannot be imported: {type(error).__name__}: {error}"
        raise Stop([Problem(Place(by), told, "uninstall it, or ask its author")]) from None


def folders_of(folder: str) -> list[str]:
    """Return the folders of this name in the packages of parts from outside, such as their templates."""
    specs = (importlib.util.find_spec(package) for package, by in _packages() if by)
    places = (place for spec in specs if spec is not None for place in spec.submodule_search_locations or ())
    return [f"{place}/{folder}" for place in places]
