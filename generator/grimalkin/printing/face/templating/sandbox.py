"""Jinja for untrusted templates: plain data in, text out, and no more work than a face needs.

Two rules confine a template. *It has only plain values*: texts, numbers, lists and mappings, its own macros and loops,
and a short list of functions. `a.b` is an item of a mapping, never an attribute of a Python object; a method is a name
in a table, called immediately and never kept. *It pays for its work in advance* from one budget of turns: for each
call, turn of a loop, item that a filter reads, and number of characters in a text. Any result that could outgrow its
price (from padding, joining, replacing or formatting) is measured first.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial, wraps
from pathlib import Path
from typing import Any, cast

from jinja2 import (
    BaseLoader,
    BytecodeCache,
    StrictUndefined,
    Template,
    TemplateError,
    TemplateNotFound,
    Undefined,
    UndefinedError,
    nodes,
    pass_context,
    pass_environment,
    pass_eval_context,
)
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.filters import do_join, do_round, do_sum, make_attrgetter
from jinja2.loaders import split_template_path
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, TemplateReference, markup_join, str_join
from jinja2.sandbox import SandboxedEnvironment, safe_range
from jinja2.utils import Namespace, missing
from markupsafe import Markup, escape

from grimalkin.printing.face.templating.allowed import (
    COMPARING,
    FILTERS,
    LIGHT,
    LOOP,
    METHODS,
    OF_ANYTHING,
    OF_NAMES,
    OF_TEXT,
)
from grimalkin.printing.face.templating.budget import (
    COUNTABLE,
    LISTS,
    MOST_CHARACTERS,
    NUMBER_TYPES,
    SEQUENCES,
    Budget,
    bounded,
    check_size,
    key_of,
)
from grimalkin.printing.face.templating.reads import Row
from grimalkin.printing.face.templating.repeats import Repeats, key_of_call
from grimalkin.printing.face.templating.template_trees import (
    CHARACTERS_A_TURN,
    MOST_TOKENS_OF_ALL,
    Counted,
    Parsed,
    Priced,
    TooMuch,
    check_scopes,
    parsed_of,
)
from grimalkin.problems import Problems, Stop
from grimalkin.source.reading import read_text

NAMES_A_TURN = 50
"""The number of names passed to an included or imported template for one turn: they are copied one by one."""
CHARACTERS_A_CUT = 25
"""Characters of a drawing function's output for one turn: the function computes every number in it."""
TURNS_A_FILE = 5
"""The cost of an include or import, which looks for a file, even if only among those already read."""
MOST_PATH = 200
"""The limit for the characters of a template's name."""
MOST_FAILED = 1_000
"""The limit for templates whose reason for failure is kept."""
MOST_ABSENT = 100
"""The limit for missing columns in one rendering."""
MOST_DECIMALS = 20
_OWN_CALLABLES = (BlockReference, LoopContext, Macro)
"""Callables that a template makes itself."""
_NOT_THERE = object()


class MissingName(UndefinedError):
    """A missing name that a template uses. `owner` is where it was looked up, or `missing` if that is uncertain."""

    def __init__(self, message: str, owner: Any, name: Any) -> None:
        super().__init__(message)
        self.owner, self.name = owner, name


class Missing(StrictUndefined):
    """A missing value, whose error says where it was looked up."""

    __slots__ = ()

    def __init__(self, hint: str | None = None, obj: Any = missing, name: Any = None, *_: Any) -> None:
        super().__init__(hint, obj, name, cast(Any, partial(MissingName, owner=obj, name=name)))


