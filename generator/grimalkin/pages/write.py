"""What is shown of a game in, its Pages out: a pure function from what other steps made to paths with their contents.

Templates are in templates/pages; they hold Markdown and structure, the words are in words.yaml beside them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from grimalkin.content.models import Column, Component, Deck, Erratum, Rule, Ruling
from grimalkin.content.references import references
from grimalkin.content.stocks import Paper, load_papers
from grimalkin.face import Face, standalone_svg
from grimalkin.pages.colours import NIGHT, PAPER, readable
from grimalkin.pages.examples import ExampleView, Viewer
from grimalkin.pages.links import Map, Reader, Words, escaped, face_file, inline_icon, section_page
from grimalkin.pages.shown import Shown
from grimalkin.pages.tables import Tables
from grimalkin.pages.telling import listed
from grimalkin.pages.words import load_words
from grimalkin.problems import Problems
from grimalkin.source import data_folder

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
        cards.append({"info": shown.game.info, "path": f"{shown.game.name}/", "faces": faces})
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
        game, at = shown.game, f"{shown.game.name}/"
        rules: Nav = [{words["all-rules"]: f"{at}rules.md"}]
        rules += [{f"{n} {part.title}": at + section_page(part.id)} for n, part in enumerate(game.sections, 1)]
        part: Nav = [{words["overview"]: f"{at}index.md"}, {words["rules"]: rules}]
        if game.rulings:
            to = Map(shown, words)
            order = [f"rulings-{part.id}.md" for part in game.sections] + ["rulings-general.md"]
            found = [{rulings_title(to, path): at + path} for path in order if path in to.rulings_on]
            part.append({words["rulings"]: [{words["all-rulings"]: f"{at}rulings.md"}, *found]})
        part += [{words["scoring"]: f"{at}scoring.md"}, {words["examples"]: f"{at}examples.md"}]
        if game.playthroughs:
            plays = [{play.title: f"{at}playthroughs/{play.id}.md"} for play in game.playthroughs]
            part.append({words["playthroughs"]: plays})
        part += [{words["components"]: f"{at}components.md"}]
        part += [{words["terms"]: f"{at}terms.md"}] if game.terms else []
        part += [{words["errata"]: f"{at}errata.md"}] if game.errata else []
        part += [{words["downloads"]: f"{at}downloads.md"}, {words["credits"]: f"{at}credits.md"}]
        nav.append({game.info.title: part})
    return nav


@dataclass(frozen=True)
class LawView:
    """A rule or a ruling as a page shows it."""

    law: Rule | Ruling
    number: str
    text: str
    origin: str
    examples: tuple[ExampleView, ...]
    also: tuple[str, ...]
    rulings: tuple[tuple[str, str], ...]
    """Of a rule: link and text of every ruling about it."""
    errata: tuple[str, ...]
    checked: int
    """How many checked examples show it."""


class _Writer:
    def __init__(self, shown: Shown) -> None:
        self.shown = shown
        self.game = shown.game
        self.words = load_words()
        self.papers = load_papers(shown.game.folder, Problems())
        self.map = Map(shown, self.words)
        self.tables = Tables(shown.composer)
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
        self.scoring()
        self.examples()
        self.playthroughs()
        if self.game.rulings:
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
        reader = Reader(self.map, path)
        body = self.environment.get_template(f"{template}.md.j2").render(
            game=self.game, info=self.game.info, title=title, read=reader, map=self.map, shown=self.shown, **more
        )
        info = {
            "title": title,
            "kind": template,
            "game": self.game.info.title,
            "home": reader.path("index.md"),
            "inks": _inks(self.shown),
            "own": not self.game.info.our_work,
            **(meta or {}),
        }
        self.files[path] = _page(info, body)

    def viewer(self, path: str) -> Viewer:
        return Viewer(self.shown, self.tables, Reader(self.map, path), self.words)

    # One method a page, in the order of `write`

    def overview(self) -> None:
        ways = ["rules", "playthroughs", "rulings", "scoring", "components", "examples", "terms", "errata", "downloads"]
        paths = {
            "rules": section_page(self.game.sections[0].id),
            "playthroughs": f"playthroughs/{self.game.playthroughs[0].id}.md" if self.game.playthroughs else "",
            "rulings": "rulings.md" if self.game.rulings else "",
            "errata": "errata.md" if self.game.errata else "",
            "terms": "terms.md" if self.game.terms else "",
        }
        answers = self.answers()
        shown = [
            (way, paths.get(way, f"{way}.md"), answers[way])
            for way in (*ways, "credits")
            if paths.get(way, way) and answers[way]
        ]
        makers = self.makers()
        self.page("index.md", "overview", self.game.info.title, ways=shown, faces=_cover(self.shown), makers=makers)

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
            rules = [self.law(rule, path) for rule in section.rules]
            self.page(path, "section", section.title, {"wide": True}, number=number, section=section, rules=rules)

    def components(self) -> None:
        named = self.named_in()
        decks = [
            {
                "deck": deck,
                "rows": [(row, self.sides(row), self.size(deck, row)) for row in self.game.components[deck.id]],
                "cells": {row.id: self.cells(deck, row) for row in self.game.components[deck.id]},
                "origin": self.origin(deck.status, deck.source),
            }
            for deck in self.game.info.decks
        ]
        self.page("components.md", "components", self.words["components"], decks=decks, named=named)

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
        views = (viewer.example(one) for one in self.game.examples if one.kind in ("scoring", "tie"))
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
        )

    def playthroughs(self) -> None:
        for play in self.game.playthroughs:
            path = f"playthroughs/{play.id}.md"
            viewer = self.viewer(path)
            trace = self.shown.traces.get(play.id)
            rounds = viewer.rounds(play)
            steps = {
                f"step-{step.number}": [viewer.reader.path(step.picture.path), step.picture.alt]
                for part in rounds
                for step in part.steps
                if step.picture
            }
            script = f"playthroughs/{play.id}.js"
            size = next((s.picture for part in rounds for s in part.steps if s.picture), None)
            if steps:
                told = json.dumps(steps, ensure_ascii=False, separators=(",", ":"))
                self.files[script] = f"window.grimalkinTables={told};\n"
            self.page(
                path,
                "playthrough",
                play.title,
                {"wide": True},
                play=play,
                rounds=rounds,
                first=rounds[0].before if rounds else None,
                size=size,
                checked=trace is not None and trace.ok,
                facts=list(viewer.facts(viewer.expected(play), trace.after if trace else {})),
                totals=[viewer.score(score) for score in trace.scores] if trace else [],
                result=trace.result if trace else None,
            )

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
        sheets = []
        for name, data in self.shown.sheets.items():
            self.files[f"downloads/{name}"] = data
            sheets.append((self.paper_name(name), name, max(1, round(len(data) / 1000))))
        faces = [(row, [face.id for face in self.sides(row)]) for row in self.game.by_id.values() if self.sides(row)]
        answer = self.downloads_answer()
        self.page("downloads.md", "downloads", self.words["downloads"], sheets=sheets, faces=faces, answer=answer)

    def paper_name(self, sheet: str) -> str:
        return paper_name(sheet, self.game.name, self.papers, self.words)

    def downloads_answer(self) -> str:
        if self.shown.sheets:
            papers = listed(list(dict.fromkeys(self.paper_name(name).partition(",")[0] for name in self.shown.sheets)))
            return self.words["downloads-answer"].format(papers=papers)
        return self.words["downloads-faces"] if self.shown.faces else ""

    def credits(self) -> None:
        self.page("credits.md", "credits", self.words["credits"], makers=self.makers())

    # What pages share

    def makers(self) -> str:
        return listed(list(dict.fromkeys(credit.name for credit in self.game.info.credits)))

    def law(self, law: Rule | Ruling, path: str) -> LawView:
        viewer = self.viewer(path)
        reader = viewer.reader
        return LawView(
            law,
            self.map.numbers[law.id],
            reader.md(law.text if isinstance(law, Rule) else law.ruling),
            self.origin(law.status, law.source),
            tuple(viewer.example(example) for example in self.map.pinned.get(law.id, ())),
            tuple(reader.titled(example.id) for example in self.map.also.get(law.id, ())),
            tuple((reader.titled(one.id), reader.md(one.ruling)) for one in self.about.get(law.id, ())),
            tuple(reader.anchor(erratum.id) for erratum in self.errata_about.get(law.id, ())),
            len(self.shown.proof.shown.get(law.id, ())),
        )

    def origin(self, status: str, source: str | None) -> str:
        """Who says so, in words."""
        if not source:
            return self.words[f"from-{status}-bare"]
        return self.words[f"from-{status}"].format(where=escaped(source_words(source, self.words)))

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
        """The deck's columns that name a rule, as a table: heads, and rows with a value in any of them."""
        heads: list[tuple[str, Column]] = [(name, column) for name, column in deck.columns.items() if column.rule]
        rows = []
        for row in self.game.components[deck.id]:
            values = [getattr(row, name.replace("-", "_")) for name, _ in heads]
            if any(value is not None for value in values):
                rows.append((row, ["–" if value is None else self.said(value) for value in values]))
        return {"heads": [(column.label, column.rule) for _, column in heads], "rows": rows} if rows else {}

    def cells(self, deck: Deck, row: Component) -> list[tuple[str, str, str | None]]:
        """Every column of a row that holds something: label, value as Markdown, and the rule that gives it."""
        reader = Reader(self.map, "components.md")
        cells = []
        for name, column in deck.columns.items():
            value = getattr(row, name.replace("-", "_"))
            if value is not None and value != "":
                cells.append((column.label, reader.md(" ".join(self.said(value).split())), column.rule))
        return cells

    def said(self, value: object) -> str:
        """The value of a cell in words."""
        return self.words["said-yes" if value else "said-no"] if isinstance(value, bool) else str(value)

    def named_in(self, kind: str = "id") -> dict[str, list[str]]:
        """The rules and rulings whose texts name a component, or a term."""
        named: dict[str, list[str]] = {}
        for id_, law in self.game.laws.items():
            text = law.text if isinstance(law, Rule) else f"{law.question} {law.ruling}"
            for name in dict.fromkeys(one.name for one in references(text) if one.kind == kind):
                named.setdefault(name, []).append(id_)
        return named


