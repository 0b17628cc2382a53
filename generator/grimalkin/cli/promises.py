"""The command test: which promises the engine of a game keeps."""

from __future__ import annotations

import argparse

from grimalkin.cli.common import Command
from grimalkin.problems import Place, Problems, Stop
from grimalkin.problems.plain import visible

LONGEST = 2_000
"""Of what is told about one broken promise."""


def add(command: Command) -> None:
    test = command("test", _test, "Tell which promises of an engine a game's engine keeps", _TEST)
    test.add_argument("game", metavar="GAME", help="the game whose engine plays random games")


_TEST = """\
Random games of every number of seats are played, and looked at. Examples are not read: `grimalkin check` is about
those. The exit code is 0 when all promises are kept and 1 otherwise.
"""


def _test(options: argparse.Namespace) -> int:
    from grimalkin.content import facts_in
    from grimalkin.engine.outside import raised
    from grimalkin.games import find_game
    from grimalkin.simulation.deals import where_is
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
