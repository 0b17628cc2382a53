"""A reportlab canvas that writes each page as soon as it is finished, and makes small files.

reportlab keeps every page until the end and writes each object uncompressed; `packing` does neither. This is the only
module that imports reportlab or uses its private names. The same content gives the same bytes.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from html import escape
from typing import Any, Literal, NamedTuple, Protocol

from reportlab import rl_config
from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

from grimalkin import __version__
from grimalkin.printing.draw.condition import Condition
from grimalkin.printing.draw.packing import PackedFile, colour, row, short
from grimalkin.printing.draw.pdfx import VERSIONS, claim, put_intent, with_version
from grimalkin.printing.draw.recolour import Colours, Screen, recoloured, recoloured_dictionary
from grimalkin.printing.draw.typefaces import Types
from grimalkin.printing.face.svg.paths import Box
from grimalkin.printing.type.fonts import SANS
from grimalkin.printing.type.shaping import line_width

rl_config.useA85 = 0  # saves a fifth of every file, and is thirty times as fast with pictures
rl_config.invariant = 1  # the same content gives the same bytes

MOST_RESOURCES = 1_000
"""The most sets of forms that are cached, so that pages with the same forms share one dictionary."""
BUNDLE = 200
"""Objects in one object stream: a reader decompresses the entire stream to read any of them."""
LANGUAGE = "en"
"""The language of labels and covers, regardless of the game's language."""
TRIED = ("4.2.0", "5.1.0")
"""The oldest and the newest reportlab tested; pyproject.toml allows nothing older and no newer major version."""
INNER_NAMES = {
    "rl_config": ("invariant", "useA85"),
    "Canvas": (
        *("_bleedBox", "_code", "_doc", "_fontname", "_fontsize", "_formsinuse", "_pagesize", "_preamble"),
        *("_startPage", "_trimBox"),
    ),
    "PDFDocument": (
        *("Catalog", "Outlines", "Pages", "Reference", "idToObject", "idToObjectNumberAndVersion"),
        *("inObject", "info", "invariant", "numberToId", "objectcounter", "pageCounter", "thisPageName", "xobjDict"),
    ),
    "PDFCatalog": ("Lang", "Metadata", "Outlines", "__InternalName__", "__NoDefault__"),
    "PDFInfo": ("__InternalName__", "author", "creator", "keywords", "subject", "title"),
    "PDFOutlines": ("closedict", "mydestinations", "prepare", "ready"),
    "PDFPages": ("addPage",),
    "PDFResourceDictionary": ("ColorSpace", "ExtGState", "Pattern", "XObject", "allProcs", "basicFonts", "format"),
    "pdfdoc": (
        *("BasicFonts", "PDFObjectReference", "PDFResourceDictionary", "PDFString", "count", "format"),
        "xObjectName",
    ),
}
"""Private names of reportlab used here, by owner; its manual does not guarantee them."""
_NO_XML = re.compile("[\0-\x08\v\f\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that a title may contain, but XML may not."""

Sides = Literal["Simplex", "DuplexFlipLongEdge", "DuplexFlipShortEdge"]


class Part(Protocol):
    """Something that a canvas writes in addition to operators, called at the end of each page and of the document."""

    def page(self) -> None: ...

    def finish(self) -> None: ...


class Resource(NamedTuple):
    """A resource other than a font or form that operators refer to by name (ISO 32000-1, 7.8.3)."""

    kind: str
    """"ExtGState", "Pattern", or "XObject" for a picture."""
    body: str
    """The entries of its dictionary; the name of a resource or form in braces represents a reference to it."""
    used: tuple[str, ...] = ()
    """The names of the resources and forms in it; see `put_form`."""
    code: str | None = None
    """The operators of a pattern, which makes it a stream."""
    data: bytes = b""
    """The pixels of a picture, encoded as its dictionary says, which makes it a stream."""
    key: str = ""
    """A stand-in for the data in comparisons, if any."""

    @property
    def name(self) -> str:
        """Its name in operators: the same content has the same name in every document."""
        digest = blake2b(repr(self[:4]).encode(), digest_size=8)
        digest.update(self.key.encode() or self.data)
        return self.kind[0] + digest.hexdigest()


class PackedCanvas(Canvas):
    """A reportlab canvas for pages that are drawn in order and forms that are defined before use.

    Features of reportlab that our pages do not need are left out: encryption, annotations, transparency, shadings.
    Everything is drawn in sRGB; `colours` convert it as it is written.
    """

    def __init__(
        self,
        size: tuple[float, float],
        types: Types | None = None,
        colours: Colours | None = None,
        condition: Condition | None = None,
    ) -> None:
        options: dict[str, Any] = {"pagesize": size, "pageCompression": 1}
        self.out = io.BytesIO()
        super().__init__(self.out, **options)
        inner: Any = self  # much of this is not public in reportlab
        self.inner = inner
        self.document: Any = inner._doc
        self.colours = colours or Screen()
        self.condition = condition
        """The print shop that the document is for, if it is for one."""
        self.file = PackedFile(self.out, VERSIONS[condition.standard] if condition else "1.7")
        self.resources: dict[tuple[str, ...], int] = {}
        self.held: dict[str, str] = {}
        """The kinds of resources already written, by name."""
        self.foreign: dict[bytes, int] = {}
        """The numbers of streams from other documents, by digest."""
        self.blended: set[str] = set()
        """Names of forms and resources with transparency."""
        self.veiled: dict[str, str] = {}
        """The faces drawn with transparency, by id, with their names; noted only for print shops."""
        self.types = Types() if types is None else types
        """The fonts of the document, which other documents may share."""
        self.fonts: dict[str, int] = {}
        """The object numbers of the fonts used here, by family."""
        self.setFont(SANS, 12)
        self.page_number = self.new_number()
        """The object number of the current page."""
        self.parts: list[Part] = []
        """The structure and the form of the document, if it has them; they are finished in reverse order."""
        self.form_begun: tuple[str, tuple[float, ...], list[str], list[str]] = "", (), [], []
        """The form being drawn, and the contents of the page drawn before it."""
        self.page_keys = ""
        """Additional entries for this page's dictionary; `showPage` clears them."""

    def describe(self, title: str, author: str, subject: str, keywords: str = "") -> None:
        """Set the file's metadata, in English. Viewers show its title, and offer to print it at 100 %."""
        self.setTitle(title)
        self.setAuthor(author)
        self.setSubject(subject)
        self.setKeywords(keywords)
        self.setCreator(f"Grimalkin {__version__}")
        self.document.Catalog.Lang = pdfdoc.PDFString(LANGUAGE)
        self.setViewerPreference("DisplayDocTitle", "true")
        if self.file.version >= "1.6":
            self.setViewerPreference("PrintScaling", "None")  # ISO 32000-1, 12.2

    def print_on(self, sides: Sides) -> None:
        """Set the sides that viewers offer to print on, and the edge to flip: ISO 32000-1, 12.2; Chromium follows."""
        if self.file.version >= "1.7":
            self.setViewerPreference("Duplex", sides)

    @property
    def page_size(self) -> tuple[float, float]:
        """Width and height in points."""
        width, height = self.inner._pagesize
        return width, height

    def emit(self, code: str, forms: Iterable[str] = ()) -> None:
        """Add operators to the page. `forms` are the forms that they use."""
        self.inner._code.append(code)
        self.inner._formsinuse.extend(forms)

    def inked(self, code: str) -> str:
        """Return operators without spot colours, converted to the colours of this document."""
        return recoloured(code, self.colours, [])

    def written(self, code: str, used: Iterable[str]) -> tuple[bytes, Iterable[str]]:
        """Return operators, converted to the colours of this document, and the names of all resources in them."""
        spaces: list[str] = []
        if self.colours.space != "DeviceCMYK":
            return recoloured(code, self.colours, spaces).encode("latin-1"), used

        def over(strokes: bool, fills: bool) -> str:
            name = f"O{strokes:d}{fills:d}"
            spaces.append(name)
            keys = f"/OP {'true' if strokes else 'false'}/op {'true' if fills else 'false'}/OPM 1"
            self.put_named("ExtGState", name, f"<</Type/ExtGState{keys}>>")
            return f"/{name} gs"

        code = recoloured(code, self.colours, spaces, over)
        for name in spaces:
            if name not in self.held:
                self.put_named("ColorSpace", name, self.colours.separation(name))
        return code.encode("latin-1"), [*used, *spaces]

    def put_named(self, kind: str, name: str, body: str) -> None:
        """Write a resource that nothing else is in, under a name of its own, unless it is there already."""
        if name not in self.held:
            self.held[name] = kind
            number = self.new_number()
            self.put(number, body.encode())
            self.name(name, number)

    def taken(self) -> tuple[str, tuple[str, ...]]:
        """Return the operators drawn on the page, and their forms, and leave the page empty."""
        code, forms = "\n".join(self.inner._code), tuple(dict.fromkeys(self.inner._formsinuse))
        self.inner._code, self.inner._formsinuse = [], []
        return code, forms

    def new_number(self) -> int:
        """Return a number for an object unknown to reportlab."""
        self.document.objectcounter += 1
        return int(self.document.objectcounter)

    def put(self, number: int, body: bytes) -> None:
        """Write an object with a number from `new_number`."""
        self.file.put(number, body)
        if len(self.file.bundle) >= BUNDLE:
            self.file.flush(self.new_number())

    def name(self, name: str, number: int) -> Any:
        """Return a reference that reportlab's own objects can contain."""
        self.document.idToObjectNumberAndVersion[name] = (number, 0)
        return pdfdoc.PDFObjectReference(name)

    def in_catalog(self, key: str, number: int) -> None:
        """Refer to an object from the document's catalog."""
        setattr(self.document.Catalog, key, self.name(key, number))

    def show(
        self, run: str, family: str, size: str, code: list[str], last: str, variant: str = "", spread: float = 0.0
    ) -> str:
        """Add operators that show a run of text. `last` is the current font; return the new one."""
        face = self.types[family]
        self.use_font(family)
        shown = face.show(run, float(size), variant, spread)
        font = f"{face.name} {size} Tf"
        code.append(shown if font == last else f"{font} {shown}")
        return font

    def use_font(self, family: str) -> None:
        """Give a font an object number."""
        if family not in self.fonts:
            self.fonts[family] = self.new_number()

    # Faster versions of reportlab's own, which take ten times as long. Sheets use them on every page.

    def line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self.emit(f"{row(x1, y1)} m {row(x2, y2)} l S")

    def rect(self, x: float, y: float, width: float, height: float, stroke: float = 1, fill: float = 0) -> None:
        paint = ("B" if fill else "S") if stroke else ("f" if fill else "n")
        self.emit(f"{row(x, y, width, height)} re {paint}")

    def setLineWidth(self, width: float) -> None:  # noqa: N802 - reportlab's names
        self.emit(f"{short(width)} w")

    def setFillColor(self, aColor: Any, _alpha: Any = None) -> None:  # noqa: N802, N803
        if isinstance(aColor, str):
            self.emit(f"{colour(aColor)} rg")
        else:  # reportlab calls this with its own colours
            super().setFillColor(aColor)

    def setStrokeColor(self, aColor: Any, _alpha: Any = None) -> None:  # noqa: N802, N803
        if isinstance(aColor, str):
            self.emit(f"{colour(aColor)} RG")
        else:
            super().setStrokeColor(aColor)

    def drawString(self, x: float, y: float, text: str, *_more: Any, **_others: Any) -> None:  # noqa: N802
        code = [f"BT 1 0 0 1 {row(x, y)} Tm"]
        self.show(text, self.inner._fontname, short(self.inner._fontsize), code, "")
        self.emit(" ".join([*code, "ET"]))

    def setFont(self, psfontname: str, size: float, leading: float | None = None) -> None:  # noqa: N802
        self.inner._fontname, self.inner._fontsize = psfontname, size

    def drawCentredString(self, x: float, y: float, text: str, *_more: Any, **_others: Any) -> None:  # noqa: N802
        self.drawString(x - string_width(text, self.inner._fontname, self.inner._fontsize) / 2, y, text)

    def _make_preamble(self) -> None:
        """Do nothing: reportlab's preamble names a font that is not embedded."""
        inner: Any = self  # called before `inner` exists
        inner._preamble = ""

    def beginForm(self, name: str, *box: float) -> None:  # noqa: N802
        """Draw into a form from here to `endForm`. Its box is left, bottom, right and top."""
        inner = self.inner
        self.form_begun = name, box, inner._code, inner._formsinuse
        inner._code, inner._formsinuse = [], []

    def endForm(self, **_more: Any) -> None:  # noqa: N802
        inner = self.inner
        name, box, code, used = self.form_begun
        self.put_form(name, box, "\n".join(inner._code), inner._formsinuse)
        inner._code, inner._formsinuse = code, used

    def showPage(self) -> None:  # noqa: N802 - reportlab's name
        """Write the page and begin the next."""
        for part in self.parts:
            part.page()
        inner, document = self.inner, self.document
        boxes = {"Media": (0, 0, *self.page_size), "Bleed": inner._bleedBox, "Trim": inner._trimBox}
        content = self.new_number()
        code, used = self.written("\n".join([inner._preamble, *inner._code]), inner._formsinuse)
        self.file.stream(content, b"", code)
        if self.condition:  # every page of PDF/X has one
            boxes["Trim"] = boxes["Trim"] or boxes["Media"]
        keys = ["/Type/Page/Parent ", document.Reference(document.Pages).format(document).decode()]
        keys += [f"/{key}Box[{row(*box)}]" for key, box in boxes.items() if box]
        keys.append(f"/Contents {content} 0 R/Resources {self.resources_for(used)} 0 R{self.page_keys}")
        if not self.blended.isdisjoint(inner._formsinuse):  # otherwise Acrobat blends the page's colours as CMYK
            keys.append(self.group())
        self.put(self.page_number, f"<<{''.join(keys)}>>".encode())
        document.Pages.addPage(self.name(document.thisPageName(), self.page_number))
        document.pageCounter += 1
        document.inObject = None
        self.page_number, self.page_keys = self.new_number(), ""
        inner._startPage()

    def resources_for(self, used: Iterable[str]) -> int:
        """Return the number of the resources for content with fonts and these names; equal resources are shared."""
        forms = tuple(sorted(set(used)))
        number = self.resources.get(forms)
        if number is None:
            if len(self.resources) >= MOST_RESOURCES:
                self.resources.clear()
            made: Any = pdfdoc.PDFResourceDictionary()
            made.basicFonts()
            made.allProcs()
            held = [name for name in forms if name in self.held] if self.held else ()
            if len(held) < len(forms):
                made.XObject = self.document.xobjDict([name for name in forms if name not in held])
            for name in held:
                getattr(made, self.held[name])[name] = pdfdoc.PDFObjectReference(name)
            number = self.resources[forms] = self.new_number()
            self.put(number, made.format(self.document))
        return number

    def form_name(self, name: str) -> str:
        """Return the name of a form in operators."""
        return str(pdfdoc.xObjectName(name))

    def put_form(self, name: str, box: Iterable[float], code: str, used: Iterable[str], group: str = "") -> None:
        """Write a form; pages refer to it like reportlab's own. `used` are the forms and resources in it.

        `group` is the colour space of a form that is drawn as a whole before it is composited.
        """
        number, used = self.new_number(), tuple(used)
        inked, named = self.written(code, used)
        keys = f"/Type/XObject/Subtype/Form/BBox[{row(*box)}]/Resources {self.resources_for(named)} 0 R"
        keys += self.group(group) if group else ""
        self.file.stream(number, keys.encode(), inked)
        self.name(self.form_name(name), number)
        if group or (self.blended and not self.blended.isdisjoint(used)):
            self.blended.add(name)

    def group(self, space: str = "DeviceRGB") -> str:
        """Return the entry that makes a page or form a transparency group (ISO 32000-1, 11.6.6)."""
        space = self.colours.space if space == "DeviceRGB" else space
        return f"/Group<</S/Transparency/I true/CS/{space}>>"

    def hold(self, resource: Resource) -> str:
        """Write a resource, unless the document already has it. Return its name, for operators and for `used`."""
        name, kind, body = resource.name, resource.kind, resource.body
        if name in self.held:
            return name
        self.held[name] = kind
        number = self.new_number()
        numbers = self.document.idToObjectNumberAndVersion
        inside = {one: numbers[one if one in self.held else self.form_name(one)][0] for one in resource.used}
        body = body.format_map({one: f"{of} 0 R" for one, of in inside.items()})
        body = recoloured_dictionary(body, self.colours)
        if resource.code is not None:
            code, used = self.written(resource.code, resource.used)
            body += f"/Resources {self.resources_for(used)} 0 R"
            self.file.stream(number, body.encode(), code)
        elif resource.data:
            head = f"<<{body}/Length {len(resource.data)}>>stream\n".encode()
            self.file.raw(number, head, resource.data, b"\nendstream")
        else:
            self.put(number, f"<<{body}>>".encode())
        self.name(name, number)
        if kind == "ExtGState" or "/SMask" in body or not self.blended.isdisjoint(resource.used):
            self.blended.add(name)
        return name

    def hold_foreign(self, name: str, objects: Sequence[tuple[str, bytes | None]]) -> str:
        """Write a form from another document, unless it is already here; return its name.

        Each object has its text, in which @3@ refers to another object, and its stream, if it has one. The first object
        is the form.
        """
        if name in self.held:
            return name
        self.held[name] = "XObject"
        numbers: list[int] = []
        fresh: set[int] = set()
        for text, data in objects:  # fonts and pictures contain no references, and recur on other pages
            alone = blake2b(text.encode() + data).digest() if data is not None and "@" not in text else None
            number = self.foreign.get(alone) if alone else None
            if number is None:
                number = self.new_number()
                fresh.add(number)
                if alone:
                    self.foreign[alone] = number
            numbers.append(number)
        for number, (text, data) in zip(numbers, objects, strict=True):
            if number not in fresh:
                continue
            body = re.sub("@([0-9]+)@", lambda found: f"{numbers[int(found[1])]} 0 R", text).encode("latin-1")
            if data is None:
                self.put(number, body)
            else:
                self.file.raw(number, b"<<%b/Length %d>>stream\n" % (body, len(data)), data, b"\nendstream")
        self.name(name, numbers[0])
        self.blended.add(name)
        return name

    def pdf(self) -> bytes:
        """Return the whole document."""
        self.save()
        return self.out.getvalue()

    def save(self) -> None:
        """Write the rest of the document."""
        inner, document = self.inner, self.document
        if inner._code:
            self.showPage()
        for part in reversed(self.parts):
            part.finish()
        fonts = document.idToObject[pdfdoc.BasicFonts].dict
        for family, face in self.types.items():
            number = self.fonts.get(family) or self.new_number()
            face.finish(self, number)
            fonts[face.name[1:]] = self.name(face.name[1:], number)
        info = document.info
        info.invariant = document.invariant
        document.Reference(document.Catalog)
        document.Reference(info)
        metadata = self.new_number()
        self.in_catalog("Metadata", metadata)
        # Claim PDF/UA only for tagged files with a language; files made only for pictures are neither.
        accessible = {"StructTreeRoot", "Lang"} <= vars(document.Catalog).keys()
        claims = claim(self.file.hash.hexdigest(), self.condition.standard) if self.condition else ""
        packet = _xmp(info, accessible, claims)  # uncompressed, so that any program finds it
        head = b"<</Type/Metadata/Subtype/XML/Length %d>>stream\n" % len(packet)
        self.file.raw(metadata, b"%b%b\nendstream" % (head, packet))
        if self.condition:
            catalog = document.Catalog
            catalog.__NoDefault__ = [*catalog.__NoDefault__, "OutputIntents"]
            self.in_catalog("OutputIntents", put_intent(self, self.condition))
        document.Outlines.prepare(document, self)
        if document.Outlines.ready < 0:
            document.Catalog.Outlines = None
        else:  # reportlab also counts each entry with others below it once more (ISO 32000-1, table 152: what is open)
            document.Outlines.count = pdfdoc.count(document.Outlines.mydestinations, document.Outlines.closedict)
        number = 0
        while number < document.objectcounter:  # formatting an object may create new ones
            number += 1
            name = document.numberToId.get(number)
            if name is None:
                continue  # one of ours, written already
            body = pdfdoc.format(document.idToObject[name], document, toplevel=1)
            if self.condition and name == info.__InternalName__:
                body = with_version(body, self.condition.standard)
            if body.endswith(b"endstream\n"):
                self.file.raw(number, body.rstrip(b"\n"))
            else:
                self.put(number, body)
        self.file.flush(self.new_number())
        root, about = (document.idToObjectNumberAndVersion[one.__InternalName__][0] for one in (document.Catalog, info))
        self.file.finish(self.new_number(), root, about)


class XObjects:
    """The forms that one drawer adds to a document (ISO 32000-1, 8.10): a drawing that recurs is written once."""

    def __init__(self, canvas: PackedCanvas, name: str) -> None:
        self.canvas = canvas
        self.name = name
        """The prefix of form names: each drawer of a document has its own."""
        self.names: dict[object, str] = {}
        """The names of forms by their drawings."""
        self.used: list[str] = []
        """Forms and resources that the current code uses."""

    def form(self, key: object, box: Box, code: str, used: Iterable[str], group: str = "") -> str:
        """Return the PDF name of a form with this content, creating it if necessary."""
        name = self.form_name(key, box, code, used, group)
        self.used.append(name)
        return self.canvas.form_name(name)

    def form_name(self, key: object, box: Box, code: str, used: Iterable[str], group: str = "") -> str:
        """Return the name of the form for resources."""
        name = self.names.get(key)
        if name is None:
            name = self.names[key] = f"{self.name}{len(self.names)}"
            self.canvas.put_form(name, box, code, used, group)
        return name


def _xmp(info: Any, accessible: bool, claims: str) -> bytes:
    """Return reportlab's document information as an XMP packet, with the claim of conformance to ISO 14289-1.

    `claims` are more attributes.
    """
    title, author, subject, keywords, creator = (
        escape(_NO_XML.sub("\ufffd", text or ""))
        for text in (info.title, info.author, info.subject, info.keywords, info.creator)
    )
    ua = ' xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" pdfuaid:part="1"' if accessible else ""
    language = f"<dc:language><rdf:Bag><rdf:li>{LANGUAGE}</rdf:li></rdf:Bag></dc:language>\n" if accessible else ""
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" pdf:Keywords="{keywords}" xmp:CreatorTool="{creator}"{ua}{claims}>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{subject}</rdf:li></rdf:Alt></dc:description>
{language}</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>""".encode()


def string_width(text: str, family: str, size: float) -> float:
    """Return the width of a line of text. A letter that the font lacks is as wide as its missing-character glyph."""
    return _width_in_em(text, family) * size


@lru_cache(maxsize=256)
def _width_in_em(text: str, family: str) -> float:
    return line_width(family, text, is_strict=False)
