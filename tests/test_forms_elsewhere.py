"""Forms in other programs: a sheet keeps its look and its answers through all that are installed.

The programs fill it in, save it again, draw its fields themselves, or flatten it. What a form shows is compared with
what our own fields show. A program that is missing is named by the test that it skips.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageChops
from test_forms import PLACE, every_field, filled_in, front_of, read, tiny_pad

from grimalkin.parts.forms.filled import read_filled
from grimalkin.parts.forms.printing import form_pdf
from grimalkin.printing.draw.pdf import MM
from grimalkin.problems import Problems

VALUES = {"seats.1.name": "Ada", "seats.1.coins.2": "17", "seats.1.ready": "yes", "notes.day": "Monday"}
BOXES = {
    "seats.1.name": (5, 14, 29, 20),
    "seats.1.coins.2": (40, 14, 48, 20),
    "seats.1.ready": (40, 40, 46, 46),
    "notes.day": (5, 60, 45, 66),
}
"""Where these fields are: left, top, right, foot in millimetres from the upper left corner."""
EMPTY = (5, 24, 29, 30)
DENSE = 8
"""Pixels in a millimetre."""
INK = (0x1D, 0x1A, 0x26)

pytestmark = pytest.mark.slow("starts other programs")

Filler = Callable[[Path, Path], None]
"""A function that fills in the form at the first path, or changes it, and saves the result at the second."""


@pytest.fixture(scope="module")
def pad(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The form of the made-up pad: two rows, three turns."""
    game = tiny_pad(tmp_path_factory.mktemp("pad"))
    return form_pdf(game, front_of(game, "pad"))


def run(*command: object) -> None:
    """Run a program, or skip the test if it is not installed."""
    words = [str(word) for word in command]
    if not shutil.which(words[0]):
        pytest.skip(f"{words[0]} is not installed")
    # 3 is what qpdf returns after a warning.
    assert subprocess.run(words, capture_output=True, timeout=60).returncode in (0, 3)


def pdftk(*more: str) -> Filler:
    def fill(form: Path, out: Path) -> None:
        fields = "".join(
            "".join(f'<field name="{part}">' for part in name.split("."))
            + f"<value>{value}</value>"
            + "</field>" * len(name.split("."))
            for name, value in VALUES.items()
        )
        answers = form.with_name("answers.xfdf")
        answers.write_text(
            f'<?xml version="1.0"?><xfdf xmlns="http://ns.adobe.com/xfdf/"><fields>{fields}</fields></xfdf>', "utf-8"
        )
        run("pdftk", form, "fill_form", answers, "output", out, *more)

    return fill


def by_pikepdf(form: Path, out: Path) -> None:
    from pikepdf.form import CheckboxField, DefaultAppearanceStreamGenerator, Form, TextField

    with pikepdf.open(form) as pdf:
        fields = Form(pdf, DefaultAppearanceStreamGenerator)
        for name, value in VALUES.items():
            field = fields[name]
            if isinstance(field, CheckboxField):
                field.checked = True
            elif isinstance(field, TextField):
                field.value = value
        pdf.save(out)


def by_pypdf(redraw: bool, flatten: bool = False) -> Filler:
    def fill(form: Path, out: Path) -> None:
        pypdf = pytest.importorskip("pypdf", reason="pypdf is not installed")
        writer = pypdf.PdfWriter(clone_from=form)
        ticked = {name: f"/{value}" if value == "yes" else value for name, value in VALUES.items()}
        writer.update_page_form_field_values(writer.pages[0], ticked, auto_regenerate=redraw, flatten=flatten)
        if flatten:
            writer.remove_annotations(subtypes="/Widget")
        writer.write(out)

    return fill


PDFJS = """
import fs from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
const [form, out, answers] = process.argv.slice(-3)
const found = createRequire(`${process.cwd()}/any.js`).resolve('pdfjs-dist/legacy/build/pdf.mjs')
const { getDocument } = await import(pathToFileURL(found))
const shown = await getDocument({ data: new Uint8Array(fs.readFileSync(form)), verbosity: 0 }).promise
const values = JSON.parse(answers)
for (const one of await (await shown.getPage(1)).getAnnotations())
  if (one.fieldName in values)
    shown.annotationStorage.setValue(one.id, { value: one.checkBox ? true : values[one.fieldName] })
fs.writeFileSync(out, await shown.saveDocument())
process.exit(0)
"""


