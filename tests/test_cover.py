"""The cover: what it says is what is on the sheets, it measures what it claims, and it fits or tells."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pdfplumber
import pikepdf
import pytest
from games_for_tests import FILES, write_game

from grimalkin.content import Game, load_game
from grimalkin.content.stocks import Paper, Stock, load_papers, load_stocks
from grimalkin.printing.draw.pdf import MM, Drawer, new_canvas
from grimalkin.printing.draw.tags import Tags
from grimalkin.printing.face import Composer, Inks
from grimalkin.printing.face.views import ART
from grimalkin.printing.sheet.cover import Component, Cover, cover_of
from grimalkin.printing.sheet.cover_pages import draw_cover
from grimalkin.printing.sheet.impose import impose
from grimalkin.printing.sheet.pieces import Piece, Sheet, Slot, Tile, faces_by, pieces_of
from grimalkin.printing.sheet.settings import Edition, Printer, Settings
from grimalkin.problems import Place, Problems, Stop
from grimalkin.problems.plain import spans
from grimalkin.source import find_game_folder

A4 = load_papers(None, Problems())["a4"]
LETTER = load_papers(None, Problems())["letter"]
A5 = Paper(name="A5", width=148, height=210)
EDITION = Edition("1.0", "werc8g")


def game_of(folder: Path, inks: Inks = "full") -> tuple[Game, Composer]:
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None and not problems, list(problems)
    return game, Composer(game, load_stocks(game.folder, problems), problems, inks)


def cover_for(folder: Path, paper: Paper = A4, settings: Settings | None = None) -> Cover:
    settings = settings or Settings()
    game, composer = game_of(folder, settings.inks)
    sheets = impose(pieces_of(game, composer.stocks), A4, settings, Place("here"), composer.problems)
    cover = cover_of(game, sheets, paper, settings, composer, EDITION, faces=faces_by(game, composer))
    assert [] == list(composer.problems)
    return cover


@pytest.fixture(scope="module")
def were_kittens() -> Cover:
    return cover_for(find_game_folder("were-kittens"))


def pdf_of(cover: Cover, paper: Paper) -> bytes:
    canvas = new_canvas((paper.width * MM, paper.height * MM))
    tags = Tags(canvas)
    draw_cover(canvas, paper, cover, tags)
    return canvas.pdf()


def words_of(data: bytes) -> str:
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        return " ".join(" ".join(page.extract_text().split()) for page in pdf.pages)


# What it says


@pytest.mark.slow("draws a document, and reads it")
def test_the_checklist_counts_what_is_on_the_sheets(were_kittens: Cover) -> None:
    """23 coins, 3 reference cards and 3 mats; coins and cards share a leaf, and pages 1 and 2 are the cover."""
    coins, cards, mats = were_kittens.components

    assert ("Coins", 23) == (coins.name, coins.count)
    assert "10 × Penny, 6 × Nickel, 6 × Dime, 1 × Quarter" == coins.detail.replace("\xa0", " ")
    assert ("Reference cards", 3, "") == (cards.name, cards.count, cards.detail)
    assert ("Player mats", 3) == (mats.name, mats.count)
    assert 3 == min(coins.pages)
    assert (5, 6, 7, 8) == mats.pages


def test_who_did_the_same_stands_behind_one_label(tmp_path: Path) -> None:
    """In the order of the credits."""
    extra = "  - {role: Art, name: Basil}\n  - {role: Design, name: Cleo}\n"
    written = FILES["game.yaml"].replace("credits:\n", "credits:\n  - {role: Design, name: Ada}\n" + extra, 1)
    cover = cover_for(write_game(tmp_path / "tiny", **{"game.yaml": written}))

    assert ("Design: Ada, Cleo and Nobody", "Art: Basil") == cover.credits


@pytest.mark.parametrize("backs", ["duplex", "fold", "none"])
def test_a_piece_is_counted_once_however_its_back_is_printed(backs: Any) -> None:
    """Folded sheets show front and back on one page."""
    cover = cover_for(find_game_folder("were-kittens"), A4, Settings(backs=backs))

    assert [23, 3, 3] == [component.count for component in cover.components]


def test_backs_in_a_file_of_their_own_are_counted_too(tmp_path: Path) -> None:
    """A file that holds backs only still says how many pieces it is for."""
    game, composer = game_of(write_game(tmp_path / "tiny"))
    settings = Settings(backs="apart")
    sheets = impose(pieces_of(game, composer.stocks), A4, settings, Place("here"), composer.problems)
    backs = [sheet for sheet in sheets if sheet.side == "back"]
    cover = cover_of(game, backs, A4, settings, composer, EDITION)

    assert [3] == [component.count for component in cover.components]


def test_a_piece_in_parts_is_one_piece(tmp_path: Path) -> None:
    """Four sheets of a tiled board, one board."""
    game, composer = game_of(write_game(tmp_path / "tiny"))
    board = Stock(name="board", shape="rectangle", width=360, height=240, bleed=3, safe=3)
    slot = Slot(Piece("owl", "cards", board, False), "front", 0, 0)
    sheets = [
        Sheet(n, "front", (slot,), tile=Tile(column, row, 2, 2))
        for n, (column, row) in enumerate([(1, 1), (2, 1), (1, 2), (2, 2)], 1)
    ]
    cover = cover_of(game, sheets, A4, Settings(), composer, EDITION)

    assert (1, (3, 4, 5, 6)) == (cover.components[0].count, cover.components[0].pages)
    assert any("comes in parts" in line for line in cover.cutting)
    assert "paper of 160" in cover.stock[0][1]


def test_pages_are_written_as_people_write_them() -> None:
    """Neighbours join; order and repeats do not matter."""
    assert "3" == spans([3])
    assert "3–5, 8, 10–11" == spans([11, 3, 4, 5, 4, 8, 10])
    assert "" == spans([])


def test_advice_follows_stock_and_settings(tmp_path: Path, were_kittens: Cover) -> None:
    """Coins want board, cards want card; marks, edge, inks and printer are told in words."""
    advice = dict(were_kittens.stock)

    assert "1.5–2\xa0mm" in advice["Coins"]
    assert "250–300" in advice["Reference cards"]
    assert "160–200" in advice["Player mats"]
    assert any("17.91, 19.05, 21.21, 24.26 mm" in line for line in were_kittens.cutting)
    assert any("flipped on the long edge" in line for line in were_kittens.settings)
    settings = Settings(flip="short", inks="low", marks="dots", printer=Printer("kitchen", 1.5, -0.5, 0.25))
    other = cover_for(write_game(tmp_path / "tiny"), A4, settings)
    said = " ".join((*other.settings, *other.cutting))

    assert "flipped on the short edge" in said
    assert "With little ink" in said
    assert "“kitchen”: +1.5 mm right, -0.5 mm up, +0.25°" in said
    assert "dots where a round corner begins" in said
    assert "Round pieces" not in said
    assert "calibrate" not in said


def test_a_playing_time_of_our_own_is_no_fact(tmp_path: Path) -> None:
    """The number stands there as a guess, and the small print tells whose; what a rulebook says needs neither."""
    game = FILES["game.yaml"]
    own = cover_for(write_game(tmp_path / "own", game_yaml=game.replace("most: 1}\ny", "most: 1, status: house}\ny")))
    printed = cover_for(write_game(tmp_path / "tiny"))

    assert ("1", "minutes or so") == own.facts[1]
    assert "The playing time is our estimate." == own.notice
    assert (("1", "minutes"), "") == (printed.facts[1], printed.notice)


def test_only_editions_of_other_peoples_games_are_unofficial(tmp_path: Path, were_kittens: Cover) -> None:
    """A designer's own game carries neither our notice nor our licence."""
    own = cover_for(write_game(tmp_path / "tiny"))
    said = words_of(pdf_of(own, A4))

    assert "" == own.notice
    assert "unofficial" not in said
    assert "CC BY" not in said
    assert "unofficial edition" in words_of(pdf_of(were_kittens, A4))


