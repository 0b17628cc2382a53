"""Turn pictures into image objects of a PDF: unchanged if PDF allows it, otherwise decoded once and cached.

JPEGs pass unchanged, and so do the pixels of PNGs without alpha or interlacing. The colours and the alpha of a PNG
are separated without being decoded. Pillow handles everything else, and anything drawn at a reduced size.
Source: ISO 32000-1, 8.9.5 (image dictionaries), 7.4.4.4 (predictors), 8.6.5.5 (ICC profiles), 11.6.5.3 (soft masks).
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from grimalkin.printing.draw.canvas import PackedCanvas, Resource
from grimalkin.printing.face.images.pictures import (
    FRAMES,
    QUALITY,
    Picture,
    Placed,
    fits,
    jpeg_segments,
    opened,
    plain,
    png_chunks,
    sized,
    treated,
)
from grimalkin.source.cache import Cache, cache_folder

if TYPE_CHECKING:
    from PIL import Image

    from grimalkin.printing.draw.condition import Condition

_SPACES: Final = {1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}
_VERSION: Final = 1
"""A version that increases when the same picture becomes a different object."""


class Raster(NamedTuple):
    """The pixels of a picture in the form that a PDF stores."""

    width: int
    height: int
    bands: int
    """The number of colour channels: 1, 3 or 4; 3 with a palette."""
    keys: str
    """Entries of the image dictionary: bits, filter, decoding."""
    data: bytes
    profile: bytes = b""
    """The ICC profile of the colours."""
    palette: bytes = b""
    mask: Raster | None = None
    """Its opacity."""


def hold(canvas: PackedCanvas, placed: Placed) -> tuple[str, str]:
    """Add a picture to a document. Return its name there, and the operator that turns it upright, or "".

    Raise Stop with the file's name if it cannot be decoded.
    """
    made = raster(placed, canvas.condition)
    is_turned = (
        canvas.condition is None
        and made.keys.endswith("DCTDecode")
        and (made.width, made.height) == placed.picture.stored
    )
    return canvas.hold(_resource(canvas, made, placed.key)), turned(
        placed.picture.turn
    ) if is_turned and not placed.fewer else ""


def _resource(canvas: PackedCanvas, made: Raster, key: str) -> Resource:
    """Return a picture as a resource of a PDF, after writing its colour profile and its mask.

    Equal pictures have the same key, which saves comparing all their bytes.
    """
    used = []
    profile = mask = ""
    if made.profile:
        head = f"/N {made.bands}/Filter/FlateDecode"
        used.append(profile := canvas.hold(Resource("Profile", head, data=zlib.compress(made.profile, 9))))
    if made.mask:
        used.append(mask := canvas.hold(_resource(canvas, made.mask, f"{key} mask")))
    base = f"[/ICCBased {{{profile}}}]" if profile else _SPACES[made.bands]
    if made.palette:
        base = f"[/Indexed{base} {len(made.palette) // 3 - 1}<{made.palette.hex()}>]"
    size = f"/Type/XObject/Subtype/Image/Width {made.width}/Height {made.height}"
    body = f"{size}/ColorSpace{base}{made.keys}" + (f"/SMask {{{mask}}}" if mask else "")
    return Resource("XObject", body, tuple(used), data=made.data, key=key)


def raster(placed: Placed, condition: Condition | None = None) -> Raster:
    """Return a picture as it will be printed: at home, or in a print shop's condition."""
    picture, treatment, fewer, _ = placed
    if treatment == "as-is" and not fewer and picture.may_pass and condition is None:
        found = _passed(picture, picture.read())
        if found:
            return found
    kept = _cache()
    shop = f" {condition.space} {condition.profile.digest} {condition.limit}" if condition else ""
    key = f"{_VERSION} {_libraries()} {picture.digest} {treatment} {fewer}{shop}".encode()
    path = kept.path(key.decode()) if kept else None
    body = kept.read(path, key) if kept and path else None
    if body is not None:
        return _unpacked(body)
    data = picture.read()
    is_whole = treatment == "as-is" and not fewer and condition is None
    parted = _parted(data) if is_whole and picture.kind == "PNG" else None
    made = parted or _decoded(picture, data, treatment, fewer, condition)
    if kept and path:
        kept.write(path, key + _packed(made))
    return made


def turned(turn: int) -> str:
    """Return the `cm` operator that turns a picture in the unit square upright, for an EXIF orientation of 1 to 8."""
    matrix = {
        2: "-1 0 0 1 1 0", 3: "-1 0 0 -1 1 1", 4: "1 0 0 -1 0 1", 5: "0 -1 -1 0 1 1", 6: "0 -1 1 0 0 1",
        7: "0 1 1 0 0 0", 8: "0 1 -1 0 1 0",
    }.get(turn)  # fmt: skip
    return f"{matrix} cm" if matrix else ""


