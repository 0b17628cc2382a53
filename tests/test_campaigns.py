"""Campaigns in files: played, saved and read again they are the same; nothing that goes wrong loses an answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from no_hang import no_hang
from toy_campaign import toy

from grimalkin.cli import main
from grimalkin.engine.chance import ChanceError
from grimalkin.engine.saved import FORMAT, MOST_STEPS, as_saved, as_yaml, format_of, migrated, saved_shape, text_of
from grimalkin.engine.shape import Misfits
from grimalkin.engine.words import Refused
from grimalkin.play.campaign import Going, begun, follow
from grimalkin.play.campaign import file as files
from grimalkin.play.campaign.file import alone, open_file, write, write_new
from grimalkin.problems import Place, Problems, Stop
from grimalkin.source import data_folder, parse_yaml

SEATS = ["Ada", "Basil"]
TOLD = sorted(data_folder("content").glob("*/campaigns/*.yaml"))
OF_EVERY_FORMAT = sorted((Path(__file__).parent / "campaigns").glob("format-*/*.yaml"))


@pytest.fixture(autouse=True)
def the_toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The toy is found by its name, in an empty folder."""
    real = files.open_game

    def opened(name: str) -> Any:
        return toy() if name == "toy" else real(name)

    monkeypatch.setattr("grimalkin.play.campaign.file.open_game", opened)
    monkeypatch.setattr("grimalkin.play.table.open_game", opened)
    monkeypatch.chdir(tmp_path)


def play_on(going: Going, choices: list[int]) -> None:
    """Some of what may be done, one after the other."""
    for choice in choices:
        if going.playing:
            legal = going.playing.state.legal()
            going.answer(str(legal[choice % len(legal)]), seed=choice)
        elif choice % 5 == 0 and any(chapter.rests for chapter in going.chapters()):
            going.rest(f"home {len(going.past)}")
        elif choice % 7 == 0 and going.safehavens():
            going.restore([*going.safehavens()][-1])
        elif choice % 11 == 0 and going.chapters():
            going.tell(going.chapters()[-1].id, False, {**going.kept, "taken": {"Ada": 9, "Basil": choice}})
        elif going.chapters():
            going.begin(seed=choice)


def won_evening(game: Any = None) -> Going:
    """A campaign whose first evening was won."""
    for seed in range(50):
        going = begun(game or toy(), SEATS, {})
        going.begin(seed=seed)
        while going.playing:
            going.answer(str(going.playing.state.legal()[-1]), seed=seed)
        if going.past[-1].ended == "won":
            return going
    raise AssertionError("nobody ever wins")


def saved_as(name: str, going: Going) -> Path:
    write_new(Path(name), going.saved)
    return Path(name)


def faults(path: Path) -> list[str]:
    """What is told about a file."""
    try:
        return list(map(str, open_file(path).faults()))
    except Stop as stop:
        return list(map(str, stop.problems))


def changed(path: Path, old: str, new: str) -> Path:
    text = path.read_text("utf-8")
    assert old in text, text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


# What is written is read


