"""Jinja for templates that a stranger wrote: plain data in, text out, and no more work than a face needs.

Two rules keep a template inside. *What it holds is plain*: texts, numbers, lists and mappings, macros and loops of its
own, and a short list of functions. `a.b` is an item of a mapping and never an attribute of a Python object; a method is
a name in a table, called at once and never held. *What it does is paid for* out of one budget of turns, before it is
done: a call, a turn of a loop, an item that a filter reads, some characters of a text. What could grow beyond its price
(padding, joining, replacing, formatting) is measured first.
"""

from __future__ import annotations

import math
import os
import re
import sys
import time
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from functools import partial, wraps
from pathlib import Path
from string import Formatter
from typing import Any, cast

from jinja2 import (
    BaseLoader,
    BytecodeCache,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    Undefined,
    UndefinedError,
    nodes,
    pass_context,
    pass_environment,
    pass_eval_context,
)
from jinja2.environment import TemplateModule
from jinja2.filters import do_join, do_round, do_sum, make_attrgetter
from jinja2.loaders import split_template_path
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, TemplateReference, markup_join, str_join
from jinja2.sandbox import SandboxedEnvironment, safe_range
from jinja2.utils import Namespace, missing
from markupsafe import Markup

from grimalkin.face.parsed import Parsed, parsed_of
from grimalkin.face.priced import (
    CHARACTERS_A_TURN,
    MOST_BITS,
    MOST_TOKENS_OF_ALL,
    Counted,
    Priced,
    TooMuch,
    check_scopes,
)
from grimalkin.problems import Problems, Stop
from grimalkin.source.reading import read_text
from grimalkin.source.tables import Number

MOST_TURNS = 200_000
"""Turns of loops, calls and whatever else costs time in one rendering."""
MOST_SECONDS = 20.0
"""Of the processor, for one rendering: a net below the turns, of which all that there are take less than two."""
TURNS_A_LOOK = 64
"""Payments from one look at the clock to the next."""
MOST_CHARACTERS = 2_000_000
"""Characters of a template, of a rendering, and of any one text in it."""
NAMES_A_TURN = 50
"""That what is included or imported knows: they are handed on one by one."""
CHARACTERS_A_CUT = 25
"""Of what a function writes: it works out every number of it."""
MOST_DEPTH = 50
"""Of lists within lists."""
TURNS_A_FILE = 5
"""Of an include or import: it looks for a file, or at least for one that was read."""
MOST_PATH = 200
"""Characters of the name of a template."""
MOST_FAILED = 1_000
"""Templates of which it is known why they cannot be used."""
MOST_ABSENT = 100
"""Columns that a card lacks, in one rendering."""
MOST_WIDTH = 1_000
"""Of a field of `format`, and of its decimals."""
MOST_DECIMALS = 20

