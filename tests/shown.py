"""Bundled and made-up games as the site shows them; what is made of a bundled one is made once for all tests."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from filelock import FileLock
from games_for_tests import FILES, write_game

from grimalkin.content import prove
from grimalkin.content.stocks import load_stocks
from grimalkin.engine.replay import Script, Trace, replay
from grimalkin.engine.words import Event, Line
from grimalkin.printing.face import Composer
from grimalkin.printing.sheet.pieces import all_faces
from grimalkin.problems import Problems
from grimalkin.site.pages import Shown, build_site, pages
from grimalkin.source import find_game_folder

BIRDS = """\
id,name,count,family,wings,tame,song,tale,hat,view,alt
barn-owl,Barn owl,1,barn,4,yes,hoot,,none,far,An owl in a barn.
dusk-owl,Dusk owl,1,barn,2,no,,Comes when the lamps are lit and goes before anybody asks.,cap,near,
moor-owl,Moor owl,1,wood,,no,hiss,,cap,far,
snow-owl,Snow owl,2,snow,9,yes,hoot,,cap,near,
"""
"""Four owls; more can be added."""
MORE_BIRDS = "".join(f"hen-{n},Hen {n},1,wood,{n},no,,,none,near,\n" for n in range(1, 11))
"""With these, wings go from 1 to 10, and there are fourteen designs."""
COLUMNS = """\
      family: {type: choice, label: family, choices: [wood, barn, snow]}
      wings: {type: whole, label: wings, least: 0, optional: yes, rule: TI-PLAY-2}
      tame: {type: yes-no, label: tame, rule: TI-PLAY-1}
      song: {type: choice, label: song, choices: [hiss, hoot], optional: yes, rule: TI-PLAY-1}
      tale: {type: text, label: tale, optional: yes}
      hat: {type: choice, label: hat, choices: [none, cap], shown: no}
      view: {type: choice, label: view, choices: [near, far]}
"""
TERMS = """\
terms:
  - {id: power, name: power, text: How strong a card is.}
  - {id: hooting, name: Night Song, also: [hoot, hoots], text: A song.}
"""
SECRET = "planted-secret"
READERS = {"open": "All see this.", "Silas": "He has a ten.", "Hester": "She hopes."}


Pages = dict[str, str | bytes]
Made = TypeVar("Made")


def show(folder: Path) -> Shown:
    """What the site shows of a game, with a stand-in for its sheets."""
    problems = Problems()
    proved = prove(folder, problems)
    assert proved is not None
    game, traces, proof = proved
    composer = Composer(game, load_stocks(folder, problems), problems)
    faces = all_faces(game, composer)

    assert not list(problems)
    return Shown(game, traces, proof, composer, faces, stand_in(game.name))


def stand_in(name: str) -> dict[str, bytes]:
    """What is shown as the sheets of a game."""
    return {f"{name}-a4.pdf": b"%PDF-1.7 a sheet"}


def site_of(names: Iterable[str], target: Path, pages_of: Callable[[Shown], Pages] = pages) -> Path:
    """The site of bundled games."""
    problems = Problems()
    target.mkdir(parents=True, exist_ok=True)
    build_site([bundled(name) for name in names], target, problems, pages_of=pages_of)

    assert list(problems) == []
    return target


@cache
def bundled(name: str) -> Shown:
    return show(find_game_folder(name))


@cache
def bundled_pages(name: str) -> Pages:
    """The pages of a bundled game: hundreds of tables are drawn for them."""
    return made_once(f"pages-{name}", lambda: pages(bundled(name)))


def made_once(name: str, make: Callable[[], Made]) -> Made:
    """What one process of this run makes, and all others read."""
    kept = Path(os.environ["GRIMALKIN_TESTS_SHARE"], name)
    with FileLock(f"{kept}.lock"):
        if not kept.exists():
            kept.write_bytes(pickle.dumps(make()))
    made: Made = pickle.loads(kept.read_bytes())
    return made


def texts(made: Pages) -> dict[str, str]:
    """The Markdown among pages."""
    return {path: text for path, text in made.items() if isinstance(text, str) and path.endswith(".md")}


def write_birds(folder: Path, birds: str = BIRDS) -> Path:
    """A game with a second deck, of birds, that has columns of every kind."""
    count = len(birds.splitlines())  # one line is the heading, and of one owl there are two
    deck = f"  - {{id: birds, name: Birds, kind: card, file: birds.csv, count: {count}, stock: poker, "
    columns = COLUMNS.replace("}\n", "},\n")
    deck += f"faces: {{front: bird, back: bird-back}}, columns: {{\n{columns}  }}}}\n"
    face = FILES["faces/plain.svg.j2"].replace("{{ card.power }}", "")
    return write_game(
        folder,
        **{
            "game.yaml": FILES["game.yaml"] + deck,
            "birds.csv": birds,
            "faces/bird.svg.j2": face,
            "faces/bird-back.svg.j2": face.replace("{{ card.name }}", "Bird"),
            "terms.yaml": TERMS,
        },
    )


class Telling:
    """Wolf-Man's Curse, telling what each seat knows: no hand of the others, and no card of theirs laid face down."""

    def __init__(self, module: Any) -> None:
        self.module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self.module, name)

    def seen(self, state: Any, seat: int) -> dict[str, Any]:
        position = deepcopy(state.position())
        for number, has in enumerate(position["seats"].values()):
            if number != seat:
                has.update({"hand": ["?"] * len(has["hand"])} if "hand" in has else {})
                has.update({"laid": "?"} if "laid" in has and position["night"] == 1 else {})
        return position


