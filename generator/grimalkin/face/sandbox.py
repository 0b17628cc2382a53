"""Jinja for templates that a stranger wrote: no attributes that reach outside, no files outside, bounded work and size.

Jinja's sandbox forbids dangerous attributes but not endless work. Here every turn of a loop and every call counts
against a budget, and text cannot grow beyond a bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from jinja2 import FileSystemLoader, StrictUndefined, nodes
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

MOST_TURNS = 200_000
"""Turns of loops and calls in one rendering."""
MOST_CHARACTERS = 2_000_000

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


_METHODS_OF_DICT = frozenset(dir(dict))
_NUMBER_TYPES = (int, float)


class TooMuch(Exception):
    """A template asks for more work or more text than any face needs."""


class Watched(Mapping[str, Any]):
    """A component's values, which remember whether a template looked at them."""

    __slots__ = ("_values", "seen")

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values
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


class Sandbox(ImmutableSandboxedEnvironment):
    """The environment of all templates. `folders` are searched in order; nothing outside them can be named."""

    intercepted_binops = frozenset(["*", "**", "%", "+"])

    def __init__(self, folders: Iterable[Path], autoescape: bool) -> None:
        super().__init__(
            loader=FileSystemLoader([str(folder) for folder in folders]),
            autoescape=autoescape,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
            auto_reload=False,
        )
        self.turns = 0
        self.filters = {name: self.filters[name] for name in FILTERS}
        self.filters["replace"] = _replace
        self.filters["_counted"] = self._counted
        self.filters["_bounded"] = _bounded
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

    def getattr(self, obj: Any, attribute: str) -> Any:
        """`card.claw` and `stock.width` are by far the most frequent look-ups, and need no check of the sandbox."""
        if type(obj) is Watched and attribute in obj._values:
            return obj[attribute]
        if type(obj) is dict and attribute in obj and attribute not in _METHODS_OF_DICT:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def tick(self) -> None:
        self.turns += 1
        if self.turns > MOST_TURNS:
            raise TooMuch(f"the template takes more than {MOST_TURNS:,} turns")

    def call(self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        self.tick()
        return super().call(__context, __obj, *args, **kwargs)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        self.tick()
        if type(left) in _NUMBER_TYPES and type(right) in _NUMBER_TYPES and operator == "+":
            return left + right
        if operator == "**" or (operator in "*%" and not _numbers(left, right)):
            raise TooMuch(f'"{operator}" works on numbers only, and powers are not needed')
        return _bounded(super().call_binop(context, operator, left, right))

    def _generate(self, source: nodes.Template, *args: Any, **kwargs: Any) -> str:
        for loop in list(source.find_all(nodes.For)):
            loop.iter = _filtered(loop.iter, "_counted")
        _bound_joins(source)
        return super()._generate(source, *args, **kwargs)

    def _counted(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self.tick()
            yield item


def _bound_joins(node: nodes.Node) -> None:
    """Wrap every `a ~ b`, so that a text cannot double for ever."""
    for name, value in list(node.iter_fields()):
        if isinstance(value, nodes.Node):
            _bound_joins(value)
            if isinstance(value, nodes.Concat):
                setattr(node, name, _filtered(value, "_bounded"))
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, nodes.Node):
                    _bound_joins(item)
                    if isinstance(item, nodes.Concat):
                        value[index] = _filtered(item, "_bounded")


def _filtered(node: nodes.Node, name: str) -> nodes.Filter:
    return nodes.Filter(cast(nodes.Expr, node), name, [], [], None, None, lineno=node.lineno)


def _numbers(*values: object) -> bool:
    return all(isinstance(value, int | float) and abs(value) < 1e12 for value in values)


def _bounded(value: Any) -> Any:
    if isinstance(value, str | list | tuple) and len(value) > MOST_CHARACTERS:
        raise TooMuch(f"a value grows beyond {MOST_CHARACTERS:,} characters")
    return value


def _replace(text: str, old: str, new: str) -> str:
    """str.replace, bounded before it is done."""
    _bounded(text)
    if len(text) + str(text).count(old) * len(new) > MOST_CHARACTERS:
        raise TooMuch(f"a value grows beyond {MOST_CHARACTERS:,} characters")
    return text.replace(old, new)
