"""Plates: drawn once, printed into several documents, each of which is whole."""

from __future__ import annotations

import io

import pikepdf
import pypdfium2

from grimalkin.printing.draw.pdf import Plate, Press, Prints, new_canvas


def printed(press: Press, *pages: Plate) -> bytes:
    """A document with a plate on each page."""
    canvas = new_canvas((100, 100), press.types)
    prints = Prints(press, canvas)
    for plate in pages:
        prints.put(plate)
        canvas.showPage()
    return canvas.pdf()


def written(press: Press, text: str, variant: str = "") -> Plate:
    """A line as a plate."""
    code = ["BT 1 0 0 1 10 50 Tm"]
    press.bench.show(text, "SourceSerifPro", "10", code, "", variant)
    press.drawer.emit([*code, "ET"])
    return press.plate()


def test_a_form_is_in_each_document_once_with_what_it_refers_to() -> None:
    """A red square within a form, which another form draws twice as large, on three pages."""
    press = Press()
    press.bench.put_form("inner", (0, 0, 10, 10), "1 0 0 rg 0 0 10 10 re f", ())
    inner, outer = (press.bench.form_name(name) for name in ("inner", "outer"))
    press.bench.put_form("outer", (0, 0, 20, 20), f"2 0 0 2 0 0 cm /{inner} Do", ["inner"])
    plate = Plate(f"/{outer} Do", ("outer",))

    for pages in (3, 1):
        pdf = printed(press, *[plate] * pages)
        with pikepdf.open(io.BytesIO(pdf)) as read:
            assert 2 == sum(isinstance(one, pikepdf.Stream) and "/BBox" in one for one in read.objects)
        for page in pypdfium2.PdfDocument(pdf):
            drawn = page.render().to_pil().convert("RGB")

            assert [(255, 0, 0), (255, 255, 255)] == [drawn.getpixel((x, 90)) for x in (15, 25)]


def test_a_glyph_stands_for_the_same_in_each_document() -> None:
    """The small capital of w is first met as w, by both; what is written W with it is told in both."""
    press = Press()
    small, large = written(press, "w", "all-small-caps"), written(press, "W", "all-small-caps")
    texts = [
        [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(printed(press, *plates))]
        for plates in ((small, large), (large, small), (large,))
    ]

    assert [["w", "W"], ["W", "w"], ["W"]] == texts
    assert "ActualText" in large.code and "ActualText" not in small.code


def test_what_was_drawn_is_taken_once() -> None:
    press = Press()

    assert written(press, "paw").code != written(press, "claw").code
    assert Plate("") == press.plate()
