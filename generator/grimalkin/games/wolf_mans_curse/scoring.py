"""Captures, points and the end of Wolf-Man's Curse: points from cards, and the result from score sheets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grimalkin.engine.law import law
from grimalkin.engine.words import Event, Fact, Line, Result, listed, tell
from grimalkin.games.wolf_mans_curse.facts import CLUBS, DIAMONDS, HEARTS, NOBODY, SPADES, SUITS, Cards


@law("WM-NIGHT-7", "WM-NIGHT-8")
def captor(laid: Sequence[int], strength: Sequence[int]) -> int:
    """Return the seat that captures, given the card of every seat and the strength of every card tonight (WM-NIGHT-7,
    WM-NIGHT-8)."""
    return laid.index(max(laid, key=strength.__getitem__))


@law("WM-SCORE-2", "WM-SCORE-3", "WM-SCORE-4", "WM-AMB-18")
def month_points(pile: Sequence[int], cards: Cards) -> list[int]:
    """Return the points of captured cards in each column. Doubling does not matter here (WM-SCORE-3, WM-AMB-18), nor
    does the column of a joker, which has no points (WM-SCORE-4)."""
    columns = [0] * len(SUITS)
    suits, points = cards.suits, cards.points
    for card in pile:
        columns[suits[card]] += points[card]
    return columns


def month_lines(pile: Sequence[int], earlier: Sequence[int], cards: Cards, lover: int) -> list[Line]:
    """Return lines for each column in turn: the earlier months (WM-SCORE-7), then this month's captures (WM-SCORE-2). A
    column without captures has one line of 0 points (WM-SCORE-1)."""
    lines = []
    for column, suit in enumerate(SUITS):
        own = sorted(card for card in pile if cards.suits[card] == column)
        before = earlier[column]
        here = [Line("WM-SCORE-7", f"{suit} of earlier months", before, 1, before, suit, "earlier months")]
        numbers = [cards.points[card] for card in own if not cards.ranks[card]]
        for each in sorted(set(numbers)):
            count = numbers.count(each)
            here.append(Line("WM-SCORE-2", f"{suit}: number cards", count, each, count * each, suit, "number cards"))
        for card in own:
            if cards.ranks[card]:
                label = f"{cards.ranks[card]} of {suit}" + (": the lover" if card == lover else "")
                here.append(Line("WM-SCORE-2", label, 1, cards.points[card], cards.points[card], suit))
        lines += [line for line in here if line.count] or [Line("WM-SCORE-1", suit, 0, 1, 0, suit)]
    return lines


# The end


class Sheet(NamedTuple):
    """A finished row of the score sheet."""

    seat: str
    clubs: int
    spades: int
    hearts: int
    diamonds: int
    jokers: int = 0
    lover: bool = False
    """Whether the seat captured the queen of hearts."""

    @property
    def columns(self) -> tuple[int, int, int, int]:
        """The points in each column, in the order of SUITS."""
        return self.clubs, self.spades, self.hearts, self.diamonds


class Verdict(NamedTuple):
    """The decisions at the end of a game. Seats are numbers."""

    lynched: tuple[int, ...]
    hanged: tuple[int, ...]
    released: int
    """The seat released, or NOBODY."""
    winners: tuple[int, ...]
    events: tuple[Event, ...]
    """All the steps of the end, in order."""

    @property
    def steps(self) -> tuple[tuple[str, str], ...]:
        return tuple([(event.rule, event.text) for event in self.events])


def resolve(sheets: Sequence[Sheet]) -> Result:
    """Return the result for these score sheets, seats in clockwise order, and every step that led to it."""
    verdict = judge(sheets)
    rules = tuple(dict.fromkeys(rule for rule, _ in verdict.steps))
    best = [sheets[seat] for seat in verdict.winners]
    because = verdict.steps[-1][1]
    if best:
        how = "guilty" if best[0].hearts else "innocent"
        tied = " each, and equal in the other columns" if len(best) > 1 else ""
        because = (
            f"{listed([sheet.seat for sheet in best])} survived {how}, with {some(best[0].diamonds, DIAMONDS)}{tied}."
        )
    facts: dict[str, Fact] = {
        "lynched": tuple(sheets[seat].seat for seat in verdict.lynched),
        "hanged": tuple(sheets[seat].seat for seat in verdict.hanged),
        "released": "" if verdict.released == NOBODY else sheets[verdict.released].seat,
    }
    if best:
        facts |= {"innocent": not best[0].hearts, "diamonds": best[0].diamonds}
    return Result(tuple(sheet.seat for sheet in best), rules, because, verdict.steps, facts)


def judge(sheets: Sequence[Sheet]) -> Verdict:
    """Go through the steps of the end: mob, Yard, survivors, Lover's Release, winner (WM-AIM-2)."""
    judging = _Judging(sheets)
    seats = range(len(sheets))
    lynched = judging.mob(seats)
    hanged = judging.yard([seat for seat in seats if seat not in lynched])
    alive = [seat for seat in seats if seat not in (*lynched, *hanged)]
    best = judging.richest(alive)
    released = judging.release(lynched, hanged, best)
    winners = judging.winners(alive, best, released)
    return Verdict(tuple(lynched), tuple(hanged), released, tuple(winners), tuple(judging.steps))


