"""A game's state, declared once: initial values, clones, keys, views and records follow from the kinds of its fields.

Slots, `__init__`, `clone`, `key`, `view` and the writing of records are made with the class, as straight-line source
that shows up in tracebacks. The shape and the reading of records follow the same list. The game itself provides the
rules: legality, whose turn it is, and the View class, whose fields are matched by name; nothing checks that their types
agree. Hidden values need a method marked with `shows` to get into a view.

>>> from typing import NamedTuple
>>> from grimalkin.engine.chance import Scripted
>>> from grimalkin.engine.kinds import Each, Hand, Pile, Seat
>>> class Box:
...     def __init__(self, *ids: str) -> None:
...         self.ids, self.numbers = ids, {id_: number for number, id_ in enumerate(ids)}
>>> class View(NamedTuple):
...     seat: int
...     to_act: int
...     hand: tuple[int, ...]
...     pond: tuple[int, ...]
>>> class Fishing(Declared[Box, View]):
...     turn = Seat("The seat to act.", key="to-act", view="to_act", always=True)
...     pond = Pile("The fish in the pond.", place="the pond")
...     hands = Each(Hand("The fish in hand.", place="{}'s hand"), key="hand", view="hand", seen="own")
>>> box = Box("cod", "eel", "ide")
>>> state = Fishing(box, ("Ada", "Basil"), {}, Scripted())
>>> state.pond += [1, 2]
>>> state.hands[0].append(0)
>>> state.view(1)
View(seat=1, to_act=0, hand=(), pond=(1, 2))
>>> state.position()
{'to-act': 'Ada', 'pond': ['eel', 'ide'], 'seats': {'Ada': {'hand': ['cod']}, 'Basil': {'hand': []}}}
>>> record, misfits = Fishing.shape(box).read(state.position())
>>> reading = Reading(Fishing(box, ("Ada", "Basil"), {}, Scripted()), record)
>>> reading.lay()
>>> reading.finish().key() == state.key()
True
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeVar, Unpack

from grimalkin.engine.chance import Chance, Scripted
from grimalkin.engine.kinds import ByPiece, Each, Fixed, How, Kind, Names, Option, Pieces, Start, Word
from grimalkin.engine.loading import Laying
from grimalkin.engine.shape import Misfit, Misfits, Path, Record, Shape, Table
from grimalkin.engine.words import OVER

B = TypeVar("B", bound=Pieces)
F = TypeVar("F", bound=Callable[..., Any])
P = TypeVar("P", bound="Part[Any]")
T = TypeVar("T")
V = TypeVar("V")

NOBODY: Final = -1
"""The owner of anything that belongs to no seat."""
_SHOWS = "__shows__"
MADE = ("clone", "with_chance", "key", "view", "_record")
"""Generated methods."""


def shows(*names: str) -> Callable[[F], F]:
    """Mark a method that returns, for a seat, the values of these fields of the view: one value, or one for each field.

    A part's method is also given its owner's seat, or -1 if it has no owner.
    """

    def mark(method: F) -> F:
        setattr(method, _SHOWS, names)
        return method

    return mark


class Declaring(type):
    """The metaclass that makes the class of a state or a part from the kinds of its fields."""

    fields: tuple[Kind[Any], ...] = ()
    recorded: tuple[Kind[Any], ...] = ()
    """The fields that are in records."""
    owned = False
    """Whether a part has values that only its owner's seat may see."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Declaring:
        if not any(isinstance(base, Declaring) for base in bases):
            return super().__new__(mcs, name, bases, namespace)
        where = f"{namespace['__module__']}.{namespace['__qualname__']}"
        kinds = {field: kind for field, kind in namespace.items() if isinstance(kind, Kind)}
        try:
            for field, kind in kinds.items():
                kind.call(field)
            rest = {key: value for key, value in namespace.items() if key not in kinds}
            if any(base.fields for base in bases if isinstance(base, Declaring)):
                if kinds:
                    raise TypeError("its base class declares fields, too; declare all fields in one class")
                return super().__new__(mcs, name, bases, {**namespace, "__slots__": ()})
            cls = super().__new__(mcs, name, bases, {**rest, "__slots__": tuple(kinds)})
            cls.fields = tuple(kinds.values())
            cls.recorded = tuple(kind for kind in cls.fields if kind.about)
            cls.owned = any(kind.seen == "own" or _of_owner(kind) for kind in cls.fields)
            for made, function in _functions(cls, where, rest).items():
                if made not in namespace:
                    setattr(cls, made, function)
        except TypeError as error:
            raise TypeError(f"{where}: {error}") from None
        return cls


