"""A folder of finished pictures: what is read in it, what is told about it, and where it is printed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageDraw
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from grimalkin.cli import main
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.finished.fitting import Cut, find_cut
from grimalkin.problems import Problems

RED, GREEN, BLUE, GREY = (220, 20, 30), (20, 160, 60), (30, 40, 200), (120, 120, 120)
POKER = (744, 1039)
"""63 × 88 mm at 300 dpi."""
MM = 72 / 25.4
Run = Callable[..., tuple[int, str, str]]
At = Callable[[float, float], str]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command beside the folder `deck`; gives its exit code, and what it says and complains of."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deck").mkdir()

    def grimalkin(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = int(stop.code or 0)
        told = capsys.readouterr()
        return code, told.out, told.err

    return grimalkin


def put(name: str, size: tuple[int, int] = POKER, ground: tuple[int, int, int] = GREY) -> None:
    """Save a picture in the folder `deck`: a green head of a tenth, and a red rim of 12 pixels (1 mm) on the left."""
    image = Image.new("RGB", size, ground)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, size[0], size[1] // 10), fill=GREEN)
    draw.rectangle((0, 0, 11, size[1]), fill=RED)
    path = Path("deck") / name
    path.parent.mkdir(exist_ok=True)
    image.save(path)


def named(colour: tuple[int, ...]) -> str:
    """The name of a colour that is close to it."""
    known = {"red": RED, "green": GREEN, "blue": BLUE, "grey": GREY, "white": (255, 255, 255)}
    return min(known, key=lambda name: sum(abs(a - b) for a, b in zip(known[name], colour, strict=False)))


def with_bleed(run: Run, *options: str) -> At:
    """The colours of the one card in the folder with its bleed, by millimetres from the upper left of the trim."""
    code, _, err = run("export", "png", "./deck", "--bleed", *options)

    assert (code, err) == (0, "")
    (path,) = Path("output/export/deck/png").iterdir()
    image = Image.open(path).convert("RGB")

    def at(x: float, y: float) -> str:
        found = image.getpixel((round((x + 3) / 25.4 * 300), round((y + 3) / 25.4 * 300)))
        assert isinstance(found, tuple)
        return named(found)

    return at


# What is read


def test_pictures_become_cards_in_the_order_people_count(run: Run) -> None:
    """Names are numbered as people count, and counts stand in names and in the list."""
    for name in ("card 10.png", "card 2.png", "3x guard.png", "Old Witch_x2.webp", "guard (2).png"):
        put(name)
    put("back.png")
    Path("deck/counts.csv").write_text("name,count\ncard 2,5\n")
    code, out, err = run("sheets", "./deck", "--paper", "a4")

    assert (code, err) == (0, "")
    assert out.splitlines()[:2] == [
        "5 pictures, 12 cards, one back",
        "cut to poker, 63 × 88 mm (Poker card); another size: --stock NAME",
    ]
    with pypdfium2.PdfDocument("output/print/deck/deck-a4.pdf") as pdf:
        assert len(pdf) == 2 + 4  # a cover of two pages, and 12 cards on two leaves of nine
    run("export", "mpc", "./deck")
    order = sorted(path.name for path in Path("output/export/deck/mpc/cards/fronts").iterdir())

    assert order == [
        "001-card-2-x5.png",
        "006-card-10-x1.png",
        "007-guard-x3.png",
        "010-guard-2-x1.png",
        "011-old-witch-x2.png",
    ]


@pytest.mark.parametrize(
    "backs",
    [
        ["a-back.png", "b.back.png"],
        ["a_back.png", "b (back).png"],
        ["backs/a.png", "backs/b-back.png"],
        ["a-back.png", "back.png"],
    ],
)
def test_every_card_may_have_a_back_of_its_own(run: Run, backs: list[str]) -> None:
    """A back is named after its front, in one of several ways."""
    for name in ("a x2.png", "b-front.png", *backs):
        put(name)
    code, out, _ = run("sheets", "./deck", "--paper", "a4")

    assert (code, out.splitlines()[0]) == (0, "2 pictures, 3 cards, 2 backs")


def test_a_lone_picture_among_the_backs_is_the_back_of_all(run: Run) -> None:
    """Fronts and backs may lie in folders of their own."""
    for name in ("Fronts/a.png", "Fronts/b.png", "backs/pattern.png"):
        put(name)

    assert run("sheets", "./deck", "--paper", "a4")[1].startswith("2 pictures, 2 cards, one back\n")


def test_two_builds_are_the_same_bytes(run: Run) -> None:
    """The same folder gives the same file."""
    put("one.png")
    put("one-back.png")
    run("sheets", "./deck", "--output", "a", "--bleed-from", "edge")
    run("sheets", "./deck", "--output", "b", "--bleed-from", "edge")
    one, other = (Path(f"{place}/print/deck/deck-a4.pdf").read_bytes() for place in "ab")

    assert one == other


@pytest.mark.parametrize(
    ("size", "cut"),
    [
        ((744, 1039), Cut("poker", 0)),
        ((750, 1050), Cut("us-poker", 0)),
        ((1050, 750), Cut("us-poker", 0)),
        ((822, 1122), Cut("us-poker", 3.048, True)),
        ((825, 1125), Cut("us-poker", 3.175, True)),
        ((2048, 2048), Cut("square", 0)),
        ((700, 1200), Cut("tarot", 0)),
        ((1920, 1080), None),
    ],
)
def test_the_size_follows_from_the_pixels(size: tuple[int, int], cut: Cut | None) -> None:
    """Proportions name the stock; the pixels of a print service name its bleed, too."""
    assert find_cut(size, "pixels", load_stocks(None, Problems()), None) == cut


# Bleed


@pytest.mark.parametrize(
    ("how", "outside"),
    [("mirror", ["red", "grey"]), ("edge", ["red", "red"]), ("#1e28c8", ["blue", "blue"])],
)
@pytest.mark.parametrize("kind", ["png", "jpg", "svg"])
def test_bleed_is_made_from_the_picture(run: Run, kind: str, how: str, outside: list[str]) -> None:
    """Half a millimetre and two outside of the cut lies what the rim of one millimetre becomes."""
    if kind == "svg":
        rims = f'<rect width="63" height="88" fill="rgb{GREY}"/><rect width="1" height="88" fill="rgb{RED}"/>'
        Path("deck/one.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63 88">{rims}</svg>')
    else:
        put(f"one.{kind}")
    at = with_bleed(run, "--bleed-from", how)

    assert [at(-0.5, 50), at(-2, 50)] == outside
    assert [at(0.5, 50), at(30, 50), at(62, 50)] == ["red", "grey", "grey"]


def test_bleed_in_the_pictures_lies_outside_of_the_cut(run: Run) -> None:
    """Of 69 × 94 mm the outermost three are bleed, as the pixels tell; one is told otherwise."""
    put("one.png", (815, 1110))
    at = with_bleed(run)

    assert [at(-2.5, 50), at(-1.5, 50), at(0.5, 50)] == ["red", "grey", "grey"]
    at = with_bleed(run, "--bleed-in-art", "1.5mm", "--crop")

    assert [at(-1.2, 50), at(-0.2, 50), at(-1.8, 50), at(-2.9, 50)] == ["red", "grey", "red", "grey"]


def test_other_proportions_are_cropped_or_shown_whole(run: Run) -> None:
    """Of a square on a poker card 12.5 mm of 88 are cut off on two sides, or 12.5 mm above and below are border."""
    put("one.png", (1000, 1000))
    at = with_bleed(run, "--stock", "poker", "--crop")

    assert [at(0.1, 50), at(30, 4), at(30, 12)] == ["grey", "green", "grey"]
    at = with_bleed(run, "--stock", "poker", "--fit", "#1e28c8")

    assert [at(30, -2), at(30, 12), at(30, 13.5), at(30, 74), at(30, 76), at(-1, 50)] == [
        *("blue", "blue", "green", "grey", "blue", "blue"),
    ]
    put("one.png", (815, 1110))  # which would be a card with bleed
    at = with_bleed(run, "--stock", "poker", "--fit", "#1e28c8")

    assert [at(-0.5, 50), at(0.5, 50), at(30, 0.5), at(30, 3)] == ["blue", "red", "blue", "green"]


def test_cards_on_their_side_have_their_heads_together(run: Run) -> None:
    """Front and back of a landscape card are turned so that one edge of the paper is the head of both."""
    put("one.png", POKER[::-1])
    put("one-back.png", POKER[::-1])
    run("sheets", "./deck", "--paper", "a4", "--no-cover", "--flip", "short")
    front, back = greens()

    assert abs(front[1] + back[1] - 297) < 2  # turned over the short edge
    assert abs(front[0] - back[0]) < 2
    assert abs(front[0] - 105) > 20 or abs(front[1] - 148.5) > 20  # it is no middle, which any turn would keep


def greens() -> list[tuple[float, float]]:
    """The middle of all that is green, in millimetres, page by page."""
    found = []
    with pypdfium2.PdfDocument("output/print/deck/deck-a4.pdf") as pdf:
        for page in pdf:
            image = page.render(scale=1).to_pil().convert("RGB")
            at = [
                (x, y)
                for x in range(0, image.width, 2)
                for y in range(0, image.height, 2)
                if sum(abs(a - b) for a, b in zip(image.getpixel((x, y)), GREEN, strict=True)) < 40
            ]
            found.append((sum(x for x, _ in at) / len(at) / MM, sum(y for _, y in at) / len(at) / MM))
    return found


# PDF


def pages(name: str, font: str = "Vera", boxes: bool = True) -> Path:
    """A PDF of two pages of 69 × 94 mm with 3 mm of bleed, as `put` draws them, with a word each."""
    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
    path = Path("deck") / name
    path.parent.mkdir(exist_ok=True)
    canvas = Canvas(str(path), pagesize=(69 * MM, 94 * MM))
    for word in ("first", "second"):
        if boxes:
            canvas.setTrimBox((3 * MM, 3 * MM, 66 * MM, 91 * MM))
        canvas.setFillColorRGB(*(one / 255 for one in GREY))
        canvas.rect(0, 0, 69 * MM, 94 * MM, stroke=0, fill=1)
        canvas.setFillColorRGB(*(one / 255 for one in RED))
        canvas.rect(0, 0, 2 * MM, 94 * MM, stroke=0, fill=1)
        canvas.setFont(font, 20)
        canvas.drawString(20 * MM, 40 * MM, word)
        canvas.showPage()
    canvas.save()
    return path


def printed_text() -> str:
    with pypdfium2.PdfDocument("output/print/deck/deck-a4.pdf") as pdf:
        return "".join(str(page.get_textpage().get_text_bounded()) for page in pdf)


def test_every_page_of_a_pdf_is_a_card(run: Run) -> None:
    """The trim is cut, the bleed is what lies around it, and letters stay letters."""
    pages("deck.pdf")
    code, out, err = run("sheets", "./deck", "--paper", "a4", "--no-cover")

    assert (code, err) == (0, "")
    assert out.splitlines()[:2] == [
        "2 pictures, 2 cards, no backs",
        "cut to poker, 63 × 88 mm (Poker card); another size: --stock NAME",
    ]
    assert "first" in printed_text()
    assert "second" in printed_text()
    at = with_bleed(run, "--only", "deck 1")

    assert [at(-2, 50), at(-0.5, 50), at(30, 20)] == ["red", "grey", "grey"]


@pytest.mark.parametrize(("turn", "rim"), [(0, -2.0), (90, 65.0), (180, 65.0), (270, -2.0)])
def test_pages_are_turned_as_they_are_seen(run: Run, turn: int, rim: float) -> None:
    """The red edge is on the left of an upright page, and on the right of one that stands on its head.

    A quarter turn clockwise makes it the head of a landscape page, whose head is on the right of the card.
    """
    with pikepdf.open(pages("deck.pdf"), allow_overwriting_input=True) as pdf:
        del pdf.pages[1]
        pdf.pages[0].Rotate = turn
        pdf.save()
    at = with_bleed(run)

    assert (at(rim, 44), at(63 - rim, 44)) == ("red", "grey")


def test_nothing_but_what_draws_a_page_gets_out_of_a_pdf(run: Run) -> None:
    """Scripts, links, notes and files within the file stay where they are."""
    with pikepdf.open(pages("deck.pdf"), allow_overwriting_input=True) as pdf:
        script = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert('here')")
        pdf.Root.OpenAction = script
        page = pdf.pages[0]
        page.AA = pikepdf.Dictionary(O=script)
        page.Annots = pikepdf.Array([pikepdf.Dictionary(Subtype=pikepdf.Name.Link, A=script, Rect=[0, 0, 9, 9])])
        for font in page.Resources.Font.as_dict().values():
            font.AA = script
        pdf.attachments["here.txt"] = b"here"
        pdf.save()
    code, _, _ = run("sheets", "./deck", "--paper", "a4", "--no-cover")
    with pikepdf.open("output/print/deck/deck-a4.pdf") as made:
        written = b"".join(repr(one).encode() for one in made.objects)
        fonts = [one for one in made.objects if isinstance(one, pikepdf.Dictionary) and one.get("/Type") == "/Font"]

    assert code == 0
    assert not any(word in written for word in (b"JavaScript", b"Annots", b"alert", b"here", b"EmbeddedFile"))
    assert not any(str(font.get("/BaseFont")) == "/Helvetica" for font in fonts)


def test_a_page_with_a_foreign_font_is_a_picture(run: Run) -> None:
    """Letters that are not in the file would look otherwise elsewhere: a remark says so."""
    pages("deck.pdf", font="Helvetica")
    code, _, err = run("sheets", "./deck", "--paper", "a4")

    assert code == 0
    assert "remark: deck/deck.pdf: page 1 is printed as a picture at 300 dpi: it lacks a font" in err
    assert "second" not in printed_text()


def test_a_page_with_hidden_layers_is_a_picture(run: Run) -> None:
    """As vectors they would be seen."""
    with pikepdf.open(pages("deck.pdf"), allow_overwriting_input=True) as pdf:
        layer = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name="hidden"))
        usual = pikepdf.Dictionary(OFF=pikepdf.Array([layer]))
        pdf.Root.OCProperties = pikepdf.Dictionary(OCGs=pikepdf.Array([layer]), D=usual)
        pdf.save()

    assert "some of its layers are hidden" in run("sheets", "./deck", "--paper", "a4")[2]


def drawing_itself(pdf: pikepdf.Pdf) -> None:
    form = pikepdf.Stream(pdf, b"/Again Do", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form, BBox=[0, 0, 9, 9])
    pdf.pages[0].Resources.XObject = pikepdf.Dictionary(Again=form)
    form.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Again=form))


def of_another_file(pdf: pikepdf.Pdf) -> None:
    form = pikepdf.Stream(pdf, b"", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form, BBox=[0, 0, 9, 9])
    form.F = "/etc/passwd"
    pdf.pages[0].Resources.XObject = pikepdf.Dictionary(Other=form)


def nested(pdf: pikepdf.Pdf) -> None:
    inner = pikepdf.Dictionary()
    for _ in range(100):
        inner = pdf.make_indirect(pikepdf.Dictionary(Deeper=inner))
    pdf.pages[0].Resources.ExtGState = inner


def without_size(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].MediaBox = [0, 0, 0, 0]


def of_many_pages(pdf: pikepdf.Pdf) -> None:
    for _ in range(1000):
        pdf.add_blank_page(page_size=(200, 300))


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (drawing_itself, "page 1 is printed as a picture at 300 dpi: it refers to itself"),
        (of_another_file, "page 1 is printed as a picture at 300 dpi: a part of it is in another file"),
        (nested, "page 1 is printed as a picture at 300 dpi: it is nested too deep"),
        (without_size, "deck/deck.pdf: page 1 is 0 × 0 mm; 2 to 2000 mm are read"),
        (of_many_pages, "deck/deck.pdf: it has 1,002 pages; at most 1,000 are read: split it"),
    ],
)
def test_hostile_pdfs_do_no_harm(run: Run, harm: Callable[[pikepdf.Pdf], None], told: str) -> None:
    """What cannot be taken apart is drawn as a picture, or refused."""
    with pikepdf.open(pages("deck.pdf"), allow_overwriting_input=True) as pdf:
        harm(pdf)
        pdf.save()

    assert told in run("sheets", "./deck", "--paper", "a4", "--no-cover")[2]


def test_a_pdf_that_ends_its_reader_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process may crash, or take too long: the file at which it did is told."""
    pages("deck.pdf")
    monkeypatch.setattr("grimalkin.printing.draw.pdf_pages.READ", [sys.executable, "-c", "import os; os.abort()"])

    assert "deck/deck.pdf: this PDF cannot be drawn; save it again" in run("sheets", "./deck")[2]
    monkeypatch.setattr("grimalkin.printing.draw.pdf_pages.READ", [sys.executable, "-c", "import time; time.sleep(9)"])
    monkeypatch.setattr("grimalkin.printing.draw.pdf_pages.LONGEST", 0.2)

    assert "deck/deck.pdf: it takes more than 0.2 seconds to read" in run("sheets", "./deck")[2]


