"""The command `campaign`, which keeps a campaign in a file and plays, corrects, undoes and prints it."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grimalkin.cli.asking import (
    Verdict,
    add_luck,
    events_record,
    judged,
    moves,
    now_record,
    print_drawn,
    print_verdict,
    verdict_record,
)
from grimalkin.cli.common import GAME, INKS, Asked, Command, add_option, answering, load, remark
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean, shown_path
from grimalkin.problems.plain import plural, visible

if TYPE_CHECKING:
    from grimalkin.content import Game as Content
    from grimalkin.engine.campaigns import Kept
    from grimalkin.engine.contract import State
    from grimalkin.engine.saved import Step
    from grimalkin.engine.shape import Misfit
    from grimalkin.engine.words import Event
    from grimalkin.play.campaign import Going
    from grimalkin.play.campaign.file import Opened
    from grimalkin.play.campaign.paper import Blank, Words
    from grimalkin.printing.face import Face, Inks

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
words for it; all others are drawn for you. The file records every draw.

examples:
  grimalkin campaign play saturday.yaml
  grimalkin campaign play saturday.yaml "to b1"
"""
_RECORD = """\
RECORD is a playthrough, or a list of steps from one: draws, remarks and the answers of seats. It goes on from where the
file ends, and begins a chapter if none is under way. It is played whole or not at all. Facts that a playthrough checks
are left out.

a few steps, in steps.yaml:
  - Basil: to a2
  - Cleo: to b2

example:
  grimalkin campaign play-record saturday.yaml steps.yaml --seed 7
"""
_TELL = """\
Use this if you play on paper. KEPT is a file with all that the party keeps afterwards: let `grimalkin campaign kept`
write it, and edit what has changed.

examples:
  grimalkin campaign new paper.yaml cats-of-new-orleans Ada Basil
  grimalkin campaign kept paper.yaml --output kept.yaml
  grimalkin campaign tell paper.yaml bad-times kept.yaml --lost
"""
_CORRECT = """\
KEPT is a file with all that the party keeps, as `grimalkin campaign kept` prints it. It applies from here on, and the
campaign's file records the reason.

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
The party is as it was when the Safehaven was made, and goes on from there. Nothing is lost: all that was played since
stays in the file, and `undo` takes you back to it.
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


def add(command: Command) -> None:
    campaign = command("campaign", _tell_how, "Keep a campaign in a file, from one scenario to the next", _CAMPAIGN)
    actions = campaign.add_subparsers(title="what to do", metavar="ACTION")
    campaign.set_defaults(parser=campaign)

    def action(name: str, run: Callable[[argparse.Namespace], int], summary: str, more: str) -> argparse.ArgumentParser:
        made = actions.add_parser(
            name,
            help=summary,
            description=f"{summary}.",
            epilog=more,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        made.set_defaults(run=run)
        made.add_argument("file", type=_file, metavar="FILE", help=FILE)
        made.add_argument("--json", action="store_true", help="print JSON, for programs")
        if name != "new":
            made.add_argument(
                "--game", metavar="GAME", help="use this copy of the game instead of the one that FILE names"
            )
        return made

    new = action("new", _new, "Begin a campaign", _NEW)
    new.add_argument("game", metavar="GAME", help=GAME)
    new.add_argument("seats", nargs="+", metavar="SEAT", help="the name of each seat, clockwise")
    add_option(new, "--option", "an option that you agree on; lists and tables as in YAML: 'heroes=[patch, minou]'")
    action("status", _status, "Show what has happened so far, what is asked, and what can come next", _STATUS)
    begin = action("begin", _begin, "Begin a chapter", _BEGIN)
    begin.add_argument(
        "chapter", nargs="?", default="", metavar="CHAPTER", help="id of the chapter, as `status` lists it"
    )
    play = action("play", _play, "Answer what is asked, or show what that is", _PLAY)
    play.add_argument("moves", nargs="*", metavar="MOVE", help="a line in the game's notation, in quotes")
    for one in (begin, play):
        add_luck(one, "seed for draws from now on (default: the file's)")
    record = action("play-record", _play_record, "Play a record: a playthrough, or steps from one", _RECORD)
    record.add_argument("record", type=Path, metavar="RECORD", help="a YAML file")
    record.add_argument("--seed", metavar="SEED", help="seed for draws that the record does not give")
    tell = action("tell", _tell, "Record the end of a chapter that you played on paper", _TELL)
    tell.add_argument("chapter", metavar="CHAPTER", help="id of the chapter, as `status` lists it")
    tell.add_argument("kept", type=Path, metavar="KEPT", help="what the party keeps, in YAML")
    how = tell.add_mutually_exclusive_group(required=True)
    how.add_argument("--won", action="store_true", help="the party won")
    how.add_argument("--lost", action="store_true", help="the party lost")
    correct = action("correct", _correct, "Correct by hand what the party keeps", _CORRECT)
    correct.add_argument("kept", type=Path, metavar="KEPT", help="what the party keeps, in YAML")
    correct.add_argument("why", metavar="WHY", help="the reason, in a few words")
    kept = action("kept", _kept, "Print what the party keeps, for `tell` and `correct`", _KEPT)
    kept.add_argument("--output", type=Path, metavar="FILE", help="write it to this file")
    printed = action("print", _print, "Make a form of what the party keeps, to print or to change on screen", _PRINT)
    printed.add_argument("--form", default="", metavar="ID", help="form of the game (default: its first)")
    printed.add_argument(
        "--safehaven", metavar="NAME", help="use what this Safehaven keeps (default: what is kept now)"
    )
    printed.add_argument("--inks", choices=INKS, default="full", help="design of the form (default: full)")
    printed.add_argument("--output", type=Path, metavar="PDF", help="file to write (default: FORM.pdf)")
    reading = action("read", _read, "Read a filled-in form into the campaign", _READ)
    reading.add_argument("form", type=Path, metavar="FORM", help="the form, a PDF")
    reading.add_argument("--chapter", metavar="CHAPTER", help="the chapter that has ended")
    ended = reading.add_mutually_exclusive_group()
    ended.add_argument("--won", action="store_true", help="with --chapter: the party won")
    ended.add_argument("--lost", action="store_true", help="with --chapter: the party lost")
    undo = action("undo", _undo, "Take back the last answer", _UNDO)
    undo.add_argument("--chapter", action="store_true", help="take back the whole last chapter")
    undo.add_argument("--other-luck", action="store_true", help="draw something else next time")
    haven = action("safehaven", _safehaven, "Keep everything as it is, to come back to it later", _SAFEHAVEN)
    haven.add_argument("name", metavar="NAME", help="name for the Safehaven")
    restore = action("restore", _restore, "Go back to a Safehaven", _RESTORE)
    restore.add_argument("name", metavar="NAME", help="name of the Safehaven")
    action("score", _score, "Show how the party stands, line by line, with the rule behind each line", _SCORE)
    why = action("why", _why, "Say whether an answer is legal now, or which rule refuses it and why", _WHY)
    why.add_argument("move", metavar="MOVE", help="a line in the game's notation, in quotes")
    add_luck(why, "seed for all other draws (default: why)")


def _file(text: str) -> Path:
    if not text.strip():
        raise argparse.ArgumentTypeError("a file needs a name")
    return Path(text)


def _tell_how(options: argparse.Namespace) -> int:
    options.parser.print_help()
    return 0


# Changing a campaign


def _new(options: argparse.Namespace) -> int:
    from grimalkin.engine.shape import Misfits
    from grimalkin.play.campaign import begun
    from grimalkin.play.campaign.file import alone, write_new
    from grimalkin.play.table import misfit_problem, open_game

    def told(misfit: Misfit) -> Problem:
        return misfit_problem(Place("SEAT" if misfit.at[:1] == ("seats",) else "--option"), misfit)

    with _answering(options) as answer:
        game = open_game(options.game)
        try:
            going = begun(game, options.seats, dict(options.option))
        except Misfits as error:
            raise Stop(map(told, error.misfits)) from None
        with alone(options.file):
            write_new(options.file, going.saved)
        answer |= {"kind": "new"} | _record(going)
    if not options.json:
        print(visible(f"{options.file} written"))
        _print_next(going)
    return 0


def _begin(options: argparse.Namespace) -> int:
    with _changing(options) as (opened, answer):
        going = opened.going
        count = len(going.past)
        events = going.begin(options.chapter, options.draw, _luck(options, going))
        _save(opened)
        answer |= {"kind": "begun", "events": events_record(events, going.saved.seats)}
        answer |= _record(going)
    if not options.json:
        print(visible(f"{going.past[count].title} begins."))
        _print_happened(events, going)
        _print_asked(going)
    return 0


def _play(options: argparse.Namespace) -> int:
    if not options.moves:
        return _ask(options)
    with _changing(options) as (opened, answer):
        going = opened.going
        seed = _luck(options, going)
        played: list[dict[str, Any]] = []
        answer |= {"kind": "played", "played": played}
        for number, line in enumerate(options.moves):
            seat = _to_act(going)
            events = going.answer(line, options.draw if number == 0 else (), seed)
            _save(opened)
            said = going.now.answers[-1].line if going.now else line
            played.append({"seat": seat, "line": said, "events": events_record(events, going.saved.seats)})
            played[-1]["drawn"] = _drawn(going)
            if not options.json:
                print(visible(f"{seat}: {said}"))
                _print_happened(events, going)
        answer |= _record(going)
    if not options.json:
        _print_asked(going)
    return 0


def _ask(options: argparse.Namespace) -> int:
    with _asking(options) as (opened, answer):
        going = opened.going
        if going.playing is None:
            going.answer("")  # stops, with the chapters that can be begun
        answer |= {"kind": "asked"} | _record(going)
    if not options.json:
        _print_asked(going)
    return 0


def _play_record(options: argparse.Namespace) -> int:
    with _changing(options) as (opened, answer):
        going = opened.going
        with _steps(options.record, going.saved.seats) as steps:
            count = going.take_in(steps, _luck(options, going))
        _save(opened)
        answer |= {"kind": "played", "answers": count} | _record(going)
    if not options.json:
        print(visible(f"{plural(count, 'answer')} played"))
        _print_asked(going)
    return 0


def _tell(options: argparse.Namespace) -> int:
    with _changing(options) as (opened, answer):
        with _of_kept(options.kept) as kept:
            opened.going.tell(options.chapter, options.won, kept)
        _save(opened)
        answer |= {"kind": "told"} | _record(opened.going)
    return _print_now(options, opened.going)


def _correct(options: argparse.Namespace) -> int:
    with _changing(options) as (opened, answer):
        with _of_kept(options.kept) as kept:
            opened.going.correct(options.why, kept)
        _save(opened)
        answer |= {"kind": "corrected"} | _record(opened.going)
    return _print_now(options, opened.going)


def _kept(options: argparse.Namespace) -> int:
    from grimalkin.play.campaign.writing import as_yaml

    with _asking(options) as (opened, answer):
        answer |= {"kind": "kept", "kept": opened.going.kept}
        if options.output is not None:
            _write(options.output, as_yaml(opened.going.kept).encode())
    if not options.json:
        if options.output is not None:
            print(visible(f"{options.output} written"))
        else:
            print(as_yaml(opened.going.kept), end="")
    return 0


def _write(path: Path, data: bytes) -> None:
    """Write a requested file. Stops if its folder does not exist."""
    from grimalkin.source.files import write_over

    if not path.resolve().parent.is_dir():
        raise Stop.at(Place("--output"), f"there is no folder {path.parent}", "make it, or name another")
    write_over(path.resolve(), data)


def _print(options: argparse.Namespace) -> int:
    from grimalkin.parts.forms.printing import form_pdf
    from grimalkin.play.campaign.paper import filled, slots
    from grimalkin.printing.face.fields import is_note

    with _asking(options) as (opened, answer):
        going = opened.going
        havens = going.safehavens()
        if options.safehaven is not None and options.safehaven not in havens:
            hint = did_you_mean(options.safehaven, havens) or "this party has none"
            raise Stop.at(Place("--safehaven"), f'there is no Safehaven "{options.safehaven}"', hint)
        kept = going.kept if options.safehaven is None else havens[options.safehaven]["kept"]
        content, forms = _forms(options.game_of or going.saved.game, options.inks)
        face = _form(forms, options.form)
        shape = going.campaign.shape(going.game.facts)
        known = {slot.blank.name for slot in slots(shape, face.fields)}
        for field in face.fields:
            if field.name not in known and not is_note(field.name):
                hint = "name it by the path of something that is kept, or begin its name with notes"
                raise Stop.at(Place(face.name), f"field {field.name}: the party keeps nothing with this name", hint)
        values, misfits = filled(shape, kept, face.fields, _words(going))
        if misfits:
            raise Stop(Problem(Place(face.name), f"{_path(one)}: {one.message}", one.hint) for one in misfits)
        path: Path = options.output or Path(f"{face.id.removesuffix('-front')}.pdf")
        _write(path, form_pdf(content, face, values))
        answer |= {"kind": "printed", "file": str(path), "fields": values}
    if not options.json:
        print(visible(f"{path} written"))
    return 0


def _read(options: argparse.Namespace) -> int:
    from grimalkin.play.campaign.paper import read

    if options.chapter is not None and not (options.won or options.lost):
        raise Stop.at(Place("--chapter"), "the end of the chapter is missing", "add --won or --lost")
    if options.chapter is None and (options.won or options.lost):
        raise Stop.at(Place("--won" if options.won else "--lost"), "the chapter is missing", "add --chapter CHAPTER")
    with _changing(options) as (opened, answer):
        going = opened.going
        place = Place(shown_path(options.form))
        fields, texts = _filled(options.form, place, going.game.name)
        shape = going.campaign.shape(going.game.facts)
        kept, misfits = read(shape, going.kept, fields, texts, _words(going))
        if misfits:
            raise Stop(Problem(place, f"{_path(one)}: {one.message}", one.hint) for one in misfits)
        changed = options.chapter is not None or shape.read(kept) != shape.read(going.kept)
        if changed:
            with _of_form(place):
                if options.chapter is not None:
                    going.tell(options.chapter, options.won, kept)
                else:
                    going.correct(f"as {options.form.name} says", kept)
            _save(opened)
        answer |= {"kind": "read", "changed": changed} | _record(going)
    if not options.json and not changed:
        print("the form agrees with the file; nothing was changed")
    return _print_now(options, going)


def _undo(options: argparse.Namespace) -> int:
    from grimalkin.play.campaign.file import open_file, write

    with _changing(options, broken=True) as (opened, answer):
        before = _length(opened.going)
        undone = opened.going.undone(options.chapter)
        write(opened, replace(undone, seed=_another_seed()) if options.other_luck else undone)
        going = open_file(options.file, options.game_of).going
        answer |= {"kind": "undone"} | _record(going)
    if not options.json:
        gone = before - _length(going)
        print(f"{plural(gone, 'answer')} undone" if gone > 0 else "undone")
    return _print_now(options, going)


def _safehaven(options: argparse.Namespace) -> int:
    with _changing(options) as (opened, answer):
        opened.going.rest(options.name)
        _save(opened)
        answer |= {"kind": "kept"} | _record(opened.going)
    return _print_now(options, opened.going)


def _restore(options: argparse.Namespace) -> int:
    with _changing(options, broken=True) as (opened, answer):
        opened.going.restore(options.name)
        _save(opened)
        answer |= {"kind": "restored"} | _record(opened.going)
    return _print_now(options, opened.going)


# Asking about a campaign


def _status(options: argparse.Namespace) -> int:
    with _asking(options, broken=True) as (opened, answer):
        going = opened.going
        answer |= {"kind": "status"} | _record(going)
        answer |= {"problems": [str(problem) for problem in opened.faults()]} if going.fault else {}
    if not options.json:
        _print_status(going)
        if going.fault and going.safehavens():
            name = [*going.safehavens()][-1]
            print()
            print(visible(f'`grimalkin campaign restore {options.file} "{name}"` goes on from the last Safehaven.'))
    if going.fault:
        raise Stop(opened.faults())
    return 0


def _score(options: argparse.Namespace) -> int:
    with _asking(options) as (opened, answer):
        going = opened.going
        lines = going.campaign.standing(going.game.facts, going.kept)
        answer |= {"kind": "score", "standing": [line._asdict() for line in lines]}
    if options.json:
        return 0
    whose = None
    for line in lines:
        if line.whose != whose:
            whose = line.whose
            print(visible(f"{_called(going, whose)}:" if whose else "The party:"))
        print(visible(f"  {line.what}: {line.value}  [{line.rule}]"))
    print()
    for id_ in dict.fromkeys(line.rule for line in lines):
        print(visible(f"{id_}: {going.game.law(id_).title}"))
    return 0


def _why(options: argparse.Namespace) -> int:
    from grimalkin.engine.chance import Seeded
    from grimalkin.engine.replay import without_draws

    with _asking(options) as (opened, answer):
        going = opened.going
        playing = going.playing or going._underway()
        game, chance = going.game, playing.chance
        line, told = without_draws(game.module, options.move, game.facts)
        chance.said.left += [*game.given(options.draw, playing.state.seats), *told]
        chance.luck = Seeded(f"{options.seed or 'why'} {len(playing.answers)}")
        asked = Asked(game, playing.state, chance, [])
        verdict: Verdict = judged(asked, line)
        answer |= verdict_record(verdict, asked)
    if not options.json:
        print_verdict(verdict, asked)
        print_drawn(chance.draws)
    return 0 if verdict.kind == "legal" else 1


# Opening files and reporting problems


@contextmanager
def _answering(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Collect an answer as `answering` does, with FILE as its `game` if --game, then in `game_of`, is not given."""
    options.game_of, options.game = options.game or "", str(options.game or options.file)
    with answering(options) as answer:
        yield answer


