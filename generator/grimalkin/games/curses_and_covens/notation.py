"""The notation of Curses & Covens: one line of text for the small moves of a turn, and back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from grimalkin.engine.contract import Facts
from grimalkin.engine.words import OVER, Ambiguous, Unreadable, find_typed, listed, typed
from grimalkin.games.curses_and_covens.facts import (
    ANSWERS,
    ASK,
    CARD_BITS,
    CARD_SHIFT,
    CAST,
    DEAL_NOTHING,
    DEALS,
    GIVE,
    HAT,
    LEAVE,
    NOBODY,
    PASSING,
    PICKING,
    SEAT_BITS,
    SHUFFLE,
    SPELLS,
    UNDER,
    VERB_SHIFT,
    WOODS,
    box_of,
    move_of,
    slug,
)
from grimalkin.games.curses_and_covens.state import State
from grimalkin.problems import did_you_mean

HIDDEN: Final = "?"
FORMS: Final[Mapping[int, str]] = {
    CAST: "cast {spell}",
    HAT: "hat {seat}",
    SHUFFLE: "shuffle",
    LEAVE: "leave",
    DEALS: "deal {card}",
    DEAL_NOTHING: "deal nothing",
    GIVE: "give {card} to {seat}",
    ASK: "ask {seat}",
    WOODS: "woods {card}",
    ANSWERS: "hand {card}",
    PICKING: "pick {seat}",
    PASSING: "pass to {seat}",
    UNDER: "under {card}",
}
"""By verb: how a small move is written."""
VERBS: Final = tuple(dict.fromkeys(form.split()[0] for form in FORMS.values()))
QUOTES: Final = str.maketrans("“”„", '"""')
PARTS: Final = re.compile(r'\s*("[^"]*"|[^,"]*)\s*(,|$)')


def every_move(facts: Facts) -> list[int]:
    """Every small move that changes something, for a full table, in the order of `legal`. Talk is not among them."""
    return box_of(facts).moves[:]


def read(text: str, state: State) -> list[int | str]:
    """Small moves joined by commas; words in double quotes are talk. Case, spaces and hyphens do not matter, and names
    of cards and spells will do for their ids."""
    if '"' not in text:
        text = text.translate(QUOTES)
    name, colon, _ = text.partition(":")
    if colon and typed(name) in map(typed, state.seats):
        told = f'"{name.strip()}:" is not part of a move; leave out the name'
        actor = state.to_act()
        raise Unreadable(told if actor == OVER else f"{told}; it is {state.seats[actor]}'s turn")
    return [_read_one(part, state) for part in _parts(text)]


def _parts(text: str) -> Iterator[str]:
    """A line cut at its commas, but not inside double quotes."""
    at = 0
    while True:
        found = PARTS.match(text, at)
        if found is None:
            raise Unreadable(f"a double quote is not closed, or something stands beside it: {text[at:].strip()}")
        yield found[1]
        if not found[2]:
            return
        at = found.end()


def _read_one(part: str, state: State) -> int | str:
    if part.startswith('"'):
        words = " ".join(part[1:-1].split())
        if not words:
            raise Unreadable("the words are missing between the double quotes")
        return words
    text = typed(part)
    if not text:
        raise Unreadable("a move is missing")
    verb, _, rest = text.partition(" ")
    if text == "deal nothing":
        return move_of(DEAL_NOTHING)
    if verb in ("shuffle", "leave") and not rest:
        return move_of(SHUFFLE if verb == "shuffle" else LEAVE)
    if verb == "cast":
        return move_of(CAST, _spell(rest, state))
    if verb == "give":
        ends = [f" to {typed(name)}" for name in state.seats]
        end = max((end for end in ends if rest.endswith(end)), key=len, default="")
        card, to, seat = (rest.removesuffix(end), end, end.removeprefix(" to ")) if end else rest.rpartition(" to ")
        if not to:
            raise Unreadable(f'"{text}" does not say to whom; write give {rest or "a card"} to a town')
        return move_of(GIVE, _card(card, state), _seat(seat, state))
    if verb == "pass":
        to, _, seat = rest.partition(" ")
        if to != "to":
            raise Unreadable(f'"{text}" is not a move of this game; write pass to a town')
        return move_of(PASSING, seat=_seat(seat, state))
    for known in (HAT, ASK, PICKING):
        if FORMS[known].startswith(f"{verb} "):
            return move_of(known, seat=_seat(rest, state))
    for known in (DEALS, WOODS, ANSWERS, UNDER):
        if FORMS[known].startswith(f"{verb} "):
            return move_of(known, _card(rest, state))
    said = f"words that are said stand in double quotes of their own: '\"{part.strip()}\"'"
    raise Unreadable(f'"{text}" is not a move of this game; {did_you_mean(verb, VERBS)}; {said}')