# Passed unchanged


def _passed(picture: Picture, data: bytes) -> Raster | None:
    if picture.kind == "JPEG":
        return _passed_jpeg(data)
    return _passed_png(data) if picture.kind == "PNG" and picture.turn == 1 else None


def _passed_jpeg(data: bytes) -> Raster | None:
    """Pass a baseline or progressive JPEG, which PDF readers can decode, unchanged. Photoshop's CMYK is inverted."""
    profiles: dict[int, bytes] = {}
    is_adobe = False
    for marker, body in jpeg_segments(data):
        if marker == 0xE2 and body.startswith(b"ICC_PROFILE\0"):
            profiles[body[12]] = body[14:]
        elif marker == 0xEE and body.startswith(b"Adobe"):
            is_adobe = True
        elif marker in FRAMES:
            _, height, width, bands = struct.unpack_from(">BHHB", body)
            if marker > 0xC2 or bands not in _SPACES or not height:
                return None
            decode = "/Decode[1 0 1 0 1 0 1 0]" if bands == 4 and is_adobe else ""
            profile = b"".join(profiles[one] for one in sorted(profiles))
            keys = f"/BitsPerComponent 8/Filter/DCTDecode{decode}"
            return Raster(width, height, bands, keys, data, _fitting(profile, bands))
    return None


class _Head(NamedTuple):
    """The first chunk of a PNG: https://www.w3.org/TR/png-3/#11IHDR."""

    width: int
    height: int
    bits: int
    colour: int
    compression: int
    filters: int
    interlace: int


def _png(data: bytes) -> tuple[_Head, Mapping[bytes, bytes], bytes]:
    """Return the head of a PNG, the first chunk of each other type, and its compressed pixels."""
    found: dict[bytes, bytes] = {}
    pixels: list[bytes] = []
    for kind, body in png_chunks(data):
        if kind == b"IDAT":
            pixels.append(body)
        else:
            found.setdefault(kind, body)
    return _Head(*struct.unpack(">LLBBBBB", found[b"IHDR"][:13])), found, b"".join(pixels)


def _png_profile(chunks: Mapping[bytes, bytes], bands: int) -> bytes:
    _, _, packed = chunks.get(b"iCCP", b"").partition(b"\0")
    if not packed or b"sRGB" in chunks:
        return b""
    try:
        return _fitting(zlib.decompressobj().decompress(packed[1:], 10_000_000), bands)
    except zlib.error:
        return b""


def _passed_png(data: bytes) -> Raster | None:
    """Return the pixels of a PNG still compressed, if it has at most 8 bits and no alpha or interlacing."""
    head, chunks, pixels = _png(data)
    if head.interlace or head.bits > 8 or head.colour not in (0, 2, 3) or b"tRNS" in chunks:
        return None
    bands = 3 if head.colour == 2 else 1
    palette = chunks.get(b"PLTE", b"") if head.colour == 3 else b""
    space = 3 if palette else bands
    keys = f"/BitsPerComponent {head.bits}{_predictor(15, bands, head.bits, head.width)}"
    return Raster(head.width, head.height, space, keys, pixels, _png_profile(chunks, space), palette[:768])


def _parted(data: bytes) -> Raster | None:
    """Separate the colours and the alpha of a PNG with 8 bits.

    PNG filters combine the bytes of a channel only with bytes of the same channel, so the lines can be separated while
    still filtered: https://www.w3.org/TR/png-3/#9Filters.
    """
    head, chunks, pixels = _png(data)
    if head.interlace or head.bits != 8 or head.colour not in (4, 6):
        return None
    bands = 1 if head.colour == 4 else 3
    line, own = 1 + (bands + 1) * head.width, 1 + bands * head.width
    unpacked = zlib.decompressobj()
    try:
        lines = unpacked.decompress(pixels, line * head.height + 1)
    except zlib.error:
        return None
    if len(lines) != line * head.height:
        return None
    colours, alpha = bytearray(own * head.height), bytearray((1 + head.width) * head.height)
    for row in range(head.height):
        now = lines[row * line : (row + 1) * line]
        out = bytearray(own)
        out[0] = now[0]
        for band in range(bands):
            out[1 + band :: bands] = now[1 + band :: bands + 1]
        colours[row * own : (row + 1) * own] = out
        start = row * (1 + head.width)
        alpha[start] = now[0]
        alpha[start + 1 : start + 1 + head.width] = now[1 + bands :: bands + 1]
    seen = f"/BitsPerComponent 8{_predictor(15, 1, 8, head.width)}"
    mask = Raster(head.width, head.height, 1, seen, zlib.compress(alpha, 1))
    keys = f"/BitsPerComponent 8{_predictor(15, bands, 8, head.width)}"
    return Raster(head.width, head.height, bands, keys, _deflated(colours), _png_profile(chunks, bands), b"", mask)


