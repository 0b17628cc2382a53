"""Kinds of fields for declaring a state: how values begin, and how they are copied, seen, written and read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, TypedDict, TypeVar, Unpack

from grimalkin.engine.loading import Laying
from grimalkin.engine.shape import Choice, Listing, Path, Record, Shape, Text, Whole, YesNo

T = TypeVar("T")


class Pieces(Protocol):
    """The pieces that a game's box must provide: their ids by number, and their numbers by id."""

    @property
    def ids(self) -> Sequence[str]: ...

    @property
    def numbers(self) -> Mapping[str, int]: ...

    def __hash__(self) -> int: ...


Ids = Callable[[Any], Sequence[str]]
"""A function from a box to the ids of the pieces that may be in a place."""


def every(box: Pieces) -> Sequence[str]:
    """All of them."""
    return box.ids


class How(TypedDict, total=False):
    """Options of any field."""

    key: str
    """Its key in a record; by default its name with hyphens."""
    when: tuple[int, ...]
    """The phases in which it has a meaning. In other phases, it is neither written nor allowed."""
    hint: str
    """The hint if it is written in a different phase."""
    only: Callable[[Any], bool]
    """A function that returns whether a state writes it."""
    always: bool
    """Written even when it has its first value."""
    seen: Literal["all", "own", "hidden"]
    """Who may see it: everybody; of what is by seat, each seat its own; nobody without a method marked by `shows`.
    In a part, "own" is the seat whose part it is; others see None."""
    view: str
    """Its name in the View; by default its own name."""


class Kind(Generic[T]):
    """A kind of field: how its value begins and is copied, frozen for a key, seen, written, shaped and read.

    The first five are source code; `x` is the value. They may use `seats`; `written` may also use `ids`; `viewed` may
    also use `seat`, the seat that looks, and `self.owner`, the seat that owns the value.
    """

    first = "0"
    in_key: ClassVar[bool] = True
    always = False
    """Written even when it has its first value."""
    by_seat: ClassVar[bool] = False
    """Whether it is a list by seat, written into the records of seats."""
    part: Any = None
    """The class of its part."""
    owner = "owner"
    """Source code for its owner's seat; -1 for fields that are not by seat."""

    def __init__(self, about: str = "", **how: Unpack[How]) -> None:
        self.about = about
        """The description of its key. A field without one is in no record."""
        self.name = self.own = ""
        self.said = tuple(how)
        """Its options."""
        self.key = how.get("key", "")
        self.when = tuple(map(int, how.get("when", ())))
        self.hint = how.get("hint", "")
        self.only = how.get("only")
        self.always = how.get("always", self.always)
        self.seen = how.get("seen", "all")
        self.view = how.get("view", "")

    if TYPE_CHECKING:

        def __get__(self, owner: object, of: object = None) -> T: ...

        def __set__(self, owner: object, value: T) -> None: ...

    def call(self, name: str) -> None:
        """Set the name with which it was declared."""
        if self.name:
            raise TypeError(f"one kind is used for two fields, {self.name} and {name}; declare one for each")
        self.name, self.own = name, f"_{name}"
        self.key = self.key or name.replace("_", "-")
        self.view = self.view or name

    def needs(self) -> Iterator[Kind[Any]]:
        """Yield this kind and the kinds inside it."""
        yield self

    def copied(self, x: str) -> str:
        return x

    def frozen(self, x: str) -> str:
        return x

    def viewed(self, x: str) -> str:
        return self.frozen(x)

    def written(self, x: str) -> str:
        return x

    def lines(self, x: str, into: str) -> list[str]:
        """Return source code that puts it into a record, or into the record of one seat."""
        line = f"{into}[{self.key!r}] = {self.written(x)}"
        other = x if self.first in ("0", "False", "[]") else f"{x} != {self.first}"
        return [line] if self.always else [f"if {other}: {line}"]

    def shape(self, box: Any) -> Shape:
        raise NotImplementedError

    def shapes(self, box: Any) -> dict[str, Shape]:
        """Return the shapes of its keys in a record."""
        return {self.key: self.shape(box)}

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> T:
        """Return its value from what a record says in its shape."""
        return value  # type: ignore[no-any-return]

    def laid(self, now: T, value: Any, at: Path, reading: Laying, whose: str) -> T:
        """Return its value after a record was read: another value, or the same part with other fields."""
        return self.read(value, at, reading, whose)

    def lay(self, into: Any, record: Mapping[str, Any], at: Path, reading: Laying, whose: str = "") -> None:
        """Put its value from a record, if there is one, into a state or part."""
        if self.key in record:
            now = getattr(into, self.name)
            setattr(into, self.name, self.laid(now, record[self.key], (*at, self.key), reading, whose))


