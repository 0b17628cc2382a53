"""Grimalkin from Python: games by name or path, tables from a start, a record or a file, moves as typed."""

from __future__ import annotations

import copy
import doctest
import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from games_for_tests import played_games

import grimalkin
from grimalkin.engine.chance import draw_labels
from grimalkin.engine.shape import Misfit
from grimalkin.play.table import from_record, ready_facts
from grimalkin.source import data_folder

NAMES = ("Ada", "Basil", "Cleo", "Dora", "Enid", "Fay", "Gus", "Hal")
CONTENT = data_folder("content")
GAMES = played_games()
PACKAGE = Path(grimalkin.__file__).parent
TABLE = {
    "quarter": "Ada",
    "city": {"nickel": 1, "penny": 3},
    "acting": {"seat": "Ada", "space": 6},
    "seats": {
        "Ada": {"cats": {"6": "penny"}, "eat": {"dime": 1}},
        "Basil": {"hand": {"penny": 2, "dime": 2, "nickel": 1}},
    },
}
CITY = {
    "phase": "acting",
    "acting": "tom",
    "city": ["pieman", "seer", "miller", "baker", "cook"],
    "seats": {"Ada": {"cats": {"tom": 0}}, "Basil": {"cats": {"soot": 0}}},
}


PLAY = """
import grimalkin, random
game = grimalkin.open({name!r})
table = game.start({seats!r}, game.module.SIMULATION, seed=1)
luck = random.Random(1)
while table.to_act:
    table.play(luck.choice(table.legal()))
assert game.table(table.position()).result() == table.result()
outside = {{name.partition(".")[0] for name in sys.modules}} - {{*sys.stdlib_module_names, "grimalkin", "__main__"}}
print(game.title, table.result().winners, len(table.draws), sorted(outside))
"""


def played(game: grimalkin.Game, seats: int, seed: int = 1, **options: str) -> grimalkin.Table:
    """A random game to its end, every move by its text."""
    table = game.start(NAMES[:seats], {**game.module.SIMULATION, **options}, seed=seed)
    luck = random.Random(seed)
    while table.to_act:
        table.play(luck.choice(table.legal()))
    return table


# Importing


def run(*command: str, folder: Path, path: Path = PACKAGE.parent) -> str:
    """What a script says on a bare Python, with our own sources and nothing else on the path."""
    script = f"import sys; sys.path.insert(0, {str(path)!r})\n" + "\n".join(command)
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], cwd=folder, capture_output=True, text=True)

    assert "" == done.stderr
    return done.stdout.strip()


def test_to_import_it_imports_nothing(tmp_path: Path) -> None:
    """Not one module more than itself."""
    said = run(
        "before = set(sys.modules)", "import grimalkin", "print(sorted(set(sys.modules) - before))", folder=tmp_path
    )

    assert "['grimalkin']" == said


def test_every_name_is_found_where_it_is_at_home() -> None:
    """What type checkers are told, what `dir` lists and what is there are the same."""
    told = (
        (PACKAGE / "__init__.py").read_text(encoding="utf-8").partition("if TYPE_CHECKING:")[2].partition("_HOMES")[0]
    )

    assert {"__version__", *grimalkin._HOMES} == set(dir(grimalkin))
    for name in grimalkin._HOMES:
        assert f"import {name} as {name}\n" in told or f"    {name} = {name}_game\n" in told, name
        assert callable(getattr(grimalkin, name))
    with pytest.raises(AttributeError, match="has no attribute 'opne'"):
        grimalkin.opne  # type: ignore[attr-defined]  # noqa: B018


