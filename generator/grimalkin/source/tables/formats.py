"""Format a number as text by its Excel format; dates and times follow ISO 8601.

The formats are those of ECMA-376, part 1, 18.8.31. With conditions, fractions or powers of ten, the number is shown
without the format.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

from grimalkin.source.tables.cells import MOST_WHOLE, Cell, Fault, Number, number

GENERAL = "General"
KNOWN = {
    0: GENERAL, 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?",
    13: "# ??/??", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM",
    20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0 ;(#,##0)", 38: "#,##0 ;[Red](#,##0)",
    39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;[Red](#,##0.00)", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mmss.0",
    48: "##0.0E+0", 49: "@",
} | dict.fromkeys((*range(27, 32), 34, 35, 36, *range(50, 59)), "yyyy-mm-dd") | {32: "h:mm", 33: "h:mm:ss"}  # fmt: skip
"""Formats that workbooks name by number only; some depend on the language of the program that opens the file."""
LONGEST_FORMAT = 255
LAST_DAY = 2_958_465
"""31 December 9999, the last day that a spreadsheet knows."""

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_.|\*.|\[\$(?P<currency>[^\]-]*)[^\]]*\]|\[(?P<elapsed>h+|m+|s+)\]'
    r"|\[(?P<condition>[<>=][^\]]*)\]|\[[^\]]*\]|(?P<end>;)|(?P<general>General|@)|(?P<half>AM/PM|A/P)"
    r"|(?P<moment>[yY]+|[mM]+|[dD]+|[hH]+|[sS]+)|(?P<power>[eE][+-])|(?P<digits>[0#?][0#?.,]*|\.[0#?]+)|(?P<percent>%)"
    r"|(?P<other>.)",
    re.DOTALL | re.IGNORECASE,
)
_LITERAL = ("quoted", "escaped", "currency", "other", "percent")


@dataclass(frozen=True, slots=True)
class Section:
    """One of up to four parts of a format: the text before the digits, their format, and the text after them."""

    before: str
    digits: str
    after: str
    moments: str = ""
    percents: int = 0
    is_plain: bool = True


def shown(value: float, code: str, since_1904: bool = False) -> Cell:
    """Return a number as its format shows it.

    >>> shown(0.075, "0.0%"), shown(7.0, "000"), shown(3.0, "General"), shown(45356.0, "d mmm yyyy")
    (Number(0.075, '7.5%'), Number(7.0, '007'), 3, '2024-03-05')
    """
    if code == GENERAL:
        return number(value)
    sections = _sections(code[:LONGEST_FORMAT])
    if sections[0].moments:
        return _moment(value, sections[0].moments, since_1904)
    at = 1 if value < 0 and len(sections) > 1 else 2 if value == 0 and len(sections) > 2 else 0
    section = sections[at]
    if not section.is_plain or abs(value) >= MOST_WHOLE or not (section.before + section.digits + section.after):
        return number(value)
    digits = _digits(Decimal(repr(abs(value))) * 100**section.percents, section.digits)
    sign = "-" if value < 0 and at == 0 and any(map(str.isdigit, digits.replace("0", ""))) else ""
    text = f"{sign}{section.before}{digits}{section.after}".strip()
    return number(value) if text == str(number(value)) else Number(value, text)


@lru_cache(maxsize=1000)
def _sections(code: str) -> tuple[Section, ...]:
    sections: list[Section] = []
    parts: list[tuple[str, str]] = []
    for match in _TOKEN.finditer(code + ";"):
        if match.lastgroup == "end":
            sections.append(_section(parts))
            parts = []
        elif match.lastgroup:
            parts.append((match.lastgroup, match[match.lastgroup]))
    return tuple(sections[:3]) or (_section([]),)


def _section(parts: list[tuple[str, str]]) -> Section:
    kinds = [kind for kind, _ in parts]
    moments = "".join(
        text[0].upper() if kind == "elapsed" else text[0].lower() if kind == "moment" else "h"
        for kind, text in parts
        if kind in ("elapsed", "moment", "half")
    )
    at = next((index for index, kind in enumerate(kinds) if kind in ("digits", "general")), len(kinds))
    before, after = ("".join(text for kind, text in some if kind in _LITERAL) for some in (parts[:at], parts[at + 1 :]))
    digits = parts[at][1] if at < len(parts) else ""
    is_one = kinds.count("digits") + kinds.count("general") < 2
    is_plain = is_one and ("other", "/") not in parts and not {"condition", "power"} & set(kinds)
    return Section(before, digits, after, moments, kinds.count("percent"), is_plain)


def _digits(value: Decimal, code: str) -> str:
    """Return the digits of a positive number; `code` consists of 0, #, ? and the marks between them."""
    if not code:
        return ""
    if code.lower() in ("general", "@"):
        return str(number(float(value)))
    scaled = code.rstrip(",")
    whole, _, decimals = scaled.partition(".")
    value = (value / 1000 ** (len(code) - len(scaled))).quantize(
        Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP, Context(prec=300)
    )
    left, _, right = f"{value:f}".partition(".")
    least = decimals.rfind("0") + 1
    right = right[:least] + right[least:].rstrip("0")
    left = left.lstrip("0").zfill(whole.count("0"))
    if "," in whole and left:
        left = f"{int(left):0{len(left) + (len(left) - 1) // 3},}"
    return f"{left}.{right}" if right else left


def _moment(value: float, letters: str, since_1904: bool) -> Cell:
    """Return a date, a time, or both, as the format shows them; omit midnight after a date, and 0 seconds."""
    if not 0 <= value <= LAST_DAY + 1:
        return Fault(f"{value:.15g}", f"{value:.15g} is shown as a date, but is not one", "write a date")
    seconds = round(value * 86400)
    if letters[0].isupper():  # total hours, minutes or seconds, as in [h]:mm
        return _time(seconds // 3600, seconds, letters.lower())
    dated = "y" in letters or "d" in letters or letters == "m"
    timed = "h" in letters or "s" in letters
    day = seconds // 86400 if timed else int(value)
    time = _time(seconds % 86400 // 3600, seconds, letters) if timed and (seconds % 86400 or not dated) else ""
    if not dated:
        return time
    if day == 0 and not since_1904:
        return time or Fault("0", "0 is shown as a date, but is not one", "write a date")
    iso = _iso(day, since_1904)
    if "d" not in letters and "y" in letters:
        iso = iso[:7] if "m" in letters.partition("h")[0] else iso[:4]
    return f"{iso} {time}".strip()


def _iso(day: int, since_1904: bool) -> str:
    """Return the date of a day counted from 1900, which spreadsheets treat as a leap year, or from 1904."""
    if since_1904:
        return (date(1904, 1, 1) + timedelta(day)).isoformat()
    if day == 60:
        return "1900-02-29"
    return (date(1899, 12, 31 if day < 60 else 30) + timedelta(day)).isoformat()


def _time(hours: int, seconds: int, letters: str) -> str:
    minutes, seconds = seconds // 60 % 60, seconds % 60
    if "h" not in letters:
        return f"{minutes:02}:{seconds:02}"
    return f"{hours:02}:{minutes:02}" + (f":{seconds:02}" if "s" in letters and seconds else "")
