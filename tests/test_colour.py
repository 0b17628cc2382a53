"""Colours that a print shop can use: inks and spots as designers give them, read back from finished PDFs."""

from __future__ import annotations

import io
import re
import shutil
import struct
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from games_for_tests import write_game
from painted import FACES as PAINTED
from painted import face_of
from PIL import Image
from shop import FACE, FLAT, PALETTE, at, condition, in_four_inks, ink_coverage, pdf_of, plates, shop_game, shop_pdf

from grimalkin.cli import main
from grimalkin.content import load_game
from grimalkin.printing.draw.condition import fault_of_profile, own_profile
from grimalkin.printing.draw.pdf import MM, Drawer, new_canvas
from grimalkin.printing.draw.raster import face_png
from grimalkin.printing.draw.separations import Separated, converted, picture_for
from grimalkin.printing.export.designs import designs_of
from grimalkin.printing.face.layers import standalone_svg
from grimalkin.printing.preflight.pdfx import pdfx_faults
from grimalkin.problems import Problems, Stop
from grimalkin.source.colours import FUNCTIONS, ink_of, noted, shown_as

GHOSTSCRIPT = pytest.mark.skipif(shutil.which("gs") is None, reason="Ghostscript is not installed")
READERS = [
    pytest.param(name, marks=pytest.mark.skipif(shutil.which(name) is None, reason=f"{name} is not installed"))
    for name in ("gs", "mutool", "pdftoppm")
]


