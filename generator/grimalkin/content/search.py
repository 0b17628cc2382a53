"""The model of search.yaml: what people type who call things by other words."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from grimalkin.content.values import Id, Line, Model

Words = Annotated[tuple[Line, ...], Field(min_length=2)]


class SearchFile(Model):
    """search.yaml"""

    same: tuple[Words, ...] = Field(
        (), description="Groups of words that mean the same: whoever types one of them finds what has another."
    )
    also: dict[Id, Annotated[tuple[Line, ...], Field(min_length=1)]] = Field(
        {}, description="Words and questions under which people look for something, by its id."
    )


class SharedWords(SearchFile):
    """What the search of every game knows about words; our own file."""

    little: tuple[Line, ...] = Field(description="Words that say little about what is asked for: how, many, can.")
