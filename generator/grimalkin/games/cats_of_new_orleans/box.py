"""The contents of the box, compiled from the facts: cards, heroes, foes, maps, scenarios, and the meaning of their
texts.

A box never changes, and games with the same facts share it. Slow work, such as reading sentences and studying maps, is
done on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property, lru_cache
from typing import Annotated, Any, Final, NamedTuple, TypeVar

from grimalkin.engine.contract import Facts
from grimalkin.engine.law import By, law
from grimalkin.engine.loading import Components, made_once
from grimalkin.engine.phrases import Phrase
from grimalkin.engine.words import typed
from grimalkin.games.cats_of_new_orleans.maps import STRIDE, Board
from grimalkin.games.cats_of_new_orleans.numbers import KING, NOTHING
from grimalkin.games.cats_of_new_orleans.phrases import TABLE, names_of
from grimalkin.games.cats_of_new_orleans.phrases.abilities import (
    EMPTY,
    Ability,
    Kit,
    Static,
    a_phrase,
    abilities_of,
    kit_of,
)

T = TypeVar("T")

CARD_RULES: Final[Annotated[Mapping[str, str], By("NO-LOOT-4", "NO-LOOT-14", "NO-SKILL-1", "NO-CHR-7")]] = {
    "heroes": "NO-CHR-7",
    "skills": "NO-SKILL-1",
    "loot": "NO-LOOT-4",
    "weapon": "NO-LOOT-14",
}
"""By kind of card, the rule that makes its text count."""
UNARMED: Final = "unarmed"
STATS: Final = ("draws", "range", "stun", "wound")
"""The columns with the numbers of an attack."""
ALWAYS: Final[Annotated[int, By("NO-AMB-32")]] = 0
"""A Stun or Wound Value that every result reaches, even an ace."""
SUIT_LETTERS: Final = {"clubs": "C", "spades": "S", "hearts": "H", "diamonds": "D"}
COURT: Final = {1: "A", 11: "J", 12: "Q", 13: "K"}


class Arm(NamedTuple):
    """An attack of a dashboard, a weapon or a foe."""

    id: str
    name: str
    card: int
    """The weapon; NOTHING if it is not a card."""
    draws: int
    range: int
    stun: int
    wound: int
    deplete: str
    """The cards that deplete it, as one word; empty for none."""
    body: bool
    """Whether it is part of the body, not a weapon (NO-AMB-57)."""
    number: int = 0
    """Its number among the attacks of a foe."""

    @property
    def called(self) -> str:
        """What sentences call it: the Pepperbox, but Tooth and Claw."""
        return self.name if self.body or self.name.startswith(("A ", "An ", "The ")) else f"the {self.name}"


class Foe(NamedTuple):
    """A foe card, or an aspect of one."""

    id: str
    name: str
    number: int
    health: int
    ap: int
    arms: tuple[Arm, ...]
    powers: frozenset[str]
    kit: Kit
    aspects: tuple[int, ...]
    """The numbers of its Aspect cards."""
    large: bool
    shares: bool
    """Whether it may share a square."""
    hides: bool
    """Whether it can turn face down again."""

    def has(self, power: str) -> bool:
        return power in self.powers


class Marker(NamedTuple):
    """A kind of vermin marker."""

    number: int
    word: str
    """What notation calls its figures: pistoleer, for pistoleer-2."""
    count: int  # type: ignore[assignment]  # nobody calls `count` on a marker
    foe: int
    """The number of its foe card."""


class Scenario(NamedTuple):
    """A scenario, with its sentences read."""

    id: str
    title: str
    number: int
    board: Board
    pool: tuple[int, ...]
    """Markers, one entry for each."""
    apart: tuple[tuple[int, int, str, int], ...]
    """The vermin set aside: marker, count, mark of their squares, and the space of the round track at which they
    appear, or 0."""
    loot: tuple[int, ...]
    """The cards of its deck, one entry for each, before sentences change it."""
    objectives: tuple[Phrase, ...]
    set_up: tuple[Phrase, ...]
    kit: Kit
    """Its special rules, and what its set-up says about later moments."""
    aspects: tuple[int, ...]
    """The Aspect cards of its vermin."""
    armed: bool
    """Whether an earlier scenario hands out weapons (NO-S1-10)."""
    forbids: Mapping[tuple[str, str], Ability]
    """By side and deed, the special rule that forbids it."""
    opening: frozenset[int]
    """The special rules, by number, that let heroes open doors."""


class FoesByMarker(dict[int, Foe]):
    """The foe card of each vermin marker, built on first use."""

    def __init__(self, box: Box) -> None:
        self.box = box

    def __missing__(self, marker: int) -> Foe:
        self[marker] = self.box.foe(self.box.marker(marker).foe)
        return self[marker]


class Box:
    """The contents of the box. Pieces are numbers, in the order of the facts."""

    box: Box

    def __init__(self, facts: Facts) -> None:
        self.box = self
        self.kept: dict[str, Any] = {}
        self.foes = FoesByMarker(self)
        self.facts = facts
        self.components: Mapping[str, Mapping[str, Any]] = facts["components"]
        self.ids = tuple(self.components)
        self.numbers = {id_: number for number, id_ in enumerate(self.ids)}
        self.names = tuple(str(piece.get("name", id_)) for id_, piece in self.components.items())
        self.poker = self.of_deck("poker-deck")
        self.values = {card: int(self.piece(card)["value"]) for card in self.poker}
        self.suits = {card: self.piece(card).get("suit") or "" for card in self.poker}
        self.letters = {card: self._letters(card) for card in self.poker}
        self.kings = tuple(card for card in self.poker if self.values[card] == KING and self.suits[card])
        self.hero_numbers = self.of_deck("heroes")
        self.skills = self.of_deck("skills")
        self.loot = self.of_deck("loot")
        self.events = self.of_deck("events")
        self.aspects = tuple(number for number in self.of_deck("foes") if self.piece(number)["part"] == "aspect")
        self.scenario_ids = tuple(facts.get("scenarios", {}))
        self.markers = tuple(
            Marker(number, _word(self.names[number]), int(piece["count"]), self.numbers[piece["foe"]])
            for number in self.of_deck("markers")
            if (piece := self.piece(number))["kind"] == "vermin"
        )
        self.marker_numbers = tuple(marker.number for marker in self.markers)

    # Pieces

    def piece(self, number: int) -> Mapping[str, Any]:
        """Return the facts of a piece."""
        return self.components[self.ids[number]]

    def of_deck(self, deck: str) -> tuple[int, ...]:
        return tuple(number for number, piece in enumerate(self.components.values()) if piece["deck"] == deck)

    def _letters(self, card: int) -> str:
        suit, value = self.suits[card], self.values[card]
        return f"{COURT.get(value, value)}{SUIT_LETTERS[suit]}" if suit else self.ids[card]

    @law("NO-DECK-2", "NO-AMB-84")
    def is_black(self, card: int) -> bool:
        """Return whether a card counts as black in a text: clubs, spades, and the Joker printed black."""
        return bool(self.piece(card)["colour"] == "black")

    def is_ace(self, card: int) -> bool:
        return self.values[card] == 1 and bool(self.suits[card])

    def is_joker(self, card: int) -> bool:
        return not self.suits[card]

    @cache  # noqa: B019 - a box lives as long as its cached answers
    def marker(self, number: int) -> Marker:
        """Return a kind of vermin marker, by its number among the pieces."""
        return next(marker for marker in self.markers if marker.number == number)

    @staticmethod
    def depleting(word: str) -> Phrase:
        """Return the cards that deplete an attack, as a phrase."""
        return Phrase("face" if word == "face card" else word)

    @cached_property
    def token_statics(self) -> tuple[Static, ...]:
        """What powers say about figures around a token, whoever placed it."""
        return tuple(
            static
            for name in self.facts["lists"]["powers"]
            for static in kit_of(self._power(name)).says("draws")
            if any(one.name == "stinkbomb" for one in static.clause.every())
        )

    @cached_property
    def token_abilities(self) -> tuple[Ability, ...]:
        """What powers say about tokens in the End segment."""
        return tuple(
            ability
            for name in self.facts["lists"]["powers"]
            for ability in self._power(name)
            if ability.on == "end-segment"
        )

    @cached_property
    def power_triggers(self) -> Mapping[str, frozenset[int]]:
        """The moments at which the power of any foe, or of an aspect, can apply, with the markers of those foes."""
        kits = {foe: self.foe(foe).kit for foe in self.of_deck("foes")}
        return {
            on: frozenset(marker.number for marker in self.markers if on in kits[marker.foe].reactions)
            for kit in kits.values()
            for on in kit.reactions
        }

    @cached_property
    def card_triggers(self) -> frozenset[str]:
        """The moments at which a card of any hero can apply."""
        cards = (*self.hero_numbers, *self.skills, *self.loot)
        return frozenset(ability.on for card in cards for ability in self.abilities(card))

    @cached_property
    def weapons(self) -> frozenset[int]:
        """All weapons among the Loot."""
        return frozenset(c for c in self.loot if self.piece(c)["kind"] == "weapon")

    @cached_property
    def copies(self) -> Mapping[int, int]:
        """By Loot card, how often the box has it."""
        return {card: int(self.piece(card)["count"]) for card in self.loot}

    @cached_property
    def stashes(self) -> frozenset[int]:
        """All Stashes of Ammunition."""
        return frozenset(c for c in self.loot if self.piece(c)["kind"] == "ammunition")

    @cached_property
    def words_of_markers(self) -> Mapping[str, str]:
        """By the word for a figure in notation, its name in sentences."""
        return {one.word: self.names[one.number] for one in self.markers}

    @cached_property
    def typed_ids(self) -> tuple[str, ...]:
        """The ids of all pieces, as `typed` returns them."""
        return tuple(map(typed, self.ids))

    @cached_property
    def typed_names(self) -> tuple[str, ...]:
        """The names of all pieces, as `typed` returns them."""
        return tuple(map(typed, self.names))

    def once(self, name: str, make: Callable[[], T]) -> T:
        """Return the cached value of this name, made on first use."""
        if name not in self.kept:
            self.kept[name] = make()
        kept: T = self.kept[name]
        return kept

    # Attacks

    @cache  # noqa: B019
    @law("NO-CHR-5", "NO-LOOT-11", "NO-LOOT-12", "NO-LOOT-13")
    def arm(self, card: int) -> Arm:
        """Return the attack of a weapon, or the unarmed attack of a hero."""
        piece, hero = self.piece(card), card in self.hero_numbers
        id_, name = (UNARMED, piece["attack"]) if hero else (self.ids[card], piece["name"])
        draws, range_, stun, wound = (int(piece[column]) for column in STATS)
        of = NOTHING if hero else card
        return Arm(id_, name, of, draws, range_, stun, wound, piece.get("deplete") or "", body=hero)

    @cache  # noqa: B019
    @law("NO-VERM-5", "NO-VERM-6", "NO-VATK-5", "NO-AMB-50", "NO-AMB-52")
    def foe(self, number: int) -> Foe:
        """Return a foe card by its number."""
        id_, piece = self.ids[number], self.piece(number)
        arms = []
        for index, behind in enumerate(("", "-2")):
            if piece[f"attack{behind}"]:
                draws, range_, stun, wound = (int(piece[f"{column}{behind}"]) for column in STATS)
                deplete = piece[f"deplete{behind}"] or ""
                body = not piece[f"weapon{behind}"]
                name = piece[f"attack{behind}"]
                arms.append(Arm(f"{id_}-{index}", name, NOTHING, draws, range_, stun, wound, deplete, body, index))
        powers = [name.strip() for name in (piece["powers"] or "").split(",") if name.strip()]
        with_ = tuple(other for other in self.of_deck("foes") if self.piece(other).get("with") == id_)
        abilities = [ability for name in powers for ability in self._power(name) if ability.on != "end-segment"]
        return Foe(
            id_,
            piece["name"],
            number,
            int(piece["health"] or 0),
            int(piece["ap"] or 0),
            tuple(arms),
            frozenset(powers),
            kit := kit_of(abilities),
            with_,
            "large" in powers,
            bool(kit.says("shares")),
            "while" in kit.reactions,
        )

    def _power(self, name: str) -> list[Ability]:
        row = self.facts["lists"]["powers"][name]
        if row["code"] or not row["text"]:
            return []
        return [*abilities_of(self.read(row["text"]), NOTHING, row["rule"], row["name"])]

    # Texts

    @cached_property
    def texts(self) -> Texts:
        return texts_of(self.facts)

    def read(self, text: str) -> Phrase:
        """Return the meaning of a text, which was already read when the facts were checked."""
        return self.texts[text]

    @property
    def phrase_names(self) -> Mapping[str, Mapping[str, str]]:
        return self.texts.names

    @cache  # noqa: B019
    def abilities(self, card: int) -> tuple[Ability, ...]:
        """Return the abilities on a card: a hero's flaw, a skill, Loot."""
        piece = self.piece(card)
        if not piece["text"] or piece.get("kind") in ("bucks", "event"):
            return ()
        kind = "weapon" if piece.get("kind") == "weapon" else piece["deck"]
        rule, weapon = CARD_RULES[kind], kind == "weapon"
        return tuple(abilities_of(self.read(piece["text"]), card, rule, self.called(card), weapon=weapon))

    @cache  # noqa: B019
    @law("NO-LOOT-9")
    def event(self, card: int) -> tuple[Ability, ...]:
        """Return the abilities on an event among the Loot, which is carried out when drawn."""
        text = self.piece(card)["text"]
        return tuple(abilities_of(self.read(text), card, "NO-LOOT-9", self.names[card])) if text else ()

    @cache  # noqa: B019
    @law("NO-BOAT-2", "NO-BOAT-6", "NO-AMB-70")
    def told_aboard(self, card: int) -> tuple[Ability, ...]:
        """Return the abilities on a Riverboat Event, or on a Buck card as a gamble."""
        rule = "NO-BOAT-2" if card in self.events else "NO-BOAT-6"
        return tuple(abilities_of(self.read(self.piece(card)["text"]), NOTHING, rule, self.names[card]))

    def said_by(self, card: int) -> tuple[Ability, ...]:
        """Return the abilities on a card, event or not."""
        return self.event(card) if self.piece(card).get("kind") == "event" else self.abilities(card)

    def called(self, card: int) -> str:
        """Return what sentences call a card; a hero's flaw has its own name."""
        return str(self.piece(card).get("flaw") or self.names[card])

    @lru_cache(maxsize=4096)  # noqa: B019
    def kit(self, cards: tuple[int, ...]) -> Kit:
        """Return everything that these cards say together."""
        found = [ability for card in cards for ability in self.abilities(card)]
        return kit_of(found) if found else EMPTY

    # Scenarios

    @cache  # noqa: B019
    def scenario(self, id_: str) -> Scenario:
        """Return a scenario by its id."""
        told = self.facts["scenarios"][id_]
        pool = tuple(self.numbers[name] for name, count in told["pool"].items() for _ in range(int(count)))
        apart = tuple(
            (self.numbers[one["piece"]], int(one["count"]), str(one["mark"]), int(one.get("round") or 0))
            for one in told["apart"]
        )
        loot = tuple(
            card
            for card in self.loot
            if self.piece(card)["level"] in told["loot"] and self.piece(card)["kind"] not in told["without"]
            for _ in range(int(self.piece(card)["count"]))
        )
        set_up = [self.read(clause["text"]) for clause in told["set-up"] if clause.get("text")]
        special = [*told["special"], *told["set-up"], *told["spawn"]]
        abilities = [
            ability
            for index, clause in enumerate(special)
            if clause.get("text")
            for ability in abilities_of(self.read(clause["text"]), NOTHING, "NO-SCN-5", clause["title"], clause=index)
            if index < len(told["special"]) or ability.on
        ]
        before = [one for one in self.facts["scenarios"].values() if one["number"] < told["number"]]
        armed = any(
            part.name == "take-preferred"
            for one in before
            for clause in one["between"]
            if clause.get("text")
            for part in self.read(clause["text"]).every()
        )
        objectives = tuple(self.read(clause["text"]) for clause in told["objectives"] if clause.get("text"))
        board = self.board(told["map"])
        kit = kit_of(abilities)
        markers = dict.fromkeys([*pool, *(one[0] for one in apart)])
        aspects = tuple(sorted(card for number in markers for card in self.foe(self.marker(number).foe).aspects))
        forbids = {
            (a_phrase(one.clause["side"]).name, a_phrase(one.clause["deed"]).name): one.ability
            for one in reversed(kit.says("may-not"))
        }
        opening = frozenset(
            deed.clause for deed in kit.deeds for one in deed.body for clause in one.every() if clause.name == "door"
        )
        return Scenario(
            *(id_, told["title"], told["number"], board, pool, apart, loot, objectives, tuple(set_up), kit, aspects),
            *(armed, forbids, opening),
        )

    @cache  # noqa: B019
    def board(self, map_id: str) -> Board:
        """Return a map, with empty columns to its right so that a square has the same number on every map."""
        drawn = self.facts["maps"][map_id]
        columns = len(drawn["squares"][0])
        more = " " * (STRIDE - columns)
        wide = {key: [row + more for row in drawn[key]] for key in ("squares", "upright", "flat")}
        return Board({**drawn, **wide})


