"""Turn the element <field> of a face template into a Field of a form. It is invisible in print.

A field's name is a path into the record of the filled form. Dots separate its parts; a whole number is an item of a
list, counting from 1. A list whose items have a field `name` is a table under those names. Names that begin with
`notes` are for people and belong to no record; the form itself writes `notes.game` and `notes.sums`.

In the record, a sum replaces the fields that it adds up. Sums among the notes are running totals.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from grimalkin.printing.face.svg.paths import length_of
from grimalkin.printing.face.svg.subset import INK, ElementFault, is_number
from grimalkin.printing.type.fit import POINT
from grimalkin.problems import did_you_mean

NOTES = "notes"
"""The first part of the names of fields that belong to no record."""
GAME = f"{NOTES}.game"
"""The field that names a form's game; all our forms have it."""
KEPT = f"{NOTES}.kept"
"""The fixed field of a form for a party's possessions, which are not a position; see `campaign.paper`."""
SUMS = f"{NOTES}.sums"
"""The field with the parts of each sum, as in "a: b c; d: e.1 e.2". Viewers keep it, but may drop keys of our own."""
KINDS = {"text": 60, "number": 3, "check": 0, "fixed": 0}
"""The kinds of fields, with the default length of each in characters."""
MOST_FIELDS = 1_000
MOST_SUMMED = 5_000
"""The limit for names in all sums of a form, with * expanded."""
MOST_PARTS = 8
"""The limit for the parts of one name."""
MOST_CHARACTERS = 1000
"""The limit for the contents and the description of a field."""
_PART = re.compile(r"[1-9][0-9]{0,2}|(?=[-_0-9]*[a-z])(?!0)[a-z0-9]+(?:[-_][a-z0-9]+)*")
_LONGEST_PART = 40
_OURS = (NOTES, GAME, SUMS)
_ALIGNS = ("left", "center", "right")


@dataclass(frozen=True, slots=True)
class Field:
    """A place to fill in. Positions are in millimetres from the top left corner of the trim, type sizes in points."""

    name: str
    kind: str
    """ "text", "number", "check" for a tick, or "fixed" for an invisible value in every filled form."""
    say: str
    """Its description, for screen readers and messages."""
    x: float = 0
    y: float = 0
    width: float = 0
    height: float = 0
    size: float = 9
    align: str = "left"
    fill: str = INK
    most: int = 60
    """The most characters that it accepts."""
    value: str = ""
    """The value of a fixed field."""
    sum: str = ""
    """The names of the fields that it adds up, separated by spaces; * for any part."""


def is_name(name: str) -> bool:
    """Return whether a field may have this name. The reader of filled forms follows the same rule.

    >>> is_name("seats.1.months.2.1"), is_name("seats.01"), is_name("seats.1000"), is_name("seats.1.name.first")
    (True, False, False, False)
    """
    parts = name.split(".", MOST_PARTS)
    if len(parts) > MOST_PARTS or not all(len(part) <= _LONGEST_PART and _PART.fullmatch(part) for part in parts):
        return False
    # The name of a row is a single value, because rows are found by it.
    return not any(before.isdigit() and part == "name" for before, part in pairwise(parts[:-1]))


