"""The `grimalkin` command. Exit code 0: all is well; 1: a problem in content, or a move refused; 2: wrong usage."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

from grimalkin import __version__
from grimalkin.cli.common import Plain, plain_streams
from grimalkin.problems import Stop, nearest
from grimalkin.problems.plain import plural, visible

COMMANDS = {
    "making": ("build", "guide", "schema", "games"),
    "printing": ("sheets", "rulebook", "preflight"),
    "rules": ("check", "score", "replay"),
    "answers": ("start", "why"),
    "designing": ("test", "new", "preview", "keep", "fmt"),
    "machines": ("calibrate", "printer", "cutter"),
    "tuck_boxes": ("box",),
    "dividers": ("dividers",),
    "export": ("export",),
    "showing": ("show",),
}
"""The commands that each module adds, in the order of `--help`. A part adds more in a module `cli`, with its
own COMMANDS."""
MOST_TOLD = 200
"""The maximum number of problems to print; anyone who fixes that many will run the command again."""
DESCRIPTION = """\
Sheets to print and cut, a rules site to browse and search, and an engine that checks every score and every played
example, all from the content files of a tabletop game."""

EPILOG = """\
GAME is the name of a game (./content/NAME if you have one, otherwise a game that comes with Grimalkin or is installed
beside it), or the path to a game's folder. `grimalkin games` lists all names.

to try it out:
  grimalkin replay WK-PLAY-1
  grimalkin sheets were-kittens
  grimalkin new my-game

In the examples for every command, ./my-game is the game that the last line makes.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code. Raises SystemExit after `--help` and after wrong usage."""
    with plain_streams() as out:
        try:
            code = _run(arguments)
        except SystemExit as stop:
            raise SystemExit(_told(out, int(stop.code or 0))) from None
        return _told(out, code)


def _told(out: Plain, code: int) -> int:
    """Return the exit code, or 1 if the output could not be written. A reader closing the pipe is not an error."""
    out.flush()
    if out.fault is None or isinstance(out.fault, BrokenPipeError):
        return code
    if os.name == "nt" and out.fault.errno == errno.EINVAL:  # Windows reports a closed pipe like this
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
        # Not "nothing was changed": new output may be complete already; then the next command puts it in place.
        print("stopped", file=sys.stderr)
        return 130


class _Parser(argparse.ArgumentParser):
    """A parser that suggests the nearest word for a wrong command, choice or option, as Python 3.14's own parser can.

    Anything that it quotes stays on one line.
    """

    def error(self, message: str) -> NoReturn:
        super().error(visible(message))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse unknown arguments here, where the options of this command can be suggested."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            word = next((word.partition("=")[0] for word in unknown if word.startswith("--")), "")
            near = nearest(word, self._option_string_actions)
            self.error(f"unrecognized arguments: {' '.join(unknown)}" + (f"; {near}" if near else ""))
        return options, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Suggest the choice that was meant, or list all of them if none is close. `_check_value` is argparse's own."""
        if action.choices is not None and value not in action.choices:
            known = list(map(str, action.choices))
            hint = nearest(str(value), known, f"choose from {', '.join(known)}")
            raise argparse.ArgumentError(action, f'invalid choice: "{value}"; {hint}')


def _brought() -> list[ModuleType]:
    """Return the modules of parts that add commands. Report unusable ones from outside, and continue without them."""
    from grimalkin.floors import brought_to, ours_on

    modules: Sequence[ModuleType] = ours_on("cli")
    try:
        modules = brought_to("cli")
    except Stop as stop:
        print(*stop.problems, sep="\n", file=sys.stderr)
    taken = [name for names in COMMANDS.values() for name in names]
    usable = []
    for module in modules:
        twice = [name for name in module.COMMANDS if name in taken]
        if twice:
            fault = f"another part already has the command {twice[0]}; this one is left out"
            print(f"{module.__name__}: {fault}", file=sys.stderr)
        else:
            taken += module.COMMANDS
            usable.append(module)
    return usable


def _parser(asked: str = "") -> argparse.ArgumentParser:
    """Return the parser of the named command, or of all commands if no command has that name."""
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
    if homes:
        import_module(f"grimalkin.cli.{homes[0]}").add(command)
        return parser
    brought = _brought()
    asked_of = [module for module in brought if asked in module.COMMANDS]
    if not asked_of:
        for home in COMMANDS:
            import_module(f"grimalkin.cli.{home}").add(command)
    for module in asked_of or brought:
        module.add(command)
    return parser
