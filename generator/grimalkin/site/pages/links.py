"""Turn references in texts into Markdown links; know where everything in a game is on its pages."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from html import escape
from itertools import chain, zip_longest
from typing import Any, NamedTuple, TypeVar

from grimalkin.content.models import Component
from grimalkin.content.rules import Ruling
from grimalkin.content.texts.references import (
    CODE,
    Reference,
    Sign,
    chosen,
    plain_stars,
    references,
    replaced_parts,
    signs,
    unstyled,
)
from grimalkin.printing.face.images.icons import Icons
from grimalkin.printing.face.svg.subset import ELEMENTS
from grimalkin.printing.type.words import BULLET, Item, begin_of, find_items
from grimalkin.site.pages.citations import citations, weight_of
from grimalkin.site.pages.pagination import pages_of, rulings_of, section_of
from grimalkin.site.pages.shown import Shown

Words = Mapping[str, str]
K = TypeVar("K")
V = TypeVar("V")
MANY = 12
"""The most designs of a deck that shares a page with other decks, or a table with other tables."""
_KEPT = "\ue000"
"""Placeholder for a finished link while the surrounding text is escaped."""


class Map:
    """The page and anchor of every id of a game. Paths are relative to the game's folder."""

    def __init__(self, shown: Shown, words: Words) -> None:
        game = shown.game
        self.shown = shown
        self.words = words
        self.numbers = dict(game.numbers)
        self.numbers.update({erratum.id: f"E{number}" for number, erratum in enumerate(game.every_erratum, 1)})
        self.titles = {id_: law.title for id_, law in game.laws.items()}
        self.pages: dict[str, str] = {}
        self.pinned = gathered((example.rules[0], example) for example in game.examples)
        self.parts: dict[str, int] = {}
        """Number of pages of each section."""
        self.cited = citations(shown)
        told = Counter({id_: weight_of(kinds) for id_, kinds in self.cited.items()})
        cites = dict(told)
        for one in game.rulings:
            told.update(dict.fromkeys(one.rules, len(one.ruling) + len(one.question) + 160))
        for section in game.sections:
            parts = pages_of(section.rules, told, shown, self.pinned)
            self.parts[section.id] = len(parts)
            for number, rules in enumerate(parts, 1):
                self.pages.update({rule.id: section_page(section.id, number) for rule in rules})
        for page, rulings in gathered((self._ruling_page(ruling), ruling) for ruling in game.rulings).items():
            for number, part in enumerate(pages_of(rulings, cites, shown, self.pinned), 1):
                self.pages.update({ruling.id: part_page(page, number) for ruling in part})
        self.rulings_on = gathered((self.pages[ruling.id], ruling) for ruling in game.rulings)
        self.pages.update({one.id: part_page("rulings.md", len(rulings_of(game))) for one in game.withdrawn})
        self.pages.update({erratum.id: "errata.md" for erratum in game.errata})
        for deck in game.info.decks:
            rows = game.components[deck.id]
            self.pages.update({row.id: deck_page(deck.id, len(rows)) for row in rows})
        for example in game.examples:
            self.pages[example.id] = self.pages[example.rules[0]]
            self.titles[example.id] = example.title
        for play in game.playthroughs:
            self.pages[play.id] = f"playthroughs/{play.id}.md"
            self.titles[play.id] = play.title
        self.whole = {play.id for play in game.playthroughs}
        """Ids with a separate page, which need no anchor."""
        self.terms = {term.id: term for term in game.terms}
        self.tooltips = {term.id: _tooltip(self.plain(term.text)) for term in game.terms}
        self.styled: dict[str, set[str]] = {}
        """Styles that readers have found so far, by the path of the page."""
        self.also = gathered((rule, example) for example in game.examples for rule in example.rules[1:])

    def _ruling_page(self, ruling: Ruling) -> str:
        """Return the page of a ruling. Rulings are grouped by section; a page of all would be too heavy."""
        return f"rulings-{section_of(self.shown.game, ruling) or 'general'}.md"

    def label(self, id_: str) -> str:
        """Return the name of a rule, ruling or erratum in running text, with its printed number."""
        game = self.shown.game
        kind = "rule" if id_ in game.rules else "ruling" if id_ in game.numbers else "erratum"
        return f"{self.words[kind]} {self.numbers[id_]}"

    def question(self, ruling: Ruling) -> str:
        """Return the question that a ruling answers, on one line and without links, for a heading."""
        return " ".join(self.plain(ruling.question).split())

    def plain(self, text: str) -> str:
        """Return a text without markup, for places that cannot have links."""

        def word(reference: Reference) -> str:
            if reference.kind == "icon":
                return "" if _told_next(text, reference) else reference.name
            return unstyled(reference.words) or self.name(reference)

        return re.sub(r"[*_`]", "", replaced(unstyled(chosen(text, self.shown.holds(), code=True)), word))

    def knows(self, reference: Reference) -> bool:
        """Return whether a reference has a target. References in table columns are not checked earlier."""
        if reference.kind == "term":
            return reference.name in self.terms
        return reference.kind == "icon" or reference.name in self.pages

    def name(self, reference: Reference) -> str:
        """Return the words of a reference that has none of its own."""
        id_ = reference.name
        if reference.kind == "term":
            return self.terms[id_].name
        if id_ in self.numbers:
            return self.label(id_)
        if id_ in self.shown.game.by_id:
            return self.shown.game.by_id[id_].name
        return self.titles.get(id_, id_)


