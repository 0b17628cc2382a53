"""The Cats of New Orleans: the numbers are the Guide Book's, the sentences are read, and what they name is there."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from cats_yard import FACTS, PIECES, POWERS
from games_for_tests import bundled_game
from soak import sample

from grimalkin.content import as_variant
from grimalkin.engine.phrases import NotRead
from grimalkin.games.cats_of_new_orleans import check_facts
from grimalkin.games.cats_of_new_orleans.facts import HOOKS, every_text, names_in
from grimalkin.games.cats_of_new_orleans.phrases import TABLE, names_of


@cache
def names() -> Any:
    return names_of(FACTS)


@cache
def all_texts() -> list[str]:
    return sorted({text for _, text in every_text(FACTS)})


def of_deck(deck: str) -> dict[str, dict[str, Any]]:
    return {id_: piece for id_, piece in PIECES.items() if piece["deck"] == deck}


# What the Guide Book gives


ROWS = {
    "bayou-bitters": [(2, 1, 6, 9), (1, 4, 7, 10)],
    "bayou-mosquitos": [(1, 0, 0, 0)],
    "croc": [(2, 1, 7, 9)],
    "pistoleers": [(1, 1, 8, 10), (1, 4, 7, 10)],
    "roux-poubelle": [(1, 1, 9, 5)],
    "sacrebleu": [(2, 1, 8, 7)],
    "stinkers": [(1, 1, 6, 9), (1, 1, 5, 8)],
    "viceroy": [(2, 1, 5, 8)],
    "psycho": [(3, 1, 6, 8)],
    "pimp": [(3, 1, 4, 9)],
    "corrupted": [(3, 1, 5, 12)],
    "bandit": [(2, 4, 7, 10)],
    "assassin": [(1, 8, 9, 6)],
    "decayed": [(2, 1, 6, 9)],
}
"""Draws, Range, Stun and Wound of each attack, 0 for always, as the foe cards and the side table print them."""
PRINTED_POWERS = {
    "bayou-bitters": "cornered",
    "bayou-mosquitos": "flying short-lived swarming",
    "croc": "boss camouflage swimmer thick-skinned",
    "george-burr": "boss dodge precision",
    "mort": "bokor boss glider leadership mending-charm",
    "pistoleers": "cornered precision",
    "roux-poubelle": "boss counterattack frenzy terrifying",
    "sacrebleu": "boss dodge flying glider",
    "stinkers": "stinkblast",
    "viceroy": "boss large leadership shell-armor swimmer",
    "rat-king": "boss conjoined large revolving-personality",
    "psycho": "frenzy",
    "pimp": "counterattack",
    "corrupted": "leadership",
    "bandit": "dodge",
    "assassin": "precision",
    "decayed": "terrifying",
}


@pytest.mark.parametrize("id_", ROWS)
def test_attacks_of_foes_are_as_printed(id_: str) -> None:
    foe = PIECES[id_]
    numbers = ("draws", "range", "stun", "wound")
    rows = [tuple(foe[f"{name}{behind}"] for name in numbers) for behind in ("", "-2") if foe[f"attack{behind}"]]

    assert ROWS[id_] == rows
    assert foe["raw"], "the printed row stands beside it"


def test_every_foe_has_its_powers() -> None:
    """The garbled ones of the aspects by their right names (NO-AMB-53)."""
    assert {id_: set(words.split()) for id_, words in PRINTED_POWERS.items()} == {
        id_: set(names_in(foe["powers"])) for id_, foe in of_deck("foes").items()
    }


def test_only_mosquitos_always_hit() -> None:
    assert ["bayou-mosquitos"] == [id_ for id_, foe in of_deck("foes").items() if foe["stun"] == 0 or foe["wound"] == 0]


def test_the_printed_range_is_kept_where_it_is_doubtful() -> None:
    """NO-AMB-50: in rows of four the second value repeats the first; in rows of five it is one too many and goes."""
    printed = {id_: foe["printed-range"] for id_, foe in of_deck("foes").items() if foe["printed-range"] is not None}

    assert printed == {
        "croc": 2,
        "roux-poubelle": 1,
        "sacrebleu": 2,
        "stinkers": 1,
        "viceroy": 2,
        "psycho": 3,
        "pimp": 3,
        "corrupted": 3,
    }
    assert all(PIECES[id_]["doubtful"] for id_ in printed)


def test_the_printed_reading_can_be_printed() -> None:
    game = bundled_game("cats-of-new-orleans")
    (variant,) = game.info.variants
    foes = as_variant(game, [variant]).facts["components"]

    assert "printed-ranges" == variant.id
    assert (2, 3, 4) == (foes["croc"]["range"], foes["psycho"]["range"], foes["pistoleers"]["range-2"])
    assert (1, 1) == (PIECES["croc"]["range"], PIECES["psycho"]["range"])


def test_numbers_that_are_ours_say_so() -> None:
    """Health and AP that the document gives: two of the Bitters, one of the Pistoleers, AP of mosquitos, Rat King."""
    given = {"bayou-bitters"}
    foes = {id_: foe for id_, foe in of_deck("foes").items() if foe["part"] == "foe"}

    assert given == {id_ for id_, foe in foes.items() if not foe["ours"]}
    assert (2, 2, 1) == (foes["bayou-bitters"]["health"], foes["bayou-bitters"]["ap"], foes["pistoleers"]["health"])
    assert (1, 2) == (foes["bayou-mosquitos"]["ap"], foes["rat-king"]["ap"])


def test_there_are_twenty_four_powers() -> None:
    """Each with its rule; at most six say what no sentence can."""
    assert {f"NO-PWR-{number}" for number in range(1, 25)} == {power["rule"] for power in POWERS.values()}
    assert HOOKS == {power["code"] for power in POWERS.values() if power["code"]}
    assert len(HOOKS) <= 6


@pytest.mark.parametrize(
    ("id_", "level", "least_range", "stun", "wound"),
    [
        ("pepperbox", 1, 3, (2, 5), (2, 16)),
        ("cavalry-saber", 1, 1, (2, 8), (2, 8)),
        ("throwing-knives", 1, 1, (2, 8), (9, 16)),
        ("old-navy-revolver", 1, 2, (2, 12), (2, 12)),
    ],
)
def test_weapons_agree_with_the_printed_examples(
    id_: str, level: int, least_range: int, stun: tuple[int, int], wound: tuple[int, int]
) -> None:
    """Five of Hearts stuns; 10 - 2 stuns and wounds; 8 stuns and 16 wounds, but 8 does not; 12 does both."""
    weapon = PIECES[id_]

    assert ("weapon", level) == (weapon["kind"], weapon["level"])
    assert least_range <= weapon["range"]
    assert stun[0] <= weapon["stun"] <= stun[1]
    assert wound[0] <= weapon["wound"] <= wound[1]


@pytest.mark.parametrize(
    ("deck", "count"),
    [("poker-deck", 54), ("heroes", 9), ("skills", 81), ("loot", 100), ("events", 20), ("foes", 17), ("standees", 23)],
)
def test_the_box_holds_what_is_promised(deck: str, count: int) -> None:
    assert count == sum(piece["count"] for piece in of_deck(deck).values())


def test_tokens_are_as_many_as_the_box_lists() -> None:
    """Civilians are left open in print, and we give four; 14 vermin markers besides the mosquitos'."""
    counts = {id_: piece["count"] for id_, piece in of_deck("markers").items()}
    kinds = Counter(dict.fromkeys(("cat", "vermin"), 0))
    for piece in of_deck("markers").values():
        kinds[piece["kind"]] += piece["count"]
    listed = [("round-marker", 1), ("objective-token", 6), ("depleted-token", 6), ("wound-token", 12)]
    listed += [("stun-marker", 8), ("vulnerable-marker", 4), ("loot-token", 8), ("zombie-token", 12)]
    listed += [("stinkbomb-token", 4), ("smoke-token", 2), ("summon-marker", 5), ("marker-bayou-mosquito", 10)]

    assert dict(listed).items() <= counts.items()
    assert (9, 10 + 14) == (kinds["cat"], kinds["vermin"])


