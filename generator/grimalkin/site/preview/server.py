"""Serve the preview to a browser on this machine: a page, its pictures, and a stream of events when something has
changed."""

from __future__ import annotations

import io
import json
import os
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

from watchfiles import Change, watch

from grimalkin.printing.face import Inks
from grimalkin.printing.face.layers import FONTS_OF_PAGES, page_font
from grimalkin.printing.type.fonts import font_paths, own_font
from grimalkin.site.preview.show import INKS, Preview, page_svg
from grimalkin.source import data_folder
from grimalkin.source.files import ART_FILES, FONT_FILES

HOST = "127.0.0.1"
WATCHED = (".yaml", ".yml", ".csv", ".j2", *ART_FILES, *FONT_FILES)
"""Extensions of files that faces are made from."""
QUIET_FOR = 30
"""Milliseconds without further changes before we look: editors write a file in several steps."""
MOST_CONNECTIONS = 64
"""The most simultaneous connections. A browser opens six, one of them a stream of events."""
MOST_BYTES = 16_384
"""The most bytes in a request, including its headers."""
SLOWEST = 10.0
"""The most seconds for a request to arrive, and for an answer to be received."""
HEARTBEAT = 10.0
"""Seconds after which an idle stream sends a sign of life and notices if nobody is listening any more."""
LETTERS = "".join(map(chr, [*range(32, 127), *range(160, 383)])) + "–—‘’“”…·×→"
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
OURS = {
    "/": ("page.html", "text/html"),
    "/preview.css": ("preview.css", "text/css"),
    "/preview.js": ("preview.js", "text/javascript"),
}
THEME = {"/assets/site.css": ("site.css", "text/css"), "/assets/mark.svg": ("mark.svg", "image/svg+xml")}


def serve(preview: Preview, port: int) -> Server | None:
    """Return a server for a preview, on a port of this machine (0: any); None if the port is not available."""
    try:
        return Server(preview, port)
    except OSError:
        return None


class Server:
    """The page of a preview, with a watch on its files."""

    def __init__(self, preview: Preview, port: int) -> None:
        self.preview = preview
        self.http = _Http((HOST, port), _Handler)
        self.http.preview = preview
        self.address = f"http://{HOST}:{self.http.server_port}/"
        self._watch = threading.Thread(target=self._watching, daemon=True)
        self._watch.start()
        self.http.watching.wait(5)
        self._runner: threading.Thread | None = None

    def run(self) -> None:
        """Answer requests until interrupted."""
        self._runner = threading.current_thread()
        self.http.serve_forever(poll_interval=0.2)

    def close(self) -> None:
        """End the watch and every stream. Any thread may call this."""
        self.http.closing.set()
        self.preview.end()
        if self._runner not in (None, threading.current_thread()):  # otherwise it would wait for ever
            self.http.shutdown()
        self._watch.join(timeout=5)
        self.http.server_close()

    def _watching(self) -> None:
        templates = data_folder("templates")
        roots = [self.preview.folder.resolve(), *(templates / kind for kind in ("faces", "icons", "stocks"))]
        again = False
        while not self.http.closing.is_set():
            folders = [folder for root in roots for folder in _folders(root)]
            try:
                for change in self._changes(folders):
                    self.http.watching.set()  # the first turn of the loop: the watch is running
                    if change or again:
                        again = False
                        self.preview.refresh()
                    if any(kind is Change.added and Path(path).is_dir() for kind, path in change):
                        again = True  # files saved in the new folder until now went unnoticed
                        break
            except OSError:  # a folder disappeared while it was read
                again = True
                self.http.closing.wait(1)

    def _changes(self, folders: Sequence[Path]) -> Iterator[set[tuple[Change, str]]]:
        """Yield the changes in these folders, or an empty set from time to time. Links could lead anywhere and are not
        followed."""
        return watch(
            *folders,
            watch_filter=lambda change, path: (
                _matters(Path(path), self.preview.folder, self.preview.also)
                or (change is Change.added and Path(path).is_dir())
            ),
            step=QUIET_FOR,
            debounce=10 * QUIET_FOR,
            rust_timeout=200,
            yield_on_timeout=True,
            stop_event=self.http.closing,
            raise_interrupt=False,
            recursive=False,
        )


