"""Make a Game from a folder of finished pictures: one deck, whose faces are the pictures. The folder is not changed.

Everything that works for the sheets of a game then works for the pictures.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from grimalkin.content.game import Finished, Game
from grimalkin.content.loader import MOST_PIECES
from grimalkin.content.models import Component, GameFile, row_model
from grimalkin.content.stocks import Stock, load_stocks
from grimalkin.content.values import NO_TEXT
from grimalkin.printing.draw.pdf_pages import Pages, PdfPage, Sized, look_at
from grimalkin.printing.face.images.game_art import Art, Pictures
from grimalkin.printing.face.images.pictures import Picture
from grimalkin.printing.finished.cards import (
    BACKS,
    ENDINGS,
    FRONTS,
    Card,
    Found,
    Listing,
    cards_of,
    has_pictures,
    id_of,
    listing,
    paged,
)
from grimalkin.printing.finished.fitting import OFF, Cut, Unit, Ways, apart, bleed_by_pixels, find_cut, room_of, size_of
from grimalkin.printing.type.fonts import SERIF_BLACK
from grimalkin.printing.type.shaping import MissingGlyph, line_width
from grimalkin.problems import Place, Problem, Problems, did_you_mean, shown_path
from grimalkin.problems.plain import LONGEST_ID, listed, plural
from grimalkin.source import Source, bundled_games, name_of, short_digest
from grimalkin.source.game_folders import hint_without_game

MOST_SIDES: Final = 10_000
"""The maximum number of pictures and pages in a folder."""
NOTHING_LEFT: Final = "nothing is left to print", "add a picture, or skip fewer"
_DECK: Final = "cards"
_DPI: Final = 600
"""Pixels per inch: finished pictures with up to half as many again stay unchanged; larger ones are reduced to this."""
_TOLD: Final = 5
"""The maximum number of names that a message lists."""
_TYPED: Final = str.maketrans("{}_", "() ")

Faces = Sequence[tuple[Found, str, Art]]
"""Pictures, the name of each, and their contents."""


class Read(NamedTuple):
    """The result of reading a folder."""

    game: Game
    lines: tuple[str, ...]
    """A summary, line by line, of the files found in the folder and the settings chosen for them."""
    remarks: tuple[Problem, ...]


def read_pictures(folder: Path, ways: Ways, problems: Problems) -> Read | None:
    """Read a folder of pictures; return None, with problems, if it cannot become a deck."""
    found = listing(folder, ways.skip, problems)
    remarks = list(found.remarks)
    if not found.fronts and not found.backs and not problems:
        problems.add(Place(shown_path(folder)), *(_nothing(folder) if not ways.skip else NOTHING_LEFT))
    pages = {} if problems else _pages(found, folder, problems)
    if problems:
        return None
    cards = _cards(found, pages, folder, ways, problems, remarks)
    if problems:
        return None
    keys = _keys(cards)
    pictures = Pictures.of(folder, {key: one.path for one, key in keys.items()}, problems)
    pictures.known.update(_drawn_pages(keys, pages, folder, pictures))
    read = [(one, key, art) for one, key in keys.items() if (art := pictures.picture(key)) is not None]
    stocks = load_stocks(folder, problems)
    cut = None if problems else _cut(read, stocks, ways, folder, problems)
    if cut is None or problems:
        return None
    stock = stocks[cut.stock]
    rooms: dict[str, Mapping[str, Any]] = {}
    for one, key, art in read:
        side = "back" if key.startswith("b") else "front"
        rooms[key], needed = room_of(key, art, side, stock, ways, cut.bleed)
        pictures.known.update(needed)
        pictures.update((name, one.path) for name, _ in needed)
    finished = Finished(pictures, rooms, _digest(read, rooms, cards, keys, stock))
    return Read(_game(folder, cards, keys, cut.stock, finished), tuple(_lines(cards, stock, cut, read)), tuple(remarks))


def _cards(
    found: Listing,
    pages: Mapping[Path, tuple[str, list[Sized]]],
    folder: Path,
    ways: Ways,
    problems: Problems,
    remarks: list[Problem],
) -> list[Card]:
    """Return the cards of a folder: at least one, and not too many to print."""
    place = Place(shown_path(folder))
    counted = {path: len(sizes) for path, (_, sizes) in pages.items()}
    sides = sum(counted.get(one.path, 1) for one in (*found.fronts, *found.backs))
    if sides > MOST_SIDES:
        problems.add(
            place, f"the folder has {sides:,} pictures and pages", f"at most {MOST_SIDES:,} are read; split the folder"
        )
        return []
    found = replace(found, fronts=paged(found.fronts, counted), backs=paged(found.backs, counted))
    cards = cards_of(found, folder, problems, remarks, ways.one_sided)
    pieces = sum(card.count for card in cards)
    if not cards and not problems:
        problems.add(place, *NOTHING_LEFT)
    if pieces > MOST_PIECES:
        problems.add(place, f"there are {pieces:,} cards", f"at most {MOST_PIECES:,} are printed; lower the counts")
    return cards


def _pages(found: Listing, folder: Path, problems: Problems) -> Mapping[Path, tuple[str, list[Sized]]]:
    """Return the digest of each PDF, and the sizes of its pages."""
    paths = [one.path for one in (*found.fronts, *found.backs) if one.path.suffix.lower() == ".pdf"]
    if not paths:
        return {}
    return look_at(paths, folder, problems)


def _drawn_pages(
    keys: Mapping[Found, str], pages: Mapping[Path, tuple[str, list[Sized]]], folder: Path, pictures: Pictures
) -> dict[str, Art]:
    """Return the pages of PDFs as pictures, by the names that faces use."""
    if not pages:
        return {}
    drawn = Pages(pictures.notes)
    found: dict[str, Art] = {}
    for one, key in keys.items():
        if one.path in pages:
            digest, sizes = pages[one.path]
            found[key] = drawn.add(one.path, folder, one.page, digest, sizes[one.page])
    return found


def _nothing(folder: Path) -> tuple[str, str]:
    """Return a message and a hint for a folder that contains neither a game nor pictures."""
    read = listed(sorted({ending[1:] for ending in ENDINGS}))
    hint = hint_without_game(folder)
    inside = sorted(path for path in folder.iterdir() if path.is_dir() and has_pictures(path))
    if hint.startswith("name"):
        hint = f"there are some in {inside[0]}" if inside else f"{hint}, or one of pictures: {read}"
    return "this folder has no game.yaml and no pictures", hint


def _keys(cards: Iterable[Card]) -> dict[Found, str]:
    """Return the name that faces use for each picture."""
    keys: dict[Found, str] = {}
    for card in cards:
        keys.setdefault(card.front, f"f{len(keys)}")
        if card.back:
            keys.setdefault(card.back, f"b{len(keys)}")
    return keys


# The cut


def _cut(read: Faces, stocks: Mapping[str, Stock], ways: Ways, folder: Path, problems: Problems) -> Cut | None:
    """Choose the stock of the pictures; report a problem if they differ, or if no stock has their proportions."""
    pixels = [size_of(art) for _, _, art in read if _unit(art) == "pixels"]
    if ways.stock:
        if ways.stock not in stocks:
            hint = did_you_mean(ways.stock, stocks, "the guide's reference lists ours")
            problems.add(Place("--stock"), f'there is no stock "{ways.stock}"', hint)
            return None
        guess = bleed_by_pixels(pixels, stocks[ways.stock]) if ways.bleed_in_art is None else 0.0
        cut = Cut(ways.stock, ways.bleed_in_art or guess, guess > 0)
    else:
        sizes = Counter((size_of(art), _unit(art)) for _, _, art in read)
        found = Counter[Cut | None]()
        for (size, unit), count in sizes.items():
            found[find_cut(size, unit, stocks, ways.bleed_in_art)] += count
        best = max((one for one in found if one), key=lambda one: found[one], default=None)
        if best is None:
            width, height = size_of(read[0][2])
            told = f"no stock has the proportions of these pictures, {width:g} × {height:g}"
            problems.add(read[0][0].place, told, "name one with --stock, and add --crop or --fit COLOUR")
            return None
        cut = best
    if not ways.crop:
        _check_proportions(read, stocks[cut.stock], cut, folder, problems)
    return cut


def _unit(art: Art) -> Unit:
    return "mm" if isinstance(art, PdfPage) else "pixels" if isinstance(art, Picture) else ""


def _is_off(art: Art, stock: Stock, cut: Cut) -> bool:
    """Return whether a picture would lose more than a sliver. The size of a page excludes its bleed."""
    return apart(size_of(art), stock, 0.0 if isinstance(art, PdfPage) else cut.bleed) > OFF


def _check_proportions(read: Faces, stock: Stock, cut: Cut, folder: Path, problems: Problems) -> None:
    """Report pictures that would lose more than a sliver."""
    off = [(one, art) for one, _, art in read if _is_off(art, stock, cut)]
    if not off:
        return
    width, height = stock.width + 2 * cut.bleed, stock.height + 2 * cut.bleed
    what = f"the stock {cut.stock}, {width:g} × {height:g} mm" + (" with its bleed" if cut.bleed else "")
    groups: dict[str, list[str]] = {}
    for one, art in off:
        groups.setdefault(" × ".join(f"{side:g}" for side in size_of(art)), []).append(one.path.name)
    others = _first(f"{_first(names)} ({size})" for size, names in groups.items())
    message = f"{len(read) - len(off)} of {plural(len(read), 'picture')} fit {what}; these do not: {others}"
    hint = "cut them to size with --crop, show them whole with --fit white, name another --stock, or --skip them"
    problems.add(Place(shown_path(folder)), message, hint)


def _first(words: Iterable[str]) -> str:
    """List the first few words."""
    known = list(words)
    return ", ".join(known[:_TOLD]) + (", …" if len(known) > _TOLD else "")


# The game


def _game(folder: Path, cards: Sequence[Card], keys: Mapping[Found, str], stock: str, finished: Finished) -> Game:
    name = name_of(folder)
    info = _info(_title(name), sum(card.count for card in cards), stock, any(card.back for card in cards))
    model = row_model(info.decks[0])
    taken: set[str] = set()
    rows: list[Component] = []
    places: dict[str, tuple[Source, tuple[str | int, ...]]] = {}
    for card in cards:
        id_ = id_of(card.name, taken)
        row = {
            "id": id_,
            "name": _plain(card.name) or id_.replace("-", " "),
            "count": card.count,
            "front": keys[card.front],
            "back": keys[card.back] if card.back else "",
        }
        rows.append(model.model_validate({key: value for key, value in row.items() if value != ""}))
        places[rows[-1].id] = Source(card.front.path, {}), ()
    components = {_DECK: tuple(rows)}
    return Game(name=game_name(name), folder=folder, info=info, components=components, places=places, finished=finished)


def _info(title: str, count: int, stock: str, two_sided: bool) -> GameFile:
    faces = {"front": "base/picture"} | ({"back": "base/picture"} if two_sided else {})
    column = {"type": "text", "label": "Picture", "optional": True, "shown": False}
    deck = {
        "id": _DECK,
        "name": "Cards",
        "kind": "card",
        "file": f"{FRONTS}, {BACKS}",
        "stock": stock,
        "count": count,
        "faces": faces,
        "columns": {"front": column, "back": column},
        "pictures": {"dpi": _DPI},
    }
    return GameFile.model_validate({"title": title, "decks": [deck]})


def game_name(folder: str) -> str:
    """Return the name of the game made from a folder of pictures, which its printed files and folders also get.

    >>> game_name("My Pictures!"), game_name("絵"), game_name("werecats")
    ('my-pictures', 'pictures', 'werecats-pictures')
    """
    name = id_of(folder, set(), "pictures")[:LONGEST_ID]
    return f"{name}-pictures" if name in bundled_games() else name


def _title(folder: str) -> str:
    words = re.sub(r"(?<=\w)-(?=\w)", " ", _plain(folder)).strip()
    return words[:1].upper() + words[1:] or "Pictures"


def _plain(name: str) -> str:
    """Return a name as a line of text; "" if the font of covers lacks any of its letters."""
    line = " ".join(NO_TEXT.sub("", name).translate(_TYPED).split())[:200]
    try:
        line_width(SERIF_BLACK, line)
    except MissingGlyph:
        return ""
    return line


def _digest(
    read: Faces, rooms: Mapping[str, Any], cards: Iterable[Card], keys: Mapping[Found, str], stock: Stock
) -> str:
    """Return a six-character digest of the appearance of all cards."""
    art = {key: art.digest for _, key, art in read}
    deck = [(card.name, card.count, keys[card.front], keys[card.back] if card.back else "") for card in cards]
    cut = stock.model_dump(mode="json", exclude=None if stock.tab else {"tab"})
    whole = json.dumps([art, deck, rooms, cut], sort_keys=True)
    return short_digest(sha256(whole.encode()).digest())


def _lines(cards: Sequence[Card], stock: Stock, cut: Cut, read: Faces) -> Iterable[str]:
    """Yield a summary, line by line, of the files found and the settings chosen."""
    total = sum(card.count for card in cards)
    backs = {card.back for card in cards}
    back = "no backs" if backs == {None} else "one back" if len(backs) == 1 else f"{len(backs):,} backs"
    yield f"{plural(len(cards), 'picture')}, {plural(total, 'card')}, {back}"
    yield f"cut to {cut.stock}, {stock.width:g} × {stock.height:g} mm ({stock.name}); another size: --stock NAME"
    if cut.is_guess:
        width, height = next(size_of(art) for _, _, art in read if _unit(art) == "pixels")
        told = f"{width:g} × {height:g} pixels are the size of such a card with {cut.bleed:g} mm of bleed"
        yield f"{told}; if the pictures have no bleed: --bleed-in-art 0"
