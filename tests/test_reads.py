"""What a template reads of the components is noted, in whatever way it reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from games_for_tests import write_game
from jinja2 import TemplateNotFound

from grimalkin.content import load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.face import Composer
from grimalkin.printing.face.templating.reads import WHOLE, WORDS, Reads, Row, Standing
from grimalkin.printing.face.templating.sandbox import Sandbox
from grimalkin.problems import Problems
from grimalkin.source.reuse import Reuse
from grimalkin.source.tables import Number

OWL = {"id": "owl", "name": "Owl", "count": 1, "deck": "cards", "power": 7, "mood": "calm"}
BAT = {**OWL, "id": "bat", "name": "Bat", "power": 2}
BOTH = {"owl", "bat"}
USED = """\
{% macro strength(row) %}{{ row.power }}{% endmacro %}
{% macro named(row) %}{{ row.name }}{{ caller() }}{% endmacro %}
"""


def read_by(template: str, folder: Path, **files: str) -> dict[str, set[str]]:
    """The columns that a template reads, by the ids of the rows. It knows two cards, and the first as `card`."""
    reads = Reads()
    rows = [Row(values, reads) for values in (OWL, BAT)]
    for name, text in {"face": template, **files}.items():
        (folder / f"{name}.j2").write_text(text)
    sandbox = Sandbox([folder], True)
    sandbox.budget.rows = frozenset(map(id, rows))
    with reads.noted() as found:
        sandbox.render("face.j2", {"card": rows[0], "decks": {"cards": rows}, "column": "power"})

    assert found.cells == reads.cells

    columns: dict[str, set[str]] = {}
    for id_, column in found.cells:
        columns.setdefault(id_, set()).add(column)
    return columns


@pytest.mark.parametrize(
    "template",
    [
        "{{ card.power }}",
        "{{ card['power'] }}",
        "{{ card[column] }}",
        "{{ card.get('power') }}",
        "{{ card.get('pow' ~ 'er', 1) }}",
        "{% if card.power %}{% endif %}",
        "{% if card.power is defined %}{% endif %}",
        "{% set other = card %}{{ other.power }}",
        "{% set ns = namespace(row=card) %}{{ ns.row.power }}",
        "{% with row = card %}{{ row.power }}{% endwith %}",
        "{{ {'one': card}.one.power }}",
        "{{ [card][0].power }}",
        "{{ ([card] + [])[0].power }}",
        "{{ [card]|map(attribute='power')|join }}",
        "{{ [card]|map('default', 'x')|map(attribute='power')|first }}",
        "{{ [card]|sum(attribute='power') }}",
        "{{ [card]|join('', attribute='power') }}",
        "{{ ([card]|max(attribute='power')).power }}",
        "{% for row in [card]|selectattr('power') %}{% endfor %}",
        "{% for row in [card]|selectattr('power', 'gt', 2) %}{% endfor %}",
        "{% for row in [card]|rejectattr('power') %}{% endfor %}",
        "{% for row in [card]|sort(attribute='power') %}{% endfor %}",
        "{% for group in [card]|groupby('power') %}{{ group.grouper }}{% endfor %}",
        "{% for row in [card]|unique(attribute='power') %}{% endfor %}",
        "{% for row in [card] if row.power %}{% endfor %}",
        "{% for row in [card] %}{% if loop.changed(row.power) %}{% endif %}{% endfor %}",
        "{% from 'used.j2' import strength %}{{ strength(card) }}",
        "{% import 'used.j2' as used %}{{ used.strength(card) }}",
        "{% macro own(row=card) %}{{ row.power }}{% endmacro %}{{ own() }}",
        "{% macro own() %}{{ varargs[0].power }}{% endmacro %}{{ own(card) }}",
        "{% macro own() %}{{ kwargs.row.power }}{% endmacro %}{{ own(row=card) }}",
        "{% include 'part.j2' %}",
        "{% extends 'frame.j2' %}{% block words %}{{ card.power }}{% endblock %}",
        "{% extends 'frame.j2' %}{% block words %}{{ super() }}{% endblock %}",
    ],
)
def test_a_cell_that_is_read_is_noted(template: str, tmp_path: Path) -> None:
    """That one, and no other. The name of a method might be that of a column."""
    frame = "{% block words %}{{ card.power }}{% endblock %}"
    found = read_by(template, tmp_path, used=USED, part="{{ card.power }}", frame=frame)

    assert ["owl"] == list(found)
    assert {"power"} == found["owl"] - {"get"}


@pytest.mark.parametrize(
    ("template", "rows"),
    [
        ("{% for column in card %}{% endfor %}", {"owl"}),
        ("{% for column, cell in card.items() %}{% endfor %}", {"owl"}),
        ("{% for column, cell in card|items %}{% endfor %}", {"owl"}),
        ("{% for column, cell in card|dictsort %}{% endfor %}", {"owl"}),
        ("{{ card.values()|length }}", {"owl"}),
        ("{{ card.keys()|first }}", {"owl"}),
        ("{{ card|list|join }}", {"owl"}),
        ("{{ card|first }}", {"owl"}),
        ("{{ card|max }}", {"owl"}),
        ("{{ card|join }}", {"owl"}),
        ("{{ dict(card).power }}", {"owl"}),
        ("{{ dict(card, name='x').power }}", {"owl"}),
        ("{{ dict(**card).power }}", {"owl"}),
        ("{{ namespace(**card).power }}", {"owl"}),
        ("{% macro own() %}{{ kwargs.power }}{% endmacro %}{{ own(**card) }}", {"owl"}),
        ("{% if 'power' in card %}{% endif %}", {"owl"}),
        ("{% if 'no' not in card %}{% endif %}", {"owl"}),
        ("{% if decks.cards[1] == card %}{% endif %}", BOTH),
        ("{% if decks.cards[1] != card %}{% endif %}", BOTH),
        ("{% if {'power': 7} == card %}{% endif %}", {"owl"}),
        ("{% if card == {'power': 7} %}{% endif %}", {"owl"}),
        ("{% if decks.cards[1] in [card] %}{% endif %}", BOTH),
        ("{% if [card] == [decks.cards[1]] %}{% endif %}", BOTH),
        ("{% if card is eq(decks.cards[1]) %}{% endif %}", BOTH),
        ("{% for row in decks.cards %}{% if loop.changed(row) %}{% endif %}{% endfor %}", BOTH),
        ("{% for row in decks.cards|select('equalto', decks.cards[1]) %}{% endfor %}", BOTH),
        ("{% for group in decks.cards|groupby('id') if group.list[0] == decks.cards[1] %}{% endfor %}", BOTH),
    ],
)
def test_who_reads_the_whole_row_is_noted(template: str, rows: set[str], tmp_path: Path) -> None:
    """Or compares it, or asks whether it has a column."""
    found = read_by(template, tmp_path)

    assert rows == {id_ for id_, columns in found.items() if WHOLE in columns}


@pytest.mark.parametrize(
    "template", ["{{ decks.cards|length }}", "{% for row in decks.cards %}x{% endfor %}", "{% if card %}{% endif %}"]
)
def test_to_count_rows_reads_none(template: str, tmp_path: Path) -> None:
    """The order of a deck is noted with its name."""
    assert {} == read_by(template, tmp_path)


@pytest.mark.parametrize("name", [".part.j2", ".parts/part.j2", "parts/.part.j2"])
def test_a_hidden_file_is_no_template(name: str, tmp_path: Path) -> None:
    """It counts for no digest of a game's files."""
    for folder in (".parts", "parts"):
        (tmp_path / folder).mkdir()

    with pytest.raises(TemplateNotFound):
        read_by(f"{{% include '{name}' %}}", tmp_path, **{name.removesuffix(".j2"): "words"})


