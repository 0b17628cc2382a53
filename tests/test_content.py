"""Content: what files say becomes frozen models, and every mistake is told in one run with its line."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest
from games_for_tests import FILES, bundled_game, write_game
from no_hang import no_hang
from pydantic import ValidationError
from soak import sampled

from grimalkin.content import facts_in, load_game, prove
from grimalkin.content.schemas import schemas
from grimalkin.content.stocks import load_stocks
from grimalkin.problems import MOST_FOUND, Problems
from grimalkin.source import bundled_games, data_folder, find_game_folder

LONGEST_SUMMARY = 120


def load(folder: Path) -> tuple[object, list[str]]:
    problems = Problems()
    game = load_game(folder, problems)
    return game, [str(problem).replace(str(folder) + "/", "") for problem in problems]


def test_a_whole_game_has_no_problems(tmp_path: Path) -> None:
    """Counts, columns and numbers of rules are all there; cells are converted."""
    game, problems = load(write_game(tmp_path / "tiny"))

    assert [] == problems
    assert ["mouse", "owl"] == list(game.by_id)
    assert {"name": "Owl", "count": 1, "deck": "cards", "power": 7, "mood": None} == game.facts["components"]["owl"]
    assert {"TI-PLAY-1": "1.1", "TI-PLAY-2": "1.2"} == game.numbers


def test_what_a_part_finds_leaves_the_rest_of_the_game_as_it_is(tmp_path: Path) -> None:
    """Its facts are the same object: engines prepare a game once for each."""
    game, _ = load(write_game(tmp_path / "tiny"))
    facts = game.facts
    found = game.with_part("odds", 7)

    assert facts is found.facts
    assert {**game.parts, "odds": 7} == found.parts != game.parts
    assert game.scripts is found.scripts


@pytest.mark.parametrize("name", bundled_games())
def test_facts_are_the_same_without_the_rest_of_the_game(name: str) -> None:
    """Whoever asks an engine alone has all that it reads: lists, maps, scenarios and entries beside components."""
    problems = Problems()
    game = bundled_game(name)

    assert (game.engine, game.facts) == facts_in(game.folder, problems)
    assert not problems


def test_models_are_frozen(tmp_path: Path) -> None:
    """Nobody changes a game after it was read."""
    game, _ = load(write_game(tmp_path / "tiny"))

    with pytest.raises(ValidationError):
        game.info.title = "Other"


def changed(file: str, old: str, new: str) -> dict[str, str]:
    assert old in FILES[file]
    return {file.replace("/", "__").replace(".", "_"): FILES[file].replace(old, new)}


MISTAKES = {
    "unknown key": (
        changed("game.yaml", "tagline:", "taglin:"),
        ['game.yaml:2: unknown key "taglin"; did you mean "tagline"?'],
    ),
    "unknown key inside": (
        changed("game.yaml", "least: 1, most: 2", "leest: 1, most: 2"),
        [
            'game.yaml:4: unknown key "leest"; did you mean "least"?',
        ],
    ),
    "wrong type": (
        changed("game.yaml", "year: 2026", "year: soon"),
        ['game.yaml:6: year: "soon" is not a whole number'],
    ),
    "unknown word": (
        changed("game.yaml", "kind: card", "kind: cart"),
        ['game.yaml:15: decks.0.kind: "cart" is not known here; did you mean "card"?'],
    ),
    "bad colour": (
        changed("game.yaml", '"#aa0000"', "red"),
        [
            'game.yaml:11: palette.red: "red" is not well formed; write a colour as "#1d1a26", with the quotes: '
            "# begins a comment"
        ],
    ),
    "count differs": (
        changed("game.yaml", "count: 3", "count: 4"),
        [
            "cards.csv:1: the table has 3 pieces, but `count` in game.yaml is 4; change the counts in the table, or "
            "the "
            "count in game.yaml\n    game.yaml:17: the other place"
        ],
    ),
    "unknown column": (
        changed("cards.csv", "power,mood", "powr,mood"),
        ['cards.csv:1: the column "power" is missing; did you mean "powr"?'],
    ),
    "missing column": (
        {"cards_csv": "id,name,count,mood\nmouse,Mouse,2,calm\nowl,Owl,1,\n"},
        ['cards.csv:1: the column "power" is missing; known here: count, id, mood, name'],
    ),
    "cell out of range": (
        changed("cards.csv", "owl,Owl,1,7,", "owl,Owl,1,12,"),
        ['cards.csv:3: power: "12" is too large; it must be at most 9'],
    ),
    "cell not a number": (
        changed("cards.csv", "owl,Owl,1,7,", "owl,Owl,one,7,"),
        ['cards.csv:3: count: "one" is not a whole number'],
    ),
    "cell not a choice": (
        changed("cards.csv", "1,calm", "1,clam"),
        ['cards.csv:2: mood: "clam" is not known here; did you mean "calm"?'],
    ),
    "icon in a cell": (
        changed("cards.csv", "owl,Owl,", "owl,Owl :pawn:,"),
        ['cards.csv:3: the reference :pawn: leads nowhere; did you mean "paw"? (\\:pawn: prints the word)'],
    ),
    "half of an emphasis": (
        changed("rules.yaml", "Play a [[mouse]] or", "Play **a [[mouse]] or"),
        [
            'rules.yaml:7: the stars in "**a [[mouse]] or an [[" have no partners; '
            "write as many after the words as before; \\* prints a star"
        ],
    ),
    "id twice in a table": (
        changed("cards.csv", "owl,Owl", "mouse,Owl"),
        [
            'cards.csv:3: the id "mouse" is taken; give it another id\n    cards.csv:2: the other place',
            "rules.yaml:7: the reference [[owl]] leads nowhere; known here: TI-PLAY-1, TI-PLAY-2, mouse",
        ],
    ),
    "ids of one file": (
        changed("cards.csv", "owl,Owl", "Mouse,Owl"),
        [
            'cards.csv:3: the id "Mouse" differs from "mouse" only in capital letters; '
            "Windows and macOS treat both as one file; give it another id\n    cards.csv:2: the other place",
            "rules.yaml:7: the reference [[owl]] leads nowhere; known here: Mouse, TI-PLAY-1, TI-PLAY-2, mouse",
        ],
    ),
    "decks of one folder": (
        {
            "game_yaml": FILES["game.yaml"] + FILES["game.yaml"].partition("decks:\n")[2].replace("cards", "Cards"),
            "Cards.csv": FILES["cards.csv"].replace("mouse", "cat").replace("owl", "dog"),
        },
        [
            'cards.csv: this name is too similar to "Cards.csv"; Windows and macOS treat both as one file; rename it\n'
            "    Cards.csv: the other place",
            'game.yaml:23: the id "Cards" differs from "cards" only in capital letters; '
            "Windows and macOS treat both as one file; give it another id\n    game.yaml:13: the other place",
        ],
    ),
    "id twice in rules": (
        changed("rules.yaml", "id: TI-PLAY-2", "id: TI-PLAY-1"),
        ['rules.yaml:8: the id "TI-PLAY-1" is taken; give it another id\n    rules.yaml:5: the other place'],
    ),
    "foreign prefix": (
        changed("rules.yaml", "id: TI-PLAY-2", "id: XX-PLAY-2"),
        ['rules.yaml:8: the id "XX-PLAY-2" does not begin with "TI-"'],
    ),
    "reference to nothing": (
        changed("rules.yaml", "[[owl]]", "[[owls]]"),
        ['rules.yaml:7: the reference [[owls]] leads nowhere; did you mean "owl"?'],
    ),
    "term to nothing": (
        changed("rules.yaml", "[[=power]]", "[[=pover]]"),
        ['rules.yaml:10: the reference [[=pover]] leads nowhere; did you mean "power"?'],
    ),
    "icon to nothing": (
        changed("rules.yaml", "Play a [[mouse]] or an [[owl]].", "'Play a 2:paww: [[mouse]] or an [[owl]].'"),
        ['rules.yaml:7: the reference :paww: leads nowhere; did you mean "paw"? (\\:paww: prints the word)'],
    ),
    "no such table": (
        changed("game.yaml", "file: cards.csv", "file: card.csv"),
        [
            'game.yaml:16: there is no file "card.csv"; did you mean "cards.csv"?',
        ],
    ),
    "no such example to begin with": (
        changed("game.yaml", "decks:", "best-examples: [TI-EX-7]\ndecks:"),
        ['game.yaml:12: there is no example "TI-EX-7"; examples are in examples/*.yaml'],
    ),
    "no such stock": (
        changed("game.yaml", "stock: poker", "stock: pokker"),
        ['game.yaml:18: there is no stock "pokker"; did you mean "poker"?'],
    ),
    "least above most": (
        changed("game.yaml", "players: {least: 1, most: 2}", "players: {least: 5, most: 2}"),
        ["game.yaml:4: players: `least` is 5, more than `most`, 2"],
    ),
    "a choice without words": (
        changed("game.yaml", "choices: [calm, cross], ", ""),
        [
            "game.yaml:22: decks.0.columns.mood: "
            'a column of the type "choice" needs `choices`, and no other column may have it'
        ],
    ),
    "a column with a taken name": (
        changed("game.yaml", "power: {type", "count: {type"),
        ['game.yaml:21: decks.0.columns.count: a column of your own cannot be called "count": the name is taken'],
    ),
    "a file that nobody reads": (
        {"rulez.yaml": "sections: []"},
        ['rulez.yaml: nothing reads this file; did you mean "rules.yaml"?'],
    ),
    "an example in the wrong place": (
        {"examples/one.yml": "examples: []"},
        ["examples/one.yml: nothing reads this; this folder is for files that end in .yaml"],
    ),
    "a term written as a rule": (
        changed("rules.yaml", "[[=power]]", "[[power]]"),
        ["rules.yaml:10: the reference [[power]] leads nowhere; write a term as [[=power]]"],
    ),
    "too many copies": (
        changed("cards.csv", "owl,Owl,1,7,", "owl,Owl,200000,7,"),
        ['cards.csv:3: count: "200000" is too large; it must be at most 10000'],
    ),
    "tabs for commas": (
        {"cards_csv": FILES["cards.csv"].replace(",", "\t")},
        [],
    ),
    "an empty list": (
        {"rules_yaml": "sections: []\n"},
        ["rules.yaml:1: sections: 0 written, at least 1 needed"],
    ),
    "a list where a mapping belongs": (
        {"rules_yaml": "- one\n- two\n"},
        ["rules.yaml:1: the file: a list is written where a mapping should be; write it as {sections: …}"],
    ),
    "text where a list belongs": (
        {"terms_yaml": "terms: none\n"},
        [
            'terms.yaml:1: terms: "none" is written where a list should be; write it as [one, two], or begin '
            "each item with a hyphen",
        ],
    ),
    "several files at once": (
        {**changed("game.yaml", "count: 3", "count: 5"), **changed("rules.yaml", "[[owl]]", "[[elk]]")},
        [
            "cards.csv:1: the table has 3 pieces, but `count` in game.yaml is 5; change the counts in the table, or "
            "the "
            "count in game.yaml\n    game.yaml:17: the other place",
            "rules.yaml:7: the reference [[elk]] leads nowhere; known here: TI-PLAY-1, TI-PLAY-2, mouse, owl",
        ],
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told_with_place_and_remedy(tmp_path: Path, name: str) -> None:
    """All of them in one run; nothing else is told."""
    changes, expected = MISTAKES[name]
    _, problems = load(write_game(tmp_path / "tiny", **changes))

    assert sorted(expected) == sorted(problems)


@pytest.mark.parametrize("name", ["search", "My Game", "a#b"])
def test_a_folder_name_must_fit_the_site(tmp_path: Path, name: str) -> None:
    """It becomes part of addresses, and must not fall into a folder of the site."""
    _, problems = load(write_game(tmp_path / name))

    assert any(f'a game folder cannot be called "{name}"' in problem for problem in problems)


def test_a_missing_game_file_is_one_problem(tmp_path: Path) -> None:
    """Without game.yaml nothing else is looked at."""
    game, problems = load(tmp_path)

    assert game is None
    assert ["game.yaml: there is no such file"] == problems


@pytest.mark.slow("reads a whole game")
@pytest.mark.parametrize("name", bundled_games())
def test_bundled_games_are_whole(name: str) -> None:
    """Every game that comes along reads without a problem; one that is played has examples and playthroughs."""
    game, problems = load(find_game_folder(name))

    assert [] == problems
    assert game.sections and game.terms
    assert (game.examples and game.playthroughs) or game.module is None


@pytest.mark.parametrize("name", bundled_games())
def test_lines_of_rules_and_questions_of_examples(name: str) -> None:
    """A game with one line for a rule has one for each, short and more than its title; no question is asked twice."""
    game = bundled_game(name)
    rules = [rule for section in game.sections for rule in section.rules]
    lines = {rule.id: rule.summary for rule in rules if rule.summary is not None}
    asked = {example.id: example.question for example in game.examples if example.question is not None}

    assert not lines or [] == [rule.id for rule in rules if rule.id not in lines]
    assert {} == {rule: line for rule, line in lines.items() if len(line) > LONGEST_SUMMARY}
    assert [] == [rule.id for rule in rules if rule.summary == rule.title]
    assert {} == {example: question for example, question in asked.items() if not question.endswith("?")}
    assert [] == [question for question, times in Counter(asked.values()).items() if times > 1]


@pytest.mark.slow("makes the schemas of all games")
def test_schemas_are_current() -> None:
    """The files that editors use are the ones that the models give; `grimalkin schema` renews them."""
    problems = Problems()
    games = {name: load_game(find_game_folder(name), problems) for name in bundled_games()}
    made = schemas(games)
    folder = data_folder("content") / "schemas"
    written = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.json")}

    assert made == written


def test_every_content_file_names_its_schema() -> None:
    """The first line of each YAML file leads an editor to a schema that is there."""
    templates = data_folder("templates")
    shared = (path for kind in ("stocks", "papers", "shops") for path in templates.glob(f"{kind}/*"))
    for path in [*data_folder("content").glob("**/*.yaml"), *shared]:
        first = path.read_text(encoding="utf-8").split("\n")[0]
        prefix = "# yaml-language-server: $schema="

        assert first.startswith(prefix), path
        assert (path.parent / first.removeprefix(prefix)).resolve().is_file(), path


@pytest.fixture
def variant(tmp_path: Path) -> Path:
    """A game of another name with the components, rules and examples of Werecats, played by its engine."""
    folder = tmp_path / "my-cats"
    shutil.copytree(data_folder("content") / "werecats", folder)
    game = folder / "game.yaml"
    game.write_text(game.read_text("utf-8") + "engine: werecats\n", "utf-8")
    return folder


def told(folder: Path) -> list[str]:
    problems = Problems()
    prove(folder, problems)
    return [str(problem) for problem in problems]


def test_a_variant_is_played_by_the_engine_it_names(variant: Path) -> None:
    """All of its examples are replayed."""
    problems = Problems()
    proved = prove(variant, problems)

    assert not problems
    assert proved is not None
    assert all(trace.ok for trace in proved[1].values())


def test_parts_that_no_position_counts_are_a_problem(variant: Path) -> None:
    """A game falls into what its engine counts; what lies somewhere is no number."""
    game = variant / "game.yaml"
    text = game.read_text("utf-8")
    heard = []
    for key in ("rond", "city"):
        game.write_text(text.replace("key: round", f"key: {key}"), "utf-8")
        heard += [line.partition("game.yaml:")[2].partition(" ")[2] for line in told(variant)]

    assert 'positions of this game have no number "rond"; did you mean "round"?' == heard[0]
    assert 'positions of this game have no number "city"; known here: meal, round' == heard[1]


def test_an_engine_that_is_not_there_is_a_problem(variant: Path) -> None:
    """With a hint at the nearest."""
    game = variant / "game.yaml"
    game.write_text(game.read_text("utf-8").replace("engine: werecats", "engine: werecat"), "utf-8")
    (problem,) = [line for line in told(variant) if 'no engine "' in line]

    assert 'there is no engine "werecat"; did you mean "werecats"?' in problem


def test_components_that_the_engine_cannot_use_are_told_once_at_their_row(variant: Path) -> None:
    """The heir, who shares 49 with Tom, has lost the red border; 148 scripts would stumble over it."""
    table = variant / "villagers.csv"
    rows = table.read_text("utf-8").split("\n")
    (line,) = [number for number, row in enumerate(rows) if row.startswith("heir,")]
    rows[line] = rows[line].replace(",yes,", ",no,")
    table.write_text("\n".join(rows), "utf-8")
    (problem,) = [text for text in told(variant) if "simulat" not in text]

    assert "werecats.csv:5: tom: heir has Turn Order 49 with the same border" in problem


def test_a_row_that_cannot_be_read_is_not_drowned(variant: Path) -> None:
    """Nothing is said of rules without examples when the examples could not be replayed."""
    table = variant / "villagers.csv"
    table.write_text(table.read_text("utf-8").replace(",ruby,", ",rubin,", 1), "utf-8")

    assert not [text for text in told(variant) if "no checked example" in text]
    assert [text for text in told(variant) if '"rubin"' in text]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"rules.yaml": FILES["rules.yaml"].replace("See [[", "x" * 20_000 + " [[")},
            "the text has 20,039 characters; at most 10,000",
        ),
        (
            {"game.yaml": FILES["game.yaml"].replace("title: Tiny", f"title: {'x' * 2000}")},
            "the text has 2,000 characters; at most 1,000",
        ),
        (
            {"cards.csv": "id,name,count,power,mood\n" + "".join(f"c{n},N,10000,1,\n" for n in range(9))},
            "the game has 90,000 pieces; at most 50,000",
        ),
        (
            {"cards.csv": "id,name,count,power,mood\n" + "c,N,1,1,\n" * 50_002},
            "cards.csv:50002: the table has more than 50,000 rows",
        ),
        ({"game.yaml": FILES["game.yaml"] + f"{'k' * 900}: 1\n"}, f'unknown key "{"k" * 200}…"'),
    ],
)
def test_what_is_too_much_is_told(tmp_path: Path, changes: dict[str, str], told: str) -> None:
    """Texts, tables and boxes have bounds, so that no game takes for ever; and so have messages."""
    problems = Problems()
    load_game(write_game(tmp_path / "tiny", **changes), problems)

    assert any(told in str(problem) for problem in problems), [str(one)[:300] for one in problems]
    assert all(len(str(problem)) < 1_000 for problem in problems)


@pytest.mark.slow("thousands of faults")
@sampled("kind", ["choices", "references", "keys", "long words"], 2)
def test_many_faults_are_soon_told(tmp_path: Path, kind: str) -> None:
    """What was meant is looked for among a bounded number of words, and for as many faults as anybody reads."""
    files = dict(FILES)
    if kind == "choices":
        words = ", ".join(f"place-number-{n}" for n in range(3000))
        files["game.yaml"] = (
            files["game.yaml"].replace("[calm, cross]", f"[{words}]").replace("count: 3", "count: 3000")
        )
        files["cards.csv"] = "id,name,count,power,mood\n" + "".join(
            f"c{n},N,1,1,plaxe-nombar-{n}\n" for n in range(3000)
        )
    elif kind == "references":
        files["cards.csv"] = "id,name,count,power,mood\n" + "".join(
            f"card-number-{n},[[cord-namber-{n}]],1,1,\n" for n in range(3000)
        )
    elif kind == "keys":
        files["game.yaml"] += "".join(f"kay{n}: 1\n" for n in range(100_000))
    else:
        word = "".join(map(chr, range(0x4E00, 0x4E00 + 900)))
        files["terms.yaml"] = (
            f"terms:\n  - {{id: power, name: power, text: T}}\n  - {{id: {'ab' * 400}, name: N, text: T}}\n"
        )
        files["rules.yaml"] = files["rules.yaml"].replace("[[=power]]", f"[[={word}]] [[={'ba' * 400}]]")
    problems = Problems()
    with no_hang():
        load_game(write_game(tmp_path / "tiny", **files), problems)

    assert problems
    assert len(problems.found) < 2 * MOST_FOUND


def test_a_stock_has_room_within_its_safe_area(tmp_path: Path) -> None:
    """One of 30 × 40 mm whose texts stay 15 mm inside of the cut has none."""
    stock = "name: Odd\nshape: rectangle\nwidth: 30\nheight: 40\nsafe: 15\n"
    problems = Problems()
    load_stocks(write_game(tmp_path / "tiny", **{"stocks/odd.yaml": stock}), problems)

    assert ["with `safe: 15`, nothing is left inside the safe area"] == [one.message for one in problems]
