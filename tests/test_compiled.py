"""Templates that an earlier run compiled: they change nothing but the time, and only safe files are run."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from games_for_tests import write_game
from test_face import compose, with_words

from grimalkin.content import load_game
from grimalkin.printing.face.templating import template_cache
from grimalkin.printing.face.templating.sandbox import Sandbox
from grimalkin.printing.face.templating.template_cache import CompiledTemplates, compiled_templates
from grimalkin.printing.face.templating.template_trees import Parsed
from grimalkin.problems import Problems
from grimalkin.source import data_folder

posix = pytest.mark.skipif(os.name == "nt", reason="Windows has neither owner nor mode of files")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder for compiled templates."""
    made = tmp_path / "compiled"
    made.mkdir(mode=0o700)
    return made


def environment(tmp_path: Path, kept: Path, **templates: str) -> Sandbox:
    """An environment with these templates, which keeps what it compiles."""
    faces = tmp_path / "faces"
    faces.mkdir(exist_ok=True)
    for name, text in templates.items():
        (faces / name).write_text(text)
    return Sandbox([faces], True, CompiledTemplates(kept, b"a compiler"))


def never(*_arguments: object, **_more: object) -> Any:
    raise AssertionError("a template is compiled")


def test_what_was_compiled_is_not_compiled_again(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next run finds the code and the shape of each template, and counts the same turns.

    What is constant is worked out when it is rendered, and costs the same then.
    """
    constant = '{{ "' + "a" * 20_000 + '"|replace("' + "b" * 500 + '", "c")|length }}'  # 40,000 turns to work out
    templates = {
        "t": '{% extends "base" %}{% block art %}{% include "part" %}{{ x }}{% endblock %}stray',
        "base": "{% for i in range(90000) %}{% endfor %}{% block art %}{% endblock %}",
        "part": "{% block inner %}<{% endblock %}" + constant,
    }
    first = environment(tmp_path, folder, **templates)
    written = first.render("t", {"x": "&"})
    monkeypatch.setattr(Sandbox, "_generate", never)
    second = environment(tmp_path, folder)

    assert written == second.render("t", {"x": "&"}) == "<20000&amp;"
    assert first.budget.turns == second.budget.turns
    assert first.parsed == second.parsed
    assert ["art"] == list(second.parsed["t"].outermost)
    assert 1 == second.parsed["t"].loose


@pytest.mark.slow("compiles all templates")
def test_shapes_of_our_own_templates_are_kept(folder: Path) -> None:
    """What a file says of a template's shape is what compiling it says."""
    faces = data_folder("templates") / "faces"
    names = sorted(path.relative_to(faces).as_posix() for path in faces.rglob("*.j2"))
    shapes: list[dict[str, Parsed]] = []
    for kept in (None, CompiledTemplates(folder, b""), CompiledTemplates(folder, b"")):
        sandbox = Sandbox([faces], True, kept)
        for name in names:
            sandbox.get_template(name)
        shapes.append(sandbox.parsed)

    assert len(names) > 10
    assert len(names) == len(list(folder.iterdir()))
    assert shapes[0] == shapes[1] == shapes[2]


def test_faces_and_faults_are_the_same_with_and_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a game whose template writes a block in vain, and of one that fails at a line."""
    told: list[object] = []
    for place in ("off", str(tmp_path / "cache"), str(tmp_path / "cache")):
        monkeypatch.setenv("GRIMALKIN_CACHE", place)
        for name, words in (("vain", "{% block hat %}{% endblock %}"), ("wrong", "\n\n{{ card.claw }}"), ("right", "")):
            problems = Problems()
            template = with_words(words) if name != "vain" else with_words("") + words
            game = load_game(write_game(tmp_path / name, faces__plain_svg_j2=template), problems)
            assert game is not None
            faces = compose(game, problems)
            told.append([{id_: face.svg for id_, face in faces.items() if face}, [str(one) for one in problems]])
    without, cold, warm = told[:3], told[3:6], told[6:]

    assert without == cold == warm
    assert any((tmp_path / "cache" / "templates").iterdir())
    assert 'there is no block "hat"' in str(without[0])
    assert 'there is no "claw" here' in str(without[1])


def shorter(data: bytes) -> bytes:
    return data[:-1]


def one_bit_off(data: bytes) -> bytes:
    return data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]


@pytest.mark.parametrize(
    "damage", [shorter, one_bit_off, lambda _: b"", lambda data: data + b"x", lambda _: b"#" * 999]
)
def test_a_damaged_file_is_compiled_anew(tmp_path: Path, folder: Path, damage: Callable[[bytes], bytes]) -> None:
    """And is whole afterwards."""
    environment(tmp_path, folder, t="{{ x }}!").render("t", {"x": 1})
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(damage(whole))

    assert "2!" == environment(tmp_path, folder).render("t", {"x": 2})
    assert whole == file.read_bytes()


def test_a_file_serves_one_template_and_one_compiler(tmp_path: Path, folder: Path) -> None:
    """Another text, another file of the same text, other settings, another sandbox: each is compiled."""
    environment(tmp_path, folder, t="{{ x }}", u="{{ x }}?").render("t", {"x": "<"})
    (file,) = folder.iterdir()
    first = file.read_bytes()

    assert "&lt;!" == environment(tmp_path, folder, t="{{ x }}!").render("t", {"x": "<"})
    assert first != file.read_bytes()
    assert [file] == list(folder.iterdir())

    environment(tmp_path, folder).render("u", {"x": 1})
    (other,) = set(folder.iterdir()) - {file}
    file.write_bytes(other.read_bytes())

    assert "1!" == environment(tmp_path, folder).render("t", {"x": 1})

    faces = [tmp_path / "faces"]

    assert "<!" == Sandbox(faces, False, CompiledTemplates(folder, b"a compiler")).render("t", {"x": "<"})
    assert "&lt;!" == environment(tmp_path, folder).render("t", {"x": "<"})

    before = file.read_bytes()
    Sandbox(faces, True, CompiledTemplates(folder, b"another compiler")).render("t", {"x": "<"})

    assert before != file.read_bytes()


@posix
def test_code_that_others_may_have_written_is_not_run(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither out of a folder nor out of a file that is somebody else's, or that others may write."""
    monkeypatch.setenv("GRIMALKIN_CACHE", str(tmp_path / "cache"))
    safe = compiled_templates()
    assert safe is not None

    assert 0o700 == stat.S_IMODE(safe.cache.folder.stat().st_mode)

    for mode in (0o770, 0o707, 0o1777):
        safe.cache.folder.chmod(mode)

        assert compiled_templates() is None

    safe.cache.folder.rmdir()
    safe.cache.folder.symlink_to(folder)

    assert compiled_templates() is None

    environment(tmp_path, folder, t="{{ x }}").render("t", {"x": 1})
    (file,) = folder.iterdir()

    assert 0o600 == stat.S_IMODE(file.stat().st_mode)

    file.chmod(0o620)
    with monkeypatch.context() as patch:
        patch.setattr(Sandbox, "_generate", never)
        with pytest.raises(AssertionError, match="is compiled"):
            environment(tmp_path, folder).render("t", {"x": 1})
    file.chmod(0o600)
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    monkeypatch.setattr(Sandbox, "_generate", never)
    with pytest.raises(AssertionError, match="is compiled"):
        environment(tmp_path, folder).render("t", {"x": 1})


def test_what_cannot_be_kept_is_not_kept(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk, a folder that is gone, a file in its place, no home: sheets are made all the same."""

    def full(*_arguments: object) -> Any:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)

        assert "1" == environment(tmp_path, folder, t="{{ x }}").render("t", {"x": 1})
    assert [] == list(folder.iterdir())

    gone = environment(tmp_path, folder, t="{{ x }}")
    folder.rmdir()

    assert "1" == gone.render("t", {"x": 1})

    (tmp_path / "file").write_text("")
    for place in ("off", str(tmp_path / "file"), str(tmp_path / "file" / "below")):
        monkeypatch.setenv("GRIMALKIN_CACHE", place)

        assert compiled_templates() is None


def test_files_do_not_pile_up(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When there are too many all of ours go; what is not ours stays."""
    monkeypatch.setattr(template_cache, "MOST_FILES", 3)
    (folder / "mine.txt").write_text("mine")
    sandbox = environment(tmp_path, folder, **{name: name for name in "abcd"})
    counts = []
    for name in "abcd":
        sandbox.render(name, {})
        counts.append(len(list(folder.iterdir())))

    assert [2, 3, 4, 2] == counts
    assert (folder / "mine.txt").is_file()
