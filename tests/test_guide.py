"""The designers' guide: its smallest game, typed in as it stands, builds; its lists are whole."""

from __future__ import annotations

import re
from pathlib import Path

from grimalkin.cli import main
from grimalkin.face.fonts import font_paths
from grimalkin.face.subset import ELEMENTS, TEXTBOX
from grimalkin.source import data_folder

GUIDE = data_folder("site") / "docs" / "guide" / "your-own-game.md"


def test_the_smallest_game_of_the_guide_builds(tmp_path: Path, monkeypatch) -> None:
    """Every file the guide shows, under the name it gives, and nothing else."""
    text = GUIDE.read_text(encoding="utf-8")
    files = re.findall(r"`my-game/([\w./]+)`[^\n]*\n\n```\w+\n(.*?)```", text, re.DOTALL)
    assert {"game.yaml", "cards.csv", "rules.yaml", "faces/card.svg.j2", "faces/back.svg.j2"} == {n for n, _ in files}
    for name, content in files:
        path = tmp_path / "my-game" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    assert 0 == main(["build", "./my-game"])
    assert (tmp_path / "output" / "sheets" / "my-game" / "my-game-letter.pdf").is_file()


def test_the_guide_names_everything_a_template_may_use() -> None:
    """Each element of the subset, each attribute of a text box, each stock and each font family."""
    text = GUIDE.read_text(encoding="utf-8")
    stocks = {path.stem for path in (data_folder("templates") / "stocks").glob("*.yaml")}
    families = {re.sub(r"(ExtraLight|Light|Semibold|Bold|Black)?(It)?$", "", name) for name in font_paths()}
    for word in {*ELEMENTS, *TEXTBOX, *stocks, *families} - {"svg"}:
        assert f"`{word}`" in text, word
