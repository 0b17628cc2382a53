"""Choose the contents of a plan of an example or a position, and turn it into a Face for print.

A plan is a Picture and the surrounding part of the map. Web pages draw it as SVG in HTML, books as faces. There, a
square measures ten millimetres; callers scale it down. The game's template `plan.svg.j2`, or the shared one, draws the
plan. Paths are computed here because a template that loops over every square takes ten times as long.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from grimalkin.content import Game
from grimalkin.content.maps import Map
from grimalkin.content.player_aids import Label
from grimalkin.content.squares import column_name, square_at, square_name
from grimalkin.content.stocks import Stock
from grimalkin.engine.pictures import (
    BLOCKED,
    CARDS,
    CLOUD,
    DEAD,
    HERE,
    HINDERED,
    MOVED,
    ON_A_MAP,
    RANGE,
    REACH,
    SEEN,
    WISHES,
    Figure,
    Layer,
    Line,
    Picture,
    PictureOf,
    Token,
    Wishes,
    find_picture,
    split,
)
from grimalkin.engine.replay import Trace
from grimalkin.printing.face.callouts import Place
from grimalkin.printing.face.compose import Composer
from grimalkin.printing.face.layers import Face
from grimalkin.printing.face.svg.map_paths import (
    EDGES,
    UNIT,
    Box,
    Square,
    cells,
    edge_paths,
    every_door,
    hatching,
    inside,
    outline,
    range_places,
    runs,
    square_of,
)
from grimalkin.printing.face.templating import gouges
from grimalkin.problems import Stop

MARGIN: Final = 2
"""The margin in squares around the subject of a plan."""
LEAST: Final = (6, 4)
"""Columns and rows of the smallest plan."""
MOST_SEEN: Final = (12, 10)
"""The most columns and rows to which a plan grows to show distant squares in sight."""
SIGHT: Final = (SEEN, HINDERED)
UNSEEN: Final = "unseen"
"""Squares neither seen nor hindered, when visibility is shown: no engine reports this."""


class Detail(NamedTuple):
    """The contents of one plan."""

    map: Map
    picture: Picture
    box: Box
    """The part of the map."""


def picture_of(game: Game) -> PictureOf | None:
    """Return the function for pictures of positions; None if the game has no maps or its engine lacks the function."""
    return find_picture(game.module) if game.module and game.maps else None


def details_of_example(game: Game, trace: Trace, wishes: Wishes | None) -> tuple[Detail | None, Detail | None]:
    """Return an example before its first step, and after its last if it looks different then."""
    picture = picture_of(game)
    read, misfits = WISHES.read(wishes or {})
    if picture is None or misfits or read.get("hide"):
        return None, None
    first, last = split(read)
    before = picture(game.facts, trace.before, first) if trace.before else None
    after = picture(game.facts, trace.after, last) if trace.after else None
    if before and after and before.map == after.map:
        if _places(before) == _places(after) and not last:
            return detail(game, before), None
        return detail(game, before), detail(game, _moved(before, after), box_around(game, before, after))
    return (detail(game, before) if before else None), (detail(game, after) if after else None)


def detail_of_position(game: Game, position: Mapping[str, Any] | None, wishes: Wishes | None = None) -> Detail | None:
    """Return a position, or if there is none, the map that the wishes name; None if there is no map to show."""
    picture = picture_of(game)
    read, misfits = (ON_A_MAP if position is None else WISHES).read(wishes or {})
    assert not misfits, misfits
    found = picture(game.facts, position, split(read)[0]) if picture else None
    return detail(game, found) if found else None


def detail_between(game: Game, before: Mapping[str, Any], after: Mapping[str, Any]) -> Detail | None:
    """Return a position with lines from the figures' previous squares; None if there is no map to show."""
    picture = picture_of(game)
    pictures = [picture(game.facts, position, {}) for position in (before, after) if position] if picture else []
    if len(pictures) < 2 or pictures[0] is None or pictures[1] is None or pictures[0].map != pictures[1].map:
        return detail(game, pictures[-1]) if pictures and pictures[-1] else None
    return detail(game, _moved(pictures[0], pictures[1]))


