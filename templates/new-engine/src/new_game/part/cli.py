"""A command: deal hands to try at the table."""

from __future__ import annotations

import argparse

from grimalkin.cli.common import Command, load
from grimalkin.engine.chance import Seeded

from new_game import engine

COMMANDS = ("deal-new-game",)


def add(command: Command) -> None:
    deal = command("deal-new-game", _deal, "Deal the hands of new-game to two players")
    deal.add_argument("--seed", type=int, default=1, metavar="N", help="another number deals other hands (default: 1)")


def _deal(options: argparse.Namespace) -> int:
    game = load("new-game")
    state = engine.start(game.facts, ("Ada", "Basil"), {}, Seeded(options.seed))
    for seat, hand in zip(state.seats, state.hands, strict=True):
        print(f"{seat}: {', '.join(state.box.names[card] for card in hand)}")
    return 0
