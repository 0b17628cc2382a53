r"""Read maps drawn as plain text into frozen Maps, check them, and print them back character by character.

Header lines come first, each a key and its value: `map`, the name; `track`, the round track; `legend`, a letter and
its meaning on this map; `floor` and `room`, how the ground looks (see `Map.looks`); `name` and `decor`, words and
decoration on it (see `Span`). Below them is the lattice:

           a   b   c   d
         +---.---+---.---+
       1 |G .   .   .|  .|
         .   .   .DDD.~~~.
       2 |  .   :   D  .   >
         +---.---+---.---+

A square is three characters: two for a mark (a letter, perhaps with a digit), one for the terrain. Between squares are
the edges: one character if vertical, three if horizontal. Counted from the upper left, every two by two squares make a
big square; its corners are `+`, and all other corners `.`, so that a shifted line stands out. A square is named by
column and row, as in `c3`; `c3e` and `c3s` are its eastern and southern edges.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from grimalkin.content.models import Mark
from grimalkin.content.squares import Span, Square, column_name, misread, read_span, span_faults, square_at, square_name
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import how_many, listed

TERRAIN: Final = {".": "floor", "#": "blocking", ":": "hindering", "~": "water", " ": "off the map"}
UPRIGHT: Final = {" ": "open", "|": "wall", "D": "closed door", "d": "open door", ":": "hindering", "~": "water"}
UPRIGHT_EXITS: Final = "<>"
FLAT_EXITS: Final = "^v"
BIG: Final = 2
"""Small squares along one side of a big square."""
MOST: Final = 40
"""The most squares along one side of a map."""
LEFT: Final = 5
"""Characters to the left of the lattice: the row number and a blank."""
KEYS: Final = ("map", "track", "legend", "floor", "room", "name", "decor")
_TRACK = re.compile(r"([0-9]{1,2}) spaces?((?:, [A-Z][0-9]? on [0-9]{1,2}(?: and [0-9]{1,2}){0,9}){0,9})")
_TRACK_EXAMPLE = "8 spaces, S1 on 3 and 6, S2 on 5"
_MARK = re.compile(r"[A-Z][0-9]?")
_WITHIN_ROOMS: Final = " :~"
"""Edges that do not separate rooms."""
_LOOK = re.compile(r"[a-z][a-z-]{0,30}(?:, [a-z][a-z-]{0,30}){2}")
_LOOK_EXAMPLE = "boards, bar, stools"
_NO_LOOK: Final = ("floor", "block", "hindrance")

Look = tuple[str, str, str]
"""How an area is drawn: its floor, what blocks movement, and what hinders it."""
Fault = tuple[int, str, str]
"""A line number, what is wrong in that line, and what would be right."""


@dataclass(frozen=True)
class Map:
    """A map as drawn, in rows of characters. Edges have one more row or column than squares."""

    id: str
    name: str
    squares: tuple[str, ...]
    """The terrain: a string of characters for each row."""
    marks: Mapping[str, str] = field(default_factory=dict)
    """The letter of each square that has one."""
    upright: tuple[str, ...] = ()
    """The edges to the left of each square, and the last one on the right, row by row."""
    flat: tuple[str, ...] = ()
    """The edges above each row of squares, and those below the last row."""
    spaces: int = 0
    """The spaces of the round track; 0 without one."""
    track: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The spaces of the track that each letter is on."""
    legend: Mapping[str, str] = field(default_factory=dict)
    """The meanings that letters have on this map only."""
    floor: Look = _NO_LOOK
    """How the ground looks outside the rooms in `rooms`. Only the drawing of the map uses these words."""
    rooms: Mapping[str, Look] = field(default_factory=dict)
    """How each room looks, by the name of one of its squares."""
    names: tuple[Span, ...] = ()
    """Names lettered on the ground. Like looks and decoration, they do not matter in play."""
    decor: tuple[Span, ...] = ()
    """Drawings on the ground, such as rugs."""

    @property
    def columns(self) -> int:
        return len(self.squares[0])

    @property
    def rows(self) -> int:
        return len(self.squares)

    def looks(self) -> list[list[Look]]:
        """Return how each square looks, row by row. A room ends at walls, doors and exits."""
        looks = [[self.floor] * self.columns for _ in self.squares]
        for name, look in self.rooms.items():
            for column, row in room_of(self, name):
                looks[row][column] = look
        return looks

    def facts(self) -> dict[str, Any]:
        """Return the map as JSON data, without its look, which does not matter in play."""
        return {
            "name": self.name,
            "squares": list(self.squares),
            "marks": dict(self.marks),
            "upright": list(self.upright),
            "flat": list(self.flat),
            "spaces": self.spaces,
            "track": {letter: list(spaces) for letter, spaces in self.track.items()},
            "legend": dict(self.legend),
        }

    def shown(self) -> dict[str, Any]:
        """Return the map as templates see it, with its size and its look."""
        names, decor = ([span.facts() for span in spans] for spans in (self.names, self.decor))
        size = {"columns": self.columns, "rows": self.rows}
        return {**self.facts(), **size, "looks": self.looks(), "names": names, "decor": decor}


