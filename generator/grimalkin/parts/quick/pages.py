"""Build the page of the quick reference as Markdown: every line has a small link to its rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grimalkin.content.quick_reference import MOST_SIGNS, GlanceView, RowView, TableView, glances_of, letters_of
from grimalkin.site.pages.kinds import Menu, Way, listing
from grimalkin.site.pages.links import Reader, Words, escaped
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.write import Writer

KIND = "quick"
MENU_BEFORE = "rulings"
OVERVIEW_BEFORE = "playthroughs"
REPEATS = True
PAGE = "quick.md"
ROOMY = 2_600
"""The maximum number of characters that leaves enough room on a printed page for larger type."""


@dataclass(frozen=True)
class OnPage:
    """The contents under one heading, as Markdown."""

    anchor: str
    title: str
    by: str
    """Links to rules, beside the heading."""
    heads: tuple[str, ...]
    """Heads of its table, if any; the head above the names comes first."""
    sides: tuple[str, ...]
    """The alignment of each column, by its head: `---` or `:-:`."""
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[str, ...]
    numbered: bool


def begins(shown: Shown) -> str:
    """Return the page, if there is anything to show on it."""
    return PAGE if shown.game.quick or any(rule.summary for rule in shown.game.rules.values()) else ""


def menu(shown: Shown, words: Words) -> Menu:
    """Return the one entry."""
    return listing(words[KIND], [], PAGE)


def ways(shown: Shown, words: Words) -> list[Way]:
    """Return the one entry of the overview, which says whether the page contains only summaries of rules."""
    return [(words["quick-question"], PAGE, words["quick-answer" if shown.game.quick else "quick-rules"])]


def write(writer: Writer) -> None:
    """Write the page; it has larger type on paper if there is room."""
    glances = glances_of(writer.game, "pages")
    reader = Reader(writer.map, PAGE)
    views = [_on_page(one, reader, writer.words) for one in glances]
    roomy = sum(map(letters_of, glances)) <= ROOMY
    writer.main(KIND, glances=views, roomy=roomy, card=bool(writer.printables.of_kind("quick")))


def _on_page(one: GlanceView, reader: Reader, words: Words) -> OnPage:
    lines = tuple(f"{_read(line.text, reader)} {_by(line.rules, reader)}".rstrip() for line in one.lines)
    title, by = escaped(one.title), _by(one.rules, reader)
    table = one.table
    if table is None:
        return OnPage(f"quick-{one.id}", title, by, (), (), (), lines, one.numbered)
    above = ((head or words["quick-told"], [rule] if rule else []) for head, rule in table.heads)
    heads = (escaped(table.of), *(f"{escaped(head)} {_by(rules, reader)}".rstrip() for head, rules in above))
    sides = ("---", *(_side(table, cell) for cell in range(len(table.heads))))
    rows = tuple(_row(row, reader) for row in table.rows)
    return OnPage(f"quick-{one.id}", title, by, heads, sides, rows, lines, one.numbered)


def _side(table: TableView, cell: int) -> str:
    return ":-:" if table.is_number(cell) else "---"


def _row(row: RowView, reader: Reader) -> tuple[str, ...]:
    """Format a row; its rules are beside its name, or below its text."""
    name = _read(row.name, reader)
    if row.piece:
        name = f"[{reader.piece(row.piece)}{name}]({reader.anchor(row.piece)}){{.component}}"
    cells = [name, *(_read(cell, reader) if cell else "–" for cell in row.cells)]
    last = len(row.cells) if len(row.cells[-1]) > MOST_SIGNS else 0
    cells[last] = f"{cells[last]} {_by(row.rules, reader)}".rstrip()
    return tuple(cells)


def _read(text: str, reader: Reader) -> str:
    """Format text on one line, keeping an icon together with the comma after it."""
    first, *more = reader.line(text).split("<svg ")
    parts = [first]
    for part in more:
        icon, end, rest = part.partition("</svg>")
        together = rest[:1] in tuple(",.;:!?)")
        parts.append(f'<span class="keep"><svg {icon}{end}{rest[:1]}</span>{rest[1:]}' if together else f"<svg {part}")
    return "".join(parts)


def _by(rules: Iterable[str], reader: Reader) -> str:
    return " ".join(f"{link}{{.by}}" for link in reader.named(rules))
