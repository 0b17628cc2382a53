"""States declared once: what is made of a declaration, on a small cellar with cats as heroes and rats as vermin."""

from __future__ import annotations

import json
import traceback
import types
from typing import NamedTuple

import pytest

from grimalkin.engine.chance import Scripted, Seeded
from grimalkin.engine.kinds import (
    ByPiece,
    Card,
    CardSet,
    Each,
    Flag,
    Hand,
    Heap,
    Items,
    Number,
    Option,
    Pile,
    Plain,
    Row,
    Seat,
    Seats,
    Word,
    mask,
    members,
)
from grimalkin.engine.shape import Misfits, Record, Whole
from grimalkin.engine.state import Declared, One, Part, Perhaps, Reading, shows

OPTIONS = Record({}, {"floods": Whole(0)})
NIGHT, DAY, ENDED = range(3)
PHASES = ("night", "day", "over")


class Box:
    def __init__(self, *ids):
        self.ids = ids
        self.numbers = {id_: number for number, id_ in enumerate(ids)}
        self.map = "a cellar"


class HeroView(NamedTuple):
    square: int
    lives: int
    skills: tuple[int, ...]
    looks_back: bool


class Hero(Part[HeroView]):
    """The hero of the seat."""

    square = Number(0, "The square it stands on.", always=True)
    lives = Number(9, "Lives left (default: 9).", most=9)
    skills = Hand("Its skills.", place="{}'s skills")
    plan = Number(0, "Where it means to go.", seen="hidden")

    @shows("looks_back")
    def _plan_seen(self, seat, owner):
        return self.plan < self.square


class Vermin(Part[None]):
    """A rat or a moth."""

    kind = Word(("rat", "moth"), 0, "What it is.", always=True)
    owner = Seat("Whose it is.", always=True)


class BoxWithMap(Box):
    __slots__ = ("map",)


class View(NamedTuple):
    seat: int
    to_act: int
    map: str
    hero: tuple[HeroView, ...]
    rats: int
    hand: tuple[int, ...]
    litter: tuple[int, ...]
    known: int


class Cellar(Declared[BoxWithMap, View]):
    phase = Word(PHASES, NIGHT, "Default: night.", always=True)
    turn = Seat("The seat to act.", key="to-act", view="to_act", when=(NIGHT, DAY), always=True)
    asleep = Seats("Who sleeps.", when=(NIGHT,))
    lamp = Card("What gives light.", only=lambda state: state.phase != ENDED)
    floods = Option(OPTIONS, "floods", 0)
    litter = Heap("What lies about.", place="the litter")
    rats = Row(One(Vermin), "The vermin.", seen="hidden")
    deck = CardSet("The deck.", place="the deck", seen="hidden")
    heroes = Each(One(Hero), key="hero", view="hero")
    hands = Each(Pile("In hand.", place="{}'s hand"), key="hand", view="hand", seen="own")
    done = Each(Flag("Whether it is done."))
    worth = ByPiece(1)
    noise = Plain(0)
    past = Items()

    def begin(self):
        self.deck = mask(range(len(self.box.ids)))

    @shows("rats", "known")
    def _seen(self, seat):
        return len(self.rats), self.deck.bit_count() + seat


BOX = BoxWithMap("claw", "leap", "purr", "hiss")
SEATS = ("Ada", "Basil")


def cellar(options=None, chance=None):
    return Cellar(BOX, SEATS, options or {}, chance or Scripted())


def played():
    """A cellar in which something has happened to every field."""
    state = cellar({"floods": 2}, Seeded(1))
    state.turn = 1
    state.asleep = 0b10
    state.lamp = 1
    state.heroes[0].lives = 7
    state.heroes[0].skills = [0]
    state.heroes[1].square = 5
    state.heroes[1].plan = 3
    state.rats.append(Vermin())
    state.rats.append(Vermin())
    state.rats[1].kind = 1
    state.rats[1].owner = 1
    state.hands[1] = [2]
    state.litter = [3, 1]
    state.deck = 0
    state.done[1] = True
    state.worth[2] = 4
    state.noise = 5
    state.past.append((1, 2))
    return state


