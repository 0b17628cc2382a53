"""The ready layouts. The columns of a table in; the layout that suits it, and the columns that it draws, out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grimalkin.problems.plain import id_from, listed

KIND = ("kind", "type", "suit", "class", "category", "family", "faction", "team", "element", "group", "colour", "color")
TEXT = ("text", "rules", "rules-text", "effect", "ability", "abilities", "description", "body")
FLAVOUR = ("flavour", "flavor", "flavour-text", "flavor-text", "lore")
ART = ("art", "picture", "image", "artwork", "illustration")
FORCES = ("attack", "power", "strength", "damage", "defence", "defense", "armour", "armor", "health", "hp", "life")
NUMBERS = (*FORCES, "hit-points", "toughness", "speed", "points", "uses", "danger", "value")
LONG_TEXT = 25
"""The average number of characters per cell at which a column counts as sentences rather than names."""
IN_A_CORNER = 4
LONGEST_ICON, LONGEST_KIND, LONGEST_NAME = 16, 30, 60
MOST_KINDS = 8
SEVERAL = 3
"""The average number of copies per piece at which a table without text counts as a table of tokens."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A design for one kind of card: templates NAME.svg.j2 and NAME-back.svg.j2, and sample rows in NAME.csv."""

    name: str
    about: str
    stock: str
    parts: Mapping[str, tuple[str, ...]]
    """Its parts, with usual headers for each. The first header is the one in its sample table."""
    known_by: tuple[tuple[str, ...], ...] = ()
    """Columns that a table needs for it: one from each group."""
    labels: int = 0
    """The number of letters that fit into all the labels of its numbers together; 0 if it prints no other numbers."""
    longest: int = 16
    """The number of letters that fit into one label."""
    facts: tuple[str, ...] = ()
    """Columns always printed among its numbers, as label and value on one line."""
    named: str = ""
    """The part used as a card's name if the table has no names; "-" if it prints no name."""


