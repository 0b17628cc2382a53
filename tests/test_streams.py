"""What commands say on standard output and standard error, whatever stands in a game and whatever the streams are."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest
import yaml
from games_for_tests import FILES, write_game
from pydantic import TypeAdapter, ValidationError
from soak import sample, sampled

from grimalkin.cli import _parser, main
from grimalkin.cli.common import Plain, bar, plain_streams, progress
from grimalkin.content.schemas import every_file
from grimalkin.content.values import Line, Model, Text
from grimalkin.problems import Place, Problem
from grimalkin.problems.plain import visible
from grimalkin.source import data_folder

pytestmark = [pytest.mark.slow("runs every command, many in processes"), pytest.mark.usefixtures("short_guide")]

WIPES = "\x1b]0;x\x07\x9b2J\x7f"
TURNS = "\u2028\u2066\u202e"
RAW = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""What no command may send to a terminal."""
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="redirections of a POSIX shell")


def commands() -> list[str]:
    actions = [action for action in _parser()._actions if action.choices and action.dest != "help"]
    return list(actions[0].choices)


def text_fields(kind: Any, seen: set[Any]) -> Iterator[str]:
    """The keys of all fields within a model that hold text of a game's author."""
    for part in get_args(kind):
        yield from text_fields(part, seen)
    if isinstance(kind, type) and issubclass(kind, Model) and kind not in seen:
        seen.add(kind)
        for name, inner in get_type_hints(kind, include_extras=True).items():
            if Line in (inner, *get_args(inner)) or Text in (inner, *get_args(inner)):
                yield name.replace("_", "-")
            yield from text_fields(inner, seen)


MODELS = every_file()
KEYS = {key for model in MODELS.values() for key in text_fields(model, set())}
KEYS |= {"source"}  # it names headings of the rulebook, which are texts
KEYS -= {"file", "sheet", "face", "front", "back", "stock", "bots", "trials", "choices", "seats", "web", "of", "after"}
"""Without those whose words lead to something else."""


