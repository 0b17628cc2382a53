"""Bots for Curses & Covens, which choose a move from a seat's view and its legal moves.

The sensible bot chooses by its beliefs about hidden cards. It aims for the hands that will be worth most: rituals where
the Hunter picks, covens elsewhere. The numbers used were found by playing many games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from grimalkin.engine.contract import Bot
from grimalkin.engine.play import random_bot
from grimalkin.games.curses_and_covens.beliefs import (
    ARRIVED,
    FAKE,
    NO_PICK,
    PICKED,
    RITUAL,
    SHOWN,
    TOWNSFOLK,
    Beliefs,
    Whereabouts,
)
from grimalkin.games.curses_and_covens.board import View
from grimalkin.games.curses_and_covens.facts import HUNTER, Move, Spell, Stage, Verb
from grimalkin.games.curses_and_covens.knowledge import Deed

WHIM: Final = 0.14
"""How far, in wins, chance may distort a town's judgement of an action, to make the action unpredictable."""
HUNTERS_WHIM: Final = 0.035
"""The same for the Hunter's judgements."""
RITUALS_MATTER: Final = 1.0
"""How many witches a ritual in the deck outweighs when the Hunter considers shuffling."""
SPELL_ORDER: Final = (
    Spell.NIGHTMARE,
    Spell.BROKEN_MIRROR,
    Spell.LULLABY,
    Spell.LOOKING_GLASS,
    Spell.FORKED_PATH,
    Spell.WILD_CHASE,
)
"""Spells that can be cast, the best first."""
LIKELY_THERE: Final = 0.6
"""A card at least this likely is assumed to be at a place."""

CAST, ASK, GIVE, WOODS = Verb.CAST, Verb.ASK, Verb.GIVE, Verb.WOODS  # looked up once, as in `beliefs`


def sensible_bot(seed: int) -> Bot:
    """Return a bot that plays for the side of its seat, from what its seat has seen."""
    luck = Random(str(seed))
    mind: Beliefs | None = None

    def bot(view: View, legal: Sequence[Move]) -> Move:
        nonlocal mind
        if mind is None or not mind.has_followed(view):
            mind = Beliefs(view)
        mind.follow(view)
        choose = _hunter if view.seat == HUNTER else _town
        return choose(view, legal, mind, luck)

    return bot


# The towns


def _town(view: View, legal: Sequence[Move], mind: Beliefs, luck: Random) -> Move:
    if view.stage is Stage.ANNOUNCE:
        return _announce(legal, mind.own, luck)
    if view.stage is Stage.EMPTY:  # the order hardly matters: the Hunter could only respond by shuffling
        return legal[0]
    return _best_move(view, legal, mind, luck)


def _announce(legal: Sequence[Move], own: Whereabouts, luck: Random) -> Move:
    """Return the best spell, or else the hat for the town with the most witches of one suit."""
    for spell in SPELL_ORDER:
        if Move(CAST, spell=spell) in legal:
            return Move(CAST, spell=spell)
    hats = [move for move in legal if move.verb is not CAST]
    return max(hats, key=lambda hat: own.hand(hat.seat).most + luck.random())


def _best_move(view: View, legal: Sequence[Move], mind: Beliefs, luck: Random) -> Move:
    """Return the action or answer that makes all hands worth most; cards of the same kind are equally good."""
    own, me, woods = mind.own, view.seat, len(view.names)
    kinds = own.kinds
    picks = mind.hunters.picks_expected()
    now = [own.worth(own.hand(town), picks[town]) if town else 0.0 for town in range(woods)]
    tried: dict[tuple[int, int], float] = {}
    best, most = legal[0], -NO_PICK
    for move in legal:
        verb, card, seat, _ = move
        if verb is ASK:
            worth = _worth_of_asking(own, me, seat, picks, now)
        else:
            to = seat if verb is GIVE else woods if verb is WOODS else view.acting
            key = to, kinds[card]
            if key not in tried:
                two = now[me] + (now[to] if to < woods else 0.0)
                tried[key] = own.worth_of_move(me, to, card, picks) - two
            worth = tried[key]
        worth += luck.random() * WHIM
        if worth > most:
            best, most = move, worth
    return best


def _worth_of_asking(own: Whereabouts, me: int, asked: int, picks: Sequence[float], now: Sequence[float]) -> float:
    """Return the worth of asking: a town that is asked passes the card that is best for all."""
    if own.sizes[asked] == 1:
        return 0.0
    one_of = {own.kinds[card]: card for card, chance in own.cards[asked].items() if chance > LIKELY_THERE}
    worths = [own.worth_of_move(asked, me, card, picks) for card in one_of.values()]
    return max(worths) - now[asked] - now[me] if worths else 0.0


# The Witch Hunter


def _hunter(view: View, legal: Sequence[Move], mind: Beliefs, luck: Random) -> Move:
    own, stage = mind.own, view.stage
    if stage is Stage.QUESTION:
        return Move(Verb.SHUFFLE if _is_better_shuffled(view, own) else Verb.LEAVE)
    if stage is Stage.PICK:
        values = own.values_of_picks()
        return min(legal, key=lambda pick: values[pick.seat] + luck.random() * HUNTERS_WHIM)
    towns = len(view.names) - 1
    each = own.picks_allowed() / towns
    if stage is Stage.PASS:
        return min(legal, key=lambda to: own.gain(to.seat, view.taken, each) + luck.random() * HUNTERS_WHIM)
    order = list(range(1, towns + 1))
    if view.cast is Spell.LULLABY:
        order.sort(key=lambda town: town != view.hat)
    first, *later = order[view.served :]
    return min(legal, key=lambda deal: _gain_of_deal(own, deal, first, later, each) + luck.random() * HUNTERS_WHIM)


def _gain_of_deal(own: Whereabouts, deal: Move, town: int, later: Sequence[int], each: float) -> float:
    """Return the towns' gain if a card from the tray goes to this town instead of one that is served later."""
    if deal.verb is Verb.DEAL_NOTHING:
        return 0.0
    card = deal.card
    here = own.gain(town, card, each)
    if not later:
        return here
    return here - sum([own.gain(other, card, each) for other in later]) / len(later)


def _is_better_shuffled(view: View, own: Whereabouts) -> bool:
    """Return whether the Hunter prefers the cards under the deck to those above them.

    The cards under the deck are those seen by the Hunter since the last shuffle that are neither in a hand nor in
    front of the Hunter.
    """
    seen: set[int] = set()
    for deed, _, _, cards in reversed(view.log):
        if deed is Deed.SHUFFLED:
            break
        if deed in (SHOWN, ARRIVED, PICKED, Deed.ESCAPED):
            seen.update(cards)
    kinds, front = own.kinds, {*view.witches, *view.rituals}
    above: list[int] = []
    below: list[int] = []
    for card, kind in enumerate(kinds):
        if card not in front and sum([cards.get(card, 0.0) for cards in own.cards]) < LIKELY_THERE:
            (below if card in seen else above).append(kind)
    return _liking(below) > _liking(above)


def _liking(kinds: Sequence[int]) -> float:
    """Return how much the Hunter likes towns to draw such cards, on average."""
    if not kinds:
        return 0.0
    witches = len(kinds) - kinds.count(TOWNSFOLK) - kinds.count(RITUAL) - kinds.count(FAKE)
    return (witches - RITUALS_MATTER * kinds.count(RITUAL)) / len(kinds)


BOTS: Final[Mapping[str, Callable[[int], Bot]]] = {"random": random_bot, "sensible": sensible_bot}
