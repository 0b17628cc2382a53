"""The engine of The Cats of New Orleans and a second one that knows nothing of it play the same scenarios in lockstep.

`naive_cats` was written from the ledger alone. After each move both must ask the same seat, allow the same moves, and
have the same on the table. The texts of heroes, skills and loot are left out, for the naive one cannot read.

    .venv/bin/python tests/games/test_cats_lockstep.py 200 0 plain    plays 200 from seed 0 (or: wild, tame)
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import pytest
from games_for_tests import bundled_game
from naive_cats import Naive, RandomPlayer, plain_facts, random_settings
from soak import seeded

from grimalkin.engine.chance import Recorded, Scripted, Seeded
from grimalkin.engine.kinds import members
from grimalkin.engine.words import OVER
from grimalkin.games.cats_of_new_orleans import MOST_DECISIONS, State, start
from grimalkin.games.cats_of_new_orleans.figures import board_of
from grimalkin.games.cats_of_new_orleans.numbers import ENDED, HEROES, LEFT, OUT, PHASES, VERMIN
from grimalkin.games.cats_of_new_orleans.players.bots import Sensible
from grimalkin.games.cats_of_new_orleans.table import Vermin as Foe

Move = tuple[str, ...]

# The facts


@cache
def plain() -> dict[str, Any]:
    """The facts without texts. A box is kept for each, so they must be the same whenever they are asked for."""
    return plain_facts(bundled_game("cats-of-new-orleans").facts)


WILD = (
    {"marker-croc": 1, "marker-stinkers": 2, "marker-bayou-bitters": 2, "marker-roux-poubelle": 1},
    {"marker-mort": 1, "marker-bayou-mosquito": 3, "marker-pistoleers": 2, "marker-stinkers": 1},
    {"marker-sacrebleu": 1, "marker-george-burr": 1, "marker-stinkers": 2, "marker-pistoleers": 1},
    {"marker-roux-poubelle": 1, "marker-mort": 1, "marker-croc": 1, "marker-sacrebleu": 1, "marker-george-burr": 1},
)
"""What may lie in the pool instead, so that every foe and every power comes into play."""


@cache
def wild(number: int) -> dict[str, Any]:
    """The same scenarios with other vermin in their pools, which may be fought everywhere."""
    facts = plain_facts(bundled_game("cats-of-new-orleans").facts)
    for scenario in facts["scenarios"].values():
        scenario["pool"] = dict(WILD[number])
        free = ("No hero may attack.", "When a vermin beside a hero activates, the scenario is lost.")
        scenario["special"] = [one for one in scenario["special"] if one["text"] not in free]
        scenario["apart"] = [one for one in scenario["apart"] if one["piece"] == "marker-rat-king"]
        scenario["special"] = [one for one in scenario["special"] if "entry 12" not in one["text"]]
    if number >= 2:
        facts["scenarios"]["hijacked"]["apart"].append({"piece": "marker-viceroy", "mark": "S2", "count": 1})
    return facts


@cache
def tame() -> dict[str, Any]:
    """The same scenarios with little against the heroes, so that they win now and then."""
    facts = plain_facts(bundled_game("cats-of-new-orleans").facts)
    for scenario in facts["scenarios"].values():
        scenario["pool"] = {"marker-bayou-mosquito": 1}
        scenario["special"] = [one for one in scenario["special"] if "beside a hero activates" not in one["text"]]
    for map_ in facts["maps"].values():
        map_["spaces"] *= 2
    return facts


# What lies on the table


def of_engine(state: State) -> dict[str, Any]:
    """The table of the engine, in the words of the naive one."""
    ids, names = state.box.ids, board_of(state).names

    def cards(pieces: Sequence[int]) -> list[str]:
        return sorted(ids[piece] for piece in pieces)

    heroes = {
        hero.name: {
            "at": names[hero.at] if hero.at >= 0 else None,
            "lives": hero.lives,
            "ap": hero.ap,
            "mp": hero.mp,
            "pounce": hero.leaping if hero.leaping >= 0 else None,
            "stunned": hero.stunned,
            "vulnerable": hero.vulnerable,
            "weapons": cards(hero.weapons),
            "loot": cards(hero.loot),
            "skills": cards(hero.skills),
            "bucks": hero.bucks,
            "out": hero.place == OUT,
            "left": hero.place == LEFT,
            "acted": state.phase == HEROES and hero.at >= 0 and (hero.done or state.active == hero.name),
            "searched": sorted(names[square] for square in hero.searched),
        }
        for hero in state.heroes
    }
    vermin = {
        one.name: {
            "at": names[one.at],
            "face": "up" if one.up else "down",
            "marker": ids[one.marker],
            "wounds": one.wounds,
            "stunned": one.stunned,
            "vulnerable": one.vulnerable,
            "zombie": one.zombie,
            "activated": state.phase == VERMIN and one.done,
            "aspect": ids[one.aspect] if one.aspect >= 0 else None,
            "depleted": _empty(state, one),
        }
        for one in state.vermin
    }
    return {
        "round": state.round,
        "space": state.space,
        "phase": PHASES[state.phase],
        "active": state.active if state.active in heroes else None,
        "heroes": heroes,
        "vermin": vermin,
        "order": list(vermin),
        "doors": sorted(board_of(state).doors[number].name for number in members(state.doors)),
        "hand": cards(state.hand),
        "deck": cards([*state.deck, *state.top]),
        "discard": cards(state.discard),
        "loot-deck": cards(state.loot_deck),
        "loot-discard": cards(state.loot_gone),
        "taken": {names[square]: number for square, number in sorted(state.taken.items())},
        "vermin-discard": cards(state.graves),
        "gone": cards(state.gone),
        "pool": cards(state.pool),
        "ground": {names[square]: cards(lying) for square, lying in state.ground.items()},
        "depleted": cards(members(state.depleted)),
        "stinkbombs": sorted(names[square] for square in state.stinkbombs),
        "aspects": cards([*state.aspects, *state.aspects_used]),
        "aspect-deck": cards(state.aspects),
        "log": sorted(state.entries),
        "over": state.phase == ENDED,
        "won": state.won,
    }


def _empty(state: State, one: Foe) -> list[str]:
    """The depleted attacks of a vermin, by name."""
    foe = state.box.foe(state.box.marker(one.marker).foe)
    return sorted(arm.name for arm in foe.arms if one.empty >> arm.number & 1)


def of_naive(game: Naive) -> dict[str, Any]:
    """The table of the naive one, with a little more than it tells of itself."""
    told = game.summary()
    for hero in game.heroes:
        its = told["heroes"][hero.id]
        its["searched"] = sorted(_name(square) for square in hero.searched)
        its["acted"] = told["phase"] == "heroes" and hero.at is not None and hero.acted
        if game.active is not hero:
            its["mp"] = 0  # a free Stride has points of its own
    for one in game.vermin:
        told["vermin"][one.name]["marker"] = one.marker
        told["vermin"][one.name]["activated"] = told["phase"] == "vermin" and one.activated
    told["order"] = list(told["vermin"])
    told["gone"] = sorted(game.gone)
    told["deck"] = sorted(game.deck)
    told["loot-deck"] = sorted(game.loot_deck)
    told["aspect-deck"] = sorted(game.aspect_deck)
    if all(apart["piece"] != "marker-rat-king" for apart in game.scenario["apart"]):
        told["aspects"] = told["aspect-deck"] = []  # the engine leaves them in the box, where no king draws any
    if game.over:
        told["active"] = None
    return told


def _name(square: tuple[int, int]) -> str:
    return f"{chr(ord('a') + square[0])}{square[1] + 1}"


def differences(one: Any, other: Any, where: str = "") -> list[str]:
    """Where two tables differ: what the engine has, and what the naive one has."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = [*one, *(key for key in other if key not in one)]
        return [
            line
            for key in keys
            for line in differences(one.get(key, "-"), other.get(key, "-"), f"{where}/{key}" if where else key)
        ]
    return [] if one == other else [f"{where}: engine {one}, naive {other}"]


