"""Show all faces of a game at true size on a local page, updated whenever a file is saved.

Nouns: a *box* is a text box with its desired and its actual size; a *Show* is everything the page needs for one kind of
inks; a *Preview* keeps the last good Shows and makes new ones; the *server* offers them only to browsers on this
machine.
"""

from grimalkin.site.preview.server import Server, serve
from grimalkin.site.preview.show import Preview, Show

__all__ = ["Preview", "Server", "Show", "serve"]
