"""Put prices on a template's syntax tree, so that it also pays for work that involves no call, and summarise the tree
to find parts that are never drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.lexer import TokenStream
from jinja2.visitor import NodeTransformer

MOST_TOKENS = 50_000
"""The limit for tokens within the {{ }} and {% %} of one template."""
MOST_TOKENS_OF_ALL = 250_000
"""The limit for all templates of a game together: each is compiled once."""
MOST_NAME = 200
"""The limit in characters for a name in a template."""
CHARACTERS_A_TURN = 250
"""This also bounds memory: a template can pay for at most 50 million characters of text."""
MOST_BITS = 1_000
"""The limit for a whole number."""
MOST_SCOPES = 1_000_000
"""The limit for the names that are set, times the scopes that must know them. Our largest template has 50,000."""
NODES_A_TURN = 50
"""The number of a template's nodes, such as {% if %}, that together cost one turn."""


class TooMuch(Exception):
    """A template's demand for more work or more text than any face needs."""


class Counted(Extension):
    """A limit that stops an excessively long template before it is parsed and compiled, which would take too long."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Any]:
        for number, token in enumerate(stream):
            if number > MOST_TOKENS:
                raise TooMuch(f"its {{{{ }}}} and {{% %}} contain more than {MOST_TOKENS:,} words and symbols")
            if token.type == "name" and len(token.value) > MOST_NAME:
                raise TooMuch(f"a name has more than {MOST_NAME} characters")
            cast(Any, self.environment).count_tokens()
            yield token


def check_scopes(template: nodes.Template) -> None:
    """Stop a template with many names in many scopes: compile time grows with the product."""
    inner: tuple[Any, ...] = (
        nodes.If,
        nodes.For,
        nodes.Macro,
        nodes.CallBlock,
        nodes.FilterBlock,
        nodes.With,
        nodes.Block,
    )
    outer: tuple[Any, ...] = (nodes.Include, nodes.Import, nodes.FromImport, nodes.ScopedEvalContextModifier)
    names = places = 0
    for node in nodes_below(template):
        names += isinstance(node, nodes.Name) and node.ctx == "store"
        places += isinstance(node, inner) + 50 * isinstance(node, outer)
        places += 50 * (isinstance(node, nodes.Block) and node.scoped)
    if names * places > MOST_SCOPES:
        raise TooMuch("it sets too many names in too many blocks, loops and includes")


class Priced(NodeTransformer):
    """A transformer that prices work without calls: loops, `a ~ b`, comparisons, slices, long bodies.

    Methods are called by name, so that no template keeps a reference to one.
    """

    def __init__(self) -> None:
        self.of_blocks: list[nodes.Call] = []
        """The calls of {% call %}: only a macro takes a body."""

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _filtered(nodes.List(node.nodes, lineno=node.lineno), "*joined")

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        if not isinstance(node.node, nodes.Getattr) or any(node is one for one in self.of_blocks):
            return node
        args = [nodes.Const(node.node.attr, lineno=node.lineno), *node.args]
        more: Any = node.kwargs
        owner, dyn_args, dyn_kwargs = node.node.node, node.dyn_args, node.dyn_kwargs
        return nodes.Filter(owner, "*method", args, more, dyn_args, dyn_kwargs, lineno=node.lineno)

    def visit_Const(self, node: nodes.Const) -> nodes.Node:  # noqa: N802
        if isinstance(node.value, float) and not math.isfinite(node.value):
            raise TooMuch("a number grows too large")
        if type(node.value) is int and node.value.bit_length() > MOST_BITS:
            raise TooMuch("a number grows too large")
        if isinstance(node.value, str) and len(node.value) >= CHARACTERS_A_TURN:
            return _filtered(node, "*weighed")  # wherever it occurs, something processes all of it
        return node

    def visit_Pair(self, node: nodes.Pair) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        node.key = _filtered(node.key, "*keyed")
        return node

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
        """Charge for a node whose body may run repeatedly."""
        self.generic_visit(node)
        price = len(nodes_below(node)) // NODES_A_TURN
        if price:
            charge = _filtered(nodes.Const(price, lineno=node.lineno), "*charge")
            node.body.insert(0, nodes.ExprStmt(charge, lineno=node.lineno))
        return cast(nodes.Node, node)

    visit_Template = visit_Block = visit_Macro = body  # noqa: N815

    def visit_CallBlock(self, node: nodes.CallBlock) -> nodes.Node:  # noqa: N802
        self.of_blocks.append(node.call)
        return self.body(node)


def _filtered(node: nodes.Node, name: str) -> nodes.Filter:
    return nodes.Filter(cast(nodes.Expr, node), name, [], [], None, None, lineno=node.lineno)


# Summaries


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
    is_steady: bool = True
    """Whether it keeps nothing that its macros could change, and names every template that it extends and uses."""


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
            else:
                made.is_steady = False
        elif isinstance(one, nodes.Block):
            made.blocks.add(one.name)
    made.outermost.update((block.name, block.lineno) for block in _outermost(template))
    made.loose = _loose(template)
    made.is_steady = made.is_steady and not made.is_open and not _keeps(template)
    return made


def _keeps(template: nodes.Template) -> bool:
    """Return whether a template may make a namespace, the only value that can change, outside its macros."""
    left: list[nodes.Node] = [template]
    while left:
        one = left.pop()
        if isinstance(one, nodes.Name) and one.name == "namespace":
            return True
        if not isinstance(one, nodes.Macro):
            left += one.iter_child_nodes()
    return False


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
