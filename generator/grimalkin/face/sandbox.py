"""Jinja for templates that a stranger wrote: no attributes that reach outside, no files outside, bounded work and size.

Jinja's sandbox forbids dangerous attributes but not endless work. Here all that a template does is paid for out of one
budget of turns before it is done: a call, a turn of a loop, an item that a filter reads, some characters of a text.
What could grow beyond its price (padding, joining, replacing, formatting) is measured first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from dataclasses import dataclass, field
from functools import partial, wraps
from pathlib import Path
from typing import Any, cast

from jinja2 import (
    BytecodeCache,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    Undefined,
    nodes,
    pass_context,
    pass_eval_context,
)
from jinja2.filters import do_join, do_round, make_attrgetter
from jinja2.runtime import Context, Macro, markup_join, str_join
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedEscapeFormatter, SandboxedFormatter
from jinja2.visitor import NodeTransformer
from markupsafe import Markup

MOST_TURNS = 200_000
"""Turns of loops, calls and whatever else costs time in one rendering."""
MOST_CHARACTERS = 2_000_000
"""Characters of a template, of a rendering, and of any one text in it."""
CHARACTERS_A_TURN = 250
"""It bounds the memory, too: all texts that a template can pay for have 50 million characters."""
NODES_A_TURN = 50
"""Parts of a template that are passed without a price of their own, such as {% if %}."""
MOST_BITS = 1_000
MOST_WIDTH = 1_000
"""Of a field of `format`, and of its decimals."""
MOST_DECIMALS = 20

FILTERS = [
    "abs",
    "capitalize",
    "default",
    "dictsort",
    "e",
    "escape",
    "first",
    "float",
    "groupby",
    "int",
    "items",
    "join",
    "last",
    "length",
    "list",
    "lower",
    "map",
    "max",
    "min",
    "reject",
    "rejectattr",
    "replace",
    "reverse",
    "round",
    "safe",
    "select",
    "selectattr",
    "sort",
    "string",
    "sum",
    "title",
    "trim",
    "unique",
    "upper",
]
"""The filters a template may use."""

_LIGHT = frozenset(["default", "first", "last", "length", "defined", "undefined", "none"])
"""Filters and tests that take no longer for a long list."""
_OF_TEXT = frozenset(
    ["capitalize", "e", "escape", "join", "lower", "replace", "safe", "string", "title", "trim", "upper"]
)
"""Filters that write what they are given."""

TEXT_METHODS = frozenset(
    [
        "capitalize", "casefold", "center", "count", "endswith", "find", "format", "index", "isalnum", "isalpha",
        "isascii", "isdecimal", "isdigit", "islower", "isnumeric", "isspace", "istitle", "isupper", "join", "ljust",
        "lower", "lstrip", "partition", "removeprefix", "removesuffix", "replace", "rfind", "rindex", "rjust",
        "rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith", "strip", "swapcase", "title", "upper",
        "zfill",
    ]
)  # fmt: skip
"""What a template may call on a text; on anything else it may call much less."""
_METHODS: dict[type, frozenset[str]] = {
    dict: frozenset(["get", "items", "keys", "values"]),
    list: frozenset(["count", "index"]),
    tuple: frozenset(["count", "index"]),
    float: frozenset(["is_integer"]),
}
_PADDING = ("center", "ljust", "rjust", "zfill")
_METHODS_OF_DICT = frozenset(dir(dict))
_NUMBER_TYPES = (int, float)
_PLAIN = (int, float, bool, type(None))
_VIEWS = (KeysView, ItemsView, ValuesView)


class TooMuch(Exception):
    """A template asks for more work or more text than any face needs."""


class Values(Mapping[str, Any]):
    """A component's values. A template finds each of them as an attribute, whatever it is called."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"the values of {self._values.get('id')}"


