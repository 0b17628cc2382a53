"""A second, naive Cats of New Orleans: written from the ledger and the protocol alone, to be played in lockstep.

Nothing of the engine's own geometry or rules is used, so that two readings of one rule meet and not one reading twice.
Texts of heroes, skills and loot stay out: `plain_facts` gives facts without them. A game is one long generator that
stops at each choice; `legal` says what can be answered there, `apply` answers.

    .venv/bin/python tests/naive_cats.py 20    plays twenty random games and checks what must always hold

Where the ledger leaves something open, the chosen reading has the word "Reading" beside it.
"""

from __future__ import annotations

import copy
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

Square = tuple[int, int]
"""Column and row, from 0."""
Move = tuple[str, ...]
Play = Generator[tuple[int, list[Move]], Move, Any]
"""Gives the seat and what it may do, gets what it does."""

ORTHOGONAL = ((0, -1), (1, 0), (0, 1), (-1, 0))
DIAGONAL = ((1, -1), (1, 1), (-1, 1), (-1, -1))
FAR = 10**6
"""More moves than any map has."""
FACES = ("jack", "queen", "king")
BODY_PARTS = (
    "Fangs",
    "Spit Venom",
    "Stinging Bite",
    "Jaws",
    "Beak",
    "Tooth and Claw",
    "Stabby Beak",
    "Snapper",
)
MENDED = ("viceroy", "mort", "sacrebleu", "rat-king", "roux-poubelle")
MOSQUITO = "bayou-mosquitos"
STINKERS = "stinkers"
SPAWN_MARKS = ("S", "S1", "S2", "S3")
DOORS = "Spend 1 AP: Open or close a door on an edge of your square."
NO_FIGHTING = "No hero may attack."
BESIDE = "When a vermin beside a hero activates, the scenario is lost."
TRACK_ENDS = "When the round marker leaves the track, the scenario is lost."
STAY = "No hero needs to leave the map."
ALL_LEAVE = "Each hero leaves the map."
SEARCH = ("Investigate H.", "Investigate each H.")
DOWN_WITH_THE_KING = "Eliminate the Rat King."
NO_EFFECT = (
    "When a hero sees the Rat King, read entry 13. Once per scenario.",
    "When the Rat King is eliminated, read entry 2.",
    "When the round marker reaches space 8, read entry 12.",
)
"""Entries 2, 12 and 13 are stories and nothing else."""
SEARCHED = {
    "When a hero Investigates H, read entry 1.": (1, 1),
    "When a hero Investigates the first H, read entry 9.": (1, 9),
    "When a hero Investigates the second H, read entry 4.": (2, 4),
    "When a hero Investigates the first H, read entry 5.": (1, 5),
    "When a hero Investigates the second H, read entry 10.": (2, 10),
}
"""The how manieth search of an objective, and the entry to read."""
OVERSEER = "When Roux Poubelle is eliminated, add 1 card to the party hand."
UNDERTAKER = "When Mort is eliminated, each hero recovers 1 Life."
SIX_HEADS = "When the Rat King is stunned, remove the Stun marker from it and put a Vulnerable marker on it."
PREFERRED = "Each hero takes a preferred weapon from the Loot deck."


def plain_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts without the texts of heroes, skills and loot."""
    plain: dict[str, Any] = copy.deepcopy(dict(facts))
    for piece in plain["components"].values():
        if piece["deck"] in ("heroes", "skills", "loot"):
            for key in ("text", "special", "code"):
                if key in piece:
                    piece[key] = None
    return plain


# The map


def name_of(square: Square) -> str:
    column, row = square
    letters = chr(ord("a") + column % 26)
    if column >= 26:
        letters = chr(ord("a") + column // 26 - 1) + letters
    return f"{letters}{row + 1}"


def square_of(name: str) -> Square:
    letters = name.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("a") + 1
    return column - 1, int(name[len(letters) :]) - 1


def row_major(squares: Iterable[Square]) -> list[Square]:
    return sorted(squares, key=lambda square: (square[1], square[0]))


def plus(square: Square, way: Square) -> Square:
    return square[0] + way[0], square[1] + way[1]


def kings(a: Square, b: Square) -> int:
    """Steps of a king on an empty board."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


@cache
def squares_on_line(across: int, down: int) -> tuple[Square, ...]:
    """The squares that the line from the centre of (0, 0) to the centre of another one runs through, in order.

    Two that follow each other and are diagonal neighbours have the line exactly through their corner.
    """
    half = Fraction(1, 2)
    crossings: dict[Fraction, list[int]] = {}
    for axis, length in enumerate((across, down)):
        for number in range(abs(length)):
            crossings.setdefault((number + half) / abs(length), [0, 0])[axis] = 1 if length > 0 else -1
    squares = [(0, 0)]
    for when in sorted(crossings):
        squares.append(plus(squares[-1], tuple(crossings[when])))
    return tuple(squares)


class Ground:
    """A map with its doors as they are now."""

    def __init__(self, facts: Mapping[str, Any], open_doors: frozenset[str] | None = None) -> None:
        self.facts = facts
        self.rows = len(facts["squares"])
        self.columns = len(facts["squares"][0])
        self.signs: dict[frozenset[Square], tuple[str, str]] = {}
        """The sign and the name of the edge between two neighbours."""
        for column in range(self.columns):
            for row in range(self.rows):
                if column + 1 < self.columns:
                    pair = frozenset({(column, row), (column + 1, row)})
                    self.signs[pair] = facts["upright"][row][column + 1], name_of((column, row)) + "e"
                if row + 1 < self.rows:
                    pair = frozenset({(column, row), (column, row + 1)})
                    self.signs[pair] = facts["flat"][row + 1][column], name_of((column, row)) + "s"
        if open_doors is None:
            open_doors = frozenset(name for sign, name in self.signs.values() if sign == "d")
        self.open_doors = open_doors
        self._steps: dict[Square, list[Square]] = {}
        self._sight: dict[tuple[Square, Square], bool] = {}
        self._block: dict[Square, list[Square]] = {}

    def with_doors(self, open_doors: frozenset[str]) -> Ground:
        return Ground(self.facts, open_doors)

    def terrain(self, square: Square) -> str:
        column, row = square
        if 0 <= column < self.columns and 0 <= row < self.rows:
            return str(self.facts["squares"][row][column])
        return " "

    def is_standable(self, square: Square) -> bool:
        return self.terrain(square) not in "# "

    def is_water(self, square: Square) -> bool:
        return self.terrain(square) == "~"

    def is_hindering(self, square: Square) -> bool:
        return self.terrain(square) == ":"

    def marked(self, mark: str) -> list[Square]:
        return row_major(square_of(name) for name, its in self.facts["marks"].items() if its == mark)

    def is_edge_free(self, a: Square, b: Square) -> bool:
        """Neither a wall nor a closed door between two neighbours."""
        if frozenset({a, b}) not in self.signs:
            return False
        sign, name = self.signs[frozenset({a, b})]
        return name in self.open_doors if sign in "Dd" else sign != "|"

    def is_edge_hindering(self, a: Square, b: Square) -> bool:
        return self.signs.get(frozenset({a, b}), ("", ""))[0] == ":"

    def doors_of(self, square: Square) -> list[str]:
        around = (self.signs.get(frozenset({square, plus(square, way)}), ("", "")) for way in ORTHOGONAL)
        return [name for sign, name in around if sign and sign in "Dd"]

    def has_exit(self, square: Square) -> bool:
        column, row = square
        upright, flat = self.facts["upright"][row], self.facts["flat"]
        return any(
            sign in "<>^v" for sign in (upright[column], upright[column + 1], flat[row][column], flat[row + 1][column])
        )

    def corners(self, a: Square, b: Square) -> tuple[Square, Square]:
        """The two other squares at the point where diagonal neighbours meet."""
        return (b[0], a[1]), (a[0], b[1])

    # Neighbours

    def is_adjacent(self, a: Square, b: Square) -> bool:
        """Orthogonal neighbours with no wall between (NO-GEN-2, NO-AMB-82)."""
        return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 and self.is_edge_free(a, b)

    def is_surrounding(self, a: Square, b: Square) -> bool:
        """One of the eight neighbours with no wall between (NO-GEN-3, NO-AMB-82)."""
        return kings(a, b) == 1 and self.passes(a, b)

    def passes(self, a: Square, b: Square) -> bool:
        """Whether a line goes from a square into a neighbour, perhaps through the corner (NO-AMB-81)."""
        if a[0] == b[0] or a[1] == b[1]:
            return self.is_edge_free(a, b)
        return any(self.is_edge_free(a, side) and self.is_edge_free(side, b) for side in self.corners(a, b))

    def steps(self, square: Square) -> list[Square]:
        """Where a figure can step, if no figure is in its way (NO-TERR-2, NO-AMB-19)."""
        if square not in self._steps:
            ways = (plus(square, way) for way in (*ORTHOGONAL, *DIAGONAL))
            self._steps[square] = [to for to in ways if self.is_step(square, to)]
        return self._steps[square]

    def is_step(self, a: Square, b: Square, as_standable: Sequence[Square] = ()) -> bool:
        """A step by terrain and walls; `as_standable` counts as if one could stand there."""
        if not self.is_standable(b) and b not in as_standable:
            return False
        if a[0] == b[0] or a[1] == b[1]:
            return self.is_edge_free(a, b)
        return any(
            (self.is_standable(side) or side in as_standable)
            and self.is_edge_free(a, side)
            and self.is_edge_free(side, b)
            for side in self.corners(a, b)
        )

    # Sight

    def is_clear(self, a: Square, b: Square) -> bool:
        """A line of sight by terrain (NO-LOS-2, NO-LOS-3, NO-AMB-81). Reading: the squares at its ends do not stop."""
        key = (a, b)
        if key not in self._sight:
            line = [plus(a, each) for each in squares_on_line(b[0] - a[0], b[1] - a[1])]
            through = all(self.is_standable(square) for square in line[1:-1])
            edges = all(self.passes(one, next_) for one, next_ in pairwise(line))
            self._sight[key] = through and edges
        return self._sight[key]

    def is_hindered(self, a: Square, b: Square, own: Sequence[Square], figures: Iterable[Square]) -> bool:
        """Hindering on the line, not counting the attacker's own squares (NO-DRM-7, NO-DRM-8, NO-AMB-43, NO-AMB-44).

        `figures` are the squares of figures that can hinder.
        """
        line = [plus(a, each) for each in squares_on_line(b[0] - a[0], b[1] - a[1])]
        if any(self.is_hindering(square) for square in line if square not in own):
            return True
        if any(square in figures for square in line):
            return True
        return any(self._crosses_yellow(one, next_, own) for one, next_ in pairwise(line))

    def _crosses_yellow(self, a: Square, b: Square, own: Sequence[Square]) -> bool:
        def is_yellow(one: Square, other: Square) -> bool:
            return one not in own and other not in own and self.is_edge_hindering(one, other)

        if a[0] == b[0] or a[1] == b[1]:
            return is_yellow(a, b)
        return all(is_yellow(a, side) or is_yellow(side, b) for side in self.corners(a, b))

    # Large figures: two by two, called by the upper left square

    def block(self, square: Square) -> list[Square]:
        return [plus(square, way) for way in ((0, 0), (1, 0), (0, 1), (1, 1))]

    def block_steps(self, square: Square) -> list[Square]:
        """Where a large figure can go for 1 AP, if no figure is in its way (NO-LARGE-2, NO-AMB-48).

        Reading: each of its four squares makes the step, one blocking square of the place it comes to is disregarded,
        and no wall runs through that place. A whole big square is a step to an orthogonal neighbour, both halves of
        which must be possible.
        """
        if square not in self._block:
            ways = (*ORTHOGONAL, *DIAGONAL)
            found = [plus(square, way) for way in ways if self._is_block_step(square, plus(square, way))]
            if square[0] % 2 == 0 and square[1] % 2 == 0:
                for way in ORTHOGONAL:
                    half = plus(square, way)
                    if half in found and self._is_block_step(half, plus(half, way)):
                        found.append(plus(half, way))
            self._block[square] = found
        return self._block[square]

    def _is_block_step(self, a: Square, b: Square) -> bool:
        place = self.block(b)
        blocking = [square for square in place if not self.is_standable(square)]
        if len(blocking) > 1 or any(self.terrain(square) == " " for square in blocking):
            return False
        inside = ((place[0], place[1]), (place[0], place[2]), (place[3], place[1]), (place[3], place[2]))
        if not all(self.is_edge_free(one, other) for one, other in inside):
            return False
        as_standable = [*self.block(a), *blocking]
        return all(
            self.is_step(one, to, as_standable) for one, to in zip(self.block(a), place, strict=True) if to != one
        )

    def big_square(self, square: Square) -> list[Square]:
        corner = square[0] - square[0] % 2, square[1] - square[1] % 2
        return [each for each in self.block(corner) if 0 <= each[0] < self.columns and 0 <= each[1] < self.rows]

    def glides(self, square: Square) -> list[Square]:
        """The squares of the big squares beside that of a Glider, where a way between the two is open."""
        mine = self.big_square(square)
        start = self.joined([square], mine)
        found: list[Square] = []
        for way in ORTHOGONAL:
            theirs = self.big_square(plus(mine[0], (2 * way[0], 2 * way[1])))
            first = [other for other in theirs if any(self.is_adjacent(one, other) for one in start)]
            found += [other for other in self.joined(first, theirs) if self.is_standable(other)]
        return found

    def joined(self, first: list[Square], within: list[Square]) -> list[Square]:
        """What hangs together with some squares, with no wall or closed door between."""
        found = list(first)
        for one in found:
            found += [other for other in within if other not in found and self.is_adjacent(one, other)]
        return found


