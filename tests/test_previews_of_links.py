"""The file of what links lead to, in short: nothing is in it that does not stand open on a page."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from games_for_tests import write_game
from shown import BIRDS, bundled, show, write_birds

from grimalkin.site.pages import Shown
from grimalkin.site.pages.gallery import galleries
from grimalkin.site.pages.links import Map
from grimalkin.site.pages.scripts import MOST, opening, previews_script
from grimalkin.site.pages.templates import load_words

MOST_PACKED = 60_000


def script(shown: Shown) -> str:
    words = load_words()
    return previews_script(Map(shown, words), galleries(shown, words))


def told(text: str) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(text.partition("]=")[2].rstrip(";\n"))
    return made


def test_every_rule_term_and_component_is_told_in_short(tmp_path: Path) -> None:
    """A rule with its summary where it has one, else with how it begins; a card without what is not shown."""
    rules = """\
sections:
  - id: play
    title: Play
    rules:
      - {id: TI-PLAY-1, title: Play a card, summary: One card a turn., text: "Play a [[mouse]]. Then rest."}
      - {id: TI-PLAY-2, title: Strength, status: ruling, text: "An **[[owl]]** is strong.\\n\\nA mouse is not."}
"""
    made = told(script(show(write_game(tmp_path / "tiny", rules_yaml=rules))))
    birds = script(show(write_birds(tmp_path / "birds", BIRDS)))

    assert made["laws"] == {
        "TI-PLAY-1": [0, "1.1", "Play a card", "One card a turn.", 0],
        "TI-PLAY-2": [0, "1.2", "Strength", "An Owl is strong.", 1],
    }
    assert made["origins"] == ["Rulebook", "Our ruling"]
    assert made["terms"] == {"power": ["power", "How strong a card is."]}
    assert made["cards"]["owl"] == ["Owl", 0, [63, 88, 0], "power\xa07"]
    assert (
        told(birds)["cards"]["barn-owl"][3]
        == "family\xa0barn · wings\xa04 · tame\xa0yes · song\xa0Night Song · view\xa0far"
    )
    assert '"hat' not in birds


def test_a_game_without_terms_and_faces_has_previews(tmp_path: Path) -> None:
    made = told(script(show(write_game(tmp_path / "tiny", terms_yaml="terms: []\n", rules_yaml=RULE))))

    assert made["terms"] == {}
    assert list(made["laws"]) == ["TI-PLAY-1"]


RULE = "sections: [{id: play, title: Play, rules: [{id: TI-PLAY-1, title: Play, text: Play.}]}]\n"


def test_long_texts_are_broken_off_between_words() -> None:
    assert len(opening("word " * 500)) <= MOST + 2
    assert len(opening("x" * 5000)) <= MOST + 2
    assert opening("A first sentence. " * 20).count("first") == 8


@pytest.mark.slow("the largest game is read")
def test_no_story_is_in_a_preview_and_the_largest_file_is_light() -> None:
    """Neither entries, nor exits, nor what comes between scenarios, nor pages of books."""
    shown = bundled("cats-of-new-orleans")
    text = script(shown)
    made = told(text)
    secret = [one.text for one in shown.game.entries] + [one.exit for one in shown.game.scenarios]
    secret += [clause.text for one in shown.game.scenarios for clause in one.clauses()["between"]]
    lines = [line for one in secret for line in one.split("\n") if len(line) > 30]

    assert len(lines) > 20
    assert not [line for line in lines if line[:30] in text]
    assert not {row.id for rows in shown.game.pages.values() for row in rows} & set(made["cards"])
    assert len(gzip.compress(text.encode())) < MOST_PACKED