# Kinds of single values


class Plain(Kind[T]):
    """A value that follows from other values, so it is in no key or record."""

    in_key = False

    def __init__(self, first: T, **how: Unpack[How]) -> None:
        super().__init__(**how)
        if isinstance(first, list | dict | set):
            raise TypeError(f"all states would share the {type(first).__name__} they begin with; use Items or a part")
        self.first = repr(first)


class Own(Kind[T]):
    """A kind defined in its declaration, by source code with {} for the value, which is a list or `plain`."""

    def __init__(
        self,
        about: str = "",
        shape: Callable[[str], Shape] = Text,
        *,
        first: str = "[]",
        plain: bool = False,
        copied: str = "",
        frozen: str = "",
        written: str = "",
        **how: Unpack[How],
    ) -> None:
        super().__init__(about, **how)
        self.first, self.shaped = first, shape
        self.copies = copied or ("{}" if plain else "{}[:]")
        self.freezes = frozen or ("{}" if plain else "tuple({})")
        self.writes = written or self.copies

    def copied(self, x: str) -> str:
        return self.copies.format(x)

    def frozen(self, x: str) -> str:
        return self.freezes.format(x)

    def written(self, x: str) -> str:
        return self.writes.format(x)

    def shape(self, box: Any) -> Shape:
        return self.shaped(self.about)


class Number(Kind[int]):
    """A whole number."""

    def __init__(
        self, first: int = 0, about: str = "", *, least: int = 0, most: int | None = None, **how: Unpack[How]
    ) -> None:
        super().__init__(about, **how)
        self.first, self.least, self.most = repr(int(first)), least, most

    def shape(self, box: Any) -> Shape:
        return Whole(self.least, self.most, self.about)


class Flag(Kind[bool]):
    """Yes or no, initially no."""

    first = "False"

    def written(self, x: str) -> str:
        return f'"yes" if {x} else "no"'

    def shape(self, box: Any) -> Shape:
        return YesNo(self.about)


