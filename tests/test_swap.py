"""The swap: output is replaced whole or not at all, wherever it is cut off, and files of the user's are kept."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from soak import sampled

from grimalkin.output.disk import digest, refuse
from grimalkin.output.swap import (
    JOURNAL,
    KEPT,
    LOCK,
    MARKER,
    NEW,
    OLD,
    STATE,
    is_intact,
    made,
    refuse_foreign,
    settle,
    staging,
    swap,
)
from grimalkin.output.unchanged import intact
from grimalkin.problems import Stop

FOLDERS = ["sheets/a", "sheets/b", "site"]
RECORD = "records/a/one.json"
FILES = [RECORD, STATE]


class Killed(BaseException):
    """Stands for the end of the process; nothing may catch it."""


def build(output: Path, text: str, kill_at: int | None = None, told: list[str] | None = None) -> list[str]:
    """Build three folders and two files that say `text`, and stop before the step `kill_at`."""
    steps: list[str] = []
    lines: list[str] = []

    def step(name: str) -> None:
        if kill_at == len(steps):
            raise Killed
        steps.append(name)

    with staging(output, FOLDERS, lines.append) as new:
        for name in [*(f"{folder}/file" for folder in FOLDERS), *FILES]:
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_text(text)
        swap(output, FOLDERS, FILES, lines.append, step)
    if told is not None:  # like a command, which tells when it is done
        told += lines
    return steps


def next_command(output: Path) -> list[str]:
    """What the next command tells, whatever it is."""
    lines: list[str] = []
    settle(output, lines.append)
    with staging(output, [], lines.append):
        pass
    return lines


def contents(output: Path) -> set[str]:
    return {(output / name).read_text() for name in [*(f"{folder}/file" for folder in FOLDERS), *FILES]}


def hidden(output: Path) -> list[str]:
    kept = (LOCK, MARKER, STATE)
    return sorted(path.name for path in output.iterdir() if path.name.startswith(".") and path.name not in kept)


def snapshot(folder: Path) -> dict[str, str]:
    """Every file below a folder, and where every link leads."""
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        elif path.is_file():
            found[name] = path.read_text()
    return found


def put_own_files(output: Path) -> None:
    """A user keeps notes in what was made, a folder, a link and a form filled in; a system leaves its litter."""
    (output / "site" / "notes.txt").write_text("mine")
    (output / "sheets" / "a" / "file").write_text("filled in")
    (output / "sheets" / "b" / "drafts").mkdir()
    (output / "sheets" / "b" / "drafts" / "one.txt").write_text("a draft")
    (output / "sheets" / "b" / "here").symlink_to("/nowhere/at/all")
    (output / "sheets" / "b" / "empty").mkdir()
    (output / "site" / ".DS_Store").write_text("litter")
    (output / "site" / "._notes.txt").write_text("litter")
    (output / KEPT / "site").mkdir(parents=True)
    (output / KEPT / "site" / "notes.txt").write_text("older")


OWN = {
    "kept/site/notes.txt": "older",
    "kept/site/notes-2.txt": "mine",
    "kept/sheets/a/file": "filled in",
    "kept/sheets/b/drafts/one.txt": "a draft",
    "kept/sheets/b/here": "-> /nowhere/at/all",
}
TOLD = [
    "{0}/sheets/a/file was changed after it was made; your copy is now {0}/kept/sheets/a/file",
    "{0}/sheets/b/drafts was not made by Grimalkin; it is now {0}/kept/sheets/b/drafts",
    "{0}/sheets/b/here was not made by Grimalkin; it is now {0}/kept/sheets/b/here",
    "{0}/site/notes.txt was not made by Grimalkin; it is now {0}/kept/site/notes-2.txt",
]
PLAIN = 2 + 2 * len(FOLDERS) + 2 + len(FILES) + 1 + 2
STEPS = PLAIN + len(TOLD)


def test_what_was_cut_off_while_cleaning_up_is_cleaned_up_even_when_nothing_is_to_do(tmp_path: Path) -> None:
    """The journal is gone by then, so the old output must tell that something is left."""
    build(tmp_path, "old")
    last = build(tmp_path, "older").index("clean up")
    with suppress(Killed):
        build(tmp_path, "new", kill_at=last)
    assert OLD in hidden(tmp_path)
    settle(tmp_path, lambda _: None)

    assert [] == hidden(tmp_path)
    assert {"new"} == contents(tmp_path)


def told_of(output: Path) -> list[str]:
    return [line.format(output.as_posix()) for line in TOLD]


def own(output: Path) -> dict[str, str]:
    """What is kept of the user's."""
    return {name: text for name, text in snapshot(output).items() if name.startswith(f"{KEPT}/")}


