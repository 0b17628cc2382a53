"""The site in a real browser: accessible, at home on a phone and in the dark, whole from disk, and alive."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import pypdfium2
import pytest
from axe_playwright_python.sync_playwright import Axe
from kinds_of_pages import kinds
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect
from shown import show, write_birds
from soak import MORE, sampled

from grimalkin.problems import Problems
from grimalkin.site.pages import build_site
from grimalkin.site.pages.addresses import ADDRESSES
from grimalkin.source import bundled_games

pytestmark = pytest.mark.slow("a browser looks at the built site")

FROM_DISK = {"preload": False, "resultTypes": ["violations"]}
"""What axe is asked. A preload would fetch style sheets, which a page from disk may not; to list what passes takes as
long again."""
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


def pages_from_disk(site: Path) -> list[str]:
    return [path.as_uri() for path in looked_at(site, lightest=True) if path.name != "404.html"]


def looked_at(site: Path, lightest: bool) -> list[Path]:
    """The heaviest page of each kind, or the lightest; in a soak every page."""
    every = sorted(path for path in site.rglob("*.html") if path.parent.name != ADDRESSES)
    return every if MORE > 1 else [path for _, path in sorted(kinds(site, lightest).items())]


SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
DESK: ViewportSize = {"width": 1280, "height": 720}
PHONE: ViewportSize = {"width": 390, "height": 740}
WIDTHS = (320, 390, 768, 1280)


@pytest.mark.soak
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing(width: int, page: Page, site: Path) -> None:
    """No violation on any kind of page at any width, by day and by night, with everything unfolded.

    By night only colours differ, so only the rules about those are asked again.
    """
    axe = Axe()
    found = []

    def ask(**more: Any) -> None:
        for violation in axe.run(page, options={**FROM_DISK, **more}).response["violations"]:
            found.append(f"{page.url}: {violation['id']}: {violation['nodes'][0]['html']}")

    page.set_viewport_size({"width": width, "height": 740})
    for url in pages_from_disk(site):
        page.emulate_media(color_scheme="light")
        page.goto(url)
        page.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)")
        ask()
        page.emulate_media(color_scheme="dark")
        ask(runOnly=COLOURS)

    assert found == []


FAINT = """([wanted, thickness]) => {
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = colour => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    return [...paint.getImageData(0, 0, 1, 1).data];
  };
  const light = colour => rgba(colour).slice(0, 3).map(part => part / 255)
    .map(part => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4)
    .reduce((sum, part, n) => sum + part * [.2126, .7152, .0722][n], .05);
  const around = element => {
    const box = element.getBoundingClientRect(), over = [];
    for (let up = element.parentElement; up; up = up.parentElement) over.push(up);
    return getComputedStyle(element).position === "absolute"
      ? document.elementsFromPoint(box.right + 3, box.top + box.height / 2) : over;
  };
  return [...document.querySelectorAll("a[href], button, input, summary, [tabindex='0']")].flatMap(element => {
    element.focus({ preventScroll: true });
    if (document.activeElement !== element) return [];
    const ring = getComputedStyle(element);
    const ground = around(element).map(one => getComputedStyle(one).backgroundColor).find(one => rgba(one)[3] === 255);
    const [dark, bright] = [light(ring.outlineColor), light(ground)].sort((a, b) => a - b);
    const seen = ring.outlineStyle === "solid" && parseFloat(ring.outlineWidth) >= thickness && bright / dark >= wanted;
    return seen ? [] : [`${element.outerHTML.slice(0, 80)} ${ring.outlineWidth} ${(bright / dark).toFixed(2)}`];
  });
}"""
"""Whatever takes the focus with a ring that is thinner, or of less contrast to what it lies on, than is wanted."""


@pytest.mark.soak
@pytest.mark.parametrize("page", [{"viewport": PHONE}], ids=["phone"], indirect=True)
def test_the_focus_is_seen_wherever_it_is(page: Page, site: Path) -> None:
    """A ring two pixels wide, of three to one to what it lies on: on every kind of page, in band, cover and results."""
    faint = {}
    for path in looked_at(site, lightest=True):
        page.goto(path.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)")
        if page.locator("html").get_attribute("data-kind") == "home":
            page.locator("#q").fill("cat")
            expect(page.locator("#found li").first).to_be_visible()
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            if found := page.evaluate(FAINT, [3, 2]):
                faint[scheme, path] = found[:3]

    assert faint == {}


CUT = """() => [...document.querySelectorAll("main a[href], .menu a, summary")].filter(element => {
  element.focus({ preventScroll: true });
  if (document.activeElement !== element) return false;
  const ring = getComputedStyle(element), over = parseFloat(ring.outlineWidth) + parseFloat(ring.outlineOffset);
  const left = element.getBoundingClientRect().left - over;
  for (let up = element.parentElement; up; up = up.parentElement)
    if (getComputedStyle(up).overflowX !== "visible" && left < up.getBoundingClientRect().left - 1) return true;
}).map(element => element.outerHTML.slice(0, 80))"""
"""Whatever has a ring that what it scrolls in cuts off on the left."""


@pytest.mark.parametrize("page", [{"viewport": {"width": 1280, "height": 900}}], ids=["desk"], indirect=True)
def test_the_ring_of_the_focus_is_whole(page: Page, site: Path) -> None:
    cut = {}
    for kind in ("section", "scoring", "simulation", "gallery", "written"):
        page.goto(kinds(site)[kind].as_uri())
        if found := page.evaluate(CUT):
            cut[kind] = found[:3]

    assert cut == {}


def test_axe_finds_nothing_in_the_results_and_where_nothing_is(page: Page, site: Path, served: str) -> None:
    page.goto(f"{served}/index.html?q=cat")
    expect(page.locator("#found li").first).to_be_visible()
    results = Axe().run(page).response["violations"]
    page.goto(f"{served}/404.html")

    assert results == []
    assert Axe().run(page).response["violations"] == []


@sampled("address", ["games/x", "games/x/y/z", "games/werecats/rules.htm?a#b", "games//else.where/x/"], 2)
def test_what_is_lost_below_a_folder_finds_home(address: str, browser: Browser, host: str) -> None:
    """A site at /games/ shows its 404 with style, search and ways home, and asks no other host, wherever one went."""
    with browser.new_page() as page:
        asked: list[str] = []
        page.on("request", lambda one: asked.append(one.url))
        page.goto(f"{host}/{address}")
        expect(page.locator("html")).to_have_attribute("data-base", f"{host}/games")
        page.locator("#q").fill("penny")
        expect(page.locator("#found li a").first).to_have_attribute("href", re.compile(f"^{host}/games/were-kittens/"))
        assert page.evaluate("document.fonts.check('16px BookSans')")
        assert {link.evaluate("link => link.href.split('/').slice(0, 4).join('/')") for link in ways(page)} == {
            f"{host}/games"
        }
        assert [url for url in asked if not url.startswith(f"{host}/")] == []
        page.locator("#q").press("Escape")
        page.locator("main .there a").click()
        page.wait_for_url(f"{host}/games/index.html")


def ways(page: Page) -> list[Locator]:
    """All links of a page that lead to another one."""
    return page.locator("a:not([href^='#'])").all()


@pytest.mark.parametrize("page", [{"java_script_enabled": False}], ids=["no-script"], indirect=True)
def test_what_is_lost_offers_nothing_that_leads_nowhere(page: Page, site: Path) -> None:
    """Without script nobody knows where the site begins; the page says so, and how to get there."""
    page.goto((site / "404.html").as_uri())

    expect(page.locator("h1")).to_be_visible()
    expect(page.locator("noscript p")).to_be_visible()
    assert [link for link in ways(page) if link.is_visible()] == []


@pytest.mark.soak
def test_no_page_scrolls_sideways_on_a_phone(page: Page, site: Path) -> None:
    """The heaviest page of each kind, with everything unfolded, on the smallest phones and usual ones; in a soak every
    page, in every width up to that of a desk.

    Not even where a table holds a word that no phone has room for.
    """
    wide = {}
    for path in looked_at(site, lightest=False):
        page.goto(path.as_uri(), wait_until="domcontentloaded")
        page.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)")
        page.evaluate("document.querySelector('.fit td')?.append('0'.repeat(99))")
        for width in (320, 390) if MORE == 1 else range(320, 1281, 40):
            page.set_viewport_size({"width": width, "height": 740})
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wide[path] = width

    assert wide == {}


OUTSIDE = """() => [...document.querySelectorAll(".sheet")].flatMap(sheet => {
  const room = sheet.getBoundingClientRect(), shown = sheet.querySelector(".shown").getBoundingClientRect();
  const dots = [...sheet.querySelectorAll(".dot")].map(dot => dot.getBoundingClientRect());
  const within = dot => dot.left > -1 && dot.right < innerWidth + 1
    && dot.top > room.top - 2 && dot.bottom < room.bottom + 2;
  const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) > a.width - 1;
  const beside = dot => dot.right < shown.left + 2 || dot.left > shown.right - 2 || dot.bottom < shown.top + 2
    || dot.top > shown.bottom - 2;
  return dots.flatMap((dot, at) => [
    ...(within(dot) ? [] : [`${at + 1} is out of the figure`]),
    ...(beside(dot) ? [] : [`${at + 1} lies on the picture`]),
    ...(dots.slice(0, at).every(other => apart(dot, other)) ? [] : [`${at + 1} lies on another`]),
    ...(parseFloat(getComputedStyle(sheet.querySelector(".dot")).fontSize) >= 11 ? [] : ["too small"])]);
})"""
"""Numbers of labelled pictures that do not stand beside them, within the figure and apart from each other."""


@pytest.mark.parametrize("width", [390, 1280])
def test_numbers_stand_beside_what_they_name(width: int, page: Page, site: Path) -> None:
    """On the pages for newcomers, on a phone and on a desk: in the figure, not on the picture, and none on another."""
    page.set_viewport_size({"width": width, "height": 900})
    wrong = {}
    for path in sorted(site.glob("*/learn.html")):
        page.goto(path.as_uri())
        page.evaluate("document.querySelectorAll('img').forEach(img => img.loading = 'eager')")
        assert page.locator(".dot").count() > 4
        if found := page.evaluate(OUTSIDE):
            wrong[path.parent.name] = found

    assert wrong == {}


@pytest.mark.parametrize("page", [{"viewport": {"width": 1280, "height": 900}}], ids=["desk"], indirect=True)
def test_odds_fit_on_a_desk(page: Page, site: Path) -> None:
    """No block of a table of odds lies out of sight."""
    room = "[...document.querySelectorAll('.numbers')].map(one => (one.open = true, one.querySelector('.scroll')))"
    for path in site.rglob("odds/*.html"):
        page.goto(path.as_uri())
        widths = page.evaluate(f"{room}.map(box => [box.firstElementChild.offsetWidth, box.clientWidth])")

        assert widths
        assert [(path.name, table, box) for table, box in widths if table > box] == []


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("simulations/three-alike.html", ("Rules in play", "won without")),
        ("rules-months.html", ("A month is three nights", "The third night is the last", "Step by step")),
    ],
)
def test_on_paper_a_heading_stays_with_what_it_is_about(
    path: str, words: tuple[str, ...], page: Page, site: Path
) -> None:
    """A long table and a long example begin on the page of their heading, and are parted."""
    page.goto((site / "wolf-mans-curse" / path).as_uri())
    document = pypdfium2.PdfDocument(page.pdf(format="A4", prefer_css_page_size=True))
    texts = [sheet.get_textpage().get_text_range() for sheet in document]
    document.close()

    assert any(all(word in text for word in words) for text in texts)


def played(site: Path, shown_by: str) -> Path:
    """The heaviest page of a playthrough whose stepper has such an element: `img` for a table, `svg` for a map."""
    pages = sorted(site.glob("*/playthroughs/*.html"), key=lambda path: path.stat().st_size, reverse=True)
    has = re.compile(rf'<aside class="stepper.*?<{shown_by}\b.*?</aside>', re.DOTALL)
    return next(path for path in pages if has.search(path.read_text("utf-8")))


@pytest.mark.parametrize("page", [{"java_script_enabled": False}], ids=["no-script"], indirect=True)
def test_all_is_readable_without_script(page: Page, site: Path) -> None:
    """The menu opens, the search says what it needs, a playthrough shows its tables, the stepper keeps away."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(played(site, "img").as_uri())
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
    for typed in (id_, title):
        field.fill(typed)
        expect(first).to_contain_text(title)
    for typed in (id_.partition("-")[2].lower(), title[: len(title) - 2]):  # other games may have such rules
        field.fill(typed)
        expect(page.locator("#found")).to_contain_text(title)
    field.fill(id_)
    field.press("ArrowDown")
    expect(first).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(f"#{id_}$"))
    expect(page.locator("#found")).to_be_hidden()


