"""Pages as text: every id has one place, every reference leads there, and a small game's pages look as they should."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from html import unescape
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from games_for_tests import FILES, bundled_game, write_game
from lxml import etree
from markdown import markdown
from shown import (
    BIRDS,
    MORE_BIRDS,
    SECRET,
    TERMS,
    bundled,
    bundled_pages,
    show,
    texts,
    watched,
    watched_pages,
    write_birds,
)
from soak import MORE, SMALLEST

from grimalkin.cli import main
from grimalkin.content import load_game
from grimalkin.content.models import Book, Faces, Parts, Variant
from grimalkin.content.scenarios import Clause, Scenario
from grimalkin.engine.replay import Step, Trace
from grimalkin.engine.shape import Record, Table, Whole
from grimalkin.engine.words import Line, Result, Score
from grimalkin.parts.simulations.content import Change, Simulations, simulations_of
from grimalkin.parts.simulations.pages import Measured, Simulated
from grimalkin.parts.simulations.pages import simulated as simulated_view
from grimalkin.parts.simulations.questions import Recorded, Results, Simulation
from grimalkin.play.simulation import Group, Row, percent, simulate
from grimalkin.play.simulation.totals import WIN, Paired, Sums
from grimalkin.printing.face.svg.colours import NIGHT, PAPER, READABLE, contrast, readable
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.problems import Problems
from grimalkin.problems.plain import fault_of_name
from grimalkin.site.pages import Shown, home, navigation, pages
from grimalkin.site.pages.citations import citations
from grimalkin.site.pages.differences import pieces_of, words_of
from grimalkin.site.pages.examples import ScoreView, Seat, StepView, Viewer
from grimalkin.site.pages.links import Map, Reader
from grimalkin.site.pages.markup import lean
from grimalkin.site.pages.navigation import beside, seat_pages
from grimalkin.site.pages.scripts import position_files, script_of
from grimalkin.site.pages.tables import Picture, Tables, Teller, changed, find_loads
from grimalkin.site.pages.templates import environment, load_words
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


@pytest.fixture
def tiny(tmp_path: Path) -> Shown:
    """The made-up game with one example and one ruling; no engine plays it."""
    return show(write_game(tmp_path / "tiny", **{"examples/all.yaml": EXAMPLES, "rulings.yaml": RULINGS}))


@pytest.mark.slow("makes the pages of a whole game")
@pytest.mark.soak
@pytest.mark.parametrize("name", bundled_games() if MORE > 1 else SMALLEST)
def test_pages_are_the_same_each_time(name: str) -> None:
    """`pages` is pure: it gives the same paths with the same contents, and keeps nothing."""
    shown = bundled(name)

    assert pages(shown) == bundled_pages(name)


@pytest.mark.slow("makes the pages of a whole game")
@pytest.mark.parametrize("name", bundled_games())
def test_each_id_has_one_place(name: str) -> None:
    """Every rule, ruling, erratum, example, component and term is the anchor of exactly one heading."""
    shown = bundled(name)
    game = shown.game
    made = texts(bundled_pages(name))
    anchors = [anchor for text in made.values() for anchor in ANCHOR.findall(text)]
    ids = [*game.laws, *(one.id for one in game.examples), *(one.id for one in game.errata)]

    assert {id_: anchors.count(id_) for id_ in ids} == dict.fromkeys(ids, 1)
    # A component and a term may share an id: they stand on pages of their own.
    paths = {path for path in made if re.search(r"/components[^/]*\.md$", path)}
    places = [anchor for path in paths for anchor in ANCHOR.findall(made[path])]
    assert {id_: places.count(id_) for id_ in game.by_id} == dict.fromkeys(game.by_id, 1)
    if game.terms:
        assert sorted(ANCHOR.findall(made[f"{name}/terms.md"])) == sorted(term.id for term in game.terms)


@pytest.mark.slow("makes the pages of a whole game")
@pytest.mark.parametrize("name", bundled_games())
def test_references_are_resolved(name: str) -> None:
    """No page holds a reference or a placeholder of ours any more."""
    for path, text in texts(bundled_pages(name)).items():
        assert not re.search(r"\[\[|\]\]|\{\{|\}\}\}|\{%|None\b(?! [a-z])", text), path


@pytest.mark.slow("makes the pages of a whole game")
@pytest.mark.parametrize("name", bundled_games())
def test_every_page_is_in_the_navigation(name: str) -> None:
    """But for those from a seat, which stand beside the one with all cards face up."""
    shown = bundled(name)
    made = {**home([shown]), **bundled_pages(name)}

    assert sorted([*_paths(navigation([shown])), *beside([shown])]) == sorted(texts(made))


@pytest.mark.slow("makes the pages of a whole game")
@pytest.mark.parametrize("name", bundled_games())
def test_examples_carry_the_seal_they_deserve(name: str) -> None:
    """An example is sealed as checked exactly when its trace holds."""
    shown = bundled(name)
    text = "\n".join(text for path, text in texts(bundled_pages(name)).items() if "/rul" in path)
    checked = [one for one in shown.game.examples if one.id in shown.traces and shown.traces[one.id].ok]

    assert len(re.findall(r'<span class="seal"[^>]*>checked', text)) == len(checked)
    assert text.count('<span class="seal un">') == len(shown.game.examples) - len(checked)


@pytest.mark.slow("makes the pages of a whole game")
@pytest.mark.parametrize("name", bundled_games())
def test_rules_that_cannot_be_executed_are_listed_with_the_reason(name: str) -> None:
    shown = bundled(name)
    made = bundled_pages(name)
    text = "".join(str(made[path]) for path in made if path.startswith(f"{name}/examples"))  # a long list is parted

    assert [id_ for id_, why in shown.proof.unchecked.items() if f"#{id_}) | {why}" not in text] == []


@pytest.mark.slow("makes the pages of a whole game")
@pytest.mark.parametrize("name", bundled_games())
def test_pictures_of_tables_are_small_and_told_in_words(name: str) -> None:
    """At most 24 KB, half of it the font and the symbols, even with four seats and all that can lie before them."""
    made = bundled_pages(name)
    tables = {path: content for path, content in made.items() if "/tables/" in path}

    assert [path for path, content in tables.items() if len(content) > 24_576] == []
    assert len(set(tables.values())) == len(tables)
    for path, text in texts(made).items():
        # In lists of examples and of rules, the question or the title beside the picture says what it is about.
        assert re.search(r"/(examples\w*|rules)\.md$", path) or not re.search(r"!\[\]\([^)]*tables/", text), path


@pytest.mark.parametrize(
    "page",
    [
        *["index", "rules-play", "rulings-play", "terms", "examples", "credits", "downloads"],
        *["components", "gallery", "scoring"],
    ],
)
def test_golden_pages(page: str, tiny: Shown, golden: Callable[[str, str], None]) -> None:
    """The pages of the made-up game as Markdown."""
    golden(f"pages/{page}.md", _page(tiny, f"{page}.md"))


@pytest.mark.slow("draws the positions of a whole game")
def test_no_ring_lies_on_words_beside_it() -> None:
    """In a whole game of Werecats: the line around what is new leaves out all words that it does not surround."""
    shown = bundled("werecats")
    tables, trace = Tables(shown), shown.traces["WC-PLAY-1"]
    rings = 0
    positions = [trace.before, *(step.position for step in trace.steps)]
    for before, after in pairwise(positions[:40]):
        face = tables.face(after)
        assert face is not None
        for mark in tables.marks(tables.picture(before), tables.picture(after)):
            rings += not mark.is_gone
            outside = [word for word in words_of(face.root) if not mark.box.holds(word)]

            assert [word for word in outside if mark.box.near(word, 0)] == []

    assert rings > 10


@pytest.mark.slow("makes the pages of a whole game")
def test_every_page_says_what_it_is() -> None:
    """In its own description, which no other page of its kind has; that of a playthrough tells the story."""
    made = {path: text for path, text in bundled_pages("curses-and-covens").items() if path.endswith(".md")}
    told = {path: re.findall(r'^description: "(.*)"$', str(text), re.MULTILINE) for path, text in made.items()}
    found = [line for lines in told.values() for line in lines]

    assert sorted(found) == sorted(set(found))
    assert [line for line in found if len(line) > 200] == []
    assert told["curses-and-covens/downloads.md"] == [
        "Sheets, rulebooks and pictures of Curses & Covens to download and print."
    ]
    assert [path for path in told if "playthroughs/" in path and not told[path]] == []


def test_golden_home(tiny: Shown, golden: Callable[[str, str], None]) -> None:
    golden("pages/home.md", str(home([tiny])["index.md"]))


def test_what_no_engine_played_says_so(tiny: Shown) -> None:
    """Without an engine the position is told in words, and the seal says unchecked."""
    text = _page(tiny, "rules-play.md")

    assert "Table: 1 × mouse. Ada: hand 1 × owl." in text
    assert '<span class="seal un">unchecked' in text
    assert '<span class="seal">' not in text


@pytest.mark.parametrize("length", [1, 30])
def test_lines_and_paragraphs_of_a_cell_are_shown(tmp_path: Path, length: int) -> None:
    """On the page of a component and in the gallery, for a short text and for one of several sentences."""
    song = "la " * length
    game = FILES["game.yaml"].replace("optional: yes}", "optional: yes}\n      song: {type: text, label: song}")
    table = f'id,name,count,power,mood,song\nmouse,Mouse,2,1,calm,"One\n# {song}\n\nEnd"\nowl,Owl,1,7,,Hoo\n'
    folder = write_game(tmp_path / "tiny", game_yaml=game, cards_csv=table)
    made = texts(pages(show(folder)))
    page, gallery = made["tiny/components.md"], made["tiny/gallery.md"]

    if length == 1:
        assert "One<br> # la<br> End" in page
    else:
        assert f"One<br> # {song.strip()}\n\nEnd\n" in page
    assert f"<td>One<br> # {song.strip()}<br> End</td>" in gallery


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("* a\n* b", "* a<br> * b"),
        (r"\- Draw", "- Draw"),
        ("# of owls\n> 3", "# of owls<br> &gt; 3"),
        ("__x__ _y_ `z` a|b", "__x__ _y_ `z` a|b"),
        ("3*:paw: and 4*x*5, **so** *be* it", "3*(paw) and 4*x*5, <strong>so</strong> <em>be</em> it"),
        (": so\n: it", ": so<br> : it"),
        ("!!! note\n    x", "!!! note<br> x"),
    ],
)
def test_a_page_shows_a_cell_as_its_card_prints_it(tiny: Shown, cell: str, shown: str) -> None:
    """No sign of a cell begins a list, a heading or a quote, for none does on a card."""
    ((told, _),) = Reader(Map(tiny, load_words()), "components.md").cell(cell)
    extensions = ["attr_list", "def_list", "admonition", "tables", "md_in_html"]
    html = markdown(f"{told}\n{{: .told }}\n", extensions=extensions)
    html = unescape(re.sub(r"<svg.*?</svg>", "(paw)", html)).replace("&gt;", ">")

    assert f'<p class="told">{unescape(shown)}</p>' == html


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


@pytest.fixture
def owls(tmp_path: Path) -> Shown:
    """The made-up game with four owls in a second deck."""
    return show(write_birds(tmp_path / "owls"))


@pytest.fixture
def flock(tmp_path: Path) -> Shown:
    """The same with ten hens, too many to share a page."""
    return show(write_birds(tmp_path / "flock", BIRDS + MORE_BIRDS))


def test_a_gallery_has_a_row_for_each_design(owls: Shown) -> None:
    """Cells are told as players read them: a term by its name, yes or no, and what is empty."""
    rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", _page(owls, "gallery.md"))
    cells = [[re.sub(r"<.*?>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)] for row in rows]

    assert cells == [
        ["Mouse", "1", "calm"],
        ["Owl", "7", "none"],
        ["Barn owl", "barn", "4", "yes", "Night Song", "–", "far"],
        ["Dusk owl", "barn", "2", "no", "none", "Comes when the lamps are lit and goes before anybody asks.", "near"],
        ["Moor owl", "wood", "–", "no", "hiss", "–", "far"],
        ["Snow owl", "snow", "9", "yes", "Night Song", "–", "near"],
    ]


def test_a_gallery_offers_what_can_be_chosen(owls: Shown) -> None:
    """Choices stand in the order of the game; a column is never called as the address calls something else."""
    text = _page(owls, "gallery.md")
    choices = re.findall(r'type="checkbox" name="([^"]+)" value="([^"]+)"', text)
    bounds = re.findall(r'type="number" name="([^"]+)" min="([^"]+)" max="([^"]+)"', text)

    assert choices == [
        *[("mood", "calm"), ("mood", "none")],
        *[("family", "wood"), ("family", "barn"), ("family", "snow")],
        *[("tame", "yes"), ("tame", "no"), ("song", "hiss"), ("song", "Night Song"), ("song", "none")],
        *[("view_", "near"), ("view_", "far")],
    ]
    assert bounds == [("power", "1", "7")] * 2 + [("wings", "2", "9")] * 2


def test_a_deck_without_columns_has_no_gallery(tmp_path: Path) -> None:
    """Nor has one whose columns are all for the face alone: there is then no page, and nothing leads to one."""
    game = FILES["game.yaml"]
    columns = game[game.index("    columns:") :]
    hidden = columns.replace("label:", "shown: no, label:")
    for changed_columns in ("", hidden):
        table = FILES["cards.csv"] if changed_columns else "id,name,count\nmouse,Mouse,2\nowl,Owl,1\n"
        face = FILES["faces/plain.svg.j2"].replace("{{ card.power }}", "")
        files = {
            "game.yaml": game.replace(columns, changed_columns),
            "cards.csv": table,
            "faces/plain.svg.j2": face,
        }
        shown = show(write_game(tmp_path / f"plain-{len(changed_columns)}", **files))
        made = texts(pages(shown))

        assert [path for path in made if "gallery" in path] == []
        assert [path for path, text in made.items() if "gallery.md" in text] == []
        assert "plain-0/gallery.md" not in _paths(navigation([shown]))


def test_components_tell_what_is_of_interest(owls: Shown) -> None:
    """What is yes stands by its name alone, what is no not at all; a long text is a paragraph; the hidden is hidden."""
    text = _page(owls, "components.md")
    barn, dusk = (text.partition(f"{{#{id_}}}")[2].partition("###")[0] for id_ in ("barn-owl", "dusk-owl"))

    assert "tame [1.1](rules-play.md#TI-PLAY-1)" in barn
    assert "song\u00a0**Night Song**" in barn
    assert "tame" not in dusk
    assert "song" not in dusk
    assert "\nComes when the lamps are lit and goes before anybody asks.\n" in dusk
    assert not re.search(r"\bhat\b|\bcap\b", text)


@pytest.mark.parametrize(("longest", "told"), [(41, "\nHunts mice.\n\n"), (40, "tale\u00a0**Hunts mice.**")])
def test_texts_of_a_column_are_told_in_one_way(longest: int, told: str, tmp_path: Path) -> None:
    """One text of more than 40 letters makes every text of its column a paragraph, the short ones too."""
    birds = BIRDS.replace("hiss,,", "hiss,Hunts mice.,")
    birds = re.sub(r"Comes when[^,]*", "o" * longest, birds)
    text = _page(show(write_birds(tmp_path / "owls", birds)), "components.md")

    assert told in text.partition("{#moor-owl}")[2].partition("###")[0]


def test_a_ruling_about_several_rules_is_told_once_a_page(tmp_path: Path) -> None:
    """At the first of them in full, at the others by its name, which leads to it, whatever stands between."""
    rules = FILES["rules.yaml"] + "      - {id: TI-PLAY-3, title: More, text: More.}\n"
    rulings = RULINGS.replace("[TI-PLAY-1]", "[TI-PLAY-1, TI-PLAY-3]")
    text = _page(show(write_game(tmp_path / "tiny", rules_yaml=rules, **{"rulings.yaml": rulings})), "rules-play.md")

    assert 2 == text.count("**[R1 May both mice be played?](rulings-play.md#TI-AMB-1)**")
    assert 1 == text.count("\nYes, one after the other.\n")


def test_the_first_example_stands_beside_its_law_and_the_others_are_cards(tmp_path: Path) -> None:
    """An example is headed by what a player asks, if anybody wrote that, and by its title if not."""
    second = EXAMPLES.partition("\n")[2].replace("TI-EX-1", "TI-EX-2").replace("A mouse, then <an owl>", "Again")
    asked = second.replace("    kind: legal", "    question: Once more?\n    kind: legal")
    tiny = show(write_game(tmp_path / "tiny", **{"examples/all.yaml": EXAMPLES + asked}))
    text = _page(tiny, "rules-play.md")
    beside, cards = text.index('<div class="beside" markdown="1">'), text.index('<div class="cards" markdown="1">')

    assert beside < text.index('<article class="example legal"') < cards
    assert cards < text.index('<details class="example card legal" markdown="1"><summary markdown="block">')
    assert "### A mouse, then &lt;an owl&gt; {#TI-EX-1}" in text[beside:cards]
    assert "### Once more? {#TI-EX-2}" in text[cards:]
    assert "Again\n{: .answer }" in text[cards:]


def test_a_law_without_an_example_says_so(tmp_path: Path) -> None:
    """Or why there can be none, or which other examples show it; where a game has no examples, nothing."""
    rules = FILES["rules.yaml"] + "      - {id: TI-PLAY-3, title: Rest, text: Rest., unchecked: Nobody sees it.}\n"
    rules += "      - {id: TI-PLAY-4, title: Eat, text: Eat.}\n"
    folder = write_game(tmp_path / "tiny", rules_yaml=rules, **{"examples/all.yaml": EXAMPLES})
    text = _page(show(folder), "rules-play.md")
    parts = {id_: text.partition(f"{{#TI-PLAY-{id_}}}")[2].partition("\n## ")[0] for id_ in (2, 3, 4)}
    none = _page(show(write_game(tmp_path / "none", rules_yaml=rules)), "rules-play.md")

    assert "No example yet." not in parts[2] and "Also shown by [A mouse" in parts[2]
    assert "Not executable: Nobody sees it." in parts[3] and "No example yet." not in parts[3]
    assert "No example yet." in parts[4]
    assert "No example yet." not in none


def test_a_rule_tells_its_summary_and_a_ruling_is_headed_by_its_question(tmp_path: Path) -> None:
    rules = FILES["rules.yaml"].replace("title: Strength", "title: Strength\n        summary: Strong is good.")
    asked = RULINGS.replace("May both mice be played?", "May both\n      [[mouse|mice]] be played?")
    made = pages(show(write_game(tmp_path / "tiny", rules_yaml=rules, **{"rulings.yaml": asked})))

    assert "Strength {#TI-PLAY-2}\n\nStrong is good.\n{: .lead }\n" in str(made["tiny/rules-play.md"])
    told = "{.number} May both mice be played? {#TI-AMB-1}\n\nTwo mice\n{: .lead }\n\nYes, one"
    assert told in str(made["tiny/rulings-play.md"])


def test_all_rules_can_be_read_in_full_or_in_short(tmp_path: Path) -> None:
    """In short is the summary, or the first sentence; a rule of one sentence stands there once."""
    rules = (
        FILES["rules.yaml"]
        .replace("an [[owl]].", "an [[owl]]. Do it now.")
        .replace("Play\n    r", "Play\n    intro: Hello.\n    r")
    )
    rules += "      - {id: TI-PLAY-3, title: Rest, summary: Sleep., text: 'Lie down. Sleep.'}\n"
    asked = RULINGS + "  - {id: TI-AMB-2, title: None, question: Who <knows>?, ruling: Nobody.}\n"
    text = _page(show(write_game(tmp_path / "tiny", rules_yaml=rules, **{"rulings.yaml": asked})), "rules.md")
    one, two, three = (text.partition(f"{{#r1.{n}}}")[2].partition("\n### ")[0] for n in (1, 2, 3))

    assert '<div class="full" markdown="1">\n\nHello.\n\n</div>' in text
    assert '<p class="short">Play a Mouse or an Owl.</p>' in one and "Do it now." in one
    assert "<summary>R1 May both mice be played?</summary>\n\nYes, one after the other. [In full](" in one
    assert "short" not in two and "See [rule 1.1](" in two
    assert '<p class="short">Sleep.</p>' in three and "Lie down. Sleep." in three
    assert "<summary>R2 Who &lt;knows&gt;?</summary>\n\nNobody." in text.partition("{#part-rulings}")[2]
    assert 'data-name="rules" data-value="short"' in text


def test_a_ruling_about_several_rules_unfolds_at_the_first_of_them(tmp_path: Path) -> None:
    rulings = RULINGS.replace("[TI-PLAY-1]", "[TI-PLAY-1, TI-PLAY-2]")
    text = _page(show(write_game(tmp_path / "tiny", **{"rulings.yaml": rulings})), "rules.md")

    assert 1 == text.count("Yes, one after the other.") == text.count('id="q-r1"')
    assert '<p class="asked"><a href="#q-r1">R1 May both mice be played?</a></p>' in text.partition("{#r1.2}")[2]


def test_rulings_and_examples_are_listed_by_section_with_an_index(tmp_path: Path) -> None:
    """The index leads to every section that has some, and tells how many; what is about no section comes last."""
    rules = FILES["rules.yaml"] + "  - {id: end, title: End, rules: [{id: TI-END-1, title: Stop, text: Stop.}]}\n"
    rulings = "rulings:\n" + "".join(
        f"  - {{id: TI-AMB-{n}, title: T{n}, question: 'Q{n}?', ruling: R., rules: [{rule}]}}\n"
        for n, rule in enumerate(["", "TI-END-1", "TI-PLAY-2", "TI-END-1, TI-PLAY-2"], 1)
    )
    second = EXAMPLES.partition("\n")[2].replace("TI-EX-1", "TI-EX-2").replace("[TI-PLAY-1, TI-PLAY-2]", "[TI-END-1]")
    files = {"examples/all.yaml": EXAMPLES + second, "rulings.yaml": rulings}
    made = texts(pages(show(write_game(tmp_path / "tiny", rules_yaml=rules, **files))))
    listed, examples = made["tiny/rulings.md"], made["tiny/examples.md"]
    index = re.findall(r"^- \[(.*)\]\((.*)\) (\d+)$", listed, re.MULTILINE)

    assert index == [
        ("1 Play", "rulings.md#of-play", "1"),
        ("2 End", "rulings.md#of-end", "2"),
        ("General rulings", "rulings.md#of-no-section", "1"),
    ]
    assert ["r3", "r2", "r4", "r1"] == re.findall(r"^### .*\? \{#(r\d)\}$", listed, re.MULTILINE)
    assert "- [1 Play](examples.md#of-play) 1\n- [2 End](examples.md#of-end) 1\n\n</nav>" in examples


def test_an_example_stands_with_the_first_of_its_rules(tmp_path: Path) -> None:
    """Links lead there, whatever sections its other rules are in."""
    rules = FILES["rules.yaml"] + "  - {id: end, title: End, rules: [{id: TI-END-1, title: Stop, text: Stop.}]}\n"
    example = EXAMPLES.replace("[TI-PLAY-1, TI-PLAY-2]", "[TI-PLAY-1, TI-END-1]")
    made = texts(pages(show(write_game(tmp_path / "tiny", rules_yaml=rules, **{"examples/all.yaml": example}))))

    assert "{#TI-EX-1}" in made["tiny/rules-play.md"]
    assert "(rules-play.md#TI-EX-1)" in made["tiny/examples.md"]


def test_a_rule_tells_what_cites_it_and_a_piece_what_uses_it(tmp_path: Path) -> None:
    """Rules, terms and decks are counted in a folded line; of many, a few are linked and the rest is only counted."""
    game = FILES["game.yaml"].replace("least: 1, most: 9}", "least: 1, most: 9, rule: TI-PLAY-2}")
    terms = "terms:\n  - {id: power, name: power, text: 'How strong a card is (see [[TI-PLAY-2]]).'}\n"
    more = "".join(f"      - {{id: TI-MORE-{n}, title: More, text: 'See [[TI-PLAY-2]].'}}\n" for n in range(1, 8))
    files = {"game_yaml": game, "terms_yaml": terms, "rules_yaml": FILES["rules.yaml"] + more}
    made = texts(pages(show(write_game(tmp_path / "tiny", **files, **{"examples/all.yaml": EXAMPLES}))))
    cited = made["tiny/rules-play.md"].partition("{#TI-PLAY-2}")[2].partition("</details>")[0]

    assert "Used in rules and rulings\u00a07 · terms\u00a01 · decks\u00a01</summary>" in cited
    assert "- rules and rulings: [1.3, 1.4, 1.5, 1.6, 1.7](#TI-MORE-1) and 2 more\n" in cited
    assert "- terms: [power](terms.md#power)\n- decks: [Cards](components.md)" in cited
    assert "Used in [TI-EX-1](rules-play.md#TI-EX-1)" in made["tiny/components.md"]


@pytest.mark.slow("replays a whole game")
def test_a_rule_tells_the_steps_and_refusals_it_is_cited_in() -> None:
    """A refusal names its example, a step of a playthrough its number; each stands there once."""
    shown = bundled("were-kittens")
    cited = citations(shown)
    refused = {step.refusal.rule for trace in shown.traces.values() for step in trace.steps if step.refusal}
    steps = cited["WK-ACT-2"]["steps"]
    plays = [play.id for play in shown.game.playthroughs]

    assert refused == {id_ for id_, kinds in cited.items() if "refusals" in kinds}
    assert steps == sorted(set(steps), key=lambda place: (plays.index(place.id), place.step))
    moves = {id_: sum(bool(step.line) for step in shown.traces[id_].steps) for id_ in plays}
    assert all(place.step <= moves[place.id] for kinds in cited.values() for place in kinds.get("steps", ()))


def test_an_example_can_be_had_as_text(tiny: Shown) -> None:
    """Its position as a file of its own, which names the rules version; where no engine plays, there is no command."""
    made = {path: str(text) for path, text in pages(tiny).items()}
    position = "table:\n  mouse: 1\nseats:\n  Ada:\n    hand:\n      owl: 1\n"

    assert made["tiny/positions/TI-EX-1.yaml"] == "# TI-EX-1, rules version 1\n" + position
    assert json.dumps(["", position], separators=(",", ":")) in made["tiny/positions/rules-play.js"]
    assert "[Position as text](positions/TI-EX-1.yaml){.position}" in made["tiny/rules-play.md"]


@pytest.mark.slow("replays a whole game")
def test_the_text_of_an_example_is_a_position_that_commands_read(tmp_path: Path) -> None:
    """And its head says which command replays it."""
    shown = bundled("were-kittens")
    example = next(one for one in shown.game.examples if one.id == "WK-EX-56")
    made = position_files(shown, "rules-actions.md", [example], load_words())
    path = tmp_path / "table.yaml"
    path.write_text(made["positions/WK-EX-56.yaml"], "utf-8")

    assert "\n# grimalkin replay WK-EX-56 --game were-kittens\n" in made["positions/WK-EX-56.yaml"]
    assert main(["why", "were-kittens", str(path), "take nickel"]) == 0


@pytest.mark.slow("makes the pages of a whole game")
def test_two_texts_of_a_piece_are_told_apart() -> None:
    """Each spell tile has a text of its charm and one of its curse; a witch has one line, which needs no label."""
    text = str(bundled_pages("curses-and-covens")["curses-and-covens/components.md"])

    assert 3 == len(re.findall(r"\n\*\*what the charm does:\*\* .+\n", text))
    assert 3 == len(re.findall(r"\n\*\*what the curse does:\*\* .+\n", text))
    assert "**flavour" not in text


def test_a_deck_of_many_designs_has_a_page_of_its_own(flock: Shown) -> None:
    """Its parts are those of its first choice column; a back that all share is shown once."""
    made = texts(pages(flock))
    birds = made["flock/components-birds.md"]
    parts = re.findall(r"^## (.*) \{#", birds, re.MULTILINE)
    inside = [ANCHOR.findall(part)[1:] for part in birds.split("\n## ")[1:]]

    assert parts == ["Wood", "Barn", "Snow", "The shared back"]
    assert ANCHOR.findall(birds.partition("## Barn")[0])[1:] == ["moor-owl", *(f"hen-{n}" for n in range(1, 11))]
    assert birds.count("-back.svg") == 1
    assert inside[-1] == []
    assert "{#moor-owl}" not in made["flock/components.md"]
    assert "[See all 14](components-birds.md)" in made["flock/components.md"]
    assert "(gallery.md#gallery-birds)" in birds
    assert "flock/components-birds.md" in _paths(navigation([flock]))
    assert 'href="components-birds.html#moor-owl"' in made["flock/gallery.md"]


def test_a_part_of_a_deck_is_called_by_the_term_and_its_pieces_do_not_repeat_it(tmp_path: Path) -> None:
    folder = write_birds(tmp_path / "flock", BIRDS + MORE_BIRDS)
    (folder / "terms.yaml").write_text(TERMS + "  - {id: wood, name: Deep Wood, text: Trees.}\n")
    birds = _page(show(folder), "components-birds.md")

    assert "## Deep Wood {#birds-1}" in birds
    assert "<b>Deep Wood</b>" not in birds and "wings\u00a0<b>1</b>" in birds


def test_galleries_that_are_too_heavy_have_a_page_each(flock: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that leads to one leads to its page; the first page lists them."""
    monkeypatch.setattr("grimalkin.site.pages.gallery.MOST_LETTERS", 500)
    made = texts(pages(flock))
    listed, birds = made["flock/gallery.md"], made["flock/gallery-birds.md"]

    assert ["gallery-cards.md", "gallery-birds.md"] == re.findall(r"^## \[.*\]\((.*?)\)", listed, re.MULTILINE)
    assert "<table>" not in listed and "14 designs." in listed
    assert ["cards.html#gallery-cards", "birds.html#gallery-birds"] == re.findall(r'<a href="gallery-(.*?)">', birds)
    assert birds.count("<section") == 1 and "Moor owl" in birds and "Mouse" not in birds
    assert "(gallery-birds.md#gallery-birds)" in made["flock/components-birds.md"]
    assert "(gallery-birds.md#gallery-birds)" in made["flock/scoring.md"]
    assert {"flock/gallery.md", "flock/gallery-birds.md"} <= {*_paths(navigation([flock]))}


