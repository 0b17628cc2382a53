"""Read a game's folder into a Game, and report every problem in every file together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from grimalkin.content.filenames import check_names
from grimalkin.content.folder import Folder
from grimalkin.content.game import Game, facts_of
from grimalkin.content.introduction import check_learn
from grimalkin.content.models import GameFile
from grimalkin.content.player_aids import LearnFile, QuickFile
from grimalkin.content.quick_reference import check_quick
from grimalkin.content.rules import (
    ErrataFile,
    Example,
    ExamplesFile,
    Playthrough,
    RulesFile,
    RulingsFile,
    SearchFile,
    Section,
    TermsFile,
)
from grimalkin.content.scenarios import read_maps, read_scenarios, read_story
from grimalkin.content.tables.rows import read_tables
from grimalkin.content.texts.dead_links import (
    check_named_rules,
    check_parts,
    check_passages,
    check_references,
    check_scenarios,
    check_search,
    check_shown_first,
    check_styles,
    check_variants,
)
from grimalkin.content.versions import check_kept, read_kept
from grimalkin.floors import having, ours_on
from grimalkin.games import find_game, guarded, outside_games
from grimalkin.problems import Place, Problems, Stop
from grimalkin.problems.plain import folded
from grimalkin.source import At, bundled_games, files_in, name_of

# Imports that only games with an engine need are made where they are used.
if TYPE_CHECKING:
    from grimalkin.engine.contract import Facts
    from grimalkin.engine.replay import Script

RULINGS_APART = "general"
MOST_PIECES = 50_000
"""The most pieces in a game: each is drawn separately."""


def load_game(path: Path, problems: Problems, draft: bool = False) -> Game | None:
    """Read and check a game's folder. Return what could be read, or None if game.yaml or its engine is unusable.

    With `draft`, treat the game as a draft, whatever its game.yaml says.
    """
    own = Problems()  # problems in other games do not count here
    try:
        return _load(Folder(path, own), draft)
    except Stop as stop:
        own.found.update(dict.fromkeys(stop.problems))
        return None
    finally:
        problems.found.update(own.found)


def whole_game(path: Path, draft: bool = False) -> Game:
    """Read and check a game's folder as `load_game` does. Raises Stop with every problem in it."""
    problems = Problems()
    game = load_game(path, problems, draft)
    if game is None or problems:
        raise Stop(problems)
    return game


def game_file(path: Path, problems: Problems) -> GameFile | None:
    """Read only game.yaml; return it, or None with problems if it is unusable."""
    return Folder(path, problems).info()


def facts_in(path: Path, problems: Problems) -> tuple[str, Facts] | None:
    """Return the name of a game's engine and the facts for it, without asking the engine; None without a game.yaml."""
    folder = Folder(path, problems)
    info = folder.info()
    if info is None:
        return None
    tables = read_tables(folder, info)
    maps = read_maps(folder, info)
    return info.engine or name_of(path), facts_of(
        tables.info, tables.components, tables.lists, maps, read_scenarios(folder, maps), read_story(folder)
    )


def _load(folder: Folder, draft: bool) -> Game | None:
    info = folder.info()
    if info is None:
        return None
    if draft:
        info = info.model_copy(update={"draft": True})
    with guarded(info.engine or name_of(folder.path)):  # the engine runs from here on
        game = _read(folder, info)
        for check in CHECKS:
            check(folder, game)
        scripts = _scripts(folder, game)
        for check in (*CHECKS_OF_VIEWS, *(part.check for part in having("content", "check"))):
            check(folder, game)
    object.__setattr__(game, "scripts", scripts)
    return game


# Reading


