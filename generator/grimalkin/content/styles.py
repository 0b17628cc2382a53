"""The styles that texts may name in braces, common ones and a game's own, and how each looks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from grimalkin.content.models import GameFile

LEAST_SIZE, MOST_SIZE = 0.5, 3.0
"""The limits for the size of words, relative to the surrounding text."""
VARIANTS = {
    "small-caps": "caps",
    "all-small-caps": "caps",
    "oldstyle-nums": "figures",
    "lining-nums": "figures",
    "tabular-nums": "spacing",
    "proportional-nums": "spacing",
    "diagonal-fractions": "fractions",
    "ordinal": "ordinal",
    "slashed-zero": "zero",
    "super": "position",
    "sub": "position",
    "discretionary-ligatures": "ligatures",
    "no-common-ligatures": "common ligatures",
}
"""OpenType features by CSS's keywords, each with its group: of two in the same group, only the last applies.

https://www.w3.org/TR/css-fonts-4/#font-variant-prop
"""


class Look(NamedTuple):
    """How words differ from the surrounding text."""

    fill: str = ""
    """A colour; empty for that of the surrounding text."""
    scale: float = 1.0
    """The size relative to the surrounding text."""
    bold: bool = False
    italic: bool = False
    variant: str = ""
    """Keywords of `font-variant`, separated by spaces."""
    whole: bool = False
    """Whether the words stay on one line."""
    link: str = ""
    """The address that the words link to in a book."""

    def within(self, outer: Look) -> Look:
        """Return this look nested in another; where both set something, this look wins."""
        scale = min(max(outer.scale * self.scale, LEAST_SIZE), MOST_SIZE)
        held = {VARIANTS[word]: word for word in (*outer.variant.split(), *self.variant.split())}
        bold, italic, whole = outer.bold or self.bold, outer.italic or self.italic, outer.whole or self.whole
        link = self.link or outer.link
        return Look(self.fill or outer.fill, scale, bold, italic, " ".join(held.values()), whole, link)


PLAIN = Look()
COMMON = {
    "small": Look(scale=0.8),
    "large": Look(scale=1.25),
    "nowrap": Look(whole=True),
    **{word: Look(variant=word) for word in VARIANTS},
}
"""The styles common to all games."""
STYLE_WORDS = {
    "small": "four fifths of the size",
    "large": "a quarter larger",
    "nowrap": "never broken into lines",
    "small-caps": "small capitals for lower-case letters",
    "all-small-caps": "small capitals for all letters",
    "oldstyle-nums": "old-style figures, which suit lower-case letters",
    "lining-nums": "lining figures, as high as capitals",
    "tabular-nums": "figures of equal width, for columns",
    "proportional-nums": "figures with their natural widths",
    "diagonal-fractions": "1/2 as a fraction",
    "ordinal": "raised letters after a number",
    "slashed-zero": "a zero that differs from O",
    "super": "superscript",
    "sub": "subscript",
    "discretionary-ligatures": "decorative ligatures",
    "no-common-ligatures": "no ligatures",
}
"""The effect of each style, for the guide."""


def looks_of(info: GameFile, coloured: bool = True) -> dict[str, Look]:
    """Return every style of a game by its name, with colours as #rrggbb, or without colours unless `coloured`."""
    looks = dict(COMMON)
    for name, style in info.styles.items():
        fill = info.palette.get(style.fill or "", style.fill or "") if coloured else ""
        variant = " ".join(style.font_variant)
        looks[name] = Look(fill, style.size, style.bold, style.italic, variant, style.nowrap)
    return looks


def look_within(names: Iterable[str], looks: Mapping[str, Look]) -> Look:
    """Return how words look inside nested styles, outermost first. Unknown names do nothing."""
    look = PLAIN
    for name in names:
        look = looks.get(name, PLAIN).within(look)
    return look
