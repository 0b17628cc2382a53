"""The options for a print shop, which `sheets`, `build` and `export zip` share."""

from __future__ import annotations

import argparse
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from grimalkin.cli.common import add_number
from grimalkin.problems import Place, Problems, Stop
from grimalkin.problems.plain import visible

if TYPE_CHECKING:
    from grimalkin.content.shops import Shop
    from grimalkin.printing.draw.condition import Condition

COLOURS = ("rgb", "cmyk", "gray")
ONLY_FOR_SHOPS = ("profile", "ink_limit", "rich_black", "pdfx")


def add_colour(parser: argparse.ArgumentParser, is_open: bool = False) -> None:
    """Add the options for the colours of a print shop. With `is_open`, what is left out is up to the shop."""
    shop = parser.add_argument_group("for a print shop")
    shop.add_argument(
        "--colour",
        choices=COLOURS,
        default=None if is_open else "rgb",
        help="colours of the PDFs: those of screens, which home printers expect; four inks, with text in black ink "
        f"alone and spot colours; or black ink alone (default: {'what the shop asks for, or ' if is_open else ''}rgb)",
    )
    shop.add_argument(
        "--profile",
        metavar="FILE",
        help="ICC profile that the shop names (default: ours, for coated paper, FOGRA39)",
    )
    limit = "most ink in one place, all four together in per cent, 100 to 400 (default: 300)"
    add_number(shop, "--ink-limit", 100, 400, limit)
    shop.add_argument(
        "--rich-black",
        type=_inks,
        metavar="C,M,Y,K",
        help="inks of large black areas, in per cent (default: 50,40,40,100, within the limit)",
    )
    shop.add_argument(
        "--pdfx",
        choices=["x4", "x1a"],
        help="form of the PDF: PDF/X-4, or PDF/X-1a without transparency for shops that ask for it (default: x4)",
    )


def report(files: Mapping[str, bytes], condition: Condition) -> int:
    """Check the files for a print shop against the rules of their standard. Print the result; return the exit code."""
    lines, code = checked(files, condition)
    for line in lines:
        print(visible(line))
    return code


def reports(path: Path, condition: Condition) -> list[str]:
    """Return the result for the PDFs in a ZIP, in lines."""
    with zipfile.ZipFile(path) as archive:
        return checked({name: archive.read(name) for name in archive.namelist()}, condition)[0]


def checked(files: Mapping[str, bytes], condition: Condition) -> tuple[list[str], int]:
    """Return what the files for a print shop break of the rules of their standard, in lines, and the exit code."""
    from grimalkin.printing.draw.condition import STANDARDS
    from grimalkin.printing.draw.pdfx import CLAIM

    standard = STANDARDS[condition.standard]
    try:
        from grimalkin.printing.preflight.pdfx import pdfx_faults
    except ModuleNotFoundError:
        return [f'made for {standard}, but not checked, which needs pip install "grimalkin[pdf]"'], 0
    made = {name: data for name, data in files.items() if CLAIM in data}
    found = [(name, fault) for name, data in made.items() for fault in pdfx_faults(data, condition.standard)]
    if found:
        return [f"{name}: not {standard}: {fault}" for name, fault in found], 1
    limit = f", ink at most {condition.limit} %" if condition.space == "cmyk" else ""
    return [f"built to the rules of {standard}, not certified: {condition.profile.name}{limit}"], 0


def condition_of(options: argparse.Namespace, shop: Shop | None = None) -> Condition | None:
    """Return the printing condition that the options ask for, and otherwise the shop; None for screens.

    Stop if the options do not fit together.
    """
    colour = options.colour or (shop.colour if shop else "rgb")
    if colour == "rgb":
        for name in ONLY_FOR_SHOPS:
            if getattr(options, name) is not None:
                option = f"--{name.replace('_', '-')}"
                raise Stop.at(Place(option), "it is only for print shops", "add --colour cmyk or --colour gray")
        return None
    if getattr(options, "cutter", None) == "cricut":
        raise Stop.at(Place("--colour"), "a Cricut prints pictures, which are in RGB", "leave out --colour or --cutter")
    from grimalkin.printing.draw.condition import (
        MOST_LIMIT,
        RICH_BLACK,
        USUAL_LIMIT,
        Condition,
        own_profile,
        read_profile,
    )

    problems = Problems()
    file = options.profile
    profile = own_profile() if file is None else read_profile(Path(file), Place("--profile"), problems)
    problems.stop()
    assert profile
    from grimalkin.printing.draw.separations import fault_of_condition

    fault = fault_of_condition(Condition(colour, profile, MOST_LIMIT))
    if fault:
        raise Stop.at(Place("--profile"), f"{file or profile.name} {fault[0]}", fault[1])
    limit = options.ink_limit or (shop and shop.ink_limit) or USUAL_LIMIT
    standard = options.pdfx or (shop and shop.pdfx) or "x4"
    return Condition(colour, profile, limit, standard, options.rich_black or (shop and shop.black) or RICH_BLACK)


def _inks(text: str) -> tuple[float, ...]:
    """Read four inks in per cent."""
    from grimalkin.source.colours import ink_of, noted

    parts = [part.strip() for part in text.split(",")]
    try:
        found = ink_of(noted(f"cmyk({', '.join(parts)})"))
    except ValueError:
        found = None
    if found is None or found.cmyk[3] < 100:
        raise argparse.ArgumentTypeError(f'"{text}" is not four inks in per cent, black at 100, as in 60,40,40,100')
    return found.cmyk