def room_of(drawn: Map, name: str) -> set[Square]:
    """Return the squares of the room around a square, as columns and rows from 0; empty if there is no such square."""
    ground, start = _Ground(drawn), square_at(name)
    return _reached([start], ground.within_room) if start and ground.is_there(*start) else set()


# Printing


def print_map(drawn: Map) -> str:
    """Print a map as text that `read_map` reads as the same map."""
    lines = [f"map: {drawn.name}"]
    if drawn.spaces:
        lines.append(f"track: {_track_text(drawn)}")
    lines += [f"legend: {letter} {words}" for letter, words in drawn.legend.items()]
    lines += [f"floor: {', '.join(drawn.floor)}"] * (drawn.floor != _NO_LOOK)
    lines += [f"room: {name} {', '.join(look)}" for name, look in drawn.rooms.items()]
    lines += [f"name: {span.text}" for span in drawn.names] + [f"decor: {span.text}" for span in drawn.decor]
    lines.append(_letters(drawn.columns))
    for row in range(drawn.rows + 1):
        lines.append(" " * LEFT + _corners(drawn.flat[row], row))
        if row < drawn.rows:
            squares = "".join(
                f"{drawn.upright[row][column]}{drawn.marks.get(square_name(column, row), ''):2}{sign}"
                for column, sign in enumerate(drawn.squares[row])
            )
            lines.append(f"{row + 1:4} {squares}{drawn.upright[row][-1]}".rstrip())
    return "\n".join(lines) + "\n"


def _track_text(drawn: Map) -> str:
    letters = (f", {letter} on {' and '.join(map(str, spaces))}" for letter, spaces in drawn.track.items())
    return how_many(drawn.spaces, "space") + "".join(letters)


def _letters(columns: int) -> str:
    return (" " * (LEFT + 1) + "".join(f" {column_name(column):3}" for column in range(columns))).rstrip()


def _corners(edges: str, row: int) -> str:
    """Print a line of horizontal edges with their corners."""
    corners = "".join(f"{_corner(column, row)}{edge * 3}" for column, edge in enumerate(edges))
    return corners.replace("|||", "---") + _corner(len(edges), row)


def _corner(column: int, row: int) -> str:
    return "." if column % BIG or row % BIG else "+"


# Reading


def read_map(text: str, id_: str, known: Mapping[str, Mark], mend: bool = False) -> tuple[Map | None, list[Fault]]:
    """Read a map; return it, or None, and its faults. `known` holds the game's letters and their meanings.

    With `mend`, ignore faults that printing corrects: blanks, column letters and row numbers.
    """
    lines = text.split("\n")
    if mend:
        lines = [line.rstrip().expandtabs(4) for line in text.splitlines()]
    reader = _Reader(lines, mend)
    drawn = reader.read(id_)
    if drawn is None or reader.faults:
        return None, sorted(reader.faults)
    ground = _Ground(drawn)
    faults = [*_faults(drawn, known, reader.top), *_room_faults(drawn, reader.rooms_at)]
    for key, spans in (("name", drawn.names), ("decor", drawn.decor)):
        faults += span_faults(key, spans, reader.spans_at[key], ground.is_there)
    if not faults and not mend and print_map(drawn) != text:
        faults.append(_first_difference(print_map(drawn), text))
    return (None if faults else drawn), sorted(faults)


def _first_difference(printed: str, text: str) -> Fault:
    pairs = zip([*printed.split("\n"), ""], [*text.split("\n"), ""], strict=False)
    line = next(number for number, (right, written) in enumerate(pairs, 1) if right != written)
    return line, "this line is not formatted as in other maps", "`grimalkin fmt` rewrites it"


