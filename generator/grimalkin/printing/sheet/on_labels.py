"""Lay out pieces on a sheet of labels, each in the middle of its label. Lengths are in millimetres."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from grimalkin.content.label_sheets import LabelSheet
from grimalkin.content.stocks import Paper, Stock
from grimalkin.printing.sheet.impose import add_leaf, places_to_fill
from grimalkin.printing.sheet.pieces import Piece, Sheet, Slot
from grimalkin.printing.sheet.settings import Settings
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean

PLACE = Place("--labels")
SLIP = 0.05
"""Millimetres by which a piece may be larger than its label, as makers round their numbers."""
WHOLE = 0.5
"""Millimetres of a label around a piece that need no cut."""


def labels_for(
    known: Mapping[str, LabelSheet], name: str, papers: Mapping[str, Paper], problems: Problems
) -> LabelSheet | None:
    """Return the sheet of labels with this name; None, with a problem, if there is none for the papers."""
    if name not in known:
        if not problems:  # otherwise, its file may be what is at fault
            problems.add(PLACE, f'there are no labels "{name}"', did_you_mean(name, known))
        return None
    labels = known[name]
    if labels.paper not in papers:
        problems.add(PLACE, f'"{name}" is a sheet of {labels.paper}', f"write --paper {labels.paper}")
        return None
    if not labels.is_on(papers[labels.paper]):
        paper = papers[labels.paper]
        told = f'"{name}" has labels beyond the edge of {paper.name}, which is {paper.width:g} × {paper.height:g} mm'
        problems.add(PLACE, told, "correct its numbers, or its `paper`")
        return None
    return labels


def impose_on_labels(
    pieces: Sequence[Piece], labels: LabelSheet, name: str, paper: Paper, settings: Settings
) -> list[Sheet]:
    """Return the sheets for pieces on labels: fronts, and backs if they have a file of their own.

    Stop if a piece is larger than a label, or the settings do not suit labels.
    """
    fixed = {
        "--cutter": settings.cutter is not None,
        "--gutter": settings.gutter is not None,
        "--margin": settings.margin is not None,
    }
    if any(fixed.values()):
        told = "labels have their own places"
        raise Stop(Problem(Place(option), told, "leave it out") for option, given in fixed.items() if given)
    numbers, free = places_to_fill(labels.count, f"a sheet of {name}", settings)
    found = {stock: _turn(stock, labels) for stock in dict.fromkeys(piece.stock for piece in pieces)}
    turns = {stock: turn for stock, turn in found.items() if turn is not None}
    if len(turns) < len(found):
        raise Stop(_too_large(stock, labels, name) for stock in found if stock not in turns)
    places = list(labels.places())
    sheets: list[Sheet] = []
    left = list(pieces)
    while left:
        here, free = free or numbers, []
        placed, left = left[: len(here)], left[len(here) :]
        slots = tuple(
            _slot(piece, turns[piece.stock], places[at - 1], labels, paper)
            for piece, at in zip(placed, here, strict=False)
        )
        add_leaf(sheets, slots, paper, settings)
    return [replace(sheet, labels=name, block=labels.block, is_precut=_is_precut(sheet, labels)) for sheet in sheets]


def _turn(stock: Stock, labels: LabelSheet) -> int | None:
    """Return the turn, 0 or 90, in which a piece fits a label; None if it is too large."""
    w, h = stock.piece
    for turn, (wide, tall) in ((0, (w, h)), (90, (h, w))):
        if labels.shape == "circle":
            across = max(w, h) if stock.shape in ("circle", "hexagon") else math.hypot(w, h)
            fits = across <= labels.width + SLIP
        else:
            fits = wide <= labels.width + SLIP and tall <= labels.height + SLIP
        if fits:
            return turn
    return None


def _too_large(stock: Stock, labels: LabelSheet, name: str) -> Problem:
    size = f"{labels.width:g} mm across" if labels.shape == "circle" else f"{labels.width:g} × {labels.height:g} mm"
    wide, tall = stock.piece
    told = f"the stock {stock.name} is {wide:g} × {tall:g} mm, and a label of {name} is {size}"
    return Problem(PLACE, told, "name larger labels, a smaller --scale, or only what fits with --only")


def _slot(piece: Piece, turn: int, at: tuple[float, float], labels: LabelSheet, paper: Paper) -> Slot:
    """Return the slot in the middle of a label. Its bleed reaches halfway to the neighbours, on the paper."""
    wide, tall = piece.stock.piece[::-1] if turn else piece.stock.piece
    x, y = at[0] + (labels.width - wide) / 2, at[1] + (labels.height - tall) / 2
    right, down = ((step - size) / 2 for step, size in zip(labels.step, (wide, tall), strict=True))
    ends = (x, y, paper.width - x - wide, paper.height - y - tall)
    room = tuple(max(0.0, min(piece.stock.bleed, half, end)) for half, end in zip((right, down) * 2, ends, strict=True))
    return Slot(piece, "front", x, y, turn, room)  # type: ignore[arg-type]


def _is_precut(sheet: Sheet, labels: LabelSheet) -> bool:
    """Return whether every piece fills its label, so that nothing is left to cut."""
    size = (labels.width, labels.height)
    return all(
        (slot.piece.stock.shape == "circle") == (labels.shape == "circle")
        and not slot.piece.stock.lines
        and max(size[0] - slot.width, size[1] - slot.height) <= 2 * WHOLE
        for slot in sheet.slots
    )
