"""Report everything named in a game's files that does not exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grimalkin.content.folder import WHERE, Folder, icon_names
from grimalkin.content.game import Game
from grimalkin.content.models import Component, Drawn, GameFile, Listing
from grimalkin.content.rules import Erratum, Example, Rule, Ruling
from grimalkin.content.scenarios import Clause, Entry, Scenario
from grimalkin.content.texts.references import brace_faults, loose_fault, loose_marks, references
from grimalkin.content.validation import Misfit
from grimalkin.floors import having
from grimalkin.problems import did_you_mean
from grimalkin.source import At, Source
from grimalkin.source.colours import ink_of

RESERVED_VARIANTS = ("full", "low", "mono", "fronts", "backs", "form", "quick")
"""Endings of printed file names that have other meanings."""

Sourced = Drawn | Listing | Rule | Ruling | Erratum | Example | Scenario | Clause | Entry


def check_parts(folder: Folder, game: Game) -> None:
    """Report parts that the game's positions do not count."""
    if game.info.parts is None or game.module is None or folder.problems:
        return
    from grimalkin.engine.shape import Whole

    shape = game.module.position_shape(game.facts)
    counted = [key for key, one in {**shape.required, **shape.optional}.items() if isinstance(one, Whole)]
    if game.info.parts.key not in counted:
        hint = did_you_mean(game.info.parts.key, counted)
        told = f'positions of this game have no number "{game.info.parts.key}"'
        folder.tell(folder.sources["game.yaml"], ("parts", "key"), told, hint)


def check_scenarios(folder: Folder, game: Game) -> None:
    """Report scenarios that need more than the box holds, or name entries of the story that do not exist."""
    for scenario in game.scenarios if not folder.problems else ():
        file, _ = folder.places[f"scenarios/{scenario.id}"]
        for name, needed in scenario.pieces.items():
            folder.must_be_there("component", name, [*game.by_id, *game.components], file, ("pieces", name))
            has = game.by_id[name].count if name in game.by_id else needed
            if not 0 <= needed <= has:
                told = f"the scenario needs {needed} of {name}"
                folder.tell(file, ("pieces", name), told, f"write 0 to {has}; the box has no more")
    numbers = [entry.number for entry in game.entries]
    for scenario in game.scenarios:
        file, _ = folder.places[f"scenarios/{scenario.id}"]
        for index, number in enumerate(scenario.entries):
            if number not in numbers:
                folder.tell(file, ("entries", index), f"there is no entry {number}", "entries are in story.yaml")


def check_shown_first(folder: Folder, game: Game) -> None:
    """Report components and examples that represent the game and do not exist."""
    examples = [one.id for one in game.examples]
    for index, id_ in enumerate(game.info.cover if not folder.problems else ()):
        folder.must_be_there("component", id_, game.by_id, folder.sources["game.yaml"], ("cover", index))
    for index, id_ in enumerate(game.info.best_examples if not folder.problems else ()):
        folder.must_be_there("example", id_, examples, folder.sources["game.yaml"], ("best-examples", index))


def check_styles(folder: Folder, game: Game) -> None:
    for name, style in game.info.styles.items():
        if style.fill and not style.fill.startswith("#"):
            at = ("styles", name, "fill")
            folder.must_be_there("colour", style.fill, game.info.palette, folder.sources["game.yaml"], at)
            ink = ink_of(game.info.palette.get(style.fill, ""))
            if ink and ink.kind == "finish":
                told = f'"{style.fill}" is a finish, which is no colour for words'
                folder.tell(folder.sources["game.yaml"], at, told, "name another colour of the palette")


def check_variants(folder: Folder, game: Game) -> None:
    folder.tell_each("game.yaml", _of_variants(game.info, game.by_id, folder.stocks))


def _of_variants(info: GameFile, by_id: Mapping[str, Component], stocks: set[str]) -> Iterator[Misfit]:
    """Yield the faults of a game's variants: the place in game.yaml, what is wrong, and what would be right.

    `stocks` holds the names of all existing stocks.
    """
    used = {stock for stock in (*(d.stock for d in info.decks), *(row.stock for row in by_id.values())) if stock}
    for index, variant in enumerate(info.variants):
        at = ("variants", index)
        if variant.id in RESERVED_VARIANTS:
            meant = "this word already has another meaning at the end of the names of printed files"
            yield (*at, "id"), f'a variant cannot be called "{variant.id}"', meant
        for before, after in variant.stocks.items():
            here = (*at, "stocks", before)
            if before not in used:
                yield here, f'no piece is on the stock "{before}"', did_you_mean(before, used)
            if after not in stocks:
                yield here, f'there is no stock "{after}"', did_you_mean(after, stocks, WHERE["stock"])
        columns = {name: column for deck in info.decks for name, column in deck.columns.items()}
        for one, other in variant.columns.items():
            for name in (one, other):
                if name not in columns:
                    hint = did_you_mean(name, columns)
                    yield (*at, "columns", one), f'no deck has the column "{name}"', hint
            if one in columns and other in columns and columns[one].type != columns[other].type:
                told = f'"{one}" has the type {columns[one].type}, but "{other}" has the type {columns[other].type}'
                yield (*at, "columns", one), told, "a column can replace only one of the same type"
        for name in variant.palette:
            if name not in info.palette:
                hint = did_you_mean(name, info.palette)
                yield (*at, "palette", name), f'the palette has no colour "{name}"', hint


