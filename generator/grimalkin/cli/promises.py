"""The command `test`, which checks the promises that every engine makes."""

from __future__ import annotations

import argparse

from grimalkin.cli.common import Command
from grimalkin.problems import Place, Problems, Stop
from grimalkin.problems.plain import visible

LONGEST = 2_000
"""The most characters to print about one broken promise."""


def add(command: Command) -> None:
    test = command("test", _test, "Test a game's engine against the promises that every engine makes", _TEST)
    test.add_argument("game", metavar="GAME", help="the game whose engine to test")


_TEST = """\
The command plays random games with every number of seats, and checks them. For the examples, see `grimalkin check`.
The exit code is 0 if all promises are kept, and 1 otherwise.
"""


def _test(options: argparse.Namespace) -> int:
    from grimalkin.content import facts_in
    from grimalkin.engine.outside import raised
    from grimalkin.games import find_game
    from grimalkin.play.simulation.deals import where_is
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
