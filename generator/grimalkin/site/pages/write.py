"""Write all pages of a game: a pure function from the results of earlier steps to paths and contents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grimalkin.content.rules import Playthrough, Rule, Ruling, Section
from grimalkin.printing.face import Face, standalone_svg
from grimalkin.printing.face.svg.colours import NIGHT, PAPER, readable
from grimalkin.problems.plain import listed
from grimalkin.site.pages.addresses import address_pages
from grimalkin.site.pages.citations import COUNTING
from grimalkin.site.pages.downloads import Downloads
from grimalkin.site.pages.examples import MOST_PIECES, ExampleView, Look, Seat, Viewer
from grimalkin.site.pages.front import banner, doors, pictures
from grimalkin.site.pages.gallery import asks, galleries, gallery_page
from grimalkin.site.pages.kinds import brought_kinds, placed
from grimalkin.site.pages.laws import (
    LawView,
    example_jumps,
    groups,
    in_short,
    law_view,
    origin,
    ruling_jumps,
    scoring_laws,
    with_rulings_once,
)
from grimalkin.site.pages.links import Map, Reader, Words, deck_page, face_file, gathered, section_page
from grimalkin.site.pages.markup import description
from grimalkin.site.pages.navigation import (
    PRINT,
    begins,
    is_long,
    is_scored,
    rulings_pages,
    seat_pages,
    titled_parts,
)
from grimalkin.site.pages.pagination import lists_of, rulings_of
from grimalkin.site.pages.pieces import Pieces, common, named_in, parted, samples
from grimalkin.site.pages.plan_drawing import shared as shared_by_plans
from grimalkin.site.pages.scripts import (
    cards_file,
    cards_script,
    position_files,
    previews_file,
    previews_script,
    said_in_galleries,
    script_of,
)
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.sign import Sign, sign_of
from grimalkin.site.pages.style_sheets import style_sheet
from grimalkin.site.pages.tables import Tables
from grimalkin.site.pages.templates import environment, load_words, page_text
from grimalkin.source.reuse import files_of, key_of

WAYS = (
    "rules", "playthroughs", "rulings", "scoring",
    "components", "gallery", "examples", "terms", "errata", "downloads", "credits",
)  # fmt: skip
"""Kinds of pages linked from the overview, in the order in which readers ask."""
STYLES = "styles.css"
MOST_PICTURED = 200
"""The most rules of which a list has a picture for each section; a longer list is heavy enough."""


def pages(shown: Shown) -> dict[str, str | bytes | Path]:
    """Return every page, picture and download of one game, by its path in the docs folder."""
    return Writer(shown).write()


def law_pages(shown: Shown) -> dict[str, str]:
    """Return the address of every rule and ruling, relative to the game's folder on the site."""
    to = Map(shown, load_words())
    return {id_: f"{to.pages[id_].removesuffix('.md')}.html#{id_}" for id_ in to.shown.game.laws}


def home(games: Sequence[Shown], sign: Sign | None = None) -> dict[str, str | bytes]:
    """Write the home page, which shows every game with pictures. A game with a site of its own has it to itself."""
    words = load_words()
    sign = sign or sign_of(games, words)
    told = words["home-description"].format(games=listed([shown.game.info.title for shown in games]))
    facts = {
        "ruled": any(shown.game.sections for shown in games),
        "checked": any(trace.ok for shown in games for trace in shown.traces.values()),
    }
    if sign.credit and len(games) == 1:
        return {"index.md": _front(games[0], words, told, facts)}
    cards = []
    for shown in games:
        cards.append({"info": shown.game.info, "path": f"{shown.game.name}/", "banner": banner(shown)})
    body = (
        environment()
        .get_template("home.md.j2")
        .render(games=cards, title=sign.words.get("site", ""), about=sign.written is None, **facts)
    )
    return {"index.md": page_text({"title": words["home"], "kind": "home", "description": told}, body)}


def _front(shown: Shown, words: Words, told: str, facts: Mapping[str, bool]) -> str:
    """Write the home page of a game with a site of its own: its cover, and the questions that its pages answer."""
    game, folder, brought = shown.game, f"{shown.game.name}/", brought_kinds()
    begun = begins(shown, words)
    open_doors = doors(shown, begun)
    behind = {door.kind for door in open_doors}
    ways: list[tuple[str, str, str]] = []
    for kind, page in begun.items():
        if own := getattr(brought.get(kind), "ways", None):
            ways += own(shown, words)
        elif f"{kind}-question" in words and (kind != "examples" or game.examples) and kind not in behind:
            ways.append((words[f"{kind}-question"], page, ""))
    summary = Map(shown, words).plain(game.info.summary) if game.info.summary else ""
    more = {"info": game.info, "summary": summary, "banner": banner(shown), "ways": ways}
    body = environment().get_template("front.md.j2").render(folder=folder, doors=open_doors, **more, **facts)
    meta = {"title": words["home"], "kind": "overview", "description": told, "inks": _inks(shown)}
    return page_text({**meta, "own": not game.info.our_work}, body)


