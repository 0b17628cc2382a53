"""The Cats of New Orleans, from one scenario to the next: what is kept, what comes, and what a lost scenario costs."""

from __future__ import annotations

from typing import Any, Final

import pytest
from cats_yard import FACTS

from grimalkin.engine.campaigns import Chapter, Kept
from grimalkin.engine.chance import Seeded
from grimalkin.engine.play import play_out
from grimalkin.engine.shape import Misfits
from grimalkin.games.cats_of_new_orleans import BOTS, CAMPAIGN, start
from grimalkin.games.cats_of_new_orleans.numbers import OUT
from grimalkin.games.cats_of_new_orleans.state import State

SEATS: Final = ("Ada", "Basil")
PARTY: Final = ("minou", "patch")
MOST: Final = 20_000


def begun(**options: Any) -> Kept:
    return CAMPAIGN.begin(FACTS, SEATS, {"heroes": list(PARTY), **options})


def kept(**more: Any) -> dict[str, Any]:
    """What two heroes keep, who have come through the first two scenarios."""
    heroes = {"minou": {"lives": 5, "weapons": ["pepperbox"]}, "patch": {"lives": 0, "bucks": 7}}
    return {"heroes": heroes, "won": ["bad-times", "streets"], **more}


def only(kept: Kept) -> Chapter:
    (chapter,) = CAMPAIGN.chapters(FACTS, kept)
    return chapter


def laid(kept: Kept, seed: int = 1) -> tuple[Chapter, State]:
    """The next chapter as it begins."""
    chapter = only(kept)
    return chapter, start(FACTS, SEATS, chapter.options, Seeded(seed))


def after(chapter: Chapter, kept: Kept, state: State, won: bool) -> Kept:
    """What is kept when a chapter has ended so."""
    state.won, state.lost = won, "" if won else "Steam"
    return CAMPAIGN.after(FACTS, kept, chapter, state)


def test_a_campaign_begins_with_nine_lives_and_the_first_scenario() -> None:
    first = begun(difficulty="hard")

    assert first == {"difficulty": "hard", "heroes": {"minou": {"lives": 9}, "patch": {"lives": 9}}}
    assert (only(first).id, only(first).rests) == ("bad-times", False)
    assert only(first).options["difficulty"] == "hard"


@pytest.mark.parametrize("wrong", [{"heroes": ["minou"]}, {"heroes": ["minou", "minou"]}, {"heroes": ["minou", "pat"]}])
def test_a_party_has_two_heroes_or_four(wrong: dict[str, Any]) -> None:
    with pytest.raises(Misfits):
        CAMPAIGN.begin(FACTS, SEATS, wrong)


def test_after_the_first_scenario_each_hero_takes_a_weapon_and_the_boat_is_closed() -> None:
    chapter, state = laid(begun())
    then = after(chapter, begun(), state, won=True)
    following, streets = laid(then)

    assert then["won"] == ["bad-times"]
    assert (following.id, following.rests) == ("streets", True)
    assert streets.todo[-1][1] == "take_preferred"


def test_after_the_streets_something_is_read_and_before_the_boat_is_won_nothing_is_bought() -> None:
    chapter, state = laid(kept(won=["bad-times"]))
    state.heroes[1].lives, state.heroes[1].place = 0, OUT
    then = after(chapter, kept(won=["bad-times"]), state, won=True)
    between, levee = laid(then)
    assert (chapter.id, between.id, between.rests) == ("streets", "after-streets", True)
    assert levee.legal() == [("first",), ("second",)]

    levee.apply(("second",))
    later = CAMPAIGN.after(FACTS, then, between, levee)

    assert levee.result() is not None
    assert later["log"] == [16]
    assert later["heroes"]["patch"]["lives"] == 5  # none, and five days of soup
    assert only(later).id == "hijacked"
    assert "after" not in later


def test_a_lost_scenario_costs_nothing_but_the_evening() -> None:
    before = kept(log=[14], events=["close-to-the-bank"])
    chapter, state = laid(before)
    state.heroes[0].lives, state.heroes[0].loot, state.entries = 1, [], [14, 15]

    assert after(chapter, before, state, won=False) == before
    assert not only(after(chapter, {**before, "after": "streets"}, state, won=False)).rests


def test_what_heroes_have_and_know_comes_along() -> None:
    has = {"lives": 4, "bucks": 3, "weapons": ["pepperbox"], "loot": ["stash-1", "hatpin"], "skills": ["roof-paths"]}
    before = kept(heroes={"minou": has, "patch": {"lives": 0}})
    aspects = [card for card in FACTS["components"] if FACTS["components"][card].get("part") == "aspect"]
    before["aspects-lost"] = aspects[:1]
    chapter, state = laid(before)
    minou, patch = state.heroes
    ids = state.box.ids

    assert (minou.lives, minou.bucks, [ids[card] for card in minou.weapons]) == (4, 3, ["pepperbox"])
    assert sorted(ids[card] for card in minou.loot) == ["hatpin", "stash-1"]
    assert [ids[card] for card in minou.skills] == ["roof-paths"]
    assert patch.lives == 1  # NO-AMB-40: where there was no drink, it begins with 1 all the same
    assert [ids[card] for card in state.aspects_lost] == aspects[:1]
    assert len(state.aspects) == 5
    assert chapter.id == "hijacked"