def test_search_finds_other_forms_of_a_term(page: Page, site: Path) -> None:
    """Words from the `also` of a term find the term first."""
    terms = kinds(site)["terms"]
    also = re.findall(
        r'<h2 id="[^"]+"><a[^>]*>([^<]+)</a></h2>(?:(?!<h2).)*?class="also">Also: ([^<]+)<',
        terms.read_text("utf-8"),
        re.DOTALL,
    )
    page.goto(terms.as_uri())
    for name, words in also[:6]:
        page.locator("#q").fill(words.split(", ")[0])
        expect(page.locator("#found li").first).to_contain_text(name)

    assert also


def test_search_prefers_the_game_one_is_in(page: Page, tmp_path: Path) -> None:
    """Of two games that say the same, the one whose page is open comes first; from the first page, both are found."""
    problems = Problems()
    (tmp_path / "site").mkdir()
    build_site([show(write_birds(tmp_path / name)) for name in ("one", "two")], tmp_path / "site", problems)
    for name in ("one", "two"):
        page.goto((tmp_path / "site" / name / "rules.html").as_uri())
        page.locator("#q").fill("Night Song")
        expect(page.locator("#found li a").first).to_have_attribute("href", f"../{name}/terms.html#hooting")
    page.goto((tmp_path / "site" / "index.html").as_uri())
    page.locator("#q").fill("Night Song")

    expect(page.locator("#found a[href$='terms.html#hooting']")).to_have_count(2)
    assert list(problems) == []


