"""The preview of 250 cards with a picture each: seconds from a save until a page has the change.

    python benchmarks/preview.py [PYTHON …]

Every interpreter named previews a game of its own with the Grimalkin that it has, and they take turns; without one,
ours does. A client plays the page: it waits for the event, asks what there is, and fetches what has changed, of a
template the first twelve faces.
"""

from __future__ import annotations

import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image

CARDS = 250
ROUNDS = 7
SEEN = 12
"""Faces near the visible part of a page."""
PIXELS = (600, 450)
GAME = """\
title: Pictures
tagline: A game to be measured
summary: Nothing happens here.
players: {{least: 1, most: 2}}
minutes: {{least: 1, most: 1}}
year: 2026
prefix: PI
rules-version: "1"
credits:
  - {{role: Design, name: Nobody}}
palette: {{red: "#aa0000"}}
decks:
  - id: cards
    name: Cards
    kind: card
    file: cards.csv
    count: {cards}
    stock: poker
    faces: {{front: card, back: back}}
    columns:
      power: {{type: whole, label: power, least: 1, most: 9}}
      text: {{type: text, label: text}}
      art: {{type: text, label: art}}
"""
RULES = """\
sections:
  - id: play
    title: Play
    rules:
      - {id: PI-PLAY-1, title: Play a card, text: Play a card and do what it says.}
"""
FRONT = """\
{% extends "base/face.svg.j2" %}
{% block words %}
<image href="art/{{ card.art }}" x="4" y="14" width="55" height="41" preserveAspectRatio="xMidYMid slice"/>
<textbox name="name" x="4" y="4" width="46" height="8" size="13">{{ card.name }}</textbox>
<text x="59" y="11" font-family="SourceSansPro" font-size="7" text-anchor="end" fill="#1d1a26">{{ card.power }}</text>
<textbox name="text" x="4" y="58" width="55" height="24" size="9">{{ card.text }}</textbox>
{% endblock %}
"""
BACK = """\
{% extends "base/face.svg.j2" %}
{% block art %}<rect x="-3" y="-3" width="69" height="94" fill="#aa0000"/>{% endblock %}
"""


def write_game(folder: Path) -> Path:
    """Write a game of poker cards, each with words and a picture of its own."""
    chance = random.Random(1)
    words = [
        "draw",
        "a",
        "card",
        "from",
        "the",
        "deck",
        "and",
        "put",
        "it",
        "in",
        "your",
        "hand",
        "then",
        "another",
        "player",
        "may",
        "discard",
        "one",
    ]
    rows = ["id,name,count,power,text,art"]
    for number in range(CARDS):
        text = " ".join(chance.choices(words, k=22))
        rows.append(f"card-{number},Card {number},1,{number % 9 + 1},{text},p{number}.png")
    files = {"game.yaml": GAME.format(cards=CARDS), "cards.csv": "\n".join(rows) + "\n", "rules.yaml": RULES}
    files |= {"faces/card.svg.j2": FRONT, "faces/back.svg.j2": BACK}
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    (folder / "art").mkdir()
    for number in range(CARDS):
        picture(number).save(folder / "art" / f"p{number}.png")
    return folder


def picture(seed: int) -> Image.Image:
    """Make a picture that compresses badly, like a painting."""
    chance = random.Random(seed)
    noise = Image.frombytes("RGB", (PIXELS[0] // 2, PIXELS[1] // 2), chance.randbytes(PIXELS[0] * PIXELS[1] * 3 // 4))
    return noise.resize(PIXELS)


class Page:
    """A page that follows the preview and takes its times."""

    def __init__(self, python: str, folder: Path) -> None:
        self.folder = folder
        command = [python, "-m", "grimalkin", "preview", str(folder), "--no-open", "--port", "0"]
        begin = time.perf_counter()
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.server.stdout
        address = re.search(r"http://\S+", self.server.stdout.readline())
        assert address
        self.address = address[0]
        self.events = urllib.request.urlopen(self.address + "events")
        self.prints: dict[str, str] = {}
        self.pictures: set[str] = set()
        self.number = -1
        self.wait()
        self.look(SEEN)
        self.start = time.perf_counter() - begin

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(self.address + path) as answer:
            body: bytes = answer.read()
        return body

    def wait(self) -> None:
        """Wait until there is something new."""
        while True:
            line = self.events.readline().decode()
            if line.startswith("data: ") and int(line[6:]) != self.number:
                self.number = int(line[6:])
                return

    def look(self, most: int) -> list[str]:
        """Ask for the faces, and fetch the first new ones. Returns the ids of all new ones."""
        what = json.loads(self.get("show.json?inks=full"))
        assert not what["problems"], what["problems"]
        faces = {face["id"]: face["fingerprint"] for deck in what["decks"] for face in deck["faces"]}
        new = [id_ for id_, print_ in faces.items() if self.prints.get(id_) != print_]
        for id_ in new[:most]:
            svg = self.get("face.svg?" + urlencode({"inks": "full", "id": id_, "v": faces[id_]})).decode()
            for href in set(re.findall(r'href="(/?(?:art|picture)[^"]*)"', svg)) - self.pictures:
                self.get(href.lstrip("/"))
                self.pictures.add(href)
        self.prints = faces
        return new

    def saved(self, save: Callable[[Path], None], wanted: int) -> float:
        """Return the seconds from the end of a save until the page has the change."""
        save(self.folder)
        begin = time.perf_counter()
        while True:
            self.wait()
            new = self.look(SEEN)
            if len(new) == wanted:
                return time.perf_counter() - begin


def cell(turn: int) -> Callable[[Path], None]:
    def save(folder: Path) -> None:
        path = folder / "cards.csv"
        path.write_text(re.sub(r"Card 100[^,]*,", f"Card 100 {turn},", path.read_text()))

    return save


def art(turn: int) -> Callable[[Path], None]:
    made = picture(10_000 + turn)

    def save(folder: Path) -> None:
        beside = folder / ".saved.png"
        made.save(beside)
        beside.replace(folder / "art" / "p100.png")

    return save


def line(turn: int) -> Callable[[Path], None]:
    def save(folder: Path) -> None:
        path = folder / "faces" / "card.svg.j2"
        path.write_text(re.sub(r'font-size="[\d.]+"', f'font-size="{6 + turn / 10}"', path.read_text()))

    return save


def main() -> None:
    pythons = sys.argv[1:] or [sys.executable]
    kinds = {"a cell": (cell, 1), "a picture": (art, 1), "a line of the template": (line, CARDS)}
    with tempfile.TemporaryDirectory() as place:
        pages = [Page(python, write_game(Path(place) / f"game-{at}")) for at, python in enumerate(pythons)]
        try:
            print(f"{'start':24}" + "".join(f"{page.start:8.2f} s" for page in pages))
            for name, (kind, wanted) in kinds.items():
                taken: list[list[float]] = [[] for _ in pages]
                for turn in range(ROUNDS):
                    for seconds, page in zip(taken, pages, strict=True):
                        seconds.append(page.saved(kind(turn), wanted))
                medians = [statistics.median(seconds) for seconds in taken]
                ratio = f"   ratio {medians[0] / medians[-1]:.1f}" if len(pages) > 1 else ""
                print(f"{name:24}" + "".join(f"{median:8.2f} s" for median in medians) + ratio)
        finally:
            for page in pages:
                page.server.terminate()


if __name__ == "__main__":
    main()