def _word(name: str) -> str:
    """Return a name as notation writes it."""
    return name.lower().replace(" ", "-").replace("’", "").replace("'", "")


class Texts(dict[str, Phrase]):
    """The meanings of texts, each read on first use. Raises NotRead for a text without one."""

    def __init__(self, names: Mapping[str, Mapping[str, str]]) -> None:
        self.names = names

    def __missing__(self, text: str) -> Phrase:
        self[text] = found = TABLE.read(text, self.names)
        return found


@made_once
def texts_of(components: Components) -> Texts:
    """Return the meanings of the texts in the facts. A box needs checked facts, these are what is checked."""
    return Texts(names_of({"components": components}))


@lru_cache(maxsize=8)
def _box(same: _Same) -> Box:
    return Box(same.facts)


class _Same:
    """Facts that are equal only to those with the same components."""

    __slots__ = ("components", "facts")

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.components = facts["components"]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.components is other.components

    def __hash__(self) -> int:
        return id(self.components)


def box_of(facts: Facts) -> Box:
    """Return the box that holds what the facts say."""
    return _box(_Same(facts))


SHOOTING = 4


@law("NO-AMB-103")
def shoots(arm: Arm) -> bool:
    """Return whether an attack has a dead zone: Precision concerns such attacks."""
    return arm.range >= SHOOTING


@law("NO-AMB-69")
def boat_is_open(box: Box, scenario: str) -> bool:
    """Return whether this scenario or an earlier one has opened the Riverboat."""
    told = box.facts["scenarios"]
    texts = [
        clause["text"]
        for one in told.values()
        if one["number"] <= told[scenario]["number"]
        for clause in one["between"]
        if clause.get("text")
    ]
    return any(one.name == "riverboat" for text in texts for one in box.read(text).every())