@pytest.mark.slow("reads a whole game")
@given(
    st.recursive(
        st.text() | st.integers() | st.booleans(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=12,
    )
)
def test_whatever_is_written_is_read_the_same(value: Any) -> None:
    """As text, which is what YAML is read as; no text is so odd that it comes back changed."""
    problems = Problems()
    source = parse_yaml(as_yaml({"a": value, "b": [value, {"draw": {"c": ["d"]}}]}).encode(), Path("t"), problems)

    assert list(problems) == []
    assert source is not None
    assert source.data == {"a": _texts(value), "b": [_texts(value), {"draw": {"c": ["d"]}}]}


def _texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _texts(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_texts(inner) for inner in value]
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


@given(choices=st.lists(st.integers(1, 50), max_size=50))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_campaign_that_was_saved_is_the_same(choices: list[int], tmp_path_factory: pytest.TempPathFactory) -> None:
    """Kept, chapters, state, and what is written when it is written again."""
    going = begun(toy(), SEATS, {"pace": "slow", "friends": ["Zoë: a: b", "no"]})
    play_on(going, choices)
    path = saved_as(str(tmp_path_factory.mktemp("saved") / "c.yaml"), going)
    again = open_file(path).going

    assert again.fault == []
    assert again.remarks == []
    assert (again.kept, again.past, again.saved) == (going.kept, going.past, going.saved)
    assert (again.playing is None) == (going.playing is None)
    if again.playing and going.playing:
        assert again.playing.state.key() == going.playing.state.key()
    assert text_of(again.saved) == path.read_text("utf-8")


@given(choices=st.lists(st.integers(1, 50), min_size=1, max_size=40))
@settings(max_examples=40, deadline=None)
def test_undoing_goes_back_the_way_that_was_come(choices: list[int]) -> None:
    """Each undo gives the file as it was before; what is drawn for an answer goes with it."""
    going = begun(toy(), SEATS, {})
    texts = [text_of(going.saved)]
    for choice in choices:
        play_on(going, [choice])
        if text_of(going.saved) != texts[-1]:
            texts.append(text_of(going.saved))
    for text in reversed(texts[:-1]):
        going = follow(toy(), going.undone())
        assert text_of(going.saved) == text
    with pytest.raises(Misfits, match="nothing has happened yet"):
        going.undone()


def test_undo_can_take_a_whole_chapter() -> None:
    """With all its answers."""
    going = won_evening()

    assert going.undone(whole=True).chapters == ()


@pytest.mark.slow("reads a whole game")
@pytest.mark.parametrize("path", OF_EVERY_FORMAT, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_files_of_every_format_are_read(path: Path) -> None:
    """Each that was ever written by some Grimalkin, to its end."""
    opened = open_file(path)

    assert opened.faults() == []
    assert opened.going.past


def test_every_format_has_a_file() -> None:
    """Whoever raises the format leaves one of the format before."""
    assert {f"format-{number}" for number in range(1, FORMAT + 1)} == {path.parent.name for path in OF_EVERY_FORMAT}


# Safehavens


def test_a_safehaven_is_gone_back_to() -> None:
    """Even in the middle of a chapter; the way there stays written."""
    going = won_evening()
    going.rest("home")
    kept = going.kept
    going.begin(seed=1)
    going.answer(str(going.playing.state.legal()[0]) if going.playing else "", seed=1)
    going.restore("home")
    again = follow(toy(), going.saved)

    assert (again.kept, again.fault, again.playing) == (kept, [], None)
    assert [past.ended for past in again.past] == ["won", "", "given up", ""]


def test_nothing_is_kept_before_anything_is_won() -> None:
    """The rule that says so is named."""
    going = begun(toy(), SEATS, {})
    with pytest.raises(Misfits, match="TOY-4, Toy rule 4"):
        going.rest("home")

    assert going.saved.chapters == ()


def test_what_a_safehaven_keeps_is_what_was_played() -> None:
    """Whoever changes it by hand is told the line, and both values."""
    going = won_evening()
    going.rest("home")
    path = changed(saved_as("c.yaml", going), "won: [first]\n      proud", "won: [first, second]\n      proud")
    line = path.read_text("utf-8").splitlines().index("      won: [first, second]") + 1
    (told,) = faults(path)

    assert told.startswith(f'c.yaml:{line}: chapters.1.kept.won: won is "first, second" here, but the answers')


def test_where_rules_have_changed_the_safehaven_counts() -> None:
    """It does not agree with its answers any more, and that is told."""
    going = won_evening(toy("0.9"))
    going.rest("home")
    path = changed(saved_as("c.yaml", going), "won: [first]\n      proud", "won: [second]\n      proud")
    opened = open_file(path)

    assert opened.faults() == []
    assert opened.going.kept["won"] == ["second"]
    assert [
        "the rules were 0.9 then, so the Safehaven counts",
        "the rules of 0.9 were not kept, so the changes are unknown",
    ] == [one.hint for one in opened.going.remarks]


def test_what_cannot_be_followed_before_a_safehaven_keeps_nobody_from_going_on() -> None:
    """It is told, with its line, and stays in the file."""
    going = won_evening()
    going.rest("home")
    going.begin(seed=3)
    path = saved_as("c.yaml", going)
    first = next(line for line in path.read_text("utf-8").splitlines() if "Ada:" in line)
    changed(path, first, "      - Ada: nonsense")
    opened = open_file(path)

    assert opened.faults() == []
    assert opened.going.playing is not None
    (told,) = map(str, map(opened.problem, opened.going.remarks))
    assert '"nonsense" is not a list of cards; this cannot be followed, so the campaign goes on from "home"' in told
    assert [past.ended for past in opened.going.past] == ["unknown", "", "under way"]
    assert "nonsense" in text_of(opened.going.saved)


def test_what_cannot_be_followed_is_left_by_going_back() -> None:
    """The broken chapter stays written, and the campaign goes on from the Safehaven."""
    going = won_evening()
    going.rest("home")
    kept = going.kept
    going.begin(seed=3)
    going.answer(str(going.playing.state.legal()[0]) if going.playing else "")
    path = saved_as("c.yaml", going)
    last = path.read_text("utf-8").splitlines()[-1]
    changed(path, f"{last}\n", "      - Ada: nonsense\n")
    opened = open_file(path)
    assert ['c.yaml:32: chapters.2.record.1.Ada: "nonsense" is not a list of cards'] == [
        told.replace(told.split(":")[1], "32") for told in faults(path)
    ]
    opened.going.restore("home")
    write(opened, opened.going.saved)
    again = open_file(path)

    assert again.faults() == []
    assert again.going.kept == kept
    assert "nonsense" in path.read_text("utf-8")


# On paper


def test_what_was_played_on_paper_is_told() -> None:
    """Its end counts like one that was played here."""
    going = begun(toy(), SEATS, {})
    going.tell("first", True, {"taken": {"Ada": "7", "Basil": "2"}, "won": ["first"]})

    assert going.kept == {"taken": {"Ada": 7, "Basil": 2}, "won": ["first"]}
    assert [chapter.id for chapter in going.chapters()] == ["second"]
    assert follow(toy(), going.saved).kept == going.kept


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        ({"taken": {}, "wonn": []}, 'unknown key "wonn"'),
        ({"taken": {"Ada": "61"}, "won": []}, "these are too many cards"),
    ],
)
def test_what_is_told_must_be_possible(kept: dict[str, Any], told: str) -> None:
    """By its shape, and by what the game says of it; nothing has happened otherwise."""
    going = begun(toy(), SEATS, {})
    for do in (lambda: going.tell("first", True, kept), lambda: going.correct("a slip", kept)):
        with pytest.raises(Misfits, match=told):
            do()

    assert going.saved.chapters == ()
    with pytest.raises(Misfits, match='"third" cannot be played now'):
        going.tell("third", True, going.kept)


