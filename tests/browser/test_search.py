"""The search of a site in a real browser: what is found and forgiven, what the address keeps, and how light it is."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from shown import BIRDS, show, write_birds

from grimalkin.problems import Problems
from grimalkin.site.pages import build_site

pytestmark = pytest.mark.slow("a browser looks at the built site")

MOST_PACKED = 250_000
"""Bytes of the index of one game."""
FIRST = "#found li a"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()

    assert faults == []


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of two games that say the same."""
    folder, problems = tmp_path_factory.mktemp("two"), Problems()
    (folder / "site").mkdir()
    build_site([show(write_birds(folder / name, BIRDS)) for name in ("one", "two")], folder / "site", problems)

    assert list(problems) == []
    return folder / "site"


def asked(page: Page, text: str) -> None:
    page.locator("#q").fill(text)
    expect(page.locator("#found")).to_be_visible()


def test_a_wrong_letter_is_forgiven_and_said(page: Page, two: Path) -> None:
    """What was meant can be asked for."""
    page.goto((two / "one" / "index.html").as_uri())
    asked(page, "nihgt song")

    expect(page.locator("#found .meant")).to_have_text("night song")
    expect(page.locator(FIRST).first).to_have_attribute("href", re.compile("one/"))
    page.locator("#found .meant").click()
    expect(page.locator("#q")).to_have_value("night song")
    expect(page.locator("#found .meant")).to_have_count(0)


def test_words_that_say_little_do_not_hide_what_is_asked(page: Page, two: Path) -> None:
    page.goto((two / "one" / "index.html").as_uri())
    asked(page, "how many of the barn owls can I have on my mat?")

    expect(page.locator(FIRST).first).to_contain_text("Barn owl")


def test_an_id_is_known_without_its_hyphens(page: Page, site: Path) -> None:
    """And without the letters of its game."""
    page.goto((site / "were-kittens" / "index.html").as_uri())
    for typed in ("WK-PIECE-6", "wk piece 6", "wkpiece6", "piece-6"):
        asked(page, typed)
        expect(page.locator(FIRST).first).to_have_attribute("href", re.compile("were-kittens/.*#WK-PIECE-6$"))


def test_a_card_has_its_picture(page: Page, two: Path) -> None:
    page.goto((two / "one" / "index.html").as_uri())
    asked(page, "barn owl")

    picture = page.locator(f"{FIRST} img.face").first
    expect(picture).to_have_attribute("src", re.compile("one/faces/barn-owl-front.svg$"))
    assert picture.evaluate("img => img.decode().then(() => img.naturalWidth > 0)")


def test_one_game_or_one_kind_can_be_chosen(page: Page, two: Path) -> None:
    page.goto((two / "one" / "index.html").as_uri())
    asked(page, "owl")
    page.locator("#found [name=game]").select_option("two")
    page.locator("#found [name=kind]").select_option("c")
    hrefs = page.locator(FIRST).evaluate_all("links => links.map(link => link.getAttribute('href'))")
    wheres = page.locator(f"{FIRST} .where").all_inner_texts()

    assert hrefs
    assert [href for href in hrefs if "two/" not in href] == []
    assert [where for where in wheres if not where.startswith("component")] == []


def test_what_is_chosen_stays_in_the_address(page: Page, served: str) -> None:
    """A page that is opened with it has it chosen."""
    page.goto(f"{served}/index.html")
    asked(page, "cat")
    page.locator("#found [name=game]").select_option("werecats")
    page.locator("#found [name=kind]").select_option("t")
    page.wait_for_url(re.compile(r"\?q=cat&in=werecats&kind=t$"))
    page.reload()

    expect(page.locator("#found [name=game]")).to_have_value("werecats")
    expect(page.locator("#found [name=kind]")).to_have_value("t")


def test_back_comes_back_to_what_was_asked(page: Page, served: str) -> None:
    page.goto(f"{served}/index.html")
    asked(page, "claw")
    expect(page.locator(FIRST).first).to_be_visible()
    page.wait_for_url(re.compile(r"\?q=claw$"))
    page.locator(FIRST).first.click()
    page.wait_for_url(re.compile("#"))
    page.go_back()

    expect(page.locator("#q")).to_have_value("claw")
    expect(page.locator(FIRST).first).to_be_visible()


def test_cards_are_asked_with_operators(page: Page, two: Path) -> None:
    """As in the gallery: more than two wings has the barn owl with four and the snow owl with nine."""
    page.goto((two / "one" / "index.html").as_uri())
    asked(page, "wings>2")

    expect(page.locator(f"{FIRST} b")).to_have_text(["Barn owl", "Snow owl"])


def test_nothing_is_loaded_before_it_is_asked_for(page: Page, two: Path) -> None:
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url))
    page.goto((two / "one" / "index.html").as_uri())
    page.wait_for_load_state("networkidle")

    assert [url for url in asked_for if "found" in url or "search" in url] == []


def test_no_index_is_heavy(site: Path) -> None:
    """Packed, as servers send it, the index of the longest game has no more than a picture has."""
    paths = list((site / "assets" / "found").glob("*.js"))

    assert paths
    for path in paths:
        assert len(gzip.compress(path.read_bytes(), 9)) <= MOST_PACKED, path


def test_whoever_is_among_the_results_stays_there(page: Page, two: Path) -> None:
    """While other games still answer, the list is made anew."""
    page.goto((two / "index.html").as_uri())
    asked(page, "night song")
    expect(page.locator(FIRST).nth(1)).to_be_visible()
    page.locator("#q").press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.evaluate(
        "window.before = document.activeElement; document.querySelector('#q').dispatchEvent(new Event('input'))"
    )
    page.wait_for_function("!document.contains(window.before)")

    expect(page.locator(FIRST).nth(1)).to_be_focused()