def _parts(**own: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the parts of a layout: its own, and those of nearly all layouts with their usual words."""
    usual = {"kind": KIND, "text": TEXT, "flavour": FLAVOUR, "art": ART}
    return {**own, **{part: own.get(part, ()) + words for part, words in usual.items()}}


_COST = ("cost", "mana", "mana-cost", "energy", "price")
_ANSWER = ("answer", "back", "definition", "meaning", "translation", "solution")
_AUTHOR = ("author", "by", "speaker", "said-by", "who")
_QUESTION = ("question", "front", "term", "word", "prompt")
LAYOUTS = {
    layout.name: layout
    for layout in (
        Layout(
            "monster", "a beast in front of the moon, with its numbers on a band at the foot", "poker",
            _parts(corner=("level", "tier", "rank", "cost")),
            (("attack", "atk", "power", "strength", "damage"), ("health", "hp", "hit-points", "life", "toughness")),
            labels=46,
        ),
        Layout(
            "hand", "a coloured spine that shows cost, sign and kind in a fan of cards", "poker",
            _parts(corner=(*_COST, "level", "rank")), (_COST, TEXT), labels=40,
        ),
        Layout(
            "tarot", "an arch, a Roman numeral, and two readings", "tarot",
            _parts(corner=("number", "no", "arcana", "rank"), text=("upright", "meaning"), second=("reversed",)),
            (("upright", "reversed", "arcana"),),
        ),
        Layout(
            "item", "a tag on a string, with its price on a seal", "mini",
            _parts(corner=("price", "cost", "gold", "value"), icon=("icon", "symbol")),
            (("price", "slot", "durability", "loot"),), labels=20, longest=8,
        ),
        Layout(
            "event", "a notice nailed to a wall", "poker",
            _parts(corner=("turn", "round", "act", "year"), flavour=("flavour",)),
            (("event", "trigger", "when", "duration", "lasts"),), labels=52, longest=26,
            facts=("lasts", "duration", "when", "strikes", "target", "affects"),
        ),
        Layout(
            "role", "a figure on a stage between two curtains", "poker",
            _parts(kind=("team", "side", "allegiance"), corner=("number",), second=("goal", "objective", "aim")),
            (("role", "goal", "team", "side", "allegiance", "objective"),), labels=44,
        ),
        Layout(
            "location", "a view over a road and hills, with the name on a signpost", "square",
            _parts(second=("exits", "connects", "connects-to", "leads-to", "adjacent")),
            (("location", "exits", "connects", "connects-to", "leads-to", "adjacent"),), labels=27, longest=9,
        ),
        Layout(
            "hex", "a pattern for each kind of terrain, and a number in the middle", "hex-60",
            _parts(kind=("terrain", "biome"), corner=("number", "no", "roll"), icon=("gives", "resource", "yields")),
            (("terrain", "biome", "hex"),),
        ),
        Layout(
            "token", "an icon, a number or a letter, dark on one side and light on the other", "circle-30",
            {"kind": KIND, "corner": ("value", "worth", "number", "power"), "icon": ("icon", "symbol"), "art": ART},
        ),
        Layout(
            "quote", "a saying between large quotation marks, and who said it", "poker",
            _parts(text=("quote", "quotation"), second=_AUTHOR, flavour=("source", "work", "book", "from")),
            (("quote", "quotation"),), named="second",
        ),
        Layout(
            "flash", "a question on the front, its answer on the back", "credit-card",
            _parts(
                kind=("topic", "subject", "chapter"), corner=("number", "no"), text=_QUESTION, second=_ANSWER,
                hint=("hint", "clue"), flavour=("note", "notes", "explanation"),
            ),
            (_QUESTION, _ANSWER), named="text",
        ),
        Layout(
            "domino", "two halves with pips, icons or words", "domino",
            {"kind": KIND, "left": ("left", "first", "top", "a"), "right": ("right", "second", "bottom", "b")},
            (("left", "first", "top"), ("right", "second", "bottom")), named="-",
        ),
    )
}  # fmt: skip
"""Layouts by name, in the order of the list in `--help`."""


@dataclass(frozen=True, slots=True)
class Found:
    """A column of a table: its index, its header, its name in game.yaml, and its contents."""

    index: int
    header: str
    name: str
    type: str
    texts: tuple[str, ...]
    """Its filled cells."""
    is_sound: bool
    """Whether all of its cells can be read."""

    def means(self, words: Sequence[str], loosely: bool = False) -> bool:
        """Return whether its header is one of these words or, if `loosely`, begins or ends with one ("Mana cost")."""
        key = id_from(self.header)
        if words == ART and self.holds_pictures:
            return True
        return key in words or (loosely and any(len(one) > 3 and one in words for one in _ends(key)))

    @property
    def holds_pictures(self) -> bool:
        """Return whether every filled cell is the name of a picture file."""
        from grimalkin.source.files import ART_FILES

        return bool(self.texts) and all(text.endswith(ART_FILES) for text in self.texts)

    @property
    def longest(self) -> int:
        return max(map(len, self.texts), default=0)

    @property
    def is_long(self) -> bool:
        """Return whether it holds sentences."""
        return self.type == "text" and sum(map(len, self.texts)) > LONG_TEXT * len(self.texts)

    @property
    def repeats(self) -> bool:
        """Return whether it holds only a few different words, as a column of kinds does."""
        few = min(MOST_KINDS, len(self.texts) // 2)
        return self.type == "text" and self.longest <= LONGEST_KIND and 1 < len(set(self.texts)) <= few

    @property
    def is_number(self) -> bool:
        """Return whether it holds numbers, or equally short text such as "3+" under a header that suggests numbers."""
        return (self.type in ("whole", "number") and self.is_sound) or (
            self.means(NUMBERS) and self.longest <= IN_A_CORNER
        )

    @property
    def is_for_names(self) -> bool:
        return self.type == "text" and 0 < self.longest <= LONGEST_NAME


def _ends(key: str) -> tuple[str, str]:
    words = key.split("-")
    return words[0], words[-1]


@dataclass(frozen=True, slots=True)
class Plan:
    """A layout, and the columns of a table that it draws."""

    layout: Layout
    why: str
    parts: Mapping[str, Found]
    numbers: tuple[Found, ...]

    def columns(self) -> Iterator[Found]:
        yield from self.parts.values()
        yield from self.numbers


def choose(columns: Sequence[Found], called: Sequence[str], copies: float) -> tuple[Layout, str]:
    """Choose a layout by a table's columns, the names of its file and sheet (`called`), and the copies of each row."""
    best, why, most = LAYOUTS["hand"], "because it suits most tables", 0
    for layout in LAYOUTS.values():
        if name := next((name for name in called if _is_called(name, layout.name)), ""):
            return layout, f'because the table is called "{name}"'
        met = [next((one for one in columns if one.means(group)), None) for group in layout.known_by]
        if len(met) > most and None not in met:
            best, most = layout, len(met)
            why = f"because the table has {listed([one.header for one in met if one])}"
    if not most and copies >= SEVERAL and not any(one.is_long for one in columns):
        return LAYOUTS["token"], "because the table has several copies of each row and no text"
    return best, why


def _is_called(name: str, layout: str) -> bool:
    """Return whether the name of a file or sheet contains that of a layout, perhaps in the plural: "Boss monsters"."""
    words = id_from(name).split("-")
    return layout in words or f"{layout}s" in words or (layout[-1:] == "x" and f"{layout}es" in words)


def draw(layout: Layout, why: str, columns: Sequence[Found], pictures: bool) -> Plan:
    """Find the columns that a layout draws. `pictures`: whether the files named in its art column exist."""
    parts: dict[str, Found] = {}
    for meant in (_is_exact, _is_alike, _may_be):
        for part, words in layout.parts.items():
            left = [one for one in columns if one not in parts.values() and (part != "art" or pictures)]
            found = next((one for one in left if _suits(part, one) and meant(part, words, one)), None)
            if part not in parts and found:
                parts[part] = found
    numbers: list[Found] = []
    widest = 0
    for one in columns:
        wide = len(one.header) + (one.longest + 3 if layout.facts else 0)
        fits = wide <= layout.longest and max(widest, wide) * (len(numbers) + 1) <= layout.labels
        if fits and one not in parts.values() and (one.is_number or one.means(layout.facts)):
            numbers.append(one)
            widest = max(widest, wide)
    return Plan(layout, why, parts, tuple(numbers))


def _is_exact(_part: str, words: Sequence[str], one: Found) -> bool:
    return one.means(words)


def _is_alike(_part: str, words: Sequence[str], one: Found) -> bool:
    return one.means(words, loosely=True)


def _may_be(part: str, _words: Sequence[str], one: Found) -> bool:
    """Return whether the contents of a column suit a part, if its header gives no hint."""
    return one.is_sound and (
        (part == "text" and (one.is_long or one.type == "list")) or (part == "kind" and one.repeats)
    )


def _suits(part: str, one: Found) -> bool:
    """Return whether a column's texts fit into the part."""
    room = {"corner": IN_A_CORNER, "kind": LONGEST_KIND, "icon": LONGEST_ICON}
    return one.longest <= room.get(part, one.longest) and (part != "kind" or one.type in ("text", "whole"))
