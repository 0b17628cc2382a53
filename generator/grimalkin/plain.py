"""Text of strangers in, text out that a foreign reader shows and does not obey: a terminal, a spreadsheet."""

from __future__ import annotations

import re


def visible(text: str, lines: bool = False) -> str:
    """Text with its control characters written out, and on one line; with `lines`, ends of lines and tabs stay.

    A terminal obeys what stands in a title as well as what we mean: `\\x1b]0;...` renames its window, `\\x1b[2J` wipes
    it, and the signs for the direction of writing turn what follows around. The escapes are those of JSON where JSON
    lets the character stand, so that JSON stays JSON.

    >>> print(visible("a\\x1b[2J\\x9b1m\\u202eb\\nc"))
    a\\x1b[2J\\u009b1m\\u202eb\\nc
    """
    return text.translate(_CONTROLS_IN_LINES if lines else _CONTROLS)


_CONTROLS = {code: repr(chr(code))[1:-1] for code in range(32)} | {
    code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A))
}
"""C0, DEL and C1, ends of lines and paragraphs of Unicode, and what overrides or isolates the direction of writing."""
_CONTROLS_IN_LINES = {code: shown for code, shown in _CONTROLS.items() if chr(code) not in "\n\t"}


def cell(value: object) -> object:
    """A value for a table that a spreadsheet opens: text is never a formula, and numbers stay numbers.

    What begins like a formula gets an apostrophe, which spreadsheets take for "this is text"
    (https://owasp.org/www-community/attacks/CSV_Injection); also within a text, after what parts cells in countries
    where the comma does not.

    >>> cell("=1+1"), cell("a;@b"), cell("Owl - a bird"), cell("-1.5"), cell(-2)
    ("'=1+1", "a;'@b", 'Owl - a bird', '-1.5', -2)
    """
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return value
    return _FORMULA.sub("'", value)


_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", re.ASCII)
_FORMULA = re.compile(r"(?:^|(?<=[;\t\r\n]))(?=[=+\-@\t\r＝＋－＠])")
"""The place before a sign that begins a formula. Some spreadsheets read its wide form too."""
