"""Variants of a game: the same pieces on other stocks and in other colours, as files of their own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pdfplumber
import pikepdf
import pytest
from games_for_tests import FILES, write_game

from grimalkin.build import build
from grimalkin.cli import main
from grimalkin.content import as_variant, find_variants, load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.output.records import record_of
from grimalkin.output.unchanged import Order
from grimalkin.printing.face import Composer, Printed
from grimalkin.printing.sheet.pieces import all_faces
from grimalkin.printing.sheet.settings import Edition, Settings
from grimalkin.problems import Place, Problems, Stop

VARIANTS = """\
variants:
  - {id: bright, name: Bright colours, text: For poor light., palette: {red: "#ff2200"}}
  - {id: narrow, name: Narrow cards, text: For small hands., stocks: {poker: bridge}}
decks:
"""
PLACE = Place("--variant")


def with_variants(variants: str = VARIANTS) -> str:
    return FILES["game.yaml"].replace("decks:\n", variants)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a game that has two variants, from where commands are given."""
    template = FILES["faces/plain.svg.j2"].replace("#1d1a26", "{{ palette.red }}")
    write_game(tmp_path / "tiny", game_yaml=with_variants(), faces__plain_svg_j2=template)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def trims(path: Path) -> set[tuple[float, float]]:
    """Sizes in mm of everything that the pages call TrimBox."""
    with pikepdf.open(path) as pdf:
        boxes = [[float(value) * 25.4 / 72 for value in page.TrimBox] for page in pdf.pages]
    return {(round(right - left, 1), round(top - bottom, 1)) for left, bottom, right, top in boxes}


def problems_of(folder: Path) -> list[str]:
    problems = Problems()
    load_game(folder, problems)
    return [str(problem).partition(": ")[2] for problem in problems]


def test_a_variant_is_the_same_game_with_other_stocks_and_colours(table: Path) -> None:
    """Decks and rows change their stock, the palette its colour; nothing else does."""
    game = load_game(table / "tiny", Problems())
    assert game is not None
    both = as_variant(game, find_variants(game, ["narrow", "bright"], PLACE))

    assert ["bright", "narrow"] == [variant.id for variant in both.variants]
    assert {"red": "#ff2200"} == both.info.palette
    assert ["bridge"] == [deck.stock for deck in both.info.decks]
    assert game.facts == both.facts
    assert ("poker", {"red": "#aa0000"}) == (game.info.decks[0].stock, game.info.palette)


def test_a_row_with_a_stock_of_its_own_changes_too(tmp_path: Path) -> None:
    """What counts is the stock that a piece is on, not who names it."""
    cards = "id,name,count,power,mood,stock\nmouse,Mouse,2,1,calm,mini\nowl,Owl,1,7,,poker\n"
    game = load_game(write_game(tmp_path, game_yaml=with_variants(), cards_csv=cards), Problems())
    assert game is not None

    rows = as_variant(game, find_variants(game, ["narrow"], PLACE)).components["cards"]
    assert ["mini", "bridge"] == [row.stock for row in rows]


