"""What a link leads to, shown beside it: by mouse, by keys and by touch, and never in the way."""

from __future__ import annotations

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

pytestmark = pytest.mark.slow("a browser looks at the built site")

PHONE = {"viewport": {"width": 390, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def rules(birds: str) -> str:
    """A page whose first rule names two components, and whose second names the first and a term."""
    return birds.replace("gallery.html", "rules-play.html")


def beside(page: Page) -> Locator:
    return page.locator("body > .preview")


def box_of(one: Locator) -> FloatRect:
    box = one.bounding_box()
    assert box is not None
    return box


def test_a_rule_is_shown_where_it_is_named(page: Page, rules: str) -> None:
    """Number, id, title, words, and who says so. The tooltip that said less is gone, and the link is described."""
    page.goto(rules)
    link = page.get_by_role("link", name="rule 1.1", exact=True)
    assert link.get_attribute("title") == "Play a card"
    link.hover()
    expect(beside(page)).to_be_visible()
    assert beside(page).locator("p").all_inner_texts() == [
        "Rule · TI-PLAY-1",
        "1.1Play a card",
        "Play a Mouse or an Owl.",
        "Rulebook",
    ]
    expect(link).to_have_accessible_description("rule · TI-PLAY-1 1.1Play a card Play a Mouse or an Owl. Rulebook")
    assert link.get_attribute("title") is None


def test_a_term_is_shown_with_its_meaning_and_a_card_with_its_face(page: Page, rules: str) -> None:
    page.goto(rules)
    page.locator(".law .term").hover()
    expect(beside(page)).to_contain_text("How strong a card is.")
    page.locator(".law .component", has_text="Owl").hover()
    expect(beside(page)).to_contain_text("Owl")
    assert beside(page).locator("p").all_inner_texts() == ["Cards", "Owl", "power\u00a07"]
    assert beside(page).locator("img").evaluate("img => img.decode().then(() => img.naturalWidth > 0)")


def test_a_preview_stays_while_the_mouse_is_in_it(page: Page, rules: str) -> None:
    """The mouse may go into it, and it is gone a little after the mouse has left."""
    page.goto(rules)
    page.locator(".law .term").hover()
    expect(beside(page)).to_be_visible()
    beside(page).hover()
    page.wait_for_timeout(600)
    expect(beside(page)).to_be_visible()
    page.locator("h1").hover()
    expect(beside(page)).to_have_count(0)


def test_escape_puts_a_preview_away(page: Page, rules: str) -> None:
    """It does not come back while the mouse stays on the link, and it does when the mouse comes again."""
    page.goto(rules)
    link = page.locator(".law .component", has_text="Owl")
    link.hover()
    expect(beside(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(beside(page)).to_have_count(0)
    box = box_of(link)
    for across in (box["width"] - 3, 3):  # its words, and its picture
        page.mouse.move(box["x"] + across, box["y"] + box["height"] / 2)
    page.wait_for_timeout(500)
    expect(beside(page)).to_have_count(0)
    expect(link).not_to_have_attribute("aria-describedby", "preview")
    page.locator("h1").hover()
    link.hover()
    expect(beside(page)).to_be_visible()


def test_a_preview_comes_with_the_focus_of_keys(page: Page, rules: str) -> None:
    """It goes on with the focus, Escape puts it away, and the focus stays where it was."""
    page.goto(rules)
    link = page.get_by_role("link", name="rule 1.1", exact=True)
    link.evaluate("link => link.closest('.rule').querySelector('a').focus()")
    page.keyboard.press("Tab")
    expect(link).to_be_focused()
    expect(beside(page)).to_contain_text("TI-PLAY-1")
    page.keyboard.press("Tab")
    expect(beside(page)).to_contain_text("How strong a card is.")
    page.keyboard.press("Escape")
    expect(beside(page)).to_have_count(0)
    expect(page.locator(".law .term")).to_be_focused()


def test_a_preview_lies_within_what_is_seen_and_moves_nothing(page: Page, rules: str) -> None:
    """At the right edge, at the lower edge, and on a narrow window; above the link where there is more room."""
    for width in (1280, 390, 320):
        page.set_viewport_size({"width": width, "height": 420})
        page.goto(rules)
        link = page.locator(".law .component", has_text="Owl")
        for block in ("start", "end"):
            link.evaluate("(link, block) => link.scrollIntoView({ block, behavior: 'instant' })", block)
            before = page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
            link.hover()
            expect(beside(page)).to_be_visible()
            box, over = box_of(beside(page)), box_of(link)
            after = page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
            page.keyboard.press("Escape")
            page.mouse.move(1, 1)

            assert box["x"] >= 0 and box["x"] + box["width"] <= width, (width, block)
            assert box["y"] >= 0 and box["y"] + box["height"] <= 420, (width, block)
            assert box["y"] >= over["y"] + over["height"] or box["y"] + box["height"] <= over["y"], (width, block)
            assert (box["y"] < over["y"]) == (block == "end"), (width, block)
            assert before == after


def test_what_one_reads_is_not_shown_beside_itself(page: Page, rules: str) -> None:
    """A link to the rule that it stands in, and a picture of a gallery, tell nothing new."""
    page.goto(rules)
    page.locator("#TI-PLAY-1 .number").hover()
    page.wait_for_timeout(600)
    expect(beside(page)).to_have_count(0)
    page.goto(rules.replace("rules-play", "gallery"))
    page.locator(".gallery tbody a").first.hover()
    page.wait_for_timeout(600)
    expect(beside(page)).to_have_count(0)


@pytest.mark.parametrize("page", [PHONE], ids=["phone"], indirect=True)
def test_a_finger_that_stays_sees_a_preview_and_a_tap_follows_the_link(page: Page, rules: str) -> None:
    """What opens the target is in it; a tap beside it puts it away."""
    page.goto(rules)
    page.locator("h1").tap()
    page.wait_for_function("document.querySelector('.previewed')")
    link = page.locator(".law .term")
    link.scroll_into_view_if_needed()
    box = box_of(link)
    touch = page.context.new_cdp_session(page)
    point = [{"x": box["x"] + 5, "y": box["y"] + 5}]
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": point})
    expect(beside(page)).to_contain_text("How strong a card is.")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(300)
    expect(page).to_have_url(rules)
    expect(beside(page).get_by_role("link", name="Open")).to_be_visible()
    page.locator("h1").tap()
    expect(beside(page)).to_have_count(0)
    link.tap()
    expect(page).to_have_url(rules.replace("rules-play", "terms") + "#power")
    page.go_back()
    expect(beside(page)).to_have_count(0)


def test_paper_has_no_preview_and_without_pointing_nothing_is_loaded(page: Page, rules: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(rules)
    page.locator("h1").hover()
    page.wait_for_timeout(200)
    assert not any("preview" in url for url in asked)
    page.locator(".law .term").hover()
    expect(beside(page)).to_be_visible()
    page.locator(".law .term").focus()  # now it stays, wherever the mouse is on paper
    expect(beside(page)).to_be_visible()
    page.emulate_media(media="print")
    expect(beside(page)).to_have_css("display", "none")