def _predictor(kind: int, bands: int, bits: int, width: int) -> str:
    return (
        f"/Filter/FlateDecode/DecodeParms<</Predictor {kind}/Colors {bands}/BitsPerComponent {bits}/Columns {width}>>"
    )


def _fitting(profile: bytes, bands: int) -> bytes:
    return profile if fits(profile, bands) else b""


# Decoded


def _decoded(
    picture: Picture, data: bytes, treatment: str, fewer: tuple[int, int] | None, condition: Condition | None
) -> Raster:
    with opened(picture, data) as image:
        profile = image.info.get("icc_profile") or b""
        if fewer and picture.kind == "JPEG" and picture.turn == 1:
            image.draft(None, fewer)  # decodes a large JPEG at a half or a quarter of its size
        shown = treated(sized(plain(image), fewer), treatment)
    alpha = shown.getchannel("A") if shown.mode in ("LA", "RGBA") else None
    shown = shown.convert({"LA": "L", "RGBA": "RGB"}[shown.mode]) if alpha else shown
    mask = _flat(alpha) if alpha and alpha.getextrema() != (255, 255) else None
    bands = 1 if shown.mode == "1" else len(shown.getbands())
    kept = _fitting(profile, bands) if treatment == "as-is" and image.mode != "LAB" else b""
    if condition is not None:
        from grimalkin.printing.draw.separations import picture_for

        try:
            shown, kept = picture_for(shown, kept, condition), b""
        except ValueError as error:
            raise picture.fault(str(error), "save it without a profile, in sRGB") from error
    if picture.kind == "JPEG" and treatment in ("as-is", "grey"):
        out = io.BytesIO()
        shown.save(out, "JPEG", quality=QUALITY, subsampling=0)
        found = _passed_jpeg(out.getvalue())
        assert found
        return found._replace(profile=kept)
    return _flat(shown)._replace(profile=kept, mask=mask)


def _flat(image: Image.Image) -> Raster:
    """Return lossless pixels, each as the difference from its left neighbour."""
    from PIL import ImageChops

    bands = len(image.getbands())
    if image.mode == "1":
        keys = "/BitsPerComponent 1/Filter/FlateDecode"
        return Raster(*image.size, 1, keys, zlib.compress(image.tobytes(), 9))
    left = ImageChops.offset(image, 1, 0)
    left.paste((0,) * bands if bands > 1 else 0, (0, 0, 1, image.height))
    differences = ImageChops.subtract_modulo(image, left).tobytes()
    keys = f"/BitsPerComponent 8{_predictor(2, bands, 8, image.width)}"
    return Raster(*image.size, bands, keys, _deflated(differences))


_SAMPLE: Final = 100_000


def _deflated(data: bytes | bytearray) -> bytes:
    """Return compressed bytes, quickly if searching for repetition gains next to nothing, as in photographs."""
    middle = len(data) // 2
    sample = bytes(data[middle : middle + _SAMPLE])
    if len(sample) == _SAMPLE:
        quick = zlib.compressobj(1, zlib.DEFLATED, 15, 9, zlib.Z_RLE)
        if len(quick.compress(sample) + quick.flush()) < 1.06 * len(zlib.compress(sample, 6)):
            quick = zlib.compressobj(1, zlib.DEFLATED, 15, 9, zlib.Z_RLE)
            return quick.compress(data) + quick.flush()
    return zlib.compress(data, 6)


# Cached


@cache
def _cache() -> Cache | None:
    folder = cache_folder("pictures")
    return Cache(folder, ".picture", 5_000, 200_000_000, 2_000_000_000) if folder else None


@cache
def _libraries() -> str:
    import PIL

    return f"{PIL.__version__} {zlib.ZLIB_RUNTIME_VERSION}"


def _packed(made: Raster) -> bytes:
    """Return a raster as bytes: the lengths of its parts, then the parts."""
    parts = [
        f"{made.width} {made.height} {made.bands}".encode(),
        made.keys.encode(),
        made.data,
        made.profile,
        made.palette,
        _packed(made.mask) if made.mask else b"",
    ]
    return struct.pack(">6L", *map(len, parts)) + b"".join(parts)


def _unpacked(body: bytes) -> Raster:
    at, parts = 24, []
    for length in struct.unpack_from(">6L", body):
        parts.append(body[at : at + length])
        at += length
    width, height, bands = map(int, parts[0].split())
    mask = _unpacked(parts[5]) if parts[5] else None
    return Raster(width, height, bands, parts[1].decode(), parts[2], parts[3], parts[4], mask)