class _Judging:
    """The end of a game, step by step. Seats are numbers."""

    def __init__(self, sheets: Sequence[Sheet]) -> None:
        self.sheets = sheets
        self.steps: list[Event] = []

    def say(self, rule: str, sentence: str, **facts: Fact) -> None:
        tell(self.steps, rule, sentence, **facts)

    def names(self, seats: Sequence[int]) -> str:
        return listed(self.seats(seats))

    def seats(self, seats: Sequence[int]) -> tuple[str, ...]:
        return tuple([self.sheets[seat].seat for seat in seats])

    def mob(self, seats: Sequence[int]) -> list[int]:
        """Return the seats that the mob lynches: the one with the most clubs (WM-END-3); if tied, the most spades, then
        hearts, then diamonds (WM-AMB-7); or none if nobody has a club (WM-AMB-10)."""
        most = max(self.sheets[seat].clubs for seat in seats)
        if not most:
            self.say("WM-AMB-10", "Nobody has a club, so the mob lynches nobody.")
            return []
        tied = [seat for seat in seats if self.sheets[seat].clubs == most]
        if len(tied) == 1:
            lynched = f"{self.names(tied)} has the most clubs, {most}, and is lynched by the mob."
            self.say("WM-END-3", lynched, lynched=self.seats(tied), clubs=most)
            return tied
        wants = f"The mob wants whoever has the most clubs: {self.names(tied)} have {most} each."
        self.say("WM-END-3", wants, seats=self.seats(tied), clubs=most)
        fate = ("lynched", "is lynched", "are {each} lynched")
        return self.break_tie("WM-AMB-7", tied, (SPADES, HEARTS, DIAMONDS), "more", fate)

    def yard(self, seats: Sequence[int]) -> list[int]:
        """Return the seats that Scotland Yard hangs: of those left, the one with the most spades, if it has a heart
        (WM-END-4, WM-END-5); if tied, the most hearts, then clubs, then diamonds; or none if nobody has a spade
        (WM-AMB-8)."""
        if not seats:
            return []
        most = max(self.sheets[seat].spades for seat in seats)
        if not most:
            self.say("WM-AMB-8", "None of those left has a spade, so Scotland Yard hangs nobody.")
            return []
        tied = [seat for seat in seats if self.sheets[seat].spades == most]
        facts: dict[str, Fact] = {"seats": self.seats(tied), "spades": most}
        if not any(self.sheets[seat].hearts for seat in tied):
            whom = f"{self.names(tied)} has the most spades, {most}, but no heart"
            if len(tied) > 1:
                share = f"{self.names(tied)} have the most spades, {most} each"
                self.say("WM-AMB-8", f"{share}; of these, only players with a heart can be hanged.", **facts)
                whom = "None of them has a heart"
            self.say("WM-END-5", f"{whom}, so Scotland Yard hangs nobody.", **facts)
            return []
        if len(tied) == 1:
            hearts = self.sheets[tied[0]].hearts
            both = f"{self.names(tied)} has the most spades, {most}, and {some(hearts, HEARTS)}"
            self.say("WM-END-4", f"{both}, and is hanged.", hanged=self.seats(tied), spades=most, hearts=hearts)
            return tied
        suspects = f"Scotland Yard suspects whoever has the most spades: {self.names(tied)} have {most} each."
        self.say("WM-END-4", suspects, **facts)
        fate = ("hanged", "is hanged", "are {each} hanged")
        return self.break_tie("WM-AMB-8", tied, (HEARTS, CLUBS, DIAMONDS), "more", fate)

    def richest(self, seats: Sequence[int]) -> list[int]:
        """Return the seats that would win: the richest of those without hearts if there are any, otherwise of all
        (WM-END-6 to WM-END-8); if tied, the fewest hearts, then spades, then clubs (WM-AMB-9)."""
        if not seats:
            return []
        innocent = [seat for seat in seats if not self.sheets[seat].hearts]
        among = innocent or seats
        most = max(self.sheets[seat].diamonds for seat in among)
        tied = [seat for seat in among if self.sheets[seat].diamonds == most]
        if len(tied) == len(among):
            rich = f"They have {some(most, DIAMONDS)} each." if most else "None of them has a diamond."
        elif len(tied) > 1:
            rich = f"Of them {self.names(tied)} have the most diamonds, {most} each."
        else:
            rich = f"Of them {self.names(tied)} has the most diamonds, {most}."
        facts: dict[str, Fact] = {"seats": self.seats(among), "innocent": bool(innocent)}
        riches: dict[str, Fact] = {**facts, "richest": self.seats(tied), "diamonds": most}
        if len(innocent) == 1:
            self.say("WM-END-6", f"Of those left, only {self.names(innocent)} has no hearts.", **facts)
        elif innocent:
            self.say("WM-END-7", f"{self.names(innocent)} have no hearts. {rich}", **riches)
        elif len(seats) == 1:
            hearts = self.sheets[seats[0]].hearts
            alone = f"Only {self.names(seats)} is left, with {some(hearts, HEARTS)}."
            self.say("WM-END-8", alone, **facts, hearts=hearts)
        else:
            self.say("WM-END-8", f"Everyone left has a heart: {self.names(seats)}. {rich}", **riches)
        if len(tied) == 1:
            return tied
        fate = ("first", "comes first", "come joint first")
        return self.break_tie("WM-AMB-9", tied, (HEARTS, SPADES, CLUBS), "fewer", fate)

    def break_tie(
        self, rule: str, tied: Sequence[int], columns: Sequence[int], word: str, fate: tuple[str, str, str]
    ) -> list[int]:
        """Return the tied seats that the other columns single out, compared in order. `word` is "more" or "fewer",
        whichever singles a seat out. `fate` is a name for facts, what happens to one seat, and what happens to
        several, with {each} for both or all."""
        told, facts = [], dict[str, Fact]()
        for column in columns:
            counts = [self.sheets[seat].columns[column] for seat in tied]
            wanted = max(counts) if word == "more" else min(counts)
            kept = [seat for seat in tied if self.sheets[seat].columns[column] == wanted]
            if len(kept) < len(tied):
                told.append(f"{self.names(kept)} {agreeing(kept, 'has', 'have')} {word} {SUITS[column]}, {wanted}")
                facts[SUITS[column]] = wanted
            tied = kept
            if len(tied) == 1:
                self.say(rule, f"{'; '.join(told)}, and {fate[1]}.", **{fate[0]: self.seats(tied), **facts})
                return list(tied)
        several = fate[2].format(each="both" if len(tied) == 2 else "all")
        equal = f"{self.names(tied)} are equal in {listed([SUITS[column] for column in columns])} too, and {several}"
        self.say(rule, f"{'; '.join([*told, equal])}.", **{fate[0]: self.seats(tied), **facts})
        return list(tied)

    def release(self, lynched: Sequence[int], hanged: Sequence[int], best: Sequence[int]) -> int:
        """Return the seat that dies and is released, with the queen of hearts and a joker (WM-END-9), or NOBODY. The
        mob and the Yard keep their victims (WM-END-10, WM-AMB-5); a seat that would have won does not (WM-END-11)."""
        holder = next((seat for seat, sheet in enumerate(self.sheets) if sheet.lover), NOBODY)
        if holder == NOBODY:
            self.say("WM-AMB-24", "Nobody has the queen of hearts on this score sheet, so nobody is released.")
            return NOBODY
        name, jokers = self.sheets[holder].seat, self.sheets[holder].jokers
        facts: dict[str, Fact] = {"seat": name, "jokers": jokers, "released": name if jokers else ""}
        if not jokers:
            self.say("WM-END-9", f"{name} has the queen of hearts but no joker, so nobody is released.", **facts)
            return NOBODY
        held = f"{name} has the queen of hearts and {jokers} joker{'s' if jokers > 1 else ''}"
        if holder in lynched or holder in hanged:
            who = "the mob" if holder in lynched else "Scotland Yard"
            out = f"{held}, so this death is a release, a moral victory, and {name} is out all the same."
            self.say("WM-END-10", out, **facts)
            victim = f"{name} was still the victim of {who}, which takes nobody else instead."
            self.say("WM-AMB-5", victim, seat=name, released=name)
        elif holder in best:
            self.say("WM-END-11", f"{held}: {name} dies released, a moral victory, and does not win.", **facts)
        else:
            self.say("WM-END-9", f"{held}, and dies released; {name} would not have won.", **facts)
        return holder

    def winners(self, alive: Sequence[int], best: Sequence[int], released: int) -> list[int]:
        """Return the winners: the best without the released seat; if there are none, the best of the others (WM-AMB-22,
        WM-AMB-6); if nobody else is left, nobody (WM-AMB-21)."""
        if not alive:
            self.say("WM-AMB-21", "Nobody is left alive, so nobody wins.")
            return []
        left = [seat for seat in best if seat != released]
        if left and len(left) < len(best):
            name = self.sheets[released].seat
            self.say("WM-AMB-22", f"The win is not shared with {name}.", released=name)
        if not left:
            others = [seat for seat in alive if seat != released]
            if not others:
                self.say("WM-AMB-6", "Nobody else is left alive, so nobody wins.")
                return []
            name = self.sheets[released].seat
            are_left = f"{self.names(others)} {agreeing(others, 'is', 'are')} left"
            repeated = f"The third and fourth steps are repeated without {name}: {are_left}."
            self.say("WM-AMB-6", repeated, released=name, seats=self.seats(others))
            left = self.richest(others)
        kind = "a guilty" if self.sheets[left[0]].hearts else "an innocent"
        first = self.sheets[left[0]]
        facts: dict[str, Fact] = {"winners": self.seats(left), "innocent": not first.hearts}
        if len(left) == 1:
            wins = f"{self.names(left)} wins, {kind} survivor with {some(first.diamonds, DIAMONDS)}."
            self.say("WM-AIM-2", wins, **facts, diamonds=first.diamonds)
        else:
            self.say("WM-AIM-2", f"{self.names(left)} share the win.", **facts)
        return left


def agreeing(subjects: Sequence[int], singular: str, plural: str) -> str:
    """Return the form of a verb that fits its subjects."""
    return singular if len(subjects) == 1 else plural


def some(count: int, suit: int) -> str:
    """Return a column's points in words: 3 clubs, 1 club, no clubs."""
    return f"{count or 'no'} {SUITS[suit] if count != 1 else SUITS[suit].removesuffix('s')}"
