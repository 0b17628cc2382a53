"""Turn the element <qr> of a face template into an SVG group with one path: a QR code.

segno works out which modules are dark. We ask it for QR codes, never Micro QR codes, which many readers refuse, and
encode anything but ASCII as UTF-8, because by default segno mistakes short texts with accents for Japanese.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

from lxml import etree

from grimalkin.printing.face.svg.colours import luminance
from grimalkin.printing.face.svg.paths import length_of, number_of
from grimalkin.printing.face.svg.subset import NAMESPACE, SVG, UNSAID_QR, ElementFault
from grimalkin.printing.face.svg.xml import Element
from grimalkin.problems import did_you_mean

LEAST_MODULE = 0.33
"""Millimetres. DENSO WAVE, which invented QR codes, recommends modules of four printer dots or more, and gives 0.33 mm
for four dots at 300 dpi: https://www.qrcode.com/en/howto/cell.html
"""
LEAST_CONTRAST = 0.55
"""The least difference in reflected light between ground and modules: ISO/IEC 15415, symbol contrast, grade B."""
MOST_QUIET = 10
MOST_DATA = 7_089
"""The most characters: the number of digits that the largest code holds."""
LEVELS = ("l", "m", "q", "h")


def qr_group(written: Mapping[str, str], inks: str) -> Element:
    """Return the drawing of a QR code with these attributes, labelled with its text. Raise ElementFault on failure."""
    data, said = written.get("data", ""), {**UNSAID_QR, **written}
    if not data.strip():
        raise ElementFault("a QR code has no text", 'write one, as in data="https://example.org"', "data")
    if said["error"] not in LEVELS:
        raise ElementFault(f'error="{said["error"][:40]}" is not known', did_you_mean(said["error"], LEVELS), "error")
    quiet = number_of(said["quiet"])
    if quiet is None or not 0 <= quiet <= MOST_QUIET or not quiet.is_integer():
        hint = f"a whole number of modules from 0 to {MOST_QUIET}"
        raise ElementFault(f'quiet="{said["quiet"][:40]}" is not a quiet zone', hint, "quiet")
    fill = said["fill"] if inks == "full" else "#000000"
    _check_contrast(fill, said["ground"])
    rows = _modules(data, said["error"])
    if rows is None:
        hint = 'write a shorter text, such as the address of a page that has all of it, or error="l"'
        raise ElementFault(f"a QR code cannot hold {len(data):,} characters", hint, "data")
    x, y, width = (length_of(written, key) for key in ("x", "y", "width"))
    count = len(rows) + 2 * int(quiet)
    if width < LEAST_MODULE * count - 1e-6:
        needed = math.ceil(10 * LEAST_MODULE * count) / 10
        told = f"the {count} modules of a QR code would be {width / count:.3f} mm wide, but readers need {LEAST_MODULE}"
        raise ElementFault(told, f'write width="{needed:g}" or more, or a shorter text', "width")
    matrix = f"translate({x:.6g} {y:.6g}) scale({width / count:.8g})"
    label = {"role": "img", "aria-label": f"QR code: {data}"}
    group = etree.Element(f"{{{SVG}}}g", {**label, "transform": matrix}, nsmap=NAMESPACE)
    ground = said["ground"] if inks == "full" else "#ffffff"
    etree.SubElement(group, f"{{{SVG}}}rect", {"width": str(count), "height": str(count), "fill": ground})
    etree.SubElement(group, f"{{{SVG}}}path", {"d": _outline(rows, int(quiet)), "fill": fill})
    return group


def _check_contrast(fill: str, ground: str) -> None:
    for key, colour in (("fill", fill), ("ground", ground)):
        if not colour.startswith("#"):  # the colour below is unknown here, and may be dark
            raise ElementFault(f'a QR code has the {key} "{colour[:40]}"', "write one colour, such as #ffffff", key)
    if luminance(ground) - luminance(fill) < LEAST_CONTRAST:
        hint = "readers need dark modules on a light ground, such as #000000 on #ffffff"
        raise ElementFault(f"a QR code in {fill} on {ground} is too pale, or light on dark", hint, "fill")


def _modules(data: str, error: str) -> list[bytes] | None:
    """Return the rows of a code's modules, with 1 for dark; None if there is too much data for the largest code."""
    modules = _all_modules(data, error)
    side = math.isqrt(len(modules))
    return [modules[at : at + side] for at in range(0, len(modules), side)] if side else None


@lru_cache(maxsize=1000)  # a code takes 4 ms, and is drawn again for each paper
def _all_modules(data: str, error: str) -> bytes:
    """Return a code's modules, row by row; empty if there is too much data."""
    from segno import DataOverflowError, make_qr  # 30 ms, and few faces have a code

    try:
        code = make_qr(data[: MOST_DATA + 1], error, mode=None if data.isascii() else "byte", encoding="utf-8")
    except DataOverflowError:
        return b""
    return b"".join(map(bytes, code.matrix))


def _outline(rows: Sequence[bytes], quiet: int) -> str:
    """Return the dark modules as rectangles in one path: runs in a row, joined with equal runs in the next rows.

    >>> _outline([bytes([1, 1, 0]), bytes([1, 1, 0]), bytes([0, 0, 1])], 0)
    'M0 0 L2 0 L2 2 L0 2 Z M2 2 L3 2 L3 3 L2 3 Z'
    """
    done: list[tuple[int, int, int, int]] = []
    open_: dict[tuple[int, int], int] = {}
    for y, row in enumerate([*rows, b""]):
        runs = _runs(row)
        done += [(top, left, right, y) for (left, right), top in open_.items() if (left, right) not in runs]
        open_ = {run: open_.get(run, y) for run in runs}
    corners = ([one + quiet for one in rectangle] for rectangle in sorted(done))
    return " ".join(
        f"M{left} {top} L{right} {top} L{right} {foot} L{left} {foot} Z" for top, left, right, foot in corners
    )


def _runs(row: bytes) -> list[tuple[int, int]]:
    """Return the starts and ends of the dark runs in a row."""
    edges = [x for x in range(len(row) + 1) if (row[x - 1 : x] == b"\1") != (row[x : x + 1] == b"\1")]
    return list(zip(edges[::2], edges[1::2], strict=True))