# The pieces


@dataclass
class Attack:
    """One row of numbers. A Stun or Wound of 0 is ALWAYS."""

    id: str
    name: str
    draws: int
    range: int
    stun: int
    wound: int
    deplete: str | None

    def reaches(self, distance: int) -> bool:
        """NO-RNG: up to 3, everything; from 4 on, a dead zone."""
        return distance <= self.range if self.range <= 3 else 2 <= distance <= self.range


@dataclass(eq=False)
class Hero:
    id: str
    seat: int
    lives: int
    at: Square | None = None
    ap: int = 0
    mp: int = 0
    pounce: int | None = None
    """Points left of a Pounce that is being made."""
    stunned: bool = False
    vulnerable: bool = False
    weapons: list[str] = field(default_factory=list)
    loot: list[str] = field(default_factory=list)
    skills: list[str] = field(default_factory=list)
    bucks: int = 0
    out: bool = False
    left: bool = False
    acted: bool = False
    ended: bool = False
    """Its activation has ended at once."""
    searched: set[Square] = field(default_factory=set)
    declined: set[str] = field(default_factory=set)

    @property
    def cards(self) -> list[str]:
        return [*self.weapons, *self.loot]


@dataclass(eq=False)
class Vermin:
    marker: str
    foe: str
    at: Square
    name: str
    up: bool
    number: int
    wounds: int = 0
    stunned: bool = False
    vulnerable: bool = False
    zombie: bool = False
    activated: bool = False
    aspect: str | None = None
    depleted: set[str] = field(default_factory=set)
    there: bool = True


class Over(Exception):
    """The game has ended, and nothing more is carried out."""


