"""Catalogues: what is wrong with catalogues.yaml is told at its place, and pages show what content and engine say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from games_for_tests import FILES, write_game
from shown import bundled, show, texts

from grimalkin.content import load_game
from grimalkin.content.models import Component, value_of
from grimalkin.engine.words import Event
from grimalkin.games.cats_of_new_orleans.box import box_of
from grimalkin.games.cats_of_new_orleans.numbers import MOST_SKILLS
from grimalkin.games.cats_of_new_orleans.players.habits import behaviour
from grimalkin.parts.catalogues import pages as catalogues
from grimalkin.parts.catalogues.content import catalogues_of
from grimalkin.parts.catalogues.pages import EntryView, Shelf, parts_of
from grimalkin.problems import Problems
from grimalkin.site.pages import Shown, navigation, pages
from grimalkin.site.pages.links import Map
from grimalkin.site.pages.templates import load_words

pytestmark = pytest.mark.slow("writes the pages of a whole game")

DECKS = """\
  - id: beasts
    name: Beasts
    kind: card
    file: beasts.csv
    count: 3
    stock: poker
    faces: {front: plain-beast}
    columns:
      den: {type: choice, label: den, choices: [wood, cave]}
      size: {type: whole, label: size, least: 1, most: 9}
      bite: {type: text, label: bite, optional: yes}
      force: {type: whole, label: force, least: 0, most: 9, optional: yes, rule: TI-PLAY-1}
      traits: {type: text, label: traits, optional: yes, shown: no}
      prey: {type: text, label: prey, optional: yes, shown: no}
      tale: {type: text, label: tale, optional: yes}
  - id: cubs
    name: Cubs
    kind: card
    file: cubs.csv
    count: 2
    stock: poker
    faces: {front: plain-beast}
    columns:
      of: {type: text, label: of}
      age: {type: whole, label: age, least: 1, most: 9}
lists:
  - id: traits
    name: Traits
    file: traits.csv
    columns:
      does: {type: text, label: does}
      law: {type: text, label: rule}
"""
BEASTS = """\
id,name,count,den,size,bite,force,traits,prey,tale
bear,Bear,1,cave,9,Paw,0,,,
wolf,Wolf,1,wood,4,Fangs,5,"sly, fast",mouse,Howls at [[owl]].
fox,Fox,1,wood,2,,,sly,"mouse, owl",
"""
CUBS = "id,name,count,of,age\nfox-cub,Fox cub,1,fox,1\nwolf-cub,Wolf cub,1,wolf,2\n"
TRAITS = "id,name,does,law\nsly,Sly,Waits.,TI-PLAY-2\nfast,Fast,Runs.,TI-PLAY-1\n"
CATALOGUES = """\
catalogues:
  - id: dens
    title: Dens
    question: Who lives there?
    answer: Every beast.
    text: Beasts, by [[TI-PLAY-1]].
    deck: beasts
    by: [den]
    subtitle: den
    cells: [size]
    table: [size, force]
    lines: {heads: [Bite, Force], rows: [[bite, force]]}
    called: {force: {0: none}}
    sign: {force: "+"}
    texts: [{column: tale, quiet: yes}]
    lists: {traits: {list: traits, text: does, rule: law}}
    pieces: {prey: Eats}
    under:
      - title: Cubs
        deck: cubs
        column: of
        by: age
        levels:
          - {value: 1, name: First year, text: "See [[TI-PLAY-2]]."}
          - {value: 2, name: Second year}
