r"""The marks inside texts: references, icons, emphasis; what each becomes (a link, a glyph) is up to its reader.

`[[WK-ACT-4]]` is a rule, `[[penny]]` a component, `[[=claw]]` a term, `[[id|words]]` shows words of its own, `:paw:` is
an icon, `**bold**` and `*italic*` stand out. A backslash before a sign prints the sign: `\*`, `\:paw:`, `\[[`.

Stars are read as CommonMark reads them (https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis), but for two
cases in which nobody who makes a card means emphasis: a star beside a number, an icon, a bracket or a single letter and
before something else is a times sign, as in `3*4*x`, `2*:paw: and 3*:claw:`, `2*(a+b)`; and two stars in the middle of
words belong together only within one word, as in `Claws*Lives and Luck*Will`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

_MARK = re.compile(
    r"\\(?P<sign>[!-/:-@\[-`{-~])"
    r"|\[\[(?P<term>=?)(?P<name>[^\[\]|]+)(?:\|(?P<words>[^\[\]]+))?\]\]"
    r"|:(?P<icon>[^\W\d_][\w-]*):"
    r"|(?P<stars>\*+)"
    r"|(?P<end>\n[ \t]*(?=\n)|\n(?=[ \t]*(?:[-+*]|\d+[.)])[ \t]))"
)
"""Emphasis ends with its paragraph, and where an item of a list begins."""
CODE = re.compile(r"(?<![\\`])(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
"""Code, as pages show it. Faces have none."""
_SPACE = re.compile(r"\s")

ICONS = "the reference in the guide shows ours; one of your own is icons/NAME.svg"


class Reference(NamedTuple):
    """One reference in a text: what it names, the words to show if it brings its own, and where it stands."""

    kind: str
    """ "id" for a rule, ruling, example or component; "term"; or "icon"."""
    name: str
    words: str
    start: int
    end: int


class Run(NamedTuple):
    """Part of a text that looks alike, or an icon (`icon` is its name and `text` is empty)."""

    text: str
    bold: bool
    italic: bool
    icon: str = ""


@dataclass(slots=True)
class _Stars:
    """Stars next to each other: where they stand, how many are still without partners, what they may do."""

    start: int
    end: int
    left: int
    opens: bool
    closes: bool
    within: bool
    """Whether letters or digits stand at both sides."""
    times: bool
    """Whether it stands between what is multiplied."""
    word: int
    """The number of blanks before it."""
    ended: list[int] = field(default_factory=list)
    begun: list[int] = field(default_factory=list)
    """Of how many stars the emphasis is that ends and begins here."""

    @property
    def is_loose(self) -> bool:
        """Whether it looks like one half of a pair, or like a pair with nothing in it.

        A single star after a word is a footnote's, within one a sign; three of them are a row.
        """
        count = self.end - self.start
        if self.opens or self.closes:
            return self.left > 0 and (count > 1 or (self.opens and not self.within))
        return count % 2 == 0 and not self.times


def references(text: str) -> Iterator[Reference]:
    """Every reference of a text, in order."""
    return (_reference(match) for match in _MARK.finditer(text) if match["name"] or match["icon"])


def runs(text: str, named: Callable[[Reference], str]) -> Iterator[Run]:
    """A text as it is printed. `named` gives the words of a reference that brings none."""
    text = "".join(_with_words(text))
    bold = italic = 0
    at = 0
    paired = {stars.start: stars for stars in _paired(text)}
    for match in _MARK.finditer(text):
        if match.start() > at:
            yield Run(text[at : match.start()], bold > 0, italic > 0)
        at = match.end()
        stars = paired.get(match.start())
        if stars:
            bold -= stars.ended.count(2)
            italic -= stars.ended.count(1)
            if stars.left:
                yield Run("*" * stars.left, bold > 0, italic > 0)
            bold += stars.begun.count(2)
            italic += stars.begun.count(1)
        elif match["icon"]:
            yield Run("", bold > 0, italic > 0, match["icon"])
        else:
            shown = named(_reference(match)) if match["name"] else match["sign"] or match["end"]
            yield Run(shown, bold > 0, italic > 0)
    if at < len(text):
        yield Run(text[at:], bold > 0, italic > 0)


def plain_words(text: str, words_of: Mapping[str, str]) -> str:
    """A text without its marks, for where nothing stands out: references and icons as words."""
    found = runs(text, lambda reference: words_of.get(reference.name, reference.name))
    return "".join(run.text or run.icon.replace("-", " ") for run in found)


def first_mark(text: str) -> str:
    """The first mark that a reader of marks would not print as it stands; "" without one. Stars count in pairs."""
    pairs = {stars.start for stars in _paired(text) if stars.begun}
    for match in _MARK.finditer(text):
        if match["name"] or match["icon"] or match["sign"] or match.start() in pairs:
            return match[0]
    return ""


def loose_marks(text: str) -> Iterator[str]:
    """Each mark of emphasis that nothing closes or opens, with the words after or before it. Code is left out."""
    if "*" not in text:
        return
    for stars in _paired(text, _codes(text)):
        if stars.is_loose and stars.opens:
            yield text[stars.start : stars.end + 20].partition("\n")[0]
        elif stars.is_loose:
            yield text[max(0, stars.start - 20) : stars.end].rpartition("\n")[2]


def loose_fault(mark: str) -> tuple[str, str]:
    """What is wrong with such a mark, and what would be right."""
    return f'the stars in "{mark}" have no partners', r"emphasis has as many before as after it; \* prints a star"


def plain_stars(text: str, markdown: bool = True) -> Iterator[int]:
    """Where stars stand that are printed; with `markdown`, but for those in code and those that begin a list's item."""
    for stars in _paired(text, _codes(text) if markdown else ()):
        line = text[text.rfind("\n", 0, stars.start) + 1 : stars.start]
        item = stars.left == 1 and not line.strip() and text[stars.end : stars.end + 1] in (" ", "\t")
        if stars.left and not (markdown and item):
            first = stars.start + sum(stars.ended)  # those in pairs stand next to what they emphasise
            yield from range(first, first + stars.left)


