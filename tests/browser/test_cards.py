"""Cards that are asked with operators: what cards.js reads, and what a gallery makes of it."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from grimalkin.source import data_folder

pytestmark = pytest.mark.slow("a browser looks at the built site")

COLUMNS = [
    {"key": "wings", "label": "wings", "kind": "number"},
    {"key": "family", "label": "Kin", "kind": "choice", "choices": ["wood", "barn", "old wood"]},
    {"key": "claw", "label": "claw marks", "kind": "number"},
    {"key": "tale", "label": "what it tells, if anything", "kind": "text"},
    {"key": "level", "label": "level", "kind": "choice", "choices": ["1", "2"], "numbers": True},
    {"key": "view_", "label": "view", "kind": "text"},
]
BIRDS = {
    "Owl": ["4", "old wood", "2", "Comes late and goes early", "1", "far"],
    "Café hen": ["–", "wood", "12", "", "2", "near"],
    "Jay": ["10", "barn", "0", "Says: hello", "1", "far"],
}
ASKED = """([text, columns, birds]) => {
  const cards = window.grimalkin.cards, query = cards.parse(text, columns, ["Birds", "Coins"]);
  const rows = Object.entries(birds).map(([name, cells]) => ({
    name, deck: "Birds", text: [name, ...cells].join("\\n"),
    values: Object.fromEntries(columns.map((column, n) => [column.key, cells[n]])),
  }));
  return [rows.filter(row => cards.matches(row, query)).map(row => row.name), query.problems];
}"""


@pytest.fixture
def cards(page: Page) -> Page:
    """A page with nothing but cards.js."""
    page.evaluate("window.grimalkin = {}")
    page.add_script_tag(path=data_folder("site") / "theme" / "assets" / "cards.js")
    return page


def ask(cards: Page, text: str) -> tuple[str, list[dict[str, Any]]]:
    """The birds that a question finds, and what is wrong with it."""
    found, problems = cards.evaluate(ASKED, [text, COLUMNS, BIRDS])
    return ", ".join(found), problems


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "Owl, Café hen, Jay"),
        ("wings>4", "Jay"),
        ("wings>=4", "Owl, Jay"),
        ("wings ≥ 4", "Owl, Jay"),
        ("wings<10", "Owl"),
        ("wings<=4", "Owl"),
        ("wings=4", "Owl"),
        ("wings:4", "Owl"),
        ("claw:2", "Owl"),
        ("wings!=4", "Café hen, Jay"),
        ("-wings>4", "Owl, Café hen"),
        ("WINGS > 4", "Jay"),
        ("family:WOOD", "Owl, Café hen"),
        ("family=wood", "Café hen"),
        ('family="old wood"', "Owl"),
        ("kin:barn", "Jay"),
        ("family!=wood", "Owl, Jay"),
        ("-family:wood", "Jay"),
        ("family:wood wings>2", "Owl"),
        ("claw-marks>1", "Owl, Café hen"),
        ("claw marks>1", "Owl, Café hen"),
        ("-claw marks>1", "Jay"),
        ("late claw marks>1", "Owl"),
        ('"claw marks">1', "Owl, Café hen"),
        ("clawmarks>1 far", "Owl"),
        ("tale:late", "Owl"),
        ('tale:"and goes"', "Owl"),
        ("level>1", "Café hen"),
        ("view:far", "Owl, Jay"),
        ("name:owl", "Owl"),
        ("-name:owl", "Café hen, Jay"),
        ("deck:birds", "Owl, Café hen, Jay"),
        ("deck:coins", ""),
        ("cafe", "Café hen"),
        ("CAFÉ", "Café hen"),
        ("owl late", "Owl"),
        ('"late goes"', ""),
        ('"late and"', "Owl"),
        ("“late and”", "Owl"),
        ('"late and', "Owl"),
        ("-late", "Café hen, Jay"),
        ('-"late and" far', "Jay"),
        ("owl -", "Owl"),
        ("says: hello", "Jay"),
        ("hello says:", "Jay"),
    ],
)
def test_what_is_asked_is_found(cards: Page, text: str, found: str) -> None:
    """Every operator, alone and with others; names of columns in any case, with hyphens, blanks or neither."""
    assert ask(cards, text) == (found, [])


@pytest.mark.parametrize(
    ("text", "kind", "name", "near"),
    [
        ("wing>2", "column", "wing", "wings"),
        ("wigns>2", "column", "wigns", "wings"),
        ("fmaily:x", "column", "fmaily", "kin"),
        ("claw mark>2", "column", "mark", None),
        ("zzz:x", "column", "zzz", None),
        ("constructor:1", "column", "constructor", None),
        ("__proto__=1", "column", "__proto__", None),
        ("wings>many", "number", "wings", None),
        ("wings:many", "number", "wings", None),
        ("family>2", "words", "kin", None),
        ("tale<x", "words", "tale", None),
        ("view:", "value", "view", None),
        ('wings>""', "value", "wings", None),
        ("family:bran", "choice", "kin", "barn"),
        ("family=woo", "choice", "kin", "wood"),
        ("deck:Coin", None, None, None),
        ("deck:brids", "choice", "deck", "Birds"),
    ],
)
def test_what_cannot_be_asked_is_said(
    cards: Page, text: str, kind: str | None, name: str | None, near: str | None
) -> None:
    """With the word that was meant, where one is near; a column is called as it can be written."""
    _, problems = ask(cards, text)

    told = [(one["kind"], one["name"], one.get("near") or None) for one in problems]

    assert told == ([(kind, name, near)] if kind else [])


def test_a_question_that_cannot_be_read_takes_no_card_away(cards: Page) -> None:
    assert ask(cards, "wing>2 far")[0] == "Owl, Jay"


def test_long_questions_are_read_soon(cards: Page) -> None:
    """A question of a hundred thousand letters takes no more than a moment."""
    for part in ("a", '"', "-", ">", "a ", " ", "a:", "!", "wings>", "a-"):
        took = cards.evaluate(
            "([text, columns]) => { const at = performance.now(); window.grimalkin.cards.parse(text, columns);"
            " return performance.now() - at; }",
            [part * (100_000 // len(part)), COLUMNS],
        )

        assert took < 3000, part


def test_all_cards_of_a_game_are_asked(page: Page, birds: str) -> None:
    """The file of a game has every deck; each is asked by its own columns, and hidden columns are not in it."""
    site = birds.rpartition("/birds/")[0]
    page.goto(f"{site}/birds/index.html")
    for name in ("cards.js", "cards/birds.js"):
        page.evaluate("src => new Promise(done => window.grimalkin.load(src, done))", f"{site}/assets/{name}")
    found = "text => { const all = window.grimalkin.cards; return all.find(text, all.decks('birds')); }"
    high = page.evaluate(found, "wings>8")
    named = page.evaluate(found, "deck:cards power>0")
    unknown = page.evaluate(found, "wigns>8")
    hidden = page.evaluate(found, "hat:cap")
    told = page.evaluate(
        "problem => window.grimalkin.cards.told(problem, window.grimalkinCards.birds.said)", unknown["problems"][0]
    )

    assert [(row["name"], row["page"], row["face"]) for row in high["rows"]] == [
        ("Snow owl", "birds/components-birds.html#snow-owl", "birds/faces/snow-owl-front.svg"),
        ("Hen 9", "birds/components-birds.html#hen-9", "birds/faces/hen-9-front.svg"),
        ("Hen 10", "birds/components-birds.html#hen-10", "birds/faces/hen-10-front.svg"),
    ]
    assert high["problems"] == []
    assert {row["deck"] for row in named["rows"]} == {"Cards"}
    assert told == "There is no column “wigns”. Did you mean “wings”?"
    assert [problem["kind"] for problem in hidden["problems"]] == ["column"]
    assert page.evaluate(found, "owl in a barn")["asked"] is False


def test_a_gallery_understands_operators(page: Page, birds: str) -> None:
    """They narrow down what words find, stand in the address, and go together with the fields below."""
    page.goto(f"{birds}#gallery-birds")
    form = page.locator(".sieve:visible")
    said, unread = form.get_by_role("status"), form.locator(".unread")
    form.get_by_label("Find").fill("owl wings>2 -family:snow")
    expect(said).to_have_text("1 of 14")
    url = page.url
    expect(unread).to_be_empty()
    form.get_by_label("Find").fill("song:“night song”")
    expect(said).to_have_text("2 of 14")
    form.get_by_role("group", name="wings").get_by_label("from").fill("5")
    expect(said).to_have_text("1 of 14")
    page.goto("about:blank")
    page.goto(url)
    expect(form.get_by_label("Find")).to_have_value("owl wings>2 -family:snow")
    expect(said).to_have_text("1 of 14")


def test_a_gallery_says_what_it_does_not_understand(page: Page, birds: str) -> None:
    page.goto(f"{birds}#gallery-birds")
    form = page.locator(".sieve:visible")
    unread = form.locator(".unread")
    for asked, told in (
        ("wigns>2", "There is no column “wigns”. Did you mean “wings”?"),
        ("wings>x", "“wings” holds numbers; write one after wings>."),
        ("family>2", "“family” holds words, which cannot be more or less; write family:word."),
        ("view:", "What are you looking for? Write it after view:."),
        ("family:bran", "family: no value is called “bran”. Did you mean “barn”?"),
        ("hat:cap", "There is no column “hat”. Choose from: family, wings, tame, song, tale, view."),
        ("deck:cards", "This page shows only the Birds; choose another deck above."),
        ("owl", ""),
    ):
        form.get_by_label("Find").fill(asked)
        expect(unread).to_have_text(told)


def test_what_a_gallery_tells_to_ask_finds_something(page: Page, birds: str) -> None:
    """An example for every column of the deck, and none of what can only be said of every card."""
    page.goto(f"{birds}#gallery-birds")
    form = page.locator(".sieve:visible")
    form.get_by_text("How to search").click()
    links = form.locator(".asking dt a")
    asked = links.all_text_contents()
    for link in links.all():
        link.click()
        expect(form.get_by_label("Find")).to_have_value((link.text_content() or "").strip())
        expect(form.locator(".unread")).to_be_empty()
        count = int(form.get_by_role("status").inner_text().partition(" ")[0])

        assert 0 < count < 14, link.text_content()

    assert asked == [
        "family:wood",
        "wings>5",
        "tame:yes",
        "song:hiss",
        "tale:anybody",
        "view:near",
        "family:wood wings>5",
        '"barn owl"',
        '-name:"barn owl"',
    ]
    assert parse_qs(urlsplit(page.url).fragment)["find"] == ['-name:"barn owl"']
    page.go_back()
    expect(form.get_by_label("Find")).to_have_value('"barn owl"')