def test_what_stands_on_a_fold_is_no_paragraph() -> None:
    """Whatever else stands there; below it, paragraphs are what they were."""
    html = "<details><summary><p>One <b>cat</b></p></summary><p>Two</p><p>Three</p></details>"

    assert "<details><summary><span>One <b>cat</b></span></summary><p>Two<p>Three</details>" == lean(html)


def test_pages_show_typographic_apostrophes_except_in_code() -> None:
    """However Markdown or a template wrote them; attributes stay as they are."""
    html = """<p title="a cat's">Ada&#39;s <b>cats</b>'s 'so' <code>it's</code></p><pre>a'b</pre>"""

    assert """<p title="a cat's">Ada’s <b>cats</b>’s ‘so’ <code>it's</code><pre tabindex="0">a'b</pre>""" == lean(html)


def test_a_section_that_is_too_heavy_for_a_page_takes_several(tmp_path: Path) -> None:
    """Each rule and each ruling stands on one of them, links lead there, and the next page goes on."""
    more = (f"      - {{id: TI-PLAY-{n}, title: More, text: {'And so on. ' * 400}}}\n" for n in range(3, 18))
    rulings = "".join(
        f"  - {{id: TI-AMB-{n}, title: Why, question: Q, ruling: {'And so on. ' * 850}, rules: [TI-PLAY-2]}}\n"
        for n in range(1, 9)
    )
    rules = FILES["rules.yaml"].replace("    title: Play\n", "    title: Play\n    intro: Hello.\n") + "".join(more)
    folder = write_game(tmp_path / "tiny", **{"rules_yaml": rules, "rulings.yaml": f"rulings:\n{rulings}"})
    tiny = show(folder)
    made = texts(pages(tiny))
    parts = [path for path in made if path.startswith("tiny/rules-play")]
    first, second, last = made[parts[0]], made[parts[1]], made[parts[-1]]
    every = "".join(made[path] for path in parts)

    assert [every.count(f"{{#TI-PLAY-{n}}}") for n in range(1, 18)] == [1] * 17
    assert "TI-PLAY-1}" in first and "TI-PLAY-17}" in last
    assert f'# <span class="number">1</span> Play, page 2 of {len(parts)}' in second
    assert "Hello." in first and "Hello." not in second
    assert f"[1.17 More]({parts[-1].removeprefix('tiny/')}#TI-PLAY-17)" in made["tiny/rules.md"]
    names = [*parts, "tiny/rulings-play.md", "tiny/rulings-play_2.md"]
    assert [path for path in _paths(navigation([tiny])) if "-play" in path] == names
    further = made["tiny/rulings-play_2.md"]
    assert "{#TI-AMB-8}" in further and "Rulings: Play, page 2 of 2" in further