def test_sheets_of_a_variant_are_named_after_it(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each asked for variant and the inks are in the name; the cards have the other size and colour."""
    assert 0 == main(["sheets", "./tiny", "--paper", "a4", "--variant", "narrow,bright", "--ink", "low", "--no-cover"])
    path = table / "output/print/tiny/tiny-a4-bright-narrow-low.pdf"

    assert path.is_file()
    assert 0 == main(["sheets", "./tiny", "--paper", "a4", "--gutter", "0", "--no-cover", "--output", "wide"])
    assert 0 == main(
        ["sheets", "./tiny", "--paper", "a4", "--gutter", "0", "--no-cover", "--variant", "narrow", "--output", "slim"]
    )
    # Three cards stand side by side, without room between them.
    assert {(189.0, 88.0)} == trims(table / "wide/print/tiny/tiny-a4.pdf")
    assert {(171.4, 88.9)} == trims(table / "slim/print/tiny/tiny-a4-narrow.pdf")


def test_the_cover_and_every_page_say_which_variant_this_is(table: Path) -> None:
    """Sheets that lie on one table must not be mixed up."""
    import pypdfium2

    main(["sheets", "./tiny", "--paper", "a4", "--variant", "narrow"])
    document = pypdfium2.PdfDocument(table / "output/print/tiny/tiny-a4-narrow.pdf")
    texts = [" ".join(page.get_textpage().get_text_range().split()) for page in document]
    document.close()

    assert "narrow cards" in texts[-1]
    assert "Narrow cards: For small hands." in " ".join(texts)


def test_colours_that_black_alone_does_not_show_are_not_promised(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command warns, and the cover says so; another size is seen in any ink."""
    import pypdfium2

    command = ["sheets", "./tiny", "--paper", "a4", "--variant", "narrow,bright", "--ink"]
    assert 0 == main([*command, "mono"])
    assert "--variant: in black only, bright changes nothing\n" == capsys.readouterr().err
    document = pypdfium2.PdfDocument(table / "output/print/tiny/tiny-a4-bright-narrow-mono.pdf")
    text = " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())
    document.close()
    assert "Bright colours: not visible in black only. " in text
    assert "For poor light." not in text
    assert "Narrow cards: For small hands." in text
    assert 0 == main([*command, "low"])
    assert "" == capsys.readouterr().err


@pytest.mark.slow("builds a game with its variants")
def test_a_build_makes_each_variant_beside_the_usual_designs(table: Path) -> None:
    """With full inks: who wants little ink and another size asks for it."""
    build(Order([table / "tiny"], ("a4",)), table / "output")

    assert [
        "tiny-a4-bright.pdf",
        "tiny-a4-low.pdf",
        "tiny-a4-mono.pdf",
        "tiny-a4-narrow.pdf",
        "tiny-a4.pdf",
        "tiny-rulebook-a4.pdf",
        "tiny-rulebook-booklet-a4-low.pdf",
        "tiny-rulebook-booklet-a4-mono.pdf",
        "tiny-rulebook-booklet-a4.pdf",
    ] == sorted(path.name for path in (table / "output/sheets/tiny").glob("*.pdf"))


@pytest.mark.slow("builds a game with its variants")
def test_a_build_with_other_inks_makes_variants_with_those(table: Path) -> None:
    """Who asks for little ink wants it for every size."""
    build(Order([table / "tiny"], ("a4",), Settings(inks="low")), table / "output")

    books = ["tiny-rulebook-a4-low.pdf", "tiny-rulebook-booklet-a4-low.pdf"]
    assert ["tiny-a4-bright-low.pdf", "tiny-a4-low.pdf", "tiny-a4-narrow-low.pdf", *books] == sorted(
        path.name for path in (table / "output/sheets/tiny").glob("*.pdf")
    )


def test_unknown_variants_and_two_that_change_the_same_stop(table: Path) -> None:
    """Nothing is printed in a way that nobody asked for."""
    twice = VARIANTS.replace("decks:\n", "  - {id: tiny, name: Tiny, text: t, stocks: {poker: mini}}\ndecks:\n")
    write_game(table / "tiny", game_yaml=with_variants(twice))
    game = load_game(table / "tiny", Problems())
    assert game is not None

    with pytest.raises(Stop, match='there is no variant "narow"; did you mean "narrow"'):
        find_variants(game, ["narow"], PLACE)
    with pytest.raises(Stop, match='the variants "narrow" and "tiny" both change poker; choose only one of them'):
        find_variants(game, ["tiny", "narrow"], PLACE)


def test_a_game_without_variants_says_so(tmp_path: Path) -> None:
    """There is nothing to suggest."""
    game = load_game(write_game(tmp_path), Problems())
    assert game is not None
    with pytest.raises(Stop, match='there is no variant "wide"; Tiny has no variants'):
        find_variants(game, ["wide"], PLACE)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("{id: a, name: A, text: t}", "this variant changes nothing; give it `stocks`, `palette` or `columns`"),
        ("{id: a, name: A, text: t, stocks: {mini: bridge}}", 'no piece is on the stock "mini"'),
        ("{id: a, name: A, text: t, stocks: {poker: brige}}", 'there is no stock "brige"; did you mean "bridge"?'),
        ('{id: a, name: A, text: t, palette: {rod: "#ff0000"}}', 'the palette has no colour "rod"'),
        ("{id: bright, name: A, text: t, stocks: {poker: mini}}", 'the id "bright" is taken'),
        ("{id: low, name: A, text: t, stocks: {poker: mini}}", 'a variant cannot be called "low"'),
        ("{id: form, name: A, text: t, stocks: {poker: mini}}", 'a variant cannot be called "form"'),
        ("{id: A b, name: A, text: t, stocks: {poker: mini}}", '"A b"'),
    ],
)
def test_faulty_variants_are_problems(tmp_path: Path, written: str, told: str) -> None:
    """Each is told at its place in game.yaml."""
    variants = VARIANTS.replace("decks:\n", f"  - {written}\ndecks:\n")
    found = problems_of(write_game(tmp_path / "tiny", game_yaml=with_variants(variants)))

    assert 1 == len(found)
    assert told in found[0]


