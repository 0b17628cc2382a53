"""The facts of Curses & Covens: numbers from the rules, rows for the kinds of cards, spells, phases, endings and moves,
and the box: the cards and tiles from a game's content, checked and made ready for play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import product
from typing import Annotated, Any, Final, NamedTuple, Self

from grimalkin.engine.contract import Facts
from grimalkin.engine.law import By, law
from grimalkin.engine.loading import Components, made_once
from grimalkin.engine.shape import Choice, Misfit, Record, Whole
from grimalkin.engine.words import listed, typed
from grimalkin.problems import did_you_mean

SEATS: Final[Annotated[tuple[int, int], By("CC-PLAYERS-2", "CC-AMB-1")]] = (3, 6)
ROLES: Final[Annotated[bool, By("CC-PLAYERS-1")]] = True
HUNTER: Final[Annotated[int, By("CC-PLAYERS-1")]] = 0
"""The seat named first; the towns sit clockwise from its left."""
HIDDEN_CARDS: Final[Annotated[int, By("CC-SETUP-4")]] = 1
HAND: Final[Annotated[int, By("CC-SETUP-5")]] = 2
COVEN: Final[Annotated[int, By("CC-WIN-1")]] = 3
RITUALS_TO_WIN: Final[Annotated[int, By("CC-WIN-2")]] = 2
WITCHES_TO_WIN: Final[Annotated[int, By("CC-WIN-3")]] = 5
PICKS: Final[Annotated[int, By("CC-HUNT-1")]] = 2

NOTHING: Final = -1
"""The absence of a card."""
UNSEEN: Final = -1
"""In a seat's view: a card hidden from that seat."""
NOBODY: Final = -1


class Row(IntEnum):
    """A row of a table: its number in order, with a name and columns. Compare members with `is`, which is faster than
    `==` between numbers. Look them up in their class once in each module: inside a function, a look-up takes five
    times as long."""

    def __new__(cls, *unused_columns: object) -> Self:
        row = int.__new__(cls, len(cls.__members__))
        row._value_ = len(cls.__members__)
        return row

    def __init__(self, word: str) -> None:
        self.word = word


@law("CC-CARD-1")
class Kind(Row):
    """A kind of card: a suited witch, by her suit, or another kind. Witches are first."""

    def __init__(self, word: str, is_witch: bool) -> None:
        self.word = word
        self.is_witch = is_witch

    LOVE = "love", True
    CRYSTAL = "crystal", True
    NATURE = "nature", True
    WILD = "wild", True
    FAKE = "fake", True
    TOWNSFOLK = "townsfolk", False
    RITUAL = "ritual", False


SUITS: Final = (Kind.LOVE, Kind.CRYSTAL, Kind.NATURE)


# Spells


class Side(Row):
    """A side of a spell tile."""

    CHARM = "charm"
    CURSE = "curse"

    @property
    def other(self) -> Side:
        return Side.CURSE if self is Side.CHARM else Side.CHARM


SIDES: Final = {side.word: side for side in Side}


@law("CC-CURSE-1", "CC-CURSE-3", "CC-AMB-2")
class Spell(Row):
    """A spell, which is cast with one side of a tile."""

    def __init__(self, word: str, side: Side, rule: str, effect: str, picks: int = PICKS, laps: int = 1) -> None:
        self.word = word
        self.side = side
        self.rule = rule
        self.effect = effect
        """The text of the log when the spell is cast."""
        self.picks = picks
        """The number of picks in the Hunt."""
        self.laps = laps
        """The number of laps in Travel."""

    LULLABY = (
        "lullaby",
        Side.CHARM,
        "CC-CHARM-1",
        "The town with the hat will draw first in Arrival, and the Hunter will not look at its card.",
    )
    NIGHTMARE = (
        "nightmare",
        Side.CURSE,
        "CC-CURSE-1",
        "The Hunt will have only 1 pick, and the town picked will lose its whole hand.",
        1,
    )
    LOOKING_GLASS = (
        "looking-glass",
        Side.CHARM,
        "CC-CHARM-2",
        "The second pick will have to be from another town.",
    )
    BROKEN_MIRROR = (
        "broken-mirror",
        Side.CURSE,
        "CC-CURSE-2",
        "No witch will be captured in this Hunt, but the Hunter chooses who gets which card in Arrival.",
    )
    FORKED_PATH = (
        "forked-path",
        Side.CHARM,
        "CC-CHARM-3",
        "The town with the hat will take 2 actions.",
    )
    WILD_CHASE = (
        "wild-chase",
        Side.CURSE,
        "CC-CURSE-3",
        "Travel will go round twice, and the Hunt will have 3 picks.",
        3,
        2,
    )


