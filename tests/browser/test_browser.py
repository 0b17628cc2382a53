"""The site in a real browser: accessible, at home on a phone and in the dark, whole from disk, and alive."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Request, expect

COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page that fails its test when anything is complained about, or asked of another host."""
    context = browser.new_context(**getattr(request, "param", {}))
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(f"{page.url}: {said.text}") if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
    page.on("requestfailed", lambda asked: None if _is_left(asked) else complaints.append(f"{asked.url} failed"))
    page.on("request", lambda asked: None if _is_ours(asked.url) else complaints.append(f"{page.url}: {asked.url}"))
    yield page
    context.close()

    assert complaints == []


def _is_left(asked: Request) -> bool:
    """Whether a request was broken off only because the test went on to another page."""
    return asked.failure == "net::ERR_ABORTED"


def _is_ours(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("file", "data", "blob") or parts.hostname in ("localhost", "127.0.0.1")


def kinds(site: Path, lightest: bool = False) -> dict[str, Path]:
    """The heaviest page of each kind, or the lightest."""
    found: dict[str, Path] = {}
    for path in sorted(site.rglob("*.html"), key=lambda path: path.stat().st_size, reverse=lightest):
        kind = re.search(r'data-kind="([^"]+)"', path.read_text("utf-8"))
        assert kind, path
        found[kind[1]] = path
    return found


def pages_from_disk(site: Path, lightest: bool = False) -> list[str]:
    return [path.as_uri() for kind, path in sorted(kinds(site, lightest).items()) if kind != "lost"]


# In the dark only colours differ, so only the rules about colours are asked again.
# The preload would fetch style sheets, which a page from disk may not.
@pytest.mark.parametrize(
    ("page", "options"),
    [
        ({"color_scheme": "light"}, {"preload": False}),
        ({"color_scheme": "dark"}, {"preload": False, "runOnly": COLOURS}),
    ],
    ids=["light", "dark"],
    indirect=["page"],
)
def test_axe_finds_nothing(page: Page, options: dict[str, Any], site: Path) -> None:
    """No violation on any kind of page, in light and in dark, with everything unfolded."""
    axe = Axe()
    found = []
    for url in pages_from_disk(site, lightest="runOnly" in options):
        page.goto(url)
        page.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)")
        for violation in axe.run(page, options=options).response["violations"]:
            found.append(f"{url}: {violation['id']}: {violation['nodes'][0]['html']}")

    assert found == []


def test_axe_finds_nothing_in_the_results_and_where_nothing_is(page: Page, site: Path, served: str) -> None:
    page.goto(f"{served}/index.html?q=cat")
    expect(page.locator("#found li").first).to_be_visible()
    results = Axe().run(page).response["violations"]
    page.goto(f"{served}/404.html")

    assert results == []
    assert Axe().run(page).response["violations"] == []


@pytest.mark.parametrize("page", [{"viewport": {"width": 360, "height": 740}}], ids=["phone"], indirect=True)
def test_nothing_is_wider_than_a_phone(page: Page, site: Path) -> None:
    wide = {}
    for url in pages_from_disk(site):
        page.goto(url)
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > 360:
            wide[url] = width

    assert wide == {}


@pytest.mark.parametrize("page", [{"java_script_enabled": False}], ids=["no-script"], indirect=True)
def test_all_is_readable_without_script(page: Page, site: Path) -> None:
    """The menu opens, the search says what it needs, a playthrough shows its tables, the stepper keeps away."""
    found = kinds(site)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(found["playthrough"].as_uri())
    page.locator(".menu summary").click()

    expect(page.locator(".menu a").first).to_be_visible()
    expect(page.locator("noscript")).to_be_visible()
    expect(page.locator("#q")).to_be_hidden()
    expect(page.locator(".stepper")).to_be_hidden()
    page.locator(".start summary").first.click()
    expect(page.locator(".start img").first).to_be_visible()
    expect(page.locator("#step-1")).to_be_visible()


def first_rule(site: Path) -> tuple[str, str]:
    """Id and title of a rule of some game, as its page tells them."""
    text = kinds(site)["section"].read_text("utf-8")
    found = re.search(r'<h2 id="([A-Z]+-[A-Z]+-\d+)">.*?</a> (.*?)</h2>', text)
    assert found
    return found[1], found[2]


