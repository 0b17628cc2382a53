"""What the log of Curses & Covens says: a table and what has just happened on it in, events out.

A sentence about a card that not everybody saw is for those who did; the others read the same without the card. Its
facts are for the same readers. In them a `town` is a name, a `card` an id; `hand` is how many cards one has, `witches`
and `rituals` how many lie in front of the Hunter, and `needed` how many of them decide the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grimalkin.engine.words import NO_FACTS, Event, Fact, listed
from grimalkin.games.curses_and_covens import scoring
from grimalkin.games.curses_and_covens.board import Board
from grimalkin.games.curses_and_covens.facts import (
    COVEN,
    HUNTER,
    NOTHING,
    PICKS,
    RITUALS_TO_WIN,
    SUITS,
    WITCHES_TO_WIN,
    Ending,
    Kind,
    Move,
    Side,
    Spell,
)
from grimalkin.problems.plain import plural

Log = list[Event]


def the(board: Board, cards: Sequence[int]) -> str:
    """Cards in a sentence."""
    return listed([board.box.names[card] for card in cards])


def towns_of(board: Board) -> list[str]:
    return list(board.seats[1:])


def ids(board: Board, cards: Sequence[int]) -> tuple[str, ...]:
    """Cards in facts."""
    return tuple([board.box.card_ids[card] for card in cards])


def id_of(board: Board, card: int) -> str:
    return board.box.card_ids[card]


def say(log: Log, rule: str, text: str, facts: Mapping[str, Fact] = NO_FACTS) -> None:
    """What everybody sees."""
    log.append(Event(rule, text, facts=facts))


def whisper(log: Log, rule: str, text: str, readers: Sequence[int], hint: str, facts: Mapping[str, Fact]) -> None:
    """What some seats see; the others read the hint."""
    log.append(Event(rule, text, frozenset(readers), hint, facts))


# Set-up and Census


def set_up(board: Board, log: Log) -> None:
    hunter, towns = board.seats[HUNTER], towns_of(board)
    say(
        log,
        "CC-PLAYERS-1",
        f"{hunter} is the Witch Hunter, {listed(towns)} are the towns.",
        {"hunter": hunter, "towns": tuple(towns)},
    )
    say(
        log,
        "CC-AMB-20",
        f"{towns[0]} sits at {hunter}'s left hand, and the towns follow clockwise.",
        {"town": towns[0]},
    )
    tiles = [tile for tile, side in zip(board.box.tiles, board.sides, strict=True) if side is not None]
    if tiles:
        say(
            log,
            "CC-SETUP-3",
            f"On the table, charm side up: {listed([tile.name for tile in tiles])}.",
            {"tiles": tuple([tile.id for tile in tiles])},
        )
    out = [tile for tile, side in zip(board.box.tiles, board.sides, strict=True) if side is None]
    if out:
        say(
            log,
            "CC-AMB-31",
            f"Left in the box: {listed([tile.name for tile in out])}.",
            {"tiles": tuple([tile.id for tile in out])},
        )
    hidden = f"{hunter} hides {the(board, [board.woods])} in the woods."
    whisper(
        log,
        "CC-SETUP-4",
        hidden,
        [HUNTER],
        f"{hunter} looks at a card and hides it in the woods.",
        {"card": id_of(board, board.woods)},
    )
    for town, name in enumerate(board.seats):
        if town != HUNTER:
            hand = board.hands[town]
            dealt = f"{name} is dealt {the(board, hand)}."
            whisper(
                log,
                "CC-SETUP-5",
                dealt,
                [town],
                f"{name} is dealt {plural(len(hand), 'card')}.",
                {"town": name, "cards": ids(board, hand)},
            )
    say(log, "CC-SETUP-6", f"The other {plural(len(board.pool), 'card')} are the deck.", {"deck": len(board.pool)})


def round_begins(board: Board, log: Log) -> None:
    rule = "CC-ROUND-1" if board.round == 1 else "CC-HUNT-13"
    say(log, rule, f"Round {board.round} begins with its Census.", {"round": board.round})
    if board.round == 1:
        first = board.seats[board.hat]
        say(log, "CC-AMB-23", f"The hat stands before {first}, who speaks for the towns.", {"town": first})


def drew_in_census(board: Board, town: int, card: int, log: Log) -> None:
    name = board.seats[town]
    if card == NOTHING:
        say(log, "CC-TRAV-7", f"{name} has no cards, and draws none: the deck is empty.", {"town": name})
    else:
        drawn = f"{name} has no cards, and draws {the(board, [card])}."
        whisper(
            log,
            "CC-CENSUS-1",
            drawn,
            [town],
            f"{name} has no cards, and draws one.",
            {"town": name, "card": id_of(board, card)},
        )


def census(board: Board, log: Log) -> None:
    for town, name in enumerate(board.seats):
        if town != HUNTER:
            say(
                log,
                "CC-CENSUS-2",
                f"{name} shows {the(board, board.hands[town]) or 'no cards'}.",
                {"town": name, "cards": ids(board, board.hands[town])},
            )
    for town, name in enumerate(board.seats):
        _log_coven(board, town, name, log)


def _log_coven(board: Board, town: int, name: str, log: Log) -> None:
    """Whether a town's hand is a coven, and why not, if it looks like one."""
    hand, kinds = board.hands[town], board.box.cards.kinds
    suited = [sum(kinds[card] is suit for card in hand) for suit in SUITS]
    wild = sum(kinds[card] is Kind.WILD for card in hand)
    most = board.most_of_a_suit(town)
    suit = SUITS[suited.index(max(suited))].word
    coven: dict[str, Fact] = {"town": name, "suit": suit, "witches": most, "needed": COVEN}
    if most >= COVEN:
        say(log, "CC-CENSUS-3", f"{name} shows {most} witches of {suit}: a coven.", coven)
        if wild:
            say(
                log,
                "CC-AMB-13",
                f"The wild witch stands for {suit} beside {plural(max(suited), 'other')}.",
                {"town": name, "suit": suit, "others": max(suited)},
            )
            say(log, "CC-AMB-14", f"She is read anew for each check, and here as {suit}.", {"suit": suit})
        if board.castable():
            say(log, "CC-AMB-15", "The coven comes before any spell.")
        return
    if most == COVEN - 1 and any(kinds[card] is Kind.FAKE for card in hand):
        say(log, "CC-HUNT-12", f"{name}'s fake witch is of no suit, so {most} of {suit} are no coven.", coven)
    if wild and sum(suited) >= COVEN - 1:
        suits = tuple([suit.word for suit, count in zip(SUITS, suited, strict=True) if count])
        say(
            log,
            "CC-AMB-13",
            f"{name}'s wild witch stands for one suit, not for {listed(suits)} together: no coven.",
            {"town": name, "suits": suits, "needed": COVEN},
        )


