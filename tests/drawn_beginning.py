"""Pictures for the first page of the guide: a card of a new game, and the same card after the changes of that page."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from drawn_layouts import picture_of
from PIL import Image

from grimalkin.cli import main
from grimalkin.content import load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.face import Composer
from grimalkin.problems import Problems
from grimalkin.source import data_folder

SHOWN = data_folder("site") / "docs" / "pictures" / "beginning"
CHANGES = (
    ("cats.csv", "The Stowaway", "The Night Watch"),
    ("game.yaml", "#1f5a5e", "#8a2f3b"),
    ("faces/cat.svg.j2", 'r="19.6"', 'r="21"'),
)
"""What the page changes: file, before and after."""


def drawn() -> dict[str, Image.Image]:
    """The first card as `grimalkin new` makes it, and after all changes."""
    with TemporaryDirectory() as parent:
        folder = Path(parent) / "my-game"
        assert main(["new", str(folder), "--title", "My Game"]) == 0
        before = _first_card(folder)
        for name, old, new in CHANGES:
            text = (folder / name).read_text("utf-8")
            assert text.count(old) == 1, (name, old)
            (folder / name).write_text(text.replace(old, new), "utf-8")
        return {"before": before, "after": _first_card(folder)}


def _first_card(folder: Path) -> Image.Image:
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None, list(problems)
    deck = game.info.decks[0]
    front, _ = Composer(game, load_stocks(folder, problems), problems).faces(deck, game.components[deck.id][0])
    assert front is not None
    assert not list(problems), list(problems)
    return picture_of(front)
