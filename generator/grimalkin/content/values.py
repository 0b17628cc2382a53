"""What a key of a content file may hold, ids, lines, texts and numbers; and what all models of such files share."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from grimalkin.content.references import braced
from grimalkin.problems.plain import ID, LONGEST_ID, SMALL_ID, fault_of_name
from grimalkin.source.reading import LONGEST_TEXT


def _is_short(text: str) -> str:
    if len(text) > LONGEST_ID:
        raise ValueError(f"an id has at most {LONGEST_ID} letters, this one has {len(text)}")
    return text


def _names_files(text: str) -> str:
    fault = fault_of_name(text)
    if fault:
        raise ValueError(f'files are named after it, and they cannot be called "{text}": {fault}')
    return text


Id = Annotated[str, StringConstraints(pattern=f"^{ID.pattern}$"), AfterValidator(_is_short)]
"""Letters, digits and single hyphens. Ids are permanent: never reused, never renumbered."""
FileId = Annotated[Id, AfterValidator(_names_files)]
"""An id that is the whole name of a file or a folder."""
SmallFileId = Annotated[
    str,
    StringConstraints(pattern=f"^{SMALL_ID.pattern}$"),
    AfterValidator(_is_short),
    AfterValidator(_names_files),
]
"""The same in small letters."""


NO_TEXT = re.compile(r"[\0-\x08\v-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters, and halves of characters: XML cannot hold them, fonts have none, and terminals obey some."""


def is_text(text: str) -> str:
    found = NO_TEXT.search(text)
    if found:
        raise ValueError(f"the character U+{ord(found[0]):04X} cannot be printed: delete it")
    return text


def _is_unstyled(text: str) -> str:
    if braced(text):
        raise ValueError(f'marks in braces stand in texts alone, and not in "{text}": write them in the template')
    return text


def _is_one_paragraph(text: str) -> str:
    if "\n" in text:
        raise ValueError("this is one paragraph: what comes after the end of the line is another item, or joins it")
    return text


LONGEST_LINE = 1_000
Line = Annotated[
    str,
    StringConstraints(min_length=1, max_length=LONGEST_LINE, pattern=r"^[^\n]*$"),
    AfterValidator(is_text),
    AfterValidator(_is_unstyled),
]
"""Text on one line, such as a name: it stands in lists, menus and bookmarks, where no word looks otherwise."""
Text = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TEXT), AfterValidator(is_text)]
"""Markdown, with [[references]] and :icons:."""
Paragraph = Annotated[Text, AfterValidator(_is_one_paragraph)]
"""A text that is one paragraph, such as an item of a list."""
Passages = Annotated[
    tuple[Line, ...],
    BeforeValidator(
        lambda value: (value,) if isinstance(value, str) else value, json_schema_input_type=Line | tuple[Line, ...]
    ),
]
"""Headings of a rulebook, one or a list of them."""
SOURCE = "Where the rulebook says so: the heading above the passage, or a list of headings."
Colour = Annotated[str, StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$")]


def _as_written(value: Any) -> Any:
    """What a cell says is what will be printed: a number is not read that would be written in another way."""
    text = value.strip() if isinstance(value, str) else ""
    if text and not _WHOLE.fullmatch(text) and _READ_AS_WHOLE.fullmatch(text):
        number = str(int(text.partition(".")[0].replace("_", "")))
        raise PydanticCustomError("other_number", "{number}", {"number": number})
    return value


_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,4000}")
_READ_AS_WHOLE = re.compile(r"[+-]?[0-9][0-9_]{0,4000}(\.0{0,4000})?")
AS_WRITTEN = BeforeValidator(_as_written)
Whole = Annotated[int, AS_WRITTEN]
"""A whole number, written as it is printed."""
OWN_ID = Field(description="Letters, digits and hyphens; never changed, never used twice.")
OwnId = Annotated[Id, OWN_ID]
Name = Annotated[Line, Field(description="What people call it.")]
Title = Annotated[Line, Field(description="A few words.")]
Length = Annotated[float, Field(gt=0, le=2000, allow_inf_nan=False, description="Millimetres.")]
Status = Annotated[Literal["printed", "inferred", "ruling", "house"], Field(description="Who says so.")]
"""Who says so: the rulebook; the rulebook, without saying it; we, where it is silent; we, for content of our own."""


def _kebab(name: str) -> str:
    return name.replace("_", "-")


class Model(BaseModel):
    """What all models share."""

    # Built when it is first used: no command uses all models.
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=_kebab,
        populate_by_name=True,
        str_strip_whitespace=True,
        defer_build=True,
    )
