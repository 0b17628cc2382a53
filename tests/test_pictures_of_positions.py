"""Pictures of positions on maps: the value that an engine tells, the plan that a page draws of it, and albums."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from games_for_tests import bundled_game

from grimalkin.content import Game
from grimalkin.content.rules import Example
from grimalkin.content.scripts import pictured_misfits, read_script
from grimalkin.content.squares import square_at
from grimalkin.engine.kinds import members
from grimalkin.engine.pictures import Line, Picture, Token, bare, find_picture
from grimalkin.engine.replay import Script, replay
from grimalkin.engine.shape import Misfits
from grimalkin.games.cats_of_new_orleans.figures import hindered_row, sees
from grimalkin.games.cats_of_new_orleans.maps import Board
from grimalkin.parts.albums.content import Album, AlbumPicture, album_misfits, albums_of, wishes_on
from grimalkin.parts.albums.pages import album_views
from grimalkin.printing.face.plans import box_around
from grimalkin.problems import Problems
from grimalkin.site.pages.links import Map, Reader
from grimalkin.site.pages.plan_drawing import shared
from grimalkin.site.pages.plans import Plan, Plans
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.templates import environment, load_words
from grimalkin.source import read_yaml

STREET: dict[str, Any] = {
    "options": {"scenario": "streets"},
    "seats": {"Ada": {}},
    "heroes": {"patch": {"at": "c4"}, "minou": {"at": "d6"}},
    "vermin": {
        "pistoleer-1": {"at": "g6", "stunned": "yes"},
        "unknown-1": {"at": "i7", "is": "marker-bayou-mosquito"},
    },
}


@pytest.fixture(scope="module")
def game() -> Game:
    return bundled_game("cats-of-new-orleans")


@pytest.fixture(scope="module")
def plans(game: Game) -> Plans:
    return Plans(game, load_words())


def drawn(game: Game, wishes: dict[str, Any], position: dict[str, Any] | None = STREET) -> Picture:
    assert game.module is not None
    picture = find_picture(game.module)
    assert picture is not None
    found = picture(game.facts, position, wishes)
    assert found is not None
    return found


# What an engine tells


def test_figures_have_signs_by_which_they_are_told_apart(game: Game) -> None:
    """Heroes by the first letters of their names, vermin by those of theirs and a number, those face down by that."""
    told = [(one.square, one.kind, one.sign) for one in drawn(game, {}).figures]

    assert told == [("c4", "ours", "P"), ("d6", "ours", "M"), ("g6", "theirs", "p1"), ("i7", "hidden", "?1")]


def test_what_is_on_a_figure_is_told(game: Game) -> None:
    bitter = {"bayou-bitter-1": {"at": "g6", "wounds": 1, "stunned": "yes"}}

    assert drawn(game, {}, STREET | {"vermin": bitter}).figures[2].badges == (("1", "1 Wound"), ("z", "stunned"))


def test_a_marker_that_lies_face_down_does_not_tell_what_it_is(game: Game) -> None:
    assert "mosquito" not in str(drawn(game, {"sight": ["patch"], "lines": [["patch", "unknown-1"]]}))


def test_lines_tell_what_hinders_and_what_blocks_them(game: Game) -> None:
    """Barrels stand on e6, and a closed door is below c3."""
    wishes = {"lines": [["patch", "pistoleer-1"], ["minou", "pistoleer-1"], ["patch", "b2"]]}

    found = drawn(game, wishes)

    assert found.lines == (
        Line("c4", "g6", "free"),
        Line("d6", "g6", "hindered", (4.5, 5.5)),
        Line("c4", "b2", "blocked", (2.5, 3.0)),
    )
    assert found.told == (
        "Patch on c4 sees Pistoleer 1 on g6.",
        "Minou on d6 sees Pistoleer 1 on g6, hindered by terrain on e6.",
        "Patch on c4 cannot see b2: a closed door between c4 and c3 is in the way.",
    )
    assert Token("b2", "here") in found.tokens


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        (["patch", "pistoleer-1"], ["NO-LOS-2"]),
        (["minou", "pistoleer-1"], ["NO-LOS-2", "NO-DRM-7"]),
        (["patch", "b2"], ["NO-LOS-2", "NO-LOS-3"]),
    ],
)
def test_lines_hang_on_their_rules(game: Game, line: list[str], rules: list[str]) -> None:
    assert drawn(game, {"lines": [line]}).rules == tuple(rules)


def test_a_figure_on_the_way_hinders(game: Game) -> None:
    """On row 8 nothing else is between them."""
    position = STREET | {
        "heroes": {"patch": {"at": "a8"}, "minou": {"at": "c8"}},
        "vermin": {"pistoleer-1": {"at": "e8"}},
    }

    found = drawn(game, {"lines": [["patch", "pistoleer-1"]], "sight": ["patch"]}, position)

    assert found.lines == (Line("a8", "e8", "hindered", (2.5, 7.5)),)
    assert found.told[1] == "Patch on a8 sees Pistoleer 1 on e8, hindered by the figure on c8."
    assert {"NO-LOS-4", "NO-DRM-10"} <= {*found.rules}
    assert "e8" in next(layer for layer in found.layers if layer.kind == "hindered").squares


def test_a_long_range_covers_nothing_at_point_blank_range(game: Game) -> None:
    """Range 3 is 25 squares, and Range 4 is 41 without the five in the middle: g6 is far enough from all sides."""
    found = drawn(game, {"range": ["g6", "3", "4"]})

    assert [(one.kind, one.numbers, len(one.squares)) for one in found.layers] == [
        ("range", (3,), 25),
        ("range", (4,), 36),
        ("dead", (), 5),
    ]
    assert set(found.layers[2].squares) == {"g5", "f6", "g6", "h6", "g7"}


def test_what_is_close_to_a_large_figure_is_in_no_long_range(game: Game) -> None:
    """NO-AMB-128: on f5, g5, f6 and g6, Range 4 begins two squares from whichever of the four is nearest."""
    at = {"f5", "g5", "f6", "g6"}
    beside = {"f4", "g4", "e5", "h5", "e6", "h6", "f7", "g7"}
    position = {**STREET, "vermin": {"viceroy": {"at": "f5"}}}

    found = drawn(game, {"range": ["viceroy", "4"]}, position)
    layers = {layer.kind: set(layer.squares) for layer in found.layers}

    assert layers["dead"] == at | beside
    assert not layers["range"] & layers["dead"]
    assert {"f3", "g3", "d5", "e4", "h7"} <= layers["range"]


def test_a_reach_says_what_each_square_takes(game: Game) -> None:
    """From c4 by streets and over one pool: water ends the way, and Minou, on d6, is not to be passed."""
    layer = drawn(game, {"reach": ["patch", "3"]}).layers[0]

    costs = dict(zip(layer.squares, layer.numbers, strict=True))

    assert costs == {
        name: cost for cost, names in enumerate(("d4 c5", "e4 b5 d5 c6", "f4 e3 e5 b6 c7"), 1) for name in names.split()
    }


@pytest.mark.parametrize(
    ("wishes", "told"),
    [
        ({"sight": ["pach"]}, 'sight.0: "pach" is neither a figure on the map nor a square; did you mean "patch"?'),
        ({"sight": ["z9"]}, 'sight.0: there is no square "z9" on the map Rampart Street'),
        ({"range": ["patch", "far"]}, 'range.1: "far" is not a number; write a whole number'),
        ({"lines": [["patch", "nera"]]}, 'lines.0.1: "nera" is neither a figure on the map nor a square'),
        ({"around": ["patch"]}, 'around.0: there is no square "patch" on the map Rampart Street'),
    ],
)
def test_what_is_not_there_is_told(game: Game, wishes: dict[str, Any], told: str) -> None:
    with pytest.raises(Misfits) as error:
        drawn(game, wishes)

    assert str(error.value).startswith(told)


def test_a_picture_without_wishes_shows_what_lies_there(game: Game) -> None:
    wished = drawn(game, {"sight": ["b2"], "lines": [["patch", "b2"]]})

    assert bare(wished) == bare(drawn(game, {}))


# What content says


def problems_of(game: Game, tmp_path: Path, picture: str, given: bool = True) -> list[str]:
    """What is told of an example with such a picture."""
    position = """