def cast(board: Board, spell: Spell, log: Log) -> None:
    box, who = board.box, board.seats[board.turn]
    tile = box.tiles[box.tile_of[spell]]
    name = box.spell_names[spell]
    first, second = box.icons[spell]
    icons = f"{first.word} and {second.word}"
    kinds, without_wild = box.cards.kinds, False
    casters = []
    for town, hand in enumerate(board.hands):
        if spell in box.judge(hand).casts:
            casters.append(board.seats[town])
            tame = [card for card in hand if kinds[card] is not Kind.WILD]
            if spell in box.judge(tame).casts:
                without_wild = True
    shows = f"{listed(casters)} {'show' if len(casters) > 1 else 'shows'}"
    say(
        log,
        "CC-SPELL-1",
        f"{who} announces {name}: {shows} {icons}.",
        {"town": who, "spell": spell.word, "icons": (first.word, second.word), "shown-by": tuple(casters)},
    )
    if first is second:
        say(log, "CC-AMB-3", f"Two icons of {first.word} take two witches.", {"suit": first.word})
    if not without_wild:
        say(log, "CC-SPELL-5", "The wild witch stands for one of the icons.")
    say(
        log,
        "CC-SPELL-2",
        f"{tile.name} is set apart, and {name} holds until the round is over.",
        {"tile": tile.id, "spell": spell.word},
    )
    say(log, "CC-SPELL-3", "The witches stay in hand.")
    say(log, spell.rule, spell.effect, {"spell": spell.word, "picks": spell.picks, "laps": spell.laps})


