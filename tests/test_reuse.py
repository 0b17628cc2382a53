"""What a build takes over from the last one is byte for byte what it would make from nothing, whatever was edited."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import edits
import pytest
from games_for_tests import bundled_game
from soak import MORE, SMALLEST, seeded

from grimalkin.build import _make, _Part, build
from grimalkin.content.proof import replay_all
from grimalkin.output.reused import FOLDER
from grimalkin.output.rulebooks import base_of
from grimalkin.output.swap import LOCK, MARKER
from grimalkin.output.unchanged import Order
from grimalkin.printing.export.designs import Film
from grimalkin.printing.sheet.settings import Settings
from grimalkin.problems import Problems, Stop
from grimalkin.site.pages.rendered import Rendered
from grimalkin.source import bundled_games, find_game_folder
from grimalkin.source.reuse import Files, Reuse, files_of

LOST = 0.08
"""How many of the files of the last build, which would be read again, the user has changed or removed."""

Output = dict[str, bytes]


@dataclass
class Last:
    """What the last build left: its notes, and its files by their place in the output folder."""

    rng: Random
    notes: Mapping[str, Any] = field(default_factory=dict)
    files: Output = field(default_factory=dict)
    found: int = 0
    """How many results were read again."""

    def read(self, files: Files) -> Output | None:
        """Read files of the last build, as a build does: none of them if one is no longer as it was made."""
        found = {path: self.files[path] for path in files if path in self.files}
        if files_of(found) != dict(files) or self.rng.random() < LOST:
            return None
        self.found += bool(files)
        return found


def output_of(part: _Part, game: str, last: Output) -> Output:
    """The files of a game by their places; a picture is here what is on its film, and what else is told are files, too.

    Films that are equal become equal pictures, and to develop them takes longer than everything else.
    """
    files = {f"site/{path}": page_of(page) for path, page in part.pages.items()}
    files |= {f"sheets/{game}/{name}": data for name, data in part.sheets.items()}
    files |= {f"rulebooks/{game}.pdf": part.book, "count": repr((part.count, part.flaws)).encode()}
    files |= {f"records/{number}": record.text().encode() for number, record in enumerate(part.records)}
    files |= {f"cards/{game}/{name}": data for film in part.films for name, data in pictures_of(film)}
    files |= {f"faces/{id_}": face.digest for id_, face in part.faces.items()}
    return files | {place: last[place] for place in part.pictures}


def page_of(page: Any) -> bytes:
    if isinstance(page, Rendered):
        parts = {**vars(page), "anchors": sorted(page.anchors)}
        return json.dumps(parts, sort_keys=True).encode()  # nobody looks at the order of a page's meta data
    return page if isinstance(page, bytes) else str(page).encode()


def pictures_of(film: Film) -> Iterator[tuple[str, bytes]]:
    for names, shot in zip(film.names, film.shots, strict=True):
        data = hashlib.sha256(film.pdf + repr(shot).encode()).digest()
        yield from ((name, data) for name in names)


def made(order: Order, last: Last) -> tuple[Output, list[str], Last]:
    """Make a game as a build does after `last`: its files, or what is wrong with it, and what is there afterwards."""
    (folder,) = order.folders
    reuse = Reuse(last.notes, last.read)
    part, problems = _make(folder, order, reuse, None)
    if part is None or problems:
        return {}, [str(one) for one in problems], last
    files = output_of(part, folder.name, last.files)
    films = {key: files_of({place: files[place] for place in places}) for key, places in part.shot.items()}
    notes = json.loads(json.dumps({**part.notes, **films}, sort_keys=True))  # as they are written and read again
    return files, [], Last(last.rng, notes, files, last.found)


def differing(one: Output, other: Output) -> list[str]:
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "yard"
    edits.write(folder, edits.game())
    return folder


@pytest.mark.slow("makes a game fifty times")
@seeded(8)
def test_what_is_taken_over_is_what_would_be_made(folder: Path, seed: int) -> None:
    """After edits of every kind, one upon the other. One that is at fault fails alike, and is taken back."""
    rng = Random(f"reuse {seed}")
    order = Order([folder], ["a4"], Settings(inks="full" if seed % 4 == 0 else "low" if seed % 2 else "mono"))
    files = edits.game()
    done: list[str] = []
    _, problems, last = made(order, Last(rng))

    assert [] == problems

    for edit in rng.sample(edits.EDITS * MORE, 25 * MORE):
        after = edits.edited(rng, files, edit)
        done.append(edit.__name__)
        edits.write(folder, after)
        new, faults, last = made(order, last)
        cold, told, _ = made(order, Last(rng))

        assert told == faults, done
        assert [] == differing(cold, new), done

        files = files if told else after

    assert last.found > 5 * len(done)


@pytest.mark.slow("makes a game three times")
def test_the_quick_reference_of_a_book_is_of_now(folder: Path) -> None:
    """It shows numbers of pieces without any template that reads them, even of those that the book does not show."""
    files = edits.game()
    files["quick.yaml"]["quick"][0]["table"]["rows"] = [{"deck": "cards", "columns": ["power", "power"]}]
    files["faces/table.svg.j2"] = files["faces/cover.svg.j2"]
    edits.write(folder, files)
    order = Order([folder], ["a4"], Settings(inks="low"))
    _, problems, last = made(order, Last(Random(0)))

    assert [] == problems

    files["cards.csv"][1]["power"] = "6"
    edits.write(folder, files)
    new, _, _ = made(order, last)
    cold, _, _ = made(order, Last(Random(0)))

    assert new["rulebooks/yard.pdf"] != last.files["rulebooks/yard.pdf"]
    assert [] == differing(cold, new)


def edit_of(rng: Random, folder: Path) -> tuple[Path, str]:
    """A file of any game, and what is in it after an edit: another number, word or colour, or rows in another order."""
    tables, texts = sorted(folder.glob("*.csv")), [folder / "rules.yaml", folder / "terms.yaml", folder / "game.yaml"]
    path = rng.choice(rng.choice([tables, texts]))
    head, *lines = path.read_text("utf-8").splitlines(keepends=True)
    if path in tables and rng.random() < 0.3:
        rng.shuffle(lines)
    number, word, colour = r"(?<=,)\d(?=,)", r"(?<=[a-z] )[a-z]{4,}(?=[ .])", '(?<="#)[0-9a-f]{6}(?=")'
    pattern = number if path in tables else colour if path.name == "game.yaml" else word
    said = rng.choice(["4", "7"]) if path in tables else "335577" if path.name == "game.yaml" else "purring"
    found = [(at, one.span()) for at, line in enumerate(lines) for one in re.finditer(pattern, line)]
    for at, (start, end) in rng.sample(found, min(1, len(found))):
        lines[at] = lines[at][:start] + said + lines[at][end:]
    return path, "".join([head, *lines])


@pytest.mark.slow("makes a whole game several times")
@seeded(1)
@pytest.mark.parametrize("name", bundled_games() if MORE > 1 else SMALLEST)
def test_what_is_taken_over_of_a_bundled_game(tmp_path: Path, name: str, seed: int) -> None:
    """As a draft: hardly any edit leaves all examples true."""
    rng = Random(f"{name} {seed}")
    folder = Path(shutil.copytree(find_game_folder(name), tmp_path / name))
    order = Order([folder], ["a4"], Settings(inks="low"), draft=True)
    _, problems, last = made(order, Last(rng))

    assert [] == problems

    done: list[str] = []
    for _ in range(3 * MORE):
        path, text = edit_of(rng, folder)
        done.append(path.name)
        before = path.read_text("utf-8")
        path.write_text(text, "utf-8")
        new, faults, last = made(order, last)
        cold, told, _ = made(order, Last(rng))

        assert told == faults, done
        assert [] == differing(cold, new), done

        if told:
            path.write_text(before, "utf-8")

    assert last.found


@pytest.mark.slow("builds a game with its site seven times")
@pytest.mark.usefixtures("short_guide")
@seeded(1)
def test_what_a_build_takes_over_is_what_it_would_make(folder: Path, tmp_path: Path, seed: int) -> None:
    """Everything in the output folder, with pictures and pages as they are published."""
    rng = Random(f"builds {seed}")
    order = Order([folder], ["a4"], Settings(inks="low"))
    files = edits.game()
    build(order, tmp_path / "output")
    done: list[str] = []
    for edit in [edits.value, edits.rule, *rng.sample(edits.EDITS, MORE)]:
        after = edits.edited(rng, files, edit)
        done.append(edit.__name__)
        edits.write(folder, after)
        cold = tmp_path / f"cold-{len(done)}"
        faults = [problems_of(order, one) for one in (cold, tmp_path / "output")]

        assert faults[0] == faults[1], done
        if not faults[0]:
            files = after

            assert [] == differing(everything(cold), everything(tmp_path / "output")), done


def problems_of(order: Order, output: Path) -> list[str]:
    try:
        build(order, output)
    except Stop as stop:
        return [str(one) for one in stop.problems]
    return []


def everything(output: Path) -> Output:
    """Every file but the notes, the list of what was made before, and what was kept or recorded before."""
    paths = {path.relative_to(output).as_posix(): path for path in output.rglob("*") if path.is_file()}
    beside = (FOLDER, LOCK, MARKER, "records")
    return {name: path.read_bytes() for name, path in paths.items() if name.partition("/")[0] not in beside}


def test_everything_that_a_rulebook_takes_is_in_its_key(tmp_path: Path) -> None:
    """What no template reads: each part changed alone changes the key."""
    game = bundled_game("werecats")
    traces = replay_all(game, Problems())
    key = base_of(game, traces, {})
    (name, trace), *_ = traces.items()
    deck = "villagers"
    first, *others = game.components[deck]
    renamed = {**game.components, deck: (first.model_copy(update={"name": "Nobody"}), *others)}
    shuffled = {**game.components, deck: (*others, first)}
    told = game.info.model_copy(update={"tagline": "Another"})
    different = [
        base_of(game, {**traces, name: replace(trace, after={})}, {}),
        base_of(game, {**traces, name: replace(trace, fired=frozenset())}, {}),
        base_of(game, traces, {"WC-END-1": "elsewhere.html"}),
        base_of(replace(game, components=renamed), traces, {}),
        base_of(replace(game, components=shuffled), traces, {}),
        base_of(replace(game, info=told), traces, {}),
        base_of(replace(game, quick=game.quick[1:]), traces, {}),
        base_of(replace(game, folder=tmp_path), traces, {}),
    ]

    assert key == base_of(game, dict(traces), {})
    assert len({key, *different}) == 1 + len(different)
