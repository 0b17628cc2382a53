"""Turn an Example or a Playthrough into a Script for the engine, and check every part of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grimalkin.content.rules import Example, Playthrough
from grimalkin.content.validation import checked
from grimalkin.engine.chance import draw_labels
from grimalkin.engine.contract import Facts, GameModule
from grimalkin.engine.expected import facts_shape
from grimalkin.engine.pictures import WISHES, find_picture, split
from grimalkin.engine.replay import OPEN, RESERVED, Script, Trace, find_seen
from grimalkin.engine.shape import Misfit, Misfits, Shape
from grimalkin.problems import Problems, did_you_mean
from grimalkin.problems.plain import plural
from grimalkin.source import At, Source, read_yaml


class Shapes:
    """The shapes of everything a game's scripts may contain, made once for all scripts."""

    def __init__(self, game: GameModule, facts: Facts) -> None:
        self.position = game.position_shape(facts)
        self.by_seats: dict[tuple[str, ...], Shape] = {}

    def expected(self, seats: tuple[str, ...]) -> Shape:
        """Return the shape of `expect` and `check` for these seat names."""
        if seats not in self.by_seats:
            self.by_seats[seats] = facts_shape(seats, self.position)
        return self.by_seats[seats]


def read_script(
    written: Example | Playthrough,
    game: GameModule,
    facts: Facts,
    source: Source,
    at: At,
    problems: Problems,
    shapes: Shapes | None = None,
) -> Script | None:
    """Return the script of an example or playthrough, or None with problems."""
    return _Reader(game, facts, source, at, problems, shapes or Shapes(game, facts)).read(written)


def read_playthrough(
    path: Path, game: GameModule, facts: Facts, problems: Problems
) -> tuple[str, Script, Source] | None:
    """Return the title, script and source of a playthrough in a separate file."""
    source = read_yaml(path, problems)
    written = checked(Playthrough, source.data, source, problems) if source else None
    if source is None or written is None or problems:
        return None
    script = read_script(written, game, facts, source, (), problems)
    return None if script is None else (written.title, script, source)


