"""A Game with its Traces in, Pages out, and Pages in, a site out.

`pages` is a pure function: the path of every page and picture, with its Markdown or its bytes. `build_site` hands them
to mkdocs with our own theme. Nothing here knows one game from another.
"""

from grimalkin.pages.navigation import navigation
from grimalkin.pages.shown import Shown
from grimalkin.pages.site import build_site
from grimalkin.pages.write import home, law_pages, pages

__all__ = ["Shown", "build_site", "home", "law_pages", "navigation", "pages"]
