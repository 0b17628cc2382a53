"""Rulebooks: what is in them, on which pages, in every form and in all inks; for small games and for the real ones."""

from __future__ import annotations

import gc
import io
import re
import weakref
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pdfua
import pikepdf
import pypdfium2
import pytest
from games_for_tests import FILES, write_game
from shown import bundled, show

from grimalkin.cli import main
from grimalkin.cli.printing import FORMS
from grimalkin.content.rules import Example
from grimalkin.content.stocks import load_papers, load_stocks
from grimalkin.content.texts.typography import quotes
from grimalkin.printing.book.flow import Leaf, Placed, Slab
from grimalkin.printing.book.laws import INDENT, figure_of, scale_of
from grimalkin.printing.book.make import (
    FOOT,
    HIGH,
    INNER,
    KINDS,
    OUTER,
    PAGE,
    ROOM,
    SCREEN,
    TALL,
    TOP,
    WIDE,
    Book,
    Form,
    book_pdf,
    booklet,
    forms_of,
    make,
    page_by_page,
)
from grimalkin.printing.book.pen import Looks
from grimalkin.printing.book.setting import fitting
from grimalkin.printing.book.writer import Material, Writer
from grimalkin.printing.draw.pdf import MM
from grimalkin.printing.face import Composer, Face, Inks
from grimalkin.printing.face.callouts import least_type
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.face.views import table_face
from grimalkin.printing.sheet.pieces import all_faces
from grimalkin.printing.type.fit import POINT
from grimalkin.printing.type.words import Piece, Word, piece_width
from grimalkin.problems import Problems, Stop
from grimalkin.site.pages import law_pages
from grimalkin.source import bundled_games

A4 = load_papers(None, Problems())["a4"]
PAPERS = {name: paper for name, paper in load_papers(None, Problems()).items() if name in ("a4", "letter")}
GAMES = bundled_games()
LEARN = """\
about: You play cards ([[TI-PLAY-1]]).
setup:
  steps: ["Shuffle the cards ([[TI-PLAY-1]]).", "Deal them ([[TI-PLAY-2]])."]
round: ["**Play.** Everybody plays one ([[TI-PLAY-1]])."]
pieces:
  - piece: owl
    title: How to read a card
    text: A card is an animal ([[TI-PLAY-2]]).
    labels: [{drawn: name, text: "Its name ([[TI-PLAY-1]])."}]
later: ["Leave out the owl ([[TI-PLAY-1]])."]
"""


@dataclass
class Made:
    """A book, and what draws it."""

    book: Book
    looks: Looks
    material: Material

    def pdf(self, form: Form = SCREEN, site: str = "") -> bytes:
        return book_pdf(self.book, self.looks, form, site)

    def inked(self, inks: Inks, form: Form = SCREEN) -> bytes:
        game, problems = self.material.game, Problems()
        composer = Composer(game, load_stocks(game.folder, problems), problems, inks)
        return book_pdf(self.book, Looks(composer, all_faces(game, composer)), form)


def made_of(folder: Path, pages: Mapping[str, str] | None = None) -> Made:
    shown = show(folder)
    looks = Looks(shown.composer, shown.faces)
    material = Material(shown.game, shown.traces, looks, pages or {})
    return Made(make(material), looks, material)


@cache
def real(name: str) -> Made:
    """With a composer of its own: what other tests have found wrong on purpose is none of a book's."""
    shown, problems = bundled(name), Problems()
    composer = Composer(shown.game, load_stocks(shown.game.folder, problems), problems)
    material = Material(shown.game, shown.traces, Looks(composer, shown.faces), law_pages(shown))
    return Made(make(material), material.looks, material)


@cache
def real_pdf(name: str) -> bytes:
    return real(name).pdf(site="../")


@cache
def texts_of(pdf: bytes) -> tuple[str, ...]:
    """The words of each page, with one blank between them, in the order in which they are drawn."""
    read = pypdfium2.PdfDocument(pdf)
    pages = [" ".join(page.get_textpage().get_text_bounded().split()) for page in read]
    return tuple(page.replace("\N{SOFT HYPHEN}", "").replace("\ufffe", "") for page in pages)


def text_of(pdf: bytes) -> str:
    return " ".join(texts_of(pdf))


def told_pages(pdf: bytes) -> list[list[str]]:
    """Where the links of each page lead: to an address, or to the number of a page, from 1."""
    with pikepdf.open(io.BytesIO(pdf)) as found:
        numbers = {page.obj.objgen: number for number, page in enumerate(found.pages, 1)}
        return [[_leads(one, numbers) for one in page.obj.get("/Annots", [])] for page in found.pages]


def _leads(one: Any, numbers: Mapping[Any, int]) -> str:
    return str(one.A.URI) if "/A" in one else str(numbers[one.Dest[0].objgen])


