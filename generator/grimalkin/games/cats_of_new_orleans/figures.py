"""The figures: the squares they cover, who is beside whom, who sees whom; and those that a sentence means.

A sentence means figures by who, where and what they are, and asks for conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from grimalkin.engine.kinds import members
from grimalkin.engine.law import law
from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans.box import Foe
from grimalkin.games.cats_of_new_orleans.maps import FROM_AFAR, POINT_BLANK, Board, Ways
from grimalkin.games.cats_of_new_orleans.numbers import INTERLUDE, NOTHING
from grimalkin.games.cats_of_new_orleans.phrases.abilities import EMPTY, Ability, Kit, a_phrase
from grimalkin.games.cats_of_new_orleans.sight import between, hindered, hindered_past, sees
from grimalkin.games.cats_of_new_orleans.table import Hero, Table, Vermin, View

Figure = Hero | Vermin


def board_of(table: Table) -> Board:
    return table.plan.board


def ways_of(table: Table) -> Ways:
    """Return what walls and doors allow, with the doors as they are."""
    return table.plan.board.ways(table.doors)


def hero_of(table: Table, name: str) -> Hero:
    """Return a hero by its name. Raises KeyError if there is none."""
    for hero in table.heroes:
        if hero.name == name:
            return hero
    raise KeyError(name)


def find_vermin(table: Table, name: str) -> Vermin | None:
    for vermin in table.vermin:
        if vermin.name == name:
            return vermin
    return None


def find_figure(table: Table, name: str) -> Figure | None:
    """Return the hero or vermin of this name, or None."""
    for hero in table.heroes:
        if hero.name == name:
            return hero
    return find_vermin(table, name)


@law("NO-AMB-140")
def here(table: Table) -> list[Hero]:
    """Return the heroes on the map; in an interlude, all heroes."""
    if table.phase == INTERLUDE:
        return list(table.heroes)
    return [hero for hero in table.heroes if hero.at >= 0]


def is_here(table: Table, hero: Hero) -> bool:
    """Return whether anything can happen to a hero: it is on the map, or this is an interlude."""
    return hero.at >= 0 or table.phase == INTERLUDE


def foe_of(table: Table, vermin: Vermin) -> Foe:
    """Return the foe card of a vermin, even a hidden one."""
    return table.box.foes[vermin.marker]


def kits_of(table: Table, vermin: Vermin) -> tuple[Kit, ...]:
    """Return the kits of a vermin, its own and that of its aspect; none while it is face down."""
    if not vermin.up:
        return ()
    kit = table.box.foes[vermin.marker].kit
    if vermin.aspect >= 0:
        return (kit, table.box.foe(vermin.aspect).kit)
    return (kit,) if kit is not EMPTY else ()


@law("NO-AMB-54", "NO-HIDE-3")
def has_power(table: Table, vermin: Vermin, power: str) -> bool:
    """Return whether a revealed vermin has a power, its own or that of its aspect."""
    if not vermin.up:
        return False
    foe = foe_of(table, vermin)
    return power in foe.powers or (vermin.aspect >= 0 and power in table.box.foe(vermin.aspect).powers)


def is_boss(table: Table, vermin: Vermin) -> bool:
    return vermin.up and foe_of(table, vermin).has("boss")


@law("NO-LARGE-1")
def covers(table: Table, vermin: Vermin) -> int:
    """Return the squares under a vermin: one, or four for a large one."""
    if vermin.up and table.box.foes[vermin.marker].large:
        return table.plan.board.footprint(vermin.at)
    return 1 << vermin.at


def covered(table: Table, figure: Figure) -> int:
    """Return the squares under a figure; none off the map."""
    if isinstance(figure, Hero):
        return 1 << figure.at if figure.at >= 0 else 0
    return covers(table, figure)


def occupied(table: Table, but: Figure | None = None) -> int:
    """Return all squares with a figure."""
    mask, foes = 0, table.box.foes
    for hero in table.heroes:
        if hero.at >= 0 and hero is not but:
            mask |= 1 << hero.at
    for vermin in table.vermin:
        if vermin is not but:
            large = vermin.up and foes[vermin.marker].large
            mask |= table.plan.board.footprint(vermin.at) if large else 1 << vermin.at
    return mask


def shares(table: Table, vermin: Vermin) -> bool:
    """Return whether a vermin may share its square (NO-VERM-9, NO-PWR-21)."""
    return vermin.up and table.box.foes[vermin.marker].shares


@law("NO-MOVE-6", "NO-AMB-20")
def barred_for_heroes(table: Table, hero: Hero | None) -> int:
    """Return the squares that a hero may not enter: all with a figure, except those with only Swarming vermin."""
    mask = 0
    for other in table.heroes:
        if other.at >= 0 and other is not hero:
            mask |= 1 << other.at
    for vermin in table.vermin:
        if not shares(table, vermin):
            mask |= covers(table, vermin)
    return mask


@law("NO-GEN-2", "NO-AMB-82")
def adjacent_to(table: Table, squares: int) -> int:
    """Return the squares orthogonally next to some, with no wall or closed door between."""
    ways, mask = ways_of(table), 0
    for square in members(squares):
        mask |= ways.adjacent[square]
    return mask & ~squares


@law("NO-GEN-3", "NO-AMB-82")
def surrounding(table: Table, squares: int) -> int:
    """Return the squares around some, diagonals included, with no wall between."""
    ways, mask = ways_of(table), 0
    for square in members(squares):
        mask |= ways.surrounding[square]
    return mask & ~squares


def are_adjacent(table: Table, one: Figure, other: Figure) -> bool:
    mine, theirs = covered(table, one), covered(table, other)
    return bool(mine and theirs and adjacent_to(table, mine) & theirs)


@law("NO-AMB-67")
def are_beside(table: Table, one: Figure, other: Figure) -> bool:
    """Return whether two figures are adjacent or on the same square."""
    mine, theirs = covered(table, one), covered(table, other)
    return bool(mine and theirs and (mine & theirs or adjacent_to(table, mine) & theirs))


@law("NO-AMB-87", "NO-LOS-1")
def sight_of(table: Table, figure: Figure) -> int:
    """Return the squares that a figure sees from any of its squares."""
    ways, mask = ways_of(table), 0
    for square in members(covered(table, figure)):
        mask |= sees(ways, square)
    return mask


def sees_figure(table: Table, one: Figure, other: Figure) -> bool:
    return bool(sight_of(table, one) & covered(table, other))


def seen_by_heroes(table: Table) -> int:
    """Return the squares that any hero on the map sees."""
    ways, mask = ways_of(table), 0
    for hero in table.heroes:
        if hero.at >= 0:
            mask |= sees(ways, hero.at)
    return mask


@law("NO-AMB-107")
def distance(table: Table, one: Figure, other: Figure) -> int:
    """Return the distance in squares, counted orthogonally and through walls, between the nearest squares
    (NO-AMB-10)."""
    board = board_of(table)
    return min(board.distance(a, b) for a in members(covered(table, one)) for b in members(covered(table, other)))


@law("NO-AMB-48", "NO-RNG-5", "NO-AMB-128")
def in_range(board: Board, squares: int, range_: int) -> int:
    """Return the squares that an attack of this Range covers, counted from the nearest of some squares."""
    if not squares & squares - 1:
        return board.in_range(squares.bit_length() - 1, range_)
    near = far = 0
    for square in members(squares):
        far |= board.within(square, range_)
        near |= board.within(square, POINT_BLANK)
    return far & ~near if range_ >= FROM_AFAR else far


@law("NO-RNG-1", "NO-LOS-1", "NO-AMB-87")
def lines(table: Table, by: Figure, at: Figure, range_: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of squares, of an attacker and of a target in Range, that see each other."""
    board, ways = board_of(table), ways_of(table)
    mine, theirs = covered(table, by), covered(table, at)
    # One of the two is a hero with one square, so Range works the same in both directions.
    covers_it = (
        in_range(board, mine, range_) & theirs if isinstance(at, Hero) else in_range(board, theirs, range_) & mine
    )
    if covers_it:
        for square in members(mine):
            for target in members(sees(ways, square) & theirs):
                yield square, target


