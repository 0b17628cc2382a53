"""PDF/UA-1: a finished PDF in, what is wrong with it out, as far as a program can tell (ISO 14289-1).

Each check is about one matter of the Matterhorn Protocol 1.1, whose numbers of checkpoints it names. What only a person
can judge, such as whether an alternative text is a good one, is left to people.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from fontTools.ttLib import TTFont
from lxml import etree

NAMESPACES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "dc": "http://purl.org/dc/elements/1.1/",
    "pdfuaid": "http://www.aiim.org/pdfua/ns/id/",
}
STANDARD = {
    "Document", "Part", "Art", "Sect", "Div", "BlockQuote", "Caption", "TOC", "TOCI", "Index", "NonStruct", "Private",
    "P", "H", "H1", "H2", "H3", "H4", "H5", "H6", "L", "LI", "Lbl", "LBody",
    "Table", "TR", "TH", "TD", "THead", "TBody", "TFoot",
    "Span", "Quote", "Note", "Reference", "BibEntry", "Code", "Link", "Annot", "Ruby", "RB", "RT", "RP", "Warichu",
    "WT", "WP", "Figure", "Formula", "Form",
}  # fmt: skip
"""Structure types that need no role map (ISO 32000-1, 14.8.4)."""
KIDS = {
    "Table": {"Caption", "TR", "THead", "TBody", "TFoot"},
    "THead": {"TR"}, "TBody": {"TR"}, "TFoot": {"TR"},
    "TR": {"TH", "TD"},
    "L": {"Caption", "L", "LI"},
    "LI": {"Lbl", "LBody"},
}  # fmt: skip
"""What alone may stand in some elements."""
PARENTS = {
    "TR": {"Table", "THead", "TBody", "TFoot"},
    "TH": {"TR"}, "TD": {"TR"}, "THead": {"Table"}, "TBody": {"Table"}, "TFoot": {"Table"},
    "LI": {"L"}, "LBody": {"LI"},
}  # fmt: skip
"""Where alone some elements may stand."""
PAINTS = {"f", "F", "f*", "S", "s", "B", "B*", "b", "b*", "Tj", "TJ", "'", '"', "Do", "sh", "INLINE IMAGE"}
SHOWS = {"Tj", "TJ", "'", '"'}
SYMBOLIC, NOT_SYMBOLIC = 4, 32
HIDDEN = 2


@dataclass
class Element:
    """A structure element, with its kids in order."""

    kind: str
    node: Any
    kids: list[Element] = field(default_factory=list)
    content: list[tuple[Any, int]] = field(default_factory=list)
    """Marked content of its own: the page, and the id there."""
    objects: list[Any] = field(default_factory=list)
    """Annotations."""

    def walk(self) -> Iterator[Element]:
        yield self
        for kid in self.kids:
            yield from kid.walk()

    def attribute(self, owner: str, key: str) -> Any:
        """What an attribute is set to; None when it is not."""
        given = self.node.get("/A", pikepdf.Array())
        for one in given if isinstance(given, pikepdf.Array) else [given]:
            if one.O == f"/{owner}" and f"/{key}" in one:
                return one[f"/{key}"]
        return None

    def __str__(self) -> str:
        title = self.node.get("/T", self.node.get("/Alt", ""))
        return f'{self.kind} "{title}"' if title else self.kind


@dataclass
class Told:
    """A PDF with its structure read."""

    pdf: pikepdf.Pdf
    top: Element
    elements: list[Element]

    def of(self, *kinds: str) -> list[Element]:
        return [element for element in self.elements if element.kind in kinds]


def faults(data: bytes) -> list[str]:
    """What is wrong, each fault after the name of its check."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        root = pdf.Root.get("/StructTreeRoot")
        if root is None:
            return ["structure: there is no structure tree"]  # 01-005, and there is nothing to walk
        top = read(root, pdf.Root)
        told = Told(pdf, top, [*top.walk()][1:])
        return [f"{check.__name__}: {fault}" for check in CHECKS for fault in check(told)]


