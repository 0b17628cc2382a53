"""Notes of the last build that are damaged, foreign, old or in the way: they are discarded, and the output is right."""

from __future__ import annotations

import json
import os
import shutil
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from games_for_tests import FILES, write_game

import grimalkin.build as module
from grimalkin.build import Listener, build
from grimalkin.output import reused, unchanged
from grimalkin.output.reused import FOLDER, read_made, read_notes, write_notes
from grimalkin.output.swap import KEPT, LOCK, MARKER
from grimalkin.output.unchanged import STATE, Order
from grimalkin.printing.sheet.settings import Settings
from grimalkin.problems import Stop
from grimalkin.source.reuse import files_of

pytestmark = pytest.mark.slow("builds a small game several times")

LOW = Settings(inks="low")
CHANGED = FILES["cards.csv"].replace("Owl,1,7", "Owl,1,8")
STORE = f"{FOLDER}/tiny"
DAMAGED = "{0} is damaged or comes from elsewhere; everything in tiny is made again"
OLD = "{0} comes from another version of Grimalkin or of an engine; everything in tiny is made again"


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache of the user who made the output."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _quick(secret: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Without mkdocs, which makes most of a small build, and in one process."""
    monkeypatch.setenv("GRIMALKIN_CACHE", str(secret))
    monkeypatch.setattr(module, "build_site", lambda *_, **__: None)
    monkeypatch.setattr(module, "cores", lambda: 1)
    yield


