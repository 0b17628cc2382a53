"""Options for what to print: rows of tables with `--only`, and a folder of finished pictures.

An id in `--only` names a component, or a deck and so all of its rows. `COLUMN=VALUE` and `COLUMN!=VALUE` are
conditions on the tables: they select rows among the named components, or in the whole game if none is named."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from grimalkin.cli.common import add_names, load, remark
from grimalkin.problems import Place, Problems, Stop, did_you_mean, nearest
from grimalkin.problems.plain import folded, listed, visible

if TYPE_CHECKING:
    from grimalkin.content import Game
    from grimalkin.content.models import Component, Deck
    from grimalkin.printing.finished import Ways

ONLY = "only these cards or decks, or rows with a value in a column: owl,spells or kind=spell or kind!=spell"
_PLACE = Place("--only")
_BUILT_IN = ("id", "name", "count", "stock")


class Condition(NamedTuple):
    """One `COLUMN=VALUE` or `COLUMN!=VALUE`, in lower case."""

    column: str
    is_equal: bool
    value: str

    @classmethod
    def read(cls, text: str) -> Condition:
        column, _, value = text.partition("=")
        is_equal = not column.endswith("!")
        return cls(_folded(column.removesuffix("!")).replace("_", "-"), is_equal, _folded(value))


Cells = Mapping[str, str]
"""The text of a row in each column, in lower case; an empty cell is ""."""


def add_only(parser: argparse._ActionsContainer) -> None:
    """Add the option `--only`."""
    add_names(parser, "--only", ONLY, "ID,COLUMN=VALUE")


def chosen(game: Game, only: Sequence[str]) -> list[str]:
    """Return the ids of the components that `--only` selects, in the order of the game; none without `--only`.

    Conditions on one column with `=` are alternatives; otherwise, all conditions must hold. Stops if a name, a
    column or a value is unknown, or if no component fits.
    """
    if not only:
        return []
    conditions = [Condition.read(one) for one in only if "=" in one]
    named = [one for one in only if "=" not in one]
    problems = Problems()
    _check_names(game, named, problems)
    cells = {row.id: _cells(row, deck) for deck in game.info.decks for row in game.components[deck.id]}
    for written, condition in zip((one for one in only if "=" in one), conditions, strict=True):
        _check(written, condition, cells.values(), problems)
    problems.stop()
    decks = {row.id: deck.id for deck in game.info.decks for row in game.components[deck.id]}
    asked = [id_ for id_ in cells if not named or id_ in named or decks[id_] in named]
    found = [id_ for id_ in asked if _fits(cells[id_], conditions)]
    if not found:
        problems.add(_PLACE, f'no card fits all of "{",".join(only)}"', "leave out one of the conditions")
    problems.stop()
    return found


def _check_names(game: Game, named: Sequence[str], problems: Problems) -> None:
    known = {*game.by_id, *(deck.id for deck in game.info.decks)}
    for one in named:
        if one not in known:
            hint = "write COLUMN=VALUE or COLUMN!=VALUE" if set(one) & set("<>") else did_you_mean(one, known)
            problems.add(_PLACE, f'there is no card or deck "{one}"', hint)


def _check(written: str, condition: Condition, rows: Iterable[Cells], problems: Problems) -> None:
    """Report a column that no deck has, or a value that no row has."""
    column, _, value = condition
    if set(column) & set("<>~"):
        problems.add(_PLACE, f'"{written}" is not a condition', "write COLUMN=VALUE or COLUMN!=VALUE")
        return
    values = {row[column]: None for row in rows if column in row}
    if not values:
        known = {name for row in rows for name in row}
        hint = did_you_mean(column, known, "the headers of the tables are the columns")
        problems.add(_PLACE, f'no deck has a column "{column}"', hint)
    elif value not in values:
        hint = did_you_mean(value, values, "look it up in the tables")
        problems.add(_PLACE, f'no card has "{value}" in the column "{column}"', hint)


def _fits(cells: Cells, conditions: Sequence[Condition]) -> bool:
    """Return whether a row fits. A column that its deck does not have counts as empty."""
    wanted: dict[str, set[str]] = {}
    for column, is_equal, value in conditions:
        if is_equal:
            wanted.setdefault(column, set()).add(value)
        elif cells.get(column) == value:
            return False
    return all(cells.get(column) in values for column, values in wanted.items())


def _cells(row: Component, deck: Deck) -> Cells:
    columns = [*_BUILT_IN, *deck.columns]
    values = {column: getattr(row, column.replace("-", "_"), None) for column in columns}
    values["stock"] = row.stock or deck.stock
    return {_folded(column).replace("_", "-"): _text(value) for column, value in values.items()}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else _folded(str(value))


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


PRINTABLE = "a name from `grimalkin games`, or the path to a folder: a game, or finished pictures"
_OPTIONS = {
    "stock": "--stock",
    "crop": "--crop",
    "fit": "--fit",
    "bleed_from": "--bleed-from",
    "bleed_in_art": "--bleed-in-art",
    "skip": "--skip",
}
"""Options that only pictures have, by the attributes that hold their values."""
_COLOURS = {"white": "#ffffff", "black": "#000000"}
_LENGTH = re.compile(r"(\d{1,3}(?:\.\d{1,4})?)\s?(mm|cm|in|\")?")
_MM = {"mm": 1.0, "cm": 10.0, "in": 25.4, '"': 25.4}
_MOST_BLEED = 20.0


def add_pictures(parser: argparse.ArgumentParser) -> None:
    """Add the options for a folder of pictures."""
    group = parser.add_argument_group(
        "a folder of pictures",
        "A folder without game.yaml is a deck: each picture (PNG, JPEG, WebP, TIFF, GIF, SVG) and each page of a PDF\n"
        "is a front. back.png is the back of every card, guard-back.png that of guard.png; they may also be in\n"
        'folders called fronts and backs. "guard x4.png" is printed four times; counts.csv (name,count) works, too.',
    )
    group.add_argument(
        "--stock", metavar="NAME", default="", help="size to cut them to (default: chosen by their proportions)"
    )
    over = group.add_mutually_exclusive_group()
    over.add_argument(
        "--crop", action="store_true", help="let pictures of other proportions fill the card, and cut off the rest"
    )
    over.add_argument(
        "--fit", type=_colour, metavar="COLOUR", help="show them whole, with a border: white, black or #rrggbb"
    )
    group.add_argument(
        "--bleed-from",
        type=_bleed,
        metavar="HOW",
        help="how to make a bleed for pictures without one: mirror, edge (repeated), or a colour (default: mirror)",
    )
    group.add_argument(
        "--bleed-in-art",
        type=_in_art,
        metavar="LENGTH",
        help="bleed that the pictures already have on each side: 3mm, 0.125in",
    )
    add_names(group, "--skip", "pictures to leave out", "NAME,NAME")


def _colour(text: str) -> str:
    colour = _COLOURS.get(text.lower(), text)
    if not re.fullmatch("#[0-9a-fA-F]{6}", colour):
        hint = nearest(text, _COLOURS, "write white, black or #rrggbb")
        raise argparse.ArgumentTypeError(f'"{text}" is not a colour; {hint}')
    return colour.lower()


def _bleed(text: str) -> str:
    if text in ("mirror", "edge"):
        return text
    try:
        return _colour(text)
    except argparse.ArgumentTypeError:
        hint = nearest(text, ("mirror", "edge", *_COLOURS), "choose from mirror, edge, white, black, #rrggbb")
        raise argparse.ArgumentTypeError(f'invalid choice: "{text}"; {hint}') from None


def _in_art(text: str) -> float:
    found = _LENGTH.fullmatch(text.strip().lower())
    length = float(found[1]) * _MM[found[2] or "mm"] if found else -1.0
    if not 0 <= length <= _MOST_BLEED:
        raise argparse.ArgumentTypeError(
            f'"{text}" is not a length from 0 to {_MOST_BLEED:g} mm, such as 3mm or 0.125in'
        )
    return length


def find_pictures(name: str) -> Path | None:
    """Return the folder of pictures at a path; None if the path is anything else. Raises Stop."""
    is_path = "/" in name or "\\" in name or name in (".", "..")
    folder = Path(name)
    if not folder.is_dir() or (folder / "game.yaml").exists():
        return None
    if is_path:
        return folder
    from grimalkin.printing.finished import has_pictures
    from grimalkin.source import all_games

    if has_pictures(folder) and name not in all_games(Problems()):
        raise Stop.at(Place(name), "name a folder of pictures by its path", f"did you mean ./{name}?")
    return None


def load_printable(options: argparse.Namespace, draft: bool = False) -> Game:
    """Load the named game, or the deck made from a folder of pictures. Stops with all of its problems.

    Prints what was found in a folder of pictures. Names in --only become the ids of its cards.
    """
    folder = find_pictures(options.game)
    if folder is None:
        game = load(options.game, draft, options.variant)
        refuse_ways(options, options.game)
        return game
    game = read_folder(folder, options)
    if draft:
        game = replace(game, info=game.info.model_copy(update={"draft": True}))
    if options.variant:
        raise Stop.at(Place("--variant"), "a folder of pictures has no variants", "name another size with --stock")
    options.only = [id_ for name in getattr(options, "only", ()) for id_ in _ids(game, name)]
    return game


def read_folder(folder: Path, options: argparse.Namespace) -> Game:
    """Read a folder of pictures as a deck. Stops with all of its problems; prints what was found and chosen."""
    from grimalkin.printing.finished import read_pictures

    problems = Problems()
    read = read_pictures(folder, ways_of(options), problems)
    if read is None or problems:
        raise Stop(problems)
    for line in read.lines:
        print(visible(line), file=sys.stderr if getattr(options, "json", False) else sys.stdout)
    remark(read.remarks)
    return read.game


def reader(options: argparse.Namespace) -> Callable[[Path, Problems], Game | None]:
    """Return a function that reads a folder of pictures as a game. Stops if the options contradict each other."""
    from grimalkin.printing.finished import read_pictures

    ways = ways_of(options)

    def read(folder: Path, problems: Problems) -> Game | None:
        found = read_pictures(folder, ways, problems)
        return found.game if found else None

    return read


def refuse_ways(options: argparse.Namespace, name: str) -> None:
    """Refuse the options for pictures if a game is named."""
    given = [flag for option, flag in _OPTIONS.items() if getattr(options, option) not in (None, False, "", [])]
    if given:
        verb = "is" if len(given) == 1 else "are"
        told = f"{listed(given)} {verb} for a folder of pictures, but this is a game"
        raise Stop.at(Place(name), told, "its tables and templates say how it is cut and drawn")


def ways_of(options: argparse.Namespace) -> Ways:
    """Return how the options turn pictures into cards. Stops if they contradict each other."""
    from grimalkin.printing.finished import Ways

    if options.fit and (options.bleed_from or options.bleed_in_art):
        other = "--bleed-from" if options.bleed_from else "--bleed-in-art"
        raise Stop.at(Place("--fit"), f"it cannot be given together with {other}", "the border goes on into the bleed")
    colour = options.fit or options.bleed_from or ""
    return Ways(
        options.stock,
        "crop" if options.crop else "fit" if options.fit else "",
        "colour" if colour.startswith("#") else "edge" if colour == "edge" else "mirror",
        colour if colour.startswith("#") else "#ffffff",
        0.0 if options.fit else options.bleed_in_art,
        tuple(options.skip),
        getattr(options, "backs", "") == "none",
    )


def _ids(game: Game, name: str) -> list[str]:
    """Return the ids of the cards with a name; if there are none, the name itself, which the check of ids reports."""
    from grimalkin.printing.finished import named

    meant = {folded(name), folded(named(Path(name).stem).name)}
    known = [row.id for row in game.by_id.values() if row.id == name or folded(row.name) in meant]
    return known or [name]
