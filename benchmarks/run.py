"""Speed side by side with peers, as ratios. Run by `make bench`.

Words choose parts: engine, tricks, squares, cluster, sheets, cold, pictures, finished, peers, commands, turns.
After `turns` come the Pythons of others; after `peers` may come one that has typst and weasyprint. `--once` runs each
part once on as little as it takes, to see that it works; its numbers mean nothing.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import deck
import finished
import floor
import peers
import pictures
import scaling
from pypdfium2 import PdfDocument

from grimalkin.content import load_game, prove
from grimalkin.content.stocks import load_papers, load_stocks
from grimalkin.engine.chance import Seeded
from grimalkin.engine.contract import GameModule
from grimalkin.engine.words import OVER
from grimalkin.games import find_game
from grimalkin.printing.face import Composer
from grimalkin.printing.sheet.document import sheet_pdf
from grimalkin.printing.sheet.impose import impose
from grimalkin.printing.sheet.pieces import faces_by, pieces_of
from grimalkin.printing.sheet.settings import Edition, Settings
from grimalkin.problems import Place, Problems
from grimalkin.source import bundled_games, find_game_folder

HERE = Path(__file__).parent
GAMES = bundled_games()
ONCE = "--once" in sys.argv
ROUNDS = 1 if ONCE else 5
DECK = len(deck.PLACES)
"""Cards that fill a page."""
FEW = 1 if ONCE else 3
"""Rounds of what takes long."""
SECONDS = 0.01 if ONCE else 0.6
"""The time of random play in a round."""


def sizes(*cards: int) -> tuple[int, ...]:
    """These numbers of cards, or only a page of them."""
    return (DECK,) if ONCE else cards


def main() -> None:
    print(f"Python {sys.version.split()[0]}, median of {ROUNDS} rounds\n")
    parts = {
        "engine": engine,
        "tricks": tricks,
        "squares": squares,
        "cluster": on_a_cluster,
        "sheets": sheets,
        "cold": cold_sheets,
        "pictures": cold_pictures,
        "finished": cold_finished,
        "peers": cold_peers,
        "commands": commands,
        "turns": turns,
    }
    named = [name for name in parts if name in sys.argv[1:]]
    for name in named or parts:
        parts[name]()


def engine() -> None:
    """Microseconds of CPU a decision in random play, whole games with their start, log off."""
    sides: dict[str, Callable[[], float]] = {}
    for name in GAMES:
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


def random_play(name: str, seats: int, seconds: float = SECONDS) -> float:
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


def tricks() -> None:
    """A game of tricks beside another one at the same seats: Wolf-Man's Curse and the C++ `oh_hell` of open_spiel.

    Oh Hell is played with a deck of 40 cards too, five to a hand. Both deal within the time, and only what players
    decide is counted. There nearly one card is dealt for a decision; here five cards for every three, and the moons.
    """
    try:
        import pyspiel
    except ImportError:
        print("open_spiel is not installed: `pip install open_spiel` brings the peers\n")
        return
    print("| random play, µs a decision | wolf-mans-curse | oh_hell | ratio | oh_hell, even draws | ratio |")
    print("|---|---:|---:|---:|---:|---:|")
    for seats in (3,) if ONCE else range(3, 8):  # oh_hell takes seven at most
        oh_hell = pyspiel.load_game(f"oh_hell(players={seats},num_cards_per_suit=10,num_tricks_fixed=5)")
        rounds = [
            (random_play("wolf-mans-curse", seats), random_spiel(oh_hell), even_spiel(oh_hell)) for _ in range(ROUNDS)
        ]
        ours, theirs, even = (statistics.median(side) for side in zip(*rounds, strict=True))
        of_theirs = statistics.median(one / other for one, other, _ in rounds)
        of_even = statistics.median(one / other for one, _, other in rounds)
        print(f"| {seats} seats | {ours:.2f} | {theirs:.2f} | {of_theirs:.2f} | {even:.2f} | {of_even:.2f} |")
    print()


def squares() -> None:
    """A game on square maps: sight beside a library of fields of view, play beside a grid game of open_spiel."""
    module = find_game("cats-of-new-orleans")
    game = load_game(find_game_folder("cats-of-new-orleans"), Problems())
    assert module is not None and game is not None
    sides: dict[str, Callable[[], float]] = {
        "a row of sight, first use": lambda: first_rows(game.facts),
        "a row of sight, kept": lambda: kept_rows(game.facts),
        "a hero's decision, random play": lambda: by_phase(module, game.facts, "heroes"),
        "a vermin's activation, random play": lambda: by_phase(module, game.facts, "vermin"),
        "20 rounds with sensible bots": lambda: rounds_of_bots(module, game.facts),
        "load of a position": lambda: loads(module, game.facts),
    }
    peers: dict[str, Callable[[], float]] = {}
    try:
        peers["tcod, symmetric shadowcast from a square"] = fields_of_view(game.facts)
    except ImportError:
        print("tcod is not installed: `pip install tcod` brings a peer\n")
    try:
        import pyspiel

        for name in ("breakthrough", "pathfinding"):
            grid = pyspiel.load_game(name)
            peers[f"open_spiel {name} (C++), a decision"] = lambda grid=grid: random_spiel(grid)
    except ImportError:
        print("open_spiel is not installed: `pip install open_spiel` brings a peer\n")
    rounds = [{name: side() for name, side in {**sides, **peers}.items()} for _ in range(ROUNDS)]
    print("| on squares | µs | " + " | ".join(f"of {peer}" for peer in peers) + " |")
    print("|---|---:|" + "---:|" * len(peers))
    for name in [*sides, *peers]:
        ratios = [statistics.median(one[name] / one[peer] for one in rounds) for peer in peers]
        cells = " | ".join(f"{ratio:.2f}" for ratio in ratios)
        print(f"| {name} | {statistics.median(one[name] for one in rounds):.1f} | {cells} |")
    print()


def first_rows(facts: Mapping[str, Any]) -> float:
    """Microseconds for a square's row of sight on the largest map, its board made anew."""
    from grimalkin.games.cats_of_new_orleans.figures import sees
    from grimalkin.games.cats_of_new_orleans.maps import Board

    board = Board(facts["maps"]["natchez"])
    ways = board.ways(board.first_open)
    begin = time.process_time()
    for square in range(board.size):
        sees(ways, square)
    return (time.process_time() - begin) / board.size * 1e6


