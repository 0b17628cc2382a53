"""Maps as plain text: what is read prints as it was, and every fault is told with its line and column."""

from __future__ import annotations

import base64
import io
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from games_for_tests import FILES, write_game
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageColor

from grimalkin.cli import main
from grimalkin.content import load_game
from grimalkin.content.maps import MOST, Map, print_map, read_map, room_of
from grimalkin.content.models import Mark
from grimalkin.content.squares import Span, square_at, square_name
from grimalkin.parts.maps.uvtt import INK, SQUARE, outlines, picture
from grimalkin.problems import Problems
from grimalkin.source import bundled_games, data_folder

KNOWN = {
    "G": Mark(name="start", rule="TI-PLAY-1", start=True, holds=4),
    "L": Mark(name="loot", rule="TI-PLAY-1", most=2),
    "S1": Mark(name="spawn", rule="TI-PLAY-1", track=True),
}
CELLAR = """\
map: The Cellar
track: 8 spaces, S1 on 3 and 6
legend: T a table of cards
       a   b   c   d   e   f
     +---.---+---.---+---.---+
   1 |  . G .   .D  .   .   #|
     .   .   .   .~~~.   .   .
   2 |  .   :   ~   ~ T .   .>
     +   .---+DDD.---+   .   +
   3 |  .   .   .   .d  . L :|
     .   .   .   .   .   .   .
   4 |  .   : S1.   .|  .   .|
     +---.---+---.---+---.---+
"""
LINES = CELLAR.splitlines()


def faults(text: str) -> list[str]:
    """What is told of a map, each with its line."""
    return [f"{line}: {message}; {hint}" for line, message, hint in read_map(text, "cellar", KNOWN)[1]]


def with_line(number: int, line: str) -> str:
    """The cellar with another line, counted from 1."""
    return "\n".join([*LINES[: number - 1], line, *LINES[number:]]) + "\n"


def test_a_map_says_what_is_drawn() -> None:
    """Squares, edges, marks and the round track, as plain values."""
    drawn, told = read_map(CELLAR, "cellar", KNOWN)
    assert drawn is not None

    assert [] == told
    assert ("The Cellar", 6, 4, 8) == (drawn.name, drawn.columns, drawn.rows, drawn.spaces)
    assert ("....." + "#", ".:~~..") == drawn.squares[:2]
    assert {"b1": "G", "e2": "T", "f3": "L", "c4": "S1"} == drawn.marks
    assert {"S1": (3, 6)} == drawn.track
    assert {"T": "a table of cards"} == drawn.legend
    assert ("|  D  |", "|     >", "|   d |") == drawn.upright[:3]
    assert (" |D|  ", "||||||") == (drawn.flat[2], drawn.flat[4])
    assert CELLAR == print_map(drawn)


def test_a_room_ends_at_walls_and_doors() -> None:
    """Closed or open; here columns a to c are one room, and a gap in its inner wall makes no second one of it."""
    parted = (
        CELLAR.replace("~   ~ T", "~D  ~ T")
        .replace(".   .   .d  . L", ".   .d  .d  . L")
        .replace("S1.   .|", "S1.|  .|")
    )
    drawn, told = read_map(parted, "cellar", KNOWN)
    assert drawn is not None, told

    assert {(column, row) for row in range(4) for column in range(3)} == room_of(drawn, "a1") == room_of(drawn, "c4")
    assert (3, 0) in room_of(drawn, "d1")


def test_a_map_that_names_every_square_as_a_room_is_read_at_once() -> None:
    """Its room is walked through once; each further line is told."""
    names = [square_name(column, row) for row in range(4) for column in range(6)]
    head = "".join(f"room: {name} boards, bar, stools\n" for name in names)
    told = faults(CELLAR.replace("       a  ", f"{head}       a  ", 1))

    assert [one for one in told if "the rooms around a1 and b1 are the same room" in one], told