class Naive:
    """A game of The Cats of New Orleans."""

    ask_single = False
    """Whether a question about a square or a figure is asked that has one answer. Reading: it is not."""

    def __init__(self, facts: Mapping[str, Any], seats: Sequence[str], options: Mapping[str, Any], chance: Any) -> None:
        self.facts = facts
        self.pieces: Mapping[str, Any] = facts["components"]
        self.place_in_facts = {id_: place for place, id_ in enumerate(self.pieces)}
        self.seats = list(seats)
        self.options = dict(options)
        self.chance = chance
        self.scenario = facts["scenarios"][self.options.get("scenario") or next(iter(facts["scenarios"]))]
        self.difficulty = self.options.get("difficulty", "normal")
        self.coin = self.options.get("coin") in ("yes", True)
        self.ground = Ground(facts["maps"][self.scenario["map"]])
        self.over = self.won = False
        self.started = False
        self.phase = "set-up"
        self.round = self.space = 1
        self.heroes: list[Hero] = []
        self.active: Hero | None = None
        self.vermin: list[Vermin] = []
        self.pool: list[str] = []
        self.vermin_discard: list[str] = []
        self.coming: list[str] = []
        """A marker that was picked, while it is asked where it goes."""
        self.gone: list[str] = []
        """Markers that left for good."""
        self.deck: list[str] = []
        self.discard: list[str] = []
        self.hand: list[str] = []
        self.held: list[str] = []
        """Cards of the attack that is being resolved."""
        self.loot_deck: list[str] = []
        self.loot_discard: list[str] = []
        self.loot_tokens: dict[Square, int] = {}
        self.objectives: set[Square] = set()
        self.taken: Counter[Square] = Counter()
        self.searches = 0
        self.lying: dict[Square, list[str]] = {}
        self.depleted: set[str] = set()
        self.stinkbombs: list[Square] = []
        self.log: set[int] = {int(number) for number in self.options.get("log") or ()}
        self.aspects: list[str] = []
        """Aspect cards that are not lost."""
        self.aspect_deck: list[str] = []
        self.eliminated: set[str] = set()
        self.powers_of: dict[tuple[str, str | None], list[str]] = {}
        self._read_scenario()
        self._seat, self._moves = -1, []
        self._game = self._play()
        self._go_on(None)

    # Answers

    def to_act(self) -> int:
        return -1 if self.over else self._seat

    def legal(self) -> list[Move]:
        return [] if self.over else list(self._moves)

    def apply(self, move: Sequence[str]) -> None:
        move = tuple(move)
        if move not in self._moves or self.over:
            raise ValueError(f"{move} is not legal: {self._moves}")
        self._go_on(move)

    def _go_on(self, move: Move | None) -> None:
        try:
            self._seat, self._moves = next(self._game) if move is None else self._game.send(move)
        except Over:
            self._seat, self._moves, self.phase = -1, [], "over"

    def summary(self) -> dict[str, Any]:
        """The position as plain words and numbers."""
        return {
            "round": self.round,
            "space": self.space,
            "phase": self.phase,
            "active": self.active.id if self.active else None,
            "heroes": {
                hero.id: {
                    "at": name_of(hero.at) if hero.at else None,
                    "lives": hero.lives,
                    "ap": hero.ap,
                    "mp": hero.mp,
                    "pounce": hero.pounce,
                    "stunned": hero.stunned,
                    "vulnerable": hero.vulnerable,
                    "weapons": sorted(hero.weapons),
                    "loot": sorted(hero.loot),
                    "skills": sorted(hero.skills),
                    "bucks": hero.bucks,
                    "out": hero.out,
                    "left": hero.left,
                    "acted": hero.acted,
                }
                for hero in self.heroes
            },
            "vermin": {
                vermin.name: {
                    "at": name_of(vermin.at),
                    "face": "up" if vermin.up else "down",
                    "wounds": vermin.wounds,
                    "stunned": vermin.stunned,
                    "vulnerable": vermin.vulnerable,
                    "zombie": vermin.zombie,
                    "activated": vermin.activated,
                    "aspect": vermin.aspect,
                    "depleted": sorted(vermin.depleted),
                }
                for vermin in self._in_order()
            },
            "doors": sorted(self.ground.open_doors),
            "hand": sorted(self.hand),
            "discard": sorted(self.discard),
            "loot-discard": sorted(self.loot_discard),
            "taken": {name_of(square): number for square, number in sorted(self.taken.items())},
            "vermin-discard": sorted(self.vermin_discard),
            "pool": sorted(self.pool),
            "ground": {name_of(square): sorted(cards) for square, cards in sorted(self.lying.items()) if cards},
            "depleted": sorted(self.depleted),
            "stinkbombs": sorted(name_of(square) for square in self.stinkbombs),
            "aspects": sorted(self.aspects),
            "log": sorted(self.log),
            "over": self.over,
            "won": self.won,
        }

    # The scenario

    def _read_scenario(self) -> None:
        """What its sentences mean, one by one; a sentence that nobody here knows is an error."""
        goals = [clause["text"] for clause in self.scenario["objectives"]]
        special = [clause["text"] for clause in self.scenario["special"]]
        known_goals = (*SEARCH, ALL_LEAVE, STAY, DOWN_WITH_THE_KING)
        known = (DOORS, NO_FIGHTING, BESIDE, TRACK_ENDS, OVERSEER, UNDERTAKER, SIX_HEADS, *NO_EFFECT, *SEARCHED)
        strange = [text for text in goals if text not in known_goals] + [text for text in special if text not in known]
        if strange:
            raise ValueError(f"no such sentence: {strange}")
        self.must_search = any(text in SEARCH for text in goals)
        self.must_leave = STAY not in goals
        self.must_kill = DOWN_WITH_THE_KING in goals
        self.has_doors = DOORS in special
        self.may_fight = NO_FIGHTING not in special
        self.is_lost_beside = BESIDE in special
        self.has_overseer = OVERSEER in special
        self.has_undertaker = UNDERTAKER in special
        self.has_six_heads = SIX_HEADS in special
        self.is_lost_at_end = TRACK_ENDS in special
        self.entries = dict(SEARCHED[text] for text in special if text in SEARCHED)

    def _check_end(self) -> None:
        """Won as soon as all objectives are met, lost when nobody is on the map any more."""
        if not self.started:
            return
        alive = [hero for hero in self.heroes if not hero.out]
        searched = not self.must_search or not self.objectives
        killed = not self.must_kill or "rat-king" in self.eliminated
        gone = not self.must_leave or (bool(alive) and all(hero.left for hero in alive))
        if searched and killed and gone:
            self._end(won=True)
        if not self._on_map():
            self._end(won=False)

    def _end(self, won: bool) -> None:
        self.over, self.won = True, won
        raise Over

    # Small answers

    def _ordered(self, ids: Iterable[str]) -> list[str]:
        """Ids in the order of the facts."""
        return sorted(ids, key=self.place_in_facts.__getitem__)

    def _on_map(self) -> list[Hero]:
        return [hero for hero in self.heroes if hero.at is not None]

    def _hero(self, id_: str) -> Hero:
        return next(hero for hero in self.heroes if hero.id == id_)

    def _in_order(self) -> list[Vermin]:
        """Revealed ones by marker and number, then unknown ones by number."""
        return sorted(
            self.vermin, key=lambda one: (not one.up, self.place_in_facts[one.marker] if one.up else 0, one.number)
        )

    def _powers(self, vermin: Vermin) -> list[str]:
        """NO-HIDE-3: none while face down. NO-AMB-54: those of the aspect come on top."""
        if not vermin.up:
            return []
        card = (vermin.foe, vermin.aspect)
        if card not in self.powers_of:
            texts = [self.pieces[id_]["powers"] or "" for id_ in card if id_]
            self.powers_of[card] = [power for text in texts for power in text.split(", ") if power]
        return self.powers_of[card]

    def _has(self, vermin: Vermin, *powers: str) -> bool:
        mine = self._powers(vermin)
        return any(power in mine for power in powers)

    def _squares(self, figure: Hero | Vermin) -> list[Square]:
        assert figure.at is not None
        return self._squares_from(figure, figure.at)

    def _squares_from(self, figure: Hero | Vermin, at: Square) -> list[Square]:
        if isinstance(figure, Vermin) and self._has(figure, "large"):
            return self.ground.block(at)
        return [at]

    def _figures(self) -> list[Hero | Vermin]:
        return [*self._on_map(), *self.vermin]

    def _figures_at(self, square: Square) -> list[Hero | Vermin]:
        return [figure for figure in self._figures() if square in self._squares(figure)]

    def _others(self, *but: Hero | Vermin) -> set[Square]:
        """The squares of all figures but these."""
        return {square for figure in self._figures() if figure not in but for square in self._squares(figure)}

    def _is_wet(self, figure: Hero | Vermin) -> bool:
        """Reading: a large figure is in water when any of its squares is."""
        return any(self.ground.is_water(square) for square in self._squares(figure))

    def _ignores_water(self, vermin: Vermin) -> bool:
        return self._has(vermin, "flying", "swimmer")

    def _sees(self, from_: Iterable[Square], to: Iterable[Square]) -> bool:
        to = list(to)
        return any(self.ground.is_clear(a, b) for a in from_ for b in to)

    def _distance(self, from_: Iterable[Square], to: Iterable[Square]) -> int:
        """Range, counted from the nearest squares (NO-AMB-10, NO-AMB-48)."""
        to = list(to)
        return min(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a in from_ for b in to)

    def _is_hindered(self, attacker: Hero | Vermin, from_: Sequence[Square], target: Hero | Vermin) -> bool:
        """Whether all lines of sight are hindered: the line that is best for the attacker counts (NO-AMB-87)."""
        to = self._squares(target)
        figures = self._others(attacker, target) - set(from_) - set(to)
        clear = [(a, b) for a in from_ for b in to if self.ground.is_clear(a, b)]
        return all(self.ground.is_hindered(a, b, from_, figures) for a, b in clear)

    def _is_beside(self, vermin: Vermin, hero: Hero) -> bool:
        """NO-AMB-67: adjacent with no wall between, or on the same square."""
        assert hero.at is not None
        return any(square == hero.at or self.ground.is_adjacent(square, hero.at) for square in self._squares(vermin))

    def _is_adjacent(self, vermin: Vermin, square: Square) -> bool:
        return any(self.ground.is_adjacent(mine, square) for mine in self._squares(vermin))

    # Questions

    def _ask(self, seat: int, moves: Iterable[Move]) -> Play:
        moves = list(moves)
        assert moves
        return (yield seat, moves)

    def _which(self, seat: int, word: str, answers: Sequence[str]) -> Play:
        """Which square or which figure."""
        if len(answers) == 1 and not self.ask_single:
            return answers[0]
        move = yield from self._ask(seat, [(word, answer) for answer in answers])
        return move[1]

    def _which_square(self, seat: int, squares: Iterable[Square]) -> Play:
        name = yield from self._which(seat, "to", [name_of(square) for square in row_major(set(squares))])
        return square_of(name)

    # The game

    def _play(self) -> Play:
        yield from self._set_up()
        while True:
            yield from self._initiative()
            yield from self._end_segment()

    # Set-up

    def _set_up(self) -> Play:
        kings_ = ("king-of-hearts", "king-of-diamonds", "king-of-clubs", "king-of-spades")
        self.deck = [id_ for id_ in self._of_deck("poker-deck") if id_ not in kings_]
        self.heroes = self._take_seats()
        for marker, count in self.scenario["pool"].items():
            self.pool += [marker] * count
        for square in self.ground.marked("V"):
            if self.pool:
                self._put(self._pick_from(self.pool, "marker"), square, up=False)
        for apart in self.scenario["apart"]:
            if not apart.get("round"):
                for square in self.ground.marked(apart["mark"])[: apart.get("count", 1)]:
                    self._put(apart["piece"], square, up=True)
        self._make_loot_deck()
        self.loot_tokens = dict.fromkeys(self.ground.marked("L"), 2)
        self.objectives = set(self.ground.marked("H"))
        self.aspects = [
            id_ for id_, piece in self.pieces.items() if piece["deck"] == "foes" and piece["part"] == "aspect"
        ]
        self.aspect_deck = list(self.aspects)
        yield from self._add_to_hand(0)
        yield from self._choose_weapons()
        yield from self._choose_skills()
        for hero in self.heroes:
            (start,) = self.ground.marked("G")
            near = [
                start,
                *(plus(start, way) for way in ORTHOGONAL if self.ground.is_adjacent(start, plus(start, way))),
            ]
            taken = self._others()
            free = [square for square in near if self.ground.is_standable(square) and square not in taken]
            hero.at = yield from self._which_square(hero.seat, free)
            self._reveal()
        self.started = True
        for clause in self.scenario["set-up"]:
            yield from self._start(clause["text"])

    def _of_deck(self, deck: str) -> list[str]:
        """All cards of a deck, a card as often as it is there."""
        return [id_ for id_, piece in self.pieces.items() if piece["deck"] == deck for _ in range(piece["count"])]

    def _take_seats(self) -> list[Hero]:
        ids = self.options.get("heroes") or self._of_deck("heroes")[:4]
        assert len(ids) in (2, 4)
        heroes = [Hero(id_, number % len(self.seats), self.pieces[id_]["lives"]) for number, id_ in enumerate(ids)]
        for hero in heroes:
            hero.weapons = list((self.options.get("weapons") or {}).get(hero.id, ()))
            hero.loot = list((self.options.get("other-loot") or {}).get(hero.id, ()))
            hero.skills = list((self.options.get("skills") or {}).get(hero.id, ()))
        return heroes

    def _make_loot_deck(self) -> None:
        for id_ in self._of_deck("loot"):
            piece = self.pieces[id_]
            if piece["level"] in self.scenario["loot"] and piece["kind"] not in self.scenario["without"]:
                self.loot_deck.append(id_)
        for hero in self.heroes:
            for card in hero.cards:
                if card in self.loot_deck:
                    self.loot_deck.remove(card)

    def _choose_weapons(self) -> Play:
        earlier = [each for each in self.facts["scenarios"].values() if each["number"] < self.scenario["number"]]
        given = any(clause["text"] == PREFERRED for each in earlier for clause in each["between"])
        if "weapons" in self.options or not given:
            return
        for hero in self.heroes:
            preferred = self.pieces[hero.id]["weapons"].split(", ")
            left = [id_ for id_ in preferred if id_ in self.loot_deck]
            if left:
                weapon = yield from self._which(hero.seat, "choose", left)
                self.loot_deck.remove(weapon)
                hero.weapons.append(weapon)

    def _choose_skills(self) -> Play:
        levels = [
            level
            for level in (1, 2, 3)
            for clause in self.scenario["set-up"]
            if clause["text"] == f"Each hero learns a level {level} skill for free."
        ]
        if "skills" in self.options:
            return
        for level in levels:
            for hero in self.heroes:
                skills = [
                    id_
                    for id_ in self._of_deck("skills")
                    if self.pieces[id_]["hero"] == hero.id
                    and self.pieces[id_]["level"] == level
                    and id_ not in hero.skills
                ]
                if skills:
                    skill = yield from self._which(hero.seat, "choose", skills)
                    hero.skills.append(skill)

    def _start(self, text: str) -> Play:
        """A clause of the set-up, at the start of the scenario."""
        condition, _, what = text.partition(" is in the Adventure Log, ")
        if not what:
            return
        entry = int(condition.removeprefix("At the start of the scenario, if entry "))
        if entry not in self.log:
            return
        if what == "add 1 card to the party hand and spawn 1 vermin on each S2.":
            yield from self._add_to_hand(0)
            yield from self._spawn("S2")
        elif what == "each hero recovers 1 Life.":
            self._each_recovers()
        elif what == "each hero may Stride for free.":
            for hero in self.heroes:
                yield from self._free_stride(hero)
        else:
            raise ValueError(f"no such sentence: {what}")

    def _free_stride(self, hero: Hero) -> Play:
        """("go", square) as long as the 3 MP last, or ("done",)."""
        if hero.at is None or self._is_held_up(hero):
            return
        hero.mp, hero.ended = 3, False
        while hero.at is not None and not hero.ended:
            steps = self._hero_steps(hero)
            if not steps:
                break
            move = yield from self._ask(hero.seat, [*steps, ("done",)])
            if move == ("done",):
                break
            yield from self._hero_goes(hero, square_of(move[1]))
        hero.mp, hero.ended = 0, False

    # Cards of the poker deck

    def _pick_from(self, pool: list[str], label: str) -> str:
        """One of a heap, which is then gone from it."""
        item = self.chance.pick(label, self._ordered(pool))
        pool.remove(item)
        return str(item)

    def _take_card(self) -> str:
        if not self.deck:
            self.deck, self.discard = self.discard, []
        return self._pick_from(self.deck, "poker")

    def _value(self, card: str) -> int:
        return int(self.pieces[card]["value"])

    def _is_joker(self, card: str) -> bool:
        return card.endswith("joker")

    def _is_ace(self, card: str) -> bool:
        return card.startswith("ace-")

    def _joker(self, card: str) -> None:
        """It and the whole discard go back into the deck; and its effect."""
        self.deck += [*self.discard, card]
        self.discard = []
        for hero in self._on_map():
            if card == "black-joker":
                self._lose(hero, 1)
            else:
                self._recover(hero, 1)

    def _flip(self) -> str:
        card = self._take_card()
        if self._is_joker(card):
            self._joker(card)
        else:
            self.discard.append(card)
        return card

    def _draw(self, seat: int, hero: Hero | None, held: bool, frenzy: bool = False) -> Play:
        """One DRAW with its questions. `held` keeps the card out until the attack is over."""
        card = self._take_card()
        if frenzy:
            other = self._take_card()
            if self._value(other) > self._value(card):  # reading: of two equals the first drawn is the better
                card, other = other, card
            self._lay_away(other, held=False)  # like a replaced card it counts no more, and has not to wait
        while self.hand:
            answers = [("keep",), *(("cheat", each) for each in self._ordered(self.hand))]
            move = yield from self._ask(seat, answers)
            if move == ("keep",):
                break
            self.discard.append(card)
            card = move[1]
            self.hand.remove(card)
        self._lay_away(card, held)
        if hero is not None and hero.at is not None and self._is_ace(card) and len(self.hand) < 3:
            move = yield from self._ask(seat, [("do",), ("pass",)])
            if move == ("do",):
                yield from self._add_to_hand(seat)
        return card

    def _lay_away(self, card: str, held: bool) -> None:
        if self._is_joker(card):
            self._joker(card)
        elif held:
            self.held.append(card)
        else:
            self.discard.append(card)

    def _add_to_hand(self, seat: int, count: int = 1) -> Play:
        """Cards for the party, all of them before any is discarded; a Joker is carried out, and another one comes."""
        for _ in range(count):
            card = self._take_card()
            while self._is_joker(card):  # NO-AMB-36
                self._joker(card)
                card = self._take_card()
            self.hand.append(card)
        while len(self.hand) > 3:
            move = yield from self._ask(seat, [("discard", each) for each in self._ordered(self.hand)])
            self.hand.remove(move[1])
            self.discard.append(move[1])

    # Lives

    def _lose(self, hero: Hero, lives: int) -> None:
        hero.lives = max(0, hero.lives - lives)
        if hero.lives == 0:
            hero.out, hero.at = True, None
            hero.ap = hero.mp = 0
            hero.pounce = None
            hero.stunned = hero.vulnerable = False
            self._check_end()
            self._reveal()

    def _recover(self, hero: Hero, lives: int) -> None:
        hero.lives = min(9, hero.lives + lives)

    def _each_recovers(self) -> None:
        """Reading: each hero on the map."""
        for hero in self._on_map():
            self._recover(hero, 1)

    # Vermin come and go

    def _free_number(self, marker: str, up: bool) -> int:
        used = {one.number for one in self.vermin if one.up == up and (one.marker == marker or not up)}
        return next(number for number in range(1, len(self.vermin) + 2) if number not in used)

    def _rename(self, vermin: Vermin) -> None:
        """By its marker, or as an unknown one, with the smallest number that is free."""
        self.vermin = [one for one in self.vermin if one is not vermin]
        vermin.number = self._free_number(vermin.marker, vermin.up)
        self.vermin.append(vermin)
        if not vermin.up:
            vermin.name = f"unknown-{vermin.number}"
            return
        marker = self.pieces[vermin.marker]
        slug = marker["name"].lower().replace(" ", "-")
        vermin.name = slug if marker["count"] == 1 else f"{slug}-{vermin.number}"

    def _put(self, marker: str, square: Square, up: bool) -> None:
        self._rename(Vermin(marker, self.pieces[marker]["foe"], square, "", up, 0))
        self._reveal()

    def _reveal(self) -> None:
        """NO-HIDE-5; and Camouflage, the other way round."""
        heroes = [hero.at for hero in self._on_map() if hero.at is not None]
        for vermin in self._in_order():
            if not vermin.up and self._sees(heroes, [vermin.at]):
                vermin.up = True
                self._rename(vermin)
        for vermin in self._in_order():
            if self._has(vermin, "camouflage") and not self._sees(heroes, self._squares(vermin)):
                vermin.up = False
                self._rename(vermin)

    def _empty_near(self, square: Square) -> Play:
        """The square, or the closest empty one: fewest king steps with walls, figures do not bar the way."""
        taken = self._others()
        seen, ring = {square}, [square]
        while ring:
            empty = [each for each in ring if each not in taken and self.ground.is_standable(each)]
            if empty:
                seat = self.active.seat if self.active else 0  # NO-GEN-17: the active player
                return (yield from self._which_square(seat, empty))
            ring = [to for to in {to for each in ring for to in self.ground.steps(each)} if to not in seen]
            seen |= set(ring)
        return None

    def _spawn(self, mark: str) -> Play:
        """NO-SPAWN-1 to 4."""
        for square in self.ground.marked(mark):
            if not self.pool:
                self.pool, self.vermin_discard = self.vermin_discard, []
            if not self.pool:
                continue
            marker = self._pick_from(self.pool, "marker")
            self.coming = [marker]
            at = yield from self._empty_near(square)
            self.coming = []
            if at is None:
                self.pool.append(marker)
            else:
                self._put(marker, at, up=False)

    def _eliminate(self, vermin: Vermin) -> Play:
        """NO-HIT-6 with Boss, Conjoined and Bokor."""
        powers, squares = self._powers(vermin), self._squares(vermin)
        self.vermin = [one for one in self.vermin if one is not vermin]
        vermin.there = False
        self.eliminated.add(vermin.foe)
        self.vermin_discard.append(vermin.marker)
        if self.has_overseer and vermin.foe == "roux-poubelle":
            yield from self._add_to_hand(self.active.seat if self.active else 0)
        if self.has_undertaker and vermin.foe == "mort":
            self._each_recovers()
        if "boss" in powers:
            self.vermin_discard.remove(vermin.marker)
            self.gone.append(vermin.marker)
        if "conjoined" in powers and self.aspects:
            lost = self._pick_from(self.aspects, "aspect")
            self.aspect_deck = [each for each in self.aspect_deck if each != lost]
        self._check_end()
        bokor = any(self._has(one, "bokor") for one in self.vermin)
        if bokor and "boss" not in powers and not vermin.zombie and self._value(self._flip()) >= 7:
            self.vermin_discard.remove(vermin.marker)
            self.coming = [vermin.marker]
            at = yield from self._empty_near(squares[0])
            self.coming = []
            if at is None:
                self.vermin_discard.append(vermin.marker)
            else:
                # Reading: it is another figure, which does not go on with an activation, and waits for the next turn.
                risen = Vermin(vermin.marker, vermin.foe, at, "", True, 0, zombie=True)
                risen.activated = self.phase == "vermin"
                self._rename(risen)
                self._reveal()

    # Loot, tokens and the story

    def _draw_loot(self, hero: Hero) -> Play:
        if not self.loot_deck:
            return
        card = self._pick_from(self.loot_deck, "loot")
        kind = self.pieces[card]["kind"]
        if kind == "event":
            self.loot_discard.append(card)
            return
        hero.loot.append(card)
        if kind == "weapon" and len(hero.weapons) < 2:
            move = yield from self._ask(hero.seat, [("equip", card), ("stow", card)])
            if move[0] == "equip":
                hero.loot.remove(card)
                hero.weapons.append(card)

    def _investigate(self, hero: Hero, square: Square) -> Play:
        self.taken[square] += 1
        if square in self.objectives:
            self.objectives.remove(square)
            self.searches += 1
            if self.searches in self.entries:
                yield from self._read(self.entries[self.searches], hero)
            self._check_end()
        else:
            self.loot_tokens[square] -= 1
            hero.searched.add(square)
            yield from self._draw_loot(hero)

    def _read(self, number: int, hero: Hero) -> Play:
        """A story entry, sentence by sentence. Reading: each sentence is finished before the next."""
        does = self.facts["entries"][str(number)].get("does") or ""
        for sentence in does.removesuffix(".").split(". ") if does else ():
            if sentence == "Draw 1 Loot card":
                yield from self._draw_loot(hero)
            elif sentence == "Draw 2 Loot cards":
                yield from self._draw_loot(hero)
                yield from self._draw_loot(hero)
            elif sentence == "Each hero recovers 1 Life":
                self._each_recovers()
            elif sentence == f"Write entry {number} in the Adventure Log":
                self.log.add(number)
            elif sentence == "Gain 8 bucks":
                hero.bucks += 8
            elif sentence == "Add 1 card to the party hand":
                yield from self._add_to_hand(hero.seat)
            elif sentence == "Add 2 cards to the party hand":
                yield from self._add_to_hand(hero.seat, 2)
            elif sentence == "Spawn 1 vermin on each S2":
                yield from self._spawn("S2")
            elif sentence.startswith("Either read entry "):
                entries = sentence.removeprefix("Either read entry ").split(", or read entry ")
                move = yield from self._ask(hero.seat, [("first",), ("second",)])
                yield from self._read(int(entries[move == ("second",)]), hero)
            else:
                raise ValueError(f"no such sentence: {sentence}")

    # Segments

    def _initiative(self) -> Play:
        self.phase = "initiative"
        heroes = vermin = 0
        while heroes == vermin:
            heroes = self._value(self._flip())
            vermin = self._value(self._flip())
            if not any(self._has(one, "leadership") for one in self.vermin):
                vermin -= 4
        first = "vermin-first"
        if heroes > vermin:
            (first,) = yield from self._ask(0, [("heroes-first",), ("vermin-first",)])
        if first == "heroes-first":
            yield from self._hero_turn()
            yield from self._vermin_turn()
        else:
            yield from self._vermin_turn()
            yield from self._hero_turn()

    def _end_segment(self) -> Play:
        self.phase = "end"
        self.space += 1
        if self.space > self.ground.facts["spaces"]:
            self.space = 1
            if self.is_lost_at_end:
                self._end(won=False)
        for mark in SPAWN_MARKS:
            if self.space in self.ground.facts["track"].get(mark, ()):
                yield from self._spawn(mark)
        for apart in self.scenario["apart"]:
            if apart.get("round") == self.space:
                for square in self.ground.marked(apart["mark"])[: apart.get("count", 1)]:
                    at = yield from self._empty_near(square)
                    if at is not None:
                        self._put(apart["piece"], at, up=True)
        for square in row_major(self.stinkbombs):
            if self._value(self._flip()) <= 6:
                self.stinkbombs.remove(square)
        self.round += 1

    def _hero_turn(self) -> Play:
        self.phase = "heroes"
        for hero in self.heroes:
            hero.vulnerable = hero.acted = False
        while waiting := [hero for hero in self._on_map() if not hero.acted]:
            # Reading: seat/hero order goes by the seat, and by the order of the heroes within a seat.
            first = min(waiting, key=lambda hero: (hero.seat, self.heroes.index(hero)))
            move = yield from self._ask(first.seat, [("act", hero.id) for hero in waiting])
            yield from self._activate(self._hero(move[1]))

    # A hero's activation

    def _activate(self, hero: Hero) -> Play:
        self.active, hero.acted, hero.ended = hero, True, False
        hero.declined = set()
        hero.ap = 1 if self._is_wet(hero) else (2 if len(self.heroes) == 4 else 3)
        hero.mp, hero.pounce = 0, None
        while hero.at is not None and not hero.ended:
            move = yield from self._ask(hero.seat, self._hero_moves(hero))
            yield from self._hero_does(hero, move)
        hero.ap = hero.mp = 0
        hero.pounce = None
        self.active = None

    def _is_held_up(self, hero: Hero) -> bool:
        """NO-MOVE-5: an unstunned vermin orthogonally next to it."""
        assert hero.at is not None
        return any(not vermin.stunned and self._is_adjacent(vermin, hero.at) for vermin in self.vermin)

    def _can_share(self, hero: Hero, square: Square) -> bool:
        """Nobody else there, or nothing but revealed Swarming vermin."""
        others = [figure for figure in self._figures_at(square) if figure is not hero]
        return all(isinstance(figure, Vermin) and self._has(figure, "swarming") for figure in others)

    def _cost(self, hero: Hero, to: Square) -> int:
        assert hero.at is not None
        at = hero.at
        straight = at[0] == to[0] or at[1] == to[1]
        yellow_edge = straight and self.ground.is_edge_hindering(at, to)
        hindering = self.ground.is_hindering(to) or yellow_edge or bool(self._figures_at(to))
        return (1 if straight else 2) + (1 if hindering else 0)

    def _hero_steps(self, hero: Hero) -> list[Move]:
        assert hero.at is not None
        return [
            ("go", name_of(to))
            for to in self.ground.steps(hero.at)
            if self._can_share(hero, to) and self._cost(hero, to) <= hero.mp
        ]

    def _hero_moves(self, hero: Hero) -> list[Move]:
        assert hero.at is not None
        if hero.pounce is not None:
            moves: list[Move] = [("go", name_of(to)) for to in self._pounce_steps(hero, hero.at, hero.pounce)]
            return moves + ([("land",)] if self._can_share(hero, hero.at) else [])
        moves = [("end",)]
        if hero.stunned:
            return moves + ([("unstun",)] if hero.ap else [])
        moves += self._hero_steps(hero)
        if hero.ap >= 2:
            moves += [("investigate", name_of(square)) for square in self._tokens_near(hero)]
        if not hero.ap:
            return moves
        moves.append(("prowl",))
        if not self._is_held_up(hero):
            moves.append(("stride",))
            if hero.ap >= 2:
                moves.append(("pounce",))
        moves += self._hero_attacks(hero)
        if self._stashes(hero):
            moves += [("reload", weapon) for weapon in hero.weapons if weapon in self.depleted]
        if self.lying.get(hero.at):
            moves.append(("pick-up",))
        if hero.cards:
            moves.append(("drop",))
        for other in self._on_map():
            if (
                other is not hero
                and self.ground.is_adjacent(hero.at, other.at)
                and other.id not in hero.declined
                and (hero.cards or other.cards)
            ):
                moves.append(("transfer", other.id))
        if self.ground.has_exit(hero.at):
            moves.append(("leave",))
        if self.has_doors:
            moves += [("door", door) for door in self.ground.doors_of(hero.at)]
        return moves

    def _tokens_near(self, hero: Hero) -> list[Square]:
        """NO-AMB-11, NO-AMB-82; a Loot square once for each hero (NO-LOOT-3)."""
        assert hero.at is not None
        at = hero.at
        squares = [square for square, left in self.loot_tokens.items() if left and square not in hero.searched]
        return [
            square
            for square in [*squares, *row_major(self.objectives)]
            if square == at or self.ground.is_surrounding(at, square)
        ]

    def _stashes(self, hero: Hero) -> list[str]:
        return self._ordered(card for card in hero.loot if self.pieces[card]["kind"] == "ammunition")

    def _pounce_steps(self, hero: Hero, at: Square, points: int) -> list[Square]:
        """Steps of a Pounce after which it can still come down somewhere (NO-ACT-7, NO-AMB-22)."""
        return [
            to
            for to in self.ground.steps(at)
            if self._step_price(at, to) <= points and self._can_come_down(hero, to, points - self._step_price(at, to))
        ]

    def _step_price(self, at: Square, to: Square) -> int:
        return 1 if at[0] == to[0] or at[1] == to[1] else 2

    def _can_come_down(self, hero: Hero, at: Square, points: int) -> bool:
        """Whether it can end here, or in a place that the points reach; water is an end in any case."""
        best = {at: points}
        going = [at]
        while going:
            here = going.pop()
            if self._can_share(hero, here):
                return True
            if self.ground.is_water(here):
                continue
            for to in self.ground.steps(here):
                left = best[here] - self._step_price(here, to)
                if left >= 0 and left > best.get(to, -1):
                    best[to] = left
                    going.append(to)
        return False

    def _hero_attacks(self, hero: Hero, only_range: int | None = None) -> list[Move]:
        if not self.may_fight:
            return []
        return [
            ("attack", attack.id, vermin.name)
            for attack in self._attacks_of_hero(hero)
            if only_range is None or attack.range == only_range
            for vermin in self._in_order()
            if self._can_hit(self._squares(hero), attack, vermin)
        ]

    def _attacks_of_hero(self, hero: Hero) -> list[Attack]:
        """Unarmed, and each equipped weapon that is not depleted."""
        rows = [("unarmed", self.pieces[hero.id])]
        rows += [(weapon, self.pieces[weapon]) for weapon in hero.weapons if weapon not in self.depleted]
        return [
            Attack(
                id_,
                row["attack"] if id_ == "unarmed" else row["name"],
                row["draws"],
                row["range"],
                row["stun"],
                row["wound"],
                row.get("deplete"),
            )
            for id_, row in rows
        ]

    def _can_hit(self, from_: Sequence[Square], attack: Attack, target: Hero | Vermin) -> bool:
        to = self._squares(target)
        return attack.reaches(self._distance(from_, to)) and self._sees(from_, to)

    def _hero_does(self, hero: Hero, move: Move) -> Play:
        assert hero.at is not None
        word = move[0]
        if word == "end":
            hero.ended = True
        elif word == "prowl":
            hero.ap, hero.mp = hero.ap - 1, hero.mp + 1
        elif word == "stride":
            hero.ap, hero.mp = hero.ap - 1, hero.mp + 3
        elif word == "pounce":
            hero.ap, hero.pounce = hero.ap - 2, 6
        elif word == "go":
            yield from self._hero_goes(hero, square_of(move[1]))
        elif word == "land":
            yield from self._land(hero)
        elif word == "unstun":
            hero.ap, hero.stunned = hero.ap - 1, False
        elif word == "attack":
            hero.ap -= 1
            yield from self._hero_attack(hero, move)
        elif word == "reload":
            # Reading: of several kinds of stashes the first in the facts is discarded.
            hero.ap -= 1
            stash = self._stashes(hero)[0]
            hero.loot.remove(stash)
            self.loot_discard.append(stash)
            self.depleted.remove(move[1])
        elif word == "investigate":
            hero.ap -= 2
            yield from self._investigate(hero, square_of(move[1]))
        elif word == "pick-up":
            hero.ap -= 1
            yield from self._sort_cards(hero, "take")
        elif word == "drop":
            hero.ap -= 1
            yield from self._sort_cards(hero, "put")
        elif word == "transfer":
            yield from self._transfer(hero, self._hero(move[1]))
        elif word == "leave":
            hero.ap -= 1
            hero.left, hero.at = True, None
            self._check_end()
            self._reveal()
        elif word == "door":
            hero.ap -= 1
            self.ground = self.ground.with_doors(self.ground.open_doors ^ {move[1]})
            self._reveal()
        else:
            raise AssertionError(move)

    def _hero_goes(self, hero: Hero, to: Square) -> Play:
        """A step of its own: then revealing, then Terrifying, then water."""
        assert hero.at is not None
        if hero.pounce is not None:
            hero.pounce -= self._step_price(hero.at, to)
        else:
            hero.mp -= self._cost(hero, to)
        hero.at = to
        self._reveal()
        wet = self._is_wet(hero)
        yield from self._terrify(hero)
        if hero.at is not None and (wet or hero.ended):
            hero.ended = True
            if hero.pounce is not None:
                hero.vulnerable = True

    def _terrify(self, hero: Hero) -> Play:
        """Terrifying; Reading: the square that it moves to frightens no more, and water there ends the activation."""
        for vermin in self._in_order():
            if hero.at is None or not self._has(vermin, "terrifying") or not self._is_adjacent(vermin, hero.at):
                continue
            card = yield from self._draw(hero.seat, hero, held=False)
            if self._value(card) > 6 or hero.at is None:
                continue
            place = self._squares(vermin)
            now = self._distance([hero.at], place)
            away = [
                to
                for to in self.ground.steps(hero.at)
                if self._can_share(hero, to) and self._distance([to], place) > now
            ]
            if away:
                hero.at = yield from self._which_square(hero.seat, away)
                self._reveal()
                hero.ended = hero.ended or self._is_wet(hero)

    def _land(self, hero: Hero) -> Play:
        """NO-ACT-8, NO-ACT-9: perhaps a free attack, in any case the marker."""
        hero.pounce = None
        attacks = self._hero_attacks(hero, only_range=1)
        if attacks:  # reading: with nothing to attack, nothing is asked
            move = yield from self._ask(hero.seat, [*attacks, ("pass",)])
            if move[0] == "attack":
                yield from self._hero_attack(hero, move)
        hero.vulnerable = hero.at is not None

    def _hero_attack(self, hero: Hero, move: Move) -> Play:
        attack = next(each for each in self._attacks_of_hero(hero) if each.id == move[1])
        target = next(each for each in self.vermin if each.name == move[2])
        yield from self._attack(hero, attack, target)

    def _sort_cards(self, hero: Hero, word: str) -> Play:
        """NO-ACT-12: take up, or put down, and re-arrange freely."""
        assert hero.at is not None
        lying = self.lying.setdefault(hero.at, [])
        done = False
        while True:
            cards = lying if word == "take" else hero.cards
            moves: list[Move] = [(word, card) for card in self._ordered(set(cards))]
            if len(hero.weapons) < 2:
                weapons = {card for card in hero.loot if self.pieces[card]["kind"] == "weapon"}
                moves += [("equip", card) for card in self._ordered(weapons)]
            moves += [("stow", card) for card in self._ordered(hero.weapons)]
            if not moves:  # reading: where ("done",) alone is left, nothing is asked
                return
            move = yield from self._ask(hero.seat, [*moves, ("done",)] if done else moves)
            if move == ("done",):
                return
            if move[0] == "take":
                lying.remove(move[1])
                hero.loot.append(move[1])
            elif move[0] == "put":
                self._lose_card(hero, move[1])
                lying.append(move[1])
            elif move[0] == "equip":
                hero.loot.remove(move[1])
                hero.weapons.append(move[1])
            else:
                hero.weapons.remove(move[1])
                hero.loot.append(move[1])
            done = done or move[0] == word

    def _lose_card(self, hero: Hero, card: str) -> None:
        (hero.loot if card in hero.loot else hero.weapons).remove(card)

    def _transfer(self, hero: Hero, other: Hero) -> Play:
        """NO-ACT-13: nothing is paid before the other one agrees."""
        if other.seat != hero.seat:
            move = yield from self._ask(other.seat, [("agree",), ("decline",)])
            if move == ("decline",):
                hero.declined.add(other.id)
                return
        hero.ap -= 1
        done = False
        while True:
            moves: list[Move] = [("give", card) for card in self._ordered(set(hero.cards))]
            moves += [("get", card) for card in self._ordered(set(other.cards))]
            if not moves:
                return
            move = yield from self._ask(hero.seat, [*moves, ("done",)] if done else moves)
            if move == ("done",):
                return
            giver, taker = (hero, other) if move[0] == "give" else (other, hero)
            self._lose_card(giver, move[1])
            taker.loot.append(move[1])
            done = True

    # Attacks of both sides

    def _is_in_stench(self, figure: Hero | Vermin) -> bool:
        """On a square surrounding a Stinkbomb token; by NO-GEN-3 its own square is none of these."""
        if isinstance(figure, Vermin) and figure.foe == STINKERS:
            return False
        return any(
            self.ground.is_surrounding(bomb, square) for bomb in self.stinkbombs for square in self._squares(figure)
        )

    def _modifier(self, attacker: Hero | Vermin, target: Hero | Vermin) -> int:
        """NO-DRM, fixed before the first card."""
        modifier = -2 if self._is_hindered(attacker, self._squares(attacker), target) else 0
        modifier += 3 if target.stunned else 0
        modifier += 1 if target.vulnerable else 0
        modifier -= 2 if isinstance(target, Vermin) and self._has(target, "shell-armor") else 0
        modifier -= 3 if self._is_in_stench(attacker) else 0
        return modifier

    def _attack(self, attacker: Hero | Vermin, attack: Attack, target: Hero | Vermin) -> Play:
        hero = attacker if isinstance(attacker, Hero) else None
        frenzy = isinstance(attacker, Vermin) and self._has(attacker, "frenzy")
        modifier = self._modifier(attacker, target)
        cards: list[str] = []
        for _ in range(attack.draws):
            if attacker.at is not None and target.at is not None:
                seat = self.active.seat if self.active else 0
                card = yield from self._draw(seat, hero, held=True, frenzy=frenzy)
                cards.append(card)
        self._deplete(attacker, attack, cards)
        if attacker.at is not None and target.at is not None:
            # Reading: a Joker that takes the attacker or the target off the map ends the attack.
            stun = any(self._is_hit(card, modifier, attack.stun) for card in cards)
            wounds = [card for card in cards if self._is_hit(card, modifier, attack.wound)]
            if isinstance(target, Hero):
                self._hurt_hero(target, stun, wounds)
            else:
                yield from self._hurt_vermin(target, stun, len(wounds))
        self.discard += self.held
        self.held = []
        if hero and isinstance(target, Vermin):
            yield from self._counterattack(target, hero)
        if isinstance(attacker, Vermin) and self._has(attacker, "short-lived"):
            yield from self._eliminate(attacker)

    def _is_hit(self, card: str, modifier: int, needed: int) -> bool:
        """NO-HIT-1, NO-DRM-6, NO-AMB-32, NO-AMB-33."""
        if needed == 0:
            return True
        value = self._value(card)
        return value != 1 and value + modifier > 1 and value + modifier >= needed

    def _deplete(self, attacker: Hero | Vermin, attack: Attack, cards: Sequence[str]) -> None:
        if attack.deplete is None:
            return
        if any(self._is_named(card, attack.deplete) for card in cards):
            if isinstance(attacker, Hero):
                self.depleted.add(attack.id)
            else:
                attacker.depleted.add(attack.id)

    def _is_named(self, card: str, name: str) -> bool:
        """Whether a card depletes; by NO-AMB-84 the black Joker is a black card here."""
        if name == "black":
            return bool(self.pieces[card]["colour"] == "black")
        assert name in ("ace", "face card")
        return self._is_ace(card) if name == "ace" else card.split("-")[0] in FACES

    def _hurt_hero(self, hero: Hero, stun: bool, wounds: Sequence[str]) -> None:
        """Reading: Wounds come one by one, and none after the last Life."""
        hero.stunned = hero.stunned or stun
        for card in wounds:
            if hero.at is None:
                return
            lives = 1
            if self.difficulty != "easy":
                if self.coin:
                    lives = 1 if self.chance.pick("coin", ["heads", "tails"]) == "heads" else 2
                elif self.pieces[card]["suit"] in ("clubs", "spades"):
                    lives = 2
            self._lose(hero, lives)

    def _can_be_stunned(self, vermin: Vermin) -> bool:
        hard = self.difficulty == "hard" and self._has(vermin, "boss")
        return not (hard or vermin.zombie or self._has(vermin, "shell-armor", "thick-skinned"))

    def _hurt_vermin(self, vermin: Vermin, stun: bool, wounds: int) -> Play:
        stun = stun and self._can_be_stunned(vermin)
        # Reading: a Stun that cannot be given does not land, so it alone is not dodged.
        if self._has(vermin, "dodge") and not vermin.stunned and (stun or wounds) and self._value(self._flip()) >= 9:
            return
        if stun and vermin.foe == MOSQUITO:
            yield from self._eliminate(vermin)
            return
        if stun and not vermin.stunned:
            vermin.stunned = True
            if self.has_six_heads and vermin.foe == "rat-king":
                vermin.stunned, vermin.vulnerable = False, True
            tokens = self.pieces["stinkbomb-token"]["count"]
            if self._has(vermin, "stinkblast") and len(self.stinkbombs) < tokens:
                self.stinkbombs.append(vermin.at)
        vermin.wounds += wounds
        if vermin.wounds >= self.pieces[vermin.foe]["health"]:
            yield from self._eliminate(vermin)

    def _counterattack(self, vermin: Vermin, hero: Hero) -> Play:
        """NO-PWR-6, NO-AMB-61, NO-AMB-90."""
        if not vermin.there or vermin.zombie or hero.at is None or not self._has(vermin, "counterattack"):
            return
        if self._distance(self._squares(vermin), [hero.at]) > 1:
            return
        fitting = [attack for attack, whom in self._possible(vermin, vermin.at, self._ready(vermin)) if whom is hero]
        if fitting:
            yield from self._attack(vermin, self._best(fitting), hero)

    def _best(self, attacks: Sequence[Attack]) -> Attack:
        """NO-VATK-6; the first of equals."""
        return min(attacks, key=lambda attack: (attack.wound, attack.stun))

    # What vermin can do

    def _attacks_of_vermin(self, vermin: Vermin) -> list[Attack]:
        """All of its card, or of its aspect; none while face down."""
        if not vermin.up:
            return []
        attacks = []
        for id_ in (vermin.foe, vermin.aspect):
            row = self.pieces[id_] if id_ else {}
            for end in ("", "-2"):
                if row.get(f"attack{end}"):
                    name = row[f"attack{end}"]
                    numbers = [row[f"{key}{end}"] for key in ("draws", "range", "stun", "wound", "deplete")]
                    attacks.append(Attack(name, name, *numbers))
        return [attack for attack in attacks if not vermin.zombie or attack.name in BODY_PARTS]

    def _ready(self, vermin: Vermin) -> list[Attack]:
        return [attack for attack in self._attacks_of_vermin(vermin) if attack.id not in vermin.depleted]

    def _possible(self, vermin: Vermin, at: Square, attacks: Sequence[Attack]) -> list[tuple[Attack, Hero]]:
        """Attacks and their targets, with Cornered and Precision."""
        squares = self._squares_from(vermin, at)
        heroes = self._on_map()
        cornered = self._has(vermin, "cornered") and any(
            self.ground.is_adjacent(square, hero.at) for square in squares for hero in heroes
        )
        return [
            (attack, hero)
            for attack in attacks
            if not cornered or attack.range == 1
            for hero in heroes
            if self._is_possible(vermin, squares, attack, hero)
        ]

    def _is_possible(self, vermin: Vermin, squares: Sequence[Square], attack: Attack, hero: Hero) -> bool:
        if not self._can_hit(squares, attack, hero):
            return False
        shoots = attack.range >= 4 and self._has(vermin, "precision")
        return not shoots or not self._is_hindered(vermin, squares, hero)

    # How vermin move. A place is the square of a figure, or the upper left one of a large figure

    def _ways(self, vermin: Vermin, at: Square, barred: set[Square]) -> list[Square]:
        """One AP of ordinary movement."""
        if self._has(vermin, "large"):
            return [to for to in self.ground.block_steps(at) if barred.isdisjoint(self.ground.block(to))]
        if not barred:
            return self.ground.steps(at)
        return [to for to in self.ground.steps(at) if to not in barred]

    def _barred(self, vermin: Vermin) -> set[Square]:
        return set() if self._has(vermin, "swarming") else self._others(vermin)

    def _moves_to_any(self, vermin: Vermin, at: Square) -> int:
        """Fewest moves to a hero's square, which counts as one move from a neighbour (NO-AMB-27)."""
        heroes = {hero.at for hero in self._on_map()}
        touching = {square for hero in heroes if hero for square in self.ground.steps(hero)}
        barred = self._barred(vermin)
        seen, ring, moves = {at}, [at], 0
        while ring:
            squares = {square for place in ring for square in self._squares_from(vermin, place)}
            if squares & heroes:
                return moves
            if squares & touching:
                return moves + 1
            ring = [to for to in {to for each in ring for to in self._ways(vermin, each, barred)} if to not in seen]
            seen |= set(ring)
            moves += 1
        return FAR

    def _explore(self, vermin: Vermin) -> dict[Square, list[Square]]:
        """Every place that it can reach on foot, also after a glide, and the ways from there."""
        barred = self._barred(vermin)
        graph: dict[Square, list[Square]] = {}
        going = [vermin.at]
        if self._has(vermin, "glider"):
            going += [to for to in self.ground.glides(vermin.at) if to not in self._others(vermin)]
        while going:
            at = going.pop()
            if at not in graph:
                graph[at] = self._ways(vermin, at, barred)
                going += graph[at]
        return graph

    def _back_from(
        self, graph: Mapping[Square, Sequence[Square]], there: Iterable[Square], one_off: Iterable[Square] = ()
    ) -> dict[Square, int]:
        """For each place the moves to the nearest of some places; `one_off` are a move from the end already."""
        back: dict[Square, list[Square]] = {at: [] for at in graph}
        for at, ways in graph.items():
            for to in ways:
                back[to].append(at)
        moves = {at: 0 for at in there if at in graph}
        ring, count = list(moves), 0
        more = [at for at in one_off if at in graph]
        while ring or more:
            count += 1
            ring = [at for to in ring for at in back[to]] + more
            more = []
            ring = [at for at in dict.fromkeys(ring) if at not in moves]
            moves.update(dict.fromkeys(ring, count))
        return moves

    def _moves_to(self, vermin: Vermin, graph: Mapping[Square, Sequence[Square]], hero: Hero) -> dict[Square, int]:
        assert hero.at is not None
        touching = set(self.ground.steps(hero.at))
        if not self._has(vermin, "large"):
            return self._back_from(graph, [hero.at], touching)
        there = [at for at in graph if hero.at in self.ground.block(at)]
        one_off = [at for at in graph if not touching.isdisjoint(self.ground.block(at))]
        return self._back_from(graph, there, one_off)

    def _steps_nearer(self, vermin: Vermin) -> set[Square]:
        """Every step that brings it one move nearer to a closest hero (NO-VERM-3).

        NO-AMB-98: who is one move from a hero, and cannot come nearer, goes to where it can attack one of the closest
        from, as long as it is still one move away.
        """
        graph = self._explore(vermin)
        moves = [self._moves_to(vermin, graph, hero) for hero in self._on_map()]
        fewest = min(each.get(vermin.at, FAR) for each in moves)
        if fewest == FAR:
            return self._steps_nobody_reached(vermin, graph)
        closest = [hero for hero, each in zip(self._on_map(), moves, strict=True) if each.get(vermin.at) == fewest]
        moves = [each for each in moves if each.get(vermin.at) == fewest]
        ways = set(graph[vermin.at])
        if self._has(vermin, "glider"):
            ways |= {to for to in self.ground.glides(vermin.at) if to not in self._others(vermin)}
        left = {to: min(each.get(to, FAR) for each in moves) for to in ways}
        least = min(left.values(), default=FAR)
        if least < fewest:
            return {to for to in ways if left[to] == least}
        if fewest != 1:
            return set()
        ready = self._ready(vermin)
        return {
            to for to in ways if left[to] == 1 and any(hero in closest for _, hero in self._possible(vermin, to, ready))
        }

    def _steps_nobody_reached(self, vermin: Vermin, graph: Mapping[Square, Sequence[Square]]) -> set[Square]:
        """NO-AMB-83. Reading: any of the best places may be gone to, whichever is nearest, and a glide is a move."""
        if self._has(vermin, "glider"):
            barred, going, graph = self._others(vermin), [vermin.at], {}
            while going:
                here = going.pop()
                if here not in graph:
                    free = [to for to in self.ground.glides(here) if to not in barred]
                    graph[here] = [*self._ways(vermin, here, barred), *free]
                    going += graph[here]
        heroes = [hero.at for hero in self._on_map() if hero.at is not None]
        off = {at: min(kings(mine, hero) for mine in self._squares_from(vermin, at) for hero in heroes) for at in graph}
        best = [at for at in graph if off[at] == min(off.values())]
        if vermin.at in best:
            return set()
        steps = set()
        for place in best:
            moves = self._back_from(graph, [place])
            steps |= {to for to in graph[vermin.at] if moves.get(to) == moves[vermin.at] - 1}
        return steps

    def _steps_precise(self, vermin: Vermin) -> set[Square] | None:
        """NO-AMB-63: to the nearest place with such a sight; of the first steps those that stay farthest off."""
        if not self._has(vermin, "precision"):
            return None
        guns = [attack for attack in self._ready(vermin) if attack.range >= 4]
        heroes = self._on_map()
        graph = self._explore(vermin)
        seen, ring, moves = {vermin.at}, [vermin.at], 0
        while ring and guns:
            places = [
                at
                for at in ring
                if any(
                    self._is_possible(vermin, self._squares_from(vermin, at), gun, hero)
                    for gun in guns
                    for hero in heroes
                )
            ]
            if places:
                back = self._back_from(graph, places)
                first = [to for to in graph[vermin.at] if back.get(to) == moves - 1]
                # Reading: the distance to the nearest hero is counted in its moves.
                off = {to: self._moves_to_any(vermin, to) for to in first}
                return {to for to in first if off[to] == max(off.values())}
            ring = [to for to in dict.fromkeys(to for each in ring for to in graph[each]) if to not in seen]
            seen |= set(ring)
            moves += 1
        return None

    # The vermin turn

    def _vermin_turn(self) -> Play:
        self.phase = "vermin"
        for vermin in self.vermin:
            vermin.vulnerable = vermin.activated = False
        while waiting := [vermin for vermin in self._in_order() if not vermin.activated]:
            order = {vermin: self._order(vermin) for vermin in waiting}
            closest = [vermin for vermin in waiting if order[vermin] == min(order.values())]
            move = yield from self._ask(0, [("vermin", vermin.name) for vermin in closest])
            vermin = next(each for each in closest if each.name == move[1])
            vermin.activated = True
            yield from self._vermin_acts(vermin)

    def _order(self, vermin: Vermin) -> tuple[int, int]:
        moves = self._moves_to_any(vermin, vermin.at)
        if moves < FAR:
            return 0, moves
        return 1, min(kings(mine, hero.at) for mine in self._squares(vermin) for hero in self._on_map() if hero.at)

    def _vermin_acts(self, vermin: Vermin) -> Play:
        if self.is_lost_beside and any(self._is_beside(vermin, hero) for hero in self._on_map()):
            self._end(won=False)
        if self._has(vermin, "revolving-personality") and self.aspects:
            if not self.aspect_deck:
                self.aspect_deck = list(self.aspects)
            vermin.aspect = self._pick_from(self.aspect_deck, "aspect")
        if vermin.stunned:
            vermin.stunned = False
            return
        ap = self._vermin_ap(vermin)
        if self._has(vermin, "mending-charm"):
            ap -= self._mend()
        ready = self._ready(vermin)
        if not self._possible(vermin, vermin.at, ready):
            spent = [attack for attack in self._attacks_of_vermin(vermin) if attack not in ready]
            if self._possible(vermin, vermin.at, spent):
                vermin.depleted.clear()
                return
        while ap > 0 and vermin.there:
            ap -= 1
            possible = self._possible(vermin, vermin.at, self._ready(vermin))
            if possible:
                yield from self._vermin_attacks(vermin, possible)
            elif (yield from self._vermin_moves(vermin)):
                return

    def _vermin_ap(self, vermin: Vermin) -> int:
        ap = int(self.pieces[vermin.foe]["ap"]) if vermin.up else 1
        if vermin.up and ap == 1 and any(self._has(one, "leadership") for one in self.vermin):
            ap += 1
        if self._is_wet(vermin):
            if not self._ignores_water(vermin):
                ap = 1
            if self._has(vermin, "swimmer"):
                ap += 1
        return ap

    def _mend(self) -> int:
        """Mending Charm: the AP that it costs."""
        for foe in MENDED:
            for vermin in self._in_order():
                if vermin.foe == foe and vermin.wounds:
                    vermin.wounds = 0
                    return 1
        return 0

    def _vermin_attacks(self, vermin: Vermin, possible: Sequence[tuple[Attack, Hero]]) -> Play:
        """NO-AMB-80: the closest that it can attack, then the group; if it reaches none of them, NO-AMB-83."""
        heroes = [hero for hero in self._on_map() if any(hero is whom for _, whom in possible)]
        if len(heroes) > 1:
            graph = self._explore(vermin)
            moves = {hero: self._moves_to(vermin, graph, hero).get(vermin.at, FAR) for hero in heroes}
            if min(moves.values()) == FAR:
                mine = self._squares(vermin)
                moves = {hero: min(kings(square, hero.at) for square in mine) for hero in heroes if hero.at}
            heroes = [hero for hero in heroes if moves[hero] == min(moves.values())]
        id_ = yield from self._which(0, "choose", [hero.id for hero in heroes])
        target = self._hero(id_)
        yield from self._attack(vermin, self._best([attack for attack, whom in possible if whom is target]), target)

    def _vermin_moves(self, vermin: Vermin) -> Play:
        """One step; true if its activation is over."""
        steps = self._steps_precise(vermin)
        if steps is None:
            steps = self._steps_nearer(vermin)
        if not steps:
            return True
        to = yield from self._which_square(0, steps)
        before = set(self._squares(vermin))
        glides = self._has(vermin, "glider") and to in self.ground.glides(vermin.at)
        vermin.at = to
        entered = set(self._squares(vermin)) - before
        self._reveal()
        wet = any(self.ground.is_water(square) for square in entered)
        return wet and not glides and not self._ignores_water(vermin)


