"""The table: heroes, vermin, tokens, decks and tracks, each declared once. Everything fixed is in the box.

A deck has no order, as each card is drawn at random when needed; only cards that a player has looked at are in order.
Figures are identified by name, squares by number.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any, Final, Generic, NamedTuple, TypeVar, Unpack

from grimalkin.engine.kinds import (
    Agreed,
    Card,
    CardSet,
    Fixed,
    Flag,
    How,
    Items,
    Kind,
    Names,
    Number,
    Option,
    Pile,
    Plain,
    Row,
    Seat,
    Start,
    Value,
    Values,
    Word,
    in_order,
)
from grimalkin.engine.law import law
from grimalkin.engine.loading import Laying
from grimalkin.engine.shape import Choice, Listing, Path, Record, Shape, Text, Whole
from grimalkin.engine.shape import Table as Keyed
from grimalkin.engine.state import Declared, One, Part, shows
from grimalkin.engine.words import Event, tell, tell_idle
from grimalkin.games.cats_of_new_orleans import numbers
from grimalkin.games.cats_of_new_orleans.box import Arm, Box, Scenario
from grimalkin.games.cats_of_new_orleans.maps import NUMBERS, SQUARES

MOST_POINTS: Final = 999
MOST_PIECES: Final = 120
"""The limit for any one place: more than all poker cards or all Loot."""

T = TypeVar("T")
P = TypeVar("P", bound=Part[Any])

ENTRIES: Final = partial(Listing, Whole(1), 0, None)
RULES: Final = partial(Listing, Whole(0), 0, None)


# Kinds of fields that only this game has


def of(*decks: str) -> Callable[[Box], list[str]]:
    """Return a function that lists the pieces of these decks of a box."""
    return lambda box: [box.ids[card] for deck in decks for card in sorted(getattr(box, deck))]


def plan_of(start: Start) -> Any:
    """Return the fixed parts of the scenario chosen, or None while none is."""
    chosen = start.options.get("scenario")
    return start.box.scenario(chosen) if chosen else None


class Deck(Values[int]):
    """Cards in no order, which are in no record: they follow from the other fields."""

    def frozen(self) -> Callable[[list[int]], Hashable]:
        return in_order


class Log(Plain[T | None]):
    """What happens, if anybody wants to know. Copies have none."""

    def __init__(self) -> None:
        super().__init__(None)

    def copied(self) -> Callable[[T | None], T | None]:
        return lambda _log: None


class Square(Kind[int]):
    """A square of the map, NOWHERE at first."""

    first = numbers.NOWHERE

    def written(self, value: int, names: Names) -> str:
        return SQUARES[value] if value >= 0 else ""

    def shape(self, box: Any) -> Shape:
        return Text(self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> int:
        if value == "":
            return numbers.NOWHERE
        square = NUMBERS.get(value.strip().lower(), numbers.NOWHERE)
        if square < 0:
            reading.wrong(at, f'"{value}" is not a square', "write it like c3")
        return square


class BySquare(Kind[dict[int, T]]):
    """Values by square; squares without one are left out."""

    first: Mapping[int, T] = {}

    def frozen(self) -> Callable[[dict[int, T]], Hashable]:
        return lambda values: tuple(sorted(values.items()))

    def written(self, value: dict[int, T], names: Names) -> dict[str, Any]:
        return {SQUARES[at]: value[at] for at in sorted(value)}


class SquareNumbers(BySquare[int]):
    """Numbers by square."""

    def shape(self, box: Any) -> Shape:
        return Keyed(Whole(), describe=self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> dict[int, int]:
        square = Square()
        return {square.read(name, (*at, name), reading): number for name, number in value.items()}


class SquareCards(BySquare[list[int]]):
    """Cards by square, in the order of the cards."""

    def copied(self) -> Callable[[dict[int, list[int]]], dict[int, list[int]]]:
        return lambda values: {at: list(cards) for at, cards in values.items()} if values else {}

    def frozen(self) -> Callable[[dict[int, list[int]]], Hashable]:
        return lambda values: tuple([(at, tuple(values[at])) for at in sorted(values)])

    def written(self, value: dict[int, list[int]], names: Names) -> dict[str, Any]:
        return {SQUARES[at]: [names.ids[card] for card in value[at]] for at in sorted(value)}

    def shape(self, box: Any) -> Shape:
        return Keyed(Listing(Choice(tuple(box.ids[card] for card in box.loot))), describe=self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> Any:
        square = Square()
        return {
            square.read(name, (*at, name), reading): sorted(reading.pieces(cards, (*at, name), ""))
            for name, cards in value.items()
        }


class SquareList(Values[int]):
    """Squares in order; a square may occur several times."""

    told = True

    def written(self, value: list[int], names: Names) -> list[str]:
        return [SQUARES[at] for at in value]

    def shape(self, box: Any) -> Shape:
        return Listing(Text(), describe=self.about, told=self.told)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> list[int]:
        square = Square()
        return [square.read(name, (*at, index), reading) for index, name in enumerate(value)]


class Trail(SquareList):
    """Squares that are not part of the table and are not described in words."""

    told = False


class Ordered(Pile):
    """Pieces in an order that matters; left out if there are none."""

    always = False

    def shape(self, box: Any) -> Shape:
        return Listing(Choice(tuple(self.ids(box))), most=MOST_PIECES, describe=self.about)


class Cards(Ordered):
    """Pieces that may occur several times, in the order of their numbers; left out if there are none."""

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> list[int]:
        return sorted(super().read(value, at, reading, whose))


Effect = tuple[str, str, int, int]
"""An effect that lasts for a time: until when, whose, the number of the card, and which of its sentences."""
UNTIL: Final = ("activation", "round", "next-hero-turn", "scenario")


class Lasting(Values[Effect]):
    """Effects that last for a time."""

    def written(self, value: list[Effect], names: Names) -> list[dict[str, Any]]:
        return [
            {"until": until, "hero": hero, "card": names.ids[card], "sentence": number}
            for until, hero, card, number in value
        ]

    def shape(self, box: Any) -> Shape:
        heroes = Choice(tuple(box.ids[hero] for hero in box.hero_numbers))
        said = {card: len(box.abilities(card)) for card in (*box.hero_numbers, *box.skills, *box.loot)}
        cards = Choice(tuple(box.ids[card] for card, count in said.items() if count))
        one = Record({"until": Choice(UNTIL), "hero": heroes, "card": cards}, {"sentence": Whole(0)})
        return Listing(one, describe=self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> list[Effect]:
        box, found = reading.state.box, []
        for index, one in enumerate(value):
            card, number = box.numbers[one["card"]], one.get("sentence", 0)
            if number >= len(box.abilities(card)):
                reading.wrong((*at, index, "sentence"), f"{one['card']} has no sentence {number}", "count from 0")
            found.append((one["until"], one["hero"], card, number))
        return sorted(found)


class ByName(Row[P], Generic[P]):
    """Parts with names, which are the keys of the record."""

    def __init__(self, part: type[P], about: str, **how: Unpack[How]) -> None:
        super().__init__(One(part), about, **how)

    def written(self, value: list[P], names: Names) -> dict[str, Any]:
        return {part.name: part.record(names) for part in value}  # type: ignore[attr-defined]  # a part with a name

    def shape(self, box: Any) -> Shape:
        return Keyed(self.inner.shape(box), describe=self.about)

    def read(self, value: Mapping[str, Any], at: Path, reading: Laying, whose: str = "") -> list[P]:
        found = []
        for name, record in value.items():
            part = self.inner.read(record, (*at, name), reading, whose)
            part.name = name  # type: ignore[attr-defined]  # a part with a name
            found.append(part)
        return found


# The table


class HeroView(NamedTuple):
    """A hero, as everybody sees it."""

    name: str
    card: int
    seat: int
    at: int
    lives: int
    ap: int
    mp: int
    leaping: int
    stunned: bool
    vulnerable: bool
    done: bool
    place: int
    weapons: tuple[int, ...]
    loot: tuple[int, ...]
    skills: tuple[int, ...]
    bucks: int
    uses: int


class Hero(Part[HeroView]):
    """A hero: its square, its Lives, its cards, and what it has done."""

    name = Value("")
    card = Value(numbers.NOTHING)
    kept = Plain[Any](None)
    """Its kit, with the cards it was made from."""
    seat = Seat("The player of the hero.", always=True)
    at = Square("The square it is on; none if it is not on the map.")
    lives = Number(numbers.MOST_LIVES, "Lives left (default: 9).", most=numbers.MOST_LIVES, always=True)
    place = Word(
        numbers.PLACES,
        numbers.HERE,
        "Whether it is here, has left by an exit, or is out of the scenario (default: here).",
    )
    ap = Number(0, "Action Points left in its activation.", most=MOST_POINTS)
    mp = Number(0, "Movement Points left in its activation.", most=MOST_POINTS)
    leaping = Number(
        numbers.NOTHING, "Movement Points left of a Pounce under way; −1 if there is none.", least=-1, most=6
    )
    stunned = Flag("Whether it has a Stun marker.")
    vulnerable = Flag("Whether it has a Vulnerable marker.")
    done = Flag("Whether it has been activated this round.")
    moved = Flag("Whether it has moved in this activation.")
    attacked = Flag("Whether it has attacked in this activation.")
    weapons = Cards("The weapons equipped.", of=of("weapons"))
    loot = Cards("The Loot on the dashboard.", of=of("loot"))
    skills = Cards("The skills brought along.", of=of("skills"))
    bucks = Number(0, "Bucks without a card.")
    searched = SquareList("The Loot squares that it has searched.")
    declined = Cards("The heroes who have declined an exchange in this activation.", of=of("hero_numbers"))
    uses = Number(0, "How often it has used a card in this activation.")
    used = CardSet("The cards used up for this activation.", always=False)
    used_in_round = CardSet("The cards used up for this round.", always=False)
    used_in_scenario = CardSet("The cards used up for this scenario.", always=False)

    @property
    def on_map(self) -> bool:
        return self.at >= 0

    def carried(self) -> tuple[int, ...]:
        """Return the cards whose texts count for it."""
        return (self.card, *self.skills, *self.weapons, *self.loot)


class VerminView(NamedTuple):
    """A vermin, as everybody sees it."""

    name: str
    marker: int
    """NOTHING for one that nobody has seen."""
    up: bool
    at: int
    wounds: int
    stunned: bool
    vulnerable: bool
    zombie: bool
    done: bool
    empty: int
    aspect: int


class Vermin(Part[VerminView]):
    """A vermin on the map."""

    name = Value("")
    marker = Card(
        "Its marker (default: that of its name). A face-down marker is hidden, unless it was seen before.",
        of=of("marker_numbers"),
        key="is",
        only=lambda vermin: not vermin.up,
        seen="hidden",
    )
    up = Value(False)
    """Whether it is revealed; its name shows that."""
    known = Flag("Whether it is face down, but was seen before.")
    at = Square("The square it is on; for a large one, the upper left.", always=True)
    wounds = Number(0, "Wound tokens beside it; below 0 for Health above that of its card.", least=-9)
    stunned = Flag("Whether it has a Stun marker.")
    vulnerable = Flag("Whether it has a Vulnerable marker.")
    zombie = Flag("Whether Bokor has raised it.")
    done = Flag("Whether it has been activated this round.")
    ap = Number(0, "Action Points left in its activation.", most=MOST_POINTS)
    empty = Number(0, "Its depleted attacks: 1 for the first, 2 for the second, 3 for both.", most=3)
    aspect = Card("The Aspect card whose attack and power it has.", of=of("aspects"))
    quiet = Flag("Whether it may not attack in this activation.")

    @shows("marker")
    def seen_marker(self, _seat: int, _owner: int) -> int:
        return self.marker if self.up or self.known else numbers.NOTHING


class Fight(NamedTuple):
    """An attack under way."""

    by: str
    arm: Arm
    at: str
    area: int = numbers.NOTHING
    """The big square attacked; NOTHING for a single target."""
    targets: tuple[str, ...] = ()
    """The figures of the area still to be attacked."""
    extra: int = 0
    """The modifier that a card adds to each draw."""
    drm: int = 0
    need: int = 0
    cards: tuple[int, ...] = ()
    results: tuple[int, ...] = ()
    shadow: int = numbers.NOTHING
    """The first of two cards, only one of which counts."""
    more: int = 0
    """Cards drawn in addition to those of the weapon."""
    better: int = 0
    """1 if the higher of two cards counts for each draw, -1 if the lower."""
    wound_too: bool = False
    unhindered: bool = False
    stuns: bool = False
    wounds: int = 0
    why: tuple[tuple[str, int], ...] = ()
    """The modifiers: rule and number."""
    hit: bool = False
    """Whether it has stunned or wounded anybody."""
    by_vermin: bool = False
    met: tuple[str, ...] = ()
    """The figures it has been aimed at."""


class View(NamedTuple):
    """What a seat may know: everything except face-down markers and the order of cards."""

    seat: int
    box: Box
    scenario: str
    difficulty: str
    to_act: int
    phase: int
    round: int
    space: int
    first: int
    active: str
    path: tuple[int, ...]
    heroes: tuple[HeroView, ...]
    vermin: tuple[VerminView, ...]
    doors: int
    taken: tuple[tuple[int, int], ...]
    ground: tuple[tuple[int, tuple[int, ...]], ...]
    stinkbombs: tuple[int, ...]
    hand: tuple[int, ...]
    deck: tuple[int, ...]
    top: tuple[int, ...]
    discard: tuple[int, ...]
    loot_deck: tuple[int, ...]
    pool: tuple[int, ...]
    """The markers in the pool or face down on the map, which nobody can tell apart."""
    graves: tuple[int, ...]
    entries: tuple[int, ...]
    depleted: int
    """The weapons with a Depleted token."""
    card: int
    """The card drawn last, while a question about it is open."""
    fights: tuple[Fight, ...]
    """The attacks under way."""
    step: int
    """The step of an interlude; the following fields also belong to it."""
    event: int
    offer: tuple[int, ...]
    asked: tuple[Any, ...]
    """The question and its details; empty when the choice is free."""


@law("NO-GEN-10", "NO-GEN-12", "NO-GEN-13", "NO-GEN-18", "NO-DECK-1", "NO-SCN-6")
class Table(Declared[Box, View]):
    """The fields of a scenario in progress."""

    scenario = Option[str](numbers.OPTIONS, "scenario", "", seen="all")
    difficulty = Option[str](numbers.OPTIONS, "difficulty", numbers.DIFFICULTIES[numbers.NORMAL])
    coin = Agreed(numbers.OPTIONS, "coin")
    interlude = Agreed(numbers.OPTIONS, "interlude")
    phase = Word(numbers.PHASES, numbers.SET_UP, "Default: heroes.", always=True)
    round = Number(1, "Default: 1.", least=1, always=True)
    space = Number(1, "The space of the Round marker on its track (default: 1).", least=1)
    first = Word(numbers.SIDES, 0, "The side that goes first this round (default: heroes).")
    second = Flag("Whether this is the second turn of the round.")
    active = Value("", "The figure that is activated.")
    path = Trail("The path of the figure activated last.")
    heroes = ByName(Hero, "By hero: its square, and what it has.", always=True)
    vermin = ByName(Vermin, "By name: the vermin on the map.", always=True)
    doors = Value(0)
    taken = SquareNumbers("By square: how many of its tokens have been taken.", view="taken")
    ground = SquareCards("By square: the items on the ground.")
    stinkbombs = SquareList("The squares with a Stinkbomb token.")
    hand = Cards("The party hand.", of=of("poker"))
    deck = Deck()
    top = Ordered("The top cards of the poker deck that a player has looked at, from the top.", of=of("poker"))
    discard = Cards("The discarded cards of the poker deck.", of=of("poker"))
    kings = Values[int]()
    """The Kings, which are set aside."""
    loot_deck = Deck()
    loot_top = Ordered("The top cards of the Loot deck that a player has looked at, from the top.", of=of("loot"))
    loot_under = Ordered("The cards put under the Loot deck, from the top.", of=of("loot"))
    loot_gone = Cards("The discarded Loot.", of=of("loot"))
    pool = Deck(seen="hidden")
    graves = Cards("The markers of eliminated vermin.", of=of("marker_numbers"))
    gone = Cards("The markers that have left the scenario for good.", of=of("marker_numbers"))
    apart = Cards(
        "The vermin set aside that have yet to appear (default: those whose space is ahead).",
        of=of("marker_numbers"),
        only=lambda table: table.apart != table.still_to_come(),
        always=True,
    )
    aspects = Values[int]()
    """The Aspect cards in the deck of the Rat King."""
    aspects_used = Cards("The Aspect cards drawn since the last shuffle.", of=of("aspects"))
    aspects_lost = Cards("The Aspect cards that the Rat King has lost.", of=of("aspects"))
    entries = Values[int]("The entries in the Adventure Log.", shape=ENTRIES, key="log")
    read_entries = Values[int]("The story entries read.", shape=ENTRIES, key="read")
    used_up = Values[int]("The special rules that are used up, by number.", shape=RULES, key="used-up")
    exhausted = CardSet("The exhausted cards.", of=of("skills", "loot"), always=False)
    depleted = CardSet("The weapons with a Depleted token.", of=of("weapons"), always=False)
    lasting = Lasting("Effects that last for a time: until when, whose, which card, and which of its sentences.")
    initiative = Word(("", *numbers.SIDES), 0, "The side that wins the next initiative (default: the cards decide).")
    events = Cards("The Riverboat Events that affect this scenario, until it starts.", of=of("events"))
    step = Word(
        numbers.STEPS, 0, "The step of an interlude: the text of the scenario, then the steps of the Riverboat."
    )
    turn = Number(0, "The number of turns that heroes have had on board.")
    event = Card("The Riverboat Event of this visit.", of=of("events"))
    offer = Cards("The Loot on offer.", of=of("loot"))
    aside = Cards("The events drawn for the offer.", of=of("loot"))
    lost = Value("", "Why the scenario is lost.")
    won = Flag("Whether the scenario is won.")
    fights = Values[Fight]()
    todo = Values[Any]()
    card = Value(numbers.NOTHING)
    """The card that was drawn last."""
    stayed = Value("")
    """The fate of a Stun or Wound about to land: empty, CANCELLED, or the hero who takes it instead."""
    log = Log[list[Event]]()
    since = Items[Any]()
    """The moves and draws since the activation began, while a question is open."""
    plan = Fixed[Scenario](plan_of)
    """The fixed parts of the scenario."""
    begun = Plain[Any](None)
    """The table as it was when the activation began. It never changes."""

    @shows("to_act")
    def seen_to_act(self, _seat: int) -> int:
        return self.to_act()

    @shows("asked")
    def seen_asked(self, _seat: int) -> tuple[Any, ...]:
        return self.todo[-1][1:] if self.todo and self.todo[-1][0] == "ask" else ()

    def to_act(self) -> int:
        """Return the seat whose choice it is."""
        raise NotImplementedError

    def legal(self) -> list[tuple[str, ...]]:
        """Return the legal moves."""
        raise NotImplementedError

    @shows("pool")
    def seen_pool(self, _seat: int) -> tuple[int, ...]:
        hidden = [one.marker for one in self.vermin if not one.up and not one.known]
        return tuple(sorted([*self.pool, *hidden]))

    def still_to_come(self) -> list[int]:
        """Return the vermin set aside whose space on the round track is still ahead."""
        groups = [[marker] * count for marker, count, _, when in self.plan.apart if when > self.space]
        return sorted(marker for group in groups for marker in group)

    def tell(self, rule: str, text: str, *names: Any, idle: bool = False, **facts: Any) -> None:
        """Log an event, if there is a log; `idle` if it had no effect.

        The text has {} for each of the names, and {hero} for a fact. Figures, cards and squares may be passed as they
        are: a fact is then an id or a name, and the text has what sentences call it.
        """
        if self.log is None:
            return
        for key, fact in facts.items():
            by_number = self.box.ids if key in PIECES else SQUARES if key in PLACED else None
            by_name = getattr(fact, "name", fact)
            facts[key] = by_number[fact] if by_number is not None and isinstance(fact, int) else by_name
        words = {key: named(self, fact) for key, fact in facts.items()}
        told = text.format(*(named(self, name) for name in names), **words)
        (tell_idle if idle else tell)(self.log, rule, told, **facts)


PIECES: Final = frozenset({"card", "other", "instead"})
PLACED: Final = frozenset({"at", "stood", "square"})
"""Facts of events that are pieces or squares by number."""
UNKNOWN: Final = "unknown"


def named(table: Table, what: Any) -> Any:
    """Return what sentences call a figure or a piece, by itself or by its name; anything else as it is."""
    name = getattr(what, "name", what)
    if not isinstance(name, str):
        return name
    if name in table.box.numbers:
        return table.box.names[table.box.numbers[name]]
    words = table.box.words_of_markers
    return spoken(table, name) if name in words or name.rpartition("-")[0] in (*words, UNKNOWN) else name


def spoken(table: Table, name: str) -> str:
    """Return what sentences call a figure: Patch, Mosquito 2, Unknown 1."""
    box = table.box
    number = box.numbers.get(name)
    if number is not None and number in box.hero_numbers:
        return box.names[number]
    words = box.words_of_markers
    if name in words:
        return words[name]
    word, _, number_of_it = name.rpartition("-")
    return f"{words.get(word, word.capitalize())} {number_of_it}" if word else name.capitalize()
