"""A campaign's file in, the party's current state out; this module also carries out what happens next.

Only answers and draws are trusted. Replaying a chapter gives what the party keeps after it, and what a Safehaven keeps
is compared with that. If changed rules make an older record impossible to follow, the campaign continues from the
next Safehaven, and reports this in a remark.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from grimalkin.engine.campaigns import Campaign, Chapter, Kept, find_campaign
from grimalkin.engine.chance import Chance, ChanceError, Scripted, Seeded
from grimalkin.engine.contract import Facts, GameModule, State
from grimalkin.engine.replay import RESERVED, draws_of, follow_line, without_draws
from grimalkin.engine.saved import MOST_STEPS, Answer, Entry, Saved, Step
from grimalkin.engine.shape import Misfit, Misfits, Path, Shape
from grimalkin.engine.words import OVER, Event, NotAMove
from grimalkin.play.table import Dealt, Draws, Game, Table
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import listed

T = TypeVar("T")
KINDS = ("play", "told", "corrected", "safehaven", "restore")
LONGEST_NAME = 60
"""The most characters in the name of a Safehaven."""


@dataclass(slots=True)
class Past:
    """The outcome of one entry of the file."""

    kind: str
    id: str
    title: str = ""
    answers: int = 0
    ended: str = ""
    """For a chapter: won, lost, under way, given up, or unknown if it could not be followed."""


@dataclass(slots=True)
class Playing:
    """A chapter in play."""

    chapter: Chapter
    state: State
    chance: Told
    answers: list[Answer]
    """First the draws at its beginning, then every answer."""
    rest: tuple[str, ...] = ()
    """Remarks after the last answer."""

    def steps(self) -> list[Step]:
        last = Answer(remarks=self.rest)
        return [step for answer in (*self.answers, last) for step in answer.steps()]


@dataclass(slots=True)
class Going:
    """A campaign in progress. `follow` makes one from a file, `begun` a new one."""

    game: Game
    campaign: Campaign
    saved: Saved
    kept: Kept
    now: Playing | None = None
    past: list[Past] = field(default_factory=list)
    remarks: list[Misfit] = field(default_factory=list)
    """Oddities in the file that do not stop the campaign."""
    fault: list[Misfit] = field(default_factory=list)
    """Why the file could not be followed to its end."""

    @property
    def playing(self) -> Playing | None:
        """Return the chapter under way, or None."""
        return self.now if self.now is not None and self.now.state.to_act() != OVER else None

    def chapters(self) -> Sequence[Chapter]:
        """Return the chapters that can be played next; none while one is under way."""
        return [] if self.playing else self.campaign.chapters(self.game.facts, self.kept)

    def safehavens(self) -> dict[str, Entry]:
        """Return every Safehaven by its name."""
        return {entry["safehaven"]: entry for entry in self.saved.chapters if "safehaven" in entry}

    # Changes to a campaign. If one is not possible, it raises Misfits and changes nothing.

    def begin(self, id_: str = "", draws: Draws = (), seed: int | str | None = None) -> list[Event]:
        """Begin a chapter, by default the first that may be played. Also raises ChanceError."""
        chapter = self._find(id_)
        given = self.game.given(draws, self.saved.seats)
        events = self._start(chapter, given, _seed(seed, self.saved.chapters, ()))
        assert self.now is not None
        if left := self.now.chance.said.left:
            self.now = None
            raise ChanceError(f'the beginning draws nothing for "{left[0][0]}={left[0][1]}"')
        self._add({"play": chapter.id, "rules": self.game.version})
        self.past.append(Past("play", chapter.id, chapter.title, 0, "under way"))
        self._look_whether_over()
        self._renew_record()
        return events

    def answer(self, line: str, draws: Draws = (), seed: int | str | None = None) -> list[Event]:
        """Play a line; draws that are not given come from the seed. Also raises NotAMove or ChanceError."""
        playing = self._underway()
        module, state, chance = self.game.module, playing.state, playing.chance
        seat = state.seats[state.to_act()]
        bare, _ = without_draws(module, line, self.game.facts)
        before = state.clone()
        moves = module.read(bare, state)
        luck = _seed(seed, self.saved.chapters, playing.answers)
        chance.luck = None if luck is None else Seeded(luck)
        chance.draws.clear()
        try:
            events = Table(self.game, state, chance).play(line, draws)
        finally:
            chance.luck = None
        written = module.write(moves, before)
        playing.answers.append(Answer(seat, written, tuple(chance.draws), playing.rest))
        playing.rest = ()
        chance.draws.clear()
        self.past[-1].answers += 1
        self._look_whether_over()
        self._renew_record()
        return events

    def take_in(self, steps: Sequence[Step], seed: int | str | None = None) -> int:
        """Play the steps of a record from here, beginning a chapter if none is under way.

        Returns the number of answers in them. Misfits are at ("steps", index); after any, discard this object.
        """
        luck = _seed(seed, self.saved.chapters, self.playing.answers if self.playing else ())
        before = self.past[-1].answers if self.playing else 0
        if self.playing:
            self._follow_steps(self.playing, steps, 0, ("steps",), luck)
        else:
            chapter = self._find("")
            self._play_chapter(chapter, steps, ("steps",), luck)
            self._add({"play": chapter.id, "rules": self.game.version})
        self._renew_record()
        return self.past[-1].answers - before

    def tell(self, id_: str, won: bool, kept: Kept) -> None:
        """Record a chapter that was played on paper."""
        self._not_underway()
        self._do({"told": id_, "won": won, "kept": dict(kept)}, ())

    def correct(self, why: str, kept: Kept) -> None:
        """Record a correction by hand to what the party keeps."""
        self._not_underway()
        self._do({"corrected": why, "kept": dict(kept)}, ())

    def rest(self, name: str) -> None:
        """Make a Safehaven: save what the party keeps now, so that it can return to that."""
        self._not_underway()
        last = next((past.id for past in reversed(self.past) if past.kind in ("play", "told")), "")
        self._do({"safehaven": name, "rules": self.game.version, "after": last, "kept": dict(self.kept)}, ())

    def restore(self, name: str) -> None:
        """Return to a Safehaven, regardless of anything since."""
        if name not in self.safehavens():
            hint = did_you_mean(name, self.safehavens()) or "this party has none"
            raise Misfits.at(("restore",), f'there is no Safehaven "{name}"', hint)
        self.fault = []
        self._do({"restore": name}, ())

    def undone(self, whole: bool = False) -> Saved:
        """Return the file's data without the last answer and its draws or, if `whole`, without the last chapter.

        Any other entry at the end of the file is removed completely.
        """
        chapters = self.saved.chapters
        if not chapters:
            raise Misfits.at((), "nothing has happened yet", "the file is still as it was created")
        last = chapters[-1]
        if whole or "play" not in last or not any(_seat(step) for step in last.get("record", ())):
            return replace(self.saved, chapters=chapters[:-1])
        if self.fault or self.now is None:
            steps = _without_last(last["record"], len(self.now.answers[0].draws) if self.now else None)
        else:
            steps = replace(self.now, answers=self.now.answers[:-1], rest=()).steps()
        return replace(self.saved, chapters=(*chapters[:-1], _record(last, steps)))

    # How a file is followed

    def _do(self, entry: Entry, at: Path) -> None:
        """Carry out an entry from a file or from a command."""
        if "play" in entry:
            self._play(entry, at)
        elif "told" in entry:
            chapter = self._find(entry["told"], (*at, "told"))
            entry = {**entry, "kept": self._checked(entry["kept"], (*at, "kept"))}
            next_ones = self.campaign.chapters(self.game.facts, entry["kept"])
            if entry["won"] and any(one.id == chapter.id for one in next_ones):
                told = f"{chapter.id} was won, but would be next again with what the party keeps"
                raise Misfits.at((*at, "kept"), told, "record there that it was won")
            self.kept, self.now = entry["kept"], None
            self.past.append(Past("told", chapter.id, chapter.title, 0, "won" if entry["won"] else "lost"))
        elif "corrected" in entry:
            self._not_underway(at)
            entry = {**entry, "kept": self._checked(entry["kept"], (*at, "kept"))}
            self.kept, self.now = entry["kept"], None
            self.past.append(Past("corrected", entry["corrected"]))
        elif "safehaven" in entry:
            self._rest(entry, at)
        else:
            self._restore(entry["restore"], (*at, "restore"))
        if not at:
            self._add(entry)

    def _play(self, entry: Entry, at: Path) -> None:
        chapter = self._find(entry["play"], (*at, "play"))
        try:
            self._play_chapter(chapter, entry.get("record", ()), (*at, "record"), None)
        except Misfits as error:
            if any(one.at[: len(at)] == at for one in error.misfits):
                raise
            told = [replace(one, at=(*at, "play"), message=f"{_where(one)}{one.message}") for one in error.misfits]
            raise Misfits(told) from None

    def _play_chapter(self, chapter: Chapter, steps: Sequence[Step], at: Path, seed: str | None) -> None:
        """Begin a chapter with the first steps of a record, and play the rest."""
        first = next((index for index, step in enumerate(steps) if _seat(step)), len(steps))
        ahead = steps[:first]
        try:
            self._start(chapter, [draw for step in ahead for draw in draws_of(step)], seed)
        except ChanceError as error:
            raise Misfits.at(at, str(error)) from None
        assert self.now is not None
        self.past.append(Past("play", chapter.id, chapter.title, 0, "under way"))
        self.now.rest = _split_remarks(ahead, len(self.now.answers[0].draws), self.now)
        self._follow_steps(self.now, steps, first, at, seed)

    def _follow_steps(self, playing: Playing, steps: Sequence[Step], first: int, at: Path, seed: str | None) -> None:
        """Play the steps of a record from the step with number `first`."""
        chance = playing.chance
        chance.luck = None if seed is None else Seeded(seed)
        for index, step in enumerate(steps[first:], first):
            if seat := _seat(step):
                self._follow_answer(playing, seat, step[seat], (*at, index, seat))
                self.past[-1].answers += 1
            elif "say" in step:
                playing.rest += (step["say"],)
            else:
                chance.said.left += draws_of(step)
        chance.luck = None
        if chance.said.left:
            label, item = chance.said.left[0]
            raise Misfits.at(at, f'"{item}" is never drawn as "{label}"', "remove it")
        self._look_whether_over()

    def _follow_answer(self, playing: Playing, seat: str, line: str, at: Path) -> None:
        chance = playing.chance
        chance.draws.clear()
        bare = play_answer(self.game.module, self.game.facts, playing.state, chance.said, seat, line, at)
        playing.answers.append(Answer(seat, bare, tuple(chance.draws), playing.rest))
        playing.rest = ()
        chance.draws.clear()

    def _rest(self, entry: Entry, at: Path) -> None:
        name, kept = entry["safehaven"], entry["kept"]
        here = (*at, "safehaven")
        if not 0 < len(name.strip()) <= LONGEST_NAME or "\n" in name:
            raise Misfits.at(here, "this is not a valid name", f"use one line of at most {LONGEST_NAME} characters")
        if any(past.kind == "safehaven" and past.id == name for past in self.past):
            raise Misfits.at(here, f'there is already a Safehaven "{name}"', "choose another name")
        if not any(chapter.rests for chapter in self.chapters()):
            rule = self.campaign.rules.get("rest", "")
            law = f" ({rule}, {self.game.law(rule).title})" if rule else ""
            hint = "make one right after winning a chapter, before the next one begins"
            raise Misfits.at(here, f"no Safehaven can be made here{law}", hint)
        self._checked(kept, (*at, "kept"))
        if differing := self._difference(kept):
            path, snapshot, played = differing
            where = ".".join(map(str, path)) or "it"
            told = f'{where} is "{_shown(snapshot)}" here, but the answers before it give "{_shown(played)}"'
            misfit = Misfit((*at, "kept", *path), told, "one of the two was changed; correct it")
            if entry.get("rules", "") == self.game.version:
                raise Misfits([misfit])
            hint = f"the rules were {entry.get('rules') or 'unknown'} then, so the Safehaven counts"
            self.remarks.append(replace(misfit, hint=hint))
        self.kept, self.now = kept, None
        self.past.append(Past("safehaven", name))

    def _restore(self, name: str, at: Path) -> None:
        known = {past.id: past for past in self.past if past.kind == "safehaven"}
        if name not in known:
            raise Misfits.at(at, f'there is no Safehaven "{name}" before this', did_you_mean(name, known))
        if self.past[-1].ended == "under way":
            self.past[-1].ended = "given up"
        self.kept, self.now = self.safehavens()[name]["kept"], None
        self.past.append(Past("restore", name))

    def _difference(self, kept: Kept) -> tuple[Path, Any, Any] | None:
        """Return where the written record first differs from the played record, and both values."""
        shape: Shape = self.campaign.shape(self.game.facts)
        written, played = shape.read(kept)[0], shape.read(self.kept)[0]
        return next(_differences(written, played), None)

    def _checked(self, kept: Kept, at: Path) -> Kept:
        """Return what a party keeps, checked. Raises Misfits."""
        read, misfits = self.campaign.shape(self.game.facts).read(kept)
        wrong = misfits or self.campaign.check(self.game.facts, read)
        if wrong:
            raise Misfits([replace(misfit, at=(*at, *misfit.at)) for misfit in wrong])
        kept_now: Kept = read
        return kept_now

    def _find(self, id_: str, at: Path = ("chapter",)) -> Chapter:
        """Return the chapter with that id, if it may be played now; for an empty id, the first that may be played."""
        self._not_underway(at)
        known = {chapter.id: chapter for chapter in self.chapters()}
        if not known:
            raise Misfits.at(at, "the campaign has ended", "you can go back to a Safehaven")
        if not id_:
            return next(iter(known.values()))
        if id_ not in known:
            hint = did_you_mean(id_, known)
            raise Misfits.at(at, f'"{id_}" cannot be played now', hint)
        return known[id_]

    def _start(self, chapter: Chapter, given: Sequence[tuple[str, str]], seed: str | None) -> list[Event]:
        chance = Told(list(given), seed)
        events: list[Event] = []
        state = self.game.module.start(self.game.facts, self.saved.seats, chapter.options, chance, events)
        chance.luck = None
        self.now = Playing(chapter, state, chance, [Answer(draws=tuple(chance.draws))])
        chance.draws.clear()
        return events

    def _look_whether_over(self) -> None:
        """Update what the party keeps if the last answer ended the chapter."""
        assert self.now is not None
        result = self.now.state.result()
        if self.now.state.to_act() != OVER or result is None:
            return
        self.kept = self.campaign.after(self.game.facts, self.kept, self.now.chapter, self.now.state)
        self.past[-1].ended = "won" if result.winners else "lost"

    def _underway(self) -> Playing:
        if self.playing is None:
            first = next((chapter.id for chapter in self.chapters()), "")
            hint = f"begin one, such as {first}" if first else "the campaign has ended"
            raise Misfits.at((), "no chapter is under way", hint)
        return self.playing

    def _not_underway(self, at: Path = ()) -> None:
        if self.playing is not None:
            told = f'the chapter "{self.playing.chapter.id}" is under way'
            raise Misfits.at(at, told, "play it to its end, undo it, or go back to a Safehaven")

    # Writing to the file's data

    def _add(self, entry: Entry) -> None:
        self.saved = replace(self.saved, rules=self.game.version, chapters=(*self.saved.chapters, entry))

    def _renew_record(self) -> None:
        assert self.now is not None
        *others, last = self.saved.chapters
        self.saved = replace(self.saved, rules=self.game.version, chapters=(*others, _record(last, self.now.steps())))


class Told(Dealt):
    """The chance of a chapter: each given draw is used for the next draw with its label; all others come from luck.

    Without luck, as when reading a file, only the written draws are used, in order.
    """

    __slots__ = ("label",)

    def __init__(self, said: list[tuple[str, str]], seed: int | str | None) -> None:
        super().__init__(said, seed)
        self.label = ""

    def source(self) -> Chance:
        if self.luck is None:
            return self.said
        left = self.said.left
        at = next((at for at, (label, _) in enumerate(left) if label == self.label), None)
        if at is None:
            return self.luck
        left.insert(0, left.pop(at))
        return self.said

    def pick(self, label: str, pool: Sequence[T]) -> T:
        self.label = label
        return super().pick(label, pool)

    def take(self, label: str, pool: list[T]) -> T:
        self.label = label
        return super().take(label, pool)


def play_answer(
    module: GameModule,
    facts: Facts,
    state: State,
    said: Scripted,
    seat: str,
    line: str,
    at: Path,
    events: list[Event] | None = None,
) -> str:
    """Play a line of a record, with the draws written in it, and return it without them.

    Raises Misfits, and then the state is as far as the line could be played.
    """
    actor = state.to_act()
    if actor == OVER or state.seats[actor] != seat:
        told = "the chapter is over" if actor == OVER else f"{state.seats[actor]} is to act"
        raise Misfits.at(at, f'"{seat}: {line}" is out of turn: {told}')
    try:
        bare, draws = without_draws(module, line, facts)
        said.left += draws
        follow_line(module, state, bare, events)
    except (NotAMove, ChanceError) as error:
        raise Misfits.at(at, str(error)) from None
    return bare


def begun(game: Game, seats: Sequence[str], options: Mapping[str, Any]) -> Going:
    """Return a new campaign. Raises Misfits."""
    campaign = _campaign(game)
    kept = campaign.begin(game.facts, seats, options)
    return Going(game, campaign, Saved(game.name, game.version, tuple(seats), dict(options)), kept)


def follow(game: Game, saved: Saved) -> Going:
    """Return the campaign in a file, as far as it can be followed. Raises Misfits if it cannot even begin."""
    if sum(len(entry.get("record", ())) for entry in saved.chapters) > MOST_STEPS:
        raise Misfits.at(("chapters",), f"there are more than {MOST_STEPS:,} steps", "begin a new campaign")
    for name in saved.seats:
        if name in RESERVED:
            raise Misfits.at(("seats",), f'a seat cannot be called "{name}"', "choose another name")
    going = replace(begun(game, saved.seats, saved.options), saved=saved)
    index = 0
    while index < len(saved.chapters):
        kept, count = going.kept, len(going.past)
        try:
            going._do(saved.chapters[index], ("chapters", index))
        except Misfits as error:
            going.kept = kept
            del going.past[count:]
            after = _next_snapshot(saved.chapters, index)
            if after is None:
                going.fault = list(error.misfits)
                going.past.append(_unknown(saved.chapters[index]))
                break
            going.now = None
            try:
                _skip(going, index, after, error.misfits[0])
            except Misfits as snapshot:
                going.fault = list(snapshot.misfits)
                break
            index = after
        index += 1
    if going.fault:
        going.now = None
    return going


def _skip(going: Going, first: int, after: int, misfit: Misfit) -> None:
    """Continue from the Safehaven that the entry at `after` makes or returns to."""
    entry = going.saved.chapters[after]
    kind = "safehaven" if "safehaven" in entry else "restore"
    snapshot = going.safehavens()[entry[kind]]
    going.kept = going._checked(snapshot["kept"], ("chapters", going.saved.chapters.index(snapshot), "kept"))
    going.remarks.append(replace(misfit, hint=f'this cannot be followed, so the campaign goes on from "{entry[kind]}"'))
    going.past += [*map(_unknown, going.saved.chapters[first:after]), Past(kind, entry[kind])]


def _unknown(entry: Entry) -> Past:
    """Return the outcome of an entry that cannot be followed."""
    kind = next(kind for kind in KINDS if kind in entry)
    return Past(kind, entry[kind], ended="unknown" if kind in ("play", "told") else "")


def _next_snapshot(chapters: Sequence[Entry], index: int) -> int | None:
    """Return the index of the next entry after `index` that makes a Safehaven or returns to a known one."""
    known = {entry["safehaven"] for entry in chapters[:index] if "safehaven" in entry}
    for at, entry in enumerate(chapters[index:], index):
        if "safehaven" in entry:
            if at > index:
                return at
            known.add(entry["safehaven"])
        elif "restore" in entry and entry["restore"] in known and at > index:
            return at
    return None


def _campaign(game: Game) -> Campaign:
    campaign = find_campaign(game.module)
    if campaign is None:
        raise Misfits.at(("game",), f"{game.title} has no campaigns", "each of its games stands alone")
    return campaign


def _seed(seed: int | str | None, *so_far: Sequence[object]) -> str | None:
    """Return the seed of the next draws: after different answers, the same seed gives different draws."""
    return None if seed is None else " ".join(map(str, (seed, *map(len, so_far))))


def _seat(step: Step) -> str:
    """Return the seat that answered in a step; "" if the step is not an answer."""
    key = next(iter(step))
    return "" if key in RESERVED else str(key)


def _record(entry: Entry, steps: Sequence[Step]) -> Entry:
    """Return a chapter's entry with a new record."""
    rest = {key: value for key, value in entry.items() if key != "record"}
    return {**rest, "record": list(steps)} if steps else rest