SPELLS: Final = {spell.word: spell for spell in Spell}
MOST_PICKS: Final = max(spell.picks for spell in Spell)
MOST_LAPS: Final = max(spell.laps for spell in Spell)
TILES: Final = ("cradle", "mirror", "path")

# The course of a game


class Phase(Row):
    """A part of a round, or the end."""

    CENSUS = "census"
    ARRIVAL = "arrival"
    TRAVEL = "travel"
    HUNT = "hunt"
    OVER = "over"


PHASES: Final = {phase.word: phase for phase in Phase}


class Stage(IntEnum):
    """The task of the seat to act."""

    ANNOUNCE = 0
    """In a Census: cast a spell, talk, and pass on the hat."""
    QUESTION = 1
    """Say whether to shuffle."""
    DEAL = 2
    """Give out the cards on the tray."""
    ACT = 3
    """Take one of the three actions of Travel."""
    ANSWER = 4
    """Pass a card to the town that has asked."""
    PICK = 5
    """Choose the town of a pick."""
    PASS = 6
    """Choose the town that gets the townsfolk card."""
    EMPTY = 7
    """Lay the hand under the deck, card by card."""
    END = 8
    """Nothing: the game is over."""


class Ending(Row):
    """A kind of ending."""

    def __init__(self, word: str = "", tallied: str = "", rules: tuple[str, ...] = (), why: str = "") -> None:
        self.word = word
        self.tallied = tallied
        """Its name in simulations."""
        self.rules = rules
        """The rule that decides, and the rule that led to it."""
        self.why = why
        """The reason in refusals of further moves."""

    GOES_ON = ()
    COVEN = "coven", "a coven", ("CC-WIN-1", "CC-CENSUS-3"), "the towns have won with a coven"
    RITUALS = "rituals", "two rituals", ("CC-WIN-2", "CC-HUNT-7"), "the towns have won with their second ritual"
    CAPTURES = (
        "captures",
        "five witches caught",
        ("CC-WIN-3", "CC-HUNT-6"),
        "the Witch Hunter has won with the fifth witch",
    )
    NOBODY = "nobody", "nobody wins", ("CC-AMB-30",), "the last round is over, and nobody has won"


ENDINGS: Final = {ending.word: ending for ending in Ending if ending is not Ending.GOES_ON}

# Moves


class Verb(Row):
    """A kind of small move."""

    def __init__(self, form: str, stage: Stage, rule: str = "") -> None:
        self.form = form
        """The move's notation."""
        self.stage = stage
        """The stage in which it is made."""
        self.rule = rule
        """The rule saying that it needs a card from the player's own hand, or a town."""
        self.names_a_seat = "{seat}" in form

    CAST = "cast {spell}", Stage.ANNOUNCE
    HAT = "hat {seat}", Stage.ANNOUNCE, "CC-CENSUS-6"
    SHUFFLE = "shuffle", Stage.QUESTION
    LEAVE = "leave", Stage.QUESTION
    DEAL = "deal {card}", Stage.DEAL
    DEAL_NOTHING = "deal nothing", Stage.DEAL
    GIVE = "give {card} to {seat}", Stage.ACT, "CC-TRAV-2"
    ASK = "ask {seat}", Stage.ACT, "CC-TRAV-3"
    WOODS = "woods {card}", Stage.ACT, "CC-TRAV-4"
    ANSWER = "hand {card}", Stage.ANSWER, "CC-TRAV-3"
    PICK = "pick {seat}", Stage.PICK, "CC-HUNT-2"
    PASS = "pass to {seat}", Stage.PASS, "CC-HUNT-4"
    UNDER = "under {card}", Stage.EMPTY, "CC-AMB-10"


class Move(NamedTuple):
    """A small move. A box makes its moves once, so packing them into numbers would not save time: random play with
    these takes 0.95 to 1.01 times as long as it did with numbers, with 3 to 6 seats."""

    verb: Verb
    card: int = NOTHING
    seat: int = NOBODY
    spell: Spell | None = None


# Options