class Part(NamedTuple):
    """A paragraph or a list, as Markdown."""

    text: str
    is_list: bool


BREAK = "<br> "
"""A line break within a paragraph; the blank keeps words apart when the tag is dropped."""


class Reader:
    """Formats the texts of one page, turning every reference into a link.

    If `is_long`, the page links a term only at its first mention in a section. `medium` is the name that conditions in
    texts may use.
    """

    def __init__(self, to: Map, page: str, is_long: bool = False, medium: str = "pages") -> None:
        self.to = to
        self.medium = medium
        self.looks = to.shown.game.info.looks()
        self.page = page
        self.told: set[str] | None = set() if is_long else None
        self.folder = posixpath.dirname(page)

    def begin(self) -> str:
        """Begin a section, in which terms are linked again. Templates call this; it returns no text."""
        if self.told is not None:
            self.told.clear()
        return ""

    def path(self, target: str) -> str:
        """Return a path in the game's folder, relative to this page."""
        return posixpath.relpath(target, self.folder or ".")

    def md(self, text: str, is_cell: bool = False) -> str:
        """Format a text with its styles and with links for its references; nothing else in it links to or loads
        anything.

        The first mention of a component has its picture. In a cell, other Markdown stays plain text.
        """
        text = text.replace(_KEPT, "")
        text = text if is_cell else _with_lists(chosen(text, self.to.shown.holds(medium=self.medium), code=True))
        pictured: set[str] = set()

        def link(reference: Reference) -> str:
            id_ = reference.name
            if not self.to.knows(reference):
                return self.marked(reference.words or id_, link)
            words = self.marked(reference.words, link) if reference.words else escaped(self.to.name(reference))
            if reference.kind == "icon":
                return self.icon(id_, spoken=not _told_next(text, reference))
            if reference.kind == "term":
                if self.told is not None and id_ in self.told:
                    return words
                tip = f' "{self.to.tooltips[id_]}"' if self.told is None else ""
                if self.told is not None:
                    self.told.add(id_)
                return f"[{words}]({self.path('terms.md')}#{id_}{tip}){{.term}}"
            if id_ in self.to.shown.game.by_id:
                picture = "" if id_ in pictured else self.piece(id_)
                pictured.add(id_)
                return f"[{picture}{words}]({self.anchor(id_)}){{.component}}"
            title = self.to.titles.get(id_, "")
            tip = _tooltip(title) if title not in (reference.words, self.to.name(reference)) else ""
            return f"[{words}]({self.anchor(id_)}" + (f' "{tip}")' if tip else ")")

        return self.marked(text, link, is_cell)

    def marked(self, text: str, link: Callable[[Reference], str], is_cell: bool = False) -> str:
        """Format a text with its styles as HTML, turning references into links with `link`."""
        text = _with_plain_stars(text, not is_cell)
        found: list[Reference | Sign] = [*references(text), *signs(text, code=not is_cell)]
        marks = sorted(found, key=lambda mark: mark.start)
        made = [link(mark) if isinstance(mark, Reference) else self.tag(mark) for mark in marks]
        kept = replaced_parts(text, [(mark.start, mark.end, _KEPT) for mark in marks])
        parts = (_as_printed(kept) if is_cell else _without_harm(kept)).split(_KEPT)
        return "".join(chain.from_iterable(zip_longest(parts, made, fillvalue="")))

    def tag(self, sign: Sign) -> str:
        """Return the HTML that begins or ends a style, or breaks a line."""
        look = self.looks.get(sign.style)
        if sign.kind == "break":
            return BREAK
        if look is None:
            return ""
        self.to.styled.setdefault(self.page, set()).add(sign.style)
        name = "strong" if look.bold else "em" if look.italic else "span"
        return f'<{name} class="style-{sign.style}">' if sign.kind == "open" else f"</{name}>"

    def cell(self, text: str, row: Component | None = None) -> list[Part]:
        """Return the paragraphs and lists of a cell, keeping its line breaks."""
        parts: list[Part] = []
        for lines in self.lines(text, row):
            items = [f"{'    ' * (len(item.lists) - 1)}{item.sign} {words}" for item, words in lines if item]
            parts.append(Part("\n".join(items) or lines[0][1], bool(items)))
        return parts

    def line(self, text: str, row: Component | None = None) -> str:
        """Format a short cell for use within a line."""
        lines = chain.from_iterable(self.lines(text, row))
        return BREAK.join(f"{item.sign.replace(BULLET, '•')} {words}" if item else words for item, words in lines)

    def lines(self, text: str, row: Component | None) -> list[list[tuple[Item | None, str]]]:
        """Return the paragraphs of a cell and the items of its lists, as Markdown; conditions in it may ask about its
        row."""
        written = chosen(text, self.to.shown.holds(row, self.medium)).split("\n")
        begins = [begin_of(line) for line in written]
        items = find_items(begins)
        parts: list[list[tuple[Item | None, list[str]]]] = []
        before: int | None = None
        for at, line in enumerate(written):
            item = items.get(at)
            now = item.lists[0] if item else -1 if line.strip() else None
            is_first, before = now != before, now
            if now is None:
                continue
            if is_first:
                parts.append([])
            if item and item.sign:
                parts[-1].append((item, [line.lstrip()[len(begins[at].sign) :]]))
            elif is_first:
                parts[-1].append((None, [line]))
            else:
                parts[-1][-1][1].append(line)
        return [[(item, self.broken("\n".join(lines))) for item, lines in part] for part in parts]

    def broken(self, text: str) -> str:
        """Format the lines of a cell as one paragraph."""
        return BREAK.join(map(str.strip, self.md(text.strip(), True).split("\n")))

    def anchor(self, id_: str) -> str:
        """Return the address of anything with this id, for Markdown."""
        page = self.to.pages[id_]
        if id_ in self.to.whole:
            return self.path(page)
        return f"#{id_}" if page == self.page else f"{self.path(page)}#{id_}"

    def href(self, id_: str) -> str:
        """Return the same address for HTML, where mkdocs does not replace a source path with an address."""
        return re.sub(r"\.md(#|$)", r".html\1", self.anchor(id_))

    def by(self, id_: str) -> str:
        """Return a short link to a rule: its printed number."""
        if id_ not in self.to.numbers:
            return escaped(id_)
        return f"[{self.to.numbers[id_]}]({self.anchor(id_)})"

    def named(self, ids: Iterable[str]) -> list[str]:
        """Return short links to rules. Rules on the same page share a link, which lists their numbers and leads to the
        first."""
        numbers = self.to.numbers
        pages = gathered((self.to.pages[id_], id_) for id_ in ids)
        return [f"[{', '.join(numbers[one] for one in on)}]({self.anchor(on[0])})" for on in pages.values()]

    def titled(self, id_: str) -> str:
        """Return a link with number and title."""
        number = self.to.numbers.get(id_)
        return f"[{number + ' ' if number else ''}{escaped(self.to.titles[id_])}]({self.anchor(id_)})"

    def asked(self, ruling: Ruling) -> str:
        """Return a link with the number of a ruling and its question."""
        return f"[{self.to.numbers[ruling.id]} {escaped(self.to.question(ruling))}]({self.anchor(ruling.id)})"

    def piece(self, id_: str) -> str:
        """Return a small picture of a component for use in a line of text."""
        if f"{id_}-front" not in self.to.shown.faces:
            return ""
        return f"![]({self.path(face_file(f'{id_}-front'))}){{.piece}}"

    def icon(self, name: str, spoken: bool = True) -> str:
        icons = self.to.shown.composer.icons
        return inline_icon(icons, name, name if spoken else "") if name in icons else escaped(name)


