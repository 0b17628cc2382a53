"""Quick references: what is wrong with quick.yaml is told at its place, and the page has what decks and engine say."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pdfplumber
import pdfua
import pypdfium2
import pytest
from games_for_tests import FILES, bundled_game, write_game
from shown import show

from grimalkin.content import Game, load_game
from grimalkin.content.quick_reference import TableView, glances_of
from grimalkin.content.stocks import Paper, load_papers, load_stocks
from grimalkin.content.texts.typography import apostrophes
from grimalkin.engine.cribs import Crib, CribRow
from grimalkin.printing.draw.packing import MM
from grimalkin.printing.face import Composer, Face, Inks, Printed
from grimalkin.printing.face.quick_card import quick_faces, quick_pages
from grimalkin.printing.sheet.booklets import quick_pdf, sheet_of
from grimalkin.printing.sheet.settings import Edition, Settings
from grimalkin.problems import Problems
from grimalkin.site.pages import pages
from grimalkin.source import bundled_games

DECKS = """\
  - id: beasts
    name: Beasts
    kind: card
    file: beasts.csv
    count: 7
    stock: poker
    faces: {front: plain-beast}
    columns:
      den: {type: choice, label: den, choices: [wood, cave], optional: yes}
      size: {type: whole, label: size, least: 1, most: 99, optional: yes, rule: TI-PLAY-1}
      sign: {type: choice, label: sign, choices: [moon, paw], optional: yes}
      tale: {type: text, label: tale, optional: yes}
"""
BEASTS = """\
id,name,count,den,size,sign,tale
bear,Bear,1,cave,9,moon,"Sleeps.
Snores."
wolf,Wolf,1,wood,10,paw,{if pages|Howls}{if cards|Barks} at [[owl]].
fox,Fox,4,wood,2,paw,
stone,Stone,1,,,,
"""
ROWS = "rows: [{deck: beasts, columns: [size, count], sort: size}]"
QUICK = """\
quick:
  - id: beasts
    title: The beasts
    rules: [TI-PLAY-2]
    table:
      of: Beast
      rows: [{deck: beasts, columns: [size, count], sort: size}]
    lines: [TI-PLAY-1, {text: "Play **1** | card_s.", rules: [TI-PLAY-2, TI-PLAY-1]}]
