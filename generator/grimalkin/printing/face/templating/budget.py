"""What a rendering of a template may cost: one budget of turns, from which everything is paid in advance."""

from __future__ import annotations

import math
import re
import time
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from string import Formatter
from typing import Any

from jinja2 import TemplateError, Undefined
from jinja2.utils import Namespace
from markupsafe import Markup

from grimalkin.printing.face.templating.template_trees import CHARACTERS_A_TURN, MOST_BITS, TooMuch
from grimalkin.source.tables import Number

MOST_TURNS = 200_000
"""The limit for turns of loops, calls and other costs in one rendering."""
MOST_SECONDS = 20.0
"""The limit in processor time for one rendering, a safety net: all the turns take less than two seconds."""
TURNS_A_LOOK = 64
"""The number of turns between two looks at the clock."""
MOST_CHARACTERS = 2_000_000
"""The limit for the characters of a template, of a rendering, and of any one text in it."""
MOST_DEPTH = 50
"""The limit for lists within lists."""
MOST_WIDTH = 1_000
"""The limit for the width of a field of `format`, and for its decimals."""

NUMBER_TYPES = (int, float, Number)
_PLAIN = frozenset([*NUMBER_TYPES, bool, type(None)])
_KEYS = (str, Markup, *_PLAIN)
# A union written in place would be built every time, which takes longer than the check.
_WRITABLE = (str, int, float, type(None))
LISTS = (list, tuple)
_MAPPINGS = (dict, Namespace)
SEQUENCES = (str, list, tuple)
COUNTABLE = (str, list, tuple, dict, range)
_GIVEN_OUT = (Iterator, KeysView, ItemsView, ValuesView)
_READY = frozenset([str, Markup, list, dict, tuple, *_PLAIN])
"""Types whose values are not iterators or views."""