def test_rooms_look_as_the_header_says() -> None:
    """A room ends at walls and doors, open or closed, and goes on over water and what hinders."""
    header = "floor: cobbles, crates, barrels\nroom: a1 boards, bar, stools\n"
    drawn, told = read_map(CELLAR.replace("       a  ", f"{header}       a  ", 1), "cellar", KNOWN)
    assert drawn is not None, told
    looks = drawn.looks()

    assert ("boards", "bar", "stools") == looks[0][0] == looks[1][3]  # through the gap in row 2
    assert {square_name(column, row) for column, row in room_of(drawn, "a1")} == {
        square_name(column, row) for row in range(4) for column in range(6) if looks[row][column][0] == "boards"
    }
    assert "floor" not in drawn.facts()
    assert header in print_map(drawn)


@pytest.mark.parametrize(
    ("name", "at"), [("a1", (0, 0)), ("z40", (25, 39)), ("an3", (39, 2)), ("3c", None), ("", None)]
)
def test_a_square_is_found_by_its_name(name: str, at: tuple[int, int] | None) -> None:
    assert at == square_at(name)


@pytest.mark.slow("draws many maps")
@pytest.mark.parametrize("name", bundled_games())
def test_maps_that_come_along_print_as_they_are(name: str) -> None:
    game = load_game(data_folder("content") / name, Problems(), draft=True)
    assert game is not None

    for id_, drawn in game.maps.items():
        assert (game.folder / "maps" / f"{id_}.txt").read_text(encoding="utf-8") == print_map(drawn)


