"""A browser without a screen, and the built site for it. Without a Chromium these tests are skipped."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright
from shown import BIRDS, MORE_BIRDS, show, write_birds

from grimalkin.problems import Problems
from grimalkin.site.pages import build_site

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where the system has its Chromium."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(f"no Chromium is installed ({', '.join(NAMES)}); `make browser` installs one")
    return found


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        yield started
        started.close()


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *unused: Any) -> None:
        pass


class _Below(_Silent):
    """A host that has the site below /games/, and answers all else with the page of its 404."""

    def send_head(self) -> Any:
        below = self.path.removeprefix("/games")
        self.path = below if below != self.path else "/nowhere"
        return super().send_head()

    def send_error(self, code: int, *unused: Any, **more: Any) -> None:
        body = (Path(self.directory) / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def _serving(handler: type[SimpleHTTPRequestHandler], folder: Path) -> Iterator[str]:
    """The address of a folder on a server of this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="session")
def served(site: Path) -> Iterator[str]:
    with _serving(_Silent, site) as address:
        yield address


@pytest.fixture(scope="session")
def host(site: Path) -> Iterator[str]:
    """The address of a host that has the site below one of its folders."""
    with _serving(_Below, site) as address:
        yield address


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page that fails its test when anything is complained about, or asked of another host."""
    context = browser.new_context(**getattr(request, "param", {}))
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(f"{page.url}: {said.text}") if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
    page.on("requestfailed", lambda asked: None if _is_left(asked) else complaints.append(f"{asked.url} failed"))
    page.on("request", lambda asked: None if _is_ours(asked.url) else complaints.append(f"{page.url}: {asked.url}"))
    yield page
    context.close()

    assert complaints == []


def _is_left(asked: Request) -> bool:
    """Whether a request was broken off only because the test went on to another page."""
    return asked.failure == "net::ERR_ABORTED"


def _is_ours(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("file", "data", "blob") or parts.hostname in ("localhost", "127.0.0.1")


@pytest.fixture(scope="session")
def birds(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a gallery of two decks; the second has four owls and ten hens."""
    folder = tmp_path_factory.mktemp("birds")
    problems = Problems()
    (folder / "site").mkdir()
    build_site([show(write_birds(folder / "birds", BIRDS + MORE_BIRDS))], folder / "site", problems)

    assert list(problems) == []
    return (folder / "site" / "birds" / "gallery.html").as_uri()
