"""Set up the templates of pages and the words of the interface, and join a page with its front matter.

Templates are in templates/pages and hold Markdown and structure. Their wording is in words.yaml beside them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from grimalkin.content.models import credited
from grimalkin.content.rules import SharedWords
from grimalkin.floors import brought_to, folders_of
from grimalkin.printing.face.images.icons import Icons
from grimalkin.printing.face.templating.template_cache import compiled_templates
from grimalkin.problems import Problems
from grimalkin.problems.plain import listed
from grimalkin.site.pages.examples import MOST_REASONS
from grimalkin.site.pages.links import escaped, inline_icon
from grimalkin.site.pages.plan_drawing import HIDE
from grimalkin.source import data_folder, read_yaml


def load_words() -> dict[str, str]:
    """Return every word and sentence of the interface, by key."""
    words: dict[str, str] = {}
    for part in brought_to("pages"):
        words |= getattr(part, "WORDS", {})
    words |= _own_words()  # ours stay what they are
    taken = [key for key in words if hasattr(words, key)]
    assert not taken, f"a template would read a method of dict instead of the words {taken}"
    return words


@cache
def _own_words() -> Mapping[str, str]:
    problems = Problems()
    source = read_yaml(data_folder("templates") / "pages" / "words.yaml", problems)
    assert source is not None and not problems, "; ".join(map(str, problems))
    words: Mapping[str, str] = source.data
    return words


def passage_words(passages: Sequence[str]) -> str:
    """Name passages of a rulebook: headings in quotation marks, other places in plain words.

    >>> passage_words(["the cover", "Phase 1", "Phase 2: Actions"])
    'the cover, “Phase 1” and “Phase 2: Actions”'
    """
    return listed([passage if passage[0].islower() else f"“{passage}”" for passage in passages])


def origin_words(status: str, passages: Sequence[str], words: Mapping[str, str]) -> str:
    """Describe the source of a text."""
    return words[f"from-{status}" if passages else f"from-{status}-bare"].format(where=passage_words(passages))


def load_synonyms() -> SharedWords:
    """Return the synonyms for all games, and the words that say little."""
    problems = Problems()
    source = read_yaml(data_folder("templates") / "pages" / "synonyms.yaml", problems)
    assert source is not None and not problems, "; ".join(map(str, problems))
    return SharedWords.model_validate(source.data)


MOST_BY_HAND = 5
"""The most words of a tagline in hand lettering; more would be hard to read."""
MOST_CARDS = 9
"""The most examples of a law that share a row of the page: the first is beside the law, the others below. Any more
take the full width."""


def by_hand(tagline: str) -> bool:
    """Return whether a tagline is short enough for hand lettering.

    >>> by_hand("Sheets to cut"), by_hand("The fancier the folk, the finer the feast")
    (True, False)
    """
    return len(tagline.split()) <= MOST_BY_HAND


def environment() -> Environment:
    """Return the Jinja environment of all templates, those of installed parts included."""
    return _environment(folders_of("templates"))


@cache
def _environment(brought: tuple[str, ...]) -> Environment:
    """Return the Jinja environment of all templates, with their filters and globals."""
    made = Environment(
        loader=FileSystemLoader([data_folder("templates") / "pages", *brought]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # the output is Markdown, not HTML
        optimized=False,  # do not cache what a filter makes of a constant
        bytecode_cache=compiled_templates([__file__]),
        comment_start_string="{##",  # Markdown writes anchors as {#id}
        comment_end_string="##}",
    )
    made.filters["esc"] = escaped
    made.filters["credited"] = credited
    made.tests["single"] = lambda items: len(items) < 2
    made.filters["listed"] = lambda items: listed(list(items))
    made.globals["w"] = load_words()
    made.globals["most_reasons"] = MOST_REASONS
    made.globals["most_cards"] = MOST_CARDS
    made.globals["hide"] = HIDE
    made.tests["by_hand"] = by_hand
    made.globals["paw"] = inline_icon(Icons(None, Problems()), "paw")
    return made


def page_text(meta: Mapping[str, Any], body: str) -> str:
    """Return Markdown with its front matter, written as JSON: it is valid YAML and avoids problems with quoting."""
    lines: Iterable[str] = (f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in meta.items())
    body = re.sub(r"(?<=\d) %", "\xa0%", body)  # a line never breaks between a number and its percent sign
    return "---\n" + "\n".join(lines) + "\n---\n\n" + re.sub(r"\n{3,}", "\n\n", body).strip() + "\n"
