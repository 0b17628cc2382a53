"""Read a form filled in on screen, and return its record.

A field's name is the path of a value in the record (see `face.fields`). Empty rows and values, and empty items
at the end of a list, are left out. An empty field between filled fields in a list counts as 0.

A sum replaces its parts, and must agree with any that are filled in. If there are none, the last running total counts.
"""

from __future__ import annotations

import io
import re
import unicodedata
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import pikepdf

from grimalkin.printing.face.fields import GAME, MOST_CHARACTERS, MOST_PARTS, NOTES, SUMS, is_name, is_note
from grimalkin.problems import Place, Problems
from grimalkin.source.files import MOST_BYTES

MOST_FIELDS = 2000
"""The maximum number of fields, groups and appearances of fields on pages, each counted every time it is reached."""
MOST_UNPACKED = MOST_BYTES
"""The maximum number of decompressed bytes in all parts of a file. Each may become an object of a hundred bytes."""
MOST_STREAMS = 10_000
_PIECE = 65_536
_STREAM = re.compile(rb"(?<!end)stream[ \t\f\0]*(?:\r\n|\r|\n)?")
"""The point at which the bytes of a part begin. Files with wrong line endings are also read."""
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")
"""A character of a name, written as a number."""
_PACKED = re.compile(rb"/Filter(?![^\s\[/%(<])")
_PACKED_PLAINLY = re.compile(
    rb"/Filter\s*+(?:/(?:FlateDecode|DCTDecode|JPXDecode)|\[\s*+(?:/(?:FlateDecode|DCTDecode|JPXDecode)\s*+)?\])"
    rb"(?=[\s/>])(?!\s*%)"
)
"""The compression that form programs use, and that of photographs, which stay compressed when a form is read."""
_ROWS = re.compile(rb"/DecodeParms(?![^\s\[/%(<])")
_ROWS_PLAINLY = re.compile(
    rb"/DecodeParms\s*+\[?\s*+(?:null|<<\s*+(?:/[A-Z][A-Za-z]*+\s++(?:[0-9]{1,4}|true|false)\s*+(?=[/>]))*+>>)"
)
"""The length of compressed rows: readers allocate that many bytes before they read the first."""
_FIELDS_LOST = (
    "fill in and save the file whose name ends in -form.pdf; flattened or printed to a new PDF, it still shows the"
    " answers, but as text that cannot be scored"
)
MOST_SUMS = 100_000
"""The maximum number of characters in the list of sums and their parts."""

At = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class _Written:
    """A field: its text, "" if it is empty, and its description."""

    text: str
    say: str


_Group = dict[str, Any]
"""Fields and inner groups, by parts of their names."""


@dataclass
class Filled:
    """The contents of a form."""

    record: Any
    words: dict[At, str] = field(default_factory=dict)
    """Descriptions of fields, by the paths of their values in the record."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Texts of fields outside the record, by their names without the prefix."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Texts of all fields by their full names; "" if a field is empty."""
    says: Mapping[str, str] = field(default_factory=dict)
    """Descriptions of all fields by their full names."""

    def words_for(self, at: At) -> str:
        """Return the description of a value in the record, or of the nearest enclosing value."""
        while at and at not in self.words:
            at = at[:-1]
        return self.words.get(at, "")


