"""The preview: faces as data, the last good ones through a fault, and a local server that tells of every save."""

from __future__ import annotations

import contextlib
import http.client
import io
import json
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from games_for_tests import FILES, write_game
from PIL import Image
from waiting import until

from grimalkin.cli import main
from grimalkin.printing.face.layers import FONTS_OF_PAGES
from grimalkin.site.preview import Preview, Server, serve
from grimalkin.site.preview.server import MOST_CONNECTIONS, OURS, THEME, _matters
from grimalkin.site.preview.show import INKS, page_svg
from grimalkin.source import data_folder

pytestmark = pytest.mark.slow("serves and watches, and waits for both")

LONGEST = 20.0
"""Seconds; a tenth of one is usual. Machines that test are busy."""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write_game(tmp_path / "tiny")


@pytest.fixture
def served(tiny: Path) -> Iterator[Server]:
    server = serve(Preview(tiny), 0)
    assert server is not None
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    get(server, "/show.json")
    yield server
    server.close()
    thread.join(5)


def get(server: Server, path: str, host: str | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.http.server_port, timeout=LONGEST)
    try:
        connection.request("GET", path, headers={"Host": host} if host else {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def ids(show: Any) -> list[str]:
    return [face.id for deck in show.decks for face in deck.faces]


def test_a_preview_shows_every_face_in_the_order_of_the_table(tiny: Path) -> None:
    """The made-up game has two designs with the same template on both sides, so no two backs are alike."""
    _, show = Preview(tiny).show("full")

    assert ids(show) == ["mouse-front", "mouse-back", "owl-front", "owl-back"]
    assert [face.count for face in show.decks[0].faces] == [2, 2, 1, 1]
    assert show.problems == ()


def test_backs_that_look_the_same_are_shown_once(tmp_path: Path) -> None:
    """One back stands for both designs and for all three pieces."""
    back = '{% extends "base/face.svg.j2" %}\n'
    game = FILES["game.yaml"].replace("back: plain", "back: same")
    folder = write_game(tmp_path / "tiny", game_yaml=game, **{"faces/same.svg.j2": back})
    _, show = Preview(folder).show("full")
    shared = show.face("mouse-back")

    assert ids(show) == ["mouse-front", "mouse-back", "owl-front"]
    assert shared is not None
    assert (shared.names, shared.count) == (("Mouse", "Owl"), 3)


def test_a_new_deck_is_shown_beside_what_is_wrong(tiny: Path) -> None:
    """The last good faces stay, and what was added since comes behind them."""
    preview = Preview(tiny)
    owls = "  - {id: owls, name: Owls, kind: card, file: owls.csv, count: 1, stock: poker, faces: {front: plain}}\n"
    (tiny / "game.yaml").write_text(FILES["game.yaml"] + owls)
    (tiny / "owls.csv").write_text("id,name,count\nbarn-owl,Barn Owl,1\n")
    preview.refresh()
    show = preview.show("full")[1]

    assert show.problems  # the face asks for a column that owls do not have
    assert ["cards", "owls"] == [deck.id for deck in show.decks]


def test_a_text_box_tells_its_room_and_what_it_came_to(tmp_path: Path) -> None:
    """12 pt do not fit into 6 mm twice over, so the text comes to less; the group around it moves the box."""
    face = """\
{% extends "base/face.svg.j2" %}
{% block art %}{{ icon("moon", 1, 1, 5, ink) }}{% endblock %}
{% block words %}
<g transform="translate(2 3)"><g transform="rotate(90)">
<textbox name="long" x="5" y="6" width="40" height="6" size="12" floor="5">
{{ card.name }} and again {{ card.name }} and so on
</textbox>
</g></g>
<textbox name="short" x="5" y="50" width="40" height="8" size="12">{{ card.name }}</textbox>
<textbox name="nothing" x="5" y="60" width="40" height="8"></textbox>
<defs><g id="kept"><textbox name="elsewhere" width="40" height="8">x</textbox></g></defs>
{% endblock %}
"""
    folder = write_game(tmp_path / "tiny", faces__plain_svg_j2=face)
    _, show = Preview(folder).show("full")
    shown = show.face("mouse-front")
    assert shown is not None, show.problems
    long, short, nothing = shown.boxes

    assert (long.name, long.x, long.y, long.width, long.height) == ("long", 5, 6, 40, 6)
    assert long.transform == "translate(2 3) rotate(90)"
    assert (long.asked, long.floor) == (12, 5)
    assert long.size is not None and 5 <= long.size < 12
    assert (short.size, short.floor) == (12, 6.5)
    assert nothing.size is None


def test_boxes_are_found_again_behind_the_icons_that_composing_puts_first(tmp_path: Path) -> None:
    """A textbox is the second child of its template and, after the icons, the third of its face."""
    face = """\
<svg xmlns="http://www.w3.org/2000/svg">{{ icon("moon", 1, 1, 5, ink) }}
<textbox x="1" width="5" height="5" size="8">a</textbox></svg>
"""
    _, show = Preview(write_game(tmp_path / "tiny", faces__plain_svg_j2=face)).show("full")
    shown = show.face("mouse-front")
    assert shown is not None, show.problems
    (box,) = shown.boxes

    assert box.size == 8.0


def test_the_last_good_faces_outlive_a_broken_template(tiny: Path) -> None:
    """The problem has file and line; the faces that cannot be made anew stay as they were, marked as old."""
    preview = Preview(tiny)
    good = preview.show("full")[1].face("mouse-front")
    template = tiny / "faces" / "plain.svg.j2"
    template.write_text(FILES["faces/plain.svg.j2"].replace("{{ card.power }}", "{{ card.might }}"), encoding="utf-8")
    preview.refresh()
    number, show = preview.show("full")
    kept = show.face("mouse-front")

    assert number == 1
    assert good is not None and kept is not None
    assert (kept.fingerprint, kept.old, good.old) == (good.fingerprint, True, False)
    assert [str(problem.place).endswith("plain.svg.j2:4") for problem in show.problems] == [True]
    template.write_text(FILES["faces/plain.svg.j2"], encoding="utf-8")
    preview.refresh()
    assert preview.show("full")[1].problems == ()
    assert preview.show("full")[1].face("mouse-front") == good


def test_one_broken_row_leaves_the_others_alone(tiny: Path) -> None:
    """The owl's power is too large: the owl stays old, the mouse is made anew."""
    preview = Preview(tiny)
    before = preview.show("full")[1].face("mouse-front")
    (tiny / "cards.csv").write_text("id,name,count,power,mood\nmouse,Mice,2,1,calm\nowl,Owl,1,70,\n", encoding="utf-8")
    preview.refresh()
    _, show = preview.show("full")
    mouse, owl = show.face("mouse-front"), show.face("owl-front")

    assert mouse is not None and owl is not None and before is not None
    assert (mouse.names, mouse.old, owl.old) == (("Mice",), False, True)
    assert mouse.fingerprint != before.fingerprint
    assert len(show.problems) == 1


def test_a_game_that_cannot_be_read_keeps_everything(tiny: Path) -> None:
    """game.yaml without a title is of no use; all faces stay."""
    preview = Preview(tiny)
    before = ids(preview.show("full")[1])
    (tiny / "game.yaml").write_text("tagline: x\n", encoding="utf-8")
    preview.refresh()
    _, show = preview.show("full")

    assert ids(show) == before
    assert all(face.old for deck in show.decks for face in deck.faces)
    assert show.problems


def test_remarks_are_shown_and_are_no_problems(tiny: Path) -> None:
    """A filter in a drawing that leads nowhere, and a tag of another tool in a cell, which goes when it is mended."""
    image = '{% block words %}<image href="art/a.svg" width="9"/>'
    (tiny / "faces" / "plain.svg.j2").write_text(FILES["faces/plain.svg.j2"].replace("{% block words %}", image))
    (tiny / "art").mkdir()
    odd = '<rect width="9" height="9" filter="url(#none)"/>'
    (tiny / "art" / "a.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{odd}</svg>')
    (tiny / "cards.csv").write_text(FILES["cards.csv"].replace("Owl,", "Owl <b>,"))
    preview = Preview(tiny)
    before = preview.show("full")[1]
    (tiny / "cards.csv").write_text(FILES["cards.csv"])
    preview.refresh()
    after = preview.show("full")[1]

    assert () == before.problems == after.problems
    assert [True, True] == ["a.svg" in str(one) or "cards.csv" in str(one) for one in before.remarks]
    assert ["a.svg" in str(one) for one in after.remarks] == [True]
    assert after.plain()["remarks"][0]["message"]


def test_what_is_taken_out_goes_away_when_nothing_is_wrong(tiny: Path) -> None:
    preview = Preview(tiny)
    (tiny / "cards.csv").write_text("id,name,count,power,mood\nmouse,Mouse,3,1,calm\n", encoding="utf-8")
    (tiny / "rules.yaml").write_text(FILES["rules.yaml"].replace("[[owl]]", "mouse"), encoding="utf-8")
    preview.refresh()
    _, show = preview.show("full")

    assert (ids(show), show.problems) == (["mouse-front", "mouse-back"], ())


def test_inks_reach_the_templates(tmp_path: Path) -> None:
    """A template that writes its inks down writes another word for each."""
    face = FILES["faces/plain.svg.j2"].replace("{{ card.power }}", "{{ inks }}")
    preview = Preview(write_game(tmp_path / "tiny", faces__plain_svg_j2=face))
    for inks in INKS:
        shown = preview.show(inks)[1].face("mouse-front")

        assert shown is not None and f">{inks}<" in shown.svg


def test_a_face_in_a_page_keeps_its_ids_to_itself(tmp_path: Path) -> None:
    """Every id, and everything that leads to one, carries the name of the face; so does the cut."""
    face = """\
{% extends "base/face.svg.j2" %}
{% block art %}
<clipPath id="hole"><rect x="1" y="1" width="9" height="9"/></clipPath>
<g clip-path="url(#hole)">{{ icon("moon", 1, 1, 5, ink) }}</g>
{% endblock %}
"""
    folder = write_game(tmp_path / "tiny", faces__plain_svg_j2=face)
    _, show = Preview(folder).show("full")
    shown = show.face("mouse-front")
    assert shown is not None, show.problems
    text = page_svg(shown, show.stocks["poker"])
    made = set(re.findall(r' id="([^"]+)"', text))

    assert made == {"mouse-front--hole", "mouse-front--icon-moon", "mouse-front--cut"}
    assert set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text)) == {
        ("mouse-front--icon-moon", ""),
        ("", "mouse-front--hole"),
        ("", "mouse-front--cut"),
    }


def test_a_save_is_told_and_the_new_face_is_there(served: Server, tiny: Path) -> None:
    """Who listens hears a number for the state there is, and another one soon after a file is written."""
    connection = http.client.HTTPConnection("127.0.0.1", served.http.server_port, timeout=LONGEST)
    connection.request("GET", "/events")
    stream = connection.getresponse()
    try:
        assert stream.readline() == b"data: 0\n"
        start = time.perf_counter()
        (tiny / "cards.csv").write_text(FILES["cards.csv"].replace("Mouse", "Shrew"), encoding="utf-8")
        told = b""
        while not told.startswith(b"data:") and time.perf_counter() - start < LONGEST:
            told = stream.readline()
    finally:
        stream.close()
        connection.close()
    shown = json.loads(get(served, "/show.json")[1])
    names = {face["id"]: face["names"] for deck in shown["decks"] for face in deck["faces"]}

    assert told.startswith(b"data:")
    assert int(told.split()[1]) >= 1
    assert names["mouse-front"] == ["Shrew"]
    assert b">Shrew" in get(served, "/face.svg?inks=low&id=mouse-front")[1]


def test_everything_the_page_asks_for_is_there(served: Server) -> None:
    """The page, what it names, the fonts of its style sheet and one of the faces' fonts; all else is not."""
    page = get(served, "/")[1].decode()
    named = {"/" + name for name in re.findall(r'(?:href|src)="([^"#:]+)"', page)}
    css = get(served, "/assets/site.css")[1].decode()
    fonts = {f"/fonts/{name}" for name in re.findall(r"url\(\.\./fonts/([\w.-]+)\)", css)}

    assert named >= {"/preview.css", "/preview.js", "/assets/site.css"}
    for path in {*named, *fonts, *OURS, *THEME, "/type/SourceSansPro"}:
        assert get(served, path)[0] == 200, path
    missing = ("/../pyproject.toml", "/type/none", "/fonts/none.woff2", "/face.svg?id=x", "/show.json?inks=gold")
    assert [get(served, path)[0] for path in missing] == [404] * 5


def test_only_this_machine_by_its_own_name_is_answered(served: Server) -> None:
    """A page elsewhere that points its own name here gets nothing; the socket listens on 127.0.0.1 alone."""
    port = served.http.server_port

    assert served.http.server_address[0] == "127.0.0.1"
    assert get(served, "/show.json", "evil.example")[0] == 403
    assert get(served, "/show.json", f"localhost:{port}")[0] == 200


def talk(server: Server, data: bytes) -> bytes:
    """All that the server answers to some bytes, until it hangs up."""
    with socket.create_connection(("127.0.0.1", server.http.server_port), timeout=LONGEST) as connection:
        connection.sendall(data)
        answer = b""
        while more := connection.recv(65536):
            answer += more
        return answer


def test_a_request_that_drips_is_hung_up_on(served: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte now and then is no sign of life: the whole request has its time. So has the next one on a connection."""
    monkeypatch.setattr("grimalkin.site.preview.server.SLOWEST", 0.6)
    host = f"Host: 127.0.0.1:{served.http.server_port}\r\n\r\n".encode()
    for first, answers in ((b"", 0), (b"GET /preview.css HTTP/1.1\r\n" + host, 1)):
        start = time.perf_counter()  # before the server's clock runs
        with socket.create_connection(("127.0.0.1", served.http.server_port), timeout=LONGEST) as connection:
            connection.sendall(first + b"GET / HTTP/1.1\r\nX: ")
            try:
                while time.perf_counter() - start < LONGEST:
                    connection.sendall(b"x")
                    if select.select([connection], [], [], 0.05)[0] and not connection.recv(1 << 16):
                        break  # it hung up; else this was an answer, or is a drip later
            except OSError:
                pass
            took = time.perf_counter() - start

        assert 0.5 < took < LONGEST, answers
    assert get(served, "/")[0] == 200


def test_an_answer_that_nobody_takes_ends(served: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither do answers pile up on a connection, nor does its thread stay."""
    ended = threading.Event()
    end = served.http.shutdown_request

    def end_and_tell(request: Any) -> None:
        end(request)
        ended.set()

    until(lambda: not served.http.open)
    monkeypatch.setattr(served.http, "shutdown_request", end_and_tell)
    monkeypatch.setattr("grimalkin.site.preview.server.SLOWEST", 0.5)
    monkeypatch.setattr(
        "grimalkin.site.preview.server._Handler.file", lambda self, _: self.answer(200, "x/y", bytes(10**8))
    )
    with socket.create_connection(("127.0.0.1", served.http.server_port), timeout=LONGEST) as connection:
        connection.sendall(f"GET /x HTTP/1.1\r\nHost: localhost:{served.http.server_port}\r\n\r\n".encode())

        assert ended.wait(LONGEST)
        assert not served.http.open


def test_half_open_requests_do_not_pile_up(served: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the most that there may be, new ones are hung up on; when the others have had their time, all is well.
    The page's own stream of events goes on meanwhile."""
    monkeypatch.setattr("grimalkin.site.preview.server.SLOWEST", 3.0)
    place = ("127.0.0.1", served.http.server_port)
    page = http.client.HTTPConnection(*place, timeout=LONGEST)
    page.request("GET", "/events")
    stream = page.getresponse()
    assert (stream.readline(), stream.readline()) == (b"data: 0\n", b"\n")
    idle = [socket.create_connection(place, timeout=LONGEST) for _ in range(MOST_CONNECTIONS + 20)]
    try:
        for connection in idle[:MOST_CONNECTIONS]:
            with contextlib.suppress(OSError):
                connection.sendall(b"GET / HTTP/1.1\r\n")
        assert b"" == idle[0].recv(1)  # it had to make room for one that came later
        assert 1 < len(served.http.open) <= MOST_CONNECTIONS
        until(lambda: len(served.http.open) == 1)
        served.preview.refresh()
        told = stream.readline()
        while told in (b": still here\n", b"\n"):
            told = stream.readline()

        assert told == b"data: 1\n"
        assert get(served, "/")[0] == 200
    finally:
        stream.close()
        page.close()
        for connection in idle:
            connection.close()


def test_no_client_holds_all_places(served: Server) -> None:
    """Idle connections make room for whoever asks, and streams do when there is nothing but streams."""
    place = ("127.0.0.1", served.http.server_port)
    host = f"Host: localhost:{served.http.server_port}\r\n\r\n".encode()
    for said in (b"", b"GET /mark HTTP/1.1\r\n" + host, b"GET /events HTTP/1.1\r\n" + host):
        held = [socket.create_connection(place, timeout=LONGEST) for _ in range(MOST_CONNECTIONS)]
        try:
            for connection in held:
                with contextlib.suppress(OSError):
                    connection.sendall(said)
            until(lambda: len(served.http.open) == MOST_CONNECTIONS)

            assert 200 == get(served, "/")[0]
        finally:
            for connection in held:
                connection.close()


def test_head_is_answered_with_the_headers_alone(served: Server) -> None:
    """As GET is, with the length of what GET would send; of a stream, too, which then ends."""
    heads = {}
    for method in ("GET", "HEAD"):
        connection = http.client.HTTPConnection("127.0.0.1", served.http.server_port, timeout=LONGEST)
        connection.request(method, "/preview.css")
        answer = connection.getresponse()
        heads[method] = (answer.status, [one for one in answer.getheaders() if one[0] != "Date"])
        assert (method == "HEAD") == (answer.read() == b"")
        connection.request("HEAD", "/events")
        assert (200, b"") == ((stream := connection.getresponse()).status, stream.read())
        connection.close()

    assert heads["GET"] == heads["HEAD"]


def test_a_request_says_once_where_it_goes(served: Server) -> None:
    """Two hosts or lengths are understood differently by others on the way, and an address has no host of its own."""
    host = f"Host: localhost:{served.http.server_port}\r\n".encode()
    for more in (b"Host: elsewhere\r\n", b"Content-Length: 0\r\nContent-Length: 0\r\n"):
        assert talk(served, b"GET / HTTP/1.1\r\n" + host + more + b"\r\n")[:12] == b"HTTP/1.1 400"
    end = b"Connection: close\r\n\r\n"
    assert talk(served, b"GET http://elsewhere/ HTTP/1.1\r\n" + host + end)[:12] == b"HTTP/1.1 404"


def test_requests_are_small_and_bring_nothing(served: Server) -> None:
    """A heap of headers is hung up on, a body is not read as another request, and nothing but GET and HEAD is known."""
    host = f"Host: localhost:{served.http.server_port}\r\n".encode()
    heads = b"".join(b"X-%d: %s\r\n" % (number, b"x" * 1000) for number in range(90))
    smuggled = b"GET /show.json HTTP/1.1\r\n" + host + b"\r\n"
    with contextlib.suppress(ConnectionError):
        assert b"" == talk(served, b"GET / HTTP/1.1\r\n" + host + heads + b"\r\n")
    for body in (b"Content-Length: %d\r\n\r\n" % len(smuggled), b"Transfer-Encoding: chunked\r\n\r\n"):
        answer = talk(served, b"GET / HTTP/1.1\r\n" + host + body + smuggled)

        assert (answer[:12], answer.count(b"HTTP/1.1")) == (b"HTTP/1.1 400", 1)
    for method in (b"POST", b"PUT", b"DELETE", b"OPTIONS", b"CONNECT", b"TRACE"):
        assert talk(served, method + b" / HTTP/1.1\r\n" + host + b"\r\n")[:12] == b"HTTP/1.1 501"


def test_no_address_leaves_the_folders_of_the_page(served: Server) -> None:
    """What there is has a name; all others are nothing, however they are written."""
    for path in (
        "/../server.py", "/preview/../server.py", "/%2e%2e/server.py", "/assets/../main.html", "/assets/%2e%2e/a.html",
        "/fonts/../site.css", "/type/../../../etc/passwd", "/type/%2Fetc%2Fpasswd", "//etc/passwd", "/face.svg?id=../x",
        "file:///etc/passwd", "//[", "/\0", f"/events?seen={'9' * 5000}x&inks=gold",
    ):  # fmt: skip
        host = f"Host: localhost:{served.http.server_port}\r\nConnection: close\r\n\r\n"

        assert talk(served, f"GET {path} HTTP/1.1\r\n{host}".encode())[:12] == b"HTTP/1.1 404", path


def test_a_request_without_our_name_is_refused(served: Server) -> None:
    """Also one of an old protocol, which has no names; other pages may not even show our pictures."""
    port = served.http.server_port
    for host in ("", "Host: evil.example", "Host: 127.0.0.1", f"Host: evil.example:{port}", f"Host: 127.0.0.1.:{port}"):
        head = f"{host}\r\n" if host else ""
        answer = talk(served, f"GET /show.json HTTP/1.1\r\n{head}Connection: close\r\n\r\n".encode())

        assert answer[:12] == b"HTTP/1.1 403", host
    assert b"decks" not in talk(served, b"GET /show.json\r\n\r\n")
    answer = talk(served, f"GET / HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n".encode())
    assert b"Cross-Origin-Resource-Policy: same-origin\r\n" in answer
    assert b"Access-Control" not in answer


def test_a_port_in_use_is_told(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        assert main(["preview", str(tiny), "--no-open", "--port", str(port)]) == 1
    assert f"port {port} is in use" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
def test_ctrl_c_ends_it_cleanly(tiny: Path) -> None:
    """It says where it is, and ends with code 0 and no traceback."""
    command = [sys.executable, "-m", "grimalkin", "preview", str(tiny), "--no-open", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LONGEST)

    assert re.fullmatch(r"Tiny is at http://127\.0\.0\.1:\d+/\n", first)
    assert (process.returncode, out.strip(), err) == (0, "closed", "")


def test_files_that_an_editor_hides_do_not_matter(tmp_path: Path) -> None:
    """Swap files, hidden folders and finished sheets are no reason to look again; tables and templates are."""
    names = ["cards.csv", "faces/a.svg.j2", "icons/b.svg", ".cards.csv", ".git/x.yaml", "~a.csv", "cards.csv~", "a.pdf"]

    assert [_matters(tmp_path / name, tmp_path) for name in names] == [True] * 3 + [False] * 5


def test_the_fonts_of_the_page_are_those_of_the_site() -> None:
    assets = data_folder("site") / "theme" / "assets"
    style = "".join((assets / f"{name}.css").read_text("utf-8") for name in ("site", "front"))

    assert set(re.findall(r"fonts/([\w-]+)\.woff2", style)) == FONTS_OF_PAGES.keys()


def test_the_watch_follows_no_link_and_sees_new_folders(tiny: Path) -> None:
    """A link to the whole disk is not followed, one in a circle does not matter, and what is saved in a folder that was
    made meanwhile is seen, also when it came at once."""
    (tiny / "faces" / "root").symlink_to("/")
    (tiny / "faces" / "again").symlink_to(tiny / "faces")
    server = serve(Preview(tiny), 0)
    assert server is not None
    threading.Thread(target=server.run, daemon=True).start()
    try:
        for folder in ("icons", "faces/parts"):
            number = server.preview.number
            (tiny / folder).mkdir()
            (tiny / folder / "owl.svg").write_text("<svg/>")

            assert server.preview.wait(number, LONGEST) > number
            assert is_watched(server.preview, tiny / folder / "owl.svg")
    finally:
        server.close()


def test_a_folder_that_is_made_anew_is_watched(served: Server, tiny: Path, tmp_path: Path) -> None:
    """As when a program that keeps versions takes it away and puts it back at once."""
    shutil.copytree(tiny / "faces", tmp_path / "before")
    shutil.rmtree(tiny / "faces")
    shutil.copytree(tmp_path / "before", tiny / "faces")

    assert is_watched(served.preview, tiny / "faces" / "plain.svg.j2")


def test_a_picture_that_is_saved_anew_is_shown(tiny: Path) -> None:
    """Only what it is on becomes another face."""
    face = FILES["faces/plain.svg.j2"].replace(
        "{% block words %}", '{% block words %}<image href="art/a.png" width="9"/>'
    )
    (tiny / "faces" / "plain.svg.j2").write_text(face)
    (tiny / "art").mkdir()
    Image.new("RGB", (9, 9)).save(tiny / "art" / "a.png")
    server = serve(Preview(tiny), 0)
    assert server is not None
    threading.Thread(target=server.run, daemon=True).start()
    try:
        shown = [json.loads(get(server, "/show.json")[1])]
        Image.new("RGB", (9, 9), "red").save(tiny / "art" / "a.png")
        assert server.preview.wait(shown[0]["number"], LONGEST) > shown[0]["number"]
        shown.append(json.loads(get(server, "/show.json")[1]))
        svg = get(server, "/face.svg?id=mouse-front")[1].decode()
        (address,) = re.findall(r'href="(/picture[^"]+)"', svg)
        assert (200, (tiny / "art" / "a.png").read_bytes()) == get(server, address)
        assert 404 == get(server, "/picture?key=picture:none")[0]
    finally:
        server.close()

    before, after = ([face["fingerprint"] for face in one["decks"][0]["faces"]] for one in shown)
    assert set(before).isdisjoint(after)


def test_a_picture_that_is_damaged_inside_is_a_problem_of_its_file(
    tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each of its chunks is sound, so it is found out when a page asks for it: told once, and without a traceback."""
    image = '{% block words %}<image href="art/a.png" width="9"/>'
    (tiny / "faces" / "plain.svg.j2").write_text(FILES["faces/plain.svg.j2"].replace("{% block words %}", image))
    (tiny / "art").mkdir()
    out = io.BytesIO()
    Image.new("RGBA", (60, 40)).save(out, "PNG")
    head = bytearray(out.getvalue()[:33])
    head[16:24] = struct.pack(">LL", 600, 400)
    head[29:33] = struct.pack(">L", zlib.crc32(head[12:29]))
    (tiny / "art" / "a.png").write_bytes(bytes(head) + out.getvalue()[33:])
    preview = Preview(tiny)
    (key,) = preview.show("low")[1].pictures
    assert preview.picture(key) is None and preview.picture(key) is None
    number, show = preview.show("low")

    assert 1 == number
    assert ["the picture cannot be read"] == [one.message.partition(":")[0] for one in show.problems]
    assert show.problems[0].place.path.endswith("art/a.png")
    assert "Traceback" not in capsys.readouterr().err


def is_watched(preview: Preview, path: Path) -> bool:
    """Whether two edits of a file are seen: the first may owe it to a second look at what came before.

    Each comes in a quiet moment, and is made again and again, as the watch on its folder may not stand yet.
    """
    end = time.monotonic() + LONGEST
    edits = 0
    while edits < 2 and time.monotonic() < end:
        number = preview.number
        if preview.wait(number, 0.5) == number:
            path.write_text(path.read_text() + "\n")
            edits += preview.wait(number, 1) > number
    return edits == 2