def colours(pdf: bytes) -> set[tuple[float, ...]]:
    """All colours that a file paints with, in pages and in forms."""
    found: set[tuple[float, ...]] = set()
    with pikepdf.open(io.BytesIO(pdf)) as read:
        forms = [one for one in read.objects if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == "/Form"]
        for content in [*read.pages, *forms]:
            for operands, operator in pikepdf.parse_content_stream(content):
                if str(operator) in ("rg", "RG", "g", "G"):
                    found.add(tuple(float(value) for value in operands))
    return found


# Small games


def test_a_book_needs_nothing_but_rules(tmp_path: Path) -> None:
    """No terms, no examples, no faces worth a picture: cover, contents, rules."""
    files = dict.fromkeys((), "")
    made = made_of(write_game(tmp_path / "tiny", **files))
    pdf = made.pdf()
    text = text_of(pdf)

    assert made.book.count == len(told_pages(pdf))
    for words in ("Tiny", "A game for tests", "1–2 players, 1 minutes", "Contents", "1.1 Play a card", "1.2 Strength"):
        assert words in text, words
    assert "Learn to play" not in text and "Quick reference" not in text and "Rulings" not in text
    assert "Play a Mouse or an Owl." in text and "See rule 1.1 and the word power." in text
    assert not pdfua.faults(pdf)


def test_a_page_is_drawn_once_for_all_forms(tmp_path: Path) -> None:
    """Whatever the paper, and however often: only another ink draws the page again."""
    made, drawn = made_of(write_game(tmp_path / "tiny")), []
    leaf = Leaf([Placed(Slab(5.0, lambda pen, x, y: drawn.append(pen.looks.composer.inks)), 0.0, 0)])
    made.book = replace(made.book, leaves=[*made.book.leaves, leaf])
    for form in (booklet("a4", A4), SCREEN, page_by_page("a4", A4), SCREEN):
        made.pdf(form)

    assert drawn == ["full"]
    made.inked("low")
    assert drawn == ["full", "low"]


def test_a_drawn_book_lets_go_of_its_composer(tmp_path: Path) -> None:
    """At once: the faces of one ink would still be in memory while those of the next are made."""
    made, problems = made_of(write_game(tmp_path / "tiny")), Problems()
    game = made.material.game
    composer = Composer(game, load_stocks(game.folder, problems), problems, "low")
    looks = Looks(composer, all_faces(game, composer))
    held = weakref.ref(looks)
    gc.collect()
    gc.disable()
    try:
        book_pdf(made.book, looks)
        del looks, composer

        assert held() is None
    finally:
        gc.enable()


def test_a_newcomer_has_the_first_chapter(tmp_path: Path) -> None:
    """With the numbers of rules behind its sentences, a list of what the numbers at a piece mean, and what can wait."""
    made = made_of(write_game(tmp_path / "tiny", **{"learn.yaml": LEARN}))
    pdf = made.pdf()
    text = text_of(pdf)
    first = made.book.where["learn"]

    assert made.book.where["section-play"] >= first > made.book.where["contents"]
    for words in ("Learn to play", "You play cards. 1.1", "1. Shuffle the cards. 1.1", "2. Deal them. 1.2"):
        assert words in text, words
    for words in ("How to read a card", "1 Its name. 1.1", "Not in your first game", "• Leave out the owl. 1.1"):
        assert words in text, words
    assert not pdfua.faults(pdf)


def test_all_that_learn_asks_for_in_vain_is_told_at_once(tmp_path: Path) -> None:
    """A picture that is asked for is not left out without a word: as on the site, in the same words."""
    learn = LEARN.replace("drawn: name", "drawn: nose").replace("setup:\n", "setup:\n  position: {of: TI-GAME-1}\n")
    play = "id: TI-GAME-1\ntitle: Two\nsummary: Two.\nseats: [A, B]\nsteps: [{A: mouse}]\nexpect: {over: no}\n"
    folder = write_game(tmp_path / "tiny", **{"learn.yaml": learn, "playthroughs/two.yaml": play})
    told = [str(problem).partition("learn.yaml:")[2] for problem in made_of(folder).looks.composer.problems]

    assert told[1] == '10: nothing called "nose" is drawn in the picture; known here: 7, Owl, name'
    assert told[0].startswith("3: nothing draws this position; faces/table.svg.j2 draws a table")
    assert len(told) == 2