def _read(folder: Folder, info: GameFile) -> Game:
    """Read everything in the folder, as far as possible."""
    source = folder.sources["game.yaml"]
    check_names(folder, info)
    tables = read_tables(folder, info)
    info, components = tables.info, tables.components
    pieces = sum(row.count for rows in components.values() for row in rows)
    if pieces > MOST_PIECES:
        folder.tell(source, ("decks",), f"the game has {pieces:,} pieces", f"at most {MOST_PIECES:,}")
    prefix = info.prefix or ""
    has_engine = find_game(info.engine or name_of(folder.path)) is not None
    maps = read_maps(folder, info)
    folder.note_texts(source, (), source.data)
    return Game(
        name=name_of(folder.path),
        folder=folder.path,
        info=info,
        source=source,
        places=folder.places,
        components=components,
        pages=tables.pages,
        lists=tables.lists,
        unused=tables.unused,
        sections=_sections(folder, prefix, has_engine),
        every_ruling=folder.listed("rulings.yaml", RulingsFile, "rulings", prefix),
        every_erratum=folder.listed("errata.yaml", ErrataFile, "errata", prefix),
        terms=folder.listed("terms.yaml", TermsFile, "terms"),
        examples=_examples(folder, prefix),
        playthroughs=folder.each_file("playthroughs", Playthrough, prefix),
        maps=maps,
        parts={part.NAME: part.read(folder, tables) for part in ours_on("content")},
        quick=folder.listed("quick.yaml", QuickFile, "quick"),
        learn=folder.file("learn.yaml", LearnFile)[0],
        search=folder.file("search.yaml", SearchFile)[0],
        scenarios=read_scenarios(folder, maps),
        entries=read_story(folder),
        kept=read_kept(folder.path, folder.problems),
        remarks=tuple(folder.remarks),
    )


def _examples(folder: Folder, prefix: str) -> tuple[Example, ...]:
    paths = files_in(folder.path, "examples", ".yaml", folder.problems)
    return tuple(
        one for path in paths for one in folder.listed(f"examples/{path.name}", ExamplesFile, "examples", prefix)
    )


def _sections(folder: Folder, prefix: str, required: bool) -> tuple[Section, ...]:
    """Return the rules, by section; a game with an engine must have some."""
    rules = folder.file("rules.yaml", RulesFile, required)
    for at, section in folder.each(rules, "sections"):
        if folded(section.id) == RULINGS_APART:
            hint = "the page of rulings that belong to no section has this name"
            folder.tell(rules[1], (*at, "id"), f'a section cannot be called "{section.id}"', hint)
        for index, rule in enumerate(section.rules):
            folder.claim(rule.id, rules[1], (*at, "rules", index), prefix)
    return rules[0].sections if rules[0] else ()


def _scripts(folder: Folder, game: Game) -> dict[str, Script]:
    """Return the scripts that the engine replays, by id."""
    scripts: dict[str, Script] = {}
    if game.module and not folder.problems:
        from grimalkin.content.scripts import Shapes, read_script

        written: tuple[Example | Playthrough, ...] = (*game.examples, *game.playthroughs)
        shapes = Shapes(game.module, game.facts) if written else None
        for one in written:
            script = read_script(one, game.module, game.facts, *folder.places[one.id], folder.problems, shapes)
            if script:
                scripts[one.id] = script
    return scripts


# Checks


def check_engine(folder: Folder, game: Game) -> None:
    if game.info.engine and game.module is None:
        known = [*(name for name in bundled_games() if find_game(name)), *outside_games()]
        folder.must_be_there("engine", game.info.engine, known, folder.sources["game.yaml"], ("engine",))


def check_facts(folder: Folder, game: Game) -> None:
    """Report facts that the engine does not accept."""
    for misfit in game.checks.check_facts(game.facts) if game.checks and not folder.problems else ():
        place = _place_of_fact(folder, misfit.at)
        folder.problems.add(place, f"{misfit.at[-1]}: {misfit.message}", misfit.hint)


def _place_of_fact(folder: Folder, at: At) -> Place:
    """Return the place of a fact in the files, given the keys that lead to it."""
    kind, *rest = at
    if kind == "components":
        source, start = folder.places[str(rest[0])]
        return source.place(start)
    named = 2 if kind == "lists" else 1
    source, start = folder.places["/".join(map(str, (kind, *rest[:named])))]
    return source.place((*start, *rest[named:]))


CHECKS = (
    check_engine,
    check_facts,
    check_parts,
    check_scenarios,
    check_shown_first,
    check_styles,
    check_variants,
    check_references,
    check_passages,
    check_kept,
    check_named_rules,
)
CHECKS_OF_VIEWS = (check_quick, check_learn, check_search)
"""Checks of things made from a game. They run after its scripts are read, and only if nothing else is wrong."""
