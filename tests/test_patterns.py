"""Every regular expression is linear on the texts that are worst for it.

All are found in the source by themselves, so that a new one is tried too. What is worst for one is made from its own
parts: whatever it repeats comes thousands of times, behind what leads there, and before something that fits nothing.
"""

from __future__ import annotations

import ast
import os
import re
import signal
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, TypeGuard

import pytest
from soak import sample

import grimalkin

pytestmark = [
    pytest.mark.slow("tries thousands of long texts"),
    pytest.mark.skipif(os.name == "nt", reason="Windows cannot break off what takes too long"),
]

PACKAGE = Path(next(iter(grimalkin.__path__)))
FUNCTIONS = {"compile", "match", "search", "fullmatch", "sub", "split", "findall", "finditer"}
TIMES = (20, 200, 1_500, 5_000, 10_000, 20_000, 40_000)
"""How often a part comes."""
BOUNDED: dict[str, tuple[int | None, str]] = {
    "content/texts/references.py:ITEM": (None, "match"),
    "printing/face/templating/template_faults.py": (500, ""),  # what a library says of a fault, cut to MOST_SAID
    "printing/face/svg/xml.py": (500, ""),
    "printing/face/fields.py:_PART": (40, ""),  # parts of names, which are not longer
    "printing/type/breaks.py:_WHOLE": (None, "match"),
    "printing/face/templating/template_faults.py:_INSIDE": (4000, "match"),  # one opening tag
    "printing/face/templating/template_faults.py:_ATTRIBUTE": (4000, ""),
    "printing/face/svg/paths.py:_STEPS": (None, "match"),
    "cli/beginning.py:USE": (4000, ""),  # a layout of ours
    "printing/finished/cards.py": (255, ""),  # one name of a file
    "games/cats_of_new_orleans/facts.py": (200, ""),  # our own phrases
    "games/curses_and_covens/knowledge.py:_WORD": (None, "match"),
    "site/pages/links.py:_told_next": (200, "match"),
    "source/tables/cells.py:_FLOAT": (None, "match"),  # of a whole value
    "source/tables/ods.py:_NEEDLESS": (None, "match"),
    "source/tables/formats.py:_TOKEN": (255, ""),  # of a format, cut to LONGEST_FORMAT
    "source/tables/delimited.py:_SAID": (None, "match"),  # from the beginning of a text
    "source/tables/delimited.py:read_delimited": (None, "match"),
    "source/traps.py:_BEGINS": (None, "match"),  # of one line
    "source/traps.py:_EQUALS": (None, "match"),
    "source/traps.py:_HYPHEN": (None, "match"),
    "source/traps.py:_NO_SPACE": (None, "match"),
    "output/unchanged.py:SHEET": (None, "match"),  # of one name, from its beginning
    "printing/sheet/marks.py:_moved": (2000, ""),  # an outline that we wrote from a few numbers
}
"""Patterns that see short texts alone, or are tried at one place of a text: the longest, and how they are used."""
SECONDS = 0.3
"""For one text. A linear pattern takes a few milliseconds, what takes the square of the length a second or two."""


@cache
def sources() -> dict[str, ast.Module]:
    """Every module that may use a regular expression."""
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(text)
        for path in sorted(PACKAGE.rglob("*.py"))
        if "import re\n" in (text := path.read_text(encoding="utf-8"))
    }


def written() -> Iterator[Any]:
    """Every regular expression of the package, with its bound and its name: the function or constant it stands in."""
    for module, tree in sources().items():
        for name, node in named_uses(tree):
            pattern = source_of(node.args[0])
            if pattern is not None:
                flags = re.DOTALL if "re.DOTALL" in ast.unparse(node) else 0
                bound = BOUNDED.get(f"{module}:{name}") or BOUNDED.get(module) or (None, "")
                yield f"{module}:{name}", (pattern, flags, *bound)


