"""The command `campaign`, which keeps a campaign in a file and plays, corrects, undoes and prints it."""

from __future__ import annotations

import argparse
from pathlib import Path

from grimalkin.cli.answers import add_luck
from grimalkin.cli.common import GAME, INKS, Command, add_option

COMMANDS = ("campaign",)
_CAMPAIGN = """\
A campaign is a text file of answers and draws. Everything else follows from replaying them, so you can read the file,
correct it, and send it to others. Every change keeps the previous file beside it: FILE.1 is the newest, FILE.5 the
oldest.

examples:
  grimalkin campaign new evening.yaml cats-of-new-orleans Ada Basil --option 'heroes=[patch, minou]'
  grimalkin campaign begin evening.yaml --seed 7
  grimalkin campaign play evening.yaml
  grimalkin campaign play evening.yaml "to c2"
  grimalkin campaign play evening.yaml "to b2" --draw poker=10-of-clubs --draw poker=9-of-spades
  grimalkin campaign status evening.yaml
  grimalkin campaign undo evening.yaml

Each action has its own help, such as `grimalkin campaign play --help`.
"""
_NEW = """\
The options are written into the file as you give them. If one is not allowed, the command says what is.

example:
  grimalkin campaign new saturday.yaml cats-of-new-orleans Ada Basil Cleo --option difficulty=hard
"""
_STATUS = """\
examples, where saturday.yaml is a campaign:
  grimalkin campaign status saturday.yaml
  grimalkin campaign status saturday.yaml --json
"""
_BEGIN = """\
Without CHAPTER, it begins the first chapter that `status` lists. Give draws at the beginning, such as dealt cards, with
--draw; all others are drawn for you.

example:
  grimalkin campaign begin saturday.yaml bad-times --seed 7
"""
_PLAY = """\
Without MOVE, it shows who is asked, and the possible answers. Each move is saved as soon as it is played, so if one is
refused, the moves before it are kept. Give draws for the first move with --draw, or in the move itself if the game has
a notation for them; all others are drawn for you. The file records every draw.

examples:
  grimalkin campaign play saturday.yaml
  grimalkin campaign play saturday.yaml "to b1"
"""
_RECORD = """\
RECORD is a playthrough, or a list of steps from one: draws, remarks and the answers of seats. It goes on from where the
file ends, and begins a chapter if none is under way. It is played completely or not at all. Facts that a playthrough
checks are left out.

a few steps, in steps.yaml:
  - Basil: to a2
  - Cleo: to b2

example:
  grimalkin campaign play-record saturday.yaml steps.yaml --seed 7
"""
_TELL = """\
Use this if you play on paper. KEPT is a file with everything that the party keeps afterwards: write it with
`grimalkin campaign kept`, and edit what has changed.

examples:
  grimalkin campaign new paper.yaml cats-of-new-orleans Ada Basil
  grimalkin campaign kept paper.yaml --output kept.yaml
  grimalkin campaign tell paper.yaml bad-times kept.yaml --lost
"""
_CORRECT = """\
KEPT is a file with everything that the party keeps, as `grimalkin campaign kept` prints it. It applies from here on,
and the campaign's file records the reason.

example:
  grimalkin campaign correct paper.yaml kept.yaml "Murray had forgotten his watch"
"""
_KEPT = """\
example:
  grimalkin campaign kept paper.yaml
"""
_UNDO = """\
This removes the last answer and its draws; if a chapter has only just begun, that chapter; otherwise the last action,
such as `tell`, `safehaven` or `restore`. The luck stays the same: the same answers lead to the same draws.

examples:
  grimalkin campaign undo saturday.yaml
  grimalkin campaign undo saturday.yaml --chapter
"""
_SAFEHAVEN = """\
The game decides when this is allowed; `status` says so. `grimalkin campaign restore` brings you back.
"""
_RESTORE = """\
The party is as it was when the Safehaven was made, and goes on from there. Nothing is lost: everything played since
then stays in the file, and `undo` takes you back to it.
"""
_PRINT = """\
A form is a piece of the game with fields for what a party keeps, such as the Adventure Log of The Cats of New Orleans.
The command fills it in. You can change it on screen, and `grimalkin campaign read` reads it back.

example:
  grimalkin campaign print paper.yaml --output log.pdf
"""
_READ = """\
FORM is a form that you filled in on screen and saved: an empty one from `grimalkin sheets`, or one from
`grimalkin campaign print`. Its fields replace what the party keeps; anything without a field stays as it was. With
--chapter, it records the end of a chapter that you played on paper; otherwise it corrects what the party keeps.

example:
  grimalkin campaign read paper.yaml log.pdf
"""
_SCORE = """\
example:
  grimalkin campaign score saturday.yaml
"""
_WHY = """\
examples, where a chapter of saturday.yaml is under way:
  grimalkin campaign begin saturday.yaml --seed 7
  grimalkin campaign why saturday.yaml "to b1"
"""
FILE = "a campaign, such as campaign.yaml"
CHAPTER = "id of the chapter, as `status` lists it"
KEPT = "what the party keeps, in YAML"
MOVE = "a line in the game's notation, in quotes"


