"""The streams that commands print to, in place of standard output and standard error.

Titles, names, positions and file names may come from strangers, and a terminal obeys some of their characters. So all
output goes through one kind of stream, which makes such characters visible. It never raises: finished work stays done
even if nothing can be printed about it; the exit code then says so.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from grimalkin.problems.plain import visible


class Plain(io.TextIOBase):
    """A stream of text that shows control characters instead of passing them on.

    It never counts as a terminal, even if it writes to one, so nothing colours its text. A line that renews itself
    bypasses it.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self.stream = stream
        self.fault: OSError | None = None
        """Why nothing more can be written."""

    def write(self, text: str) -> int:
        if self.stream is None and text:
            self.fault = OSError(errno.EBADF, "it is closed")
        elif self.stream is not None and self.fault is None:
            try:
                self.stream.write(visible(text, lines=True))
            except OSError as error:
                self._end(self.stream, error)
        return len(text)

    def flush(self) -> None:
        if self.stream is not None and self.fault is None:
            try:
                self.stream.flush()
            except OSError as error:
                self._end(self.stream, error)

    def _end(self, stream: TextIO, error: OSError) -> None:
        """Discard further output; otherwise Python would complain about it on exit."""
        self.fault = error
        with suppress(OSError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


@contextmanager
def plain_streams() -> Iterator[Plain]:
    """Make standard output and standard error plain within the block; yield standard output."""
    before = sys.stdout, sys.stderr
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # take the number, or the next file would, and libraries write to it
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):  # a code page of Windows lacks many letters; input may be any bytes
            with suppress(io.UnsupportedOperation):  # it has already been read from
                stream.reconfigure(errors="backslashreplace")
    out, err = Plain(before[0]), Plain(before[1])
    sys.stdout, sys.stderr = out, err
    try:
        yield out
    finally:
        out.flush()
        err.flush()
        sys.stdout, sys.stderr = before


def line_that_renews() -> Callable[[str], None] | None:
    """Return a function that overwrites its last line on standard error; None if that is not a terminal."""
    stream = sys.stderr.stream if isinstance(sys.stderr, Plain) else sys.stderr
    if stream is None or not stream.isatty():
        return None
    return lambda text: print(f"\r\033[K{visible(text)}", end="", file=stream, flush=True)
