"""The table: heroes, vermin, tokens, decks and tracks, each declared once. Everything fixed is in the box.

A deck has no order, as each card is drawn by chance when needed; only cards that a player has looked at are in order.
Figures are identified by name, squares by number.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final, NamedTuple

from grimalkin.engine.kinds import (
    Agreed,
    Card,
    CardSet,
    Fixed,
    Flag,
    Items,
    Number,
    Option,
    Plain,
    Start,
    Value,
    Values,
    Word,
)
from grimalkin.engine.law import law
from grimalkin.engine.shape import Listing, Whole
from grimalkin.engine.state import Declared, Part, shows
from grimalkin.engine.words import Event, Fact, tell, tell_idle
from grimalkin.games.cats_of_new_orleans.box import Arm, Box, Scenario
from grimalkin.games.cats_of_new_orleans.kinds import (
    ByName,
    Cards,
    Deck,
    Lasting,
    Log,
    Ordered,
    Seated,
    Square,
    SquareCards,
    SquareList,
    SquareNumbers,
    Trail,
)
from grimalkin.games.cats_of_new_orleans.numbers import (
    DIFFICULTIES,
    HERE,
    MOST_LIVES,
    NORMAL,
    NOTHING,
    OPTIONS,
    PHASES,
    PLACES,
    SET_UP,
    SIDES,
    STEPS,
)

MOST_POINTS: Final = 999

ENTRIES: Final = partial(Listing, Whole(1), 0, None)
RULES: Final = partial(Listing, Whole(0), 0, None)


def poker_cards(box: Box) -> list[str]:
    """Return the poker deck."""
    return [box.ids[card] for card in box.poker]


def loot_cards(box: Box) -> list[str]:
    """Return the Loot of all levels."""
    return [box.ids[card] for card in box.loot]


def skill_cards(box: Box) -> list[str]:
    """Return the skills of all heroes."""
    return [box.ids[card] for card in box.skills]


def hero_cards(box: Box) -> list[str]:
    """Return all heroes."""
    return [box.ids[card] for card in box.hero_numbers]


def event_cards(box: Box) -> list[str]:
    """Return the Riverboat Events."""
    return [box.ids[card] for card in box.events]


def marker_pieces(box: Box) -> list[str]:
    """Return all kinds of vermin markers."""
    return [box.ids[marker.number] for marker in box.markers]


def aspect_cards(box: Box) -> list[str]:
    """Return the aspects of all foes."""
    return [box.ids[card] for marker in box.markers for card in box.foes[marker.number].aspects]


def usable_cards(box: Box) -> list[str]:
    """Return the cards that can be exhausted: skills and Loot."""
    return [box.ids[card] for card in (*box.skills, *box.loot)]


def weapon_cards(box: Box) -> list[str]:
    """Return the cards that can be depleted."""
    return [box.ids[card] for card in box.loot if card in box.weapons]


def plan_of(start: Start) -> Any:
    """Return the fixed parts of the scenario chosen, or None while none is."""
    chosen = start.options.get("scenario")
    return start.box.scenario(chosen) if chosen else None


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
    card = Value(NOTHING)
    kept = Plain[Any](None)
    """Its kit, with the cards it was made from."""
    seat = Seated("The player of the hero.")
    at = Square("The square it is on; none if it is not on the map.")
    lives = Number(MOST_LIVES, "Lives left (default: 9).", most=MOST_LIVES, always=True)
    place = Word(PLACES, HERE, "Whether it is here, has left by an exit, or is out of the scenario (default: here).")
    ap = Number(0, "Action Points left in its activation.", most=MOST_POINTS)
    mp = Number(0, "Movement Points left in its activation.", most=MOST_POINTS)
    leaping = Number(NOTHING, "Movement Points left of a Pounce under way; −1 if there is none.", least=-1, most=6)
    stunned = Flag("Whether it has a Stun marker.")
    vulnerable = Flag("Whether it has a Vulnerable marker.")
    done = Flag("Whether it has been activated this round.")
    moved = Flag("Whether it has moved in this activation.")
    attacked = Flag("Whether it has attacked in this activation.")
    weapons = Cards("The weapons equipped.", of=weapon_cards)
    loot = Cards("The Loot on the dashboard.", of=loot_cards)
    skills = Cards("The skills brought along.", of=skill_cards)
    bucks = Number(0, "Bucks without a card.")
    searched = SquareList("The Loot squares that it has searched.")
    declined = Cards("The heroes who have declined an exchange in this activation.", of=hero_cards)
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
        of=marker_pieces,
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
    aspect = Card("The Aspect card whose attack and power it has.", of=aspect_cards)
    quiet = Flag("Whether it may not attack in this activation.")

    @shows("marker")
    def seen_marker(self, _seat: int, _owner: int) -> int:
        return self.marker if self.up or self.known else NOTHING


class Fight(NamedTuple):
    """An attack under way."""

    by: str
    arm: Arm
    at: str
    area: int = NOTHING
    """The big square attacked; NOTHING for a single target."""
    targets: tuple[str, ...] = ()
    """The figures of the area still to be attacked."""
    extra: int = 0
    """The modifier that a card adds to each draw."""
    drm: int = 0
    need: int = 0
    cards: tuple[int, ...] = ()
    results: tuple[int, ...] = ()
    shadow: int = NOTHING
    """The first of two cards of which one counts."""
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

    scenario = Option[str](OPTIONS, "scenario", "", seen="all")
    difficulty = Option[str](OPTIONS, "difficulty", DIFFICULTIES[NORMAL])
    coin = Agreed(OPTIONS, "coin")
    interlude = Agreed(OPTIONS, "interlude")
    phase = Word(PHASES, SET_UP, "Default: heroes.", always=True)
    round = Number(1, "Default: 1.", least=1, always=True)
    space = Number(1, "The space of the Round marker on its track (default: 1).", least=1)
    first = Word(SIDES, 0, "The side that goes first this round (default: heroes).")
    second = Flag("Whether this is the second turn of the round.")
    active = Value("", "The figure that is activated.")
    path = Trail("The path of the figure activated last.")
    heroes = ByName(Hero, "By hero: its square, and what it has.", always=True)
    vermin = ByName(Vermin, "By name: the vermin on the map.", always=True)
    doors = Value(0)
    taken = SquareNumbers("By square: how many of its tokens have been taken.", view="taken")
    ground = SquareCards("By square: the items on the ground.")
    stinkbombs = SquareList("The squares with a Stinkbomb token.")
    hand = Cards("The party hand.", of=poker_cards)
    deck = Deck()
    top = Ordered("The top cards of the poker deck that a player has looked at, from the top.", of=poker_cards)
    discard = Cards("The discarded cards of the poker deck.", of=poker_cards)
    kings = Values[int]()
    """The Kings, which are set aside."""
    loot_deck = Deck()
    loot_top = Ordered("The top cards of the Loot deck that a player has looked at, from the top.", of=loot_cards)
    loot_under = Ordered("The cards put under the Loot deck, from the top.", of=loot_cards)
    loot_gone = Cards("The discarded Loot.", of=loot_cards)
    pool = Deck(seen="hidden")
    graves = Cards("The markers of eliminated vermin.", of=marker_pieces)
    gone = Cards("The markers that have left the scenario for good.", of=marker_pieces)
    apart = Cards(
        "The vermin set aside that have yet to appear (default: those whose space is ahead).",
        of=marker_pieces,
        only=lambda table: table.apart != table.still_to_come(),
        always=True,
    )
    aspects = Values[int]()
    """The Aspect cards in the deck of the Rat King."""
    aspects_used = Cards("The Aspect cards drawn since the last shuffle.", of=aspect_cards)
    aspects_lost = Cards("The Aspect cards that the Rat King has lost.", of=aspect_cards)
    entries = Values[int]("The entries in the Adventure Log.", shape=ENTRIES, key="log")
    read_entries = Values[int]("The story entries read.", shape=ENTRIES, key="read")
    used_up = Values[int]("The special rules that are used up, by number.", shape=RULES, key="used-up")
    exhausted = CardSet("The exhausted cards.", of=usable_cards, always=False)
    depleted = CardSet("The weapons with a Depleted token.", of=weapon_cards, always=False)
    lasting = Lasting("Effects that last for a time: until when, whose, which card, and which of its sentences.")
    initiative = Word(("", *SIDES), 0, "The side that wins the next initiative (default: the cards decide).")
    events = Cards("The Riverboat Events that affect this scenario, until it starts.", of=event_cards)
    step = Word(STEPS, 0, "The step of an interlude: the text of the scenario, then the steps of the Riverboat.")
    turn = Number(0, "The number of turns that heroes have had on board.")
    event = Card("The Riverboat Event of this visit.", of=event_cards)
    offer = Cards("The Loot on offer.", of=loot_cards)
    aside = Cards("The events drawn for the offer.", of=loot_cards)
    lost = Value("", "Why the scenario is lost.")
    won = Flag("Whether the scenario is won.")
    fights = Values[Fight]()
    todo = Values[Any]()
    card = Value(NOTHING)
    """The card that was drawn last."""
    stayed = Value("")
    """The fate of a Stun or Wound about to land: empty, CANCELLED, or the hero who takes it instead."""
    log = Log[list[Event]]()
    since = Items[Any]()
    """The moves and draws since the activation began, while a question is open."""
    plan = Fixed[Scenario](plan_of)
    """The fixed parts of the scenario."""
    begun = Plain[Any](None)
    """The table as it was then. It never changes."""

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
        """Return the vermin set aside whose space of the round track is ahead."""
        groups = [[marker] * count for marker, count, _, when in self.plan.apart if when > self.space]
        return sorted(marker for group in groups for marker in group)

    def tell(self, rule: str, text: str, **facts: Fact) -> None:
        """Log an event, if there is a log."""
        if self.log is not None:
            tell(self.log, rule, text, **facts)

    def tell_idle(self, rule: str, text: str, **facts: Fact) -> None:
        """Log that something had no effect, if there is a log."""
        if self.log is not None:
            tell_idle(self.log, rule, text, **facts)
