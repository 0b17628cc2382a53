"""Forms: fields of a face leave print as it was, make a PDF to fill in on screen, and what is filled in is scored.

Forms are read back, filled in and shown by pikepdf, PDFium and Poppler, none of which wrote them.
"""

from __future__ import annotations

import io
import re
import shutil
import struct
import subprocess
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from fontTools.ttLib import TTFont
from games_for_tests import FILES, write_game

from grimalkin.cli import main
from grimalkin.content import Game, as_variant, load_game
from grimalkin.content.stocks import load_papers, load_stocks
from grimalkin.output.printout import print_out
from grimalkin.parts.forms.filled import Filled, read_filled
from grimalkin.parts.forms.printing import form_pdf
from grimalkin.printing.draw.form import _fitting, _long
from grimalkin.printing.draw.pdf import MM, face_pdf
from grimalkin.printing.draw.typefaces import latin, winansi
from grimalkin.printing.face import Composer, Face, Inks, standalone_svg
from grimalkin.printing.face.fields import Field, is_name, name_faults, place_fault, read_field
from grimalkin.printing.face.svg.subset import ElementFault
from grimalkin.printing.preflight.readback import read_pdf
from grimalkin.printing.sheet.pieces import faces_by, pieces_of
from grimalkin.printing.sheet.settings import Edition, Settings
from grimalkin.problems import Place, Problems
from grimalkin.source import find_game_folder

PAD = """{% extends "base/face.svg.j2" %}
{% block words %}
<textbox name="name" x="5" y="4" width="40" height="6" size="12">{{ card.name }}</textbox>
{% if side == "front" %}
<text x="5" y="13" font-family="SourceSansPro" font-size="3" fill="#1d1a26">Who</text>
<field name="seats.1.name" x="5" y="14" width="24" height="6" say="row 1, name"/>
<field name="seats.2.name" x="5" y="24" width="24" height="6" say="row 2, name"/>
<text x="30" y="13" font-family="SourceSansPro" font-size="3" fill="#1d1a26">Coins</text>
{% for row in (1, 2) %}{% for turn in (1, 2, 3) %}
<field name="seats.{{ row }}.coins.{{ turn }}" kind="number" x="{{ 20 + 10 * turn }}" y="{{ 4 + 10 * row }}" width="8" height="6" say="row {{ row }}, coins of turn {{ turn }}"/>
{% endfor %}{% endfor %}
<field name="seats.1.purse" kind="number" x="30" y="40" width="8" height="6" sum="seats.1.coins.*" say="row 1, purse"/>
<field name="seats.1.ready" kind="check" x="40" y="40" width="6" height="6" say="row 1, is ready"/>
<field name="notes.day" x="5" y="60" width="40" height="6" say="the day"/>
<field name="phase" kind="fixed" value="over"/>
{% endif %}
{% endblock %}
"""  # noqa: E501 - templates break lines as they like
BARE = re.sub(r"<field [^>]*>\n", "", PAD)
CARDS = FILES["cards.csv"].replace("mouse,Mouse", "pad,Pad")
RULES = FILES["rules.yaml"].replace("[[mouse]]", "[[pad]]")
PLACE = Place("filled.pdf")
A4 = {"a4": load_papers(None, Problems())["a4"]}


def tiny_pad(folder: Path, template: str = PAD) -> Game:
    """The made-up game with a pad to fill in."""
    problems = Problems()
    made = write_game(folder / "tiny", faces__plain_svg_j2=template, cards_csv=CARDS, rules_yaml=RULES)
    game = load_game(made, problems)
    assert game is not None and not problems, list(problems)
    return game


def front_of(game: Game, id_: str, inks: Inks = "full") -> Face:
    problems = Problems()
    composer = Composer(game, load_stocks(game.folder, problems), problems, inks)
    deck = next(deck for deck in game.info.decks if any(row.id == id_ for row in game.components[deck.id]))
    front, _ = composer.faces(deck, game.by_id[id_])
    assert front is not None, list(problems)
    return front


@pytest.fixture(scope="module")
def pad(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The form of the made-up pad: two rows, three turns."""
    game = tiny_pad(tmp_path_factory.mktemp("pad"))
    return form_pdf(game, front_of(game, "pad"))


@pytest.fixture(scope="module")
def score_sheet() -> bytes:
    """The form of Wolf-Man's Curse."""
    problems = Problems()
    game = load_game(find_game_folder("wolf-mans-curse"), problems)
    assert game is not None and not problems, list(problems)
    return form_pdf(game, front_of(game, "score-sheet"))


def every_field(nodes: Any, above: str = "") -> Iterator[tuple[str, Any]]:
    """Name and dictionary of each field below some nodes of a form's tree."""
    for node in nodes:
        name = f"{above}.{node.T}".lstrip(".")
        if "/Kids" in node:
            yield from every_field(node.Kids, name)
        else:
            yield name, node


def filled_in(form: bytes, values: Mapping[str, str], shown: bool = True) -> bytes:
    """A form with values, as a program writes them; `shown` also has their appearances made."""
    with pikepdf.open(io.BytesIO(form)) as pdf:
        fields = dict(every_field(pdf.Root.AcroForm.Fields))
        for name, value in values.items():
            if fields[name].FT == "/Btn":
                fields[name].V = fields[name].AS = pikepdf.Name(f"/{value}")
            else:
                fields[name].V = pikepdf.String(value)
        if shown:
            pdf.Root.AcroForm.NeedAppearances = True
            pdf.generate_appearance_streams()
        out = io.BytesIO()
        pdf.save(out)
        return out.getvalue()


def read(data: bytes) -> Filled:
    problems = Problems()
    filled = read_filled(data, PLACE, problems)
    assert filled is not None, list(problems)
    return filled


def told(data: bytes) -> list[str]:
    """The problems with a form."""
    problems = Problems()
    assert read_filled(data, PLACE, problems) is None
    return [str(problem) for problem in problems]


# Fields of a face


def test_a_field_is_read_from_its_attributes() -> None:
    """Numbers are centred and short unless said; a fixed field needs its value only."""
    place = {"x": "5", "y": "14", "width": "30", "height": "6"}

    assert read_field({"name": "seats.1.name", "say": "row 1, name", **place}) == Field(
        "seats.1.name", "text", "row 1, name", 5, 14, 30, 6, 9, "left", "#1d1a26", 60
    )
    assert read_field({"name": "a", "kind": "number", "say": "b", "size": "12", **place}) == Field(
        "a", "number", "b", 5, 14, 30, 6, 12, "center", "#1d1a26", 3
    )
    assert read_field({"name": "phase", "kind": "fixed", "value": "over"}) == Field(
        "phase", "fixed", "phase", value="over"
    )


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ({"name": "Seats.1"}, '"Seats.1" is not a name for a field'),
        ({"name": "seats..1"}, '"seats..1" is not a name for a field'),
        ({"name": "seats.0.name"}, '"seats.0.name" is not a name for a field'),
        ({"name": "notes"}, 'the form itself needs the field "notes"'),
        ({"name": "notes.game"}, 'the form itself needs the field "notes.game"'),
        ({"name": "notes.sums"}, 'the form itself needs the field "notes.sums"'),
        ({"kind": "numbers"}, 'field a: kind="numbers" is not known'),
        ({"say": " "}, "field a: it has no description"),
        ({"kind": "fixed"}, "field a: a fixed field needs a value"),
        ({"value": "over"}, "field a: only a fixed field has a value"),
        ({"width": "wide"}, 'field a: width="wide" is not a number'),
        ({"align": "middle"}, 'field a: align="middle" is not known'),
        ({"most": "0"}, 'field a: most="0"'),
        ({"most": "1001"}, 'field a: most="1001"'),
        ({"most": "2.7"}, 'field a: most="2.7"'),
        ({"height": "0.5"}, "field a: it is 30 × 0.5 mm"),
        ({"size": "18"}, "field a: 18 pt letters do not fit into 6 mm"),  # 6 mm are 17 pt
        ({"sum": "b.*"}, "field a: only a number can be a sum"),
    ],
)
def test_a_field_that_makes_no_sense_is_told(written: dict[str, str], message: str) -> None:
    sound = {"name": "a", "say": "b", "x": "5", "y": "14", "width": "30", "height": "6"}
    with pytest.raises(ElementFault) as fault:
        read_field(sound | written)

    assert str(fault.value) == message


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("seats.999.months.2.1", True),
        ("notes.row-2.after-month-1.clubs", True),
        ("name.first", True),
        ("a.b.c.d.e.f.g.h", True),  # eight parts
        ("a.b.c.d.e.f.g.h.i", False),
        ("seats.1000", False),
        ("seats.01", False),
        ("seats.²", False),
        ("seats.1.name.first", False),  # the name of a row is one value
        ("a" * 40, True),
        ("a" * 41, False),
        ("a\n", False),
        ("", False),
    ],
)
def test_names_have_bounds(name: str, ours: bool) -> None:
    assert is_name(name) is ours


