"""The built site: strict, whole without the internet, light, and the same at every build."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
import reference
from fontTools.ttLib import TTFont
from games_for_tests import FILES, write_game
from shown import bundled_pages, show, site_of, stand_in, watched, watched_pages
from soak import MORE, SMALLEST, sample
from told import Reader

from grimalkin.build import build
from grimalkin.cli import _parser
from grimalkin.output.unchanged import Order
from grimalkin.printing.face.svg.subset import ATTRIBUTES, ELEMENT_WORDS, FIELD, QR, TEXTBOX
from grimalkin.printing.face.templating.allowed import FILTERS
from grimalkin.problems import Problems, Stop
from grimalkin.site.pages import build_site
from grimalkin.source import bundled_games, data_folder

pytestmark = pytest.mark.slow("builds the site of all games")

LOADED = {"link": "href", "script": "src", "img": "src", "source": "src", "iframe": "src", "object": "data"}
SELDOM = {"sans-italic.woff2": "<em>", "hand.woff2": 'class="hand"', "line.woff2": 'class="line"'}
"""Fonts that a browser loads only for pages that have this."""


UNSAID = ("li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "colgroup")
"""Elements whose end needs not be said. That of a paragraph is said by whatever begins or ends around it.

https://html.spec.whatwg.org/multipage/syntax.html#optional-tags
"""
VOID = ("meta", "link", "img", "br", "hr", "input", "source", "col", "wbr", "area", "base", "embed", "track")
BLOCK = re.compile(
    r"h[1-6r]|p|[uod]l|li|d[td]|t(able|head|body|r|h|d)|div|pre|form|details|summary|dialog|fig(ure|caption)|article"
    r"|aside|section|nav|main|header|footer|fieldset|blockquote"
)
"""Elements before which a paragraph ends."""


class Page(HTMLParser):
    """What a page loads, where it leads, the anchors it has, and what of its tags is not in its place."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.leads: list[str] = []
        self.anchors: list[str] = []
        self.unnamed: list[str] = []
        self.open: list[str] = []
        self.stray: list[str] = []
        self.feed(path.read_text("utf-8"))
        self.stray += self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        if tag in LOADED and has.get(LOADED[tag]):
            self.loads.append(has[LOADED[tag]] or "")
        if tag == "a" and has.get("href"):
            self.leads.append(has["href"] or "")
        if has.get("id"):
            self.anchors.append(has["id"] or "")
        if tag == "img" and "alt" not in has:
            self.unnamed.append(str(has.get("src")))
        if BLOCK.fullmatch(tag) and self.open[-1:] == ["p"]:
            self.open.pop()
        if tag not in (*VOID, *UNSAID):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in UNSAID:
            return
        if tag != "p" and self.open[-1:] == ["p"]:
            self.open.pop()
        if self.open[-1:] == [tag]:
            self.open.pop()
        else:
            self.stray.append(f"</{tag}> in line {self.getpos()[0]}")