def marked(value: Any, mark: str, key: str = "") -> Any:
    """What a YAML file says, with a mark in every text of its author; facts stay as they are."""
    if key in ("given", "expect", "check", "draw"):
        return value
    if isinstance(value, dict):
        return {name: marked(inner, mark, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [marked(inner, mark, key) for inner in value]
    return value + mark if key in KEYS and value else value


def marked_game(folder: Path, mark: str) -> Path:
    """Were Kittens as somebody's own game, with a mark in every text."""
    source = data_folder("content") / "were-kittens"
    shutil.copytree(data_folder("templates") / "faces" / "were-kittens", folder / "faces")
    for path in sorted(path for path in source.rglob("*") if path.is_file() and path.parent.name != "versions"):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".yaml":
            data = marked(yaml.load(text, yaml.BaseLoader), mark)
            text = json.dumps({**data, "engine": "were-kittens"} if path.name == "game.yaml" else data)
        copy = folder / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
    return folder


def arguments_of_every_command(mark: str) -> dict[str, list[list[str]]]:
    """Each command with a game, a position, and names of its own that hold a mark."""
    game, name = "./marked", f"a{mark}"
    once = ["--paper", "a4", "--ink", "mono"]
    return {
        "build": [[game, *once, "--draft"], [f"./{name}"]],
        "guide": [["--output", name]],
        "schema": [["--check", "--output", name]],
        "games": [[], [game], [name]],
        "rulebook": [[game, "--form", "screen", "--draft"], [game, "--form", name], [name]],
        "sheets": [[game, *once, "--only", "penny", "--draft"], [game, "--only", name], [game, "--variant", name]],
        "preflight": [[game, *once], [game, "--json", "--paper", name]],
        "check": [[game], [game, "--rules"], [game, "--draft"]],
        "score": [[game, "table.yaml"], [game, "table.yaml", "--json"], [game, name], ["were-kittens", "table.yaml"]],
        "why": [
            [game, "table.yaml", "take penny"],
            [game, "table.yaml", name],
            ["were-kittens", "table.yaml", name],
            [game, "table.yaml", "take penny", "--draw", f"{name}=a", "--seed", name],
        ],
        "start": [
            [game, "Ada", name],
            [game, name, name, "--json"],
            [game, "Ada", "Basil", "--option", f"{name}=1", "--draw", f"a={name}", "--seed", name],
        ],
        "replay": [["WK-PLAY-1", "--game", game], ["WK-PLAY-1", "--seat", name], [name]],
        "simulate": [
            [game, "--games", "3", "--jobs", "1"],
            ["were-kittens", "--bots", name],
            [game, "--options", name],
        ],
        "campaign": [
            *(["new", f"{name}.yaml", which, "Ada", name, "--option", f"{name}=1"] for which in (game, name)),
            *([action, name] for action in ("status", "begin", "play", "kept", "undo", "score", "print")),
            *([action, name, name] for action in ("why", "safehaven", "restore", "play-record", "read")),
            ["tell", name, name, "--won", "--kept", name],
            ["correct", name, name, "--kept", name],
        ],
        "odds": [[game], [name], ["cats-of-new-orleans", name, name, "--when", name, "--seen", name]],
        "test": [["were-kittens"], [name]],
        "new": [["my-game", "--title", name], [name], ["mine", "--engine", "--title", name]],
        "box": [[game, "--deck", name], [name]],
        "preview": [[game, "--no-open", "--port", "0"], [name]],
        "keep": [[game], [name]],
        "fmt": [[game], [game, "--check"], [name]],
        "calibrate": [["--output", f"{name}.pdf"], ["--paper", name]],
        "printer": [["set", name, "--angle", "1"], ["show", name], [name]],
        "cutter": [["cricut", "a4", name], ["cricut", name, "poker"]],
        "dividers": [[game, "--paper", "a4"], [game, "--deck", name], [name]],
        "export": [["zip", game, "--only", "penny"], ["tts", game, "--only", name], [name]],
        "show": [[game, "--only", "penny", "--output", f"{name}.png"], [game, "--only", name], [name]],
    }


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to stand in, in which a preview ends as soon as it has begun."""

    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRIMALKIN_CONFIG", str(tmp_path / "config"))
    monkeypatch.setattr("grimalkin.site.preview.Server.run", interrupted)
    return tmp_path


def test_every_command_is_tried_with_marks() -> None:
    assert set(commands()) == set(arguments_of_every_command(""))
    assert {"title", "text", "tagline", "name", "label", "question", "ruling"} <= KEYS


@sampled("mark", [WIPES, TURNS], 1)
def test_no_command_hands_control_characters_on(here: Path, capsys: pytest.CaptureFixture[str], mark: str) -> None:
    """Not from any text of a game, not from a position, and not from the command line itself."""
    marked_game(here / "marked", mark)
    position = {"seats": {f"Ada{mark}": {"hand": {"penny": "3"}}, "Basil": {}}, f"x{mark}": "1"}
    (here / "table.yaml").write_text(json.dumps(position), encoding="utf-8")
    for command, each in arguments_of_every_command(mark).items():
        for arguments in each:
            with suppress(SystemExit):
                main([command, *arguments])
            said = capsys.readouterr()
            raw = RAW.search(said.out + said.err)

            assert (command, arguments, None) == (command, arguments, raw)


def test_a_sound_game_with_marks_is_told_with_them(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So the commands that were tried with marks did more than refuse a game."""
    marked_game(here / "marked", TURNS)

    assert 0 == main(["check", "./marked"])
    assert 0 == main(["replay", "WK-PLAY-1", "--game", "./marked"])
    said = capsys.readouterr()
    assert "" == said.err
    assert re.match(r"Were Kittens\\u2028\\u2066\\u202e: (\d+) of \1 examples", said.out)
    assert r"Two kittens at midnight\u2028\u2066\u202e (WK-PLAY-1)" in said.out


def test_names_in_a_position_are_shown(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where they would be obeyed; the same text is in JSON what it was."""
    position = {"seats": {f"Ada{WIPES}{TURNS}": {"hand": {"penny": 3}}, "Basil": {}}}
    (here / "table.yaml").write_text(json.dumps(position), encoding="utf-8")
    main(["score", "were-kittens", "table.yaml"])
    told = capsys.readouterr().out
    main(["score", "were-kittens", "table.yaml", "--json"])
    scores = json.loads(capsys.readouterr().out)["scores"]

    assert told.startswith(r"Ada\x1b]0;x\x07\u009b2J\u007f\u2028\u2066\u202e: 6 points")
    assert f"Ada{WIPES}{TURNS}" == scores[0]["seat"]


def test_a_name_on_two_lines_tells_no_score_of_its_own(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    position = {"seats": {"Ada\nBasil: 99 points": {}, "Basil": {}}}
    (here / "table.yaml").write_text(json.dumps(position), encoding="utf-8")

    assert 1 == main(["score", "were-kittens", "table.yaml"])
    said = capsys.readouterr()
    assert ("", 1) == (said.out, said.err.count("\n"))
    assert r"Ada\nBasil: 99 points: a name must be on one line" in said.err


def test_what_a_problem_quotes_is_no_other_problem() -> None:
    """A line that it quotes stays within its own line; the second place has the second line."""
    problem = Problem(Place("a\n.yaml", 1), 'unknown key "x\nb.yaml:1: y"', "z\n", Place("c\n.yaml"))

    assert [
        r'a\n.yaml:1: unknown key "x\nb.yaml:1: y"; z\n',
        r"    c\n.yaml: the other place",
    ] == str(problem).split("\n")


def leaves(kind: Any, seen: set[Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """Every kind of text that a model takes as a value, with the way to it."""
    if isinstance(kind, type) and issubclass(kind, Model):
        if kind not in seen:
            seen.add(kind)
            for name, inner in get_type_hints(kind, include_extras=True).items():
                yield from leaves(inner, seen, f"{path}.{name}")
    elif kind is str or (get_args(kind)[:1] == (str,) and get_origin(kind) is Annotated):
        yield path, kind
    else:
        for part in get_args(kind)[1 if get_origin(kind) is dict else 0 :]:
            yield from leaves(part, seen, path)


def test_what_wrong_usage_quotes_is_no_other_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nor is the name of a file that cannot be read."""
    with pytest.raises(SystemExit):
        main(["check", "--rules", "--x\nall-is-well"])
    assert r"unrecognized arguments: --x\nall-is-well" in capsys.readouterr().err
    main(["calibrate", "--output", "no\nfolder/x.pdf"])
    assert capsys.readouterr().err.startswith(r"no\nfolder")


@pytest.mark.parametrize("name", sorted(MODELS))
def test_texts_of_a_game_hold_no_control_characters(name: str) -> None:
    """Whatever the key: neither fonts nor XML have them. Direction may be marked, as some scripts need it."""
    for path, kind in leaves(MODELS[name], set(), name):
        with pytest.raises(ValidationError):
            TypeAdapter(kind).validate_python("a\x1b[2J")
            pytest.fail(f"{path} takes a control character")


def test_texts_may_mark_their_direction() -> None:
    assert f"a{TURNS}\tb" == TypeAdapter(Text).validate_python(f"a{TURNS}\tb")


def test_a_control_character_in_a_table_is_told_with_its_line(tmp_path: Path) -> None:
    from grimalkin.content import load_game
    from grimalkin.problems import Problems

    problems = Problems()
    load_game(write_game(tmp_path / "tiny", cards_csv=FILES["cards.csv"].replace("Owl", "O\x1bwl")), problems)

    assert ["cards.csv:3: name: the character U+001B cannot be printed; delete it"] == [
        str(problem).rpartition("/")[2] for problem in problems
    ]


# What streams are


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_renews_the_line_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while all else is shown; what it says is shown too."""
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with plain_streams():
        progress()("a\x1b\nb")
        bar("c\x1b", 1)(0)
        sys.stderr.write("d\x1b")

    assert f"\r\x1b[Ka\\x1b\\nb\r\x1b[Kc\\x1b [{'.' * 30}] 0/1d\\x1b" == terminal.getvalue()


def test_a_plain_stream_is_no_terminal() -> None:
    """Libraries that colour what they write to a terminal leave it alone."""
    assert not Plain(Terminal()).isatty()


def test_streams_that_are_not_there_are_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program without a console has none of the three."""
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(f"sys.{name}", None)

    assert 1 == main(["games"])
    assert 1 == main(["printer", "remove", "none"])
    assert 1 == main(["printer", "measure", "kitchen"])
    assert 1 == main(["score", "were-kittens", "-"])


@POSIX
@pytest.mark.soak
def test_every_command_bears_a_reader_who_has_gone(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends by itself, and does not complain to those who listen to its faults."""
    marked_game(here / "marked", "")
    for command, each in arguments_of_every_command("").items():
        for arguments in sample(each, 1):
            read, write = os.pipe()
            os.close(read)
            faults = io.StringIO()
            with os.fdopen(write, "w") as out:
                monkeypatch.setattr("sys.stdout", out)
                monkeypatch.setattr("sys.stderr", faults)
                with suppress(SystemExit):
                    main([command, *arguments])

            assert (command, arguments, False) == (command, arguments, "standard output" in faults.getvalue())


def test_what_cannot_be_shown_as_one_line_is_left_alone() -> None:
    """Lines and tabs of longer texts stay."""
    assert ("a\tb\nc", r"a\tb\nc") == (visible("a\tb\nc", lines=True), visible("a\tb\nc"))


def shell(script: str, **environment: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a line of shell; `grimalkin` is the command."""
    command = f'grimalkin() {{ "{sys.executable}" -m grimalkin "$@"; }}; {script}'
    inherited = {key: value for key, value in os.environ.items() if key not in ("LC_ALL", "LANG", "PYTHONUTF8")}
    done = subprocess.run(["bash", "-c", command], capture_output=True, env=inherited | environment, timeout=120)
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")


CLOSED = "standard output: it is closed\n"
FULL = "standard output: No space left on device\n"


@POSIX
@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("grimalkin games >&-", (1, "", CLOSED)),
        ("grimalkin games >/dev/full", (1, "", FULL)),
        ("grimalkin --help >/dev/full", (1, "", FULL)),
        ("grimalkin games >&- 2>&-", (1, "", "")),
        ("grimalkin biuld 2>&-", (2, "", "")),
        ("grimalkin score none x 2>/dev/full", (1, "", "")),
        ("grimalkin score none x 2>&-", (1, "", "")),
        (
            "grimalkin score were-kittens - <&-",
            (1, "", "standard input: it is closed; name a file, or pipe the position in\n"),
        ),
        (
            "grimalkin score were-kittens - </dev/null",
            (1, "", "standard input: the file is empty; write its content, or delete the file\n"),
        ),
        ("grimalkin printer list <&- | wc -l | tr -d ' '", (0, "1\n", "")),
    ],
)
def test_streams_that_are_closed_or_full_are_told(tmp_path: Path, script: str, expected: tuple[int, str, str]) -> None:
    """Where they can be told, and by the exit code; without a traceback from us, or from Python when it ends."""
    if "/dev/full" in script and not Path("/dev/full").exists():
        pytest.skip("only Linux has a device that is full")

    assert expected == shell(script, GRIMALKIN_CONFIG=str(tmp_path))


@POSIX
def test_a_build_without_any_stream_is_the_same(tmp_path: Path) -> None:
    """No file that it opens takes the place of a stream, and no library asks for one that is not there."""
    write_game(tmp_path / "tiny")
    build = f"cd '{tmp_path}'; grimalkin build ./tiny --paper a4 --ink mono --output"

    assert 0 == shell(f"{build} one")[0]
    assert (1, "", "") == shell(f"{build} two <&- >&- 2>&-")
    one, two = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (tmp_path / "one", tmp_path / "two")
    )
    assert one == two


@POSIX
def test_what_libraries_write_goes_nowhere_when_a_stream_is_closed(tmp_path: Path) -> None:
    """A file that is opened later does not get the number of standard error."""
    script = (
        "import os\nfrom grimalkin.cli.common import plain_streams\n"
        f"with plain_streams(), open({str(tmp_path / 'file')!r}, 'w') as file:\n"
        " os.write(2, b'x')\n assert file.fileno() > 2"
    )

    assert 0 == shell(f"'{sys.executable}' -c \"$SCRIPT\" <&- >&- 2>&-", SCRIPT=script)[0]
    assert "" == (tmp_path / "file").read_text()


@POSIX
def test_a_folder_as_standard_input_is_told() -> None:
    """Python itself says so, and ends."""
    code, _, err = shell("grimalkin score were-kittens - < /")

    assert (1, True, False) == (code, "is a directory" in err, "Traceback" in err)


@POSIX
def test_a_position_can_be_typed(tmp_path: Path) -> None:
    """At a terminal, ended with Ctrl-D."""
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "grimalkin", "score", "were-kittens", "-"]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, text=True) as process:
        os.write(ours, b"seats: {Ada: {hand: {penny: 3}}, Basil: {}}\n\x04")
        out, _ = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)

    assert (0, "Ada: 6 points") == (process.returncode, out.split("\n")[0])