@contextmanager
def _asking(options: argparse.Namespace, broken: bool = False) -> Iterator[tuple[Opened, dict[str, Any]]]:
    """Open the file and collect an answer about it. Stops if it cannot be replayed, unless it may be `broken`."""
    from grimalkin.engine.shape import Misfits
    from grimalkin.play.campaign.file import open_file

    with _answering(options) as answer:
        opened = open_file(options.file, options.game_of)
        remark(map(opened.problem, opened.going.remarks))
        if opened.going.fault and not broken:
            raise Stop(opened.faults())
        try:
            yield opened, answer
        except Misfits as error:
            raise Stop(_told(misfit, options) for misfit in error.misfits) from None


@contextmanager
def _changing(options: argparse.Namespace, broken: bool = False) -> Iterator[tuple[Opened, dict[str, Any]]]:
    """Open the file as `_asking` does, and keep other commands from changing it until it is closed."""
    from grimalkin.play.campaign.file import alone

    with alone(options.file), _asking(options, broken) as both:
        yield both


_ARGUMENTS = {"chapter": "CHAPTER", "told": "CHAPTER", "safehaven": "NAME", "restore": "NAME", "seats": "SEAT"}
"""The arguments of the command line, by the keys of misfits."""


def _told(misfit: Misfit, options: argparse.Namespace) -> Problem:
    """Return a misfit as a problem with an argument or the file."""
    name = str(misfit.at[0]) if misfit.at else ""
    return Problem(Place(_ARGUMENTS.get(name, shown_path(options.file))), misfit.message, misfit.hint)


