"""Turn the children of a rendered template into Layers: check the subset, fit every text, make paths absolute."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lxml import etree

from grimalkin.content.texts.references import first_mark
from grimalkin.printing.face.fields import place_fault, read_field
from grimalkin.printing.face.images.drawings import links_of
from grimalkin.printing.face.images.pictures import Placed
from grimalkin.printing.face.layers import Layer
from grimalkin.printing.face.placing import place_picture, qr_code, set_drawings
from grimalkin.printing.face.svg.paths import PathFault, absolute_path
from grimalkin.printing.face.svg.subset import (
    CLIPS,
    COLOURED,
    DEFINED,
    ELEMENTS,
    GRID,
    LINKS,
    NAMESPACE,
    NO_STYLES,
    OWN,
    SVG,
    ElementFault,
    attribute_fault,
    foreign_hint,
    link_hint,
    missing_fault,
    nesting_fault,
    stretch_fault,
    unchecked_fault,
)
from grimalkin.printing.face.svg.xml import Element, inherited, replaced, tag_of
from grimalkin.printing.face.templating.template_faults import find_text
from grimalkin.printing.face.textboxes import textbox
from grimalkin.printing.face.workshop import MOST_TOLD, Workpiece
from grimalkin.printing.type.bidi import right_fault
from grimalkin.printing.type.shaping import MissingGlyph, UnknownFont, split_by_font, text_width, variant_fault
from grimalkin.printing.type.words import written
from grimalkin.problems import GUIDE, did_you_mean

MOST_DRAWINGS = 20_000
MOST_NESTED = 8
"""How often a face may draw symbols, and how deeply symbols may be nested."""
_TEXT, _TSPAN, _USE = (f"{{{SVG}}}{tag}" for tag in ("text", "tspan", "use"))
_BOX, _IMAGE, _SVG = (f"{{{SVG}}}{tag}" for tag in ("textbox", "image", "svg"))
_OWN = frozenset(f"{{{SVG}}}{tag}" for tag in OWN)
_WITH_TEXT = frozenset(["text", "tspan", "textbox", "title", "desc"])


class _Found:
    """The elements of a layer that are set, replaced or looked up once all have been checked."""

    def __init__(self) -> None:
        self.named: list[Element] = []
        """Elements with an id."""
        self.is_stroked = False
        texts: list[Element] = []
        self.by_tag = {"text": texts, "tspan": texts, "textbox": [], "path": [], "use": [], "image": [], "qr": []}

    def note(self, element: Element, tag: str) -> None:
        if "id" in element.attrib:
            self.named.append(element)
        self.is_stroked = self.is_stroked or "stroke" in element.attrib
        if tag in self.by_tag:
            self.by_tag[tag].append(element)


class Resolver(Workpiece):
    """Turns the children of one rendered template into layers: checks the subset, fits the text boxes."""

    def check_stray(self, text: str | None) -> None:
        """Report stray text between elements, which would not be drawn."""
        if not text or text.isspace():
            return
        shown = text.strip().split("\n")[0].strip()
        message, hint = f'the text "{shown[:40]}" is between elements', "put it in a <text> or a <textbox>"
        place = find_text(self.workshop.files_of(self.file), shown)
        self.workshop.fault(self.id, place or self.workshop.template_place(self.file, None), message, hint)
        self.sound = False

    def field(self, element: Element) -> Layer | None:
        """Return a form field as a layer, which draws only an empty group on the face."""
        before, self.sound = self.sound, True
        self.check_attributes(element, "field")
        for child in element:
            self.problem(f"<{tag_of(child)}> in a field is not drawn", "a field must be empty", element)
        self.check_stray(element.text)
        field = None
        if self.sound:
            try:
                field = read_field({str(key): str(value) for key, value in element.attrib.items()})
                misplaced = place_fault(field, self.stock.width, self.stock.height, self.id.rpartition("-")[2])
            except ElementFault as fault:
                misplaced = fault
            if misplaced:
                self.problem(misplaced.message, misplaced.hint, element)
        self.sound = self.sound and before
        return Layer(etree.Element(f"{{{SVG}}}g", nsmap=NAMESPACE), form_field=field) if field else None

    def layer(self, root: Element, shared: bool) -> Layer | None:
        """Resolve a child of the outermost element; return None if anything in it has a fault."""
        before, self.sound, self.icons, self.renames = self.sound, True, set(), False
        self.workshop.pictures.asked.clear()
        self.links = set()
        root.tail = None
        pictures: dict[str, Placed] = {}
        if tag_of(root) == "svg" or root.find(f".//{_SVG}") is not None:
            root = set_drawings(self, root, pictures)
        found = self.inspect(root)
        if found is None or not self.sound:
            return None
        for text in found.by_tag["text"]:
            self.set_text(text)
        if self.renames and self.sound:
            self.set_fonts(root)
        hrefs = tuple([use.get("href", "") for use in found.by_tag["use"]])
        groups: dict[Element, Mapping[str, str]] = {}
        root = self.set_boxes(root, found, groups)
        root = self.set_pictures(root, found, pictures)
        for code in found.by_tag["qr"]:
            made = qr_code(self, code)
            root = replaced(root, code, made) if made is not None else root
        for path in found.by_tag["path"]:
            self.make_absolute(path)
        for text in root.iter(_TEXT, _TSPAN) if found.is_stroked else ():
            if inherited(text, "stroke") not in (None, "none"):
                text.set("stroke", "none")  # letters are only filled; a group's stroke is not meant for them
        if not self.sound:
            return None
        self.sound = before
        icons = frozenset(self.icons).union(href[6:] for href in hrefs if href.startswith("#icon-"))
        links = frozenset(self.links)
        targets = {one.get("id", ""): tuple(_leads(one, bool(links))) for one in found.named}
        defined = {one.get("id", ""): tag for one in found.named if (tag := tag_of(one)) in DEFINED}
        leads = icons, hrefs, links, targets, defined
        art = frozenset(self.workshop.pictures.asked)
        return Layer(root, groups, look_of(root), shared, *leads, pictures, fonts=self.workshop.fonts, art=art)

    def inspect(self, root: Element) -> _Found | None:
        """Check every element of a layer. Return those to be set or looked up; None after too many faults."""
        found = _Found()
        for element in root.iter():
            if self.told >= MOST_TOLD:
                return None
            tag = tag_of(element)
            if self.is_drawn(element, tag):
                self.check_element(element, tag, element.getparent() if element is not root else None)
                found.note(element, tag)
                self.remove_stray(element, tag)
        return found

    def is_drawn(self, element: Element, tag: str) -> bool:
        """Return whether an element is in the subset and may be here; otherwise report it."""
        if tag == "field":
            self.problem("a <field> is inside another element", "put it directly in the outermost <svg>", element)
            return False
        if element.tag in _OWN or (tag in ELEMENTS and element.tag == f"{{{SVG}}}{tag}"):
            return True
        hint = foreign_hint(element) or (NO_STYLES if tag == "style" else "")
        self.problem(f"<{tag}> is not drawn", hint or did_you_mean(tag, [*ELEMENTS, *OWN], GUIDE), element)
        return False

    def check_element(self, element: Element, tag: str, holder: Element | None) -> None:
        """Check an element's attributes and its place in its holder; the outermost has none."""
        self.check_attributes(element, tag)
        fault = holder is not None and holder.tag != _BOX and nesting_fault(str(holder.tag), tag)
        if fault:
            self.problem(*fault, element)
        if tag == "symbol" and "viewBox" not in element.attrib:
            element.set("viewBox", GRID)  # in SVG it would have none, and be drawn at another size
        if tag == "clipPath":
            self.check_clip(element)
        stretched = stretch_fault(element) if "transform" in element.attrib else None
        if stretched:
            self.problem(*stretched, element, wrong="transform")

    def remove_stray(self, element: Element, tag: str) -> None:
        """Remove the spaces around an element and in it, and report text there."""
        if tag not in _WITH_TEXT and element.text:
            self.check_stray(element.text)
            element.text = None
        if tag != "tspan" and element.tail:
            self.check_stray(element.tail)
            element.tail = None

    def set_text(self, text: Element) -> None:
        """Write out a text and what follows it, each on one line, and check that its fonts have every character."""
        own, around = self.chain_of(text), self.chain_of(text.getparent())
        text.text = text.text and _on_one_line(
            written(text.text, own), (whole := text.tag == _TEXT), whole and not len(text)
        )
        text.tail = text.tail and _on_one_line(written(text.tail, around), last=text.getnext() is None)
        for key in ("x", "y"):
            if " " in text.get(key, ""):  # spaces around it, which Chromium takes for a list
                text.set(key, text.get(key, "").strip())
        self.check_glyphs(text)

    def set_boxes(self, root: Element, found: _Found, groups: dict[Element, Mapping[str, str]]) -> Element:
        """Replace text boxes by groups, and note the attributes of each. Return the root, which may be replaced."""
        for box in found.by_tag["textbox"]:
            group = textbox(self, box)
            if group is None:
                continue
            groups[group] = {str(key): str(value) for key, value in box.attrib.items()}
            shown = [group, *group.iterancestors()][-1]  # a text that does not fit has a frame
            self.note_ids(shown, found.named)
            root = replaced(root, box, shown)
        return root

    def set_pictures(self, root: Element, found: _Found, pictures: dict[str, Placed]) -> Element:
        """Replace images by groups that show their pictures. Return the root, which may be replaced."""
        for image in found.by_tag["image"]:
            if image.get("href", "") in pictures:
                continue  # part of a drawing
            placed = place_picture(self, image, pictures)
            if placed is not None:
                self.note_ids(placed, found.named)
                root = replaced(root, image, placed)
        return root

    def note_ids(self, made: Element, named: list[Element]) -> None:
        """Note the ids in a newly made group, and all its references."""
        for element in made.iter():
            if "id" in element.attrib:
                named.append(element)
            self.links.update(links_of(element))

    def check_attributes(self, element: Element, tag: str) -> None:
        attributes: Any = element.attrib
        sound = True
        for key, value in attributes.items():
            if self.told >= MOST_TOLD:  # no more is reported, so no more is checked
                self.sound = sound = False
                break
            # Long values rarely repeat; short ones are cached.
            fault = attribute_fault(tag, key, value) if len(value) < 40 else unchecked_fault(tag, key, value)
            if key == "font-family" and not fault:
                chain = self.workshop.fonts.chain(value)
                fault = chain if isinstance(chain, tuple) else None
                self.renames = self.renames or chain != value
            if value[:4] == "url(" and key in LINKS:
                self.links.add((str(key), value[5:-1]))
            elif not fault and key in COLOURED and value[-1:] == ")":
                attributes[key] = self.workshop.inked(value)
            if fault:
                sound = False
                message, hint = fault
                column, row = self.column_of(value.__eq__)
                if column:
                    hint += f'{", " if hint else ""}in the column "{column}"'
                self.problem(message, hint, element, row, key)
        lacking = missing_fault(tag, attributes) if sound else None
        if lacking:
            self.problem(*lacking, element)

    def check_clip(self, clip: Element) -> None:
        """Check that a clip path contains only plain shapes: no groups, letters or uses."""
        if not len(clip) or any(tag_of(child) not in CLIPS for child in clip):
            self.problem("a <clipPath> may contain only shapes", f"one of: {', '.join(sorted(CLIPS))}", clip)

    def make_absolute(self, path: Element) -> None:
        written = path.get("d", "")
        try:
            path.set("d", absolute_path(written))
        except PathFault as error:
            self.problem(f'the path "{written[:40]}" cannot be read', str(error), path, wrong="d")

    def check_links(self, layers: list[Layer]) -> None:
        """Check that every use, clip path, mask and paint has a target on the face, and that nothing draws itself."""
        if not any(layer.uses or layer.links for layer in layers):
            return
        inside: dict[str, tuple[str, ...]] = {}
        for layer in layers:
            inside.update(layer.targets)
        defined = {id_: tag for layer in layers for id_, tag in layer.defined.items()}

        def find(key: str, value: str) -> Element | None:
            elements = (element for layer in layers for element in layer.element.iter())
            return next((element for element in elements if element.get(key) == value), None)

        links = sorted({link for layer in layers for link in layer.links})
        for key, id_ in links:
            if self.told >= MOST_TOLD:
                return
            if defined.get(id_) not in LINKS[key]:
                written = f"url(#{id_})"
                self.problem(f'{key}="{written}" refers to nothing', link_hint(key), find(key, written), wrong=key)
        uses = [href for layer in layers for href in layer.uses]
        for href in uses:
            if self.told >= MOST_TOLD:
                return
            if href[1:] not in inside or not href.startswith("#"):
                hint = did_you_mean(href[1:], [id_ for id_ in inside if id_])
                self.problem(f'<use href="{href}"> refers to nothing', hint, find("href", href), wrong="href")
        uses += [f"#{id_}" for _, id_ in links]
        if self.sound and any(inside.values()) and _drawings(uses, inside) > MOST_DRAWINGS:
            self.problem(f"nested symbols draw more than {MOST_DRAWINGS:,} shapes", "perhaps one uses itself")

    def chain_of(self, element: Element | None) -> str:
        """Return the fonts of an element as faces name them, separated by commas; "" if it has none."""
        family = inherited(element, "font-family") if element is not None else None
        return str(self.workshop.fonts.chain(family)) if family else ""

    def check_glyphs(self, text: Element) -> None:
        for part, element in ((text.text, text), (text.tail if tag_of(text) == "tspan" else None, text.getparent())):
            chain = self.chain_of(element) if part else ""
            if part and part.strip() and not chain:
                self.problem(
                    f'the text "{part.strip()[:30]}" has no font-family',
                    'write font-family="SourceSansPro", or another',
                    text,
                )
            elif part and part.strip() and inherited(element, "font-size") is None:
                self.problem(
                    f'the text "{part.strip()[:30]}" has no font-size', 'write font-size="5", in millimetres', text
                )
            elif part and chain:
                mark = first_mark(part) if any(sign in part for sign in ("*", ":", "[[", "\\", "{")) else ""
                if mark:
                    self.problem(f'<text> prints "{mark}" literally', "put it in a <textbox>", text)
                variant = inherited(element, "font-variant") or ""
                try:
                    runs = split_by_font(part, chain)
                    fault = right_fault(part) or next(
                        filter(None, (variant_fault(font, variant) for font, _ in runs)), None
                    )
                    if fault:
                        self.problem(*fault, text, wrong="font-variant")
                        continue
                    for run in runs:
                        text_width(*run)
                except (MissingGlyph, UnknownFont) as error:
                    self.no_glyph(error, part, "", text)

    def set_fonts(self, root: Element) -> None:
        """Rename the fonts of every text as faces do; characters that the first lacks become a <tspan> in the next."""
        chains = self.workshop.fonts.chain
        parts = [(text, False, inherited(text, "font-family")) for text in root.iter(_TEXT, _TSPAN)]
        parts += [(text, True, inherited(text.getparent(), "font-family")) for text in root.iter(_TSPAN)]
        for element in root.iter():
            if family := element.get("font-family"):
                element.set("font-family", str(chains(family)).partition(",")[0])
        for text, is_tail, family in parts:
            chain, words = str(chains(family)) if family else "", (text.tail if is_tail else text.text) or ""
            if "," in chain and words:
                _set_runs(text, is_tail, split_by_font(words, chain), chain.partition(",")[0])


