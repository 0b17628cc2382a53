"""The sandbox of templates: all work is paid for before it is done, and only what has a text is written."""

from __future__ import annotations

import math
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from games_for_tests import FILES, write_game
from jinja2 import TemplateError, nodes
from jinja2.environment import TemplateModule
from jinja2.runtime import BlockReference, LoopContext, Macro, TemplateReference
from jinja2.utils import Namespace
from markupsafe import Markup
from no_hang import no_hang
from soak import MORE
from test_face import compose, face_problems, with_words

from grimalkin.content import load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.face import Composer
from grimalkin.printing.face.templating.allowed import FILTERS, TEXT_METHODS
from grimalkin.printing.face.templating.budget import MOST_TURNS, Budget
from grimalkin.printing.face.templating.gouges import chatter, cosine, gouges, rays
from grimalkin.printing.face.templating.sandbox import Missing, Sandbox
from grimalkin.printing.face.templating.template_cache import CompiledTemplates
from grimalkin.printing.face.templating.template_trees import TooMuch, nodes_below
from grimalkin.problems import Problems

NESTED = "{% set s = namespace(l=[1], m=[1]) %}{% for i in range(60) %}{% set s.l = [s.l, s.l] %}{% endfor %}"
LONG = '{% set l = "a".ljust(1900000, "a") %}'
PATH = '{% set l = "a".ljust(900000, "a")|replace("a", ".a") %}'
MANY = "{% set l = range(90000)|list %}"
OFTEN = "{% for i in range(90000) %}"


def render(folder: Path, template: str) -> str:
    """What a template writes for an owl of strength 7 out of a deck of 3."""
    folder.mkdir(exist_ok=True)
    (folder / "t.svg").write_text(template)
    (folder / "empty.svg").write_text("")
    rows = [{"id": f"c{n}", "items": n, "copy": "twice"} for n in range(3)]
    card = {"id": "owl", "name": "Owl & Co", "power": 7, "items": "a bell"}
    return Sandbox([folder], True).render("t.svg", {"card": card, "decks": {"cards": rows}, "x": 0})


