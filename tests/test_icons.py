"""Icons of programs that draw: what would be lost is a problem, what changes nothing is ignored."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from games_for_tests import write_game
from test_face import SVG_ICON, face_problems, with_words
from test_preflight import game_with

from grimalkin.face.paths import absolute_path
from grimalkin.face.subset import SVG

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


@pytest.mark.parametrize(
    ("attributes", "line", "told"),
    [
        (
            f'{GRID}\n fill="none" stroke="#000" stroke-width="2"',
            2,
            'fill="none", stroke="#000" and stroke-width="2" of the <svg> are not drawn; '
            'write <g fill="none" stroke="#000000" stroke-width="2"> around the shapes',
        ),
        (f'\n{GRID}\nfill="#f00"', 3, 'of the <svg> is not drawn; write <g fill="#ff0000"> around the shapes'),
        (f'stroke="currentColor" {GRID}', 1, 'is not drawn; write <g stroke="currentColor"> around the shapes'),
        (f'fill-rule="evenodd" {GRID}', 1, 'is not drawn; write <g fill-rule="evenodd"> around the shapes'),
        (f'transform="scale(2)" {GRID}', 1, 'is not drawn; write <g transform="scale(2)"> around the shapes'),
        (f'{GRID} style="fill:red"', 1, "of the <svg> is not drawn; there are no styles; write attributes"),
        (f'{GRID} opacity="0.5"', 1, 'of the <svg> is not drawn; write <g opacity="0.5"> around the shapes'),
        (f'{GRID} preserveAspectRatio="none"', 1, "of the <svg> is not drawn; leave out preserveAspectRatio"),
    ],
)
def test_what_an_icon_would_pass_on_to_its_shapes_is_a_problem(
    tmp_path: Path, attributes: str, line: int, told: str
) -> None:
    """With the line of the first of them: a ring would print as a disc."""
    icon = f'{SVG_ICON} {attributes}>\n<circle cx="12" cy="12" r="9"/></svg>'
    words = with_words('{{ icon("fish", 1, 1, 5, ink) }}')
    problems = face_problems(write_game(tmp_path / "tiny", **{"faces__plain_svg_j2": words, "icons/fish.svg": icon}))

    assert 1 == len(problems), problems
    assert problems[0].startswith(f"icons/fish.svg:{line}: ")
    assert told in problems[0]


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
        ("<x:rect xmlns:x='http://a.org' width='9'/>", '<rect> is not drawn; it belongs to "http://a.org" and not to'),
        ("<x:note xmlns:x='http://a.org'/>", '<note> is not drawn; it belongs to "http://a.org" and not to SVG'),
        (
            "<use xmlns:xlink='http://www.w3.org/1999/xlink' xlink:href='#a'/>",
            '<use> has no attribute "href" of another namespace; write href without a prefix',
        ),
        ("<metadata><title>Fish</title></metadata>meow", 'the text "meow" stands between elements'),
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
