"""The values that a cell can hold, and the conversion of text columns to numbers or yes and no."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from grimalkin.problems.plain import MOST_ACCENTS, find_overloaded
from grimalkin.source.reading import LONGEST_TEXT


@dataclass(frozen=True, slots=True)
class Fault:
    """A cell that cannot be read: an error, or a formula that no program has calculated.

    `text` is what the cell shows; `message` and `hint` belong to the problem that is reported if a deck uses the cell.
    """

    text: str
    message: str
    hint: str = ""


class Number(float):
    """A number that is not whole, or that has a special spelling and prints as spelled.

    The result of a calculation with it prints as a spreadsheet would show it.

    >>> str(Number(0.075, "7.5%")), str(Number(0.285, "28.5%") * 100), Number(7.5, "7,5") * 2
    ('7.5%', '28.5', 15)
    """

    spelling: str

    def __new__(cls, value: float, spelling: str = "") -> Number:
        made = super().__new__(cls, value)
        made.spelling = spelling or f"{value:.15g}"
        return made

    def __str__(self) -> str:
        return self.spelling

    def __repr__(self) -> str:
        return f"Number({float(self)!r}, {self.spelling!r})"

    def __reduce__(self) -> tuple[type[Number], tuple[float, str]]:
        return Number, (float(self), self.spelling)


Cell: TypeAlias = str | int | Number | bool | tuple[str, ...] | Fault | None
"""None and "" are empty. Dates are ISO text; a list in a JSON or YAML file is a tuple."""

_FLOAT = re.compile(r"[+-]?(\d++(\.\d*+)?|\.\d++)([eE][+-]?\d{1,3})?", re.ASCII)


def find_float(text: str) -> float | None:
    """Return the number that a text in machine notation represents; None for other text, and for infinity."""
    value = float(text) if _FLOAT.fullmatch(text) else math.inf
    return value if math.isfinite(value) else None


MOST_WHOLE = 10**15
"""Spreadsheets keep fifteen digits, so the last digits of larger numbers are unknown."""


def number(value: float) -> int | Number:
    """Return a number as a spreadsheet shows it by default: whole, or with up to 15 digits.

    >>> number(3.0), str(number(0.1 + 0.2))
    (3, '0.3')
    """
    return int(value) if value.is_integer() and abs(value) < MOST_WHOLE else Number(value)


def _calculating(name: str) -> Callable[..., object]:
    """Return an operation on a Number whose result prints as a spreadsheet would show it."""
    operation = getattr(float, name)

    def calculate(*operands: object) -> object:
        result = operation(*operands)
        return number(result) if isinstance(result, float) else result

    return calculate


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
    setattr(Number, f"__{_name}__", _calculating(f"__{_name}__"))
    setattr(Number, f"__r{_name}__", _calculating(f"__r{_name}__"))
for _name in ("neg", "pos", "abs", "round"):
    setattr(Number, f"__{_name}__", _calculating(f"__{_name}__"))

_ERROR = re.compile(
    r"#DIV/0!|#N/A|#NAME\?|#(NULL|NUM|REF|VALUE|SPILL|CALC|FIELD|BLOCKED|CONNECT|UNKNOWN|ERROR)!|Err:\d{3}"
    r"|#(WERT|BEZUG|ZAHL|NUL|VALEUR|NOMBRE)!|#NV|#NOM\?|#¡(VALOR|REF|NUM|DIV/0)!|#¿NOMBRE\?"
)
"""The error texts of Excel, LibreOffice and Google Sheets, in English, German, French and Spanish."""


def error(text: str) -> Fault:
    """Return the fault for a cell whose formula gives an error."""
    return Fault(text, f'the cell has an error: "{text[:40]}"', "correct its formula, or write the value")


def uncalculated(formula: str) -> Fault:
    """Return the fault for a formula whose value is not in the file."""
    hint = "open the file in a spreadsheet program and save it, or write the value"
    return Fault(formula, f'the formula "{formula[:40]}" was never calculated', hint)


def find_error(text: str) -> Fault | None:
    """Return the fault for an error text that a spreadsheet wrote in place of a value; None for any other text.

    >>> find_error("#REF!").text, find_error("####").hint, find_error("#1")
    ('#REF!', 'make the column wider and save the table again', None)
    """
    if _ERROR.fullmatch(text):
        return error(text)
    if len(text) > 2 and not text.strip("#"):
        told = f'the spreadsheet wrote "{text[:40]}" because the column was too narrow'
        return Fault(text, told, "make the column wider and save the table again")
    return None


def clean(text: str) -> str | Fault:
    """Return the text of a cell without surrounding spaces, with each letter and its accent as one character."""
    text = text.replace("\r\n", "\n").translate(_BREAKS).strip().strip(_UNSEEN).strip()
    if len(text) > LONGEST_TEXT:
        return Fault(text[:40], f"a cell has more than {LONGEST_TEXT:,} characters", "shorten its text")
    if find_overloaded(text) is not None:
        return Fault(text[:40], f"a letter has more than {MOST_ACCENTS} accents", "delete them")
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    found = _UNWRITABLE.search(text)
    if found:
        return Fault(text[:40], f"the character U+{ord(found[0]):04X} cannot be printed", "delete it")
    return text


_BREAKS = dict.fromkeys((0x0B, 0x0D, 0x2028, 0x2029), "\n")
"""Line ends of old Macs, word processors and layout programs."""
_UNSEEN = "\u200b\u2060\ufeff"
"""Zero-width spaces, which come with text copied from web pages and are never wanted at the end of a cell."""
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")

_NUMBER = re.compile(
    r"(?P<sign>[+\-−]?)"
    r"(?P<whole>[1-9]\d{0,2}(?P<group>[., '’\u00a0\u202f])\d{3}(?P<more>(?:(?P=group)\d{3})*)|0|[1-9]\d{0,14}|)"
    r"(?:(?P<point>[.,])(?P<decimals>\d{1,15}))?"
    r"(?P<percent>[ \u00a0\u202f]?%)?",
    re.ASCII,
)


def as_numbers(cells: Sequence[Cell], decimal: str = ".") -> list[Cell] | None:
    """Return a column of text as numbers, or None if one of its cells is not a number.

    `decimal` decides what "1,250" and "1.250" mean, unless another cell in the column shows it. Numbers with leading
    zeros are text.

    >>> as_numbers(["2", "7,5", ""]), as_numbers(["1,200", "30"]), as_numbers(["007", "12"])
    ([2, Number(7.5, '7,5'), None], [Number(1200.0, '1,200'), 30], None)
    """
    filled = [cell for cell in cells if cell not in (None, "") and not isinstance(cell, Fault)]
    if not filled or any(isinstance(cell, bool | tuple) for cell in filled):
        return None
    found = {text: _NUMBER.fullmatch(text) for text in filled if isinstance(text, str)}
    matches = [match for match in found.values() if match and (match["whole"] or match["point"])]
    if len(matches) < len(found):
        return None
    decimal = decimal_sign(found, decimal)
    read = {match[0]: _value(match, decimal) for match in matches}
    if None in read.values():
        return None
    return [read[cell] if isinstance(cell, str) and cell else None if cell == "" else cell for cell in cells]


def decimal_sign(texts: Iterable[str], otherwise: str) -> str:
    """Return the decimal sign that most numbers among these texts reveal, or `otherwise` if none reveals it."""
    seen = Counter(filter(None, (_shows(match) for match in map(_NUMBER.fullmatch, texts) if match)))
    return max(seen, key=lambda sign: seen[sign]) if len(set(seen.values())) == len(seen) > 0 else otherwise


def _shows(match: re.Match[str]) -> str:
    """Return the decimal sign that a number reveals; "" for 12, and for 1,234, which can be read either way."""
    if match["point"]:
        return match["point"]
    return {",": ".", ".": ","}.get(match["group"] or "", "") if match["more"] else ""


def _value(match: re.Match[str], decimal: str) -> int | Number | None:
    whole, group, point, text = match["whole"], match["group"], match["point"], match[0]
    if group and group == point:
        return None
    if group and not match["more"] and not point and group == decimal:  # 1,250 where the comma is decimal
        digits = whole.replace(group, ".")
    else:
        digits = (whole.replace(group, "") if group else whole) + (f".{match['decimals']}" if point else "")
    value = Decimal(("-" if match["sign"] in ("-", "−") else "") + digits) / (100 if match["percent"] else 1)
    if match["percent"] or group or match["sign"] in ("+", "−") or (point and match["decimals"] != "0"):
        return Number(float(value), text)
    return int(value)


_YES_NO = {"yes": True, "true": True, "no": False, "false": False}


def as_yes_no(cells: Sequence[Cell]) -> list[Cell] | None:
    """Return a text column as yes and no, or None if one of its cells is neither.

    >>> as_yes_no(["Yes", None, "FALSE"]), as_yes_no(["yes", "maybe"])
    ([True, None, False], None)
    """
    read: list[Cell] = []
    for cell in cells:
        value = _YES_NO.get(cell.lower(), cell) if isinstance(cell, str) else cell
        if not isinstance(value, bool | Fault) and value not in (None, ""):
            return None
        read.append(None if value == "" else value)
    return read if any(isinstance(cell, bool) for cell in read) else None
