"""The text of a cover, the first leaf of a set of sheets: its contents, how to print and cut it, and a checklist.

`cover_pages` draws it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grimalkin.content import Game
from grimalkin.content.cutters import UNMARKED
from grimalkin.content.models import Deck, GameFile, credited
from grimalkin.content.stocks import Paper, Stock
from grimalkin.content.texts.references import plain_words
from grimalkin.printing.face import Composer, Face, Inks
from grimalkin.printing.face.flaws import Told
from grimalkin.printing.face.views import find_cover_art, find_drawn_title, has_title
from grimalkin.printing.sheet.pieces import FacesOf, Sheet
from grimalkin.printing.sheet.settings import PAGES, Edition, Settings
from grimalkin.problems import Place
from grimalkin.problems.plain import listed, plural


@dataclass(frozen=True)
class Component:
    """A line of the checklist."""

    name: str
    count: int
    pages: tuple[int, ...]
    detail: str = ""
    """The parts of the count, as in "10 × Penny, 6 × Nickel"."""


LICENCE = (
    "Words and pictures of this edition: CC BY 4.0, the Grimalkin authors; names and trademarks are their owners'."
)


PALE = "#f7f1e3"
"""The colour of words on a dark ground."""
IN_FAN = 3
"""The maximum number of fronts that a cover shows."""


@dataclass(frozen=True)
class Cover:
    """The text of a cover. Lines are sentences for people."""

    title: str
    tagline: str
    facts: tuple[tuple[str, str], ...]
    """The numbers that interest players most, each with a noun."""
    credits: tuple[str, ...]
    edition: tuple[str, ...]
    """Its version, if there is one, and its fingerprint."""
    paper: str
    settings: tuple[str, ...]
    """Instructions for printing."""
    stock: tuple[tuple[str, str], ...]
    """Names of components, and the material to print them on."""
    cutting: tuple[str, ...]
    """Instructions for cutting, in order."""
    components: tuple[Component, ...]
    palette: tuple[tuple[str, str], ...] = ()
    """Names and colours of the game's inks."""
    licence: str = ""
    notice: str = ""
    """A notice that the edition is unofficial; empty for a designer's own game."""
    draft: bool = False
    flaws: tuple[str, ...] = ()
    """Faults on the faces of a draft."""
    inks: Inks = "full"
    scale: str = ""
    """The size at which pieces are drawn, in words; "" for their true size."""
    art: Face | None = None
    title_drawn: Face | None = None
    """The title as the game draws it, unless its picture shows the title."""
    has_title: bool = False
    """Whether the picture shows the title."""
    fan: tuple[Face, ...] = ()
    """The fronts that represent the game."""
    place: Place = field(default=Place("the cover"))
    """The place to report if text does not fit."""


def cover_of(
    game: Game,
    sheets: Sequence[Sheet],
    paper: Paper,
    settings: Settings,
    composer: Composer,
    edition: Edition,
    flaws: Sequence[Told] = (),
    faces: FacesOf = lambda _: (None, None),
) -> Cover:
    """Return the cover of these sheets. The composer reports a fault in the game's own picture."""
    info, art = game.info, find_cover_art(game, composer)
    is_titled = art is not None and has_title(composer)
    pale = PALE if settings.inks == "full" else "#000000"
    decks = {deck.id: deck for deck in info.decks}
    names = {row.id: row.name for row in game.by_id.values()}
    components = tuple(_components(sheets, decks, names))
    stocks: dict[str, Stock] = {}
    for piece in (slot.piece for sheet in sheets for slot in sheet.slots):
        stocks.setdefault(piece.deck, piece.stock)
    makers = ", ".join(dict.fromkeys(credit.name for credit in info.credits))
    is_guess = info.minutes is not None and info.minutes.status != "printed"
    notice = ""
    if info.our_work:
        notice = (
            f"{info.title} belongs to its makers. This is an unofficial edition by people who like the game; {makers} "
            "did not make, check or endorse it."
        )
        shops = [credit.web for credit in info.credits if credit.web]
        notice += f" If you enjoy playing, buy the original: {listed(shops)}." if shops else ""
    if is_guess:
        notice += " The playing time is our estimate."
    return Cover(
        title=info.title,
        tagline=info.tagline or "",
        facts=tuple(facts_of(info)),
        credits=tuple(f"{role}: {names}" for role, names in credited(info.credits)),
        edition=tuple(edition.words),
        paper=paper.name,
        settings=(
            *_part_of(game, components),
            *_variants(game, settings.inks, composer.words_of),
            *_printing(paper, settings),
            *_books(game),
        ),
        stock=tuple(_stock_advice((decks[deck], stocks[deck]) for deck in decks if deck in stocks)),
        cutting=tuple(_cutting(sheets, settings)),
        components=components,
        palette=tuple((name, info.palette[name]) for name in info.shown_palette) if settings.inks != "mono" else (),
        licence=LICENCE if info.our_work else "",
        notice=notice.strip(),
        inks=settings.inks,
        scale=settings.said_scale,
        art=art,
        title_drawn=None if is_titled else find_drawn_title(game, composer, pale),
        has_title=is_titled,
        fan=tuple(_fan(game, sheets, faces)),
        place=game.own_place,
        draft=info.draft,
        flaws=tuple(told.words() for told in flaws),
    )


