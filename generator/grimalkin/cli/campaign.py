"""The command that keeps a campaign in a file: begun, played, told, kept at a Safehaven, undone, asked about."""

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
    from grimalkin.campaign import Going
    from grimalkin.campaign.file import Opened
    from grimalkin.campaign.paper import Blank, Words
    from grimalkin.content import Game as Content
    from grimalkin.engine.campaigns import Kept
    from grimalkin.engine.contract import State
    from grimalkin.engine.saved import Step
    from grimalkin.engine.shape import Misfit
    from grimalkin.engine.words import Event
    from grimalkin.face import Face, Inks

_CAMPAIGN = """\
A campaign is a text file. It holds what was answered and what was drawn; all else is found out by playing it again, so
anybody can read it, mend it, and send it to others. Every change leaves the file before beside it: FILE.1 is the last,
up to FILE.5.

examples:
  grimalkin campaign new evening.yaml cats-of-new-orleans Ada Basil --option 'heroes=[patch, minou]'
  grimalkin campaign begin evening.yaml --seed 7
  grimalkin campaign play evening.yaml
  grimalkin campaign play evening.yaml "to c2"
  grimalkin campaign play evening.yaml "to b2" --draw poker=10-of-clubs --draw poker=9-of-spades
  grimalkin campaign status evening.yaml
  grimalkin campaign undo evening.yaml

`grimalkin campaign play --help` tells how to answer, and so for each of them.
"""
_NEW = """\
What is agreed upon stands in the file as it is given: what may be is told for a game when it is not.

example:
  grimalkin campaign new saturday.yaml cats-of-new-orleans Ada Basil Cleo --option difficulty=hard
"""
_STATUS = """\
examples, where saturday.yaml is a campaign:
  grimalkin campaign status saturday.yaml
  grimalkin campaign status saturday.yaml --json
"""
_BEGIN = """\
Without CHAPTER it is the first of those that `status` lists. What chance gives at its beginning, such as cards that are
dealt, is told with --draw, or drawn.

example:
  grimalkin campaign begin saturday.yaml bad-times --seed 7
"""
_PLAY = """\
Without a line it tells what is asked, and what may be answered. Lines are those of the game's notation. Each is saved
when it was played, so of several lines those before one that is refused are kept. What chance gives for the first line
is told with --draw, or in the line where the game has words for it; what is not told is drawn, and all of it is written
down.

examples:
  grimalkin campaign play saturday.yaml
  grimalkin campaign play saturday.yaml "to b1"
"""
_RECORD = """\
RECORD is a playthrough, or a list of steps out of one: draws, remarks and the answers of seats. It goes on where the
file stands, and begins a chapter when none is under way. It is taken in as a whole or not at all. Facts that a
playthrough checks are left out.

a few steps, in steps.yaml:
  - Basil: to a2
  - Cleo: to b2

example:
  grimalkin campaign play-record saturday.yaml steps.yaml --seed 7
"""
_TELL = """\
For those who play on paper. KEPT holds all that the party keeps afterwards, as `grimalkin campaign kept` prints it:
change what has changed, and tell it.

examples:
  grimalkin campaign new paper.yaml cats-of-new-orleans Ada Basil
  grimalkin campaign kept paper.yaml --output kept.yaml
  grimalkin campaign tell paper.yaml bad-times kept.yaml --lost
"""
_CORRECT = """\
KEPT holds all that the party keeps, as `grimalkin campaign kept` prints it. It counts from here on; the file says why.

example:
  grimalkin campaign correct paper.yaml kept.yaml "Murray had forgotten his watch"
"""
_KEPT = """\
example:
  grimalkin campaign kept paper.yaml
"""
_UNDO = """\
The last answer goes, with what was drawn for it; if a chapter was only begun, the chapter; otherwise what was last
told, kept or gone back to. The luck stays: the same answers draw the same again.

examples:
  grimalkin campaign undo saturday.yaml
  grimalkin campaign undo saturday.yaml --chapter
"""
_SAFEHAVEN = """\
When that may be is up to the game; `status` says so. `grimalkin campaign restore` comes back.
"""
_RESTORE = """\
The party is as it was when the Safehaven was made, and goes on from there. Nothing is lost: what was played since stays
in the file, and `undo` takes the way back.
"""
_PRINT = """\
A form is a piece of the game with fields for what a party keeps, such as the Adventure Log of The Cats of New Orleans.
It is filled in, and can be changed on screen and read again by `grimalkin campaign read`.

example:
  grimalkin campaign print paper.yaml --output log.pdf
"""
_READ = """\
FORM is one that was filled in on screen and saved: an empty one that `grimalkin sheets` made, or one of
`grimalkin campaign print`. What it says replaces what the party keeps; what it has no field for stays as it was. With
--chapter it tells how a chapter ended that was played on paper; else it mends what is kept.

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
            made.add_argument("--game", metavar="GAME", help="another copy of the game than the one that FILE names")
        return made

    new = action("new", _new, "Begin a campaign", _NEW)
    new.add_argument("game", metavar="GAME", help=GAME)
    new.add_argument("seats", nargs="+", metavar="SEAT", help="the name of each seat, clockwise")
    add_option(new, "--option", "what is agreed upon; lists and tables as in YAML: 'heroes=[patch, minou]'")
    action("status", _status, "Tell what happened so far, what is asked, and what can come next", _STATUS)
    begin = action("begin", _begin, "Begin a chapter", _BEGIN)
    begin.add_argument("chapter", nargs="?", default="", metavar="CHAPTER", help="its id, as `status` tells it")
    play = action("play", _play, "Answer what is asked, or tell what that is", _PLAY)
    play.add_argument("moves", nargs="*", metavar="MOVE", help="a line of the game's notation, in quotes")
    for one in (begin, play):
        add_luck(one, "the luck from now on (default: the file's)")
    record = action("play-record", _play_record, "Take in a record: a playthrough, or steps of one", _RECORD)
    record.add_argument("record", type=Path, metavar="RECORD", help="a YAML file")
    record.add_argument("--seed", metavar="SEED", help="what chance gives that the record does not say")
    tell = action("tell", _tell, "Tell how a chapter ended that was played on paper", _TELL)
    tell.add_argument("chapter", metavar="CHAPTER", help="its id, as `status` tells it")
    tell.add_argument("kept", type=Path, metavar="KEPT", help="what the party keeps, in YAML")
    how = tell.add_mutually_exclusive_group(required=True)
    how.add_argument("--won", action="store_true", help="it was won")
    how.add_argument("--lost", action="store_true", help="it was lost")
    correct = action("correct", _correct, "Mend by hand what the party keeps", _CORRECT)
    correct.add_argument("kept", type=Path, metavar="KEPT", help="what the party keeps, in YAML")
    correct.add_argument("why", metavar="WHY", help="in a few words")
    kept = action("kept", _kept, "Print what the party keeps, for `tell` and `correct`", _KEPT)
    kept.add_argument("--output", type=Path, metavar="FILE", help="write it there")
    printed = action("print", _print, "Make a form of what the party keeps, to print or to change on screen", _PRINT)
    printed.add_argument("--form", default="", metavar="ID", help="which form of the game (default: its first)")
    printed.add_argument("--safehaven", metavar="NAME", help="what this Safehaven keeps (default: what is kept now)")
    printed.add_argument("--inks", choices=INKS, default="full", help="design of the form (default: full)")
    printed.add_argument("--output", type=Path, metavar="PDF", help="where to (default: FORM.pdf)")
    reading = action("read", _read, "Take in a form that was filled in", _READ)
    reading.add_argument("form", type=Path, metavar="FORM", help="a PDF")
    reading.add_argument("--chapter", metavar="CHAPTER", help="the chapter after which this is kept")
    ended = reading.add_mutually_exclusive_group()
    ended.add_argument("--won", action="store_true", help="with --chapter: it was won")
    ended.add_argument("--lost", action="store_true", help="with --chapter: it was lost")
    undo = action("undo", _undo, "Take back the last answer", _UNDO)
    undo.add_argument("--chapter", action="store_true", help="the whole last chapter")
    undo.add_argument("--other-luck", action="store_true", help="draw anew")
    haven = action("safehaven", _safehaven, "Keep everything as it is, to come back to it", _SAFEHAVEN)
    haven.add_argument("name", metavar="NAME", help="what to call the place")
    restore = action("restore", _restore, "Go back to a Safehaven", _RESTORE)
    restore.add_argument("name", metavar="NAME", help="which")
    action("score", _score, "Tell how the party stands, line by line, with the rule behind each line", _SCORE)
    why = action("why", _why, "Say whether an answer is legal now, or which rule refuses it and why", _WHY)
    why.add_argument("move", metavar="MOVE", help="a line of the game's notation, in quotes")
    add_luck(why, "what chance gives after that (default: why)")


def _file(text: str) -> Path:
    if not text.strip():
        raise argparse.ArgumentTypeError("a file has a name")
    return Path(text)


def _tell_how(options: argparse.Namespace) -> int:
    options.parser.print_help()
    return 0


# What is done


def _new(options: argparse.Namespace) -> int:
    from grimalkin.campaign import begun
    from grimalkin.campaign.file import alone, write_new
    from grimalkin.engine.shape import Misfits
    from grimalkin.table import misfit_problem, open_game

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
            going.answer("")  # which tells what can be begun
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
        print(visible(f"{plural(count, 'answer')} taken in"))
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
    from grimalkin.campaign.writing import as_yaml

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
    """Write what was asked for beside the campaign."""
    from grimalkin.source.files import write_over

    if not path.resolve().parent.is_dir():
        raise Stop.at(Place("--output"), f"there is no folder {path.parent}", "make it, or name another")
    write_over(path.resolve(), data)


def _print(options: argparse.Namespace) -> int:
    from grimalkin.campaign.paper import filled, slots
    from grimalkin.face.fields import is_note
    from grimalkin.sheet.form import form_pdf

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
                hint = "name it by the path of what is kept, or begin with notes"
                raise Stop.at(Place(face.name), f"field {field.name}: nothing that is kept is called so", hint)
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
    from grimalkin.campaign.paper import read

    if options.chapter is not None and not (options.won or options.lost):
        raise Stop.at(Place("--chapter"), "nothing says how it ended", "add --won or --lost")
    if options.chapter is None and (options.won or options.lost):
        raise Stop.at(
            Place("--won" if options.won else "--lost"), "nothing says which chapter", "add --chapter CHAPTER"
        )
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
        print("the form says what the file says")
    return _print_now(options, going)


def _undo(options: argparse.Namespace) -> int:
    from grimalkin.campaign.file import open_file, write

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


# What is asked


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


# How a file is opened, and what is wrong told


@contextmanager
def _answering(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """As `answering`, which tells by `game` whose answer cannot be told; `game_of` is what was named with --game."""
    options.game_of, options.game = options.game or "", str(options.game or options.file)
    with answering(options) as answer:
        yield answer


@contextmanager
def _asking(options: argparse.Namespace, broken: bool = False) -> Iterator[tuple[Opened, dict[str, Any]]]:
    """Takes an answer about a file that was read. One that cannot be followed to its end may be asked about only where
    it may be `broken`.
    """
    from grimalkin.campaign.file import open_file
    from grimalkin.engine.shape import Misfits

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
    """As `_asking`, while no other command may change the file."""
    from grimalkin.campaign.file import alone

    with alone(options.file), _asking(options, broken) as both:
        yield both


_ARGUMENTS = {"chapter": "CHAPTER", "told": "CHAPTER", "safehaven": "NAME", "restore": "NAME", "seats": "SEAT"}
"""What is called so on the command line."""


def _told(misfit: Misfit, options: argparse.Namespace) -> Problem:
    """What is wrong with what was asked for."""
    name = str(misfit.at[0]) if misfit.at else ""
    return Problem(Place(_ARGUMENTS.get(name, shown_path(options.file))), misfit.message, misfit.hint)


def _save(opened: Opened) -> None:
    from grimalkin.campaign.file import write

    write(opened, opened.going.saved)


def _luck(options: argparse.Namespace, going: Going) -> str:
    """Return the seed that is asked for, otherwise the file's, otherwise a new one; it stays in the file."""
    seed = str(options.seed) if options.seed is not None else going.saved.seed or _another_seed()
    going.saved = replace(going.saved, seed=seed)
    return seed


