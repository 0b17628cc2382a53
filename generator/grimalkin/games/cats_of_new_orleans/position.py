"""Positions: lay what a record says on a table, and check that it can be.

A record names what differs from the set-up of its scenario.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from grimalkin.engine.kinds import members
from grimalkin.engine.law import law
from grimalkin.engine.shape import Misfits, Path
from grimalkin.engine.state import Reading
from grimalkin.games.cats_of_new_orleans import numbers
from grimalkin.games.cats_of_new_orleans.box import boat_is_open
from grimalkin.games.cats_of_new_orleans.figures import Figure, board_of, covered, covers, foe_of, here, shares
from grimalkin.games.cats_of_new_orleans.maps import SQUARES
from grimalkin.games.cats_of_new_orleans.moves import rank
from grimalkin.games.cats_of_new_orleans.scenario import check_end, tokens_on
from grimalkin.games.cats_of_new_orleans.table import UNKNOWN, Table, Vermin
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import plural

DOORS = ("open", "closed")


class Loading(Reading[Table]):
    """The loading of one position, from record to table."""

    def run(self) -> None:
        """Lay everything on the table and check it. Raises Misfits."""
        self.lay_all()
        if not self.misfits:
            self.check()
        if self.misfits:
            raise Misfits(self.misfits)

    def lay_all(self) -> None:
        """Set everything that the record says, and what follows from it."""
        state = self.state
        state.doors = board_of(state).first_open
        self.lay()
        self.heroes()
        self.vermin()
        self.doors()
        if not self.misfits:
            self.decks()

    # Figures

    @law("NO-SET-1", "NO-SET-2", "NO-AMB-73")
    def heroes(self) -> None:
        """Check the heroes: two or four of the box, each gone or on a square where it can stand."""
        state, box = self.state, self.state.box
        known = [box.ids[number] for number in box.hero_numbers]
        named = self.record.get("heroes", {})
        if "heroes" not in self.record:
            self.wrong((), 'the key "heroes" is missing', "it lists the heroes of the party, each with its square")
            return
        if len(named) not in numbers.PARTIES:
            self.wrong("heroes", f"{len(named)} heroes are listed", "two or four play (NO-AMB-73)")
        for index, hero in enumerate(state.heroes):
            at: Path = ("heroes", hero.name)
            if hero.name not in known:
                self.wrong(at, f'there is no hero "{hero.name}"', did_you_mean(hero.name, known))
                continue
            hero.card = box.numbers[hero.name]
            if "seat" not in named[hero.name]:
                hero.seat = index % len(state.seats)
            aboard = state.interlude or state.phase == numbers.INTERLUDE
            if aboard and (hero.at >= 0 or hero.place != numbers.HERE):
                self.wrong((*at, "at"), f"{hero.name} is not on a map in an interlude", "leave out `at` and `place`")
            elif hero.place == numbers.HERE and hero.lives == 0 and not aboard:
                self.wrong((*at, "lives"), "a hero without Lives is out (NO-AMB-40)", "write `place: out`")
            if not aboard and (hero.at >= 0) != (hero.place == numbers.HERE):
                hint = "a hero that is here needs a square; one that has left or is out has none"
                self.wrong(at, f"the square and the place of {hero.name} do not match", hint)
            elif hero.at >= 0:
                self.stands(at, hero.name, 1 << hero.at)
            if len(hero.weapons) > (most := numbers.MOST_WEAPONS):
                self.wrong((*at, "weapons"), f"{len(hero.weapons)} weapons", f"{most} at most (NO-CHR-6)")
            for key, cards in (("weapons", hero.weapons), ("loot", hero.loot), ("skills", hero.skills)):
                fits = box.weapons if key == "weapons" else box.skills if key == "skills" else box.loot
                for card in cards:
                    if card not in fits:
                        self.wrong((*at, key), f"{box.ids[card]} does not belong there")

    @law("NO-TERR-2", "NO-HIDE-1")
    def vermin(self) -> None:
        """Check the vermin by name: each needs a marker and squares where it can stand."""
        state, box = self.state, self.state.box
        markers = {marker.number: marker for marker in box.markers}
        for vermin in state.vermin:
            at: Path = ("vermin", vermin.name)
            word, _, number = vermin.name.rpartition("-")
            named = next((one for one in box.markers if vermin.name in (one.word, f"{one.word}-{number}")), None)
            unknown = word == UNKNOWN and number.isdigit()
            if named is None and not unknown:
                words = [*(marker.word for marker in box.markers), f"{UNKNOWN}-1"]
                self.wrong(at, f'no vermin is called "{vermin.name}"', did_you_mean(vermin.name, words))
                continue
            if vermin.marker < 0 and named is not None:
                vermin.marker = named.number
            if vermin.marker not in markers:
                self.wrong((*at, "is"), "its marker is missing", "name one of the vermin markers")
                continue
            vermin.up = vermin.up or named is not None
            if (named is not None and named.number != vermin.marker) or vermin.up == unknown:
                self.wrong((*at, "is"), f"{vermin.name} cannot be {box.ids[vermin.marker]}")
                continue
            if named is not None and (named.count == 1) != (vermin.name == named.word):
                hint = f"write {named.word}" if named.count == 1 else f"write {named.word}-1"
                self.wrong(at, f'"{vermin.name}" is not its name', hint)
                continue
            if vermin.at < 0:
                self.wrong(at, f"{vermin.name} has no square", "`at` names it")
                continue
            board = board_of(state)
            if vermin.at >= board.size:
                self.wrong((*at, "at"), f"{SQUARES[vermin.at]} is not on this map")
                continue
            self.stands(at, vermin.name, covers(state, vermin), foe_of(state, vermin).has("large"))
            self.has(at, vermin)
        if not self.misfits:
            state.vermin.sort(key=lambda one: rank(box, one))
            self.crowds()

    def has(self, at: Path, vermin: Vermin) -> None:
        """Check that a vermin can have its Wounds and its aspect."""
        foe = foe_of(self.state, vermin)
        if vermin.wounds >= foe.health:
            hint = f"its Health is {foe.health}, and without Health it is eliminated (NO-HIT-6)"
            self.wrong((*at, "wounds"), f"{vermin.name} has {plural(vermin.wounds, 'Wound')}", hint)
        if vermin.aspect >= 0 and vermin.aspect not in foe.aspects:
            self.wrong((*at, "aspect"), f"{self.state.box.ids[vermin.aspect]} is not an aspect of {vermin.name}")

    def stands(self, at: Path, name: str, squares: int, large: bool = False) -> None:
        """Check that a figure can stand on its squares: on the map, and not in a wall."""
        board = board_of(self.state)
        blocked = squares & ~board.standable
        if not squares or squares & ~board.on_map:
            self.wrong((*at, "at"), f"{name} is not on the map")
        elif blocked.bit_count() > large:
            square = SQUARES[members(blocked)[0]]
            self.wrong((*at, "at"), f"{name} stands on {square}, which is blocked", "choose another square (NO-TERR-2)")

    @law("NO-MOVE-6", "NO-AMB-25", "NO-AMB-26")
    def crowds(self) -> None:
        """Check that no two figures share a square, except with a Swarming one or a pouncing hero."""
        state = self.state
        taken: dict[int, str] = {}
        figures: list[Figure] = [*here(state), *state.vermin]
        for figure in figures:
            if shares(state, figure) if isinstance(figure, Vermin) else figure.leaping >= 0:
                continue
            for square in members(covered(state, figure)):
                if square in taken:
                    at: Path = ("vermin" if isinstance(figure, Vermin) else "heroes", figure.name, "at")
                    told = f"{figure.name} and {taken[square]} stand on {SQUARES[square]}"
                    self.wrong(at, told, "only Swarming vermin share a square (NO-AMB-26)")
                taken[square] = figure.name

    # Decks

    def decks(self) -> None:
        """Fill the decks with whatever is nowhere else, and check that the box has enough of everything."""
        state, box, story = self.state, self.state.box, self.state.box.scenario(self.state.scenario)
        elsewhere = {*state.hand, *state.discard, *state.top}
        state.kings = [card for card in box.kings if card not in elsewhere]
        out = [*state.hand, *state.discard, *state.top, *state.kings]
        state.deck = self.rest(box.poker, out, "a card of the poker deck")
        held = [card for hero in state.heroes for card in (*hero.weapons, *hero.loot)]
        lying = [card for cards in state.ground.values() for card in cards]
        out = [*held, *lying, *state.loot_gone, *state.loot_top, *state.loot_under, *state.offer, *state.aside]
        spare = Counter({card: int(box.piece(card)["count"]) for card in box.loot})
        self.suffices(out, spare, "Loot")
        deck = Counter(story.loot)
        deck.subtract(Counter(out))
        state.loot_deck = sorted(card for card, count in deck.items() for _ in range(max(0, count)))
        on_map = [vermin.marker for vermin in state.vermin]
        counts = Counter({marker.number: marker.count for marker in box.markers})
        if "apart" not in self.record:
            there = Counter([*on_map, *state.graves, *state.gone])
            coming = [
                [marker] * max(0, min(count, counts[marker] - there[marker]))
                for marker, count, _, when in story.apart
                if when > state.space
            ]
            state.apart = sorted(marker for group in coming for marker in group)
        used = [*on_map, *state.graves, *state.gone, *state.apart]
        self.suffices(used, counts, "vermin markers")
        pool = Counter(story.pool)
        pool.subtract(Counter(used))
        state.pool = sorted(marker for marker, count in pool.items() for _ in range(max(0, count)))
        drawn = [*state.aspects_used, *state.aspects_lost]
        if "aspects-used" not in self.record:
            state.aspects_used = sorted(one.aspect for one in state.vermin if one.aspect >= 0)
            drawn += state.aspects_used
        state.aspects = [card for card in story.aspects if card not in drawn]
        if len(state.hand) > numbers.MOST_HAND:
            self.wrong("hand", f"{len(state.hand)} cards is too many", f"{numbers.MOST_HAND} at most (NO-PCH-1)")

    def rest(self, all_: Sequence[int], out: Sequence[int], what: str) -> list[int]:
        """Return the pieces that remain after some have been taken out."""
        counts = Counter(out)
        for card, count in counts.items():
            if count > 1:
                self.wrong((), f"{self.state.box.ids[card]} is in {count} places", f"{what} exists only once")
        return [card for card in all_ if card not in counts]

    def suffices(self, used: Sequence[int], there: Mapping[int, int], what: str) -> None:
        """Check that the box has as many pieces as are named."""
        for piece, count in Counter(used).items():
            if count > there.get(piece, 0):
                id_ = self.state.box.ids[piece]
                self.wrong((), f"{count} of {id_} are listed", f"the box has {there.get(piece, 0)} of these {what}")

    def doors(self) -> None:
        """Set the doors that differ from the map."""
        state, board = self.state, board_of(self.state)
        for name, how in self.record.get("doors", {}).items():
            number = next((index for index, door in enumerate(board.doors) if door.name == name), None)
            if number is None:
                names = [door.name for door in board.doors]
                self.wrong(("doors", name), f'there is no door "{name}" on this map', did_you_mean(name, names))
            elif how == "open":
                state.doors |= 1 << number
            else:
                state.doors &= ~(1 << number)

    # The current state

    def check(self) -> None:
        """Check that the active figure is on the map, and that the phase fits."""
        state = self.state
        board = board_of(state)
        if state.space > board.spaces:
            self.wrong("space", f"the track has {board.spaces} spaces")
        for square, count in state.taken.items():
            there = tokens_on(state, square) + count
            if count > there:
                told = f"{plural(count, 'token')} taken from {SQUARES[square]}"
                self.wrong(("taken", SQUARES[square]), told, f"it had {there} at first")
        tokens = state.box.piece(state.box.numbers["stinkbomb-token"])["count"]
        if len(state.stinkbombs) > tokens:
            self.wrong("stinkbombs", f"{len(state.stinkbombs)} tokens", f"the box has {tokens} (NO-AMB-93)")
        for name in self.squares_named():
            if name >= board.size or not board.on_map >> name & 1:
                self.wrong((), f"{SQUARES[name]} is not on this map")
        if state.phase == numbers.INITIATIVE or self.record["phase"] == "set-up" if "phase" in self.record else False:
            self.wrong("phase", "nobody has a choice in this phase", 'start with "phase: heroes"')
        if "phase" not in self.record:
            state.phase = numbers.HEROES
        self.find_end()
        if state.phase == numbers.VERMIN and state.active:
            hint = "between activations nobody is active; in the middle of one, `pending` records what led here"
            self.wrong("active", f"{state.active} cannot be in the middle of its activation here", hint)
        if state.phase == numbers.HEROES and state.active:
            hero = next((hero for hero in state.heroes if hero.name == state.active), None)
            if hero is None or hero.at < 0 or hero.done:
                self.wrong(
                    "active", f"{state.active} cannot be activated now", "name a hero on the map that is not done"
                )
        if state.phase == numbers.HEROES and not any(hero.at >= 0 and not hero.done for hero in state.heroes):
            self.wrong("heroes", "no hero is left to act", "so it is the turn of the vermin, or the end")
        if state.phase == numbers.VERMIN and not any(not vermin.done for vermin in state.vermin):
            self.wrong("vermin", "no vermin is left to act", "so it is the turn of the heroes, or the next round")
        if state.phase == numbers.INTERLUDE:
            self.aboard()
        if state.phase == numbers.ENDED and not (state.won or state.lost):
            self.wrong("phase", "the scenario is over, but neither won nor lost", "write `won: yes`, or `lost:`")

    def find_end(self) -> None:
        """End a scenario that is won or lost, whatever phase is written."""
        state = self.state
        if state.phase in (numbers.HEROES, numbers.VERMIN) and not state.won and not state.lost:
            check_end(state)
        if state.phase in (numbers.HEROES, numbers.VERMIN) and (state.won or state.lost):
            state.phase, state.active = numbers.ENDED, ""

    @law("NO-BOAT-1")
    def aboard(self) -> None:
        """Check an interlude: the Riverboat is open, and somebody has a choice."""
        state, box = self.state, self.state.box
        if not state.interlude:
            self.wrong("phase", "this is a scenario, not an interlude", "write `options: {interlude: yes}`")
        elif state.step < numbers.BAR:
            self.wrong("step", "nobody has a choice at this step", 'start with "step: bar", or later')
        elif not boat_is_open(box, state.scenario):
            self.wrong(
                ("options", "scenario"), "the Riverboat is not open after this scenario", "it opens later (NO-AMB-69)"
            )
        if state.event < 0:
            self.wrong((), 'the key "event" is missing', "it names the Riverboat Event of this visit (NO-BOAT-2)")
        for card in state.offer:
            if box.piece(card)["kind"] == "event":
                self.wrong("offer", f"{box.ids[card]} is an event", "events are set aside (NO-BOAT-4)")
        if state.active and not any(hero.name == state.active for hero in state.heroes):
            self.wrong("active", f'"{state.active}" is not in the party')

    def squares_named(self) -> list[int]:
        state = self.state
        searched = [square for hero in state.heroes for square in hero.searched]
        return [*state.taken, *state.ground, *state.stinkbombs, *searched]
