"""References in text in, Markdown links out: where everything of a game stands on its pages, and how to get there."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from html import escape
from itertools import chain, zip_longest
from typing import Any, NamedTuple, TypeVar

from grimalkin.content.models import Component, Ruling
from grimalkin.content.references import (
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
from grimalkin.content.styles import looks_of
from grimalkin.face.icons import Icons
from grimalkin.face.lists import BULLET, Item, begin_of, find_items
from grimalkin.face.subset import ELEMENTS
from grimalkin.pages.cited import citations, weight_of
from grimalkin.pages.shown import Shown
from grimalkin.pages.weight import pages_of, rulings_of, section_of

Words = Mapping[str, str]
K = TypeVar("K")
V = TypeVar("V")
MANY = 12
"""Designs of a deck that share a page with other decks, or a table with other tables."""
_KEPT = "\ue000"
"""Stands for a finished link while the text around it is made harmless."""


class Map:
    """Where every id of a game stands: the page, and the anchor on it. Paths are relative to the game's folder."""

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
        """Of a section whose rules take more than one page: how many."""
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
        """What has a page to itself, and no anchor on it."""
        self.terms = {term.id: term for term in game.terms}
        self.tooltips = {term.id: _tooltip(self.plain(term.text)) for term in game.terms}
        self.styled: dict[str, set[str]] = {}
        """The styles that readers have found so far, by the path of the page."""
        self.also = gathered((rule, example) for example in game.examples for rule in example.rules[1:])

    def _ruling_page(self, ruling: Ruling) -> str:
        """Rulings stand together with those about the same section; a page of all would be too heavy."""
        return f"rulings-{section_of(self.shown.game, ruling) or 'general'}.md"

    def label(self, id_: str) -> str:
        """How a rule, a ruling or an erratum is called in a line of text: by its printed number."""
        game = self.shown.game
        kind = "rule" if id_ in game.rules else "ruling" if id_ in game.numbers else "erratum"
        return f"{self.words[kind]} {self.numbers[id_]}"

    def question(self, ruling: Ruling) -> str:
        """What players ask whom a ruling answers, on one line and without links, to stand in a heading."""
        return " ".join(self.plain(ruling.question).split())

    def plain(self, text: str) -> str:
        """A text without its markup, for places where no link can stand."""

        def word(reference: Reference) -> str:
            if reference.kind == "icon":
                return "" if _told_next(text, reference) else reference.name
            return unstyled(reference.words) or self.name(reference)

        return re.sub(r"[*_`]", "", replaced(unstyled(chosen(text, self.shown.holds(), code=True)), word))

    def knows(self, reference: Reference) -> bool:
        """Whether a reference leads somewhere. In columns of a table nobody promises that."""
        if reference.kind == "term":
            return reference.name in self.terms
        return reference.kind == "icon" or reference.name in self.pages

    def name(self, reference: Reference) -> str:
        """What a reference is called when it brings no words of its own."""
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
"""The end of a line within a paragraph; the blank keeps words apart for those who leave out the mark."""