given:
  options: {scenario: streets}
  seats: {Ada: {}}
  heroes: {patch: {at: c4}, minou: {at: d6}}
  vermin: {pistoleer-1: {at: g6}}"""
    path = tmp_path / "one.yaml"
    path.write_text(
        "id: NO-EX-1\ntitle: T\nrules: [NO-LOS-1]\nkind: legal\ntext: T\nexpect: {over: no}\n"
        f"picture: {picture}{position if given else chr(10) + 'seats: [Ada, Basil]'}\n",
        encoding="utf-8",
    )
    problems = Problems()
    source = read_yaml(path, problems)
    assert source is not None and game.module is not None
    read_script(Example(**source.data), game.module, game.facts, source, (), problems)
    return [str(problem).partition("one.yaml:")[2] for problem in problems]


@pytest.mark.parametrize(
    ("picture", "told"),
    [
        (
            "{sight: pach}",
            '7: picture.sight.0: "pach" is neither a figure on the map nor a square; did you mean "patch"?',
        ),
        ("{sigth: patch}", '7: picture.sigth: unknown key "sigth"; did you mean "sight"?'),
        ("{range: [patch]}", "7: picture.range: 1 is the wrong number of items; 2 to 8"),
        ("{lines: [[patch, z40]]}", '7: picture.lines.0.1: there is no square "z40" on the map Rampart Street'),
    ],
)
def test_a_bad_wish_is_a_problem_with_its_place(game: Game, tmp_path: Path, picture: str, told: str) -> None:
    assert problems_of(game, tmp_path, picture) == [told]


def test_a_good_wish_is_no_problem(game: Game, tmp_path: Path) -> None:
    assert problems_of(game, tmp_path, "{sight: patch, range: [c4, 1, 4], whole: yes}") == []


def test_a_game_without_maps_has_no_pictures(tmp_path: Path) -> None:
    told = problems_of(bundled_game("werecats"), tmp_path, "{sight: tom}", given=False)[-1]

    assert told == "7: picture: the engine of this game draws no pictures of maps; leave it out"


def test_what_is_wished_of_the_end_is_checked_there(game: Game) -> None:
    """Who is not there after the last step is told when the example has been replayed."""
    assert game.module is not None
    trace = replay(game.module, game.facts, Script("NO-EX-1", STREET, ("Ada",), {}, (), {}))

    misfits = list(pictured_misfits({"sight": "patch", "after": {"sight": "nera"}}, game.module, game.facts, trace))

    assert [misfit.at for misfit in misfits] == [("after", "sight", 0)]


def test_an_album_says_which_of_its_squares_is_not_there(game: Game) -> None:
    squares = (AlbumPicture(map="natchez", square="c3"), AlbumPicture(map="natchez", square="c33"))
    album = Album(id="one", title="One", text="T", picture={"sight": "here"}, squares=squares)

    assert [misfit.at for misfit in album_misfits(album, game.module, game.facts)] == [("squares", 1, "square")]


# What pages draw


def test_a_plan_says_in_words_what_it_shows(game: Game, plans: Plans) -> None:
    plan = plans.plan(drawn(game, {"lines": [["minou", "pistoleer-1"]]}))

    assert (
        'aria-label="Rampart Street, a2 to k9. Patch on c4, Minou on d6, Pistoleer 1 on g6 (stunned), '
        'Unknown 1 on i7. Minou on d6 sees Pistoleer 1 on g6, hindered by terrain on e6."'
    ) in plan.svg
    assert plan.who == (("P", "Patch"), ("M", "Minou"), ("p1", "Pistoleer 1"), ("?1", "Unknown 1"))


def test_whatever_a_plan_refers_to_is_on_its_page(game: Game, plans: Plans) -> None:
    wishes = {"sight": ["patch"], "range": ["minou", "4", "12"], "reach": ["patch", "3"], "lines": [["patch", "b2"]]}
    plan = plans.plan(drawn(game, wishes))
    keys = "".join(f'<use href="#k-{sign}"/>' for sign, _ in plan.key)

    page = plan.svg + keys + shared(game, plan.svg, str)
    needed = set(re.findall(r'(?:href="#|url\(#)([\w-]+)', page))

    assert needed <= set(re.findall(r'id="([\w-]+)"', page))
    assert [sign for sign, _ in plan.key] == ["seen", "hindered", "unseen", "range", "dead", "reach"]


def test_figures_are_their_tokens_with_their_signs(game: Game) -> None:
    """Those whose token has a picture, each loaded once; a marker that lies face down shows nothing of what it is."""
    pictured = Plans(game, load_words(), {"marker-minou-front", "marker-pistoleers-front"})
    plan = pictured.plan(drawn(game, {})).svg
    loaded = re.findall(r'<image id="([^"]+)" href="([^"]+)"', shared(game, plan, "faces/{}".format))

    assert sorted(loaded) == [("h-minou", "faces/marker-minou"), ("h-pistoleers", "faces/marker-pistoleers")]
    assert re.search(r'<use href="#h-minou"/><text class="sign tag" [^>]*>\W*M\W*</text>', plan)
    assert '<use href="#p-ours"/>' in plan and '<use href="#p-hidden"/>' in plan and "#h-patch" not in plan


def test_a_page_without_plans_gets_nothing(game: Game) -> None:
    assert shared(game, "<p>#ground-natchez</p>", str) == ""


def test_a_plan_is_cut_to_what_it_is_about(game: Game, plans: Plans) -> None:
    """Two squares around all figures, but not beyond the map, or around squares that are named; or all of the map."""
    assert box_around(game, drawn(game, {})) == (0, 1, 11, 9)
    assert box_around(game, drawn(game, {"around": ["d4", "g6"]})) == (1, 1, 9, 8)
    assert box_around(game, drawn(game, {"whole": True})) == (0, 0, 18, 10)


def test_a_plan_is_light(game: Game, plans: Plans) -> None:
    """Dozens of them stand on a page that weighs 100 KB at most."""
    assert len(plans.plan(drawn(game, {})).svg) < 2_000
    assert len(plans.plan(drawn(game, {"sight": ["patch"]})).svg) < 3_000
    assert len(shared(game, '<use href="#ground-rampart-street"/>', str)) < 8_000


def test_doors_that_were_opened_stand_open(game: Game, plans: Plans) -> None:
    """The map draws its doors as they are at first; where one is otherwise, each is drawn as it stands."""
    assert '<use href="#doors-rampart-street"/>' in plans.plan(drawn(game, {})).svg

    opened = plans.plan(drawn(game, {}, STREET | {"doors": {"c3s": "open"}})).svg

    assert "#doors-" not in opened
    assert '<use href="#p-ajar" transform="translate(20 30)"/>' in opened


def pair(
    game: Game, plans: Plans, *lines: str, wishes: dict[str, Any] | None = None
) -> tuple[Plan | None, Plan | None]:
    assert game.module is not None
    steps = tuple({"Ada": line} for line in lines)
    trace = replay(game.module, game.facts, Script("NO-EX-1", STREET, ("Ada",), {}, steps, {}))
    assert trace.fault is None
    return plans.pair(trace, wishes)


def test_the_end_is_drawn_when_somebody_has_moved(game: Game, plans: Plans) -> None:
    before, after = pair(game, plans, "patch: stride d4 e4; end")

    assert before is not None and after is not None
    assert 'class="line moved" d="M25 35L45 35"' in after.svg
    assert "Patch on e4" in after.svg
    assert "Patch on c4" in before.svg


def test_the_end_is_not_drawn_when_nothing_is_otherwise(game: Game, plans: Plans) -> None:
    before, after = pair(game, plans, wishes={"sight": "patch"})

    assert before is not None
    assert after is None


def test_a_picture_may_be_hidden(game: Game, plans: Plans) -> None:
    assert pair(game, plans, wishes={"hide": "yes"}) == (None, None)


# Albums


def squares_of(path: str, pattern: str) -> set[tuple[int, int]]:
    """The squares that a plan fills with a pattern."""
    runs = re.search(rf'stroke="url\(#p-{pattern}\)" d="([^"]*)"', path)
    found = set()
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)", runs[1] if runs else ""):
        found.update((column, int(y) // 10) for column in range(int(x) // 10, (int(x) + int(width)) // 10))
    return found


def test_albums_have_twenty_squares_each(game: Game) -> None:
    assert {album.id: len(album.squares) for album in albums_of(game)} == {"sight": 20, "range": 20}


def test_a_sign_stays_whoever_leaves_the_map(game: Game) -> None:
    """Murray is Mu from the beginning, since Minou is in the party."""
    heroes = {"minou": {"at": "d6"}, "murray": {"at": "c4"}}
    gone = {"minou": {"place": "left"}, "murray": {"at": "c4"}}

    signs = [[one.sign for one in drawn(game, {}, STREET | {"heroes": party}).figures[:-2]] for party in (heroes, gone)]

    assert signs == [["Mi", "Mu"], ["Mu"]]


def album(squares: tuple[AlbumPicture, ...], **picture: object) -> Album:
    return Album(id="one", title="One", text="T", picture=picture, squares=squares)


def test_a_square_of_which_nothing_is_written_tells_its_numbers(game: Game) -> None:
    """Not once more in the words of the picture, which stands above them."""
    squares = tuple(AlbumPicture(map="bon-temps", square="b2", text=text) for text in (None, "The start."))
    shown = replace(game, parts={"albums": (album(squares, sight="here"),)})

    ((_, _, ((_, bare), (_, described))),) = next(album_views(shown, load_words())).maps

    assert bare.told == described.told
    assert bare.told[0] == "From b2 you see 32 squares, 12 of them hindered."
    assert bare.told[1].startswith("Open doors show 8 squares (between d3 and e3), 8 (between ")
    assert 'aria-label="The Bon Temps, a1 to j10."' in bare.svg
    assert "you see 32 squares" in described.svg


def test_a_range_tells_how_many_squares_it_covers(game: Game) -> None:
    assert drawn(game, {"map": "bon-temps", "range": ["b2", "1", "2", "4"]}, None).told == (
        "From b2, Range 1 covers 5 squares, Range 2 covers 11 and Range 4 covers 19.",
        "The 5 squares at point-blank range are too close for Range 4.",
    )


def test_an_album_names_the_rules_of_each_of_its_squares(game: Game) -> None:
    """A link to each, with its title; f3 is a yellow square, and b2 is none. They come from the engine."""
    squares = tuple(AlbumPicture(map="bon-temps", square=name) for name in ("b2", "f3"))
    nothing: Any = None  # of what makes faces and proofs
    shown = Shown(replace(game, parts={"albums": (album(squares, sight="here"),)}), {}, nothing, nothing, {}, {})
    (view,) = album_views(shown.game, load_words())
    reader = Reader(Map(shown, load_words()), "albums/one.md")

    page = environment().get_template("album.md.j2").render(view=view, title="One", read=reader, map=reader.to)
    rules = [re.findall(r'<a href="([^"]*)" title="([^"]*)">([^<]*)</a>', part) for part in page.split("</figure>")[:2]]

    assert ("../rules-sight.html#NO-LOS-2", "A straight line", "NO-LOS-2") in rules[0]
    assert {id_ for _, _, id_ in rules[1]} - {id_ for _, _, id_ in rules[0]} == {"NO-DRM-8"}


def test_the_album_of_sight_is_what_the_engine_sees(game: Game, plans: Plans) -> None:
    """Every dot, every ring, and the shade over all else."""
    album = next(one for one in albums_of(game) if one.id == "sight")
    for index, one in enumerate(album.squares):
        plan = plans.on_map(wishes_on(album, index))
        assert plan is not None
        board = Board(game.facts["maps"][one.map])
        ways, square = board.ways(board.first_open), board.numbers[one.square]
        seen, hindered = sees(ways, square), sees(ways, square) & hindered_row(ways, square)

        for pattern, mask in (("seen", seen & ~hindered), ("hindered", hindered), ("fog", board.on_map & ~seen)):
            expected = {square_at(board.names[at]) for at in members(mask)}

            assert squares_of(plan.svg, pattern) == expected, (one, pattern)


def test_the_album_of_ranges_is_what_the_engine_covers(game: Game) -> None:
    album = next(one for one in albums_of(game) if one.id == "range")
    for index, one in enumerate(album.squares):
        found = drawn(game, {**wishes_on(album, index), "whole": True}, None)
        board = Board(game.facts["maps"][one.map])
        square = board.numbers[one.square]

        told = {layer.numbers[0]: set(layer.squares) for layer in found.layers if layer.kind == "range"}

        assert told == {
            far: {board.names[at] for at in members(board.in_range(square, far))} for far in (1, 2, 3, 4, 8)
        }