def gathered(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Group values by key, in order."""
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def section_page(section: str, part: int = 1) -> str:
    return part_page(f"rules-{section}.md", part)


def part_page(page: str, part: int) -> str:
    """Return the page for part of something too heavy for one page. No section can have such a name.

    >>> part_page("rules-cards.md", 1), part_page("rules-cards.md", 2)
    ('rules-cards.md', 'rules-cards_2.md')
    """
    return page if part == 1 else f"{page.removesuffix('.md')}_{part}.md"


def deck_page(deck: str, designs: int) -> str:
    """Return the page of a deck's components: shared by all decks, except for a deck that would fill a page alone."""
    return f"components-{deck}.md" if designs > MANY else "components.md"


def face_file(face: str) -> str:
    return f"faces/{face}.svg"


def replaced(text: str, by: Callable[[Reference], str]) -> str:
    """Replace each reference in a text with `by(reference)`."""
    return replaced_parts(text, ((one.start, one.end, by(one)) for one in references(text)))


def _told_next(text: str, icon: Reference) -> bool:
    """Return whether an icon is followed by its own word, which would then be read and found twice: `:cat: cat`, or
    `:cat: :cat: cat`."""
    word = re.escape(icon.name.replace("-", " "))
    near = text[icon.end : icon.end + 200]  # otherwise each of many icons would search the whole text
    return bool(re.match(rf"(?:\s*:{icon.name}:)*\s+{word}\b", near, re.IGNORECASE))


def inline_icon(icons: Icons, name: str, label: str = "") -> str:
    """Draw an icon for a line of text, in the colour of the text; it is read aloud by its label, if it has one.

    If it cannot be drawn, return "" and report a problem.
    """
    symbol = icons.symbol(name)
    if symbol is None:
        return ""
    spoken = 'role="img"' if label else 'aria-hidden="true"'
    title = f"<title>{escape(label.replace('-', ' '))}</title>" if label else ""  # a search index reads it, too
    return f'<svg class="icon" viewBox="{symbol.get("viewBox")}" {spoken}>{title}{"".join(map(_shape, symbol))}</svg>'


def _shape(element: Any) -> str:
    """Return one shape of an icon as HTML, without anything that faces may not use: icons can come from anybody."""
    tag = str(element.tag).rpartition("}")[2]
    allowed = ELEMENTS.get(tag, frozenset()) - {"href", "id"}
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in element.attrib.items() if name in allowed)
    return f"<{tag}{attributes}>{''.join(map(_shape, element))}</{tag}>" if allowed else ""


