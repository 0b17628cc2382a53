"""What `--only` asks for: ids, decks, and what is written in a column."""

from __future__ import annotations

from pathlib import Path

import pytest
from games_for_tests import FILES, write_game

from grimalkin.cli.printables import chosen
from grimalkin.content import Game, load_game
from grimalkin.problems import Problems, Stop

SIGNS = """\
  - id: signs
    name: Signs
    kind: card
    file: signs.csv
    count: 1
    stock: tarot
    faces: {front: plain}
    columns: {power: {type: whole, label: power, least: 1, most: 9}, is-loud: {type: yes-no, label: loud}}
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """The mouse (power 1, calm), the owl (power 7, no mood) and a sign (power 1, loud, tarot)."""
    folder = write_game(tmp_path / "tiny", game_yaml=FILES["game.yaml"] + SIGNS)
    (folder / "signs.csv").write_text("id,name,power,is-loud\nsign,Sign,1,yes\n", encoding="utf-8")
    problems = Problems()
    game = load_game(folder, problems)

    assert game is not None and not problems, list(problems)
    return game


@pytest.mark.parametrize(
    ("only", "ids"),
    [
        ("", ""),
        ("sign,mouse", "mouse sign"),
        ("cards", "mouse owl"),
        ("power=1", "mouse sign"),
        ("POWER!=1", "owl"),
        ("mood!=calm", "owl sign"),
        ("mood=", "owl"),
        ("power=1,power=7", "mouse owl sign"),
        ("cards,power=1", "mouse"),
        ("power=1,power=7,stock!=poker", "sign"),
        ("is_loud=Yes", "sign"),
        ("name=the  owl,name=OWL", None),
    ],
)
def test_rows_are_chosen(game: Game, only: str, ids: str | None) -> None:
    """Ids and decks add up; conditions narrow, those on one column with = being alternatives."""
    asked = [one for one in only.split(",") if one]
    if ids is None:
        with pytest.raises(Stop, match='no card has "the owl" in the column "name"'):
            chosen(game, asked)
    else:
        assert ids.split() == chosen(game, asked)


@pytest.mark.parametrize(
    ("only", "told"),
    [
        ("owll", 'there is no card or deck "owll"; did you mean "owl"?'),
        ("mod=calm", 'no deck has a column "mod"; did you mean "mood"?'),
        ("mood=clam", 'no card has "clam" in the column "mood"; did you mean "calm"?'),
        ("power!=8", 'no card has "8" in the column "power"; known here: 1, 7'),
        ("power>=3", '"power>=3" is not a condition; write COLUMN=VALUE or COLUMN!=VALUE'),
        ("power>3", 'there is no card or deck "power>3"; write COLUMN=VALUE or COLUMN!=VALUE'),
        ("owl,power=1", 'no card fits all of "owl,power=1"; leave out one of the conditions'),
    ],
)
def test_what_means_nothing_is_told(game: Game, only: str, told: str) -> None:
    with pytest.raises(Stop) as stop:
        chosen(game, only.split(","))

    assert [f"--only: {told}"] == [str(problem) for problem in stop.value.problems]
