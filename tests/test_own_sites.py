"""The site of a designer's own games is theirs, and the guide is a site of its own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from games_for_tests import write_game
from shown import show

from grimalkin.cli import main
from grimalkin.problems import Problems
from grimalkin.site.pages import ADDRESSES, build_guide, build_site
from grimalkin.site.pages.templates import load_words
from grimalkin.source import data_folder

pytestmark = pytest.mark.slow("builds sites")

SEEN = re.compile(r'<[a-z][^<>]* (?:href|src)="([^"#]+)(?:#([^"]*))?"')


def built(target: Path, *folders: Path) -> Path:
    """The site of these games."""
    problems = Problems()
    target.mkdir()

    build_site([show(folder) for folder in folders], target, problems)

    assert list(problems) == []
    return target


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a game that does not come with Grimalkin."""
    folder = tmp_path_factory.mktemp("own")
    return built(folder / "built", write_game(folder / "tiny"))


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The guide as a site."""
    target, problems = tmp_path_factory.mktemp("guide"), Problems()
    build_guide(target, problems)

    assert list(problems) == []
    return target


def dead(site: Path) -> list[tuple[str, str]]:
    """Every link and picture of a site that leads nowhere, by page."""
    found = []
    for page in sorted(site.rglob("*.html")):
        for path, anchor in SEEN.findall(page.read_text("utf-8")):
            if path.startswith(("http", "data:")):
                continue
            to = site / path[1:] if path.startswith("/") else page.parent / path
            if not to.is_file() or (anchor and f'id="{anchor}"' not in to.read_text("utf-8")):
                found.append((page.name, path))
    return found


def test_the_site_of_a_game_is_the_designers(own: Path) -> None:
    """It has the pages of the game, a home page and one for what is lost; nothing in it is about Grimalkin."""
    pages = {path.relative_to(own).as_posix(): path.read_text("utf-8") for path in own.rglob("*.html")}
    words = load_words()

    assert {path for path in pages if not path.startswith("tiny/")} == {"index.html", "404.html"}
    assert not (own / "pictures").exists()
    for path, text in pages.items():
        if f"/{ADDRESSES}/" in path:  # it has no footer
            assert "Grimalkin" not in text, path
            continue
        assert text.count("Grimalkin") == text.count(words["made-with"]) == 1, path
        assert words["motto"] not in text, path
        assert "guide" not in text, path
        assert "decisions" not in text, path
        assert re.search(r'class="brand" aria-label="Tiny" .*<span>Tiny</span>', text), path


def test_no_link_of_such_a_site_is_dead(own: Path) -> None:
    assert dead(own) == []


def test_its_home_page_shows_the_game(own: Path) -> None:
    """Title, tagline, summary, cover and inks are there, with the way to each kind of pages."""
    text = (own / "index.html").read_text("utf-8")

    assert "<title>Tiny</title>" in text
    assert "<title>Overview · Tiny</title>" in (own / "tiny" / "index.html").read_text("utf-8")
    assert "<title>Terms · Tiny</title>" in (own / "tiny" / "terms.html").read_text("utf-8")
    assert "--ink-day:#aa0000" in text
    for told in ("A game for tests", "Nothing happens here.", 'src="tiny/faces/mouse-front.svg"', "1–2 players"):
        assert told in text
    ways = re.findall(r'<a href="([^"]+)">[^<]+\?</a>', text)
    assert {"tiny/components.html", "tiny/terms.html"} <= {*ways}
    behind = re.findall(r'</svg><p><a href="([^"]+)">([^<]+)</a>', text)
    assert [
        ("tiny/rules.html", "Look up"),
        ("tiny/downloads.html", "Print"),
    ] == behind


def test_its_search_has_nothing_but_the_game(own: Path) -> None:
    """No file is promised for pages outside of games, and no list offers them."""
    head = json.loads((own / "assets" / "search-index.js").read_text("utf-8").partition("=")[2].strip().rstrip(";"))

    assert "rest" not in head["said"]
    assert [name for name, _ in head["games"]] == ["tiny"]
    assert not (own / "assets" / "found" / "site.js").exists()


def test_a_game_may_have_a_mark(tmp_path: Path, own: Path) -> None:
    """An icon called mark stands beside the title and in the tabs of browsers, on the colour of the first ink."""
    icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1H8V8Z"/></svg>'
    site = built(tmp_path / "built", write_game(tmp_path / "tiny", **{"icons/mark.svg": icon}))
    badge = (site / "assets" / "mark.svg").read_text("utf-8")

    assert 'd="M1 1H8V8Z"' in badge
    assert 'viewBox="0 0 9 9"' in badge
    assert 'd="M1 1H8V8Z"' in (site / "index.html").read_text("utf-8")
    assert 'd="M1 1H8V8Z"' not in (own / "assets" / "mark.svg").read_text("utf-8")


def test_several_own_games_share_a_home_page(tmp_path: Path) -> None:
    site = built(tmp_path / "built", *(write_game(tmp_path / name) for name in ("tiny", "small")))
    text = (site / "index.html").read_text("utf-8")

    assert dead(site) == []
    assert text.count('<section class="game bare"') == 2
    assert re.search(r"<h1[^>]*>Games</h1>", text)
    assert load_words()["motto"] not in text


def test_the_guide_is_a_site_of_its_own(guide: Path) -> None:
    """All its pages are there, listed on the first; no link is dead, and there is nothing but the guide."""
    names = {path.stem for path in (data_folder("site") / "docs" / "guide").glob("*.md")}
    text = (guide / "index.html").read_text("utf-8")

    assert {path.stem for path in (guide / "guide").glob("*.html")} == names
    assert {path.name for path in guide.glob("*.html")} == {"index.html", "404.html"}
    assert names == {*re.findall(r'<li><a href="guide/([a-z-]+)\.html">[^<]+</a>: ', text)}
    assert not (guide / "decisions").exists()
    assert dead(guide) == []
    assert (guide / "assets" / "found" / "site.js").is_file()


def test_a_command_makes_the_guide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], short_guide: None
) -> None:
    """It stands beside other output, is replaced by the next, and says what to open."""
    monkeypatch.chdir(tmp_path)

    assert main(["guide"]) == 0
    assert "open output/guide/index.html" in capsys.readouterr().out
    (tmp_path / "output" / "guide" / "mine.txt").write_text("notes")
    assert main(["guide"]) == 0
    assert (tmp_path / "output" / "kept" / "guide" / "mine.txt").read_text() == "notes"
    (tmp_path / "other" / "guide").mkdir(parents=True)
    (tmp_path / "other" / "guide" / "theirs.txt").write_text("theirs")
    assert main(["guide", "--output", "other"]) == 1
    assert "was not made by Grimalkin" in capsys.readouterr().err