def test_the_steps_are_all_known(tmp_path: Path) -> None:
    """The tests below cut off before every one of them."""
    build(tmp_path, "old")

    assert PLAIN == len(build(tmp_path, "new"))
    assert {"new"} == contents(tmp_path)
    assert [] == hidden(tmp_path)
    assert not (tmp_path / KEPT).exists()


@pytest.mark.parametrize("kill_at", range(STEPS))
def test_a_cut_off_swap_is_completed_or_rolled_back(tmp_path: Path, kill_at: int) -> None:
    """Before the journal is there the old output stands untouched; afterwards the next command brings in the new.

    Folders, records and state are of one kind. What is the user's is kept, and told once.
    """
    build(tmp_path, "old")
    put_own_files(tmp_path)
    before = snapshot(tmp_path)
    with pytest.raises(Killed):
        build(tmp_path, "new", kill_at)
    decided = kill_at >= 2
    over = kill_at == STEPS - 1  # nothing is left but to clean up
    if not decided:
        assert before == snapshot(tmp_path)

    told = next_command(tmp_path)

    if decided:
        assert {"new"} == contents(tmp_path)
        assert OWN == own(tmp_path)
        assert ([] if over else [*told_of(tmp_path), f"{tmp_path}: an interrupted command has been finished"]) == told
    else:
        assert before == snapshot(tmp_path)
        assert [] == told
    assert [] == hidden(tmp_path)
    assert [] == next_command(tmp_path)


@pytest.mark.slow("a swap that is cut off at each step")
@pytest.mark.parametrize("kill_at", range(2, STEPS - 1))
@pytest.mark.parametrize("again_at", [0, 1, 3])
def test_a_recovery_that_is_cut_off_is_completed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kill_at: int, again_at: int
) -> None:
    """Killed while it completes what was killed before, too: nothing is lost, nothing told twice."""
    build(tmp_path, "old")
    put_own_files(tmp_path)
    with pytest.raises(Killed):
        build(tmp_path, "new", kill_at)
    left = again_at
    rename, replace = Path.rename, Path.replace

    def dying(real: Callable[[Path, Path], Path]) -> Callable[[Path, Path], Path]:
        def move(path: Path, target: Path) -> Path:
            nonlocal left
            if left == 0:
                raise Killed
            left -= 1
            return real(path, target)

        return move

    with monkeypatch.context() as patch, suppress(Killed):
        patch.setattr(Path, "rename", dying(rename))
        patch.setattr(Path, "replace", dying(replace))
        next_command(tmp_path)
    next_command(tmp_path)

    assert {"new"} == contents(tmp_path)
    assert OWN == own(tmp_path)
    assert [] == hidden(tmp_path)


@pytest.mark.parametrize("kill_at", range(2 + len(FOLDERS) + 2 + len(FILES) + 1 + 2))
def test_a_first_build_that_was_cut_off_is_ours(tmp_path: Path, kill_at: int) -> None:
    """The marker comes last: until then, what was brought in is known by the journal."""
    with pytest.raises(Killed):
        build(tmp_path, "old", kill_at)
    build(tmp_path, "new")

    assert {"new"} == contents(tmp_path)
    assert {} == own(tmp_path)