@cache
def watched(planted: bool = False) -> Shown:
    """Wolf-Man's Curse with one playthrough, each seat of which has its page.

    With `planted`, whatever Hester may not know of it is another text: what she sees must be the same.
    """
    shown = bundled("wolf-mans-curse")
    (play, *_) = shown.game.playthroughs
    module: Any = Telling(shown.game.module)
    script = shown.game.scripts[play.id]
    steps = tuple({"say": dict(READERS)} if "say" in step else step for step in script.steps)
    script = replace(script, steps=steps)
    trace = replay(module, shown.game.facts, script)
    if planted:
        script, trace = without_secrets(script, trace, trace.seats.index("Hester"))
    # Without its examples its pages are soon made.
    game = replace(shown.game, examples=(), playthroughs=(play,), scripts={**shown.game.scripts, play.id: script})

    assert trace.ok or planted
    return replace(shown, game=game, traces={**shown.traces, play.id: trace})


@cache
def watched_pages(planted: bool = False) -> Pages:
    return made_once("pages-watched" + "-planted" * planted, lambda: pages(watched(planted)))


def without_secrets(script: Script, trace: Trace, seat: int) -> tuple[Script, Trace]:
    """A script and its trace in which everything but what a seat may know is another text."""

    def told(events: tuple[Event, ...]) -> tuple[Event, ...]:
        hidden = (event.audience is not None and seat not in event.audience for event in events)
        return tuple(replace(e, text=SECRET) if secret else e for e, secret in zip(events, hidden, strict=True))

    def known(positions: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(one if number == seat else {SECRET: SECRET} for number, one in enumerate(positions))

    def written(step: Any) -> Any:
        ((key, value),) = step.items()
        if key == "say":
            return {key: {who: text if who == trace.seats[seat] else SECRET for who, text in value.items()}}
        return {key: {SECRET: SECRET} if isinstance(value, dict) else SECRET}

    steps = tuple(
        replace(
            step,
            line=SECRET,
            seen=tuple(line if number == seat else SECRET for number, line in enumerate(step.seen)),
            choices=(SECRET,),
            say=SECRET,
            draw=(SECRET, (SECRET,)),
            events=told(step.events),
            checks=(),
            position={SECRET: SECRET},
            known=known(step.known),
        )
        for step in trace.steps
    )
    secret = {"before": {SECRET: SECRET}, "after": {SECRET: SECRET}, "checks": ()}
    scores = tuple(replace(score, lines=(Line(SECRET, SECRET, 1, 1, 1),)) for score in trace.scores)
    changed = {"steps": steps, "scores": scores, "opening": told(trace.opening), "known": known(trace.known)}
    return replace(script, steps=tuple(map(written, script.steps)), expect={}), replace(trace, **secret, **changed)
