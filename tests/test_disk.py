"""Files of an output folder: what lies at a path, and what is written to a new one."""

from __future__ import annotations

import hashlib
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from grimalkin.output.disk import SMALL, Chosen, Written, digest, kind_of, read_small, write_new
from grimalkin.problems import Stop


def test_a_junction_of_windows_is_a_link() -> None:
    """Python before 3.12 takes it for a folder. Other marks, as those of a synchronised folder, are no links."""
    kinds = []
    for tag in (0xA0000003, 0x9000001A, 0):
        about = SimpleNamespace(st_mode=stat.S_IFDIR, st_reparse_tag=tag)
        kinds.append(kind_of(cast(Path, SimpleNamespace(lstat=lambda about=about: about))))

    assert ["link", "folder", "folder"] == kinds


@pytest.mark.parametrize("name", ["none", "file/below", "x" * 5000])
def test_nothing_is_at_a_path_that_cannot_be(tmp_path: Path, name: str) -> None:
    """Below a file, or with a name that is too long for the system."""
    (tmp_path / "file").write_text("")

    assert "nothing" == kind_of(tmp_path / name)


def test_a_new_file_is_never_written_through_a_link(tmp_path: Path) -> None:
    """Also when what it leads to is not there."""
    (tmp_path / "link").symlink_to(tmp_path / "victim")
    with pytest.raises(FileExistsError):
        write_new(tmp_path / "link", "ours")

    assert not (tmp_path / "victim").exists()


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    """One byte more is told."""
    (tmp_path / "file").write_bytes(b"1234")

    assert b"1234" == read_small(tmp_path / "file", 4)
    with pytest.raises(Stop, match="file: this file is too large; at most 3 bytes are read"):
        read_small(tmp_path / "file", 3)


@pytest.mark.parametrize("size", [0, 1, SMALL, SMALL + 1, 3 * SMALL])
def test_the_hash_of_a_file_is_that_of_its_content(tmp_path: Path, size: int) -> None:
    """Small files are read as a whole, and large ones in pieces."""
    content = bytes(range(256)) * (size // 256 + 1)
    (tmp_path / "file").write_bytes(content[:size])
    (tmp_path / "link").symlink_to(tmp_path / "file")

    assert hashlib.sha256(content[:size]).hexdigest() == digest(tmp_path / "file")
    assert "" == digest(tmp_path / "link") == digest(tmp_path)


def test_a_file_that_may_not_be_read_has_no_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not as it was made, whatever it is; that must not stop a swap half-way."""

    def closed(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "file").write_bytes(b"1234")
    monkeypatch.setattr(Path, "open", closed)

    assert "" == digest(tmp_path / "file")


def test_written_files_are_read_again_from_their_folder(tmp_path: Path) -> None:
    """Only those that were put in; another of the same name takes its place."""
    files = Written(tmp_path / "sheets")
    files.update({"b.pdf": b"owl", "a.pdf": b"cat"})
    files["b.pdf"] = b"mouse"
    (tmp_path / "sheets/c.pdf").write_bytes(b"strange")

    assert {"b.pdf": b"mouse", "a.pdf": b"cat"} == dict(files)
    assert ["b.pdf", "a.pdf"] == list(files)
    assert "c.pdf" not in files

    (tmp_path / "sheets/a.pdf").write_bytes(b"dog")

    assert {"a.pdf": b"dog", "d.pdf": b"rat"} == dict(Chosen({"a.pdf": files, "d.pdf": {"d.pdf": b"rat"}}))

    del files["a.pdf"]

    assert {"b.pdf": b"mouse"} == dict(files)
    assert not (tmp_path / "sheets/a.pdf").exists()
