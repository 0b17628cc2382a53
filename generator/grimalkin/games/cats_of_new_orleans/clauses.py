"""What sentences mean: figures, conditions and cards, statics, which attacks a clause is about, and its verb.

A sentence says which figures it means by who, where and what they are. Statics are clauses that hold just now. Cards
have no code of their own, only clauses; verbs register themselves, each with a test for whether it changes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from grimalkin.engine.kinds import members
from grimalkin.engine.law import law
from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans.box import UNARMED, Arm
from grimalkin.games.cats_of_new_orleans.figures import (
    Figure,
    adjacent_to,
    board_of,
    bucks_of,
    covered,
    covers,
    distance,
    find_figure,
    foe_of,
    here,
    hero_of,
    heroes_mask,
    is_boss,
    kit_of,
    kits_of,
    seen_by_heroes,
    sight_of,
    surrounding,
)
from grimalkin.games.cats_of_new_orleans.numbers import NOTHING
from grimalkin.games.cats_of_new_orleans.phrases.abilities import Ability, a_phrase
from grimalkin.games.cats_of_new_orleans.table import Hero, Table, Vermin, View

# Whom a sentence means


class Fallen(NamedTuple):
    """A vermin that was just eliminated."""

    name: str
    marker: int
    square: int
    boss: bool
    zombie: bool


class Said(NamedTuple):
    """An ability at work: who has it, and the figures it has mentioned."""

    ability: Ability
    me: str
    """The hero that has the card, or the vermin that has the power; empty for a scenario."""
    that: str = ""
    """The figure just mentioned: that hero, that vermin, it."""
    other: str = ""
    """The attacker."""
    fallen: Fallen | None = None
    square: int = NOTHING

    @property
    def rule(self) -> str:
        return self.ability.rule

    @property
    def name(self) -> str:
        return self.ability.name


Match = Callable[[Table, Said, Phrase], bool]


def figures_on_map(table: Table) -> list[Figure]:
    return [*here(table), *table.vermin]


def candidates(table: Table, said: Said, figure: Phrase) -> list[Figure]:
    """Return all figures on the map that a phrase can mean, heroes first."""
    name = figure.name
    if name in ("that-hero", "that-vermin", "it", "target"):
        found = find_figure(table, _target(table, said) if name == "target" else said.that)
        wanted = {"that-hero": Hero, "that-vermin": Vermin}.get(name, (Hero, Vermin))
        return [found] if found is not None and isinstance(found, wanted) else []
    if name in ("attacker", "this-vermin"):
        found = find_figure(table, said.other if name == "attacker" else said.me)
        return [found] if found is not None else []
    if name in ("stinkbomb", "each-stinkbomb"):  # tokens are not figures
        return []
    all_of_them = here(table) if name in HEROES_MEANT else table.vermin if name in VERMIN_MEANT else None
    found_all: list[Figure]
    if all_of_them is not None and not figure.parts and name not in OTHERS:
        found_all = [*all_of_them]
    else:
        among = figures_on_map(table) if all_of_them is None else all_of_them
        found_all = [one for one in among if fits(table, said, figure, one)]
    if LEFT_OUT.keys() & set(said.ability.limits):
        barred = [LEFT_OUT[limit] for limit in said.ability.limits if limit in LEFT_OUT]
        found_all = [
            one for one in found_all if not (isinstance(one, Vermin) and any(is_(table, one) for is_ in barred))
        ]
    if name in ("nearest-hero", "nearest-vermin", "hero-fewest-lives") and found_all:
        return _first_by(table, said, name, found_all)
    if name == "first-wounded":
        return _first_wounded(table, figure, found_all)
    return found_all


def _target(table: Table, said: Said) -> str:
    """Return the target of the attack under way, or of the one just made."""
    if table.fights:
        return table.fights[-1].at
    return "" if said.that == said.me else said.that


def fits(table: Table, said: Said, figure: Phrase, one: Figure) -> bool:
    """Return whether a phrase can mean this figure."""
    name = figure.name
    if name in HEROES_MEANT:
        if not isinstance(one, Hero) or (name in OTHERS and one.name == said.me):
            return False
    elif name in VERMIN_MEANT:
        if not isinstance(one, Vermin) or (name in OTHERS and one.name == said.me):
            return False
    elif name in ("named", "named-plainly"):
        return isinstance(one, Vermin) and one.up and foe_of(table, one).id == figure["foe"]
    elif name == "first-wounded":
        return isinstance(one, Vermin) and one.up and one.wounds > 0
    elif name == "zombie":
        return isinstance(one, Vermin) and one.zombie
    elif name in ("each-figure", "each-other-figure"):
        if name == "each-other-figure" and one.name == said.me:
            return False
    else:
        return one in candidates(table, said, figure)
    if not figure.parts:
        return True
    parts = dict(figure.parts)
    which, where, but = parts.get("which"), parts.get("where"), parts.get("but")
    return (
        (which is None or WHICH[a_phrase(which).name](one))
        and (where is None or stands(table, said, a_phrase(where), one))
        and (but is None or not _left_out(table, a_phrase(but), one))
    )


LEFT_OUT: Final[dict[str, Callable[[Table, Vermin], bool]]] = {
    "not-bosses": is_boss,
    "not-zombies": lambda table, one: one.zombie,
}
"""By a limit of an ability, the vermin it excludes."""


HEROES_MEANT: Final = frozenset(
    {"a-hero", "another-hero", "each-hero", "each-other-hero", "nearest-hero", "hero-fewest-lives"}
)


VERMIN_MEANT: Final = frozenset({"a-vermin", "another-vermin", "each-vermin", "nearest-vermin", "up-to"})


OTHERS: Final = frozenset({"another-hero", "each-other-hero", "another-vermin", "nearest-hero", "nearest-vermin"})


ONE_OF: Final = frozenset(
    {"a-hero", "another-hero", "a-vermin", "another-vermin", "nearest-hero", "nearest-vermin", "hero-fewest-lives"}
)
"""Phrases that mean one figure, whichever is chosen; the nearest is any one of those equally near."""


WHICH: Final[dict[str, Callable[[Figure], bool]]] = {
    "any": lambda one: True,
    "stunned": lambda one: one.stunned,
    "unstunned": lambda one: not one.stunned,
    "wounded": lambda one: isinstance(one, Vermin) and one.wounds > 0,
    "vulnerable": lambda one: one.vulnerable,
    "unrevealed": lambda one: isinstance(one, Vermin) and not one.up,
    "revealed": lambda one: isinstance(one, Vermin) and one.up,
}


@law("NO-AMB-120", "NO-AMB-67")
def stands(table: Table, said: Said, where: Phrase, one: Figure) -> bool:
    """Return whether a figure is where a phrase says, from the point of view of the ability's owner."""
    name = where.name
    if name == "adjacent-to":
        beside, figure = adjacent_to(table, covered(table, one)), a_phrase(where["figure"])
        if figure.name == "a-hero" and not figure.parts:
            return bool(beside & heroes_mask(table))
        return any(beside & covered(table, other) for other in candidates(table, said, figure))
    if name in ("anywhere", "on-map"):
        return True
    if name == "in-water":
        return bool(covered(table, one) & board_of(table).water)
    if name == "in-hindering":
        return bool(covered(table, one) & board_of(table).hindering)
    if name == "with-ap":
        return isinstance(one, Vermin) and one.up and foe_of(table, one).ap == where["n"]
    if name == "surrounding-whom" and a_phrase(where["figure"]).name == "stinkbomb":
        return any(surrounding(table, 1 << square) & covered(table, one) for square in table.stinkbombs)
    if name in ("surrounding-whom", "within-of", "beside"):
        return any(
            _near(table, name, where, other, one) for other in candidates(table, said, a_phrase(where["figure"]))
        )
    me = find_figure(table, said.me)
    if me is None or not covered(table, me):
        return False
    return _near(table, name, where, me, one)


