"""What is shown of a game in, its Pages out: a pure function from what other steps made to paths with their contents.

Templates are in templates/pages; they hold Markdown and structure, the words are in words.yaml beside them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from grimalkin.content import Game
from grimalkin.content.credits import credited
from grimalkin.content.models import (
    LONGEST_ID,
    Column,
    Component,
    Deck,
    Erratum,
    Playthrough,
    Rule,
    Ruling,
    Variant,
    value_of,
)
from grimalkin.content.references import references
from grimalkin.content.stocks import Paper, load_papers
from grimalkin.engine.words import listed
from grimalkin.face import Face, standalone_svg
from grimalkin.face.icons import Icons
from grimalkin.pages.charted import charted, ready
from grimalkin.pages.colours import NIGHT, PAPER, readable
from grimalkin.pages.examples import ExampleView, Seat, Viewer
from grimalkin.pages.gallery import Gallery, gallery, said
from grimalkin.pages.links import (
    BREAK,
    MANY,
    Map,
    Reader,
    Words,
    deck_page,
    escaped,
    face_file,
    inline_icon,
    section_page,
)
from grimalkin.pages.shown import Shown
from grimalkin.pages.simulated import simulated
from grimalkin.pages.tables import Tables
from grimalkin.pages.words import load_words
from grimalkin.problems import Problems
from grimalkin.simulation import percent
from grimalkin.source import data_folder

LONG = 40
"""Letters of a text that reads better as a sentence of its own than as the value of something.

