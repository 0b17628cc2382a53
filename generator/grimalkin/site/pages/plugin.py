"""Our plugin for mkdocs: it adds the generated pages, then writes fonts and the search index.

`build_site` passes the pages to the plugin that mkdocs has made; the module keeps no state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

import mkdocs.theme
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import get_toc

from grimalkin.printing.face.layers import FONTS_OF_PAGES, page_font
from grimalkin.printing.face.templating.template_cache import compiled_templates
from grimalkin.site.pages.addresses import FINDER, addresses, finder
from grimalkin.site.pages.guide import place_in_folder
from grimalkin.site.pages.links import Map
from grimalkin.site.pages.markup import description, lean
from grimalkin.site.pages.rendered import EXTENSIONS, SETTINGS, Content, Rendered, finished
from grimalkin.site.pages.search_index import keywords_of, write_search
from grimalkin.site.pages.shown import Shown
from grimalkin.site.pages.sign import Sign
from grimalkin.site.pages.templates import by_hand, load_words

CONTENT = "<page-content>"
"""The place of a page's content in the theme. No text contains it, since the theme escapes all text."""
BADGE = "assets/mark.svg"
"""The picture for the tabs of browsers."""
ASCII = "".join(map(chr, range(32, 127)))
FOLDERS = ("guide", "decisions")
"""Folders of hand-written pages; each becomes a part of the navigation unless it is empty."""


class Settings(Config):  # type: ignore[no-untyped-call]
    """The plugin's settings: none, since `build_site` passes it everything."""


