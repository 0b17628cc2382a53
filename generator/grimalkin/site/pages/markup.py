"""Finish the HTML of pages: summarise a page for lists of search results, and shrink it for publishing.

A page drops the tags that HTML implies, and its wide blocks scroll. Together, these save a tenth of a page full of
lists and tables; a test limits the size of each page."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from typing import Any

from grimalkin.content.texts.typography import apostrophes

LEAST = 40
"""The fewest characters in a meaningful paragraph."""
MOST = 155
"""The most characters that lists of results show."""
_EMPTY = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
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


_TAG = re.compile(r"""<[a-zA-Z/!](?:[^<>"']|"[^"]*"|'[^']*')*>""")
_ANCHOR = re.compile(r"""<[^<>]*?\sid="([^"]*)\"""")


def anchors_of(html: str) -> frozenset[str]:
    """Return the anchors in a page.

    >>> sorted(anchors_of('<p id="owl"><svg><g class="x" id="b"></g></svg> id="none"'))
    ['b', 'owl']
    """
    return frozenset(map(unescape, _ANCHOR.findall(html)))


_UNSAID = {f"/{tag}" for tag in ("li", "td", "th", "tr", "thead", "tbody", "dt", "dd")}
"""End tags that HTML lets a page omit.

https://html.spec.whatwg.org/multipage/syntax.html#optional-tags
"""
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
_ENDS_A_PARAGRAPH = {
    *("p", "ul", "ol", "dl", "div", "details", "article", "section", "table", "pre", *_HEADINGS),
    *("/div", "/details", "/article", "/section", "/main", "/li"),
}
"""Tags before which HTML also lets a page omit the end of a paragraph."""
_BLOCKS = {
    *("p", "ul", "ol", "li", "div", "article", "details", "table", "thead", "tbody", "tr", "td", "th", *_HEADINGS)
}
"""Elements whose tags need no separate line."""
_NO_PROSE = re.compile(
    r"""(<(code|pre|script|style|textarea|kbd|samp)\b.*?</\2>|<!--.*?-->|<(?:[^<>"']|"[^"]*"|'[^']*')*>)""", re.DOTALL
)
"""Tags, comments, and elements whose text stays as it was typed."""
_VOID = {"img", "br", "hr", "input", "col", "wbr"}
"""Void elements of HTML: a slash before the end of their tag is meaningless."""
_SIDES = {"text-align: left;": "", "text-align: center;": ' class="mid"', "text-align: right;": ' class="end"'}
"""Markdown's alignment of a column's cells, and the matching class in the style sheet."""


def lean(html: str) -> str:
    """Return a page ready to publish. Code and tables that are too wide scroll on their own; code takes the focus, so
    that the keys can scroll it.

    >>> lean("<ul>\\n<li><p>one &amp; all</p>\\n</li>\\n</ul><pre>x</pre><table><tr><td>1</td></tr></table>")
    '<ul><li><p>one &amp; all</ul><pre tabindex="0">x</pre><div class="fit"><table><tr><td>1</table></div>'
    """
    page = _Lean()
    page.feed(typographic(html))
    page.close()
    return "".join(page.parts)


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


class _Lean(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.parts = [""]
        self.is_fitted = False
        """Whether we wrapped the last table in a scrolling element; some tables already are inside one."""
        self.is_summary = False
        """Whether we are inside a summary, which may hold headings but no paragraphs."""

    def put(self, tag: str, text: str) -> None:
        """Write a tag; an end tag begins with a slash."""
        if tag.strip("/") in _BLOCKS:
            self.parts[-1] = self.parts[-1].rstrip("\n")
            if not self.parts[-1] and len(self.parts) > 1:
                self.parts.pop()
        if tag in _ENDS_A_PARAGRAPH and self.parts[-1] == "</p>":
            self.parts.pop()
        if tag not in _UNSAID:
            self.parts.append(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.is_summary |= tag == "summary"
        if tag == "p" and self.is_summary:
            self.put("span", "<span" + (self.get_starttag_text() or "").removeprefix("<p"))
            return
        if tag == "table":
            before = next((part for part in reversed(self.parts) if part.strip()), "")
            self.is_fitted = not before.startswith('<div class="scroll')
            if self.is_fitted:
                self.put("div", '<div class="fit">')
        text = self.get_starttag_text() or ""
        if tag == "pre" and not attrs:
            text = '<pre tabindex="0">'
        elif tag in ("td", "th") and len(attrs) == 1 and attrs[0][0] == "style" and attrs[0][1] in _SIDES:
            text = f"<{tag}{_SIDES[attrs[0][1]]}>"
        self.put(tag, text)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        text = self.get_starttag_text() or ""
        self.parts.append(text.removesuffix("/>").rstrip() + ">" if tag in _VOID else text)

    def handle_endtag(self, tag: str) -> None:
        self.is_summary &= tag != "summary"
        if tag == "p" and self.is_summary:
            tag = "span"
        self.put(f"/{tag}", f"</{tag}>")
        if tag == "table" and self.is_fitted:
            self.put("/div", "</div>")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    def handle_entityref(self, name: str) -> None:
        self.parts.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.parts.append(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        self.parts.append(f"<!{decl}>")
