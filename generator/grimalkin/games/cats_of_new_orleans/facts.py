"""Read and check the facts of The Cats of New Orleans: the texts of its pieces, powers and scenarios.

A sentence may be readable without any code behind it, so these checks ensure that the engine carries out every text.
Every text has a holder: a flaw, a skill, an item, a weapon, an event of the Loot deck, a power, an entry of the story,
a part of a scenario, a Riverboat Event, or a Buck card as a gamble. Then sentences are followed to what they name:
every piece that another one names must exist, in sufficient number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from grimalkin.engine.contract import Facts
from grimalkin.engine.phrases import Form, NotRead, Phrase
from grimalkin.engine.shape import Misfit
from grimalkin.games.cats_of_new_orleans.box import texts_of
from grimalkin.games.cats_of_new_orleans.numbers import NOTHING
from grimalkin.games.cats_of_new_orleans.phrases import TABLE
from grimalkin.games.cats_of_new_orleans.phrases.abilities import ABOARD, DURING, Ability, abilities_of, is_static
from grimalkin.games.cats_of_new_orleans.phrases.figures import YOU
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import plural

At = tuple[str | int, ...]
COLUMNS: Final = ("text", "special", "does")
"""The columns of pieces, powers and entries that hold sentences."""
CLAUSES: Final = ("set-up", "spawn", "objectives", "special", "between")
"""The keys of a scenario that hold sentences."""


def check_facts(facts: Facts) -> list[Misfit]:
    """Return the faults in the components, powers, scenarios and story of this game."""
    texts = texts_of(facts)
    said: dict[At, Phrase] = {}
    misfits = []
    for at, text in every_text(facts):
        try:
            said[at] = texts[text]
        except NotRead as error:
            misfits.append(Misfit(at, str(error), error.hint(text)))
    return misfits or list(cross_misfits(facts, said))


def every_text(facts: Facts) -> Iterator[tuple[At, str]]:
    """Yield every text to be read as phrases, with the keys that lead to it, but not those carried out by a hook."""
    for id_, piece in facts["components"].items():
        if piece["deck"] != "records":
            yield from _texts(("components", id_), piece)
    for list_id, rows in facts.get("lists", {}).items():
        for id_, row in rows.items():
            yield from _texts(("lists", list_id, id_), row)
    for id_, scenario in facts.get("scenarios", {}).items():
        for key in CLAUSES:
            for index, clause in enumerate(scenario.get(key, ())):
                yield from _texts(("scenarios", id_, key, index), clause)
    for number, entry in facts.get("entries", {}).items():
        if not entry.get("code") and entry.get("does"):
            yield ("entries", number, "does"), entry["does"]


def _texts(at: At, holder: Mapping[str, Any]) -> Iterator[tuple[At, str]]:
    for column in COLUMNS:
        if holder.get(column) and not holder.get("code"):
            yield (*at, column), holder[column]


# What the engine carries out

HOLDERS: Final = {
    "flaw": "a flaw",
    "skill": "a skill",
    "item": "an item",
    "weapon": "a weapon",
    "event": "an event of the Loot deck",
    "power": "a power",
    "entry": "an entry",
    "set-up": "a set-up",
    "spawn": "a spawn",
    "objectives": "an objective",
    "special": "a special rule",
    "between": "the text after a scenario",
    "rumour": "a Riverboat Event",
    "gamble": "a Buck card",
}
"""The holders of texts, in words."""
KEPT: Final = frozenset({"flaw", "skill", "item", "weapon"})
"""Holders that belong to a hero."""
LOOT: Final = frozenset({"item", "weapon"})
SCENARIO: Final = frozenset({"set-up", "spawn", "special"})
NOWHERE: Final[frozenset[str]] = frozenset()
POWER: Final = frozenset({"power"})
RUMOUR: Final = frozenset({"rumour"})
BETWEEN: Final = frozenset({"between"})
AT_ONCE: Final = frozenset({"event", "entry", "between", "rumour", "gamble"})
"""Holders whose whole text takes effect immediately."""
ONLY: Final[Mapping[str, Mapping[str, frozenset[str]]]] = {
    "trigger": {
        "sees": frozenset({"special"}),
        "next-scenario-starts": RUMOUR,
        "initiative": POWER,
        "its-activation-starts": POWER,
        "you-draw-loot": KEPT,
        "party-cheats": KEPT,
        "activation-starts": KEPT,
        "activation-ends": KEPT,
        "would-land": KEPT | POWER,
    },
    "cost": {
        "exhaust": KEPT,
        "spend-ap-exhaust": KEPT,
        "lose-lives-exhaust": KEPT,
        "discard": LOOT,
        "spend-mp": KEPT | SCENARIO,
        "spend-bucks": KEPT | SCENARIO | AT_ONCE,
        "lose-lives": KEPT | SCENARIO | AT_ONCE,
        "party-card": KEPT | SCENARIO | AT_ONCE,
        "stash": KEPT | SCENARIO | AT_ONCE,
    },
    "limit": {
        "activation": KEPT,
        "round": KEPT,
        "scenario": KEPT | {"special"},
        "riverboat": NOWHERE,
    },
    "duration": {
        "round": KEPT | {"event"},
        "next-hero-turn": KEPT | {"event"},
        "scenario": KEPT | {"event"},
        "attack": KEPT,
        "visit": RUMOUR,
    },
    "state": {"exhausted": NOWHERE},
    "scope": {"with-this": frozenset({"weapon"})},
    "clause": {
        "returns": POWER,
        "leaves-scenario": POWER,
        "shares": POWER,
        "hide": POWER,
        "attack-back": POWER,
        "only-attacks": POWER,
        "no-weapons": POWER,
        "areas-miss": POWER,
        "stinkbomb": POWER,
        "whole-initiative": POWER,
        "leaves-map": POWER | {"objectives"},
        "area": frozenset({"weapon"}),
        "deplete": frozenset({"weapon"}),
        "discard": LOOT,
        "refresh": KEPT,
        "take-for": KEPT,
        "cancel": KEPT | POWER,
        "redraw": KEPT,
        "take-preferred": BETWEEN,
        "safehaven": BETWEEN,
        "riverboat": BETWEEN,
        "cheaper": RUMOUR,
        "larger-offer": RUMOUR,
        "learn": frozenset({"set-up"}),
        "remove-loot": frozenset({"set-up"}),
        "investigate": frozenset({"objectives"}),
        "need-not": frozenset({"objectives"}),
        "may-not": frozenset({"special"}),
    },
}
"""By kind and form, the only holders on which it is carried out. Forms not listed here are carried out on all."""
OBJECTIVES: Final = frozenset({"investigate", "leaves-map", "eliminate", "need-not"})
"""Clauses that an objective may have."""
CANCELS: Final = {
    "stun": frozenset({"you-would-be-stunned"}),
    "wound": frozenset({"you-would-suffer", "would-suffer"}),
    "both": frozenset({"would-land"}),
    "card": frozenset({"you-draw", "somebody-draws"}),
}
"""By what is cancelled, the triggers at which that is possible."""
OF_ITSELF: Final = frozenset(
    {"ignore", "more-cards", "reach", "better-of-two", "worse-of-two", "only-attacks", "shares", "cannot-be-stunned"}
)
"""Clauses that affect only the owner of the text."""
ITSELF: Final = frozenset({"you", "this-vermin", "it", "zombie"})
FOR_HEROES: Final = frozenset(
    {"act", "gain-mp", "recover", "draw-loot", "gain-bucks", "lose-bucks", "lose-lives", "reload", "refresh-skill"}
)
FOR_VERMIN: Final = frozenset({"regain", "regain-up-to", "regain-all", "eliminate", "is-eliminated", "reveal", "hide"})
HEROES_ONLY: Final = frozenset(
    {"you", "a-hero", "another-hero", "each-hero", "each-other-hero", "nearest-hero", "that-hero", "hero-fewest-lives"}
)
VERMIN_ONLY: Final = frozenset(
    {"a-vermin", "another-vermin", "each-vermin", "nearest-vermin", "that-vermin", "this-vermin", "named", "zombie"}
    | {"named-plainly", "first-wounded", "up-to"}
)
YOURS: Final = re.compile(r"\byou(r|rs|rself)?\b")


def what_is_carried_out(facts: Facts, said: Mapping[At, Phrase]) -> Iterator[Misfit]:
    """Yield the sentences that no code carries out, or that are on the wrong holder."""
    for at, phrase in said.items():
        holder = holder_of(facts, at)
        if holder:
            for told in dict.fromkeys(refused(phrase, holder)):
                yield Misfit(at, f"the engine does not carry out {told}", "reword it, or put it on another card")


def holder_of(facts: Facts, at: At) -> str:
    """Return the holder of a text; empty if people carry it out."""
    if at[0] == "components":
        return _of_piece(facts["components"][at[1]], str(at[2]))
    if at[0] == "lists":
        return "power" if at[1] == "powers" else ""
    if at[0] == "scenarios":
        return str(at[2]) if at[2] in HOLDERS else ""
    return "entry"


def _of_piece(piece: Mapping[str, Any], column: str) -> str:
    if piece["deck"] == "heroes":
        return "flaw" if column == "text" else "unarmed"
    if piece["deck"] == "skills":
        return "skill"
    if piece["deck"] == "loot":
        return {"weapon": "weapon", "event": "event", "bucks": "gamble"}.get(piece["kind"], "item")
    return "rumour" if piece["deck"] == "events" else ""


def refused(phrase: Phrase, holder: str) -> Iterator[str]:
    """Yield the parts of a text that no code carries out, in words."""
    if holder == "unarmed":
        yield "a special rule of an unarmed attack"
        return
    for ability in abilities_of(phrase, NOTHING, "", ""):
        yield from _refused(ability, holder)
    for kind, form in TABLE.uses(phrase):
        if holder not in ONLY.get(kind, {}).get(form.name, {holder}):
            yield f"{quoted(form)} on {HOLDERS[holder]}"
        if holder == "power" and (YOU in form.fixed.values() or YOURS.search(re.sub(r"\{[^}]*\}", "", form.pattern))):
            yield f"{quoted(form)} on a power, which addresses nobody"


def quoted(form: Form) -> str:
    """Return a form in words, with dots for its slots."""
    words = re.sub(r"\{[^}]*\}", " … ", form.pattern)
    words = re.sub(r"<([^|>]*)\|([^>]*)>", r"\2", words)
    return f'"{" ".join(words.split())}"'


def _refused(ability: Ability, holder: str) -> Iterator[str]:
    """Yield the parts of one line of a text that no code carries out."""
    clauses = [
        clause
        for sentence in ability.body
        for _, value in sentence.parts
        if isinstance(value, tuple)
        for clause in value
    ]
    names = {clause.name for clause in clauses}
    gated = ability.trigger or ability.limits or (ability.cost and holder != "gamble")
    if holder in AT_ONCE and gated and ability.on != "next-scenario-starts":
        yield f"a trigger, a price or a limit on {HOLDERS[holder]}, which takes effect immediately"
    if holder == "rumour" and names - ABOARD and ability.on != "next-scenario-starts":
        yield f"an effect that needs a map, on {HOLDERS[holder]}"
    if holder == "objectives" and (names - OBJECTIVES or ability.trigger or ability.cost):
        yield "this as an objective"
    if holder in SCENARIO and ability.trigger is None and ability.cost is None and names - SETTLED:
        yield f"an effect without a trigger or a price, on {HOLDERS[holder]}"
    if holder in SCENARIO and ability.trigger is not None and any(map(_speaks_to_you, ability.body)):
        yield f'"you" in an effect with a trigger, on {HOLDERS[holder]}'
    if holder == "power" and ability.trigger is None and not is_static(ability):
        yield "an effect without a trigger, on a power"
    if ability.on == "while" and not is_static(ability) and names != {"hide"}:
        yield 'an action after "while"'
    if ability.on == "initiative" and names != {"whole-initiative"}:
        yield "an action in the Initiative segment"
    if ability.trigger is not None:
        yield from _refused_trigger(ability.trigger)
    for sentence in ability.body:
        yield from _refused_sentence(sentence, ability)
    for clause in clauses:
        yield from _refused_clause(clause, ability)


def _refused_trigger(trigger: Phrase) -> Iterator[str]:
    parts = dict(trigger.parts)
    figure, whom = parts.get("figure"), parts.get("whom")
    if trigger.name == "would-suffer" and isinstance(figure, Phrase) and figure.name not in HEROES_ONLY:
        yield "a Wound that a vermin would suffer, as a trigger"
    if trigger.name == "enters-adjacent" and isinstance(figure, Phrase) and figure.name not in HEROES_ONLY:
        yield "a square that a vermin enters, as a trigger"
    if isinstance(whom, Phrase) and whom.name == "up-to":
        yield '"up to" in a trigger'


def _refused_sentence(sentence: Phrase, ability: Ability) -> Iterator[str]:
    for one in sentence.every():
        parts = dict(one.parts)
        duration, whom = parts.get("duration"), parts.get("whom")
        if isinstance(duration, Phrase) and duration.name == "attack" and ability.on not in DURING:
            yield '"for this attack" without an attack'
        if one.name == "pays" and isinstance(whom, Phrase) and _who(whom).name not in HEROES_ONLY:
            yield "a price paid by vermin"


def _refused_clause(clause: Phrase, ability: Ability) -> Iterator[str]:
    parts = dict(clause.parts)
    name, what, act = clause.name, parts.get("what"), parts.get("act")
    if isinstance(act, Phrase) and act.name == "move-ignoring" and act["terrain"] != Phrase("hindering"):
        yield "a move that ignores water or figures"
    whoever = next((parts[label] for label in ("who", "whom", "figure") if isinstance(parts.get(label), Phrase)), None)
    who = _who(whoever) if isinstance(whoever, Phrase) else None
    if name == "cancel" and isinstance(what, Phrase) and ability.on not in CANCELS[what.name]:
        yield "cancelling something that is not about to happen"
    if name == "take-for" and ability.on != "would-suffer":
        yield "suffering a Wound for a hero that would not suffer one"
    if name in OF_ITSELF and who is not None and who.name not in ITSELF:
        yield "an effect for others that works only for the owner of the card"
    if name in FOR_HEROES and who is not None and who.name in VERMIN_ONLY:
        yield "an effect for vermin that only heroes can have"
    if name in FOR_VERMIN and who is not None and who.name in HEROES_ONLY:
        yield "an effect for heroes that only vermin can have"
    if name in ("attackers-draws", "areas-miss") and who is not None and who.name == "up-to":
        yield '"up to" in an effect that always holds'
    if name == "no-attack" and is_static(ability):
        yield "never attacking, as a permanent effect"


def _who(whom: Phrase) -> Phrase:
    """Return the figure that a phrase means."""
    figure = dict(whom.parts).get("figure") if whom.name == "figure" else whom
    assert isinstance(figure, Phrase)
    return figure


def _speaks_to_you(sentence: Phrase) -> bool:
    return any(one.name == "you" for one in sentence.every())


SETTLED: Final = frozenset({"may-not", "learn", "remove-loot"})
"""Clauses of a scenario that hold all the time, or belong to its set-up."""


# What is named exists

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


def powers_exist(facts: Facts, _said: Said) -> Iterator[Misfit]:
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


def foes_are_whole(facts: Facts, _said: Said) -> Iterator[Misfit]:
    """Check that an attack has all its numbers, and that a foe has Health and AP but an aspect has neither."""
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


def weapons_are_whole(facts: Facts, _said: Said) -> Iterator[Misfit]:
    """Check that a weapon has a price and all numbers of an attack, and a buck card its bucks."""
    for id_, card in _of_deck(facts, "loot").items():
        needed = {"weapon": ("price", *NUMBERS), "bucks": ("bucks",)}.get(card["kind"], ())
        for name in needed:
            if card[name] is None:
                yield Misfit(
                    ("components", id_), f'the column "{name}" is empty', f"every {card['kind']} card needs it"
                )


def preferred_weapons_exist(facts: Facts, _said: Said) -> Iterator[Misfit]:
    """Check that preferred weapons are Loot of level 1: each hero takes one after scenario 1 (NO-S1-10)."""
    weapons = [id_ for id_, card in _of_deck(facts, "loot").items() if card["kind"] == "weapon" and card["level"] == 1]
    for id_, hero in _of_deck(facts, "heroes").items():
        for name in names_in(hero["weapons"]):
            if name not in weapons:
                hint = did_you_mean(name, weapons)
                yield Misfit(("components", id_), f'there is no weapon "{name}" of level 1', hint)


def heroes_have_skills(facts: Facts, _said: Said) -> Iterator[Misfit]:
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


def boxes_suffice(facts: Facts, _said: Said) -> Iterator[Misfit]:
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


def loot_decks_hold_cards(facts: Facts, _said: Said) -> Iterator[Misfit]:
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


def sheets_cover_maps(facts: Facts, _said: Said) -> Iterator[Misfit]:
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
