"""Run every check on every face, every deck and the finished sheets of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import get_args

from grimalkin.content import Game
from grimalkin.content.models import Deck, Drawn
from grimalkin.content.stocks import Paper
from grimalkin.output.printout import Rulebook
from grimalkin.printing.draw.stocks import composer_of
from grimalkin.printing.face import Composer, Inks
from grimalkin.printing.preflight import documents, faces
from grimalkin.printing.preflight.apart import check_apart
from grimalkin.printing.preflight.documents import Printed, check_book, print_books, rulebook_of
from grimalkin.printing.preflight.faces import Look, Specimen
from grimalkin.printing.preflight.findings import Finding
from grimalkin.printing.sheet.pieces import faces_among
from grimalkin.problems import Problems

FACE_CHECKS: dict[str, Callable[[Specimen], Iterator[Finding]]] = {
    "type-size": faces.check_type_size,
    "thin-lines": faces.check_thin_lines,
    "safe-area": faces.check_safe_area,
    "bleed": faces.check_bleed,
    "contrast": faces.check_contrast,
    "alt-text": faces.check_alt_text,
    "resolution": faces.check_resolution,
    "ink": faces.check_ink,
}
SHEET_CHECKS: dict[str, Callable[[Printed], Iterator[Finding]]] = {
    "pieces": documents.check_pieces,
    "trim": documents.check_trim,
    "registration": documents.check_registration,
    "fonts": documents.check_fonts,
    "tags": documents.check_tags,
}
BOOK_CHECKS = {name: SHEET_CHECKS[name] for name in ("fonts", "tags")}
AT_ONCE = 6
"""The number of faces drawn into one file; the pictures of each take 2 MB."""
Say = Callable[[str], None]
"""A function that shows progress."""
GAME_CHECKS: dict[str, Callable[[Game, Composer], Iterator[Finding]]] = {"weight": faces.check_weight}
DECK_CHECKS: dict[str, Callable[[Deck, Sequence[Specimen], Say], Iterator[Finding]]] = {"apart": check_apart}


def preflight(
    games: Sequence[Game],
    papers: Sequence[Paper],
    problems: Problems,
    inks: Sequence[Inks] = get_args(Inks),
    say: Say = lambda _: None,
) -> list[Finding]:
    """Return the findings of all checks for a game printed on these papers. `games` are the game and its variants.

    Skip a design that looks the same as an earlier one. If content or templates are unusable, report problems and
    return no findings.
    """
    findings: dict[Finding, None] = {}
    looks: dict[object, Look] = {}
    rulebook: Rulebook | None = None  # one for all inks
    for game, design in product(games, inks):
        name = " ".join((game.name, *game.printed_as))
        composer = composer_of(game, problems, design)
        known = len(looks)
        first = known == 0
        every: tuple[Drawn, ...] = (*game.info.decks, *game.info.books)
        decks = {deck.id: specimens(game, composer, deck, looks, design) for deck in every}
        if problems:
            return []
        if len(looks) == known:
            continue
        done = set(list(looks.values())[:known])
        for deck in every:
            if all(specimen.look in done for specimen in decks[deck.id]) and not first:
                continue
            new = [look for look in dict.fromkeys(one.look for one in decks[deck.id]) if look not in done]
            for number, specimen in enumerate(decks[deck.id], 1):
                say(f"{name}: {design} ink, {deck.name}, face {number} of {len(decks[deck.id])}")
                if new and specimen.look is new[0]:
                    faces.draw(new[:AT_ONCE])
                    del new[:AT_ONCE]
                for check_name, check in FACE_CHECKS.items():
                    if specimen.look not in done or check_name == "alt-text":
                        findings.update(dict.fromkeys(check(specimen)))
                done.add(specimen.look)
                specimen.look.forget()
            saying = _beginning(say, f"{name}: {design} ink, {deck.name}, comparing faces")
            for deck_check in DECK_CHECKS.values():
                if not isinstance(deck, Deck):
                    continue  # pages of a book may look alike
                findings.update(dict.fromkeys(deck_check(deck, decks[deck.id], saying)))
        for game_check in GAME_CHECKS.values():
            findings.update(dict.fromkeys(game_check(game, composer)))
        drawn = {specimen.face.id: specimen.face for of_deck in decks.values() for specimen in of_deck}
        for paper in papers:
            say(f"{name}: {design} ink, drawing the sheets on {paper.name}")
            printed = documents.print_all(game, paper, composer, faces_among(drawn), problems)
            if problems:
                return []
            for sheet_check in SHEET_CHECKS.values():
                findings.update(dict.fromkeys(sheet_check(printed)))
        if game.variants or game.finished or not papers:
            continue  # a book has rules, and shows the usual pieces
        say(f"{name}: {design} ink, drawing the rulebook")
        rulebook = rulebook or rulebook_of(game, composer, drawn, problems)
        if rulebook is None or problems:
            return []
        findings.update(dict.fromkeys(check_book(rulebook)))
        for book in print_books(rulebook, composer, drawn, papers[0]):
            for book_check in BOOK_CHECKS.values():
                findings.update(dict.fromkeys(book_check(book)))
    return list(findings)


def _beginning(say: Say, words: str) -> Say:
    """Report these words immediately, and return a function that puts them before its own."""
    say(words)
    return lambda more: say(f"{words}, {more}")


def specimens(game: Game, composer: Composer, deck: Drawn, looks: dict[object, Look], inks: Inks) -> list[Specimen]:
    """Return every face of a deck or a book. Take looks from `looks`, and add new ones to it."""
    made: list[Specimen] = []
    templates = {"front": f"{deck.faces.front}.svg.j2", "back": f"{deck.faces.back}.svg.j2"}
    places = {side: composer.template_place(file, None) for side, file in templates.items()}
    for row in game.rows_of(deck):
        for side, face in zip(templates, composer.faces(deck, row), strict=True):
            if face is not None:
                look = looks.setdefault((face.stock, tuple(layer.look for layer in face.layers)), Look(face))
                files = composer.files_of(templates[side])
                made.append(Specimen(face, row, side, places[side], game.place(row.id), files, look, inks))
    return made