@law("NO-DRM-1", "NO-DRM-7", "NO-DRM-10", "NO-LOS-4", "NO-TERR-3", "NO-AMB-43", "NO-AMB-89")
def is_hindered(table: Table, by: Figure, at: Figure, square: int, target: int) -> bool:
    """Return whether terrain or a figure hinders an attack from one square to the other."""
    ways, own = ways_of(table), covered(table, by)
    if hindered_past(ways, own, square, target) if own & own - 1 else hindered(ways, square, target):
        return True
    way = between(board_of(table), square, target)
    if not way:
        return False
    mask = occupied(table) & ~covered(table, by) & ~covered(table, at)
    return bool(way & mask)


@law("NO-AMB-87")
def best_line(table: Table, by: Figure, at: Figure, range_: int) -> tuple[int, int, bool] | None:
    """Return the attacker's best line: its two squares, and whether it is hindered; None if there is none."""
    best = None
    for square, target in lines(table, by, at, range_):
        hinders = is_hindered(table, by, at, square, target)
        if not hinders:
            return square, target, False
        best = best or (square, target, True)
    return best


def closest_free(table: Table, square: int, large: bool = False) -> list[int]:
    """Return the empty squares closest to one: itself, or those in the fewest steps (NO-AMB-147)."""
    ways, board = ways_of(table), board_of(table)
    taken = occupied(table)
    places = ways.large_places if large else board.standable
    for ring in ways.flood(1 << square, board.standable):
        free = [at for at in members(ring & places) if not (taken & (board.footprint(at) if large else 1 << at))]
        if free:
            return free
    return []


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
    if name == "attacker":
        found = find_figure(table, said.other)
        return [found] if found is not None else []
    if name == "this-vermin":
        found = find_figure(table, said.me)
        return [found] if found is not None else []
    if name in ("stinkbomb", "each-stinkbomb"):  # tokens are not figures
        return []
    found_all = [one for one in figures_on_map(table) if fits(table, said, figure, one)]
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
"""Phrases that mean one figure, whichever is chosen; of the nearest, one of those equally near."""