@cache
def made(standard: str = "x4", space: str = "cmyk", limit: int = 300, cut_line: str = "") -> bytes:
    """The PDF of the game for a shop."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        game = shop_game(Path(folder) / "tiny")
        return shop_pdf(game, condition(standard=standard, space=space, limit=limit), cut_line)


# What designers write


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("cmyk(0, 100, 100)", "has 3 numbers; write four: cmyk(0, 100, 100, 0)"),
        ("cmyk(0, 100, 100, 120)", '"120" in "cmyk(0, 100, 100, 120)" is not a number from 0 to 100'),
        ("cmyk(0, x, 100, 0)", '"x" in'),
        ("gray(10, 20)", "write one, the black ink in per cent: gray(40)"),
        ("spot(Gold)", "needs a name and one colour that shows it"),
        ("spot(Gold, rgb(9))", "is not cmyk(…) or gray(…)"),
        ("spot(All, gray(50))", '"All" cannot be the name of a spot colour; take another name'),
        ("finish(A~B)", '"A~B" cannot be the name of a spot colour'),
        ("finish()", '"" cannot be the name of a spot colour'),
        ("ink(1)", "is not a colour"),
        ("#12345", "is not a colour"),
        ("#e40916 cmyk(0 100 100 200)", "has 1 number;"),
        ("#e40916 spot(All|0 100 100 0|100)", "cannot be the name of a spot colour"),
        (f"cmyk({',' * 100_000})", "is not a colour"),
    ],
)
def test_a_wrong_colour_is_told(written: str, told: str) -> None:
    """With what was written, and how it is written right."""
    with pytest.raises(ValueError, match=re.escape(told)):
        noted(written)


@pytest.mark.parametrize(
    "written",
    ["#B5622D", "cmyk(0, 12.5, 100, 0)", "gray(40%)", "spot(PANTONE 871 C, gray(30))", "finish(White, 50)"],
)
def test_a_colour_is_held_as_it_is_read(written: str) -> None:
    """What faces hold is a colour itself, and stays the same."""
    held = noted(written)

    assert held == noted(held)
    assert (held == written) == (written[0] == "#")
    assert re.fullmatch("#[0-9a-fA-F]{6}", held[:7])


def test_designers_may_say_how_screens_show_it() -> None:
    """The colour in front wins over the one that is computed."""
    assert "#c8a850 spot(Gold|0 20 60 25|100)" == noted("#c8a850 spot(Gold, cmyk(0, 20, 60, 25))")


def test_screens_show_about_what_the_profile_says() -> None:
    """The solids and their tints come within 40 of 255 steps of our own profile in each channel."""
    from PIL import ImageCms

    own = ImageCms.getOpenProfile(io.BytesIO(own_profile().data))
    how = ImageCms.Intent.RELATIVE_COLORIMETRIC, ImageCms.Flags.BLACKPOINTCOMPENSATION
    back = ImageCms.buildTransform(own, ImageCms.createProfile("sRGB"), "CMYK", "RGB", *how)
    for inks in [(100, 0, 0, 0), (0, 100, 0, 0), (0, 0, 100, 0), (0, 100, 100, 0), (50, 20, 0, 0), (0, 30, 60, 10)]:
        pixel = Image.new("CMYK", (1, 1), tuple(round(ink * 2.55) for ink in inks))
        shown: Any = ImageCms.applyTransform(pixel, back)
        estimate = shown_as(*inks)
        steps = [int(estimate[i : i + 2], 16) for i in (1, 3, 5)]

        assert max(abs(a - b) for a, b in zip(steps, shown.getpixel((0, 0)), strict=True)) <= 40, inks


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_wrong_colour_in_a_palette_has_its_place(tmp_path: Path, function: str) -> None:
    """File, line and key, as for any other."""
    problems = Problems()
    load_game(write_game(tmp_path / "tiny", game_yaml=_palette(f"{function}(-)")), problems)

    (problem,) = problems
    assert str(problem).startswith(str(tmp_path / "tiny" / "game.yaml:11: palette.red"))


def _palette(colour: str) -> str:
    from games_for_tests import FILES

    return FILES["game.yaml"].replace('"#aa0000"', f'"{colour}"')


@pytest.mark.parametrize(
    ("element", "told"),
    [
        ('<rect width="9" height="9" fill="cmyk(1, 2)"/>', 'fill: "cmyk(1, 2)" has 2 numbers; write four'),
        (
            '<linearGradient id="a" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="9" y2="0">'
            '<stop offset="0" stop-color="finish(White)"/></linearGradient>',
            'stop-color="finish(White)" is a finish, which only covers areas',
        ),
    ],
)
def test_a_wrong_colour_in_a_template_has_its_line(tmp_path: Path, element: str, told: str) -> None:
    """The line of the template that wrote it."""
    face = "{% extends 'base/face.svg.j2' %}\n{% block words %}\n" + element + "\n{% endblock %}\n"
    game, problems = shop_game(tmp_path / "tiny", face=face), Problems()
    designs_of(game, ("mouse",), problems)

    assert any("plain.svg.j2:3" in str(problem) and told in str(problem) for problem in problems), list(problems)


# Screens


def test_screens_know_nothing_of_inks(tmp_path: Path) -> None:
    """Pictures, SVG and PDFs in RGB show colours that name inks, and no finish."""
    game, problems = shop_game(tmp_path / "tiny"), Problems()
    (face, *_) = (design.front for design in designs_of(game, ("mouse",), problems))
    svg, pdf = standalone_svg(face), shop_pdf(game, None)
    picture = Image.open(io.BytesIO(face_png(face, 100))).convert("RGB")

    assert "cmyk(" not in svg and "Varnish" not in svg and "#e40916" in svg
    assert (0xE4, 0x09, 0x16) == picture.getpixel((round(10 / 25.4 * 100), round(10 / 25.4 * 100)))
    assert (255, 255, 255) == picture.getpixel((round(7.5 / 25.4 * 100), round(37.5 / 25.4 * 100)))
    assert b"%PDF-1.7" == pdf[:8]
    assert {"rg"} == {operator for operator, _ in colours(pdf)}


def test_the_palette_of_screens_has_no_finish(tmp_path: Path) -> None:
    """Boxes, covers and pages take their colours from it."""
    assert {"red", "soft", "gold", "orange"} == set(shop_game(tmp_path / "tiny").info.shown_palette)


# What operators say


def colours(pdf: bytes) -> set[tuple[str, tuple[str, ...]]]:
    """The operators that set a colour on pages and in forms, with their operands."""
    found: set[tuple[str, tuple[str, ...]]] = set()
    with pikepdf.open(io.BytesIO(pdf)) as read:
        forms = [one for one in read.objects if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == "/Form"]
        for content in [*read.pages, *forms]:
            for operands, operator in pikepdf.parse_content_stream(content, "rg RG g G k K scn SCN"):
                found.add((str(operator), tuple(map(str, operands))))
    return found


def test_nothing_is_left_in_rgb() -> None:
    """In CMYK there are four inks and spots, in grey there is grey."""
    assert {"k", "scn"} == {operator for operator, _ in colours(made())}
    assert {"g"} == {operator for operator, _ in colours(made(space="gray"))}


def test_text_overprints_and_white_does_not(tmp_path: Path) -> None:
    """Overprint is on from the colour of a text to its end, and for a finish: white on overprint would vanish."""
    canvas = new_canvas((100, 100), condition=condition())
    canvas.emit("BT 0.114 0.102 0.149 rg (a)Tj 1 1 1 rg (b)Tj ET 0 0 0 rg 0 0 9 9 re f BT (c)Tj ET 1 1 1 rg")
    code, _ = canvas.written("\n".join(canvas.taken()[:1]), [])

    assert (
        b"BT 0 0 0 1 k /O01 gs (a)Tj 0 0 0 0 k /O00 gs (b)Tj ET 0 0 0 1 k 0 0 9 9 re f"
        b" BT /O01 gs (c)Tj ET /O00 gs 0 0 0 0 k"
    ) == code


def test_a_finish_overprints_within_its_own_state() -> None:
    """So that nothing after it does."""
    from grimalkin.printing.draw.paint import START, paint

    finish = noted("finish(Varnish)")
    code: list[str] = []
    paint("0 0 m 9 9 l", {**START, "fill": finish, "stroke": finish}, code)
    canvas = new_canvas((100, 100), condition=condition())
    written = canvas.written("\n".join([*code, "1 1 1 rg 0 0 9 9 re f"]), [])[0].decode()

    assert re.fullmatch(
        r"q /C\w+ cs 1 scn /O01 gs /C\w+ CS 1 SCN /O11 gs 1 w 0 0 m 9 9 l B Q\n0 0 0 0 k 0 0 9 9 re f", written
    )


def test_inks_never_exceed_the_limit() -> None:
    """For any colour of screens, to the rounding of a step; and black stays."""
    shop = condition(limit=180)
    for red in range(0, 256, 85):
        for green in range(0, 256, 85):
            for blue in range(0, 256, 85):
                inks = converted(shop, red, green, blue)

                assert sum(inks) <= 180.001
                assert inks[3] == converted(condition(), red, green, blue)[3]


def test_greys_and_black_are_black_ink_alone() -> None:
    """From white to black, darker step by step, also with a slight hue."""
    inks = Separated(condition())
    shares = [inks.inks([f"{grey / 255:.3g}"] * 3)[3] for grey in range(0, 256, 5)]

    assert 100 == shares[0] and 0 == shares[-1]
    assert shares == sorted(shares, reverse=True)
    assert (0, 0, 0) == inks.inks(["0.5", "0.508", "0.49"])[:3]
    assert (0, 0, 0, 100) == inks.inks(["0.114", "0.102", "0.149"])
    assert any(inks.inks(["0.5", "0.53", "0.49"])[:3])


# What programs read


@GHOSTSCRIPT
@pytest.mark.slow("separates a page")
def test_every_ink_is_on_its_plate(tmp_path: Path) -> None:
    """Inks as given, spots by their own names, and what is below a finish is untouched."""
    found = plates(made(cut_line="CutContour"), tmp_path)
    names = ["Cyan", "Magenta", "Yellow", "Black"]

    assert {*names, "Gold", "Varnish", "CutContour"} == set(found)
    for (x, y), (what, inks) in FLAT.items():
        assert inks == pytest.approx([100 - at(found[name], x, y)[0] for name in names], abs=0.6), what
    assert [50, 0, 0] == pytest.approx([100 - at(found[n], 40, 10)[0] for n in ("Gold", "Black", "Cyan")], abs=0.6)
    assert [0, 100, 100, 0] == [
        round(100 - at(found["Varnish"], x, y)[0]) for x, y in [(10, 10), (7.5, 37.5), (12.5, 37.5), (17.5, 37.5)]
    ]
    assert 255 > found["CutContour"].getextrema()[0] >= 0


@GHOSTSCRIPT
@pytest.mark.slow("separates a page")
def test_black_text_prints_over_what_is_below(tmp_path: Path) -> None:
    """Under the letters, the red goes on: no white edge shows if the plates slip."""
    found = plates(made(), tmp_path)
    box = tuple(round((side + 3) / 25.4 * 144) for side in (5, 52, 50, 58))
    black, magenta = (found[name].crop(box) for name in ("Black", "Magenta"))

    assert 0 == black.getextrema()[0]  # there are letters
    assert (0, 0) == magenta.getextrema()


@pytest.mark.slow("draws a page in another program")
@pytest.mark.parametrize("program", READERS)
def test_other_programs_read_the_same_inks(program: str, tmp_path: Path) -> None:
    """Within half a step of 255 and the losses of JPEG, where no spot is."""
    picture = in_four_inks(program, made(), tmp_path)

    for (x, y), (what, inks) in FLAT.items():
        if "varnish" not in what:
            assert inks == pytest.approx(at(picture, x, y), abs=0.6), what


@GHOSTSCRIPT
@pytest.mark.slow("measures the ink of a sheet")
def test_a_page_of_text_has_no_colour(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A sheet whose faces are black on white takes black ink alone, with its label, marks and ruler."""
    face = FACE[: FACE.index('<rect x="5"')] + FACE[FACE.index("<text") :]
    shop_game(tmp_path / "tiny", face=face)
    out = tmp_path / "out"

    code = main(
        ["sheets", str(tmp_path / "tiny"), "--paper", "a4", "--no-cover", "--colour", "cmyk", "--output", str(out)]
    )

    assert 0 == code, capsys.readouterr()
    told = capsys.readouterr().out
    assert "built to the rules of PDF/X-4, not certified: Coated FOGRA39 (Grimalkin), ink at most 300 %" in told
    pages = ink_coverage((out / "print" / "tiny" / "tiny-a4.pdf").read_bytes(), tmp_path)
    assert [(0, 0, 0)] * len(pages) == [page[:3] for page in pages]
    assert min(page[3] for page in pages) > 0


