"""Plans as faces, for paper: what a picture of a position gives, by its elements, and every picture of the Cats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from games_for_tests import bundled_game

from grimalkin.content import Game, prove
from grimalkin.content.maps import Map
from grimalkin.content.squares import column_name
from grimalkin.content.stocks import load_stocks
from grimalkin.engine.pictures import Figure, Layer, Line, Picture, Token
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.callouts import Spot, spots
from grimalkin.printing.face.layers import Inks
from grimalkin.printing.face.plans import detail_of_position, details_of_example, patterns_in, plan_face
from grimalkin.printing.face.svg.map_paths import Box, hatching
from grimalkin.printing.face.svg.paths import absolute_path
from grimalkin.problems import Problems, Stop
from grimalkin.source import find_game_folder

INKS: tuple[Inks, ...] = get_args(Inks)
YARD = Map(
    "yard",
    "The Yard",
    ("..#", ".:~", ".. "),
    {"a3": "G"},
    upright=("|  |", "| D|", "<  |"),
    flat=("|||", "  |", ":  ", "|||"),
)
ALL = Box(0, 0, 3, 3)


@cache
def game() -> Game:
    return bundled_game("cats-of-new-orleans")


def composer(inks: Inks = "full", of: Game | None = None) -> Composer:
    problems = Problems()
    return Composer(of or game(), load_stocks((of or game()).folder, problems), problems, inks)


@cache
def pens(inks: Inks) -> Composer:
    return composer(inks)


@pytest.fixture(scope="module", autouse=True)
def _pens_at_hand() -> None:
    """The game is read before the first test, and for all of them."""
    pens("full")


def yard(box: Box = ALL, inks: Inks = "full", of: Map = YARD, **what: Any) -> Face:
    return plan_face(pens(inks), of, Picture(of.id, **what), box, "The yard.")


def spot(face: Face, name: str) -> Spot:
    return next(one for one in spots(face) if one.name == name)


def middle(face: Face, name: str) -> tuple[int, int]:
    """Where something is, in whole squares from the left and from above, as column and row from 0."""
    one, beside = spot(face, name), face.stock.width - 1.5 - 30
    return int(((one.left + one.right) / 2 - beside) // 10), int(((one.top + one.bottom) / 2 - beside) // 10)


def paths(face: Face) -> list[str]:
    return [path.get("d", "") for path in face.root.iter("{*}path")]


def words(face: Face) -> list[str]:
    return ["".join(text.itertext()).strip() for text in face.root.iter("{*}text")]


def drawn(*written: str) -> list[str]:
    """Paths as faces have them."""
    return [absolute_path(path) for path in written]


def added(face: Face) -> list[str]:
    """The paths that are not in a plan of the bare yard."""
    bare = paths(yard())
    return [path for path in paths(face) if path not in bare]


# The ground


def test_a_square_has_ten_millimetres() -> None:
    face, small = yard(), yard(Box(1, 0, 3, 2))

    assert (face.stock.width - small.stock.width, face.stock.height - small.stock.height) == (10, 10)


def test_columns_have_letters_and_rows_have_numbers() -> None:
    assert words(yard())[-6:] == ["a", "b", "c", "1", "2", "3"]
    assert words(yard(Box(1, 1, 3, 3)))[-4:] == ["b", "c", "2", "3"]


def test_ground_that_is_off_the_map_is_bare() -> None:
    """c3 is no square: the floor ends beside it."""
    assert drawn("M0 0H30V10H0ZM0 10H30V20H0ZM0 20H20V30H0Z")[0] in paths(yard())


def test_edges_outside_of_the_part_are_not_drawn() -> None:
    """The way out leads from a3 to the left, and the door stands between b2 and c2."""
    edges = drawn("M4.8 22L0.8 25L4.8 28Z", "M1.6 -1.1H8.4V1.1H1.6Z")
    whole, part = paths(yard()), paths(yard(Box(0, 0, 1, 1)))

    assert [edge in whole for edge in edges] == [True, True]
    assert [edge in part for edge in edges] == [False, False]
    assert drawn("M0 0v10M0 0h10")[0] in part


def test_a_door_that_was_opened_stands_open() -> None:
    shut, gap, ajar = drawn("M1.6 -1.1H8.4V1.1H1.6Z", "M2.4 0H8", "M1.2 0L3.8 -4.8L5.2 -4L2.6 0.8Z")

    assert (shut in paths(yard()), ajar in paths(yard())) == (True, False)
    assert added(yard(open_doors=("b2e",))) == [gap, ajar]


# What a picture tells


def test_figures_are_found_by_their_names() -> None:
    face = yard(figures=(Figure("patch", "Patch", "a2", "ours", "P"), Figure("rat-1", "rat-1", "b1", "theirs", "r1")))

    assert (middle(face, "patch"), middle(face, "rat-1")) == ((0, 1), (1, 0))
    assert words(face)[1:3] == ["P", "r1"]


def test_kinds_of_figures_differ_in_shape() -> None:
    """Not by colour alone: no two have the same outlines."""
    shapes = [added(yard(figures=(Figure("x", "X", "a2", kind, "X"),))) for kind in ("ours", "theirs", "hidden")]

    assert all(shapes)
    assert len({path for shape in shapes for path in shape}) == sum(map(len, shapes))


def test_a_figure_with_a_head_shows_it_and_its_sign() -> None:
    """If the game draws the component that it stands for; the others have their shapes."""

    def heads(of: str) -> tuple[list[str], list[str]]:
        face = yard(figures=(Figure("x", "X", "a2", "ours", "X", of=of),))
        hrefs = [use.get("href", "") for use in face.root.iter("{*}use")]
        return [href for href in hrefs if href.startswith("#head-")], words(face)[1:2]

    assert heads("patch") == (["#head-patch"], ["X"])
    assert heads("nobody") == heads("") == ([], ["X"])


def test_things_stand_on_plans_as_on_printed_maps() -> None:
    uses = {use.get("href", "") for use in yard().root.iter("{*}use")}

    assert uses == {"#thing-block-0000", "#thing-hindrance-on"}


def test_hidden_vermin_have_no_head() -> None:
    """It would give away what lies face down."""
    vermin = {**STREET["vermin"], "unknown-1": {"is": "marker-bayou-mosquito", "at": "b7"}}
    shown = detail_of_position(game(), {**STREET, "vermin": vermin})
    assert shown is not None

    heads = {one.name: one.of for one in shown.picture.figures}
    assert heads == {"patch": "patch", "minou": "minou", "pistoleer-1": "pistoleers", "unknown-1": ""}


def test_a_large_figure_covers_four_squares() -> None:
    face = yard(
        figures=(Figure("rat-1", "rat-1", "a1", "theirs", "r1"), Figure("king", "king", "a2", "theirs", "K", 2))
    )
    one, four = spot(face, "rat-1"), spot(face, "king")
    beside = face.stock.width - 1.5 - 30

    assert round((four.right - four.left) / (one.right - one.left), 1) == 2
    assert ((four.left + four.right) / 2 - beside, (four.top + four.bottom) / 2 - beside) == pytest.approx((10, 20))


def test_figures_on_one_square_do_not_hide_each_other() -> None:
    figures = [Figure(name, name, "b2", "theirs", name) for name in ("m1", "m2", "m3")]
    found = [spot(yard(figures=tuple(figures)), one.name) for one in figures]

    assert all(one.right - one.left < 6 for one in found)
    assert len({(one.left, one.top) for one in found}) == 3


def test_badges_are_on_their_figure() -> None:
    face = yard(figures=(Figure("rat-1", "rat-1", "b1", "theirs", "r1", 1, (("2", "2 Wounds"), ("z", "stunned"))),))

    assert words(face)[1:4] == ["r1", "2", "z"]


def test_figures_and_tokens_elsewhere_are_not_drawn() -> None:
    figures, tokens = (Figure("patch", "Patch", "a3", "ours", "P"),), (Token("a3", "token", "L"),)

    assert words(yard(Box(0, 0, 2, 2), figures=figures, tokens=tokens)) == ["a", "b", "1", "2"]


def test_what_is_not_seen_is_hatched() -> None:
    """But what blocks, which is black, and what is off the map."""
    seen = Layer("seen", ("a1", "b1", "a2", "b2", "b3"))

    assert drawn(hatching([(2, 1), (0, 2)])) == added(yard(layers=(seen,)))[:1]


def test_seen_and_hindered_are_dots_and_rings() -> None:
    face = yard(layers=(Layer("seen", ("a1",)), Layer("hindered", ("b1",))))

    assert drawn("M5 5H5.01")[0] in added(face)
    assert any(path.startswith("M13 5C13 6.1") for path in added(face))


@pytest.mark.parametrize("inks", INKS)
def test_what_blocks_is_black_and_its_signs_are_light(inks: Inks) -> None:
    """A dot where it is seen, a ring where something hinders."""
    on_black = drawn("M25 5h0.01", "M23 5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0z")
    light = "#f7f1e3" if inks == "full" else "#ffffff"
    for kind, path in zip(("seen", "hindered"), on_black, strict=True):
        face = yard(layers=(Layer(kind, ("c1",)),), inks=inks)
        (sign,) = (one for one in face.root.iter("{*}path") if one.get("d") == path)

        assert sign.get("stroke") == light
        assert (sign.get("fill") == "none") == (kind == "seen")


def test_ranges_are_outlined_and_every_other_is_filled() -> None:
    near, far = Layer("range", ("a1",), (1,), "a2"), Layer("range", ("a1", "b1"), (2,), "a2")

    assert added(yard(layers=(near, far))) == drawn("M10 0H20V10H10Z", "M0 0H10V10H0Z", "M0 0H20V10H0Z")
    assert words(yard(layers=(near, far)))[-8:-6] == ["1", "2"]


def test_less_ink_shows_a_range_with_lines() -> None:
    low = yard(layers=(Layer("range", ("b3",), (1,), "b2"),), inks="low")

    assert drawn("M10 21.25H20M10 23.75H20M10 26.25H20M10 28.75H20")[0] in paths(low)


def test_where_one_can_go_stands_what_it_takes() -> None:
    face = yard(layers=(Layer("reach", ("a1", "b1", "a2"), (1, 2, 13)),))

    assert drawn("M0 0H20V10H10V20H0Z")[0] in added(face)
    assert words(face)[1:4] == ["1", "2", "13"]


def test_the_number_of_a_range_makes_way_for_a_figure() -> None:
    """It stands in the corner of its square then."""
    range_ = Layer("range", ("b1",), (1,), "a1")

    def number(figures: Sequence[Figure]) -> tuple[float, float]:
        *_, circle = yard(layers=(range_,), figures=tuple(figures)).root.iter("{*}circle")
        parent = circle.getparent()
        assert parent is not None
        x, y = map(float, re.findall(r"[\d.]+", parent.get("transform", "")))
        return x, y

    assert number([]) == (15, 5)
    assert number([Figure("rat-1", "rat-1", "b1", "hidden", "r1")]) == (17.8, 2.2)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (Line("a1", "b3", "free"), ["M5 5L15 25"]),
        (Line("a1", "b3", "hindered", (1.0, 1.5)), ["M5 5L15 25"]),
        (Line("a1", "b3", "blocked", (1.0, 1.5)), ["M5 5L15 25", "M-2 -2L2 2M2 -2L-2 2"]),
        (Line("a1", "a3", "moved"), ["M5 5L5 18.16", "M5 20.4L3.3 17.2L5 18.16L6.7 17.2Z"]),
    ],
)
def test_lines_are_drawn_from_middle_to_middle(line: Line, found: list[str]) -> None:
    """What hinders is a ring, what blocks a cross, both where it does; an arrow leads to who moved."""
    face = yard(lines=(line,))

    assert list(dict.fromkeys(added(face))) == drawn(*found)
    assert ("translate(10.0 15.0)" in face.svg) == (line.at is not None)


def test_the_line_of_a_large_figure_leads_to_its_middle() -> None:
    """It stood two squares further to the right: from there to 9.2 mm before its middle now."""
    king = Figure("king", "king", "a2", "theirs", "K", 2)
    face = yard(lines=(Line("c2", "a2", "moved"),), figures=(king,))

    assert drawn("M30 20L21.44 20", "M19.2 20L22.4 18.3L21.44 20L22.4 21.7Z") == added(face)[1:3]


def test_what_lies_below_a_figure_peeps_out() -> None:
    """Cards and clouds are drawn smaller, and after it."""
    figure = Figure("patch", "Patch", "a2", "ours", "P")
    alone, below = (yard(tokens=(Token("a2", "cards"),), figures=one).svg for one in ((), (figure,)))

    assert "scale(0.54)" not in alone
    assert below.index('id="patch"') < below.index("scale(0.54)")


def test_letters_below_a_figure_peep_out_too() -> None:
    """G is printed on a3, and a token lies on b1."""
    tokens = (Token("b1", "token", "L"),)
    figures = tuple(Figure(name, name, name, "ours", "P") for name in ("a3", "b1"))

    assert words(yard(tokens=tokens))[:2] == ["G", "L"]
    assert words(yard(tokens=tokens, figures=figures))[:4] == ["P", "P", "G", "L"]


def test_letters_of_a_wide_plan_are_larger() -> None:
    """Since it is shown smaller."""
    wide = replace(YARD, squares=("." * 24,), upright=(" " * 25,), flat=(" " * 24,) * 2, marks={})
    sizes = [yard(Box(0, 0, columns, 1), of=wide).root.findall("{*}g//{*}text")[-1] for columns in (12, 24)]

    assert [float(text.get("font-size", "")) for text in sizes] == pytest.approx([3.7, 7.4])


# Inks


def test_black_alone_is_black_alone() -> None:
    layers = (Layer("seen", ("a1",)), Layer("range", ("b1",), (1,), "a1"), Layer("dead", ("a2",)))
    lines, tokens = (Line("a1", "b3", "blocked", (1.0, 1.5)),), (Token("b1", "token", "L"), Token("b2", "cloud"))
    figures = (Figure("patch", "Patch", "a2", "ours", "P"),)

    def colours(inks: Inks) -> set[str]:
        face = yard(inks=inks, layers=layers, lines=lines, tokens=tokens, figures=figures)
        return set(re.findall("#[0-9a-f]{6}", face.svg))

    assert colours("mono") == {"#000000", "#ffffff"}
    assert colours("low") == {"#1d1a26", "#ffffff"}
    assert len(colours("full")) > 6


# Patterns to be explained


@pytest.mark.parametrize("inks", INKS)
def test_every_pattern_looks_different(inks: Inks) -> None:
    made = composer(inks)
    layers = tuple(Layer(kind, ()) for kind in ("seen", "range", "dead", "reach"))
    patterns = list(patterns_in(Picture("yard", layers=layers)))
    shown = [Picture("yard", layers=(Layer(one, ("a1",), (1,)),)) for one in patterns if one != "unseen"]
    faces = [plan_face(made, YARD, picture, ALL, "The yard.") for picture in (*shown, Picture("yard"))]

    assert patterns == ["seen", "hindered", "unseen", "range", "dead", "reach"]
    assert len({face.svg for face in faces}) == 6


# Templates


def test_a_game_may_draw_its_plans_itself(tmp_path: Path) -> None:
    own = '{% extends "base/plan.svg.j2" %}{% block names %}<circle cx="1" cy="1" r="77"/>{% endblock %}'
    (tmp_path / "plan.svg.j2").write_text(own)
    made = composer()
    made.folders.insert(0, tmp_path)
    made.sandbox = made.new_sandbox(type(made.sandbox))

    face = plan_face(made, YARD, Picture("yard"), ALL, "The yard.")

    assert 'r="77"' in face.svg
    assert words(face) == ["G"]


def test_a_fault_of_a_template_stops_the_command(tmp_path: Path) -> None:
    (tmp_path / "plan.svg.j2").write_text("{{ fail('no ink') }}")
    made = composer()
    made.folders.insert(0, tmp_path)
    made.sandbox = made.new_sandbox(type(made.sandbox))

    with pytest.raises(Stop, match="no ink"):
        plan_face(made, YARD, Picture("yard"), ALL, "The yard.")


# The Cats of New Orleans


STREET: dict[str, Any] = {
    "options": {"scenario": "streets"},
    "seats": {"Ada": {}},
    "heroes": {"patch": {"at": "c4"}, "minou": {"at": "d6"}},
    "vermin": {"pistoleer-1": {"at": "g6", "stunned": "yes"}},
}


def test_a_position_is_drawn_with_what_is_asked_about_it() -> None:
    shown = detail_of_position(game(), STREET, {"lines": [["minou", "pistoleer-1"]]})
    assert shown is not None

    face = plan_face(composer(), *shown, "A street.")

    assert {"patch", "minou", "pistoleer-1"} <= {one.name for one in spots(face)}
    assert "M35 55L65 55" in paths(face)
    assert "z" in words(face)


def test_a_map_is_drawn_with_nobody_on_it() -> None:
    shown = detail_of_position(game(), None, {"map": "natchez", "whole": "yes"})
    assert shown is not None

    face = plan_face(composer("low"), *shown, "The boat.")

    assert shown.box == (0, 0, game().maps["natchez"].columns, game().maps["natchez"].rows)
    assert {"S1", "V", "q", "10"} <= {one.name for one in spots(face)}


@pytest.mark.parametrize("inks", INKS)
def test_a_large_plan_takes_a_moment(inks: Inks) -> None:
    """24 by 20 squares, each with a terrain of its own, a third of them out of sight, and walls everywhere."""
    signs = ".:#~.."
    rows = tuple("".join(signs[(x * 7 + y * 5) % 6] for x in range(24)) for y in range(20))
    every = tuple(f"{column_name(x)}{y + 1}" for y in range(20) for x in range(24))
    edges = " | D:~"
    large = Map(
        "large",
        "Large",
        rows,
        upright=tuple("".join(edges[(x * 5 + y) % 6] for x in range(25)) for y in range(20)),
        flat=tuple("".join(edges[(x + y * 5) % 6] for x in range(24)) for y in range(21)),
    )
    layers = (Layer("seen", every[::3]), Layer("hindered", every[1::3]), Layer("reach", every[:100], (1,) * 100))
    figures = tuple(Figure(f"rat-{n}", f"rat-{n}", every[n * 11], "theirs", f"r{n}") for n in range(20))
    picture, made = Picture("large", layers=layers, figures=figures), composer(inks)
    face = plan_face(made, large, picture, Box(0, 0, 24, 20), "Large.")

    assert made.sandbox.budget.turns < 20_000  # 9,735 here; going over every square takes ten times as many
    assert sum(1 for _ in face.root.iter("{*}path")) < 500


@pytest.mark.slow("checks every example of a game")
@pytest.mark.parametrize("inks", INKS)
def test_every_checked_example_on_a_map_is_drawn(inks: Inks) -> None:
    problems = Problems()
    proved, traces, _ = prove(find_game_folder("cats-of-new-orleans"), problems, False)
    made = composer(inks, proved)
    count = 0
    for example in proved.examples:
        trace = traces.get(example.id)
        for shown in details_of_example(proved, trace, example.picture) if trace else ():
            if shown:
                count += 1
                found = {one.name for one in spots(plan_face(made, *shown, example.title))}
                figures = [one.name for one in shown.picture.figures if one.square in _squares(shown.box)]

                assert set(figures) <= found, example.id

    assert not made.problems
    assert not problems
    assert count > 600


def _squares(box: Box) -> set[str]:
    return {f"{column_name(x)}{y + 1}" for y in range(box.top, box.bottom) for x in range(box.left, box.right)}