@pytest.mark.parametrize(
    ("line", "written", "told"),
    [
        (1, "mop: The Cellar", '1: "mop: The Cellar" is not a header line; did you mean "map"?'),
        (1, "legend: X a thing", "1: the map has no name"),
        (2, "track: eight spaces", '2: "eight spaces" does not describe a round track; write it as'),
        (2, "track: 8 spaces, S1 on 9", "2: S1 is on space 9; the track has 8 spaces"),
        (2, "track: 8 spaces, S2 on 3 and 6, S1 on 2", "1: the round track has S2, but no square is marked with it"),
        (2, "track: 8 spaces", "12: S1 is not on the round track"),
        (3, "legend: T", '3: "T" does not explain a letter'),
        (
            3,
            "floor: boards",
            '3: "boards" does not describe how a place looks; name a floor, what blocks and what hinders',
        ),
        (
            3,
            "legend: T a table\nroom: g1 boards, bar, stools",
            '4: a room is described around "g1", a square that the map does not have',
        ),
        (3, "legend: T a table\nroom: a1 boards", '4: "boards" does not describe how a place looks'),
        (
            3,
            "legend: T a table\nroom: d1 boards, bar, stools\nroom: f4 tiles, bar, stools",
            "5: the rooms around d1 and f4 are the same room; no wall or door separates them",
        ),
        (3, "legend: T a table\nname: a1-c1 The vault\nname: d1-d3 Stairs\ndecor: b2-c3 rug", ""),
        (
            3,
            "legend: T a table\nname: The vault",
            '4: "The vault" does not describe a name on the map; name its first and last square and',
        ),
        (3, "legend: T a table\nname: c1-a1 The vault", '4: "c1-a1 The vault" does not describe a name on the map'),
        (3, "legend: T a table\nname: a1 " + "x" * 41, '4: "a1 xxx'),
        (
            3,
            "legend: T a table\nname: e4-g4 The vault",
            '4: the name "The vault" is on g4, a square that the map does not have; name squares of the map',
        ),
        (
            3,
            "legend: T a table\nname: a1-b2 The vault",
            '4: the name "The vault" is on 2 × 2 squares; name squares in one row or one column',
        ),
        (3, "legend: T a table\ndecor: a1-a9 rug", "4: the rug is on a5, a square that the map does not have"),
        (3, "legend: T a table\ndecor: a1 Red rug", '4: "Red rug" is not the word of a drawing; write one word'),
        (3, "legend: T a table" + "\nname: a1 The vault" * 61, "64: the map has 61 lines `name:`; at most 60"),
        (3, "legend: U a table", "8: the letter T in e2 is not explained"),
        (
            4,
            "       a   b   c   d   e   g",
            "4: these are not the letters of 6 columns, or they are in the wrong place",
        ),
        (6, "   1 |  . G .   .D  .   .   #|  ", "6: the line has 32 characters; 6 columns need 30"),
        (6, "   2 |  . G .   .D  .   .   #|", '6: "2" is not the number of row 1'),
        (6, "   1 |  . G .   xD  .   .   #|", '6: column 17: "x" is not a terrain'),
        (6, "   1 |  . G .   .X  .   .   #|", '6: column 18: "X" is not an edge'),
        (6, "   1 |g .   .   .D  .   .   #|", '6: column 7: "g " is not a mark'),
        (6, "   1    . G .   .D  .   .   #|", "6: the outline of the map is open at a1w"),
        (6, "   1 |  . G .   .   .   .   #D", "6: the outline of the map is open at f1e"),
        (6, "   1 |  . G .   .D  .   .   #>", "6: nobody can reach the exit f1e"),
        (6, "   1 |  . G .   .D  .   .D  #|", "6: closed door at e1e has nothing to separate"),
        (6, "   1 |  . G .   .>  .   .   #|", "6: the exit c1e does not lead off the map"),
        (6, "   1 |  . G .   .D  .   .   .|", ""),
        (6, "   1 |  .   .   .D  .   .   #|", "3: the map has no square marked G"),
        (6, "   1 |  . G .   #D  .   .   #|", "6: the start b1 has room for 3; 4 figures must have room there"),
        (7, "     .   .   .   .~~ .   .   .", '7: column 19: "~~ " is not an edge'),
        (8, "   2 |  .   :   ~   ~ T .   .<", "8: the exit f2e points into the map; write >"),
        (9, "     .   +---.DDD+---.   +   .", '9: column 6: "." is written where big squares meet'),
        (9, "     +   .---+DDD.---+   .   +     ", "9: the line has 35 characters"),
        (10, "   3 |  .   .   .   .|  . L #|", "10: f3 has the mark L, but nobody can stand there"),
        (12, "   4 |L . L : S1.   .|L . L .|", "3: 5 squares are marked L; at most 2"),
        (13, "     +---.---+---.   +---.---+", "13: the outline of the map is open at d4s"),
    ],
)
def test_every_fault_is_told_where_it_is(line: int, written: str, told: str) -> None:
    """With what would be right; the first line of several that say why."""
    found = faults(with_line(line, written))

    assert [one for one in found if one.startswith(told)] if told else found == [], found


def test_a_sealed_pocket_is_told_with_what_is_in_it() -> None:
    """Doors count as open, walls do not."""
    sealed = CELLAR.replace("+DDD.", "+---.").replace(".d  . L", ".|  . L").replace("+   .---+", "+---.---+")

    assert ["10: no path leads from the start to 8 squares around a3, with S1 in it; open a gap or a door"] == faults(
        sealed
    )


def test_a_line_too_few_or_too_many_is_told() -> None:
    assert any("ends with a row" in one for one in faults("\n".join([*LINES[:6], *LINES[7:]]) + "\n"))
    assert any("should be" in one for one in faults("\n".join([*LINES[:6], *LINES[8:]]) + "\n"))
    assert ["12: the lattice ends with a row of squares; add a line of edges below"] == faults(
        "\n".join(LINES[:-1]) + "\n"
    )
    assert any("there is no lattice" in one for one in faults("map: Nothing\n"))
    assert ["1: the map is empty; begin with `map: The Cellar`"] == faults("") == faults(" \n\n")