def read(node: Any, page: Any) -> Element:
    """An element and all within it. `page` is the one of its parent."""
    page = node.get("/Pg", page)
    element = Element(str(node.get("/S", "/StructTreeRoot"))[1:], node)
    kids = node.get("/K", pikepdf.Array())
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, int):
            element.content.append((page.objgen, kid))
        elif kid.get("/Type") == "/MCR":
            element.content.append((kid.get("/Pg", page).objgen, int(kid.MCID)))
        elif kid.get("/Type") == "/OBJR":
            element.objects.append(kid.Obj)
        else:
            element.kids.append(read(kid, page))
    return element


def content(told: Told) -> Iterator[str]:
    """01: all that is painted is tagged or an artifact, and neither lies in the other."""
    for number, page in enumerate(told.pdf.pages, 1):
        open_: list[str] = []
        for operands, operator in pikepdf.parse_content_stream(page):
            name = str(operator)
            if name == "BDC" and open_ and "/MCID" not in operands[1]:
                open_.append(open_[-1])  # letters that tell what they stand for are no element of their own
            elif name in ("BDC", "BMC"):
                kind = "artifact" if operands[0] == "/Artifact" else "tagged"
                if open_:
                    yield f"page {number}: {kind} content in {open_[-1]} content"
                open_.append(kind)
            elif name == "EMC":
                open_.pop()
            elif name in PAINTS and not open_:
                yield f"page {number}: {name} paints what is neither tagged nor an artifact"
        if open_:
            yield f"page {number}: marked content that does not end"


def parent_tree(told: Told) -> Iterator[str]:
    """01: marked content and annotations lead to their elements, and these to them."""
    nums = list(told.pdf.Root.StructTreeRoot.ParentTree.Nums)
    keys = [int(key) for key in nums[::2]]
    if keys != sorted(set(keys)):
        yield "the keys of the parent tree are not in order"
    tree = dict(zip(keys, nums[1::2], strict=True))
    led: set[object] = set()
    for page in told.pdf.pages:
        marked = [operands[1] for operands, _ in pikepdf.parse_content_stream(page, "BDC")]
        found = [int(one.MCID) for one in marked if "/MCID" in one]
        if len(found) != len(set(found)):
            yield "a page has two pieces of marked content with one id"
        row = tree.get(int(page.obj.get("/StructParents", -1)), [])
        led |= {(page.objgen, id_, row[id_].objgen) for id_ in found if id_ < len(row)}
        if len(found) != len(row):
            yield f"a page has {len(found)} pieces of marked content, its row {len(row)} elements"
        for one in page.obj.get("/Annots", []):
            if "/StructParent" in one:
                led.add((one.objgen, tree[int(one.StructParent)].objgen))
    lead: set[object] = {(*mark, element.node.objgen) for element in told.elements for mark in element.content}
    lead |= {(one.objgen, element.node.objgen) for element in told.elements for one in element.objects}
    if led != lead:
        yield f"{len(led ^ lead)} ways lead in one direction alone"
    for element in told.top.walk():
        if any(kid.node.P.objgen != element.node.objgen for kid in element.kids):
            yield f"{element} is not the parent of its kids"


def roles(told: Told) -> Iterator[str]:
    """02: every type is a standard one, or maps to one; these are never mapped."""
    known = {str(name)[1:]: str(role)[1:] for name, role in told.pdf.Root.StructTreeRoot.get("/RoleMap", {}).items()}
    yield from (f"{name} is mapped though it is a standard type" for name in known if name in STANDARD)
    for element in told.elements:
        if element.kind not in STANDARD and known.get(element.kind) not in STANDARD:
            yield f"{element.kind} is no standard type"