def detail(game: Game, picture: Picture, box: Box | None = None) -> Detail:
    return Detail(game.maps[picture.map], picture, box or box_around(game, picture))


def box_around(game: Game, *pictures: Picture) -> Box:
    """Return the smallest part of the map that contains the subjects of these pictures."""
    drawn = game.maps[pictures[0].map]
    if any(picture.whole for picture in pictures):
        return Box(0, 0, drawn.columns, drawn.rows)
    squares = [square for picture in pictures for square in _squares_of(picture)]
    columns, rows = [square[0] for square in squares], [square[1] for square in squares]
    left, right = _span(min(columns), max(columns) + 1, LEAST[0], drawn.columns)
    top, bottom = _span(min(rows), max(rows) + 1, LEAST[1], drawn.rows)
    seen = [
        square_of(name) for picture in pictures for one in picture.layers if one.kind in SIGHT for name in one.squares
    ]
    if seen and not any(picture.around for picture in pictures):
        left, right = _grown(left, right, [x for x, _ in seen], MOST_SEEN[0])
        top, bottom = _grown(top, bottom, [y for _, y in seen], MOST_SEEN[1])
    return Box(left, top, right, bottom)


# Descriptions in words


def figures_in(shown: Detail) -> tuple[tuple[str, str], ...]:
    """Return the symbol and the name of each figure."""
    figures = shown.picture.figures
    return tuple((figure.sign, figure.called) for figure in figures if inside(figure.square, shown.box))


def patterns_in(picture: Picture) -> Iterator[str]:
    """Yield the fills of squares that need an explanation."""
    kinds = [layer.kind for layer in picture.layers]
    if SEEN in kinds or HINDERED in kinds:
        yield from (*SIGHT, UNSEEN)
    yield from (kind for kind in (RANGE, DEAD, REACH) if kind in kinds)


def told_of(shown: Detail, words: Mapping[str, str]) -> str:
    """Describe a plan in words, with the sentences `plan-alt` and `plan-on`."""
    drawn, picture, box = shown
    first, last = square_name(box.left, box.top), square_name(box.right - 1, box.bottom - 1)
    sentences = [words["plan-alt"].format(name=drawn.name, a=first, b=last)]
    stands = []
    for figure in picture.figures:
        if inside(figure.square, box):
            more = ", ".join(meaning for _, meaning in figure.badges)
            told = words["plan-on"].format(who=figure.called, square=figure.square)
            stands.append(f"{told} ({more})" if more else told)
    if stands:
        sentences.append(f"{', '.join(stands)}.")
    return " ".join([*sentences, *picture.told])


# The subject of a plan


def _squares_of(picture: Picture) -> list[Square]:
    """Return the squares that are a picture's subject; if it is empty, those with tokens, or the first square."""
    if picture.around:
        return [square_of(name) for name in picture.around]
    names: list[str] = []
    names += [square for line in picture.lines for square in (line.start, line.end)]
    names += [square for layer in picture.layers if layer.kind not in SIGHT for square in layer.squares]
    names += [token.square for token in picture.tokens if token.kind in (CARDS, CLOUD, HERE)]
    squares = [square_of(name) for name in names]
    for figure in picture.figures:
        x, y = square_of(figure.square)
        squares += [(x, y), (x + figure.size - 1, y + figure.size - 1)]
    return squares or [square_of(token.square) for token in picture.tokens] or [(0, 0)]


def _span(first: int, last: int, least: int, most: int) -> tuple[int, int]:
    """Return a range with a margin, but within the map, and at least `least` long if the map is that large."""
    first, last = max(0, first - MARGIN), min(most, last + MARGIN)
    while last - first < min(least, most):
        first, last = max(0, first - 1), min(most, last + 1)
    return first, last


def _grown(first: int, last: int, seen: Sequence[int], most: int) -> tuple[int, int]:
    """Extend a range towards the squares in sight, up to a maximum length.

    >>> _grown(4, 10, [2, 5, 30], 12)
    (2, 14)
    """
    least, end = min(seen), max(seen) + 1
    while last - first < most and (least < first or last < end):
        first -= least < first
        last += last < end and last - first < most
    return first, last


