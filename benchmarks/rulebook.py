"""A rulebook beside the same words set by typesetters: python benchmarks/rulebook.py [GAME]

Ours has pictures, links, an index and contents with pages, and is tagged; the peers set headings and filled, hyphenated
paragraphs of the same measure, and nothing else. In turns, as CPU seconds, with everything read before.
"""

from __future__ import annotations

import html
import io
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import deck

from grimalkin.content import Game, replay_all
from grimalkin.content import load_game as load
from grimalkin.content.stocks import load_stocks
from grimalkin.content.texts.references import plain_words
from grimalkin.engine.replay import Keep
from grimalkin.printing.book.make import book_pdf, make
from grimalkin.printing.book.pen import Looks
from grimalkin.printing.book.writer import Material
from grimalkin.printing.draw.packing import count_pages
from grimalkin.printing.face import Composer, Printed
from grimalkin.printing.sheet.pieces import all_faces
from grimalkin.problems import Problems
from grimalkin.source import find_game_folder

ROUNDS = 5
TYPST = """\
#set page(width: 148mm, height: 210mm, margin: (left: 24mm, right: 19mm, top: 22mm, bottom: 26mm), numbering: "1")
#set text(font: "Source Serif Pro", size: 9.4pt, lang: "en", hyphenate: true)
#set par(justify: true, leading: 0.45em)
"""
CSS = """\
@page { size: 148mm 210mm; margin: 22mm 19mm 26mm 24mm; @bottom-center { content: counter(page) } }
body { font: 9.4pt/4.45mm "Source Serif Pro", serif; text-align: justify; hyphens: auto }
h2 { font-size: 21pt; line-height: 1.2; text-align: left }
h3 { font-size: 10.6pt; text-align: left; break-after: avoid }
"""


def texts_of(game: Game) -> list[tuple[int, str, str]]:
    """Level, heading and words of everything that the book tells."""

    def plain(text: str) -> str:
        return " ".join(plain_words(text, {}, lambda _: False).split())

    found = []
    for section in game.sections:
        found.append((2, section.title, plain(section.intro or "")))
        found += [(3, rule.title, plain(rule.text)) for rule in section.rules]
    found += [(3, plain(ruling.question), plain(ruling.ruling)) for ruling in game.rulings]
    found += [(3, example.title, plain(example.text)) for example in game.examples]
    return found


def typst(texts: list[tuple[int, str, str]]) -> bytes:
    import typst as typesetter  # the peers are imported late: one may be missing

    escaped = ((level, *(f"#{deck_text(part)}" for part in parts)) for level, *parts in texts)
    source = TYPST + "\n\n".join(f"{'=' * (level - 1)} {title}\n\n{words}" for level, title, words in escaped)
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "main.typ"
        path.write_text(source, encoding="utf-8")
        fonts = sorted({str(path.parent) for path in deck.font_paths().values()})
        made: bytes = typesetter.compile(str(path), font_paths=fonts, ignore_system_fonts=True)
        return made


def deck_text(text: str) -> str:
    """A text as a string of Typst's."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def weasyprint(texts: list[tuple[int, str, str]]) -> bytes:
    from weasyprint import HTML

    body = "".join(
        f"<h{level}>{html.escape(title)}</h{level}><p>{html.escape(words)}</p>" for level, title, words in texts
    )
    made: bytes = HTML(string=f'<html lang="en-GB"><style>{CSS}</style>{body}').write_pdf()
    return made


def main(name: str) -> None:
    problems = Problems()
    game = load(find_game_folder(name), problems)
    assert game is not None
    traces = replay_all(game, problems, Keep.POSITIONS)
    composer = Composer(game, load_stocks(game.folder, problems), problems)
    faces = all_faces(game, composer)
    texts = texts_of(game)

    def ours() -> bytes:
        fresh = Composer(game, composer.stocks, problems, printed=Printed(composer, {}))  # keeps no pictures of before
        looks = Looks(fresh, faces)
        return book_pdf(make(Material(game, traces, looks, {})), looks)

    sides: dict[str, Callable[[], bytes]] = {
        "ours": ours,
        "typst": lambda: typst(texts),
        "weasyprint": lambda: weasyprint(texts),
    }
    spent: dict[str, list[float]] = {side: [] for side in sides}
    made: dict[str, bytes] = {}
    for _ in range(ROUNDS):
        for side, make_it in list(sides.items()):
            begin = time.process_time()
            try:
                made[side] = make_it()
            except ImportError:
                del sides[side]
                continue
            spent[side].append(time.process_time() - begin)
    print(f"| {name} | s | of ours | pages | KB |\n|---|---:|---:|---:|---:|")
    first = statistics.median(spent["ours"])
    for side in sides:
        seconds = statistics.median(spent[side])
        pages, kilobytes = pages_in(made[side]), len(made[side]) / 1000
        print(f"| {side} | {seconds:.2f} | {seconds / first:.2f} | {pages} | {kilobytes:,.0f} |")


def pages_in(pdf: bytes) -> int:
    """However it was written."""
    import pikepdf

    return count_pages(pdf) or len(pikepdf.open(io.BytesIO(pdf)).pages)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "werecats")
