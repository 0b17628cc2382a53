"""Pages of maps: each whole as one picture, what its letters and shapes mean, its track, and where it is played."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from games_for_tests import FILES, write_game
from shown import Pages, show, texts

from grimalkin.content.maps import Map
from grimalkin.content.scenarios import Clause, Scenario
from grimalkin.content.stocks import Stock
from grimalkin.problems import Stop
from grimalkin.site.pages import Shown, navigation, pages

CELLAR = """\
map: The Cellar
track: 8 spaces, S1 on 3 and 6
legend: T a table <of cards>
       a   b   c   d   e   f
     +---.---+---.---+---.---+
   1 |  . G .   .D  .   .   #|
     .   .   .   .~~~.   .   .
   2 |  .   :   ~   ~ T .   .>
     +   .---+DDD.---+   .   +
   3 |  .   .   .   .d  . L :|
     .   .   .   .   .   .   .
   4 |  .   : S1.   .|  .   .|
     +---.---+---.---+---.---+
"""
ATTIC = """\
map: The Attic
       a   b
     +---.---+
   1 |G .   .|
     .   .   .
   2 |  .   .|
     +---.---+
"""
SHEETS = """\
  - id: boards
    name: Boards
    kind: mat
    file: boards.csv
    count: 2
    stock: poker
    needs: [map]
    faces: {front: plain}
    columns:
      map: {type: text, label: map, shown: no}
maps:
  marks:
    L: {name: loot, rule: TI-PLAY-2}
    G: {name: start, rule: TI-PLAY-1, start: yes, holds: 2}
    S1: {name: spawn, rule: TI-PLAY-1, track: yes}
