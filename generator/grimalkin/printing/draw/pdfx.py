"""What a PDF says about the print shop that it is for: PDF/X-4 (ISO 15930-7) and PDF/X-1a:2003 (ISO 15930-4).

Nothing here is certified: `preflight.pdfx` checks the rules that can be checked in a file.
"""

from __future__ import annotations

from html import escape
from typing import Final
from uuid import UUID

from grimalkin.printing.draw.condition import STANDARDS, Condition, Standard
from grimalkin.printing.draw.packing import Writer, text_string

VERSIONS: Final = {"x4": "1.6", "x1a": "1.4"}
"""The version of PDF that a standard is based on."""
DATE: Final = "2000-01-01T00:00:00+00:00"
"""The date of every file, as reportlab writes it too: the same content gives the same bytes."""
CLAIM: Final = b"pdfxid:GTS_PDFXVersion"
"""What only files for print shops contain."""
REGISTRY: Final = "http://www.color.org"


def put_intent(writer: Writer, condition: Condition) -> int:
    """Write the output intents of a document (ISO 32000-1, 14.11.5). Return the number of the array."""
    profile, intents = writer.new_number(), writer.new_number()
    of = condition.profile
    writer.file.stream(profile, b"/N 4", of.data)
    known = f"/RegistryName({REGISTRY})" if of.condition else ""
    intent = (
        f"[<</Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier{text_string(of.condition or of.name)}"
        f"/Info{text_string(of.name)}{known}/DestOutputProfile {profile} 0 R>>]"
    )
    writer.put(intents, intent.encode("latin-1"))
    return intents


def claim(digest: str, standard: Standard) -> str:
    """Return attributes of XMP that PDF/X asks for. `digest` is of the content, in hexadecimal digits."""
    attributes = {
        "xmlns:xmpMM": "http://ns.adobe.com/xap/1.0/mm/",
        "xmlns:pdfxid": "http://www.npes.org/pdfx/ns/id/",
        "xmp:CreateDate": DATE,
        "xmp:ModifyDate": DATE,
        "xmp:MetadataDate": DATE,
        "xmpMM:DocumentID": f"uuid:{UUID(digest[:32])}",
        "xmpMM:VersionID": "1",
        "xmpMM:RenditionClass": "default",
        "pdf:Trapped": "False",
        CLAIM.decode(): version_of(standard),
    }
    return "".join(f'\n {key}="{escape(value)}"' for key, value in attributes.items())


def version_of(standard: Standard) -> str:
    """Return the name of a standard in a file."""
    return STANDARDS[standard] + (":2003" if standard == "x1a" else "")


def with_version(info: bytes, standard: Standard) -> bytes:
    """Return the information dictionary of a document with the name of its standard."""
    head, end, _ = info.rpartition(b">>")
    return b"%b/GTS_PDFXVersion(%b)%b" % (head, version_of(standard).encode(), end)