def kept_rows(facts: Mapping[str, Any]) -> float:
    """The same once they are there."""
    from grimalkin.games.cats_of_new_orleans.figures import sees
    from grimalkin.games.cats_of_new_orleans.maps import Board

    board = Board(facts["maps"]["natchez"])
    ways = board.ways(board.first_open)
    for square in range(board.size):
        sees(ways, square)
    begin = time.process_time()
    for _ in range(200):
        for square in range(board.size):
            sees(ways, square)
    return (time.process_time() - begin) / board.size / 200 * 1e6


def fields_of_view(facts: Mapping[str, Any]) -> Callable[[], float]:
    """What a library gives for the squares of the same map, whose thin walls it cannot know."""
    import numpy
    import tcod

    rows = facts["maps"]["natchez"]["squares"]
    clear = numpy.array([[sign != "#" for sign in row] for row in rows])

    def run() -> float:
        begin, count = time.process_time(), 0
        for _ in range(40):
            for y in range(clear.shape[0]):
                for x in range(clear.shape[1]):
                    tcod.map.compute_fov(clear, (y, x), algorithm=tcod.constants.FOV_SYMMETRIC_SHADOWCAST)
                    count += 1
        return (time.process_time() - begin) / count * 1e6

    return run


def by_phase(module: GameModule, facts: Mapping[str, Any], phase: str, seconds: float = SECONDS) -> float:
    """Microseconds for a decision of that side, with all that follows from it, in random play of all scenarios.

    What follows from the last decision of a turn, such as spawns and the next initiative, is of that decision.
    """
    from grimalkin.games.cats_of_new_orleans.numbers import PHASES

    pick, spent, count, seed = random.Random(1).random, 0.0, 0, 0
    stories = list(facts["scenarios"])
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        state = module.start(facts, ["one"], {"scenario": stories[seed % len(stories)]}, Seeded(seed))
        seed += 1
        while state.to_act() != OVER:
            now = PHASES[state.phase]
            then = time.process_time()
            legal = state.legal()
            move = legal[int(pick() * len(legal))]
            state.apply(move)
            if now == phase:
                spent += time.process_time() - then
                count += phase == "heroes" or move[0] == "vermin"
    return spent / count * 1e6