def rulings_title(to: Map, path: str) -> str:
    """What a page of rulings is called: after its section."""
    for section in to.shown.game.sections:
        if path == f"rulings-{section.id}.md":
            return to.words["rulings-on"].format(section=section.title)
    return to.words["rulings-general"]


def paper_name(sheet: str, game: str, papers: Mapping[str, Paper], words: Words) -> str:
    """What a file of sheets is for: its paper, and what is particular about it.

    >>> a4 = Paper(name="A4", width=210, height=297)
    >>> paper_name("owls-a4-low.pdf", "owls", {"a4": a4}, {"sheets-low": "little ink"})
    'A4, little ink'
    """
    rest = sheet.removesuffix(".pdf").removeprefix(f"{game}-")
    fitting = [id_ for id_ in papers if rest == id_ or rest.startswith(f"{id_}-")]
    paper = max(fitting, key=len, default="")  # a paper's own name may have hyphens
    name = papers[paper].name if paper else rest
    parts = rest.removeprefix(paper).split("-") if paper else []
    return ", ".join([name, *(words[f"sheets-{part}"] for part in parts if f"sheets-{part}" in words)])


def source_words(source: str, words: Words) -> str:
    """The lines of a rulebook as people say them.

    >>> source_words("L92-94, L98", {"line": "line {n}", "lines": "lines {n}"})
    'lines 92–94 and 98'
    """
    parts = [part.strip() for part in source.split(",")]
    if not all(re.fullmatch(r"L\d+(-L?\d+)?", part) for part in parts):
        return source
    numbers = [part.replace("L", "").replace("-", "–") for part in parts]
    many = len(numbers) > 1 or "–" in numbers[0]
    return words["lines" if many else "line"].format(n=listed(numbers))


