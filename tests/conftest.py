"""What all tests share: the facts of the bundled games, and golden files that `pytest --bless` renews."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grimalkin.content import load_game
from grimalkin.problems import Problems
from grimalkin.source import find_game_folder

GOLDEN = Path(__file__).parent / "golden"

os.environ.setdefault("GRIMALKIN_CACHE", "off")
"""Tests leave the user's cache alone, and measure nothing that a run before them has prepared."""
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # A shell has put the run in the background, and the processes that tests start would not hear Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="write the golden files anew; review them with git diff")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with the golden file of that name."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--bless"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

        assert path.read_text(encoding="utf-8") == text, f"{name} has changed; `pytest --bless` accepts the change"

    return compare


@pytest.fixture(scope="session")
def facts_of() -> Callable[[str], dict[str, Any]]:
    """The facts of a game, by the name of its content folder."""
    read: dict[str, dict[str, Any]] = {}

    def facts(name: str) -> dict[str, Any]:
        if name not in read:
            game = load_game(find_game_folder(name), Problems())
            assert game is not None
            read[name] = game.facts
        return read[name]

    return facts
