"""Rich text: each construct as a card prints it and as a page shows it; what is wrong with marks; strangers' texts."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
import reference
from games_for_tests import FILES, write_game
from markdown import markdown
from shown import show, texts
from test_face import compose, face_problems, with_words

from grimalkin.content import Game, load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.content.texts.references import ASKED, MOST_NESTED, brace_faults, chosen, loose_marks, runs
from grimalkin.content.texts.styles import COMMON, STYLE_WORDS, VARIANTS, Look
from grimalkin.printing.draw.pdf import face_pdf
from grimalkin.printing.face import Composer, Face, Inks
from grimalkin.printing.face.svg.colours import NIGHT, PAPER, READABLE, contrast
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.type import shaping
from grimalkin.problems import Problems
from grimalkin.site.pages import pages
from grimalkin.site.pages.links import Map, Reader
from grimalkin.site.pages.site import build_site
from grimalkin.site.pages.style_sheets import rule, style_sheet, variants_in
from grimalkin.site.pages.templates import load_words

STYLES = """\
styles:
  danger: {fill: red, bold: yes}
  shout: {size: 2, fill: "#22304a"}
  numbers: {font-variant: oldstyle-nums slashed-zero, italic: yes}
"""
GAME = FILES["game.yaml"].replace(
    "optional: yes}", "optional: yes}\n      tale: {type: text, label: tale, optional: yes}"
)
FACE = (
    '{% extends "base/face.svg.j2" %}{% block words %}'
    '<textbox name="tale" x="5" y="5" width="53" height="78" size="10">{{ card.tale }}</textbox>{% endblock %}'
)
PASSAGE = "Pay *two* {danger|or **:paw: three**}{br}{if low|in ink}{if not low|in {small|colour}}."
"""Marks of all kinds."""


def rich_game(folder: Path, tale: str = "Plain.", face: str = FACE, **changes: str) -> Path:
    """The made-up game with styles, and a tale on its first card."""
    table = (
        f'id,name,count,power,mood,tale\nmouse,Mouse,2,1,calm,"{tale.replace(chr(34), 2 * chr(34))}"\nowl,Owl,1,7,,\n'
    )
    files = {"game.yaml": GAME + STYLES, "cards.csv": table, "faces/plain.svg.j2": face} | changes
    return write_game(folder, **files)


def read(folder: Path) -> tuple[Game, Problems]:
    problems = Problems()
    game = load_game(folder, problems)
    assert game
    return game, problems


def card(folder: Path, tale: str, inks: Inks = "full", **changes: str) -> Face:
    """The front of the card with this tale."""
    game, problems = read(rich_game(folder, tale, **changes))
    assert not problems, list(problems)
    composer = Composer(game, load_stocks(folder, problems), problems, inks)
    front, _ = composer.faces(game.info.decks[0], game.by_id["mouse"])
    assert front and not problems, list(problems)
    return front


def copied(face: Face) -> str:
    """The words of a card as somebody copies them from its PDF."""
    with pypdfium2.PdfDocument(face_pdf(face, bleed=False)) as file:
        return " ".join(file[0].get_textpage().get_text_bounded().split())


def words_of(face: Face) -> list[tuple[str, dict[str, str]]]:
    """Every run of letters, and the icons, with their attributes."""
    found = []
    for element in face.root.iter("{*}text", "{*}use"):
        found.append(((element.text or element.get("aria-label", "")), dict(element.attrib)))
    return found


def told(face: Face) -> list[str]:
    """The runs of a card in short: what is particular about each, and its words."""
    lines = []
    for words, look in words_of(face):
        font = look.get("font-family", "icon").removeprefix("SourceSansPro")
        size = float(look.get("font-size") or look["width"]) / (10 * 25.4 / 72)
        parts = [
            font,
            f"{size:.3g}" if abs(size - 1) > 0.01 else "",
            look.get("fill", ""),
            look.get("font-variant", ""),
        ]
        lines.append(" ".join(filter(None, parts)) + f":{words.rstrip()}")
    return lines


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return Reader(Map(show(rich_game(tmp_path_factory.mktemp("rich") / "tiny")), load_words()), "rules.md")


def html(text: str) -> str:
    """Markdown as pages have it, its icons as their names and without pictures of components."""
    made = markdown(text, extensions=["attr_list", "md_in_html", "sane_lists"])
    made = re.sub(
        r"<svg.*?<title>(.*?)</title>.*?</svg>|<img[^>]*>", lambda found: f"({found[1]})" if found[1] else "", made
    )
    return re.sub(r"&#(\d+);", lambda found: chr(int(found[1])), made).replace("\n", "")


CONSTRUCTS = [
    # what is written, what is copied from the card, its runs, what a page shows
    ("**bold** *it*", "bold it", ["Bold:bold", "It:it"], "<strong>bold</strong> <em>it</em>"),
    ("2:paw:!", "2 !", [":2", "icon:paw", ":!"], "2(paw)!"),
    (
        "[[owl|an *owl*]]",
        "an owl",
        [":an", "It:owl"],
        '<a class="component" href="components.md#owl">an <em>owl</em></a>',
    ),
    ("one{br}two", "one two", [":one", ":two"], "one<br> two"),
    ("{danger|no} way", "no way", ["Bold #aa0000:no", ":way"], '<strong class="style-danger">no</strong> way'),
    ("{shout|Hey} you", "Hey you", ["2 #22304a:Hey", ":you"], '<span class="style-shout">Hey</span> you'),
    ("{numbers|Ab 12}", "Ab 12", ["It oldstyle-nums slashed-zero:Ab 12"], '<em class="style-numbers">Ab 12</em>'),
    (
        "{small|a} {large|b}",
        "a b",
        ["0.8:a", "1.25:b"],
        '<span class="style-small">a</span> <span class="style-large">b</span>',
    ),
    ("{small-caps|Owl}", "Owl", ["small-caps:Owl"], '<span class="style-small-caps">Owl</span>'),
    ("{oldstyle-nums|12}", "12", ["oldstyle-nums:12"], '<span class="style-oldstyle-nums">12</span>'),
    (
        "{danger|**Now** {small|or :paw: *never*}}",
        "Now or never",
        ["Bold #aa0000:Now", "Bold 0.8 #aa0000:or", "icon 0.8 #aa0000:paw", "BoldIt 0.8 #aa0000:never"],
        '<strong class="style-danger"><strong>Now</strong> '
        '<span class="style-small">or (paw) <em>never</em></span></strong>',
    ),
    ("{if cards|card}{if pages|page}{if books|book}", "card", [":card"], "page"),
    ("{if low|pale}{if not low|red}", "red", [":red"], "red"),
    (
        "{danger|{if cards|card}{if not cards|page}}",
        "card",
        ["Bold #aa0000:card"],
        '<strong class="style-danger">page</strong>',
    ),
    (r"\{small|a} {b} {1|2}", "{small|a} {b} {1|2}", [":{small|a} {b} {1|2}"], "{small|a} {b} {1|2}"),
    (r"\*a\* \:paw:", "*a* :paw:", [":*a* :paw:"], "*a* :paw:"),
]


@pytest.mark.parametrize(("text", "words", "look", "page"), CONSTRUCTS)
def test_each_construct_on_a_card(tmp_path: Path, text: str, words: str, look: list[str], page: str) -> None:
    """What is drawn, and the words that somebody copies from the PDF: no mark is among them."""
    face = card(tmp_path / "tiny", text)

    assert told(face) == look
    assert copied(face) == words


@pytest.mark.parametrize(("text", "words", "look", "page"), CONSTRUCTS)
def test_each_construct_on_a_page(reader: Reader, text: str, words: str, look: list[str], page: str) -> None:
    """In a rule and in the cell of a component alike; of all that letters can do, style sheets do what they say."""
    assert html(reader.md(text)) == f"<p>{page}</p>"
    assert html(reader.line(text, reader.to.shown.game.by_id["mouse"])) == f"<p>{page}</p>"


@pytest.mark.parametrize("text", reference.MARKS)
def test_each_mark_of_the_guide(reader: Reader, tmp_path: Path, text: str) -> None:
    """What the reference tells can be written, on a card and in a rule, and no mark is left of it."""
    shown = [copied(card(tmp_path / "tiny", text)), re.sub(r"<[^>]*>", "", html(reader.md(text)))]

    assert text.startswith("\\") or not re.search(r"[{}|*]|\[\[|:\w+:", " ".join(shown))


# Lines and lists


def test_larger_words_move_their_line_away(tmp_path: Path) -> None:
    """A line with words of twice the size has its room above and below; the words in it share one baseline."""
    em = 10 * 25.4 / 72
    plain = [float(look["y"]) for _, look in words_of(card(tmp_path / "a", "one\ntwo\nthree"))]
    large = words_of(card(tmp_path / "b", "one\ntwo {shout|two}\nthree"))
    one, two, twice, three = (float(look["y"]) for _, look in large)

    assert [plain[0], two] == [one, twice]
    assert two - one == pytest.approx(plain[1] - plain[0] + 0.8 * 1.25 * em, abs=0.002)
    assert three - two == pytest.approx(plain[2] - plain[1] + 0.2 * 1.25 * em, abs=0.002)


def test_words_of_one_style_stand_apart_by_its_spaces(tmp_path: Path) -> None:
    """A space within larger words is larger, one beside them is not; what follows stands behind both."""
    (_, first), (_, second), (_, third) = words_of(card(tmp_path / "a", "a {shout|b c} {shout|d}"))
    em = 10 * 25.4 / 72
    space, (a, b, c) = 0.2, (0.504, 0.553, 0.456)  # of the font

    assert float(second["x"]) - float(first["x"]) == pytest.approx((a + space) * em, abs=0.002)
    assert float(third["x"]) - float(second["x"]) == pytest.approx((2 * (b + space + c) + space) * em, abs=0.002)


def test_items_hang_below_their_signs(tmp_path: Path) -> None:
    """Lines of an item begin below each other, broken or not; numbers are counted on and end below each other."""
    text = (
        "Do:\n- first of all what is long and goes on in a line below{br}and ends\n"
        "  - inner\n- last\nPlain\n\n9. nine\n9. ten\n   still ten"
    )
    face = card(tmp_path / "tiny", text)
    places: dict[str, list[str]] = {}
    for words, look in words_of(face):
        places.setdefault(look["x"], []).append(words.strip())
    signs = {words: float(look["x"]) for words, look in words_of(face)}

    assert [" ".join(lines) for lines in places.values()] == [
        "Do: • • Plain 10.",
        "first of all what is long and goes on in a line below and ends • last",
        "inner",
        "9.",
        "nine ten still ten",
    ]
    assert signs["9. "] - signs["10. "] == pytest.approx(0.497 * 10 * 25.4 / 72, abs=0.02)  # a figure
    assert copied(face) == (
        "Do: • first of all what is long and goes on in a line below and ends • inner • last Plain 9. nine "
        "10. ten still ten"
    )


@pytest.mark.parametrize(("align", "left"), [("left", 5.0), ("center", 22.67), ("right", 40.34)])
def test_lists_keep_their_edge_however_text_is_aligned(tmp_path: Path, align: str, left: float) -> None:
    """All lines of the lists of a text begin at one edge, where the widest line has its place."""
    face = FACE.replace("<textbox", f'<textbox align="{align}"')
    found = words_of(card(tmp_path / "tiny", "- one\n- seventeen", face=face))

    assert [float(look["x"]) for words, look in found if words == "• "] == [pytest.approx(left, abs=0.1)] * 2


def test_what_only_looks_like_an_item_is_none(tmp_path: Path) -> None:
    """A sign with a backslash, a number without a point, a hyphen without a blank, anything within a line."""
    text = "\\- no\n-1 claw\n3 owls\nso - or\n* of owls"
    face = card(tmp_path / "tiny", text)

    assert {look["x"] for _, look in words_of(face)} == {"5.000"}
    assert copied(face) == "- no -1 claw 3 owls so - or * of owls"


def test_lists_of_pages_are_those_of_cards(reader: Reader) -> None:
    """Below a line of words too, and within each other at two blanks; in a rule and in a cell."""
    text = "Do:\n- *one*\n  1. {danger|two}\n- three"
    items = '<ul><li><em>one</em><ol><li><strong class="style-danger">two</strong></li></ol></li><li>three</li></ul>'
    first, second = reader.cell(text)

    assert html(reader.md(text)) == f"<p>Do:</p>{items}"
    assert (html(first.text), first.is_list) == ("<p>Do:</p>", False)
    assert (html(second.text), second.is_list) == (items, True)
    assert reader.line("- one\n- two") == "• one<br> • two"


def test_a_long_cell_shows_its_list(tmp_path: Path) -> None:
    """On the page of a component; in the gallery each item stands in a line."""
    made = texts(pages(show(rich_game(tmp_path / "tiny", "- an item that is as long as a sentence\n- {small|two}"))))
    page, gallery = made["tiny/components.md"], made["tiny/gallery.md"]

    assert (
        '<div class="told" markdown="1">\n\n- an item that is as long as a sentence\n'
        '- <span class="style-small">two</span>\n\n</div>' in page
    )
    assert "<td>• an item that is as long as a sentence<br> • two</td>" in gallery


def test_no_line_ends_in_what_is_kept_together(tmp_path: Path) -> None:
    """Words of `nowrap` go to the next line together; who copies them finds spaces."""
    words = "some words and still more {nowrap|three of five}"
    runs_of = [words for words, _ in words_of(card(tmp_path / "tiny", words))]

    assert [run.replace("\u00a0", " ") for run in runs_of] == ["some words and still more ", "three of five"]


# What is asked


@pytest.mark.parametrize(("inks", "shown"), [("full", "Bold #aa0000:full"), ("low", "Bold:low"), ("mono", "Bold:mono")])
def test_a_text_asks_for_its_inks(tmp_path: Path, inks: Inks, shown: str) -> None:
    """The colour of a style is one of the full inks; with less ink the words are as the text around."""
    face = card(tmp_path / "tiny", "{danger|{if full|full}{if low|low}{if mono|mono}}", inks)

    assert told(face) == [shown]


def test_a_text_asks_for_columns_of_its_own_card(tmp_path: Path) -> None:
    """Each card answers for itself, though a template that never looks at its card has written the question."""
    face = FACE.replace("{{ card.tale }}", "{if mood|moody}{if not mood|blank} {if power|strong}")
    game, problems = read(rich_game(tmp_path / "tiny", face=face))
    composer = Composer(game, load_stocks(game.folder, problems), problems)
    deck = game.info.decks[0]
    fronts = [composer.faces(deck, game.by_id[id_])[0] for id_ in ("mouse", "owl", "mouse")]

    assert [copied(front) for front in fronts if front] == ["moody strong", "blank strong", "moody strong"]


@pytest.mark.parametrize(
    ("value", "holds"), [("", False), ("0", False), ("no", False), ("False", False), ("00", True), ("yes", True)]
)
def test_a_cell_holds_or_says_no(tmp_path: Path, value: str, holds: bool) -> None:
    table = f"id,name,count,power,mood,tale\nmouse,Mouse,2,1,calm,{value}\nowl,Owl,1,7,,\n"
    face = FACE.replace("{{ card.tale }}", "is {if tale|filled}{if not tale|empty}")

    assert copied(card(tmp_path / "tiny", "", face=face, cards_csv=table)) == ("is filled" if holds else "is empty")


def test_a_text_asks_where_it_stands(reader: Reader) -> None:
    """Whoever makes a book of the same texts says so."""
    text = "{if books|book}{if pages|page}{if not cards|, no card}"

    assert Reader(reader.to, "book.md", medium="books").md(text) == "book, no card"
    assert reader.md(text) == "page, no card"


def test_what_is_not_shown_leaves_no_line() -> None:
    """A line that only stands for something else goes with its end, and so no paragraph comes of it."""
    text = "one\n{if low|two}\nthree {if not low|{if full|four}}.\n[[owl|{if low|pale }owl]] `{if low|x}`"

    assert chosen(text, {"full"}.__contains__, code=True) == "one\nthree four.\n[[owl|owl]] `{if low|x}`"


@pytest.mark.parametrize(
    ("tale", "told"),
    [
        ("{if low|[[fox]]}", "the reference [[fox]] leads nowhere"),
        ("{if low|:fox:}", "the reference :fox: leads nowhere"),
        ("{if low|**no}", 'the stars in "**no}" have no partners'),
        ("{if low|{dangre|no}}", 'there is no style "dangre"; did you mean "danger"?'),
    ],
)
def test_what_is_not_shown_is_checked(tmp_path: Path, tale: str, told: str) -> None:
    """It is printed another time, or somewhere else."""
    _, problems = read(rich_game(tmp_path / "tiny", tale))

    assert [told in str(problem) for problem in problems] == [True]


# What is wrong


@pytest.mark.parametrize(
    ("tale", "message"),
    [
        ("{dangr|no}", 'there is no style "dangr"; did you mean "danger"? (\\{ prints a brace)'),
        ("{danger|no", r'the brace in "{danger|no" is never closed; write } after its words; \{ prints a brace'),
        ("{danger|a {b}", r'the brace in "{danger|a {b}" is never closed; write } after its words; \{ prints a brace'),
        ("[[owl|{danger|no]]", 'the brace in "{danger|no" is never closed; write } after its words'),
        ("{if lo|no}", '"{if lo|no}" asks for "lo", which does not exist; did you mean "low"?'),
        ("{if not mod|no}", '"{if not mod|no}" asks for "mod", which does not exist; did you mean "mood"?'),
        ("{if low mono|no}", "known here: books, cards, full, low, mono, mood, pages, power, tale"),
        (
            "{danger|one\n\ntwo}",
            'the style in "{danger|one" goes beyond its paragraph; write it again in each paragraph',
        ),
        (
            "{danger|one\n- two}",
            'the style in "{danger|one" goes beyond its paragraph; write it again in each paragraph',
        ),
        ("{small|" * 9 + "no" + "}" * 9, "is inside too many other marks; at most 8"),
        ("{danger|a *b} c*", 'the stars in "*b} c*" have no partners'),
    ],
)
def test_what_is_wrong_with_marks_is_told_at_its_row(tmp_path: Path, tale: str, message: str) -> None:
    _, problems = read(rich_game(tmp_path / "tiny", tale))
    (problem,) = map(str, problems)

    assert re.search(r"cards\.csv:2: ", problem)
    assert message in problem


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("{dangr|no}", 'tale: there is no style "dangr"'),
        ("`{danger|no`", "is never closed"),
        ("{if tales|no}", '"{if tales|no}" asks for "tales", which does not exist; did you mean "tale"?'),
        ("{if low|:fox:}", 'there is no icon ":fox:"'),
    ],
)
def test_marks_of_a_template_are_told_at_its_line(tmp_path: Path, words: str, message: str) -> None:
    game, problems = read(rich_game(tmp_path / "tiny", face=FACE.replace("{{ card.tale }}", words)))
    composer = Composer(game, load_stocks(game.folder, problems), problems)
    composer.faces(game.info.decks[0], game.by_id["mouse"])
    (problem,) = map(str, problems)

    assert "plain.svg.j2:1: the face mouse-front: " in problem
    assert message in problem


@pytest.mark.parametrize(
    ("style", "message"),
    [
        ("loud: {fill: rde}", 'there is no colour "rde"; did you mean "red"?'),
        ("loud: {fill: '#fa0'}", 'styles.loud.fill: "#fa0" is not well formed; write "#ffaa00", with the quotes'),
        ("loud: {size: 4}", 'styles.loud.size: "4" is too large; it must be at most 3'),
        (
            "loud: {font-variant: smal-caps}",
            '"smal-caps" is not a keyword of CSS font-variant; did you mean "small-caps"?',
        ),
        ("loud: {color: red}", 'unknown key "color"'),
        ("small: {size: 2}", 'a style of your own cannot be called "small": the name already has a meaning'),
        ("if: {size: 2}", 'a style of your own cannot be called "if"'),
        ("2nd: {size: 2}", 'the name of a style must begin with a letter, unlike "2nd"'),
    ],
)
def test_faults_of_styles_are_told(tmp_path: Path, style: str, message: str) -> None:
    problems = Problems()
    load_game(rich_game(tmp_path / "tiny", game_yaml=f"{GAME}styles:\n  {style}\n"), problems)

    assert [message in str(problem) for problem in problems] == [True]


def test_a_name_has_no_style(tmp_path: Path) -> None:
    """It stands in lists, bookmarks and menus; a template may write it in one."""
    problems = Problems()
    load_game(rich_game(tmp_path / "tiny", game_yaml=GAME.replace("title: Tiny", "title: '{small|Tiny}'")), problems)
    (problem,) = map(str, problems)

    assert 'title: only texts may have marks in braces, not "{small|Tiny}"; write them in the template' in problem


def test_a_style_that_a_font_lacks_is_told(tmp_path: Path) -> None:
    """The italic of our sans serif has no small capitals: browsers would make some up."""
    game, problems = read(rich_game(tmp_path / "tiny", "{small-caps|*no*}"))
    Composer(game, load_stocks(game.folder, problems), problems).faces(game.info.decks[0], game.by_id["mouse"])
    (problem,) = map(str, problems)

    assert 'tale: the font "SourceSansProIt" has no small-caps (smcp); choose a font that has them' in problem


def test_styles_and_fonts_know_the_same_words() -> None:
    assert shaping.VARIANTS.keys() == VARIANTS.keys()


def test_a_line_of_text_that_is_not_fitted_has_no_marks(tmp_path: Path) -> None:
    text = '<text x="5" y="40" font-family="SourceSansPro" font-size="5">{small|no} {b}</text>'
    game, problems = read(rich_game(tmp_path / "tiny", face=FACE.replace("{% endblock %}", text + "{% endblock %}")))
    Composer(game, load_stocks(game.folder, problems), problems).faces(game.info.decks[0], game.by_id["mouse"])

    assert ['<text> prints "{small|" literally; put it in a <textbox>' in str(problem) for problem in problems] == [
        True
    ]


# Strangers


@pytest.mark.parametrize(
    "part", ["{a|", "{a|x}", "{if a|", "{if a|x}", "{", "}", "{a|*b", "{br}", "{if ", "- a\n", "{a|\n\n}", "{if a|{b|*"]
)
def test_long_texts_take_no_longer_than_they_must(part: str) -> None:
    """Twenty thousand characters, open or closed; to look at all pairs would take minutes."""
    for text in (part * (20_000 // len(part)), part * (10_000 // len(part)) + "}" * 10_000):
        assert all(len(run.styles) <= MOST_NESTED for run in runs(text, lambda reference: ""))
        assert len(list(brace_faults(text, ["a", "b"], ["a"]))) <= len(text)
        assert len(list(loose_marks(text))) <= len(text)
        assert len(chosen(text, lambda name: True)) <= len(text)


@pytest.mark.parametrize(
    "text",
    ['{danger|<b onclick="x">}', '{x" onclick="y|z}', "{if <b>|<i>}", "{danger|</strong><script>}", "{<b>|x}"],
)
def test_marks_bring_no_markup(reader: Reader, tmp_path: Path, text: str) -> None:
    """Whatever stands in braces is text on a page and on a card."""
    for made in (reader.md(text), reader.line(text), reader.cell(text)[0].text if reader.cell(text) else ""):
        assert set(re.findall(r"<[^>]*>", made)) <= {'<strong class="style-danger">', "</strong>"}
    if not list(brace_faults(text, COMMON.keys() | {"danger"}, ASKED)):
        words = copied(card(tmp_path / "tiny", text))
        assert words == text.removeprefix("{danger|").removesuffix("}") or words == text


# Everywhere


def test_no_mark_is_left_on_any_page(tmp_path: Path) -> None:
    """Wherever a text of a game can stand; nor in the words of pictures and tips."""
    files = {
        "rules.yaml": FILES["rules.yaml"].replace("Play a [[mouse]]", f"|\n          {PASSAGE} [[mouse]]"),
        "terms.yaml": f"terms:\n  - {{id: power, name: power, text: '{PASSAGE}'}}\n",
        "game.yaml": GAME.replace("Nothing happens here.", f"'{PASSAGE}'").replace(
            "    stock: poker", f"    stock: poker\n    note: '{PASSAGE}'"
        )
        + STYLES
        + f"variants:\n  - {{id: blue, name: Blue, text: '{PASSAGE}', palette: {{red: '#0000aa'}}}}\n",
        "rulings.yaml": f"rulings:\n  - {{id: TI-AMB-1, title: Two, question: '{PASSAGE}', ruling: '{PASSAGE}'}}\n",
    }
    folder = rich_game(tmp_path / "tiny", PASSAGE, **files)
    assert not read(folder)[1], list(read(folder)[1])
    made = texts(pages(show(folder)))
    words = "".join(made.values())

    assert words.count('class="style-danger"') >= 7
    assert not re.search(r"danger\||small\||if (?:not )?low|br\}", words)
    assert "Pay two or paw three in colour." in re.sub(r"\s+", " ", made["tiny/rules-play.md"])  # a tip


def test_styles_can_be_read_by_day_and_by_night(tmp_path: Path) -> None:
    """Their colours are moved towards ink or moonlight as far as small text needs."""
    game, _ = read(rich_game(tmp_path / "tiny"))
    sheet = style_sheet(game.info, ["shout"])
    day, *nights, print_ = re.findall(r"--style-shout:(#\w{6})", sheet)

    assert day == print_ == "#22304a"
    assert nights[0] == nights[1]
    assert contrast(day, PAPER) >= READABLE
    assert contrast(nights[0], NIGHT) >= READABLE


def test_pages_load_the_styles_that_stand_on_them(tmp_path: Path) -> None:
    """One sheet for a game, of what its texts name; a page without any is as light as before."""
    made = pages(show(rich_game(tmp_path / "tiny", "{danger|no} {small|way}")))
    paths = [path for path, text in texts(made).items() if '\nstyles: "styles.css"\n' in text]
    rules = re.findall(r"^\.style-[\w-]+", str(made["tiny/styles.css"]), re.MULTILINE)

    assert paths == ["tiny/components.md"]
    assert rules == [".style-small", ".style-danger"]
    assert "tiny/styles.css" not in pages(show(write_game(tmp_path / "plain")))


def test_every_common_style_has_its_words_and_its_rule() -> None:
    """The guide says what it does, and pages do something for it."""
    assert STYLE_WORDS.keys() == COMMON.keys() == {*VARIANTS, "small", "large", "nowrap"}
    assert [name for name, look in COMMON.items() if "{}" in rule(name, look)] == []


def test_of_two_styles_the_inner_one_holds() -> None:
    """Sizes multiply within their bounds; what is about something else stays."""
    outer = Look("#aa0000", 2.0, True, False, "small-caps lining-nums")
    inner = Look("", 3.0, False, True, "oldstyle-nums", True)

    assert inner.within(outer) == Look("#aa0000", 3.0, True, True, "small-caps oldstyle-nums", True)


def test_a_variant_has_its_own_colours(tmp_path: Path) -> None:
    """A style that names a colour of the palette goes with it."""
    game, _ = read(rich_game(tmp_path / "tiny"))
    blue = game.info.model_copy(update={"palette": {"red": "#0000aa"}})

    assert blue.looks()["danger"].fill == "#0000aa"


def test_each_word_of_a_fitted_text_has_its_colour(tmp_path: Path) -> None:
    """In the PDF the colour is set anew where it changes, and only there."""
    data = face_pdf(card(tmp_path / "tiny", "one {danger|two} {danger|:paw:} *three* {danger|four}"), bleed=False)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        operators = pikepdf.parse_content_stream(pdf.pages[0])
    drawn = [
        [round(float(value) * 255) for value in one.operands] if str(one.operator) == "rg" else "text"
        for one in operators
        if str(one.operator) in ("rg", "Tj", "TJ")
    ]
    red, ink = [170, 0, 0], [29, 26, 38]

    assert drawn[-8:] == [ink, "text", red, "text", ink, "text", red, "text"]


def test_all_of_a_box_may_ask_for_small_capitals(tmp_path: Path) -> None:
    """Its styles come to it; and a font that has none is told."""
    words = "Red {tabular-nums|12} owl"
    box = f'<textbox width="50" height="9" font="SourceSerifPro" font-variant="small-caps">{words}</textbox>'
    problems = Problems()
    game = load_game(write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words(box)), problems)
    assert game is not None
    root = compose(game, problems)["owl-front"].root
    asked = [(text.text, text.get("font-variant")) for text in root.iter(f"{{{SVG}}}text") if text.get("font-variant")]

    assert asked == [("Red ", "small-caps"), ("12 ", "small-caps tabular-nums"), ("owl", "small-caps")]
    lacking = box.replace("SourceSerifPro", "FredokaOne").replace("{tabular-nums|12}", "")
    (told,) = face_problems(write_game(tmp_path / "lacking", faces__plain_svg_j2=with_words(lacking)))
    assert 'the font "FredokaOne" has no small-caps (smcp)' in told


@pytest.mark.slow("builds two sites")
def test_fonts_of_pages_have_what_texts_ask_for(tmp_path: Path) -> None:
    """Small capitals of their own, and not letters made smaller; a site that asks for nothing pays nothing."""
    sizes = []
    for name, words in (("plain", "{small|no} way"), ("asking", "{small-caps|no} way")):
        problems = Problems()
        build_site([show(rich_game(tmp_path / name, words))], tmp_path / "site" / name, problems)
        sizes.append((tmp_path / "site" / name / "fonts" / "sans.woff2").stat().st_size)

    assert sizes[0] + 1000 < sizes[1]
    assert variants_in([".style-a{font-variant-caps:small-caps;color:#123456}"]) == "small-caps"