def every_page(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html"))}


def test_nothing_comes_from_another_host(site: Path) -> None:
    """No page, style sheet or script names an address to load from."""
    for path, page in every_page(site).items():
        assert [url for url in page.loads if re.match(r"[a-z]+:|//", url)] == [], path
    for path in site.rglob("*.css"):
        urls = re.findall(r"url\(\"?([^)\"]*)", path.read_text("utf-8"))
        assert [url for url in urls if re.match(r"https?:|//", url)] == [], path
        assert "@import" not in path.read_text("utf-8")
    for path in site.rglob("*.svg"):
        assert not re.search(r'(href|src)="(?!#)|url\((?!data:|#)', path.read_text("utf-8")), path


def test_every_link_and_picture_leads_somewhere(site: Path) -> None:
    """Also those that mkdocs does not check, because they are HTML."""
    found = every_page(site)
    for path, page in found.items():
        if path.name == "404.html":
            continue  # it is shown at any address, and finds the site by itself; see the browser tests
        for url in (*page.loads, *page.leads):
            target, _, anchor = url.partition("#")
            if target.startswith(("http", "mailto:")):
                continue
            there = (path.parent / target).resolve() if target else path

            assert there.is_file(), f"{path}: {url}"
            if anchor and there.suffix == ".html":
                assert anchor in found[there].anchors, f"{path}: {url}"


def test_anchors_are_unique_and_pictures_are_named(site: Path) -> None:
    for path, page in every_page(site).items():
        assert len(set(page.anchors)) == len(page.anchors), path
        assert page.unnamed == [], path


def test_every_tag_has_its_place(site: Path) -> None:
    """What begins ends, in the order of its nesting, and nothing else ends."""
    assert {path: page.stray for path, page in every_page(site).items() if page.stray} == {}


def test_no_markup_is_left_as_text(site: Path) -> None:
    """What gives a paragraph its class is never read by a visitor."""
    for path in sorted(site.rglob("*.html")):
        text = re.sub(r"<(pre|code)\b.*?</\1>", "", path.read_text("utf-8"), flags=re.DOTALL)

        assert re.findall(r"\{:[^}]*\}", text) == [], path


def test_pages_are_light(site: Path) -> None:
    """A page without its pictures weighs at most 100 KB, fonts, styles and scripts included, nothing compressed.

    But for the page that holds all rules of a game with very many: it is made for print, and whoever links it says so.
    And a playthrough tells every step, with its map: it may have 250 KB.
    """
    fonts = {path.name: path.stat().st_size for path in (site / "fonts").iterdir()}
    for path, page in every_page(site).items():
        text = path.read_text("utf-8")
        parts = [url for url in page.loads if url.endswith((".css", ".js"))]
        for name in ("stepper", "gallery"):  # these load a script of their own
            parts += [f"{parts[0].rpartition('/')[0]}/{name}.js"] if re.search(f'class="{name}[" ]', text) else []
        weight = path.stat().st_size
        weight += sum(size for name, size in fonts.items() if name not in SELDOM or SELDOM[name] in text)
        weight += sum((path.parent / part).stat().st_size for part in parts if not part.startswith("/"))

        most = 250_000 if 'class="stepper' in text else 100_000
        assert weight <= most or path.name == "print.html", f"{path}: {weight}"


def test_taglines_have_the_letters_that_pages_show(site: Path) -> None:
    """A letter that a font lacks is shown in another one. Nothing longer than five words is in hand lettering."""
    pages = [
        (site / path).read_text("utf-8") for path in ("index.html", *(f"{name}/index.html" for name in bundled_games()))
    ]
    for kind in ("hand", "line"):
        found = re.findall(rf'<p class="?{kind}"?>(.*?)(?=<[/a-z])', "".join(pages))
        taglines = [unescape(one) for one in found]
        letters = set(map(chr, TTFont(site / "fonts" / f"{kind}.woff2").getBestCmap()))

        assert set("".join(taglines)) - {" "} <= letters
        assert all((len(one.split()) <= 5) == (kind == "hand") for one in taglines)
        assert taglines if kind == "line" else True


OF_THEIR_OWN = ("templates", "scenarios", "catalogues", "quick-reference", "learning", "your-own-game")
"""Pages of the guide that tell the keys of a file by themselves."""


def test_the_reference_says_what_the_code_says(site: Path) -> None:
    """Every description of a key, an attribute, a command and its options stands on the page word for word."""
    pages = ("reference", "commands", "engine-commands", *OF_THEIR_OWN)
    said = {name: text_of(site / "guide" / f"{name}.html") for name in pages}
    said["commands"] += said["engine-commands"]
    said["reference"] += "".join(said[name] for name in OF_THEIR_OWN)
    wanted = [("reference", words) for words in described()]
    for name, command in reference.commands(_parser()).items():
        actions = [one for one in command._actions if one.dest != "help" and not isinstance(one.choices, dict)]
        wanted += [("commands", words % {**vars(one), "prog": name}) for one in actions if (words := one.help)]
        wanted += [("commands", option) for one in actions for option in one.option_strings]
        wanted += [("commands", one.metavar) for one in actions if isinstance(one.metavar, str)]
        wanted += [("commands", words) for words in (command.description, command.epilog) if words]
    lost = [(page, words) for page, words in wanted if " ".join(words.replace("`", "").split()) not in said[page]]

    assert len(wanted) > 500
    assert lost == []


def described() -> list[str]:
    """What templates and content files may hold, in words; but for the first letter and the full stop of a key's."""
    tables = (reference.VARIABLES, reference.FUNCTIONS, reference.BLOCKS)
    words = [
        text for table in (*tables, FILTERS, TEXTBOX, FIELD, QR, ELEMENT_WORDS, ATTRIBUTES) for text in table.values()
    ]
    keys = [field.description for _, model in reference._models() for _, field in reference._fields(model)]
    return [*words, *(text[1:].rstrip(".") for text in keys)]


def text_of(path: Path) -> str:
    """The words of a page as they are read."""
    text = re.sub(r"<(?!/?(?:code|b|em|strong|a)\b)[^>]*>", " ", path.read_text("utf-8"))
    return " ".join(unescape(re.sub(r"<[^>]*>", "", text)).replace("`", "").replace("’", "'").split())


def test_no_address_and_no_date_is_written(site: Path) -> None:
    assert not (site / "sitemap.xml").exists()


def test_the_site_carries_its_sheets(site: Path) -> None:
    for name in bundled_games():
        for sheet, data in stand_in(name).items():
            assert (site / name / "downloads" / sheet).read_bytes() == data


@pytest.mark.soak
@pytest.mark.parametrize(
    "names", [bundled_games(), *([name] for name in bundled_games())] if MORE > 1 else [SMALLEST], ids="+".join
)
def test_two_builds_are_the_same(names: list[str], tmp_path: Path) -> None:
    """Byte for byte, in another process with another hash seed, elsewhere and on another day; all games and each."""
    script = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]);"
        "from shown import site_of; site_of(sys.argv[3:], Path(sys.argv[2]))"
    )
    one = site_of(names, tmp_path / "one", lambda shown: bundled_pages(shown.game.name))
    other = tmp_path / "other"
    environment = os.environ | {"PYTHONHASHSEED": "7", "SOURCE_DATE_EPOCH": "86400"}
    command = [sys.executable, "-c", script, str(Path(__file__).parent), str(other), *names]
    subprocess.run(command, check=True, env=environment)

    assert digests(other) == digests(one)


