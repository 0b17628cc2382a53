"""The index of the search: what is found where, by hand; and that every game, and every place once, is in it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from games_for_tests import write_game
from shown import show

from grimalkin.content import load_game
from grimalkin.problems import Problems
from grimalkin.site.pages import build_site
from grimalkin.site.pages.search_index import Entry, Keywords, entries, index_of, words_of
from grimalkin.site.pages.templates import load_synonyms, load_words


def entry(title: str, text: str = "", asked: str = "") -> Entry:
    return Entry(f"page.html#{title}", title, text, "r", "Page", asked)


def posts(index: Mapping[str, Any], word: str) -> dict[int, int]:
    """Which entries have a word, and its worth for each, read as the script reads it."""
    at = next(n for n, forms in enumerate(index["words"].split("|")) if word in forms.split(" "))
    found, number = {}, -1
    for step, worth in re.findall(r"([0-9a-z]*)([A-Z])", index["posts"].split("|")[at]):
        number += int(step, 36) if step else 1
        found[number] = ord(worth) - 64
    return found


def test_a_word_counts_most_in_a_title_then_in_what_players_ask() -> None:
    index = index_of(
        [entry("Owl"), entry("Cat", "A cat."), entry("Hen", asked="Who is an owl?"), entry("Rat", "An owl.")], []
    )

    found = posts(index, "owl")
    assert [0, 2, 3] == list(found)
    assert found[0] > found[2] > found[3]


def test_all_forms_of_a_word_stand_together() -> None:
    index = index_of([entry("Drawing"), entry("Draw"), entry("Cards", "He draws cards.")], [])

    assert "draw drawing draws" in index["words"]
    assert [0, 1, 2] == list(posts(index, "draws"))


def test_short_words_have_forms_too() -> None:
    """Stemmers before version 3 took `add` and `added` for two words."""
    index = index_of([entry("Added"), entry("Adding", "It adds."), entry("Add")], [])

    assert [0, 1, 2] == list(posts(index, "add"))


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    some = [entry(f"Number {n}", "a common card") for n in range(8)] + [entry("Last", "a common rarity")]
    index = index_of(some, [])

    assert posts(index, "rarity")[8] > posts(index, "common")[8]


def test_steps_between_entries_are_told_in_base_36() -> None:
    """The word is in the first and in the fortieth entry: 39 further is 13 in base 36."""
    index = index_of([entry("Owl"), *[entry(f"Hen {n}") for n in range(38)], entry("Owl")], [])

    assert [0, 39] == list(posts(index, "owl"))
    assert re.search(r"\|[A-Z]13[A-Z]$|[A-Z]13[A-Z](\||$)", index["posts"])  # type: ignore[arg-type]


def test_accents_capitals_and_possessives_are_no_part_of_a_word() -> None:
    assert ["wolf", "man", "cafes", "set", "up"] == words_of("Wolf-Man’s CAFÉS: set-up")


def test_a_place_that_repeats_another_is_left_out() -> None:
    """All rules on one page repeat what their sections say; the page itself can be found, by the words in its head.
    What one seat saw of a playthrough repeats the playthrough, on the whole page."""
    docs = [
        {"location": "tiny/rules.html", "title": "All rules", "text": ""},
        {"location": "tiny/rules.html#r1.1", "title": "1.1 Play", "text": "Play."},
        {"location": "tiny/rules-play.html#TI-PLAY-1", "title": "1.1 Play", "text": "Play."},
        {"location": "tiny/rules-play.html", "title": "Playing", "text": ""},
        {"location": "tiny/playthroughs/ada.html", "title": "As Ada saw it", "text": "Play."},
    ]
    metas = {
        "tiny/rules.html": {"kind": "rules", "description": "Everything."},
        "tiny/playthroughs/ada.html": {"kind": "playthrough", "seat": "Ada"},
    }
    asked = {"tiny/rules-play.html#TI-PLAY-1": Keywords("r", "How do I play?")}

    found = entries(docs, asked, metas, load_words())

    assert ["tiny/rules.html", "tiny/rules-play.html#TI-PLAY-1", "tiny/rules-play.html"] == [
        one.address for one in found
    ]
    assert ["Everything.", "Play.", ""] == [one.text for one in found]
    assert ["", "How do I play?", "1.1 Play"] == [one.asked for one in found]
    assert ["p", "r", "p"] == [one.kind for one in found]


def test_synonyms_of_all_games_are_read() -> None:
    synonyms = load_synonyms()

    assert "how" in synonyms.little
    assert all(len(group) > 1 for group in synonyms.same)


def test_words_of_ones_own_are_checked(tmp_path: Path) -> None:
    """An id that nothing has is told with its place and what may be meant."""
    write_game(tmp_path / "tiny")
    (tmp_path / "tiny" / "search.yaml").write_text("also:\n  TI-PLAY-1: [moves]\n  TI-PLAI-2: [turns]\n", "utf-8")
    problems = Problems()
    load_game(tmp_path / "tiny", problems)
    (problem,) = problems

    assert problem.place.line == 3
    assert 'nothing here has the id "TI-PLAI-2"' == problem.message
    assert 'did you mean "TI-PLAY-2"?' == problem.hint


def test_a_word_that_means_nothing_else_is_told(tmp_path: Path) -> None:
    """A group of one, which would be no use, is never left out with all others in silence."""
    write_game(tmp_path / "tiny")
    (tmp_path / "tiny" / "search.yaml").write_text("same:\n  - [bank, till]\n  - [graveyard]\n", "utf-8")
    problems = Problems()
    load_game(tmp_path / "tiny", problems)

    assert [str(one).partition("search.yaml:")[2] for one in problems] == ["3: same.1: 1 written, at least 2 needed"]


@pytest.mark.slow("builds a site")
def test_a_game_of_rules_alone_is_found(tmp_path: Path) -> None:
    """Its words and those of search.yaml are in the file of the game, and the index of mkdocs is not there."""
    folder = write_game(tmp_path / "tiny")
    (folder / "search.yaml").write_text("also: {TI-PLAY-1: [zugzwang]}\nsame: [[bank, till]]\n", "utf-8")
    target, problems = tmp_path / "site", Problems()
    target.mkdir()
    build_site([show(folder)], target, problems)
    text = (target / "assets" / "found" / "tiny.js").read_text("utf-8")
    index = json.loads(text.partition(")[")[2].partition("]=")[2].rstrip(";\n"))

    assert list(problems) == []
    rows = [index["entries"][n] for n in posts(index, "zugzwang")]
    assert ["tiny/rules-play.html#TI-PLAY-1"] == [row[0] for row in rows]
    assert ["bank", "till"] in index["same"]
    assert not (target / "search").exists()
    assert not list(target.rglob("lunr*"))
