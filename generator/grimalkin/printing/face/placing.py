"""Place pictures, drawings and QR codes on a face, each cropped to its room."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

from lxml import etree

from grimalkin.printing.face.flaws import crossed
from grimalkin.printing.face.images.drawings import Drawing, Flattened, placed_drawing, read_drawing
from grimalkin.printing.face.images.game_art import Art
from grimalkin.printing.face.images.pictures import Fit, Placed, fit_of, is_cropped, lying, printed_pixels, smaller
from grimalkin.printing.face.svg.paths import IDENTITY, Box, length_of, matrix_of, number_of
from grimalkin.printing.face.svg.subset import ELEMENTS, NAMESPACE, SVG, ElementFault
from grimalkin.printing.face.svg.xml import Element, replaced, tag_of
from grimalkin.printing.face.workshop import Workpiece
from grimalkin.problems import Problem

_ELSEWHERE = frozenset(["symbol", "defs", "pattern"])
"""Elements drawn where they are used, at another size."""
MOST_SIDE = 500.0
"""The size in millimetres for pixels of a drawing when its drawn size is unknown."""
_IMAGE, _SVG = f"{{{SVG}}}image", f"{{{SVG}}}svg"


def set_drawings(piece: Workpiece, root: Element, found: dict[str, Placed]) -> Element:
    """Replace every <svg> in a layer by its drawing as ordinary SVG; here its numbers are millimetres."""
    if tag_of(root) != "svg":
        inner = [one for one in root.iter(_SVG) if not any(tag_of(above) == "svg" for above in one.iterancestors())]
    else:
        inner = [root]
    for svg in inner:
        tail, svg.tail = svg.tail, None
        drawing = read_drawing(etree.tostring(svg), Path(piece.file), piece.workshop.pictures.find)
        if isinstance(drawing, Drawing | Flattened):
            place = piece.workshop.template_place(piece.file, None)
            found_here = [(message, hint) for _, message, hint in drawing.remarks]
            piece.workshop.pictures.notes.update({Problem(place, *one): None for one in found_here})
        if isinstance(drawing, list):
            for _, message, hint in drawing:
                piece.problem(f"<svg>: {message}", hint, svg)
            group = etree.Element(f"{{{SVG}}}g", nsmap=NAMESPACE)
        else:
            x, y, width, height = (number_of(svg.get(key, "0")) or 0.0 for key in ("x", "y", "width", "height"))
            wide, high = drawing.size
            width, height = width or height * wide / high or wide, height or width * high / wide or high
            fit = fit_of(svg.get("preserveAspectRatio", ""), "")
            room = x, y, x + width, y + height
            lies = lying(drawing.size, room, fit if isinstance(fit, Fit) else Fit())
            group = _framed(svg, drawing, room, lies, 0.0, piece.workshop.treatment(piece.id), found)
        group.tail = tail
        root = replaced(root, svg, group)
    return root


def place_picture(piece: Workpiece, image: Element, found: dict[str, Placed]) -> Element | None:
    """Return a group that shows a picture in its room, cropped to it; None with a problem."""
    workshop, href = piece.workshop, image.get("href", "")
    name = href.replace("\\", "/").removeprefix("art/")  # some tables have Windows paths
    if name not in workshop.pictures:
        column, row = piece.column_of(lambda cell: cell in (href, name, href.removeprefix("art/")))
        hint = (f'it is in the column "{column}"; ' if column else "") + workshop.pictures.hint(name)
        message, kind = f'there is no picture "{href[:80]}"', ""
        if lies := workshop.pictures.misplaced(name):
            message, kind = f'the picture "{lies}" is not in the folder art', "not in art"
            hint = f"move it to art/{name}, and likewise the other pictures"
        if piece.draws_flaw(message, hint, image, row, "href", kind):
            return _crossed_box(piece, image, href)
        return None
    picture = workshop.pictures.picture(name)
    fit = fit_of(image.get("preserveAspectRatio", ""), image.get("focus", ""))
    if picture is None:
        piece.sound = False
        return None
    if not isinstance(fit, Fit):
        piece.problem(*fit, image, wrong="preserveAspectRatio" if "preserveAspectRatio" in fit[0] else "focus")
        return None
    x, y, width, height, radius = (length_of(image, key) for key in ("x", "y", "width", "height", "rx"))
    wide, high = picture.size
    width, height = width or height * wide / high, height or width * high / wide
    if not width:
        _has_no_size(piece, image, name)
        return None
    room = x, y, x + width, y + height
    return _framed(image, picture, room, lying(picture.size, room, fit), radius, workshop.treatment(piece.id), found)


def _crossed_box(piece: Workpiece, image: Element, name: str) -> Element | None:
    """Return the drawing for a missing picture; None with a problem if its size is unknown."""
    room = {key: length_of(image, key) for key in ("x", "y", "width", "height")}
    room["width"], room["height"] = room["width"] or room["height"], room["height"] or room["width"]
    if not room["width"]:
        _has_no_size(piece, image, name)
        return None
    group = crossed(name, room, piece.workshop.inks)
    if "transform" in image.attrib:
        group.set("transform", image.get("transform", ""))
    return group


def _has_no_size(piece: Workpiece, image: Element, name: str) -> None:
    piece.problem(f'the picture "{name[:80]}" has no size', 'write width="…" or height="…", or both', image)


def qr_code(piece: Workpiece, element: Element) -> Element | None:
    """Return a QR code as a drawing; None with a problem."""
    from grimalkin.printing.face.images.qr import qr_group

    written = {str(key): str(value) for key, value in element.attrib.items()}
    try:
        return qr_group(written, piece.workshop.inks)
    except ElementFault as fault:
        column, row = piece.column_of(written["data"].__eq__) if fault.wrong == "data" else ("", None)
        hint = f'{fault.hint}; it is in the column "{column}"' if column else fault.hint
        piece.problem(fault.message, hint, element, row, fault.wrong)
        return None


def _framed(
    image: Element,
    art: Art,
    room: Box,
    lies: Box,
    radius: float,
    treatment: tuple[str, int],
    found: dict[str, Placed],
) -> Element:
    """Return a group to replace an <image>: art placed in a box, clipped to its room with corners of this radius."""
    own = ELEMENTS["g"] if image.tag == _IMAGE else {"role", "aria-label"}  # the drawing has the rest of an <svg>
    kept = {key: image.get(key, "") for key in map(str, image.keys()) if key in own}
    group = etree.Element(f"{{{SVG}}}g", kept, nsmap=NAMESPACE)
    ink, fineness = treatment
    if ink == "none":
        return group
    within = group
    if radius or is_cropped(lies, room) or isinstance(art, Drawing):
        left, top, right, foot = *map(max, room[:2], lies[:2]), *map(min, room[2:], lies[2:])
        sizes = {"x": left, "y": top, "width": right - left, "height": foot - top} | ({"rx": radius} if radius else {})
        written = {key: f"{number:.6g}" for key, number in sizes.items()}
        id_ = f"crop-{'-'.join(written.values())}"
        clip = etree.SubElement(group, f"{{{SVG}}}clipPath", {"id": id_})
        etree.SubElement(clip, f"{{{SVG}}}rect", written)
        within = etree.SubElement(group, f"{{{SVG}}}g", {"clip-path": f"url(#{id_})"})
    if isinstance(art, Drawing):
        within.append(placed_drawing(art, lies, ink, image.get("preserveAspectRatio", "")))
    else:
        sizes = {"x": lies[0], "y": lies[1], "width": lies[2] - lies[0], "height": lies[3] - lies[1]}
        written = {side: f"{number:.6g}" for side, number in sizes.items()}
        etree.SubElement(within, _IMAGE, {"href": "", **written, "preserveAspectRatio": "none"})
    for shown in within.iter(_IMAGE):
        scale = _scale(image.iterancestors()) * _scale([shown, *shown.iterancestors()])
        if any(tag_of(one) in _ELSEWHERE for one in image.iterancestors()):
            scale = math.inf  # its size depends on where it is used: keep all its pixels
        place = length_of(shown, "width") * scale, length_of(shown, "height") * scale
        if isinstance(art, Drawing):
            picture = art.pictures[shown.get("href", "")]
        else:
            fine = printed_pixels(min(place[0], MOST_SIDE), min(place[1], MOST_SIDE), fineness)
            picture = art.picture(fine) if isinstance(art, Flattened) else art
        known = [25.4 * one / other for one, other in zip(picture.size, place, strict=True) if 0 < other < math.inf]
        dpi = min(known, default=math.inf)
        placed = Placed(picture, ink, smaller(picture.size, place, ink, fineness), dpi)
        if placed.key not in found or dpi < found[placed.key].dpi:
            found[placed.key] = placed
        shown.set("href", placed.key)
    return group


def _scale(elements: Iterable[Element]) -> float:
    """Return the factor by which something inside these elements is enlarged, in the larger direction."""
    largest = 1.0
    for one in elements:
        a, b, c, d, *_ = matrix_of(one.get("transform", "")) or IDENTITY
        largest *= max(math.hypot(a, b), math.hypot(c, d))
    return largest
