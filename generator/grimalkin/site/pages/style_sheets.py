"""Turn the styles of a game into CSS for its pages, with colours readable by day, by night and in print."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from grimalkin.content.models import GameFile
from grimalkin.content.texts.styles import VARIANTS, Look
from grimalkin.printing.face.svg.colours import NIGHT, PAPER, readable

_PROPERTIES = {
    "caps": "font-variant-caps",
    "ordinal": "font-variant-numeric",
    "ligatures": "font-variant-ligatures",
    "common ligatures": "font-variant-ligatures",
}
"""CSS properties by kind of variant; all other kinds apply to figures."""
_ASKED = re.compile(r"font-variant-[a-z]+:([a-z -]+)")
_RAISED = {"super": "super", "sub": "sub"}


def style_sheet(info: GameFile, names: Collection[str]) -> str:
    """Return the CSS for styles of a game, its own or those of all games."""
    looks = {name: look for name, look in info.looks().items() if name in names}
    filled = {name: look.fill for name, look in looks.items() if look.fill}
    day = "".join(f"--style-{name}:{readable(fill, PAPER)};" for name, fill in filled.items())
    night = "".join(f"--style-{name}:{readable(fill, NIGHT)};" for name, fill in filled.items())
    rules = [
        f":root{{{day}}}",
        f"@media(prefers-color-scheme:dark){{:root:not([data-paper=day]){{{night}}}}}",
        f":root[data-paper=night]{{{night}}}",
        f"@media print{{html:root:root:root{{{day}}}}}",
    ]
    return "\n".join([*(rules if filled else []), *(rule(name, look) for name, look in looks.items() if any(look)), ""])


def variants_in(sheets: Iterable[str]) -> str:
    """Return the font variants that style sheets use, in CSS."""
    said = {word for sheet in sheets for asked in _ASKED.findall(sheet) for word in asked.split()}
    return " ".join(word for word in VARIANTS if word in said)


def rule(name: str, look: Look) -> str:
    """Return one rule of CSS. The element makes text bold or italic; if it is to be both, the rule adds italics.

    >>> rule("loud", Look(fill="#aa0000", scale=1.5, bold=True, variant="small-caps"))
    '.style-loud{color:var(--style-loud);font-size:150%;font-variant-caps:small-caps}'
    """
    return f".style-{name}{{{';'.join(_declarations(name, look))}}}"


def _declarations(name: str, look: Look) -> Iterator[str]:
    if look.fill:
        yield f"color:var(--style-{name})"
    raised = next((_RAISED[word] for word in look.variant.split() if word in _RAISED), "")
    scale = look.scale * 0.7 if raised else look.scale
    if scale != 1:
        yield f"font-size:{scale:.0%}"
    if raised:  # fonts of pages have no raised letters
        yield f"vertical-align:{raised};line-height:0"
    if look.bold and look.italic:
        yield "font-style:italic"
    words: dict[str, list[str]] = {}
    for word in look.variant.split():
        if word not in _RAISED:
            words.setdefault(_PROPERTIES.get(VARIANTS[word], "font-variant-numeric"), []).append(word)
    yield from (f"{key}:{' '.join(said)}" for key, said in words.items())
    if look.whole:
        yield "white-space:nowrap"
