"""Facts in, misfits out: everything that one piece of the game names of another must be there, and suffice.

Sentences are checked one by one in `facts`; here they are followed to what they name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from grimalkin.engine.contract import Facts
from grimalkin.engine.phrases import Phrase
from grimalkin.engine.shape import Misfit
from grimalkin.games.cats_of_new_orleans.carried import what_is_carried_out
from grimalkin.games.cats_of_new_orleans.phrases import TABLE
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import plural

SKILLS_OF_A_HERO: Final = 9
LEVELS: Final = (1, 2, 3)
TOKENS_ON_LOOT: Final = 2
"""On each square with loot (NO-SET-10)."""
OBJECTIVE: Final = "H"
"""The mark of squares with an Objective token (NO-SET-9)."""
HOOKS: Final = frozenset({"conjoined", "coward", "glider", "large", "precision", "revolving-personality"})
"""Powers that no sentence can say, by the names of their hooks."""
SHEET_COLUMNS: Final = 6
"""Columns of squares on a printed sheet of a map."""
NUMBERS: Final = ("draws", "range", "stun", "wound")
"""What every attack has."""

Said = Mapping[tuple[str | int, ...], Phrase]
"""What every sentence says, by the keys that lead to it."""


def cross_misfits(facts: Facts, said: Said) -> Iterator[Misfit]:
    """What is wrong between the pieces of this game."""
    for check in CHECKS:
        yield from check(facts, said)


def _of_deck(facts: Facts, deck: str) -> dict[str, Mapping[str, Any]]:
    return {id_: piece for id_, piece in facts["components"].items() if piece["deck"] == deck}


def names_in(text: str | None) -> list[str]:
    """The ids in a cell that lists some."""
    return [name for name in (part.strip() for part in (text or "").split(",")) if name]


def powers_exist(facts: Facts, said_unused: Said) -> Iterator[Misfit]:
    """Each power of a foe is in the list of powers, and each hook of a power is known."""
    powers = facts.get("lists", {}).get("powers", {})
    for id_, foe in _of_deck(facts, "foes").items():
        for name in names_in(foe["powers"]):
            if name not in powers:
                yield Misfit(("components", id_), f'there is no power "{name}"', did_you_mean(name, powers))
    for id_, power in powers.items():
        if power["code"] and power["code"] not in HOOKS:
            hint = did_you_mean(power["code"], HOOKS)
            yield Misfit(("lists", "powers", id_), f'no code implements the hook "{power["code"]}"', hint)


def foes_are_whole(facts: Facts, said_unused: Said) -> Iterator[Misfit]:
    """An attack has all its numbers; a foe has Health and AP, an aspect neither."""
    for id_, foe in _of_deck(facts, "foes").items():
        for behind in ("", "-2"):
            lacking = [name for name in NUMBERS if foe[f"{name}{behind}"] is None]
            if foe[f"attack{behind}"] and lacking:
                hint = "every attack needs draws, range, stun and wound"
                yield Misfit(("components", id_), f"the attack {foe[f'attack{behind}']} has no {lacking[0]}", hint)
        for name in ("health", "ap"):
            if (foe[name] is None) != (foe["part"] == "aspect"):
                hint = "foes have Health and AP; aspects use those of the Rat King"
                yield Misfit(("components", id_), f'the column "{name}" does not fit the part', hint)


def weapons_are_whole(facts: Facts, said_unused: Said) -> Iterator[Misfit]:
    """A weapon has a price and all numbers of an attack; a buck card has bucks."""
    for id_, card in _of_deck(facts, "loot").items():
        needed = {"weapon": ("price", *NUMBERS), "bucks": ("bucks",)}.get(card["kind"], ())
        for name in needed:
            if card[name] is None:
                yield Misfit(
                    ("components", id_), f'the column "{name}" is empty', f"every {card['kind']} card needs it"
                )


def preferred_weapons_exist(facts: Facts, said_unused: Said) -> Iterator[Misfit]:
    """NO-S1-10: after scenario 1 each hero takes one of them from the loot of level 1."""
    weapons = [id_ for id_, card in _of_deck(facts, "loot").items() if card["kind"] == "weapon" and card["level"] == 1]
    for id_, hero in _of_deck(facts, "heroes").items():
        for name in names_in(hero["weapons"]):
            if name not in weapons:
                hint = did_you_mean(name, weapons)
                yield Misfit(("components", id_), f'there is no weapon "{name}" of level 1', hint)


def heroes_have_skills(facts: Facts, said_unused: Said) -> Iterator[Misfit]:
    """Nine each, of all three levels."""
    skills = _of_deck(facts, "skills").values()
    for id_ in _of_deck(facts, "heroes"):
        levels = Counter(skill["level"] for skill in skills if skill["hero"] == id_)
        if sum(levels.values()) != SKILLS_OF_A_HERO or set(levels) != set(LEVELS):
            told = f"{plural(sum(levels.values()), 'skill')} of {plural(len(levels), 'level')}"
            yield Misfit(("components", id_), told, "every hero has nine skills, some of each of the three levels")


def entries_are_reached(facts: Facts, said: Said) -> Iterator[Misfit]:
    """Each entry that something reads exists, and each is read by a scenario or by an entry that is reached."""
    entries = facts.get("entries", {})
    read: dict[str, set[str]] = {}
    for at, phrase in said.items():
        reader = f"entry {at[1]}" if at[0] == "entries" else "scenario" if at[0] == "scenarios" else "card"
        for one in phrase.every():
            if one.name == "read":
                number = str(one["n"])
                read.setdefault(reader, set()).add(number)
                if number not in entries:
                    yield Misfit(at, f"there is no entry {number}", "entries are in story.yaml")
    reached = set(read.get("scenario", ())) | set(read.get("card", ()))
    while more := {number for known in reached for number in read.get(f"entry {known}", ())} - reached:
        reached |= more
    for number in entries:
        if number not in reached:
            yield Misfit(
                ("entries", number),
                f"nothing ever reads entry {number}",
                "refer to it in a scenario or in another entry",
            )


def boxes_suffice(facts: Facts, said_unused: Said) -> Iterator[Misfit]:
    """Markers of the pool and those set aside are in the box, as often as they are needed."""
    markers = {id_: piece for id_, piece in _of_deck(facts, "markers").items() if piece["kind"] == "vermin"}
    for id_, scenario in facts.get("scenarios", {}).items():
        needed = Counter({name: int(count) for name, count in scenario["pool"].items()})
        for apart in scenario["apart"]:
            needed[apart["piece"]] += int(apart["count"])
        for name, count in needed.items():
            at = ("scenarios", id_)
            if name not in markers:
                yield Misfit(at, f'there is no vermin marker "{name}"', did_you_mean(name, markers))
            elif count > markers[name]["count"]:
                hint = f"the box has {markers[name]['count']}"
                yield Misfit(at, f"{count} markers of {markers[name]['name']} are needed", hint)


def maps_have_marks(facts: Facts, said: Said) -> Iterator[Misfit]:
    """What sentences and pieces set aside name is marked on the map, and the tokens of the box suffice for it."""
    tokens = {id_: piece["count"] for id_, piece in _of_deck(facts, "markers").items()}
    for id_, scenario in facts.get("scenarios", {}).items():
        drawn = facts.get("maps", {}).get(scenario["map"])
        if drawn is None:
            continue
        marks = Counter(drawn["marks"].values())
        wanted = {apart["mark"] for apart in scenario["apart"]}
        for at, phrase in said.items():
            if at[:2] == ("scenarios", id_):
                wanted.update(_marks_in(phrase))
        for mark in sorted(wanted - set(marks)):
            yield Misfit(("scenarios", id_, "map"), f"no square of {drawn['name']} is marked {mark}", "mark one")
        for mark, needed, token in (("L", TOKENS_ON_LOOT, "loot-token"), (OBJECTIVE, 1, "objective-token")):
            if marks[mark] * needed > tokens.get(token, 0):
                told = f"{plural(marks[mark], 'square')} marked {mark} on {drawn['name']}"
                yield Misfit(("scenarios", id_, "map"), told, f"the box has {plural(tokens.get(token, 0), 'token')}")


def _marks_in(phrase: Phrase) -> Iterator[str]:
    """The letters on a map that a sentence names."""
    for kind, form in TABLE.uses(phrase):
        if kind == "objective":
            yield OBJECTIVE
        elif kind == "spawn-mark":
            yield form.pattern


def loot_decks_hold_cards(facts: Facts, said_unused: Said) -> Iterator[Misfit]:
    """What is left of the loot of a scenario is a deck; what is left out of it is there."""
    cards = _of_deck(facts, "loot").values()
    kinds = {card["kind"] for card in cards}
    for id_, scenario in facts.get("scenarios", {}).items():
        left = [card for card in cards if card["level"] in scenario["loot"] and card["kind"] not in scenario["without"]]
        for kind in scenario["without"]:
            if kind not in kinds:
                yield Misfit(("scenarios", id_, "without"), f'no loot is "{kind}"', did_you_mean(kind, kinds))
        if not left:
            yield Misfit(("scenarios", id_, "loot"), "no loot card is left for it", "name other levels")


def sheets_cover_maps(facts: Facts, said_unused: Said) -> Iterator[Misfit]:
    """Every column of a map is on one of its printed sheets, and every map has its title plate."""
    sheets, plates = _of_deck(facts, "map-sheets").values(), _of_deck(facts, "tracks").values()
    for id_, drawn in facts.get("maps", {}).items():
        begun = {sheet["column"] for sheet in sheets if sheet["map"] == id_}
        for column in range(1, len(drawn["squares"][0]) + 1, SHEET_COLUMNS):
            if column not in begun:
                hint = "add a row to map-sheets.csv"
                yield Misfit(("maps", id_), f"no sheet of {drawn['name']} begins with column {column}", hint)
        if all(plate["map"] != id_ for plate in plates):
            yield Misfit(("maps", id_), f"{drawn['name']} has no title plate", "add a row to tracks.csv")


CHECKS: Final[Sequence[Callable[[Facts, Said], Iterator[Misfit]]]] = (
    powers_exist,
    foes_are_whole,
    weapons_are_whole,
    preferred_weapons_exist,
    heroes_have_skills,
    entries_are_reached,
    boxes_suffice,
    maps_have_marks,
    loot_decks_hold_cards,
    sheets_cover_maps,
    what_is_carried_out,
)