def test_a_field_that_would_be_in_no_form_is_told() -> None:
    """A poker card is 63 × 88 mm. What is fixed has no place of its own, and a back has no form."""
    one = Field("a", "text", "a", 53, 82, 10, 6)
    wide, high = place_fault(replace(one, x=53.1), 63, 88, "front"), place_fault(replace(one, y=-1), 63, 88, "front")
    low, left = place_fault(replace(one, y=82.1), 63, 88, "front"), place_fault(replace(one, x=-1), 63, 88, "front")
    back = place_fault(replace(one, kind="fixed"), 63, 88, "back")

    assert place_fault(one, 63, 88, "front") is None
    assert place_fault(replace(one, kind="fixed", x=100), 63, 88, "front") is None
    assert wide is not None and wide.message == "field a: it extends from 53.1, 82 to 63.1, 88 mm, beyond the trim"
    assert wide.hint == "the trim is from 0, 0 to 63, 88 mm"
    assert high is not None and high.message == "field a: it extends from 53, -1 to 63, 5 mm, beyond the trim"
    assert low is not None and low.message == "field a: it extends from 53, 82.1 to 63, 88.1 mm, beyond the trim"
    assert left is not None and left.message == "field a: it extends from -1, 82 to 9, 88 mm, beyond the trim"
    assert back is not None and back.message == "field a: it is on a back, but forms have fronts only"


def test_names_are_a_tree() -> None:
    """A name stands for one field, is no group of others, and a sum has something to add up that no other has."""
    one = Field("seats.1", "text", "one")

    assert name_faults([one, replace(one, name="seats.2"), replace(one, name="notes.1")]) == {}
    assert name_faults([one, one]) == {"seats.1": 'two fields are called "seats.1"'}
    assert name_faults([one, replace(one, name="seats.1.name")]) == {
        "seats.1": '"seats.1" is a field, and also the start of other names'
    }
    assert name_faults([one, replace(one, name="all", sum="seats.*.coins")]) == {
        "all": '"all" is the sum of "seats.*.coins", but no field has that name'
    }
    assert name_faults([one, replace(one, name="all", sum="seats.*"), replace(one, name="few", sum="seats.1")]) == {
        "few": '"seats.1" is part of two sums, "all" and "few"'
    }
    assert (
        name_faults([one, replace(one, name="all", sum="seats.*"), replace(one, name="notes.a", sum="seats.1")]) == {}
    )


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ('<field name="a" x="5" y="5" width="9" height="9"/>', "3: the face pad-front: field a: it has no description"),
        ('<field name="a" say="a" wide="9"/>', '3: the face pad-front: <field> has no attribute "wide" here'),
        ('<field name="a" say="a" fill="red"/>', '3: the face pad-front: fill="red" is not a colour'),
        ('<field name="a" say="a">b</field>', '3: the face pad-front: the text "b" is between elements'),
        (
            '<g><field name="a" say="a" x="5" y="5" width="9" height="9"/></g>',
            "3: the face pad-front: a <field> is inside another element",
        ),
        (
            '<field name="a" say="a" x="60" y="5" width="9" height="9"/>',
            "3: the face pad-front: field a: it extends from 60, 5 to 69, 14 mm, beyond the trim; the trim is",
        ),
        (
            '<field name="a" say="a" x="5" y="5" width="9" height="9"/>',
            "3: the face pad-back: field a: it is on a back, but forms have fronts only; fields belong on a front",
        ),
        ('<field name="a" kind="fixed" value="b"/>\n' * 2, ': the face pad-front: two fields are called "a"'),
    ],
)
def test_faults_of_fields_have_their_line(tmp_path: Path, written: str, message: str) -> None:
    template = '{% extends "base/face.svg.j2" %}\n{% block words %}\n' + written + "\n{% endblock %}\n"
    game, problems = tiny_pad(tmp_path, template), Problems()
    composer = Composer(game, load_stocks(game.folder, problems), problems)
    composer.faces(game.info.decks[0], game.by_id["pad"])
    found = [str(problem) for problem in problems]

    assert any(message in problem and "plain.svg.j2" in problem for problem in found), found


def test_nothing_of_a_field_is_printed(tmp_path: Path) -> None:
    """Print, pictures and fingerprints are those of the same face without its fields."""
    with_fields = front_of(tiny_pad(tmp_path / "a"), "pad")
    without = front_of(tiny_pad(tmp_path / "b", BARE), "pad")

    assert len(with_fields.fields) == 12 and without.fields == ()
    assert face_pdf(with_fields, True) == face_pdf(without, True)
    assert with_fields.fingerprint == without.fingerprint
    assert standalone_svg(with_fields).replace("<g/>", "") == standalone_svg(without)


# The PDF


def test_a_form_is_one_page_of_the_size_of_its_trim(pad: bytes) -> None:
    with pikepdf.open(io.BytesIO(pad)) as pdf:
        (page,) = pdf.pages

        assert [round(float(value) / MM, 2) for value in page.mediabox] == [0, 0, 63, 88]
        assert str(pdf.docinfo["/Title"]) == "Tiny: Pad, to fill in on screen"
        assert dict(pdf.Root.ViewerPreferences) == {"/DisplayDocTitle": True, "/PrintScaling": "/None"}
        assert pdf.check_pdf_syntax() == []


def test_fields_lie_where_the_template_has_them(pad: bytes) -> None:
    """A poker card is 88 mm high, and a PDF counts from below: y 14 to 20 is 68 to 74."""
    with pikepdf.open(io.BytesIO(pad)) as pdf:
        fields = dict(every_field(pdf.Root.AcroForm.Fields))
        box = {name: [round(float(value) / MM, 2) for value in one.Rect] for name, one in fields.items()}

    assert box["seats.1.name"] == [5, 68, 29, 74]
    assert box["seats.2.coins.3"] == [50, 58, 58, 64]
    assert box["seats.1.ready"] == [40, 42, 46, 48]


