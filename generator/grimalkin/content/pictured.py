"""Check what examples and albums want in their pictures, and report anything named there that does not exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from grimalkin.content.inquiries import Album
from grimalkin.engine.contract import Facts, GameModule
from grimalkin.engine.pictures import ON_A_MAP, WISHES, find_picture, split
from grimalkin.engine.replay import Trace
from grimalkin.engine.shape import Misfit, Misfits

HERE = "here"
"""The word for the square that an album's picture is about."""
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


def album_misfits(album: Album, game: GameModule | None, facts: Facts) -> Iterator[Misfit]:
    """Yield the misfits in an album."""
    picture = find_picture(game) if game else None
    if picture is None:
        yield Misfit((), NO_MAPS, "an album needs an engine that draws them")
        return
    for index, one in enumerate(album.squares):
        read, misfits = ON_A_MAP.read(wishes_on(album, index))
        if misfits:
            yield from (replace(misfit, at=("picture", *misfit.at)) for misfit in misfits)
            return
        there = {"map": one.map, "around": [one.square]}
        for asked, at in ((there, ("squares", index)), (read, ("picture",))):
            try:
                picture(facts, None, asked)
            except Misfits as error:
                for misfit in error.misfits:
                    if asked is there:
                        misfit = replace(misfit, at=("map" if misfit.at[0] == "map" else "square",))
                    yield replace(misfit, at=(*at, *misfit.at))
                return


def wishes_on(album: Album, index: int) -> dict[str, Any]:
    """Return the wishes for one square of an album, as they would be written for it alone."""
    one = album.squares[index]
    return {"map": one.map, **_put(album.picture, one.square)}


def _put(value: Any, square: str) -> Any:
    """Return a wish with the square in place of HERE."""
    if isinstance(value, dict):
        return {key: _put(inner, square) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_put(inner, square) for inner in value]
    return square if value == HERE else value