"""


def beasts(folder: Path, yaml: str = CATALOGUES, **files: str) -> Path:
    return write_game(
        folder,
        **{
            "game.yaml": FILES["game.yaml"] + DECKS,
            "beasts.csv": BEASTS,
            "cubs.csv": CUBS,
            "traits.csv": TRAITS,
            "faces/plain-beast.svg.j2": FILES["faces/plain.svg.j2"].replace("{{ card.power }}", ""),
            "catalogues.yaml": yaml,
            **files,
        },
    )


def problems_of(folder: Path) -> list[str]:
    problems = Problems()
    load_game(folder, problems)
    return [str(problem).split("catalogues.yaml:")[-1] for problem in problems]


# What is wrong


def test_a_catalogue_that_names_what_is_there_has_no_problem(tmp_path: Path) -> None:
    assert problems_of(beasts(tmp_path / "beasts")) == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("deck: beasts", "deck: beast", '7: there is no deck "beast"; did you mean "beasts"?'),
        ("cells: [size]", "cells: [sise]", '10: the deck beasts has no column "sise"; did you mean "size"?'),
        ("by: [den]", "by: [dem]", '8: the deck beasts has no column "dem"; did you mean "den"?'),
        ("subtitle: den", "subtitle: dens", '9: the deck beasts has no column "dens"; did you mean "den"?'),
        ("table: [size, force]", "table: [force, sizes]", 'has no column "sizes"; did you mean "size"?'),
        ("[[bite, force]]", "[[bite, forse]]", '12: the deck beasts has no column "forse"; did you mean "force"?'),
        ("[[bite, force]]", "[[bite]]", "a row has 1 column, but there are 2 heads"),
        ("called: {force:", "called: {forces:", 'has no column "forces"; did you mean "force"?'),
        ("column: tale", "column: tales", '15: the deck beasts has no column "tales"; did you mean "tale"?'),
        ("{list: traits", "{list: trait", '16: there is no list "trait"; did you mean "traits"?'),
        ("text: does", "text: dose", '16: the list traits has no column "dose"; did you mean "does"?'),
        ("rule: law", "rule: laws", '16: the list traits has no column "laws"; did you mean "law"?'),
        ("column: of", "column: off", '21: the deck cubs has no column "off"; did you mean "of"?'),
        ("column: of", "column: age", "21: no piece of cubs names one of beasts in age"),
        ("by: age", "by: ages", '22: the deck cubs has no column "ages"; did you mean "age"?'),
        ("value: 2", "value: 3", '25: no piece has "3" in age'),
        ("          - {value: 2, name: Second year}\n", "", 'the level "2" is missing; the levels are 1, 2'),
        ("        by: age\n", "", "`by` and `levels` make a tree together"),
        ("    by: [den]", "    only: {den: lake}", '8: no piece of beasts has "lake" in den'),
        ("    by: [den]", "    behaviour: yes", "8: the engine of this game describes no behaviour; leave it out"),
        ("    by: [den]", "    expected: yes", "8: the engine of this game computes no expected numbers; leave it out"),
        ("    by: [den]", "    met: {deck: cub, column: of}", 'there is no deck "cub"; did you mean "cubs"?'),
        ("    by: [den]", "    met: {deck: cubs, column: off}", 'the deck cubs has no column "off"'),
        ("    by: [den]", "    named-by: [{deck: cubs, column: off, title: X}]", 'the deck cubs has no column "off"'),
        ("[[TI-PLAY-1]]", "[[TI-PLAY-9]]", "6: the reference [[TI-PLAY-9]] leads nowhere"),
        ("subtitle:", "sub-title:", 'unknown key "sub-title"'),
    ],
)
def test_what_is_named_in_vain_is_told_at_its_place(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in CATALOGUES
    (found, *more) = problems_of(beasts(tmp_path / "beasts", CATALOGUES.replace(old, new, 1)))

    assert told in found
    assert more == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"sly, fast"', '"sly, fats"', '16: "fats" in that column is not a row of traits; did you mean "fast"?'),
        ('"mouse, owl"', '"mouse, owls"', '17: "owls" in that column is not the id of a piece; did you mean "owl"?'),
    ],
)
def test_cells_that_name_what_is_not_there_are_told(tmp_path: Path, old: str, new: str, told: str) -> None:
    files = {"beasts.csv": BEASTS.replace(old, new)}

    assert problems_of(beasts(tmp_path / "beasts", **files)) == [told]


def test_two_catalogues_of_one_id_are_a_problem(tmp_path: Path) -> None:
    twice = CATALOGUES + CATALOGUES.removeprefix("catalogues:\n")

    problems = Problems()
    load_game(beasts(tmp_path / "beasts", twice), problems)

    assert ['the id "dens" is taken'] == [problem.message for problem in problems]


# What a page shows


@pytest.fixture(scope="module")
def dens(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    return show(beasts(tmp_path_factory.mktemp("dens") / "beasts"))


def entries(shown: Shown, catalogue: str) -> dict[str, EntryView]:
    """Every piece of a catalogue as its page shows it."""
    (one,) = [each for each in catalogues_of(shown.game) if each.id == catalogue]
    to = Map(shown, load_words())
    parts = range(1, len(parts_of(shown.game, one)) + 1)
    return {entry.row.id: entry for part in parts for group in Shelf(to, one, part).groups() for entry in group.entries}


def test_pieces_are_grouped_in_the_order_of_the_choices(dens: Shown) -> None:
    """The bear is the first of the table, and caves come after the wood."""
    assert list(entries(dens, "dens")) == ["wolf", "fox", "bear"]


def test_an_entry_tells_what_its_columns_hold(dens: Shown) -> None:
    wolf, bear = entries(dens, "dens")["wolf"], entries(dens, "dens")["bear"]

    assert (wolf.subtitle, wolf.cells) == ("wood", (("Size", "4", None),))
    assert wolf.lines is not None and wolf.lines.rows == (("Fangs", "5+"),)
    assert bear.lines is not None and bear.lines.rows == (("Paw", "none"),)
    assert entries(dens, "dens")["fox"].lines is None
    assert wolf.texts[0][1].startswith("Howls at [") and wolf.texts[0][2]


def test_what_it_names_of_a_list_is_told_with_the_rule(dens: Shown) -> None:
    assert entries(dens, "dens")["wolf"].lists == (
        ("Sly", "Waits.", "[1.2](../rules-play.md#TI-PLAY-2)"),
        ("Fast", "Runs.", "[1.1](../rules-play.md#TI-PLAY-1)"),
    )


def test_pieces_are_linked_where_they_are_shown(dens: Shown) -> None:
    fox = entries(dens, "dens")["fox"]

    assert fox.pieces == (("Eats", ("[Mouse](../components.md#mouse)", "[Owl](../components.md#owl)")),)


def test_a_tree_has_each_piece_on_its_level(dens: Shown) -> None:
    (under,) = entries(dens, "dens")["wolf"].under

    assert [(level.name, [one.row.id for one in on]) for level, _, on in under.levels] == [
        ("First year", []),
        ("Second year", ["wolf-cub"]),
    ]


def test_the_page_is_in_the_navigation_and_on_the_overview(dens: Shown) -> None:
    made = texts(pages(dens))
    (_, nav) = navigation([dens])

    assert {"Dens": "beasts/catalogues/dens.md"} in nav["Tiny"]
    assert "- [Who lives there?](catalogues/dens.md) Every beast." in made["beasts/index.md"]
    assert "# Dens\n" in made["beasts/catalogues/dens.md"]


def test_a_page_that_would_be_too_heavy_goes_on(dens: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in one group stays together."""
    monkeypatch.setattr(catalogues, "MOST_LETTERS", 1_000)
    (one,) = catalogues_of(dens.game)
    made = texts(pages(dens))

    assert [[row.id for row in part] for part in parts_of(dens.game, one)] == [["wolf", "fox"], ["bear"]]
    assert "# Dens, page 2 of 2\n" in made["beasts/catalogues/dens_2.md"]
    assert "Beasts, by" not in made["beasts/catalogues/dens_2.md"]