def _save(opened: Opened) -> None:
    from grimalkin.play.campaign.file import write

    write(opened, opened.going.saved)


def _luck(options: argparse.Namespace, going: Going) -> str:
    """Return the seed that was given, otherwise the file's, otherwise a new one, and keep it in the file."""
    seed = str(options.seed) if options.seed is not None else going.saved.seed or _another_seed()
    going.saved = replace(going.saved, seed=seed)
    return seed


def _another_seed() -> str:
    import secrets

    return secrets.token_hex(8)


@contextmanager
def _of_kept(path: Path) -> Iterator[Kept]:
    """Read from a file what a party keeps, and report misfits with their lines."""
    from grimalkin.engine.shape import Misfits
    from grimalkin.play.table import misfit_problem
    from grimalkin.source import read_yaml

    problems = Problems()
    source = read_yaml(path, problems)
    if source is None or problems:
        raise Stop(problems)
    if not isinstance(source.data, dict):
        raise Stop.at(source.place(), "this is not a mapping", "`grimalkin campaign kept` prints one")
    try:
        yield source.data
    except Misfits as error:
        inner = [replace(misfit, at=misfit.at[1:]) for misfit in error.misfits if misfit.at[:1] == ("kept",)]
        if not inner:
            raise
        raise Stop(misfit_problem(source.place(misfit.at), misfit) for misfit in inner) from None