def test_open_stays_what_it_is_for_python() -> None:
    """No module of ours gets another `open` by importing the package."""
    namespace: dict[str, Any] = {}
    exec("import grimalkin\ngame = grimalkin.open\nfile = open", namespace)

    assert open is namespace["file"]
    assert "open" not in vars(grimalkin)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our sources as they lie in an installed package, with the facts that the build puts there and no other data."""
    folder = tmp_path_factory.mktemp("installed")
    shutil.copytree(PACKAGE, folder / "grimalkin", ignore=shutil.ignore_patterns("__pycache__"))
    facts = folder / "grimalkin" / "data" / "facts"
    facts.mkdir(parents=True)
    for name, record in ready_facts(CONTENT).items():
        (facts / f"{name}.json").write_text(json.dumps(record), encoding="utf-8")
    return folder


@pytest.mark.slow("processes play")
@pytest.mark.parametrize("name", GAMES)
def test_a_bare_python_plays(installed: Path, tmp_path: Path, name: str) -> None:
    """Neither pydantic nor YAML nor anything else is needed to play to the end, and it is the same game as here."""
    table = played(grimalkin.open(name), 3)
    said = run(PLAY.format(name=name, seats=NAMES[:3]), folder=tmp_path, path=installed)
    result = table.result()

    assert result is not None
    assert f"{table.game.title} {result.winners} {len(table.draws)} []" == said


@pytest.mark.slow("reads whole games without what is made ready")
@pytest.mark.parametrize("name", GAMES)
def test_what_is_made_ready_is_what_content_says(name: str) -> None:
    """Sent through JSON, it is the same game: nothing is lost on the way into a package."""
    game = grimalkin.open(name)
    ready = from_record(json.loads(json.dumps(ready_facts(CONTENT)[name])))

    assert game == ready
    assert set(game.laws) >= set(game.module.REFUSALS)


@pytest.mark.slow("reads whole games without what is made ready")
def test_a_game_of_ones_own_comes_before_what_is_ready(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on the command line: ./content/NAME is meant before an installed game of that name."""
    monkeypatch.setattr("grimalkin.play.table.READY", installed / "grimalkin" / "data" / "facts")
    monkeypatch.setattr("grimalkin.content.load_game", lambda *_: pytest.fail("content was read"))
    monkeypatch.chdir(tmp_path)

    assert "Werecats" == grimalkin.open("werecats").title
    monkeypatch.undo()
    monkeypatch.setattr("grimalkin.play.table.READY", installed / "grimalkin" / "data" / "facts")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(CONTENT / "werecats", tmp_path / "content" / "werecats")
    file = tmp_path / "content" / "werecats" / "game.yaml"
    file.write_text(file.read_text("utf-8").replace("title: Werecats", "title: Ours", 1), encoding="utf-8")
    assert "Ours" == grimalkin.open("werecats").title
    assert "Ours" == grimalkin.open("content/werecats").title
    assert "Ours" == grimalkin.open(Path("content") / "werecats").title
    monkeypatch.chdir(tmp_path / "content")
    assert "Ours" == grimalkin.open(Path("werecats")).title
    with pytest.raises(grimalkin.Stop, match=r"did you mean [.]/werecats"):
        monkeypatch.setattr("grimalkin.play.table.READY", tmp_path)
        monkeypatch.setattr("grimalkin.source.game_folders.bundled", lambda: tmp_path / "nothing")
        grimalkin.open("werecats")


def test_a_game_that_is_not_there_says_what_is() -> None:
    with pytest.raises(grimalkin.Stop, match='no game with this name; did you mean "werecats"'):
        grimalkin.open("wercats")


# A game


def test_a_game_tells_what_it_takes() -> None:
    game = grimalkin.open("werecats")

    assert ("werecats", "Werecats", (2, 4)) == (game.name, game.title, game.seats)
    assert ["rounds"] == list(game.options)
    assert ["first", "city"] == list(game.draws)
    assert {"random", "sensible"} <= set(game.bots)
    assert grimalkin.Law("WC-EAT-1", "Force against Force", True) == game.laws["WC-EAT-1"] == game.law("WC-EAT-1")
    assert grimalkin.Law("WC-NEW-1", "not written yet", True) == game.law("WC-NEW-1")


@pytest.mark.slow("plays whole games")
@pytest.mark.parametrize("name", GAMES)
def test_every_label_is_drawn_by_somebody(name: str) -> None:
    """What a game declares, it draws; that it draws nothing else is a promise of the battery."""
    game = grimalkin.open(name)
    stories = [{"scenario": story, "coin": "yes"} for story in game.facts.get("scenarios", ())] or [{}]
    stories += [{"party": 2}] if "party" in game.module.OPTIONS.optional else []
    if "interlude" in game.module.OPTIONS.optional:
        stories.append({"scenario": list(game.facts["scenarios"])[-1], "interlude": "yes"})
    drawn = {label for options in stories for seed in range(3) for label, _ in played(game, 3, seed, **options).draws}

    assert set(draw_labels(game.module.DRAWS, NAMES[:3])) - drawn <= {NAMES[0]}  # the Witch Hunter has no hand