# Playing


class Apart(AssertionError):
    """The two have parted."""


class Lockstep:
    """One scenario, played by both."""

    def __init__(self, facts: Mapping[str, Any], seed: int) -> None:
        random = Random(f"lockstep {seed}")
        self.seats, options = random_settings(facts, random)
        self.options = options
        self.seed = seed
        self.chance = Recorded(Seeded(f"luck {seed}"))
        self.script = Scripted([])
        self.words: Counter[str] = Counter()
        self.moves: list[Move] = []
        mine = dict(options)
        if "other-loot" in mine:
            mine["loot"] = mine.pop("other-loot")
        if "coin" in mine:
            mine["coin"] = True
        self.state: State = start(facts, self.seats, mine, self.chance)
        self._pass_on()
        self.naive = Naive(facts, self.seats, options, self.script)
        self.choose = chooser(self, random)
        self.compare()

    def _pass_on(self) -> None:
        """What the engine has drawn, the naive one must draw, in this order and for the same."""
        self.script.left += self.chance.draws
        self.given, self.chance.draws = self.chance.draws, []

    def compare(self) -> None:
        state, naive = self.state, self.naive
        if self.script.left:
            self.part([f"draws: naive has not drawn {self.script.left}"])
        seats = (state.to_act(), naive.to_act())
        if seats[0] != seats[1] and not naive.over:
            self.part([f"seat: engine {seats[0]}, naive {seats[1]}"])
        mine, its = state.legal(), naive.legal()
        if len(set(mine)) < len(mine):
            self.part([f"engine allows something twice: {mine}"])
        if set(mine) != set(its):
            more, less = sorted(set(mine) - set(its)), sorted(set(its) - set(mine))
            self.part([f"only engine allows {more}, only naive {less}, both {sorted(set(mine) & set(its))}"])
        its_table, my_table = of_naive(naive), of_engine(state)
        if its_table["phase"] == "end":
            my_table["phase"] = "end"  # the engine has no phase of its own for the End segment
            for figures, word in (("heroes", "acted"), ("vermin", "activated")):
                for one in my_table[figures].values():
                    one[word] = False
        if naive.over:  # what was in the middle of something is put away or left, and nobody looks any more
            for heap in ("deck", "discard", "vermin", "order"):
                del my_table[heap], its_table[heap]
        if found := differences(my_table, its_table):
            self.part(found)

    def part(self, what: list[str]) -> None:
        head = f"seed {self.seed} {self.seats} {self.options} after {len(self.moves)} moves, last {self.moves[-6:]}"
        raise Apart("\n".join([head, *what]))

    def go(self) -> None:
        """One move of both."""
        move = self.choose()
        self.words[f"{move[0]}"] += 1
        self.moves.append(move)
        self.state.apply(move)
        self._pass_on()
        try:
            self.naive.apply(move)
        except Exception as problem:  # whatever goes wrong there, the seed and the moves are wanted
            raise Apart(f"seed {self.seed} {self.options} {self.moves[-6:]} naive: {problem!r}") from problem
        self.compare()

    def play(self) -> Lockstep:
        while self.state.to_act() != OVER:
            self.go()
            assert len(self.moves) < MOST_DECISIONS, self.seed
        return self