def test_a_record_is_taken_in() -> None:
    """Steps of a playthrough: what they do not draw is drawn, remarks stay, and the same file comes of it again."""
    going = begun(toy(), SEATS, {})
    cards = {"draw": {"card": ["9", "8", "1", "2"]}}
    count = going.take_in([cards, {"say": "Here we go."}, {"Ada": "8"}, {"Basil": "1"}], seed=1)

    assert count == 2
    text = text_of(going.saved)
    assert '      - draw: {card: ["9", "8", "1", "2"]}\n      - say: Here we go.\n      - Ada: "8"\n' in text
    assert text_of(follow(toy(), going.saved).saved) == text
    with pytest.raises(Misfits, match="out of turn: Ada is to act"):
        going.take_in([{"Basil": "2"}], seed=1)


# Answers


def test_a_refused_answer_changes_nothing() -> None:
    """Nor does one whose draws cannot come."""
    going = begun(toy(), SEATS, {})
    going.begin(draws={"card": ["1", "2", "3", "4"]}, seed=1)
    before = text_of(going.saved)
    with pytest.raises(Refused, match="TOY-1"):
        going.answer("9", seed=1)
    with pytest.raises(Exception, match="draws nothing"):
        going.answer("1", {"card": "9"}, seed=1)

    assert text_of(going.saved) == before
    assert going.playing is not None
    assert going.playing.state.to_act() == 0


