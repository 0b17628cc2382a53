"""The pages of odds: an overview of attempts, a page for each group of them, and one for each chart."""

from __future__ import annotations

from grimalkin.parts.odds.attempts import FILE, PAGE, find_counted, group_page, groups_of, links_to, signs, told_of
from grimalkin.parts.odds.charts import chart_page, charted, ready
from grimalkin.site.pages.kinds import Menu, listing
from grimalkin.site.pages.links import Words
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.write import Writer

KIND = "odds"
MENU_BEFORE = OVERVIEW_BEFORE = "simulations"


def begins(shown: Shown) -> str:
    """Return the overview of attempts, or the page of the first chart."""
    return PAGE if groups_of(shown.game) else next((chart_page(one.id) for one in ready(shown.game)), "")


def menu(shown: Shown, words: Words) -> Menu:
    """Return the overview, the pages of groups, and those of charts."""
    groups = groups_of(shown.game)
    overview = [(words["all-odds"], PAGE)] if groups else []
    pages = [(title, group_page(title)) for title in groups] + [
        (one.title, chart_page(one.id)) for one in ready(shown.game)
    ]
    return listing(words[KIND], [*overview, *pages])


def write(writer: Writer) -> None:
    """Write all pages, and a file of the odds for programs. The engine is asked now."""
    _attempts(writer)
    for chart in charted(writer.game, writer.words):
        writer.page(chart_page(chart.wish.id), "odds", chart.wish.title, one=chart)


def _attempts(writer: Writer) -> None:
    counted = find_counted(writer.game, writer.words)
    if counted is None:
        return
    groups, odds = counted.groups(), counted.odds
    meta = {"kind": "odds"}
    means = [[what for what, one in group.attempts[0].plain.items() if not one.is_share] for group in groups]
    file = f"downloads/{FILE}"
    more = {"odds": odds, "link": links_to(writer.map), "page": PAGE, "file": file}
    writer.page(
        PAGE,
        "odds-overview",
        writer.words["odds"],
        meta,
        **more,
        groups=groups,
        pictured=list(counted.pictured),
        means=means,
        told=told_of,
    )
    for group in groups:
        title = writer.words["attempts-of"].format(group=group.title)
        writer.page(group.page, "odds-group", title, meta, **more, group=group, signs=list(signs(odds)))
    writer.files[file] = counted.json()
    writer.data.append((writer.words["data-odds"], FILE))