def test_each_block_has_its_own_notes() -> None:
    """What is read inside counts for both, and what was read before for neither."""
    reads = Reads()
    row = Row(OWL, reads)
    row["mood"]
    with reads.noted() as outer:
        row["name"]
        with reads.noted() as inner:
            row["power"]
        row["count"]
    row["deck"]

    assert {("owl", "power")} == inner.cells
    assert {("owl", column) for column in ("name", "power", "count")} == outer.cells
    assert {("owl", column) for column in ("mood", "name", "power", "count", "deck")} == reads.cells


def test_notes_are_kept_if_a_template_fails() -> None:
    reads = Reads()
    with pytest.raises(KeyError), reads.noted() as found:
        Row(OWL, reads)["nothing"]

    assert {("owl", "nothing")} == found.cells == reads.cells


# What a composer notes


def composer(folder: Path, **changes: str) -> Composer:
    problems = Problems()
    game = load_game(write_game(folder / "tiny", **changes), problems)

    assert game is not None and not problems, list(problems)
    return Composer(game, load_stocks(game.folder, problems), problems)


def face_reads(folder: Path, words: str) -> Reads:
    """What is read for the front of the owl, which draws these words in a text box."""
    box = f'<textbox name="name" x="5" y="5" width="53" height="10" size="9">{words}</textbox>'
    face = f'{{% extends "base/face.svg.j2" %}}{{% block words %}}{box}{{% endblock %}}'
    made = composer(folder, **{"faces/plain.svg.j2": face})
    deck, row = made.game.info.decks[0], made.game.by_id["owl"]
    with made.reads.noted() as found:
        front, _ = made.faces(deck, row)

    assert front is not None, list(made.problems)
    return found


def test_names_are_noted(tmp_path: Path) -> None:
    """Those that the template looks up, and those of what it extends."""
    found = face_reads(tmp_path, "{{ game.title }}{{ decks.cards[0].name }}")

    assert {"game", "decks", "inks", "paper", "stock"} <= found.names
    assert not {"palette", "maps", "icons", WORDS} & found.names
    assert {("mouse", "name"), ("owl", "deck")} == found.cells


@pytest.mark.parametrize("words", ["[[mouse]]", "{{ '[[mouse]]' }}", "{{ '&#91;[mouse]]'|safe }}", "&#91;&#91;mouse]]"])
def test_words_behind_references_are_noted(words: str, tmp_path: Path) -> None:
    """The name of another component may stand in a text without the template knowing of it."""
    assert WORDS in face_reads(tmp_path, words).names


