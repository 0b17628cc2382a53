"""The complete chain, to be read downwards: from content to sheets, pictures and the site.

Several games are made in parallel, each in its own process, and pictures are developed while the site is written. The
output is the same for any number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from grimalkin.content import Coverage, Game, as_scenario, prove
from grimalkin.engine.replay import Trace
from grimalkin.games import guarded
from grimalkin.output.disk import Chosen, Written, write_new
from grimalkin.output.printout import PRINTED, Bar, designs_of, find_papers, print_out, quiet, record_now
from grimalkin.output.printout import place_of as place_of_book
from grimalkin.output.records import Record, path_of, write
from grimalkin.output.reused import read_made, read_notes, write_notes
from grimalkin.output.rulebooks import Rulebooks
from grimalkin.output.swap import STATE, Tell, is_intact, staging, swap
from grimalkin.output.unchanged import Made, Order, State, folders_of, hash_of, made_with, noted, sheets_of, unchanged
from grimalkin.output.workers import Later, alone, as_done, cores, processes
from grimalkin.printing.draw.masters import Masters
from grimalkin.printing.draw.packing import count_pages
from grimalkin.printing.draw.raster import INCH
from grimalkin.printing.draw.stocks import composer_of
from grimalkin.printing.export.designs import Darkroom, Film, Wanted, film_of, rolls
from grimalkin.printing.face import Composer, Face, Inks, Printed
from grimalkin.printing.face.layers import flaws_of
from grimalkin.printing.sheet.pieces import all_faces, faces_among, pieces_of
from grimalkin.printing.sheet.settings import Edition
from grimalkin.problems import Place, Problem, Problems, Stop, shown_path
from grimalkin.site.pages import ADDRESSES, Content, Rendered, Shown, build_site, law_pages, pages, render
from grimalkin.source import data_folder, files_below, files_digest, looks_digest, name_of
from grimalkin.source.reuse import Files, Reuse, key_of, packed, unpacked

DPI = 300
"""The resolution of pictures in `cards`."""
MOST_PIXELS = 3_000_000
"""The maximum number of pixels in such a picture."""
BESIDE = "beside-pages"
"""The folder for pictures and downloads, until mkdocs takes them into the site."""
FROM_DOWNLOADS = "../"
"""The path from a game's downloads on the site to its folder there."""

Proved = tuple[Game, Mapping[str, Trace], Coverage]
Sheets = Mapping[str, bytes]
"""The PDFs of a game, by file name."""
Shoot = Callable[[Sequence[Film]], None]
"""Accepts the films of a game for development."""


@dataclass(frozen=True)
class Listener:
    """Callbacks for the progress and results of a build."""

    say: Callable[[str], None] = lambda _: None
    """Called with what the build is doing."""
    bar: Bar = quiet
    tell: Tell = lambda _: None
    """Called with messages about the user's own files."""
    owe: Callable[[Game, Sequence[Problem], Sequence[Problem]], None] = lambda game, owed, flaws: None
    """Called with each finished game; for a draft, also with everything unproved and the faults on its faces."""


@dataclass(frozen=True)
class _Part:
    """Everything made from a game except the pictures on its films. It is passed between processes."""

    faces: Mapping[str, Face]
    """Faces by id, without their contents."""
    pages: Mapping[str, Content]
    sheets: Sheets = field(default_factory=dict)
    """The sheets, with their manifest. Like the fields below, it is filled only for a game that was drawn."""
    book: bytes = b""
    """The rulebook for screens; empty for a game without rules."""
    records: Sequence[Record] = ()
    count: int = 0
    """The number of pages to print."""
    flaws: Sequence[Problem] = ()
    """Faults on the faces of a draft, which are marked in print."""
    films: Sequence[Film] = ()
    """The films that still have to be developed."""
    shot: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The places of the pictures on these films, by the key of each film."""
    pictures: Files = field(default_factory=dict)
    """The pictures of the last build that are still right."""
    notes: Mapping[str, Any] = field(default_factory=dict)
    """What the game's files were made from, for the next build."""
    packed: bytes = b""
    """The same in as little room as possible, since the notes are large and needed last."""


Outcome = tuple[_Part | None, list[Problem]]
"""The results, if any, and the problems found."""


