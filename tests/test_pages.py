"""Pages as text: every id has one place, every reference leads there, and a small game's pages look as they should."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from games_for_tests import write_game

from grimalkin.content import prove
from grimalkin.content.stocks import load_stocks
from grimalkin.face import Composer
from grimalkin.pages import Shown, home, navigation, pages
from grimalkin.pages.colours import NIGHT, PAPER, READABLE, contrast, readable
from grimalkin.pages.telling import changed, tell
from grimalkin.problems import Problems
from grimalkin.sheet import all_faces
from grimalkin.source import bundled_games, find_game_folder

EXAMPLES = """\
examples:
  - id: TI-EX-1
    title: A mouse, then <an owl>
    rules: [TI-PLAY-1, TI-PLAY-2]
    kind: legal
    text: First the [[mouse]], then the [[owl]].
    given: {table: {mouse: 1}, seats: {Ada: {hand: {owl: 1}}}}
    steps:
      - Ada: play owl
    expect: {to-act: Ada, score: {Ada: 7}}
"""
ANCHOR = re.compile(r"^#+ .*\{#([^}]+)\}$", re.MULTILINE)
RULINGS = """\
rulings:
  - id: TI-AMB-1
    title: Two mice
    question: May both mice be played?
    ruling: Yes, one after the other.
    rules: [TI-PLAY-1]
