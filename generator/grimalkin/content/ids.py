"""Ids for the rows of a table: written ids, and for all other rows ids made from their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from grimalkin.problems.plain import ID, LONGEST_ID, fault_of_name, folded, id_from


def ids_of_rows(written: Sequence[str], names: Sequence[str], elsewhere: Collection[str], prefix: str) -> list[str]:
    """Return the id of each row, given its written id and its name; "" stands for an empty cell.

    A written id is kept, or turned into a valid id. Otherwise the id comes from the name, with a number if others
    already have it, or from the number of the row if there is no usable name. The id of a name that occurs once does
    not depend on other rows. `elsewhere` are the folded ids of other tables: an id made here that is among them gets
    `prefix` in front.

    >>> ids_of_rows(["", "", "gull no. 2", "", ""], ["Guard", "Guard", "Gull", "Guard 2", "???"], (), "deck")
    ['guard', 'guard-3', 'gull-no-2', 'guard-2', 'card-5']
    """
    wishes = [_wish(*row) for row in zip(written, names, range(1, len(names) + 1), strict=True)]
    wishes = [
        f"{prefix}-{wish}"[:LONGEST_ID].strip("-") if not own and folded(wish) in elsewhere else wish
        for own, wish in zip(written, wishes, strict=True)
    ]
    wanted = Counter(map(folded, wishes))
    taken = {folded(wish) for own, wish in zip(written, wishes, strict=True) if own}
    made = list(wishes)
    tried: dict[str, int] = {}
    for at in sorted(range(len(wishes)), key=lambda at: not _is_plain(names[at])):
        if not written[at] and folded(made[at]) in taken:
            made[at] = _numbered(wishes[at], taken, wanted, tried)
        taken.add(folded(made[at]))
    return made


def _numbered(wish: str, taken: Collection[str], wanted: Collection[str], tried: dict[str, int]) -> str:
    """Return the desired id with the first free number; `tried` holds the numbers already used, by desired id."""
    base = wish[: LONGEST_ID - 6].rstrip("-")
    number = tried.get(base, 1) + 1
    while (made := folded(f"{base}-{number}")) in taken or made in wanted:
        number += 1
    tried[base] = number
    return f"{base}-{number}"


def _wish(written: str, name: str, number: int) -> str:
    wish = written if ID.fullmatch(written) and len(written) <= LONGEST_ID else id_from(written) or id_from(name)
    return wish if wish and not fault_of_name(wish) else f"card-{wish or number}"


def _is_plain(name: str) -> bool:
    """Return whether an id keeps all of a name, so that no other name has a better claim to it."""
    return id_from(name) == "-".join(name.casefold().split())
