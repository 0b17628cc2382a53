"""What every game shares: words, chance, shapes, play and replay."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import toy_game
from games_for_tests import played_games
from toy_game import Toy

from grimalkin.content import load_game
from grimalkin.content.rules import Example, Playthrough
from grimalkin.content.scripts import read_script
from grimalkin.engine.chance import ChanceError, Recorded, Scripted, Seeded
from grimalkin.engine.expected import facts_shape
from grimalkin.engine.play import play_out
from grimalkin.engine.replay import (
    RESERVED,
    Check,
    Keep,
    Script,
    follow_line,
    play_line,
    remarks,
    replay,
    without_draws,
)
from grimalkin.engine.shape import Choice, Listing, Misfit, Misfits, Record, Table, Text, Whole, YesNo
from grimalkin.engine.words import OVER, Event, Line, NotAMove, Refusal, Refused, Result, Score, TooFar, Unreadable
from grimalkin.games import find_game, were_kittens
from grimalkin.problems import Problems
from grimalkin.source import Source, find_game_folder

# Words


def test_a_total_is_the_sum_of_its_lines():
    """A score without lines is 0."""
    lines = (Line("R-1", "cats", 2, 3, 6), Line("R-2", "lost", 1, -1, -1))

    assert [5, 0] == [Score("Ada", lines).total, Score("Basil", ()).total]


def test_columns_are_never_added_to_each_other():
    """Each has the total of its own lines, in the order in which they first come."""
    lines = (
        Line("R-1", "clubs", 2, 1, 2, "clubs"),
        Line("R-1", "hearts", 0, 1, 0, "hearts"),
        Line("R-2", "jack of clubs", 1, 2, 2, "clubs"),
    )

    assert [("clubs", 4), ("hearts", 0)] == list(Score("Ada", lines).columns.items())
    assert {} == Score("Ada", (Line("R-1", "cats", 2, 3, 6),)).columns


def test_an_event_is_told_to_its_audience_and_hinted_to_the_others():
    """Without a hint the others learn nothing."""
    secret = Event("R-1", "Ada draws the 7.", frozenset([0]), "Ada draws a card.")

    assert ["Ada draws the 7.", "Ada draws a card."] == [secret.told(seat) for seat in (0, 1)]
    assert "" == Event("R-1", "Ada draws the 7.", frozenset([0])).told(1)
    assert "Ada wins." == Event("R-2", "Ada wins.").told(1)


def test_a_refused_move_says_which_rule_and_why():
    """The exception carries both as values too."""
    error = Refused(Refusal("R-1", "the claw is 2, it takes 3"), "take dime")

    assert '"take dime" is refused by R-1: the claw is 2, it takes 3' == str(error)
    assert "R-1" == error.refusal.rule
    assert isinstance(error, NotAMove)


# Chance


def drawn(chance, count=5):
    return [chance.pick("card", "abcdefgh") for _ in range(count)]


def test_the_same_seed_draws_the_same():
    """A seed may be a number or text; 0 is a seed like another."""

    assert drawn(Seeded(7)) == drawn(Seeded("7"))
    assert drawn(Seeded(0)) == drawn(Seeded(0))
    assert drawn(Seeded(0), 20) != drawn(Seeded(1), 20)


def test_seeded_draws_are_the_ones_of_every_python():
    """Frozen, because a saved seed has to give the same game tomorrow."""

    assert drawn(Seeded(1)) == list("daagc")


@pytest.mark.parametrize(
    "chance", [Seeded(3), Recorded(Seeded(3)), Scripted([("card", letter) for letter in "abcabcabcd"])]
)
def test_a_clone_of_a_source_goes_on_alone(chance):
    """What the clone draws, the original draws later."""
    chance.pick("card", "abcdefgh")
    clone = chance.clone()

    assert drawn(clone, 4) == drawn(chance, 4)


@pytest.mark.parametrize("made", [lambda: Seeded(5), lambda: Recorded(Seeded(5)), lambda: Scripted([("card", "c")])])
def test_taking_is_picking_and_removing(made):
    """Every source takes what it would have picked, and the pool then lacks it."""
    picked = made().pick("card", list("abcde"))
    pool = list("abcde")

    assert picked == made().take("card", pool)
    assert [letter for letter in "abcde" if letter != picked] == pool


@pytest.mark.parametrize("seed", range(20))
def test_a_recorded_source_takes_what_the_bare_one_would(seed):
    """From a pool with equal items too, where it matters which of them is left, and where."""
    bare, noted = Seeded(seed), Recorded(Seeded(seed))
    pools = [list("abcabc"), list("abcabc")]
    taken = [[source.take("card", pool) for _ in range(4)] for source, pool in zip((bare, noted), pools, strict=True)]

    assert taken[0] == taken[1]
    assert pools[0] == pools[1]
    assert [("card", item) for item in taken[0]] == noted.draws


def test_what_was_recorded_can_be_scripted():
    """A recording is a script of the same draws."""
    recorded = Recorded(Seeded(5))
    before = drawn(recorded)

    assert before == drawn(Scripted(recorded.draws))


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ([], 'a draw of "card" is not in the script'),
        ([("die", "a")], 'the script draws "die", but the game draws "card"'),
        ([("card", "z")], '"z" cannot be drawn for "card": it is not there'),
    ],
)
def test_a_script_that_disagrees_is_an_error(script, message):
    """Not scripted, another label, not possible."""
    with pytest.raises(ChanceError, match=message):
        Scripted(script).pick("card", "abc")


def test_without_a_script_a_draw_is_asked_for():
    """Nobody who gave none is told of a script, nor is a clone of theirs."""
    for chance in (Scripted(), Scripted().clone()):
        with pytest.raises(ChanceError, match=r'^"card" is drawn here, but nothing determines the result: give a draw'):
            chance.pick("card", "abc")
    with pytest.raises(ChanceError, match="not in the script"):
        Scripted([]).clone().pick("card", "abc")


def test_scripted_items_are_compared_as_text():
    """A script is text; the pool may hold numbers."""

    assert 7 == Scripted([("card", "7")]).pick("card", [5, 7])


# Shapes


@pytest.mark.parametrize(
    ("shape", "value", "expected"),
    [
        (Text(), "a", "a"),
        (Whole(), "12", 12),
        (Whole(-5), "-3", -3),
        (YesNo(), "yes", True),
        (YesNo(), False, False),
        (Choice(("heads", "tails")), "heads", "heads"),
        (Listing(Whole()), ["1", 2], [1, 2]),
        (Table(Whole()), {6: "1"}, {"6": 1}),
        (Table(Whole()), "", {}),
        (Record({"claw": Whole()}, {"name": Text()}), {"claw": "2"}, {"claw": 2}),
    ],
)
def test_a_shape_converts_what_fits(shape, value, expected):
    """Numbers may arrive as text; keys that were not written stay away."""

    assert (expected, []) == shape.read(value)


@pytest.mark.parametrize(
    ("shape", "value", "expected"),
    [
        (Text(), ["a"], Misfit((), "a list is not text")),
        (Whole(), "1.5", Misfit((), '"1.5" is not a whole number')),
        (Whole(), True, Misfit((), '"True" is not a whole number')),
        (Whole(1, 6), "7", Misfit((), "7 is out of range", "it is 1 to 6")),
        (Whole(1), 0, Misfit((), "0 is out of range", "it is at least 1")),
        (YesNo(), "maybe", Misfit((), '"maybe" is neither yes nor no')),
        (Choice(("heads", "tails")), "head", Misfit((), '"head" is not known here', 'did you mean "heads"?')),
        (Listing(Whole()), [1, "x"], Misfit((1,), '"x" is not a whole number')),
        (Listing(Whole(), 2, 3), [1], Misfit((), "1 is the wrong number of items", "2 to 3")),
        (Listing(Whole(), 2), [1], Misfit((), "1 is the wrong number of items", "at least 2")),
        (Listing(Whole(), 2, 2), [1], Misfit((), "1 is the wrong number of items", "2")),
        (Listing(Whole()), "1", Misfit((), '"1" is not a list')),
        (Table(Whole(), ("dime",)), {"dimes": 1}, Misfit(("dimes",), 'unknown key "dimes"', 'did you mean "dime"?')),
        (Table(Whole()), {"dime": "x"}, Misfit(("dime",), '"x" is not a whole number')),
        (Record({"claw": Whole()}), {}, Misfit((), 'the key "claw" is missing')),
        (
            Record({}, {"a": Record({}, {"b": Whole()})}),
            {"a": {"b": "x"}},
            Misfit(("a", "b"), '"x" is not a whole number'),
        ),
        (Record({}), [], Misfit((), "a list is not a mapping", "write it as key: value")),
    ],
)
def test_a_shape_says_what_does_not_fit(shape, value, expected):
    """One misfit, with the keys that lead to it, what is wrong and what would be right."""

    assert [expected] == shape.read(value)[1]


def test_all_misfits_are_collected():
    """A reader learns everything that is wrong at once."""
    shape = Record({"claw": Whole(), "name": Text()})
    misfits = shape.read({"claw": "x", "nome": "a"})[1]

    assert [("claw",), ("nome",), ()] == [misfit.at for misfit in misfits]
    assert 2 == str(Misfits(misfits)).count("\n")


def test_a_shape_is_a_json_schema():
    """The same declaration tells editors what may be written."""
    shape = Record({"claw": Whole(1, 3, "How strong.")}, {"side": Choice(("heads", "tails"))})
    expected = {
        "type": "object",
        "properties": {
            "claw": {"type": "integer", "minimum": 1, "maximum": 3, "description": "How strong."},
            "side": {"enum": ["heads", "tails"]},
        },
        "required": ["claw"],
        "additionalProperties": False,
    }

    assert expected == shape.schema()


# Games and play


def test_a_game_is_found_by_the_name_of_its_folder():
    """A folder without a module has no engine; a name that cannot be a module has none either."""

    assert find_game("were-kittens") is were_kittens
    assert find_game("no-such-game") is None
    assert find_game("../were-kittens") is None


def test_playing_out_gives_each_bot_its_own_view():
    """The moves come back with the seats that made them."""
    seen = []

    def bot(view, legal):
        seen.append(view)
        return legal[0]

    state = Toy.start(toy_game.FACTS, ["Ada", "Basil"], {}, Seeded(1))
    moves = play_out(state, [bot, bot], 9)

    assert [0, 1, 0, 1, 0, 1] == [seat for seat, _ in moves]
    assert all(move in view[0] for (_, move), view in zip(moves, seen, strict=True))


def test_a_game_that_does_not_end_is_stopped():
    """After so many moves."""
    state = Toy.start(toy_game.FACTS, ["Ada", "Basil"], {}, Seeded(1))
    with pytest.raises(RuntimeError, match="no end after 3 moves"):
        play_out(state, [lambda view, legal: legal[0]] * 2, 3)


# Replay: the toy game with Ada 7 and 2, Basil 5 and 3; Ada draws the 9, Basil the 8

DEAL = [{"draw": {"card": card}} for card in (7, 2, 5, 3)]
FIRST = [{"Ada": "7"}, {"draw": {"card": 9}}, {"draw": {"card": 8}}, {"Basil": "5"}]
REST = [{"Ada": "2"}, {"Basil": "8"}, {"Ada": "9"}, {"Basil": "3"}]


def traced(*steps, expect=None, given=None, game=Toy):
    """The trace of a script of the toy game."""
    return replay(game, toy_game.FACTS, Script("toy", given, ("Ada", "Basil"), {}, steps, expect or {}))


def test_a_script_that_is_right_replays():
    """Draws, moves, remarks, checks and what is expected at the end."""
    check = {"check": {"to-act": "Ada", "score": {"Ada": 2}, "position": {"tricks": "1"}}}
    expect = {
        "over": True,
        "winners": ["Ada"],
        "score": {"Ada": 4, "Basil": 2},
        "lines": [{"seat": "Ada", "rule": "TOY-2", "points": 4}],
        "fires": ["TOY-1", "TOY-2", "TOY-3"],
        "illegal": {"9": "TOY-1"},
    }
    trace = traced(*DEAL, {"say": "Ada leads."}, *FIRST, check, *REST, expect=expect)

    assert trace.fault is None
    assert [] == [one for one in trace.every_check() if not one.ok]
    assert trace.ok
    assert len(DEAL) + 1 + len(FIRST) + 1 + len(REST) == len(trace.steps)
    assert {"TOY-0", "TOY-1", "TOY-2", "TOY-3"} == trace.fired
    assert ["TOY-1", "TOY-2", "TOY-3", "TOY-3"] == [event.rule for event in trace.steps[8].events]
    assert ("Ada",) == trace.result.winners


def test_draws_can_be_written_as_a_list():
    """They come one after the other, before the first line as well as between lines, and are one step."""
    steps = [{"draw": {"card": ["7", "2", "5", "3"]}}, {"Ada": "7"}, {"draw": {"card": ["9", "8"]}}, {"Basil": "5"}]
    listed, single = traced(*steps, *REST), traced(*DEAL, *FIRST, *REST)

    assert listed.fault is None
    assert single.after == listed.after
    assert ("card", ("9", "8")) == listed.steps[2].draw
    assert len(steps) + len(REST) == len(listed.steps)


def test_the_rules_of_a_result_have_fired():
    """What decided the game can be expected like everything else that happened, steps of the end too."""

    class Ended(Toy):
        class State(toy_game.Hands):
            def result(self):
                steps = (("TOY-9", "Nobody is left."),)
                return Result(("Ada",), ("TOY-2",), "most cards", steps) if self.tricks == 3 else None

    assert traced(*DEAL, *FIRST, *REST, expect={"fires": ["TOY-2", "TOY-9"]}, game=Ended).ok
    assert not traced(*DEAL, *FIRST, *REST, expect={"fires": ["TOY-4"]}, game=Ended).ok


def test_a_step_tells_what_each_seat_may_read_of_its_line():
    """Cards are laid face down: the other seat reads a question mark, for a refused line too."""
    trace = traced(*DEAL, {"Ada": "7"}, {"Basil": "9"}, expect={"refused": "TOY-1"})

    assert trace.ok
    assert [("7", "?"), ("?", "9")] == [step.seen for step in trace.steps[-2:]]


class Columns(Toy):
    """The toy with a score sheet of two columns."""

    class State(toy_game.Hands):
        def score(self):
            low = (Line("TOY-2", "low cards", 1, 1, 1, "low"), Line("TOY-2", "more", 1, 1, 1, "low"))
            return [Score(name, (*low, Line("TOY-3", "high cards", 0, 1, 0, "high"))) for name in self.seats]


def test_scores_of_columns_are_compared_by_column():
    """What is not written is not looked at; a column that is not there is not equal to anything."""
    right = traced(*DEAL, expect={"score": {"Ada": {"low": 2}, "Basil": {"high": 0, "low": 2}}}, game=Columns)
    wrong = traced(*DEAL, expect={"score": {"Ada": {"low": 3}, "Basil": {"lower": 2}}}, game=Columns)
    total = traced(*DEAL, expect={"score": {"Ada": 2}}, game=Columns)

    assert right.ok
    assert [{"low": 2}, {}] == [check.computed for check in wrong.every_check() if not check.ok]
    assert not total.ok
    assert ("TOY-2",) == right.checks[0].rules


REFUSED = "the line is refused by TOY-1: the 9 is not in the hand of the seat to act"


@pytest.mark.parametrize(
    ("steps", "at", "message"),
    [
        ([{"Ada": "seven"}], 4, '"seven" is not a list of cards'),
        ([{"Basil": "5"}], 4, '"Basil: 5" is out of turn: Ada is to act'),
        ([{"Ada": "7, 2"}], 4, '"2" goes too far: the line ends before it, and then Basil is to act'),
        ([{"Ada": "9"}], 4, REFUSED),
        ([{"Ada": "9"}, {"Ada": "7"}], 4, f"{REFUSED}, so nothing can follow it"),
        ([{"Ada": "7"}, {"Basil": "5"}], 5, 'a draw of "card" is not in the script'),
        ([{"Ada": "7"}, {"draw": {"die": 6}}, {"Basil": "5"}], 6, 'the script draws "die", but the game draws "card"'),
        ([{"Ada": "7"}, {"draw": {"card": 7}}, {"Basil": "5"}], 6, '"7" cannot be drawn for "card": it is not there'),
        (
            [*FIRST, *REST, {"Ada": "1"}],
            12,
            '"Ada: 1" is out of turn: the game is over; to show that no move is allowed, write '
            "`illegal: {1: ID-OF-THE-RULE}` under `expect`",
        ),
    ],
)
def test_a_line_that_cannot_be_followed_is_a_fault_with_its_place(steps, at, message):
    """The steps before it are there, and what comes after is not looked at."""
    trace = traced(*DEAL, *steps)

    assert (("steps", at), message) == trace.fault
    assert not trace.ok


def test_draws_that_are_left_over_are_a_fault():
    """A script says neither too little nor too much."""
    trace = traced(*DEAL, {"Ada": "7"}, {"draw": {"card": 9}})

    assert (("steps",), "1 scripted draws were never made") == trace.fault


def test_what_happens_at_the_start_is_kept():
    """Before any step; nothing has happened where a position is given. Its rules have fired."""
    trace = traced(*DEAL, expect={"fires": ["TOY-0"]})
    given = traced(given={"pile": [1], "table": [0, 0], "tricks": 0, "Ada": [[7], []], "Basil": [[5], []]})

    assert ["Ada is dealt [7, 2].", "Basil is dealt [5, 3]."] == [event.text for event in trace.opening]
    assert ["Ada is dealt [7, 2].", ""] == [event.told(0) for event in trace.opening]
    assert trace.ok
    assert () == given.opening


def test_a_deal_that_is_not_written_is_a_fault():
    """Draws made while a game starts are written before its first line."""

    assert (("steps",), 'a draw of "card" is not in the script') == traced({"Ada": "7"}).fault


def test_a_refusal_that_is_expected_is_no_fault():
    """The state is left as it was."""
    trace = traced(*DEAL, {"Ada": "9"}, expect={"refused": "TOY-1", "to-act": "Ada"})

    assert trace.ok
    assert trace.before == trace.after
    assert "TOY-1" == trace.steps[-1].refusal.rule
    assert "TOY-1" in trace.fired


class Drawing(Toy):
    """The toy alone, in one long turn: who has one card left draws another."""

    class State(toy_game.Hands):
        def to_act(self):
            return 0

        def turn_key(self):
            return 0

        def apply(self, move, log=None):
            super().apply(move, log)
            if len(self.hands[0]) == 1:
                self.hands[0].append(self.draw(self.chance, self.pile))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("7, 8", "1 scripted draws were never made"),
        ("7, 9, 2", 'a draw of "card" is not in the script'),
    ],
)
def test_a_line_that_is_played_in_part_changes_nothing(line, message):
    """Neither the position nor what has happened, and what was drawn is still in the script."""
    steps = [*DEAL, {"say": "Ada is alone."}, {"draw": {"card": 9}}, {"Ada": line}]
    trace = traced(*steps, expect={"refused": "TOY-1"}, game=Drawing)

    assert message == trace.fault[1]
    assert trace.before == trace.after
    assert set() == trace.fired - {"TOY-0", "TOY-1"}
    assert () == tuple(event for step in trace.steps for event in step.events)


def test_a_trace_keeps_as_much_as_is_asked():
    """Its checks are always the same."""
    script = Script("toy", None, ("Ada", "Basil"), {}, (*DEAL, *FIRST), {"position": {"tricks": "1"}, "legal": ["9"]})
    checks, positions, everything = (replay(Toy, toy_game.FACTS, script, keep) for keep in Keep)

    assert checks.ok
    assert checks.checks == positions.checks == everything.checks
    assert ({}, {}, (), ()) == (checks.before, checks.after, checks.steps[4].choices, checks.steps[4].seen)
    assert positions.after == everything.after == everything.steps[-1].position
    assert ("2", "7") == positions.steps[4].choices


def test_facts_say_themselves_that_a_rule_refuses():
    """A refused line and a move that is refused; nobody has to read the words of a fact."""
    expect = {"refused": "TOY-1", "illegal": {"5": "TOY-1"}, "to-act": "Ada", "only": ["2", "7"]}
    trace = traced(*DEAL, {"Ada": "9"}, expect=expect)

    assert ["refused by", '"5" is refused by'] == [check.fact for check in trace.every_check() if check.refuses]


@pytest.mark.parametrize(
    ("fact", "computed"),
    [
        ({"refused": "TOY-1"}, "nothing"),
        ({"to-act": "Basil"}, "Ada"),
        ({"over": True}, False),
        ({"score": {"Ada": 3}}, 2),
        ({"lines": [{"rule": "TOY-2", "points": 3, "seat": "Ada"}]}, [{"rule": "TOY-2", "points": 2}]),
        ({"winners": ["Ada"]}, []),
        ({"legal": ["7"]}, "refused"),
        ({"only": ["2"]}, ["2", "9"]),
        ({"illegal": {"9": "TOY-1"}}, "nothing: it is legal"),
        ({"illegal": {"5": "TOY-3"}}, "TOY-1"),
        ({"illegal": {"five": "TOY-1"}}, '"five" is not a list of cards'),
        ({"fires": ["TOY-4"]}, "no event"),
        ({"position": {"tricks": 2}}, "1"),
        ({"position": {"table": [1, 0]}}, ["0", "0"]),
        ({"position": {"dealer": "Ada"}}, "nothing"),
    ],
)
@pytest.mark.parametrize("during", [False, True])
def test_a_wrong_fact_is_a_failed_check_with_its_place(fact, computed, during):
    """What was written stands beside what the engine computes, under `expect` as under `check`."""
    steps = [*DEAL, *FIRST]
    trace = traced(*steps, {"check": fact}) if during else traced(*steps, expect=fact)
    (failed,) = [check for check in trace.every_check() if not check.ok]

    assert computed == failed.computed
    assert (("steps", 8, "check") if during else ("expect",)) == failed.at[: 3 if during else 1]
    assert not trace.ok
    assert trace.fault is None


def test_a_position_that_does_not_fit_is_a_fault_with_its_place(facts_of):
    """The replay does not start."""
    given = {"seats": {"Ada": {"hand": {"dime": "x"}}, "Basil": {}}}
    script = Script("wrong", given, (), {}, (), {})
    trace = replay(were_kittens, facts_of("were-kittens"), script)

    assert (("given", "seats", "Ada", "hand", "dime"), '"x" is not a whole number') == trace.fault


def test_an_option_that_does_not_fit_is_a_fault_with_its_place(facts_of):
    """So does a new game with a wrong option."""
    script = Script("wrong", None, ("Ada", "Basil"), {"rounds": "many"}, (), {})
    trace = replay(were_kittens, facts_of("were-kittens"), script)

    assert (("options", "rounds"), '"many" is not a whole number') == trace.fault


def test_seats_that_do_not_fit_are_a_fault_with_what_would_be_right(facts_of):
    """At the seats of a new game."""
    trace = replay(were_kittens, facts_of("were-kittens"), Script("wrong", None, ("Ada",), {}, (), {}))

    assert (("seats",), "1 is the wrong number of seats; 2 to 3 play") == trace.fault


@pytest.mark.parametrize("second", ["ada", "ADA", "Ada ", " ada"])
@pytest.mark.parametrize("name", played_games())
def test_seats_are_told_apart_without_capitals(name, second, facts_of):
    """A move that names a seat is read without them, so in every game a new game and a position are refused."""
    game, facts, names = find_game(name), facts_of(name), ("Ada", "Basil", second)
    rest = {"woods": "baker"} if name == "curses-and-covens" else {}
    seats = {seat: {} for seat in names}
    for begin in (lambda: game.start(facts, names, {}, Seeded(0)), lambda: game.load(facts, {"seats": seats} | rest)):
        with pytest.raises(Misfits) as error:
            begin()

        told = [one for one in error.value.misfits if "differ" in one.message]
        assert [("seats", second)] == [one.at for one in told]
        assert f'"Ada" and "{second}" differ only in capitals, spaces or marks' == told[0].message
        assert "rename one of them" in told[0].hint


def test_a_line_is_played_whole_or_not_at_all(facts_of):
    """When its second half is refused, its first half has not happened either."""
    given = {"city": {"penny": 4}, "seats": {"Ada": {"cats": {"6": "penny"}, "eat": {"penny": 1}}, "Basil": {}}}
    state = were_kittens.load(facts_of("were-kittens"), given)
    key = state.key()
    with pytest.raises(Refused, match='"take dime" is refused by WK-ACT-2'):
        play_line(were_kittens, state, "eat penny, take dime")

    assert key == state.key()


def test_a_line_ends_with_its_turn(facts_of):
    """Both cats are Ada's, but each has a turn of its own."""
    given = {"city": {"penny": 4}, "seats": {"Ada": {"cats": {"4": "nickel", "6": "penny"}}, "Basil": {}}}
    state = were_kittens.load(facts_of("were-kittens"), given)
    key = state.key()
    with pytest.raises(TooFar, match='"take penny" goes too far: the line ends before it, and then Ada is to act'):
        play_line(were_kittens, state, "take penny, take penny")

    assert key == state.key()