def build(order: Order, output: Path, listener: Listener | None = None) -> State:
    """Build games into `output`, and return what was made.

    Raise Stop with every problem; in that case, the old output stays. Sheets and pictures of unchanged games also stay.
    """
    listener = listener or Listener()
    _refuse_twins(order.folders)
    key, keys, jobs = order.key(), order.keys(), cores()
    folders = [folder for name in keys for folder in folders_of(name)]
    apart = len(keys) > 1 and jobs > 1
    problems = Problems()
    with staging(output, ["site", *folders], listener.tell) as new, processes(jobs) as pool:
        before, old = noted(output), unchanged(output, keys)
        read = partial(read_made, output)
        darkroom = Darkroom(pool, jobs, apart, new / "cards")
        programs = {name_of(folder): made_with(folder) for folder in order.folders}
        told: list[str] = []
        reuse = {name: Reuse(read_notes(output, name, programs[name], told.append), read) for name in keys}

        # read and prove each game; compose, impose and draw it, and write its pages
        parts: dict[str, _Part] = {}
        proofs: dict[str, Proved] = {}
        for proved, (part, found) in _make_all(order, output, new, old, reuse, darkroom, problems, listener):
            problems.extend(found)
            if part is not None:
                name = proved[0].name
                parts[name], proofs[name] = part, proved
                listener.owe(proved[0], proved[2].owed, part.flaws)
                darkroom.take(name, part.films)
                if name not in old:
                    _write(new / "cards" / name, [])
                    _carry_over(output, new, part.pictures)
                    _write(new, [(place_of_book(name), part.book)] if part.book else [])
        problems.stop()

        # build the site
        listener.say("writing the site")
        (new / "site").mkdir()
        shown = [_shown(proofs[name], order.settings.inks, parts[name].faces) for name in keys]
        build_site(shown, (new / "site").resolve(), problems, pages_of=lambda one: parts[one.game.name].pages)
        problems.stop()

        # develop the pictures
        more = listener.bar("pictures", sum(len(parts[name].faces) for name in keys if name not in old))
        more(sum(len(parts[name].pictures) for name in keys if name not in old))
        developed: dict[str, str] = {}
        for name, film in darkroom.pictures():
            developed |= {_place_of_picture(name, picture): hash_ for picture, hash_ in film.items()}
            more(len(film))

        # note what was made, and swap it in
        made = {name: old.get(name) or _made(keys[name], parts[name], proofs[name]) for name in keys}
        count = sum(path.parent.name != ADDRESSES for path in (new / "site").rglob("*.html"))
        write_new(new / STATE, State(key, {**before.games, **made}, count).text())
        records = write(output, new, (record for name in keys for record in parts[name].records))
        fresh = [name for name in keys if name not in old]
        drawn = [folder for name in fresh for folder in folders_of(name)]
        books = [place_of_book(name) for name in fresh if parts[name].book]
        was = {file: hash_ for one in before.games.values() for file, hash_ in one.records.items()}
        changed = [book for book in books if not is_intact(output, {book: was.get(book, "")})]
        swap(output, [*drawn, "site"], [*records, *books, STATE], listener.tell, older=[*records, *changed])

        # note what the results were made from
        for message in told:
            listener.tell(message)
        written: list[Future[None]] = []
        for name, part in parts.items():
            films = {film: {place: developed[place] for place in places} for film, places in part.shot.items()}
            last = reuse[name].known if name in old else {}
            task = output, name, programs[name], last, part.packed, films
            written.append(pool.submit(_note, *task) if apart else Later(_note, *task))
        for one in written:
            one.result()
    return State(key, made, count)


def _refuse_twins(folders: Sequence[Path]) -> None:
    problems = Problems()
    for folder in folders:
        if any(name_of(folder) == name_of(other) for other in folders if other != folder):
            message = "two games with the same name cannot be built together"
            problems.add(Place(shown_path(folder)), message, "rename a folder")
    problems.stop()