def check_references(folder: Folder, game: Game) -> None:
    """Report incomplete marks in texts, and references that lead nowhere."""
    terms = {term.id for term in game.terms}
    all_known = {
        "id": ids_of(folder),
        "term": terms,
        "icon": icon_names(folder.path, game.info.kin),
    }
    broken = folder.written_ids if folder.problems else set()
    styles = game.info.looks()
    for text, source, at, names in folder.texts:
        if folder.problems.enough:
            return
        for reference in references(text):
            if reference.kind in folder.unread:
                continue
            known = all_known[reference.kind]
            if reference.name not in known and (reference.kind == "icon" or reference.name not in broken):
                written = text[reference.start : reference.end]
                hint = did_you_mean(reference.name, known, WHERE[reference.kind])
                if reference.kind == "id" and reference.name in terms:
                    hint = f"write a term as [[={reference.name}]]"
                if reference.kind == "icon":
                    hint = f"{hint} (\\{written} prints the word)".lstrip()
                folder.tell(source, at, f"the reference {written} leads nowhere", hint)
        for mark in loose_marks(text):
            folder.tell(source, at, *loose_fault(mark))
        for message, hint in brace_faults(text, styles, names):
            folder.tell(source, at, message, hint)


def check_passages(folder: Folder, game: Game) -> None:
    """Report sources missing from the headings in game.yaml, if it lists any, and printed things without a source."""
    headings = game.info.rulebook
    if not headings:
        return
    for one, source, at in _sourced(folder, game):
        for index, heading in enumerate(one.source):
            if heading not in headings:
                hint = did_you_mean(heading, headings) or "game.yaml lists the headings as `rulebook`"
                folder.tell(source, (*at, "source", index), f'the rulebook has no heading "{heading}"', hint)
        if not one.source and not isinstance(one, Erratum) and one.status == "printed":
            hint = "name the heading as its `source`, or give it another `status`, such as house"
            folder.tell(source, at, "this counts as printed, but has no `source`", hint)


def _sourced(folder: Folder, game: Game) -> Iterator[tuple[Sourced, Source, At]]:
    """Yield everything that can cite a passage of the rulebook, each with its place."""
    game_source = folder.sources["game.yaml"]
    parts: dict[str, Sequence[Drawn | Listing]]
    parts = {"decks": game.info.decks, "books": game.info.books, "lists": game.info.lists}
    for key, every in parts.items():
        yield from ((part, game_source, (key, index)) for index, part in enumerate(every))
    laws: list[Rule | Ruling | Erratum | Example] = [*game.rules.values(), *game.every_ruling]
    for law in (*laws, *game.every_erratum, *game.examples):
        yield law, *folder.places[law.id]
    for scenario in game.scenarios:
        source, _ = folder.places[f"scenarios/{scenario.id}"]
        yield scenario, source, ()
        for key, clauses in scenario.clauses().items():
            yield from ((clause, source, (key, index)) for index, clause in enumerate(clauses))
    for entry in game.entries:
        yield entry, *folder.places[f"entries/{entry.number}"]


def check_named_rules(folder: Folder, game: Game) -> None:
    """Report references to rules that do not exist. Do nothing if rules.yaml could not be read."""
    if not game.sections and "rules.yaml" in folder.sources:
        return
    source = folder.sources["game.yaml"]
    rules, laws = set(game.rules), set(game.laws)
    for ruling in game.rulings:
        _named(folder, ruling.id, ("rules",), ruling.rules, rules)
    for erratum in game.errata:
        _named(folder, erratum.id, ("rules",), erratum.rules, rules)
    errata = {erratum.id for erratum in game.errata}
    for example in game.examples:
        _named(folder, example.id, ("rules",), example.rules, laws)
        if example.erratum:
            _named(folder, example.id, ("erratum",), (example.erratum,), errata)
    for part in having("content", "named_laws"):
        for id_, at, names in part.named_laws(game):
            _named(folder, id_, at, names, laws)
    for deck_index, deck in enumerate(game.info.decks):
        for name, column in deck.columns.items():
            if column.rule:
                at = ("decks", deck_index, "columns", name, "rule")
                folder.must_be_there("rule", column.rule, rules, source, at)
    for letter, mark in game.info.maps.marks.items() if game.info.maps else ():
        folder.must_be_there("rule", mark.rule, laws, source, ("maps", "marks", letter, "rule"))
    for scenario in game.scenarios:
        for key, clauses in scenario.clauses().items():
            for index, clause in enumerate(clauses):
                _named(folder, f"scenarios/{scenario.id}", (key, index, "rules"), clause.rules, laws)


def _named(folder: Folder, id_: str, at: At, names: tuple[str, ...], known: set[str]) -> None:
    source, start = folder.places[id_]
    for index, name in enumerate(names):
        folder.must_be_there("rule", name, known, source, (*start, *at, index))


def check_search(folder: Folder, game: Game) -> None:
    """Report ids in search.yaml that do not exist."""
    found = {*ids_of(folder), *(term.id for term in game.terms)}
    for id_ in game.search.also if game.search and not folder.problems else ():
        if id_ not in found:
            source = folder.sources["search.yaml"]
            folder.tell(source, ("also", id_), f'nothing here has the id "{id_}"', did_you_mean(id_, found))


def ids_of(folder: Folder) -> set[str]:
    """Return all ids written in a folder's files, but not the files' names."""
    return {name for name in folder.places if "." not in name}