class _Reader:
    """Reads the lines of a file into a Map, and collects the faults it finds."""

    def __init__(self, lines: list[str], mend: bool) -> None:
        self.lines = lines
        self.mend = mend
        self.faults: list[Fault] = []
        self.top = 0
        """The number of lines in the header."""

    def tell(self, line: int, message: str, hint: str = "", column: int = -1) -> None:
        where = f"column {column + 1}: " if column >= 0 else ""
        self.faults.append((line, where + message, hint))

    def read(self, id_: str) -> Map | None:
        if not any(line.strip() for line in self.lines):
            self.tell(1, "the map is empty", "begin with `map: The Cellar`")
            return None
        header = self.header()
        body = self.lines[self.top :]
        while body and not body[-1].strip():
            body.pop()
        if len(body) < 3:
            self.tell(
                self.top + 1, "there is no lattice", "it begins with a line of column letters: `       a   b   c`"
            )
            return None
        columns = (len(body[1].rstrip()) - LEFT) // 4
        rows_drawn = len(body) // 2 - 1
        if not 1 <= columns <= MOST or rows_drawn > MOST:
            told = f"the map has {columns} × {rows_drawn} squares"
            hint = f"a map has 1 to {MOST} along each side; each column takes 4 characters"
            self.tell(self.top + 1, told, hint)
            return None
        if not self.mend and body[0] != _letters(columns):
            hint = f'write "{_letters(columns)}"'
            self.tell(
                self.top + 1, f"these are not the letters of {columns} columns, or they are in the wrong place", hint
            )
        if len(body) % 2:
            self.tell(self.top + len(body), "the lattice ends with a row of squares", "add a line of edges below")
            return None
        numbered = list(enumerate(body, self.top + 1))
        flat = [self.flat(row, *line, columns) for row, line in enumerate(numbered[1::2])]
        rows = [self.row(row, *line, columns) for row, line in enumerate(numbered[2::2])]
        marks = {square_name(column, row): mark for row, each in enumerate(rows) for column, mark in each[2].items()}
        spaces, track = self.track(header)
        return Map(
            id_,
            header.get("map", (0, id_))[1],
            tuple(row[0] for row in rows),
            marks,
            tuple(row[1] for row in rows),
            tuple(flat),
            spaces,
            track,
            self.legend,
            self.floor,
            self.rooms,
            *(tuple(self.spans[key]) for key in ("name", "decor")),
        )

    def header(self) -> dict[str, tuple[int, str]]:
        """Return the keys before the first line that begins with a blank, each with its line number and value."""
        found: dict[str, tuple[int, str]] = {}
        self.legend: dict[str, str] = {}
        self.floor: Look = _NO_LOOK
        self.rooms: dict[str, Look] = {}
        self.rooms_at: dict[str, int] = {}
        self.spans: dict[str, list[Span]] = {"name": [], "decor": []}
        self.spans_at: dict[str, list[int]] = {"name": [], "decor": []}
        for number, line in enumerate(self.lines, 1):
            if line.startswith(" "):
                break
            self.top = number
            key, colon, words = line.partition(": ")
            if key not in KEYS or not colon or not words.strip():
                hint = did_you_mean(key, KEYS, "the lattice begins with a line of column letters")
                self.tell(number, f'"{line[:60]}" is not a header line', hint)
            elif key == "legend":
                letter, _, meaning = words.partition(" ")
                if not _MARK.fullmatch(letter) or not meaning:
                    self.tell(
                        number, f'"{words[:60]}" does not explain a letter', "write it as `legend: T a table of cards`"
                    )
                elif letter in self.legend:
                    self.tell(number, f"the letter {letter} is explained twice")
                self.legend[letter] = meaning
            elif key == "room":
                name, _, look = words.partition(" ")
                if name in self.rooms:
                    self.tell(number, f"the room around {name} is described twice")
                self.rooms_at[name] = number
                self.rooms[name] = self.look(number, look, f"room: b2 {_LOOK_EXAMPLE}")
            elif key in self.spans:
                if span := read_span(words):
                    self.spans[key].append(span)
                    self.spans_at[key].append(number)
                else:
                    self.tell(number, *misread(key, words))
            elif key in found:
                self.tell(number, f'the key "{key}" is written twice')
            else:
                found[key] = number, words
        if "map" not in found:
            self.tell(1, "the map has no name", "begin with `map: The Cellar`")
        if "floor" in found:
            self.floor = self.look(*found["floor"], f"floor: {_LOOK_EXAMPLE}")
        return found

    def look(self, number: int, words: str, example: str) -> Look:
        """Read a look: the floor, what blocks movement, and what hinders it."""
        if not _LOOK.fullmatch(words):
            hint = f"name a floor, what blocks and what hinders: `{example}`"
            self.tell(number, f'"{words[:60]}" does not describe how a place looks', hint)
            return _NO_LOOK
        floor, block, hindrance = words.split(", ")
        return floor, block, hindrance

    def track(self, header: Mapping[str, tuple[int, str]]) -> tuple[int, dict[str, tuple[int, ...]]]:
        """Return the number of spaces on the round track, and the spaces that each letter is on."""
        if "track" not in header:
            return 0, {}
        number, words = header["track"]
        match = _TRACK.fullmatch(words)
        if match is None:
            self.tell(
                number, f'"{words[:60]}" does not describe a round track', f"write it as `track: {_TRACK_EXAMPLE}`"
            )
            return 0, {}
        spaces = int(match[1])
        letters: dict[str, tuple[int, ...]] = {}
        for part in match[2].split(", ")[1:]:
            letter, _, where = part.partition(" on ")
            letters[letter] = tuple(int(one) for one in where.split(" and "))
            for space in letters[letter]:
                if not 1 <= space <= spaces:
                    self.tell(number, f"{letter} is on space {space}", f"the track has {spaces} spaces")
        return spaces, letters

    def flat(self, row: int, number: int, line: str, columns: int) -> str:
        """Return the characters of a line of horizontal edges."""
        line = self.wide(number, line, columns)
        edges = []
        for column in range(columns + 1):
            at = LEFT + 4 * column
            right = _corner(column, row)
            if line[at] != right:
                where = "where big squares meet" if right == "+" else "where no big squares meet"
                hint = "has the line shifted, or is a line missing above?"
                self.tell(number, f'"{line[at]}" is written {where}; it should be "{right}"', hint, at)
            edge = line[at + 1 : at + 4]
            if column == columns:
                continue
            sign = edge[0].replace("-", "|")
            if len(set(edge)) > 1 or sign not in f"{''.join(UPRIGHT)}{FLAT_EXITS}" or edge[0] == "|":
                hint = "write the same sign three times: ---, DDD, ddd, :::, ~~~, ^^^, vvv or blanks"
                self.tell(number, f'"{edge}" is not an edge', hint, at + 1)
                sign = " "
            edges.append(sign)
        return "".join(edges)

    def row(self, row: int, number: int, line: str, columns: int) -> tuple[str, str, dict[int, str]]:
        """Return the terrain, the vertical edges and the marks in a row of squares."""
        line = self.wide(number, line, columns)
        if not self.mend and line[:LEFT] != f"{row + 1:4} ":
            self.tell(number, f'"{line[:LEFT].strip()}" is not the number of row {row + 1}', "rows are numbered from 1")
        squares, edges, marks = [], [], {}
        for column in range(columns + 1):
            at = LEFT + 4 * column
            edge = line[at]
            if edge not in f"{''.join(UPRIGHT)}{UPRIGHT_EXITS}":
                hint = "write | (wall), D or d (door), : (hindering), ~ (water), < or > (exit) or a blank"
                self.tell(number, f'"{edge}" is not an edge', hint, at)
                edge = " "
            edges.append(edge)
            if column == columns:
                continue
            mark, sign = line[at + 1 : at + 3], line[at + 3]
            if sign not in TERRAIN:
                hint = "write . (floor), # (blocking), : (hindering), ~ (water), or a blank off the map"
                self.tell(number, f'"{sign}" is not a terrain', hint, at + 3)
                sign = "."
            if mark.strip() and not _MARK.fullmatch(mark.rstrip()):
                hint = "write a capital letter, perhaps with a digit, as in G or S1"
                self.tell(number, f'"{mark}" is not a mark', hint, at + 1)
            elif mark.strip():
                marks[column] = mark.rstrip()
            squares.append(sign)
        return "".join(squares), "".join(edges), marks

    def wide(self, number: int, line: str, columns: int) -> str:
        """Return a line of the lattice, cut or padded to the common width."""
        width = LEFT + 4 * columns + 1
        if len(line) > width:
            hint = f"{columns} columns need {width}; has the line shifted?"
            self.tell(number, f"the line has {len(line)} characters", hint)
        return line[:width].ljust(width)


