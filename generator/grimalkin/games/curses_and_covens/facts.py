"""The facts of Curses & Covens: numbers of the rules, tables, and the cards and tiles that a game's content brings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

from grimalkin.engine.contract import Facts
from grimalkin.engine.loading import Components, made_once
from grimalkin.engine.shape import Choice, Misfit, Record, Whole
from grimalkin.engine.words import listed, typed
from grimalkin.problems import did_you_mean

SEATS: Final = (3, 6)  # CC-PLAYERS-2, CC-AMB-1
ROLES: Final = True  # CC-PLAYERS-1
HUNTER: Final = 0  # CC-PLAYERS-1: the seat named first; the towns sit clockwise from its left (CC-AMB-20)
HIDDEN_CARDS: Final = 1  # CC-SETUP-4
HAND: Final = 2  # CC-SETUP-5
COVEN: Final = 3  # CC-WIN-1
RITUALS_TO_WIN: Final = 2  # CC-WIN-2
WITCHES_TO_WIN: Final = 5  # CC-WIN-3
PICKS: Final = 2  # CC-HUNT-1
NIGHTMARE_PICKS: Final = 1  # CC-CURSE-1
WILD_CHASE_PICKS: Final = 3  # CC-CURSE-3
WILD_CHASE_LAPS: Final = 2  # CC-CURSE-3

SUITS: Final = ("love", "crystal", "nature")
WILD, FAKE, TOWNSFOLK, RITUAL = range(len(SUITS), len(SUITS) + 4)
KINDS: Final = (*SUITS, "wild", "fake", "townsfolk", "ritual")
"""What a card is: a suited witch, by her suit, or one of the others. Witches come first."""

NOTHING: Final = -1
UNSEEN: Final = -1
"""In what a seat sees: a card is there that the seat may not see."""
NOBODY: Final = -1

# Spells

LULLABY, NIGHTMARE, LOOKING_GLASS, BROKEN_MIRROR, FORKED_PATH, WILD_CHASE = range(6)
NO_SPELL: Final = -1
SPELLS: Final = ("lullaby", "nightmare", "looking-glass", "broken-mirror", "forked-path", "wild-chase")
SPELL_RULES: Final = ("CC-CHARM-1", "CC-CURSE-1", "CC-CHARM-2", "CC-CURSE-2", "CC-CHARM-3", "CC-CURSE-3")
CHARMS: Final = (LULLABY, LOOKING_GLASS, FORKED_PATH)
CURSES: Final = (NIGHTMARE, BROKEN_MIRROR, WILD_CHASE)
CHARM, CURSE = range(2)
SIDES: Final = ("charm", "curse")
TILES: Final = ("cradle", "mirror", "path")

# The course of a game

CENSUS, ARRIVAL, TRAVEL, HUNT, ENDED = range(5)
PHASES: Final = ("census", "arrival", "travel", "hunt", "over")
ANNOUNCE, QUESTION, DEAL, ACT, ANSWER, PICK, PASS, EMPTY, END = range(9)
"""What the seat to act has to do: announce spell, talk and hat; say whether to shuffle; deal of the tray; one of the
three actions; answer who asked; pick a town; pass the townsfolk card on; lay the hand under the deck; nothing."""

GOES_ON, BY_COVEN, BY_RITUALS, BY_CAPTURES, BY_NOBODY = range(5)
ENDINGS: Final = ("", "coven", "rituals", "captures", "nobody")

# Moves: verb, card and seat in one number

CAST, HAT, SHUFFLE, LEAVE, DEALS, DEAL_NOTHING, GIVE, ASK, WOODS, ANSWERS, PICKING, PASSING, UNDER = range(13)
VERB_SHIFT: Final = 12
CARD_SHIFT: Final = 3
CARD_BITS: Final = (1 << VERB_SHIFT - CARD_SHIFT) - 1
SEAT_BITS: Final = (1 << CARD_SHIFT) - 1


def move_of(verb: int, card: int = 0, seat: int = 0) -> int:
    """A small move: what is done, with which card (or spell), to which seat."""
    return verb << VERB_SHIFT | card << CARD_SHIFT | seat


ALL, NONE = "all", "none"
OPTIONS: Final = Record(
    {},
    {
        "tiles": Choice(
            (ALL, NONE, *(f"no-{tile}" for tile in TILES)),
            "The spell tiles that are played with; the others stay in the box (default: all).",
        ),
        "rounds": Whole(0, 999, "The round after which nobody has won; 0 means that there is none (default: 0)."),
    },
)
LAST_ROUND: Final = 40
SIMULATION: Final[Mapping[str, Any]] = {"rounds": LAST_ROUND}
# A round at a full table: spell and hat; a question in the Census, one for each town in Arrival and one for each of 3
# picks; 5 towns dealt to; 2 laps of 5 actions, each with an answer; 3 picks, each with a card passed on; and all 26
# cards that are not in the woods laid under the deck.
MOST_DECISIONS: Final = LAST_ROUND * (2 + (1 + 5 + 3) + 5 + 2 * 5 * 2 + 3 * 2 + 26)

LAWS: Final[Mapping[str, str]] = {
    "CC-PLAYERS-1": "HUNTER",
    "CC-PLAYERS-2": "SEATS",
    "CC-CARD-1": "Cards",
    "CC-ROUND-1": "State.apply",
    "CC-WIN-1": "State._census",
    "CC-WIN-2": "State._shown_ritual",
    "CC-WIN-3": "State._shown_witch",
    "CC-SETUP-3": "State",
    "CC-SETUP-4": "start",
    "CC-SETUP-5": "start",
    "CC-SETUP-6": "start",
    "CC-SETUP-7": "State._shuffle",
    "CC-SETUP-8": "State",
    "CC-CENSUS-1": "State._census",
    "CC-CENSUS-2": "State._census",
    "CC-CENSUS-3": "State._census",
    "CC-CENSUS-4": "State._say",
    "CC-CENSUS-5": "State._say",
    "CC-CENSUS-6": "State._pass_hat",
    "CC-CENSUS-7": "State._pass_hat",
    "CC-SPELL-1": "State.castable",
    "CC-SPELL-2": "State._cast",
    "CC-SPELL-3": "State._cast",
    "CC-SPELL-4": "State.why_not",
    "CC-SPELL-5": "Judged",
    "CC-SPELL-6": "State._end_hunt",
    "CC-SPELL-7": "Judged",
    "CC-CHARM-1": "State.service",
    "CC-CHARM-2": "State._next_pick",
    "CC-CHARM-3": "State._acted",
    "CC-CURSE-1": "State._pass_on",
    "CC-CURSE-2": "State._emptied",
    "CC-CURSE-3": "State._next_action",
    "CC-ARR-1": "State._serve",
    "CC-ARR-2": "State._deal",
    "CC-ARR-3": "State.view",
    "CC-ARR-4": "State.why_not",
    "CC-TRAV-1": "State._next_action",
    "CC-TRAV-2": "State._give",
    "CC-TRAV-3": "State._ask",
    "CC-TRAV-4": "State._swap",
    "CC-TRAV-5": "State.view",
    "CC-TRAV-6": "State.why_not",
    "CC-TRAV-7": "State._serve",
    "CC-HUNT-1": "State._next_pick",
    "CC-HUNT-2": "State._pick",
    "CC-HUNT-3": "State._pick",
    "CC-HUNT-4": "State._pass_on",
    "CC-HUNT-5": "State._shown_witch",
    "CC-HUNT-6": "State._shown_witch",
    "CC-HUNT-7": "State._shown_ritual",
    "CC-HUNT-8": "State._emptied",
    "CC-HUNT-9": "State._emptied",
    "CC-HUNT-10": "State._shown_witch",
    "CC-HUNT-11": "State._shown_witch",
    "CC-HUNT-12": "Judged",
    "CC-HUNT-13": "State._end_hunt",
    "CC-HUNT-14": "State._shown_ritual",
    "CC-HUNT-15": "State._shown_witch",
    "CC-AMB-1": "SEATS",
    "CC-AMB-2": "SPELLS",
    "CC-AMB-3": "Judged",
    "CC-AMB-4": "State._ask",
    "CC-AMB-5": "State._swap",
    "CC-AMB-6": "State.legal",
    "CC-AMB-7": "State._serve",
    "CC-AMB-8": "State._next_pick",
    "CC-AMB-9": "State._pass_on",
    "CC-AMB-10": "State._lay_under",
    "CC-AMB-11": "State._emptied",
    "CC-AMB-12": "State.may_shuffle",
    "CC-AMB-13": "Judged",
    "CC-AMB-14": "Judged",
    "CC-AMB-15": "State._census",
    "CC-AMB-16": "State._end_hunt",
    "CC-AMB-17": "State._win",
    "CC-AMB-18": "State.view",
    "CC-AMB-20": "HUNTER",
    "CC-AMB-22": "State.legal",
    "CC-AMB-23": "State._pass_hat",
    "CC-AMB-24": "State.why_not",
    "CC-AMB-25": "State._emptied",
    "CC-AMB-26": "State.may_shuffle",
    "CC-AMB-27": "State._say",
    "CC-AMB-28": "State._deal",
    "CC-AMB-29": "State._next_pick",
    "CC-AMB-30": "State._end_hunt",
    "CC-AMB-31": "OPTIONS",
    "CC-AMB-32": "State._shown_witch",
}

REFUSALS: Final = frozenset(
    {
        "CC-ROUND-1",
        "CC-WIN-1",
        "CC-WIN-2",
        "CC-WIN-3",
        "CC-CENSUS-4",
        "CC-CENSUS-6",
        "CC-SPELL-1",
        "CC-SPELL-4",
        "CC-SPELL-6",
        "CC-SPELL-7",
        "CC-CHARM-2",
        "CC-ARR-2",
        "CC-ARR-4",
        "CC-TRAV-1",
        "CC-TRAV-2",
        "CC-TRAV-3",
        "CC-TRAV-4",
        "CC-TRAV-6",
        "CC-HUNT-1",
        "CC-HUNT-2",
        "CC-HUNT-4",
        "CC-HUNT-5",
        "CC-AMB-3",
        "CC-AMB-8",
        "CC-AMB-9",
        "CC-AMB-10",
        "CC-AMB-16",
        "CC-AMB-24",
        "CC-AMB-26",
        "CC-AMB-27",
        "CC-AMB-28",
        "CC-AMB-30",
        "CC-AMB-31",
    }
)


# Cards and tiles


class Cards(NamedTuple):
    """Every card: witches by suit, the wild, the fake, townsfolk, rituals, each fact as one tuple. A card's number is
    its place here."""

    ids: tuple[str, ...]
    names: tuple[str, ...]
    kinds: tuple[int, ...]
    """A place in KINDS: the suit of a suited witch, WILD, FAKE, TOWNSFOLK or RITUAL."""
    occupations: tuple[str, ...]
    """What a townsfolk card does for a living; empty for others."""


class Tile(NamedTuple):
    """A spell tile: what its two sides cast, charm first, and the two icons of each."""

    id: str
    name: str
    spells: tuple[int, int]
    icons: tuple[tuple[int, int], tuple[int, int]]
    """By side: two suits, as places in SUITS."""


class Judged(NamedTuple):
    """What the witches that one town shows are good for. The wild may be any one suit, for each check anew (CC-AMB-14);
    the fake is of no suit (CC-HUNT-12, CC-SPELL-7)."""

    most: int
    """The most witches of one suit (CC-AMB-13)."""
    pairs: int
    """Bit mask of the pairs of icons that two of them match (CC-SPELL-5, CC-AMB-3), each by `pair_of`."""


def pair_of(icons: tuple[int, int]) -> int:
    """The bit of a pair of icons."""
    low, high = sorted(icons)
    return 1 << low * len(SUITS) + high


def judged(suited: Sequence[int], wild: int) -> Judged:
    """What witches are good for: how many are of each suit, and how many are wild (0 or 1).

    >>> judged((2, 1, 0), 1).most
    3
    """
    pairs = 0
    for first in range(len(SUITS)):
        for second in range(first, len(SUITS)):
            need = [0] * len(SUITS)
            need[first] += 1
            need[second] += 1
            missing = sum(max(0, wanted - there) for wanted, there in zip(need, suited, strict=True))
            if missing <= wild:
                pairs |= pair_of((first, second))
    return Judged(max(suited) + wild, pairs)


class Table:
    """Ready lists of moves for a number of seats."""

    __slots__ = ("asks", "both", "everybody", "gives", "hats", "passes", "picks", "service")

    def __init__(self, seats: int, cards: int) -> None:
        towns = range(1, seats)
        self.everybody = (1 << seats) - 1
        """Bit mask of all seats."""
        self.both = [[1 << one | 1 << other for other in range(seats)] for one in range(seats)]
        """Bit masks of two seats."""
        self.hats = [move_of(HAT, seat=town) for town in towns]
        self.gives = [
            [[move_of(GIVE, card, to) for to in towns if to != town] for card in range(cards)] for town in range(seats)
        ]
        """By town and card: that card given to each other town."""
        self.asks = [[move_of(ASK, seat=other) for other in towns if other != town] for town in range(seats)]
        """By town: each other town asked."""
        self.picks = [move_of(PICKING, seat=town) for town in towns]
        self.passes = [[move_of(PASSING, seat=other) for other in towns if other != town] for town in range(seats)]
        """By the town a card was taken from: passed to each other town."""
        self.service = [[*[first] * (first > 0), *(town for town in towns if town != first)] for first in range(seats)]
        """By the town that is served first in Arrival, 0 for none: all towns in the order in which they are served."""


class Box:
    """What is the same in every game with the same cards and tiles: their facts, and ready numbers."""

    __slots__ = (
        "card_ids",
        "cards",
        "fake",
        "icons",
        "judged",
        "moves",
        "names",
        "numbers",
        "pairs",
        "places",
        "sides",
        "spell_names",
        "tables",
        "tile_of",
        "tiles",
        "weights",
        "woods",
    )

    def __init__(self, cards: Cards, tiles: tuple[Tile, ...], spell_names: tuple[str, ...]) -> None:
        self.cards = cards
        self.tiles = tiles
        self.sides = [tile.spells for tile in tiles]
        """By tile and side: the spell."""
        self.card_ids = list(cards.ids)
        self.numbers = {id_: card for card, id_ in enumerate(cards.ids)}
        self.fake = cards.kinds.index(FAKE)
        self.spell_names = spell_names
        """By spell: its name, as the tile has it."""
        counts = [cards.kinds.count(kind) for kind in range(WILD + 1)]
        steps = [1]
        for count in counts:
            steps.append(steps[-1] * (count + 1))
        self.weights = [steps[kind] if kind <= WILD else 0 for kind in cards.kinds]
        """By card: what it adds to the number under which `judged` knows the witches of a hand."""
        self.judged = [
            judged(suited[::-1], wild) for wild, *suited in product(*[range(count + 1) for count in reversed(counts)])
        ]
        sides = [(spell, tile, side) for tile in range(len(tiles)) for side, spell in enumerate(tiles[tile].spells)]
        self.tile_of = [tile for _, tile, _ in sorted(sides)]
        """By spell: the number of its tile."""
        self.icons = [tiles[tile].icons[side] for _, tile, side in sorted(sides)]
        """By spell: its icons."""
        self.pairs = [pair_of(icons) for icons in self.icons]
        self.names = [in_words(cards, card) for card in range(len(cards.ids))]
        self.places = {typed(text): card for card in range(len(cards.ids)) for text in spellings(cards, card)}
        """A card by every way to write it."""
        self.moves = every_move_of(len(cards.ids))
        self.woods = [move_of(WOODS, card) for card in range(len(cards.ids))]
        """By card: the move that exchanges it."""
        self.tables = {seats: Table(seats, len(cards.ids)) for seats in range(SEATS[0], SEATS[1] + 1)}
        """By number of seats."""


def in_words(cards: Cards, card: int) -> str:
    """A card in a sentence: Rose Tansley (love), Old Tobias Grist (miller)."""
    return f"{cards.names[card]} ({cards.occupations[card] or KINDS[cards.kinds[card]]})"


def spellings(cards: Cards, card: int) -> Iterator[str]:
    """Every way to write a card in a line: its id, its name, and as in a sentence; a townsfolk card by what it does."""
    yield cards.ids[card]
    yield cards.names[card]
    yield in_words(cards, card)
    if cards.occupations[card]:
        yield cards.occupations[card]


def every_move_of(cards: int) -> list[int]:
    """Every small move with so many cards, for the seats of a full table, in the order in which legal ones come."""
    seats, each = range(SEATS[1]), range(cards)
    moves = [move_of(CAST, spell) for spell in range(len(SPELLS))]
    moves += [move_of(HAT, seat=seat) for seat in seats]
    moves += [move_of(SHUFFLE), move_of(LEAVE)]
    moves += [move_of(DEALS, card) for card in each]
    moves.append(move_of(DEAL_NOTHING))
    moves += [move_of(GIVE, card, seat) for card in each for seat in seats]
    moves += [move_of(ASK, seat=seat) for seat in seats]
    moves += [move_of(verb, card) for verb in (WOODS, ANSWERS) for card in each]
    moves += [move_of(verb, seat=seat) for verb in (PICKING, PASSING) for seat in seats]
    return moves + [move_of(UNDER, card) for card in each]


def slug(name: object) -> str:
    """A spell's name as it is written in a line."""
    return "-".join(str(name).lower().split())