"""


def show(folder: Path) -> Shown:
    """What the site shows of a game, with a stand-in for its sheets."""
    problems = Problems()
    proved = prove(folder, problems)
    assert proved is not None
    game, traces, proof = proved
    composer = Composer(game, load_stocks(folder, problems), problems)
    faces = all_faces(game, composer)

    assert not list(problems)
    return Shown(game, traces, proof, composer, faces, {f"{game.name}-a4.pdf": b"%PDF-1.7 a sheet"})


@cache
def bundled(name: str) -> Shown:
    return show(find_game_folder(name))


def texts(made: dict[str, str | bytes]) -> dict[str, str]:
    """The Markdown among pages."""
    return {path: text for path, text in made.items() if isinstance(text, str) and path.endswith(".md")}


@pytest.fixture
def tiny(tmp_path: Path) -> Shown:
    """The made-up game with one example and one ruling; no engine plays it."""
    return show(write_game(tmp_path / "tiny", **{"examples/all.yaml": EXAMPLES, "rulings.yaml": RULINGS}))


@pytest.mark.parametrize("name", bundled_games())
def test_pages_are_the_same_each_time(name: str) -> None:
    """`pages` is pure: it gives the same paths with the same contents, and keeps nothing."""
    shown = bundled(name)

    assert pages(shown) == pages(shown)


@pytest.mark.parametrize("name", bundled_games())
def test_each_id_has_one_place(name: str) -> None:
    """Every rule, ruling, erratum, example, component and term is the anchor of exactly one heading."""
    shown = bundled(name)
    game = shown.game
    anchors = [anchor for text in texts(pages(shown)).values() for anchor in ANCHOR.findall(text)]
    ids = [*game.laws, *(one.id for one in game.examples), *(one.id for one in game.errata)]

    assert {id_: anchors.count(id_) for id_ in ids} == dict.fromkeys(ids, 1)
    # A component and a term may share an id: they stand on pages of their own.
    assert sorted(set(_anchors(shown, "components.md")) & set(game.by_id)) == sorted(game.by_id)
    if game.terms:
        assert sorted(_anchors(shown, "terms.md")) == sorted(term.id for term in game.terms)


@pytest.mark.parametrize("name", bundled_games())
def test_references_are_resolved(name: str) -> None:
    """No page holds a reference or a placeholder of ours any more."""
    for path, text in texts(pages(bundled(name))).items():
        assert not re.search(r"\[\[|\]\]|\{\{|\}\}\}|\{%|None\b(?! of)", text), path


@pytest.mark.parametrize("name", bundled_games())
def test_every_page_is_in_the_navigation(name: str) -> None:
    shown = bundled(name)
    made = {**home([shown]), **pages(shown)}

    assert sorted(_paths(navigation([shown]))) == sorted(texts(made))


@pytest.mark.parametrize("name", bundled_games())
def test_examples_carry_the_seal_they_deserve(name: str) -> None:
    """An example is sealed as checked exactly when its trace holds."""
    shown = bundled(name)
    text = "\n".join(text for path, text in texts(pages(shown)).items() if "/rul" in path)
    checked = [one for one in shown.game.examples if one.id in shown.traces and shown.traces[one.id].ok]

    assert text.count('<span class="seal">checked') == len(checked)
    assert text.count('<span class="seal un">') == len(shown.game.examples) - len(checked)


@pytest.mark.parametrize("name", bundled_games())
def test_rules_that_cannot_be_executed_are_listed_with_the_reason(name: str) -> None:
    shown = bundled(name)
    text = _page(shown, "examples.md")

    assert [id_ for id_, why in shown.proof.unchecked.items() if f"#{id_}) | {why}" not in text] == []


@pytest.mark.parametrize("name", bundled_games())
def test_pictures_of_tables_are_small_and_told_in_words(name: str) -> None:
    made = pages(bundled(name))
    tables = {path: content for path, content in made.items() if "/tables/" in path}

    assert [path for path, content in tables.items() if len(content) > 12_288] == []
    assert len(set(tables.values())) == len(tables)
    for path, text in texts(made).items():
        assert not re.search(r"!\[\]\([^)]*tables/", text), path


@pytest.mark.parametrize("page", ["index", "rules-play", "rulings-play", "terms", "examples", "credits", "downloads"])
def test_golden_pages(page: str, tiny: Shown, golden: Callable[[str, str], None]) -> None:
    """The pages of the made-up game as Markdown."""
    golden(f"pages/{page}.md", _page(tiny, f"{page}.md"))


def test_golden_home(tiny: Shown, golden: Callable[[str, str], None]) -> None:
    golden("pages/home.md", str(home([tiny])["index.md"]))


def test_what_no_engine_played_says_so(tiny: Shown) -> None:
    """Without an engine the position is told in words, and the seal says unchecked."""
    text = _page(tiny, "rules-play.md")

    assert "Table: 1 × mouse. Ada: hand 1 × owl." in text
    assert '<span class="seal un">unchecked' in text
    assert '<span class="seal">' not in text


def test_a_title_is_text_and_never_markup(tiny: Shown) -> None:
    assert "### A mouse, then &lt;an owl&gt; {#TI-EX-1}" in _page(tiny, "rules-play.md")


def test_what_is_missing_has_no_page(tmp_path: Path) -> None:
    """A game without rulings, errata, terms and playthroughs has no pages and no links for them."""
    rules = "sections:\n  - {id: play, title: Play, rules: [{id: TI-PLAY-1, title: Play, text: Play a card.}]}\n"
    shown = show(write_game(tmp_path / "bare", rules_yaml=rules, terms_yaml="terms: []\n"))
    made = texts(pages(shown))

    assert not {"bare/rulings.md", "bare/errata.md", "bare/terms.md"} & set(made)
    assert "rulings.md" not in made["bare/index.md"]
    assert sorted(_paths(navigation([shown]))) == sorted({"index.md", *made})


def test_only_what_is_new_is_told() -> None:
    before = {"round": 1, "city": {"a": 1}, "seats": {"Ada": {"hand": {"a": 1}}, "Basil": {"hand": {}}}}
    after = {"round": 1, "city": {}, "seats": {"Ada": {"hand": {"a": 2}}, "Basil": {"hand": {}}}}

    assert tell(changed(before, after), ["a"], zeros=True) == "City: nothing. Ada: hand 2 × a."


@pytest.mark.parametrize("colour", ["#b5622d", "#b9c2cc", "#ffffff", "#000000", "#e8d9a8", "#22304a"])
@pytest.mark.parametrize("ground", [PAPER, NIGHT])
def test_any_ink_can_be_read_on_any_paper(colour: str, ground: str) -> None:
    assert contrast(readable(colour, ground), ground) >= READABLE


def _page(shown: Shown, name: str) -> str:
    text = pages(shown)[f"{shown.game.name}/{name}"]
    assert isinstance(text, str)
    return text


def _anchors(shown: Shown, name: str) -> list[str]:
    return ANCHOR.findall(_page(shown, name))


def _paths(nav: object) -> list[str]:
    """Every path of a navigation."""
    if isinstance(nav, str):
        return [nav]
    items = nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else []
    return [path for item in items for path in _paths(item)]