def is_use(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether this gives a pattern to the module `re`."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FUNCTIONS):
        return False
    return isinstance(node.func.value, ast.Name) and node.func.value.id == "re"


def named_uses(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Each use in a module, with the name of the function, or of the constant, that it is part of."""
    for top in tree.body:
        if not any(uses(top)):
            continue
        for inner in ast.walk(top):
            if isinstance(inner, ast.FunctionDef):
                yield from ((inner.name, node) for node in uses(inner))
        if isinstance(top, ast.Assign | ast.AnnAssign):
            target = top.targets[0] if isinstance(top, ast.Assign) else top.target
            yield from ((ast.unparse(target), node) for node in uses(top))


def uses(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if is_use(node))


def source_of(node: ast.expr) -> Any:
    """The text of a pattern; what is put into one stands for a word. None when it is no text at all."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "word" for part in node.values)
    return None


def matching(parts: Any) -> str:
    """A text that matches parts of a pattern."""
    return "".join(map(matching_part, parts))


def matching_part(part: Any) -> str:
    kind, value = str(part[0]), part[1]
    if kind == "LITERAL":
        return chr(value)
    if kind == "NOT_LITERAL":
        return "a" if value != ord("a") else "b"
    if kind == "ANY":
        return "a"
    if kind == "IN":
        return member_of(value)
    if kind == "BRANCH":
        return matching(value[1][0])
    if kind == "SUBPATTERN":
        return matching(value[3])
    if kind == "ATOMIC_GROUP":
        return matching(value)
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return matching(value[2]) * max(1, value[0])
    return ""


def member_of(members: Any) -> str:
    negated = str(members[0][0]) == "NEGATE"
    spellings = {
        "CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "a", "CATEGORY_NOT_SPACE": "a",
        "CATEGORY_NOT_WORD": "-", "CATEGORY_NOT_DIGIT": "a",
    }  # fmt: skip
    if negated:
        left = {chr(low) for kind, low in members if str(kind) == "LITERAL"}
        spaces = any(str(kind) == "CATEGORY" and str(low) == "CATEGORY_SPACE" for kind, low in members)
        return next(letter for letter in "a b1<\"'" if letter not in left and not (letter == " " and spaces))
    kind, value = members[0]
    return chr(value) if str(kind) == "LITERAL" else chr(value[0]) if str(kind) == "RANGE" else spellings[str(value)]


def worst_texts(pattern: Any, flags: int, many: int) -> Iterator[Any]:
    """Texts on which a pattern has to try the most, each with its parts so many times."""
    parser: Any = re._parser  # type: ignore[attr-defined]
    is_bytes = isinstance(pattern, bytes)
    parsed = parser.parse(pattern, flags)

    def repeats(parts: Any, before: str) -> Iterator[tuple[str, str]]:
        """Each part that is repeated, with what leads there."""
        for part in parts:
            kind, value = str(part[0]), part[1]
            inner = {"SUBPATTERN": lambda v: [v[3]], "ATOMIC_GROUP": lambda v: [v], "BRANCH": lambda v: v[1]}
            if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") and value[1] > 1:
                yield before, matching(value[2])
                yield from repeats(value[2], before)
            elif kind in ("MAX_REPEAT", "MIN_REPEAT"):
                yield from repeats(value[2], before)
            elif kind in inner:
                for branch in inner[kind](value):
                    yield from repeats(branch, before)
            before += matching_part(part)

    whole = matching(parsed)
    for lead, pump in repeats(parsed, ""):
        for text in (
            lead + pump * many + "\0!",
            (lead + pump) * many + "\0!",
            pump * many,
            lead * many,
            (lead[:1] or pump[:1]) * many,
            " " * many + "\0",
            "1" * many + "\0",
            (pump + " ") * many + "\0",
            lead + (pump * 20 + " " * 20) * (many // 40) + "\0",
            whole * (many // 4) + "\0",
        ):
            yield text.encode("latin-1", "replace") if is_bytes else text


@pytest.mark.soak
def test_every_pattern_is_linear() -> None:
    """On texts of tens of thousands of characters, whether it is sought or has to fit the whole text."""
    tried = {name: slowest(*pattern) for name, pattern in sample(written(), 12)}

    assert {} == {name: text for name, text in tried.items() if text is not None}


def test_all_patterns_are_tried() -> None:
    """Each call of the module `re`, wherever it stands: none is given a pattern from elsewhere, which would not be seen
    here. And there is no bound for one that is gone."""
    named = [name for name, _ in written()]
    seen = {node for tree in sources().values() for _, node in named_uses(tree) if source_of(node.args[0])}
    found = [node for tree in sources().values() for node in uses(tree)]

    assert len(named) > 80
    assert [] == [ast.unparse(node) for node in found if node not in seen]
    assert [] == [name for name in BOUNDED if name not in named and not any(one.startswith(name) for one in named)]


@pytest.mark.parametrize("bad", [r"(a+)+b", r"(?:\s*x\s*)+", r"(\d+(\.\d*)?(e\d+)? ?)+Z", r"x*y", r"\s+$"])
def test_a_pattern_that_is_not_linear_is_seen(bad: str) -> None:
    """The test above can fail, also where only the square is taken."""
    assert slowest(bad, 0) is not None


def slowest(pattern: Any, flags: int, longest: int | None = None, use: str = "") -> Any:
    """A text on which a pattern takes too long, None when there is none."""
    compiled = re.compile(pattern, flags)
    used = (compiled.match,) if use == "match" else (compiled.search, compiled.fullmatch)
    for many in TIMES:
        for text in {text[:longest] for text in worst_texts(pattern, flags, many)}:
            for how in used:
                if not any(is_soon_done(how, text) for _ in range(2)):  # a busy machine is slow once
                    return text[:60]
        if longest and many > longest:
            break
    return None


def is_soon_done(how: Callable[[Any], object], text: Any) -> bool:
    """Whether a pattern takes no more than SECONDS of a processor; then it is broken off, as it might never end."""

    def broken_off(*_: object) -> NoReturn:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, broken_off)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        how(text)
    except TimeoutError:
        return False
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return True