def check_facts(facts: Facts) -> list[Misfit]:
    """What is wrong with the components as pieces of this game."""
    misfits: list[Misfit] = []
    for id_, piece in facts["components"].items():
        at = ("components", id_)
        columns = [key for key in ("suit", "occupation", "rite", "charm") if piece.get(key) is not None]
        if not columns:
            continue
        if len(columns) > 1:
            misfits.append(Misfit(at, f"it has the columns {listed(columns)}", "a piece has one of them"))
        if columns[0] == "suit" and piece["suit"] not in KINDS[: FAKE + 1]:
            misfits.append(Misfit(at, f'"{piece["suit"]}" is no suit', did_you_mean(piece["suit"], KINDS[: FAKE + 1])))
        if columns[0] == "charm":
            misfits += _tile_misfits(id_, piece)
        if piece["count"] != 1:
            misfits.append(Misfit(at, f"there are {piece['count']} of it", "each card and each tile is there once"))
    return misfits or list(_box_misfits(facts)) or list(_spelling_misfits(box_of(facts).cards))


def _tile_misfits(id_: str, tile: Mapping[str, Any]) -> Iterator[Misfit]:
    at = ("components", id_)
    if id_ not in TILES:
        hint = did_you_mean(id_, TILES) or f"the options name the tiles {listed(TILES)}"
        yield Misfit(at, f'"{id_}" is no spell tile of this game', hint)
    for side, known in zip(SIDES, (CHARMS, CURSES), strict=True):
        words = [SPELLS[spell] for spell in known]
        if slug(tile.get(side)) not in words:
            hint = did_you_mean(slug(tile.get(side)), words) or f"one of: {', '.join(words)}"
            yield Misfit(at, f'"{tile.get(side)}" is no {side} of this game', hint)
        for icon in ("first", "second"):
            suit = tile.get(f"{side}-{icon}")
            if suit not in SUITS:
                what = f'the {icon} icon of the {side} is "{suit}", which is no suit'
                yield Misfit(at, what, f"one of: {', '.join(SUITS)}")


