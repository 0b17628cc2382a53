"""A scenario from set-up to end: starting positions, story entries, objectives; and the verbs of powers and scenarios.

These are about vermin that return or hide, tokens, entries, spawns and the end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from grimalkin.engine.kinds import mask, members
from grimalkin.engine.law import law
from grimalkin.engine.phrases import Phrase
from grimalkin.engine.shape import Misfit
from grimalkin.games.cats_of_new_orleans import numbers
from grimalkin.games.cats_of_new_orleans.box import Box
from grimalkin.games.cats_of_new_orleans.cards import add_to_hand, pick, put_away
from grimalkin.games.cats_of_new_orleans.clauses import USEFUL, VERBS, Said, for_each, number, verb
from grimalkin.games.cats_of_new_orleans.events import react, reveal
from grimalkin.games.cats_of_new_orleans.figures import (
    board_of,
    closest_free,
    find_figure,
    here,
    hero_of,
    occupied,
    ways_of,
)
from grimalkin.games.cats_of_new_orleans.maps import SQUARES, union
from grimalkin.games.cats_of_new_orleans.moves import (
    ASK,
    TO,
    Move,
    answer,
    ask,
    ask_or_go_on,
    do,
    insert,
    square_of,
    task,
)
from grimalkin.games.cats_of_new_orleans.phrases.abilities import a_phrase, abilities_of
from grimalkin.games.cats_of_new_orleans.table import Hero, Table, Vermin
from grimalkin.problems import did_you_mean

# Set-up


@law("NO-AMB-73")
def option_misfits(box: Box, options: Mapping[str, Any]) -> list[Misfit]:
    """Return the faults in the options of a new scenario."""
    misfits = []
    scenario = options.get("scenario", "")
    if scenario and scenario not in box.scenario_ids:
        hint = did_you_mean(scenario, box.scenario_ids)
        misfits.append(Misfit(("scenario",), f'there is no scenario "{scenario}"', hint))
    heroes = options.get("heroes") or [box.ids[number] for number in box.hero_numbers[:4]]
    known = [box.ids[number] for number in box.hero_numbers]
    for index, name in enumerate(heroes):
        if name not in known:
            misfits.append(Misfit(("heroes", index), f'there is no hero "{name}"', did_you_mean(name, known)))
    if len(set(heroes)) < len(heroes):
        misfits.append(Misfit(("heroes",), "a hero is named twice", "name each hero once"))
    key, size = ("party", options["party"]) if "party" in options else ("heroes", len(heroes))
    if size not in numbers.PARTIES:
        misfits.append(Misfit((key,), f"{size} heroes", "two or four play (NO-AMB-73)"))
    elif "heroes" in options and len(heroes) > size:
        misfits.append(Misfit(("heroes",), f"{len(heroes)} heroes for a party of {size}", "name fewer"))
    for index, id_ in enumerate(options.get("without", ())):
        if box.numbers.get(id_, numbers.NOTHING) not in box.loot:
            misfits.append(Misfit(("without", index), f'there is no Loot card "{id_}"'))
    for key, cards in (("events", box.events), ("heard", box.events), ("aspects-lost", box.aspects)):
        for index, id_ in enumerate(options.get(key, ())):
            if box.numbers.get(id_, numbers.NOTHING) not in cards:
                hint = did_you_mean(id_, [box.ids[card] for card in cards])
                misfits.append(Misfit((key, index), f'"{id_}" is not one of these cards', hint))
    for key in ("bucks", "lives"):
        for name, count in options.get(key, {}).items():
            if name not in heroes and "party" not in options:
                misfits.append(Misfit((key, name), f'"{name}" is not in the party', did_you_mean(name, heroes)))
            elif key == "lives" and not count and not options.get("interlude"):
                misfits.append(Misfit((key, name), f"{name} has no Lives", "start with at least 1 (NO-AMB-40)"))
    brought = (
        ("trained", frozenset(box.skills), len(box.skills)),
        ("weapons", box.weapons, numbers.MOST_WEAPONS),
        ("loot", frozenset(c for c in box.loot if box.piece(c)["kind"] != "event"), len(box.loot)),
        ("skills", frozenset(box.skills), len(box.skills)),
    )
    for key, fits, most in brought:
        for name, ids in options.get(key, {}).items():
            if name not in heroes:
                misfits.append(Misfit((key, name), f'"{name}" is not in the party', did_you_mean(name, heroes)))
            for index, id_ in enumerate(ids):
                if box.numbers.get(id_, numbers.NOTHING) not in fits:
                    misfits.append(Misfit((key, name, index), f'"{id_}" cannot be brought along here'))
            if len(ids) > most:
                misfits.append(Misfit((key, name), f"{len(ids)} is too many", f"at most {most} (NO-CHR-6)"))
    misfits += [] if misfits else _skill_misfits(box, options)
    return misfits


@law("NO-SKILL-5", "NO-SKILL-1")
def _skill_misfits(box: Box, options: Mapping[str, Any]) -> list[Misfit]:
    """Return the faults in skills: too many of a level, or another hero's."""
    misfits = []
    named = [(key, *told) for key in ("skills", "trained") for told in options.get(key, {}).items()]
    for key, name, ids in named:
        limits = numbers.MOST_SKILLS if key == "skills" and not options.get("interlude") else {}
        for level, most in limits.items():
            count = sum(box.piece(box.numbers[id_])["level"] == level for id_ in ids)
            if count > most:
                hint = f"at most {most} (NO-SKILL-5)"
                misfits.append(Misfit((key, name), f"{count} skills of level {level}", hint))
        for index, id_ in enumerate(ids):
            owner = box.piece(box.numbers[id_])["hero"]
            if owner != name:
                misfits.append(Misfit((key, name, index), f"{id_} is a skill of {owner}"))
    return misfits