def _fan(game: Game, sheets: Sequence[Sheet], faces: FacesOf) -> Iterator[Face]:
    """Yield the fronts of the pieces that the game names for its cover, otherwise of its first decks."""
    printed = {slot.piece.id: slot.piece for sheet in sheets for slot in sheet.slots if slot.side == "front"}
    wanted = [id_ for id_ in game.info.cover if id_ in printed]
    wanted = wanted or [row.id for deck in game.info.decks for row in game.components[deck.id] if row.id in printed]
    for id_ in wanted[:IN_FAN]:
        front, _ = faces(printed[id_])
        if front is not None:
            yield front


def facts_of(info: GameFile) -> Iterator[tuple[str, str]]:
    """Yield the number of players and the playing time, if game.yaml gives them."""
    if info.players is not None:
        yield str(info.players), "players"
    if info.minutes is not None:
        yield str(info.minutes), "minutes" if info.minutes.status == "printed" else "minutes or so"


def _components(sheets: Sequence[Sheet], decks: dict[str, Deck], names: dict[str, str]) -> Iterable[Component]:
    """Yield the checklist. A piece is counted on one side only, and once if it is printed in parts."""
    sides = {slot.side for sheet in sheets for slot in sheet.slots}
    side = "front" if "front" in sides else "back"
    counted = {deck: Counter[str]() for deck in decks}
    pages: dict[str, list[int]] = {}
    before: tuple[str, ...] = ()
    for number, sheet in enumerate(sheets, PAGES + 1):
        before = sheet.decks or before  # the blank back of a leaf belongs to its front
        for deck in before:
            pages.setdefault(deck, []).append(number)
        if sheet.tile is None or (sheet.tile.column, sheet.tile.row) == (1, 1):
            for slot in sheet.slots:
                counted[slot.piece.deck][slot.piece.id] += slot.side == side
    for id_, one in decks.items():
        found = counted[id_]
        if found:
            rows = [f"{found[row]} × {name}".replace(" ", "\xa0") for row, name in names.items() if found[row]]
            detail = ", ".join(rows) if 1 < len(rows) <= 8 else ""
            yield Component(one.name, sum(found.values()), tuple(pages[id_]), detail)


def _part_of(game: Game, components: Sequence[Component]) -> Iterable[str]:
    """Yield a note if these are not the pieces of one complete game."""
    printed, whole = sum(one.count for one in components), sum(deck.count for deck in game.info.decks)
    if printed != whole:
        for_whom = f" for {game.part.name}" if game.part else ""
        are = "This is" if printed == 1 else "These are"
        yield f"{are} {plural(printed, 'piece')}{for_whom}; the whole game has {whole:,}."


def _books(game: Game) -> Iterable[str]:
    """Yield a note that books are separate files, with their own instructions."""
    if game.info.books and not game.variants:
        names = listed([book.name for book in game.info.books])
        yield f"{names}: in separate files; on both sides, flipped on the short edge; fold, and staple the fold."


def _variants(game: Game, inks: Inks, words_of: Mapping[str, str]) -> Iterable[str]:
    """Yield the description of each variant. In black only, no colours are promised."""
    holds = ("cards", inks).__contains__
    for variant in game.variants:
        unseen = inks == "mono" and not variant.stocks
        told = "not visible in black only." if unseen else plain_words(variant.text, words_of, holds)
        yield f"{variant.name}: {told}"


def _printing(paper: Paper, settings: Settings) -> Iterable[str]:
    """Yield instructions for printing, in sentences."""
    yield f"{paper.name}, at 100\xa0% (“actual size”). “Fit to page” makes everything too small."
    if settings.labels:
        yield f"On the labels {settings.labels}: try a sheet of plain paper first, and hold it against the labels."
    if settings.mirror:
        yield "Pieces are mirrored: they are the right way round once they are transferred."
    if settings.said_scale:
        yield f"The pieces on these sheets are drawn {settings.said_scale}; the measures of this cover are true."
    edge = settings.flip
    yield {
        "duplex": f"Fronts first, on one side; then turn them over the {edge} edge, and print their backs."
        if settings.same_backs_once
        else f"On both sides, flipped on the {edge} edge.",
        "fold": "On one side. Fold each sheet that has a dotted line, and glue the halves together.",
        "none": "Fronts only, on one side.",
        "apart": "Fronts and backs are two files. "
        + (
            "Print each on sheets of its own."
            if settings.is_one_sided
            else f"Turn the printed fronts over the {edge} edge to print the backs."
        ),
    }[settings.backs]
    if settings.same_backs_once:
        yield "Identical backs come once, at the end: each lists the leaves to print it on."
    yield {
        "full": "With all inks.",
        "low": "With little ink: outlines on white paper.",
        "mono": "In black only, good for laser printers and copiers.",
    }[settings.inks]
    if printer := settings.printer:
        what, known = ("Pages", "") if printer.moves_fronts else ("Backs", "backs ")
        yield f"{what} are moved for the printer “{printer.name}”: {printer.moves.removeprefix(known)}."
    elif settings.backs in ("duplex", "apart") and not settings.is_one_sided:
        yield "If backs miss their fronts, measure your printer with “grimalkin calibrate”."
    if settings.cutter:
        yield f"For the cutting machine {settings.cutter}: load the cut file that comes with these sheets."
    yield "This leaf is a cover: plain paper will do."