class Part(Generic[V], metaclass=Declaring):
    """A part of a state with its own fields: a hero, a token, a campaign. Generic in its view."""

    __slots__ = ()
    if TYPE_CHECKING:

        def _record(self, into: dict[str, Any], rows: Sequence[dict[str, Any]], names: Names) -> dict[str, Any]:
            """Put its fields into a record, and return that."""

        def view(self, seat: int, owner: int = -1) -> V:
            """Return what a seat may know of it, as a read-only value; `owner` is its owner's seat."""

        def key(self) -> tuple[Any, ...]:
            """Return a canonical hashable value."""

        def clone(self) -> Self:
            """Return an independent copy."""

    def record(self, names: Names) -> dict[str, Any]:
        """Return it as a plain record."""
        return self._record({}, (), names)


def _of_owner(kind: Kind[Any]) -> bool:
    return any(inner.part and inner.part.owned for inner in kind.needs())


class _OfPart(Kind[T]):
    def __init__(self, part: type[Part[Any]], about: str = "", **how: Unpack[How]) -> None:
        super().__init__(about or part.__doc__ or part.__name__, **how)
        self.part = part

    def call(self, name: str) -> None:
        super().call(name)
        if not hasattr(self.part, "view"):
            self.seen = "hidden"

    def copied(self) -> Callable[[T], T]:
        return self.part.clone  # type: ignore[no-any-return]

    def frozen(self) -> Callable[[T], Hashable]:
        return self.part.key  # type: ignore[no-any-return]

    def viewed(self) -> Callable[[T, int, int], object]:
        return self.part.view  # type: ignore[no-any-return]

    def written(self, value: T, names: Names) -> object:
        return value.record(names)  # type: ignore[attr-defined]

    def shape(self, box: Any) -> Record:
        told = [kind.shapes(box) for kind in self.part.recorded]
        return Record({}, {key: shape for shapes in told for key, shape in shapes.items()}, self.about)

    def read(self, value: Any, at: Path, reading: Laying, whose: str = "") -> T:
        return self.laid(self.part(), value, at, reading, whose)

    def laid(self, now: T, value: Any, at: Path, reading: Laying, whose: str) -> T:
        for kind in self.part.recorded:
            kind.lay(now, value, at, reading, whose)
        return now


class One(_OfPart[P]):
    """A field that holds a part."""

    always = True
    if TYPE_CHECKING:

        def __init__(self, part: type[P], about: str = "", **how: Unpack[How]) -> None: ...

    def begins(self) -> Callable[[Start], P]:
        return lambda _start: self.part()


class Perhaps(_OfPart[P | None]):
    """A field that holds a part or None, initially None. Where a record cannot omit it, as in a Row, an empty text
    means None."""

    first = None
    if TYPE_CHECKING:

        def __init__(self, part: type[P], about: str = "", **how: Unpack[How]) -> None: ...

    def copied(self) -> Callable[[P | None], P | None]:
        copy = super().copied()
        return lambda part: None if part is None else copy(part)

    def frozen(self) -> Callable[[P | None], Hashable]:
        freeze = super().frozen()
        return lambda part: None if part is None else freeze(part)

    def viewed(self) -> Callable[[P | None, int, int], object]:
        show = super().viewed()
        return lambda part, seat, owner: None if part is None else show(part, seat, owner)

    def written(self, value: P | None, names: Names) -> object:
        return "" if value is None else value.record(names)

    def shape(self, box: Any) -> Record:
        return replace(super().shape(box), empty=True)

    def laid(self, now: P | None, value: Any, at: Path, reading: Laying, whose: str) -> P | None:
        return None if value == "" else super().laid(self.part() if now is None else now, value, at, reading, whose)