@law("NO-SET-1", "NO-SET-2", "NO-SET-13", "NO-SET-15")
def lay_out(table: Table, options: Mapping[str, Any]) -> None:
    """Lay out the scenario up to the first choice: decks, tracks, vermin, and heroes with what they bring."""
    box, story = table.box, table.plan
    table.phase = numbers.SET_UP
    table.doors = story.board.first_open
    table.kings = list(box.kings)
    table.deck = [card for card in box.poker if card not in box.kings]
    table.aspects_lost = sorted(box.numbers[id_] for id_ in options.get("aspects-lost", ()))
    table.aspects = [card for card in story.aspects if card not in table.aspects_lost]
    table.events = sorted(box.numbers[id_] for id_ in options.get("events", ()))
    table.initiative = 1 + numbers.SIDES.index(options["initiative"]) if "initiative" in options else 0
    table.heroes = party(table, options)
    table.entries = sorted(options.get("log", ()))
    fill_loot(table, options.get("without", ()))
    do(table, "open_story", "weapons" in options, "skills" in options or "trained" in options)
    for name in reversed(options.get("trained", {})):
        do(table, "bring_skills", name, tuple(box.numbers[id_] for id_ in options["trained"][name]))
    do(table, "hand_of_party")
    set_out_vermin(table)


@law("NO-SET-1", "NO-CHR-1", "NO-CHR-4", "NO-SKILL-5", "NO-AMB-68")
def party(table: Table, options: Mapping[str, Any]) -> list[Hero]:
    """Return the heroes, dealt around the table, with what they bring."""
    box = table.box
    heroes = []
    for index, name in enumerate(names_of_party(table, options)):
        hero = Hero()
        hero.name, hero.card = name, box.numbers[name]
        hero.seat = index % len(table.seats)
        hero.lives = options.get("lives", {}).get(name, int(box.piece(hero.card)["lives"]))
        hero.weapons = sorted(box.numbers[id_] for id_ in options.get("weapons", {}).get(name, ()))
        hero.loot = sorted(box.numbers[id_] for id_ in options.get("loot", {}).get(name, ()))
        hero.skills = sorted(box.numbers[id_] for id_ in options.get("skills", {}).get(name, ()))
        hero.bucks = options.get("bucks", {}).get(name, 0)
        heroes.append(hero)
    return heroes