@pytest.mark.slow("reads a whole game")
def test_what_is_said_to_come_comes_and_the_rest_is_drawn() -> None:
    """Whatever is drawn before it under another label; what never comes is told."""
    cats = files.open_game("cats-of-new-orleans")
    going = begun(cats, SEATS, {"heroes": ["patch", "minou"]})
    going.begin(draws={"poker": "2-of-hearts"}, seed=1)
    steps = going.saved.chapters[-1]["record"]

    assert ["marker", "poker"] == [next(iter(step["draw"])) for step in steps]
    assert going.playing is not None
    with pytest.raises(ChanceError, match='draws nothing for "loot"'):
        going.answer("to c2", {"loot": "derringer"}, seed=1)
    assert going.saved.chapters[-1]["record"] == steps


def test_a_seed_gives_the_same_again_and_not_each_time_the_same() -> None:
    """Whoever asks with one seed for all answers does not play with a deck that gives the same each time."""
    texts = set()
    for _ in range(2):
        going = begun(toy(), SEATS, {})
        for _ in range(3):
            going.begin(seed="x")
            while going.playing:
                going.answer(str(going.playing.state.legal()[-1]), seed="x")
        texts.add(text_of(going.saved))
    deals = {str(entry["record"][0]) for entry in going.saved.chapters}

    assert len(texts) == 1
    assert len(deals) == 3


def draws_in(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if "draw:" in line]


def test_the_luck_of_a_file_stays_through_undo(capsys: pytest.CaptureFixture[str]) -> None:
    """The same seed and answers give the same evening; what was undone is drawn again, unless other luck is wanted."""
    for name in ("a.yaml", "b.yaml"):
        for line in ("new {} toy Ada Basil", "begin {} --seed 7"):
            assert 0 == run(capsys, *line.format(name).split())[0]
        while open_file(Path(name)).going.playing:
            going = open_file(Path(name)).going
            assert going.playing is not None
            before = Path(name).read_bytes()
            answer = str(going.playing.state.legal()[0])
            run(capsys, "play", name, answer)
            after = Path(name).read_bytes()
            if name == "b.yaml":
                run(capsys, "undo", name)
                assert before == Path(name).read_bytes()
                run(capsys, "play", name, answer)
                assert after == Path(name).read_bytes()
    assert Path("a.yaml").read_bytes() == Path("b.yaml").read_bytes()

    first = draws_in(Path("a.yaml"))
    run(capsys, "undo", "a.yaml", "--chapter", "--other-luck")
    assert [] == draws_in(Path("a.yaml"))
    run(capsys, "begin", "a.yaml")
    assert first[:1] != draws_in(Path("a.yaml"))[:1]


@pytest.mark.slow("reads a whole game")
def test_a_campaign_prints_how_much_was_drawn_and_not_what(capsys: pytest.CaptureFixture[str]) -> None:
    """Two mosquitos lie face down (NO-SET-8): no line says so, and the file keeps it."""
    run(capsys, "new", "c.yaml", "cats-of-new-orleans", "Ada", "Basil", "--option", "heroes=[patch, minou]")
    _, said = run(capsys, "begin", "c.yaml", "--seed", "7")

    assert "  drawn: 2 × marker, 1 × poker\n" in said
    assert "mosquito" not in said
    assert "marker-bayou-mosquito" in Path("c.yaml").read_text()


