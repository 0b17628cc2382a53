"""The notation of Wolf-Man's Curse: lines of text as cards, records as states, and doubts about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from grimalkin.engine.chance import Chance
from grimalkin.engine.contract import Facts
from grimalkin.engine.shape import Misfit, Path, Record
from grimalkin.engine.state import Reading
from grimalkin.engine.words import OVER, Ambiguous, Unreadable, find_typed, listed, typed
from grimalkin.games.wolf_mans_curse import facts as wm
from grimalkin.games.wolf_mans_curse.board import has_nights
from grimalkin.games.wolf_mans_curse.facts import box_of
from grimalkin.games.wolf_mans_curse.state import State, table_misfits
from grimalkin.problems import did_you_mean

HIDDEN = "?"


def every_move(facts: Facts) -> list[int]:
    """Return every number card. Face cards can be read too, but never laid."""
    return list(range(box_of(facts).count))


def read(text: str, state: State) -> list[int]:
    """Read cards separated by commas. Case, spaces and hyphens do not matter. A card's name, or its name in the log,
    may replace its id: Seven of Clubs, 7 of clubs."""
    return [_read_one(typed(part), state) for part in text.split(",")]


def _read_one(text: str, state: State) -> int:
    moves = state.box.moves
    if not text:
        raise Unreadable("a card is missing")
    found = find_typed(text, moves)
    if found is not None:
        return found
    if text == HIDDEN:
        raise Unreadable(f'"{HIDDEN}" stands for a card laid face down, and does not say which one it is')
    seat, colon, card = text.partition(":")
    if colon:
        raise Unreadable(f'"{seat}:" is not part of a move; write only the card, {card.strip() or "such as 7c"}')
    cards = state.box.cards
    longer = sorted({card for name, card in moves.items() if name.startswith(text) and not name[len(text)].isdigit()})
    if longer:
        raise Ambiguous(f'"{text}" could be {listed([cards.ids[card] for card in longer], "or")}')
    hint = did_you_mean(text, moves) or f'write a card as {cards.ids[0]}, or as "{cards.names[0]}"'
    raise Unreadable(f'"{text}" is not a card in this game; {hint}')


def write(moves: Sequence[int], state: State, reader: int | None = None) -> str:
    """Return cards joined by commas. For a `reader`, a seat's number, a card that another seat lays face down is "?".

    Any card after another seat's first is "?" too, on every night: a seat lays one (WM-MONTH-3), and keeps the rest in
    its hand.
    """
    ids = state.box.cards.ids
    shown = len(moves) if reader in (None, state.turn) else int(state.night > 1)
    return ", ".join([ids[move] if place < shown else HIDDEN for place, move in enumerate(moves)])


# Positions


NEIGHBOUR = "it sits to the left of last night's captor (WM-NIGHT-6)"


def position_shape(facts: Facts) -> Record:
    """Return the shape of a position's record."""
    return State.shape(box_of(facts))


def load(facts: Facts, position: Mapping[str, Any], chance: Chance | None = None) -> State:
    """Return the state that a position describes. Automatic steps are not carried out: the state is what the record
    says, except that a game that must have ended is over, whatever the recorded phase."""
    box = box_of(facts)
    return _Loading.of(State, box, position, chance, partial(table_misfits, box)).run()


