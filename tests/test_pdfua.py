"""Every kind of PDF that we write keeps to PDF/UA-1, and the checks that say so can tell."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pdfplumber
import pdfua
import pikepdf
import pytest
from games_for_tests import FILES, write_game, zip_of

from grimalkin.content import Game, load_game
from grimalkin.content.stocks import load_papers, load_stocks
from grimalkin.output.printout import print_out
from grimalkin.printing.export.designs import designs_of
from grimalkin.printing.face import Composer
from grimalkin.printing.sheet.calibration import calibration_pdf, is_too_small
from grimalkin.printing.sheet.pieces import faces_by, pieces_of
from grimalkin.printing.sheet.settings import Edition, Printer, Settings
from grimalkin.problems import Problems
from grimalkin.source import bundled_games, find_game_folder

pytestmark = pytest.mark.slow("draws whole documents, and reads them")

PAPERS = load_papers(None, Problems())
CROOKED = Printer("kitchen", 1.3, -0.6, 0.15)
FACES = """{% extends "base/face.svg.j2" %}
{% block art %}<rect x="3" y="3" width="57" height="82" fill="none" stroke="#1d1a26"/>{% endblock %}
{% block words %}
<textbox name="name" x="5" y="5" width="53" height="10" size="12">{{ card.name }}</textbox>
<textbox name="rules" x="5" y="50" width="40" height="26" size="8">Take :claw: two coins.</textbox>
<field name="seats.1.{{ card.id }}" kind="text" say="what {{ card.name }} brings" x="5" y="20" width="20" height="8"/>
<field name="done.{{ card.id }}" kind="check" say="whether it is done" x="30" y="20" width="6" height="6"/>
{% endblock %}
"""
BACK = '{% extends "base/face.svg.j2" %}{% block art %}{{ icon("paw", 9, 9, 40, ink) }}{% endblock %}'


@lru_cache
def loaded(folder: Path) -> Game:
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None and not problems, list(problems)
    return game


def tiny(folder: Path, stock: str = "poker", front: str = FACES) -> Game:
    """The made-up game, with icons, fields to fill in and backs."""
    about = FILES["game.yaml"].replace("back: plain", "back: back").replace("stock: poker", f"stock: {stock}")
    return loaded(write_game(folder, game_yaml=about, faces__plain_svg_j2=front, **{"faces/back.svg.j2": BACK}))


def printed(game: Game, paper: str = "a4", **chosen: Any) -> dict[str, bytes]:
    """All PDFs that the sheets of a game are, its forms among them."""
    settings = replace(Settings(), **chosen)
    problems = Problems()
    composer = Composer(game, load_stocks(game.folder, problems), problems, settings.inks)
    pieces = pieces_of(game, composer.stocks)
    papers = {paper: PAPERS[paper]}
    made = print_out(composer, faces_by(game, composer), pieces, papers, settings, Edition("1", "abc"))

    assert [] == [str(problem) for problem in problems]
    return {name: data for name, data in made.files.items() if name.endswith(".pdf")}


def faults(files: dict[str, bytes]) -> dict[str, list[str]]:
    return {name: found for name, data in files.items() if (found := pdfua.faults(data))}


@pytest.mark.parametrize("name", bundled_games())
def test_the_sheets_and_forms_of_every_game(name: str) -> None:
    """Cover, fronts and backs, and what is to be filled in on screen."""
    assert {} == faults(printed(loaded(find_game_folder(name))))


@pytest.mark.parametrize(
    "chosen",
    [
        {"backs": "fold", "marks": "lines", "paper": "letter"},
        {"backs": "apart", "printer": CROOKED},
        {"backs": "none", "inks": "mono", "cover": False},
        {"same_backs_once": True, "flip": "short", "inks": "low", "paper": "both"},
        {"cutter": "silhouette"},
        {"printer": CROOKED, "gutter": 0, "margin": 7},
    ],
    ids=lambda chosen: "-".join(chosen),
)
def test_sheets_in_every_way_of_printing(tmp_path: Path, chosen: dict[str, Any]) -> None:
    """However backs are printed and pieces are cut, with a cover or without one."""
    files = printed(tiny(tmp_path / "tiny"), **chosen)

    assert {} == faults(files)
    assert (2 if chosen.get("backs") == "apart" else 1) + 2 == len(files)  # with the forms of two cards


def test_pieces_that_fold_or_are_larger_than_the_paper(tmp_path: Path) -> None:
    """A standee is both of its sides, and a board comes in parts that each tell what is on them."""
    for stock in ("standee", "board"):
        files = printed(tiny(tmp_path / stock, stock, re.sub("<field .*", "", FACES)))

        assert {} == faults(files)
        assert 1 == len(files)


@pytest.mark.parametrize("name", bundled_games())
def test_the_files_for_a_print_shop(name: str) -> None:
    """Each face on a page, or a whole strip."""
    problems = Problems()
    game = loaded(find_game_folder(name))
    data = zip_of(game, designs_of(game, (), problems))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if name.endswith(".pdf")}

    assert not problems
    assert {} == faults(files)
    assert files


@pytest.mark.parametrize("printer", [None, CROOKED], ids=["plain", "corrected"])
def test_the_sheet_that_measures_a_printer(printer: Printer | None) -> None:
    """On every paper that it fits."""
    fitting = {name: paper for name, paper in PAPERS.items() if not is_too_small(paper)}

    assert {} == faults({name: calibration_pdf(paper, name, "long", printer) for name, paper in fitting.items()})
    assert {"a4", "letter"} <= fitting.keys()


@pytest.mark.parametrize("paper", PAPERS)
def test_what_a_figure_draws_lies_in_its_box(tmp_path: Path, paper: str) -> None:
    """On the pages that are not made of faces: the cover and the sheet that measures, here of a crooked printer."""
    (cover, *_) = printed(tiny(tmp_path / "tiny"), paper).values()
    files = [cover]
    if not is_too_small(PAPERS[paper]):
        files.append(calibration_pdf(PAPERS[paper], paper, "long", CROOKED))
    for data in files:
        for name, box, around in figures_on(data, pages=2):
            left, low, right, high = box
            spare = (around[0] - left, around[1] - low, right - around[2], high - around[3])

            # Hundredths of a point are rounded away; and a box of the whole page would say nothing.
            assert -0.01 <= min(spare) and max(spare) < 30, name


def test_the_correction_of_a_printer_moves_what_is_told_of_backs_alone() -> None:
    """Every front tells of the same boxes as without one, also after a back."""

    def boxes(**chosen: Any) -> list[list[Box]]:
        data = printed(loaded(find_game_folder("were-kittens")), cover=False, **chosen)["were-kittens-a4.pdf"]
        with pikepdf.open(io.BytesIO(data)) as pdf:
            found: dict[object, list[Box]] = {page.objgen: [] for page in pdf.pages}
            for element in pdfua.read(pdf.Root.StructTreeRoot, pdf.Root).walk():
                if element.kind == "Figure":
                    box = tuple(float(value) for value in element.attribute("Layout", "BBox"))
                    found[element.content[0][0]].append(box)
        return list(found.values())

    plain, corrected = boxes(), boxes(printer=CROOKED)

    assert plain[::2] == corrected[::2]
    assert all(one != other for one, other in zip(plain[1::2], corrected[1::2], strict=True) if one)
    assert any(plain[2::2]) and any(plain[1::2])


Box = tuple[float, ...]


def figures_on(data: bytes, pages: int) -> list[tuple[str, Box, Box]]:
    """Figures and tables of the first pages: each with the box it tells, and the one around what it draws."""
    found = []
    with pikepdf.open(io.BytesIO(data)) as pdf, pdfplumber.open(io.BytesIO(data)) as drawn:
        numbers = {page.objgen: number for number, page in enumerate(pdf.pages)}
        top = pdfua.read(pdf.Root.StructTreeRoot, pdf.Root)
        for element in top.walk():
            marks = {(numbers[page], id_) for one in element.walk() for page, id_ in one.content}
            if element.kind not in ("Figure", "Table") or any(number >= pages for number, _ in marks):
                continue
            things = [
                thing
                for number, id_ in marks
                for kind in ("chars", "lines", "rects", "curves")
                for thing in getattr(drawn.pages[number], kind)
                if thing["mcid"] == id_
            ]
            edges = [(one["x0"], one["y0"], one["x1"], one["y1"]) for one in things]
            low, high = ([pick(values) for values in zip(*edges, strict=True)] for pick in (min, max))
            box = tuple(float(value) for value in element.attribute("Layout", "BBox"))
            found.append((str(element), box, (*low[:2], *high[2:])))
    return found


# The checks can tell


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A set of sheets, and a form."""
    sheets, form, *_ = printed(tiny(tmp_path_factory.mktemp("games") / "tiny")).values()
    return {"sheets": sheets, "form": form}


