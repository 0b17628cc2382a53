"""The whole chain, read downwards: content in, sheets, pictures and the site out.

Several games are made side by side, each in a process of its own, and pictures are developed while the site is written.
What comes out is the same for any number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from grimalkin.content import Coverage, Game, prove
from grimalkin.content.stocks import load_papers, load_stocks
from grimalkin.draw.png import INCH
from grimalkin.engine.replay import Trace
from grimalkin.export.pictures import CHUNK, SMALL, Film, Wanted, cores, developed, films, processes
from grimalkin.face import Composer, Face, Inks
from grimalkin.games import guarded
from grimalkin.output.disk import write_new
from grimalkin.output.printout import Bar, designs_of, find_papers, print_out, quiet
from grimalkin.output.records import Record, path_of, write
from grimalkin.output.swap import STATE, Step, Tell, staging, swap
from grimalkin.output.unchanged import Made, State, build_key, folders_of, game_key, hash_of, intact, noted, sheets_of
from grimalkin.pages import Shown, build_site, pages
from grimalkin.problems import Place, Problem, Problems, Stop, shown_path
from grimalkin.sheet import Edition, Settings, all_faces, faces_among, faces_by, pieces_of
from grimalkin.source import content_fingerprint, files_below, name_of

Say = Callable[[str], None]
Proved = tuple[Game, Mapping[str, Trace], Coverage]
Owe = Callable[[Game, Sequence[Problem]], None]
"""Takes a draft, and what is not proved of it."""
Developing = Callable[[], list[tuple[str, bytes]]]
"""Waits for the pictures of a film: their names and contents."""
PAPERS = ("a4", "letter")
DPI = 300
"""Of the pictures in `cards`."""
MOST_PIXELS = 50_000_000
"""Of one of them."""


@dataclass(frozen=True)
class _Task:
    """A game that is to be made. It travels between processes."""

    folder: Path
    papers: Sequence[str]
    settings: Settings
    sheets: Mapping[str, bytes] | None
    """The PDFs of the last build when nothing is to be drawn."""
    draft: bool
    """Whether the game is made as a draft, whatever it says itself."""


@dataclass(frozen=True)
class _Part:
    """What was made of a game, but for the pictures on its films. It travels between processes."""

    faces: Mapping[str, Face]
    """By id; what is painted on them stays behind."""
    pages: Mapping[str, str | bytes]
    sheets: Mapping[str, bytes] = field(default_factory=dict)
    """By the names of the files. Like what follows, only of a game that was drawn."""
    records: Sequence[Record] = ()
    count: int = 0
    """Pages to print."""
    films: Sequence[Film] = ()
    """What nobody has begun to develop yet."""


Outcome = tuple[_Part | None, list[Problem]]
"""What was made, if nothing was in the way, and what was found wrong."""


def build(
    folders: Sequence[Path],
    output: Path,
    say: Say,
    papers: Sequence[str] = PAPERS,
    settings: Settings | None = None,
    step: Step = lambda _: None,
    bar: Bar = quiet,
    tell: Tell = lambda _: None,
    draft: bool = False,
    owe: Owe = lambda game, owed: None,
) -> State:
    """Build games into `output`. Raises Stop with every problem; the last good output then stays as it was.

    Sheets and pictures of a game of which nothing has changed stay as they are. `tell` takes what became of files of
    the user's. With `draft`, all are made as drafts; `owe` takes each game that is one, with what is not proved of it.
    Returns what was made.
    """
    settings = settings or Settings()
    problems = Problems()
    for folder in folders:
        if any(name_of(folder) == name_of(other) for other in folders if other != folder):
            problems.add(
                Place(shown_path(folder)), "two games of this name cannot be built at a time", "rename a folder"
            )
    if problems:
        raise Stop(problems)
    key = build_key(folders, papers, settings, draft)
    jobs = cores()
    apart = len(folders) > 1 and jobs > 1
    keys = {name_of(folder): game_key(folder, papers, settings, draft) for folder in folders}
    where = ["site", *(folder for name in keys for folder in folders_of(name))]
    with staging(output, where, tell) as new, processes(jobs) as pool:
        before = noted(output)
        alike = {name: made for name, made in before.games.items() if keys.get(name) == made.key}
        old = {name: made for name, made in alike.items() if intact(output, folders_of(name), made.records)}
        developing: list[tuple[str, Developing]] = []

        def shoot(name: str, some: Sequence[Film]) -> None:
            beside = apart or (jobs > 1 and len(some) * CHUNK >= SMALL)
            for film in some:
                developing.append((name, pool.submit(developed, film).result if beside else partial(developed, film)))

        tasks = _prove(folders, papers, settings, output, old, say, problems, draft, owe)
        parts: dict[str, _Part] = {}
        proofs: dict[str, Proved] = {}
        for proved, (part, found) in _make_apart(tasks, pool, bar) if apart else _make_here(tasks, shoot, bar):
            problems.found.update(dict.fromkeys(found))
            if part is not None:
                name = proved[0].name
                parts[name], proofs[name] = part, proved
                shoot(name, part.films)
                if name not in old:
                    _write(new / "sheets" / name, part.sheets.items())
                    _write(new / "cards" / name, [])
        if problems:
            raise Stop(problems)
        say("writing the site")
        (new / "site").mkdir()
        shown = [_shown(proofs[name], settings.inks, parts[name].faces, {}) for name in keys]
        build_site(shown, (new / "site").resolve(), problems, pages_of=lambda one: parts[one.game.name].pages)
        if problems:
            raise Stop(problems)
        more = bar("pictures", sum(len(parts[name].faces) for name in keys if name not in old))
        for name, pictures in developing:
            for picture in pictures():
                _write(new / "cards" / name, [picture])
                more(1)
        made = {name: old.get(name) or _made(keys[name], parts[name], proofs[name]) for name in keys}
        count = sum(1 for _ in (new / "site").rglob("*.html"))
        write_new(new / STATE, State(key, {**before.games, **made}, count).text())
        records = write(output, new, (record for name in keys for record in parts[name].records))
        drawn = [folder for name in keys if name not in old for folder in folders_of(name)]
        swap(output, [*drawn, "site"], [*records, STATE], tell, step, older=records)
    return State(key, made, count)


def _prove(
    folders: Sequence[Path],
    papers: Sequence[str],
    settings: Settings,
    output: Path,
    old: Mapping[str, Made],
    say: Say,
    problems: Problems,
    draft: bool,
    owe: Owe,
) -> Iterator[tuple[_Task, Proved]]:
    """Every game as soon as it is read and proved. At the end, Stop with every problem of their content."""
    for folder in sorted(folders, key=_length, reverse=True):  # what takes longest begins first
        proved = prove(folder, problems, draft)
        if proved is None:
            continue
        game, traces, proof = proved
        say(f"{game.name}: replayed {len(traces)} examples and playthroughs")
        find_papers(papers, load_papers(folder, problems), Place("--paper"), problems)
        if problems:
            continue  # faces of faulty content would only tell the same faults again
        sheets = None
        if game.name in old:
            say(f"{game.name}: nothing to draw")
            sheets = sheets_of(output, game.name)
        if game.info.draft:
            owe(game, proof.owed)
        yield _Task(folder, papers, settings, sheets, draft), proved
    if problems:
        raise Stop(problems)


def _make_apart(tasks: Iterator[tuple[_Task, Proved]], pool: Executor, bar: Bar) -> Iterator[tuple[Proved, Outcome]]:
    """Every game is made in a process, and comes when it is done."""
    begun: dict[Future[Outcome], Proved] = {pool.submit(_make_anew, task): proved for task, proved in tasks}
    more = bar("games", len(begun))
    for future in as_completed(begun):
        yield begun[future], future.result()
        more(1)


def _make_here(
    tasks: Iterator[tuple[_Task, Proved]], shoot: Callable[[str, Sequence[Film]], None], bar: Bar
) -> Iterator[tuple[Proved, Outcome]]:
    """Every game is made in this process, when all of them are proved."""
    for task, proved in list(tasks):
        yield proved, _make(task, proved, partial(shoot, proved[0].name), bar)


def _make_anew(task: _Task) -> Outcome:
    """Make a game in a process of its own. What was proved does not travel, so it is read and proved anew."""
    problems = Problems()
    proved = prove(task.folder, problems, task.draft)
    if proved is None:
        return None, list(problems)
    undeveloped: list[Film] = []
    part, found = _make(task, proved, undeveloped.extend, quiet)
    return part and replace(part, films=undeveloped), found


def _make(task: _Task, proved: Proved, shoot: Callable[[Sequence[Film]], None], bar: Bar) -> Outcome:
    """Sheets, films and pages of a game. The films are shot before the pages are written, which takes longest."""
    try:
        with guarded(proved[0].engine):
            return _make_all(task, proved, shoot, bar)
    except Stop as stop:
        return None, stop.problems


def _make_all(task: _Task, proved: Proved, shoot: Callable[[Sequence[Film]], None], bar: Bar) -> Outcome:
    game = proved[0]
    shown = _shown(proved, task.settings.inks, {}, {})
    faces = all_faces(game, shown.composer)
    problems = shown.composer.problems
    if problems:
        return None, list(problems)
    part = _Part({id_: replace(face, content=()) for id_, face in faces.items()}, {})
    if task.sheets is None:
        part = _print(part, game, faces, shown.composer, task, bar)
        if problems:
            return None, list(problems)
        shoot(_films(faces))
    sheets = part.sheets if task.sheets is None else task.sheets
    pdfs = {name: sheets[name] for name in sorted(filter(_is_pdf, sheets), key=_stem)}
    written = pages(replace(shown, faces=faces, sheets=pdfs))
    return replace(part, pages=written), list(problems)


def _shown(proved: Proved, inks: Inks, faces: Mapping[str, Face], sheets: Mapping[str, bytes]) -> Shown:
    """What the site shows of a game. Its composer has problems of its own."""
    game, traces, proof = proved
    problems = Problems()
    return Shown(game, traces, proof, Composer(game, load_stocks(game.folder, problems), problems, inks), faces, sheets)


def _print(part: _Part, game: Game, faces: Mapping[str, Face], composer: Composer, task: _Task, bar: Bar) -> _Part:
    """The sheets of a game in every design that is wanted.

    Who asks for no design in particular gets all of them, and each variant: a player chooses on the site.
    """
    settings, problems = task.settings, composer.problems
    papers = find_papers(task.papers, load_papers(task.folder, problems), Place("--paper"), problems)
    edition = Edition(game.info.rules_version, content_fingerprint(game.folder))
    records: list[Record] = []
    files: dict[str, bytes] = {}
    count = 0
    for printed_game, inks in designs_of(game, settings.inks):
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
    files["manifest.json"] = records[0].text().encode()
    return replace(part, sheets=files, records=records, count=count)


def _films(faces: Mapping[str, Face]) -> list[Film]:
    """The pictures of all faces."""
    wanted: dict[int, list[Wanted]] = {}
    for id_, face in faces.items():
        wanted.setdefault(_dpi(face), []).append(Wanted(f"{id_}.png", face))
    return [film for dpi, some in wanted.items() for film in films(some, dpi, False, False)]


def _made(key: str, part: _Part, proved: Proved) -> Made:
    """What is noted of a game that was drawn."""
    records = {path_of(one): hash_of(one.text()) for one in part.records}
    game, _, proof = proved
    return Made(key, records, part.count, len(part.faces), game.info.title if game.info.draft else "", len(proof.owed))


def _length(folder: Path) -> int:
    """How much is written of a game; it tells well enough which of two takes longer to make."""
    return sum(path.stat().st_size for path in files_below(folder, folder) if path.suffix == ".yaml")


def _dpi(face: Face) -> int:
    """As fine as pictures are, but for a piece so large that its picture would fill the memory."""
    area = face.stock.width * face.stock.height / INCH**2
    return min(DPI, int((MOST_PIXELS / area) ** 0.5))


def _write(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files:
        write_new(folder / name, data)


def _is_pdf(name: str) -> bool:
    return name.endswith(".pdf")


def _stem(name: str) -> str:
    """Sorts a paper's full inks before its other designs."""
    return name.removesuffix(".pdf")