def read_filled(data: bytes, place: Place, problems: Problems, game: str = "", file: str = "") -> Filled | None:
    """Return the record of a form; None, with problems that each name a field, if it is faulty.

    `game` is the game to which the form must belong; `file` is the file to name in a suggested command.
    """
    try:
        _check_packing(data)
        with pikepdf.open(io.BytesIO(data)) as pdf:
            form = pdf.Root.get("/AcroForm")
            walk = _Walk()
            found = list(walk.fields(walk.counted(form.get("/Fields") if form is not None else None)))
        fields = _ours(found)
        sums = _sums(fields)
    except pikepdf.PasswordError:
        problems.add(place, "the PDF is locked with a password", "save it without one")
        return None
    except _NotOurs as error:
        problems.add(place, str(error), "use the original sheet")
        return None
    except (pikepdf.PdfError, ValueError, TypeError, AttributeError, RecursionError):
        problems.add(place, "this PDF is damaged and cannot be read", "save it again")
        return None
    if GAME not in fields:
        wrong = "this form was not made by Grimalkin" if found else "this PDF has no fields to fill in"
        problems.add(place, wrong, _FIELDS_LOST)
        return None
    owner = fields[GAME].text
    if game and owner != game:
        problems.add(place, f"this is a form for {owner}", f"write: grimalkin score {owner} {file}".rstrip())
        return None
    for one in fields.values():
        _check_letters(one, place, problems)
    if problems:
        return None
    _add_up(fields, sums, place, problems)
    if not problems and not any(one.text for name, one in fields.items() if _is_for_players(name)):
        problems.add(place, "nothing is filled in", "save the form after writing into it")
        return None
    reader = _Reader(place, problems)
    tree = {name: one for name, one in _tree(fields).items() if name != NOTES}
    record = reader.group(tree, (), False) or {}
    notes = {name.removeprefix(f"{NOTES}."): one.text for name, one in fields.items() if is_note(name)}
    texts = {name: one.text for name, one in fields.items()}
    says = {name: one.say for name, one in fields.items()}
    return None if problems else Filled(record, reader.words, notes, texts, says)


class _NotOurs(Exception):
    """The error for a form that Grimalkin cannot have made."""


def _check_packing(data: bytes) -> None:
    """Raise _NotOurs if the compressed parts of a file are far larger than the file: reading them could exhaust memory.

    Any part may contain objects of the file, and is then decompressed whatever it claims to be. So every part must be
    compressed only once, in the usual way. A locked file cannot be checked, and raises PasswordError.
    """
    plain = _ESCAPED.sub(lambda found: bytes.fromhex(found[1].decode()), data)
    if b"/Encrypt" in plain:
        raise pikepdf.PasswordError
    for every, allowed in ((_PACKED, _PACKED_PLAINLY), (_ROWS, _ROWS_PLAINLY)):
        if any(not allowed.match(plain, found.start()) for found in every.finditer(plain)):
            raise _NotOurs("it is packed in a way that no form uses")
    left = MOST_UNPACKED
    for count, packed in enumerate(_STREAM.finditer(data)):
        left = _left_after(data, packed.end(), left)
        if left <= 0 or count >= MOST_STREAMS:
            raise _NotOurs(f"it unpacks to more than {MOST_UNPACKED:,} bytes, or has too many parts")


def _left_after(data: bytes, at: int, left: int) -> int:
    """Decompress the part that begins at an offset, as far as possible, and return what is left of the limit."""
    unpacking = zlib.decompressobj()
    rest = b""
    try:
        while left > 0 and not unpacking.eof and (rest or at < len(data)):
            if not rest:
                rest = data[at : at + _PIECE]
                at += len(rest)
            before = len(rest)
            left -= len(unpacking.decompress(rest, _PIECE))  # in small steps: a failing step does not report its size
            rest = unpacking.unconsumed_tail
            left -= before - len(rest) - len(unpacking.unused_data)
    except zlib.error:
        pass  # compressed in a different way, or not at all
    return left


class _Walk:
    """A walk through the tree of fields. A group may be inside many others, so visits are counted, not groups."""

    def __init__(self) -> None:
        self.left = MOST_FIELDS

    def fields(self, nodes: Any, above: str = "", kind: str = "", depth: int = 1) -> Iterator[tuple[str, _Written]]:
        """Yield every field by its full name, in the order of the file."""
        if depth > MOST_PARTS:
            raise _NotOurs(f"its fields are nested more than {MOST_PARTS} deep")
        for node in nodes:
            if node is None:
                continue  # a program removed this field, but not the reference to it
            part = _text(node, "/T", above)
            name = f"{above}.{part}" if above else part
            own = _text(node, "/FT", name, kind)
            every = list(self.counted(node.get("/Kids")))
            kids = [kid for kid in every if kid is not None and "/T" in kid]
            if every and not own and all(kid is None for kid in every):
                continue  # a group whose fields were removed
            if kids:
                yield from self.fields(kids, name, own, depth + 1)
                continue
            text = _text(node, "/V", name, most=MOST_SUMS if name == SUMS else MOST_CHARACTERS).strip()
            if own == "/Btn":
                text = "yes" if text not in ("", "/Off") else ""
            yield name, _Written(text, _text(node, "/TU", name, name))

    def counted(self, nodes: Any) -> Any:
        """Count nodes before any of them is read, and return them, if there are any."""
        nodes = nodes if nodes is not None else ()
        self.left -= len(nodes)
        if self.left < 0:
            raise _NotOurs(f"it has more than {MOST_FIELDS:,} fields")
        return nodes


