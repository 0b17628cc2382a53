"""What the log of Curses & Covens says: a state and what has just happened in, events out; and how a game ended.

A sentence about a card that not everybody saw is for those who did; the others read the same without the card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from grimalkin.engine.words import Event, Result, listed
from grimalkin.games.curses_and_covens.facts import (
    BROKEN_MIRROR,
    BY_CAPTURES,
    BY_COVEN,
    BY_NOBODY,
    BY_RITUALS,
    CARD_BITS,
    CARD_SHIFT,
    COVEN,
    FAKE,
    FORKED_PATH,
    HUNTER,
    LOOKING_GLASS,
    LULLABY,
    NIGHTMARE,
    NOTHING,
    RITUALS_TO_WIN,
    SEAT_BITS,
    SIDES,
    SPELL_RULES,
    SUITS,
    WILD,
    WILD_CHASE,
    WITCHES_TO_WIN,
)
from grimalkin.plain import plural

if TYPE_CHECKING:
    from grimalkin.games.curses_and_covens.state import State

Log = list[Event]

ENDING_WORDS: Final = ("", "a coven", "two rituals", "five witches caught", "nobody wins")
"""By ending: what a tally calls it."""


def the(state: State, cards: Sequence[int]) -> str:
    """Cards in a sentence."""
    return listed([state.box.names[card] for card in cards])


def some(count: int, word: str, plural: str = "") -> str:
    """A number of things.

    >>> some(1, "card"), some(2, "card"), some(2, "witch", "witches")
    ('1 card', '2 cards', '2 witches')
    """
    return f"{count} {word if count == 1 else plural or f'{word}s'}"


def towns_of(state: State) -> list[str]:
    return list(state.seats[1:])


def secret(rule: str, text: str, readers: Sequence[int], hint: str) -> Event:
    return Event(rule, text, frozenset(readers), hint)


# Set-up and Census


def set_up(state: State, log: Log) -> None:
    hunter, towns = state.seats[HUNTER], towns_of(state)
    log.append(Event("CC-PLAYERS-1", f"{hunter} is the Witch Hunter, {listed(towns)} are the towns."))
    log.append(Event("CC-AMB-20", f"{towns[0]} sits at {hunter}'s left hand, and the towns follow clockwise."))
    tiles = [tile.name for tile, side in zip(state.box.tiles, state.sides, strict=True) if side != NOTHING]
    if tiles:
        log.append(Event("CC-SETUP-3", f"On the table, charm side up: {listed(tiles)}."))
    out = [tile.name for tile, side in zip(state.box.tiles, state.sides, strict=True) if side == NOTHING]
    if out:
        log.append(Event("CC-AMB-31", f"Left in the box: {listed(out)}."))
    hidden = f"{hunter} hides {the(state, [state.woods])} in the woods."
    log.append(secret("CC-SETUP-4", hidden, [HUNTER], f"{hunter} looks at a card and hides it in the woods."))
    for town, name in enumerate(state.seats):
        if town != HUNTER:
            hand = state.hands[town]
            dealt = f"{name} is dealt {the(state, hand)}."
            log.append(secret("CC-SETUP-5", dealt, [town], f"{name} is dealt {some(len(hand), 'card')}."))
    log.append(Event("CC-SETUP-6", f"The other {some(len(state.pool), 'card')} are the deck."))


def round_begins(state: State, log: Log) -> None:
    rule = "CC-ROUND-1" if state.round == 1 else "CC-HUNT-13"
    log.append(Event(rule, f"Round {state.round} begins with its Census."))
    if state.round == 1:
        first = state.seats[state.hat]
        log.append(Event("CC-AMB-23", f"The hat stands before {first}, who speaks for the towns."))


def drew_in_census(state: State, town: int, card: int, log: Log) -> None:
    name = state.seats[town]
    if card == NOTHING:
        log.append(Event("CC-TRAV-7", f"{name} has no cards, and draws none: the deck is empty."))
    else:
        drawn = f"{name} has no cards, and draws {the(state, [card])}."
        log.append(secret("CC-CENSUS-1", drawn, [town], f"{name} has no cards, and draws one."))


def census(state: State, log: Log) -> None:
    for town, name in enumerate(state.seats):
        if town != HUNTER:
            log.append(Event("CC-CENSUS-2", f"{name} shows {the(state, state.hands[town]) or 'no cards'}."))
    for town, name in enumerate(state.seats):
        _log_coven(state, town, name, log)


def _log_coven(state: State, town: int, name: str, log: Log) -> None:
    """Whether a town's hand is a coven, and why not, if it looks like one."""
    hand, kinds = state.hands[town], state.box.cards.kinds
    suited = [sum(kinds[card] == suit for card in hand) for suit in range(len(SUITS))]
    wild = sum(kinds[card] == WILD for card in hand)
    most = state.most_of_a_suit(town)
    suit = SUITS[suited.index(max(suited))]
    if most >= COVEN:
        log.append(Event("CC-CENSUS-3", f"{name} shows {most} witches of {suit}: a coven."))
        if wild:
            log.append(Event("CC-AMB-13", f"The wild witch stands for {suit} beside {plural(max(suited), 'other')}."))
            log.append(Event("CC-AMB-14", f"She is read anew for each check, and here as {suit}."))
        if state.castable():
            log.append(Event("CC-AMB-15", "The coven comes before any spell."))
        return
    if most == COVEN - 1 and any(kinds[card] == FAKE for card in hand):
        log.append(Event("CC-HUNT-12", f"{name}'s fake witch is of no suit, so {most} of {suit} are no coven."))
    if wild and sum(suited) >= COVEN - 1:
        both = listed([SUITS[each] for each, count in enumerate(suited) if count])
        log.append(Event("CC-AMB-13", f"{name}'s wild witch stands for one suit, not for {both} together: no coven."))


