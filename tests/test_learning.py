"""The page for newcomers: what is wrong with learn.yaml is told at its place, and numbers stand where they should."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from games_for_tests import FILES, write_game
from shown import bundled, bundled_pages, show, texts

from grimalkin.content import load_game
from grimalkin.parts.learning.pages import labelled
from grimalkin.printing.face.callouts import Place, spots
from grimalkin.problems import Problems
from grimalkin.site.pages import navigation, pages
from grimalkin.source import bundled_games, find_game_folder

pytestmark = pytest.mark.slow("draws the pages of whole games")

LEARN = """\
about: You play cards ([[TI-PLAY-1]]).
setup:
  steps: ["Take a card ([[TI-PLAY-1]])."]
round: ["**Play** it ([[TI-PLAY-1]], [[TI-PLAY-2]])."]
told:
  playthrough: TI-GAME-1
  text: A whole game.
  moments:
    - {first: 1, last: 1, text: "Ada plays ([[TI-PLAY-1]])."}
    - {first: 2, last: 2, text: "Basil plays ([[TI-PLAY-1]])."}
pieces:
  - piece: owl
    title: How to read a card
    text: A card is an animal ([[TI-PLAY-1]]).
    labels:
      - {drawn: name, text: "Who it is ([[TI-PLAY-1]])."}
      - {drawn: "7", text: "How strong it is ([[TI-PLAY-2]])."}
      - {place: [30, 70], text: "Nothing ([[TI-PLAY-1]])."}
later: ["The owl ([[TI-PLAY-2]])."]
"""
PLAY = """\
id: TI-GAME-1
title: Two cards
summary: Two cards are played.
seats: [Ada, Basil]
steps:
  - say: It begins.
  - Ada: mouse
  - Basil: owl