Saboteur = Callable[[pikepdf.Pdf], None]


def first(pdf: pikepdf.Pdf, kind: str) -> Any:
    return next(one for one in pdf.objects if isinstance(one, pikepdf.Dictionary) and one.get("/S") == f"/{kind}")


def font_of(pdf: pikepdf.Pdf) -> Any:
    return next(iter(pdf.pages[0].obj.Resources.Font.values()))


def paint_untold(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].contents_add(b"0 0 9 9 re f", prepend=True)


def nest_content(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].contents_add(b"/Artifact BMC /P <</MCID 0>> BDC EMC EMC", prepend=True)
    row = pdf.Root.StructTreeRoot.ParentTree.Nums[1]
    assert row[0].K == 0
    content = pdf.pages[0].Contents[1].read_bytes().replace(b"<</MCID 0>>BDC", b"<<>>BDC", 1)
    pdf.pages[0].Contents[1].write(content.replace(b"/P<<>>BDC", b"/Artifact BMC", 1))


def swap_rows(pdf: pikepdf.Pdf) -> None:
    row = pdf.Root.StructTreeRoot.ParentTree.Nums[1]
    row[0], row[1] = row[1], row[0]


def orphan(pdf: pikepdf.Pdf) -> None:
    first(pdf, "LI").P = pdf.Root.StructTreeRoot