def test_words_stand_out_in_every_kind_of_text(tmp_path: Path) -> None:
    """In what is italic or bold itself, too: introductions, notes, and what is asked."""
    rules = FILES["rules.yaml"].replace(
        "title: Play\n", "title: Play\n    intro: An *upright* and a **bold** `code`.\n"
    )
    rules = rules.replace("an [[owl]].", "an [[owl]].\n        note: A *small* **note** with `code` and ***both***.")
    asked = (
        "rulings:\n  - {id: TI-AMB-1, title: A, question: 'May *I* `look` {if pages|never}at **all**?', ruling: No.}\n"
    )
    pdf = made_of(write_game(tmp_path / "tiny", rules_yaml=rules, **{"rulings.yaml": asked})).pdf()

    assert "An upright and a bold code." in text_of(pdf) and "A small note with code and both." in text_of(pdf)
    assert "May I look at all?" in text_of(pdf)


@pytest.mark.slow("a real book")
def test_a_round_that_was_played_shows_whom_it_is_about() -> None:
    """Soot is Dora's, Deacon Cleo's and Duchess Ada's; the last move is Tom's, who is Basil's (WC-PLAY-2, 5 to 8)."""
    with pikepdf.open(io.BytesIO(real_pdf("werecats"))) as pdf:
        told = [str(one.Alt) for one in pdf.objects if isinstance(one, pikepdf.Dictionary) and "/Alt" in one]
        wide = [
            float(one.A.BBox[2] - one.A.BBox[0]) / MM
            for one in pdf.objects
            if isinstance(one, pikepdf.Dictionary) and str(one.get("/Alt", "")).startswith("The table after")
        ]
    tables = [alt for alt in told if alt.startswith("The table after")]

    assert min(wide) >= 0.6 * 120  # its letters are as high as those of the rules then
    assert [f"The table afterwards: its middle, and {name}." for name in ("Dora", "Cleo", "Ada", "Basil")] == tables


@pytest.mark.slow("sets a book")
@pytest.mark.parametrize("name", [name for name in GAMES if name != "cats-of-new-orleans"])
def test_a_table_without_a_seat_is_the_same_table(name: str) -> None:
    """Without the second of three seats it is lower by what a seat takes; only words of that seat are missing."""
    made = real(name)
    composer, size = made.looks.composer, made.material.game.info.table
    position = next(trace.before for trace in made.material.traces.values() if len(trace.before.get("seats", {})) == 3)
    names = list(position["seats"])
    whole, part = (table_face(composer, position, "table", seats) for seats in ((), [names[0], names[2]]))

    assert (size.middle + 3 * size.seat, size.middle + 2 * size.seat) == (whole.stock.height, part.stock.height)
    assert table_face(composer, position, "table", names).svg == whole.svg
    words, fewer = words_on(whole), words_on(part)
    assert not fewer - words
    assert [True, False, True] == [any(word.startswith(seat.casefold()) for word in fewer) for seat in names]