class Declared(Generic[B, V], metaclass=Declaring):
    """A state whose fields are declared. Generic in the game's box and view.

    A method `begin`, if there is one, is called at the end of `__init__` to set initial values that need the box.
    Fields that it changes must be declared with `always`: a field missing in a record has the value that `begin` sets.
    A subclass of a declared class may add methods, but no fields.
    """

    __slots__ = ("box", "chance", "seats")
    box: B
    seats: tuple[str, ...]
    chance: Chance
    if TYPE_CHECKING:

        def __init__(self, box: B, seats: tuple[str, ...], options: Mapping[str, Any], chance: Chance) -> None: ...

        def _record(self, into: dict[str, Any], rows: Sequence[dict[str, Any]], names: Names) -> dict[str, Any]:
            """Put its fields into a record, or into those of the seats, and return the first."""

        def with_chance(self, chance: Chance) -> Self:
            """Return a copy that draws from another source."""

        def key(self) -> tuple[Any, ...]:
            """Return a canonical hashable value: two states are equal if their keys are."""

        def view(self, seat: int) -> V:
            """Return what a seat may know, as a read-only value."""

    def clone(self) -> Self:
        """Return an independent copy."""
        return self.with_chance(self.chance.clone())

    def position(self) -> dict[str, Any]:
        """Return this state as a plain record."""
        rows: dict[str, dict[str, Any]] = {name: {} for name in self.seats}
        record = self._record({}, tuple(rows.values()), Names(self.box.ids, self.seats, self.box))
        record["seats"] = rows
        return record

    @classmethod
    def shape(cls, box: B) -> Record:
        """Return the shape of a position's record with the pieces of a box, made once for each box."""
        try:
            hash(box)
        except TypeError as error:
            hint = "make it a class of its own instead of a tuple, or let it hold nothing that can change"
            raise TypeError(f"{type(box).__name__}, the box of {cls.__name__}, has no hash ({error}); {hint}") from None
        return _shape(cls, box)


@lru_cache(maxsize=8)
def _shape(of: type[Declared[Any, Any]], box: Any) -> Record:
    seat: dict[str, Shape] = {}
    optional: dict[str, Shape] = {}
    for kind in of.recorded:
        (seat if kind.by_seat else optional).update(kind.shapes(box))
    return Record(
        {"seats": Table(Record({}, seat), describe="What each seat has, seats in clockwise order.")}, optional
    )


class _Source:
    """The source of a class's methods, and the functions and values that it names."""

    def __init__(self, **names: object) -> None:
        self.names = names
        self.text = ""
        self.methods: list[str] = []

    def call(self, purpose: str, kind: Kind[Any], function: Callable[..., Any] | None, *arguments: str) -> str:
        """Return the call of a kind's function; without one, the first argument."""
        if function is None:
            return arguments[0]
        return f"{self.name(purpose, kind, function)}({', '.join(arguments)})"

    def name(self, purpose: str, kind: Kind[Any], value: object) -> str:
        """Return a name for a kind's function or value."""
        name = f"_{purpose}_{kind.name}"
        self.names[name] = value
        return name

    def add(self, head: str, lines: Sequence[str]) -> None:
        self.methods.append(head.partition("(")[0])
        self.text += "\n    ".join([f"def {head}:", *(lines or ["pass"])]) + "\n\n"

    def functions(self, cls: type, where: str) -> dict[str, Callable[..., Any]]:
        """Return the methods, compiled so that tracebacks can show their source."""
        made, file = dict(self.names), f"<fields of {where}>"
        linecache.cache[file] = (len(self.text), None, self.text.splitlines(keepends=True), file)
        exec(compile(self.text, file, "exec"), made)
        functions: dict[str, Any] = {name: made[name] for name in self.methods}
        for name, function in functions.items():
            function.__module__, function.__qualname__ = cls.__module__, f"{cls.__qualname__}.{name}"
        return functions


