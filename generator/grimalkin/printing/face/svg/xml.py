"""Read untrusted XML: nothing is loaded from outside, and faults are reported in our own words."""

from __future__ import annotations

import re
from typing import Any, cast

from lxml import etree

MOST_SAID = 500
"""The most characters quoted from the parser's message; it may quote a long text."""
Element = etree._Element
PARSER = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True)


def tag_of(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else "?"


def text_of(element: Element) -> str:
    """Return all text in an element."""
    return "".join(map(str, element.itertext()))


def inherited(element: Element | None, attribute: str) -> str | None:
    """Return an attribute of an element, or else of the nearest enclosing element that has it."""
    while element is not None:
        value = element.get(attribute)
        if value is not None:
            return str(value)
        element = element.getparent()
    return None


_EDITORS = (
    "http://www.inkscape.org/", "http://sodipodi.sourceforge.net/", "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "http://creativecommons.org/", "http://web.resource.org/cc/", "http://purl.org/dc/", "http://www.serif.com/",
    "http://www.bohemiancoding.com/sketch", "http://ns.adobe.com/", "http://www.figma.com/", "http://vectornator.io",
    "https://boxy-svg.com", "http://www.w3.org/XML/1998/namespace",
)  # fmt: skip
"""The beginnings of namespaces that drawing programs use for themselves; and xml:space, xml:lang."""


def has_notes(text: str) -> bool:
    """Return whether an SVG may contain anything that `without_notes` removes."""
    return "xmlns:" in text or "<metadata" in text or " xml:" in text


def without_notes(svg: Element) -> None:
    """Remove parts that no program draws: <metadata>, and the private notes of Inkscape and similar programs.

    Anything in an unknown namespace stays: it may be meant as a drawing.
    """
    for element in list(svg.iter("*")):
        for name in [str(key) for key in element.attrib if str(key)[1:].startswith(_EDITORS)]:
            del element.attrib[name]
        holder = element.getparent()
        if holder is not None and (str(element.tag)[1:].startswith(_EDITORS) or tag_of(element) == "metadata"):
            before, tail = element.getprevious(), element.tail or ""
            if before is not None:
                before.tail = (before.tail or "") + tail
            else:
                holder.text = (holder.text or "") + tail
            holder.remove(element)


def foreign_to(element: Element, namespace: str) -> str:
    """Return the namespace of an element, if it is a different one."""
    found = element.tag.rpartition("}")[0][1:] if isinstance(element.tag, str) else ""
    return "" if found == namespace else found


def line_of(element: Any) -> int:
    return cast(int, element.sourceline or 0)


MISMATCH = re.compile(r"Opening and ending tag mismatch: (\S+) line (\d+) and ([^\s,]+)")
ENTITY = re.compile(r"Entity '(\w+)' not defined")
_XML_MESSAGES = [
    (MISMATCH, r"<\1> is closed by </\3>", ""),
    (re.compile(r"Premature end of data in tag (\S+)"), r"<\1> is not closed", r"write </\1>"),
    (re.compile(r"xmlParseEntityRef: no name|EntityRef: expecting ';'"), "an & is on its own", "write &amp;"),
    (ENTITY, r"&\1; is not known", "write the character itself"),
    (re.compile(r"Attribute (\S+) redefined"), r'the attribute "\1" is written twice', ""),
    (re.compile(r"Specification mandates value for attribute (\S+)"), r'the attribute "\1" has no value', ""),
    (re.compile(r"AttValue: \" or ' expected"), "the value of an attribute has no quotes", ""),
    (re.compile(r"Couldn't find end of Start Tag (\S+)"), r"the tag <\1 has no end", ""),
    (re.compile(r"Unescaped '<' not allowed in attributes values"), "an attribute contains a <", "write &lt;"),
    (re.compile(r"attributes construct error"), "two attributes have no space between them", ""),
    (re.compile(r"Start tag expected"), "it does not begin with a tag", ""),
    (re.compile(r"Document is empty"), "it is empty", ""),
    (re.compile(r"StartTag: invalid element name"), "a < is on its own", "write &lt;"),
    (re.compile(r"Double hyphen within comment"), "a comment contains two hyphens", "write one"),
    (
        re.compile(r"Extra content at the end of the document"),
        "there is something after the outermost element",
        'begin with {% extends "base/face.svg.j2" %}, or put everything into one <svg>',
    ),
    (re.compile(r"Excessive depth"), "elements are nested more than 256 deep", ""),
]
"""The XML parser's messages, and ours, which omit the lines of the rendered text because nobody sees it."""


def xml_message(error: str | None) -> tuple[str, str]:
    error = " ".join((error or "")[:MOST_SAID].split())
    for pattern, message, hint in _XML_MESSAGES:
        found = pattern.search(error)
        if found:
            return found.expand(message), found.expand(hint)
    return re.sub(r",? (?:line|column) \d+", "", error) or "it cannot be parsed", ""


def replaced(root: Element, old: Element, new: Element) -> Element:
    """Put an element in the place of another, and return the root: the new element if the old one was the root."""
    holder = old.getparent()
    if holder is not None:
        holder.replace(old, new)
    return new if old is root else root