def test_the_poker_deck_is_half_red() -> None:
    """50 cards without the kings: 25 red, 25 black; 17 of 9 and more, 25 of 7 and more."""
    cards = [card for card in of_deck("poker-deck").values() if card["name"][:4] != "King"]

    assert {"red": 25, "black": 25} == Counter(card["colour"] for card in cards)
    assert (17, 25) == tuple(sum(card["value"] >= least for card in cards) for least in (9, 7))


def test_every_hero_has_nine_skills_on_three_levels() -> None:
    """Four, three and two, of which three, two and one are brought along (NO-SKILL-5)."""
    levels = {
        hero: Counter(s["level"] for s in of_deck("skills").values() if s["hero"] == hero) for hero in of_deck("heroes")
    }

    assert 9 == len(levels)
    assert [{1: 4, 2: 3, 3: 2}] * 9 == list(levels.values())


def test_the_loot_of_scenario_one_holds_what_its_rules_ask() -> None:
    """Without weapons there are enough cards; and every hero finds a preferred weapon of level 1 afterwards."""
    cards = [card for card in of_deck("loot").values() if card["level"] == 1]

    assert sum(card["count"] for card in cards if card["kind"] != "weapon") >= 20
    assert all(len(names_in(hero["weapons"])) >= 2 for hero in of_deck("heroes").values())


# Sentences


def test_every_sentence_prints_as_it_was() -> None:
    assert len(all_texts()) > 200
    assert all_texts() == [TABLE.print(TABLE.read(text, names()), names()) for text in all_texts()]