def names_of_party(table: Table, options: Mapping[str, Any]) -> list[str]:
    """Return the heroes named and those added at random; by default, the first four of the box."""
    box, named = table.box, list(options.get("heroes", ()))
    if "party" not in options:
        return named or [box.ids[number] for number in box.hero_numbers[: max(numbers.PARTIES)]]
    left = [number for number in box.hero_numbers if box.ids[number] not in named]
    return named + [box.ids[pick(table, "hero", left)] for _ in range(int(options["party"]) - len(named))]


@law("NO-SET-11", "NO-SET-12", "NO-SCN-1", "NO-S1-1", "NO-S1-8", "NO-AMB-70")
def fill_loot(table: Table, without: Sequence[str] = ()) -> None:
    """Fill the Loot deck with the scenario's levels, without excluded kinds, heroes' cards and discarded ones."""
    deck = list(table.plan.loot)
    for hero in table.heroes:
        for card in (*hero.weapons, *hero.loot):
            if card in deck:
                deck.remove(card)
    table.loot_gone = sorted(card for id_ in without if (card := table.box.numbers[id_]) in deck)
    table.loot_deck = [card for card in deck if card not in table.loot_gone]


@law("NO-SET-6", "NO-SET-8", "NO-SPAWN-6", "NO-AMB-4", "NO-AMB-55", "NO-S1-2", "NO-S2-1", "NO-S3-2")
def set_out_vermin(table: Table) -> None:
    """Fill the pool; place a face-down marker on each lair, and vermin set aside for a square face up."""
    story, box = table.plan, table.box
    table.pool = sorted(story.pool)
    for square in story.board.marks.get(numbers.LAIR, ()):
        if not table.pool:
            break
        _stand(table, pick(table, "marker", table.pool), square, False)
    for marker, count, mark, when in story.apart:
        if (aspects := box.foes[marker].aspects) and set(aspects) <= set(table.aspects_lost):
            table.gone = sorted([*table.gone, *[marker] * count])  # for the whole campaign (NO-AMB-55)
            continue
        if when:
            table.apart = sorted([*table.apart, *[marker] * count])
            continue
        for square in story.board.marks[mark][:count]:
            _stand(table, marker, square, True)


def _stand(table: Table, marker: int, square: int, up: bool) -> None:
    vermin = Vermin()
    vermin.marker, vermin.up, vermin.at = marker, up, square
    insert(table, vermin)
    table.tell("NO-SET-8", "{vermin} is placed on {}.", SQUARES[square], vermin=vermin)


@task
@law("NO-SET-16")
def hand_of_party(table: Table) -> None:
    """Draw one card for the party hand."""
    add_to_hand(table, 1, "NO-SET-16")


@task
@law("NO-S1-10", "NO-S3-1", "NO-SKILL-2", "NO-AMB-68")
def open_story(table: Table, has_weapons: bool, has_skills: bool) -> None:
    """Give the heroes skills and weapons, place them, and begin the scenario."""
    story = table.plan
    do(table, "start_round")
    do(table, "start_scenario")
    for hero in reversed(table.heroes):
        do(table, "place_hero", hero.name)
    if not has_skills:
        for clause in story.set_up:
            for one in clause.every():
                if one.name == "learn":
                    for hero in reversed(table.heroes):
                        do(table, "learn_skill", hero.name, int(str(one["n"])))
    if story.armed and not has_weapons:
        for hero in reversed(table.heroes):
            do(table, "take_weapon", hero.name)


@task
@law("NO-S1-10")
def take_weapon(table: Table, name: str) -> None:
    """Ask for one of a hero's preferred weapons from the Loot deck."""
    box = table.box
    hero = hero_of(table, name)
    wanted = [part.strip() for part in box.piece(hero.card)["weapons"].split(",")]
    left = [id_ for id_ in wanted if id_ in box.numbers and box.numbers[id_] in table.loot_deck]
    if left:
        ask_or_go_on(table, "take_preferred", [("choose", id_) for id_ in left], name, seat=hero.seat)


@answer
def take_preferred(table: Table, move: Move, name: str) -> None:
    """Take this weapon."""
    hero, card = hero_of(table, name), table.box.numbers[move[1]]
    table.loot_deck.remove(card)
    hero.weapons = sorted([*hero.weapons, card])
    table.tell("NO-S1-10", "{} takes {card}.", name, card=move[1])


