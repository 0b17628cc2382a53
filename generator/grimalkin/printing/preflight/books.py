"""Draw a game's rulebook and quick-reference card, and read them back for checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grimalkin.content import Game, replay_all
from grimalkin.content.stocks import Paper
from grimalkin.games import guarded
from grimalkin.output.rulebooks import Rulebook
from grimalkin.printing.book.forms import Kind
from grimalkin.printing.book.make import TALL
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.quick_card import quick_faces
from grimalkin.printing.preflight.findings import Finding
from grimalkin.printing.preflight.reading import read_pdf
from grimalkin.printing.preflight.sheets import Printed
from grimalkin.printing.sheet import Edition, Settings
from grimalkin.printing.sheet.booklet import A5
from grimalkin.printing.sheet.quick_card import quick_pdf
from grimalkin.problems import Place, Problems, Stop, shown_path
from grimalkin.source import content_fingerprint


def rulebook_of(game: Game, composer: Composer, faces: Mapping[str, Face], problems: Problems) -> Rulebook | None:
    """Return the rulebook with its examples replayed; None if one of its templates is faulty."""
    try:
        with guarded(game.engine):
            return Rulebook(game, replay_all(game, Problems(), known=False), composer, faces, {})
    except Stop as stop:
        problems.extend(stop.problems)
        return None


def print_books(
    rulebook: Rulebook, composer: Composer, faces: Mapping[str, Face], paper: Paper, name: str
) -> Iterator[Printed]:
    """Yield the book for a screen, the booklet on a paper, and the quick-reference card, each read back."""
    game, inks = composer.game, composer.inks
    forms: tuple[tuple[Kind, Paper], ...] = (("screen", A5), ("booklet", paper))
    for kind, on in forms:
        papers = {name: paper} if kind == "booklet" else {}
        for data in rulebook.files(composer, faces, papers, [kind]).values():
            yield Printed(game, on, inks, (), read_pdf(data), "the rulebook")
    sides = quick_faces(composer)
    if sides:
        edition = Edition(game.version, content_fingerprint(game.folder))
        card = quick_pdf(game, sides, paper, Settings(inks=inks), edition)
        if card:
            yield Printed(game, paper, inks, (), read_pdf(card), "the quick-reference card")


def check_book(rulebook: Rulebook) -> Iterator[Finding]:
    """Yield pages with too much on them: a picture or a box that cannot be split."""
    place = Place(shown_path(rulebook.game.folder / "rules.yaml"))
    for number, leaf in enumerate(rulebook.book.leaves, 2):
        over = leaf.foot - TALL
        if over > 0.05:
            rules = ", ".join(dict.fromkeys(number for _, number in leaf.heads if number))
            told = f"the content is {over:.0f} mm higher than the page{f' (rule {rules})' if rules else ''}"
            yield Finding(
                "book", f"the rulebook, page {number}", place, told, "make the picture lower, or shorten the text"
            )
