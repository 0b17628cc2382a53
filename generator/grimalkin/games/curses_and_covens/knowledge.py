"""Who knows what: the history of a game in, what one seat has seen, knows and may imagine out.

The history is a list of entries (kind, source, target, cards, mask): what happened, from which place to which, with
which cards, and the bit mask of the seats that saw these cards. A *place* is the number of a town (its hand), 0 (in
front of the Witch Hunter), or one of the places below.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from grimalkin.engine.chance import Chance
from grimalkin.games.curses_and_covens.facts import SPELLS, TILES, UNSEEN, Box

Entry = tuple[int, int, int, Any, int]
"""Kind, source, target, cards (the words, in an entry of `SAID`), mask."""

DECK, UNDER_DECK, IN_WOODS, TRAY, TAKEN, NOWHERE = range(-1, -7, -1)
"""The part of the deck in no known order, the cards laid under it, the card in the woods, the cards the Hunter looks at
in an Arrival of choice, the card picked from a town until it goes elsewhere."""
PLACES: Final = {DECK: "deck", UNDER_DECK: "under", TRAY: "tray"}

(
    HIDDEN,  # the card in the woods at set-up
    HELD,  # a town's hand when the history begins
    DEALT,
    SHOWN,  # a town's whole hand in a Census
    DREW,
    ARRIVED,
    LOOKED,  # the Hunter draws a card of an Arrival of choice
    GAVE,  # so does a town that was asked
    ASKED,  # and nothing moved
    SWAPPED,  # with the woods: the card put there, the card got
    PICKED,
    PASSED,
    CAUGHT,
    TRAPPED,  # a ritual is laid in front of the Hunter
    LAID,  # under the deck
    ESCAPED,
    SLIPPED,  # a witch goes under the deck instead of being captured
    SHUFFLED,
    CASTING,
    HATTED,
    SAID,
    FLIPPED,
) = range(22)
WORDS: Final = (
    "hidden",
    "held",
    "dealt",
    "shown",
    "drew",
    "arrived",
    "looked",
    "gave",
    "asked",
    "swapped",
    "picked",
    "passed",
    "caught",
    "ritual",
    "laid-under",
    "escaped",
    "back-under",
    "shuffled",
    "cast",
    "hat",
    "said",
    "flipped",
)
FIELDS: Final[tuple[tuple[str, ...], ...]] = (
    ("card",),
    ("from", "cards"),
    ("to", "cards"),
    ("from", "cards"),
    ("place", "to", "card"),
    ("place", "to", "card"),
    ("place", "card"),
    ("from", "to", "card"),
    ("from", "to"),
    ("from", "card", "card"),
    ("from", "card"),
    ("to", "card"),
    ("card",),
    ("card",),
    ("from", "card"),
    ("cards",),
    ("card",),
    ("cards",),
    ("from", "spell"),
    ("to",),
    ("from", "words"),
    ("tile",),
)
"""By kind: what stands in its line of text, after the word."""
ROADS: Final[Mapping[int, tuple[int, int]]] = {
    HIDDEN: (DECK, IN_WOODS),
    DEALT: (DECK, NOWHERE),
    LOOKED: (NOWHERE, TRAY),
    PICKED: (NOWHERE, TAKEN),
    PASSED: (TAKEN, NOWHERE),
    CAUGHT: (TAKEN, 0),
    TRAPPED: (TAKEN, 0),
    LAID: (NOWHERE, UNDER_DECK),
    ESCAPED: (0, UNDER_DECK),
    SLIPPED: (TAKEN, UNDER_DECK),
    SHUFFLED: (UNDER_DECK, DECK),
    SWAPPED: (NOWHERE, IN_WOODS),
}
"""By kind: source and target where they are always the same."""
MOVING: Final = frozenset(
    (HIDDEN, DEALT, DREW, ARRIVED, LOOKED, GAVE, PICKED, PASSED, CAUGHT, TRAPPED, LAID, ESCAPED, SLIPPED, SHUFFLED)
)
"""Kinds whose cards all go from the source to the target."""
WITH_CARDS: Final = MOVING | {HELD, SHOWN, SWAPPED}


def mask_of(kind: int, source: int, target: int, seats: int) -> int:
    """Who sees the cards of an entry (CC-ARR-3, CC-TRAV-5, CC-AMB-10, CC-AMB-18), as a bit mask of the seats."""
    if kind in (HIDDEN, LOOKED):
        return 1
    if kind in (DEALT, DREW):
        return 1 << target
    if kind == ARRIVED:
        return 1 | 1 << target
    if kind == GAVE:
        return 1 << source | 1 << target
    if kind in (HELD, SWAPPED, LAID):
        return 1 << source
    if kind == SHUFFLED:
        return 0
    return (1 << seats) - 1


# What a seat knows


class Known(NamedTuple):
    """The cards that a seat knows to lie at a place: it saw them there or saw them go there, and nothing that it could
    not see has been able to take them away since. What it could conclude beyond that is not among them."""

    hands: tuple[tuple[int, ...], ...]
    """By seat; the Witch Hunter has none."""
    woods: int
    """The card, or UNSEEN."""
    under: tuple[int, ...]
    """By place under the deck, from the top: the card, or UNSEEN."""
    tray: tuple[int, ...]


class Mind:
    """What one seat has seen, read from the history as that grows."""

    __slots__ = ("_cards", "_seat", "_sizes", "_under", "_woods", "log")

    def __init__(self, seat: int, sizes: Sequence[int], under: int, tray: int) -> None:
        """`sizes` of all hands, and how many cards lie `under` the deck and on the `tray`, when the history begins."""
        self.log: list[Entry] = []
        self._seat = seat
        self._sizes = {**dict(enumerate(sizes)), TRAY: tray}
        # By place where cards lie in no order, each hand and the tray: those known to be among them.
        self._cards: dict[int, set[int]] = {place: set() for place in self._sizes}
        self._woods = UNSEEN
        self._under = [UNSEEN] * under

    def follow(self, history: Sequence[Entry]) -> None:
        """Read what has been added to the history."""
        for entry in history[len(self.log) :]:
            kind, source, target, cards, mask = entry
            if kind not in WITH_CARDS:
                self.log.append(entry)
                continue
            seen = mask >> self._seat & 1
            if not seen:
                cards = (UNSEEN,) * len(cards)
                entry = (kind, source, target, cards, mask)
            self.log.append(entry)
            if kind in MOVING:
                for card in cards:
                    self._come(target, self._leave(source, card))
            elif kind == SWAPPED:
                put, got = cards
                put, got = self._leave(source, put), self._leave(IN_WOODS, got)
                self._come(source, got)
                self._woods = put
            elif seen:
                self._cards[source] = set(cards)

    def _leave(self, place: int, card: int) -> int:
        """A card leaves a place. Gives the card, as far as this seat can tell which it is."""
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
        """What is known now. A seat sees its `own` hand, whatever the history tells."""
        *hands, tray = [tuple(sorted(cards)) for cards in self._cards.values()]
        hands[self._seat] = tuple(own)
        return Known(tuple(hands), self._woods, tuple(self._under), tray)


# Worlds that a seat cannot tell apart


def other_world(
    history: Sequence[Entry],
    seat: int,
    cards_there: int,
    places: Mapping[int, Sequence[int]],
    plain: set[int],
    chance: Chance,
) -> tuple[list[Entry], list[int]]:
    """Another history that looks the same to a seat, and by card which one lies now where it does.

    `places` are the cards that lie now in each hand, in the deck and on the tray; `plain` are those that the seat sees
    as they lie. Two cards that are together in a hand, in the deck or on the tray, and that the seat never sees again,
    may have each other's future. So each time one leaves such a place unseen, it may have been any of them; and when
    the history begins, all that are never seen may be each other.
    """
    free = set(range(cards_there)) - plain
    where = {place: set(cards) for place, cards in places.items()}
    choices: dict[int, list[tuple[int, list[int]]]] = {}
    for index in reversed(range(len(history))):
        kind, source, target, cards, mask = history[index]
        if kind not in WITH_CARDS:
            continue
        seen = mask >> seat & 1
        if seen:
            free.difference_update(cards)
        if kind in MOVING:
            moved = cards
            if target in where:
                where[target].difference_update(cards)
        elif kind == SWAPPED:
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
        if entry[0] in WITH_CARDS:
            entry = (*entry[:3], tuple([label[card] for card in entry[3]]), entry[4])
        other.append(entry)
    return other, label


# Text


def write_entry(entry: Entry, box: Box, seats: Sequence[str]) -> str:
    """An entry as a line of text: gave Ada Basil love-rose."""
    kind, source, target, cards, _ = entry
    ids, words, left = box.card_ids, [WORDS[kind]], cards
    for field in FIELDS[kind]:
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
            words.append(SPELLS[target])
        elif field == "tile":
            words.append(TILES[target])
        else:
            words.append(cards)
    return " ".join(words)


_WORD = re.compile(r'\s*("(?:[^"\\]|\\.)*"|\S+)(.*)')


def _in_one_word(name: str) -> str:
    """A seat's name as it stands in a history: in double quotes if it has a space or a double quote itself."""
    return json.dumps(name, ensure_ascii=False) if re.search(r'[\s"]', name) else name


def read_entry(text: str, box: Box, seats: Sequence[str]) -> Entry | None:
    """The entry that a line of text tells; None if it is not such a line."""
    word, _, rest = text.strip().partition(" ")
    if word not in WORDS:
        return None
    kind = WORDS.index(word)
    source, target = ROADS.get(kind, (NOWHERE, NOWHERE))
    cards: Any = ()
    for field in FIELDS[kind]:
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
    return None if rest.strip() else (kind, source, target, cards, mask_of(kind, source, target, len(seats)))


def _words(field: str, box: Box, seats: Sequence[str]) -> Mapping[str, int]:
    """What may stand in a field."""
    if field in ("card", "cards"):
        return box.numbers
    if field == "spell":
        return {spell: number for number, spell in enumerate(SPELLS)}
    if field == "tile":
        return {tile: number for number, tile in enumerate(TILES)}
    if field == "place":
        return {word: place for place, word in PLACES.items()}
    return {_in_one_word(name): seat for seat, name in enumerate(seats) if seat}
