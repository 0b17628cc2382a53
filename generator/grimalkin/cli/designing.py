"""The commands `test`, `new`, `preview`, `keep` and `fmt`, for those who design a game."""

from __future__ import annotations

import argparse
import importlib.util
import json
import keyword
import re
import shlex
from pathlib import Path

from grimalkin.cli.common import GAME, Command, load
from grimalkin.cli.layouts import LAYOUTS
from grimalkin.cli.printables import PRINTABLE, add_pictures, find_pictures, reader, refuse_ways
from grimalkin.problems import Place, Problems, Stop, shown_path
from grimalkin.problems.plain import LONGEST_ID, fault_of_name, is_name_of_game, plural, visible

LONGEST = 2_000
"""The maximum number of characters to print about one broken promise."""


_TEST = """\
The command plays random games with every number of seats, and checks them. For the examples, see `grimalkin check`.
The exit code is 0 if all promises are kept, and 1 otherwise.
"""


def _test(options: argparse.Namespace) -> int:
    from grimalkin.content import facts_in
    from grimalkin.engine.outside import raised
    from grimalkin.games import find_game
    from grimalkin.play.simulation.run import where_is
    from grimalkin.source import find_game_folder
    from grimalkin.testing import promises

    problems = Problems()
    found = facts_in(find_game_folder(options.game), problems)
    if found is None or problems:
        raise Stop(problems)
    engine, facts = found
    module = find_game(engine)
    if module is None:
        raise Stop.at(Place(options.game), "no engine plays this game")
    broken: dict[str, str] = {}
    kept: dict[str, str] = {}
    for promise in promises(where_is(module), facts):
        check = promise.check.__name__
        kept.setdefault(check, promise.means)
        if check in broken:
            continue
        try:
            promise()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            said = str(error) if isinstance(error, AssertionError) else raised(error, module)
            broken[check] = f"{promise.setting.seats} seats, seed {promise.setting.seed}: {said}"[:LONGEST]
    for check, means in kept.items():
        print(f"{'BROKEN' if check in broken else 'kept  '}  {check}: {means}")
        if check in broken:
            print(visible(f"        {broken[check]}", lines=True))
    print(f"\n{len(kept) - len(broken)} of {len(kept)} promises are kept")
    return 1 if broken else 0


FIRST_PORT = 8347
PORTS_TRIED = 20


def add(command: Command) -> None:
    test = command("test", _test, "Test a game's engine against the promises that every engine makes", _TEST)
    test.add_argument("game", metavar="GAME", help="the game whose engine to test")

    new = command("new", _new, "Begin a game of your own: a small, complete game to change", _NEW)
    new.add_argument("folder", metavar="NAME", help="the folder to make: small letters, digits and hyphens")
    new.add_argument("--title", metavar="TITLE", help="title of the game (default: made from its name)")
    new.add_argument(
        "--from", dest="table", metavar="TABLE", help="make a game from this table of cards: XLSX, ODS, CSV, JSON …"
    )
    new.add_argument("--sheet", metavar="NAME", help="sheet of the workbook (default: the first that is not hidden)")
    new.add_argument(
        "--layout", choices=list(LAYOUTS), metavar="NAME", help="how the cards look: a layout from the list below"
    )
    new.add_argument(
        "--engine",
        action="store_true",
        help="make a Python project: content, an engine that knows the rules, and its tests",
    )

    preview = command(
        "preview", _preview, "Show all faces of a game in the browser, and update them whenever you save", _PREVIEW
    )
    preview.add_argument("game", metavar="GAME", help=PRINTABLE)
    preview.add_argument(
        "--port",
        type=_port,
        metavar="N",
        help=f"port of the page on this machine (default: the first free one from {FIRST_PORT})",
    )
    preview.add_argument("--no-open", action="store_true", help="only print the address; open no browser")
    add_pictures(preview)

    keep = command("keep", _keep, "Keep this version of a game, so that later ones can be compared with it", _KEEP)
    keep.add_argument("game", metavar="GAME", help=GAME)
    keep.add_argument(
        "--note", default="", metavar="TEXT", help='what is new in this version, such as "clearer wording"'
    )

    fmt = command("fmt", _fmt, "Format the maps of a game", _FMT)
    fmt.add_argument("game", metavar="GAME", help="the game whose maps to format")
    fmt.add_argument("--check", action="store_true", help="only report which maps would change")


