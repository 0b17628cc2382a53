"""The index of the search: what is found where, by hand; and that every game, and every place once, is in it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from games_for_tests import write_game
from shown import show

from grimalkin.content import load_game
from grimalkin.problems import Problems
from grimalkin.site.pages import build_site
from grimalkin.site.pages.search_index import Entry, Index, Keywords, entries, index_of, words_of
from grimalkin.site.pages.templates import load_synonyms, load_words


def entry(title: str, text: str = "", asked: str = "") -> Entry:
    return Entry(f"page.html#{title}", title, text, "r", asked)


def list_of(index: Index, word: str) -> tuple[int, str]:
    """The part that has the list of a word, and that list."""
    head: Any = index.head
    at = next(n for n, forms in enumerate(head["words"].split("|")) if word in forms.split(" "))
    part = max(n for n, first in enumerate(head["parts"]) if first <= at)
    return part, index.posts[part].split("|")[at - head["parts"][part]]


def posts(index: Index, word: str) -> dict[int, int]:
    """Which entries have a word, and its worth for each, read as the script reads it."""
    found, number = {}, -1
    for step, worth in re.findall(r"([0-9a-z]*)([A-Z])", list_of(index, word)[1]):
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

    assert "draw drawing draws" in str(index.head["words"])
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
    assert re.fullmatch(r"[A-Z]13[A-Z]", list_of(index, "owl")[1])


def test_a_part_has_all_words_of_a_letter() -> None:
    """The first letter of a word asks for all of them. Words that say little are in a part of their own."""
    some = [entry(f"Number {n}", f"the {a}{b}{n % 50} of {b}{a}") for n in range(800) for a, b in ("ab", "cd", "xy")]
    index = index_of(some, [], {"the", "of"})
    head: Any = index.head
    words = head["words"].split("|")
    of_letter: dict[str, set[int]] = {}
    for word in words:
        of_letter.setdefault(word[0] if word not in ("the", "of") else "", set()).add(list_of(index, word)[0])

    assert ["of", "the"] == words[:2]
    assert [1] * len(of_letter) == [len(parts) for parts in of_letter.values()]
    assert {0} == of_letter[""]
    assert 0 not in {part for letter, parts in of_letter.items() if letter for part in parts}
    assert 3 < len(index.posts) == len(head["parts"])
    assert len(words) == sum(len(part.split("|")) for part in index.posts)


def test_a_form_that_says_something_keeps_its_word_with_the_others() -> None:
    index = index_of([entry("Used"), entry("Use")], [], {"use"})

    assert "use used" == index.head["words"]
    assert [0, 1] == list(posts(index, "used"))


def test_entries_are_told_by_page() -> None:
    """The first entry of a page has its title. A capital means a face."""
    some = [
        Entry("a.html", "A", "", "p"),
        Entry("a.html#owl", "Owl", "It hoots.", "c", "", True, ["Hooter’s"]),
        Entry("b.html", "B", "Long words. " * 20, "p"),
    ]
    index = index_of(some, [["Owl", "Night bird"]])

    assert [["a.html", 2], ["b.html", 1]] == index.head["pages"]
    assert " owl " == index.head["anchors"]
    assert ["A", "Owl", "B"] == index.head["titles"]
    assert "pCp" == index.head["kinds"]
    assert {1: ["hooter"]} == index.head["names"]
    assert [["owl", "night bird"]] == index.head["same"]
    assert [["", "It hoots.", "Long words. " * 11 + "Long …"]] == index.texts


def test_each_version_has_a_mark_of_its_own() -> None:
    """A browser may still have files of an earlier one, whose numbers mean other entries."""
    hen, owl = entry("Hen", "A hen."), entry("Owl", "An owl.")
    marks = [index_of(some).head["made"] for some in ([hen, owl], [owl, hen], [hen], [hen, owl])]

    assert 3 == len(set(marks))
    assert marks[0] == marks[3]


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
    found = target / "assets" / "found"
    head = _value(found / "tiny.js")
    parts = [_value(found / "tiny" / f"posts-{n}-{head['made']}.js") for n in range(len(head["parts"]))]
    texts = [_value(path) for path in found.glob("tiny/texts-*")]
    index = Index(head, parts, texts)

    assert list(problems) == []
    assert ["TI-PLAY-1"] == [head["anchors"].split(" ")[n] for n in posts(index, "zugzwang")]
    assert "tiny/rules-play.html" in dict(head["pages"])
    assert sum(map(len, texts)) == len(head["titles"]) == len(head["kinds"]) == sum(count for _, count in head["pages"])
    assert [["bank", "till"]] == head["same"]
    assert not (target / "search").exists()
    assert not list(target.rglob("lunr*"))


def _value(path: Path) -> Any:
    """What a script of the index keeps."""
    return json.loads(path.read_text("utf-8").partition(")[")[2].partition("]=")[2].rstrip(";\n"))
