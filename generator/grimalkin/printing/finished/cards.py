"""Find the cards in a folder of finished pictures: the front, the back and the count of each, by file names.

Fronts are in the folder itself or in `fronts`, backs alongside them or in `backs`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

from grimalkin.problems import Place, Problem, Problems, did_you_mean, shown_path
from grimalkin.problems.plain import LONGEST_ID, fault_of_name, folded, id_from, listed
from grimalkin.source import files_in
from grimalkin.source.files import PICTURES
from grimalkin.source.tables import read_table_file

_COUNTS: Final = (
    re.compile(r"(?P<name>.+?)[\s_.-]+[x×]\s?(?P<count>\d+)", re.I),
    re.compile(r"(?P<name>.+?)[\s_.-]*[(\[](?:[x×]\s?(?P<count>\d+)|(?P<other>\d+)\s?[x×])[)\]]", re.I),
    re.compile(r"(?P<name>.+?)[\s_.-]+(?P<count>\d+)[x×]", re.I),
    re.compile(r"(?P<count>\d+)\s?[x×][\s_.-]+(?P<name>.+)", re.I),
    re.compile(r"(?P<name>.+?)\[face,(?P<count>\d+)\]", re.I),
)
"""The ways in which people write counts. "guard (2)" is not one: that is how computers name copies of files."""
_SIDE: Final = re.compile(
    r"(?P<name>.+?)(?:[\s_.-]+(?P<side>front|back)|[\s_.-]*[(\[](?P<other>front|back)[)\]])", re.I
)
_TYPED: Final = str.maketrans("{}", "()")
"""A replacement for braces, which are markup in our texts."""

ENDINGS: Final = (*PICTURES, ".svg", ".pdf")
FRONTS, BACKS, COUNTS = "fronts", "backs", "counts.csv"
MOST_COPIES: Final = 1_000
"""The maximum number of copies of one card."""
_ALL: Final = "back"
"""The name of the picture that is the back of every card; "card back" is also accepted."""
_NO_PICTURES: Final = frozenset(
    [".psd", ".ai", ".bmp", ".heic", ".heif", ".avif", ".jxl", ".eps", ".kra", ".xcf", ".clip", ".afdesign", ".afphoto"]
)
"""Extensions of pictures that cannot be read."""
_COLUMNS: Final = ("name", "count")


class Named(NamedTuple):
    """The meaning of a picture file's name."""

    name: str
    is_back: bool
    copies: str
    """The digits of the count; "" if the name has none."""


def named(stem: str) -> Named:
    """Return the meaning of a file's name, given without its extension.

    >>> named("guard x4"), named("4x guard").copies, named("guard-back")
    (Named(name='guard', is_back=False, copies='4'), '4', Named(name='guard', is_back=True, copies=''))
    >>> named("guard (2)"), named("plank 2x4").copies
    (Named(name='guard (2)', is_back=False, copies=''), '')
    """
    stem = unicodedata.normalize("NFC", stem).strip().translate(_TYPED)
    stem, count = _counted(stem)
    side = _SIDE.fullmatch(stem)
    is_back = side is not None and (side[2] or side[3]).lower() == "back"
    if side:
        stem, more = _counted(side["name"])
        count = count or more
    return Named(stem, is_back, count)


def _counted(stem: str) -> tuple[str, str]:
    for pattern in _COUNTS:
        if found := pattern.fullmatch(stem):
            groups = found.groupdict()
            return groups["name"], groups["count"] or groups["other"] or ""
    return stem, ""