def digests(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


RULES = """\
sections:
  - id: play
    title: Play
    rules:
      - id: TI-PLAY-1
        title: Play a card
        text: Play a card.
      - id: TI-PLAY-2
        title: Strength
        text: %s
"""
PLANTED = {
    "an unknown reference": ("See [[TI-PLAY-9]].", "TI-PLAY-9"),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_what_leads_nowhere_stops_the_build(planted: str, tmp_path: Path) -> None:
    """Each is a problem at its line, and what was built before stays as it was."""
    text, quoted = PLANTED[planted]
    folder = write_game(tmp_path / "tiny", rules_yaml=RULES % "Strong is strong.")
    output = tmp_path / "output"
    build(Order([folder], ("a4",)), output)
    (output / "site" / "index.html").write_text("the last good one", "utf-8")
    write_game(folder, rules_yaml=RULES % f'"{text}"')

    with pytest.raises(Stop) as stop:
        build(Order([folder], ("a4",)), output)

    assert [str(problem.place).endswith("tiny/rules.yaml:10") for problem in stop.value.problems] == [True]
    assert quoted in stop.value.problems[0].message
    assert (output / "site" / "index.html").read_text("utf-8") == "the last good one"


@pytest.mark.parametrize("line", ["[the moon](moon.md)", "[the sun](#sun)", "[more](index.md#more)", "[abs](/x.md)"])
def test_hand_written_pages_are_checked_too(line: str, tmp_path: Path) -> None:
    """The problem names the file and the line."""
    site = tmp_path / "site"
    shutil.copytree(data_folder("site"), site)
    (site / "docs" / "about.md").write_text(f"# About\n\nSee {line}.\n", "utf-8")
    target = tmp_path / "built"
    target.mkdir()
    problems = Problems()

    build_site([], target, problems, site)

    assert [str(problem.place).endswith("site/docs/about.md:3") for problem in problems] == [True]


def test_a_page_that_is_not_in_the_navigation_is_a_problem(tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(data_folder("site"), site)
    (site / "docs" / "lost.md").write_text("# Lost\n", "utf-8")
    target = tmp_path / "built"
    target.mkdir()
    problems = Problems()

    build_site([], target, problems, site)

    assert "lost.md" in next(problem.message for problem in problems)


@pytest.fixture(scope="session")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a game with a playthrough that can be read from every seat."""
    target, problems = tmp_path_factory.mktemp("seen"), Problems()
    build_site([watched()], target, problems, pages_of=lambda _: watched_pages())

    assert list(problems) == []
    return target


def test_pages_of_seats_stand_beside_the_open_table(seen: Path) -> None:
    """They have the same place in the menu and between pages; a search finds the open table only."""
    folder = seen / "wolf-mans-curse" / "playthroughs"
    found = (seen / "assets" / "found" / "wolf-mans-curse.js").read_text("utf-8")
    told = {}
    for path in (folder / "WM-PLAY-1.html", folder / "WM-PLAY-1-hester.html"):
        html = path.read_text("utf-8")
        menu = html.partition('<details class="menu">')[2].partition("</details>")[0]
        turn = html.partition('<nav class="turn"')[2].partition("</nav>")[0]
        told[path.stem] = (re.findall(r'href="([^"]+\.html)"', menu), turn, re.findall(r"<b>([^<]+)</b>", menu))

    assert told["WM-PLAY-1"] == told["WM-PLAY-1-hester"]
    assert told["WM-PLAY-1"][1].count("<a ") == 2
    assert told["WM-PLAY-1"][2] == ["Wolf-Man’s Curse", "Playthroughs"]
    assert "playthroughs/WM-PLAY-1.html" in found
    assert "playthroughs/WM-PLAY-1-" not in found


def test_several_games_share_a_site(tmp_path: Path) -> None:
    """Nothing knows how many games there are; two build as well as one, and each keeps its own pages."""
    games = [show(write_game(tmp_path / name)) for name in ("tiny", "small")]
    target = tmp_path / "built"
    target.mkdir()
    problems = Problems()

    build_site(games, target, problems)

    assert list(problems) == []
    assert (target / "tiny" / "rules.html").is_file()
    assert (target / "small" / "rules.html").is_file()


EVIL = "<script>evil()</script> <img src=http://evil.test onerror=evil()> [l](javascript:evil) ![x](http://evil.test)"
EVIL += " <http://evil.test> *x*{: onclick=evil style=evil} `<b onclick=evil>` \\[l](javascript:evil)"


def _evil_game(folder: Path) -> Path:
    """A game whose texts try to be more than text, of every kind that a game without an engine has."""
    text = json.dumps(EVIL)
    files = {
        name: re.sub(
            r"(title|tagline|label): (A game for tests|Tiny|Play a card|Strength|Play|power|mood)", r"\1: @", one
        )
        for name, one in FILES.items()
    }
    game = files["game.yaml"].replace("summary: Nothing happens here.", f"summary: {text}")
    game = (
        game.replace("label: @,", f"label: {text},")
        .replace(": @", f": {text}")
        .replace("name: Nobody", f"name: {text}")
    )
    game = game.replace("    name: Cards", f"    name: {text}\n    note: {text}\n    source: {text}")
    game = game.replace("    columns:\n", f"    columns:\n      words: {{type: text, label: {text}}}\n")
    game += f"our-work: [{text}]\n"
    rules = files["rules.yaml"].replace(": @", f": {text}").replace("an [[owl]].", f"an [[owl]]. {EVIL}")
    rules = rules.replace(
        "text: Play a [[mouse]] or an [[owl]]. " + EVIL, "text: " + json.dumps("[[owl|<b onclick=evil>]] " + EVIL)
    )
    cell = '"' + EVIL.replace('"', '""') + '"'
    cards = f"id,name,count,power,mood,words,alt\nmouse,{cell},2,1,calm,{cell},{cell}\nowl,Owl,1,7,,{cell},\n"
    law = f"rules: [TI-PLAY-1], source: {text}"
    example = f"id: TI-EX-1, title: {text}, rules: [TI-PLAY-1], kind: legal, text: {text}, source: {text}"
    example += f", printed: {text}, given: {{table: {text}}}, steps: [say: {text}, Ada: {text}, draw: {{coin: {text}}}]"
    ruling = f"id: TI-AMB-1, title: {text}, question: {text}, ruling: {text}"
    play = f"id: TI-GAME-1, title: {text}, summary: {text}, seats: [{text}]"
    return write_game(
        folder,
        **{
            "game.yaml": game,
            "rules.yaml": rules,
            "cards.csv": cards,
            "terms.yaml": f"terms: [{{id: power, name: {text}, also: [{text}], text: {text}}}]\n",
            "rulings.yaml": f"rulings: [{{{ruling}, why: {text}, {law}}}]\n",
            "errata.yaml": f"errata: [{{id: TI-ERR-1, printed: {text}, reads: {text}, why: {text}, {law}}}]\n",
            "examples/all.yaml": f"examples: [{{{example}, expect: {{to-act: {text}, legal: [{text}]}}}}]\n",
            "playthroughs/one.yaml": f"{{{play}, steps: [say: {text}], expect: {{to-act: {text}}}}}\n",
        },
    )


class Living(HTMLParser):
    """What of the planted text has come alive in a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tag = ""
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tag = tag
        told = ["alt", "title", "aria-label", "id"]  # an id is made of the letters of a heading
        told += ["content"] if tag == "meta" else []  # what the page says, in a list of results
        for name, value in attrs:
            if "evil" in f"{name}{value}" and name not in told and not re.match(r"#\w", value or ""):
                self.found.append(f"<{tag} {name}={value}>")

    def handle_data(self, data: str) -> None:
        self.found += [data] if self.tag in ("script", "style") and "evil" in data else []

    def handle_endtag(self, tag: str) -> None:
        self.tag = ""


def test_text_of_a_game_never_comes_alive(tmp_path: Path) -> None:
    """HTML, links, pictures and attributes are only text, wherever a game writes text; emphasis and code still work."""
    target = tmp_path / "built"
    target.mkdir()
    problems = Problems()

    build_site([show(_evil_game(tmp_path / "tiny"))], target, problems)

    assert list(problems) == []
    pages = sorted(target.rglob("*.html"))
    assert {path: found for path in pages if (found := Living(path).found)} == {}
    text = (target / "tiny" / "rules-play.html").read_text("utf-8")
    assert "&lt;script&gt;evil()" in text
    assert "<em>x</em>" in text
    assert "<code>&lt;b onclick=evil&gt;</code>" in text
    for name in ("components", "terms", "rulings", "errata", "credits", "index", "playthroughs/TI-GAME-1"):
        assert "evil" in (target / "tiny" / f"{name}.html").read_text("utf-8")


def test_a_game_of_ones_own_is_called_so(tmp_path: Path) -> None:
    """Where nothing is listed as our work, nothing is unofficial, and nothing promises an engine; all columns show."""
    target = tmp_path / "built"
    target.mkdir()

    build_site([show(write_game(tmp_path / "tiny"))], target, Problems())

    for path in (*(target / "tiny").rglob("*.html"), target / "index.html"):
        text = path.read_text("utf-8")
        assert not re.search(r"nofficial|endorse|buy the original|CC BY|checked examples|line by line", text), path
    assert "mood\u00a0<strong>calm</strong>" in (target / "tiny" / "components.html").read_text("utf-8")


@pytest.mark.soak
def test_what_generated_pages_tell_to_type_works(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of the bundled games; test_told.py follows the pages that people wrote."""
    pages = [page.read_text("utf-8") for game in bundled_games() for page in (site / game).rglob("*.html")]
    lines = sorted({unescape(line) for page in pages for line in re.findall("<code>(grimalkin [^<]+)</code>", page)})

    assert "grimalkin sheets wolf-mans-curse --variant four-colour,bridge --ink low" in {line.strip() for line in lines}
    assert any(line.startswith("grimalkin simulate werecats") for line in lines)
    assert Reader(tmp_path, monkeypatch, capsys).follow("\n".join(sample(lines, 20))) == []