def test_search_from_an_address(page: Page, served: str) -> None:
    """`?q=` fills the field and searches; Escape closes; nothing found says so, and shows what was asked as text."""
    page.goto(f"{served}/index.html?q=%3Cb%3Exyzzy")

    expect(page.locator("#q")).to_have_value("<b>xyzzy")
    expect(page.locator("#found p")).to_contain_text("No results for “<b>xyzzy”")
    page.locator("#q").press("Escape")
    expect(page.locator("#found")).to_be_hidden()


def test_slash_leads_to_the_search(page: Page, site: Path) -> None:
    page.goto(site.joinpath("index.html").as_uri())
    page.keyboard.press("/")

    expect(page.locator("#q")).to_be_focused()
    expect(page.locator("#q")).to_have_value("")


def test_the_stepper_steps(page: Page, site: Path) -> None:
    """Buttons and arrow keys move through the steps; picture, words and the live region follow."""
    page.goto(played(site, "img").as_uri())
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


@pytest.mark.parametrize("page", [{"viewport": DESK}], ids=["desk"], indirect=True)
def test_a_map_shows_each_step(page: Page, site: Path) -> None:
    """The whole map, at least 600 pixels wide. What lies on it follows the step, with lines for who has moved in it."""
    page.emulate_media(reduced_motion="reduce")
    page.goto(played(site, "svg").as_uri())
    room, board = page.locator(".pan").bounding_box(), page.locator(".whole .plan:not(.side) > g")
    shown, lines = [board.inner_html()], []
    for _ in range(9):
        page.keyboard.press("ArrowRight")
        own = page.locator(f"#on-{page.locator('li.now').get_attribute('id')} svg > g")
        shown.append(board.inner_html())
        lines.append(board.locator(".moved").count())

        assert not own.count() or own.inner_html() == shown[-1]
        assert own.count() or lines[-1] == 0

    assert room and room["width"] >= 600
    assert len({*shown}) > 4
    assert any(lines)
    assert all(shown)
    page.locator("[data-go='-9999']").click()
    assert board.inner_html() == shown[0]