def _folders(root: Path) -> list[Path]:
    """Return a folder and all folders below it that are not hidden, in order."""
    found: list[Path] = []
    for here, folders, _ in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "~")))
        found.append(Path(here))
    return found


def _matters(path: Path, folder: Path, also: tuple[str, ...] = ()) -> bool:
    """Return whether faces may be made from a file: it has a suitable extension and is not hidden."""
    try:
        parts = path.relative_to(folder.resolve()).parts
    except ValueError:
        parts = path.parts[-1:]
    return path.suffix in (*WATCHED, *also) and not any(part.startswith((".", "~")) for part in parts)


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = MOST_CONNECTIONS
    # On Windows the option would let two servers share a port; elsewhere we can start again immediately.
    allow_reuse_address = os.name == "posix"
    preview: Preview

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.closing = threading.Event()
        self.watching = threading.Event()
        self.open: dict[Any, None] = {}
        """Open connections, longest idle first."""
        self.streams: set[Any] = set()
        """Connections on which a page is listening."""
        self.lock = threading.Lock()

    def verify_request(self, request: Any, _: Any) -> bool:
        """Accept a connection. If there are too many, close the one that has been idle longest, streams last."""
        with self.lock:
            if len(self.open) >= MOST_CONNECTIONS:
                oldest = next((one for one in self.open if one not in self.streams), next(iter(self.open)))
                del self.open[oldest]
                with suppress(OSError):  # its thread reads the end, and closes it
                    oldest.shutdown(socket.SHUT_RDWR)
            self.open[request] = None
        return True

    def used(self, request: Any) -> None:
        """Note that a complete request has arrived on this connection."""
        with self.lock:
            if request in self.open:
                del self.open[request]
                self.open[request] = None

    def shutdown_request(self, request: Any) -> None:
        with self.lock:
            self.open.pop(request, None)
            self.streams.discard(request)
        super().shutdown_request(request)

    def handle_error(self, *unused: Any) -> None:
        """Ignore a browser that disconnects in the middle of an answer."""