def test_the_fields_of_a_form(pad: bytes) -> None:
    """Their names are paths, their order is that of the template, each says what it is; a hidden one names the game."""
    with pikepdf.open(io.BytesIO(pad)) as pdf:
        fields = dict(every_field(pdf.Root.AcroForm.Fields))
        order = [str(one.TU) for one in pdf.pages[0].Annots]
        hidden = {name: str(one.V) for name, one in fields.items() if int(one.F) & 2}
        shown = [one for one in fields.values() if not int(one.F) & 2]
        numbers = [name for name, one in fields.items() if one.get("/MaxLen") == 3 and int(one.Q) == 1]
        printed = all(int(one.F) == 4 for one in shown)

    assert order[:3] == ["row 1, name", "row 2, name", "row 1, coins of turn 1"]
    assert order[8:] == ["row 1, purse", "row 1, is ready", "the day", "phase", "the game", "the sums"]
    assert hidden == {
        "phase": "over",
        "notes.game": "tiny",
        "notes.sums": "seats.1.purse: seats.1.coins.1 seats.1.coins.2 seats.1.coins.3",
    }
    assert printed and len(shown) == 11
    assert numbers == [f"seats.{row}.coins.{turn}" for row in (1,) for turn in (1, 2, 3)] + [
        "seats.1.purse", "seats.2.coins.1", "seats.2.coins.2", "seats.2.coins.3",
    ]  # fmt: skip


def test_a_form_is_told_in_order(pad: bytes) -> None:
    """Each field is an element of the structure, between the texts that it stands between; its number leads there."""
    with pikepdf.open(io.BytesIO(pad)) as pdf:
        numbers = pdf.Root.StructTreeRoot.ParentTree.Nums
        rows = {int(numbers[at]): numbers[at + 1] for at in range(0, len(numbers), 2)}
        widgets = [one for one in pdf.pages[0].Annots if "/StructParent" in one]
        led = [rows[int(one.StructParent)] for one in widgets]
        kinds = [str(one.S) for one in led]
        back = [element.K.Obj.objgen == one.objgen for element, one in zip(led, widgets, strict=True)]
        elements = list(_elements(pdf.Root.StructTreeRoot.K))
        tabs = str(pdf.pages[0].obj.Tabs)

    assert kinds == ["/Form"] * 11 and all(back)
    assert elements == [
        "/Document", "/H1", "/P", "row 1, name", "row 2, name", "/P",
        *(f"row {row}, coins of turn {turn}" for row in (1, 2) for turn in (1, 2, 3)),
        "row 1, purse", "row 1, is ready", "the day",
    ]  # fmt: skip
    assert tabs == "/S"


def _elements(element: Any) -> Iterator[str]:
    """Kinds of structure elements in reading order; forms by what their field says."""
    kids = element.get("/K", [])
    if element.S == "/Form":
        yield str(kids.Obj.TU)
        return
    yield str(element.S)
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            yield from _elements(kid)


@pytest.mark.slow("prints a form, and reads it")
def test_a_form_passes_the_checks_of_sheets(pad: bytes, score_sheet: bytes) -> None:
    """Every font is embedded and can be searched, all is tagged, the language is set."""
    for data in (pad, score_sheet):
        document = read_pdf(data)

        assert set(document.fonts.values()) == {""}
        assert any(name.startswith("SourceSansPro-Regular (") for name in document.fonts)
        assert document.language == "en" and document.marked
        assert [page.loose for page in document.pages] == [0]
        assert [kind for kind, _ in document.elements].count("H1") == 1


def test_a_form_runs_no_scripts_and_is_built_alike_each_time(tmp_path: Path, pad: bytes) -> None:
    game = tiny_pad(tmp_path)
    with pikepdf.open(io.BytesIO(pad)) as pdf:
        keys = {key for one in pdf.objects if isinstance(one, pikepdf.Dictionary) for key in one}

    assert keys.isdisjoint({"/JS", "/AA", "/A", "/OpenAction", "/XFA"})
    assert form_pdf(game, front_of(game, "pad")) == pad


def test_every_letter_of_western_europe_can_be_typed(pad: bytes) -> None:
    """The font of the fields has a glyph, a width and a character for each code of Windows 1252."""
    with pikepdf.open(io.BytesIO(pad)) as pdf:
        fields = dict(every_field(pdf.Root.AcroForm.Fields))
        named = re.match(r"/(\w+) 9 Tf ", str(fields["seats.1.name"].DA))
        assert named is not None
        font = pdf.Root.AcroForm.DR.Font[f"/{named[1]}"]
        program = TTFont(io.BytesIO(font.FontDescriptor.FontFile2.read_bytes()))
        characters = font.ToUnicode.read_bytes().decode()
        widths = [int(width) for width in font.Widths]
    glyphs, metrics, em = program.getBestCmap(), program["hmtx"].metrics, program["head"].unitsPerEm
    for code in (*range(0x20, 0x7F), 0x80, 0x8E, *range(0xA1, 0xAD), *range(0xAE, 0x100)):
        letter = bytes([code]).decode("cp1252")

        assert widths[code - 32] == round(metrics[glyphs[ord(letter)]][0] * 1000 / em), letter
        assert f"<{code:02X}> <{ord(letter):04X}>" in characters
    assert latin("SourceSansPro").widths == tuple(widths) and len(widths) == 224
    assert winansi(0xE9) == "é"


# Filled in


VALUES = {"seats.1.name": "Adélaïde", "seats.1.coins.2": "17", "notes.day": "8 € – ß"}


def shown_by_pdfium(data: bytes, box: tuple[float, float, float, float]) -> str:
    """The text that PDFium shows in a box: left, foot, right, top in millimetres from the lower left corner."""
    document = pypdfium2.PdfDocument(data)
    try:
        document.init_forms()
        assert pdfium.FPDFPage_Flatten(document[0], pdfium.FLAT_NORMALDISPLAY) == pdfium.FLATTEN_SUCCESS
        page = document[0]
        left, foot, right, top = (value * MM for value in box)
        return page.get_textpage().get_text_bounded(left, foot, right, top).strip()
    finally:
        document.close()


def ink(data: bytes, box: tuple[float, float, float, float]) -> float:
    """How dark PDFium shows a box, from 0 to 1: left, top, right, foot in millimetres from the upper left corner."""
    document = pypdfium2.PdfDocument(data)
    try:
        document.init_forms()
        picture = document[0].render(scale=4 / MM, may_draw_forms=True).to_pil().convert("L")
        levels = picture.crop(tuple(round(value * 4) for value in box)).tobytes()
        return sum(max(levels) - level for level in levels) / len(levels) / 255
    finally:
        document.close()


def test_what_is_filled_in_is_shown(pad: bytes) -> None:
    """PDFium shows each value in its field, in letters of our font."""
    data = filled_in(pad, VALUES)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        name = dict(every_field(pdf.Root.AcroForm.Fields))["seats.1.name"]
        drawn = name.AP.N.read_bytes()

    assert shown_by_pdfium(data, (5, 68, 29, 74)) == "Adélaïde"
    assert shown_by_pdfium(data, (40, 68, 48, 74)) == "17"
    assert shown_by_pdfium(data, (30, 68, 38, 74)) == ""
    assert shown_by_pdfium(data, (5, 22, 45, 28)) == "8 € – ß"
    assert b"/SourceSansPro 9 Tf" in drawn


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="Poppler is not installed")
def test_poppler_shows_it_too(tmp_path: Path, pad: bytes) -> None:
    path = tmp_path / "filled.pdf"
    path.write_bytes(filled_in(pad, VALUES))
    shown = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True)

    text = re.sub(r"\s+", "\n", shown.stdout.replace(" € – ", "€–"))  # narrow spaces are not told by every version

    assert shown.stderr == ""
    assert {"Adélaïde", "17", "8€–ß"} <= set(text.split("\n"))