# Random games


class Luck:
    """Draws by a seed, and keeps what came."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.draws: list[tuple[str, str]] = []

    def pick(self, label: str, pool: Sequence[str]) -> str:
        item = pool[int(self.random.random() * len(pool))]
        self.draws.append((label, item))
        return item


def random_settings(facts: Mapping[str, Any], random: Random) -> tuple[list[str], dict[str, Any]]:
    """Players and options of a game."""
    cats = [id_ for id_, piece in facts["components"].items() if piece["deck"] == "heroes"]
    names = ["Ada", "Ben", "Cleo", "Dan"]
    options: dict[str, Any] = {
        "scenario": random.choice(list(facts["scenarios"])),
        "difficulty": random.choice(["easy", "normal", "hard"]),
        "heroes": random.sample(cats, random.choice([2, 4, 4])),
        "log": random.sample([8, 14, 15, 16], random.randrange(4)),
    }
    if random.random() < 0.3:
        options["coin"] = "yes"
    if random.random() < 0.3:
        loot = facts["components"]
        arms = [id_ for id_, piece in loot.items() if piece["deck"] == "loot" and piece["kind"] == "weapon"]
        random.shuffle(arms)
        options["weapons"] = {hero: [arms.pop() for _ in range(random.randrange(3))] for hero in options["heroes"]}
        options["other-loot"] = {hero: ["stash-1"] for hero in options["heroes"][:2]}
    return names[: random.choice([1, 1, 2, 3, 4])], options


WEIGHTS = {
    "attack": 6.0,
    "go": 40.0,
    "investigate": 30.0,
    "leave": 50.0,
    "stride": 6.0,
    "unstun": 8.0,
    "land": 2.0,
    "done": 1.0,
    "drop": 0.1,
    "pick-up": 2.0,
    "transfer": 0.2,
    "end": 0.02,
    "prowl": 0.5,
    "reload": 5.0,
    "door": 0.05,
    "keep": 2.0,
}
"""How likely a word is, 1 when it is not here."""


class RandomPlayer:
    """Plays at random: a `keen` one mostly does what helps, another one anything."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.keen = random.random() < 0.7
        self.fields: dict[tuple[Square, ...], dict[Square, int]] = {}
        self.exits: list[Square] | None = None

    def choose(self, game: Naive) -> Move:
        """First a word, then a move with it; steps mostly towards where things are."""
        moves = game.legal()
        words = list(dict.fromkeys(move[0] for move in moves))
        weights = [self.weight(game, word) if self.keen else 1.0 for word in words]
        (word,) = self.random.choices(words, weights)
        fitting = [move for move in moves if move[0] == word]
        if word == "go" and self.keen and self.random.random() < 0.9:
            field_ = self.field(game)
            near = {move: field_.get(square_of(move[1]), FAR) for move in fitting}
            fitting = [move for move in fitting if near[move] == min(near.values())]
        if word == "door" and self.keen:
            fitting = [move for move in fitting if move[1] not in game.ground.open_doors] or fitting
        return self.random.choice(fitting)

    def weight(self, game: Naive, word: str) -> float:
        hero = game.active
        if hero and hero.at and word == "door" and set(game.ground.doors_of(hero.at)) - game.ground.open_doors:
            return 20.0
        if hero and hero.at and hero.pounce is None and self.field(game).get(hero.at, FAR) <= bool(game.objectives):
            if word in ("go", "stride", "prowl"):
                return 0.1
            if word == "end":
                return 0.5
        return WEIGHTS.get(word, 1.0)

    def field(self, game: Naive) -> dict[Square, int]:
        """How far it is to what is to be done, all doors open."""
        ground = game.ground
        if self.exits is None:
            squares = [(x, y) for x in range(ground.columns) for y in range(ground.rows)]
            self.exits = [square for square in squares if ground.has_exit(square)]
        kings_ = [vermin.at for vermin in game.vermin if vermin.foe == "rat-king"]
        goals = tuple(row_major(game.objectives) or kings_ or self.exits)
        if goals not in self.fields:
            open_ground = ground.with_doors(frozenset(name for sign, name in ground.signs.values() if sign in "Dd"))
            found, ring = dict.fromkeys(goals, 0), list(goals)
            while ring:
                ring = [to for to in {to for at in ring for to in open_ground.steps(at)} if to not in found]
                found.update(dict.fromkeys(ring, max(found.values()) + 1))
            self.fields[goals] = found
        return self.fields[goals]