def _near(table: Table, name: str, where: Phrase, me: Figure, one: Figure) -> bool:
    """Return whether a figure is near another."""
    mine, theirs = covered(table, me), covered(table, one)
    if not mine or not theirs:
        return False
    if name in ("adjacent", "adjacent-to"):
        return one is not me and bool(adjacent_to(table, mine) & theirs)
    if name in ("surrounding", "surrounding-whom"):
        return one is not me and bool(surrounding(table, mine) & theirs)
    if name == "beside":
        return bool((mine | adjacent_to(table, mine)) & theirs)
    if name == "your-square":
        return bool(mine & theirs)
    if name in ("your-big-square", "same-big-square"):
        board = board_of(table)
        return any(board.bigs[board.big[square]] & theirs for square in members(mine))
    if name == "in-sight":
        return bool(sight_of(table, me) & theirs)
    if name in ("within", "within-of"):
        return distance(table, me, one) <= int(str(where["n"]))
    if name == "within-in-sight":
        return distance(table, me, one) <= int(str(where["n"])) and bool(sight_of(table, me) & theirs)
    raise KeyError(name)


def _left_out(table: Table, but: Phrase, one: Figure) -> bool:
    if but.name == "no-boss":
        return isinstance(one, Vermin) and is_boss(table, one)
    if but.name == "not":
        return isinstance(one, Vermin) and one.up and foe_of(table, one).id == but["foe"]
    return False


