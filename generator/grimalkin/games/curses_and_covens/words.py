"""Words of Curses & Covens: facts turned into words for the gaps in a sentence, and into facts for programs.

Facts are given as the game stores them, under names that describe them. A seat is called by its name; a card, a tile
and a spell have an id for programs, and a name in sentences. Only those who saw a card read the sentence that names it;
the others read one without the card. The same applies to its facts. In them a `town` is a name, a `card` an id; `hand`
is the number of cards in a hand, `witches` and `rituals` the numbers in front of the Witch Hunter, and `needed` how
many of them decide the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from grimalkin.engine.words import NO_FACTS, Event, Fact, listed
from grimalkin.games.curses_and_covens.board import Board
from grimalkin.games.curses_and_covens.facts import HUNTER, Spell

Log = list[Event]
Way = Callable[[Board, Any], tuple[str, Fact]]
"""A function that returns a fact in two forms: words for a sentence, and a fact for programs."""


def _seat(board: Board, seat: int) -> tuple[str, str]:
    name = board.seats[seat]
    return name, name


def _card(board: Board, card: int) -> tuple[str, str]:
    return board.box.names[card], board.box.ids[card]


def _tile(board: Board, tile: int) -> tuple[str, str]:
    return board.box.tiles[tile].name, board.box.tiles[tile].id


def _spell(board: Board, spell: Spell) -> tuple[str, str]:
    return board.box.spell_names[spell], spell.word


def _words(_board: Board, words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    return listed(words), words


def _many(way: Callable[[Board, Any], tuple[str, str]]) -> Way:
    def ways(board: Board, facts: Iterable[Any]) -> tuple[str, tuple[str, ...]]:
        pairs = [way(board, fact) for fact in facts]
        return listed([word for word, _ in pairs]), tuple([told for _, told in pairs])

    return ways


WAYS: Final[Mapping[str, Way]] = {
    **dict.fromkeys(("town", "from", "to", "asked", "hunter"), _seat),
    **dict.fromkeys(("towns", "shown-by"), _many(_seat)),
    **dict.fromkeys(("card", "put", "got"), _card),
    "cards": _many(_card),
    **dict.fromkeys(("spell", "cast", "shown"), _spell),
    "tile": _tile,
    "tiles": _many(_tile),
    **dict.fromkeys(("icons", "suits"), _words),
}
"""By name of a fact; numbers, words, yes and no are the same in sentences and for programs."""


def gaps(board: Board, facts: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Fact]]:
    """Return the words for the gaps in a sentence, and its facts. {hunter} and {who}, the seat to act, are always
    there.

    In the names of facts "_" means "-", and `from_` is {from}, which Python does not allow as a name. A seat's name
    is never part of a sentence with gaps, since it could contain braces.
    """
    seats = board.seats
    words: dict[str, Any] = {"hunter": seats[HUNTER], "who": seats[board.turn]}
    if not facts:
        return words, NO_FACTS
    told: dict[str, Fact] = {}
    for name, fact in facts.items():
        if "_" in name:
            name = name.rstrip("_").replace("_", "-")
        way = WAYS.get(name)
        if way is None:
            words[name] = told[name] = fact
        else:
            words[name], told[name] = way(board, fact)
    return words, told


def say(board: Board, log: Log, rule: str, text: str, /, **facts: Any) -> None:
    """Log an event that everybody sees."""
    words, told = gaps(board, facts)
    log.append(Event(rule, text.format_map(words), facts=told))


def whisper(
    board: Board, log: Log, rule: str, text: str, readers: Sequence[int], hint: str = "", /, **facts: Any
) -> None:
    """Log an event that some seats see; the others read the hint, by default the same with "a card" for {card}."""
    words, told = gaps(board, facts)
    hint = hint or text.replace("{card}", "a card")
    log.append(Event(rule, text.format_map(words), frozenset(readers), hint.format_map(words), told))
