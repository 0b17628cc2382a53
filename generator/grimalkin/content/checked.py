"""A Source and a model in, a frozen value out; every complaint of pydantic becomes a Problem with its line."""

from __future__ import annotations

import types
from typing import Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from grimalkin.problems import GUIDE, Problems, colour_hint, did_you_mean
from grimalkin.source import Source

At = tuple[str | int, ...]
M = TypeVar("M", bound=BaseModel)
MOST_MEANT = 50
"""Unknown keys that may stand for one that is missing."""


def checked(model: type[M], data: object, source: Source, problems: Problems, at: At = ()) -> M | None:
    """The value that `data` stands for, or None with problems. `at` leads to `data` within the source."""
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


def _meant(loc: At, model: type[BaseModel]) -> At:
    """Where a key is unknown, with what is suggested for it: that this one is missing needs no problem of its own."""
    return (*loc[:-1], did_you_mean(str(loc[-1]), _known_keys(model, loc[:-1])))


def _tell(complaint: Any, model: type[BaseModel], source: Source, problems: Problems, at: At) -> None:
    loc = tuple(key for key in complaint["loc"] if key != "[key]")
    kind, context, written = complaint["type"], complaint.get("ctx", {}), complaint["input"]
    place = source.place((*at, *loc))
    name = ".".join(str(key) for key in loc)
    shown = f'"{_cut(str(written))}"' if isinstance(written, str | int) else _kind_of(written)
    if kind == "extra_forbidden":
        problems.add(
            place,
            f'unknown key "{_cut(str(loc[-1]))}"',
            did_you_mean(str(loc[-1]), _known_keys(model, loc[:-1]), GUIDE),
        )
    elif kind == "missing" and at:
        problems.add(
            place,
            f"{name}: the cell is empty",
            "every row has one" if name in ("id", "name") else "fill it, or give the column `optional: yes`",
        )
    elif kind == "missing":
        problems.add(place, f'the key "{loc[-1]}" is missing' + (f" in {_parent(loc)}" if len(loc) > 1 else ""))
    elif kind == "literal_error":
        known = [word.strip("' ") for word in context["expected"].replace(" or ", ", ").split(",")]
        problems.add(place, f"{name}: {shown} is not known here", did_you_mean(str(written), known))
    elif kind == "other_number":
        number = context["number"]
        hint = f"write {number}, or give the column the type text" if at and name != "count" else f"write {number}"
        problems.add(place, f"{name}: {shown} would be printed as {number}", hint)
    elif kind == "int_parsing_size":
        problems.add(place, f"{name}: a number of {len(str(written)):,} digits is too large")
    elif kind in ("int_parsing", "int_type", "int_from_float"):
        problems.add(place, f"{name}: {shown} is not a whole number")
    elif kind == "float_parsing":
        problems.add(place, f"{name}: {shown} is not a number", "write digits and a point and no unit, as in 12.5")
    elif kind in ("bool_parsing", "bool_type"):
        problems.add(place, f"{name}: {shown} is neither yes nor no")
    elif kind == "greater_than_equal":
        problems.add(place, f"{name}: {shown} is too small", f"it is at least {context['ge']}")
    elif kind == "less_than_equal":
        problems.add(place, f"{name}: {shown} is too large", f"it is at most {context['le']}")
    elif kind == "string_type":
        hint = "put quotes around text that begins with a bracket or a brace"
        problems.add(place, f"{name}: {shown} stands where text should be", hint)
    elif kind == "string_too_short":
        problems.add(place, f"{name}: the text is empty")
    elif kind == "string_too_long":
        message = f"{name}: the text has {len(str(written)):,} characters"
        problems.add(place, message, f"at most {context['max_length']:,}")
    elif kind == "string_pattern_mismatch":
        problems.add(place, f"{name}: {shown} is not well formed", _pattern_hint(context["pattern"], str(written)))
    elif kind in ("tuple_type", "list_type"):
        problems.add(
            place,
            f"{name}: {shown} stands where a list should be",
            "write it as [one, two], or begin each item with a hyphen",
        )
    elif kind in ("dict_type", "model_type", "model_attributes_type"):
        what = name or "the file"
        keys = _known_keys(model, loc)
        example = f"{{{', '.join(f'{key}: …' for key in keys)}}}" if 0 < len(keys) <= 3 else "key: value"
        problems.add(place, f"{what}: {shown} stands where a mapping should be", f"write it as {example}")
    elif kind == "too_short" and written:
        pass  # its items are broken, and told one by one
    elif kind == "too_short":
        problems.add(place, f"{name}: at least {context['min_length']} wanted, {context['actual_length']} written")
    else:
        said = complaint["msg"].removeprefix("Value error, ")
        problems.add(place, (f"{name}: " if name else "") + said[0].lower() + said[1:])


def _cut(text: str) -> str:
    """As much of a text as fits into a message."""
    return text if len(text) <= 200 else f"{text[:200]}…"


def _kind_of(value: object) -> str:
    return "a list" if isinstance(value, list | tuple) else "a mapping" if isinstance(value, dict) else "nothing"


def _parent(loc: tuple[str | int, ...]) -> str:
    return " ".join(f"number {key + 1} of" if isinstance(key, int) else f'"{key}"' for key in reversed(loc[:-1]))


def _pattern_hint(pattern: str, written: str) -> str:
    if "#" in pattern:
        return f"{colour_hint(written)}, with the quotes: # begins a comment"
    if r"[^\n]" in pattern:
        return "it must stand on one line"
    if "A-Z" in pattern and "a-z" not in pattern:
        return "two to four capital letters"
    return "letters, digits and single hyphens"


def _known_keys(model: type[BaseModel], loc: tuple[str | int, ...]) -> list[str]:
    """The keys allowed at a place, found by walking the models along its keys."""
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
    """An annotation without its None."""
    if get_origin(annotation) in (Union, types.UnionType):
        return next(arg for arg in get_args(annotation) if arg is not type(None))
    return annotation