@contextmanager
def _of_form(place: Place) -> Iterator[None]:
    """Report misfits in a filled-in form, by their places there."""
    from grimalkin.engine.shape import Misfits

    try:
        yield
    except Misfits as error:
        inner = [replace(misfit, at=misfit.at[1:]) for misfit in error.misfits if misfit.at[:1] == ("kept",)]
        if not inner:
            raise
        raise Stop(Problem(place, f"{_path(one)}: {one.message}", one.hint) for one in inner) from None


def _path(misfit: Misfit) -> str:
    return ".".join(map(str, misfit.at))


def _words(going: Going) -> Words:
    """Return the names of pieces and scenarios."""
    from grimalkin.play.campaign.paper import Words

    components = going.game.facts["components"]
    names = {id_: str(piece["name"]) for id_, piece in components.items() if "name" in piece}
    names |= {id_: str(one["title"]) for id_, one in going.game.facts.get("scenarios", {}).items()}
    return Words(names, lambda id_, column: str(components.get(id_, {}).get(column, "")))


def _forms(name: str, inks: Inks) -> tuple[Content, dict[str, Face]]:
    """Return the game, and those of its pieces that are forms for what a party keeps, by id."""
    from grimalkin.printing.draw.stocks import composer_of
    from grimalkin.printing.face.fields import KEPT

    problems = Problems()
    content = load(name)
    composer = composer_of(content, problems, inks)
    forms: dict[str, Face] = {}
    for deck in content.info.decks:
        for row in content.components[deck.id]:
            front, _ = composer.faces(deck, content.by_id[row.id])
            if front is None or not any(field.name == KEPT for field in front.fields):
                break  # all faces of a deck have one template
            forms[row.id] = front
    problems.stop()
    if not forms:
        raise Stop.at(Place(name), f"{content.info.title} has no form for what a party keeps")
    return content, forms