class Budget:
    """What one rendering has cost so far. Whatever is done with a value is paid for here first."""

    def __init__(self) -> None:
        self.turns = 0
        self.next_look = TURNS_A_LOOK
        """The number of turns at which both limits are checked again."""
        self.until = math.inf
        """When a rendering has used too much processor time."""
        self.rows: frozenset[int] = frozenset()
        """Identities of mappings that come with the game: templates cannot nest them, so each costs one turn."""

    def begin(self) -> None:
        self.turns, self.next_look = 0, TURNS_A_LOOK
        self.until = time.thread_time() + MOST_SECONDS

    def tick(self, turns: int = 1) -> None:
        self.turns += turns if turns > 1 else 1
        if self.turns >= self.next_look:
            self.look()

    def look(self) -> None:
        """Stop a rendering that has reached a limit. The commonest payments call this without `tick`, to be quick."""
        if self.turns > MOST_TURNS:
            raise TooMuch(f"the template takes more than {MOST_TURNS:,} turns")
        if time.thread_time() > self.until:
            raise TooMuch(f"the template takes more than {MOST_SECONDS:g} seconds")
        self.next_look = min(self.turns + TURNS_A_LOOK, MOST_TURNS + 1)

    def text(self, value: Any) -> Any:
        """Pay for a value to be written, and return it; an empty value is "".

        A value that cannot be written as text is a fault in the template.
        """
        if value is None:
            value = ""
        kind = type(value)
        if kind is str or kind is Markup:
            self.tick(1 + len(value) // CHARACTERS_A_TURN)
        elif kind in NUMBER_TYPES or isinstance(value, Undefined):
            self.tick()
            if kind is float and not math.isfinite(value):
                raise TooMuch("a number grows too large")
        else:
            raise TemplateError(no_text(value))
        return value

    def plain(self, value: Any) -> Any:
        """Pay for a value that Python may write or inspect directly: a text, a number, or None."""
        if not isinstance(value, _WRITABLE):
            if isinstance(value, Undefined):
                str(value)  # raises the error about the undefined name
            raise TemplateError(no_text(value))
        return self.weigh(value)

    def weigh(self, value: Any) -> Any:
        """Pay for everything in a value: a list that occurs in several places is paid for at each."""
        kind = type(value)
        if kind is str or kind is Markup:
            self.turns += 1 + len(value) // CHARACTERS_A_TURN
        elif kind in _PLAIN or id(value) in self.rows or (kind in COUNTABLE and not value):
            self.turns += 1
        else:
            self._weigh_all(value)
        if self.turns >= self.next_look:
            self.look()
        return value

    def _weigh_all(self, value: Any) -> None:
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
            elif isinstance(item, LISTS):
                heavy = [inner for inner in item if type(inner) not in _PLAIN]
                others = self._not_light(heavy)
                self.tick(1 + len(item) + len(heavy) - len(others))
                left += [(inner, depth + 1) for inner in others]
            else:
                self.tick(1 + len(item) if isinstance(item, range) else 1)
            if depth > MOST_DEPTH:
                raise TooMuch(f"lists are nested more than {MOST_DEPTH} deep")

    def _not_light(self, items: Iterable[Any]) -> list[Any]:
        """Return the items that cost more than one turn: not short texts, plain values, or rows of the game."""
        return [
            one
            for one in items
            if type(one) not in _PLAIN
            and (type(one) is not str or len(one) >= CHARACTERS_A_TURN)
            and id(one) not in self.rows
        ]

    def keyed(self, value: Any) -> Any:
        """Pay for a key: it is compared with other keys."""
        if isinstance(key_of(value), str) and len(value) >= CHARACTERS_A_TURN:
            self.weigh(value)
        return value

    def counted(self, items: Any) -> Any:
        """Pay for a loop over all items."""
        if isinstance(items, Undefined):
            str(items)  # raises the error about the undefined name
        if not isinstance(items, COUNTABLE):
            raise TemplateError("this cannot be looped over")
        self.tick(1 + len(items))
        return items

    def pay_search(self, text: str, args: Iterable[Any], more: Mapping[str, Any]) -> None:
        """Pay for a search, whose worst case is the length of one text times that of the other."""
        sought = sum(len(one) for one in (*args, *more.values()) if isinstance(one, str))
        self.tick(1 + len(text) * (1 + sought) // CHARACTERS_A_TURN)

    def given_out(self, value: Any) -> Any:
        """Return the result of a filter or method within size limits, with iterators and views turned into lists."""
        if type(value) not in _READY and isinstance(value, _GIVEN_OUT):
            items = []
            for item in value:
                self.tick()
                items.append(item)
            return items
        return bounded(value)

    def pay_format(self, text: str, args: Iterable[Any], more: Mapping[str, Any]) -> None:
        """Pay for the possible result. Fields are names or numbers, of a bounded width, and their values are texts."""
        longest = max((len(str(value)) for value in (*args, *more.values())), default=0)
        size = len(text)
        for _, name, spec, _ in Formatter().parse(text):
            self.tick()
            if not re.fullmatch(r"\w{0,20}", name or ""):
                raise TemplateError(f'a field of format must be a name or a number, not "{name}"')
            if "{" in (spec or "") or any(
                len(number) > 4 or int(number) > MOST_WIDTH for number in re.findall(r"\d+", spec or "")
            ):
                raise TooMuch(f"the width of a field of format must be a number, at most {MOST_WIDTH:,}")
            size += longest + (MOST_WIDTH if spec else 0)
        check_size(size)
        self.tick(1 + size // CHARACTERS_A_TURN)

    def texts(self, items: Iterable[Any], between: str = "") -> list[Any]:
        """Return the texts to be joined, and check the size of the result first."""
        texts = [self.text(item) for item in items]
        size = sum(len(str(text)) for text in texts)
        check_size(size + len(between) * max(0, len(texts) - 1))
        return texts


def no_text(value: object) -> str:
    """Return the message about a value that cannot be written as text."""
    if isinstance(value, dict):
        return "a whole card is not text; write one of its columns, such as card.name"
    if isinstance(value, list | tuple | range):
        return 'a list is not text; join its items, as in |join(", ")'
    if isinstance(value, bool):
        return 'yes or no is not text; write the words, as in {{ "boss" if card.boss }}'
    if callable(value):
        return "a function is not text; call it with ()"
    return "this is not text"


def key_of(value: Any) -> Any:
    """Return a value that may be a key. Comparing nested lists could take forever."""
    if type(value) not in _KEYS:
        raise TemplateError("a key must be text or a number")
    return value


def check_size(size: int) -> None:
    if size > MOST_CHARACTERS:
        raise TooMuch(f"a value grows longer than {MOST_CHARACTERS:,} characters")


def bounded(value: Any) -> Any:
    if isinstance(value, SEQUENCES):
        check_size(len(value))
    elif type(value) is int and value.bit_length() > MOST_BITS:
        raise TooMuch("a number grows too large")
    return value
