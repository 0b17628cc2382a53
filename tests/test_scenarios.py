"""Lists, scenarios and story books: what they may say, what their faults are, and what an engine gets of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from games_for_tests import FILES, bundled_game, played_games, rows_of, write_game

from grimalkin.content import Game, load_game
from grimalkin.problems import Problems

LISTS = """\
    columns:
      power: {type: whole, label: power, least: 1, most: 9}
      mood: {type: choice, label: mood, choices: [calm, cross], optional: yes}
lists:
  - id: tricks
    name: Tricks
    file: tricks.csv
    columns:
      does: {type: text, label: what it does}
"""
GAME = FILES["game.yaml"].partition("    columns:\n")[0] + LISTS
TRICKS = 'id,name,does\nhiss,Hiss,Everybody stops.\nleap,Leap,"Over [[owl]], and away."\n'
SCENARIO = """\
id: cellar
number: 1
title: In the cellar
map: cellar
loot: [1]
intro: It is dark.
pool: {mouse: 2}
objectives:
  - {text: Find the cheese., status: house}
exit: There was none.
status: printed
"""
MAP = """\
map: The Cellar
       a   b
     +---.---+
   1 |  .   .|
     .   .   .
   2 |  .   .|
     +---.---+
"""
STORY = """\
entries:
  - {number: 1, title: The cheese, text: It is not here., does: Walk on.}
  - {number: 7, title: The owl, text: "It was [[owl]]."}
"""


def tiny(folder: Path, **changes: str) -> tuple[Game | None, list[str]]:
    """The made-up game with a list, a scenario and a story; and its problems, without the folder before them."""
    folder /= "tiny"
    files = {
        "game.yaml": GAME,
        "tricks.csv": TRICKS,
        "scenarios/cellar.yaml": SCENARIO,
        "story.yaml": STORY,
        "maps/cellar.txt": MAP,
    } | changes
    write_game(folder, **{name: text for name, text in files.items() if text})
    problems = Problems()
    game = load_game(folder, problems)
    return game, [str(problem).replace(f"{folder}/", "") for problem in problems]


def test_an_engine_gets_lists_scenarios_and_entries_as_facts(tmp_path: Path) -> None:
    """Plain values by their ids and numbers, beside the components."""
    game, problems = tiny(tmp_path)
    assert game is not None

    assert [] == problems
    assert {"name": "Hiss", "does": "Everybody stops."} == game.facts["lists"]["tricks"]["hiss"]
    cellar = game.facts["scenarios"]["cellar"]
    assert (1, "cellar", [1], {"mouse": 2}) == (cellar["number"], cellar["map"], cellar["loot"], cellar["pool"])
    assert ["Find the cheese."] == [clause["text"] for clause in cellar["objectives"]]
    assert ["1", "7"] == list(game.facts["entries"])


BOOK = """\
books:
  - {id: tales, name: Tales, file: tales.csv, faces: {front: plain}, source: Tails}