ALL, NONE = "all", "none"
OPTIONS: Final[Annotated[Record, By("CC-AMB-30", "CC-AMB-31")]] = Record(
    {},
    {
        "tiles": Choice(
            (ALL, NONE, *(f"no-{tile}" for tile in TILES)),
            "The spell tiles in play; the others stay in the box (default: all).",
        ),
        "rounds": Whole(0, 999, "The last round, after which nobody wins; 0 means that there is none (default: 0)."),
    },
)
LAST_ROUND: Final = 40
SIMULATION: Final[Mapping[str, Any]] = {"rounds": LAST_ROUND}
# A round at a full table: spell and hat; a question in the Census, one for each town in Arrival and one for each of 3
# picks; 5 towns dealt to; 2 laps of 5 actions, each with an answer; 3 picks, each with a card passed on; and all 26
# cards that are not in the woods laid under the deck.
MOST_DECISIONS: Final = LAST_ROUND * (2 + (1 + 5 + 3) + 5 + 2 * 5 * 2 + 3 * 2 + 26)


# The box

Icons = tuple[Kind, Kind]
"""Two suits."""
COLUMNS: Final = ("suit", "occupation", "rite", "charm")
"""Columns, one for each kind of piece: a witch, a townsfolk card, a ritual, a spell tile."""


class Cards(NamedTuple):
    """All cards: witches by suit, the wild, the fake, townsfolk, rituals; one tuple for each fact. A card's number is
    its index in these tuples."""

    ids: tuple[str, ...]
    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    occupations: tuple[str, ...]
    """The occupation of a townsfolk card; empty for others."""


class Tile(NamedTuple):
    """A spell tile: the spells of its two sides, charm first, and the two icons of each."""

    id: str
    name: str
    spells: tuple[Spell, Spell]
    icons: tuple[Icons, Icons]


class Judged(NamedTuple):
    """The uses of the witches that one town shows. The wild may be any one suit, chosen again for each check
    (CC-AMB-14); the fake has no suit (CC-HUNT-12, CC-SPELL-7)."""

    most: int
    """The most witches of one suit (CC-AMB-13)."""
    casts: frozenset[Spell]
    """The spells whose two icons they match (CC-SPELL-5, CC-AMB-3)."""


@law("CC-HUNT-12", "CC-SPELL-5", "CC-SPELL-7", "CC-AMB-3", "CC-AMB-13", "CC-AMB-14")
def judged(suited: Sequence[int], wild: int, icons: Mapping[Spell, Icons]) -> Judged:
    """Return the uses of witches: `suited` counts those of each suit, and `wild` the wild ones (0 or 1).

    >>> judged((2, 1, 0), 1, {}).most
    3
    """
    casts = set()
    for spell, pair in icons.items():
        missing = sum(max(0, pair.count(suit) - there) for suit, there in zip(SUITS, suited, strict=True))
        if missing <= wild:
            casts.add(spell)
    return Judged(max(suited) + wild, frozenset(casts))


class MovesAtTable:
    """Ready lists of moves for a number of seats."""

    def __init__(self, seats: int, cards: int) -> None:
        towns = range(1, seats)
        self.hats = [Move(Verb.HAT, seat=town) for town in towns]
        self.gives = [
            [[Move(Verb.GIVE, card, to) for to in towns if to != town] for card in range(cards)]
            for town in range(seats)
        ]
        """By town and card: giving the card to each other town."""
        self.asks = [[Move(Verb.ASK, seat=other) for other in towns if other != town] for town in range(seats)]
        """By town: asking each other town."""
        self.picks = [Move(Verb.PICK, seat=town) for town in towns]
        self.passes = [[Move(Verb.PASS, seat=other) for other in towns if other != town] for town in range(seats)]
        """By town that a card was taken from: passing it to each other town."""
        self.service = [[*[first] * (first > 0), *(town for town in towns if town != first)] for first in range(seats)]
        """By the town that is served first in Arrival (0 for none): all towns in the order of serving."""


