"""A yard for The Cats of New Orleans: a small map where one card after the other is tried, and a line for each step.

minou c3 skills roof-paths         who stands where, with what; a card that is tried is with the first hero
pistoleer-1 c4 wounds 1
> attack unarmed pistoleer-1 | 5h       a move, and the draws that it brings: 5h for 5-of-hearts
minou ap 1 at c3                   what must be so now; `-stunned` for what must not be
gone pistoleer-1                   who is not on the map any more
can use roof-paths                 what is legal, and
cannot use roof-paths              what is not
says 3 MP                          what one of the events of the last move tells
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from textwrap import dedent
from typing import Any

from games_for_tests import Lazily, facts_of

from grimalkin.content.squares import square_name
from grimalkin.engine.chance import Scripted
from grimalkin.engine.words import Event
from grimalkin.games.cats_of_new_orleans import load, start
from grimalkin.games.cats_of_new_orleans.figures import find_figure
from grimalkin.games.cats_of_new_orleans.state import State
from grimalkin.games.cats_of_new_orleans.table import Hero

Facts = dict[str, Any]
FACTS: Any = facts_of("cats-of-new-orleans")
PIECES: Mapping[str, Any] = Lazily(lambda: FACTS["components"])
POWERS: Mapping[str, Any] = Lazily(lambda: FACTS["lists"]["powers"])

YARD = """
       a   b   c   d   e   f   g   h   i   j   k   l
     +---.---+---.---+---.---+---.---+---.---+---.---+
   1 |  .   .   .   .   .   .   .   .   .   .|  .   .|
     .   .   .   .   .   .   .   .   .   .   .   .   .
   2 |  .   .   .   .   .   .   .   .   .   .D  .   .|
     +   .   +   .   +   .   +   .   +   .   +---.---+
   3 |  .   .   .   .   .   .   .   .   .   .   .   .|
     .   .   .   .   .   .   .   .   .   .   .   .   .
   4 |  .   .   .   .   . G .   .   .   .   .   .   .|
     +   .   +   .   +   .   +   .   +   .   +   .   +
   5 |  .   .   :   :   .   .   .   .   .   .   . S1.|
     .   .   .   .   .   .   .   .   .   .   .   .   .
   6 |  .   .   .   .   .   .   .   .   .   .   . R .|
     +   .   +   .   +   .   +   .   +   .   +---.---+
   7 |  ~   ~   .   . L .   .   . H .   .   .|  .   .|
     .   .   .   .   .   .   .   .   .   .   .   .   .
   8 |  ~   ~   .   .   .   .   .   .   .   .D  .   .|
     +---.---+---.---+---.---+---.---+---.---+---.---+