@POSIX
def test_a_reader_who_goes_changes_nothing(here: Path) -> None:
    """The command does its work, says nothing of it, and its exit code is what it would have been."""
    write_game(here / "tiny", cards_csv=FILES["cards.csv"].replace("mouse,Mouse,2", "mouse,Mouse,3"))
    for arguments, code in (
        ("games", 0),
        ("check were-kittens --rules", 0),
        ("check ./tiny", 1),
        ("replay WK-PLAY-1", 0),
        ("simulate were-kittens --games 2 --jobs 1 --json", 0),
        ("new my-game", 0),
        ("--help", 0),
        ("why were-kittens none.yaml x", 1),
    ):
        read, write = os.pipe()
        os.close(read)  # the reader is gone before anything is written, which is the hardest case of `| head -1`
        command = [sys.executable, "-m", "grimalkin", *arguments.split()]
        with os.fdopen(write, "wb") as out:
            done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True)

        assert (arguments, code) == (arguments, done.returncode)
        assert "Traceback" not in done.stderr
        assert "BrokenPipe" not in done.stderr
    assert (here / "my-game" / "game.yaml").is_file()


@POSIX
def test_bytes_that_are_no_text_are_shown(tmp_path: Path) -> None:
    """In arguments, and in what is typed when a printer is measured."""
    typed = r"printf '\xff\n1\n2\n3\n4\n' | grimalkin printer measure kitchen"

    assert (1, "") == shell(r"grimalkin score $'bad\xff' x")[:2]
    assert r"bad\udcff: there is no game" in shell(r"grimalkin score $'bad\xff' x")[2]
    assert 2 == shell(r"grimalkin $'bad\xff'")[0]
    code, _, err = shell(typed, GRIMALKIN_CONFIG=str(tmp_path))
    assert (0, True) == (code, r'"\xff" is not a number of mm' in err)


