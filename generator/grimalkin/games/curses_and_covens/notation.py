"""The notation of Curses & Covens: lines of text as moves, records as states, and states as one seat knows them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from grimalkin.engine.chance import Chance
from grimalkin.engine.contract import Facts
from grimalkin.engine.loading import seat_misfits
from grimalkin.engine.shape import Record, Table
from grimalkin.engine.state import Reading
from grimalkin.engine.words import OVER, Ambiguous, Unreadable, find_typed, listed, typed
from grimalkin.games.curses_and_covens import facts as cc
from grimalkin.games.curses_and_covens.facts import SEATS, Ending, Kind, Move, Phase, Spell, Stage, Verb, box_of, slug
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
from grimalkin.games.curses_and_covens.state import State
from grimalkin.problems import did_you_mean

HIDDEN: Final = "?"
VERBS: Final = tuple(dict.fromkeys(verb.form.split()[0] for verb in Verb))
WHOLE_MOVES: Final = {verb.form: Move(verb) for verb in Verb if "{" not in verb.form}
WITH_SEAT, WITH_CARD = (
    {verb.form.removesuffix(gap): verb for verb in Verb if verb.form.endswith(gap)} for gap in (" {seat}", " {card}")
)
"""Verbs that name only one thing, by the words before it."""
QUOTES: Final = str.maketrans("“”„", '"""')
PARTS: Final = re.compile(r'\s*("[^"]*"|[^,"]*)\s*(,|$)')


def every_move(facts: Facts) -> list[Move | str]:
    """Return every small move that changes something, for a full table, in the order of `legal`. Talk is not
    included."""
    return [*box_of(facts).moves]


def read(text: str, state: State) -> list[Move | str]:
    """Read small moves separated by commas; words in double quotes are talk. Case, spaces and hyphens do not matter,
    and the names of cards and spells may replace their ids."""
    if '"' not in text:
        text = text.translate(QUOTES)
    name, colon, _ = text.partition(":")
    if colon and typed(name) in map(typed, state.seats):
        told = f'"{name.strip()}:" is not part of a move; leave out the name'
        actor = state.to_act()
        raise Unreadable(told if actor == OVER else f"{told}; it is {state.seats[actor]}'s turn")
    return [_read_one(part, state) for part in _parts(text)]


def _parts(text: str) -> Iterator[str]:
    """Yield the parts of a line, split at commas outside double quotes."""
    at = 0
    while True:
        found = PARTS.match(text, at)
        if found is None:
            raise Unreadable(f"a double quote is not closed, or there is something next to it: {text[at:].strip()}")
        yield found[1]
        if not found[2]:
            return
        at = found.end()


def _read_one(part: str, state: State) -> Move | str:
    if part.startswith('"'):
        words = " ".join(part[1:-1].split())
        if not words:
            raise Unreadable("the words are missing between the double quotes")
        return words
    text = typed(part)
    if not text:
        raise Unreadable("a move is missing")
    verb, _, rest = text.partition(" ")
    if text in WHOLE_MOVES:
        return WHOLE_MOVES[text]
    if verb == "cast":
        return Move(Verb.CAST, spell=_spell(rest))
    if verb == "give":
        ends = [f" to {typed(name)}" for name in state.seats]
        end = max((end for end in ends if rest.endswith(end)), key=len, default="")
        card, to, seat = (rest.removesuffix(end), end, end.removeprefix(" to ")) if end else rest.rpartition(" to ")
        if not to:
            raise Unreadable(f'"{text}" does not say who gets it; write give {rest or "a card"} to a town')
        return Move(Verb.GIVE, _card(card, state), _seat(seat, state))
    if verb == "pass":
        to, _, seat = rest.partition(" ")
        if to != "to":
            raise Unreadable(f'"{text}" is not a move of this game; write pass to a town')
        return Move(Verb.PASS, seat=_seat(seat, state))
    if verb in WITH_SEAT:
        return Move(WITH_SEAT[verb], seat=_seat(rest, state))
    if verb in WITH_CARD:
        return Move(WITH_CARD[verb], _card(rest, state))
    said = f"put spoken words in double quotes of their own: '\"{part.strip()}\"'"
    raise Unreadable(f'"{text}" is not a move of this game; {did_you_mean(verb, VERBS)}; {said}')