# Checks


def _faults(drawn: Map, known: Mapping[str, Mark], top: int) -> Iterator[Fault]:
    """Yield the faults of a map that could be read. `top` is the number of the line above its lattice."""
    ground = _Ground(drawn, top)
    if drawn.columns % BIG or drawn.rows % BIG:
        yield top + 1, f"{drawn.columns} × {drawn.rows} squares leave big squares incomplete", "make both numbers even"
    for column, row in ground.every():
        name, line = square_name(column, row), ground.line(row)
        if ground.sign(column, row) == " " and column % BIG == row % BIG == 0:
            beside = [(column + x, row + y) for x in range(BIG) for y in range(BIG)]
            if any(ground.is_there(*square) for square in beside):
                yield line, f"the big square {name} is partly off the map", "fill it with blocking squares (#)"
        mark = drawn.marks.get(name)
        if mark and mark not in known and mark not in drawn.legend:
            otherwise = "explain it under `marks` in game.yaml or in a line `legend:`"
            hint = did_you_mean(mark, [*known, *drawn.legend], otherwise)
            yield line, f"the letter {mark} in {name} is not explained", hint
        if mark and not ground.is_free(column, row):
            yield line, f"{name} has the mark {mark}, but nobody can stand there", "move the mark to a floor square"
    yield from _edge_faults(drawn, ground)
    yield from _mark_faults(drawn, ground, known)