class Box:
    """The facts of a set of cards and tiles, and ready moves, which are the same in every game with these pieces."""

    def __init__(self, cards: Cards, tiles: tuple[Tile, ...], spell_names: Mapping[Spell, str]) -> None:
        self.cards = cards
        self.tiles = tiles
        self.ids = list(cards.ids)
        self.numbers = {id_: card for card, id_ in enumerate(cards.ids)}
        self.fake = cards.kinds.index(Kind.FAKE)
        self.spell_names = spell_names
        """By spell: its name on the tile."""
        sides = sorted((spell, tile, side) for tile, has in enumerate(tiles) for side, spell in enumerate(has.spells))
        self.tile_of = [tile for _, tile, _ in sides]
        """By spell: the number of its tile."""
        self.icons = {spell: tiles[tile].icons[side] for spell, tile, side in sides}
        counts = [cards.kinds.count(kind) for kind in (*SUITS, Kind.WILD)]
        steps = [1]
        for count in counts:
            steps.append(steps[-1] * (count + 1))
        self._weights = [steps[kind] if kind <= Kind.WILD else 0 for kind in cards.kinds]
        """By card: what it adds to the index of a hand's witches in `_judged`. With a dictionary by the numbers of each
        suit, random play takes 3 to 4 % longer."""
        self._judged = [
            judged(suited[::-1], wild, self.icons)
            for wild, *suited in product(*[range(count + 1) for count in reversed(counts)])
        ]
        self.names = [in_words(cards, card) for card in range(len(cards.ids))]
        self.places = {typed(text): card for card in range(len(cards.ids)) for text in spellings(cards, card)}
        """Cards by every name that they have in a line."""
        self.moves = every_move_of(len(cards.ids))
        self.casts = [Move(Verb.CAST, spell=spell) for spell in Spell]
        """By spell: the moves that name only a spell. The lists below are by card: those that name only a card."""
        self.deals, self.woods, self.answers, self.unders = (
            [Move(verb, card) for card in range(len(cards.ids))]
            for verb in (Verb.DEAL, Verb.WOODS, Verb.ANSWER, Verb.UNDER)
        )
        self.tables = {seats: MovesAtTable(seats, len(cards.ids)) for seats in range(SEATS[0], SEATS[1] + 1)}
        """By number of seats."""

    def judge(self, hand: Sequence[int]) -> Judged:
        """Return the uses of the witches in a hand."""
        weights = self._weights
        return self._judged[sum([weights[card] for card in hand])]


def in_words(cards: Cards, card: int) -> str:
    """Return the name of a card in a sentence: Rose Tansley (love), Old Tobias Grist (miller)."""
    return f"{cards.names[card]} ({cards.occupations[card] or cards.kinds[card].word})"


def spellings(cards: Cards, card: int) -> Iterator[str]:
    """Yield every name for a card in a line: its id, its name, its name in a sentence; for a townsfolk card, also its
    occupation."""
    yield cards.ids[card]
    yield cards.names[card]
    yield in_words(cards, card)
    if cards.occupations[card]:
        yield cards.occupations[card]


def every_move_of(cards: int) -> list[Move]:
    """Return every small move with that many cards, for the seats of a full table, in the order of legal moves."""
    moves: list[Move] = []
    for verb in Verb:
        each = range(cards) if "{card}" in verb.form else [NOTHING]
        seats = range(SEATS[1]) if verb.names_a_seat else [NOBODY]
        spells = Spell if verb is Verb.CAST else [None]
        moves += [Move(verb, *named) for named in product(each, seats, spells)]
    return moves


def slug(name: object) -> str:
    """Return a spell's name as written in a line."""
    return "-".join(str(name).lower().split())


# Content


def check_facts(facts: Facts) -> list[Misfit]:
    """Return what is wrong with the components as pieces of this game."""
    misfits: list[Misfit] = []
    witches = [kind.word for kind in Kind if kind.is_witch]
    for id_, piece in facts["components"].items():
        at = ("components", id_)
        columns = [key for key in COLUMNS if piece.get(key) is not None]
        if not columns:
            continue
        if len(columns) > 1:
            misfits.append(Misfit(at, f"it has the columns {listed(columns)}", "a piece has only one of them"))
        if columns[0] == "suit" and piece["suit"] not in witches:
            misfits.append(Misfit(at, f'"{piece["suit"]}" is not a suit', did_you_mean(piece["suit"], witches)))
        if columns[0] == "charm":
            misfits += _tile_misfits(id_, piece)
        if piece["count"] != 1:
            misfits.append(
                Misfit(at, f"there are {piece['count']} copies of it", "there is one of each card and each tile")
            )
    return misfits or list(_box_misfits(facts)) or list(_spelling_misfits(box_of(facts).cards))


def _tile_misfits(id_: str, tile: Mapping[str, Any]) -> Iterator[Misfit]:
    at = ("components", id_)
    if id_ not in TILES:
        hint = did_you_mean(id_, TILES) or f"the options name the tiles {listed(TILES)}"
        yield Misfit(at, f'"{id_}" is no spell tile of this game', hint)
    suits = [suit.word for suit in SUITS]
    for side in Side:
        words = [spell.word for spell in Spell if spell.side is side]
        name = tile.get(side.word)
        if slug(name) not in words:
            hint = did_you_mean(slug(name), words) or f"one of: {', '.join(words)}"
            yield Misfit(at, f'"{name}" is no {side.word} of this game', hint)
        for icon in ("first", "second"):
            suit = tile.get(f"{side.word}-{icon}")
            if suit not in suits:
                what = f'the {icon} icon of the {side.word} is "{suit}", which is no suit'
                yield Misfit(at, what, f"one of: {', '.join(suits)}")