def _set_runs(text: Element, is_tail: bool, runs: list[tuple[str, str]], plain: str) -> None:
    """Replace a text, or the text after an element, by runs. Runs not in the plain font become <tspan>."""
    holder, last = (text.getparent(), text) if is_tail else (text, None)
    assert holder is not None
    at = holder.index(text) + 1 if is_tail else 0
    if is_tail:
        text.tail = None
    else:
        text.text = None
    for family, words in runs:
        if family != plain:
            last = etree.Element(_TSPAN, {"font-family": family}, nsmap=NAMESPACE)
            last.text = words
            holder.insert(at, last)
            at += 1
        elif last is None:
            holder.text = words
        else:
            last.tail = words


def _on_one_line(text: str, first: bool = False, last: bool = False) -> str:
    """Collapse line breaks as SVG does: each becomes one space with the spaces around it, or none at the edges."""
    if "\n" not in text:
        return text
    head, *middle, tail = text.split("\n")
    line = " ".join([head.rstrip(), *filter(None, map(str.strip, middle)), tail.lstrip()])
    line = line.lstrip() if first else line
    return line.rstrip() if last else line


def _leads(element: Element, links: bool) -> Iterator[str]:
    """Yield the targets of an element and of everything inside it."""
    yield from (use.get("href", "") for use in element.iter(_USE))
    for one in element.iter() if links else ():
        yield from (f"#{value[5:-1]}" for key in LINKS if (value := one.get(key, "")).startswith("url("))


def _drawings(uses: list[str], inside: Mapping[str, tuple[str, ...]]) -> int:
    """Return how often symbols are drawn if every use is followed; a number beyond the limit if one uses itself."""
    counts: dict[str, int] = {}

    def count(hrefs: Iterable[str], depth: int) -> int:
        if depth > MOST_NESTED:
            return MOST_DRAWINGS + 1
        total = 0
        for href in hrefs:
            if href not in counts:
                counts[href] = 1 + count(inside[href[1:]], depth + 1)
            total += counts[href]
        return total

    return count(uses, 0)


def look_of(element: Element) -> bytes:
    return hashlib.sha256(etree.tostring(element, method="c14n", with_tail=False)).digest()