@pytest.mark.slow("reads a whole game")
def test_a_file_of_older_rules_names_what_has_changed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Version 1.1 of The Cats was kept; the words of NO-SCN-4 have changed since, those of NO-SET-4 have not."""
    monkeypatch.setattr(files, "MOST_NAMED", 1000)
    run(capsys, "new", "c.yaml", "cats-of-new-orleans", "Ada", "Basil", "--option", "heroes=[patch, minou]")
    changed(Path("c.yaml"), 'rules: "1.2"', 'rules: "1.1"')
    code, said = run(capsys, "status", "c.yaml")
    (remark,) = [line for line in said.splitlines() if line.startswith("remark: ")]

    assert 0 == code
    assert (
        "c.yaml:5: rules: the rules were 1.1 when this file was written, but are 1.2 now; changed or new since: "
        in remark
    )
    assert "NO-SCN-4," in remark and "NO-SET-4," not in remark


def test_a_file_of_newer_rules_is_left_alone() -> None:
    going = won_evening(toy("1.10"))
    path = saved_as("c.yaml", going)
    before = path.read_bytes()

    assert [told for told in faults(path) if "under rules 1.10, but" in told and "the file was not changed" in told]
    assert before == path.read_bytes()


def test_undo_of_a_chapter_that_cannot_be_followed_takes_the_answer_alone() -> None:
    """Its first answer is no move any more: the hands that were dealt stay."""
    going = begun(toy(), SEATS, {})
    going.begin(seed=1)
    assert going.playing is not None
    dealt = going.saved.chapters[-1]["record"]
    answer = str(going.playing.state.legal()[0])
    going.answer(answer, seed=1)
    broken = follow(toy(), replace(going.saved, chapters=with_answer(going.saved.chapters, "nonsense")))

    assert broken.fault
    assert dealt == broken.undone().chapters[-1]["record"]


def with_answer(chapters: Sequence[Any], line: str) -> tuple[Any, ...]:
    """The same chapters, the last answer another."""
    *others, last = chapters
    *steps, (answer) = last["record"]
    return (*others, {**last, "record": [*steps, dict.fromkeys(answer, line)]})


# Files


def test_the_last_five_files_stay() -> None:
    """The last one as .1, and none is lost while one command writes several times."""
    path = saved_as("c.yaml", begun(toy(), SEATS, {}))
    texts = [path.read_bytes()]
    going = open_file(path).going
    going.begin(seed=1)
    write(open_file(path), going.saved)
    for _ in range(7):
        texts.insert(0, path.read_bytes())
        opened = open_file(path)
        play_on(opened.going, [3])
        write(opened, opened.going.saved)

    assert [Path(f"c.yaml.{n}").read_bytes() for n in range(1, 6)] == texts[:5]
    assert not Path("c.yaml.6").exists()


@pytest.mark.parametrize("step", range(14))
def test_whoever_is_stopped_while_writing_loses_nothing(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """After any number of steps on the disk the file is the old one or the new one, and the old one is somewhere."""
    going = won_evening()
    path = saved_as("c.yaml", going)
    for count in range(1, 6):
        Path(f"c.yaml.{count}").write_text(f"older {count}")
    old = path.read_bytes()
    opened = open_file(path)
    opened.going.begin(seed=1)
    left = step

    def counted(real: Any) -> Any:
        def call(self: Path, *given: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
            return real(self, *given, **named)

        return call

    with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
        for name in ("replace", "open", "touch"):
            patch.setattr(Path, name, counted(getattr(Path, name)))
        write(opened, opened.going.saved)

    assert path.read_bytes() in (old, text_of(opened.going.saved).encode())
    assert old in [Path(name).read_bytes() for name in ("c.yaml", "c.yaml.1") if Path(name).exists()]


def test_a_file_that_was_changed_meanwhile_is_not_written_over() -> None:
    """An editor does not know of our locks."""
    path = saved_as("c.yaml", begun(toy(), SEATS, {}))
    opened = open_file(path)
    opened.going.begin(seed=1)
    path.write_bytes(path.read_bytes() + b"# mine\n")
    with pytest.raises(Stop, match="changed since it was read"):
        write(opened, opened.going.saved)

    assert path.read_bytes().endswith(b"# mine\n")


def test_a_new_campaign_writes_over_nothing() -> None:
    """Whatever the file is."""
    Path("c.yaml").write_text("mine")
    with pytest.raises(Stop, match="this file already exists"):
        saved_as("c.yaml", begun(toy(), SEATS, {}))


def test_a_newer_format_is_refused_and_stays() -> None:
    """Nothing is written, whatever is asked for."""
    path = changed(saved_as("c.yaml", begun(toy(), SEATS, {})), "format: 1", "format: 2")
    before = path.read_bytes()

    assert faults(path) == [
        "c.yaml:3: this file has format 2, but this Grimalkin reads formats only up to 1; "
        "use a newer Grimalkin; the file was not changed"
    ]
    assert main(["campaign", "undo", "c.yaml"]) == 1
    assert path.read_bytes() == before
    assert not Path("c.yaml.1").exists()


def test_an_older_format_is_taken_on_step_by_step() -> None:
    """Each step knows two formats, and the number is raised for it."""
    steps = {1: lambda record: {**record, "one": "1"}, 2: lambda record: {**record, "two": record["one"]}}

    assert migrated({"format": "1"}, 1, steps) == {"format": "3", "one": "1", "two": "1"}
    assert format_of({"format": "2"}, Place("c"), newest=3) == 2


def test_a_file_of_an_older_format_stays_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside those that make place for newer ones."""
    path = saved_as("c.yaml", begun(toy(), SEATS, {}))
    old = path.read_bytes()
    monkeypatch.setattr(files, "FORMAT", 2)
    opened = open_file(path)
    opened.format = 1
    opened.going.begin(seed=1)
    write(opened, opened.going.saved)

    assert Path("c.yaml.format-1").read_bytes() == old


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "format: 1",
            "format: one",
            'c.yaml:3: format: "one" is not a format of campaign files; the current one is format: 1',
        ),
        (
            "game: toy",
            "game: ../toy",
            "is not the name of a game; `grimalkin games` lists games; use --game for a folder",
        ),
        ("seats: [Ada, Basil]", "seats: [Ada, draw]", 'a seat cannot be called "draw"'),
        ("seats: [Ada, Basil]", "seats: [Ada]", "1 cannot play; 2 or 3 can"),
        ("chapters:", "chapter:", 'unknown key "chapter"; did you mean "chapters"?'),
        ("- play: first", "- plays: first", 'nothing says what happened here; did you mean "play"?'),
        ("- play: first", "- play: fist", '"fist" cannot be played now; did you mean "first"?'),
        ("- Ada:", "- Eda:", '"Eda: '),
        ("- Ada:", "- draw:", "a draw must name one label and the items drawn"),
        ("draw: {card", "draw: {cart", 'the script draws "cart", but the game draws "card"'),
        ("draw: {card: [", "draw: {card: [17, ", '"17" cannot be drawn for "card"'),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_line(old: str, new: str, told: str) -> None:
    """Nothing is guessed, and nothing left out."""
    found = faults(changed(saved_as("c.yaml", won_evening()), old, new))

    assert found
    assert told in found[0]
    assert found[0].startswith("c.yaml:")


