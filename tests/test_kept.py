"""What the user's cache holds of packages and sites: it changes nothing but the time, and damage is not noticed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyphen
import pytest

from grimalkin.printing.face.layers import page_font
from grimalkin.printing.type import breaks, font_files
from grimalkin.printing.type.breaks import syllables
from grimalkin.printing.type.fonts import SANS


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the user's."""
    monkeypatch.setenv("GRIMALKIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(pyphen, "hdcache", {})
    breaks._dictionary.cache_clear()
    return tmp_path / "cache"


def never(*_arguments: object) -> Any:
    raise AssertionError("this was made before")


def test_a_packed_font_is_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same letters are packed once, other letters again, and a damaged file counts as missing."""
    made = page_font(SANS, "abc")
    (file,) = (kept / "fonts").iterdir()
    with monkeypatch.context() as patch:
        patch.setattr(font_files, "_packed", never)

        assert page_font(SANS, "cba") == made
        with pytest.raises(AssertionError, match="made before"):
            page_font(SANS, "abcd")
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert page_font(SANS, "abc") == made
    monkeypatch.setenv("GRIMALKIN_CACHE", "off")
    assert page_font(SANS, "abc") == made


@pytest.mark.parametrize(
    ("language", "word"), [("en", "hyphenation"), ("hu", "asszonnyal"), ("de-CH", "Silbentrennung")]
)
def test_hyphens_of_a_language_are_kept(kept: Path, language: str, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next run reads no file of pyphen's, and breaks the same words at the same places."""
    found = syllables(word, language)
    (file,) = (kept / "hyphens").iterdir()

    def again() -> list[int]:
        pyphen.hdcache.clear()
        breaks._dictionary.cache_clear()
        return syllables(word, language)

    with monkeypatch.context() as patch:
        patch.setattr(pyphen.HyphDict, "__init__", never)
        assert again() == found
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert again() == found