class _Loading(Reading[State]):
    """The reading of one position: the contents of its record, and what follows from the rules."""

    def run(self) -> State:
        state, record = self.state, self.record
        if "phase" not in record and not any("hand" in has for has in record["seats"].values()):
            self.wrong((), "no seat has a hand", 'for a finished score sheet, write "phase: over"')
            return self.finish()
        self.lay()
        self.check_phase(state.phase)
        if state.phase == wm.PLAYING and state.month > 1 and any(state.box.lover in pile for pile in state.piles):
            self.end(wm.ENDED)  # with the night on which she was captured (WM-END-1)
        self.check_kinds()
        if state.phase == wm.PLAYING:
            self.check_rows()
            self.hands()
            self.face_pile()
            self.turn()
        else:
            self.over()
        self.points()
        self.jokers()
        self.check_to_act()
        return self.finish()

    def check_kinds(self) -> None:
        """Check that hands and the table have number cards, and the face pile faces and jokers (WM-SETUP-1)."""
        state, box = self.state, self.state.box
        for seat, (name, has) in enumerate(self.record["seats"].items()):
            for id_ in [box.ids[card] for card in (*state.hands[seat], state.laid[seat]) if card >= box.count]:
                at: Path = ("laid",)
                place = "card for tonight"
                if id_ != has.get("laid"):
                    at, place = ("hand", has["hand"].index(id_)), "hand"
                hint = f"{name}'s {place} takes only number cards (WM-SETUP-1)"
                self.wrong(("seats", name, *at), f"{id_} belongs to the face pile", hint)
        for index, id_ in enumerate(self.record.get("faces", [])):
            if box.numbers[id_] < box.count:
                hint = "the face pile takes only face cards and jokers (WM-SETUP-1)"
                self.wrong(("faces", index), f"{id_} is a number card", hint)
        if 0 <= state.moon < box.count:
            hint = "the moon takes only face cards and jokers (WM-SETUP-1)"
            self.wrong("moon", f"{box.ids[state.moon]} is a number card", hint)

    def check_rows(self) -> None:
        """Check that there are as many rows as finished months."""
        finished = self.state.month - 1
        for name, has in self.record["seats"].items():
            if "months" in has and (written := len(has["months"])) != finished:
                self.wrong(("seats", name, "months"), f"months written: {written}", f"finished by now: {finished}")

    def hands(self) -> None:
        """Check that each seat has a card for each night to come and for tonight (WM-MONTH-3)."""
        state = self.state
        for seat, card in enumerate(state.laid):
            laid = card != wm.NOTHING
            state.to_lay -= laid
            least = wm.NIGHTS + 1 - state.night - laid
            if len(state.hands[seat]) < least:
                self.misfits.append(hand_misfit(state, seat))

    def face_pile(self) -> None:
        """Read the moon and the face pile. The queen of hearts is in the pile unless she is face up, or the game would
        never end (WM-END-1). In the first month each night takes another card (WM-END-2)."""
        state, box, record = self.state, self.state.box, self.record
        for name, pile in zip(state.seats, state.piles, strict=True):
            if box.lover in pile:
                hint = "she does not stay in month 1 (WM-END-2)"
                self.wrong(("seats", name, "pile"), f"{name} has captured the queen of hearts", hint)
        if "moon" in record:
            state.doubled = box.cards.suits[state.moon]
        else:
            hint = "every night a card of the face pile is turned up (WM-NIGHT-1)"
            self.wrong((), 'the key "moon" is missing', hint)
        if "faces" not in record:
            state.faces = [id_ for id_ in box.face_ids if box.numbers[id_] not in self.places]
        if self.misfits:
            return
        left = faces_left(state)
        if "faces" not in record and left < 0:
            self.misfits.append(calendar_doubt(state))
        elif "faces" not in record and len(state.faces) > left:
            less = f"{len(box.faces)} less 1 for each night begun, including this one"
            hint = f"{left} cards are still in the face pile ({less}), and nothing here shows which"
            self.wrong((), 'the key "faces" is missing', hint)
        elif state.moon != box.lover and box.ids[box.lover] not in state.faces:
            self.wrong("faces", "the queen of hearts is missing", "she is in the face pile until she comes (WM-END-1)")
        elif state.month == 1 and len(state.faces) <= wm.NIGHTS - state.night and state.moon != box.lover:
            hint = f"month 1 turns up {wm.NIGHTS - state.night} more in addition to the queen of hearts (WM-END-2)"
            self.wrong("faces", f"{len(state.faces)} is the wrong number of cards", hint)
        if "faces" not in record and not self.misfits:
            self.places |= {box.numbers[id_]: "the face pile" for id_ in state.faces}

    def turn(self) -> None:
        """Find the seat to act: seats lay clockwise in turn, beginning with the leader."""
        state = self.state
        seats = len(state.seats)
        if state.night == 1:
            if "leader" in self.record:
                hint = f"all players lay face down (WM-NIGHT-4), and {state.seats[0]} is asked first"
                self.wrong("leader", "nobody leads on the first night", hint)
        elif "leader" not in self.record:
            leaders = leaders_by(state)
            if len(leaders) == 1:
                (state.leader,) = leaders
            else:
                who = listed([state.seats[seat] for seat in leaders], "or")
                self.wrong((), 'the key "leader" is missing', f"{NEIGHBOUR}: {who}" if who else NEIGHBOUR)
        order = [(state.leader + step) % seats for step in range(seats)]
        laid = [state.laid[seat] != wm.NOTHING for seat in order]
        if all(laid):
            self.wrong("seats", "every seat has laid, so this night is over", "write the position after it")
            return
        state.turn = order[laid.index(False)]
        if state.night > 1 and laid != sorted(laid, reverse=True):
            names = [state.seats[seat] for seat in order]
            early, late = names[laid.index(True, laid.index(False))], names[laid.index(False)]
            why = "they play clockwise from the leader (WM-NIGHT-5)"
            self.wrong("seats", f"{early} has laid and {late} has not", f"{why}: {listed(names)}")

    def over(self) -> None:
        """Read a finished score sheet, or one to try out: it is valid even if nobody has the queen of hearts."""
        state = self.state
        state.turn = OVER
        state.faces = []
        lovers = []
        for seat, (name, has) in enumerate(self.record["seats"].items()):
            in_pile = state.box.lover in state.piles[seat]
            if has.get("lover", in_pile):
                lovers.append(name)
                state.lover = seat
            elif in_pile:
                hint = "the seat that captured her has her (WM-AMB-14)"
                self.wrong(("seats", name, "lover"), f"the queen of hearts lies in {name}'s pile", hint)
        self.rows()
        if len(lovers) > 1:
            hint = "only one seat captured her (WM-AMB-14)"
            self.wrong(("seats", lovers[1], "lover"), f"{listed(lovers)} have the queen of hearts", hint)

    def rows(self) -> None:
        """Check that all seats have played the same number of months, and not more than the face pile allows."""
        rows = {name: len(has["months"]) for name, has in self.record["seats"].items() if "months" in has}
        most = -(-len(self.state.box.faces) // wm.NIGHTS)
        for name, count in rows.items():
            at = ("seats", name, "months")
            first = next(iter(rows))
            if count > most:
                self.wrong(at, f"months written: {count}", f"a game has {most} at most (WM-AMB-16)")
            elif count != rows[first]:
                hint = f"{first} has {rows[first]}, and a month without points also gets a row: [0, 0, 0, 0]"
                self.wrong(at, f"months written: {count}", hint)

    def points(self) -> None:
        """Check that no suit has more points than its cards give: number cards return every month, but each face card
        is used only once (WM-SCORE-5)."""
        state, seats = self.state, self.record["seats"]
        rows = max(len(has.get("months", ())) for has in seats.values())
        for column, (suit, (numbers, faces)) in enumerate(zip(wm.SUITS, state.box.suit_points, strict=True)):
            for row in range(rows):
                points = {
                    name: has["months"][row][column] for name, has in seats.items() if row < len(has.get("months", ()))
                }
                if sum(points.values()) > numbers + faces:
                    name = max(points, key=lambda name: points[name])
                    hint = f"all {suit} give at most {numbers + faces} in a month (WM-SCORE-2)"
                    self.wrong(("seats", name, "months", row), f"{sum(points.values())} {suit} in one month", hint)
            months = -(-len(self.state.box.faces) // wm.NIGHTS) if state.phase == wm.ENDED else state.month - 1
            most = months * numbers + faces
            total = sum([sheet[column] for sheet in state.sheets])
            if total > most:
                name = max(seats, key=lambda name: seats[name].get(suit, 0))
                hint = f"{months} month{' gives' if months == 1 else 's give'} {most} at most (WM-SCORE-2)"
                self.wrong(("seats", name, suit), f"all seats together have {total} {suit}", hint)

    def jokers(self) -> None:
        """Check that seats hold no more jokers than are left."""
        state, box = self.state, self.state.box
        held, lying = sum(state.jokers), sum(joker in self.places for joker in box.jokers)
        if held and held + lying > len(box.jokers):
            holder = next(name for name, jokers in zip(state.seats, state.jokers, strict=True) if jokers)
            elsewhere = f", elsewhere: {lying}" if lying else ""
            hint = f"the game has {len(box.jokers)}, including those in the face pile"
            self.wrong(("seats", holder, "jokers"), f"jokers held: {held}{elsewhere}", hint)


# What follows from the cards on the table


def hand_size(state: State, seat: int) -> int:
    """Return how many cards a seat has in hand: one less for each night before, and for tonight once it has laid."""
    return wm.HAND - (state.night - 1) - (state.laid[seat] != wm.NOTHING)


def hand_misfit(state: State, seat: int) -> Misfit:
    tonight = " and 1 for tonight" if state.laid[seat] != wm.NOTHING else ""
    hint = f"{hand_size(state, seat)}: {wm.HAND} less {state.night - 1} for the nights before{tonight}"
    told = f"{len(state.hands[seat])} is the wrong number of cards"
    return Misfit(("seats", state.seats[seat], "hand"), told, hint)


def faces_left(state: State) -> int:
    """Return how many cards are still in the face pile: each night begun, including this one, took one."""
    return len(state.box.faces) - (state.month - 1) * wm.NIGHTS - state.night


def nights_captured(state: State) -> list[int]:
    """Return, by seat, how many nights it has captured this month, if its pile is a whole number of nights."""
    return [sum(card >= state.box.count for card in pile) for pile in state.piles]


def leaders_by(state: State) -> list[int]:
    """Return the seats that may lead tonight, as far as the piles show: the left-hand neighbours of possible captors,
    or none if the piles are impossible."""
    if any(_doubts_of_piles(state, nights_played(state))):
        return []
    nights, seats = nights_captured(state), len(state.seats)
    return [(seat + 1) % seats for seat, count in enumerate(nights) if count or sum(nights) < state.night - 1]


def nights_played(state: State) -> int:
    """Return how many nights of this month are over; for a score sheet without nights, the greatest possible number."""
    if state.phase == wm.PLAYING:
        return state.night - 1
    return state.night if has_nights(state) else wm.NIGHTS


# Doubts


def doubts(state: State) -> list[Misfit]:
    """Return the reasons why this position could not have arisen."""
    found = [calendar_doubt(state)] if faces_left(state) < 0 else []
    found += _doubts_of_piles(state, nights_played(state))
    if state.phase == wm.PLAYING:
        found += _doubts_of_a_night(state)
        found += _doubts_of_month_one(state) if state.month == 1 else ()
    return [*found, *_doubts_of_jokers(state)]


def calendar_doubt(state: State) -> Misfit:
    """Return a doubt about the month or night: every night takes a card from the face pile, so there are as many nights
    as cards (WM-AMB-16)."""
    faces = len(state.box.faces)
    key = "month" if (state.month - 1) * wm.NIGHTS >= faces else "night"
    latest = f"night {(faces - 1) % wm.NIGHTS + 1} of month {(faces - 1) // wm.NIGHTS + 1}"
    hint = f"among {faces} cards, the queen of hearts comes on {latest} at the latest (WM-AMB-16)"
    return Misfit((key,), f"night {state.night} of month {state.month} cannot be", hint)


def _doubts_of_piles(state: State, most: int) -> Iterator[Misfit]:
    """Yield doubts about piles: each has all the cards of its nights, and together they hold at most `most` nights."""
    nights, seats = nights_captured(state), len(state.seats)
    for name, pile, faces in zip(state.seats, state.piles, nights, strict=True):
        if len(pile) != faces * (seats + 1):
            what = f"number cards: {len(pile) - faces}, from the face pile: {faces}"
            hint = f"the captor takes all {seats} number cards of the night and 1 face card or joker (WM-NIGHT-7)"
            yield Misfit(("seats", name, "pile"), f"it does not hold whole nights ({what})", hint)
    if sum(nights) > most:
        played = f"nights played this month: {most}"
        yield Misfit(("seats",), f"nights captured, by the piles: {sum(nights)}", played)


def _doubts_of_a_night(state: State) -> Iterator[Misfit]:
    """Yield doubts about hands and the face pile, which shrink every night, and about the leader, who sits to the left
    of the last captor."""
    box = state.box
    for seat, hand in enumerate(state.hands):
        if len(hand) != hand_size(state, seat):
            yield hand_misfit(state, seat)
    if len(state.faces) != faces_left(state) >= 0:
        hint = f"{faces_left(state)}: {len(box.faces)} less 1 for each night begun, including this one (WM-NIGHT-1)"
        yield Misfit(("faces",), f"{len(state.faces)} is the wrong number of cards", hint)
    leaders = leaders_by(state) if state.night > 1 else []
    if leaders and state.leader not in leaders:
        names = listed([state.seats[seat] for seat in leaders], "or")
        yield Misfit(("leader",), f"{state.seats[state.leader]} does not lead here", f"{NEIGHBOUR}: {names}")


def _doubts_of_month_one(state: State) -> Iterator[Misfit]:
    """Yield doubts about the first month: no month is finished yet, and the queen of hearts is always replaced."""
    if state.moon == state.box.lover:
        hint = "another card is turned up instead (WM-END-2)"
        yield Misfit(("moon",), "the queen of hearts does not stay in month 1", hint)
    for name, sheet, jokers in zip(state.seats, state.sheets, state.jokers, strict=True):
        for key, count in zip((*wm.SUITS, "jokers"), (*sheet, jokers), strict=True):
            if count:
                hint = 'write "month: 2" or more; cards captured this month belong in the pile'
                yield Misfit(("seats", name, key), "in month 1 no month is finished", hint)
                break


def _doubts_of_jokers(state: State) -> Iterator[Misfit]:
    """Yield doubts about jokers: each joker that has left the face pile is held, and was captured with the number
    cards of its night."""
    box, seats = state.box, len(state.seats)
    there = [state.moon, *(card for pile in state.piles for card in pile), *(box.numbers[id_] for id_ in state.faces)]
    held, lying = sum(state.jokers), sum(joker in there for joker in box.jokers)
    if state.phase == wm.PLAYING and held + lying < len(box.jokers):
        elsewhere = f", elsewhere: {lying}" if lying else ""
        hint = f"the game has {len(box.jokers)}, and one that has left the face pile stays with its captor"
        yield Misfit(("seats",), f"jokers held: {held}{elsewhere}", f"{hint} (WM-SCORE-5)")
    for name, sheet, jokers in zip(state.seats, state.sheets, state.jokers, strict=True):
        least = jokers * seats * min(box.cards.points[: box.count])
        if sum(sheet) < least and not (state.dropped and state.phase == wm.ENDED):
            what = f"jokers held: {jokers}, points of finished months: {sum(sheet)}"
            hint = f"each was captured with {seats} number cards, so at least {least} points (WM-NIGHT-7)"
            yield Misfit(("seats", name, "jokers"), what, hint)
