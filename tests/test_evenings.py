"""A game with scenarios on a virtual table: bags for those who play and for each scenario, with map and pool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from PIL import Image
from test_atlas import CELLAR, SHEETS
from test_export import Saved, SavedThing, nothing
from test_scenario_pages import staged

from grimalkin.cli import main
from grimalkin.content import load_game
from grimalkin.parts.scenarios.tabletop import layout
from grimalkin.printing.export.designs import designs_of
from grimalkin.printing.export.tabletop import addresses, export_tts
from grimalkin.problems import Problems

pytestmark = pytest.mark.slow("exports whole games")

CATS = "cats-of-new-orleans"
PARTY = """\
  - {id: folk, name: Folk, kind: card, file: folk.csv, count: 2, stock: poker, faces: {front: plain, back: back}}
  - id: finds
    name: Finds
    kind: card
    file: finds.csv
    count: 6
    stock: poker
    needs: [level]
    faces: {front: plain, back: back}
    columns: {level: {type: whole, label: level}}
  - id: tricks
    name: Tricks
    kind: card
    file: tricks.csv
    count: 3
    stock: poker
    needs: [whose]
    faces: {front: plain, back: back}
    columns: {whose: {type: text, label: whose}}
"""
MORE = {
    "folk.csv": "id,name\nann,Ann\nbob,Bob\n",
    "finds.csv": "id,name,count,level\nrope,Rope,2,1\nlamp,Lamp,3,2\nhook,Hook,1,1\n",
    "tricks.csv": "id,name,whose\nleap,Leap,ann\nhide,Hide,bob\nrun,Run,ann\n",
    "faces/back.svg.j2": '{% extends "base/face.svg.j2" %}',
}


@pytest.fixture
def inn(tmp_path: Path) -> Path:
    """A game without an engine: two maps and two scenarios, two to choose from, finds of two levels."""
    folder = staged(tmp_path, **MORE)
    info = (folder / "game.yaml").read_text("utf-8")
    (folder / "game.yaml").write_text(info.replace(SHEETS, PARTY + SHEETS + "party: folk\n"), "utf-8")
    return folder


def laid(folder: Path, out: Path) -> Saved:
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None and not problems, list(problems)
    designs = designs_of(game, (), problems)
    export_tts(game, designs, out, addresses(None, out), 36, 1024, 1, nothing, layout(game, designs, problems))
    assert not problems, list(problems)
    return Saved.model_validate_json((out / f"{game.name}.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def cats(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the command fills with the bundled game."""
    out = tmp_path_factory.mktemp("cats")
    assert main(["export", "tts", CATS, "--output", str(out), "--dpi", "36", "--largest", "1024"]) == 0
    return out / "tts"


@pytest.fixture(scope="module")
def table(cats: Path) -> Saved:
    return Saved.model_validate_json((cats / f"{CATS}.json").read_text("utf-8"))


def within(things: list[SavedThing] | None) -> Iterator[SavedThing]:
    """Things, and all that lies in them."""
    for thing in things or ():
        yield thing
        yield from within(thing.ContainedObjects)


def called(things: list[SavedThing] | None, name: str, kind: str = "Bag") -> SavedThing:
    (found,) = (thing for thing in things or () if (thing.Nickname, thing.Name) == (name, kind))
    return found


def counted(bag: SavedThing) -> dict[str, int]:
    """What lies in a bag, by its names."""
    return dict(Counter(thing.Nickname for thing in bag.ContainedObjects or ()))


# The bundled game


def test_every_file_that_is_named_is_there_and_no_other(table: Saved, cats: Path) -> None:
    """Pictures and books, each once, whatever shows them; and no two things share a GUID."""
    things = list(within(table.ObjectStates))
    images = [thing.CustomImage for thing in things if thing.CustomImage]
    sheets = [sheet for thing in things for sheet in (thing.CustomDeck or {}).values()]
    named = {image.ImageURL for image in images} | {image.ImageSecondaryURL for image in images} - {""}
    named |= {sheet.FaceURL for sheet in sheets} | {sheet.BackURL for sheet in sheets}
    named |= {thing.CustomPDF.PDFUrl for thing in things if thing.CustomPDF}

    assert {Path(unquote(urlsplit(url).path)).name for url in named} == {
        path.name for path in cats.iterdir() if path.suffix != ".json"
    }
    assert len(things) == len({thing.GUID for thing in things})
    for path in cats.glob("*.png"):
        with Image.open(path) as image:
            assert max(image.size) <= 1024


