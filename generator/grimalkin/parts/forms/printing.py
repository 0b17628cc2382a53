"""Make a form from every front that has fields: a PDF to fill in on screen, with one page the size of its trim.

A page of that size fills the screen, and prints unscaled on every paper that the sheets fit on. A form is for the
screen, whatever the size of the cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from grimalkin.content import Game
from grimalkin.printing.draw.form import Form
from grimalkin.printing.draw.pdf import MM, Drawer, new_canvas
from grimalkin.printing.draw.tags import Tags
from grimalkin.printing.face import Face, Inks
from grimalkin.printing.face.fields import GAME, SUMS, Field, added_up
from grimalkin.printing.sheet.document import describe


def keeps(front: Face) -> bool:
    return bool(front.fields)


def files(game: Game, fronts: Mapping[str, Face], design: str, inks: Inks) -> dict[str, bytes]:
    return {f"{id_}-form{design}.pdf": form_pdf(game, face, inks=inks) for id_, face in fronts.items()}


def form_pdf(game: Game, face: Face, values: Mapping[str, str] = MappingProxyType({}), inks: Inks = "full") -> bytes:
    """Return the form of a face, with its fields filled from `values` by name. Hidden fields hold its game and the
    parts of its sums."""
    info, stock = game.info, face.stock
    size = (stock.width * MM, stock.height * MM)
    canvas = new_canvas(size, inks=inks)
    describe(canvas, game, f"{face.name}, to fill in on screen", f"{info.title}, {face.name}, form")
    canvas.setTrimBox((0, 0, *size))
    canvas.setBleedBox((0, 0, *size))
    tags = Tags(canvas)
    form = Form(canvas, tags, values)
    matrix = (MM, 0, 0, -MM, 0, size[1])
    Drawer(canvas, tags, form).draw(face, matrix, heading="H1")
    form.place(Field(GAME, "fixed", "the game", value=game.name), matrix)
    names = dict.fromkeys(field.name for field in face.fields)
    # Name by name: an untrusted file must not contain patterns to expand.
    sums = "; ".join(f"{field.name}: {' '.join(added_up(field.sum, names))}" for field in face.fields if field.sum)
    if sums:
        form.place(Field(SUMS, "fixed", "the sums", value=sums), matrix)
    canvas.showPage()
    return canvas.pdf()
