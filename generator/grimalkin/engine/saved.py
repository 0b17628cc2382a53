"""The shape of a campaign's file, which reads and checks the file and provides its JSON Schema.

The file holds answers and draws, as steps of a playthrough, and the record kept at each Safehaven. Everything else is
found by replaying them. The file names pieces, seats and chapters by ids and names, never by numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grimalkin.engine.campaigns import find_campaign
from grimalkin.engine.contract import Facts, GameModule
from grimalkin.engine.replay import Anything
from grimalkin.engine.shape import Listing, Misfit, Path, Record, Shape, Text, Whole, YesNo
from grimalkin.problems import did_you_mean

FORMAT = 1
"""The current version of the file format. A change to the format raises it and adds to `campaign.migrate`."""
Entry = Mapping[str, Any]
"""One event in a campaign; its first key gives its kind."""
Step = Mapping[str, Any]
"""A remark, a draw, or the answer of a seat."""

_VERSION = "Version of the rules when it was written."


def saved_shape(game: GameModule | None = None, facts: Facts | None = None) -> Record:
    """Return the shape of a campaign's file for a game; without a game, for any game."""
    campaign = find_campaign(game)
    kept: Shape = Anything("What the party keeps.")
    options: Shape = Anything("What was agreed upon before the first chapter.")
    if campaign is not None and facts is not None:
        kept, options = campaign.shape(facts), campaign.options(facts)
    return Record(
        {
            "format": Whole(1, FORMAT, "Of the file."),
            "game": Text("Its name."),
            "rules": Text("Version of the rules with which it was last written."),
            "seats": Listing(Text(), 1, describe="Who plays, clockwise."),
        },
        {
            "options": options,
            "seed": Text("What chance gives, unless it is said; the same answers then draw the same."),
            "chapters": Listing(
                Entries(_kinds(kept)), 0, MOST_ENTRIES, "What happened, in its order; only the last may be unfinished."
            ),
        },
    )


MOST_ENTRIES = 1_000
MOST_STEPS = 20_000
"""The limit for all records of a campaign together: twenty seconds of computing, or a hundred evenings of play."""


def _kinds(kept: Shape) -> Mapping[str, Record]:
    """Return the shapes of entries, each by its first key."""
    record = Listing(Steps(), describe="What was answered and drawn, in the steps of a playthrough.")
    return {
        "play": Record(
            {"play": Text("The id of a chapter that is played here.")}, {"rules": Text(_VERSION), "record": record}
        ),
        "told": Record(
            {
                "told": Text("The id of a chapter that was played on paper."),
                "won": YesNo("How it ended."),
                "kept": kept,
            }
        ),
        "corrected": Record({"corrected": Text("Why what is kept was mended by hand."), "kept": kept}),
        "safehaven": Record(
            {
                "safehaven": Text("What a place to come back to is called."),
                "after": Text("The id of the chapter after which it was made."),
                "kept": kept,
            },
            {"rules": Text(_VERSION)},
        ),
        "restore": Record({"restore": Text("The Safehaven that the party went back to.")}),
    }


@dataclass(frozen=True)
class Entries(Shape):
    """A record of one of several kinds; each kind has a key of its own."""

    kinds: Mapping[str, Record]

    def _read(self, value: object, at: Path, misfits: list[Misfit]) -> Any:
        if not isinstance(value, Mapping):
            misfits.append(Misfit(at, "this must be a mapping", f"one with {_or(self.kinds)}"))
            return {}
        kinds = [kind for kind in self.kinds if kind in value]
        if len(kinds) != 1:
            if kinds:
                told, hint = f"this is {' and '.join(kinds)} at once", "begin each with a hyphen"
            else:
                near = did_you_mean(str(next(iter(value), "")), self.kinds)
                told, hint = "nothing says what happened here", near or f"one of: {', '.join(self.kinds)}"
            misfits.append(Misfit(at, told, hint))
            return {}
        return self.kinds[kinds[0]]._read(value, at, misfits)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [kind.schema() for kind in self.kinds.values()]}


def _or(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}"


