"""Sort the credits of a game by role."""

from __future__ import annotations

from collections.abc import Iterable

from grimalkin.content.models import Credit
from grimalkin.problems.plain import listed


def credited(credits: Iterable[Credit]) -> list[tuple[str, str]]:
    """Return each role with everybody credited for it, in order of first appearance.

    >>> two = Credit(role="Design", name="Ada"), Credit(role="Art", name="Basil")
    >>> credited([*two, Credit(role="Design", name="Cleo")])
    [('Design', 'Ada and Cleo'), ('Art', 'Basil')]
    """
    names: dict[str, list[str]] = {}
    for credit in credits:
        names.setdefault(credit.role, []).append(credit.name)
    return [(role, listed(who)) for role, who in names.items()]
