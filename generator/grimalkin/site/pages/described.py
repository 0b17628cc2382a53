"""Summarise a page for lists of search results: its first meaningful paragraph, on one line."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

LEAST = 40
"""Fewest characters in a meaningful paragraph."""
MOST = 155
"""Most characters that lists of results show."""
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_UNREAD = {"details", "svg", "figure", "table", "pre", "nav", "form", "script", "style"}
"""Elements to skip: folded, drawn or meant for machines."""


def description(html: str, title: str) -> str:
    """Return the first meaningful paragraph, cut at a word; if there is none, the title followed by as much other
    text as fits.

    >>> description("<h1>Coins</h1><p>Yes.<p>Every coin is a <a href='#k'>kitten</a> that prowls by night.", "Coins")
    'Every coin is a kitten that prowls by night.'
    """
    page = _Paragraphs()
    for part in re.split("(?<=</p>)", html):
        page.feed(part)
        if page.told:  # the rest, which is nearly the entire page, is not needed
            break
    else:
        page.close()
        page.end()
    found = page.told or " ".join([f"{title}:", *filter(None, map(_line, page.said))])
    return _cut(found.removesuffix(":"))


def _line(text: str) -> str:
    return " ".join(text.split())


def _cut(text: str) -> str:
    """
    >>> _cut("one two " * 30)[-9:]
    'one two …'
    """
    if len(text) <= MOST:
        return text.strip()
    return text[: text.rfind(" ", 0, MOST - 1)].rstrip(" ,;:.–") + " …"


class _Paragraphs(HTMLParser):
    """Collects the text of paragraphs; each ends where the next block element begins."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.told = ""
        """The first meaningful paragraph."""
        self.is_open = False
        self.unread: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if self.unread:
            if tag not in _VOID:
                self.unread.append(tag)
        elif tag in _UNREAD:
            self.unread.append(tag)
        elif tag == "p":
            self.end()
            self.said.append("")
            self.is_open = True
        elif tag == "br" and self.is_open:
            self.said[-1] += " "

    def handle_endtag(self, tag: str) -> None:
        if self.unread and tag in self.unread:
            del self.unread[len(self.unread) - 1 - self.unread[::-1].index(tag) :]
        elif tag == "p":
            self.end()

    def end(self) -> None:
        """End the current paragraph."""
        if self.is_open and not self.told and len(line := _line(self.said[-1])) >= LEAST:
            self.told = line
        self.is_open = False

    def handle_data(self, data: str) -> None:
        if self.is_open and not self.unread:
            self.said[-1] += data
