"""The stepper of playthroughs: a table that can be read at any width, what is new on it, words, score and address."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from kinds_of_pages import kinds
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.slow("a browser looks at the built site")

PLAYED = ("were-kittens/WK-PLAY-2", "werecats/WC-PLAY-2", "wolf-mans-curse/WM-PLAY-1", "curses-and-covens/CC-PLAY-1")
MAPS = ("cats-of-new-orleans/NO-PLAY-1", "cats-of-new-orleans/NO-PLAY-2")
DESKS = ((1280, 800), (1366, 768))
PHONES = ((390, 844), (320, 640))


def page_of(site: Path, name: str) -> str:
    game, play = name.split("/")
    return (site / game / "playthroughs" / f"{play}.html").as_uri()


def open_at(page: Page, url: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(reduced_motion="reduce")
    page.goto("about:blank")  # an address that differs in its anchor alone would not be opened anew
    page.goto(url)


def test_the_table_is_large_on_a_desk_and_leaves_room_on_a_phone(page: Page, site: Path) -> None:
    """At least 600 pixels wide beside the text; on a phone at most 35 hundredths of its height, with the step below."""
    for name in PLAYED + MAPS:
        for size in DESKS:
            open_at(page, page_of(site, name), size)
            pan, text = page.locator(".pan").bounding_box(), page.locator(".play").bounding_box()

            assert pan and text
            assert pan["width"] >= 600, name
            assert pan["x"] >= text["x"] + text["width"], name
        for size in PHONES:
            open_at(page, page_of(site, name), size)
            for _ in range(5):
                page.keyboard.press("ArrowRight")
            pan, stepper = page.locator(".pan").bounding_box(), page.locator(".stepper").bounding_box()
            step = page.locator("li.now").bounding_box()

            assert pan and stepper and step
            assert pan["height"] <= 0.35 * size[1], name
            assert stepper["y"] + stepper["height"] <= step["y"] < size[1] - 24, name


def test_all_letters_on_a_table_can_be_read(page: Page, site: Path) -> None:
    """None is of a type below 11 pixels, on a desk and on a phone, on any table of a step."""
    small: dict[str, float] = {}
    for name in PLAYED:
        wide = []
        for size in (DESKS[0], PHONES[1]):
            open_at(page, page_of(site, name), size)
            wide.append(page.locator(".stepper img").evaluate("picture => picture.getBoundingClientRect().width"))
        page.keyboard.press("ArrowRight")
        page.wait_for_function("window.grimalkinTables")
        paths = page.evaluate("[...new Set(Object.values(grimalkinTables.steps).map(step => step[0]))]")
        folder = site / name.split("/")[0] / "playthroughs"
        for path in paths[::3]:
            svg = (folder / path).resolve().read_text("utf-8")
            small[name] = min(small.get(name, 99.0), smallest(page, svg, min(wide)))

    assert {} == {place: found for place, found in small.items() if found < 11}


def smallest(page: Page, svg: str, wide: float) -> float:
    """The smallest type of a drawing that is so wide, in pixels: it is put into the page to be measured."""
    return float(
        page.evaluate(
            """([svg, wide]) => {
              const holder = document.createElement("div");
              holder.innerHTML = svg;
              document.body.append(holder);
              const drawn = holder.firstElementChild;
              drawn.style.width = wide + "px";
              drawn.style.height = "auto";
              const used = [...drawn.querySelectorAll("use")].map(use => [use, use.getAttribute("href").slice(1)]);
              const scale = element => { const m = element.getScreenCTM(); return m ? Math.hypot(m.a, m.b) : 0; };
              let least = 99;
              for (const text of drawn.querySelectorAll("text")) {
                const home = text.closest("defs > *, symbol");
                const places = home ? used.filter(([use, name]) => name === home.id && !use.closest("defs")) : [[text]];
                for (const [place] of places) {
                  const box = place === text ? null : (home.getAttribute("viewBox") || "").split(" ");
                  const own = box && box.length === 4 ? place.getAttribute("width") / box[2] : 1;
                  least = Math.min(least, parseFloat(getComputedStyle(text).fontSize) * scale(place) * own);
                }
              }
              holder.remove();
              return least;
            }""",
            [svg, wide],
        )
    )


@pytest.mark.parametrize("size", [DESKS[0], *PHONES], ids=["desk", "phone", "small"])
def test_all_letters_on_a_map_can_be_read(size: tuple[int, int], page: Page, site: Path) -> None:
    small = []
    for name in MAPS:
        open_at(page, f"{page_of(site, name)}#step-9", size)
        small += page.evaluate(
            """[...document.querySelectorAll(".plan-parts text, .plan-parts tspan")].map(text => {
              const map = document.querySelector(".whole .plan:not(.side)"), own = map.getScreenCTM().a;
              const style = document.querySelector(".whole ." + (text.getAttribute("class") || "none"));
              return [text.textContent, parseFloat(getComputedStyle(text).fontSize) * own];
            }).filter(([words, type]) => words.trim() && type < 11)"""
        )

    assert [] == small


def test_what_is_new_has_a_mark_and_is_seen(page: Page, site: Path) -> None:
    """Hester lays the ace of hearts: a ring is around it, a broken one where it was. A phone shows the ring."""
    for size in (DESKS[0], PHONES[0]):
        open_at(page, f"{page_of(site, 'wolf-mans-curse/WM-PLAY-1')}#step-5", size)
        new, gone, frame = (
            page.locator(".marks .new"),
            page.locator(".marks .gone"),
            page.locator(".pan").bounding_box(),
        )
        expect(new).to_have_count(1)
        expect(gone).to_have_count(1)
        ring, left = new.bounding_box(), gone.bounding_box()

        assert frame and ring and left
        assert frame["x"] <= ring["x"] < ring["x"] + ring["width"] <= frame["x"] + frame["width"]
        assert frame["y"] <= ring["y"] < ring["y"] + ring["height"] <= frame["y"] + frame["height"]
        assert 40 < ring["height"] < 90
        assert left["x"] + left["width"] < ring["x"]


def test_home_and_end_lead_to_the_start_and_to_the_last_step(page: Page, site: Path) -> None:
    url = page_of(site, PLAYED[0])
    open_at(page, url, DESKS[0])
    last = page.locator(".play li[id^=step-]").last.get_attribute("id") or ""
    page.keyboard.press("End")
    expect(page.locator("li.now")).to_have_id(last)
    expect(page).to_have_url(f"{url}#{last}")
    page.keyboard.press("Home")
    expect(page.locator("li.now")).to_have_count(0)
    expect(page).to_have_url(url)


def test_the_number_of_a_step_is_its_address(page: Page, site: Path) -> None:
    url = page_of(site, PLAYED[0])
    open_at(page, url, DESKS[0])
    page.locator("#step-4 .nr").click()
    expect(page.locator("li.now")).to_have_id("step-4")
    expect(page).to_have_url(f"{url}#step-4")


def test_the_table_is_told_in_words(page: Page, site: Path) -> None:
    """All of it, at every step, whoever opens the words before the first step too."""
    open_at(page, page_of(site, PLAYED[0]), DESKS[0])
    words = page.locator(".stepper .in-words p")
    page.locator(".stepper .in-words summary").click()
    expect(words).to_contain_text("Ada: nothing.")
    page.locator("[data-go='1']").click()
    expect(words).not_to_contain_text("Ada: nothing.")
    expect(words).to_contain_text("Ada:")
    expect(words).to_contain_text("Basil:")
    assert page.evaluate("document.activeElement.dataset.go") == "1"


def test_the_score_runs_with_the_steps(page: Page, site: Path) -> None:
    """As the engine counts it after every step, up to the score at the end."""
    open_at(page, page_of(site, "werecats/WC-PLAY-2"), DESKS[0])
    page.keyboard.press("End")
    score = page.locator(".so-far")
    totals = page.locator(".sums table tr:last-child td:last-child, .sums .total").all_inner_texts()
    expect(score).to_contain_text("Ada")
    shown = [part.rsplit(" ", 1)[1] for part in score.inner_text().split(", ")]

    assert shown == totals != []


def test_the_picture_can_take_the_whole_window(page: Page, site: Path) -> None:
    """And gives it back, at the same step; meanwhile nothing else can be reached."""
    for name in (PLAYED[1], MAPS[0]):
        open_at(page, f"{page_of(site, name)}#step-3", PHONES[0])
        page.locator(".enlarge").click()
        whole = page.locator(".whole").bounding_box()

        assert whole and 300 < whole["width"] <= 390
        assert page.evaluate("document.querySelector('.play').inert")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Escape")
        expect(page.locator("li.now")).to_have_id("step-4")
        assert not page.evaluate("document.querySelector('.play').inert")


SHIFTS = """window.shifted = 0;
new PerformanceObserver(list => list.getEntries().forEach(entry => { window.shifted += entry.value; }))
  .observe({type: "layout-shift", buffered: true});"""
PLACES = """[document.querySelector(".buttons").offsetTop, document.querySelector(".stepper").offsetHeight]"""
"""Where the buttons stand below the picture, and how high all of the stepper is."""


def late(route: Route) -> None:
    """A font or a script that comes when the page is drawn."""
    time.sleep(0.2)
    route.continue_()


def test_nothing_moves_while_a_page_comes(page: Page, site: Path, served: str) -> None:
    """On a phone, where most is moved: on no kind of page and in no gallery, when fonts and scripts come late."""
    page.add_init_script(SHIFTS)
    page.route(re.compile(r"\.(woff2|js)$"), late)
    moved = {}
    for path in sorted({*kinds(site).values(), *site.glob("*/gallery.html")}):
        name = path.relative_to(site).as_posix()
        open_at(page, f"{served}/{name}", PHONES[0])
        page.wait_for_load_state("networkidle")
        moved[name] = page.evaluate("window.shifted")

    assert {} == {name: far for name, far in moved.items() if far > 0.1}


def test_nothing_moves_while_a_page_comes_or_is_stepped_through(page: Page, site: Path, served: str) -> None:
    """Not when fonts and scripts come late, and not from step to step; 0.1 is what browsers call good."""
    page.add_init_script(SHIFTS)
    page.route(re.compile(r"\.(woff2|js)$"), late)
    names = [f"{name.split('/')[0]}/playthroughs/{name.split('/')[1]}.html" for name in (PLAYED[2], MAPS[0])]
    moved = {}
    for size in (DESKS[0], PHONES[0]):
        for name in ("index.html", "wolf-mans-curse/index.html", *names):
            open_at(page, f"{served}/{name}", size)
            page.wait_for_load_state("networkidle")
            if "playthroughs" in name:
                page.wait_for_selector("body.stepping")
                places = {tuple(page.evaluate(PLACES))}
                for _ in range(6):
                    page.evaluate("document.querySelector('[data-go=\"1\"]').click()")
                    page.wait_for_timeout(50)
                    places.add(tuple(page.evaluate(PLACES)))

                assert len(places) == 1, (name, size)
            moved[name, size] = page.evaluate("window.shifted")

    assert {} == {place: far for place, far in moved.items() if far > 0.1}
