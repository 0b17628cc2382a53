"""Summarise the syntax tree of a template, to find parts that are never drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from jinja2 import nodes


@dataclass(slots=True)
class Parsed:
    """Facts about a template: its file, its blocks, and the templates that it extends and uses."""

    file: str
    parents: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    """The templates that it includes and imports."""
    is_open: bool = False
    """Whether the name of a template that it extends is known only during rendering."""
    blocks: set[str] = field(default_factory=set)
    outermost: dict[str, int] = field(default_factory=dict)
    """The blocks that are not inside another block of this template, with their lines."""
    loose: int = 0
    """The first line with text outside all blocks where only blocks are drawn; 0 if there is none."""
    tokens: int = 0
    """The number of tokens within its {{ }} and {% %}."""


def nodes_below(node: nodes.Node) -> list[nodes.Node]:
    """Return everything in a node, in the order of the template. Jinja's `find_all` is several times slower."""
    found: list[nodes.Node] = []
    left = [node]
    while left:
        one = left.pop()
        found.append(one)
        left += [*one.iter_child_nodes()][::-1]
    return found[1:]


def parsed_of(template: nodes.Template, file: str, tokens: int = 0) -> Parsed:
    made = Parsed(file, tokens=tokens)
    for one in nodes_below(template):
        if isinstance(one, nodes.Extends):
            if isinstance(one.template, nodes.Const):
                made.parents.append(one.template.value)
            else:
                made.is_open = True
        elif isinstance(one, nodes.Include | nodes.Import | nodes.FromImport):
            if isinstance(one.template, nodes.Const) and isinstance(one.template.value, str):
                made.used.append(one.template.value)
        elif isinstance(one, nodes.Block):
            made.blocks.add(one.name)
    made.outermost.update((block.name, block.lineno) for block in _outermost(template))
    made.loose = _loose(template)
    return made


def _outermost(node: nodes.Node) -> Iterator[nodes.Block]:
    for child in node.iter_child_nodes():
        if isinstance(child, nodes.Block):
            yield child
        else:
            yield from _outermost(child)


def _loose(template: nodes.Template) -> int:
    """Return the line of the first text after {% extends %} that is outside all blocks."""
    extends = False
    for part in template.body:
        extends = extends or isinstance(part, nodes.Extends)
        for one in part.nodes if extends and isinstance(part, nodes.Output) else ():
            if isinstance(one, nodes.TemplateData) and one.data.strip():
                blank = one.data[: len(one.data) - len(one.data.lstrip())]
                return one.lineno + blank.count("\n")
    return 0