def metadata(told: Told) -> Iterator[str]:
    """06: a packet in clear claims conformance and tells the title and the language."""
    stream = told.pdf.Root.get("/Metadata")
    if stream is None:
        yield "there is no metadata"
        return
    if "/Filter" in stream:
        yield "the metadata are compressed"
    packet = etree.fromstring(stream.read_raw_bytes())
    if ["1"] != packet.xpath("//@pdfuaid:part | //pdfuaid:part/text()", namespaces=NAMESPACES):
        yield "the metadata do not claim PDF/UA-1"
    title = packet.xpath("//dc:title/rdf:Alt/rdf:li/text()", namespaces=NAMESPACES)
    if not title or [str(told.pdf.docinfo.get("/Title", ""))] != title:
        yield f"the title is {title}, elsewhere it is {told.pdf.docinfo.get('/Title')}"
    language = packet.xpath("//dc:language/rdf:Bag/rdf:li/text()", namespaces=NAMESPACES)
    if [str(told.pdf.Root.get("/Lang", ""))] != language:
        yield f"the language is {language}, elsewhere it is {told.pdf.Root.get('/Lang')}"


def catalog(told: Told) -> Iterator[str]:
    """01, 07, 11, 20, 21, 25, 26: what the catalog must say, and what may not be there."""
    root = told.pdf.Root
    if not root.get("/MarkInfo", {}).get("/Marked", False):
        yield "the file is not marked as tagged"
    if root.get("/MarkInfo", {}).get("/Suspects", False):
        yield "tags are suspect"
    if not root.get("/ViewerPreferences", {}).get("/DisplayDocTitle", False):
        yield "viewers show the name of the file in place of its title"
    if not re.fullmatch(r"[a-z]{2,3}(-[A-Za-z0-9]+)*", str(root.get("/Lang", ""))):
        yield "the language is not told"
    for key, holder in (("/OCProperties", root), ("/EmbeddedFiles", root.get("/Names", {})),
                        ("/XFA", root.get("/AcroForm", {}))):  # fmt: skip
        if key in holder:
            yield f"{key} is there, and not looked at"
    if told.pdf.is_encrypted:
        yield "the file is encrypted"


def emptiness(told: Told) -> Iterator[str]:
    """01, 14: every element holds something, and every text about one says something."""
    for element in told.elements:
        if not (element.kids or element.content or element.objects):
            yield f"{element} is empty"
        for key in ("/Alt", "/ActualText", "/T", "/Lang"):
            if key in element.node and not str(element.node[key]).strip():
                yield f"{element.kind} has a blank {key}"


def headings(told: Told) -> Iterator[str]:
    """14: the first heading is of level 1, and none is more than one level below the one before it."""
    before = 0
    for element in told.elements:
        if element.kind == "H":
            yield "a heading without a level"
        elif re.fullmatch("H[1-6]", element.kind):
            level = int(element.kind[1])
            if level > before + 1:
                yield f"{element} comes after a heading of level {before}"
            before = level


def figures(told: Told) -> Iterator[str]:
    """13: figures have an alternative text; figures and tables say where on their page they lie."""
    pages = {page.objgen: page for page in told.pdf.pages}
    for element in told.of("Figure", "Formula", "Table"):
        if element.kind != "Table" and not {"/Alt", "/ActualText"} & set(element.node.keys()):
            yield f"{element} has no alternative text"
        box = [float(value) for value in element.attribute("Layout", "BBox") or ()]
        if len(box) != 4:
            yield f"{element} does not say where it lies"
            continue
        page = next(page for one in element.walk() for page, _ in one.content)
        media = [float(value) for value in pages[page].mediabox]
        hair = 0.01
        if not (
            media[0] - hair <= box[0] < box[2] <= media[2] + hair
            and media[1] - hair <= box[1] < box[3] <= media[3] + hair
        ):
            yield f"{element} lies at {box}, the page is {media}"