def cast(state: State, spell: int, log: Log) -> None:
    box, who = state.box, state.seats[state.turn]
    tile = box.tiles[box.tile_of[spell]]
    name = box.spell_names[spell]
    first, second = box.icons[spell]
    icons = f"{SUITS[first]} and {SUITS[second]}"
    kinds, without_wild = box.cards.kinds, False
    casters = []
    for town, hand in enumerate(state.hands):
        if box.judged[sum([box.weights[card] for card in hand])].pairs & box.pairs[spell]:
            casters.append(state.seats[town])
            tame = [card for card in hand if kinds[card] != WILD]
            if box.judged[sum([box.weights[card] for card in tame])].pairs & box.pairs[spell]:
                without_wild = True
    shows = f"{listed(casters)} {'show' if len(casters) > 1 else 'shows'}"
    log.append(Event("CC-SPELL-1", f"{who} announces {name}: {shows} {icons}."))
    if first == second:
        log.append(Event("CC-AMB-3", f"Two icons of {SUITS[first]} take two witches."))
    if not without_wild:
        log.append(Event("CC-SPELL-5", "The wild witch stands for one of the icons."))
    log.append(Event("CC-SPELL-2", f"{tile.name} is set apart, and {name} holds until the round is over."))
    log.append(Event("CC-SPELL-3", "The witches stay in hand."))
    log.append(Event(SPELL_RULES[spell], f"{_effect(spell)}"))


def _effect(spell: int) -> str:
    if spell == LULLABY:
        return "The town with the hat will draw first in Arrival, and the Hunter will not look at its card."
    if spell == NIGHTMARE:
        return "The Hunt will have 1 pick only, and the town picked will lose its whole hand."
    if spell == LOOKING_GLASS:
        return "The second pick will have to fall on another town."
    if spell == BROKEN_MIRROR:
        return "No witch will be captured in this Hunt, but the Hunter chooses who gets which card in Arrival."
    if spell == FORKED_PATH:
        return "The town with the hat will take 2 actions."
    return "Travel will go round twice, and the Hunt will have 3 picks."


def said(state: State, words: str, log: Log) -> None:
    who, hunter = state.seats[state.turn], state.seats[HUNTER]
    log.append(Event("CC-CENSUS-4", f'{who} says: "{words}"'))
    log.append(Event("CC-CENSUS-5", f"True or not, {hunter} hears it too."))
    log.append(Event("CC-AMB-27", "It binds nobody."))


def hat_passed(state: State, before: int, log: Log) -> None:
    name, has = state.seats[state.hat], "keeps" if state.hat == before else "has"
    log.append(Event("CC-CENSUS-6", f"{name} {has} the hat, and goes first in Travel."))
    log.append(Event("CC-CENSUS-7", "The cards shown are taken back to hand."))


# Arrival


def deck_empty(state: State, log: Log) -> None:
    log.append(Event("CC-TRAV-7", "The deck is empty, so no card is drawn."))
    if state.served:
        rest = listed([state.seats[town] for town in state.service()[state.served :]])
        log.append(Event("CC-AMB-7", f"The towns got their cards one after the other: {rest} got nothing."))