# The Cats of New Orleans


@pytest.fixture(scope="module")
def cats() -> Shown:
    return bundled("cats-of-new-orleans")


@pytest.fixture(scope="module")
def bestiary(cats: Shown) -> dict[str, EntryView]:
    return entries(cats, "bestiary")


@pytest.fixture(scope="module")
def heroes(cats: Shown) -> dict[str, EntryView]:
    return entries(cats, "heroes")


def of_deck(shown: Shown, deck: str) -> Iterator[Component]:
    return iter(shown.game.components[deck])


def test_the_bestiary_shows_every_foe_and_its_aspects(cats: Shown, bestiary: dict[str, EntryView]) -> None:
    foes = {row.id for row in of_deck(cats, "foes")}
    aspects = {one.row.id for entry in bestiary.values() for under in entry.under for one in under.entries}

    assert set(bestiary) | aspects == foes
    assert len(aspects) == 6


def test_numbers_of_a_foe_stand_beside_what_they_come_to(bestiary: dict[str, EntryView]) -> None:
    """Of 50 cards 8+ are the 20 from 8 to Queen and the red Joker; 10+ are 12 and the Joker, 7+ 24 and the Joker."""
    lines = bestiary["pistoleers"].lines

    assert lines is not None
    assert lines.rows == (
        ("Tooth and Claw", "1", "1", "8+", "10+", "–", "42 %", "0.26"),
        ("Pistols", "1", "4", "7+", "10+", "ace", "50 %", "0.26"),
    )


def test_what_always_hits_is_told_so(bestiary: dict[str, EntryView]) -> None:
    lines = bestiary["bayou-mosquitos"].lines

    assert lines is not None and lines.rows[0][3:5] == ("always", "always")


def test_a_foe_tells_where_it_is_met(cats: Shown, bestiary: dict[str, EntryView]) -> None:
    """As the scenarios say: how many are in the pool, and who comes later, where and when."""
    streets = next(one for one in cats.game.scenarios if one.id == "streets")
    later = next(one for one in streets.apart if one.piece == "marker-stinkers")
    met = bestiary["pistoleers"].met or ()

    assert f"{streets.pool['marker-pistoleers']} in the pool" in next(one for one in met if streets.title in one)
    assert all("(../scenarios/" in one for one in met)
    assert any(
        f"{later.count} on {later.mark}, from space {later.round} of the round track" in one
        for one in bestiary["stinkers"].met or ()
    )


