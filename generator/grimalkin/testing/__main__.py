"""`python -m grimalkin.testing GAME`: which promises the engine of a game keeps. Exit code 1 when one is broken."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from grimalkin.games import guarded
from grimalkin.plain import visible
from grimalkin.problems import Stop
from grimalkin.simulation.deals import where_is
from grimalkin.testing import game_of, promises

USAGE = "usage: python -m grimalkin.testing GAME"
LONGEST = 2_000
"""Of what is told about one broken promise."""


def main(arguments: Sequence[str]) -> int:
    """Tells every promise, once for all seats and seeds. Returns the exit code."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(USAGE, file=sys.stderr)
        return 2
    try:
        with guarded():
            return _tell(arguments[0])
    except Stop as stop:
        print(*stop.problems, sep="\n", file=sys.stderr)
        return 1


def _tell(name: str) -> int:
    game = game_of(name)
    if game.module is None:
        print(f"{visible(name)}: no engine plays this game", file=sys.stderr)
        return 1
    broken: dict[str, str] = {}
    kept: dict[str, str] = {}
    for promise in promises(where_is(game.module), game.facts):
        check = promise.check.__name__
        kept.setdefault(check, promise.means)
        if check in broken:
            continue
        try:
            promise()
        except AssertionError as error:
            broken[check] = f"{promise.setting.seats} seats, seed {promise.setting.seed}: {error}"[:LONGEST]
    for check, means in kept.items():
        print(f"{'BROKEN' if check in broken else 'kept  '}  {check}: {means}")
        if check in broken:
            print(visible(f"        {broken[check]}", lines=True))
    print(f"\n{len(kept) - len(broken)} of {len(kept)} promises are kept")
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