_NEW = """\
The game has cards, tokens, rules and terms, and works immediately:
  grimalkin new night-cats --title "Cats of the Night"
  grimalkin preview ./night-cats
  grimalkin build ./night-cats
With --engine, it is a Python project with another small game. Its engine knows the rules, and bots can play it:
  grimalkin new paw-prints --engine
  pip install --editable ./paw-prints
With --from, the game is a deck from your own table, drawn with the layout that suits its columns. With only --layout,
it is a few cards for you to change:
  grimalkin new harbour --from deck.xlsx
  grimalkin new pouch --from deck.xlsx --sheet Tokens --layout token
  grimalkin new riddles --layout flash
The layouts:
""" + "".join(f"  {layout.name:<10}{layout.about}\n" for layout in LAYOUTS.values())
_PREVIEW = """\
The page shows every face at true size and updates as soon as you save. Problems appear with their file and line while
the last good faces stay; remarks have a list of their own. You choose the inks, and can show the cut, the safe area,
the bleed and the space for each text. The page is visible only on this machine. Ctrl-C ends it.
  grimalkin preview ./my-game
  grimalkin preview were-kittens --no-open --port 9000
  grimalkin preview ./pictures
"""
_KEEP = """\
Run this when you publish a version. It writes the rules and the look of every piece to versions/VERSION.json, where
VERSION is the `rules-version` in game.yaml. It never overwrites a kept version.
  grimalkin keep ./my-game --note "first release"
From then on, `check` asks for a new revision of each rule that you reword, and you need to print only what has changed:
  grimalkin check ./my-game
  grimalkin sheets ./my-game --changed-since 0.1
"""


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f'"{text}" is not a port: a number up to 65535')
    return int(text)


def _new(options: argparse.Namespace) -> int:
    folder = Path(options.folder)
    title = " ".join((options.title or folder.name.replace("-", " ").title()).split())
    if options.table or options.layout:
        if options.engine:
            raise Stop.at(Place("--engine"), "an engine comes with a game of its own", "leave out --from and --layout")
        from grimalkin.cli.beginning import new_from

        check_new(folder, title)
        return new_from(folder, title, options)
    if options.sheet:
        raise Stop.at(Place("--sheet"), "there is no table", "name one with --from")
    prefix = prefix_of(folder.name)
    files = new_game(folder, title, prefix, options.engine)
    shown = shlex.quote(folder.as_posix() if folder.is_absolute() or len(folder.parts) > 1 else f"./{folder}")
    print(f"{title} is in {shown}: {len(files)} files; its rule ids begin with {prefix}-")
    if options.engine:
        print(f"now run  pip install --editable {shown} pytest  and then  grimalkin check {folder.name}")
        print(f"then     read {shown}/README.md, and change {shown}/src/{package_of(folder.name)}/engine.py")
        return 0
    print(f"now run  grimalkin preview {shown}  and change {shown}/cats.csv")
    print(f"then     grimalkin build {shown}  for sheets to print and a site")
    return 0


def prefix_of(name: str) -> str:
    """Return two to four capital letters for rule ids, from a folder's name.

    >>> prefix_of("seven-cats-at-sea"), prefix_of("harbour"), prefix_of("2048"), prefix_of("go-7")
    ('SCAS', 'HAR', 'GAME', 'GO')
    """
    words = re.findall("[a-z]+", name)
    letters = "".join(word[0] for word in words[:4]) if len(words) > 1 else "".join(words)[:3]
    return letters.upper() if len(letters) > 1 else "GAME"


def package_of(name: str) -> str:
    """Return the name of a game's Python package."""
    return name.replace("-", "_")


