"""Positions of Wolf-Man's Curse: what a record of one looks like, and the state that it describes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from grimalkin.engine.chance import Chance, Scripted
from grimalkin.engine.contract import Facts
from grimalkin.engine.loading import Loading
from grimalkin.engine.shape import Choice, Listing, Misfits, Path, Record, Shape, Table, Text, Whole, YesNo
from grimalkin.engine.words import OVER, listed
from grimalkin.games.wolf_mans_curse.facts import (
    ENDED,
    HAND,
    NIGHTS,
    NOTHING,
    OPTIONS,
    PHASES,
    PLAYING,
    SUITS,
    Box,
    box_of,
)
from grimalkin.games.wolf_mans_curse.state import State, table_misfits


def position_shape(facts: Facts) -> Record:
    """What the record of a position looks like."""
    card = Choice(box_of(facts).cards.ids, "The id of a card.")
    columns = ", ".join(SUITS)
    totals = {suit: Whole(0, describe=f"Points in {suit} of the finished months (default: 0).") for suit in SUITS}
    row = Listing(Whole(), len(SUITS), len(SUITS))
    seat: dict[str, Shape] = {
        "hand": Listing(card, describe=f"The number cards in hand: {HAND}, less one for every night laid."),
        "laid": Choice(
            card.words, "The card laid tonight (default: none yet); face down while the first night goes on."
        ),
        "pile": Listing(
            card,
            describe="The cards captured this month, in any order: all those of each night. What is left out of the "
            'piles makes it necessary to write "faces" and "leader".',
        ),
        **totals,
        "months": Listing(
            row, describe=f"Instead of the totals: one row for each finished month, as {columns}, in phase over too."
        ),
        "jokers": Whole(describe="Jokers of the finished months; which of them does not matter (default: 0)."),
        "lover": YesNo(
            "In phase over: whether the seat captured the queen of hearts (default: whether she is in its pile)."
        ),
    }
    optional: dict[str, Shape] = {
        "phase": Choice(
            PHASES, "Default: playing. Over is the finished score sheet; without a lover it can be judged too."
        ),
        "month": Whole(1, describe="Default: 1."),
        "night": Whole(1, NIGHTS, describe="The night of the month (default: 1); in phase over, the last one played."),
        "moon": Choice(card.words, "The card of the face pile that is turned up tonight."),
        "leader": Text(
            "On the second and third night: the seat that leads (default: the left-hand neighbour of the last captor, "
            "if the piles tell who that is)."
        ),
        "faces": Listing(
            card,
            describe="The cards still in the face pile, in any order (default: all that lie nowhere else; from month 2 "
            "on it must be written).",
        ),
        "to-act": Text("The seat to act (default: what the rules give)."),
        "options": OPTIONS,
    }
    has = Record({}, seat)
    return Record({"seats": Table(has, describe="What each seat has, seats in clockwise order.")}, optional)


KEY_PHASES: Final = dict.fromkeys(("moon", "leader", "faces", "to-act"), (PLAYING,))


def load(facts: Facts, position: Mapping[str, Any], chance: Chance | None = None) -> State:
    """The state that a position describes. Automatic steps are not done: what is written is what there is."""
    box = box_of(facts)
    record, misfits = position_shape(facts).read(position)
    if not misfits:
        misfits = table_misfits(box, tuple(record["seats"]))
    if misfits:
        raise Misfits(misfits)
    return _Loading(box, record, chance or Scripted()).run()


class _Loading(Loading[State]):
    """One position on its way from a record to a state."""

    def __init__(self, box: Box, record: Mapping[str, Any], chance: Chance) -> None:
        super().__init__(State(box, tuple(record["seats"]), record.get("options", {}), chance), record)
        self.box = box
        self.ids = box.cards.ids
        self.places: dict[int, str] = {}
        """Where each card that has been laid down lies."""

    def run(self) -> State:
        state, record = self.state, self.record
        state.month = record.get("month", 1)
        state.night = record.get("night", 1)
        state.phase = PHASES.index(record.get("phase", PHASES[PLAYING]))
        if "phase" not in record and not any("hand" in has for has in record["seats"].values()):
            self.wrong((), "no seat has a hand", 'for a finished score sheet, write "phase: over"')
            return self.finish()
        self.check_keys(KEY_PHASES, state.phase, PHASES)
        self.calendar()
        for seat, (name, has) in enumerate(record["seats"].items()):
            self.sheet(seat, has, ("seats", name))
            self.seat(seat, has, name)
        if state.phase == PLAYING:
            captors = self.captors()
            self.moon()
            self.faces()
            self.turn(captors)
        else:
            self.over()
        self.points()
        self.jokers()
        self.check_to_act()
        return self.finish()

    def calendar(self) -> None:
        """Every night takes a card off the face pile, so there are as many nights as cards (WM-AMB-16)."""
        state, faces = self.state, len(self.box.faces)
        if self.nights_begun() > faces:
            key = "month" if (state.month - 1) * NIGHTS >= faces else "night"
            latest = f"night {(faces - 1) % NIGHTS + 1} of month {(faces - 1) // NIGHTS + 1}"
            hint = f"of {faces} cards the queen of hearts comes on {latest} at the latest (WM-AMB-16)"
            self.wrong(key, f"night {state.night} of month {state.month} cannot be", hint)

    def nights_begun(self) -> int:
        """How many nights of the game have begun, this one among them."""
        return (self.state.month - 1) * NIGHTS + self.state.night

    def lay(self, ids: Sequence[str], at: Path, place: str, faces: bool = True, numbers: bool = True) -> list[int]:
        """Cards laid down at a place that takes faces, number cards, or both. Each lies in one place at most."""
        cards = []
        for index, id_ in enumerate(ids):
            card = self.box.numbers[id_]
            here = at if at[-1] in ("laid", "moon") else (*at, index)
            if card in self.places:
                again = f"{id_} lies in two places: {self.places[card]} and {place}"
                self.wrong(here, again, "each card is there once")
            elif card >= self.box.count and not faces:
                self.wrong(here, f"{id_} is of the face pile", f"{place} takes number cards only (WM-SETUP-1)")
            elif card < self.box.count and not numbers:
                hint = f"{place} takes face cards and jokers only (WM-SETUP-1)"
                self.wrong(here, f"{id_} is a number card", hint)
            self.places[card] = place
            cards.append(card)
        return sorted(cards)

    def sheet(self, seat: int, has: Mapping[str, Any], at: Path) -> None:
        """The finished months of a seat. A game in its first month has none."""
        state, both = self.state, [suit for suit in SUITS if suit in has]
        months = has.get("months", [])
        if "months" in has and both:
            self.wrong((*at, "months"), f"the totals are written too: {listed(both)}", "write one of them")
        totals = [has.get(suit, 0) for suit in SUITS]
        state.sheets[seat] = [sum(column) for column in zip(totals, *months, strict=True)]
        state.jokers[seat] = has.get("jokers", 0)
        if state.phase == ENDED:
            return
        if "months" in has and len(months) != state.month - 1:
            self.wrong((*at, "months"), f"months written: {len(months)}", f"finished by now: {state.month - 1}")
        elif state.month == 1 and (any(totals) or state.jokers[seat]):
            key = next(key for key in (*SUITS, "jokers") if has.get(key))
            hint = 'write "month: 2" or more; what is captured this month lies in the pile'
            self.wrong((*at, key), "in month 1 no month is finished", hint)

    def seat(self, seat: int, has: Mapping[str, Any], name: str) -> None:
        """The cards of a seat, where they lie."""
        state, at = self.state, ("seats", name)
        state.piles[seat] = self.lay(has.get("pile", []), (*at, "pile"), f"{name}'s pile")
        if state.phase == ENDED:
            for key in ("hand", "laid"):
                if has.get(key):
                    self.wrong((*at, key), f'"{key}" means nothing in phase over', "the score sheet and the pile count")
            return
        if "lover" in has:
            hint = "she ends the game on the night she is captured (WM-END-1)"
            self.wrong((*at, "lover"), '"lover" means nothing in phase playing', hint)
        if self.box.lover in state.piles[seat]:
            hint = 'that ended the game (WM-END-1): write "phase: over"'
            self.wrong((*at, "pile"), f"{name} has captured the queen of hearts", hint)
        state.hands[seat] = self.lay(has.get("hand", []), (*at, "hand"), f"{name}'s hand", faces=False)
        if "laid" in has:
            (state.laid[seat],) = self.lay([has["laid"]], (*at, "laid"), f"{name}'s card of tonight", faces=False)
            state.to_lay -= 1
        laid = state.laid[seat] != NOTHING
        right = HAND - (state.night - 1) - laid
        if len(state.hands[seat]) != right:
            nights = f"{HAND} less {state.night - 1} of the nights before" + (" and 1 of tonight" if laid else "")
            self.wrong((*at, "hand"), f"{len(state.hands[seat])} is the wrong number of cards", f"{right}: {nights}")

    def moon(self) -> None:
        state, box = self.state, self.box
        if "moon" not in self.record:
            self.wrong((), 'the key "moon" is missing', "every night a card of the face pile is turned up (WM-NIGHT-1)")
            return
        (state.moon,) = self.lay([self.record["moon"]], ("moon",), "the moon", numbers=False)
        state.doubled = box.cards.suits[state.moon]
        if state.moon == box.lover and state.month == 1:
            hint = "another card is turned up instead (WM-END-2)"
            self.wrong("moon", "the queen of hearts does not stay in month 1", hint)

    def faces(self) -> None:
        """The face pile holds the queen of hearts until she is turned up. Each night begun took one card off it."""
        state, box = self.state, self.box
        if "faces" in self.record:
            faces = self.lay(self.record["faces"], ("faces",), "the face pile", numbers=False)
        else:
            faces = [card for card in box.faces if card not in self.places]
        state.faces = [self.ids[card] for card in faces]
        if self.misfits:
            return
        left = len(box.faces) - self.nights_begun()
        if len(faces) != left:
            all_less = f"{len(box.faces)} less 1 for each night begun, this one too"
            if "faces" in self.record:
                self.wrong("faces", f"{len(faces)} is the wrong number of cards", f"{left}: {all_less} (WM-NIGHT-1)")
            else:
                hint = f"{left} cards are still in the face pile ({all_less}), and nothing else tells which"
                self.wrong((), 'the key "faces" is missing', hint)
        elif state.moon != box.lover and box.lover not in faces:
            self.wrong("faces", "the queen of hearts is missing", "she is in the face pile until she comes (WM-END-1)")

    def turn(self, captors: Sequence[int]) -> None:
        """Who is to act: seats lay clockwise from the leader, and none before its turn."""
        state = self.state
        seats = len(state.seats)
        if state.night == 1:
            if "leader" in self.record:
                hint = f"all lay face down (WM-NIGHT-4), and {state.seats[0]} is asked first"
                self.wrong("leader", "nobody leads on the first night", hint)
        else:
            self.leader(captors)
        order = [(state.leader + step) % seats for step in range(seats)]
        laid = [state.laid[seat] != NOTHING for seat in order]
        if all(laid):
            self.wrong("seats", "every seat has laid, so this night is over", "write the position after it")
            return
        state.turn = order[sum(laid)]
        if laid != sorted(laid, reverse=True):
            names = [state.seats[seat] for seat in order]
            early, late = names[laid.index(True, laid.index(False))], names[laid.index(False)]
            if state.night == 1:
                why = "a record takes the cards in the order of the seats, which has no effect (WM-NIGHT-4)"
            else:
                why = "they lay clockwise from the leader (WM-NIGHT-5)"
            self.wrong("seats", f"{early} has laid and {late} has not", f"{why}: {listed(names)}")

    def captors(self) -> list[int]:
        """The seats that may have captured last night, as far as the piles tell; none if the piles cannot be."""
        faults, before = len(self.misfits), self.state.night - 1
        nights = self.captured(before)
        if len(self.misfits) > faults:
            return []
        return [seat for seat, count in enumerate(nights) if count or sum(nights) < before]

    def captured(self, most: int) -> list[int]:
        """By seat: how many nights it has captured this month. A pile has all cards of its nights, and all piles
        together hold no more than `most` nights."""
        seats, nights = len(self.state.seats), []
        for name, pile in zip(self.state.seats, self.state.piles, strict=True):
            numbers = sum(card < self.box.count for card in pile)
            nights.append(len(pile) - numbers)
            if numbers != nights[-1] * seats:
                what = f"number cards: {numbers}, of the face pile: {nights[-1]}"
                hint = f"who captures takes all {seats} number cards of the night and 1 of the face pile (WM-NIGHT-7)"
                self.wrong(("seats", name, "pile"), f"it does not hold whole nights ({what})", hint)
        if sum(nights) > most:
            self.wrong("seats", f"nights captured, by the piles: {sum(nights)}", f"nights played this month: {most}")
        return nights

    def leader(self, captors: Sequence[int]) -> None:
        """Who leads: the left-hand neighbour of last night's captor (WM-NIGHT-6), which is one of these seats."""
        state = self.state
        leaders = [(seat + 1) % len(state.seats) for seat in captors]
        names = listed([state.seats[seat] for seat in leaders], "or")
        whose = "it is the left-hand neighbour of last night's captor (WM-NIGHT-6)"
        if "leader" not in self.record:
            if len(leaders) == 1:
                (state.leader,) = leaders
            elif leaders:
                self.wrong((), 'the key "leader" is missing', f"{whose}: {names}")
            return
        state.leader = self.number(self.record["leader"], "leader")
        if self.record["leader"] in state.seats and captors and state.leader not in leaders:
            self.wrong("leader", f"{self.record['leader']} does not lead here", f"{whose}: {names}")

    def over(self) -> None:
        """A finished score sheet, or one to be tried out: nobody needs to have the queen of hearts."""
        state = self.state
        state.turn = OVER
        state.faces = []
        lovers = []
        for seat, (name, has) in enumerate(self.record["seats"].items()):
            in_pile = self.box.lover in state.piles[seat]
            if has.get("lover", in_pile):
                lovers.append(name)
                state.lover = seat
            elif in_pile:
                hint = "who captured her has her (WM-AMB-14)"
                self.wrong(("seats", name, "lover"), f"the queen of hearts lies in {name}'s pile", hint)
        self.rows()
        self.captured(self.record.get("night", NIGHTS))
        if len(lovers) > 1:
            hint = "one seat captured her (WM-AMB-14)"
            self.wrong(("seats", lovers[1], "lover"), f"{listed(lovers)} have the queen of hearts", hint)

    def rows(self) -> None:
        """All seats play the same months, and no more than the face pile lasts for."""
        rows = {name: len(has["months"]) for name, has in self.record["seats"].items() if "months" in has}
        most = -(-len(self.box.faces) // NIGHTS)
        for name, count in rows.items():
            at = ("seats", name, "months")
            first = next(iter(rows))
            if count > most:
                self.wrong(at, f"months written: {count}", f"a game has {most} at most (WM-AMB-16)")
            elif count != rows[first]:
                hint = f"{first} has {rows[first]}, and a month of no points is a row too: [0, 0, 0, 0]"
                self.wrong(at, f"months written: {count}", hint)

    def points(self) -> None:
        """No suit brings more than its cards: number cards come back every month, face cards come once (WM-SCORE-5)."""
        state, cards = self.state, self.box.cards
        seats = self.record["seats"]
        for column, suit in enumerate(SUITS):
            of_suit = [card for card in range(len(cards.ids)) if cards.suits[card] == column]
            numbers = sum(cards.points[card] for card in of_suit if card < self.box.count)
            faces = sum(cards.points[card] for card in of_suit if card >= self.box.count)
            rows = max(len(has.get("months", ())) for has in seats.values())
            for row in range(rows):
                points = {
                    name: has["months"][row][column] for name, has in seats.items() if row < len(has.get("months", ()))
                }
                if sum(points.values()) > numbers + faces:
                    name = max(points, key=lambda name: points[name])
                    hint = f"all {suit} bring {numbers + faces} in a month at most (WM-SCORE-2)"
                    self.wrong(("seats", name, "months", row), f"{sum(points.values())} {suit} in one month", hint)
            months = -(-len(self.box.faces) // NIGHTS) if state.phase == ENDED else state.month - 1
            most = months * numbers + faces
            if sum(sheet[column] for sheet in state.sheets) > most:
                name = max(seats, key=lambda name: seats[name].get(suit, 0))
                total = sum(sheet[column] for sheet in state.sheets)
                hint = f"{months} month{' brings' if months == 1 else 's bring'} {most} at most (WM-SCORE-2)"
                self.wrong(("seats", name, suit), f"{total} {suit} of all seats together", hint)

    def jokers(self) -> None:
        """Jokers held: no more than lie nowhere else, and each captured with the number cards of its night."""
        state, box = self.state, self.box
        held, there = sum(state.jokers), len(box.jokers)
        lying = sum(joker in self.places for joker in box.jokers)
        elsewhere = f", lying elsewhere: {lying}" if lying else ""
        holders = [name for seat, name in enumerate(state.seats) if state.jokers[seat]]
        if held and held + lying > there:
            hint = f"the game has {there}, those in the face pile among them"
            self.wrong(("seats", holders[0], "jokers"), f"jokers held: {held}{elsewhere}", hint)
        elif "faces" in self.record and held + lying < there and not self.misfits:
            hint = f"the game has {there}, and one that is gone from the face pile stays with its captor (WM-SCORE-5)"
            self.wrong("seats", f"jokers held: {held}{elsewhere}", hint)
        dropped = state.dropped and state.phase == ENDED
        for seat, name in enumerate(state.seats):
            points = sum(state.sheets[seat])
            least = state.jokers[seat] * len(state.seats) * min(box.cards.points[: box.count])
            if points < least and not dropped:
                what = f"jokers held: {state.jokers[seat]}, points of finished months: {points}"
                hint = f"each was captured with {len(state.seats)} number cards, so {least} points or more (WM-NIGHT-7)"
                self.wrong(("seats", name, "jokers"), what, hint)