def _spelling_misfits(cards: Cards) -> Iterator[Misfit]:
    """Yield misfits for texts that could mean another card, or something else, in a line of notation."""
    known: dict[str, str] = {"nothing": "the word for no card"}
    for card, id_ in enumerate(cards.ids):
        for text in dict.fromkeys(typed(text) for text in spellings(cards, card)):
            if text in known:
                yield Misfit(
                    ("components", id_), f'"{text}" also means {known[text]}', "a line must name only one card"
                )
            known.setdefault(text, id_)


def _box_misfits(facts: Facts) -> Iterator[Misfit]:
    """Yield what is wrong with the set of pieces as a whole."""
    components = facts["components"]
    first = ("components", next(iter(components), ""))
    tiles = {id_: piece for id_, piece in components.items() if piece.get("charm") is not None}
    counts = dict.fromkeys(Kind, 0)
    for piece in components.values():
        kind = _kind(piece)
        if kind is not None:
            counts[kind] += 1
    for suit in SUITS:
        if counts[suit] < COVEN:
            hint = f"a coven needs {COVEN} (CC-WIN-1)"
            yield Misfit(first, f"{counts[suit]} witches of {suit.word} are too few", hint)
    for kind, rule in ((Kind.WILD, "CC-SPELL-5"), (Kind.FAKE, "CC-HUNT-8")):
        if counts[kind] != 1:
            yield Misfit(first, f"there are {counts[kind]} {kind.word} witches", f"there is 1 ({rule})")
    if counts[Kind.RITUAL] < RITUALS_TO_WIN:
        yield Misfit(first, f"rituals: {counts[Kind.RITUAL]}", f"the towns win with {RITUALS_TO_WIN} (CC-WIN-2)")
    need = HIDDEN_CARDS + (HAND + 1) * (SEATS[1] - 1)
    if sum(counts.values()) < need:
        hint = f"{SEATS[1] - 1} towns need {need} with their first Arrival (CC-SETUP-4, CC-SETUP-5, CC-ARR-1)"
        yield Misfit(first, f"{sum(counts.values())} cards are too few", hint)
    for tile in TILES:
        if tile not in tiles:
            yield Misfit(first, f'the spell tile "{tile}" is missing', f"there are {len(TILES)} (CC-SETUP-3)")
    for side in Side:
        seen: dict[str, str] = {}
        for id_, tile in tiles.items():
            spell = slug(tile[side.word])
            if spell in seen:
                hint = "there is one of each spell"
                yield Misfit(("components", id_), f"{seen[spell]} also has {tile[side.word]}", hint)
            seen[spell] = id_


def _kind(piece: Mapping[str, Any]) -> Kind | None:
    """Return the kind of card that a component is; None if it is not a card."""
    if piece.get("suit") is not None:
        return _kind_of(piece["suit"])
    if piece.get("occupation") is not None:
        return Kind.TOWNSFOLK
    return Kind.RITUAL if piece.get("rite") is not None else None


def _kind_of(word: str) -> Kind:
    return next(kind for kind in Kind if kind.word == word)


@made_once
def box_of(components: Components) -> Box:
    """Return the box with the cards and tiles of the facts."""
    rows = [(kind, id_, piece) for id_, piece in components.items() if (kind := _kind(piece)) is not None]
    rows.sort(key=lambda row: row[0])
    cards = Cards(
        tuple(id_ for _, id_, _ in rows),
        tuple(piece["name"] for _, _, piece in rows),
        tuple(kind for kind, _, _ in rows),
        tuple(piece.get("occupation") or "" for _, _, piece in rows),
    )
    tiles = []
    names: dict[Spell, str] = {}
    for id_ in TILES:
        piece = components[id_]
        charm, curse = (SPELLS[slug(piece[side.word])] for side in Side)
        names |= {charm: piece[Side.CHARM.word], curse: piece[Side.CURSE.word]}
        charm_icons, curse_icons = (
            (_kind_of(piece[f"{side.word}-first"]), _kind_of(piece[f"{side.word}-second"])) for side in Side
        )
        tiles.append(Tile(id_, piece["name"], (charm, curse), (charm_icons, curse_icons)))
    return Box(cards, tuple(tiles), names)