@pytest.mark.parametrize("width", [320, 390, 1024, 1280])
def test_nothing_moves_on_a_page_but_what_moves_on_its_map(width: int, page: Page, site: Path) -> None:
    """Frame and buttons stay where they are from step to step, and the page never scrolls sideways."""
    page.set_viewport_size({"width": width, "height": 740})
    page.emulate_media(reduced_motion="reduce")
    page.goto(played(site, "svg").as_uri())
    page.keyboard.press("ArrowRight")
    page.wait_for_function("scrollY > 200")
    places = set()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        boxes = [page.locator(name).bounding_box() for name in (".pan", ".stepper .buttons")]
        places.add(tuple(tuple(box.values()) for box in boxes if box))

    assert len(places) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_what_has_moved_is_seen_large(width: int, page: Page, site: Path) -> None:
    """Squares of 28 pixels or more; who has moved is within the frame, beside the numbers of the rows.

    Of several who have moved, who may be farther apart than a phone is wide, at least one is.
    """
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(reduced_motion="reduce")
    page.goto(played(site, "svg").as_uri())
    steps = page.locator(".play li[id^=step-]").count()
    square = page.locator(".whole .plan:not(.side)").evaluate(
        "map => 10 * map.getBoundingClientRect().width / map.viewBox.baseVal.width"
    )
    moved = "[...document.querySelectorAll('.pan .moved')].map(line => line.getBoundingClientRect())"
    seen = f"""!{moved}.length || ({moved}).some(line => {{
      const frame = document.querySelector(".pan").getBoundingClientRect();
      const side = document.querySelector(".side").getBoundingClientRect();
      return line.right > side.right && line.left < frame.right && line.bottom > frame.top && line.top < frame.bottom;
    }})"""
    hidden, ways = [], 0
    for step in range(min(steps, 40)):
        page.keyboard.press("ArrowRight")
        ways += page.locator(".pan .moved").count()
        if not page.evaluate(seen):
            hidden.append(step + 1)

    assert square >= 28
    assert ways
    assert hidden == []


@pytest.mark.parametrize("page", [{"java_script_enabled": False}], ids=["no-script"], indirect=True)
def test_without_script_every_step_has_its_map(page: Page, site: Path) -> None:
    """In the text, below the step, where a script and the frame would show it."""
    page.goto(played(site, "svg").as_uri())
    plans = page.locator(".then").all()

    assert len(plans) > 10
    assert all(plan.is_visible() for plan in plans)
    expect(page.locator(".pan")).to_be_hidden()


def test_on_paper_every_step_has_its_map(page: Page, site: Path) -> None:
    page.goto(played(site, "svg").as_uri())
    page.keyboard.press("ArrowRight")
    first = page.locator(".then").first
    expect(first).to_be_hidden()
    page.emulate_media(media="print")

    expect(first).to_be_visible()
    expect(page.locator(".pan")).to_be_hidden()


def test_a_step_has_an_address(page: Page, site: Path) -> None:
    page.goto(f"{kinds(site)['playthrough'].as_uri()}#step-3")

    expect(page.locator("li.now")).to_have_id("step-3")


def test_the_stepper_follows_the_address(page: Page, site: Path) -> None:
    """However it changes: typed, by a link, back and forth. Beyond the end is the last step, other anchors change none.

    The address follows the stepper too, so that it can be handed on, and going back leads where one was.
    """
    url = kinds(site)["playthrough"].as_uri()
    page.goto(url)
    now, last = page.locator("li.now"), page.locator(".play li[id^=step-]").last.get_attribute("id") or ""
    page.goto(f"{url}#step-4")
    expect(now).to_have_id("step-4")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{url}#step-5")
    page.evaluate("location.hash = 'step-4'")
    expect(now).to_have_id("step-4")
    page.evaluate("location.hash = 'final-score'")
    expect(now).to_have_id("step-4")
    page.evaluate("document.querySelector('h1').innerHTML = '<a href=#step-2>two</a>'")
    page.get_by_role("link", name="two").click()
    expect(now).to_have_id("step-2")
    page.goto(f"{url}#step-9999")
    expect(now).to_have_id(last)
    expect(page).to_have_url(f"{url}#{last}")
    page.go_back()
    expect(now).to_have_id("step-2")
    for _ in range(4):
        page.go_back()
    expect(page).to_have_url(url)
    expect(now).to_have_count(0)
    page.go_forward()
    expect(now).to_have_id("step-5")
    page.keyboard.press("ArrowLeft")
    page.locator("[data-go='-9999']").click()
    expect(page).to_have_url(url)


