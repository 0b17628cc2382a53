"""The designers' guide: what it tells to do works as it stands, and its reference has everything there is."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import get_args

import drawn_beginning
import drawn_layouts
import drawn_roofs
import pytest
import reference
from PIL import Image, ImageChops, ImageStat

from grimalkin.cli import _parser, main
from grimalkin.content import load_game
from grimalkin.content.models import PicturesIn
from grimalkin.content.stocks import load_papers, load_stocks
from grimalkin.printing.face.images.drawings import read_drawing
from grimalkin.printing.face.svg.subset import ATTRIBUTES, ELEMENTS, QR, TEXTBOX
from grimalkin.printing.face.templating.allowed import FILTERS
from grimalkin.problems import Problems
from grimalkin.site.preview import Preview
from grimalkin.source import bundled_games, data_folder
from grimalkin.source.files import PICTURES

DOCS = data_folder("site") / "docs"
GUIDE = DOCS / "guide" / "your-own-game.md"


@pytest.mark.slow("writes the guide")
def test_generated_pages_of_the_guide_are_current(request: pytest.FixtureRequest) -> None:
    """They are what the code says now, and no picture of a stock that is gone is left."""
    pages = reference.pages(_parser())
    folders = {(DOCS / name).parent for name in pages if name.startswith("pictures/")}
    if request.config.getoption("--bless"):
        for name, text in pages.items():
            (DOCS / name).parent.mkdir(parents=True, exist_ok=True)
            (DOCS / name).write_text(text, encoding="utf-8")
        for path in [path for folder in folders for path in folder.iterdir()]:
            if path.relative_to(DOCS).as_posix() not in pages:
                path.unlink()
    stale = [
        name for name, text in pages.items() if not (DOCS / name).is_file() or (DOCS / name).read_text("utf-8") != text
    ]
    left = [
        path.name for folder in folders for path in folder.iterdir() if path.relative_to(DOCS).as_posix() not in pages
    ]

    assert stale == [], "`pytest tests/test_guide.py --bless` writes them anew"
    assert left == []


@pytest.mark.slow("builds a game")
def test_the_smallest_game_of_the_guide_builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file the guide shows, under the name it gives, and nothing else."""
    text = GUIDE.read_text(encoding="utf-8")
    files = re.findall(r"`tiny-game/([\w./]+)`[^\n]*\n\n```\w+\n(.*?)```", text, re.DOTALL)
    assert {"game.yaml", "cards.csv", "faces/card.svg.j2", "faces/back.svg.j2"} == {n for n, _ in files}
    for name, content in files:
        path = tmp_path / "tiny-game" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    assert main(["build", "./tiny-game"]) == 0
    assert (tmp_path / "output" / "sheets" / "tiny-game" / "tiny-game-letter.pdf").is_file()