def chooser(game: Lockstep, random: Random) -> Callable[[], Move]:
    """How a scenario is played: by the bot, at random in two ways, or by a mixture."""
    bot = Sensible(game.seed)
    keen, any_ = RandomPlayer(random), RandomPlayer(random)
    keen.keen, any_.keen = True, False
    kind = game.seed % 5

    def sensible() -> Move:
        legal = game.state.legal()
        return bot(game.state.view(game.state.to_act()), legal)

    def choose() -> Move:
        dice = random.random()
        if kind == 0 or (kind == 1 and dice < 0.7):
            return sensible()
        if kind == 4 or (kind in (1, 2) and dice > 0.8):
            return any_.choose(game.naive)
        return keen.choose(game.naive)

    return choose


# The tests


@pytest.mark.slow("plays a scenario twice, and compares the tables after each move")
@seeded(10)
def test_the_engine_and_a_second_one_agree(seed: int) -> None:
    Lockstep(plain(), seed).play()


@pytest.mark.slow("plays a scenario twice, and compares the tables after each move")
@seeded(5)
def test_they_agree_on_every_foe(seed: int) -> None:
    Lockstep(wild(seed % len(WILD)), seed).play()


@pytest.mark.slow("plays a scenario twice, and compares the tables after each move")
@seeded(5)
def test_they_agree_when_heroes_win(seed: int) -> None:
    Lockstep(tame(), seed).play()


FACTS: dict[str, Callable[[int], dict[str, Any]]] = {
    "plain": lambda seed: plain(),
    "wild": lambda seed: wild(seed % len(WILD)),
    "tame": lambda seed: tame(),
}
"""The facts of a scenario with this seed, by the name of their kind."""


def main() -> None:
    number, first, kind = [*sys.argv[1:], *("50", "0", "plain")[len(sys.argv) - 1 :]]
    words: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    apart = 0
    for seed in range(int(first), int(first) + int(number)):
        try:
            game = Lockstep(FACTS[kind](seed), seed).play()
        except Apart as problem:
            apart += 1
            sys.stdout.write(f"APART {problem}\n\n")
            sys.stdout.flush()
            continue
        words += game.words
        ends[f"{game.options['scenario']} {'won' if game.state.won else 'lost: ' + game.state.lost}"] += 1
    for name in sorted(ends):
        sys.stdout.write(f"{ends[name]:6} {name}\n")
    for word, count in words.most_common():
        sys.stdout.write(f"{count:8} {word}\n")
    sys.stdout.write(f"{number} scenarios, {apart} apart\n")


if __name__ == "__main__":
    main()