def test_each_hero_has_a_bag_with_all_that_is_theirs(table: Saved) -> None:
    """A dashboard, nine skills as a deck, a marker and a standee that stands; the box has none of these."""
    things = called(table.ObjectStates, "Patch").ContainedObjects
    deck = called(things, "Skill cards", "DeckCustom")
    figure = called(things, "Patch", "Figurine_Custom")

    assert ["Custom_Tile", "DeckCustom", "Custom_Tile", "Figurine_Custom"] == [thing.Name for thing in things or ()]
    assert 9 == len(deck.DeckIDs or ()) == len(set(deck.DeckIDs or ()))
    assert figure.CustomImage and figure.CustomImage.ImageURL.endswith("standee-patch-front.png")
    assert figure.CustomImage.ImageSecondaryURL.endswith("standee-patch-back.png")
    assert figure.Transform["scaleX"] == figure.Transform["scaleY"]
    box = [thing for thing in table.ObjectStates if thing.Transform["posZ"] == 0]
    assert "Patch" not in {thing.Nickname for thing in within(box)}
    assert 9 == sum(thing.Transform["posZ"] == 5.0 for thing in table.ObjectStates)


def test_each_scenario_has_a_bag_with_what_it_needs(table: Saved) -> None:
    """Counted by hand from its file: the pool, who comes later, their cards and standees, tokens, map and track."""
    bag = called(table.ObjectStates, "2. Fighting in the Streets").ContainedObjects

    assert {"Mosquito": 4, "Pistoleer": 3, "Bayou Bitter": 2} == counted(called(bag, "Pool"))
    assert {"Roux Poubelle": 1, "Mort": 1, "Stinker": 2} == counted(called(bag, "Set apart"))
    standees = {"Pistoleer": 3, "Bayou Bitter": 2, "Stinker": 2, "Mort": 1, "Roux Poubelle": 1}
    assert standees == counted(called(bag, "Standees"))
    assert 6 == len(called(bag, "Foe cards", "DeckCustom").DeckIDs or ())
    tokens = {"Round": 1, "Objective": 2, "Depleted": 6, "Wound": 12, "Stun": 8, "Vulnerable": 4}
    assert tokens | {"Loot": 8, "Stinkbomb": 4} == counted(called(bag, "Tokens and markers"))
    assert "Loot cards" not in {thing.Nickname for thing in bag or ()}, "it leaves the box for good"
    assert 2 == sum((thing.Nickname, thing.Name) == ("Rampart Street", "Custom_Tile") for thing in bag or ())
    note = called(bag, "Fighting in the Streets: Set-up", "Notecard").Description
    assert "Place 2 Loot tokens on each square marked L. (8 × Loot; b1, l1, r1, e9)" in note.splitlines()
    assert any(line.startswith("Shuffle 44 Loot cards of level 1") for line in note.splitlines())


def test_the_box_is_sorted(table: Saved) -> None:
    """Loot lies by its levels, books can be read, and sheets of maps are for paper alone."""
    loot = called(table.ObjectStates, "Loot cards").ContainedObjects
    books = [thing.Nickname for thing in table.ObjectStates if thing.Name == "Custom_PDF"]

    assert [44, 33, 23] == [len(deck.DeckIDs or ()) for deck in loot or ()]
    assert ["Scenario book", "Story book"] == books
    assert 105 - 9 == sum(counted(called(table.ObjectStates, "Tokens and markers")).values())
    assert not any(thing.Nickname.startswith("Maps") for thing in table.ObjectStates)


# Any game


def test_a_pool_tells_nobody_what_lies_in_it(inn: Path, tmp_path: Path) -> None:
    """Its pieces lie face down, nothing is told of them, and which one is taken is left to chance."""
    bag = called(laid(inn, tmp_path / "out").ObjectStates, "3. A *wake*").ContainedObjects
    pool = called(bag, "Pool")

    assert pool.Bag and pool.Bag.Order == 2
    assert {"Mouse": 2} == counted(pool)
    assert called(bag, "Set apart").ContainedObjects
    assert {(180.0, False)} == {(one.Transform["rotZ"], one.Tooltip) for one in pool.ContainedObjects or ()}


def test_without_an_engine_a_note_tells_what_the_file_says(inn: Path, tmp_path: Path) -> None:
    """The pool, the letters of the map with their squares, who comes later, and the deck of finds."""
    bag = called(laid(inn, tmp_path / "out").ObjectStates, "3. A *wake*").ContainedObjects
    lines = called(bag, "A *wake*: Set-up", "Notecard").Description.splitlines()

    assert lines[0].endswith("(2 × Mouse)")
    assert "Finds of level 1: a deck of 3." in lines
    assert any(line.startswith("L: loot.") and "f3" in line for line in lines)


