"""A scenario in progress: whose choice it is, the legal moves, and their effects; set up, or loaded from a record.

A record names what differs from the set-up of its scenario. In the middle of an activation, it also says how the
activation began, with all moves and draws since; these are played again and must lead to the same position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from grimalkin.engine.chance import Chance, ChanceError, Scripted
from grimalkin.engine.contract import Facts
from grimalkin.engine.kinds import members
from grimalkin.engine.law import law
from grimalkin.engine.loading import seat_misfits
from grimalkin.engine.shape import Choice, Listing, Misfit, Misfits, Path, Record, Text
from grimalkin.engine.shape import Table as Names
from grimalkin.engine.state import Reading, begin
from grimalkin.engine.words import OVER, Event, Refusal, Result, Score
from grimalkin.games.cats_of_new_orleans import effects, numbers, rounds, scenario  # noqa: F401 - tasks and verbs
from grimalkin.games.cats_of_new_orleans.box import Box, boat_is_open, box_of
from grimalkin.games.cats_of_new_orleans.campaign import riverboat
from grimalkin.games.cats_of_new_orleans.campaign.riverboat import ABOARD, why_not_aboard, why_not_ashore
from grimalkin.games.cats_of_new_orleans.figures import Figure, board_of, covered, covers, foe_of, here, hero_of, shares
from grimalkin.games.cats_of_new_orleans.hero import act_on, activate, legal_actions
from grimalkin.games.cats_of_new_orleans.maps import SQUARES
from grimalkin.games.cats_of_new_orleans.moves import ASK, Move, asked, do, rank, ranks, reply, run
from grimalkin.games.cats_of_new_orleans.numbers import ENDED, HEROES, INTERLUDE, NOTHING, OPTIONS, SEATS, VERMIN
from grimalkin.games.cats_of_new_orleans.refusals import why_not
from grimalkin.games.cats_of_new_orleans.scenario import check_end, held, option_misfits, tokens_on
from grimalkin.games.cats_of_new_orleans.table import UNKNOWN, Table, Vermin
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import plural

DOORS = ("open", "closed")


class State(Table):
    """A scenario in progress."""

    @law("NO-AMB-138")
    def to_act(self) -> int:
        """Return the seat to act: the owner of the active hero, or the seat that chooses for the group; OVER at the
        end."""
        if self.phase == ENDED:
            return OVER
        if self.todo and self.todo[-1][0] == ASK and self.todo[-1][2] >= 0:
            return int(self.todo[-1][2])
        if self.phase in (HEROES, INTERLUDE) and self.active:
            return hero_of(self, self.active).seat
        if self.phase == HEROES:
            waiting = [hero.seat for hero in self.heroes if hero.at >= 0 and not hero.done]
            return min(waiting) if waiting else 0
        return 0

    def turn_key(self) -> tuple[int, int, int]:
        """Return a key that stays the same during a hero's activation, its turn on board, or the vermin turn."""
        if self.phase == INTERLUDE:
            return self.turn, self.phase, self.step
        done = sum(hero.done for hero in self.heroes) if self.phase == HEROES else 0
        return self.round, self.phase, done

    def legal(self) -> list[Move]:
        """Return every legal small move, in a fixed order."""
        if self.todo and self.todo[-1][0] == ASK:
            return list(self.todo[-1][3])
        if self.phase == ENDED:
            return []
        if self.phase == INTERLUDE:
            return riverboat.legal_aboard(self)
        if self.active:
            return legal_actions(self, hero_of(self, self.active))
        return [("act", hero.name) for hero in sorted(here(self), key=lambda hero: hero.card) if not hero.done]

    def why_not(self, move: Move) -> Refusal | None:
        """Return the rule that forbids a move and why; None if the move is legal."""
        if move in self.legal():
            return None
        if self.phase == INTERLUDE and asked(self) is None:
            return why_not_aboard(self, move)
        if move[0] in ABOARD and self.phase not in (INTERLUDE, ENDED):
            return why_not_ashore(self)
        return why_not(self, move)

    def apply(self, move: Move, log: list[Event] | None = None) -> None:
        """Make a legal move, with everything that follows from it without a choice."""
        self.log = log
        if not self.active and (not self.todo or len(self.since) > LONG) and not self.is_asked_midway():
            self.keep()
        self.since.append(move)
        if self.todo:
            reply(self, move)
        elif self.phase == INTERLUDE:
            riverboat.make_aboard(self, move)
        elif self.active:
            act_on(self, hero_of(self, self.active), move)
        else:
            activate(self, hero_of(self, move[1]))
        run(self)
        self.log = None
        self.forget()

    def forget(self) -> None:
        """Forget the last card, unless something is asked about it."""
        if not self.is_asked_midway():
            self.card, self.stayed = NOTHING, ""

    def is_asked_midway(self) -> bool:
        """Return whether the question cannot be derived from the table; only which vermin acts next can be."""
        return bool(self.todo) and (len(self.todo) > 1 or self.todo[0][1] != "vermin")

    def keep(self) -> None:
        """Keep the table as it is, to record later how a question came about."""
        self.begun = None
        self.since = []
        self.begun = self.with_chance(self.chance)

    def position(self) -> dict[str, Any]:
        """Return this state as a record; in the middle of something, also with how it came about."""
        record = self.plain_position()
        if self.is_asked_midway():
            begun = self.begun
            how = {"begun": begun.plain_position()} if isinstance(begun, State) else {"options": dict(begun)}
            record["pending"] = {**how, "since": [list(one) for one in self.since]}
        return record

    def plain_position(self) -> dict[str, Any]:
        """Return the record of the table alone."""
        board = board_of(self)
        record = super().position()
        if changed := self.doors ^ board.first_open:
            record["doors"] = {
                board.doors[number].name: DOORS[not self.doors >> number & 1] for number in members(changed)
            }
        return record

    def imagine(self, _seat: int, chance: Chance) -> State:
        """Return a table that looks the same to the players: the face-down markers are dealt again."""
        other = self.clone()
        hidden = [one for one in other.vermin if not one.up and not one.known]
        markers = sorted([*other.pool, *(one.marker for one in hidden)])
        for one in hidden:
            one.marker = chance.take("marker", markers)
        other.pool = markers
        other.chance = chance
        return other

    def score(self) -> list[Score]:
        """Return empty scores: all players win or lose together."""
        return [Score(name, ()) for name in self.seats]

    @law("NO-SCN-3")
    def result(self) -> Result | None:
        """Return the result: everybody wins, or nobody does."""
        if self.phase != ENDED:
            return None
        if self.interlude:
            return Result(self.seats, ("NO-BOAT-9",), "the next scenario can begin")
        if self.won:
            return Result(self.seats, ("NO-SCN-3",), "every objective is achieved")
        return Result((), ("NO-SCN-5",), self.lost)

    def pieces(self) -> Mapping[str, int]:
        """Return the number of each card and marker, wherever they are."""
        ids = self.box.ids
        counts: dict[str, int] = {}
        heroes = [card for hero in self.heroes for card in (*hero.weapons, *hero.loot)]
        fights = [card for fight in self.fights for card in fight.cards if card >= 0 and not self.box.is_joker(card)]
        waiting = [piece for one in self.todo for piece in held(self, one)]
        for card in (
            *heroes,
            *self.deck,
            *self.top,
            *self.hand,
            *self.discard,
            *self.kings,
            *self.loot_deck,
            *self.loot_top,
            *self.loot_under,
            *self.loot_gone,
            *self.offer,
            *self.aside,
            *(card for cards in self.ground.values() for card in cards),
            *self.pool,
            *self.graves,
            *self.gone,
            *self.apart,
            *(one.marker for one in self.vermin),
            *waiting,
            *fights,
        ):
            counts[ids[card]] = counts.get(ids[card], 0) + 1
        return counts