# How it looks


@pytest.mark.parametrize("paper", [A4, LETTER, A5], ids=lambda paper: paper.name)
def test_two_pages_say_everything(paper: Paper, were_kittens: Cover) -> None:
    """Title, tagline, edition, checklist and credits are text that can be searched."""
    data = pdf_of(replace(were_kittens, paper=paper.name), paper)
    said = words_of(data)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert 2 == len(pdf.pages)
    expected = ["Were Kittens", "Pocket money that purrs", "2–3", "29", f"{paper.name} · rules version 1.0"]
    expected += ["content werc8g", "Checklist", "Player mats", "Nice Board Games", "copper", "Round the corners"]
    for words in expected:
        assert words in said


def things_on(page: Any) -> Iterator[dict[str, Any]]:
    """Letters, lines and shapes. A wrapped line ends in a space that nobody sees."""
    yield from (char for char in page.chars if not char["text"].isspace())
    yield from page.lines
    yield from page.rects
    yield from page.curves


def crowded(were_kittens: Cover) -> Cover:
    """A long title, twelve components with details, eight inks."""
    names = ["Coins", "Villagers", "Cats", "Spells", "Curses", "Vermin"]
    names += ["Heroes", "Loot", "Tiles", "Scenarios", "Dashboards", "Mats"]
    detail = "10 × Penny, 6 × Nickel, 6 × Dime, 1 × Quarter, 3 × Half-dollar, 2 × Crown"
    rows = tuple(
        Component(f"{name} of the long and winding night", 10 * n + 1, tuple(range(3 + 4 * n, 7 + 4 * n)), detail)
        for n, name in enumerate(names)
    )
    title = "The Extraordinarily Long and Winding Title of a Game About the Cats of New Orleans"
    stock = tuple((name, were_kittens.stock[0][1]) for name in names[:6])
    return replace(were_kittens, title=title, components=rows, palette=were_kittens.palette * 2, stock=stock)


