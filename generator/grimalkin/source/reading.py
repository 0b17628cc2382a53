"""Read text and YAML within limits, keeping every value as text with its line.

YAML is read from its event stream and never composed: fifty thousand brackets crash a composer, aliases can
expand without limit, and values stay as written (`4:30` and `no` are text). Aliases, anchors, tags, merge keys and
second documents are refused, and so is a key written twice.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from grimalkin.problems import Place, Problems, shown_path
from grimalkin.problems.plain import MOST_ACCENTS, find_overloaded
from grimalkin.source.files import MOST_BYTES, read_bytes
from grimalkin.source.traps import format_of, how_to_save, yaml_trap

MOST_EVENTS = 1_000_000
MOST_DEPTH = 64
TOO_DEEP = f"values are nested more than {MOST_DEPTH} deep"
LONGEST_TEXT = 10_000
"""The most characters in a text: six rulebook pages. A longer text should be several rules."""
MOST_AGAIN = 50
"""After this many repeated keys, the rest of a file is not read."""

At = tuple[str | int, ...]
"""The keys and indices that lead to a value in a file."""

# The C parser is about ten times faster; PyYAML's wheels have it on every common platform.
_Parser: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Source:
    """The content of a file: `data` is text, lists and mappings; `lines` holds the line of each value, by its keys."""

    path: Path
    data: Any
    lines: Mapping[At, int] = field(default_factory=dict)

    def place(self, at: At = ()) -> Place:
        """Return the place of a value, or of the innermost value around it that has one."""
        while at and at not in self.lines:
            at = at[:-1]
        return Place(shown_path(self.path), self.lines.get(at, 0))


def read_text(path: Path, problems: Problems, inside: Path | None = None, most: int = MOST_BYTES) -> str | None:
    """Return the text of a UTF-8 file, or None with a problem. `inside` is as in `read_bytes`."""
    data = read_bytes(path, problems, inside, most)
    return None if data is None else decoded(data, Place(shown_path(path)), problems)


def decoded(data: bytes, place: Place, problems: Problems) -> str | None:
    """Decode UTF-8; return None with a problem."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        fault, hint = f"byte 0x{data[error.start]:02x} is not UTF-8", how_to_save(place.path)
    else:
        overloaded = find_overloaded(text)
        if overloaded is not None:
            line = text.count("\n", 0, overloaded) + 1
            problems.add(Place(place.path, line), f"a letter has more than {MOST_ACCENTS} accents", "delete them")
            return None
        if "\0" not in text and not text.startswith("%PDF-"):
            # macOS separates a letter from its accent
            return unicodedata.normalize("NFC", text.replace("\r\n", "\n"))
        line = text.count("\n", 0, text.find("\0")) + 1
        fault, hint = "the file has a zero byte in it", "it should be a text file"
    if known := format_of(data):
        problems.add(place, f"this is {known}", how_to_save(place.path))
    else:
        problems.add(Place(place.path, line), fault, hint)
    return None


def read_yaml(path: Path, problems: Problems, inside: Path | None = None) -> Source | None:
    """Return a YAML file as a Source, or None if it cannot be read at all. `inside` is as in `read_bytes`."""
    text = read_text(path, problems, inside)
    return None if text is None else _built(text, path, shown_path(path), problems)


def parse_yaml(data: bytes, name: Path, problems: Problems) -> Source | None:
    """Return YAML that is not from a file as a Source; `name` stands for it in problems."""
    place = Place(str(name))
    if len(data) > MOST_BYTES:
        problems.add(place, f"there are {len(data):,} bytes", f"at most {MOST_BYTES:,} are read")
        return None
    text = decoded(data, place, problems)
    return None if text is None else _built(text, name, place.path, problems)