def test_backs_of_a_pdf_are_the_pages_of_another(run: Run) -> None:
    """deck-back.pdf has the backs of deck.pdf, page by page."""
    pages("deck.pdf")
    pages("deck-back.pdf")

    assert run("sheets", "./deck", "--paper", "a4")[1].startswith("2 pictures, 2 cards, 2 backs\n")
    Path("deck/deck-back.pdf").rename("deck/back.pdf")

    assert "deck/back.pdf: the back of every card has several pages" in run("sheets", "./deck")[2]


# What is told


@pytest.mark.parametrize(
    ("files", "options", "told"),
    [
        ([], "", "deck: this folder has no game.yaml and no pictures; name the folder of a game, or one of pictures"),
        (["a.png", "a.jpg"], "", 'deck/a.png: there are two pictures of the front of "a"'),
        (["a.png", "a x2.png"], "", 'deck/a.png: there are two pictures of the front of "a"'),
        (["a.png", "A.png"], "", 'there are two pictures of the front of "a"'),
        (["a.png", "b-back.png"], "", 'deck/b-back.png: this is the back of "b", which has no front'),
        (["a.png", "b.png", "a-back.png"], "", 'other cards have a back, but there is none for "b"; add back.png'),
        (["a.png", "back.png", "back.jpg"], "", "there are two backs for every card"),
        (["a x10000.png"], "", 'deck/a x10000.png: 10,000 of "a" are too many; at most 1,000 of one card'),
        (["a.png", "b x0.png"], "", "remark: deck/b x0.png: its count is 0, so it is left out"),
        (["a x0.png"], "", "deck: nothing is left to print"),
        (
            ["a.png", "fronts/b.png"],
            "",
            "deck/a.png: this picture is not in the folder fronts; move it there, or --skip a",
        ),
        (
            ["a.png", "old/b.png"],
            "",
            "remark: deck/old: the pictures in this folder are not read; put them into fronts",
        ),
        (["a.png", "c-back.png"], "--skip a", 'this is the back of "c", which has no front'),
        (["a.png"], "--skip c", '--skip: there is no picture "c"'),
        (["a.png"], "--only c", '--only: there is no card or deck "c"'),
        (["a.png"], "--stock pokre", '--stock: there is no stock "pokre"; did you mean "poker"?'),
        (["a.png"], "--fit white --bleed-from edge", "--fit: it cannot be given together with --bleed-from"),
        (["a.png"], "--variant b", "--variant: a folder of pictures has no variants"),
        (["a.png"], "--bleed-in-art 3km", '"3km" is not a length from 0 to 20 mm, such as 3mm or 0.125in'),
        (["a.png"], "--bleed-from red", 'invalid choice: "red"; choose from mirror, edge, white, black, #rrggbb'),
        (["a.png"], "--bleed-from miror", 'invalid choice: "miror"; did you mean "mirror"?'),
    ],
)
def test_what_is_wrong_with_a_folder_is_told(run: Run, files: list[str], options: str, told: str) -> None:
    """Every mistake has a message that says what would be right."""
    for name in files:
        put(name)
    _, _, err = run("sheets", "./deck", "--paper", "a4", *options.split())

    assert told in err