def test_a_tick_is_drawn(pad: bytes) -> None:
    """An empty box is blank, and a ticked one is not; no font of symbols that a viewer must have is asked for."""
    box = (40.0, 40.0, 46.0, 46.0)
    ticked = filled_in(pad, {"seats.1.ready": "yes", "seats.1.name": "Ada"}, shown=False)

    assert ink(pad, box) == 0
    assert 0.05 < ink(ticked, box) < 0.5
    assert b"ZapfDingbats" not in pikepdf.open(io.BytesIO(ticked)).Root.unparse(resolved=True)


@pytest.mark.parametrize("value", ["Ada", "Countess Ada of Lovelace"])
def test_what_a_form_comes_filled_in_with_is_as_small_as_it_must_be(value: str) -> None:
    """It leaves a margin of 2 pt at both sides of its field."""
    field = Field("seats.1.name", "text", "name", width=60, height=12, value=value)
    size = _fitting(field, 60)

    assert size == pytest.approx(min(9, 56 / _long(value)))


def test_a_form_can_be_filled_in_by_keyboard(pad: bytes) -> None:
    """A person clicks into the first field, types, goes on by tab, ticks a box and saves: as Chromium does it."""
    document = pypdfium2.PdfDocument(pad)
    try:
        document.init_forms()
        form, page = document.formenv, document[0]

        def click(x: float, y: float) -> None:
            at = (x * MM, (88 - y) * MM)
            for act in (pdfium.FORM_OnMouseMove, pdfium.FORM_OnLButtonDown, pdfium.FORM_OnLButtonUp):
                act(form, page, 0, *at)

        def type_in(text: str) -> None:
            for char in text:
                pdfium.FORM_OnChar(form, page, ord(char), 0)

        click(10, 17)
        type_in("Zoë")
        for text in ("Max", "4", "", "12345"):
            pdfium.FORM_OnKeyDown(form, page, 9, 0)
            type_in(text)
        click(43, 43)
        pdfium.FORM_ForceToKillFocus(form)
        saved = io.BytesIO()
        document.save(saved)
    finally:
        document.close()
    filled = read(saved.getvalue())

    assert filled.record == {
        "phase": "over",
        "seats": {"Zoë": {"purse": "127", "ready": "yes"}, "Max": {}},
    }
    assert shown_by_pdfium(saved.getvalue(), (5, 68, 29, 74)) == "Zoë"


# Read


def test_a_filled_form_is_a_record(pad: bytes) -> None:
    """Empty rows, values and ends of lists are left out; a gap in a list is 0; notes are kept apart."""
    values = {"seats.2.name": " Basil ", "seats.2.coins.2": "5", "notes.day": "Friday"}
    filled = read(filled_in(pad, values, shown=False))

    assert filled.record == {"phase": "over", "seats": {"Basil": {"coins": ["0", "5"]}}}
    assert filled.notes == {
        "day": "Friday",
        "game": "tiny",
        "sums": "seats.1.purse: seats.1.coins.1 seats.1.coins.2 seats.1.coins.3",
    }


def test_rows_and_items_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    """10 comes after 2."""
    field = '<field name="seats.{0}.name" x="5" y="{1}" width="9" height="6" say="row {0}"/>\n'
    rows = "".join(field.format(n, 7 * n) for n in range(1, 12))
    game = tiny_pad(tmp_path, '{% extends "base/face.svg.j2" %}{% block words %}' + rows + "{% endblock %}")
    data = filled_in(form_pdf(game, front_of(game, "pad")), {f"seats.{n}.name": f"No. {n}" for n in (10, 2, 11, 1)})

    assert list(read(data).record["seats"]) == ["No. 1", "No. 2", "No. 10", "No. 11"]


def test_a_box_that_was_emptied_again_is_empty(pad: bytes) -> None:
    filled = read(filled_in(pad, {"seats.1.name": "Ada", "seats.1.ready": "Off"}))

    assert filled.record["seats"] == {"Ada": {}}


def test_a_value_is_called_what_its_field_says(pad: bytes) -> None:
    filled = read(filled_in(pad, {"seats.2.name": "Basil", "seats.2.coins.2": "5"}, shown=False))

    assert filled.words_for(("seats", "Basil", "coins", 1)) == "row 2, coins of turn 2"
    assert filled.words_for(("seats", "Basil", "coins")) == "row 2, name"
    assert filled.words_for(("seats",)) == ""


def test_a_sum_stands_for_what_it_adds_up(pad: bytes) -> None:
    """17 = 4 + 13. It may stand alone, or be left out; what is written of both must agree."""
    ada = {"seats.1.name": "Ada"}
    coins = {"seats.1.coins.1": "4", "seats.1.coins.3": "13"}
    right = [ada | {"seats.1.purse": "17"}, ada | coins, ada | coins | {"seats.1.purse": "017"}]
    wrong = ada | coins | {"seats.1.purse": "16"}

    assert [read(filled_in(pad, one, shown=False)).record["seats"] for one in right[1:]] == [
        {"Ada": {"purse": "17"}}
    ] * 2
    assert read(filled_in(pad, right[0], shown=False)).record["seats"] == {"Ada": {"purse": "17"}}
    assert told(filled_in(pad, wrong)) == [
        'filled.pdf: row 1, purse: "16" is written, but the parts add up to 4 + 0 + 13 = 17'
    ]


def clubs(form: bytes, months: str = "", after: str = "", total: str = "") -> bytes:
    """The score sheet with the clubs of row 2: small boxes, large boxes and the total, a dash for what is empty."""
    names = [f"seats.2.months.{m}.1" for m in range(1, 6)]
    running = [f"notes.row-2.after-month-{m}.clubs" for m in range(1, 6)]
    values = dict(zip(names, months.split(), strict=False)) | dict(zip(running, after.split(), strict=False))
    written = {name: value for name, value in values.items() if value != "-"}
    return filled_in(form, {"seats.2.name": "Basil", "seats.2.clubs": total} | written, shown=False)


@pytest.mark.parametrize(
    ("months", "after", "total", "points"),
    [
        ("3 - 5", "", "", "8"),
        ("3 - 5", "3 3 8 8 8", "8", "8"),
        ("3 - 5", "- 3", "", "8"),
        ("", "3 3 8", "", "8"),  # the large boxes alone: the last one
        ("", "3 - 8", "10", "10"),  # nobody wrote after the last months
        ("", "3 3 8 8 8", "8", "8"),
        ("", "", "8", "8"),
        ("0", "", "", "0"),
    ],
)
def test_points_may_be_written_in_small_boxes_or_large_ones(
    score_sheet: bytes, months: str, after: str, total: str, points: str
) -> None:
    filled = read(clubs(score_sheet, months, after, total))

    assert filled.record == {"phase": "over", "seats": {"Basil": {"clubs": points}}}