"""


def written(folder: Path, yaml: str = QUICK, **files: str) -> Path:
    return write_game(
        folder / "tiny",
        **{
            "game.yaml": FILES["game.yaml"] + DECKS,
            "beasts.csv": BEASTS,
            "faces/plain-beast.svg.j2": FILES["faces/plain.svg.j2"].replace("{{ card.power }}", ""),
            "quick.yaml": yaml,
            **files,
        },
    )


MARKS = re.compile(r"\*\*|:[a-z-]+:|\[\[[^|\]]+\|?|\]\]")
"""What no reader sees of a text."""


def problems_of(folder: Path) -> list[str]:
    problems = Problems()
    load_game(folder, problems)
    return [str(problem).split("quick.yaml:")[-1] for problem in problems]


def table(folder: Path, yaml: str, medium: str = "pages") -> TableView:
    """The table that this line of quick.yaml gives."""
    problems = Problems()
    game = load_game(written(folder, f"quick: [{{id: one, title: One, table: {yaml}}}]\n"), problems)

    assert not list(problems)
    assert game is not None
    found = glances_of(game, medium)[0].table
    assert found is not None
    return found


def cells(shown: TableView) -> list[tuple[str, ...]]:
    return [(row.name, *row.cells) for row in shown.rows]


def page_of(folder: Path) -> str:
    return str(pages(show(folder))[f"{folder.name}/quick.md"])


# What is wrong


def test_a_quick_reference_that_names_what_is_there_has_no_problem(tmp_path: Path) -> None:
    assert problems_of(written(tmp_path)) == []


@pytest.mark.slow("composes a card in many sizes")
@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("rules: [TI-PLAY-2]", "rules: [TI-PLAY-3]", '4: there is no rule "TI-PLAY-3"; did you mean "TI-PLAY-1"?'),
        ("lines: [TI-PLAY-1,", "lines: [TI-PLAY-9,", '8: there is no rule "TI-PLAY-9"; did you mean "TI-PLAY-1"?'),
        ("deck: beasts", "deck: beats", '7: there is no deck "beats"; did you mean "beasts"?'),
        ("[size, count]", "[seize, count]", '7: the deck beasts has no column "seize"; did you mean "size"?'),
        ("[size, count]", "[size, cuont]", '7: the deck beasts has no column "cuont"; did you mean "count"?'),
        ("sort: size", "by: dens", '7: the deck beasts has no column "dens"; did you mean "den"?'),
        (
            "sort: size",
            "only: {den: woods}",
            '7: no piece of beasts has "woods" in the column den; did you mean "wood"?',
        ),
        (
            "columns: [size, count], sort: size",
            "columns: [size], only: {den: cave, sign: paw}",
            "7: no piece of beasts makes a row; check `only` and the columns",
        ),
        ("of: Beast", "called: {den: {wood: Wood}}", "6: this table does not show the column den"),
        (
            "of: Beast\n      rows: [{deck: beasts, columns: [size, count], sort: size}]",
            "called: {den: {woods: Wood}}\n      rows: [{deck: beasts, columns: [den]}]",
            '6: no piece of this table has "woods" in the column den; did you mean "wood"?',
        ),
        (
            "lines: [TI-PLAY-1,",
            f"lines: [{', '.join(['TI-PLAY-1'] * 40)},",
            "8: quick.0.lines: 41 are written; at most 40",
        ),
        ("of: Beast", "icons: [den]", '6: "cave" in that column is not the name of an icon'),
        ("of: Beast", "icons: [dens]", '6: no deck of this table has a column "dens"; did you mean "den"?'),
        ("of: Beast", "called: {dens: {wood: Wood}}", '6: no deck of this table has a column "dens"'),
        ("of: Beast", "told: {bear: TI-PLAY-1, wolf: TI-PLAY-1}", '6: the row "fox" has no words under `told`'),
        ("of: Beast", "told: {hare: TI-PLAY-1}", '6: no row is called "hare"; known here: bear, fox, wolf'),
        ("of: Beast", "heads: [size]", "table: the table has 2 columns next to the names, but 1 head"),
        (
            "rows: [{deck: beasts, columns: [size, count], sort: size}]",
            "heads: [a]",
            "table: write either `rows` of pieces",
        ),
        (
            "of: Beast\n      rows: [{deck: beasts, columns: [size, count], sort: size}]",
            "engine: costs",
            "this game has no engine that could make the table",
        ),
        ("sort: size", "by: den, together: All", "write only one of `by`, `together` and `name`"),
        ("lines: [TI-PLAY-1,", "lines: [{text: Nobody says so.},", 'the key "rules" is missing in number 1 of "lines"'),
        ("title: The beasts", "titel: The beasts", 'unknown key "titel"; did you mean "title"?'),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_a_remedy(tmp_path: Path, before: str, after: str, told: str) -> None:
    assert before in QUICK
    found = problems_of(written(tmp_path, QUICK.replace(before, after)))

    assert any(told in problem for problem in found), found


def test_a_heading_with_nothing_under_it_is_a_problem(tmp_path: Path) -> None:
    found = problems_of(written(tmp_path, "quick: [{id: one, title: One}]\n"))

    assert found == ["1: quick.0: there is nothing under this heading; it needs `lines` or a `table`"]


# What tables show


def test_each_piece_is_a_row_and_one_without_the_columns_is_left_out(tmp_path: Path) -> None:
    shown = table(tmp_path, "{rows: [{deck: beasts, columns: [size, count]}]}")

    assert shown.of == "Beasts"
    assert shown.heads == (("size", "TI-PLAY-1"), ("pieces", ""))
    assert cells(shown) == [("Bear", "9", "1"), ("Wolf", "10", "1"), ("Fox", "2", "4")]


def test_numbers_are_sorted_as_numbers(tmp_path: Path) -> None:
    shown = table(tmp_path, "{rows: [{deck: beasts, columns: [size], sort: size}]}")

    assert cells(shown) == [("Fox", "2"), ("Bear", "9"), ("Wolf", "10")]


def test_a_row_for_each_value_has_the_least_and_the_largest_number(tmp_path: Path) -> None:
    yaml = "{rows: [{deck: beasts, by: den, columns: [size, count, sign]}], called: {den: {cave: In a cave}}}"

    assert cells(table(tmp_path, yaml)) == [("In a cave", "9", "1", "moon"), ("wood", "2–10", "5", "paw")]


def test_all_pieces_can_be_one_row(tmp_path: Path) -> None:
    rows = "{deck: beasts, together: All, columns: [sign]}, {deck: beasts, only: {den: cave}, columns: [size]}"

    assert cells(table(tmp_path, f"{{rows: [{rows}]}}")) == [("All", "moon, paw"), ("Bear", "9")]


def test_columns_share_a_cell_and_values_are_icons(tmp_path: Path) -> None:
    yaml = "{rows: [{deck: beasts, name: tale, only: {den: cave}, columns: [[sign, size]]}], icons: [sign]}"

    assert cells(table(tmp_path, yaml)) == [("Sleeps. Snores.", ":moon: 9")]


def test_texts_of_cells_are_those_of_their_medium(tmp_path: Path) -> None:
    yaml = "{rows: [{deck: beasts, only: {size: 10}, columns: [tale]}]}"

    assert cells(table(tmp_path / "a", yaml)) == [("Wolf", "Howls at [[owl]].")]
    assert cells(table(tmp_path / "b", yaml, "cards")) == [("Wolf", "Barks at [[owl]].")]


def test_what_is_told_of_a_row_is_its_last_cell(tmp_path: Path) -> None:
    yaml = "{rows: [{deck: beasts, by: den}], told: {cave: {text: It is dark., rules: [TI-PLAY-2]}, wood: TI-PLAY-1}}"
    shown = table(tmp_path, yaml)

    assert cells(shown) == [("cave", "It is dark."), ("wood", "Play a card")]
    assert [row.rules for row in shown.rows] == [("TI-PLAY-2",), ("TI-PLAY-1",)]


# The page


def test_the_page_has_the_numbers_of_the_deck_and_links_every_line(tmp_path: Path) -> None:
    page = page_of(written(tmp_path))

    assert "## The beasts [1.2](rules-play.md#TI-PLAY-2){.by} {#quick-beasts}" in page
    assert "| Beast | size [1.1](rules-play.md#TI-PLAY-1){.by} | pieces |\n|---|:-:|:-:|\n" in page
    assert "Fox](components.md#fox){.component} | 2 | 4 |\n" in page
    assert "\n- Play a card [1.1](rules-play.md#TI-PLAY-1){.by}\n" in page
    assert "\n- Play **1** &#124; card&#95;s. [1.2, 1.1](rules-play.md#TI-PLAY-2){.by}\n" in page


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "[TI-PLAY-1, {",
            "[{text: 漢, rules: [TI-PLAY-1]}, {",
            "2: the font SourceSansPro has no character '漢' (U+6F22)",
        ),
        ("title: The beasts", f"title: {'x' * 200}", "2: a word or a table is wider than a column, 66 mm, in 6.5 pt"),
    ],
)
def test_what_the_card_cannot_show_is_told_at_its_heading(tmp_path: Path, old: str, new: str, told: str) -> None:
    game = load_game(written(tmp_path, QUICK.replace(old, new)), Problems())
    assert game is not None
    composer = composer_of(game)

    assert quick_faces(composer) is None
    assert [told in str(problem) for problem in composer.problems] == [True], list(composer.problems)


def test_titles_and_heads_are_shown_as_they_are_written(tmp_path: Path) -> None:
    """Where the page shows no marks, the card shows none."""
    yaml = QUICK.replace("The beasts", "'*The* [[beasts]]'").replace("of: Beast", "of: 'B :moon:'")
    game = load_game(written(tmp_path, yaml), Problems())
    assert game is not None
    faces = quick_faces(composer_of(game))
    assert faces is not None
    text = " ".join(faces[0].root.itertext())

    assert "*The*" in text and "[[beasts]]" in text and ":moon:" in text


def test_another_number_in_the_deck_is_another_number_on_the_page(tmp_path: Path) -> None:
    before = page_of(written(tmp_path / "a"))
    after = page_of(written(tmp_path / "b", **{"beasts.csv": BEASTS.replace("fox,Fox,4,wood,2", "fox,Fox,4,wood,7")}))

    assert "| 2 | 4 |" in before
    assert "| 7 | 4 |" in after
    assert "| 2 | 4 |" not in after


def test_steps_are_numbered(tmp_path: Path) -> None:
    page = page_of(written(tmp_path, QUICK.replace("    lines:", "    numbered: yes\n    lines:")))

    assert "\n1. Play a card [1.1]" in page
    assert "\n2. Play **1**" in page


def test_a_rule_alone_is_told_by_its_summary(tmp_path: Path) -> None:
    rules = FILES["rules.yaml"].replace("title: Play a card\n", "title: Play a card\n        summary: Play one.\n")

    assert "\n- Play one. [1.1]" in page_of(written(tmp_path, **{"rules.yaml": rules}))


def test_without_quick_yaml_the_page_has_the_summaries_of_rules(tmp_path: Path) -> None:
    rules = FILES["rules.yaml"].replace("title: Strength\n", "title: Strength\n        summary: More is more.\n")
    made = pages(show(write_game(tmp_path / "tiny", **{"rules.yaml": rules})))
    page = str(made["tiny/quick.md"])

    assert "## Play {#quick-play}\n\n- More is more. [1.2](rules-play.md#TI-PLAY-2){.by}\n" in page
    assert "Play a card" not in page
    assert "prints on one sheet" not in page
    assert "[What was that again?](quick.md) The rules, one line each." in str(made["tiny/index.md"])


def test_without_summaries_either_there_is_no_page(tmp_path: Path) -> None:
    made = pages(show(write_game(tmp_path / "tiny")))

    assert "tiny/quick.md" not in made
    assert "quick.md" not in str(made["tiny/index.md"])


# The bundled games


@pytest.mark.parametrize("name", bundled_games())
def test_every_line_of_a_bundled_game_is_short(name: str) -> None:
    """What is to be found at a glance is no essay."""
    for one in glances_of(bundled_game(name), "pages"):
        for line in one.lines:
            assert len(line.text) <= 190, line.text


def test_the_costs_of_were_kittens_are_those_that_the_engine_counts() -> None:
    """A base of 11, 10 and 9, minus the number of the space."""
    game = bundled_game("were-kittens")
    costs = next(one.table for one in glances_of(game, "pages") if one.id == "costs")

    assert costs is not None
    assert cells(costs) == [
        ("Penny", "10", "9", "8", "7", "6", "5"),
        ("Nickel", "9", "8", "7", "6", "5", "4"),
        ("Dime", "8", "7", "6", "5", "4", "3"),
    ]


def test_a_table_of_the_engine_with_too_few_cells_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from grimalkin.games import were_kittens

    wrong = Crib("Coin", ("one", "two"), (CribRow("penny", ("1",), ("WK-NONE-1",)),))
    monkeypatch.setattr(were_kittens, "CRIBS", {"costs": lambda _: wrong, "victims": lambda _: wrong})
    problems = Problems()
    load_game(bundled_game("were-kittens").folder, problems)
    told = [str(problem).split("quick.yaml:")[-1].partition(": ")[2] for problem in problems]

    assert 'the row "penny" of this table has 1 cell; it needs one for each head, 2' in told
    assert any(one.startswith('the row "penny" names the rule "WK-NONE-1", which does not exist') for one in told)


def crib(name: str, glance: str) -> list[tuple[str, ...]]:
    """The table under a heading of a bundled game."""
    found = next(one.table for one in glances_of(bundled_game(name), "pages") if one.id == glance)
    assert found is not None
    return cells(found)


def test_the_points_of_werecats_are_those_that_its_engine_counts() -> None:
    assert [row[1] for row in crib("werecats", "points")] == ["1", "2", "2", "10", "3"]


def test_the_tables_of_the_cats_are_those_of_their_rules() -> None:
    """Costs and MP by NO-ACT-1 to 5, steps by NO-MOVE-2 to 4, Ranges by NO-RNG-2 to 6, and what is added."""
    name = "cats-of-new-orleans"

    assert crib(name, "actions")[:3] == [("Prowl", "1", "1"), ("Stride", "1", "3"), ("Pounce", "2", "6")]
    assert [row[1] for row in crib(name, "actions")[3:]] == ["1", "1", "2", "1", "1", "1", "1"]
    assert [row[1] for row in crib(name, "steps")] == ["1", "2", "+1"]
    assert crib(name, "ranges") == [("steps", "0–1", "0–2", "0–3", "2–4", "2–8")]
    assert [row[1] for row in crib(name, "modifiers")] == ["−2", "+3", "+1"]
    assert [row[1] for row in crib(name, "cards")] == ["1", "11", "12", "13", "13", "1"]


# The card


def composer_of(game: Game, inks: Inks = "full") -> Composer:
    problems = Problems()
    return Composer(game, load_stocks(game.folder, problems), problems, inks)


def boxes_of(face: Face) -> list[tuple[float, ...]]:
    """The text boxes of a face: left, top, right, foot, and the size of the type."""
    found = []
    for layer in face.layers:
        for box in layer.boxes.values():
            x, y, width, height, size = (float(box[key]) for key in ("x", "y", "width", "height", "size"))
            found.append((x, y, x + width, y + height, size))
    return found


@pytest.mark.parametrize("inks", ["full", "low", "mono"])
@pytest.mark.parametrize("name", bundled_games())
def test_no_text_of_a_card_is_clipped_or_too_small(name: str, inks: Inks) -> None:
    """Every text stands within the safe area, in 6.5 points at least, and no two overlap."""
    composer = composer_of(bundled_game(name), inks)
    faces = quick_faces(composer)

    assert list(composer.problems) == []
    assert faces is not None
    for face in faces:
        stock = face.stock
        boxes = boxes_of(face)

        assert len(boxes) > 10
        for left, top, right, foot, size in boxes:
            assert size >= 6.5
            assert stock.safe - 0.01 <= left < right <= stock.width - stock.safe + 0.01
            assert 3 <= top < foot <= stock.height - stock.safe + 0.01
        for one, other in combinations(boxes, 2):
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart, (one, other)


def test_all_inks_share_a_layout_and_variants_do_not() -> None:
    """The words are as wide in black; another game, such as a variant, has other words."""
    game, problems = bundled_game("were-kittens"), Problems()
    full = composer_of(game)
    other = replace(game, quick=())
    mono, variant = (Composer(one, full.stocks, problems, "mono", Printed(full, {})) for one in (game, other))
    assert quick_faces(full) and quick_pages(full) and full.layouts
    layouts = dict(full.layouts)
    for key in layouts:
        assert mono.layouts[key] is layouts[key]
    assert [face.svg for face in quick_pages(mono)] == [face.svg for face in quick_pages(composer_of(game, "mono"))]
    assert full.layouts == layouts and not variant.layouts


def test_a_card_has_what_the_page_has() -> None:
    """Each line and each cell, on one of the two sides."""
    game = bundled_game("were-kittens")
    faces = quick_faces(composer_of(game))
    assert faces is not None
    words = " ".join("".join(face.root.itertext()) for face in faces)
    shown = "".join(words.split())

    for one in glances_of(game, "cards"):
        rows = one.table.rows if one.table else ()
        in_table = [text for row in rows for text in (row.name, *row.cells)]
        for text in (one.title, *(line.text for line in one.lines), *in_table):
            for part in MARKS.split(text):
                assert apostrophes("".join(part.split())) in shown
    assert "Populateimmediately." in shown
    assert "10" in words


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_card_is_printed_on_both_sides_of_one_leaf(paper: str) -> None:
    """Two cards of 105 by 148 mm lie on each side, turned; the trims of the back are where those of the front are."""
    game = bundled_game("werecats")
    faces = quick_faces(composer_of(game))
    assert faces is not None
    data = quick_pdf(game, faces, load_papers(None, Problems())[paper], Settings(), Edition("1", "abc"))
    assert data is not None
    document = pypdfium2.PdfDocument(data)
    boxes = [[value * 25.4 / 72 for value in sheet.get_trimbox()] for sheet in document]
    sizes = [[round(right - left, 1), round(top - foot, 1)] for left, foot, right, top in boxes]
    texts = [sheet.get_textpage().get_text_range() for sheet in document]
    document.close()

    assert len(sizes) == 2
    assert sizes[0] == sizes[1]
    assert sizes[0][0] == 148
    assert 210 <= sizes[0][1] <= 216.1
    assert [text.count("The four actions") for text in texts] == [2, 0]
    assert [text.count("Food powers") for text in texts] == [0, 2]


def test_a_paper_that_is_too_small_has_no_card() -> None:
    game = bundled_game("werecats")
    faces = quick_faces(composer_of(game))
    assert faces is not None
    small = Paper(name="A6", width=105, height=148)

    assert quick_pdf(game, faces, small, Settings(), Edition("1", "abc")) is None


@pytest.mark.slow("composes a card in many sizes")
def test_what_is_too_much_for_one_size_of_card_takes_the_next(tmp_path: Path) -> None:
    def stock_of(lines: int) -> str:
        line = f"      - {{text: {'many words ' * 14}, rules: [TI-PLAY-1]}}\n"
        parts = [f"  - id: a{n}\n    title: A\n    lines:\n{line * 10}" for n in range(lines // 10)]
        yaml = "quick:\n" + "".join(parts)
        game = load_game(written(tmp_path / str(lines), yaml), Problems())
        assert game is not None
        composer = composer_of(game)
        faces = quick_faces(composer)
        return faces[0].stock.name if faces else str(next(iter(composer.problems)))

    assert stock_of(10) == "A6 card"
    assert stock_of(60) == "A5 card"
    told = "this does not fit on the two sides of a card of 148 × 210 mm in 6.5 pt: "
    assert f"quick.yaml: {told}it would take up 1" in stock_of(100)
    assert f"quick.yaml: {told}it has about 30,620 letters; at most 24,000" in stock_of(200)


def test_another_number_in_the_deck_is_another_number_on_the_card(tmp_path: Path) -> None:
    def text_of(folder: Path) -> str:
        game = load_game(folder, Problems())
        assert game is not None
        faces = quick_faces(composer_of(game))
        assert faces is not None
        return " ".join(" ".join(face.root.itertext()) for face in faces)

    changed = {"beasts.csv": BEASTS.replace("wolf,Wolf,1,wood,10", "wolf,Wolf,1,wood,88")}

    assert "88" not in text_of(written(tmp_path / "a"))
    assert "88" in text_of(written(tmp_path / "b", **changed))


def test_a_sheet_fills_its_paper_as_far_as_its_margin() -> None:
    """All words of the card are on it, in larger type, for eyes and for ears."""
    game = bundled_game("werecats")
    pages = quick_pages(composer_of(game))
    paper = load_papers(None, Problems())["a4"]
    data = sheet_of(game, pages, paper)
    with pdfplumber.open(io.BytesIO(data)) as read:
        (page,) = read.pages
        words, left = page.extract_words(), min(float(one["x0"]) for one in page.rects)

    assert (paper.width, paper.height) == (pytest.approx(page.width / MM), pytest.approx(page.height / MM))
    assert left == pytest.approx(paper.margin * MM, abs=0.1)
    assert {"Dumpster", "ReAnimate", "Points"} <= {one["text"].strip(":") for one in words}
    assert not pdfua.faults(data)


def test_a_game_without_quick_yaml_has_no_card(tmp_path: Path) -> None:
    game = load_game(write_game(tmp_path / "tiny"), Problems())
    assert game is not None

    assert quick_faces(composer_of(game)) is None


def test_the_downloads_have_the_card_apart_from_the_sheets(tmp_path: Path) -> None:
    shown = show(written(tmp_path))
    names = ("tiny-a4", "tiny-a4-low", "tiny-a4-quick", "tiny-a4-quick-low", "tiny-letter-quick", "tiny-a4-quick-sheet")
    made = pages(replace(shown, sheets={f"{name}.pdf": b"" for name in names}))
    sheets, _, cards = str(made["tiny/downloads.md"]).partition("{#quick}")
    cards = cards.partition("## ")[0]

    assert "quick" not in sheets
    assert "[A4](downloads/tiny-a4-quick.pdf)" in cards
    assert "[A4, little ink](downloads/tiny-a4-quick-low.pdf)" in cards
    assert "[Letter](downloads/tiny-letter-quick.pdf)" in cards
    assert "[A4, one sheet](downloads/tiny-a4-quick-sheet.pdf)" in cards
    assert "[card to cut out](downloads.md#quick)" in str(made["tiny/quick.md"])