@pytest.mark.slow("works up to the bounds")
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
        OFTEN + "{% set q %}" + "y" * 1_900_000 + "{% endset %}{% endfor %}",
        "{% for i in range(30000) %}" + "y" * 100 + "{% endfor %}",
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
        LONG + '{{ l.split(sep="b".ljust(900000, "c"))|length }}',
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
        "{% set s = namespace(l=1) %}{% for i in range(300) %}{% set s.l = [s.l] %}{% endfor %}{{ s.l == 1 }}",
        "{% set s = namespace(l=1) %}{% for i in range(60) %}{% set s.l = (s.l, s.l) %}{% endfor %}{{ s.l in {} }}",
        # Lists within lists that an error would tell
        NESTED + "{{ 5[s.l] }}",
        NESTED + "{{ s[s.l] }}",
        NESTED + '{{ "a"[s] }}',
        NESTED + "{{ {}[s.l] }}",
        NESTED + "{{ [].index(s) }}",
        NESTED + "{{ [1]|select(s)|list }}",
        NESTED + "{{ [1]|map(s)|list }}",
        NESTED + "{{ [1]|selectattr('a', s)|list }}",
        NESTED + '{{ ("a"|safe).replace("a", s) }}',
        NESTED + '{{ ("a"|safe)|replace("a", s) }}',
        NESTED + '{{ ("a"|safe).center(5, s) }}',
        # Widths behind noughts, and paths of attributes
        '{{ "{:0000000000900000000}".format("a") }}',
        '{{ "{:.0000000000900000000f}".format(1.5) }}',
        "{% set n = namespace() %}{% set n.a = n %}{% set n.l = [n] * 1 if 0 else [n] %}"
        '{% set p = "".ljust(100000, "a")|replace("a", "a.") ~ "a" %}{% for i in range(9) %}{% set n.l = n.l + n.l %}'
        "{% endfor %}{{ n.l|map(attribute=p)|list|length }}",
        # One file under many names, and names in many places
        "{% include '//' ~ 'empty.svg' %}",
        "{% include './empty.svg' %}",
        "".join(f"{{% set a{n} = 1 %}}" for n in range(900)) + '{% include "empty.svg" %}' * 900,
        "".join(f"{{% if x %}}{{% set a{n} = 1 %}}{{% endif %}}" for n in range(3000)),
        # Work without a call
        OFTEN + "{% if x %}{% endif %}" * 2000 + "{% endfor %}",
        "{% macro m() %}" + "{% if x %}{% endif %}" * 2000 + "{% endmacro %}" + OFTEN + "{% set q = m() %}{% endfor %}",
        "{% set n = [n] if n is defined else [0] %}{% if n|string|length < 60 %}"
        + '{% include "t.svg" %}' * 2
        + "{% endif %}",
        "{% for x in range(3) recursive %}{{ loop(range(100000)) }}{% endfor %}",
        OFTEN + '{% set q = [-100000]|map("*charge")|list %}{% endfor %}',
        PATH + OFTEN + "{% set q = []|sum(attribute=l) %}{% endfor %}",
        PATH + OFTEN + "{% set q = []|join(attribute=l) %}{% endfor %}",
        MANY + OFTEN + "{% set q = 1.5 is in(seq=l) %}{% endfor %}",
        "{# " + "x" * 2_000_000 + " #}",
        # Work before the first line is drawn
        "{{ x }}" * 200_000,
        "{{ [" + "1," * 600_000 + "1]|length }}",
    ],
)
def test_templates_are_stopped_before_the_work_is_done(tmp_path: Path, template: str) -> None:
    """Within a second or two and a hundred megabytes, whatever they would have taken."""
    tracemalloc.start()
    with no_hang(), pytest.raises((TooMuch, TemplateError)):
        render(tmp_path, template)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert most < 100_000_000


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("{{ card }}", "a whole card is not text; write one of its columns, such as card.name"),
        ("{{ card|string }}", "a whole card is not text"),
        ("{{ card|upper }}", "a whole card is not text"),
        ('{{ card ~ "" }}', "a whole card is not text"),
        ("{{ [card] }}", "a list is not text"),
        ("{{ [card]|join }}", "a whole card is not text"),
        ('{{ "".join([card]) }}', "a whole card is not text"),
        ('{{ "{}".format(card) }}', "a whole card is not text"),
        ('{{ "{!r}".format(card) }}', "a whole card is not text"),
        ("{{ decks.cards }}", 'a list is not text; join its items, as in |join(", ")'),
        ("{{ card.keys() }}", "a list is not text"),
        ("{{ card.items() }}", "this cannot be called"),
        ("{{ decks.cards[0]|string }}", "a whole card is not text"),
        ("{{ card.name.upper }}", "has no attribute 'upper'"),
        ("{{ decks.cards[0].get }}", "has no attribute 'get'"),
        ('{{ "x".upper }}', "has no attribute 'upper'"),
        ("{{ card.name.upper|string }}", "has no attribute 'upper'"),
        ("{{ range }}", "a function is not text; call it with ()"),
        ("{% macro m() %}{% endmacro %}{{ m }}", "a function is not text; call it with ()"),
        ("{{ range(3) }}", "a list is not text"),
        ('{{ range(3)|map("string") }}', "a list is not text"),
        ("{{ namespace() }}", "this is not text"),
        ("{{ {(1, 2): 3}|length }}", "a key must be text or a number"),
        ("{{ dict([((1,), 2)])|length }}", "a key must be text or a number"),
        ("{% import 'empty.svg' as m %}{{ m._body_stream|length }}", "has no attribute '_body_stream'"),
        ("{{ [[1], [2]]|sum(start=[]) }}", "sum adds only numbers"),
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
        ("{{ decks.cards|selectattr('items', '>', 1)|map(attribute='id')|list|join }}", "c2"),
        ("{{ (decks.cards|sort(attribute='items', reverse=true)|first).id }}", "c2"),
        ("{{ card.keys()|sort|join(' ') }}", "id items name power"),
        ('{{ "{:>5}|{:.2f}|{name}".format(7, 1.25, name=card.name) }}', "    7|1.25|Owl &amp; Co"),
        ('{{ ("<b>{}</b>"|safe).format("<") }}', "<b>&lt;</b>"),
        ('{{ "x".ljust(3, ".") }}{{ "7".zfill(3) }}{{ "-".join(["a", "b"]) }}', "x..007a-b"),
        ('{{ ("<i>"|safe) ~ "<" ~ 1 }}', "<i>&lt;1"),
        ('{{ ["<", "a"|safe]|join("<br/>"|safe) }}', "&lt;<br/>a"),
        ('{{ "a,b".split(",")|last }}{{ "abc"[1:] }}{{ 1 if "b" in "abc" }}{{ 3 if 3 in [1, 2] }}', "bbc1"),
        ("{{ 2.345|round(1) }} {{ 7 // 2 }} {{ 7 % 4 }} {{ -card.power }} {{ (1 < 2 < 3)|int }}", "2.3 3 3 -7 1"),
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


@pytest.mark.slow("works up to the bounds")
def test_one_sort_is_paid_and_a_second_is_too_much(tmp_path: Path) -> None:
    """30,000 items cost 4 turns each: read by `map`, written by `string` (its call and its text), read by `sort`."""
    one = '{{ range(30000)|map("string")|sort|first }}'

    assert 200_000 == MOST_TURNS
    assert "0" == render(tmp_path / "a", one)
    with pytest.raises(TooMuch):
        render(tmp_path / "b", one + one)