def _card(text: str, state: State) -> int:
    places = state.box.places
    found = find_typed(text, places)
    if found is not None:
        return found
    if text == HIDDEN:
        raise Unreadable(f'"{HIDDEN}" stands for a card that not everybody saw, and does not say which one it is')
    if not text:
        raise Unreadable("a card is missing")
    ids = state.box.ids
    longer = sorted({card for name, card in places.items() if text in re.split(r"[ -]", name)})
    if len(longer) > 1:
        raise Ambiguous(f'"{text}" could be {listed([ids[card] for card in longer], "or")}')
    hint = did_you_mean(text, places) or (f'did you mean "{ids[longer[0]]}"?' if longer else "")
    hint = hint or f'a card is written like {ids[0]} or "{state.box.cards.names[0]}"'
    raise Unreadable(f'"{text}" is no card of this game; {hint}')


def _seat(text: str, state: State) -> int:
    names = {typed(name): seat for seat, name in enumerate(state.seats)}
    found = find_typed(text, names)
    if found is not None:
        return found
    if not text:
        raise Unreadable("a town is missing")
    raise Unreadable(f'"{text}" is not a seat here; {did_you_mean(text, names)}')


def _spell(text: str) -> Spell:
    found = find_typed(text, cc.SPELLS)
    if found is not None:
        return found
    hint = did_you_mean(slug(text), list(cc.SPELLS))
    raise Unreadable(f'"{text}" is not a spell in this game; {hint}' if text else f"a spell is missing; {hint}")


def write(moves: Sequence[Move | str], state: State, reader: int | None = None) -> str:
    """Return small moves joined by commas. For a `reader`, a seat's number, a card that it does not see is "?".

    A line that is not played has had no effect, so all its cards are hidden from everybody except its writer.
    """
    actor = state.to_act()
    if reader in (None, actor):
        return ", ".join([_written(move, state) for move in moves])
    happens = _happens(moves, state)
    texts = []
    for place, move in enumerate(moves):
        to = cc.NOBODY
        if happens and not isinstance(move, str):
            if move.verb is Verb.GIVE:
                to = move.seat
            elif move.verb is Verb.ANSWER:
                to = state.acting()
            elif move.verb is Verb.DEAL:
                to = state.service()[state.served + place]
        texts.append(_written(move, state, hide=to != reader))
    return ", ".join(texts)


def _happens(moves: Sequence[Move | str], state: State) -> bool:
    """Return whether a line that names cards seen by others can be played as written: one gift or answer, or the deals
    of one Arrival."""
    deals = [move for move in moves if not isinstance(move, str)]
    if len(deals) < len(moves) or any(map(state.why_not, deals)):
        return False
    cards_dealt = [move for move in deals if move.verb is not Verb.DEAL_NOTHING]
    if len(set(cards_dealt)) < len(cards_dealt):
        return False
    if deals[0].verb.stage is not Stage.DEAL:
        return len(deals) == 1
    cards, towns = len(state.tray), len(state.seats) - 1 - state.served
    for move in deals:
        if not cards or cards == towns == 1:
            return False  # the last card is dealt automatically, so the line is too long
        cards -= move.verb is Verb.DEAL
        towns -= 1
    return cards <= towns


def _written(move: Move | str, state: State, hide: bool = False) -> str:
    if isinstance(move, str):
        return f'"{move}"'
    verb, card, seat, spell = move
    return verb.form.format(
        spell="" if spell is None else spell.word,
        card=HIDDEN if hide else state.box.ids[card],
        seat=state.seats[seat] if seat < len(state.seats) else f"seat {seat + 1}",
    )


# Positions


def position_shape(facts: Facts) -> Record:
    """Return the shape of a position's record."""
    shape = State.shape(box_of(facts))
    seats = shape.required["seats"]
    assert isinstance(seats, Table)
    about = "What each seat has: the Witch Hunter first, then the towns in clockwise order."
    return replace(shape, required={"seats": replace(seats, describe=about)})