def _without_last(record: Sequence[Step], opening: int | None) -> Sequence[Step]:
    """Return the steps before the last answer and its draws and remarks.

    The opening draws also come before the first answer: `opening` of them stay, or all if it is None.
    """
    last = max(index for index, step in enumerate(record) if _seat(step))
    first = next(index for index, step in enumerate(record) if _seat(step))
    if last != first:
        while not _seat(record[last - 1]):
            last -= 1
        return record[:last]
    drawn = 0
    for index, step in enumerate(record[:first]):
        if opening is not None and drawn >= opening and "draw" in step:
            return record[:index]
        drawn += len(draws_of(step))
    return record[:first]


def _split_remarks(ahead: Sequence[Step], opening: int, playing: Playing) -> tuple[str, ...]:
    """Assign the remarks before its last draw to the opening, and return the remarks after it."""
    before: list[str] = []
    after: list[str] = []
    drawn = 0
    for step in ahead:
        if "say" in step:
            (before if drawn < opening else after).append(step["say"])
        drawn += len(draws_of(step))
    playing.answers[0] = replace(playing.answers[0], remarks=tuple(before))
    return tuple(after)


def _where(misfit: Misfit) -> str:
    return "".join(f"{key}: " for key in [".".join(map(str, misfit.at))] if key)


def _differences(written: Any, played: Any, at: Path = ()) -> Iterator[tuple[Path, Any, Any]]:
    if isinstance(written, Mapping) and isinstance(played, Mapping):
        for key in dict.fromkeys((*written, *played)):
            yield from _differences(written.get(key, _NOTHING), played.get(key, _NOTHING), (*at, key))
    elif written != played and not (written in _EMPTY and played in _EMPTY):
        yield at, written, played


_NOTHING = "nothing"
_EMPTY: tuple[Any, ...] = (_NOTHING, [], {}, "", 0, False)


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return listed([*value])[:80]
    return ", ".join(map(str, value))[:80] if isinstance(value, list) else str(value)[:80]