def _room_faults(drawn: Map, lines: Mapping[str, int]) -> Iterator[Fault]:
    """Yield faults of rooms that do not exist or are described twice; `lines` holds the line of each description."""
    told: dict[Square, str] = {}
    for name, line in lines.items():
        start = square_at(name)
        if start in told:  # without searching it again: a file may name every square
            yield line, f"the rooms around {told[start]} and {name} are the same room", "no wall or door separates them"
            continue
        room = room_of(drawn, name)
        if not room:
            yield (
                line,
                f'a room is described around "{name[:20]}", a square that the map does not have',
                "name one of its squares: b2",
            )
        told.update(dict.fromkeys(room, name))


def _edge_faults(drawn: Map, ground: _Ground) -> Iterator[Fault]:
    for row in range(drawn.rows):
        for column in range(drawn.columns + 1):
            sign = drawn.upright[row][column]
            name = f"{square_name(max(column - 1, 0), row)}{'e' if column else 'w'}"
            beside = (column - 1, row), (column, row)
            yield from ((ground.line(row), *fault) for fault in _edge_fault(sign, beside, ground, name, "><"))
    for row in range(drawn.rows + 1):
        for column in range(drawn.columns):
            sign = drawn.flat[row][column]
            name = f"{square_name(column, max(row - 1, 0))}{'s' if row else 'n'}"
            beside = (column, row - 1), (column, row)
            yield from ((ground.line(row) - 1, *fault) for fault in _edge_fault(sign, beside, ground, name, "v^"))


def _edge_fault(
    sign: str, beside: tuple[Square, Square], ground: _Ground, name: str, exits: str
) -> Iterator[tuple[str, str]]:
    """Yield the faults of an edge between two squares."""
    sides = [ground.is_there(*square) for square in beside]
    free = [ground.is_free(*square) for square in beside]
    if sign in "<>^v":
        if all(sides) or not any(sides):
            yield f"the exit {name} does not lead off the map", "exits must be on the outline"
        elif (sign == exits[0]) != sides[0]:
            yield f"the exit {name} points into the map", f"write {exits[0] if sides[0] else exits[1]}"
        elif not any(free):
            yield f"nobody can reach the exit {name}", "its square must not be blocking"
    elif sides[0] != sides[1]:
        if sign != "|":
            yield f"the outline of the map is open at {name}", "close it with a wall or an exit"
    elif not any(sides) and sign != " ":
        yield f"the edge {name} is off the map", "leave it blank"
    elif sign not in " |" and not all(free):
        yield (
            f"{UPRIGHT[sign]} at {name} has nothing to separate",
            "a figure must be able to enter both squares beside it",
        )