def arrived(state: State, town: int, card: int, unseen: bool, log: Log) -> None:
    name, hunter = state.seats[town], state.seats[HUNTER]
    if unseen:
        hint = f"{name} has the hat and draws first, and {hunter} does not look at the card."
        got = f"{name} has the hat and draws first: {the(state, [card])}, which {hunter} does not see."
        log.append(secret("CC-CHARM-1", got, [town], hint))
    else:
        hint = f"{hunter} draws a card, looks at it and passes it to {name}."
        got = f"{hunter} draws {the(state, [card])} and passes it to {name}."
        log.append(secret("CC-ARR-1", got, [HUNTER, town], hint))


def looked(state: State, log: Log) -> None:
    hunter, count = state.seats[HUNTER], len(state.tray)
    if not count:
        deck_empty(state, log)
        return
    rule = "CC-CURSE-2" if state.cast == BROKEN_MIRROR and not state.rituals else "CC-ARR-2"
    why = "under the Broken Mirror" if rule == "CC-CURSE-2" else "with a ritual in front"
    looks = f"{hunter}, {why}, draws {some(count, 'card')} and looks at"
    hint = f"{looks} {'them all' if count > 1 else 'it'}."
    log.append(secret(rule, f"{looks} {the(state, state.tray)}.", [HUNTER], hint))
    towns = len(state.seats) - 1 - state.served
    if count < towns:
        log.append(Event("CC-AMB-7", f"There are {towns} towns to serve and only {some(count, 'card')}."))


def dealt(state: State, town: int, card: int, log: Log) -> None:
    name, hunter = state.seats[town], state.seats[HUNTER]
    rule = "CC-CURSE-2" if state.cast == BROKEN_MIRROR and not state.rituals else "CC-ARR-2"
    got = f"{hunter} gives {the(state, [card])} to {name}."
    log.append(secret(rule, got, [HUNTER, town], f"{hunter} gives a card to {name}."))


def dealt_nothing(state: State, town: int, log: Log) -> None:
    log.append(Event("CC-AMB-28", f"{state.seats[HUNTER]} gives nothing to {state.seats[town]}."))


# Travel


def travel_begins(state: State, log: Log) -> None:
    towns = towns_of(state)
    log.append(Event("CC-TRAV-1", f"Travel begins with {state.seats[state.hat]}: {_order(state, towns)}."))


def _order(state: State, towns: Sequence[str]) -> str:
    first = state.hat - 1
    return ", then ".join([*towns[first:], *towns[:first]])


def another_lap(state: State, log: Log) -> None:
    towns = towns_of(state)
    log.append(Event("CC-CURSE-3", f"Travel goes round again: {_order(state, towns)}."))


def acts_again(state: State, log: Log) -> None:
    log.append(Event("CC-CHARM-3", f"{state.seats[state.hat]} has the hat, and a second action."))


def gave(state: State, move: int, log: Log) -> None:
    town, to = state.turn, move & SEAT_BITS
    card = move >> CARD_SHIFT & CARD_BITS
    name, other = state.seats[town], state.seats[to]
    text = f"{name} gives {the(state, [card])} to {other}."
    log.append(secret("CC-TRAV-2", text, [town, to], f"{name} gives a card to {other}."))


def asked(state: State, other: int, log: Log) -> None:
    name, asked_ = state.seats[state.turn], state.seats[other]
    if not state.hands[state.turn]:
        log.append(Event("CC-AMB-6", f"{name} has no cards, and can only ask."))
    log.append(Event("CC-TRAV-3", f"{name} asks {asked_} for a card."))
    if len(state.hands[other]) == 1:
        log.append(Event("CC-AMB-4", f"{asked_} has only 1 card, so nothing moves."))


def answered(state: State, town: int, asker: int, card: int, log: Log) -> None:
    name, other = state.seats[town], state.seats[asker]
    text = f"{name} passes {the(state, [card])} to {other}."
    log.append(secret("CC-TRAV-3", text, [town, asker], f"{name} passes a card to {other}."))
    log.append(Event("CC-AMB-22", f"{name} could choose any of its {len(state.hands[town]) + 1} cards."))