def load(facts: Facts, position: Mapping[str, Any], chance: Chance | None = None) -> State:
    """Return the state that a position describes. Automatic steps are not carried out: the state is what the record
    says, except that a game that must have ended is over, whatever the recorded phase.

    The record must have what a game needs to continue: each piece once, a seat that can act, and a history that fits
    the table. Whether play could have led there is another question, which `doubts` answers.
    """
    return _Loading.of(State, box_of(facts), position, chance, partial(seat_misfits, span=SEATS)).run()


class _Loading(Reading[State]):
    """The reading of one position: the contents of its record, and what follows from them."""

    def run(self) -> State:
        state, record = self.state, self.record
        self.fill("round", "phase")
        self.check_phase(state.phase)
        for seat, (name, has) in enumerate(record["seats"].items()):
            self.seat(seat, has, name)
        if "woods" not in record:
            self.wrong((), 'the key "woods" is missing', "a card is always hidden there (CC-SETUP-4)")
        self.fill("woods", "under", "cast")
        self.tiles()
        self.fill("hat")
        if self.misfits:
            return self.finish()
        if state.phase is not Phase.OVER:
            self.find_end()
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
            self.history()
        self.check_to_act()
        return self.finish()

    # Where the pieces are

    def fill(self, *names: str) -> None:
        """Fill these fields with the values in the record, as read by their kinds."""
        fields = {kind.name: kind for kind in State.fields}
        for name in names:
            fields[name].lay(self.state, self.record, (), self)

    def seat(self, seat: int, has: Mapping[str, Any], name: str) -> None:
        """Read the cards of a seat: a town has a hand, the Witch Hunter has cards in front."""
        state, at = self.state, ("seats", name)
        if seat != cc.HUNTER:
            for key in ("witches", "rituals"):
                if key in has:
                    hint = f"{state.seats[cc.HUNTER]}, who is named first, has them in front (CC-PLAYERS-1)"
                    self.wrong((*at, key), f"{name} is a town and has no {key} in front", hint)
            state.hands[seat] = sorted(self.pieces(has.get("hand", []), (*at, "hand"), f"{name}'s hand"))
            return
        if "hand" in has:
            hint = "the seat named first is the Witch Hunter (CC-PLAYERS-1)"
            self.wrong((*at, "hand"), f"{name} is the Witch Hunter and has no hand", hint)
        front = f"in front of {name}"
        state.witches = self.pieces(has.get("witches", []), (*at, "witches"), front)
        state.rituals = self.pieces(has.get("rituals", []), (*at, "rituals"), front)
        for index, card in enumerate(state.witches):
            if not state.box.cards.kinds[card].is_witch:
                hint = "only witches are captured (CC-HUNT-5); write rituals under rituals"
                self.wrong((*at, "witches", index), f"{state.box.ids[card]} is not a witch", hint)
        for index, card in enumerate(state.rituals):
            if state.box.cards.kinds[card] is not Kind.RITUAL:
                hint = "only rituals stay there with the witches (CC-HUNT-7)"
                self.wrong((*at, "rituals", index), f"{state.box.ids[card]} is not a ritual", hint)

    def rest_of_deck(self) -> None:
        """Make a deck of all remaining cards."""
        state = self.state
        if "deck" in self.record:
            self.pieces(self.record["deck"], ("deck",), "the deck")
        left = [id_ for card, id_ in enumerate(state.box.ids) if card not in self.places]
        state.pool = list(self.record.get("deck", left))
        if "deck" in self.record and left:
            self.wrong("deck", f"cards that are nowhere: {listed(left)}", "no card ever leaves the game")

    def tiles(self) -> None:
        """Read which sides are up and which spell was cast."""
        state, record = self.state, self.record
        for tile, side in record.get("tiles", {}).items():
            number = cc.TILES.index(tile)
            if state.sides[number] is None:
                hint = "the options leave it in the box (CC-AMB-31)"
                self.wrong(("tiles", tile), f'"{tile}" is not in play', hint)
            else:
                state.sides[number] = cc.SIDES[side]
        spell = state.cast
        if spell is None:
            return
        number = state.box.tile_of[spell]
        tile, side = state.box.tiles[number], state.sides[number]
        if side is None:
            self.wrong(
                "cast", f'"{record["cast"]}" is on the tile "{tile.id}"', "which was left in the box (CC-AMB-31)"
            )
        elif tile.spells[side] is not spell:
            if tile.id in record.get("tiles", {}):
                hint = f"it turns over only after the Hunt (CC-AMB-16), so {record['cast']} is still up"
                self.wrong(("tiles", tile.id), f"its {side.word} is up, and {record['cast']} was cast", hint)
            state.sides[number] = spell.side

    # Phases

    def question(self) -> bool:
        """Return whether the Hunter is asked to shuffle; if so, set who acts."""
        if not self.record.get("shuffle"):
            return False
        self.state.stage, self.state.turn = Stage.QUESTION, cc.HUNTER
        return True

    def census(self) -> None:
        state = self.state
        self.fill("talk")
        if not self.question():
            state.stage, state.turn = Stage.ANNOUNCE, state.hat

    def arrival(self) -> None:
        """Read an Arrival: the Hunter is asked whether to shuffle, or deals the cards on the tray."""
        state, record = self.state, self.record
        served = record.get("served", [])
        order = [state.seats[town] for town in state.service()]
        if served != order[: len(served)]:
            lulled = state.cast is Spell.LULLABY
            rule = "with the hat first (CC-CHARM-1)" if lulled else "from the Hunter's left (CC-ARR-1)"
            self.wrong("served", f"{listed(served)} are not the first towns", f"in order, {rule}: {listed(order)}")
        state.served = len(served)
        self.fill("tray")
        state.tray.sort()
        left = len(order) - state.served
        if self.question():
            if state.tray:
                hint = "the Hunter is asked before the cards are drawn (CC-AMB-26)"
                self.wrong("tray", '"tray" means nothing while the Hunter is asked', hint)
            if not left:
                self.wrong("served", "every town is served", "write the position after it, in phase travel")
        elif not state.tray:
            hint = 'write "shuffle: yes" if the Hunter is asked, or "tray" with the cards from which the Hunter chooses'
            self.wrong((), "nobody has a choice in this Arrival", hint)
        elif len(state.tray) > left:
            hint = f"{left} towns are left, and each gets 1 (CC-ARR-2)"
            self.wrong("tray", f"{len(state.tray)} is the wrong number of cards", hint)
        else:
            state.stage, state.turn = Stage.DEAL, cc.HUNTER

    def travel(self) -> None:
        """Read a Travel: the town whose turn it is acts, or the town that it has asked answers."""
        state, record = self.state, self.record
        towns = len(state.seats) - 1
        self.fill("acted", "lap", "again")
        if state.acted >= towns:
            hint = f"there are {towns} towns; when all have finished, the next lap or the Hunt begins"
            self.wrong("acted", f"{state.acted} is too many", hint)
        town = state.acting()
        state.stage, state.turn = Stage.ACT, town
        if not any(state.hands):
            self.wrong("seats", "no town has cards", "Arrival deals some, if none had any before (CC-ARR-1)")
        if "asked" not in record:
            return
        self.fill("asked")
        asked = state.asked
        if asked == town:
            self.wrong("asked", f"it is {state.seats[town]}'s turn, and it asks another town", "CC-TRAV-3")
        elif not state.hands[asked]:
            hint = "nobody may ask a town without cards (CC-AMB-24)"
            self.wrong("asked", f"{record['asked']} has 0 cards and nothing to choose", hint)
        state.stage, state.turn = Stage.ANSWER, asked

    def hunt(self) -> None:
        """Read a Hunt: the Hunter picks, passes on a card or may shuffle, or a town lays its hand under the deck."""
        state, record = self.state, self.record
        self.fill("picks", "taken", "emptying", "first")
        if "first" not in record and state.picks == 1:
            state.first = state.emptying if state.taken == cc.NOTHING else state.taken_from
        if state.picks and state.first == cc.NOBODY:
            self.wrong((), 'the key "first" is missing', "the town of the first pick")
        if state.emptying != cc.NOBODY:
            self.laying()
        elif state.taken != cc.NOTHING:
            state.stage, state.turn = Stage.PASS, cc.HUNTER
            if record.get("shuffle"):
                hint = "the Hunter is asked after a discard (CC-AMB-26)"
                self.wrong("shuffle", f"{state.box.ids[state.taken]} is still to be passed on", hint)
        elif not self.question():
            state.stage, state.turn = Stage.PICK, cc.HUNTER
            if not self.misfits and not state.legal():
                self.wrong("seats", "no town can be picked from", "picks that cannot be made are skipped (CC-AMB-8)")

    def laying(self) -> None:
        """Read a town that lays its hand under the deck, and check that it has something to lay."""
        state = self.state
        name = state.seats[state.emptying]
        state.stage, state.turn = Stage.EMPTY, state.emptying
        if not state.hands[state.emptying]:
            hint = "the last card goes without a choice: write the position after it"
            self.wrong("emptying", f"{name} has 0 cards and nothing to choose", hint)
        if self.record.get("shuffle"):
            hint = "the Hunter is asked afterwards (CC-AMB-26)"
            self.wrong("shuffle", f"{name} is putting its hand under the deck", hint)

    def find_end(self) -> None:
        """End a game that has ended, whatever the recorded phase: with the fifth witch, the second ritual, a coven
        shown in the Census, or the last round."""
        state, record = self.state, self.record
        # For a moment the fake may be the fifth: before the others escape, her town lays its hand under the deck.
        escaping = "emptying" in record and state.witches[-1:] == [state.box.fake]
        shown = state.phase is Phase.CENSUS and not record.get("shuffle")
        coven = shown and any(state.most_of_a_suit(town) >= cc.COVEN for town in range(1, len(state.seats)))
        endings = {
            Ending.CAPTURES: len(state.witches) - escaping >= cc.WITCHES_TO_WIN,
            Ending.RITUALS: len(state.rituals) >= cc.RITUALS_TO_WIN,
            Ending.COVEN: coven,
            Ending.NOBODY: 0 < state.limit < state.round,
        }
        ending = next((ending for ending, there in endings.items() if there), None)
        if ending is None:
            return
        for key in ("tray", "taken"):
            if key in record:
                self.wrong(key, f"the game is over: {ending.why}", f"nothing more happens ({ending.rules[0]})")
        self.end(Phase.OVER)
        if ending is Ending.COVEN:
            state.ending = ending
        elif ending is Ending.NOBODY:
            state.ending, state.round = ending, state.limit

    def over(self) -> None:
        """Find how the game ended. The fifth witch and the second ritual end it immediately, whatever the towns hold;
        only a coven in hand after the last round leaves two endings, since the coven may never have been shown."""
        state, record = self.state, self.record
        state.stage, state.turn = Stage.END, OVER
        witches, rituals = len(state.witches), len(state.rituals)
        coven = any(state.most_of_a_suit(town) >= cc.COVEN for town in range(1, len(state.seats)))
        at_once, later = [Ending.CAPTURES, Ending.RITUALS], [Ending.COVEN, Ending.NOBODY]
        there = {
            Ending.CAPTURES: witches >= cc.WITCHES_TO_WIN,
            Ending.RITUALS: rituals >= cc.RITUALS_TO_WIN,
            Ending.COVEN: coven,
            Ending.NOBODY: state.limit and state.round >= state.limit,
        }
        missing = {
            Ending.CAPTURES: f"witches captured: {witches} of {cc.WITCHES_TO_WIN} (CC-WIN-3)",
            Ending.RITUALS: f"rituals in front of the Hunter: {rituals} of {cc.RITUALS_TO_WIN} (CC-WIN-2)",
            Ending.COVEN: f"no town has {cc.COVEN} witches of one suit (CC-WIN-1)",
            Ending.NOBODY: "only at the end of an agreed last round (CC-AMB-30): options, rounds",
        }
        told = [ending for ending in at_once if there[ending]] or [ending for ending in later if there[ending]]
        if state.ending in later:
            return
        if "won" in record:
            self.fill("ending")
            won = state.ending
            if not there[won]:
                what = f'"{won.word}" is not what the table shows'
                self.wrong("won", "a game does not end like this here" if won is Ending.NOBODY else what, missing[won])
        elif len(told) == 1:
            (state.ending,) = told
        else:
            hint = listed([each.word for each in told], "or") or "neither side has what it takes to win"
            self.wrong((), 'the key "won" is missing', hint)

    # History

    def history(self) -> None:
        """Read what seats have seen. Traced backwards from the table, every entry must be possible."""
        state, record = self.state, self.record
        if "history" not in record:
            state.history = list(self.open_cards())
            state.origin = ([len(hand) for hand in state.hands], len(state.under), len(state.tray))
            return
        entries: list[tuple[int, Entry]] = []
        for index, line in enumerate(record["history"]):
            entry = read_entry(line, state.box, state.seats)
            if entry is None:
                hint = "it is a word, seats and cards, as in gave Ada Basil baker"
                self.wrong(("history", index), f'"{line}" cannot be read', hint)
            else:
                entries.append((index, entry))
        if self.misfits:
            return
        state.history = [entry for _, entry in entries]
        where: dict[int, list[int]] = dict(enumerate(map(list, state.hands)))
        where[cc.HUNTER] = state.witches + state.rituals
        where[DECK] = [state.box.numbers[id_] for id_ in state.pool]
        where |= {UNDER_DECK: state.under[:], TRAY: state.tray[:]}
        where |= {IN_WOODS: [state.woods], TAKEN: [state.taken] if state.taken != cc.NOTHING else []}
        for index, entry in reversed(entries):
            if not _undone(entry, where):
                hint = "read backwards from what lies on the table, it does not fit"
                self.wrong(("history", index), f'"{record["history"][index]}" cannot have happened', hint)
                return
        sizes = [0, *(len(where[seat]) for seat in range(1, len(state.seats)))]
        state.origin = (sizes, len(where[UNDER_DECK]), len(where[TRAY]))

    def open_cards(self) -> list[Entry]:
        """Return a history for a position without one: the open hands, and what each seat holds."""
        state = self.state
        deed = Deed.SHOWN if state.stage is Stage.ANNOUNCE or state.ending is Ending.COVEN else Deed.HELD
        entries: list[Entry] = []
        for town in range(1, len(state.seats)):
            if deed is Deed.SHOWN or state.hands[town]:
                entries.append((deed, town, NOWHERE, tuple(state.hands[town])))
        return entries


