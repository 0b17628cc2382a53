"""Turn the colours of finished operators into those of a print: greys, or the inks of a print shop.

Faces are drawn in sRGB, and a colour that names its inks has them in front: `~cmyk 0 100 100 0~0.89 0.04 0.11 rg`. The
canvas converts operators and dictionaries as it writes them, in one place. Source: ISO 32000-1, 8.6 and 11.7.4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, Protocol

from grimalkin.printing.draw.packing import LONGEST_COLOUR, NOTE, colour, inks_in
from grimalkin.source.colours import Ink

Space = Literal["DeviceRGB", "DeviceGray", "DeviceCMYK"]


class Written(NamedTuple):
    """A colour as an operator: its operands and operator, and the name of its colour space if it needs one."""

    operands: str
    operator: str
    space: str = ""
    over: bool = False
    """Whether it is printed over what is below instead of replacing it."""


class Colours(Protocol):
    """The colours of a document."""

    space: Space
    """The colour space of gradients and transparency groups."""
    spots: dict[str, Ink]
    """The spot colours in use, by the names of their colour spaces."""
    excess: dict[str, Ink]
    """Inks that designers gave and that exceed the limit of the shop, as written."""
    solid: str
    """The colour of large areas in black or in our ink, as faces hold it; "" if they need none of their own."""

    def flat(self, parts: Sequence[str], ink: Ink | None) -> Written:
        """Return the operator of a colour, in lower case; the canvas makes it capital for strokes."""
        ...

    def shade(self, parts: Sequence[str], ink: Ink | None) -> str:
        """Return the operands of a colour in a gradient."""
        ...

    def separation(self, name: str) -> str:
        """Return the colour space of a spot that `flat` has named."""
        ...


class _Process:
    """Colours without spots and limits."""

    solid = ""

    def __init__(self) -> None:
        self.spots: dict[str, Ink] = {}
        self.excess: dict[str, Ink] = {}

    def separation(self, name: str) -> str:
        raise KeyError(name)


class Screen(_Process):
    """Colours of a screen: those that name inks lose them."""

    space: Space = "DeviceRGB"

    def flat(self, parts: Sequence[str], _ink: Ink | None) -> Written:
        return Written(" ".join(parts), "rg")

    def shade(self, parts: Sequence[str], _ink: Ink | None) -> str:
        return " ".join(parts)


class Greys(_Process):
    """Shades of grey, so that printers count no page as colour. `black` becomes 0."""

    space: Space = "DeviceGray"

    def __init__(self, black: str) -> None:
        super().__init__()
        self.black = colour(black)

    def flat(self, parts: Sequence[str], ink: Ink | None) -> Written:
        return Written(self.shade(parts, ink), "g")

    def shade(self, parts: Sequence[str], ink: Ink | None) -> str:
        if ink and ink.kind == "gray":
            return f"{1 - ink.cmyk[3] / 100:.3g}"
        return lightness(parts, self.black)


def lightness(parts: Sequence[str], black: str) -> str:
    """Return the lightness of a colour, given as from `colour`; `black` itself is black."""
    if " ".join(parts) == black:
        return "0"
    if len({*parts}) == 1:
        return parts[0]
    # The luma of a screen (ITU-R BT.601).
    return f"{sum(share * float(part) for share, part in zip((0.299, 0.587, 0.114), parts, strict=True)):.3g}"


Over = Callable[[bool, bool], str]
"""Return the operator that sets overprint for strokes and for fills."""


def recoloured(code: str, colours: Colours, spaces: list[str], over: Over | None = None) -> str:
    r"""Return operators in the colours of a document. Add the names of colour spaces that they use to `spaces`.

    With `over`, text in a colour that says so, and everything in a finish, is printed over what is below.

    >>> recoloured("0.114 0.102 0.149 rg (1 0 0 rg)Tj 1 1 1 RG 1 0 0 rg", Greys("#1d1a26"), [])
    '0 g (1 0 0 rg)Tj 1 G 0.299 g'
    """
    if isinstance(colours, Screen) and NOTE not in code:
        return code
    known: dict[tuple[str, str], Written] = {}
    if over is None:
        parts = _STRINGS.split(code)
        for at in range(0, len(parts), 2):
            for operator in (" rg", " RG"):
                if operator in parts[at]:
                    parts[at] = _with(parts[at], operator, colours, spaces, known)
        return "".join(parts)
    return _Overprinting(colours, spaces, over).code(code)


def _with(code: str, operator: str, colours: Colours, spaces: list[str], known: dict[tuple[str, str], Written]) -> str:
    """Return operators without strings, with one that sets a colour converted. `known` are the colours met so far."""
    pieces = code.split(operator)
    for at, after in enumerate(pieces[1:]):
        piece = pieces[at]
        found = None if _GOES_ON.match(after) else _colour_at_end(piece)
        if found is None:
            pieces[at] = f"{piece}{operator}"
            continue
        start, written = _read(found, colours, known)
        if written.space:
            spaces.append(written.space)
        pieces[at] = f"{piece[:start]}{_shown(written, operator == ' RG')}"
    return "".join(pieces)


def _colour_at_end(piece: str) -> re.Match[str] | None:
    return _COLOUR.search(piece, max(0, len(piece) - LONGEST_COLOUR - 1))


def _read(found: re.Match[str], colours: Colours, known: dict[tuple[str, str], Written]) -> tuple[int, Written]:
    """Return where a colour starts, with its note, and its operator."""
    piece, start, note = found.string, found.start(), ""
    if start and piece[start - 1] == NOTE:
        begin = piece.rindex(NOTE, 0, start - 1)
        note, start = piece[begin + 1 : start - 1], begin
    written = known.get((note, found[0]))
    if written is None:
        written = known[note, found[0]] = colours.flat(found.groups(), inks_in(note) if note else None)
    return start, written


def _shown(written: Written, is_stroke: bool) -> str:
    operator = written.operator
    if is_stroke:
        operator = operator.upper() if operator != "scn" else "SCN"
    space = f"/{written.space} {'CS' if is_stroke else 'cs'} " if written.space else ""
    return f"{space}{written.operands} {operator}"


class _Overprinting:
    """A conversion that keeps track of what is printed over what."""

    def __init__(self, colours: Colours, spaces: list[str], over: Over) -> None:
        self.colours, self.spaces, self.over = colours, spaces, over
        self.known: dict[tuple[str, str], Written] = {}
        self.stack: list[tuple[Written | None, tuple[bool, bool]]] = []
        self.fill: Written | None = None
        """The current colour for fills, if it was set here."""
        self.set: tuple[bool, bool] = (False, False)
        """Whether strokes and fills are printed over what is below."""
        self.in_text = False

    def code(self, code: str) -> str:
        out: list[str] = []
        for at, part in enumerate(_STRINGS.split(code)):
            if at % 2:
                out.append(part)
            else:
                self.part(part, out)
        return "".join(out)

    def part(self, code: str, out: list[str]) -> None:
        """Convert operators without strings."""
        at = 0
        for found in _STEPS.finditer(code):
            step, start, end = found[0], found.start(), found.end()
            piece = code[at:start]
            if step in (" rg", " RG"):
                colour_found = _colour_at_end(piece)
                if colour_found is None:
                    continue
                begin, written = _read(colour_found, self.colours, self.known)
                if written.space:
                    self.spaces.append(written.space)
                out += [piece[:begin], _shown(written, step == " RG")]
                if step == " rg":
                    self.fill = written
                self.turn(written, step == " RG", out)
            else:
                out += [piece, step]
                self.step(step, out)
            at = end
        out.append(code[at:])

    def turn(self, written: Written, is_stroke: bool, out: list[str]) -> None:
        """Set overprint for a colour: a finish always, ink only in text."""
        strokes, fills = self.set
        wanted = written.over and (self.in_text or bool(written.space))
        self.to((wanted, fills) if is_stroke else (strokes, wanted), out)

    def step(self, step: str, out: list[str]) -> None:
        if step == "q":
            self.stack.append((self.fill, self.set))
        elif step == "Q":
            if self.stack:
                self.fill, self.set = self.stack.pop()
        elif step == "BT":
            self.in_text = True
            if self.fill:
                self.turn(self.fill, False, out)
        else:
            self.in_text = False
            self.to((self.set[0], bool(self.set[1] and self.fill and self.fill.space)), out)

    def to(self, wanted: tuple[bool, bool], out: list[str]) -> None:
        if wanted != self.set:
            self.set = wanted
            out.append(f" {self.over(*wanted)}")


def recoloured_dictionary(body: str, colours: Colours) -> str:
    """Do the same for a dictionary: its colour spaces, and the colours of its functions (ISO 32000-1, 7.10.3).

    >>> recoloured_dictionary("/ColorSpace/DeviceRGB/C0[1 1 1]/C1[0.114 0.102 0.149]", Greys("#1d1a26"))
    '/ColorSpace/DeviceGray/C0[1]/C1[0]'
    """
    if isinstance(colours, Screen) and NOTE not in body:
        return body
    body = body.replace("/DeviceRGB", f"/{colours.space}")
    return _ENDS.sub(
        lambda found: f"{found[1]}[{colours.shade(found.groups()[2:], inks_in(found[2]) if found[2] else None)}]", body
    )


_ENDS = re.compile(r"(/C[01])\[(?:~([^~]*)~)?([\d.]+) ([\d.]+) ([\d.]+)\]")
_STRINGS = re.compile(r"(\((?:[^()\\]|\\.)*\))", re.DOTALL)
_COLOUR = re.compile(r"(?<![\w.])([\d.]+) ([\d.]+) ([\d.]+)\Z")
"""The operands of a colour at the end of operators."""
_GOES_ON = re.compile(r"[\w.]")
_STEPS = re.compile(r" rg(?![\w.])| RG(?![\w.])|(?<![^\s])(?:BT|ET|q|Q)(?![^\s])")
