"""The command `fmt`, which formats the maps of a game."""

from __future__ import annotations

import argparse

from grimalkin.cli.common import Command
from grimalkin.problems import Place, Problems, shown_path
from grimalkin.problems.plain import plural

_FMT = """\
A map is a text that looks like the map (`maps/NAME.txt`). This command corrects its blanks, the letters of its columns
and the numbers of its rows; what is drawn stays the same. If a map has problems, it reports them and leaves the map
unchanged.

examples:
  grimalkin fmt ./my-game
  grimalkin fmt ./my-game --check

With --check, nothing is written, and the exit code is 1 if a map would change.
"""


def add(command: Command) -> None:
    fmt = command("fmt", _fmt, "Format the maps of a game", _FMT)
    fmt.add_argument("game", metavar="GAME", help="the game whose maps to format")
    fmt.add_argument("--check", action="store_true", help="only report which maps would change")


def _fmt(options: argparse.Namespace) -> int:
    from grimalkin.content.loading import game_file
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
