"""A game of Wolf-Man's Curse in progress: legal moves, their effects and scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from grimalkin.engine.chance import Chance
from grimalkin.engine.contract import Facts
from grimalkin.engine.law import law
from grimalkin.engine.loading import seat_misfits
from grimalkin.engine.shape import Misfit
from grimalkin.engine.state import begin
from grimalkin.engine.words import OVER, Event, Fact, Refusal, Result, Score, Tally, listed, refuse, sentence, tell
from grimalkin.games.wolf_mans_curse import facts as wm
from grimalkin.games.wolf_mans_curse.board import Board
from grimalkin.games.wolf_mans_curse.facts import OPTIONS, SEATS, Box, box_of
from grimalkin.games.wolf_mans_curse.scoring import agreeing, captor, judge, month_lines, month_points, resolve, some
from grimalkin.problems.plain import plural

MOON = "moon"


class State(Board):
    """A game of Wolf-Man's Curse in progress."""

    # What is allowed

    @law("WM-NIGHT-10")
    def legal(self) -> list[int]:
        """Return every card in hand: players need not follow suit (WM-NIGHT-10)."""
        return self.hands[self.turn][:] if self.turn != OVER else []

    def why_not(self, move: int) -> Refusal | None:
        """Return why a move is not allowed, or None. This alone decides which cards are legal. A refusal does not
        reveal anything hidden."""
        if self.turn == OVER:
            ended = f"the game ended with the queen of hearts, so {self.the(move)} cannot be played"
            return refuse("WM-END-1", ended, card=self.box.ids[move])
        hand = self.hands[self.turn]
        if move in hand:
            return None
        if move >= self.box.count:
            face = f"{self.the(move)} belongs to the face pile, and you may play only number cards"
            return refuse("WM-SETUP-1", face, card=self.box.ids[move])
        for seat, name in enumerate(self.seats):
            if move in self.piles[seat]:
                gone = f"{self.the(move)} has already been played in month {self.month} and lies in {name}'s pile"
                return refuse("WM-MONTH-3", gone, card=self.box.ids[move], month=self.month, seat=name)
            if move == self.laid[seat] and self.night > 1:
                played = f"{name} has already played {self.the(move)} tonight"
                return refuse("WM-MONTH-3", played, card=self.box.ids[move], seat=name)
        who = self.seats[self.turn]
        text = f"{self.the(move)} is not among {who}'s {plural(len(hand), 'card')}"
        return refuse("WM-MONTH-2", text, card=self.box.ids[move], seat=who, hand=len(hand))

    # What happens

    @law("WM-MONTH-3", "WM-NIGHT-5")
    def apply(self, move: int, log: list[Event] | None = None) -> None:
        """Lay a seat's card for the night (WM-MONTH-3): on the first night face down, so the order of laying does not
        matter, and later face up and clockwise (WM-NIGHT-5)."""
        turn = self.turn
        self.hands[turn].remove(move)
        self.laid[turn] = move
        if log is not None:
            self._log_laid(turn, move, log)
        self.to_lay -= 1
        if self.to_lay:
            turn += 1
            self.turn = self.laid.index(wm.NOTHING) if self.night == 1 else turn if turn < len(self.laid) else 0
        else:
            self._end_night(log)

    @law("WM-NIGHT-4")
    def let(self, seat: int) -> bool:
        """Let a seat lay now, out of turn, which makes no difference on a first night."""
        free = self.phase == wm.PLAYING and self.night == 1 and self.laid[seat] == wm.NOTHING
        if free:
            self.turn = seat
        return free

    @law("WM-NIGHT-6", "WM-END-1")
    def _end_night(self, log: list[Event] | None) -> None:
        """Give everything to the captor. The queen of hearts ends the game (WM-END-1); otherwise the captor's left-hand
        neighbour leads the next night (WM-NIGHT-6), or the month is over."""
        laid = self.laid
        winner = captor(laid, self.box.strengths[self.doubled])
        if log is not None:
            self._log_capture(winner, log)
        pile = self.piles[winner]
        pile += laid
        pile.append(self.moon)
        pile.sort()
        self.history.append((self.doubled, laid, winner))
        self.laid = [wm.NOTHING] * len(laid)
        self.to_lay = len(laid)
        if self.moon == self.box.lover:
            self._end(winner, log)
            return
        if self.night == wm.NIGHTS:
            self._score_month(log)
            self._deal(log)
        else:
            self.night += 1
            winner += 1
            self.turn = self.leader = winner if winner < len(laid) else 0
        self._turn_up(log)

    @law("WM-SETUP-2", "WM-MONTH-2", "WM-SCORE-6", "WM-AMB-19")
    def _deal(self, log: list[Event] | None) -> None:
        """Begin a month: shuffle all number cards, and deal each seat its hand (WM-MONTH-2, WM-SCORE-6). On its
        first night cards are laid face down, whoever captured last (WM-AMB-19)."""
        box, take = self.box, self.chance.take
        numbers = box.numbers
        pool = box.number_ids[:]
        self.hands = [sorted([numbers[take(name, pool)] for _ in range(wm.HAND)]) for name in self.seats]
        self.night = 1
        self.turn = self.leader = 0
        if log is not None:
            self._log_deal(log)

    @law("WM-SETUP-3")
    def _turn_up(self, log: list[Event] | None) -> None:
        """Begin a night: turn up one card of the face pile (WM-NIGHT-1). In the first month the queen of hearts is
        replaced, and only then goes back (WM-END-2, WM-AMB-12). Her own night doubles hearts (WM-AMB-17)."""
        box, faces = self.box, self.faces
        id_ = self.chance.pick(MOON, faces)
        first_lover = self.month == 1 and box.numbers[id_] == box.lover
        if first_lover:
            id_ = self.chance.pick(MOON, [other for other in faces if other != id_])
        faces.remove(id_)
        self.moon = moon = box.numbers[id_]
        self.doubled = box.cards.suits[moon]
        if log is not None:
            self._log_moon(first_lover, log)

    @law("WM-SCORE-1", "WM-SCORE-5", "WM-SCORE-7", "WM-AMB-11")
    def _score_month(self, log: list[Event] | None) -> None:
        """Add the month's captures to the score sheet (WM-SCORE-1, WM-SCORE-7). Jokers stay with their seats, the other
        faces are gone for good (WM-SCORE-5); cards still in hand are worth nothing (WM-AMB-11)."""
        if log is not None:
            self._log_month(log)
        cards = self.box.cards
        for seat, pile in enumerate(self.piles):
            if pile:
                sheet = self.sheets[seat]
                for column, points in enumerate(month_points(pile, cards)):
                    sheet[column] += points
                for joker in self.box.jokers:
                    if joker in pile:
                        self.jokers[seat] += 1
                self.piles[seat] = []
        self.month += 1

    def _end(self, winner: int, log: list[Event] | None) -> None:
        """End the game: the captor of the last night has the queen of hearts (WM-AMB-14)."""
        self.lover = winner
        self.phase = wm.ENDED
        self.turn = OVER
        self.moon = wm.NOTHING
        self.doubled = wm.NO_SUIT
        self.leader = 0
        self.hands = [[] for _ in self.seats]
        self.faces = []
        if log is not None:
            self._log_end(log)

    # What can be seen

    def imagine(self, seat: int, chance: Chance) -> State:
        """Return a copy in which the others' hands and face-down cards are drawn from the number cards that this seat
        has not seen this month."""
        other = self.with_chance(chance)
        view = self.view(seat)
        pool = [id_ for card, id_ in enumerate(self.box.number_ids) if not view.seen >> card & 1]

        def draw(name: str) -> int:
            return self.box.numbers[chance.take(name, pool)]

        for number, name in enumerate(self.seats):
            if number != seat:
                other.hands[number] = sorted([draw(name) for _ in self.hands[number]])
                if view.laid[number] == wm.FACE_DOWN:
                    other.laid[number] = draw(name)
        return other

    def score(self) -> list[Score]:
        """Return the four columns of every seat. A month in progress counts its captures so far."""
        cards, dropped = self.box.cards, self.is_dropped()
        scores = []
        for seat, name in enumerate(self.seats):
            pile = self.piles[seat]
            lines = month_lines([] if dropped else pile, self.sheets[seat], cards, self.box.lover)
            notes = []
            jokers = self.all_jokers(seat)
            facts: dict[str, Fact] = {"jokers": jokers, "lover": seat == self.lover}
            if jokers:
                bullets = f"{jokers} joker{'s are kept and give' if jokers > 1 else ' is kept and gives'} no points"
                notes.append(("WM-SCORE-4", f"{bullets}."))
            if dropped and pile:
                what = "The card captured in the unfinished month is"
                what = what if len(pile) == 1 else f"The {len(pile)} cards captured in the unfinished month are"
                notes.append(("WM-AMB-3", f"{what} not scored."))
                facts["unscored"] = len(pile)
            if seat == self.lover:
                forgotten, numbers = self._forgotten_hearts()
                notes += forgotten
                facts |= numbers
            scores.append(Score(name, tuple(lines), tuple(notes), facts))
        return scores

    def result(self) -> Result | None:
        if self.phase != wm.ENDED:
            return None
        result = resolve(self.sheets_now())
        forgotten, numbers = self._forgotten_hearts()
        return replace(result, steps=(*forgotten, *result.steps), facts={**result.facts, **numbers})

    def _forgotten_hearts(self) -> tuple[list[tuple[str, str]], dict[str, Fact]]:
        """Return a note, with its numbers as facts, if on a finished score sheet the captor of the queen of hearts has
        fewer hearts than she is worth (WM-AMB-4). A game that was played here never has this note."""
        worth, sheet = self.box.cards.points[self.box.lover], self.sheets_now()[self.lover]
        if self.lover == wm.NOBODY or self.dropped or sheet.hearts >= worth:
            return [], {}
        scores = f"{sentence(self.the(self.box.lover))} gives {some(worth, wm.HEARTS)}"
        add = "add them, unless the last month was dropped"
        note = f"{scores}, but {sheet.seat}'s sheet has {sheet.hearts}: {add}."
        return [("WM-AMB-4", note)], {"hearts": sheet.hearts, "lover-hearts": worth}

    # Words for the log

    def _log_laid(self, seat: int, card: int, log: list[Event]) -> None:
        who = self.seats[seat]
        if self.night == 1:
            secret, hint = f"{who} lays {self.the(card)} face down.", f"{who} lays a card face down."
            log.append(Event("WM-NIGHT-4", secret, frozenset({seat}), hint, {"card": self.box.ids[card]}))
        else:
            text = f"{who} plays {self.the(card)}{self.counts(card)}."
            tell(log, "WM-NIGHT-5", text, seat=who, card=self.box.ids[card], worth=self.worth(card))

    def _log_capture(self, winner: int, log: list[Event]) -> None:
        cards, strengths = self.box.cards, self.box.strengths[self.doubled]
        best = self.laid[winner]
        if self.night == 1:
            shown = [f"{name} {self.the(card)}" for name, card in zip(self.seats, self.laid, strict=True)]
            tell(log, "WM-NIGHT-4", f"All reveal their cards: {listed(shown)}.", cards=self.ids_of(self.laid))
        worth = self.worth(best)
        equal = [card for card in self.laid if card != best and self.worth(card) == worth]
        equal.sort(key=strengths.__getitem__, reverse=True)
        for card in equal:
            suits = f"{wm.SUITS[cards.suits[best]]} beat {wm.SUITS[cards.suits[card]]}"
            both = f"{self.the(card)} counts {worth} tonight; {self.the(best)} counts {worth} too, and {suits}"
            text = sentence(f"{both}.")
            tell(log, "WM-NIGHT-9", text, card=self.box.ids[best], other=self.box.ids[card], worth=worth)
            if cards.values[card] != cards.values[best]:
                low, high = sorted((card, best), key=lambda each: cards.values[each])
                one = f"{self.the(low)} counts double and {self.the(high)} does not"
                never = "cards of one suit never count the same, so the order of suits always decides"
                tell(log, "WM-AMB-13", sentence(f"{one}; {never}."), card=self.box.ids[low], other=self.box.ids[high])
        rule = "WM-NIGHT-7" if self.night == 1 else "WM-NIGHT-8"
        facts: dict[str, Fact] = {"seat": self.seats[winner], "card": self.box.ids[best], "worth": worth}
        facts |= {"captured": len(self.laid), "moon": self.box.ids[self.moon]}
        highest = f"{self.seats[winner]}'s {self.bare(best)} is the highest with {worth}"
        taken = f"{len(self.laid)} number cards and {self.the(self.moon)}"
        tell(log, rule, f"{highest}, and captures {taken}.", **facts)

    def _log_scores(self, log: list[Event]) -> None:
        """Log every seat's score for its captures this month, and its total so far."""
        cards = self.box.cards
        for seat, name in enumerate(self.seats):
            pile = sorted(self.piles[seat])
            points = month_points(pile, cards)
            text = f"{name} scores for month {self.month}: {_columns(points)}."
            tell(log, "WM-SCORE-1", text, seat=name, month=self.month, **dict(zip(wm.SUITS, points, strict=True)))
            courts = [card for card in pile if cards.ranks[card] not in ("", wm.JOKER)]
            if courts:
                each = listed([f"{self.the(card)} for {cards.points[card]}" for card in courts])
                worth: dict[str, Fact] = {self.box.ids[card]: cards.points[card] for card in courts}
                worth |= {"seat": name, "cards": self.ids_of(courts)}
                log.append(Event("WM-SCORE-2", f"These include {each}.", facts=worth))
            jokers = [card for card in pile if cards.ranks[card] == wm.JOKER]
            if jokers:
                text = sentence(f"{self.list_of(jokers)} {agreeing(jokers, 'gives', 'give')} no points.")
                tell(log, "WM-SCORE-4", text, seat=name, cards=self.ids_of(jokers))
            if self.month > 1:
                both = [now + more for now, more in zip(self.sheets[seat], points, strict=True)]
                text = f"{name} now has {_columns(both)}."
                tell(log, "WM-SCORE-7", text, seat=name, **dict(zip(wm.SUITS, both, strict=True)))

    def _log_month(self, log: list[Event]) -> None:
        self._log_scores(log)
        cards = self.box.cards
        gone = sorted(card for pile in self.piles for card in pile if cards.ranks[card] not in ("", wm.JOKER))
        if gone:
            out = sentence(f"{self.list_of(gone)} {agreeing(gone, 'is', 'are')} out of the game.")
            tell(log, "WM-SCORE-5", out, cards=self.ids_of(gone))
        for name, pile in zip(self.seats, self.piles, strict=True):
            kept = [card for card in sorted(pile) if cards.ranks[card] == wm.JOKER]
            if kept:
                tell(log, "WM-SCORE-5", f"{name} keeps {self.list_of(kept)}.", seat=name, cards=self.ids_of(kept))
        left = len(self.hands[0])
        back = f"The {left} cards left in each hand give no points and are gathered."
        back = back if left != 1 else "The card left in each hand gives no points and is gathered."
        tell(log, "WM-AMB-11", back, hand=left)

    def _log_deal(self, log: list[Event]) -> None:
        rule = "WM-SETUP-2" if self.month == 1 else "WM-SCORE-6"
        tell(log, rule, f"All number cards are shuffled, and month {self.month} begins.", month=self.month)
        for seat, name in enumerate(self.seats):
            hand = self.hands[seat]
            dealt, hint = f"{name} is dealt {self.list_of(hand)}.", f"{name} is dealt {len(hand)} cards."
            log.append(Event("WM-MONTH-2", dealt, frozenset({seat}), hint, {"cards": self.ids_of(hand)}))
        if self.month > 1:
            first = "On the first night of a month, all cards are laid face down, whoever captured last."
            tell(log, "WM-AMB-19", first)

    def _log_moon(self, first_lover: bool, log: list[Event]) -> None:
        box, moon = self.box, self.the(self.moon)
        if first_lover:
            lover = self.the(box.lover)
            instead = sentence(f"{lover} comes up in month 1, so another card is turned up instead.")
            back = f"Only then, with {moon} up, is {lover} shuffled into the face pile again."
            tell(log, "WM-END-2", instead, card=box.ids[box.lover], month=self.month)
            tell(log, "WM-AMB-12", back, card=box.ids[box.lover], moon=box.ids[self.moon])
        text = sentence(f"{moon} is turned up for night {self.night} of month {self.month}.")
        tell(log, "WM-NIGHT-1", text, card=box.ids[self.moon], month=self.month, night=self.night)
        if self.doubled == wm.NO_SUIT:
            tell(log, "WM-NIGHT-3", "A joker doubles nothing.")
        else:
            suit = sentence(wm.SUITS[self.doubled])
            rule = "WM-NIGHT-2" if self.night == 1 else "WM-NIGHT-8"
            tell(log, rule, f"{suit} count double tonight.", doubled=wm.SUITS[self.doubled])
        if self.moon == box.lover:
            up = {"card": box.ids[self.moon]}
            tell(log, "WM-AMB-17", f"{sentence(moon)} doubles her suit like any other face card.", **up)
            tell(log, "WM-END-1", f"{sentence(moon)} has come, so this night is the last.", **up)
        if self.night > 1:
            last = self.seats[self.leader - 1]
            text = f"{self.seats[self.leader]}, to the left of {last}, leads."
            tell(log, "WM-NIGHT-6", text, seat=self.seats[self.leader], captor=last)

    def _log_end(self, log: list[Event]) -> None:
        lover, who = self.the(self.box.lover), self.seats[self.lover]
        id_ = self.box.ids[self.box.lover]
        has: dict[str, Fact] = {"seat": who, "card": id_}
        tell(log, "WM-END-1", f"The night of {lover} is over, and so is the game.", card=id_)
        tell(log, "WM-AMB-14", f"{who} captured on the last night and so has {lover}.", **has)
        if self.night < wm.NIGHTS:
            ended = f"Month {self.month} ends after night {self.night}"
            short: dict[str, Fact] = {"month": self.month, "night": self.night, "scored": not self.dropped}
            if self.dropped:
                not_scored = f"{ended}, and the options of this game say that it is not scored."
                still = f"Only its points are dropped: jokers and {lover} still count."
                tell(log, "WM-AMB-3", not_scored, **short)
                tell(log, "WM-AMB-23", still, card=id_)
            else:
                tell(log, "WM-AMB-3", f"{ended}, and is scored all the same.", **short)
        if not self.is_dropped():
            self._log_scores(log)
            hearts = self.box.cards.points[self.box.lover]
            text = f"{sentence(lover)} gives {hearts} hearts, so {who} is not innocent."
            tell(log, "WM-AMB-4", text, **has, hearts=hearts)
        log += judge(self.sheets_now()).events


