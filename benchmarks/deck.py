"""A made-up deck of any size: the job that all sides of the sheet benchmark do."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

PLACES = [(x, y) for y in (11.2, 104.5, 197.8) for x in (8.3, 73.5, 138.7)]
"""Where the trims of the nine cards of an A4 page lie, upright, in millimetres from the upper left. Our own imposition
finds these places; `run.py` looks whether it still does."""
BLEED = (1.1, 2.65)
"""The bleed beside and above each of them: half of the gaps between them, in millimetres."""
TITLE = "Bench · Cards"
SETTINGS = "Leaf {leaf}, {side} · page {page} of {pages} · A4, print at 100 % on both sides, flip on the long edge"
INK, PAPER, RED = "#1d1a26", "#f7f1e3", "#a3432f"
PAW = [(5, 2, 10, 8), (2, 8, 4, 5), (6, 12, 4, 5), (11, 12, 4, 5), (15, 8, 4, 5)]
"""x, y, width and height of the ellipses of an icon, on a square of 20 with y upwards."""
FONTS = ("SourceSansPro", "SourceSerifProBold", "SourceSerifProBlack")

WORDS = ("claw", "moon", "alley", "roof", "lantern", "whisker", "shadow", "market")
WORDS += ("candle", "bell", "river", "tower", "cloak", "barrel", "feather")


def font_paths() -> dict[str, Path]:
    """The fonts by name, found without us, so that no peer has to wait for our imports."""
    found: dict[str, str] = {}
    for entry in entry_points(group="fonts_ttf"):
        found.update(entry.load())
    return {name: Path(found[name]) for name in FONTS}


def rows(count: int) -> list[dict[str, str]]:
    """Title, two sentences of rules and three numbers for each card."""
    made = []
    for i in range(count):
        word, other, third = (WORDS[(i * step + step) % len(WORDS)] for step in (1, 4, 7))
        made.append(
            {
                "id": f"card-{i}",
                "name": f"The {word.title()} of the {other.title()} {i}",
                "rules": f"When the {word} turns to the {third}, draw {i % 4 + 1} cards and keep one of them. "
                f"Then put a {other} beside the {third} of any player whose {word} is larger than yours.",
                "claw": str(i % 9 + 1),
                "will": str(i % 7 + 1),
                "points": str(i % 5),
            }
        )
    return made


def write(folder: Path, count: int) -> Path:
    """The deck as a game folder."""
    (folder / "faces").mkdir(parents=True)
    (folder / "game.yaml").write_text(f"""\
title: Bench
tagline: A deck to measure with
summary: A deck to measure with.
players: {{least: 1, most: 1}}
minutes: {{least: 1, most: 1}}
year: 2026
prefix: BE
rules-version: "1"
credits: [{{role: Design, name: Nobody}}]
palette: {{red: "#a3432f"}}
decks:
  - id: cards
    name: Cards
    kind: card
    file: cards.csv
    count: {count}
    stock: poker
    faces: {{front: card, back: back}}
    columns:
      rules: {{type: text, label: rules}}
      claw: {{type: whole, label: claw}}
      will: {{type: whole, label: will}}
      points: {{type: whole, label: points}}
""")
    table = ["id,name,rules,claw,will,points"]
    table += [f'{r["id"]},{r["name"]},"{r["rules"]}",{r["claw"]},{r["will"]},{r["points"]}' for r in rows(count)]
    (folder / "cards.csv").write_text("\n".join(table))
    (folder / "rules.yaml").write_text("sections: [{id: a, title: A, rules: [{id: BE-1, title: A, text: A.}]}]")
    (folder / "faces" / "card.svg.j2").write_text(CARD)
    (folder / "faces" / "back.svg.j2").write_text(BACK)
    return folder


CARD = """\
{% extends "base/face.svg.j2" %}
{% block art %}
<rect x="3" y="3" width="57" height="82" rx="3" fill="none" stroke="#1d1a26" stroke-width="0.6"/>
{{ icon(["paw", "moon", "star", "house", "eye", "claw"][card.claw % 6], 21.5, 20, 20, palette.red) }}
{% endblock %}
{% block words %}
<textbox name="name" x="5" y="5" width="53" height="12" font="SourceSerifProBold" size="12">{{ card.name }}</textbox>
<textbox name="rules" x="5" y="46" width="53" height="26" size="8">{{ card.rules }}</textbox>
{% for value in [card.claw, card.will, card.points] %}
{% set x = 12 + loop.index0 * 20 %}
<text x="{{ x }}" y="81" font-family="SourceSerifProBlack" font-size="6" fill="{{ ink }}">{{ value }}</text>
{% endfor %}
{% endblock %}
"""

BACK = """\
{% extends "base/face.svg.j2" %}
{% block art %}
{% for row in range(9) %}{% for column in range(6) %}
{{ icon("paw", 4 + column * 9.4, 4 + row * 9.1, 6, palette.red) }}
{% endfor %}{% endfor %}
{% endblock %}
"""