def test_the_free_skill_is_chosen_in_the_third_scenario_and_kept_with_those_laid_aside() -> None:
    chapter, state = laid(kept(), seed=3)
    questions = {one[1] for one in state.todo if one[0] == "ask"} | {one[0] for one in state.todo}
    assert "learn" in questions or "learn_skill" in questions

    many = [id_ for id_, piece in FACTS["components"].items() if piece.get("hero") == "minou" and piece["level"] == 1]
    heroes = {"minou": {"lives": 9, "skills": many}, "patch": {"lives": 9}}
    chapter, state = laid(kept(heroes=heroes))
    assert len(many) == 4
    assert state.todo[-1][1] == "bring"
    while state.todo[-1][1] == "bring":  # bots bring as many as may come
        state.apply(BOTS["sensible"](1)(state.view(state.to_act()), state.legal()))
    assert len(state.heroes[0].skills) == 3
    then = after(chapter, kept(heroes=heroes), state, won=True)
    assert then["heroes"]["minou"]["skills"] == many


def test_rumours_of_the_next_scenario_are_kept_until_it_is_won() -> None:
    then = kept(won=["bad-times", "streets", "hijacked"], after="hijacked", heard=["ring-of-barrels"])
    chapter = only(then)
    assert (chapter.id, chapter.title, chapter.rests) == ("after-hijacked", "The Riverboat", True)
    for seed in range(200):
        state = start(FACTS, SEATS, chapter.options, Seeded(seed))
        if state.box.ids[state.event] == "captains-short-cut":
            break
    assert state.box.ids[state.event] == "captains-short-cut"
    while state.to_act() >= 0:
        state.apply(state.legal()[-1])  # onward

    later = CAMPAIGN.after(FACTS, then, chapter, state)

    assert later["initiative"] == "heroes"
    assert later["heard"] == ["ring-of-barrels", "captains-short-cut"]
    assert CAMPAIGN.chapters(FACTS, later) == []


def test_no_rumour_comes_twice_before_all_have_come() -> None:
    events = [id_ for id_, piece in FACTS["components"].items() if piece["deck"] == "events"]
    then = kept(won=["bad-times", "streets", "hijacked"], after="hijacked", heard=events[1:])
    chapter, state = laid(then)

    assert state.box.ids[state.event] == events[0]
    while state.to_act() >= 0:
        state.apply(state.legal()[-1])
    assert CAMPAIGN.after(FACTS, then, chapter, state)["heard"] == [events[0]]


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"heroes": {"minou": {"lives": 3}}}, ()),
        ({"heroes": {"minou": {"lives": 3}, "pat": {"lives": 3}}}, ("heroes", "pat")),
        ({"heroes": {"minou": {"lives": 10}, "patch": {"lives": 3}}}, ("heroes", "minou", "lives")),
        (
            {"heroes": {"minou": {"lives": 3, "weapons": ["candle-stub"]}, "patch": {"lives": 3}}},
            ("heroes", "minou", "weapons", 0),
        ),
        (
            {"heroes": {"minou": {"lives": 3, "weapons": ["hatpin"]}, "patch": {"lives": 3, "loot": ["hatpin"]}}},
            ("heroes", "patch", "loot", 0),
        ),
        (
            {"heroes": {"minou": {"lives": 3, "skills": ["dance-of-blades"]}, "patch": {"lives": 3}}},
            ("heroes", "minou", "skills", 0),
        ),
        ({"heroes": {"minou": {"lives": 3}, "patch": {"lives": 3}}, "won": ["street"]}, ("won", 0)),
    ],
)
def test_what_was_written_by_hand_is_checked(wrong: dict[str, Any], place: tuple[str | int, ...]) -> None:
    found = CAMPAIGN.check(FACTS, wrong)

    assert found
    assert place in {misfit.at for misfit in found} or (not place and "two or four" in str(found[0]))


def test_an_adventure_log_is_told_line_by_line() -> None:
    lines = CAMPAIGN.standing(FACTS, kept(log=[8, 14]))
    told = {(line.whose, line.what): (line.value, line.rule) for line in lines}

    assert told["", "Entries in the log"] == ("8, 14", "NO-SCN-9")
    assert told["minou", "Lives"] == ("5", "NO-CHR-1")
    assert told["patch", "Bucks"] == ("7", "NO-AMB-72")
    assert told["minou", "Weapons"] == ("Pepperbox", "NO-CHR-6")


def lives_of_campaign(seed: int) -> tuple[list[str], Kept]:
    """A campaign played by sensible bots: the chapters they came to, and what they kept."""
    then, played = begun(heroes=["minou", "patch", "lunette", "murray"]), []
    while (chapters := CAMPAIGN.chapters(FACTS, then)) and len(played) < 40:
        chapter = chapters[0]
        state = start(FACTS, SEATS, chapter.options, Seeded(f"{seed}-{len(played)}"))
        play_out(state, [BOTS["sensible"](seed + seat) for seat in range(2)], MOST)
        then = CAMPAIGN.after(FACTS, then, chapter, state)
        assert not CAMPAIGN.check(FACTS, then)
        played.append(chapter.id)
    return played, then


@pytest.mark.slow("plays whole campaigns")
@pytest.mark.parametrize("seed", range(6))
def test_sensible_parties_come_to_the_end_of_the_campaign(seed: int) -> None:
    played, then = lives_of_campaign(seed)

    assert then["won"] == ["bad-times", "streets", "hijacked"]
    assert played[-1] == "after-hijacked"
    assert all(1 <= has["lives"] <= 9 for has in then["heroes"].values())