def test_pictures_of_several_proportions_are_listed(run: Run) -> None:
    """Which are which, and what to do about it."""
    for name in ("a.png", "b.png"):
        put(name)
    put("c.png", (600, 600))
    _, _, err = run("sheets", "./deck")

    assert err.startswith(
        "deck: 2 of 3 pictures fit the stock poker, 63 × 88 mm; these do not: c.png (600 × 600); cut them to size with "
        "--crop, show them whole with --fit white, name another --stock, or --skip them\n"
    )


def test_damaged_and_locked_files_are_told(run: Run) -> None:
    """Each is named, and nothing is printed."""
    with pikepdf.open(pages("locked.pdf"), allow_overwriting_input=True) as pdf:
        pdf.save(encryption=pikepdf.Encryption(user="secret", owner="secret"))
    Path("deck/broken.pdf").write_bytes(pages("whole.pdf").read_bytes()[:500])
    _, _, err = run("sheets", "./deck")

    assert "deck/locked.pdf: this PDF is locked with a password; save it without one" in err
    assert "deck/broken.pdf: this PDF cannot be read: it is cut off or damaged" in err
    for path in Path("deck").iterdir():
        path.unlink()
    Path("deck/a.png").write_bytes(b"GIF89a and no more")
    Path("deck/b.psd").write_bytes(b"8BPS")
    Path("outside.png").write_bytes(b"")
    Path("deck/c.png").symlink_to("../outside.png")
    _, _, err = run("sheets", "./deck")

    assert "deck/c.png: this leads out of the game's folder" in err
    Path("deck/c.png").unlink()
    _, _, err = run("sheets", "./deck")

    assert "deck/a.png: this is a GIF file, but its name says PNG" in err