def swapped(state: State, town: int, put: int, got: int, log: Log) -> None:
    name = state.seats[town]
    text = f"{name} puts {the(state, [put])} in the woods, and takes {the(state, [got])} from there."
    log.append(secret("CC-TRAV-4", text, [town], f"{name} exchanges a card with the one in the woods."))
    if len(state.hands[town]) == 1:
        log.append(Event("CC-AMB-5", f"It was {name}'s only card, and an exchange is no gift."))


# Hunt


def hunt_begins(state: State, log: Log) -> None:
    picks = state.picks_allowed()
    rule = {NIGHTMARE: "CC-CURSE-1"}.get(state.cast, "CC-CURSE-3" if picks > 2 else "CC-HUNT-1")
    log.append(Event(rule, f"The Hunt begins: {some(picks, 'pick')}."))


def picks_skipped(state: State, log: Log) -> None:
    left = state.picks_allowed() - state.picks
    if any(state.hands):
        log.append(Event("CC-CHARM-2", "No other town than the first has cards, so the second pick is skipped."))
        return
    log.append(Event("CC-AMB-8", f"No town has cards, so {some(left, 'pick')} cannot be made."))
    if left > 1 or state.picks:
        log.append(Event("CC-AMB-29", "Picks that cannot be made are skipped."))


def picked(state: State, town: int, card: int, log: Log) -> None:
    hunter, name = state.seats[HUNTER], state.seats[town]
    log.append(Event("CC-HUNT-2", f"{hunter} picks a card of {name}, and all see {the(state, [card])}."))
    if state.picks > 1:
        same = state.first == town
        if state.cast == LOOKING_GLASS:
            log.append(Event("CC-CHARM-2", f"The first pick was made from {state.seats[state.first]}."))
        elif same:
            rule = "CC-CURSE-3" if state.cast == WILD_CHASE else "CC-HUNT-3"
            log.append(Event(rule, f"{name} may be picked from again."))


def passed_on(state: State, town: int, card: int, to: int, log: Log) -> None:
    name, other = state.seats[town], state.seats[to]
    log.append(Event("CC-HUNT-4", f"{the(state, [card])} is passed on to {other}."))
    if len(state.seats) > 3:
        log.append(Event("CC-AMB-9", f"{state.seats[HUNTER]} could choose any town but {name}; all know the card."))
    if state.cast == NIGHTMARE and state.hands[town]:
        log.append(Event("CC-CURSE-1", f"{name}, which was picked, puts the rest of its hand under the deck."))


def ritual(state: State, card: int, log: Log) -> None:
    hunter, count = state.seats[HUNTER], len(state.rituals)
    text = f"{the(state, [card])} stays in front of {hunter}: {some(count, 'ritual')} there."
    log.append(Event("CC-HUNT-7", text))
    town = _last_picked(state)
    if count < RITUALS_TO_WIN:
        name, has_cards = state.seats[town], bool(state.hands[town])
        if has_cards and state.cast == NIGHTMARE:
            log.append(Event("CC-CURSE-1", f"{name} puts the rest of its hand under the deck all the same."))
        elif has_cards:
            log.append(Event("CC-HUNT-14", f"{name} keeps its hand."))
    elif state.cast == NIGHTMARE and state.hands[town]:
        log.append(Event("CC-AMB-29", "The second ritual wins before anything is put under the deck."))


def _last_picked(state: State) -> int:
    """The town of the last pick, which the history has just before what became of the card."""
    return state.history[-2][1]


def slips_away(state: State, town: int, card: int, log: Log) -> None:
    after = f" after the rest of {state.seats[town]}'s hand" if state.hands[town] else ""
    text = f"{the(state, [card])} is not captured, and will go under the deck{after}."
    log.append(Event("CC-CURSE-2", text))


def caught(state: State, town: int, card: int, log: Log) -> None:
    hunter, name, count = state.seats[HUNTER], state.seats[town], len(state.witches)
    kind = state.box.cards.kinds[card]
    witches = some(count, "witch", "witches")
    log.append(Event("CC-HUNT-5", f"{the(state, [card])} is captured: {witches} in front of {hunter}."))
    if kind == WILD:
        log.append(Event("CC-HUNT-15", "The wild witch is captured like any other."))
    if kind == FAKE and count >= WITCHES_TO_WIN:
        text = f"She makes {witches}, but her own capture never wins: the others escape."
        log.append(Event("CC-HUNT-10", text))
    if count >= WITCHES_TO_WIN and kind != FAKE and state.box.fake in state.witches:
        log.append(Event("CC-HUNT-11", f"The fake witch is one of the {count}."))
    ends = count >= WITCHES_TO_WIN and kind != FAKE
    if state.hands[town] and not ends:
        left = len(state.hands[town])
        rest = "its other card" if left == 1 else f"the other {left} cards of its hand"
        log.append(Event("CC-HUNT-5", f"{name} puts {rest} under the deck."))