@pytest.fixture(scope="module")
def made_once(secret: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output of the game, and that of the changed game from nothing. Tests leave them as they are."""
    folder = tmp_path_factory.mktemp("once")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRIMALKIN_CACHE", str(secret))
        patch.setattr(module, "build_site", lambda *_, **__: None)
        patch.setattr(module, "cores", lambda: 1)
        built(write_game(folder / "tiny"), folder / "output")
        built(write_game(folder / "tiny", **{"cards.csv": CHANGED}), folder / "cold")
    return folder


@pytest.fixture
def output(made_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made_once / "output", tmp_path / "output"))


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The game after an edit."""
    return write_game(tmp_path / "tiny", **{"cards.csv": CHANGED})


def built(folder: Path, output: Path) -> list[str]:
    """Build a game, and return what the build tells."""
    told: list[str] = []
    build(Order([folder], ["a4"], LOW), output, Listener(tell=told.append))
    return told


def contents(output: Path) -> dict[str, bytes]:
    """What was made: everything but the notes, what is kept, and lists and records of what was there before."""
    paths = {path.relative_to(output).as_posix(): path for path in output.rglob("*") if path.is_file()}
    beside = (FOLDER, KEPT, "records", "elsewhere")
    listed = (LOCK, MARKER, STATE)
    return {
        name: path.read_bytes()
        for name, path in paths.items()
        if name.partition("/")[0] not in beside and name not in listed
    }


def cold(made_once: Path) -> dict[str, bytes]:
    return contents(made_once / "cold")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes what is taken over."""
    taken: list[str] = []
    real = read_made

    def noted(output: Path, files: dict[str, str]) -> dict[str, bytes] | None:
        found = real(output, files)
        taken.extend(found or ())
        return found

    monkeypatch.setattr(module, "read_made", noted)
    return taken


def test_what_is_unchanged_is_taken_over(made_once: Path, output: Path, game: Path, read: list[str]) -> None:
    """Nothing is told of it, and the rest is made."""
    assert [] == built(game, output)
    assert cold(made_once) == contents(output)
    assert (output / STORE).is_file()


# Stores that cannot be relied on


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def begun(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:20])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[40] ^= 1
    path.write_bytes(data)


def made_up(path: Path) -> None:
    notes = {"made_with": unchanged.made_with(path), "notes": {"key": {"../secret": "0"}}}
    path.write_bytes(bytes(32) + zlib.compress(json.dumps(notes).encode()))


def of_another_game(path: Path) -> None:
    """It is sealed with the user's secret, for another name."""
    write_notes(path.parents[1], "other", "program", {})
    (path.parent / "other").replace(path)


def a_link(path: Path) -> None:
    path.replace(path.with_name("there"))
    path.symlink_to("there")


def a_link_to_nothing(path: Path) -> None:
    path.unlink()
    path.symlink_to("/nowhere/at/all")


def a_folder(path: Path) -> None:
    path.unlink()
    (path / "inside").mkdir(parents=True)


def a_linked_folder(path: Path) -> None:
    path.parent.replace(path.parents[1] / "elsewhere")
    path.parent.symlink_to("elsewhere")


@pytest.mark.parametrize(
    "harm",
    [cut, begun, emptied, flipped, made_up, of_another_game, a_link, a_link_to_nothing, a_folder, a_linked_folder],
    ids=lambda harm: harm.__name__,
)
def test_a_store_that_cannot_be_relied_on_is_told(
    made_once: Path, output: Path, game: Path, read: list[str], harm: Callable[[Path], None]
) -> None:
    """Nothing of it is used, and everything is right."""
    harm(output / STORE)

    assert [DAMAGED.format((output / STORE).as_posix())] == built(game, output)
    assert [] == read
    assert cold(made_once) == contents(output)


def test_a_file_in_the_place_of_the_store_is_left(made_once: Path, output: Path, game: Path) -> None:
    """It may be somebody's. There are no notes then."""
    shutil.rmtree(output / FOLDER)
    (output / FOLDER).write_text("mine")

    assert [] == built(game, output)
    assert cold(made_once) == contents(output)
    assert "mine" == (output / FOLDER).read_text()


def test_a_link_in_the_place_of_the_store_is_not_written_through(output: Path, game: Path, tmp_path: Path) -> None:
    """Nor is what it leads to replaced."""
    shutil.rmtree(output / FOLDER)
    (tmp_path / "other").mkdir()
    (output / FOLDER).symlink_to(tmp_path / "other")
    built(game, output)

    assert [] == [*(tmp_path / "other").iterdir()]


def test_the_store_of_another_user_is_told(
    made_once: Path, output: Path, game: Path, read: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It came with a download, say; from then on it is the user's own."""
    monkeypatch.setenv("GRIMALKIN_CACHE", str(tmp_path / "cache"))

    assert [DAMAGED.format((output / STORE).as_posix())] == built(game, output)
    assert [] == read
    assert cold(made_once) == contents(output)
    assert read_notes(output, "tiny", unchanged.made_with(game), pytest.fail)


def test_the_store_of_another_version_is_told(
    made_once: Path, output: Path, game: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even of a program that differs in nothing but a library."""
    real = unchanged.made_with
    monkeypatch.setattr(module, "made_with", lambda folder: real(folder) + "other")

    assert [OLD.format((output / STORE).as_posix())] == built(game, output)
    assert [] == read
    assert cold(made_once) == contents(output)


@pytest.mark.parametrize("kind", ["off", "a file", "of all"])
def test_without_a_secret_nothing_is_taken_over(
    made_once: Path,
    output: Path,
    game: Path,
    read: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
) -> None:
    """There is nothing to tell, and no notes are written: nobody could check them."""
    cache = tmp_path / "cache"
    if kind == "a file":
        cache.write_text("")
    if kind == "of all":
        (cache / "secret").mkdir(parents=True)
        (cache / "secret").chmod(0o777)
    monkeypatch.setenv("GRIMALKIN_CACHE", "off" if kind == "off" else str(cache))
    before = (output / STORE).read_bytes()

    assert [] == built(game, output)
    assert [] == read
    assert cold(made_once) == contents(output)
    assert before == (output / STORE).read_bytes()


@pytest.mark.parametrize("name", ["../outside", "/etc/hostname", "cards/../../outside", "a\\..\\b", "", "cards"])
def test_paths_outside_are_not_read(tmp_path: Path, name: str) -> None:
    """Even if the notes are sealed with the user's secret."""
    (tmp_path / "outside").write_text("secret")
    (tmp_path / "output" / "cards").mkdir(parents=True)

    assert read_made(tmp_path / "output", {name: files_of({"": b"secret"})[""]}) is None


@pytest.mark.parametrize(
    "harm", [a_link, a_link_to_nothing, a_folder, emptied, flipped], ids=lambda harm: harm.__name__
)
def test_a_file_that_is_no_longer_as_it_was_made_is_not_read(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    """Nor is any other file of that result."""
    for name in ("one", "two"):
        (tmp_path / name).write_bytes(bytes(100))
    files = files_of({"one": bytes(100), "two": bytes(100)})

    assert {"one": bytes(100), "two": bytes(100)} == read_made(tmp_path, files)

    harm(tmp_path / "two")

    assert read_made(tmp_path, files) is None


# What was made, and changed by somebody


@pytest.mark.parametrize(
    "name",
    ["cards/tiny/mouse-front.png", "sheets/tiny/tiny-rulebook-a4-low.pdf", "rulebooks/tiny.pdf"],
)
@pytest.mark.parametrize("is_gone", [True, False])
def test_what_the_user_changed_is_made_again(
    made_once: Path, output: Path, game: Path, name: str, is_gone: bool
) -> None:
    """And kept."""
    if is_gone:
        (output / name).unlink()
    else:
        (output / name).write_bytes(b"mine")
    told = built(game, output)

    assert cold(made_once) == contents(output)
    assert [] == told if is_gone else (1 == len(told) and "your copy is now" in told[0])
    assert is_gone or b"mine" == (output / KEPT / name).read_bytes()


def test_what_changes_while_it_is_taken_over_stops_the_build(
    output: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old output stays; the next build makes it."""
    game = write_game(tmp_path / "tiny", **{"rules.yaml": FILES["rules.yaml"].replace("Strength", "Force")})
    real = module._carry_over

    def changed(output: Path, new: Path, files: dict[str, str]) -> None:
        (output / "cards" / "tiny" / "mouse-front.png").write_bytes(b"mine")
        real(output, new, files)

    monkeypatch.setattr(module, "_carry_over", changed)
    before = contents(output)
    with pytest.raises(Stop, match="changed while the command ran"):
        built(game, output)

    assert {**before, "cards/tiny/mouse-front.png": b"mine"} == contents(output)


# Builds that end early, and builds at once


class Killed(BaseException):
    """Stands for the end of the process; nothing may catch it."""


def killed(*_: object, **__: object) -> None:
    raise Killed


def test_a_build_that_is_killed_before_its_notes_does_no_harm(
    made_once: Path, output: Path, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The notes are then of the output before. What they name has changed, or is still right."""
    other = write_game(tmp_path / "more" / "tiny", **{"cards.csv": FILES["cards.csv"].replace("Owl,1,7", "Elf,1,9")})
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(module, "write_notes", killed)
        built(other, output)

    assert [] == built(game, output)
    assert cold(made_once) == contents(output)


def test_a_build_that_is_killed_in_the_swap_does_no_harm(
    made_once: Path, output: Path, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one completes it first, and then looks what is there."""
    other = write_game(tmp_path / "more" / "tiny", **{"cards.csv": FILES["cards.csv"].replace("Owl,1,7", "Elf,1,9")})
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr("grimalkin.output.swap._keep", killed)
        (output / "cards" / "tiny" / "notes.txt").write_text("mine")
        built(other, output)
    told = built(game, output)

    assert f"{output.as_posix()}: an interrupted command has been finished" in told
    assert cold(made_once) == contents(output)


def test_a_second_build_is_refused(output: Path, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads neither notes nor files that the first may be about to replace."""
    monkeypatch.setattr("grimalkin.output.swap.PATIENCE", 0.1)
    monkeypatch.setattr(module, "read_notes", killed)
    before = contents(output)
    with FileLock(output / LOCK), pytest.raises(Stop, match="another build is writing here"):
        built(game, output)

    assert before == contents(output)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="whoever may write anywhere is stopped by no mode")
def test_a_store_that_cannot_be_written_costs_nothing_but_time(made_once: Path, output: Path, game: Path) -> None:
    (output / FOLDER).chmod(0o500)
    told = built(game, output)
    (output / FOLDER).chmod(0o700)

    assert [] == told
    assert cold(made_once) == contents(output)


def test_a_store_that_has_no_room_costs_nothing_but_time(
    made_once: Path, output: Path, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(reused, "replace_file", full)

    assert [] == built(game, output)
    assert cold(made_once) == contents(output)


def test_games_of_one_name_in_two_folders_share_what_is_equal(made_once: Path, output: Path, tmp_path: Path) -> None:
    """One replaces the other in an output folder, and what differs is made."""
    game = write_game(tmp_path / "elsewhere" / "tiny", **{"cards.csv": CHANGED})

    assert [] == built(game, output)
    assert cold(made_once) == contents(output)