def test_what_is_the_users_is_kept_and_told(tmp_path: Path) -> None:
    """At the end of the command that replaced the folder. The next one has nothing to tell."""
    build(tmp_path, "old")
    put_own_files(tmp_path)
    told: list[str] = []
    build(tmp_path, "new", told=told)
    again: list[str] = []
    build(tmp_path, "newer", told=again)

    assert told_of(tmp_path) == told
    assert [] == again
    assert OWN == own(tmp_path)


def test_a_file_in_the_place_of_a_kept_folder_is_no_obstacle(tmp_path: Path) -> None:
    """A number is added to the folder; and to a name that is to be taken by another file of the same swap."""
    build(tmp_path, "old")
    (tmp_path / KEPT).mkdir()
    (tmp_path / KEPT / "site").write_text("a file")
    (tmp_path / "site" / "notes.txt").write_text("mine")
    told: list[str] = []
    build(tmp_path, "new", told=told)

    assert {"kept/site": "a file", "kept/site-2/notes.txt": "mine"} == own(tmp_path)
    assert [f"{tmp_path}/site/notes.txt was not made by Grimalkin; it is now {tmp_path}/kept/site-2/notes.txt"] == told


def test_two_files_are_never_kept_in_one_place(tmp_path: Path) -> None:
    """A number that is added makes a name that another file may have already."""
    build(tmp_path, "old")
    (tmp_path / KEPT / "site").mkdir(parents=True)
    (tmp_path / KEPT / "site" / "a.txt").write_text("taken")
    (tmp_path / "site" / "a.txt").write_text("one")
    (tmp_path / "site" / "a-2.txt").write_text("two")
    build(tmp_path, "new")

    assert {"taken", "one", "two"} == set(own(tmp_path).values())


def test_a_place_that_was_taken_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    """Somebody puts a file where a swap that was cut off is about to move one."""
    build(tmp_path, "old")
    (tmp_path / "site" / "notes.txt").write_text("mine")
    with pytest.raises(Killed):
        build(tmp_path, "new", 2 + 2 * len(FOLDERS) + 2)  # all folders are in, and what to keep is noted
    (tmp_path / KEPT / "site").mkdir(parents=True)
    (tmp_path / KEPT / "site" / "notes.txt").write_text("also mine")
    with pytest.raises(Stop, match=r"kept/site/notes.txt: this is in the way; move it, then run the command again"):
        next_command(tmp_path)

    (tmp_path / KEPT / "site" / "notes.txt").rename(tmp_path / "elsewhere")
    assert 2 == len(next_command(tmp_path))
    assert {"kept/site/notes.txt": "mine"} == own(tmp_path)


def test_an_output_of_an_older_grimalkin_goes_on_working(tmp_path: Path) -> None:
    """Its marker names folders alone. What its state lists was made; of a folder that nobody listed, all is kept."""
    build(tmp_path, "old")
    (tmp_path / MARKER).write_text("\n".join(["Made by Grimalkin, which replaces these folders:", *FOLDERS]) + "\n")
    site = {"site/file": digest(tmp_path / "site" / "file")}
    games = {"a": {"key": "", "files": {"sheets/a/file": "of what was made"}, "sheets": 1, "pictures": 1}}
    (tmp_path / STATE).write_text(json.dumps({"key": "", "games": games, "site": site, "pages": 1}))
    told: list[str] = []
    build(tmp_path, "new", told=told)

    assert [
        f"{tmp_path}/sheets/a/file was changed after it was made; your copy is now {tmp_path}/kept/sheets/a/file",
        f"{tmp_path}/sheets/b may hold files of yours; all of it is now {tmp_path}/kept/sheets/b",
    ] == told
    assert {"kept/sheets/a/file": "old", "kept/sheets/b/file": "old"} == own(tmp_path)


