"""Icons of programs that draw look as they do there; what changes nothing is ignored."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from games_for_tests import write_game
from PIL import Image
from test_face import SVG_ICON, face_problems, with_words
from test_preflight import game_with

from grimalkin.printing.draw.raster import face_png
from grimalkin.printing.face.svg.paths import absolute_path
from grimalkin.printing.face.svg.subset import SVG

GRID = 'viewBox="0 0 24 24"'
INKSCAPE = """<svg
   width="24mm"
   height="24mm"
   viewBox="0 0 24 24"
   version="1.1"
   id="svg1"
   inkscape:version="1.3.2"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns="http://www.w3.org/2000/svg">
  <sodipodi:namedview id="namedview1" pagecolor="#ffffff"/>
  <metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><dc:title
    xmlns:dc="http://purl.org/dc/elements/1.1/">Fish</dc:title></rdf:RDF></metadata>
  <defs
     id="defs1" />
  <g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1">
    <path d="m 2,2 h 20 v 20 z" id="path1" sodipodi:nodetypes="cccc" xml:space="preserve"/>
  </g>
</svg>
"""


RED, INK, PAPER = (255, 0, 0), (29, 26, 38), (255, 255, 255)


@pytest.mark.parametrize(
    ("attributes", "middle", "line"),
    [
        (GRID, INK, INK),
        (f'{GRID} fill="none" stroke="#f00" stroke-width="2"', PAPER, RED),
        (f'{GRID} fill="none" stroke="currentColor" stroke-width="2"', PAPER, INK),
        (f'{GRID} fill="#f00"', RED, RED),
        (f'{GRID} style="fill:none;stroke:red;stroke-width:2px"', PAPER, RED),
        (f'{GRID} stroke="red"', INK, RED),
    ],
)
def test_what_an_icon_passes_on_to_its_shapes_is_drawn(
    tmp_path: Path, attributes: str, middle: tuple[int, int, int], line: tuple[int, int, int]
) -> None:
    """A ring of 24 mm in the middle of a card: what is seen of its middle, and of its line."""
    icon = f'{SVG_ICON} {attributes}>\n<circle cx="12" cy="12" r="9"/></svg>'
    words = '{{ icon("fish", 20, 30, 24, ink) }}'
    game, composer = game_with(tmp_path, words, **{"icons/fish.svg": icon})
    face, _ = composer.faces(game.info.decks[0], game.components["cards"][0])

    assert [] == list(composer.problems)
    assert face is not None
    seen = Image.open(io.BytesIO(face_png(face, 254, square=True))).convert("RGB")
    assert [middle, line] == [seen.getpixel((x, 420)) for x in (320, 407)]


@pytest.mark.parametrize(
    "icon",
    [
        f'{SVG_ICON} {GRID} width="1em" height="1em" class="bi" fill="currentColor" role="img" aria-hidden="true">'
        '<path d="m 2,2 h 20 v 20 z"/></svg>',
        f'{SVG_ICON} {GRID} stroke="none" stroke-width="1" fill-rule="nonzero" preserveAspectRatio="xMidYMid  meet">'
        '<defs/><path d="m 2,2 h 20 v 20 z"/></svg>',
        INKSCAPE,
    ],
)
def test_what_changes_nothing_in_an_icon_is_ignored(tmp_path: Path, icon: str) -> None:
    """A size of its own, what holds anyway, and the notes of the program that drew it."""
    words = '{{ icon("fish", 1, 1, 5, ink) }}'
    _, composer = game_with(tmp_path, words, **{"icons/fish.svg": icon})
    symbol = composer.icons.symbol("fish")

    assert symbol is not None
    (path,) = symbol.iter(f"{{{SVG}}}path")

    assert [] == list(composer.problems)
    assert "M2 2L22 2L22 22L2 2Z" == absolute_path(path.get("d", ""))
    assert {"d", "id"} >= {*path.attrib}


@pytest.mark.parametrize(
    ("element", "told"),
    [
        ("<x:rect xmlns:x='http://a.org' width='9'/>", '<rect> is not drawn; it belongs to "http://a.org", not to'),
        ("<x:note xmlns:x='http://a.org'/>", '<note> is not drawn; it belongs to "http://a.org", not to SVG'),
        (
            "<use xmlns:xlink='http://www.w3.org/1999/xlink' xlink:href='#a'/>",
            '<use> has no attribute "href" from another namespace; write href without a prefix',
        ),
        ("<metadata><title>Fish</title></metadata>meow", 'the text "meow" is between elements'),
    ],
)
def test_what_belongs_to_no_program_that_we_know_is_a_problem(tmp_path: Path, element: str, told: str) -> None:
    """It may be meant as a drawing; a name of SVG that is alike is no help."""
    problems = face_problems(write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words(element)))

    assert any(told in problem for problem in problems), problems
    assert not any("did you mean" in problem for problem in problems)


def test_a_face_holds_no_notes_of_a_program(tmp_path: Path) -> None:
    """A drawing pasted from Inkscape is drawn as it would be without them."""
    pasted = INKSCAPE[INKSCAPE.index("  <sodipodi") : INKSCAPE.index("</svg>")]
    spaces = re.findall(r'xmlns:\w+="[^"]+"', INKSCAPE)[:2]
    head = '<svg xmlns="http://www.w3.org/2000/svg">'
    plain = head + '<defs id="defs1"/><g id="layer1"><path d="m 2,2 h 20 v 20 z" id="path1"/></g></svg>'
    svgs = []
    for name, text in (("a", plain), ("b", head.replace(">", f" {' '.join(spaces)}>") + pasted + "</svg>")):
        game, composer = game_with(tmp_path / name, "", faces__plain_svg_j2=text)
        face, _ = composer.faces(game.info.decks[0], game.components["cards"][0])
        assert face is not None, list(composer.problems)
        svgs.append(face.svg)

    assert svgs[0] == svgs[1]
