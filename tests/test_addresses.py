"""Addresses that never change: each id leads to where its rule stands today, or says what became of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from games_for_tests import FILES, write_game
from lxml import html
from shown import bundled, show

from grimalkin.content.game import Game
from grimalkin.content.versions import kept_text
from grimalkin.site.pages.addresses import LONGEST, Address, address_pages, addresses, finder
from grimalkin.site.pages.links import Map
from grimalkin.site.pages.templates import load_words
from grimalkin.source import bundled_games

RULINGS = """\
rulings:
  - id: TI-AMB-1
    title: Two mice
    question: May both mice be played?
    ruling: Yes, one <i>after</i> the other.
    rules: [TI-PLAY-1]
  - id: TI-AMB-2
    title: A blot
    question: Is that a blot?
    ruling: Yes.
    withdrawn: Nobody has that copy.
"""
EXAMPLES = """\
examples:
  - id: TI-EX-1
    title: A mouse
    rules: [TI-PLAY-1]
    kind: legal
    text: The [[mouse]] comes first.
    given: {table: {mouse: 1}, seats: {Ada: {hand: {owl: 1}}}}
    steps: [{Ada: play owl}]
    expect: {to-act: Ada}
"""


@pytest.fixture
def led(tmp_path: Path) -> Callable[..., dict[str, str]]:
    """Where each address of the made-up game leads, with changed files."""

    def lead(**changes: str) -> dict[str, str]:
        files = {"rulings.yaml": RULINGS, "examples/all.yaml": EXAMPLES, **changes}
        to = Map(show(write_game(tmp_path / "tiny", **files)), load_words())
        return {Path(path).stem: where(text) for path, text in address_pages(to).items()}

    return lead


def where(text: str) -> str:
    """Where a page sends its reader; "" if it stays."""
    (canonical, *_) = [*html.fromstring(text).xpath("//link[@rel='canonical']/@href"), ""]
    (refresh, *_) = [*html.fromstring(text).xpath("//meta[@http-equiv='refresh']/@content"), ""]

    assert refresh.removeprefix("0;url=") == canonical
    return str(canonical)


def test_every_id_has_an_address(led: Callable[..., dict[str, str]]) -> None:
    play, rulings = "../rules-play.html", "../rulings-play.html"

    assert led() == {
        "TI-PLAY-1": f"{play}#TI-PLAY-1",
        "TI-PLAY-2": f"{play}#TI-PLAY-2",
        "TI-AMB-1": f"{rulings}#TI-AMB-1",
        "TI-AMB-2": "../rulings.html#TI-AMB-2",
        "TI-EX-1": f"{play}#TI-EX-1",
        "mouse": "../components.html#mouse",
        "owl": "../components.html#owl",
        "power": "../terms.html#power",
    }


def test_an_address_follows_its_rule(led: Callable[..., dict[str, str]]) -> None:
    """A section is renamed; one is split, and the second rule moves to the new one."""
    rules = FILES["rules.yaml"]
    renamed = led(rules_yaml=rules.replace("id: play", "id: turn"))
    split = "  - id: end\n    title: The end\n    rules:\n"
    moved = led(rules_yaml=rules.replace("      - id: TI-PLAY-2", f"{split}      - id: TI-PLAY-2"))

    assert renamed["TI-PLAY-1"] == "../rules-turn.html#TI-PLAY-1"
    assert renamed["TI-EX-1"] == "../rules-turn.html#TI-EX-1"
    assert moved["TI-PLAY-1"] == "../rules-play.html#TI-PLAY-1"
    assert moved["TI-PLAY-2"] == "../rules-end.html#TI-PLAY-2"


def test_a_chat_shows_a_rule_with_its_rulings(tmp_path: Path) -> None:
    files = {"rulings.yaml": RULINGS, "examples/all.yaml": EXAMPLES}
    made = address_pages(Map(show(write_game(tmp_path / "tiny", **files)), load_words()))
    page = html.fromstring(made["r/TI-PLAY-1.html"])

    assert page.xpath("//title/text()") == ["Rule 1.1: Play a card · Tiny"]
    assert page.xpath("//meta[@property='og:title']/@content") == ["Rule 1.1: Play a card"]
    told = "Play a Mouse or an Owl. Ruling R1: Yes, one <i>after</i> the other."
    assert page.xpath("//meta[@name='description']/@content") == [told]
    assert "<i>" not in made["r/TI-PLAY-1.html"]


def test_what_is_gone_says_so(tmp_path: Path) -> None:
    """A withdrawn ruling gives its reason; a piece that only a kept version has, the version."""
    folder = write_game(tmp_path / "tiny", **{"rulings.yaml": RULINGS})
    (folder / "versions").mkdir()
    (folder / "versions" / "1.json").write_text(kept_text(show(folder).game, []), "utf-8")
    game_yaml = FILES["game.yaml"].replace('rules-version: "1"', 'rules-version: "2"').replace("count: 3", "count: 2")
    write_game(
        folder,
        **{"rulings.yaml": RULINGS},
        game_yaml=game_yaml,
        cards_csv="id,name,count,power\nmouse,Mouse,2,1\n",
        rules_yaml=FILES["rules.yaml"]
        .replace(" or an [[owl]]", "")
        .replace("title: Play a card", "title: Play a card\n        revision: 2"),
    )
    found = {one.id: one for one in addresses(Map(show(folder), load_words()))}

    assert found["owl"] == Address("owl", "Owl", "Owl is no longer in the game; version 1 was the last to have it.", "")
    assert found["TI-AMB-2"].text == "This no longer applies: Nobody has that copy."


def test_ids_that_differ_only_in_capitals_have_one_page(tmp_path: Path) -> None:
    """Some disks cannot hold both; what the game has today comes before what it had."""
    folder = write_game(tmp_path / "tiny")
    (folder / "versions").mkdir()
    kept = kept_text(show(folder).game, []).replace('"owl"', '"OWL"')
    (folder / "versions" / "1.json").write_text(kept, "utf-8")
    found = [one for one in addresses(Map(show(folder), load_words())) if one.id.lower() == "owl"]

    assert ["owl"] == [one.id for one in found]


def test_the_list_of_ids_names_each_once() -> None:
    told = finder(
        {"tiny": [Address("A-1", "", "", "a.html", "A-1"), Address("B-1", "", "", "b.html"), Address("C", "", "", "")]}
    )

    assert json.loads(told.partition("=")[2].strip(";\n")) == {"tiny": {"a.html": "A-1", "b.html": "=B-1"}}


@pytest.mark.slow("reads and proves a whole game")
@pytest.mark.parametrize("name", bundled_games())
def test_every_law_of_a_bundled_game_has_an_address(name: str) -> None:
    """No two have the same file on a disk without capitals, and no story is told."""
    shown = bundled(name)
    made = addresses(Map(shown, load_words()))
    game: Game = shown.game

    assert len({one.id.casefold() for one in made}) == len(made)
    assert {*game.laws, *game.by_id, *(one.id for one in (*game.examples, *game.terms, *game.withdrawn))} <= {
        one.id for one in made
    }
    assert all(one.text and "[[" not in one.text for one in made)
    proved = {example.rules[0] for example in game.examples if shown.traces[example.id].ok} & {*game.laws}
    assert proved == {one.id for one in made if re.search(r"Proved by \d+ examples?\.$", one.text)}
    endings = [" ".join(unescape(one.exit).split())[:60] for one in game.scenarios]
    assert not [end for end in endings if any(end in one.text for one in made)]


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("word " * 200, "word …"),
        ("Begin " + "a" * 2000, "a …"),
        ("猫" * 2000, "猫 …"),
        ("猫" * 600, "猫"),
        ("short", "short"),
    ],
)
def test_a_description_is_never_longer_than_chats_show(text: str, end: str) -> None:
    """It ends after a word if it can, and says most of what it may, also in scripts without spaces."""
    short = Address("A-1", "A", text.strip(), "a.html").short

    assert short.endswith(end)
    assert min(len(text.strip()), LONGEST // 2) <= len(short) <= LONGEST + 2
