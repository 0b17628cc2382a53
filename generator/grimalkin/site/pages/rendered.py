"""Turn the Markdown of a game's pages into HTML, in the process that wrote them. mkdocs adds navigation and theme.

Only pages whose links all stay within the game and lead somewhere are rendered here. mkdocs renders the others, and
complains about broken links.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit, urlunsplit

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import AMP_SUBSTITUTE
from mkdocs.structure.files import File
from mkdocs.structure.toc import TableOfContents, get_toc
from mkdocs.utils import get_relative_url
from mkdocs.utils.meta import get_data

from grimalkin.site.pages.markup import anchors_of
from grimalkin.source.reuse import Reuse, key_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

EXTENSIONS: Final = ("toc", "tables", "fenced_code", "attr_list", "md_in_html", "sane_lists")
"""The extensions of Markdown in all pages, hand-written ones included."""
SETTINGS: Final = {"toc": {"toc_depth": "2-3"}}


@dataclass(frozen=True)
class Rendered:
    """A page without the theme around it."""

    meta: Mapping[str, Any]
    """Its front matter."""
    html: str
    contents: TableOfContents
    anchors: frozenset[str]


def render(
    pages: Mapping[str, str | bytes | Rendered], reuse: Reuse | None = None
) -> dict[str, str | bytes | Rendered]:
    """Render the pages of a game, by path. Other files, and pages that are rendered already, stay as they are.

    `reuse` knows the pages that an earlier build rendered.
    """
    reuse = reuse or Reuse()
    markdown = Markdown(extensions=list(EXTENSIONS), extension_configs=SETTINGS)
    links = _Links()
    markdown.treeprocessors.register(links, "links", 0)
    made: dict[str, Rendered] = {}
    leads: dict[str, list[list[str]]] = {}
    for path, text in pages.items():
        if path.endswith(".md") and isinstance(text, str):
            key = key_of("page", path, text)
            found = reuse.find(key)
            if found is None:
                body, meta = get_data(text)
                links.begin(path)
                html = markdown.reset().convert(body)
                tokens = markdown.toc_tokens  # type: ignore[attr-defined]
                found = {"meta": meta, "html": html, "toc": tokens, "anchors": sorted(anchors_of(html))}
                found |= {"links": sorted(map(list, links.leads))}
                reuse.note(key, found)
            if all(to in pages for to, _ in found["links"]):
                contents, anchors = get_toc(found["toc"]), frozenset(found["anchors"])
                made[path] = Rendered(found["meta"], found["html"], contents, anchors)
                leads[path] = found["links"]
    sound = {
        path: page
        for path, page in made.items()
        if all(to not in made or not anchor or anchor in made[to].anchors for to, anchor in leads[path])
    }
    return {**pages, **sound}


class _Links(Treeprocessor):
    """Turns paths of Markdown files into addresses of pages, as mkdocs does."""

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
        return urlunsplit(("", "", get_relative_url(_url(to), _url(self.path)), query, anchor)) if path else link


def _url(path: str) -> str:
    url: str = File(path, None, "", use_directory_urls=False).url
    return url
