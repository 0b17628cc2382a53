"""A toy game with campaigns: tricks with the cards of toy_game.py, evening after evening.

The party keeps cards that it has taken. An evening is won when the first seat is among those who took most; then comes
the next one, of three, and before it everything may be kept. An evening that was lost is played again, or left out.
"""

from __future__ import annotations

from types import MappingProxyType

from toy_game import FACTS, Hands, Toy

from grimalkin.engine.campaigns import Chapter, Standing
from grimalkin.engine.shape import Choice, Listing, Misfit, Misfits, Record, Table, Text, Whole, YesNo
from grimalkin.play.table import Game, Law

EVENINGS = ("first", "second", "third")


class Evenings:
    """What the toy says about its campaigns."""

    rules = MappingProxyType({"rest": "TOY-4", "restore": "TOY-5", "failed": "TOY-6"})
    shows = MappingProxyType({"rest": ("TOY-4",), "restore": ("TOY-5",)})

    def options(self, _facts):
        return Record({}, {"pace": Choice(("slow", "quick")), "friends": Listing(Text())})

    def shape(self, _facts):
        return Record(
            {"taken": Table(Whole(0, 999)), "won": Listing(Choice(EVENINGS))},
            {"lost": Choice(EVENINGS), "proud": YesNo(), "notes": Table(Listing(Text()))},
        )

    def check(self, _facts, kept):
        if sum(kept["taken"].values()) > 60:
            return [Misfit(("taken",), "these are too many cards", "at most 60")]
        return []

    def begin(self, facts, seats, options):
        _, misfits = self.options(facts).read(options)
        if not 2 <= len(seats) <= 3:
            misfits = [Misfit(("seats",), f"{len(seats)} cannot play", "2 or 3 can")]
        if misfits:
            raise Misfits(misfits)
        return {"taken": dict.fromkeys(seats, 0), "won": []}

    def chapters(self, _facts, kept):
        left = [one for one in EVENINGS if one not in kept["won"]]
        if not left:
            return []
        lost = "lost" in kept
        options = {"start": sum(kept["taken"].values()) % 3}
        rests = not lost and bool(kept["won"])
        return [
            Chapter(one, f"The {one} evening", options, ("TOY-7",), rests=rests) for one in left[: 2 if lost else 1]
        ]

    def after(self, _facts, kept, chapter, state):
        taken = {score.seat: score.total + kept["taken"][score.seat] for score in state.score()}
        won = state.seats[0] in state.result().winners
        if not won:
            return {**{key: value for key, value in kept.items() if key != "lost"}, "lost": chapter.id}
        return {"taken": taken, "won": [*kept["won"], chapter.id], "proud": min(taken.values()) > 0}

    def standing(self, _facts, kept):
        return [
            Standing("", "Evenings won", str(len(kept["won"])), "TOY-7"),
            *(Standing(name, "Cards", str(count), "TOY-2") for name, count in kept["taken"].items()),
        ]


class ToyWithEvenings(Toy):
    """The toy, with campaigns."""

    CAMPAIGN = Evenings()
    OPTIONS = Record({}, {"start": Whole()})

    class State(Hands):
        def result(self):
            result = super().result()
            if result is None or self.seats[0] in result.winners:
                return result
            return type(result)((), ("TOY-6",), "others took more cards")


def toy(version="1.0"):
    """The game, of some version of its rules."""
    laws = {f"TOY-{n}": Law(f"TOY-{n}", f"Toy rule {n}", True) for n in range(8)}
    return Game("toy", "Toy Evenings", ToyWithEvenings, FACTS, laws, version)
