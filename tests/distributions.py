"""Distributions for tests, written by hand: what `pip install --editable` leaves behind, without pip."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from grimalkin.cli.designing import new_game, package_of
from grimalkin.engine import outside

NAME = "paw-prints"
PACKAGE = package_of(NAME)


def skeleton(folder: Path, name: str = NAME) -> Path:
    """The project that `grimalkin new NAME --engine` makes. Returns its folder."""
    new_game(folder / name, name.replace("-", " ").title(), "PP", engine=True)
    return folder / name


def engine_of(project: Path) -> Path:
    """The file of its engine."""
    return project / "src" / package_of(project.name) / "engine.py"


def content_of(project: Path) -> Path:
    """The folder of its content."""
    return project / "src" / package_of(project.name) / "content" / project.name


def distribution(
    site: Path, name: str, points: Mapping[str, str], version: str = "0.1", parts: Mapping[str, str] | None = None
) -> Path:
    """A distribution that offers some games. Returns the folder of what is known of it."""
    folder = site / f"{package_of(name)}-{version}.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    lines = ["[grimalkin.games]", *(f"{point} = {module}" for point, module in points.items())]
    lines += ["[grimalkin.parts]", *(f"{part} = {package}" for part, package in (parts or {}).items())]
    (folder / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def install(project: Path, site: Path) -> list[str]:
    """What `pip install --editable` does with a project, but for its `.pth`: returns what that adds to the path."""
    told = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    points = told["entry-points"]
    distribution(site, told["name"], points["grimalkin.games"], told["version"], points["grimalkin.parts"])
    return [str(site), str(project / "src")]


def forget() -> None:
    """What is installed is looked for anew."""
    outside._listed.cache_clear()
    outside._offered.cache_clear()


@contextmanager
def on_path(monkeypatch: pytest.MonkeyPatch, *places: str) -> Iterator[None]:
    """Finds modules and distributions there, and forgets within the block's end what was imported from there."""
    before = set(sys.modules)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "path", [*places, *sys.path])
        patch.setattr(sys, "dont_write_bytecode", True)  # files that are changed within a second would not be read
        forget()
        try:
            yield
        finally:
            for name in set(sys.modules) - before:
                origin = getattr(sys.modules[name], "__file__", None) or ""
                if any(origin.startswith(place) for place in places) or name.partition(".")[0] == PACKAGE:
                    del sys.modules[name]
    forget()
