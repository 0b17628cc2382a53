"""Load the words of the interface and the synonyms for the search, each from a file."""

from __future__ import annotations

from collections.abc import Sequence

from grimalkin.content.rules import SharedWords
from grimalkin.floors import brought_to
from grimalkin.problems import Problems
from grimalkin.problems.plain import listed
from grimalkin.source import data_folder, read_yaml


def load_words() -> dict[str, str]:
    """Return every word and sentence of the interface, by key."""
    problems = Problems()
    source = read_yaml(data_folder("templates") / "pages" / "words.yaml", problems)
    assert source is not None and not problems, "; ".join(map(str, problems))
    words: dict[str, str] = {}
    for part in brought_to("pages"):
        words |= getattr(part, "WORDS", {})
    words |= source.data  # ours stay what they are
    taken = [key for key in words if hasattr(words, key)]
    assert not taken, f"a template would read a method of dict instead of the words {taken}"
    return words


def passage_words(passages: Sequence[str]) -> str:
    """Name passages of a rulebook: headings in quotation marks, other places in plain words.

    >>> passage_words(["the cover", "Phase 1", "Phase 2: Actions"])
    'the cover, “Phase 1” and “Phase 2: Actions”'
    """
    return listed([passage if passage[0].islower() else f"“{passage}”" for passage in passages])


def load_synonyms() -> SharedWords:
    """Return the synonyms for all games, and the words that say little."""
    problems = Problems()
    source = read_yaml(data_folder("templates") / "pages" / "synonyms.yaml", problems)
    assert source is not None and not problems, "; ".join(map(str, problems))
    return SharedWords.model_validate(source.data)