class Writer:
    """Writes the pages, pictures and downloads of one game. Parts write theirs with `page` and `main`."""

    def __init__(self, shown: Shown) -> None:
        self.shown = shown
        self.game = shown.game
        self.words = load_words()
        self.begins = begins(shown, self.words)
        self.map = Map(shown, self.words)
        self.pieces = Pieces(self.map)
        self.tables = Tables(shown)
        self.galleries = galleries(shown, self.words)
        self.gallery_pages = {one.deck.id: gallery_page(one, self.galleries) for one in self.galleries}
        self.environment = environment()
        self.printables = Downloads(shown, self.words)
        self.heroes = ",".join(row.id for row in self.game.components.get(self.game.info.party or "", ())[:2])
        self.files: dict[str, str | bytes | Path] = {}
        self.data: list[tuple[str, str]] = []
        """The downloads that programs read: description and name."""
        self.about = gathered((rule, ruling) for ruling in self.game.rulings for rule in ruling.rules)
        self.errata_about = gathered((rule, erratum) for erratum in self.game.errata for rule in erratum.rules)

    def write(self) -> dict[str, str | bytes | Path]:
        shown = self.shown
        self.overview()
        self.sections()
        self.components()
        self.examples()
        self.playthroughs()
        for kind in brought_kinds().values():
            kind.write(self)
        self.rulings()
        for path, examples in gathered((self.map.pages[one.id], one) for one in self.game.examples).items():
            self.files.update(position_files(self.shown, path, examples, self.words))
        self.downloads()
        self.files.update({path: shown.kept(path, text) for path, text in address_pages(self.map).items()})
        if "scoring" in self.begins:
            tables = [(deck, table) for deck in self.game.info.decks if (table := self.pieces.table(deck))]
            laws, sorted_at = scoring_laws(self.shown), self.gallery_pages
            self.main("scoring", laws=laws, tables=tables, worked=self.worked(), gallery=sorted_at)
        self.gallery()
        self.main("errata", origin=lambda one: origin("printed", one.source, self.words))
        self.main("terms", named=named_in(self.game, "term"))
        self.main("credits", unofficial=self.unofficial())
        self.files.update(self.tables.files)
        if self.map.styled:
            self.files[STYLES] = style_sheet(self.game.info, set().union(*self.map.styled.values()))
        for face in shown.faces.values():
            path = face_file(face.id)
            self.files[path] = shown.kept(path, self.face(face))
        made = {f"{self.game.name}/{path}": content for path, content in self.files.items()}
        made[cards_file(self.game.name)] = cards_script(self.map, self.galleries)
        made[previews_file(self.game.name)] = previews_script(self.map, self.galleries)
        return made

    def face(self, face: Face) -> str:
        """Return the picture of a face, made now or by an earlier build."""
        shown, path = self.shown, self.shown.place_of(face_file(face.id))
        key = key_of("face", shown.looks, face.digest.hex(), path)
        made = shown.reuse.read(shown.reuse.find(key) or {})
        if made:
            return made[path].decode()
        svg = standalone_svg(face)
        shown.reuse.note(key, files_of({path: svg.encode()}))
        return svg

    def main(self, kind: str, **more: Any) -> None:
        """Write the main page of a kind, if the game has that kind."""
        if kind in self.begins:
            self.page(f"{kind}.md", kind, self.words[kind], **more)

    def page(self, path: str, template: str, title: str, meta: Mapping[str, Any] | None = None, **more: Any) -> None:
        """Write one page."""
        reader = Reader(self.map, path, is_long=template == "rules")
        body = self.environment.get_template(f"{template}.md.j2").render(
            game=self.game, info=self.game.info, title=title, read=reader, map=self.map, shown=self.shown, **more
        )
        plans = shared_by_plans(self.game, body, lambda id_: reader.path(face_file(f"{id_}-front")))
        body += f"\n\n<div>{plans}</div>\n" if plans else ""
        info = {
            "title": title,
            "kind": template,
            "game": self.game.marked_title,
            "home": reader.path("index.md"),
            "inks": _inks(self.shown),
            "own": not self.game.info.our_work,
            **({"draft": True} if self.game.info.draft else {}),
            **({"plans": True} if plans else {}),
            **({"styles": reader.path(STYLES)} if path in self.map.styled else {}),
            **(meta or {}),
        }
        if told := self.words.get(f"{template}-description"):
            info["description"] = told.format(title=title, game=self.game.info.title)
        if "description" in info:
            info["description"] = description(title, str(info["description"]), "")
        self.files[path] = page_text(info, body)

    def viewer(self, path: str) -> Viewer:
        return Viewer(self.shown, self.tables, Reader(self.map, path), self.words)

    def law(self, law: Rule | Ruling, path: str) -> LawView:
        return law_view(law, self.viewer(path), self.about, self.errata_about)

    # Contents of the pages

    def overview(self) -> None:
        answers, open_doors = self.answers(), doors(self.shown, self.begins)
        behind = {door.kind for door in open_doors}
        kinds = placed(WAYS, {name: kind.OVERVIEW_BEFORE for name, kind in brought_kinds().items()})
        ways = [way for kind in kinds if kind in self.begins and kind not in behind for way in self.ways(kind, answers)]
        top = banner(self.shown)
        self.files.update(pictures(self.shown, top))
        title, told = self.game.marked_title, self.unofficial()
        self.page("index.md", "overview", title, banner=top, doors=open_doors, ways=ways, unofficial=told)

    def ways(self, kind: str, answers: Mapping[str, str]) -> list[tuple[str, str, str]]:
        """Return the entries of the overview for a kind of pages: question, address and summary."""
        own = getattr(brought_kinds().get(kind), "ways", None)
        if own:
            return list(own(self.shown, self.words))
        return [(self.words[f"{kind}-question"], self.begins[kind], answers[kind])] if answers[kind] else []

    def answers(self) -> dict[str, str]:
        """Return the summary of each kind for the overview. It mentions only what exists; a kind without a summary is
        not listed."""
        words, game = self.words, self.game
        answers = {key.removesuffix("-answer"): text for key, text in words.items() if key.endswith("-answer")}
        if not game.examples:
            answers.update({"rules": words["rules-alone"], "examples": ""})
        elif not any(trace.ok for trace in self.shown.traces.values()):
            answers["rules"] = words["rules-beside"]
        if not self.worked():
            tables = any(self.pieces.table(deck) for deck in game.info.decks)
            laws = words["scoring-laws"] if scoring_laws(self.shown) else ""
            answers["scoring"] = words["scoring-tables"] if tables else laws
        if any(seat_pages(self.shown, play) for play in game.playthroughs):
            answers["playthroughs"] = words["playthroughs-seats"]
        if not self.shown.faces:
            answers["components"] = words["components-bare"]
        if not game.info.our_work:
            answers["credits"] = words["credits-own"]
        answers["downloads"] = self.printables.answer()
        return answers

    def sections(self) -> None:
        """Write all rules on one page, and a page for each section. For many rules, the first is only a list."""
        if not self.game.sections:
            return
        is_list = is_long(self.game)
        short = {id_: in_short(rule, self.map) for id_, rule in self.game.rules.items()}
        if is_list:
            viewer, sections = (
                self.viewer("rules.md"),
                self.game.sections if len(self.game.rules) <= MOST_PICTURED else (),
            )
            looks = {one.id: look for one in sections if (look := self.look(one, viewer))}
            meta = {"pictured": True} if looks else None
            self.page("rules.md", "rules-list", self.words["rules-list"], meta, whole=PRINT, looks=looks)
        path = PRINT if is_list else "rules.md"
        told = {rule: ones for rule, ones in self.about.items() if rule in self.game.rules}
        alone = [one for one in self.game.rulings if not any(rule in self.game.rules for rule in one.rules)]
        self.page(path, "rules", self.words["all-rules"], {"wide": True}, short=short, about=told, alone=alone)
        for number, section in enumerate(self.game.sections, 1):
            pages = titled_parts(self.words, section.title, section_page(section.id), self.map.parts[section.id])
            for part, (title, path) in enumerate(pages, 1):
                on = [rule for rule in section.rules if self.map.pages[rule.id] == path]
                rules = list(with_rulings_once([self.law(rule, path) for rule in on]))
                more = {"number": number, "section": section, "part": part, "rules": rules}
                self.page(path, "section", title, {"wide": True}, **more)

    def look(self, section: Section, viewer: Viewer) -> Look | None:
        """Return what shows a section at a glance: its first example that is among the best, or its first."""
        own = [example for rule in section.rules for example in self.map.pinned.get(rule.id, ())]
        own.sort(key=lambda example: example.id not in self.game.info.best_examples)
        looks = map(viewer.look, own)
        return next((look for look in looks if look.table or look.faces), None)

    def components(self) -> None:
        """Write all decks on one page; a deck of many designs appears there briefly, and has its own page."""
        decks = []
        for deck in self.game.info.decks:
            path = deck_page(deck.id, len(self.game.components[deck.id]))
            own = path != "components.md"
            pieces = self.pieces.views(deck, path)
            said = origin(deck.status, deck.source, self.words) if self.game.sections else ""
            shown = [self.shown.faces[f"{row.id}-front"] for row in samples(self.shown, deck)] if own else []
            decks.append(
                {"deck": deck, "pieces": pieces, "origin": said, "path": path if own else "", "samples": shown}
            )
            if own:
                back = common([piece.faces[1] for piece in pieces if len(piece.faces) > 1])
                if back:
                    pieces = [replace(piece, faces=piece.faces[:1]) for piece in pieces]
                columns = [column for column in deck.columns.values() if column.shown]
                self.page(
                    path,
                    "deck",
                    deck.name,
                    deck=deck,
                    parts=parted(deck, pieces, self.pieces.said),
                    back=back,
                    laws=[(column.label, column.rule) for column in columns if column.rule],
                    origin=said,
                    gallery=self.gallery_pages.get(deck.id, ""),
                )
        faces = self.shown.faces
        hands = [
            (deck, [faces[f"{row.id}-front"] for row in samples(self.shown, deck)[:MOST_PIECES]])
            for deck in self.game.info.decks
        ]
        self.main("components", decks=decks, box=[{"deck": deck, "faces": hand} for deck, hand in hands if hand])

    def gallery(self) -> None:
        """Write the galleries of all decks on one page, or a page for each if that would be too heavy."""
        decks = [(one.deck, self.gallery_pages[one.deck.id]) for one in self.galleries]
        more: dict[str, Any] = {"asks": lambda one: asks(one, self.words), "said": said_in_galleries(self.words)}
        if len({*self.gallery_pages.values()}) < 2:
            self.main("gallery", galleries=self.galleries, decks=decks, **more)
            return
        self.page("gallery.md", "galleries", self.words["gallery"], galleries=self.galleries, pages=self.gallery_pages)
        for one in self.galleries:
            title = self.words["gallery-of"].format(deck=one.deck.name)
            self.page(self.gallery_pages[one.deck.id], "gallery", title, galleries=[one], decks=decks, **more)

    def worked(self) -> list[ExampleView]:
        """Return the examples whose scores the engine counted; the first is one of the best, or has most to count."""
        viewer, best = self.viewer("scoring.md"), self.game.info.best_examples
        views = (viewer.example(one) for one in self.game.examples if one.kind in COUNTING)
        found = [view for view in views if view.scores]
        first = max(
            found, key=lambda view: (view.id in best, len(view.scores[0].lines or view.scores[0].rows)), default=None
        )
        return [view for view in found if view is first] + [view for view in found if view is not first]

    def examples(self) -> None:
        proof, game, traces = self.shown.proof, self.game, self.shown.traces
        executable = [id_ for id_ in game.laws if id_ not in proof.unchecked]
        best = game.info.best_examples
        facts: dict[str, Any] = {
            "executable": len(executable),
            "covered": sum(id_ in proof.shown for id_ in executable),
            "checked": sum(example.id in traces and traces[example.id].ok for example in game.examples),
            "unchecked": proof.unchecked,
            "owed": proof.owed,
            "best": sorted((one for one in game.examples if one.id in best), key=lambda one: best.index(one.id)),
        }
        lists = lists_of(game, self.words) if "examples" in self.begins else ()
        facts["jumps"] = example_jumps(game, self.words)
        pages = titled_parts(self.words, self.words["examples"], "examples.md", len(lists))
        viewer = self.viewer("examples.md")
        facts["looks"] = {example.id: viewer.look(example) for example in game.examples}
        for part, (laws, (title, path)) in enumerate(zip(lists, pages, strict=True), 1):
            self.page(path, "examples", title, **facts, part=part, last=part == len(lists), listed=laws)

    def playthroughs(self) -> None:
        """Write each playthrough with all cards face up and, if the game says what each seat knows, from every seat."""
        for play in self.game.playthroughs:
            seats = seat_pages(self.shown, play)
            self.playthrough(play, None, f"playthroughs/{play.id}.md", seats)
            for seat, path in seats.items():
                self.playthrough(play, seat, path, seats)

    def playthrough(self, play: Playthrough, seat: Seat | None, path: str, seats: Mapping[Seat, str]) -> None:
        """Write a playthrough as one seat saw it, or with all cards face up, and the tables for its stepper."""
        viewer = Viewer(self.shown, self.tables, Reader(self.map, path), self.words, seat)
        trace = self.shown.traces.get(play.id)
        follower = viewer.follower(play)
        rounds = viewer.rounds(play, follower)
        keeps_score = False
        if trace:
            script, keeps_score = script_of(viewer, play, trace, is_scored(self.game))
            self.files[path.removesuffix(".md") + ".js"] = script
        totals = [viewer.score(score) for score in trace.scores] if trace and not seat else []
        expected = dict(viewer.expected(play))
        if totals and totals[0].columns:
            expected.pop("score", None)  # the sheet with all columns above the facts shows it
        eyes = [(self.words["open-table"], f"playthroughs/{play.id}.md"), *((one.name, seats[one]) for one in seats)]
        title = self.words["seen-by"].format(title=play.title, who=seat.name) if seat else play.title
        told = self.words["played"].format(title=title, game=self.game.info.title, text=self.map.plain(play.summary))
        self.page(
            path,
            "playthrough",
            title,
            {"wide": True, "description": told, **({"seat": seat.name} if seat else {})},
            play=play,
            seat=seat.name if seat else "",
            tables=path.removesuffix(".md").rpartition("/")[2],
            eyes=[(name, viewer.reader.path(to).replace(".md", ".html"), to == path) for name, to in eyes if seats],
            opening=viewer.events(trace.opening) if trace and seat else (),
            rounds=rounds,
            first=rounds[0].before if rounds else None,
            course=follower if follower and follower.last else None,
            replayed=trace is not None,
            keeps_score=keeps_score,
            scored=is_scored(self.game),
            checked=trace is not None and trace.ok,
            failures=list(viewer.failures(trace)) if trace else [],
            facts=list(viewer.facts(expected, trace.after if trace else {})) if not seat else [],
            totals=totals,
            result=trace.result if trace else None,
            steps_of_end=viewer.ending(trace) if trace else (),
        )

    def rulings(self) -> None:
        """Write all rulings in brief, on as few light pages as possible, and in full with examples on the pages of
        their sections."""
        if "rulings" in self.begins:
            short = rulings_of(self.game)
            jumps = ruling_jumps(self.game, self.words)
            pages = titled_parts(self.words, self.words["rulings"], "rulings.md", len(short))
            for part, (rulings, (title, path)) in enumerate(zip(short, pages, strict=True), 1):
                on = groups(self.game, self.words, rulings)
                self.page(path, "rulings", title, part=part, last=part == len(short), groups=on, jumps=jumps)
        titles = rulings_pages(self.map)
        for path, rulings in sorted(self.map.rulings_on.items()):
            laws = [self.law(ruling, path) for ruling in rulings]
            self.page(path, "rulings-section", titles[path], {"wide": True}, rulings=laws)

    def downloads(self) -> None:
        for name, data in self.shown.sheets.items():
            self.files[f"downloads/{name}"] = self.shown.kept(f"downloads/{name}", data)
        decks = ((deck, self.game.components[deck.id]) for deck in self.game.info.decks)
        pairs = ((deck, [(row, [face.id for face in self.pieces.sides(row)]) for row in rows]) for deck, rows in decks)
        faces = [(deck, with_faces) for deck, rows in pairs if (with_faces := [one for one in rows if one[1]])]
        thumbs = self.printables.thumbs()
        self.files.update({path: data for path, data, _ in thumbs.values()})
        groups = self.printables.groups()
        self.files.update({design.path: design.picture for design in groups["designs"] if design.path})
        self.main(
            "downloads",
            **groups,
            thumbs={kind: (path, size) for kind, (path, _, size) in thumbs.items()},
            heroes=self.heroes,
            faces=faces,
            data=self.data,
            answer=self.printables.answer(),
        )

    # Shared by pages

    def unofficial(self) -> str:
        """Say that this is an unofficial edition, and where to buy the original if that is known."""
        info, words = self.game.info, self.words
        makers = listed(list(dict.fromkeys(credit.name for credit in info.credits)))
        shops = listed([credit.web for credit in info.credits if credit.web])
        told = words["unofficial"].format(title=info.title, who=makers)
        return f"{told} {words['buy'].format(where=shops)}" if shops else told


def _inks(shown: Shown) -> list[str]:
    """Return a game's first ink, adjusted to be readable by day and by night."""
    first = next(iter(shown.game.info.shown_palette.values()), "#b5622d")
    return [readable(first, PAPER), readable(first, NIGHT)]
