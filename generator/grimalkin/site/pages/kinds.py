"""Kinds of pages that parts bring to the site: what a part's module `pages` offers, and its place among ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from grimalkin.floors import brought_to

if TYPE_CHECKING:
    from grimalkin.site.pages.links import Words
    from grimalkin.site.pages.shown import Shown

Menu = list[Any]
"""Entries as mkdocs expects them: {title: page} and {title: [entries]}, with paths in the game's folder."""
Way = tuple[str, str, str]
"""An entry of the overview: question, page and answer."""


class Kind(Protocol):
    """What the module `pages` of a part offers.

    It may also have WORDS: its own words, with those of the menu (`KIND`) and of the overview (`KIND-question`,
    `KIND-answer`), unless templates/pages/words.yaml has them. Instead of one question, `ways` may return several
    entries of the overview. `addresses` may return what has an address of its own, as arguments of an
    `addresses.Address`. If REPEATS is true, its first page repeats content of other pages, which the search finds
    instead. Its templates are in the folder `templates` of its package, or with ours.
    """

    KIND: str
    """Its name: the key of its words."""
    MENU_BEFORE: str
    """The kind that it precedes in the menu."""
    OVERVIEW_BEFORE: str
    """The kind that it precedes on the overview."""

    def begins(self, shown: Shown) -> str:
        """Return the first page; "" if the game has none."""
        ...

    def menu(self, shown: Shown, words: Words) -> Menu:
        """Return its entries of the menu."""
        ...

    def write(self, writer: Any) -> None:
        """Write its pages and files with a `pages.write.Writer`."""
        ...


class Place(NamedTuple):
    """A citation: the id of the citing text, and the step if that is a playthrough; or a title with its page."""

    id: str
    step: int = 0
    page: str = ""


class Citing(Kind, Protocol):
    """A kind of pages that cite rules; `cited-KIND` in its words introduces them."""

    CITES_BEFORE: str
    """The kind of `pages.cited` that its pages precede among a rule's back-links."""

    def cites(self, shown: Shown) -> Iterable[tuple[str, Place]]:
        """Return the id of each rule cited, and where."""
        ...


def listing(title: str, pages: Sequence[tuple[str, str]], alone: str = "") -> Menu:
    """Return an entry with pages below it, each with its title; or one that leads to the page `alone`."""
    return [{title: [{name: path} for name, path in pages] if pages else alone}]


def brought_kinds() -> dict[str, Kind]:
    """Return the kinds of all parts, by name."""
    return {module.KIND: cast("Kind", module) for module in brought_to("pages")}


def citing_kinds() -> list[Citing]:
    """Return the kinds of parts whose pages cite rules."""
    return [cast("Citing", kind) for kind in brought_kinds().values() if hasattr(kind, "cites")]


def placed(ours: Sequence[str], before: Mapping[str, str]) -> list[str]:
    """Insert the kinds of parts among ours, each before the kind that it names.

    >>> placed(["rules", "terms"], {"odds": "tables", "tables": "terms"})
    ['rules', 'odds', 'tables', 'terms']
    """
    order, left = list(ours), dict(before)
    while left:
        ready = [kind for kind, next_ in left.items() if next_ in order] or list(left)
        for kind in ready:
            next_ = left.pop(kind)
            order.insert(order.index(next_) if next_ in order else len(order), kind)
    return order