def test_who_is_chosen_and_levels_are_told_by_the_columns_of_decks(inn: Path, tmp_path: Path) -> None:
    """No name of a deck is known: `party`, `needs` and whole numbers say it all."""
    table = laid(inn, tmp_path / "out").ObjectStates
    ann = called(table, "Ann").ContainedObjects
    finds = called(table, "Finds").ContainedObjects

    assert ["Ann", "Leap", "Run"] == sorted(one.Nickname for one in within(ann) if one.Name == "Card")
    assert {"Finds, level 1": 3, "Finds, level 2": 3} == {
        deck.Nickname: len(deck.DeckIDs or ()) for deck in finds or ()
    }
    assert {"Cellar of the inn"} == {
        one.Nickname for one in called(table, "3. A *wake*").ContainedObjects or () if "inn" in one.Nickname
    }


def test_figures_snap_to_the_middle_of_squares(inn: Path, tmp_path: Path) -> None:
    """A map of 6 × 4 squares of 25 mm with 10 mm around: 170 × 120 mm, which are 2 × 2.83 of its own units."""
    table = laid(inn, tmp_path / "out").ObjectStates
    bag = called(table, "3. A *wake*").ContainedObjects
    tile = called(bag, "The Cellar", "Custom_Tile")
    points = [(point.Position["x"], point.Position["z"]) for point in tile.AttachedSnapPoints or ()]

    assert 120 / 50.8 == pytest.approx(tile.Transform["scaleX"], abs=1e-4)
    assert 24 == len(set(points))
    # The first square: its middle is 10 + 12.5 mm from the upper left, so 62.5 mm and 37.5 mm from the middle.
    assert (-62.5 / 60, -37.5 / 60) == pytest.approx(points[0], abs=1e-4)
    assert {(-x, -z) for x, z in points} == set(points), "however the tile lies"
    with Image.open(tmp_path / "out" / "cellar-map.png") as image:
        assert 170 / 120 == pytest.approx(image.width / image.height, abs=0.01)


def test_a_map_too_large_to_be_drawn_is_shown_plainly(
    inn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In squares and lines, without letters around; the tile is smaller by these."""
    monkeypatch.setattr("grimalkin.printing.face.views.MOST_SQUARES", 23)
    table = laid(inn, tmp_path / "out").ObjectStates
    tile = called(called(table, "3. A *wake*").ContainedObjects, "The Cellar", "Custom_Tile")

    assert 100 / 50.8 == pytest.approx(tile.Transform["scaleX"], abs=1e-4)
    with Image.open(tmp_path / "out" / "cellar-map.png") as image:
        assert (6 * 100, 4 * 100) == image.size


def test_maps_that_no_scenario_has_lie_in_the_box(tmp_path: Path) -> None:
    """Two of them in a bag of their own."""
    folder = staged(tmp_path)
    for path in (folder / "scenarios").iterdir():
        path.unlink()
    table = laid(folder, tmp_path / "out").ObjectStates

    assert {"The Cellar": 1, "The Attic": 1} == counted(called(table, "Maps"))
    assert {0.0} == {thing.Transform["posZ"] for thing in table}


def test_what_is_for_paper_alone_is_there_when_it_is_named(inn: Path, tmp_path: Path) -> None:
    """Otherwise a virtual table has the whole map instead."""
    path = inn / "game.yaml"
    path.write_text(path.read_text("utf-8").replace("needs: [map]", "needs: [map]\n    on-paper: yes"), "utf-8")
    whole, some = tmp_path / "whole", tmp_path / "some"

    assert main(["export", "tts", str(inn), "--output", str(whole), "--dpi", "36"]) == 0
    assert main(["export", "tts", str(inn), "--output", str(some), "--dpi", "36", "--only", "boards"]) == 0
    assert not list(whole.rglob("board-*.png"))
    assert ["board-1-front.png", "board-2-front.png"] == sorted(path.name for path in some.rglob("*.png"))


def test_the_same_game_gives_the_same_files(inn: Path, tmp_path: Path) -> None:
    def made(name: str, jobs: str) -> dict[str, bytes]:
        arguments = ["--output", str(tmp_path / name), "--dpi", "36", "--jobs", jobs, "--url", "https://example.org"]
        assert main(["export", "tts", str(inn), *arguments]) == 0
        return {path.name: path.read_bytes() for path in (tmp_path / name / "tts").iterdir()}

    first = made("first", "1")

    assert first == made("second", "2")
    assert "cellar-map.png" in first


def test_a_map_that_cannot_be_drawn_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is written, and the word is named."""
    folder = staged(tmp_path, **{"maps/cellar.txt": CELLAR.replace("       a", "floor: lava, bar, stools\n       a")})

    for kind in ("tts", "uvtt"):
        assert main(["export", kind, str(folder), "--output", str(tmp_path / "out")]) == 1
        assert 'has a floor "lava"' in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