def rounds_of_bots(module: GameModule, facts: Mapping[str, Any]) -> float:
    """Microseconds for 20 rounds that sensible bots play, all scenarios alike."""
    begin, rounds = time.process_time(), 0
    for story in list(facts["scenarios"])[: 1 if ONCE else None]:
        for seed in range(1 if ONCE else 2):
            state = module.start(facts, ["one"], {"scenario": story}, Seeded(seed))
            bot = module.BOTS["sensible"](seed)
            while state.to_act() != OVER:
                state.apply(bot(state.view(0), state.legal()))
            rounds += state.round
    return (time.process_time() - begin) / rounds * 20 * 1e6


def loads(module: GameModule, facts: Mapping[str, Any]) -> float:
    """Microseconds for reading a position in the middle of a scenario."""
    state = module.start(facts, ["one"], {"scenario": "streets"}, Seeded(1))
    pick = random.Random(1).random
    while state.round < 5:
        legal = state.legal()
        state.apply(legal[int(pick() * len(legal))])
    record = state.position()
    begin = time.process_time()
    for _ in range(100):
        module.load(facts, record)
    return (time.process_time() - begin) / 100 * 1e6


def on_a_cluster() -> None:
    """A simulation on 1 and 2 workers of a scheduler on this machine, near and far away, beside one process."""
    try:
        import distributed  # noqa: F401 - starts the workers
    except ImportError:
        print('dask.distributed is not installed: `pip install "grimalkin[cluster]"` brings it\n')
        return
    scaling.main([scaling.Row(8, 2), scaling.Row(8, 2, 0.01)] if ONCE else scaling.ROWS)


def random_spiel(game: object, seconds: float = SECONDS) -> float:
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


def even_spiel(game: object, seconds: float = SECONDS) -> float:
    """The same with the least work: what chance brings is one of so many actions, as any decision is. That is right
    only where all are equally likely.
    """
    pick, decisions = random.Random(1).random, 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            actions = state.legal_actions()
            state.apply_action(actions[int(pick() * len(actions))])
    return (time.process_time() - begin) / decisions * 1e6


def sheets() -> None:
    """A deck to a duplex A4 PDF within this process, beside the same pages drawn by hand."""
    with tempfile.TemporaryDirectory() as name:
        for cards in sizes(54, 1000, 5000):
            folder = deck.write(Path(name) / f"deck{cards}", cards)
            stages(folder)  # fonts and templates are read once; the cold table below counts that too
            rounds = [(stages(folder), by_hand(cards)) for _ in range(ROUNDS)]
            print(f"| {cards:,} cards, duplex A4, tagged | ms | of hand-written reportlab |\n|---|---:|---:|")
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
    stocks = load_stocks(folder, problems)
    paper = load_papers(folder, problems)["a4"]
    settings = Settings(cover=False)
    sheets = impose(pieces_of(game, stocks), paper, settings, Place("deck"), problems)
    lap("impose")
    places = sorted((round(slot.x, 6), round(slot.y, 6)) for slot in sheets[0].slots)
    assert sorted(deck.PLACES) == places, "the peers draw other sheets"
    composer = Composer(game, stocks, problems)
    data = sheet_pdf(game, sheets, paper, settings, faces_by(game, composer), Edition("1", "bench"))
    lap("compose, draw and save")
    assert not problems, list(problems)
    times["all"] = sum(times.values())
    times["bytes"] = len(data)
    return times


def by_hand(cards: int) -> tuple[float, int]:
    begin = time.perf_counter()
    data = floor.draw(deck.rows(cards))
    return (time.perf_counter() - begin) * 1e3, len(data)