RECORD = {
    "phase": "night",
    "to-act": "Basil",
    "asleep": ["Basil"],
    "lamp": "leap",
    "options": {"floods": 2},
    "litter": ["leap", "hiss"],
    "rats": [{"kind": "rat", "owner": "Ada"}, {"kind": "moth", "owner": "Basil"}],
    "deck": [],
    "seats": {
        "Ada": {"hero": {"square": 0, "lives": 7, "skills": ["claw"]}, "hand": []},
        "Basil": {"hero": {"square": 5, "skills": [], "plan": 3}, "hand": ["purr"], "done": "yes"},
    },
}


def load(record):
    read, misfits = Cellar.shape(BOX).read(record)
    assert [] == misfits
    reading = Reading(Cellar(BOX, tuple(read["seats"]), read.get("options", {}), Scripted()), read)
    reading.lay()
    reading.check_phase(reading.state.phase)
    return reading.finish()


# What is made


def test_states_begin_alike_and_apart():
    """Every state has first values of its own, those that take the box among them."""
    one, other = cellar(), cellar()
    one.heroes[0].lives = 1
    one.hands[0].append(2)

    assert (9, []) == (other.heroes[0].lives, other.hands[0])
    assert (9, []) == (one.heroes[1].lives, one.hands[1])
    assert (0b1111, [1, 1, 1, 1], 0) == (other.deck, other.worth, other.floods)
    assert 3 == cellar({"floods": 3}).floods


def test_a_clone_is_equal_and_apart():
    """Whatever is done to a state, parts and lists in lists too, its clone never notices."""
    state = played()
    copy = state.clone()
    before = state.key()

    assert before == copy.key()
    assert (5, [(1, 2)]) == (copy.noise, copy.past)

    state.heroes[0].skills.append(1)
    state.rats[0].owner = 1
    state.rats.pop()
    state.hands[1].append(0)
    state.worth[0] = 9
    state.past.clear()
    state.done[0] = True

    assert before == copy.key()
    assert [(1, 2)] == copy.past


def test_a_clone_draws_by_itself():
    """A clone has the same draws to come, and `with_chance` gives a copy others."""
    state = played()
    copy, other = state.clone(), state.with_chance(Scripted([("rat", "7")]))

    assert copy.chance is not state.chance
    assert state.chance.pick("rat", range(99)) == copy.chance.pick("rat", range(99))
    assert 7 == other.chance.pick("rat", range(99))


def test_every_field_but_derived_ones_tells_states_apart():
    """A key differs when any field does that is not Plain or Items; the order of a heap does not count."""
    changes = [
        ("phase", 1), ("turn", 0), ("asleep", 0), ("lamp", 2), ("floods", 1), ("litter", [3]), ("rats", []),
        ("deck", 1), ("heroes", [Hero(), Hero()]), ("hands", [[2], []]), ("done", [False, False]), ("worth", [0] * 4),
    ]  # fmt: skip
    assert {name for name, _ in changes} == {kind.name for kind in Cellar.fields if kind.in_key}
    for name, value in changes:
        other = played()
        setattr(other, name, value)

        assert played().key() != other.key(), name
    other = played()
    other.litter.reverse()
    other.noise, other.past = 0, []

    assert played().key() == other.key()
    assert hash(played().key()) == hash(other.key())


def test_a_view_shows_what_is_open_own_or_shown():
    """Open fields as they are, of `own` ones a seat's own, of hidden ones what a method shows, and what the box has."""
    heroes = (HeroView(0, 7, (0,), False), HeroView(5, 9, (), True))

    assert View(0, 1, "a cellar", heroes, 2, (), (1, 3), 0) == played().view(0)
    assert View(1, 1, "a cellar", heroes, 2, (2,), (1, 3), 1) == played().view(1)


def test_a_position_is_written_in_the_order_of_the_declaration():
    """First values are left out unless they are always written; parts are records of their own."""
    assert RECORD == played().position()
    assert list(RECORD) == list(played().position())
    assert json.loads(json.dumps(RECORD)) == RECORD


def test_a_field_is_written_in_its_phases_only():
    """`when` and `only` say whether a field means something now."""
    state = played()
    state.phase = ENDED

    assert not {"to-act", "asleep", "lamp"} & set(state.position())

    state.phase = DAY
    assert {"to-act", "lamp"} == {"to-act", "asleep", "lamp"} & set(state.position())