"""
BOARDS = "id,name,map\nboard-1,Cellar of the inn,cellar\nboard-2,Attic of the inn,attic\n"
PLAIN = FILES["faces/plain.svg.j2"].replace("{{ card.power }}", "")


def mapped(folder: Path, **more: str) -> Path:
    """The game of the tests, with two maps, each with a board."""
    files = {"maps/cellar.txt": CELLAR, "maps/attic.txt": ATTIC, "boards.csv": BOARDS, "faces/plain.svg.j2": PLAIN}
    return write_game(folder / "tiny", **{"game.yaml": FILES["game.yaml"] + SHEETS, **files, **more})


@pytest.fixture(scope="module")
def inn(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    shown = show(mapped(tmp_path_factory.mktemp("inn")))
    scenario = Scenario(
        id="wake", number=3, title="A *wake*", map="cellar", loot=(1,), intro="It rains.",
        objectives=(Clause(text="Wait."),), exit="The butler did it.", status="printed",
    )  # fmt: skip
    return replace(shown, game=replace(shown.game, scenarios=(scenario,)))


@pytest.fixture(scope="module")
def made(inn: Shown) -> Pages:
    return pages(inn)


def test_every_map_has_a_page_and_stands_in_the_list(inn: Shown, made: Pages) -> None:
    """In the navigation, too, and among the ways of the overview."""
    listed = texts(made)["tiny/maps.md"]

    assert ["attic", "cellar"] == sorted(re.findall(r"\]\(maps/(.*?)\.md\) \{#map-", listed))
    assert {"tiny/maps.md", "tiny/maps/attic.md", "tiny/maps/cellar.md"} <= texts(made).keys()
    assert "tiny/maps/cellar.md" in str(navigation([inn]))
    assert "[Where do we play?](maps.md)" in texts(made)["tiny/index.md"]


def test_a_map_is_one_picture_that_says_how_large_it_is(made: Pages) -> None:
    """Six columns and four rows of 25 mm, and 10 mm around them; whoever sees nothing hears what it is."""
    page, picture = texts(made)["tiny/maps/cellar.md"], str(made["tiny/maps/cellar.svg"])

    assert '<img src="cellar.svg" width="170" height="120"' in page
    assert 'alt="The Cellar, the whole map: 6 × 4 squares."' in page
    assert "6 × 4 squares; with squares of 25 mm, 15 × 10 cm." in page
    assert 'viewBox="0 0 170 120"' in picture
    assert ["G", "L", "S1", "T"] == sorted(re.findall(r">([A-Z]\d?)</text>", picture))
    assert [*"aabbccddeeff"] == sorted(re.findall(r">([a-z])</text>", picture))


def test_letters_tell_what_they_mean_and_where_they_stand(made: Pages) -> None:
    """Those of the game in its order, with the rule that says so; then those of the map alone."""
    rows = re.findall(r"^\| \*\*.*$", texts(made)["tiny/maps/cellar.md"], re.MULTILINE)

    assert [
        "| **L** | loot [1.2](../rules-play.md#TI-PLAY-2) | f3 |",
        "| **G** | start [1.1](../rules-play.md#TI-PLAY-1) | b1 |",
        "| **S1** | spawn [1.1](../rules-play.md#TI-PLAY-1) | c4; round track 3 and 6 |",
        "| **T** | a table &lt;of cards&gt; | e2 |",
    ] == rows


def test_only_the_shapes_that_are_on_a_map_are_told(made: Pages) -> None:
    """Each with a picture that the shared template draws."""
    shapes = {
        name: re.findall(r'<li><img src="key-(.*?)\.svg" alt="">', texts(made)[f"tiny/maps/{name}.md"])
        for name in ("cellar", "attic")
    }

    assert shapes["cellar"] == [
        *("blocking", "hindering", "water", "wall", "closed-door", "open-door", "water-edge", "exit"),
    ]
    assert ["wall"] == shapes["attic"]
    assert all(f"tiny/maps/key-{name}.svg" in made for name in shapes["cellar"])
    assert len({made[f"tiny/maps/key-{name}.svg"] for name in shapes["cellar"]}) == len(shapes["cellar"])


def test_the_round_track_is_told_in_words(made: Pages) -> None:
    assert "The round track has 8 spaces. S1 is on 3 and 6." in texts(made)["tiny/maps/cellar.md"]
    assert "Round track" not in texts(made)["tiny/maps/attic.md"]


def test_a_map_leads_to_its_scenarios_and_its_sheets(made: Pages) -> None:
    """And to nothing of another map."""
    cellar, attic = (texts(made)[f"tiny/maps/{name}.md"] for name in ("cellar", "attic"))

    assert r"- [Scenario 3: A \*wake\*](../scenarios/wake.md)" in cellar
    assert "- [Cellar of the inn](../components.md#board-1)" in cellar
    assert "board-2" not in cellar and "board-1" not in attic
    assert "Scenario" not in attic
    assert "{#scenario-3}" in texts(made)["tiny/downloads.md"]


def test_a_game_draws_its_whole_maps_itself_if_it_has_a_template(tmp_path: Path) -> None:
    """Which may extend the shared one."""
    own = '{% extends "base/whole-map.svg.j2" %}{% block plates %}<circle cx="1" cy="1" r="77"/>{% endblock %}'
    made = pages(show(mapped(tmp_path, **{"faces/whole-map.svg.j2": own})))

    assert 'r="77"' in str(made["tiny/maps/cellar.svg"])


def test_a_word_that_nobody_has_drawn_is_told(tmp_path: Path) -> None:
    shown = show(mapped(tmp_path, **{"maps/attic.txt": ATTIC.replace("Attic\n", "Attic\nfloor: lava, tree, chairs\n")}))

    with pytest.raises(Stop, match='the map "The Attic" has a floor "lava"; drawn are boards'):
        pages(shown)


def test_a_decoration_that_nobody_has_drawn_is_told(tmp_path: Path) -> None:
    shown = show(mapped(tmp_path, **{"maps/attic.txt": ATTIC.replace("Attic\n", "Attic\ndecor: a1 hole\n")}))

    with pytest.raises(Stop, match='the map "The Attic" has decoration "hole"; drawn are rug, path'):
        pages(shown)


def test_names_are_lettered_on_the_ground(tmp_path: Path) -> None:
    """On a map as a whole, and on the sheet that shows most of the name; the first of two with the same."""
    text = ATTIC.replace("Attic\n", "Attic\nname: a1-b1 The loft\nname: b1-b2 Hatch\ndecor: a1-b2 rug\n")
    sheet = '{% set hue, wood, cloth, leaf = "#000000", "#000000", "#000000", "#000000" %}{% set map = maps.attic %}{% set first, columns, left, top = NUMBER, 1, 0, 0 %}{% extends "base/map.svg.j2" %}{% block words %}{{ names() }}{% endblock %}'  # noqa: E501
    shown = show(mapped(tmp_path, **{"maps/attic.txt": text}))
    halves = []
    for number in range(2):
        (tmp_path / "tiny" / "faces" / f"half-{number}.svg.j2").write_text(sheet.replace("NUMBER", str(number)))
        stock = Stock(name="Half", shape="rectangle", width=25, height=50, bleed=0, safe=0)
        face = shown.composer.compose(f"half-{number}", f"half-{number}", "Half", "Half", stock, {})
        assert face is not None, list(shown.composer.problems)
        halves.append(["".join(one.itertext()).strip() for one in face.root.iter("{*}text")])

    assert [["The loft"], ["Hatch"]] == halves
    assert all(f">{word}</text>" in str(pages(shown)["tiny/maps/attic.svg"]) for word in ("The loft", "Hatch"))


@pytest.mark.slow("draws 800 squares")
@pytest.mark.parametrize("rows", [20, 21])
def test_a_large_map_is_drawn_and_a_larger_one_says_why_not(rows: int, inn: Shown) -> None:
    """Its columns go on with aa; with all that a map can have it takes no more turns than a template has."""
    marks = {f"{column}{row}": "S1" for column in ("a", "z", "aa", "an") for row in range(1, rows + 1, 3)}
    walls, doors = "|" + " d" * 19 + "  |", " D" * 20
    flat = ("|" * 40, *(doors,) * (rows - 1), "|" * 40)
    drawn = Map("hall", "Hall", ("~.:#" * 10,) * rows, marks, (walls,) * rows, flat)
    made = pages(replace(inn, game=replace(inn.game, maps={"hall": drawn}, scenarios=())))

    assert (20 == rows) == (str(made.get("tiny/maps/hall.svg")).count(">an</text>") == 2)
    assert (21 == rows) == ("too many squares for one picture" in texts(made)["tiny/maps/hall.md"])


def test_without_maps_no_page_tells_of_them(tmp_path: Path) -> None:
    shown = show(write_game(tmp_path / "tiny"))

    assert not [path for path in pages(shown) if "map" in path]
    assert "maps" not in str(navigation([shown]))


def test_no_page_but_its_own_gives_away_how_a_scenario_ends(made: Pages) -> None:
    """And that one has it folded."""
    assert ["tiny/scenarios/wake.md"] == [path for path, text in made.items() if "butler" in unescape(str(text))]
