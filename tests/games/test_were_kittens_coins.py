"""A fifth coin: one more row in the table of coins is one more kind in the box, on the sheets and in play."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, cast

import pytest
from games_for_tests import leave_examples_at_home
from soak import seeded

from grimalkin.cli import main
from grimalkin.content import Game, load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.engine.chance import Seeded
from grimalkin.engine.replay import play_line
from grimalkin.games import were_kittens
from grimalkin.printing.face import Composer, Inks
from grimalkin.printing.sheet.pieces import all_faces
from grimalkin.problems import Problems
from grimalkin.site.pages import Shown
from grimalkin.site.pages.tables import Tables
from grimalkin.source import data_folder
from grimalkin.testing import checks as battery

HALF = (
    "half-dollar,Half-dollar,4,circle-30,1,4,8,3,3,50,silver,toothed,nicked,"
    '"Heads: a kitten with four stripes, awake.","Tails: the same kitten asleep at night."\n'
)


AT_HOME = ("examples", "playthroughs", "learn.yaml", "simulations*", "versions")
"""What names positions and games with the coins that there were."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Were Kittens with four half-dollars. Its examples and simulations, which count coins, stay at home."""
    folder = tmp_path_factory.mktemp("mine") / "were-kittens"
    home = data_folder("content") / "were-kittens"
    shutil.copytree(home, folder, ignore=shutil.ignore_patterns(*AT_HOME))
    coins, game = folder / "coins.csv", folder / "game.yaml"
    coins.write_text(coins.read_text("utf-8") + HALF, "utf-8")
    game.write_text(game.read_text("utf-8").replace("count: 23", "count: 27"), "utf-8")
    leave_examples_at_home(folder)
    return folder


@pytest.fixture(scope="module")
def five(folder: Path) -> Game:
    """The game in that folder."""
    problems = Problems()
    game = load_game(folder, problems)

    assert not problems, list(problems)
    assert game is not None
    return game


@pytest.mark.slow("draws the game")
@pytest.mark.parametrize("inks", ["full", "low", "mono"])
def test_every_face_knows_the_fifth_coin(five: Game, inks: Inks) -> None:
    """Its value stands on itself, on the mat and on the reference card; its silver is that of the dime."""
    problems = Problems()
    faces = all_faces(five, Composer(five, load_stocks(five.folder, problems), problems, inks))

    assert not problems, list(problems)
    assert 2 == faces["half-dollar-front"].svg.count(">50<") + faces["half-dollar-back"].svg.count(">50<")
    assert 1 + 6 + 1 == faces["player-mat-front"].svg.count(">50<")
    assert 1 == faces["reference-card-back"].svg.count(">50<")
    silver = five.info.palette["silver"]
    for id_ in ("half-dollar", "dime"):
        assert (inks != "mono") == (silver in faces[f"{id_}-front"].svg)
    assert faces["half-dollar-front"].svg != faces["nickel-front"].svg


@pytest.mark.slow("builds the game")
def test_its_sheets_are_printed(folder: Path, tmp_path: Path) -> None:
    """All twenty-seven coins with everything else, and the card to look things up, which comes as a sheet, too."""
    code = main(["sheets", str(folder), "--paper", "a4", "--output", str(tmp_path)])

    assert 0 == code
    names = {path.name for path in tmp_path.rglob("*.pdf")}
    assert {f"were-kittens-a4{part}.pdf" for part in ("", "-quick", "-quick-sheet")} == names


@pytest.mark.slow("builds the game")
def test_its_site_is_built_while_its_examples_are_owed(folder: Path, tmp_path: Path) -> None:
    """As a draft, since no example counts half-dollars yet."""
    assert 0 == main(["check", str(folder), "--draft"])
    assert 0 == main(["build", str(folder), "--draft", "--paper", "a4", "--output", str(tmp_path)])
    assert "Half-dollar" in (tmp_path / "site" / "were-kittens" / "components.html").read_text("utf-8")


def test_its_table_is_drawn(five: Game) -> None:
    """Four kinds in the supply stand closer than three, so that none leaves the picture."""
    problems = Problems()
    composer, unused = Composer(five, load_stocks(five.folder, problems), problems, "full"), cast(Any, None)
    tables = Tables(Shown(five, {}, unused, composer, {}, {}))
    state = were_kittens.start(five.facts, ["Ada", "Basil"], {}, Seeded(0))
    tables.picture(state.position())
    (picture,) = tables.files.values()

    assert not problems, list(problems)
    assert 'href="#half-dollar"' in picture
    places = [float(part.split('"')[0]) for part in picture.split(' x="')[1:]]
    assert max(places) < 118


def test_the_engine_plays_with_it(five: Game) -> None:
    """It begins in its own space by the general rule, and its numbers are those of its row."""
    state = were_kittens.start(five.facts, ["Ada", "Basil"], {}, Seeded(0))
    log = []
    play_line(were_kittens, state, "half-dollar", log)

    assert ["WK-SETUP-2", "WK-SETUP-3"] == [event.rule for event in log]
    assert {"3": "half-dollar"} == state.position()["seats"]["Ada"]["cats"]
    given = {
        "city": {"half-dollar": 1},
        "seats": {"Ada": {"eat": {"dime": 1}, "cats": {"6": "penny"}}, "Basil": {}},
    }
    state = were_kittens.load(five.facts, given)
    refusal = state.why_not(were_kittens.read("take half-dollar", state)[0])

    assert {"seat": "Ada", "acting": 6, "kind": "half-dollar", "claw": 3, "needed": 4} == refusal.facts
    play_line(were_kittens, state, "eat dime, take half-dollar", log)

    assert {"half-dollar": 1} == state.position()["seats"]["Ada"]["hand"]


@pytest.mark.slow("plays a game for every promise")
@seeded(1)
@pytest.mark.parametrize("check", battery.CHECKS, ids=lambda check: check.__name__)
def test_a_game_with_it_keeps_every_promise(five: Game, check, seed: int) -> None:
    """The whole battery, with four kinds."""
    check(battery.Setting("grimalkin.games.were_kittens", five.facts, 3, seed))