def test_a_journal_of_an_older_grimalkin_is_completed(tmp_path: Path) -> None:
    """It was a list of folders."""
    build(tmp_path, "old")
    (tmp_path / NEW / "site").mkdir(parents=True)
    (tmp_path / NEW / "site" / "file").write_text("new")
    (tmp_path / JOURNAL).write_text('["site"]')
    next_command(tmp_path)

    assert "new" == (tmp_path / "site" / "file").read_text()
    assert [] == hidden(tmp_path)


def test_the_marker_lists_what_was_made(tmp_path: Path) -> None:
    """Every file with its hash, in the form that `sha256sum --check` reads; other folders stay listed."""
    build(tmp_path, "old")
    with staging(tmp_path, ["print/a"], print) as new:
        (new / "print" / "a").mkdir(parents=True)
        (new / "print" / "a" / "sheet.pdf").write_text("sheet")
        swap(tmp_path, ["print/a"], [], print)

    assert {"file": digest(tmp_path / "site" / "file")} == made(tmp_path)["site"]
    assert {*FOLDERS, "print/a"} == made(tmp_path).keys()
    assert f"{digest(tmp_path / 'print/a/sheet.pdf')}  print/a/sheet.pdf" in (tmp_path / MARKER).read_text()


def test_a_failed_build_leaves_the_last_good_output(tmp_path: Path) -> None:
    """An exception while building changes nothing."""
    build(tmp_path, "old")
    with pytest.raises(ValueError, match="broken"), staging(tmp_path, FOLDERS, print) as new:
        (new / "site").mkdir()
        raise ValueError("broken")

    assert {"old"} == contents(tmp_path)
    assert [] == hidden(tmp_path)


