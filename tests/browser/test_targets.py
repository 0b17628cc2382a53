"""What a link has led to: it is seen below the header, it is marked, and it is unfolded."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize

pytestmark = pytest.mark.slow("a browser looks at the built site")

SIZES: tuple[ViewportSize, ...] = (
    {"width": 390, "height": 740},
    {"width": 768, "height": 900},
    {"width": 1280, "height": 720},
)
ENTRY = r'(?s)<div class="entry[^"]*">.{0,2000}?<h2 id="([^"]+)"'
TARGETS = {
    "rule": ("werecats/rules-*.html", r'<h2 id="([A-Z]{2}-[^"]+)"'),
    "ruling": ("werecats/rulings-*.html", r'<h2 id="([A-Z]{2}-[^"]+)"'),
    "example": ("werecats/rules-*.html", r'<h3 id="([A-Z]{2}-EX[^"]*)"'),
    "term": ("werecats/terms.html", r'<h2 id="([^"]+)"'),
    "card": ("werecats/components-*.html", r'<h3 id="([a-z][^"]+)"'),
    "card among others": ("werecats/components.html", r'<h3 id="([^"]+)"'),
    "piece of a catalogue": ("cats-of-new-orleans/catalogues/*.html", ENTRY),
    "step": ("werecats/playthroughs/*.html", r'id="(step-\d+)"'),
    "step on a map": ("cats-of-new-orleans/playthroughs/*.html", r'id="(step-\d+)"'),
    "heading": ("werecats/scoring.html", r'<h2 id="([^"]+)"'),
    "heading of a round": ("werecats/playthroughs/*.html", r'<h2 id="([^"]+)"'),
    "rule among all": ("werecats/print.html", r'<h3 id="([^"]+)"'),
}
"""Of every kind of target a pattern for pages, and one for the anchors on them."""
SEEN = """() => {
  const there = document.querySelector(":target"), box = there.getBoundingClientRect();
  const over = [...document.querySelectorAll(".top, .stepper")].filter(one => {
    const its = one.getBoundingClientRect();
    return getComputedStyle(one).position === "sticky" && its.top < 80 && its.left < box.right && its.right > box.left;
  });
  return [box.top - Math.max(...over.map(one => one.getBoundingClientRect().bottom)), innerHeight - box.top];
}"""
"""How far below everything that stays at the top a target begins, and how far above the end of the window."""
MARK = """() => {
  const there = document.querySelector(":target"), around = [there];
  while (around[0].parentElement.tagName !== "MAIN") around.unshift(around[0].parentElement);
  return around.some(one => {
    const before = getComputedStyle(one, "::before"), own = getComputedStyle(one);
    return before.content !== "none" && parseFloat(before.borderLeftWidth) >= 4 || one.matches(".now")
      || own.outlineStyle === "solid" && parseFloat(own.outlineWidth) >= 3 && one !== document.activeElement;
  });
}"""


def address(site: Path, kind: str) -> str:
    pages, anchor = TARGETS[kind]
    for page in sorted(site.glob(pages)):
        found = re.findall(anchor, page.read_text("utf-8"))
        if len(found) > 2:
            return f"{page.as_uri()}#{found[2]}"
    raise AssertionError(kind)


@pytest.mark.parametrize("kind", TARGETS)
def test_what_a_link_leads_to_is_seen_and_marked(page: Page, site: Path, kind: str) -> None:
    """Below the header and the stepper, at every width; in forced colours too, where grounds are gone."""
    page.emulate_media(reduced_motion="reduce", forced_colors="active")
    for size in SIZES:
        page.set_viewport_size(size)
        page.goto("about:blank")
        page.goto(address(site, kind))
        page.wait_for_timeout(300)
        under, left = page.evaluate(SEEN)

        assert under >= 0, size
        assert left > 40, size
        assert page.evaluate(MARK), size


def test_the_picture_of_a_card_is_seen_with_its_name(page: Page, site: Path) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size(SIZES[0])
    page.goto(address(site, "card among others"))
    page.wait_for_timeout(300)
    picture = page.evaluate(
        "document.querySelector(':target').closest('.piece-row').querySelector('img').getBoundingClientRect().top"
    )
    header = page.evaluate("document.querySelector('.top').getBoundingClientRect().bottom")

    assert picture >= header


def test_what_lies_in_a_fold_is_unfolded(page: Page, site: Path) -> None:
    """Also in browsers that do not do it by themselves: here the address changes in a way that no browser unfolds."""
    page.emulate_media(reduced_motion="reduce")
    page.goto((site / "werecats" / "terms.html").as_uri())
    page.evaluate(
        """() => {
          const fold = document.createElement("details"), inner = document.createElement("details");
          fold.innerHTML = "<summary>One</summary>";
          inner.innerHTML = "<summary>Two</summary><p id='folded'>Here</p>";
          fold.append(inner);
          document.querySelector("main").append(fold);
          history.pushState(null, "", "#folded");
          dispatchEvent(new HashChangeEvent("hashchange"));
        }"""
    )
    box = page.locator("#folded").bounding_box()

    assert box is not None
    assert 60 <= box["y"] < 720


def test_a_fold_that_an_address_names_stays_as_it_is(page: Page, site: Path) -> None:
    """What is to be read only later is opened by its reader."""
    page.goto(next(site.glob("*/scenarios/*.html")).as_uri())
    spoiler = page.locator("details.spoiler[id]").first
    page.goto(f"{page.url}#{spoiler.get_attribute('id')}")

    assert spoiler.get_attribute("open") is None


def test_a_gallery_marks_the_card_that_an_address_names(page: Page, birds: str) -> None:
    """In the deck that it is in, below the header; the mark goes when something else is asked."""
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size(SIZES[0])
    page.goto(f"{birds}#hen-9")
    row = page.locator(".gallery:visible .here")
    box = row.bounding_box()
    header = page.locator(".top").bounding_box()

    assert row.locator("th").inner_text() == "Hen 9"
    assert box is not None and header is not None
    assert header["y"] + header["height"] <= box["y"] < 300
    page.locator(".sieve:visible").get_by_label("Find").fill("hen")
    assert page.locator(".gallery .here").count() == 0


def test_every_card_and_term_has_a_link_to_itself(page: Page, birds: str) -> None:
    for name in ("components", "components-birds", "terms"):
        page.goto(birds.replace("gallery", name))
        for row in page.locator(".piece-row, .term-row").all():
            link = row.locator(":is(h2, h3) a")
            assert link.get_attribute("href") == f"#{row.locator(':is(h2, h3)').get_attribute('id')}"