def _another_seed() -> str:
    import secrets

    return secrets.token_hex(8)


@contextmanager
def _of_kept(path: Path) -> Iterator[Kept]:
    """What the party keeps, from a file; what is wrong with it is told with the line."""
    from grimalkin.engine.shape import Misfits
    from grimalkin.source import read_yaml
    from grimalkin.table import misfit_problem

    problems = Problems()
    source = read_yaml(path, problems)
    if source is None or problems:
        raise Stop(problems)
    if not isinstance(source.data, dict):
        raise Stop.at(source.place(), "this is no mapping", "`grimalkin campaign kept` prints one")
    try:
        yield source.data
    except Misfits as error:
        inner = [replace(misfit, at=misfit.at[1:]) for misfit in error.misfits if misfit.at[:1] == ("kept",)]
        if not inner:
            raise
        raise Stop(misfit_problem(source.place(misfit.at), misfit) for misfit in inner) from None


@contextmanager
def _of_form(place: Place) -> Iterator[None]:
    """What is wrong with what a form says is kept, by its place there."""
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
    """How pieces and scenarios are called."""
    from grimalkin.campaign.paper import Words

    components = going.game.facts["components"]
    names = {id_: str(piece["name"]) for id_, piece in components.items() if "name" in piece}
    names |= {id_: str(one["title"]) for id_, one in going.game.facts.get("scenarios", {}).items()}
    return Words(names, lambda id_, column: str(components.get(id_, {}).get(column, "")))