def assert_sound(game: Naive, markers: Counter[str], cards: Counter[str], loot: Counter[str]) -> None:
    """What must hold in every position."""
    assert bool(game.legal()) != game.over
    assert len(set(game.legal())) == len(game.legal())
    assert (game.to_act() == -1) == game.over
    heap = Counter([*game.pool, *game.coming, *game.vermin_discard, *game.gone, *(one.marker for one in game.vermin)])
    late = {one["piece"] for one in game.scenario["apart"] if one.get("round")}
    assert markers == Counter({marker: number for marker, number in heap.items() if marker not in late})
    assert all(heap[marker] <= game.pieces[marker]["count"] for marker in late)
    assert len({one.name for one in game.vermin}) == len(game.vermin)
    lying = [card for here in game.lying.values() for card in here]
    assert loot == Counter([*game.loot_deck, *game.loot_discard, *lying, *(c for h in game.heroes for c in h.cards)])
    if not game.over:
        poker = Counter([*game.deck, *game.discard, *game.hand, *game.held])
        assert all(poker[card] <= number for card, number in cards.items())
        assert sum(cards.values()) - sum(poker.values()) in (0, 1, 2)  # what is offered for cheating, or just drawn
    assert len(game.hand) <= 5
    if not game.held and not any(move[0] == "discard" for move in game.legal()):
        assert len(game.hand) <= 3
    crowd: Counter[Square] = Counter()
    for figure in game._figures():
        for square in game._squares(figure):
            assert game.ground.is_standable(square) or (isinstance(figure, Vermin) and game._has(figure, "large"))
            swarms = isinstance(figure, Vermin) and game._has(figure, "swarming")
            leaps = isinstance(figure, Hero) and figure.pounce is not None
            crowd[square] += not swarms and not leaps
    assert all(number <= 1 for number in crowd.values()), crowd
    for hero in game.heroes:
        assert 0 <= hero.lives <= 9
        assert hero.ap >= 0 and hero.mp >= 0 and (hero.pounce or 0) >= 0
        assert len(hero.weapons) <= 2
        assert (hero.at is None) == (hero.out or hero.left) or not game.started
        assert hero.out == (hero.lives == 0)


