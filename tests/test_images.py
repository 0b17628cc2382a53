"""Pictures of every kind, drawn to PDF: what PDFium shows of them, and what the file holds."""

from __future__ import annotations

import io
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from lxml import etree
from painted import STOCK, picture
from PIL import Image, ImageCms, ImageDraw

from grimalkin.printing.draw import images
from grimalkin.printing.draw.condition import Condition, own_profile
from grimalkin.printing.draw.images import raster
from grimalkin.printing.draw.pdf import face_pdf, faces_pdf
from grimalkin.printing.face import Face
from grimalkin.printing.face.images.game_art import Pictures
from grimalkin.printing.face.images.pictures import Fit, Picture, Placed, data_uri, lying, png_chunks, smaller
from grimalkin.printing.face.layers import Layer
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.face.svg.xml import PARSER
from grimalkin.problems import Problems, Stop
from grimalkin.source.cache import Cache

RED, GREEN, BLUE, WHITE, BLACK = (220, 20, 30), (20, 160, 60), (30, 40, 200), (255, 255, 255), (0, 0, 0)
CORNERS = (RED, GREEN, BLUE, WHITE)
"""Of the picture that all are made from: above, then below."""
SIZE = (60, 40)


def four(size: tuple[int, int] = SIZE) -> Image.Image:
    """Four corners in four colours."""
    image = Image.new("RGB", size)
    draw = ImageDraw.Draw(image)
    wide, high = size[0] // 2, size[1] // 2
    for index, colour in enumerate(CORNERS):
        x, y = index % 2 * wide, index // 2 * high
        draw.rectangle((x, y, x + wide - 1, y + high - 1), fill=colour)
    return image


def veiled() -> Image.Image:
    """The same, clear on the left and opaque on the right."""
    image = four().convert("RGBA")
    image.putalpha(Image.new("L", SIZE, 255))
    image.paste((*RED, 0), (0, 0, 30, 20))
    image.paste((*BLUE, 128), (0, 20, 30, 40))
    return image


def put(folder: Path, name: str, image: Image.Image, **options: Any) -> Picture:
    """Save a picture as a game would have it, and read it."""
    (folder / "art").mkdir(exist_ok=True)
    image.save(folder / "art" / name, **options)
    problems = Problems()
    found = Pictures(folder, problems).picture(name)

    assert found is not None, list(problems)
    return found


def face_with(*placed: Placed) -> Face:
    """A face of 30 × 30 mm: 30 × 20 mm of it a picture, over a ground of yellow; more pictures lie below it."""
    images = "".join(
        f'<image href="{one.key}" x="0" y="{20 * at}" width="30" height="20" preserveAspectRatio="none"/>'
        for at, one in enumerate(placed)
    )
    ground = '<rect width="30" height="30" fill="#ffff00"/>'
    root = etree.fromstring(f'<g xmlns="{SVG}">{ground}{images}</g>', PARSER)
    layer = Layer(root, pictures={one.key: one for one in placed})
    return Face("owl-front", "Owl", "Owl", STOCK, (layer,))


def corners(*placed: Placed) -> list[Any]:
    """What is seen in the middle of each quarter of the picture."""
    seen = picture(face_pdf(face_with(*placed), False))
    return [seen.getpixel((x, y)) for y in (50, 150) for x in (75, 225)]


def near(colours: Any, by: int = 4) -> list[Any]:
    return [pytest.approx(one, abs=by) for one in colours]


def images_of(pdf: bytes) -> list[tuple[bytes, bytes]]:
    """The pictures of a file as they are packed, each with the profile of its colours."""
    with pikepdf.open(io.BytesIO(pdf)) as read:
        found = [one for one in read.objects if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == "/Image"]
        return [(one.read_raw_bytes(), one.ColorSpace[1].read_bytes()) for one in found]


