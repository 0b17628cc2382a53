"""A built site and the queries of queries.yaml in; out, how many have a good answer among the first results.

    grimalkin build
    python benchmarks/search/measure.py output/site --misses

Each query is typed into the search of a page in a Chromium without a screen, and what is shown is read as a screen
reader would: the field by its role, the results as the links or options that it controls. Where a link leads tells what
it stands for, so nothing here depends on how the search finds it.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import statistics
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import yaml
from playwright.sync_api import Browser, Locator, Page, sync_playwright

HERE = Path(__file__).parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
KINDS = ("word", "id", "phrase", "question", "misspelt", "synonym")
FIRST = 3
"""Results at which a reader looks before typing something else."""
KEPT = 10
"""Results of a query that are told to programs."""
QUIET = 1_200
"""Milliseconds without a change after which results are taken to be all."""
LONGER = 5_000
PATIENCE = 30_000

WATCH = """
(() => {
  // When a key was pressed first and last, when results were shown first after that, and when anything changed last.
  const watched = window.searchWatched = { began: 0, typed: 0, shown: 0, changed: 0 };
  addEventListener("input", () => {
    watched.typed = performance.now();
    watched.began ||= watched.typed;
    watched.shown = 0;
  }, true);
  new MutationObserver(() => {
    watched.changed = performance.now();
    if (!watched.shown && window.searchResults && window.searchResults().length) watched.shown = watched.changed;
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  window.searchField = () => document.querySelector("[role=searchbox], [role=combobox], input[type=search]");
  window.searchBox = () => {
    const field = window.searchField();
    const id = field.getAttribute("aria-controls") || field.getAttribute("aria-owns");
    return (id && document.getElementById(id)) || field.closest("[role=search]");
  };
  window.searchResults = () => [...window.searchBox().querySelectorAll("a[href], [role=option]")]
    .filter((one) => one.checkVisibility() && !one.querySelector("a[href]"))
    .map((one) => ({ to: (one.closest("a[href]") || one).href || "", shown: one.innerText }));
})();
"""
"""What is asked of a page. It is defined before the page's own scripts, and changes nothing there."""


@dataclass(frozen=True)
class Query:
    """Something that a reader types, and what answers it."""

    q: str
    kind: str
    game: str
    """Whose rules answer it."""
    accept: tuple[str, ...]
    start: str
    """The page on which it is typed."""


@dataclass(frozen=True)
class Found:
    """What a query brought."""

    query: Query
    place: int
    """Which result was the first good one, counted from 1; 0 if none was."""
    results: tuple[tuple[str, str], ...]
    """The first of them: where each leads, and what it shows."""
    ms: float
    """From the last key to results that are shown; from the first key if cold."""
    is_cold: bool
    """Whether it was the first query of its page, which also loads what the search needs."""


def main() -> None:
    options = _options()
    queries = load_queries(options.queries)
    for wrong in not_there(queries, options.site):
        print(f"{options.queries}: {wrong}", file=sys.stderr)
    found = measure(queries, options.site)
    print(json.dumps(as_data(found), ensure_ascii=False, indent=1) if options.json else as_text(found, options.misses))


def load_queries(path: Path) -> list[Query]:
    games = yaml.load(path.read_text("utf-8"), Loader=yaml.BaseLoader)  # ids such as no stay text
    return [
        Query(
            one["q"], one["kind"], game, tuple(one["accept"]), "index.html" if "from" in one else f"{game}/index.html"
        )
        for game, several in games.items()
        for one in several
    ]


def not_there(queries: Sequence[Query], site: Path) -> Iterator[str]:
    """Answers that the site does not have, which no search could find."""
    of_game: dict[str, set[str]] = {}
    for game in {query.game for query in queries}:
        texts = {path: path.read_text("utf-8") for path in sorted((site / game).rglob("*.html"))}
        ids = {id_ for text in texts.values() for id_ in re.findall(r'\bid="([^"]+)"', text)}
        of_game[game] = ids | {path.relative_to(site / game).as_posix() for path in texts}
    of_site = {f"/{path.relative_to(site).as_posix()}" for path in site.rglob("*.html")}
    for query in queries:
        for answer in query.accept:
            if not any(fnmatchcase(one, answer) for one in of_game[query.game] | of_site):
                yield f'no page of {query.game} has "{answer}", an answer to "{query.q}"'


def measure(queries: Sequence[Query], site: Path) -> list[Found]:
    by_start: dict[str, list[Query]] = defaultdict(list)
    for query in queries:
        by_start[query.start].append(query)
    with serving(site) as address, browsing() as browser:
        return [found for start in by_start for found in _typed(browser, address, start, by_start[start])]


def _typed(browser: Browser, address: str, start: str, queries: Sequence[Query]) -> Iterator[Found]:
    """The queries of one page, one after the other, in a browser that has nothing stored."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(f"{address}/{start}")
    field = page.get_by_role("searchbox").or_(page.get_by_role("combobox")).first
    for n, query in enumerate(queries):
        if n:
            _empty(page, field)
        field.press_sequentially(query.q)
        results = settled(page)
        places = [place_of(result["to"], address) for result in results]
        good = [at for at, place in enumerate(places, 1) if is_answer(query, place)]
        shown = [" ".join(result["shown"].split()) for result in results]
        first = tuple(zip(places, shown, strict=True))[:KEPT]
        yield Found(query, good[0] if good else 0, first, _milliseconds(page, n == 0), n == 0)
    context.close()


def _empty(page: Page, field: Locator) -> None:
    field.fill("")
    page.wait_for_function("() => !window.searchResults().length", timeout=PATIENCE)


def settled(page: Page) -> list[dict[str, str]]:
    """The results when nothing has changed for a while, longer where not even a word says that there are none."""
    page.wait_for_function(
        """([quiet, longer]) => {
          const watched = window.searchWatched, says = /[\\p{L}\\p{N}]/u.test(window.searchBox().innerText || "");
          return performance.now() - Math.max(watched.typed, watched.changed) > (says ? quiet : longer);
        }""",
        arg=[QUIET, LONGER],
        timeout=PATIENCE,
    )
    results: list[dict[str, str]] = page.evaluate("() => window.searchResults()")
    return results


def _milliseconds(page: Page, is_cold: bool) -> float:
    at: dict[str, float] = page.evaluate("() => window.searchWatched")
    return max(0.0, (at["shown"] or at["changed"]) - at["began" if is_cold else "typed"])


def place_of(link: str, address: str) -> str:
    """Where a link leads on the site: page and anchor, whatever it asks of the page besides."""
    parts = urlsplit(link.removeprefix(address))
    return unquote(parts.path.lstrip("/") + (f"#{parts.fragment}" if parts.fragment else ""))


def is_answer(query: Query, place: str) -> bool:
    page, _, anchor = place.partition("#")
    is_own, in_game = page.startswith(f"{query.game}/"), page.removeprefix(f"{query.game}/")
    return any(
        fnmatchcase(page, answer[1:])
        if answer.startswith("/")
        else is_own and (fnmatchcase(in_game, answer) if answer.endswith((".html", "*")) else anchor == answer)
        for answer in query.accept
    )


def as_text(found: Sequence[Found], with_misses: bool) -> str:
    games = list(dict.fromkeys(one.query.game for one in found))
    head = ["", *KINDS, "all"]
    rows = [[game, *(_share(found, game, kind) for kind in KINDS), _share(found, game, "")] for game in games] + [
        ["all", *(_share(found, "", kind) for kind in KINDS), _share(found, "", "")]
    ]
    wide = [max(len(row[n]) for row in [head, *rows]) for n in range(len(head))]
    slowest = max((one.ms for one in found if not one.is_cold), default=0)
    lines = [
        f"A good answer among the first {FIRST} results, in brackets as the first:",
        "",
        *("  ".join(cell.ljust(wide[n]) for n, cell in enumerate(row)).rstrip() for row in [head, *rows]),
        "",
        "Milliseconds from the last key to the first results: "
        f"{_middle(found, False):.0f} (median; at most {slowest:.0f}), "
        f"from the first key on a page, with all that is loaded for it, {_middle(found, True):.0f} (median)",
    ]
    if with_misses:
        lines += [line for one in found if not 0 < one.place <= FIRST for line in _miss(one)]
    return "\n".join(lines)


def _miss(one: Found) -> Iterator[str]:
    query = one.query
    where = f", answer {one.place}" if one.place else ", no answer"
    yield f"\n{query.game}, {query.kind}: {query.q}{where if one.results else ', nothing found'}"
    yield f"    wanted: {', '.join(query.accept)}"
    for to, shown in one.results[:FIRST]:
        yield f"    {to}  {shown[:70]}"


def as_data(found: Sequence[Found]) -> dict[str, Any]:
    games = list(dict.fromkeys(one.query.game for one in found))
    return {
        "first": FIRST,
        "all": _counts(found),
        "kinds": {kind: _counts([one for one in found if one.query.kind == kind]) for kind in KINDS},
        "games": {game: _counts([one for one in found if one.query.game == game]) for game in games},
        "ms": {"median": _middle(found, False), "first-on-page": _middle(found, True)},
        "queries": [asdict(one) for one in found],
    }


def _counts(found: Sequence[Found]) -> dict[str, int]:
    return {
        "asked": len(found),
        "among-first": sum(0 < one.place <= FIRST for one in found),
        "as-first": sum(one.place == 1 for one in found),
    }


def _share(found: Sequence[Found], game: str, kind: str) -> str:
    counts = _counts([one for one in found if game in ("", one.query.game) and kind in ("", one.query.kind)])
    return f"{counts['among-first']}/{counts['asked']} ({counts['as-first']})" if counts["asked"] else ""


def _middle(found: Sequence[Found], is_cold: bool) -> float:
    return statistics.median([one.ms for one in found if one.is_cold == is_cold] or [0.0])


@contextmanager
def browsing() -> Iterator[Browser]:
    there = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=there, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *unused: Any) -> None:
        pass


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How well the search of a built site answers what people type.")
    parser.add_argument("site", type=Path, help="the folder of the site, such as output/site")
    parser.add_argument("--queries", type=Path, default=HERE / "queries.yaml", help="other queries than ours")
    parser.add_argument("--misses", action="store_true", help="also tell each query without an answer, and what came")
    parser.add_argument("--json", action="store_true", help="everything, for programs")
    options = parser.parse_args()
    if not (options.site / "index.html").is_file():
        parser.error(f"{options.site} has no index.html; `grimalkin build` makes a site in output/site")
    return options


if __name__ == "__main__":
    main()
