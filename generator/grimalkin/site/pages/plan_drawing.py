"""Draw positions on maps as SVG, and the shapes that all plans of a page share.

The ground and the walls of a map are drawn once on each page, and its plans show a part of them. Colours and strokes
come from `plan.css`, so that a plan suits a light page, a dark page and paper; whatever differs in colour also differs
in shape. A square has ten units.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from typing import Final

from grimalkin.content import Game
from grimalkin.content.maps import Map
from grimalkin.content.models import value_of
from grimalkin.content.squares import column_name
from grimalkin.engine.pictures import (
    BLOCKED,
    CARDS,
    CLOUD,
    DEAD,
    HINDERED,
    RANGE,
    REACH,
    SEEN,
    TOKEN,
    Figure,
    Layer,
    Line,
    Picture,
    Token,
)
from grimalkin.printing.face.svg.map_paths import (
    UNIT,
    Box,
    Square,
    cells,
    direction,
    edge_paths,
    every_door,
    first_open,
    inside,
    outline,
    range_places,
    runs,
    square_of,
)

SMALL: Final = 12
"""The fewest columns for which a plan has larger letters, since it is shown smaller."""
BESIDE: Final = (5, 7)
"""Room for letters and numbers beside a plan, and beside one shown smaller."""
PIXELS: Final = 3.4
"""Pixels per unit, if there is room."""
HEAD: Final = "h-"
"""Begins the id of a token, before the id of the component that it stands for."""
HIDE = "\u2060"
"""Wraps the letters of a plan so that they do not count as words in the text."""

# One plan


def plan_svg(drawn: Map, picture: Picture, box: Box, alt: str) -> str:
    """Draw a part of a map."""
    parts = [f'<use href="#ground-{drawn.id}"/>']
    parts += _layers(picture.layers, drawn, box)
    parts.append(f'<use href="#walls-{drawn.id}"/>')
    parts += _doors_of(drawn, picture.open_doors, box)
    parts += _labels(picture.layers)
    parts += [_token(token) for token in picture.tokens if inside(token.square, box)]
    parts += _lines(picture.lines)
    parts += [_figure(figure) for figure in picture.figures if inside(figure.square, box)]
    return _framed("".join(parts), box, alt)


def _framed(parts: str, box: Box, alt: str, more: str = "") -> str:
    """Crop a drawing to a part of the map, with letters and numbers beside it."""
    wide, high = box.right - box.left, box.bottom - box.top
    margin = BESIDE[wide > SMALL]
    x, y = box.left * UNIT - margin, box.top * UNIT - margin
    width, height = wide * UNIT + margin + 2, high * UNIT + margin + 2
    frame = f"M{x} {y}h{width}v{height}h-{width}zM{x + margin} {y + margin}v{high * UNIT}h{wide * UNIT}v-{high * UNIT}z"
    size = f'width="{round(width * PIXELS)}" height="{round(height * PIXELS)}"'
    return (
        f'<svg class="plan" viewBox="{x} {y} {width} {height}" {size} role="img" aria-label="{escape(alt)}"{more}>'
        f'{parts}<path class="rim" d="{frame}"/>{_names(box, margin)}</svg>'
    )


def _names(box: Box, margin: int) -> str:
    """Draw the column letters and row numbers beside a part of the map, and a cover over those to its left."""
    x, y = box.left * UNIT, box.top * UNIT
    name = ' class="big"' if margin > BESIDE[0] else ""
    return (
        f'<use href="#p-columns"{name} y="{rounded(y - margin / 2)}"/>'
        f'<use href="#p-rows"{name} x="{rounded(x - margin / 2)}"/>'
        f'<path class="rim" d="M{x} {y}h-{margin}v-{margin}h{margin}z"/>'
    )


def _layers(layers: Sequence[Layer], drawn: Map, box: Box) -> Iterator[str]:
    """Draw the squares of each layer."""
    by_kind = {kind: [one for one in layers if one.kind == kind] for kind in (SEEN, HINDERED, RANGE, DEAD, REACH)}
    seen = [square_of(name) for layer in by_kind[SEEN] + by_kind[HINDERED] for name in layer.squares]
    if seen:
        dark = [one for one in cells(box) if one not in set(seen) and drawn.squares[one[1]][one[0]] != " "]
        yield _filled("fog", dark)
    for layer in by_kind[SEEN]:
        yield _filled("seen", map(square_of, layer.squares))
    for layer in by_kind[HINDERED]:
        yield _filled("hindered", map(square_of, layer.squares))
    if by_kind[RANGE]:
        name = "filled" if len(by_kind[RANGE]) == 1 else "band"
        outlines = (outline(set(map(square_of, layer.squares))) for layer in by_kind[RANGE])
        paths = "".join(f'<path d="{path}"/>' for path in outlines)
        yield f'<g class="range {name}" transform="scale({UNIT})">{paths}</g>'
    for layer in by_kind[DEAD]:
        yield _filled("dead", map(square_of, layer.squares))
    for layer in by_kind[REACH]:
        yield f'<path class="reach" d="{runs(map(square_of, layer.squares))}"/>'


def _labels(layers: Sequence[Layer]) -> Iterator[str]:
    """Draw the numbers in squares."""
    for layer in layers:
        if layer.kind == REACH and layer.squares:
            yield _numbers(list(map(square_of, layer.squares)), layer.numbers)
    ranges = [layer for layer in layers if layer.kind == RANGE]
    if ranges:
        yield _range_numbers(
            ranges, [square_of(name) for layer in layers if layer.kind == DEAD for name in layer.squares]
        )


def _filled(pattern: str, squares: Iterable[Square]) -> str:
    """Fill squares with a pattern, as thick lines: the path is half as long."""
    return f'<path class="fill" stroke="url(#p-{pattern})" d="{_strokes(squares)}"/>'


def _numbers(squares: Sequence[Square], numbers: Sequence[int], name: str = "count", more: str = "") -> str:
    """Draw a number in each square; single digits share one text element."""
    short = [(x, y, number) for (x, y), number in zip(squares, numbers, strict=True) if number < 10]
    long = [(x, y, number) for (x, y), number in zip(squares, numbers, strict=True) if number > 9]
    across = " ".join(str(x * UNIT + 5) for x, _, _ in short)
    down = " ".join(rounded(y * UNIT + 6.8) for _, y, _ in short)
    first = f'<tspan x="{across}" y="{down}">{"".join(str(number) for _, _, number in short)}</tspan>' if short else ""
    rest = "".join(f'<tspan x="{x * UNIT + 5}" y="{rounded(y * UNIT + 6.8)}">{number}</tspan>' for x, y, number in long)
    return f'<text class="{name}">{_quiet(first + rest + more)}</text>'


def _range_numbers(ranges: Sequence[Layer], dead: Sequence[Square]) -> str:
    """Draw the number of each Range, in the corner of a square that is also too close."""
    places = range_places(ranges)
    middle = {place: number for place, number in places.items() if place not in dead}
    corner = "".join(
        f'<tspan x="{x * UNIT + 8}" y="{rounded(y * UNIT + 4.4)}">{number}</tspan>'
        for (x, y), number in places.items()
        if (x, y) in dead
    )
    return _numbers(list(middle), list(middle.values()), "count how-far", corner)


def _doors_of(drawn: Map, open_doors: Iterable[str], box: Box | None = None) -> Iterable[str]:
    """Draw the doors of a map, with a single reference if they are as on the map."""
    if set(open_doors) == first_open(drawn):
        return [f'<use href="#doors-{drawn.id}"/>']
    return _doors(drawn, open_doors, box)


def _doors(drawn: Map, open_doors: Iterable[str], box: Box | None = None) -> Iterator[str]:
    """Draw doors, closed in the wall or open away from it."""
    for name, x, y, upright in every_door(drawn):
        if box is None or (box.left <= x <= box.right and box.top <= y <= box.bottom):
            turn = f"translate({x * UNIT} {y * UNIT})" + (" rotate(90)" if upright else "")
            yield f'<use href="#p-{"ajar" if name in open_doors else "shut"}" transform="{turn}"/>'


def _token(token: Token) -> str:
    x, y = square_of(token.square)
    if token.kind == TOKEN:
        return _use("p-token", x, y) + _letter(token.sign, x * UNIT + 3, y * UNIT + 4.3, "plate")
    if token.kind == CARDS:
        return _use("p-cards", x, y)
    return _use("p-cloud" if token.kind == CLOUD else "p-here", x, y)


def _figure(figure: Figure) -> str:
    x, y = square_of(figure.square)
    half = 5 * figure.size
    scale = "" if figure.size == 1 else f" scale({figure.size})"
    place = f"translate({x * UNIT + half} {y * UNIT + half}){scale}"
    return f'<g class="{figure.kind}" transform="{place}">{_sign_of(figure)}</g>'


def _sign_of(figure: Figure) -> str:
    """Draw a figure, regardless of its position: as its token with its sign in a corner, otherwise as its sign."""
    sign = _quiet(escape(figure.sign))
    if figure.of:
        parts = f'<use href="#{HEAD}{figure.of}"/><text class="sign tag" x="-4.6" y="4.6">{sign}</text>'
    else:
        cls = "sign" if len(figure.sign) < 3 else "sign long"
        parts = f'<use href="#p-{figure.kind}"/><text class="{cls}" y="1.9">{sign}</text>'
    for number, (sign, _) in enumerate(figure.badges[:3]):
        badge = f'<circle class="badge" r="1.9"/>{_letter(sign, 0, 1.1, "badge")}'
        parts += f'<g transform="translate({rounded(3.4 - 3.4 * number)} 3.9)">{badge}</g>'
    return parts


def _letter(sign: str, x: float, y: float, name: str) -> str:
    return f'<text class="{name}" x="{rounded(x)}" y="{rounded(y)}">{_quiet(escape(sign))}</text>'


def _use(sign: str, x: int, y: int) -> str:
    return f'<use href="#{sign}" x="{x * UNIT}" y="{y * UNIT}"/>'


def _lines(lines: Sequence[Line]) -> Iterator[str]:
    for line in lines:
        (x, y), (to_x, to_y) = square_of(line.start), square_of(line.end)
        d = f"M{x * UNIT + 5} {y * UNIT + 5}L{to_x * UNIT + 5} {to_y * UNIT + 5}"
        yield f'<path class="halo" d="{d}"/><path class="line {line.how}" d="{d}"/>'
        if line.at is not None and line.how in (HINDERED, BLOCKED):
            yield f'<use href="#p-{line.how}-at" x="{rounded(line.at[0] * UNIT)}" y="{rounded(line.at[1] * UNIT)}"/>'


# A game step by step


class Course:
    """The shapes shared by plans that follow a game: each figure, and each board beneath the figures, is drawn once."""

    def __init__(self) -> None:
        self.parts: dict[str, str] = {}
        """Shapes drawn so far, each with the id that plans refer to."""

    def plan(
        self,
        drawn: Map,
        picture: Picture,
        box: Box,
        alt: str,
        at: Square,
        moved: Iterable[tuple[Figure, Sequence[str]]] = (),
    ) -> str:
        """Draw a plan of a position, with the paths of figures that have moved.

        Everything on the map is one group, from which a script draws the whole map; `at` is the square to centre on if
        not all of it fits.
        """
        tokens = "".join(map(_token, picture.tokens))
        doors = "".join(_doors_of(drawn, picture.open_doors))
        board = self.part("b", f'<use href="#ground-{drawn.id}"/><use href="#walls-{drawn.id}"/>{doors}{tokens}')
        found = [f'<use href="#{board}"/>', *_paths(moved), *map(self.figure, picture.figures)]
        middle = f' data-at="{at[0] * UNIT + 5} {at[1] * UNIT + 5}"'
        return _framed(f"<g>{''.join(found)}</g>", box, alt, middle)

    def figure(self, figure: Figure) -> str:
        scale = "" if figure.size == 1 else f' transform="scale({figure.size})"'
        sign = self.part("f", f'<g class="{figure.kind}"{scale}>{_sign_of(figure)}</g>')
        x, y = _centre(figure)
        return f'<use href="#{sign}" x="{x}" y="{y}"/>'

    def part(self, kind: str, svg: str) -> str:
        return self.parts.setdefault(svg, f"{kind}{len(self.parts)}")

    def shared(self) -> str:
        """Return the shapes that the plans so far refer to."""
        parts = "".join(f'<g id="{name}">{svg}</g>' for svg, name in self.parts.items())
        return f'<svg class="plan-parts" aria-hidden="true" width="0" height="0"><defs>{parts}</defs></svg>'


def empty_map(columns: int, rows: int) -> str:
    """Draw an empty map for a script to fill in, with row numbers that stay in view when it scrolls."""
    margin = BESIDE[1]
    width, height = columns * UNIT, rows * UNIT
    whole = f"0 {-margin} {width + 2} {height + margin + 2}"
    side = f"{-margin} {-margin} {margin} {height + margin + 2}"
    names = f'<use href="#p-columns" class="big" y="{rounded(-margin / 2)}"/>'
    numbers = f'<use href="#p-rows" class="big" x="{rounded(-margin / 2)}"/>'
    frame = f"M0 {-margin}h{width + 2}v{height + margin + 2}h-{width + 2}zM0 0v{height}h{width}v-{height}z"
    return (
        f'<div class="whole" style="--wide:{width + 2 + margin};--high:{height + margin + 2}">'
        f'<svg class="plan side" viewBox="{side}" style="flex-grow:{margin}" aria-hidden="true">{numbers}</svg>'
        f'<svg class="plan" viewBox="{whole}" style="flex-grow:{width + 2}" role="img" aria-label="">'
        f'<g></g><path class="rim" d="{frame}"/>{names}</svg></div>'
    )


def _paths(moved: Iterable[tuple[Figure, Sequence[str]]]) -> Iterator[str]:
    """Draw paths from square to square, with each straight part as one line."""
    for figure, way in moved:
        corners: list[Square] = []
        for x, y in (_centre(figure._replace(square=square)) for square in way):
            if len(corners) > 1 and not _turns(corners[-2], corners[-1], (x, y)):
                corners.pop()
            corners.append((x, y))
        d = "M" + "L".join(f"{x} {y}" for x, y in corners)
        yield f'<path class="halo" d="{d}"/><path class="line moved" d="{d}"/>'


def _turns(a: Square, b: Square, c: Square) -> bool:
    """Return whether a path changes direction at its middle point."""
    one, other = (b[0] - a[0], b[1] - a[1]), (c[0] - b[0], c[1] - b[1])
    return (direction(one[0]), direction(one[1])) != (direction(other[0]), direction(other[1])) or one[0] * other[
        1
    ] != one[1] * other[0]


def _centre(figure: Figure) -> Square:
    x, y = square_of(figure.square)
    return x * UNIT + 5 * figure.size, y * UNIT + 5 * figure.size


# Shared by plans


def tokens_of(game: Game) -> dict[str, str]:
    """Return the round piece that stands for each component: one that names it in a column."""
    found: dict[str, str] = {}
    for deck in (one for one in game.info.decks if one.kind == "coin"):
        for row in game.components[deck.id]:
            for name in deck.columns:
                found.setdefault(str(value_of(row, name)), row.id)
    return {of: token for of, token in found.items() if of in game.by_id}


def shared(game: Game, html: str, picture: Callable[[str], str]) -> str:
    """Return everything that plans on a page refer to: patterns, symbols, tokens and maps; "" if there are no plans.

    `picture` returns the address of the front of a component.
    """
    used = [name for name in game.maps if f'"#ground-{name}"' in html]
    if not used:
        return ""
    maps = "".join(_map(game.maps[name]) for name in used)
    heads = {of: token for of, token in tokens_of(game).items() if f'"#{HEAD}{of}"' in html}
    maps += "".join(
        f'<image id="{HEAD}{of}" href="{picture(token)}" x="-4.8" y="-4.8" width="9.6" height="9.6"/>'
        for of, token in heads.items()
    )
    maps += _beside(max(game.maps[name].columns for name in used), max(game.maps[name].rows for name in used))
    return f'<svg class="plan-parts" aria-hidden="true" width="0" height="0"><defs>{PARTS}{maps}</defs></svg>'


PARTS: Final = "".join(
    [
        '<pattern id="p-hindering" width="10" height="10" patternUnits="userSpaceOnUse">'
        '<path class="sparse" d="M.5 4.5l4 -4M.5 9.5l9 -9M5.5 9.5l4 -4"/></pattern>',
        '<pattern id="p-blocking" width="10" height="10" patternUnits="userSpaceOnUse">'
        '<path class="solid" d="M0 0h10v10H0z"/><path class="cuts" d="M1 4L4 1M1 7L7 1M2 9L9 2M5 9L9 5"/></pattern>',
        '<pattern id="p-water" width="10" height="10" patternUnits="userSpaceOnUse">'
        '<path class="deep" d="M0 0h10v10H0z"/>'
        '<path class="waves" d="M1 2.8q1 -1.3 2 0t2 0M5 5.4q1 -1.3 2 0t2 0M1 8q1 -1.3 2 0t2 0"/></pattern>',
        '<pattern id="p-fog" width="2.5" height="2.5" patternUnits="userSpaceOnUse">'
        '<path class="fog" d="M0 0h2.5v2.5H0z"/><path class="mist" d="M-.5 .5L.5 -.5M0 2.5L2.5 0M2 3L3 2"/></pattern>',
        '<pattern id="p-seen" width="10" height="10" patternUnits="userSpaceOnUse">'
        '<circle class="dot" cx="5" cy="5" r="1.5"/></pattern>',
        '<pattern id="p-hindered" width="10" height="10" patternUnits="userSpaceOnUse">'
        '<circle class="ring" cx="5" cy="5" r="2"/></pattern>',
        '<pattern id="p-dead" width="10" height="10" patternUnits="userSpaceOnUse">'
        '<path class="cross" d="M2.6 2.6l4.8 4.8M7.4 2.6l-4.8 4.8"/></pattern>',
        '<path id="p-ours" d="M-3.9 -.4L-4.1 -4.7L-1.7 -3.5Q0 -4 1.7 -3.5L4.1 -4.7L3.9 -.4A4 4 0 1 1 -3.9 -.4Z"/>',
        '<path id="p-theirs" d="M-2.1 -4.2H2.1L4.3 0L2.1 4.2H-2.1L-4.3 0Z"/>',
        '<path id="p-hidden" d="M-3.8 -3.8H3.8V3.8H-3.8Z"/>',
        '<path id="p-shut" class="leaf" d="M1.6 -.9H8.4V.9H1.6Z"/>',
        '<g id="p-ajar"><path class="gap" d="M1.6 0H8.4"/><path class="leaf" d="M1 0L3.6 -4.6L4.9 -3.9L2.3 .6Z"/></g>',
        '<path id="p-token" class="plate-of" d="M.7 .7H5.3V5.3H.7Z"/>',
        '<g id="p-cards"><path class="plate-of" d="M5.8 4.6l3 .8l-1 4l-3 -.8z"/></g>',
        '<path id="p-cloud" class="plate-of" '
        'd="M2 8.6C.4 8.6 .4 6.6 2 6.4C2 4.8 4.4 4.6 4.8 6C6.2 5.4 7.4 6.4 6.8 7.4C8 7.6 7.8 8.6 7 8.6Z"/>',
        '<g id="p-here"><circle class="eye" cx="5" cy="5" r="3.4"/><circle class="pupil" cx="5" cy="5" r="1.5"/></g>',
        *(f'<path id="k-{name}" fill="url(#p-{name})" d="M0 0h10v10H0z"/>' for name in (SEEN, HINDERED, DEAD)),
        '<path id="k-unseen" fill="url(#p-fog)" d="M0 0h10v10H0z"/>',
        '<path id="k-range" class="range filled" transform="scale(10)" d="M.1 .1h.8v.8H.1z"/>',
        '<g id="k-reach"><path class="reach" d="M0 0h10v10H0z"/><path class="count" d="M4 4L5.4 3V7.4"/></g>',
        '<circle id="p-hindered-at" class="ring" r="1.9"/>',
        '<path id="p-blocked-at" class="stop" d="M-2 -2L2 2M2 -2L-2 2"/>',
    ]
)
"""Patterns and symbols for all plans."""


def _map(drawn: Map) -> str:
    """Draw the ground of a map and everything between its squares except doors."""
    here = [(x, y) for y, row in enumerate(drawn.squares) for x, sign in enumerate(row) if sign != " "]
    ground = [f'<path class="floor" d="{runs(here)}"/>']
    for sign, name in ((":", "hindering"), ("#", "blocking"), ("~", "water")):
        squares = [(x, y) for x, y in here if drawn.squares[y][x] == sign]
        if squares:
            ground.append(f'<path fill="url(#p-{name})" d="{runs(squares)}"/>')
    width, height = drawn.columns * UNIT, drawn.rows * UNIT
    for name, step in (("grid", 1), ("grid two", 2)):
        across = "".join(f"M0 {y * UNIT}H{width}" for y in range(0, drawn.rows + 1, step))
        down = "".join(f"M{x * UNIT} 0V{height}" for x in range(0, drawn.columns + 1, step))
        ground.append(f'<path class="{name}" d="{across}{down}"/>')
    off = [(x, y) for y, row in enumerate(drawn.squares) for x, sign in enumerate(row) if sign == " "]
    if off:
        ground.append(f'<path class="off" d="{runs(off)}"/>')
    plates = "".join(
        f'<tspan x="{x * UNIT + 3}" y="{rounded(y * UNIT + 4.3)}">{letter}</tspan>'
        for name, letter in drawn.marks.items()
        for x, y in [square_of(name)]
    )
    if plates:
        ground.append(f'<text class="mark">{_quiet(plates)}</text>')
    doors = "".join(_doors(drawn, first_open(drawn)))
    walls = f'<g id="walls-{drawn.id}">{_walls(drawn)}</g><g id="doors-{drawn.id}">{doors}</g>'
    return f'<g id="ground-{drawn.id}">{"".join(ground)}</g>{walls}'


def _beside(columns: int, rows: int) -> str:
    """Draw the column letters and row numbers; single letters share one text element."""
    short = min(columns, 26)
    letters = f'<tspan x="{_every_ten(short)}">{"".join(map(column_name, range(short)))}</tspan>'
    letters += "".join(f'<tspan x="{at * UNIT + 5}">{column_name(at)}</tspan>' for at in range(short, columns))
    numbers = "".join(f'<tspan x="0" y="{at * UNIT + 5}">{at + 1}</tspan>' for at in range(rows))
    return (
        f'<text id="p-columns" class="at">{_quiet(letters)}</text><text id="p-rows" class="at">{_quiet(numbers)}</text>'
    )


def _every_ten(count: int) -> str:
    """List the centres of squares."""
    return " ".join(str(at * UNIT + 5) for at in range(count))


def _walls(drawn: Map) -> str:
    """Draw walls, door frames, hindering edges, water between squares, and exits."""
    names = {"frame": "wall"}
    paths = edge_paths(drawn).items()
    return "".join(f'<path class="{names.get(kind, kind)}" d="{path}"/>' for kind, path in paths)


def _quiet(letters: str) -> str:
    """Mark letters that do not count as words of the page's text."""
    return f"{HIDE}{letters}{HIDE}"


def _strokes(squares: Iterable[Square]) -> str:
    """Return squares as lines through their centres, as thick as a square.

    >>> _strokes([(0, 0), (1, 0), (1, 1)])
    'M0 5h20M10 15h10'
    """
    return re.sub(r"M(\d+) (\d+)(h\d+)v10h-\d+z", lambda run: f"M{run[1]} {int(run[2]) + 5}{run[3]}", runs(squares))


def rounded(number: float) -> str:
    """Format a length with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0")
