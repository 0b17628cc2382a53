"""Check a finished PDF against those rules of PDF/X-4 and PDF/X-1a:2003 that can be read from a file.

Nobody has certified these checks: a file without faults is built to the rules, no more. Source: ISO 15930-4 and -7, as
far as they are public, and the list of rules of Apache PDFBox Preflight.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final, NamedTuple

import pikepdf

from grimalkin.printing.draw.condition import STANDARDS, Standard, fault_of_profile
from grimalkin.printing.draw.pdfx import VERSIONS, version_of

SLACK: Final = 0.01
"""Points by which boxes may exceed each other, for rounding."""
MOST_FAULTS: Final = 50
SCREEN_SPACES: Final = frozenset({"/DeviceRGB", "/CalRGB", "/CalGray", "/Lab"})
Box = tuple[float, float, float, float]


class _File(NamedTuple):
    data: bytes
    pdf: Any
    standard: Standard


def pdfx_faults(data: bytes, standard: Standard) -> list[str]:
    """Return what breaks the rules of a standard in a PDF, in sentences without a full stop."""
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            if pdf.is_encrypted:
                return ["the file is encrypted"]
            file = _File(data, pdf, standard)
            found = dict.fromkeys(fault for check in _CHECKS for fault in check(file))
    except pikepdf.PdfError as error:
        return [f"the file cannot be read: {error}"]
    return list(found)[:MOST_FAULTS]


def _version(file: _File) -> Iterator[str]:
    most = VERSIONS[file.standard]
    if str(file.pdf.pdf_version) > most:
        yield f"it is PDF {file.pdf.pdf_version}; {STANDARDS[file.standard]} allows at most {most}"
    if file.standard == "x1a" and re.search(rb"/Type\s*/(?:ObjStm|XRef)\b", file.data):
        yield "objects are packed in streams, which PDF 1.4 lacks"


def _intent(file: _File) -> Iterator[str]:
    intents = [one for one in file.pdf.Root.get("/OutputIntents", []) if one.get("/S") == "/GTS_PDFX"]
    if len(intents) != 1:
        yield f"it has {len(intents)} output intents for PDF/X, not one"
        return
    (intent,) = intents
    profile = intent.get("/DestOutputProfile")
    if not str(intent.get("/OutputConditionIdentifier", "")):
        yield "its output intent names no printing condition"
    if profile is None:
        if file.standard == "x4" or "/RegistryName" not in intent:
            yield "its output intent has no profile"
        return
    fault = fault_of_profile(bytes(profile.read_bytes()))
    if fault or int(profile.get("/N", 0)) != 4:
        yield f"the profile of its output intent {fault[0] if fault else 'has not four inks'}"


def _about(file: _File) -> Iterator[str]:
    info = file.pdf.docinfo
    for key in ("/Title", "/CreationDate", "/ModDate"):
        if not str(info.get(key, "")):
            yield f"its information has no {key[1:]}"
    if str(info.get("/Trapped", "")) not in ("/True", "/False"):
        yield "its information does not say whether it is trapped"
    if file.standard == "x1a" and str(info.get("/GTS_PDFXVersion", "")) != version_of("x1a"):
        yield "its information does not name PDF/X-1a:2003"
    if "/ID" not in file.pdf.trailer:
        yield "it has no identifier"


def _metadata(file: _File) -> Iterator[str]:
    if file.standard != "x4":
        return
    metadata = file.pdf.Root.get("/Metadata")
    text = bytes(metadata.read_bytes()).decode("utf-8", "replace") if metadata is not None else ""
    wanted = (
        *('GTS_PDFXVersion="PDF/X-4"', "<dc:title>", "xmp:CreateDate=", "xmp:ModifyDate=", "xmp:MetadataDate="),
        *("xmpMM:DocumentID=", "xmpMM:RenditionClass=", "xmpMM:VersionID=", 'pdf:Trapped="'),
    )
    for one in wanted:
        if one not in text:
            yield f"its metadata has no {one.strip('=<>').partition('=')[0]}"


def _boxes(file: _File) -> Iterator[str]:
    for number, page in enumerate(file.pdf.pages, 1):
        if "/TrimBox" not in page.obj and "/ArtBox" not in page.obj:
            yield f"page {number} has no TrimBox"
            continue
        boxes = [("MediaBox", _box(page.mediabox))]
        names = ("/BleedBox", "/TrimBox", "/ArtBox")
        boxes += [(key[1:], _box(page.obj[key])) for key in names if key in page.obj]
        for (outer, around), (inner, inside) in pairwise(boxes):
            if not _within(inside, around):
                yield f"page {number}: its {inner} is not within its {outer}"
        for note in page.obj.get("/Annots", []):
            if str(note.get("/Subtype", "")) not in ("/TrapNet", "/PrinterMark"):
                yield f"page {number} has a link, a note or a field"
                break


def _actions(file: _File) -> Iterator[str]:
    root = file.pdf.Root
    names = root.get("/Names", {})
    if "/JavaScript" in names or "/AA" in root:
        yield "it has scripts or actions"
    if "/AcroForm" in root:
        yield "it has a form to fill in"
    if "/EmbeddedFiles" in names:
        yield "other files are embedded in it"


def _objects(file: _File) -> Iterator[str]:
    """Check every dictionary: fonts, colours, transparency, and what PDF/X forbids."""
    for one in file.pdf.objects:
        if isinstance(one, pikepdf.Dictionary | pikepdf.Stream | pikepdf.Array):
            yield from _object(one, file.standard, 0)


def _object(one: Any, standard: Standard, depth: int) -> Iterator[str]:
    if depth > 30:
        return
    if isinstance(one, pikepdf.Array):
        if len(one) and str(one[0]) in SCREEN_SPACES:
            yield f"a colour is in {str(one[0])[1:]}"
        for part in one:
            if isinstance(part, pikepdf.Dictionary | pikepdf.Array) and not part.is_indirect:
                yield from _object(part, standard, depth + 1)
        return
    kind, subtype = str(one.get("/Type", "")), str(one.get("/Subtype", ""))
    if kind == "/Font" and subtype not in ("/Type3", "/Type0") and not _is_embedded(one):
        yield f"the font {str(one.get('/BaseFont', '/?'))[1:]} is not embedded"
    if subtype == "/PS" or "/OPI" in one:
        yield "it has PostScript or OPI, which PDF/X does not allow"
    if "/TR" in one and kind == "/ExtGState":
        yield "it has a transfer function"
    for key in ("/ColorSpace", "/CS"):
        space = one.get(key)
        if isinstance(space, pikepdf.Name) and str(space) in SCREEN_SPACES:
            yield f"a colour is in {str(space)[1:]}"
    if isinstance(one, pikepdf.Stream) and "LZWDecode" in str(one.get("/Filter", "")):
        yield "a stream is compressed by LZW"
    if standard == "x1a":
        yield from _transparency(one)
    for key, part in one.items():
        if key != "/Parent" and isinstance(part, pikepdf.Dictionary | pikepdf.Array) and not part.is_indirect:
            yield from _object(part, standard, depth + 1)


def _transparency(one: Any) -> Iterator[str]:
    group = one.get("/Group")
    if isinstance(group, pikepdf.Dictionary) and str(group.get("/S", "")) == "/Transparency":
        yield "it has transparency: a group"
    if "/SMask" in one and str(one["/SMask"]) != "/None":
        yield "it has transparency: a soft mask"
    for key in ("/CA", "/ca"):
        if isinstance(one.get(key), int | float | Decimal) and float(one[key]) < 1:
            yield "it has transparency: an opacity"
    if "/BM" in one and str(one["/BM"]) not in ("/Normal", "/Compatible"):
        yield "it has transparency: a blend mode"


def _content(file: _File) -> Iterator[str]:
    """Check the operators of pages, forms and patterns for colours of screens."""
    for number, page in enumerate(file.pdf.pages, 1):
        if _has_screen_colours(page):
            yield f"page {number} sets a colour in RGB"
    for one in file.pdf.objects:
        is_drawn = isinstance(one, pikepdf.Stream) and ("/PatternType" in one or one.get("/Subtype") == "/Form")
        if is_drawn and _has_screen_colours(one):
            yield "a form or pattern sets a colour in RGB"


def _has_screen_colours(content: Any) -> bool:
    for step in pikepdf.parse_content_stream(content, "rg RG cs CS"):
        operator = str(step.operator)
        if operator in ("rg", "RG") or (step.operands and str(step.operands[0]) in SCREEN_SPACES):
            return True
    return False


def _is_embedded(font: Any) -> bool:
    about = font.get("/FontDescriptor")
    return about is not None and any(key in about for key in ("/FontFile", "/FontFile2", "/FontFile3"))


def _box(box: Any) -> Box:
    left, foot, right, top = (float(side) for side in box)
    return left, foot, right, top


def _within(inner: Box, outer: Box) -> bool:
    low = all(one >= other - SLACK for one, other in zip(inner[:2], outer[:2], strict=True))
    return low and all(one <= other + SLACK for one, other in zip(inner[2:], outer[2:], strict=True))


_CHECKS: tuple[Callable[[_File], Iterator[str]], ...] = (
    _version, _intent, _about, _metadata, _boxes, _actions, _objects, _content,
)  # fmt: skip