def cold_sheets() -> None:
    """Whole processes, cold, from content files to a PDF; peers get their data for nothing."""
    budgets = {54: "0.40 s, 60 MB, 100 KB", 5000: "2.50 s, 100 MB, 3,000 KB"}
    with tempfile.TemporaryDirectory() as name:
        for cards in sizes(*budgets):
            folder = deck.write(Path(name) / f"deck{cards}", cards)
            ours = Path(name) / f"ours{cards}"
            theirs = Path(name) / f"theirs{cards}.pdf"
            command = ["-m", "grimalkin", "sheets", str(folder), "--paper", "a4", "--no-cover", "--output", str(ours)]
            sides = {
                "grimalkin sheets (tagged)": (command, ours),
                "reportlab by hand (untagged)": ([str(HERE / "floor.py"), str(cards), str(theirs)], theirs),
            }
            print(
                f"| {cards:,} cards, cold; budget {budgets.get(cards, 'none')} "
                "| s | of ours | peak MB | KB | bytes a card |"
            )
            print("|---|---:|---:|---:|---:|---:|")
            base = 0.0
            for side, (arguments, made) in sides.items():
                theirs.unlink(missing_ok=True)
                runs = [cold(arguments) for _ in range(FEW if cards < 1000 else 2)]
                assert not any(run["code"] for run in runs), side
                seconds = min(run["seconds"] for run in runs)
                base = base or seconds
                files = [made] if made.is_file() else [*made.rglob("*.pdf")]
                size = sum(path.stat().st_size for path in files)
                peak = max(run["peak"] for run in runs)
                print(
                    f"| {side} | {seconds:.2f} | {seconds / base:.2f} | {peak:.0f} | {size / 1e3:,.0f} "
                    f"| {size / cards:,.0f} |"
                )
            print()


def cold_pictures() -> None:
    """Whole processes: 54 cards that are pictures, with nothing kept from an earlier run and with all of it."""
    with tempfile.TemporaryDirectory() as name:
        for kind in pictures.KINDS:
            folder = pictures.write(Path(name) / kind, kind, *sizes(pictures.CARDS))
            ours, theirs, cache = Path(name) / f"ours-{kind}", Path(name) / f"{kind}.pdf", Path(name) / f"cache-{kind}"
            os.environ["GRIMALKIN_CACHE"] = str(cache)
            command = ["-m", "grimalkin", "sheets", str(folder), "--paper", "a4", "--no-cover", "--backs", "none"]
            command += ["--output", str(ours)]
            by_hand = [str(HERE / "pictures.py"), str(folder), kind, str(theirs)]
            rounds: list[list[dict[str, float]]] = []
            for _ in range(FEW):
                hand = cold(by_hand)
                shutil.rmtree(cache / "pictures", ignore_errors=True)
                rounds.append([hand, cold(command), cold(command)])
            art = pictures.art(folder)
            sides = {"reportlab by hand": [theirs], "grimalkin sheets": [*ours.rglob("*.pdf")]}
            sides["again, with what is kept"] = sides["grimalkin sheets"]
            print_sides(f"54 cards of {kind}, {art / 1e6:.1f} MB", sides, rounds, art)


def cold_finished() -> None:
    """Measure whole processes: folders of 54 and 300 finished pictures, with bleed made for them in two ways."""
    with tempfile.TemporaryDirectory() as name:
        for cards in sizes(54, 300):
            folder = finished.write(Path(name) / f"deck-{cards}", cards)
            theirs, ours = (
                Path(name) / f"{cards}.pdf",
                {how: Path(name) / f"{how}-{cards}" for how in ("mirror", "edge")},
            )
            os.environ["GRIMALKIN_CACHE"] = str(Path(name) / "cache")
            command = ["-m", "grimalkin", "sheets", str(folder), "--paper", "a4", "--no-cover", "--stock", "poker"]
            rounds = []
            for _ in range(FEW):
                sides = [cold([str(HERE / "finished.py"), str(folder), str(theirs)])]
                sides += [cold([*command, "--bleed-from", how, "--output", str(out)]) for how, out in ours.items()]
                rounds.append(sides)
            files = {"reportlab by hand": [theirs]}
            files |= {f"grimalkin sheets, {how}": [*out.rglob("*.pdf")] for how, out in ours.items()}
            art = sum(path.stat().st_size for path in folder.iterdir())
            print_sides(f"{cards} finished pictures, {art / 1e6:.1f} MB", files, rounds, art)


