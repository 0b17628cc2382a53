"""Front pages: banners with a game's own pictures, doors that lead somewhere, and what there is to print."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from games_for_tests import FILES, write_game
from shown import show

from grimalkin.printing.face.svg.colours import contrast
from grimalkin.printing.face.views import find_wordmark
from grimalkin.printing.sheet.settings import PAGES
from grimalkin.site.pages import pages
from grimalkin.site.pages.downloads import SHEET, Design, Download, Downloads, split
from grimalkin.site.pages.front import INK, LEAST, MOON, banner, doors
from grimalkin.site.pages.templates import load_words

NIGHT = """\
<svg xmlns="http://www.w3.org/2000/svg">{more}<rect width="120" height="90" fill="#101828"/>\
<rect x="54" width="66" height="90" fill="#ffffff"/></svg>"""
WORDMARK = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -8 60 20"><path d="M0 0H9V9Z"/></svg>'


def test_a_banner_stands_on_the_ground_of_its_picture(tmp_path: Path) -> None:
    """The ink around the top left corner, where the words are; the picture loses its ragged edge."""
    shown = show(write_game(tmp_path / "tiny", **{"faces/cover.svg.j2": NIGHT.format(more="")}))
    made = pages(shown)
    top = banner(shown)

    assert ("#101828", MOON) == (top.ground, top.ink)
    assert 'viewBox="1.6 1.6 116.8 86.8"' in str(made["tiny/cover.svg"])
    assert '<div class="cover" style="--ground:#101828;--title:#f7f1e3"' in str(made["tiny/index.md"])
    assert re.search(r'<div class="scene"><img src="cover.svg" width="480" height="360"', str(made["tiny/index.md"]))


def test_words_are_dark_on_a_light_picture(tmp_path: Path) -> None:
    light = NIGHT.format(more="").replace("#101828", "#ffffff")

    assert INK == banner(show(write_game(tmp_path / "tiny", **{"faces/cover.svg.j2": light}))).ink


def test_a_banner_without_a_picture_shows_pieces_on_the_first_ink(tmp_path: Path) -> None:
    """Its title can be read on any of them."""
    dark = banner(show(write_game(tmp_path / "dark")))
    light = FILES["game.yaml"].replace("#aa0000", "#7a7a7a")
    pale = banner(show(write_game(tmp_path / "light", game_yaml=light)))

    assert (None, "#aa0000", MOON) == (dark.cover, dark.ground, dark.ink)
    assert [("faces/mouse-front.svg", "Mouse"), ("faces/owl-front.svg", "Owl")] == [
        (one.path, one.alt) for one in dark.pieces
    ]
    assert contrast(pale.ink, pale.ground) >= LEAST


def test_a_game_draws_its_title(tmp_path: Path) -> None:
    """In the frame of its own view, in the colour of the banner; the words stay for those who listen or search."""
    made = pages(show(write_game(tmp_path / "tiny", **{"faces/wordmark.svg.j2": WORDMARK})))
    drawn, text = str(made["tiny/wordmark.svg"]), str(made["tiny/index.md"])

    assert 'viewBox="-2 -8 60 20"' in drawn
    assert f'fill="{MOON}"' in drawn
    assert (
        '# <span class="said">Tiny</span><img class="drawn" src="wordmark.svg" width="480" height="160" alt="">' in text
    )


@pytest.mark.parametrize("view", ["", ' viewBox="0 0 0 20"', ' viewBox="{{ 1 }} 0 60 20"'])
def test_a_drawn_title_needs_a_size(tmp_path: Path, view: str) -> None:
    drawing = WORDMARK.replace(' viewBox="-2 -8 60 20"', view)
    shown = show(write_game(tmp_path / "tiny", **{"faces/wordmark.svg.j2": drawing}))

    assert find_wordmark(shown.game, shown.composer) is None
    assert "has no size; write <svg viewBox=" in str(next(iter(shown.composer.problems)))


@pytest.mark.parametrize("drawn", ["", '<path d="M90 90h9v9z"/>', "<g/>"])
def test_a_drawn_title_can_be_seen(tmp_path: Path, drawn: str) -> None:
    """One that draws nothing, or beside its frame, would leave the page without a title."""
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20">{drawn}</svg>'
    shown = show(write_game(tmp_path / "tiny", **{"faces/wordmark.svg.j2": drawing}))

    assert find_wordmark(shown.game, shown.composer) is None
    assert "draws nothing in its viewBox" in str(next(iter(shown.composer.problems)))


def test_a_title_in_the_picture_is_not_repeated(tmp_path: Path) -> None:
    """Then the summary stands beside the picture."""
    more = '{% import "wordmark.svg.j2" as mark %}'
    files = {"faces/cover.svg.j2": NIGHT.format(more=more), "faces/wordmark.svg.j2": WORDMARK}
    shown = show(write_game(tmp_path / "tiny", **files))
    text = str(pages(shown)["tiny/index.md"])

    assert banner(shown).is_titled
    assert '# <span class="said">Tiny</span>\n' in text
    assert "Nothing happens here." in text.partition('<div class="scene">')[0]


def test_doors_lead_somewhere(tmp_path: Path) -> None:
    """There is no door for what a game lacks; without rules, pieces can be looked up."""
    shown = show(write_game(tmp_path / "tiny"))
    few = {"components": "components.md", "downloads": "downloads.md"}

    assert ["rules.md", "downloads.md"] == [door.path for door in doors(shown, {"rules": "rules-play.md", **few})]
    assert ["learn", "look", "print"] == [door.name for door in doors(shown, {"learn": "learn.md", **few})]
    assert ["components.md"] == [door.path for door in doors(replace(shown, faces={}), few)]


def test_the_work_of_printing_is_counted(tmp_path: Path) -> None:
    """Leaves are printed on both sides; every copy of a piece is cut out."""
    shown = show(write_game(tmp_path / "tiny"))
    printables = Downloads(shown, load_words())
    sheets = Download("A4", "tiny-a4.pdf", 5, 9, "sheets", "")

    even = Download("A4", "tiny-a4.pdf", 6, 9, "sheets", "")

    assert {"pages": 5, "leaves": 3, "pieces": 3, "minutes": 5} == printables.work([Design("", [sheets])])
    assert 3 == printables.work([Design("", [even])])["leaves"]
    assert {} == printables.work([])
    assert SHEET == PAGES


def test_designs_come_first_and_other_sheets_after(tmp_path: Path) -> None:
    """The full design is the first, with the papers of each in order."""
    names = ("tiny-a4-fronts", "tiny-a4-low", "tiny-a4", "tiny-letter-low")
    shown = replace(show(write_game(tmp_path / "tiny")), sheets={f"{name}.pdf": b"" for name in names})
    printables = Downloads(shown, load_words())
    designs = printables.designs()

    assert [("", ["tiny-a4.pdf"]), ("low", ["tiny-a4-low.pdf", "tiny-letter-low.pdf"])] == [
        (one.ink, [file.name for file in one.files]) for one in designs
    ]
    assert ["tiny-a4-fronts.pdf"] == [one.name for one in printables.others("", designs)]


def test_many_files_are_folded_but_for_plain_ones() -> None:
    files = [Download(title, "", 1, 1, "", "") for title in ("A4", "A4, little ink", "Letter", "Letter, little ink")]

    assert (files[::2], files[1::2]) == split(files)
    assert (files[:3], ()) == split(files[:3])
    assert files[1::2] == split([*files[1::2], *files[1::2]])[0]
