"""The address of a scheduler in, an executor out: simulations on many machines, with dask.distributed.

The scheduler gives the chunks of a worker that died to the others (each up to `allowed-failures` times, 3 unless
configured), and a chunk counts the same wherever and however often it is played: totals do not change. What a bot or a
game raises is not tried again, since it would happen again.
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
"""Seconds that the scheduler may take to answer."""
WORKERS = 30
"""Seconds to wait for the first worker."""


_SAME = "install the same version for scheduler and workers as here"


class NoCluster(Exception):
    """There is nothing to simulate on, or no more. Carries why, and what would help."""

    def __init__(self, because: str, hint: str) -> None:
        super().__init__(because, hint)
        self.because = because
        self.hint = hint


@contextmanager
def cluster(address: str, answer: float = ANSWER, workers: float = WORKERS) -> Iterator[tuple[Executor, int]]:
    """An executor on the workers of a scheduler, and how many threads they have. Raises NoCluster."""
    try:
        from distributed import Client, KilledWorker
        from distributed.comm.addressing import get_address_host_port
    except ImportError:
        raise NoCluster("dask.distributed is not installed", 'pip install "grimalkin[cluster]"') from None
    log = logging.getLogger("distributed")
    before = log.level
    log.setLevel(logging.CRITICAL)  # what goes wrong is told by us, once
    try:
        # A client that cannot connect goes on to complain when it is thrown away.
        socket.create_connection(get_address_host_port(address), answer).close()
        client = Client(address, timeout=answer, set_as_default=False)
    except (OSError, ValueError) as error:
        log.setLevel(before)
        raise NoCluster(f"no scheduler answers at {address}", "start one with `dask scheduler`") from error
    try:
        client.wait_for_workers(1, timeout=workers)
        # A chunk that cannot be unpacked takes a worker down, so ask first, with a function that every Python has.
        theirs = client.run(version, "grimalkin", on_error="return")
        theirs["the scheduler"] = client.run_on_scheduler(version, "grimalkin")
        for where, found in theirs.items():
            if found != grimalkin.__version__:
                raise NoCluster(f"{where}: {_said(found)}", _SAME)
        # Each chunk is sent once and its result not kept: a key of its own is cheaper than one made from its content.
        yield client.get_executor(pure=False), sum(client.nthreads().values())
    except PackageNotFoundError as error:
        raise NoCluster(f"the scheduler: {_said(error)}", _SAME) from error
    except TimeoutError as error:
        raise NoCluster("the scheduler has no workers", f"start some with `dask worker {address}`") from error
    except KilledWorker as error:
        raise NoCluster(
            "one chunk of games has seen too many workers die", "look at the logs of the workers"
        ) from error
    except CancelledError as error:
        raise NoCluster("the scheduler has gone", "start it again") from error
    finally:
        client.close()
        log.setLevel(before)


def _said(found: object) -> str:
    """What a machine answers when it is asked for its version of Grimalkin."""
    return f"grimalkin {found} is installed" if isinstance(found, str) else "grimalkin is not installed"