@dataclass(frozen=True)
class Steps(Shape):
    """A step: a mapping with one key. Only code that knows the seats can check whether it is valid."""

    def _read(self, value: object, at: Path, misfits: list[Misfit]) -> Any:
        if not isinstance(value, Mapping) or len(value) != 1:
            misfits.append(Misfit(at, "a step must have exactly one key", "begin each step with a hyphen"))
            return {}
        ((key, written),) = value.items()
        if key == "draw":
            if not _is_draw(written):
                hint = "write it as draw: {label: what}, or draw: {label: [what, what]}"
                misfits.append(Misfit(at, "a draw must name one label and the items drawn", hint))
        elif key == "check":
            misfits.append(Misfit(at, "facts are not checked in a campaign", "leave it out"))
        elif not isinstance(written, str) or not written.strip():
            misfits.append(Misfit(at, f'the value of "{key}" must be text, and not empty', "put quotes around it"))
        return value

    def schema(self) -> dict[str, Any]:
        item = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}
        draw = {"type": "object", "additionalProperties": item, "minProperties": 1, "maxProperties": 1}
        return {
            "type": "object",
            "properties": {"draw": draw, "say": {"type": "string"}},
            "additionalProperties": {"type": "string"},
            "minProperties": 1,
            "maxProperties": 1,
            "description": "`draw`: what chance gave; `say`: a remark; else the name of a seat, and what it answered.",
        }


def _is_draw(written: object) -> bool:
    if not isinstance(written, Mapping) or len(written) != 1:
        return False
    (drawn,) = written.values()
    return isinstance(drawn, str) or (
        isinstance(drawn, list) and bool(drawn) and all(isinstance(one, str) for one in drawn)
    )


@dataclass(frozen=True, slots=True)
class Saved:
    """The content of a file."""

    game: str
    rules: str
    seats: tuple[str, ...]
    options: Mapping[str, Any]
    chapters: tuple[Entry, ...] = ()
    seed: str = ""
    """The seed of all further draws; "" in a file without draws."""

    def record(self) -> dict[str, Any]:
        """Return the record to write to the file."""
        return {
            "format": FORMAT,
            "game": self.game,
            "rules": self.rules,
            "seats": list(self.seats),
            **({"options": dict(self.options)} if self.options else {}),
            **({"seed": self.seed} if self.seed else {}),
            "chapters": list(self.chapters),
        }


def as_saved(record: Mapping[str, Any]) -> Saved:
    """Return a Saved from a record read with its shape."""
    seats, chapters = tuple(record["seats"]), tuple(record.get("chapters", ()))
    return Saved(record["game"], record["rules"], seats, record.get("options", {}), chapters, record.get("seed", ""))


@dataclass(frozen=True, slots=True)
class Answer:
    """A seat's answer, with the remarks before it and its draws. Without a seat, it holds remarks and draws before the
    first answer or after the last."""

    seat: str = ""
    line: str = ""
    draws: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()

    def steps(self) -> list[Step]:
        """Return the steps as in a playthrough.

        >>> Answer("Ada", "to b1", (("poker", "5-of-clubs"), ("poker", "joker"), ("loot", "derringer"))).steps()
        [{'draw': {'poker': ['5-of-clubs', 'joker']}}, {'draw': {'loot': 'derringer'}}, {'Ada': 'to b1'}]
        """
        steps: list[Step] = [{"say": remark} for remark in self.remarks]
        steps += [{"draw": {label: items[0] if len(items) == 1 else items}} for label, items in _runs(self.draws)]
        return [*steps, {self.seat: self.line}] if self.seat else steps


def _runs(draws: Sequence[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Group successive draws with the same label."""
    runs: list[tuple[str, list[str]]] = []
    for label, item in draws:
        if not runs or runs[-1][0] != label:
            runs.append((label, []))
        runs[-1][1].append(item)
    return runs


def draws_of(step: Step) -> list[tuple[str, str]]:
    """Return the draws of a step; none for steps of other kinds."""
    if "draw" not in step:
        return []
    ((label, drawn),) = step["draw"].items()
    return [(label, item) for item in (drawn if isinstance(drawn, list) else [drawn])]
