"""Odds that an engine has counted out: the command that tells them, their pages and their file."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from types import ModuleType, SimpleNamespace
from xml.etree import ElementTree

import pytest
from shown import show, write_birds

from grimalkin.cli import main
from grimalkin.engine.contract import Facts
from grimalkin.engine.odds import Answer, Attempt, Card, Case, Circumstance, Expected, Odds, Target, find_odds
from grimalkin.engine.shape import Record
from grimalkin.games import wolf_mans_curse
from grimalkin.parts.odds.drawing import bars, steps
from grimalkin.parts.odds.pages import Counted, group_page
from grimalkin.site.pages import navigation, pages
from grimalkin.site.pages.links import Words
from grimalkin.site.pages.templates import load_words

pytestmark = pytest.mark.slow("counts the odds of a whole game")

GAME = "cats-of-new-orleans"
WORDS: Words = load_words()


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["odds", GAME, *arguments]) == 0
    return capsys.readouterr().out


def row(text: str, head: str) -> list[str]:
    """The cells of a row that begins so."""
    (line,) = [line for line in text.split("\n") if line.startswith(head)]
    return re.split(r"  +", line)


def test_without_anything_it_lists_what_can_be_asked(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys)

    assert ["", "pepperbox", "2 draws, Stun 5+, Wound 10+"] == row(text, "  pepperbox")
    assert ["", "viceroy", "Health 6, cannot be stunned, −2 on each draw"] == row(text, "  viceroy ")
    assert "  vulnerable  vulnerable: +1 on each draw [NO-DRM-3]" in text


def test_an_attack_against_every_target(capsys: pytest.CaptureFixture[str]) -> None:
    """Boarding Axe: 9+ stuns, 7+ wounds, of 50 cards 17 and 25. Those at which it is the same share a row."""
    text = told(capsys, "boarding-axe")

    assert ["Bayou Mosquitos, Pistoleers", "34.0 %", "50.0 %", "50.0 %", "0.50"] == row(text, "Bayou Mosquitos")
    assert ["Croc", "0 %", "50.0 %", "0 %", "0.50"] == row(text, "Croc")


def test_a_piece_with_two_attacks(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "bayou-bitters", "minou", "--modifier", "0")

    assert "Fangs (2 draws, Stun 6+, Wound 9+) at Minou (+1 on each draw)" in text
    assert "Spit Venom (1 draw, Stun 7+, Wound 10+) at Minou" in text


def test_one_case_by_what_is_added(capsys: pytest.CaptureFixture[str]) -> None:
    """With 1 more, a Pistol that wounds on 10+ does so with a 9: 17 of 50 cards."""
    text = told(capsys, "boarding-axe", "viceroy", "--when", "vulnerable")

    assert "−1 on each draw: −2 [NO-PWR-18], +1 [NO-DRM-3]" in text
    assert "Viceroy cannot be stunned. [NO-PWR-18]" in text
    assert ["0", "0 %", "42.0 %", "0 %", "0.42"] == row(text, "0  ")
    assert ["+1", "0 %", "50.0 %", "0 %", "0.50"] == row(text, "+1  ")


def test_a_card_that_is_held(capsys: pytest.CaptureFixture[str]) -> None:
    """Of 49 cards 24 wound, without the 7 that is held; four Queens that were seen do not come."""
    text = told(capsys, "boarding-axe", "pistoleers", "--holding", "7")

    assert ["Wound", "49.0 %", "100 %", "+51.0"] == row(text, "Wound ")
    assert ["Stun", "34.7 %", "34.7 %", "0"] == row(text, "Stun")

    text = told(capsys, "boarding-axe", "pistoleers", "--holding", "7H", "--seen", "Q,qh,QD,9c")

    assert "4 cards cannot come up before a shuffle: 9, 3 × Queen" in text
    assert ["Wound", "44.4 %", "100 %", "+55.6"] == row(text, "Wound ")


def test_exact_numbers_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    (one,) = json.loads(told(capsys, "boarding-axe", "croc", "--left", "1", "--modifier=-1", "--json"))["answers"]
    gone = next(number for number in one["numbers"] if number["what"] == "Eliminated")

    assert {"attempt": "boarding-axe", "target": "croc", "modifier": -1}.items() <= one.items()
    assert {"what": "Eliminated", "exact": "21/50", "value": 0.42, "share": True} == gone
    assert [remark["rule"] for remark in one["remarks"]] == ["NO-PWR-24"]


def test_everything_that_can_be_asked_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    known = json.loads(told(capsys, "--json"))

    assert {"title", "attempts", "targets", "circumstances", "cards", "modifiers", "notes"} == set(known)
    assert {"id": "9", "name": "9", "count": 4, "held": True} in known["cards"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["peperbox"], 'ATTEMPT: there is no attempt "peperbox"; did you mean "pepperbox"?'),
        (["pepperbox", "crocs"], 'TARGET: "crocs" is not a target of Pepperbox; did you mean "croc"?'),
        (
            ["pepperbox", "croc", "--when", "stuned"],
            '--when: there is no circumstance "stuned"; did you mean "stunned"?',
        ),
        (["pepperbox", "--seen", "1H"], '--seen: there is no card "1H"; did you mean "10H"?'),
        (["pepperbox", "--seen", "9h", "--holding", "9H"], "--seen: 9h is named twice"),
        (["pepperbox", "--seen", "9,9,9,9", "--holding", "9"], "--seen: there are no more of 9"),
        (["pepperbox", "--holding", "2,3,4,5"], "--holding: 4 cards are too many; at most 3 may be held"),
        (["--left", "2"], "--left: this needs an ATTEMPT; name one before it"),
    ],
)
def test_what_means_nothing(capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str) -> None:
    assert main(["odds", GAME, *arguments]) == 1
    assert [problem] == capsys.readouterr().err.strip().split("\n")


def test_a_modifier_is_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["odds", GAME, "pepperbox", "--modifier", "much"])
    assert '"much" is not a whole number from −30 to 30' in capsys.readouterr().err


def test_a_game_without_odds_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "werecats"]) == 1
    assert "werecats: Werecats computes no odds; try `grimalkin simulate`\n" == capsys.readouterr().err


# Pages


def fly(_facts: Facts) -> Odds:
    """Owls catch mice. Of ten winds each owl can use some more or fewer; the wind that is held is used at the end."""
    hidden = {"barn-owl": 0, "dusk-owl": 0, "snow-owl": 3}

    def answer(case: Case) -> Answer:
        def numbers(sure: bool) -> tuple[Expected, ...]:
            wins = min(10, max(0, {"soar": 5, "dive": 2}[case.attempt] + case.modifier - hidden[case.target]))
            share = Fraction(1) if sure and case.attempt == "dive" else Fraction(wins, 10)
            caught = Expected("Caught", share, is_share=True), Expected("2 caught", share**2, is_share=True)
            return Expected("Seen", Fraction(wins, 20), is_share=True), *caught, Expected("Mice", share * 2)

        return Answer(case.modifier, (), numbers(False), numbers("storm" in case.held) if case.held else ())

    targets = tuple(
        Target(id_, id_.replace("-", " "), id_, 2, "hides" if behind else "") for id_, behind in hidden.items()
    )
    aims = tuple(hidden)
    return Odds(
        "Flights",
        "How an owl fares.",
        (
            Attempt("soar", "Soar <high>", "snow-owl", "of a snow owl", "By night", aims, "barn-owl"),
            Attempt("dive", "Dive", "snow-owl", "of a snow owl", "By day & dusk", aims, "barn-owl"),
        ),
        targets,
        (Circumstance("fog", "in fog", "nothing is seen", "TI-PLAY-1"),),
        (Card("calm", "Calm", (("calm",),), 1, True), Card("storm", "Storm", (("storm",),), 1, True)),
        1,
        range(-2, 3),
        answer,
        "Seen",
        ("Caught", "2 caught"),
        ((("TI-PLAY-1",), "Nobody is <tired>."),),
    )


@pytest.fixture
def made(tmp_path: Path) -> dict[str, str]:
    """The pages of owls whose engine counts odds, and nothing else."""
    shown = show(write_birds(tmp_path / "owls"))
    game = shown.game
    vars(game)["module"] = SimpleNamespace(
        odds=fly, position_shape=lambda _: Record({}, {})
    )  # where it is kept once it was looked for
    (part,) = [part for part in navigation([shown]) if game.marked_title in part]
    (odds,) = [entry["Odds"] for entry in part[game.marked_title] if "Odds" in entry]
    assert [
        {"All odds at a glance": "owls/odds.md"},
        {"By night": "owls/odds/by-night.md"},
        {"By day & dusk": "owls/odds/by-day-dusk.md"},
    ] == odds
    return {path: text for path, text in pages(shown).items() if isinstance(text, str)}


def test_all_odds_at_a_glance(made: dict[str, str]) -> None:
    """At whom nothing matters, with the way to each group, what is taken for granted, and the file."""
    page = made["owls/odds.md"]

    assert (
        "[Soar &lt;high&gt;](odds/by-night.md#soar)<br><small>of a snow owl</small> | 25\xa0% | 50\xa0% | 1.00 |"
        in page
    )
    assert "| Flights | Seen | Caught | Mice on average |" in page
    assert "- Nobody is &lt;tired&gt;. [1.1]" in page
    assert "(downloads/odds.json)" in page
    assert "(downloads/odds.json) odds.json" in made["owls/downloads.md"]


def test_a_page_of_a_group_has_tables_and_pictures(made: dict[str, str]) -> None:
    """Targets at which all is alike share a column."""
    page = made["owls/odds/by-day-dusk.md"]

    assert '<th scope="col">barn owl and dusk owl</th><th scope="col">snow owl</th>' in page
    assert '<a href="#dive">Dive</a></th><td>20\xa0%</td><td>0\xa0%</td>' in page
    assert "### [Dive](../components.md#snow-owl) {#dive}" in page
    assert "soar" not in page
    assert 'aria-label="Seen, 0: 10 %. Caught, 0: 20 %. 2 caught, 0: 4 %."' in page.replace("\xa0", " ")
    assert 'aria-label="Seen, calm–storm: 10 %. Caught, calm: 20 %, storm: 100 %."' in page.replace("\xa0", " ")


def test_the_file_has_every_number(made: dict[str, str]) -> None:
    record = json.loads(made["owls/downloads/odds.json"])
    _, dive = record["attempts"]

    assert [-2, -1, 0, 1, 2] == record["modifiers"]
    assert [0.0, 0.1, 0.2, 0.3, 0.4] == dive["by-modifier"]["Caught"]
    assert [0.2, 1.0] == dive["with-card"]["Caught"]
    assert {"targets": ["snow-owl"], "numbers": {"Seen": 0.0, "Caught": 0.0, "2 caught": 0.0, "Mice": 0.0}} == dive[
        "at"
    ][1]


def test_many_targets_share_a_head() -> None:
    targets = [Target(f"owl-{n}", f"Owl {n}", "", 0, "") for n in range(5)]

    assert "Owl 0 and 4 others" == Counted(fly({}), WORDS).called(targets)
    assert "Owl 0, Owl 1 and Owl 2" == Counted(fly({}), WORDS).called(targets[:3])


def test_steps_and_bars_are_drawn_to_scale() -> None:
    """100 % is 88 high, from 104 at the bottom to 16. Two steps share 306, two bars of each panel 140."""
    drawn = ElementTree.fromstring(steps([0.5, 1], [[0, 0.25]], "<told>"))
    area, line = (path.get("d") for path in drawn.iter("path"))

    assert "<told>" == drawn.get("aria-label")
    assert "M34 60H187V16H340" == line
    assert "M34 104H187V82H340V104H34z" == area

    drawn = ElementTree.fromstring(bars([(0.5, [0.5, 1]), (0.25, [0, 0.25])], ""))
    paths = [path.get("d") for path in drawn.iter("path")]

    assert ["M35 104V60h68V104zM105 104V16h68V104z", "M34 60H174", "M271 104V82h68V104z", "M200 82H340"] == paths


def test_a_module_of_that_name_is_no_function() -> None:
    """The engine of Wolf-Man's Curse is a package with a module `odds`, and has charts."""
    assert isinstance(wolf_mans_curse.odds, ModuleType)
    assert find_odds(wolf_mans_curse) is None


def test_a_group_has_an_address() -> None:
    assert "odds/by-day-dusk.md" == group_page("By day & dusk")