def _places(picture: Picture) -> tuple[object, ...]:
    """Return the positions of the figures, and the open doors."""
    return picture.open_doors, [(one.name, one.square, one.kind, one.size) for one in picture.figures]


def _moved(before: Picture, after: Picture) -> Picture:
    """Return a picture with a line for every figure that has moved."""
    was = {figure.name: figure.square for figure in before.figures}
    lines = [
        Line(was[figure.name], figure.square, MOVED)
        for figure in after.figures
        if was.get(figure.name, figure.square) != figure.square
    ]
    return after._replace(lines=(*lines, *after.lines))


# Faces


TEMPLATE: Final = "plan"
BESIDE: Final = 5.6
"""Millimetres on the left and above, for row numbers and column letters."""
AROUND: Final = 1.5
"""Millimetres on the other sides."""
LETTER: Final = 3.7
"""The size of letters in millimetres: at least 6 pt in a book, where a square measures 6 mm or less."""
ROOM: Final = 17
"""The most columns for which a book has room at that scale; letters on a wider plan are larger."""
WIDE: Final = 12
"""The number of columns from which letters and lines become bolder, because a wide plan is scaled down further."""
MOST_BADGES: Final = 3
ARROW: Final = (3.2, 1.7)
"""The length of an arrowhead, and half its width."""

Point = tuple[float, float]
Drawn = dict[str, Any]
"""Plain values for a template."""

_SOLID: Final = (
    (0.8, 3.4, 3.4, 0.8),
    (0.8, 6.2, 6.2, 0.8),
    (0.8, 9, 9, 0.8),
    (3.6, 9.2, 9.2, 3.6),
    (6.4, 9.2, 9.2, 6.4),
)
_WAVES: Final = (
    (0.6, 2.7, 5, 2.7, 0.22),
    (4.8, 2.7, 9.2, 2.7, 0.22),
    (2, 6.8, 6, 6.8, 0.22),
    (5.8, 6.8, 9.6, 6.8, 0.2),
)
_SPARSE: Final = ((0.3, 4.7, 4.7, 0.3), (0.3, 9.7, 9.7, 0.3), (5.3, 9.7, 9.7, 5.3))

_SHARED: Final = ((-1, -1), (1, 1), (1, -1), (-1, 1))
"""The corners of a square, for figures that share it."""


def plan_face(composer: Composer, drawn: Map, picture: Picture, box: Box, alt: str) -> Face:
    """Return a plan of a part of a map. A fault in its template stops the command."""
    plan = _plan(composer, drawn, picture, box)
    width, height = (round(side + plan["beside"] + AROUND, 2) for side in (plan["width"], plan["height"]))
    stock = Stock(name="Plan", shape="rectangle", width=width, height=height, bleed=0, safe=0)
    template = composer.own_or_shared(TEMPLATE)
    face = composer.compose(template, f"{drawn.id}-plan", drawn.name, alt, stock, {}, plan=plan)
    if face is None:
        raise Stop(composer.problems)
    return face


def place_on(shown: Detail, label: Label) -> Place | None:
    """Return the place of a label's square on a plan's face; None if the plan does not show it."""
    at = square_at(label.square or "")
    box = shown.box
    if at is None or not (box.left <= at[0] < box.right and box.top <= at[1] < box.bottom):
        return None
    beside = round(BESIDE * _bold(box), 2)
    left, top = beside + (at[0] - box.left) * UNIT, beside + (at[1] - box.top) * UNIT
    return Place(left, top, left + UNIT, top + UNIT, label.side)


def _bold(box: Box) -> float:
    """Return how much bolder letters and lines are on a plan with this many columns."""
    return round(max(1.0, (box.right - box.left) / WIDE), 2)


# The template's `plan`; all lengths are measured from the top left corner of the map


