"""The findings of preflight, the faults behind them, and the names of the checks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from grimalkin.problems import Place
from grimalkin.problems.plain import listed

CHECKS = {
    "type-size": "Type below its floor cannot be read at the table.",
    "thin-lines": "Lines thinner than a printer's dot break up or vanish.",
    "safe-area": "Cuts wander: words and symbols near the edge are clipped on some copies.",
    "bleed": "Art that ends between the cut and the edge of the bleed leaves a sliver of paper on some copies.",
    "contrast": "Pale words on a pale ground cannot be read in evening light.",
    "alt-text": "Without alt text, people who cannot see the art hear only the card's name.",
    "resolution": "A picture with too few pixels looks blurred or blocky.",
    "ink": "More ink than the paper can hold stays wet, and comes off on the next sheet.",
    "apart": "Faces that differ only in hue look the same to one man in twelve, and on every black-and-white print.",
    "weight": "A heavy file is slow to send, and some printers give up on it.",
    "pieces": "A missing card is noticed only when the game is on the table.",
    "trim": "A card cut along misplaced marks differs in size from its neighbours.",
    "registration": "Backs that do not meet their fronts give the card away, or lose their frame.",
    "fonts": "A printer without the font prints in another, and a character that a font lacks becomes an empty box.",
    "tags": "Screen readers need the order, the headings and the language of a page.",
    "book": "Anything taller than a page of the rulebook is cut off at the bottom.",
}
"""Every check by name, with its reason. `inspection` has the functions."""

MOST_NAMED = 3
"""The maximum number of faces named in addition to the first face of a fault."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault that would show in print."""

    check: str
    """The name of the check that found the fault, as in the guide."""
    face: str
    """The id of the face, or the page of the sheets."""
    place: Place
    """The template, the table's row or the PDF that must change."""
    message: str
    """The measurement in words."""
    remedy: str
    source: Place | None = None
    """The element of a template that is at fault, if it is known."""
    mark: str = ""
    """Text that distinguishes the finding from others at the same place."""
    is_warning: bool = False
    """Whether the fault may be intended, and so does not make the exit code 1."""

    def __str__(self) -> str:
        kind = "warning: " if self.is_warning else ""
        return f"{self.place}: {kind}{self.face}: {self.message}; {self.remedy} [{self.check}]"


@dataclass(frozen=True, slots=True)
class Fault:
    """Findings of one check that one change would mend, such as one element of a template on many faces."""

    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The first finding, at the place whose change mends all of them."""
        first = self.findings[0]
        return first if len(set(self.faces)) == 1 else replace(first, place=first.source or first.place)

    @property
    def faces(self) -> list[str]:
        return list(dict.fromkeys(one.face for one in self.findings))

    @property
    def is_warning(self) -> bool:
        return all(one.is_warning for one in self.findings)

    def __str__(self) -> str:
        _, *also = self.faces
        if not also:
            return str(self.first)
        more = len(also) - MOST_NAMED
        named = also if more < 1 else [*also[:MOST_NAMED], f"{more} more"]
        return f"{self.first} (also {listed(named, 'and')})"

    def record(self) -> dict[str, object]:
        """Return the fault as plain values for JSON: its first finding, with the others in `also`."""
        first, *also = (
            {
                "face": one.face,
                "place": {key: value for key, value in asdict(one.place).items() if value or key != "where"},
                "message": one.message,
                "remedy": one.remedy,
            }
            for one in (self.first, *self.findings[1:])
        )
        return {"check": self.first.check, "warning": self.is_warning, **first, "also": also}


def faults(findings: Iterable[Finding]) -> list[Fault]:
    """Group findings into faults, in the order of their first findings."""
    groups: dict[object, list[Finding]] = {}
    for one in findings:
        key = (one.check, one.source, one.mark) if one.source else (one.check, one.place, one.remedy)
        groups.setdefault(key, []).append(one)
    return [Fault(tuple(group)) for group in groups.values()]