def test_a_position_loads_back():
    """What was written is read back, with numbers as text too."""
    state = load(json.loads(json.dumps(RECORD)))
    state.worth[2] = 4

    assert played().key() == state.key()
    assert 7 == load(json.loads(json.dumps(RECORD).replace("7", '"7"'))).heroes[0].lives


MISFITS = [
    ({"phase": "day"}, "asleep: \"asleep\" means nothing in phase day"),
    ({"to-act": "Cleo"}, 'to-act: "Cleo" is not a seat here; known here: Ada, Basil'),
    ({"asleep": ["Ada", "Bazil"]}, 'asleep.1: "Bazil" is not a seat here; did you mean "Basil"?'),
    ({"rats": [{"kind": "rat", "owner": "Zoe"}]}, 'rats.0.owner: "Zoe" is not a seat here; known here: Ada, Basil'),
    ({"deck": ["claw"]}, "deck.0: claw is in two places: Ada's skills and the deck; each card exists only once"),
    ({"litter": ["purr"]}, "litter.0: purr is in two places: Basil's hand and the litter; each card exists only once"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), MISFITS)
def test_what_cannot_be_laid_is_told_at_its_place(change, message):
    """Unknown seats, keys that mean nothing now, and pieces in two places, parts among them."""
    with pytest.raises(Misfits) as caught:
        load(RECORD | change)

    assert [message] == str(caught.value).split("\n")


def test_a_piece_that_is_only_spoken_of_lies_nowhere():
    """The lamp has no place, so it may be a card of the litter."""
    assert "leap" == load(RECORD).position()["lamp"]
    assert [3, 1] == sorted(load(RECORD).litter, reverse=True)


def test_the_shape_is_made_once_for_a_box():
    """Each box has a shape of its own, with the words of its declaration."""
    shape = Cellar.shape(BOX)

    assert shape is Cellar.shape(BOX)
    assert shape is not Cellar.shape(BoxWithMap("claw"))
    assert "Who sleeps." == shape.schema()["properties"]["asleep"]["description"]

    hero = shape.schema()["properties"]["seats"]["additionalProperties"]["properties"]["hero"]
    assert {"square", "lives", "skills", "plan"} == set(hero["properties"])
    assert 9 == hero["properties"]["lives"]["maximum"]


def test_a_box_without_a_hash_is_told():
    """Shapes are kept by box, and a tuple with a mapping in it can be no key."""

    class Tuple(NamedTuple):
        ids: tuple[str, ...]
        numbers: dict[str, int]

    with pytest.raises(TypeError) as caught:
        Cellar.shape(Tuple(("claw",), {"claw": 0}))

    hint = "make it a class of its own instead of a tuple, or let it hold nothing that can change"
    assert f"Tuple, the box of Cellar, has no hash (unhashable type: 'dict'); {hint}" == str(caught.value)


def test_pieces_may_be_all_of_the_box_or_some():
    """Unless a field says which, any piece may lie there."""

    class Tidy(Declared[Box, None]):
        shelf = Pile("On the shelf.")
        hook = Pile("On the hook.", of=lambda box: box.ids[:1])

    shape = Tidy.shape(BOX)
    assert [] == shape.read({"shelf": ["hiss"], "hook": ["claw"], "seats": {}})[1]
    assert ["hook.0"] == [".".join(map(str, one.at)) for one in shape.read({"hook": ["hiss"], "seats": {}})[1]]


def test_a_traceback_shows_the_made_source():
    """What goes wrong in made code can be read like any other."""
    state = played()
    state.litter = None
    with pytest.raises(TypeError) as caught:
        state.key()

    assert "_freeze_litter(self.litter)" in "".join(traceback.format_exception(caught.value))


def test_a_state_has_no_other_attributes():
    """A misspelled field is an error."""
    with pytest.raises(AttributeError):
        cellar().trun = 1
    with pytest.raises(AttributeError):
        Hero().live = 1


def test_a_function_written_by_hand_stays():
    """What a class defines itself is not made."""

    class Silent(Declared[Box, None]):
        turn = Seat("The seat to act.")

        def key(self):
            return ("silent",)

    assert ("silent",) == Silent(BOX, SEATS, {}, Scripted()).key()