@pytest.mark.slow("reads whole games without what is made ready")
@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("citty: heir", 'this game has no draw called "citty"; did you mean "city"?'),
        ("Ada: heir", 'has no draw called "Ada"'),
    ],
)
def test_an_unknown_label_of_a_written_game_is_told(tmp_path: Path, written: str, told: str) -> None:
    """With its line, before the game is played."""
    shutil.copytree(CONTENT / "werecats", tmp_path / "werecats")
    file = tmp_path / "werecats" / "playthroughs" / "the-rainbow-and-the-undertaker.yaml"
    text = file.read_text("utf-8").replace("draw: {city: cook}", f"draw: {{{written}}}", 1)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(grimalkin.Stop) as raised:
        grimalkin.open(tmp_path / "werecats")

    assert told in str(raised.value)
    assert f"{file}:{text[: text.index(written)].count(chr(10)) + 1}:" in str(raised.value)


# A table


@pytest.mark.slow("plays whole games")
@pytest.mark.parametrize("name", GAMES)
def test_the_draws_of_a_table_make_the_same_game(name: str) -> None:
    """Written down, a game comes again: by its draws, and by the same seed."""
    game = grimalkin.open(name)
    once, again = played(game, 3), played(game, 3)
    scripted = game.start(NAMES[:3], game.module.SIMULATION, draws=once.draws)
    luck = random.Random(1)
    while scripted.to_act:
        scripted.play(luck.choice(scripted.legal()))

    assert once.position() == again.position() == scripted.position()
    assert once.draws == again.draws == scripted.draws


def test_a_table_from_a_record_answers() -> None:
    """A nickel in space 4 costs 10 - 4 = 6: a penny cat has 3, and 6 after eating a dime."""
    table = grimalkin.open("were-kittens").table(TABLE)
    refusal = table.why_not("make nickel 4")

    assert ("Ada", ("Ada", "Basil")) == (table.to_act, table.seats)
    assert refusal is not None
    assert "WK-ACT-6" == refusal.rule
    assert "costs 10 - 4 = 6" in refusal.because
    assert table.why_not("eat dime, make nickel 4") is None
    assert ["WK-CLAW-5", "WK-ACT-6"] == [event.rule for event in table.play("eat dime, make nickel 4")][:2]
    assert "Basil" == table.to_act
    assert "<Table of Were Kittens: Basil is to act>" == repr(table)
    assert [4, 9] != [score.total for score in table.score()]
    assert table.result() is None


@pytest.mark.parametrize(
    ("line", "error", "told"),
    [
        ("fly to the moon", grimalkin.Unreadable, "is not a move"),
        ("make nickel 4", grimalkin.Refused, "is refused by WK-ACT-6"),
        ("pass, take penny", grimalkin.TooFar, '"take penny" goes too far'),
    ],
)
def test_a_line_that_is_not_played_changes_nothing(line: str, error: type[Exception], told: str) -> None:
    """Whatever is raised, the table stays as it was, also where a part of the line could be played."""
    table = grimalkin.open("were-kittens").table(TABLE)
    before = table.position()
    with pytest.raises(error, match=told):
        table.play(line)

    assert before == table.position()


def test_a_refusal_is_carried_by_what_is_raised() -> None:
    table = grimalkin.open("were-kittens").table(TABLE)
    with pytest.raises(grimalkin.Refused) as raised:
        table.play("make nickel 4")

    assert table.why_not("make nickel 4") == raised.value.refusal
    assert "make nickel 4" == raised.value.move
    assert isinstance(raised.value, grimalkin.NotAMove)


def test_after_the_end_nothing_is_played() -> None:
    """It is refused as over, with the rule that says so."""
    table = played(grimalkin.open("were-kittens"), 2)
    before = table.position()
    with pytest.raises(grimalkin.Over) as raised:
        table.play("take penny")

    assert ([], None) == (table.legal(), table.to_act)
    assert raised.value.refusal.rule in table.game.laws
    assert before == table.position()