def test_big_squares_must_be_whole() -> None:
    """Both numbers are even, and what is off the map goes by fours."""
    odd = "\n".join([*LINES[:10], LINES[12].replace("+", "."), ""])

    assert any("6 × 3 squares leave big squares incomplete" in one for one in faults(odd)), faults(odd)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "map",
        "\0",
        "map: x\n" + " " * 10_000,
        "map: x\n" + "     +" * 3_000,
        "map: x\n\t+---+\n\t|G .|\n",
        "🐈" * 500,
    ],
)
def test_no_text_is_too_odd_to_be_told(text: str) -> None:
    """No traceback, and no map."""
    drawn, told = read_map(text, "odd", KNOWN)

    assert drawn is None and told


def test_names_and_decoration_are_for_templates_and_not_for_play() -> None:
    """Engines get the same facts with and without them."""
    plain, _ = read_map(CELLAR, "cellar", KNOWN)
    rich, told = read_map(with_line(3, LINES[2] + "\nname: a1-c1 The vault\ndecor: b2-c3 rug"), "cellar", KNOWN)
    assert plain is not None
    assert rich is not None, told

    assert plain.facts() == rich.facts()
    assert [{"column": 0, "row": 0, "columns": 3, "rows": 1, "words": "The vault"}] == rich.shown()["names"]
    assert [{"column": 1, "row": 1, "columns": 2, "rows": 2, "words": "rug"}] == rich.shown()["decor"]


SIGNS = st.sampled_from(".:~#")


WORDS = st.sampled_from(["The vault", "L'Hôtel Saint-Louis", "*", "b2-c3 rug", "x" * 40])


@st.composite
def maps(draw: st.DrawFn) -> Map:
    """Any map that can be walked: floor with doors and terrain, a wall around it, a start in the corner."""
    columns, rows = 2 * draw(st.integers(1, 5)), 2 * draw(st.integers(1, 5))
    free = st.sampled_from(".:~")
    squares = tuple("".join(draw(st.lists(free, min_size=columns, max_size=columns))) for _ in range(rows))
    inner = st.sampled_from(" Dd:~")
    upright = tuple(
        "|" + "".join(draw(st.lists(inner, min_size=columns - 1, max_size=columns - 1))) + draw(st.sampled_from("|>"))
        for _ in range(rows)
    )
    flat = (
        "|" * columns,
        *("".join(draw(st.lists(inner, min_size=columns, max_size=columns))) for _ in range(rows - 1)),
        "".join(draw(st.lists(st.sampled_from("|v"), min_size=columns, max_size=columns))),
    )
    marks = {"a1": "T", square_name(columns - 1, rows - 1): "X"}
    names = tuple(Span((0, row), (columns - 1, row), draw(WORDS)) for row in draw(st.sets(st.integers(0, rows - 1))))
    decor = (Span((0, 0), (columns - 1, rows - 1), "rug"),) * draw(st.integers(0, 2))
    legend = {"T": "a table", "X": "a cross"}
    return Map("any", "Any map", squares, marks, upright, flat, 5, {}, legend, names=names, decor=decor)


@pytest.mark.slow("draws many maps")
@given(maps())
def test_whatever_is_drawn_is_read_as_it_was(drawn: Map) -> None:
    again, told = read_map(print_map(drawn), "any", {})

    assert [] == told
    assert drawn == again


@given(st.integers(0, len(CELLAR) - 1), st.sampled_from(" .:~#|DdvG+-<>\n1x"))
def test_one_other_character_is_told_or_is_another_map(at: int, sign: str) -> None:
    """Never silently the same."""
    text = CELLAR[:at] + sign + CELLAR[at + 1 :]
    whole, _ = read_map(CELLAR, "cellar", KNOWN)
    drawn, told = read_map(text, "cellar", KNOWN)

    assert text == CELLAR or told or drawn != whole


def test_blanks_and_numbers_can_be_mended() -> None:
    """What printing puts right is no fault when a map is mended."""
    loose = CELLAR.replace("\n", "   \r\n").replace("   1 |", "  9  |")
    drawn, told = read_map(loose, "cellar", KNOWN, mend=True)
    assert drawn is not None

    assert [] == told
    assert CELLAR == print_map(drawn)


