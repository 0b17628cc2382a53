"""The `grimalkin` command. Exit code 0: all is well; 1: a problem in content, or a move refused; 2: wrong usage."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from grimalkin import __version__
from grimalkin.cli.streams import Plain, plain_streams
from grimalkin.problems import Stop, did_you_mean
from grimalkin.problems.plain import plural, visible

COMMANDS = {
    "making": ("build", "schema", "games"),
    "sheets": ("sheets",),
    "rulebook": ("rulebook",),
    "preflight": ("preflight",),
    "rules": ("check", "score", "replay"),
    "asking": ("start", "why"),
    "campaign": ("campaign",),
    "promises": ("test",),
    "simulating": ("simulate",),
    "odds": ("odds",),
    "designing": ("new", "preview", "keep"),
    "tidying": ("fmt",),
    "printing": ("calibrate", "printer"),
    "cutting": ("cutter",),
    "boxes": ("box",),
    "export": ("export",),
    "showing": ("show",),
}
"""Which commands each module adds, in the order of `--help`."""
MOST_TOLD = 200
"""Problems; whoever mends so many runs the command again."""
DESCRIPTION = """\
Sheets to print and cut, a rules site to browse and search, and an engine that checks every score and every played
example, all from the content files of a tabletop game."""

EPILOG = """\
GAME is the name of a game (./content/NAME if you have one, else one of those that come with Grimalkin or are installed
beside it), or the path of a game's folder. `grimalkin games` lists them.

a first try:
  grimalkin replay WK-PLAY-1
  grimalkin sheets were-kittens
  grimalkin new my-game

In the examples of all commands, ./my-game is the game that the last line makes.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code. Raises SystemExit after `--help`, and after wrong usage."""
    with plain_streams() as out:
        try:
            code = _run(arguments)
        except SystemExit as stop:
            raise SystemExit(_told(out, int(stop.code or 0))) from None
        return _told(out, code)


def _told(out: Plain, code: int) -> int:
    """The exit code, when what a command says must have reached its reader. One who has gone wants no more of it."""
    out.flush()
    if out.fault is None or isinstance(out.fault, BrokenPipeError):
        return code
    if os.name == "nt" and out.fault.errno == errno.EINVAL:  # what Windows says of a reader who has gone
        return code
    print(f"standard output: {out.fault.strerror}", file=sys.stderr)
    return code or 1


def _run(arguments: Sequence[str] | None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = _parser(arguments[0] if arguments else "")
    options = parser.parse_args(arguments)
    if options.run is None:
        parser.print_help()
        return 0
    from grimalkin.games import guarded

    run: Callable[[argparse.Namespace], int] = options.run
    try:
        with guarded():
            return run(options)
    except Stop as stop:
        for problem in stop.problems[:MOST_TOLD]:
            print(problem, file=sys.stderr)
        if len(stop.problems) > MOST_TOLD:
            print(f"… and {len(stop.problems) - MOST_TOLD:,} more", file=sys.stderr)
        if options.changes:
            count = len(stop.problems)
            print(f"{plural(count, 'problem')}; nothing was changed", file=sys.stderr)
        return 1
    except OSError as error:
        print(visible(f"{error.filename or 'the disk'}: {error.strerror or error}"), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        # Not "nothing was changed": new output may be decided already, and then the next command puts it in its place.
        print("stopped", file=sys.stderr)
        return 130


class _Parser(argparse.ArgumentParser):
    """A parser that suggests the nearest word for a wrong command, choice or option, as Python 3.14's can.

    What it quotes of wrong usage stays on one line.
    """

    def error(self, message: str) -> NoReturn:
        super().error(visible(message))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse what this command does not know, where its own options are at hand to suggest one."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            word = next((word.partition("=")[0] for word in unknown if word.startswith("--")), "")
            near = did_you_mean(word, self._option_string_actions) if word else ""
            self.error(f"unrecognized arguments: {' '.join(unknown)}" + f"; {near}" * near.startswith("did"))
        return options, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Say which choice was meant; the whole list only where none is near. `_check_value` is argparse's own."""
        if action.choices is not None and value not in action.choices:
            near = did_you_mean(str(value), map(str, action.choices))
            known = f"choose from {', '.join(map(str, action.choices))}"
            raise argparse.ArgumentError(
                action, f'invalid choice: "{value}"; {near if near.startswith("did") else known}'
            )


def _parser(asked: str = "") -> argparse.ArgumentParser:
    """What the command understands: the command that is asked for, or all where none is that there is."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = _Parser("grimalkin", description=DESCRIPTION, epilog=EPILOG, formatter_class=raw)
    parser.add_argument("--version", action="version", version=f"grimalkin {__version__}")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    def command(
        name: str, run: Callable[[argparse.Namespace], int], summary: str, more: str = ""
    ) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=summary, description=f"{summary}.", epilog=more, formatter_class=raw)
        made.set_defaults(run=run, changes=False)
        return made

    homes = [module for module, names in COMMANDS.items() if asked in names]
    for module in homes or COMMANDS:
        import_module(f"grimalkin.cli.{module}").add(command)
    return parser
