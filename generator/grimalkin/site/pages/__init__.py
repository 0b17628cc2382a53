"""Turn a game and its traces into pages, and pages into a site.

`pages` is a pure function: it returns every page as Markdown and every picture as bytes, by path. `render` turns the
Markdown into HTML, and `build_site` hands that to mkdocs with our theme. Nothing here depends on a particular game.
"""

from grimalkin.site.pages.addresses import ADDRESSES
from grimalkin.site.pages.navigation import navigation
from grimalkin.site.pages.rendered import Content, Rendered, render
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.site import build_guide, build_site
from grimalkin.site.pages.write import home, law_pages, pages

__all__ = [
    "ADDRESSES",
    "Content",
    "Rendered",
    "Shown",
    "build_guide",
    "build_site",
    "home",
    "law_pages",
    "navigation",
    "pages",
    "render",
]