@pytest.mark.parametrize(
    ("months", "after", "total", "messages"),
    [
        ("3 - 5", "- - 9", "", ['clubs after month 3: "9" is written, but the parts add up to 3 + 0 + 5 = 8']),
        ("3", "4", "", ['clubs after month 1: "4" is written, but the parts add up to 3']),
        # A slip is carried on by what is added to it, and told once.
        ("3 2 1", "3 6 7", "7", ['clubs after month 2: "6" is written, but the parts add up to 3 + 2 = 5']),
        ("3 2 1", "", "7", ['clubs in total: "7" is written, but the parts add up to 3 + 2 + 1 + 0 + 0 = 6']),
        ("", "3 2", "", ['clubs after month 2: "2" is written, but row 2, clubs after month 1: "3"']),
        ("", "- 3", "2", ['clubs in total: "2" is written, but row 2, clubs after month 2: "3"']),
        ("", "- - - - 3", "4", ['clubs in total: "4" is written, but row 2, clubs after month 5: "3"']),
        (
            "3 l",
            "3 x",
            "",
            [
                'clubs after month 2: "x" is not a whole number; write digits, or leave it empty',
                'clubs of month 2: "l" is not a whole number; write digits, or leave it empty',
            ],
        ),
    ],
)
def test_totals_that_do_not_agree_are_told(
    score_sheet: bytes, months: str, after: str, total: str, messages: list[str]
) -> None:
    assert told(clubs(score_sheet, months, after, total)) == [f"filled.pdf: row 2, {text}" for text in messages]


def test_a_row_needs_a_name_of_its_own(pad: bytes) -> None:
    nameless = {"seats.1.name": "Ada", "seats.2.coins.1": "3"}
    twice = {"seats.1.name": "Ada", "seats.2.name": "Ada"}

    assert told(filled_in(pad, nameless)) == ["filled.pdf: row 2, name: this is empty, but the rest of the row is not"]
    assert told(filled_in(pad, twice)) == ['filled.pdf: row 2, name: "Ada" is listed twice; give each row its own name']


def test_what_is_no_filled_form_is_told(tmp_path: Path, pad: bytes) -> None:
    """Empty, flattened, of other makers, locked, damaged, nested without end, filled with something else than text."""
    game = tiny_pad(tmp_path)
    locked, deep, odd, other = (io.BytesIO() for _ in range(4))
    with pikepdf.open(io.BytesIO(filled_in(pad, {"seats.1.name": "Ada"}))) as pdf:
        del dict(every_field(pdf.Root.AcroForm.Fields))["notes.game"].T
        pdf.save(other)
    with pikepdf.open(io.BytesIO(pad)) as pdf:
        dict(every_field(pdf.Root.AcroForm.Fields))["seats.1.name"].V = pdf.make_stream(b"Ada")
        pdf.save(odd)
    with pikepdf.open(io.BytesIO(pad)) as pdf:
        pdf.save(locked, encryption=pikepdf.Encryption(owner="a", user="b"))
    with pikepdf.open(io.BytesIO(pad)) as pdf:
        ring = pdf.make_indirect(pikepdf.Dictionary(T=pikepdf.String("a")))
        ring.Kids = [ring]
        pdf.Root.AcroForm.Fields.append(ring)
        pdf.save(deep)

    assert told(pad) == ["filled.pdf: nothing is filled in; save the form after writing into it"]
    assert told(filled_in(pad, {"notes.day": "Friday"}))[0].startswith("filled.pdf: nothing is filled in;")
    assert told(face_pdf(front_of(game, "pad"), False))[0].startswith("filled.pdf: this PDF has no fields to fill in;")
    assert told(other.getvalue())[0].startswith(
        "filled.pdf: this form was not made by Grimalkin; fill in and save the file"
    )
    assert told(locked.getvalue()) == ["filled.pdf: the PDF is locked with a password; save it without one"]
    assert told(b"%PDF-1.7\nand nothing else") == ["filled.pdf: this PDF is damaged and cannot be read; save it again"]
    assert told(odd.getvalue())[0].startswith('filled.pdf: its field "seats.1.name" holds something other than text;')
    assert told(deep.getvalue())[0].startswith("filled.pdf: its fields are nested more than 8 deep;")


def test_running_totals_are_compared_by_size_wherever_they_stand(tmp_path: Path) -> None:
    """The one of two parts comes after the one of one part, though its field comes first and has the shorter name. What
    adds up numbers of two rows is a running total of neither."""
    place = 'kind="number" width="8" height="6"'
    fields = f"""
<field name="notes.late" {place} x="5" y="10" say="late" sum="seats.1.c.1 seats.1.c.2"/>
<field name="notes.early" {place} x="15" y="10" say="early" sum="seats.1.c.1"/>
<field name="seats.1.all" {place} x="25" y="10" say="all" sum="seats.1.c.*"/>
<field name="notes.both" {place} x="5" y="40" say="both" sum="seats.1.c.1 seats.2.c.1"/>
<field name="seats.2.all" {place} x="25" y="40" say="all" sum="seats.2.c.*"/>
<field name="seats.2.c.1" {place} x="15" y="40" say="one"/>
<field name="seats.2.name" x="5" y="50" width="8" height="6" say="name"/>
<field name="seats.1.c.1" {place} x="5" y="20" say="one"/>
<field name="seats.1.c.2" {place} x="15" y="20" say="two"/>
<field name="seats.1.c.3" {place} x="25" y="20" say="three"/>
<field name="seats.1.name" x="5" y="30" width="8" height="6" say="name"/>
"""
    template = '{% extends "base/face.svg.j2" %}{% block words %}' + fields + "{% endblock %}"
    game = tiny_pad(tmp_path, template)
    form = form_pdf(game, front_of(game, "pad"))
    right = {"seats.1.name": "Ada", "notes.late": "5", "notes.early": "3", "notes.both": "9"}

    assert read(filled_in(form, right)).record == {"seats": {"Ada": {"all": "5"}}}
    assert told(filled_in(form, right | {"notes.early": "6"})) == ['filled.pdf: late: "5" is written, but early: "6"']


# From strangers


def crafted(*fields: Any, sums: str = "", game: str = "tiny") -> bytes:
    """A small PDF with a form of a game that has these further fields."""
    with pikepdf.Pdf.new() as pdf:
        pdf.add_blank_page()
        notes = [text_field("game", game), *([text_field("sums", sums)] if sums else [])]
        pdf.Root.AcroForm = pikepdf.Dictionary(Fields=pikepdf.Array([group("notes", notes), *fields]))
        out = io.BytesIO()
        pdf.save(out)
        return out.getvalue()


def text_field(part: str, value: str, **keys: Any) -> pikepdf.Dictionary:
    name = pikepdf.String(part)
    return pikepdf.Dictionary(T=name, FT=pikepdf.Name("/Tx"), V=pikepdf.String(value), **keys)


def group(part: str, kids: list[pikepdf.Dictionary]) -> pikepdf.Dictionary:
    return pikepdf.Dictionary(T=pikepdf.String(part), Kids=pikepdf.Array(kids))