lists:
"""


def test_what_is_printed_says_where(tmp_path: Path) -> None:
    """Decks, lists and clauses count as printed, and entries as ours, unless they say who says so.

    With the headings of the rulebook in game.yaml, a printed part without a `source` is a problem, and so is a source
    that is no heading: a text of our own is not shown as the rulebook's by an oversight.
    """
    _, problems = tiny(
        tmp_path,
        **{
            "game.yaml": GAME.replace("lists:\n", BOOK).replace("palette:", "rulebook: [Tales]\npalette:"),
            "tales.csv": "id,name\none,One\n",
            "scenarios/cellar.yaml": SCENARIO.replace(", status: house", "").replace(
                "exit:", "special:\n  - {text: Wait., source: Tails}\nexit:"
            ),
            "story.yaml": STORY.replace("does: Walk on.", "does: Walk on., source: Tails"),
        },
    )
    bare = "this counts as printed, but has no `source`"
    wrong = 'the rulebook has no heading "Tails"; did you mean "Tales"?'

    assert {
        ("game.yaml:14", bare),  # the deck
        ("game.yaml:25", wrong),  # the book
        ("game.yaml:27", bare),  # the list
        ("rules.yaml:5", bare),
        ("rules.yaml:8", bare),
        ("scenarios/cellar.yaml:1", bare),  # the scenario
        ("scenarios/cellar.yaml:9", bare),  # its objective
        ("scenarios/cellar.yaml:11", wrong),  # its special rule
        ("story.yaml:2", wrong),
    } == {
        (place, told.partition("; name the heading")[0]) for place, _, told in (one.partition(": ") for one in problems)
    }


@pytest.mark.slow("reads whole games")
@pytest.mark.parametrize("name", played_games())
def test_a_book_of_our_scenarios_is_ours(name: str) -> None:
    """A book counts as printed only if every scenario that it shows does."""
    game = bundled_game(name)
    ours = {scenario.id for scenario in game.scenarios if scenario.status != "printed"}
    told = [
        book.id
        for book in game.info.books
        if book.status == "printed" and ours & {row.get("scenario") for row in rows_of(name, book.file)}
    ]

    assert [] == told


def test_a_game_without_them_has_no_such_facts(tmp_path: Path) -> None:
    """The facts of the other games are as they were."""
    game = load_game(write_game(tmp_path / "tiny"), Problems())
    assert game is not None

    assert {"components"} == set(game.facts)


@pytest.mark.parametrize(
    ("name", "before", "after", "told"),
    [
        ("tricks.csv", "leap,", "hiss,", 'tricks.csv:3: the id "hiss" is taken; give it another id'),
        (
            "tricks.csv",
            "does\n",
            "dose\n",
            'tricks.csv:1: the column "does" is missing; did you mean "dose"?',
        ),
        ("tricks.csv", "[[owl]]", "[[owk]]", "tricks.csv:3: the reference [[owk]] leads nowhere"),
        ("tricks.csv", "Everybody stops.", "", "tricks.csv:2: does: the cell is empty"),
        (
            "game.yaml",
            "file: tricks.csv",
            "file: trick.csv",
            'there is no file "trick.csv"; did you mean "tricks.csv"?',
        ),
        (
            "scenarios/cellar.yaml",
            "exit:",
            "exits:",
            'scenarios/cellar.yaml:10: unknown key "exits"; did you mean "exit"?',
        ),
        ("scenarios/cellar.yaml", "status: printed", "", 'cellar.yaml:1: the key "status" is missing'),
        ("scenarios/cellar.yaml", "number: 1", "number: 0", 'number: "0" is too small; it must be at least 1'),
        ("scenarios/cellar.yaml", "It is dark.", "'See [[TI-PLAY-9]].'", "the reference [[TI-PLAY-9]] leads nowhere"),
        (
            "scenarios/cellar.yaml",
            "pool:",
            "pieces: {mouse: 3}\npool:",
            "scenarios/cellar.yaml:7: the scenario needs 3 of mouse; write 0 to 2; the box has no more",
        ),
        ("scenarios/cellar.yaml", "pool:", "pieces: {mouse: -1}\npool:", "the scenario needs -1 of mouse"),
        ("scenarios/cellar.yaml", "pool:", "pieces: {mose: 1}\npool:", 'there is no component "mose"'),
        ("story.yaml", "number: 7", "number: 1", "story.yaml:3: there is already an entry 1; give it another number"),
        ("story.yaml", "[[owl]]", "[[=owl]]", "the reference [[=owl]] leads nowhere"),
    ],
)
def test_faults_are_told_with_their_place(tmp_path: Path, name: str, before: str, after: str, told: str) -> None:
    whole = {"game.yaml": GAME, "tricks.csv": TRICKS, "scenarios/cellar.yaml": SCENARIO, "story.yaml": STORY}[name]
    assert before in whole

    _, problems = tiny(tmp_path, **{name: whole.replace(before, after, 1)})
    assert [one for one in problems if told in one], problems


def test_two_scenarios_of_one_id_are_told(tmp_path: Path) -> None:
    """With the place of the other."""
    _, problems = tiny(tmp_path, **{"scenarios/second.yaml": SCENARIO})

    assert [one for one in problems if 'the id "cellar" is taken' in one]


def test_two_scenarios_of_one_number_are_told(tmp_path: Path) -> None:
    _, problems = tiny(tmp_path, **{"scenarios/second.yaml": SCENARIO.replace("id: cellar", "id: second")})

    assert [one for one in problems if "there is already a scenario 1; give it another number" in one], problems


def test_what_lies_among_the_scenarios_and_is_none_is_told(tmp_path: Path) -> None:
    _, problems = tiny(tmp_path, **{"scenarios/notes.txt": "later"})

    assert ["scenarios/notes.txt: nothing reads this; this folder is for files that end in .yaml"] == problems