class Reader:
    """Reads the texts of one page: every reference becomes a link from there.

    A page that `is_long` has a link to a term at its first mention in a section only. `medium` is what texts may ask
    for.
    """

    def __init__(self, to: Map, page: str, is_long: bool = False, medium: str = "pages") -> None:
        self.to = to
        self.medium = medium
        self.looks = looks_of(to.shown.game.info)
        self.page = page
        self.told: set[str] | None = set() if is_long else None
        self.folder = posixpath.dirname(page)

    def begin(self) -> str:
        """Begin a section, whose terms have links again. Templates call it, and write nothing."""
        if self.told is not None:
            self.told.clear()
        return ""

    def path(self, target: str) -> str:
        """A path of the game's folder, as seen from this page."""
        return posixpath.relpath(target, self.folder or ".")

    def md(self, text: str, is_cell: bool = False) -> str:
        """A text with its references made links, and its styles; nothing else in it leads or loads anything.

        A component's picture stands before its first mention. Of a cell, all else that Markdown knows is text.
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
        """A text with its styles as HTML, and its references as `link` makes them."""
        text = _with_plain_stars(text, not is_cell)
        found: list[Reference | Sign] = [*references(text), *signs(text, code=not is_cell)]
        marks = sorted(found, key=lambda mark: mark.start)
        made = [link(mark) if isinstance(mark, Reference) else self.tag(mark) for mark in marks]
        kept = replaced_parts(text, [(mark.start, mark.end, _KEPT) for mark in marks])
        parts = (_as_printed(kept) if is_cell else _without_harm(kept)).split(_KEPT)
        return "".join(chain.from_iterable(zip_longest(parts, made, fillvalue="")))

    def tag(self, sign: Sign) -> str:
        """What begins or ends a style on a page, or breaks a line."""
        look = self.looks.get(sign.style)
        if sign.kind == "break":
            return BREAK
        if look is None:
            return ""
        self.to.styled.setdefault(self.page, set()).add(sign.style)
        name = "strong" if look.bold else "em" if look.italic else "span"
        return f'<{name} class="style-{sign.style}">' if sign.kind == "open" else f"</{name}>"

    def cell(self, text: str, row: Component | None = None) -> list[Part]:
        """The paragraphs and lists of a cell, whose lines end where its writer ended them."""
        parts: list[Part] = []
        for lines in self.lines(text, row):
            items = [f"{'    ' * (len(item.lists) - 1)}{item.sign} {words}" for item, words in lines if item]
            parts.append(Part("\n".join(items) or lines[0][1], bool(items)))
        return parts

    def line(self, text: str, row: Component | None = None) -> str:
        """A short cell, to stand within a line."""
        lines = chain.from_iterable(self.lines(text, row))
        return BREAK.join(f"{item.sign.replace(BULLET, '•')} {words}" if item else words for item, words in lines)

    def lines(self, text: str, row: Component | None) -> list[list[tuple[Item | None, str]]]:
        """The paragraphs of a cell, which may ask what its row holds, and the items of its lists; each as Markdown."""
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
        """Lines of a cell, within one paragraph."""
        return BREAK.join(map(str.strip, self.md(text.strip(), True).split("\n")))

    def anchor(self, id_: str) -> str:
        """The way to whatever has this id."""
        page = self.to.pages[id_]
        if id_ in self.to.whole:
            return self.path(page)
        return f"#{id_}" if page == self.page else f"{self.path(page)}#{id_}"

    def href(self, id_: str) -> str:
        """The same way for HTML, where nobody turns a page's source into its address."""
        return re.sub(r"\.md(#|$)", r".html\1", self.anchor(id_))

    def by(self, id_: str) -> str:
        """A short link to the rule that says so: its printed number."""
        if id_ not in self.to.numbers:
            return escaped(id_)
        return f"[{self.to.numbers[id_]}]({self.anchor(id_)})"

    def named(self, ids: Iterable[str]) -> list[str]:
        """Short links to rules. Those of one page share a link: it tells all their numbers and leads to the first."""
        numbers = self.to.numbers
        pages = gathered((self.to.pages[id_], id_) for id_ in ids)
        return [f"[{', '.join(numbers[one] for one in on)}]({self.anchor(on[0])})" for on in pages.values()]

    def titled(self, id_: str) -> str:
        """A link that tells number and title."""
        number = self.to.numbers.get(id_)
        return f"[{number + ' ' if number else ''}{escaped(self.to.titles[id_])}]({self.anchor(id_)})"

    def asked(self, ruling: Ruling) -> str:
        """A link that tells the number of a ruling and what players ask."""
        return f"[{self.to.numbers[ruling.id]} {escaped(self.to.question(ruling))}]({self.anchor(ruling.id)})"

    def piece(self, id_: str) -> str:
        """A small picture of a component, to stand in a line of text."""
        if f"{id_}-front" not in self.to.shown.faces:
            return ""
        return f"![]({self.path(face_file(f'{id_}-front'))}){{.piece}}"

    def icon(self, name: str, spoken: bool = True) -> str:
        icons = self.to.shown.composer.icons
        return inline_icon(icons, name, name if spoken else "") if name in icons else escaped(name)


