"""Report faults in templates: errors of Jinja and Python in our words, and the line that wrote a faulty element.

The lines of a rendering differ from those of its templates, so its text is searched for in them: literal text must
match, and Jinja's output may be anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import unescape
from pathlib import Path

from jinja2 import TemplateError
from jinja2.sandbox import MAX_RANGE

from grimalkin.printing.face.templating.template_trees import TooMuch
from grimalkin.printing.type.fonts import font_paths, own_font
from grimalkin.problems import Place, did_you_mean, shown_path

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
        return "the template needs more memory than is available", ""
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


# The template line that wrote a piece of rendered SVG, if it is certain


MOST_SEARCHED = 200_000
"""The most characters of a template that are searched; nobody writes a longer one by hand."""

_ANY = "\0"
"""Represents each character of {{ }} and {% %}."""
_JINJA = (("{{", "}}"), ("{%", "%}"))
_COMMENT = (("{#", "#}"), ("<!--", "-->"))
_NOT_A_BREAK = re.compile(r"[^\n]")
_INSIDE = re.compile(r"(?=[\s/>\0])((?:\"[^\"]*\"|'[^']*'|[^>\"'<])*+)>")
MOST_INSIDE = 4000
"""The most characters of an opening tag."""
_ATTRIBUTE = re.compile(r"(?<![\w:-])([\w:-]+)\s*=\s*(\"[^\"]*\"|'[^']*')")
_FONT = "font-family"
_ANYTHING = re.compile(r"\0[\0\n]*")


def find_element(
    files: Sequence[str], tag: str, attributes: Mapping[str, str], content: str = "", wrong: str = ""
) -> Place | None:
    """Return where an element was written, if only one opening tag can have produced it.

    If several tags fit, prefer the one that writes the attribute `wrong` literally: it is at fault. Otherwise compare
    `content`, the text inside the element, and finally consider Jinja's output.
    """
    fitting: list[tuple[Place, str, str]] = []
    for file in files:
        text = _masked(file)
        for start, written, whole, after in _tags(text, tag):
            if _became(written, whole, attributes):
                fitting.append((_place(file, text, start), after, written.get(wrong, _ANY)))
    literal = [place for place, _, value in fitting if _ANY not in value]
    if literal:
        return literal[0]
    places = {place for place, *_ in fitting}
    if len(places) > 1:
        partly = {place for place, _, value in fitting if value.strip(_ANY)}
        places = partly or {place for place, after, _ in fitting if _fits(after.strip(), content.strip())}
    if len(places) == 1:
        return places.pop()
    value = attributes.get(wrong, "")
    return find_text(files, f'"{value}"', _bare) or find_text(files, f"'{value}'", _bare) if value else None


def find_text(files: Iterable[str], sought: str, read: Callable[[str], str] | None = None) -> Place | None:
    """Return the place of a text, if it is on one line only. `read` returns the text of a file to search."""
    found = {
        _place(file, text, at)
        for file in files
        for text in [(read or _masked)(file)]
        for at in (_starts(text, sought) if sought else ())
    }
    return found.pop() if len(found) == 1 else None


def find_line(files: Iterable[str], rendered: str) -> Place | None:
    """Return the source of a rendered line, if only one template line can have produced it or part of it."""
    whole: list[Place] = []
    part: list[Place] = []
    for file in files:
        for number, line in enumerate(_masked(file).split("\n"), 1):
            if "<" not in line:
                continue
            place = Place(shown_path(Path(file)), number)
            if _fits(line.strip(), rendered.strip()):
                whole.append(place)
            elif _fits(_ANY + line.strip() + _ANY, rendered):
                part.append(place)
    for places in (whole, part):
        if places:
            return places[0] if len(places) == 1 else None
    return None


@lru_cache(maxsize=64)
def _read_at(file: str, _changed: int) -> tuple[str, str]:
    """Return a template with its comments blanked, and one with Jinja's output masked too; both keep all lines."""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeError):
        return "", ""
    if len(text) > MOST_SEARCHED:
        return "", ""
    bare = _covered(text, _COMMENT, " ")
    return bare, _covered(bare, _JINJA, _ANY)


def _covered(text: str, marks: Iterable[tuple[str, str]], by: str) -> str:
    """Return a text with a character in place of two marks and everything between them, except line breaks."""
    parts: list[str] = []
    at = 0
    ends = dict(marks)
    while ends:
        start, mark = min((where if (where := text.find(mark, at)) >= 0 else len(text), mark) for mark in ends)
        end = text.find(ends[mark], start + len(mark))
        if end < 0:  # then no later mark has an end either
            del ends[mark]
            continue
        end += len(ends[mark])
        parts += [text[at:start], _NOT_A_BREAK.sub(by, text[start:end])]
        at = end
    return "".join([*parts, text[at:]])


def _starts(text: str, sought: str) -> Iterator[int]:
    """Yield each position at which a text contains another."""
    at = text.find(sought)
    while at >= 0:
        yield at
        at = text.find(sought, at + 1)


def _bare(file: str) -> str:
    return _read(file)[0]


def _masked(file: str) -> str:
    return _read(file)[1]


def _read(file: str) -> tuple[str, str]:
    try:
        return _read_at(file, Path(file).stat().st_mtime_ns)
    except OSError:
        return "", ""


def _place(file: str, text: str, at: int) -> Place:
    return Place(shown_path(Path(file)), text.count("\n", 0, at) + 1)


@lru_cache(maxsize=64)
def _tags(text: str, tag: str) -> list[tuple[int, dict[str, str], bool, str]]:
    """Return the opening tags of this name in a masked text: the start of each, its attributes, whether Jinja writes
    complete attributes, and the text that follows."""
    found = []
    for start in _starts(text, f"<{tag}"):
        at = start + len(tag) + 1
        inside = _INSIDE.match(text, at, at + MOST_INSIDE)
        if inside:
            written = {one[1]: one[2][1:-1] for one in _ATTRIBUTE.finditer(inside[1])}
            after = text[inside.end() : inside.end() + MOST_INSIDE].partition("<")[0]
            found.append((start, written, _ANY in _ATTRIBUTE.sub("", inside[1]), after))
    return found


def _became(written: Mapping[str, str], whole: bool, attributes: Mapping[str, str]) -> bool:
    """Return whether an opening tag can have produced these attributes; `whole` is as in `_tags`."""
    if not all(_fits(value, attributes[key]) for key, value in written.items() if key in attributes and key != _FONT):
        return False
    family, font = written.get(_FONT), attributes.get(_FONT, "")
    if family and not _fits(family, font):  # faces keep only the first of several fonts, and rename a game's own
        first = family.partition(",")[0].strip()
        if first != font and (not own_font(font) or first in font_paths()):
            return False
    return whole or written.keys() == {key for key in attributes if not key.startswith("{")}


def _fits(written: str, rendered: str) -> bool:
    """Return whether a masked text can have produced this one."""
    first, *rest = [unescape(part) for part in _ANYTHING.split(written)]
    if not rest:
        return first == rendered
    last = rest.pop()
    if not rendered.startswith(first) or not rendered.endswith(last) or len(rendered) < len(first) + len(last):
        return False
    at, end = len(first), len(rendered) - len(last)
    for part in rest:
        found = rendered.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True
