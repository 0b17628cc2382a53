"""The command `show`: one picture of cards to share."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grimalkin.cli.common import Command, add_inks, add_names, add_number, remark
from grimalkin.cli.printables import PRINTABLE, add_only, add_pictures, chosen, load_printable
from grimalkin.problems import Place, Problems, Stop, colour_hint, did_you_mean
from grimalkin.problems.plain import visible

if TYPE_CHECKING:
    from grimalkin.content import Game
    from grimalkin.printing.face import Composer, Face

_SHOW = """\
Without --only, the picture shows some cards from the whole game, evenly spaced. The file is ./GAME-hand.png; it
replaces only a picture that this command made earlier. The command also prints an alt text for the picture.

examples:
  grimalkin show werecats
  grimalkin show wolf-mans-curse --as fan --only jc,qc,kc,ac
  grimalkin show werecats --as table --only family=roast --width 2400
  grimalkin show ./my-game --ground "#22304a" --side both --output my-game.png
  grimalkin show ./my-game --as table --changed-since 0.1  # new and changed cards
  grimalkin show ./pictures --as fan                      # a folder of finished pictures
"""
NAMED = 12
"""The maximum number of cards that an alt text names."""


def add(command: Command) -> None:
    show = command("show", _show, "Make one picture of cards to share: a hand, a fan or a table", _SHOW)
    show.add_argument("game", metavar="GAME", help=PRINTABLE)
    show.add_argument(
        "--as",
        dest="arrangement",
        choices=["hand", "fan", "table"],
        default="hand",
        help="a row of overlapping cards, cards spread around a point, or rows side by side (default: hand)",
    )
    add_only(show)
    add_pictures(show)
    show.add_argument(
        "--changed-since",
        metavar="VERSION|FILE",
        help="show only what looks different from a recorded build: a version, a content fingerprint, or a file",
    )
    add_number(
        show, "--most", 1, 200, "number of cards, evenly spaced (default: all that you choose, otherwise 7, 9 or 40)"
    )
    add_names(show, "--variant", "another size or other colours, from game.yaml")
    show.add_argument(
        "--side",
        choices=["front", "back", "both"],
        default="front",
        help="with both, each back appears once, at the end",
    )
    add_inks(show)
    show.add_argument(
        "--ground",
        type=_ground,
        default="",
        metavar="COLOUR",
        help="background: #rrggbb, the name of a palette colour, or none for transparent (default: the darkest)",
    )
    show.add_argument("--no-shadow", dest="shadow", action="store_false", help="leave out the cards' shadows")
    add_number(show, "--width", 200, 4000, "pixels, 200 to 4000 (default: 1600)", 1600)
    show.add_argument(
        "--output",
        type=_file,
        metavar="FILE.png",
        help="file to write (default: ./GAME-hand.png, or the name for --as)",
    )


def _ground(text: str) -> str:
    if text.startswith("#") and not re.fullmatch("#[0-9a-fA-F]{6}", text):
        raise argparse.ArgumentTypeError(f'"{text}" is not a colour; {colour_hint(text)}')
    return text.lower()


def _file(text: str) -> Path:
    if not text.lower().endswith(".png") or not Path(text).stem:
        raise argparse.ArgumentTypeError(f'"{text}" does not end in .png')
    return Path(text)


def _show(options: argparse.Namespace) -> int:
    from grimalkin.output.disk import replace_file
    from grimalkin.printing.draw.raster import laid_png
    from grimalkin.printing.draw.stocks import composer_of
    from grimalkin.printing.export.arrangements import arranged
    from grimalkin.printing.face.layers import flaws_of

    game = load_printable(options)
    path: Path = options.output or Path(f"{game.name}-{options.arrangement}.png")
    _refuse(path)
    ground = _ground_of(game, options.ground)
    composer = composer_of(game, problems := Problems(), options.inks, game.info.draft)
    problems.stop()
    faces = _faces(options, game, composer)
    problems.stop()
    if not faces:
        return 0
    remark(composer.pictures.notes)
    remark(told.problem() for told in flaws_of(faces))
    laid, size = arranged(faces, options.arrangement)
    pixels = options.width, max(1, round(options.width * size[1] / size[0]))
    replace_file(path, laid_png(laid, size, pixels, ground, options.shadow))
    print(visible(f"{path}: {pixels[0]} × {pixels[1]} pixels"))
    print(visible(f"alt text: {_alt(game, options.arrangement, faces)}"))
    return 0


def _refuse(path: Path) -> None:
    """Stop before drawing if the picture cannot go there: only a picture made by this command may be replaced."""
    from grimalkin.output.disk import kind_of, refuse
    from grimalkin.printing.draw.raster import MADE

    if not path.parent.is_dir():
        raise Stop.at(Place(path.parent.as_posix()), "there is no such folder", "make it first")
    refuse(path.parent, path.name, "file")
    if kind_of(path) == "file":
        with path.open("rb") as file:
            head = file.read(200)
        if not (head.startswith(b"\x89PNG") and MADE in head):
            hint = "name another file with --output"
            raise Stop.at(Place(path.as_posix()), "this file is not a picture that `grimalkin show` made", hint)


def _ground_of(game: Game, asked: str) -> str | None:
    """Return the colour of the background; None if it is transparent."""
    from grimalkin.printing.export.arrangements import ground_of_game

    if not asked or asked == "none" or asked.startswith("#"):
        return {"": ground_of_game(game.info), "none": None}.get(asked, asked)
    if asked not in game.info.shown_palette:
        hint = did_you_mean(asked, [*game.info.shown_palette, "none"])
        raise Stop.at(Place("--ground"), f'the palette of {game.info.title} has no "{asked}"', hint)
    return game.info.shown_palette[asked]


def _faces(options: argparse.Namespace, game: Game, composer: Composer) -> list[Face]:
    """Return the faces to show, no more than one picture can hold; none if nothing has changed."""
    from grimalkin.printing.export.arrangements import MOST, USUALLY, sides, spread, usual
    from grimalkin.printing.export.designs import designs_of

    ids = chosen(game, options.only)
    if options.changed_since:
        ids = _changed(options, composer, ids)
        if not ids:
            print("nothing looks different, so there is no picture to make")
            return []
    designs = designs_of(game, ids, composer.problems, composer)
    faces = sides(designs if ids else usual(designs, options.arrangement), options.side, options.arrangement)
    if not faces and not composer.problems:
        raise Stop.at(Place("--side"), "none of these cards has a back", "leave it out")
    most = options.most or (MOST if ids else USUALLY[options.arrangement])
    if len(faces) > most and not options.most and ids:
        hint = f"at most {MOST} fit: choose fewer with --only, or add --most {MOST} to show some of them"
        raise Stop.at(Place("--only"), f"{len(faces)} cards are too many for one picture", hint)
    if len(faces) > most:
        more = ", or more with --most" if most < MOST else ""
        print(f"{most} of {len(faces)} cards; choose others with --only{more}")
    return spread(faces, most)


def _changed(options: argparse.Namespace, composer: Composer, ids: Sequence[str]) -> list[str]:
    """Return the ids of components whose look differs from a record; if `ids` are given, only those among them."""
    from grimalkin.output.printout import record_now
    from grimalkin.output.records import find_record
    from grimalkin.printing.sheet.settings import Edition

    game = composer.game
    before = find_record(Path("output"), game, options.changed_since, options.inks)
    edition = Edition.of(game)
    now = record_now(composer, edition, options.inks)
    composer.problems.stop()
    looks = {id_: look for id_, (_, look) in before.cards.items()}
    return [id_ for id_, (_, look) in now.cards.items() if look != looks.get(id_) and (not ids or id_ in ids)]


def _alt(game: Game, arrangement: str, faces: Sequence[Face]) -> str:
    """Return a description of the picture for people who cannot see it."""
    where = {"hand": "a hand of cards", "fan": "a fan of cards", "table": "pieces side by side"}[arrangement]
    names = list(dict.fromkeys(face.alt if face.id.endswith("-back") else face.name for face in faces))
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{game.info.title}, {where}: {', '.join(names[:NAMED])}{more}"