def _plan(composer: Composer, drawn: Map, picture: Picture, box: Box) -> Drawn:
    bold = _bold(box)
    stood = {square for figure in picture.figures for square in _covered(figure)}
    return {
        "left": box.left * UNIT,
        "top": box.top * UNIT,
        "width": (box.right - box.left) * UNIT,
        "height": (box.bottom - box.top) * UNIT,
        "beside": round(BESIDE * bold, 2),
        "bold": bold,
        "letter": round(LETTER * max(1.0, (box.right - box.left) / ROOM), 2),
        "columns": [(x * UNIT + 5, column_name(x)) for x in range(box.left, box.right)],
        "rows": [(y * UNIT + 5, str(y + 1)) for y in range(box.top, box.bottom)],
        **_ground(drawn, box),
        "edges": dict.fromkeys(EDGES, "") | edge_paths(drawn, box),
        "doors": list(_doors(drawn, picture.open_doors, box)),
        "marks": list(_marks(composer, drawn, box, stood)),
        **_layers(picture.layers, drawn, box, stood),
        "tokens": [_token(token, stood) for token in picture.tokens if inside(token.square, box)],
        "lines": [_line(line, picture.figures) for line in picture.lines],
        "figures": list(_figures([one for one in picture.figures if inside(one.square, box)])),
    }


def _ground(drawn: Map, box: Box) -> Drawn:
    """Return floors, the objects on them, and the lines between squares."""
    by_sign: dict[str, list[Square]] = {}
    for x, y in cells(box):
        by_sign.setdefault(drawn.squares[y][x], []).append((x, y))
    here = [square for sign, squares in by_sign.items() if sign != " " for square in squares]
    blocks, water = by_sign.get("#", []), by_sign.get("~", [])
    big = {(x - x % 2, y - y % 2) for x, y in here}
    looks = drawn.looks()
    floors: dict[str, list[Square]] = {}
    for x, y in [*by_sign.get(".", []), *by_sign.get(":", [])]:
        floors.setdefault(looks[y][x][0], []).append((x, y))
    kinds: dict[str, Drawn] = {}
    things = []
    for sign in "#:":
        for x, y in by_sign.get(sign, []):
            kind = {"word": looks[y][x][1 if sign == "#" else 2], "joined": _joined(drawn, x, y) if sign == "#" else ""}
            id_ = f"thing-{kind['word']}-{kind['joined'] or 'on'}"
            kinds[id_] = kind
            things.append((id_, x * UNIT, y * UNIT))
    return {
        "floor": runs(here),
        "floors": {word: runs(squares) for word, squares in floors.items()},
        "kinds": kinds,
        "things": things,
        "water": runs(water),
        "waves": list(_gouged(water, _WAVES, 0.5)),
        "blocks": runs(blocks),
        "gouges": list(_gouged(blocks, _SOLID, 0.45)),
        "hatch": list(_gouged(by_sign.get(":", []), _SPARSE, 0.4)),
        "grid": _lattice(here, 1),
        "big": _lattice(big, 2),
    }


def _joined(drawn: Map, x: int, y: int) -> str:
    """Return the sides on which a blocking square continues, as 0 and 1: left, above, right, below."""
    sides = (
        (x - 1, y, drawn.upright[y][x]),
        (x, y - 1, drawn.flat[y][x]),
        (x + 1, y, drawn.upright[y][x + 1]),
        (x, y + 1, drawn.flat[y + 1][x]),
    )
    there = ((0 <= column < drawn.columns and 0 <= row < drawn.rows, column, row, edge) for column, row, edge in sides)
    return "".join(
        str(int(here and edge == " " and drawn.squares[row][column] == "#")) for here, column, row, edge in there
    )


def _lattice(squares: Iterable[Square], side: int) -> str:
    """Return the left and top edges of squares that are `side` small squares wide; aligned edges are joined."""
    there = sorted(squares)
    across, down = dict.fromkeys((y, x) for x, y in there), dict.fromkeys(there)
    return "".join([*_edges(across, side, "M{1} {0}h{2}"), *_edges(down, side, "M{0} {1}v{2}")])


