"""The preview in a real browser: a save is seen, a fault is told with its line, and the old face stays."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from games_for_tests import FILES, write_game
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from grimalkin.site.preview import Preview, Server, serve

pytestmark = pytest.mark.slow("a browser looks at a preview")


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write_game(tmp_path / "tiny")


@pytest.fixture
def served(tiny: Path) -> Iterator[Server]:
    server = serve(Preview(tiny), 0)
    assert server is not None
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield server
    server.close()
    thread.join(5)


@pytest.fixture
def page(browser: Browser, served: Server, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page that fails its test when the console complains. It is closed before the server, or it would."""
    context = browser.new_context(**getattr(request, "param", {}))
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()

    assert complaints == []


def test_a_save_changes_one_card_and_a_fault_leaves_it(page: Page, served: Server, tiny: Path) -> None:
    """Only what has changed is swapped: the owl's picture stays the very same element."""
    page.goto(served.address)
    mouse, owl = page.locator('li[data-id="mouse-front"]'), page.locator('li[data-id="owl-front"]')
    expect(mouse.locator("svg.face")).to_contain_text("Mouse")
    owl.locator("svg.face").evaluate("picture => { picture.dataset.met = 'yes' }")
    (tiny / "cards.csv").write_text(FILES["cards.csv"].replace("Mouse", "Shrew"), encoding="utf-8")

    expect(mouse.locator("svg.face")).to_contain_text("Shrew")
    expect(owl.locator("svg.face")).to_have_attribute("data-met", "yes")
    expect(page.locator("#status")).to_contain_text("2 faces changed")  # its front and its back
    expect(page.locator("#problems")).to_be_hidden()

    template = tiny / "faces" / "plain.svg.j2"
    template.write_text(FILES["faces/plain.svg.j2"].replace("card.power", "card.might"), encoding="utf-8")
    expect(page.locator("#problems")).to_be_visible()
    expect(page.locator("#problems code").first).to_contain_text("plain.svg.j2:4")
    expect(page.locator("#problems li").first).to_contain_text('there is no "might" here')
    expect(mouse.locator("svg.face")).to_contain_text("Shrew")
    expect(mouse.locator(".stays")).to_have_text("last good version")
    expect(mouse).to_contain_class("old")

    template.write_text(FILES["faces/plain.svg.j2"], encoding="utf-8")
    expect(page.locator("#problems")).to_be_hidden()
    expect(mouse.locator(".stays")).to_have_count(0)


def test_a_picture_that_is_saved_is_seen_on_its_card_alone(page: Page, served: Server, tiny: Path) -> None:
    """The mouse gets the new picture, whole and loaded; the owl stays the very same element. Remarks are listed."""
    (tiny / "art").mkdir()
    for name in ("mouse", "owl"):
        Image.new("RGB", (9, 9), "blue").save(tiny / "art" / f"{name}.png")
    image = '{% block words %}<image href="art/{{ card.id }}.png" width="9"/>'
    template = tiny / "faces" / "plain.svg.j2"
    template.write_text(FILES["faces/plain.svg.j2"].replace("{% block words %}", image), encoding="utf-8")
    (tiny / "cards.csv").write_text(FILES["cards.csv"].replace("Owl", "Owl <b>"), encoding="utf-8")
    page.goto(served.address)
    mouse, owl = (page.locator(f'li[data-id="{name}-front"]') for name in ("mouse", "owl"))
    expect(owl.locator("image")).to_have_count(1)
    expect(mouse.locator("image")).to_have_count(1)
    owl.locator("svg.face").evaluate("picture => { picture.dataset.met = 'yes' }")
    blue = mouse.locator("image").get_attribute("href") or ""
    Image.new("RGB", (7, 7), "red").save(tiny / "art" / "mouse.png")

    expect(mouse.locator("image")).not_to_have_attribute("href", blue)
    width = "image => new Promise(done => { const i = new Image(); i.onload = () => done(i.width); i.src = image })"
    assert 7 == page.evaluate(width, mouse.locator("image").get_attribute("href"))
    expect(owl.locator("svg.face")).to_have_attribute("data-met", "yes")
    expect(page.locator("#problems")).to_be_hidden()
    page.locator("#remarks summary").click()
    expect(page.locator("#remarks li")).to_contain_text('"<b>" is printed as written')


def test_a_card_has_its_true_size(page: Page, served: Server) -> None:
    """69 × 94 mm with its bleed, at 96 px an inch; twice as large when asked; as large as the card says afterwards."""
    page.goto(served.address)
    piece = page.locator('li[data-id="mouse-front"] .piece')

    expect(piece).to_have_css("width", re.compile(r"260\.7\d*px"))
    expect(piece).to_have_css("height", re.compile(r"355\.2\d*px"))
    page.get_by_label("Size", exact=True).select_option("2")
    expect(piece).to_have_css("width", re.compile(r"521\.5\d*px"))
    page.get_by_role("button", name="Set true size…").click()
    page.get_by_label("Size of the picture").fill("1.1")
    page.get_by_role("button", name="Done").click()
    expect(piece).to_have_css("width", re.compile(r"573\.7\d*px"))  # 521.57 × 1.1
    page.reload()
    expect(piece).to_have_css("width", re.compile(r"573\.7\d*px"))


def test_lines_sides_and_names_are_chosen_with_the_keyboard(page: Page, served: Server) -> None:
    """Lines are hidden until asked for; a slash goes to the search, which leaves one of two designs."""
    page.goto(served.address)
    first = page.locator('li[data-id="mouse-front"]')
    expect(first.locator("svg.face")).to_be_visible()
    expect(first.locator(".lines .safe-line")).to_be_hidden()
    page.get_by_role("checkbox", name="Text boxes").press("Space")
    expect(first.locator(".lines .label")).to_have_text("name 12 pt")
    expect(first.locator(".caption li")).to_have_text("name: 53 × 10 mm, 12 pt, floor 6.5 pt")
    page.get_by_role("radio", name="Fronts").press("Space")
    page.locator("h1").click()
    page.keyboard.press("/")
    page.keyboard.type("owl")
    expect(page.locator("#count")).to_have_text("1 of 4 faces")
    expect(first).to_be_hidden()
    expect(page.locator('li[data-id="owl-front"]')).to_be_visible()


PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}


@pytest.mark.parametrize("page", [{}, {"color_scheme": "dark"}, PHONE], ids=["day", "night", "phone"], indirect=True)
def test_the_preview_is_accessible(page: Page, served: Server, tiny: Path) -> None:
    """With all lines and a problem on the page; nothing reaches beyond the edge of a phone."""
    page.goto(served.address + "#cut=on&safe=on&bleed=on&boxes=on")
    expect(page.locator("svg.face").first).to_be_visible()
    (tiny / "cards.csv").write_text(FILES["cards.csv"].replace("calm", "clam"), encoding="utf-8")
    expect(page.locator("#problems")).to_be_visible()
    found = Axe().run(page)

    assert found.response["violations"] == [], found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
