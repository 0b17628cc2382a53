"""Finish the HTML of pages: summarise a page for lists of search results, and shrink it for publishing.

A page drops the tags that HTML implies, and its wide blocks scroll. Together, these save a tenth of a page full of
lists and tables; a test limits the size of each page."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import unescape
from html.parser import HTMLParser
from typing import Any, Final

from grimalkin.content.texts.typography import apostrophes

LEAST = 40
"""The fewest characters in a meaningful paragraph."""
MOST = 155
"""The most characters that lists of results show."""
_EMPTY = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_UNREAD = {"details", "svg", "figure", "table", "pre", "nav", "form", "script", "style"}
"""Elements to skip: folded, drawn or meant for machines."""


def opening(html: str) -> list[str]:
    """Return the first meaningful paragraph, and if there is none, all other text in paragraphs.

    >>> opening("<h1>Coins</h1><p>Yes.<p>Every coin is a <a href='#k'>kitten</a> that prowls by night.")
    ['Every coin is a kitten that prowls by night.', '']
    >>> opening("<p>Yes.</p><p>No.</p>")
    ['', 'Yes. No.']
    """
    page = _Paragraphs()
    for part in re.split("(?<=</p>)", html):
        page.feed(part)
        if page.told:  # the rest, which is nearly the entire page, is not needed
            return [page.told, ""]
    page.close()
    page.end()
    return [page.told, "" if page.told else " ".join(filter(None, map(_line, page.said)))]


def description(title: str, paragraph: str, rest: str) -> str:
    """Return the opening of a page, cut at a word; without a meaningful paragraph, it begins with the title."""
    return _cut((paragraph or f"{title}: {rest}".strip()).removesuffix(":"))


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
            if tag not in _EMPTY:
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


_INSIDE = r"""(?:[^<>"']|"[^"]*"|'[^']*')*"""
_TAG = re.compile(rf"<[a-zA-Z/!]{_INSIDE}>")
_ANCHOR = re.compile(r"""<[^<>]*?\sid="([^"]*)\"""")
_HEADING = re.compile(rf"<h[1-6]\b({_INSIDE})>.*?</h[1-6]>", re.DOTALL)


def anchors_of(html: str) -> list[str]:
    """Return the anchors in a page.

    >>> anchors_of('<p id="owl"><svg><g class="x" id="b"></g></svg> id="none"')
    ['owl', 'b']
    """
    return [unescape(anchor) for anchor in _ANCHOR.findall(html)]


def text_of(html: str) -> str:
    """Return the text of a page, in which every tag is a blank.

    >>> text_of("<p>An owl’s&nbsp;<b>wing</b>")
    ' An owl’s\\xa0 wing '
    """
    return unescape(_TAG.sub(" ", html))


def texts_below(html: str) -> list[tuple[str, str]]:
    """Return the anchor of each heading that has one, and the text below it, up to the next heading.

    >>> texts_below('<p>Yes.</p><h2 id="owl">Owls</h2><p>Owls hoot.</p><h3>Mice</h3>Mice hide.')
    [('owl', ' Owls hoot. ')]
    """
    parts = _HEADING.split(html)
    return [
        (unescape(anchor[1]), text_of(below))
        for heading, below in zip(parts[1::2], parts[2::2], strict=True)
        if (anchor := re.search(r'\bid="([^"]*)"', heading))
    ]


_NO_PROSE = re.compile(rf"(<(code|pre|script|style|textarea|kbd|samp)\b.*?</\2>|<!--.*?-->|<{_INSIDE}>)", re.DOTALL)
"""Tags, comments, and elements whose text stays as it was typed."""
_SCRIPT = re.compile(r"(<(script|style)\b.*?</\2>)", re.DOTALL)
_SIDES = {"left": "", "center": ' class="mid"', "right": ' class="end"'}
"""Markdown's alignment of a column's cells, and the matching class in the style sheet."""
_BLOCKS = "(?:p|[uo]l|li|div|article|details|table|thead|tbody|t[rdh]|h[1-6])"
"""Elements whose tags need no separate line."""
_UNSAID = "</(?:li|t[dhr]|thead|tbody|d[td])>"
"""End tags that HTML lets a page omit.

https://html.spec.whatwg.org/multipage/syntax.html#optional-tags
"""
_ENDS_A_PARAGRAPH = (
    "<(?:p|[uod]l|div|details|article|section|table|pre|h[1-6]|/(?:div|details|article|section|main|li))"
)
"""Tags before which HTML also lets a page omit the end of a paragraph."""
_CHANGES: Final[Sequence[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]]] = (
    (re.compile("<!--.*?-->", re.DOTALL), lambda _: ""),
    # a summary may hold headings but no paragraphs
    (re.compile(r"<summary\b.*?</summary>", re.DOTALL), lambda found: re.sub(r"(</?)p\b", r"\1span", found[0])),
    # some tables already are inside a scrolling element
    (
        re.compile(r'<(?:div class="scroll[^>]*>\s*<)?table\b.*?</table>', re.DOTALL),
        lambda found: found[0] if found[0].startswith("<div") else f'<div class="fit">{found[0]}</div>',
    ),
    (re.compile("<pre>"), lambda _: '<pre tabindex="0">'),
    (
        re.compile(r'<(t[dh]) style="text-align: (left|center|right);">'),
        lambda found: f"<{found[1]}{_SIDES[found[2]]}>",
    ),
    # void elements, in which a slash before the end of the tag is meaningless
    (re.compile(rf"(<(?:img|[bh]r|input|col|wbr)\b{_INSIDE}?)\s*/>", re.DOTALL), lambda found: f"{found[1]}>"),
    (re.compile(rf"\n+(?=</?{_BLOCKS}\b)"), lambda _: ""),
    (re.compile(rf"</p>(?=(?:{_UNSAID})*{_ENDS_A_PARAGRAPH}\b)"), lambda _: ""),
    (re.compile(rf"{_UNSAID}"), lambda _: ""),
)
"""What makes a page lean, in this order: the tags or blanks to replace, and their replacement."""


def lean(html: str) -> str:
    """Return a page ready to publish. Code and tables that are too wide scroll on their own; code takes the focus, so
    that the keys can scroll it.

    >>> lean("<ul>\\n<li><p>one &amp; all</p>\\n</li>\\n</ul><pre>x</pre><table><tr><td>1</td></tr></table>")
    '<ul><li><p>one &amp; all</ul><pre tabindex="0">x</pre><div class="fit"><table><tr><td>1</table></div>'
    """
    parts = _SCRIPT.split(typographic(html))
    parts[2::3] = [""] * len(parts[2::3])
    for number, part in enumerate(parts[::3]):
        for pattern, change in _CHANGES:
            part = pattern.sub(change, part)
        parts[3 * number] = part
    return "".join(parts)


def typographic(html: str) -> str:
    """Return a page with typographic apostrophes in its text, except in code.

    >>> typographic("<p title='a'>The cat&#39;s <b>paw</b>. <code>it's</code>")
    "<p title='a'>The cat’s <b>paw</b>. <code>it's</code>"
    """
    parts = _NO_PROSE.split(html)
    parts[::3] = [
        apostrophes(text.replace("&#39;", "'")) if "'" in text or "&#39;" in text else text for text in parts[::3]
    ]
    parts[2::3] = [""] * len(parts[2::3])
    return "".join(parts)