WHICH: Final[dict[str, Callable[[Figure], bool]]] = {
    "any": lambda one: True,
    "stunned": lambda one: one.stunned,
    "unstunned": lambda one: not one.stunned,
    "wounded": lambda one: isinstance(one, Vermin) and one.wounds > 0,
    "vulnerable": lambda one: one.vulnerable,
    "unrevealed": lambda one: isinstance(one, Vermin) and not one.up,
    "revealed": lambda one: isinstance(one, Vermin) and one.up,
}


@law("NO-AMB-120")
def stands(table: Table, said: Said, where: Phrase, one: Figure) -> bool:
    """Return whether a figure is where a phrase says, from the point of view of the ability's owner."""
    name = where.name
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
    if name == "adjacent-to":
        near = adjacent_to(table, covered(table, one))
        return any(near & covered(table, other) for other in candidates(table, said, a_phrase(where["figure"])))
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
        return are_beside(table, me, one)
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


def _any_of(table: Table, said: Said, figure: Phrase) -> list[Figure]:
    return candidates(table, said, figure)


def _figure_is(table: Table, said: Said, condition: Phrase) -> bool:
    state = a_phrase(condition["state"]).name
    figure = a_phrase(condition["figure"])
    if state == "eliminated" and find_figure(table, said.that) is None:
        return figure.name in ("it", "that-vermin", "target")
    return any(_is(table, one, state) for one in candidates(table, said, figure))


def _figure_stands(table: Table, said: Said, condition: Phrase) -> bool:
    figure, where = a_phrase(condition["figure"]), a_phrase(condition["where"])
    return any(stands(table, said, where, one) for one in candidates(table, said, figure))


def _count(table: Table, said: Said, where: Phrase, kind: type[Hero] | type[Vermin], others: bool = False) -> int:
    return sum(
        isinstance(one, kind) and not (others and one.name == said.me) and stands(table, said, where, one)
        for one in figures_on_map(table)
    )


def _vermin_seen(table: Table, said: Said) -> bool:
    return any(sight_of(table, _me(table, said)) & covers(table, one) for one in table.vermin)


CONDITIONS: Final[dict[str, Match]] = {
    "you-are": lambda t, s, c: _is(t, _me(t, s), a_phrase(c["state"]).name),
    "figure-is": _figure_is,
    "you-stand": lambda t, s, c: stands(t, s, a_phrase(c["where"]), _me(t, s)),
    "figure-stands": _figure_stands,
    "no-hero": lambda t, s, c: not _count(t, s, a_phrase(c["where"]), Hero),
    "no-other-hero": lambda t, s, c: not _count(t, s, a_phrase(c["where"]), Hero, others=True),
    "no-vermin": lambda t, s, c: not _count(t, s, a_phrase(c["where"]), Vermin),
    "seen-by-none": lambda t, s, c: (
        not any(seen_by_heroes(t) & covered(t, one) for one in candidates(t, s, a_phrase(c["figure"])))
    ),
    "you-see-none": lambda t, s, c: not _vermin_seen(t, s),
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


def bucks_of(table: Table, hero: Hero) -> int:
    """Return a hero's bucks, loose and on cards (NO-AMB-72)."""
    return hero.bucks + sum(int(table.box.piece(card).get("bucks") or 0) for card in hero.loot)


@law("NO-AMB-140")
def purse_of(table: Table, hero: Hero) -> int:
    """Return the bucks that a hero can spend: its own, or on board those of all heroes."""
    heroes = table.heroes if table.phase == INTERLUDE else [hero]
    return sum(bucks_of(table, one) for one in heroes)


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
"""By the name of a phrase, the test whether it means a card of the poker deck."""


def is_card(table: Table | View, said: Phrase, card: int) -> bool:
    """Return whether a drawn card is what a text asks for: a card, or a result."""
    if said.name == "card":
        return is_card(table, a_phrase(said["card"]), card)
    return CARDS[said.name](table.box, card, said)