def _tooltip(text: str) -> str:
    """Escape text for the title of a Markdown link, which a double quote would end."""
    text = " ".join(text.split()).replace('"', "”").replace("\\", "")
    return re.sub(r"[&<>\[\]{}`]", _entity, text)


def harmless(text: str) -> str:
    """Escape a text of a game, keeping emphasis, code and lists; HTML, links, pictures and attributes become plain
    text.

    >>> harmless("*all* `1 < 2` <b> [l](x) 3*4")
    '*all* <code>1 &lt; 2</code> &lt;b&gt; &#91;l&#93;(x) 3&#42;4'
    """
    return _without_harm(_with_plain_stars(text))


def _with_plain_stars(text: str, markdown: bool = True) -> str:
    """Escape the stars that are printed as stars, so that Markdown does not read them as marks."""
    return replaced_parts(text, ((star, star + 1, "\\*") for star in plain_stars(text, markdown)))


def _with_lists(text: str) -> str:
    """Adapt lists so that Markdown finds them where faces do: also below a line of words, and nested at two blanks."""
    lines = text.split("\n")
    items = find_items(map(begin_of, lines))
    for at, item in items.items():
        before = at - 1 not in items and at > 0 and lines[at - 1].strip()
        deep = len(item.lists) - (1 if item.sign else 0)
        lines[at] = ("\n" if before else "") + "    " * deep + lines[at].lstrip()
    return "\n".join(lines)


def _without_harm(text: str) -> str:
    parts, at = [], 0
    for match in CODE.finditer(text):
        parts += [_shown(text[at : match.start()]), code(match[2].strip())]
        at = match.end()
    return "".join([*parts, _shown(text[at:])])


def code(text: str) -> str:
    """Return text as a code span, whatever it contains.

    >>> code("play owl"), code("<b>`")
    ('`play owl`', '<code>&lt;b&gt;\\\\`</code>')
    """
    plain = re.fullmatch(r"[^&<>`\[\]{}\\]+", text) and _KEPT not in text
    return f"`{text}`" if plain else f"<code>{escaped(text)}</code>"


def _shown(text: str) -> str:
    """Escape everything that Markdown and HTML would not read as text. Backslashes have been handled already."""
    return re.sub(r"\\([!-/:-@\[-`{-~])|[<>\[\]{}&]", _entity, text)


def _as_printed(text: str) -> str:
    """Escape everything that faces print literally and Markdown does not: symbols, and the beginnings of lists,
    headings and quotes."""
    text = re.sub(r"\\([!-/:-@\[-`{-~])|[<>\[\]{}&`_|~^]", _entity, text)
    return re.sub(r"^([#+:=!-])|(?<=^\d)([.)])|(?<=^\d\d)([.)])", _entity, text)


def _entity(match: re.Match[str]) -> str:
    sign = match[0][-1]
    return {"&": "&amp;", "<": "&lt;", ">": "&gt;"}.get(sign, f"&#{ord(sign)};")


def escaped(text: str) -> str:
    """Escape text so that Markdown shows it as written.

    >>> escaped("1 * 2 < [3]")
    '1 \\\\* 2 &lt; \\\\[3\\\\]'
    """
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]{}|])", r"\\\1", text)