def profile() -> bytes:
    """Colours as Adobe has them would differ; this is sRGB under another name, which every viewer reads alike."""
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def palette_with_clear_colours() -> Image.Image:
    """Two of the four colours of a palette are clear, one half and one whole."""
    image = four().quantize(4)
    colours = image.getpalette() or []
    alphas = bytearray(b"\xff" * 4)
    for index in range(4):
        colour = tuple(colours[3 * index : 3 * index + 3])
        if sum(abs(one - other) for one, other in zip(colour, RED, strict=True)) < 30:
            alphas[index] = 0
        if sum(abs(one - other) for one, other in zip(colour, BLUE, strict=True)) < 30:
            alphas[index] = 128
    image.info["transparency"] = bytes(alphas)
    return image


GREYS = [((r * 299 + g * 587 + b * 114) // 1000,) * 3 for r, g, b in CORNERS]
"""ITU-R BT.601, as Pillow counts."""
YELLOW = (255, 255, 0)
HALF_BLUE = tuple((one + other) // 2 for one, other in zip(BLUE, YELLOW, strict=True))
CLEARED = [YELLOW, GREEN, HALF_BLUE, WHITE]


def sixteen(image: Image.Image) -> Image.Image:
    """Grey in 16 bits."""
    grey = image.convert("L")
    return Image.frombytes("I;16", grey.size, b"".join(bytes((value, value)) for value in grey.tobytes()))


@pytest.mark.parametrize(
    ("name", "image", "options", "wanted"),
    [
        ("a.png", four(), {}, CORNERS),
        ("a.png", four().convert("L"), {}, GREYS),
        ("a.png", four().quantize(4), {}, CORNERS),
        ("a.png", sixteen(four()), {}, GREYS),
        ("a.png", veiled(), {}, CLEARED),
        ("a.png", veiled().convert("LA"), {}, None),
        ("a.png", palette_with_clear_colours(), {}, CLEARED),
        ("a.jpg", four(), {"quality": 98}, CORNERS),
        ("a.jpg", four(), {"quality": 98, "progressive": True}, CORNERS),
        ("a.jpeg", four().convert("L"), {"quality": 98}, GREYS),
        ("a.webp", four(), {"lossless": True}, CORNERS),
        ("a.webp", veiled(), {"lossless": True}, CLEARED),
        ("a.tif", four(), {"compression": "tiff_lzw"}, CORNERS),
        ("a.tif", sixteen(four()), {}, GREYS),
        ("a.tiff", veiled(), {}, CLEARED),
        ("a.gif", four(), {}, CORNERS),
        ("a.PNG", four(), {}, CORNERS),
    ],
)
def test_a_picture_is_printed_as_it_looks(
    tmp_path: Path, name: str, image: Image.Image, options: dict[str, Any], wanted: Any
) -> None:
    placed = Placed(put(tmp_path, name, image, **options), "as-is")
    if wanted is None:  # grey, and clear on the left
        wanted = [YELLOW, GREYS[1], tuple((GREYS[2][0] + one) // 2 for one in YELLOW), WHITE]

    assert near(wanted, 6) == corners(placed)


@pytest.mark.parametrize("turn", range(1, 9))
@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.webp"])
def test_a_picture_is_turned_as_its_camera_says(tmp_path: Path, name: str, turn: int) -> None:
    """What is seen is the same for all: the file holds the pixels turned the other way."""
    back = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    image = four().transpose(back[turn]) if turn > 1 else four()
    exif = Image.Exif()
    exif[274] = turn
    options = {"quality": 98} if name == "a.jpg" else {"lossless": True} if name == "a.webp" else {}
    found = put(tmp_path, name, image, exif=exif, **options)

    assert SIZE == found.size
    assert near(CORNERS, 6) == corners(Placed(found, "as-is"))


def test_a_jpeg_goes_in_as_it_is_and_once(tmp_path: Path) -> None:
    """Its bytes are in the file, once for two faces that show it; its profile, too."""
    found = put(tmp_path, "a.jpg", four(), icc_profile=profile())
    face = face_with(Placed(found, "as-is"))
    pdf = faces_pdf([face, face_with(Placed(found, "as-is"), Placed(found, "as-is"))], False)

    assert [(found.read(), profile())] == images_of(pdf)


def test_a_png_goes_in_without_being_decoded(tmp_path: Path) -> None:
    found = put(tmp_path, "a.png", four(), icc_profile=profile())
    pixels = dict(png_chunks(found.read()))[b"IDAT"]

    assert [(pixels, profile())] == images_of(face_pdf(face_with(Placed(found, "as-is")), False))


def test_alpha_becomes_a_soft_mask_without_a_loss(tmp_path: Path) -> None:
    image = Image.effect_noise((50, 30), 80).convert("RGB")
    image.putalpha(Image.radial_gradient("L").resize(image.size))
    for name, options in (("a.png", {}), ("a.webp", {"lossless": True, "exact": True}), ("a.tif", {})):
        made = raster(Placed(put(tmp_path, name, image, **options), "as-is"))
        assert made.mask is not None
        assert image.convert("RGB").tobytes() == unpacked(made)
        assert image.getchannel("A").tobytes() == unpacked(made.mask)


def unpacked(made: Any) -> bytes:
    """The pixels of a raster, its filters undone as ISO 32000-1 and the PNG standard say."""
    data, step = zlib.decompress(made.data), made.bands
    length = step * made.width
    lines: list[bytearray] = []
    is_png = "/Predictor 15" in made.keys
    for row in range(made.height):
        start = row * (length + is_png)
        kind = data[start] if is_png else 1
        line = bytearray(data[start + is_png : start + is_png + length])
        above = lines[-1] if lines else bytes(length)
        for at in range(length):
            left = line[at - step] if at >= step else 0
            corner = above[at - step] if at >= step else 0
            guess = left + above[at] - corner
            paeth = min((left, above[at], corner), key=lambda one: abs(guess - one))
            line[at] = (line[at] + (0, left, above[at], (left + above[at]) // 2, paeth)[kind]) % 256
        lines.append(line)
    return b"".join(lines)


def test_cmyk_of_photoshop_is_the_right_way_round(tmp_path: Path) -> None:
    """Cyan, magenta, yellow and black: Pillow writes them as Photoshop does, the wrong way round, and says so."""
    image = Image.new("CMYK", SIZE)
    inks = [(255, 0, 0, 0), (0, 255, 0, 0), (0, 0, 255, 0), (0, 0, 0, 255)]
    for index, ink in enumerate(inks):
        image.paste(ink, (index % 2 * 30, index // 2 * 20, index % 2 * 30 + 30, index // 2 * 20 + 20))
    whole = [put(tmp_path, "a.jpg", image, quality=98), put(tmp_path, "a.tif", image)]
    for found in whole:
        cyan, magenta, yellow, black = corners(Placed(found, "as-is"))
        assert cyan[0] < 60 < 140 < min(cyan[1:])
        assert magenta[1] < 60 < 120 < magenta[0]
        assert yellow[2] < 60 < 200 < min(yellow[:2])
        assert max(black) < 60
    jpeg = raster(Placed(whole[0], "as-is"))
    assert "/Decode[1 0 1 0 1 0 1 0]" in jpeg.keys
    fewer = raster(Placed(whole[0], "as-is", (30, 20)))
    assert (30, 20, 4) == fewer[:3]


def test_a_picture_has_no_more_pixels_than_print_shows(tmp_path: Path) -> None:
    """600 × 400 at 30 × 20 mm are 508 dpi: more than 1.5 times 300, so it is made smaller; 400 dpi are not."""
    assert (354, 236) == smaller((600, 400), (30, 20), "as-is", 300)
    assert None is smaller((472, 315), (30, 20), "as-is", 300)
    assert None is smaller((600, 400), (30, 20), "as-is", 400)
    assert (177, 118) == smaller((600, 400), (30, 20), "halftone", 300)
    for name in ("a.jpg", "a.png"):
        found = put(tmp_path, name, four((600, 400)))
        placed = Placed(found, "as-is", (354, 236))
        assert (354, 236) == raster(placed)[:2]
        assert near(CORNERS, 6) == corners(placed)


@pytest.mark.parametrize("treatment", ["halftone", "threshold"])
def test_in_black_alone_there_is_black_and_white(tmp_path: Path, treatment: str) -> None:
    """One bit a pixel; as dots, dark parts have more of them than light ones; what is not seen stays so."""
    found = put(tmp_path, "a.png", veiled())
    made = raster(Placed(found, treatment))
    assert made.bands == 1
    assert made.mask is not None
    assert {0, 255} == set(unpacked(made)) == set(unpacked(made.mask))
    opaque = raster(Placed(put(tmp_path, "b.png", four()), treatment))
    assert "/BitsPerComponent 1/" in opaque.keys


def test_shades_of_grey_have_no_colour(tmp_path: Path) -> None:
    found = put(tmp_path, "a.jpg", four(), quality=98, icc_profile=profile())
    made = raster(Placed(found, "grey"))

    assert (1, b"") == (made.bands, made.profile)
    assert near(GREYS, 6) == corners(Placed(found, "grey"))


def test_what_was_worked_out_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its digest, so that another picture under the same name is another one."""
    placed = Placed(put(tmp_path, "a.png", veiled()), "as-is")
    made = raster(placed)
    monkeypatch.setattr("grimalkin.printing.draw.images._parted", lambda _: pytest.fail("it was worked out again"))
    monkeypatch.setattr("grimalkin.printing.draw.images._decoded", lambda *_: pytest.fail("it was worked out again"))

    assert made == raster(placed)
    with pytest.raises(pytest.fail.Exception):
        raster(Placed(put(tmp_path, "b.png", veiled().rotate(180)), "as-is"))


def test_a_file_that_changes_meanwhile_is_reported(tmp_path: Path) -> None:
    found = put(tmp_path, "a.png", four())
    found.path.write_bytes(b"something else")
    with pytest.raises(Stop, match=r"a\.png: the file changed while it was being read"):
        raster(Placed(found, "as-is"))


def test_pixels_that_lie_are_reported_with_their_file(tmp_path: Path) -> None:
    """Every chunk is sound, and there are fewer pixels in them than the head promises."""
    found = put(tmp_path, "a.png", veiled())
    data = found.read()
    head = bytearray(data[:33])
    head[16:24] = (600).to_bytes(4, "big") + (400).to_bytes(4, "big")
    head[29:33] = zlib.crc32(bytes(head[12:29])).to_bytes(4, "big")
    found.path.write_bytes(bytes(head) + data[33:])
    liar = Pictures(tmp_path, Problems()).picture("a.png")
    assert liar is not None
    with pytest.raises(Stop, match=r"a\.png: the picture cannot be read"):
        raster(Placed(liar, "as-is"))


@pytest.mark.parametrize(
    ("name", "treatment", "kind"),
    [("a.jpg", "as-is", "jpeg"), ("a.png", "as-is", "png"), ("a.tif", "as-is", "png"), ("a.jpg", "halftone", "png")],
)
def test_browsers_get_what_they_can_show(tmp_path: Path, name: str, treatment: str, kind: str) -> None:
    found = data_uri(Placed(put(tmp_path, name, four()), treatment))

    assert found.startswith(f"data:image/{kind};base64,")


def test_a_focus_is_kept_in_sight() -> None:
    """A face in the upper right corner of a picture that fills a tall room."""
    assert (-60.0, 0.0, 20.0, 40.0) == lying((200, 100), (0, 0, 20, 40), Fit(fills=True, focus=(1, 0)))


@pytest.mark.parametrize(
    "changed",
    [{"limit": 150}, {"space": "gray"}, {"profile": replace(own_profile(), digest="another")}],
    ids=["limit", "inks", "profile"],
)
def test_a_picture_is_kept_for_one_condition(
    changed: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was prepared for one shop would have too much ink, or wrong inks, at another."""
    (tmp_path / "cache").mkdir(0o700)
    monkeypatch.setattr(images, "_cache", lambda: Cache(tmp_path / "cache", ".kept", 9, 10_000))
    placed = Placed(put(tmp_path, "dark.png", Image.new("RGB", (4, 4), (20, 0, 40))), "as-is")
    shop = Condition("cmyk", own_profile())
    raster(placed, shop)
    raster(placed, replace(shop, **changed))

    assert 2 == len([*(tmp_path / "cache").iterdir()])
