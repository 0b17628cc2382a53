"""What a scenario needs, and books: pages that are folded and never cut."""

from __future__ import annotations

import io
import shutil
from collections import Counter
from functools import cache
from pathlib import Path

import pikepdf
import pytest
from games_for_tests import write_game
from hypothesis import given
from hypothesis import strategies as st

from grimalkin.cli import main
from grimalkin.content import Game, as_scenario, find_scenario, load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.draw.folding import openings
from grimalkin.printing.draw.packing import count_pages
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.sheet.pieces import pieces_of
from grimalkin.problems import Place, Problems, Stop
from grimalkin.source import data_folder

pytestmark = pytest.mark.slow("prints parts of a whole game")

HERE = Place("here")
CATS = "cats-of-new-orleans"


@cache
def cats() -> Game:
    game = load_game(data_folder("content") / CATS, Problems())
    assert game is not None
    return game


def printed(number: str, *heroes: str) -> Counter[str]:
    """How many pieces of each deck are printed for a scenario."""
    game = as_scenario(cats(), find_scenario(cats(), number, HERE), heroes, HERE)
    return Counter(piece.deck for piece in pieces_of(game, load_stocks(game.folder, Problems())))


def pieces(number: str, *heroes: str) -> Counter[str]:
    game = as_scenario(cats(), find_scenario(cats(), number, HERE), heroes, HERE)
    return Counter(piece.id for piece in pieces_of(game, load_stocks(game.folder, Problems())))


def test_the_first_scenario_needs_its_map_its_foe_and_loot_1() -> None:
    """Counted by hand: Bon Temps has two sheets, four mosquitos in its pool, 44 cards of loot 1.

    Its weapons stay out of the deck, and are wanted when it is won."""
    decks = printed("1", "patch", "minou")

    assert {"map-sheets": 2, "tracks": 1, "foes": 1, "loot": 44, "heroes": 2, "poker-deck": 54} == {
        deck: decks[deck] for deck in ("map-sheets", "tracks", "foes", "loot", "heroes", "poker-deck")
    }
    assert 0 == decks["events"] == decks["records"] == decks["skills"]
    found = pieces("bad-times", "patch", "minou")
    assert (4, 8, 1, 0, 0) == tuple(
        found[one]
        for one in ("marker-bayou-mosquito", "loot-token", "objective-token", "stun-marker", "marker-viceroy")
    )
    assert {"standee-patch", "standee-minou"} == {one for one in found if one.startswith("standee")}


def test_the_third_scenario_needs_the_rat_king_whole() -> None:
    """His six aspects belong to him; nine skills come with each hero; loot of two levels."""
    decks, found = printed("3", "nera"), pieces("3", "nera")

    assert (4, 9, 44 + 33) == (decks["map-sheets"], decks["skills"], decks["loot"])
    assert {"rat-king", "psycho", "pimp", "corrupted", "bandit", "assassin", "decayed"} <= set(found)
    assert 0 == found["croc"] == found["mort"]