def test_records_of_variants_are_compared_with_their_own_kind(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Sheets of the usual size tell nothing about what is on the narrow ones."""
    assert 0 == main(["sheets", "./tiny", "--paper", "a4", "--variant", "narrow"])
    game = load_game(table / "tiny", Problems())
    assert game is not None
    narrow = as_variant(game, find_variants(game, ["narrow"], PLACE))

    assert "abc-narrow" == record_of(narrow, Edition("1", "abc"), "full", {}).name
    capsys.readouterr()
    assert 0 == main(["sheets", "./tiny", "--paper", "a4", "--variant", "narrow", "--changed-since", "1"])
    assert "nothing needs to be printed again" in capsys.readouterr().out
    assert 1 == main(["sheets", "./tiny", "--paper", "a4", "--changed-since", "1"])
    assert "this was printed as narrow; add --variant narrow" in capsys.readouterr().err


@pytest.mark.slow("builds a game with its variants")
def test_a_combination_that_was_never_printed_is_answered(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A build leaves a record of each design; the names of all that are there say what can be compared."""
    build(Order([table / "tiny"], ("a4",)), table / "output")
    code = main(["sheets", "./tiny", "--paper", "a4", "--variant", "narrow,bright", "--changed-since", "1"])
    told = capsys.readouterr().err

    assert 1 == code
    assert 'there is no record of "1" printed as bright and narrow and full' in told
    assert "-narrow" in told
    assert 0 == main(["sheets", "./tiny", "--paper", "a4", "--variant", "bright", "--changed-since", "1"])
    assert "nothing needs to be printed again" in capsys.readouterr().out


def test_pictures_of_a_variant_have_its_size(table: Path) -> None:
    """57.15 × 88.9 mm at 100 dpi, where the usual card has 63 × 88."""
    from PIL import Image

    for name, variant in (("usual", []), ("slim", ["--variant", "narrow"])):
        assert 0 == main(["export", "png", "./tiny", "--dpi", "100", "--jobs", "1", "--output", name, *variant])
    sizes = []
    for name in ("usual", "slim"):
        with Image.open(table / name / "png/mouse-front.png") as picture:
            sizes.append(picture.size)

    assert [(248, 346), (225, 350)] == sizes


@pytest.mark.slow("builds a game with its variants")
def test_preflight_looks_at_every_variant(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A text that fits the usual card and not the narrow one is found without asking, and not among the others."""
    long = FILES["faces/plain.svg.j2"].replace('width="53"', 'width="{{ 53 if stock.width > 60 else 3 }}"')
    write_game(table / "tiny", game_yaml=with_variants(), faces__plain_svg_j2=long)

    told = []
    for more in ([], ["--variant", "narrow"], ["--variant", "bright"]):
        assert 1 == main(["preflight", "./tiny", "--paper", "a4", "--ink", "full", *more])
        told.append("does not fit into" in "".join(capsys.readouterr()))

    assert [True, True, False] == told


def test_marks_in_the_words_of_a_variant_are_read_on_the_cover(table: Path) -> None:
    """Not printed as they are written."""
    game = with_variants(VARIANTS.replace("For poor light.", '"For **poor** light and [[mouse]]."'))
    write_game(table / "tiny", game_yaml=game)

    assert main(["sheets", "./tiny", "--variant", "bright", "--paper", "a4"]) == 0
    (made,) = (table / "output" / "print").rglob("*.pdf")
    with pdfplumber.open(made) as pdf:
        told = " ".join(" ".join(page.extract_text().split()) for page in pdf.pages[:2])

    assert "Bright colours: For poor light and Mouse." in told


def test_a_variant_may_print_other_cells(tmp_path: Path) -> None:
    """A filled cell stands in for another; where it is empty, nothing changes."""
    game_yaml = with_variants(
        "variants:\n  - {id: strong, name: Strong, text: For the brave., columns: {power: brave}}\ndecks:\n"
    ).replace("      mood:", "      brave: {type: whole, label: brave, optional: yes}\n      mood:")
    cards = "id,name,count,power,brave,mood\nmouse,Mouse,2,1,8,calm\nowl,Owl,1,7,,\n"
    game = load_game(write_game(tmp_path / "tiny", game_yaml=game_yaml, cards_csv=cards), Problems())
    assert game is not None

    changed = as_variant(game, find_variants(game, ["strong"], PLACE))
    assert {"mouse": 8, "owl": 7} == {id_: card["power"] for id_, card in changed.facts["components"].items()}
    assert {"mouse": 1, "owl": 7} == {id_: card["power"] for id_, card in game.facts["components"].items()}


def test_what_a_variant_does_not_change_is_not_composed_again(tmp_path: Path) -> None:
    """A front is taken over when nothing that its template looked up is another: its cells, its stock, the palette.

    What is drawn is the same either way.
    """
    strong = "  - {id: strong, name: Strong, text: For the brave., columns: {power: brave}}\n"
    game_yaml = with_variants(VARIANTS.replace("decks:", f"{strong}decks:")).replace(
        "      mood:", "      brave: {type: whole, label: brave, optional: yes}\n      mood:"
    )
    cards = "id,name,count,power,brave,mood\nmouse,Mouse,2,1,8,calm\nowl,Owl,1,7,,\n"
    template = FILES["faces/plain.svg.j2"].replace("#1d1a26", "{{ palette.red }}")
    written = write_game(tmp_path / "tiny", game_yaml=game_yaml, cards_csv=cards, faces__plain_svg_j2=template)
    problems = Problems()
    game = load_game(written, problems)
    assert game is not None, list(problems)
    stocks = load_stocks(game.folder, problems)
    usual = Composer(game, stocks, problems)
    faces = all_faces(game, usual)
    taken: dict[str, list[str]] = {}
    for variant in game.info.variants:
        changed = as_variant(game, [variant])
        made = all_faces(changed, Composer(changed, stocks, problems, printed=Printed(usual, faces)))
        anew = all_faces(changed, Composer(changed, stocks, problems))
        fronts = (id_ for id_ in faces if id_.endswith("-front"))
        taken[variant.id] = [id_ for id_ in fronts if made[id_].content is faces[id_].content]

        assert {id_: face.svg for id_, face in anew.items()} == {id_: face.svg for id_, face in made.items()}

    assert {"bright": [], "narrow": [], "strong": ["owl-front"]} == taken


def test_a_variant_and_a_part_of_a_game_use_the_templates_already_read(tmp_path: Path) -> None:
    """A draft still marks the columns that the variant's own cards lack; a part has the same faces."""
    template = FILES["faces/plain.svg.j2"].replace("{{ card.name }}", "{{ card.name }} {{ card.claw }}")
    written = write_game(tmp_path / "tiny", game_yaml=with_variants(), faces__plain_svg_j2=template)
    problems = Problems()
    game = load_game(written, problems)
    assert game is not None, list(problems)
    stocks = load_stocks(game.folder, problems)
    usual = Composer(game, stocks, problems, draft=True)
    faces = all_faces(game, usual)
    changed = as_variant(game, game.info.variants[:1])
    shared = Composer(changed, stocks, problems, printed=Printed(usual, faces), draft=True)
    anew = Composer(changed, stocks, problems, draft=True)
    part = usual.for_part(replace(game, part=None))
    deck = game.info.decks[0]

    assert usual.sandbox is shared.sandbox is not anew.sandbox
    assert usual.sandbox is not Composer(changed, stocks, problems, printed=Printed(usual, faces)).sandbox
    assert "[claw?]" in faces["owl-front"].svg
    marked = [{id_: face.svg for id_, face in all_faces(changed, one).items()} for one in (shared, anew)]
    assert marked[0] == marked[1]
    assert game is usual.game is not part.game
    assert all(part.faces(deck, row) is usual.faces(deck, row) for row in game.components[deck.id])


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ("{power: brav}", 'no deck has the column "brav"'),
        ("{power: mood}", '"power" has the type whole, but "mood" has the type choice'),
    ],
)
def test_columns_of_a_variant_must_be_there_and_of_one_type(tmp_path: Path, columns: str, told: str) -> None:
    game_yaml = with_variants(f"variants:\n  - {{id: x, name: X, text: Y., columns: {columns}}}\ndecks:\n")

    assert told in problems_of(write_game(tmp_path / "tiny", game_yaml=game_yaml))[0]
