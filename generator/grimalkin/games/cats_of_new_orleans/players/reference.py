"""What players look up: the set-up of a scenario, and tables of costs, Ranges, modifiers and cards.

The set-up says what to put where, with a picture, from the id of the scenario. Everything in it is read off a table
laid out by the engine, as far as the question of where the first hero starts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from grimalkin.engine.chance import Chance, Seeded
from grimalkin.engine.contract import Facts
from grimalkin.engine.cribs import Crib, CribRow, Cribs
from grimalkin.engine.pictures import TOKEN, Picture, Put, SetUp, Token
from grimalkin.games.cats_of_new_orleans import numbers
from grimalkin.games.cats_of_new_orleans.box import Box, box_of
from grimalkin.games.cats_of_new_orleans.figures import board_of
from grimalkin.games.cats_of_new_orleans.maps import (
    DIAGONAL_COST,
    FROM_AFAR,
    HINDERING_COST,
    POINT_BLANK,
    SQUARES,
    STEP_COST,
)
from grimalkin.games.cats_of_new_orleans.moves import asked
from grimalkin.games.cats_of_new_orleans.numbers import HERO_AP, LAIR, LOOT, OBJECTIVE, PARTIES, START
from grimalkin.games.cats_of_new_orleans.players.pictures import picture_of
from grimalkin.games.cats_of_new_orleans.scenario import tokens_on
from grimalkin.games.cats_of_new_orleans.state import State, start
from grimalkin.problems.plain import listed, plural, signed

# The set-up

PLAYER: Final = "Ada"
TOKENS: Final = (
    (OBJECTIVE, "objective-token", "Objective token", "NO-SET-9"),
    (LOOT, "loot-token", "Loot token", "NO-SET-10"),
)
"""The tokens on squares with a letter."""
CALLED: Final = {
    "weapon": ("weapon", "weapons"),
    "item": ("item", "items"),
    "ammunition": ("Stash of Ammunition", "Stashes of Ammunition"),
    "bucks": ("buck card", "buck cards"),
    "event": ("event", "events"),
}
"""Kinds of Loot in sentences, singular and plural."""


def set_up(facts: Facts, scenario: str) -> SetUp:
    """Return how a scenario is laid out."""
    return laid_out(box_of(facts), scenario, Seeded(0))


def laid_out(box: Box, scenario: str, chance: Chance) -> SetUp:
    """Return how a scenario is laid out with these draws, which do not matter."""
    state = start(box.facts, (PLAYER,), {"scenario": scenario}, chance)
    starts = _starts(state.clone())
    puts = (*_figures(state, starts), *_tokens(state), *_loot(state), *_decks(state))
    return SetUp(tuple(_party()), puts, tuple(_entries(box, scenario)), _picture(state, starts))


def _starts(state: State) -> tuple[str, ...]:
    """Return where the first hero may start. Earlier choices, such as weapons, do not affect that."""
    while (question := asked(state)) is not None and question[0] != "start_on":
        state.apply(state.legal()[0])
    return tuple(move[1] for move in state.legal())


def _party() -> Iterator[Put]:
    for count in PARTIES:
        rule = "NO-SET-1" if count == max(PARTIES) else "NO-SET-2"
        yield Put((rule, "NO-HERO-4"), f"With {count} heroes, each has {HERO_AP[count]} AP per activation.")


def _figures(state: State, starts: tuple[str, ...]) -> Iterator[Put]:
    """Yield the pool, the squares where heroes start, the vermin on the lairs, and those set aside."""
    box = state.box
    hidden = [one for one in state.vermin if not one.up]
    pool = [*state.pool, *(one.marker for one in hidden)]
    told = f"Shuffle {plural(len(pool), 'marker')} face down to make the vermin pool."
    yield Put(("NO-SET-6",), told, _counted(box, pool))
    told = f"Each hero starts on a square marked {START} or orthogonally next to it."
    yield Put(("NO-SET-7",), told, squares=starts)
    left = f"the pool keeps the other {len(state.pool)}" if state.pool else "the pool is then empty"
    told = f"Draw a marker from the pool for each square marked {LAIR} and place it face down; {left}."
    yield Put(("NO-SET-8",), told, squares=_names(one.at for one in hidden))
    for marker, count, mark, when in state.plan.apart:
        pieces, squares = _counted(box, [marker] * count), _names(board_of(state).marks[mark][:count])
        if when:
            place = "square" if len(squares) == 1 else "squares"
            told = f"Set aside until space {when} of the round track, then place face up on the {place} marked {mark}."
            yield Put(("NO-SET-6", "NO-SPAWN-6"), told, pieces, squares)
        else:
            here = _names(one.at for one in state.vermin if one.up and one.marker == marker)
            yield Put(("NO-SET-6", "NO-SPAWN-6"), f"Place face up on the square marked {mark}.", pieces, here)


def _tokens(state: State) -> Iterator[Put]:
    """Yield the tokens by the letters of their squares."""
    for letter, piece, called, rule in TOKENS:
        squares = board_of(state).marks.get(letter, ())
        counts = [tokens_on(state, square) for square in squares]
        if counts:
            told = f"Place {plural(counts[0], called)} on each square marked {letter}."
            yield Put((rule,), told, ((piece, sum(counts)),), _names(squares))


def _loot(state: State) -> Iterator[Put]:
    """Yield the Loot deck: its cards, the cards of its levels that are left out, and those that heroes take."""
    box, deck = state.box, Counter(state.loot_deck)
    levels = box.facts["scenarios"][state.scenario]["loot"]
    all_ = Counter({card: int(box.piece(card)["count"]) for card in box.loot if box.piece(card)["level"] in levels})
    word = "level" if len(levels) == 1 else "levels"
    told = f"Shuffle {deck.total()} Loot cards of {word} {listed(list(map(str, levels)))}: {_kinds(box, deck)}."
    left = all_ - deck
    yield Put(("NO-SET-11", "NO-SET-12"), f"{told} Leave out {_kinds(box, left)}." if left else told)
    if state.plan.armed:
        yield Put(("NO-S1-10",), "Each hero without a weapon takes a preferred one from the Loot deck.")


def _kinds(box: Box, cards: Counter[int]) -> str:
    kinds: Counter[str] = Counter()
    for card, count in cards.items():
        kinds[box.piece(card)["kind"]] += count
    return listed([f"{kinds[kind]} {called[kinds[kind] > 1]}" for kind, called in CALLED.items() if kinds[kind]])


def _decks(state: State) -> Iterator[Put]:
    """Yield the Round marker, the poker deck and the party hand."""
    cards = len(state.deck) + len(state.hand) + len(state.discard)
    told = f"Place the Round marker on space {state.round} of the round track."
    yield Put(("NO-SET-13",), told, (("round-marker", 1),))
    told = f"Set {plural(len(state.kings), 'King')} aside and shuffle the other {cards} poker cards."
    yield Put(("NO-SET-15",), told)
    yield Put(("NO-SET-16",), f"Draw {plural(len(state.hand), 'card')} for the party hand.")


def _entries(box: Box, scenario: str) -> list[int]:
    """Return the story entries that the scenario reads, and those that these entries read in turn."""
    told = box.facts["scenarios"][scenario]
    clauses = [one for key in ("objectives", "special", "set-up", "spawn", "between") for one in told[key]]
    found: set[int] = set()
    texts = [one["text"] for one in clauses if not one.get("code")]
    while texts:
        more = {int(str(one["n"])) for one in box.read(texts.pop()).every() if one.name == "read"} - found
        found |= more
        texts += [text for number in more if (text := box.facts["entries"][str(number)].get("does"))]
    return sorted(found)


def _picture(state: State, starts: Iterable[str]) -> Picture:
    """Return the whole map, with a plate on every square where a hero may start."""
    picture = picture_of(state, {"whole": True})
    plates = tuple(Token(square, TOKEN, START, "heroes may start") for square in starts)
    return picture._replace(tokens=(*picture.tokens, *plates))


def _counted(box: Box, markers: Sequence[int]) -> tuple[tuple[str, int], ...]:
    return tuple((box.ids[marker], count) for marker, count in sorted(Counter(markers).items()))


def _names(squares: Iterable[int]) -> tuple[str, ...]:
    return tuple(SQUARES[square] for square in squares)


# Reference tables

ACTIONS: Final = (
    ("prowl", "Prowl", "NO-ACT-6"),
    ("stride", "Stride", "NO-ACT-6"),
    ("pounce", "Pounce", "NO-ACT-7"),
    ("attack", "Attack", "NO-ATK-1"),
    ("reload", "Reload", "NO-ACT-15"),
    ("investigate", "Investigate", "NO-ACT-10"),
    ("pick-up", "Pick up or drop", "NO-ACT-12"),
    ("transfer", "Transfer", "NO-ACT-13"),
    ("unstun", "Remove a Stun", "NO-ACT-14"),
    ("leave", "Leave the map", "NO-SCN-4"),
)
"""The actions of heroes, each with its word and its rule. Dropping costs the same as picking up."""
STEPS: Final = (
    ("to an adjacent square", f"{STEP_COST}", "NO-MOVE-2"),
    ("across a corner", f"{DIAGONAL_COST}", "NO-MOVE-3"),
    ("into hindering terrain", f"+{HINDERING_COST}", "NO-MOVE-4"),
)
RANGES: Final = (1, 2, 3, 4, 8)
MODIFIERS: Final = (
    ("into or through hindering terrain", numbers.HINDERED_DRM, ("NO-DRM-1", "NO-DRM-9")),
    ("at a stunned target", numbers.STUNNED_DRM, ("NO-DRM-2",)),
    ("at a vulnerable target", numbers.VULNERABLE_DRM, ("NO-DRM-3",)),
)
COURT: Final = {1: "Ace", 11: "Jack", 12: "Queen", 13: "King"}
"""The names of cards that are not named after their value."""
TOLD: Final = {1: ("Ace, a miss", "NO-DECK-3"), 13: ("King, set aside at first", "NO-DECK-7")}
"""Notes on the cards of certain values."""
JOKERS: Final = {
    False: ("Red Joker: all heroes +1 Life", ("NO-DECK-10",)),
    True: ("Black Joker: all heroes −1 Life", ("NO-DECK-9", "NO-AMB-39")),
}
"""By whether the Joker is black: its effect, and the rules behind it."""


def _actions(_facts: Facts) -> Crib:
    """Return the cost of each action, and the MP it gives."""
    rows = (
        CribRow(name, (str(numbers.COST[word]), str(numbers.POINTS.get(word, ""))), (rule,))
        for word, name, rule in ACTIONS
    )
    return Crib("Action", ("AP", "MP"), tuple(rows))


def _steps(_facts: Facts) -> Crib:
    """Return the cost of each step."""
    return Crib("A step", ("MP",), tuple(CribRow(what, (cost,), (rule,)) for what, cost, rule in STEPS))


def _ranges(_facts: Facts) -> Crib:
    """Return how far away a target may be, by the Range of the attack."""
    steps = tuple(f"{POINT_BLANK + 1 if far >= FROM_AFAR else 0}–{far}" for far in RANGES)
    return Crib("Range", tuple(map(str, RANGES)), (CribRow("steps", steps, ("NO-RNG-2", "NO-RNG-5")),))


def _modifiers(_facts: Facts) -> Crib:
    """Return the modifiers of each card of an attack."""
    rows = (CribRow(what, (signed(by),), rules) for what, by, rules in MODIFIERS)
    return Crib("Each draw of an attack", ("DRM",), tuple(rows))


def _cards(facts: Facts) -> Crib:
    """Return the values of the poker cards that show no number."""
    box = box_of(facts)
    suited = sorted({box.values[card] for card in box.poker if box.suits[card]})
    told = [(value, *TOLD.get(value, (COURT[value], "NO-DECK-6"))) for value in suited if value in COURT]
    rows = [CribRow(name, (str(value),), (rule,)) for value, name, rule in told]
    for card in filter(box.is_joker, box.poker):
        name, rules = JOKERS[box.is_black(card)]
        rows.append(CribRow(name, (str(box.values[card]),), rules))
    return Crib("Card", ("value",), tuple(rows))


CRIBS: Cribs = {
    "actions": _actions,
    "steps": _steps,
    "ranges": _ranges,
    "modifiers": _modifiers,
    "cards": _cards,
}