def _edges(starts: Mapping[Square, None], side: int, path: str) -> Iterator[str]:
    """Yield lines along each first number, starting at the second."""
    lines: list[list[int]] = []
    for line, start in sorted(starts):
        if lines and lines[-1][0] == line and lines[-1][2] == start:
            lines[-1][2] = start + side
        else:
            lines.append([line, start, start + side])
    yield from (path.format(line * UNIT, start * UNIT, (end - start) * UNIT) for line, start, end in lines)


def _gouged(squares: Sequence[Square], of_one: Sequence[Sequence[float]], width: float) -> Iterator[str]:
    """Yield gouges in squares, as paths of limited length."""
    each = gouges.MOST_CUTS // len(of_one)
    for first in range(0, len(squares), each):
        some = [
            (x * UNIT + x1, y * UNIT + y1, x * UNIT + x2, y * UNIT + y2, *bend)
            for x, y in squares[first : first + each]
            for x1, y1, x2, y2, *bend in of_one
        ]
        yield gouges.gouges(some, width)


def _at(squares: Iterable[Square], points: Iterable[Point], path: str) -> str:
    """Return the same path from given points in each square."""
    points = tuple(points)
    return "".join(f"M{x * UNIT + across:g} {y * UNIT + down:g}{path}" for x, y in squares for across, down in points)


def _doors(drawn: Map, open_doors: Iterable[str], box: Box) -> Iterator[Drawn]:
    for name, x, y, upright in every_door(drawn):
        if box.left <= x < box.right + upright and box.top <= y < box.bottom + (not upright):
            yield {"name": name, "open": name in open_doors, "x": x * UNIT, "y": y * UNIT, "turn": 90 * upright}


def _marks(composer: Composer, drawn: Map, box: Box, stood: Collection[Square]) -> Iterator[Drawn]:
    """Yield the letters printed on the map, with the details of each from game.yaml."""
    known = composer.game.info.maps.marks if composer.game.info.maps else {}
    for square, letter in drawn.marks.items():
        if inside(square, box):
            x, y = square_of(square)
            under = (x, y) in stood
            said = {"start": bool(known[letter].start), "track": bool(known[letter].track)} if letter in known else {}
            at = {"x": x * UNIT + (1.7 if under else 2.7), "y": y * UNIT + (1.7 if under else 2.7)}
            yield {"letter": letter, **at, "under": under, "start": False, "track": False, **said}


def _layers(layers: Sequence[Layer], drawn: Map, box: Box, stood: Collection[Square]) -> Drawn:
    """Return the layers of squares: paths, and numbers with their places."""
    squares: dict[str, list[Square]] = {kind: [] for kind in (SEEN, HINDERED, RANGE, DEAD, REACH)}
    for layer in layers:
        squares[layer.kind] += map(square_of, layer.squares)
    seen = {*squares[SEEN], *squares[HINDERED]}
    fog = [(x, y) for x, y in cells(box) if seen and (x, y) not in seen and drawn.squares[y][x] not in " #"]
    ranges = [layer for layer in layers if layer.kind == RANGE]
    odd = [one for one in dict.fromkeys(squares[RANGE]) if squares[RANGE].count(one) % 2]
    reach = [layer for layer in layers if layer.kind == REACH]
    taken = {*squares[DEAD], *stood}
    black = {(x, y) for x, y in cells(box) if drawn.squares[y][x] == "#"}
    dot, ring = "h0.01", "a2 2 0 1 0 4 0a2 2 0 1 0 -4 0z"
    return {
        "fog": hatching(fog),
        "seen": _at([one for one in squares[SEEN] if one not in black], [(5, 5)], dot),
        "seen_on_black": _at([one for one in squares[SEEN] if one in black], [(5, 5)], dot),
        "hindered": _at([one for one in squares[HINDERED] if one not in black], [(3, 5)], ring),
        "hindered_on_black": _at([one for one in squares[HINDERED] if one in black], [(3, 5)], ring),
        "band": runs(odd),
        "shading": _at(odd, [(0, 1.25), (0, 3.75), (0, 6.25), (0, 8.75)], "h10"),
        "ranges": [outline(map(square_of, layer.squares), UNIT) for layer in ranges],
        "far": [_far(x, y, number, (x, y) in taken) for (x, y), number in range_places(ranges).items()],
        "dead": _at(squares[DEAD], [(2.8, 2.8)], "l4.4 4.4m0 -4.4l-4.4 4.4"),
        "reach": runs(squares[REACH]),
        "reached": outline(squares[REACH], UNIT),
        "costs": [
            {"x": x * UNIT + 6.7, "y": y * UNIT + 6.7, "number": number}
            for layer in reach
            for (x, y), number in zip(map(square_of, layer.squares), layer.numbers, strict=True)
        ],
    }  # fmt: skip