@pytest.mark.slow("draws a document, and reads it")
@pytest.mark.parametrize("paper", [A4, LETTER, A5], ids=lambda paper: paper.name)
@pytest.mark.parametrize("much", [False, True])
@pytest.mark.parametrize("art", [False, True])
def test_nothing_leaves_the_margin_and_no_words_collide(
    paper: Paper, much: bool, art: bool, were_kittens: Cover
) -> None:
    """10 mm are kept free on A5, 15 mm on larger papers, but for the scene and its ground, which reach the edges."""
    cover = crowded(were_kittens) if much else were_kittens
    cover = replace(cover if art else replace(cover, art=None, has_title=False), fan=())
    edge = (15 if paper.width >= 200 else 10) * MM - 0.6
    with pdfplumber.open(io.BytesIO(pdf_of(cover, paper))) as pdf:
        for number, page in enumerate(pdf.pages):
            for thing in things_on(page) if number else [char for char in page.chars if not char["text"].isspace()]:
                assert edge <= thing["x0"] <= thing["x1"] <= page.width - edge
                assert edge <= thing["top"] <= thing["bottom"] <= page.height - edge
            words = page.extract_words(keep_blank_chars=False)
            for index, one in enumerate(words):
                for other in words[index + 1 :]:
                    over = min(one["x1"], other["x1"]) - max(one["x0"], other["x0"])
                    deep = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
                    line = min(one["bottom"] - one["top"], other["bottom"] - other["top"])
                    assert over < 0.5 or deep < 0.5 * line, (one["text"], other["text"])


