"""Convert colours and pictures to the inks of a printing condition, by its ICC profile.

Relative colorimetric with black point compensation, so that pure hues stay pure and dark tones stay apart. The ink of
our texts, black and greys are black ink alone. Limits on ink take cyan, magenta and yellow away, never black.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from grimalkin.printing.draw.condition import Condition
from grimalkin.printing.draw.packing import colour
from grimalkin.printing.draw.recolour import Space, Written
from grimalkin.printing.face.svg.subset import INK
from grimalkin.source.colours import Cmyk, Ink, noted

if TYPE_CHECKING:
    from PIL import Image, ImageFilter

BLACK: Final = "#000000"
NEUTRAL: Final = 5 / 255
"""How far the channels of a grey may be apart."""
GRID: Final = 33
"""The steps of a channel in the table for pictures. The colours between them are interpolated."""
FULL: Final = 255
MOST_ON_WHITE, LEAST_IN_BLACK = 20, 90
"""The most ink of a sound profile on white, and the least in black, in per cent."""


class Separated:
    """The inks of a printing condition."""

    space: Space = "DeviceCMYK"

    def __init__(self, condition: Condition) -> None:
        self.condition = condition
        self.spots: dict[str, Ink] = {}
        self.excess: dict[str, Ink] = {}
        self.ink = colour(INK)
        self.solid = solid_of(condition)

    def flat(self, parts: Sequence[str], ink: Ink | None) -> Written:
        if ink and ink.name:
            name = space_name(ink)
            self.spots[name] = ink
            return Written(f"{ink.tint / 100:.4g}", "scn", name, ink.kind == "finish")
        inks = self.given(ink) if ink else self.inks(parts)
        return Written(operands(inks), "k", "", inks == (0, 0, 0, 100))

    def shade(self, parts: Sequence[str], ink: Ink | None) -> str:
        """Return the operands of a colour in a gradient, never black ink alone: its middle has the hue of its ends."""
        if ink:
            return operands(tuple(share * ink.tint / 100 for share in self.given(ink)))
        return operands(self.converted(parts))

    def given(self, ink: Ink) -> Cmyk:
        if ink.total > self.condition.limit:
            self.excess[str(ink)] = ink
        return ink.cmyk

    def separation(self, name: str) -> str:
        """Return the colour space of a spot (ISO 32000-1, 8.6.6.4): its name, and inks that stand in for it."""
        ink = self.spots[name]
        ends = f"/C0[0 0 0 0]/C1[{operands(ink.cmyk)}]"
        return f"[/Separation/{ink.name.replace(' ', '#20')}/DeviceCMYK<</FunctionType 2/Domain[0 1]/N 1{ends}>>]"

    def inks(self, parts: Sequence[str]) -> Cmyk:
        """Return the inks of a flat colour, given as operands."""
        red, green, blue = map(float, parts)
        if " ".join(parts) == self.ink:
            return 0.0, 0.0, 0.0, 100.0
        if max(red, green, blue) - min(red, green, blue) <= NEUTRAL:
            return 0.0, 0.0, 0.0, 100 * self.black((red + green + blue) / 3)
        return self.converted(parts)

    def black(self, grey: float) -> float:
        """Return the share of black ink that is as light as a grey of sRGB."""
        return black_by(self.condition, round(grey * FULL))

    def converted(self, parts: Sequence[str]) -> Cmyk:
        red, green, blue = (round(float(part) * FULL) for part in parts)
        return converted(self.condition, red, green, blue)


def solid_of(condition: Condition) -> str:
    """Return the colour of large black areas, as faces hold it: within the limit, with all of the black."""
    inks = limited(condition.solid, condition.limit)
    return noted(f"{BLACK} cmyk({', '.join(f'{math.floor(share * 10) / 10:g}' for share in inks)})")


def operands(inks: Sequence[float]) -> str:
    return " ".join(f"{share / 100:.3g}" for share in inks)


def space_name(ink: Ink) -> str:
    """Return the name of a spot's colour space in operators."""
    return "C" + blake2b(str(ink._replace(tint=100.0)).encode(), digest_size=8).hexdigest()


def limited(inks: Sequence[float], limit: float) -> Cmyk:
    """Return inks within a limit: less of cyan, magenta and yellow in equal parts, and as much black as before.

    >>> limited((80, 80, 40, 100), 200), limited((10, 20, 30, 40), 240)
    ((40.0, 40.0, 20.0, 100), (10, 20, 30, 40))
    """
    c, m, y, k = inks
    room, asked = limit - k, c + m + y
    if asked <= room or not asked:
        return c, m, y, k
    share = max(0.0, room / asked)
    return c * share, m * share, y * share, k


@lru_cache(maxsize=8)
def _transform(condition: Condition, back: bool = False) -> Any:
    from PIL import ImageCms

    own, screen = ImageCms.getOpenProfile(io.BytesIO(condition.profile.data)), ImageCms.createProfile("sRGB")
    how = ImageCms.Intent.RELATIVE_COLORIMETRIC, ImageCms.Flags.BLACKPOINTCOMPENSATION
    if back:
        return ImageCms.buildTransform(own, screen, "CMYK", "RGB", *how)
    return ImageCms.buildTransform(screen, own, "RGB", "CMYK", *how)