def test_a_table_is_composed_once_for_the_book_and_the_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each describes it in its own words, and has read as much of the game for it."""
    table = """{% extends "base/face.svg.j2" %}
{% block art %}<rect width="{{ position.wide }}" height="9" fill="{{ palette.red }}"/>{% endblock %}
"""
    composer = made_of(write_game(tmp_path / "tiny", **{"faces/table.svg.j2": table})).looks.composer
    composed = []
    compose = composer.compose
    monkeypatch.setattr(composer, "compose", lambda *args, **more: composed.append(more) or compose(*args, **more))
    with composer.reads.noted() as first:
        face = table_face(composer, {"wide": 5, "seats": {}}, "in the book")
    with composer.reads.noted() as second:
        again = table_face(composer, {"wide": 5, "seats": {}}, "on the site")
    other = table_face(composer, {"wide": 6, "seats": {}}, "in the book")
    table_face(composer, {"seats": {}, "wide": 5}, "in another order, which a template can see")

    assert ("in the book", "on the site") == (face.alt, again.alt) and face.content is again.content
    assert "palette" in first.names and first.names == second.names
    assert len(composed) == 3 and other.content is not face.content


def test_a_template_that_draws_all_seats_is_told_when_there_is_room_for_some(tmp_path: Path) -> None:
    table = """{% extends "base/face.svg.j2" %}
{% block art %}{% for name in position.seats %}<rect width="9" height="9"/>{% endfor %}{% endblock %}
"""
    game = FILES["game.yaml"].replace("decks:\n", "table: {rows: yes}\ndecks:\n", 1)
    folder = write_game(tmp_path / "tiny", game_yaml=game, **{"faces/table.svg.j2": table})
    composer = made_of(folder).looks.composer
    position: dict[str, Any] = {"seats": {"A": {}, "B": {}}}

    assert 90 == table_face(composer, position, "table").stock.height
    with pytest.raises(Stop):
        table_face(composer, position, "table", ["B"])
    (told,) = map(str, composer.problems)
    assert told.partition("game.yaml: ")[2] == (
        "table.svg.j2 draws all seats, but there is room for only some of them; "
        "draw only those in `shown`, or remove `rows: yes`"
    )


def words_on(face: Face) -> Counter[str]:
    return Counter("".join(one.itertext()).strip().casefold() for one in face.root.iter(f"{{{SVG}}}text"))


def test_steps_for_pages_alone_are_not_counted(tmp_path: Path) -> None:
    learn = LEARN.replace("Shuffle the cards ([[TI-PLAY-1]]).", "{if pages|Look ([[TI-PLAY-1]]).}")
    learn = learn.replace("Leave out the owl ([[TI-PLAY-1]]).", "{if pages|Later ([[TI-PLAY-1]]).}")
    text = text_of(made_of(write_game(tmp_path / "tiny", **{"learn.yaml": learn})).pdf())

    assert "Set-up 1. Deal them. 1.2" in text and "Not in your first game" not in text


def test_a_long_title_leaves_room_on_the_cover_and_in_the_running_head(tmp_path: Path) -> None:
    """Pieces begin below it; above a page it is shortened, and its rules stand beside it."""
    long = "What happens when two or more cats claim the very same part of the catch"
    game = FILES["game.yaml"].replace("title: Tiny", f"title: {long}")
    rules = FILES["rules.yaml"].replace("title: Play\n", f"title: {long}\n    intro: {'On and on. ' * 700}\n")
    made = made_of(write_game(tmp_path / "tiny", game_yaml=game, rules_yaml=rules))
    pages = texts_of(made.pdf())

    assert not outside(made)
    assert any("claim the very same" in page.casefold() and "…" in page for page in pages[3:])
    assert "same part of the catch A game for tests" in pages[0]


@pytest.mark.parametrize(("width", "height"), [(60, 40), (90, 90)])
def test_a_paper_on_which_nothing_can_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, width: int, height: int
) -> None:
    monkeypatch.chdir(tmp_path)
    small = f"name: Small\nwidth: {width}\nheight: {height}\nmargin: 2\nsource: ours\n"
    write_game(tmp_path / "tiny", **{"papers/small.yaml": small})

    assert 1 == main(["rulebook", "./tiny", "--paper", "small"])
    assert "--paper: Small is too small for a page of the book" in capsys.readouterr().err


def test_links_are_called_by_what_they_lead_to(tmp_path: Path) -> None:
    made = made_of(write_game(tmp_path / "tiny"), {"TI-PLAY-1": "rules-play.html#TI-PLAY-1"})
    with pikepdf.open(io.BytesIO(made.pdf(site="../"))) as read:
        called = {str(one.Contents) for page in read.pages for one in page.obj.get("/Annots", [])}

    assert {"1.1 Play a card", "power", "Play", "page 4", "1.1 on the site, with all its examples"} <= called
    assert not [one for one in called if one.startswith(("TI-", "term-", "page-", "../", "section-"))]


@pytest.mark.parametrize(
    ("what", "file", "line"),
    [("text: Play a", "rules.yaml", 5), ("title: Play a", "rules.yaml", 5), ("text: How", "terms.yaml", None)],
)
def test_a_letter_that_no_font_has_is_told(tmp_path: Path, what: str, file: str, line: int | None) -> None:
    name = file.replace(".", "_")
    made = made_of(write_game(tmp_path / "tiny", **{name: FILES[file].replace(what, f"{what} \N{GRINNING FACE}")}))
    told = [str(problem) for problem in made.looks.composer.problems]
    place = f"{file}:{line}: " if line else f"{file}: "

    assert any(place in one and "U+1F600" in one and "`fallback-fonts`" in one for one in told)


def test_no_word_sticks_out(tmp_path: Path) -> None:
    """Not even one that is wider than the page, in a text or in a title."""
    rules = FILES["rules.yaml"].replace("Play a [[mouse]]", "x" * 900 + " a [[mouse]]").replace("Strength", "W" * 200)
    made = made_of(write_game(tmp_path / "tiny", rules_yaml=rules))

    assert not outside(made)
    assert Counter(text_of(made.pdf()))["x"] >= 900


def outside(made: Made) -> list[str]:
    """Letters beside the text of a page: numbers may stand in its margin, one at its foot, and an f hangs over it.

    The cover and the page to look things up by have margins of their own.
    """
    found = []
    pages = list(pypdfium2.PdfDocument(made.pdf()))
    for number, page in enumerate(pages[1 : 1 + len(made.book.leaves)], 2):
        left = (INNER if number % 2 else OUTER) * MM
        text = page.get_textpage()
        for at in range(text.count_chars()):
            x, foot, right, _ = text.get_charbox(at)
            if right > left + ROOM * MM + 2.0 or x < 6 * MM or foot < 8 * MM:
                letter = text.get_text_range(at, 1)
                if letter.strip():
                    found.append(f"page {number}: {letter} at {x / MM:.0f}, {foot / MM:.0f} mm")
    return found


def test_a_word_is_parted_where_it_must_be() -> None:
    word = Word((Piece("SourceSerifPro", "abcdefghij"),), 0.0)
    word = word._replace(width=piece_width(word.pieces[0]))
    parts = fitting(word, 2.0)

    assert "".join(piece.text for part in parts for piece in part.pieces) == "abcdefghij"
    assert len(parts) > 1 and all(part.width <= 2.0 for part in parts)
    assert all(part.bond == "joined" for part in parts[1:]) and parts[0].bond == ""
    assert fitting(word, 20.0) == [word]


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("the cats' night", "the cats’ night"),
        ('He said "no".', "He said “no”."),
        ('("no")', "(“no”)"),
        ('**"no"**', "**“no”**"),
        ("`it's`", "`it's`"),
        ("\\'", "\\'"),
        ("'tis", "’tis"),
        ("rock 'n' roll", "rock ’n’ roll"),
    ],
)
def test_marks_are_those_of_print(written: str, printed: str) -> None:
    assert printed == quotes(written)


def test_a_text_may_ask_for_books_and_inks(tmp_path: Path) -> None:
    """What asks in which inks it is printed is set anew in others."""
    asked = "text: >-\n          {if books|On paper.} {if pages|On a page.} {if mono|Black.} Play a [[mouse]]"
    asking = FILES["rules.yaml"].replace("text: Play a [[mouse]]", asked)
    made = made_of(write_game(tmp_path / "tiny", rules_yaml=asking))

    assert "On paper. Play" in text_of(made.pdf())
    assert made.book.asks_inks
    assert "On paper. Black. Play" in text_of(book_pdf(make(made.material, "mono"), made.looks))
    assert not made_of(write_game(tmp_path / "b" / "tiny")).book.asks_inks


@pytest.mark.slow("eight books")
def test_contents_are_true_where_they_just_fill_a_page(tmp_path: Path) -> None:
    """Numbers of pages make them longer: with some number of rules they take a page more than they did without."""
    for count in range(121, 144, 3):
        listed = "".join(
            f"      - {{id: TI-PLAY-{number}, title: Rule of the house, text: Play.}}\n" for number in range(1, count)
        )
        rules = f"sections:\n  - id: play\n    title: Play\n    rules:\n{listed}"
        made = made_of(write_game(tmp_path / str(count), rules_yaml=rules, terms_yaml="terms: []\n"))
        told = " ".join(texts_of(made.pdf())[made.book.where["contents"] - 1 : made.book.where["credits"]])

        for number in (1, count // 2, count - 1):
            assert f"1.{number} Rule of the house {made.book.where[f'TI-PLAY-{number}']} " in f"{told} ", count


def test_a_piece_is_shown_where_it_is_named_first(tmp_path: Path) -> None:
    again = FILES["rules.yaml"].replace("See [[TI-PLAY-1]]", "A [[mouse]] again, see [[TI-PLAY-1]]")
    pdf = made_of(write_game(tmp_path / "tiny", rules_yaml=again)).pdf()
    with pikepdf.open(io.BytesIO(pdf)) as read:
        told = Counter(str(one.Alt) for one in read.objects if isinstance(one, pikepdf.Dictionary) and "/Alt" in one)

    assert 3 == told["Mouse"]  # on the cover, in the box, and with its rule
    assert 2 == told["Owl"]


# The real ones


@pytest.mark.slow("a book of a real game")
def test_a_rule_has_the_example_that_teaches_most() -> None:
    """What is done before what is counted, ties after both, what is refused last; and nothing that was not proved."""
    made = real("werecats")
    game, traces = made.material.game, made.material.traces
    best: dict[str, list[Example]] = {}
    for kind in ("legal", "scoring", "tie", "boundary", "illegal"):
        for example in game.examples:
            best.setdefault(example.rules[0], []).extend([example] if example.kind == kind else [])
    several = {rule: best[rule] for rule in game.rules if rule in best and len({one.kind for one in best[rule]}) > 1}
    told = bare(text_of(real_pdf("werecats")))

    assert len(several) > 5
    for first, *others in (best[rule] for rule in game.rules if rule in best):
        assert bare(first.question or first.title) in told
        assert not [one.id for one in others if one.question and bare(one.question) in told]
    first, second, *_ = next(iter(several.values()))
    failed = replace(traces[first.id], fault=(("steps", 0), "nobody could follow this"))
    less = replace(made.material, traces={**traces, first.id: failed})
    told = bare(text_of(Made(make(less), made.looks, less).pdf()))
    assert bare(first.question or first.title) not in told and bare(second.question or second.title) in told


def bare(text: str) -> str:
    """Without what a line that ends in it may change."""
    return re.sub(r"[\s\u00ad-]", "", quotes(text.replace("**", "").replace("`", "")))


@pytest.mark.slow("a book of a real game")
@pytest.mark.parametrize("name", GAMES)
def test_contents_name_the_pages(name: str) -> None:
    """The number behind every rule is that of the page where its heading stands, and the link leads there."""
    made, pdf = real(name), real_pdf(name)
    leads = told_pages(pdf)
    numbers = made.material.game.numbers
    first, last = made.book.where["contents"], made.book.where["credits"]
    told = " ".join(re.sub(r" (Contents|Credits) \d+$", "", page) for page in texts_of(pdf)[first - 1 : last])
    for section in made.material.game.sections:
        for rule in section.rules:
            page = made.book.where[rule.id]
            heading = texts_of(pdf)[page - 1]

            assert f"{numbers[rule.id]} {quotes(rule.title)} {page}" in told
            assert f"{numbers[rule.id]} {quotes(rule.title)}" in heading
            assert any(str(page) in leads[number - 1] for number in range(first, last + 1))
    assert made.book.count - len(made.book.back) + 1 == made.book.where["quick"]
    for chapter in made.book.chapters:
        page = made.book.where[chapter.anchor]

        assert re.search(rf"{re.escape(quotes(chapter.title))} {page}\b", told), chapter.title


@pytest.mark.slow("a book of a real game")
@pytest.mark.parametrize("name", GAMES)
def test_the_index_names_the_pages(name: str) -> None:
    """Those on which something leads to the term, and no others."""
    made, pdf = real(name), real_pdf(name)
    with pikepdf.open(io.BytesIO(pdf)) as read:
        pages = [[str(one.Contents) for one in page.obj.get("/Annots", [])] for page in read.pages]
    names = {term.id: term.name for term in made.material.game.terms}
    used: dict[str, list[int]] = {}
    for number, leaf in enumerate(made.book.leaves, 2):
        for term in dict.fromkeys(term for one in leaf.placed for term in one.slab.marks):
            used.setdefault(term, []).append(number)
    first, end = made.book.where["index"], made.book.count - len(made.book.back)
    told = " ".join(texts_of(pdf)[first - 1 : end])

    assert used
    for term, where in used.items():
        assert ", ".join(map(str, where)) in told, term
        assert all(names[term] in pages[page - 1] for page in where), term


@pytest.mark.slow("a book of a real game")
@pytest.mark.parametrize("name", GAMES)
def test_pages_keep_their_margins(name: str) -> None:
    assert not outside(real(name))


@pytest.mark.slow("a book of a real game")
@pytest.mark.parametrize("name", GAMES)
def test_no_heading_and_no_line_stands_alone(name: str) -> None:
    """No page ends with a heading or with the first line of a paragraph, and a picture is where its text is, or on the
    next page.
    """
    leaves = real(name).book.leaves
    told: dict[tuple[str, str], int] = {}
    for number, leaf in enumerate(leaves, 2):
        if leaf.placed and number - 2 < len(leaves) - 1:
            assert not leaf.placed[-1].slab.keep, number
        for one in leaf.placed:
            if one.slab.floats:
                assert number - told[one.slab.heads] in (0, 1), (number, one.slab.heads)
            else:
                told[one.slab.heads] = number
        assert leaf.foot <= HIGH - TOP - FOOT + 0.02


@pytest.mark.slow("a book of a real game")
@pytest.mark.parametrize("name", GAMES)
def test_pages_are_filled(name: str) -> None:
    """No page ends above three fifths of its height unless a chapter ends on it, and no two in a row do."""
    leaves = real(name).book.leaves
    filled = [leaf.foot / TALL for leaf in leaves]
    ends = [not after.placed or after.placed[0].slab.wants > 0 for after in [*leaves[1:], Leaf()]]

    assert not [
        number for number, (part, end) in enumerate(zip(filled, ends, strict=True), 2) if part < 0.6 and not end
    ]
    assert not [number for number, both in enumerate(pairwise(filled), 2) if max(both) < 0.6]


@pytest.mark.slow("a book of a real game")
@pytest.mark.parametrize("name", [name for name in GAMES if name != "cats-of-new-orleans"])
def test_letters_on_tables_can_be_read(name: str) -> None:
    """At least 6 pt, in every picture of a table in a book."""
    made = real(name)
    book = Writer(made.material, ROOM)
    arts = [figure_of(book, one)[0] for one in made.material.game.examples if made.material.traces[one.id].ok]
    sizes = [least_type(made.looks.face(art)) * scale_of(book, art, ROOM - INDENT) / POINT for art in arts if art]

    assert len(sizes) > 20 and min(sizes) >= 5.99


@pytest.mark.slow("a book of a real game")
@pytest.mark.parametrize("name", GAMES)
def test_whoever_cannot_see_a_book_hears_it(name: str) -> None:
    """Headings, lists, figures with words, links, a language and a title; labels of pages, and bookmarks."""
    pdf = real_pdf(name)
    made = real(name)
    with pikepdf.open(io.BytesIO(pdf)) as read:
        labels = list(read.Root.PageLabels.Nums)
        shown = int(read.Root.Outlines.Count)
        outline = read.open_outline()
        with outline:
            marks = {item.title: [kid.title for kid in item.children] for item in outline.root}
            closed = [item.is_closed for item in outline.root if item.children]

    assert not pdfua.faults(pdf)
    assert all(closed) and len(marks) == shown  # strict readers refuse a file with another number
    assert (0, "Cover", 1, 2) == (int(labels[0]), str(labels[1].P), int(labels[2]), int(labels[3].St))
    for number, section in enumerate(made.material.game.sections, 1):
        told = [f"{made.material.game.numbers[rule.id]} {rule.title}" for rule in section.rules]

        assert told == marks[f"{number} {section.title}"]


@pytest.mark.slow("a book of a real game")
@pytest.mark.parametrize("name", GAMES)
def test_links_lead_to_the_site(name: str, site: Path) -> None:
    """Every rule and ruling to the place on its page there, and pages there to the page of the book."""
    made, pdf = real(name), real_pdf(name)
    out = {one for page in told_pages(pdf) for one in page if one.startswith("../")}
    laws = [law for law in made.material.game.laws if law in made.book.where]

    assert len(out) == len(laws)
    for address in out:
        page, _, anchor = address.partition("#")
        text = (site / name / page.removeprefix("../")).read_text(encoding="utf-8")

        assert f'id="{anchor}"' in text or f"id={anchor}" in text, address


@pytest.mark.slow("a book of a real game in four forms")
@pytest.mark.parametrize("name", GAMES)
def test_booklets_fold_into_the_book(name: str) -> None:
    """The numbers that stand at the feet of pages follow each other when the leaves lie in each other."""
    made = real(name)
    form = booklet("a4", A4)
    pdf = made.pdf(form)
    sides = [[number_on(page, half) for half in (0, 1)] for page in pypdfium2.PdfDocument(pdf)]
    first: list[int | None] = []
    last: list[int | None] = []
    for front, back in zip(sides[::2], sides[1::2], strict=True):
        first += [front[1], back[0]]
        last[:0] = [back[1], front[0]]
    order = [figure for figure in [*first, *last] if figure is not None]

    with pikepdf.open(io.BytesIO(pdf)) as read:
        assert not [page for page in read.pages if "/Annots" in page.obj]  # paper has no links
        assert "/DuplexFlipShortEdge" == str(read.Root.ViewerPreferences.Duplex)
    with pikepdf.open(io.BytesIO(made.pdf(SCREEN))) as read:
        assert "/Duplex" not in read.Root.ViewerPreferences

    assert order == list(range(2, 2 + len(made.book.leaves)))
    assert len(first + last) % 4 == 0 and first[0] is None
    assert not pdfua.faults(pdf)
    assert made.book.back and (sides[0][0], sides[0][1]) == (None, None)  # the back page and the cover have no number


def number_on(page: pypdfium2.PdfPage, half: int) -> int | None:
    """The number at the foot of the left or the right page on a side of a leaf."""
    middle = page.get_width() / 2
    text = page.get_textpage().get_text_bounded(half * middle, 0, (half + 1) * middle, 18 * MM).strip()
    return int(text) if text.isdecimal() else None


@pytest.mark.slow("a book of a real game in all inks")
@pytest.mark.parametrize("name", GAMES)
def test_a_book_in_black_is_black(name: str) -> None:
    """Nothing but black and white is in it, and as many pictures as in colour."""
    made = real(name)
    form = page_by_page("a4", A4)
    mono = made.inked("mono", form)

    assert {(0.0,), (1.0,)} == colours(mono), "DeviceGray, so that a printer counts no page as colour"
    assert mono.count(b"/S/Figure") == made.pdf(form).count(b"/S/Figure")


@pytest.mark.slow("a book of a real game in two forms")
@pytest.mark.parametrize("name", GAMES)
def test_a_form_is_the_same_to_the_byte_whichever_were_drawn_before(name: str) -> None:
    """What is drawn once for all forms is the same then: pictures, lines, fonts, and what glyphs stand for."""
    material = real(name).material
    alone, after = (
        Made(real(name).book, Looks(material.looks.composer, material.looks.faces), material) for _ in range(2)
    )
    after.pdf(booklet("a4", A4))
    after.pdf(site="../")

    assert alone.pdf(site="../site/") == after.pdf(site="../site/")


@pytest.mark.slow("a book of a real game in all forms")
@pytest.mark.parametrize("name", GAMES)
def test_books_are_small_and_the_same_again(name: str) -> None:
    """Of forty pages less than 1.5 MB; set again and drawn again, they are the same to the byte."""
    material = real(name).material
    first, again = (
        Made(make(material), Looks(material.looks.composer, material.looks.faces), material) for _ in range(2)
    )
    for form in forms_of(PAPERS):
        pdf = first.pdf(form)

        assert len(pdf) < 1_500_000 * first.book.count / 40
        assert pdf == again.pdf(form)


def test_the_command_has_the_forms_that_there_are() -> None:
    assert tuple(KINDS) == FORMS


def test_every_form_has_the_size_of_its_paper(tmp_path: Path) -> None:
    made = made_of(write_game(tmp_path / "tiny"))
    for form in forms_of(PAPERS):
        with pikepdf.open(io.BytesIO(made.pdf(form))) as read:
            sizes = {tuple(round(float(one) / MM, 1) for one in page.mediabox) for page in read.pages}

        assert sizes == {(0.0, 0.0, *form.paper)}
    assert (WIDE, HIGH) == PAGE


# The command


def test_the_command_makes_every_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path / "tiny")

    assert 0 == main(["rulebook", "./tiny"])
    names = sorted(path.name for path in (tmp_path / "output/rulebooks/tiny").iterdir())
    endings = ("-a4", "-booklet-a4", "-booklet-letter", "-letter", "")
    assert sorted(f"tiny-rulebook{ending}.pdf" for ending in endings) == names
    assert "booklets: print on both sides, flip on the short edge" in capsys.readouterr().out
    assert 0 == main(["rulebook", "./tiny", "--form", "booklet", "--paper", "a4", "--ink", "low"])
    assert ["tiny-rulebook-booklet-a4-low.pdf"] == [one.name for one in (tmp_path / "output/rulebooks/tiny").iterdir()]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--form", "booklets"], '--form: there is no form "booklets"; did you mean "booklet"?'),
        (["--paper", "a44"], '--paper: there is no paper "a44"; did you mean "a4"?'),
    ],
)
def test_what_is_not_there_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, options: list[str], told: str
) -> None:
    """And the last good book stays."""
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path / "tiny")
    main(["rulebook", "./tiny", "--form", "screen"])
    before = (tmp_path / "output/rulebooks/tiny/tiny-rulebook.pdf").read_bytes()

    assert 1 == main(["rulebook", "./tiny", *options])
    assert told in capsys.readouterr().err
    assert before == (tmp_path / "output/rulebooks/tiny/tiny-rulebook.pdf").read_bytes()


def test_a_draft_says_so_on_its_cover(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path / "tiny")

    assert 0 == main(["rulebook", "./tiny", "--form", "screen", "--draft"])
    assert "Tiny is a draft" in capsys.readouterr().out
    assert "· draft" in texts_of((tmp_path / "output/rulebooks/tiny/tiny-rulebook.pdf").read_bytes())[0]


@pytest.mark.slow("sets a book")
@pytest.mark.usefixtures("short_guide")
def test_a_build_makes_the_book_and_keeps_what_was_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """A book that somebody wrote in moves to the folder of what is kept, once; one that is as it was made does not."""
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path / "tiny")
    book = tmp_path / "output/rulebooks/tiny.pdf"
    assert 0 == main(["build", "./tiny", "--draft"])
    first = book.read_bytes()
    assert "../site/tiny/rules-play.html#TI-PLAY-1" in {one for page in told_pages(first) for one in page}
    assert (tmp_path / "output/sheets/tiny/tiny-rulebook-booklet-a4-mono.pdf").is_file()
    assert (tmp_path / "output/site/tiny/downloads/tiny-rulebook.pdf").is_file()
    page = (tmp_path / "output/site/tiny/rules-play.html").read_text(encoding="utf-8")
    assert "downloads/tiny-rulebook.pdf#page=3" in page

    write_game(tmp_path / "tiny", rules_yaml=FILES["rules.yaml"].replace("Strength", "Force"))
    assert 0 == main(["build", "./tiny", "--draft"])
    assert not (tmp_path / "output/kept").exists() and book.read_bytes() != first

    book.write_bytes(b"notes in the margin")
    capsys.readouterr()
    assert 0 == main(["build", "./tiny", "--draft"])
    assert b"notes in the margin" == (tmp_path / "output/kept/rulebooks/tiny.pdf").read_bytes()
    assert "rulebooks/tiny.pdf was changed after it was made" in capsys.readouterr().out
    assert book.read_bytes().startswith(b"%PDF")