def nesting(told: Told) -> Iterator[str]:
    """09: parts of lists and tables stand where they belong, and nothing else does."""
    for element in told.top.walk():
        for kid in element.kids:
            if element.kind in KIDS and kid.kind not in KIDS[element.kind]:
                yield f"{kid} stands in {element}"
            if kid.kind in PARENTS and element.kind not in PARENTS[kid.kind]:
                yield f"{kid} stands in {element}"
        if element.kind in KIDS and element.content:
            yield f"{element} has content of its own"


def tables(told: Told) -> Iterator[str]:
    """09, 15: the rows of a table have equally many cells, and its heads say what they are the heads of."""
    for table in told.of("Table"):
        rows = [element for element in table.walk() if element.kind == "TR"]
        widths = {sum(int(cell.attribute("Table", "ColSpan") or 1) for cell in row.kids) for row in rows}
        if len(widths) != 1:
            yield f"{table} has rows of {sorted(widths)} cells"
        heads = [element for element in table.walk() if element.kind == "TH"]
        if not heads:
            yield f"{table} has no heads"
        for head in heads:
            if head.attribute("Table", "Scope") not in ("/Column", "/Row", "/Both"):
                yield f"{table} has a head of nothing"


def lists(told: Told) -> Iterator[str]:
    """16: a list says how it is numbered, and has labels exactly when it is; items have a body."""
    for one in told.of("L"):
        numbering = str(one.attribute("List", "ListNumbering"))
        items = [kid for kid in one.kids if kid.kind == "LI"]
        labelled = {any(kid.kind == "Lbl" for kid in item.kids) for item in items}
        if numbering not in ("/None", "/Disc", "/Circle", "/Square", "/Decimal"):
            yield f"a list is numbered by {numbering}"
        elif labelled != {numbering != "/None"}:
            yield f"a list is numbered by {numbering}, its labels are another matter"
        if any([kid.kind for kid in item.kids].count("LBody") != 1 for item in items):
            yield "an item has no body, or several"


def notes(told: Told) -> Iterator[str]:
    """19: every note has an id of its own."""
    ids = Counter(str(one.node.get("/ID", "")) for one in told.of("Note"))
    yield from (f'{count} notes have the id "{id_}"' for id_, count in ids.items() if count > 1 or not id_)


def annotations(told: Told) -> Iterator[str]:
    """28: what can be seen of annotations is told; fields have words, and the tab key goes as they are told."""
    holders = {one.objgen: element for element in told.elements for one in element.objects}
    pages = [list(page.obj.get("/Annots", [])) for page in told.pdf.pages]
    for number, (page, found) in enumerate(zip(told.pdf.pages, pages, strict=True), 1):
        if found and page.obj.get("/Tabs") != "/S":
            yield f"page {number}: the tab key does not follow the structure"
        for one in found:
            kind = str(one.Subtype)
            if kind in ("/TrapNet", "/PrinterMark"):
                yield f"page {number}: {kind}"
            if kind == "/Widget":
                if not str(one.get("/TU", "")).strip():
                    yield f"page {number}: a field has no words"
            elif not str(one.get("/Contents", "")).strip():
                yield f"page {number}: {kind} has no contents"
            if int(one.get("/F", 0)) & HIDDEN:
                continue
            element = holders.get(one.objgen)
            wanted = {"/Widget": "Form", "/Link": "Link"}.get(kind, "Annot")
            if element is None or element.kind != wanted:
                yield f"page {number}: {kind} is not told as {wanted}"
    for form in told.of("Form"):
        if len(form.objects) != 1 or form.kids or form.content:
            yield f"{form} holds something else than one field"
    order = [one.objgen for element in told.elements for one in element.objects]
    seen = [one.objgen for found in pages for one in found if one.objgen in holders]
    if order != seen:
        yield "annotations are told in another order than they stand in on their pages"


