"""The whole chain, read downwards: content in, sheets, pictures and the site out."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from grimalkin.content import Game, as_variant, prove
from grimalkin.content.stocks import Paper, load_papers, load_stocks
from grimalkin.draw.png import INCH
from grimalkin.export.pictures import Wanted, pictures
from grimalkin.face import Composer, Face, Inks
from grimalkin.pages import Shown, build_site
from grimalkin.printout import Bar, find_papers, print_out, quiet
from grimalkin.problems import Place, Problems, Stop
from grimalkin.records import FOLDER, Record, keep, path_of
from grimalkin.sheet import Edition, Settings, all_faces, faces_among, faces_by, pieces_of
from grimalkin.source import content_fingerprint
from grimalkin.swap import Step, staging, swap
from grimalkin.unchanged import Made, State, build_key, game_key, hash_of, hashes, intact, kept, note

Say = Callable[[str], None]
PAPERS = ("a4", "letter")
DESIGNS: tuple[Inks, ...] = get_args(Inks)
DPI = 300
"""Of the pictures in `cards`."""
MOST_PIXELS = 50_000_000
"""Of one of them."""


def build(
    folders: Sequence[Path],
    output: Path,
    say: Say,
    papers: Sequence[str] = PAPERS,
    settings: Settings | None = None,
    step: Step = lambda _: None,
    bar: Bar = quiet,
) -> State:
    """Build games into `output`. Raises Stop with every problem; the last good output then stays as it was.

    Sheets and pictures of a game of which nothing has changed are kept as they are. Returns what was made.
    """
    settings = settings or Settings()
    problems = Problems()
    before = kept(output)
    key = build_key(folders, papers, settings)
    with staging(output) as new:
        shown: list[Shown] = []
        records: list[Record] = []
        made: dict[str, Made] = {}
        for folder in folders:
            proved = prove(folder, problems)
            if proved is None:
                continue
            game, traces, proof = proved
            say(f"{game.name}: replayed {len(traces)} examples and playthroughs")
            known = find_papers(papers, load_papers(folder, problems), Place("--paper"), problems)
            if problems:
                continue  # faces of faulty content would only tell the same faults again
            composer = Composer(game, load_stocks(folder, problems), problems, settings.inks)
            faces = all_faces(game, composer)
            if problems:
                continue
            own = game_key(folder, papers, settings)
            places = [f"sheets/{game.name}", f"cards/{game.name}"]
            old = before.games.get(game.name)
            if old and old.key == own and intact(output, old.files):
                say(f"{game.name}: nothing to draw")
                for name in (name for name in old.files if not name.startswith(FOLDER)):
                    (new / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(output / name, new / name)
                made[game.name] = old
            else:
                count, kept_records = _draw(new, game, faces, composer, known, settings, bar, problems)
                if problems:
                    continue
                records += kept_records
                files = {**hashes(new, places), **{path_of(one): hash_of(one.text()) for one in kept_records}}
                made[game.name] = Made(own, files, count, len(faces))
            printed = [new / name for name in made[game.name].files if name.endswith(".pdf")]
            sheets = {path.name: path.read_bytes() for path in sorted(printed, key=_stem)}
            shown.append(Shown(game, traces, proof, composer, faces, sheets))
        if problems:
            raise Stop(problems)
        say("writing the site")
        (new / "site").mkdir()
        build_site(shown, (new / "site").resolve(), problems)
        if problems:
            raise Stop(problems)
        pages = sum(1 for _ in (new / "site").rglob("*.html"))
        state = State(key, {**before.games, **made}, hashes(new, ["site"]), pages)
        swap(output, [*(f"{kind}/{name}" for kind in ("sheets", "cards") for name in made), "site"], step)
        for record in records:
            keep(output, record)
        note(output, state)
    return State(key, made, state.site, pages)


def _draw(
    new: Path,
    game: Game,
    faces: Mapping[str, Face],
    composer: Composer,
    papers: Mapping[str, Paper],
    settings: Settings,
    bar: Bar,
    problems: Problems,
) -> tuple[int, list[Record]]:
    """The sheets of a game in every design that is wanted, and its pictures. Returns how many pages, and the records.

    Who asks for no design in particular gets all of them, and each variant: a player chooses on the site.
    """
    edition = Edition(game.info.rules_version, content_fingerprint(game.folder))
    records: list[Record] = []
    files: dict[str, bytes] = {}
    count = 0
    designs = [(game, inks) for inks in (DESIGNS if settings.inks == "full" else (settings.inks,))]
    designs += [(as_variant(game, [variant]), settings.inks) for variant in game.info.variants]
    for printed_game, inks in designs:
        if printed_game is game and inks == settings.inks:
            drawn_with, among = composer, faces_among(faces)
        else:
            drawn_with = Composer(printed_game, composer.stocks, problems, inks)
            among = faces_by(printed_game, drawn_with)
        chosen = replace(settings, inks=inks)
        pieces = pieces_of(printed_game, composer.stocks)
        printed = print_out(printed_game, pieces, papers, chosen, drawn_with, among, edition, problems, bar)
        records.append(printed.record(printed_game, edition, chosen))
        files.update(printed.files)
        count += printed.sheets
    _write(new / "sheets" / game.name, {**files, "manifest.json": records[0].text().encode()})
    wanted: dict[int, list[Wanted]] = {}
    for id_, face in faces.items():
        wanted.setdefault(_dpi(face), []).append(Wanted(f"{id_}.png", face))
    more = bar(f"{game.name}: faces", len(faces))
    drawn: dict[str, bytes] = {}
    for dpi, some in wanted.items():
        drawn.update(pictures(some, dpi, False, False, os.cpu_count() or 1, more))
    _write(new / "cards" / game.name, drawn)
    return count, records


def _dpi(face: Face) -> int:
    """As fine as pictures are, but for a piece so large that its picture would fill the memory."""
    area = face.stock.width * face.stock.height / INCH**2
    return min(DPI, int((MOST_PIXELS / area) ** 0.5))


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)


def _stem(path: Path) -> str:
    """Sorts a paper's full inks before its other designs."""
    return path.stem
