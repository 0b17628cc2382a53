"""The command `rulebook`, which makes one game's rulebook in several forms."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grimalkin.cli.common import (
    GAME,
    INK,
    INKS,
    OUTPUT,
    Command,
    add_names,
    folder_to_make,
    load,
    print_owed,
    progress,
    telling,
)
from grimalkin.problems import Place, Problems, Stop, did_you_mean, shown_path
from grimalkin.problems.plain import plural, visible

if TYPE_CHECKING:
    from grimalkin.printing.book.forms import Kind

FORMS = ("screen", "booklet", "pages")
_RULEBOOK = """\
Files go to DIR/rulebooks/GAME and replace those of the last run. Anything you added or changed there moves to DIR/kept.
A book needs only rules.yaml; for its other parts, see the guide.

examples:
  grimalkin rulebook were-kittens                             # to read, to fold, and in large type
  grimalkin rulebook ./my-game --form booklet --paper a4 --ink low
"""


def add(command: Command) -> None:
    rulebook = command("rulebook", _rulebook, "Make the rulebook of one game, to read and to print", _RULEBOOK)
    rulebook.set_defaults(changes=True)
    rulebook.add_argument("game", metavar="GAME", help=GAME)
    rulebook.add_argument("--output", type=folder_to_make, default=Path("output"), metavar="DIR", help=OUTPUT)
    rulebook.add_argument("--draft", action="store_true", help='print "draft" on the cover')
    forms = f"for a screen, to fold, or in large type (default: {','.join(FORMS)})"
    add_names(rulebook, "--form", forms, "NAME,NAME", ",".join(FORMS))
    papers = "papers for booklets and pages (default: a4,letter)"
    add_names(rulebook, "--paper", papers, "NAME,NAME", "a4,letter")
    rulebook.add_argument(
        "--ink",
        dest="inks",
        choices=INKS,
        default="full",
        help=INK,
    )


def _rulebook(options: argparse.Namespace) -> int:
    with telling(options) as tell:
        return _make(options, tell)


def _make(options: argparse.Namespace, tell: Callable[[str], None]) -> int:
    from grimalkin.content import replay_all
    from grimalkin.content.stocks import load_papers
    from grimalkin.games import guarded
    from grimalkin.output.disk import write_new
    from grimalkin.output.printout import find_papers
    from grimalkin.output.rulebooks import FOLDER, Rulebook
    from grimalkin.output.swap import settle, staging, swap
    from grimalkin.printing.book.forms import forms_of
    from grimalkin.printing.draw.stocks import load_stocks
    from grimalkin.printing.face import Composer
    from grimalkin.printing.face.flaws import flaws_of
    from grimalkin.printing.sheet import all_faces

    say = progress()
    settle(options.output, tell)
    problems, owed = Problems(), Problems()
    kinds = _kinds(options.form)
    game = load(options.game, options.draft)
    if not game.sections:
        told, hint = "this game has no rules to print", "write them into rules.yaml; see the guide"
        raise Stop.at(Place(shown_path(game.folder)), told, hint)
    papers = find_papers(options.paper, load_papers(game.folder, problems), Place("--paper"), problems)
    for name, paper in papers.items():
        if not forms_of({name: paper}, [kind for kind in kinds if kind != "screen"] or ["pages"]):
            told = f"{paper.name} is too small for a page of the book"
            problems.add(Place("--paper"), told, "A6 is the smallest, and A5 for a booklet")
    composer = Composer(game, load_stocks(game.folder, problems), problems, options.inks, draft=game.info.draft)
    problems.stop()
    with guarded(game.engine):
        say(f"{game.name}: replaying its examples")
        traces = replay_all(game, owed, known=False)
        if not game.info.draft:
            owed.stop()  # a book may show only what is proved
        faces = all_faces(game, composer)
        problems.stop()
        say(f"{game.name}: setting the book")
        rulebook = Rulebook(game, traces, composer, faces, {})
        say(f"{game.name}: drawing {plural(rulebook.book.count, 'page')}")
        files = rulebook.files(composer, faces, papers, kinds)
    say("")
    place = f"{FOLDER}/{game.name}"
    with staging(options.output, [place], tell) as new:
        for name, data in files.items():
            write_new(new / place / name, data)
        swap(options.output, [place], [], tell)
    if game.info.draft:
        print_owed(game.info.title, list(owed), [told.problem() for told in flaws_of(faces.values())])
    for name in files:
        print(visible(str(options.output / place / name)))
    print(visible(f"{plural(rulebook.book.count, 'page')} of A5, version {game.info.rules_version} of the rules"))
    if "booklet" in kinds:
        print("booklets: print on both sides, flip on the short edge, fold in the middle")
    return 0


def _kinds(names: Sequence[str]) -> list[Kind]:
    """Return the named forms, each once."""
    from grimalkin.printing.book.forms import KINDS

    problems = Problems()
    for name in names:
        if name not in KINDS:
            problems.add(Place("--form"), f'there is no form "{name}"', did_you_mean(name, KINDS))
    problems.stop()
    return [kind for kind in KINDS if kind in names]