def _mark_faults(drawn: Map, ground: _Ground, known: Mapping[str, Mark]) -> Iterator[Fault]:
    by_mark: dict[str, list[Square]] = {}
    for column, row in ground.every():
        mark = drawn.marks.get(square_name(column, row))
        if mark:
            by_mark.setdefault(mark, []).append((column, row))
    starts = [square for mark, squares in by_mark.items() if mark in known and known[mark].start for square in squares]
    wanted = [mark for mark, meaning in known.items() if meaning.start]
    if wanted and not starts:
        yield ground.top, f"the map has no square marked {listed(wanted, 'or')}", "heroes start there"
        return
    for mark, squares in by_mark.items():
        meaning = known.get(mark)
        if meaning is None:
            continue
        if meaning.most is not None and len(squares) > meaning.most:
            yield ground.top, f"{len(squares)} squares are marked {mark}", f"at most {meaning.most}"
        if meaning.start:
            room = set(squares).union(*(ground.next_to(*square) for square in squares))
            if len(room) < meaning.holds:
                names = listed([square_name(*square) for square in squares])
                hint = f"{meaning.holds} figures must have room there, on the square and orthogonally next to it"
                yield ground.line(squares[0][1]), f"the start {names} has room for {len(room)}", hint
        if meaning.track and drawn.spaces and mark not in drawn.track:
            yield ground.line(squares[0][1]), f"{mark} is not on the round track", "name it in the line `track:`"
    for letter in drawn.track:
        if letter not in by_mark:
            message = f"the round track has {letter}, but no square is marked with it"
            yield 1, message, "mark one, or take it off the track"
    reached = _reached(starts, ground.next_to) if starts else set()
    told: set[Square] = set()
    for square in ground.every() if starts else ():
        if ground.is_free(*square) and square not in reached | told:
            pocket = _reached([square], ground.next_to)
            told |= pocket
            inside = [square_name(*one) for one in sorted(pocket)]
            marked = [drawn.marks[name] for name in inside if name in drawn.marks]
            holds = f", with {listed(marked)} in it" if marked else ""
            count = f"{how_many(len(pocket), 'square')} around {square_name(*square)}"
            yield ground.line(square[1]), f"no path leads from the start to {count}{holds}", "open a gap or a door"


class _Ground:
    """The squares of a map on which figures can stand and walk; doors count as open."""

    def __init__(self, drawn: Map, top: int = 0) -> None:
        self.drawn = drawn
        self.top = top
        """The number of the line above the lattice."""

    def line(self, row: int) -> int:
        """Return the number of the line with a row of squares."""
        return self.top + 2 * row + 3

    def every(self) -> Iterator[Square]:
        return ((column, row) for row in range(self.drawn.rows) for column in range(self.drawn.columns))

    def sign(self, column: int, row: int) -> str:
        inside = 0 <= column < self.drawn.columns and 0 <= row < self.drawn.rows
        return self.drawn.squares[row][column] if inside else " "

    def is_there(self, column: int, row: int) -> bool:
        return self.sign(column, row) != " "

    def is_free(self, column: int, row: int) -> bool:
        """Return whether a figure can enter the square."""
        return self.sign(column, row) in ".:~"

    def around(self, column: int, row: int) -> tuple[tuple[int, int, str], ...]:
        """Return the orthogonal neighbours, each with the edge between."""
        drawn = self.drawn
        return (
            (column - 1, row, drawn.upright[row][column]),
            (column + 1, row, drawn.upright[row][column + 1]),
            (column, row - 1, drawn.flat[row][column]),
            (column, row + 1, drawn.flat[row + 1][column]),
        )

    def next_to(self, column: int, row: int) -> Iterator[Square]:
        """Return the orthogonal neighbours that one step leads to."""
        return ((x, y) for x, y, edge in self.around(column, row) if edge != "|" and self.is_free(x, y))

    def within_room(self, column: int, row: int) -> Iterator[Square]:
        """Return the orthogonal neighbours in the same room."""
        return ((x, y) for x, y, edge in self.around(column, row) if edge in _WITHIN_ROOMS and self.is_there(x, y))


def _reached(starts: Iterable[Square], steps: Callable[[int, int], Iterable[Square]]) -> set[Square]:
    """Return every square that any number of steps leads to.

    On foot, straight steps are enough: a diagonal step is possible only if two straight steps are.
    """
    found = set(starts)
    going = list(found)
    while going:
        new = set(steps(*going.pop())) - found
        found |= new
        going += new
    return found