def said(board: Board, words: str, log: Log) -> None:
    who, hunter = board.seats[board.turn], board.seats[HUNTER]
    say(log, "CC-CENSUS-4", f'{who} says: "{words}"', {"town": who, "words": words})
    say(log, "CC-CENSUS-5", f"True or not, {hunter} hears it too.")
    say(log, "CC-AMB-27", "It binds nobody.")


def hat_passed(board: Board, before: int, log: Log) -> None:
    name, has = board.seats[board.hat], "keeps" if board.hat == before else "has"
    say(
        log,
        "CC-CENSUS-6",
        f"{name} {has} the hat, and goes first in Travel.",
        {"town": name, "keeps": board.hat == before},
    )
    say(log, "CC-CENSUS-7", "The cards shown are taken back to hand.")


# Arrival


def deck_empty(board: Board, log: Log) -> None:
    say(log, "CC-TRAV-7", "The deck is empty, so no card is drawn.")
    if board.served:
        rest = tuple([board.seats[town] for town in board.service()[board.served :]])
        say(
            log,
            "CC-AMB-7",
            f"The towns got their cards one after the other: {listed(rest)} got nothing.",
            {"towns": rest},
        )


def arrived(board: Board, town: int, card: int, unseen: bool, log: Log) -> None:
    name, hunter = board.seats[town], board.seats[HUNTER]
    facts = {"town": name, "card": id_of(board, card)}
    if unseen:
        hint = f"{name} has the hat and draws first, and {hunter} does not look at the card."
        got = f"{name} has the hat and draws first: {the(board, [card])}, which {hunter} does not see."
        whisper(log, "CC-CHARM-1", got, [town], hint, facts)
    else:
        hint = f"{hunter} draws a card, looks at it and passes it to {name}."
        got = f"{hunter} draws {the(board, [card])} and passes it to {name}."
        whisper(log, "CC-ARR-1", got, [HUNTER, town], hint, facts)


def looked(board: Board, log: Log) -> None:
    hunter, count = board.seats[HUNTER], len(board.tray)
    if not count:
        deck_empty(board, log)
        return
    rule = "CC-CURSE-2" if board.cast is Spell.BROKEN_MIRROR and not board.rituals else "CC-ARR-2"
    why = "under the Broken Mirror" if rule == "CC-CURSE-2" else "with a ritual in front"
    looks = f"{hunter}, {why}, draws {plural(count, 'card')} and looks at"
    hint = f"{looks} {'them all' if count > 1 else 'it'}."
    whisper(log, rule, f"{looks} {the(board, board.tray)}.", [HUNTER], hint, {"cards": ids(board, board.tray)})
    towns = len(board.seats) - 1 - board.served
    if count < towns:
        say(
            log,
            "CC-AMB-7",
            f"There are {towns} towns to serve and only {plural(count, 'card')}.",
            {"towns-left": towns, "drawn": count},
        )


def dealt(board: Board, town: int, card: int, log: Log) -> None:
    name, hunter = board.seats[town], board.seats[HUNTER]
    rule = "CC-CURSE-2" if board.cast is Spell.BROKEN_MIRROR and not board.rituals else "CC-ARR-2"
    got = f"{hunter} gives {the(board, [card])} to {name}."
    whisper(
        log, rule, got, [HUNTER, town], f"{hunter} gives a card to {name}.", {"town": name, "card": id_of(board, card)}
    )