A column with one such text is told in sentences on every piece.
"""
MOST_VALUES = 8
"""Numbers that are counted one by one; of more, only their range is told."""
COUNTING = ("scoring", "tie")
"""Kinds of examples in which points are counted."""
Nav = list[Any]
"""As mkdocs wants it: a list of {title: path} and {title: [...]}."""


def pages(shown: Shown) -> dict[str, str | bytes]:
    """Every page, picture and download of one game, by its path in the docs folder."""
    return _Writer(shown).write()


def home(games: Sequence[Shown]) -> dict[str, str | bytes]:
    """The first page: every game with a picture."""
    words = load_words()
    cards = []
    for shown in games:
        faces = _cover(shown)
        game = shown.game
        cards.append({"title": game.marked_title, "info": game.info, "path": f"{game.name}/", "faces": faces})
    body = (
        _environment(words)
        .get_template("home.md.j2")
        .render(games=cards, checked=any(trace.ok for shown in games for trace in shown.traces.values()))
    )
    return {"index.md": _page({"title": words["home"], "kind": "home"}, body)}


def navigation(games: Sequence[Shown]) -> Nav:
    """The order of all pages, for reading through."""
    words = load_words()
    nav: Nav = [{words["home"]: "index.md"}]
    for shown in games:
        game, at, charts = shown.game, f"{shown.game.name}/", ready(shown.game)
        rules: Nav = [{words["all-rules"]: f"{at}rules.md"}]
        rules += [{f"{n} {part.title}": at + section_page(part.id)} for n, part in enumerate(game.sections, 1)]
        part: Nav = [{words["overview"]: f"{at}index.md"}, {words["rules"]: rules}]
        if game.rulings or game.withdrawn:
            to = Map(shown, words)
            order = [f"rulings-{part.id}.md" for part in game.sections] + ["rulings-general.md"]
            found = [{rulings_title(to, path): at + path} for path in order if path in to.rulings_on]
            part.append({words["rulings"]: [{words["all-rulings"]: f"{at}rulings.md"}, *found]})
        part += [{words["scoring"]: f"{at}scoring.md"}] if is_scored(game) else []
        part += [{words["examples"]: f"{at}examples.md"}]
        if game.playthroughs:
            plays = [{play.title: f"{at}playthroughs/{play.id}.md"} for play in game.playthroughs]
            part.append({words["playthroughs"]: plays})
        part += [{words["gallery"]: f"{at}gallery.md"}] if galleries(shown, words) else []
        part += [_components_in(shown, words)]
        part += [{words["odds"]: [{one.title: at + odds_page(one.id)} for one in charts]}] if charts else []
        if reported := [one.simulation for one in game.simulations if one.report]:
            each = [{one.title: f"{at}simulations/{one.id}.md"} for one in reported]
            part.append({words["simulations"]: [{words["all-simulations"]: f"{at}simulations.md"}, *each]})
        part += [{words["terms"]: f"{at}terms.md"}] if game.terms else []
        part += [{words["errata"]: f"{at}errata.md"}] if game.errata else []
        part += [{words["downloads"]: f"{at}downloads.md"}, {words["credits"]: f"{at}credits.md"}]
        nav.append({game.marked_title: part})
    return nav


@dataclass(frozen=True)
class LawView:
    """A rule or a ruling as a page shows it."""

    law: Rule | Ruling
    number: str
    text: str
    note: str
    origin: str
    examples: tuple[ExampleView, ...]
    also: tuple[str, ...]
    rulings: tuple[tuple[str, str], ...]
    """Of a rule: link and text of every ruling about it; no text where it stands on the page already."""
    errata: tuple[str, ...]
    checked: int
    """How many checked examples show it."""


@dataclass(frozen=True)
class PieceView:
    """A component as a page shows it."""

    row: Component
    faces: tuple[Face, ...]
    size: str
    cells: tuple[tuple[str, str, str | None], ...]
    """Of every short cell: label, value as Markdown, and the rule that gives it. What is only yes has no value."""
    texts: tuple[str, ...]
    """Long texts that stand on it, as Markdown."""
    named: tuple[str, ...]
    """The rules that name it."""


class _Writer:
    def __init__(self, shown: Shown) -> None:
        self.shown = shown
        self.game = shown.game
        self.words = load_words()
        self.papers = load_papers(shown.game.folder, Problems())
        self.map = Map(shown, self.words)
        self.tables = Tables(shown.composer)
        self.galleries = galleries(shown, self.words)
        views = (simulated(one, self.game.by_id) for one in self.game.simulations)
        self.simulated = [view for view in views if view]
        self.charted = charted(self.game, self.words)
        self.environment = _environment(self.words)
        self.files: dict[str, str | bytes] = {}
        self.about: dict[str, list[Ruling]] = {}
        for ruling in self.game.rulings:
            for rule in ruling.rules:
                self.about.setdefault(rule, []).append(ruling)
        self.errata_about: dict[str, list[Erratum]] = {}
        for erratum in self.game.errata:
            for rule in erratum.rules:
                self.errata_about.setdefault(rule, []).append(erratum)

    def write(self) -> dict[str, str | bytes]:
        self.overview()
        self.rules()
        self.sections()
        self.components()
        if self.galleries:
            self.gallery()
        if is_scored(self.game):
            self.scoring()
        self.examples()
        self.playthroughs()
        for chart in self.charted:
            path, title = odds_page(chart.wish.id), chart.wish.title
            self.page(path, "odds", title, one=chart)
        if self.simulated:
            self.simulations()
        if self.game.rulings or self.game.withdrawn:
            self.rulings()
        if self.game.errata:
            self.errata()
        if self.game.terms:
            self.terms()
        self.downloads()
        self.credits()
        self.files.update(self.tables.files)
        for face in self.shown.faces.values():
            self.files[face_file(face.id)] = trimmed_svg(face)
        return {f"{self.game.name}/{path}": content for path, content in self.files.items()}

    def page(self, path: str, template: str, title: str, meta: Mapping[str, Any] | None = None, **more: Any) -> None:
        """Write one page."""
        reader = Reader(self.map, path, is_long=template == "rules")
        body = self.environment.get_template(f"{template}.md.j2").render(
            game=self.game, info=self.game.info, title=title, read=reader, map=self.map, shown=self.shown, **more
        )
        info = {
            "title": title,
            "kind": template,
            "game": self.game.marked_title,
            "home": reader.path("index.md"),
            "inks": _inks(self.shown),
            "own": not self.game.info.our_work,
            **({"draft": True} if self.game.info.draft else {}),
            **(meta or {}),
        }
        self.files[path] = _page(info, body)

    def viewer(self, path: str) -> Viewer:
        return Viewer(self.shown, self.tables, Reader(self.map, path), self.words)

    # One method a page, in the order of `write`

    def overview(self) -> None:
        ways = ["rules", "playthroughs", "rulings", "scoring", "components", "gallery", "examples"]
        paths = {
            "rules": section_page(self.game.sections[0].id),
            "playthroughs": f"playthroughs/{self.game.playthroughs[0].id}.md" if self.game.playthroughs else "",
            "rulings": "rulings.md" if self.game.rulings or self.game.withdrawn else "",
            "scoring": "scoring.md" if is_scored(self.game) else "",
            "odds": odds_page(self.charted[0].wish.id) if self.charted else "",
            "simulations": "simulations.md" if self.simulated else "",
            "gallery": "gallery.md" if self.galleries else "",
            "errata": "errata.md" if self.game.errata else "",
            "terms": "terms.md" if self.game.terms else "",
        }
        answers = self.answers()
        shown = [
            (way, paths.get(way, f"{way}.md"), answers[way])
            for way in (*ways, "odds", "simulations", "terms", "errata", "downloads", "credits")
            if paths.get(way, way) and answers[way]
        ]
        told = self.unofficial()
        self.page("index.md", "overview", self.game.marked_title, ways=shown, faces=_cover(self.shown), unofficial=told)

    def answers(self) -> dict[str, str]:
        """What the overview promises of each page: only what is there. Without an answer a page is not offered."""
        words, game = self.words, self.game
        has = {
            "rules-examples": any(trace.ok for trace in self.shown.traces.values()) and bool(game.examples),
            "scoring-worked": bool(self.worked()),
            "scoring-tables": any(self.columns(deck) for deck in game.info.decks),
            "components-faces": bool(self.shown.faces),
            "credits-ours": bool(game.info.our_work),
        }
        answers = {key.removesuffix("-answer"): text for key, text in words.items() if key.endswith("-answer")}
        if not has["rules-examples"]:
            answers["rules"] = words["rules-beside" if game.examples else "rules-alone"]
        if not has["scoring-worked"]:
            answers["scoring"] = words["scoring-tables"] if has["scoring-tables"] else ""
            answers["scoring"] = answers["scoring"] or (words["scoring-laws"] if self.scoring_laws() else "")
        if any(seat_pages(self.shown, play) for play in game.playthroughs):
            answers["playthroughs"] = words["playthroughs-seats"]
        if not has["components-faces"]:
            answers["components"] = words["components-bare"]
        if not game.examples:
            answers["examples"] = ""
        if not has["credits-ours"]:
            answers["credits"] = words["credits-own"]
        answers["downloads"] = self.downloads_answer()
        return answers

    def rules(self) -> None:
        self.page("rules.md", "rules", self.words["all-rules"], {"wide": True})

    def sections(self) -> None:
        for number, section in enumerate(self.game.sections, 1):
            path = section_page(section.id)
            rules = list(_told_once([self.law(rule, path) for rule in section.rules]))
            self.page(path, "section", section.title, {"wide": True}, number=number, section=section, rules=rules)

    def components(self) -> None:
        """All decks on one page; a deck of many designs is only shown there, and has a page of its own."""
        named = self.named_in()
        decks = []
        for deck in self.game.info.decks:
            rows = self.game.components[deck.id]
            path = deck_page(deck.id, len(rows))
            own = path != "components.md"
            sentences = _sentences(deck, rows)
            pieces = [self.piece(deck, row, named, path, sentences) for row in rows]
            back = _common([piece.faces[1] for piece in pieces if len(piece.faces) > 1]) if own else None
            if back:
                pieces = [replace(piece, faces=piece.faces[:1]) for piece in pieces]
            origin = self.origin(deck.status, deck.source)
            samples = [self.shown.faces[f"{row.id}-front"] for row in _samples(self.shown, deck)] if own else []
            decks.append(
                {"deck": deck, "pieces": pieces, "origin": origin, "path": path if own else "", "samples": samples}
            )
            if own:
                shown = [column for column in deck.columns.values() if column.shown]
                self.page(
                    path,
                    "deck",
                    deck.name,
                    deck=deck,
                    parts=_parted(deck, pieces),
                    back=back,
                    laws=[(column.label, column.rule) for column in shown if column.rule],
                    origin=origin,
                    sorted=any(one.deck.id == deck.id for one in self.galleries),
                )
        self.page("components.md", "components", self.words["components"], decks=decks)

    def piece(
        self, deck: Deck, row: Component, named: Mapping[str, list[str]], path: str, sentences: Collection[str]
    ) -> PieceView:
        """A component as the page of that path shows it; `sentences` are the columns that are told as such."""
        reader = Reader(self.map, path)
        cells: list[tuple[str, str, str | None]] = []
        texts: list[str] = []
        for name, column in deck.columns.items():
            value = value_of(row, name)
            if value is None or value is False or not column.shown:
                continue
            if name in sentences:
                first, *more = reader.cell(str(value)) or [""]
                texts += [f"**{escaped(column.label)}:** {first}" if len(sentences) > 1 else first, *more]
            elif value is True:
                cells.append((column.label, "", column.rule))
            elif column.type == "text":
                cells.append((column.label, BREAK.join(reader.cell(str(value))), column.rule))
            else:
                told = said(value, column, self.map.terms, self.words)
                cells.append((column.label, escaped(told), column.rule))
        faces, size = tuple(self.sides(row)), self.size(deck, row)
        return PieceView(row, faces, size, tuple(cells), tuple(texts), tuple(named.get(row.id, ())))

    def gallery(self) -> None:
        self.page("gallery.md", "gallery", self.words["gallery"], galleries=self.galleries)

    def scoring_laws(self) -> list[Rule | Ruling]:
        """Laws named by score lines and results, and whatever stands in the same sections."""
        named = {
            id_
            for trace in self.shown.traces.values()
            for id_ in chain(
                (line.rule for score in trace.scores for line in score.lines),
                trace.result.rules if trace.result else (),
            )
        }
        parts = [part for part in self.game.sections if any(rule.id in named for rule in part.rules)]
        laws: list[Rule | Ruling] = [rule for part in parts for rule in part.rules]
        return laws + [ruling for ruling in self.game.rulings if ruling.id in named]

    def worked(self) -> list[ExampleView]:
        """The examples whose scores the engine counted."""
        viewer = self.viewer("scoring.md")
        views = (viewer.example(one) for one in self.game.examples if one.kind in COUNTING)
        return [view for view in views if view.scores]

    def scoring(self) -> None:
        laws, worked = self.scoring_laws(), self.worked()
        tables = [(deck, self.columns(deck)) for deck in self.game.info.decks if self.columns(deck)]
        self.page("scoring.md", "scoring", self.words["scoring"], laws=laws, tables=tables, worked=worked)

    def examples(self) -> None:
        proof, game = self.shown.proof, self.game
        executable = [id_ for id_ in game.laws if id_ not in proof.unchecked]
        checked = sum(example.id in self.shown.traces and self.shown.traces[example.id].ok for example in game.examples)
        self.page(
            "examples.md",
            "examples",
            self.words["examples"],
            executable=len(executable),
            covered=sum(id_ in proof.shown for id_ in executable),
            checked=checked,
            unchecked=proof.unchecked,
            owed=proof.owed,
        )

    def playthroughs(self) -> None:
        """A page with all cards face up, and where the game tells what each seat knows, one from every seat."""
        for play in self.game.playthroughs:
            seats = seat_pages(self.shown, play)
            self.playthrough(play, None, f"playthroughs/{play.id}.md", seats)
            for seat, path in seats.items():
                self.playthrough(play, seat, path, seats)

    def playthrough(self, play: Playthrough, seat: Seat | None, path: str, seats: Mapping[Seat, str]) -> None:
        """The page of a playthrough as a seat saw it, or with all cards face up; and the tables for its stepper."""
        viewer = Viewer(self.shown, self.tables, Reader(self.map, path), self.words, seat)
        trace = self.shown.traces.get(play.id)
        rounds = viewer.rounds(play)
        steps = {
            f"step-{step.number}": [viewer.reader.path(step.picture.path), step.picture.alt]
            for part in rounds
            for step in part.steps
            if step.picture
        }
        size = next((s.picture for part in rounds for s in part.steps if s.picture), None)
        if steps:
            told = json.dumps(steps, ensure_ascii=False, separators=(",", ":"))
            self.files[path.removesuffix(".md") + ".js"] = f"window.grimalkinTables={told};\n"
        totals = [viewer.score(score) for score in trace.scores] if trace and not seat else []
        expected = dict(viewer.expected(play))
        if totals and totals[0].columns:
            expected.pop("score", None)  # a sheet with all columns stands above the facts
        eyes = [(self.words["open-table"], f"playthroughs/{play.id}.md"), *((one.name, seats[one]) for one in seats)]
        self.page(
            path,
            "playthrough",
            self.words["seen-by"].format(title=play.title, who=seat.name) if seat else play.title,
            {"wide": True, **({"seat": seat.name} if seat else {})},
            play=play,
            seat=seat.name if seat else "",
            tables=path.removesuffix(".md").rpartition("/")[2],
            eyes=[(name, viewer.reader.path(to).replace(".md", ".html"), to == path) for name, to in eyes if seats],
            opening=viewer.events(trace.opening) if trace and seat else (),
            rounds=rounds,
            first=rounds[0].before if rounds else None,
            size=size,
            scored=is_scored(self.game),
            checked=trace is not None and trace.ok,
            failures=list(viewer.failures(trace)) if trace else [],
            facts=list(viewer.facts(expected, trace.after if trace else {})) if not seat else [],
            totals=totals,
            result=trace.result if trace else None,
            steps_of_end=viewer.ending(trace) if trace else (),
        )

    def simulations(self) -> None:
        """All simulations in short on one page, and each with everything that was counted on its own."""
        title = self.words["simulations"]
        self.page("simulations.md", "simulations", title, simulations=self.simulated, percent=percent)
        for one in self.simulated:
            path = f"simulations/{one.simulation.id}.md"
            charts = [chart.wish for chart in self.charted if one.simulation in chart.simulations]
            self.page(path, "simulation", one.simulation.title, one=one, percent=percent, charts=charts)

    def rulings(self) -> None:
        """All rulings in short on one page; on the pages of their sections in full, with examples."""
        self.page("rulings.md", "rulings", self.words["rulings"])
        for path, rulings in sorted(self.map.rulings_on.items()):
            laws = [self.law(ruling, path) for ruling in rulings]
            self.page(path, "rulings-section", rulings_title(self.map, path), {"wide": True}, rulings=laws)

    def errata(self) -> None:
        self.page("errata.md", "errata", self.words["errata"], origin=lambda one: self.origin("printed", one.source))

    def terms(self) -> None:
        named = self.named_in("term")
        self.page("terms.md", "terms", self.words["terms"], named=named)

    def downloads(self) -> None:
        variants = {variant.id: variant for variant in self.game.info.variants}
        groups: dict[str, list[tuple[str, str, int]]] = {"": [], **{id_: [] for id_ in variants}}
        forms: list[tuple[str, str, int]] = []
        for name, data in self.shown.sheets.items():
            self.files[f"downloads/{name}"] = data
            title, weight = self.sheet_name(name), max(1, round(len(data) / 1000))
            if form_of(name) in self.game.by_id:
                forms.append((title, name, weight))
            else:
                # Sheets as several variants at once stand with the first of them.
                shown = variants_of(name.removeprefix(f"{self.game.name}-"), variants)
                groups[shown[0] if shown else ""].append((title, name, weight))
        usual = [("", "", groups.pop(""))]
        sheets = [one for one in usual if one[2]]
        sheets += [(variants[id_].name, variants[id_].text, found) for id_, found in groups.items() if found]
        decks = ((deck, self.game.components[deck.id]) for deck in self.game.info.decks)
        pairs = ((deck, [(row, [face.id for face in self.sides(row)]) for row in rows]) for deck, rows in decks)
        faces = [(deck, with_faces) for deck, rows in pairs if (with_faces := [pair for pair in rows if pair[1]])]
        answer = self.downloads_answer()
        self.page(
            "downloads.md",
            "downloads",
            self.words["downloads"],
            sheets=sheets,
            together=_together(self.game.info.variants) if self.shown.sheets else [],
            forms=forms,
            faces=faces,
            answer=answer,
        )

    def sheet_name(self, sheet: str) -> str:
        """What a file is: sheets on a paper, or a component to fill in."""
        form = form_of(sheet)
        if form in self.game.by_id:
            return ", ".join([self.game.by_id[form].name, *particulars(sheet, self.words)])
        variants = {variant.id: variant.name for variant in self.game.info.variants}
        return paper_name(sheet, self.game.name, self.papers, variants, self.words)

    def downloads_answer(self) -> str:
        if self.shown.sheets:
            sheets = (name for name in self.shown.sheets if form_of(name) not in self.game.by_id)
            papers = listed(list(dict.fromkeys(self.sheet_name(name).partition(",")[0] for name in sheets)))
            return self.words["downloads-answer"].format(papers=papers)
        return self.words["downloads-faces"] if self.shown.faces else ""

    def credits(self) -> None:
        self.page("credits.md", "credits", self.words["credits"], unofficial=self.unofficial())

    # What pages share

    def unofficial(self) -> str:
        """That this is no edition of the makers, and where to get theirs, if that is known."""
        info, words = self.game.info, self.words
        makers = listed(list(dict.fromkeys(credit.name for credit in info.credits)))
        shops = listed([credit.web for credit in info.credits if credit.web])
        told = words["unofficial"].format(title=info.title, who=makers)
        return f"{told} {words['buy'].format(where=shops)}" if shops else told

    def law(self, law: Rule | Ruling, path: str) -> LawView:
        viewer = self.viewer(path)
        reader = viewer.reader
        return LawView(
            law,
            self.map.numbers[law.id],
            reader.md(law.text if isinstance(law, Rule) else law.ruling),
            reader.md(law.note) if isinstance(law, Rule) and law.note else "",
            self.origin(law.status, law.source),
            tuple(viewer.example(example) for example in self.map.pinned.get(law.id, ())),
            tuple(reader.titled(example.id) for example in self.map.also.get(law.id, ())),
            tuple((reader.titled(one.id), reader.md(one.ruling)) for one in self.about.get(law.id, ())),
            tuple(reader.anchor(erratum.id) for erratum in self.errata_about.get(law.id, ())),
            len(self.shown.proof.shown.get(law.id, ())),
        )

    def origin(self, status: str, passages: Sequence[str]) -> str:
        """Who says so, in words."""
        if not passages:
            return self.words[f"from-{status}-bare"]
        return self.words[f"from-{status}"].format(where=escaped(passage_words(passages)))

    def sides(self, row: Component) -> list[Face]:
        faces = (self.shown.faces.get(f"{row.id}-{side}") for side in ("front", "back"))
        return [face for face in faces if face]

    def size(self, deck: Deck, row: Component) -> str:
        stock = self.shown.composer.stocks.get(row.stock or deck.stock or "")
        if stock is None:
            return ""
        if stock.shape == "circle":
            return self.words["size-round"].format(d=f"{stock.width:g}")
        return self.words["size-flat"].format(w=f"{stock.width:g}", h=f"{stock.height:g}")

    def columns(self, deck: Deck) -> dict[str, Any]:
        """The deck's columns that name a rule, as a table: heads, and rows with a value in any of them.

        Of a deck of many designs, the values of each column with the number of pieces that have them.
        """
        heads = [(name, column) for name, column in deck.columns.items() if column.rule and column.shown]
        designs = self.game.components[deck.id]
        rows = []
        for row in designs:
            values = [(value_of(row, name), column) for name, column in heads]
            if any(value is not None for value, _ in values):
                rows.append((row, [self.said(value, column) if value is not None else "–" for value, column in values]))
        if not rows:
            return {}
        spread = [(column, self.spread(designs, name, column)) for name, column in heads]
        many = len(designs) > MANY
        return {"heads": [column for _, column in heads], "rows": rows, "spread": spread if many else []}

    def spread(self, rows: Sequence[Component], name: str, column: Column) -> str:
        """How many pieces have each value of a column; of many numbers, only the least and the most."""
        counts: Counter[object] = Counter()
        for row in rows:
            counts[value_of(row, name)] += row.count
        numbers = sorted(value for value in counts if isinstance(value, int))
        if column.type == "whole" and len(numbers) > MOST_VALUES:
            return self.words["spread-range"].format(least=numbers[0], most=numbers[-1])
        order = {"whole": numbers, "yes-no": (True, False), "choice": column.choices}.get(column.type, tuple(counts))
        held = [value for value in (*order, None) if value in counts]
        each = [self.words["spread-each"].format(value=self.said(value, column), n=counts[value]) for value in held]
        return escaped(", ".join(each))

    def said(self, value: object, column: Column) -> str:
        return said(value, column, self.map.terms, self.words)

    def named_in(self, kind: str = "id") -> dict[str, list[str]]:
        """The rules and rulings whose texts name a component, or a term."""
        named: dict[str, list[str]] = {}
        for id_, law in self.game.laws.items():
            text = law.text if isinstance(law, Rule) else f"{law.question} {law.ruling}"
            for name in dict.fromkeys(one.name for one in references(text) if one.kind == kind):
                named.setdefault(name, []).append(id_)
        return named


def is_scored(game: Game) -> bool:
    """Whether a game is about points: one of its examples counts them, unless there is no engine or no example yet."""
    kinds = {example.kind for example in game.examples}
    return game.module is None or not kinds or bool(kinds & set(COUNTING))


def seat_pages(shown: Shown, play: Playthrough) -> dict[Seat, str]:
    """The page of a playthrough from every seat, where the game tells what each seat knows.

    No two pages of a game have names that differ in capitals only: on some disks they would be one file.
    """
    taken = {one.id.lower() for one in shown.game.playthroughs}
    paths: dict[Seat, str] = {}
    for one in shown.game.playthroughs:
        trace = shown.traces.get(one.id)
        for number, name in enumerate(trace.seats if trace and trace.known else ()):
            told = re.sub(r"[^a-z0-9]+", "-", name.lower())[:LONGEST_ID].strip("-")
            wishes = (f"{one.id}-seat-{number + more}" for more in count(1))
            first = [f"{one.id}-{told}"] if told else []
            page = next(page for page in chain(first, wishes) if page.lower() not in taken)
            taken.add(page.lower())
            if one.id == play.id:
                paths[Seat(number, name)] = f"playthroughs/{page}.md"
    return paths


def beside(games: Sequence[Shown]) -> dict[str, str]:
    """The pages that the navigation leaves out, each with the page in it that they stand beside."""
    found: dict[str, str] = {}
    for shown in games:
        for play in shown.game.playthroughs:
            to = f"{shown.game.name}/playthroughs/{play.id}.md"
            found.update({f"{shown.game.name}/{path}": to for path in seat_pages(shown, play).values()})
    return found


def _told_once(rules: Sequence[LawView]) -> Iterator[LawView]:
    """The rules of a page, with the text of a ruling about several of them at the first one only."""
    told: set[str] = set()
    for view in rules:
        yield replace(view, rulings=tuple((link, "" if link in told else text) for link, text in view.rulings))
        told.update(link for link, _ in view.rulings)


def odds_page(chart: str) -> str:
    return f"odds/{chart}.md"


def rulings_title(to: Map, path: str) -> str:
    """What a page of rulings is called: after its section."""
    for section in to.shown.game.sections:
        if path == f"rulings-{section.id}.md":
            return to.words["rulings-on"].format(section=section.title)
    return to.words["rulings-general"]


def form_of(sheet: str) -> str:
    """The component that a file of that name lets one fill in on screen, if it is a form.

    >>> form_of("score-sheet-form-low.pdf"), form_of("owls-a4.pdf")
    ('score-sheet', '')
    """
    name, form, _ = sheet.removesuffix(".pdf").rpartition("-form")
    return name if form else ""


def _together(variants: Sequence[Variant]) -> list[str]:
    """Ids of variants that can be printed at once: none changes what one before it changes."""
    chosen: list[str] = []
    changed: set[str] = set()
    for variant in variants:
        changes = {*variant.stocks, *variant.palette}
        if not changes & changed:
            chosen.append(variant.id)
            changed |= changes
    return chosen


def uncapped(name: str) -> str:
    """A name as it stands in the middle of a sentence.

    >>> uncapped("Four colours")
    'four colours'
    """
    return name[:1].lower() + name[1:]


def particulars(rest: str, words: Words) -> list[str]:
    """What is particular about sheets, by the ends of their name.

    >>> particulars("-low-fronts", {"sheets-low": "little ink", "sheets-fronts": "fronts"})
    ['little ink', 'fronts']
    """
    return [words[f"sheets-{part}"] for part in rest.removesuffix(".pdf").split("-") if f"sheets-{part}" in words]


def paper_name(sheet: str, game: str, papers: Mapping[str, Paper], variants: Mapping[str, str], words: Words) -> str:
    """What a file of sheets is for: its paper, the variants of the game it shows, and what else is particular.

    >>> a4 = Paper(name="A4", width=210, height=297)
    >>> paper_name("owls-a4-wide-low.pdf", "owls", {"a4": a4}, {"wide": "Wide"}, {"sheets-low": "little ink"})
    'A4, wide, little ink'
    """
    rest = sheet.removesuffix(".pdf").removeprefix(f"{game}-")
    fitting = [id_ for id_ in papers if rest == id_ or rest.startswith(f"{id_}-")]
    paper = max(fitting, key=len, default="")  # a paper's own name may have hyphens
    name = papers[paper].name if paper else rest
    rest = f"{rest.removeprefix(paper)}-" if paper else ""
    shown = variants_of(rest, variants)
    for id_ in shown:
        rest = rest.replace(f"-{id_}-", "-", 1)
    return ", ".join([name, *(uncapped(variants[id_]) for id_ in shown), *particulars(rest, words)])


def variants_of(sheet: str, variants: Iterable[str]) -> list[str]:
    """The variants that a file of sheets shows. One whose name is the beginning of another's is not taken for it.

    >>> variants_of("owls-a4-big-red-low.pdf", ["big", "big-red", "red"])
    ['big-red']
    >>> variants_of("owls-a4-big-wide.pdf", ["big", "big-red", "wide"])
    ['big', 'wide']
    """
    known, found = list(variants), []
    rest = f"-{sheet.removesuffix('.pdf').strip('-')}-"
    for id_ in sorted(known, key=len, reverse=True):
        if f"-{id_}-" in rest:
            rest = rest.replace(f"-{id_}-", "--", 1)
            found.append(id_)
    return sorted(found, key=known.index)


def passage_words(passages: Sequence[str]) -> str:
    """Where a rulebook says something, as people say it: headings as they are printed, other places in plain words.

    >>> passage_words(["the cover", "Phase 1", "Phase 2: Actions"])
    'the cover, “Phase 1” and “Phase 2: Actions”'
    """
    return listed([passage if passage[0].islower() else f"“{passage}”" for passage in passages])


def trimmed_svg(face: Face) -> str:
    """A face as it looks when it is cut: what bleeds over the edge is left out."""
    stock = face.stock
    sized = f'viewBox="0 0 {stock.width:g} {stock.height:g}" width="{stock.width:g}mm" height="{stock.height:g}mm"'
    return re.sub(r'viewBox="[^"]*" width="[^"]*" height="[^"]*"', sized, standalone_svg(face), count=1)


def galleries(shown: Shown, words: Words) -> list[Gallery]:
    """The decks of a game that have anything to filter or to sort by."""
    terms = {term.id: term for term in shown.game.terms}
    icons = shown.composer.icons
    decks = ((deck, shown.game.components[deck.id]) for deck in shown.game.info.decks)
    made = (gallery(deck, rows, shown.faces, terms, icons, words) for deck, rows in decks)
    return [one for one in made if one]


def _cover(shown: Shown) -> list[tuple[str, str]]:
    """The faces that stand for a game: those it names, or fronts of its first deck. Path and shape of each."""
    named = shown.game.info.cover or [row.id for row in _samples(shown, shown.game.info.decks[0])]
    faces = [shown.faces[f"{id_}-front"] for id_ in named if f"{id_}-front" in shown.faces]
    return [(face_file(face.id), face.stock.shape) for face in faces]


def _samples(shown: Shown, deck: Deck) -> list[Component]:
    """Four designs of a deck that differ in its first choice column, or the first four."""
    rows = [row for row in shown.game.components[deck.id] if f"{row.id}-front" in shown.faces]
    column = next((name for name, column in deck.columns.items() if column.type == "choice"), None)
    first: dict[object, Component] = {}
    for row in rows:
        first.setdefault(value_of(row, column) if column else row.id, row)
    others = [row for row in rows if row not in first.values()]
    return sorted([*first.values(), *others][:4], key=rows.index)


def _sentences(deck: Deck, rows: Sequence[Component]) -> set[str]:
    """The columns of a deck whose texts are sentences: of no rule, and one of them long."""
    texts = [name for name, column in deck.columns.items() if column.type == "text" and column.rule is None]
    return {name for name in texts if any(len(str(value_of(row, name) or "")) > LONG for row in rows)}


def _parted(deck: Deck, pieces: Sequence[PieceView]) -> list[tuple[str, str, list[PieceView]]]:
    """The pieces of a deck by its first choice column that players see: anchor, title and pieces of each part."""
    for name, column in deck.columns.items():
        if column.type == "choice" and column.shown and not column.optional:
            parts = {choice: [one for one in pieces if value_of(one.row, name) == choice] for choice in column.choices}
            anchors = (f"{deck.id}-{number}" for number in range(1, len(parts) + 1))
            return [(anchor, *part) for anchor, part in zip(anchors, parts.items(), strict=True) if part[1]]
    return [("", "", list(pieces))]


def _common(faces: Sequence[Face]) -> Face | None:
    """One face for all, when they look the same."""
    looks = {re.sub(r"<title>[^<]*</title>", "", trimmed_svg(face)) for face in faces}
    return faces[0] if len(looks) == 1 else None


def _components_in(shown: Shown, words: Words) -> dict[str, Any]:
    """The components in the navigation: one page, or a part with a page for every deck of many designs."""
    at, parts = f"{shown.game.name}/", shown.game.components
    paths = {deck.name: deck_page(deck.id, len(parts[deck.id])) for deck in shown.game.info.decks}
    own = [{name: at + path} for name, path in paths.items() if path != "components.md"]
    everything = f"{at}components.md"
    return {words["components"]: [{words["all-components"]: everything}, *own] if own else everything}


def _inks(shown: Shown) -> list[str]:
    """A game's first ink, readable on paper and at night."""
    first = next(iter(shown.game.info.palette.values()), "#b5622d")
    return [readable(first, PAPER), readable(first, NIGHT)]


