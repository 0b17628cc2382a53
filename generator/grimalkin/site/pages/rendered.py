"""Turn the Markdown of a game's pages into HTML, in the process that wrote them. mkdocs adds navigation and theme.

Only pages whose links all stay within the game and lead somewhere are rendered here. mkdocs renders the others, and
complains about broken links.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit, urlunsplit

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import AMP_SUBSTITUTE, AtomicString
from mkdocs.structure.files import File
from mkdocs.structure.toc import AnchorLink, TableOfContents, get_toc
from mkdocs.utils import get_relative_url
from mkdocs.utils.meta import get_data

from grimalkin.site.pages.markup import anchors_of, lean, opening, text_of, texts_below
from grimalkin.source.reuse import Reuse, key_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

EXTENSIONS: Final = ("toc", "tables", "fenced_code", "attr_list", "md_in_html", "sane_lists")
"""The extensions of Markdown in all pages, hand-written ones included."""
SETTINGS: Final = {"toc": {"toc_depth": "2-3", "marker": ""}}
"""Without a marker, no page is searched for the place of a table of contents."""
_UNUSED: Final = ("reference", "image_reference", "short_reference", "short_image_ref")
"""Markdown that pages of games never use: links with their address elsewhere on the page."""


@dataclass(frozen=True)
class Rendered:
    """A page without the theme around it, as plain data."""

    meta: Mapping[str, Any]
    """Its front matter."""
    html: str | Path
    """Its HTML, ready to publish, or the file that it is in."""
    anchors: Sequence[str]
    opening: Sequence[str]
    """Its first meaningful paragraph or else its text, for its description."""
    texts: Sequence[Sequence[str]]
    """For the search: anchor, title and text of each part with an anchor."""
    text: str
    """For the search: the whole text, if there are no such parts."""
    letters: str
    """Every character on it, for the fonts."""
    contents: Sequence[Any] = ()
    """Its headings, as Markdown lists them."""
    links: Sequence[Sequence[str]] = ()
    """The files that it links to, each with the anchor in it, if any."""

    def published(self) -> str:
        """Return its HTML."""
        return self.html if isinstance(self.html, str) else self.html.read_bytes().decode()


Content = str | bytes | Rendered | Path
"""What a path of the site leads to: Markdown or another text, data, a rendered page, or a file to be moved there."""


def render(pages: Mapping[str, Content], reuse: Reuse | None = None) -> dict[str, Content]:
    """Render the pages of a game, by path. Other files, and pages that are rendered already, stay as they are.

    `reuse` knows the pages that an earlier build rendered.
    """
    reuse = reuse or Reuse()
    links = _Links()
    markdown = _markdown(links)
    made: dict[str, Rendered] = {}
    for path, text in pages.items():
        if path.endswith(".md") and isinstance(text, str):
            key = key_of("page", path, text)
            found = reuse.find(key)
            if found is None:
                body, meta = get_data(text)
                links.begin(path)
                html = markdown.reset().convert(body)
                tokens = markdown.toc_tokens  # type: ignore[attr-defined]
                page = finished(meta, html, get_toc(tokens))
                found = {**vars(page), "contents": tokens, "links": sorted(map(list, links.leads))}
                reuse.note(key, found)
            made[path] = Rendered(**found)
    anchors = {path: set(page.anchors) for path, page in made.items()}
    sound = {
        path: page
        for path, page in made.items()
        if all(to in pages and (not anchor or to not in anchors or anchor in anchors[to]) for to, anchor in page.links)
    }
    return {**pages, **sound}


def _markdown(links: _Links) -> Markdown:
    markdown = Markdown(extensions=list(EXTENSIONS), extension_configs=SETTINGS)
    markdown.treeprocessors.register(links, "links", 0)
    markdown.treeprocessors.register(_Plain(), "plain", 21)  # immediately before "inline"
    markdown.block_level_elements = set(markdown.block_level_elements)  # type: ignore[assignment]
    markdown.parser.blockprocessors.deregister("reference")
    for name in _UNUSED:
        markdown.inlinePatterns.deregister(name)
    return markdown


def finished(meta: Mapping[str, Any], html: str, contents: TableOfContents) -> Rendered:
    """Return a page from the HTML that Markdown made."""
    titles = {link.id: link.title for link in _all(contents)}
    texts = [[anchor, titles[anchor], text] for anchor, text in texts_below(html) if anchor in titles]
    published = lean(html)
    letters = "".join(sorted(set(unescape(published))))
    return Rendered(meta, published, anchors_of(html), opening(html), texts, "" if texts else text_of(html), letters)


def _all(contents: Iterable[AnchorLink]) -> Iterator[AnchorLink]:
    for link in contents:
        yield link
        yield from _all(link.children)


_MARKED: Final = re.compile(r"[`\\\[<&*_\x02]|  \n")
"""What any Markdown within a line begins with."""


class _Plain(Treeprocessor):
    """Marks texts without Markdown, so that they are not searched for each kind of it."""

    def run(self, root: Element) -> None:
        for element in root.iter():
            if element.text and not _MARKED.search(element.text):
                element.text = AtomicString(element.text)
            if element.tail and not _MARKED.search(element.tail):
                element.tail = AtomicString(element.tail)


class _Links(Treeprocessor):
    """Turns paths of Markdown files into addresses of pages, as mkdocs does."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: dict[str, str] = {}

    def begin(self, path: str) -> None:
        """Begin a page."""
        self.path = path
        self.leads: set[tuple[str, str]] = set()
        """The files that the page links to, each with the anchor in it, if any."""
        self.known: dict[str, str] = {}

    def run(self, root: Element) -> None:
        for element in root.iter():
            key = {"a": "href", "img": "src"}.get(element.tag)
            if key:
                link = element.get(key, "")
                if link not in self.known:
                    self.known[link] = self.address(link)
                element.set(key, self.known[link])

    def address(self, link: str) -> str:
        scheme, host, path, query, anchor = urlsplit(link)
        if scheme or host or AMP_SUBSTITUTE in link:
            return link
        to = posixpath.normpath(posixpath.join(posixpath.dirname(self.path), unquote(path))) if path else self.path
        self.leads.add((to, anchor))
        return (
            urlunsplit(("", "", get_relative_url(self.url(to), self.url(self.path)), query, anchor)) if path else link
        )

    def url(self, path: str) -> str:
        if path not in self.urls:
            self.urls[path] = File(path, None, "", use_directory_urls=False).url
        return self.urls[path]
