"""The knowledge of each seat: what it has seen, knows and may imagine, from the history of a game.

The history is a list of entries (deed, source, target, cards): what happened, the places where it began and ended, and
the cards moved. A *place* is the number of a town (its hand), 0 (in front of the Witch Hunter), or one of the places
below.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from grimalkin.engine.chance import Chance
from grimalkin.engine.law import law
from grimalkin.games.curses_and_covens.facts import HUNTER, SPELLS, TILES, UNSEEN, Box, Row, Spell

DECK: Final = -1
"""The part of the deck whose order is unknown."""
UNDER_DECK: Final = -2
"""The cards laid under that part."""
IN_WOODS: Final = -3
TRAY: Final = -4
"""The cards that the Hunter looks at in an Arrival of choice."""
TAKEN: Final = -5
"""The card picked from a town, until it goes elsewhere."""
NOWHERE: Final = -6
PLACES: Final = {DECK: "deck", UNDER_DECK: "under", TRAY: "tray"}
"""The places that a line of text may name, with their words."""

ALL: Final = ("from", "to", "hunter", "others")


class Deed(Row):
    """A kind of event in the history."""

    def __init__(
        self,
        word: str,
        fields: tuple[str, ...],
        seen_by: tuple[str, ...],
        source: int = NOWHERE,
        target: int = NOWHERE,
        moves: bool = True,
    ) -> None:
        self.word = word
        """The first word of its line of text."""
        self.fields = fields
        """The parts that follow it."""
        self.source = source
        self.target = target
        """The places that it moves cards from and to, if they are always the same."""
        self.has_cards = "card" in fields or "cards" in fields
        self.moves = moves and self.has_cards
        """Whether all its cards go from the source to the target."""
        self.open_to_all = "others" in seen_by
        """Whether everybody sees its cards; otherwise, the next three attributes determine who does."""
        self.open_to_hunter = "hunter" in seen_by
        self.open_to_source = "from" in seen_by
        self.open_to_target = "to" in seen_by

    HIDDEN = "hidden", ("card",), ("hunter",), DECK, IN_WOODS
    """The card in the woods at set-up."""
    HELD = "held", ("from", "cards"), ("from",), NOWHERE, NOWHERE, False
    """A town's hand when the history begins."""
    DEALT = "dealt", ("to", "cards"), ("to",), DECK
    SHOWN = "shown", ("from", "cards"), ALL, NOWHERE, NOWHERE, False
    """A town's whole hand in a Census."""
    DREW = "drew", ("place", "to", "card"), ("to",)
    ARRIVED = "arrived", ("place", "to", "card"), ("hunter", "to")
    LOOKED = "looked", ("place", "card"), ("hunter",), NOWHERE, TRAY
    """The Hunter draws a card of an Arrival of choice."""
    GAVE = "gave", ("from", "to", "card"), ("from", "to")
    """A town gives a card, of its own accord or because it was asked."""
    ASKED = "asked", ("from", "to"), ALL
    """A town was asked, but no card moved."""
    SWAPPED = "swapped", ("from", "card", "card"), ("from",), NOWHERE, IN_WOODS, False
    """An exchange with the woods: the card put there and the card taken."""
    PICKED = "picked", ("from", "card"), ALL, NOWHERE, TAKEN
    PASSED = "passed", ("to", "card"), ALL, TAKEN
    CAUGHT = "caught", ("card",), ALL, TAKEN, HUNTER
    TRAPPED = "ritual", ("card",), ALL, TAKEN, HUNTER
    """A ritual is laid in front of the Hunter."""
    LAID = "laid-under", ("from", "card"), ("from",), NOWHERE, UNDER_DECK
    ESCAPED = "escaped", ("cards",), ALL, HUNTER, UNDER_DECK
    SLIPPED = "back-under", ("card",), ALL, TAKEN, UNDER_DECK
    """A witch goes under the deck instead of being captured."""
    SHUFFLED = "shuffled", ("cards",), (), UNDER_DECK, DECK
    CASTING = "cast", ("from", "spell"), ALL
    HATTED = "hat", ("to",), ALL
    SAID = "said", ("from", "words"), ALL
    FLIPPED = "flipped", ("tile",), ALL

    @law("CC-ARR-3", "CC-TRAV-5", "CC-AMB-10", "CC-AMB-18")
    def is_seen(self, source: int, target: int, seat: int) -> bool:
        """Return whether a seat sees the cards (CC-ARR-3, CC-TRAV-5, CC-AMB-10, CC-AMB-18)."""
        return (
            self.open_to_all
            or (self.open_to_source and seat == source)
            or (self.open_to_target and seat == target)
            or (self.open_to_hunter and seat == HUNTER)
        )