FILTERS = {
    "abs": "a number without its sign",
    "capitalize": "the first letter large, the others small",
    "default": "what to take when there is nothing: `default(0)`",
    "dictsort": "the pairs of a mapping, sorted",
    "e": "the same as `escape`",
    "escape": "text that is safe inside SVG; everything is, unless you say otherwise",
    "first": "the first of a list",
    "float": "text as a number",
    "groupby": "a list parted by what its items have in common",
    "int": "text or a number as a whole number",
    "items": "the pairs of a mapping",
    "join": 'a list as one text: `join(", ")`',
    "last": "the last of a list",
    "length": "how many",
    "list": "anything that can be looped over, as a list",
    "lower": "small letters",
    "map": 'one thing of every item: `map(attribute="id")`',
    "max": "the largest",
    "min": "the smallest",
    "reject": "a list without the items that pass a test",
    "rejectattr": 'the same by one of their values: `rejectattr("power")`',
    "replace": 'text with one thing put for another: `replace("a", "b")`',
    "reverse": "backwards",
    "round": "a number rounded: `round(2)`",
    "safe": "text that is SVG already",
    "select": "only the items that pass a test",
    "selectattr": 'the same by one of their values: `selectattr("kind", "equalto", "owl")`',
    "sort": 'a list sorted: `sort(attribute="power")`',
    "string": "anything as text",
    "sum": "all numbers together",
    "title": "Every Word With A Large Letter",
    "trim": "text without spaces around it",
    "unique": "each item once",
    "upper": "large letters",
}
"""The filters a template may use, and what each gives."""

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
    str: TEXT_METHODS,
    dict: frozenset(["get", "items", "keys", "values"]),
    list: frozenset(["count", "index"]),
    tuple: frozenset(["count", "index"]),
    float: frozenset(["is_integer"]),
    LoopContext: frozenset(["changed", "cycle"]),
}
_COMPARING = frozenset(["max", "min", "unique"])
"""Filters that take each item twice: to make it comparable, and to compare it."""
_OF_ANYTHING = frozenset(["changed", "cycle", "get", "join"])
"""Methods that take more than texts and numbers: values for later, or all texts of a list."""
_OF_NAMES = {
    "map": 1, "reject": 1, "select": 1, "rejectattr": 2, "selectattr": 2,
    "groupby": 9, "replace": 9, "sort": 9, "trim": 9,
}  # fmt: skip
"""How many of the further values of a filter are names, attributes or texts."""
_LOOP = frozenset(
    ["depth", "depth0", "first", "index", "index0", "last", "length", "nextitem", "previtem", "revindex", "revindex0"]
)
_NUMBER_TYPES = (int, float, Number)
_PLAIN = (*_NUMBER_TYPES, bool, type(None))
_KEYS = (str, Markup, *_PLAIN)
_OWN_CALLABLES = (BlockReference, LoopContext, Macro)
"""What a template makes for itself and may call."""
_NOT_THERE = object()
# A union written where it is asked for would be made anew each time, which takes longer than the question.
_LISTS = (list, tuple)
_MAPPINGS = (dict, Namespace)
_SEQUENCES = (str, list, tuple)
_COUNTABLE = (str, list, tuple, dict, range)
_GIVEN_OUT = (Iterator, KeysView, ItemsView, ValuesView)
_READY = (str, Markup, list, dict, tuple, *_PLAIN)
"""What needs no look at whether it gives out its items."""


class MissingName(UndefinedError):
    """A template asks for what is not there. `owner` is where it was looked for, `missing` when nowhere certain."""

    def __init__(self, message: str, owner: Any, name: Any) -> None:
        super().__init__(message)
        self.owner, self.name = owner, name


class Missing(StrictUndefined):
    """What is not there; the error that tells of it knows where it was looked for."""

    __slots__ = ()

    def __init__(self, hint: str | None = None, obj: Any = missing, name: Any = None, *_: Any) -> None:
        super().__init__(hint, obj, name, cast(Any, partial(MissingName, owner=obj, name=name)))


class Absent(Missing):
    """A column that the card of a draft lacks. It prints as a mark, which is noted; any other use of it fails."""

    __slots__ = ("note",)
    note: Callable[[MissingName], None]

    def __str__(self) -> str:  # type: ignore[override]  # other undefined values always fail
        self.note(MissingName("", self._undefined_obj, self._undefined_name))
        return f"[{str(self._undefined_name)[:40].replace('_', '-')}?]"


def _place_here() -> tuple[str, int]:
    """Return the file and the line of the running template."""
    frame = sys._getframe(1)
    while "__jinja_template__" not in frame.f_globals:
        assert frame.f_back is not None
        frame = frame.f_back
    template = frame.f_globals["__jinja_template__"]
    return template.filename, template.get_corresponding_lineno(frame.f_lineno)


class _Templates(BaseLoader):
    """Templates in folders, searched in order. A link that leads out of all of `roots` is a problem."""

    def __init__(self, folders: Iterable[Path], roots: Iterable[Path]) -> None:
        self.folders = list(folders)
        self.roots = list(roots)

    def get_source(self, environment: Any, template: str) -> tuple[str, str, Callable[[], bool] | None]:
        parts = split_template_path(template)
        if "/".join(parts) != template:  # one file has one name, or it would be compiled once for each
            raise TemplateNotFound(template)
        for folder in self.folders if parts else ():
            path = folder.joinpath(*parts)
            if not os.path.lexists(path):
                continue
            problems = Problems()
            root = next((root for root in self.roots if folder.is_relative_to(root)), folder)
            text = read_text(path, problems, root)
            if text is None:
                raise Stop(problems)
            return text, str(path), None
        raise TemplateNotFound(template)