def in_order(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts names with numbers in counting order.

    >>> sorted(["card 10", "Card 2", "card 1"], key=in_order)
    ['card 1', 'Card 2', 'card 10']
    """
    parts = re.findall(r"\d{1,18}|\D+|\d+", name.casefold())
    return tuple((0, int(part), part) if part.isdecimal() and len(part) < 19 else (1, 0, part) for part in parts)


def id_of(name: str, taken: set[str], otherwise: str = "card") -> str:
    """Make an id from any name, different from those in `taken`, and add it to them.

    >>> taken = set()
    >>> id_of("Älter Wächter!", taken), id_of("alter wachter", taken), id_of("守", taken)
    ('alter-wachter', 'alter-wachter-2', 'card')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    word = re.sub(r"[^a-z0-9]+", "-", plain)[: LONGEST_ID - 8].strip("-") or otherwise
    if fault_of_name(word):
        word = f"{word}-{otherwise}"
    made, number = word, 1
    while made in taken:
        number += 1
        made = f"{word}-{number}"
    taken.add(made)
    return made


@dataclass(frozen=True)
class Found:
    """A picture that is one side of a card: a file, or a page in one."""

    path: Path
    name: str
    is_back: bool
    copies: str = ""
    """The number of copies given in its name, in digits."""
    page: int = 0
    """The page of a PDF, from 0."""

    @property
    def place(self) -> Place:
        return Place(shown_path(self.path))


@dataclass(frozen=True)
class Card:
    """A card of the deck."""

    name: str
    front: Found
    back: Found | None
    count: int


@dataclass
class Listing:
    """Pictures in a folder, as fronts and backs."""

    fronts: list[Found]
    backs: list[Found]
    counts: Path | None
    remarks: list[Problem]


def has_pictures(folder: Path) -> bool:
    """Return whether a folder, or its folder of fronts, contains a file with a picture's extension."""
    elsewhere = Problems()
    return any(
        path.suffix.lower() in ENDINGS for kind in ("", FRONTS) for path in files_in(folder, kind, "", elsewhere)
    )


def listing(folder: Path, skip: Iterable[str], problems: Problems) -> Listing:
    """Return the picture files in a folder, except those to skip. A name to skip that matches no file is a problem."""
    here = files_in(folder, "", "", problems)
    folders = {folded(path.name): path.name for path in here if path.is_dir()}
    wanted = {folded(name): name for name in skip}
    used: set[str] = set()

    def kept(paths: Iterable[Path]) -> list[Path]:
        found = []
        for path in _pictures(paths):
            called = {folded(path.name), folded(path.stem), folded(named(path.stem).name)} & wanted.keys()
            used.update(called)
            if not called:
                found.append(path)
        return found

    left = kept(here)
    fronts, backs = (kept(files_in(folder, folders.get(kind, kind), "", problems)) for kind in (FRONTS, BACKS))
    known = [path.stem for path in (*left, *fronts, *backs)]
    for key, name in wanted.items():
        if key not in used:
            problems.add(Place("--skip"), f'there is no picture "{name}"', did_you_mean(name, known))
    counts = next((path for path in here if path.name == COUNTS), None)
    made = Listing([], [], counts, [*_unread(here, left), *_deeper(folder, folders)])
    for one in map(_found, left):
        is_back = one.is_back or folded(one.name) == _ALL
        if fronts and not is_back:
            problems.add(
                one.place, f"this picture is not in the folder {FRONTS}", f"move it there, or --skip {one.path.stem}"
            )
        (made.backs if is_back else made.fronts).append(one)
    made.fronts += map(_found, fronts)
    made.backs += map(_found, backs)
    return made


def _pictures(paths: Iterable[Path]) -> list[Path]:
    return sorted((path for path in paths if path.suffix.lower() in ENDINGS), key=lambda path: in_order(path.name))


def _unread(here: Iterable[Path], pictures: Iterable[Path]) -> Iterable[Problem]:
    """Yield remarks on unreadable files that look like cards, unless there is a picture with the same name."""
    stems = {path.stem for path in pictures}
    for path in here:
        ending = path.suffix.lower()
        if ending in _NO_PICTURES and path.stem not in stems:
            hint = "save it as PNG, JPEG or PDF if it is a card"
            yield Problem(Place(shown_path(path)), f"a file with the extension {ending} cannot be read", hint)


def _deeper(folder: Path, folders: Mapping[str, str]) -> Iterable[Problem]:
    """Yield remarks on folders with pictures that are neither fronts nor backs."""
    for name in sorted(folders.values()):
        if folded(name) not in (FRONTS, BACKS) and _pictures(files_in(folder, name, "", Problems())):
            hint = f"put them into {FRONTS} or {BACKS}, or into the folder above"
            yield Problem(Place(shown_path(folder / name)), "the pictures in this folder are not read", hint)


def paged(pictures: Iterable[Found], pages: Mapping[Path, int]) -> list[Found]:
    """Return the pictures, including each page of a PDF as a picture, named by its number if there are several."""
    found: list[Found] = []
    for one in pictures:
        count = pages.get(one.path, 1)
        names = [one.name] if count == 1 else [f"{one.name} {number}" for number in range(1, count + 1)]
        found += [replace(one, name=name, page=page) for page, name in enumerate(names)]
    return found


def _found(path: Path) -> Found:
    name, is_back, count = named(path.stem)
    return Found(path, name, is_back, count)


# Fronts and backs


def cards_of(found: Listing, folder: Path, problems: Problems, remarks: list[Problem], one_sided: bool) -> list[Card]:
    """Return the cards made from these pictures, in the order of their names.

    `one_sided` means that backs are not printed, so that none can be missing.
    """
    fronts = _by_name(found.fronts, "front", problems)
    backs, of_all = _backs(found.backs, fronts, problems)
    counts = _listed_counts(found.counts, folder, fronts, problems)
    for key, back in backs.items():
        if key not in fronts:
            known = [one.name for one in fronts.values()]
            hint = did_you_mean(back.name, known, "the back of every card is called back.png; otherwise add a front")
            problems.add(back.place, f'this is the back of "{back.name}", which has no front', hint)
    bare = [front for key, front in fronts.items() if key not in backs and of_all is None]
    if bare and backs and not one_sided and not problems:
        names = listed([f'"{one.name}"' for one in bare[:5]] + (["more"] if len(bare) > 5 else []))
        hint = "add back.png for every card without a back of its own, or print with --backs none"
        problems.add(bare[0].place, f"other cards have a back, but there is none for {names}", hint)
    cards = []
    for key in sorted(fronts, key=lambda key: in_order(fronts[key].name)):
        front = fronts[key]
        count = _count(front, counts.get(key), problems)
        if count == 0:
            remarks.append(Problem(front.place, "its count is 0, so it is left out"))
        elif count is not None:
            cards.append(Card(front.name, front, None if one_sided else backs.get(key, of_all), count))
    return cards


def _by_name(pictures: Iterable[Found], side: str, problems: Problems) -> dict[str, Found]:
    """Return the pictures by the names of their cards; two with the same name are a problem."""
    known: dict[str, Found] = {}
    for one in pictures:
        first = known.setdefault(folded(one.name), one)
        if first is not one:
            hint = "keep one of them, rename it, or leave it out with --skip"
            problems.add(one.place, f'there are two pictures of the {side} of "{one.name}"', hint, first.place)
    return known


def _backs(
    pictures: list[Found], fronts: Mapping[str, Found], problems: Problems
) -> tuple[dict[str, Found], Found | None]:
    """Return the back of each card that has its own, and the back for all others, if there is one."""
    for_all = [one for one in pictures if folded(one.name) == _ALL]
    own = [one for one in pictures if folded(one.name) != _ALL]
    in_folder = [one for one in own if folded(one.path.parent.name) == BACKS and not one.is_back]
    if not for_all and len(own) == 1 and in_folder and folded(own[0].name) not in fronts:
        for_all, own = own, []
    many = [one for one in own if one.path.suffix.lower() == ".pdf" and folded(one.name) == f"{_ALL} 1"]
    for one in many:
        hint = "keep only one page for all cards; for a back for each page of NAME.pdf, use NAME-back.pdf"
        problems.add(one.place, "the back of every card has several pages", hint)
        own = [other for other in own if other.path != one.path]
    for one in for_all[1:]:
        hint = f"keep one of them; the back of one card is called NAME-back{one.path.suffix}"
        problems.add(one.place, "there are two backs for every card", hint, for_all[0].place)
    return _by_name(own, "back", problems), for_all[0] if for_all else None


# Counts


def _count(front: Found, listed: tuple[int, Place] | None, problems: Problems) -> int | None:
    """Return the count of a card; None with a problem."""
    if front.copies and listed and int(front.copies[:9]) != listed[0]:
        told = f'its name says {front.copies[:9]} of "{front.name}", but {COUNTS} says {listed[0]}'
        problems.add(front.place, told, "change one of them", listed[1])
        return None
    count = listed[0] if listed else int(front.copies[:9] or 1)
    if count > MOST_COPIES:
        place = listed[1] if listed else front.place
        problems.add(place, f'{count:,} of "{front.name}" are too many', f"at most {MOST_COPIES:,} of one card")
        return None
    return count


def _listed_counts(
    path: Path | None, folder: Path, fronts: Mapping[str, Found], problems: Problems
) -> dict[str, tuple[int, Place]]:
    """Read the list of counts, by the names of the cards."""
    table = read_table_file(path, problems, folder, known=_COLUMNS) if path else None
    counts: dict[str, tuple[int, Place]] = {}
    headers = [id_from(header) for header in table.columns] if table else []
    missing = [one for one in _COLUMNS if table and one not in headers]
    if table and missing:
        problems.add(table.place(), f"there is no column {listed(missing)}", "write the first line as: name,count")
    if table is None or missing:
        return counts
    for index, row in enumerate(table.rows):
        name, written = (str(row[headers.index(column)] or "").strip() for column in _COLUMNS)
        place = table.place(index)
        key = folded(name) if folded(name) in fronts else folded(named(Path(name).stem).name)
        if key not in fronts:
            hint = did_you_mean(name, [one.name for one in fronts.values()], "leave out the file extension")
            problems.add(place, f'there is no picture "{name}"', hint)
        elif not (written.isascii() and written.isdigit()):
            problems.add(place, f'the count of "{name}" is "{written}"', "write a whole number")
        elif key in counts:
            problems.add(place, f'"{name}" already has a count', "keep only one of the two lines", counts[key][1])
        else:
            counts[key] = int(written[:9]), place
    return counts
