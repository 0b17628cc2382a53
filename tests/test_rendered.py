"""Pages are rendered where they are written, exactly as mkdocs would render them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from games_for_tests import write_game
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import get_files
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import get_toc
from shown import show, texts, write_birds

from grimalkin.output.disk import write_new
from grimalkin.site.pages import pages, render
from grimalkin.site.pages.markup import lean
from grimalkin.site.pages.rendered import EXTENSIONS, SETTINGS, Rendered
from grimalkin.source.reuse import Reuse

LINKS = """---
title: "Owls"
---

# Owls

## By [night](more/mice.md#mouse "Mice"){.far} {#night}

See [there](more/mice.md), [here](#night), [the top](owls.md), [a sheet](<sheet 1.pdf#page=2>),
[them](more/mice.md?x=1#mouse), [out](https://example.org/a.md#b), <owl@example.org> and ![a face](faces/owl.svg).

<div class="law" markdown="1">
<p class="tags"><a id="raw" href="more/mice.md">left as it is</a> <svg><g id="drawn"/></svg></p>

### Owls & “mice” {: #both .x }

- one [mouse](more/mice.md#mouse)
    - `two`
    {: .fact }

</div>
"""
MICE = '---\ntitle: "Mice"\n---\n\n# Mice {#mouse}\n\nBack to the [owls](../owls.md#both), [below](#mouse).\n'
FILES = {"tiny/owls.md": LINKS, "tiny/more/mice.md": MICE, "tiny/faces/owl.svg": "<svg/>", "tiny/sheet 1.pdf": b""}


def by_mkdocs(files: dict[str, str | bytes], folder: Path) -> dict[str, Page]:
    """The pages among files, as mkdocs renders them."""
    write_new(folder / "mkdocs.yml", "site_name: x\nuse_directory_urls: false\n")
    for path, content in files.items():
        write_new(folder / "docs" / path, content)
    config: MkDocsConfig = load_config(str(folder / "mkdocs.yml"))
    config.markdown_extensions, config.mdx_configs = list(EXTENSIONS), SETTINGS
    made = get_files(config)
    rendered = {}
    for file in made.documentation_pages():
        page = Page(None, file, config)
        page.read_source(config)
        page.render(config, made)
        rendered[file.src_uri] = page
    return rendered


def test_pages_are_rendered_as_mkdocs_renders_them(tmp_path: Path) -> None:
    written = {**FILES, **pages(show(write_birds(tmp_path / "tiny")))}
    theirs = by_mkdocs(written, tmp_path / "plain")
    ours = render(written)

    assert sorted(theirs) == sorted(texts(written))
    for path, page in theirs.items():
        made = ours[path]

        assert isinstance(made, Rendered), path
        assert lean(page.content or "") == made.html
        assert str(page.toc) == str(get_toc(list(made.contents)))
        assert page.meta == made.meta
        assert page.present_anchor_ids == set(made.anchors)


def test_the_search_reads_the_text_below_each_heading_in_the_contents() -> None:
    """Or, on a page without such headings, all of it."""
    ours = render(FILES)
    owls, mice = ours["tiny/owls.md"], ours["tiny/more/mice.md"]

    assert isinstance(owls, Rendered) and isinstance(mice, Rendered)
    assert [["night", "By night"], ["both", "Owls &amp; “mice”"]] == [
        [anchor, title] for anchor, title, _ in owls.texts
    ]
    assert ["one mouse two", ""] == [" ".join(owls.texts[1][2].split()), owls.text]
    assert ["Mice Back to the owls , below .", []] == [" ".join(mice.text.split()), mice.texts]


def test_what_is_noted_for_the_next_build_is_the_same_page() -> None:
    """Notes are JSON with sorted keys."""
    first = Reuse()
    made = render(FILES, first)

    assert made == render(FILES, Reuse(json.loads(json.dumps(first.used, sort_keys=True))))


def test_other_files_stay_as_they_are() -> None:
    ours = render(FILES)

    assert list(ours) == list(FILES)
    assert [ours[path] for path in ("tiny/faces/owl.svg", "tiny/sheet 1.pdf")] == ["<svg/>", b""]
    assert render(ours) == ours


@pytest.mark.parametrize(
    "text",
    [
        "plain, *em*, _em_, **strong** and `code`",
        "a  \nline",
        "3 &lt; 4 & AT&T",
        "\\*stars\\*",
        "<b>raw</b>",
        "a [link](owls.md) ![x](faces/owl.svg)",
        "<https://example.org>",
        "[brackets] and [two][ones]",
        "- a plain item\n- *another*\n    - `third`",
        "| a | b |\n|--:|:-:|\n| plain | **2** |",
        "[TOC]" * 2,
    ],
)
def test_every_kind_of_markdown_is_rendered_as_mkdocs_renders_it(text: str, tmp_path: Path) -> None:
    """Texts without any Markdown are passed over, and must not take others with them."""
    written: dict[str, str | bytes] = {**FILES, "tiny/x.md": f'---\ntitle: "X"\n---\n\n# X\n\n{text}\n'}
    made = render(written)["tiny/x.md"]

    assert isinstance(made, Rendered)
    assert lean(by_mkdocs(written, tmp_path / "plain")["tiny/x.md"].content or "") == made.html


@pytest.mark.parametrize(
    "link",
    ["[x](none.md)", "[x](/tiny/owls.md)", "[x](more/mice.md#none)", "[x](#none)", "![x](x.png)", "[x](../a.md)"],
)
def test_a_page_with_a_broken_link_is_left_to_mkdocs(link: str) -> None:
    ours = render({**FILES, "tiny/lost.md": f"# Lost\n\nSee {link}.\n"})

    assert [path for path, page in ours.items() if path.endswith(".md") and isinstance(page, str)] == ["tiny/lost.md"]


def test_a_page_does_not_depend_on_those_before_it(tmp_path: Path) -> None:
    """What Markdown keeps of one page, such as the names of its headings, is forgotten before the next."""
    written = pages(show(write_game(tmp_path / "tiny")))
    alone = {path: render({**written, path: text})[path] for path, text in texts(written).items()}
    together = render({**dict(reversed(written.items()))})

    for path, page in alone.items():
        assert isinstance(page, Rendered)
        assert page.html == together[path].html  # type: ignore[union-attr]