def test_the_largest_map_is_read() -> None:
    side = MOST
    drawn = Map(
        "large",
        "Large",
        ("." * side,) * side,
        {},
        ("|" + " " * (side - 1) + "|",) * side,
        ("|" * side, *(" " * side,) * (side - 1), "|" * side),
    )
    again, told = read_map(print_map(drawn), "large", {})

    assert [] == told and drawn == again


WITH_MAPS = (
    FILES["game.yaml"]
    + """\
maps:
  marks:
    G: {name: start, rule: TI-PLAY-1, start: yes, holds: 4}
    L: {name: loot, rule: TI-PLAY-1}
    S1: {name: spawn, rule: TI-PLAY-1, track: yes}
"""
)


def test_a_game_has_its_maps_as_facts(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "tiny", **{"game.yaml": WITH_MAPS, "maps/cellar.txt": CELLAR})
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None

    assert [] == list(problems)
    assert {"b1": "G", "e2": "T", "f3": "L", "c4": "S1"} == game.facts["maps"]["cellar"]["marks"]


def test_a_fault_of_a_map_has_the_place_of_its_line(tmp_path: Path) -> None:
    broken = CELLAR.replace("G .", "G x")
    folder = write_game(tmp_path / "tiny", **{"game.yaml": WITH_MAPS, "maps/cellar.txt": broken})
    problems = Problems()
    load_game(folder, problems)

    (problem,) = problems
    assert (6, 'column 13: "x" is not a terrain') == (problem.place.line, problem.message)


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The made-up game with a map; the current folder is the one it lies in."""
    monkeypatch.chdir(tmp_path)
    return write_game(tmp_path / "tiny", **{"game.yaml": WITH_MAPS, "maps/cellar.txt": CELLAR})


def test_a_loose_map_is_written_anew_and_a_broken_one_stays(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --check nothing is written; a map with problems is told, and stays as it is."""
    path = tiny / "maps" / "cellar.txt"
    assert main(["fmt", "./tiny"]) == 0
    assert "1 map, 0 of them changed" in capsys.readouterr().out
    loose = CELLAR.replace("   2 |", "  9  |").replace("|\n", "|  \n")
    path.write_text(loose, encoding="utf-8")

    assert main(["fmt", "./tiny", "--check"]) == 1
    assert loose == path.read_text("utf-8")
    assert main(["fmt", "./tiny"]) == 0
    assert CELLAR == path.read_text("utf-8")
    assert "tiny/maps/cellar.txt: rewritten" in capsys.readouterr().out
    broken = loose.replace("T .", "T ?")
    path.write_text(broken, encoding="utf-8")
    assert main(["fmt", "./tiny"]) == 1
    assert broken == path.read_text("utf-8")
    assert [path] == list(path.parent.iterdir())


def exported(tiny: Path, *options: str) -> dict[str, Any]:
    """Return the Universal VTT file of the cellar."""
    assert main(["export", "uvtt", "./tiny", *options]) == 0
    return dict(json.loads((tiny.parent / "output/export/tiny/uvtt/cellar.uvtt").read_text("utf-8")))


def outlines_of(made: dict[str, Any]) -> list[list[tuple[float, float]]]:
    return [[(corner["x"], corner["y"]) for corner in line] for line in made["line_of_sight"]]


def doors_of(made: dict[str, Any]) -> list[tuple[float, float, bool]]:
    return [(portal["position"]["x"], portal["position"]["y"], portal["closed"]) for portal in made["portals"]]


def test_maps_go_to_virtual_tables(tiny: Path) -> None:
    """Walls are lines in squares, joined where they go on; doors are portals; the picture is the map."""
    made = exported(tiny)

    assert {"x": 6, "y": 4} == made["resolution"]["map_size"]
    lines = [{*pair} for outline in outlines_of(made) for pair in pairwise(outline)]
    assert {(0, 0), (0, 4)} in lines and {(0, 0), (6, 0)} in lines and {(1, 2), (2, 2)} in lines
    assert {(5, 0), (5, 1)} in lines, "the outline of the blocking square"
    with Image.open(io.BytesIO(base64.b64decode(made["image"]))) as image:
        assert (6 * 100, 4 * 100) == image.size
    assert made == exported(tiny)


