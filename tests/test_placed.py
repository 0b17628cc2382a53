"""Pictures from the folder `art`: what is read, what is refused with a way out, and where they lie on a face."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import pytest
from games_for_tests import write_game
from PIL import Image, ImageCms
from test_face import face_problems, with_words

from grimalkin.content import load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.images.game_art import Pictures
from grimalkin.printing.face.images.pictures import Fit, Inspected, fit_of, inspected, is_cropped, lying
from grimalkin.printing.face.layers import Inks
from grimalkin.printing.face.svg.paths import Box
from grimalkin.problems import Problems
from grimalkin.source import game_digest
from grimalkin.source.files import PICTURES


def saved(kind: str, size: tuple[int, int] = (40, 20), mode: str = "RGB", **options: object) -> bytes:
    out = io.BytesIO()
    Image.new(mode, size, 128 if mode in ("L", "I;16") else 0).save(out, kind, **options)  # type: ignore[arg-type]
    return out.getvalue()


def with_exif(turn: int) -> bytes:
    exif = Image.Exif()
    exif[274] = turn
    return saved("JPEG", exif=exif)


# Reading


@pytest.mark.parametrize("kind", sorted(set(PICTURES.values())))
def test_what_a_file_is_comes_from_its_first_bytes(kind: str) -> None:
    assert Inspected(kind, (40, 20), 1, kind in ("JPEG", "PNG")) == inspected(saved(kind.upper()), kind)


@pytest.mark.parametrize("turn", range(1, 9))
def test_a_camera_that_was_turned_says_so(turn: int) -> None:
    assert Inspected("JPEG", (40, 20), turn) == inspected(with_exif(turn))


PNG = saved("PNG")
JPEG = saved("JPEG")


def damaged_png() -> bytes:
    at = PNG.index(b"IDAT") + 6
    return PNG[:at] + bytes([PNG[at] ^ 1]) + PNG[at + 1 :]


def twelve_bits() -> bytes:
    at = JPEG.index(b"\xff\xc0") + 4
    return JPEG[:at] + b"\x0c" + JPEG[at + 1 :]


def of_size(width: int, height: int) -> bytes:
    """A PNG that claims a size, with next to nothing in it."""
    head = b"IHDR" + struct.pack(">LLBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [head, b"IDAT" + zlib.compress(b""), b"IEND"]
    packed = (struct.pack(">L", len(one) - 4) + one + struct.pack(">L", zlib.crc32(one)) for one in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


@pytest.mark.parametrize(
    ("data", "named", "wrong", "hint"),
    [
        (b"", "PNG", "the file is empty", "save it as"),
        (b"hello", "PNG", "this is not a picture", "save it as GIF, JPEG, PNG, TIFF or WebP"),
        (b"BM" + bytes(60), "PNG", "this is a BMP file", "save it as"),
        (b"%PDF-1.7", "PNG", "this is a PDF file", "save it as"),
        (JPEG, "PNG", "this is a JPEG file, but its name says PNG", "rename it to end in .jpeg"),
        (PNG[:-20], "PNG", "the file is cut off or damaged", "save it again"),
        (PNG[:20], "PNG", "the file is cut off", "save it again"),
        (damaged_png(), "PNG", "the file is cut off or damaged", "save it again"),
        (JPEG[:-40], "JPEG", "the end of the picture is missing", "save it again"),
        (JPEG[:20], "JPEG", "the file is cut off", "save it again"),
        (twelve_bits(), "JPEG", "its pixels have 12 bits", "save it with 8 bits"),
        (saved("WEBP")[:-9], "WebP", "the file is cut off", "save it again"),
        (of_size(20_000, 20_000), "PNG", "pixels", "at most 80 million are allowed"),
        (of_size(10_001, 10_000), "PNG", "it has 10,001 × 10,000 pixels", "at most 80 million are allowed"),
        (saved("TIFF", mode="F"), "TIFF", "its pixels are floating-point numbers", "8 or 16 bits"),
    ],
)
def test_what_cannot_be_used_says_why(data: bytes, named: str, wrong: str, hint: str) -> None:
    found = inspected(data, named)

    assert isinstance(found, tuple)
    assert wrong in found[0]
    assert hint in found[1]


# Lying


ROOM: Box = (10, 10, 30, 50)
"""20 wide and 40 high."""


@pytest.mark.parametrize(
    ("aspect", "focus", "lies"),
    [
        # 100 × 100: as a whole it is 20 × 20, filling the room 40 × 40.
        ("", "", (10, 20, 30, 40)),
        ("xMidYMin", "", (10, 10, 30, 30)),
        ("xMaxYMax meet", "", (10, 30, 30, 50)),
        ("xMidYMid slice", "", (0, 10, 40, 50)),
        ("xMinYMid slice", "", (10, 10, 50, 50)),
        ("xMaxYMid slice", "", (-10, 10, 30, 50)),
        ("none", "", (10, 10, 30, 50)),
        # A quarter from the left is 10 of 40: in the middle of the room at 20, the picture begins at 10.
        ("", "25% 50%", (10, 10, 50, 50)),
        ("xMidYMid slice", "40 50", (4, 10, 44, 50)),
        ("", "0% 0%", (10, 10, 50, 50)),
        ("", "100%, 100%", (-10, 10, 30, 50)),
    ],
)
def test_a_picture_lies_where_it_is_put(aspect: str, focus: str, lies: Box) -> None:
    fit = fit_of(aspect, focus)
    assert isinstance(fit, Fit)

    assert lies == pytest.approx(lying((100, 100), ROOM, fit))
    assert is_cropped(lies, ROOM) == (lies[0] < 10 or lies[2] > 30)


@pytest.mark.parametrize(
    ("aspect", "focus"), [("xMidYmid", ""), ("slice", ""), ("", "left"), ("", "120% 5%"), ("", "5%")]
)
def test_a_fit_that_cannot_be_read_says_what_to_write(aspect: str, focus: str) -> None:
    fit = fit_of(aspect, focus)

    assert isinstance(fit, tuple) and not isinstance(fit, Fit)
    assert "write" in fit[1]


# On faces


def face_of(tmp_path: Path, template: str, inks: Inks = "full", **pictures: bytes) -> tuple[Face | None, list[str]]:
    """The first face of the made-up game, with these pictures in its folder `art`."""
    folder = write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words(template))
    (folder / "art").mkdir()
    for name, data in pictures.items():
        (folder / "art" / name.replace("_", ".")).write_bytes(data)
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None
    composer = Composer(game, load_stocks(folder, problems), problems, inks)
    deck = game.info.decks[0]
    face, _ = composer.faces(deck, game.components[deck.id][0])
    return face, list(map(str, problems))


def test_a_picture_is_cropped_with_round_corners(tmp_path: Path) -> None:
    image = '<image href="art/fox.png" x="4" y="5" width="20" height="20" rx="3" preserveAspectRatio="xMidYMid slice"/>'
    face, problems = face_of(tmp_path, image, fox_png=PNG)

    assert [] == problems
    assert face is not None
    assert '<clipPath id="crop-4-5-20-20-3"><rect x="4" y="5" width="20" height="20" rx="3"/></clipPath>' in face.svg
    assert 'x="-6" y="5" width="40" height="20" preserveAspectRatio="none"/>' in face.svg
    assert 'href="data:image/png;base64,' in face.svg


def test_without_a_height_it_has_its_own_proportions(tmp_path: Path) -> None:
    face, problems = face_of(tmp_path, '<image href="art/fox.png" x="4" y="5" width="30"/>', fox_png=PNG)

    assert [] == problems
    assert face is not None
    assert 'x="4" y="5" width="30" height="15"' in face.svg


def test_its_pixels_are_part_of_the_fingerprint(tmp_path: Path) -> None:
    image = '<image href="art/fox.png" width="30"/>'
    one, _ = face_of(tmp_path / "one", image, fox_png=PNG)
    other, _ = face_of(tmp_path / "other", image, fox_png=saved("PNG", mode="L"))
    assert one is not None and other is not None

    assert one.fingerprint != other.fingerprint


@pytest.mark.parametrize(
    ("template", "wrong", "hint"),
    [
        ('<image href="art/fix.png" width="9"/>', 'there is no picture "art/fix.png"', "fox.png"),
        ('<image href="art/fox" width="9"/>', 'there is no picture "art/fox"', "write art/fox.png"),
        ('<image href="../fox.png" width="9"/>', 'there is no picture "../fox.png"', "fox.png"),
        (
            '<image href="http://a.b/c.png" width="9"/>',
            "there is no picture",
            "nothing is downloaded: save it in the game's folder art",
        ),
        ('<image href="art/fox.png"/>', 'the picture "fox.png" has no size', 'write width="…"'),
        ('<image width="9"/>', "<image> has no href", 'write href="…"'),
        (
            '<image href="art/fox.png" width="9" focus="top"/>',
            'focus="top" is not a point in a picture',
            "two percentages",
        ),
        ('<image href="art/fox.png" width="9" preserveAspectRatio="xMid"/>', "cannot be read", "xMidYMid slice"),
        ('<image href="art/fox.png" width="9" focus="5% 5%" preserveAspectRatio="none"/>', "matters only", "slice"),
        ('<image href="./art/fox.png" width="9"/>', "there is no picture", "write art/fox.png"),
        (
            '<image href="art/old.bmp" width="9"/>',
            "there is no picture",
            "a file that ends in .bmp is not read: save it",
        ),
        ('<image href="art/vector.png" width="9"/>', "this is an SVG file", "rename it to end in .svg"),
        ('<image href="art/photo.svg" width="9"/>', "this is a PNG file, but its name says SVG", "end in .png"),
        ('<image href="art/fox.png" width="-9"/>', "is negative", "write 0 or more"),
        ('<image href="art/bad.png" width="9"/>', "bad.png: the file is cut off", "save it again"),
        ('<image href="art/liar.png" width="9"/>', "liar.png: this is a JPEG file", "rename it to end in .jpeg"),
    ],
)
def test_what_is_wrong_with_a_picture_has_its_place(tmp_path: Path, template: str, wrong: str, hint: str) -> None:
    pictures = {"fox_png": PNG, "bad_png": PNG[:40], "liar_png": JPEG, "old_bmp": b"BM", "photo_svg": PNG}
    pictures["vector_png"] = b"<svg/>"
    face, problems = face_of(tmp_path, template, **pictures)

    assert face is None
    assert 1 == len(problems)
    assert wrong in problems[0]
    assert hint in problems[0]


def test_a_cell_that_names_no_picture_is_found_in_its_row(tmp_path: Path) -> None:
    template = '<image href="{{ card.name }}.png" width="9"/>'
    folder = write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words(template))
    (folder / "art").mkdir()
    (folder / "art" / "Mouse.png").write_bytes(PNG)

    problems = face_problems(folder)
    assert not any('picture "Mouse.png"' in one for one in problems)
    assert any('there is no picture "Owl.png"' in one for one in problems), problems


@pytest.mark.parametrize(("inks", "treatment"), [("full", "as-is"), ("low", "grey"), ("mono", "halftone")])
def test_ink_is_saved_on_pictures_too(tmp_path: Path, inks: Inks, treatment: str) -> None:
    face, _ = face_of(tmp_path, '<image href="art/fox.png" width="9"/>', inks, fox_png=PNG)
    assert face is not None

    assert [treatment] == [placed.treatment for placed in face.pictures.values()]


def noted(tmp_path: Path, name: str, data: bytes) -> list[str]:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / name).write_bytes(data)
    pictures = Pictures(tmp_path, Problems())
    assert pictures.picture(name) is not None
    return [one.message for one in pictures.notes]


@pytest.mark.parametrize(
    ("profile", "is_left_out"),
    [
        (ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes(), False),
        (ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes(), True),
        (b"no profile", True),
        (b"", False),
    ],
)
def test_a_profile_that_lies_is_left_out_with_a_remark(tmp_path: Path, profile: bytes, is_left_out: bool) -> None:
    wanted = ["its colour profile is damaged, or for another colour space, and is ignored"] * is_left_out

    assert wanted == noted(tmp_path, "a.jpg", saved("JPEG", icc_profile=profile))


@pytest.mark.parametrize(("gamma", "count"), [(45_455, 0), (100_000, 1), (45_000, 0)])
def test_another_gamma_is_left_out_with_a_remark(tmp_path: Path, gamma: int, count: int) -> None:
    chunk = b"gAMA" + struct.pack(">L", gamma)
    whole = struct.pack(">L", 4) + chunk + struct.pack(">L", zlib.crc32(chunk))

    assert count == len(noted(tmp_path, "a.png", PNG[:33] + whole + PNG[33:]))


@pytest.mark.parametrize("name", ["fox.png", "FOX.JPG", "fox.svg"])
def test_a_game_is_another_one_with_other_art(tmp_path: Path, name: str) -> None:
    """Else a build would find nothing to do."""
    (tmp_path / "art").mkdir()
    digests = set()
    for data in (b"one", b"two", b"one\r\n", b"one\n"):
        (tmp_path / "art" / name).write_bytes(data)
        digests.add(game_digest(tmp_path))

    assert 4 == len(digests)


def test_art_may_lie_in_folders(tmp_path: Path) -> None:
    """And is found by its path; what a link leads to outside of the game is a problem."""
    (tmp_path / "game" / "art" / "cats").mkdir(parents=True)
    (tmp_path / "game" / "art" / "cats" / "fox.png").write_bytes(PNG)
    (tmp_path / "out.png").write_bytes(PNG)
    (tmp_path / "game" / "art" / "out.png").symlink_to(tmp_path / "out.png")
    problems = Problems()
    pictures = Pictures(tmp_path / "game", problems)

    assert ["cats/fox.png"] == list(pictures)
    assert pictures.picture("cats/fox.png") is not None
    assert ["this leads out of the game's folder"] == [one.message for one in problems]


def test_what_pillow_remarks_is_not_printed(capfd: pytest.CaptureFixture[str]) -> None:
    """A tag of a TIFF that ends behind the file, and more bands than there are colours."""
    tiff = bytearray(saved("TIFF"))
    at = tiff.index(struct.pack("<HH", 258, 3))
    tiff[at + 4 : at + 8] = struct.pack("<L", 60_000)
    inspected(bytes(tiff))
    at = tiff.index(struct.pack("<HHL", 277, 3, 1))
    tiff[at + 8] = 99
    inspected(bytes(tiff))

    assert ("", "") == capfd.readouterr()
