"""Turn maps into files for virtual tables: walls and doors as lines, in the Universal VTT format.

For the format, see https://arkenforge.com/universal-vtt-files/ : a JSON document with lengths in squares. Walls block
sight, doors are portals that can be opened, and the picture is the map as drawn, or a plain picture if the map is too
large. What programs make of it was read in their own sources: decision record 43.
"""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageDraw

from grimalkin.content.maps import Map
from grimalkin.content.squares import column_name
from grimalkin.output.disk import write_new
from grimalkin.printing.draw.pdf import faces_pdf
from grimalkin.printing.draw.raster import INCH, Shot, develop
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.views import SQUARE as MILLIMETRES
from grimalkin.printing.face.views import is_drawn_whole, whole_map

FORMAT: Final = 0.3
SQUARE: Final = 100
"""The side of a small square, in pixels: that of Foundry's own grid, which its importer (6.0.1) leaves as it is."""
COLOURS: Final = {".": "#f7f1e3", "#": "#3a3548", ":": "#ead9a4", "~": "#b9d3e0", " ": "#ffffff"}
INK: Final = "#1d1a26"
SOFT: Final = "#c9bda3"
THIN, MEDIUM, THICK = 4, 7, 13
"""Widths of the lines of a plain picture, in pixels."""

Point = tuple[float, float]
Line = tuple[Point, Point]


def maps_of(composer: Composer, framed: bool) -> dict[str, Face]:
    """Return the maps of a game by their names, each as one face, except maps too large for one face.

    With `framed`, a map has a frame with column letters and row numbers.
    """
    faces = {}
    for id_, drawn in composer.game.maps.items():
        names = [column_name(column) for column in range(drawn.columns)] if framed else []
        face = whole_map(composer, drawn, drawn.name, names) if is_drawn_whole(drawn) else None
        if face:
            faces[id_] = face
    return faces


def export_uvtt(maps: Mapping[str, Map], faces: Mapping[str, Face], folder: Path, as_drawn: bool = False) -> int:
    """Write a file for each map, with its face as the picture if it has one. Return the number of maps.

    Every door is closed, unless doors are written `as_drawn`.
    """
    for id_, drawn in maps.items():
        shown = photograph(drawn, faces[id_]) if id_ in faces else picture(drawn)
        write_new(folder / f"{id_}.uvtt", uvtt(drawn, shown, as_drawn))
    return len(maps)


def open_doors(maps: Mapping[str, Map]) -> int:
    """Return the number of doors that are drawn open."""
    return sum(not closed for drawn in maps.values() for _, closed in doors(drawn))


def photograph(drawn: Map, face: Face) -> bytes:
    """Draw the face of a map as PNG, with its squares on whole pixels."""
    shot = Shot(0, (drawn.columns * SQUARE, drawn.rows * SQUARE), round(SQUARE * INCH / MILLIMETRES))
    return develop(faces_pdf([face], bleed=False), [shot])[0]


def uvtt(drawn: Map, shown: bytes, as_drawn: bool) -> str:
    """Return the JSON document of a map and its picture.

    An open portal is an open door to some programs, but a window to others, which nobody can walk through or open. A
    closed portal is a door to all of them.
    """
    document = {
        "format": FORMAT,
        "resolution": {
            "map_origin": _point((0, 0)),
            "map_size": _point((drawn.columns, drawn.rows)),
            "pixels_per_grid": SQUARE,
        },
        "line_of_sight": [[_point(corner) for corner in line] for line in outlines([*walls(drawn), *blocks(drawn)])],
        "objects_line_of_sight": [],
        "portals": [_portal(line, closed or not as_drawn) for line, closed in doors(drawn)],
        "environment": {"baked_lighting": True, "ambient_light": "ffffffff"},
        "lights": [],
        "image": base64.b64encode(shown).decode("ascii"),
    }
    return json.dumps(document, indent=1) + "\n"


def _point(point: Point) -> dict[str, float]:
    return {"x": point[0], "y": point[1]}


def _portal(line: Line, closed: bool) -> dict[str, Any]:
    (x1, y1), (x2, y2) = line
    return {
        "position": _point(((x1 + x2) / 2, (y1 + y2) / 2)),
        "bounds": [_point(end) for end in line],
        "rotation": 0.0 if y1 == y2 else 1.5707963267948966,
        "closed": closed,
        "freestanding": False,
    }


