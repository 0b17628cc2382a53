"""The facts of Wolf-Man's Curse: numbers from the rules, tables, and the cards from a game's content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, NamedTuple

from grimalkin.engine.contract import Facts
from grimalkin.engine.law import By, law
from grimalkin.engine.loading import Components, made_once
from grimalkin.engine.shape import Choice, Misfit, Record
from grimalkin.engine.words import listed, typed
from grimalkin.problems import did_you_mean

SEATS: Final[Annotated[tuple[int, int], By("WM-PLAYERS-1")]] = (3, 8)
HAND: Final[Annotated[int, By("WM-MONTH-2")]] = 5
NIGHTS: Final[Annotated[int, By("WM-MONTH-1", "WM-MONTH-3")]] = 3
"""The nights in a month; each seat plays this many cards from its hand."""
DOUBLE: Final[Annotated[int, By("WM-NIGHT-2")]] = 2


SUITS: Annotated[tuple[str, ...], By("WM-SETUP-4", "WM-NIGHT-9")] = ("clubs", "spades", "hearts", "diamonds")
"""The columns of the score sheet. If values are equal, the earlier suit wins."""
CLUBS, SPADES, HEARTS, DIAMONDS = range(len(SUITS))
PHASES: Final = ("playing", "over")
PLAYING, ENDED = range(len(PHASES))
RANKS: Final = ("jack", "queen", "king", "joker")
JOKER: Final = "joker"
LOVER: Final[Annotated[tuple[str, str], By("WM-END-1")]] = ("hearts", "queen")
NO_SUIT: Final = -1
NOTHING: Final = -1
FACE_DOWN: Final = -2
"""In a view: a card hidden from the seat."""
NOBODY: Final = -1

SCORED, DROPPED = "scored", "dropped"
OPTIONS: Final = Record(
    {},
    {
        "last-month": Choice(
            (SCORED, DROPPED),
            "Whether a month that the queen of hearts ends on its first or second night is scored (default: scored).",
        )
    },
)
SIMULATION: Final[Mapping[str, Any]] = {}
# The queen of hearts is one of 14 cards; one of these is turned up each night, and 8 seats lay one card each.
MOST_DECISIONS: Final = 14 * 8


# Cards


@law("WM-SETUP-1")
class Cards(NamedTuple):
    """All number cards, by suit and value, then all cards of the face pile: one tuple for each fact. A card's number is
    its index in these tuples."""

    ids: tuple[str, ...]
    names: tuple[str, ...]
    suits: tuple[int, ...]
    """An index in SUITS; NO_SUIT for a joker."""
    values: tuple[int, ...]
    """0 for a card of the face pile."""
    ranks: tuple[str, ...]
    """A word of RANKS; empty for a number card."""
    points: tuple[int, ...]


class Box:
    """The facts of a set of cards, and tables derived from them, which are the same in every game with these cards."""

    cards: Cards

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.ids = cards.ids
        self.count = sum(not rank for rank in cards.ranks)
        """The number of number cards, which come first."""
        self.number_ids = list(cards.ids[: self.count])
        self.numbers = {id_: card for card, id_ in enumerate(cards.ids)}
        self.face_ids = list(cards.ids[self.count :])
        self.faces = range(self.count, len(cards.ids))
        self.jokers = [card for card in self.faces if cards.ranks[card] == JOKER]
        lovers = (card for card in self.faces if (SUITS[cards.suits[card]], cards.ranks[card]) == LOVER)
        self.lover = next(lovers, NOTHING)
        kinds = (range(self.count), self.faces)
        self.suit_points = tuple(
            [sum(cards.points[card] for card in kind if cards.suits[card] == suit) for kind in kinds]
            for suit in range(len(SUITS))
        )
        """By suit: the points of all its number cards, and of all its face cards."""
        # NO_SUIT is -1, the index of the last one.
        self.strengths = [strengths(cards, doubled) for doubled in (CLUBS, SPADES, HEARTS, DIAMONDS, NO_SUIT)]
        texts = [(text, card) for card in range(len(cards.ids)) for text in spellings(cards, card)]
        self.moves = {typed(text): card for text, card in reversed(texts)}


def in_words(cards: Cards, card: int) -> str:
    """Return the name of a card in a sentence: 7 of clubs, ace of clubs, jack of clubs; for a joker, its own name."""
    if cards.suits[card] == NO_SUIT:
        return cards.names[card]
    value = cards.values[card]
    return f"{cards.ranks[card] or ('ace' if value == 1 else value)} of {SUITS[cards.suits[card]]}"


def spellings(cards: Cards, card: int) -> Iterator[str]:
    """Yield every name for a card in a line: its id, its name in a sentence, its own name; for an ace, also 1."""
    yield cards.ids[card]
    yield in_words(cards, card)
    yield cards.names[card]
    if cards.values[card] == 1:
        suit = SUITS[cards.suits[card]]
        yield f"1{suit[0]}"
        yield f"1 of {suit}"


@law("WM-NIGHT-2", "WM-NIGHT-3", "WM-NIGHT-9", "WM-AMB-1", "WM-AMB-13")
def strengths(cards: Cards, doubled: int) -> tuple[int, ...]:
    """Return the strength of each card on a night that doubles this suit, or none (WM-NIGHT-2, WM-NIGHT-3).

    An ace is a 1 (WM-AMB-1). If values are equal, the suit decides (WM-NIGHT-9). Two cards of one suit are never
    equal, so all strengths differ (WM-AMB-13).
    """
    return tuple(
        value * (DOUBLE if suit == doubled else 1) * len(SUITS) + len(SUITS) - 1 - suit
        for suit, value in zip(cards.suits, cards.values, strict=True)
    )


def check_facts(facts: Facts) -> list[Misfit]:
    """Return what is wrong with the components as pieces of this game."""
    misfits = []
    for id_, card in facts["components"].items():
        at = ("components", id_)
        value, rank = card.get("value"), card.get("rank")
        if value is None and rank is None:
            continue
        if value is not None and rank is not None:
            misfits.append(Misfit(at, f"it has the value {value} and the rank {rank}", "a card has only one of them"))
        if rank not in (None, *RANKS):
            misfits.append(Misfit(at, f'"{rank}" is not a rank', did_you_mean(rank, RANKS)))
        suit = card.get("suit")
        if suit not in (None, *SUITS):
            misfits.append(Misfit(at, f'"{suit}" is not a suit', did_you_mean(suit, SUITS)))
        if rank == JOKER and suit is not None:
            misfits.append(Misfit(at, f"a joker of {suit}", "jokers have no suit, and double nothing (WM-NIGHT-3)"))
        if rank != JOKER and suit is None:
            misfits.append(Misfit(at, 'the column "suit" is empty', "only jokers have no suit"))
        if rank is None and isinstance(value, int) and value < 1:
            misfits.append(Misfit(at, f"the value {value} is too small", "the lowest number card is a 1 (WM-AMB-1)"))
        points = card.get("points")
        if points is None:
            misfits.append(Misfit(at, 'the column "points" is empty', "every card needs it, even if it is 0"))
        elif rank == JOKER and points:
            misfits.append(Misfit(at, f"a joker worth {points} points", "jokers have no points (WM-SCORE-4)"))
        if card["count"] != 1:
            misfits.append(Misfit(at, f"there are {card['count']} copies of it", "there is one of each card"))
    if misfits:
        return misfits
    box = box_of(facts)
    if not box.cards.ids:
        first = next(iter(facts["components"]), "")
        return [Misfit(("components", first), "no card has a value or a rank", "it needs both (WM-SETUP-1)")]
    return list(card_misfits(box.cards))


@law("WM-AMB-16")
def card_misfits(cards: Cards) -> Iterator[Misfit]:
    """Yield what is wrong with the set of cards as a whole."""
    numbers = [id_ for id_, rank in zip(cards.ids, cards.ranks, strict=True) if not rank]
    faces = cards.ids[len(numbers) :]
    seen: dict[tuple[int, int], str] = {}
    for id_, suit, value in zip(numbers, cards.suits, cards.values, strict=False):
        if (suit, value) in seen:
            both = f"{seen[suit, value]} is also the {value} of {SUITS[suit]}"
            yield Misfit(("components", id_), both, "cards of one suit all have different values (WM-AMB-13)")
        seen[suit, value] = id_
    if len(numbers) < HAND * SEATS[1]:
        serves = len(numbers) // HAND
        who = f"are enough for only {serves} seats" if serves >= SEATS[0] else f"are too few for even {SEATS[0]} seats"
        hint = f"{SEATS[1]} seats need {HAND * SEATS[1]} (WM-PLAYERS-1, WM-MONTH-2)"
        yield Misfit(("components", (numbers or faces)[0]), f"{len(numbers)} number cards {who}", hint)
    if not faces:
        hint = f"it needs at least {NIGHTS} others with the queen of hearts (WM-NIGHT-1)"
        yield Misfit(("components", numbers[0]), "no card has a rank, so there is no face pile", hint)
        return
    pairs = zip(faces, cards.suits[len(numbers) :], cards.ranks[len(numbers) :], strict=True)
    lovers = [id_ for id_, suit, rank in pairs if (SUITS[suit], rank) == LOVER]
    if not lovers:
        yield Misfit(("components", faces[0]), "no card is the queen of hearts", "she ends the game (WM-END-1)")
    for id_ in lovers[1:]:
        yield Misfit(("components", id_), f"{listed(lovers)} are both the queen of hearts", "there is one (WM-END-1)")
    if len(faces) < NIGHTS + 1:
        hint = f"the first month needs {NIGHTS} in addition to the queen of hearts (WM-END-2, WM-AMB-16)"
        yield Misfit(("components", faces[0]), f"the face pile has {len(faces)} cards", hint)


@made_once
def box_of(components: Components) -> Box:
    """Return the box of the cards in the facts: every component that has a value or a rank."""
    cards = components.items()
    numbers = [(SUITS.index(card["suit"]), card["value"], id_) for id_, card in cards if card.get("value") is not None]
    faces = [
        (SUITS.index(card["suit"]) if card["suit"] else len(SUITS), RANKS.index(card["rank"]), id_)
        for id_, card in cards
        if card.get("rank") is not None
    ]
    ids = [id_ for _, _, id_ in (*sorted(numbers), *sorted(faces))]
    rows = [components[id_] for id_ in ids]
    return Box(
        Cards(
            tuple(ids),
            tuple(row["name"] for row in rows),
            tuple(SUITS.index(row["suit"]) if row["suit"] else NO_SUIT for row in rows),
            tuple(row.get("value") or 0 for row in rows),
            tuple(row.get("rank") or "" for row in rows),
            tuple(row["points"] for row in rows),
        )
    )
