"""Lines of a face as a browser draws them: it has a measure of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from games_for_tests import write_game
from playwright.sync_api import Browser
from test_face import compose, with_words

from grimalkin.content import load_game
from grimalkin.printing.face import standalone_svg
from grimalkin.problems import Problems

pytestmark = pytest.mark.slow("a browser draws a face")

WORDS = "The **bold cats** of the night are looking for :paw: and a\u00a0room, *whoever* may have one. " * 4 + "Now."
ENDS = """texts => Object.values(texts.reduce((lines, text) => {
  const end = text.getEndPositionOfChar(text.textContent.trimEnd().length - 1);
  lines[end.y] = Math.max(lines[end.y] || 0, end.x);
  return lines;
}, {}))"""
"""How far each line of these texts reaches."""


def test_justified_lines_reach_the_edge(tmp_path: Path, browser: Browser) -> None:
    """All but the last, to a twentieth of a millimetre."""
    box = f'<textbox x="2" width="50" height="60" align="justify">{WORDS}</textbox>'
    problems = Problems()
    game = load_game(write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words(box)), problems)
    assert game is not None
    face = compose(game, problems)["mouse-front"]
    assert not problems, list(problems)
    page = browser.new_page()
    page.set_content(standalone_svg(face))
    page.evaluate("document.fonts.ready")
    *filled, last = page.eval_on_selector_all("text", ENDS)
    page.close()

    assert len(filled) > 3
    assert [52] * len(filled) == pytest.approx(filled, abs=0.05)
    assert last < 50