def _form(forms: Mapping[str, Face], id_: str) -> Face:
    if id_ and id_ not in forms:
        raise Stop.at(Place("--form"), f'there is no form "{id_}"', did_you_mean(id_, forms))
    return forms[id_ or next(iter(forms))]


def _filled(path: Path, place: Place, game: str) -> tuple[list[Blank], Mapping[str, str]]:
    """Return the fields of a filled-in form, and their texts."""
    from grimalkin.parts.forms.positions import is_pdf
    from grimalkin.printing.face.fields import KEPT, Field
    from grimalkin.problems import extra
    from grimalkin.source.files import read_bytes

    problems = Problems()
    data = read_bytes(path, problems)
    if data is None:
        raise Stop(problems)
    if not is_pdf(data):
        raise Stop.at(place, "this is not a PDF", "name a form that was filled in and saved")
    with extra(place):
        from grimalkin.parts.forms.filled import read_filled

    form = read_filled(data, place, problems, game, str(path))
    if form is None or problems:
        raise Stop(problems)
    if not form.texts.get(KEPT):
        raise Stop.at(
            place, "this form does not say what a party keeps", "`grimalkin campaign print` makes one that does"
        )
    return [Field(name, "text", form.says.get(name, name)) for name in form.texts], form.texts


@contextmanager
def _steps(path: Path, seats: Sequence[str]) -> Iterator[list[Step]]:
    """Read the steps of a record that play something, and report misfits with their lines."""
    from grimalkin.engine.replay import RESERVED
    from grimalkin.engine.saved import MOST_STEPS, Steps
    from grimalkin.engine.shape import Misfit, Misfits
    from grimalkin.play.table import misfit_problem
    from grimalkin.source import read_yaml

    problems = Problems()
    source = read_yaml(path, problems)
    if source is None or problems:
        raise Stop(problems)
    whole = source.data
    at = ("steps",) if isinstance(whole, dict) and "steps" in whole else ()
    written = whole["steps"] if at else whole
    several = list(enumerate(written)) if isinstance(written, list) else []
    several = [(index, step) for index, step in several if not isinstance(step, dict) or list(step) != ["check"]]
    if not several or len(several) > MOST_STEPS:
        told = f"there are more than {MOST_STEPS:,} steps" if several else "there are no steps here"
        raise Stop.at(source.place(at), told, "a record is a list of steps, or a playthrough")

    def place(misfit: Misfit) -> Place:
        keys = [key for key in misfit.at if key != "steps"]
        return source.place((*at, several[int(keys[0])][0], *keys[1:]) if keys else at)

    shape, steps = Steps(), []
    for number, (_, step) in enumerate(several):
        read, misfits = shape.read(_plain(step), (number,))
        name = str(next(iter(read), ""))
        if not misfits and name not in (*RESERVED, *seats):
            hint = did_you_mean(name, seats)
            misfits = [Misfit((number, name), f'"{name}" has no seat in this campaign', hint)]
        problems.extend(misfit_problem(place(misfit), replace(misfit, at=())) for misfit in misfits)
        steps.append(read)
    problems.stop()
    try:
        yield steps
    except Misfits as error:
        if any(misfit.at[:1] != ("steps",) for misfit in error.misfits):
            raise
        raise Stop(misfit_problem(place(misfit), replace(misfit, at=())) for misfit in error.misfits) from None


