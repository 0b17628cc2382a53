"""Tagged PDF: what is read aloud, in which order, and that nothing on a page is left untold; packing; forms.

The files are read back by pikepdf, pdfplumber and PDFium, none of which wrote them.
"""

from __future__ import annotations

import ctypes
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pdfplumber
import pikepdf
import pypdfium2
import pytest
from fontTools.ttLib import TTFont
from games_for_tests import FILES, write_game
from lxml import etree
from PIL import ImageChops
from reportlab.pdfgen.canvas import Canvas

from grimalkin.content import load_game
from grimalkin.content.stocks import Stock, load_stocks
from grimalkin.printing.draw.canvas import PackedCanvas
from grimalkin.printing.draw.pdf import MM, Drawer, new_canvas
from grimalkin.printing.draw.tags import Tags
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.layers import Layer
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.type.fonts import find_font
from grimalkin.printing.type.shaping import text_width
from grimalkin.problems import Problems

WIDTH, HEIGHT = 210.0, 297.0
PAINTS = {"f", "f*", "S", "s", "B", "B*", "b", "b*", "Tj", "TJ", "'", '"', "Do", "sh", "INLINE IMAGE"}
WORDS = """{% extends "base/face.svg.j2" %}
{% block art %}<rect x="3" y="3" width="57" height="82" fill="none" stroke="#1d1a26"/>{% endblock %}
{% block words %}
<textbox name="rules" x="5" y="50" width="40" height="26" size="8">Take :claw: two coins and put them both
on the long road beside the river.</textbox>
<textbox name="name" x="5" y="5" width="53" height="10" size="12">{{ card.name }}</textbox>
{{ icon("moon", 30, 20, 8, ink, "night") }}
<g transform="translate(5 5)"><text x="0" y="40" font-family="SourceSansPro" font-size="5">{{ card.power }}</text></g>
{% endblock %}
"""
BACK = """{% extends "base/face.svg.j2" %}
{% block art %}{% for x in range(12) %}{{ icon("paw", x * 5, 9, 4, ink) }}{% endfor %}{% endblock %}
"""


def faces_of(folder: Path, **changes: str) -> list[tuple[Face | None, Face | None]]:
    problems = Problems()
    game = load_game(write_game(folder, **changes), problems)
    assert game is not None
    composer = Composer(game, load_stocks(game.folder, problems), problems)
    deck = game.info.decks[0]
    faces = [composer.faces(deck, row) for row in game.components[deck.id]]
    assert not problems, list(problems)
    return faces


def face_of(svg: str, name: str = "Owl", alt: str = "", stock: Stock | None = None) -> Face:
    """A face that was resolved elsewhere."""
    stock = stock or Stock(name="Card", shape="rectangle", width=60, height=80)
    layers = tuple(Layer(child) for child in etree.fromstring(f'<svg xmlns="{SVG}">{svg}</svg>'))
    return Face("owl-front", name, alt or name, stock, layers)


def place(column: int, row: int = 0) -> tuple[float, float, float, float, float, float]:
    return (MM, 0, 0, -MM, (10 + 66 * column) * MM, (HEIGHT - 10 - 91 * row) * MM)


def document(draw: Callable[[PackedCanvas, Drawer, Tags], None]) -> bytes:
    """A tagged document; `draw` ends its pages itself."""
    canvas = new_canvas((WIDTH * MM, HEIGHT * MM))
    tags = Tags(canvas)
    draw(canvas, Drawer(canvas, tags), tags)
    return canvas.pdf()


