"""A scenario in progress: whose choice it is, the legal moves, and their effects; set up, or loaded from a record.

In the middle of an activation, a record also says how the activation began, with all moves and draws since; these are
played again and must lead to the same position.
"""

from __future__ import annotations

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
from grimalkin.engine.state import begin
from grimalkin.engine.words import OVER, Event, Refusal, Result, Score
from grimalkin.games.cats_of_new_orleans import effects, rounds, scenario  # noqa: F401 - tasks and verbs
from grimalkin.games.cats_of_new_orleans.box import Box, box_of
from grimalkin.games.cats_of_new_orleans.campaign import riverboat
from grimalkin.games.cats_of_new_orleans.campaign.riverboat import ABOARD, why_not_aboard, why_not_ashore
from grimalkin.games.cats_of_new_orleans.figures import board_of, here, hero_of
from grimalkin.games.cats_of_new_orleans.hero import act_on, activate, legal_actions
from grimalkin.games.cats_of_new_orleans.moves import Move, asked, do, ranks, reply, run
from grimalkin.games.cats_of_new_orleans.numbers import ENDED, HEROES, INTERLUDE, NOTHING, OPTIONS, SEATS, VERMIN
from grimalkin.games.cats_of_new_orleans.position import DOORS, Loading
from grimalkin.games.cats_of_new_orleans.refusals import why_not
from grimalkin.games.cats_of_new_orleans.scenario import held, option_misfits
from grimalkin.games.cats_of_new_orleans.table import Table
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import plural


class State(Table):
    """A scenario in progress."""

    @law("NO-AMB-138")
    def to_act(self) -> int:
        """Return the seat to act: the owner of the active hero, or the seat that chooses for the group; OVER at the
        end."""
        if self.phase == ENDED:
            return OVER
        question = asked(self)
        if question is not None and question[1] >= 0:
            return int(question[1])
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
        question = asked(self)
        if question is not None:
            return list(question[2])
        if self.phase == ENDED:
            return []
        if self.phase == INTERLUDE:
            return riverboat.legal_aboard(self)
        if self.active:
            return legal_actions(self, hero_of(self, self.active))
        return [("act", hero.name) for hero in in_order(self) if not hero.done]

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
        """Return whether the question cannot be derived from the table: any but which vermin acts next."""
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
"""Limit of moves and draws in one activation."""


def in_order(state: Table) -> list[Any]:
    """Return the heroes on the map in the order of all moves: that of the box."""
    return sorted(here(state), key=lambda hero: hero.card)


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
