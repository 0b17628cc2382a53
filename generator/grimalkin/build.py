"""The whole chain in one function, read downwards: content in, sheets, pictures and the site out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grimalkin.content import Game, prove
from grimalkin.content.stocks import Paper, load_papers, load_stocks
from grimalkin.draw import face_png
from grimalkin.face import Composer, Face
from grimalkin.pages import Shown, build_site
from grimalkin.problems import Place, Problems, Stop, shown_path
from grimalkin.sheet import Item, impose, sheet_pdf
from grimalkin.sheet.impose import Flip
from grimalkin.swap import Step, staging, swap

Say = Callable[[str], None]


@dataclass(frozen=True)
class Settings:
    """How sheets are made: on which papers, and over which edge the printer flips a leaf."""

    papers: tuple[str, ...] = ("a4", "letter")
    flip: Flip = "long"


def build(
    folders: Sequence[Path], output: Path, settings: Settings, say: Say, step: Step = lambda _: None
) -> dict[str, int]:
    """Build games into `output`. Raises Stop with every problem; the last good output then stays as it was.

    Returns how many sheets, pictures and pages were made.
    """
    problems = Problems()
    with staging(output) as new:
        shown: list[Shown] = []
        made = {"sheets": 0, "pictures": 0, "pages": 0}
        for folder in folders:
            proved = prove(folder, problems)
            if proved is None:
                continue
            game, traces, proof = proved
            say(f"{game.name}: replayed {len(traces)} examples and playthroughs")
            if problems:
                continue  # faces of faulty content would only tell the same faults again
            composer, items, faces = compose(game, problems)
            if problems:
                continue
            sheets: dict[str, bytes] = {}
            for name, paper in _papers(game, settings, problems).items():
                imposed = impose(items, paper, settings.flip, Place(shown_path(game.folder / "game.yaml")), problems)
                say(f"{game.name}: drawing {len(imposed)} sheets on {paper.name}")
                sheets[f"{game.name}-{name}.pdf"] = sheet_pdf(game, imposed, paper, settings.flip)
                made["sheets"] += len(imposed)
            say(f"{game.name}: drawing {len(faces)} faces")
            _write(new / "sheets" / game.name, sheets)
            _write(new / "cards" / game.name, {f"{id_}.png": face_png(face) for id_, face in faces.items()})
            made["pictures"] += len(faces)
            shown.append(Shown(game, traces, proof, composer, faces, sheets))
        if problems:
            raise Stop(problems)
        say("writing the site")
        (new / "site").mkdir()
        build_site(shown, (new / "site").resolve(), problems)
        if problems:
            raise Stop(problems)
        made["pages"] = sum(1 for _ in (new / "site").rglob("*.html"))
        names = [one.game.name for one in shown]
        swap(output, [*(f"{kind}/{name}" for kind in ("sheets", "cards") for name in names), "site"], step)
    return made


def compose(game: Game, problems: Problems) -> tuple[Composer, list[Item], dict[str, Face]]:
    """Every face of a game, and every piece to print, in the order of its decks."""
    composer = Composer(game, load_stocks(game.folder, problems), problems)
    items: list[Item] = []
    faces: dict[str, Face] = {}
    for deck in game.info.decks:
        for row in game.components[deck.id]:
            front, back = composer.faces(deck, row)
            faces.update({face.id: face for face in (front, back) if face})
            if front:
                items += [Item(front, back, deck.id)] * row.count
    return composer, items, faces


def _papers(game: Game, settings: Settings, problems: Problems) -> dict[str, Paper]:
    known = load_papers(game.folder, problems)
    return {name: known[name] for name in settings.papers if name in known}


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