def forms(told: Told) -> Iterator[str]:
    """30: no form refers to another file, and none that is used twice holds marked content with an id."""
    for one in told.pdf.objects:
        if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == "/Form":
            if "/Ref" in one:
                yield "a form shows another file"
            if any(len(operands) > 1 for operands, _ in pikepdf.parse_content_stream(one, "BDC")):
                yield "a form holds content with an id"


def fonts(told: Told) -> Iterator[str]:
    """10, 31: fonts are embedded; what is shown has a glyph of the width that is told, and a character."""
    shown: dict[tuple[int, int], set[int]] = {}
    known: dict[tuple[int, int], Any] = {}

    def collect(stream: Any, resources: Any) -> None:
        font = None
        for operands, operator in pikepdf.parse_content_stream(stream):
            name = str(operator)
            if name == "Tf":
                font = resources.Font[str(operands[0])]
                known[font.objgen] = font
            elif name in SHOWS:
                parts = operands[-1] if name == "TJ" else [operands[-1]]
                data = b"".join(bytes(part) for part in parts if isinstance(part, pikepdf.String))
                size = 2 if font.Subtype == "/Type0" else 1
                codes = {int.from_bytes(data[at : at + size], "big") for at in range(0, len(data), size)}
                shown.setdefault(font.objgen, set()).update(codes)

    for page in told.pdf.pages:
        collect(page, page.obj.Resources)
    for one in told.pdf.objects:
        if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == "/Form":
            collect(one, one.get("/Resources"))
        elif isinstance(one, pikepdf.Dictionary) and one.get("/Type") == "/Font" and "/CIDSystemInfo" not in one:
            known.setdefault(one.objgen, one)  # one that is typed in
    for key, font in known.items():
        name = str(font.get("/BaseFont"))
        yield from (f"{name}: {fault}" for fault in faults_of(font, shown.get(key)))


def faults_of(font: Any, codes: set[int] | None) -> Iterator[str]:
    """What is wrong with a TrueType font. `codes` are those that are shown; None for all that it has."""
    if font.Subtype == "/Type0":
        yield from faults_of_numbered(font, codes or set())
        return
    if font.Subtype == "/Type3":
        yield from faults_of_drawn(font)
        return
    if font.Subtype != "/TrueType" or "/FontFile2" not in font.get("/FontDescriptor", {}):
        yield f"{font.Subtype} is not embedded, or not looked at"
        return
    first = int(font.FirstChar)
    codes = set(range(first, int(font.LastChar) + 1)) if codes is None else codes
    embedded = TTFont(io.BytesIO(font.FontDescriptor.FontFile2.read_bytes()))
    flags = int(font.FontDescriptor.Flags)
    cmaps = {(table.platformID, table.platEncID): table.cmap for table in embedded["cmap"].tables}
    if bool(flags & SYMBOLIC) == bool(flags & NOT_SYMBOLIC):
        yield "it is symbolic and is not"
    if flags & SYMBOLIC:
        if "/Encoding" in font or (len(cmaps) != 1 and (3, 0) not in cmaps):
            yield "a symbolic font needs one cmap and no encoding"
        table = cmaps.get((3, 0)) or next(iter(cmaps.values()))
        glyphs = {code: table.get(code, table.get(0xF000 + code)) for code in codes}
    else:
        if font.get("/Encoding") != "/WinAnsiEncoding" or (3, 1) not in cmaps:
            yield "a font of letters needs a cmap and an encoding that all know"
            return
        special = {0x7F: "•", 0xA0: " ", 0xAD: "-"}
        letters = {code: special.get(code) or bytes([code]).decode("cp1252", "replace") for code in codes}
        glyphs = {code: cmaps[3, 1].get(ord(letter.replace("\ufffd", "•"))) for code, letter in letters.items()}
    characters = characters_of(font)
    em = embedded["head"].unitsPerEm
    for code in sorted(codes):
        glyph = glyphs[code]
        if glyph in (None, ".notdef"):
            yield f"code {code} has no glyph"
        elif abs(float(font.Widths[code - first]) - embedded["hmtx"][glyph][0] * 1000 / em) > 1:
            yield f"code {code} has another width in the font"
        if not characters.get(code, "").strip("\0\ufeff\ufffe"):
            yield f"code {code} stands for no character"