@pytest.mark.parametrize("name", played_games())
def test_what_one_seat_does_one_after_the_other_is_not_refused_in_one_line(name, facts_of):
    """Each small move of a game is joined with the next of its seat: they are one line, or the line goes too far."""
    module = find_game(name)
    too_far = 0
    for seed in range(4):
        state = module.start(facts_of(name), ["Ada", "Basil", "Cleo"], module.SIMULATION, Seeded(seed))
        bot, before = module.BOTS["random"](seed), []
        while (seat := state.to_act()) != OVER:
            move = bot(state.view(seat), state.legal())
            before.append((seat, state.clone(), module.write([move], state)))
            state.apply(move)
        for place, (seat, then, text) in enumerate(before):
            for later in [later for who, _, later in before[place + 1 :] if who == seat][:1]:
                try:
                    play_line(module, then, f"{text}, {later}")  # what is drawn comes as it came
                except TooFar:
                    too_far += 1

    assert too_far


@pytest.mark.slow("plays every playthrough")
@pytest.mark.parametrize("name", played_games())
def test_two_lines_of_a_playthrough_in_one_are_not_refused(name, monkeypatch):
    """Nor is a line with the next one of the same seat, whether others act between them or not."""
    game = load_game(find_game_folder(name), Problems())
    ways = []

    def joined(module, state, line, events=None):
        seat = state.seats[state.to_act()]
        assert (seat, line) == lines.pop(0)
        for later in [later for who, later in lines if who == seat][:1]:
            try:
                follow_line(module, state.clone(), f"{line}, {later}")
            except (TooFar, ChanceError) as error:  # a script draws for the line alone
                ways.append(type(error))
        return follow_line(module, state, line, events)

    monkeypatch.setattr("grimalkin.engine.replay.follow_line", joined)
    for play in game.playthroughs:
        steps = [item for step in play.steps for item in step.items() if item[0] != "check"]
        said = [(seat, str(line)) for seat, line in steps if seat not in RESERVED]
        lines = [(seat, without_draws(game.module, line, game.facts)[0]) for seat, line in said]
        script = replace(game.scripts[play.id], steps=tuple(dict([step]) for step in steps))

        assert replay(game.module, game.facts, script).steps
        assert lines == []
    assert TooFar in ways