def gathered(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """All values of each key, in their order."""
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def section_page(section: str, part: int = 1) -> str:
    return part_page(f"rules-{section}.md", part)


def part_page(page: str, part: int) -> str:
    """The page of a part of what would be too heavy for one. No section can be called so.

    >>> part_page("rules-cards.md", 1), part_page("rules-cards.md", 2)
    ('rules-cards.md', 'rules-cards_2.md')
    """
    return page if part == 1 else f"{page.removesuffix('.md')}_{part}.md"


def deck_page(deck: str, designs: int) -> str:
    """Where the components of a deck stand: all decks together, but for one that would fill a page by itself."""
    return f"components-{deck}.md" if designs > MANY else "components.md"


def face_file(face: str) -> str:
    return f"faces/{face}.svg"


def replaced(text: str, by: Callable[[Reference], str]) -> str:
    """A text with every reference replaced by what `by` makes of it."""
    return replaced_parts(text, ((one.start, one.end, by(one)) for one in references(text)))


def _told_next(text: str, icon: Reference) -> bool:
    """Whether its own word follows an icon and would be heard and found twice: `:cat: cat`, or `:cat: :cat: cat`."""
    word = re.escape(icon.name.replace("-", " "))
    near = text[icon.end : icon.end + 200]  # or many icons in one text would each look at all of it
    return bool(re.match(rf"(?:\s*:{icon.name}:)*\s+{word}\b", near, re.IGNORECASE))


def inline_icon(icons: Icons, name: str, label: str = "") -> str:
    """An icon to stand in a line of text, in the colour of the text; read aloud by its label, if it has one.

    Nothing, with a problem, when it cannot be drawn.
    """
    symbol = icons.symbol(name)
    if symbol is None:
        return ""
    spoken = 'role="img"' if label else 'aria-hidden="true"'
    title = f"<title>{escape(label.replace('-', ' '))}</title>" if label else ""  # a search index reads it, too
    return f'<svg class="icon" viewBox="{symbol.get("viewBox")}" {spoken}>{title}{"".join(map(_shape, symbol))}</svg>'


def _shape(element: Any) -> str:
    """One shape of an icon as HTML. What faces may not use is left out: an icon can come from anybody."""
    tag = str(element.tag).rpartition("}")[2]
    allowed = ELEMENTS.get(tag, frozenset()) - {"href", "id"}
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in element.attrib.items() if name in allowed)
    return f"<{tag}{attributes}>{''.join(map(_shape, element))}</{tag}>" if allowed else ""


def _tooltip(text: str) -> str:
    """Text as the title of a Markdown link, which double quotes would end."""
    text = " ".join(text.split()).replace('"', "”").replace("\\", "")
    return re.sub(r"[&<>\[\]{}`]", _entity, text)


def harmless(text: str) -> str:
    """Text of a game that keeps its emphasis, code and lists; HTML, links, pictures and attributes are only text.

    >>> harmless("*all* `1 < 2` <b> [l](x) 3*4")
    '*all* <code>1 &lt; 2</code> &lt;b&gt; &#91;l&#93;(x) 3&#42;4'
    """
    return _without_harm(_with_plain_stars(text))


def _with_plain_stars(text: str, markdown: bool = True) -> str:
    """A text in which Markdown takes no star for a mark that is printed as a star."""
    return replaced_parts(text, ((star, star + 1, "\\*") for star in plain_stars(text, markdown)))


def _with_lists(text: str) -> str:
    """A text whose lists Markdown finds where faces do: below a line of words too, and within a list at two blanks."""
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
    """Text as a code span, whatever it holds.

    >>> code("play owl"), code("<b>`")
    ('`play owl`', '<code>&lt;b&gt;\\\\`</code>')
    """
    plain = re.fullmatch(r"[^&<>`\[\]{}\\]+", text) and _KEPT not in text
    return f"`{text}`" if plain else f"<code>{escaped(text)}</code>"


def _shown(text: str) -> str:
    """What Markdown and HTML would take for more than text, as entities. Backslashes have done their work."""
    return re.sub(r"\\([!-/:-@\[-`{-~])|[<>\[\]{}&]", _entity, text)


def _as_printed(text: str) -> str:
    """What a face prints as it stands and Markdown does not: signs, and what begins lists, headings and quotes."""
    text = re.sub(r"\\([!-/:-@\[-`{-~])|[<>\[\]{}&`_|~^]", _entity, text)
    return re.sub(r"^([#+:=!-])|(?<=^\d)([.)])|(?<=^\d\d)([.)])", _entity, text)


def _entity(match: re.Match[str]) -> str:
    sign = match[0][-1]
    return {"&": "&amp;", "<": "&lt;", ">": "&gt;"}.get(sign, f"&#{ord(sign)};")


def escaped(text: str) -> str:
    """Text that Markdown shows as it is written.

    >>> escaped("1 * 2 < [3]")
    '1 \\\\* 2 &lt; \\\\[3\\\\]'
    """
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]{}|])", r"\\\1", text)
