"""Turn maps into files for virtual tables: walls and doors as lines, in the Universal VTT format.

For the format, see https://arkenforge.com/universal-vtt-files/ : a JSON document with lengths in squares. Walls block
sight, doors are portals that can be opened, and the picture is the map as drawn, or a plain picture if the map is too
large.
"""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageDraw

from grimalkin.content.maps import Map, column_name
from grimalkin.output.disk import write_new
from grimalkin.printing.draw.pdf import faces_pdf
from grimalkin.printing.draw.raster import INCH, Shot, develop
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.views import SQUARE as MILLIMETRES
from grimalkin.printing.face.views import is_drawn_whole, whole_map

FORMAT: Final = 0.3
SQUARE: Final = 70
"""The side of a small square, in pixels."""
COLOURS: Final = {".": "#f7f1e3", "#": "#3a3548", ":": "#ead9a4", "~": "#b9d3e0", " ": "#ffffff"}
INK: Final = "#1d1a26"
SOFT: Final = "#c9bda3"

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


def export_uvtt(maps: Mapping[str, Map], faces: Mapping[str, Face], folder: Path) -> int:
    """Write a file for each map, with its face as the picture if it has one. Return the number of maps."""
    for id_, drawn in maps.items():
        shown = photograph(drawn, faces[id_]) if id_ in faces else picture(drawn)
        write_new(folder / f"{id_}.uvtt", uvtt(drawn, shown))
    return len(maps)


def photograph(drawn: Map, face: Face) -> bytes:
    """Draw the face of a map as PNG, with its squares on whole pixels."""
    shot = Shot(0, (drawn.columns * SQUARE, drawn.rows * SQUARE), round(SQUARE * INCH / MILLIMETRES))
    return develop(faces_pdf([face], bleed=False), [shot])[0]


def uvtt(drawn: Map, shown: bytes) -> str:
    """Return the JSON document of a map and its picture."""
    document = {
        "format": FORMAT,
        "resolution": {
            "map_origin": _point((0, 0)),
            "map_size": _point((drawn.columns, drawn.rows)),
            "pixels_per_grid": SQUARE,
        },
        "line_of_sight": [[_point(end) for end in line] for line in joined([*walls(drawn), *blocks(drawn)])],
        "objects_line_of_sight": [],
        "portals": [_portal(*door) for door in doors(drawn)],
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


def picture(drawn: Map) -> bytes:
    """Draw a plain map from above as PNG: terrain, grid, walls, doors and exits."""
    image = Image.new("RGB", (drawn.columns * SQUARE + 1, drawn.rows * SQUARE + 1), COLOURS[" "])
    pen = ImageDraw.Draw(image)
    for row, signs in enumerate(drawn.squares):
        for column, sign in enumerate(signs):
            box = (column * SQUARE, row * SQUARE, (column + 1) * SQUARE, (row + 1) * SQUARE)
            pen.rectangle(box, COLOURS[sign], SOFT if sign != " " else None)
    for column in range(2, drawn.columns, 2):
        pen.line((column * SQUARE, 0, column * SQUARE, drawn.rows * SQUARE), SOFT, 3)
    for row in range(2, drawn.rows, 2):
        pen.line((0, row * SQUARE, drawn.columns * SQUARE, row * SQUARE), SOFT, 3)
    for sign, ((x1, y1), (x2, y2)) in edges(drawn):
        width, colour = (9, INK) if sign == "|" else (5, "#9c3d2a") if sign in "Dd" else (5, "#b3832b")
        if sign == "~":
            colour = "#2c5470"
        if sign in "<>^v":
            width, colour = 9, "#2f5d50"
        pen.line((x1 * SQUARE, y1 * SQUARE, x2 * SQUARE, y2 * SQUARE), colour, width)
    written = io.BytesIO()
    image.save(written, "PNG", optimize=False)
    return written.getvalue()