@GHOSTSCRIPT
@pytest.mark.slow("draws a game in four inks")
def test_a_whole_game_keeps_within_the_limit(tmp_path: Path) -> None:
    """Werecats, whose art is dark and colourful, at 200 %; but where black text is printed over art."""
    from games_for_tests import bundled_game

    game, problems = bundled_game("werecats"), Problems()
    designs = designs_of(game, ("roast", "cat-1"), problems) or designs_of(game, (), Problems())[:3]
    pdf = pdf_of(game, designs[:2], condition(limit=200))
    picture = in_four_inks("gs", pdf, tmp_path)
    totals = [sum(pixel) / 2.55 for pixel in picture.get_flattened_data()]

    assert max(totals) <= 202


# Pictures


def picture(mode: str = "RGB") -> Image.Image:
    """A picture with every hue, light and dark."""
    made = Image.new("RGB", (64, 64))
    made.putdata([(x * 4, y * 4, (x + y) * 2) for y in range(64) for x in range(64)])
    return made.convert(mode)


@pytest.mark.parametrize("limit", [150, 240, 300])
def test_pictures_keep_within_the_limit(limit: int) -> None:
    """In RGB and in CMYK; and CMYK below the limit stays as it is."""
    four = Image.merge("CMYK", [picture("L")] * 4)
    for one in (picture(), four):
        found = picture_for(one, b"", condition(limit=limit))

        assert "CMYK" == found.mode
        assert max(map(sum, found.get_flattened_data())) / 2.55 <= limit + 0.8  # half a step for each ink
    light = Image.new("CMYK", (4, 4), (30, 40, 50, 60))
    assert light.tobytes() == picture_for(light, b"", condition(limit=limit)).tobytes()


