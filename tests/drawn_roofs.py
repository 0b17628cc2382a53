"""Pictures of our own, for pages and for the game to begin with: a cat on a roof at dusk, and roofs by moonlight.

They stand for what a designer has: the first for a photograph, with all the tones between light and dark. They are
drawn here and nowhere else, so nobody needs to ask where they come from.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from games_for_tests import FILES, write_game
from PIL import Image, ImageColor, ImageDraw

from grimalkin.content import load_game
from grimalkin.content.stocks import Stock, load_stocks
from grimalkin.printing.draw.raster import face_png
from grimalkin.printing.face import Composer, Inks
from grimalkin.printing.finished import Ways, read_pictures
from grimalkin.problems import Problems
from grimalkin.source import data_folder

DUSK = """\
<linearGradient id="sky" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2="46">
<stop offset="0" stop-color="#161a38"/><stop offset="0.45" stop-color="#4d3c6b"/>
<stop offset="0.75" stop-color="#b4605f"/><stop offset="1" stop-color="#f0b060"/></linearGradient>
<radialGradient id="glow" gradientUnits="userSpaceOnUse" cx="66" cy="15" r="24">
<stop offset="0.25" stop-color="#fff3c8" stop-opacity="0.7"/><stop offset="0.5" stop-color="#fff3c8"
 stop-opacity="0.25"/><stop offset="1" stop-color="#fff3c8" stop-opacity="0"/>
</radialGradient>
<radialGradient id="moon" gradientUnits="userSpaceOnUse" cx="64" cy="13" r="9">
<stop offset="0" stop-color="#fffbe8"/><stop offset="1" stop-color="#f3dfa0"/></radialGradient>
<linearGradient id="far" gradientUnits="userSpaceOnUse" x1="0" y1="28" x2="0" y2="54">
<stop offset="0" stop-color="#6f4a63"/><stop offset="1" stop-color="#b9746a"/></linearGradient>
<linearGradient id="mid" gradientUnits="userSpaceOnUse" x1="0" y1="32" x2="0" y2="60">
<stop offset="0" stop-color="#3d2d4a"/><stop offset="1" stop-color="#5f3f55"/></linearGradient>
<linearGradient id="near" gradientUnits="userSpaceOnUse" x1="0" y1="42" x2="26" y2="66">
<stop offset="0" stop-color="#8a4a42"/><stop offset="0.4" stop-color="#4a2b38"/><stop offset="1" stop-color="#1f1828"/>
</linearGradient>
<linearGradient id="fur" gradientUnits="userSpaceOnUse" x1="14" y1="20" x2="34" y2="40">
<stop offset="0" stop-color="#4a3a48"/><stop offset="0.5" stop-color="#1b1622"/><stop offset="1" stop-color="#0d0b12"/>
</linearGradient>
<rect width="90" height="60" fill="url(#sky)"/>
<g fill="#fff3c8"><circle cx="8" cy="7" r="0.35"/><circle cx="19" cy="13" r="0.25"/><circle cx="33" cy="5" r="0.4"/>
<circle cx="42" cy="15" r="0.3"/><circle cx="50" cy="4" r="0.25"/><circle cx="83" cy="6" r="0.35"/></g>
<rect width="90" height="60" fill="url(#glow)"/>
<circle cx="66" cy="15" r="7" fill="url(#moon)"/>
<circle cx="63.5" cy="13" r="1.3" fill="#e3cb8c" opacity="0.6"/><circle cx="68.4" cy="17.4" r="1.8" fill="#e3cb8c"
 opacity="0.5"/>