def test_what_grimalkin_did_not_make_is_left_alone(tmp_path: Path) -> None:
    """A `site` that was there before is somebody's own: an --output of `.` must not eat a repository."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "mine.txt").write_text("mine")
    with pytest.raises(Stop, match="site: this was not made by Grimalkin; choose another --output"):
        build(tmp_path, "new")

    assert "mine" == (tmp_path / "site" / "mine.txt").read_text()
    assert [] == hidden(tmp_path)


@pytest.mark.parametrize(
    "journal",
    [
        "rubbish",
        "null",
        "[" * 100_000,
        '["../victim"]',
        '["/etc"]',
        '["sheets/../../victim"]',
        '["C:/victim"]',
        '["records"]',
        '["mine"]',
        '[["site"]]',
        '{"folders": [], "files": ["../victim/file"], "kept": null}',
        '{"folders": [], "files": ["mine/file"], "kept": null}',
        '{"folders": [], "files": [], "kept": [{"name": "../../victim/file", "place": "kept/x", "why": "foreign"}]}',
        '{"folders": [], "files": [], "kept": [{"name": "site/file", "place": "../victim/x", "why": "foreign"}]}',
        '{"folders": [], "files": [], "kept": [{"name": "site/file", "place": "kept/../x", "why": "foreign"}]}',
        '{"folders": [], "files": [], "kept": [{"name": "site/file", "place": "kept/x", "why": "none"}]}',
        '{"folders": [], "files": [], "kept": [{"name": 1, "place": 2, "why": 3}]}',
        '{"folders": [], "files": [], "kept": [{"name": "site/file", "place": "kept/.", "why": "foreign"}]}',
        '{"folders": [], "files": [], "kept": [{"name": "site/file", "place": "kept/%sb", "why": "foreign"}]}'
        % ("a/" * 1900),
        '{"folders": [], "files": [], "kept": null, "older": ["mine/file"]}',
        '{"folders": [], "files": [], "kept": null, "older": 5}',
        '{"folders": 1, "files": 2, "kept": 3}',
        '{"folders": [], "files": [], "kept": [{"name": "site/\\ud800", "place": "kept/x", "why": "foreign"}]}',
        '{"folders": [], "files": [], "kept": [{"name": "site/\\u0000", "place": "kept/x", "why": "foreign"}]}',
    ],
)
def test_a_journal_that_is_not_ours_is_told(tmp_path: Path, journal: str) -> None:
    """With what to do; nothing is touched, least of all outside of the output folder."""
    output, victim = tmp_path / "output", tmp_path / "victim"
    build(output, "old")
    for folder in (victim, output / NEW / "victim", output / OLD / "site", output / "mine"):
        folder.mkdir(parents=True)
        (folder / "file").write_text("theirs")
    (output / JOURNAL).write_text(journal)
    before = snapshot(tmp_path)
    with pytest.raises(Stop, match="this journal is not Grimalkin's; remove the file, then build again"):
        build(output, "new")

    assert before == snapshot(tmp_path)


LINKED_FILES = [LOCK, JOURNAL, MARKER, STATE, RECORD]
LINKED_FOLDERS = [NEW, OLD, KEPT, "sheets", "sheets/a", "site", "records", "records/a"]


@pytest.mark.parametrize("name", [*LINKED_FILES, *LINKED_FOLDERS])
@pytest.mark.parametrize("dangling", [False, True])
def test_links_in_an_output_folder_are_not_followed(tmp_path: Path, name: str, dangling: bool) -> None:
    """It may have come with a download. Neither read, written nor deleted is what they lead to."""
    output, victim = tmp_path / "output", tmp_path / "victim"
    build(output, "old")
    (victim / "a").mkdir(parents=True)
    (victim / "file").write_text("theirs")
    path = output / name
    if os.path.lexists(path):
        path.rename(tmp_path / "away")
    path.symlink_to(victim / "none" if dangling else victim / "file" if name in LINKED_FILES else victim)
    before = snapshot(victim)
    with pytest.raises(Stop) as stop:
        recorded_build(output)

    assert [f"{path}: this is a link; remove it, or choose another --output"] == [str(p) for p in stop.value.problems]
    assert before == snapshot(victim)
    path.unlink()
    if os.path.lexists(tmp_path / "away"):
        (tmp_path / "away").rename(path)
    assert {"old"} == contents(output)


def recorded_build(output: Path) -> None:
    """A build that looks at its record first, as commands do."""
    with staging(output, FOLDERS, print):
        refuse(output, RECORD, "file")
    build(output, "new")


@pytest.mark.parametrize("hidden_folder", [NEW, OLD])
def test_links_among_what_is_staged_or_set_aside_are_not_followed(tmp_path: Path, hidden_folder: str) -> None:
    """A journal may come with a download, too, and with all that it would bring in."""
    output, victim = tmp_path / "output", tmp_path / "victim"
    build(output, "old")
    for folder in ("a", "b"):
        (victim / folder).mkdir(parents=True)
        (victim / folder / "file").write_text("theirs")
    (output / NEW / "sheets" / "a").mkdir(parents=True)
    (output / OLD).mkdir()
    if hidden_folder == NEW:
        (output / NEW / "sheets" / "a").rmdir()
        (output / NEW / "sheets").rmdir()
    (output / hidden_folder / "sheets").symlink_to(victim)
    (output / JOURNAL).write_text('["sheets/a"]')
    before = snapshot(victim)
    with pytest.raises(Stop, match="sheets: this is a link; remove it"):
        next_command(output)

    assert before == snapshot(victim)
    assert {"old"} == contents(output)


def test_links_below_what_is_thrown_away_are_not_followed(tmp_path: Path) -> None:
    """Half-built output that came with a download."""
    output, victim = tmp_path / "output", tmp_path / "victim"
    victim.mkdir()
    (victim / "file").write_text("theirs")
    (output / NEW / "site").mkdir(parents=True)
    (output / NEW / "site" / "link").symlink_to(victim)
    (output / NEW / "link").symlink_to(victim / "file")
    next_command(output)

    assert {"file": "theirs"} == snapshot(victim)
    assert [] == hidden(output)


@pytest.mark.skipif(os.name == "nt", reason="made with a path that is followed step by step")
def test_folders_nested_without_end_are_told(tmp_path: Path) -> None:
    """They cannot be thrown away by going into each."""
    (tmp_path / NEW).mkdir()
    down = os.open(tmp_path / NEW, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("x", dir_fd=down)
        further = os.open("x", os.O_RDONLY, dir_fd=down)
        os.close(down)
        down = further
    os.close(down)
    with pytest.raises(Stop, match=r"\.grimalkin-new: this is in the way; remove it"):
        build(tmp_path, "new")

    subprocess.run(["rm", "-r", str(tmp_path / NEW)], check=True)  # pytest could not, either


def test_an_output_that_is_a_link_is_followed(tmp_path: Path) -> None:
    """A user may keep it on a larger disk; only what is inside counts."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "output").symlink_to(tmp_path / "disk")
    build(tmp_path / "output", "old")
    build(tmp_path / "output", "new")

    assert {"new"} == contents(tmp_path / "disk")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no FIFOs in folders")
