"""The model of search.yaml: additional words for the search."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from grimalkin.content.values import Id, Line, Model

Words = Annotated[tuple[Line, ...], Field(min_length=2)]


class SearchFile(Model):
    """search.yaml"""

    same: tuple[Words, ...] = Field(
        (), description="Groups of words that mean the same: a search for one also finds the others."
    )
    also: dict[Id, Annotated[tuple[Line, ...], Field(min_length=1)]] = Field(
        {}, description="Words and questions that people search with for something, by its id."
    )


class SharedWords(SearchFile):
    """The search words for all games, from a file that comes with Grimalkin."""

    little: tuple[Line, ...] = Field(description="Words that say little about what people look for: how, many, can.")