"""
"""Open ground, a hedge, a pond, and two rooms with closed doors: one for who is hidden, one for a second hero."""
AWAY = "l8"
"""Where the second hero waits in the lower room when a case needs no more than one."""
FIVE = ("minou", "patch", "lunette", "murray", "nera")
"""The heroes whose skills are tried in a first file; those of all others are in a second one."""
SPARE = ("patch", "odile", "toussaint")


def drawn(text: str) -> Facts:
    """The facts of a drawn map."""
    lines = [line[5:] for line in text.strip("\n").split("\n")[1:]]
    squares = [line[3::4] for line in lines[1::2]]
    marks = {
        square_name(column, row): mark
        for row, line in enumerate(lines[1::2])
        for column in range(len(squares[0]))
        if (mark := line[4 * column + 1 : 4 * column + 3].strip())
    }
    flat = [line[2::4].replace("-", "|") for line in lines[::2]]
    upright = [line[::4] for line in lines[1::2]]
    about = {"name": "The Yard", "spaces": 8, "track": {"S1": [3]}}
    return {**about, "squares": squares, "upright": upright, "flat": flat, "marks": marks}


SCENARIO: Facts = {
    "id": "yard",
    "number": 0,
    "title": "The Yard",
    "map": "yard",
    "loot": [1, 2, 3],
    "pool": {"marker-bayou-mosquito": 4, "marker-rat-king": 1},
    **{key: [] for key in ("without", "apart", "set-up", "spawn", "objectives", "special", "between")},
}


def with_yard(facts: Facts, **scenario: Any) -> Facts:
    """The same facts with the yard for their first scenario."""
    return {
        **facts,
        "components": dict(facts["components"]),
        "maps": {"yard": drawn(YARD), **facts["maps"]},
        "scenarios": {"yard": {**SCENARIO, **scenario}, **facts["scenarios"]},
    }


@cache
def yard() -> Facts:
    return with_yard(FACTS)


LISTS = {"weapons", "loot", "skills", "hand", "top", "depleted", "exhausted", "discard", "loot-top", "stinkbombs"}
LISTS |= {"searched", "aspects", "aspects-lost", "aside", "graves", "loot-under", "loot-gone", "gone-for-good"}
FLAGS = {"stunned", "vulnerable", "done", "moved", "attacked", "zombie", "quiet"}
WHOLE = {"lives", "ap", "mp", "bucks", "wounds", "leaping", "empty", "round", "space"}


def skills_of(heroes: Collection[str]) -> set[str]:
    """All skills of some heroes."""
    return {id_ for id_, piece in PIECES.items() if piece["deck"] == "skills" and piece["hero"] in heroes}


def is_hero(name: str) -> bool:
    return name in PIECES and PIECES[name]["deck"] == "heroes"


def record_of(lines: list[str], card: str = "") -> Facts:
    """The record of a position that set-up lines describe."""
    record: Facts = {"seats": {"Ada": {}}, "phase": "heroes", "round": 1, "heroes": {}, "vermin": {}}
    alone = False
    for line in lines:
        name, *words = map(whole, line.split())
        if name == "alone":
            alone = True
        elif name in LISTS:
            record["gone" if name == "gone-for-good" else name] = words
        elif name in ("phase", "active", "initiative", "first"):
            record[name] = words[0]
        elif name in ("round", "space"):
            record[name] = int(words[0])
        elif name == "second":
            record[name] = words != ["no"]
        elif name in ("difficulty", "coin"):
            record.setdefault("options", {})[name] = True if name == "coin" else words[0]
        elif name == "door":
            record.setdefault("doors", {})[words[0]] = words[1]
        elif name == "lies":
            record.setdefault("ground", {})[words[0]] = words[1:]
        elif name == "taken":
            record.setdefault("taken", {})[words[0]] = int(words[1])
        else:
            record["heroes" if is_hero(name) else "vermin"][name] = figure_of(name, words)
    heroes = record["heroes"]
    assert heroes, "somebody plays"
    if len(heroes) in (1, 3):
        spare = next(name for name in SPARE if name not in heroes)
        heroes[spare] = {"at": AWAY}
    first = next(iter(heroes))
    if card:
        _carry(heroes[first], card)
    for hero in heroes.values():
        hero["seat"] = "Ada"
    if record["phase"] == "heroes" and "active" not in record:
        record["active"] = first
        heroes[first].setdefault("ap", 2)
    if record.get("active") == "none":
        del record["active"]
    if record["phase"] == "vermin":
        record.setdefault("second", True)
        if not alone:  # one more waits behind its door, so that the turn goes on
            record["vermin"]["unknown-9"] = {"at": "l2", "is": "marker-bayou-mosquito"}
    for name, vermin in record["vermin"].items():
        vermin.setdefault("is", marker_of(name))
    return record


def _carry(hero: Facts, card: str) -> None:
    """Put a card where it belongs with a hero, unless it is there."""
    deck, kind = PIECES[card]["deck"], PIECES[card].get("kind")
    key = "skills" if deck == "skills" else "weapons" if kind == "weapon" else "loot"
    if deck in ("skills", "loot") and kind != "event" and card not in hero.get(key, ()):
        hero[key] = [*hero.get(key, ()), card]


def marker_of(name: str) -> str:
    """The marker of a vermin with this name."""
    word = name.rstrip("-0123456789")
    found = [id_ for id_, piece in PIECES.items() if piece["deck"] == "markers" and piece["kind"] == "vermin"]
    return next((id_ for id_ in found if PIECES[id_]["name"].lower().replace(" ", "-") == word), found[1])


def figure_of(name: str, words: list[str]) -> Facts:
    """The record of a figure: its square, then keys and values, lists of cards up to the next key."""
    told: Facts = {} if words[0] == "out" else {"at": words[0]}
    if words[0] == "out":
        told["place"] = "out"
        told["lives"] = 0
    key = ""
    for word in words[1:]:
        if word in FLAGS:
            told[word], key = True, ""
        elif word in LISTS or word in WHOLE or word in ("is", "aspect", "place"):
            key = word
            if key in LISTS:
                told[key] = []
        elif key in LISTS:
            told[key].append(word)
        else:
            told[key] = int(word) if key in WHOLE else word
    return told


SHORT = re.compile(r"([2-9]|10|[AJQK])([chds])")
RANKS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
SUITS = {"c": "clubs", "h": "hearts", "d": "diamonds", "s": "spades"}


def whole(word: str) -> str:
    """A word as it is, or the card of the poker deck that it stands for: Qs is queen-of-spades."""
    short = SHORT.fullmatch(word)
    return f"{RANKS.get(short[1], short[1])}-of-{SUITS[short[2]]}" if short else word


def label_of(drawn_: str) -> str:
    """What a draw is called, by what comes."""
    if drawn_ in ("heads", "tails"):
        return "coin"
    deck = PIECES[drawn_]["deck"]
    return {"poker-deck": "poker", "loot": "loot", "markers": "marker", "foes": "aspect", "events": "event"}[deck]


class Yard:
    """A position in the yard, and what is done there."""

    def __init__(self, lines: list[str], card: str = "", facts: Facts | None = None) -> None:
        self.chance = Scripted([])
        self.state: State = load(facts or yard(), record_of(lines, card), self.chance)
        self.log: list[Event] = []

    def step(self, line: str) -> None:
        """A move with its draws, or something that must be so."""
        if line.startswith(">"):
            self.move(line[1:])
            return
        name, *words = map(whole, line.split())
        if name in ("can", "cannot"):
            legal = tuple(words) in self.state.legal()
            assert legal == (name == "can"), f"{line}: {told(self.state)}"
        elif name == "says":
            wanted = line.partition(" ")[2]
            assert any(wanted in event.text for event in self.log), [event.text for event in self.log]
        elif name == "gone":
            assert [] == [word for word in words if (one := find_figure(self.state, word)) is not None and one.at >= 0]
        elif name in ("phase", "active", "lost"):
            now = {"phase": str(self.state.position().get("phase")), "active": self.state.active}
            assert words == [now.get(name, self.state.lost)] if words else not now.get(name, self.state.lost), line
        elif name == "lasting":
            assert words == [str(len(self.state.lasting))], self.state.lasting
        elif name in LISTS or name in ("ready", "loaded", "initiative"):
            self.assert_lying(name, words)
        else:
            self.assert_figure(name, words)

    def move(self, text: str) -> None:
        """Make a move; all draws must come."""
        move, _, draws = text.partition("|")
        made = tuple(map(whole, move.split()))
        self.chance.left += [(label_of(one), one) for one in map(whole, draws.split())]
        self.log = []
        assert made in self.state.legal(), f"{' '.join(made)}: {self.state.why_not(made)}; {told(self.state)}"
        self.state.chance = self.chance
        self.state.apply(made, self.log)
        assert [] == self.chance.left, f"{text}: not drawn: {self.chance.left}; {told(self.state)}"

    def assert_lying(self, name: str, words: list[str]) -> None:
        """What lies somewhere."""
        state, ids = self.state, self.state.box.ids
        if name == "initiative":
            assert words == [("", "heroes", "vermin")[state.initiative]]
        elif name in ("exhausted", "depleted", "ready", "loaded"):
            bits = state.depleted if name in ("depleted", "loaded") else state.exhausted
            for word in words:
                found = bool(bits >> state.box.numbers[word] & 1)
                assert found == (name in ("exhausted", "depleted")), f"{word} is not {name}"
        elif name == "stinkbombs":
            assert words == [state.box.board("yard").names[square] for square in state.stinkbombs]
        else:
            where = {"gone-for-good": "gone", "aside": "kings"}.get(name, name.replace("-", "_"))
            lying = [ids[card] for card in getattr(state, where)]
            assert (words == lying) if name == "top" else (sorted(words) == sorted(lying)), f"{name}: {lying}"

    def assert_figure(self, name: str, words: list[str]) -> None:
        """How a figure is now."""
        one = find_figure(self.state, name)
        assert one is not None, f"{name} is not there; {[each.name for each in self.state.vermin]}"
        now = pairs(words)
        for key, value in now.items():
            if key.lstrip("-") in FLAGS:
                assert getattr(one, key.lstrip("-")) == (key[0] != "-"), f"{name} {key}"
            elif key == "at":
                assert value == [self.state.box.board("yard").names[one.at] if one.at >= 0 else "-"], f"{name} {key}"
            elif key in ("has", "lacks"):
                assert isinstance(one, Hero)
                cards = [self.state.box.ids[card] for card in (*one.weapons, *one.loot)]
                assert all((word in cards) == (key == "has") for word in value), f"{name} {key} {cards}"
            elif key == "aspect":
                assert value == [self.state.box.ids[one.aspect]], f"{name} {key}"
            else:
                assert value == [str(getattr(one, key))], f"{name} {key} is {getattr(one, key)}, not {value}"


def pairs(words: list[str]) -> dict[str, list[str]]:
    """Keys with what follows each of them."""
    found: dict[str, list[str]] = {}
    key = ""
    for word in words:
        if word.lstrip("-") in FLAGS or word in WHOLE or word in ("at", "has", "lacks", "aspect"):
            key = word
            found[key] = []
        else:
            found[key].append(word)
    return found


def told(state: State) -> str:
    """What is legal, for who reads a failure."""
    return "legal: " + ", ".join(" ".join(move) for move in state.legal())


def steps_of(text: str) -> tuple[list[str], list[str]]:
    """The lines that lay out, and those from the first move or claim on."""
    lines = [line.split("#")[0].strip() for line in dedent(text).strip().split("\n")]
    lines = [line for line in lines if line]
    begin = next((at for at, line in enumerate(lines) if line[0] == ">" or line.split()[0] in ("can", "cannot")), 0)
    return lines[:begin], lines[begin:]


def play(text: str, card: str = "", facts: Facts | None = None) -> State:
    """Play a case."""
    before, after = steps_of(text)
    here = Yard(before, card, facts)
    for line in after:
        here.step(line)
    return here.state


def cases_of(cases: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """The name of each case, its card, and its lines. Cases of one card stand apart by an empty line, `--`."""
    for card, text in cases.items():
        for number, part in enumerate(text.split("--\n")):
            yield (card if not number else f"{card}-{number + 1}"), card, part


def begin(options: Facts, draws: str = "", facts: Facts | None = None) -> Yard:
    """The yard from the set-up on, with the draws up to the first question."""
    here = Yard.__new__(Yard)
    here.chance = Scripted([(label_of(one), one) for one in map(whole, draws.split())])
    here.state = start(facts or yard(), ["Ada"], options, here.chance)
    here.log = []
    assert [] == here.chance.left
    return here
