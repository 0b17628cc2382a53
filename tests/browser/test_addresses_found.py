"""Links to ids find their page: after a move, as people paste them, and from the page for missing pages."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

RULE = "WK-ACT-6"
PLAY = "WK-PLAY-1"


def arrived(page: Page, id_: str) -> None:
    """The page has what was looked for, as the target of its address."""
    page.wait_for_url(f"**#{id_}")
    expect(page.locator(f"[id='{id_}']")).to_have_count(1)


@pytest.mark.parametrize("asked", [RULE, RULE.lower(), f"{RULE}.", f"{RULE}),", f"({RULE}", f"{RULE}?utm_source=chat"])
def test_an_id_that_is_elsewhere_finds_its_page(asked: str, page: Page, site: Path) -> None:
    page.goto(f"{(site / 'were-kittens' / 'index.html').as_uri()}#{asked}")

    arrived(page, RULE)


def test_other_capitals_find_their_place_on_the_same_page(page: Page, served: str) -> None:
    """Neither is a page loaded for it, nor the list of ids."""
    page.goto(f"{served}/were-kittens/r/{RULE}.html")
    arrived(page, RULE)
    there = page.url.split("#")[0]
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.evaluate(f"location.hash = '{RULE.lower()}.'")

    arrived(page, RULE)
    assert page.url.split("#")[0] == there
    assert [one for one in asked if one.endswith((".html", "ids.js"))] == []


def test_the_address_of_a_rule_works_from_disk(page: Page, site: Path) -> None:
    page.goto((site / "were-kittens" / "r" / f"{RULE}.html").as_uri())

    arrived(page, RULE)


def test_a_playthrough_has_a_page_and_no_anchor(page: Page, site: Path) -> None:
    page.goto(f"{(site / 'index.html').as_uri()}#{PLAY.lower()}")

    page.wait_for_url(f"**/were-kittens/playthroughs/{PLAY}.html")


@pytest.mark.parametrize("asked", ["100%", "nothing-like-it", "%", "deck=coins"])
def test_what_is_no_id_stays_where_it_is(asked: str, page: Page, served: str) -> None:
    """Nor is there an error."""
    page.goto(f"{served}/were-kittens/rules.html#{asked}")
    page.wait_for_load_state("networkidle")

    assert urlsplit(page.url).path == "/were-kittens/rules.html"


@pytest.mark.parametrize(
    "asked", [f"were-kittens/{RULE}", f"r/{RULE.lower()}.html", f"old/page.html#{RULE}", f"{RULE}."]
)
def test_what_is_lost_finds_its_id(asked: str, browser: object, host: str) -> None:
    with browser.new_page() as page:  # type: ignore[attr-defined]
        page.goto(f"{host}/games/{asked}")

        arrived(page, RULE)
