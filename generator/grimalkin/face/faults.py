"""What Jinja says of a template that it cannot read, in; what is wrong and what would be right, out."""

from __future__ import annotations

import re

from grimalkin.problems import did_you_mean

_TAGS = ("block", "call", "else", "elif", "extends", "filter", "for", "from", "if", "import", "include", "macro", "set",
         "with", "endblock", "endcall", "endfilter", "endfor", "endif", "endmacro", "endset", "endwith")  # fmt: skip
_UNKNOWN = re.compile(r"Encountered unknown tag '(\w{1,40})'")
_INNERMOST = re.compile(r"innermost block that needs to be closed is '(\w{1,40})'")
_EXPECTED = re.compile(r"expected token '([^']{1,60})', got '([^']{1,60})'")


def syntax_message(said: str) -> tuple[str, str]:
    """Our words for a fault of syntax, and a hint or nothing."""
    tag, inner, expected = _UNKNOWN.search(said), _INNERMOST.search(said), _EXPECTED.search(said)
    if tag and tag[1] not in _TAGS:
        return f"{{% {tag[1]} %}} is not known", did_you_mean(tag[1], _TAGS, "see the reference in the guide")
    if tag and inner and f"'end{inner[1]}'" in said and inner[1] != "block":
        return f"{{% {tag[1]} %}} comes before {{% {inner[1]} %}} is closed", f"write {{% end{inner[1]} %}} before it"
    if tag:
        return f"{{% {tag[1]} %}} closes nothing that is open", "leave it out, or write what it closes"
    if inner:
        return f"{{% {inner[1]} %}} is not closed", f"write {{% end{inner[1]} %}}"
    if expected and expected[2] == "=":
        return "= gives a value to a name, and only in {% set %}", "write == to compare"
    if expected and expected[1].startswith("end of"):
        return f'"{expected[2]}" is not expected here', "one expression stands in {{ }} and {% %}: ~ joins texts"
    if said.startswith(("unexpected '}'", "unexpected '%'")):
        return f"{said[12:13]} stands alone", "what {{ begins ends with }}, and what {% begins with %}"
    return said, ""
