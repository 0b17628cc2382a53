"""Make strangers' text safe for terminals and spreadsheets, and its names safe for any disk."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence


def visible(text: str, lines: bool = False) -> str:
    """Return text on one line, with control characters escaped; with `lines`, line ends and tabs stay.

    A terminal obeys a title as readily as it obeys us: `\\x1b]0;...` renames its window, `\\x1b[2J` wipes it, and
    characters for writing direction reverse what follows. The escapes are those of JSON wherever JSON allows the
    character unescaped, so that JSON stays JSON.

    >>> print(visible("a\\x1b[2J\\x9b1m\\u202eb\\nc"))
    a\\x1b[2J\\u009b1m\\u202eb\\nc
    """
    return text.translate(_CONTROLS_IN_LINES if lines else _CONTROLS)


_CONTROLS = {code: repr(chr(code))[1:-1] for code in range(32)} | {
    code: f"\\u{code:04x}"
    for code in (*range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A), *range(0xD800, 0xE000))
}
"""C0, DEL and C1; Unicode's line and paragraph ends; signs that override or isolate the direction of writing; and lone
surrogates, which no file can hold."""
_CONTROLS_IN_LINES = {code: shown for code, shown in _CONTROLS.items() if chr(code) not in "\n\t"}


def plural(count: int, noun: str) -> str:
    """Return a number and its noun.

    >>> plural(1, "piece"), plural(2_000, "piece")
    ('1 piece', '2,000 pieces')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def how_many(count: int, noun: str) -> str:
    """Return a number and its noun, without a comma in the number, as in orders and lists of files."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def signed(number: int) -> str:
    """Return a number with its sign; 0 has none.

    >>> signed(2), signed(-1), signed(0)
    ('+2', '−1', '0')
    """
    return f"{number:+d}".replace("-", "−") if number else "0"


def flow(value: object) -> str:
    """Return a value as it is written on one line, also in YAML.

    >>> flow({"minou": ["roof path", "b: c"], "patch": []}), flow("b: c")
    ('{minou: [roof path, "b: c"], patch: []}', 'b: c')
    """
    return str(value) if not isinstance(value, Mapping | list | tuple) else _flow(value)


def _flow(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_flow, value))}]"
    text = str(value)
    return text if re.fullmatch(r"\w(?:[\w .+-]*\w)?", text) else json.dumps(text, ensure_ascii=False)


def listed(words: Sequence[str], last: str = "and") -> str:
    """Join words as in a sentence; return "" for none.

    >>> listed(["Ada", "Basil", "Cleo"])
    'Ada, Basil and Cleo'
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows with aligned columns: the first to the left, the others to the right.

    >>> columns([["cat", "9"], ["kitten", "10"]])
    ['cat      9', 'kitten  10']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows]


def spans(numbers: Iterable[int]) -> str:
    """Return numbers as a person writes them.

    >>> spans([3, 4, 5, 8, 10, 11])
    '3–5, 8, 10–11'
    """
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if run[1:] else str(run[0]) for run in runs)


def cell(value: object) -> object:
    """Return a value for a table that a spreadsheet opens: text is never a formula, and numbers stay numbers.

    Text that begins like a formula gets an apostrophe, which spreadsheets take for "this is text"
    (https://owasp.org/www-community/attacks/CSV_Injection). So does any part of a text after a character that
    separates cells in countries where commas do not.

    >>> cell("=1+1"), cell("a;@b"), cell("Owl - a bird"), cell("-1.5"), cell(-2)
    ("'=1+1", "a;'@b", 'Owl - a bird', '-1.5', -2)
    """
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return value
    return _FORMULA.sub("'", value)


_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", re.ASCII)
_FORMULA = re.compile(r"(?:^|(?<=[;\t\r\n]))(?=[=+\-@\t\r＝＋－＠])")
"""The place before a character that begins a formula. Some spreadsheets also accept its full-width form."""


def fault_of_name(name: str) -> str:
    """Return why some file systems refuse this file name; "" if none do.

    https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file has the Windows rules. Most file systems allow
    255 bytes; names that we make from this one are longer.

    >>> fault_of_name("nul.yaml"), fault_of_name("a:b.yaml"), fault_of_name("nulls.yaml")
    ('Windows keeps this name for itself', 'Windows has no ":" in names', '')
    """
    sign = re.search(r'[<>:"/\\|?*\0-\x1f]', name)
    if sign:
        return f'Windows has no "{sign[0]}" in names'
    if _DEVICE.fullmatch(name.partition(".")[0].rstrip(" ")):
        return "Windows keeps this name for itself"
    if name.endswith((".", " ")):
        return "Windows drops dots and spaces at the end of a name"
    if len(os.fsencode(name)) > LONGEST_NAME:
        return f"it has more than {LONGEST_NAME} bytes"
    return ""


ID = re.compile("[A-Za-z0-9]+(-[A-Za-z0-9]+)*")
"""The form of ids: letters, digits and single hyphens."""
SMALL_ID = re.compile("[a-z0-9]+(-[a-z0-9]+)*")
"""The form of lower-case ids, for games and everything else that names a folder on the site."""
LONGEST_ID = 60


def id_from(text: str) -> str:
    """Make a lower-case id from a text; return "" if it has no Latin letters or digits.

    >>> id_from("Éclair! (large)"), id_from("designer's note"), id_from("gull no. 2"), id_from("???")
    ('eclair-large', 'designers-note', 'gull-no-2', '')
    """
    plain = unicodedata.normalize("NFKD", text.casefold().replace("'", "").replace("’", ""))
    letters = "".join(char for char in plain if not unicodedata.combining(char))
    return re.sub("[^a-z0-9]+", "-", letters)[:LONGEST_ID].strip("-")


def is_name_of_game(name: str) -> bool:
    """Return whether the folder of a game may have this name."""
    return len(name) <= LONGEST_ID and SMALL_ID.fullmatch(name) is not None


LONGEST_NAME = 120
_DEVICE = re.compile("con|prn|aux|nul|(com|lpt)[0-9¹²³]", re.IGNORECASE)


MOST_ACCENTS = 50
"""The most accents on one letter. Unicode advises 30 (UAX 15, section 13); sorting them takes quadratic time."""


def find_overloaded(text: str) -> int | None:
    """Return where the first run of too many accents on a letter begins, in a text before normalisation.

    >>> find_overloaded("a" + MOST_ACCENTS * chr(0x301)), find_overloaded("ab" + (MOST_ACCENTS + 1) * chr(0x301))
    (None, 2)
    """
    for run in () if text.isascii() else _LONG_BEYOND_ASCII.finditer(text):
        count = 0
        for at, sign in enumerate(run[0], run.start()):
            count = count + 1 if unicodedata.combining(sign) else 0
            if count > MOST_ACCENTS:
                return at - count + 1
    return None


_LONG_BEYOND_ASCII = re.compile(rf"(?<![^\x00-\x7f])[^\x00-\x7f]{{{MOST_ACCENTS + 1},}}+")


def folded(name: str) -> str:
    """Return the same text for all names that some file system treats as the same.

    Windows and macOS ignore capitals, and macOS does not distinguish an accented letter from a letter and an accent.

    >>> folded("Kätzchen") == folded("ka\\u0308tzchen")
    True
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
