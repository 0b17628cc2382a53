"""Records of positions in Curses & Covens: what one looks like, the record of a table, and what a seat knows of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from grimalkin.engine.contract import Facts
from grimalkin.engine.shape import Choice, Listing, Misfit, Path, Record, Shape, Table, Text, Whole, YesNo
from grimalkin.engine.words import OVER, find_typed, typed
from grimalkin.games.curses_and_covens.board import Board
from grimalkin.games.curses_and_covens.box import box_of
from grimalkin.games.curses_and_covens.facts import (
    ENDINGS,
    HUNTER,
    MOST_LAPS,
    MOST_PICKS,
    NOBODY,
    NONE,
    NOTHING,
    OPTIONS,
    PHASES,
    SEATS,
    SIDES,
    SPELLS,
    TILES,
    UNSEEN,
    Ending,
    Phase,
    Stage,
)
from grimalkin.games.curses_and_covens.knowledge import write_entry
from grimalkin.problems import did_you_mean

UNKNOWN: Final = "?"


@dataclass(frozen=True)
class _Card(Choice):
    """The id of a card. Who writes its name is told the id."""

    places: Mapping[str, int] = field(default_factory=dict)
    """A card, as a place in `words`, by every way to write it."""

    def _read(self, value: object, at: Path, misfits: list[Misfit]) -> Any:
        if isinstance(value, str) and value not in self.words:
            card = find_typed(typed(value), self.places)
            hint = did_you_mean(value, self.words) or f"a card is written like {self.words[0]}"
            if card is not None:
                hint = f"write {self.words[card]}"
            misfits.append(Misfit(at, f'"{value}" is no card of this game', hint))
            return value
        return super()._read(value, at, misfits)


def position_shape(facts: Facts) -> Record:
    """What the record of a position looks like."""
    box = box_of(facts)
    card = _Card(tuple(box.card_ids), "The id of a card.", places=box.places)
    town = Text("The name of a town.")
    seat = Record(
        {},
        {
            "hand": Listing(card, describe="Towns: the cards in hand, in any order."),
            "witches": Listing(
                card, describe="The Witch Hunter: the witches captured, in the order in which they came."
            ),
            "rituals": Listing(card, describe="The Witch Hunter: the rituals in front, in the order they came."),
        },
    )
    optional: dict[str, Shape] = {
        "round": Whole(1, describe="Default: 1."),
        "phase": Choice(tuple(PHASES), "Default: census."),
        "hat": Text("The town that has the hat (default: the first town)."),
        "woods": replace(card, describe="The card hidden in the woods."),
        "deck": Listing(
            card, describe="The part of the deck in no known order (default: all cards that lie nowhere else)."
        ),
        "under": Listing(card, describe="The cards laid below it since it was shuffled, from the top down."),
        "tiles": Table(Choice(tuple(SIDES)), TILES, "By spell tile: the side that is up (default: charm)."),
        "cast": Choice(tuple(SPELLS), "The spell cast this round; its tile lies apart with that side up."),
        "talk": Listing(Text(), describe="Census: what has been said, as in Ada: trust me."),
        "shuffle": YesNo("Whether the Hunter is asked to shuffle or to leave the deck (default: no)."),
        "served": Listing(town, describe="Arrival: the towns that have had their turn to get a card, in this order."),
        "tray": Listing(card, describe="Arrival of the Hunter's choice: the drawn cards that are not given out yet."),
        "acted": Whole(0, SEATS[1] - 1, "Travel: how many towns have finished in this lap, from the hat on."),
        "lap": Whole(1, MOST_LAPS, "Travel in a Wild Chase: which lap this is (default: 1)."),
        "again": YesNo("Travel on a Forked Path: whether the first action of the town with the hat is done."),
        "asked": Text("Travel: the town that must answer the town on turn."),
        "picks": Whole(0, MOST_PICKS, "Hunt: the picks made, with the one whose card has been shown."),
        "first": Text("Hunt: the town of the first pick."),
        "taken": Record(
            {"card": card, "from": town}, {}, "Hunt: the card shown that does not lie anywhere yet, and its town."
        ),
        "emptying": Text("Hunt: the town that lays its hand under the deck."),
        "won": Choice(tuple(ENDINGS), "Over: how the game ended (default: as the table tells)."),
        "to-act": Text("The seat to act (default: what the rules give)."),
        "options": OPTIONS,
        "history": Listing(
            Text(),
            describe="What has happened, one line an entry, as in gave Ada Basil baker; it tells who has seen which "
            "card (default: every seat has seen what lies open, and towns their own hands).",
            told=False,
        ),
    }
    seats = Table(seat, describe="What each seat has: the Witch Hunter first, then the towns in clockwise order.")
    return Record({"seats": seats}, optional)


def record_of(board: Board) -> dict[str, Any]:
    """A position as a record: every key that says more than its default does."""
    ids, names = board.box.card_ids, board.seats
    record: dict[str, Any] = {"seats": {}, "round": board.round, "phase": board.phase.word, "hat": names[board.hat]}
    for seat, name in enumerate(names):
        if seat == HUNTER:
            front = {"witches": board.witches, "rituals": board.rituals}
            record["seats"][name] = {key: [ids[card] for card in cards] for key, cards in front.items()}
        else:
            record["seats"][name] = {"hand": [ids[card] for card in board.hands[seat]]}
    record["woods"] = ids[board.woods]
    record["deck"] = board.pool[:]
    record["under"] = [ids[card] for card in board.under]
    record["tiles"] = {tile: side.word for tile, side in zip(TILES, board.sides, strict=True) if side is not None}
    if board.cast is not None:
        record["cast"] = board.cast.word
    if board.talk:
        record["talk"] = board.talk[:]
    if board.stage is Stage.QUESTION:
        record["shuffle"] = True
    if board.served:
        record["served"] = [names[town] for town in board.service()[: board.served]]
    if board.tray:
        record["tray"] = [ids[card] for card in board.tray]
    record |= _course(board)
    if board.turn != OVER:
        record["to-act"] = names[board.turn]
    options = _options(board)
    if options:
        record["options"] = options
    record["history"] = [write_entry(entry, board.box, names) for entry in board.history]
    return record


def _course(board: Board) -> dict[str, Any]:
    """How far a Travel or a Hunt has come, or how the game has ended, as a part of a position."""
    names, record = board.seats, dict[str, Any]()
    if board.phase is Phase.TRAVEL:
        record["acted"] = board.acted
        if board.lap > 1:
            record["lap"] = board.lap
        if board.again:
            record["again"] = True
        if board.stage is Stage.ANSWER:
            record["asked"] = names[board.turn]
    if board.phase is Phase.HUNT:
        record["picks"] = board.picks
        if board.first != NOBODY:
            record["first"] = names[board.first]
        if board.taken != NOTHING:
            record["taken"] = {"card": board.box.card_ids[board.taken], "from": names[board.taken_from]}
        if board.emptying != NOBODY:
            record["emptying"] = names[board.emptying]
    if board.ending is not Ending.GOES_ON:
        record["won"] = board.ending.word
    return record


def _options(board: Board) -> dict[str, Any]:
    out = [tile for tile, side in zip(TILES, board.sides, strict=True) if side is None]
    options: dict[str, Any] = {"tiles": NONE if len(out) == len(TILES) else f"no-{out[0]}"} if out else {}
    return options | ({"rounds": board.limit} if board.limit else {})


def seen(board: Board, seat: int) -> dict[str, Any]:
    """A position as a seat knows it: "?" stands for each card that it has not seen there, or go there, or that may have
    left since unseen by it. Of the deck there is only how many cards lie in no known order."""
    ids, known = board.box.card_ids, board.known(seat)
    record = record_of(board)
    del record["history"]
    for town, name in enumerate(board.seats):
        if town not in (HUNTER, seat):
            hand = [ids[card] for card in known.hands[town]]
            record["seats"][name] = {"hand": hand + [UNKNOWN] * (len(board.hands[town]) - len(hand))}
    record["woods"] = UNKNOWN if known.woods == UNSEEN else ids[known.woods]
    record["under"] = [UNKNOWN if card == UNSEEN else ids[card] for card in known.under]
    record["deck"] = len(board.pool)
    if board.tray:
        record["tray"] = [ids[card] for card in known.tray] + [UNKNOWN] * (len(board.tray) - len(known.tray))
    return record
