"""The actions of the command `campaign`: options in, a changed file and an answer out."""

from __future__ import annotations

import argparse
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from grimalkin.cli import answers
from grimalkin.cli.answers import Asked, answering
from grimalkin.cli.common import remark
from grimalkin.engine.chance import Seeded
from grimalkin.engine.contract import State
from grimalkin.engine.replay import without_draws
from grimalkin.engine.saved import as_yaml
from grimalkin.engine.shape import Misfit, Misfits
from grimalkin.engine.words import Event
from grimalkin.parts.campaign import intake
from grimalkin.play.campaign import Going, Past, begun
from grimalkin.play.campaign.file import Opened, alone, open_file, write, write_new
from grimalkin.play.campaign.paper import filled, read, slots
from grimalkin.play.table import misfit_problem
from grimalkin.problems import Place, Problem, Stop, did_you_mean, shown_path
from grimalkin.problems.plain import plural, visible
from grimalkin.source.files import write_over

Done = tuple[dict[str, Any], Iterable[str]]
"""The answer for programs, and the lines for people. The lines are read only when everything is written."""
Act = Callable[[argparse.Namespace, Opened], Done]


def _ask(act: Act, options: argparse.Namespace, broken: bool = False) -> int:
    """Answer a question about the campaign, and return the exit code."""
    with _asking(options, broken) as (opened, answer):
        made, lines = act(options, opened)
        answer |= made
    _print_lines(options, lines)
    if opened.going.fault:
        raise Stop(opened.faults())
    return 0 if answer.get("legal", True) else 1


def _change(act: Act, options: argparse.Namespace, broken: bool = False) -> int:
    """Change the campaign, save it, and show what is asked then. No other command may write to it at the same time."""
    with alone(options.file), _asking(options, broken) as (opened, answer):
        before = opened.going.saved
        made, lines = act(options, opened)
        if opened.going.saved is not before:
            write(opened, opened.going.saved)
        answer |= made | _record(opened.going)
    _print_lines(options, lines)
    _print_lines(options, _question_lines(opened.going))
    return 0


def _print_lines(options: argparse.Namespace, lines: Iterable[str]) -> None:
    """Print lines for people, unless a program asks."""
    if not options.json:
        for line in lines:
            print(visible(line))