def test_rulings_in_short_that_are_too_heavy_for_a_page_take_several(tmp_path: Path) -> None:
    """Each stands on one of them, those withdrawn at the end of the last, and the navigation leads to all."""
    rulings = "".join(
        f"  - {{id: TI-AMB-{n}, title: T, question: Q?, ruling: '[[TI-AMB-9]] {'On. ' * 2_400}', rules: [TI-PLAY-2]}}\n"
        for n in range(1, 9)
    )
    rulings += "  - {id: TI-AMB-9, title: Old, question: Q?, ruling: R., withdrawn: No more}\n"
    tiny = show(write_game(tmp_path / "tiny", **{"rulings.yaml": f"rulings:\n{rulings}"}))
    made = texts(pages(tiny))
    first, second = made["tiny/rulings.md"], made["tiny/rulings_2.md"]

    assert [(first + second).count(f"{{#r{n}}}") for n in range(1, 9)] == [1] * 8
    assert "{#r1}" in first and "{#r8}" in second and "# Rulings, page 2 of 2" in second
    assert "withdrawn" not in first and 'id="TI-AMB-9"' in second
    assert "(rulings_2.md#TI-AMB-9)" in first and "(#TI-AMB-9)" in second
    named = [path for path in _paths(navigation([tiny])) if path.startswith("tiny/rulings")]
    assert named[:2] == ["tiny/rulings.md", "tiny/rulings_2.md"]
    told = str(navigation([tiny]))
    assert "'All rulings in brief, page 1 of 2'" in told and "'All rulings in brief, page 2 of 2'" in told


def test_rules_that_are_too_many_for_a_page_are_listed(tiny: Shown, tmp_path: Path) -> None:
    """And stand whole on a page for print, beside the list."""
    assert "Play a [" in _page(tiny, "rules.md")
    assert {} == beside([tiny])
    more = (f"      - {{id: TI-PLAY-{n}, title: More, text: {'And so on. ' * 70}}}\n" for n in range(3, 33))
    rules = FILES["rules.yaml"] + "".join(more)
    tiny = show(write_game(tmp_path / "tiny", rules_yaml=rules))
    made = texts(pages(tiny))

    assert "- [1.2 Strength](rules-play.md#TI-PLAY-2)" in made["tiny/rules.md"]
    assert "(print.md)" in made["tiny/rules.md"] and "Play a [" not in made["tiny/rules.md"]
    assert "Play a [" in made["tiny/print.md"]
    assert {"tiny/print.md": "tiny/rules.md"} == beside([tiny])
    assert {"All rules": "tiny/rules.md"} in navigation([tiny])[1]["Tiny"][1]["Rules"]


def test_rules_of_one_page_share_a_link(tmp_path: Path) -> None:
    """A word that is used everywhere would else have a hundred."""
    rules = FILES["rules.yaml"].replace("text: Play a [[mouse]]", "text: With [[=power]], play a [[mouse]]")
    terms = _page(show(write_game(tmp_path / "tiny", rules_yaml=rules)), "terms.md")

    assert "Used in [1.1, 1.2](rules-play.md#TI-PLAY-1)" in terms


def test_many_numbers_are_counted(flock: Shown) -> None:
    """Of a large deck the scoring page tells how many pieces have which value; there are two snow owls."""
    text = _page(flock, "scoring.md")

    assert "| wings [1.2](rules-play.md#TI-PLAY-2) | 1 to 10 |" in text
    assert "| tame [1.1](rules-play.md#TI-PLAY-1) | yes on 3, no on 12 |" in text
    assert "| song [1.1](rules-play.md#TI-PLAY-1) | hiss on 1, Night Song on 3, none on 11 |" in text
    assert "(gallery.md#gallery-birds)" in text


