"""Simulations on many machines, with dask.distributed: a scheduler's address in, an executor out.

If a worker dies, the scheduler gives its chunks to other workers (each up to `allowed-failures` times, by
default 3). A chunk counts the same wherever and however often it is played, so totals do not change. Errors from a bot
or a game are not retried, since they would happen again.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version

import grimalkin

ANSWER = 10
"""Seconds for the scheduler to answer."""
WORKERS = 30
"""Seconds for the first worker to appear."""


_SAME = "install the same version for scheduler and workers as here"


class NoCluster(Exception):
    """An error if there are no machines to simulate on, or none any longer, with the reason and a hint."""

    def __init__(self, because: str, hint: str) -> None:
        super().__init__(because, hint)
        self.because = because
        self.hint = hint


@contextmanager
def cluster(address: str, answer: float = ANSWER, workers: float = WORKERS) -> Iterator[tuple[Executor, int]]:
    """Yield an executor on the workers of a scheduler, and their number of threads. Raises NoCluster."""
    try:
        from distributed import Client, KilledWorker
        from distributed.comm.addressing import get_address_host_port
    except ImportError:
        raise NoCluster("dask.distributed is not installed", 'pip install "grimalkin[cluster]"') from None
    log = logging.getLogger("distributed")
    before = log.level
    log.setLevel(logging.CRITICAL)  # this function reports what goes wrong, once
    try:
        # A client that cannot connect goes on to complain when it is discarded.
        socket.create_connection(get_address_host_port(address), answer).close()
        client = Client(address, timeout=answer, set_as_default=False)
    except (OSError, ValueError) as error:
        log.setLevel(before)
        raise NoCluster(f"no scheduler answers at {address}", "start one with `dask scheduler`") from error
    try:
        client.wait_for_workers(1, timeout=workers)
        # A chunk that cannot be unpacked crashes a worker, so ask first, with a function that every Python has.
        theirs = client.run(version, "grimalkin", on_error="return")
        theirs["the scheduler"] = client.run_on_scheduler(version, "grimalkin")
        for where, found in theirs.items():
            if found != grimalkin.__version__:
                raise NoCluster(f"{where}: {_said(found)}", _SAME)
        # Each chunk is sent once and its result not kept: a random key is cheaper than one made from its content.
        yield client.get_executor(pure=False), sum(client.nthreads().values())
    except PackageNotFoundError as error:
        raise NoCluster(f"the scheduler: {_said(error)}", _SAME) from error
    except TimeoutError as error:
        raise NoCluster("the scheduler has no workers", f"start some with `dask worker {address}`") from error
    except KilledWorker as error:
        raise NoCluster("too many workers died on the same chunk of games", "look at the workers' logs") from error
    except CancelledError as error:
        raise NoCluster("the scheduler is gone", "start it again") from error
    finally:
        client.close()
        log.setLevel(before)


def _said(found: object) -> str:
    """Return a machine's answer about its version of Grimalkin, as a clause."""
    return f"grimalkin {found} is installed" if isinstance(found, str) else "grimalkin is not installed"
