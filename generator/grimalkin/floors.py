"""Floors and parts: find the modules that parts bring to a floor.

What only some games have, such as odds or a campaign, is a part: a package in `grimalkin.parts` with a module for each
floor that it has something for (`pages`, `cli`, …). Each floor says what it expects of such a module, loops over them,
and knows none by name. An installed distribution brings a part of its own through an entry point in the group
`grimalkin.parts`: the name of the part, and its package.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType

from grimalkin.problems import Place, Stop
from grimalkin.problems.plain import listed

PARTS = "grimalkin.parts"
"""The package of our parts, and the group of entry points for others."""


NEEDED = {
    "pages": ("KIND", "MENU_BEFORE", "OVERVIEW_BEFORE", "begins", "menu", "write"),
    "cli": ("COMMANDS", "add"),
}
"""The names that a floor needs in the module of a part from outside."""


def ours_on(floor: str) -> tuple[ModuleType, ...]:
    """Return the modules that our own parts bring to a floor."""
    return _ours(floor)


def having(floor: str, name: str) -> list[ModuleType]:
    """Return the modules that our own parts bring to a floor, if they have something of this name."""
    return [module for module in _ours(floor) if hasattr(module, name)]


def brought_to(floor: str) -> tuple[ModuleType, ...]:
    """Return the modules that parts bring to a floor, ours first. Raises Stop if one from outside is unusable."""
    return _ours(floor) + _others(floor, tuple(sys.path))


def folders_of(folder: str) -> tuple[str, ...]:
    """Return the folders of this name in the packages of parts from outside, such as their templates."""
    return _folders(folder, tuple(sys.path))


def packages_of_others() -> list[Path]:
    """Return the folders of the top packages that bring parts from outside, with all their code."""
    tops = sorted({package.partition(".")[0] for package, _ in _packages()})
    return [Path(place) for top in tops for place in _places(top)]


@cache
def _ours(floor: str) -> tuple[ModuleType, ...]:
    names = [f"{PARTS}.{one.name}.{floor}" for one in pkgutil.iter_modules(importlib.import_module(PARTS).__path__)]
    return tuple(importlib.import_module(name) for name in names if importlib.util.find_spec(name) is not None)


@lru_cache(maxsize=16)
def _others(floor: str, _path: tuple[str, ...]) -> tuple[ModuleType, ...]:
    found: dict[str, ModuleType] = {getattr(module, "KIND", module.__name__): module for module in _ours(floor)}
    ours = len(found)
    for package, by in _packages():
        if (module := _module(package, floor, by)) is not None:
            kind = getattr(module, "KIND", module.__name__)
            if kind in found:
                told = f'its part {module.__name__} has the kind "{kind}", which {found[kind].__name__} already has'
                raise Stop.at(Place(by), told, "its author must choose another KIND")
            found[kind] = module
    return tuple(found.values())[ours:]


@lru_cache(maxsize=16)
def _folders(folder: str, _path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{place}/{folder}" for package, _ in _packages() for place in _places(package))


def _places(package: str) -> list[str]:
    with suppress(Exception):  # a package that is not there, or whose own code raises something: `_module` reports it
        spec = importlib.util.find_spec(package)
        return list((spec and spec.submodule_search_locations) or ())
    return []


def _packages() -> Iterator[tuple[str, str]]:
    """Yield the package of every part from outside, each with its distribution."""
    from grimalkin.engine.outside import distribution_of, offered  # 40 ms, and our own parts do not need it

    for point in sorted(offered(PARTS)):
        yield point.value.strip(), distribution_of(point)


def _module(package: str, floor: str, by: str) -> ModuleType | None:
    """Import a module of a part from outside, if it has that one."""
    name = f"{package}.{floor}"
    try:
        module = importlib.import_module(name) if importlib.util.find_spec(name) is not None else None
    except Exception as error:  # a stranger's code may raise anything
        told = f"its part {name} cannot be imported: {type(error).__name__}: {error}"
        raise Stop.at(Place(by), told, "uninstall it, or ask its author") from None
    lacking = [one for one in NEEDED.get(floor, ()) if module is not None and not hasattr(module, one)]
    if lacking:
        raise Stop.at(Place(by), f"its part {name} has no {listed(lacking)}", "its author must add them")
    return module
