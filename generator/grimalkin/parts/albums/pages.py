"""Build the page of an album: a plan for each of its squares, marked with the engine's current answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grimalkin.content import Game
from grimalkin.engine.pictures import find_picture
from grimalkin.parts.albums.content import Album, AlbumPicture, albums_of, wishes_on
from grimalkin.site.pages.kinds import Menu, listing
from grimalkin.site.pages.links import Words, gathered
from grimalkin.site.pages.plans import Plan, Plans
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.write import Writer

KIND = "albums"
MENU_BEFORE = "odds"
OVERVIEW_BEFORE = "examples"


def begins(shown: Shown) -> str:
    """Return the page of the first album that can be shown."""
    return next((album_page(one.id) for one in ready_albums(shown.game)), "")


def menu(shown: Shown, words: Words) -> Menu:
    """Return the pages of all albums."""
    return listing(words[KIND], [(one.title, album_page(one.id)) for one in ready_albums(shown.game)])


def write(writer: Writer) -> None:
    """Write a page for each album, asking the engine about its squares."""
    for view in album_views(writer.game, writer.words):
        writer.page(album_page(view.album.id), "album", view.album.title, view=view)


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
    return albums_of(game) if game.module and find_picture(game.module) else ()


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