HUNT = {"woods": "cooper", "phase": "hunt"}
TOWNS = {"Ada": {"hand": ["baker"]}, "Basil": {"hand": ["smith"]}}
FOUR = ["love-rose", "love-mabel", "nature-fern", "nature-ivy"]
EIGHT = ("tom", "baker", "banker", "poacher", "miller", "cook", "seer", "bishop")
JEWELS = ("tom", "baker", "banker", "gamekeeper", "constable", "parson")
ENDED_BEFORE: list[tuple[str, dict[str, Any], str, str, tuple[str, ...]]] = [
    (
        "curses-and-covens",
        {"woods": "cooper", "seats": {"Hester": {}, "Ada": {"hand": hand}, "Basil": {"hand": ["smith"]}}, **more},
        "hat Ada",
        "CC-WIN-1",
        ("Ada", "Basil"),
    )
    for hand in (["love-rose", "love-mabel", "love-viola"], ["love-rose", "love-mabel", "wild"])
    for more in ({}, {"to-act": "Ada"}, {"round": 3, "options": {"rounds": 3}})
]
ENDED_BEFORE += [
    (
        "curses-and-covens",
        {**HUNT, "seats": {"Hester": {"rituals": ["ritual-bell", "ritual-candles"]}, **TOWNS}},
        "pick Ada",
        "CC-WIN-2",
        ("Ada", "Basil"),
    ),
    (
        "curses-and-covens",
        {**HUNT, "picks": 1, "first": "Ada", "seats": {"Hester": {"witches": [*FOUR, "wild"]}, **TOWNS}},
        "pick Ada",
        "CC-WIN-3",
        ("Hester",),
    ),
    (
        "curses-and-covens",
        {"woods": "cooper", "seats": {"Hester": {"witches": ["fake", *FOUR]}, **TOWNS}},
        "hat Ada",
        "CC-WIN-3",
        ("Hester",),
    ),
    (
        "curses-and-covens",
        {"woods": "cooper", "round": 4, "options": {"rounds": 3}, "seats": {"Hester": {}, **TOWNS}},
        "hat Ada",
        "CC-AMB-30",
        (),
    ),
    (
        "were-kittens",
        {
            "phase": "placing",
            "city": {},
            "supply": {},
            "seats": {
                "Ada": {"hand": {"penny": 5, "nickel": 3, "dime": 3}, "cats": {6: "penny"}},
                "Basil": {"hand": {"penny": 4, "nickel": 3, "dime": 2}, "cats": {4: "dime"}},
            },
        },
        "done",
        "WK-END-1",
        ("Ada",),  # 2 + 5 × 2 + 3 + 3 = 18 against 2 + 4 × 2 + 3 = 13
    ),
    (
        "were-kittens",
        {"round": 4, "options": {"rounds": 3}, "seats": {"Ada": {"cats": {6: "penny"}}, "Basil": {}}},
        "pass",
        "WK-AMB-18",
        ("Ada",),
    ),
    (
        "werecats",
        {"round": 5, "seats": {"Ada": {"cats": dict.fromkeys(EIGHT, 0)}, "Basil": {"cats": {"soot": 0}}}},
        "rest",
        "WC-END-4",
        ("Ada",),
    ),
    (
        "werecats",
        {"round": 5, "seats": {"Ada": {"cats": dict.fromkeys(JEWELS, 0)}, "Basil": {"cats": {"soot": 0}}}},
        "rest",
        "WC-END-4",
        ("Ada",),
    ),
    (
        "werecats",
        {
            "round": 5,
            "options": {"rounds": 4},
            "seats": {"Ada": {"cats": {"tom": 0}, "graveyard": ["cook"]}, "Basil": {"cats": {"soot": 0}}},
        },
        "rest",
        "WC-END-4",
        ("Ada",),
    ),
    (
        "wolf-mans-curse",
        {
            "month": 2,
            "night": 2,
            "seats": {
                "Ada": {"hand": ["2c", "3c", "4c", "5c"], "pile": ["7h", "8h", "9h", "qh"], "clubs": 3},
                "Basil": {"hand": ["2s", "3s", "4s", "5s"], "diamonds": 4},
                "Cleo": {"hand": ["2d", "3d", "4d", "5d"], "spades": 2},
            },
        },
        "2c",
        "WM-END-1",
        ("Basil",),  # Ada is lynched; Cleo has most spades and no hearts; of two innocents Basil has more diamonds
    ),
]


@pytest.mark.parametrize(("name", "position", "line", "rule", "winners"), ENDED_BEFORE)
def test_a_game_that_is_over_does_not_go_on(
    name: str, position: dict[str, Any], line: str, rule: str, winners: tuple[str, ...]
) -> None:
    """Whatever phase is written, it has a result, nobody is to act, and a move is refused as over, with the rule."""
    game = grimalkin.open(name)
    table = game.table(position)
    result, refusal = table.result(), table.why_not(line)

    assert result is not None and refusal is not None
    assert (None, [], winners, rule) == (table.to_act, table.legal(), result.winners, refusal.rule)
    assert table.position() == game.table(table.position()).position()
    assert "over" == table.position()["phase"]
    with pytest.raises(grimalkin.Over):
        table.play(line)


