"""Compute the style of each element from attributes, style="…" and <style>, as browsers cascade.

The libraries that read CSS are imported only when a file has rules; most have none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from grimalkin.printing.face.art import values
from grimalkin.printing.face.art.faults import Remarks, Unreadable, shown
from grimalkin.printing.face.art.properties import GEOMETRY, KEYWORDS, NO_ATTRIBUTE, PROPERTIES, RESET, SIZED, Style
from grimalkin.printing.face.svg.subset import SVG
from grimalkin.printing.face.svg.xml import Element, tag_of, text_of


class Declaration(NamedTuple):
    name: str
    value: str
    is_important: bool = False


_DECLARED = re.compile(r"""((?:[^;"'()]|"[^"]*"|'[^']*'|\((?:[^()"']|"[^"]*"|'[^']*'|\([^()]*\))*\))+)""")
_NOT_SEEN = re.compile(r"/\*(?:.*?\*/|.*)", re.S)
_FONT = re.compile(
    r"\s*((?:(?:normal|italic|oblique|small-caps|bold|bolder|lighter|[1-9]00)\s+)*)"
    r"([\d.]+(?:px|pt|pc|mm|cm|in|em|rem|%)?|[a-z-]+)(?:\s*/\s*\S+)?\s+(\S.*)",
    re.S | re.I,
)


@lru_cache(maxsize=4096)
def declarations(style: str) -> tuple[Declaration, ...]:
    """Return the declarations in a style="…", with shorthands resolved.

    >>> declarations("fill:none; stroke : url('#a;b') !important")
    (Declaration(name='fill', value='none', is_important=False), Declaration(name='stroke', value="url('#a;b')", \
is_important=True))
    """
    found: list[Declaration] = []
    for part in _DECLARED.findall(_NOT_SEEN.sub(" ", style)):
        name, colon, value = part.partition(":")
        if colon:
            found += _in_full(name.strip(), value.strip())
    return tuple(found)


def _in_full(name: str, value: str) -> Iterator[Declaration]:
    name = name if name.startswith("--") else name.lower()
    bare, mark, important = value.rpartition("!")
    is_important = bool(mark) and important.strip().lower() == "important"
    value = bare.strip() if is_important else value
    if name == "marker":
        yield from (Declaration(f"marker-{place}", value, is_important) for place in ("start", "mid", "end"))
    elif name == "font" and (found := _FONT.fullmatch(value)):
        words = found[1].lower().split()
        for part, one in (
            ("font-style", next((word for word in words if word in ("italic", "oblique")), "normal")),
            ("font-weight", next((word for word in words if word[0].isdigit() or word in _BOLD), "normal")),
            ("font-variant", "small-caps" if "small-caps" in words else "normal"),
            ("font-size", found[2]),
            ("font-family", found[3]),
        ):
            yield Declaration(part, one, is_important)
    elif name == "text-decoration-line":
        yield Declaration("text-decoration", value, is_important)
    elif name in ("overflow-x", "overflow-y"):
        yield Declaration("overflow", value, is_important)
    elif name in PROPERTIES or name.startswith("--"):
        yield Declaration(name, value, is_important)


_BOLD = ("bold", "bolder", "lighter")


