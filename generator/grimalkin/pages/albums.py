"""Build the page of an album: a plan for each of its squares, marked with the engine's current answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grimalkin.content import Game
from grimalkin.content.inquiries import Album, AlbumPicture
from grimalkin.content.pictured import wishes_on
from grimalkin.engine.pictures import find_picture
from grimalkin.pages.links import Words, gathered
from grimalkin.pages.plans import Plan, Plans


@dataclass(frozen=True)
class AlbumView:
    """An album ready for its page."""

    album: Album
    maps: tuple[tuple[str, str, tuple[tuple[AlbumPicture, Plan], ...]], ...]
    """The id and name of each map, with its squares and their plans."""
    key: tuple[tuple[str, str], ...]
    """The symbols drawn in squares, and their meanings."""


def ready_albums(game: Game) -> tuple[Album, ...]:
    """Return the albums that can be shown: all if the engine draws maps, otherwise none."""
    return game.albums if game.module and find_picture(game.module) else ()


def album_views(game: Game, words: Words) -> Iterator[AlbumView]:
    plans = Plans(game, words)
    for album in ready_albums(game):
        drawn = [
            (one, plans.on_map(wishes_on(album, index), is_told=not one.text))
            for index, one in enumerate(album.squares)
        ]
        by_map = gathered((one.map, (one, plan)) for one, plan in drawn if plan)
        maps = tuple((name, game.maps[name].name, tuple(pictures)) for name, pictures in by_map.items())
        keys = dict.fromkeys(sign for _, plan in drawn if plan for sign in plan.key)
        yield AlbumView(album, maps, tuple(keys))


def album_page(album: str) -> str:
    return f"albums/{album}.md"