def _plain(step: Any) -> Any:
    """Return a step; if it is a remark for several readers, join their texts."""
    if isinstance(step, dict) and list(step) == ["say"] and isinstance(step["say"], dict):
        return {"say": " ".join(map(str, step["say"].values()))}
    return step


# Answers


def _record(going: Going) -> dict[str, Any]:
    """Return the state of a campaign, for programs."""
    playing = going.playing
    record: dict[str, Any] = {
        "game": going.saved.game,
        "seats": list(going.saved.seats),
        "chapters": [
            {"kind": past.kind, "id": past.id, "title": past.title, "answers": past.answers, "ended": past.ended}
            for past in going.past
        ],
        "kept": dict(going.kept),
        "safehavens": list(going.safehavens()),
        "next": [
            {"id": one.id, "title": one.title, "rules": list(one.rules), "rests": one.rests} for one in _next(going)
        ],
    }
    if playing is not None:
        record["playing"] = {"chapter": playing.chapter.id} | now_record(going.game.module, playing.state)
    return record


def _next(going: Going) -> Sequence[Any]:
    return [] if going.fault else going.chapters()


def _to_act(going: Going) -> str:
    """Return the seat that is asked; "" if no chapter is under way."""
    return "" if going.playing is None else _actor(going.playing.state)


