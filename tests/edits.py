"""A small game with everything that a build reads, and edits of it: for tests of what a build takes over.

The game is played by the engine of Were Kittens. Its files are plain data here: an edit changes a value, and all files
are written again. Templates read cells in different ways, and cells, names, texts and templates change in turn.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

Data = dict[str, Any]
"""The files of the game by name: tables as lists of rows, YAML as data, everything else as text."""

PLAIN = """\
{% extends "base/face.svg.j2" %}
{% block words %}
<textbox name="name" x="5" y="5" width="53" height="10" size="12">{{ card.name }}</textbox>
<textbox name="text" x="5" y="20" width="53" height="40" size="8">{{ card.text }}</textbox>
{% if card.sign %}{{ icon(card.sign, 5, 65, 8, palette.copper) }}{% endif %}
<text x="40" y="70" font-family="SourceSansPro" font-size="5" fill="{{ ink }}">{{ card.power }}</text>
{% endblock %}
"""
BACK = """\
{% extends "base/face.svg.j2" %}
{% block words %}
<image href="art/moon.svg" x="10" y="10" width="20" height="20"/>
<textbox name="title" x="5" y="40" width="53" height="20" size="12">{{ game.title }}</textbox>
{% endblock %}
"""
COIN = """\
{% extends "base/face.svg.j2" %}
{% block art %}<circle cx="9" cy="9" r="7" fill="{{ palette[card.metal] }}"/>{% endblock %}
{% block words %}
{% if side == "front" %}
<text x="7" y="11" font-family="FredokaOne" font-size="6" fill="{{ ink }}">{{ card.value }}</text>
{% else %}<circle cx="9" cy="9" r="3" fill="{{ ink }}"/>{% endif %}
{% endblock %}
"""
COVER = """\
{% extends "base/face.svg.j2" %}
{% block art %}
<rect x="0" y="0" width="120" height="90" fill="{{ palette.night if inks == "full" else "#ffffff" }}"/>
{% for row in decks.cards if row.sign %}
<circle cx="{{ 20 + 20 * loop.index }}" cy="40" r="{{ row.power }}" fill="{{ moon }}" stroke="{{ ink }}"/>
{% endfor %}
{% endblock %}
"""
TABLE = """\
{% extends "base/face.svg.j2" %}
{% macro heap(coins, y) %}
{% for kind in decks["coins"]|selectattr("cat_claw") if coins.get(kind.id) %}
{{ one(kind, 20 + 20 * loop.index, y) }}
<text x="{{ 24 + 20 * loop.index }}" y="{{ y }}" font-family="FredokaOne" font-size="4">{{ coins[kind.id] }}</text>
{% endfor %}
{% endmacro %}
{% macro one(kind, x, y) %}
{% set fill = palette[kind.metal] if inks != "mono" else "#ffffff" %}
<circle cx="{{ x }}" cy="{{ y }}" r="3" fill="{{ fill }}" stroke="{{ ink }}"/>
{% endmacro %}
{% block art %}
<rect x="0" y="0" width="120" height="{{ stock.height }}" fill="#ffffff"/>
{{ heap(position.city, 10) }}{{ heap(position.supply, 20) }}
{% for name, seat in position.seats.items() if name in shown %}
{{ heap(seat.hand, 40 + 30 * loop.index0) }}
{% for space, cat in seat.cats.items() %}
{% set kind = decks.coins|selectattr("id", "equalto", cat|replace(" tails", ""))|first %}
<g fill="{{ ink }}" font-family="FredokaOne" font-size="5">
<text x="{{ 10 + 12 * (space|int) }}" y="{{ 50 + 30 * loop.index0 }}">{{ kind.value }}</text>
</g>
{% endfor %}
<textbox name="{{ name }}" x="2" y="{{ 30 + 30 * loop.index0 }}" width="40" height="8" size="9">
{{ name }}: [[penny]]
</textbox>
{% endfor %}
{% if position.phase == "acting" %}{{ heap({"dime": decks.cards|sum(attribute="power")}, 25) }}{% endif %}
{% endblock %}
"""
MOON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4" fill="#223344"/></svg>'
PAW = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/></svg>'
COINS = """\
id,name,count,stock,cat-claw,villager-claw,make-base,cat-points,start-space,value,metal,alt,back-alt
penny,Penny,10,penny,3,1,11,2,6,1,copper,A kitten awake.,A kitten asleep.
nickel,Nickel,6,nickel,2,2,10,3,5,5,nickel,A kitten with a split ear.,A kitten asleep.
dime,Dime,6,dime,1,3,9,2,4,10,silver,A kitten with tufted ears.,A kitten asleep.
quarter,Quarter,1,quarter,,,,,,25,silver,A kitten in the arm of a moon.,
"""
CARDS = """\
id,name,count,power,sign,text,alt
owl,Owl,2,3,paw,See [[penny]] and :paw: [[=cat]].,An owl.
bat,Bat,1,5,,{if sign|It is signed.}{if not sign|No sign.},
fox,Fox,1,4,moon,**Red** like [[dime]].,
"""

NUMBERS = ("cat-claw", "villager-claw", "make-base", "cat-points", "start-space")


def law(id_: str, title: str, text: str, **more: Any) -> Data:
    return {"id": id_, "title": title, "text": text, "summary": f"{title}, in short.", **more}


def game() -> Data:
    """The game before any edit."""
    columns = {name: {"type": "whole", "label": name, "least": 0, "optional": True} for name in NUMBERS}
    columns["value"] = {"type": "whole", "label": "value", "shown": False}
    columns["metal"] = {"type": "choice", "label": "metal", "choices": ["copper", "nickel", "silver"], "shown": False}
    more = {
        "power": {"type": "whole", "label": "power", "least": 1, "most": 9},
        "sign": {"type": "text", "label": "sign", "optional": True, "shown": False},
        "text": {"type": "text", "label": "text"},
    }
    begun = {"seats": {"Ada": {"cats": {"6": "penny"}}, "Basil": {"cats": {"5": "nickel"}}}}
    play = [{"Ada": "penny"}, {"Basil": "dime"}, {"say": "They begin."}, {"Ada": "place penny eat, done first"}]
    return {
        "game.yaml": {
            "title": "Yard", "tagline": "A game for edits", "summary": "Cats.", "draft": True, "engine": "were-kittens",
            "faces": "werecats",
            "players": {"least": 2, "most": 3}, "minutes": {"least": 5, "most": 9}, "year": 2026, "prefix": "WK",
            "rules-version": "1", "credits": [{"role": "Design", "name": "Nobody"}],
            "palette": {"copper": "#b5622d", "nickel": "#7f929c", "silver": "#b9c2cc", "night": "#22304a"},
            "styles": {"loud": {"bold": True}},
            "decks": [
                {"id": "coins", "name": "Coins", "kind": "coin", "file": "coins.csv", "columns": columns, "apart": [],
                 "faces": {"front": "coin", "back": "coin"}},
                {"id": "cards", "name": "Cards", "file": "cards.csv", "columns": more, "stock": "poker", "apart": [],
                 "faces": {"front": "plain", "back": "back"}},
            ],
        },
        "coins.csv": list(csv.DictReader(io.StringIO(COINS))),
        "cards.csv": list(csv.DictReader(io.StringIO(CARDS))),
        "faces/plain.svg.j2": PLAIN, "faces/back.svg.j2": BACK, "faces/coin.svg.j2": COIN,
        "faces/cover.svg.j2": COVER, "faces/table.svg.j2": TABLE,
        "icons/paw.svg": PAW, "icons/moon.svg": PAW, "art/moon.svg": MOON,
        "rules.yaml": {"sections": [
            {"id": "play", "title": "Play", "intro": "How to play.", "rules": [
                law("WK-ACT-2", "Take a victim", "Take a [[penny]], if the claw is enough."),
                law("WK-ACT-4", "Make a cat", "Make a [[=cat]] of a coin ([[WK-ACT-2]])."),
                law("WK-SETUP-4", "Pennies", "A [[penny|copper coin]] begins on space 6."),
            ]},
            {"id": "end", "title": "The end", "rules": [
                law("WK-END-1", "Over", "Count, {loud|loudly}. An [[owl]] helps."),
                law("WK-SCORE-1", "Cats", "Every cat counts. {if low|In grey.}"),
            ]},
        ]},
        "rulings.yaml": {"rulings": [
            {"id": "WK-AMB-4", "title": "A full space", "question": "May two share?", "ruling": "No ([[WK-ACT-4]]).",
             "rules": ["WK-ACT-4"]},
        ]},
        "terms.yaml": {"terms": [
            {"id": "cat", "name": "cat", "text": "A coin on a space."},
            {"id": "yard", "name": "yard", "text": "Where a [[=cat]] is."},
        ]},
        "examples/all.yaml": {"examples": [
            {"id": "WK-EX-1", "title": "Enough", "question": "Is it?", "rules": ["WK-ACT-2"], "kind": "boundary",
             "text": "Ada's cat is strong.", "given": {"city": {"nickel": 1, "dime": 1}, **deepcopy(begun)},
             "steps": [{"Basil": "take nickel"}], "expect": {"position": {"city": {"dime": 1}}}},
            {"id": "WK-EX-2", "title": "What cats give", "question": "How much?", "rules": ["WK-SCORE-1"],
             "kind": "scoring", "text": "Two cats.", "given": {"city": {"penny": 1}, **deepcopy(begun)},
             "expect": {"score": {"Ada": 2}}},
        ]},
        "playthroughs/one.yaml": {
            "id": "WK-PLAY-1", "title": "One night", "summary": "Two play.", "seats": ["Ada", "Basil"],
            "options": {"race": True}, "steps": play, "expect": {"position": {"quarter": "Ada"}},
        },
        "quick.yaml": {"quick": [
            {"id": "coins", "title": "The coins", "lines": [{"text": "Eat.", "rules": ["WK-ACT-2"]}],
             "table": {"of": "Coin", "heads": ["claw", "points"],
                       "rows": [{"deck": "coins", "columns": ["cat-claw", "cat-points"]}]}},
            {"id": "costs", "title": "Costs", "lines": [{"text": "Pay.", "rules": ["WK-ACT-4"]}],
             "table": {"engine": "costs"}},
        ]},
        "learn.yaml": {
            "about": "Every coin is somebody ([[WK-ACT-2]]).",
            "setup": {"position": {"of": "WK-PLAY-1", "after": 2}, "steps": ["Lay a mat ([[WK-SETUP-4]])."]},
            "round": ["**Take** something ([[WK-ACT-2]])."],
            "pieces": [{"piece": "owl", "title": "How to read an owl", "text": "It hoots ([[WK-END-1]]).",
                        "labels": [{"drawn": "Owl", "side": "left", "text": "Its name ([[WK-END-1]])."}]}],
        },
    }  # fmt: skip


def write(folder: Path, files: Data) -> None:
    """Write all files of the game, and remove others."""
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if path.relative_to(folder).as_posix() not in files:
            path.unlink()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_text(content), encoding="utf-8")


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return json.dumps(content, indent=1, ensure_ascii=False)  # JSON is YAML
    out = io.StringIO()
    rows = csv.DictWriter(out, list(content[0]) if content else ["id", "name"])
    rows.writeheader()
    rows.writerows(content)
    return out.getvalue()


# Edits

Edit = Callable[[Random, Data], None]


def number(rng: Random, files: Data) -> None:
    """Change a number that the engine knows. Most examples hold no more then, which a draft reports."""
    rng.choice(files["coins.csv"][:3])[rng.choice(NUMBERS)] = str(rng.randint(1, 9))


def value(rng: Random, files: Data) -> None:
    rng.choice(files["coins.csv"])["value"] = str(rng.randint(1, 99))


def metal(rng: Random, files: Data) -> None:
    rng.choice(files["coins.csv"])["metal"] = rng.choice(["copper", "nickel", "silver"])


def power(rng: Random, files: Data) -> None:
    rng.choice(files["cards.csv"])["power"] = str(rng.randint(1, 10))  # 10 is too much


def sign(rng: Random, files: Data) -> None:
    rng.choice(files["cards.csv"])["sign"] = rng.choice(["paw", "moon", "", "claw", "nothing"])


def words(rng: Random, files: Data) -> None:
    said = [
        "See [[penny]].",
        ":paw: and :moon:",
        "{loud|Hoot}",
        "[[=cat|Cats]] and [[fox]]",
        "{if sign|Yes.}",
        "[[no]]",
    ]
    rng.choice(files["cards.csv"])["text"] = f"{rng.choice(said)} {rng.randint(1, 9)}"


def name(rng: Random, files: Data) -> None:
    row = rng.choice(files[rng.choice(["coins.csv", "cards.csv"])])
    row["name"] = f"{row['name'].split()[0]} {rng.randint(2, 9)}"


def count(rng: Random, files: Data) -> None:
    rng.choice(files[rng.choice(["coins.csv", "cards.csv"])])["count"] = str(rng.randint(0, 9))


def alt(rng: Random, files: Data) -> None:
    row = rng.choice(files[rng.choice(["coins.csv", "cards.csv"])])
    row[rng.choice([one for one in row if one.endswith("alt")])] = rng.choice(["", "A picture.", "Another picture."])


def stock(rng: Random, files: Data) -> None:
    rng.choice(files["coins.csv"])["stock"] = rng.choice(["penny", "nickel", "dime", "quarter"])


def new_row(rng: Random, files: Data) -> None:
    rows = files["cards.csv"]
    rows.insert(rng.randrange(len(rows) + 1), {**rng.choice(rows), "id": f"hen-{rng.randint(1, 99)}", "name": "Hen"})


def less_row(rng: Random, files: Data) -> None:
    rows = files["cards.csv"]
    rows.remove(rng.choice(rows[1:] or rows))


def order_of_rows(rng: Random, files: Data) -> None:
    rng.shuffle(files[rng.choice(["coins.csv", "cards.csv"])])


def order_of_decks(rng: Random, files: Data) -> None:
    rng.shuffle(files["game.yaml"]["decks"])


def order_of_seats(rng: Random, files: Data) -> None:
    """The same position, written in another order."""
    given = rng.choice(files["examples/all.yaml"]["examples"])["given"]
    part = rng.choice([given["seats"], given["city"], given])
    items = list(part.items())
    rng.shuffle(items)
    part.clear()
    part.update(items)


def new_id(rng: Random, files: Data) -> None:
    """Rename a row that nothing needs to name, or one that texts do."""
    rng.choice(files["cards.csv"])["id"] = rng.choice(["crow", "fox", "owl", "bat", "rat"])


def colour(rng: Random, files: Data) -> None:
    palette = files["game.yaml"]["palette"]
    palette[rng.choice(list(palette))] = f"#{rng.randrange(1 << 24):06x}"


def order_of_colours(rng: Random, files: Data) -> None:
    palette = files["game.yaml"]["palette"]
    palette[key] = palette.pop(key := rng.choice(list(palette)))


def info(rng: Random, files: Data) -> None:
    key = rng.choice(["title", "tagline", "summary", "year", "rules-version"])
    said = {"year": rng.randint(2000, 2030), "rules-version": str(rng.randint(1, 9))}
    files["game.yaml"][key] = said.get(key, f"Yard {rng.randint(1, 99)}")


def deck(rng: Random, files: Data) -> None:
    one = rng.choice(files["game.yaml"]["decks"])
    columns = one["columns"]
    rng.choice([one, rng.choice(list(columns.values()))])[rng.choice(["name", "label"])] = f"Words {rng.randint(1, 99)}"


def table(rng: Random, files: Data) -> None:
    files["game.yaml"]["table"] = {"middle": rng.choice([30, 32]), "seat": rng.choice([30, 33])}


def rule(rng: Random, files: Data) -> None:
    one = rng.choice([one for part in files["rules.yaml"]["sections"] for one in part["rules"]])
    said = ["Take a [[dime]].", "See [[WK-END-1]] and [[WK-AMB-4]].", "A [[=yard]].", "{if mono|Black.}{if low|Grey.}"]
    key = rng.choice(["title", "text", "summary"])
    one[key] = f"{rng.choice(said) if key == 'text' else 'Rule'} {rng.randint(1, 9)}"


def section(rng: Random, files: Data) -> None:
    one = rng.choice(files["rules.yaml"]["sections"])
    one[rng.choice(["title", "intro"])] = f"About {rng.randint(1, 99)}"


def order_of_rules(rng: Random, files: Data) -> None:
    rng.shuffle(rng.choice(files["rules.yaml"]["sections"])["rules"])


def ruling(rng: Random, files: Data) -> None:
    files["rulings.yaml"]["rulings"][0][rng.choice(["title", "question", "ruling"])] = f"Words {rng.randint(1, 99)}?"


def term(rng: Random, files: Data) -> None:
    rng.choice(files["terms.yaml"]["terms"])[rng.choice(["name", "text"])] = f"cat {rng.randint(1, 99)}"


def example(rng: Random, files: Data) -> None:
    one = rng.choice(files["examples/all.yaml"]["examples"])
    if rng.random() < 0.5:
        one["given"]["city"][rng.choice(["penny", "nickel", "dime"])] = rng.randint(0, 3)
    else:
        one[rng.choice(["title", "text", "question"])] = f"Words {rng.randint(1, 99)}."


def playthrough(rng: Random, files: Data) -> None:
    play = files["playthroughs/one.yaml"]
    if rng.random() < 0.5:
        play["steps"] = [{"Ada": (one := rng.choice(["penny", "nickel"]))}, {"Basil": "dime"}, {"say": f"{one}s."}]
    else:
        play[rng.choice(["title", "summary"])] = f"Night {rng.randint(1, 99)}"


def quick(rng: Random, files: Data) -> None:
    one = rng.choice(files["quick.yaml"]["quick"])
    if rng.random() < 0.5:
        one["lines"][0]["text"] = f"Eat {rng.randint(1, 99)}."
    else:
        one["title"] = f"In short {rng.randint(1, 99)}"


def learn(rng: Random, files: Data) -> None:
    told = files["learn.yaml"]
    said = f"Words {rng.randint(1, 99)} ([[{rng.choice(['WK-ACT-4', 'WK-END-1'])}]])."
    if rng.random() < 0.5:
        told["about"] = said
    else:
        told["pieces"][0]["labels"][0] |= {"text": said, "drawn": rng.choice(["Owl", "3"])}


def icon(rng: Random, files: Data) -> None:
    which = rng.choice(["icons/paw.svg", "icons/moon.svg", "icons/eye.svg"])
    files[which] = PAW.replace('r="9"', f'r="{rng.randint(3, 11)}"')


def art(rng: Random, files: Data) -> None:
    files["art/moon.svg"] = MOON.replace("#223344", f"#{rng.randrange(1 << 24):06x}")


def template(rng: Random, files: Data) -> None:
    """Draw something else, in all inks or some, or read other cells; one of them does not exist."""
    which = rng.choice([one for one in files if one.startswith("faces/")])
    drawn = rng.choice(
        [
            f'<rect x="{rng.randint(1, 9)}" y="1" width="4" height="4" fill="{{{{ ink }}}}"/>',
            '{% if inks == "full" %}<rect x="2" y="1" width="4" height="4" fill="{{ moon }}"/>{% endif %}',
            '{% if inks == "mono" %}<rect x="2" y="1" width="4" height="4" fill="#000000"/>{% endif %}',
            '<circle cx="5" cy="5" r="{{ decks.coins|map(attribute="value")|sum / 99 }}" fill="{{ ink }}"/>',
            '<circle cx="5" cy="5" r="{{ decks.cards|length }}" fill="{{ ink }}"/>',
            '<circle cx="5" cy="5" r="{{ (decks.cards|sort(attribute="power")|last).power }}" fill="{{ ink }}"/>',
            '{% for key, cell in decks.cards[0].items() if key == "power" %}<rect x="{{ cell }}" y="5" width="2" '
            'height="2" fill="{{ ink }}"/>{% endfor %}',
            '<rect x="3" y="5" width="{{ icons|length }}" height="2" fill="{{ ink }}"/>',
            '<text x="2" y="9" font-family="FredokaOne" font-size="3" fill="{{ ink }}">{{ game.title }}</text>',
            "{{ decks.coins[0].nothing }}",
        ]
    )
    begun = files[which].split("{# more #}")[0].removesuffix("{% endblock %}\n")
    files[which] = f"{begun}{{# more #}}{drawn}{{% endblock %}}\n"


def own_template(rng: Random, files: Data) -> None:
    """Remove a template: the table is not drawn then, the cover has pieces, or a face is missing. Or bring it back."""
    which = rng.choice(["faces/table.svg.j2", "faces/cover.svg.j2"])
    if files.pop(which, None) is None:
        files[which] = game()[which]


EDITS: tuple[Edit, ...] = (
    number, value, metal, power, sign, words, name, count, alt, stock, new_row, less_row, order_of_rows, order_of_decks,
    order_of_seats, new_id, colour, order_of_colours, info, deck, table, rule, section, order_of_rules, ruling, term,
    example, playthrough, quick, learn, icon, art, template, template, own_template,
)  # fmt: skip


def edited(rng: Random, files: Data, edit: Edit) -> Data:
    """Return the files after an edit."""
    after = deepcopy(files)
    edit(rng, after)
    return after
