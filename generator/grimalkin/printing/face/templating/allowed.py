"""What a template may use: filters and methods by name, and what each costs."""

from __future__ import annotations

from jinja2.runtime import LoopContext

FILTERS = {
    "abs": "the absolute value of a number",
    "capitalize": "text with a capital first letter, the rest in lower case",
    "default": "a replacement for a missing value: `default(0)`",
    "dictsort": "the pairs of a mapping, sorted",
    "e": "the same as `escape`",
    "escape": "text that is safe inside SVG; everything is escaped unless you use `safe`",
    "first": "the first item of a list",
    "float": "text as a decimal number",
    "groupby": "the items of a list, in groups with the same value",
    "int": "text or a number as a whole number",
    "items": "the pairs of a mapping",
    "join": 'the items of a list as one text: `join(", ")`',
    "last": "the last item of a list",
    "length": "the number of items",
    "list": "anything that can be looped over, as a list",
    "lower": "text in lower case",
    "map": 'one value from every item: `map(attribute="id")`',
    "max": "the largest item",
    "min": "the smallest item",
    "reject": "a list without the items that pass a test",
    "rejectattr": 'the same, testing one of their values: `rejectattr("power")`',
    "replace": 'text with one part replaced by another: `replace("a", "b")`',
    "reverse": "a list or text in reverse order",
    "round": "a rounded number: `round(2)`",
    "safe": "text that is already SVG",
    "select": "only the items that pass a test",
    "selectattr": 'the same, testing one of their values: `selectattr("kind", "equalto", "owl")`',
    "sort": 'a sorted list: `sort(attribute="power")`',
    "string": "anything as text",
    "sum": "the sum of all numbers",
    "title": "text with a capital at the start of every word",
    "trim": "text without spaces around it",
    "unique": "each item only once",
    "upper": "text in upper case",
}
"""The filters that a template may use, with a description of each."""

LIGHT = frozenset(["default", "first", "last", "length", "defined", "undefined", "none"])
"""Filters and tests whose cost does not grow with the length of a list."""
OF_TEXT = frozenset(
    ["capitalize", "e", "escape", "join", "lower", "replace", "safe", "string", "title", "trim", "upper"]
)
"""Filters that write out their input."""

TEXT_METHODS = frozenset(
    [
        "capitalize", "casefold", "center", "count", "endswith", "find", "format", "index", "isalnum", "isalpha",
        "isascii", "isdecimal", "isdigit", "islower", "isnumeric", "isspace", "istitle", "isupper", "join", "ljust",
        "lower", "lstrip", "partition", "removeprefix", "removesuffix", "replace", "rfind", "rindex", "rjust",
        "rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith", "strip", "swapcase", "title", "upper",
        "zfill",
    ]
)  # fmt: skip
"""The methods that a template may call on a text; other values have far fewer."""
METHODS: dict[type, frozenset[str]] = {
    str: TEXT_METHODS,
    dict: frozenset(["get", "items", "keys", "values"]),
    list: frozenset(["count", "index"]),
    tuple: frozenset(["count", "index"]),
    float: frozenset(["is_integer"]),
    LoopContext: frozenset(["changed", "cycle"]),
}
COMPARING = frozenset(["max", "min", "unique"])
"""Filters that process each item twice: to make it comparable, and to compare it."""
OF_ANYTHING = frozenset(["changed", "cycle", "get", "join"])
"""Methods that take more than texts and numbers: values for later, or all texts in a list."""
OF_NAMES = {
    "map": 1, "reject": 1, "select": 1, "rejectattr": 2, "selectattr": 2,
    "groupby": 9, "replace": 9, "sort": 9, "trim": 9,
}  # fmt: skip
"""How many further arguments of a filter are names, attributes or texts."""
LOOP = frozenset(
    ["depth", "depth0", "first", "index", "index0", "last", "length", "nextitem", "previtem", "revindex", "revindex0"]
)