def dealt_nothing(board: Board, town: int, log: Log) -> None:
    say(log, "CC-AMB-28", f"{board.seats[HUNTER]} gives nothing to {board.seats[town]}.", {"town": board.seats[town]})


# Travel


def travel_begins(board: Board, log: Log) -> None:
    order = _order(board)
    say(log, "CC-TRAV-1", f"Travel begins with {board.seats[board.hat]}: {', then '.join(order)}.", {"towns": order})


def _order(board: Board) -> tuple[str, ...]:
    """The towns, from the one with the hat on."""
    towns, first = towns_of(board), board.hat - 1
    return (*towns[first:], *towns[:first])


def another_lap(board: Board, log: Log) -> None:
    order = _order(board)
    say(log, "CC-CURSE-3", f"Travel goes round again: {', then '.join(order)}.", {"towns": order})


def acts_again(board: Board, log: Log) -> None:
    say(
        log,
        "CC-CHARM-3",
        f"{board.seats[board.hat]} has the hat, and a second action.",
        {"town": board.seats[board.hat]},
    )


def gave(board: Board, move: Move, log: Log) -> None:
    town, to = board.turn, move.seat
    name, other = board.seats[town], board.seats[to]
    text = f"{name} gives {the(board, [move.card])} to {other}."
    whisper(
        log,
        "CC-TRAV-2",
        text,
        [town, to],
        f"{name} gives a card to {other}.",
        {"from": name, "to": other, "card": id_of(board, move.card)},
    )


def asked(board: Board, other: int, log: Log) -> None:
    name, asked_ = board.seats[board.turn], board.seats[other]
    if not board.hands[board.turn]:
        say(log, "CC-AMB-6", f"{name} has no cards, and can only ask.", {"town": name})
    say(log, "CC-TRAV-3", f"{name} asks {asked_} for a card.", {"town": name, "asked": asked_})
    if len(board.hands[other]) == 1:
        say(log, "CC-AMB-4", f"{asked_} has only 1 card, so nothing moves.", {"asked": asked_, "hand": 1})


def answered(board: Board, town: int, asker: int, card: int, log: Log) -> None:
    name, other = board.seats[town], board.seats[asker]
    text = f"{name} passes {the(board, [card])} to {other}."
    whisper(
        log,
        "CC-TRAV-3",
        text,
        [town, asker],
        f"{name} passes a card to {other}.",
        {"from": name, "to": other, "card": id_of(board, card)},
    )
    say(
        log,
        "CC-AMB-22",
        f"{name} could choose any of its {len(board.hands[town]) + 1} cards.",
        {"town": name, "hand": len(board.hands[town]) + 1},
    )


def swapped(board: Board, town: int, put: int, got: int, log: Log) -> None:
    name = board.seats[town]
    text = f"{name} puts {the(board, [put])} in the woods, and takes {the(board, [got])} from there."
    whisper(
        log,
        "CC-TRAV-4",
        text,
        [town],
        f"{name} exchanges a card with the one in the woods.",
        {"town": name, "put": id_of(board, put), "got": id_of(board, got)},
    )
    if len(board.hands[town]) == 1:
        say(log, "CC-AMB-5", f"It was {name}'s only card, and an exchange is no gift.", {"town": name, "hand": 1})


# Hunt


def hunt_begins(board: Board, log: Log) -> None:
    picks = board.picks_allowed()
    rule = "CC-HUNT-1" if board.cast is None or picks == PICKS else board.cast.rule
    say(log, rule, f"The Hunt begins: {plural(picks, 'pick')}.", {"picks": picks})