def invent_a_type(pdf: pikepdf.Pdf) -> None:
    first(pdf, "P").S = pikepdf.Name("/Words")


def map_a_standard_type(pdf: pikepdf.Pdf) -> None:
    pdf.Root.StructTreeRoot.RoleMap = pikepdf.Dictionary(P=pikepdf.Name("/Span"))


def claim_another_part(pdf: pikepdf.Pdf) -> None:
    stream = pdf.Root.Metadata
    stream.write(stream.read_bytes().replace(b'pdfuaid:part="1"', b'pdfuaid:part="2"'))


def rename(pdf: pikepdf.Pdf) -> None:
    pdf.docinfo["/Title"] = "Another"


def take_metadata(pdf: pikepdf.Pdf) -> None:
    del pdf.Root.Metadata


def unmark(pdf: pikepdf.Pdf) -> None:
    pdf.Root.MarkInfo.Marked = False


def suspect(pdf: pikepdf.Pdf) -> None:
    pdf.Root.MarkInfo.Suspects = True


def show_the_name_of_the_file(pdf: pikepdf.Pdf) -> None:
    del pdf.Root.ViewerPreferences.DisplayDocTitle


def add_layers(pdf: pikepdf.Pdf) -> None:
    pdf.Root.OCProperties = pikepdf.Dictionary()


def add_an_empty_element(pdf: pikepdf.Pdf) -> None:
    top = pdf.Root.StructTreeRoot.K
    top.K.append(pdf.make_indirect(pikepdf.Dictionary(S=pikepdf.Name("/Sect"), P=top)))


def blank_a_text(pdf: pikepdf.Pdf) -> None:
    first(pdf, "Figure").Alt = " "


def skip_a_level(pdf: pikepdf.Pdf) -> None:
    first(pdf, "H2").S = pikepdf.Name("/H4")


def take_an_alternative(pdf: pikepdf.Pdf) -> None:
    del first(pdf, "Figure").Alt


def take_a_box(pdf: pikepdf.Pdf) -> None:
    del first(pdf, "Table").A


def lie_beyond_the_page(pdf: pikepdf.Pdf) -> None:
    first(pdf, "Figure").A.BBox = pikepdf.Array([-9, 0, 9, 9])


def misplace_a_cell(pdf: pikepdf.Pdf) -> None:
    first(pdf, "TD").S = pikepdf.Name("/P")


def take_a_cell(pdf: pikepdf.Pdf) -> None:
    first(pdf, "TD").A = pikepdf.Dictionary(O=pikepdf.Name("/Table"), ColSpan=2)


def take_a_scope(pdf: pikepdf.Pdf) -> None:
    del first(pdf, "TH").A