def _make_all(
    order: Order,
    output: Path,
    new: Path,
    old: Mapping[str, Made],
    reuse: Mapping[str, Reuse],
    darkroom: Darkroom,
    problems: Problems,
    listener: Listener,
) -> Iterator[tuple[Proved, Outcome]]:
    """Yield every game once it is made: in its own process, or here after all games are proved.

    The processes begin while the games are proved here, slowest first. If a game turns out to have faults, all of this
    is stopped and discarded.
    """
    folders = sorted(order.folders, key=_length, reverse=True)
    last = {folder: sheets_of(output, name_of(folder)) for folder in folders if name_of(folder) in old}
    task = {folder: (new, folder, order, reuse[name_of(folder)], last.get(folder)) for folder in folders}
    begun: dict[Path, Future[Outcome]] = {}
    if darkroom.busy:
        make: Callable[..., Outcome] = _make_alone if len(folders) > darkroom.jobs else _make_below
        begun = {folder: darkroom.pool.submit(make, *task[folder]) for folder in folders}
    making: dict[Future[Outcome], Proved] = {}
    for proved in _prove(folders, order, old, problems, listener):
        folder, take = proved[0].folder, partial(darkroom.take, proved[0].name)
        later = Later(_make_below, *task[folder], proved, take, listener.bar)
        making[begun.get(folder) or later] = proved
    more = listener.bar("games", len(making)) if begun else quiet("games", len(making))
    for work in as_done(making):
        yield making[work], work.result()
        more(1)


def _prove(
    folders: Sequence[Path], order: Order, old: Mapping[str, Made], problems: Problems, listener: Listener
) -> Iterator[Proved]:
    """Yield every game once it is read and proved. At the end, raise Stop with every problem in their content."""
    for folder in folders:
        proved = prove(folder, problems, order.draft)
        if proved is None:
            continue
        game, traces, _ = proved
        listener.say(f"{game.name}: replayed {len(traces)} examples and playthroughs")
        find_papers(order.papers, folder, problems)
        if problems:
            continue  # faces of faulty content would only repeat the same problems
        if game.name in old:
            listener.say(f"{game.name}: nothing to draw")
        yield proved
    problems.stop()


def _make_alone(*task: Any) -> Outcome:
    """Make a game below `new` in a process of its own, so that no process keeps the memory of several games."""
    return alone(_make_below, *task)


def _make_below(new: Path, folder: Path, order: Order, reuse: Reuse, last: Sheets | None, *more: Any) -> Outcome:
    """Make a game, and write its sheets and the pictures and downloads of its pages below `new`.

    What is passed between processes is held in memory by both.
    """
    part, problems = _make(folder, order, reuse, last, new, *more)
    if part is None:
        return None, problems
    pages = {path: _beside(new / BESIDE, path, data) for path, data in part.pages.items()}
    return replace(part, sheets={}, pages=pages, notes={}, packed=packed(part.notes)), problems


def _beside(folder: Path, path: str, data: Content) -> Content:
    """Write a picture, a download or the HTML of a page into a folder, and return what stands for it."""
    if isinstance(data, Rendered) and isinstance(data.html, str):
        return replace(data, html=_written(folder, path, data.html))
    if isinstance(data, bytes | str) and (isinstance(data, bytes) or path.endswith(".svg")):
        return _written(folder, path, data)
    return data


