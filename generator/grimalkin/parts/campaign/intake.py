"""Read what a party hands in beside its campaign: what it keeps, records of play, and forms; and find its forms.

Whatever the campaign refuses is reported with its place in the file that it came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grimalkin.cli.common import load
from grimalkin.engine.campaigns import Kept
from grimalkin.engine.replay import RESERVED
from grimalkin.engine.saved import MOST_STEPS, Step, Steps
from grimalkin.engine.shape import Misfit, Misfits
from grimalkin.play.campaign import Going
from grimalkin.play.campaign.paper import Blank, Words
from grimalkin.play.table import misfit_problem
from grimalkin.problems import Place, Problem, Problems, Stop, did_you_mean, extra
from grimalkin.source import Source, read_yaml
from grimalkin.source.files import read_bytes

if TYPE_CHECKING:
    from grimalkin.content import Game as Content
    from grimalkin.printing.face import Face, Inks


@contextmanager
def of_kept(path: Path) -> Iterator[Kept]:
    """Read from a file what a party keeps, and report misfits with their lines."""
    source = _yaml(path)
    if not isinstance(source.data, dict):
        raise Stop.at(source.place(), "this is not a mapping", "`grimalkin campaign kept` prints one")
    with _reporting("kept", lambda misfit: misfit_problem(source.place(misfit.at), misfit)):
        yield source.data


@contextmanager
def of_form(place: Place) -> Iterator[None]:
    """Report misfits in a filled-in form, by their places there."""
    with _reporting("kept", lambda misfit: path_problem(place, misfit)):
        yield


@contextmanager
def _reporting(key: str, told: Callable[[Misfit], Problem]) -> Iterator[None]:
    """Report misfits under the key of a file as problems with that file; leave others alone."""
    try:
        yield
    except Misfits as error:
        if any(misfit.at[:1] != (key,) for misfit in error.misfits):
            raise
        raise Stop(told(replace(misfit, at=misfit.at[1:])) for misfit in error.misfits) from None


def path_problem(place: Place, misfit: Misfit) -> Problem:
    """Return a misfit as a problem with a form; its path names the field."""
    return Problem(place, f"{'.'.join(map(str, misfit.at))}: {misfit.message}", misfit.hint)


def _yaml(path: Path) -> Source:
    problems = Problems()
    source = read_yaml(path, problems)
    if source is None or problems:
        raise Stop(problems)
    return source


@contextmanager
def of_record(path: Path, seats: Sequence[str]) -> Iterator[list[Step]]:
    """Read the steps of a record that play something, and report misfits with their lines."""
    source = _yaml(path)
    whole = source.data
    at = ("steps",) if isinstance(whole, dict) and "steps" in whole else ()
    written = whole["steps"] if at else whole
    several = list(enumerate(written)) if isinstance(written, list) else []
    several = [(index, step) for index, step in several if not isinstance(step, dict) or list(step) != ["check"]]
    if not several or len(several) > MOST_STEPS:
        told = f"there are more than {MOST_STEPS:,} steps" if several else "there are no steps here"
        raise Stop.at(source.place(at), told, "a record is a list of steps, or a playthrough")

    def problem(misfit: Misfit) -> Problem:
        number, *keys = misfit.at or ("",)
        place = source.place((*at, several[int(number)][0], *keys) if misfit.at else at)
        return misfit_problem(place, replace(misfit, at=()))

    shape, steps, problems = Steps(), [], Problems()
    for number, (_, step) in enumerate(several):
        read, misfits = shape.read(_plain(step), (number,))
        name = str(next(iter(read), ""))
        if not misfits and name not in (*RESERVED, *seats):
            hint = did_you_mean(name, seats)
            misfits = [Misfit((number, name), f'"{name}" has no seat in this campaign', hint)]
        problems.extend(map(problem, misfits))
        steps.append(read)
    problems.stop()
    with _reporting("steps", problem):
        yield steps


def _plain(step: Any) -> Any:
    """Return a step; if it is a remark for several readers, join their texts."""
    if isinstance(step, dict) and list(step) == ["say"] and isinstance(step["say"], dict):
        return {"say": " ".join(map(str, step["say"].values()))}
    return step


# Forms


def words_for(going: Going) -> Words:
    """Return the names of pieces and scenarios."""
    components = going.game.facts["components"]
    names = {id_: str(piece["name"]) for id_, piece in components.items() if "name" in piece}
    names |= {id_: str(one["title"]) for id_, one in going.game.facts.get("scenarios", {}).items()}
    return Words(names, lambda id_, column: str(components.get(id_, {}).get(column, "")))


def find_form(name: str, id_: str, inks: Inks) -> tuple[Content, Face]:
    """Return the game, and its form with this id for what a party keeps; if the id is empty, its first form."""
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
    if id_ and id_ not in forms:
        raise Stop.at(Place("--form"), f'there is no form "{id_}"', did_you_mean(id_, forms))
    return content, forms[id_ or next(iter(forms))]


def filled_in(path: Path, place: Place, game: str) -> tuple[list[Blank], Mapping[str, str]]:
    """Return the fields of a filled-in form, and the text in them."""
    from grimalkin.parts.forms.positions import is_pdf
    from grimalkin.printing.face.fields import KEPT, Field

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
