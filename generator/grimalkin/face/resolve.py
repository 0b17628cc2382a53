"""Turn the children of a rendered template into Layers: check the subset, fit every text, make paths absolute."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lxml import etree

from grimalkin.content.references import ASKED, brace_faults, chosen, first_mark, loose_fault, loose_marks, references
from grimalkin.content.stocks import Stock
from grimalkin.content.styles import PLAIN
from grimalkin.face.bidi import begins_right, has_right, right_fault
from grimalkin.face.drawings import Drawing, Flattened, links_of, placed_drawing, read_drawing
from grimalkin.face.fields import FieldFault, place_fault, read_field
from grimalkin.face.fit import POINT, Block, cut_off, fit
from grimalkin.face.flaws import MOST_FLAWS, Flaw, crossed, frame
from grimalkin.face.fonts import Font, find_font
from grimalkin.face.gallery import Art
from grimalkin.face.hyphens import language_fault
from grimalkin.face.layers import Layer
from grimalkin.face.lines import find_element, find_text
from grimalkin.face.paths import IDENTITY, Box, PathFault, absolute_path, length_of, matrix_of, number_of
from grimalkin.face.pictures import Placed
from grimalkin.face.pixels import printed_pixels, smaller
from grimalkin.face.placed import Fit, fit_of, is_cropped, lying
from grimalkin.face.shaping import MissingGlyph, Overgrown, UnknownFont, split_by_font, text_width, variant_fault
from grimalkin.face.subset import (
    CLIPS,
    DEFINED,
    ELEMENTS,
    GRID,
    LINKS,
    OWN,
    SVG,
    UNSAID,
    attribute_fault,
    foreign_hint,
    link_hint,
    missing_fault,
    nesting_fault,
    stretch_fault,
    unchecked_fault,
)
from grimalkin.face.typeset import NAMESPACE, Typesetter
from grimalkin.face.words import Word, read_words, written
from grimalkin.face.workshop import Workshop
from grimalkin.face.xml import Element, inherited, tag_of
from grimalkin.problems import GUIDE, Place, Problem, did_you_mean
from grimalkin.problems.plain import listed

MOST_DRAWINGS = 20_000
MOST_NESTED = 8
"""How many symbols a face may draw, and how deeply symbols may be nested."""
MOST_IN_BOX = 20_000
"""The most characters in a text box; a full page of small print has a third as many."""
MOST_TOLD = 20
"""The most faults reported for one face."""
ALIGNS = ("left", "center", "right", "justify")
_TEXT, _TSPAN, _USE = (f"{{{SVG}}}{tag}" for tag in ("text", "tspan", "use"))
_BOX, _IMAGE, _SVG = (f"{{{SVG}}}{tag}" for tag in ("textbox", "image", "svg"))
_OWN = frozenset(f"{{{SVG}}}{tag}" for tag in OWN)
_WITH_TEXT = frozenset(["text", "tspan", "textbox", "title", "desc"])


class Resolver:
    """A resolver that turns one rendered template's children into layers: checks the subset, fits the text boxes."""

    def __init__(self, workshop: Workshop, id_: str, file: str, stock: Stock) -> None:
        self.workshop = workshop
        self.id = id_
        self.file = file
        self.stock = stock
        self.icons: set[str] = set()
        self.renames = False
        """Whether any font's name on the face differs from its name in the template."""
        self.sound = True
        self.told = 0
        self.flaws = workshop.absent_columns()
        """Faults that a draft marks and prints."""
        self.missing_icons: set[str] = set()
        """Faults already among the flaws."""

    def problem(
        self,
        message: str,
        hint: str = "",
        element: Element | None = None,
        also: Place | None = None,
        wrong: str = "",
        kind: str = "",
    ) -> None:
        """Report a fault, at the template line that wrote the element if that is known.

        `wrong` is the attribute at fault, if any; `kind` is as in `Workshop.fault`.
        """
        self.sound = False
        self.told += 1
        if self.told > MOST_TOLD:
            return
        self.workshop.fault(self.id, self.place_of(element, wrong), message, hint, also, kind)

    def draws_flaw(
        self,
        message: str,
        hint: str,
        element: Element | None,
        also: Place | None = None,
        wrong: str = "",
        kind: str = "",
    ) -> bool:
        """Note a flaw and return True in a draft, which marks it; otherwise report a problem and return False.

        The parameters are those of `problem`.
        """
        if not self.workshop.draft or len(self.flaws) >= MOST_FLAWS:
            self.problem(message, hint, element, also, wrong, kind)
            return False
        self.flaws.append(Flaw(self.place_of(element, wrong), message, hint, also, kind))
        return True

    def place_of(self, element: Element | None, wrong: str) -> Place:
        """Return the template line that wrote an element, or otherwise the template."""
        workshop, place = self.workshop, None
        if element is not None:
            attributes = {str(key): str(value) for key, value in element.attrib.items()}
            files, text = workshop.files_of(self.file), str(element.text or "")
            place = find_element(files, tag_of(element), attributes, text, wrong)
        return place or workshop.template_place(self.file, None)

    def column_of(self, fits: Callable[[str], bool]) -> tuple[str, Place | None]:
        """Return the first column of the card whose text satisfies `fits`, with its row; "" and None when none does."""
        column = self.workshop.column_of(self.id, fits)
        return column, self.workshop.row_place(self.id) if column else None

    def decide(self, root: Element) -> None:
        """Resolve the conditions in the texts of an element, for this card in these inks."""
        values = self.workshop.asked_of(self.id.rpartition("-")[0])

        def holds(name: str) -> bool:
            return name in ("cards", self.workshop.inks) if name in ASKED else values.get(name, False)

        for box in root.iter(_BOX):
            text = box.text or ""
            if "{if" not in text:
                continue
            for message, hint in self.mark_faults(text, {*ASKED, *values}):
                self.problem(f"{box.get('name') or 'text box'}: {message}", hint, box)
            for one in references(text):  # on another card it may be printed
                if one.kind == "icon" and one.name not in self.workshop.icons and not self.workshop.draft:
                    self.problem(f'there is no icon ":{one.name}:"', self.workshop.icons.hint(one.name), box)
            box.text = chosen(text, holds)

    def mark_faults(self, text: str, names: Collection[str]) -> Iterator[tuple[str, str]]:
        """Yield the faults in the marks of a text that may use these names."""
        yield from map(loose_fault, loose_marks(text))
        yield from brace_faults(text, self.workshop.looks, names, code=False)

    def no_glyph(self, error: MissingGlyph | UnknownFont, text: str, label: str, element: Element) -> None:
        """Report a character that a font lacks, in its column, or a font that does not exist."""
        if isinstance(error, UnknownFont):
            message, hint = self.workshop.fonts.fault(error.name) or (str(error), "")
            styled = "" if element.get("font-family") == error.name else "bold and italic text use separate fonts; "
            self.problem(f"{label}{message}", styled + hint, element)
            return
        if isinstance(error, Overgrown):
            self.problem(f"{label}{error}", "choose another font", element)
            return
        column, row = self.column_of(lambda cell: error.char in cell and cell in text)
        hint = f'it is in the column "{column}"' if column else ""
        others = self.workshop.fonts.having(error.char)
        hint = f"{hint}{'; ' if hint else ''}remove it, or choose a font that has it"
        hint += f": {listed(others, 'or')}" if others else ""
        self.problem(f"{label}{error}", hint, element, row)

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
            except FieldFault as fault:
                misplaced = fault
            if misplaced:
                self.problem(misplaced.message, misplaced.hint, element)
        self.sound = self.sound and before
        return Layer(etree.Element(f"{{{SVG}}}g", nsmap=NAMESPACE), form_field=field) if field else None

    def layer(self, root: Element, shared: bool) -> Layer | None:
        """Resolve a child of the outermost element; return None if anything in it has a fault."""
        before, self.sound, self.icons, self.renames = self.sound, True, set(), False
        self.workshop.pictures.asked.clear()
        self.links: set[tuple[str, str]] = set()
        named: list[Element] = []
        texts: list[Element] = []
        boxes: list[Element] = []
        paths: list[Element] = []
        uses: list[Element] = []
        images: list[Element] = []
        codes: list[Element] = []
        later = {"text": texts, "tspan": texts, "textbox": boxes, "path": paths, "use": uses, "image": images}
        later["qr"] = codes
        stroked = False
        root.tail = None
        pictures: dict[str, Placed] = {}
        if tag_of(root) == "svg" or root.find(f".//{_SVG}") is not None:
            root = self.set_drawings(root, pictures)
        for element in root.iter():
            if self.told >= MOST_TOLD:
                return None
            tag = tag_of(element)
            if tag == "field":
                self.problem("a <field> is inside another element", "put it directly in the outermost <svg>", element)
                continue
            if element.tag not in _OWN and (tag not in ELEMENTS or element.tag != f"{{{SVG}}}{tag}"):
                hint = foreign_hint(element) or _INSTEAD.get(tag)
                hint = hint or did_you_mean(tag, [*ELEMENTS, *OWN], GUIDE)
                self.problem(f"<{tag}> is not drawn", hint, element)
                continue
            self.check_attributes(element, tag)
            holder = element.getparent() if element is not root else None
            fault = holder is not None and holder.tag != _BOX and nesting_fault(str(holder.tag), tag)
            if fault:
                self.problem(*fault, element)
            attributes = element.attrib
            if tag == "symbol" and "viewBox" not in attributes:
                element.set("viewBox", GRID)  # in SVG it would have none, and be drawn at another size
            if tag == "clipPath":
                self.check_clip(element)
            stretched = stretch_fault(element) if "transform" in attributes else None
            if stretched:
                self.problem(*stretched, element, wrong="transform")
            if "id" in attributes:
                named.append(element)
            stroked = stroked or "stroke" in attributes
            if tag in later:
                later[tag].append(element)
            if tag not in _WITH_TEXT and element.text:
                self.check_stray(element.text)
                element.text = None
            if tag != "tspan" and element.tail:
                self.check_stray(element.tail)
                element.tail = None
        if not self.sound:
            return None
        for text in texts:
            own, around = self.chain_of(text), self.chain_of(text.getparent())
            text.text = text.text and _on_one_line(
                written(text.text, own), (whole := text.tag == _TEXT), whole and not len(text)
            )
            text.tail = text.tail and _on_one_line(written(text.tail, around), last=text.getnext() is None)
            for key in ("x", "y"):
                if " " in text.get(key, ""):  # spaces around it, which Chromium takes for a list
                    text.set(key, text.get(key, "").strip())
            self.check_glyphs(text)
        if self.renames and self.sound:
            self.set_fonts(root)
        hrefs = tuple([use.get("href", "") for use in uses])
        groups: dict[Element, Mapping[str, str]] = {}
        for box in boxes:
            group = self.textbox(box)
            if group is None:
                continue
            groups[group] = {str(key): str(value) for key, value in box.attrib.items()}
            shown = [group, *group.iterancestors()][-1]  # a text that does not fit has a frame
            self.note_ids(shown, named)
            parent = box.getparent()
            if box is root:
                root = shown
            if parent is not None:
                parent.replace(box, shown)
        for image in images:
            if image.get("href", "") in pictures:
                continue  # part of a drawing
            placed = self.place_picture(image, pictures)
            if placed is None:
                continue
            self.note_ids(placed, named)
            holder = image.getparent()
            if holder is None:
                root = placed
            else:
                holder.replace(image, placed)
        for code in codes:
            made = self.qr_code(code)
            holder = code.getparent()
            if made is not None and holder is not None:
                holder.replace(code, made)
            root = made if made is not None and code is root else root
        for path in paths:
            self.make_absolute(path)
        for text in root.iter(_TEXT, _TSPAN) if stroked else ():
            if inherited(text, "stroke") not in (None, "none"):
                text.set("stroke", "none")  # letters are only filled; a group's stroke is not meant for them
        if not self.sound:
            return None
        self.sound = before
        icons = frozenset(self.icons).union(href[6:] for href in hrefs if href.startswith("#icon-"))
        links = frozenset(self.links)
        targets = {one.get("id", ""): tuple(_leads(one, bool(links))) for one in named}
        defined = {one.get("id", ""): tag for one in named if (tag := tag_of(one)) in DEFINED}
        leads = icons, hrefs, links, targets, defined
        art = frozenset(self.workshop.pictures.asked)
        return Layer(root, groups, look_of(root), shared, *leads, pictures, fonts=self.workshop.fonts, art=art)

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

    def set_drawings(self, root: Element, found: dict[str, Placed]) -> Element:
        """Replace every <svg> in a layer, read as ordinary SVG in millimetres, by its drawing."""
        if tag_of(root) != "svg":
            inner = [one for one in root.iter(_SVG) if not any(tag_of(above) == "svg" for above in one.iterancestors())]
        else:
            inner = [root]
        for svg in inner:
            tail, svg.tail = svg.tail, None
            drawing = read_drawing(etree.tostring(svg), Path(self.file), self.workshop.pictures.find)
            if isinstance(drawing, Drawing | Flattened):
                place = self.workshop.template_place(self.file, None)
                found_here = [(message, hint) for _, message, hint in drawing.remarks]
                self.workshop.pictures.notes.update({Problem(place, *one): None for one in found_here})
            if isinstance(drawing, list):
                for _, message, hint in drawing:
                    self.problem(f"<svg>: {message}", hint, svg)
                group = etree.Element(f"{{{SVG}}}g", nsmap=NAMESPACE)
            else:
                x, y, width, height = (number_of(svg.get(key, "0")) or 0.0 for key in ("x", "y", "width", "height"))
                wide, high = drawing.size
                width, height = width or height * wide / high or wide, height or width * high / wide or high
                fit = fit_of(svg.get("preserveAspectRatio", ""), "")
                room = x, y, x + width, y + height
                lies = lying(drawing.size, room, fit if isinstance(fit, Fit) else Fit())
                group = _framed(svg, drawing, room, lies, 0.0, self.workshop.treatment(self.id), found)
            group.tail = tail
            holder = svg.getparent()
            if holder is None:
                root = group
            else:
                holder.replace(svg, group)
        return root

    def place_picture(self, image: Element, found: dict[str, Placed]) -> Element | None:
        """Return a group that shows a picture in its room, cropped to it; None with a problem."""
        workshop, href = self.workshop, image.get("href", "")
        name = href.replace("\\", "/").removeprefix("art/")  # some tables have Windows paths
        if name not in workshop.pictures:
            column, row = self.column_of(lambda cell: cell in (href, name, href.removeprefix("art/")))
            hint = (f'it is in the column "{column}"; ' if column else "") + workshop.pictures.hint(name)
            message, kind = f'there is no picture "{href[:80]}"', ""
            if lies := workshop.pictures.misplaced(name):
                message, kind = f'the picture "{lies}" is not in the folder art', "not in art"
                hint = f"move it to art/{name}, and likewise the other pictures"
            if self.draws_flaw(message, hint, image, row, "href", kind):
                return self.crossed_box(image, href)
            return None
        picture = workshop.pictures.picture(name)
        fit = fit_of(image.get("preserveAspectRatio", ""), image.get("focus", ""))
        if picture is None:
            self.sound = False
            return None
        if not isinstance(fit, Fit):
            self.problem(*fit, image, wrong="preserveAspectRatio" if "preserveAspectRatio" in fit[0] else "focus")
            return None
        x, y, width, height, radius = (length_of(image, key) for key in ("x", "y", "width", "height", "rx"))
        wide, high = picture.size
        width, height = width or height * wide / high, height or width * high / wide
        if not width:
            self.problem(f'the picture "{name[:80]}" has no size', 'write width="…" or height="…", or both', image)
            return None
        room = x, y, x + width, y + height
        return _framed(image, picture, room, lying(picture.size, room, fit), radius, workshop.treatment(self.id), found)

    def crossed_box(self, image: Element, name: str) -> Element | None:
        """Return the drawing for a missing picture; None with a problem if its size is unknown."""
        room = {key: length_of(image, key) for key in ("x", "y", "width", "height")}
        room["width"], room["height"] = room["width"] or room["height"], room["height"] or room["width"]
        if not room["width"]:
            self.problem(f'the picture "{name[:80]}" has no size', 'write width="…" or height="…", or both', image)
            return None
        group = crossed(name, room, self.workshop.inks)
        if "transform" in image.attrib:
            group.set("transform", image.get("transform", ""))
        return group

    def qr_code(self, element: Element) -> Element | None:
        """Return a QR code as a drawing; None with a problem."""
        from grimalkin.face.qr import QrFault, qr_group

        written = {str(key): str(value) for key, value in element.attrib.items()}
        try:
            return qr_group(written, self.workshop.inks)
        except QrFault as fault:
            column, row = self.column_of(written["data"].__eq__) if fault.wrong == "data" else ("", None)
            hint = f'{fault.hint}; it is in the column "{column}"' if column else fault.hint
            self.problem(fault.message, hint, element, row, fault.wrong)
            return None

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

    def textbox(self, box: Element) -> Element | None:
        """Return the fitted lines of a text box as a group; None with a problem if the text does not fit.

        In a draft, the group of a text that does not fit has a frame around it.
        """
        label = box.get("name") or "text box"
        number = box_numbers(box)
        family = self.workshop.fonts.chain(box.get("font", UNSAID["font"]))
        if isinstance(family, tuple):
            message, hint = family
            self.problem(f"{label}: {message}", hint, box, wrong="font")
            return None
        font = find_font(family.partition(",")[0])
        assert font is not None
        for child in box:
            self.problem(f"{label}: <{tag_of(child)}> in a text box is not drawn", "write *italic* or **bold**", box)
            return None
        text = "".join(str(part) for part in box.itertext())
        if len(text) > MOST_IN_BOX:
            self.problem(f"{label}: it holds {len(text):,} characters", f"at most {MOST_IN_BOX:,}", box)
            return None
        size, floor = number["size"], number["floor"]
        if floor > size:
            message = f"{label}: the floor, {floor:g} pt, is larger than the size, {size:g} pt"
            self.problem(message, "it is the smallest size to which a text may shrink", box, wrong="floor")
            return None
        if not (0 < floor <= size <= 1000 and 0.5 <= number["tight"] <= number["leading"] <= 10):
            self.problem(
                f"{label}: size {size:g}, floor {floor:g}, leading {number['leading']:g} and tight {number['tight']:g} "
                "do not work together",
                "0 < floor ≤ size, 0.5 ≤ tight ≤ leading",
                box,
            )
            return None
        language = box.get("hyphenate", "")
        fault = language_fault(language) if language else None
        if fault:
            self.problem(f'{label}: hyphenate="{language}": {fault[0]}', fault[1], box, wrong="hyphenate")
            return None
        for message, hint in self.mark_faults(text, ASKED) if "*" in text or "{" in text else ():
            self.problem(f"{label}: {message}", hint, box, kind=f"{label}: marks")  # a cell's were reported before
            return None
        fault = right_fault(text)
        if fault:
            self.problem(f"{label}: {fault[0]}", fault[1], box)
            return None
        variant = box.get("font-variant", "")
        base = PLAIN._replace(variant=variant) if variant else PLAIN
        try:
            styled = self.workshop.fonts.styled
            words = read_words(text, family, self.workshop.words_of, self.workshop.looks, language, base, styled)
            if not font.space:  # spaces separate the words
                raise MissingGlyph(font.name, " ")
        except (MissingGlyph, UnknownFont) as error:
            self.no_glyph(error, text, f"{label}: ", box)
            return None
        lacking = _lacking(words) if variant or "{" in text else None
        if lacking:
            self.problem(f"{label}: {lacking[0]}", lacking[1], box)
            return None
        sizes = (number["width"], number["height"], size, floor, number["leading"], number["tight"])
        icons = {piece.icon for line in words for word in line for piece in word.pieces if piece.icon}
        for name in sorted(icons):
            if name not in self.workshop.icons:
                if not self.draws_flaw(f'there is no icon ":{name}:"', self.workshop.icons.hint(name), box):
                    return None
                self.missing_icons.add(name)
        self.icons |= icons
        block = fit(words, font, *sizes, box.get("align") == "justify", box.get("wrap") == "balance")
        if block is None:
            shown = " ".join(text.split())
            shown = f'"{shown[:60]}{"…" if len(shown) > 60 else ""}"'
            room = f"{number['width']:g} × {number['height']:g} mm at {floor:g} pt"
            column, row = self.column_of(lambda cell: cell in text and len(cell) > len(text) / 3)
            hint = f'write less in the column "{column}"' if column else "write less"
            message, kind = f"{label}: {shown} does not fit into {room}", f"{label}: {room}"
            if not self.draws_flaw(message, f"{hint}, or give it more room", box, row, kind=kind):
                return None
            block = cut_off(words, font, number["width"], number["height"], floor, number["tight"])
            group = self.set_block(block, font, box, number)
            frame(group, number, self.workshop.inks)
            return group
        return self.set_block(block, font, box, number)

    def set_block(self, block: Block, font: Font, box: Element, number: dict[str, float]) -> Element:
        """Return the fitted lines as <text>; wrapped lines end in a space, so that screen readers separate words."""
        em = block.size * POINT
        fill = box.get("fill", UNSAID["fill"])
        text = "".join(str(part) for part in box.itertext())
        from_right = has_right(text) and begins_right(text)
        align = box.get("align", "right" if from_right else UNSAID["align"])
        valign = box.get("valign", UNSAID["valign"])
        if align not in ALIGNS or valign not in ("top", "middle", "bottom"):
            wrong = "valign" if align in ALIGNS else "align"
            hint = "one of: " + ("top, middle, bottom" if wrong == "valign" else ", ".join(ALIGNS))
            self.problem(f'{wrong}="{box.get(wrong)}" is not known', hint, box, wrong=wrong)
        spare = number["height"] - block.height
        top = number["y"] + (spare / 2 if valign == "middle" else spare if valign == "bottom" else 0)
        # The first baseline: the line box is one em high, with its letters in the middle.
        baseline = top + em * (1 + font.ascent - font.descent) / 2
        setter = Typesetter(block, font, fill, number["x"], number["width"])
        return setter.set_lines(baseline, align, has_right(text), from_right)