<path fill="url(#far)" d="M0 40L7 33L14 39V35H17V41L28 41L36 34L45 41H52V30H55L57 26L59 30H62V41L70 35L79 42
L90 34V60H0Z"/>
<path fill="url(#mid)" d="M36 60V47L46 39L56 47V42H60V47H66L76 38L90 48V60Z"/>
<path fill="#f6c667" d="M44 49H46V52.4H44ZM47 49H49V52.4H47ZM74.6 46H76.6V49.4H74.6Z"/>
<g fill="#d8c3c0"><circle cx="59" cy="38" r="2" opacity="0.45"/><circle cx="61.5" cy="33.5" r="2.8" opacity="0.32"/>
<circle cx="65.5" cy="28" r="3.8" opacity="0.2"/></g>
<path fill="url(#near)" d="M-2 44L34 39L56 60H-2Z"/>
<g fill="none" stroke="#2a1b26" stroke-width="0.35" opacity="0.7"><path d="M-2 48L38 43M-2 52L43 47.4M-2 56L47 51.6"/>
<path d="M6 43L8 47M15 42L17 46M25 41L28 44.6M11 47L13 51M21 46L24 50M32 44.4L36 48M7 52L9 56M18 50.6L21 54.6
M29 49L33 53
M39 48L43 52M14 55L16 60M25 53.6L29 58M36 52L41 57"/></g>
<path fill="none" stroke="#f0a860" stroke-width="0.7" d="M-2 44L34 39L56 60"/>
<path fill="none" stroke="#0d0b12" stroke-width="2.4" stroke-linecap="round" d="M29.5 39.4C35 40 37.5 44 35.6 47.6
C34.4 50 31.6 49.4 32 47.4"/>
<path fill="url(#fur)" d="M17.5 41.4C16 35 17.8 30.4 20 27.8C17.6 25.4 17 21.6 18 16.4L21.2 19.6
C22.8 19 24.8 19 26.4 19.6
L29.8 16.6C30.6 21.4 30 25.2 27.8 27.6C31.4 30.6 33 36 31.4 40.2C27 42.4 21 42.4 17.5 41.4Z"/>
<path fill="none" stroke="#f0a860" stroke-width="0.45" stroke-linecap="round" d="M17.4 40.8C16 35 17.8 30.4 20 27.8
C17.6 25.4 17 21.6 18 16.4L21 19.4"/>
<path fill="#ffd76a" d="M20 23.4C20.8 22 22.6 22.2 23 23.8C22 24.9 20.6 24.7 20 23.4ZM28 23.4
C27.2 22 25.4 22.2 25 23.8
C26 24.9 27.4 24.7 28 23.4Z"/>
<path fill="#0d0b12" d="M21.5 22.5C21.9 23.2 21.9 24 21.5 24.6C21.1 24 21.1 23.2 21.5 22.5ZM26.5 22.5
C26.9 23.2 26.9 24
 26.5 24.6C26.1 24 26.1 23.2 26.5 22.5Z"/>
