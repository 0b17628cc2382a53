"""The sandbox of templates: all work is paid for before it is done, and only what has a text is written."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import pytest
from games_for_tests import FILES, write_game
from jinja2 import TemplateError
from test_face import compose, face_problems, with_words

from grimalkin.content import load_game
from grimalkin.face.sandbox import MOST_TURNS, TEXT_METHODS, Sandbox, TooMuch, Values, Watched
from grimalkin.problems import Problems

NESTED = "{% set s = namespace(l=[1], m=[1]) %}{% for i in range(60) %}{% set s.l = [s.l, s.l] %}{% endfor %}"
LONG = '{% set l = "a".ljust(1900000, "a") %}'
MANY = "{% set l = range(90000)|list %}"
OFTEN = "{% for i in range(90000) %}"


def render(folder: Path, template: str) -> str:
    """What a template writes for an owl of strength 7 out of a deck of 3."""
    folder.mkdir(exist_ok=True)
    (folder / "t.svg").write_text(template)
    rows = [Values({"id": f"c{n}", "items": n, "copy": "twice"}) for n in range(3)]
    card = Watched({"id": "owl", "name": "Owl & Co", "power": 7, "items": "a bell"})
    return Sandbox([folder], True).render("t.svg", {"card": card, "decks": {"cards": rows}, "x": 0})


@pytest.mark.parametrize(
    "template",
    [
        # Texts that grow
        '{{ "x".ljust(600000000) }}',
        '{{ "x".rjust(600000000) }}',
        '{{ "x".center(600000000) }}',
        '{{ "x".zfill(600000000) }}',
        '{{ "x".ljust(10000000000) }}',
        '{{ (["x"]|map(attribute="ljust")|first)(600000000) }}',
        '{{ "{:>500000000}".format(1) }}',
        '{{ "{:.500000000f}".format(1.5) }}',
        '{{ "{:{}}".format(1, 500000000) }}',
        '{{ ("<b>{:>500000000}"|safe).format(1) }}',
        LONG + '{{ "{0}{0}{0}{0}".format(l) }}',
        LONG + '{{ "{0!r}{0!r}{0!r}{0!r}".format(l) }}',
        '{{ range(100000)|join("x".ljust(10000)) }}',
        '{{ "x".ljust(10000).join(range(20000)|map("string")) }}',
        '{{ ("x".ljust(10000)|safe).join(range(20000)|map("string")) }}',
        '{{ "aaaaaaaaaa".ljust(4000, "a")|replace("a", "b".ljust(4000)) }}',
        '{{ "aaaaaaaaaa".ljust(4000, "a").replace("a", "b".ljust(4000)) }}',
        '{{ "".ljust(9000).replace("", "b".ljust(4000)) }}',
        LONG + "{{ l ~ l ~ l }}",
        LONG + "{{ (l + l)|length }}",
        LONG + '{{ l.replace("a", "&")|e|length }}',
        '{{ "ab" * 1000000000 }}',
        "{{ ([1] * 1000000000)|length }}",
        '{{ "%900000000d" % 5 }}',
        "{% macro m() %}" + OFTEN + "yyyyyyyyyy" * 30 + "{% endfor %}{% endmacro %}{% set q = m() %}",
        "{% set q %}" + OFTEN + "yyyyyyyyyy" * 30 + "{% endfor %}{% endset %}",
        "{% filter upper %}" + OFTEN + "yyyyyyyyyy" * 30 + "{% endfor %}{% endfilter %}",
        # Texts that are kept
        "{% set s = namespace(l=[]) %}" + LONG + OFTEN + "{% set s.l = s.l + [l ~ i] %}{% endfor %}",
        LONG + '{{ l.split("a")|length }}',
        # Numbers that grow
        "{% set s = namespace(n=3) %}" + OFTEN + "{% set s.n = s.n + s.n %}{% endfor %}",
        "{% set s = namespace(n=3) %}" + OFTEN + "{% set s.n = s.n * 9999 %}{% endfor %}",
        "{{ 10 ** 10 ** 10 }}",
        "{{ 5|round(-1000000000) }}",
        '{{ 1|round(1000000000, "ceil") }}',
        '{{ "f".ljust(1000000, "f")|int(0, 16) }}',
        # Filters and comparisons that read many items
        '{% for i in range(300) %}{{ range(100000)|map("string")|sort|first }}{% endfor %}',
        "{% for i in range(300) %}{{ range(100000)|reverse|first }}{% endfor %}",
        "{% for i in range(300) %}{{ range(100000)|max }}{% endfor %}",
        "{% for i in range(300) %}{{ range(100000)|unique|list|length }}{% endfor %}",
        MANY + OFTEN + "{% if -1 in l %}{% endif %}{% endfor %}",
        MANY + OFTEN + "{% if -1 is in(l) %}{% endif %}{% endfor %}",
        MANY + OFTEN + "{{ l.count(-1) }}{% endfor %}",
        MANY + OFTEN + "{{ loop.changed(l) }}{% endfor %}",
        MANY + OFTEN + "{{ l[::-1]|length }}{% endfor %}",
        LONG + OFTEN + '{% if "b" in l %}{% endif %}{% endfor %}',
        LONG + OFTEN + "{% set m = l[1:] %}{% endfor %}",
        LONG + '{{ l.rfind("b" ~ l[:900000]) }}',
        LONG + '{{ l.strip("b".ljust(900000, "c")) }}',
        LONG + '{{ l|trim("b".ljust(900000, "c")) }}',
        # Lists within lists: short to write, endless to read
        NESTED + "{{ s.l }}",
        NESTED + "{{ s.l|string|length }}",
        NESTED + "{{ s.l ~ 1 }}",
        NESTED + '{{ "{}".format(s.l) }}',
        NESTED + "{{ [s.l]|join }}",
        NESTED + "{{ [s.l]|unique|list|length }}",
        NESTED + "{{ s.l == [s.l] }}",
        # Work without a call
        OFTEN + "{% if x %}{% endif %}" * 2000 + "{% endfor %}",
        "{% macro m() %}" + "{% if x %}{% endif %}" * 2000 + "{% endmacro %}" + OFTEN + "{% set q = m() %}{% endfor %}",
        "{% set n = [n] if n is defined else [0] %}{% if n|string|length < 60 %}"
        + '{% include "t.svg" %}' * 2
        + "{% endif %}",
        "{% for x in range(3) recursive %}{{ loop(range(100000)) }}{% endfor %}",
        OFTEN + '{% set q = [-100000]|map("*charge")|list %}{% endfor %}',
        "{# " + "x" * 2_000_000 + " #}",
    ],
)
def test_templates_are_stopped_before_the_work_is_done(tmp_path: Path, template: str) -> None:
    """Within a second or two and a hundred megabytes, whatever they would have taken."""
    tracemalloc.start()
    begin = time.process_time()
    with pytest.raises(TooMuch):
        render(tmp_path, template)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert time.process_time() - begin < 5
    assert most < 100_000_000


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("{{ card }}", "a whole card is not a text; write one of its columns, as in card.name"),
        ("{{ card|string }}", "a whole card is not a text"),
        ("{{ card|upper }}", "a whole card is not a text"),
        ('{{ card ~ "" }}', "a whole card is not a text"),
        ("{{ [card] }}", "a whole card is not a text"),
        ("{{ [card]|join }}", "a whole card is not a text"),
        ('{{ "".join([card]) }}', "a whole card is not a text"),
        ('{{ "{}".format(card) }}', "a whole card is not a text"),
        ('{{ "{!r}".format(card) }}', "a whole card is not a text"),
        ("{{ decks.cards }}", "a whole card is not a text"),
        ("{{ decks.cards[0]|string }}", "a whole card is not a text"),
        ("{{ card.name.upper }}", "a function is not a text; call it with ()"),
        ("{{ decks.cards[0].get }}", "a function is not a text; call it with ()"),
        ('{{ "x".upper }}', "a function is not a text; call it with ()"),
        ("{{ card.name.upper|string }}", "a function is not a text; call it with ()"),
        ("{% macro m() %}{% endmacro %}{{ m }}", "a function is not a text; call it with ()"),
        ("{{ card.items }}{{ card.keys() }}", "items that are not joined are not a text; add |join or |list"),
        ("{{ range(3) }}", "items that are not joined are not a text"),
        ('{{ range(3)|map("string") }}', "items that are not joined are not a text"),
        ("{{ namespace() }}", "this is not a text"),
        ("{{ [[1], [2]]|sum(start=[]) }}", "sum adds numbers"),
        ("{{ card.seen }}", "has no attribute 'seen'"),
        ('{{ "x".translate({120: "y"}) }}', "has no attribute 'translate'"),
        ('{{ "{x:>9}".format_map({"x": 1}) }}', "has no attribute 'format_map'"),
        ('{{ "x".expandtabs(9999999) }}', "has no attribute 'expandtabs'"),
        ('{{ "x"["encode"]() }}', "has no attribute 'encode'"),
        ('{{ (1).to_bytes(1000000000, "big") }}', "has no attribute 'to_bytes'"),
        ("{{ dict.fromkeys([1]) }}", "has no attribute 'fromkeys'"),
        ('{{ ("<"|safe).striptags() }}', "has no attribute 'striptags'"),
    ],
)
def test_what_has_no_text_is_not_written(tmp_path: Path, template: str, told: str) -> None:
    """An address in the memory on a card is another one at each build."""
    with pytest.raises(TemplateError) as error:
        render(tmp_path, template)

    assert told in str(error.value)


@pytest.mark.parametrize(
    ("template", "written"),
    [
        ("{{ card.name }} {{ card.power + 1 }} {{ card.power / 2 }}", "Owl &amp; Co 8 3.5"),
        ("{{ card.items }}, {{ decks.cards[2].items }} {{ decks.cards[1].copy }}", "a bell, 2 twice"),
        ("{{ decks.cards|sum(attribute='items') }} {{ decks.cards|length }}", "3 3"),
        ("{{ decks.cards|map(attribute='id')|join('-') }}", "c0-c1-c2"),
        ("{{ decks.cards|selectattr('items', '>', 1)|map(attribute='id')|list }}", "[&#39;c2&#39;]"),
        ("{{ (decks.cards|sort(attribute='items', reverse=true)|first).id }}", "c2"),
        ("{{ card.keys()|sort|join(' ') }}", "id items name power"),
        ('{{ "{:>5}|{:.2f}|{name}".format(7, 1.25, name=card.name) }}', "    7|1.25|Owl &amp; Co"),
        ('{{ ("<b>{}</b>"|safe).format("<") }}', "<b>&lt;</b>"),
        ('{{ "x".ljust(3, ".") }}{{ "7".zfill(3) }}{{ "-".join(["a", "b"]) }}', "x..007a-b"),
        ('{{ ("<i>"|safe) ~ "<" ~ 1 }}', "<i>&lt;1"),
        ('{{ ["<", "a"|safe]|join("<br/>"|safe) }}', "&lt;<br/>a"),
        ('{{ "a,b".split(",")|last }}{{ "abc"[1:] }}{{ "b" in "abc" }}{{ 3 in [1, 2] }}', "bbcTrueFalse"),
        ("{{ 2.345|round(1) }} {{ 7 // 2 }} {{ 7 % 4 }} {{ -card.power }} {{ 1 < 2 < 3 }}", "2.3 3 3 -7 True"),
        ("{% macro m(a) %}[{{ a }}]{% endmacro %}{{ m(1) }}{% set q %}{{ m(2) }}{% endset %}{{ q }}", "[1][2]"),
        ("{% for a in [[1, [2]]] recursive %}{{ a if a is number else loop(a) }}{% endfor %}", "12"),
        ("{{ dict(a=1).a }}{{ {'b': 2}.get('b') }}{{ {'c': 3}['c'] }}{{ [4, 4].count(4) }}", "1232"),
    ],
)
def test_honest_templates_write_what_they_always_did(tmp_path: Path, template: str, written: str) -> None:
    """Paying changes nothing of the result."""
    assert written == render(tmp_path, template)


def test_every_method_of_a_text_is_one(tmp_path: Path) -> None:
    """The list names no method that texts lack."""
    assert set() == {name for name in TEXT_METHODS if not hasattr(str, name)}


def test_one_sort_is_paid_and_a_second_is_too_much(tmp_path: Path) -> None:
    """30,000 items cost 4 turns each: read by `map`, written by `string` (its call and its text), read by `sort`."""
    one = '{{ range(30000)|map("string")|sort|first }}'

    assert 200_000 == MOST_TURNS
    assert "0" == render(tmp_path / "a", one)
    with pytest.raises(TooMuch):
        render(tmp_path / "b", one + one)


def test_looking_one_thing_up_costs_the_same_in_a_large_table(tmp_path: Path) -> None:
    """Nothing else in it is read: a position has hundreds of things, and a template looks up each of them."""
    turns = []
    for name, table in (("small", {}), ("large", {n: [{}] * 9 for n in range(1000)})):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "t.svg").write_text('{{ table.get("a", "-") }}{{ {"b": table}.keys()|join }}')
        sandbox = Sandbox([folder], True)

        assert "-b" == sandbox.render("t.svg", {"table": table})
        turns.append(sandbox.turns)

    assert turns[0] == turns[1]


def test_columns_may_be_called_like_methods(tmp_path: Path) -> None:
    """A row of a deck shows its column `items`, as the card itself does."""
    game_file = FILES["game.yaml"].replace("columns:\n", "columns:\n      items: {type: whole, label: items}\n")
    row = '<text x="5" y="9" font-family="SourceSansPro" font-size="5">{}</text>'
    folder = write_game(
        tmp_path / "tiny",
        game_yaml=game_file,
        cards_csv="id,name,count,power,mood,items\nmouse,Mouse,2,1,calm,31\nowl,Owl,1,7,,42\n",
        faces__plain_svg_j2=with_words(row.format("{{ card.items }} {{ decks.cards[1].items }}")),
    )
    problems = Problems()
    game = load_game(folder, problems)
    assert game is not None
    faces = compose(game, problems)

    assert not problems, list(problems)
    assert "31 42" == faces["mouse-front"].root[-1].text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("{{ card|string }}", "a whole card is not a text; write one of its columns, as in card.name"),
        ("{% for a in [1] %}" * 25 + "{% endfor %}" * 25, "the template cannot be compiled: too many"),
    ],
)
def test_faults_are_told_with_the_face(tmp_path: Path, words: str, told: str) -> None:
    """As a problem with a place; none of them is an error of ours."""
    (first, *more) = face_problems(write_game(tmp_path / "tiny", faces__plain_svg_j2=with_words(words)))

    assert [] == more
    assert "faces/plain.svg.j2" in first
    assert f"the face mouse-front: {told}" in first


def test_lack_of_memory_is_a_fault_of_the_template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a small machine the bounds may be too wide; the card is named all the same."""

    def lack(*_arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Sandbox, "text", lack)
    problems = face_problems(write_game(tmp_path / "tiny"))

    assert any("the face mouse-front: the template needs more memory than there is" in told for told in problems)
