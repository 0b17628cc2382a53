"""The words of the pages themselves: one file, read once for each build."""

from __future__ import annotations

from grimalkin.problems import Problems
from grimalkin.source import data_folder, read_yaml


def load_words() -> dict[str, str]:
    """Every word and sentence of the interface by its key."""
    problems = Problems()
    source = read_yaml(data_folder("templates") / "pages" / "words.yaml", problems)
    assert source is not None and not problems, "; ".join(map(str, problems))
    words = dict(source.data)
    taken = [key for key in words if hasattr(words, key)]
    assert not taken, f"a template would read a method of dict instead of the words {taken}"
    return words
