"""The search of a site in a real browser: what is found and forgiven, what the address keeps, and how light it is."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from shown import BIRDS, show, write_birds

from grimalkin.problems import Problems
from grimalkin.site.pages import build_site

pytestmark = pytest.mark.slow("a browser looks at the built site")

MOST = 300_000
"""Bytes of the index of the longest game that any question may load before its answer; a few words load half of it."""
MOST_PART = 50_000
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


def test_no_part_of_the_index_is_heavy(site: Path) -> None:
    """Not packed, as some servers send it, a file of the longest game has no more than a photograph has."""
    heads, parts = ((site / "assets" / "found").glob(which) for which in ("*.js", "*/*.js"))

    assert [path for path in heads if path.stat().st_size > MOST // 2] == []
    assert [path for path in parts if path.stat().st_size > MOST_PART] == []


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("initiative", "#initiative"),
        ("what happens when a hero has 0 lives and nobody heals him before the end of the scenario?", "#NO-AMB-40"),
        ("los-2", "#NO-LOS-2"),
        ("ammuniton", "#stash"),
    ],
)
def test_an_answer_needs_little_of_one_index(typed: str, answer: str, page: Page, site: Path, served: str) -> None:
    """Neither other games nor any text of a result is loaded before it."""
    game, loaded = "cats-of-new-orleans", []

    def only_needed(route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path.startswith((f"/assets/found/{game}.js", f"/assets/found/{game}/posts-")):
            loaded.append(site / path.lstrip("/"))
            route.continue_()

    page.route("**/assets/found/**", only_needed)
    page.goto(f"{served}/{game}/index.html")
    asked(page, typed)

    expect(page.locator(f"{FIRST}[href*='{answer}']").first).to_be_visible()
    assert loaded
    assert sum(path.stat().st_size for path in loaded) <= (MOST if " " in typed else MOST * 0.6)
    page.unroute_all(behavior="ignoreErrors")


def test_texts_are_loaded_for_results_that_are_seen(page: Page, site: Path) -> None:
    """Whoever moves down sees more of them."""
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url) if "/texts-" in request.url else None)
    page.goto((site / "cats-of-new-orleans" / "index.html").as_uri())
    asked(page, "heroes attack vermin in a scenario")
    lines = page.locator(f"{FIRST} .line")
    expect(lines.first).to_have_text(re.compile(r"\w"))
    expect(lines.last).to_be_empty()
    seen = len(loaded)
    lines.last.scroll_into_view_if_needed()

    expect(lines.last).to_have_text(re.compile(r"\w"))
    assert len(loaded) > seen
    assert len(loaded) == len(set(loaded))


def test_other_games_answer_once_typing_rests(page: Page, two: Path) -> None:
    """After the current game, whose answers stand first."""
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto((two / "one" / "index.html").as_uri())
    page.locator("#q").press_sequentially("night song", delay=20)
    expect(page.locator(FIRST).first).to_have_attribute("href", re.compile("one/terms.html#hooting$"))

    expect(page.locator(f"{FIRST}[href$='two/terms.html#hooting']")).to_have_count(1)
    files = [url.rpartition("/found/")[2] for url in loaded if "/found/" in url]
    assert ["one.js", "one/posts-0"] == [files[0], files[1].rpartition("-")[0]]
    assert "two.js" in files


@pytest.mark.parametrize("typed", ["qqqq", "when"])
def test_nothing_more_is_loaded_while_a_word_is_typed(typed: str, page: Page, two: Path) -> None:
    """Neither other games for a beginning that the current one lacks, nor the lists of words that say little."""
    page.goto((two / "one" / "index.html").as_uri())
    page.locator("#q").focus()
    page.wait_for_function("window.grimalkinSearch && window.grimalkinFound.one")
    loaded = page.evaluate(
        """typed => {
          const field = document.querySelector("#q");
          function type(text) { field.value = text; field.dispatchEvent(new Event("input")); }
          type(typed);
          return new Promise((then) => setTimeout(() => {
            type(typed + " owl");
            then([...document.scripts].map((one) => one.src).filter((src) => /found.(two|site)|one.posts/.test(src)));
          }, 50));
        }""",
        typed,
    )

    expect(page.locator(FIRST).first).to_contain_text("Owl")
    assert [] == loaded


@pytest.mark.parametrize("lost", ["one.js", "one/posts-*.js", "one/texts-*.js", "two.js", "two/posts-*.js"])
def test_a_part_that_is_lost_is_said(lost: str, page: Page, two: Path, tmp_path: Path) -> None:
    """All that can be found is found, and the part can be asked for again."""
    site = shutil.copytree(two, tmp_path / "site")
    found = site / "assets" / "found"
    gone = {path: path.read_bytes() for path in found.glob(lost)}
    for path in gone:
        path.unlink()
    page.goto((site / "one" / "index.html").as_uri())
    asked(page, "night song")
    expect(page.locator("#found p")).to_contain_text("Part of the search could not be loaded.")
    rest = "one" if lost.startswith("two") or "texts" in lost else "two"
    expect(page.locator(f"{FIRST}[href$='{rest}/terms.html#hooting']")).to_have_count(1)
    assert gone
    assert "No results" not in page.locator("#found p").inner_text()

    for path, text in gone.items():
        path.write_bytes(text)
    page.locator("#found .again").click()
    expect(page.locator(f"{FIRST}[href$='terms.html#hooting']")).to_have_count(2)
    expect(page.locator(f"{FIRST} .line").first).to_contain_text("A song.")
    expect(page.locator("#found .again")).to_have_count(0)
    expect(page.locator("#q")).to_be_focused()


@pytest.mark.parametrize("lost", ["search.js", "search-index.js"])
def test_a_search_that_was_lost_comes_when_it_is_asked_again(lost: str, page: Page, two: Path, tmp_path: Path) -> None:
    site = shutil.copytree(two, tmp_path / "site")
    text = (site / "assets" / lost).read_bytes()
    (site / "assets" / lost).unlink()
    page.goto((site / "one" / "index.html").as_uri())
    with page.expect_event("requestfailed"):
        page.locator("#q").focus()
    (site / "assets" / lost).write_bytes(text)
    page.locator("#q").blur()
    page.locator("#q").focus()
    asked(page, "night song")

    expect(page.locator(FIRST).first).to_have_attribute("href", re.compile("one/terms.html#hooting$"))


def test_enter_waits_for_the_answer(page: Page, served: str) -> None:
    """It leads to what was typed, not to what was found for the letters before."""
    held: list[Route] = []
    page.goto(f"{served}/were-kittens/index.html")
    asked(page, "quarter")
    expect(page.locator(FIRST).first).to_be_visible()
    page.route("**/posts-*", lambda route: held.append(route))
    page.locator("#q").fill("wk-piece-6")
    page.locator("#q").press("Enter")
    page.wait_for_function("document.activeElement.id === 'q'")
    for route in held:
        route.continue_()

    page.wait_for_url(re.compile("were-kittens/.*#WK-PIECE-6$"))


def test_the_benchmark_of_the_first_answer_runs(two: Path, tmp_path: Path) -> None:
    """It tells what a site loads."""
    queries = tmp_path / "queries.yaml"
    queries.write_text("one:\n- {q: night song, kind: phrase, accept: [hooting]}\n", "utf-8")
    script = Path(__file__).parents[2] / "benchmarks" / "search" / "first.py"
    command = [sys.executable, str(script), str(two), "--queries", str(queries)]
    done = subprocess.run(command, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    assert f"| a game | {two} | 1 |" in done.stdout


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
