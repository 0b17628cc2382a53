"""The site as programs of others judge it: html-validate its HTML, Lighthouse what a phone gets.

Both are from npm, in the versions that the Makefile names. Where there is no Node they are skipped.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from kinds_of_pages import kinds
from soak import MORE

from grimalkin.site.pages.addresses import ADDRESSES

pytestmark = pytest.mark.slow("programs of others look at the built site")

TOOLS = Path(__file__).parents[2] / ".venv" / "node_modules" / ".bin"
HTML = {
    "extends": ["html-validate:recommended"],
    "rules": {
        "no-implicit-close": "off",  # HTML lets ends of tags be left out, and pages are a tenth lighter without
        "no-inline-style": "off",  # the inks of a game, the places on a map
        "attribute-boolean-style": "off",  # open="" and open are one
        "valid-id": ["error", {"relaxed": True}],  # what HTML allows: a heading may begin with a number
        "prefer-native-element": "off",  # of roles; axe is asked about them
        "wcag/h32": "off",  # what answers while one types has nothing to submit
        "long-title": "off",  # a page is called as its ruling is
    },
}
"""What is asked of HTML: all that is recommended, and not how it is written down."""
LOOKED_AT = (
    *("index.html", "were-kittens/learn.html", "were-kittens/rules.html", "were-kittens/gallery.html"),
    "were-kittens/playthroughs/WK-PLAY-1.html",
)
"""Pages of which Lighthouse is asked."""
WANTED = 95
"""Points of 100."""


@cache
def tool(name: str) -> str:
    found = TOOLS / name
    if not found.exists():
        pytest.skip(f"{name} is not installed: it needs Node with npm; `make browser` installs it where they are")
    return str(found)


def test_html_is_valid(site: Path, tmp_path: Path) -> None:
    """No complaint about any kind of page; in a soak, about any page."""
    config = tmp_path / "htmlvalidate.json"
    config.write_text(json.dumps(HTML), "utf-8")
    every = sorted(site.rglob("*.html")) if MORE > 1 else sorted({*kinds(site).values(), *kinds(site, True).values()})
    asked = [tool("html-validate"), "--config", str(config), "--formatter", "json", *map(str, every)]

    answer = subprocess.run(asked, capture_output=True, text=True, timeout=300, check=False)

    reports = json.loads(answer.stdout)
    found = [
        f"{report['filePath']}:{message['line']}: {message['ruleId']}: {message['message']}"
        for report in reports
        for message in report["messages"]
    ]
    assert found == [], answer.stderr


def test_html_that_is_not_valid_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<!DOCTYPE html>\n<html lang="en"><title>x</title><p id="a">b</p><p id="a">c</p></html>\n', "utf-8")
    config = tmp_path / "htmlvalidate.json"
    config.write_text(json.dumps(HTML), "utf-8")

    answer = subprocess.run(
        [tool("html-validate"), "--config", str(config), str(page)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert "no-dup-id" in answer.stdout


@pytest.mark.parametrize("path", LOOKED_AT)
def test_a_phone_gets_what_is_good(path: str, served: str, chromium: str, tmp_path: Path) -> None:
    """At least 95 of 100 for accessibility, best practices and SEO.

    Speed is no test: it depends on who else is at work.
    """
    report = tmp_path / "report.json"
    asked = [
        *(tool("lighthouse"), f"{served}/{path}", "--quiet", "--output=json", f"--output-path={report}"),
        *("--only-categories=accessibility,best-practices,seo", "--chrome-flags=--headless=new --no-sandbox"),
    ]

    subprocess.run(
        asked, env={**os.environ, "CHROME_PATH": chromium}, capture_output=True, text=True, timeout=300, check=True
    )

    told: dict[str, Any] = json.loads(report.read_text("utf-8"))
    points = {name: round(part["score"] * 100) for name, part in told["categories"].items()}
    lacking = [
        audit["title"]
        for audit in told["audits"].values()
        if audit["score"] is not None and audit["score"] < 1 and audit["scoreDisplayMode"] == "binary"
    ]
    assert all(score >= WANTED for score in points.values()), f"{points}: {lacking}"


def test_every_page_tells_what_it_is(site: Path) -> None:
    """A description of its own words, of at most 155 letters, for lists of results; those for chats are longer."""
    told = {}
    for path in site.rglob("*.html"):
        if path.parent.name == ADDRESSES:
            continue
        found = re.search(r'<meta name="description" content="([^"]*)">', path.read_text("utf-8"))
        told[str(path.relative_to(site))] = unescape(found[1]) if found else ""
    told.pop("404.html")

    lacking = [path for path, words in told.items() if not 10 <= len(words) <= 155]
    assert lacking == []