@pytest.mark.parametrize("name", played_games())
def test_every_move_is_read_however_it_is_typed(name, facts_of):
    """With capitals, with a space, another hyphen or nothing for each hyphen, and with a full stop at the end."""
    module = find_game(name)
    state = module.start(facts_of(name), ["Ada", "Basil", "Cleo"], {}, Seeded(0))
    for move in module.every_move(facts_of(name)):
        text = module.write([move], state)
        if "seat " in text:  # a table of six has more seats than this one
            continue
        for written in (
            text.upper(),
            text.title(),
            f"{text}.",
            *(text.replace("-", mark) for mark in (" ", "\u2011", "")),
        ):
            assert [move] == module.read(f" {written} ", state), written


def test_a_seat_is_found_however_its_name_is_typed(facts_of):
    """Apostrophes and accents come in two forms, and a name may hold the word that stands before it."""
    module, names = find_game("curses-and-covens"), ["Hester", "O\u2019Malley", "Road to Ruin", "Cle\u0301o"]
    state = module.start(facts_of("curses-and-covens"), names, {}, Seeded(0))
    (to_ruin,) = module.read("give wild to road to ruin", state)

    assert "give wild to Road to Ruin" == module.write([to_ruin], state)
    for written, seat in (("o'malley", 1), ("O\u2019MALLEY", 1), ("Cl\u00e9o", 3)):
        assert f"ask {names[seat]}" == module.write(module.read(f"ask {written}", state), state)
    with pytest.raises(Unreadable, match="a town is missing"):
        module.read("ask", module.start(facts_of("curses-and-covens"), ["Hester", "--", "Basil"], {}, Seeded(0)))
    assert ["Trust me"] == module.read("\u201cTrust me\u201d", state)
    with pytest.raises(Misfits, match="only in capitals"):
        module.start(facts_of("curses-and-covens"), ["Hester", "O'Malley", "O\u2019Malley"], {}, Seeded(0))