def _forms(name: str, inks: Inks) -> tuple[Content, dict[str, Face]]:
    """The pieces of a game that are forms of what a party keeps, by their ids."""
    from grimalkin.draw.stocks import load_stocks
    from grimalkin.face import Composer
    from grimalkin.face.fields import KEPT

    problems = Problems()
    content = load(name)
    composer = Composer(content, load_stocks(content.folder, problems), problems, inks)
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
    """The fields of a form that was filled in, and what stands in them."""
    from grimalkin.face.fields import KEPT, Field
    from grimalkin.problems import extra
    from grimalkin.source.files import read_bytes

    problems = Problems()
    data = read_bytes(path, problems)
    if data is None:
        raise Stop(problems)
    if b"%PDF-" not in data[:1024]:
        raise Stop.at(place, "this is no PDF", "name a form that was filled in and saved")
    with extra(place):
        from grimalkin.preflight.filled import read_filled

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
    """The steps of a record that play something; what is wrong with them is told with the line."""
    from grimalkin.engine.replay import RESERVED
    from grimalkin.engine.saved import MOST_STEPS, Steps
    from grimalkin.engine.shape import Misfit, Misfits
    from grimalkin.source import read_yaml
    from grimalkin.table import misfit_problem

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
    """A step; of a remark with several readers, what all may read."""
    if isinstance(step, dict) and list(step) == ["say"] and isinstance(step["say"], dict):
        return {"say": " ".join(map(str, step["say"].values()))}
    return step


