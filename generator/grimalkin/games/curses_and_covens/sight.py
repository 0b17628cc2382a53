"""What a seat sees of a game of Curses & Covens, and other games that look the same to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from grimalkin.engine.chance import Chance
from grimalkin.engine.law import law
from grimalkin.games.curses_and_covens.board import Board
from grimalkin.games.curses_and_covens.box import Cards, Tile
from grimalkin.games.curses_and_covens.facts import HUNTER, NOBODY, UNSEEN, Ending, Phase, Side, Spell, Stage
from grimalkin.games.curses_and_covens.knowledge import DECK, TRAY, Entry, Known, other_world

B = TypeVar("B", bound=Board)


class View(NamedTuple):
    """What a seat sees (CC-AMB-18). Cards are numbers, as in `cards`."""

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
    """In front of the Witch Hunter, in the order in which they came."""
    rituals: tuple[int, ...]
    sides: tuple[Side | None, ...]
    """By tile: the side that is up; None for a tile left in the box."""
    cast: Spell | None
    """The spell cast this round."""
    castable: tuple[Spell, ...]
    """In a Census: the spells for which one town shows the icons."""
    hat: int
    talk: tuple[str, ...]
    deck: int
    """How many cards lie in the deck in no known order,"""
    under: int
    """and how many below them."""
    served: int
    """In Arrival: how many towns are done with,"""
    service: tuple[int, ...]
    """and all towns in the order in which they are served this round."""
    tray: tuple[int, ...]
    """In an Arrival of choice: what the Witch Hunter looks at. For a town, those that it knows to lie there first, and
    the others UNSEEN."""
    acted: int
    """In Travel: how many towns, from the hat on, are done with,"""
    lap: int
    """in which lap,"""
    again: bool
    """and whether the hat's first action of a Forked Path is done."""
    acting: int
    """In Travel: the town on turn, also while another answers it; or NOBODY."""
    picks: int
    """In a Hunt: picks made, with the one under way."""
    first: int
    """In a Hunt: the town of the first pick, or NOBODY."""
    taken: int
    """In a Hunt: the card shown that does not lie anywhere yet, or NOTHING,"""
    taken_from: int
    """and from which town it came, or NOBODY."""
    ending: Ending
    log: tuple[Entry, ...]
    """The history, with every card that this seat did not see as UNSEEN."""
    known: Known


@law("CC-AMB-18", "CC-ARR-3", "CC-TRAV-5")
def view_of(board: Board, seat: int) -> View:
    """What a seat may know (CC-AMB-18): its own hand, what lies open, how many cards lie elsewhere, and what it has
    seen before (CC-ARR-3, CC-TRAV-5)."""
    known = board.known(seat)
    tray = known.tray + (UNSEEN,) * (len(board.tray) - len(known.tray))
    return View(
        seat,
        board.box.cards,
        board.box.tiles,
        board.seats,
        board.turn,
        board.round,
        board.limit,
        board.phase,
        board.stage,
        tuple(board.hands[seat]),
        tuple(map(len, board.hands)),
        tuple(board.witches),
        tuple(board.rituals),
        tuple(board.sides),
        board.cast,
        tuple(board.castable()) if board.stage is Stage.ANNOUNCE else (),
        board.hat,
        tuple(board.talk),
        len(board.pool),
        len(board.under),
        board.served,
        tuple(board.service()),
        tray,
        board.acted,
        board.lap,
        board.again,
        board.acting() if board.phase is Phase.TRAVEL else NOBODY,
        board.picks,
        board.first,
        board.taken,
        board.taken_from,
        board.ending,
        tuple(board.mind(seat).log),
        known,
    )


def another_world(board: B, seat: int, chance: Chance) -> B:
    """Another course of hidden cards that looks the same to a seat."""
    other = board.copy(chance)
    numbers, ids = board.box.numbers, board.box.card_ids
    places: dict[int, Sequence[int]] = dict(enumerate(board.hands))
    places[DECK] = [numbers[id_] for id_ in board.pool]
    places[TRAY] = board.tray
    plain = {*board.hands[seat], *board.witches, *board.rituals, board.taken}
    if seat == HUNTER:
        plain.update(board.tray)
    other.history, now = other_world(board.history, seat, len(ids), places, plain, chance)
    other.hands = [sorted([now[card] for card in hand]) for hand in board.hands]
    other.woods = now[board.woods]
    other.under = [now[card] for card in board.under]
    other.tray = sorted([now[card] for card in board.tray])
    other.pool = [ids[now[numbers[id_]]] for id_ in board.pool]
    return other