def test_the_ten_minutes_of_the_guide_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The changes that are told, with the problem that is told; test_told.py runs the commands between them."""
    text = GUIDE.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["new", "my-game", "--title", "My Game"]) == 0
    folder = tmp_path / "my-game"
    table = folder / "cats.csv"
    (row,) = re.findall(r"```text\n(diver,.*?\n)```", text)
    table.write_text(table.read_text("utf-8").replace("The Stowaway", "The Runaway") + row, encoding="utf-8")
    (said,) = Preview(folder).show("full")[1].problems
    assert said.message == "the table has 20 pieces, but `count` in game.yaml is 18"
    assert "the table has 20 pieces, but `count` in `game.yaml` is 18" in text
    replace_once(folder / "game.yaml", "count: 18", "count: 20")
    replace_once(folder / "game.yaml", '  quay: "#1f5a5e"', '  quay: "#22304a"')
    replace_once(folder / "faces" / "cat.svg.j2", 'r="19.6"', 'r="21"')
    (number,) = re.findall(r"[A-Z]+-PLAY-1", text.partition("## The smallest game")[0])
    replace_once(folder / "rules.yaml", "Discard the cards", f"See [[{number}]] and [[queen]]. Discard the cards")
    problems = Problems()
    load_game(folder, problems)
    assert list(problems) == []
    assert Preview(folder).show("full")[1].problems == ()


def replace_once(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == 1, (path, old)
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_everything_a_designer_may_write_has_words() -> None:
    """Elements, attributes, text boxes, variables, functions, filters, keys, options, styles of marks."""
    assert reference.missing(_parser()) == []


def test_a_default_is_shown_as_a_designer_would_write_it() -> None:
    """No key of the guide says how Python would print its default: `False`, `('a',)` or `middle=30 rows=False`."""
    pages = "".join(page.read_text(encoding="utf-8") for page in sorted((DOCS / "guide").glob("*.md")))
    shown = set(re.findall(r"\| no; default ([^|\n]*) \|", pages))

    assert {"no", "yes", "printed"} < shown
    assert [] == sorted(default for default in shown if re.search(r"\b(True|False|None)\b|[=()\[\]{}'\"]", default))


def test_no_words_are_left_over() -> None:
    """What is gone from the code is gone from the reference."""
    assert set(reference.VARIABLES) == reference.template_variables()
    assert set(reference.FUNCTIONS) == reference.template_functions()
    assert set(ATTRIBUTES) == frozenset().union(*ELEMENTS.values())
    assert set(reference.MARK_WORDS) == set(reference.mark_styles())


PAGES_OF_COMMANDS = ("commands", "engine-commands")


def test_the_reference_names_everything() -> None:
    """Each of them as code, as a reader would search for it; every command has its heading and its options."""
    text = "".join((DOCS / "guide" / f"{name}.md").read_text(encoding="utf-8") for name in ("reference", "templates"))
    icons = {path.stem for path in (data_folder("templates") / "icons").glob("*.svg")}
    stocks, papers = load_stocks(None, Problems()), load_papers(None, Problems())
    words = {*reference.template_variables(), *reference.template_functions(), *FILTERS, *TEXTBOX, *QR, *icons, *stocks}
    for word in {*words, *papers, *reference.font_families(), *frozenset().union(*ELEMENTS.values())}:
        assert f"`{word}`" in text, word
    for element in ELEMENTS:
        assert f"`<{element}>`" in text, element
    text = "\n".join((DOCS / "guide" / f"{page}.md").read_text(encoding="utf-8") for page in PAGES_OF_COMMANDS)
    for name, parser in reference.commands(_parser()).items():
        part = text.partition(f"## {name}\n")[2].partition("\n## ")[0]
        assert part, name
        for option in (option for action in parser._actions for option in action.option_strings):
            assert option in ("-h", "--help") or re.search(rf"`[^`\n]*{option}\b", part), (name, option)


def test_the_gallery_shows_every_stock_and_every_style_of_marks() -> None:
    text = (DOCS / "guide" / "gallery.md").read_text(encoding="utf-8")
    for name in load_stocks(None, Problems()):
        assert f'src="../pictures/stocks/{name}.svg"' in text, name
    for name in reference.mark_styles():
        assert f'src="../pictures/marks/{name}.svg"' in text, name


def test_a_picture_of_a_stock_has_its_measures() -> None:
    """Poker: 63 × 88 mm, bleed 3 mm, drawn with 1.5 mm around, 0.9 px a millimetre: (63 + 9) × 0.9 = 64.8."""
    stocks = load_stocks(None, Problems())
    picture = reference.stock_picture(stocks["poker"])
    folded = reference.stock_picture(stocks["standee"])

    assert 'viewBox="-4.5 -4.5 72 97" width="64.8" height="87.3"' in picture
    assert "M0 15H30M0 65H30M0 115H30" in folded  # a foot of 15 mm, and twice 50 mm of face


def test_a_picture_of_marks_is_what_is_printed() -> None:
    """Two mini cards and three tokens lie on each sheet; "none" draws no mark, "dots" dots, the others lines."""
    stocks = load_stocks(None, Problems())
    pictures = {style: reference.marks_picture(style, stocks) for style in reference.mark_styles()}

    assert {style: text.count("#e8d9a8") for style, text in pictures.items()} == dict.fromkeys(pictures, 5)
    assert [style for style, text in pictures.items() if '<path d="" stroke="#1d1a26"' in text] == ["none"]
    assert 'r=".6"' in pictures["dots"]
    assert len(set(pictures.values())) == len(pictures)


@pytest.mark.slow("draws the pictures of the guide")
def test_the_pictures_of_art_show_what_is_printed(request: pytest.FixtureRequest) -> None:
    """Those of the page, no more and no fewer, as its own words are drawn; libraries may round a little otherwise."""
    folder = DOCS / drawn_roofs.SHOWN
    photo = folder / drawn_roofs.PHOTO
    if request.config.getoption("--bless"):
        drawn_roofs.dusk().save(photo, quality=85)
    drawn = drawn_roofs.shown(photo.read_bytes())
    if request.config.getoption("--bless"):
        for name, picture in drawn.items():
            (folder / f"{name}.webp").write_bytes(drawn_roofs.packed(name, picture))
    drawn[photo.stem] = drawn_roofs.dusk()
    kept = {path.stem: Image.open(io.BytesIO(path.read_bytes())) for path in folder.iterdir()}

    assert set(kept) == set(drawn)
    for name, picture in drawn.items():
        apart = ImageChops.difference(kept[name].convert("RGB"), picture.convert("RGB"))
        assert kept[name].size == picture.size, name
        assert max(ImageStat.Stat(apart).mean) < 4, name


@pytest.mark.slow("draws the pictures of the guide")
def test_the_pictures_of_bleed_show_what_is_printed(request: pytest.FixtureRequest) -> None:
    """One for each way to make it; libraries may round a little otherwise."""
    folder = DOCS / "pictures" / "finished"
    drawn = drawn_roofs.bleeds_shown((DOCS / drawn_roofs.SHOWN / drawn_roofs.PHOTO).read_bytes())
    if request.config.getoption("--bless"):
        folder.mkdir(exist_ok=True)
        for name, picture in drawn.items():
            (folder / f"{name}.webp").write_bytes(drawn_roofs.packed(name, picture))

    assert {path.stem for path in folder.iterdir()} == set(drawn)
    for name, picture in drawn.items():
        apart = ImageChops.difference(Image.open(folder / f"{name}.webp").convert("RGB"), picture)
        assert max(ImageStat.Stat(apart).mean) < 4, name


@pytest.mark.slow("draws the pictures of the guide")
def test_the_first_page_shows_the_card_that_it_changes(request: pytest.FixtureRequest) -> None:
    """Before and after, as its own words say; libraries may round a little otherwise."""
    text = GUIDE.read_text(encoding="utf-8")

    assert [new for _, _, new in drawn_beginning.CHANGES if new not in text] == []
    drawn_layouts.assert_kept(drawn_beginning.SHOWN, drawn_beginning.drawn(), request.config.getoption("--bless"))


def test_the_page_of_art_shows_each_choice_with_its_picture() -> None:
    """What stands below a picture is what it was drawn with."""
    text = drawn_roofs.ART.read_text(encoding="utf-8")
    figures = dict(re.findall(r'src="\.\./pictures/art/([\w-]+)\.webp"[^>]*>(.*)', text))

    for name, said in {**drawn_roofs.FITS, **drawn_roofs.CUTS}.items():
        told = said.removeprefix("preserveAspectRatio=").strip('"') if name in drawn_roofs.FITS else said
        assert f"<code>{told}" in figures[name] or not said, name
    for name in drawn_roofs.TREATED:
        assert f"<code>{name.removeprefix('ink-')}</code>" in figures[name]
    treatments = get_args(PicturesIn.model_fields["low"].annotation)
    assert set(treatments) == set(re.findall(r"^\| `([\w-]+)` \| ", text, re.MULTILINE))
    for ending in (*PICTURES, ".svg"):
        assert f"`{ending}`" in text, ending


@pytest.mark.parametrize(
    ("said", "drawing"),
    [
        ("a linked picture", '<image href="photo.png" width="9" height="9"/>'),
        ("text along a path", '<path id="a" d="M0 9H24"/><text><textPath href="#a">Fox</textPath></text>'),
        ("text in an HTML frame", '<foreignObject width="9" height="9"/>'),
        ("`@import`", '<style>@import "a.css";</style><rect width="9" height="9"/>'),
        ("`device-cmyk`", '<rect width="9" height="9" fill="device-cmyk(0 1 1 0)"/>'),
        ("animation", '<rect width="9" height="9"><animate attributeName="x" to="9"/></rect>'),
        ("scripts", "<script>1</script>"),
    ],
)
def test_what_the_page_of_art_calls_a_problem_is_one(said: str, drawing: str) -> None:
    """Its table of what is in drawings, row by row."""
    (row,) = (line for line in drawn_roofs.ART.read_text("utf-8").splitlines() if f"{said} " in line.replace(",", " "))
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{drawing}</svg>'

    assert " | a problem | " in row
    assert isinstance(read_drawing(svg.encode(), Path("a.svg")), list)


def not_said() -> list[str]:
    """What the third column of the table of words says is not said."""
    page = (DOCS / "guide" / "words.md").read_text(encoding="utf-8")
    rows = [row.strip("| ").split(" | ") for row in page.splitlines() if row.startswith("| ")]
    return [phrase.strip() for row in rows[1:] for phrase in row[2].split(",")]


@pytest.mark.slow("writes the guide")
@pytest.mark.parametrize("name", bundled_games())
def test_rules_use_the_words_of_the_guide(name: str) -> None:
    """One thing is said one way: no rule, ruling or term uses what the guide tells not to, but for own terms."""
    game = load_game(data_folder("content") / name, Problems())
    assert game is not None
    texts = {id_: f"{law.title} {law.text} {law.note or ''}" for id_, law in game.rules.items()}
    texts |= {one.id: f"{one.title} {one.question} {one.ruling} {one.why or ''}" for one in game.rulings}
    texts |= {term.id: term.text for term in game.terms}

    own = {word.casefold() for term in game.terms for word in (term.name, *term.also)}
    wrong = [phrase for phrase in not_said() if phrase.casefold() not in own]

    assert len(not_said()) > 40
    assert [] == [
        f"{id_}: {phrase}"
        for id_, text in texts.items()
        for phrase in wrong
        if re.search(rf"\b{re.escape(phrase)}\b", " ".join(text.split()), re.IGNORECASE)
    ]


def test_the_guide_tells_what_a_new_game_owes() -> None:
    """In order, each with its command or its name: what tests ask of every game that comes along."""
    text = (DOCS / "guide" / "contributing.md").read_text(encoding="utf-8")
    owed = text.partition("\n## A new game\n")[2].partition("\n## ")[0]
    told = ["$schema=", "`grimalkin schema`", "`cover.svg.j2`", "`grimalkin preflight`", "`LAWS`", "`DRAWS`"]
    told += ["`doubts`", "`grimalkin check`", "`grimalkin simulate` with `--renew`", "`grimalkin keep`", "`make test`"]

    assert sorted(told, key=owed.find) == told
    assert [] == [one for one in told if one not in owed]
