"""Built sites and the queries of queries.yaml in; out, what each site loads before its first right answer, and when.

    python benchmarks/search/first.py old/site output/site

Each query is typed into the search of a page that has just been opened, over http, in a Chromium with nothing stored
and the processor of a phone. An answer is right as in measure.py: a good one is among the first results. Everything is
counted that is asked for from the first key on until then, except pictures. The sites take turns.
"""

from __future__ import annotations

import argparse
import gzip
import statistics
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from measure import HERE, WATCH, Query, browsing, is_answer, load_queries, place_of, serving, settled
from playwright.sync_api import Browser, Request

PACE = 80
"""Milliseconds from one key to the next: somebody who types fast."""
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}

RECORD = """
(() => {
  const answers = (window.searchAnswers = []);
  new MutationObserver(() => {
    const first = window.searchResults().slice(0, 3).map((one) => one.to);
    answers.push([performance.now(), first]);
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
})();
"""
TOLD = """() => ({
  typed: window.searchWatched.typed,
  answers: window.searchAnswers,
  files: performance.getEntriesByType("resource").map((one) => [one.startTime, one.name]),
})"""


@dataclass(frozen=True)
class Site:
    folder: Path
    address: str


class First(NamedTuple):
    """What one query took until its first right answer."""

    size: int
    packed: int
    """The size if all of it is packed with gzip."""
    files: int
    ms: float
    """From the last key on."""


def main() -> None:
    options = _options()
    queries = load_queries(options.queries)[:: options.every]
    found: dict[tuple[bool, Path, str], list[First]] = defaultdict(list)
    with browsing() as browser, ExitStack() as stack:
        sites = [Site(folder, stack.enter_context(serving(folder))) for folder in options.sites]
        for query in queries:
            for site in sites:
                for network in ("near", "slow 4G"):
                    one = first_answer(browser, site, query, options.slower, network == "slow 4G")
                    if one:
                        found["/" not in query.start, site.folder, network].append(one)
    print("\n".join(as_table(found, options.sites, options.slower)))


def first_answer(browser: Browser, site: Site, query: Query, slower: float, is_far: bool) -> First | None:
    """Return what a query takes in a browser that has nothing stored; None if there is no right answer."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(WATCH + RECORD)
    flying: set[Request] = set()
    page.on("request", lambda asked: flying.add(asked))
    page.on("requestfinished", lambda asked: flying.discard(asked))
    page.on("requestfailed", lambda asked: flying.discard(asked))
    page.goto(f"{site.address}/{query.start}", wait_until="networkidle")
    devtools = context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    if is_far:
        devtools.send("Network.enable")
        devtools.send("Network.emulateNetworkConditions", SLOW_4G)
    began = page.evaluate("performance.now()")
    page.get_by_role("searchbox").or_(page.get_by_role("combobox")).first.press_sequentially(query.q, delay=PACE)
    settled(page)
    while flying:
        page.wait_for_timeout(PACE)
        settled(page)
    told = page.evaluate(TOLD)
    context.close()
    right = (
        at
        for at, places in told["answers"]
        if at >= told["typed"] and any(is_answer(query, place_of(to, site.address)) for to in places)
    )
    shown = next(right, None)
    if shown is None:
        return None
    paths = {urlsplit(name).path for at, name in told["files"] if began <= at < shown}
    files = [site.folder / path.lstrip("/") for path in paths if path.endswith((".js", ".css", ".json"))]
    texts = [path.read_bytes() for path in files if path.is_file()]
    packed = sum(len(gzip.compress(text, 9)) for text in texts)
    return First(sum(map(len, texts)), packed, len(texts), shown - told["typed"])


def as_table(found: dict[tuple[bool, Path, str], list[First]], sites: Sequence[Path], slower: float) -> list[str]:
    """Return a table of medians; of all sites only queries that all answered should be compared, so it counts them."""
    lines = [
        f"Before the first right answer, with the processor {slower:g} times slower:",
        "",
        "| Page | Site | Queries | Files | Bytes (most) | As gzip | Answer after the last key | Over slow 4G |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for is_home in (False, True):
        for site in sites:
            near, far = found[is_home, site, "near"], found[is_home, site, "slow 4G"]
            if near and far:
                size, packed, files, ms = (statistics.median(column) for column in zip(*near, strict=True))
                page, most = "home" if is_home else "a game", max(one.size for one in near)
                later = statistics.median(one.ms for one in far)
                lines.append(
                    f"| {page} | {site} | {len(near)} | {files:.0f} | {size:,.0f} ({most:,}) | {packed:,.0f} "
                    f"| {ms:.0f} ms | {later:,.0f} ms |"
                )
    return lines


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What the search of built sites loads before its first right answer.")
    parser.add_argument("sites", type=Path, nargs="+", help="folders of sites, such as output/site")
    parser.add_argument("--queries", type=Path, default=HERE / "queries.yaml", help="other queries than ours")
    parser.add_argument("--every", type=int, default=6, metavar="N", help="take one query of N (default: %(default)s)")
    parser.add_argument(
        "--slower", type=float, default=5, metavar="N", help="how much slower the processor is (default: %(default)s)"
    )
    options = parser.parse_args()
    for site in options.sites:
        if not (site / "index.html").is_file():
            parser.error(f"{site} has no index.html; `grimalkin build` makes a site in output/site")
    return options


if __name__ == "__main__":
    main()