def _reference(match: re.Match[str]) -> Reference:
    if match["icon"]:
        return Reference("icon", match["icon"], "", match.start(), match.end())
    kind = "term" if match["term"] else "id"
    return Reference(kind, match["name"].strip(), match["words"] or "", match.start(), match.end())


def _with_words(text: str) -> Iterator[str]:
    """A text with the words that references bring in their place: they may hold marks themselves."""
    at = 0
    for match in _MARK.finditer(text):
        if match["words"]:
            yield text[at : match.start()]
            yield match["words"]
            at = match.end()
    yield text[at:]


def _codes(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in CODE.finditer(text)] if "`" in text else []


def _paired(text: str, codes: Sequence[tuple[int, int]] = ()) -> list[_Stars]:
    """All stars of a text, with their partners found."""
    found: list[_Stars] = []
    block: list[_Stars] = []
    solid: set[int] = set()
    """Where an icon or a reference ends."""
    words = at = 0
    ahead = list(reversed(codes))
    for match in _MARK.finditer(text):
        while ahead and ahead[-1][1] <= match.start():
            ahead.pop()
        if ahead and ahead[-1][0] <= match.start():
            continue
        if match["name"] or match["icon"]:
            solid.add(match.end())
        elif match["end"] is not None:
            _pair(block)
            block = []
        elif match["stars"]:
            words += len(_SPACE.findall(text, at, match.start()))
            at = match.start()
            block.append(_stars(text, match, at in solid, block[-1] if block else None, words))
            found.append(block[-1])
    _pair(block)
    return found


def _stars(text: str, match: re.Match[str], icon_before: bool, above: _Stars | None, word: int) -> _Stars:
    """Stars by what stands beside them: left-flanking ones open, right-flanking ones close.

    An icon is as good as a letter and as good as punctuation: `**:paw:**` and `:paw:*, then*` are both meant.
    `above` are the stars before them in their paragraph.
    """
    start, end = match.span()
    before, after = text[start - 1 : start] or " ", text[end : end + 1] or " "
    beside = _MARK.match(text, end) if after in ":[" else None
    icon_after = bool(beside and (beside["icon"] or beside["name"]))
    point_before, point_after = _is_point(before), _is_point(after)
    blank_before, blank_after = before.isspace(), after.isspace()
    whole_before, whole_after = icon_before or before.isalnum(), icon_after or after.isalnum()
    times = (whole_before or before == ")") and (whole_after or after == "(")
    if end - start > 1:
        times = times and before.isdigit() and after.isdigit()
    elif times:
        letter = before.isalpha() and not text[start - 2 : start - 1].isalnum()
        times = icon_before or icon_after or letter or before in ")0123456789" or after in "(0123456789"
        # What a star stands before and behind is emphasised, unless that star is a sign itself.
        inside = text[above.end : start] if above and above.opens else " "
        times = times and not (inside.isalnum() or (icon_before and inside.count(":") == 2 and inside[0] == ":"))
    opens = not times and not blank_after and (icon_after or not point_after or blank_before or point_before)
    closes = not times and not blank_before and (icon_before or not point_before or blank_after or point_after)
    return _Stars(start, end, end - start, opens, closes, whole_before and whole_after, times, word)


def _is_point(char: str) -> bool:
    """Whether CommonMark calls it punctuation."""
    return unicodedata.category(char)[0] in "PS"


def _pair(block: list[_Stars]) -> None:
    """Find partners by the rules of CommonMark, the nearest first."""
    openers: list[_Stars] = []
    barren: dict[tuple[bool, int, bool], int] = {}
    """By what decides it: below which place in the text nothing fits."""
    for stars in block:
        whole = stars.end - stars.start
        while stars.closes and stars.left:
            key = stars.opens, whole % 3, stars.within
            least = barren.get(key, -1)
            index = len(openers) - 1
            while index >= 0 and openers[index].start > least and not _fit(openers[index], stars):
                index -= 1
            if index < 0 or openers[index].start <= least:
                barren[key] = stars.start - 1
                break
            opener = openers[index]
            count = 2 if min(opener.left, stars.left) > 1 else 1
            opener.left -= count
            stars.left -= count
            opener.begun.append(count)
            stars.ended.append(count)
            del openers[index + bool(opener.left) :]
        if stars.opens and stars.left:
            openers.append(stars)


def _fit(opener: _Stars, closer: _Stars) -> bool:
    if opener.within and closer.within and opener.word != closer.word:
        return False
    first, second = opener.end - opener.start, closer.end - closer.start
    both = opener.closes or closer.opens
    return not both or (first + second) % 3 != 0 or first % 3 == second % 3 == 0