def test_no_wall_ends_where_another_begins(tiny: Path) -> None:
    """Foundry's importer (6.0.1) connects such walls by one without length."""
    ends = [
        end for outline in outlines_of(exported(tiny)) if outline[0] != outline[-1] for end in (outline[0], outline[-1])
    ]

    assert sorted(set(ends)) == sorted(ends)


PIECES = [((x, y), (x + dx, y + 1 - dx)) for x in range(4) for y in range(4) for dx in (0, 1)]
"""The edges of sixteen squares, to the left of each and above it."""


@given(st.sets(st.sampled_from(PIECES)))
def test_outlines_are_the_pieces_of_walls(pieces: set[tuple[tuple[float, float], tuple[float, float]]]) -> None:
    """Joining loses no piece of a wall, adds none and repeats none, and no corner is the end of two outlines."""
    found = outlines(pieces)

    assert sorted(pieces) == sorted(step for line in found for pair in pairwise(line) for step in steps_of(*pair))
    ends = [end for line in found for end in {line[0], line[-1]}]
    assert sorted(set(ends)) == sorted(ends)


def steps_of(start: tuple[float, float], end: tuple[float, float]) -> list[tuple[tuple[float, float], ...]]:
    """Return the pieces of a line, each as long as a square."""
    (x1, y1), (x2, y2) = sorted((start, end))
    if x1 == x2:
        return [((x1, y), (x1, y + 1)) for y in range(int(y1), int(y2))]
    return [((x, y1), (x + 1, y1)) for x in range(int(x1), int(x2))]


def test_a_square_has_the_pixels_that_foundry_expects(tiny: Path) -> None:
    """Foundry's importer (6.0.1) sets no grid, so a scene keeps Foundry's own grid of 100 pixels."""
    assert 100 == exported(tiny)["resolution"]["pixels_per_grid"]


def test_every_door_is_a_door_at_every_virtual_table(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """To Foundry, Roll20 and Fantasy Grounds, an open portal is a window, which nobody can walk through."""
    assert [(3, 0.5, True), (4, 2.5, True), (2.5, 2, True)] == doors_of(exported(tiny))
    assert "1 open door is closed in these files" in capsys.readouterr().out


def test_open_doors_stay_open_when_asked(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Owlbear Rodeo and MapTool take an open portal for an open door."""
    assert [(3, 0.5, True), (4, 2.5, False), (2.5, 2, True)] == doors_of(exported(tiny, "--doors", "drawn"))
    assert "open door" not in capsys.readouterr().out


def test_a_plain_picture_of_a_map_has_its_squares_exactly() -> None:
    """Readers scale the picture to the squares, so one more pixel would shift every line."""
    drawn, _ = read_map(CELLAR, "cellar", KNOWN)
    assert drawn is not None

    with Image.open(io.BytesIO(picture(drawn))) as image:
        assert (6 * SQUARE, 4 * SQUARE) == image.size
        right, below = (6 * SQUARE - 1, SQUARE // 2), (SQUARE // 2, 4 * SQUARE - 1)
        assert [ImageColor.getrgb(INK)] * 2 == [image.getpixel(right), image.getpixel(below)], "the walls at the edge"


def test_a_game_without_maps_has_none_for_virtual_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_game(tmp_path / "tiny")

    assert main(["export", "uvtt", str(tmp_path / "tiny"), "--output", str(tmp_path / "out")]) == 1
    assert "Tiny has no maps; a map is a file maps/NAME.txt" in capsys.readouterr().err
    assert not (tmp_path / "out" / "uvtt").exists()


def test_the_map_of_the_guide_is_sound() -> None:
    """Who copies it has a map."""
    page = (data_folder("site") / "docs" / "guide" / "scenarios.md").read_text(encoding="utf-8")

    assert CELLAR == page.partition("```text\n")[2].partition("```")[0]