expect: {over: no}
"""
WITH_LEARN = [name for name in bundled_games() if (find_game_folder(name) / "learn.yaml").is_file()]


def tiny(folder: Path, learn: str = LEARN) -> Path:
    return write_game(folder, **{"learn.yaml": learn, "playthroughs/two.yaml": PLAY})


def test_a_newcomer_has_a_page(tmp_path: Path) -> None:
    """It is the first after the overview, in the navigation and behind a door; its rules are small numbers."""
    shown = show(tiny(tmp_path / "tiny"))
    made = texts(pages(shown))
    text = made["tiny/learn.md"]
    nav = navigation([shown])[1]["Tiny"]

    assert [{"Overview": "tiny/index.md"}, {"Learn to play": "tiny/learn.md"}] == nav[:2]
    assert '<a href="learn.html">Learn</a>' in made["tiny/index.md"]
    assert '**Play** it. [1.1](rules-play.md#TI-PLAY-1 "Play a card"){.by} [1.2](rules-play.md#TI-PLAY-2' in text
    assert "[Move 2 of “Two cards”](playthroughs/TI-GAME-1.md#step-2)" in text
    assert "**Basil** `owl`" in text


def test_without_the_file_there_is_no_page(tmp_path: Path) -> None:
    made = texts(pages(show(write_game(tmp_path / "tiny"))))

    assert "tiny/learn.md" not in made
    assert "learn.md" not in made["tiny/index.md"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("You play cards ([[TI-PLAY-1]]).", "You play cards.", "1: this does not name a rule"),
        ("The owl ([[TI-PLAY-2]]).", "The [[owl]].", "19: this does not name a rule"),
        ("Nothing ([[TI-PLAY-1]]).", "Nothing.", "18: this does not name a rule"),
        ("([[TI-PLAY-1]], [[", "([[TI-PLAY-3]], [[", "4: the reference [[TI-PLAY-3]] leads nowhere"),
        ("TI-GAME-1", "TI-GAME-2", '6: there is no playthrough "TI-GAME-2"; did you mean "TI-GAME-1"?'),
        ("first: 2, last: 2", "first: 2, last: 3", "10: TI-GAME-1 has no move 3; it has 2 moves"),
        ("first: 2, last: 2", "first: 1, last: 2", "10: moves 1 to 2 are out of order; `first` must come after"),
        (
            '"Take a card ([[TI-PLAY-1]])."',
            '"Take\\n\\none ([[TI-PLAY-1]])."',
            "3: setup.steps.0: this must be one paragraph",
        ),
        ('["**Play** it', f'[{"a, " * 40}"**Play** it', "round: 41 are written; at most 40"),
        ("place: [30, 70]", "place: [30]", "18: pieces.0.labels.2.place: item 2 is missing"),
        ("piece: owl", "piece: owls", '12: there is no component "owls"; did you mean "owl"?'),
        ("{drawn: name, text", "{square: c3, text", "16: a piece has no squares"),
        ("{drawn: name, text", "{text", "a label marks exactly one thing"),
        ("{drawn: name, text", "{drawn: name, place: [1, 2], text", "a label marks exactly one thing"),
        (
            "{place: [30, 70], text",
            "{place: [30, 70], which: 2, text",
            "`which` needs `drawn`: it counts things with that name",
        ),
        ("  steps:", "  position: {of: TI-GAME-7}\n  steps:", '3: there is no playthrough or example "TI-GAME-7"'),
        ("  steps:", "  position: {of: TI-GAME-1, after: 5}\n  steps:", "3: TI-GAME-1 has no move 5"),
        (
            "  steps:",
            "  labels:\n    - {drawn: name, text: 'A ([[TI-PLAY-1]]).'}\n  steps:",
            "these labels have no picture",
        ),
    ],
)
def test_what_is_wrong_is_told_at_its_place(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in LEARN
    problems = Problems()
    load_game(tiny(tmp_path / "tiny", LEARN.replace(old, new, 1)), problems)
    (found,) = [str(problem).split("learn.yaml:")[-1] for problem in problems]

    assert message in found


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("drawn: name", "drawn: nam", '16: nothing called "nam" is drawn in the picture; did you mean "name"?'),
        ('drawn: "7"', 'drawn: "7", which: 2', '17: "7" is drawn 1 time; write 1 to 1'),
        ("  steps:", "  position: {of: TI-GAME-1}\n  steps:", "3: nothing draws this position"),
        ("place: [30, 70]", "place: [64, 70]", "18: 64, 70 is outside the picture; it is 63 × 88 mm"),
    ],
)
def test_a_label_at_nothing_is_told_when_it_is_drawn(old: str, new: str, message: str, tmp_path: Path) -> None:
    shown = show(tiny(tmp_path / "tiny", LEARN.replace(old, new, 1)))
    pages(shown)
    (found,) = [str(problem).split("learn.yaml:")[-1] for problem in shown.composer.problems]

    assert found.startswith(message)


def test_an_item_is_a_paragraph_and_no_heading(tmp_path: Path) -> None:
    """Nothing that begins a block of Markdown begins one within a list; and a playthrough can be linked."""
    text = LEARN.replace("**Play** it", "# Play [[TI-GAME-1]]")
    shown = show(tiny(tmp_path / "tiny", text))

    assert "1. &#35; Play [Two cards](playthroughs/TI-GAME-1.md)" in texts(pages(shown))["tiny/learn.md"]


def test_labels_of_a_face_that_is_not_there_are_told(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny", LEARN.replace("piece: owl", "piece: owl\n    side: back"))
    info = folder / "game.yaml"
    info.write_text(info.read_text("utf-8").replace(", back: plain", ""), "utf-8")
    shown = show(folder)
    pages(shown)
    (found,) = map(str, shown.composer.problems)

    assert 'learn.yaml:13: "owl" has no back that these labels could point at' in found


def test_what_is_drawn_several_times_is_counted(tmp_path: Path) -> None:
    """A name that could mean several is a problem, until it is said which."""
    face = FILES["faces/plain.svg.j2"].replace(
        "{% endblock %}", '<circle id="name" cx="9" cy="60" r="2"/>{% endblock %}'
    )
    folder = tiny(tmp_path / "tiny")
    (folder / "faces/plain.svg.j2").write_text(face)
    shown = show(folder)
    pages(shown)
    (found,) = map(str, shown.composer.problems)

    assert found.endswith('"name" is drawn 2 times; add `which`, from 1 to 2')


def test_spots_are_where_things_are_drawn(tmp_path: Path) -> None:
    """Moved by groups, by what uses them, and by the view of a symbol; letters reach from their line upwards."""
    template = """\
{% extends "base/face.svg.j2" %}
{% block words %}
<defs><symbol id="star" viewBox="0 0 10 10"><circle id="sun" cx="5" cy="5" r="5"/></symbol></defs>
<g transform="translate(10 20) scale(2)"><use href="#star" x="1" y="2" width="5" height="5"/></g>
<textbox name="name" x="5" y="5" width="53" height="10" size="12">{{ card.name }}</textbox>
<g id="both"><rect x="1" y="1" width="2" height="2"/><path d="M4 6L8 9Z"/></g>
<text x="30" y="40" font-family="SourceSansPro" font-size="5" text-anchor="end">Tom</text>
{% endblock %}
"""
    shown = show(write_game(tmp_path / "tiny", **{"faces/plain.svg.j2": template}))
    found = {one.name: one[1:] for one in spots(shown.faces["owl-front"])}

    assert found.pop("star") == found.pop("sun") == (12, 24, 22, 34)
    assert found.pop("name") == (5, 5, 58, 15)
    assert found.pop("both") == (1, 1, 8, 9)
    left, top, right, bottom = found.pop("Tom")
    assert (right, top, bottom) == (30, 36.4, 41)
    assert 20 < left < 23
    assert found.keys() == {"Owl"}, "the words of the text box"


def test_numbers_stand_beside_the_picture_and_lines_end_before_what_they_name() -> None:
    """A picture of 100 × 50 with numbers on the left and above has 8.5 more there, and nothing elsewhere."""
    laid = labelled(100, 50, [Place(0, 20, 10, 30), Place(40, 10, 60, 20, "above")])
    first, second = laid.marks

    assert (laid.width, laid.height) == ("108.5", "58.5")
    assert (laid.left, laid.top, laid.wide) == ("7.83", "14.53", "92.17")
    assert (first.left, first.top) == ("3.92", "57.26"), "4.25 of 108.5, and 8.5 + 25 of 58.5"
    assert first.path == "M4.25 33.5L7.1 33.5", "it ends 1.4 before the edge"
    assert second.path == "M58.5 4.25L58.5 17.1"


def test_numbers_do_not_lie_on_each_other() -> None:
    """Three things at one height have numbers that are apart, in their order."""
    laid = labelled(100, 100, [Place(1, 50, 2, 51, "left"), Place(1, 50, 2, 51, "left"), Place(1, 49, 2, 50, "left")])
    tops = [float(mark.top) for mark in laid.marks]

    assert tops[2] < tops[0] < tops[1]
    assert all(later - earlier > 8.4 for earlier, later in zip(sorted(tops), sorted(tops)[1:], strict=False))


@pytest.mark.parametrize("name", WITH_LEARN)
def test_every_number_has_a_meaning(name: str) -> None:
    """Each picture has as many numbers as sentences, all within the figure, and words for those who cannot see."""
    text = texts(bundled_pages(name))[f"{name}/learn.md"]
    pictures = text.split('<div class="pointed')[1:]

    assert len(pictures) >= 2
    for picture in pictures:
        drawn, _, meaning = picture.partition('class="meaning"')
        dots = re.findall(r'class="dot" style="left:([\d.]+)%;top:([\d.]+)%" aria-hidden="true">(\d+)<', drawn)
        told = re.findall(r"^(\d+)\. \S", meaning.partition("</div>")[0], re.MULTILINE)

        assert [number for *_, number in dots] == told != []
        assert all(0 < float(left) < 100 and 0 < float(top) < 100 for left, top, _ in dots)
        assert re.search(r'(alt|aria-label)="[^"]{8}', drawn)


@pytest.mark.parametrize("name", WITH_LEARN)
def test_every_sentence_of_ours_leads_to_its_rule(name: str) -> None:
    """And what is told of a playthrough is linked to its step."""
    shown = bundled(name)
    learn = shown.game.learn
    text = texts(bundled_pages(name))[f"{name}/learn.md"]

    assert learn and learn.setup and learn.told and learn.later
    assert 3 <= len(learn.round) <= 5
    assert text.count("{.by}") >= sum(1 for _ in learn.paragraphs())
    assert text.count("#step-") == len(learn.told.moments)