def _undone(entry: Entry, where: dict[int, list[int]]) -> bool:
    """Take back an entry; return whether that is possible with the cards where they are after it."""
    deed, source, target, cards = entry
    if not deed.has_cards:
        return True
    if len(set(cards)) < len(cards):
        return False
    if deed in (Deed.SHOWN, Deed.HELD):
        return sorted(cards) == sorted(where[source])
    steps = [(card, source, target) for card in cards]
    if deed is Deed.SWAPPED:
        put, got = cards
        steps = [(put, source, IN_WOODS), (got, IN_WOODS, source)]
    for card, left, reached in reversed(steps):
        there = where[reached]
        if card not in (there[-1:] if reached in (UNDER_DECK, IN_WOODS) else there):
            return False
        there.remove(card)
        where[left].insert(0, card)
    return True


def seen(state: State, seat: int) -> dict[str, Any]:
    """Return a position as a seat knows it, with "?" for each card that it did not see there or going there, or that
    may have left unseen since. Of the deck, only the number of cards in unknown order is included."""
    ids, known = dict(enumerate(state.box.ids)) | {cc.UNSEEN: HIDDEN}, state.known(seat)
    record = state.position()
    del record["history"]
    for town, name in enumerate(state.seats):
        if town not in (cc.HUNTER, seat):
            hand = [ids[card] for card in known.hands[town]]
            record["seats"][name] = {"hand": hand + [HIDDEN] * (len(state.hands[town]) - len(hand))}
    record["woods"] = ids[known.woods]
    record["under"] = [ids[card] for card in known.under]
    record["deck"] = len(state.pool)
    if state.tray:
        record["tray"] = [ids[card] for card in known.tray] + [HIDDEN] * (len(state.tray) - len(known.tray))
    return record