@POSIX
def test_letters_beyond_a_plain_locale_are_written_as_numbers(tmp_path: Path) -> None:
    """Under LC_ALL=C a path with ü is bytes, and so it is shown; everything works in it."""
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    folder = tmp_path / "für"
    write_game(folder / "tiny", game_yaml=FILES["game.yaml"].replace("title: Tiny", "title: Tïny"))
    into = f"cd '{folder}'"

    code, out, err = shell(f"{into}; grimalkin check ./tiny", **plain)
    assert (0, "T\\xefny: 3 pieces in 1 deck\n", "") == (code, out, err)
    code, _, err = shell(f"{into}; grimalkin score ./tiny ü.yaml", **plain)
    assert (1, True) == (code, "T\\xefny has no engine" in err)
    code, _, err = shell(f"{into}; grimalkin score were-kittens ü.yaml", **plain)
    assert (1, "\\udcc3\\udcbc.yaml: there is no such file\n") == (code, err)
    code, out, err = shell(f"{into}; grimalkin build ./tiny --paper a4; grimalkin build ./tiny --paper a4", **plain)
    assert (0, True, "") == (code, "nothing has changed since the last build" in out, err)
    code, _, err = shell(f"{into}; grimalkin new mine --title Für", **plain)
    assert (1, '--title: "F\\udcc3\\udcbcr" contains characters that are not text') == (code, err.partition(";")[0])
    assert not (folder / "mine").exists()
