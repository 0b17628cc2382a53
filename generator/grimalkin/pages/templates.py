"""What fills the templates of pages; and what they made in, a page with its front matter out.

Templates are in templates/pages; they hold Markdown and structure, the words are in words.yaml beside them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from grimalkin.content.credits import credited
from grimalkin.face.compiled import compiled_templates
from grimalkin.face.icons import Icons
from grimalkin.pages.examples import MOST_REASONS
from grimalkin.pages.links import escaped, inline_icon
from grimalkin.pages.plan_drawing import HIDE
from grimalkin.pages.words import load_words
from grimalkin.problems import Problems
from grimalkin.problems.plain import listed
from grimalkin.source import data_folder

MOST_CARDS = 9
"""Examples of a law, of which the first stands beside it and the others below; more take the whole width."""


@cache
def environment() -> Environment:
    """What all templates know."""
    made = Environment(
        loader=FileSystemLoader(data_folder("templates") / "pages"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # Markdown comes out, not HTML
        optimized=False,  # what a filter makes of a constant is no part of what is kept
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
    """Markdown with its front matter. JSON is YAML, and needs no thought about quoting."""
    lines: Iterable[str] = (f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in meta.items())
    body = re.sub(r"(?<=\d) %", "\xa0%", body)  # a line never ends between a number and its sign
    return "---\n" + "\n".join(lines) + "\n---\n\n" + re.sub(r"\n{3,}", "\n\n", body).strip() + "\n"
