"""Compute the style of each element from attributes, style="…" and <style>, as browsers cascade."""

from __future__ import annotations

import re
from functools import lru_cache

from grimalkin.printing.face.art import values
from grimalkin.printing.face.art.properties import GEOMETRY, KEYWORDS, NO_ATTRIBUTE, PROPERTIES, RESET, SIZED, Style
from grimalkin.printing.face.art.remarks import Remarks, shown
from grimalkin.printing.face.art.sheets import Declaration, Sheets, declarations
from grimalkin.printing.face.xml import Element, tag_of

_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


@lru_cache(maxsize=8192)
def _is_read(name: str, value: str) -> bool:
    return value.lower() in KEYWORDS or "var(" in value or PROPERTIES[name].read(value, 16.0) is not None


_READ = lru_cache(maxsize=8192)(lambda name, value, em: PROPERTIES[name].read(value, em))
_VAR = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")


def _is_number(name: str) -> bool:
    initial = PROPERTIES[name].initial
    return initial[0:1].isdigit() or initial == "auto"


class Styles:
    """The styles of a document. `root` must not change while they are in use."""

    def __init__(self, root: Element, remarks: Remarks, initial: Style, depth: int) -> None:
        self.remarks, self.initial = remarks, initial
        self.sheets = Sheets(root, remarks, depth)
        self.declared: dict[tuple[Element, Element | None], dict[str, str]] = {}
        self.own: dict[Element, Style] = {}

    def where_it_stands(self, element: Element) -> Style:
        """Return the style of an element, inherited from its parent."""
        if element not in self.own:
            holder = element.getparent()
            self.own[element] = self.computed(element, self.initial if holder is None else self.where_it_stands(holder))
        return self.own[element]

    def computed(self, element: Element, outer: Style, scope: Element | None = None) -> Style:
        """Return the style of an element that inherits from `outer`, which is not its parent if it comes from a <use>.

        `scope` is the element brought in by <use> that it is part of.
        """
        style = {**outer, **RESET}
        declared = self.declared.get((element, scope))
        if declared is None:
            declared = self.declared[element, scope] = self._declared(element, scope)
        if not declared:
            return style
        for name, value in declared.items():
            if name.startswith("--"):
                style[name] = value
        for name in sorted(declared, key="font-size".__ne__) if "font-size" in declared else declared:
            if not name.startswith("--"):
                style[name] = self._value(element, name, declared[name], outer, style)
        return style

    def _value(self, element: Element, name: str, value: str, outer: Style, style: Style) -> str:
        depth = 0
        while "var(" in value and depth < 8:
            depth += 1
            value = _VAR.sub(lambda found: style.get(found[1], found[2] or "").strip(), value)[:10_000]
        known, word = PROPERTIES[name], value.lower()
        if word in KEYWORDS:
            is_passed_on = word == "inherit" or (word != "initial" and known.is_inherited)
            return (outer if is_passed_on else self.initial)[name]
        em = float(outer[name] if name == "font-weight" else (outer if name == "font-size" else style)["font-size"])
        found = _READ(name, value, em)
        if found is None:
            return (outer if known.is_inherited else self.initial)[name]
        if name == "color" and found == "currentcolor":
            return outer["color"]
        return str(found)

    def _declared(self, element: Element, scope: Element | None) -> dict[str, str]:
        """Return the declarations for an element: the strongest readable value of each property."""
        sized = GEOMETRY.get(tag_of(element), ())
        plain = [
            Declaration(str(name), str(value))
            for name, value in element.attrib.items()
            if name in sized or (name in PROPERTIES and name not in NO_ATTRIBUTE)
        ]
        kept = element.get(_SPACE)
        if kept:
            plain.append(Declaration("white-space", "pre" if kept == "preserve" else "normal"))
        style = element.get("style")
        written = declarations(style) if style else ()
        rules = self.sheets.of(element, scope)
        found: dict[str, str] = {}
        for one in (*plain, *(r for r in rules if not r.is_important), *(d for d in written if not d.is_important),
                    *(r for r in rules if r.is_important), *(d for d in written if d.is_important)):  # fmt: skip
            if one.name in SIZED and one.name not in sized and one.name != "d":
                continue
            if one.name.startswith("--") or _is_read(one.name, one.value):
                found[one.name] = one.value
            elif one.value:
                self._not_read(element, one)
        return found

    def _not_read(self, element: Element, one: Declaration) -> None:
        """Report an unreadable declaration; a note is enough if browsers ignore it too."""
        message = f'{one.name}="{shown(one.value)}" cannot be read'
        if element.getparent() is None and one.name in ("width", "height"):
            self.remarks.note(element, f"{message}, and is ignored", "write a number with a unit such as mm")
        elif one.name != "transform" and not _is_number(one.name) and re.fullmatch(r"[A-Za-z\s-]*", one.value):
            self.remarks.note(element, f"{message}, so browsers ignore it", "")
        elif one.name == "transform":
            self.remarks.fault(element, message, "translate, scale, rotate, skewX, skewY or matrix, in plain numbers")
        elif PROPERTIES[one.name].read in (values.paint, values.colour):
            self.remarks.fault(element, message, "write the colour as #rrggbb")
        else:
            self.remarks.fault(element, message, "write a number of at most 100,000, without calc()")