@pytest.mark.parametrize("page", [{"viewport": {"width": 390, "height": 740}}], ids=["phone"], indirect=True)
def test_what_an_address_names_is_not_under_the_stepper(page: Page, site: Path) -> None:
    """Headings too, when the page opens there and when one goes there later."""
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{kinds(site)['playthrough'].as_uri()}#final-score")
    stepper, heading = page.locator(".stepper"), page.locator("#final-score")
    expect(stepper).to_be_visible()
    edge = "document.querySelector('.stepper').getBoundingClientRect().bottom"
    under = f"heading => heading.getBoundingClientRect().top - {edge}"
    opened = heading.evaluate(under)
    page.locator(".play h2").first.evaluate("first => { location.hash = first.id }")
    page.wait_for_function("scrollY < 2000")
    gone = page.locator(".play h2").first.evaluate(under)

    assert 0 <= opened < 100
    assert 0 <= gone < 100


@pytest.fixture(scope="session")
def watched(site: Path) -> Path:
    """A playthrough that can be read from every seat: the page with all cards face up."""
    seen = [page for page in site.glob("*/playthroughs/*.html") if 'class="eyes"' in page.read_text("utf-8")]
    return min(seen, key=lambda page: len(page.name))


def test_a_playthrough_is_seen_from_another_seat(page: Page, watched: Path) -> None:
    """The keyboard alone is enough, and the step chosen stays; back at the start, so does the start.

    The focus stays in the row, to switch again; who comes from elsewhere, or loads the page again, has it nowhere.
    """
    page.goto(watched.as_uri())
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    row = page.locator(".stepper .eyes a")
    names = row.all_inner_texts()
    picture = page.locator(".stepper img").get_attribute("src")

    expect(page.locator("nav.eyes [aria-current=page]")).to_have_text(names[0])
    row.nth(1).focus()
    page.keyboard.press("Tab")
    expect(row.nth(2)).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**#step-2")
    expect(page.locator("li.now")).to_have_id("step-2")
    expect(page.locator("nav.eyes [aria-current=page]")).to_have_text(names[2])
    expect(page.locator(".stepper img")).not_to_have_attribute("src", picture or "")
    expect(row.nth(2)).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator("nav.eyes [aria-current=page]")).to_have_text(names[1])
    expect(row.nth(1)).to_be_focused()
    page.reload()
    expect(page.locator("li.now")).to_have_id("step-2")
    expect(row.nth(1)).not_to_be_focused()
    page.locator("nav.eyes a").nth(2).press("Enter")
    expect(page.locator("nav.eyes a").nth(2)).to_be_focused()
    row.nth(1).click(modifiers=["Control"])
    page.goto("about:blank")
    page.goto(watched.with_name(f"{watched.stem}-{names[1].lower()}.html").as_uri())
    expect(page.locator("nav.eyes [aria-current=page]")).to_have_text(names[1])
    expect(page.locator("body")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.locator(".stepper .eyes a").first.click()
    page.wait_for_url(lambda url: url.partition("#")[0] == watched.as_uri())
    expect(page.locator("li.now")).to_have_count(0)


@pytest.mark.parametrize("page", [{"java_script_enabled": False}], ids=["no-script"], indirect=True)
def test_seats_are_links_without_script(page: Page, watched: Path) -> None:
    page.goto(watched.as_uri())
    row = page.locator("nav.eyes a")
    for number in range(1, row.count()):
        page.goto(watched.as_uri())
        name = row.nth(number).inner_text()
        row.nth(number).click()

        expect(page.locator("nav.eyes [aria-current=page]")).to_have_text(name)
        expect(page.locator("main")).to_contain_text(f"only what {name} could know")


@pytest.mark.parametrize("page", [{"viewport": {"width": 360, "height": 740}}], ids=["phone"], indirect=True)
def test_seats_fit_a_phone(page: Page, watched: Path) -> None:
    """They stand below the picture, none cut off or too small for a finger; the step chosen is not under it."""
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{watched.as_uri()}#step-9")
    expect(page.locator("li.now")).to_have_id("step-9")
    boxes = [link.bounding_box() for link in page.locator(".stepper .eyes a").all()]
    stepper, step = page.locator(".stepper").bounding_box(), page.locator("li.now").bounding_box()

    assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= 360 and box["height"] >= 24 for box in boxes)
    assert stepper and step
    assert stepper["y"] + stepper["height"] <= step["y"] < 740 - 24
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_axe_finds_nothing_at_a_seat(page: Page, watched: Path) -> None:
    """The row of seats stands there twice, and the menu tells of the page beside which this one stands."""
    seat = next(watched.parent.glob(f"{watched.stem}-*.html"))
    page.goto(f"{seat.as_uri()}#step-5")
    expect(page.locator("li.now")).to_have_id("step-5")
    expect(page.locator(".menu [aria-current=true]")).to_have_count(1)

    assert Axe().run(page, options=FROM_DISK).response["violations"] == []


def test_seats_are_printed(page: Page, watched: Path) -> None:
    """A printed page says whose it is."""
    page.goto(watched.as_uri())
    page.emulate_media(media="print")

    expect(page.locator("nav.eyes")).to_be_visible()
    expect(page.locator(".stepper")).to_be_hidden()