def test_pictures_have_the_inks_of_flat_colours() -> None:
    """Within two per cent: colours between the points of the table are mixed."""
    for colour in [(240, 140, 20), (20, 40, 90), (200, 30, 40), (90, 160, 70)]:
        flat = converted(condition(), *colour)
        found: Any = picture_for(Image.new("RGB", (1, 1), colour), b"", condition()).getpixel((0, 0))

        assert flat == pytest.approx([ink / 2.55 for ink in found], abs=2.5), colour


def test_grey_pictures_are_black_ink_alone() -> None:
    """As light as flat greys."""
    found = picture_for(Image.new("L", (1, 1), 128), b"", condition())
    flat = Separated(condition()).inks(["0.502"] * 3)

    assert "L" == found.mode
    assert flat[3] == pytest.approx(100 - found.getpixel((0, 0)) / 2.55, abs=0.6)  # type: ignore[operator]


@GHOSTSCRIPT
@pytest.mark.slow("draws pictures in another program")
@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_picture_on_a_card_comes_out_in_its_inks(kind: str, tmp_path: Path) -> None:
    """Lossless or JPEG, which is stored inverted: the inks at its middle are those of its colour."""
    face = "{% extends 'base/face.svg.j2' %}\n{% block words %}\n"
    face += f'<image href="art/one.{kind.lower()}" x="5" y="5" width="20" height="20"/>\n{{% endblock %}}\n'
    folder = tmp_path / "tiny"
    (folder / "art").mkdir(parents=True)
    Image.new("RGB", (240, 240), (240, 140, 20)).save(folder / "art" / f"one.{kind.lower()}")
    pdf = shop_pdf(shop_game(folder, face=face), condition())

    assert converted(condition(), 240, 140, 20) == pytest.approx(at(in_four_inks("gs", pdf, tmp_path), 15, 15), abs=2.5)
    assert [] == pdfx_faults(pdf, "x4")


def test_a_picture_by_a_damaged_profile_is_told(tmp_path: Path) -> None:
    """Its colours would be wrong, and nobody would know why."""
    from PIL import ImageCms

    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    profile[132:200] = bytes(68)  # the table of its tags
    folder = tmp_path / "tiny"
    (folder / "art").mkdir(parents=True)
    Image.new("RGB", (240, 240), (240, 140, 20)).save(folder / "art" / "one.png", icc_profile=bytes(profile))
    face = "{% extends 'base/face.svg.j2' %}\n{% block words %}\n"
    game = shop_game(
        folder, face=f'{face}<image href="art/one.png" x="5" y="5" width="20" height="20"/>\n{{% endblock %}}\n'
    )

    assert shop_pdf(game, None)
    with pytest.raises(Stop, match=r"one\.png: its colour profile cannot be used; save it without a profile, in sRGB"):
        shop_pdf(game, condition())


# PDF/X


@pytest.mark.parametrize("space", ["cmyk", "gray"])
@pytest.mark.parametrize("standard", ["x4", "x1a"])
def test_files_are_built_to_the_rules(standard: Any, space: str) -> None:
    """Of the standard that the shop asks for, in inks and in grey."""
    assert [] == pdfx_faults(made(standard, space, cut_line="CutContour" if space == "cmyk" else ""), standard)


@pytest.mark.parametrize("name", PAINTED)
def test_paint_of_any_kind_is_in_inks(name: str) -> None:
    """Gradients, patterns, masks and groups, their colour spaces and functions."""
    canvas = new_canvas((30 * MM, 30 * MM), condition=condition())
    canvas.setTitle(name)
    Drawer(canvas).draw(face_of(PAINTED[name]), (MM, 0, 0, -MM, 0, 30 * MM))
    canvas.showPage()

    assert [] == pdfx_faults(canvas.pdf(), "x4")


def test_files_for_screens_are_not(tmp_path: Path) -> None:
    """What the checks find in a file that nobody meant for a shop."""
    faults = pdfx_faults(shop_pdf(shop_game(tmp_path / "tiny"), None), "x4")

    assert {"it is PDF 1.7; PDF/X-4 allows at most 1.6", "it has 0 output intents for PDF/X, not one"} <= set(faults)
    assert "page 1 sets a colour in RGB" in faults


def _no_trim(pdf: Any) -> None:
    del pdf.pages[0].obj["/TrimBox"]


def _wide_trim(pdf: Any) -> None:
    pdf.pages[0].obj["/TrimBox"] = [-20, 0, 100, 100]


def _link(pdf: Any) -> None:
    pdf.pages[0].obj["/Annots"] = [pikepdf.Dictionary(Type=pikepdf.Name("/Annot"), Subtype=pikepdf.Name("/Link"))]


def _no_intent(pdf: Any) -> None:
    del pdf.Root["/OutputIntents"]


def _screen_profile(pdf: Any) -> None:
    pdf.Root.OutputIntents[0].DestOutputProfile.write(b"\0" * 200)


