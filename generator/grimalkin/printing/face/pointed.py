"""Find the places on a face that labels in learn.yaml point at, and report targets that do not exist."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from grimalkin.content.checked import Misfit
from grimalkin.content.learning import FirstPiece, Label
from grimalkin.printing.face.labelled import Place
from grimalkin.printing.face.layers import Face
from grimalkin.printing.face.spots import Spot, spots
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import plural
from grimalkin.source import At

NOT_DRAWN: Final = (
    ("setup", "position"),
    "nothing draws this position",
    "faces/table.svg.j2 draws a table, and the engine a map; without them, remove `position`",
)
"""The problem when a set-up's position cannot be shown."""


def pointed(face: Face, labels: Sequence[Label], at: At) -> tuple[list[Place], list[Misfit]]:
    """Return the places that labels point at, and the faults of labels without a target.

    `at` is the key that holds the labels.
    """
    found = spots(face)
    places: list[Place] = []
    misfits: list[Misfit] = []
    for number, label in enumerate(labels):
        wrong = list(_misfits(label, face, found))
        misfits += [((*at, "labels", number, key), told, hint) for key, told, hint in wrong]
        if not wrong:
            places.append(_place(label, face, found))
    return places, misfits


def pointed_on_map(
    labels: Sequence[Label], at: At, find: Callable[[Label], Place | None]
) -> tuple[list[Place], list[Misfit]]:
    """Do the same on a map, where `find` returns the place of a label's square, if the picture shows it."""
    places: list[Place] = []
    misfits: list[Misfit] = []
    for number, label in enumerate(labels):
        here = (*at, "labels", number)
        place = find(label) if label.square else None
        if place:
            places.append(place)
        elif label.square:
            told = f'the picture shows no square "{label.square}"'
            misfits.append(((*here, "square"), told, "write its column's letter and its row's number, as in c4"))
        else:
            misfits.append(((*here, label.key), "this picture is a map", "name a `square`"))
    return places, misfits


def no_face(one: FirstPiece, at: At) -> Misfit:
    """Return the fault for a piece with no face on the side that labels point at."""
    told = f'"{one.piece}" has no {one.side} that these labels could point at'
    return (*at, "side" if one.side == "back" else "piece"), told, "name a template for it in its deck"


def _misfits(label: Label, face: Face, found: Sequence[Spot]) -> Iterator[tuple[str, str, str]]:
    """Yield the faults of a label: the key, the message and the hint."""
    if label.place:
        x, y = label.place
        if x > face.stock.width or y > face.stock.height:
            told = f"{x:g}, {y:g} is outside the picture"
            yield label.key, told, f"it is {face.stock.width:g} × {face.stock.height:g} mm"
        return
    if label.square:
        yield "square", "this picture is not a map", "write `drawn` or `place`"
        return
    named = [one for one in found if one.name == label.drawn]
    if not named:
        hint = did_you_mean(str(label.drawn), dict.fromkeys(one.name for one in found))
        yield "drawn", f'nothing called "{label.drawn}" is drawn in the picture', hint
    elif label.which is None and len(named) > 1:
        told = f'"{label.drawn}" is drawn {plural(len(named), "time")}'
        yield "drawn", told, f"add `which`, from 1 to {len(named)}"
    elif (label.which or 1) > len(named):
        told = f'"{label.drawn}" is drawn {plural(len(named), "time")}'
        yield "which", told, f"write 1 to {len(named)}"


def _place(label: Label, face: Face, found: Sequence[Spot]) -> Place:
    if label.place:
        x, y = label.place
        return Place(x, y, x, y, label.side)
    spot = [one for one in found if one.name == label.drawn][(label.which or 1) - 1]
    right, bottom = min(spot.right, face.stock.width), min(spot.bottom, face.stock.height)
    return Place(max(spot.left, 0), max(spot.top, 0), right, bottom, label.side)
