"""Check data against a model; every complaint from pydantic becomes a Problem with its line."""

from __future__ import annotations

import types
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError

from grimalkin.problems import GUIDE, Problems, colour_hint, did_you_mean
from grimalkin.source import At, Source

Misfit = tuple[At, str, str]
"""The keys to a place in a file, what is wrong, and what would be right."""
M = TypeVar("M", bound=BaseModel)
MOST_MEANT = 50
"""The most unknown keys to compare with missing keys."""


def checked(model: type[M], data: object, source: Source, problems: Problems, at: At = ()) -> M | None:
    """Return `data` as a value of `model`, or None with problems. `at` leads to `data` within the source."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        complaints = error.errors(include_url=False)
        unknown = [one["loc"] for one in complaints if one["type"] == "extra_forbidden"]
        meant = {_meant(loc, model) for loc in unknown[:MOST_MEANT]}
        for complaint in complaints:
            if problems.enough:
                break
            if (
                complaint["type"] != "missing"
                or (*complaint["loc"][:-1], f'did you mean "{complaint["loc"][-1]}"?') not in meant
            ):
                _tell(complaint, model, source, problems, at)
        return None


def is_a(kind: Any, text: str) -> bool:
    """Return whether a text is a valid value of this kind."""
    try:
        TypeAdapter(kind).validate_python(text)
    except ValidationError:
        return False
    return True


def _meant(loc: At, model: type[BaseModel]) -> At:
    """Return the place of the missing key that an unknown key seems to stand for; it needs no problem of its own."""
    return (*loc[:-1], did_you_mean(str(loc[-1]), _known_keys(model, loc[:-1])))


def _tell(complaint: Any, model: type[BaseModel], source: Source, problems: Problems, at: At) -> None:
    loc = tuple(key for key in complaint["loc"] if not str(key).startswith("["))  # parts of a type, not keys
    said = _said(complaint, loc, model, bool(at))
    if said:
        problems.add(source.place((*at, *loc)), *said)


def _said(complaint: Any, loc: At, model: type[BaseModel], in_table: bool) -> tuple[str, str] | None:
    """Return a complaint in our words, with a hint or ""; None if it needs no separate problem."""
    kind, context, written = complaint["type"], complaint.get("ctx", {}), complaint["input"]
    name = ".".join(str(key) for key in loc)
    shown = f'"{_cut(str(written))}"' if isinstance(written, str | int) else _kind_of(written)
    if kind == "extra_forbidden":
        hint = did_you_mean(str(loc[-1]), _known_keys(model, loc[:-1]), GUIDE)
        return f'unknown key "{_cut(str(loc[-1]))}"', hint
    if kind == "missing":
        return _said_of_missing(loc, name, in_table)
    if kind in ("tuple_type", "list_type"):
        return (
            f"{name}: {shown} is written where a list should be",
            "write it as [one, two], or begin each item with a hyphen",
        )
    if kind in ("dict_type", "model_type", "model_attributes_type"):
        keys = _known_keys(model, loc)
        example = f"{{{', '.join(f'{key}: …' for key in keys)}}}" if 0 < len(keys) <= 3 else "key: value"
        return f"{name or 'the file'}: {shown} is written where a mapping should be", f"write it as {example}"
    if kind == "too_short":  # broken items have problems of their own
        told = f"{name}: {len(written)} written, at least {context['min_length']} needed"
        return (told, "") if len(written) < context["min_length"] else None
    if kind == "too_long":
        return f"{name}: {len(written):,} are written", f"at most {context['max_length']:,}"
    found = _said_of_number(complaint, shown, in_table, name == "count") or _said_of_word(complaint, shown)
    if found:
        return f"{name}: {found[0]}", found[1]
    said = complaint["msg"].removeprefix("Value error, ")
    return (f"{name}: " if name else "") + said[0].lower() + said[1:], ""


def _said_of_missing(loc: At, name: str, in_table: bool) -> tuple[str, str]:
    if in_table:
        hint = (
            "write one, even if no face shows it, or delete the row"
            if name in ("id", "name")
            else "fill it, or give the column `optional: yes`"
        )
        return f"{name}: the cell is empty", hint
    if isinstance(loc[-1], int):
        return f"{'.'.join(map(str, loc[:-1]))}: item {loc[-1] + 1} is missing", ""
    return f'the key "{loc[-1]}" is missing' + (f" in {_parent(loc)}" if len(loc) > 1 else ""), ""


def _said_of_number(complaint: Any, shown: str, in_table: bool, is_count: bool) -> tuple[str, str] | None:
    """Return what is wrong with a number or a boolean, and a hint; None if the complaint is not about one."""
    kind, context, written = complaint["type"], complaint.get("ctx", {}), complaint["input"]
    if kind == "other_number":
        hint = ", or give the column the type text" if in_table and not is_count else ""
        return f"{shown} would be printed as {context['number']}", f"write {context['number']}{hint}"
    if kind == "int_parsing_size":
        return f"a number of {len(str(written)):,} digits is too large", ""
    if kind in ("int_parsing", "int_type", "int_from_float"):
        return f"{shown} is not a whole number", ""
    if kind == "float_parsing":
        return f"{shown} is not a number", "write digits with a decimal point and no unit, as in 12.5"
    if kind in ("bool_parsing", "bool_type"):
        return f"{shown} is neither yes nor no", ""
    if kind == "greater_than_equal" and in_table and is_count:
        return f"{shown} is too small", "write 0 to leave the row out"
    if kind == "greater_than_equal":
        return f"{shown} is too small", f"it must be at least {context['ge']:g}"
    if kind == "greater_than":
        return f"{shown} is too small", f"it must be more than {context['gt']:g}"
    if kind == "less_than_equal":
        return f"{shown} is too large", f"it must be at most {context['le']:g}"
    return None


def _said_of_word(complaint: Any, shown: str) -> tuple[str, str] | None:
    """Return what is wrong with a text or with a choice, and a hint; None if the complaint is not about one."""
    kind, context, written = complaint["type"], complaint.get("ctx", {}), complaint["input"]
    if kind == "literal_error":
        known = [word.strip("' ") for word in context["expected"].replace(" or ", ", ").split(",")]
        return f"{shown} is not known here", did_you_mean(str(written), known)
    if kind.startswith("date_"):
        return f"{shown} is not a date", "write year, month and day, as in 2026-11-29"
    if kind == "string_type":
        hint = "put quotes around text that begins with a bracket or a brace"
        return f"{shown} is written where text should be", hint
    if kind == "string_too_short":
        return "the text is empty", ""
    if kind == "string_too_long":
        return f"the text has {len(str(written)):,} characters", f"at most {context['max_length']:,}"
    if kind == "string_pattern_mismatch" and r"[^\n]" in context["pattern"] and "\n" in str(written):
        return f"{shown} has a line break", "write it on one line"
    if kind == "string_pattern_mismatch":
        return f"{shown} is not well formed", _pattern_hint(context["pattern"], str(written))
    return None


def _cut(text: str) -> str:
    """Shorten a text to fit into a message."""
    return text if len(text) <= 200 else f"{text[:200]}…"


def _kind_of(value: object) -> str:
    return "a list" if isinstance(value, list | tuple) else "a mapping" if isinstance(value, dict) else "nothing"


def _parent(loc: tuple[str | int, ...]) -> str:
    return " ".join(f"number {key + 1} of" if isinstance(key, int) else f'"{key}"' for key in reversed(loc[:-1]))


def _pattern_hint(pattern: str, written: str) -> str:
    if "#" in pattern:
        return f"{colour_hint(written)}, with the quotes: # begins a comment"
    if r"[^\n]" in pattern:
        return "write it on one line"
    if "A-Z" in pattern and "a-z" not in pattern:
        return "write two to four capital letters"
    return "write letters, digits and single hyphens"


def _known_keys(model: type[BaseModel], loc: tuple[str | int, ...]) -> list[str]:
    """Return the keys allowed at a place, by following its keys through the models."""
    kind: Any = model
    for key in loc:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            fields = {field.alias or name: field for name, field in kind.model_fields.items()}
            kind = _inner(fields[str(key)].annotation) if key in fields else None
        elif get_origin(kind) in (tuple, list, dict):
            kind = _inner(get_args(kind)[-2 if get_origin(kind) is tuple else -1])
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return [field.alias or name for name, field in kind.model_fields.items()]
    return []


def _inner(annotation: Any) -> Any:
    """Return an annotation without None; if several types are left, prefer a model."""
    if get_origin(annotation) in (Union, types.UnionType):
        parts = [get_args(arg)[0] if get_origin(arg) is Annotated else arg for arg in get_args(annotation)]
        models = [part for part in parts if isinstance(part, type) and issubclass(part, BaseModel)]
        return next(iter(models), next(part for part in parts if part is not type(None)))
    return annotation
