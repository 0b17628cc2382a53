"""Types for the keys of content files (ids, lines, texts, numbers), and the base of all models."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from grimalkin.content.texts.references import braced
from grimalkin.problems.plain import ID, LONGEST_ID, SMALL_ID, fault_of_name
from grimalkin.source.colours import noted
from grimalkin.source.reading import LONGEST_TEXT


def _is_short(text: str) -> str:
    if len(text) > LONGEST_ID:
        raise ValueError(f"an id has at most {LONGEST_ID} characters; this one has {len(text)}")
    return text


def _names_files(text: str) -> str:
    fault = fault_of_name(text)
    if fault:
        raise ValueError(f'files are named after it, and none can be called "{text}": {fault}')
    return text


Id = Annotated[str, StringConstraints(pattern=f"^{ID.pattern}$"), AfterValidator(_is_short)]
"""Letters, digits and single hyphens. Ids are permanent: never reused, never renumbered."""
FileId = Annotated[Id, AfterValidator(_names_files)]
"""An id that is also the name of a file or a folder."""
SmallFileId = Annotated[
    str,
    StringConstraints(pattern=f"^{SMALL_ID.pattern}$"),
    AfterValidator(_is_short),
    AfterValidator(_names_files),
]
"""A lower-case FileId."""


NO_TEXT = re.compile(r"[\0-\x08\v-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters and lone surrogates: XML cannot hold them, fonts lack them, and terminals obey some of them."""


def is_text(text: str) -> str:
    found = NO_TEXT.search(text)
    if found:
        raise ValueError(f"the character U+{ord(found[0]):04X} cannot be printed; delete it")
    return text


def _is_unstyled(text: str) -> str:
    if braced(text):
        raise ValueError(f'only texts may have marks in braces, not "{text}"; write them in the template')
    return text


def _is_one_paragraph(text: str) -> str:
    if "\n" in text:
        raise ValueError("this must be one paragraph; join the lines, or make each an item of the list")
    return text


LONGEST_LINE = 1_000
Line = Annotated[
    str,
    StringConstraints(min_length=1, max_length=LONGEST_LINE, pattern=r"^[^\n]*$"),
    AfterValidator(is_text),
    AfterValidator(_is_unstyled),
]
"""Text on one line, such as a name. Lists, menus and bookmarks show it, so it has no styles."""
Text = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TEXT), AfterValidator(is_text)]
"""Markdown, with [[references]] and :icons:."""
Paragraph = Annotated[Text, AfterValidator(_is_one_paragraph)]
"""A text of one paragraph, such as a list item."""
Passages = Annotated[
    tuple[Line, ...],
    BeforeValidator(
        lambda value: (value,) if isinstance(value, str) else value, json_schema_input_type=Line | tuple[Line, ...]
    ),
]
"""One heading of a rulebook, or a list of them."""
SOURCE = "The place in the rulebook: the heading above the passage, or a list of headings."
Colour = Annotated[str, StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$")]
Shade = Annotated[
    str,
    StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$|^(#[0-9a-fA-F]{6} )?(cmyk|gray|spot|finish)\("),
    AfterValidator(noted),
]
"""A colour as #rrggbb, or as the inks of a print shop; see `source.colours`."""


def _as_written(value: Any) -> Any:
    """Refuse a number that would be printed differently from how it is written, such as 007 or 1.0."""
    text = value.strip() if isinstance(value, str) else ""
    if text and not _WHOLE.fullmatch(text) and _READ_AS_WHOLE.fullmatch(text):
        number = str(int(text.partition(".")[0].replace("_", "")))
        raise PydanticCustomError("other_number", "{number}", {"number": number})
    return value


_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,4000}")
_READ_AS_WHOLE = re.compile(r"[+-]?[0-9][0-9_]{0,4000}(\.0{0,4000})?")
AS_WRITTEN = BeforeValidator(_as_written)
Whole = Annotated[int, AS_WRITTEN]
"""A whole number, written as it should be printed."""
OWN_ID = Field(description="Letters, digits and hyphens; never change it, never use it twice.")
OwnId = Annotated[Id, OWN_ID]
Name = Annotated[Line, Field(description="The name that people see.")]
Title = Annotated[Line, Field(description="The title, a few words.")]
Length = Annotated[float, Field(gt=0, le=2000, allow_inf_nan=False, description="A length in millimetres.")]
Status = Annotated[
    Literal["printed", "inferred", "ruling", "house"],
    Field(
        description="Where it comes from: printed in the rulebook, inferred from it, our ruling, or our own (house)."
    ),
]
"""Its origin: the rulebook; an inference from it; our ruling where it is silent; our own content."""


def _kebab(name: str) -> str:
    return name.replace("_", "-")


class Model(BaseModel):
    """The base of all models of content files."""

    # Built on first use: no command uses all models.
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=_kebab,
        populate_by_name=True,
        str_strip_whitespace=True,
        defer_build=True,
    )
