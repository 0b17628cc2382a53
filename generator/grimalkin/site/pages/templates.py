"""Set up the templates of pages, and join their output with front matter.

Templates are in templates/pages and hold Markdown and structure. Their wording is in words.yaml beside them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from grimalkin.content.models import credited
from grimalkin.floors import folders_of
from grimalkin.printing.face.icons import Icons
from grimalkin.printing.face.template_cache import compiled_templates
from grimalkin.problems import Problems
from grimalkin.problems.plain import listed
from grimalkin.site.pages.examples import MOST_REASONS
from grimalkin.site.pages.links import escaped, inline_icon
from grimalkin.site.pages.plan_drawing import HIDE
from grimalkin.site.pages.words import load_words
from grimalkin.source import data_folder

MOST_CARDS = 9
"""Most examples of a law that share a row of the page: the first is beside the law, the others below. More take the
full width."""


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
    made.globals["paw"] = inline_icon(Icons(None, Problems()), "paw")
    return made


def page_text(meta: Mapping[str, Any], body: str) -> str:
    """Return Markdown with its front matter, written as JSON: it is valid YAML and avoids problems of quoting."""
    lines: Iterable[str] = (f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in meta.items())
    body = re.sub(r"(?<=\d) %", "\xa0%", body)  # a line never breaks between a number and its percent sign
    return "---\n" + "\n".join(lines) + "\n---\n\n" + re.sub(r"\n{3,}", "\n\n", body).strip() + "\n"