def test_what_ended_a_round_of_werecats_is_told() -> None:
    """WC-END-4 looks for three things; the refusal says which of them was there."""
    position = {"round": 5, "seats": {"Ada": {"cats": dict.fromkeys(EIGHT, 0)}, "Basil": {"cats": {"soot": 0}}}}
    refusal = grimalkin.open("werecats").table(position).why_not("rest")

    assert refusal is not None
    assert ("WC-END-2", 4) == (refusal.facts["end"], grimalkin.open("werecats").table(position).position()["round"])


PLACES: list[tuple[str, dict[str, Any], dict[str, int]]] = [
    # 2 + 2 points, 2 + 2, and 2: equal totals share a place, and the next one is the third (WK-AMB-14).
    (
        "were-kittens",
        {
            "phase": "over",
            "seats": {
                "Ada": {"cats": {6: "penny"}},
                "Basil": {"cats": {5: "dime"}, "hand": {"dime": 1}},
                "Cleo": {"cats": {4: "dime"}, "hand": {"dime": 1}},
            },
        },
        {"Ada": 3, "Basil": 1, "Cleo": 1},
    ),
    # All have 5 points: Ada and Dora 2 for a created werecat and 3 for its jewel, and Dora has more food; Basil and
    # Cleo have 5 villagers (WC-AMB-3).
    (
        "werecats",
        {
            "phase": "over",
            "seats": {
                "Ada": {"cats": {"tom": 0, "baker": 0}},
                "Basil": {"cats": {"soot": 1}, "graveyard": ["cook", "seer", "merchant", "watchman", "poacher"]},
                "Cleo": {"cats": {"duchess": 1}, "graveyard": ["jailer", "miller", "bosun", "parson", "brewer"]},
                "Dora": {"cats": {"deacon": 1, "banker": 0}},
            },
        },
        {"Ada": 2, "Basil": 3, "Cleo": 3, "Dora": 1},
    ),
    # The Hunter has lost to all towns together.
    ("curses-and-covens", ENDED_BEFORE[0][1], {"Hester": 3, "Ada": 1, "Basil": 1}),
    # Nobody has won.
    (
        "curses-and-covens",
        {"woods": "cooper", "round": 4, "options": {"rounds": 3}, "seats": {"Hester": {}, **TOWNS}},
        {"Hester": 2, "Ada": 2, "Basil": 2},
    ),
]


@pytest.mark.parametrize(("name", "position", "places"), PLACES)
def test_every_seat_has_its_place(name: str, position: dict[str, Any], places: dict[str, int]) -> None:
    """By what decides about the win; who is equal in all of it shares a place. Before the end there is none."""
    game = grimalkin.open(name)

    assert places == game.table(position).places()
    assert {} == game.start(tuple(places), seed=1).places()


GOES_ON: list[tuple[str, dict[str, Any]]] = [
    # A coven in hand wins only when it is shown, in a Census.
    (
        "curses-and-covens",
        {**HUNT, "seats": {"Hester": {}, "Ada": {"hand": ["love-rose", "love-mabel", "wild"]}, "Basil": {}}},
    ),
    # The fake as the fifth: the others have still to escape (CC-HUNT-10).
    (
        "curses-and-covens",
        {
            **HUNT,
            "picks": 1,
            "emptying": "Ada",
            "seats": {
                "Hester": {"witches": [*FOUR, "fake"]},
                "Ada": {"hand": ["baker", "parson"]},
                "Basil": {"hand": ["smith"]},
            },
        },
    ),
    # Seven to come, and the eighth has acted in this round (WC-AMB-7).
    (
        "werecats",
        {
            "acting": "cook",
            "seats": {"Ada": {"cats": dict.fromkeys(EIGHT, 0)}, "Basil": {"cats": {"soot": 0}}},
        },
    ),
    # The deck has filled up the City as this round began (WC-CITY-2).
    (
        "werecats",
        {"deck": [], "city": ["seer"], "seats": {"Ada": {"cats": {"tom": 0}}, "Basil": {"cats": {"soot": 0}}}},
    ),
    # The last round is being played.
    ("were-kittens", {"round": 3, "options": {"rounds": 3}, "seats": {"Ada": {"cats": {6: "penny"}}, "Basil": {}}}),
    ("werecats", {"options": {"rounds": 1}, "seats": {"Ada": {"cats": {"tom": 0}}, "Basil": {"cats": {"soot": 0}}}}),
]