<path fill="none" stroke="#c9a9a0" stroke-width="0.16" d="M22.6 26L17.4 25.2M22.6 26.4L17.8 27M25.4 26
L30.6 25.2M25.4 26.4
L30.2 27"/>
<path fill="#c98a80" d="M23.3 25.2H24.7L24 26Z"/>
"""
"""A cat on a roof, 90 × 60 mm, drawn with gradients: it has the tones of a photograph, and is none."""


def drawn(
    art: str,
    size: tuple[float, float],
    dpi: int,
    inks: Inks = "full",
    files: Mapping[str, bytes | str] | None = None,
    said: str = "",
) -> Image.Image:
    """A piece of art as print shows it, from a block of a template and the files that it names. `said` is what
    game.yaml says of its deck."""
    template = '{% extends "base/face.svg.j2" %}{% block art %}' + art + "{% endblock %}"
    info = FILES["game.yaml"].replace("    columns:\n", said + "    columns:\n")
    problems = Problems()
    with TemporaryDirectory() as folder:
        place = write_game(Path(folder) / "sample", game_yaml=info, faces__plain_svg_j2=template)
        for name, data in (files or {}).items():
            (place / name).parent.mkdir(exist_ok=True)
            (place / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        game = load_game(place, problems)
        assert game and not problems, list(problems)
        stock = Stock(name="Sample", shape="rectangle", width=size[0], height=size[1], corner=0, bleed=0, safe=0)
        composer = Composer(game, {}, problems, inks)
        face = composer.compose("plain", "mouse-front", "Sample", None, stock, {})
        assert face and not problems, list(problems)
        return Image.open(io.BytesIO(face_png(face, dpi)))


CLEAR, PALE, SHADE, INK, LIT = range(5)
INKS = ("#000000", "#9fb3b0", "#6f8583", "#1d1a26", "#e8d9a8")
"""Of the roofs; the first is not seen."""
DOTS = 400 / 25.4
"""To the millimetre."""


def roofs() -> Image.Image:
    """Roofs by moonlight, 69 × 28 mm, for a card of the game to begin with: flat inks, and a clear sky.

    They are cut as a block is: pale planes, black lines and lit windows, so that two tones are enough for them.
    """
    image = Image.new("P", (round(69 * DOTS), round(28 * DOTS)), CLEAR)
    image.putpalette([part for ink in INKS for part in ImageColor.getrgb(ink)])
    pen = ImageDraw.Draw(image)

    def shape(ink: int, *points: tuple[float, float]) -> None:
        pen.polygon([(round(x * DOTS), round(y * DOTS)) for x, y in points], fill=ink)

    def gouge(x1: float, y1: float, x2: float, y2: float, wide: float, ink: int = INK) -> None:
        """A line that tapers at both ends."""
        x, y, long = (x1 + x2) / 2, (y1 + y2) / 2, math.hypot(x2 - x1, y2 - y1)
        aside, down = (y2 - y1) / long * wide / 2, (x1 - x2) / long * wide / 2
        shape(ink, (x1, y1), (x + aside, y + down), (x2, y2), (x - aside, y - down))

    def box(ink: int, x: float, y: float, width: float, height: float) -> None:
        shape(ink, (x, y), (x + width, y), (x + width, y + height), (x, y + height))

    def chimney(x: float, y: float, height: float) -> None:
        box(INK, x - 0.3, y - 0.9, 3.2, height)
        box(PALE, x + 0.1, y, 1.7, height)
        box(INK, x - 0.4, y - 1, 3.4, 0.9)

    def house(left: float, ridge: float, right: float, top: float, eaves: float) -> None:
        """A gable in the light, its wall below, and the shadow of its roof on the right."""
        shape(INK, (left - 1, eaves + 0.9), (ridge, top - 0.6), (right + 1.2, eaves + 1), (right, 29), (left, 29))
        shape(PALE, (left + 0.4, eaves + 0.6), (ridge, top + 0.7), (right - 0.5, eaves + 0.7), (right - 0.6, 29),
              (left + 0.5, 29))  # fmt: skip
        shape(SHADE, (ridge, top + 0.7), (right - 0.5, eaves + 0.7), (right - 0.6, 29), (right - 3.2, 29),
              (right - 2.8, eaves + 1.6))  # fmt: skip
        for step in range(1, 5):
            share, y = step / 5, top + (eaves - top) * step / 5
            gouge(ridge - (ridge - left) * share * 0.62, y + 1.3, ridge - 0.5 - share, y + 1.1, 0.45)

    def window(x: float, y: float) -> None:
        box(INK, x - 0.4, y - 0.4, 3.2, 4.4)
        box(LIT, x, y, 1.05, 1.6)
        box(LIT, x + 1.35, y, 1.05, 1.6)
        box(LIT, x, y + 2, 1.05, 1.6)
        box(LIT, x + 1.35, y + 2, 1.05, 1.6)

    house(14.5, 22, 29.5, 11.5, 18)
    house(27.5, 34, 41, 10.5, 17)
    house(39, 45.5, 52, 12, 18.5)
    chimney(12.4, 7.2, 6)
    house(-2, 7.4, 17, 6, 14)
    window(6.2, 17.2)
    chimney(64.4, 5.6, 8)
    house(50, 59, 70.5, 3.4, 13)
    window(57.6, 16.2)
    return image


def roofs_png() -> bytes:
    """The roofs as a file: a palette, one ink of it clear, and its dots to the inch."""
    out = io.BytesIO()
    roofs().save(out, "PNG", bits=4, transparency=CLEAR, dpi=(400, 400), optimize=True)
    return out.getvalue()


def dusk() -> Image.Image:
    """The cat on a roof, 900 × 600 pixels."""
    return drawn(DUSK, (90, 60), 254).convert("RGB")


# What the guide shows


ART = data_folder("site") / "docs" / "guide" / "art.md"
SHOWN = "pictures/art"
"""Where the pictures of that page are, below site/docs."""
PHOTO = "roof.jpg"
ROOM = 'x="3" y="3" width="30" height="40"'
FRAME = f'<rect {ROOM} fill="none" stroke="#a3432f" stroke-width="0.35" stroke-dasharray="1.2 0.9"/>'
FOCUS = 'focus="27% 50%"'
FITS = {
    "fit-whole": "",
    "fit-slice": 'preserveAspectRatio="xMidYMid slice"',
    "fit-focus": FOCUS,
    "fit-none": 'preserveAspectRatio="none"',
}
CUTS = {
    "cut-corners": 'rx="5"',
    "cut-arch": 'clip-path="url(#arch)"',
    "cut-fading": 'mask="url(#fog)"',
    "cut-pale": 'opacity="0.4"',
}
"""What the page says beside each picture, as an attribute of an image."""
TREATED: Final[Mapping[str, tuple[Inks, str]]] = {
    "ink-as-is": ("full", ""),
    "ink-grey": ("low", "{low: grey}"),
    "ink-halftone": ("mono", "{mono: halftone}"),
    "ink-threshold": ("mono", "{mono: threshold}"),
}
LANTERN = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 18 18">
<path d="M9 3.6L13 7H12.2L13 14.5H13.4V16.5H4.6V14.5H5L5.8 7H5ZM6.9 8L6.2 14.5H11.8L11.1 8Z" fill-rule="evenodd"/>
<path style="fill:#e0a030" d="M9 8.6C10.6 10.8 10.8 11.6 10.4 12.6 10 13.7 8 13.7 7.6 12.6 7.2 11.6 8.2 10.6 9 8.6Z"/>
</svg>
"""
LINES = """\
<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor"
 stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">
<path d="M12 3L17 9H7ZM8 9L7 19H17L16 9M6 19V21H18V19"/><path d="M12 12C13.6 14 13.4 16 12 16 10.6 16 10.4 14 12 12Z"/>
</svg>
"""