@pytest.mark.parametrize(
    ("name", "written", "move"),
    [
        ("were-kittens", "re-populate", "repopulate"),
        ("were-kittens", "Take victim penny", "take penny"),
        ("were-kittens", "make cat nickel 4", "make nickel 4"),
        ("werecats", "Dumpster Dive", "dive"),
        ("werecats", "Scare the City", "scare"),
        ("werecats", "pass", "rest"),
        ("werecats", "Peer Pressure heir", "drag heir"),
        ("werecats", "Extra Action", "again"),
        ("werecats", "sharing cook", "share cook"),
        ("werecats", "Re-Animate Hetty Suet", "reanimate cook"),
        ("wolf-mans-curse", "Joker 1", "joker-1"),
        ("wolf-mans-curse", "Seven of Clubs", "7c"),
        ("curses-and-covens", "Cast Looking Glass", "cast looking-glass"),
        ("curses-and-covens", "cast Forked Path", "cast forked-path"),
        ("curses-and-covens", "woods Rose Tansley", "woods love-rose"),
    ],
)
def test_a_move_may_be_called_what_the_rules_call_it(name, written, move, facts_of):
    """Names of actions, powers, cards and spells, as they stand in the rules."""
    module = find_game(name)
    state = module.start(facts_of(name), ["Ada", "Basil", "Cleo"], {}, Seeded(0))

    assert move == module.write(module.read(written, state), state)


