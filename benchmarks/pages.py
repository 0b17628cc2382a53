"""The site of bundled games, beside a plain mkdocs build of the same Markdown: seconds of CPU, and the ratio.

    python benchmarks/pages.py [GAME …]

Both sides get the same finished Markdown and turn it into HTML with the same extensions. Ours adds its fonts, the index
of its search and what makes pages light; the other one is mkdocs with its own theme and its own search.
"""

from __future__ import annotations

import logging
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import yaml
from mkdocs.commands.build import build as plain_build
from mkdocs.config import load_config

from grimalkin.content import prove
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.face import Composer
from grimalkin.printing.sheet.pieces import all_faces
from grimalkin.problems import Problems
from grimalkin.site.pages import Shown, build_site, pages
from grimalkin.site.pages.rendered import EXTENSIONS, SETTINGS
from grimalkin.site.pages.write import home
from grimalkin.source import bundled_games, data_folder, find_game_folder

ROUNDS = 5
Pages = dict[str, str | bytes]


def main() -> None:
    logging.getLogger("mkdocs").setLevel(logging.CRITICAL)
    games = [shown(name) for name in sys.argv[1:] or bundled_games()]
    made = {one.game.name: pages(one) for one in games}
    every = home(games) | {path: content for some in made.values() for path, content in some.items()}
    with tempfile.TemporaryDirectory() as folder:
        docs = written(every, Path(folder) / "docs")
        sides = {
            "the site": lambda: ours(games, made, Path(folder)),
            "plain mkdocs": lambda: plain(docs, Path(folder)),
        }
        taken: dict[str, list[float]] = {name: [] for name in sides}
        for _ in range(ROUNDS):
            for name, side in sides.items():
                taken[name].append(cpu(side))
    medians = {name: statistics.median(values) for name, values in taken.items()}
    for name, seconds in medians.items():
        print(f"{name:14} {seconds:6.2f} s")
    ratios = [mine / theirs for mine, theirs in zip(*taken.values(), strict=True)]
    print(f"ratio          {statistics.median(ratios):6.2f}   (at most 1.5)")


def shown(name: str) -> Shown:
    folder, problems = find_game_folder(name), Problems()
    proved = prove(folder, problems)
    assert proved is not None, "; ".join(map(str, problems))
    game, traces, proof = proved
    composer = Composer(game, load_stocks(folder, problems), problems)
    return Shown(game, traces, proof, composer, all_faces(game, composer), {})


def written(every: Pages, folder: Path) -> Path:
    """The pages and the hand-written ones in a folder, as any mkdocs can build them."""
    for path, content in every.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    docs = data_folder("site") / "docs"
    for path in docs.rglob("*"):
        if path.is_file():
            file = folder / path.relative_to(docs)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(path.read_bytes())
    return folder


def ours(games: list[Shown], made: dict[str, Pages], folder: Path) -> None:
    problems = Problems()
    with tempfile.TemporaryDirectory(dir=folder) as target:
        build_site(games, Path(target), problems, pages_of=lambda one: made[one.game.name])
    assert not problems, "; ".join(map(str, problems))


def plain(docs: Path, folder: Path) -> None:
    own = yaml.safe_load((data_folder("site") / "mkdocs.yml").read_text("utf-8"))
    config = folder / "mkdocs.yml"
    kept = {key: own[key] for key in ("site_name", "use_directory_urls")}
    kept["markdown_extensions"] = [{name: SETTINGS[name]} if name in SETTINGS else name for name in EXTENSIONS]
    config.write_text(
        yaml.safe_dump({**kept, "docs_dir": str(docs), "theme": "mkdocs", "plugins": ["search"]}), "utf-8"
    )
    with tempfile.TemporaryDirectory(dir=folder) as target:
        plain_build(load_config(str(config), site_dir=target))


def cpu(side: Callable[[], None]) -> float:
    begin = time.process_time()
    side()
    return time.process_time() - begin


if __name__ == "__main__":
    main()