def start(
    facts: Facts,
    seats: Sequence[str],
    options: Mapping[str, Any],
    chance: Chance,
    log: list[Event] | None = None,
) -> State:
    """Start a new game: deal the first hands, and turn up the card for the first night."""
    box = box_of(facts)
    state = begin(State, box, seats, OPTIONS.read(options), chance, table_misfits(box, seats))
    state._deal(log)
    state._turn_up(log)
    return state


def table_misfits(box: Box, seats: Sequence[str]) -> list[Misfit]:
    """Return what is wrong with the seats of a game."""
    misfits = seat_misfits(seats, SEATS)
    if len(seats) <= SEATS[1] and box.count < wm.HAND * len(seats):
        hint = f"{len(seats)} seats need {wm.HAND * len(seats)} (WM-MONTH-2)"
        misfits.append(Misfit(("seats",), f"{box.count} number cards are too few", hint))
    return misfits


def tally(state: State) -> Tally:
    """Return the counts for simulations: how the game ended, the fate of each seat, and how often each card captured
    on nights that doubled its suit and on others."""
    sheets = state.sheets_now()
    verdict = judge(sheets)
    first = verdict.winners[0] if verdict.winners else wm.NOBODY
    if first == wm.NOBODY:
        wins = "nobody"
    elif len(verdict.winners) > 1:
        wins = "several share the win"
    else:
        wins = "a guilty one" if sheets[first].hearts else "an innocent"
    game: dict[str, str | int] = {
        "who wins": wins,
        "what the mob does": f"it lynches {_somebody(bool(verdict.lynched))}",
        "what Scotland Yard does": f"it hangs {_somebody(bool(verdict.hanged))}",
        "whom the lover releases": _somebody(verdict.released != wm.NOBODY),
        "months": state.month,
        "nights": (state.month - 1) * wm.NIGHTS + state.night,
    }
    seats = tuple([{**dict(zip(wm.SUITS, sheet.columns, strict=True)), "jokers": sheet.jokers} for sheet in sheets])
    released = {verdict.released} - {wm.NOBODY}
    lynched, hanged = {*verdict.lynched} - released, {*verdict.hanged} - released
    survived = {*range(len(sheets))} - lynched - hanged - released - {*verdict.winners}
    fates = {"lynched": lynched, "hanged": hanged, "released": released, "survived": survived, "won": verdict.winners}
    cards = state.box.cards
    plain, doubled = ([[0, 0] for _ in range(state.box.count)] for _ in range(2))
    for suit, laid, winner in state.history:
        for seat, card in enumerate(laid):
            trial = (doubled if cards.suits[card] == suit else plain)[card]
            trial[0] += 1
            trial[1] += seat == winner
    trials = {"what becomes of a wolf-man": {fate: (len(sheets), len(those)) for fate, those in fates.items()}}
    trials |= {
        name: {id_: (tried, captured) for id_, (tried, captured) in zip(cards.ids, counts, strict=False)}
        for name, counts in (("captures on a plain night", plain), ("captures on a doubled night", doubled))
    }
    return Tally(game, seats, trials)


def _somebody(there_is: bool) -> str:
    return "somebody" if there_is else "nobody"


def _columns(points: Sequence[int]) -> str:
    return listed([some(count, suit) for suit, count in enumerate(points)])