def page_of(*faces: Face | None, repeated: bool = False) -> bytes:
    def draw(canvas: PackedCanvas, drawer: Drawer, tags: Tags) -> None:
        for index, face in enumerate(faces):
            assert face is not None
            drawer.draw(face, place(index % 3, index // 3), repeated=repeated)
        canvas.showPage()

    return document(draw)


def two_pages(folder: Path) -> bytes:
    """Fronts and backs of two cards, twice."""
    pairs = faces_of(folder, **{"faces__plain_svg_j2": WORDS, "faces/back.svg.j2": BACK, "game_yaml": TWO_SIDED})

    def draw(canvas: PackedCanvas, drawer: Drawer, tags: Tags) -> None:
        tags.open("Sect", "Cards")
        for side in (0, 1, 0, 1):
            for column, pair in enumerate(pairs):
                face = pair[side]
                assert face is not None
                drawer.draw(face, place(column), repeated=side == 1)
            canvas.showPage()
        tags.close()

    return document(draw)


TWO_SIDED = FILES["game.yaml"].replace("back: plain", "back: back")


def told(data: bytes) -> list[tuple[str, str]]:
    """What a reader meets: each element that has words of its own, with its words, in order."""
    with pikepdf.open(io.BytesIO(data)) as pdf, pdfplumber.open(io.BytesIO(data)) as text:
        pages = {page.objgen: index for index, page in enumerate(pdf.pages)}
        words: dict[tuple[int, int], str] = {}
        for number, page in enumerate(text.pages):
            for char in page.chars:
                if char["mcid"] is not None:
                    key = number, char["mcid"]
                    words[key] = words.get(key, "") + char["text"]
        found: list[tuple[str, str]] = []

        def walk(element: Any) -> str:
            kind, own = str(element.S)[1:], ""
            at = len(found)
            found.append((kind, ""))
            for kid in kids_of(element):
                if isinstance(kid, int):
                    own += words.get((pages[element.Pg.objgen], kid), "")
                else:
                    walk(kid)
            own = str(element.get("/Alt", element.get("/ActualText", own)))
            found[at] = (kind, own)
            return own

        walk(pdf.Root.StructTreeRoot.K)
        return [(kind, own) for kind, own in found if kind not in ("Document", "Sect")]


def kids_of(element: Any) -> list[Any]:
    kids = element.get("/K", pikepdf.Array())
    return list(kids) if isinstance(kids, pikepdf.Array) else [kids]


def content_ids(page: pikepdf.Page) -> list[int]:
    """The ids of the marked content of a page. Fails when something is painted outside of any, or when two nest."""
    ids: list[int] = []
    depth = 0
    for operands, operator in pikepdf.parse_content_stream(page):
        name = str(operator)
        if name in ("BDC", "BMC"):
            depth += 1
            assert 1 == depth, "marked content within marked content"
            if name == "BDC":
                ids.append(int(operands[1]["/MCID"]))
            else:
                assert "/Artifact" == str(operands[0])
        elif name == "EMC":
            depth -= 1
        assert depth or name not in PAINTS, f"{name} outside of marked content"
    assert 0 == depth
    return ids


def test_every_piece_of_a_page_is_told_or_an_artifact(tmp_path: Path) -> None:
    """No operator paints outside of marked content, and no marked content lies in another."""
    with pikepdf.open(io.BytesIO(two_pages(tmp_path / "tiny"))) as pdf:
        counts = [len(content_ids(page)) for page in pdf.pages]

    # Two cards: a heading, a text around an icon (3 parts), the moon, a number. Backs are alike and told once a page.
    assert [12, 1, 12, 1] == counts


def test_content_and_structure_point_at_each_other(tmp_path: Path) -> None:
    """Each id of a page leads through the parent tree to an element that names it, and each element to content."""
    with pikepdf.open(io.BytesIO(two_pages(tmp_path / "tiny"))) as pdf:
        root = pdf.Root.StructTreeRoot
        assert bool(pdf.Root.MarkInfo.Marked)
        nums = list(root.ParentTree.Nums)
        tree = dict(zip(map(int, nums[::2]), nums[1::2], strict=True))
        from_content: set[tuple[Any, int, Any]] = set()
        for page in pdf.pages:
            assert "/S" == str(page.obj.Tabs)
            row = tree.pop(int(page.obj.StructParents))
            ids = content_ids(page)
            assert list(range(len(row))) == ids
            from_content |= {(page.objgen, id_, row[id_].objgen) for id_ in ids}
        assert {} == tree
        from_tree: set[tuple[Any, int, Any]] = set()

        def walk(element: Any, parent: Any) -> None:
            assert parent.objgen == element.P.objgen
            for kid in kids_of(element):
                if isinstance(kid, int):
                    from_tree.add((element.Pg.objgen, kid, element.objgen))
                else:
                    walk(kid, element)

        walk(root.K, root)

    assert from_content == from_tree


def test_a_card_is_told_name_first(tmp_path: Path) -> None:
    """The name is a heading although it is drawn later; icons are named where they stand; a back is told once."""
    one = [
        ("H3", "Mouse"),
        ("P", "Take two coins and put them both on the long road beside the river."),
        ("Figure", "claw"),
        ("Figure", "night"),
        ("P", "1"),
    ]
    two = [(kind, {"Mouse": "Owl", "1": "7"}.get(words, words)) for kind, words in one]

    assert 2 * [*one, *two, ("Figure", "Cards, back")] == told(two_pages(tmp_path / "tiny"))


def test_wrapped_lines_keep_their_words_apart(tmp_path: Path) -> None:
    """Words on two lines are two words, for search and for readers."""
    data = two_pages(tmp_path / "tiny")
    document = pypdfium2.PdfDocument(data)
    page = document[0].get_textpage()
    text = page.get_text_range()
    page.close()
    document.close()

    assert "put them both on the long road beside the river." in " ".join(text.split())


def test_art_stands_for_a_name_that_is_not_written() -> None:
    """A heading with the name around the art; the alternative text follows when it says more."""
    art = '<rect x="0" y="0" width="60" height="80" fill="#ffffff"/><circle cx="9" cy="9" r="4" fill="#000000"/>'
    number = '<text x="9" y="60" font-family="SourceSansPro" font-size="5">7</text>'

    assert [("H3", "Owl"), ("P", "7")] == told(page_of(face_of(art + number)))
    assert [("H3", "Owl"), ("Figure", "An owl with a lantern"), ("P", "7")] == told(
        page_of(face_of(art + number, alt="An owl with a lantern"))
    )


def test_an_alternative_text_that_says_more_is_told() -> None:
    """As a figure with its place on the page, bleed and all; one that only repeats the name is not."""
    name = '<text x="9" y="60" font-family="SourceSansPro" font-size="5">Owl</text>'
    art = '<rect x="0" y="0" width="60" height="80" fill="#ffffff"/>'
    data = page_of(face_of(art + name, alt="An owl (night)"))

    assert [("H3", "Owl"), ("Figure", "An owl (night)")] == told(data)
    assert [("H3", "Owl")] == told(page_of(face_of(art + name, alt="owl")))
    with pikepdf.open(io.BytesIO(data)) as pdf:
        figure = next(kid for kid in pdf.Root.StructTreeRoot.K.K if str(kid.S) == "/Figure")
        box = [float(value) / MM for value in figure.A.BBox]
    assert [7, HEIGHT - 93, 73, HEIGHT - 7] == pytest.approx(box, abs=0.01)


def boxes(data: bytes) -> list[tuple[str, list[float]]]:
    """What each figure is called, and where it lies: millimetres from the upper left of the page."""
    found = []

    def walk(element: Any) -> None:
        for kid in kids_of(element):
            if isinstance(kid, int):
                continue
            if kid.S == "/Figure":
                left, low, right, high = (float(value) / MM for value in kid.A.BBox)
                found.append((str(kid.Alt), [left, HEIGHT - high, right, HEIGHT - low]))
            walk(kid)

    with pikepdf.open(io.BytesIO(data)) as pdf:
        walk(pdf.Root.StructTreeRoot.K)
    return found


PARTS = """{% extends "base/face.svg.j2" %}
{% block words %}
<defs><symbol id="mark" viewBox="0 0 20 10"><rect width="20" height="10" fill="#000000"/></symbol></defs>
<defs><rect id="brick" width="4" height="2" fill="#000000"/></defs>
<defs><clipPath id="window"><rect x="0" y="0" width="3" height="70"/></clipPath></defs>
<use href="#mark" x="5" y="6" width="10" height="10" role="img" aria-label="wide"/>
<g transform="translate(20 30)"><g transform="scale(2)">
<use href="#mark" width="4" height="2" role="img" aria-label="far"/></g>
<text x="0" y="0" font-family="SourceSansPro" font-size="3">Mouse</text></g>
<use href="#brick" x="40" y="6" role="img" aria-label="brick" transform="rotate(90 40 6)"/>
<g role="img" aria-label="ring" fill="none"><rect x="20" y="40" width="20" height="20"/>
<circle cx="30" cy="50" r="4" stroke="#000000" stroke-width="2"/></g>
<g role="img" aria-label="line" clip-path="url(#window)"><path d="M1 60L50 61L50 65Z" fill="#000000"/></g>
<g role="img" aria-label="words">
<text x="50" y="70" text-anchor="end" font-family="SourceSansPro" font-size="4">ab</text></g>
<g role="img" aria-label="nothing"><text> </text><path d=""/></g>
<defs><clipPath id="shut"><path d=""/></clipPath></defs>
<g role="img" aria-label="unseen" clip-path="url(#shut)"><path d="M1 60L50 61L50 65Z" fill="#000000"/></g>
<g role="img" aria-label=" "><path d="M1 60L50 61L50 65Z" fill="#000000"/></g>
<use href="#mark" x="-8" y="0" width="4" height="5" role="img" aria-label="off"/>
{% endblock %}
"""


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Face:
    """A face with figures of every kind; the last lies beyond its bleed."""
    (front, _), *_ = faces_of(tmp_path_factory.mktemp("parts") / "tiny", faces__plain_svg_j2=PARTS)
    assert front is not None
    return front


def test_a_figure_says_where_it_lies(parts: Face) -> None:
    """Through groups that move it, with its stroke, as far as a clip leaves it; what is not seen is not told."""
    font = find_font("SourceSansPro")
    assert font is not None
    expected = {
        "wide": [15, 18.5, 25, 23.5],
        "far": [30, 40, 38, 44],
        "brick": [48, 16, 50, 20],
        "ring": [35, 55, 45, 65],
        "line": [11, 70, 13, 75],
        "words": [60 - text_width("SourceSansPro", "ab") * 4, 80 - font.ascent * 4, 60, 80 + font.descent * 4],
    }

    assert {name: pytest.approx(box, abs=0.01) for name, box in expected.items()} == dict(boxes(page_of(parts)))


def test_an_icon_among_words_says_where_it_lies(tmp_path: Path) -> None:
    """Beside the word before it, in its line, about as high as the letters."""
    (front, _), *_ = faces_of(tmp_path / "tiny", faces__plain_svg_j2=WORDS)
    data = page_of(front)
    (name, box), (_, night) = boxes(data)
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        before = next(word for word in pdf.pages[0].extract_words() if word["text"] == "Take")
        left, right = before["x1"] / MM, next(w for w in pdf.pages[0].extract_words() if w["text"] == "two")["x0"] / MM
        middle = (before["top"] + before["bottom"]) / 2 / MM

    assert "claw" == name
    assert left < box[0] < box[2] < right
    assert box[1] < middle < box[3] and box[3] - box[1] == pytest.approx(8 / MM, abs=0.01)
    assert [40, 30, 48, 38] == pytest.approx(night, abs=0.01)


def test_a_part_of_a_face_tells_of_the_figures_on_it_alone(parts: Face) -> None:
    """A figure that a clip cuts lies where it is seen; those beyond it are not told."""

    def draw(canvas: PackedCanvas, drawer: Drawer, tags: Tags) -> None:
        drawer.draw(parts, place(0), (10 * MM, (HEIGHT - 39) * MM, 20 * MM, HEIGHT * MM))
        canvas.showPage()

    assert [("wide", pytest.approx([15, 18.5, 20, 23.5], abs=0.01))] == boxes(document(draw))


def test_boxes_stay_on_the_paper(parts: Face) -> None:
    """What reaches over an edge ends there."""

    def draw(canvas: PackedCanvas, drawer: Drawer, tags: Tags) -> None:
        drawer.draw(parts, (MM, 0, 0, -MM, -10 * MM, HEIGHT * MM))
        canvas.showPage()

    assert pytest.approx([0, 8.5, 5, 13.5], abs=0.01) == boxes(document(draw))[0][1]


def test_boxes_follow_the_correction_of_a_printer(parts: Face) -> None:
    """What moves a page moves what is said of it."""

    def draw(canvas: PackedCanvas, drawer: Drawer, tags: Tags) -> None:
        tags.matrix = (1, 0, 0, 1, 2 * MM, 1 * MM)
        drawer.draw(parts, place(0))
        canvas.showPage()

    assert pytest.approx([17, 17.5, 27, 22.5], abs=0.01) == boxes(document(draw))[0][1]


def test_words_beyond_ascii_are_told() -> None:
    """Alternative texts are Unicode."""
    art = '<rect x="0" y="0" width="60" height="80" fill="#ffffff"/>'

    for name in ("Ménagère “猫”", r"Ménagère (\o/)"):
        assert [("Figure", name)] == told(page_of(face_of(art, name=name)))


def test_content_may_go_on_overleaf() -> None:
    """An element whose content lies on two pages names the second page with the content."""

    def draw(canvas: PackedCanvas, _drawer: Drawer, tags: Tags) -> None:
        tags.open("P")
        for words in ("first", "second"):
            canvas.emit(tags.content("P"))
            canvas.setFont("SourceSansPro", 8)
            canvas.drawString(50, 50, words)
            canvas.emit(tags.pause())
            canvas.showPage()
        tags.close()

    with pikepdf.open(io.BytesIO(document(draw))) as pdf:
        here, there = pdf.Root.StructTreeRoot.K.K.K
        assert 0 == here
        assert pdf.pages[1].objgen == there.Pg.objgen
        assert 0 == there.MCID


def test_pdfium_reads_the_structure(tmp_path: Path) -> None:
    """A second reader finds the same kinds of elements."""
    raw = pypdfium2.raw
    document = pypdfium2.PdfDocument(two_pages(tmp_path / "tiny"))
    page = document[0]
    tree = raw.FPDF_StructTree_GetForPage(page.raw)
    kinds: list[str] = []

    def walk(element: Any) -> None:
        size = raw.FPDF_StructElement_GetType(element, None, 0)
        data = ctypes.create_string_buffer(size)
        raw.FPDF_StructElement_GetType(element, data, size)
        kinds.append(data.raw.decode("utf-16-le").rstrip("\0"))
        for index in range(raw.FPDF_StructElement_CountChildren(element)):
            child = raw.FPDF_StructElement_GetChildAtIndex(element, index)
            if child:
                walk(child)

    for index in range(raw.FPDF_StructTree_CountChildren(tree)):
        walk(raw.FPDF_StructTree_GetChildAtIndex(tree, index))
    raw.FPDF_StructTree_Close(tree)
    document.close()

    assert ["Document", "Sect", "H3", "P", "Figure", "Figure", "P"] == kinds[:7]


# Drawing


def pixels(data: bytes, scale: float = 1.5) -> Any:
    document = pypdfium2.PdfDocument(data)
    image = document[0].render(scale=scale).to_pil().convert("RGB")
    document.close()
    return image


def test_tags_and_forms_change_nothing_that_is_seen(tmp_path: Path) -> None:
    """Tagged or not, as forms or in place: the same picture."""
    pairs = faces_of(tmp_path / "tiny", faces__plain_svg_j2=WORDS)
    fronts = [front for front, _ in pairs if front]
    canvas = new_canvas((WIDTH * MM, HEIGHT * MM))
    drawer = Drawer(canvas)
    for index, face in enumerate(fronts):
        drawer.draw(face, place(index))
    canvas.showPage()
    canvas.save()
    plain = pixels(canvas.out.getvalue())

    assert plain.getextrema() != ((255, 255),) * 3
    assert plain.tobytes() == pixels(page_of(*fronts)).tobytes()
    assert plain.tobytes() == pixels(page_of(*fronts, repeated=True)).tobytes()


def test_a_font_holds_the_letters_that_come_and_no_more() -> None:
    """A glyph for each of them, for the space, and for what is missing; and no names, which no reader looks at."""
    words = '<text x="5" y="20" font-family="SourceSansPro" font-size="5">Ab (Abc) \\o/ 7</text>'
    data = page_of(face_of(words))
    with pikepdf.open(io.BytesIO(data)) as pdf:
        (file,) = [one for one in pdf.objects if isinstance(one, pikepdf.Stream) and "/Length1" in one]
        font = TTFont(io.BytesIO(file.read_bytes()))
    document = pypdfium2.PdfDocument(data)
    text = document[0].get_textpage().get_text_range()
    document.close()

    assert r"Ab (Abc) \o/ 7" == text.strip()
    outlined = [name for name in font.getGlyphOrder() if font["glyf"][name].numberOfContours]
    assert len({".notdef", *text.strip()} - {" "}) == len(outlined)
    assert {"cmap", "name", "post", "GPOS", "GSUB"}.isdisjoint(font.keys())


def test_art_that_comes_again_is_a_form(tmp_path: Path) -> None:
    """Three cards with one long picture: in place the first time, then one form; a repeated face is one at once."""
    dots = "".join(f'<circle cx="{x}" cy="9" r="1" fill="#000000"/>' for x in range(2, 50, 4))
    one, two, three = (
        face_of(f'{dots}<text x="9" y="60" font-family="SourceSansPro" font-size="5">{name}</text>', name)
        for name in ("one", "two", "three")
    )

    def forms(data: bytes) -> int:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            return sum(1 for one in pdf.objects if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == "/Form")

    assert 0 == forms(page_of(one))
    assert 1 == forms(page_of(one, two, three))
    assert 1 == forms(page_of(one, repeated=True))


def test_a_form_is_never_cut_by_the_box_of_another() -> None:
    """The same art on a small stock and on a large one, and in a group that is moved, looks as it does alone."""
    dots = "".join(f'<circle cx="{x}" cy="{x}" r="2" fill="#000000"/>' for x in range(2, 58, 4))
    words = '<text x="9" y="40" font-family="SourceSansPro" font-size="5">Owl</text>'
    small = face_of(dots, stock=Stock(name="Small", shape="rectangle", width=20, height=20))
    large = face_of(dots)
    far = "".join(f'<circle cx="{140 + x}" cy="{x}" r="2" fill="#000000"/>' for x in range(2, 58, 4))
    moved = face_of(f'<g transform="translate(-140 0)">{far}</g><g transform="translate(-140 0)">{far}{words}</g>')

    both = pixels(page_of(small, large, repeated=True))
    alone = pixels(page_of(large, large, repeated=True))
    right = (int(76 * MM * 1.5), 0, both.width, both.height)
    assert both.crop(right).tobytes() == alone.crop(right).tobytes()
    difference = ImageChops.difference(pixels(page_of(moved)), pixels(page_of(moved, repeated=True)))
    assert max(high for _, high in difference.getextrema()) <= 4  # edges are softened a little differently


def drawn(data: bytes) -> str:
    """All that the pages and forms of a file draw, as operators."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        forms = [one for one in pdf.objects if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == "/Form"]
        pages = [page.Contents for page in pdf.pages]
        return "\n".join(stream.read_bytes().decode("latin-1") for stream in (*pages, *forms))


@pytest.mark.parametrize("repeated", [False, True])
def test_a_shared_layer_is_drawn_with_what_it_refers_to(tmp_path: Path, repeated: bool) -> None:
    """Four cards share a <use> and a clipped group; what these refer to is 4, 5, 6 and 7 mm wide."""
    words = """
<defs><symbol id="mark" viewBox="0 0 9 9"><rect width="{{ card.power }}" height="8" fill="#000000"/></symbol></defs>
<defs><clipPath id="window"><rect width="{{ card.power }}" height="11"/></clipPath></defs>
<use href="#mark" x="1" y="2" width="9" height="9"/>
<g clip-path="url(#window)"><rect width="30" height="30" fill="#aa0000"/></g>
"""
    template = '{% extends "base/face.svg.j2" %}{% block words %}' + words + "{% endblock %}"
    table = "id,name,count,power,mood\n" + "".join(f"c{n},Card {n},1,{n},\n" for n in range(4, 8))
    rules = FILES["rules.yaml"].replace("[[mouse]] or an [[owl]]", "card")
    game_file = FILES["game.yaml"].replace("count: 3", "count: 4")
    folder = tmp_path / "tiny"
    pairs = faces_of(folder, faces__plain_svg_j2=template, cards_csv=table, rules_yaml=rules, game_yaml=game_file)
    fronts = [front for front, _ in pairs if front]
    code = drawn(page_of(*fronts, repeated=repeated))

    assert fronts[2].layers[-2] is fronts[3].layers[-2]
    assert fronts[2].layers[-1] is fronts[3].layers[-1]
    assert [True] * 4 == [f"0 0 {n} 8 re" in code for n in range(4, 8)]
    assert [True] * 4 == [f"0 0 {n} 11 re W n" in code for n in range(4, 8)]


def test_an_icon_in_another_look_is_another_form(tmp_path: Path) -> None:
    """One symbol with two strokes, one of them in two widths: three forms. What comes again is no form of its own."""
    words = """
<defs><symbol id="mark" viewBox="0 0 9 9"><path d="M0 0L9 9" fill="none"/></symbol></defs>
<use href="#mark" stroke="#000000"/>
<use href="#mark" stroke="#aa0000"/>
<g stroke-width="2"><use href="#mark" stroke="#aa0000"/></g>
<use href="#mark" x="9" stroke="#aa0000"/>
"""
    template = '{% extends "base/face.svg.j2" %}{% block words %}' + words + "{% endblock %}"
    pairs = faces_of(tmp_path / "tiny", faces__plain_svg_j2=template)
    code = drawn(page_of(*(face for pair in pairs for face in pair)))

    assert [1, 1, 1] == [code.count(f"{look} w 0 0 m 9 9 l S") for look in ("0 0 0 RG 1", "0.667 0 0 RG 1", "RG 2")]


def test_nothing_is_drawn_outside_of_the_clip() -> None:
    """A box in points of the page; here the left half of a black square."""
    face = face_of('<rect x="0" y="0" width="60" height="80" fill="#000000"/>')

    def draw(canvas: PackedCanvas, drawer: Drawer, tags: Tags) -> None:
        drawer.draw(face, place(0), (10 * MM, 0, 40 * MM, HEIGHT * MM))
        canvas.showPage()

    image = pixels(document(draw), 1 / MM)  # one pixel is a millimetre

    assert (0, 0, 0) == image.getpixel((38, 50))
    assert (255, 255, 255) == image.getpixel((42, 50))


def test_nothing_is_drawn_outside_of_the_bleed() -> None:
    """Neither in place nor as a form: art that is too large does not reach the neighbour."""
    face = face_of('<rect x="-50" y="-50" width="300" height="300" fill="#000000"/>' * 4)
    for repeated in (False, True):
        image = pixels(page_of(face, repeated=repeated), 1 / MM)

        # The trim begins at 10 mm and is 60 mm wide, with 3 mm of bleed.
        assert [(255, 255, 255), (0, 0, 0), (0, 0, 0), (255, 255, 255)] == [
            image.getpixel((x, 50)) for x in (6, 8, 71, 74)
        ]


def test_a_matrix_turns_a_face() -> None:
    """A quarter turn: what was at the upper left is then at the lower left."""
    face = face_of('<rect x="0" y="0" width="20" height="10" fill="#000000"/>')

    def draw(canvas: PackedCanvas, drawer: Drawer, tags: Tags) -> None:
        drawer.draw(face, (0, MM, MM, 0, 100 * MM, 100 * MM))
        canvas.showPage()

    image = pixels(document(draw), 1 / MM)

    # x of the face goes up the page from 100 mm above its foot, y goes to the right from 100 mm.
    assert (0, 0, 0) == image.getpixel((105, int(HEIGHT) - 115))
    assert (255, 255, 255) == image.getpixel((115, int(HEIGHT) - 105))


def test_more_letters_than_a_byte_counts() -> None:
    """A font with more than 255 letters in use is one font, and the text stays the same."""
    font = find_font("SourceSansPro")
    assert font is not None
    letters = [char for char in map(chr, range(0xC0, 0x530)) if char.isalpha() and font.glyph(char)][:400]
    assert 400 == len(letters)
    lines = "".join(
        f'<text x="1" y="{5 + row * 3}" font-family="SourceSansPro" font-size="2">{"".join(part)}</text>'
        for row, part in enumerate(letters[at : at + 20] for at in range(0, 400, 20))
    )
    data = page_of(face_of(lines))
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        assert set(letters) == {char["text"] for char in pdf.pages[0].chars}


def test_quick_operators_draw_what_reportlabs_own_draw() -> None:
    """Lines, boxes and colours."""

    def picture(kind: type[Canvas]) -> Any:
        canvas = new_canvas((200, 100))
        kind.setLineWidth(canvas, 2.5)
        kind.setStrokeColor(canvas, "#b5622d")
        kind.setFillColor(canvas, "#22304a")
        kind.line(canvas, 10, 10, 90, 30)
        for index, (stroke, fill) in enumerate(((1, 0), (0, 1), (1, 1))):
            kind.rect(canvas, 10 + 60 * index, 60, 40, 30, stroke=stroke, fill=fill)
        canvas.showPage()
        canvas.save()
        return pixels(canvas.out.getvalue(), 3)

    quick = picture(PackedCanvas)

    assert 3 < len(quick.getcolors(100_000))
    assert quick.tobytes() == picture(Canvas).tobytes()


def test_blank_text_needs_no_font() -> None:
    """It is not drawn, and not told."""
    assert [("Figure", "Owl")] == told(page_of(face_of('<text> </text><rect width="9" height="9" fill="#000000"/>')))


# Packing


@pytest.mark.slow("prints a whole game")
def test_the_file_is_sound_and_small(tmp_path: Path) -> None:
    """Other readers find no fault in it; small objects lie in object streams."""
    data = two_pages(tmp_path / "tiny")
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert [] == pdf.check_pdf_syntax()
        assert 4 == len(pdf.pages)
        for page in pdf.pages:
            assert [0, 0, WIDTH * MM, HEIGHT * MM] == pytest.approx([float(v) for v in page.mediabox], abs=0.001)
    assert b"/ObjStm" in data
    assert b"/StructElem" not in data and b"/Page/" not in data


def test_the_document_describes_itself() -> None:
    """Title, author and keywords are also there as XMP, which libraries and screen readers look for."""
    canvas = new_canvas((WIDTH * MM, HEIGHT * MM))
    canvas.describe("Cats & <Dogs>", "Nobody", "A game", "print and play")
    canvas.drawString(9, 9, "x")
    canvas.save()
    with pikepdf.open(io.BytesIO(canvas.out.getvalue())) as pdf, pdf.open_metadata() as xmp:
        assert "Cats & <Dogs>" == xmp["dc:title"] == str(pdf.docinfo["/Title"])
        assert ["Nobody"] == list(xmp["dc:creator"])
        assert "A game" == xmp["dc:description"]
        assert "print and play" == xmp["pdf:Keywords"]
        assert bool(pdf.Root.ViewerPreferences.DisplayDocTitle)


def test_a_title_of_any_letters_is_told_in_xml_that_can_be_read() -> None:
    """Letters that XML cannot hold are replaced; all others are there as they are."""
    canvas = new_canvas((WIDTH * MM, HEIGHT * MM))
    canvas.describe("Cats\a, \ufffe“猫” & 😺", "Nobody", 'A "game"')
    canvas.showPage()
    canvas.save()
    with pikepdf.open(io.BytesIO(canvas.out.getvalue())) as pdf:
        packet = etree.fromstring(pdf.Root.Metadata.read_bytes())
    words = packet.xpath("//*[local-name()='li']/text()")

    assert ["Cats\ufffd, \ufffd“猫” & 😺", "Nobody", 'A "game"'] == words


@pytest.mark.parametrize(("tagged", "described"), [(True, True), (True, False), (False, True), (False, False)])
def test_pdf_ua_is_claimed_for_what_is_tagged_and_described(tagged: bool, described: bool) -> None:
    """In clear, with the language; a picture of a face, or a page without a title, claims nothing."""
    canvas = new_canvas((WIDTH * MM, HEIGHT * MM))
    if described:
        canvas.describe("Cats", "Nobody", "A game")
    if tagged:
        Tags(canvas)
    canvas.showPage()
    canvas.save()
    claims = b'pdfuaid:part="1"' in canvas.out.getvalue()

    assert (tagged and described) == claims == (b"<rdf:li>en</rdf:li>" in canvas.out.getvalue())


def test_a_page_leaves_the_memory_when_it_is_shown(tmp_path: Path) -> None:
    """Its content is in the file before the document ends."""
    pairs = faces_of(tmp_path / "tiny", faces__plain_svg_j2=WORDS)
    canvas = new_canvas((WIDTH * MM, HEIGHT * MM))
    drawer = Drawer(canvas)
    sizes = []
    for front, _ in pairs:
        assert front is not None
        drawer.draw(front, place(0))
        canvas.showPage()
        sizes.append(len(canvas.out.getvalue()))
        assert [] == canvas._code

    assert 300 < sizes[0] < sizes[1]


@pytest.mark.slow("prints in processes")
def test_the_same_content_gives_the_same_bytes(tmp_path: Path) -> None:
    """Whatever the run and the seed of hashes; so do fingerprints."""
    folder = write_game(tmp_path / "tiny", faces__plain_svg_j2=WORDS)
    script = (
        "import sys, hashlib; sys.path.insert(0, sys.argv[2])\n"
        "from pathlib import Path\n"
        "from test_tags import faces_of, page_of, WORDS\n"
        "fronts = [front for front, _ in faces_of(Path(sys.argv[1]), faces__plain_svg_j2=WORDS)]\n"
        "print(hashlib.sha256(page_of(*fronts)).hexdigest(), *(face.fingerprint for face in fronts))\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", script, str(folder), str(Path(__file__).parent)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert 1 == len(printed), printed
    assert 3 == len(printed.pop().split())
