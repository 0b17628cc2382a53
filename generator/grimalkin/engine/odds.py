"""What an engine can count out about something that chance decides: how likely it comes off, in which circumstances.

A game module may offer `odds(facts)`: the Odds, in which everything that can be asked has a name, and a function that
answers. Answers are exact. The contract does not ask for it, since few games have anything that can be counted out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grimalkin.engine.contract import Facts, GameModule
from grimalkin.engine.habits import Expected


class Attempt(NamedTuple):
    """Something that may come off, such as an attack."""

    id: str
    name: str
    piece: str
    """The component that has it. One may have several."""
    told: str
    """Its numbers, in a few words."""
    group: str
    """What it stands together with: the title of a page."""
    targets: tuple[str, ...]
    """At what it can be aimed."""
    plain: str
    """The one of them at which nothing matters but the attempt."""


class Target(NamedTuple):
    """At what attempts are aimed."""

    id: str
    name: str
    piece: str
    left: int = 0
    """How much it can bear, such as its Health; 0 if that is not asked."""
    told: str = ""
    """What of it matters, in a few words."""


class Circumstance(NamedTuple):
    """What may hold or not, and makes an attempt harder or easier."""

    id: str
    name: str
    told: str
    """What it does, in a few words."""
    rule: str


class Card(NamedTuple):
    """A kind of what chance draws from: the same to every attempt, as cards of one value are."""

    id: str
    name: str
    pieces: tuple[tuple[str, ...], ...]
    """Its single cards, each by its words: the id of the component, and how notation writes it."""
    in_deck: int
    """How many of them chance draws from at first."""
    can_be_held: bool
    """Whether one may be held, to be used in place of what is drawn."""


class Case(NamedTuple):
    """What is asked. Cards are told by the ids of their kinds."""

    attempt: str
    target: str
    modifier: int = 0
    """What is added besides the circumstances, and what the two bring with them."""
    circumstances: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    """Cards that cannot come, since they have come and lie open."""
    held: tuple[str, ...] = ()
    left: int = 0
    """How much the target can still bear; 0: as much as at first."""


class Answer(NamedTuple):
    """How likely a case is."""

    modifier: int
    """All that is added, with"""
    added: tuple[tuple[str, int], ...]
    """what is added, by the rule that says so."""
    numbers: tuple[Expected, ...]
    """How it comes out when nothing of what is held is used, and"""
    held: tuple[Expected, ...] = ()
    """the same numbers, each with the best use of it; empty when nothing is held."""
    remarks: tuple[tuple[str, str], ...] = ()
    """What changes the numbers and is no modifier: sentences, by the rules that say so."""


@dataclass(frozen=True, slots=True)
class Odds:
    """All that can be asked about a game."""

    title: str
    """What it is about, as a heading."""
    text: str
    """What the numbers tell, in a sentence or two, with the words by which people look for them."""
    attempts: tuple[Attempt, ...]
    targets: tuple[Target, ...]
    circumstances: tuple[Circumstance, ...]
    cards: tuple[Card, ...]
    most_held: int
    modifiers: range
    """Those that are worth a look; others may be asked about."""
    answer: Callable[[Case], Answer]
    line: str
    """The number that pictures draw as a line, and"""
    areas: tuple[str, ...]
    """those that they draw as areas, each within the one before it: at least one, at least two. The first tells
    whether it came off."""
    notes: tuple[tuple[tuple[str, ...], str], ...] = ()
    """What is taken for granted: sentences, with the rules that they are about."""

    def attempts_of(self, id_: str) -> list[Attempt]:
        """The attempt of that id, or all of the piece of that id."""
        return [one for one in self.attempts if one.id == id_] or [one for one in self.attempts if one.piece == id_]

    def target(self, id_: str) -> Target:
        return next(one for one in self.targets if one.id == id_)

    def alike(self, attempt: Attempt) -> list[tuple[Target, ...]]:
        """The targets of an attempt, those together at which it never comes out differently."""
        found: dict[tuple[object, ...], list[Target]] = {}
        for id_ in attempt.targets:
            one = self.target(id_)
            found.setdefault((one.told, one.left), []).append(one)
        return [tuple(several) for several in found.values()]


class Unread(NamedTuple):
    """A word that names no card, or one more than there are."""

    word: str
    because: str


def read_cards(
    odds: Odds, words: Iterable[str], *, held: bool = False, before: Sequence[str] = ()
) -> tuple[tuple[str, ...], list[Unread]]:
    """The kinds of cards that words name, and the words that name none.

    A word is the id of a kind, or of one of its cards. `before` are words that name other cards.
    """
    found: list[str] = []
    wrong: list[Unread] = []
    single: set[tuple[str, ...]] = set()
    counts: dict[str, int] = {}
    for number, word in enumerate([*before, *words]):
        card, piece = _find_card(odds, word)
        because = ""
        if card is None:
            because = f'there is no card "{word}"'
        elif held and not card.can_be_held:
            because = f"{card.name} is never held"
        elif piece and piece in single:
            because = f"{word} is named twice"
        elif counts.get(card.id, 0) >= (len(card.pieces) if held else card.in_deck):
            because = f"there are no more of {card.name}" if counts.get(card.id) else f"{card.name} is not in the deck"
        if number >= len(before) and because:
            wrong.append(Unread(word, because))
        elif card is not None:
            single.add(piece)
            counts[card.id] = counts.get(card.id, 0) + 1
            if number >= len(before):
                found.append(card.id)
    return tuple(found), wrong


def _find_card(odds: Odds, word: str) -> tuple[Card | None, tuple[str, ...]]:
    """The kind that a word names, and the single card if it names one."""
    word = word.lower()
    for card in odds.cards:
        if word == card.id.lower():
            return card, ()
        for piece in card.pieces:
            if word in map(str.lower, piece):
                return card, piece
    return None, ()


OddsOf = Callable[[Facts], Odds]
"""The function `odds` of a game that has one."""


def find_odds(game: GameModule | None) -> OddsOf | None:
    """The function that counts out odds; None of a game that has none, or no engine."""
    found: OddsOf | None = getattr(game, "odds", None)
    return found if callable(found) else None  # a package may have a module of that name