def edges(drawn: Map) -> Iterator[tuple[str, Line]]:
    """Yield the symbol and the line of every edge that is not open."""
    for row, signs in enumerate(drawn.upright):
        yield from ((sign, ((column, row), (column, row + 1))) for column, sign in enumerate(signs) if sign != " ")
    for row, signs in enumerate(drawn.flat):
        yield from ((sign, ((column, row), (column + 1, row))) for column, sign in enumerate(signs) if sign != " ")


def walls(drawn: Map) -> list[Line]:
    return [line for sign, line in edges(drawn) if sign == "|"]


def doors(drawn: Map) -> list[tuple[Line, bool]]:
    """Return the lines of doors, and whether they are closed."""
    return [(line, sign == "D") for sign, line in edges(drawn) if sign in "Dd"]


def blocks(drawn: Map) -> list[Line]:
    """Return the outlines of blocking squares, where they meet others."""

    def sign(column: int, row: int) -> str:
        inside = 0 <= column < drawn.columns and 0 <= row < drawn.rows
        return drawn.squares[row][column] if inside else " "

    found: list[Line] = []
    for row in range(drawn.rows + 1):
        for column in range(drawn.columns + 1):
            if {sign(column, row), sign(column - 1, row)} & {"#"} and sign(column, row) != sign(column - 1, row):
                found.append(((column, row), (column, row + 1)))
            if {sign(column, row), sign(column, row - 1)} & {"#"} and sign(column, row) != sign(column, row - 1):
                found.append(((column, row), (column + 1, row)))
    return found


def joined(lines: Iterable[Line]) -> list[Line]:
    """Join lines that continue each other, and remove duplicates."""
    found: list[Line] = []
    for flat in (False, True):
        of_kind = sorted(
            {line for line in lines if (line[0][1] == line[1][1]) == flat},
            key=lambda line: (line[0][flat], line[0][not flat]),
        )
        for start, end in of_kind:
            if found and found[-1][1] == start and (found[-1][0][1] == start[1]) == flat:
                found[-1] = found[-1][0], end
            else:
                found.append((start, end))
    return found


def outlines(lines: Iterable[Line]) -> list[list[Point]]:
    """Join lines to outlines through their corners, so that no outline ends where another begins.

    Foundry's importer (6.0.1) would put a wall without length there, and MapTool would leave a notch in the corner. An
    upright and a flat line at most end at a corner, so each outline is a path or a ring.
    """
    left = joined(lines)
    ends: dict[Point, list[Line]] = {}
    for line in left:
        for end in line:
            ends.setdefault(end, []).append(line)
    loose = [(line, end) for line in left for end in line if len(ends[end]) == 1]
    rings = [(line, line[0]) for line in left]
    found = []
    taken: set[Line] = set()
    for line, corner in (*loose, *rings):
        outline = [corner]
        following: Line | None = line
        while following and following not in taken:
            taken.add(following)
            corner = following[1] if following[0] == corner else following[0]
            outline.append(corner)
            following = next((one for one in ends[corner] if one not in taken), None)
        if len(outline) > 1:
            found.append(outline)
    return found


def picture(drawn: Map) -> bytes:
    """Draw a plain map from above as PNG: terrain, grid, walls, doors and exits."""
    image = Image.new("RGB", (drawn.columns * SQUARE, drawn.rows * SQUARE), COLOURS[" "])
    pen = ImageDraw.Draw(image)
    for row, signs in enumerate(drawn.squares):
        for column, sign in enumerate(signs):
            box = (column * SQUARE, row * SQUARE, (column + 1) * SQUARE, (row + 1) * SQUARE)
            pen.rectangle(box, COLOURS[sign], SOFT if sign != " " else None)
    for column in range(2, drawn.columns, 2):
        pen.line((column * SQUARE, 0, column * SQUARE, drawn.rows * SQUARE), SOFT, THIN)
    for row in range(2, drawn.rows, 2):
        pen.line((0, row * SQUARE, drawn.columns * SQUARE, row * SQUARE), SOFT, THIN)
    for sign, ((x1, y1), (x2, y2)) in edges(drawn):
        width, colour = (THICK, INK) if sign == "|" else (MEDIUM, "#9c3d2a") if sign in "Dd" else (MEDIUM, "#b3832b")
        if sign == "~":
            colour = "#2c5470"
        if sign in "<>^v":
            width, colour = THICK, "#2f5d50"
        pen.line((x1 * SQUARE, y1 * SQUARE, x2 * SQUARE, y2 * SQUARE), colour, width)
    written = io.BytesIO()
    image.save(written, "PNG", optimize=False)
    return written.getvalue()