def _built(text: str, path: Path, shown: str, problems: Problems) -> Source | None:
    builder = _Builder(shown, problems)
    parser = _Parser(text)
    event = None
    try:
        while builder.wants_more and parser.check_event():
            event = parser.get_event()
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        line, hint = yaml_trap(error, text, event)
        told = str(error.problem or error.context)
        if "nesting depth" in told:  # LibYAML since 0.2.6 looks ahead and notices it first
            problems.add(Place(builder.path, line + 1), TOO_DEEP)
        else:
            problems.add(Place(builder.path, line + 1), f"this is not YAML: {told}", hint)
        return None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        code = error.character if isinstance(error.character, int) else ord(error.character)
        problems.add(Place(builder.path, line), f"YAML cannot contain the character U+{code:04X}")
        return None
    finally:
        parser.dispose()
    if builder.refused:
        return None
    if builder.empty:
        problems.add(Place(builder.path), "the file is empty", "write its content, or delete the file")
        return None
    return Source(path, builder.root, builder.lines)


class _Builder:
    """Builds plain data from YAML events, without recursion."""

    def __init__(self, path: str, problems: Problems) -> None:
        self.path = path
        self.problems = problems
        self.lines: dict[At, int] = {}
        self.root: Any = None
        self.empty = True
        self.refused = False
        self.wants_more = True
        self.events = 0
        self.documents = 0
        self.again = 0
        # Each open collection, and the keys that lead to it
        self.stack: list[tuple[Any, At]] = []
        self.key: str | None = None
        self.doubled = False

    def refuse(self, event: Any, message: str, hint: str = "") -> None:
        self.problems.add(Place(self.path, event.start_mark.line + 1), message, hint)
        self.refused = True
        self.wants_more = False

    def take(self, event: Any) -> None:
        self.events += 1
        if self.events > MOST_EVENTS:
            self.refuse(event, f"the file has more than {MOST_EVENTS:,} values")
        elif getattr(event, "anchor", None):
            what = 'alias "*' if isinstance(event, yaml.AliasEvent) else 'anchor "&'
            hint = "write the value out, or put quotes around the text"
            self.refuse(event, f'the {what}{event.anchor}" is not read', hint)
        elif getattr(event, "tag", None) is not None:
            self.refuse(event, f'the tag "{event.tag}" is not read', "leave it out, or put quotes around the text")
        elif isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                self.refuse(event, "a second document begins here", "write only one document in a file")
        elif isinstance(event, yaml.CollectionStartEvent):
            self.open(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self.stack.pop()
            self.key = None
        elif isinstance(event, yaml.ScalarEvent):
            self.scalar(event)

    def open(self, event: Any) -> None:
        if len(self.stack) >= MOST_DEPTH:
            self.refuse(event, TOO_DEEP)
            return
        if self.stack and isinstance(self.stack[-1][0], dict) and self.key is None:
            self.refuse(event, "a key must be text, not a list or a mapping", "put quotes around braces and brackets")
            return
        value: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
        at = self.put(event, value)
        self.stack.append((value, at))
        self.key = None

    def scalar(self, event: Any) -> None:
        if self.stack and isinstance(self.stack[-1][0], dict) and self.key is None:
            mapping, at = self.stack[-1]
            key = event.value
            if key == "<<":
                self.refuse(event, 'the merge key "<<" is not read', "write the values out")
            elif key in mapping:
                first = self.lines[(*at, key)]
                self.again += 1
                self.wants_more = self.again < MOST_AGAIN
                self.problems.add(
                    Place(self.path, event.start_mark.line + 1),
                    f'the key "{key}" is written twice',
                    also=Place(self.path, first),
                )
                self.doubled = True
            self.key = key
            return
        self.put(event, event.value)
        self.key = None

    def put(self, event: Any, value: Any) -> At:
        """Put a value in its place, and note its line. Return the keys that lead to it."""
        line = event.start_mark.line + 1
        if not self.stack:
            self.root = value
            self.empty = value == ""
            self.lines[()] = line
            return ()
        container, at = self.stack[-1]
        if isinstance(container, dict):
            assert self.key is not None
            here = (*at, self.key)
            if self.doubled:  # the second value is read, but left out
                self.doubled = False
                return here
            container[self.key] = value
        else:
            here = (*at, len(container))
            container.append(value)
        self.lines[here] = line
        return here