def test_fields_of_a_form_are_counted_as_often_as_they_are_come_by() -> None:
    """A group that is a hundred times in another, and that in a third, is some hundred lines; so are its widgets."""
    with pikepdf.Pdf.new() as pdf:
        pdf.add_blank_page()
        node = pdf.make_indirect(text_field("x", "1"))
        for _ in range(3):
            node = pdf.make_indirect(group("x", [node] * 100))
        pdf.Root.AcroForm = pikepdf.Dictionary(Fields=pikepdf.Array([node]))
        shared, widgets = io.BytesIO(), pikepdf.Array([pikepdf.Dictionary()] * 1998)
        pdf.save(shared)
    few, many = (text_field("x", "1", Kids=pikepdf.Array(list(widgets)[:count])) for count in (1997, 1998))
    answer = ["filled.pdf: it has more than 2,000 fields; use the original sheet"]

    assert told(shared.getvalue()) == answer
    assert told(crafted(many)) == answer  # x itself, notes and notes.game are three more
    assert told(crafted(few)) == ["filled.pdf: nothing is filled in; save the form after writing into it"]


@pytest.mark.parametrize(
    ("fields", "answer"),
    [
        ([text_field("a", "1" * 1001)], 'its field "a" holds more than 1,000 characters'),
        ([text_field("a" * 1001, "1")], "one of its fields holds more than 1,000 characters"),
        ([text_field("a", "1", TU=pikepdf.String("b" * 1001))], 'its field "a" holds more than 1,000 characters'),
        ([text_field("a", "1", TU=pikepdf.String("b\x1b"))], 'its field "a" is not one of ours'),
        ([text_field("a.a.a.a.a.a.a.a.a", "1")], 'its field "a.a.a.a.a.a.a.a.a" is not one of ours'),
        ([group("seats", [text_field("²", "1")])], 'its field "seats.\\xb2" is not one of ours'),
        ([group("seats", [text_field("1000", "1")])], 'its field "seats.1000" is not one of ours'),
        ([group("seats", [text_field("1.name.x", "1")])], 'its field "seats.1.name.x" is not one of ours'),
        ([text_field("\x1b[31m", "1")], 'its field "\\x1b[31m" is not one of ours'),
        ([text_field("a", "1"), text_field("a", "2")], "two of its fields have the same name"),
        ([text_field("a", "1"), group("a", [text_field("b", "2")])], '"a.b" is inside another of its fields'),
        ([text_field("notes", "1")], '"notes.game" is inside another of its fields'),
    ],
)
def test_a_form_whose_fields_were_changed_is_told(fields: list[pikepdf.Dictionary], answer: str) -> None:
    """Its names, its words and its values are within the bounds of what is made here; nothing else is gone through."""
    assert told(crafted(*fields)) == [f"filled.pdf: {answer}; use the original sheet"]


@pytest.mark.parametrize("game", ["", "\x1b[31mtiny"])
def test_a_form_names_its_game(game: str) -> None:
    assert told(crafted(game=game)) == ["filled.pdf: it does not name its game; use the original sheet"]


@pytest.mark.parametrize(
    ("sums", "answer"),
    [
        ("a.all: b.*", 'its field "b.*" is in a sum, but missing'),
        ("c: b.1", 'its field "c" is in a sum, but missing'),
        ("a.all: b.1; b.2: b.1", '"b.1" is part of two totals, "a.all" and "b.2"'),
        ("a.all: b.1" + " " * 100_000, 'its field "notes.sums" holds more than 100,000 characters'),
    ],
)
def test_sums_that_were_changed_are_told(sums: str, answer: str) -> None:
    fields = [group("a", [text_field("all", "3")]), group("b", [text_field("1", "1"), text_field("2", "2")])]

    assert read(crafted(*fields, sums="a.all: b.1 b.2")).record == {"a": {"all": "3"}}
    assert told(crafted(*fields, sums=sums)) == [f"filled.pdf: {answer}; use the original sheet"]


@pytest.mark.slow("unpacks much")
def test_a_form_that_unpacks_to_much_more_than_itself_is_told() -> None:
    """40 MB of noughts are 40 KB when they are packed."""
    with pikepdf.Pdf.new() as pdf:
        pdf.add_blank_page()
        pdf.Root.Far = pdf.make_stream(b"0" * 40_000_000)
        out = io.BytesIO()
        pdf.save(out, compress_streams=True)

    assert len(out.getvalue()) < 100_000
    assert told(out.getvalue()) == [
        "filled.pdf: it unpacks to more than 8,000,000 bytes, or has too many parts; use the original sheet"
    ]
    assert told(b"%PDF-1.7\n" + b"stream\n" * 10_001) == [
        "filled.pdf: it unpacks to more than 8,000,000 bytes, or has too many parts; use the original sheet"
    ]


def holding(objects: bytes, packing: bytes = b"/Filter/FlateDecode", keyword: bytes = b"stream\n") -> bytes:
    """A PDF whose root lies among objects that are packed: they are unpacked as soon as it is opened."""
    data = b"%PDF-1.5\n"
    first = len(data)
    data += b"2 0 obj<</Type/ObjStm/N 1/First 4%s/Length %d>>" % (packing, len(objects))
    data += keyword + objects + b"\nendstream endobj\n"
    table = len(data)
    rows = b"".join(struct.pack(">BIH", *row) for row in ((0, 0, 65535), (2, 2, 0), (1, first, 0), (1, table, 0)))
    data += b"3 0 obj<</Type/XRef/Size 4/W[1 4 2]/Root 1 0 R/Length %d>>stream\n" % len(rows)
    return data + rows + b"\nendstream endobj\nstartxref\n%d\n%%%%EOF" % table