def _actor(state: State) -> str:
    return state.seats[state.to_act()]


def _length(going: Going) -> int:
    return sum(past.answers for past in going.past)


def _drawn(going: Going) -> dict[str, int]:
    """Return how many draws the last answer made, by label. The drawn items may be secret: they are in the file, and
    events show what everyone may know."""
    return dict(Counter(label for label, _ in going.now.answers[-1].draws)) if going.now else {}


def _called(going: Going, id_: str) -> str:
    """Return the name of a piece."""
    piece: Mapping[str, Any] = going.game.facts["components"].get(id_, {})
    return str(piece.get("name", id_))


def _print_happened(events: Sequence[Event], going: Going) -> None:
    if drawn := _drawn(going):
        print(visible("  drawn: " + ", ".join(f"{count} × {label}" for label, count in drawn.items())))
    for event in events:
        everybody = all(map(event.is_for, range(len(going.saved.seats))))
        if text := event.text if everybody else event.hint:
            print(visible(f"  {text}  [{event.rule}]"))


def _print_now(options: argparse.Namespace, going: Going) -> int:
    """Print what is asked now, and return the exit code of success."""
    if not options.json:
        _print_asked(going)
    return 0


def _print_asked(going: Going) -> None:
    """Print who is asked what, or how the chapter ended and what can come next."""
    playing = going.playing
    if playing is not None:
        choices = ", ".join(moves(going.game.module, playing.state))
        print(visible(f"{_actor(playing.state)} is asked. Possible answers: {choices}"))
        return
    if going.now is not None and (result := going.now.state.result()):
        print(visible(f"{going.now.chapter.title} is {going.past[-1].ended}: {result.because}  [{result.rules[0]}]"))
    _print_next(going)