NESTS = """\
  - id: nests
    name: Nests
    kind: card
    file: nests.csv
    count: COUNT
    stock: poker
    faces: {front: bare}
    needs: [whose]
    columns:
      whose: {type: choice, label: whose, choices: [mouse, owl]}
      like: {type: choice, label: like, choices: [mouse, owl]}
      egg: {type: text, label: egg, rule: TI-PLAY-1}
      twig: {type: text, label: twig, optional: yes, rule: TI-PLAY-1}
"""


def nests(folder: Path, rows: list[str]) -> Shown:
    """The made-up game with nests that belong to its mouse and its owl."""
    files = {"nests.csv": "\n".join(["id,name,whose,like,egg,twig", *rows, ""])}
    files["faces/bare.svg.j2"] = FILES["faces/plain.svg.j2"].replace("{{ card.power }}", "")
    info = FILES["game.yaml"] + NESTS.replace("COUNT", str(len(rows)))
    return show(write_game(folder / "nests", **{"game.yaml": info, **files}))


def test_many_texts_are_not_counted(tmp_path: Path) -> None:
    """Each has one of its own; a few are told, and how many have none, once."""
    rows = [f"n{n},N,owl,owl,egg {n},{'moss' if n < 3 else ''}" for n in range(14)]
    text = _page(nests(tmp_path, rows), "scoring.md")

    assert "| twig [1.1](rules-play.md#TI-PLAY-1) | moss on 3, – on 11 |" in text
    assert "| egg " not in text


def test_whose_a_piece_is_is_told_by_name(tmp_path: Path) -> None:
    """In a column that tells what a piece belongs to, an id is called as its piece is; another word is a word."""
    shown = nests(tmp_path, ["hole,Hole,mouse,owl,a,", "hollow,Hollow,owl,mouse,b,"])
    choices = re.findall(r'name="(whose|like)" value="([^"]*)"', _page(shown, "gallery.md"))

    assert [("whose", "Mouse"), ("whose", "Owl"), ("like", "mouse"), ("like", "owl")] == choices
    assert ["Mouse", "Owl"] == re.findall(r"whose\W+(\w+)", _page(shown, "components.md"))


def test_a_few_numbers_are_all_shown(owls: Shown) -> None:
    text = _page(owls, "scoring.md")

    assert re.search(r"\| \[.*Barn owl\]\(components.md#barn-owl\) \| 4 \| yes \| Night Song \|", text)
    assert re.search(r"\| \[.*Moor owl\]\(components.md#moor-owl\) \| – \| no \| hiss \|", text)


def test_faces_of_a_large_deck_are_folded(flock: Shown) -> None:
    text = _page(flock, "downloads.md")

    assert re.findall(r"<details.*</summary>", text) == [
        '<details markdown="1" open><summary>Cards</summary>',
        '<details markdown="1"><summary>Birds</summary>',
    ]


def test_pictures_that_stand_for_a_deck_differ(tmp_path: Path) -> None:
    """One of each family and the first that is left, in the order of the table."""
    head, barn, dusk, moor, snow = BIRDS.splitlines(keepends=True)
    shown = show(write_birds(tmp_path / "flock", head + barn + dusk + MORE_BIRDS + snow + moor))
    samples = re.search(r'<div class="samples">(.*?)</div>', _page(shown, "components.md"), re.DOTALL)

    assert samples
    assert re.findall(r"faces/([a-z0-9-]+)-front", samples[1]) == ["barn-owl", "dusk-owl", "hen-1", "snow-owl"]


def test_what_lies_on_a_piece_is_told_with_it() -> None:
    """Where the engine says that numbers are what lies on each piece, they do not count pieces."""
    cats = Table(Whole(), load="food")
    shape = Record({"seats": Table(Record({}, {"cats": cats, "hand": Table(Whole())}))})
    position = {"seats": {"Ada": {"cats": {"tom": 2, "baker": 0}, "hand": {"coin": 3, "note": 0}}}}
    pieces = ["tom", "baker", "coin", "note"]

    assert find_loads(shape) == {"cats": "food"}
    assert Teller(pieces, {"cats": "food"}).tell(position) == "Ada: tom with 2 food, baker; hand 3 × coin."
    assert Teller(pieces, {"cats": "food"}, zeros=True).tell(position) == (
        "Ada: tom with 2 food, baker with 0 food; hand 3 × coin, 0 × note."
    )


def test_a_high_pile_is_counted() -> None:
    """Of nobody's pile ten pieces are named, of a seat's sixteen; a list of seats is named whatever its length."""
    pieces = [f"card-{n}" for n in range(17)]
    seats = [f"Seat {n}" for n in range(17)]

    assert Teller(pieces).tell({"deck": pieces[:11]}) == "Deck: 11 pieces."
    assert Teller(pieces).tell({"deck": pieces[:10]}).startswith("Deck: card 0, card 1, ")
    assert Teller(pieces).tell({"seats": {"Ada": {"pile": pieces}}}) == "Ada: pile 17 pieces."
    assert Teller(pieces).tell({"seats": {"Ada": {"pile": pieces[:16]}}}).startswith("Ada: pile card 0, card 1, ")
    assert Teller(pieces).tell({"used": True, "scared": seats}) == f"Used: yes. Scared: {', '.join(seats)}."


def test_draws_of_one_kind_are_told_together(tmp_path: Path) -> None:
    """A remark or another kind of draw parts them."""
    steps = [("coin", "heads"), ("coin", "tails"), ("card", "owl"), None, ("card", "owl"), ("card", "mouse")]
    written = ", ".join(f"draw: {{{step[0]}: {step[1]}}}" if step else "say: And on." for step in steps)
    play = f"{{id: TI-GAME-1, title: T, summary: S, seats: [Ada], steps: [{written}], expect: {{to-act: Ada}}}}\n"
    shown = show(write_game(tmp_path / "tiny", **{"playthroughs/one.yaml": play}))
    text = _page(shown, "playthroughs/TI-GAME-1.md")

    assert re.findall(r"By chance, (.*)\n", text) == ["coin: heads, tails", "card: owl", "card: owl, mouse"]


@pytest.mark.slow("makes the pages of a whole game")
def test_chance_is_told_when_it_decides() -> None:
    """A script writes draws before the line that needs them; who reads a game must not know them before.

    They follow the events of their line, but for those that the facts of the events name, whatever the sentences say.
    What comes before the first line stays.
    """
    shown, words = bundled("wolf-mans-curse"), load_words()
    viewer = Viewer(shown, Tables(shown), Reader(Map(shown, words), "rules-months.md"), words)
    steps = [
        StepView(draw="Ada", drawn=("7c", "ah"), dealt=True),
        StepView(draw="moon", drawn=("Queen of Spades",), given=frozenset({"qs"}), later=True),
        StepView(draw="Ada", drawn=("2h",), given=frozenset({"2h"}), dealt=True, later=True),
        StepView(say="Now."),
        StepView(line="`7c`", events=("No queen of spades.", "Ada gets a two."), named=frozenset({"7c", "2h"})),
        StepView(facts=("Ada is to act.",)),
    ]
    dealt, said, line, fact = viewer.in_order(steps)

    assert (steps[0], steps[3], steps[5]) == (dealt, said, fact)
    assert line.events == (*steps[4].events, "By chance, moon: Queen of Spades")


@pytest.mark.slow("makes the pages of a whole game")
@pytest.mark.parametrize("name", ["werecats", "wolf-mans-curse", "curses-and-covens"])
def test_no_playthrough_tells_what_comes_next(name: str) -> None:
    """After the first line no draw stands by itself, and none is left over: the events tell of every one."""
    shown, words = bundled(name), load_words()
    viewer = Viewer(shown, Tables(shown), Reader(Map(shown, words), "playthroughs/one.md"), words)
    for play in shown.game.playthroughs:
        steps = [step for part in viewer.rounds(play) for step in part.steps]
        first = next(index for index, step in enumerate(steps) if step.line)
        told = [event for step in steps for event in step.events]

        assert any(step.draw for step in steps[:first])
        assert [step for step in steps[first:] if step.draw] == []
        assert [event for event in told if event.startswith("By chance") or not event.endswith(")")] == []


@pytest.mark.slow("makes the pages of a whole game")
def test_a_card_that_another_replaces_is_told_by_its_event() -> None:
    """Its id is among the facts of the event, so the draw is not told once more."""
    shown, words = bundled("wolf-mans-curse"), load_words()
    viewer = Viewer(shown, Tables(shown), Reader(Map(shown, words), "rules-end.md"), words)
    replaced = [
        viewer.example(example)
        for example in shown.game.examples
        if any("another card is turned up instead" in e.text for s in shown.traces[example.id].steps for e in s.events)
    ]

    assert replaced
    assert [] == [e for view in replaced for step in view.steps for e in step.events if e.startswith("By chance")]


def play_pages(made: dict[str, str | bytes]) -> dict[str, str]:
    """The pages of playthroughs, and what their steppers load, by the name of the file."""
    folder = f"{next(iter(made)).partition('/')[0]}/playthroughs/"
    return {path.removeprefix(folder): str(text) for path, text in made.items() if path.startswith(folder)}


@pytest.mark.slow("makes the pages of a whole game")
def test_a_playthrough_has_a_page_from_every_seat() -> None:
    """Each leads to all of them, and says which one it is; the navigation has the one with all cards face up."""
    made = play_pages(watched_pages())
    names = ["WM-PLAY-1", "WM-PLAY-1-ambrose", "WM-PLAY-1-hester", "WM-PLAY-1-silas"]

    assert sorted(made) == sorted(f"{name}.{end}" for name in names for end in ("md", "js"))
    for here in names:
        row = re.search(r'<nav class="eyes".*</nav>', made[f"{here}.md"])

        assert row is not None
        assert re.findall(r'<a href="([^"]+)"', row[0]) == [f"{name}.html" for name in names]
        assert re.findall(r'<a href="([^"]+)" aria-current="page"', row[0]) == [f"{here}.html"]
    in_navigation = _paths(navigation([watched()]))

    assert beside([watched()]) == {
        f"wolf-mans-curse/playthroughs/{name}.md": "wolf-mans-curse/playthroughs/WM-PLAY-1.md" for name in names[1:]
    }
    assert [path for path in in_navigation if "/playthroughs/" in path] == ["wolf-mans-curse/playthroughs/WM-PLAY-1.md"]


@pytest.mark.slow("makes the pages of a whole game")
def test_a_game_that_does_not_tell_what_seats_know_has_one_page_a_playthrough() -> None:
    made = play_pages(bundled_pages("werecats"))

    assert sorted(name for name in made if name.endswith(".md")) == ["WC-PLAY-1.md", "WC-PLAY-2.md"]
    assert not any('class="eyes"' in text for text in made.values())
    assert [path for path in beside([bundled("werecats")]) if "playthroughs" in path] == []


@pytest.mark.slow("makes the pages of a whole game")
def test_a_seat_reads_what_it_was_told() -> None:
    """Ambrose lays the 2 of hearts on the first night, face down: Hester reads of a card. She knows her own.

    No draw, no checked fact and no score stands on her page, at the end or as it runs; the deal that the draws told
    stands there as she saw it.
    """
    made = play_pages(watched_pages())
    open_table, hester = made["WM-PLAY-1.md"], made["WM-PLAY-1-hester.md"]
    steps = re.findall(r"\n(\d+)\. <a [^>]+>\1\.</a> \*\*(\w+)\*\* (\S+)\n", hester)

    assert [line for _, _, line in steps[:3]] == ["`?`", "`5d`", "`?`"]
    assert len(steps) == len(re.findall(r"\{: #step-\d+ \}", open_table))
    assert "2 of hearts" in open_table.partition("2.</a> **Hester**")[0].partition("1.</a> **Ambrose**")[2]
    assert "2 of hearts" not in hester.partition("2.</a> **Hester**")[0]
    assert "Hester is dealt" in hester
    assert "{: .draw }" in open_table
    assert '<div class="facts"' in open_table
    assert "Silas is dealt 5 cards." in hester
    assert '<p class="so-far' in open_table
    for unknown in ("{: .draw }", '<div class="sums"', '<p class="so-far', "{#final-score}"):
        assert unknown not in hester
    assert "](WM-PLAY-1.md#final-score)" in hester
    assert "Hester" in hester.partition("{#the-end}")[2]