LONG = 100
"""Moves and draws after which the start of the vermin turn is kept again."""
MOST_SINCE = 2_000
"""The most moves and draws in one activation."""


def start(
    facts: Facts, seats: Sequence[str], options: Mapping[str, Any], chance: Chance, log: list[Event] | None = None
) -> State:
    """Return a scenario that has just been set up."""
    box = box_of(facts)
    read, misfits = OPTIONS.read(options)
    chosen = {"scenario": next(iter(box.scenario_ids), ""), **read}
    wrong = [*seat_misfits(seats, SEATS), *([] if misfits else option_misfits(box, chosen))]
    state = begin(State, box, seats, (chosen, misfits), chance, wrong)
    state.log = log
    state.begun = chosen
    lay_out = riverboat.lay_out_interlude if state.interlude else scenario.lay_out
    lay_out(state, chosen)
    run(state)
    state.log = None
    state.forget()
    return state


# Records


def position_shape(facts: Facts) -> Record:
    """Return the shape of a position record."""
    return shape_of(box_of(facts))


def shape_of(box: Box) -> Record:
    shape: Record = box.once("shape", lambda: _shape(box))
    return shape


def _shape(box: Box) -> Record:
    table = State.shape(box)
    doors = Names(Choice(DOORS), describe="By door: whether it is open (default: as the map has it).")
    since = Listing(Listing(Text()), most=MOST_SINCE, describe="The moves since then, and the draws as label: piece.")
    quiet = replace(table, optional={**table.optional, "doors": doors})
    about = "In the middle of an activation: what led here since it began, or since set-up."
    pending = Record({"since": since}, {"begun": quiet, "options": OPTIONS}, about, told=False)
    return replace(quiet, optional={**quiet.optional, "pending": pending})