def _make(
    folder: Path,
    order: Order,
    reuse: Reuse,
    last: Sheets | None,
    new: Path | None = None,
    proved: Proved | None = None,
    shoot: Shoot | None = None,
    bar: Bar = quiet,
) -> Outcome:
    """Make the sheets, films and pages of a game. The films come before the pages, which take longest.

    Proved games cannot be passed to another process, which therefore reads and proves the game again. Without `shoot`,
    the films are returned. With `new`, sheets, pictures and downloads are written below it as they are made.
    """
    problems = Problems()
    proved = proved or prove(folder, problems, order.draft)
    if proved is None:
        return None, list(problems)
    try:
        with guarded(proved[0].engine):
            shown = replace(_shown(proved, order.settings.inks, {}), reuse=reuse, looks=_looks(proved[0]))
            files: MutableMapping[str, bytes] = {}
            if new is not None:
                shown = replace(shown, keep=partial(_written, new / BESIDE))
                files = Written(new / "sheets" / shown.game.name)
            problems = shown.composer.problems
            faces = all_faces(shown.game, shown.composer)
            problems.stop()
            flaws = [told.problem() for told in flaws_of(faces.values())]
            part = _Part({id_: replace(face, content=()) for id_, face in faces.items()}, {}, flaws=flaws)
            books = None
            if shown.game.sections:
                addresses = law_pages(shown)
                books = Rulebooks(shown.game, shown.traces, shown.composer, faces, addresses, shown.looks, reuse)
            if last is None:
                part = _print(part, shown, faces, books, order, bar, files)
                problems.stop()
                films, shot, pictures = _films(shown, faces)
                part = replace(part, films=() if shoot else films, shot=shot, pictures=pictures)
                if shoot is not None:
                    shoot(films)
            sheets = part.sheets if last is None else last
            # a paper's full-ink sheets come before its other designs
            names = sorted(name.removesuffix(".pdf") for name in sheets if name.endswith(".pdf"))
            pdfs = {f"{name}.pdf": sheets for name in names}
            if books is not None:
                name = f"{shown.game.name}-rulebook.pdf"
                place = shown.place_of(f"downloads/{name}")
                pdfs[name] = {name: books.screen(shown.composer, faces, place, FROM_DOWNLOADS)}
                shown, books = replace(shown, book=books.pages), None  # it is large, and not needed for pages
            shown = replace(shown, faces=faces, sheets=Chosen(pdfs))
            part = replace(part, pages=render(pages(shown), reuse))
            return replace(part, notes=reuse.used), list(problems)
    except Stop as stop:
        return None, stop.problems


def _shown(proved: Proved, inks: Inks, faces: Mapping[str, Face]) -> Shown:
    """Return what the site shows of a game. Its composer has a separate list of problems."""
    game, traces, proof = proved
    problems = Problems()
    composer = composer_of(game, problems, inks, game.info.draft)
    return Shown(game, traces, proof, composer, faces, {})


def _written(folder: Path, path: str, data: str | bytes) -> Path:
    write_new(folder / path, data)
    return folder / path


def _print(
    part: _Part,
    shown: Shown,
    faces: Mapping[str, Face],
    books: Rulebooks | None,
    order: Order,
    bar: Bar,
    files: MutableMapping[str, bytes],
) -> _Part:
    """Make the sheets of a game in every requested design, and its book if it has rules. Put them into `files`.

    By default, make all designs and each variant, so that players can choose on the site, and also print each scenario
    separately.
    """
    game, composer, settings = shown.game, shown.composer, order.settings
    problems = composer.problems
    papers = find_papers(order.papers, game.folder, problems)
    edition = Edition.of(game)
    records: list[Record] = []
    solid = ""
    if settings.condition and settings.condition.space == "cmyk":
        from grimalkin.printing.draw.separations import solid_of

        solid = solid_of(settings.condition)
    masters = Masters(solid=solid)

    def design(printed_game: Game, inks: Inks) -> Iterator[int]:
        """Make the files of one design, and yield numbers of pages. Its faces are gone when the next one begins."""
        nonlocal masters
        if inks != settings.inks:  # variants share most faces with the game, other inks none
            masters = Masters(masters.others, solid if inks != "mono" else "")
        drawn_with, drawn = composer, faces
        chosen = replace(settings, inks=inks)
        if printed_game is not game or inks != settings.inks or chosen.has_finishes:
            before = None if chosen.has_finishes else Printed(composer, faces)
            drawn_with = Composer(
                printed_game, composer.stocks, problems, inks, before, composer.draft, finishes=chosen.has_finishes
            )
            drawn = all_faces(printed_game, drawn_with)  # once for all papers
        pieces = pieces_of(printed_game, composer.stocks)
        printed = print_out(drawn_with, faces_among(drawn), pieces, papers, chosen, edition, bar, masters=masters)
        record = printed.record(printed_game, edition, chosen)
        if chosen.has_finishes:  # records are of faces without finishes, so that prints of all kinds can be compared
            plain = Composer(printed_game, composer.stocks, problems, inks, Printed(composer, faces), composer.draft)
            record = record_now(plain, edition, inks)
        records.append(record)
        files.update(printed.files)
        yield printed.sheets
        if books is not None and not printed_game.variants:
            forms = PRINTED if inks == settings.inks else PRINTED[:1]  # large type comes in one design only
            bound = books.files(drawn_with, drawn, papers, forms, lambda name: f"sheets/{game.name}/{name}")
            files.update(bound)
            yield sum(map(count_pages, bound.values()))
        if printed_game.variants or (inks == "low" and settings.inks == "full"):
            return  # for single scenarios, colour and black are choice enough
        for scenario in game.scenarios:
            evening = as_scenario(game, scenario, [], Place("--heroes"))
            of_it = pieces_of(evening, composer.stocks)
            of_part = drawn_with.for_part(evening)
            printed = print_out(
                of_part, faces_among(drawn), of_it, papers, chosen, edition, bar, besides=False, masters=masters
            )
            files.update(printed.files)
            yield printed.sheets

    # variants come first: then what other inks do not share is gone before they begin
    designs = designs_of(game, settings.inks)
    count = sum(sum(design(*one)) for one in sorted(designs, key=lambda one: one[1] != settings.inks))
    files["manifest.json"] = records[0].text().encode()
    book = b""
    if books is not None:
        book = books.screen(composer, faces, place_of_book(game.name), f"../site/{game.name}/")
    return replace(part, sheets=files, book=book, records=records, count=count)