def _far(x: int, y: int, number: int, aside: bool) -> Drawn:
    """Return the number of a Range, in a corner if the middle is occupied."""
    across, down = (7.8, 2.2) if aside else (5, 5)
    return {"x": x * UNIT + across, "y": y * UNIT + down, "number": number, "aside": aside}


def _token(token: Token, stood: Collection[Square]) -> Drawn:
    x, y = square_of(token.square)
    under = (x, y) in stood
    return {"kind": token.kind, "sign": token.sign, "x": x * UNIT, "y": y * UNIT, "under": under}


def _line(line: Line, figures: Sequence[Figure]) -> Drawn:
    """Return a line from centre to centre; if a figure has moved, the line ends in an arrow just short of it."""
    size = max((one.size for one in figures if line.how == MOVED and one.square == line.end), default=1)
    x, y = _middle(line.start, size)
    to_x, to_y = map(float, _middle(line.end, size))
    at = None
    if line.at is not None and line.how in (HINDERED, BLOCKED):
        at = {"x": round(line.at[0] * UNIT, 2), "y": round(line.at[1] * UNIT, 2)}
    head = ""
    far = math.hypot(to_x - x, to_y - y)
    if line.how == MOVED and far:
        across, down = (to_x - x) / far, (to_y - y) / far
        tip = max(far - 4.6 * size, far / 2)
        long, half = ARROW
        points = [
            (tip, 0.0),
            (tip - long, half),
            (tip - long * 0.7, 0.0),
            (tip - long, -half),
        ]
        turned = [(x + ahead * across - side * down, y + ahead * down + side * across) for ahead, side in points]
        head = "M" + "L".join(f"{one:.2f} {other:.2f}" for one, other in turned) + "Z"
        to_x, to_y = turned[2]
    return {"how": line.how, "d": f"M{x:g} {y:g}L{to_x:.5g} {to_y:.5g}", "at": at, "head": head}


def _figures(figures: Sequence[Figure]) -> Iterator[Drawn]:
    """Draw figures, largest first; shrink those that share a square, so that all are visible."""
    places = Counter(figure.square for figure in figures if figure.size == 1)
    so_far: Counter[str] = Counter()
    for figure in sorted(figures, key=lambda one: -one.size):
        x, y = _middle(figure.square, figure.size)
        across, down, scale = 0.0, 0.0, float(figure.size)
        count = places[figure.square]
        if figure.size == 1 and count > 1:
            spread, scale = (2.0, 0.62) if count == 2 else (2.4, 0.54)
            side, half = _SHARED[so_far[figure.square] % len(_SHARED)]
            across, down = side * spread, half * spread
            so_far[figure.square] += 1
        yield {
            "name": figure.name,
            "kind": figure.kind,
            "sign": figure.sign,
            "size": scale,
            "of": figure.of,
            "x": x + across,
            "y": y + down,
            "badges": [sign for sign, _ in figure.badges[:MOST_BADGES]],
        }


def _covered(figure: Figure) -> list[Square]:
    """Return the squares that a figure occupies."""
    x, y = square_of(figure.square)
    return cells(Box(x, y, x + figure.size, y + figure.size))


def _middle(name: str, size: int = 1) -> Square:
    x, y = square_of(name)
    return x * UNIT + 5 * size, y * UNIT + 5 * size