def test_a_format_is_paid_for_by_what_may_come_of_it(tmp_path: Path) -> None:
    """And not by all texts that it may take for its fields: a long drawing has few, and many pens."""
    pens = "".join(f', p{n}="{"x" * 90}"' for n in range(40))
    long = '{% set long = "a".ljust(100000, "a") ~ "{p7}" %}'

    assert "100090" == render(tmp_path / "a", long + '{{ long.format(p="y"' + pens + ")|length }}")
    with pytest.raises(TooMuch):
        render(tmp_path / "b", long + '{% for i in range(600) %}{% if long.format(p7="x") %}{% endif %}{% endfor %}')
    wide = f'{{% set wide = "{"{0:1000}" * 100}" %}}'  # whatever fills it, each field is 1000 wide
    with pytest.raises(TooMuch):
        render(tmp_path / "c", wide + '{% for i in range(600) %}{% if wide.format("x") %}{% endif %}{% endfor %}')


def test_looking_one_thing_up_costs_the_same_in_a_large_table(tmp_path: Path) -> None:
    """Nothing else in it is read: a position has hundreds of things, and a template looks up each of them."""
    turns = []
    for name, table in (("small", {}), ("large", {n: [{}] * 9 for n in range(1000)})):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "t.svg").write_text('{{ table.get("a", "-") }}{{ {"b": table}.keys()|join }}')
        sandbox = Sandbox([folder], True)

        assert "-b" == sandbox.render("t.svg", {"table": table})
        turns.append(sandbox.budget.turns)

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
        ("{{ card|string }}", "a whole card is not text; write one of its columns, such as card.name"),
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

    monkeypatch.setattr(Budget, "text", lack)
    problems = face_problems(write_game(tmp_path / "tiny"))

    assert any("the face mouse-front: the template needs more memory than is available" in told for told in problems)


# Nothing but plain data

PLAIN = (str, int, float, type(None), list, tuple, dict, range)
MADE_BY_TEMPLATES = (BlockReference, LoopContext, Macro, Namespace, Missing, TemplateModule, TemplateReference)
HOLD_EVERYTHING = """\
{% extends "base.svg" %}
{% import "kit.svg" as kit %}{% from "kit.svg" import made %}
{% macro own(a) %}{{ keep(varargs) }}{{ keep(kwargs) }}{{ keep(caller) }}{{ caller(1) }}{% endmacro %}
{% block art %}
{{ keep(kit) }}{{ keep(kit.made) }}{{ keep(made) }}{{ keep(own) }}{{ keep(super) }}{{ keep(self) }}{{ keep(self.art) }}
{% call(inner) own(1, 2, extra=3) %}{{ keep(inner) }}{% endcall %}
{% set space = namespace(a=[1], b={"c": 2}) %}{{ keep(space) }}{{ keep(dict(a=1)) }}{{ keep(range(3)) }}
{% for item in [1, [2, [3]]] recursive %}{{ keep(loop) }}{{ keep([loop.nextitem, loop.previtem]) }}
{{ keep(loop.cycle(1, "a")) }}{{ loop(item) if item is iterable else "" }}{% endfor %}
{% for group in decks.values()|list|first|groupby("count") %}{{ keep(group) }}{% endfor %}
{{ keep(card) }}{{ keep(card.items()) }}{{ keep(card.keys()) }}{{ keep(card.values()) }}{{ keep(card.get("id")) }}
{{ keep("a b".split()) }}{{ keep("a-b".partition("-")) }}{{ keep("<b>"|safe) }}{{ keep(nothing|default(none)) }}
{{ keep(card.name.nothing is defined) }}{{ keep([card, card]|map(attribute="nothing")|list) }}
{{ keep(icon) }}{{ keep(fail) }}{{ keep(range) }}{{ keep(dict) }}{{ keep(namespace) }}{{ keep(keep) }}
{{ keep(icon("paw", 1, 1, 1, ink)) }}{{ keep("{:>3}".format(1)) }}{{ keep(1 + 1.5) }}{{ keep("a" ~ 1) }}
{% endblock %}
"""