# What is told


def _record(going: Going) -> dict[str, Any]:
    """How a campaign stands, for programs."""
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
    """Whose answer is waited for; nobody's while no chapter is under way."""
    return "" if going.playing is None else _actor(going.playing.state)


def _actor(state: State) -> str:
    return state.seats[state.to_act()]


def _length(going: Going) -> int:
    return sum(past.answers for past in going.past)


def _drawn(going: Going) -> dict[str, int]:
    """How often chance gave something for the last answer, by its label. What it gave may be a secret: the file holds
    it, and what the table may know of it is in the events."""
    return dict(Counter(label for label, _ in going.now.answers[-1].draws)) if going.now else {}


def _called(going: Going, id_: str) -> str:
    """The name of a piece."""
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
    """What is asked now; returns the exit code of a command that went well."""
    if not options.json:
        _print_asked(going)
    return 0


def _print_asked(going: Going) -> None:
    """Who is asked what, or how the chapter ended and what can come next."""
    playing = going.playing
    if playing is not None:
        choices = ", ".join(moves(going.game.module, playing.state))
        print(visible(f"{_actor(playing.state)} is asked, and may say: {choices}"))
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
        print(visible("A Safehaven may be made here" + (f"  [{rule}]" if rule else "")))
    if not chapters and not going.fault:
        print("The campaign has come to its end.")


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
        print(visible(f"{_to_act(going)} is asked; `play` tells what may be answered"))
    else:
        _print_next(going)


def _past(past: Any) -> str:
    """What happened, in a line."""
    name = past.title or past.id
    if past.kind == "play":
        ended = {"unknown": "cannot be followed"}.get(past.ended, past.ended)
        return f"{name}: {ended}, {plural(past.answers, 'answer')}" if past.ended != "unknown" else f"{name}: {ended}"
    if past.kind == "told":
        return f"{name}: {past.ended}, as was told" if past.ended != "unknown" else f"{name}: cannot be followed"
    return {"corrected": "mended by hand", "safehaven": "a Safehaven", "restore": "back to the Safehaven"}[
        past.kind
    ] + f": {name}"
