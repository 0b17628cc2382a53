"""The printing condition of a print shop: which inks, how much of them, by which profile, and which form of PDF.

`read_profile` checks an ICC profile before anything is converted with it: ICC.1:2022 (https://www.color.org).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

from grimalkin.problems import Place, Problems, shown_path
from grimalkin.source import data_folder, read_bytes
from grimalkin.source.colours import Cmyk

ColourSpace = Literal["cmyk", "gray"]
Standard = Literal["x4", "x1a"]
STANDARDS: Final = {"x4": "PDF/X-4", "x1a": "PDF/X-1a"}
MOST_BYTES: Final = 20_000_000
"""The most bytes of a profile; those of printers have 0.1 to 3 million."""
MOST_TAGS: Final = 200
LEAST_LIMIT, MOST_LIMIT = 100, 400
"""The range of limits for all inks together, in per cent: below one solid, no text would be black."""
RICH_BLACK: Final[Cmyk] = (50.0, 40.0, 40.0, 100.0)
"""The inks of large black areas by default: black ink alone would look grey there, and show every speck."""
USUAL_LIMIT: Final = 300
"""The limit of our profile, and that of most shops for coated paper."""


@dataclass(frozen=True)
class Profile:
    """An ICC profile of a printer with four inks."""

    name: str
    """What it is called, for people."""
    digest: str
    data: bytes = field(repr=False, compare=False)
    condition: str = ""
    """The name of its characterization in the registry of the ICC, if it is there."""


@dataclass(frozen=True)
class Condition:
    """How a shop prints. `limit` is the most ink in one place, all four together, in per cent."""

    space: ColourSpace
    profile: Profile
    limit: int = USUAL_LIMIT
    standard: Standard = "x4"
    solid: Cmyk = RICH_BLACK
    """The inks of large black areas, in per cent; all other black is black ink alone."""


@cache
def own_profile() -> Profile:
    """Return the profile that comes with Grimalkin: offset on coated paper, from the measurements of FOGRA39."""
    data = (data_folder("templates") / "profiles" / "fogra39.icc").read_bytes()
    return Profile("Coated FOGRA39 (Grimalkin)", sha256(data).hexdigest(), data, "FOGRA39")


def read_profile(path: Path, place: Place, problems: Problems) -> Profile | None:
    """Return a profile from a file of the user. Report what makes it useless for printing, and return None."""
    data = read_bytes(path, problems, None, MOST_BYTES)
    if data is None:
        return None
    fault = fault_of_profile(data)
    if fault:
        problems.add(place, f"{shown_path(path)} {fault[0]}", fault[1])
        return None
    return Profile(path.stem, sha256(data).hexdigest(), data)


def fault_of_profile(data: bytes) -> tuple[str, str] | None:
    """Return what makes data no profile of a printer with four inks, with a hint; None if nothing does."""
    right = "give the profile that your print shop names, such as PSOcoated_v3.icc"
    if len(data) < 132 or data[36:40] != b"acsp" or struct.unpack_from(">L", data)[0] > len(data):
        return "is not an ICC profile, or is cut off", right
    kind, space = data[12:16].decode("latin-1"), data[16:20].decode("latin-1").strip()
    if space != "CMYK":
        return f"is a profile for {space}, not for CMYK", right
    if kind != "prtr":
        return f'is not the profile of a printer: its class is "{kind}"', right
    count = struct.unpack_from(">L", data, 128)[0]
    if count > MOST_TAGS or len(data) < 132 + 12 * count:
        return "is cut off: its table of tags is incomplete", right
    tags = {data[at : at + 4]: struct.unpack_from(">LL", data, at + 4) for at in range(132, 132 + 12 * count, 12)}
    if any(start + length > len(data) for start, length in tags.values()):
        return "is cut off: some of its tables are incomplete", right
    for tag, use in ((b"A2B0", "from inks"), (b"B2A0", "to inks")):
        if tag not in tags:
            return f"has no table {use} ({tag.decode()}), so colours cannot be converted with it", right
    return None