def by_pdfjs(form: Path, out: Path) -> None:
    """Fill in a form with pdf.js, which Node finds from the current folder or by NODE_PATH."""
    if not shutil.which("node"):
        pytest.skip("node is not installed")
    asked = ["node", "-e", "require.resolve('pdfjs-dist/legacy/build/pdf.mjs')"]
    if subprocess.run(asked, capture_output=True).returncode:
        pytest.skip("pdfjs-dist is not installed")
    run("node", "--input-type=module", "-e", PDFJS, "--", form, out, json.dumps(VALUES))


FILL = {
    "pikepdf": by_pikepdf,
    "pypdf": by_pypdf(redraw=False),
    "pypdf, asking viewers to redraw": by_pypdf(redraw=True),
    "pdftk": pdftk(),
    "pdftk, asking viewers to redraw": pdftk("need_appearances"),
    "pdf.js": by_pdfjs,
}
KEEP: dict[str, Filler] = {
    "mutool clean": lambda form, out: run("mutool", "clean", "-ggg", form, out),
    "qpdf": lambda form, out: run("qpdf", "--linearize", "--object-streams=generate", form, out),
    "qpdf, drawing the fields": lambda form, out: run("qpdf", "--generate-appearances", form, out),
    "pdftk": lambda form, out: run("pdftk", form, "output", out),
}
FLATTEN: dict[str, Filler] = {
    "Ghostscript": lambda form, out: run(
        "gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", f"-sOutputFile={out}", form
    ),
    "mutool convert": lambda form, out: run("mutool", "convert", "-o", out, form),
    "pdftk": lambda form, out: run("pdftk", form, "output", out, "flatten"),
    "qpdf": lambda form, out: run("qpdf", "--flatten-annotations=all", form, out),
    "Poppler": lambda form, out: run("pdftocairo", "-pdf", form, out),
    "pypdf": by_pypdf(redraw=False, flatten=True),
}


def changed(change: Filler, data: bytes, folder: Path) -> bytes:
    """Return what a program makes of a form."""
    form, out = folder / "form.pdf", folder / "out.pdf"
    form.write_bytes(data)
    change(form, out)
    return out.read_bytes()


def picture(data: bytes) -> Image.Image:
    """Return the page of a form as PDFium shows it."""
    document = pypdfium2.PdfDocument(data)
    try:
        document.init_forms()
        shown: Image.Image = document[0].render(scale=DENSE / MM, may_draw_forms=True).to_pil().convert("RGB")
        return shown
    finally:
        document.close()


def part(shown: Image.Image, box: tuple[float, float, float, float]) -> Image.Image:
    return shown.crop(tuple(round(value * DENSE) for value in box))  # type: ignore[arg-type]


def darkest(shown: Image.Image) -> tuple[int, ...]:
    return tuple(low for low, _ in shown.getextrema())  # type: ignore[misc]


def ink(shown: Image.Image) -> int:
    """Count the pixels that are nearer to ink than to paper."""
    levels = shown.convert("L").tobytes()
    return sum(level < 128 for level in levels)


def assert_looks_alike(shown: Image.Image, pad: bytes, tick: float = 0.6) -> None:
    """Compare a form with our own: its fields have as much ink as ours, in our colour, and nothing else has changed.

    `tick` is the least part of our tick's ink that a program's own tick must have.
    """
    ours, blank = picture(filled_in(pad, VALUES)), picture(pad)
    assert all(abs(one - other) <= 1 for one, other in zip(ours.size, shown.size, strict=True))
    shown = shown.resize(ours.size)
    for name, box in BOXES.items():
        expected, found = ink(part(ours, box)), ink(part(shown, box))
        least = tick if name == "seats.1.ready" else 0.75
        assert least * expected <= found <= 1.3 * expected, (name, expected, found)
        dark = darkest(part(shown, box))
        assert all(abs(want - got) <= 16 for want, got in zip(INK, dark, strict=True)), (name, dark)
        for image in (shown, blank):
            image.paste((255, 255, 255), tuple(round(value * DENSE) for value in box))  # type: ignore[arg-type]
    strange = ImageChops.difference(shown.reduce(DENSE), blank.reduce(DENSE)).convert("L").getextrema()
    assert strange[1] < 40, "something beside the fields has changed"  # type: ignore[operator]