def read_field(written: Mapping[str, str]) -> Field:
    """Return the field with these attributes. Raise ElementFault if any are wrong."""
    name, kind = written.get("name", ""), written.get("kind", "text")
    if not is_name(name):
        raise ElementFault(
            f'"{name}" is not a name for a field', "write the path of a value, such as seats.1.months.2.1"
        )
    if name in _OURS:
        raise ElementFault(f'the form itself needs the field "{name}"', "use another name, such as notes.day")
    if kind not in KINDS:
        raise ElementFault(f'field {name}: kind="{kind}" is not known', did_you_mean(kind, KINDS))
    say = written.get("say", "").strip()
    if kind == "fixed":
        if not written.get("value"):
            raise ElementFault(f"field {name}: a fixed field needs a value", 'write value="…"')
        return Field(name, kind, say or name, value=written["value"])
    if "value" in written:
        raise ElementFault(f"field {name}: only a fixed field has a value", "players fill in the others")
    if not say:
        raise ElementFault(f"field {name}: it has no description", 'write say="…", as in: row 1, silver bullets')
    wrong = [key for key in ("x", "y", "width", "height", "size", "most") if not is_number(written.get(key, "0"))]
    if wrong:
        raise ElementFault(f'field {name}: {wrong[0]}="{written[wrong[0]]}" is not a number')
    align = written.get("align", "center" if kind == "number" else "left")
    if align not in _ALIGNS:
        raise ElementFault(f'field {name}: align="{align}" is not known', "one of: " + ", ".join(_ALIGNS))
    x, y, width, height = (length_of(written, key) for key in ("x", "y", "width", "height"))
    size, most = length_of(written, "size", 9), length_of(written, "most", float(KINDS[kind]))
    if kind != "check" and not (1 <= most <= MOST_CHARACTERS and most.is_integer()):
        hint = f"write a whole number from 1 to {MOST_CHARACTERS}"
        raise ElementFault(f'field {name}: most="{most:g}"', hint)
    if min(width, height) < 1:
        raise ElementFault(f"field {name}: it is {width:g} × {height:g} mm", "a field is at least 1 mm wide and high")
    if kind != "check" and not 4 <= size <= height / POINT:
        hint = f"from 4 to {height / POINT:.1f} pt"
        raise ElementFault(f"field {name}: {size:g} pt letters do not fit into {height:g} mm", hint)
    fill, total = written.get("fill", INK), written.get("sum", "")
    if total and kind != "number":
        raise ElementFault(f"field {name}: only a number can be a sum", 'write kind="number"')
    return Field(name, kind, say, x, y, width, height, size, align, fill, int(most), sum=total)


def is_note(name: str) -> bool:
    """Return whether a field is for people and belongs to no record."""
    return name.split(".", 1)[0] == NOTES


def place_fault(field: Field, width: float, height: float, side: str) -> ElementFault | None:
    """Return why a field on a face with this trim, in millimetres, cannot be in a form; None if it can."""
    if side == "back":
        hint = 'fields belong on a front: put {% if side == "front" %} around it where both sides share a template'
        return ElementFault(f"field {field.name}: it is on a back, but forms have fronts only", hint)
    if field.kind == "fixed":
        return None
    right, foot = field.x + field.width, field.y + field.height
    near = 0.005  # rounding in a template's sums
    if field.x >= -near and field.y >= -near and right <= width + near and foot <= height + near:
        return None
    reach = f"field {field.name}: it extends from {field.x:g}, {field.y:g} to {right:g}, {foot:g} mm"
    return ElementFault(f"{reach}, beyond the trim", f"the trim is from 0, 0 to {width:g}, {height:g} mm")


def added_up(total: str, names: Collection[str]) -> list[str]:
    """Return the names that a sum adds up, in order.

    >>> added_up("coins.*.1 coins.3.2", ["coins.1.1", "coins.2.1", "coins.1.2", "coins.3.2", "coins.1"])
    ['coins.1.1', 'coins.2.1', 'coins.3.2']
    """
    patterns = total.split()
    exact = {pattern for pattern in patterns if "*" not in pattern}
    open_ = [pattern.split(".") for pattern in patterns if "*" in pattern]
    return [name for name in names if name in exact or any(_fits(name.split("."), wanted) for wanted in open_)]


def _fits(parts: Sequence[str], wanted: Sequence[str]) -> bool:
    return len(parts) == len(wanted) and all(one in (part, "*") for part, one in zip(parts, wanted, strict=True))


def name_faults(fields: Sequence[Field]) -> dict[str, str]:
    """Return faults by name: a name that occurs twice, contains another, adds up nothing, or belongs to two sums."""
    faults: dict[str, str] = {}
    if len(fields) > MOST_FIELDS or sum(len(field.sum.split()) for field in fields) > MOST_SUMMED:
        return {"": f"a form has at most {MOST_FIELDS:,} fields, whose sums name at most {MOST_SUMMED:,}"}
    totals: dict[str, str] = {}
    names: set[str] = set()
    groups: set[str] = set()
    for field in fields:
        if field.name in names:
            faults[field.name] = f'two fields are called "{field.name}"'
        names.add(field.name)
        parts = field.name.split(".")
        groups.update(".".join(parts[:end]) for end in range(1, len(parts)))
    for field in fields:
        for pattern in field.sum.split():
            if pattern not in names and not added_up(pattern, names):
                faults[field.name] = f'"{field.name}" is the sum of "{pattern}", but no field has that name'
        for part in () if is_note(field.name) else added_up(field.sum, names):
            first = totals.setdefault(part, field.name)
            if first != field.name:
                faults[field.name] = f'"{part}" is part of two sums, "{first}" and "{field.name}"'
    faults.update({name: f'"{name}" is a field, and also the start of other names' for name in names & groups})
    return faults
