"""The styles that texts may name in braces, common ones and a game's own, and how each looks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from grimalkin.content.values import Id, Line, Model
from grimalkin.problems import did_you_mean
from grimalkin.problems.plain import ID

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
    "nowrap": "kept on one line",
    "small-caps": "small capitals for lower-case letters",
    "all-small-caps": "small capitals for all letters",
    "oldstyle-nums": "old-style figures, which suit lower-case letters",
    "lining-nums": "lining figures, as tall as capitals",
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


def _own_style(name: str) -> str:
    if name in COMMON or name in ("if", "br"):
        raise ValueError(f'a style of your own cannot be called "{name}": the name already has a meaning')
    if not name[0].isalpha():
        raise ValueError(f'the name of a style must begin with a letter, unlike "{name}"')
    return name


StyleName = Annotated[Id, AfterValidator(_own_style)]


def _known_variants(words: tuple[str, ...]) -> tuple[str, ...]:
    for word in words:
        if word not in VARIANTS:
            raise ValueError(f'"{word}" is not a keyword of CSS font-variant; {did_you_mean(word, VARIANTS)}')
    return words


class Style(Model):
    """The look of words that follow its name in braces: {danger|no escape}."""

    fill: Annotated[str, StringConstraints(pattern=rf"^(#[0-9a-fA-F]{{6}}|{ID.pattern})$")] | None = Field(
        None, description="Their colour: a name from the palette, or `#rrggbb`. Printed only with full inks."
    )
    size: float = Field(
        1.0,
        ge=LEAST_SIZE,
        le=MOST_SIZE,
        allow_inf_nan=False,
        description="Their size, relative to the surrounding text.",
    )
    bold: bool = Field(False, description="Whether they are bold.")
    italic: bool = Field(False, description="Whether they are italic.")
    nowrap: bool = Field(False, description="Whether to keep them on one line.")
    font_variant: Annotated[
        tuple[Line, ...],
        BeforeValidator(
            lambda value: tuple(value.split()) if isinstance(value, str) else value,
            json_schema_input_type=Line | tuple[Line, ...],
        ),
        AfterValidator(_known_variants),
    ] = Field((), description="The font's features to use, by CSS's keywords: `small-caps oldstyle-nums`.")


def look_within(names: Iterable[str], looks: Mapping[str, Look]) -> Look:
    """Return how words look inside nested styles, outermost first. Unknown names do nothing."""
    look = PLAIN
    for name in names:
        look = looks.get(name, PLAIN).within(look)
    return look