DEEDS: Final = {deed.word: deed for deed in Deed}
SWAPPED: Final = Deed.SWAPPED

Entry = tuple[Deed, int, int, Any]
"""Deed, source, target and cards; for a remark, its words instead of cards."""


# What a seat knows


class Known(NamedTuple):
    """The cards that a seat knows to be at a place: it saw them there or saw them go there, and they cannot have
    been removed unseen since. Further conclusions are not included."""

    hands: tuple[tuple[int, ...], ...]
    """By seat: the known cards in hand; the Witch Hunter has none."""
    woods: int
    """The card in the woods, or UNSEEN."""
    under: tuple[int, ...]
    """The cards under the deck, from the top; UNSEEN for each one not known."""
    tray: tuple[int, ...]


class Mind:
    """The events that one seat has seen, read from the history as it grows."""

    __slots__ = ("_cards", "_seat", "_sizes", "_under", "_woods", "log")

    def __init__(self, seat: int, sizes: Sequence[int], under: int, tray: int) -> None:
        """Begin with the `sizes` of all hands, and the numbers of cards `under` the deck and on the `tray`."""
        self.log: list[Entry] = []
        self._seat = seat
        self._sizes = {**dict(enumerate(sizes)), TRAY: tray}
        # By unordered place (each hand and the tray): the cards known to be there.
        self._cards: dict[int, set[int]] = {place: set() for place in self._sizes}
        self._woods = UNSEEN
        self._under = [UNSEEN] * under

    def follow(self, history: Sequence[Entry]) -> None:
        """Read the new entries of the history."""
        for entry in history[len(self.log) :]:
            deed, source, target, cards = entry
            if not deed.has_cards:
                self.log.append(entry)
                continue
            seen = deed.open_to_all or deed.is_seen(source, target, self._seat)
            if not seen:
                cards = (UNSEEN,) * len(cards)
                entry = (deed, source, target, cards)
            self.log.append(entry)
            if deed.moves:
                for card in cards:
                    self._come(target, self._leave(source, card))
            elif deed is SWAPPED:
                put, got = cards
                put, got = self._leave(source, put), self._leave(IN_WOODS, got)
                self._come(source, got)
                self._woods = put
            elif seen:
                self._cards[source] = set(cards)

    def _leave(self, place: int, card: int) -> int:
        """Remove a card from a place and return it, or UNSEEN if this seat does not know it."""
        if place > 0 or place == TRAY:
            known = self._cards[place]
            if card == UNSEEN and self._sizes[place] == 1 and known:
                (card,) = known
            if card == UNSEEN:
                known.clear()
            known.discard(card)
            self._sizes[place] -= 1
        elif place == UNDER_DECK:
            top = self._under.pop(0)
            return top if card == UNSEEN else card
        elif place == IN_WOODS:
            return self._woods if card == UNSEEN else card
        return card

    def _come(self, place: int, card: int) -> None:
        if place > 0 or place == TRAY:
            self._sizes[place] += 1
            if card != UNSEEN:
                self._cards[place].add(card)
        elif place == UNDER_DECK:
            self._under.append(card)
        elif place == IN_WOODS:
            self._woods = card

    def known(self, own: Sequence[int]) -> Known:
        """Return what is known now. A seat always sees its `own` hand, whatever the history says."""
        *hands, tray = [tuple(sorted(cards)) for cards in self._cards.values()]
        hands[self._seat] = tuple(own)
        return Known(tuple(hands), self._woods, tuple(self._under), tray)


# Worlds that look the same to a seat