def _card(text: str, state: State) -> int:
    places = state.box.places
    found = find_typed(text, places)
    if found is not None:
        return found
    if text == HIDDEN:
        raise Unreadable(f'"{HIDDEN}" stands for a card that not everybody saw, and does not say which one it is')
    if not text:
        raise Unreadable("a card is missing")
    ids = state.box.card_ids
    longer = sorted({card for name, card in places.items() if text in re.split(r"[ -]", name)})
    if len(longer) > 1:
        raise Ambiguous(f'"{text}" does not say which card: {listed([ids[card] for card in longer], "or")}')
    hint = did_you_mean(text, places) or (f'did you mean "{ids[longer[0]]}"?' if longer else "")
    hint = hint or f'a card is written like {ids[0]} or "{state.box.cards.names[0]}"'
    raise Unreadable(f'"{text}" is no card of this game; {hint}')


def _seat(text: str, state: State) -> int:
    names = {typed(name): seat for seat, name in enumerate(state.seats)}
    found = find_typed(text, names)
    if found is not None:
        return found
    if not text:
        raise Unreadable("a town is missing")
    raise Unreadable(f'"{text}" is no seat here; {did_you_mean(text, names)}')


def _spell(text: str, state: State) -> int:
    found = find_typed(text, {spell: place for place, spell in enumerate(SPELLS)})
    if found is not None:
        return found
    hint = did_you_mean(slug(text), SPELLS)
    raise Unreadable(f'"{text}" is no spell of this game; {hint}' if text else f"a spell is missing; {hint}")


def write(moves: Sequence[int | str], state: State, reader: int | None = None) -> str:
    """Small moves joined by commas. For a `reader`, a seat's number, a card that it does not see is "?".

    Of a line that is not played nothing has happened, so all its cards are hidden from everybody but who wrote it.
    """
    actor = state.to_act()
    if reader in (None, actor):
        return ", ".join([_written(move, state) for move in moves])
    happens = _happens(moves, state)
    texts = []
    for place, move in enumerate(moves):
        to = NOBODY
        if happens and not isinstance(move, str):
            verb = move >> VERB_SHIFT
            if verb == GIVE:
                to = move & SEAT_BITS
            elif verb == ANSWERS:
                to = state.acting()
            elif verb == DEALS:
                to = state.service()[state.served + place]
        texts.append(_written(move, state, hide=to != reader))
    return ", ".join(texts)


def _happens(moves: Sequence[int | str], state: State) -> bool:
    """Whether a line with cards that others see can be made as it stands: one gift or answer, or deals of one
    Arrival."""
    deals = [move for move in moves if not isinstance(move, str)]
    if len(deals) < len(moves) or any(map(state.why_not, deals)):
        return False
    cards_dealt = [move for move in deals if move >> VERB_SHIFT != DEAL_NOTHING]
    if len(set(cards_dealt)) < len(cards_dealt):
        return False
    if deals[0] >> VERB_SHIFT not in (DEALS, DEAL_NOTHING):
        return len(deals) == 1
    cards, towns = len(state.tray), len(state.seats) - 1 - state.served
    for move in deals:
        if not cards or cards == towns == 1:
            return False  # what is left goes by itself, so the line is too long
        cards -= move >> VERB_SHIFT == DEALS
        towns -= 1
    return cards <= towns


def _written(move: int | str, state: State, hide: bool = False) -> str:
    if isinstance(move, str):
        return f'"{move}"'
    card, seat = move >> CARD_SHIFT & CARD_BITS, move & SEAT_BITS
    verb = move >> VERB_SHIFT
    return FORMS[verb].format(
        spell=SPELLS[card] if verb == CAST else "",
        card=HIDDEN if hide else state.box.card_ids[card] if verb != CAST else "",
        seat=state.seats[seat] if seat < len(state.seats) else f"seat {seat + 1}",
    )