def test_what_a_text_asks_is_noted(tmp_path: Path) -> None:
    """The text is in a cell, and asks whether another cell is filled."""
    assert ("owl", WHOLE) in face_reads(tmp_path, "{if mood|Moody.}").cells


def test_a_face_that_is_the_same_for_all_cards_is_noted_each_time(tmp_path: Path) -> None:
    """It is composed only once."""
    face = '{% extends "base/face.svg.j2" %}{% block words %}<circle cx="9" cy="9" r="{{ decks.cards[0].power }}"/>'
    made = composer(tmp_path, **{"faces/plain.svg.j2": face + "{% endblock %}"})
    deck = made.game.info.decks[0]
    for id_ in ("owl", "mouse"):
        with made.reads.noted() as found:
            made.faces(deck, made.game.by_id[id_])

        assert ("mouse", "power") in found.cells
        assert "decks" in found.names


# What still stands


SHARED = {"game": {"title": "Tiny"}, "palette": {"red": "#f00", "blue": "#00f"}, WORDS: {"owl": "Owl"}}


def stands(
    template: str,
    folder: Path,
    rows: list[dict[str, Any]],
    shared: dict[str, Any],
    before: list[dict[str, Any]] = [OWL, BAT],  # noqa: B006  # nobody changes it
) -> bool:
    """Whether a result still stands that read this of the rows before, now that there are these rows and names."""
    (folder / "face.j2").write_text(template)

    def standing(rows: list[dict[str, Any]], shared: dict[str, Any], reuse: Reuse) -> tuple[Standing, Reads]:
        reads = Reads()
        deck = [Row(row, reads) for row in rows]
        names = {**shared, "decks": {"cards": deck}}
        sandbox = Sandbox([folder], True)
        sandbox.render("face.j2", names)
        reads.names |= sandbox.asked
        return Standing(reuse, {row.id: row for row in deck}, names), reads

    reuse = Reuse()
    first, reads = standing(before, SHARED, reuse)
    first.note("key", reads, {"made": 1})
    again, _ = standing(rows, shared, Reuse(reuse.used))
    found = again.find("key")

    assert found is None or 1 == found["made"]
    assert again.reuse.used == ({} if found is None else reuse.used)
    return found is not None


def test_a_number_that_is_spelled_differently_is_another(tmp_path: Path) -> None:
    """Templates print numbers as they are spelled."""
    template = "{{ decks.cards[0].power }}"
    one, other = ([{**OWL, "power": Number(0.5, spelling)}, BAT] for spelling in ("50%", "0.5"))

    assert stands(template, tmp_path, one, SHARED, one)
    assert not stands(template, tmp_path, other, SHARED, one)


@pytest.mark.parametrize(
    ("template", "rows", "shared", "is_so"),
    [
        ("{{ decks.cards[0].power }}", [OWL, BAT], {}, True),
        ("{{ decks.cards[0].power }}", [{**OWL, "mood": "cross"}, {**BAT, "power": 3}], {}, True),
        ("{{ decks.cards[0].power }}", [{**OWL, "power": 3}, BAT], {}, False),
        ("{{ decks.cards[0].power }}", [{**OWL, "power": "7"}, BAT], {}, False),
        ("{{ decks.cards[0].power }}", [{**OWL, "power": None}, BAT], {}, False),
        ("{{ decks.cards[0].power }}", [{**OWL, "power": Number(7, "7.0")}, BAT], {}, False),
        ("{{ decks.cards[0].power }}", [BAT, OWL], {}, False),
        ("{{ decks.cards[0].power }}", [OWL, BAT, {**BAT, "id": "cat"}], {}, False),
        ("{{ decks.cards[0].get('hat', 1) }}", [OWL, BAT], {}, True),
        ("{{ decks.cards[0].get('hat', 1) }}", [{**OWL, "hat": "cap"}, BAT], {}, False),
        ("{{ decks.cards[0].get('hat', 1) }}", [{**OWL, "hat": None}, BAT], {}, False),
        ("{% for c in decks.cards[0] %}{% endfor %}", [{**OWL, "mood": "cross"}, BAT], {}, False),
        ("{% for c in decks.cards[0] %}{% endfor %}", [OWL, {**BAT, "mood": "cross"}], {}, True),
        ("{{ game.title }}", [BAT], {"palette": {}}, True),
        ("{{ game.title }}", [OWL, BAT], {"game": {"title": "Small"}}, False),
        ("{% for name in palette %}{% endfor %}", [OWL, BAT], {"palette": {"blue": "#00f", "red": "#f00"}}, False),
        ("{% if cover is defined %}{% endif %}", [OWL, BAT], {}, True),
        ("{% if cover is defined %}{% endif %}", [OWL, BAT], {"cover": None}, False),
    ],
)
def test_a_result_stands_as_long_as_what_it_read(
    template: str, rows: list[dict[str, Any]], shared: dict[str, Any], is_so: bool, tmp_path: Path
) -> None:
    assert is_so == stands(template, tmp_path, rows, {**SHARED, **shared})