def _films(shown: Shown, faces: Mapping[str, Face]) -> tuple[list[Film], dict[str, list[str]], dict[str, str]]:
    """Return the films of faces that still have to be developed, and the places of the pictures on each by its key.

    Also return the pictures of the last build that are still right.
    """
    wanted: dict[int, list[Wanted]] = {}
    for id_, face in faces.items():
        wanted.setdefault(_dpi(face), []).append(Wanted(f"{id_}.png", face))
    new: list[Film] = []
    shot: dict[str, list[str]] = {}
    pictures: dict[str, str] = {}
    for dpi, some in wanted.items():
        for roll in rolls(some):
            places = [_place_of_picture(shown.game.name, one.name) for same in roll for one in same]
            looks = [[one.face.digest.hex() for one in same] for same in roll]
            key = key_of("film", shown.looks, looks, dpi, places)
            made = shown.reuse.find(key)
            if made is not None and shown.reuse.read(made) is not None:
                pictures |= made
            else:
                new.append(film_of(roll, dpi, False, False))
                shot[key] = places
    return new, shot, pictures


def _place_of_picture(game: str, name: str) -> str:
    return f"cards/{game}/{name}"


def _carry_over(output: Path, new: Path, files: Files) -> None:
    """Copy files of the last build into this one."""
    for path, hash_ in files.items():
        found = read_made(output, {path: hash_})
        if found is None:
            raise Stop.at(Place(shown_path(output / path)), "this changed while the command ran", "run it again")
        write_new(new / path, found[path])


def _note(
    output: Path, name: str, made_with: str, last: Mapping[str, Any], notes: bytes, films: Mapping[str, Any]
) -> None:
    """Write the notes of a game: those of the last build that still hold, those of this one, and its films."""
    write_notes(output, name, made_with, {**last, **unpacked(notes), **films})


def _looks(game: Game) -> str:
    """Return a digest of what all pictures of a game are made from, apart from what templates read of its content."""
    kin = [data_folder("content") / game.info.kin / "icons"] if game.info.kin else []
    return key_of(looks_digest(game.folder), files_digest(kin), game.info.model_dump_json(), name_of(game.folder))


def _made(key: str, part: _Part, proved: Proved) -> Made:
    """Return what to note about a game that was drawn."""
    game, _, proof = proved
    records = {path_of(one): hash_of(one.text()) for one in part.records}
    if part.book:
        records[place_of_book(game.name)] = hash_of(part.book)
    title = game.info.title if game.info.draft else ""
    return Made(key, records, part.count, len(part.faces), title, len(proof.owed) + len(part.flaws))


def _length(folder: Path) -> int:
    """Return the amount of text in a game's files: a good enough measure of how long it takes to make."""
    return sum(path.stat().st_size for path in files_below(folder, folder) if path.suffix == ".yaml")


def _dpi(face: Face) -> int:
    """Return the usual resolution, or a lower one for a piece so large that its picture would fill the memory."""
    area = face.stock.width * face.stock.height / INCH**2
    return min(DPI, int((MOST_PIXELS / area) ** 0.5))


def _write(folder: Path, files: Iterable[tuple[str, Any]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files:
        write_new(folder / name, data)