def self_play(facts: Mapping[str, Any], seed: int) -> tuple[Naive, int, Counter[str]]:
    """One random game, checked after each move; with how many moves, and which words were used."""
    random = Random(seed)
    seats, options = random_settings(facts, random)
    game = Naive(facts, seats, options, Luck(f"luck {seed}"))
    markers = Counter(game.scenario["pool"])
    cards = Counter(id_ for id_ in game._of_deck("poker-deck") if not id_.startswith("king-"))
    loot = Counter([*game.loot_deck, *(card for hero in game.heroes for card in hero.cards)])
    for one in game.scenario["apart"]:
        if not one.get("round"):
            markers[one["piece"]] += one.get("count", 1)
    words: Counter[str] = Counter()
    player = RandomPlayer(random)
    moves = 0
    while not game.over:
        assert_sound(game, markers, cards, loot)
        move = player.choose(game)
        game.apply(move)
        words[move[0]] += 1
        moves += 1
        assert moves < 20_000
    return game, moves, words


def main() -> None:
    from grimalkin.testing import facts_of

    facts = plain_facts(facts_of("cats-of-new-orleans"))
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    words: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    spent: Counter[str] = Counter()
    longest = 0.0
    for seed in range(first, first + number):
        start = time.perf_counter()
        try:
            game, _, used = self_play(facts, seed)
        except Exception:
            sys.stderr.write(f"game {seed}\n")
            raise
        words += used
        took = time.perf_counter() - start
        longest = max(longest, took)
        id_ = game.scenario["id"]
        spent[id_] += round(1000 * took)
        ends[f"{id_} {'won' if game.won else 'lost'} in round {game.round}"] += 1
    for name in sorted(ends):
        sys.stdout.write(f"{ends[name]:5} {name}\n")
    for word, count in words.most_common():
        sys.stdout.write(f"{count:7} {word}\n")
    for id_, milliseconds in spent.items():
        games = sum(count for name, count in ends.items() if name.startswith(id_))
        sys.stdout.write(f"{id_}: {milliseconds / games:.0f} ms a game\n")
    sys.stdout.write(f"longest {longest:.2f} s\n")


if __name__ == "__main__":
    main()
