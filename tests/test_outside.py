"""A game's folder can come from anybody: only regular files of a bounded size are read, and none outside of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from games_for_tests import FILES, write_game
from no_hang import no_hang
from test_face import with_words

from grimalkin.cli import main
from grimalkin.source import files_digest, game_digest, is_inside

posix = pytest.mark.skipif(os.name == "nt", reason="making links and pipes needs another right on Windows")
ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M0 0L24 24L0 24Z"/></svg>'
LINKED = {
    "game.yaml": "game.yaml",
    "cards.csv": "cards.csv",
    "rules.yaml": "rules.yaml",
    "terms.yaml": "terms.yaml",
    "a template": "faces/plain.svg.j2",
    "faces": "faces",
    "an icon": "icons/bell.svg",
    "icons": "icons",
    "a stock": "stocks/tiny.yaml",
    "stocks": "stocks",
    "a paper": "papers/tiny.yaml",
    "papers": "papers",
    "cutters": "cutters",
    "examples": "examples",
    "playthroughs": "playthroughs",
    "versions": "versions",
}
"""What of a game is read, as files and as folders."""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game that has a file of every kind."""
    return write_game(
        tmp_path / "tiny",
        faces__plain_svg_j2=with_words('{{ icon("bell", 1, 1, 9, ink) }}'),
        **{
            "icons/bell.svg": ICON,
            "stocks/tiny.yaml": "name: Tiny\nshape: rectangle\nwidth: 30\nheight: 40\n",
            "papers/tiny.yaml": "name: Tiny\nwidth: 100\nheight: 150\n",
        },
    )


@posix
@pytest.mark.parametrize("name", LINKED.values(), ids=LINKED)
def test_a_link_that_leads_out_is_refused(
    game: Path, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a file or as a folder, wherever it leads; the file it leads to is sound, so that nothing else is told."""
    monkeypatch.chdir(tmp_path)
    inside, outside = game / name, tmp_path / "outside" / name
    outside.parent.mkdir(parents=True, exist_ok=True)
    if inside.exists():
        inside.rename(outside)
    else:
        outside.mkdir()
        (outside / "x.yaml").write_text("{}")
    inside.symlink_to(outside)

    assert 1 == main(["sheets", str(game), "--output", str(tmp_path / "output"), *CUTTER.get(name, [])])
    told = capsys.readouterr().err
    problem = "this leads out of the game's folder; only files in tiny are read; copy it there"
    first = "/plain.svg.j2" if name == "faces" else ""

    assert f"tiny/{name}{first}: {problem}" in told
    assert not list((tmp_path / "output").rglob("*.pdf"))


CUTTER = {"cutters": ["--cutter", "silhouette", "--paper", "a4"]}


@posix
def test_links_that_stay_inside_are_followed(game: Path, tmp_path: Path) -> None:
    """A designer may keep shared parts in one place of the game."""
    (game / "parts").mkdir()
    for name in ("faces/plain.svg.j2", "icons/bell.svg", "cards.csv", "icons"):
        (game / name).rename(game / "parts" / Path(name).name)
        (game / name).symlink_to(game / "parts" / Path(name).name)

    assert 0 == main(["sheets", str(game), "--output", str(tmp_path / "output"), "--paper", "a4"])


@pytest.mark.parametrize("written", ["../t.csv", "../../../etc/passwd", "/etc/passwd", "faces/../../t.csv"])
def test_a_table_is_named_inside_the_folder(
    game: Path, written: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """However the path is written."""
    (tmp_path / "t.csv").write_text(FILES["cards.csv"])
    (game / "game.yaml").write_text(FILES["game.yaml"].replace("cards.csv", written))

    assert 1 == main(["check", str(game)])
    assert "this leads out of the game's folder" in capsys.readouterr().err


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


def enormous(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(50_000_000_000)


def dangling(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere")


def circle(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.slow("runs a command for each of many files")
@posix
@pytest.mark.parametrize("kind", [pipe, endless, folder, enormous, dangling, circle])
@pytest.mark.parametrize("name", [name for name in LINKED.values() if "." in name])
@pytest.mark.parametrize("command", ["check", "sheets", "build"])
def test_what_is_no_file_is_told(
    game: Path,
    name: str,
    kind: Callable[[Path], None],
    command: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A pipe, a device, a folder, a file of gigabytes, a link to nothing: each is a problem at once, and no hang."""
    (game / name).unlink()
    kind(game / name)
    output = [] if command == "check" else ["--output", str(tmp_path / "output")]
    with no_hang():
        code = main([command, str(game), *output])
    told = capsys.readouterr().err

    assert 1 == code or (command == "check" and "/" in name)  # which reads no faces, stocks and papers
    assert name in told or code == 0
    assert "Traceback" not in told


@posix
@pytest.mark.parametrize("name", [b"b\xff.svg", b"b\x1b.svg", b"b\xc2\x85.svg"])
def test_a_name_that_cannot_be_shown_is_told(game: Path, name: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes that are no letters, and control characters."""
    (Path(os.fsdecode(os.fsencode(game / "icons") + b"/" + name))).write_text(ICON)

    assert 1 == main(["check", str(game)])
    assert "this name has characters that cannot be shown; name the file with letters" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["icons", "stocks", "papers", "cutters", "examples", "playthroughs", "versions"])
def test_a_file_where_a_folder_should_be_is_told(
    game: Path, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And not passed over."""
    shutil.rmtree(game / kind, ignore_errors=True)
    (game / kind).write_text("")

    assert 1 == main(["sheets", str(game), "--output", str(tmp_path / "output"), *CUTTER.get(kind, [])])
    assert f"{kind}: this is a file, but a folder is needed" in capsys.readouterr().err


@pytest.mark.slow("builds in processes")
@posix
@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "C.UTF-8"}]
)
def test_any_path_and_locale_will_do(tmp_path: Path, locale: dict[str, str]) -> None:
    """A folder with an accent, and a file in it, where the language of the system is ASCII."""
    folder = tmp_path / "K\u00e4tzchen"
    folder.mkdir()
    game = write_game(folder / "tiny", **{"icons/gl\u00f6ckchen.svg": ICON})
    for command in (["check"], ["sheets", "--paper", "a4"], ["build", "--paper", "a4"]):
        done = subprocess.run(
            [sys.executable, "-m", "grimalkin", command[0], "./tiny", *command[1:]],
            cwd=folder,
            env={**os.environ, **locale},
            capture_output=True,
            timeout=60,
        )
        told = done.stderr.decode("utf-8", "replace")

        assert "Traceback" not in told
        assert 0 == done.returncode or (locale["LC_ALL"] == "C" and "cannot be shown" in told)
    assert game.is_dir()


@posix
def test_a_digest_stays_inside(game: Path, tmp_path: Path) -> None:
    """A folder that leads to the whole disk, or back to itself, costs nothing."""
    before = game_digest(game)
    (game / "faces" / "root").symlink_to("/")
    (game / "faces" / "again").symlink_to(game / "faces")
    with no_hang():
        assert before == game_digest(game)
        files_digest([game])

    assert is_inside(game / "faces" / "again", game)
    assert not is_inside(game / "faces" / "root", game)
    assert not is_inside(game / ".." / "other", game)
    assert not is_inside(game / "a\0b", game)