def test_a_line_of_no_notation_leaves_the_state_alone(facts_of):
    """Unreadable is another no than refused."""
    state = were_kittens.start(facts_of("were-kittens"), ["Ada", "Basil"], {}, Seeded(0))
    with pytest.raises(Unreadable):
        play_line(were_kittens, state, "two pence")

    assert 0 == state.to_act()


class Seeing(Toy):
    """The toy, telling what each seat knows: its own hand, how many cards the other has, and none of the pile."""

    @classmethod
    def seen(cls, state, seat):
        position = state.position()
        hands = {
            name: position[name][0] if name == state.seats[seat] else ["?"] * len(position[name][0])
            for name in state.seats
        }
        return {"tricks": position["tricks"], "pile": ["?"] * len(position["pile"]), "hands": hands}


def test_a_seat_is_asked_what_it_knows():
    """Ada has 7 and 2, Basil 5 and 3, and five cards are left: each knows its own cards, and sees backs of the others.

    A wrong fact stands beside what the game tells, with its place.
    """
    right = {"Ada": {"hands": {"Ada": ["7", "2"], "Basil": ["?", "?"]}, "pile": ["?"] * 5}, "Basil": {"tricks": 0}}
    wrong = {"Basil": {"hands": {"Ada": ["7", "2"]}}}
    trace = traced(
        *DEAL,
        {"check": {"seen": right}},
        {"Ada": "7"},
        expect={"seen": {"Ada": {"hands": {"Ada": ["2"]}}}},
        game=Seeing,
    )
    failing = traced(*DEAL, expect={"seen": wrong}, game=Seeing)
    (failed,) = failing.every_check()

    assert trace.ok
    assert 5 == sum(1 for _ in trace.every_check())
    assert not failing.ok
    assert (["7", "2"], ["?", "?"]) == (failed.written, failed.computed)
    assert ("expect", "seen", "Basil", "hands", "Ada") == failed.at
    assert "seen Basil hands Ada" == failed.fact