@pytest.mark.slow("walks through all that a template reaches")
def test_nothing_but_plain_data_is_reached(tmp_path: Path) -> None:
    """Whatever a template can hold, and whatever items, attributes and calls of that give, is plain or its own.

    Everything that a face knows and everything that Jinja makes is handed out by a template, together with what each
    filter and method gives. From there all names that Python knows of each are asked for.
    """
    game = load_game(write_game(tmp_path / "tiny"), Problems())
    assert game is not None
    problems = Problems()
    composer = Composer(game, load_stocks(game.folder, problems), problems)
    held: list[object] = []

    def keep(value: object) -> str:
        held.append(value)
        return ""

    faces = game.folder / "faces"
    (faces / "base.svg").write_text("{% block art %}{% endblock %}")
    (faces / "kit.svg").write_text(
        "{% set inside = [1] %}{% macro made(a=1) %}{{ keep(made) }}{% endmacro %}{{ made() }}"
    )
    uses = [f"{{{{ keep({subject}|{name}) }}}}" for name in FILTERS for subject in ('"ab"', "[2, 1]", "card", "1")]
    uses += [f'{{{{ keep("ab".{name}("a")) }}}}{{{{ keep("ab".{name}()) }}}}' for name in sorted(TEXT_METHODS)]
    asked: dict[str, Any] = {}
    sandbox = composer.new_sandbox(Sandbox)
    sandbox.globals["keep"] = keep
    sandbox.functions.append(keep)

    class Noting(Sandbox):
        def render(self, name: str, context: dict[str, Any]) -> str:
            asked.update(context)
            return super().render(name, context)

    composer.sandbox = composer.new_sandbox(Noting)
    deck = game.info.decks[0]
    composer.faces(deck, game.components[deck.id][0])
    for number, template in enumerate([HOLD_EVERYTHING, *uses]):
        (faces / f"t{number}.svg").write_text(template)
        try:
            sandbox.render(f"t{number}.svg", {**asked, "position": {"seats": {"Ada": {"hand": ["penny"]}}}})
        except Exception:
            assert number  # a filter need not work on everything, but the first template does
    functions = {id(one) for one in sandbox.functions}
    left, seen = [*asked.values(), *held], set()
    alive: list[object] = []
    """What was looked at stays, or another thing could get its identity."""
    while left:
        value = left.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        alive.append(value)
        is_function = id(value) in functions

        assert is_function or isinstance(value, PLAIN + MADE_BY_TEMPLATES), value

        if isinstance(value, dict):
            left += [*value.keys(), *value.values()]
        elif isinstance(value, list | tuple):
            left += value
        for name in {*dir(value), *dir(type(value)), "func", "_method", "__globals__", "_Namespace__attrs"}:
            for found in () if isinstance(value, Missing) else (sandbox.getattr, sandbox.getitem):
                left.append(found(value, name))
        if not is_function and not isinstance(value, BlockReference | LoopContext | Macro | Missing):
            with pytest.raises(TemplateError, match="this cannot be called"):
                sandbox.call(sandbox.from_string("").new_context(), value)

    assert {type(one) for one in alive} >= {*MADE_BY_TEMPLATES, dict, list, tuple, str, Markup}


@pytest.mark.slow("dozens of hostile templates")
@pytest.mark.parametrize(
    "escape",
    [
        "''.upper.func",
        "''.upper.func(decks, '__getattribute__', 'folder')",
        "card._method",
        "card.get.func",
        "card.get.__self__",
        "''['upper']",
        "''['__class__']",
        "''|attr('__class__')",
        "''|map('attr', '__class__')|first",
        "['']|map(attribute='__class__')|first",
        "['']|map('*method', '__class__')|first",
        "['']|selectattr('__class__')|list",
        "['']|groupby('__class__')|first",
        "['']|sort(attribute='__class__')",
        "['']|sum(attribute='__class__')",
        "['']|unique(attribute='__class__')|first",
        "'{0.__class__}'.format('')",
        "'{0[__class__]}'.format(card)",
        "'{a.__class__}'.format(a='')",
        "('{0.__class__}'|safe).format('')",
        "'{:{}}'.format(1, 5)",
        "''.format.__self__",
        "''.format_map",
        "''.translate",
        "''.encode()",
        "range.__self__",
        "range.__globals__",
        "icon.__globals__",
        "icon.__closure__",
        "fail.__globals__",
        "namespace.__init__",
        "dict.__base__",
        "dict.fromkeys",
        "namespace(a=1).__class__",
        "namespace(a=1)._Namespace__attrs",
        "namespace({(1, 2): 3})",
        "namespace([((1,), 2)])",
        "{(1, 2): 3}",
        "dict([((1,), 2)])",
        "self._TemplateReference__context",
        "self.__class__",
        "self.art._context",
        "self.art._stack",
        "self.art.__call__",
        "caller.__globals__",
        "card.__class__",
        "card.__getattribute__('x')",
        "decks.__class__",
        "decks._game",
        "(1).__class__",
        "(1).real",
        "1.5.hex()",
        "[].append(1)",
        "[].__class__",
        "().__class__",
        "card.update({})",
        "card.pop('id')",
        "card.setdefault('a', 1)",
        "none.__class__",
        "true.__class__",
        "loop.__class__",
        "lipsum",
        "cycler",
        "joiner",
        "config",
        "request",
        "context",
        "environment",
        "x.__class__",
        "''.join.__self__",
        "fail(caller)",
        "icon(caller, 1, 1, 1, '#000000')",
        "range(caller)",
    ],
)
def test_no_expression_leads_out(tmp_path: Path, escape: str) -> None:
    """Each ends in a fault of the template, whether it is written or called."""
    for how in (
        "{{ %s }}",
        "{{ (%s)() }}",
        "{%% set a = %s %%}{{ a() }}",
        "{%% for a in %s %%}{{ a() }}{%% endfor %%}",
    ):
        for around in ("%s", "{%% for x in [1] %%}%s{%% endfor %%}", "{%% block art %%}%s{%% endblock %%}"):
            with pytest.raises((TemplateError, TooMuch, TypeError)):
                render(tmp_path, around % (how % escape))


# Every operation of the language, and what it costs