@pytest.mark.parametrize(("name", "position"), GOES_ON)
def test_a_game_whose_end_is_near_goes_on(name: str, position: dict[str, Any]) -> None:
    """What only looks like an end is none."""
    table = grimalkin.open(name).table(position)

    assert table.to_act is not None
    assert table.result() is None


def test_a_word_that_could_be_two_moves_is_ambiguous() -> None:
    with pytest.raises(grimalkin.Ambiguous, match="does not say enough"):
        grimalkin.open("werecats").table(CITY).play("eat")


# Draws


@pytest.mark.slow("plays whole games")
def test_a_draw_that_nothing_gives_is_asked_for() -> None:
    """Nobody is told of a script who gave none."""
    table = grimalkin.open("werecats").table(CITY)
    before = table.position()
    with pytest.raises(grimalkin.ChanceError, match=r'^"city" is drawn here, but nothing determines the result'):
        table.play("dive")

    assert before == table.position()
    with pytest.raises(grimalkin.ChanceError, match=r'^"first" is drawn here'):
        grimalkin.open("werecats").start(["Ada", "Basil"])


def test_draws_come_with_a_line_or_from_a_seed() -> None:
    """What a line is given comes first; the rest comes by the seed, if there is one."""
    game = grimalkin.open("werecats")
    by_hand, by_seed = game.table(CITY), game.table(CITY, seed=1)
    by_hand.play("dive", draws={"city": ["heir"]})
    by_seed.play("dive")

    assert (("city", "heir"),) == by_hand.draws
    assert len(by_hand.draws) == len(by_seed.draws)


@pytest.mark.slow("opens every game anew")
@pytest.mark.parametrize(
    ("draws", "told"),
    [
        ({"citty": "heir"}, 'Werecats has no draw called "citty"; did you mean "city"?'),
        ({"city": "soot"}, '"soot" cannot be drawn for "city"'),
        ({"city": ["heir", "widow", "cook"]}, '"dive" draws nothing for "city", but widow is given'),
        ([("first", "Ada")], 'the script draws "first", but the game draws "city"'),
    ],
)
def test_a_draw_that_does_not_come_is_told(draws: Any, told: str) -> None:
    """And the table stays as it was, with nothing left over for the next line."""
    table = grimalkin.open("werecats").table(CITY)
    before = table.position()
    with pytest.raises(grimalkin.ChanceError) as raised:
        table.play("dive", draws)

    assert told in str(raised.value)
    assert before == table.position()
    assert () == table.draws
    with pytest.raises(grimalkin.ChanceError, match="nothing determines the result"):
        table.play("dive")
    assert table.play("dive", {"city": "heir"})


def test_an_unknown_label_of_a_game_that_draws_nothing() -> None:
    with pytest.raises(
        grimalkin.ChanceError, match='Were Kittens has no draw called "city"; nothing in this game is drawn'
    ):
        grimalkin.open("were-kittens").table(TABLE, draws={"city": "x"})


def test_clones_are_apart() -> None:
    """Each draws for itself, whatever happens at the other; so a clone is a way back."""
    table = grimalkin.open("werecats").start(["Ada", "Basil"], seed=4)
    other = table.clone()
    luck = random.Random(1)
    for _ in range(20):
        table.play(luck.choice(table.legal()))
    draws, luck = table.draws, random.Random(1)
    assert 1 == len(other.draws)
    for _ in range(20):
        other.play(luck.choice(other.legal()))

    assert len(draws) > 1
    assert (draws, table.position()) == (other.draws, other.position())


def test_a_copy_is_a_clone() -> None:
    """What happens at it does not happen at the first."""
    table = grimalkin.open("were-kittens").table(TABLE)
    before = table.position()
    copy.copy(table).play("eat dime")

    assert before == table.position()


@pytest.mark.slow("reads whole games without what is made ready")
@pytest.mark.parametrize("line", [None, 3, ["eat dime"]])
def test_what_is_no_text_is_no_line(line: Any) -> None:
    table = grimalkin.open("were-kittens").table(TABLE)
    for ask in (table.play, table.why_not):
        with pytest.raises(TypeError, match="a line must be text, such as legal"):
            ask(line)


