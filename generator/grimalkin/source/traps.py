"""Explain what is wrong with a text, and how to mend it: common mistakes in YAML and CSV, files of other kinds."""

from __future__ import annotations

import re
from typing import Any

import yaml

_FORMATS = (
    (b"%PDF-", "a PDF"),
    (b"\xd0\xcf\x11\xe0", "a document from an old version of Office (.xls or .doc)"),
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"\x1f\x8b", "a compressed file (gzip)"),
    (b"{\\rtf", "a formatted document (.rtf)"),
    (b"\xff\xfe\0\0", "text in UTF-32"),
    (b"\xff\xfe", "text in UTF-16"),
    (b"\xfe\xff", "text in UTF-16"),
)
_ARCHIVES = (
    (b"xl/", "an Excel workbook (.xlsx)"),
    (b"opendocument.spreadsheet", "a LibreOffice spreadsheet (.ods)"),
    (b"opendocument.text", "a LibreOffice document (.odt)"),
    (b"word/", "a Word document (.docx)"),
    (b".iwa", "a Numbers or Pages document"),
    (b"", "a ZIP archive"),
)
MOST_LOOKED_AT = 200_000
"""The number of bytes, at both ends of an archive, that are searched for the names of its parts."""


def format_of(data: bytes) -> str:
    """Return what kind of file this is, if it is not UTF-8 text; "" if unknown."""
    if data.startswith(b"PK\x03\x04"):
        ends = data[:MOST_LOOKED_AT] + data[-MOST_LOOKED_AT:]
        return next(what for sign, what in _ARCHIVES if sign in ends)
    known = next((what for sign, what in _FORMATS if data.startswith(sign)), "")
    start = data[:200]
    if not known and len(start) > 3 and start.count(0) * 3 > len(start):  # every second byte of UTF-16, or more
        return "text in UTF-16"
    return known


def how_to_save(path: str) -> str:
    """Return a hint on how to save a file of another kind so that it can be read."""
    return "save it as CSV, UTF-8" if path.lower().endswith(".csv") else "save it as plain text, UTF-8"


# YAML

_BEGINS = re.compile(r"\s*(?:- +)*(?:[\w-]+: +)?(?=([*&!@`%|>?]|- ))")
_COMMENT = re.compile(r"[\s{\[,]#\w")
_NO_SPACE = re.compile(r"\s*(?:- +)?[\w-]+:[^\s:/]")
_EQUALS = re.compile(r"\s*(?:- +)?[\w-]+ *=")
_HYPHEN = re.compile(r"\s*-[^\s-]")


def yaml_trap(error: yaml.MarkedYAMLError, text: str, last: Any) -> tuple[int, str]:
    """Return the line, from 0, where YAML went wrong, and what to do; `last` is the event before."""
    lines = text.split("\n")
    problem, context = error.problem or "", error.context or ""
    mark = error.problem_mark or error.context_mark
    at = min(mark.line, len(lines) - 1) if mark else 0
    begin = min(error.context_mark.line, len(lines) - 1) if error.context_mark else at
    before = next((number for number in range(at - 1, max(-1, at - 50), -1) if lines[number].strip()), at)
    if "escape" in problem:
        return at, "in double quotes, write a backslash twice; single quotes leave it as it is"
    if "quoted scalar" in context:
        return begin, "close the quote that opens here"
    is_text, is_end = isinstance(last, yaml.ScalarEvent), isinstance(last, yaml.CollectionEndEvent)
    if is_text and last.style in ('"', "'") and last.end_mark.line == at:
        if last.start_mark.line < at:
            return last.start_mark.line, f"close the quote that opens here; it only ends in line {at + 1}"
        other = {'"': "'", "'": '"'}[last.style]
        return (
            at,
            f"put text with {last.style} in it between {other} and {other}, or write {_TWICE[last.style]} inside it",
        )
    for number in dict.fromkeys((at, before, begin)):
        hint = _line_trap(lines[number], "," in problem)
        if hint:
            return number, hint
    written = lines[at]
    if "flow node" in context and isinstance(last, yaml.CollectionStartEvent):
        return last.start_mark.line if last.start_mark else at, _CLOSE
    if "',' or" in problem:
        count = sum(written.count(sign) for sign in "[{") - sum(written.count(sign) for sign in "]}")
        return (at, "a bracket or brace that was never opened closes here") if count < 0 else (begin, _CLOSE)
    if is_end and written[: last.end_mark.column].endswith(("]", "}")):
        return at, "put quotes around text that begins with a bracket or a brace"
    found = _BEGINS.match(written)
    if found and (found[1] not in ("|", ">") or "line break" in problem):
        return at, f"put quotes around text that begins with {found[1].strip()}"
    if "mapping values" in problem:
        return at, "put quotes around text that has a colon in it"
    return at, "begin lines that belong together in the same column"


_TWICE = {'"': '\\"', "'": "''"}
_CLOSE = "close the bracket or brace that opens here"


def _line_trap(line: str, in_brackets: bool) -> str:
    """Return a hint if a line contains something that is seldom intended; otherwise ""."""
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return "indent with spaces, not tabs"
    if in_brackets and _COMMENT.search(line):
        return "# begins a comment; put quotes around text that begins with it"
    if _NO_SPACE.match(line):
        return "put a space after the colon"
    if _HYPHEN.match(line) and not line.startswith("---"):
        return "put a space after the hyphen"
    return "write key: value" if _EQUALS.match(line) else ""


# CSV

_OTHERS = {"[": "JSON", "{": "JSON", "<": "HTML or XML", "|": "a Markdown table", "-": "YAML"}


def other_trap(text: str) -> tuple[str, str] | None:
    """Return a message and a hint if the first character shows that a text is not a table."""
    first = text.lstrip()[:1]
    return (f"this is {_OTHERS[first]}, not CSV", "save the table as CSV, with commas") if first in _OTHERS else None


def cell_trap(text: str, line: int, delimiter: str = ",", quote: str = '"') -> tuple[int, str, str]:
    """Return the line of the unreadable cell in a row that begins at `line`, what is wrong with it, and a hint."""
    ends_at, within = re.escape(delimiter), f"(?:[^{quote}]|{quote}{quote})*+"
    cell_of = re.compile(rf" *{quote}{within}{quote}(?=[{ends_at}\n]|\Z)|(?! *{quote})[^{ends_at}\n]*+")
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
    longest, where = 0, at
    while True:
        cell = cell_of.match(text, at)
        if cell is None:
            break
        if len(cell[0]) > longest:
            longest, where = len(cell[0]), at
        at = cell.end() + 1
        if text[cell.end() : at] != delimiter:
            return text.count("\n", 0, where) + 1, f"a cell has {longest:,} characters", ""
    opens = text.count("\n", 0, at) + 1
    closed = re.compile(f" *{quote}{within}{quote}").match(text, at)
    if closed is None:
        return opens, "a quote opens here and never closes", "close it at the end of the cell"
    ends = text.count("\n", 0, closed.end()) + 1
    if ends == opens:
        hint = f"inside the text of a cell, write a quote as {2 * quote}"
        return opens, "text follows a quote that closes a cell", hint
    return opens, f"a quote opens here and only closes in line {ends}", "close it at the end of the cell"
