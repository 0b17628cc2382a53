"""A build over several processes: the same output and the same problems as in one, and nothing lost when it fails."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from games_for_tests import FILES, write_game
from no_hang import no_hang
from shown import BIRDS, MORE_BIRDS, write_birds
from waiting import until

import grimalkin.build as module
from grimalkin.build import Listener, build
from grimalkin.output.unchanged import STATE, Order
from grimalkin.output.workers import alone as apart
from grimalkin.output.workers import in_parallel, processes
from grimalkin.printing.face import Composer
from grimalkin.printing.sheet.settings import Settings
from grimalkin.problems import Place, Problem, Stop

pytestmark = pytest.mark.slow("builds in several processes")

LOW = Settings(inks="low")
BOOK = """\
maps: {marks: {G: {name: start, rule: TI-PLAY-1, start: yes}}}
books:
  - {id: tales, name: Tales, file: tales.csv, faces: {front: plain}}
"""
INN = """\
map: The Inn
       a   b
     +---.---+
   1 |G .   .|
     .   .   .
   2 |  .   .|
     +---.---+
"""
WAKE = """\
id: wake
number: 1
title: A wake
map: inn
loot: [1]
intro: It rains.
apart: [{piece: owl, mark: G}]
objectives: [{text: Wait.}]
exit: The butler did it.
status: house
"""
Output = dict[str, bytes]
forked = pytest.mark.skipif(
    multiprocessing.get_start_method() != "fork", reason="only a forked process is patched like the one it came from"
)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two games, the larger one last; of its deck there is a gallery. Tests leave them as they are."""
    folder = tmp_path_factory.mktemp("games")
    return [write_game(folder / "tiny"), write_birds(folder / "birds", BIRDS + MORE_BIRDS)]


@pytest.fixture(scope="module")
def alone(games: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output of one process. Tests leave it as it is."""
    output = tmp_path_factory.mktemp("alone") / "output"
    with pytest.MonkeyPatch.context() as patch:
        built(games, output, 1, patch)
    return output


@pytest.fixture
def output(alone: Path, tmp_path: Path) -> Path:
    """The same for a test to build into."""
    return Path(shutil.copytree(alone, tmp_path / "output"))


@pytest.fixture
def no_site(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves out what mkdocs does, which takes most of the time of a small build."""
    monkeypatch.setattr(module, "build_site", lambda *_, **__: None)


@pytest.fixture
def start_method() -> Iterator[Any]:
    """Sets how processes are started, for one test."""
    before = multiprocessing.get_start_method()
    yield lambda method: multiprocessing.set_start_method(method, force=True)
    multiprocessing.set_start_method(before, force=True)


def built(games: list[Path], output: Path, cores: int, patch: pytest.MonkeyPatch) -> Output | list[str]:
    """Every file of a build by its path, or the problems, with so many cores."""
    patch.setattr(module, "cores", lambda: cores)
    try:
        build(Order(games, ["a4"], LOW), output)
    except Stop as stop:
        return [str(problem) for problem in stop.problems]
    return files(output)


def files(folder: Path) -> Output:
    """Every file below a folder by its path."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.parametrize("method", sorted({multiprocessing.get_start_method(), "spawn"}))
def test_the_output_does_not_depend_on_the_processes(
    games: list[Path], alone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start_method: Any, method: str
) -> None:
    """Not on their number, nor on whether they are copies of the first or begin anew, with sets in another order."""
    start_method(method)
    two = built(games, tmp_path / "two", 2, monkeypatch)
    one = files(alone)

    assert {"site/tiny/index.html", "site/birds/gallery.html", "sheets/tiny/tiny-a4-low.pdf", STATE} <= one.keys()
    assert {"cards/tiny/owl-front.png", "cards/birds/hen-1-front.png"} <= one.keys()
    assert one == two


def test_what_is_kept_is_the_same_in_another_process(
    games: list[Path], output: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of two games changes. The output is that of a build from nothing, but for the record of what was before."""
    changed = write_game(tmp_path / "tiny", cards_csv=FILES["cards.csv"].replace("Owl,1,7", "Owl,1,8"))
    kept = built([changed, games[1]], output, 2, monkeypatch)
    new = built([changed, games[1]], tmp_path / "new", 1, monkeypatch)

    assert isinstance(kept, dict) and isinstance(new, dict)
    assert new == {name: data for name, data in kept.items() if name in new}
    assert ["records"] == [name.partition("/")[0] for name in kept.keys() - new.keys()]


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("faces/plain.svg.j2", '{{ fail("this bird") }}', "this bird"),
        ("cards.csv", "id,name\nowl,Owl\nowl,Owl\n", "cards.csv"),
        ("stocks/odd.yaml", "odd: yes\n", "odd.yaml"),
    ],
)
def test_problems_do_not_depend_on_the_processes(
    output: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, text: str, told: str
) -> None:
    """What is wrong is told of both games, and the last good output stays."""
    games = [write_game(tmp_path / name, **{file: text}) for name in ("tiny", "birds")]
    for folder in games:
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(text)
    before = files(output)
    one = built(games, tmp_path / "one", 1, monkeypatch)
    two = built(games, output, 2, monkeypatch)

    assert isinstance(one, list) and all(any(str(folder) in line and told in line for line in one) for folder in games)
    assert one == two
    assert before == files(output)