def _no_trapped(pdf: Any) -> None:
    del pdf.docinfo["/Trapped"]


def _no_metadata(pdf: Any) -> None:
    del pdf.Root["/Metadata"]


def _red(pdf: Any) -> None:
    pdf.pages[0].contents_add(b"1 0 0 rg")


def _red_picture(pdf: Any) -> None:
    picture = pikepdf.Stream(pdf, b"\0\0\0", Subtype=pikepdf.Name("/Image"), ColorSpace=pikepdf.Name("/DeviceRGB"))
    pdf.pages[0].obj["/Thumb"] = pdf.make_indirect(picture)


def _script(pdf: Any) -> None:
    pdf.Root["/Names"] = pikepdf.Dictionary(JavaScript=pikepdf.Dictionary())


def _loose_font(pdf: Any) -> None:
    font = pikepdf.Dictionary(
        Type=pikepdf.Name("/Font"), Subtype=pikepdf.Name("/Type1"), BaseFont=pikepdf.Name("/Arial")
    )
    pdf.pages[0].obj["/Loose"] = pdf.make_indirect(font)


def _veil(pdf: Any) -> None:
    pdf.pages[0].obj["/Veil"] = pdf.make_indirect(pikepdf.Dictionary(ca=0.5))


def _mask(pdf: Any) -> None:
    pdf.pages[0].obj["/Veil"] = pdf.make_indirect(pikepdf.Dictionary(SMask=pikepdf.Dictionary()))


def _group(pdf: Any) -> None:
    pdf.pages[0].obj["/Group"] = pikepdf.Dictionary(S=pikepdf.Name("/Transparency"))


PLANTED: dict[str, tuple[Callable[[Any], None], str, str]] = {
    "no trim": (_no_trim, "x4", "page 1 has no TrimBox"),
    "trim outside": (_wide_trim, "x4", "page 1: its TrimBox is not within its BleedBox"),
    "link": (_link, "x4", "page 1 has a link, a note or a field"),
    "no intent": (_no_intent, "x4", "it has 0 output intents for PDF/X, not one"),
    "no profile": (_screen_profile, "x4", "the profile of its output intent is not an ICC profile, or is cut off"),
    "not trapped": (_no_trapped, "x4", "its information does not say whether it is trapped"),
    "no metadata": (_no_metadata, "x4", "its metadata has no GTS_PDFXVersion"),
    "red": (_red, "x4", "page 1 sets a colour in RGB"),
    "red picture": (_red_picture, "x4", "a colour is in DeviceRGB"),
    "script": (_script, "x4", "it has scripts or actions"),
    "font": (_loose_font, "x4", "the font Arial is not embedded"),
    "opacity": (_veil, "x1a", "it has transparency: an opacity"),
    "mask": (_mask, "x1a", "it has transparency: a soft mask"),
    "group": (_group, "x1a", "it has transparency: a group"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_told(name: str) -> None:
    """Each check finds its own fault in a file that has no other."""
    plant, standard, told = PLANTED[name]
    with pikepdf.open(io.BytesIO(made(standard))) as pdf:
        plant(pdf)
        out = io.BytesIO()
        pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.disable, fix_metadata_version=False)

    assert told in pdfx_faults(out.getvalue(), standard)  # type: ignore[arg-type]


def test_x1a_is_plain_pdf_1_4() -> None:
    """No object streams, and a table of cross-references that other programs read."""
    pdf = made("x1a")

    assert b"%PDF-1.4\n" == pdf[:9]
    assert b"/ObjStm" not in pdf and b"\nxref\n0 " in pdf
    with pikepdf.open(io.BytesIO(pdf)) as read:
        assert [] == read.check_pdf_syntax() if hasattr(read, "check_pdf_syntax") else read.check()
        assert 4 == len(read.pages)
        assert not [page for page in read.pages if "/Tabs" in page.obj]  # a key of PDF 1.5
        assert "/PrintScaling" not in read.Root.ViewerPreferences  # a key of PDF 1.6


def test_transparency_names_its_card(tmp_path: Path) -> None:
    """PDF/X-1a has none, and a card that asks for it is told by its row, file and line."""
    face = FACE.replace('fill="#808080"', 'fill="#808080" opacity="0.5"')
    game = shop_game(tmp_path / "tiny", face=face)
    with pytest.raises(Stop) as stop:
        shop_pdf(game, condition(standard="x1a"))

    told = [str(problem) for problem in stop.value.problems]
    assert 4 == len(told)
    assert told[1].endswith(
        'cards.csv:2: the front of "Mouse" has transparency, which PDF/X-1a does not allow; remove opacity, masks and '
        "transparent parts of pictures, or print it as PDF/X-4"
    )
    assert [] == pdfx_faults(shop_pdf(game, condition()), "x4")


def test_too_much_ink_is_told(tmp_path: Path) -> None:
    """Inks that a designer gave are never changed."""
    game = shop_game(tmp_path / "tiny", PALETTE.replace("cmyk(0, 100, 100, 0)", "cmyk(80, 80, 80, 90)"))
    with pytest.raises(Stop, match=r"the colour red, cmyk\(80, 80, 80, 90\), has 330 % of ink; the shop allows 300 %"):
        shop_pdf(game, condition())


def test_a_spot_has_one_colour(tmp_path: Path) -> None:
    """A shop could not tell which is meant; also if a template or --cut-line names it."""
    game = shop_game(tmp_path / "tiny", PALETTE.replace("orange:", "brass: spot(Gold, gray(30))\n  orange:"))
    shop_pdf(game, condition())
    game = shop_game(tmp_path / "other" / "tiny", PALETTE.replace('"#f08c14"', "spot(Gold, gray(30))"))
    with pytest.raises(Stop) as stop:
        shop_pdf(game, condition())

    assert str(stop.value.problems[0]).endswith(
        'game.yaml: the spot colour "Gold" is written in two ways, spot(Gold, cmyk(0, 20, 60, 25), 50) and '
        "spot(Gold, cmyk(0, 0, 0, 30)); name it once in the palette"
    )
    cut = shop_game(tmp_path / "cut" / "tiny", PALETTE.replace("finish(Varnish)", "finish(Cut, gray(9))"))
    with pytest.raises(Stop, match='the spot colour "Cut" is written in two ways'):
        shop_pdf(cut, condition(), "Cut")


def test_words_have_no_finish(tmp_path: Path) -> None:
    """A style that names one is told in its place."""
    problems = Problems()
    text = _palette("finish(Varnish)") + "styles: {loud: {fill: red}}\n"
    load_game(write_game(tmp_path / "tiny", game_yaml=text), problems)

    (problem,) = problems
    assert 'game.yaml:23: "red" is a finish, which is no colour for words; name another colour' in str(problem)


def test_two_runs_give_the_same_bytes(tmp_path: Path) -> None:
    """As everywhere."""
    one, other = (shop_pdf(shop_game(tmp_path / name / "tiny"), condition(), "Cut") for name in "ab")

    assert one == other


# Profiles


def _changed(at: int, data: bytes) -> bytes:
    own = own_profile().data
    return own[:at] + data + own[at + len(data) :]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "is not an ICC profile, or is cut off"),
        (own_profile().data[:5000], "is not an ICC profile, or is cut off"),
        (_changed(16, b"RGB "), "is a profile for RGB, not for CMYK"),
        (_changed(12, b"scnr"), 'is not the profile of a printer: its class is "scnr"'),
        (_changed(128, struct.pack(">L", 4_000_000_000)), "is cut off: its table of tags is incomplete"),
        (own_profile().data.replace(b"B2A0", b"xxxx"), "has no table to inks (B2A0)"),
    ],
)
def test_a_profile_that_cannot_print_is_told(data: bytes, told: str) -> None:
    """Before anything is converted with it: a library takes some of them without a word, and gives wrong colours."""
    fault = fault_of_profile(data)

    assert fault and fault[0].startswith(told)


