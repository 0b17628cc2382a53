"""Read text and YAML within limits, keeping every value as text with its line.

YAML is read from its event stream and never composed: fifty thousand brackets crash a composer, aliases can
expand without limit, and values stay as written (`4:30` and `no` are text). Aliases, anchors, tags, merge keys and
second documents are refused, and so is a key written twice.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

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
Lines: TypeAlias = "int | tuple[int, dict[str, Lines] | list[Lines]]"
"""The line of a value; for a list or a mapping, also the lines of the values inside it. 0 is no line."""

# The C parser is about ten times faster; PyYAML's wheels have it on every common platform.
_Parser: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Source:
    """The content of a file: `data` is text, lists and mappings; `lines` holds the line of each value."""

    path: Path
    data: Any
    lines: Lines = 0

    def place(self, at: At = ()) -> Place:
        """Return the place of a value, or of the innermost value around it that has one."""
        found = self.lines
        for key in at:
            if isinstance(found, int):
                break
            inner = found[1]
            if isinstance(inner, dict):
                if key not in inner:
                    break
                found = inner[str(key)]
            elif isinstance(key, int) and key < len(inner):
                found = inner[key]
            else:
                break
        return Place(shown_path(self.path), _line(found))


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
    try:
        builder.build(parser)
    except _Refused as refused:
        problems.add(Place(shown, refused.line), refused.message, refused.hint)
        return None
    except yaml.MarkedYAMLError as error:
        line, hint = yaml_trap(error, text, builder.last)
        told = str(error.problem or error.context)
        if "nesting depth" in told:  # LibYAML since 0.2.6 looks ahead and notices it first
            problems.add(Place(shown, line + 1), TOO_DEEP)
        else:
            problems.add(Place(shown, line + 1), f"this is not YAML: {told}", hint)
        return None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        code = error.character if isinstance(error.character, int) else ord(error.character)
        problems.add(Place(shown, line), f"YAML cannot contain the character U+{code:04X}")
        return None
    finally:
        parser.dispose()
    if builder.root == "":
        problems.add(Place(shown), "the file is empty", "write its content, or delete the file")
        return None
    return Source(path, builder.root, builder.lines)


class _Refused(Exception):
    """An error for something in YAML that is not read."""

    def __init__(self, event: Any, message: str, hint: str = "") -> None:
        self.line = event.start_mark.line + 1
        self.message = message
        self.hint = hint


_TEXT, _MAPPING = yaml.ScalarEvent, yaml.MappingStartEvent
_VALUES = frozenset({_TEXT, _MAPPING, yaml.SequenceStartEvent})
_ENDS = frozenset({yaml.MappingEndEvent, yaml.SequenceEndEvent})


class _Builder:
    """Builds plain data from YAML events, without recursion."""

    def __init__(self, path: str, problems: Problems) -> None:
        self.path = path
        self.problems = problems
        self.root: Any = ""
        self.lines: Lines = 0
        self.last: Any = None
        """The event before an error."""
        self.documents = 0
        self.again = 0

    def build(self, parser: Any) -> None:
        """Build the data of a file. Raises _Refused."""
        # A file has tens of thousands of events, so there are no calls for those that are as they should be. `into` is
        # the innermost open collection, `lines` holds the lines of its values, and `key` waits for its value.
        document: list[Any] = []
        lines_of_document: list[Lines] = []
        into: Any = document
        lines: Any = lines_of_document
        stack: list[tuple[Any, Any]] = []
        key: str | None = None
        in_mapping = left_out = False
        events = 0
        while self.again < MOST_AGAIN and (event := parser.get_event()) is not None:
            self.last = event
            events += 1
            if events > MOST_EVENTS:
                raise _Refused(event, f"the file has more than {MOST_EVENTS:,} values")
            kind = type(event)
            if kind in _ENDS:
                into, lines = stack.pop()
                in_mapping, key = type(into) is dict, None
                continue
            if kind not in _VALUES or event.anchor or event.tag is not None:
                self.check_rare(event)
                continue
            line = event.start_mark.line + 1
            if kind is not _TEXT and len(stack) >= MOST_DEPTH:
                raise _Refused(event, TOO_DEEP)
            if in_mapping and key is None:
                if kind is not _TEXT:
                    told = "a key must be text, not a list or a mapping"
                    raise _Refused(event, told, "put quotes around braces and brackets")
                key = event.value
                left_out = key in into  # the second value of a key is read, but left out
                if left_out or key == "<<":
                    self.check_key(key, event, lines)
                continue
            value: Any
            at: Any
            if kind is _TEXT:
                value, at = event.value, line
            else:
                value, at = ({}, (line, {})) if kind is _MAPPING else ([], (line, []))
            if left_out:
                left_out = False
            elif in_mapping:
                into[key], lines[key] = value, at
            else:
                into.append(value)
                lines.append(at)
            if kind is not _TEXT:
                stack.append((into, lines))
                into, lines, in_mapping = value, at[1], kind is _MAPPING
            key = None
        if document:
            self.root, self.lines = document[0], lines_of_document[0]

    def check_key(self, key: str, event: Any, lines: Mapping[str, Lines]) -> None:
        """Refuse merge keys. Report a key written twice."""
        if key == "<<":
            raise _Refused(event, 'the merge key "<<" is not read', "write the values out")
        self.again += 1
        place, first = Place(self.path, event.start_mark.line + 1), Place(self.path, _line(lines[key]))
        self.problems.add(place, f'the key "{key}" is written twice', also=first)

    def check_rare(self, event: Any) -> None:
        """Refuse names and tags of values, and second documents. Other events mean nothing here."""
        if getattr(event, "anchor", None):
            what = 'alias "*' if isinstance(event, yaml.AliasEvent) else 'anchor "&'
            hint = "write the value out, or put quotes around the text"
            raise _Refused(event, f'the {what}{event.anchor}" is not read', hint)
        if getattr(event, "tag", None) is not None:
            hint = "leave it out, or put quotes around the text"
            raise _Refused(event, f'the tag "{event.tag}" is not read', hint)
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                raise _Refused(event, "a second document begins here", "write only one document in a file")


def _line(lines: Lines) -> int:
    """Return the line where a value begins."""
    return lines if isinstance(lines, int) else lines[0]
