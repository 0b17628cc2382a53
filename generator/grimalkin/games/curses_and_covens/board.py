"""The table of a game of Curses & Covens, the course of the game so far, and what follows from both.

The deck has no order: a card is drawn at random when it is needed. Only the cards laid under the deck are in order,
until the Hunter shuffles.

In sentences, facts fill gaps. They are given as the game stores them, under names that describe them. A seat is called
by its name; a card, a tile and a spell have an id for programs, and a name in sentences. Only those who saw a card read
the sentence that names it; the others read one without the card. The same applies to the facts. In them a `town` is a
name, a `card` an id; `hand` is the number of cards in a hand, `witches` and `rituals` the numbers in front of the Witch
Hunter, and `needed` how many of them decide the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from grimalkin.engine.kinds import Fixed, Number, Option, Seat, Value, Values
from grimalkin.engine.law import law
from grimalkin.engine.shape import Choice, Listing, Table, Text, YesNo
from grimalkin.engine.state import Declared, shows
from grimalkin.engine.words import NO_FACTS, Event, Fact, Refusal, listed
from grimalkin.games.curses_and_covens import facts as cc
from grimalkin.games.curses_and_covens.facts import Box, Cards, Ending, MovesAtTable, Phase, Side, Spell, Stage, Tile
from grimalkin.games.curses_and_covens.kinds import Card, Deck, Front, Hands, Memories, Named, Pile, Taken, Town
from grimalkin.games.curses_and_covens.knowledge import Entry, Known, Mind, write_entry

CENSUS, ARRIVAL, TRAVEL, HUNT = Phase.CENSUS, Phase.ARRIVAL, Phase.TRAVEL, Phase.HUNT
LULLABY, LOOKING_GLASS, BROKEN_MIRROR = Spell.LULLABY, Spell.LOOKING_GLASS, Spell.BROKEN_MIRROR
PASS, PICK, QUESTION = Stage.PASS, Stage.PICK, Stage.QUESTION
LINES: Final = partial(Listing, Text(), 0, None)


@law("CC-AMB-18", "CC-ARR-3", "CC-TRAV-5")
class View(NamedTuple):
    """Everything a seat may know (CC-AMB-18): its own hand, the open cards, the number of cards elsewhere, and what it
    saw before (CC-ARR-3, CC-TRAV-5). Cards are numbers, as in `cards`."""

    seat: int
    cards: Cards
    tiles: tuple[Tile, ...]
    names: tuple[str, ...]
    to_act: int
    round: int
    rounds: int
    """The last round, or 0."""
    phase: Phase
    stage: Stage
    hand: tuple[int, ...]
    sizes: tuple[int, ...]
    """By seat: how many cards it has in hand."""
    witches: tuple[int, ...]
    """The witches in front of the Witch Hunter, in order of capture."""
    rituals: tuple[int, ...]
    sides: tuple[Side | None, ...]
    """By tile: the side that is up; None if the tile was left in the box."""
    cast: Spell | None
    """The spell cast this round."""
    castable: tuple[Spell, ...]
    """In a Census: the spells for which one town shows the icons."""
    hat: int
    talk: tuple[str, ...]
    deck: int
    """How many cards of the deck are in no known order."""
    under: int
    """How many cards are below those."""
    served: int
    """In Arrival: how many towns have been served."""
    service: tuple[int, ...]
    """All towns in the order in which they are served this round."""
    tray: tuple[int, ...]
    """In an Arrival of choice: the cards that the Witch Hunter looks at. For a town, first those that it knows to be
    there, then UNSEEN for each of the others."""
    acted: int
    """In Travel: how many towns have acted, beginning with the hat's."""
    lap: int
    """In Travel: the lap."""
    again: bool
    """In Travel on a Forked Path: whether the hat's first action is done."""
    acting: int
    """In Travel: the town whose turn it is, even while another answers it; or NOBODY."""
    picks: int
    """In a Hunt: picks made, including the one in progress."""
    first: int
    """In a Hunt: the town of the first pick, or NOBODY."""
    taken: int
    """In a Hunt: the card shown, until it is moved elsewhere; otherwise NOTHING."""
    taken_from: int
    """The town that this card came from, or NOBODY."""
    ending: Ending
    log: tuple[Entry, ...]
    """The history, with UNSEEN for every card that this seat did not see."""
    known: Known