@pytest.mark.parametrize("held", [True, "yes"])
@pytest.mark.parametrize("written", [True, "yes"])
def test_yes_is_yes_however_it_is_written(held, written):
    """A record may hold it as a word or as a truth; what is not there is no."""

    class Dealt(Toy):
        class State(toy_game.Hands):
            def position(self):
                return {**super().position(), "dealt": held}

    facts = {"position": {"dealt": written, "shuffled": False}}
    (right,) = {one.ok for one in traced(*DEAL, expect=facts, game=Dealt).every_check()}
    (wrong,) = traced(*DEAL, expect={"position": {"dealt": False}}, game=Dealt).every_check()

    assert right
    assert ("no", "yes") == (wrong.written, wrong.computed)


@pytest.mark.parametrize(("written", "right"), [([], True), (["1"], False)])
def test_a_list_that_a_position_leaves_out_is_empty(written, right):
    """A record does not hold what is as at the beginning."""
    (check,) = traced(*DEAL, expect={"position": {"discard": written}}).every_check()

    assert right == check.ok


def test_a_game_that_does_not_tell_what_seats_know_proves_nothing_of_it():
    """The fact does not hold, instead of being passed over."""
    (failed,) = traced(*DEAL, expect={"seen": {"Ada": {"tricks": 0}}}).every_check()

    assert "nothing: this game does not say what a seat knows" == failed.computed


