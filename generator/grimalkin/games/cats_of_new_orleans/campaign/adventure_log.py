"""Campaigns: what a party keeps from one scenario to the next, and which chapter follows.

It keeps what the Adventure Log records: Lives, bucks, Weapons, other Loot and all Skills of each hero, the entries in
the log, the scenarios won, and effects of the Riverboat. A chapter is a scenario, or the interlude after one that has
been won.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from grimalkin.engine.campaigns import Chapter, Kept, Standing
from grimalkin.engine.contract import Facts
from grimalkin.engine.contract import State as AnyState
from grimalkin.engine.law import law
from grimalkin.engine.loading import seat_misfits
from grimalkin.engine.shape import Choice, Listing, Misfit, Misfits, Record, Table, Whole, YesNo
from grimalkin.games.cats_of_new_orleans import table
from grimalkin.games.cats_of_new_orleans.box import Box, boat_is_open, box_of
from grimalkin.games.cats_of_new_orleans.campaign.riverboat import between, clauses_in, speaks_of_next
from grimalkin.games.cats_of_new_orleans.numbers import DIFFICULTIES, MOST_LIVES, PARTIES, SEATS, SIDES
from grimalkin.games.cats_of_new_orleans.scenario import option_misfits
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import listed

AFTER: Final = "after-"
"""The prefix that turns the id of a scenario into that of the interlude after it."""
NOT_PLAYED: Final = frozenset({"safehaven", "riverboat", "take-preferred"})
"""Clauses about the time after a scenario that need no decision there."""
ARMING: Final = "take-preferred"


class Campaign:
    """This game's rules for campaigns."""

    rules: Final[Mapping[str, str]] = {"rest": "NO-SAFE-1", "restore": "NO-SAFE-4", "failed": "NO-AMB-142"}
    shows: Final[Mapping[str, tuple[str, ...]]] = {
        "rest": ("NO-SAFE-1", "NO-SAFE-2", "NO-SAFE-3"),
        "restore": ("NO-SAFE-4", "NO-SAFE-5"),
    }

    def options(self, facts: Facts) -> Record:
        box = box_of(facts)
        heroes = Listing(
            Choice(tuple(_heroes(box))),
            min(PARTIES),
            max(PARTIES),
            "Two or four, dealt around the table (default: four).",
        )
        return Record(
            {},
            {
                "difficulty": Choice(DIFFICULTIES, "Default: normal."),
                "coin": YesNo("Whether the Buck coin decides what a Wound costs (default: no)."),
                "heroes": heroes,
            },
        )

    @law("NO-SAFE-2", "NO-SAFE-3")
    def shape(self, facts: Facts) -> Record:
        """Return the shape of an Adventure Log."""
        box = box_of(facts)

        def some(cards: Sequence[int], about: str) -> Listing:
            return Listing(Choice(tuple(box.ids[card] for card in cards)), describe=about)

        hero = Record(
            {"lives": Whole(0, MOST_LIVES, "Lives.")},
            {
                "bucks": Whole(0, describe="Bucks without a card."),
                "weapons": some(sorted(box.weapons), "The weapons equipped."),
                "loot": some(box.loot, "All other Loot."),
                "skills": some(box.skills, "All skills learned."),
            },
        )
        scenarios = Choice(tuple(box.scenario_ids))
        return Record(
            {"heroes": Table(hero, describe="By hero, in the order in which they are dealt around the table.")},
            {
                **self.options(facts).optional,
                "heroes": Table(hero),
                "won": Listing(scenarios, describe="The scenarios won, in order."),
                "after": Choice(
                    tuple(box.scenario_ids), "The scenario just won, until the interlude after it is played."
                ),
                "log": Listing(Whole(1), describe="The entries in the Adventure Log."),
                "aspects-lost": some(box.aspects, "The Aspect cards lost for this campaign."),
                "heard": some(box.events, "The Riverboat Events drawn so far."),
                "events": some(box.events, "Those that affect the next scenario."),
                "initiative": Choice(SIDES, "The side that wins the first initiative of the next scenario."),
            },
        )

    def check(self, facts: Facts, kept: Kept) -> list[Misfit]:
        box = box_of(facts)
        record, misfits = self.shape(facts).read(kept)
        if misfits:
            return list(misfits)
        heroes = _heroes(box)
        found = [
            Misfit(("heroes", name), f'there is no hero "{name}"', did_you_mean(name, heroes))
            for name in record["heroes"]
            if name not in heroes
        ]
        if not found:
            options = _options(record, "skills", scenario=next(iter(box.scenario_ids)), interlude=True)
            found = [_of_kept(misfit) for misfit in option_misfits(box, options)]
            found += _too_many(box, record)
        return found

    @law("NO-CHR-1", "NO-SET-1", "NO-SET-2")
    def begin(self, facts: Facts, seats: Sequence[str], options: Mapping[str, Any]) -> Kept:
        box = box_of(facts)
        read, misfits = self.options(facts).read(options)
        wrong = [*misfits, *seat_misfits(seats, SEATS)]
        if not misfits:
            wrong += option_misfits(box, read)
        if wrong:
            raise Misfits(wrong)
        names = read.pop("heroes", _heroes(box)[: max(PARTIES)])
        return {**_written(read), "heroes": {name: {"lives": MOST_LIVES} for name in names}}

    @law("NO-GEN-11", "NO-BOAT-9", "NO-SAFE-1", "NO-SAFE-5")
    def chapters(self, facts: Facts, kept: Kept) -> list[Chapter]:
        box = box_of(facts)
        after = kept.get("after", "")
        if after and is_anything_after(box, after):
            title = "The Riverboat" if boat_is_open(box, after) else "Between scenarios"
            rules = ("NO-BOAT-1",) if boat_is_open(box, after) else ("NO-SCN-8",)
            return [Chapter(f"{AFTER}{after}", title, _options_after(kept, after), rules, rests=True)]
        told = facts["scenarios"]
        last = max((told[id_]["number"] for id_ in kept.get("won", ())), default=0)
        later = sorted((one for one in told.values() if one["number"] > last), key=lambda one: int(one["number"]))
        return [
            Chapter(one["id"], one["title"], _options_of(box, kept, one["id"]), ("NO-SCN-8",), rests=bool(after))
            for one in later[:1]
        ]

    @law("NO-AMB-142", "NO-AMB-143", "NO-CHR-4", "NO-AMB-55")
    def after(self, facts: Facts, kept: Kept, chapter: Chapter, state: AnyState) -> Kept:
        assert isinstance(state, table.Table)
        ids = box_of(facts).ids
        if not state.won:
            return {key: value for key, value in kept.items() if key != "after" or chapter.options.get("interlude")}
        new: dict[str, Any] = {key: kept[key] for key in ("difficulty", "coin", "won", "heard") if key in kept}
        new["heroes"] = {hero.name: self._kept_of(ids, hero, kept["heroes"][hero.name]) for hero in state.heroes}
        new["log"] = list(state.entries)
        new["aspects-lost"] = [ids[card] for card in state.aspects_lost]
        if chapter.options.get("interlude"):
            if state.event >= 0:
                new["heard"] = _heard(state, [*kept.get("heard", ()), ids[state.event]])
                new["events"] = [ids[state.event]] if speaks_of_next(state.box, state.event) else []
            if state.initiative:
                new["initiative"] = SIDES[state.initiative - 1]
        else:
            new["won"] = [*kept.get("won", ()), state.scenario]
            new["after"] = state.scenario
        return {key: value for key, value in new.items() if value not in ([], "")}

    @staticmethod
    def _kept_of(ids: Sequence[str], hero: Any, before: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a hero keeps, including skills that were not brought along."""
        skills = {*before.get("skills", ()), *(ids[card] for card in hero.skills)}
        kept = {
            "lives": hero.lives,
            "bucks": hero.bucks,
            "weapons": [ids[card] for card in hero.weapons],
            "loot": [ids[card] for card in hero.loot],
            "skills": [id_ for id_ in ids if id_ in skills],
        }
        return {key: value for key, value in kept.items() if value or key == "lives"}

    def standing(self, facts: Facts, kept: Kept) -> list[Standing]:
        """Return the standing as an Adventure Log shows it: the party, then each hero."""
        return [*_standing(box_of(facts), kept)]


def _heroes(box: Box) -> list[str]:
    return [box.ids[hero] for hero in box.hero_numbers]


def is_anything_after(box: Box, scenario: str) -> bool:
    """Return whether anything is read, decided or bought between a scenario and the next."""
    sentences = [sentence for ability in between(box, scenario) for sentence in ability.body]
    clauses = {clause.name for sentence in sentences for clause in clauses_in(sentence)}
    return boat_is_open(box, scenario) or bool(clauses - NOT_PLAYED)


@law("NO-SAFE-4")
def _options(kept: Kept, skills: str, **first: Any) -> dict[str, Any]:
    """Return the options for the heroes and what each has, with all skills as the option `skills`. All other cards are
    back in the Loot deck."""

    def each(key: str) -> dict[str, Any]:
        return {name: has[key] for name, has in kept["heroes"].items() if has.get(key)}

    lives = {name: has["lives"] for name, has in kept["heroes"].items()}
    options = {**first, "heroes": list(kept["heroes"]), "lives": lives}
    options |= {key: each(key) for key in ("bucks", "weapons", "loot")}
    options |= {key: kept[key] for key in ("difficulty", "coin", "log", "aspects-lost") if kept.get(key)}
    return options | {skills: each("skills")}


def _options_after(kept: Kept, scenario: str) -> dict[str, Any]:
    """Return the options of the interlude after a scenario."""
    options = _options(kept, "skills", scenario=scenario, interlude=True)
    return _written({**options, "heard": list(kept.get("heard", ()))})


@law("NO-AMB-40", "NO-SKILL-5", "NO-S1-10", "NO-SKILL-2")
def _options_of(box: Box, kept: Kept, scenario: str) -> dict[str, Any]:
    """Return the options of a scenario: every hero has a Life, and gifts before it are chosen at its set-up."""
    options = _options(kept, "trained", scenario=scenario)
    options["lives"] = {name: max(1, lives) for name, lives in options["lives"].items()}
    if not options["weapons"] and not _armed_before(box, kept):
        del options["weapons"]  # otherwise nobody would be asked for a weapon
    if not options["trained"]:
        del options["trained"]
    return _written(options | {key: kept[key] for key in ("events", "initiative") if kept.get(key)})


def _armed_before(box: Box, kept: Kept) -> bool:
    """Return whether weapons were handed out before the last scenario won; heroes may have lost them since."""
    if not kept.get("won"):
        return False
    between = box.facts["scenarios"][kept["won"][-1]]["between"]
    texts = [box.read(clause["text"]) for clause in between if clause.get("text")]
    return all(one.name != ARMING for text in texts for one in text.every())


def _written(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as a file writes them, with yes and no as words."""
    return {key: ("yes" if value else "no") if isinstance(value, bool) else value for key, value in options.items()}


@law("NO-AMB-144")
def _heard(state: table.Table, heard: list[str]) -> list[str]:
    """Return the events drawn so far; once all have been drawn, only the last one."""
    return heard if len(set(heard)) < len(state.box.events) else heard[-1:]


def _of_kept(misfit: Misfit) -> Misfit:
    """Return a fault in an option, pointing to its place in the record."""
    at = misfit.at
    if at and at[0] in ("bucks", "weapons", "loot", "lives", "skills") and len(at) > 1:
        return replace(misfit, at=("heroes", at[1], at[0], *at[2:]))
    return misfit


def _too_many(box: Box, kept: Kept) -> Iterator[Misfit]:
    """Yield the cards of which the record has more than the box."""
    left = {box.ids[card]: int(box.piece(card)["count"]) for card in box.loot}
    for name, has in kept["heroes"].items():
        for key in ("weapons", "loot"):
            for index, id_ in enumerate(has.get(key, ())):
                left[id_] -= 1
                if left[id_] < 0:
                    yield Misfit(("heroes", name, key, index), f"the box has no further {id_}")


def _standing(box: Box, kept: Kept) -> Iterator[Standing]:
    """Yield what an Adventure Log says about the party, then about each hero, leaving out what is empty."""

    def names(ids: Sequence[str]) -> str:
        return ", ".join(box.names[box.numbers[id_]] for id_ in ids)

    won = [str(box.facts["scenarios"][id_]["title"]) for id_ in kept.get("won", ())]
    rows = [
        ("", "Difficulty", kept.get("difficulty", DIFFICULTIES[1]), "NO-GEN-7"),
        ("", "Scenarios passed", listed(won) or "none", "NO-SCN-3"),
        ("", "Entries in the log", ", ".join(map(str, kept.get("log", ()))), "NO-SCN-9"),
        ("", "Aspects lost", names(kept.get("aspects-lost", ())), "NO-PWR-4"),
        ("", "Riverboat Events drawn", len(kept.get("heard", ())) or "", "NO-AMB-144"),
        ("", "For the next scenario", names(kept.get("events", ())), "NO-BOAT-2"),
        ("", "First initiative", kept.get("initiative", ""), "NO-BOAT-2"),
    ]
    for name, has in kept["heroes"].items():
        cards = sum(int(box.piece(box.numbers[id_]).get("bucks") or 0) for id_ in has.get("loot", ()))
        rows += [
            (name, "Lives", has["lives"], "NO-CHR-1"),
            (name, "Bucks", has.get("bucks", 0) + cards, "NO-AMB-72"),
            (name, "Weapons", names(has.get("weapons", ())), "NO-CHR-6"),
            (name, "Other Loot", names(has.get("loot", ())), "NO-CHR-8"),
            (name, "Skills", names(has.get("skills", ())), "NO-CHR-4"),
        ]
    return (Standing(whose, what, str(value), rule) for whose, what, value, rule in rows if value != "")


CAMPAIGN: Final = Campaign()
