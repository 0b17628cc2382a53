"""The commands `build`, `guide`, `schema` and `games`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grimalkin.cli.common import (
    DRAFT,
    Command,
    add_output,
    bar,
    folder_to_make,
    folders,
    print_owed,
    progress,
    remark,
    remarks_on_art,
    telling,
)
from grimalkin.cli.printing import add_settings, settings_of
from grimalkin.cli.shops import report
from grimalkin.problems import Place, Problem, Problems, Stop
from grimalkin.problems.plain import plural, visible

if TYPE_CHECKING:
    from grimalkin.content import Game
    from grimalkin.output.unchanged import Order


GUIDE = "guide"
"""The folder of the guide in an output folder."""


def add(command: Command) -> None:
    build = command("build", _build, "Make the sheets, the rulebooks, the pictures and the site", _BUILD)
    build.set_defaults(changes=True)
    build.add_argument("games", nargs="*", metavar="GAME", help="games to build (default: every game)")
    add_output(build)
    build.add_argument("--draft", action="store_true", help=DRAFT)
    add_settings(build)

    guide = command("guide", _guide, "Make the designers' guide as a site to read offline", _GUIDE)
    guide.set_defaults(changes=True)
    add_output(guide)

    schema = command("schema", _schema, "Write JSON Schemas for all content files", _SCHEMA)
    schema.add_argument(
        "--output", type=folder_to_make, default=Path("content/schemas"), metavar="DIR", help="folder to write to"
    )
    schema.add_argument("--check", action="store_true", help="write nothing; report schemas that are out of date")

    games = command("games", _games, "List the games you can name, or describe one of them", _GAMES)
    games.add_argument("game", nargs="?", metavar="GAME", help="the game to describe")


_BUILD = """\
Output goes to DIR/sheets/GAME (PDF), DIR/rulebooks/GAME.pdf, DIR/cards/GAME (PNG) and DIR/site. It is replaced
completely or not at all: if anything is wrong, the last good output stays. Anything you added or changed there moves to
DIR/kept. Results that a change does not affect come from the last build in DIR; the output is the same as from an empty
folder.