def test_without_heroes_all_of_them_are_printed() -> None:
    assert 9 == printed("2")["heroes"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            ["--scenario", "9"],
            'there is no scenario "9"; the scenarios are 1 (bad-times), 2 (streets) and 3 (hijacked)',
        ),
        (["--scenario", "street"], 'there is no scenario "street"; did you mean "streets"?'),
        (["--scenario", "1", "--heroes", "ptch"], 'there is no hero "ptch"; did you mean "patch"?'),
        (["--heroes", "patch"], "--heroes needs a scenario; add --scenario 1"),
        (["--scenario", "1", "--only", "foes"], "it cannot be given together with --only; give one of them"),
        (["--scenario", "1", "--changed-since", "1.0"], "it cannot be given together with --changed-since"),
    ],
)
def test_what_cannot_be_printed_is_told(
    options: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sheets", CATS, "--output", str(tmp_path), *options]) == 1

    assert told in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


def test_a_game_without_scenarios_says_so() -> None:
    game = load_game(data_folder("content") / "were-kittens", Problems())
    assert game is not None

    with pytest.raises(Stop, match="Were Kittens has no scenarios"):
        find_scenario(game, "1", HERE)


# Books

BOOK = {
    "game.yaml": """\
books:
  - {id: tales, name: Book of Tales, file: tales.csv, faces: {front: tale}, columns: {told: {type: text, label: tale}}}
""",
    "tales.csv": "id,name,told\n" + "".join(f"tale-{n},Tale {n},Once upon page {n}.\n" for n in range(1, 7)),
    "faces/tale.svg.j2": """\
{% extends "base/face.svg.j2" %}
{% block words %}<textbox x="9" y="9" width="110" height="30">{{ card.told }}</textbox>{% endblock %}
""",
}


def with_book(folder: Path, **files: str) -> Path:
    """The game of the tests, with a book of six pages."""
    game = write_game(folder / "tiny")
    told = {**BOOK, **files}
    for name, text in told.items():
        path = game / name
        path.parent.mkdir(exist_ok=True)
        path.write_text((path.read_text() if name == "game.yaml" else "") + text)
    return game


def texts(data: bytes) -> list[str]:
    """What stands on each page of a PDF, its words in the order in which they are drawn."""
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    return [document[number].get_textpage().get_text_bounded() for number in range(len(document))]


@given(st.integers(1, 60))
def test_a_booklet_folds_right_with_any_number_of_pages(count: int) -> None:
    """Leaves are laid in each other and folded: read through, the pages come in order, each once."""
    sides = list(openings(count))
    leaves = [sides[number : number + 2] for number in range(0, len(sides), 2)]
    half = [page for front, back in leaves for page in (front.right, back.left)]
    other = [page for front, back in reversed(leaves) for page in (back.right, front.left)]

    assert list(range(count)) == [page for page in half + other if page is not None]
    assert len(leaves) == -(-count // 4)


def test_a_book_comes_to_fold_and_to_read(tmp_path: Path) -> None:
    game = with_book(tmp_path)
    assert main(["sheets", str(game), "--paper", "a4,letter", "--output", str(tmp_path / "out")]) == 0
    made = {path.name: path.read_bytes() for path in (tmp_path / "out").rglob("tales*.pdf")}

    assert {"tales.pdf", "tales-a4.pdf", "tales-letter.pdf"} == set(made)
    assert [4, 6, 0] == [count_pages(one) for one in (made["tales-a4.pdf"], made["tales.pdf"], b"%PDF-1.7")]
    folded = [sorted(n for n in range(1, 7) if f"page {n}." in text) for text in texts(made["tales-a4.pdf"])]
    assert [[1], [2], [3, 6], [4, 5]] == folded
    assert [[n] for n in range(1, 7)] == [
        [m for m in range(1, 7) if f"page {m}." in text] for text in texts(made["tales.pdf"])
    ]
    with pikepdf.open(io.BytesIO(made["tales-a4.pdf"])) as pdf:
        assert (297, 210) == tuple(round(float(value) / 72 * 25.4) for value in pdf.pages[0].mediabox[2:])
        assert "/DuplexFlipShortEdge" == str(pdf.Root.ViewerPreferences.Duplex)
    with pikepdf.open(io.BytesIO(made["tales.pdf"])) as pdf:
        assert "/Duplex" not in pdf.Root.ViewerPreferences


def test_books_are_the_same_at_every_build(tmp_path: Path) -> None:
    game = with_book(tmp_path)
    for name in ("one", "two"):
        assert main(["sheets", str(game), "--paper", "a4", "--output", str(tmp_path / name)]) == 0

    one, two = ([path.read_bytes() for path in sorted((tmp_path / name).rglob("*.pdf"))] for name in ("one", "two"))
    assert one == two


@pytest.mark.parametrize(
    ("files", "told"),
    [
        (
            {"tales.csv": "id,name,count,told\ntale-1,Tale 1,2,Once.\n"},
            "the page tale-1 has a count of 2; a page can occur only once",
        ),
        ({"tales.csv": "id,name,told\n"}, "the book tales has no pages; each row of the table is a page"),
        ({"tales.csv": "id,name,told\nowl,Tale 1,Once.\n"}, 'the id "owl" is taken'),
        (
            {"faces/tale.svg.j2": BOOK["faces/tale.svg.j2"].replace('height="30"', 'height="2"')},
            "the face tale-1-front",
        ),
    ],
)
def test_faults_of_a_book_are_told(
    files: dict[str, str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the place; nothing is printed then."""
    game = with_book(tmp_path, **files)
    assert main(["sheets", str(game), "--output", str(tmp_path / "out")]) == 1

    assert told in capsys.readouterr().err
    assert not (tmp_path / "out" / "print").exists()


def test_every_entry_of_the_story_has_its_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A page that was lost is told before anything is printed."""
    folder = tmp_path / CATS
    shutil.copytree(data_folder("content") / CATS, folder)
    pages = (folder / "story-book.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "story-book.csv").write_text("".join(one for one in pages if not one.startswith("entry-5,")), "utf-8")
    assert main(["sheets", str(folder), "--only", "buck-coin", "--output", str(tmp_path / "out")]) == 1

    assert "no page shows entry 5; a row of story-book.csv does" in capsys.readouterr().err


def face_of(drawn: str, id_: str) -> Face:
    """The front of a piece, or a page of a book, with nothing wrong on it."""
    game, problems = cats(), Problems()
    composer = Composer(game, load_stocks(game.folder, problems), problems)
    deck = next(one for one in (*game.info.decks, *game.info.books) if one.id == drawn)
    rows = game.pages[drawn] if drawn in game.pages else game.components[drawn]
    front, _ = composer.faces(deck, next(row for row in rows if row.id == id_))
    assert front is not None and not problems, list(problems)
    return front


@pytest.mark.parametrize("map_", ["bon-temps", "natchez", "rampart-street"])
def test_every_space_of_a_round_track_is_on_the_title_plate(map_: str) -> None:
    """In two rows, however long it is, and wide enough for the Round marker."""
    face = face_of("tracks", f"track-{map_}")

    places = [
        tuple(float(one.get(key, 0)) for key in ("x", "y", "width", "height"))
        for one in face.root.iter("{*}rect")
        if one.get("height") == "25"
    ]
    spaces = places[1::2]  # the first of two is its shadow
    assert cats().maps[map_].spaces == len(spaces)
    assert all(x >= 0 and x + w <= face.stock.width and y + h <= face.stock.height for x, y, w, h in spaces)
    assert all(w >= 24 for _, _, w, _ in spaces)


def test_the_page_of_the_set_up_tells_who_comes_where_and_when() -> None:
    """One line for the letter, and of its squares only those that are taken; the rounds name them too."""
    set_up, play = (
        " ".join("".join(map(str, face_of("scenario-book", f"streets-{part}").root.itertext())).split())
        for part in ("set-up", "play")
    )

    assert 1 == set_up.count("set aside")
    first, *others = [
        one for one in cats().maps["rampart-street"].marks if cats().maps["rampart-street"].marks[one] == "K"
    ]
    assert (
        f"Mort on {first} in round 5" in set_up and f"2 Stinkers on {first}, {', '.join(others)} in round 8" in set_up
    )
    assert "Roux Poubelle at space 3, Mort at 5, 2 Stinkers at 8." in play


def test_needs_must_name_columns(tmp_path: Path) -> None:
    game = write_game(tmp_path / "tiny")
    text = (game / "game.yaml").read_text()
    (game / "game.yaml").write_text(text.replace("    file:", "    needs: [hreo]\n    file:", 1))

    problems = Problems()
    load_game(game, problems)

    assert any('`needs` names the column "hreo", which does not exist' in str(one) for one in problems)
