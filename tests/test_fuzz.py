"""Whatever is wrong with a file, it is told: no traceback, no hang, and the last good output stays.

Files of every kind are changed at random, by seed. A short sample belongs to every run of the tests; see soak.py.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from games_for_tests import FILES, write_game
from no_hang import no_hang
from soak import seeded
from test_face import with_words
from waiting import until

from grimalkin.cli import main
from grimalkin.cli.designing import new_game
from grimalkin.content import load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.engine.shape import Misfits
from grimalkin.engine.words import OVER
from grimalkin.games import find_game
from grimalkin.output.swap import MARKER, NEW, settle
from grimalkin.printing.face import Composer
from grimalkin.problems import Problems
from grimalkin.source import bundled_games, data_folder
from grimalkin.testing import checks

pytestmark = pytest.mark.slow("breaks games by the dozen")

Facts = Callable[[str], dict[str, Any]]
NASTY = [
    b"", b"\0", b"\x1b[2J", "\u202e".encode(), b"\xff\xfe", b"\xed\xa0\x80", b"9"*400, b"1e400", b"-1",
    b"nan", b"inf", b"null", b"~", b"[[", b"]]", b"{{", b"}}", b"{%", b"%}", b"{#", b"*", b"**", b"_", b"`",
    b":paw:", b":", b"&a", b"*a", b"<<: x", b"!!python/object:os.system", b"..", b"../../x", b"/etc/passwd",
    b"a"*5000, b"["*100, b"{a: "*70, b"\t", b"\r", b"\n", b"\n\n---\n", b"\xef\xbb\xbf", "e\u0301".encode(),
    b"=1+1", b"<svg>", b"</svg>", b"<!--", b"]]>", b"<![CDATA[", b"&lt;", b"&#0;", b"&x;", b"\\", b"'", b'"',
    b",", b";", b"- ", b": ", b"#", b"|", b">", b"%", b"0", b"yes", b"CON", "💥".encode(), b"#1d1a26",
    b"url(http://example.org)", b"M0 0", b"1 1 2 2", b"scale(9999999)", b"@", b"{{ card }}",
    b"{{ card.name.upper.func }}", b"{% include 'x' %}", b"{% for a in range(99999) %}", b"<g>", b"</g>",
]  # fmt: skip
EXPRESSIONS = [
    "card", "decks", "game", "palette", "stock", "ink", "side", "none", "true", "1", "-1", "0", "1e308",
    "'x'", "''", "[]", "{}", "()", "range(9)", "namespace(a=1)", "dict(a=1)", "loop", "self", "caller",
    "super", "icon", "fail", "x", "'%s'",
]  # fmt: skip
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "~", "==", "<", "in", "and", "or"]
NAMES = ["name", "id", "upper", "format", "join", "items", "get", "index", "__class__", "func", "a", "cycle", "split"]
FILTERS = ["upper", "list", "join", "map('upper')", "sort", "first", "length", "int", "groupby('id')", "unique", "sum"]


def changed(chance: random.Random, data: bytes) -> bytes:
    """A file with one to four faults."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        words = list(re.finditer(rb"[\w.#-]+", data))
        lines = data.split(b"\n")
        line = chance.randrange(len(lines))
        match chance.randrange(8):
            case 0 | 1 if words:
                word = chance.choice(words)
                by = chance.choice([*NASTY, chance.choice(words)[0]])
                data = data[: word.start()] + by + data[word.end() :]
            case 2:
                data = data[:at] + chance.choice(NASTY) + data[at:]
            case 3:
                data = b"\n".join(lines[:line] + lines[line + 1 :])
            case 4:
                data = b"\n".join(lines[:line] + [lines[line]] * chance.choice([2, 3, 60]) + lines[line + 1 :])
            case 5:
                other = chance.randrange(len(lines))
                lines[line], lines[other] = lines[other], lines[line]
                data = b"\n".join(lines)
            case 6 if data:
                data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
            case 7 if chance.random() < 0.3:
                data = data[:at]
            case _:
                data = data[:at] + data[at + chance.randrange(20) :]
    return data


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> int:
    """The exit code of a command that may refuse, but says why, at a place."""
    with no_hang():
        code = main(arguments)
    captured = capsys.readouterr()
    said = captured.err or captured.out  # a move that is refused is an answer, and no fault

    assert code in (0, 1)
    assert code == 0 or re.match(r"[^\n:]+(:\d+)?: \S", said), said
    assert "Traceback" not in said
    return code


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game that designers begin with, which has files of nearly every kind, and an icon, a stock and a paper."""
    folder = tmp_path_factory.mktemp("fuzz") / "harbour"
    new_game(folder, "Harbour", "HAR")
    more = {
        "icons/bell.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n<path d="M1 1L9 9Z"/>\n</svg>\n',
        "stocks/tiny.yaml": "name: Tiny\nshape: rectangle\nwidth: 30\nheight: 40\ncorner: 2\nbleed: 2\nsafe: 2\n",
        "papers/tiny.yaml": "name: Tiny\nwidth: 100\nheight: 150\nmargin: 5\n",
        "shops/tiny.yaml": "name: Tiny\nbleed: 3 mm\nproducts: [{id: a, name: A, width: 2.5 in, height: 3.5 in}]\n",
    }
    for name, text in more.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


def broken(begun: Path, folder: Path, seed: int) -> Path:
    """The game with one file changed."""
    chance = random.Random(seed)
    game = Path(shutil.copytree(begun, folder / "harbour"))
    path = chance.choice(sorted(path for path in game.rglob("*") if path.is_file()))
    path.write_bytes(changed(chance, path.read_bytes()))
    return game


@seeded(20)
def test_a_broken_game_is_told(begun: Path, tmp_path: Path, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    """By `check` and by `sheets`, whatever file is broken; sheets come whole or not at all."""
    game = broken(begun, tmp_path, seed)
    told(capsys, "check", str(game))
    code = told(capsys, "sheets", str(game), "--output", str(tmp_path / "out"), "--paper", "a4")

    assert (code == 0) == any((tmp_path / "out").rglob("*.pdf"))


@seeded(6)
def test_a_broken_game_is_not_built(begun: Path, tmp_path: Path, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    """The site and the sheets of a broken game come whole or not at all."""
    game = broken(begun, tmp_path, seed + 1_000_000)
    code = told(capsys, "build", str(game), "--output", str(tmp_path / "out"), "--paper", "a4", "--ink", "mono")

    assert (code == 0) == (tmp_path / "out" / "site" / "index.html").is_file()


def expression(chance: random.Random, depth: int = 3) -> str:
    """An expression that Jinja may or may not understand."""
    if depth == 0 or chance.random() < 0.2:
        return chance.choice(EXPRESSIONS)
    one, other = (expression(chance, depth - 1) for _ in range(2))
    return chance.choice(
        [
            f"{one}.{chance.choice(NAMES)}",
            f"{one}.{chance.choice(NAMES)}({other})",
            f"{one}[{other}]",
            f"{one}|{chance.choice(FILTERS)}",
            f"({one} {chance.choice(OPERATORS)} {other})",
            f"[{one}, {other}]",
            f"({one}, {other})",
            f"{{{one}: {other}}}",
            f"{one}({other})",
            f"({one} if {other} else 1)",
            f"{one} is {chance.choice(['defined', 'string', 'mapping', 'none', 'in([1])', 'divisibleby(0)'])}",
            f"{one}[{other}:]",
            f"-{one}",
        ]
    )


def statement(chance: random.Random) -> str:
    one, other = expression(chance), expression(chance)
    return chance.choice(
        [
            f"{{{{ {one} }}}}",
            f"{{% set x = {one} %}}{{{{ x }}}}",
            f"{{% for y in {one} %}}{{{{ {other} }}}}{{% endfor %}}",
            f"{{% if {one} %}}{{{{ {other} }}}}{{% endif %}}",
            f"{{% macro m(a={one}) %}}{{{{ a }}}}{{{{ {other} }}}}{{% endmacro %}}{{{{ m() }}}}",
            f"{{% set s = namespace(l={one}) %}}{{% for i in range(99) %}}{{% set s.l = [s.l, {other}] %}}"
            "{% endfor %}{{ s.l == s.l }}",
            f"{{% include {one} %}}",
            f"{{% import {one} as m %}}{{{{ m.{chance.choice(NAMES)} }}}}",
            f"{{% filter {chance.choice(FILTERS)} %}}{{{{ {one} }}}}{{% endfilter %}}",
            f'<textbox x="{{{{ {one} }}}}" y="1" width="30" height="30">{{{{ {other} }}}}</textbox>',
            f'<path d="{{{{ {one} }}}}"/>',
        ]
    )


@seeded(5)
def test_a_broken_template_is_told(tmp_path: Path, seed: int) -> None:
    """Statements that nobody would write, and our own templates with faults; ten of each for one seed."""
    chance = random.Random(seed)
    ours = sorted((data_folder("templates") / "faces").rglob("*.j2"))
    for number in range(20):
        if number % 2:
            text = with_words(statement(chance))
        else:
            text = changed(chance, chance.choice(ours).read_bytes()).decode("utf-8", "replace")
        problems = Problems()
        game = load_game(write_game(tmp_path / f"tiny-{number}", faces__plain_svg_j2=text), problems)
        assert game is not None
        composer = Composer(game, load_stocks(game.folder, problems), problems)
        deck = game.info.decks[0]
        with no_hang():
            faces = [composer.faces(deck, row) for row in game.components[deck.id]]

        # A block that nobody draws and text outside all blocks are faults of a face that can be drawn.
        severe = [one for one in problems if not re.search("there is no block|outside all blocks", one.message)]
        assert bool(severe) == any(face is None for both in faces for face in both)
        for problem in problems:
            assert "faces" in problem.place.path
            assert len(problem.message) < 2_000


POSITIONS = [name for name in bundled_games() if find_game(name)]


@pytest.fixture(scope="session")
def positions() -> dict[str, list[bytes]]:
    """Positions of every game: those of its examples."""
    found: dict[str, list[bytes]] = {}
    for name in POSITIONS:
        game = load_game(data_folder("content") / name, Problems())
        assert game is not None
        found[name] = [json.dumps(example.given, indent=1).encode() for example in game.examples if example.given]
    return found


@pytest.mark.parametrize("name", POSITIONS)
@seeded(4)
def test_a_broken_position_is_told(
    positions: dict[str, list[bytes]], name: str, seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By `score`, and by `why` for a move that nobody can read."""
    chance = random.Random(f"{name} {seed}")
    path = tmp_path / "table.yaml"
    path.write_bytes(changed(chance, chance.choice(positions[name])))
    move = changed(chance, b"make nickel 4, eat dime").decode("utf-8", "replace").replace("\0", "")
    told(capsys, "score", name, str(path))
    told(capsys, "why", name, str(path), "--", move)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every list and table of a record with every key of it."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from places(value[key])


def rearranged(chance: random.Random, record: Any, words: Sequence[str]) -> Any:
    """A position with one to four things of it gone, exchanged, moved or added."""
    record = deepcopy(record)
    for _ in range(chance.randint(1, 4)):
        (inside, key), (other, there) = (chance.choice(list(places(record))) for _ in range(2))
        match chance.randrange(4):
            case 0:
                del inside[key]
            case 1 if type(inside[key]) is type(other[there]):
                one, another = deepcopy((inside[key], other[there]))
                inside[key], other[there] = another, one
            case 2 if type(inside) is type(other) is dict and type(inside[key]) is type(other[there]):
                other[key] = inside.pop(key)
            case 3 if isinstance(inside[key], list):
                inside[key].append(chance.choice(words))
            case 3 if isinstance(inside[key], dict):
                inside[key][chance.choice(words)] = chance.randrange(4)
    return record


@pytest.mark.parametrize("name", POSITIONS)
@seeded(2)
def test_whoever_is_to_act_in_a_position_can_act(name: str, seed: int, facts_of: Facts) -> None:
    """Whatever loads, legal() is never empty while somebody is to act; each phase is tried as often as the others."""
    game, facts, chance = find_game(name), facts_of(name), random.Random(f"{name} {seed}")
    assert game is not None
    phases: dict[str, list[Any]] = {}
    for seats in range(game.SEATS[0], game.SEATS[1] + 1):
        for state in checks.every_state(checks.Setting(game.__name__, facts, seats, seed)):
            record = state.position()
            phases.setdefault(record["phase"], []).append(record)
    loaded = 0
    for number in range(600):
        record = chance.choice(phases[sorted(phases)[number % len(phases)]])
        record = rearranged(chance, record, list(facts["components"]))
        try:
            state = game.load(facts, record)
        except Misfits:
            continue
        loaded += 1

        assert state.to_act() == OVER or state.legal(), record
    assert loaded > 60


@pytest.fixture(scope="session")
def form(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The score sheet that can be filled in."""
    out = tmp_path_factory.mktemp("form")
    assert 0 == main(["sheets", "wolf-mans-curse", "--output", str(out), "--only", "score-sheet", "--paper", "a4"])
    return next(out.rglob("*-form.pdf")).read_bytes()


@seeded(6)
def test_a_broken_form_is_told(form: bytes, seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A PDF with faults anywhere in it, whole or cut off."""
    chance = random.Random(seed)
    path = tmp_path / "sheet.pdf"
    path.write_bytes(changed(chance, form))
    told(capsys, "score", "wolf-mans-curse", str(path))


@pytest.mark.skipif(os.name == "nt", reason="a process is not killed at once on Windows")
@seeded(2)
def test_a_build_that_is_killed_harms_nothing(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """At any moment: the output is then the old one or the new one, as a whole, once the next command has looked at it.
    Every other build is killed when all is made and the swap begins, which is over in a moment."""
    monkeypatch.setattr(
        "grimalkin.output.swap.PATIENCE", 60
    )  # what helped the killed build holds the lock until it ends
    chance = random.Random(seed)
    output = tmp_path / "out"
    cards = [FILES["cards.csv"].replace("Mouse", name) for name in ("Shrew", "Vole")]
    games = [write_game(tmp_path / str(number) / "tiny", cards_csv=table) for number, table in enumerate(cards)]
    builds: list[dict[str, bytes]] = []
    for game in games:
        assert 0 == main(["build", str(game), "--output", str(output), "--paper", "a4"])
        builds.append(contents(output))
    differ = {name.split("/")[0] for name, data in builds[0].items() if data != builds[1].get(name)}
    assert {"sheets", "cards", "site"} == differ  # else half a swap would look like a whole one
    (output / "site" / "notes.txt").write_text("mine")
    command = [sys.executable, "-m", "grimalkin", "build", str(games[0]), "--output", str(output), "--paper", "a4"]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if seed % 2:
        until(lambda: running.poll() is not None or (output / NEW / MARKER).exists(), pause=0.0002)
    with suppress(subprocess.TimeoutExpired):
        running.wait(10 ** chance.uniform(-4, -1.5) if seed % 2 else chance.uniform(0, 2))
    running.kill()
    running.wait()
    settle(output, lambda _: None)

    assert contents(output) in builds
    assert 0 == main(["build", str(games[1]), "--output", str(output), "--paper", "a4"])
    assert builds[1] == contents(output)
    assert ["mine"] == [path.read_text() for path in output.rglob("notes.txt")]


def contents(output: Path) -> dict[str, bytes]:
    """What was made, but for records, which are never replaced."""
    return {
        path.relative_to(output).as_posix(): path.read_bytes()
        for kind in ("sheets", "cards", "site")
        for path in sorted((output / kind).rglob("*"))
        if path.is_file() and path.name != "notes.txt"
    }
