"""QR codes on faces: printed, they are read back by a reader that knows nothing of us."""

from __future__ import annotations

import re
from pathlib import Path

import pdfua
import pypdfium2
import pytest
import zxingcpp
from games_for_tests import write_game
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from grimalkin.cli import main
from grimalkin.content import load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.images.qr import LEAST_CONTRAST, _modules, _outline
from grimalkin.printing.face.svg.colours import luminance
from grimalkin.printing.sheet.pieces import all_faces
from grimalkin.problems import Problems

FACE = """\
{{% extends "base/face.svg.j2" %}}
{{% block words %}}
<qr x="10" y="20" {}/>
{{% endblock %}}
"""
DATA = ["12345678901234567890", "https://example.org/cards/otter?a=1&b=2", "Größe ✓ 猫", "ça", "✓✓"]
"""Digits, an address, letters of several scripts, and two texts that segno alone would print as Japanese."""


def read(picture: Image.Image) -> list[tuple[str, str]]:
    """The texts of all QR codes in a picture, and what kind of code each is."""
    kinds = zxingcpp.BarcodeFormat.QRCode, zxingcpp.BarcodeFormat.MicroQRCode
    return [(code.text, str(code.format)) for code in zxingcpp.read_barcodes(picture.convert("L"), kinds)]


def faces_of(folder: Path) -> tuple[dict[str, Face], Problems]:
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None
    return all_faces(game, Composer(game, load_stocks(folder, problems), problems)), problems


@pytest.mark.parametrize("inks", ["full", "low", "mono"])
@pytest.mark.parametrize("data", DATA)
def test_a_printed_code_is_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: str, inks: str) -> None:
    """At 300 dpi, in each of the inks: three cards on a sheet, of which each says what its template said."""
    shown = data.replace("&", "&amp;")
    face = FACE.format(f'width="16" data="{shown}" fill="#7a1020"')
    write_game(tmp_path / "tiny", faces__plain_svg_j2=face)
    monkeypatch.chdir(tmp_path)
    assert 0 == main(["sheets", "./tiny", "--paper", "a4", "--ink", inks, "--no-cover", "--backs", "none"])
    [path] = (tmp_path / "output" / "print" / "tiny").glob("*.pdf")
    with pypdfium2.PdfDocument(path) as document:
        picture = document[0].render(scale=300 / 72).to_pil().convert("RGB")

    assert [] == pdfua.faults(path.read_bytes())
    assert [(data, "QR Code")] * 3 == read(picture)
    reds = [red > green + 40 for _, (red, green, _) in picture.getcolors(1 << 16)]
    assert any(reds) == (inks == "full")


def test_a_code_is_one_path_in_its_room_and_says_what_it_is(tmp_path: Path) -> None:
    """Version 1 has 21 modules, and 4 of quiet zone on each side: 29 in 14.5 mm are 0.5 mm each."""
    face = FACE.format('width="14.5" data="OTTER" fill="#102030"')
    faces, problems = faces_of(write_game(tmp_path / "tiny", faces__plain_svg_j2=face))
    front = faces["mouse-front"].root
    [group] = front.iter("{*}g")
    paths = group.findall("{*}path")
    numbers = [int(one) for one in re.findall(r"\d+", paths[0].get("d", ""))]

    assert not problems
    assert "QR code: OTTER" == group.get("aria-label")
    assert "translate(10 20) scale(0.5)" == group.get("transform")
    assert ["#102030"] == [path.get("fill") for path in paths]
    assert (4, 25) == (min(numbers), max(numbers))
    assert [("29", "29", "#ffffff")] == [
        tuple(map(one.get, ("width", "height", "fill"))) for one in group.iter("{*}rect")
    ]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ('data="A"', "<qr> has no width"),
        ('width="20"', "<qr> has no data"),
        ('width="20" data=" "', "a QR code has no text"),
        ('width="9.5" data="OTTER"', 'would be 0.328 mm wide, but readers need 0.33; write width="9.6" or more'),
        ('width="20" data="A" error="x"', 'error="x" is not known'),
        ('width="20" data="A" quiet="11"', "from 0 to 10"),
        ('width="20" data="A" quiet="1.5"', "from 0 to 10"),
        ('width="20" data="A" quiet="some"', "from 0 to 10"),
        ('width="20" data="A" fill="none"', 'a QR code has the fill "none"'),
        ('width="20" data="A" ground="none"', 'a QR code has the ground "none"'),
        ('width="20" data="A" fill="#ffffff" ground="#000000"', "too pale, or light on dark"),
        ('width="20" data="A" fill="#e0b76a"', "too pale, or light on dark"),
        ('width="20" data="A" ground="white"', 'ground="white" is not a colour'),
        ('width="20" height="20" data="A"', '<qr> has no attribute "height" here'),
        (f'width="60" data="{"x" * 2332}"', "cannot hold 2,332 characters"),
        (f'width="60" data="{"x" * 8000}"', "cannot hold 8,000 characters"),
    ],
)
def test_what_no_reader_could_read_is_a_problem(tmp_path: Path, written: str, told: str) -> None:
    """21 modules and 8 of quiet zone need 29 × 0.33 = 9.57 mm; at level m the largest code holds 2,331 bytes."""
    faces, problems = faces_of(write_game(tmp_path / "tiny", faces__plain_svg_j2=FACE.format(written)))

    assert {} == faces
    assert any(told in str(problem) for problem in problems), [str(problem) for problem in problems]
    assert all(":3: the face mouse-front: " in str(problem) for problem in problems)


def test_a_code_names_the_column_that_is_too_long(tmp_path: Path) -> None:
    face = FACE.format('width="40" data="{{ card.link }}"')
    long = "x" * 1500
    table = f"id,name,count,power,mood,link\nmouse,Mouse,2,1,calm,{long}{long}\nowl,Owl,1,7,,x\n"
    _, problems = faces_of(write_game(tmp_path / "tiny", faces__plain_svg_j2=face, cards_csv=table))

    assert any("cannot hold 3,000" in one.message and 'the column "link"' in one.hint for one in problems)


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=40), st.sampled_from("lmqh"))
def test_every_text_is_read_back(data: str, level: str) -> None:
    """Whatever its letters are: the path has the modules of the code, each painted once."""
    rows = _modules(data, level)
    assert rows is not None
    picture = Image.new("L", (len(rows) + 8, len(rows) + 8), 255)
    for part in _outline(rows, 4).split(" M"):
        left, top, *_, right, foot, _, _ = (int(one) for one in re.findall(r"\d+", part))
        assert set(picture.crop((left, top, right, foot)).tobytes()) == {255}  # no module is painted twice
        picture.paste(0, (left, top, right, foot))

    assert [(data, "QR Code")] == read(picture.resize((picture.width * 4, picture.height * 4)))


def test_light_is_measured_as_eyes_and_cameras_do() -> None:
    """Black 0, white 1, and the grey of half the numbers a fifth: dark enough on white, and #999999 is not."""
    assert (0, 1) == (luminance("#000000"), luminance("#ffffff"))
    assert 0.2159 == pytest.approx(luminance("#808080"), abs=1e-4)
    assert 1 - luminance("#808080") > LEAST_CONTRAST
    assert 0.6 < 1 - luminance("#a0a0a0") < 0.7