def _spelling_misfits(cards: Cards) -> Iterator[Misfit]:
    """Texts that could mean another card, or no card at all, in a line of notation."""
    known: dict[str, str] = {"nothing": "the word for no card"}
    for card, id_ in enumerate(cards.ids):
        for text in dict.fromkeys(typed(text) for text in spellings(cards, card)):
            if text in known:
                yield Misfit(("components", id_), f'"{text}" means {known[text]} too', "a line must name one card")
            known.setdefault(text, id_)


def _box_misfits(facts: Facts) -> Iterator[Misfit]:
    """What is wrong with all pieces together."""
    components = facts["components"]
    first = ("components", next(iter(components), ""))
    tiles = {id_: piece for id_, piece in components.items() if piece.get("charm") is not None}
    counts = dict.fromkeys(KINDS, 0)
    for piece in components.values():
        kind = _kind(piece)
        if kind != NOTHING:
            counts[KINDS[kind]] += 1
    for suit in SUITS:
        if counts[suit] < COVEN:
            hint = f"a coven takes {COVEN} (CC-WIN-1)"
            yield Misfit(first, f"{counts[suit]} witches of {suit} are too few", hint)
    for word, rule in (("wild", "CC-SPELL-5"), ("fake", "CC-HUNT-8")):
        if counts[word] != 1:
            yield Misfit(first, f"there are {counts[word]} {word} witches", f"there is 1 ({rule})")
    if counts["ritual"] < RITUALS_TO_WIN:
        yield Misfit(first, f"rituals: {counts['ritual']}", f"the towns win with {RITUALS_TO_WIN} (CC-WIN-2)")
    need = HIDDEN_CARDS + (HAND + 1) * (SEATS[1] - 1)
    if sum(counts.values()) < need:
        hint = f"{SEATS[1] - 1} towns take {need} with their first Arrival (CC-SETUP-4, CC-SETUP-5, CC-ARR-1)"
        yield Misfit(first, f"{sum(counts.values())} cards are too few", hint)
    for tile in TILES:
        if tile not in tiles:
            yield Misfit(first, f'the spell tile "{tile}" is missing', f"there are {len(TILES)} (CC-SETUP-3)")
    for side in SIDES:
        seen: dict[str, str] = {}
        for id_, tile in tiles.items():
            spell = slug(tile[side])
            if spell in seen:
                hint = "each spell is there once"
                yield Misfit(("components", id_), f"{seen[spell]} has {tile[side]} too", hint)
            seen[spell] = id_


