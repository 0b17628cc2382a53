"""The names of vermin, and their order: by marker, then by number; face-down ones last."""

from __future__ import annotations

from grimalkin.engine.law import law
from grimalkin.games.cats_of_new_orleans.box import Box
from grimalkin.games.cats_of_new_orleans.table import Table, Vermin

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
