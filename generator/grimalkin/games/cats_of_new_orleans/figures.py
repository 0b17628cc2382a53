"""The figures on the map: the squares they cover, who is beside whom, who sees whom; and the names of vermin.

Vermin are in the order of their markers, then of their numbers; face-down ones are last.
"""

from __future__ import annotations

from collections.abc import Iterator

from grimalkin.engine.kinds import members
from grimalkin.engine.law import law
from grimalkin.games.cats_of_new_orleans.box import Box, Foe
from grimalkin.games.cats_of_new_orleans.maps import FROM_AFAR, POINT_BLANK, Board, Ways
from grimalkin.games.cats_of_new_orleans.numbers import INTERLUDE
from grimalkin.games.cats_of_new_orleans.phrases.abilities import EMPTY, Kit
from grimalkin.games.cats_of_new_orleans.sight import between, hindered, hindered_past, sees
from grimalkin.games.cats_of_new_orleans.table import Hero, Table, Vermin

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


UNKNOWN = "unknown"


def spoken(table: Table, name: str) -> str:
    """Return what sentences call a figure: Patch, Mosquito 2, Unknown 1."""
    box = table.box
    number = box.numbers.get(name)
    if number is not None and number in box.hero_numbers:
        return box.names[number]
    words: dict[str, str] = box.once("words", lambda: {one.word: box.names[one.number] for one in box.markers})
    if name in words:
        return words[name]
    word, _, number_of_it = name.rpartition("-")
    return f"{words.get(word, word.capitalize())} {number_of_it}" if word else name.capitalize()


def rank(box: Box, vermin: Vermin) -> tuple[int, int]:
    """Return the sort key of a vermin."""
    word, _, number = vermin.name.rpartition("-")
    if not vermin.up:
        return len(box.ids), int(number)
    return vermin.marker, int(number) if number.isdigit() and word else 0


@law("NO-HIDE-1", "NO-HIDE-6")
def christen(table: Table, vermin: Vermin) -> None:
    """Name a vermin: after its marker or, face down, "unknown", with the smallest free number."""
    box = table.box
    taken = {other.name for other in table.vermin if other is not vermin}
    if vermin.up:
        marker = box.marker(vermin.marker)
        if marker.count == 1:
            vermin.name = marker.word
            return
        word = marker.word
    else:
        word = UNKNOWN
    number = 1
    while f"{word}-{number}" in taken:
        number += 1
    vermin.name = f"{word}-{number}"


def insert(table: Table, vermin: Vermin) -> None:
    """Name a vermin that appears or is turned over, and sort it among the others."""
    was = vermin.name
    christen(table, vermin)
    if was and was != vermin.name:
        if table.active == was:
            table.active = vermin.name
        table.fights = [
            fight._replace(
                by=vermin.name if fight.by == was else fight.by, at=vermin.name if fight.at == was else fight.at
            )
            for fight in table.fights
        ]
    if vermin not in table.vermin:
        table.vermin.append(vermin)
    table.vermin.sort(key=lambda one: rank(table.box, one))


def every_name(box: Box) -> list[str]:
    """Return every name that vermin can have, in order."""
    names = []
    for marker in box.markers:
        names += [marker.word] if marker.count == 1 else [f"{marker.word}-{n + 1}" for n in range(marker.count)]
    return names + every_unknown(box)


def every_unknown(box: Box) -> list[str]:
    return [f"{UNKNOWN}-{n + 1}" for n in range(sum(marker.count for marker in box.markers))]