@task
@law("NO-SKILL-1", "NO-SKILL-2")
def learn_skill(table: Table, name: str, level: int) -> None:
    """Ask which skill of a level a hero learns for free."""
    box = table.box
    hero = hero_of(table, name)
    left = [
        card
        for card in box.skills
        if box.piece(card)["hero"] == name and box.piece(card)["level"] == level and card not in hero.skills
    ]
    if left:
        ask_or_go_on(table, "learn", [("choose", box.ids[card]) for card in left], name, seat=hero.seat)


@answer
def learn(table: Table, move: Move, name: str) -> None:
    """Learn this skill."""
    hero, card = hero_of(table, name), table.box.numbers[move[1]]
    hero.skills = sorted([*hero.skills, card])
    table.tell("NO-SKILL-2", "{} learns {card}.", name, card=move[1])


@task
@law("NO-SKILL-5", "NO-CHR-4")
def bring_skills(table: Table, name: str, left: tuple[int, ...]) -> None:
    """Ask which skills a hero brings if it has more of a level than allowed."""
    box, hero = table.box, hero_of(table, name)
    level_of = {card: int(box.piece(card)["level"]) for card in (*left, *hero.skills)}
    room = {
        level: most - sum(level_of[card] == level for card in hero.skills)
        for level, most in numbers.MOST_SKILLS.items()
    }
    left = tuple(card for card in left if room[level_of[card]])
    tight = [card for card in left if sum(level_of[other] == level_of[card] for other in left) > room[level_of[card]]]
    hero.skills = sorted([*hero.skills, *(card for card in left if card not in tight)])
    if tight:
        moves: list[Move] = [*(("choose", box.ids[card]) for card in tight), ("done",)]
        ask(table, "bring", moves, name, tuple(tight), seat=hero.seat)


@answer
def bring(table: Table, move: Move, name: str, left: tuple[int, ...]) -> None:
    """Bring this skill, or no more: fewer are allowed."""
    if move[0] == "done":
        return
    hero, card = hero_of(table, name), table.box.numbers[move[1]]
    hero.skills = sorted([*hero.skills, card])
    table.tell("NO-SKILL-5", "{} brings {card}.", name, card=move[1])
    do(table, "bring_skills", name, tuple(other for other in left if other != card))


@task
@law("NO-SET-7")
def place_hero(table: Table, name: str) -> None:
    """Ask for a hero's start: the start square, or one orthogonally next to it."""
    board = board_of(table)
    starts = mask(board.marks[numbers.START])
    squares = members((starts | union(ways_of(table).adjacent, starts)) & board.standable & ~occupied(table))
    if not squares:
        squares = closest_free(table, board.marks[numbers.START][0])
    ask_or_go_on(table, "start_on", [TO[square] for square in squares], name, seat=hero_of(table, name).seat)


@answer
def start_on(table: Table, move: Move, name: str) -> None:
    """Place the hero here."""
    hero_of(table, name).at = square_of(move)
    table.tell("NO-SET-7", "{hero} starts on {at}.", hero=name, at=move[1])
    do(table, "look")


@task
@law("NO-SCN-2", "NO-SET-3")
def start_scenario(table: Table) -> None:
    """Carry out everything at the start of the scenario, from its set-up, cards and earlier Riverboat Events."""
    events, table.events = table.events, []
    for card in reversed(events):
        for ability in reversed(table.box.told_aboard(card)):
            if ability.on == "next-scenario-starts":
                do(table, "sentences", Said(ability, "", ""), ability.body)
    react(table, "scenario-starts", "")


# Entries


@task
@law("NO-SCN-9", "NO-S1-7")
def read_entry(table: Table, number: int, name: str) -> None:
    """Read an entry, and carry it out."""
    entry = table.box.facts["entries"][str(number)]
    table.read_entries.append(number)
    table.tell("NO-SCN-9", "The party reads entry {entry}: {}.", entry["title"], entry=number)
    if entry.get("does") and not entry.get("code"):
        names = [hero.name for hero in here(table)]
        me = name if name in names else names[0] if names else ""
        for ability in reversed(
            [*abilities_of(table.box.read(entry["does"]), numbers.NOTHING, "NO-SCN-9", entry["title"])]
        ):
            do(table, "sentences", Said(ability, me, me), ability.body)


