"""The notation of Curses & Covens: one line of text for the small moves of a turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from grimalkin.engine.contract import Facts
from grimalkin.engine.words import OVER, Ambiguous, Unreadable, find_typed, listed, typed
from grimalkin.games.curses_and_covens.box import box_of, slug
from grimalkin.games.curses_and_covens.facts import NOBODY, SPELLS, Move, Spell, Stage, Verb
from grimalkin.games.curses_and_covens.state import State
from grimalkin.problems import did_you_mean

HIDDEN: Final = "?"
VERBS: Final = tuple(dict.fromkeys(verb.form.split()[0] for verb in Verb))
QUOTES: Final = str.maketrans("“”„", '"""')
PARTS: Final = re.compile(r'\s*("[^"]*"|[^,"]*)\s*(,|$)')


def every_move(facts: Facts) -> list[Move | str]:
    """Return every small move that changes something, for a full table, in the order of `legal`. Talk is not
    included."""
    return [*box_of(facts).moves]


def read(text: str, state: State) -> list[Move | str]:
    """Read small moves separated by commas; words in double quotes are talk. Case, spaces and hyphens do not matter,
    and the names of cards and spells may replace their ids."""
    if '"' not in text:
        text = text.translate(QUOTES)
    name, colon, _ = text.partition(":")
    if colon and typed(name) in map(typed, state.seats):
        told = f'"{name.strip()}:" is not part of a move; leave out the name'
        actor = state.to_act()
        raise Unreadable(told if actor == OVER else f"{told}; it is {state.seats[actor]}'s turn")
    return [_read_one(part, state) for part in _parts(text)]


def _parts(text: str) -> Iterator[str]:
    """Yield the parts of a line, split at commas outside double quotes."""
    at = 0
    while True:
        found = PARTS.match(text, at)
        if found is None:
            raise Unreadable(f"a double quote is not closed, or there is something next to it: {text[at:].strip()}")
        yield found[1]
        if not found[2]:
            return
        at = found.end()


def _read_one(part: str, state: State) -> Move | str:
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
        return Move(Verb.DEAL_NOTHING)
    if verb in ("shuffle", "leave") and not rest:
        return Move(Verb.SHUFFLE if verb == "shuffle" else Verb.LEAVE)
    if verb == "cast":
        return Move(Verb.CAST, spell=_spell(rest))
    if verb == "give":
        ends = [f" to {typed(name)}" for name in state.seats]
        end = max((end for end in ends if rest.endswith(end)), key=len, default="")
        card, to, seat = (rest.removesuffix(end), end, end.removeprefix(" to ")) if end else rest.rpartition(" to ")
        if not to:
            raise Unreadable(f'"{text}" does not say who gets it; write give {rest or "a card"} to a town')
        return Move(Verb.GIVE, _card(card, state), _seat(seat, state))
    if verb == "pass":
        to, _, seat = rest.partition(" ")
        if to != "to":
            raise Unreadable(f'"{text}" is not a move of this game; write pass to a town')
        return Move(Verb.PASS, seat=_seat(seat, state))
    for known in (Verb.HAT, Verb.ASK, Verb.PICK):
        if known.form.startswith(f"{verb} "):
            return Move(known, seat=_seat(rest, state))
    for known in (Verb.DEAL, Verb.WOODS, Verb.ANSWER, Verb.UNDER):
        if known.form.startswith(f"{verb} "):
            return Move(known, _card(rest, state))
    said = f"put spoken words in double quotes of their own: '\"{part.strip()}\"'"
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
    ids = state.box.ids
    longer = sorted({card for name, card in places.items() if text in re.split(r"[ -]", name)})
    if len(longer) > 1:
        raise Ambiguous(f'"{text}" could be {listed([ids[card] for card in longer], "or")}')
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
    raise Unreadable(f'"{text}" is not a seat here; {did_you_mean(text, names)}')


def _spell(text: str) -> Spell:
    found = find_typed(text, SPELLS)
    if found is not None:
        return found
    hint = did_you_mean(slug(text), list(SPELLS))
    raise Unreadable(f'"{text}" is not a spell in this game; {hint}' if text else f"a spell is missing; {hint}")


def write(moves: Sequence[Move | str], state: State, reader: int | None = None) -> str:
    """Return small moves joined by commas. For a `reader`, a seat's number, a card that it does not see is "?".

    A line that is not played has had no effect, so all its cards are hidden from everybody except its writer.
    """
    actor = state.to_act()
    if reader in (None, actor):
        return ", ".join([_written(move, state) for move in moves])
    happens = _happens(moves, state)
    texts = []
    for place, move in enumerate(moves):
        to = NOBODY
        if happens and not isinstance(move, str):
            if move.verb is Verb.GIVE:
                to = move.seat
            elif move.verb is Verb.ANSWER:
                to = state.acting()
            elif move.verb is Verb.DEAL:
                to = state.service()[state.served + place]
        texts.append(_written(move, state, hide=to != reader))
    return ", ".join(texts)


def _happens(moves: Sequence[Move | str], state: State) -> bool:
    """Return whether a line that names cards seen by others can be played as written: one gift or answer, or the deals
    of one Arrival."""
    deals = [move for move in moves if not isinstance(move, str)]
    if len(deals) < len(moves) or any(map(state.why_not, deals)):
        return False
    cards_dealt = [move for move in deals if move.verb is not Verb.DEAL_NOTHING]
    if len(set(cards_dealt)) < len(cards_dealt):
        return False
    if deals[0].verb.stage is not Stage.DEAL:
        return len(deals) == 1
    cards, towns = len(state.tray), len(state.seats) - 1 - state.served
    for move in deals:
        if not cards or cards == towns == 1:
            return False  # the last card is dealt automatically, so the line is too long
        cards -= move.verb is Verb.DEAL
        towns -= 1
    return cards <= towns


def _written(move: Move | str, state: State, hide: bool = False) -> str:
    if isinstance(move, str):
        return f'"{move}"'
    verb, card, seat, spell = move
    return verb.form.format(
        spell="" if spell is None else spell.word,
        card=HIDDEN if hide else state.box.ids[card],
        seat=state.seats[seat] if seat < len(state.seats) else f"seat {seat + 1}",
    )