def test_a_game_and_a_misfit_are_shown_shortly() -> None:
    """A game without its facts, and what is missing at the top of a record without the keys that lead there."""
    game = grimalkin.open("were-kittens")
    with pytest.raises(grimalkin.Misfits) as raised:
        game.table({})

    assert "<Game were-kittens: Were Kittens>" == repr(game)
    assert 'the key "seats" is missing' == str(raised.value)


# Records and files


@pytest.mark.slow("plays whole games")
@pytest.mark.parametrize("name", GAMES)
def test_a_position_comes_back(name: str, tmp_path: Path) -> None:
    """As a record, and as a JSON file, at every tenth move."""
    game = grimalkin.open(name)
    table = game.start(NAMES[:3], game.module.SIMULATION, seed=2)
    luck = random.Random(2)
    number = 0
    while table.to_act:
        if number % 10 == 0:
            (tmp_path / "table.json").write_text(json.dumps(table.position()), encoding="utf-8")
            for again in (game.table(table.position()), game.table(tmp_path / "table.json")):
                assert table.position() == again.position()
                assert table.legal() == again.legal()
        table.play(luck.choice(table.legal()))
        number += 1


def test_a_yaml_file_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "table.yaml"
    path.write_text("seats:\n  Ada: {hand: {penny: 3}}\n  Basil: {}\n", encoding="utf-8")

    assert ("Ada", "Basil") == grimalkin.open("were-kittens").table(str(path)).seats


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (
            "a.yaml",
            "seats:\n  Ada: {hnad: {penny: 3}}\n  Basil: {}\n",
            'a.yaml:2: seats.Ada.hnad: unknown key "hnad"; did',
        ),
        (
            "a.json",
            '{"seats": {"Ada": {"hnad": {}}, "Basil": {}}}',
            'a.json: seats.Ada.hnad: unknown key "hnad"; did you',
        ),
        ("a.json", '{"seats":\n {"Ada" {}}', "a.json:2: this is not JSON: Expecting ':' delimiter"),
        ("a.json", "[1, 2]", 'a.json: a position must be a mapping; begin it with "{"'),
        ("a.json", '{"seats": {}, "seats": {}}', 'a.json: the key "seats" is written twice'),
        ("a.json", b"\xff\xfe\x00", "a.json: this is not text in UTF-8"),
        ("a.json", "[" * 100_000, "a.json: values are nested too deep"),
    ],
)
def test_a_file_that_is_no_position_tells_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str | bytes, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(grimalkin.Stop) as raised:
        grimalkin.open("were-kittens").table(name)

    assert str(raised.value).startswith(told)


def test_a_json_file_may_begin_with_a_mark_of_its_bytes(tmp_path: Path) -> None:
    """Some editors write one; the command line reads it, too."""
    path = tmp_path / "table.json"
    path.write_text(json.dumps(TABLE), encoding="utf-8-sig")

    assert ("Ada", "Basil") == grimalkin.open("were-kittens").table(path).seats


@pytest.mark.slow("reads whole games without what is made ready")
@pytest.mark.parametrize("text", ["title: [", "a: {b", "- {"])
def test_a_yaml_file_that_ends_within_brackets_is_told(tmp_path: Path, text: str) -> None:
    """Also when its last line does not end."""
    path = tmp_path / "table.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(grimalkin.Stop, match=r"table.yaml:1: .*close the bracket or brace"):
        grimalkin.open("were-kittens").table(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for name in ("a.yaml", "a.json"):
        with pytest.raises(grimalkin.Stop, match=r"there is no such file$"):
            grimalkin.open("were-kittens").table(tmp_path / name)


def test_a_record_or_a_start_that_does_not_fit_raises_every_misfit() -> None:
    game = grimalkin.open("were-kittens")
    with pytest.raises(grimalkin.Misfits) as raised:
        game.table({"seats": {"Ada": {"hnad": {}, "cats": {"9": "penny"}}, "Basil": {}}})
    assert [("seats", "Ada", "hnad"), ("seats", "Ada", "cats", "9")] == [misfit.at for misfit in raised.value.misfits]
    with pytest.raises(grimalkin.Misfits, match="rounds: 0 is out of range"):
        game.start(["Ada", "Basil"], {"rounds": 0})


@pytest.mark.slow("opens every game anew")
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    ("seats", "told"),
    [
        (["A\nB", "Basil", "Cleo"], "seats.0: a name must be on one line"),
        (["", "Basil", "Cleo"], "seats.0: a seat has no name"),
        (["Ada", " ", "Cleo"], "seats.1: a seat has no name"),
        ([1, "Basil", "Cleo"], "seats.0: 1 is not text; a seat's name must be text"),
        ("XYZ", 'seats: "XYZ" is only one name; name every seat, in a list'),
    ],
)
def test_seats_that_cannot_be_called_are_told(name: str, seats: Any, told: str) -> None:
    """A game that begins has a position that can be loaded, and moves that say whose they are."""
    with pytest.raises(grimalkin.Misfits) as raised:
        grimalkin.open(name).start(seats, seed=1)

    assert told == str(raised.value)