def _first_by(table: Table, said: Said, name: str, found: list[Figure]) -> list[Figure]:
    """Return the nearest figures, or those with the fewest Lives; several if they tie."""

    def measure(one: Figure) -> int:
        if name == "hero-fewest-lives" and isinstance(one, Hero):
            return one.lives
        me = find_figure(table, said.me)
        return distance(table, me, one) if me is not None else 0

    least = min(measure(one) for one in found)
    return [one for one in found if measure(one) == least]


def _first_wounded(table: Table, figure: Phrase, found: list[Figure]) -> list[Figure]:
    """Return the first of some figures, named in order, that has Wounds."""
    for boss in phrases(figure["bosses"]):
        for one in found:
            if isinstance(one, Vermin) and foe_of(table, one).id == boss["foe"]:
                return [one]
    return []


# Conditions


def holds(table: Table, said: Said, condition: Phrase) -> bool:
    """Return whether a condition holds."""
    return CONDITIONS[condition.name](table, said, condition)


def _is(table: Table, one: Figure | None, state: str) -> bool:
    if state == "eliminated":
        return one is None or not covered(table, one)
    if one is None:
        return False
    if state == "wounded":
        return one.wounds > 0 if isinstance(one, Vermin) else one.lives < 9
    if state in ("boss", "no-boss"):
        return (isinstance(one, Vermin) and is_boss(table, one)) is (state == "boss")
    if state == "not-stunned":
        return not one.stunned
    return bool(getattr(one, state))


def _me(table: Table, said: Said) -> Hero:
    return hero_of(table, said.me)


def _figure_is(table: Table, said: Said, condition: Phrase) -> bool:
    state = a_phrase(condition["state"]).name
    figure = a_phrase(condition["figure"])
    if state == "eliminated" and find_figure(table, said.that) is None:
        return figure.name in ("it", "that-vermin", "target")
    return any(_is(table, one, state) for one in candidates(table, said, figure))


def _count(table: Table, said: Said, where: Phrase, kind: type[Hero] | type[Vermin], others: bool = False) -> int:
    return sum(
        isinstance(one, kind) and not (others and one.name == said.me) and stands(table, said, where, one)
        for one in figures_on_map(table)
    )