def _stock_advice(decks: Iterable[tuple[Deck, Stock]]) -> Iterable[tuple[str, str]]:
    """Yield the material to print each deck on; decks with the same advice share a line."""
    advice: dict[str, list[str]] = {}
    for deck, stock in decks:
        advice.setdefault(_advice(deck, stock), []).append(deck.name)
    for words, names in advice.items():
        yield ", ".join(names), words


def _advice(deck: Deck, stock: Stock) -> str:
    if stock.fold == "standee":
        return "card of 200–250\xa0g/m²; score, fold, glue, and slot or glue the feet"
    if stock.fold == "tent":
        return "card of 200–250\xa0g/m²; score and fold, no glue"
    if max(stock.width, stock.height) > 150:
        return "paper of 160–200\xa0g/m²; to make it last, laminate it, or glue it on board"
    if stock.shape != "rectangle" or deck.kind not in ("card", "mat"):
        return "plain paper or labels, glued on board of 1.5–2\xa0mm before cutting"
    return "card of 250–300\xa0g/m²; or plain paper in sleeves, with a playing card behind"


def _cutting(sheets: Sequence[Sheet], settings: Settings) -> Iterable[str]:
    """Yield instructions for cutting, in order."""
    stocks = {slot.piece.stock for sheet in sheets for slot in sheet.slots}
    straight = any(stock.shape != "circle" and not stock.lines for stock in stocks)
    if sheets and all(sheet.is_precut for sheet in sheets):
        yield "The labels are cut already: peel them off."
        return
    if settings.cutter:
        has_marks = settings.marks != "none" and settings.cutter not in UNMARKED
        way = "Let the machine find the registration marks" if has_marks else "Lay the outlines on the printed pieces"
        yield f"{way}, and try it with a sheet of plain paper first."
        return
    if any(sheet.fold for sheet in sheets):
        yield "Score the dotted line with an empty pen, fold, glue, and press under books; cut when dry."
    if straight:
        yield "Use a guillotine, or a metal ruler and several light strokes of a sharp knife."
        yield {
            "corners": "Marks at the corners are in line with the cuts: lay the ruler from mark to mark. With "
            "scissors, cut the pieces apart between them first.",
            "crosses": "The crosses are where cuts meet: lay the ruler from cross to cross.",
            "ticks": "The marks are at the edge of the sheet: lay the ruler from edge to edge.",
            "lines": "Cut along the lines.",
            "dots": "Marks show the cuts, and dots where a round corner begins.",
            "none": "There are no marks: cut along the edge of the printed area.",
        }[settings.marks]
        if settings.marks != "none":
            yield "Cut across first, and keep the top strip: its marks show where to cut down."
    if any(slot.cell for sheet in sheets for slot in sheet.slots):
        yield "Nested hexagons: cut them apart with scissors, then cut along the fine dashed lines."
    rounds = sorted({stock.width for stock in stocks if stock.shape == "circle"})
    if rounds:
        sizes = ", ".join(f"{width:g}" for width in rounds)
        yield (
            f"Round pieces: cut them apart, glue, let dry, then follow the fine dashed line with scissors, or punch "
            f"({sizes} mm)."
        )
    if any(stock.lines and stock.lines.creases for stock in stocks):
        yield "Score the dashed lines with an empty pen before you cut along the solid ones, and fold."
    if any(stock.lines for stock in stocks):
        yield "Drawn shapes: cut them apart, glue, let dry, then cut along the solid lines, holes first."
    folds = {stock.fold for stock in stocks}
    if "standee" in folds:
        yield "A standee is one strip: score it from dots to dots, fold it, and glue the halves, but not the feet."
        yield "If dashes are drawn around its figure, cut along them when the glue is dry; then bend the feet outwards."
    if "tent" in folds:
        yield "A tent is one strip: score it from dots to dots, and fold it; do not glue it."
    if any(sheet.tile for sheet in sheets):
        yield (
            "A piece larger than a sheet comes in parts: cut them along the dashed lines, lay the edge on the ticks of "
            "its neighbour, and glue."
        )
    corners = sorted({stock.corner for stock in stocks if stock.corner and not stock.lines})
    if corners:
        yield f"Round the corners last ({', '.join(f'{corner:g}' for corner in corners)} mm)."