class Absent(Missing):
    """A column that a draft's card lacks. It prints as a mark, which is recorded; any other use fails."""

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
    """Templates in folders, searched in order. A link to a target outside all `roots` is a problem."""

    def __init__(self, folders: Iterable[Path], roots: Iterable[Path]) -> None:
        self.folders = list(folders)
        self.roots = list(roots)

    def get_source(self, environment: Any, template: str) -> tuple[str, str, Callable[[], bool] | None]:
        parts = split_template_path(template)
        if "/".join(parts) != template:  # one file has one name; otherwise it would be compiled for each of them
            raise TemplateNotFound(template)
        if any(part.startswith(".") for part in parts):  # hidden files are no part of a game
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
    """A context that records the names that a rendering looks up. Each include copies all names, and pays for them."""

    def __init__(self, environment: Any, parent: dict[str, Any], *args: Any, **more: Any) -> None:
        if len(parent) >= NAMES_A_TURN:
            environment.budget.tick(len(parent) // NAMES_A_TURN)
        super().__init__(environment, parent, *args, **more)

    def resolve_or_missing(self, key: str) -> Any:
        cast(Sandbox, self.environment).asked.add(key)
        return self.vars[key] if key in self.vars else self.parent.get(key, missing)


class _Generator(CodeGenerator):
    """A generator of code in which writing a value, the commonest thing that templates do, is one call."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write("environment.escaped(")
        else:
            super()._output_child_pre(node, frame, finalize)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write(")")
        else:
            super()._output_child_post(node, frame, finalize)


class _Template(Template):
    """A template that hands over its macros when it is first imported without a context."""

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:
        is_first = self._module is None
        module = super()._get_default_module(ctx)
        if is_first and self._module is module:
            cast(Sandbox, self.environment).note_macros(self.name or "", vars(module).values())
        return module


class Sandbox(SandboxedEnvironment):
    """The environment for all templates. `folders` are searched in order; templates cannot name files outside them.

    Links may lead anywhere in the first of `roots` that contains their folder, by default only within the folder
    itself. Templates may call `functions` by name. `compiled` caches templates between runs, with their shapes.
    """

    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "%", "**"])
    context_class = _Context
    code_generator_class = _Generator
    template_class = _Template

    def __init__(
        self,
        folders: Iterable[Path],
        autoescape: bool,
        compiled: BytecodeCache | None = None,
        roots: Iterable[Path] = (),
        functions: Mapping[str, Callable[..., Any]] | None = None,
    ) -> None:
        self.budget = Budget()
        self.tokens = 0
        """The number of tokens in all templates read so far."""
        self.before = 0
        """The number of tokens in all templates before the current one."""
        self.failed: dict[str, Exception] = {}
        """The errors of templates that cannot be read or compiled, by name: each is tried once."""
        self.asked: set[str] = set()
        """The names that the last rendering looked up."""
        self.parsed: dict[str, Parsed] = {}
        """The templates read so far, by name."""
        self.repeats = Repeats()
        self.names: dict[str, Any] = {}
        """The names available to the last failed rendering, with their values."""
        self.marks_absent = False
        """Whether a column missing from a row prints a mark."""
        self.absent: dict[tuple[str, int, str], MissingName] = {}
        """Missing columns in the last rendering: the file and the line that print them, and their names."""
        super().__init__(
            loader=_Templates(folders, roots),
            autoescape=autoescape,
            undefined=Missing,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
            auto_reload=False,
            optimized=False,  # constants are computed during rendering, and paid for then
            bytecode_cache=compiled,
            finalize=self._written,
            extensions=[Counted],
        )
        budget = self.budget
        own: dict[str, Callable[..., Any]] = {"replace": _replace, "round": _round, "sum": _sum}
        self.filters = {
            name: self._paid(
                name, own.get(name) or self.filters[name], budget.text if name in OF_TEXT else budget.weigh
            )
            for name in FILTERS
        }
        self.filters["join"] = self._join
        self.tests = {name: self._paid(name, cast(Any, test), budget.weigh) for name, test in self.tests.items()}
        # No template can name these; only a string given to `map` can, and they do no harm there.
        self.filters["*counted"] = budget.counted
        self.filters["*weighed"] = budget.weigh
        self.filters["*keyed"] = budget.keyed
        self.filters["*joined"] = self._joined
        self.filters["*charge"] = budget.tick
        self.filters["*method"] = self._method
        self.globals = {"range": safe_range, "dict": _dict, "namespace": _namespace, **(functions or {})}
        self.functions = list(self.globals.values())
        """Every function that a template may call by name."""

    def render(self, name: str, context: dict[str, Any]) -> str:
        """Render a template. Raise Jinja's errors, TooMuch, and Stop when one of its files cannot be read."""
        self.budget.begin()
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
                    raise TooMuch(f"the template produces more than {MOST_CHARACTERS:,} characters")
                chunks.append(chunk)
        except Exception:
            self.names = known.get_all()
            self.handle_exception()  # raises the error again, with the lines of the template
        return "".join(chunks)

    @pass_context  # otherwise Jinja would write constants without asking
    def _written(self, _context: Context, value: Any) -> Any:
        return self.budget.text(value)

    def escaped(self, value: Any) -> str:
        """Pay for a value to be written, and return it as it is written."""
        kind = type(value)
        if kind is not str and kind is not Markup:
            value = self.budget.text(value)
            return str(value) if kind is int or kind is float else escape(value)
        budget = self.budget
        budget.turns += 1 + len(value) // CHARACTERS_A_TURN
        if budget.turns >= budget.next_look:
            budget.look()
        return escape(value) if kind is str else cast(str, value)

    def _paid(self, name: str, function: Callable[..., Any], first: Callable[[Any], Any]) -> Callable[..., Any]:
        """Return a filter or test that is paid for before it runs; `first` pays for its subject."""
        budget = self.budget
        skip = 1 if hasattr(function, "jinja_pass_arg") else 0
        is_light, names = name in LIGHT, OF_NAMES.get(name, 0)

        @wraps(function)
        def paid(*args: Any, **more: Any) -> Any:
            budget.tick()
            if is_light:
                return function(*args, **more)
            subject, rest = args[skip], args[skip + 1 :]
            if rest:
                rest = tuple([budget.plain(one) if at < names else budget.weigh(one) for at, one in enumerate(rest)])
            if more:
                more = {key: budget.plain(value) if names else budget.weigh(value) for key, value in more.items()}
            if isinstance(subject, str):
                budget.pay_search(subject, rest, more)
            if name in COMPARING and isinstance(subject, COUNTABLE):
                budget.tick(len(subject))
            made = budget.given_out(function(*args[:skip], first(subject), *rest, **more))
            return budget.weigh(made) if isinstance(subject, str) else made

        return paid

    # Lookups of templates

    def getattr(self, obj: Any, attribute: str) -> Any:
        is_mapping = type(obj) is dict or type(obj) is Row
        found = obj.get(attribute, _NOT_THERE) if is_mapping else self._look(obj, attribute)
        if found is not _NOT_THERE:
            return found
        self.budget.tick()
        if self.marks_absent and id(obj) in self.budget.rows:
            absent = Absent(obj=obj, name=attribute)
            absent.note = self._note_absent
            return absent
        return self.undefined(obj=obj, name=attribute)

    def _note_absent(self, error: MissingName) -> None:
        if len(self.absent) < MOST_ABSENT:
            self.absent.setdefault((*_place_here(), error.name), error)

    def getitem(self, obj: Any, argument: Any) -> Any:
        self.budget.tick()  # filters call this for each part of a path
        if isinstance(argument, str):
            if len(argument) >= CHARACTERS_A_TURN:
                self.budget.tick(len(argument) // CHARACTERS_A_TURN)  # it may be compared with a key
            return self.getattr(obj, argument)
        if isinstance(obj, Undefined):
            str(obj)  # raises the error about the undefined name
        if isinstance(obj, COUNTABLE):
            try:
                return obj[self.budget.plain(argument)]
            except (TypeError, LookupError):
                pass
        return self.undefined(obj=obj, name=self.budget.plain(argument))

    def _look(self, obj: Any, name: str) -> Any:
        """Look a name up in a mapping, or in something that a template made, but never among Python attributes."""
        if type(obj) is dict or type(obj) is Row:
            return obj.get(name, _NOT_THERE)
        if isinstance(obj, Undefined):
            str(obj)  # raises the error about the undefined name
        if isinstance(obj, Namespace):
            return obj._Namespace__attrs.get(name, _NOT_THERE)
        if isinstance(obj, TemplateModule) and not name.startswith("_"):
            return vars(obj).get(name, _NOT_THERE)
        if isinstance(obj, LoopContext) and name in LOOP:
            return getattr(obj, name)
        if isinstance(obj, TemplateReference):
            try:
                return obj[name]
            except KeyError:
                return _NOT_THERE
        if isinstance(obj, BlockReference) and name == "super":
            return obj.super
        if isinstance(obj, tuple) and name in getattr(obj, "_fields", ()):  # made by groupby
            return getattr(obj, name)
        return _NOT_THERE

    def get_template(self, name: Any, *args: Any, **more: Any) -> Any:
        self.budget.tick(TURNS_A_FILE)
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
        if is_new and name in self.parsed and self.tokens == before:  # compiled by an earlier run
            self.count_tokens(self.parsed[name].tokens)
        return found

    def count_tokens(self, count: int = 1) -> None:
        """Count the tokens of templates before they are compiled, which is slow."""
        self.tokens += count
        if self.tokens > MOST_TOKENS_OF_ALL:
            raise TooMuch(f"all templates together contain more than {MOST_TOKENS_OF_ALL:,} words and symbols")

    def select_template(self, names: Any, *args: Any, **more: Any) -> Any:
        return super().select_template(self.budget.counted(names), *args, **more)

    def call(self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a macro, a block, a loop, or a function written for templates; nothing else can be called."""
        budget = self.budget
        kwargs.pop("_loop_vars", None)
        kwargs.pop("_block_vars", None)
        if type(__obj) is Macro:
            budget.tick(1 + len(args) + len(kwargs))
            return self._macro(__context, __obj, args, kwargs)
        is_own = isinstance(__obj, _OWN_CALLABLES)
        if not is_own and not any(__obj is one for one in self.functions):
            if isinstance(__obj, Undefined):
                str(__obj)  # raises the error about the undefined name
            raise TemplateError("this cannot be called; only macros, methods and functions can")
        budget.tick(1 + len(args) + len(kwargs))
        for one in (*args, *kwargs.values()):
            if isinstance(one, Undefined):
                str(one)  # raises the error about the undefined name
        args = tuple([one if type(one) in NUMBER_TYPES else budget.weigh(one) for one in args])
        kwargs = {key: budget.weigh(value) for key, value in kwargs.items()}
        made = bounded(__context.call(__obj, *args, **kwargs))
        if isinstance(made, str) and not is_own:
            budget.tick(1 + len(made) // CHARACTERS_A_CUT)  # even if it is discarded
        return made

    def _macro(self, context: Context, macro: Macro, args: tuple[Any, ...], more: Mapping[str, Any]) -> str:
        """Return what a macro returns, perhaps from an earlier call; `concat` has bounded it."""
        returned = self.repeats.texts.get(macro) if context.eval_ctx.autoescape else None
        key = key_of_call(args, more) if returned is not None else None
        if returned is None or key is None:
            return macro(context.eval_ctx, *args, **more)
        found = returned.get(key)
        if found:
            self.budget.tick(found[1])
            return found[0]
        before = self.budget.turns
        text = macro(context.eval_ctx, *args, **more)
        self.repeats.keep(macro, key, text, self.budget.turns - before)
        return text

    def note_macros(self, template: str, macros: Iterable[object]) -> None:
        """Keep what the macros of an imported template return, if that depends on nothing but their arguments."""
        names = [template]
        for name in names:
            shape = self.parsed.get(name)
            if shape is None or not shape.is_steady:
                return
            names += [one for one in (*shape.parents, *shape.used) if one not in names]
        self.repeats.add(macros)

    @pass_context
    def _method(self, context: Context, owner: Any, name: str, /, *args: Any, **more: Any) -> Any:
        """Call `owner.name(…)`: a macro that the owner contains, or a method from the table."""
        budget = self.budget
        found = self._look(owner, name)
        if found is not _NOT_THERE:
            return self.call(context, found, *args, **more)
        budget.tick(1 + len(args) + len(more))
        if name not in METHODS.get(type(owner), ()) and not any(
            isinstance(owner, kind) and name in names for kind, names in METHODS.items()
        ):
            str(self.undefined(obj=owner, name=name))  # raises the error that there is none
        pay = budget.weigh if name in OF_ANYTHING else budget.plain
        args = tuple([pay(one) for one in args])
        more = {key: pay(value) for key, value in more.items()}
        if isinstance(owner, str):
            return self._text_method(owner, name, args, more)
        if isinstance(owner, LISTS):  # their methods look at every item; other methods look at one
            budget.weigh(owner)
        return budget.given_out(getattr(owner, name)(*args, **more))

    def _text_method(self, text: str, name: str, args: tuple[Any, ...], more: Mapping[str, Any]) -> Any:
        """Call a method of a text if its result is not too long."""
        budget = self.budget
        if name == "format":
            args, more = (
                tuple(map(budget.text, args)),
                {key: budget.text(value) for key, value in more.items()},
            )
            budget.pay_format(text, args, more)
        else:
            budget.pay_search(text, args, more)
        for number in (one for one in (*args, *more.values()) if isinstance(one, int)):
            check_size(number)  # it may be a width to pad to
        if name == "join" and args:
            args = (budget.texts(args[0], text), *args[1:])
        elif name == "replace" and len(args) > 1:
            _check_replace(text, args[0], args[1])
        result = bounded(getattr(text, name)(*args, **more))
        return budget.weigh(result) if isinstance(result, LISTS) else result

    @pass_eval_context
    def _join(self, eval_context: Any, value: Any, d: str = "", attribute: str | int | None = None) -> str:
        """Join like Jinja's `join`, with the size checked first."""
        items = list(self.budget.counted(value))
        if attribute is not None:
            items = list(map(make_attrgetter(self, self.budget.weigh(attribute)), items))
        d = self.budget.text(d)
        return cast(str, do_join(eval_context, self.budget.texts(items, str(d)), d))

    @pass_eval_context
    def _joined(self, eval_context: Any, values: list[Any]) -> str:
        """Join `a ~ b`, with the size checked first."""
        texts = self.budget.texts(values)
        return markup_join(texts) if eval_context.autoescape else str_join(texts)

    def concat(self, parts: Iterable[str]) -> str:
        """Return the output of macros and blocks as one text."""
        parts = list(parts)
        size = sum(map(len, parts))
        check_size(size)
        self.budget.tick(1 + size // CHARACTERS_A_TURN)
        return "".join(parts)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if type(left) in NUMBER_TYPES and type(right) in NUMBER_TYPES and operator != "**":
            self.budget.tick(1 if operator in "+-" else 2)
            result = self.binop_table[operator](left, right)
            return result if type(result) is float else bounded(result)
        if operator in "*%" and (left is None or right is None):
            raise TemplateError(f'"{operator}" works on numbers, but this cell is empty; test it with {{% if %}}')
        if operator == "**" or (
            operator in "*%" and not (isinstance(left, NUMBER_TYPES) and isinstance(right, NUMBER_TYPES))
        ):
            raise TooMuch(f'"{operator}" works only on numbers, and powers are not supported')
        self.budget.weigh(left)
        self.budget.weigh(right)
        if operator == "+" and isinstance(left, SEQUENCES) and isinstance(right, SEQUENCES):
            check_size(len(left) + len(right))
        return bounded(super().call_binop(context, operator, left, right))

    def preprocess(self, source: str, *args: Any, **kwargs: Any) -> str:
        if len(source) > MOST_CHARACTERS:
            raise TooMuch(f"the template has more than {MOST_CHARACTERS:,} characters")
        self.before = self.tokens
        return super().preprocess(source, *args, **kwargs)

    def _generate(self, source: nodes.Template, name: str | None, filename: str | None, *more: Any, **by: Any) -> str:
        check_scopes(source)
        self.parsed[name or ""] = parsed_of(source, filename or "", self.tokens - self.before)
        return super()._generate(Priced().visit(source), name, filename, *more, **by)


def _dict(of: Any = (), /, **more: Any) -> dict[Any, Any]:
    """Build a dictionary as templates' `dict` does: from a mapping or from pairs, and from named values."""
    pairs = of.items() if isinstance(of, dict) else of
    return {**{key_of(key): value for key, value in pairs}, **more}


def _namespace(**values: Any) -> Namespace:
    """Build a namespace as templates' `namespace` does: values that a loop may change."""
    return Namespace(**values)


def _check_replace(text: str, old: Any, new: Any) -> None:
    if isinstance(old, str) and isinstance(new, str):
        check_size(len(text) + text.count(old) * len(new))


def _replace(text: str, old: str, new: str) -> str:
    """Replace like `str.replace`, after checking the size."""
    _check_replace(text, old, new)
    return text.replace(old, new)


def _round(value: float, precision: int = 0, method: str = "common") -> float:
    """Round like Jinja's `round`, but not to billions of decimals."""
    if abs(precision) > MOST_DECIMALS:
        raise TooMuch(f"numbers can be rounded to at most {MOST_DECIMALS} decimals")
    return do_round(value, precision, method)  # type: ignore[arg-type]


@pass_environment
def _sum(environment: Any, items: Iterable[Any], attribute: str | int | None = None, start: Any = 0) -> Any:
    """Add like Jinja's `sum`, but only numbers: adding lists takes quadratic time."""
    if type(start) not in NUMBER_TYPES:
        raise TemplateError("sum adds only numbers")
    return do_sum(environment, items, attribute, start)