@pytest.mark.slow("makes the pages of a whole game")
def test_a_remark_stands_where_its_reader_is() -> None:
    """The open table has them all, each with the seat that it is for; a seat has its own, and Ambrose has none."""
    made = play_pages(watched_pages())
    asides = ["**Silas:** He has a ten.\n{: .aside }", "**Hester:** She hopes.\n{: .aside }"]

    assert all(one in made["WM-PLAY-1.md"] for one in ("\nAll see this.\n", *asides))
    assert "\nShe hopes.\n" in made["WM-PLAY-1-hester.md"]
    for seat, unread in (("hester", ("All see", "a ten")), ("ambrose", ("All see", "a ten", "hopes"))):
        assert not any(text in made[f"WM-PLAY-1-{seat}.md"] for text in unread)


@pytest.mark.slow("makes the pages of a whole game")
def test_nothing_hidden_reaches_the_page_of_a_seat() -> None:
    """Whatever Hester may not know is another text in the second game, and her page and its pictures are the same."""
    told, blind = play_pages(watched_pages()), play_pages(watched_pages(planted=True))

    assert SECRET in blind["WM-PLAY-1.md"]
    for name in ("WM-PLAY-1-hester.md", "WM-PLAY-1-hester.js"):
        assert told[name] == blind[name]
        assert SECRET not in blind[name]


@pytest.mark.slow("makes the pages of a whole game")
def test_a_game_without_points_has_no_page_about_them() -> None:
    """No example of it counts any; its overview and its navigation do not promise the page."""
    scored = bundled("werecats")
    others = tuple(one for one in scored.game.examples if one.kind not in ("scoring", "tie"))[:3]
    unscored = replace(scored, game=replace(scored.game, examples=others, playthroughs=()))
    made = texts(pages(unscored))

    assert "werecats/scoring.md" in bundled_pages("werecats")
    assert "werecats/scoring.md" in _paths(navigation([scored]))
    assert "werecats/scoring.md" not in [*made, *_paths(navigation([unscored]))]
    assert "](scoring.md)" in str(bundled_pages("werecats")["werecats/index.md"])
    assert "](scoring.md)" not in made["werecats/index.md"]


@pytest.mark.slow("makes the pages of a whole game")
@pytest.mark.parametrize("number", [0, 1])
def test_no_seat_reads_of_a_card_that_it_may_not_know(number: int) -> None:
    """A card is named in a step, or in the words of its picture, only if the seat has been able to name it by then.

    What a seat can name is what lies somewhere in the position as it knows it, now or before: a hand of its own, a hand
    shown in a Census, a card that was picked, given to it, or laid by it.
    """
    shown = bundled("curses-and-covens")
    play = shown.game.playthroughs[number]
    trace = shown.traces[play.id]
    made = play_pages(bundled_pages("curses-and-covens"))
    pieces = [row for deck in ("witches", "townsfolk", "rituals") for row in shown.game.components[deck]]
    words = {row.id: [row.name] + ([row.id, row.id.replace("-", " ")] if "-" in row.id else []) for row in pieces}
    hidden = 0

    def parted(page: str) -> list[str]:
        return re.split(r"\n\d+\. <a", page.partition('<div class="play"')[2].partition("\n## How it ended")[0])

    def read(text: str) -> set[str]:
        return {id_ for id_, called in words.items() if any(re.search(rf"\b{one}\b", text) for one in called)}

    for seat, path in seat_pages(shown, play).items():
        file = path.removeprefix("playthroughs/")
        page, script = made[file], made[file.removesuffix(".md") + ".js"]
        steps, with_all = parted(page), parted(made[f"{play.id}.md"])
        tables = json.loads(script.partition("=")[2].rstrip(";\n"))
        told = [
            " ".join([alt, score, *(tables["told"][n] for n in place)])
            for _, alt, place, score, _ in tables["steps"].values()
        ]
        positions = [trace.known, *(step.known for step in trace.steps if step.line)]
        can_name: set[str] = set()

        assert len(steps) == len(with_all) == len(positions) == len(told)
        for text, open_text, table, known in zip(steps, with_all, told, positions, strict=True):
            can_name |= named(known[seat.number])
            hidden += len(read(open_text) - can_name)

            assert read(text + table) - can_name == set(), (seat.name, text)

    assert hidden > 0


def named(value: Any) -> set[str]:
    """Every word in a position."""
    if isinstance(value, dict):
        return set().union(*map(named, value), *map(named, value.values()))
    return set().union(*map(named, value)) if isinstance(value, list) else {str(value)}


@pytest.mark.slow("makes the pages of a whole game")
def test_no_seat_reads_the_summary() -> None:
    """It tells the whole game, with what some seats learn late or never; it stands where all cards lie open."""
    shown = bundled("curses-and-covens")
    made = play_pages(bundled_pages("curses-and-covens"))
    for play in shown.game.playthroughs:
        summary = play.summary.splitlines()[0]

        assert summary in made[f"{play.id}.md"]
        for path in seat_pages(shown, play).values():
            assert summary not in made[path.removeprefix("playthroughs/")]


@pytest.mark.slow("makes the pages of a whole game")
def test_an_icon_before_its_own_word_is_silent() -> None:
    """The word would be heard and found twice; an icon that stands for a word tells it."""
    reader = Reader(Map(bundled("werecats"), load_words()), "rules.md")
    counts = {
        text: reader.md(text).count("<title>")
        for text in (
            ":extra: extra",
            ":extra: :extra: Extra twice",
            ":extra: extras",
            ":extra:, extra",
            ":extra: :will:",
        )
    }

    assert counts == {
        ":extra: extra": 0,
        ":extra: :extra: Extra twice": 0,
        ":extra: extras": 1,
        ":extra:, extra": 1,
        ":extra: :will:": 2,
    }
    assert "<svg" in reader.md(":extra: extra")
    assert "aria-hidden" in reader.md(":extra: extra")
    assert reader.to.plain("An :extra: extra; a :will:.").split() == ["An", "extra;", "a", "will."]


@pytest.mark.slow("makes the pages of a whole game")
def test_credits_are_told_role_by_role() -> None:
    """All who did the same stand behind one label; the home page names all who did what is credited first."""
    shown = bundled("curses-and-covens")
    overview, first = (
        str(bundled_pages("curses-and-covens")["curses-and-covens/index.md"]),
        str(home([shown])["index.md"]),
    )
    roles = [credit.role for credit in shown.game.info.credits]

    assert len(set(roles)) < len(roles)
    assert [overview.count(f"{role}: ") for role in roles] == [1] * len(roles)
    assert "Design: Samara Jethwa and David Walsh.\n" in overview
    assert "by Samara Jethwa and David Walsh\n" in first


@pytest.mark.slow("makes the pages of a whole game")
def test_pages_of_seats_have_names_of_their_own() -> None:
    """A name without a letter of the alphabet, one like another, and one that makes the id of another playthrough."""
    shown = watched()
    (play,) = shown.game.playthroughs
    trace = shown.traces[play.id]
    named = replace(trace, seats=("Zoë the 2nd", "猫", "two"), known=trace.known)
    both = replace(shown.game, playthroughs=(play, play.model_copy(update={"id": "WM-PLAY-1-two"})))
    found = seat_pages(replace(shown, game=both, traces={**shown.traces, play.id: named}), play)

    assert [path.removeprefix("playthroughs/WM-PLAY-1-") for path in found.values()] == [
        "zo-the-2nd.md",
        "seat-2.md",
        "seat-3.md",
    ]


@pytest.mark.slow("makes the pages of a whole game")
def test_a_page_of_a_seat_has_a_name_that_every_disk_takes() -> None:
    """However long the seat's own is, and also when two begin alike."""
    shown = watched()
    (play,) = shown.game.playthroughs
    trace = replace(shown.traces[play.id], seats=("x" * 300, "x" * 301, "con"))
    paths = seat_pages(replace(shown, traces={play.id: trace}), play).values()

    assert ["", "", ""] == [fault_of_name(path.rpartition("/")[2]) for path in paths]
    assert 3 == len(set(paths))


@pytest.mark.slow("makes the pages of a whole game")
def test_no_two_pages_of_seats_are_one_file() -> None:
    """Not within a playthrough, not in two of them, and not where a disk sees no capitals."""
    shown = watched()
    (play,) = shown.game.playthroughs
    trace = shown.traces[play.id]
    plays = {"WM-PLAY-1": ("Seat 3", "A", "日本"), "WM-PLAY-2": ("B C", "D", "E"), "WM-PLAY-2-b": ("F", "C", "c")}
    game = replace(shown.game, playthroughs=tuple(play.model_copy(update={"id": id_}) for id_ in plays))
    all_shown = replace(shown, game=game, traces={id_: replace(trace, seats=seats) for id_, seats in plays.items()})
    found = [path.lower() for one in game.playthroughs for path in seat_pages(all_shown, one).values()]

    assert len(found) == 9 == len(set(found))


@pytest.mark.slow("makes the pages of a whole game")
def test_draws_of_an_example_follow_its_line() -> None:
    """Only where a game begins is something drawn before anybody acts; where a position is given, nothing is."""
    shown, words = bundled("wolf-mans-curse"), load_words()
    viewer = Viewer(shown, Tables(shown), Reader(Map(shown, words), "rules-months.md"), words)
    drawing = [one for one in shown.game.examples if any("draw" in step for step in shown.game.scripts[one.id].steps)]
    early = {
        (script.given is None, step.later)
        for one in drawing
        for script in [shown.game.scripts[one.id]]
        for step in viewer.steps(one, shown.traces[one.id])
        if step.draw
    }

    assert early == {(True, False), (True, True), (False, True)}


def test_notes_of_a_score_lead_to_their_rules(owls: Shown) -> None:
    """A note stands under the lines of its score."""
    words = load_words()
    tables = Tables(owls)
    viewer = Viewer(owls, tables, Reader(Map(owls, words), "scoring.md"), words)
    score = Score("Ada", (Line("TI-PLAY-1", "mice", 2, 3, 6),), (("TI-PLAY-2", "Five <b> are more than four."),))

    assert viewer.score(score).notes == ("Five &lt;b&gt; are more than four. [1.2](rules-play.md#TI-PLAY-2)",)


@pytest.mark.slow("makes the pages of a whole game")
def test_a_line_that_draws_before_it_is_refused_breaks_no_page() -> None:
    """Scaring turns up cards that no record of a position holds, so the rule is named without the engine's reason."""
    shown, words = bundled("werecats"), load_words()
    viewer = Viewer(shown, Tables(shown), Reader(Map(shown, words), "rules-rounds.md"), words)
    position = {"city": ["baker", "cook"], "seats": {"Ada": {"cats": {"soot": 0}}, "Basil": {"cats": {"tom": 0}}}}
    expect = {"illegal": {"scare, eat baker": "WC-ROUND-4", "eat baker": "WC-EAT-1"}}
    drawn, plain = viewer.facts(expect, position)

    assert drawn == "`scare, eat baker` is refused by [4.5](#WC-ROUND-4)."
    assert plain.startswith("`eat baker` is refused by [6.2](rules-eating.md#WC-EAT-1): ")


def test_columns_of_a_score_are_never_added_up(owls: Shown) -> None:
    """Lines that say the same of different columns are one row; every column has its total, and there is no other."""
    words = load_words()
    viewer = Viewer(owls, Tables(owls), Reader(Map(owls, words), "scoring.md"), words)
    lines = (
        Line("TI-PLAY-1", "mice of last year", 4, 1, 4, "mice", "last year"),
        Line("TI-PLAY-1", "mice: fat ones", 2, 3, 6, "mice", "fat ones"),
        Line("TI-PLAY-1", "voles of last year", 1, 1, 1, "voles", "last year"),
        Line("TI-PLAY-2", "shrews", 0, 1, 0, "shrews"),
    )
    view = viewer.score(Score("Ada", lines))
    page = viewer_page(owls, [view])

    assert view.rows == (
        ("[1.1](rules-play.md#TI-PLAY-1)", "last year", ("4", "1", "")),
        ("[1.1](rules-play.md#TI-PLAY-1)", "fat ones: 2 × 3", ("6", "", "")),
    )
    assert view.columns == {"mice": 10, "voles": 1, "shrews": 0}
    assert "| Ada | mice | voles | shrews |\n|---|--:|--:|--:|\n" in page
    assert "| **Total** | **10** | **1** | **0** |" in page
    assert "11" not in page


