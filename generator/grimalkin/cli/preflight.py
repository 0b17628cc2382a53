"""The command `preflight`, which reports print problems."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from grimalkin.cli.common import INKS, Command, add_names, folders, progress
from grimalkin.cli.pictures import add_pictures, find_pictures, read_folder, refuse_ways
from grimalkin.printing.preflight import CHECKS, Fault, faults
from grimalkin.problems import Place, Problems, Stop, extra

if TYPE_CHECKING:
    from grimalkin.content import Game

NEEDS = 'It reads the finished sheets with pikepdf: pip install "grimalkin[pdf]".'


def add(command: Command) -> None:
    preflight = command("preflight", _preflight, "Report print problems", _help())
    preflight.add_argument(
        "games", nargs="*", metavar="GAME", help="games or folders of pictures to check (default: every game)"
    )
    preflight.add_argument(
        "--ink", choices=[*INKS, "all"], default="all", help="designs of the faces to check (default: all)"
    )
    papers = "papers to print on (default: a4,letter)"
    add_names(preflight, "--paper", papers, "NAME,NAME", "a4,letter")
    variant = "check these variants from game.yaml together (default: the usual pieces, then each variant)"
    add_names(preflight, "--variant", variant)
    preflight.add_argument("--json", action="store_true", help="print JSON, for programs")
    add_pictures(preflight)


def _help() -> str:
    wide = max(map(len, CHECKS)) + 4
    lines = [
        textwrap.fill(reason, 100, initial_indent=f"  {name:{wide - 2}}", subsequent_indent=" " * wide)
        for name, reason in CHECKS.items()
    ]
    code = "The exit code is 0 if nothing was found, or only warnings, and 1 otherwise."
    return "\n".join(["checks:", *lines, "", NEEDS, code, ""])


def _preflight(options: argparse.Namespace) -> int:
    from grimalkin.content import as_variant, find_variants
    from grimalkin.content.stocks import load_papers
    from grimalkin.output.printout import find_papers

    with extra(Place("preflight")):
        from grimalkin.printing.preflight.run import preflight

    problems = Problems()
    say = progress()
    found: dict[str, list[Fault]] = {}
    for game in _games(options, problems):
        before = len(problems.found)
        papers = find_papers(options.paper, load_papers(game.folder, problems), Place("--paper"), problems)
        if len(problems.found) > before:
            continue
        inks = INKS if options.ink == "all" else (options.ink,)
        if options.variant:
            games = [as_variant(game, find_variants(game, options.variant, Place("--variant")))]
        else:
            games = [game, *(as_variant(game, [variant]) for variant in game.info.variants)]
        found[game.name] = faults(preflight(games, list(papers.values()), problems, inks, say))
    say("")
    if problems and not found:
        raise Stop(problems)
    if options.json:
        print(json.dumps({name: [fault.record() for fault in of_game] for name, of_game in found.items()}, indent=2))
    else:
        for name, of_game in found.items():
            for fault in of_game:
                print(fault)
            count = len(of_game)
            print(f"{name}: {count or 'no'} finding{'' if count == 1 else 's'}")
    problems.stop()
    return 1 if any(not fault.is_warning for of_game in found.values() for fault in of_game) else 0


def _games(options: argparse.Namespace, problems: Problems) -> Iterator[Game]:
    """Yield every named game and folder of pictures. Report faulty ones as problems, and leave them out."""
    from grimalkin.content import load_game

    pictures = {name: folder for name in options.games if (folder := find_pictures(name))}
    for folder in pictures.values():
        yield read_folder(folder, options)
    named = [name for name in options.games if name not in pictures]
    if named or not pictures:
        refuse_ways(options, ", ".join(named) or "preflight")
        for folder in folders(named, problems):
            before = len(problems.found)
            game = load_game(folder, problems)
            if game is not None and len(problems.found) == before:
                yield game