def take_a_numbering(pdf: pikepdf.Pdf) -> None:
    del first(pdf, "L").A


def number_in_vain(pdf: pikepdf.Pdf) -> None:
    first(pdf, "L").A.ListNumbering = pikepdf.Name("/Decimal")


def note_without_id(pdf: pikepdf.Pdf) -> None:
    first(pdf, "P").S = pikepdf.Name("/Note")


def fill_a_form_twice(pdf: pikepdf.Pdf) -> None:
    form = next(one for one in pdf.objects if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == "/Form")
    form.write(form.read_bytes() + b" /P <</MCID 0>> BDC EMC")


def take_a_font(pdf: pikepdf.Pdf) -> None:
    del font_of(pdf).DescendantFonts[0].FontDescriptor.FontFile2


def widen_a_font(pdf: pikepdf.Pdf) -> None:
    font_of(pdf).DescendantFonts[0].W = pikepdf.Array([0, [999] * 2000])


def forget_characters(pdf: pikepdf.Pdf) -> None:
    del font_of(pdf).ToUnicode


def show_no_glyph(pdf: pikepdf.Pdf) -> None:
    del font_of(pdf).DescendantFonts[0].CIDToGIDMap


def silence_a_field(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].Annots[0].TU = ""


def tab_as_it_comes(pdf: pikepdf.Pdf) -> None:
    del pdf.pages[0].obj.Tabs


def tab_backwards(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].Annots = pikepdf.Array(reversed(list(pdf.pages[0].Annots)))


def tell_a_field_as_a_link(pdf: pikepdf.Pdf) -> None:
    first(pdf, "Form").S = pikepdf.Name("/Link")


SHEETS: dict[Saboteur, str] = {
    paint_untold: "content",
    nest_content: "content",
    swap_rows: "parent_tree",
    orphan: "parent_tree",
    invent_a_type: "roles",
    map_a_standard_type: "roles",
    claim_another_part: "metadata",
    rename: "metadata",
    take_metadata: "metadata",
    unmark: "catalog",
    suspect: "catalog",
    show_the_name_of_the_file: "catalog",
    add_layers: "catalog",
    add_an_empty_element: "emptiness",
    blank_a_text: "emptiness",
    skip_a_level: "headings",
    take_an_alternative: "figures",
    take_a_box: "figures",
    lie_beyond_the_page: "figures",
    misplace_a_cell: "nesting",
    take_a_cell: "tables",
    take_a_scope: "tables",
    take_a_numbering: "lists",
    number_in_vain: "lists",
    note_without_id: "notes",
    fill_a_form_twice: "forms",
    take_a_font: "fonts",
    widen_a_font: "fonts",
    forget_characters: "fonts",
    show_no_glyph: "fonts",
}
"""What somebody could do to sheets, and the check that must notice."""
FORM: dict[Saboteur, str] = {
    silence_a_field: "annotations",
    tab_as_it_comes: "annotations",
    tab_backwards: "annotations",
    tell_a_field_as_a_link: "annotations",
}
"""The same for a form."""


@pytest.mark.parametrize("saboteur", [*SHEETS, *FORM], ids=lambda saboteur: saboteur.__name__)
def test_a_saboteur_is_noticed_by_one_check_alone(good: dict[str, bytes], saboteur: Saboteur) -> None:
    """Whatever is spoiled, the check that is about it says so, and no other does."""
    with pikepdf.open(io.BytesIO(good["form" if saboteur in FORM else "sheets"])) as pdf:
        saboteur(pdf)
        out = io.BytesIO()
        pdf.save(out)

    assert {(SHEETS | FORM)[saboteur]} == {fault.partition(":")[0] for fault in pdfua.faults(out.getvalue())}


def test_every_check_has_noticed_somebody() -> None:
    """No check is there that has never been seen to fail."""
    assert {check.__name__ for check in pdfua.CHECKS} == {*SHEETS.values(), *FORM.values()}


def test_what_is_not_tagged_is_noticed(good: dict[str, bytes]) -> None:
    """And nothing more is said of it."""
    with pikepdf.open(io.BytesIO(good["sheets"])) as pdf:
        del pdf.Root.StructTreeRoot
        out = io.BytesIO()
        pdf.save(out)

    assert ["structure: there is no structure tree"] == pdfua.faults(out.getvalue())