def _environment(words: Words) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(data_folder("templates") / "pages"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # Markdown comes out, not HTML
        comment_start_string="{##",  # Markdown writes anchors as {#id}
        comment_end_string="##}",
    )
    environment.filters["esc"] = escaped
    environment.filters["credited"] = credited
    environment.tests["single"] = lambda items: len(items) < 2
    environment.filters["listed"] = lambda items: listed(list(items))
    environment.globals["w"] = words
    environment.globals["paw"] = inline_icon(Icons(None, Problems()), "paw")
    return environment


def _page(meta: Mapping[str, Any], body: str) -> str:
    """Markdown with its front matter. JSON is YAML, and needs no thought about quoting."""
    lines: Iterable[str] = (f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in meta.items())
    body = re.sub(r"(?<=\d) %", "\xa0%", body)  # a line never ends between a number and its sign
    return "---\n" + "\n".join(lines) + "\n---\n\n" + re.sub(r"\n{3,}", "\n\n", body).strip() + "\n"


def kinds(games: Sequence[Shown]) -> dict[str, str]:
    """What an anchor of the site stands for, by its address: a word for the list of search results."""
    words = load_words()
    found: dict[str, str] = {}
    for shown in games:
        to = Map(shown, words)
        game = shown.game
        named = [
            ("rule", game.rules),
            ("ruling", [ruling.id for ruling in game.rulings]),
            ("example", [example.id for example in game.examples]),
            ("component", game.by_id),
        ]
        for kind, ids in named:
            for id_ in ids:
                found[f"{game.name}/{to.pages[id_].removesuffix('.md')}.html#{id_}"] = words[kind]
        found.update({f"{game.name}/terms.html#{term.id}": words["term"] for term in game.terms})
    return found


def hand_lettered(games: Sequence[Shown], words: Words) -> str:
    """Everything that is set in hand lettering."""
    own = [words["checked"], words["unchecked"], words["fails"], words["motto"], words["not-found"]]
    return " ".join([*own, *(shown.game.info.tagline for shown in games)])
