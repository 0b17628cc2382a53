"""The notation of Werecats: reads a line of text as the small moves of a turn, and writes moves as a line."""

from __future__ import annotations

from collections.abc import Sequence

from grimalkin.engine.contract import Facts
from grimalkin.engine.words import Ambiguous, Unreadable, find_typed, listed, typed
from grimalkin.games.werecats.facts import (
    CARD_BITS,
    CHOOSE,
    POWER_OF_VERB,
    SHARE,
    VERB_BITS,
    WITHOUT_CARD,
    Box,
    box_of,
)
from grimalkin.games.werecats.state import State
from grimalkin.problems import did_you_mean

NAMES = {typed(power.name): power.word for power in POWER_OF_VERB.values()} | {
    "dumpster dive": "dive",
    "scare the city": "scare",
    "pass": "rest",
}
"""The rules' names of actions and powers, and the words for them in moves."""


def every_move(facts: Facts) -> list[int]:
    """Return every small move that changes something, in the order of `legal`.

    This leaves out some readable moves: nobody can eat a starting cat, or choose a villager to start with.
    """
    box = box_of(facts)
    return [move for move in box.texts if _fits(move, box.starting, box.villagers)]


def _fits(move: int, starting: int, villagers: int) -> bool:
    """Return whether a move's verb could ever apply to its kind of card."""
    verb = move & VERB_BITS
    if verb in WITHOUT_CARD:
        return True
    cards = starting if verb == CHOOSE else starting | villagers if verb == SHARE else villagers
    return bool(cards >> (move & CARD_BITS) & 1)


def read(text: str, state: State) -> list[int]:
    """Read small moves separated by commas. Case, spaces and hyphens do not matter.

    A card's name may replace its id, and the rules' name of an action or a power its word.
    """
    return [_read_one(typed(part), state) for part in text.split(",")]


def _read_one(text: str, state: State) -> int:
    box = state.box
    if not text:
        raise Unreadable("a move is missing")
    move = find_typed(text, box.moves, NAMES)
    if move is None:
        move = find_typed(text, _by_name(box), NAMES)
    if move is not None:
        return move
    verb, _, id_ = text.partition(" ")
    longer = [whole for whole in box.moves if whole.startswith(f"{text} ") or whole.endswith(f" {text}")]
    if longer:
        legal = [box.texts[move] for move in state.legal()]
        possible = [whole for whole in longer if whole in legal]
        raise Ambiguous(f'"{text}" does not say enough' + (f": {listed(possible, 'or')}" if possible else ""))
    verbs = {known.partition(" ")[0] for known in box.moves}
    if verb in verbs and f"{verb} {box.cards.ids[0]}" in box.moves:
        hint = did_you_mean(id_, box.numbers)
        raise Unreadable(f'"{text}" names no card of this game: "{id_}"' + (f"; {hint}" if hint else ""))
    hint = did_you_mean(text, box.moves) if " " not in text or verb not in verbs else ""
    raise Unreadable(f'"{text}" is not a move of this game' + (f"; {hint}" if hint else ""))


def _by_name(box: Box) -> dict[str, int]:
    """Return every move with a card, keyed by its text with the card's name for its id, if that name is unique."""
    names = [typed(name) for name in box.cards.names]
    alone = [(id_, name) for id_, name in zip(box.cards.ids, names, strict=True) if names.count(name) == 1]
    words = dict.fromkeys(text.partition(" ")[0] for text in box.moves if " " in text)
    return {f"{word} {name}": box.moves[f"{word} {id_}"] for word in words for id_, name in alone}


def write(moves: Sequence[int], state: State, _reader: int | None = None) -> str:
    """Write small moves separated by commas. Every reader may see them all."""
    return ", ".join([state.box.texts[move] for move in moves])
