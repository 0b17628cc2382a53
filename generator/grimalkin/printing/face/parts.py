"""Split a rendered template into the texts of its children without parsing it, which is several times faster.

Only plain markup is split. A wrongly split piece is not XML on its own, so parsing it reveals the mistake.
"""

from __future__ import annotations

import re

from lxml import etree

from grimalkin.printing.face.subset import SVG
from grimalkin.printing.face.xml import PARSER, Element

_BEGIN = f'<svg xmlns="{SVG}">'
_OPEN = re.compile(r"""<([a-zA-Z]++)(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+>""")
_FLAT = re.compile(r"""<([a-zA-Z]++)(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+(?:(?<=/)>|>[^<]*+</\1>)\s*+""")
"""An element that contains only text, and the spaces after it, as most elements are."""
_BLANKS = re.compile(r"\s*+")
_END = re.compile(r"</svg>\s*+\Z")
_NAME = re.compile(r"<[a-zA-Z]++")
_SPACE = f' xmlns="{SVG}"'


def parted(text: str) -> list[str] | None:
    """Return the texts of a rendered template's children; None if it contains anything else.

    >>> parted('<svg xmlns="http://www.w3.org/2000/svg"><g><g/></g> <rect x="1"/> </svg>')
    ['<g><g/></g>', '<rect x="1"/> ']
    """
    at = _behind_blanks(text, 0)
    if not text.startswith(_BEGIN, at):
        return None
    children: list[str] = []
    at = _behind_blanks(text, at + len(_BEGIN))
    while True:
        for flat in _FLAT.finditer(text, at):
            if flat.start() != at:
                break
            children.append(flat[0])
            at = flat.end()
        opened = _OPEN.match(text, at)
        if not opened:
            break
        end = opened.end() if text[opened.end() - 2] == "/" else _end_of(text, opened[1], opened.end())
        if end < 0:
            return None
        children.append(text[at:end])
        at = _behind_blanks(text, end)
    return children if _END.match(text, at) else None


def _behind_blanks(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at) if text[at : at + 1].isspace() else None
    return blanks.end() if blanks else at


def _end_of(text: str, tag: str, at: int) -> int:
    """Return the end of an element that has begun; -1 if it has none."""
    begin, close = f"<{tag}", f"</{tag}>"
    depth = 1
    while True:
        end = text.find(close, at)
        if end < 0:
            return -1
        inner = text.find(begin, at, end)
        if inner < 0:
            depth, at = depth - 1, end + len(close)
            if not depth:
                return at
            continue
        opened = _OPEN.match(text, inner)
        if not opened:
            return -1
        at = opened.end()
        if opened[1] == tag and text[at - 2] != "/":
            depth += 1


def alone(source: str) -> Element | None:
    """Return one element in its own document; None if the text is anything else."""
    name = _NAME.match(source)
    if name and not source.startswith(_SPACE, name.end()):
        source = source[: name.end()] + _SPACE + source[name.end() :]
    try:
        return etree.fromstring(source.encode(), PARSER)
    except (etree.XMLSyntaxError, UnicodeEncodeError):
        return None