def add(command: Command) -> None:
    campaign = command("campaign", _tell_how, "Keep a campaign in a file, from one scenario to the next", _CAMPAIGN)
    actions = campaign.add_subparsers(title="what to do", metavar="ACTION")
    campaign.set_defaults(parser=campaign)

    def action(name: str, summary: str, more: str) -> argparse.ArgumentParser:
        made = actions.add_parser(
            name,
            help=summary,
            description=f"{summary}.",
            epilog=more,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        made.set_defaults(run=_act, action=name)
        made.add_argument("file", type=_file, metavar="FILE", help=FILE)
        made.add_argument("--json", action="store_true", help="print JSON, for programs")
        if name != "new":
            made.add_argument(
                "--game", metavar="GAME", help="use this copy of the game instead of the one that FILE names"
            )
        return made

    new = action("new", "Begin a campaign", _NEW)
    new.add_argument("game", metavar="GAME", help=GAME)
    new.add_argument("seats", nargs="+", metavar="SEAT", help="the name of each seat, clockwise")
    agreed = "an option that you agree on; write lists and tables as in YAML: 'heroes=[patch, minou]'"
    add_option(new, "--option", agreed)
    action("status", "Show what has happened so far, what is asked, and what can come next", _STATUS)
    begin = action("begin", "Begin a chapter", _BEGIN)
    begin.add_argument("chapter", nargs="?", default="", metavar="CHAPTER", help=CHAPTER)
    play = action("play", "Answer what is asked, or show what that is", _PLAY)
    play.add_argument("moves", nargs="*", metavar="MOVE", help=MOVE)
    for one in (begin, play):
        add_luck(one, "seed for draws from now on (default: the file's)")
    record = action("play-record", "Play a record: a playthrough, or steps from one", _RECORD)
    record.add_argument("record", type=Path, metavar="RECORD", help="a YAML file")
    record.add_argument("--seed", metavar="SEED", help="seed for draws that the record does not give")
    tell = action("tell", "Record the end of a chapter that you played on paper", _TELL)
    tell.add_argument("chapter", metavar="CHAPTER", help=CHAPTER)
    tell.add_argument("kept", type=Path, metavar="KEPT", help=KEPT)
    _add_outcome(tell)
    correct = action("correct", "Correct by hand what the party keeps", _CORRECT)
    correct.add_argument("kept", type=Path, metavar="KEPT", help=KEPT)
    correct.add_argument("why", metavar="WHY", help="the reason, in a few words")
    kept = action("kept", "Print what the party keeps, for `tell` and `correct`", _KEPT)
    kept.add_argument("--output", type=Path, metavar="FILE", help="write it to this file")
    printed = action("print", "Make a form of what the party keeps, to print or to change on screen", _PRINT)
    printed.add_argument("--form", default="", metavar="ID", help="form of the game (default: its first)")
    printed.add_argument(
        "--safehaven", metavar="NAME", help="use what this Safehaven keeps (default: what is kept now)"
    )
    printed.add_argument("--inks", choices=INKS, default="full", help="design of the form (default: full)")
    printed.add_argument("--output", type=Path, metavar="PDF", help="file to write (default: FORM.pdf)")
    reading = action("read", "Read a filled-in form into the campaign", _READ)
    reading.add_argument("form", type=Path, metavar="FORM", help="the form, a PDF")
    reading.add_argument("--chapter", metavar="CHAPTER", help="the chapter that has ended")
    _add_outcome(reading, "with --chapter: ")
    undo = action("undo", "Take back the last answer", _UNDO)
    undo.add_argument("--chapter", action="store_true", help="take back the whole last chapter")
    undo.add_argument("--other-luck", action="store_true", help="draw something else next time")
    haven = action("safehaven", "Keep everything as it is, to come back to it later", _SAFEHAVEN)
    haven.add_argument("name", metavar="NAME", help="name for the Safehaven")
    restore = action("restore", "Go back to a Safehaven", _RESTORE)
    restore.add_argument("name", metavar="NAME", help="name of the Safehaven")
    action("score", "Show how the party stands, line by line, with the rule behind each line", _SCORE)
    why = action("why", "Say whether an answer is legal now, or which rule refuses it and why", _WHY)
    why.add_argument("move", metavar="MOVE", help=MOVE)
    add_luck(why, "seed for all other draws (default: why)")


def _add_outcome(parser: argparse.ArgumentParser, when: str = "") -> None:
    """Add options for the two ways in which a chapter ends; one must be given unless they depend on another option."""
    how = parser.add_mutually_exclusive_group(required=not when)
    how.add_argument("--won", action="store_true", help=f"{when}the party won")
    how.add_argument("--lost", action="store_true", help=f"{when}the party lost")


def _file(text: str) -> Path:
    if not text.strip():
        raise argparse.ArgumentTypeError("a file needs a name")
    return Path(text)


def _tell_how(options: argparse.Namespace) -> int:
    options.parser.print_help()
    return 0


def _act(options: argparse.Namespace) -> int:
    from grimalkin.parts.campaign.actions import ACTIONS

    return ACTIONS[options.action](options)