def _functions(cls: Declaring, where: str, rest: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """Return the methods of a declared class: the functions of its kinds in straight lines, without loops."""
    of_part = issubclass(cls, Part)
    fields = cls.fields
    _check(fields, of_part)
    arguments = getattr(rest.get("__orig_bases__", (None,))[0], "__args__", ())
    box, view = (None, *arguments) if of_part and arguments else arguments or (None, None)
    source = _Source(_new=cls.__new__, _view=view, owner=NOBODY, start=Start(None, (), {}), _start=Start)
    first, copied, frozen = [], [], []
    for kind in fields:
        here, begin = f"self.{kind.name}", kind.begins()
        value = source.call("copy", kind, kind.copied(), source.name("first", kind, kind.first))
        first.append(f"{here} = {source.call('begin', kind, begin, 'start') if begin else value}")
        copied.append(f"other.{kind.name} = {source.call('copy', kind, kind.copied(), here)}")
        if kind.in_key:
            frozen.append(source.call("freeze", kind, kind.frozen(), here))
    if of_part:
        heads = ("__init__(self)", "clone(self)", "view(self, seat, owner=owner)")
    else:
        heads = ("__init__(self, box, seats, options, chance)", "with_chance(self, chance)", "view(self, seat)")
        first[:0] = ["self.box, self.seats, self.chance = box, seats, chance", "start = _start(box, seats, options)"]
        copied[:0] = ["other.box, other.seats, other.chance = self.box, self.seats, chance"]
        frozen[:0] = ["self.seats"]
    source.add(heads[0], [*first, *["self.begin()"] * ("begin" in rest)])
    source.add(heads[1], ["other = _new(type(self))", *copied, "return other"])
    source.add("key(self)", [f"return ({', '.join(frozen)},)"])
    source.add("_record(self, into, rows, names)", [*_record_lines(source, cls.recorded), "return into"])
    if hasattr(view, "_fields"):
        source.add(heads[2], _view_lines(source, fields, view, box, rest, of_part))
    return source.functions(cls, where)


def _record_lines(source: _Source, kinds: Sequence[Kind[Any]]) -> Iterator[str]:
    """Yield the body of `_record`: each field, if it is to be written now, goes into the record or those of seats."""
    for kind in kinds:
        here = f"self.{kind.name}"
        whether = [] if kind.always else [f"{here} != {source.name('first', kind, kind.first)}"]
        whether += [f"self.phase in {kind.when}"] if kind.when else []
        whether += [source.call("only", kind, kind.only, "self")] if kind.only else []
        indent = "    " * bool(whether)
        if whether:
            yield f"if {' and '.join(whether)}:"
        if kind.by_seat:
            yield f"{indent}for seat, into_row in enumerate(rows):"
            indent += "    "
        into, seat = ("into_row", "seat") if kind.by_seat else ("into", "owner")
        if kind.write:
            yield indent + source.call("write", kind, kind.write, "self", into, "names", seat)
        elif kind.writes:
            yield f"{indent}{into}[{kind.key!r}] = {source.call('writes', kind, kind.writes, 'self')}"
        elif isinstance(kind, Each):
            inner = kind.inner
            if not inner.always:
                yield f"{indent}if {here}[seat] != {source.name('first', inner, inner.first)}:"
                indent += "    "
            yield indent + _put(source, inner, f"{here}[seat]", into)
        else:
            yield indent + _put(source, kind, here, into)


def _put(source: _Source, kind: Kind[Any], value: str, into: str) -> str:
    """Return the line that puts a kind's value into a record."""
    if type(kind).put is not Kind.put:
        return source.call("put", kind, kind.put, value, into, "names")
    written = None if type(kind).written is Kind.written else kind.written
    return f"{into}[{kind.key!r}] = {source.call('written', kind, written, value, 'names')}"


def _check(fields: Sequence[Kind[Any]], of_part: bool) -> None:
    """Raise TypeError if fields conflict."""
    phased = any(kind.name == "phase" and isinstance(kind, Word) for kind in fields)
    keys: dict[tuple[bool, str], str] = {}
    for kind in fields:
        if hasattr(Part if of_part else Declared, kind.name) or kind.name in MADE:
            raise TypeError(f"a field cannot be called {kind.name}: every such class already uses that name")
        if of_part and (kind.by_seat or isinstance(kind, ByPiece | Fixed | Option)):
            raise TypeError(f"{kind.name} cannot be in a part: {type(kind).__name__} belongs to the whole table")
        if kind.when and of_part:
            raise TypeError(f'{kind.name} has "when", but phases belong to the whole table; "only" is for parts')
        if kind.hint and not kind.when:
            raise TypeError(f'{kind.name} has "hint", which is shown in other phases, and no "when"')
        if kind.when and not phased:
            raise TypeError(f'{kind.name} has "when", and no field "phase" is a Word')
        if kind.seen == "own" and not kind.by_seat and not of_part:
            raise TypeError(f"{kind.name} is seen by its own seat, but is not an Each")
        if _of_owner(kind) and not kind.by_seat and not of_part:
            raise TypeError(f"{kind.name} has values that only its own seat may see, but is not an Each")
        if kind.about and not isinstance(kind, Option):
            other = keys.setdefault((kind.by_seat, kind.key), kind.name)
            if other != kind.name:
                raise TypeError(f'{other} and {kind.name} are both written as "{kind.key}"')


def _view_lines(
    source: _Source, fields: Sequence[Kind[Any]], view: Any, box: Any, rest: Mapping[str, Any], of_part: bool
) -> list[str]:
    """Return the body of `view`: each field comes from a method marked with `shows`, a field, or the box."""
    lines, found = [], {"seat": "seat"}
    for method, value in rest.items():
        names = getattr(value, _SHOWS, ())
        lost = [name for name in names if name not in view._fields]
        if lost:
            raise TypeError(f'{method} shows "{lost[0]}", but {view.__name__} has no such field')
        found |= {name: name for name in names}
        lines += [f"{', '.join(names)} = self.{method}(seat{', owner' * of_part})"] * bool(names)
    by_view = {kind.view: kind for kind in fields}
    in_box = {name for told in ("__slots__", "_fields", "__annotations__") for name in getattr(box, told, ())}
    for name in view._fields:
        if name in found:
            continue
        if name in by_view:
            kind = by_view[name]
            if kind.seen == "hidden":
                bare = [inner.part for inner in kind.needs() if inner.part and not hasattr(inner.part, "view")]
                why = f"made of {bare[0].__name__}, a part without a view" if bare else "hidden"
                raise TypeError(f"{kind.name} is {why}; a method marked by shows({name!r}) must say what is seen of it")
            here, owner, one = f"self.{kind.name}", "owner", kind
            if isinstance(kind, Each) and kind.seen == "own":
                here, owner, one = f"self.{kind.name}[seat]", "seat", kind.inner
            show = one.viewed()
            seen = source.call("show", kind, show or one.frozen(), here, *("seat", owner) if show else ())
            found[name] = f"({seen} if seat == owner else None)" if of_part and kind.seen == "own" else seen
        elif name in in_box:
            found[name] = f"self.box.{name}"
        else:
            raise TypeError(f'{view.__name__} has a field "{name}", but nothing declared here has that name')
    return [*lines, f"return _view({', '.join(found[name] for name in view._fields)})"]


# Reading


D = TypeVar("D", bound=Declared[Any, Any])


def begin(
    of: type[D],
    box: Pieces,
    seats: Sequence[str],
    options: tuple[Mapping[str, Any], Sequence[Misfit]],
    chance: Chance,
    wrong: Sequence[Misfit],
) -> D:
    """Return a new state, with options as their shape has read them. Raises Misfits, including those in `wrong`."""
    chosen, misfits = options
    if misfits or wrong:
        raise Misfits([*misfits, *wrong])
    return of(box, tuple(seats), chosen, chance)


class Reading(Laying, Generic[D]):
    """The reading of a position: from a record, read with its shape, into an initial state."""

    state: D

    @classmethod
    def of(
        cls,
        state: type[D],
        box: Pieces,
        position: Mapping[str, Any],
        chance: Chance | None,
        wrong: Callable[[Sequence[str]], Sequence[Misfit]],
    ) -> Self:
        """Begin to read a position. Raises Misfits for a wrong shape, including those in `wrong` about the seats."""
        record, misfits = state.shape(box).read(position)
        if not misfits:
            misfits = [*wrong(tuple(record["seats"]))]
        if misfits:
            raise Misfits(misfits)
        return cls(state(box, tuple(record["seats"]), record.get("options", {}), chance or Scripted()), record)

    def lay(self) -> None:
        """Put all values of the record into the fields of the state, fields by seat first."""
        state, record = self.state, self.record
        for kind in sorted(type(state).recorded, key=lambda kind: not kind.by_seat):
            kind.lay(state, record, (), self)

    def finish(self) -> D:
        state: D = super().finish()
        return state

    def end(self, phase: int) -> None:
        """End a game that its position shows to be over, although it is recorded as in progress: nobody is to act, and
        fields that have a meaning only during a game are reset."""
        state: Any = self.state  # including the fields of its game
        record = self.record
        fresh = type(state)(state.box, state.seats, record.get("options", {}), state.chance)
        gone = [kind for kind in type(state).fields if kind.when and phase not in kind.when]
        for kind in gone:
            setattr(state, kind.name, getattr(fresh, kind.name))
        self.record = {key: value for key, value in record.items() if key not in {kind.key for kind in gone}}
        state.phase, state.turn = phase, OVER

    def check_phase(self, phase: int) -> None:
        """Check that a key with a meaning only in some phases is written in one of them."""
        fields, record = type(self.state).fields, self.record
        for kind in fields:
            if kind.when and phase not in kind.when:
                places: list[Path] = [(kind.key,)] if kind.key in record and not kind.by_seat else []
                if kind.by_seat:
                    places = [("seats", name, kind.key) for name, has in record["seats"].items() if has.get(kind.key)]
                for at in places:
                    (words,) = [kind.words for kind in fields if kind.name == "phase" and isinstance(kind, Word)]
                    self.wrong(at, f'"{kind.key}" means nothing in phase {words[phase]}', kind.hint)