# Parts in parts, and whose they are


class BagView(NamedTuple):
    cards: tuple[int, ...] | None
    count: int
    looked: tuple[int, int]


class Bag(Part[BagView]):
    """What is carried."""

    cards = Hand("The cards in it.", place="{}'s bag", seen="own")

    @shows("count", "looked")
    def _seen(self, seat, owner):
        return len(self.cards), (seat, owner)


class PackView(NamedTuple):
    bag: BagView
    pockets: tuple[BagView, ...]


class Pack(Part[PackView]):
    """A bag, and some pockets."""

    bag = One(Bag)
    pockets = Row(One(Bag))
    label = Plain("")


class CampView(NamedTuple):
    packs: tuple[PackView, ...]
    purses: BagView


class Camp(Declared[Box, CampView]):
    packs = Each(One(Pack))
    purses = Each(One(Bag), seen="own")

    def begin(self):
        for pack, name in zip(self.packs, self.seats, strict=True):
            pack.label = name
            pack.bag.cards = [3]


def camp():
    state = Camp(BOX, SEATS, {}, Scripted())
    state.packs[1].bag.cards = [0]
    state.packs[1].pockets.append(Bag())
    state.packs[1].pockets[0].cards.append(1)
    state.purses[1].cards.append(2)
    return state


def test_a_part_knows_whose_it_is():
    """What only its owner may see is None for all others, parts in parts and lists of them too."""
    nothing = PackView(BagView((3,), 1, (0, 0)), ())

    assert CampView(
        (nothing, PackView(BagView(None, 1, (0, 1)), (BagView(None, 1, (0, 1)),))), BagView((), 0, (0, 0))
    ) == camp().view(0)
    assert PackView(BagView((0,), 1, (1, 1)), (BagView((1,), 1, (1, 1)),)) == camp().view(1).packs[1]
    assert PackView(BagView(None, 1, (1, 0)), ()) == camp().view(1).packs[0]
    assert BagView((2,), 1, (1, 1)) == camp().view(1).purses


def test_reading_fills_the_parts_that_are_there():
    """What `begin` has put into a part stays, unless the record says otherwise."""
    record = camp().position()
    del record["seats"]["Ada"]["packs"]["bag"]
    reading = Reading(Camp(BOX, SEATS, {}, Scripted()), Camp.shape(BOX).read(record)[0])
    packs = reading.state.packs[:]
    reading.lay()
    state = reading.finish()

    assert camp().key() == state.key()
    assert ["Ada", "Basil"] == [pack.label for pack in state.packs]
    assert packs == state.packs


def test_what_is_said_of_a_field_by_seat_is_in_its_shape():
    """An Each may say itself what it is."""

    class Counting(Declared[Box, None]):
        points = Each(Number(), "What counts.")

    seat = Counting.shape(BOX).schema()["properties"]["seats"]["additionalProperties"]
    assert "What counts." == seat["properties"]["points"]["description"]


# What is empty


class Board(Declared[Box, None]):
    turn = Seat("The seat to act.", key="to-act", always=True, nobody=True)
    first = Seat("Who began.", always=True)
    lead = Seat("Who leads.", nobody=True)
    top = Card("On top.", place="the top", always=True)
    square = Card("On the square.", place="the square")
    slots = Row(Card("In the slots.", place="the slots"))
    bids = Row(Seat("Who bids.", nobody=True))

    def to_act(self):
        return self.turn


EMPTY = {"to-act": "", "first": "Ada", "top": "", "slots": ["", "leap", ""], "bids": ["", "Basil"], "seats": {}}


def board(record):
    read, misfits = Board.shape(BOX).read({**record, "seats": {name: {} for name in SEATS}})
    assert [] == misfits
    reading = Reading(Board(BOX, SEATS, {}, Scripted()), read)
    reading.lay()
    reading.check_to_act()
    return reading.finish()