def test_what_is_seen_has_the_keys_of_a_position():
    """Its values may be unknown, even where a position wants a number; names of seats and keys are checked."""
    seat = Record({"hand": Listing(Choice(("owl", "cat")))})
    position = Record({"seats": Table(seat)}, {"deck": Listing(Choice(("owl", "cat")))})
    shape = facts_shape(["Ada", "Basil"], position)
    known = {"seen": {"Ada": {"deck": "3", "seats": {"Basil": {"hand": ["?", "owl"]}}}}}
    misfits = shape.read({"seen": {"Cleo": {}, "Ada": {"dekc": 3, "seats": {"Basil": {"hnad": ["?"]}}}}})[1]

    assert (known, []) == shape.read(known)
    assert [("seen", "Cleo"), ("seen", "Ada", "dekc"), ("seen", "Ada", "seats", "Basil", "hnad")] == [
        misfit.at for misfit in misfits
    ]


def test_the_steps_of_a_whole_game_tell_what_each_seat_knows():
    """Before the first step too, and from a position that is given; not in a game that does not tell."""
    trace = traced(*DEAL, {"say": "Ada leads."}, {"Ada": "7"}, game=Seeing)
    given = {"pile": [1], "table": [0, 0], "tricks": 0, "Ada": [[7], []], "Basil": [[5], []]}
    hands = [[known["hands"] for known in step.known] for step in trace.steps[-2:]]

    assert [{"Ada": [7, 2], "Basil": ["?", "?"]}, {"Ada": ["?", "?"], "Basil": [5, 3]}] == hands[0]
    assert [{"Ada": [2], "Basil": ["?", "?"]}, {"Ada": ["?"], "Basil": [5, 3]}] == hands[1]
    assert trace.steps[0].known == trace.known
    assert {"Ada": [7], "Basil": ["?"]} == traced({"Ada": "7"}, given=given, game=Seeing).known[0]["hands"]
    assert () == traced(*DEAL, {"Ada": "7"}).steps[-1].known


def test_a_remark_is_read_by_whom_it_is_for():
    """What has no reader is for everybody; around the open table everything is read, with who reads it."""
    say = {"open": "Both are weak.", "Basil": "She is strong.", "Ada": "He is weak."}

    assert [("", "Hm.")] == remarks("Hm.") == remarks("Hm.", "Ada")
    assert [("", "Both are weak."), ("Basil", "She is strong."), ("Ada", "He is weak.")] == remarks(say)
    assert [("", "He is weak.")] == remarks(say, "Ada")
    assert [] == remarks(say, "Cleo") == remarks("")