# The end


@task
@law("NO-SCN-3", "NO-S1-3", "NO-AMB-40")
def check_end(table: Table) -> None:
    """Win once everything is achieved; lose when no hero is left to achieve it."""
    if is_achieved(table):
        table.won = True
        table.tell("NO-SCN-3", "Every objective is achieved.", won=True)
    elif (
        not here(table)
        and any(hero.place in (numbers.LEFT, numbers.OUT) for hero in table.heroes)
        and table.phase != numbers.SET_UP
    ):
        table.lost = "No hero is left"
        table.tell("NO-AMB-40", "No hero is left on the map: the scenario is lost.", won=False)


def is_achieved(table: Table) -> bool:
    """Return whether every objective of the scenario is met."""
    clauses = [one for text in table.plan.objectives for one in text.every() if one.name in ACHIEVED]
    if not any(one.name == "need-not" for one in clauses) and not _have_left(table):
        return False
    return all(ACHIEVED[one.name](table, one) for one in clauses)


@law("NO-SCN-3", "NO-SCN-4")
def _have_left(table: Table) -> bool:
    """Return whether every hero that is not out has left by an exit, and at least one has."""
    return (
        any(hero.place == numbers.LEFT for hero in table.heroes) and not here(table) and table.phase != numbers.SET_UP
    )


def _searched(table: Table, one: Phrase) -> bool:
    squares = board_of(table).marks.get(numbers.OBJECTIVE, ())
    return all(table.taken.get(square) for square in squares)


def _eliminated(table: Table, one: Phrase) -> bool:
    """Return whether a named vermin has left the scenario for good."""
    figure = a_phrase(a_phrase(one["whom"])["figure"])
    return any(table.box.foe(table.box.marker(marker).foe).id == figure["foe"] for marker in table.gone)


ACHIEVED: Final[dict[str, Callable[[Table, Phrase], bool]]] = {
    "investigate": _searched,
    "leaves-map": lambda table, one: _have_left(table),
    "eliminate": _eliminated,
    "need-not": lambda table, one: True,
}
"""By the name of its clause, whether an objective is met."""


@task
def gather_up(table: Table, left: tuple[tuple[Any, ...], ...]) -> None:
    """Discard everything that was under way when the scenario ended."""
    pieces = [piece for one in left for piece in held(table, one)]
    pieces += [card for fight in table.fights for card in fight.cards if card >= 0 and not table.box.is_joker(card)]
    table.fights = []
    for piece in pieces:
        if piece in table.box.values:
            put_away(table, piece)
        elif piece in table.box.loot:
            table.loot_gone = sorted([*table.loot_gone, piece])
        else:
            table.graves = sorted([*table.graves, piece])


def held(table: Table, task: tuple[Any, ...]) -> Sequence[int]:
    """Return the pieces that are nowhere on the table while a task is pending."""
    if task[0] in ("offer_cheat", "settle", "have_effect"):
        return [table.card] if table.card >= 0 else []
    if task[0] == "lay_back":
        return [*task[1], *task[2]]
    if task[0] == "place_vermin":
        return [task[1]]
    if task[0] != ASK:
        return []
    question, about = task[1], task[4]
    if question == "cheat" or (question == "ace" and about[0]):
        return [table.card]
    if question in ("placed", "put_back"):
        return [about[0]]
    if question == "keep_one":
        return list(about[1])
    return [*about[0], *about[1]] if question == "lay" else []


# Powers


@verb("returns")
@law("NO-PWR-1", "NO-AMB-91")
def returns(table: Table, said: Said, _clause: Phrase) -> None:
    """Bring an eliminated vermin back at full Health, on its square or the closest empty one."""
    fallen = said.fallen
    if fallen is None or fallen.marker not in table.graves:
        return
    table.graves.remove(fallen.marker)
    do(table, "place_vermin", fallen.marker, fallen.square, True, True)