def new_game(folder: Path, title: str, prefix: str, engine: bool = False) -> list[Path]:
    """Copy the starting game into a new folder, with its own title and rule ids. Returns the files written.

    With `engine`, copy the starting game that is a Python project; it looks the same. Stops if the folder exists, so
    that nothing is overwritten.
    """
    from grimalkin.output.disk import write_new

    check_new(folder, title, engine)
    files = []
    for inside, path in sorted(_to_begin_with(engine).items()):
        copy = folder / _renamed(inside, folder.name)
        files.append(copy)
        if path.suffix == ".png":
            write_new(copy, path.read_bytes())
            continue
        text = path.read_text(encoding="utf-8").replace('"New Game"', json.dumps(title, ensure_ascii=False))
        text = re.sub(r"\bNG(?=-|\"|$)", prefix, text, flags=re.MULTILINE)
        write_new(copy, _renamed(text, folder.name))
    return files


def check_new(folder: Path, title: str, engine: bool = False) -> None:
    """Stop if a game with this title cannot be made in this folder, which must not exist yet."""
    from grimalkin.content.filenames import RESERVED_NAMES
    from grimalkin.content.values import NO_TEXT
    from grimalkin.games import is_ours, outside_games
    from grimalkin.source import bundled_games

    name = folder.name
    place = Place(folder.as_posix())
    if not is_name_of_game(name):
        better = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST_ID].strip("-")
        hint = "small letters, digits and hyphens" + (f'; "{better}" would do' if better else "")
        raise Stop.at(place, f'a game folder cannot be called "{name}"', hint)
    if fault_of_name(name):
        raise Stop.at(place, f'a game folder cannot be called "{name}"', fault_of_name(name))
    if name in RESERVED_NAMES:
        raise Stop.at(place, f'a game folder cannot be called "{name}"', "the site has a folder with this name")
    if name in bundled_games() or is_ours(name):
        raise Stop.at(place, f'a game called "{name}" comes with Grimalkin', "choose another name")
    if other := outside_games().get(name):
        raise Stop.at(place, f'a game called "{name}" comes with {other.by}', "choose another name")
    if engine and (fault := _fault_of_package(package_of(name))):
        raise Stop.at(place, f'a Python package cannot be called "{package_of(name)}"', fault)
    if folder.exists() or folder.is_symlink():
        raise Stop.at(place, "this exists already", "name a new folder")
    if not folder.parent.is_dir():
        raise Stop.at(Place(folder.parent.as_posix()), "there is no such folder", "make it first")
    if NO_TEXT.search(title):
        hint = "leave it out, and write it into game.yaml"
        raise Stop.at(Place("--title"), f'"{title}" contains characters that are not text', hint)


def _to_begin_with(engine: bool) -> dict[str, Path]:
    """Return the files of a starting game, by their paths in its folder."""
    from grimalkin.source import data_folder

    plain = data_folder("templates") / "new-game"
    if not engine:
        return _files(plain)
    faces = (f"faces/{name}.svg.j2" for name in ("cat", "cat-back", "portrait"))
    looks = ("art/roofs.png", "art/weathervane.svg", "icons/fish.svg", "icons/wave.svg", *faces)
    content = "src/new_game/content/new-game"
    return _files(plain.parent / "new-engine") | {f"{content}/{name}": plain / name for name in looks}


def _files(folder: Path) -> dict[str, Path]:
    """Return every file below a folder by its path in it, except compiled Python files."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(folder).as_posix(): path for path in found}


def _renamed(text: str, name: str) -> str:
    """Rename the starting game in text or a path."""
    return text.replace("new-game", name).replace("new_game", package_of(name))


def _fault_of_package(package: str) -> str:
    """Return why a game's package cannot have this name; "" if it can."""
    if not package.isidentifier() or keyword.iskeyword(package):
        return "begin with a letter, and do not use a Python keyword"
    if importlib.util.find_spec(package) is not None:
        return "another package has this name, and Python would find that one; choose another name"
    return ""