def print_sides(title: str, sides: Mapping[str, list[Path]], rounds: list[list[dict[str, float]]], art: int) -> None:
    """Print the median cost of each side, beside that of the first, and the size of its files as a share of the art."""
    print(f"| {title} | s of CPU | of the floor | peak MB | of the floor | bytes of the art |")
    print("|---|---:|---:|---:|---:|---:|")
    for at, (side, files) in enumerate(sides.items()):
        size = sum(path.stat().st_size for path in files) / art
        cells = [
            statistics.median(one[at]["cpu"] for one in rounds),
            statistics.median(one[at]["cpu"] / one[0]["cpu"] for one in rounds),
            statistics.median(one[at]["peak"] for one in rounds),
            statistics.median(one[at]["peak"] / one[0]["peak"] for one in rounds),
        ]
        print(f"| {side} | {cells[0]:.2f} | {cells[1]:.2f} | {cells[2]:.0f} | {cells[3]:.2f} | {size:.3f} |")
    print()


def cold_peers() -> None:
    """Measure whole processes that draw cards with art and fitted text. Ours keeps nothing from an earlier run."""
    with tempfile.TemporaryDirectory() as name:
        python = next((word for word in sys.argv[1:] if Path(word).is_file()), "") or python_of_peers(Path(name))
        for cards, kind in itertools.product(sizes(54, 500), peers.KINDS):
            folder = peers.write(Path(name) / f"deck{cards}{kind}", cards, kind)
            os.environ.update({"GRIMALKIN_CACHE": str(folder / "cache"), "FONTCONFIG_FILE": str(folder / "fonts.conf")})
            sides = sides_with_art(folder, python)
            rounds = [{side: cold(*sides[side], str(folder)) for side in sides}]
            missing = [side for side, run in rounds[0].items() if run["code"]]
            able = [side for side in sides if side not in missing]
            for _ in range(FEW - 1):
                shutil.rmtree(folder / "cache", ignore_errors=True)
                rounds.append({side: cold(*sides[side], str(folder)) for side in able})
            print(f"| {cards} cards with art ({kind}), nine a page | CPU s | of ours | peak MB | KB | it does not |")
            print("|---|---:|---:|---:|---:|---|")
            for side in able:
                seconds = statistics.median(one[side]["cpu"] for one in rounds)
                ratio = statistics.median(one[side]["cpu"] / one["grimalkin"]["cpu"] for one in rounds)
                peak = statistics.median(one[side]["peak"] for one in rounds)
                made = list((folder / "made" / side).rglob("*.pdf"))
                assert sum(len(PdfDocument(path)) for path in made) == 2 * -(-cards // 9), side
                size = sum(path.stat().st_size for path in made) / 1e3
                cells = f"{seconds:.2f} | {ratio:.2f} | {peak:.0f} | {size:,.0f} | {peers.CANNOT.get(side, '')}"
                print(f"| {side} | {cells} |")
            print(f"\nnot installed, or cannot do it: {', '.join(missing) or 'none'}\n")


def python_of_peers(folder: Path) -> str:
    """Make a virtual environment for the peers, so that nothing is installed into ours. Return its Python."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "peers")], check=True)
    python = str(folder / "peers" / ("Scripts" if os.name == "nt" else "bin") / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "typst", "weasyprint"], check=False)
    return python


def sides_with_art(folder: Path, python: str) -> dict[str, tuple[list[str], str]]:
    """Return the arguments and the program of each side. Each draws into its own folder below `made`.

    Without Ruby, Squib's script goes to Python, which fails: the side is reported as missing.
    """
    alone = str(HERE / "peers.py")
    sides = {}
    for side in ("grimalkin", *peers.CANNOT):
        (folder / "made" / side).mkdir(parents=True)
        made = str(folder / "made" / side)
        job = [alone, side.split()[0], str(folder), f"{made}/deck.pdf"]
        sides[side] = (job, sys.executable if side == peers.HAND else python)
        if side == "grimalkin":
            job = ["-m", "grimalkin", "sheets", str(folder / "game"), "--paper", "a4", "--no-cover", "--gutter", "0"]
            sides[side] = ([*job, "--output", made], sys.executable)
        elif side.startswith("squib"):
            backend = "svg" if "svg" in side else "memory"
            sides[side] = ([str(HERE / "squib.rb"), str(folder), made, backend], shutil.which("ruby") or sys.executable)
    return sides


def cold(arguments: list[str], python: str = sys.executable, folder: str | None = None) -> dict[str, float]:
    """Seconds, seconds of CPU and peak of memory of a Python process. Compiled templates are kept, as for a user."""
    command = [sys.executable, "-I", "-S", str(HERE / "cold.py"), python, *arguments]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout
    measured: dict[str, float] = json.loads(printed)
    return measured


def turns() -> None:
    """CPU of whole processes, one after the other in each round: the floor and short commands, of each environment."""
    pythons = [one for one in sys.argv[1:] if Path(one).is_file()] or [sys.executable]
    with tempfile.TemporaryDirectory() as name:
        folder = deck.write(Path(name) / "deck", sizes(54)[0])
        jobs = {
            "the floor": [str(HERE / "floor.py"), str(sizes(54)[0]), str(Path(name) / "floor.pdf")],
            "sheets": ["-m", "grimalkin", "sheets", str(folder), "--paper", "a4", "--no-cover"],
            "check": ["-m", "grimalkin", "check"],
            "--help": ["-m", "grimalkin", "--help"],
        }
        sides = [(python, job) for python in pythons for job in jobs]
        rounds = [{side: cold(jobs[side[1]], side[0], name)["cpu"] for side in sides} for _ in range(ROUNDS + 1)]
    print("| environment | process | CPU s | from | to | of the floor |\n|---|---|---:|---:|---:|---:|")
    for python, job in sides:
        taken = [one[python, job] for one in rounds[1:]]  # the first compiles
        ratio = statistics.median(one[python, job] / one[python, "the floor"] for one in rounds[1:])
        spread = f"{min(taken):.3f} | {max(taken):.3f}"
        print(
            f"| {Path(python).parent.parent.name} | {job} | {statistics.median(taken):.3f} | {spread} | {ratio:.2f} |"
        )
    print()


def commands() -> None:
    """Whole processes, cold, against the budgets."""
    print("| command | s | budget s | peak MB |\n|---|---:|---:|---:|")
    games = GAMES[-1:] if ONCE else GAMES
    with tempfile.TemporaryDirectory() as output:
        sheets = ["--paper", "a4", "--no-cover", "--output", output]
        jobs: list[tuple[list[str], float | str]] = [(["--help"], 0.08), (["check", "--again"], 0.8), (["check"], 0.2)]
        # The budget of 0.4 s is for 54 plain cards (see above); real decks have portraits, tokens and mats besides.
        jobs += [(["sheets", name, *sheets], "") for name in games]
        jobs += [(["build", *games, "--output", output], 30.0)]
        for arguments, budget in jobs:
            runs = [cold(["-m", "grimalkin", *arguments]) for _ in range(ROUNDS)]
            assert not any(run["code"] for run in runs), arguments
            seconds = statistics.median(run["seconds"] for run in runs)
            peak = max(run["peak"] for run in runs)
            named = " ".join(arguments[:2] if arguments[0] in ("sheets", "check") else arguments[:1])
            print(f"| grimalkin {named} | {seconds:.2f} | {budget} | {peak:.0f} |")
    problems = Problems()
    counts = [len(proved[1]) for name in games if (proved := prove(find_game_folder(name), problems))]
    print(f"\n`check` replayed {sum(counts)} examples and playthroughs")


if __name__ == "__main__":
    main()