CONDITIONS: Final[dict[str, Match]] = {
    "you-are": lambda t, s, c: _is(t, _me(t, s), a_phrase(c["state"]).name),
    "figure-is": _figure_is,
    "you-stand": lambda t, s, c: stands(t, s, a_phrase(c["where"]), _me(t, s)),
    "figure-stands": lambda t, s, c: any(
        stands(t, s, a_phrase(c["where"]), one) for one in candidates(t, s, a_phrase(c["figure"]))
    ),
    "no-hero": lambda t, s, c: not _count(t, s, a_phrase(c["where"]), Hero),
    "no-other-hero": lambda t, s, c: not _count(t, s, a_phrase(c["where"]), Hero, others=True),
    "no-vermin": lambda t, s, c: not _count(t, s, a_phrase(c["where"]), Vermin),
    "seen-by-none": lambda t, s, c: (
        not any(seen_by_heroes(t) & covered(t, one) for one in candidates(t, s, a_phrase(c["figure"])))
    ),
    "you-see-none": lambda t, s, c: not any(sight_of(t, _me(t, s)) & covers(t, one) for one in t.vermin),
    "vermin-at-least": lambda t, s, c: _count(t, s, a_phrase(c["where"]), Vermin) >= int(str(c["n"])),
    "lives-at-most": lambda t, s, c: _me(t, s).lives <= int(str(c["n"])),
    "bucks-at-least": lambda t, s, c: bucks_of(t, _me(t, s)) >= int(str(c["n"])),
    "not-moved": lambda t, s, c: not _me(t, s).moved,
    "not-attacked": lambda t, s, c: not _me(t, s).attacked,
    "no-weapon": lambda t, s, c: not _me(t, s).weapons,
    "party-hand-empty": lambda t, s, c: not t.hand,
    "first-round": lambda t, s, c: t.round == 1,
    "log-has": lambda t, s, c: c["n"] in t.entries,
}


def phrases(value: object) -> Iterator[Phrase]:
    """Yield the phrases in a slot with one or several."""
    for one in value if isinstance(value, tuple) else (value,):
        if isinstance(one, Phrase):
            yield one


CARDS: Final[dict[str, Callable[[Any, int, Phrase], bool]]] = {
    "red": lambda box, card, said: not box.is_black(card),
    "black": lambda box, card, said: box.is_black(card),
    "heart": lambda box, card, said: box.suits[card] == "hearts",
    "diamond": lambda box, card, said: box.suits[card] == "diamonds",
    "club": lambda box, card, said: box.suits[card] == "clubs",
    "spade": lambda box, card, said: box.suits[card] == "spades",
    "face": lambda box, card, said: bool(box.suits[card]) and box.values[card] > 10,
    "ace": lambda box, card, said: box.is_ace(card),
    "joker": lambda box, card, said: box.is_joker(card),
    "at-least": lambda box, card, said: box.values[card] >= int(str(said["n"])),
    "at-most": lambda box, card, said: box.values[card] <= int(str(said["n"])),
}
"""By the name of a phrase, the test that says whether it means a given card of the poker deck."""


def is_card(table: Table | View, said: Phrase, card: int) -> bool:
    """Return whether a drawn card is what a text asks for: a card, or a result."""
    if said.name == "card":
        return is_card(table, a_phrase(said["card"]), card)
    return CARDS[said.name](table.box, card, said)


# Statics


def counts(table: Table, ability: Ability) -> bool:
    """Return whether a card counts: an exhausted one only for refreshing itself."""
    if ability.card < 0 or not table.exhausted >> ability.card & 1:
        return True
    return any(clause.name == "refresh" for sentence in ability.body for clause in sentence.every())


def every_static(table: Table, clause: str) -> Iterator[tuple[Said, Phrase]]:
    """Yield the statics with this clause that hold just now, with their owners."""
    for owner in here(table):
        if clause in kit_of(table, owner).by_clause:
            yield from holding(table, owner, clause)
    if table.lasting:
        yield from lasting(table, clause)
    foes = table.box.foes
    for vermin in table.vermin:
        if vermin.up and (clause in foes[vermin.marker].kit.by_clause or vermin.aspect >= 0):
            yield from holding(table, vermin, clause)


