"""Translate errors of Jinja and Python in a template into our messages and hints."""

from __future__ import annotations

import re

from jinja2 import TemplateError
from jinja2.sandbox import MAX_RANGE

from grimalkin.printing.face.priced import TooMuch
from grimalkin.problems import did_you_mean

MOST_SAID = 500
"""The most characters quoted from a library's message; a template can make it quote a long text."""

_TAGS = ("block", "call", "else", "elif", "extends", "filter", "for", "from", "if", "import", "include", "macro", "set",
         "with", "endblock", "endcall", "endfilter", "endfor", "endif", "endmacro", "endset", "endwith")  # fmt: skip
_UNKNOWN = re.compile(r"Encountered unknown tag '(\w{1,40})'")
_INNERMOST = re.compile(r"innermost block that needs to be closed is '(\w{1,40})'")
_EXPECTED = re.compile(r"expected token '([^']{1,60})', got '([^']{1,60})'")


def syntax_message(said: str) -> tuple[str, str]:
    """Return our message for a syntax error, and a hint or ""."""
    tag, inner, expected = _UNKNOWN.search(said), _INNERMOST.search(said), _EXPECTED.search(said)
    if tag and tag[1] not in _TAGS:
        return f"{{% {tag[1]} %}} is not known", did_you_mean(tag[1], _TAGS, "the guide's reference lists all of them")
    if tag and inner and f"'end{inner[1]}'" in said and inner[1] != "block":
        return f"{{% {tag[1]} %}} comes before {{% {inner[1]} %}} is closed", f"write {{% end{inner[1]} %}} before it"
    if tag:
        return f"{{% {tag[1]} %}} closes nothing", "remove it, or open what it closes"
    if inner:
        return f"{{% {inner[1]} %}} is not closed", f"write {{% end{inner[1]} %}}"
    if expected and expected[2] == "=":
        return "= assigns a value, and only in {% set %}", "write == to compare"
    if expected and expected[1].startswith("end of"):
        return f'"{expected[2]}" is not expected here', "{{ }} and {% %} hold one expression: ~ joins texts"
    if said.startswith(("unexpected '}'", "unexpected '%'")):
        return f"{said[12:13]} is on its own", "close {{ with }}, and {% with %}"
    return said, ""


class TemplateFault(TemplateError):
    """A fault in a template, with a hint."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def template_message(error: Exception) -> tuple[str, str]:
    """Return a message about an error in rendering a template, and a hint or ""."""
    if isinstance(error, TemplateFault):
        return said_of(error), error.hint
    if isinstance(error, UnicodeError):
        return "the template is not UTF-8", ""
    if isinstance(error, RecursionError):
        return "the template calls itself endlessly, or is nested too deeply", ""
    if isinstance(error, MemoryError):
        return "the template needs more memory than there is", ""
    if isinstance(error, SyntaxError):
        return f"the template cannot be compiled: {error.msg}", ""
    if isinstance(error, OverflowError) and "MAX_RANGE" in said_of(error):
        return f"range() would make more than {MAX_RANGE:,} numbers", ""
    if isinstance(error, ZeroDivisionError):
        return "a number is divided by 0", ""
    if isinstance(error, TypeError):
        return _type_message(said_of(error))
    if isinstance(error, TemplateError | TooMuch | ValueError | ArithmeticError | LookupError):
        return said_of(error), ""
    return f"the template cannot be rendered: {type(error).__name__}: {said_of(error)}", ""


def said_of(error: Exception) -> str:
    """Return an error's message on one line. Some quote an entire text, and some fail to give one."""
    try:
        said = " ".join(str(error).split())
    except Exception as fault:
        said = type(fault).__name__
    return said if len(said) <= MOST_SAID else f"{said[:MOST_SAID]}…"


def _type_message(error: str) -> tuple[str, str]:
    """Return our version of Python's message about values of the wrong kind."""
    name = (re.match(r"(?:\w+\.)*(?:<locals>\.)?(\w+)\(\) ", error) or ["", "a function"])[1]
    signs = {"icon": "write icon(name, x, y, size, fill)", "_fail": 'write fail("what is wrong")'}
    called, hint = name.lstrip("_"), signs.get(name, "")
    called = called if called == "a function" else f"{called}()"
    missing = re.search(r"missing \d+ required positional arguments?: (.*)", error)
    if missing:
        return f"{called} is called without {missing[1].replace(chr(39), '')}", hint
    unknown = re.search(r"got an unexpected keyword argument '(\w+)'", error)
    if unknown:
        return f'{called} has no argument "{unknown[1]}"', hint
    twice = re.search(r"got multiple values for argument '(\w+)'", error)
    if twice:
        return f'{called} is given "{twice[1]}" twice', hint
    if re.search(r"takes .*positional arguments? but \d+ w", error):
        return f"{called} is given too many values", hint
    joined = re.match(r'can only concatenate (\w+) \(not "([\w.]+)"\) to', error)
    if joined:
        return f"{kind_of(joined[1])} and {kind_of(joined[2])} cannot be added", "~ joins texts and numbers"
    both = re.match(r"unsupported operand type\(s\) for (\S+): '([\w.]+)' and '([\w.]+)'", error)
    if both:
        hint = "~ joins texts and numbers" if both[1] == "+" else f'"{both[1]}" works on numbers'
        return f'"{both[1]}" does not work on {kind_of(both[2])} and {kind_of(both[3])}', hint
    both = re.match(r"'(\S+)' not supported between instances of '([\w.]+)' and '([\w.]+)'", error)
    if both:
        return f"{kind_of(both[2])} and {kind_of(both[3])} cannot be compared", ""
    called_kind = re.match(r"'([\w.]+)' object is not (callable|iterable)", error)
    if called_kind:
        doing = "called" if called_kind[2] == "callable" else "looped over"
        return f"{kind_of(called_kind[1])} cannot be {doing}", ""
    if error.startswith("macro "):  # Jinja's own message
        return error.replace("'", '"'), ""
    return "a value here is of the wrong kind", ""


def kind_of(name: str) -> str:
    """Return a description of a value of a Python type."""
    words = {
        "str": "a text", "Markup": "a text", "int": "a number", "float": "a number", "list": "a list",
        "tuple": "a list", "NoneType": "an empty value", "bool": "yes or no", "dict": "a table",
    }  # fmt: skip
    return words.get(name.rpartition(".")[2], "this value")