def _broken() -> bytes:
    going = won_evening()
    going.rest("home")
    going.tell("second", False, {**going.kept, "lost": "second", "notes": {"Zoë": ["a: b"]}})
    return text_of(going.saved).encode()


BROKEN = _broken()


@given(at=st.integers(0, len(BROKEN) - 1), byte=st.integers(0, 255))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_broken_byte_is_a_problem_or_means_something(at: int, byte: int) -> None:
    """Nothing but problems comes of a file, and reading never changes it."""
    data = BROKEN[:at] + bytes([byte]) + BROKEN[at + 1 :]
    Path("broken.yaml").write_bytes(data)
    faults(Path("broken.yaml"))

    assert Path("broken.yaml").read_bytes() == data


@pytest.mark.slow("reads four hundred thousand values")
def test_a_record_without_end_is_refused_at_once() -> None:
    """Nobody waits for a hundred thousand answers."""
    going = begun(toy(), SEATS, {})
    steps = [{"Ada": "1"}] * 100_000
    path = Path("c.yaml")
    path.write_text(
        text_of(going.saved).replace(" []", "\n" + as_yaml({"x": [{"play": "first", "record": steps}]})[3:])
    )

    with no_hang():
        assert [f"there are more than {MOST_STEPS:,} steps" in told for told in faults(path)] == [True]


def test_the_shape_reads_what_is_written() -> None:
    """With and without a game; the schema is made of the same."""
    going = won_evening()
    going.rest("home")
    game = toy()
    for shape in (saved_shape(), saved_shape(game.module, game.facts)):
        read, misfits = shape.read(going.saved.record())
        assert misfits == []
        assert as_saved(read) == going.saved
        assert json.dumps(shape.schema())


# The Cats of New Orleans