@pytest.mark.slow("reads hundreds of sentences")
@pytest.mark.soak
def test_a_word_left_out_never_reads_as_the_original() -> None:
    def read(text: str) -> Any:
        with suppress(NotRead):
            return TABLE.read(text[:1].upper() + text[1:], names())
        return None

    def without(text: str, number: int) -> str:
        words = text.split(" ")
        return " ".join(words[:number] + words[number + 1 :])

    left_out = [
        (text, without(text, number)) for text in sample(all_texts(), 40) for number in range(text.count(" ") + 1)
    ]

    assert [] == [shorter for text, shorter in left_out if read(shorter) == read(text)]


def test_every_phrase_is_used_or_offered() -> None:
    """A form that no text has is marked as offered, with an example that has it."""
    used = {(kind, form.name) for text in all_texts() for kind, form in TABLE.uses(TABLE.read(text, names()))}
    unused = [(kind.name, form.name) for kind, form in TABLE.every_form() if (kind.name, form.name) not in used]
    offered = {(kind.name, form.name) for kind, form in TABLE.every_form() if form.offered}

    assert [] == [form for form in unused if form not in offered]


@pytest.mark.parametrize(
    ("kind", "name", "example"),
    [(kind.name, form.name, form.example) for kind, form in TABLE.every_form() if form.offered],
)
def test_what_is_offered_has_an_example_that_reads(kind: str, name: str, example: str) -> None:
    assert (kind, name) in {(where, form.name) for where, form in TABLE.uses(TABLE.read(example, names()))}


def test_no_two_forms_of_a_kind_are_worded_alike() -> None:
    wordings = Counter((kind.name, form.pattern) for kind, form in TABLE.every_form())

    assert [] == [wording for wording, count in wordings.items() if count > 1]


def test_few_cards_need_code() -> None:
    """One in twenty at most; powers are counted by themselves."""
    cards = [piece for piece in PIECES.values() if "text" in piece and piece["deck"] != "records"]

    assert len([card for card in cards if card.get("code")]) * 20 <= len(cards)


# What is checked


Change = Callable[[dict[str, Any]], None]
FAULTS: dict[str, tuple[Change, str]] = {
    "power": (lambda f: f["components"]["croc"].update(powers="boss, camuflage"), 'there is no power "camuflage"'),
    "hook": (lambda f: f["lists"]["powers"]["large"].update(code="huge"), 'no code implements the hook "huge"'),
    "numbers": (lambda f: f["components"]["croc"].update(wound=None), "the attack Jaws has no wound"),
    "aspect": (lambda f: f["components"]["psycho"].update(health=3), 'the column "health" does not fit the part'),
    "price": (lambda f: f["components"]["pepperbox"].update(price=None), 'the column "price" is empty'),
    "weapon": (lambda f: f["components"]["patch"].update(weapons="pepperpot"), 'there is no weapon "pepperpot"'),
    "skills": (lambda f: f["components"].pop("dance-of-blades"), "8 skills of 3 levels"),
    "entry": (lambda f: f["entries"].pop("1"), "there is no entry 1"),
    "lost entry": (
        lambda f: f["entries"].update({"99": {"number": 99, "title": "x", "text": "y"}}),
        "nothing ever reads entry 99",
    ),
    "pool": (lambda f: f["scenarios"]["bad-times"]["pool"].update({"marker-croc": 2}), "2 markers of Croc are needed"),
    "marker": (lambda f: f["scenarios"]["bad-times"]["pool"].update({"croc": 1}), 'there is no vermin marker "croc"'),
    "mark": (lambda f: f["maps"]["bon-temps"]["marks"].pop("k2"), "no square of The Bon Temps is marked H"),
    "tokens": (lambda f: f["components"]["loot-token"].update(count=5), "squares marked L on The Bon Temps"),
    "deck": (lambda f: f["scenarios"]["bad-times"].update(loot=[4]), "no loot card is left for it"),
    "left out": (lambda f: f["scenarios"]["bad-times"].update(without=["wepon"]), 'no loot is "wepon"; did you mean'),
    "sheet": (lambda f: f["components"].pop("map-natchez-3"), "no sheet of The Natchez begins with column 13"),
    "plate": (lambda f: f["components"].pop("track-natchez"), "The Natchez has no title plate"),
    "sentence": (
        lambda f: f["components"]["pepperbox"].update(text="Gain one AP."),
        'it stops making sense at "one AP."',
    ),
}


def test_the_game_itself_has_no_faults() -> None:
    assert [] == check_facts(FACTS)


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_missing_is_told(fault: str) -> None:
    change, told = FAULTS[fault]
    facts = copy.deepcopy(FACTS)
    change(facts)

    assert any(told in str(misfit) for misfit in check_facts(facts)), [str(misfit) for misfit in check_facts(facts)]