class GrimalkinPlugin(BasePlugin[Settings]):  # type: ignore[no-untyped-call]
    """Adds the generated pages to a site, its fonts, and a search index that also works from disk."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: Mapping[str, Content] = {}
        self.nav: list[Any] = []
        self.beside: Mapping[str, str] = {}
        """Pages outside the navigation, each with the page that represents it there; by path."""
        self.games: Sequence[Shown] = ()
        """The games on the site."""
        self.sign = Sign("")
        """The sign over the site."""
        self.lettered: Mapping[str, str] = {}
        """All text in the fonts that only a few words have; these contain only its letters."""
        self.variants = ""
        """Font variants that texts use, in CSS: `small-caps`."""
        self.footer = ""
        """The footer of every page."""
        self.metas: dict[str, Mapping[str, Any]] = {}
        """The front matter of every page, by its address."""
        self.made: dict[str, Rendered] = {}
        """Every page, by path."""
        self.docs: list[Mapping[str, str]] = []
        """Everything that the search reads, with its address."""
        self.letters = set(ASCII)

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        config.theme.static_templates = {"404.html"}
        config.markdown_extensions = list(EXTENSIONS)
        config.mdx_configs = SETTINGS
        return config

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        words = load_words()
        sitemap = files.get_file_from_path("sitemap.xml")
        if sitemap:  # mkdocs adds one; it would need the site's address, and contains a date
            files.remove(sitemap)
        written = self.sign.written
        for file in list(files) if written is not None else ():
            if file.src_dir == config.docs_dir and file.src_uri.partition("/")[0] not in written:  # type: ignore[operator]
                files.remove(file)
        badge = files.get_file_from_path(BADGE)
        if badge and self.sign.badge:
            files.remove(badge)
            files.append(File.generated(config, BADGE, content=self.sign.badge))
        for path in sorted(self.pages):
            within = InclusionLevel.NOT_IN_NAV if path in self.beside else InclusionLevel.UNDEFINED
            content = self.pages[path]
            if isinstance(content, Path):
                folder = str(content).removesuffix(path)
                file = File(path, folder, config.site_dir, config.use_directory_urls)
                file.copy_file = partial(_move, file)  # type: ignore[method-assign]
            else:
                text = "" if isinstance(content, Rendered) else content
                file = File.generated(config, path, content=text, inclusion=within)
            files.append(file)
        texts = sorted(file.src_uri for file in files if file.is_documentation_page())
        nav = list(self.nav)
        for folder in FOLDERS:
            inside = [path for path in texts if path.startswith(f"{folder}/")]
            inside.sort(key=place_in_folder)
            if inside:
                nav.append({words[folder]: inside})
        if "about.md" in texts:
            nav.append({words["about-site"]: "about.md"})
        config.nav = nav
        return files

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> Navigation:
        """Give a page outside the navigation the same position and neighbours as the page that represents it."""
        pages = {page.file.src_uri: page for page in nav.pages}
        for path, open_path in self.beside.items():
            file, to = files.get_file_from_path(path), pages.get(open_path)
            if file and file.page and to:
                file.page.beside = to  # type: ignore[attr-defined]
                file.page.parent = to.parent
                file.page.previous_page, file.page.next_page = to.previous_page, to.next_page
        return nav

    def on_env(self, env: Any, *, config: MkDocsConfig, files: Files) -> Any:
        env.globals["w"] = {**load_words(), **self.sign.words}
        env.tests["by_hand"] = by_hand
        env.globals["footer"] = self.footer
        env.bytecode_cache = compiled_templates([str(mkdocs.theme.__file__)])
        env.globals["sign"] = self.sign
        env.globals["mark"] = self.sign.mark
        return env

    def on_pre_page(self, page: Page, *, config: MkDocsConfig, files: Files) -> Page:
        """Let a rendered page keep its HTML: mkdocs would render its Markdown."""
        made = self.pages.get(page.file.src_uri)
        if isinstance(made, Rendered):
            page.render = partial(_fill, page, made)  # type: ignore[method-assign]
        return page

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Leave only a mark in the theme: the content is finished already, and the theme is made lean without it."""
        path = page.file.src_uri
        given = self.pages.get(path)
        made = given if isinstance(given, Rendered) else finished(page.meta, html, page.toc)
        page.meta.setdefault("description", description(page.title or "", *made.opening))
        self.made[path] = made
        return CONTENT

    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        made = self.made[page.file.src_uri]
        self.metas[page.url] = page.meta
        self.docs.append({"location": page.url, "title": page.title or "", "text": made.text})
        for anchor, title, text in made.texts:
            self.docs.append({"location": f"{page.url}#{anchor}", "title": title, "text": text})
        theme = lean(output)
        self.letters.update(unescape(theme), made.letters)
        return theme.replace(CONTENT, made.published())

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        site = Path(config.site_dir)
        _write_fonts(site / "fonts", self.letters, self.lettered, self.variants)
        for path in (site / "assets").iterdir():
            if path.suffix in (".css", ".js"):
                path.write_text(_dense(path.read_text("utf-8")), "utf-8")
        words = load_words()
        ids = finder({shown.game.name: addresses(Map(shown, words)) for shown in self.games})
        (site / FINDER).write_text(ids, "utf-8")
        write_search(site, self.docs, keywords_of(self.games), self.metas, self.games, self.sign.written != ())


def _move(file: File, dirty: bool = False) -> None:
    """Move a file to where mkdocs would copy it."""
    assert file.abs_src_path is not None
    target = Path(file.abs_dest_path)
    target.parent.mkdir(parents=True, exist_ok=True)
    Path(file.abs_src_path).replace(target)


def _fill(page: Page, made: Rendered, _config: MkDocsConfig, _files: Files) -> None:
    page.meta, page.content, page.toc = dict(made.meta), CONTENT, get_toc(list(made.contents))
    page.present_anchor_ids = set(made.anchors)


def _write_fonts(folder: Path, letters: set[str], lettered: Mapping[str, str], variants: str) -> None:
    folder.mkdir(exist_ok=True)
    for name, font in FONTS_OF_PAGES.items():
        wanted = set(lettered[name]) if name in lettered else letters
        (folder / f"{name}.woff2").write_bytes(page_font(font, wanted, variants.split()))


def _dense(text: str) -> str:
    """Strip indentation, and comments with lines of their own, from one of our style sheets or scripts. No string in
    them spans lines."""
    kept, is_comment = [], False
    for line in map(str.strip, text.splitlines()):
        is_comment = is_comment or (line.startswith("/*") and line.find("*/") in (-1, len(line) - 2))
        if line and not is_comment:
            kept.append(line)
        is_comment = is_comment and not line.endswith("*/")
    return "\n".join(kept) + "\n"
