"""Simulations on a real cluster: a scheduler and two workers, each a process of its own, on this machine only."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import toy_game
from waiting import until

from grimalkin.cli import main
from grimalkin.play.simulation import Broken, simulate
from grimalkin.play.simulation.cluster import NoCluster, cluster

pytestmark = [
    pytest.mark.slow("starts a cluster"),
    pytest.mark.skipif(os.name == "nt", reason="workers are killed with a signal that Windows lacks"),
]

TOY = ("toy_game:Toy", toy_game.FACTS, 3, 3600, ["random", "high", "low"])
# Without the library's own path, one that a test puts in front could hide parts of it from the workers.
START = "import sys; from distributed.cli.{0} import main; sys.argv[0] = '{0}'; main()"


class Machines:
    """A scheduler and its workers, as processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.scheduler = self.start("dask_scheduler", "--port", str(port), "--no-dashboard")
        self.workers = [self.worker(), self.worker()]

    def start(self, name: str, *arguments: str, path: str = "") -> subprocess.Popen[bytes]:
        places = [path, str(Path(__file__).parent), *sys.path]
        return subprocess.Popen(
            [sys.executable, "-c", START.format(name), "--host", "127.0.0.1", *arguments],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, places))},
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def worker(self, path: str = "") -> subprocess.Popen[bytes]:
        """A worker with one thread and nobody who would start it again."""
        return self.start("dask_worker", self.address, "--no-nanny", "--nthreads", "1", "--no-dashboard", path=path)

    def ready(self) -> bool:
        """Whether the scheduler listens."""
        with socket.socket() as trying:
            host, _, port = self.address.removeprefix("tcp://").partition(":")
            return trying.connect_ex((host, int(port))) == 0

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    made = Machines(tmp_path)
    try:
        until(made.ready)
        yield made
    finally:
        made.stop()


def test_a_worker_that_is_killed_changes_nothing(machines):
    """Two workers begin, one is killed in the middle, and the totals are those of one process."""
    with cluster(machines.address) as (executor, _):
        client = executor._client
        client.wait_for_workers(2, timeout=15)
        done = 0

        def kill_one(games: int) -> None:
            nonlocal done
            done += games
            if machines.workers[0].poll() is None and done > 300:
                busy = client.processing()
                assert any(busy.values()) and done < 3000, "there was nothing left to do"
                machines.workers[0].send_signal(signal.SIGKILL)
                machines.workers[0].wait()

        report = simulate(*TOY, executor=executor, jobs=2, chunk=10, progress=kill_one)

        assert -signal.SIGKILL == machines.workers[0].returncode
        assert 1 == len(client.nthreads())
    assert simulate(*TOY).totals == report.totals


def test_the_command_plays_on_a_cluster(machines, capsys):
    """The same JSON as without, and no word besides; what breaks there is told as it is here."""
    arguments = ["simulate", "were-kittens", "--games", "24", "--json"]
    texts = []
    for more in (["--jobs", "1"], ["--scheduler", machines.address]):
        assert 0 == main([*arguments, *more])
        captured = capsys.readouterr()
        texts.append(captured.out)
        assert "" == captured.err

    assert texts[0] == texts[1]
    with cluster(machines.address) as (executor, threads), pytest.raises(Broken, match="not legal") as error:
        simulate("test_simulation:Showing", {}, 2, 40, ["cheat"], executor=executor, jobs=threads)
    assert error.value.index in range(40)


def test_who_has_no_workers_or_others_is_told(machines, tmp_path):
    """First no workers at all, then one without Grimalkin."""
    for process in machines.workers:
        process.kill()
        process.wait()
    with pytest.raises(NoCluster) as none, cluster(machines.address, workers=0.5):
        pytest.fail("there is nobody to play")

    assert ("the scheduler has no workers", f"start some with `dask worker {machines.address}`") == none.value.args
    # Every Python imports this file when it starts.
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.metadata as m\n"
        "real = m.version\n"
        "m.version = lambda name: '0.0.1' if name == 'grimalkin' else real(name)\n"
        "m.version.__module__, m.version.__qualname__ = 'importlib.metadata', 'version'\n",
        encoding="utf-8",
    )
    machines.workers = [machines.worker(path=str(tmp_path))]
    with pytest.raises(NoCluster, match=r"grimalkin 0\.0\.1 is installed") as other, cluster(machines.address):
        pytest.fail("it must not play")

    assert "install the same version for scheduler and workers as here" == other.value.hint


def test_a_scheduler_that_goes_away_is_told(machines):
    """No traceback, no wait without end."""

    def kill(_: int) -> None:
        machines.scheduler.kill()

    with pytest.raises(NoCluster, match="the scheduler is gone"), cluster(machines.address) as (executor, threads):
        simulate(*TOY, executor=executor, jobs=threads, chunk=5, progress=kill)