@pytest.mark.slow("plays whole games")
@pytest.mark.parametrize("name", GAMES)
def test_seats_may_come_one_by_one(name: str) -> None:
    """From whatever gives them, also when it gives them once only."""
    assert NAMES[:3] == grimalkin.open(name).start((seat for seat in NAMES[:3]), seed=1).seats


# What a seat knows, and doubts


def test_a_seat_sees_what_it_may() -> None:
    """Where the game tells, what lies hidden from a seat is a question mark to it."""
    table = grimalkin.open("curses-and-covens").start(["Gideon", "Alder", "Holt"], seed=1)
    hunter, town = table.seen("Gideon"), table.seen("Alder")

    assert hunter is not None and town is not None
    assert (table.position()["woods"], "?") == (hunter["woods"], town["woods"])
    assert grimalkin.open("were-kittens").table(TABLE).seen("Ada") is None
    with pytest.raises(ValueError, match=r'"Aldr" has no seat; did you mean "Alder"\?'):
        table.seen("Aldr")


def test_doubts_are_asked_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a game that tells none there are none."""
    game = grimalkin.open("were-kittens")
    doubt = Misfit(("seats", "Ada", "cats"), "nobody could have paid for it")
    monkeypatch.delattr(game.module, "doubts", raising=False)

    assert [] == game.table(TABLE).doubts()
    monkeypatch.setattr(game.module, "doubts", lambda state: (doubt,), raising=False)
    assert [doubt] == game.table(TABLE).doubts()


# What pages show


PAGES = {
    path.name: path.read_text(encoding="utf-8")
    for path in [PACKAGE.parent.parent / "README.md", *sorted((data_folder("site") / "docs").rglob("*.md"))]
}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"^[^\n]*`(table\.yaml)`[^\n]*:\n\n```yaml\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page: str, language: str) -> list[str]:
    return [text for name, text in BLOCK.findall(PAGES[page]) if name == language]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "pycon")])
def test_a_session_that_a_page_shows_answers_so(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From top to bottom of the page, with the files that it names, every answer is the one shown."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILE.findall(PAGES[page]):
        Path(name).write_text(text, encoding="utf-8")
    session = "\n".join(blocks(page, "pycon"))
    test = doctest.DocTestParser().get_doctest(session, {}, page, page, 0)
    said: list[str] = []
    doctest.DocTestRunner().run(test, said.append)

    assert "" == "".join(said)
    assert len(test.examples) > 3


@pytest.mark.slow("processes play")
def test_scripts_of_the_guide_run(tmp_path: Path) -> None:
    """As files of their own, which processes import once more."""
    scripts = blocks("python.md", "python")
    for script in scripts:
        (tmp_path / "script.py").write_text(script, encoding="utf-8")
        here = os.environ | {"PYTHONPATH": str(PACKAGE.parent)}
        done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, env=here, capture_output=True, text=True)

        assert "" == done.stderr
        assert "Win rate by bot" in done.stdout
    assert len(scripts) == 1


def test_the_guide_tells_everything_that_can_be_asked() -> None:
    """Each name of the package, of a game and of a table."""
    text = PAGES["python.md"]
    raised = [name for name in grimalkin._HOMES if name != "open" and issubclass(getattr(grimalkin, name), Exception)]
    for name in raised:
        assert f"`grimalkin.{name}`" in text, name
    assert "`grimalkin.open`" in text
    for kind in (grimalkin.Game, grimalkin.Table):
        for name in vars(kind):
            if not name.startswith("_") and name not in ("given", "name"):
                assert re.search(rf"\b{name}\b", text), name
