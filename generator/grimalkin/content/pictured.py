"""Check the wishes of examples for their pictures, and report whatever they name that does not exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from grimalkin.engine.contract import Facts, GameModule
from grimalkin.engine.pictures import WISHES, find_picture, split
from grimalkin.engine.replay import Trace
from grimalkin.engine.shape import Misfit, Misfits

NO_MAPS = "the engine of this game draws no pictures of maps"


def picture_misfits(
    wishes: Mapping[str, Any], game: GameModule, facts: Facts, given: Mapping[str, Any] | None
) -> list[Misfit]:
    """Return the misfits in an example's wishes that its first position reveals."""
    picture = find_picture(game)
    if picture is None:
        return [Misfit((), NO_MAPS, "leave it out")]
    read, misfits = WISHES.read(wishes)
    if misfits or given is None:
        return misfits
    try:
        if picture(facts, given, split(read)[0]) is None:
            return [Misfit((), "nobody is on the map, so there is no picture")]
    except Misfits as error:
        return list(error.misfits)
    return []


def pictured_misfits(wishes: Mapping[str, Any], game: GameModule, facts: Facts, trace: Trace) -> Iterator[Misfit]:
    """Yield the misfits in the wishes of an example that was replayed."""
    picture = find_picture(game)
    read, misfits = WISHES.read(wishes)
    if picture is None or misfits:
        return
    for position, part, at in zip((trace.before, trace.after), split(read), ((), ("after",)), strict=True):
        try:
            if part and position:
                picture(facts, position, part)
        except Misfits as error:
            yield from (replace(misfit, at=(*at, *misfit.at)) for misfit in error.misfits)