@forked
def test_problems_of_pages_do_not_depend_on_the_processes(
    games: list[Path], output: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture of the table that cannot be drawn, for one."""

    def no_pages(shown: Any) -> Any:
        raise Stop([Problem(Place(shown.game.name), "there is no table")])

    monkeypatch.setattr(module, "pages", no_pages)
    one = built(games, tmp_path / "one", 1, monkeypatch)

    assert ["birds: there is no table", "tiny: there is no table"] == one
    assert one == built(games, output, 2, monkeypatch)


@pytest.mark.usefixtures("no_site")
def test_games_are_made_in_processes(games: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several games on several cores are, the longest first, and so are pictures; one small game is not worth it."""
    asked: list[str] = []
    submit = ProcessPoolExecutor.submit

    def noted(self: Any, function: Any, *arguments: Any) -> Any:
        asked.append(arguments[1].name if function.__name__ == "_make_below" else function.__name__)
        return submit(self, function, *arguments)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", noted)
    built(games[:1], tmp_path / "one", 2, monkeypatch)
    built(games, tmp_path / "alone", 1, monkeypatch)

    assert [] == asked

    built(games, tmp_path / "two", 2, monkeypatch)

    assert ["birds", "tiny"] == asked[:2]
    assert {"develop_below", "_note"} == {*asked[2:]}


@pytest.mark.usefixtures("no_site")
def test_more_games_than_processes_are_made_apart(
    games: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each in a process that ends with it. The output is the same."""
    more = [*games, write_game(tmp_path / "small")]
    begun: list[object] = []
    submit = ProcessPoolExecutor.submit

    def noted(self: Any, function: Any, *arguments: Any) -> Any:
        begun.append(function.__name__)
        return submit(self, function, *arguments)

    here = built(more, tmp_path / "one", 1, monkeypatch)
    monkeypatch.setattr(ProcessPoolExecutor, "submit", noted)

    assert here == built(more, tmp_path / "two", 2, monkeypatch)
    assert ["_make_alone"] * 3 == begun[:3]


def test_work_done_alone_has_a_process_to_itself() -> None:
    with processes(1) as pool:
        worker = pool.submit(os.getpid).result()

        assert pool.submit(apart, os.getpid).result() not in (worker, os.getpid())


@pytest.mark.usefixtures("no_site")
@pytest.mark.parametrize("cores", [1, 2])
def test_every_bar_comes_to_its_end(
    games: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    """And not beyond, however many processes there are. Faces that look alike count as pictures of their own."""
    totals: dict[str, int] = {}
    done: Counter[str] = Counter()

    def bar(label: str, total: int) -> Any:
        totals[label] = total
        return lambda count: done.update({label: count})

    monkeypatch.setattr(module, "cores", lambda: cores)
    build(Order(games, ["a4"], LOW), tmp_path / "output", Listener(bar=bar))
    pictures = [name for name in files(tmp_path / "output") if name.startswith("cards/")]

    assert len(pictures) == totals["pictures"]
    assert totals == done


@pytest.mark.usefixtures("no_site")
def test_faces_are_composed_once_for_all_papers(
    games: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once for each design, that is: with all inks they also go to the pictures and the site."""
    composed: Counter[tuple[str, str]] = Counter()
    compose = Composer.compose

    def counted(self: Composer, template: str, id_: str, *arguments: Any, **more: Any) -> Any:
        composed[id_, self.inks] += 1
        return compose(self, template, id_, *arguments, **more)

    monkeypatch.setattr(Composer, "compose", counted)
    monkeypatch.setattr("grimalkin.printing.face.compose.MOST_RECENT", 1)  # as if there were many
    monkeypatch.setattr(module, "cores", lambda: 1)
    build(Order(games[:1], ["a4", "letter"]), tmp_path / "output")
    of_pieces = {face: count for face, count in composed.items() if face[0].endswith(("-front", "-back"))}

    assert {"full", "low", "mono"} == {inks for _, inks in of_pieces}
    assert {1} == set(of_pieces.values())


@pytest.mark.usefixtures("no_site")
def test_each_scenario_is_printed_by_itself(tmp_path: Path) -> None:
    """In colour and in black, on every paper, with what it needs; books come whole, and as no part of it."""
    game = write_game(
        tmp_path / "tiny",
        **{
            "game.yaml": FILES["game.yaml"].replace("    file:", "    needs: [id]\n    file:") + BOOK,
            "maps/inn.txt": INN,
            "scenarios/wake.yaml": WAKE,
            "tales.csv": "id,name\ntale-1,Once\ntale-2,Twice\n",
            "faces/plain.svg.j2": FILES["faces/plain.svg.j2"].replace("{{ card.power }}", ""),
        },
    )
    build(Order([game], ["a4", "letter"]), tmp_path / "output")
    sheets = tmp_path / "output" / "sheets" / "tiny"
    words = {path.name: page_words(path) for path in sheets.glob("*.pdf")}

    assert {"tiny-a4-scenario-1.pdf", "tiny-a4-scenario-1-mono.pdf"} == {
        name for name in words if "a4-scenario" in name
    }
    assert "Owl" in words["tiny-a4-scenario-1.pdf"] and "Mouse" not in words["tiny-letter-scenario-1-mono.pdf"]
    assert "Mouse" in words["tiny-a4.pdf"]
    assert {"tales.pdf", "tales-low.pdf", "tales-a4.pdf"} <= words.keys()
    assert [] == [name for name, text in words.items() if "Once" in text and not name.startswith("tales")]


def page_words(path: Path) -> str:
    """All words of a PDF."""
    document = pypdfium2.PdfDocument(path)
    words = " ".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    return words


def test_two_games_of_one_name_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One would replace the other, and which of them would be a matter of chance."""
    games = [write_game(tmp_path / folder / "tiny") for folder in ("one", "other")]
    told = built(games, tmp_path / "output", 2, monkeypatch)

    assert isinstance(told, list)
    assert [str(folder) for folder in games] == [problem.partition(":")[0] for problem in told]


@forked
def test_a_process_that_dies_is_told(games: list[Path], output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is replaced then."""
    before = files(output)
    monkeypatch.setattr(module, "all_faces", lambda *_: os._exit(9))
    told = built(games, output, 2, monkeypatch)

    assert isinstance(told, list) and 1 == len(told)
    assert "a worker process was killed" in told[0]
    assert before == files(output)


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_processes_end_at_once_when_it_is_interrupted() -> None:
    """What they were doing, which here would never end, is not waited for."""
    with no_hang(), pytest.raises(KeyboardInterrupt), processes(2) as pool:
        running = [pool.submit(signal.pause) for _ in range(4)]
        until(lambda: any(one.running() for one in running))
        raise KeyboardInterrupt

    assert [] == multiprocessing.active_children()


def test_an_export_tells_of_a_process_that_dies() -> None:
    """As a build does."""
    with pytest.raises(Stop, match="a worker process was killed"):
        list(in_parallel(os._exit, [(9,)], 2))


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_processes_end_with_the_one_that_began_them(tmp_path: Path) -> None:
    """Else they would go on for nobody, and hold the lock of the output folder."""
    script = tmp_path / "script.py"
    script.write_text(
        "import os, signal\n"
        "from grimalkin.output.workers import processes\n"
        "def told():\n"
        "    os.write(1, b'%d\\n' % os.getpid())\n"  # in one piece, whatever the buffering
        "    signal.pause()\n"
        "if __name__ == '__main__':\n"
        "    with processes(2) as pool:\n"
        "        pool.submit(told), pool.submit(told)\n"
        "        signal.pause()\n"
    )
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as begun:
        assert begun.stdout is not None
        pids = [int(begun.stdout.readline()) for _ in range(2)]
        begun.kill()

    until(lambda: not any(map(is_running, pids)))


def is_running(pid: int) -> bool:
    """Whether there is a process of that number which has not ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not (state.is_file() and state.read_text().rpartition(")")[2].split()[0] == "Z")  # ended, and not noticed