@pytest.mark.parametrize("name", [LOCK, JOURNAL, MARKER, STATE, "site", "sheets"])
def test_a_fifo_in_an_output_folder_does_not_hang(tmp_path: Path, name: str) -> None:
    """It is told like anything else that is neither a file nor a folder."""
    build(tmp_path, "old")
    path = tmp_path / name
    if path.exists():
        path.rename(tmp_path / "away")
    os.mkfifo(path)
    with pytest.raises(Stop, match=r"this is neither a file nor a folder; remove it, or choose another --output"):
        build(tmp_path, "new")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no FIFOs in folders")
def test_a_fifo_in_the_place_of_what_was_made_is_kept(tmp_path: Path) -> None:
    """And never opened."""
    build(tmp_path, "old")
    (tmp_path / "site" / "file").unlink()
    os.mkfifo(tmp_path / "site" / "file")
    told: list[str] = []
    build(tmp_path, "new", told=told)

    assert 1 == len(told) and "site/file was changed after it was made" in told[0]
    assert (tmp_path / KEPT / "site" / "file").is_fifo()


@pytest.mark.parametrize("name", [MARKER, STATE, JOURNAL])
def test_a_file_of_gigabytes_is_not_read(tmp_path: Path, name: str) -> None:
    """A file with a hole is as large as somebody likes, and takes no room on the disk."""
    build(tmp_path, "old")
    with (tmp_path / name).open("wb") as file:
        file.truncate(2**40)
    if name == STATE:  # it is looked at when the marker lists nothing
        (tmp_path / MARKER).write_text("Made by Grimalkin, which replaces these folders:\nsite\n")
    with pytest.raises(Stop, match=r"this file is too large; at most 16,000,000 bytes are read"):
        build(tmp_path, "new")