class _Context(Context):
    """Notes which names a rendering asks for. Each include hands all names on, and pays for them."""

    def __init__(self, environment: Any, parent: dict[str, Any], *args: Any, **more: Any) -> None:
        if len(parent) >= NAMES_A_TURN:
            environment.tick(len(parent) // NAMES_A_TURN)
        super().__init__(environment, parent, *args, **more)

    def resolve_or_missing(self, key: str) -> Any:
        cast(Sandbox, self.environment).asked.add(key)
        return self.vars[key] if key in self.vars else self.parent.get(key, missing)


class Sandbox(SandboxedEnvironment):
    """The environment of all templates. `folders` are searched in order; nothing outside them can be named.

    Links may lead anywhere in the first of `roots` that holds their folder, by default in the folder itself.
    `functions` are what a template may call by name. `compiled` keeps templates between runs, with their shapes.
    """

    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "%", "**"])
    context_class = _Context

    def __init__(
        self,
        folders: Iterable[Path],
        autoescape: bool,
        compiled: BytecodeCache | None = None,
        roots: Iterable[Path] = (),
        functions: Mapping[str, Callable[..., Any]] | None = None,
    ) -> None:
        self.turns = 0
        self.looks = 0
        self.until = math.inf
        """When a rendering has taken too much of the processor."""
        self.tokens = 0
        """Words and signs of all templates that were read."""
        self.before = 0
        """The same, before the one that is read now."""
        self.failed: dict[str, Exception] = {}
        """Why templates cannot be read or compiled, by their names: each is tried once."""
        self.asked: set[str] = set()
        """The names that the last rendering looked up."""
        self.parsed: dict[str, Parsed] = {}
        """The templates that were read, by their names."""
        self.names: dict[str, Any] = {}
        """What the last rendering that failed knew by name."""
        self.marks_absent = False
        """Whether a mark is printed for a column that a row lacks."""
        self.absent: dict[tuple[str, int, str], MissingName] = {}
        """Missing columns in the last rendering: the file and the line that print them, and their names."""
        self.rows: frozenset[int] = frozenset()
        """Identities of mappings that come with the game: no template can nest them, so that each is paid as one."""
        super().__init__(
            loader=_Templates(folders, roots),
            autoescape=autoescape,
            undefined=Missing,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
            auto_reload=False,
            optimized=False,  # what is constant is worked out when it is rendered, and paid for then
            bytecode_cache=compiled,
            finalize=self._written,
            extensions=[Counted],
        )
        own: dict[str, Callable[..., Any]] = {"replace": _replace, "round": _round, "sum": _sum}
        self.filters = {
            name: self._paid(name, own.get(name) or self.filters[name], self.text if name in _OF_TEXT else self.weigh)
            for name in FILTERS
        }
        self.filters["join"] = self._join
        self.tests = {name: self._paid(name, cast(Any, test), self.weigh) for name, test in self.tests.items()}
        # No template can name these; only a string given to `map` can, and they do no harm there.
        self.filters["*counted"] = self._counted
        self.filters["*weighed"] = self.weigh
        self.filters["*keyed"] = self._keyed
        self.filters["*joined"] = self._joined
        self.filters["*charge"] = self.tick
        self.filters["*method"] = self._method
        self.globals = {"range": safe_range, "dict": _dict, "namespace": _namespace, **(functions or {})}
        self.functions = list(self.globals.values())
        """All that a template may call by name."""

    def render(self, name: str, context: dict[str, Any]) -> str:
        """Render a template. Raises what Jinja raises, TooMuch, and Stop when a file of it cannot be read."""
        self.turns = self.looks = 0
        self.until = time.thread_time() + MOST_SECONDS
        self.asked = set()
        self.absent = {}
        chunks: list[str] = []
        size = 0
        template = self.get_template(name)
        known = template.new_context(context)
        try:
            for chunk in template.root_render_func(known):
                size += len(chunk)
                if size > MOST_CHARACTERS:
                    raise TooMuch(f"the template writes more than {MOST_CHARACTERS:,} characters")
                chunks.append(chunk)
        except Exception:
            self.names = known.get_all()
            self.handle_exception()  # raises it again, with the lines of the template
        return "".join(chunks)

    # Paying

    def tick(self, turns: int = 1) -> None:
        self.turns += turns if turns > 1 else 1
        if self.turns > MOST_TURNS:
            raise TooMuch(f"the template takes more than {MOST_TURNS:,} turns")
        self.looks += 1
        if not self.looks % TURNS_A_LOOK and time.thread_time() > self.until:
            raise TooMuch(f"the template takes more than {MOST_SECONDS:g} seconds")

    def text(self, value: Any) -> Any:
        """Pay for a value that is to be written: nothing for an empty one.

        What has no text of its own is a fault of the template.
        """
        if value is None:
            value = ""
        kind = type(value)
        if kind is str or kind is Markup:
            self.tick(1 + len(value) // CHARACTERS_A_TURN)
        elif kind in _NUMBER_TYPES or isinstance(value, Undefined):
            self.tick()
            if kind is float and not math.isfinite(value):
                raise TooMuch("a number grows beyond all use")
        else:
            raise TemplateError(_no_text(value))
        return value

    @pass_context  # or Jinja would write what is constant without asking
    def _written(self, _context: Context, value: Any) -> Any:
        return self.text(value)

    def plain(self, value: Any) -> Any:
        """Pay for a value that Python may write or look at as it is: a text, a number, or nothing."""
        if not isinstance(value, str | int | float | None):
            if isinstance(value, Undefined):
                str(value)  # tells what is not defined
            raise TemplateError(_no_text(value))
        return self.weigh(value)

    def weigh(self, value: Any) -> Any:
        """Pay for all that is in a value: one list may stand in many places, and is paid at each."""
        kind = type(value)
        if kind is str or kind is Markup:
            self.tick(1 + len(value) // CHARACTERS_A_TURN)
        elif kind in _PLAIN or id(value) in self.rows or (kind in _COUNTABLE and not value):
            self.tick()
        else:
            left = [(value, 0)]
            while left:
                item, depth = left.pop()
                if isinstance(item, str):
                    self.tick(1 + len(item) // CHARACTERS_A_TURN)
                elif isinstance(item, _MAPPINGS) and id(item) not in self.rows:
                    item = item._Namespace__attrs if isinstance(item, Namespace) else item
                    others = self._not_light(item.values())
                    keys = sum(len(key) for key in item if isinstance(key, str)) // CHARACTERS_A_TURN
                    self.tick(1 + 3 * len(item) - len(others) + keys)
                    left += [(inner, depth + 1) for inner in others]
                elif isinstance(item, _LISTS):
                    heavy = [inner for inner in item if type(inner) not in _PLAIN]
                    others = self._not_light(heavy)
                    self.tick(1 + len(item) + len(heavy) - len(others))
                    left += [(inner, depth + 1) for inner in others]
                else:
                    self.tick(1 + len(item) if isinstance(item, range) else 1)
                if depth > MOST_DEPTH:
                    raise TooMuch(f"lists lie more than {MOST_DEPTH} deep in each other")
        return value

    def _not_light(self, items: Iterable[Any]) -> list[Any]:
        """All but what takes one turn by itself: short texts, what is plain, and rows of the game."""
        return [
            one
            for one in items
            if type(one) not in _PLAIN
            and (type(one) is not str or len(one) >= CHARACTERS_A_TURN)
            and id(one) not in self.rows
        ]

    def _keyed(self, value: Any) -> Any:
        """Pay for something to find a value by: it is compared with other keys."""
        if isinstance(_key(value), str) and len(value) >= CHARACTERS_A_TURN:
            self.weigh(value)
        return value

    def _counted(self, items: Any) -> Any:
        """Pay for a loop over all items."""
        if isinstance(items, Undefined):
            str(items)  # tells what is not defined
        if not isinstance(items, _COUNTABLE):
            raise TemplateError("this cannot be gone through item by item")
        self.tick(1 + len(items))
        return items

    def _paid(self, name: str, function: Callable[..., Any], first: Callable[[Any], Any]) -> Callable[..., Any]:
        """A filter or a test that is paid for before it runs, what it is used on with `first`."""
        skip = 1 if hasattr(function, "jinja_pass_arg") else 0
        is_light, names = name in _LIGHT, _OF_NAMES.get(name, 0)

        @wraps(function)
        def paid(*args: Any, **more: Any) -> Any:
            self.tick()
            if is_light:
                return function(*args, **more)
            subject, rest = args[skip], args[skip + 1 :]
            if rest:
                rest = tuple([self.plain(one) if at < names else self.weigh(one) for at, one in enumerate(rest)])
            if more:
                more = {key: self.plain(value) if names else self.weigh(value) for key, value in more.items()}
            if isinstance(subject, str):
                self._pay_search(subject, rest, more)
            if name in _COMPARING and isinstance(subject, _COUNTABLE):
                self.tick(len(subject))
            made = self._plain(function(*args[:skip], first(subject), *rest, **more))
            return self.weigh(made) if isinstance(subject, str) else made

        return paid

    def _pay_search(self, text: str, args: Iterable[Any], more: Mapping[str, Any]) -> None:
        """At its worst, a search takes as long as the one text times the other."""
        sought = sum(len(one) for one in (*args, *more.values()) if isinstance(one, str))
        self.tick(1 + len(text) * (1 + sought) // CHARACTERS_A_TURN)

    def _plain(self, value: Any) -> Any:
        """What a filter or a method gives, with the items of an iterator or a view there, and of a bounded size."""
        if type(value) not in _READY and isinstance(value, _GIVEN_OUT):
            items = []
            for item in value:
                self.tick()
                items.append(item)
            return items
        return _bounded(value)

    # What templates ask for

    def getattr(self, obj: Any, attribute: str) -> Any:
        found = self._look(obj, attribute)
        if found is not _NOT_THERE:
            return found
        self.tick()
        if self.marks_absent and id(obj) in self.rows:
            absent = Absent(obj=obj, name=attribute)
            absent.note = self._note_absent
            return absent
        return self.undefined(obj=obj, name=attribute)

    def _note_absent(self, error: MissingName) -> None:
        if len(self.absent) < MOST_ABSENT:
            self.absent.setdefault((*_place_here(), error.name), error)

    def getitem(self, obj: Any, argument: Any) -> Any:
        self.tick()  # filters come here for each part of a path
        if isinstance(argument, str):
            if len(argument) >= CHARACTERS_A_TURN:
                self.tick(len(argument) // CHARACTERS_A_TURN)  # it may be compared with a key
            return self.getattr(obj, argument)
        if isinstance(obj, Undefined):
            str(obj)  # tells what is not defined
        if isinstance(obj, _COUNTABLE):
            try:
                return obj[self.plain(argument)]
            except (TypeError, LookupError):
                pass
        return self.undefined(obj=obj, name=self.plain(argument))

    def _look(self, obj: Any, name: str) -> Any:
        """What stands under a name in a mapping, or in what a template made itself. Attributes of Python never do."""
        if type(obj) is dict:
            return obj.get(name, _NOT_THERE)
        if isinstance(obj, Undefined):
            str(obj)  # tells what is not defined
        if isinstance(obj, Namespace):
            return obj._Namespace__attrs.get(name, _NOT_THERE)
        if isinstance(obj, TemplateModule) and not name.startswith("_"):
            return vars(obj).get(name, _NOT_THERE)
        if isinstance(obj, LoopContext) and name in _LOOP:
            return getattr(obj, name)
        if isinstance(obj, TemplateReference):
            try:
                return obj[name]
            except KeyError:
                return _NOT_THERE
        if isinstance(obj, BlockReference) and name == "super":
            return obj.super
        if isinstance(obj, tuple) and name in getattr(obj, "_fields", ()):  # what groupby makes
            return getattr(obj, name)
        return _NOT_THERE

    def get_template(self, name: Any, *args: Any, **more: Any) -> Any:
        self.tick(TURNS_A_FILE)
        if not isinstance(name, str):
            return super().get_template(name, *args, **more)
        if len(name) > MOST_PATH:
            raise TooMuch(f"the name of a template has more than {MOST_PATH} characters")
        if name in self.failed:
            raise self.failed[name].with_traceback(None)
        is_new = name not in self.parsed
        before = self.tokens
        try:
            found = super().get_template(name, *args, **more)
        except Exception as error:
            if len(self.failed) < MOST_FAILED:
                self.failed[name] = error
            raise
        if is_new and name in self.parsed and self.tokens == before:  # it was compiled by an earlier run
            self.count_tokens(self.parsed[name].tokens)
        return found

    def count_tokens(self, count: int = 1) -> None:
        """Count words and signs of templates before they are compiled, which takes long."""
        self.tokens += count
        if self.tokens > MOST_TOKENS_OF_ALL:
            raise TooMuch(f"all templates together have more than {MOST_TOKENS_OF_ALL:,} words and signs")

    def select_template(self, names: Any, *args: Any, **more: Any) -> Any:
        return super().select_template(self._counted(names), *args, **more)

    def call(self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a macro, a block, a loop, or a function written for templates; nothing else can be called."""
        if not isinstance(__obj, _OWN_CALLABLES) and not any(__obj is one for one in self.functions):
            if isinstance(__obj, Undefined):
                str(__obj)  # tells what is not defined
            raise TemplateError("this cannot be called; only macros, methods and functions can")
        kwargs = {key: value for key, value in kwargs.items() if key not in ("_loop_vars", "_block_vars")}
        self.tick(1 + len(args) + len(kwargs))
        if not isinstance(__obj, Macro):
            for one in (*args, *kwargs.values()):
                if isinstance(one, Undefined):
                    str(one)  # tells what is not defined
            args = tuple([one if type(one) in _NUMBER_TYPES else self.weigh(one) for one in args])
            kwargs = {key: self.weigh(value) for key, value in kwargs.items()}
        made = _bounded(__context.call(__obj, *args, **kwargs))
        if isinstance(made, str) and not isinstance(__obj, _OWN_CALLABLES):
            self.tick(1 + len(made) // CHARACTERS_A_CUT)  # also when it is thrown away
        return made

    @pass_context
    def _method(self, context: Context, owner: Any, name: str, /, *args: Any, **more: Any) -> Any:
        """`owner.name(…)`: a macro that the owner holds, or a method out of the table."""
        found = self._look(owner, name)
        if found is not _NOT_THERE:
            return self.call(context, found, *args, **more)
        self.tick(1 + len(args) + len(more))
        if name not in _METHODS.get(type(owner), ()) and not any(
            isinstance(owner, kind) and name in names for kind, names in _METHODS.items()
        ):
            str(self.undefined(obj=owner, name=name))  # tells that there is none
        pay = self.weigh if name in _OF_ANYTHING else self.plain
        args = tuple([pay(one) for one in args])
        more = {key: pay(value) for key, value in more.items()}
        if isinstance(owner, str):
            return self._text_method(owner, name, args, more)
        if isinstance(owner, _LISTS):  # whose methods look at every item; the others look at one
            self.weigh(owner)
        return self._plain(getattr(owner, name)(*args, **more))

    def _text_method(self, text: str, name: str, args: tuple[Any, ...], more: Mapping[str, Any]) -> Any:
        """Call a method of a text when its result is not too long."""
        if name == "format":
            args, more = tuple(map(self.text, args)), {key: self.text(value) for key, value in more.items()}
            self._pay_format(text, args, more)
        else:
            self._pay_search(text, args, more)
        for number in (one for one in (*args, *more.values()) if isinstance(one, int)):
            _check_size(number)  # to which a text may be filled up
        if name == "join" and args:
            args = (self._texts(args[0], text), *args[1:])
        elif name == "replace" and len(args) > 1:
            _check_replace(text, args[0], args[1])
        result = _bounded(getattr(text, name)(*args, **more))
        return self.weigh(result) if isinstance(result, _LISTS) else result

    def _pay_format(self, text: str, args: Iterable[Any], more: Mapping[str, Any]) -> None:
        """For what may come of it. Fields are names or numbers, of a bounded width, and what fills them is a text."""
        longest = max((len(str(value)) for value in (*args, *more.values())), default=0)
        size = len(text)
        for _, name, spec, _ in Formatter().parse(text):
            self.tick()
            if not re.fullmatch(r"\w{0,20}", name or ""):
                raise TemplateError(f'a field of format is a name or a number, not "{name}"')
            if "{" in (spec or "") or any(
                len(number) > 4 or int(number) > MOST_WIDTH for number in re.findall(r"\d+", spec or "")
            ):
                raise TooMuch(f"a field of format has a width of its own, of at most {MOST_WIDTH:,} characters")
            size += longest + (MOST_WIDTH if spec else 0)
        _check_size(size)
        self.tick(1 + size // CHARACTERS_A_TURN)

    def _texts(self, items: Iterable[Any], between: str = "") -> list[Any]:
        """What is to be joined, as it is written; measured before it is done."""
        texts = [self.text(item) for item in items]
        size = sum(len(str(text)) for text in texts)
        _check_size(size + len(between) * max(0, len(texts) - 1))
        return texts

    @pass_eval_context
    def _join(self, eval_context: Any, value: Any, d: str = "", attribute: str | int | None = None) -> str:
        """Jinja's `join`, measured before it is done."""
        items = list(self._counted(value))
        if attribute is not None:
            items = list(map(make_attrgetter(self, self.weigh(attribute)), items))
        d = self.text(d)
        return cast(str, do_join(eval_context, self._texts(items, str(d)), d))

    @pass_eval_context
    def _joined(self, eval_context: Any, values: list[Any]) -> str:
        """`a ~ b`, measured before it is done."""
        texts = self._texts(values)
        return markup_join(texts) if eval_context.autoescape else str_join(texts)

    def concat(self, parts: Iterable[str]) -> str:
        """What macros and blocks write, as one text."""
        parts = list(parts)
        size = sum(map(len, parts))
        _check_size(size)
        self.tick(1 + size // CHARACTERS_A_TURN)
        return "".join(parts)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if type(left) in _NUMBER_TYPES and type(right) in _NUMBER_TYPES and operator != "**":
            self.tick(1 if operator in "+-" else 2)
            return _bounded(self.binop_table[operator](left, right))
        if operator in "*%" and (left is None or right is None):
            raise TemplateError(f'"{operator}" works on numbers, and this cell is empty; ask first with {{% if %}}')
        if operator == "**" or (
            operator in "*%" and not (isinstance(left, _NUMBER_TYPES) and isinstance(right, _NUMBER_TYPES))
        ):
            raise TooMuch(f'"{operator}" works on numbers only, and powers are not needed')
        self.weigh(left)
        self.weigh(right)
        if operator == "+" and isinstance(left, _SEQUENCES) and isinstance(right, _SEQUENCES):
            _check_size(len(left) + len(right))
        return _bounded(super().call_binop(context, operator, left, right))

    def preprocess(self, source: str, *args: Any, **kwargs: Any) -> str:
        if len(source) > MOST_CHARACTERS:
            raise TooMuch(f"the template has more than {MOST_CHARACTERS:,} characters")
        self.before = self.tokens
        return super().preprocess(source, *args, **kwargs)

    def _generate(self, source: nodes.Template, name: str | None, filename: str | None, *more: Any, **by: Any) -> str:
        check_scopes(source)
        self.parsed[name or ""] = parsed_of(source, filename or "", self.tokens - self.before)
        return super()._generate(Priced().visit(source), name, filename, *more, **by)


def _no_text(value: object) -> str:
    """What is wrong when a value without a text is to be written."""
    if isinstance(value, dict):
        return "a whole card is not a text; write one of its columns, as in card.name"
    if isinstance(value, list | tuple | range):
        return 'a list is not a text; write what is in it, as in |join(", ")'
    if isinstance(value, bool):
        return 'yes or no is not a text; write the words, as in {{ "boss" if card.boss }}'
    if callable(value):
        return "a function is not a text; call it with ()"
    return "this is not a text"


def _key(value: Any) -> Any:
    """Something to find a value by. Comparing lists within lists could take for ever."""
    if type(value) not in _KEYS:
        raise TemplateError("a value is found by a text or a number")
    return value


def _dict(of: Any = (), /, **more: Any) -> dict[Any, Any]:
    """The `dict` of templates: out of another mapping or of pairs, and of named values."""
    pairs = of.items() if isinstance(of, dict) else of
    return {**{_key(key): value for key, value in pairs}, **more}


def _namespace(**values: Any) -> Namespace:
    """The `namespace` of templates: values that a loop may change."""
    return Namespace(**values)


def _check_size(size: int) -> None:
    if size > MOST_CHARACTERS:
        raise TooMuch(f"a value grows beyond {MOST_CHARACTERS:,} characters")


def _bounded(value: Any) -> Any:
    if isinstance(value, _SEQUENCES):
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


@pass_environment
def _sum(environment: Any, items: Iterable[Any], attribute: str | int | None = None, start: Any = 0) -> Any:
    """Jinja's `sum`, of numbers only: adding up lists takes the square of their length."""
    if type(start) not in _NUMBER_TYPES:
        raise TemplateError("sum adds numbers")
    return do_sum(environment, items, attribute, start)