@pytest.mark.parametrize("paper", [A4, A5], ids=lambda paper: paper.name)
def test_it_measures_what_it_claims(paper: Paper, were_kittens: Cover) -> None:
    """100 mm across, 50 mm down, and a bank card of 85.60 × 53.98 mm, to 0.01 mm."""
    with pdfplumber.open(io.BytesIO(pdf_of(replace(were_kittens, art=None), paper))) as pdf:
        found = [*pdf.pages[0].lines, *pdf.pages[1].lines], [*pdf.pages[0].curves, *pdf.pages[1].curves]
        lines, outlines = (
            {(round(one["width"] / MM, 2), round(one["height"] / MM, 2)) for one in some} for some in found
        )

    assert (100, 0) in lines
    assert (0, 50) in lines
    assert (85.6, 53.98) in outlines


@pytest.mark.slow("draws a document, and reads it")
def test_words_that_cannot_fit_stop_the_command(were_kittens: Cover) -> None:
    """The file is named, with what was written; so is a character that the font lacks."""
    with pytest.raises(Stop) as stop:
        pdf_of(replace(were_kittens, title="Cats" * 60, has_title=False), A4)
    assert 'game.yaml: the cover: "CatsCats' in str(stop.value)
    assert re.search(r"does not fit into 180 × [0-9.]+ mm at 15 pt; shorten it", str(stop.value))
    with pytest.raises(Stop, match="the font SourceSerifProBlack has no character '猫'"):
        pdf_of(replace(were_kittens, title="猫", has_title=False), A4)
    rows = tuple(Component(f"Deck {n}", 1, (3,)) for n in range(200))
    with pytest.raises(Stop, match="the text of the cover does not fit on A5; choose a larger paper"):
        pdf_of(replace(were_kittens, components=rows, paper="A5"), A5)


@pytest.mark.slow("draws covers in black only")
def test_black_alone_is_black_alone() -> None:
    """No grey and no colour is left for a laser printer to make dots of."""
    cover = cover_for(find_game_folder("were-kittens"), A4, Settings(inks="mono"))
    with pdfplumber.open(io.BytesIO(pdf_of(cover, A4))) as pdf:
        used = {
            tuple(thing[key]) if isinstance(thing[key], (tuple, list)) else (thing[key],)
            for page in pdf.pages
            for thing in things_on(page)
            for key, shown in (("non_stroking_color", "fill"), ("stroking_color", "stroke"))
            if thing[key] and thing.get(shown, True)
        }

    assert used <= {(0,), (1,), (0, 0, 0), (1, 1, 1)}, used
    assert (0, 0, 0) in used


def kinds(element: Any) -> Iterator[str]:
    """The kinds of a structure tree, from its root, in order."""
    if isinstance(element, pikepdf.Dictionary) and "/S" in element:
        yield str(element.S)[1:]
    if isinstance(element, pikepdf.Dictionary) and "/K" in element:
        kids = element.K
        for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
            yield from kinds(kid)


def of(found: Sequence[str], *wanted: str) -> list[str]:
    return [kind for kind in found if kind in wanted]


def test_it_is_told_to_those_who_do_not_see_it(were_kittens: Cover) -> None:
    """One title, then sections in order; the picture and the rules are figures; the checklist is a table of rows."""
    with pikepdf.open(io.BytesIO(pdf_of(were_kittens, A4))) as pdf:
        found = list(kinds(pdf.Root.StructTreeRoot.K))

    assert ["Figure", "Figure", "H1", *["H2"] * 6, "Figure"] == of(found, "H1", "H2", "Figure")
    assert ["Table", *["TR", "TH", "TH", "TH"], *["TR", "TD", "TD", "TD"] * 3] == of(found, "Table", "TR", "TH", "TD")
    assert 3 == found.count("L")
    assert found.count("LI") == found.count("LBody") == 5 + 3 + 5