def fault_of_condition(condition: Condition) -> tuple[str, str] | None:
    """Return why nothing can be printed by the profile of a condition, with a hint; None if white and black come out.

    A damaged profile may look sound from outside.
    """
    right = "give the profile that your print shop names, downloaded again"
    try:
        from PIL import ImageCms

        white, black = converted(condition, 255, 255, 255), converted(condition, 0, 0, 0)
        middle = black_by(condition, FULL // 2)
    except ImportError:
        return "cannot be used: this Pillow has no colour management", "pip install --force-reinstall pillow"
    except (ImageCms.PyCMSError, OSError, ValueError):
        return "cannot be used: it is damaged", right
    if sum(white) > MOST_ON_WHITE or sum(black) < LEAST_IN_BLACK or not 0 < middle < 1:
        inks = f"{sum(white):.0f} % of ink on white, and {sum(black):.0f} % in black"
        return f"cannot be right: it puts {inks}", right
    return None


@lru_cache(maxsize=8192)
def converted(condition: Condition, red: int, green: int, blue: int) -> Cmyk:
    """Return the inks of a colour of sRGB, in per cent."""
    from PIL import Image, ImageCms

    found: Any = ImageCms.applyTransform(Image.new("RGB", (1, 1), (red, green, blue)), _transform(condition))
    return limited([share / FULL * 100 for share in found.getpixel((0, 0))], condition.limit)


@lru_cache(maxsize=512)
def black_by(condition: Condition, grey: int) -> float:
    """Return the share of black ink, 0 to 1, that looks as light as a grey of sRGB from 0 to 255."""
    ramp = _ramp(condition)
    return next((share for share, light in enumerate(ramp) if light <= grey), FULL) / FULL


@lru_cache(maxsize=8)
def _ramp(condition: Condition) -> list[int]:
    """Return how light black ink is, by its share from 0 to 255. The darkest counts as black."""
    from PIL import Image, ImageCms

    none = Image.new("L", (FULL + 1, 1))
    ramp = Image.merge("CMYK", [none, none, none, Image.frombytes("L", none.size, bytes(range(FULL + 1)))])
    shown: Any = ImageCms.applyTransform(ramp, _transform(condition, back=True))
    lights = list(shown.convert("L").tobytes())
    low, high = lights[-1], lights[0]
    return [
        round((light - low) / max(high - low, 1) * FULL) for light in lights
    ]  # a damaged profile may have one light


# Pictures


def picture_for(image: Image.Image, profile: bytes, condition: Condition) -> Image.Image:
    """Return a picture in 8-bit grey, RGB or CMYK, without alpha, in the inks of a condition. `profile` is its own.

    Grey pictures become black ink alone. Pictures in CMYK keep their inks, up to the limit. Raise ValueError if the
    picture's profile cannot be used.
    """
    if image.mode == "1" or (image.mode == "L" and condition.space == "gray"):
        return image
    if image.mode == "CMYK" and condition.space == "cmyk":
        return _limited_picture(image, condition.limit)
    screen = image if image.mode == "L" else _on_screen(image, profile)
    if condition.space == "gray":
        return screen.convert("L")
    if screen.mode == "L":
        return screen.point([round((1 - black_by(condition, grey)) * FULL) for grey in range(FULL + 1)])
    return screen.filter(_table(condition))


def _on_screen(image: Image.Image, profile: bytes) -> Image.Image:
    """Return a picture in sRGB, by its own profile if it has one. Raise ValueError if that cannot be used."""
    from PIL import Image, ImageCms

    if not profile:
        return image.convert("RGB")
    try:
        own = ImageCms.getOpenProfile(io.BytesIO(profile))
        how = ImageCms.Intent.RELATIVE_COLORIMETRIC, "RGB"
        flags = ImageCms.Flags.BLACKPOINTCOMPENSATION
        made = ImageCms.profileToProfile(image, own, ImageCms.createProfile("sRGB"), *how, flags=flags)
    except (ImageCms.PyCMSError, OSError) as error:
        raise ValueError("its colour profile cannot be used") from error
    assert isinstance(made, Image.Image)
    return made


@lru_cache(maxsize=4)
def _table(condition: Condition) -> ImageFilter.Color3DLUT:
    """Return a table from sRGB to inks. Colours between its points are mixed from these, so none exceeds the limit."""
    from PIL import Image, ImageCms, ImageFilter

    steps = bytes(round(step * FULL / (GRID - 1)) for step in range(GRID))
    points = b"".join(bytes((red, green, blue)) for blue in steps for green in steps for red in steps)
    grid = Image.frombytes("RGB", (GRID**3, 1), points)
    found: Any = ImageCms.applyTransform(grid, _transform(condition))
    inks = found.tobytes()
    limit = condition.limit / 100 * FULL
    table = [share / FULL for at in range(0, len(inks), 4) for share in limited(tuple(inks[at : at + 4]), limit)]
    return ImageFilter.Color3DLUT(GRID, table, channels=4, target_mode="CMYK", _copy_table=False)


def _limited_picture(image: Image.Image, limit: int) -> Image.Image:
    """Return a picture in CMYK with no more ink than the limit, in per cent. See `limited`."""
    from PIL import Image, ImageMath

    *inks, black = image.split()
    most = round(limit / 100 * FULL)

    def scaled(args: Any) -> Any:
        total = args["float"](args["c"]) + args["m"] + args["y"]
        room = args["max"](most - args["float"](args["k"]), 0)
        return args["convert"](args["float"](args["ink"]) * args["min"](room / args["max"](total, 1), 1), "L")

    by_name = dict(zip("cmyk", (*inks, black), strict=True))
    made = [ImageMath.lambda_eval(scaled, **by_name, ink=ink) for ink in inks]
    return Image.merge("CMYK", [*made, black])