@contextmanager
def _answering(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Collect an answer as `answering` does, with FILE as its `game` if --game, then in `game_of`, is not given."""
    options.game_of, options.game = options.game or "", str(options.game or options.file)
    with answering(options) as answer:
        yield answer


@contextmanager
def _asking(options: argparse.Namespace, broken: bool) -> Iterator[tuple[Opened, dict[str, Any]]]:
    """Open the file and collect an answer about it. Stops if it cannot be replayed, unless it may be `broken`."""
    with _answering(options) as answer:
        opened = open_file(options.file, options.game_of)
        remark(map(opened.problem, opened.going.remarks))
        if opened.going.fault and not broken:
            raise Stop(opened.faults())
        try:
            yield opened, answer
        except Misfits as error:
            raise Stop(_told(misfit, options) for misfit in error.misfits) from None


_ARGUMENTS = {"chapter": "CHAPTER", "told": "CHAPTER", "safehaven": "NAME", "restore": "NAME", "seats": "SEAT"}
"""The arguments of the command line, by the keys of misfits."""


def _told(misfit: Misfit, options: argparse.Namespace) -> Problem:
    """Return a misfit as a problem with an argument or the file."""
    name = str(misfit.at[0]) if misfit.at else ""
    return Problem(Place(_ARGUMENTS.get(name, shown_path(options.file))), misfit.message, misfit.hint)


# Changing a campaign


def _new(options: argparse.Namespace) -> int:
    from grimalkin.play.table import open_game

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
    _print_lines(options, [f"{options.file} written", *_next_lines(going)])
    return 0


def _begin(options: argparse.Namespace, opened: Opened) -> Done:
    going = opened.going
    events = going.begin(options.chapter, options.draw, _luck(options, going))
    made = {"kind": "begun", "events": answers.events_record(events, going.saved.seats)}
    return made, [f"{going.past[-1].title} begins.", *_event_lines(events, going)]


def _play(options: argparse.Namespace) -> int:
    return _change(_answer, options) if options.moves else _ask(_question, options)


def _question(_options: argparse.Namespace, opened: Opened) -> Done:
    if opened.going.playing is None:
        opened.going.answer("")  # stops, with the chapters that can be begun
    return {"kind": "asked"} | _record(opened.going), _question_lines(opened.going)


def _answer(options: argparse.Namespace, opened: Opened) -> Done:
    """Play the moves. Each is saved and printed as soon as it is played, because the next may be refused."""
    going = opened.going
    seed = _luck(options, going)
    played: list[dict[str, Any]] = []
    for number, line in enumerate(options.moves):
        seat = _to_act(going)
        events = going.answer(line, options.draw if number == 0 else (), seed)
        write(opened, going.saved)
        said = going.now.answers[-1].line if going.now else line
        told = answers.events_record(events, going.saved.seats)
        played.append({"seat": seat, "line": said, "events": told, "drawn": _drawn(going)})
        _print_lines(options, [f"{seat}: {said}", *_event_lines(events, going)])
    return {"kind": "played", "played": played}, ()


def _play_record(options: argparse.Namespace, opened: Opened) -> Done:
    going = opened.going
    with intake.of_record(options.record, going.saved.seats) as steps:
        count = going.take_in(steps, _luck(options, going))
    return {"kind": "played", "answers": count}, [f"{plural(count, 'answer')} played"]


def _tell(options: argparse.Namespace, opened: Opened) -> Done:
    with intake.of_kept(options.kept) as kept:
        opened.going.tell(options.chapter, options.won, kept)
    return {"kind": "told"}, ()


def _correct(options: argparse.Namespace, opened: Opened) -> Done:
    with intake.of_kept(options.kept) as kept:
        opened.going.correct(options.why, kept)
    return {"kind": "corrected"}, ()


def _read(options: argparse.Namespace) -> int:
    if options.chapter is not None and not (options.won or options.lost):
        raise Stop.at(Place("--chapter"), "the end of the chapter is missing", "add --won or --lost")
    if options.chapter is None and (options.won or options.lost):
        raise Stop.at(Place("--won" if options.won else "--lost"), "the chapter is missing", "add --chapter CHAPTER")
    return _change(_read_form, options)


def _read_form(options: argparse.Namespace, opened: Opened) -> Done:
    going = opened.going
    place = Place(shown_path(options.form))
    fields, texts = intake.filled_in(options.form, place, going.game.name)
    shape = going.campaign.shape(going.game.facts)
    kept, misfits = read(shape, going.kept, fields, texts, intake.words_for(going))
    if misfits:
        raise Stop(intake.path_problem(place, one) for one in misfits)
    changed = options.chapter is not None or shape.read(kept) != shape.read(going.kept)
    if changed:
        with intake.of_form(place):
            if options.chapter is not None:
                going.tell(options.chapter, options.won, kept)
            else:
                going.correct(f"as {options.form.name} says", kept)
    lines = () if changed else ("the form agrees with the file; nothing was changed",)
    return {"kind": "read", "changed": changed}, lines


def _undo(options: argparse.Namespace, opened: Opened) -> Done:
    before = _length(opened.going)
    undone = opened.going.undone(options.chapter)
    write(opened, replace(undone, seed=_another_seed()) if options.other_luck else undone)
    opened.going = open_file(options.file, options.game_of).going
    gone = before - _length(opened.going)
    return {"kind": "undone"}, [f"{plural(gone, 'answer')} undone" if gone > 0 else "undone"]


def _safehaven(options: argparse.Namespace, opened: Opened) -> Done:
    opened.going.rest(options.name)
    return {"kind": "kept"}, ()


def _restore(options: argparse.Namespace, opened: Opened) -> Done:
    opened.going.restore(options.name)
    return {"kind": "restored"}, ()


def _luck(options: argparse.Namespace, going: Going) -> str:
    """Return the seed that was given, otherwise the file's, otherwise a new one, and keep it in the file."""
    seed = str(options.seed) if options.seed is not None else going.saved.seed or _another_seed()
    going.saved = replace(going.saved, seed=seed)
    return seed


def _another_seed() -> str:
    return secrets.token_hex(8)


# Asking about a campaign


def _status(options: argparse.Namespace, opened: Opened) -> Done:
    going = opened.going
    made = {"kind": "status"} | _record(going)
    made |= {"problems": [str(problem) for problem in opened.faults()]} if going.fault else {}
    lines = [f"{going.game.title}: {', '.join(going.saved.seats)}", *([""] if going.past else [])]
    lines += [f"{number:3}. {_past_line(past)}" for number, past in enumerate(going.past, 1)]
    if going.fault:
        for name in [*going.safehavens()][-1:]:
            lines += ["", f'`grimalkin campaign restore {options.file} "{name}"` goes on from the last Safehaven.']
    elif going.playing is not None:
        lines += ["", f"{_to_act(going)} is asked; `play` shows the possible answers"]
    else:
        lines += ["", *_next_lines(going)]
    return made, lines


def _kept(options: argparse.Namespace, opened: Opened) -> Done:
    text = as_yaml(opened.going.kept)
    if options.output is not None:
        _write(options.output, text.encode())
    elif not options.json:
        print(text, end="")
    lines = [f"{options.output} written"] if options.output is not None else ()
    return {"kind": "kept", "kept": opened.going.kept}, lines


def _write(path: Path, data: bytes) -> None:
    """Write a requested file. Stops if its folder does not exist."""
    if not path.resolve().parent.is_dir():
        raise Stop.at(Place("--output"), f"there is no folder {path.parent}", "make it, or name another")
    write_over(path.resolve(), data)


def _print(options: argparse.Namespace, opened: Opened) -> Done:
    from grimalkin.parts.forms.printing import form_pdf
    from grimalkin.printing.face.fields import is_note

    going = opened.going
    havens = going.safehavens()
    if options.safehaven is not None and options.safehaven not in havens:
        hint = did_you_mean(options.safehaven, havens) or "this party has none"
        raise Stop.at(Place("--safehaven"), f'there is no Safehaven "{options.safehaven}"', hint)
    kept = going.kept if options.safehaven is None else havens[options.safehaven]["kept"]
    content, face = intake.find_form(options.game_of or going.saved.game, options.form, options.inks)
    shape = going.campaign.shape(going.game.facts)
    known = {slot.blank.name for slot in slots(shape, face.fields)}
    for field in face.fields:
        if field.name not in known and not is_note(field.name):
            hint = "name it by the path of something that is kept, or begin its name with notes"
            raise Stop.at(Place(face.name), f"field {field.name}: the party keeps nothing with this name", hint)
    values, misfits = filled(shape, kept, face.fields, intake.words_for(going))
    if misfits:
        raise Stop(intake.path_problem(Place(face.name), one) for one in misfits)
    path: Path = options.output or Path(f"{face.id.removesuffix('-front')}.pdf")
    _write(path, form_pdf(content, face, values))
    return {"kind": "printed", "file": str(path), "fields": values}, [f"{path} written"]


def _score(_options: argparse.Namespace, opened: Opened) -> Done:
    going = opened.going
    standing = going.campaign.standing(going.game.facts, going.kept)
    lines = []
    for whose, several in groupby(standing, lambda line: line.whose):
        lines.append(f"{_called(going, whose)}:" if whose else "The party:")
        lines += [f"  {line.what}: {line.value}  [{line.rule}]" for line in several]
    rules = dict.fromkeys(line.rule for line in standing)
    lines += ["", *(f"{id_}: {going.game.law(id_).title}" for id_ in rules)]
    return {"kind": "score", "standing": [line._asdict() for line in standing]}, lines


def _why(options: argparse.Namespace, opened: Opened) -> Done:
    playing = opened.going.playing or opened.going._underway()
    game, chance = opened.going.game, playing.chance
    line, told = without_draws(game.module, options.move, game.facts)
    chance.said.left += [*game.given(options.draw, playing.state.seats), *told]
    chance.luck = Seeded(f"{options.seed or 'why'} {len(playing.answers)}")
    asked = Asked(game, playing.state, chance, [])
    verdict = answers.judged(asked, line)
    made = answers.verdict_record(verdict, asked)
    if not options.json:
        answers.print_verdict(verdict, asked)
        answers.print_drawn(chance.draws)
    return made, ()


# Answers


def _record(going: Going) -> dict[str, Any]:
    """Return the state of a campaign, for programs."""
    playing = going.playing
    record: dict[str, Any] = {
        "game": going.saved.game,
        "seats": list(going.saved.seats),
        "chapters": [asdict(past) for past in going.past],
        "kept": dict(going.kept),
        "safehavens": list(going.safehavens()),
        "next": [
            {"id": one.id, "title": one.title, "rules": list(one.rules), "rests": one.rests} for one in _chapters(going)
        ],
    }
    if playing is not None:
        record["playing"] = {"chapter": playing.chapter.id} | answers.now_record(going.game.module, playing.state)
    return record


def _chapters(going: Going) -> Sequence[Any]:
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
    events show what everybody may know."""
    return dict(Counter(label for label, _ in going.now.answers[-1].draws)) if going.now else {}


def _called(going: Going, id_: str) -> str:
    """Return the name of a piece."""
    piece: Mapping[str, Any] = going.game.facts["components"].get(id_, {})
    return str(piece.get("name", id_))


def _event_lines(events: Sequence[Event], going: Going) -> list[str]:
    """Return what an answer has drawn, and its events, each with those who may know it."""
    drawn = ", ".join(f"{count} × {label}" for label, count in _drawn(going).items())
    lines = [f"  drawn: {drawn}"] if drawn else []
    for event in events:
        everybody = all(map(event.is_for, range(len(going.saved.seats))))
        if text := event.text if everybody else event.hint:
            lines.append(f"  {text}  [{event.rule}]")
    return lines


def _question_lines(going: Going) -> Iterator[str]:
    """Yield who is asked what, or how the chapter ended and what can come next."""
    playing = going.playing
    if playing is not None:
        choices = ", ".join(answers.moves(going.game.module, playing.state))
        yield f"{_actor(playing.state)} is asked. Possible answers: {choices}"
        return
    if going.now is not None and (result := going.now.state.result()):
        yield f"{going.now.chapter.title} is {going.past[-1].ended}: {result.because}  [{result.rules[0]}]"
    yield from _next_lines(going)


def _next_lines(going: Going) -> Iterator[str]:
    """Yield the chapters that can be played next, and whether the party may rest first."""
    chapters = _chapters(going)
    for chapter in chapters:
        rules = f"  [{', '.join(chapter.rules)}]" if chapter.rules else ""
        yield f"next: {chapter.id}, {chapter.title}{rules}"
    if any(chapter.rests for chapter in chapters):
        rule = going.campaign.rules.get("rest", "")
        yield "You may make a Safehaven here" + (f"  [{rule}]" if rule else "")
    if not chapters and not going.fault:
        yield "The campaign is over."


def _past_line(past: Past) -> str:
    """Describe a past action."""
    name = past.title or past.id
    if past.kind not in ("play", "told"):
        return f"{_DONE[past.kind]}: {name}"
    if past.ended == "unknown":
        return f"{name}: cannot be followed"
    return f"{name}: {past.ended}, {plural(past.answers, 'answer') if past.kind == 'play' else 'as you reported'}"


_DONE = {"corrected": "corrected by hand", "safehaven": "a Safehaven", "restore": "back to the Safehaven"}


ACTIONS: dict[str, Callable[[argparse.Namespace], int]] = {
    "new": _new,
    "status": partial(_ask, _status, broken=True),
    "begin": partial(_change, _begin),
    "play": _play,
    "play-record": partial(_change, _play_record),
    "tell": partial(_change, _tell),
    "correct": partial(_change, _correct),
    "kept": partial(_ask, _kept),
    "print": partial(_ask, _print),
    "read": _read,
    "undo": partial(_change, _undo, broken=True),
    "safehaven": partial(_change, _safehaven),
    "restore": partial(_change, _restore, broken=True),
    "score": partial(_ask, _score),
    "why": partial(_ask, _why),
}
"""The function that carries out each action and returns the exit code, by the action's name."""