def other_world(
    history: Sequence[Entry],
    seat: int,
    cards_there: int,
    places: Mapping[int, Sequence[int]],
    plain: set[int],
    chance: Chance,
) -> tuple[list[Entry], list[int]]:
    """Return another history that looks the same to a seat, and, by card, the card that is now in its place.

    `places` are the cards now in each hand, in the deck and on the tray; `plain` are those whose places the seat can
    see. Two cards that are together in a hand, in the deck or on the tray, and that the seat never sees again,
    are interchangeable from then on. So each time one leaves such a place unseen, it may have been any of them. At the
    beginning of the history, all cards that are never seen are interchangeable.
    """
    free = set(range(cards_there)) - plain
    where = {place: set(cards) for place, cards in places.items()}
    choices: dict[int, list[tuple[int, list[int]]]] = {}
    for index in reversed(range(len(history))):
        deed, source, target, cards = history[index]
        if not deed.has_cards:
            continue
        seen = deed.is_seen(source, target, seat)
        if seen:
            free.difference_update(cards)
        if deed.moves:
            moved = cards
            if target in where:
                where[target].difference_update(cards)
        elif deed is SWAPPED:
            moved = cards[:1]
            where[source].discard(cards[1])
        else:
            continue
        if source in where:
            where[source].update(moved)
            if not seen:
                could = sorted(where[source] & free)
                if len(could) > 1:
                    choices[index] = [(card, could) for card in moved if card in free]
    never_seen = sorted(free)
    label = list(range(cards_there))
    left = never_seen[:]
    for card in never_seen:
        label[card] = chance.take("imagine", left)
    other = []
    for index, entry in enumerate(history):
        for card, could in choices.get(index, ()):
            with_ = chance.pick("imagine", could)
            label[card], label[with_] = label[with_], label[card]
        deed, source, target, cards = entry
        if deed.has_cards:
            entry = (deed, source, target, tuple([label[card] for card in cards]))
        other.append(entry)
    return other, label


# Text


def write_entry(entry: Entry, box: Box, seats: Sequence[str]) -> str:
    """Return an entry as a line of text: gave Ada Basil love-rose."""
    deed, source, target, cards = entry
    ids, words, left = box.ids, [deed.word], cards
    for field in deed.fields:
        if field == "from":
            words.append(_in_one_word(seats[source]))
        elif field == "to":
            words.append(_in_one_word(seats[target]))
        elif field == "place":
            words.append(PLACES[source])
        elif field == "card":
            words.append(ids[left[0]])
            left = left[1:]
        elif field == "cards":
            words += [ids[card] for card in cards]
        elif field == "spell":
            words.append([*Spell][target].word)
        elif field == "tile":
            words.append(TILES[target])
        else:
            words.append(cards)
    return " ".join(words)


_WORD = re.compile(r'\s*("(?:[^"\\]|\\.)*"|\S+)(.*)')


def _in_one_word(name: str) -> str:
    """Return a seat's name as written in a history: in double quotes if it contains a space or a double quote."""
    return json.dumps(name, ensure_ascii=False) if re.search(r'[\s"]', name) else name


def read_entry(text: str, box: Box, seats: Sequence[str]) -> Entry | None:
    """Return the entry in a line of text; None if it is not such a line."""
    word, _, rest = text.strip().partition(" ")
    if word not in DEEDS:
        return None
    deed = DEEDS[word]
    source, target = deed.source, deed.target
    cards: Any = ()
    for field in deed.fields:
        if field == "words":
            cards, rest = rest.strip(), ""
            continue
        if field == "cards":
            words, rest = rest.split(), ""
        elif found := _WORD.match(rest):
            words, rest = [found[1]], found[2]
        else:
            return None
        known = _words(field, box, seats)
        if any(word not in known for word in words):
            return None
        if field in ("card", "cards"):
            cards += tuple([known[word] for word in words])
        elif field in ("from", "place"):
            source = known[words[0]]
        else:
            target = known[words[0]]
    return None if rest.strip() else (deed, source, target, cards)


def _words(field: str, box: Box, seats: Sequence[str]) -> Mapping[str, int]:
    """Return the words allowed in a part, with their values."""
    if field in ("card", "cards"):
        return box.numbers
    if field == "spell":
        return SPELLS
    if field == "tile":
        return {tile: number for number, tile in enumerate(TILES)}
    if field == "place":
        return {word: place for place, word in PLACES.items()}
    return {_in_one_word(name): seat for seat, name in enumerate(seats) if seat}