@pytest.mark.parametrize("page", [{"color_scheme": scheme} for scheme in ("light", "dark")], indirect=True)
def test_the_seat_chosen_is_seen_without_grounds(page: Page, watched: Path) -> None:
    """A browser leaves them out when it prints: the seat is told by ink, its border and bold letters."""
    page.goto(watched.as_uri())
    page.emulate_media(media="print")
    style = "['color', 'backgroundColor', 'borderTopColor', 'fontWeight'].map(key => getComputedStyle(link)[key])"
    chosen, *others = page.evaluate(f"[...document.querySelectorAll('nav.eyes a')].map(link => {style})")

    assert chosen == ["rgb(0, 0, 0)", "rgba(0, 0, 0, 0)", "rgb(0, 0, 0)", "600"]
    assert {tuple(other) for other in others} == {("rgb(0, 0, 0)", "rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)", "400")}


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
    page.goto((site / "werecats" / "rules-eating.html").as_uri())
    words = page.locator("article .in-words").first
    words.locator("summary").click()

    expect(words.locator("p")).to_be_visible()
    assert words.locator("p").inner_text() == page.locator("article p > img.table").first.get_attribute("alt")


def expect_names(page: Page, names: list[str]) -> None:
    """The gallery shows these, in this order; what reads what is typed comes when somebody types."""
    expect(page.locator(".gallery:visible tbody tr:visible th")).to_have_text(names)


def test_the_gallery_filters(page: Page, birds: str) -> None:
    """Values of one column add up, columns narrow each other down; the count follows, and all can be shown again."""
    page.goto(f"{birds}#gallery-birds")
    form = page.locator(".sieve:visible")
    said = form.get_by_role("status")
    expect(said).to_have_text("14 of 14")
    form.get_by_label("Night Song", exact=True).check()
    expect(said).to_have_text("2 of 14")
    expect_names(page, ["Barn owl", "Snow owl"])
    form.get_by_label("hiss").check()
    expect_names(page, ["Barn owl", "Moor owl", "Snow owl"])
    form.get_by_role("group", name="wings").get_by_label("from").fill("5")
    expect_names(page, ["Snow owl"])
    form.get_by_role("group", name="wings").get_by_label("to").fill("8")
    expect(said).to_have_text("None of 14; remove a filter")
    form.get_by_role("button", name="Show all").click()
    expect(said).to_have_text("14 of 14")
    form.get_by_label("Find").fill("LAMPS comes")
    expect_names(page, ["Dusk owl"])
    form.get_by_label("Find").fill("in a barn")
    expect_names(page, ["Barn owl"])


def test_the_gallery_works_with_columns_of_any_name(page: Page, tmp_path: Path) -> None:
    """A form of HTML has `elements` of its own, an object of JavaScript a `constructor`."""
    folder = write_birds(tmp_path / "birds")
    for old, new in (("family", "elements"), ("wings", "constructor")):
        for name in ("game.yaml", "birds.csv"):
            path = folder / name
            path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    (tmp_path / "site").mkdir()
    build_site([show(folder)], tmp_path / "site", Problems())
    page.goto((tmp_path / "site" / "birds" / "gallery.html").as_uri() + "#gallery-birds")
    said = page.locator(".sieve:visible").get_by_role("status")
    every = said.inner_text()
    page.locator("input[name=elements]:visible").first.check()
    page.locator("input[name=constructor]:visible").first.fill("1")

    assert every[0] != "0"
    assert said.inner_text() != every


def test_the_gallery_sorts(page: Page, birds: str) -> None:
    """Numbers as numbers, choices in the order of the game, what has no number last; up, down, and as it was."""
    page.goto(f"{birds}#gallery-birds")
    page.get_by_label("Find").locator("visible=true").fill("owl")
    wings = page.locator(".gallery:visible th[data-key=wings]")
    wings.get_by_role("button").click()
    expect_names(page, ["Dusk owl", "Barn owl", "Snow owl", "Moor owl"])
    expect(wings).to_have_attribute("aria-sort", "ascending")
    wings.get_by_role("button").press("Enter")
    expect_names(page, ["Snow owl", "Barn owl", "Dusk owl", "Moor owl"])
    expect(wings).to_have_attribute("aria-sort", "descending")
    wings.get_by_role("button").press("Enter")
    expect_names(page, ["Barn owl", "Dusk owl", "Moor owl", "Snow owl"])
    assert wings.get_attribute("aria-sort") is None
    page.locator(".gallery:visible th[data-key=family] button").click()
    expect_names(page, ["Moor owl", "Barn owl", "Dusk owl", "Snow owl"])
    page.locator(".gallery:visible th[data-key=name] button").click()
    page.locator(".gallery:visible th[data-key=name] button").click()
    expect_names(page, ["Snow owl", "Moor owl", "Dusk owl", "Barn owl"])
    assert page.locator("[aria-sort]").count() == 1
    page.get_by_label("Find").locator("visible=true").fill("")
    wings.get_by_role("button").click()
    hens = page.locator(".gallery:visible tbody tr:visible th", has_text="Hen")
    expect(hens).to_have_text([f"Hen {n}" for n in range(1, 11)])