def load(facts: Facts, position: Mapping[str, Any], chance: Chance | None = None) -> State:
    """Return the state that a position describes. Raises Misfits."""
    box = box_of(facts)
    record, misfits = shape_of(box).read(position)
    if misfits:
        raise Misfits(misfits)
    pending = record.pop("pending", None)
    if pending is None:
        return _quiet_state(box, record, chance)
    return _replayed(box, record, pending, chance)


def _quiet_state(box: Box, record: Mapping[str, Any], chance: Chance | None) -> State:
    misfits = [*seat_misfits(tuple(record["seats"]), SEATS), *_scenario_misfits(box, record)]
    if misfits:
        raise Misfits(misfits)
    options = {"scenario": next(iter(box.scenario_ids), ""), **record.get("options", {})}
    state = State(box, tuple(record["seats"]), options, chance or Scripted())
    Loading(state, record).run()
    state.keep()
    if state.phase == VERMIN and not state.active:
        do(state, "next_vermin")
        run(state)
    return state


def _scenario_misfits(box: Box, record: Mapping[str, Any]) -> list[Misfit]:
    name = record.get("options", {}).get("scenario")
    if name is not None and name not in box.scenario_ids:
        hint = did_you_mean(name, box.scenario_ids)
        return [Misfit(("options", "scenario"), f'there is no scenario "{name}"', hint)]
    return []


def _replayed(box: Box, record: Mapping[str, Any], pending: Mapping[str, Any], chance: Chance | None) -> State:
    """Replay the moves and draws since the activation began."""
    steps = [tuple(step) for step in pending["since"]]
    draws = [step for step in steps if len(step) == 2 and step[0].endswith(":")]
    moves = [step for step in steps if len(step) != 2 or not step[0].endswith(":")]
    script = Scripted([(label.removesuffix(":"), piece) for label, piece in draws])
    at: Path = ("pending", "since")
    try:
        if "begun" in pending:
            state = _quiet_state(box, pending["begun"], chance)
            state.chance = script
        else:
            state = start(box.facts, tuple(record["seats"]), pending.get("options", {}), script)
    except Misfits as error:
        key = "begun" if "begun" in pending else "options"
        raise Misfits([replace(one, at=("pending", key, *one.at)) for one in error.misfits]) from None
    except ChanceError as error:
        raise Misfits([Misfit(at, str(error))]) from None
    for number, move in enumerate(moves):
        if state.to_act() < 0:
            raise Misfits([Misfit(at, f"the scenario is over before move {number + 1}")])
        refusal = None if move in state.legal() else state.why_not(move) if move in ranks(box) else "no move"
        if refusal is not None:
            raise Misfits([Misfit(at, f"move {number + 1}, {' '.join(move)}, is not possible: {refusal}")])
        try:
            state.apply(move)
        except ChanceError as error:
            raise Misfits([Misfit(at, str(error))]) from None
    if script.left:
        raise Misfits([Misfit(at, f"{plural(len(script.left), 'draw')} left over")])
    state.chance = chance or Scripted()
    told, _ = shape_of(box).read(state.plain_position())
    if told != record:
        raise Misfits([Misfit(("pending",), "these moves and draws do not lead to this position")])
    return state


# Loading of positions


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
        self.suffices(out, box.copies, "Loot")
        deck = Counter(story.loot)
        deck.subtract(Counter(out))
        state.loot_deck = sorted(card for card, count in deck.items() for _ in range(max(0, count)))
        on_map = [vermin.marker for vermin in state.vermin]
        counts = {marker.number: marker.count for marker in box.markers}
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
        searched = [square for hero in state.heroes for square in hero.searched]
        for name in (*state.taken, *state.ground, *state.stinkbombs, *searched):
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
        """End a scenario that is won or lost, whatever phase the record gives."""
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