def test_an_empty_slot_is_an_empty_text_and_no_other_piece():
    """Nobody and no piece, alone or in a row, are written as an empty text or left out, and read as what they were."""
    state = Board(BOX, SEATS, {}, Scripted())
    state.slots, state.bids = [-1, 1, -1], [-1, 1]

    assert EMPTY | {"seats": {"Ada": {}, "Basil": {}}} == state.position()
    assert state.key() == board(EMPTY).key()

    state.turn, state.lead, state.top, state.square = 0, 0, 3, 2
    full = {"to-act": "Ada", "lead": "Ada", "top": "hiss", "square": "purr"}
    assert EMPTY | full | {"seats": {"Ada": {}, "Basil": {}}} == state.position()
    assert state.key() == board(EMPTY | full).key()


def test_an_empty_text_is_nothing_only_where_nothing_can_be():
    """A seat that is always somebody, and a piece that is left out when there is none, are not read from one."""
    with pytest.raises(Misfits, match='first: "" is not a seat here'):
        board(EMPTY | {"first": ""})

    assert ['"" is not known here'] == [one.message for one in Board.shape(BOX).read(EMPTY | {"square": ""})[1]]
    assert ["hiss", ""] == Board.shape(BOX).schema()["properties"]["top"]["enum"][-2:]


@pytest.mark.parametrize(
    ("turn", "named", "message"),
    [
        (1, "", "to-act: this position needs a seat to act; it is Basil"),
        (1, "Ada", "to-act: Ada is not to act here; it is Basil"),
        (-1, "Basil", "to-act: Basil is not to act here; nobody is"),
    ],
)
def test_who_is_to_act_is_compared_with_nobody_too(turn, named, message):
    """Nobody is a seat to act like any other."""
    state = Board(BOX, SEATS, {}, Scripted())
    state.turn = turn
    reading = Reading(state, {"to-act": named})
    reading.check_to_act()

    assert [message] == [str(one) for one in reading.misfits]


class CatView(NamedTuple):
    bag: BagView | None


class Cat(Part[CatView]):
    """A cat, perhaps with a bag."""

    lives = Number(9, "Lives left.")
    bag = Perhaps(Bag)


class AlleyView(NamedTuple):
    boss: HeroView | None
    cats: tuple[CatView | None, ...]
    squares: tuple[HeroView | None, ...]


class Alley(Declared[Box, AlleyView]):
    boss = Perhaps(Hero)
    cats = Each(Perhaps(Cat), key="cat")
    squares = Row(Perhaps(Hero))


def alley():
    state = Alley(BOX, SEATS, {}, Scripted())
    state.cats[1] = Cat()
    state.cats[1].bag = Bag()
    state.cats[1].bag.cards = [2]
    state.squares = [None, Hero(), None]
    return state


def test_a_part_may_be_missing():
    """Missing parts are None in states, views and keys; in records they are left out, or an empty text in a row."""
    state = alley()
    record = {
        "squares": ["", {"square": 0, "skills": []}, ""],
        "seats": {"Ada": {}, "Basil": {"cat": {"bag": {"cards": ["purr"]}}}},
    }

    assert record == state.position()
    assert AlleyView(
        None, (None, CatView(BagView(None, 1, (0, 1)))), (None, HeroView(0, 9, (), False), None)
    ) == state.view(0)
    assert BagView((2,), 1, (1, 1)) == state.view(1).cats[1].bag

    reading = Reading(Alley(BOX, SEATS, {}, Scripted()), Alley.shape(BOX).read(record)[0])
    reading.lay()
    assert state.key() == reading.finish().key()

    copy = state.clone()
    state.cats[1].bag.cards.append(1)
    state.cats[0], state.squares[1] = Cat(), None
    assert alley().key() == copy.key() != state.key()


def test_a_part_that_is_there_can_be_said_to_be_missing():
    """An empty text says so, and its schema too; an empty record is a part as it begins."""
    state = alley()
    reading = Reading(state, {"boss": {}, "squares": [], "seats": {"Basil": {"cat": ""}, "Ada": {"cat": ""}}})
    reading.lay()

    assert [None, None] == state.cats
    assert 9 == state.boss.lives
    assert {"const": ""} == Alley.shape(BOX).schema()["properties"]["boss"]["anyOf"][1]


# What cannot be declared


SAME = Number(0)


class Small(NamedTuple):
    seat: int
    hand: tuple[int, ...]


def _make(view, bases, fields):
    where = {"__module__": "tests.made", "__qualname__": "Made"}
    return types.new_class("Made", bases or (Declared[Box, view],), {}, lambda space: space.update(where | fields))