@pytest.mark.slow("lists of hundreds of thousands of files")
@sampled(
    "marker",
    [
        lambda: "site\n" + "0" * 64 + "  site/" + "a/" * 4_000_000,
        lambda: "site\n" + "0" * 64 + "  site/" + "a" * 8_000_000,
        lambda: "".join(f"sheets/{number}\n" for number in range(500_000)) + "site\n",
        lambda: "site\n" + "0" * 64 + "  site/../../../etc/passwd",
        lambda: "site\n" + "0" * 64 + "  site//etc/passwd",
        lambda: "site\n" + "0" * 64 + "  sheets/a/file",
        lambda: "site\n" + "0" * 64 + "  ",
    ],
    3,
)
def test_a_made_up_marker_costs_little(tmp_path: Path, marker: Callable[[], str]) -> None:
    """Names without end, a million of folders, ways out: what it does not list as it is counts as the user's."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "file").write_text("mine")
    (tmp_path / MARKER).write_text("Made by Grimalkin, which replaces these folders:\n" + marker())
    noted = {f"sheets/{number}x/file": "" for number in range(100_000)}
    (tmp_path / STATE).write_text(json.dumps({"site": noted, "games": {}}))
    assert not intact(tmp_path, ["site"], {"records/a/" + "a/" * 1_000_000: ""})
    build(tmp_path, "new")

    assert ["mine"] == list(own(tmp_path).values())


@pytest.mark.parametrize("link", ["site", "site/a", "site/a/b", "site/a/b/two"])
def test_nothing_behind_a_link_is_intact(tmp_path: Path, link: str) -> None:
    """Whichever part of the path it is, and however often the folder was found to be one."""
    (tmp_path / "site" / "a" / "b").mkdir(parents=True)
    names = [f"site/a/b/{name}" for name in ("one", "two", "three")]
    for name in names:
        (tmp_path / name).write_text(name)
    files = {name: digest(tmp_path / name) for name in names}
    assert is_intact(tmp_path, files)
    (tmp_path / link).rename(tmp_path / "moved")
    (tmp_path / link).symlink_to(tmp_path / "moved")

    assert not is_intact(tmp_path, files)
    assert is_intact(tmp_path, {})


def test_an_output_file_of_gigabytes_is_not_read(tmp_path: Path) -> None:
    """It was changed after it was made: we make none so large."""
    build(tmp_path, "old")
    with (tmp_path / "site" / "file").open("wb") as file:
        file.truncate(2**40)
    told: list[str] = []
    build(tmp_path, "new", told=told)

    assert 1 == len(told) and "site/file was changed after it was made" in told[0]


@pytest.mark.slow("two builds wait for each other")
def test_two_builds_do_not_write_at_once(tmp_path: Path) -> None:
    """The second one is told so."""
    with (
        staging(tmp_path, [], print),
        pytest.raises(Stop, match="another build is writing here"),
        staging(tmp_path, [], print),
    ):
        pass


def test_an_output_that_is_a_file_is_told(tmp_path: Path) -> None:
    """No traceback for a path that cannot be a folder."""
    (tmp_path / "file").write_text("")
    with pytest.raises(Stop, match="the output folder cannot be made"), staging(tmp_path / "file", [], print):
        pass


def test_only_what_was_made_is_replaced(tmp_path: Path) -> None:
    """A folder of one's own stays its owner's, also after another command has made something beside it."""
    build(tmp_path, "old")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "work.txt").write_text("weeks of it")
    with pytest.raises(Stop) as stop:
        refuse_foreign(tmp_path, ["mine", *FOLDERS])

    assert ["this was not made by Grimalkin"] == [problem.message for problem in stop.value.problems]
    refuse_foreign(tmp_path, FOLDERS)


def test_half_of_what_was_built_is_not_taken_for_the_whole(tmp_path: Path) -> None:
    """Somebody cleans up while a build is under way, which goes on writing: the old output stays."""
    build(tmp_path, "old")
    told = r"\.grimalkin-new: this was removed while the command ran; run the command again"
    with pytest.raises(Stop, match=told), staging(tmp_path, FOLDERS, print) as new:
        shutil.rmtree(new)
        for folder in FOLDERS:
            (new / folder).mkdir(parents=True)
        swap(tmp_path, FOLDERS, [], print)

    assert {"old"} == contents(tmp_path)
    assert [] == hidden(tmp_path)


def test_a_folder_that_cannot_be_replaced_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a reader has its file open on Windows: what to do is said, and the next command completes the swap."""
    build(tmp_path, "old")
    real = Path.rename

    def locked(path: Path, target: Path) -> Path:
        if path.name == "b":
            raise PermissionError(13, "Permission denied")
        return real(path, target)

    monkeypatch.setattr(Path, "rename", locked)
    with pytest.raises(Stop) as stop:
        build(tmp_path, "new")
    monkeypatch.undo()

    assert "this cannot be replaced: Permission denied; close programs that have it open" in str(stop.value)
    next_command(tmp_path)
    assert {"new"} == contents(tmp_path)