def holding(table: Table, owner: Figure, clause: str) -> Iterator[tuple[Said, Phrase]]:
    """Yield the statics with this clause on a figure's own cards and powers that hold just now."""
    for kit in kits_of(table, owner):
        for static in kit.says(clause):
            if counts(table, static.ability):
                said = Said(static.ability, owner.name, owner.name)
                if static.condition is None or holds(table, said, static.condition):
                    yield said, static.clause


def lasting(table: Table, clause: str) -> Iterator[tuple[Said, Phrase]]:
    """Yield the lasting effects with this clause."""
    for _, owner, card, index in table.lasting:
        ability = table.box.said_by(card)[index]
        for sentence in ability.body:
            for one in sentence.every():
                if one.name == clause:
                    yield Said(ability, owner, owner), one


def statics_for(table: Table, clause: str, figure: Figure) -> list[tuple[Said, Phrase]]:
    """Return the statics with this clause on a figure's own cards and powers, and its lasting effects."""
    if not table.lasting:
        for kit in kits_of(table, figure):
            if clause in kit.by_clause:
                break
        else:
            return []
    found = list(holding(table, figure, clause))
    if table.lasting:
        found += [(said, one) for said, one in lasting(table, clause) if said.me == figure.name]
    return found


def is_of_itself(clause: Phrase) -> bool:
    """Return whether a clause is only about the owner of the card or power."""
    return a_phrase(clause["who"]).name in ("you", "this-vermin")


@law("NO-GEN-5")
def is_forbidden(table: Table, side: str, deed: str) -> Ability | None:
    """Return the special rule of the scenario that forbids a side something, or None."""
    return table.plan.forbids.get((side, deed))


def ignores(table: Table, figure: Figure, terrain: str) -> bool:
    """Return whether a figure ignores hindering terrain, water or figures when it moves."""
    for _, clause in statics_for(table, "ignore", figure):
        named = a_phrase(clause["terrain"]).name
        if terrain in named:
            return True
    return False


# Attacks that a clause is about, and verbs

Verb = Callable[[Table, Said, Phrase], None]
VerbOfOne = TypeVar("VerbOfOne", bound=Callable[..., None])
VERBS: Final[dict[str, Callable[[Table, Said, Phrase, Sequence[Figure], str], None]]] = {}
"""By the name of a clause, the function that applies it to the figures it means."""
Useful = Callable[[Table, Said, Phrase, Figure | None], bool]
USEFUL: Final[dict[str, Useful]] = {}
"""By the name of a clause, whether it would change anything for a figure. Clauses not listed always might."""
CHOICES: Final = frozenset({"whom", "who", "figure"})
"""The slots in which a clause names figures."""
NOT_PICKED: Final = frozenset(
    {"attackers-draws", "areas-miss", "attack-back", "stinkbomb", "returns", "leaves-scenario"}
)
"""Clauses that do nothing to the figures they name, or to nobody on the map."""


def means(table: Table, said: Said, figure: Phrase, one: Figure) -> bool:
    if figure.name in ("it", "this-vermin", "that-hero", "that-vermin"):
        return one in candidates(table, said, figure)
    return fits(table, said, figure, one)


def in_scope(table: Table, said: Said, clause: Phrase, arm: Arm, at: Figure | None) -> bool:
    """Return whether a clause applies to this attack, by its Range, weapon and target."""
    of = scope_of(clause)
    by_arm = is_about(said.ability, of, arm)
    if by_arm is not None or at is None:
        return by_arm is not False
    if of.name == "on-figure":
        return means(table, said, a_phrase(of["figure"]), at)
    return fits(table, said, Phrase("a-vermin", of.parts), at)


def scope_of(clause: Phrase) -> Phrase:
    """Return the attacks that a clause is about."""
    of = dict(clause.parts).get("scope")
    if of is None:
        return Phrase("any")
    return a_phrase(a_phrase(of)["scope"]) if a_phrase(of).name == "scope" else a_phrase(of)