A game that says `draft: yes` in its game.yaml is built even if parts of it are not proved yet; the build lists them,
and every sheet and page says "draft". Text that does not fit gets a red frame, a missing picture or icon becomes a
crossed box, and a missing column a mark; covers and the terminal list them. Unreadable text or a reference to something
that does not exist stops the build, even of a draft.
"""
_GUIDE = """\
The guide goes to DIR/guide: how to make a game, every key of its files, every command. It is the guide of the version
that is installed.
"""
_SCHEMA = """\
Editors with a YAML language server use them to complete and check content files. Each content file names its schema on
its first line.
"""
_GAMES = """\
For one game, the command lists its seats, options and bots, and what it draws: the labels for `draw` in examples and
playthroughs, and for the option --draw of `grimalkin why`.
"""


def _build(options: argparse.Namespace) -> int:
    from grimalkin.output.swap import settle
    from grimalkin.output.unchanged import Order, nothing_to_do
    from grimalkin.source import name_of

    problems, code = Problems(), 0
    order = Order(folders(options.games, problems), options.paper, settings_of(options), options.draft)
    if problems and not order.folders:
        raise Stop(problems)
    with telling(options) as tell:
        settle(options.output, tell)
        state = nothing_to_do(options.output, order)
        if state is None:
            from grimalkin.build import Listener, build

            say = progress()
            drafts: dict[str, tuple[Sequence[Problem], Sequence[Problem]]] = {}
            remarks: list[Problem] = []

            def owe(game: Game, owed: Sequence[Problem], flaws: Sequence[Problem]) -> None:
                remarks.extend(game.remarks)
                if game.info.draft:
                    drafts[game.info.title] = owed, flaws

            state = build(order, options.output, Listener(say, bar, tell, owe))
            say("")
            remark(sorted(remarks))
            for folder in order.folders:  # a file that cannot be used at all is not part of the build
                remark(remarks_on_art(folder, Problems()))
            for title, (owed, flaws) in sorted(drafts.items()):
                print_owed(title, owed, flaws)
        else:
            print("nothing has changed since the last build")
            for folder in order.folders:
                made_before = state.games[name_of(folder)]
                if made_before.draft:
                    things = f"{plural(made_before.unproved, 'thing')} not proved or not right yet"
                    told = f"{things}; `grimalkin check` lists them"
                    print(visible(f"{made_before.draft} is a draft: {told}"))
        games = [state.games[name_of(folder)] for folder in order.folders]
        sheets, pictures = sum(made.sheets for made in games), sum(made.pictures for made in games)
        made = f"{plural(sheets, 'page')} to print, {plural(pictures, 'picture')}"
        print(visible(f"{made} and {plural(state.pages, 'page')} of a site are in {options.output}"))
        print(visible(f"open {options.output / 'site' / 'index.html'}"))
        if order.settings.condition:
            code = _report(options.output, order)
    if problems:  # with installed games; the others can still be built
        options.changes = False
        raise Stop(problems)
    return code


def _report(output: Path, order: Order) -> int:
    """Check the sheets of a build for a print shop. Return the exit code."""
    from grimalkin.source import name_of

    assert order.settings.condition
    folders = [output / "sheets" / name_of(folder) for folder in order.folders]
    files = {f"{folder.name}/{path.name}": path.read_bytes() for folder in folders for path in folder.glob("*.pdf")}
    return report(dict(sorted(files.items())), order.settings.condition)


def _guide(options: argparse.Namespace) -> int:
    from grimalkin.output.swap import staging, swap
    from grimalkin.site.pages import build_guide

    problems = Problems()
    with telling(options) as tell, staging(options.output, [GUIDE], tell) as new:
        (new / GUIDE).mkdir()
        build_guide((new / GUIDE).resolve(), problems)
        problems.stop()
        swap(options.output, [GUIDE], [], tell)
    print(visible(f"open {options.output / GUIDE / 'index.html'}"))
    return 0


def _schema(options: argparse.Namespace) -> int:
    from grimalkin.content import load_game
    from grimalkin.content.schemas import schemas
    from grimalkin.output.disk import naming
    from grimalkin.source import bundled_games, find_game_folder

    problems = Problems()
    games = {name: load_game(find_game_folder(name), problems) for name in bundled_games()}
    made = schemas({name: game for name, game in games.items() if game is not None})
    folder: Path = options.output
    stale = [
        name
        for name, text in made.items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    ]
    if options.check:
        if stale:
            hint = "run `grimalkin schema`"
            raise Stop(Problem(Place(str(folder / name)), "the schema is out of date", hint) for name in stale)
        print(f"{len(made)} schemas are up to date")
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    for name in stale:
        with naming(folder / name):
            (folder / name).write_text(made[name], encoding="utf-8")
    print(f"{len(stale)} of {len(made)} schemas written to {folder}")
    return 0


def _games(options: argparse.Namespace) -> int:
    from grimalkin.games import outside_games
    from grimalkin.source import all_games, bundled_games, local_games

    if options.game is not None:
        return _game(options.game)
    problems = Problems()
    local, ours, outside = local_games(), bundled_games(), outside_games()
    for name in all_games(problems):
        where = "in ./content" if name in local else "" if name in ours else f"from {outside[name].by}"
        print(visible(f"{name}  ({where})" if where else name))
    problems.stop()
    return 0


def _game(name: str) -> int:
    from grimalkin.play.table import open_game

    game = open_game(name)
    least, most = game.seats
    print(f"{game.title}: {least} to {most} seats")
    for title, told in (("options", game.options), ("draws", game.draws)):
        print(f"\n{title}:" + ("" if told else " none"))
        width = max(map(len, told), default=0)
        for label, words in told.items():
            print(f"  {label:{width}}  {words}")
    if any("{seat}" in label for label in game.draws):
        print("  {seat} is the name of any seat")
    print(f"\nbots: {', '.join(game.bots)}")
    return 0