def trimmed_svg(face: Face) -> str:
    """A face as it looks when it is cut: what bleeds over the edge is left out."""
    stock = face.stock
    sized = f'viewBox="0 0 {stock.width:g} {stock.height:g}" width="{stock.width:g}mm" height="{stock.height:g}mm"'
    return re.sub(r'viewBox="[^"]*" width="[^"]*" height="[^"]*"', sized, standalone_svg(face), count=1)


def _cover(shown: Shown) -> list[tuple[str, str]]:
    """The faces that stand for a game: the fronts of its first deck. Path and whether the piece is round."""
    deck = shown.game.info.decks[0]
    ids = [f"{row.id}-front" for row in shown.game.components[deck.id]]
    faces = [shown.faces[id_] for id_ in ids if id_ in shown.faces][:4]
    return [(face_file(face.id), face.stock.shape) for face in faces]


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
    environment.filters["listed"] = lambda items: listed(list(items))
    environment.globals["w"] = words
    environment.globals["paw"] = inline_icon(data_folder("templates") / "icons" / "paw.svg")
    return environment


def _page(meta: Mapping[str, Any], body: str) -> str:
    """Markdown with its front matter. JSON is YAML, and needs no thought about quoting."""
    lines: Iterable[str] = (f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in meta.items())
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
    own = [words["checked"], words["unchecked"], words["motto"], words["not-found"]]
    return " ".join([*own, *(shown.game.info.tagline for shown in games)])
