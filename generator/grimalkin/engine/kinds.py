"""Kinds of fields for declaring a state: how values begin, and how they are copied, shown, written and read."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypedDict, TypeVar, Unpack

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


class Start(NamedTuple):
    """What a state begins with."""

    box: Any
    seats: Sequence[str]
    options: Mapping[str, Any]


class Names(NamedTuple):
    """The names used to write a record: the ids of all pieces, and the seats."""

    ids: Sequence[str]
    seats: Sequence[str]
    box: Any


class How(TypedDict, total=False):
    """Options of any field."""

    key: str
    """Its key in a record; by default its name with hyphens."""
    when: tuple[int, ...]
    """The phases in which it is meaningful. In other phases, it is neither written nor allowed."""
    hint: str
    """The hint if it is written in a different phase."""
    only: Callable[[Any], bool]
    """A function that returns whether a state writes it."""
    always: bool
    """Written even when it has its first value."""
    seen: Literal["all", "own", "hidden"]
    """Who may see it: everybody; for values by seat, each seat its own; nobody without a method marked by `shows`.
    In a part, "own" is the seat whose part it is; others see None."""
    view: str
    """Its name in the View; by default its own name."""
    shape: Callable[[str], Shape]
    """A function that makes its shape from its description, if its kind has none; by default Text."""
    writes: Callable[[Any], object]
    """A function of the state or part that returns its value in the record."""


_COPIES: Mapping[type, Callable[[Any], Any]] = {list: list.copy, dict: dict.copy}
_FROZEN: Mapping[type, Callable[[Any], Hashable]] = {list: tuple}


class Kind(Generic[T]):
    """A kind of field: how its value begins and is copied, frozen for a key, seen, written, shaped and read.

    `engine.state` puts the functions for the first four into the methods of a state; without one, the value itself is
    used.
    """

    first: Any = 0
    """Its first value, of which states begin with a copy. A record leaves it out unless it is always written."""
    in_key: ClassVar[bool] = True
    always = False
    """Written even when it has its first value."""
    by_seat: ClassVar[bool] = False
    """Whether it is a list by seat, written into the records of seats."""
    part: Any = None
    """The class of its part."""
    write: ClassVar[Callable[..., None] | None] = None
    """A method that writes the field of a state or part into its record, or into that of one seat, in its own way:
    `write(of, into, names, seat)`."""

    def __init__(self, about: str = "", **how: Unpack[How]) -> None:
        self.about = about
        """The description of its key. A field without one is in no record."""
        self.name = ""
        self.said = tuple(how)
        """Its options."""
        self.key = how.get("key", "")
        self.when = tuple(map(int, how.get("when", ())))
        self.hint = how.get("hint", "")
        self.only = how.get("only")
        self.always = how.get("always", self.always)
        self.seen = how.get("seen", "all")
        self.view = how.get("view", "")
        self.shaped = how.get("shape", Text)
        self.writes = how.get("writes")

    if TYPE_CHECKING:

        def __get__(self, owner: object, of: object = None) -> T: ...

        def __set__(self, owner: object, value: T) -> None: ...

    def call(self, name: str) -> None:
        """Set the name with which it was declared."""
        if self.name:
            raise TypeError(f"one kind is used for two fields, {self.name} and {name}; declare one for each")
        self.name = name
        self.key = self.key or name.replace("_", "-")
        self.view = self.view or name

    def needs(self) -> Iterator[Kind[Any]]:
        """Yield this kind and the kinds inside it."""
        yield self

    def begins(self) -> Callable[[Start], T] | None:
        """Return the function that makes its first value, if that depends on what a state begins with."""
        return None

    def copied(self) -> Callable[[T], T] | None:
        """Return the function that copies its value for a clone. Lists and dictionaries are copied; others stay."""
        return _COPIES.get(type(self.first))

    def frozen(self) -> Callable[[T], Hashable] | None:
        """Return the function that makes its value hashable for a key. A list becomes a tuple; others stay."""
        return _FROZEN.get(type(self.first))

    def viewed(self) -> Callable[[T, int, int], object] | None:
        """Return the function that makes a view from its value, the seat that looks and the seat that owns it, or -1;
        None if the view shows what the key has.
        """
        return None

    def written(self, value: T, names: Names) -> object:
        """Return its value as records have it."""
        return value

    def put(self, value: T, into: dict[str, Any], names: Names) -> None:
        """Put its value into a record, or into the record of one seat."""
        into[self.key] = self.written(value, names)

    def shape(self, box: Any) -> Shape:
        return self.shaped(self.about)

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


class Value(Kind[T]):
    """A value that cannot be changed in place, so copies share it."""

    def __init__(self, first: T, about: str = "", **how: Unpack[How]) -> None:
        super().__init__(about, **how)
        if isinstance(first, list | dict | set):
            raise TypeError(f"all states would share the {type(first).__name__} they begin with; use Items or a part")
        self.first = first


class Plain(Value[T]):
    """A value that follows from other values, so it is in no key or record."""

    in_key = False


class Fixed(Kind[T]):
    """A value that follows from what a state begins with, so it is in no key or record."""

    in_key = False

    def __init__(self, make: Callable[[Start], T], **how: Unpack[How]) -> None:
        super().__init__(**how)
        self.make = make

    def begins(self) -> Callable[[Start], T]:
        return self.make


class Values(Kind[list[T]]):
    """A list of plain values, initially empty. Copies share the values."""

    first: Sequence[T] = []

    def written(self, value: list[T], names: Names) -> object:
        return value[:]


class Items(Values[T]):
    """A list of plain values that is in no key or record."""

    in_key = False


class Number(Kind[int]):
    """A whole number."""

    def __init__(
        self, first: int = 0, about: str = "", *, least: int = 0, most: int | None = None, **how: Unpack[How]
    ) -> None:
        super().__init__(about, **how)
        self.first, self.least, self.most = int(first), least, most

    def shape(self, box: Any) -> Shape:
        return Whole(self.least, self.most, self.about)


class Flag(Kind[bool]):
    """Yes or no, initially no."""

    first = False

    def written(self, value: bool, names: Names) -> str:
        return "yes" if value else "no"

    def shape(self, box: Any) -> Shape:
        return YesNo(self.about)


class Word(Kind[int]):
    """One of a few words, stored as its index. `when` refers to the field called `phase`."""

    def __init__(self, words: tuple[str, ...], first: int = 0, about: str = "", **how: Unpack[How]) -> None:
        super().__init__(about, **how)
        self.words, self.first = words, int(first)

    def written(self, value: int, names: Names) -> str:
        return self.words[value]

    def shape(self, box: Any) -> Shape:
        return Choice(self.words, self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> int:
        return self.words.index(value)


class Option(Kind[T]):
    """The value of a key in the options of a game."""

    def __init__(self, options: Record, option: str, default: T, **how: Unpack[How]) -> None:
        super().__init__("options", **how)
        self.options, self.option, self.first = options, option, default

    def begins(self) -> Callable[[Start], T] | None:
        return lambda start: start.options.get(self.option, self.first)

    def put(self, value: T, into: dict[str, Any], names: Names) -> None:
        into.setdefault("options", {})[self.option] = self.written(value, names)

    def shapes(self, box: Any) -> dict[str, Shape]:
        return {"options": self.options}

    def lay(self, into: Any, record: Mapping[str, Any], at: Path, reading: Laying, whose: str = "") -> None:
        """Do nothing: a state begins with its options."""


class Chosen(Option[bool]):
    """Whether a key in the options of a game has a certain word."""

    def __init__(self, options: Record, option: str, word: str, **how: Unpack[How]) -> None:
        super().__init__(options, option, False, **how)
        self.word = word

    def begins(self) -> Callable[[Start], bool]:
        return lambda start: start.options.get(self.option) == self.word

    def written(self, value: bool, names: Names) -> str:
        return self.word


class Agreed(Option[bool]):
    """Whether an option of a game is `yes`; otherwise the option is absent."""

    def __init__(self, options: Record, option: str, **how: Unpack[How]) -> None:
        super().__init__(options, option, False, **how)

    def written(self, value: bool, names: Names) -> str:
        return "yes"


class Seat(Kind[int]):
    """A seat, by its number; initially the first. With `nobody` it may be none, -1, and is initially none."""

    def __init__(self, about: str = "", *, nobody: bool = False, **how: Unpack[How]) -> None:
        super().__init__(about, **how)
        self.nobody, self.first = nobody, -1 if nobody else 0

    def written(self, value: int, names: Names) -> str:
        return names.seats[value] if value >= 0 else ""

    def shape(self, box: Any) -> Shape:
        return Text(self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> int:
        return reading.number(value, at) if value or not self.nobody else -1


class Seats(Kind[int]):
    """A set of seats, as a bit mask."""

    def written(self, value: int, names: Names) -> list[str]:
        return [name for bit, name in enumerate(names.seats) if value >> bit & 1]

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

    first = -1

    def written(self, value: int, names: Names) -> str:
        return names.ids[value] if value >= 0 else ""

    def shape(self, box: Any) -> Shape:
        return Choice(tuple(self.ids(box)), self.about, empty=self.always)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> int:
        return reading.piece(value, at, self.place.format(whose)) if value else -1


class Pile(_OfPieces[list[int]]):
    """Pieces in order. For slots that may be empty, use a Row of Cards."""

    first: Sequence[int] = []
    always = True

    def written(self, value: list[int], names: Names) -> list[str]:
        return [names.ids[card] for card in value]

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> list[int]:
        return self._pieces(value, at, reading, whose)


class Hand(Pile):
    """Pieces kept in the order of their numbers."""

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> list[int]:
        return sorted(super().read(value, at, reading, whose))


class Heap(Hand):
    """Pieces whose order is meaningless and never shown."""

    def frozen(self) -> Callable[[list[int]], Hashable]:
        return in_order

    def written(self, value: list[int], names: Names) -> list[str]:
        return super().written(sorted(value), names)


class CardSet(_OfPieces[int]):
    """A set of pieces, as a bit mask."""

    always = True

    def written(self, value: int, names: Names) -> list[str]:
        return [names.ids[card] for card in members(value)]

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> int:
        return mask(self._pieces(value, at, reading, whose))


# Kinds of many values, and parts


class Row(Kind[list[T]]):
    """A list of values of one kind, initially empty."""

    first: Sequence[T] = []

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
        inner.always |= self.always or not self.by_seat
        inner.call(f"{name}_each")
        if inner.seen == "hidden":
            self.seen = "hidden"

    def needs(self) -> Iterator[Kind[Any]]:
        yield self
        yield from self.inner.needs()

    def copied(self) -> Callable[[list[T]], list[T]]:
        copy = self.inner.copied()
        return (lambda values: list(map(copy, values))) if copy else list.copy

    def frozen(self) -> Callable[[list[T]], Hashable]:
        freeze = self.inner.frozen()
        return (lambda values: tuple(map(freeze, values))) if freeze else tuple

    def viewed(self) -> Callable[[list[T], int, int], object] | None:
        show = self.inner.viewed()
        return show and (lambda values, seat, owner: tuple([show(value, seat, owner) for value in values]))

    def written(self, value: list[T], names: Names) -> object:
        return [self.inner.written(one, names) for one in value]

    def shape(self, box: Any) -> Shape:
        return Listing(self.inner.shape(box), describe=self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> list[T]:
        return [self.inner.read(one, (*at, index), reading, whose) for index, one in enumerate(value)]


class ByPiece(Row[int]):
    """A number for each piece of the box. Another field writes it into records."""

    def __init__(self, first: int = 0, **how: Unpack[How]) -> None:
        super().__init__(Number(first), **how)

    def begins(self) -> Callable[[Start], list[int]]:
        return lambda start: [self.inner.first] * len(start.box.ids)


class Each(Row[T]):
    """A value of one kind for each seat, written into the record of that seat."""

    by_seat = True

    def call(self, name: str) -> None:
        super().call(name)
        self.inner.about, self.inner.key = self.about, self.key

    def begins(self) -> Callable[[Start], list[T]]:
        begin, copy, first = self.inner.begins(), self.inner.copied(), self.inner.first
        if begin or not copy:
            return lambda start: [begin(start) for _ in start.seats] if begin else [first] * len(start.seats)
        return lambda start: [copy(first) for _ in start.seats]

    def viewed(self) -> Callable[[list[T], int, int], object] | None:
        show = self.inner.viewed()
        return show and (
            lambda values, seat, _owner: tuple([show(value, seat, owner) for owner, value in enumerate(values)])
        )

    def shapes(self, box: Any) -> dict[str, Shape]:
        return self.inner.shapes(box)

    def lay(self, into: Any, record: Mapping[str, Any], at: Path, reading: Laying, whose: str = "") -> None:
        values = getattr(into, self.name)
        for seat, (name, has) in enumerate(record["seats"].items()):
            if self.key in has:
                values[seat] = self.inner.laid(values[seat], has[self.key], ("seats", name, self.key), reading, name)


# Sets of numbers, as bit masks and in order


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


def in_order(pieces: Iterable[Any]) -> tuple[Any, ...]:
    """Return pieces whose order is meaningless, the lowest first."""
    return tuple(sorted(pieces))