def _without(tag: bytes) -> bytes:
    """Our profile with zeros in a table."""
    own = own_profile().data
    at = next(at for at in range(132, 132 + 12 * 20, 12) if own[at : at + 4] == tag)
    start, length = struct.unpack_from(">LL", own, at + 4)
    return own[:start] + bytes(length) + own[start + length :]


def _elsewhere(tag: bytes) -> bytes:
    """Our profile with a table beyond its end."""
    own = own_profile().data
    at = next(at for at in range(132, 132 + 12 * 20, 12) if own[at : at + 4] == tag)
    return own[: at + 4] + struct.pack(">LL", 4_000_000_000, 100) + own[at + 12 :]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (_without(b"B2A1"), "cannot be used: it is damaged; give the profile that your print shop names"),
        (_without(b"A2B0"), "cannot be used: it is damaged"),
        (_changed(8, b"\x09"), "cannot be used: it is damaged"),
        (_changed(972, b"\xff" * 53_702), "cannot be right: "),  # black ink is as light as paper
        (_elsewhere(b"B2A1"), "is cut off: some of its tables are incomplete"),
    ],
)
def test_a_damaged_profile_is_told(data: bytes, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It looks sound from outside."""
    folder = write_game(tmp_path / "tiny")
    (tmp_path / "bad.icc").write_bytes(data)

    assert 0 != main(["sheets", str(folder), "--colour", "cmyk", "--profile", str(tmp_path / "bad.icc")])
    assert f"--profile: {tmp_path}/bad.icc {told}" in capsys.readouterr().err


def test_an_empty_name_is_not_the_profile_that_comes_with_us(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It comes from a variable of a script that is not set."""
    assert 0 != main(["sheets", str(write_game(tmp_path / "tiny")), "--colour", "cmyk", "--profile", ""])
    assert "this is a folder, not a file" in capsys.readouterr().err


def test_a_profile_that_prints_nonsense_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """White paper full of ink, or black without."""
    from grimalkin.printing.draw import separations

    monkeypatch.setattr(separations, "converted", lambda *_: (50.0, 40.0, 30.0, 0.0))
    fault = separations.fault_of_condition(condition())

    assert fault and fault[0] == "cannot be right: it puts 120 % of ink on white, and 120 % in black"
    monkeypatch.undo()
    assert separations.fault_of_condition(condition()) is None


def test_our_profile_can_print() -> None:
    """It holds no more ink than most shops allow, and says whose measurements it is made from."""
    from PIL import ImageCms

    own = ImageCms.getOpenProfile(io.BytesIO(own_profile().data)).profile

    assert fault_of_profile(own_profile().data) is None
    assert "zlib" in (own.copyright or "") and "FOGRA39" in (own.profile_description or "")
    assert max(sum(converted(condition(limit=400), *rgb)) for rgb in [(0, 0, 0), (29, 26, 38), (0, 0, 60)]) <= 300


# The commands


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--profile", "x.icc"], "--profile: it is only for print shops; add --colour cmyk or --colour gray"),
        (["--ink-limit", "240"], "--ink-limit: it is only for print shops"),
        (["--pdfx", "x1a"], "--pdfx: it is only for print shops"),
        (["--colour", "cmyk", "--profile", "no.icc"], "no.icc"),
        (["--colour", "cmyk", "--profile", "FOLDER/cards.csv"], "cards.csv is not an ICC profile"),
    ],
)
def test_wrong_options_are_told(
    arguments: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what would be right."""
    folder = write_game(tmp_path / "tiny")
    given = [one.replace("FOLDER", str(folder)) for one in arguments]

    assert 0 != main(["sheets", str(folder), *given, "--output", str(tmp_path / "out")])
    assert told in capsys.readouterr().err
    assert not (tmp_path / "out" / "print").exists()


@pytest.mark.slow("exports a game")
def test_the_zip_says_what_its_colours_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its README names profile, limit, standard and the cut line; the command says what was checked."""
    shop_game(tmp_path / "tiny")
    given = ["--colour", "cmyk", "--ink-limit", "240", "--pdfx", "x1a", "--cut-line", "CutContour"]

    assert 0 == main(["export", "zip", str(tmp_path / "tiny"), *given, "--output", str(tmp_path / "out")])
    assert "built to the rules of PDF/X-1a, not certified" in capsys.readouterr().out
    with zipfile.ZipFile(tmp_path / "out" / "zip" / "tiny.zip") as archive:
        readme = archive.read("README.txt").decode()
        assert [] == pdfx_faults(archive.read("cards.pdf"), "x1a")
    assert "Colours are CMYK for Coated FOGRA39 (Grimalkin), with at most 240 % of ink." in readme
    assert "The files are built to the rules of PDF/X-1a, not certified." in readme
    assert "The spot colour CutContour is the line to cut along" in readme


@pytest.mark.parametrize("space", ["rgb", "gray"])
def test_a_cut_line_needs_spot_colours(space: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On screens and in grey there are none."""
    folder = write_game(tmp_path / "tiny")
    given = ["--colour", space, "--cut-line", "CutContour", "--output", str(tmp_path / "out")]

    assert 0 != main(["export", "zip", str(folder), *given])
    assert "--cut-line: spot colours need --colour cmyk" in capsys.readouterr().err


@pytest.mark.slow("builds a game twice")
def test_a_build_for_a_shop_leaves_the_site_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its sheets are in inks, with finishes; pictures and pages are as without the option."""
    shop_game(tmp_path / "tiny")
    found = {}
    for name, given in (("rgb", []), ("cmyk", ["--colour", "cmyk"])):
        out = tmp_path / name
        assert 0 == main(["build", str(tmp_path / "tiny"), "--draft", "--paper", "a4", *given, "--output", str(out)])
        found[name] = {path.name: path.read_bytes() for path in (out / "cards" / "tiny").iterdir()}
    sheet = (tmp_path / "cmyk" / "sheets" / "tiny" / "tiny-a4.pdf").read_bytes()

    assert found["rgb"] == found["cmyk"]
    assert [] == pdfx_faults(sheet, "x4")
    with pikepdf.open(io.BytesIO(sheet)) as read:
        names = {
            str(one[1]) for one in read.objects if isinstance(one, pikepdf.Array) and one and one[0] == "/Separation"
        }
    assert {"/Gold", "/Varnish"} == names


def test_a_finish_has_its_inks() -> None:
    """Cut lines are shown in magenta, unless another colour stands in for them."""
    cut, white = ink_of(noted("finish(CutContour)")), ink_of(noted("finish(White, cmyk(10, 0, 0, 0))"))

    assert cut and white
    assert ((0, 100, 0, 0), (10, 0, 0, 0)) == (cut.cmyk, white.cmyk)
    assert 0 == cut.total


# Large black areas, and pages of PDFs


@pytest.mark.parametrize(
    ("element", "inks"),
    [
        ('<rect x="5" y="5" width="20" height="20" fill="#1d1a26"/>', {"0.5 0.4 0.4 1"}),
        ('<g transform="scale(2)"><rect x="5" y="5" width="6" height="6"/></g>', {"0.5 0.4 0.4 1"}),
        ('<rect x="5" y="5" width="20" height="9" fill="#1d1a26"/>', {"0 0 0 1"}),
        ('<g transform="scale(0.4)"><rect x="5" y="5" width="20" height="20"/></g>', {"0 0 0 1"}),
        ('<rect x="5" y="5" width="20" height="20" fill="gray(100)"/>', {"0 0 0 1"}),
        ('<text x="5" y="40" font-family="SourceSansPro" font-size="40" fill="#1d1a26">M</text>', {"0 0 0 1"}),
        ('<path d="M5 5H40" stroke="#1d1a26" stroke-width="20"/>', {"0 0 0 1"}),
    ],
)
def test_only_large_black_areas_take_all_inks(element: str, inks: set[str], tmp_path: Path) -> None:
    """As large as printed; not text, lines or what a designer gave."""
    face = (
        "{% extends 'base/face.svg.j2' %}{% block ground %}{% endblock %}{% block words %}" + element + "{% endblock %}"
    )
    pdf = shop_pdf(shop_game(tmp_path / "tiny", face=face), condition())

    assert inks == {" ".join(operands).replace("1.0", "1") for operator, operands in colours(pdf) if operator in "kK"}


@pytest.mark.parametrize(("limit", "solid"), [(300, (60, 40, 40, 100)), (190, (38.5, 25.7, 25.7, 100))])
def test_rich_black_keeps_within_the_limit(limit: int, solid: tuple[float, ...]) -> None:
    """With all of the black, and the other inks in their proportion."""
    ink = ink_of(Separated(condition(limit=limit, solid=(60, 40, 40, 100))).solid)

    assert ink and solid == ink.cmyk


@pytest.mark.parametrize("given", ["60,40,40", "60,40,40,90", "a,b,c,d", "200,0,0,100"])
def test_rich_black_is_four_inks(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With all of the black."""
    with pytest.raises(SystemExit):
        main(["sheets", "were-kittens", "--colour", "cmyk", "--rich-black", given])

    assert f'"{given}" is not four inks in per cent, black at 100, as in 60,40,40,100' in capsys.readouterr().err


@GHOSTSCRIPT
@pytest.mark.slow("prints pages of a PDF")
def test_pages_in_inks_stay_as_they_are(tmp_path: Path) -> None:
    """With their spots, on plates of the same names."""
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "cards.pdf").write_bytes(made(cut_line="CutContour"))
    out = tmp_path / "out"

    assert 0 == main(["sheets", str(folder), "--colour", "cmyk", "--paper", "a4", "--no-cover", "--output", str(out)])
    pdf = (out / "print" / "pages" / "pages-a4.pdf").read_bytes()
    assert [] == pdfx_faults(pdf, "x4")
    assert {"Gold", "Varnish", "CutContour"} <= set(plates(pdf, tmp_path))


@pytest.mark.slow("prints pages of a PDF")
@pytest.mark.parametrize(
    ("given", "source", "why"),
    [
        (["cmyk"], "rgb", "its colours are not all in CMYK, grey or spot colours"),
        (["gray"], "cmyk", "its colours are not all in CMYK, grey or spot colours"),
        (["cmyk", "--pdfx", "x1a"], "cmyk", "PDF/X-1a has no transparency"),
    ],
)
def test_other_pages_become_pictures(
    given: list[str], source: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a remark, and in the inks of the shop."""
    folder = tmp_path / "pages"
    folder.mkdir()
    game = shop_game(tmp_path / "tiny")
    (folder / "cards.pdf").write_bytes(shop_pdf(game, condition() if source == "cmyk" else None))
    out = tmp_path / "out"

    assert 0 == main(["sheets", str(folder), "--paper", "a4", "--no-cover", "--output", str(out), "--colour", *given])
    assert f"page 1 is printed as a picture at 300 dpi: {why}" in capsys.readouterr().err
    standard = "x1a" if "x1a" in given else "x4"
    assert [] == pdfx_faults((out / "print" / "pages" / "pages-a4.pdf").read_bytes(), standard)  # type: ignore[arg-type]


def test_a_cutting_machine_that_prints_takes_no_inks(capsys: pytest.CaptureFixture[str]) -> None:
    """A Cricut prints pictures."""
    assert 0 != main(["sheets", "were-kittens", "--colour", "cmyk", "--cutter", "cricut"])
    assert "--colour: a Cricut prints pictures, which are in RGB" in capsys.readouterr().err


@pytest.mark.slow("makes a box")
def test_a_box_is_printed_in_inks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the cards on it, and its lines in black ink."""
    shop_game(tmp_path / "tiny")
    given = ["--paper", "a4", "--colour", "cmyk", "--output", str(tmp_path / "out")]

    assert 0 == main(["box", str(tmp_path / "tiny"), *given])
    assert "built to the rules of PDF/X-4, not certified" in capsys.readouterr().out
    (pdf,) = (tmp_path / "out").rglob("*.pdf")
    assert {"k", "scn"} == {operator.lower() for operator, _ in colours(pdf.read_bytes())}


@pytest.mark.slow("prints sheets three times")
def test_prints_in_inks_and_in_colours_of_screens_share_their_record(tmp_path: Path) -> None:
    """A finish is no change of a card, nor is the other kind of colour."""
    folder = shop_game(tmp_path / "tiny", PALETTE).folder
    output = tmp_path / "output"
    for colour in ("rgb", "cmyk"):
        assert main(["sheets", str(folder), "--paper", "a4", "--colour", colour, "--output", str(output)]) == 0

    assert len([*(output / "records" / "tiny").iterdir()]) == 1
    assert not (output / "kept").exists()
    (record,) = (output / "records" / "tiny").iterdir()
    again = ["--changed-since", str(record), "--colour", "cmyk"]
    assert main(["sheets", str(folder), "--paper", "a4", *again, "--output", str(output)]) == 0
    assert not (output / "print" / "tiny" / "changes.txt").exists()
