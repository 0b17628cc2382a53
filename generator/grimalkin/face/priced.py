"""A template's tree in, the same with prices on it out: what it does without calling anything is paid for too."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, cast

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.lexer import TokenStream
from jinja2.visitor import NodeTransformer

from grimalkin.face.parsed import nodes_below

MOST_TOKENS = 50_000
"""Words and signs within the {{ }} and {% %} of one template."""
MOST_TOKENS_OF_ALL = 250_000
"""The same of all templates of a game: each is compiled once."""
MOST_NAME = 200
"""Characters of a name in a template."""
CHARACTERS_A_TURN = 250
"""It bounds the memory, too: all texts that a template can pay for have 50 million characters."""
MOST_BITS = 1_000
"""Of a whole number."""
MOST_SCOPES = 1_000_000
"""Names that are set, times the places that have to know them. Our largest template has 50,000."""
NODES_A_TURN = 50
"""Parts of a template that are passed without a price of their own, such as {% if %}."""


class TooMuch(Exception):
    """A template asks for more work or more text than any face needs."""


class Counted(Extension):
    """Stops a template that says more than any face needs before it is parsed and compiled, which takes long."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Any]:
        for number, token in enumerate(stream):
            if number > MOST_TOKENS:
                raise TooMuch(f"its {{{{ }}}} and {{% %}} have more than {MOST_TOKENS:,} words and signs")
            if token.type == "name" and len(token.value) > MOST_NAME:
                raise TooMuch(f"a name has more than {MOST_NAME} characters")
            cast(Any, self.environment).count_tokens()
            yield token


def check_scopes(template: nodes.Template) -> None:
    """Stop a template with many names in many places: compiling takes the one times the other."""
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
        raise TooMuch("it sets too many names for so many blocks, loops and includes")


class Priced(NodeTransformer):
    """Puts a price on what a template does without calling anything: loops, `a ~ b`, comparing, slices, long bodies.

    A method is called by its name, so that nobody holds it.
    """

    def __init__(self) -> None:
        self.of_blocks: list[nodes.Call] = []
        """What {% call %} calls: only a macro takes a body."""

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
            raise TooMuch("a number grows beyond all use")
        if type(node.value) is int and node.value.bit_length() > MOST_BITS:
            raise TooMuch("a number grows beyond all use")
        if isinstance(node.value, str) and len(node.value) >= CHARACTERS_A_TURN:
            return _filtered(node, "*weighed")  # wherever it stands, something is done with all of it
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
        """Something whose body is passed again and again."""
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
