"""The notation of Werecats: one line of text for the small moves of a turn, and back."""

from __future__ import annotations

from collections.abc import Sequence

from grimalkin.engine.contract import Facts
from grimalkin.engine.words import Ambiguous, Unreadable, listed
from grimalkin.games.werecats.facts import (
    AGAIN,
    CARD_BITS,
    CHOOSE,
    DIVE,
    DONE,
    DRAW,
    REST,
    SCARE,
    SHARE,
    VERB_BITS,
    box_of,
)
from grimalkin.games.werecats.state import State
from grimalkin.problems import did_you_mean

WITHOUT_CARD = (DIVE, SCARE, REST, DRAW, AGAIN, DONE)


def every_move(facts: Facts) -> list[int]:
    """Every small move that changes something, in the order of `legal`. Not every readable move is among them: a
    starting cat is never eaten, and a villager never chosen."""
    box = box_of(facts)
    return [move for move in box.texts if _fits(move, box.starting, box.villagers)]


def _fits(move: int, starting: int, villagers: int) -> bool:
    """Whether the card of a move is of the kind that it can ever be about."""
    verb = move & VERB_BITS
    if verb in WITHOUT_CARD:
        return True
    cards = starting if verb == CHOOSE else starting | villagers if verb == SHARE else villagers
    return bool(cards >> (move & CARD_BITS) & 1)


def read(text: str, state: State) -> list[int]:
    """Small moves joined by commas. Case and extra spaces do not matter, and a card's name will do for its id."""
    return [_read_one(" ".join(part.lower().split()), state) for part in text.split(",")]


def _read_one(text: str, state: State) -> int:
    box = state.box
    move = box.moves.get(text)
    if move is not None:
        return move
    if not text:
        raise Unreadable("a move is missing")
    verb, _, id_ = text.partition(" ")
    named = [f"{verb} {box.cards.ids[card]}" for card, name in enumerate(box.cards.names) if name.lower() == id_]
    if len(named) == 1 and named[0] in box.moves:
        return box.moves[named[0]]
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


def write(moves: Sequence[int], state: State, unused_reader: int | None = None) -> str:
    """Small moves joined by commas. All of them are made in the open."""
    return ", ".join([state.box.texts[move] for move in moves])