def test_seats_of_one_row_share_a_table(owls: Shown) -> None:
    """Then the rule stands at its head, and a note tells whose it is."""
    words = load_words()
    viewer = Viewer(owls, Tables(owls), Reader(Map(owls, words), "scoring.md"), words)
    views = [
        viewer.score(Score("Ada", (Line("TI-PLAY-1", "mice of last year", 4, 1, 4, "mice"),))),
        viewer.score(
            Score("Basil", (Line("TI-PLAY-2", "mice", 0, 1, 0, "mice"),), (("TI-PLAY-2", "A vole is kept."),))
        ),
    ]
    page = viewer_page(owls, views)

    assert "| [1.1](rules-play.md#TI-PLAY-1) | mice |\n|---|--:|\n| Ada | 4 |\n| Basil | 0 |\n" in page
    assert "\nBasil: A vole is kept. [1.2](rules-play.md#TI-PLAY-2)\n" in page


def viewer_page(shown: Shown, views: list[ScoreView]) -> str:
    """Scores as the templates show them."""
    template = "{% from 'parts.md.j2' import scores with context %}{{ scores(views) }}"
    return environment().from_string(template).render(views=views)


def test_the_end_is_told_step_by_step(owls: Shown) -> None:
    words = load_words()
    viewer = Viewer(owls, Tables(owls), Reader(Map(owls, words), "scoring.md"), words)
    steps = (("TI-PLAY-1", "Ada is out."), ("TI-PLAY-2", "Nobody is left."))
    result = Result((), ("TI-PLAY-2",), "all are out", steps)
    trace = Trace("T", ("Ada",), {}, (), (), {}, (), result, frozenset())

    assert viewer.ending(trace) == (
        "Ada is out. [1.1](rules-play.md#TI-PLAY-1)",
        "Nobody is left. [1.2](rules-play.md#TI-PLAY-2)",
    )
    assert list(viewer.facts({"winners": []}, {})) == ["Nobody wins."]
    assert list(viewer.facts({"score": {"Ada": {"mice": 3, "voles": 0}}}, {})) == ["Ada: mice 3, voles 0."]


@pytest.mark.slow("makes the pages of a whole game")
def test_cards_are_dealt_to_a_seat() -> None:
    """A draw with a seat's name is what it is dealt; what turns up for all is called by its name."""
    shown, words = bundled("wolf-mans-curse"), load_words()
    viewer = Viewer(shown, Tables(shown), Reader(Map(shown, words), "rules-nights.md"), words)
    position: dict[str, dict[str, dict[str, str]]] = {"seats": {"Ada": {}, "Basil": {}}}
    steps = (Step(position=position), Step(position=position))
    dealt, turned = (
        viewer.step({"draw": draw}, step, 0, {})
        for draw, step in zip(({"Ada": ["7c", "ah"]}, {"moon": "qs"}), steps, strict=True)
    )

    assert (dealt.draw, dealt.drawn, dealt.dealt) == ("Ada", ("7c", "ah"), True)
    assert (turned.draw, turned.drawn, turned.dealt) == ("moon", ("Queen of Spades",), False)


def test_what_nobody_has_is_not_told() -> None:
    """A number that is 0 for every seat; what one seat has, all are compared by. Cards are called by their names."""
    seats = {
        "Ada": {"hand": ["7c", "joker-1"], "clubs": 2, "hearts": 0, "jokers": 0},
        "Basil": {"hand": ["ac"], "clubs": 0, "hearts": 0, "jokers": 0},
    }
    names = {"7c": "Seven of Clubs", "ac": "Ace of Clubs", "joker-1": "Joker of the Moon"}
    told = Teller(["7c", "ac", "joker-1"], names=names).tell({"seats": seats})

    assert told == "Ada: hand Seven of Clubs, Joker of the Moon; clubs 2. Basil: hand Ace of Clubs; clubs 0."


@pytest.mark.slow("makes the pages of a whole game")
def test_a_deck_says_what_its_pieces_are_called() -> None:
    """By their ids, unless it says that names tell more, as those of playing cards do."""
    tables = Tables(bundled("wolf-mans-curse"))

    assert "Seven of Clubs" == tables.names["7c"]
    assert 54 == len(tables.names)
    assert "Moon: Joker of the Moon." == tables.tell({"moon": "joker-1"})
    assert "Hand: baker." == Tables(bundled("werecats")).tell({"hand": ["baker"]})


@pytest.mark.slow("makes the pages of a whole game")
def test_what_is_no_part_of_the_table_is_not_told() -> None:
    """A game says so of a list: what has happened in Curses & Covens. Options lie on no table."""
    position = {"woods": "baker", "history": ["gave Ada Basil baker"], "options": {"rounds": 3}}

    assert "Woods: baker." == Tables(bundled("curses-and-covens")).tell(position)
    assert "Woods: baker. History: gave Ada Basil baker." == Teller(["baker"]).tell(position)


@pytest.mark.slow("makes the pages of a whole game")
def test_a_game_says_what_its_playthroughs_are_parted_by() -> None:
    """By the months of Wolf-Man's Curse, or by its nights, or not at all."""

    def parted(parts: Parts | None) -> list[tuple[str, str]]:
        shown = bundled("wolf-mans-curse")
        info = shown.game.info.model_copy(update={"parts": parts})
        shown = replace(shown, game=replace(shown.game, info=info))
        reader = Reader(Map(shown, load_words()), "playthroughs/one.md")
        viewer = Viewer(shown, Tables(shown), reader, load_words())
        return [(part.title, part.anchor) for part in viewer.rounds(shown.game.playthroughs[0])]

    months, nights = parted(Parts(key="month", name="Month")), parted(Parts(key="night", name="Nacht"))

    assert ("Month 1", "month-1") == months[0]
    assert [("Nacht 1", "night-1"), ("Nacht 2", "night-2"), ("Nacht 3", "night-3")] == nights[:3]
    assert len(months) < len(nights)
    assert [("The game", "game")] == parted(None)


@pytest.mark.slow("makes the pages of a whole game")
def test_a_seat_reads_no_line_that_could_not_be_played() -> None:
    """What follows a fault of a draft is shown on the open table alone: nobody knows who may know of it."""
    shown = bundled("curses-and-covens")
    play = shown.game.playthroughs[0]
    trace = shown.traces[play.id]
    broken = replace(trace, steps=trace.steps[:-12], fault=(("steps", 0), '"fly" is not a move'))
    shown = replace(shown, traces={**shown.traces, play.id: broken})
    reader = Reader(Map(shown, load_words()), "playthroughs/one.md")

    def lines(seat: Seat | None) -> int:
        viewer = Viewer(shown, Tables(shown), reader, load_words(), seat)
        return sum(bool(step.line) for part in viewer.rounds(play) for step in part.steps)

    played = sum(bool(step.line) for step in broken.steps)
    written = sum(bool(step.line) for step in trace.steps)
    assert played < written
    assert written == lines(None)
    assert played == lines(Seat(0, trace.seats[0]))


def test_a_term_for_several_words_makes_them_not_one(tmp_path: Path) -> None:
    """Hiss and hoot are both songs; a gallery must still tell them apart."""
    folder = write_birds(tmp_path / "owls")
    (folder / "terms.yaml").write_text(TERMS.replace("[hoot, hoots]", "[hoot, hiss]"), "utf-8")
    text = _page(show(folder), "gallery.md")

    assert re.findall(r'name="song" value="([^"]*)"', text) == ["hiss", "hoot", "none"]
    assert "Night Song" not in text


def test_sheets_of_variants_stand_by_themselves(tiny: Shown) -> None:
    """Each variant has its name and text above its sheets; a form is told by the name of its component."""
    wide = Variant(id="wide", name="Wide cards", text="For large hands.", palette={"red": "#bb0000"})
    info = tiny.game.info.model_copy(update={"variants": (wide,)})
    names = ("tiny-a4.pdf", "tiny-a4-low.pdf", "tiny-a4-wide.pdf", "tiny-letter-wide-mono.pdf", "owl-form.pdf")
    shown = replace(tiny, game=replace(tiny.game, info=info), sheets=dict.fromkeys(names, b"%PDF-1.7"))
    text = _page(shown, "downloads.md")
    usual, variants, forms = re.split(r"^###? (?:Wide cards|Forms to fill in).*$", text, flags=re.MULTILINE)

    assert re.findall(r"\[(.*?)\]\(downloads", usual) == ["Sheets on A4", "Sheets on A4, little ink"]
    assert re.findall(r"\[(.*?)\]\(downloads", variants) == [
        "Sheets on A4, wide cards",
        "Sheets on Letter, wide cards, black only",
    ]
    assert "For large hands." in variants
    assert re.findall(r"\[(.*?)\]\(downloads/(.*?)\)", forms) == [("Owl", "owl-form.pdf")]
    assert "Sheets for A4 and Letter, ready" in text
    assert "also available with little ink:\n\n    grimalkin sheets tiny --variant wide --ink low\n" in variants
    assert "the same for every variant" in forms


def test_scenarios_and_books_have_downloads_of_their_own(tiny: Shown) -> None:
    """Each by its name, the whole game first; what a file holds is told by its name alone."""
    scenario = Scenario(
        id="wake", number=2, title="A wake", map="inn", loot=(1,), intro="It rains.",
        objectives=(Clause(text="Wait."),), exit="The butler did it.", status="printed",
    )  # fmt: skip
    face = Faces(front="plain")
    books = tuple(Book(id=id_, name=id_.title(), file=f"{id_}.csv", faces=face) for id_ in ("tiny-tales", "tales"))
    info = tiny.game.info.model_copy(update={"books": books, "party": "cards"})
    names = [f"tiny-{rest}.pdf" for rest in ("a4", "a4-mono", "a4-scenario-2", "letter-scenario-2-mono")]
    names += [f"{rest}.pdf" for rest in ("tales", "tales-a4-low", "tiny-tales-letter", "tiny-tales-mono")]
    game = replace(tiny.game, info=info, scenarios=(scenario,), pages={book.id: () for book in books})
    text = _page(replace(tiny, game=game, sheets=dict.fromkeys(names, b"%PDF-1.7")), "downloads.md")
    _, *parts = re.split(r"^##+ (.*?) \{#", text, flags=re.MULTILINE)
    found = dict(zip(parts[::2], (re.findall(r"\[(.*?)\]\(downloads/", part) for part in parts[1::2]), strict=True))

    assert found["The whole game"] == ["Sheets on A4", "Sheets on A4, black only"]
    assert found["[Scenario 2: A wake](scenarios/wake.md)"] == ["Sheets on A4", "Sheets on Letter, black only"]
    assert found["Tales"] == ["For the screen", "On A4, to fold, little ink"]
    assert found["Tiny-Tales"] == ["On Letter, to fold", "For the screen, black only"]
    assert "    grimalkin sheets tiny --scenario 2 --heroes mouse,owl\n" in text
    assert "Sheets for A4 and Letter, ready to print and cut." in text


FOLDED = r'(?s)<details class="spoiler".*?</details>'


