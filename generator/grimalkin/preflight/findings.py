"""What preflight says: findings, and the names of the checks that make them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from grimalkin.problems import Place

CHECKS = {
    "type-size": "Type below its floor cannot be read at the table.",
    "safe-area": "Cuts wander: words and symbols near the edge lose a piece on some copies.",
    "bleed": "Art that ends between the cut and the edge of the bleed shows a sliver of paper on some copies.",
    "contrast": "Pale words on a pale ground cannot be read in the light of an evening.",
    "alt-text": "Who cannot see the art of a face is told nothing but its name.",
    "apart": "Faces told apart by hue alone look the same to one man in twelve, and on every black-and-white print.",
    "pieces": "A card too few is found out when the game is on the table.",
    "trim": "A card that is cut along wrong marks has another size than its neighbours.",
    "registration": "Backs that do not meet their fronts betray the card, or lose their frame.",
    "fonts": "A printer without the font prints another, and a character that a font lacks is an empty box.",
    "tags": "Readers that do not see the page need its order, its headings and its language.",
}
"""Every check by name, with what it guards against. `run` says which function it is."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that would come out wrong in print."""

    check: str
    """The name of the check that found it, as in the guide."""
    face: str
    """The id of the face, or the page of the sheets."""
    place: Place
    """The template, the table's row or the PDF that must change."""
    message: str
    """What was measured."""
    remedy: str

    def __str__(self) -> str:
        return f"{self.place}: {self.face}: {self.message}; {self.remedy} [{self.check}]"

    def record(self) -> dict[str, object]:
        """The finding as plain values, for JSON."""
        return asdict(self)


def told(findings: Iterable[Finding]) -> list[str]:
    """Findings as lines of text. What many faces share, as their template has it, is told for the first."""
    groups: dict[tuple[str, Place, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.check, finding.place, finding.remedy), []).append(finding)
    lines: list[str] = []
    for first, *others in groups.values():
        lines += [str(one) for one in (first, *others) if one.face == first.face]
        more = len({one.face for one in others} - {first.face})
        if more:
            lines[-1] += f" (and {more} more face{'s' if more > 1 else ''})"
    return lines