def _kind(piece: Mapping[str, Any]) -> int:
    """What kind of card a component is; NOTHING if it is none."""
    if piece.get("suit") is not None:
        return KINDS.index(piece["suit"])
    if piece.get("occupation") is not None:
        return TOWNSFOLK
    return RITUAL if piece.get("rite") is not None else NOTHING


@made_once
def box_of(components: Components) -> Box:
    """The box that holds the cards and tiles of the facts."""
    rows = [(kind, id_, piece) for id_, piece in components.items() if (kind := _kind(piece)) != NOTHING]
    rows.sort(key=lambda row: row[0])
    cards = Cards(
        tuple(id_ for _, id_, _ in rows),
        tuple(piece["name"] for _, _, piece in rows),
        tuple(kind for kind, _, _ in rows),
        tuple(piece.get("occupation") or "" for _, _, piece in rows),
    )
    tiles = []
    names: dict[int, str] = {}
    for id_ in TILES:
        piece = components[id_]
        spells = [SPELLS.index(slug(piece[side])) for side in SIDES]
        names.update(zip(spells, (piece[side] for side in SIDES), strict=True))
        icons = [tuple(SUITS.index(piece[f"{side}-{icon}"]) for icon in ("first", "second")) for side in SIDES]
        tiles.append(Tile(id_, piece["name"], (spells[0], spells[1]), (_pair(icons[0]), _pair(icons[1]))))
    return Box(cards, tuple(tiles), tuple(names[spell] for spell in range(len(SPELLS))))


def _pair(icons: tuple[int, ...]) -> tuple[int, int]:
    first, second = icons
    return first, second
