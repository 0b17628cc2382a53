"""Pages of scenarios: the set-up as the engine lays it out, what is asked, what spawns, and what is folded away."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pypdfium2
import pytest
from games_for_tests import bundled_game, write_game
from shown import Pages, bundled, show, texts
from test_atlas import mapped

from grimalkin.cli import main
from grimalkin.content import Game, load_game
from grimalkin.engine.chance import Seeded
from grimalkin.engine.pictures import Put, SetUp, find_set_up
from grimalkin.games.cats_of_new_orleans.box import box_of
from grimalkin.games.cats_of_new_orleans.players.reference import laid_out
from grimalkin.problems import Problems
from grimalkin.site.pages import Shown, build_site, navigation, pages

pytestmark = pytest.mark.slow("writes the pages of a whole game")

CATS = "cats-of-new-orleans"
SCENARIOS = ("bad-times", "streets", "hijacked")
WAKE = """\
id: wake
number: 3
title: A *wake*
map: cellar
loot: [1]
intro: It rains.
pool: {mouse: 2}
apart: [{piece: owl, mark: T, round: 5}]
objectives:
  - {title: Who was it?, text: Wait., rules: [TI-PLAY-1]}
special:
  - {text: Nobody leaves., status: house}
exit: The butler did it.
status: printed
next: [dawn]
entries: [2]
between:
  - {text: Bury him.}
"""
DAWN = """\
{id: dawn, number: 4, title: Dawn, map: attic, loot: [1], intro: It clears., objectives: [{text: Go.}], exit: Out.,
 status: printed}
"""
STORY = """\
entries:
  - {number: 1, title: The cheese, text: It was cheddar.}
  - {number: 2, title: The will, text: "He reads.\\nEverything goes to the cat.", does: Draw.}