def _text(node: Any, key: str, name: str, default: str = "", most: int = MOST_CHARACTERS) -> str:
    """Return the text under a key in the field with this name."""
    value = node.get(key)
    if value is None:
        return default
    if not isinstance(value, pikepdf.String | pikepdf.Name):
        raise _NotOurs(f"{_quoted(name)} holds something other than text")
    text = str(value)
    if len(text) > most:
        raise _NotOurs(f"{_quoted(name)} holds more than {most:,} characters")
    return text


def _quoted(name: str) -> str:
    """Quote a field's name, which may be untrusted, so that it is safe to show on a terminal."""
    return f'its field "{name[:60].encode("unicode_escape").decode()}"' if name else "one of its fields"


def _ours(found: Sequence[tuple[str, _Written]]) -> dict[str, _Written]:
    """Return the fields by their names; none if Grimalkin did not make the form. Raise _NotOurs if it was changed."""
    fields = dict(found)
    if GAME not in fields:
        return {}
    if len(fields) < len(found):
        raise _NotOurs("two of its fields have the same name")
    for name, one in fields.items():
        if not is_name(name) or not all(map(_is_letter, one.say)):
            raise _NotOurs(f"{_quoted(name)} is not one of ours")
        *groups, _ = name.split(".")
        if any(".".join(groups[:end]) in fields for end in range(1, len(groups) + 1)):
            raise _NotOurs(f'"{name}" is inside another of its fields')
    if not fields[GAME].text or not all(map(_is_letter, fields[GAME].text)):
        raise _NotOurs("it does not name its game")
    return fields


def _sums(fields: Mapping[str, _Written]) -> dict[str, list[str]]:
    """Return the names of sums, each with the names of its parts. Raise _NotOurs unless all are fields."""
    written = fields[SUMS].text.split(";") if SUMS in fields else []
    sums: dict[str, list[str]] = {}
    totals: dict[str, str] = {}
    for name, _, parts in (one.strip().partition(":") for one in written):
        sums[name] = list(dict.fromkeys(parts.split()))
        for one in (name, *sums[name]):
            if one not in fields:
                raise _NotOurs(f"{_quoted(one)} is in a sum, but missing")
            if one is not name and not is_note(name) and totals.setdefault(one, name) != name:
                raise _NotOurs(f'"{one}" is part of two totals, "{totals[one]}" and "{name}"')
    return sums


def _is_letter(char: str) -> bool:
    """Return whether a character is not a control character, such as an escape or a line end."""
    return unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp")


def _check_letters(one: _Written, place: Place, problems: Problems) -> None:
    """Refuse control characters, because the text is shown on a terminal, which would obey them."""
    wrong = next((char for char in one.text if not _is_letter(char)), None)
    if wrong is not None:
        code = f"U+{ord(wrong):04X}"
        problems.add(
            place, f"{one.say}: it contains the control character {code}", "write letters and digits, on one line"
        )


def _is_for_players(name: str) -> bool:
    """Return whether a field is part of a row: at least one such field must be filled in."""
    return "." in name and not is_note(name)


def _tree(fields: Mapping[str, _Written]) -> _Group:
    root: _Group = {}
    for name, one in fields.items():
        *groups, last = name.split(".")
        group = root
        for part in groups:
            group = group.setdefault(part, {})
        group[last] = one
    return root