def is_about(ability: Ability, of: Phrase, arm: Arm) -> bool | None:
    """Return whether an attack is in scope, whatever its target; None if the target decides."""
    if of.name in ("any", "of-its-attacks"):
        return True
    if of.name == "with-this":
        return ability.card == arm.card
    if of.name == "unarmed":
        return arm.id == UNARMED
    if of.name == "range-1":
        return arm.range == 1
    if of.name == "range-at-least":
        return arm.range >= int(str(of["n"]))
    return None


def verb(*names: str) -> Callable[[Verb], Verb]:
    """Register a function for the clauses with these names, whichever figures they mean."""

    def mark(function: Verb) -> Verb:
        VERBS.update(dict.fromkeys(names, lambda table, said, clause, _figures, _until: function(table, said, clause)))
        return function

    return mark


def for_each(kind: Any, *names: str, stacked: bool = False) -> Callable[[VerbOfOne], VerbOfOne]:
    """Register a function that applies clauses with these names to one figure; `stacked` if it puts tasks on top."""

    def mark(function: VerbOfOne) -> VerbOfOne:
        def apply(table: Table, said: Said, clause: Phrase, figures: Sequence[Figure], _until: str) -> None:
            for one in reversed(figures) if stacked else list(figures):
                if isinstance(one, kind):
                    function(table, said, clause, one)

        VERBS.update(dict.fromkeys(names, apply))
        return function

    return mark


def pick_of(clause: Phrase) -> Phrase | None:
    """Return the figures that a clause means: a phrase for figures, `you`, or up to a number; None for nobody."""
    if clause.name in NOT_PICKED:
        return None
    for label, value in clause.parts:
        if label in CHOICES and isinstance(value, Phrase):
            return value["figure"] if value.name == "figure" and isinstance(value["figure"], Phrase) else value
    return None


def one_of(figure: Phrase) -> Phrase:
    """Return a phrase for any one of the figures of which several may be chosen."""
    return Phrase("a-vermin", tuple(part for part in figure.parts if part[0] != "n"))


def number(clause: Phrase) -> int:
    return int(str(clause["n"]))


def can_do(table: Table, said: Said, clause: Phrase, one: Figure | None = None) -> bool:
    """Return whether a clause would change anything, as far as is known beforehand; for `one` only, if given."""
    figure = pick_of(clause)
    if figure is not None and one is None:
        if figure.name not in ("you", "up-to"):
            return any(can_do(table, said, clause, each) for each in candidates(table, said, figure))
        if figure.name == "up-to":
            return any(can_do(table, said, clause, each) for each in candidates(table, said, one_of(figure)))
        one = find_figure(table, said.me)
    useful = USEFUL.get(clause.name)
    return useful is None or useful(table, said, clause, one)


def lasts(table: Table, said: Said, until: str) -> tuple[str, str, int, int]:
    """Return the record of an ability that applies for a time."""
    ability = said.ability
    return (until or "activation", said.me, ability.card, table.box.said_by(ability.card).index(ability))


def is_new(table: Table, said: Said, until: str) -> bool:
    """Return whether an ability does not yet apply for this time."""
    return lasts(table, said, until) not in table.lasting


@law("NO-AMB-106")
def is_of_weapon(said: Said, arm: Arm) -> bool:
    """Return whether an ability applies to this attack: that of a weapon applies only to attacks with it."""
    return not said.ability.weapon or said.ability.card == arm.card


def range_of(table: Table, by: Figure, arm: Arm) -> int:
    """Return the Range of an attack, including what cards add to it."""
    return arm.range if isinstance(by, Vermin) else arm.range + added(table, by, arm, "reach")


def added(table: Table, by: Figure, arm: Arm, name: str) -> int:
    """Return what the attacker's own cards add to an attack through clauses with this name."""
    found = statics_for(table, name, by)
    return sum(
        int(str(clause["n"]))
        for said, clause in found
        if is_of_weapon(said, arm) and in_scope(table, said, clause, arm, None)
    )