@pytest.mark.parametrize("name", [name for name in bundled_games() if (find_game_folder(name) / "story.yaml").exists()])
@pytest.mark.slow("makes the pages of a whole game")
def test_no_page_tells_a_story_before_it_is_read(name: str) -> None:
    """No sentence of an entry or of an exit is on a page or a picture, and no page of a book is a face of the site.

    But for what the page of a scenario has folded.
    """
    game = bundled_game(name)
    told = " ".join([entry.text for entry in game.entries] + [scenario.exit for scenario in game.scenarios])
    sentences = [part for part in re.split(r"(?<=[.!?”])\s+", told) if len(part) > 25]
    made = bundled_pages(name)
    seen = {path: re.sub(FOLDED, "", str(text)) for path, text in made.items()}
    words = {path: " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split()) for path, text in seen.items()}
    found = [(path, one) for path, text in words.items() for one in sentences if one in text]

    assert len(sentences) > 50
    assert [] == found
    assert [] == [row.id for rows in game.pages.values() for row in rows if f"{name}/faces/{row.id}-front.svg" in made]


@pytest.mark.slow("makes the pages of a whole game")
def test_variants_that_go_together_are_named(tiny: Shown) -> None:
    """Those that change the same colour cannot be printed at once; without sheets there is nothing to ask for."""
    red, pale, dark = ({"red": colour} for colour in ("#bb0000", "#ffaaaa", "#550000"))
    changes = {"red": red, "pale": pale, "blue": {"ink": "#0000bb"}, "dark": dark}
    variants = tuple(Variant(id=id_, name=id_, text="Other.", palette=change) for id_, change in changes.items())
    info = tiny.game.info.model_copy(update={"variants": variants})
    shown = replace(tiny, game=replace(tiny.game, info=info))

    assert "combine variants, and print any of them with little ink" in _page(shown, "downloads.md")
    assert "    grimalkin sheets tiny --variant red,blue --ink low\n" in _page(shown, "downloads.md")
    assert "--variant" not in _page(replace(shown, sheets={}), "downloads.md")


def test_a_game_chooses_its_cover(tmp_path: Path) -> None:
    """In its order; without a choice, its first deck."""
    cover = FILES["game.yaml"].replace("decks:", "cover: [owl, mouse]\ndecks:", 1)
    chosen = show(write_game(tmp_path / "chosen", game_yaml=cover))
    usual = show(write_game(tmp_path / "usual"))
    orders = [re.findall(r"faces/(\w+)-front", _page(shown, "index.md")) for shown in (chosen, usual)]

    assert orders == [["owl", "mouse"], ["mouse", "owl"]]


def test_a_game_chooses_the_examples_to_begin_with(tmp_path: Path) -> None:
    """They come first on the page of examples, with the pieces that they name, and once more in their sections."""
    best = FILES["game.yaml"].replace("decks:", "best-examples: [TI-EX-1]\ndecks:", 1)
    chosen, usual = (
        _page(show(write_game(tmp_path / name, game_yaml=text, **{"examples/all.yaml": EXAMPLES})), "examples.md")
        for name, text in (("chosen", best), ("usual", FILES["game.yaml"]))
    )
    card = re.compile(r"^- .*faces/mouse-front.*faces/owl-front.*\(rules-play\.md#TI-EX-1\)", re.MULTILINE)

    assert "{#best}" in chosen.partition("{#of-play}")[0] and "{#best}" not in usual
    assert [2, 1] == [len(card.findall(page)) for page in (chosen, usual)]


def test_an_erratum_is_called_by_its_number(tmp_path: Path) -> None:
    """In a text as at the head of its own entry."""
    errata = "".join(
        f"  - {{id: TI-ERR-{n}, rules: [TI-PLAY-1], printed: A., reads: B., why: C., source: L1}}\n" for n in (1, 2)
    )
    rulings = RULINGS.replace("one after the other", "as [[TI-ERR-2]] tells")
    files = {"errata.yaml": f"errata:\n{errata}", "rulings.yaml": rulings}
    shown = show(write_game(tmp_path / "tiny", **files))

    assert "Yes, as [erratum E2](errata.md#TI-ERR-2) tells." in _page(shown, "rulings.md")
    assert "## [E2](#TI-ERR-2 " in _page(shown, "errata.md")


def test_what_was_withdrawn_is_told_under_the_rulings(tmp_path: Path) -> None:
    """Rulings and errata keep their numbers and are named by them; errata that do not hold need no page."""
    errata = "errata: [{id: TI-ERR-1, rules: [TI-PLAY-1], printed: A., reads: B., why: C., source: L1, withdrawn: D}]"
    rulings = RULINGS.replace("one after the other", "as [[TI-ERR-1]] and [[TI-AMB-2]] told")
    rulings += "  - {id: TI-AMB-2, title: Old, question: Q?, ruling: R., withdrawn: No more}\n"
    shown = show(write_game(tmp_path / "tiny", **{"errata.yaml": errata, "rulings.yaml": rulings}))
    page = _page(shown, "rulings.md")

    assert "Yes, as [erratum E1](#TI-ERR-1) and [ruling R2](#TI-AMB-2) told." in page
    assert '- <span id="TI-AMB-2">R2</span> Old (`TI-AMB-2`): No more\n' in page
    assert '- <span id="TI-ERR-1">E1</span> (`TI-ERR-1`): D\n' in page
    assert f"{shown.game.name}/errata.md" not in pages(shown)
    assert not shown.game.errata


@pytest.fixture(scope="module")
def simulated() -> Shown:
    """Were Kittens with two recorded simulations and one that was not run yet."""
    shown = bundled("were-kittens")
    module, facts = shown.game.module, shown.game.facts
    assert module
    recorded = []
    for id_, bots in (("alike", ("sensible",)), ("apart", ("sensible", "random"))):
        wanted = Simulation(
            id=id_, title=f"Are <{id_}> fair?", text="See [[WK-ACT-1]].", players=2, games=10, bots=bots
        )
        report = simulate(module, facts, 2, 10, bots)
        recorded.append(Recorded(wanted, f"grimalkin simulate {id_}", partial(Results, report)))
    later = Simulation(id="later", title="Later", text="Later.", players=2, games=10, bots=("random",))
    game = replace(
        shown.game, parts={"simulations": Simulations((*recorded, Recorded(later, "grimalkin simulate later")))}
    )
    return replace(shown, game=game)


@pytest.fixture(scope="module")
def simulated_pages(simulated: Shown) -> dict[str, str]:
    return texts(pages(simulated))


@pytest.mark.slow("makes the pages of a whole game")
def test_simulations_have_pages(simulated: Shown, simulated_pages: dict[str, str]) -> None:
    """One in short for all and one in full for each that was recorded, all in the navigation and on the overview."""
    made = simulated_pages
    paths = [path for path in made if "simulation" in path]

    assert sorted(paths) == [f"were-kittens/simulations{end}.md" for end in ("", "/alike", "/apart")]
    assert set(paths) <= set(_paths(navigation([simulated])))
    assert "## [Are &lt;apart&gt; fair?](simulations/apart.md) {#apart}" in made["were-kittens/simulations.md"]
    assert "(simulations.md)" in made["were-kittens/index.md"]
    assert "[rule 6.3](../rules-phase-2.md#WK-ACT-1" in made["were-kittens/simulations/apart.md"]
    assert "grimalkin simulate apart" in made["were-kittens/simulations/apart.md"]


@pytest.mark.slow("makes the pages of a whole game")
def test_without_results_no_page_tells_of_simulations(simulated: Shown) -> None:
    game = replace(simulated.game, parts={"simulations": Simulations(simulations_of(simulated.game).recorded[2:])})
    made = pages(replace(simulated, game=game))

    assert [path for path, text in made.items() if "simulations" in path or "simulations.md" in str(text)] == []


@pytest.mark.slow("makes the pages of a whole game")
def test_every_plot_has_its_table(simulated_pages: dict[str, str]) -> None:
    """Title by title; where all seats began alike there is nothing to compare; of two bots the rates make up 100 %."""
    alike, apart = (simulated_pages[f"were-kittens/simulations/{name}.md"] for name in ("alike", "apart"))
    titles = re.findall(r"^## (.*)$", apart, re.MULTILINE)
    parts = re.split(r"^## .*$", apart, flags=re.MULTILINE)[1:]
    plots = [re.findall(r"<title [^>]*>([^<]*)</title>", part) for part in parts]
    rates = [re.findall(r'<tr><th scope="row">[^<]*</th><td>([0-9.]+)\xa0%</td>', part) for part in parts]

    assert "Win rate by starting coin" in titles
    assert "Win rate by starting coin" not in alike
    assert titles[:2] == ["Win rate by bot", "Win rate by seat"]
    assert plots[:2] == [["Win rate by bot"], ["Win rate by seat"]]
    assert [plot for plot in plots if plot] == [[title] for title, plot in zip(titles, plots, strict=True) if plot]
    assert [len(rate) for rate in rates[:2]] == [2, 2]
    assert all(sum(map(float, rate)) == pytest.approx(100) for rate in rates[:2])
    assert all(rate for rate, plot in zip(rates, plots, strict=True) if plot)


@pytest.mark.slow("makes the pages of a whole game")
def test_no_line_ends_before_a_percent_sign(simulated_pages: dict[str, str]) -> None:
    """A no-break space stands between every number and its sign."""
    assert [path for path, text in simulated_pages.items() if re.search(r"\d %", text)] == []
    assert "95\xa0% interval" in simulated_pages["were-kittens/simulations/apart.md"]


RAIN = Group("Share by night", (Row("it rains", 1.0, 0.9, 1.0, 10),))
WEATHER = Group("Share by day", (Row("sun", 0.4, 0.1, 0.5, 4), Row("snow", 0.6, 0.5, 0.9, 6)))
LEVEL = Group("Win rate by seat", (Row("1", 0.51, 0.49, 0.53, 9), Row("2", 0.49, 0.47, 0.51, 9)), 0.5)
NEARLY = Group("Win rate by cat", (Row("Tom", 0.55, 0.505, 0.6, 9), Row("Tib", 0.45, 0.4, 0.495, 9)), 0.5)
SLANTED = Group("Win rate by cat", (Row("Tom", 0.6, 0.55, 0.65, 9), Row("Tib", 0.4, 0.35, 0.45, 9)), 0.5)
"""Rates whose farthest misses the fair share by no, half, 1.11 and 2 half intervals. Two intervals of 95 % hold
together 95 times in 100 if each is 2.24 / 1.96 = 1.14 times as wide."""


@pytest.mark.slow("makes the pages of a whole game")
@pytest.mark.parametrize(
    ("bots", "wins", "ends", "sentence"),
    [
        (("a",), [], [RAIN], "Share by night: most often “it rains”, 100.0 %."),
        (("a",), [], [WEATHER], "Share by day: most often “snow”, 60.0 %."),
        (("a",), [LEVEL], [RAIN], "Win rate by seat: every rate is as near the fair share of 50.0 % as chance allows."),
        (
            ("a",),
            [LEVEL, NEARLY],
            [],
            "Win rate by cat: every rate is as near the fair share of 50.0 % as chance allows.",
        ),
        (("a",), [LEVEL, SLANTED], [], "Win rate by cat: Tom 60.0 %, Tib 40.0 %; fair would be 50.0 %."),
        (
            ("a", "b"),
            [LEVEL, SLANTED],
            [],
            "Win rate by seat: every rate is as near the fair share of 50.0 % as chance allows.",
        ),
    ],
)
def test_a_simulation_says_its_result(
    simulated: Shown, bots: tuple[str, ...], wins: list[Group], ends: list[Group], sentence: str
) -> None:
    """The rates that are farthest from fair; of different bots, those of the bots, which come first."""
    (recorded, *_) = simulations_of(simulated.game).recorded
    assert recorded.report
    measured = [tuple(Measured(group, "") for group in groups) for groups in (wins, ends)]
    one = Simulated(recorded.simulation, "", replace(recorded.report, bots=bots), *measured, (), (), ())

    assert one.result(load_words()) == sentence


@pytest.mark.slow("makes the pages of a whole game")
def test_options_that_are_compared_have_a_table_and_a_plot_each(simulated: Shown) -> None:
    """Pieces lend their names; what lies apart from zero is in bold, and in the list of all simulations."""
    report = simulations_of(simulated.game).recorded[0].report
    assert report
    paired = {("penny", ""): Paired(0, 0, 10), ("<b>", ""): Paired(0, 0, 10)}
    paired |= {("penny", "rounds"): Paired(50, 250, 10), ("<b>", "rounds"): Paired(0, 0, 10)}
    half = Sums(20, 10 * WIN, 40, 20 * WIN, 10 * WIN**2, 10)
    each = {("each", label, ""): half for label in ("dime", "penny", "<b>")}
    totals = replace(report.totals, rates={**report.totals.rates, **each}, paired=paired)
    compared = replace(report, totals=totals, each=("dime", "penny", "<b>"))
    wanted = Simulation(
        id="coins",
        title="Coins",
        text="Coins.",
        players=2,
        games=10,
        bots=("sensible",),
        options={"bring": {"penny": ["dime"]}},
    )
    coins = {"dime": simulated.game.by_id["penny"].model_copy(update={"name": "Dime & Co"})}
    one = simulated_view(Recorded(wanted, "", partial(Results, compared)), {**simulated.game.by_id, **coins})
    assert one
    words = load_words()
    to = Map(simulated, words)
    changes = (Change(what="The | coin", before="1", after="[[penny]]", why="Weak.", rule="WK-ACT-1"),)
    more = {"percent": percent, "map": to, "charts": [], "title": "T", "changes": changes}
    page, short = (
        environment().get_template(f"{name}.md.j2").render(read=Reader(to, path), **facts, **more)
        for name, path, facts in (
            ("simulation", "simulations/coins.md", {"one": one}),
            ("simulations", "simulations.md", {"simulations": [one], "pictured": ["coins"]}),
        )
    )

    assert "## Compared with “Dime &amp; Co”" in page
    assert re.findall(r"^### (.*)$", page, re.MULTILINE) == ["Win rate", "Rounds"]
    assert "<div><dt>bring</dt><dd>Penny: Dime &amp; Co</dd></div>" in page
    assert "10 with each of 3</dd>" in page
    assert '<th scope="row">Penny</th>' in page and "<strong>+5.00</strong>" in page and "<strong>0.0" not in page
    assert page.count("dashed: no difference") == 2 and "&lt;b&gt;</th>" in page and "<b>" not in page
    assert "Win rate: no difference between the options that chance could not make." in short
    (row,) = [line for line in short.split("\n") if line.startswith("| The")]
    assert row.startswith("| The &#124; coin [rule 6.3](rules-phase-2.md#WK-ACT-1")
    assert "| 1 | [![](faces/penny-front.svg){.piece}Penny](components.md#penny){.component} | Weak. |" in row


@pytest.mark.parametrize(
    ("seats", "low", "astray"),
    [(True, 0.34, 15), (True, 0.32, 0), (False, 0.34, 0)],
)
def test_an_interval_of_seats_may_go_astray(seats: bool, low: float, astray: int) -> None:
    """Of three intervals of 95 %, one or more miss in at most 3 × 5 of 100 simulations. Bots are not to be alike."""
    rows = (Row("1", 0.36, low, 0.38, 9), Row("2", 0.33, 0.31, 0.35, 9), Row("3", 0.33, 0.31, 0.35, 9))

    assert Measured(Group("Win rate", rows, 1 / 3, seats), "").astray == astray


@pytest.mark.slow("makes the pages of a whole game")
def test_a_page_says_how_to_read_what_went_astray(simulated: Shown, simulated_pages: dict[str, str]) -> None:
    """Below the seats, and only where an interval misses the fair share."""
    one = simulations_of(simulated.game).recorded[0].report
    assert one
    seats = next(group for group in one.groups() if group.seats)
    text = simulated_pages["were-kittens/simulations/alike.md"]

    assert seats.fair == 0.5
    assert ("of these 2 intervals" in text) == any(not row.low <= 0.5 <= row.high for row in seats.rows)
    rows = tuple(replace(row, low=0.6, high=0.7, rate=0.65) for row in seats.rows)
    measured = Measured(replace(seats, rows=rows), "")
    view = Simulated(simulations_of(simulated.game).recorded[0].simulation, "", one, (measured,), (), (), (), ())
    words = load_words()
    reader, to = Reader(Map(simulated, words), "simulations/alike.md"), Map(simulated, words)
    more = {"one": view, "percent": percent, "read": reader, "map": to, "charts": [], "title": "T"}

    told = "one or more of these 2 intervals off the fair share in up to 10 of 100 simulations."
    assert told in environment().get_template("simulation.md.j2").render(**more)


@pytest.mark.slow("makes the pages of a whole game")
def test_names_of_components_stand_for_their_ids(simulated_pages: dict[str, str]) -> None:
    """A rate that is told by the id of a coin is told by its name on the page."""
    text = simulated_pages["were-kittens/simulations/apart.md"]

    assert '<th scope="row">Penny</th>' in text
    assert '<th scope="row">penny</th>' not in text


def test_only_what_is_new_is_told() -> None:
    before = {"round": 1, "city": {"a": 1}, "seats": {"Ada": {"hand": {"a": 1}}, "Basil": {"hand": {}}}}
    after = {"round": 1, "city": {}, "seats": {"Ada": {"hand": {"a": 2}}, "Basil": {"hand": {}}}}

    assert Teller(["a"], zeros=True).tell(changed(before, after)) == "City: nothing. Ada: hand 2 × a."


def test_a_step_is_marked_with_what_is_new_since_the_one_before() -> None:
    asked: list[tuple[str, str]] = []
    tables = SimpleNamespace(
        picture=lambda position, _: Picture(position, 9, 9, ""),
        sentences=lambda _: [],
        marks=lambda before, after: asked.append((before.path if before else "", after.path)) or [],
    )
    game = SimpleNamespace(scripts={"play": SimpleNamespace(steps=[{"Ada": "draw"}, {"Ada": "pass"}])})
    viewer = SimpleNamespace(
        tables=tables, reader=SimpleNamespace(path=str), position=lambda one: one.at, shown=SimpleNamespace(game=game)
    )
    trace = SimpleNamespace(at="start", steps=[SimpleNamespace(at="one"), SimpleNamespace(at="two")])
    script_of(viewer, SimpleNamespace(id="play"), trace, False)  # type: ignore[arg-type]

    assert [("", "start"), ("start", "one"), ("one", "two")] == asked


def test_what_is_turned_is_marked_where_it_lies() -> None:
    """A card of 10 × 4 mm, turned by a right angle: each x, y becomes 30 - y, 20 + x."""
    card = '<g transform="translate(30 20) rotate(90)"><rect x="0" y="-10" width="10" height="4"/></g>'
    (piece,) = pieces_of(etree.fromstring(f'<svg xmlns="{SVG}">{card}</svg>'), 200, 200)

    assert pytest.approx((36, 20, 40, 30)) == piece.box


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


@pytest.mark.slow("makes the pages of a whole game")
def test_an_example_tells_the_erratum_that_it_is_about() -> None:
    """Without words of the rulebook too. It stands with a ruling, and only rules link to their errata themselves."""
    made = texts(bundled_pages("wolf-mans-curse"))
    rulings = [text for path, text in made.items() if "/rulings-" in path]

    assert any("[This rule has an erratum](errata.md#WM-ERR-1)" in text for text in rulings)


ABOUT = """\
sections:
  - id: play
    title: Play
    rules:
      - {id: TI-PLAY-1, title: Play, text: Play a card., source: [the cover, "Phase 1"], note: "We infer: one card."}
      - {id: TI-PLAY-2, title: Rest, text: Rest., source: "Phase 1", unchecked: It is about manners., revision: 3}
"""


@pytest.mark.slow("makes the pages of a whole game")
def test_a_rule_says_where_it_stands_in_the_rulebook(tmp_path: Path) -> None:
    """By the heading above it, which any print has; its note is small, on its page and on that of all rules."""
    game = FILES["game.yaml"].replace("palette:", 'rulebook: [the cover, "Phase 1"]\npalette:')
    game = game.replace("    count: 3\n", "    count: 3\n    source: the cover\n")
    tiny = show(write_game(tmp_path / "tiny", game_yaml=game, rules_yaml=ABOUT))
    page, every = _page(tiny, "rules-play.md"), _page(tiny, "rules.md")

    assert "Rulebook, the cover and “Phase 1” · `TI-PLAY-1`" in page
    assert "Rulebook, “Phase 1” · `TI-PLAY-2` · revision 3" in page
    assert all("We infer: one card.\n{: .note }" in one for one in (page, every))
    assert "Not executable: It is about manners.\n{: .unchecked }" in page


ERRATA = "errata:\n  - {id: TI-ERR-1, rules: [TI-PLAY-1], printed: A, reads: B, why: C, source: x}\n"


def test_a_heading_that_the_rulebook_has_not_is_told(tmp_path: Path) -> None:
    """At the line of who names it: a rule, a ruling, an erratum, an example, a deck."""
    game = FILES["game.yaml"].replace("    count: 3\n", "    count: 3\n    source: Phase 3\n")
    folder = write_game(
        tmp_path / "tiny",
        game_yaml=game.replace("palette:", 'rulebook: [the cover, "Phase 1"]\npalette:'),
        rules_yaml=ABOUT.replace('source: "Phase 1"', "source: Phase one"),
        **{
            "rulings.yaml": RULINGS + "    source: Fase 1\n",
            "errata.yaml": ERRATA,
            "examples/play.yaml": EXAMPLES + "    source: the covers\n",
        },
    )
    problems = Problems()
    load_game(folder, problems)
    said = [str(problem).partition(": ") for problem in problems]

    assert {
        ("errata.yaml:2", 'the rulebook has no heading "x"'),
        ("examples/play.yaml:11", 'the rulebook has no heading "the covers"; did you mean "the cover"?'),
        ("game.yaml:19", 'the rulebook has no heading "Phase 3"; did you mean "Phase 1"?'),
        ("rules.yaml:6", 'the rulebook has no heading "Phase one"; did you mean "Phase 1"?'),
        ("rulings.yaml:7", 'the rulebook has no heading "Fase 1"; did you mean "Phase 1"?'),
    } == {(place.rpartition("tiny/")[2], told.partition("; known")[0]) for place, _, told in said}


@pytest.mark.slow("makes the pages of a whole game")
def test_a_withdrawn_ruling_keeps_its_place(tmp_path: Path) -> None:
    """It is not among the rulings any more: at their end stand its number, its id and why, and links lead there."""
    second = "  - {id: TI-AMB-2, title: Later, question: And then?, ruling: Sleep., rules: [TI-PLAY-1]}\n"
    gone = RULINGS + "    withdrawn: Mice are shy.\n" + second
    rules = FILES["rules.yaml"].replace("See [[TI-PLAY-1]]", "See [[TI-AMB-1]]")
    tiny = show(write_game(tmp_path / "tiny", rules_yaml=rules, **{"rulings.yaml": gone}))
    page, own = _page(tiny, "rulings.md"), _page(tiny, "rulings-play.md")

    assert "## Withdrawn {#withdrawn}" in page
    assert '- <span id="TI-AMB-1">R1</span> Two mice (`TI-AMB-1`): Mice are shy.' in page
    assert "May both mice be played?" not in page + own
    assert "R2" in own
    assert "[ruling R1](rulings.md#TI-AMB-1" in _page(tiny, "rules-play.md")


@pytest.mark.slow("makes the pages of a whole game")
@pytest.mark.parametrize(("status", "told"), [("printed", "1"), ("house", "1 (our estimate)")])
def test_a_playing_time_of_our_own_says_so(tmp_path: Path, status: str, told: str) -> None:
    """On the page of the game and on the home page."""
    game = FILES["game.yaml"].replace(
        "minutes: {least: 1, most: 1}", f"minutes: {{least: 1, most: 1, status: {status}}}"
    )
    tiny = show(write_game(tmp_path / "tiny", game_yaml=game))

    assert f"<dt>Minutes</dt><dd>{told}</dd>" in _page(tiny, "index.md")
    assert ("our estimate" in str(home([tiny])["index.md"])) == (status == "house")


@pytest.mark.parametrize("shop", ["", ", web: tiny.example"])
def test_an_original_is_named_where_there_is_one(tmp_path: Path, shop: str) -> None:
    """Who has no address of the makers is not told to buy what may not be sold."""
    game = FILES["game.yaml"].replace("name: Nobody}", f"name: Nobody{shop}}}\nour-work: [all art]")
    page = _page(show(write_game(tmp_path / "tiny", game_yaml=game)), "credits.md")

    assert ("buy the original: tiny.example." in page) == bool(shop)
    assert ("buy" in page) == bool(shop)
    assert "not the games themselves or the names and trademarks of their makers" in " ".join(page.split())


@pytest.mark.slow("makes the pages of a whole game")
def test_what_is_only_not_asked_for_is_not_refused() -> None:
    """At the table the Hunter may shuffle at any time; pages say that a written game does not ask, and why."""
    told = "\n".join(text for path, text in texts(bundled_pages("curses-and-covens")).items() if "rulings" in path)

    assert "`shuffle` is not taken: [R26](#CC-AMB-26): not asked here: " in told
    assert not re.search(r"`shuffle` is refused|refused \[R26\]", told)


@pytest.mark.slow("makes the pages of a whole game")
def test_the_page_of_all_rules_tells_a_term_once(tmp_path: Path) -> None:
    """It would be heavy otherwise; the page of a part tells it at every mention."""
    rules = FILES["rules.yaml"].replace("text: Play a [[mouse]]", "text: With [[=power]], play a [[mouse]]")
    tiny = show(write_game(tmp_path / "tiny", rules_yaml=rules))
    tip = 'terms.md#power "How strong a card is.")'

    assert (0, 2) == tuple(_page(tiny, page).count(tip) for page in ("rules.md", "rules-play.md"))
    assert 1 == _page(tiny, "rules.md").count("terms.md#power")