LENGTH = 60_000
SUBJECTS: dict[str, Any] = {
    "a": "a" * LENGTH,
    "b": "a" * (LENGTH - 1) + "b",
    "words": "- " * (LENGTH // 2),
    "fields": "{}" * 200,
    "letters": "ß&" * (LENGTH // 2),
    "digits": "7" * 4_000,
    "numbers": list(range(3_000)),
    "texts": [f"{n}-{'x' * 200}" for n in range(500)],
    "pairs": [(f"k{n}", n) for n in range(1_000)],
    "table": {f"k{n}": n for n in range(1_000)},
    "long_table": {"a" * LENGTH: 1},
    "records": [{"id": f"c{n}", "n": n % 7} for n in range(1_000)],
    "number": 7.25,
    "whole": 12,
    "nothing": None,
}
"""Things of all kinds, large enough that what is done with them outweighs the doing."""
GIVEN = {
    "groupby": ['"n"'], "join": ['", "', "a"], "map": ['"upper"', 'attribute="n"'],
    "reject": ['"odd"', '"in", numbers'],
    "rejectattr": ['"n"', '"n", "equalto", 3'], "select": ['"odd"', '"in", numbers'],
    "selectattr": ['"n"', '"n", "equalto", 3'], "sort": ["", 'attribute="n"'], "sum": ["", 'attribute="n"'],
    "replace": ['"a", "b"', '"ab", ""'], "default": ["a"], "unique": ["", 'attribute="n"'], "trim": ["", "a"],
    "center": ["60000"], "ljust": ["60000"], "rjust": ["60000"], "zfill": ["60000"], "count": ['"ab"', "b", "-1"],
    "endswith": ["b"], "startswith": ["b"], "find": ['"ab"', "b"], "index": ['"a"', "2999"], "rfind": ['"ba"'],
    "rindex": ['"a"'], "partition": ['"ab"'], "rpartition": ['"ba"'], "removeprefix": ["a"], "removesuffix": ["b"],
    "split": ["", '"-"'], "rsplit": ["", '"-"'], "format": ["*numbers[:200]"], "get": ["a"],
    "divisibleby": ["3"], **{
        sign: ["a", "numbers"] for sign in ("eq", "equalto", "ne", "gt", "ge", "greaterthan", "lt", "le", "lessthan")
    }, "sameas": ["b"], "in": ["texts", "b", "numbers", "long_table"],
}  # fmt: skip
"""What filters, tests and methods are given besides, where they need it."""
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in")
LITERAL = "a" * LENGTH
STATEMENTS = {
    **{f"compare {sign}": f"{{% if a {sign} b %}}{{% endif %}}" for sign in COMPARISONS},
    **{
        f"literals {sign}": f'{{% if "b{LITERAL}" {sign} "{LITERAL}" %}}{{% endif %}}'
        for sign in (*COMPARISONS, "not in")
    },
    **{
        f"operator {sign}": f"{{% set q = number {sign} whole %}}" * 20
        for sign in ("+", "-", "*", "/", "//", "%")
    },
    "+ of lists": "{% set q = numbers + numbers %}",
    "+ of texts": "{% set q = a + b %}",
    "and, or, not": "{% if not a and whole or not b %}{% endif %}" * 60,
    "minus, plus": "{% if -number > +whole %}{% endif %}" * 20,
    "~": "{% set q = a ~ b %}",
    "if": "{% if nothing %}{% elif whole %}{% else %}{% endif %}" * 60,
    "a if b": "{% set q = a if whole else b %}" * 60,
    "set": "{% set q = a %}{% set q, r = 1, 2 %}" * 20,
    "namespace": "{% set n.x = a %}" * 60,
    "set block": "{% set q %}{{ whole }}{% endset %}",
    "with": "{% with q = a %}{% endwith %}" * 20,
    "filter block": "{% filter upper %}{{ a }}{% endfilter %}",
    "attribute": "{% if table.k1 %}{% endif %}" * 60,
    "no attribute": "{% if table.nothing is defined %}{% endif %}" * 20,
    "item": "{% set q = numbers[7] %}" * 20,
    "no item": "{% set q = numbers[9999] is defined %}",
    "long key": "{% set q = long_table[b[:-1] ~ 'a'] %}",
    "equal key": "{% set q = long_table[same] %}",
    "literal key": f'{{% set q = long_table["{LITERAL}"] %}}',
    "slice": "{% set q = numbers[1:] %}",
    "list": "{% set q = [a, b, a, b, whole] %}" * 20,
    "tuple": "{% set q = (a, b, a, b, whole) %}" * 20,
    "dict": "{% set q = {" + ", ".join(f'"k{n}": a' for n in range(60)) + "} %}",
    "dict of equal keys": "{% set q = {" + ", ".join(["a: 1", "same: 1"] * 20) + "} %}",
    "dict of literals": "{% set q = {" + ", ".join(f'"{LITERAL}": 1' for _ in range(9)) + "} %}",
    "whole literal": "{% set q = " + "9" * 290 + " ~ a %}",
    "macro": "{{ m(a, b) }}",
    "call": "{% call m(a, b) %}{% endcall %}",
    "block": "{{ self.inner() }}",
    "output": "{{ a }}{{ whole }}{{ number }}",
    "loop": "{% for x in numbers %}{{ loop.index }}{% endfor %}",
    "loop with a condition": "{% for x in numbers if x > 5 %}{{ loop.index }}{% else %}{% endfor %}",
    "loop.cycle": '{% for x in numbers %}{{ loop.cycle("a", "b") }}{% endfor %}',
    "loop.changed": "{% for x in [1, 2] %}{% set q = loop.changed(texts) %}{% endfor %}",
    "recursion": "{% for x in [1] recursive %}{% if x %}{{ loop([0] * 1 if 0 else [0]) }}{% endif %}{% endfor %}",
    "include": '{% include "empty.svg" %}',
    "include of many names": '{% include "many.svg" %}',
    "include in vain": '{% include "nowhere.svg" ignore missing %}',
    "include of a list": '{% include ["nowhere.svg", "empty.svg"] %}',
    "import": '{% import "macros.svg" as k %}{{ k.m() }}',
    "from import": '{% from "macros.svg" import m as k %}{{ k() }}',
    "import with context": '{% import "macros.svg" as k with context %}',
    "autoescape": "{% autoescape false %}{{ a }}{% endautoescape %}",
    "range": "{% set q = range(100000) %}",
    "dict()": "{% set q = dict(pairs, x=a) %}",
    "namespace()": "{% set q = namespace(x=a) %}",
    "gouges": "{% set q = gouges(cuts) %}",
    "rays": "{% set q = rays(1, 2, 3, 4, 400) %}",
    "chatter": "{% set q = chatter(1, 2, 30, 40, 5, 400) %}",
    "cosine": "{% set q = cosine(1.5) %}",
}  # fmt: skip
"""Every kind of node, operator and function of templates."""
KINDS = ("filter", "test", "method")
MOST_MICROSECONDS = 10.0
PREAMBLE = (
    "{% macro m(x=1, y=2) %}{{ x }}{{ caller() if caller is defined }}{% endmacro %}"
    "{% block inner %}{% endblock %}{% set n = namespace() %}"
)


def costing(folder: Path) -> Sandbox:
    """A sandbox with all that templates may call, and files to include."""
    (folder / "empty.svg").write_text("")
    (folder / "macros.svg").write_text("{% macro m() %}{% endmacro %}")
    (folder / "many.svg").write_text("{{ whole }}")
    return Sandbox([folder], True, functions={"gouges": gouges, "rays": rays, "chatter": chatter, "cosine": cosine})


def cost(sandbox: Sandbox, folder: Path, body: str) -> float | None:
    """Microseconds of the processor per turn, the least of a few runs; None for what is a fault."""
    (folder / "t.svg").write_text(f"{PREAMBLE}{{% for i in range(9000) %}}{body}{{% endfor %}}")
    for kept in (sandbox.cache, sandbox.parsed, sandbox.failed):
        if kept is not None:
            kept.clear()
    sandbox.tokens = 0
    same = "".join(["a"] * LENGTH)
    context = {**SUBJECTS, "same": same, "cuts": [(1.5, 2.5, 3.5, 4.5)] * 400, **{f"v{n}": n for n in range(500)}}
    sandbox.budget.turns = 0
    sandbox.get_template("t.svg")  # compiling is counted by itself
    best = math.inf
    for _ in range(3):
        before = time.process_time()
        try:
            sandbox.render("t.svg", context)
        except TooMuch as error:
            if "turns" not in str(error) and "characters" not in str(error):
                return None
        except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError):
            return None
        best = min(best, (time.process_time() - before) / sandbox.budget.turns * 1e6)
        if best < MOST_MICROSECONDS / 2:
            break
    return best


def uses(sandbox: Sandbox, kind: str) -> Iterator[tuple[str, str]]:
    """Every filter, test or method, used on things of all kinds."""
    names = {"filter": sandbox.filters, "test": sandbox.tests, "method": sorted(TEXT_METHODS | {"items", "keys"})}[kind]
    for name in (one for one in names if not one.startswith("*")):
        for subject in SUBJECTS:
            for given in GIVEN.get(name, [""]):
                if kind == "filter":
                    yield name, f"{{% set q = {subject}|{name}({given}) %}}"
                elif kind == "method":
                    yield name, f"{{% set q = {subject}.{name}({given}) %}}"
                elif name.isidentifier():
                    yield name, f"{{% if {subject} is {name}({given}) %}}{{% endif %}}"


@pytest.mark.soak
@pytest.mark.skipif(MORE == 1, reason="what an operation takes is measured in a soak only")
@pytest.mark.parametrize("kind", KINDS)
def test_filters_tests_and_methods_are_paid_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """Each, on things of every kind that it takes, at less than 10 µs of the processor a turn."""
    monkeypatch.setattr("grimalkin.printing.face.templating.budget.MOST_TURNS", 20_000)
    sandbox = costing(tmp_path)
    measured: dict[str, float] = {}
    tried: set[str] = set()
    for name, body in uses(sandbox, kind):
        tried.add(name)
        found = cost(sandbox, tmp_path, body)
        if found is not None:
            measured[name] = max(found, measured.get(name, 0))

    assert tried == measured.keys()
    assert {} == {name: found for name, found in measured.items() if found >= MOST_MICROSECONDS}


@pytest.mark.soak
@pytest.mark.skipif(MORE == 1, reason="what an operation takes is measured in a soak only")
def test_statements_operators_and_functions_are_paid_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with large operands, at less than 10 µs of the processor a turn."""
    monkeypatch.setattr("grimalkin.printing.face.templating.budget.MOST_TURNS", 20_000)
    sandbox = costing(tmp_path)
    found = {name: cost(sandbox, tmp_path, body) for name, body in STATEMENTS.items()}

    assert {} == {name: one for name, one in found.items() if one is None or one >= MOST_MICROSECONDS}


def test_every_kind_of_node_is_among_the_statements() -> None:
    """Nodes that Jinja's parser makes; a new one in a new version of Jinja has to be looked at."""
    sandbox = Sandbox([], True)
    trees = [sandbox.parse(PREAMBLE + body) for body in [*STATEMENTS.values(), "words{{ a|upper }}{{ a is odd }}"]]
    seen = {type(node).__name__ for tree in trees for node in nodes_below(tree)}
    of_extensions = {
        "Break", "ContextReference", "Continue", "DerivedContextReference", "EnvironmentAttribute", "ExprStmt",
        "ExtensionAttribute", "ImportedName", "InternalName", "MarkSafe", "MarkSafeIfAutoescape", "OverlayScope",
        "Scope",
    }  # fmt: skip
    refused = {"Pow"}
    at_the_top = {"Extends", "Template"}

    every = {name for name, kind in vars(nodes).items() if isinstance(kind, type) and issubclass(kind, nodes.Node)}
    abstract = {one.__name__ for kind in vars(nodes).values() if isinstance(kind, type) for one in kind.__bases__}
    assert set() == every - abstract - seen - of_extensions - refused - at_the_top


def test_the_clock_stops_what_the_turns_do_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the budget lies a limit of the processor's time, without signals."""
    monkeypatch.setattr("grimalkin.printing.face.templating.budget.MOST_SECONDS", -1.0)
    (tmp_path / "t.svg").write_text("{% for i in range(9000) %}{{ i }}{% endfor %}")
    with pytest.raises(TooMuch, match="seconds"):
        Sandbox([tmp_path], True).render("t.svg", {})


def test_a_template_that_cannot_be_compiled_is_tried_once(tmp_path: Path) -> None:
    """Every face after the first hears the same fault."""
    (tmp_path / "t.svg").write_text("{% if %}")
    sandbox = Sandbox([tmp_path], True)
    with pytest.raises(TemplateError) as first:
        sandbox.render("t.svg", {})
    tokens = sandbox.tokens
    with pytest.raises(TemplateError) as second:
        sandbox.render("t.svg", {})

    assert (str(first.value), tokens) == (str(second.value), sandbox.tokens)


def test_all_templates_together_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling is paid for by the words and symbols of all files, also of those that an earlier run compiled."""
    monkeypatch.setattr("grimalkin.printing.face.templating.sandbox.MOST_TOKENS_OF_ALL", 300)
    for number in range(5):
        (tmp_path / f"{number}.svg").write_text("{{ 1 }}" * 30)
    (tmp_path / "kept").mkdir(mode=0o700)
    (tmp_path / "t.svg").write_text("".join(f'{{% include "{number}.svg" %}}' for number in range(5)))
    for _ in range(2):
        with pytest.raises(TooMuch, match="together"):
            Sandbox([tmp_path], True, CompiledTemplates(tmp_path / "kept", b"")).render("t.svg", {})


@pytest.mark.parametrize(
    "template", ["{{ x." + "a" * 201 + " }}", "{{ " + "9" * 400 + " }}", "{% include '" + "a" * 201 + "' %}"]
)
def test_long_names_and_numbers_are_refused(tmp_path: Path, template: str) -> None:
    with pytest.raises(TooMuch):
        render(tmp_path, template)


# What macros returned


KIT = (
    "{% set sizes = [1, 2] %}{% macro dot(x, of=none) %}"
    '{% for one in sizes %}<a x="{{ x }}" of="{{ of|join if of else "" }}"/>{% endfor %}{% endmacro %}'
)


def kept(folder: Path, kit: str, *pages: str, **more: str) -> tuple[Sandbox, list[tuple[str, int]]]:
    """What pages that import a kit write, each with its turns."""
    folder.mkdir()
    for name, text in {"kit": kit, **more, **{f"page{number}": page for number, page in enumerate(pages)}}.items():
        (folder / name).write_text(text)
    sandbox = Sandbox([folder], True)
    written = [(sandbox.render(f"page{number}", {"x": 3}), sandbox.budget.turns) for number in range(len(pages))]
    return sandbox, written


def test_a_macro_of_an_imported_template_runs_once_for_the_same_arguments(tmp_path: Path) -> None:
    """It writes the same, and costs as many turns, as when it runs again."""
    page = '{% import "kit" as kit %}{{ kit.dot(1) }}{{ kit.dot(x, ["a", 1]) }}{{ kit.dot(x=x, of=["a", 1]) }}'
    sandbox, (_, second, third) = kept(tmp_path / "kept", KIT, page, page, page)
    sandbox.repeats.texts.clear()
    again = sandbox.render("page1", {"x": 3}), sandbox.budget.turns

    assert 3 == sum(map(len, kept(tmp_path / "other", KIT, page, page)[0].repeats.texts.values()))
    assert second == third == again


def test_arguments_that_print_in_another_way_are_others(tmp_path: Path) -> None:
    """Though Python holds most of them to be equal."""
    values = ("1", "1.0", "true", "-0.0", "0.0", '"<"', '"<"|safe', "[1]", "[1.0]", "(1,)", "none")
    shown = [f"{{{{ kit.say({value}) }}}}" for value in values]
    kit = (
        '{% macro say(a) %}{{ a if a is string or a is number and a is not boolean else a ~ "" if a is none else "?" }}'
    )
    sandbox, written = kept(
        tmp_path / "kept", kit + "{% endmacro %}", *('{% import "kit" as kit %}' + one for one in shown * 2)
    )

    half = len(shown)
    assert [text for text, _ in written[:half]] == [text for text, _ in written[half:]]
    assert ["1", "1.0", "?", "-0.0", "0.0", "&lt;", "<"] == [text for text, _ in written[:7]]
    assert half == sum(map(len, sandbox.repeats.texts.values()))


@pytest.mark.parametrize(
    "kit",
    [
        "{% set n = namespace(at=0) %}{% macro dot(x) %}{% set n.at = n.at + 1 %}{{ n.at }}{% endmacro %}",
        "{% set new = namespace %}{% set n = new(at=0) %}"
        "{% macro dot(x) %}{% set n.at = n.at + 1 %}{{ n.at }}{% endmacro %}",
        '{% import "counter" as counter %}{% macro dot(x) %}{{ counter.next() }}{% endmacro %}',
        '{% macro dot(x) %}{% import "count" ~ "er" as counter %}{{ counter.next() }}{% endmacro %}',
        '{% macro dot(x) %}{% import "counter" as counter %}{{ counter.next() }}{% endmacro %}',
    ],
)
def test_a_macro_that_counts_its_calls_always_runs(tmp_path: Path, kit: str) -> None:
    """Of all values, only a namespace can change from one call to the next."""
    counter = "{% set n = namespace(at=0) %}{% macro next() %}{% set n.at = n.at + 1 %}{{ n.at }}{% endmacro %}"
    page = '{% import "kit" as kit %}{{ kit.dot(1) }}{{ kit.dot(1) }}'

    assert ["12", "34"] == [text for text, _ in kept(tmp_path / "kept", kit, page, page, counter=counter)[1]]


def test_a_macro_that_sees_more_than_its_arguments_always_runs(tmp_path: Path) -> None:
    """That is: the names of a page, the body of a call, and lists or mappings of any size."""
    kit = "{% macro dot(a) %}{{ x }}{{ caller() if caller is defined }}{{ a|length if a }}{% endmacro %}"
    page = '{% import "kit" as kit with context %}{{ kit.dot("") }}'
    (folder := tmp_path / "kept").mkdir()
    (folder / "kit").write_text(kit)
    (folder / "page").write_text(page)
    sandbox = Sandbox([folder], True)

    assert ["1", "2"] == [sandbox.render("page", {"x": x}) for x in (1, 2)]

    pure = kit.replace("{{ x }}", "")
    pages = [
        '{% import "kit" as kit %}{% call kit.dot("") %}' + body + "{% endcall %}{{ kit.dot(" + argument + ") }}"
        for body, argument in (("a", "range(101)|list"), ("b", '["a"] * 1 if 0 else {"a": x}'), ("c", '"a" ~ x'))
    ]
    sandbox, written = kept(tmp_path / "other", pure, *pages)

    assert ["a101", "b1", "c2"] == [text for text, _ in written]
    assert 1 == sum(map(len, sandbox.repeats.texts.values()))


def test_what_is_kept_of_macros_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then everything is dropped; the pages stay the same."""
    monkeypatch.setattr("grimalkin.printing.face.templating.repeats.MOST_KEPT", 900)
    kit = "{% macro dot(x) %}" + "." * 100 + "{{ x }}{% endmacro %}"
    page = '{% import "kit" as kit %}{% for n in range(50) %}{{ kit.dot(n) }}{% endfor %}'
    sandbox, (first, second) = kept(tmp_path / "kept", kit, page, page)

    assert first[0] == second[0]
    assert sandbox.repeats.size <= 900
    assert 8 >= sum(map(len, sandbox.repeats.texts.values()))
