"""The rulebook of a game in all its forms: drawn when it is first needed, or taken over from the last build."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from grimalkin.content import Game
from grimalkin.content.quick_reference import glances_of
from grimalkin.content.stocks import Paper
from grimalkin.engine.replay import Trace
from grimalkin.output.printout import Rulebook
from grimalkin.printing.face import Composer, Face
from grimalkin.printing.face.templating.reads import Reads
from grimalkin.source import game_digest
from grimalkin.source.reuse import Reuse, files_of, key_of

if TYPE_CHECKING:
    from grimalkin.printing.book.make import Kind


class Noting(Mapping[str, Face]):
    """Faces by id, with a note of every face that a book asks for."""

    def __init__(self, faces: Mapping[str, Face]) -> None:
        self.faces = faces
        self.asked: set[str] = set()

    def __getitem__(self, id_: str) -> Face:
        self.asked.add(id_)
        return self.faces[id_]

    def __contains__(self, id_: object) -> bool:
        self.asked.add(str(id_))
        return id_ in self.faces

    def __iter__(self) -> Iterator[str]:
        self.asked.update(self.faces)
        return iter(self.faces)

    def __len__(self) -> int:
        return len(self.faces)


class Rulebooks:
    """The rulebook of a game in its forms. Its layout and what it shows are the same until what it reads changes.

    `faces` are those in full ink, `addresses` are the pages of rules on the site, and `looks` is a digest of what
    pictures are made from.
    """

    def __init__(
        self,
        game: Game,
        traces: Mapping[str, Trace],
        composer: Composer,
        faces: Mapping[str, Face],
        addresses: Mapping[str, str],
        looks: str,
        reuse: Reuse,
    ) -> None:
        self.game, self.traces, self.composer = game, traces, composer
        self.addresses, self.reuse = addresses, reuse
        self.noting = Noting(faces)
        self.reads = Reads()
        """Everything read for any form so far: what one has read, another need not read again."""
        self.drawn: Rulebook | None = None
        self.pages: Mapping[str, int] = {}
        """The page number of every rule and ruling, once any form has been made."""
        self.base = key_of(looks, base_of(game, traces, addresses))

    def screen(self, composer: Composer, faces: Mapping[str, Face], place: str, site: str) -> bytes:
        """Return the book for screens, with links to the site; `place` is its path in the output folder."""
        (book,) = self.files(composer, faces, {}, ["screen"], lambda _: place, site).values()
        return book

    def files(
        self,
        composer: Composer,
        faces: Mapping[str, Face],
        papers: Mapping[str, Paper],
        kinds: Sequence[Kind],
        place: Callable[[str], str],
        site: str = "",
    ) -> dict[str, bytes]:
        """Return the book in a composer's inks, in these forms, by name.

        `site` is the address of the game's folder, and `place` the path of a file in the output folder.
        """
        sizes = [[name, paper.model_dump(mode="json")] for name, paper in papers.items()]
        key = key_of("book", self.base, composer.inks, sizes, kinds, site)
        standing = composer.standing(self.reuse)
        made = standing.find(key)
        if made is not None and made["faces"] == _looks(made["faces"], faces):
            found = self.reuse.read(made["files"])
            if found is not None:
                self.pages = made["pages"]
                return {name: found[place(name)] for name in made["names"]}
        noting = self.noting if composer is self.composer else Noting(faces)
        with composer.reads.noted() as reads:
            if self.drawn is None:
                with self.composer.reads.noted() as layout:
                    self.drawn = Rulebook(self.game, self.traces, self.composer, self.noting, self.addresses)
                self.reads.add(layout)
                self.pages = self.drawn.pages
            files = self.drawn.files(composer, noting, papers, kinds, site)
        self.reads.add(reads)
        seen = _looks(noting.asked | self.noting.asked, faces)
        hashes = files_of({place(name): data for name, data in files.items()})
        made = {"faces": seen, "files": hashes, "names": list(files), "pages": self.pages}
        standing.note(key, self.reads, made)
        return files


def _looks(asked: set[str] | Mapping[str, Any], faces: Mapping[str, Face]) -> dict[str, str]:
    """Return the digests of these faces; "" for one that does not exist."""
    return {id_: faces[id_].digest.hex() if id_ in faces else "" for id_ in sorted(asked)}


def base_of(game: Game, traces: Mapping[str, Trace], addresses: Mapping[str, str]) -> str:
    """Return a digest of everything that a rulebook is made from, apart from what it reads of the components.

    It names components; only the quick reference takes more of them, and pictures of maps, from the facts that the
    engine knows.
    """
    rows = [(deck, row) for deck, some in game.components.items() for row in some]
    named = [(deck, row.id, row.name) for deck, row in rows]
    tables = {game.places[row.id][0].path for _, row in rows if row.id in game.places}
    replayed = {id_: (repr(replace(one, fired=frozenset())), one.fired) for id_, one in traces.items()}
    facts = game.facts if game.maps else {}
    files = game_digest(game.folder, without=tables)
    glances = repr(glances_of(game, "cards"))
    return key_of(files, game.info.model_dump_json(), named, replayed, addresses, facts, glances)