FAULTS = [
    ({"a": SAME, "b": SAME}, "one kind is used for two fields, a and b; declare one for each"),
    ({"a": Number(0, "A.", key="x"), "b": Flag("B.", key="x")}, 'a and b are both written as "x"'),
    ({"a": Number(0, "A.", when=(1,))}, 'a has "when", and no field "phase" is a Word'),
    (
        {"bases": (Part[None],), "phase": Word(PHASES), "a": Number(0, "A.", when=(1,))},
        'a has "when", but phases belong to the whole table; "only" is for parts',
    ),
    ({"a": Number(0, "A.", hint="later")}, 'a has "hint", which is shown in other phases, and no "when"'),
    ({"a": Number(0, seen="own")}, "a is seen by its own seat, but is not an Each"),
    ({"a": Each(Pile("A.", seen="hidden"))}, "a: seen= is given to the Pile in its Each; give it to the Each"),
    ({"a": Row(Number(0, "A.", key="x"))}, "a: key= is given to the Number in its Row; give it to the Row"),
    ({"a": Row(Row(Flag("A.", always=True)))}, "a_each: always= is given to the Flag in its Row; give it to the Row"),
    ({"a": Row(Each(Number(0, "A.")))}, "a: a list by seat cannot be the Each in its Row"),
    *(
        (
            {"view": Small, "hand": kind},
            "hand is made of Vermin, a part without a view; "
            "a method marked by shows('hand') must say what is seen of it",
        )
        for kind in (One(Vermin), Row(One(Vermin)), Each(One(Vermin), seen="own"), Each(Row(One(Vermin))))
    ),
    ({"a": One(Bag)}, "a has values that only its own seat may see, but is not an Each"),
    ({"a": Row(One(Pack))}, "a has values that only its own seat may see, but is not an Each"),
    ({"box": Number(0)}, "a field cannot be called box: every such class already uses that name"),
    ({"fields": Number(0)}, "a field cannot be called fields: every such class already uses that name"),
    ({"shape": Number(0)}, "a field cannot be called shape: every such class already uses that name"),
    ({"view": None, "key": Number(0)}, "a field cannot be called key: every such class already uses that name"),
    ({"view": Small, "hands": Number(0)}, 'Small has a field "hand", but nothing declared here has that name'),
    (
        {"view": Small, "hand": Hand(seen="hidden")},
        "hand is hidden; a method marked by shows('hand') must say what is seen of it",
    ),
    (
        {"view": Small, "hand": Hand(), "show": shows("hands")(lambda self, seat: ())},
        'show shows "hands", but Small has no such field',
    ),
    ({"bases": (Part[None],), "a": Each(Number(0))}, "a cannot be in a part: Each belongs to the whole table"),
    ({"bases": (Part[None],), "a": ByPiece()}, "a cannot be in a part: ByPiece belongs to the whole table"),
    ({"bases": (Cellar,), "a": Number(0)}, "its base class declares fields, too; declare all fields in one class"),
]


@pytest.mark.parametrize(("fault", "message"), FAULTS)
def test_a_declaration_that_cannot_be_is_told_when_the_class_is_made(fault, message):
    """The error names the class and says what is wrong."""
    fault = dict(fault)
    with pytest.raises(TypeError) as caught:
        _make(fault.pop("view", None), fault.pop("bases", None), fault)

    assert f"tests.made.Made: {message}" == str(caught.value)


def test_a_class_made_of_a_declared_one_adds_methods_only():
    """Its copies are of that class, and have the same fields."""

    class DeepCellar(Cellar):
        def is_deep(self):
            return True

    deep = DeepCellar(BoxWithMap("cod", "eel"), ("Ada", "Basil"), {}, Scripted())
    deep.turn = 1

    assert deep.clone().is_deep()
    assert deep.clone().key() == deep.key()
    assert not hasattr(deep, "__dict__")


def test_a_first_value_is_not_shared():
    """A list as a first value would be one for all states."""
    with pytest.raises(TypeError, match="all states would share the list they begin with; use Items or a part"):
        Plain([])


def test_sets_are_bit_masks():
    """A set and the numbers in it are each made of the other."""
    for numbers in ([], [0], [3, 5], list(range(70))):
        assert numbers == members(mask(numbers))
