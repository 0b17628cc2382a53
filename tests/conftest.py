"""What all tests share: what one run makes once, golden files that `pytest --bless` renews, and who is slow unsaid."""

from __future__ import annotations

import gc
import importlib.util
import os
import re
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from games_for_tests import bundled_game

from grimalkin import content
from grimalkin.cli import kept_checks
from grimalkin.content import Game
from grimalkin.problems import EXTRAS, Problems
from grimalkin.source import bundled_games, data_folder

GOLDEN = Path(__file__).parent / "golden"
LEFT_OUT: Counter[str] = Counter()
"""How many slow tests of each file are not run."""
MILLISECONDS = 400
"""What a test may take that does not say that it is slow; `make quick` tries those alone."""

gc.set_threshold(250_000, 20, 20)
"""As a process of the command does; without, a twelfth of the time goes into the search for garbage."""
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # A shell has put the run in the background, and the processes that tests start would not hear Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


class NoExtra:
    """Skips a test, or a module of tests, that imports what only an extra brings, where it is not installed."""

    def find_spec(self, name: str, *_: object) -> None:
        if name in EXTRAS:
            pytest.skip(f'this needs pip install "grimalkin[{EXTRAS[name]}]"', allow_module_level=True)


if not all(map(importlib.util.find_spec, EXTRAS)):
    sys.meta_path.append(NoExtra())  # the last that is asked


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="write the golden files anew; review them with git diff")


# Slow tests


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Count what `make quick` leaves out."""
    if "not slow" in items[0].config.option.markexpr:
        LEFT_OUT.update(Path(item.path).stem.removeprefix("test_") for item in items if item.get_closest_marker("slow"))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the count from a worker to the process that writes the summary."""
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output["left-out"] = dict(LEFT_OUT)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the count of a worker; all of them have the same."""
    LEFT_OUT.update(Counter(getattr(node, "workeroutput", {}).get("left-out", {})) - LEFT_OUT)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None]:
    """Collect without a search for garbage: what collecting makes stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whoever is slow says why, as in `@pytest.mark.slow("builds every game")`."""
    for item in items:
        mark = item.get_closest_marker("slow")
        if mark is not None and not (len(mark.args) == 1 and isinstance(mark.args[0], str) and mark.args[0]):
            raise pytest.UsageError(f'{item.nodeid}: say why it is slow, as in @pytest.mark.slow("builds every game")')


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Note what a test takes of a processor, here and in the processes that it has waited for."""
    begun = sum(os.times()[:4])
    try:
        yield
    finally:
        item.user_properties.append(("milliseconds", round(1000 * (sum(os.times()[:4]) - begun))))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Tell, and no more, which tests are slow and do not say so: a machine may be slow for once."""
    if LEFT_OUT:
        listed = ", ".join(f"{file} {count}" for file, count in LEFT_OUT.most_common())
        terminalreporter.line(f"{LEFT_OUT.total()} slow tests are left out, which `make test` runs: {listed}")
    passed = [report for report in terminalreporter.stats.get("passed", ()) if "slow" not in report.keywords]
    took = sorted(((dict(one.user_properties).get("milliseconds", 0), one.nodeid) for one in passed), reverse=True)
    if took and took[0][0] > MILLISECONDS:
        terminalreporter.section(f"over {MILLISECONDS} ms, and not marked slow")
        for milliseconds, test in took:
            if milliseconds > MILLISECONDS:
                terminalreporter.line(f"{milliseconds:6} ms  {test}")


# What is made once


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that all processes of this run share."""
    folder = tmp_path_factory.getbasetemp()
    return folder if worker_id == "master" else folder.parent


@pytest.fixture(scope="session", autouse=True)
def _shared(run_folder: Path) -> None:
    """Tells shown.py where to keep what is made once. Templates are compiled once a run, and not for the user's cache:
    to compile them takes longer than to draw with them."""
    os.environ["GRIMALKIN_TESTS_SHARE"] = str(run_folder)
    os.environ["GRIMALKIN_CACHE"] = str(run_folder / "compiled")


@pytest.fixture(scope="session", autouse=True)
def _read_once() -> Iterator[None]:
    """Commands find the bundled games read already: to read one takes half a second, and hundreds of commands are run.

    What is built, checked or proved is read anew, as are games of tests. `check` finds no kept reports, since some
    tests change what engines do.
    """
    read = content.load_game
    folders = {data_folder("content") / name: name for name in bundled_games()}

    def load_game(path: Path, problems: Problems, draft: bool = False) -> Game | None:
        if draft or path not in folders:
            return read(path, problems, draft)
        return replace(bundled_game(folders[path]), folder=path)  # its own depends on where it was read first

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(content, "load_game", load_game)
        patch.setattr(kept_checks, "find_report", lambda *_: None)
        yield


@pytest.fixture(scope="session")
def site(run_folder: Path) -> Path:
    """The site of all bundled games, of the pages that tests of pages look at. Tests leave it as it is."""
    from shown import bundled_pages, site_of

    folder = run_folder / "site-of-all"
    with FileLock(f"{folder}.lock"):
        if not folder.is_dir():
            made = site_of(bundled_games(), run_folder / "site-begun", lambda shown: bundled_pages(shown.game.name))
            made.rename(folder)
    return folder


@pytest.fixture(scope="session")
def _headings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the site is made of, with nothing but the headings on the pages of the guide and of decisions."""
    folder = tmp_path_factory.mktemp("short") / "site"
    shutil.copytree(data_folder("site"), folder)
    for page in (folder / "docs").rglob("*.md"):
        text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        page.write_text("\n\n".join(re.findall(r"^#.*$", text, re.MULTILINE)) + "\n", "utf-8")
    return folder


@pytest.fixture
def short_guide(_headings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sites are built with a guide that says nothing: a fifth of the time of a small game's build goes into it."""
    monkeypatch.setattr("grimalkin.site.pages.site.data_folder", lambda _: _headings)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with the golden file of that name."""

    def assert_golden(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--bless"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

        assert path.read_text(encoding="utf-8") == text, f"{name} has changed; `pytest --bless` accepts the change"

    return assert_golden


@pytest.fixture(scope="session")
def facts_of() -> Callable[[str], dict[str, Any]]:
    """The facts of a game, by the name of its content folder."""
    return lambda name: bundled_game(name).facts