def faults_of_drawn(font: Any) -> Iterator[str]:
    """The same for a font whose glyphs are drawings; all of them are looked at."""
    code, characters = 0, characters_of(font)
    for one in font.Encoding.Differences:
        if not isinstance(one, pikepdf.Name):
            code = int(one)
            continue
        if str(one) not in font.CharProcs:
            yield f"code {code} has no glyph"
        elif (
            pikepdf.parse_content_stream(font.CharProcs[str(one)])[0].operands[0]
            != (font.Widths[code - int(font.FirstChar)])
        ):
            yield f"code {code} has another width in its drawing"
        if not characters.get(code, "").strip("\0\ufeff\ufffe"):
            yield f"code {code} stands for no character"
        code += 1


def faults_of_numbered(font: Any, codes: set[int]) -> Iterator[str]:
    """The same for a font whose codes are the numbers of its glyphs (31-001 to 31-005)."""
    (inner,) = font.DescendantFonts
    if font.get("/Encoding") != "/Identity-H" or inner.get("/Subtype") != "/CIDFontType2":
        yield f"{font.get('/Encoding')} in {inner.get('/Subtype')} is not looked at"
        return
    if inner.get("/CIDToGIDMap") != "/Identity":
        yield "nothing leads from its codes to glyphs"
    if "/FontFile2" not in inner.get("/FontDescriptor", {}):
        yield "it is not embedded"
        return
    embedded = TTFont(io.BytesIO(inner.FontDescriptor.FontFile2.read_bytes()))
    names, metrics, em = embedded.getGlyphOrder(), embedded["hmtx"], embedded["head"].unitsPerEm
    widths: dict[int, float] = {}
    row = list(inner.get("/W", []))
    for first, each in zip(row[::2], row[1::2], strict=True):
        widths.update({int(first) + step: float(width) for step, width in enumerate(each)})
    characters = characters_of(font)
    for code in sorted(codes):
        if not 0 < code < len(names):
            yield f"code {code} has no glyph"
        elif abs(widths.get(code, 1000.0) - metrics[names[code]][0] * 1000 / em) > 1:
            yield f"code {code} has another width in the font"
        if not characters.get(code, "").strip("\0\ufeff\ufffe"):
            yield f"code {code} stands for no character"


def characters_of(font: Any) -> dict[int, str]:
    """Which characters the codes of a font stand for."""
    found: dict[int, str] = {}
    text = font.ToUnicode.read_bytes().decode("ascii") if "/ToUnicode" in font else ""

    def read_hex(digits: str) -> str:
        return bytes.fromhex(digits).decode("utf-16-be")

    for part in re.findall(r"beginbfchar(.*?)endbfchar", text, re.DOTALL):
        for code, to in re.findall(r"<(\w+)>\s*<(\w+)>", part):
            found[int(code, 16)] = read_hex(to)
    for part in re.findall(r"beginbfrange(.*?)endbfrange", text, re.DOTALL):
        for start, end, list_, to in re.findall(r"<(\w+)>\s*<(\w+)>\s*(?:\[(.*?)\]|<(\w+)>)", part, re.DOTALL):
            each = re.findall(r"<(\w+)>", list_)
            for step, code in enumerate(range(int(start, 16), int(end, 16) + 1)):
                found[code] = read_hex(each[step]) if each else chr(ord(read_hex(to)) + step)
    return found


CHECKS: tuple[Callable[[Told], Iterator[str]], ...] = (
    content,
    parent_tree,
    roles,
    metadata,
    catalog,
    emptiness,
    headings,
    figures,
    nesting,
    tables,
    lists,
    notes,
    annotations,
    forms,
    fonts,
)