def files_told(name: str) -> dict[str, str]:
    """The files that the page tells to write into the folder of a game, by their paths in it."""
    told = re.findall(rf"`{name}/([\w./]+)`[^\n]*:\n\n```\w+\n(.*?)```", ART.read_text(encoding="utf-8"), re.DOTALL)
    return dict(told)


def cards_told(photo: bytes) -> dict[str, Image.Image]:
    """The cards of the small game on the page, as they are printed."""
    problems = Problems()
    with TemporaryDirectory() as folder:
        place = Path(folder) / "postcards"
        for name, text in files_told("postcards").items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(text, encoding="utf-8")
        (place / "art" / PHOTO).write_bytes(photo)
        game = load_game(place, problems)
        assert game and not problems, list(problems)
        composer = Composer(game, load_stocks(place, problems), problems)
        deck = game.info.decks[0]
        fronts = {row.id: composer.faces(deck, row)[0] for row in game.components[deck.id]}
        assert not problems, list(problems)
        return {name: Image.open(io.BytesIO(face_png(face, 127))) for name, face in fronts.items() if face}


def shown(photo: bytes) -> dict[str, Image.Image]:
    """Every picture on the guide's page about art, by its name. `photo` is the picture that stands on all of them."""
    page = ART.read_text(encoding="utf-8")
    (cut,) = re.findall(r"```xml\n(<clipPath.*?)```", page, re.DOTALL)
    vane = (data_folder("templates") / "new-game" / "art" / "weathervane.svg").read_bytes()
    art = {f"art/{PHOTO}": photo, "art/vane.svg": vane}
    image = f'<image href="art/{PHOTO}" {ROOM} %s/>'
    made = cards_told(photo)
    for name, said in FITS.items():
        made[name] = drawn(image % said + FRAME, (36, 46), 203, files=art)
    for name, said in CUTS.items():
        made[name] = drawn(cut + image % f"{FOCUS} {said}", (36, 46), 203, files=art)
    both = f'<image href="art/{PHOTO}" width="15" height="16" focus="26% 58%"/>'
    both += '<image href="art/vane.svg" x="14.9" y="2.6" width="8.2"/>'
    for name, (inks, said) in TREATED.items():
        made[name] = drawn(both, (23.4, 16), 300, inks, art, f"    pictures: {said}\n" if said else "")
    icons = "".join(
        f'{{{{ icon("{icon}", {1 + 13 * at}, 1, 12, "{ink}") }}}}'
        for at, (icon, ink) in enumerate(
            [
                *(("lantern", ink) for ink in ("#1d1a26", "#a3432f", "#1f5a7e")),
                *(("lines", ink) for ink in ("#a3432f", "#1f5a7e")),
            ]
        )
    )
    made["icons"] = drawn(icons, (67, 14), 203, files={"icons/lantern.svg": LANTERN, "icons/lines.svg": LINES})
    return {name: picture.convert("RGBA") for name, picture in made.items()}


BLEEDS: Final[Mapping[str, Ways]] = {
    "mirror": Ways("poker", "crop"),
    "edge": Ways("poker", "crop", "edge"),
    "colour": Ways("poker", "crop", "colour", "#a3432f"),
}
"""How bleed is made on the guide's page about folders of pictures."""


def bleeds_shown(photo: bytes) -> dict[str, Image.Image]:
    """A corner of the photo as a card, with the bleed that is made for it and a dashed line where it is cut."""
    made = {}
    with TemporaryDirectory() as folder:
        Image.open(io.BytesIO(photo)).crop((330, 0, 760, 600)).save(Path(folder) / "moon.png")
        for name, ways in BLEEDS.items():
            problems = Problems()
            read = read_pictures(Path(folder), ways, problems)
            assert read and not problems, list(problems)
            composer = Composer(read.game, load_stocks(None, problems), problems)
            face = composer.faces(read.game.info.decks[0], read.game.components["cards"][0])[0]
            assert face, list(problems)
            image = Image.open(io.BytesIO(face_png(face, 254, bleed=True))).convert("RGB")
            draw = ImageDraw.Draw(image)
            for at in range(0, image.height, 20):  # 3 mm from each edge
                draw.line((30, at, 30, at + 10), "white", 2)
                draw.line((at, image.height - 31, at + 10, image.height - 31), "white", 2)
            made[name] = image.crop((0, image.height - 360, 360, image.height))
    return made


def packed(name: str, picture: Image.Image) -> bytes:
    """A picture of the page as a file: without a loss where it is flat or made of dots."""
    out = io.BytesIO()
    flat = name.startswith(("ink-grey", "ink-halftone", "ink-threshold", "icons"))
    picture.save(out, "WebP", lossless=flat, quality=100 if flat else 82, method=6)
    return out.getvalue()