class _Asked(io.RawIOBase):
    """The data from a browser. A request must arrive within limits of time and size, however slowly it trickles in."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.until, self.left = 0.0, 0

    def expect(self) -> None:
        """Start the limits for a new request."""
        self.until, self.left = time.monotonic() + SLOWEST, MOST_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        seconds = self.until - time.monotonic()
        if seconds <= 0 or self.left <= 0:
            raise TimeoutError
        self.connection.settimeout(seconds)
        count = self.connection.recv_into(buffer, min(len(buffer), self.left))
        self.left -= count
        return count


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def setup(self) -> None:
        super().setup()
        self.asked = _Asked(self.connection)
        self.rfile = io.BufferedReader(self.asked)

    def handle_one_request(self) -> None:
        self.asked.expect()
        super().handle_one_request()

    def do_HEAD(self) -> None:
        """Answer with the headers of GET, without the body."""
        self.do_GET()

    def do_GET(self) -> None:
        self.server.used(self.connection)
        refusal = self.refusal()
        if refusal:
            return self.refuse(*refusal)
        parts = urlsplit(self.path)
        asked = {key: values[0] for key, values in parse_qs(parts.query).items()}
        inks = cast(Inks, asked.get("inks", "full"))
        if inks not in INKS:
            return self.refuse(404, "there are no such inks")
        if parts.path == "/events":
            return self.stream(asked.get("seen", ""))
        if parts.path == "/show.json":
            number, show = self.server.preview.show(inks)
            return self.answer(200, "application/json", json.dumps({"number": number, **show.plain()}).encode())
        if parts.path == "/face.svg":
            _, show = self.server.preview.show(inks)
            face = show.face(asked.get("id", ""))
            if face is None:
                return self.refuse(404, "there is no such face")
            return self.answer(200, "image/svg+xml", page_svg(face, show.stocks[face.stock]).encode())
        if parts.path == "/picture":
            found = self.server.preview.picture(asked.get("key", ""))
            return self.answer(200, *found, keep=True) if found else self.refuse(404, "there is no such picture")
        return self.file(parts.path)

    def refusal(self) -> tuple[int, str] | None:
        """Return why a request is refused, as status and message; None if it is answered."""
        hosts, lengths = (self.headers.get_all(name, []) for name in ("Host", "Content-Length"))
        if len(hosts) > 1:
            self.close_connection = True  # of two hosts, another program may believe the other one
            return 400, "this is not a request from a browser"
        if "Transfer-Encoding" in self.headers or lengths not in ([], ["0"]):
            self.close_connection = True  # its body would be read as another request
            return 400, "nothing may be sent here"
        # A page elsewhere may point its own name at this machine; we answer only to our address.
        if self.headers.get("Host") not in {f"{name}:{self.server.server_port}" for name in (HOST, "localhost")}:
            return 403, "only this machine may read this"
        try:
            urlsplit(self.path)
        except ValueError:
            return 404, "this is not a valid address"
        # An address with a host is for another server.
        return None if self.path.startswith("/") else (404, "this is not a valid address")

    def file(self, path: str) -> None:
        """Answer with a file that does not change while we run."""
        name = Path(path).stem
        if path in OURS:
            file, kind = OURS[path]
            self.answer(200, kind, (Path(__file__).resolve().parent / file).read_bytes())
        elif path in THEME:
            file, kind = THEME[path]
            self.answer(200, kind, (data_folder("site") / "theme" / "assets" / file).read_bytes())
        elif path == f"/fonts/{name}.woff2" and name in FONTS_OF_PAGES:
            self.answer(200, "font/woff2", _page_font(name), keep=True)
        elif path == f"/type/{name}" and name in font_paths():
            self.answer(200, "font/sfnt", font_paths()[name].read_bytes(), keep=True)
        elif path == f"/type/{name}" and (font := own_font(name)):
            self.answer(200, "font/sfnt", bytes(font.face.blob.data), keep=True)
        else:
            self.refuse(404, "there is nothing here")

    def stream(self, seen: str) -> None:
        """Send an event for every refresh that the page has not seen, for as long as it listens."""
        self.close_connection = True
        self.head(200, "text/event-stream", {"Connection": "close"})
        if self.command == "HEAD":
            return
        self.server.streams.add(self.connection)
        last = int(seen) if seen.isdecimal() and len(seen) < 10 else -1
        try:
            while not self.server.closing.is_set():
                number = self.server.preview.wait(last, HEARTBEAT)
                said = f"data: {number}\n\n" if number != last else ": still here\n\n"
                self.wfile.write(said.encode())
                self.wfile.flush()
                last = number
        except OSError:
            pass  # the page was closed

    def refuse(self, status: int, why: str) -> None:
        self.answer(status, "text/plain", f"{why}\n".encode())

    def answer(self, status: int, kind: str, body: bytes, keep: bool = False) -> None:
        cache_for = "max-age=3600" if keep else "no-store"
        self.head(status, kind, {"Content-Length": str(len(body)), "Cache-Control": cache_for})
        if self.command != "HEAD":
            self.wfile.write(body)

    def head(self, status: int, kind: str, more: dict[str, str]) -> None:
        self.connection.settimeout(SLOWEST)  # for each write as a whole
        self.send_response(status)
        charset = "; charset=utf-8" if kind.startswith("text/") or kind.endswith("xml") else ""
        headers = {
            "Content-Type": kind + charset,
            "Content-Security-Policy": POLICY,
            "Cross-Origin-Resource-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
        }
        for name, value in ({"Cache-Control": "no-store"} | headers | more).items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *unused: Any) -> None:
        """Log nothing: the console is for messages to the designer."""


@cache
def _page_font(name: str) -> bytes:
    return page_font(FONTS_OF_PAGES[name], LETTERS)