@dataclass
class _Reader:
    game: GameModule
    facts: Facts
    source: Source
    at: At
    problems: Problems
    shapes: Shapes
    sound: bool = True

    def problem(self, at: At, message: str, hint: str = "") -> None:
        self.problems.add(self.source.place((*self.at, *at)), message, hint)
        self.sound = False

    def misfits(self, start: At, misfits: Sequence[Misfit]) -> None:
        for misfit in misfits:
            name = ".".join(str(key) for key in (*start, *misfit.at))
            self.problem((*start, *misfit.at), f"{name}: {misfit.message}", misfit.hint)

    def read(self, written: Example | Playthrough) -> Script | None:
        given = written.given if isinstance(written, Example) else None
        seats = self.seats(written, given)
        options, misfits = self.game.OPTIONS.read(written.options)
        self.misfits(("options",), misfits)
        if given is not None:
            try:
                self.game.load(self.facts, given)
            except Misfits as error:
                self.misfits(("given",), error.misfits)
        if not self.sound:
            return None
        if isinstance(written, Example) and written.picture is not None:
            self.misfits(("picture",), picture_misfits(written.picture, self.game, self.facts, given))
        steps = tuple(self.step(step, index, seats) for index, step in enumerate(written.steps))
        expect = self.expected(written.expect, ("expect",), seats)
        return Script(written.id, given, seats, options, steps, expect) if self.sound else None

    def seats(self, written: Example | Playthrough, given: Mapping[str, Any] | None) -> tuple[str, ...]:
        if given is not None:
            if written.seats:
                self.problem(("seats",), "the seats are named twice", "`given` already names them")
            named = given.get("seats", {})
            names = tuple(named) if isinstance(named, dict) else ()
            self.names(names, ("given", "seats"))
            return names
        least, most = self.game.SEATS
        if not least <= len(written.seats) <= most:
            self.problem(("seats",), f"{plural(len(written.seats), 'seat')} named", f"this game has {least} to {most}")
        if len(set(written.seats)) < len(written.seats):
            self.problem(("seats",), "two seats have the same name")
        self.names(written.seats, ("seats",))
        return written.seats

    def names(self, seats: Sequence[str], at: At) -> None:
        """Report seat names that have another meaning in a script."""
        for seat in seats:
            if seat in (*RESERVED, OPEN):
                self.problem(at, f'a seat cannot be called "{seat}"', "that word already has a meaning in a script")

    def step(self, step: Mapping[str, Any], index: int, seats: tuple[str, ...]) -> Mapping[str, Any]:
        at = ("steps", index)
        if len(step) != 1:
            self.problem(at, f"a step must have one key; this one has {len(step)}", "begin each step with a hyphen")
            return step
        ((key, value),) = step.items()
        if key not in (*RESERVED, *seats):
            self.problem((*at, key), f'"{key}" is neither a seat nor say, draw or check', did_you_mean(key, seats))
        elif key == "check":
            return {key: self.expected(value, (*at, key), seats)}
        elif key == "draw" and not (
            isinstance(value, dict) and len(value) == 1 and all(_is_drawn(v) for v in value.values())
        ):
            hint = "write it as draw: {label: what}, or draw: {label: [what, what]}"
            self.problem(at, "a draw must name one label and what is drawn", hint)
        elif key == "draw":
            (label,) = value
            known = draw_labels(self.game.DRAWS, seats)
            if label not in known:
                hint = did_you_mean(label, known) or "nothing in this game is drawn"
                self.problem((*at, key, label), f'this game has no draw called "{label}"', hint)
        elif key == "say":
            self.remark(value, (*at, key), seats)
        elif key != "draw" and not isinstance(value, str):
            self.problem((*at, key), "a move in notation must be text", "put quotes around it")
        return step

    def remark(self, written: object, at: At, seats: tuple[str, ...]) -> None:
        """Check a remark for everybody, or several texts, each with its reader."""
        readers = (OPEN, *seats)
        texts = written if isinstance(written, dict) and written else {"": written}
        for reader, text in texts.items():
            here = (*at, reader) if reader else at
            if reader and reader not in readers:
                hint = did_you_mean(reader, readers)
                self.problem(here, f'"{reader}" is neither a seat nor {OPEN}, so nobody would read this', hint)
            elif not isinstance(text, str) or not text.strip():
                self.problem(here, "a remark must be text, and not empty", "put quotes around it")

    def expected(self, written: object, at: At, seats: tuple[str, ...]) -> Mapping[str, Any]:
        facts, misfits = self.shapes.expected(seats).read(written)
        self.misfits(at, misfits)
        if isinstance(facts, dict) and "seen" in facts and find_seen(self.game) is None:
            self.problem((*at, "seen"), "the engine of this game does not say what a seat knows", "write `position`")
        return facts if isinstance(facts, dict) else {}


def _is_drawn(value: object) -> bool:
    """Return whether a value names one thing, or a list of things."""
    return isinstance(value, str) or (
        isinstance(value, list) and bool(value) and all(isinstance(v, str) for v in value)
    )


# Pictures of examples

NO_MAPS = "the engine of this game draws no pictures of maps"


def picture_misfits(
    wishes: Mapping[str, Any], game: GameModule, facts: Facts, given: Mapping[str, Any] | None
) -> list[Misfit]:
    """Return what is wrong with an example's `picture`, as far as its first position reveals it."""
    picture = find_picture(game)
    if picture is None:
        return [Misfit((), NO_MAPS, "leave it out")]
    read, misfits = WISHES.read(wishes)
    if misfits or given is None:
        return misfits
    try:
        if picture(facts, given, split(read)[0]) is None:
            return [Misfit((), "nobody is on the map, so there is no picture")]
    except Misfits as error:
        return list(error.misfits)
    return []


def pictured_misfits(
    wishes: Mapping[str, Any], game: GameModule, facts: Facts, trace: Trace, given: Mapping[str, Any] | None = None
) -> Iterator[Misfit]:
    """Yield what is wrong with the `picture` of an example that was replayed. `picture_misfits` looked at what was
    given."""
    picture = find_picture(game)
    read, misfits = WISHES.read(wishes)
    if picture is None or misfits:
        return
    before = {} if given else trace.before
    for position, part, at in zip((before, trace.after), split(read), ((), ("after",)), strict=True):
        try:
            if part and position:
                picture(facts, position, part)
        except Misfits as error:
            yield from (replace(misfit, at=(*at, *misfit.at)) for misfit in error.misfits)