def _keep(options: argparse.Namespace) -> int:
    from grimalkin.content.versions import FOLDER, LONGEST_NAME, NAME, kept_text
    from grimalkin.output.disk import read_small, write_new
    from grimalkin.output.printout import designs_of, record_now
    from grimalkin.printing.draw.stocks import load_stocks
    from grimalkin.printing.face import Composer
    from grimalkin.printing.sheet.settings import Edition
    from grimalkin.problems import Problems, shown_path
    from grimalkin.source import content_fingerprint

    game = load(options.game)
    folder, problems = game.folder, Problems()
    version = game.info.rules_version
    if not NAME.fullmatch(version) or len(version) > LONGEST_NAME or fault_of_name(f"{version}.json"):
        place = game.source.place(("rules-version",)) if game.source else Place(shown_path(folder))
        hint = "letters and digits, with single dots or hyphens between them: 1.0, 2026-11"
        raise Stop.at(place, f'a version to keep cannot be called "{version}"', hint)
    stocks = load_stocks(folder, problems)
    edition = Edition(version, content_fingerprint(folder))
    composers = [(Composer(printed, stocks, problems, inks), inks) for printed, inks in designs_of(game, "full")]
    records = [json.loads(record_now(composer, edition, inks).text()) for composer, inks in composers]
    problems.stop()
    path = folder / FOLDER / f"{version}.json"
    text = kept_text(game, records, options.note).encode()
    before = read_small(path)
    if before is None:
        write_new(path, text)
        print(f"version {version} is kept in {shown_path(path)}")
    elif before == text:
        print(f"version {version} is already kept, and nothing has changed since")
    else:
        hint = "raise `rules-version` in game.yaml; or delete the file if nobody has seen that version"
        raise Stop.at(Place(shown_path(path)), f"version {version} is already kept, and differs", hint)
    return 0


def _preview(options: argparse.Namespace) -> int:
    import webbrowser

    from grimalkin.site.preview import Preview, serve
    from grimalkin.source import find_game_folder

    pictures = find_pictures(options.game)
    if pictures:
        preview = Preview(pictures, reader(options), (".pdf", ".PDF"))
    else:
        preview = Preview(find_game_folder(options.game))
        refuse_ways(options, options.game)
    ports = range(FIRST_PORT, FIRST_PORT + PORTS_TRIED) if options.port is None else [options.port]
    server = next(filter(None, (serve(preview, port) for port in ports)), None)
    if server is None:
        if options.port is None:
            message = f"the ports {ports[0]} to {ports[-1]} are all in use"
        else:
            message = f"port {options.port} is in use or not allowed"
        raise Stop.at(Place("--port"), message, "name another with --port, or leave it out")
    try:
        print(f"{preview.title} is at {server.address}")
        print("it updates when you save; Ctrl-C ends it", flush=True)
        if not options.no_open:
            webbrowser.open(server.address)
        server.run()
    except KeyboardInterrupt:
        print("\nclosed")
    finally:
        server.close()
    return 0


_FMT = """\
A map is a text file that looks like the map (`maps/NAME.txt`). This command corrects its spaces, column letters and row
numbers; the drawn map stays the same. If a map has problems, it reports them and leaves the map
unchanged.

examples:
  grimalkin fmt ./my-game
  grimalkin fmt ./my-game --check

With --check, nothing is written, and the exit code is 1 if a map would change.
"""


def _fmt(options: argparse.Namespace) -> int:
    from grimalkin.content.loader import game_file
    from grimalkin.content.maps import print_map, read_map
    from grimalkin.output.disk import replace_file
    from grimalkin.source import files_in, find_game_folder, read_text

    problems = Problems()
    folder = find_game_folder(options.game)
    info = game_file(folder, problems)
    problems.stop()
    marks = info.maps.marks if info is not None and info.maps else {}
    changed, seen = [], 0
    for path in files_in(folder, "maps", ".txt", problems):
        text = read_text(path, problems, folder)
        if text is None:
            continue
        drawn, faults = read_map(text, path.stem, marks, mend=True)
        for line, message, hint in faults:
            problems.add(Place(shown_path(path), line), message, hint)
        if drawn is None:
            continue
        seen += 1
        printed = print_map(drawn)
        if path.read_bytes() != printed.encode():
            changed.append(path)
            if not options.check:
                replace_file(path, printed)
    for path in changed:
        print(f"{shown_path(path)}: {'would be rewritten' if options.check else 'rewritten'}")
    print(f"{plural(seen, 'map')}, {len(changed)} of them {'to change' if options.check else 'changed'}")
    problems.stop()
    return 1 if options.check and changed else 0