def written(problems, steps=({"Ada": "7"},), expect=None, seats=("Ada", "Basil"), game=Toy):
    """The script of a playthrough of the toy game, or None with problems."""
    play = Playthrough(
        id="TOY-PLAY-1", title="A game", summary="Short.", seats=seats, steps=steps, expect=expect or {"over": "yes"}
    )
    source = Source(Path("play.yaml"), {})
    return read_script(play, game, toy_game.FACTS, source, (), problems)


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ({"say": {"open": "All.", "Ada": "Hers."}}, []),
        (
            {"say": {"Adda": "Hers."}},
            ['"Adda" is neither a seat nor open, so nobody would read this; did you mean "Ada"?'],
        ),
        ({"say": {"Ada": ["a", "b"]}}, ["a remark must be text, and not empty; put quotes around it"]),
        ({"say": {"Ada": " "}}, ["a remark must be text, and not empty; put quotes around it"]),
        ({"say": ["a", "b"]}, ["a remark must be text, and not empty; put quotes around it"]),
        ({"say": " "}, ["a remark must be text, and not empty; put quotes around it"]),
        ({"say": {}}, ["a remark must be text, and not empty; put quotes around it"]),
    ],
)
def test_a_remark_that_nobody_reads_is_a_problem(step, told):
    """A mapping tells each reader their own text."""
    problems = Problems()
    script = written(problems, [{"Ada": "7"}, step])

    assert told == [str(problem).partition(": ")[2] for problem in problems]
    assert (script is None) == bool(told)


@pytest.mark.parametrize("name", ["say", "open"])
def test_a_seat_has_a_name_of_its_own(name):
    """A word with a meaning in a script is not the name of a seat."""
    problems = Problems()

    assert written(problems, seats=("Ada", name)) is None
    assert [f'a seat cannot be called "{name}"'] == [problem.message for problem in problems]


def test_a_seat_of_an_example_has_a_name_of_its_own():
    """A line of a seat called "say" would be a remark."""
    problems = Problems()
    example = Example(
        id="TOY-EX-1",
        title="A table",
        rules=["TOY-1"],
        kind="legal",
        text="Short.",
        given={"pile": [], "table": [], "tricks": [], "seats": {"Ada": [], "say": []}},
        expect={"over": "no"},
    )
    source = Source(Path("examples.yaml"), {})
    read_script(example, Toy, toy_game.FACTS, source, (), problems)

    assert 'a seat cannot be called "say"' in [problem.message for problem in problems]


def test_only_a_game_that_tells_what_seats_know_is_asked():
    """It is a problem before anything is replayed."""
    problems = Problems()
    expect = {"seen": {"Ada": {"pile": ["?"]}}}

    assert written(Problems(), expect=expect, game=Seeing) is not None
    assert written(problems, expect=expect) is None
    assert ["the engine of this game does not say what a seat knows"] == [problem.message for problem in problems]


def test_facts_of_an_example_have_a_shape():
    """A fact that nobody can check is refused before anything is replayed."""
    shape = facts_shape(["Ada", "Basil"])

    assert ({"to-act": "Ada", "score": {"Basil": 4}}, []) == shape.read({"to-act": "Ada", "score": {"Basil": "4"}})
    assert [("to-act",), ("wins",)] == [misfit.at for misfit in shape.read({"to-act": "Cleo", "wins": "Ada"})[1]]


def test_facts_are_said_as_people_write_them():
    """A list with commas, a mapping with its keys, nothing as none; and no number of the step in the name of a fact."""
    expect = {"only": ["2"], "position": {"pile": ["1"]}}
    trace = traced(*DEAL, {"check": {"only": ["2", "7"], "position": {"tricks": "0"}}}, {"Ada": "7"}, expect=expect)
    said = [check.said()[0] for step in trace.steps for check in step.checks]

    assert ["2, 7", "0"] == said
    assert ["the only legal moves", "tricks"] == [check.fact for step in trace.steps for check in step.checks]
    assert ("b, a", "a, b (the same in another order)") == Check((), "", "b, a", "a, b").said()
    assert "a, b (the same in another order)" == Check((), "", ["b", "a"], ["a", "b"]).said()[1]
    assert ("b, a", "b, a") == Check((), "", ["b", "a"], ["b", "a"]).said()
    assert ("none", "rule X, points 2") == Check((), "", [], {"rule": "X", "points": 2}).said()


@pytest.mark.parametrize(
    "change",
    [
        lambda facts: facts.update(mine=1),
        lambda facts: facts.__setitem__("mine", 1),
        lambda facts: facts.__ior__({"mine": 1}),
        lambda facts: facts.setdefault("mine", 1),
        lambda facts: facts.clear(),
    ],
)
def test_who_has_no_facts_gives_none_to_others(change: Callable[[Any], object]) -> None:
    """What has none shares them, so they stay none, also in a copy and after a journey to another process."""
    event = Event("WK-ACT-1", "It happens.")
    with pytest.raises(TypeError, match="cannot be changed"):
        change(event.facts)

    assert {} == event.facts == Refusal("WK-ACT-1", "no").facts
    assert pickle.loads(pickle.dumps(event)).facts is event.facts
    assert copy.deepcopy(event).facts is event.facts