def test_heads_and_lists_say_of_what_kind_they_are(were_kittens: Cover) -> None:
    """Each head of the checklist is the head of its column; only the steps of cutting are numbered."""
    with pikepdf.open(io.BytesIO(pdf_of(were_kittens, A4))) as pdf:
        told = [one for one in pdf.objects if isinstance(one, pikepdf.Dictionary) and "/S" in one]
        heads = [str(one.A.Scope) for one in told if one.S == "/TH"]
        lists = [(str(one.A.ListNumbering), "/Lbl" in map(str, (kid.S for kid in one.K[0].K)))
                 for one in told if one.S == "/L" and isinstance(one.K[0].K, pikepdf.Array)]  # fmt: skip
        plain = [
            str(one.A.ListNumbering) for one in told if one.S == "/L" and not isinstance(one.K[0].K, pikepdf.Array)
        ]

    assert ["/Column"] * 3 == heads
    assert [("/Decimal", True)] == lists
    assert ["/None"] * 2 == plain


# The picture


COVER = '{% extends "base/face.svg.j2" %}{% block art %}{{ icon("moon", 5, 5, 60, palette.red) }}{% endblock %}'


def test_a_game_may_bring_a_picture(tmp_path: Path) -> None:
    """A template `cover` in the game's own faces is 120 × 90 mm; the first pieces are shown with and without one."""
    plain = cover_for(write_game(tmp_path / "plain"))
    pictured = cover_for(write_game(tmp_path / "pictured", **{"faces/cover.svg.j2": COVER}))

    assert plain.art is None and [face.id for face in plain.fan] == ["mouse-front", "owl-front"]
    assert pictured.art is not None and plain.fan and len(plain.fan) == len(pictured.fan)
    assert (120, 90) == (pictured.art.stock.width, pictured.art.stock.height) == (ART.width, ART.height)
    with pikepdf.open(io.BytesIO(pdf_of(plain, A4))) as pdf:
        assert 2 == list(kinds(pdf.Root.StructTreeRoot.K)).count("Figure")


def test_a_fault_of_the_picture_is_told(tmp_path: Path) -> None:
    """As any fault of a face."""
    game, composer = game_of(write_game(tmp_path / "tiny", **{"faces/cover.svg.j2": "<svg"}))
    cover = cover_of(game, [], A4, Settings(), composer, EDITION)

    assert cover.art is None
    assert any("cover-front" in str(problem) for problem in composer.problems)


def test_the_picture_does_not_take_a_form_of_the_sheets(tmp_path: Path) -> None:
    """Two drawers would both call their first form g0; sharing the names, each form keeps its own content."""
    icon = '{{ icon("paw", 5, 50, 20, "#00aa00") }}'
    card = FILES["faces/plain.svg.j2"].replace("{% endblock %}", icon + "{% endblock %}")
    folder = write_game(tmp_path / "tiny", **{"faces/cover.svg.j2": COVER, "faces/plain.svg.j2": card})
    game, composer = game_of(folder)
    cover = cover_of(game, [], A4, Settings(), composer, EDITION)
    face = composer.faces(game.info.decks[0], game.components["cards"][0])[0]
    assert face is not None
    canvas = new_canvas((A4.width * MM, A4.height * MM))
    tags = Tags(canvas)
    drawer = Drawer(canvas, tags)
    draw_cover(canvas, A4, cover, tags, drawer)
    drawer.draw(face, (MM, 0, 0, -MM, 50, 500), None, True)
    canvas.showPage()
    canvas.save()
    with pdfplumber.open(io.BytesIO(canvas.out.getvalue())) as pdf:
        first, last = (
            {tuple(shape["non_stroking_color"] or ()) for shape in page.curves} for page in (pdf.pages[0], pdf.pages[2])
        )

    assert any(colour == pytest.approx((2 / 3, 0, 0), abs=0.01) for colour in first)
    assert any(colour == pytest.approx((0, 2 / 3, 0), abs=0.01) for colour in last)
    assert not any(colour == pytest.approx((2 / 3, 0, 0), abs=0.01) for colour in last)
