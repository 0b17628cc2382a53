"""Speed side by side with peers, as ratios. Run by `make bench`."""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import deck
import floor

from grimalkin.build import compose
from grimalkin.content import load_game, prove
from grimalkin.content.stocks import load_papers
from grimalkin.engine.chance import Seeded
from grimalkin.engine.words import OVER
from grimalkin.games import find_game
from grimalkin.problems import Place, Problems
from grimalkin.sheet import impose, sheet_pdf
from grimalkin.source import bundled_games, find_game_folder

ROUNDS = 5


def main() -> None:
    print(f"Python {sys.version.split()[0]}, median of {ROUNDS} rounds\n")
    engine()
    sheets()
    commands()


def engine() -> None:
    """Microseconds of CPU a decision in random play, whole games with their start, log off."""
    sides: dict[str, Callable[[], float]] = {}
    for name in bundled_games():
        module = find_game(name)
        if module is not None:
            for seats in range(module.SEATS[0], module.SEATS[1] + 1):
                sides[f"{name}, {seats} seats"] = lambda name=name, seats=seats: random_play(name, seats)
    peers = {}
    try:
        import pyspiel
        from open_spiel.python import games  # noqa: F401 - registers the Python games

        for name in ("python_kuhn_poker", "python_liars_poker", "pig"):
            game = pyspiel.load_game(name)
            peers[f"open_spiel {name}"] = lambda game=game: random_spiel(game)
    except ImportError:
        print("open_spiel is not installed: `pip install open_spiel` brings the peers\n")
    rounds = [{name: side() for name, side in {**sides, **peers}.items()} for _ in range(ROUNDS)]
    print("| random play | µs a decision | " + " | ".join(f"of {peer}" for peer in peers) + " |")
    print("|---|---:|" + "---:|" * len(peers))
    for name in [*sides, *peers]:
        ratios = [statistics.median(one[name] / one[peer] for one in rounds) for peer in peers]
        cells = " | ".join(f"{ratio:.2f}" for ratio in ratios)
        print(f"| {name} | {statistics.median(one[name] for one in rounds):.2f} | {cells} |")
    print()


def random_play(name: str, seats: int, seconds: float = 0.6) -> float:
    module = find_game(name)
    game = load_game(find_game_folder(name), Problems())
    assert module is not None and game is not None
    names = [f"seat {index}" for index in range(seats)]
    pick, decisions, seed = random.Random(1).random, 0, 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        state = module.start(game.facts, names, module.SIMULATION, Seeded(seed))
        seed += 1
        while state.to_act() != OVER:
            legal = state.legal()
            state.apply(legal[int(pick() * len(legal))])
            decisions += 1
    return (time.process_time() - begin) / decisions * 1e6


def random_spiel(game: object, seconds: float = 0.6) -> float:
    pick, decisions = random.Random(1), 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(pick.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0])
            else:
                state.apply_action(pick.choice(state.legal_actions()))
                decisions += 1
    return (time.process_time() - begin) / decisions * 1e6


def sheets() -> None:
    """A deck of 54 cards to a duplex A4 PDF, beside the same cards drawn by hand."""
    with tempfile.TemporaryDirectory() as name:
        for cards in (54, 1000):
            folder = deck.write(Path(name) / f"deck{cards}", cards)
            rounds = [(stages(folder), by_hand(cards)) for _ in range(ROUNDS)]
            print(f"| {cards} cards, duplex A4 | ms | of hand-written reportlab |\n|---|---:|---:|")
            for stage in rounds[0][0]:
                if stage == "bytes":
                    continue
                ms = statistics.median(one[stage] for one, _ in rounds)
                ratio = statistics.median(one[stage] / hand for one, (hand, _) in rounds)
                print(f"| {stage} | {ms:.1f} | {ratio:.2f} |")
            size, hand_size = rounds[0][0]["bytes"], rounds[0][1][1]
            print(f"| bytes | {size:,.0f} | {size / hand_size:.2f} |")
            print(f"| by hand | {statistics.median(hand for _, (hand, _) in rounds):.1f} | 1.00 |\n")


def stages(folder: Path) -> dict[str, float]:
    problems = Problems()
    times: dict[str, float] = {}
    begin = time.perf_counter()

    def lap(stage: str) -> None:
        nonlocal begin
        now = time.perf_counter()
        times[stage] = (now - begin) * 1e3
        begin = now

    game = load_game(folder, problems)
    assert game is not None
    lap("read and check")
    _, items, _ = compose(game, problems)
    lap("compose")
    paper = load_papers(None, problems)["a4"]
    imposed = impose(items, paper, "long", Place("deck"), problems)
    lap("impose")
    data = sheet_pdf(game, imposed, paper, "long")
    lap("draw and save")
    assert not problems, list(problems)
    times["all"] = sum(times.values())
    times["bytes"] = len(data)
    return times


def by_hand(cards: int) -> tuple[float, int]:
    begin = time.perf_counter()
    data = floor.draw(deck.rows(cards))
    return (time.perf_counter() - begin) * 1e3, len(data)


def commands() -> None:
    """Whole processes, cold, against the budgets."""
    print("| command | s | budget s |\n|---|---:|---:|")
    with tempfile.TemporaryDirectory() as output:
        for arguments, budget in ((["--help"], 0.15), (["check"], 2.0), (["build", "--output", output], 30.0)):
            times = []
            for _ in range(ROUNDS):
                begin = time.perf_counter()
                subprocess.run([sys.executable, "-m", "grimalkin", *arguments], check=True, capture_output=True)
                times.append(time.perf_counter() - begin)
            print(f"| grimalkin {arguments[0]} | {statistics.median(times):.2f} | {budget} |")
    problems = Problems()
    counts = [len(proved[1]) for name in bundled_games() if (proved := prove(find_game_folder(name), problems))]
    print(f"\n`check` replayed {sum(counts)} examples and playthroughs")


if __name__ == "__main__":
    main()
