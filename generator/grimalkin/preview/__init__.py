"""A game's folder in, a local page out that shows all its faces at true size and renews itself when a file is saved.

Nouns: a *box* is a text box as it was asked for and as it came out; a *Show* is everything the page needs to know, for
one kind of inks; a *Preview* keeps the last good Shows and makes new ones; the *server* gives them to a browser on this
machine, and to no other.
"""

from grimalkin.preview.server import Server, serve
from grimalkin.preview.show import Preview, Show

__all__ = ["Preview", "Server", "Show", "serve"]