def test_the_list_of_counts_is_checked(run: Run) -> None:
    """Every line that cannot hold is told at its place."""
    put("a.png")
    put("b x2.png")
    Path("deck/counts.csv").write_text("name,count\na,many\nc,1\nb,3\na.png,2\n")
    _, _, err = run("sheets", "./deck")

    assert 'deck/counts.csv:2: the count of "a" is "many"; write a whole number' in err
    assert 'deck/counts.csv:3: there is no picture "c"; known here: a, b' in err
    assert 'deck/b x2.png: its name says 2 of "b", but counts.csv says 3' in err


def test_a_game_is_no_folder_of_pictures(run: Run) -> None:
    """Options for pictures are refused where a game is named, and a bare name says how a folder is named."""
    put("a.png")

    assert "--stock is for a folder of pictures, but this is a game" in run("sheets", "werecats", "--stock", "poker")[2]
    assert "deck: name a folder of pictures by its path; did you mean ./deck?" in run("sheets", "deck")[2]


def test_any_folder_and_any_picture_may_be_printed(run: Run) -> None:
    """Names become ids and names of files; what a terminal would obey is written out."""
    put("{a|b} :paw: [[x]].png")
    put("絵.png")
    Path("deck").rename("My Pictures!")
    code, out, err = run("sheets", "./My Pictures!", "--paper", "a4")

    assert (code, err) == (0, "")
    assert "output/print/my-pictures/my-pictures-a4.pdf" in out


def test_preflight_looks_at_pictures(run: Run) -> None:
    """Pictures of too few pixels are found, and what was chosen does not come between a program and its JSON."""
    put("a.png", (200, 279))
    code, out, _ = run("preflight", "./deck", "--paper", "a4", "--json")

    assert code == 1
    assert out.startswith("{")
    assert "81 pixels per inch" in out