class Sheets:
    """The CSS rules of a document."""

    def __init__(self, root: Element, remarks: Remarks, depth: int) -> None:
        self.root, self.remarks = root, remarks
        self.matched: dict[Element, dict[Element, tuple[Declaration, ...]]] = {}
        self.matcher: Any = None
        self.count = 0
        self.depth = depth
        for one in root.iter(f"{{{SVG}}}style"):
            text = text_of(one)
            is_css = one.get("type", "text/css").strip() in ("text/css", "")
            if text.strip() and is_css and _is_shown(one.get("media", "all")) is not False:
                import cssselect2
                import tinycss2

                self.matcher = self.matcher or cssselect2.Matcher()
                self._add(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True), one)

    def of(self, element: Element, scope: Element | None) -> tuple[Declaration, ...]:
        """Return the declarations of the rules for an element, the strongest last.

        Inside a used element, selectors see only that element and below: from `scope` on.
        """
        if self.matcher is None:
            return ()
        top = self.root if scope is None else scope
        if top not in self.matched:
            import cssselect2

            found = self.matched[top] = {}
            for wrapper in cssselect2.ElementWrapper.from_xml_root(top).iter_subtree():
                matches = self.matcher.match(wrapper)
                if matches:
                    found[wrapper.etree_element] = tuple(one for *_, payload in matches for one in payload)
        return self.matched[top].get(element, ())

    def _add(self, rules: Iterable[Any], place: Element) -> None:
        import tinycss2

        for rule in rules:
            line = (place.sourceline or 1) + rule.source_line - 1
            kind = "" if rule.type == "qualified-rule" else rule.lower_at_keyword if rule.type == "at-rule" else None
            if kind == "":
                self._add_rule(rule, line)
            elif kind == "media" and rule.content:
                query = tinycss2.serialize(rule.prelude).strip()
                holds = _is_shown(query)
                if holds is None:
                    message = f'whether "@media {shown(query)}" applies is unknown'
                    self.remarks.fault(line, message, "remove the @media block")
                elif holds:
                    self._add(tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True), place)
            elif kind == "font-face":
                hint = "put it in the game's fonts folder"
                self.remarks.note(line, "a font inside the file is not read", hint)
            elif kind is not None and kind not in _HARMLESS:
                self.remarks.fault(line, f"@{shown(kind)} is not read", "write the rules themselves")

    def _add_rule(self, rule: Any, line: int) -> None:
        import cssselect2
        import tinycss2

        written = tinycss2.serialize(rule.prelude)
        levels = max(len(_LEVELS.findall(one)) for one in written.split(","))
        if _SLOW.search(written) or self.depth**levels > MOST_TRIED:
            message = f'the selector "{shown(written)}" is not read'
            self.remarks.fault(line, message, "give its elements a class, and select that")
            return
        try:
            selectors = cssselect2.compile_selector_list(rule.prelude)
        except cssselect2.SelectorError:
            self.remarks.note(line, f'the selector "{shown(written)}" is invalid, so browsers ignore it')
            return
        declared = [
            in_full
            for one in tinycss2.parse_blocks_contents(rule.content)
            if one.type == "declaration"
            for in_full in _in_full(one.name, tinycss2.serialize(one.value).strip() + " !important" * one.important)
        ]
        self.count += len(selectors)
        if self.count > MOST_SELECTORS:
            raise Unreadable(line, f"its styles have more than {MOST_SELECTORS:,} selectors", "use fewer")
        for selector in selectors:
            if selector.pseudo_element is None:
                self.matcher.add_selector(selector, declared)


MOST_SELECTORS = 10_000
MOST_TRIED = 1_000_000
"""The limit for attempts to match a selector to one element: depth to the power of the selector's levels."""
_LEVELS = re.compile(r"[\w\])*](?:\s+(?=[\w\[*.#:])|\s*~)")
"""Combinators that match any ancestor or sibling."""
_SLOW = re.compile(r":(?:has|(?:first|last|only|nth|nth-last)-of-type)\b|:(?:is|where|not)\([^() >~+]*+[ >~+]")
"""Selectors that look at many elements for each match."""
_HARMLESS = ("charset", "namespace", "keyframes", "-webkit-keyframes", "page", "font-feature-values")
"""At-rules that change nothing by themselves."""


def _is_shown(media: str) -> bool | None:
    """Return whether rules for some media apply on a light screen, as in a browser; None if unknown."""
    holds: list[bool | None] = []
    for query in media.lower().split(","):
        words = " ".join(query.removeprefix("only ").split()).replace("screen and ", "").replace("all and ", "")
        known = {
            "": True, "all": True, "screen": True, "print": False, "speech": False, "not print": True,
            "(prefers-color-scheme: light)": True, "(prefers-color-scheme:light)": True,
            "(prefers-color-scheme: dark)": False, "(prefers-color-scheme:dark)": False,
            "(prefers-reduced-motion: reduce)": False, "(prefers-reduced-motion)": False,
        }  # fmt: skip
        holds.append(known.get(words.strip()))
    return True if True in holds else None if None in holds else False


# The cascade


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
