"""A composer with a memory resolves what has changed alone, and its faces are those of one without."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from games_for_tests import FILES, write_game
from PIL import Image

from grimalkin.content import load_game
from grimalkin.printing.draw.stocks import load_stocks
from grimalkin.printing.face import Composer
from grimalkin.printing.face.face_memory import Memory
from grimalkin.printing.face.templating.sandbox import Sandbox
from grimalkin.printing.sheet.pieces import all_faces
from grimalkin.problems import Problem, Problems

FACE = """\
{% extends "base/face.svg.j2" %}
{% block words %}
<image href="art/{{ card.id }}.png" x="5" y="20" width="20"/>
<textbox name="name" x="5" y="5" width="53" height="10" size="12">{{ card.name }}</textbox>
<textbox name="text" x="5" y="50" width="53" height="20" size="9">{{ card.text }}</textbox>
{% endblock %}
"""
GAME = (
    FILES["game.yaml"]
    .replace("back: plain", "back: rear")
    .replace("      power:", "      text: {type: text, label: text}\n      power:")
)
CARDS = """\
id,name,count,power,mood,text
mouse,Mouse,2,1,calm,Runs. {if mood}Squeaks.{end}
owl,Owl,1,7,,Eats a [[mouse]].
"""
REAR = '{% extends "base/face.svg.j2" %}\n{% block art %}<rect width="9" height="9"/>{% endblock %}\n'
_ages = count(1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = write_game(
        tmp_path / "tiny",
        game_yaml=GAME,
        cards_csv=CARDS,
        faces__plain_svg_j2=FACE,
        **{"faces/rear.svg.j2": REAR, "icons/fish.svg": ICON},
    )
    (made / "art").mkdir()
    for name in ("mouse", "owl"):
        Image.new("RGB", (9, 9), "blue").save(made / "art" / f"{name}.png")
    for path in made.rglob("*"):
        aged(path)
    return made


ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M2 2L9 9L2 9Z"/></svg>'


def aged(path: Path) -> None:
    """A file that was written some time ago, each at another one."""
    when = time.time() - 1000 + next(_ages)
    os.utime(path, (when, when))


class Counted(Composer):
    """Notes the faces that it resolves."""

    def resolve(self, text: str, id_: str, *more: object) -> object:  # type: ignore[override]
        self.resolved = [*getattr(self, "resolved", []), id_]
        return super().resolve(text, id_, *more)  # type: ignore[arg-type]


def composed(folder: Path, memory: Memory | None) -> tuple[list[str], dict[str, str], list[Problem]]:
    """The faces that were resolved, the looks of all there are, and the problems."""
    game = load_game(folder, problems := Problems())
    assert game is not None
    composer = Counted(game, load_stocks(folder, problems), problems, memory=memory)
    looks = {id_: face.fingerprint for id_, face in all_faces(game, composer).items()}
    return getattr(composer, "resolved", []), looks, list(problems)


def written(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        aged(path)

    return change


def painted(folder: Path) -> None:
    Image.new("RGB", (9, 9), "red").save(folder / "art" / "owl.png")
    aged(folder / "art" / "owl.png")


@pytest.mark.parametrize(
    ("change", "resolved"),
    [
        (lambda _: None, ""),
        (written("cards.csv", "Owl,1", "Howl,1"), "owl-front"),
        (written("cards.csv", "Mouse,2", "Shrew,2"), "mouse-front owl-front"),  # the owl's text says its name
        (written("cards.csv", "calm", ""), "mouse-front"),  # its text asks for the mood
        (written("cards.csv", "Owl,1,7", "Owl,1,6"), ""),  # no template says how strong it is
        (written("faces/plain.svg.j2", "{% block words %}", "{# a note #}{% block words %}"), ""),
        (written("faces/plain.svg.j2", 'size="9"', 'size="8"'), "mouse-front owl-front"),
        (written("faces/rear.svg.j2", 'width="9"', 'width="8"'), "mouse-back"),  # the owl's is the same
        (written("icons/fish.svg", "M2 2", "M3 3"), "mouse-front mouse-back owl-front"),
        (written("game.yaml", 'red: "#aa0000"', 'red: "#aa0001"'), ""),
        (painted, "owl-front"),
    ],
)
def test_only_what_changed_is_resolved(folder: Path, change: Callable[[Path], None], resolved: str) -> None:
    """The first time all are, then those that look another way; each looks as a composer without a memory makes it."""
    memory = Memory()
    assert ["mouse-front", "mouse-back", "owl-front"] == composed(folder, memory)[0]
    change(folder)
    again, looks, problems = composed(folder, memory)

    assert resolved.split() == again
    assert composed(folder, None)[1:] == (looks, problems)
    assert not problems


def test_a_fault_is_told_each_time_and_its_face_comes_back(folder: Path) -> None:
    """While the owl's picture is damaged the mouse is remembered, and the problem stays; then the owl is back."""
    memory = Memory()
    _, good, _ = composed(folder, memory)
    sound = (folder / "art" / "owl.png").read_bytes()
    (folder / "art" / "owl.png").write_bytes(sound[:40])
    aged(folder / "art" / "owl.png")

    for _ in range(2):
        resolved, looks, problems = composed(folder, memory)
        assert (["owl-front"], ["the file is cut off or damaged"]) == (resolved, [one.message for one in problems])
        assert "owl-front" not in looks
    (folder / "art" / "owl.png").write_bytes(sound)
    aged(folder / "art" / "owl.png")
    assert ([], good, []) == composed(folder, memory)  # its bytes are those it was resolved with


def test_a_template_is_rendered_again_only_if_something_it_asks_for_changed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two rows that changed, one in a column that no template prints, both are rendered and one is resolved."""
    memory = Memory()
    composed(folder, memory)
    rendered: list[str] = []
    render = Sandbox.render

    def noted(sandbox: Sandbox, file: str, context: dict[str, Any]) -> str:
        rendered.append(f"{context['card']['id']}-{context['side']}")
        return render(sandbox, file, context)

    monkeypatch.setattr(Sandbox, "render", noted)
    assert [] == composed(folder, memory)[0] == rendered
    written("cards.csv", "Owl,1,7", "Owl,1,6")(folder)
    written("cards.csv", "Runs", "Walks")(folder)

    assert ["mouse-front"] == composed(folder, memory)[0]
    assert ["mouse-front", "mouse-back", "owl-front"] == rendered  # whose row is another; the owl has the mouse's back


def test_what_is_wrong_with_a_template_is_told_each_time(folder: Path) -> None:
    """A block that no template has is found where the template is rendered."""
    memory = Memory()
    written("faces/rear.svg.j2", "block art", "block arts")(folder)
    told = [composed(folder, memory)[2] for _ in range(3)]

    assert [['there is no block "arts" in base/face.svg.j2']] * 3 == [[one.message for one in each] for each in told]


def test_a_file_that_was_written_just_now_is_read_again(folder: Path) -> None:
    """Two writes within a moment may leave the same time on a file, so a time that is not past is not believed."""
    memory = Memory()
    when = time.time() + 60
    os.utime(folder / "art" / "owl.png", (when, when))
    composed(folder, memory)
    before = memory.pictures
    assert [] == composed(folder, memory)[0]
    assert before is not None and memory.pictures is not None

    assert before.known["owl.png"] is not memory.pictures.known["owl.png"]
    assert before.known["mouse.png"] is memory.pictures.known["mouse.png"]