@pytest.mark.parametrize("path", TOLD, ids=lambda path: path.stem)
@pytest.mark.slow("reads a whole game, and plays three scenarios")
def test_a_campaign_that_content_tells_is_a_file(path: Path) -> None:
    """Three scenarios, with Safehavens and ways back: saved, read again, and followed."""
    problems = Problems()
    source = parse_yaml(path.read_bytes(), path, problems)
    assert source is not None
    game = files.open_game(path.parent.parent.name)
    chapters, last = [], ""
    for episode in source.data["episodes"]:
        entry = {key: episode[key] for key in ("play", "record", "safehaven", "kept", "restore") if key in episode}
        last = entry.get("play", last)
        if "refused" not in episode:
            chapters.append({**entry, **({"after": last} if "safehaven" in entry else {})})
    told = begun(game, source.data["seats"], source.data["options"])
    saved = saved_as("c.yaml", replace(told, saved=replace(told.saved, chapters=tuple(chapters))))
    opened = open_file(saved)
    again = follow(game, opened.going.saved)

    assert list(map(str, opened.faults())) == []
    assert opened.going.remarks == []
    assert again.kept == opened.going.kept
    assert len(again.kept["won"]) == len(game.facts["scenarios"])


# Commands


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit code of `grimalkin campaign`, and all that it said."""
    try:
        code = main(["campaign", *arguments])
    except SystemExit as stop:
        code = int(stop.code or 0)
    captured = capsys.readouterr()
    return code, captured.out + captured.err


def test_a_campaign_is_played_by_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """From the first chapter to a Safehaven and back, and everything said stands in the file."""
    assert run(capsys, "new", "c.yaml", "toy", "Ada", "Basil", "--option", "pace=slow")[0] == 0
    code, said = run(
        capsys, "begin", "c.yaml", "--draw", "card=9", "--draw", "card=8", "--draw", "card=1", "--seed", "1"
    )
    assert code == 0
    assert "The first evening begins.\n" in said
    assert "Ada is asked. Possible answers: 8, 9\n" in said
    code, said = run(capsys, "play", "c.yaml", "9", "5", "--seed", "1")
    assert code == 1
    assert "Ada: 9\n" in said
    assert "MOVE: " in said
    assert '- Ada: "9"\n' in Path("c.yaml").read_text("utf-8")
    assert "1 answer" in run(capsys, "status", "c.yaml")[1]
    assert run(capsys, "why", "c.yaml", "17")[0] == 1
    assert run(capsys, "why", "c.yaml", "1")[1].startswith("legal: Basil may.")
    while json.loads(said := run(capsys, "status", "c.yaml", "--json")[1]).get("playing"):
        assert run(capsys, "play", "c.yaml", json.loads(said)["playing"]["moves"][-1], "--seed", "1")[0] == 0
    assert "won: 6 answers" in (said := run(capsys, "status", "c.yaml")[1]).replace("won, ", "won: "), said
    assert run(capsys, "safehaven", "c.yaml", "home")[0] == 0
    assert run(capsys, "begin", "c.yaml", "--seed", "2")[0] == 0
    assert run(capsys, "restore", "c.yaml", "hom") == (1, 'NAME: there is no Safehaven "hom"; did you mean "home"?\n')
    assert run(capsys, "restore", "c.yaml", "home")[0] == 0
    code, said = run(capsys, "score", "c.yaml")
    assert "  Evenings won: 1  [TOY-7]\n" in said
    assert "TOY-7: Toy rule 7\n" in said


def test_what_is_kept_is_printed_changed_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    """What is wrong with it is told with its line in that file."""
    run(capsys, "new", "c.yaml", "toy", "Ada", "Basil")
    assert run(capsys, "kept", "c.yaml", "--output", "kept.yaml")[0] == 0
    Path("kept.yaml").write_text("taken: {Ada: 4, Basil: 5}\nwon: [fist]\n")
    code, said = run(capsys, "tell", "c.yaml", "first", "kept.yaml", "--won")
    assert (code, said) == (1, 'kept.yaml:2: won.0: "fist" is not known here; did you mean "first"?\n')
    Path("kept.yaml").write_text("taken: {Ada: 4, Basil: 5}\nwon: [first]\n")
    assert run(capsys, "tell", "c.yaml", "first", "kept.yaml", "--won")[0] == 0
    assert run(capsys, "correct", "c.yaml", "kept.yaml", "a slip")[0] == 0
    assert "corrected by hand: a slip" in run(capsys, "status", "c.yaml")[1]
    assert run(capsys, "undo", "c.yaml")[0] == 0
    assert "mended" not in run(capsys, "status", "c.yaml")[1]


def test_a_record_is_taken_in_whole_or_not_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    """What is wrong is told with its line in the record; facts that a playthrough checks are left out."""
    run(capsys, "new", "c.yaml", "toy", "Ada", "Basil")
    before = Path("c.yaml").read_bytes()
    steps = "- draw: {card: ['9', '8', '1', '2']}\n- check: {to-act: Ada}\n- Ada: '9'\n- Basil: '7'\n"
    Path("steps.yaml").write_text(steps)
    code, said = run(capsys, "play-record", "c.yaml", "steps.yaml")
    assert (code, said) == (1, 'steps.yaml:4: "7" is refused by TOY-1: the 7 is not in the hand of the seat to act\n')
    assert Path("c.yaml").read_bytes() == before
    Path("steps.yaml").write_text(steps.replace("'7'", "'1'").replace("check", "chek"))
    assert 'steps.yaml:2: the value of "chek" must be text' in run(capsys, "play-record", "c.yaml", "steps.yaml")[1]
    Path("steps.yaml").write_text("steps:\n" + steps.replace("'7'", "'1'"))
    code, said = run(capsys, "play-record", "c.yaml", "steps.yaml", "--seed", "1")
    assert code == 0
    assert said.startswith("2 answers played\nAda is asked")


@pytest.mark.parametrize(
    "made", ["", "[]", "a: b", "format: 1", "\0", "format: 1\ngame: were-kittens\nrules: '1'\nseats: [A, B]"]
)
@pytest.mark.parametrize("action", ["status", "begin", "play", "undo", "score", "kept"])
def test_no_file_is_so_odd_that_a_command_breaks(capsys: pytest.CaptureFixture[str], made: str, action: str) -> None:
    """A problem with the file's name, and the file as it was."""
    Path("c.yaml").write_text(made)
    code, said = run(capsys, action, "c.yaml")

    assert code == 1
    assert "c.yaml" in said
    assert Path("c.yaml").read_text() == made