def _add_up(fields: dict[str, _Written], sums: Mapping[str, Sequence[str]], place: Place, problems: Problems) -> None:
    """Replace the parts of each sum by the sum. Sums among the notes are running totals."""
    owners = {part: total for total, parts in sums.items() if not is_note(total) for part in parts}
    running: dict[str, list[str]] = {}
    for name, parts in sums.items():
        whose = {owners.get(part, "") for part in parts}
        if is_note(name) and len(whose) == 1:
            running.setdefault(whose.pop(), []).append(name)
    for total, parts in sums.items():
        if is_note(total):
            continue
        inner = sorted(running.get(total, ()), key=lambda name: len(sums[name]))
        steps = [*inner, total]
        column = [fields[name] for name in (*parts, *steps)]
        wrong = [one for one in column if not re.fullmatch("[0-9]{0,9}", one.text)]
        for one in wrong:
            problems.add(place, f'{one.say}: "{one.text}" is not a whole number', "write digits, or leave it empty")
        if wrong:
            continue
        if any(fields[part].text for part in parts):
            numbers = {name: [int(fields[part].text or 0) for part in sums[name]] for name in steps}
            _check_parts([(fields[name], numbers[name]) for name in steps], place, problems)
            text = str(sum(numbers[total]))
        else:
            written = [(fields[name], len(sums[name])) for name in steps if fields[name].text]
            _check_steps(written, place, problems)
            text = written[-1][0].text if written else ""
        for name in (*parts, *inner):
            fields[name] = replace(fields[name], text="")
        fields[total] = replace(fields[total], text=text)


def _check_parts(steps: Sequence[tuple[_Written, Sequence[int]]], place: Place, problems: Problems) -> None:
    """Compare totals with the sums of their parts. Report only the first wrong total, since later ones include it."""
    for one, numbers in steps:
        if one.text and int(one.text) != sum(numbers):
            added = f"{' + '.join(map(str, numbers))} = " if len(numbers) > 1 else ""
            problems.add(place, f'{one.say}: "{one.text}" is written, but the parts add up to {added}{sum(numbers)}')
            return


def _check_steps(steps: Sequence[tuple[_Written, int]], place: Place, problems: Problems) -> None:
    """Compare totals, given with the number of their parts, with each other: they must never fall."""
    for (before, fewer), (one, more) in pairwise(steps):
        if int(one.text) < int(before.text) or (fewer == more and int(one.text) != int(before.text)):
            problems.add(place, f'{one.say}: "{one.text}" is written, but {before.say}: "{before.text}"')


class _Reader:
    """A reader that turns a tree of fields into a record, and notes the description of each value."""

    def __init__(self, place: Place, problems: Problems) -> None:
        self.place = place
        self.problems = problems
        self.words: dict[At, str] = {}

    def value(self, one: Any, at: At, whole: bool) -> Any:
        """Return the value of a field or a group; None if it is empty, unless `whole` requires a value."""
        if isinstance(one, dict):
            return self.group(one, at, whole)
        self.words[at] = one.say
        return one.text or ("0" if whole else None)

    def group(self, group: _Group, at: At, whole: bool) -> Any:
        if all(part.isdigit() for part in group):
            items = [group[part] for part in sorted(group, key=int)]
            if all(isinstance(item, dict) and "name" in item for item in items):
                return self.table(items, at)
            return self.listing(items, at, whole)
        found = {part: self.value(one, (*at, part), whole) for part, one in group.items()}
        return {part: value for part, value in found.items() if value is not None} or None

    def listing(self, items: list[Any], at: At, whole: bool) -> Any:
        while items and not whole and not _is_written(items[-1]):
            items.pop()
        return [self.value(item, (*at, index), True) for index, item in enumerate(items)] or None

    def table(self, rows: list[_Group], at: At) -> Any:
        """Return the rows that are filled in, by their names."""
        table: dict[str, Any] = {}
        for row in rows:
            if not _is_written(row):
                continue
            name = row["name"]
            if not name.text:
                self.problems.add(self.place, f"{name.say}: this is empty, but the rest of the row is not")
            elif name.text in table:
                self.problems.add(
                    self.place, f'{name.say}: "{name.text}" is listed twice', "give each row its own name"
                )
            else:
                here = (*at, name.text)
                self.words[here] = name.say
                rest = {part: one for part, one in row.items() if part != "name"}
                table[name.text] = self.group(rest, here, False) or {}
        return table or None


def _is_written(one: Any) -> bool:
    return any(_is_written(inner) for inner in one.values()) if isinstance(one, dict) else bool(one.text)