@pytest.mark.parametrize("start", ["index.html", "deep"])
def test_search_from_disk(start: str, page: Page, site: Path) -> None:
    """An id finds its rule first, whole or in part; so do a title and the beginning of one; the hit leads there."""
    id_, title = first_rule(site)
    page.goto((kinds(site)["playthrough"] if start == "deep" else site / start).as_uri())
    field, first = page.locator("#q"), page.locator("#found li a").first
    for typed in (id_, id_.partition("-")[2].lower(), title):
        field.fill(typed)
        expect(first).to_contain_text(title)
    field.fill(title[: len(title) - 2])
    expect(page.locator("#found")).to_contain_text(title)
    field.fill(id_)
    field.press("ArrowDown")
    expect(first).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(f"#{id_}$"))
    expect(page.locator("#found")).to_be_hidden()


def test_search_finds_other_forms_of_a_term(page: Page, site: Path) -> None:
    """Words from the `also` of a term find the term first."""
    text = kinds(site)["terms"].read_text("utf-8")
    also = re.findall(r'<h2 id="[^"]+">([^<]+)</h2>(?:(?!<h2).)*?class="also">Also: ([^<]+)</p>', text, re.DOTALL)
    page.goto(site.joinpath("index.html").as_uri())
    for name, words in also[:6]:
        page.locator("#q").fill(words.split(", ")[0])
        expect(page.locator("#found li").first).to_contain_text(name)

    assert also


def test_search_from_an_address(page: Page, served: str) -> None:
    """`?q=` fills the field and searches; Escape closes; nothing found says so, and shows what was asked as text."""
    page.goto(f"{served}/index.html?q=%3Cb%3Exyzzy")

    expect(page.locator("#q")).to_have_value("<b>xyzzy")
    expect(page.locator("#found p")).to_contain_text("Nothing found for “<b>xyzzy”")
    page.locator("#q").press("Escape")
    expect(page.locator("#found")).to_be_hidden()


def test_slash_leads_to_the_search(page: Page, site: Path) -> None:
    page.goto(site.joinpath("index.html").as_uri())
    page.keyboard.press("/")

    expect(page.locator("#q")).to_be_focused()
    expect(page.locator("#q")).to_have_value("")


def test_the_stepper_steps(page: Page, site: Path) -> None:
    """Buttons and arrow keys move through the steps; picture, words and the live region follow."""
    page.goto(kinds(site)["playthrough"].as_uri())
    picture, said = page.locator(".stepper img"), page.locator(".stepper [aria-live]")
    before = picture.get_attribute("src")
    page.locator("[data-go='1']").click()

    expect(page.locator("li.now")).to_have_id("step-1")
    expect(said).to_contain_text("1.")
    expect(picture).not_to_have_attribute("src", before or "")
    page.keyboard.press("ArrowRight")
    expect(page.locator("li.now")).to_have_id("step-2")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("li.now")).to_have_count(0)
    expect(picture).to_have_attribute("src", before or "")
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")


def test_a_step_has_an_address(page: Page, site: Path) -> None:
    page.goto(f"{kinds(site)['playthrough'].as_uri()}#step-3")

    expect(page.locator("li.now")).to_have_id("step-3")


@pytest.mark.parametrize("page", [{"color_scheme": "light"}], ids=["light"], indirect=True)
def test_the_switch_is_remembered(page: Page, site: Path) -> None:
    """Night paper stays on the next page, and is there before anything is painted."""
    page.goto(site.joinpath("index.html").as_uri())
    light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.locator(".switch").click()
    dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.goto(kinds(site)["section"].as_uri())

    assert light != dark
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == dark
    assert page.evaluate("document.documentElement.dataset.paper") == "night"


def test_a_position_can_be_read(page: Page, site: Path) -> None:
    page.goto(kinds(site)["section"].as_uri())
    words = page.locator(".in-words").first
    words.locator("summary").click()

    expect(words.locator("p")).to_be_visible()
    assert words.locator("p").inner_text() == page.locator("main p > img.table").first.get_attribute("alt")


def test_pictures_and_fonts_are_there(page: Page, site: Path) -> None:
    """No picture is broken, and the fonts are the site's own."""
    for url in pages_from_disk(site):
        page.goto(url)
        page.evaluate("document.querySelectorAll('img').forEach(image => image.loading = 'eager')")
        page.wait_for_function("Array.from(document.images).every(image => image.complete)")

        assert page.evaluate("Array.from(document.images).filter(i => !i.naturalWidth).map(i => i.src)") == [], url
        assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('16px BookSans'))"), url


def test_print_has_no_chrome_and_unfolds(page: Page, site: Path) -> None:
    page.goto(kinds(site)["section"].as_uri())
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    expect(page.locator(".top")).to_be_hidden()
    expect(page.locator(".menu")).to_be_hidden()
    assert page.locator("main details:not(.in-words):not([open])").count() == 0
