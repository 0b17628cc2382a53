"""What a build depends on: everything that has a say in its bytes changes its key, and nothing else does."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from games_for_tests import write_game

from grimalkin.output import unchanged
from grimalkin.output.unchanged import Order
from grimalkin.printing.draw.condition import Condition, Profile
from grimalkin.printing.sheet.settings import Printer, Settings
from grimalkin.source import content_fingerprint, files_digest

PAPERS = ("a4", "letter")
OTHER = {
    "backs": "fold",
    "flip": "short",
    "same_backs_once": True,
    "gutter": 0.0,
    "margin": 7.0,
    "marks": "dots",
    "inks": "low",
    "cover": False,
    "start_at": 2,
    "skip_slots": frozenset({1}),
    "cutter": "cricut",
    "cut_files": ("pdf",),
    "printer": Printer("office", back_x=0.1),
    "condition": Condition("cmyk", Profile("coated", "0" * 64, b"")),
    "scale": 95.0,
    "back_bleed": 3.0,
    "mirror": True,
    "labels": "avery-5160",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_game(tmp_path / "tiny")


def key_of(folder: Path, papers: tuple[str, ...] = PAPERS, settings: Settings = Settings()) -> str:  # noqa: B008
    """What the sheets and pictures of the game depend on."""
    return Order([folder], papers, settings).keys()[folder.name]


@pytest.mark.parametrize("name", [field.name for field in fields(Settings)])
def test_every_setting_changes_the_key(folder: Path, name: str) -> None:
    """A setting that is missing in OTHER is new, and needs its line there."""
    changed = replace(Settings(), **{name: OTHER[name]})

    assert key_of(folder) != key_of(folder, settings=changed)


def test_papers_change_the_key(folder: Path) -> None:
    """A build for A4 alone is not a build for both papers."""
    assert key_of(folder) != key_of(folder, ("a4",))


@pytest.mark.parametrize(
    ("file", "seen"),
    [
        ("cards.csv", True),
        ("rules.yaml", True),
        ("examples/one.yaml", True),
        ("faces/plain.svg.j2", True),
        ("faces/parts/eye.svg.j2", True),
        ("faces/words.txt", True),
        ("more.CSV", True),
        ("stocks/odd.svg", True),
        ("icons/owl.svg", True),
        ("stocks/odd.yaml", True),
        ("papers/odd.yaml", False),
        ("shops/odd.yaml", False),
        ("cutters/odd.yaml", False),
        ("versions/1.0.json", False),
    ],
)
def test_every_file_that_is_read_changes_the_key(folder: Path, file: str, seen: bool) -> None:
    """Papers and cutting templates change what is built, and not how the cards look."""
    before = key_of(folder), content_fingerprint(folder)
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("something else")
    after = key_of(folder), content_fingerprint(folder)

    assert before[0] != after[0]
    assert seen == (before[1] != after[1])


@pytest.mark.parametrize(
    "written", ["file: t/birds.csv", "file: 't/birds.csv'  # all", "{file: t/birds.csv, face: bird}", '["t/birds.csv"]']
)
def test_a_table_in_a_subfolder_counts_if_it_is_named(folder: Path, written: str) -> None:
    (folder / "t").mkdir()
    (folder / "t" / "birds.csv").write_text("id\nowl\n")
    (folder / "t" / "mice.csv").write_text("id\nshrew\n")
    before = content_fingerprint(folder)
    game = folder / "game.yaml"
    game.write_text(game.read_text("utf-8") + f"# {written}\nmore:\n  - {written}\n")
    named = content_fingerprint(folder)
    (folder / "t" / "mice.csv").write_text("id\nvole\n")

    assert before != named == content_fingerprint(folder)
    (folder / "t" / "birds.csv").write_text("id\nhen\n")
    assert named != content_fingerprint(folder)


@pytest.mark.parametrize(
    "written", ["/etc/x.csv", "../x.csv", "t/" + "a" * 5_000 + ".csv", "t/\0.csv", "t/c.csv/d.csv"]
)
def test_a_strange_path_in_game_yaml_does_no_harm(folder: Path, written: str) -> None:
    game = folder / "game.yaml"
    game.write_text(game.read_text("utf-8") + f"more: '{written}'\n")

    assert content_fingerprint(folder) == content_fingerprint(folder)


@pytest.mark.parametrize("file", ["notes/todo.txt", "output/x.pdf", ".DS_Store", ".cards.csv.swp", "faces/.eye.j2~"])
def test_what_is_not_read_does_not(folder: Path, file: str) -> None:
    """Nor does a table whose lines end as Windows ends them."""
    before = key_of(folder), content_fingerprint(folder)
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("something")
    table = folder / "cards.csv"
    table.write_bytes(table.read_bytes().replace(b"\n", b"\r\n"))

    assert before == (key_of(folder), content_fingerprint(folder))


def test_links_are_followed_inside_the_folder(folder: Path, tmp_path: Path) -> None:
    """An icon in a folder that is a link, and in one below it, counts like any other; what lies elsewhere does not."""
    for place, counts in ((folder / "art", True), (tmp_path / "elsewhere", False)):
        (place / "more").mkdir(parents=True)
        (folder / "icons").symlink_to(place)
        before = content_fingerprint(folder)
        (place / "more" / "owl.svg").write_text("<svg/>")

        assert counts == (before != content_fingerprint(folder))
        (folder / "icons").unlink()


def test_a_file_that_is_a_link_counts_wherever_it_leads_inside(folder: Path) -> None:
    """To a folder that itself does not count, for instance."""
    (folder / "drafts").mkdir()
    (folder / "icons").mkdir()
    (folder / "drafts" / "owl.svg").write_text("")
    (folder / "icons" / "owl.svg").symlink_to(folder / "drafts" / "owl.svg")
    before = content_fingerprint(folder)
    (folder / "drafts" / "owl.svg").write_text("<svg/>")

    assert before != content_fingerprint(folder)


def test_a_digest_tells_where_a_file_ends(tmp_path: Path) -> None:
    """One file that holds what two do, with the name of the second between, is not these two."""
    for folder, files in (("one", {"a": b"1b\0002"}), ("two", {"a": b"1", "b": b"2"})):
        (tmp_path / folder).mkdir()
        for name, data in files.items():
            (tmp_path / folder / name).write_bytes(data)

    assert files_digest([tmp_path / "one"]) != files_digest([tmp_path / "two"])


@pytest.mark.parametrize("library", ["reportlab", "ezdxf", "font-source-sans-pro"])
def test_another_version_of_a_library_or_font_changes_the_key(
    folder: Path, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fonts are found by their entry point, so that a designer's own font counts too."""
    before = key_of(folder)
    real = unchanged.distribution
    unchanged._program.cache_clear()
    other = SimpleNamespace(read_text=lambda _: "Version: 0")
    monkeypatch.setattr(unchanged, "distribution", lambda name: other if name == library else real(name))
    after = key_of(folder)
    unchanged._program.cache_clear()

    assert before != after


@pytest.mark.parametrize("name", ["sys.version", "zlib.ZLIB_RUNTIME_VERSION"])
def test_another_python_changes_the_key(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may compress the same data to other bytes."""
    before = key_of(folder)
    unchanged._program.cache_clear()
    monkeypatch.setattr(name, "0")
    after = key_of(folder)
    unchanged._program.cache_clear()

    assert before != after


@pytest.mark.parametrize(("kind", "game", "build"), [("templates", True, True), ("site", False, True)])
def test_templates_and_pages_change_the_key(
    folder: Path, kind: str, game: bool, build: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Templates are drawn on by every game; the site's own pages matter to the site alone."""
    before = key_of(folder), Order([folder]).key()
    real = unchanged.files_digest
    unchanged._program.cache_clear()
    monkeypatch.setattr(
        unchanged, "files_digest", lambda folders: "changed" if folders[0].name == kind else real(folders)
    )
    after = key_of(folder), Order([folder]).key()
    unchanged._program.cache_clear()

    assert (game, build) == (before[0] != after[0], before[1] != after[1])