def test_what_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A file, a folder, a game with campaigns."""
    assert run(capsys, "status", "c.yaml") == (1, "c.yaml: there is no such file\n")
    assert run(capsys, "new", "a/c.yaml", "toy", "A", "B") == (
        1,
        "a/c.yaml: there is no folder a; make it, or name another\n",
    )
    assert "Were Kittens has no campaigns" in run(capsys, "new", "c.yaml", "were-kittens", "A", "B")[1]
    assert "--option: pase" in run(capsys, "new", "c.yaml", "toy", "A", "B", "--option", "pase=slow")[1]


def test_programs_read_every_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """Of each action that may be asked for; what is refused as well."""
    run(capsys, "new", "c.yaml", "toy", "Ada", "Basil")
    for arguments in (["begin", "--seed", "1"], ["play"], ["status"], ["score"], ["kept"], ["undo"]):
        code, said = run(capsys, arguments[0], "c.yaml", *arguments[1:], "--json")
        assert code == 0
        assert "kind" in json.loads(said)
    code = main(["campaign", "play", "c.yaml", "--json"])
    assert (code, json.loads(capsys.readouterr().out)["kind"]) == (1, "problem")


def test_a_chapter_that_was_won_does_not_come_again() -> None:
    """Whoever tells of a success, and forgets to write it into what is kept, is told so."""
    going = begun(toy(), ("Ada", "Basil"), {})
    with pytest.raises(Misfits, match="would be next again"):
        going.tell("first", True, going.kept)

    assert going.past == []
    going.tell("first", True, {**going.kept, "won": ["first"]})
    assert [chapter.id for chapter in going.chapters()] == ["second"]


def test_drafts_of_a_killed_command_are_cleaned_up(tmp_path: Path) -> None:
    """The next command deletes them, those of what was kept too; the drafts of other files stay."""
    left = [".evening.yaml.12-34.new", ".evening.yaml.1.12-34.new", ".evening.yaml.format-1.12-34.new"]
    others = [".another.yaml.12-34.new", ".evening.yaml.notes.12-34.new", "evening.yaml.new"]
    for name in left + others:
        (tmp_path / name).write_text("")
    with alone(tmp_path / "evening.yaml"):
        pass

    assert sorted(others) == sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".new")