def test_the_address_keeps_the_gallery(page: Page, birds: str) -> None:
    """What is chosen stands in the address; whoever opens it sees the same, and Show all empties it."""
    page.goto(birds)
    page.locator(".decks").get_by_text("Birds").click()
    form = page.locator(".sieve:visible")
    form.get_by_label("barn", exact=True).check()
    form.get_by_label("wood", exact=True).check()
    form.get_by_label("far").check()
    form.get_by_role("group", name="wings").get_by_label("to").fill("4")
    page.locator(".gallery:visible th[data-key=wings] button").click()
    form.get_by_role("button", name="Table").click()
    expected = "deck=birds&family=wood&family=barn&view_=far&wings=..4&sort=wings&view=table"
    assert urlsplit(page.url).fragment == expected
    url = page.url
    page.goto("about:blank")
    page.goto(url)

    expect_names(page, ["Barn owl"])
    expect(form.get_by_label("barn", exact=True)).to_be_checked()
    expect(form.get_by_role("button", name="Table")).to_have_attribute("aria-pressed", "true")
    page.evaluate("location.hash = 'sort=-power'")
    expect(page.locator("#gallery-cards")).to_be_visible()
    expect_names(page, ["Owl", "Mouse"])
    page.get_by_role("button", name="Show all").locator("visible=true").click()
    expect(page).to_have_url(birds)


def test_a_piece_is_shown_large(page: Page, birds: str) -> None:
    """A click opens it with all its values; arrows go through what is shown; closing leads back to where one was."""
    page.goto(f"{birds}#deck=birds&find=owl&sort=-wings")
    page.locator(".gallery:visible tbody a:visible").first.click()
    large = page.locator("dialog.large")
    expect(large.locator(".heading")).to_have_text("Snow owl")
    expect(large.locator("img")).to_be_visible()
    assert large.locator("dt").all_text_contents() == ["family", "wings", "tame", "song", "tale", "view"]
    assert large.locator("dd").all_text_contents() == ["snow", "9", "yes", "Night Song", "–", "near"]
    expect(large.get_by_role("link")).to_have_attribute("href", re.compile("components-birds.html#snow-owl$"))
    page.keyboard.press("ArrowRight")
    expect(large.locator(".heading")).to_have_text("Barn owl")
    large.get_by_role("button", name="Previous").click()
    expect(large.locator(".heading")).to_have_text("Snow owl")
    assert Axe().run(page, options=FROM_DISK).response["violations"] == []
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(large).to_be_hidden()
    expect(page.get_by_role("link", name="Barn owl")).to_be_focused()


@pytest.mark.parametrize("page", [{"java_script_enabled": False}], ids=["no-script"], indirect=True)
def test_a_gallery_without_script_is_a_table(page: Page, birds: str) -> None:
    """Every deck is there with every cell; nothing offers what would not work; a name leads to its component."""
    page.goto(birds)

    assert page.locator("tbody tr:visible").count() == 16
    assert page.locator("table:visible").count() == 2
    expect(page.get_by_role("cell", name="hiss", exact=True)).to_be_visible()
    assert page.locator("main button:visible, main input:visible").count() == 0
    page.get_by_role("link", name="Moor owl").click()
    expect(page.locator("#moor-owl")).to_be_visible()


def test_a_gallery_stays_a_table_for_those_who_hear_it(page: Page, birds: str) -> None:
    """As pictures too: rows, headings and cells keep their roles, and cells that cannot be seen are still told."""
    page.goto(f"{birds}#gallery-birds")
    expect(page.locator(".gallery.pictures:visible")).to_have_count(1)
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    heard = [(node["role"]["value"], node.get("name", {}).get("value")) for node in tree if not node["ignored"]]
    roles = [role for role, _ in heard]

    assert [roles.count(role) for role in ("table", "row", "columnheader", "rowheader")] == [1, 15, 7, 14]
    assert ("cell", "hiss") in heard


def test_a_gallery_prints_what_is_shown(page: Page, birds: str) -> None:
    page.goto(f"{birds}#deck=birds&family=snow")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    assert page.locator("main button:visible, main input:visible").count() == 0
    expect_names(page, ["Snow owl"])
    expect(page.get_by_role("status").locator("visible=true")).to_have_text("1 of 14")


@pytest.mark.parametrize("page", [{"viewport": {"width": 360, "height": 740}}], ids=["phone"], indirect=True)
def test_a_gallery_fits_a_phone(page: Page, birds: str) -> None:
    """As pictures, as a table and large; the filters are folded until they are wanted."""
    page.goto(f"{birds}#gallery-birds")
    expect(page.get_by_label("Night Song")).to_be_hidden()
    page.locator(".sifting summary:visible").click()
    expect(page.get_by_label("Night Song")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_role("button", name="Table").locator("visible=true").click()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.locator(".gallery:visible tbody a").first.click()
    expect(page.locator("dialog.large")).to_be_visible()
    box = page.locator("dialog.large").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360


@pytest.mark.soak
def test_pictures_and_fonts_are_there(page: Page, site: Path) -> None:
    """No picture is broken, and the fonts are the site's own."""
    for url in pages_from_disk(site):
        page.goto(url)
        page.evaluate("document.querySelectorAll('img').forEach(image => image.loading = 'eager')")
        page.wait_for_function("Array.from(document.images).every(image => image.complete)")

        assert page.evaluate("Array.from(document.images).filter(i => !i.naturalWidth).map(i => i.src)") == [], url
        assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('16px BookSans'))"), url