class Watched(Values):
    """A component's values, which remember whether a template looked at them."""

    __slots__ = ("seen",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        super().__init__(values)
        self.seen = False

    def __getitem__(self, key: str) -> Any:
        self.seen = True
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        self.seen = True
        return iter(self._values)

    def __len__(self) -> int:
        self.seen = True
        return len(self._values)


@dataclass(slots=True)
class Shape:
    """Of a template: its file, what it extends and uses, and its blocks."""

    file: str
    parents: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    """What it includes and imports."""
    is_open: bool = False
    """Whether the name of a parent is only known when it is rendered."""
    blocks: set[str] = field(default_factory=set)
    outermost: dict[str, int] = field(default_factory=dict)
    """The blocks that are in no other block of this template, with their lines."""
    loose: int = 0
    """The line at which something stands outside of all blocks, though only blocks are drawn; 0 when there is none."""


class Sandbox(ImmutableSandboxedEnvironment):
    """The environment of all templates. `folders` are searched in order; nothing outside them can be named.

    `compiled` keeps templates between runs; it must keep their shapes, too.
    """

    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "%", "**"])

    def __init__(self, folders: Iterable[Path], autoescape: bool, compiled: BytecodeCache | None = None) -> None:
        self.turns = 0
        self.shapes: dict[str, Shape] = {}
        """The templates that were read, by their names."""
        super().__init__(
            loader=FileSystemLoader([str(folder) for folder in folders]),
            autoescape=autoescape,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
            auto_reload=False,
            bytecode_cache=compiled,
            finalize=self._written,
        )
        own: dict[str, Callable[..., Any]] = {
            "join": cast(Any, self._join),
            "replace": _replace,
            "round": _round,
            "sum": _sum(self.filters["sum"]),
        }
        self.filters = {name: self._paid(name, own.get(name) or self.filters[name]) for name in FILTERS}
        self.tests = {name: self._paid(name, cast(Any, test)) for name, test in self.tests.items()}
        # No template can name these; only a string given to `map` can, and they do no harm there.
        self.filters["*counted"] = self._counted
        self.filters["*weighed"] = self.weigh
        self.filters["*joined"] = self._joined
        self.filters["*charge"] = self._charge
        for name in ("lipsum", "cycler", "joiner"):
            self.globals.pop(name, None)

    def render(self, name: str, context: dict[str, Any]) -> str:
        """Render a template. Raises what Jinja raises, and TooMuch."""
        self.turns = 0
        chunks: list[str] = []
        size = 0
        template = self.get_template(name)
        try:
            for chunk in template.root_render_func(template.new_context(context)):
                size += len(chunk)
                if size > MOST_CHARACTERS:
                    raise TooMuch(f"the template writes more than {MOST_CHARACTERS:,} characters")
                chunks.append(chunk)
        except Exception:
            self.handle_exception()  # raises it again, with the lines of the template
        return "".join(chunks)

    # Paying

    def tick(self, turns: int = 1) -> None:
        self.turns += turns
        if self.turns > MOST_TURNS:
            raise TooMuch(f"the template takes more than {MOST_TURNS:,} turns")

    def text(self, value: Any) -> Any:
        """Pay for a value that is to be written. What has no text of its own is a fault of the template."""
        kind = type(value)
        if kind is str or kind is Markup:
            self.tick(1 + len(value) // CHARACTERS_A_TURN)
        elif kind in _NUMBER_TYPES:
            self.tick()
        else:
            self._walk(value, True)
        return value

    @pass_context  # or Jinja would write what is constant without asking
    def _written(self, _context: Context, value: Any) -> Any:
        return self.text(value)

    def weigh(self, value: Any) -> Any:
        """Pay for all that is in a value. An iterator, whose items are not there yet, is paid for as it is read."""
        kind = type(value)
        if kind is str or kind is Markup:
            self.tick(1 + len(value) // CHARACTERS_A_TURN)
        elif kind in _NUMBER_TYPES:
            self.tick()
        elif isinstance(value, Iterator):
            return self._counted(value)
        else:
            self._walk(value, False)
        return value

    def _walk(self, value: Any, is_text: bool) -> None:
        """Pay for every item within lists within lists. One list may stand in many places: it is paid at each."""
        left = [value]
        while left:
            item = left.pop()
            if type(item) in _PLAIN:  # first, as most items are plain and the last of these tests takes long
                self.tick()
            elif isinstance(item, str):
                self.tick(1 + len(item) // CHARACTERS_A_TURN)
            elif isinstance(item, list | tuple | set | frozenset) or (isinstance(item, _VIEWS) and not is_text):
                self.tick(1 + len(item))
                left.extend(item)
            elif isinstance(item, dict):
                self.tick(1 + 2 * len(item))
                left.extend(item)
                left.extend(item.values())
            elif isinstance(item, range) and not is_text:
                self.tick(1 + len(item))
            else:
                self.tick()
                if is_text and not (item is None or isinstance(item, int | float | Undefined)):
                    raise TemplateError(_no_text(item))

    def _counted(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self.tick()
            yield item

    @pass_context
    def _charge(self, _context: Context, turns: int) -> None:
        self.tick(max(1, turns))

    def _paid(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """A filter or a test that is paid for before it runs."""
        skip = 1 if hasattr(function, "jinja_pass_arg") else 0
        first = self.text if name in _OF_TEXT else self.weigh

        @wraps(function)
        def paid(*args: Any, **more: Any) -> Any:
            self.tick()
            if name in _LIGHT:
                return function(*args, **more)
            subject, rest = args[skip], [self.weigh(one) for one in args[skip + 1 :]]
            if name == "join":  # pays by itself, when it knows its items
                return _bounded(function(*args[:skip], subject, *rest, **more))
            if isinstance(subject, str):
                self._pay_search(subject, rest, more)
            return _bounded(function(*args[:skip], first(subject), *rest, **more))

        return paid

    def _pay_search(self, text: str, args: Iterable[Any], more: Mapping[str, Any]) -> None:
        """At its worst, a search takes as long as the one text times the other."""
        sought = sum(len(one) for one in (*args, *more.values()) if isinstance(one, str))
        self.tick(1 + len(text) * (1 + sought) // CHARACTERS_A_TURN)

    # What templates ask for

    def getattr(self, obj: Any, attribute: str) -> Any:
        """`card.claw` and `stock.width` are by far the most frequent look-ups, and need no check of the sandbox."""
        if isinstance(obj, Values):
            if attribute in obj._values:
                return obj[attribute]
            if attribute not in _METHODS[dict]:
                return self.undefined(obj=obj, name=attribute)
        elif type(obj) is dict and attribute in obj and attribute not in _METHODS_OF_DICT:
            return obj[attribute]
        elif isinstance(obj, str):
            if attribute in TEXT_METHODS:
                return partial(self._text_method, obj, attribute)
            return self.undefined(obj=obj, name=attribute)
        else:
            for kind, names in _METHODS.items():
                if isinstance(obj, kind) and attribute in names:
                    return partial(self._method, getattr(obj, attribute), obj)
            if type(obj).__module__ == "builtins":
                known = isinstance(obj, dict) and attribute in obj
                return obj[attribute] if known else self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        try:
            return obj[argument]
        except (TypeError, LookupError):
            if isinstance(argument, str):
                return self.getattr(obj, str(argument))
        return self.undefined(obj=obj, name=argument)

    def get_template(self, *args: Any, **more: Any) -> Any:
        self.tick()
        return super().get_template(*args, **more)

    def select_template(self, names: Any, *args: Any, **more: Any) -> Any:
        return super().select_template([*self._counted(names)], *args, **more)

    def call(self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        self.tick(1 + len(args) + len(kwargs))
        if not isinstance(__obj, Macro):
            args = tuple([one if type(one) in _NUMBER_TYPES else self.weigh(one) for one in args])
            kwargs = {key: self.weigh(value) for key, value in kwargs.items()}
        return super().call(__context, __obj, *args, **kwargs)

    def _method(self, method: Callable[..., Any], owner: Any, /, *args: Any, **more: Any) -> Any:
        if not isinstance(owner, dict):  # whose methods look at one item, or at none before they are asked for
            self.weigh(owner)
        return method(*args, **more)

    def _text_method(self, text: str, name: str, /, *args: Any, **more: Any) -> Any:
        """Call a method of a text when its result is not too long."""
        if name == "format":
            self.text(text)
            return self._format(text, args, more)
        self._pay_search(text, args, more)
        if name == "join" and args:
            items = list(args[0])
            self._check_join(text, items)
            args = (items, *args[1:])
        elif name in _PADDING and args and isinstance(args[0], int):
            _check_size(args[0])
        elif name == "replace" and len(args) > 1:
            _check_replace(text, args[0], args[1])
        result = _bounded(getattr(text, name)(*args, **more))
        return self.weigh(result) if isinstance(result, list) else result

    def _format(self, text: str, args: Any, more: Mapping[str, Any]) -> str:
        formatter = _MarkupFormatter(self, escape=text.escape) if isinstance(text, Markup) else _Formatter(self)
        made = formatter.vformat(text, args, more)
        return cast(str, _bounded(type(text)(made)))

    def _check_join(self, between: str, items: list[Any]) -> None:
        self.text(items)
        size = sum(len(item) if isinstance(item, str) else len(str(item)) for item in items)
        _check_size(size + len(between) * max(0, len(items) - 1))

    @pass_eval_context
    def _join(self, eval_context: Any, value: Iterable[Any], d: str = "", attribute: str | int | None = None) -> str:
        """Jinja's `join`, measured before it is done."""
        counted = self._counted(value)
        items = list(counted if attribute is None else map(make_attrgetter(self, attribute), counted))
        self._check_join(str(self.text(d)), items)
        return cast(str, do_join(eval_context, items, d))

    @pass_eval_context
    def _joined(self, eval_context: Any, values: list[Any]) -> str:
        """`a ~ b`, measured before it is done."""
        self._check_join("", values)
        return markup_join(values) if eval_context.autoescape else str_join(values)

    def concat(self, parts: Iterable[str]) -> str:
        """What macros and blocks write, as one text."""
        parts = list(parts)
        _check_size(sum(map(len, parts)))
        return "".join(parts)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if type(left) in _NUMBER_TYPES and type(right) in _NUMBER_TYPES and operator in "+-":
            self.tick()
            return _bounded(left + right if operator == "+" else left - right)
        if operator == "**" or (
            operator in "*%" and not (isinstance(left, int | float) and isinstance(right, int | float))
        ):
            raise TooMuch(f'"{operator}" works on numbers only, and powers are not needed')
        self.weigh(left)
        self.weigh(right)
        if operator == "+" and isinstance(left, str | list | tuple) and isinstance(right, str | list | tuple):
            _check_size(len(left) + len(right))
        return _bounded(super().call_binop(context, operator, left, right))

    def preprocess(self, source: str, *args: Any, **kwargs: Any) -> str:
        if len(source) > MOST_CHARACTERS:
            raise TooMuch(f"the template has more than {MOST_CHARACTERS:,} characters")
        return super().preprocess(source, *args, **kwargs)

    def _generate(self, source: nodes.Template, name: str | None, filename: str | None, *more: Any, **by: Any) -> str:
        shape = self.shapes[name or ""] = Shape(filename or "")
        turns, self.turns = self.turns, 0  # of its own, or what was compiled before would leave more for rendering
        try:
            return super()._generate(_Priced(shape).visit(source), name, filename, *more, **by)
        finally:
            self.turns = turns


class _Priced(NodeTransformer):
    """Puts a price on what a template does without calling anything: loops, `a ~ b`, comparing, slices, long bodies.

    As it sees all of the template, it also notes its shape.
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.depth = 0

    def visit_Extends(self, node: nodes.Extends) -> nodes.Node:  # noqa: N802 - Jinja names these
        if isinstance(node.template, nodes.Const):
            self.shape.parents.append(node.template.value)
        else:
            self.shape.is_open = True
        return self.generic_visit(node)

    def visit_Include(self, node: Any) -> nodes.Node:  # noqa: N802
        if isinstance(node.template, nodes.Const) and isinstance(node.template.value, str):
            self.shape.used.append(node.template.value)
        return self.generic_visit(node)

    visit_Import = visit_FromImport = visit_Include  # noqa: N815

    def visit_Block(self, node: nodes.Block) -> nodes.Node:  # noqa: N802
        self.shape.blocks.add(node.name)
        if not self.depth:
            self.shape.outermost[node.name] = node.lineno
        self.depth += 1
        self.body(node)
        self.depth -= 1
        return node

    def visit_Template(self, node: nodes.Template) -> nodes.Node:  # noqa: N802
        extends = False
        for part in node.body:
            extends = extends or isinstance(part, nodes.Extends)
            for one in part.nodes if extends and isinstance(part, nodes.Output) and not self.shape.loose else ():
                if isinstance(one, nodes.TemplateData) and one.data.strip():
                    blank = one.data[: len(one.data) - len(one.data.lstrip())]
                    self.shape.loose = one.lineno + blank.count("\n")
                    break
        return self.body(node)

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _filtered(nodes.List(node.nodes, lineno=node.lineno), "*joined")

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        compared: list[Any] = [node, *node.ops]
        for one in compared:
            if not isinstance(one.expr, nodes.Const):
                one.expr = _filtered(one.expr, "*weighed")
        return node

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        if isinstance(node.arg, nodes.Slice):
            node.node = _filtered(node.node, "*weighed")
        return node

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802
        node.iter = _filtered(node.iter, "*counted")
        return self.body(node)

    def body(self, node: Any) -> nodes.Node:
        """Something whose body is passed again and again."""
        self.generic_visit(node)
        price = sum(1 for _ in node.find_all(nodes.Node)) // NODES_A_TURN
        if price:
            charge = _filtered(nodes.Const(price, lineno=node.lineno), "*charge")
            node.body.insert(0, nodes.ExprStmt(charge, lineno=node.lineno))
        return cast(nodes.Node, node)

    visit_Macro = visit_CallBlock = body  # noqa: N815


class _Measured:
    """What is added to the formatters of Jinja: fields of a bounded width, of things that have a text."""

    _env: Any
    size = 0

    def convert_field(self, value: Any, conversion: Any) -> Any:
        return super().convert_field(self._env.text(value), conversion)  # type: ignore[misc]

    def format_field(self, value: Any, format_spec: str) -> Any:
        if any(int(number[:9]) > MOST_WIDTH for number in re.findall(r"\d+", format_spec)):
            raise TooMuch(f"a field of format is more than {MOST_WIDTH:,} characters wide")
        made = super().format_field(self._env.text(value), format_spec)  # type: ignore[misc]
        self.size += len(made)
        _check_size(self.size)
        return made


class _Formatter(_Measured, SandboxedFormatter):
    pass


class _MarkupFormatter(_Measured, SandboxedEscapeFormatter):
    pass


def _filtered(node: nodes.Node, name: str) -> nodes.Filter:
    return nodes.Filter(cast(nodes.Expr, node), name, [], [], None, None, lineno=node.lineno)


def _no_text(value: object) -> str:
    """What is wrong when a value without a text is to be written."""
    if isinstance(value, Mapping):
        return "a whole card is not a text; write one of its columns, as in card.name"
    if isinstance(value, Iterable):
        return "items that are not joined are not a text; add |join or |list"
    if callable(value):
        return "a function is not a text; call it with ()"
    return "this is not a text"


def _check_size(size: int) -> None:
    if size > MOST_CHARACTERS:
        raise TooMuch(f"a value grows beyond {MOST_CHARACTERS:,} characters")


def _bounded(value: Any) -> Any:
    if isinstance(value, str | list | tuple):
        _check_size(len(value))
    elif type(value) is int and value.bit_length() > MOST_BITS:
        raise TooMuch("a number grows beyond all use")
    return value


def _check_replace(text: str, old: Any, new: Any) -> None:
    if isinstance(old, str) and isinstance(new, str):
        _check_size(len(text) + text.count(old) * len(new))


def _replace(text: str, old: str, new: str) -> str:
    """str.replace, measured before it is done."""
    _check_replace(text, old, new)
    return text.replace(old, new)


def _round(value: float, precision: int = 0, method: str = "common") -> float:
    """Jinja's `round`, but not to a thousand millions of decimals."""
    if abs(precision) > MOST_DECIMALS:
        raise TooMuch(f"numbers are rounded to at most {MOST_DECIMALS} decimals")
    return do_round(value, precision, method)  # type: ignore[arg-type]


def _sum(jinja_sum: Callable[..., Any]) -> Callable[..., Any]:
    """Jinja's `sum`, of numbers only: adding up lists takes the square of their length."""

    @wraps(jinja_sum)
    def add(environment: Any, items: Iterable[Any], attribute: str | int | None = None, start: Any = 0) -> Any:
        if type(start) not in _NUMBER_TYPES:
            raise TemplateError("sum adds numbers")
        return jinja_sum(environment, items, attribute, start)

    return add