def test_what_the_engine_tells_of_a_foe_is_on_its_page(cats: Shown, bestiary: dict[str, EntryView]) -> None:
    for id_, entry in bestiary.items():
        shown = [one.text for _, habits in entry.habits for one in habits]

        assert len(shown) == len(behaviour(cats.game.facts, id_)) > 5


def reasons(shown: Shown) -> Iterator[tuple[str, Event]]:
    """Why vermin did what they did in any example or playthrough, each with who it was."""
    for trace in shown.traces.values():
        who = ""
        for event in (event for step in trace.steps for event in step.events):
            if event.rule == "NO-VERM-1" and "ap" in event.facts:
                who = str(event.facts["vermin"])
            elif event.is_reason:
                yield who, event


def test_a_foe_decides_by_nothing_that_its_page_does_not_tell(cats: Shown, bestiary: dict[str, EntryView]) -> None:
    """In all that is played on the site, each measure has a rule that is told of that foe, or of one of its Aspects."""
    box = box_of(cats.game.facts)
    foes = {marker.word: box.foe(marker.foe) for marker in box.markers}
    decided: dict[str, set[str]] = {}
    for who, event in reasons(cats):
        word = who if who in foes else who.rpartition("-")[0]
        if word in foes:
            decided.setdefault(foes[word].id, set()).add(event.rule)

    assert len(decided) > 8
    for id_, rules in decided.items():
        told = [id_, *(box.ids[aspect] for aspect in box.foe(box.numbers[id_]).aspects)]

        assert rules <= {rule for one in told for habit in behaviour(cats.game.facts, one) for rule in habit.rules}


def test_what_all_foes_do_is_marked(bestiary: dict[str, EntryView]) -> None:
    """That it makes no attack while it lies face down, for one; but not how it is stunned, if it can be."""
    common = {one.text for entry in bestiary.values() for _, habits in entry.habits for one in habits if one.is_common}

    assert any(text.startswith("It has 1 AP and no powers") for text in common)
    assert not any("Stun" in text for text in common)


def test_a_hero_has_nine_skills_on_three_levels(heroes: dict[str, EntryView]) -> None:
    """Four, three and two; of which as many come along as the engine allows (NO-SKILL-5)."""
    for entry in heroes.values():
        (tree,) = entry.under

        assert [len(on) for _, _, on in tree.levels] == [4, 3, 2]
        for level, text, _ in tree.levels:
            assert f"up to {MOST_SKILLS[int(level.value)]}" in text


def test_prices_of_training_are_those_of_the_rule(cats: Shown) -> None:
    """NO-SKILL-3 says what each level costs."""
    (one,) = [each for each in catalogues_of(cats.game) if each.id == "heroes"]
    rule = cats.game.rules["NO-SKILL-3"].text
    for level, price in zip(one.under[0].levels, (20, 40, 65), strict=True):
        assert re.search(rf"\b{price}\b[^,.]* (at|for) level {level.value}\b", rule)
        assert f"costs {price} bucks" in (level.text or "")


def test_weapons_and_heroes_lead_to_each_other(cats: Shown, heroes: dict[str, EntryView]) -> None:
    armoury = entries(cats, "armoury")
    (title, links) = armoury["pepperbox"].pieces[0]

    assert title == "Preferred by"
    assert [link for link in links if link.startswith("[Patch](heroes")]
    assert any("armoury" in link and "#pepperbox" in link for link in heroes["patch"].pieces[0][1])


def test_the_armoury_compares_weapons_and_nothing_else(cats: Shown) -> None:
    (one,) = [each for each in catalogues_of(cats.game) if each.id == "armoury"]
    to, tables = Map(cats, load_words()), []
    for part in range(1, len(parts_of(cats.game, one)) + 1):
        tables += [(group.titles, group.table) for group in Shelf(to, one, part).groups() if group.table]
    weapons = [row for row in of_deck(cats, "loot") if value_of(row, "kind") == "weapon"]

    assert [titles for titles, _ in tables] == [(f"Level {level}", "Weapon") for level in (1, 2, 3)]
    assert sum(len(table.rows) for _, table in tables) == len(weapons)


def test_all_loot_is_in_the_armoury(cats: Shown) -> None:
    shown: Any = entries(cats, "armoury")

    assert set(shown) == {row.id for row in of_deck(cats, "loot")}