ODDS = "wolf-mans-curse/odds/unknown-cards.html"


def test_odds_are_plots_with_names_and_tables(page: Page, site: Path) -> None:
    """Each plot has a table of the same name, folded but for the first; a reader can open it with the keys alone."""
    page.goto((site / ODDS).as_uri())
    names = [f"{players} players" for players in range(3, 9)]
    folded = page.locator("details.numbers")

    assert [page.get_by_role("img", name=name, exact=True).count() for name in names] == [1] * 6
    assert folded.locator("summary").all_inner_texts() == names
    expect(folded.nth(0).locator("table")).to_be_visible()
    expect(folded.nth(1).locator("table")).to_be_hidden()
    folded.nth(1).locator("summary").press("Enter")
    expect(folded.nth(1).get_by_role("row", name=re.compile("^10 "))).to_be_visible()
    assert folded.nth(1).locator("tbody tr").count() == 10


@pytest.mark.parametrize(
    "page",
    [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"viewport": {"width": 360, "height": 740}}],
    ids=["light", "dark", "phone"],
    indirect=True,
)
def test_plots_take_the_colour_of_the_text_and_the_width_of_the_page(page: Page, site: Path) -> None:
    page.goto((site / ODDS).as_uri())
    colours = page.evaluate("['.plot svg', 'h1'].map(one => getComputedStyle(document.querySelector(one)).color)")
    box = page.locator(".plot svg").first.bounding_box()
    assert box is not None
    size = page.viewport_size
    assert size is not None

    assert colours[0] == colours[1]
    assert 300 <= box["width"] <= size["width"]


SEEN = """wanted => [...document.querySelectorAll(wanted)]
  .filter(one => one.checkVisibility({ visibilityProperty: true })).map(one => one.outerHTML)"""
"""What can be seen of what a selector names."""


def test_print_has_no_chrome_and_unfolds(page: Page, site: Path) -> None:
    """No kind of page prints a menu, the search or a button; whose eyes one looks through is no menu but a title.

    Everything is unfolded but what spoils a story: that is printed while it is open.
    """
    page.emulate_media(media="print")
    chrome = "nav:not(.eyes), .top, .menu, .skip, .stepper, [role=search], button, input, footer a, .position"
    printed = {}
    for path in kinds(site).values():
        page.goto(path.as_uri())
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        printed[path.name] = page.evaluate(SEEN, chrome)

        assert page.locator("main details:not(.in-words, .spoiler):not([open])").count() == 0, path

    assert {name: found for name, found in printed.items() if found} == {}


def test_a_playthrough_is_printed_over_the_whole_width(page: Page, site: Path) -> None:
    """Paper has no stepper to keep a place for."""
    page.set_viewport_size({"width": 688, "height": 971})
    page.emulate_media(media="print")
    page.goto(kinds(site)["playthrough"].as_uri())
    widths = page.evaluate(
        "['.play > p', 'main'].map(name => document.querySelector(name).getBoundingClientRect().width)"
    )

    assert widths[0] > 0.8 * widths[1]


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("name", bundled_games())
def test_a_quick_reference_prints_on_one_page(name: str, paper: str, page: Page, site: Path) -> None:
    page.goto((site / name / "quick.html").as_uri())
    document = pypdfium2.PdfDocument(page.pdf(format=paper, prefer_css_page_size=True))
    pages = len(document)
    document.close()

    assert pages == 1


@pytest.mark.parametrize("name", bundled_games())
def test_a_quick_reference_is_hardly_more_than_a_screen(name: str, page: Page, site: Path) -> None:
    """On a desk of 1280 by 800; and on a phone nothing is wider than that."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto((site / name / "quick.html").as_uri())
    foot = page.evaluate("document.querySelector('.glances').getBoundingClientRect().bottom")
    page.set_viewport_size({"width": 390, "height": 844})

    assert foot <= 1.4 * 800
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("selector", ["main p", "h2"])
def test_the_first_page_from_disk_has_our_fonts(selector: str, browser: Browser, site: Path) -> None:
    """Not those that stand in for them until the next page."""
    with browser.new_page() as page:
        page.goto((site / "werecats" / "learn.html").as_uri(), wait_until="networkidle")
        asked = page.context.new_cdp_session(page)
        for domain in ("DOM", "CSS"):
            asked.send(f"{domain}.enable")
        root = asked.send("DOM.getDocument")["root"]["nodeId"]
        node = asked.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
        page.wait_for_function("document.fonts.status === 'loaded'")

        fonts = asked.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        assert [font["isCustomFont"] for font in fonts] == [True]


def test_the_first_jump_does_not_glide(page: Page, site: Path) -> None:
    """Later ones do, unless somebody prefers less motion."""
    gliding = "getComputedStyle(document.documentElement).scrollBehavior === 'smooth'"
    page.goto(f"{(site / 'werecats' / 'terms.html').as_uri()}#vigor")

    assert not page.evaluate(gliding)
    page.keyboard.press("Tab")
    page.wait_for_function(gliding)
    page.emulate_media(reduced_motion="reduce")
    assert not page.evaluate(gliding)