ROOT = b"1 0 <</Type/Catalog/Pages<</Type/Pages/Count 0/Kids[]>>>>"
MUCH = zlib.compress(ROOT + b" " * 9_000_000, 9)
TOO_MUCH = "it unpacks to more than 8,000,000 bytes, or has too many parts"
OTHERWISE = "it is packed in a way that no form uses"


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        (holding(MUCH), TOO_MUCH),
        (holding(MUCH, keyword=b"stream \n"), TOO_MUCH),
        (holding(MUCH, keyword=b"stream\r"), TOO_MUCH),
        (holding(MUCH, keyword=b"stream\t\r\n"), TOO_MUCH),
        (holding(MUCH, keyword=b"stream"), TOO_MUCH),
        (holding(MUCH[:-4] + b"oops"), TOO_MUCH),
        (holding(zlib.compress(MUCH, 9), b"/Filter[/FlateDecode/FlateDecode]"), OTHERWISE),
        (holding(zlib.compress(MUCH, 9), b"/Fil#74er[/F#6cateDecode /FlateDecode]"), OTHERWISE),
        (holding(MUCH.hex().encode() + b">", b"/Filter[/ASCIIHexDecode/FlateDecode]"), OTHERWISE),
        (holding(MUCH, b"/Filter%\n/LZWDecode"), OTHERWISE),
        (holding(MUCH, b"/Filter/FlateDecode%\n"), OTHERWISE),
        (holding(MUCH, b"/Filter 5 0 R"), OTHERWISE),
        (holding(MUCH, b"/Filter/FlateDecodeOnce"), OTHERWISE),
        (holding(MUCH, b"/Filter/RunLengthDecode"), OTHERWISE),
        (holding(ROOT, b"/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 1000000000>>"), OTHERWISE),
        (holding(ROOT, b"/Filter/FlateDecode/DecodeParms[<</Predictor 2/Columns 5 0 R>>]"), OTHERWISE),
        (holding(ROOT, b"/Filter/FlateDecode/DecodeParms 5 0 R"), OTHERWISE),
    ],
    ids=lambda value: "",
)
def test_a_small_form_never_takes_much_memory(form: bytes, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packed twice, in other ways, behind any line's end, under names in disguise, in rows of a gigabyte: none is
    opened.
    """
    monkeypatch.setattr(pikepdf, "open", lambda *_: pytest.fail("it was opened"))

    assert told(form) == [f"filled.pdf: {answer}; use the original sheet"]


@pytest.mark.parametrize(
    "packing",
    [
        b"/Filter/FlateDecode",
        b"/Filter [ /FlateDecode ]",
        b"/Filter[/FlateDecode]/DecodeParms[null]",
        b"/DecodeParms<</Columns 4/Predictor 1>>/Filter/FlateDecode",
        b"/Filter /FlateDecode /DecodeParms [ << /Predictor 1 /Columns 4 /Colors 1 >> ]",
    ],
)
def test_a_form_may_be_packed_as_programs_pack_it(packing: bytes) -> None:
    """It is opened, and says that it has no fields."""
    answer = told(holding(zlib.compress(ROOT), packing))

    assert len(answer) == 1 and answer[0].startswith("filled.pdf: this PDF has no fields to fill in")


def test_a_form_that_is_locked_without_a_password_is_told(pad: bytes) -> None:
    """It can be opened, but what is packed in it can only be seen by unpacking it."""
    locked = io.BytesIO()
    with pikepdf.open(io.BytesIO(pad)) as pdf:
        pdf.save(locked, encryption=pikepdf.Encryption(owner="a", user=""))

    assert told(locked.getvalue()) == ["filled.pdf: the PDF is locked with a password; save it without one"]


@pytest.mark.parametrize(
    ("written", "code"), [("\x1b[31mAda", "001B"), ("Ada\r\nBo", "000D"), ("A\u2028B", "2028"), ("A\x9bB", "009B")]
)
def test_control_characters_are_told_and_not_shown(pad: bytes, written: str, code: str) -> None:
    """A terminal would take them for orders; an accent, a sign or a script of any kind is none."""
    harmless = "Zoë “Ζωή” 👻 צוי"

    assert told(filled_in(pad, {"seats.1.name": "Ada", "seats.1.coins.1": written}, shown=False)) == [
        f"filled.pdf: row 1, coins of turn 1: it contains the control character U+{code}; write letters and digits, "
        "on one line"
    ]
    assert read(filled_in(pad, {"seats.1.name": harmless}, shown=False)).record["seats"] == {harmless: {}}


def test_bytes_before_a_form_change_nothing(pad: bytes) -> None:
    """Mail and web servers add some; a PDF may begin within its first 1,024 bytes."""
    data = filled_in(pad, VALUES, shown=False)

    assert read(b"\n" * 1000 + data).record == read(data).record


def test_a_form_of_another_game_is_told_before_all_that_is_wrong_in_it(pad: bytes) -> None:
    for data in (pad, filled_in(pad, {"seats.1.name": "a\nb", "seats.1.coins.1": "x"}, shown=False)):
        problems = Problems()

        assert read_filled(data, PLACE, problems, "owls", "sheet.pdf") is None
        assert [str(problem) for problem in problems] == [
            "filled.pdf: this is a form for tiny; write: grimalkin score tiny sheet.pdf"
        ]


# From the command line


SHEET = """\
phase: over
seats:
  Ada: {months: [[3, 0, 0, 2], [0, 0, 0, 0], [0, 1, 0, 0]], jokers: 1}
  Basil: {clubs: 5, spades: 1, diamonds: 9}
  Cléo: {months: [[0, 0, 3, 7], [0, 0, 0, 0], [0, 0, 0, 0]], lover: yes}
"""
GAME = {
    "seats.1.name": "Ada", "seats.1.months.1.1": "3", "seats.1.months.1.4": "2", "seats.1.months.3.2": "1",
    "seats.1.jokers": "1", "seats.1.clubs": "3", "seats.4.name": "Basil", "seats.4.clubs": "5", "seats.4.spades": "1",
    "seats.4.diamonds": "9", "seats.5.name": "Cléo", "seats.5.months.1.3": "3", "seats.5.months.1.4": "7",
    "seats.5.lover": "yes", "notes.lynched": "Basil",
}  # fmt: skip


def score(capsys: pytest.CaptureFixture[str], path: Path, game: str = "wolf-mans-curse") -> tuple[int, str, str]:
    code = main(["score", game, str(path)])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.slow("prints a form, and reads it")
def test_a_filled_sheet_is_judged_as_a_written_record(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, score_sheet: bytes
) -> None:
    """Basil is lynched with 5 clubs; the Yard's leader has no heart; Ada alone is innocent."""
    (tmp_path / "sheet.yaml").write_text(SHEET, encoding="utf-8")
    (tmp_path / "sheet.pdf").write_bytes(filled_in(score_sheet, GAME, shown=False))
    written, filled = (score(capsys, tmp_path / f"sheet.{ending}") for ending in ("yaml", "pdf"))

    assert filled == written
    assert filled[0] == 0 and "Ada wins" in filled[1]


@pytest.mark.slow("prints a form, and reads it")
def test_faults_of_a_filled_sheet_are_told_by_field(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, score_sheet: bytes
) -> None:
    path = tmp_path / "sheet.pdf"
    path.write_bytes(filled_in(score_sheet, GAME | {"seats.4.months.3.1": "x", "seats.1.clubs": "4"}))
    code, out, err = score(capsys, path)
    path.write_bytes(filled_in(score_sheet, GAME | {"seats.5.jokers": "x"}))
    other = score(capsys, path)

    assert (code, out) == (1, "")
    assert err.splitlines() == [
        f'{path}: row 1, clubs in total: "4" is written, but the parts add up to 3 + 0 + 0 + 0 + 0 = 3',
        f'{path}: row 4, clubs of month 3: "x" is not a whole number; write digits, or leave it empty',
    ]
    assert other == (1, "", f'{path}: row 5, silver bullets: "x" is not a whole number\n')


def test_a_form_of_another_game_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path, score_sheet: bytes) -> None:
    path = tmp_path / "sheet.pdf"
    path.write_bytes(filled_in(score_sheet, GAME))

    assert score(capsys, path, "were-kittens") == (
        1, "", f"{path}: this is a form for wolf-mans-curse; write: grimalkin score wolf-mans-curse {path}\n",
    )  # fmt: skip

    path.write_bytes(score_sheet)

    assert score(capsys, path, "were-kittens")[2].startswith(f"{path}: this is a form for wolf-mans-curse;")


@pytest.mark.slow("prints a form, and reads it")
def test_a_form_with_bytes_before_it_is_judged(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, score_sheet: bytes
) -> None:
    """1,019 bytes and the five of %PDF- are the first 1,024; one more, and it is none."""
    path, data = tmp_path / "sheet.pdf", filled_in(score_sheet, GAME, shown=False)
    path.write_bytes(b"\n" * 1019 + data)
    code, out, _ = score(capsys, path)
    path.write_bytes(b"\n" * 1020 + data)

    assert code == 0 and "Ada wins" in out
    assert "this is not a PDF" in score(capsys, path)[2]


@pytest.mark.slow("prints a form, and reads it")
def test_what_only_looks_like_a_form_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, score_sheet: bytes
) -> None:
    """A renamed text or picture, an empty file, a download that broke off; each is one line."""
    path = tmp_path / "sheet.PDF"
    no_pdf = f"{path}: this is not a PDF, though its name ends in .pdf; name a form that was saved, or a YAML file\n"
    answers = {
        b"phase: over\n": no_pdf,
        b"\x89PNG\r\n": no_pdf,
        b"": f"{path}: the file is empty; write its content, or delete the file\n",
        score_sheet[:60_000]: f"{path}: this PDF is damaged and cannot be read; save it again\n",
        score_sheet: f"{path}: nothing is filled in; save the form after writing into it\n",
    }
    for data, answer in answers.items():
        path.write_bytes(data)

        assert score(capsys, path) == (1, "", answer)