def picks_skipped(board: Board, log: Log) -> None:
    left = board.picks_allowed() - board.picks
    if any(board.hands):
        say(
            log,
            "CC-CHARM-2",
            "No other town than the first has cards, so the second pick is skipped.",
            {"town": board.seats[board.first], "picks-left": left},
        )
        return
    say(log, "CC-AMB-8", f"No town has cards, so {plural(left, 'pick')} cannot be made.", {"picks-left": left})
    if left > 1 or board.picks:
        say(log, "CC-AMB-29", "Picks that cannot be made are skipped.")


def picked(board: Board, town: int, card: int, log: Log) -> None:
    hunter, name = board.seats[HUNTER], board.seats[town]
    say(
        log,
        "CC-HUNT-2",
        f"{hunter} picks a card of {name}, and all see {the(board, [card])}.",
        {"town": name, "card": id_of(board, card), "pick": board.picks, "picks": board.picks_allowed()},
    )
    if board.picks > 1:
        same = board.first == town
        if board.cast is Spell.LOOKING_GLASS:
            say(
                log,
                "CC-CHARM-2",
                f"The first pick was made from {board.seats[board.first]}.",
                {"town": board.seats[board.first]},
            )
        elif same:
            rule = "CC-CURSE-3" if board.cast is Spell.WILD_CHASE else "CC-HUNT-3"
            say(log, rule, f"{name} may be picked from again.", {"town": name})


def passed_on(board: Board, town: int, card: int, to: int, log: Log) -> None:
    name, other = board.seats[town], board.seats[to]
    say(
        log,
        "CC-HUNT-4",
        f"{the(board, [card])} is passed on to {other}.",
        {"from": name, "to": other, "card": id_of(board, card)},
    )
    if len(board.seats) > 3:
        say(log, "CC-AMB-9", f"{board.seats[HUNTER]} could choose any town but {name}; all know the card.")
    if board.cast is Spell.NIGHTMARE and board.hands[town]:
        say(
            log,
            "CC-CURSE-1",
            f"{name}, which was picked, puts the rest of its hand under the deck.",
            {"town": name, "hand": len(board.hands[town])},
        )


def ritual(board: Board, card: int, log: Log) -> None:
    hunter, count, town = board.seats[HUNTER], len(board.rituals), _last_picked(board)
    name, hand, nightmare = board.seats[town], len(board.hands[town]), board.cast is Spell.NIGHTMARE
    id_ = id_of(board, card)
    text = f"{the(board, [card])} stays in front of {hunter}: {plural(count, 'ritual')} there."
    facts: dict[str, Fact] = {"town": name, "card": id_, "rituals": count, "needed": RITUALS_TO_WIN}
    say(log, "CC-HUNT-7", text, facts)
    keeps: dict[str, Fact] = {"town": name, "hand": hand}
    if count >= RITUALS_TO_WIN:
        if nightmare and hand:
            say(log, "CC-AMB-29", "The second ritual wins before anything is put under the deck.", keeps)
    elif nightmare and hand:
        text = f"{name} puts the rest of its hand under the deck all the same."
        say(log, "CC-CURSE-1", text, keeps)
    elif hand:
        say(log, "CC-HUNT-14", f"{name} keeps its hand.", keeps)


def _last_picked(board: Board) -> int:
    """The town of the last pick, which the history has just before what became of the card."""
    return board.history[-2][1]


def slips_away(board: Board, town: int, card: int, log: Log) -> None:
    after = f" after the rest of {board.seats[town]}'s hand" if board.hands[town] else ""
    text = f"{the(board, [card])} is not captured, and will go under the deck{after}."
    name, id_ = board.seats[town], id_of(board, card)
    facts: dict[str, Fact] = {"town": name, "card": id_, "hand": len(board.hands[town])}
    say(log, "CC-CURSE-2", text, facts)


