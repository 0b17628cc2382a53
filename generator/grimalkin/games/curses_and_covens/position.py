"""Positions of Curses & Covens: a record in, the state that it describes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from grimalkin.engine.chance import Chance, Scripted
from grimalkin.engine.contract import Facts
from grimalkin.engine.loading import Loading, seat_misfits
from grimalkin.engine.shape import Misfits, Path
from grimalkin.engine.words import OVER, listed
from grimalkin.games.curses_and_covens.box import Box, box_of
from grimalkin.games.curses_and_covens.facts import (
    COVEN,
    ENDINGS,
    HUNTER,
    NOBODY,
    NOTHING,
    PHASES,
    RITUALS_TO_WIN,
    SEATS,
    SIDES,
    SPELLS,
    TILES,
    WITCHES_TO_WIN,
    Ending,
    Kind,
    Phase,
    Spell,
    Stage,
)
from grimalkin.games.curses_and_covens.knowledge import (
    DECK,
    IN_WOODS,
    NOWHERE,
    TAKEN,
    TRAY,
    UNDER_DECK,
    Deed,
    Entry,
    read_entry,
)
from grimalkin.games.curses_and_covens.records import position_shape
from grimalkin.games.curses_and_covens.state import State
from grimalkin.plain import plural

KEY_PHASES: Final = {
    "talk": (Phase.CENSUS,),
    "shuffle": (Phase.CENSUS, Phase.ARRIVAL, Phase.HUNT),
    "served": (Phase.ARRIVAL,),
    "tray": (Phase.ARRIVAL,),
    "acted": (Phase.TRAVEL,),
    "lap": (Phase.TRAVEL,),
    "again": (Phase.TRAVEL,),
    "asked": (Phase.TRAVEL,),
    "picks": (Phase.HUNT,),
    "first": (Phase.HUNT,),
    "taken": (Phase.HUNT,),
    "emptying": (Phase.HUNT,),
    "won": (Phase.OVER,),
    "to-act": (Phase.CENSUS, Phase.ARRIVAL, Phase.TRAVEL, Phase.HUNT),
}


def load(facts: Facts, position: Mapping[str, Any], chance: Chance | None = None) -> State:
    """The state that a position describes. Automatic steps are not done: what is written is what there is."""
    box = box_of(facts)
    record, misfits = position_shape(facts).read(position)
    if not misfits:
        misfits = seat_misfits(tuple(record["seats"]), SEATS)
    if misfits:
        raise Misfits(misfits)
    return _Loading(box, record, chance or Scripted()).run()


class _Loading(Loading[State]):
    """One position on its way from a record to a state."""

    def __init__(self, box: Box, record: Mapping[str, Any], chance: Chance) -> None:
        super().__init__(State(box, tuple(record["seats"]), record.get("options", {}), chance), record)
        self.box = box
        self.ids = box.card_ids
        self.kinds = box.cards.kinds
        self.places: dict[int, str] = {}
        """Where each card that has been laid down lies."""

    def run(self) -> State:
        state, record = self.state, self.record
        state.round = record.get("round", 1)
        state.phase = PHASES[record.get("phase", Phase.CENSUS.word)]
        self.check_keys(KEY_PHASES, state.phase, list(PHASES))
        if state.limit and state.round > state.limit:
            self.wrong("round", f"round {state.round} cannot be", f"round {state.limit} is the last (CC-AMB-30)")
        for seat, (name, has) in enumerate(record["seats"].items()):
            self.seat(seat, has, name)
        self.table()
        self.tiles()
        if "hat" in record:
            state.hat = self.town(record["hat"], "hat")
        if self.misfits:
            return self.finish()
        steps = {
            Phase.CENSUS: self.census,
            Phase.ARRIVAL: self.arrival,
            Phase.TRAVEL: self.travel,
            Phase.HUNT: self.hunt,
            Phase.OVER: self.over,
        }
        steps[state.phase]()
        self.rest_of_deck()
        if not self.misfits:
            self.while_it_goes_on()
        if not self.misfits:
            self.history()
        self.check_to_act()
        return self.finish()

    # What lies where

    def town(self, name: str, at: str | Path) -> int:
        """The number of a town; the first one, with a misfit, for a name that is none."""
        seat = self.number(name, at)
        if seat == HUNTER and name in self.state.seats:
            self.wrong(at, f"{name} is the Witch Hunter, and no town", f"the towns are {listed(self.state.seats[1:])}")
        return seat or 1

    def lay(self, ids: Sequence[str], at: Path, place: str) -> list[int]:
        """Cards laid down at a place. Each lies in one place at most."""
        cards = []
        for index, id_ in enumerate(ids):
            card = self.box.numbers[id_]
            if card in self.places:
                again = f"{id_} lies in two places: {self.places[card]} and {place}"
                self.wrong((*at, index) if at[-1] not in ("woods", "card") else at, again, "each card is there once")
            self.places[card] = place
            cards.append(card)
        return cards

    def seat(self, seat: int, has: Mapping[str, Any], name: str) -> None:
        """The cards of a seat: a town has a hand, the Witch Hunter has cards in front."""
        state, at = self.state, ("seats", name)
        if seat != HUNTER:
            for key in ("witches", "rituals"):
                if key in has:
                    hint = f"they lie in front of {state.seats[HUNTER]}, who is named first (CC-PLAYERS-1)"
                    self.wrong((*at, key), f"{name} is a town, and has no {key} in front", hint)
            state.hands[seat] = sorted(self.lay(has.get("hand", []), (*at, "hand"), f"{name}'s hand"))
            return
        if "hand" in has:
            hint = "the seat named first is the Witch Hunter (CC-PLAYERS-1)"
            self.wrong((*at, "hand"), f"{name} is the Witch Hunter, and has no hand", hint)
        front = f"in front of {name}"
        state.witches = self.lay(has.get("witches", []), (*at, "witches"), front)
        state.rituals = self.lay(has.get("rituals", []), (*at, "rituals"), front)
        for index, card in enumerate(state.witches):
            if not self.kinds[card].is_witch:
                hint = "witches are captured (CC-HUNT-5), rituals are written under rituals"
                self.wrong((*at, "witches", index), f"{self.ids[card]} is no witch", hint)
        for index, card in enumerate(state.rituals):
            if self.kinds[card] is not Kind.RITUAL:
                hint = "only rituals stay there beside the witches (CC-HUNT-7)"
                self.wrong((*at, "rituals", index), f"{self.ids[card]} is no ritual", hint)

    def table(self) -> None:
        """The woods and what lies under the deck; the deck itself is known when everything else is."""
        state, record = self.state, self.record
        if "woods" in record:
            (state.woods,) = self.lay([record["woods"]], ("woods",), "the woods")
        else:
            self.wrong((), 'the key "woods" is missing', "a card is always hidden there (CC-SETUP-4)")
        state.under = self.lay(record.get("under", []), ("under",), "under the deck")

    def rest_of_deck(self) -> None:
        """All cards that lie nowhere else are the deck."""
        state = self.state
        if "deck" in self.record:
            self.lay(self.record["deck"], ("deck",), "the deck")
            state.pool = list(self.record["deck"])
            missing = [id_ for card, id_ in enumerate(self.ids) if card not in self.places]
            if missing:
                self.wrong("deck", f"cards that lie nowhere: {listed(missing)}", "no card ever leaves the game")
        else:
            state.pool = [id_ for card, id_ in enumerate(self.ids) if card not in self.places]

    def tiles(self) -> None:
        """The sides that are up, and the spell that was cast."""
        state, record = self.state, self.record
        for tile, side in record.get("tiles", {}).items():
            number = TILES.index(tile)
            if state.sides[number] is None:
                hint = "the options leave it in the box (CC-AMB-31)"
                self.wrong(("tiles", tile), f'"{tile}" is not played with', hint)
            else:
                state.sides[number] = SIDES[side]
        if "cast" not in record:
            return
        state.cast = spell = SPELLS[record["cast"]]
        number = self.box.tile_of[spell]
        tile, side = self.box.tiles[number], state.sides[number]
        if side is None:
            self.wrong("cast", f'"{record["cast"]}" is on the tile "{tile.id}"', "that was left in the box (CC-AMB-31)")
        elif tile.spells[side] is not spell:
            if tile.id in record.get("tiles", {}):
                hint = f"it turns over only after the Hunt (CC-AMB-16), so {record['cast']} is still up"
                self.wrong(("tiles", tile.id), f"its {side.word} is up, and {record['cast']} was cast", hint)
            state.sides[number] = spell.side

    # Phases

    def question(self) -> bool:
        """Whether the Hunter is asked to shuffle. There must be something to shuffle."""
        state = self.state
        if not self.record.get("shuffle"):
            return False
        state.stage, state.turn = Stage.QUESTION, HUNTER
        return True

    def census(self) -> None:
        state, record = self.state, self.record
        state.talk = list(record.get("talk", []))
        if self.question():
            for key in ("cast", "talk"):
                if key in record:
                    hint = "the Hunter is asked before the first card is drawn, so nothing has been said or cast"
                    self.wrong(key, f'"{key}" means nothing while the Hunter is asked', hint)
            if all(state.hands[1:]):
                hint = "the Hunter is asked before an empty town draws (CC-CENSUS-1, CC-AMB-26)"
                self.wrong("shuffle", "every town has cards", hint)
        else:
            state.stage, state.turn = Stage.ANNOUNCE, state.hat
            name = state.seats[state.hat]
            for index, words in enumerate(state.talk):
                if not words.startswith(f"{name}: ") or not words[len(name) + 1 :].strip():
                    hint = f'the town with the hat speaks for all (CC-AMB-23): write it as in "{name}: trust me"'
                    self.wrong(("talk", index), f'"{words}" is not what {name} says', hint)

    def arrival(self) -> None:
        """The Hunter is asked whether to shuffle, or gives out what lies on the tray."""
        state, record = self.state, self.record
        towns = len(state.seats) - 1
        served = record.get("served", [])
        order = [state.seats[town] for town in state.service()]
        if served != order[: len(served)]:
            rule = (
                "with the hat first (CC-CHARM-1)"
                if state.cast is Spell.LULLABY
                else "from the Hunter's left (CC-ARR-1)"
            )
            self.wrong("served", f"{listed(served)} are not the first towns", f"in order, {rule}: {listed(order)}")
        state.served = len(served)
        state.tray = sorted(self.lay(record.get("tray", []), ("tray",), "the tray"))
        left = towns - state.served
        choice, first = state.is_arrival_of_choice(), state.cast is Spell.LULLABY
        if state.tray and not choice:
            hint = "the Hunter chooses with a ritual in front (CC-ARR-2) or under a Broken Mirror (CC-CURSE-2)"
            self.wrong("tray", "this is no Arrival of the Hunter's choice", hint)
        elif self.question():
            if state.tray:
                hint = "the Hunter is asked before the cards are drawn (CC-AMB-26)"
                self.wrong("tray", '"tray" means nothing while the Hunter is asked', hint)
            if choice and len(served) > first:
                hint = "the Hunter is asked before the cards are drawn (CC-AMB-26)"
                self.wrong("served", "nobody else is served yet while the Hunter is asked", hint)
            if not left:
                self.wrong("served", "every town is served", "write the position after it, in phase travel")
        elif not state.tray:
            hint = 'write "shuffle: yes" if the Hunter is asked, or "tray" with the cards of an Arrival of choice'
            self.wrong((), "in this Arrival nobody has anything to choose", hint)
        elif first and not served:
            hint = "the town with the hat is served before (CC-CHARM-1): write served"
            self.wrong((), 'the key "served" is missing', hint)
        elif len(state.tray) > left:
            hint = f"{left} towns are left, and each gets 1 (CC-ARR-2)"
            self.wrong("tray", f"{len(state.tray)} is the wrong number of cards", hint)
        elif len(state.tray) == left == 1:
            hint = "it goes to the last town by itself: write the position after it"
            self.wrong("tray", "nothing can be chosen with the last card", hint)
        else:
            state.stage, state.turn = Stage.DEAL, HUNTER

    def travel(self) -> None:
        """The town on turn acts, or the one that it has asked answers."""
        state, record = self.state, self.record
        towns = len(state.seats) - 1
        state.acted, state.lap = record.get("acted", 0), record.get("lap", 1)
        state.again = record.get("again", False)
        if state.acted >= towns:
            hint = f"there are {towns} towns; when all have finished, the next lap or the Hunt begins"
            self.wrong("acted", f"{state.acted} is too many", hint)
        if state.lap > 1 and state.cast is not Spell.WILD_CHASE:
            self.wrong(
                "lap", "Travel goes round once", "twice only in a Wild Chase (CC-CURSE-3): write cast: wild-chase"
            )
        if state.again and (state.cast is not Spell.FORKED_PATH or state.acted):
            hint = "only the town with the hat on a Forked Path has two (CC-CHARM-3): write cast: forked-path, acted: 0"
            self.wrong("again", "no town has a second action here", hint)
        town = state.acting()
        state.stage, state.turn = Stage.ACT, town
        name = state.seats[town]
        if not any(state.hands):
            self.wrong("seats", "no town has cards", "Arrival deals some, if none had any before (CC-ARR-1)")
        if "asked" not in record:
            return
        asked = self.town(record["asked"], "asked")
        if asked == town:
            self.wrong("asked", f"{name} is on turn, and asks another town", "CC-TRAV-3")
        elif len(state.hands[asked]) < 2:
            hint = "a town with 1 card hands over nothing (CC-AMB-4), and one without cards is not asked (CC-AMB-24)"
            has = plural(len(state.hands[asked]), "card")
            self.wrong("asked", f"{record['asked']} has {has}, and nothing to choose", hint)
        state.stage, state.turn = Stage.ANSWER, asked

    def hunt(self) -> None:
        """The Hunter picks, passes a card on or is asked, or a town lays its hand under the deck."""
        state, record = self.state, self.record
        most = state.picks_allowed()
        state.picks = record.get("picks", 0)
        if state.picks > most:
            self.wrong("picks", f"{state.picks} is too many", f"this Hunt has {most} (CC-HUNT-1)")
        if "first" in record:
            state.first = self.town(record["first"], "first")
            if not state.picks:
                self.wrong("first", "no pick has been made", 'write "picks"')
        if "taken" in record:
            taken = record["taken"]
            (state.taken,) = self.lay([taken["card"]], ("taken", "card"), "the card shown")
            state.taken_from = self.town(taken["from"], ("taken", "from"))
        under_way = [key for key in ("taken", "emptying") if key in record]
        if under_way and not state.picks:
            self.wrong(under_way[0], "no pick has been made", 'write "picks: 1" or more: the one under way counts')
        self.first_town()
        if state.picks and state.first == NOBODY:
            self.wrong((), 'the key "first" is missing', "the town of the first pick")
        if "emptying" in record:
            self.emptying(record["emptying"])
        elif "taken" in record:
            self.passing()
        elif self.question():
            if not state.picks:
                self.wrong("shuffle", "no pick has been made", "the Hunter is asked after a discard (CC-AMB-26)")
        else:
            state.stage, state.turn = Stage.PICK, HUNTER
            if state.picks >= most:
                hint = "the Hunt is over: write the position after it"
                made = "the 1 pick has" if most == 1 else f"all {most} picks have"
                self.wrong("picks", f"{made} been made", hint)
            elif not self.misfits and not state.legal():
                self.wrong("seats", "no town can be picked from", "picks that cannot be made are skipped (CC-AMB-8)")

    def first_town(self) -> None:
        """The town of the first pick is the one of the pick under way, unless that is a later one."""
        state, record = self.state, self.record
        key = "taken" if "taken" in record else "emptying"
        under_way = state.taken_from if key == "taken" else NOBODY
        if key == "emptying" and record.get(key) in state.seats[1:]:
            under_way = state.seats.index(record[key])
        if under_way == NOBODY:
            return
        if state.picks == 1 and state.first == NOBODY:
            state.first = under_way
        elif state.picks == 1 and state.first != under_way:
            name = state.seats[under_way]
            self.wrong("first", f"the first pick is under way, and its town is {name}", 'write "picks: 2" or more')
        elif state.picks > 1 and state.first == under_way and state.cast is Spell.LOOKING_GLASS:
            hint = "in a Looking-Glass the second pick falls on another town (CC-CHARM-2)"
            self.wrong(key, f"both picks are made from {state.seats[under_way]}", hint)

    def passing(self) -> None:
        state = self.state
        state.stage, state.turn = Stage.PASS, HUNTER
        if self.record.get("shuffle"):
            hint = "the Hunter is asked after a discard (CC-AMB-26)"
            self.wrong("shuffle", f"{self.ids[state.taken]} is to be passed on", hint)
        if self.kinds[state.taken] is not Kind.TOWNSFOLK:
            if state.cast is Spell.BROKEN_MIRROR and self.kinds[state.taken].is_witch:
                hint = "the town lays its hand under the deck first (CC-CURSE-2): write emptying"
            else:
                hint = "witches and rituals lie in front of the Hunter at once (CC-HUNT-5, CC-HUNT-7)"
            self.wrong(("taken", "card"), f"{self.ids[state.taken]} is not passed on", hint)
        elif len(state.seats) == SEATS[0]:
            self.wrong("taken", "nothing can be chosen with 2 towns", "the card goes to the other one by itself")

    def emptying(self, name: str) -> None:
        state = self.state
        state.emptying = state.turn = town = self.town(name, "emptying")
        state.stage = Stage.EMPTY
        if len(state.hands[town]) < 2:
            hint = "the last card goes by itself: write the position after it"
            has = plural(len(state.hands[town]), "card")
            self.wrong("emptying", f"{name} has {has}, and nothing to choose", hint)
        if self.record.get("shuffle"):
            self.wrong(
                "shuffle", f"{name} is laying its hand under the deck", "the Hunter is asked afterwards (CC-AMB-26)"
            )
        if state.taken == NOTHING:
            if state.cast is Spell.BROKEN_MIRROR:
                hint = "under a Broken Mirror the witch goes last (CC-CURSE-2)"
                self.wrong((), 'the key "taken" is missing', hint)
            elif not state.witches and state.cast is not Spell.NIGHTMARE:
                hint = "a town lays its hand there when a witch is captured from it (CC-HUNT-5)"
                self.wrong("emptying", "no witch lies in front of the Hunter", hint)
        elif state.cast is not Spell.BROKEN_MIRROR:
            hint = "a town lays its hand there when the card shown lies where it goes (CC-HUNT-4, CC-HUNT-5)"
            self.wrong("taken", f"{name} is laying its hand under the deck", hint)
        elif not self.kinds[state.taken].is_witch:
            hint = "under a Broken Mirror a hand goes there for a witch (CC-CURSE-2)"
            self.wrong(("taken", "card"), f"{self.ids[state.taken]} is no witch", hint)
        elif state.taken_from != town:
            self.wrong(("taken", "from"), f"{name} is laying its hand under the deck", "the witch came from there")

    def over(self) -> None:
        """How the game ended, as the table tells. Only a coven in hand after the last round leaves two ways."""
        state, record = self.state, self.record
        state.stage, state.turn = Stage.END, OVER
        self.front_at_the_end()
        if self.misfits:
            return
        told = self.told_by_table()
        if "won" not in record:
            if len(told) != 1:
                hint = listed([each.word for each in told], "or") or "no side has what it takes to win"
                self.wrong((), 'the key "won" is missing', hint)
                return
            (state.ending,) = told
        else:
            state.ending = ENDINGS[record["won"]]
            if state.ending not in told:
                self.not_told(state.ending, told)
                return
        if "cast" not in record:
            return
        if state.ending in (Ending.COVEN, Ending.NOBODY):
            hint = "after the Hunt its tile turns over and rejoins the others (CC-SPELL-6): write tiles, and no cast"
            self.wrong("cast", f'"{record["cast"]}" does not hold any more', hint)
        elif state.ending is Ending.CAPTURES and state.cast is Spell.BROKEN_MIRROR:
            hint = "under a Broken Mirror none is (CC-CURSE-2)"
            self.wrong("cast", "the fifth witch has been captured in this Hunt", hint)

    def front_at_the_end(self) -> None:
        """What cannot lie in front of the Hunter, for the game was over before."""
        state = self.state
        hunter, witches, rituals = state.seats[HUNTER], len(state.witches), len(state.rituals)
        if witches > WITCHES_TO_WIN:
            hint = "the fifth ended the game at once (CC-HUNT-6)"
            self.wrong(("seats", hunter, "witches"), f"{witches} witches are captured", hint)
        if rituals > RITUALS_TO_WIN:
            hint = "the second ended the game at once (CC-HUNT-7)"
            self.wrong(("seats", hunter, "rituals"), f"{rituals} rituals lie in front of {hunter}", hint)
        if not self.misfits and witches == WITCHES_TO_WIN and rituals == RITUALS_TO_WIN:
            hint = "the fifth witch or the second ritual ended the game at once, so the other never came (CC-AMB-17)"
            self.wrong(("seats", hunter), f"{witches} witches and {rituals} rituals lie in front of {hunter}", hint)
        self.fake_first()

    def not_told(self, won: Ending, told: Sequence[Ending]) -> None:
        """The game cannot have ended as it is written."""
        state = self.state
        at_once = {
            Ending.RITUALS: f"{RITUALS_TO_WIN} rituals in front of the Hunter end the game at once (CC-WIN-2): rituals",
            Ending.CAPTURES: f"{WITCHES_TO_WIN} witches captured end the game at once (CC-WIN-3): captures",
        }
        missing = {
            Ending.COVEN: f"no town has {COVEN} witches of one suit (CC-WIN-1)",
            Ending.RITUALS: f"rituals in front of the Hunter: {len(state.rituals)} of {RITUALS_TO_WIN} (CC-WIN-2)",
            Ending.CAPTURES: f"witches captured: {len(state.witches)} of {WITCHES_TO_WIN} (CC-WIN-3)",
            Ending.NOBODY: "only at the end of a last round agreed before (CC-AMB-30): options, rounds",
        }
        ended = next((at_once[each] for each in told if each in at_once), "")
        what = f'"{won.word}" is not what the table tells' if ended or won is not Ending.NOBODY else ""
        self.wrong("won", what or "a game does not end so here", ended or missing[won])

    def told_by_table(self) -> list[Ending]:
        """Every ending that the cards and the round allow. The fifth witch and the second ritual end a game at once,
        whatever the towns hold; a coven in hand may never have been shown."""
        state = self.state
        if len(state.witches) >= WITCHES_TO_WIN:
            return [Ending.CAPTURES]
        if len(state.rituals) >= RITUALS_TO_WIN:
            return [Ending.RITUALS]
        told = []
        if any(state.most_of_a_suit(town) >= COVEN for town in range(1, len(state.seats))):
            told.append(Ending.COVEN)
        if state.limit and state.round == state.limit:
            told.append(Ending.NOBODY)
        return told

    def fake_first(self) -> None:
        """In front of the Hunter nobody has come before the fake, unless her town still lays its hand down."""
        state, fake = self.state, self.box.fake
        if fake in state.witches[1:] and not (state.stage is Stage.EMPTY and state.witches[-1] == fake):
            at = ("seats", state.seats[HUNTER], "witches")
            hint = "the others escaped when she was caught (CC-HUNT-8), so she comes first"
            self.wrong(at, f"{self.ids[fake]} came after others", hint)

    def while_it_goes_on(self) -> None:
        """What would have ended the game, and what the rules never leave as it is."""
        state = self.state
        hunter = state.seats[HUNTER]
        if state.stage is Stage.QUESTION and not state.may_shuffle():
            hint = "cards lie under the deck in an order, and the deck has 2 or more (CC-AMB-26)"
            self.wrong("shuffle", "to shuffle would change nothing", hint)
        if state.phase is Phase.OVER:
            return
        self.fake_first()
        # For a moment the fake may be the fifth.
        captured = len(state.witches) - (state.stage is Stage.EMPTY and self.box.fake in state.witches[1:])
        if captured >= WITCHES_TO_WIN:
            hint = 'the fifth ends the game (CC-WIN-3): write "phase: over"'
            self.wrong(("seats", hunter, "witches"), f"{captured} witches are captured", hint)
        if len(state.rituals) >= RITUALS_TO_WIN:
            hint = 'the second ends the game (CC-WIN-2): write "phase: over"'
            self.wrong(("seats", hunter, "rituals"), f"{len(state.rituals)} rituals lie in front of {hunter}", hint)
        if state.stage is Stage.ANNOUNCE:
            self.shown_hands()
        if state.phase in (Phase.ARRIVAL, Phase.TRAVEL):
            self.dealt_hands()

    def dealt_hands(self) -> None:
        """While the deck has cards every town draws one in the Census, and gets one in Arrival; and in Travel none ever
        loses its last one (CC-TRAV-6, CC-AMB-4)."""
        state = self.state
        left = len(state.seats) - 1 - state.served
        has_cards = bool(state.pool or state.under)
        if state.stage is Stage.DEAL and len(state.tray) < left and has_cards:
            hint = f"{left} towns are left, and each gets 1 (CC-ARR-2), unless the deck has run out (CC-AMB-7)"
            self.wrong("tray", f"{plural(len(state.tray), 'card')} on the tray, and more in the deck", hint)
        for name, hand in zip(state.seats[1:], state.hands[1:], strict=True):
            if not hand and (has_cards or state.tray):
                hint = "it would have drawn one (CC-CENSUS-1): only when the deck has run out (CC-AMB-6)"
                self.wrong(("seats", name, "hand"), f"{name} has no cards, and the deck has some", hint)

    def shown_hands(self) -> None:
        """In a Census every town that could draw has a card, and none shows a coven. A spell has its icons."""
        state = self.state
        for town, name in enumerate(state.seats):
            if town == HUNTER:
                continue
            at = ("seats", name, "hand")
            if state.most_of_a_suit(town) >= COVEN:
                hint = 'that ends the game (CC-WIN-1): write "phase: over"'
                self.wrong(at, f"{name} shows a coven", hint)
            if not state.hands[town] and (state.pool or state.under):
                hint = "it draws before the hands are shown (CC-CENSUS-1)"
                if state.may_shuffle():
                    hint += '; or write "shuffle: yes", if the Hunter is asked before'
                self.wrong(at, f"{name} has no cards, and the deck has some", hint)
        if "cast" in self.record and state.cast not in state.castable():
            hint = "one town shows two witches that match its icons (CC-SPELL-1)"
            self.wrong("cast", f'nobody shows the icons of "{self.record["cast"]}"', hint)

    # History

    def history(self) -> None:
        """What has been seen. Read backwards from the table, every entry must be possible."""
        state, record = self.state, self.record
        if "history" not in record:
            state.history = list(self.open_cards())
            state.origin = ([len(hand) for hand in state.hands], len(state.under), len(state.tray))
            return
        entries: list[tuple[int, Entry]] = []
        for index, line in enumerate(record["history"]):
            entry = read_entry(line, self.box, state.seats)
            if entry is None:
                hint = "it is a word, seats and cards, as in gave Ada Basil baker"
                self.wrong(("history", index), f'"{line}" cannot be read', hint)
            else:
                entries.append((index, entry))
        if self.misfits:
            return
        state.history = [entry for _, entry in entries]
        where: dict[int, list[int]] = dict(enumerate(map(list, state.hands)))
        where[HUNTER] = state.witches + state.rituals
        where[DECK] = [self.box.numbers[id_] for id_ in state.pool]
        where |= {UNDER_DECK: state.under[:], TRAY: state.tray[:]}
        where |= {IN_WOODS: [state.woods], TAKEN: [state.taken] if state.taken != NOTHING else []}
        for index, entry in reversed(entries):
            if not _undone(entry, where):
                hint = "read backwards from what lies on the table, it does not fit"
                self.wrong(("history", index), f'"{record["history"][index]}" cannot have happened', hint)
                return
        sizes = [0, *(len(where[seat]) for seat in range(1, len(state.seats)))]
        state.origin = (sizes, len(where[UNDER_DECK]), len(where[TRAY]))

    def open_cards(self) -> list[Entry]:
        """A history for a position that is written without one: hands that lie open, and what each seat holds."""
        state = self.state
        deed = Deed.SHOWN if state.stage is Stage.ANNOUNCE or state.ending is Ending.COVEN else Deed.HELD
        entries: list[Entry] = []
        for town in range(1, len(state.seats)):
            if deed is Deed.SHOWN or state.hands[town]:
                entries.append((deed, town, NOWHERE, tuple(state.hands[town])))
        return entries


def _undone(entry: Entry, where: dict[int, list[int]]) -> bool:
    """Take an entry back. Whether that is possible with the cards as they lie after it."""
    deed, source, target, cards = entry
    if not deed.has_cards:
        return True
    if len(set(cards)) < len(cards):
        return False
    if deed in (Deed.SHOWN, Deed.HELD):
        return sorted(cards) == sorted(where[source])
    if deed is Deed.SWAPPED:
        put, got = cards
        if where[IN_WOODS] != [put] or got not in where[source]:
            return False
        where[IN_WOODS] = [got]
        where[source].remove(got)
        where[source].append(put)
        return True
    there = where[target]
    if target == UNDER_DECK:
        if tuple(there[len(there) - len(cards) :]) != tuple(cards):
            return False
        del there[len(there) - len(cards) :]
    else:
        if not set(cards) <= set(there):
            return False
        for card in cards:
            there.remove(card)
    if source == UNDER_DECK:
        where[source][:0] = cards
    else:
        where[source] += cards
    return True