Log = list[Event]


class Board(Declared[Box, View]):
    """The fields of a game in progress. At the start the tiles have the charm up (CC-SETUP-3), and the town on the
    Hunter's left has the hat (CC-SETUP-8)."""

    hands = Hands("Towns: the cards in hand, in any order.", key="hand", view="hand", seen="own")
    """The cards in numerical order; none for the Witch Hunter."""
    witches = Front("The Witch Hunter: the witches captured, in order of capture.")
    rituals = Front("The Witch Hunter: the rituals in front, in the order they came.")
    round = Number(1, "Default: 1.", least=1, always=True)
    phase = Named[Phase](cc.PHASES, CENSUS, "Default: census.", always=True)
    hat = Town("The town that has the hat (default: the first town).", always=True)
    woods = Card("The card hidden in the woods.", place="the woods", seen="hidden")
    pool = Deck(
        "The part of the deck in no known order (default: all the cards that are nowhere else).",
        key="deck",
        always=True,
        seen="hidden",
    )
    under = Pile(
        "The cards put under it since it was last shuffled, from the top down.", place="under the deck", seen="hidden"
    )
    sides = Values[Side | None](
        "By spell tile: the side that is up (default: charm).",
        shape=partial(Table, Choice(tuple(cc.SIDES)), cc.TILES),
        writes=lambda board: board.sides_up(),
        key="tiles",
        always=True,
    )
    """By tile: the side that is up; None if the tile was left in the box."""
    cast = Named[Spell | None](cc.SPELLS, None, "The spell cast this round; its tile is set apart with that side up.")
    talk = Values[str]("Census: what has been said, as in Ada: trust me.", shape=LINES, when=(CENSUS,))
    stage = Value(
        Stage.ANNOUNCE,
        "Whether the Hunter is asked to shuffle or to leave the deck (default: no).",
        shape=YesNo,
        writes=lambda _board: True,
        key="shuffle",
        when=(CENSUS, ARRIVAL, HUNT),
        only=lambda board: board.stage is QUESTION,
        always=True,
    )
    """The task of the seat to act."""
    served = Value(
        0,
        "Arrival: the towns that have had their turn to get a card, in this order.",
        shape=partial(Listing, Text("The name of a town."), 0, None),
        writes=lambda board: [board.seats[town] for town in board.service()[: board.served]],
        when=(ARRIVAL,),
    )
    tray = Pile(
        "Arrival in which the Hunter chooses: the drawn cards not yet given out.",
        place="the tray",
        when=(ARRIVAL,),
        always=False,
        seen="hidden",
    )
    """In the order of their numbers."""
    acted = Number(
        0,
        "Travel: how many towns have finished in this lap, starting with the hat.",
        most=cc.SEATS[1] - 1,
        when=(TRAVEL,),
        always=True,
    )
    lap = Number(
        1, "Travel in a Wild Chase: which lap this is (default: 1).", least=1, most=cc.MOST_LAPS, when=(TRAVEL,)
    )
    again = Value(
        False,
        "Travel on a Forked Path: whether the first action of the town with the hat is done.",
        shape=YesNo,
        when=(TRAVEL,),
    )
    asked = Town("Travel: the town that must answer the town whose turn it is.", nobody=True, when=(TRAVEL,))
    picks = Number(
        0,
        "Hunt: the picks made, including the one whose card has been shown.",
        most=cc.MOST_PICKS,
        when=(HUNT,),
        always=True,
    )
    first = Town("Hunt: the town of the first pick.", nobody=True, when=(HUNT,))
    taken = Taken(
        "Hunt: the shown card that has not gone anywhere yet, and its town.", place="the card shown", when=(HUNT,)
    )
    taken_from = Town(nobody=True)
    emptying = Town("Hunt: the town that is putting its hand under the deck.", nobody=True, when=(HUNT,))
    ending = Named[Ending](
        cc.ENDINGS,
        Ending.GOES_ON,
        "Over: how the game ended (default: as the table shows).",
        key="won",
        when=(Phase.OVER,),
    )
    turn = Seat(
        "The seat to act (default: what the rules give).",
        key="to-act",
        view="to_act",
        when=(CENSUS, ARRIVAL, TRAVEL, HUNT),
        always=True,
    )
    played = Option(cc.OPTIONS, "tiles", cc.ALL)
    """The tiles in play."""
    limit = Option(cc.OPTIONS, "rounds", 0, view="rounds")
    """The last round, or 0."""
    history = Values[Entry](
        "What has happened, one line an entry, as in gave Ada Basil baker; it shows who has seen which card (default: "
        "every seat has seen the open cards, and towns their own hands).",
        shape=partial(LINES, told=False),
        writes=lambda board: [write_entry(entry, board.box, board.seats) for entry in board.history],
        always=True,
    )
    origin = Fixed[tuple[list[int], int, int]](lambda start: ([0] * len(start.seats), 0, 0))
    """The sizes of the hands and the numbers of cards under the deck and on the tray when the history begins."""
    minds = Memories[Mind]()
    """By seat: the part of the history that it has read so far."""
    table = Fixed[MovesAtTable](lambda start: start.box.tables[len(start.seats)])

    @law("CC-SETUP-3", "CC-SETUP-8", "CC-AMB-23", "CC-AMB-31")
    def begin(self) -> None:
        self.sides = [None if self.played in (cc.NONE, f"no-{tile}") else Side.CHARM for tile in cc.TILES]
        self.turn = self.hat = 1

    # In records

    def sides_up(self) -> dict[str, str]:
        return {tile: side.word for tile, side in zip(cc.TILES, self.sides, strict=True) if side is not None}

    # What follows from the table

    def to_act(self) -> int:
        return self.turn

    def turn_key(self) -> tuple[int, ...]:
        """Return the key of a turn: one town's announcements in a Census, one question, all deals in an Arrival of
        choice, one action, one answer, one pick with its card passed on, or all cards that one town lays under the
        deck."""
        stage, pick = self.stage, self.picks
        if stage is PASS:  # a part of the current pick
            stage, pick = PICK, pick - 1
        served = self.served if stage is QUESTION else 0
        return self.round, self.phase, stage, served, self.lap, self.acted, self.again, pick

    @law("CC-TRAV-1")
    def acting(self) -> int:
        """Return the town whose turn it is in Travel: clockwise from the hat (CC-TRAV-1)."""
        return (self.hat - 1 + self.acted) % (len(self.hands) - 1) + 1

    @law("CC-HUNT-1")
    def picks_allowed(self) -> int:
        """Return how many picks this Hunt has (CC-HUNT-1)."""
        return cc.PICKS if self.cast is None else self.cast.picks

    @law("CC-ARR-2", "CC-CURSE-2")
    def is_arrival_of_choice(self) -> bool:
        """Return whether the Hunter gives out cards by choice this round (CC-ARR-2, CC-CURSE-2)."""
        return self.cast is BROKEN_MIRROR or bool(self.rituals)

    @law("CC-ARR-1", "CC-CHARM-1", "CC-AMB-20")
    def service(self) -> list[int]:
        """Return the towns in the order in which they are served in Arrival: from the Hunter's left (CC-ARR-1,
        CC-AMB-20), or under a Lullaby the one with the hat first (CC-CHARM-1)."""
        return self.table.service[self.hat if self.cast is LULLABY else 0]

    @law("CC-HUNT-3", "CC-CHARM-2")
    def barred(self) -> int:
        """Return the town that the next pick must not be made from (CC-CHARM-2), or NOBODY."""
        return self.first if self.cast is LOOKING_GLASS and self.picks else cc.NOBODY

    @law("CC-SPELL-1")
    def castable(self) -> list[Spell]:
        """Return, in a Census, every spell on a side that is up whose icons match two witches shown by one
        town (CC-SPELL-1)."""
        shown: set[Spell] = set()
        judge = self.box.judge
        for hand in self.hands:
            if len(hand) > 1:
                shown |= judge(hand).casts
        if not shown:
            return []
        tiles = self.box.tiles
        up = [tiles[number].spells[side] for number, side in enumerate(self.sides) if side is not None]
        return sorted([spell for spell in up if spell in shown])

    @law("CC-AMB-26")
    def may_shuffle(self) -> bool:
        """Return whether cards are under the deck in an order that shuffling would undo. The program asks the Hunter
        only at certain moments (CC-AMB-26); at a real table, the Hunter may shuffle at any moment."""
        return bool(self.under) and len(self.pool) + len(self.under) > 1

    def most_of_a_suit(self, town: int) -> int:
        """Return the most witches of one suit in a town's hand, including the wild one."""
        return self.box.judge(self.hands[town]).most

    def pieces(self) -> Mapping[str, int]:
        """Return how often each card and tile is on the table."""
        numbers, ids = self.box.numbers, self.box.ids
        lying = [card for cards in (*self.hands, self.under, self.tray, self.witches, self.rituals) for card in cards]
        lying += [self.woods, self.taken, *(numbers[id_] for id_ in self.pool)]
        return {id_: lying.count(card) for card, id_ in enumerate(ids)} | {tile.id: 1 for tile in self.box.tiles}

    def mind(self, seat: int) -> Mind:
        """Return a record of what a seat has seen and knows."""
        mind = self.minds[seat]
        if mind is None:
            mind = self.minds[seat] = Mind(seat, *self.origin)
        mind.follow(self.history)
        return mind

    def known(self, seat: int) -> Known:
        """Return the places of the cards that a seat knows. The Hunter sees the tray, whatever the history says."""
        known = self.mind(seat).known(self.hands[seat])
        return known._replace(tray=tuple(self.tray)) if seat == cc.HUNTER else known

    @shows("cards", "tiles", "names", "sizes", "castable", "deck", "under", "service", "tray", "acting", "log", "known")
    def _seen(self, seat: int) -> tuple[object, ...]:
        box, known = self.box, self.known(seat)
        return (
            box.cards,
            box.tiles,
            self.seats,
            tuple(map(len, self.hands)),
            tuple(self.castable()) if self.stage is Stage.ANNOUNCE else (),
            len(self.pool),
            len(self.under),
            tuple(self.service()),
            known.tray + (cc.UNSEEN,) * (len(self.tray) - len(known.tray)),
            self.acting() if self.phase is TRAVEL else cc.NOBODY,
            tuple(self.mind(seat).log),
            known,
        )

    # Sentences

    def gaps(self, facts: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Fact]]:
        """Return the words for the gaps in a sentence, and its facts. {hunter} and {who}, the seat to act, are always
        there.

        In the names of facts "_" means "-", and `from_` is {from}, which Python does not allow as a name. A seat's name
        is never part of a sentence with gaps, since it could contain braces.
        """
        words: dict[str, Any] = {"hunter": self.seats[cc.HUNTER], "who": self.seats[self.turn]}
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
                words[name], told[name] = way(self, fact)
        return words, told

    def say(self, log: Log, rule: str, text: str, /, **facts: Any) -> None:
        """Log an event that everybody sees."""
        words, told = self.gaps(facts)
        log.append(Event(rule, text.format_map(words), facts=told))

    def whisper(self, log: Log, rule: str, text: str, readers: Sequence[int], hint: str = "", /, **facts: Any) -> None:
        """Log an event that some seats see; the others read the hint, by default the same with "a card" for {card}."""
        words, told = self.gaps(facts)
        hint = hint or text.replace("{card}", "a card")
        log.append(Event(rule, text.format_map(words), frozenset(readers), hint.format_map(words), told))

    def refuse(self, rule: str, because: str, /, **facts: Any) -> Refusal:
        words, told = self.gaps(facts)
        return Refusal(rule, because.format_map(words), told)


# Words for sentences

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
