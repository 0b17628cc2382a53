"""Odds that an engine has counted out: the command that tells them."""

from __future__ import annotations

import json
import re

import pytest

from grimalkin.cli import main

GAME = "cats-of-new-orleans"


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

    assert ["1 Wound", "49.0 %", "100 %", "+51.0"] == row(text, "1 Wound")
    assert ["Stun", "34.7 %", "34.7 %", "0"] == row(text, "Stun")

    text = told(capsys, "boarding-axe", "pistoleers", "--holding", "7H", "--seen", "Q,qh,QD,9c")

    assert "4 cards cannot come, save after a shuffle: 9, 3 × Queen" in text
    assert ["1 Wound", "44.4 %", "100 %", "+55.6"] == row(text, "1 Wound")


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
        (["peperbox"], 'ATTEMPT: there is no "peperbox" to be tried; did you mean "pepperbox"?'),
        (["pepperbox", "crocs"], 'TARGET: "crocs" is nothing that Pepperbox is aimed at; did you mean "croc"?'),
        (
            ["pepperbox", "croc", "--when", "stuned"],
            '--when: there is no circumstance "stuned"; did you mean "stunned"?',
        ),
        (["pepperbox", "--seen", "1H"], '--seen: there is no card "1H"; did you mean "10H"?'),
        (["pepperbox", "--seen", "9h", "--holding", "9H"], "--seen: 9h is named twice"),
        (["pepperbox", "--seen", "9,9,9,9", "--holding", "9"], "--seen: there are no more of 9"),
        (["pepperbox", "--holding", "2,3,4,5"], "--holding: 4 cards are too many; 3 at most are held"),
        (["--left", "2"], "--left: there is no ATTEMPT that this is about; name one before it"),
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
    assert "werecats: Werecats counts no odds out; `grimalkin simulate` may tell more\n" == capsys.readouterr().err