def _print_next(going: Going) -> None:
    chapters = _next(going)
    for chapter in chapters:
        rules = f"  [{', '.join(chapter.rules)}]" if chapter.rules else ""
        print(visible(f"next: {chapter.id}, {chapter.title}{rules}"))
    if any(chapter.rests for chapter in chapters):
        rule = going.campaign.rules.get("rest", "")
        print(visible("You may make a Safehaven here" + (f"  [{rule}]" if rule else "")))
    if not chapters and not going.fault:
        print("The campaign is over.")


def _print_status(going: Going) -> None:
    print(visible(f"{going.game.title}: {', '.join(going.saved.seats)}"))
    if going.past:
        print()
    for number, past in enumerate(going.past, 1):
        print(visible(f"{number:3}. {_past(past)}"))
    if going.fault:
        return
    print()
    if going.playing is not None:
        print(visible(f"{_to_act(going)} is asked; `play` shows the possible answers"))
    else:
        _print_next(going)


def _past(past: Any) -> str:
    """Describe a past action in one line."""
    name = past.title or past.id
    if past.kind == "play":
        ended = {"unknown": "cannot be followed"}.get(past.ended, past.ended)
        return f"{name}: {ended}, {plural(past.answers, 'answer')}" if past.ended != "unknown" else f"{name}: {ended}"
    if past.kind == "told":
        return f"{name}: {past.ended}, as you reported" if past.ended != "unknown" else f"{name}: cannot be followed"
    return {"corrected": "corrected by hand", "safehaven": "a Safehaven", "restore": "back to the Safehaven"}[
        past.kind
    ] + f": {name}"