def test_a_form_that_is_too_large_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, score_sheet: bytes
) -> None:
    path = tmp_path / "sheet.pdf"
    path.write_bytes(filled_in(score_sheet, GAME, shown=False))
    monkeypatch.setattr("grimalkin.source.files.MOST_BYTES", 100_000)

    assert score(capsys, path) == (1, "", f"{path}: the PDF is too large; at most 100,000 bytes are read\n")


def test_a_form_comes_with_the_sheets(tmp_path: Path) -> None:
    """One for each piece with fields, in the design of the sheets."""
    game, problems = tiny_pad(tmp_path / "a"), Problems()

    def printed(game: Game, inks: Inks) -> set[str]:
        composer = Composer(game, load_stocks(game.folder, problems), problems, inks)
        pieces, faces = pieces_of(game, composer.stocks), faces_by(game, composer)
        edition, settings = Edition("1", "a"), Settings(inks=inks)
        return set(print_out(composer, faces, pieces, A4, settings, edition).files)

    assert printed(game, "full") == {"tiny-a4.pdf", "pad-form.pdf", "owl-form.pdf"}
    assert printed(game, "low") == {"tiny-a4-low.pdf", "pad-form-low.pdf", "owl-form-low.pdf"}
    assert printed(tiny_pad(tmp_path / "b", BARE), "full") == {"tiny-a4.pdf"}
    assert not problems


def test_a_variant_has_no_form_of_its_own() -> None:
    """Other sizes of the cards change nothing on screen."""
    problems = Problems()
    game = load_game(find_game_folder("wolf-mans-curse"), problems)
    assert game is not None
    game = as_variant(game, game.info.variants[:1])
    composer = Composer(game, load_stocks(game.folder, problems), problems)
    pieces = [piece for piece in pieces_of(game, composer.stocks) if piece.deck == "score-sheets"]
    edition = Edition("1", "a")
    made = print_out(composer, faces_by(game, composer), pieces, A4, Settings(), edition)

    assert set(made.files) == {f"wolf-mans-curse-a4-{game.variants[0].id}.pdf"} and not problems


# The score sheet


SUITS = ["clubs", "spades", "hearts", "diamonds"]


def test_the_score_sheet_has_a_field_for_everything(score_sheet: bytes) -> None:
    """Eight rows with a name, 5 months of 4 suits, their running totals, 4 totals, jokers and the lover; then the five
    steps of the end."""
    with pikepdf.open(io.BytesIO(score_sheet)) as pdf:
        fields = dict(every_field(pdf.Root.AcroForm.Fields))
        written = str(fields["notes.sums"].V)
    sums = dict(one.split(": ") for one in written.split("; "))
    row = ["name", *(f"months.{m}.{s}" for m in range(1, 6) for s in range(1, 5)), *SUITS, "jokers", "lover"]
    wanted = {f"seats.{n}.{part}" for n in range(1, 9) for part in row}
    notes = {
        f"notes.{part}" for part in ("lynched", "hanged", "wins-innocent", "wins-guilty", "released", "game", "sums")
    }

    running = {
        f"notes.row-{n}.after-month-{m}.{suit}": [f"seats.{n}.months.{k}.{column}" for k in range(1, m + 1)]
        for n in range(1, 9)
        for m in range(1, 6)
        for column, suit in enumerate(SUITS, 1)
    }
    totals = {
        f"seats.{n}.{suit}": [f"seats.{n}.months.{k}.{column}" for k in range(1, 6)]
        for n in range(1, 9)
        for column, suit in enumerate(SUITS, 1)
    }

    assert set(fields) == wanted | notes | {"phase"} | set(running)
    assert {name: text.split() for name, text in sums.items()} == running | totals


def test_the_tab_key_goes_as_the_table_writes(score_sheet: bytes) -> None:
    """Names; each month from player to player, what it brought and then the totals so far; the totals; the end."""
    with pikepdf.open(io.BytesIO(score_sheet)) as pdf:
        order = [str(one.TU) for one in pdf.pages[0].Annots if not int(one.F) & 2]
    months = [
        f"row {n}, {suit} {when} month {m}"
        for m in range(1, 6)
        for n in range(1, 9)
        for when in ("of", "after")
        for suit in SUITS
    ]
    last = [*(f"{suit} in total" for suit in SUITS), "silver bullets", "has the lover, the queen of hearts"]

    assert order[:8] == [f"row {n}, name" for n in range(1, 9)]
    assert order[8:328] == months
    assert order[328:376] == [f"row {n}, {what}" for n in range(1, 9) for what in last]
    assert len(order) == 381


@pytest.mark.slow("prints a form, and reads it")
@pytest.mark.parametrize("inks", ["full", "low", "mono"])
def test_each_field_stands_below_the_sign_of_its_suit(inks: Inks) -> None:
    """What a field is called, what it says, and the sign at the head of its column are one suit."""
    problems = Problems()
    game = load_game(find_game_folder("wolf-mans-curse"), problems)
    assert game is not None
    face = front_of(game, "score-sheet", inks)
    heads = [
        (float(use.get("x", "")) + float(use.get("width", "")) / 2, use.get("href", "").removeprefix("#icon-"))
        for use in face.root.iter("{*}use")
        if 36 < float(use.get("y", "0")) < 45
    ]
    seen = 0
    for field in face.fields:
        named = re.fullmatch(
            r"(?:seats|notes)\.(?:row-)?(\d)(?:\.(months|after-month).(\d))?\.([1-4]|\w+s)", field.name
        )
        if named is None or named[4] == "jokers":
            continue
        row, box, month, column = named.groups()
        above = [icon for x, icon in heads if field.x < x < field.x + field.width]
        suit = SUITS[int(column) - 1] if column.isdigit() else column
        which = {"months": f"of month {month}", "after-month": f"after month {month}", None: "in total"}
        seen += 1

        assert above == [suit], field.name
        assert field.say == f"row {row}, {suit} {which[box]}"
    assert seen == 8 * (5 * 4 * 2 + 4)


def test_a_sheet_that_is_full_to_the_last_field(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, score_sheet: bytes
) -> None:
    """Eight players, five months with 1 in every suit: 5 in each column, a tie of all, so the mob leaves nobody."""
    values = {f"seats.{n}.months.{m}.{s}": "1" for n in range(1, 9) for m in range(1, 6) for s in range(1, 5)}
    values |= {f"seats.{n}.{suit}": "5" for n in range(1, 9) for suit in SUITS}
    values |= {
        f"notes.row-{n}.after-month-{m}.{suit}": str(m) for n in range(1, 9) for m in range(1, 6) for suit in SUITS
    }
    values |= {f"seats.{n}.name": f"Player {n}" for n in range(1, 9)}
    values |= {"seats.2.jokers": "2", "seats.8.lover": "yes"}
    path = tmp_path / "sheet.pdf"
    path.write_bytes(filled_in(score_sheet, values, shown=False))
    code, out, err = score(capsys, path)

    assert (code, err) == (0, "")
    assert out.count("clubs 5, spades 5, hearts 5, diamonds 5") == 8
    assert "WM-AMB-21" in out