@pytest.mark.parametrize("kill_at", range(12))
def test_an_older_file_is_kept_wherever_the_swap_is_cut_off(tmp_path: Path, kill_at: int) -> None:
    """Never are both lost, nor is one kept twice."""
    build(tmp_path, "old")
    steps: list[str] = []

    def step(name: str) -> None:
        if kill_at == len(steps):
            raise Killed
        steps.append(name)

    with suppress(Killed), staging(tmp_path, [], print) as new:
        (new / RECORD).parent.mkdir(parents=True)
        (new / RECORD).write_text("new")
        swap(tmp_path, [], [RECORD], print, step, older=[RECORD])
    next_command(tmp_path)

    assert ("old" if kill_at < 2 else "new") == (tmp_path / RECORD).read_text()
    assert ({} if kill_at < 2 else {f"{KEPT}/{RECORD}": "old"}) == own(tmp_path)


PARTLY = "{0}: part of the new output is in place; the next command brings in the rest"
LEFT = "{0}/kept-2 is older output, with files that could not be moved or removed; it is yours now"


def test_a_command_that_stops_in_a_swap_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must not be taken for one that changed nothing."""
    build(tmp_path, "old")
    lines: list[str] = []
    real = Path.rename
    with monkeypatch.context() as patch, pytest.raises(Stop), staging(tmp_path, FOLDERS, lines.append) as new:
        for folder in FOLDERS:
            (new / folder).mkdir(parents=True)
        patch.setattr(Path, "rename", lambda path, target: closed() if path.name == "b" else real(path, target))
        swap(tmp_path, FOLDERS, [], lines.append)

    assert [PARTLY.format(tmp_path)] == lines


def closed(*_: object, **__: object) -> None:
    raise PermissionError(13, "Permission denied")


def test_what_cannot_be_moved_is_left_with_the_older_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that is read-only: the rest goes on, the swap is finished, and the next one finds nothing in its way."""
    build(tmp_path, "old")
    put_own_files(tmp_path)
    real = Path.rename
    told: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", lambda path, target: closed() if path.name == "drafts" else real(path, target))
        build(tmp_path, "new", told=told)
    build(tmp_path, "newer")

    assert [*(line for line in told_of(tmp_path) if "drafts" not in line), LEFT.format(tmp_path)] == told
    assert {"newer"} == contents(tmp_path)
    assert "a draft" == (tmp_path / "kept-2" / "sheets" / "b" / "drafts" / "one.txt").read_text()
    assert [] == hidden(tmp_path)


def test_what_cannot_be_looked_into_is_kept_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One's own folder in a folder of ours, or one of ours."""
    build(tmp_path, "old")
    put_own_files(tmp_path)
    real = Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda path: closed() if path.name in ("drafts", "a") else real(path))
    told: list[str] = []
    build(tmp_path, "new", told=told)

    whole = f"{tmp_path}/sheets/a may hold files of yours; all of it is now {tmp_path}/kept/sheets/a"
    assert [whole, *told_of(tmp_path)[1:]] == told
    assert OWN == own(tmp_path)


def test_a_name_that_is_taken_and_full_is_left(tmp_path: Path) -> None:
    """No number can be added to 255 letters."""
    build(tmp_path, "old")
    name = "n" * 251 + ".txt"
    (tmp_path / KEPT / "site").mkdir(parents=True)
    (tmp_path / KEPT / "site" / name).write_text("older")
    (tmp_path / "site" / name).write_text("mine")
    told: list[str] = []
    build(tmp_path, "new", told=told)

    assert [LEFT.format(tmp_path)] == told
    assert "mine" == (tmp_path / "kept-2" / "site" / name).read_text()
    assert [] == hidden(tmp_path)


def test_older_output_that_cannot_be_removed_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be in the way of every later swap."""
    build(tmp_path, "old")
    real = shutil.rmtree
    told: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", lambda path, **how: None if path.name == OLD else real(path, **how))
        build(tmp_path, "new", told=told)
    build(tmp_path, "newer")

    assert [LEFT.format(tmp_path)] == told
    assert {"newer"} == contents(tmp_path)
    assert [] == hidden(tmp_path)
