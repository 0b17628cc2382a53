"""Look for wording that a native speaker would not use, in everything people read: `make lint` runs it.

`prose.yaml` is the list. Spelling is codespell's work, and the first word of a docstring ruff's (D401).
"""

import ast
import csv
import io
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

ROOT = Path(__file__).parents[1]
KINDS = ("rules", "docs", "messages", "docstrings")


class Text(NamedTuple):
    """A text that people read: its kind, the file and line where it begins, and its words."""

    kind: str
    path: Path
    line: int
    words: str


class Habit(NamedTuple):
    """One entry of the list."""

    words: str
    write: str
    kinds: tuple[str, ...]
    found: str
    fine: str


@cache
def habits() -> list[Habit]:
    """Read the list."""
    rows = yaml.safe_load(Path(__file__).with_name("prose.yaml").read_text(encoding="utf-8"))
    return [Habit(row["words"], row["write"], tuple(row.get("in", KINDS)), row["found"], row["fine"]) for row in rows]


def unquoted(text: str) -> str:
    """Blank code, links' targets, templates' expressions and texts in quotes; every line stays where it was."""
    blank = r"```.*?```|``.*?``|`[^`\n]+`|\]\([^)\s]+\)|\{\{.*?\}\}|\{%.*?%\}|“[^”]*”|\"[^\"\n]{1,200}\"|<[^<>]*>"
    return re.sub(blank, lambda found: re.sub(r"\S", "_", found[0]), text, flags=re.DOTALL)


def of_python(source: str) -> Iterator[tuple[str, int, str]]:
    """Yield docstrings and comments as `docstrings`, and other strings of several words as `messages`."""
    docstrings = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Module(body=[ast.Expr(value=first), *_]) | ast.ClassDef(body=[ast.Expr(value=first), *_]):
                docstrings.add(id(first))
            case ast.FunctionDef(body=[ast.Expr(value=first), *_]):
                docstrings.add(id(first))
            case ast.Constant(value=str(words)) if " " in words:
                yield "docstrings" if id(node) in docstrings else "messages", node.lineno, words
    for number, line in enumerate(source.splitlines(), 1):
        if found := re.search(r"(?:^\s*|  )# (.*)", line):
            yield "docstrings", number, found[1]


def of_yaml(source: str) -> Iterator[tuple[str, int, str]]:
    """Yield every value of several words."""
    for event in yaml.parse(source, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.ScalarEvent) and " " in event.value:
            yield "rules", event.start_mark.line + 1, event.value


def of_table(source: str) -> Iterator[tuple[str, int, str]]:
    """Yield every cell of several words."""
    rows, line = csv.reader(io.StringIO(source, newline="")), 1
    for row in rows:
        yield from (("rules", line, cell) for cell in row if " " in cell)
        line = rows.line_num + 1


READERS = {".py": of_python, ".yaml": of_yaml, ".csv": of_table}


def texts(path: Path) -> list[Text]:
    """Return the texts of a file that people read; a page or a template is one text."""
    source = path.read_text(encoding="utf-8")
    read = READERS.get(path.suffix, lambda source: [("docs", 1, source)])
    return [Text(kind, path, line, words) for kind, line, words in read(source)]


def files(root: Path = ROOT) -> list[Path]:
    """Return every file with texts that people read, except recorded numbers and kept versions."""
    folders = {"content": "yaml csv", "templates": "j2", "site/docs": "md", "generator": "py"}
    found = [root / "README.md", root / "CHANGELOG.md"]
    for folder, endings in folders.items():
        found += [path for ending in endings.split() for path in (root / folder).rglob(f"*.{ending}")]
    return sorted(found)


def faults(text: Text, listed: list[Habit]) -> Iterator[str]:
    """Yield a line for each habit found in a text: place, words, and what to write."""
    words = unquoted(text.words)
    row = re.sub(r"\s+", " ", words)
    for habit in listed:
        if text.kind in habit.kinds:
            for found in re.finditer(habit.words, row):
                before = len(row[: found.start()].split())
                line = text.line + "".join(re.split(r"(?<=\s)(?=\S)", words)[:before]).count("\n")
                yield f'{text.path.relative_to(ROOT)}:{line}: "{found[0]}"; write: {habit.write}'


def faults_of(path: Path) -> list[str]:
    """Return the faults of a file, or that it cannot be read."""
    listed = habits()
    try:
        read = texts(path)
    except (yaml.YAMLError, SyntaxError, csv.Error) as error:
        return [f"{path.relative_to(ROOT)}: it cannot be read: {error}"]
    return [fault for text in read for fault in faults(text, listed)]


def main() -> int:
    """Print every fault; return 1 if there is any."""
    with ProcessPoolExecutor() as pool:
        found = [fault for some in pool.map(faults_of, files(), chunksize=16) for fault in some]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(found)} places to reword" if found else "prose: nothing to reword")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