_INSTEAD = {
    "style": 'write attributes, as in fill="#1d1a26"; put a drawing with styles in art, or in its own <svg>',
}
"""What to write instead of elements of other SVG."""
_ELSEWHERE = frozenset(["symbol", "defs", "pattern"])
"""Elements drawn where they are used, at a different size."""
MOST_SIDE = 500.0
"""The size in millimetres assumed for a drawing that becomes pixels if its size on the face is unknown."""
_BOX_NUMBERS = ("x", "y", "width", "height", "size", "leading", "tight")


def box_numbers(written: Element | Mapping[str, str]) -> dict[str, float]:
    """Return the numerical attributes of a text box, including the defaults."""
    number = {key: length_of(written, key, float(UNSAID.get(key, "0"))) for key in _BOX_NUMBERS}
    number["floor"] = length_of(written, "floor") or min(number["size"], float(UNSAID["floor"]))
    return number


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
    """Return the scale at which the content of these elements is drawn, in the larger direction."""
    largest = 1.0
    for one in elements:
        a, b, c, d, *_ = matrix_of(one.get("transform", "")) or IDENTITY
        largest *= max(math.hypot(a, b), math.hypot(c, d))
    return largest


def _lacking(lines: Iterable[Iterable[Word]]) -> tuple[str, str] | None:
    """Return the fault of the first word whose font lacks a feature that it needs; None if there is none."""
    pieces = (piece for line in lines for word in line for piece in word.pieces if piece.look.variant)
    return next(filter(None, (variant_fault(piece.font, piece.look.variant) for piece in pieces)), None)


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
