"""Every library has its homes, and is imported nowhere else: the table [tool.grimalkin.homes] of pyproject.toml.

And of two modules, only one imports the other.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "generator" / "grimalkin"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HOMES: dict[str, list[str]] = PROJECT["tool"]["grimalkin"]["homes"]
CALLED = {"PIL": "pillow", "bidi": "python-bidi", "yaml": "pyyaml"}
"""Libraries that are installed under another name than they are imported by."""


def imported(code: str) -> Iterator[str]:
    """The first name of every module that is imported, also within functions and for type checkers alone."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def uses() -> set[tuple[str, str]]:
    """Module below grimalkin and library, for every import of what is not ours and not of the standard library."""
    return {
        (
            ".".join(path.relative_to(PACKAGE).with_suffix("").parts),
            CALLED.get(module, module.lower().replace("_", "-")),
        )
        for path in PACKAGE.rglob("*.py")
        for module in imported(path.read_text(encoding="utf-8"))
        if module not in sys.stdlib_module_names | {"grimalkin"}
    }


def is_at_home(module: str, library: str) -> bool:
    return any(f"{module}.".startswith(f"{home}.") for home in HOMES.get(library, ()))


@pytest.mark.slow("reads the whole package")
def test_libraries_are_imported_at_home_alone() -> None:
    """What is imported elsewhere or has no homes, and homes where nothing is imported any more."""
    found = uses()

    assert [] == [
        f"grimalkin.{module} -> {library}" for module, library in sorted(found) if not is_at_home(module, library)
    ]
    assert [] == [
        f"{library} in {home}"
        for library, homes in HOMES.items()
        for home in homes
        if not any(library == one and f"{module}.".startswith(f"{home}.") for module, one in found)
    ]


def test_every_dependency_has_homes() -> None:
    """Each that pyproject.toml names, the extras too."""
    wanted = [PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"].values()]
    names = {re.split(r"[<>=!~\[; ]", one)[0] for some in wanted for one in some}

    assert set() == names - {PROJECT["project"]["name"], *HOMES}


def test_no_import_is_overlooked() -> None:
    """Wherever it stands, and however it is written."""
    code = "import a.b, c as d\nfrom . import e\nif TYPE_CHECKING:\n    from f.g import h\ndef i():\n    import j\n"

    assert ["a", "c", "f", "j"] == sorted(imported(code))


# Circles


def links(module: str, code: str, modules: Mapping[str, str]) -> Iterator[str]:
    """The modules among these that a module imports, also within functions and for type checkers alone."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module}: write out where it is imported from"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from {name if name in modules else node.module for name in names} & modules.keys()


def circles(modules: Mapping[str, str]) -> list[str]:
    """The pairs of modules that import each other, given the code of each by its name."""
    found = {(module, other) for module, code in modules.items() for other in links(module, code, modules)}
    return [f"{one} <-> {other}" for one, other in sorted(found) if one < other and (other, one) in found]


@pytest.mark.slow("reads the whole package")
def test_no_two_modules_import_each_other() -> None:
    """A type or function that both need stands in the lower one, or below both."""
    files = {path.relative_to(PACKAGE.parent).with_suffix(""): path for path in PACKAGE.rglob("*.py")}
    modules = {".".join(name.parts).removesuffix(".__init__"): path.read_text("utf-8") for name, path in files.items()}

    assert [] == circles(modules)


def test_no_circle_is_overlooked() -> None:
    """Whether the whole module is imported or a name in it, and for type checkers alone too."""
    modules = {
        "a": "from a import b, d",
        "a.b": "if TYPE_CHECKING:\n    from a.c import E\n",
        "a.c": "def f():\n    import a.b\n",
        "a.d": "from a.c import E\nimport os",
        "a.e": "from a import g",
    }

    assert ["a.b <-> a.c"] == circles(modules)
    assert ["a <-> a.b", "a.b <-> a.c"] == circles(modules | {"a.b": "from a import d, x\nfrom a.c import E"})
