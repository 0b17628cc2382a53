"""Read and check albums.yaml: pages of squares on maps, each drawn by the engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import Field

from grimalkin.content.folder import Folder
from grimalkin.content.game import Game
from grimalkin.content.tables.rows import Tables
from grimalkin.content.values import Id, Line, Model, SmallFileId, Text, Title

if TYPE_CHECKING:
    from grimalkin.engine.contract import Facts, GameModule
    from grimalkin.engine.shape import Misfit

NAME = "albums"
HERE = "here"
"""The word for the square that a picture is about."""


def _as_wishes(schema: dict[str, Any]) -> None:
    """Replace the schema of a picture with that of wishes, without the map, which the squares name."""
    from grimalkin.engine.pictures import ON_A_MAP
    from grimalkin.engine.shape import Record

    schema.clear()
    schema.update(Record({}, ON_A_MAP.optional, "What to draw; `here` is the square.").schema())


class AlbumPicture(Model):
    """A square of a map that an album shows."""

    map: Id = Field(description="The map.")
    square: Line = Field(description="The square, as in c3.")
    text: Text | None = Field(None, description="What is worth seeing there; without it, the page shows numbers.")


class Album(Model):
    """A page of maps on which the engine draws the same thing for one square after another."""

    id: SmallFileId = Field(description="Small letters, digits and hyphens; the address of its page.")
    title: Title
    text: Text = Field(description="What the page shows. It explains its own symbols.")
    picture: dict[str, Any] = Field(
        min_length=1,
        description="What to draw; `here` is the square: {sight: here}.",
        json_schema_extra=_as_wishes,
    )
    squares: tuple[AlbumPicture, ...] = Field(min_length=1, description="The squares, in order.")


class AlbumsFile(Model):
    """albums.yaml"""

    albums: tuple[Album, ...] = Field(min_length=1, description="The albums.")


FILES = {"albums.yaml": AlbumsFile}


def read(folder: Folder, _tables: Tables) -> tuple[Album, ...]:
    """Return the albums of a game."""
    return folder.listed("albums.yaml", AlbumsFile, "albums")


def albums_of(game: Game) -> tuple[Album, ...]:
    """Return the albums of a game that was read."""
    found: tuple[Album, ...] = game.parts.get(NAME, ())
    return found


def check(folder: Folder, game: Game) -> None:
    """Report squares and wishes that the engine does not know, once everything else is right."""
    if not folder.problems:
        for index, album in enumerate(albums_of(game)):
            for misfit in album_misfits(album, game.module, game.facts):
                at = ("albums", index, *misfit.at)
                folder.tell(folder.sources["albums.yaml"], at, misfit.message, misfit.hint)


def album_misfits(album: Album, game: GameModule | None, facts: Facts) -> Iterator[Misfit]:
    """Yield everything in an album that does not fit."""
    from grimalkin.content.scripts import NO_MAPS
    from grimalkin.engine.pictures import ON_A_MAP, find_picture
    from grimalkin.engine.shape import Misfit, Misfits

    picture = find_picture(game) if game else None
    if picture is None:
        yield Misfit((), NO_MAPS, "an album needs an engine that can draw it")
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