@pytest.mark.parametrize("program", FILL)
def test_a_form_can_be_filled_in_with(program: str, tmp_path: Path, pad: bytes) -> None:
    """Its answers are read, and it shows them in our font and colours."""
    data = changed(FILL[program], pad, tmp_path)

    filled = read(data)
    assert filled.record == {"seats": {"Ada": {"purse": "17", "ready": "yes"}}, "phase": "over"}
    assert filled.notes["day"] == "Monday"
    assert_looks_alike(picture(data), pad, tick=0.4 if "redraw" in program else 0.9)


@pytest.mark.parametrize("program", KEEP)
def test_a_filled_form_is_kept_by(program: str, tmp_path: Path, pad: bytes) -> None:
    """Saved again, it has the same answers and the same look."""
    form = filled_in(pad, VALUES)
    data = changed(KEEP[program], form, tmp_path)

    assert read(data).texts == read(form).texts
    assert_looks_alike(picture(data), pad, tick=0.9)


@pytest.mark.parametrize("program", FLATTEN)
def test_a_form_flattened_keeps_its_look_and_says_what_it_lost(program: str, tmp_path: Path, pad: bytes) -> None:
    """The answers are there as text; who wants to score it learns why that cannot be read."""
    with pikepdf.open(io.BytesIO(filled_in(pad, VALUES))) as pdf:
        pdf.Root.AcroForm.NeedAppearances = False  # otherwise programs draw the fields in their own way
        form = io.BytesIO()
        pdf.save(form)
    source = pad if program == "pypdf" else form.getvalue()  # pypdf flattens what it fills in
    data = changed(FLATTEN[program], source, tmp_path)
    problems = Problems()

    assert_looks_alike(picture(data), pad, tick=0.9)
    assert read_filled(data, PLACE, problems) is None
    (problem,) = map(str, problems)
    assert "flattened or printed to a new PDF, it still shows the answers, but as text" in problem


def test_a_tick_that_poppler_draws_is_ours(tmp_path: Path, pad: bytes) -> None:
    """Asked to draw all fields itself, Poppler finds our tick under the name of its font of symbols."""
    with pikepdf.open(io.BytesIO(filled_in(pad, VALUES, shown=False))) as pdf:
        pdf.Root.AcroForm.NeedAppearances = True
        pdf.save(tmp_path / "form.pdf")
    if not shutil.which("pdftoppm"):
        pytest.skip("pdftoppm is not installed")
    command = ["pdftoppm", "-r", str(DENSE * 25.4), "-png", "-singlefile", "form.pdf", "shown"]
    asked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    tick = BOXES["seats.1.ready"]

    assert asked.stderr == ""
    with Image.open(tmp_path / "shown.png") as image:
        shown = image.convert("RGB")
    theirs, ours = (
        part(one, tick).convert("L").point(lambda level: 255 * (level < 128)).getbbox()
        for one in (shown, picture(filled_in(pad, VALUES)))
    )
    assert theirs and ours and all(abs(one - other) <= DENSE / 4 for one, other in zip(theirs, ours, strict=True))
    assert_looks_alike(shown, pad, tick=0.9)


def test_a_box_to_tick_says_how_it_is_drawn(pad: bytes) -> None:
    """The font of the tick is in the form, so that no program has to bring one."""
    with pikepdf.open(io.BytesIO(pad)) as pdf:
        box = dict(every_field(pdf.Root.AcroForm.Fields))["seats.1.ready"]
        font = pdf.Root.AcroForm.DR.Font.ZaDb

        assert (str(box.DA), str(box.MK.CA)) == ("/ZaDb 17.0079 Tf 0.114 0.102 0.149 rg", "4")
        assert font.Subtype == "/Type3" and [str(glyph) for glyph in font.CharProcs] == ["/tick"]


def test_a_form_without_boxes_to_tick_has_no_symbols(tmp_path: Path) -> None:
    from test_forms import PAD

    game = tiny_pad(tmp_path, "".join(line for line in PAD.splitlines(keepends=True) if 'kind="check"' not in line))
    with pikepdf.open(io.BytesIO(form_pdf(game, front_of(game, "pad")))) as pdf:
        assert "/ZaDb" not in pdf.Root.AcroForm.DR.Font