def laid_under(state: State, town: int, card: int, log: Log) -> None:
    name = state.seats[town]
    text = f"{name} puts {the(state, [card])} under the deck."
    log.append(secret("CC-AMB-10", text, [town], f"{name} puts a card under the deck."))


def slipped(state: State, card: int, log: Log) -> None:
    log.append(Event("CC-CURSE-2", f"{the(state, [card])} goes under the deck."))


def escaped(state: State, others: Sequence[int], laid: bool, log: Log) -> None:
    """`laid`: whether the town has laid cards under the deck before."""
    fake, escape = state.box.fake, "escapes" if len(others) == 1 else "escape"
    log.append(Event("CC-HUNT-8", f"For {the(state, [fake])} {the(state, others)} {escape} under the deck."))
    if laid:
        log.append(Event("CC-AMB-11", "They go after what the town has put there."))
    if len(others) > 1:
        log.append(Event("CC-AMB-25", f"The first captured lies nearest the top: {the(state, others[:1])}."))
    log.append(Event("CC-HUNT-9", f"{the(state, [fake])} stays to the end of the game."))


def flipped(state: State, tile: int, log: Log) -> None:
    side = SIDES[state.sides[tile]]
    log.append(Event("CC-SPELL-6", f"{state.box.tiles[tile].name} turns over, and shows its {side}."))
    if len(state.sides) - state.sides.count(NOTHING) > 1:
        log.append(Event("CC-AMB-16", "Tiles that were not cast stay as they are."))


# Shuffling


def shuffled(state: State, log: Log) -> None:
    hunter = state.seats[HUNTER]
    log.append(Event("CC-SETUP-7", f"{hunter} shuffles the deck, with {some(len(state.under), 'card')} from under it."))
    log.append(Event("CC-AMB-12", "It changes what is drawn next, and no rule."))


def left_alone(state: State, log: Log) -> None:
    log.append(Event("CC-AMB-26", f"{state.seats[HUNTER]} leaves the deck as it is."))


# The end


def game_ends(state: State, ending: int, log: Log) -> None:
    left = state.picks_allowed() - state.picks
    if ending in (BY_RITUALS, BY_CAPTURES) and left:
        log.append(Event("CC-AMB-17", f"The game is over, and {some(left, 'pick')} will not be made."))
    log += [Event(rule, because) for rule, because in steps(state, ending)]


def covens(state: State) -> list[str]:
    """The towns that have a coven."""
    return [name for town, name in enumerate(state.seats) if town != HUNTER and state.most_of_a_suit(town) >= COVEN]


def steps(state: State, ending: int) -> list[tuple[str, str]]:
    """How an ending came about, as (rule, sentence); the last one decides."""
    hunter = state.seats[HUNTER]
    if ending == BY_COVEN:
        return [("CC-WIN-1", f"{listed(covens(state))} has shown a coven in the Census: the towns win.")]
    if ending == BY_RITUALS:
        text = f"{hunter} has walked into {len(state.rituals)} rituals: the towns win."
        return [("CC-HUNT-7", "The second ritual wins at once."), ("CC-WIN-2", text)]
    if ending == BY_CAPTURES:
        text = f"{len(state.witches)} witches are captured: {hunter} wins."
        return [("CC-HUNT-6", "The fifth witch wins at once."), ("CC-WIN-3", text)]
    return [("CC-AMB-30", f"Round {state.round} was agreed to be the last, and no side has won.")]


def result(state: State) -> Result:
    """Who has won, once the game is over."""
    ending = state.ending
    told = steps(state, ending)
    rules = {
        BY_COVEN: ("CC-WIN-1", "CC-CENSUS-3"),
        BY_RITUALS: ("CC-WIN-2", "CC-HUNT-7"),
        BY_CAPTURES: ("CC-WIN-3", "CC-HUNT-6"),
        BY_NOBODY: ("CC-AMB-30",),
    }[ending]
    winners = {BY_CAPTURES: state.seats[:1], BY_NOBODY: ()}.get(ending, state.seats[1:])
    return Result(winners, rules, told[-1][1])