"""


def staged(folder: Path, **more: str) -> Path:
    files = {"scenarios/wake.yaml": WAKE, "scenarios/dawn.yaml": DAWN, "story.yaml": STORY}
    return mapped(folder, **{**files, **more})


@pytest.fixture(scope="module")
def inn(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    return show(staged(tmp_path_factory.mktemp("inn")))


@pytest.fixture(scope="module")
def made(inn: Shown) -> Pages:
    return pages(inn)


@pytest.fixture(scope="module")
def wake(made: Pages) -> str:
    return texts(made)["tiny/scenarios/wake.md"]


@pytest.fixture(scope="module")
def cats() -> Shown:
    """The game without its examples, whose pages take long."""
    shown = bundled(CATS)
    return replace(shown, game=replace(shown.game, examples=(), playthroughs=(), parts={}), traces={})


@pytest.fixture(scope="module")
def of_cats(cats: Shown) -> dict[str, str]:
    return texts(pages(cats))


def laid(game: Game, scenario: str) -> SetUp:
    set_up = find_set_up(game.module)
    assert set_up is not None
    return set_up(game.facts, scenario)


def part(text: str, anchor: str) -> str:
    """A part of a page, by the anchor of its heading."""
    return text.partition(f"{{#{anchor}}}")[2].partition("\n## ")[0]


# What the engine lays out


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_engine_lays_out_what_the_scenario_and_its_map_say(name: str) -> None:
    """Pool, lairs, tokens, who is set aside, and the Loot deck: the content is asked besides, and counted anew."""
    game = bundled_game(CATS)
    scenario = next(one for one in game.scenarios if one.id == name)
    marks = game.maps[scenario.map].marks
    by_rule = {put.rules[0]: put for put in laid(game, name).puts if not put.rules[1:] or put.rules[0] == "NO-SET-11"}
    loot = [
        row.count
        for row in game.components["loot"]
        if game.facts["components"][row.id]["level"] in scenario.loot
        and game.facts["components"][row.id]["kind"] not in scenario.without
    ]

    def squares(letter: str) -> set[str]:
        return {square for square, mark in marks.items() if mark == letter}

    assert dict(by_rule["NO-SET-6"].pieces) == scenario.pool
    assert set(by_rule["NO-SET-8"].squares) == squares("V")
    assert set(by_rule["NO-SET-9"].squares) == squares("H")
    assert set(by_rule["NO-SET-10"].squares) == squares("L")
    assert dict(by_rule["NO-SET-10"].pieces) == {"loot-token": 2 * len(squares("L"))}
    assert by_rule["NO-SET-11"].told.startswith(f"Shuffle {sum(loot)} Loot cards of level")
    assert squares("G") < set(by_rule["NO-SET-7"].squares)
    apart = {put.pieces[0] for put in laid(game, name).puts if "NO-SPAWN-6" in put.rules}
    assert apart == {(one.piece, one.count) for one in scenario.apart}


@pytest.mark.parametrize("name", SCENARIOS)
def test_chance_changes_nothing_in_a_set_up(name: str) -> None:
    """So nothing that lies face down is told."""
    game = bundled_game(CATS)

    assert {laid_out(box_of(game.facts), name, Seeded(seed)) for seed in range(8)} == {laid(game, name)}


@pytest.mark.parametrize("name", SCENARIOS)
def test_what_is_done_at_a_set_up_names_rules_and_pieces_of_the_game(name: str) -> None:
    game = bundled_game(CATS)
    puts = [*laid(game, name).party, *laid(game, name).puts]

    assert {rule for put in puts for rule in put.rules} <= set(game.laws)
    assert {id_ for put in puts for id_, _ in put.pieces} <= set(game.by_id)
    assert all(count <= game.by_id[id_].count for put in puts for id_, count in put.pieces)


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_entries_of_a_scenario_are_those_of_its_print(name: str) -> None:
    """The pages of the story book say which scenario they belong to; the engine follows what sentences read."""
    game = bundled_game(CATS)
    rows = [row.model_dump() | (row.model_extra or {}) for row in game.pages["story-book"]]
    printed = {int(str(row["entry"])) for row in rows if row["part"] == "entry" and row["scenario"] == name}

    assert set(laid(game, name).entries) == printed


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_page_holds_the_set_up_that_the_engine_has(name: str, cats: Shown, of_cats: dict[str, str]) -> None:
    """Every sentence, every square, every piece with its count, in a list that says that it is checked."""
    set_up = part(of_cats[f"{CATS}/scenarios/{name}.md"], "set-up")
    items = re.findall(r'<li markdown="1">(.*)</li>', set_up)

    def told(put: Put, item: str) -> bool:
        pieces = re.findall(r"(\d+)\xa0×\xa0\[[^#]*#([\w-]+)\)", item)
        squares = re.findall(r"\*\*(.*?)\*\*", item)
        return (
            unescape(item).startswith(put.told)
            and [(id_, int(count)) for count, id_ in pieces] == list(put.pieces)
            and squares == ([", ".join(put.squares)] if put.squares else [])
            and f"#{put.rules[0]})" in item
        )

    found = laid(cats.game, name)
    assert [told(*pair) for pair in zip([*found.puts, *found.party], items, strict=True)] == [True] * len(items)
    assert '<span class="seal"' in set_up
    assert "#ground-" in set_up


def test_a_picture_of_a_set_up_shows_who_stands_there_and_where_one_starts() -> None:
    game = bundled_game(CATS)
    found = laid(game, "hijacked")
    picture = found.picture
    assert picture is not None
    starts = next(put.squares for put in found.puts if "NO-SET-7" in put.rules)
    lairs = [mark for mark in game.maps["natchez"].marks.values() if mark == "V"]
    hidden = [(f"?{number}", "hidden") for number in range(1, len(lairs) + 1)]

    assert picture.whole
    assert [(one.sign, one.kind) for one in picture.figures] == [("rk", "theirs"), *hidden]
    assert tuple(one.square for one in picture.tokens if one.sign == "G") == starts


def test_what_comes_is_told_by_the_spaces_of_the_track(of_cats: dict[str, str]) -> None:
    """Those who are set aside stand among them."""
    game = bundled_game(CATS)
    drawn = game.maps["rampart-street"]
    table = part(of_cats[f"{CATS}/scenarios/streets.md"], "spawns")
    rows = re.findall(r"^\| \*\*(\d+)\*\* \| \*\*(\w+)\*\*.*? \| (.*?) \| \[", table, re.MULTILINE)
    comes = [(space, letter, 99) for letter, spaces in drawn.track.items() for space in spaces]
    comes += [(one.round, one.mark, one.count) for one in game.scenarios[1].apart if one.round]

    def squares(letter: str, most: int) -> str:
        return ", ".join([square for square, mark in drawn.marks.items() if mark == letter][:most])

    assert len({letter for _, letter, _ in comes}) > 2
    assert sorted(rows) == sorted((str(space), letter, squares(letter, most)) for space, letter, most in comes)
    assert [space for space, *_ in rows] == [str(space) for space in sorted(int(space) for space, *_ in rows)]


def test_clauses_lead_to_their_rules_and_to_rulings_about_them(of_cats: dict[str, str]) -> None:
    alarm = part(of_cats[f"{CATS}/scenarios/bad-times.md"], "special").partition("**Bloodsuckers**")[2]

    assert re.match(
        r"[^{]*?#NO-S1-5\) Rulings \[R67\]\(\.\./rulings-bad-times\.md#NO-AMB-67\)", alarm.partition("{: .told }")[2]
    )


# What a game without an engine says


def test_without_an_engine_a_page_tells_what_the_content_says(wake: str) -> None:
    """All but the picture, and that nobody has checked it."""
    set_up = part(wake, "set-up")

    assert "No engine has checked this set-up" in set_up
    assert "seal" not in set_up and "<svg" not in set_up
    assert 'face down. <span class="take" markdown="1">2\xa0×\xa0[' in set_up
    assert "L: loot. **f3**." in set_up
    assert "Set aside; appears on the squares with T at space 5 of the round track. **e2**." in set_up
    assert "| **3** | **S1** spawn | c4 | [1.1](../rules-play.md#TI-PLAY-1) |" in part(wake, "spawns")
    assert "| **5** | **T** 1\xa0×\xa0[" in part(wake, "spawns")


def test_a_page_tells_what_is_asked(wake: str) -> None:
    assert "**Who was it?**\nWait.\n\n[1.1](../rules-play.md#TI-PLAY-1)\n{: .laws }" in part(wake, "objectives")
    assert "Nobody leaves.\n\nOur own addition\n{: .from }" in part(wake, "special")
    assert r"# Scenario 3: A \*wake\*" in wake
    assert "He reads.\n\nEverything goes to the cat.\n\nDraw.\n{: .does }" in wake
    assert "It rains." in wake.partition("\n## ")[0]


def test_the_loot_of_a_scenario_is_counted_by_the_levels_of_decks(tmp_path: Path) -> None:
    """Without the kinds that it leaves out."""
    folder = staged(tmp_path)
    game = (folder / "game.yaml").read_text("utf-8")
    cards = game.replace("    file: cards.csv\n", "    file: cards.csv\n    needs: [power]\n")
    (folder / "game.yaml").write_text(cards, "utf-8")
    (folder / "scenarios/wake.yaml").write_text(WAKE.replace("loot: [1]", "loot: [1, 7]\nwithout: [calm]"), "utf-8")

    made = texts(pages(show(folder)))

    assert "Cards of levels 1 and 7: a deck of 1. Left out: calm." in made["tiny/scenarios/wake.md"]
    assert "Cards of level 1: a deck of 2." in made["tiny/scenarios/dawn.md"]


def test_scenarios_stand_in_the_navigation_one_after_the_other(inn: Shown, made: Pages) -> None:
    listed = [one for one in navigation([inn])[1]["Tiny"] if "Scenarios" in one]

    assert listed == [
        {
            "Scenarios": [
                {"All scenarios": "tiny/scenarios.md"},
                {"Scenario 3: A *wake*": "tiny/scenarios/wake.md"},
                {"Scenario 4: Dawn": "tiny/scenarios/dawn.md"},
            ]
        }
    ]
    assert "[What do we play tonight?](scenarios.md)" in texts(made)["tiny/index.md"]
    assert "(scenarios/wake.md)" in texts(made)["tiny/scenarios.md"]
    assert "(scenarios/wake.md) {#scenario-3}" in texts(made)["tiny/downloads.md"]


def test_a_game_without_scenarios_has_no_pages_of_them(tmp_path: Path) -> None:
    shown = show(write_game(tmp_path / "tiny"))

    assert not [path for path in pages(shown) if "scenario" in path]
    assert "cenarios" not in str(navigation([shown]))


# What is folded away


def test_what_comes_later_is_closed_and_found_by_no_search(inn: Shown, tmp_path: Path) -> None:
    """Exit, between, and the entries that may be read, each by itself; other entries are on no page."""
    problems = Problems()
    build_site([inn], tmp_path, problems)
    page = (tmp_path / "tiny/scenarios/wake.html").read_text("utf-8")
    folded = re.findall(r'<details class="spoiler"([^>]*)>\s*<summary>(.*?)</summary>(.*?)</details>', page, re.DOTALL)
    left = re.sub(r'<details class="spoiler".*?</details>', "", page, flags=re.DOTALL)
    later = ("butler", "Bury him", "goes to the cat", "The will")
    index = "".join(path.read_text("utf-8") for path in (tmp_path / "assets/found").rglob("*.js"))

    assert list(problems) == []
    assert [summary for _, summary, _ in folded] == ["When you succeed", "Before the next scenario", "Entry 2"]
    assert not any("open" in attributes for attributes, _, _ in folded)
    assert all(any(word in text for *_, text in folded) for word in later)
    assert not [word for word in later if word in left or word in index]
    assert "Who was it?" in index
    assert "dawn.html" in folded[0][2]
    assert not [path for path in tmp_path.rglob("*.html") if "cheddar" in path.read_text("utf-8")]


# What is printed


def test_a_page_offers_the_files_of_its_scenario(inn: Shown) -> None:
    names = ("tiny-a4.pdf", "tiny-a4-scenario-3.pdf", "tiny-letter-scenario-3-mono.pdf", "tiny-a4-scenario-4.pdf")
    made = texts(pages(replace(inn, sheets=dict.fromkeys(names, b"%PDF-1.7"))))
    wake = part(made["tiny/scenarios/wake.md"], "print")

    assert re.findall(r"\[(.*?)\]\(\.\./downloads/(.*?)\)", wake) == [
        ("Sheets on A4", "tiny-a4-scenario-3.pdf"),
        ("Sheets on Letter, black only", "tiny-letter-scenario-3-mono.pdf"),
    ]
    assert "| Boards | 1 | Cellar of the inn |" in wake


def test_the_command_of_a_page_prints_what_the_page_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many pieces of every deck."""
    folder = staged(tmp_path)
    wake = texts(pages(show(folder)))["tiny/scenarios/wake.md"]
    command = re.search(r"^    grimalkin (sheets tiny .*)$", wake, re.MULTILINE)
    listed = sum(int(count) for count in re.findall(r"^\| [A-Z]\w+ \| (\d+) \|", part(wake, "print"), re.MULTILINE))
    (tmp_path / "content").mkdir()
    folder.rename(tmp_path / "content/tiny")
    monkeypatch.chdir(tmp_path)
    assert command is not None

    assert main([*command[1].split(), "--paper", "a4"]) == 0
    assert (tmp_path / "output/print/tiny/tiny-a4-scenario-3.pdf").is_file()
    printed = pypdfium2.PdfDocument(tmp_path / "output/print/tiny/tiny-a4-scenario-3.pdf")
    cover = printed[0].get_textpage().get_text_range()
    assert re.search(rf"\b{listed}\s+pieces", cover)


# What content may not say


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("rules: [TI-PLAY-1]", "rules: [TI-PLAY-7]", 'wake.yaml:10: there is no rule "TI-PLAY-7"'),
        ("entries: [2]", "entries: [7]", "wake.yaml:16: there is no entry 7; entries are in story.yaml"),
    ],
)
def test_what_a_scenario_names_must_be_there(tmp_path: Path, before: str, after: str, told: str) -> None:
    assert before in WAKE
    problems = Problems()
    load_game(staged(tmp_path, **{"scenarios/wake.yaml": WAKE.replace(before, after)}), problems)

    assert [str(one) for one in problems if told in str(one)], list(problems)