def caught(board: Board, town: int, card: int, log: Log) -> None:
    hunter, name, count = board.seats[HUNTER], board.seats[town], len(board.witches)
    kind = board.box.cards.kinds[card]
    witches = f"{count} {'witch' if count == 1 else 'witches'}"
    say(
        log,
        "CC-HUNT-5",
        f"{the(board, [card])} is captured: {witches} in front of {hunter}.",
        {"town": name, "card": id_of(board, card), "witches": count, "needed": WITCHES_TO_WIN},
    )
    if kind is Kind.WILD:
        say(log, "CC-HUNT-15", "The wild witch is captured like any other.")
    if kind is Kind.FAKE and count >= WITCHES_TO_WIN:
        text = f"She makes {witches}, but her own capture never wins: the others escape."
        say(log, "CC-HUNT-10", text, {"witches": count, "needed": WITCHES_TO_WIN})
    if count >= WITCHES_TO_WIN and kind is not Kind.FAKE and board.box.fake in board.witches:
        say(log, "CC-HUNT-11", f"The fake witch is one of the {count}.", {"witches": count})
    ends = count >= WITCHES_TO_WIN and kind is not Kind.FAKE
    if board.hands[town] and not ends:
        left = len(board.hands[town])
        rest = "its other card" if left == 1 else f"the other {left} cards of its hand"
        say(log, "CC-HUNT-5", f"{name} puts {rest} under the deck.", {"town": name, "hand": left})


def laid_under(board: Board, town: int, card: int, log: Log) -> None:
    name = board.seats[town]
    text = f"{name} puts {the(board, [card])} under the deck."
    whisper(
        log,
        "CC-AMB-10",
        text,
        [town],
        f"{name} puts a card under the deck.",
        {"town": name, "card": id_of(board, card)},
    )


def slipped(board: Board, card: int, log: Log) -> None:
    say(log, "CC-CURSE-2", f"{the(board, [card])} goes under the deck.", {"card": id_of(board, card)})


def escaped(board: Board, others: Sequence[int], laid: bool, log: Log) -> None:
    """`laid`: whether the town has laid cards under the deck before."""
    fake, escape = board.box.fake, "escapes" if len(others) == 1 else "escape"
    say(
        log,
        "CC-HUNT-8",
        f"For {the(board, [fake])} {the(board, others)} {escape} under the deck.",
        {"card": id_of(board, fake), "cards": ids(board, others)},
    )
    if laid:
        say(log, "CC-AMB-11", "They go after what the town has put there.")
    if len(others) > 1:
        say(
            log,
            "CC-AMB-25",
            f"The first captured lies nearest the top: {the(board, others[:1])}.",
            {"card": id_of(board, others[0])},
        )
    say(log, "CC-HUNT-9", f"{the(board, [fake])} stays to the end of the game.", {"card": id_of(board, fake)})


def flipped(board: Board, tile: int, side: Side, log: Log) -> None:
    say(
        log,
        "CC-SPELL-6",
        f"{board.box.tiles[tile].name} turns over, and shows its {side.word}.",
        {"tile": board.box.tiles[tile].id, "side": side.word},
    )
    if len(board.sides) - board.sides.count(None) > 1:
        say(log, "CC-AMB-16", "Tiles that were not cast stay as they are.")


# Shuffling


def shuffled(board: Board, log: Log) -> None:
    hunter = board.seats[HUNTER]
    say(
        log,
        "CC-SETUP-7",
        f"{hunter} shuffles the deck, with {plural(len(board.under), 'card')} from under it.",
        {"under": len(board.under)},
    )
    say(log, "CC-AMB-12", "It changes what is drawn next, and no rule.")


def left_alone(board: Board, log: Log) -> None:
    say(log, "CC-AMB-26", f"{board.seats[HUNTER]} leaves the deck as it is.")


# The end


def game_ends(board: Board, ending: Ending, log: Log) -> None:
    left = board.picks_allowed() - board.picks
    if ending in (Ending.RITUALS, Ending.CAPTURES) and left > 0:
        say(log, "CC-AMB-17", f"The game is over, and {plural(left, 'pick')} will not be made.", {"picks-left": left})
    log += [Event(rule, because, facts=facts) for rule, because, facts in scoring.steps(board, ending)]