class Word(Kind[int]):
    """One of a few words, stored as its index. `when` refers to the field called `phase`."""

    def __init__(self, words: tuple[str, ...], first: int = 0, about: str = "", **how: Unpack[How]) -> None:
        super().__init__(about, **how)
        self.words, self.first = words, repr(int(first))

    def written(self, x: str) -> str:
        return f"{self.own}.words[{x}]"

    def shape(self, box: Any) -> Shape:
        return Choice(self.words, self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> int:
        return self.words.index(value)


class Option(Kind[T]):
    """The value of a key in the options of a game."""

    def __init__(self, options: Record, option: str, default: T, **how: Unpack[How]) -> None:
        super().__init__("options", **how)
        self.options, self.option, self.first = options, option, f"options.get({option!r}, {default!r})"
        self.default = repr(default)

    def written(self, x: str) -> str:
        return x

    def lines(self, x: str, into: str) -> list[str]:
        written = f'{into}.setdefault("options", {{}})[{self.option!r}] = {self.written(x)}'
        return [f"if {x} != {self.default}: {written}"]

    def shapes(self, box: Any) -> dict[str, Shape]:
        return {"options": self.options}

    def lay(self, into: Any, record: Mapping[str, Any], at: Path, reading: Laying, whose: str = "") -> None:
        """Do nothing: a state begins with its options."""


class Chosen(Option[bool]):
    """Whether a key in the options of a game has a certain word."""

    def __init__(self, options: Record, option: str, word: str, **how: Unpack[How]) -> None:
        super().__init__(options, option, False, **how)
        self.first, self.word = f"options.get({option!r}) == {word!r}", word

    def written(self, x: str) -> str:
        return repr(self.word)


class Agreed(Option[bool]):
    """Whether an option of a game is `yes`; otherwise the option is absent."""

    def __init__(self, options: Record, option: str, **how: Unpack[How]) -> None:
        super().__init__(options, option, False, **how)

    def written(self, x: str) -> str:
        return '"yes"'


class Seat(Kind[int]):
    """A seat, by its number; initially the first. With `nobody` it may be none, -1, and is initially none."""

    def __init__(self, about: str = "", *, nobody: bool = False, **how: Unpack[How]) -> None:
        super().__init__(about, **how)
        self.nobody, self.first = nobody, "-1" if nobody else "0"

    def written(self, x: str) -> str:
        return f'seats[{x}] if {x} >= 0 else ""'

    def shape(self, box: Any) -> Shape:
        return Text(self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> int:
        return reading.number(value, at) if value or not self.nobody else -1


class Seats(Kind[int]):
    """A set of seats, as a bit mask."""

    def written(self, x: str) -> str:
        return f"[name for bit, name in enumerate(seats) if {x} >> bit & 1]"

    def shape(self, box: Any) -> Shape:
        return Listing(Text(), describe=self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> int:
        mask = 0
        for index, name in enumerate(value):
            mask |= 1 << reading.number(name, (*at, index))
        return mask


# Kinds of pieces, which are indices into the ids of the box


class _OfPieces(Kind[T]):
    def __init__(self, about: str = "", *, of: Ids = every, place: str = "", **how: Unpack[How]) -> None:
        super().__init__(about, **how)
        self.ids = of
        """The pieces of the box that may be there."""
        self.place = place
        """Its name in sentences, with {} for its owner. Each piece is in only one place."""

    def shape(self, box: Any) -> Shape:
        return Listing(Choice(tuple(self.ids(box))), describe=self.about)

    def _pieces(self, value: Any, at: Path, reading: Laying, whose: str) -> list[int]:
        return reading.pieces(value, at, self.place.format(whose))


class Card(_OfPieces[int]):
    """One piece, or -1 for none. A record omits none; if the field is always written, it is an empty text."""

    first = "-1"

    def written(self, x: str) -> str:
        return f'ids[{x}] if {x} >= 0 else ""' if self.always else f"ids[{x}]"

    def shape(self, box: Any) -> Shape:
        return Choice(tuple(self.ids(box)), self.about, empty=self.always)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> int:
        return reading.piece(value, at, self.place.format(whose)) if value else -1


class Pile(_OfPieces[list[int]]):
    """Pieces in order. For slots that may be empty, use a Row of Cards."""

    first = "[]"
    always = True

    def copied(self, x: str) -> str:
        return f"{x}[:]"

    def frozen(self, x: str) -> str:
        return f"tuple({x})"

    def written(self, x: str) -> str:
        return f"[ids[card] for card in {x}]"

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> list[int]:
        return self._pieces(value, at, reading, whose)


class Hand(Pile):
    """Pieces kept in the order of their numbers."""

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> list[int]:
        return sorted(super().read(value, at, reading, whose))


class Heap(Hand):
    """Pieces whose order is meaningless and never shown."""

    def frozen(self, x: str) -> str:
        return f"tuple(sorted({x}))"

    def written(self, x: str) -> str:
        return f"[ids[card] for card in sorted({x})]"


class CardSet(_OfPieces[int]):
    """A set of pieces, as a bit mask."""

    always = True

    def written(self, x: str) -> str:
        return f"[ids[card] for card in members({x})]"

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> int:
        return mask(self._pieces(value, at, reading, whose))


# Kinds of many values, and parts


class Row(Kind[list[T]]):
    """A list of values of one kind, initially empty."""

    first = "[]"

    def __init__(self, inner: Kind[T], about: str = "", **how: Unpack[How]) -> None:
        super().__init__(about or inner.about, **how)
        self.inner = inner

    def call(self, name: str) -> None:
        super().call(name)
        inner, outside = self.inner, type(self).__name__
        if inner.said or inner.by_seat:
            wrong = f"{inner.said[0]}= is given to" if inner.said else "a list by seat cannot be"
            hint = f"; give it to the {outside}" if inner.said else ""
            raise TypeError(f"{name}: {wrong} the {type(inner).__name__} in its {outside}{hint}")
        inner.owner = self.owner
        inner.always |= self.always or not self.by_seat
        inner.call(f"{name}_each")
        if inner.seen == "hidden":
            self.seen = "hidden"

    def needs(self) -> Iterator[Kind[Any]]:
        yield self
        yield from self.inner.needs()

    def _each(self, x: str, source: Callable[[str], str]) -> str:
        each = f"each{x.count('each')}"
        return f"[{source(each)} for {each} in {x}]" if source(each) != each else f"{x}[:]"

    def copied(self, x: str) -> str:
        return self._each(x, self.inner.copied)

    def frozen(self, x: str) -> str:
        return f"tuple({self._each(x, self.inner.frozen).removesuffix('[:]')})"

    def viewed(self, x: str) -> str:
        return f"tuple({self._each(x, self.inner.viewed).removesuffix('[:]')})"

    def written(self, x: str) -> str:
        return self._each(x, self.inner.written)

    def shape(self, box: Any) -> Shape:
        return Listing(self.inner.shape(box), describe=self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> list[T]:
        return [self.inner.read(one, (*at, index), reading, whose) for index, one in enumerate(value)]


class ByPiece(Row[int]):
    """A number for each piece of the box. Another field writes it into records."""

    def __init__(self, first: int = 0, **how: Unpack[How]) -> None:
        super().__init__(Number(), **how)
        self.first = f"[{first}] * len(box.ids)"


class Items(Row[T]):
    """A list of plain values that is in no key or record. Copies share the values."""

    in_key = False

    def __init__(self, **how: Unpack[How]) -> None:
        super().__init__(Kind[T](), **how)


class Each(Row[T]):
    """A value of one kind for each seat, written into the record of that seat."""

    by_seat = True

    def call(self, name: str) -> None:
        self.owner = "seat" if self.seen == "own" else self.owner
        super().call(name)
        first, self.inner.about = self.inner.first, self.about
        self.first = f"[{first}] * len(seats)" if self.inner.copied("each") == "each" else f"[{first} for _ in seats]"
        self.inner.key = self.key

    def viewed(self, x: str) -> str:
        if self.seen == "own":
            return self.inner.viewed(f"{x}[seat]")
        if any(kind.part for kind in self.needs()):
            return f"tuple([{self.inner.viewed('each')} for owner, each in enumerate({x})])"
        return super().viewed(x)

    def lines(self, x: str, into: str) -> list[str]:
        return self.inner.lines(f"{x}[seat]", into)

    def shapes(self, box: Any) -> dict[str, Shape]:
        return self.inner.shapes(box)

    def lay(self, into: Any, record: Mapping[str, Any], at: Path, reading: Laying, whose: str = "") -> None:
        values = getattr(into, self.name)
        for seat, (name, has) in enumerate(record["seats"].items()):
            if self.key in has:
                values[seat] = self.inner.laid(values[seat], has[self.key], ("seats", name, self.key), reading, name)


# Sets of numbers as bit masks


def members(mask: int) -> list[int]:
    """Return the numbers in a set, lowest first.

    >>> members(0b1101)
    [0, 2, 3]
    """
    numbers = []
    while mask:
        lowest = mask & -mask
        numbers.append(lowest.bit_length() - 1)
        mask ^= lowest
    return numbers


def mask(numbers: Iterable[int]) -> int:
    """Return the bit mask of some numbers.

    >>> bin(mask([0, 2, 3, 2]))
    '0b1101'
    """
    found = 0
    for number in numbers:
        found |= 1 << number
    return found
