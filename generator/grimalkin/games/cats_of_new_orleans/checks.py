"""Checks across the facts: every piece that another one names must exist, in sufficient number.

`facts` checks single sentences; here they are followed to what they name.
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
"""Tokens on each square with Loot (NO-SET-10)."""
OBJECTIVE: Final = "H"
"""The mark of squares with an Objective token (NO-SET-9)."""
HOOKS: Final = frozenset({"conjoined", "coward", "glider", "large", "precision", "revolving-personality"})
"""The hooks of powers that no sentence can express."""
SHEET_COLUMNS: Final = 6
"""Columns of squares on a printed sheet of a map."""
NUMBERS: Final = ("draws", "range", "stun", "wound")
"""The numbers that every attack needs."""

Said = Mapping[tuple[str | int, ...], Phrase]
"""The meaning of every sentence, by the keys that lead to it."""


def cross_misfits(facts: Facts, said: Said) -> Iterator[Misfit]:
    """Yield the faults between the pieces of this game."""
    for check in CHECKS:
        yield from check(facts, said)


def _of_deck(facts: Facts, deck: str) -> dict[str, Mapping[str, Any]]:
    return {id_: piece for id_, piece in facts["components"].items() if piece["deck"] == deck}


def names_in(text: str | None) -> list[str]:
    """Return the ids in a cell that lists them."""
    return [name for name in (part.strip() for part in (text or "").split(",")) if name]


def powers_exist(facts: Facts, said_unused: Said) -> Iterator[Misfit]:
    """Check that each power of a foe is in the list of powers, and that each hook is known."""
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
    """Check that an attack has all its numbers, and that a foe has Health and AP, an aspect neither."""
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
    """Check that a weapon has a price and all numbers of an attack, and a buck card its bucks."""
    for id_, card in _of_deck(facts, "loot").items():
        needed = {"weapon": ("price", *NUMBERS), "bucks": ("bucks",)}.get(card["kind"], ())
        for name in needed:
            if card[name] is None:
                yield Misfit(
                    ("components", id_), f'the column "{name}" is empty', f"every {card['kind']} card needs it"
                )


def preferred_weapons_exist(facts: Facts, said_unused: Said) -> Iterator[Misfit]:
    """Check that preferred weapons are Loot of level 1: each hero takes one after scenario 1 (NO-S1-10)."""
    weapons = [id_ for id_, card in _of_deck(facts, "loot").items() if card["kind"] == "weapon" and card["level"] == 1]
    for id_, hero in _of_deck(facts, "heroes").items():
        for name in names_in(hero["weapons"]):
            if name not in weapons:
                hint = did_you_mean(name, weapons)
                yield Misfit(("components", id_), f'there is no weapon "{name}" of level 1', hint)


def heroes_have_skills(facts: Facts, said_unused: Said) -> Iterator[Misfit]:
    """Check that each hero has nine skills, of all three levels."""
    skills = _of_deck(facts, "skills").values()
    for id_ in _of_deck(facts, "heroes"):
        levels = Counter(skill["level"] for skill in skills if skill["hero"] == id_)
        if sum(levels.values()) != SKILLS_OF_A_HERO or set(levels) != set(LEVELS):
            told = f"{plural(sum(levels.values()), 'skill')} of {plural(len(levels), 'level')}"
            yield Misfit(("components", id_), told, "every hero has nine skills, some of each of the three levels")


def entries_are_reached(facts: Facts, said: Said) -> Iterator[Misfit]:
    """Check that each entry read exists, and that each entry is read by a scenario, a card or a reachable entry."""
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
    """Check that the box has enough markers for each pool and the vermin set aside."""
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
    """Check that each mark named is on the map, and that the box has enough tokens for it."""
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
    """Yield the letters on a map that a sentence names."""
    for kind, form in TABLE.uses(phrase):
        if kind == "objective":
            yield OBJECTIVE
        elif kind == "spawn-mark":
            yield form.pattern


def loot_decks_hold_cards(facts: Facts, said_unused: Said) -> Iterator[Misfit]:
    """Check that each Loot deck has cards, and that the kinds left out exist."""
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
    """Check that each column of a map is on a printed sheet, and that each map has its title plate."""
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
