"""Turn a component and a face template into a Face. If that fails, report a problem that names the card.

Cards of one template have much in common: a frame, an icon, a number. So a face is resolved in layers, one for each
child of its outermost element, and a layer with the same text as an earlier one is not resolved again.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from jinja2 import TemplateNotFound
from lxml import etree

from grimalkin.content.face_templates import TEMPLATE, template_hint
from grimalkin.content.game import Game
from grimalkin.content.models import Component, Drawn
from grimalkin.content.stocks import Stock
from grimalkin.printing.face.face_memory import Memory
from grimalkin.printing.face.fields import name_faults
from grimalkin.printing.face.flaws import crossed_symbol
from grimalkin.printing.face.layers import Face, Inks, Layer
from grimalkin.printing.face.resolve import Resolver
from grimalkin.printing.face.svg.subset import NAMESPACE, SVG
from grimalkin.printing.face.svg.xml import PARSER, Element, has_notes, tag_of, without_notes
from grimalkin.printing.face.templating.reads import WORDS, Reads
from grimalkin.printing.face.textboxes import decide
from grimalkin.printing.face.workshop import Workshop, plain_stock
from grimalkin.problems import Problems, Stop

MOST_KEPT = 500
"""Parts kept because they occurred twice. Beyond this limit all are dropped; frequent parts are soon back."""
MOST_SEEN = 50_000
MOST_RECENT = 32
"""Components whose faces are kept: copies of one card follow each other on a sheet."""
_FIELD = f"{{{SVG}}}field"


@dataclass(frozen=True)
class Printed:
    """Faces already composed for a game that is now printed in a different way."""

    composer: Composer
    faces: Mapping[str, Face]


class Composer(Workshop):
    """Composes the faces of one game. Templates come from the game's own folder first, then from the shared one.

    It reuses a `printed` face if none of the names that its template looked up has changed, and its templates in any
    case.

    In a `draft`, text that does not fit, a missing picture or icon, and a column that a card lacks are not problems:
    they are visibly marked, and the face lists them as its flaws.

    With a `memory`, faces that have not changed since it was last used are not resolved again.
    """

    def __init__(
        self,
        game: Game,
        stocks: Mapping[str, Stock],
        problems: Problems,
        inks: Inks = "full",
        printed: Printed | None = None,
        draft: bool = False,
        memory: Memory | None = None,
        finishes: bool = False,
    ) -> None:
        sandbox = printed.composer.sandbox if printed and printed.composer.draft == draft else None
        super().__init__(game, stocks, problems, inks, draft, memory.pictures if memory else None, sandbox, finishes)
        self.printed = printed
        self.kept: dict[str, Layer] = {}
        """Parts by their source text."""
        self.seen: set[int] = set()
        """Hashes of texts that occurred once."""
        self.constant: dict[tuple[str, str, Stock, str], tuple[tuple[Layer, ...], Reads]] = {}
        """Faces of templates that never use their card, by template, side, stock and deck: most backs."""
        self.recent: dict[str, tuple[Face | None, Face | None]] = {}
        self.icon_layers: dict[frozenset[str], Layer] = {}
        same = printed.composer if printed and printed.composer.game is game else None
        self.layouts: dict[object, Any] = same.layouts if same else {}
        """Layouts of a quick reference for a number of sides of a stock; all inks share them."""
        self.quick_pages: tuple[list[Face], Reads] | None = None
        """The quick reference for a book and for the table, once it is composed, and what was read for it."""
        self.tables: dict[str, tuple[Face, Reads]] = {}
        """Pictures of the table by position, which the book and the site share, and what was read for each."""
        self.memory = memory
        if memory:
            memory.begin(self)

    def for_part(self, game: Game) -> Composer:
        """Return a composer for a part of the same game, such as a scenario, whose faces are the same."""
        made = copy.copy(self)
        made.game, made.quick_pages = game, None
        return made

    def faces(self, deck: Drawn, component: Component) -> tuple[Face | None, Face | None]:
        """Return the front and back of a component or page. A side that is missing or faulty is None."""
        known = self.recent.get(component.id)
        if known:
            return known
        values = self.rows[component.id]
        stock = self.stocks[component.stock or deck.stock or ""]
        front = self.compose(deck.faces.front, f"{component.id}-front", component.name, component.alt, stock, values)
        back = None
        if deck.faces.back is not None:
            alt = component.back_alt or f"{deck.name}, back"
            back = self.compose(deck.faces.back, f"{component.id}-back", component.name, alt, stock.from_behind, values)
        if len(self.recent) >= MOST_RECENT:  # drop the oldest only: dropping all would separate the cards of a sheet
            del self.recent[next(iter(self.recent))]
        self.recent[component.id] = front, back
        return front, back

    def compose(
        self, template: str, id_: str, name: str, alt: str | None, stock: Stock, card: dict[str, Any], **more: Any
    ) -> Face | None:
        """Compose one face. The template gets `card` under that name, and `more` names with their values."""
        file = f"{template}{TEMPLATE}"
        side = id_.rpartition("-")[2]
        deck = card.get("deck", "")
        constant = self.constant.get((template, side, stock, deck)) if not more else None
        if constant is not None:
            self.reads.add(constant[1])
            return Face(id_, name, alt or name, stock, constant[0])
        known = self.find_printed(id_, stock, card) if not more else None
        if known is not None:
            return Face(id_, name, alt or name, stock, known.content, known.asked)
        same = self.memory.find_whole(self, id_, stock) if self.memory and not more else None
        if same is not None:
            if "card" not in same.asked and "{if" not in same.text:
                self.constant[template, side, stock, deck] = same.layers, Reads()
            return Face(id_, name, alt or name, stock, same.layers, same.asked)
        stock_values = self.stock_values.get(stock) or plain_stock(stock)
        context = {**self.shared, "card": card, "deck": deck, "stock": stock_values, "side": side, **more}
        try:
            self.sandbox.budget.rows = self.row_ids  # the sandbox may be shared with a variant
            with self.reads.noted() as reads:
                text = self.sandbox.render(file, context)
                reads.names |= self.sandbox.asked
                if "[[" in text or "&#" in text:
                    reads.names.add(WORDS)
        except Stop as stop:
            self.problems.extend(stop.problems)
            return None
        except Exception as error:  # Jinja runs a stranger's code: any error is a fault of the template
            place = self.template_place(file, error)
            if isinstance(error, TemplateNotFound) and error.name == file:
                message, hint = (
                    self.template_fault(error)[0],
                    template_hint(self.game.folder, template, TEMPLATE, self.kin),
                )
                self.fault(id_, self.named_place(template, side) or place, message, hint)
            else:
                self.fault(id_, place, *self.template_fault(error))
            return None
        if len(self.sandbox.parsed) > len(self.checked):
            self.check_blocks()
        remembered = self.memory.find(self, id_, text, stock) if self.memory and not more else None
        try:
            layers = self.resolve(text, id_, file, stock) if remembered is None else remembered
        except Stop as stop:  # a drawing that cannot become a picture
            self.problems.extend(stop.problems)
            return None
        if layers is None:
            for flaw in self.absent_columns():  # the mark may be what cannot be drawn, such as a width
                self.fault(id_, flaw.place, flaw.message, flaw.hint)
            return None
        if self.memory and not more:
            self.memory.keep(self, id_, text, stock, layers)
        if "card" not in self.sandbox.asked and "{if" not in text and not more:
            self.constant[template, side, stock, deck] = layers, reads
        return Face(id_, name, alt or name, stock, layers, frozenset(self.sandbox.asked))

    def find_printed(self, id_: str, stock: Stock, card: dict[str, Any]) -> Face | None:
        """Return the face from an earlier printing, if it would be the same."""
        if self.printed is None:
            return None
        other, face = self.printed.composer, self.printed.faces.get(id_)
        if face is None or face.asked is None or (face.stock, other.inks) != (stock, self.inks):
            return None
        if other.rows[card["id"]] != card or other.looks != self.looks:  # a text may use a cell or a style
            return None
        same = all(other.shared.get(name) == self.shared.get(name) for name in face.asked)
        return face if same else None

    def resolve(self, text: str, id_: str, file: str, stock: Stock) -> tuple[Layer, ...] | None:
        """Return the layers of a rendered template; None if any has a fault."""
        resolver = Resolver(self, id_, file, stock)
        asks = "{if" in text  # the answer may differ on the next card
        notes = has_notes(text)
        children = None if asks or notes else parted(text)
        if children is not None:
            layers = self.layers_of(((child, None) for child in children), resolver)
            if layers is not None:
                return layers
            resolver = Resolver(self, id_, file, stock)  # report the fault with the whole text at hand
        try:
            root = etree.fromstring(text.encode(), PARSER)
        except UnicodeEncodeError as error:
            resolver.problem(
                f"U+{ord(text[error.start]):04X} is not a character", "it is half of one: write the whole character"
            )
            return None
        except etree.XMLSyntaxError as error:
            self.xml_fault(error, text, id_, file)
            return None
        if root.tag != f"{{{SVG}}}svg":
            what = "<svg> without its namespace" if tag_of(root) == "svg" else f"<{tag_of(root)}>"
            resolver.problem(f"the outermost element is {what}", f'write <svg xmlns="{SVG}">')
            return None
        if notes:
            without_notes(root)
        resolver.check_attributes(root, "svg")
        if "<!DOCTYPE" in text and any(True for _ in root.iter(etree.Entity)):
            resolver.problem("<?> is not drawn")
            return None
        resolver.check_stray(root.text)
        for child in root:
            resolver.check_stray(child.tail)
            if asks and child.tag != _FIELD:
                decide(resolver, child)
        texts = [etree.tostring(child, encoding="unicode", with_tail=False) for child in root]
        return self.layers_of(zip(texts, root, strict=True), resolver, root)

    def layers_of(
        self, children: Iterable[tuple[str, Element | None]], resolver: Resolver, root: Element | None = None
    ) -> tuple[Layer, ...] | None:
        """Return the layers of a face's children from their source texts, parsing only the new ones.

        Without the root of the parsed text, faults are detected but not well reported.
        """
        layers: list[Layer] = []
        icons: set[str] = set()
        for source, child in children:
            key = f"{self.treatment(resolver.id)} {source}" if "<image" in source else source
            layer = self.kept.get(key)
            if layer is None:
                mark, flaws = hash(key), len(resolver.flaws)
                shared = mark in self.seen
                # In its own document: otherwise it would keep this whole one in memory.
                found = alone(source)
                child = child if found is None else found
                if child is None:
                    return None
                if not shared:
                    if len(self.seen) >= MOST_SEEN:
                        self.seen.clear()
                    self.seen.add(mark)
                if child.tag == _FIELD:
                    layer = resolver.field(child)
                    shared = False
                else:
                    layer = resolver.layer(child, shared)
                if layer is None:
                    continue
                if shared and len(resolver.flaws) == flaws:
                    if len(self.kept) >= MOST_KEPT:
                        self.kept.clear()
                    self.kept[key] = layer
            layers.append(layer)
            icons.update(layer.icons)
        if root is None and not all(name in self.icons for name in icons):
            return None
        if icons and resolver.sound:
            symbols = self.icon_symbols(frozenset(icons), resolver, root)
            if symbols:
                layers.insert(0, symbols)
        if resolver.sound:
            resolver.check_links(layers)
            for fault in name_faults([layer.form_field for layer in layers if layer.form_field]).values():
                resolver.problem(fault)
        if resolver.flaws:
            layers.append(Layer(etree.Element(f"{{{SVG}}}g", nsmap=NAMESPACE), flaws=tuple(resolver.flaws)))
        return tuple(layers) if resolver.sound else None

    def icon_symbols(self, names: frozenset[str], resolver: Resolver, root: Element | None) -> Layer | None:
        """Return the symbols of these icons as the first layer."""
        known = self.icon_layers.get(names)
        if known:
            return known
        defs = etree.Element(f"{{{SVG}}}defs", nsmap=NAMESPACE)
        for name in sorted(names):
            if name not in self.icons:
                uses = root.iter(f"{{{SVG}}}use") if root is not None else ()
                use = next((use for use in uses if use.get("href") == f"#icon-{name}"), None)
                if name in resolver.missing_icons or resolver.draws_flaw(*self.icons.fault(name), use, wrong="href"):
                    defs.append(crossed_symbol(name, self.inks))
                continue
            symbol = self.icons.symbol(name)
            if symbol is None:
                resolver.sound = False
            else:
                defs.append(copy.deepcopy(symbol))
        layer = resolver.layer(defs, True) if resolver.sound else None
        if layer and all(name in self.icons for name in names):
            self.icon_layers[names] = layer
        return layer


# The texts of the children, split without parsing, which is several times faster


_BEGIN = f'<svg xmlns="{SVG}">'
_OPEN = re.compile(r"""<([a-zA-Z]++)(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+>""")
_FLAT = re.compile(r"""<([a-zA-Z]++)(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+(?:(?<=/)>|>[^<]*+</\1>)\s*+""")
"""An element that contains only text, as most do, and the spaces after it."""
_BLANKS = re.compile(r"\s*+")
_END = re.compile(r"</svg>\s*+\Z")
_NAME = re.compile(r"<[a-zA-Z]++")
_SPACE = f' xmlns="{SVG}"'


def parted(text: str) -> list[str] | None:
    """Return the texts of a rendered template's children; None if it contains anything else.

    >>> parted('<svg xmlns="http://www.w3.org/2000/svg"><g><g/></g> <rect x="1"/> </svg>')
    ['<g><g/></g>', '<rect x="1"/> ']
    """
    at = _behind_blanks(text, 0)
    if not text.startswith(_BEGIN, at):
        return None
    children: list[str] = []
    at = _behind_blanks(text, at + len(_BEGIN))
    while True:
        for flat in _FLAT.finditer(text, at):
            if flat.start() != at:
                break
            children.append(flat[0])
            at = flat.end()
        opened = _OPEN.match(text, at)
        if not opened:
            break
        end = opened.end() if text[opened.end() - 2] == "/" else _end_of(text, opened[1], opened.end())
        if end < 0:
            return None
        children.append(text[at:end])
        at = _behind_blanks(text, end)
    return children if _END.match(text, at) else None


def _behind_blanks(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at) if text[at : at + 1].isspace() else None
    return blanks.end() if blanks else at


def _end_of(text: str, tag: str, at: int) -> int:
    """Return the end of an element that has begun; -1 if it has none."""
    begin, close = f"<{tag}", f"</{tag}>"
    depth = 1
    while True:
        end = text.find(close, at)
        if end < 0:
            return -1
        inner = text.find(begin, at, end)
        if inner < 0:
            depth, at = depth - 1, end + len(close)
            if not depth:
                return at
            continue
        opened = _OPEN.match(text, inner)
        if not opened:
            return -1
        at = opened.end()
        if opened[1] == tag and text[at - 2] != "/":
            depth += 1


def alone(source: str) -> Element | None:
    """Return one element in its own document; None if the text is anything else."""
    name = _NAME.match(source)
    if name and not source.startswith(_SPACE, name.end()):
        source = source[: name.end()] + _SPACE + source[name.end() :]
    try:
        return etree.fromstring(source.encode(), PARSER)
    except (etree.XMLSyntaxError, UnicodeEncodeError):
        return None