@verb("leaves-scenario")
@law("NO-PWR-2")
def leaves_scenario(table: Table, said: Said, _clause: Phrase) -> None:
    fallen = said.fallen
    if fallen is not None and fallen.marker in table.graves:
        table.graves.remove(fallen.marker)
        table.gone = sorted([*table.gone, fallen.marker])
        table.tell(said.rule, "{vermin} leaves the scenario for good.", vermin=fallen)


@verb("stinkbomb")
@law("NO-PWR-20", "NO-AMB-93", "NO-AMB-64")
def stinkbomb(table: Table, said: Said, _clause: Phrase) -> None:
    one = find_figure(table, said.me)
    most = table.box.piece(table.box.numbers["stinkbomb-token"])["count"]
    if one is not None and len(table.stinkbombs) < most:
        square = one.at
        table.stinkbombs = sorted([*table.stinkbombs, square])
        name = board_of(table).names[square]
        table.tell(said.rule, "A Stinkbomb token is placed on {square}.", square=name)


@for_each(Vermin, "reveal")
def reveals(table: Table, _said: Said, _clause: Phrase, one: Vermin) -> None:
    if not one.up:
        reveal(table, one)


@for_each(Vermin, "hide")
def hides(table: Table, _said: Said, _clause: Phrase, one: Vermin) -> None:
    one.up, one.known = False, True
    insert(table, one)


# The scenario


@verb("initiative-heroes", "initiative-vermin")
def initiative(table: Table, said: Said, clause: Phrase) -> None:
    """Set the next initiative: 1 for the heroes, 2 for the vermin."""
    table.initiative = 1 if clause.name == "initiative-heroes" else 2
    side = "heroes" if table.initiative == 1 else "vermin"
    table.tell(said.rule, "The {side} will win the next initiative.", side=side)


@verb("read")
@law("NO-SCN-9", "NO-S1-7")
def read(table: Table, _said: Said, clause: Phrase) -> None:
    do(table, "read_entry", number(clause), _said.that)


@verb("log")
def log(table: Table, _said: Said, clause: Phrase) -> None:
    if number(clause) not in table.entries:
        table.entries.append(number(clause))
        table.entries.sort()
    table.tell("NO-SCN-9", "Entry {entry} is now in the Adventure Log.", entry=number(clause))


@verb("leaves-map")
def leaves_map(table: Table, said: Said, clause: Phrase) -> None:
    """Remove a Stinkbomb token from the map."""
    if said.square in table.stinkbombs:
        table.stinkbombs.remove(said.square)
        name = board_of(table).names[said.square]
        table.tell(said.rule, "The Stinkbomb token on {square} is removed.", square=name)


@verb("spawn")
def spawn(table: Table, _said: Said, clause: Phrase) -> None:
    for _ in range(number(clause)):
        do(table, "spawn_on", a_phrase(clause["mark"]).name.upper())


@verb("scenario-lost")
@law("NO-S1-4", "NO-S1-5")
def scenario_lost(table: Table, said: Said, _clause: Phrase) -> None:
    table.lost = said.name
    table.tell(said.rule, "{why}: the scenario is lost.", why=said.name)


ELSEWHERE: Final = ("remove-loot", "take-preferred", "learn", "safehaven", "riverboat", "need-not", "investigate")
for name in (*ELSEWHERE, "cheaper", "larger-offer"):  # handled by set-up, objectives and the Riverboat
    VERBS[name] = lambda *unused: None


@law("NO-SET-9", "NO-SET-10", "NO-AMB-4")
def tokens_on(table: Table, square: int) -> int:
    """Return the tokens left on a square, which starts with one Objective or two Loot tokens."""
    marks = board_of(table).marks
    first = (
        numbers.LOOT_TOKENS
        if square in marks.get(numbers.LOOT, ())
        else 1
        if square in marks.get(numbers.OBJECTIVE, ())
        else 0
    )
    return first - table.taken.get(square, 0)


USEFUL.update(
    {
        "initiative-heroes": lambda t, s, c, one: t.initiative != 1,
        "initiative-vermin": lambda t, s, c, one: t.initiative != 2,
    }
)
