r"""The marks inside texts: references, icons, emphasis, styles. What becomes of each is up to its reader.

`[[WK-ACT-4]]` is a rule, `[[penny]]` a component, `[[=claw]]` a term, `[[id|words]]` shows words of its own, `:paw:` is
an icon, `**bold**` and `*italic*` stand out, `{small|words}` has a style with a name, `{br}` breaks the line, and
`{if cards|words}` and `{if not low|words}` are there only where that holds. Lines that begin with `- ` or `1. ` are
items of a list. A backslash before a sign prints the sign: `\*`, `\:paw:`, `\[[`, `\{`.

Marks in braces hold other marks. Emphasis in a style ends with it, and a style ends with its paragraph; braces that are
no marks print as they stand, and those within a mark go in pairs.

Stars are read as CommonMark reads them (https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis), but for two
cases in which nobody who makes a card means emphasis: a star beside a number, an icon, a bracket or a single letter and
before something else is a times sign, as in `3*4*x`, `2*:paw: and 3*:claw:`, `2*(a+b)`; and two stars in the middle of
words belong together only within one word, as in `Claws*Lives and Luck*Will`.
"""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from grimalkin.problems import did_you_mean

Fault = tuple[str, str]
"""What is wrong, and what would be right."""
_MARK = re.compile(
    r"\\(?P<sign>[!-/:-@\[-`{-~])"
    r"|\[\[(?P<term>=?)(?P<name>[^\[\]|]+)(?:\|(?P<words>[^\[\]]+))?\]\]"
    r"|:(?P<icon>[^\W\d_][\w-]*):"
    r"|(?P<stars>\*+)"
    r"|\{(?:(?P<style>[^\W\d_][\w-]*)\||if[ \t](?P<asked>[^{}|\n]*)\||(?P<break>br)\})?"
    r"|\}"
    r"|\n(?P<end>[ \t]*(?=\n)|(?=(?P<item>[ \t]*(?:-|\d{1,9}\.)[ \t])|[ \t]*(?:[+*]|\d+[.)])[ \t]))"
)
"""Emphasis ends with its paragraph, and where an item of a list begins."""
ITEM = re.compile(r"([ \t]*)(-|\d{1,9}\.)[ \t]")
"""How a line of a list begins: its blanks, and its sign."""
_SIGNS = re.compile(r"[\\*\[\]{}|:]")
CODE = re.compile(r"(?<![\\`])(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
"""Code, as pages show it. Faces have none."""
BRACKETS = re.compile(r"[ \n]?\(((?:\[\[[A-Za-z0-9-]++\]\](?:, )?)++)\)([.,:;]?)")
"""Rules in brackets behind a sentence: who tells it to newcomers gives them as small numbers."""
_SPACE = re.compile(r"\s")

ICONS = "the reference in the guide shows ours; one of your own is icons/NAME.svg"
STYLES = "game.yaml declares styles of your own"
ASKED = ("cards", "pages", "books", "full", "low", "mono")
"""What every text may ask for: where it stands, and in which inks it is printed; pages have all."""
BREAK = "\u2028"
"""What runs have for `{br}`: the end of a line and not of an item. Unicode calls it so, and no text holds it."""
MOST_NESTED = 8
"""How many marks in braces may stand within each other."""


class Reference(NamedTuple):
    """One reference in a text: what it names, the words to show if it brings its own, and where it stands."""

    kind: str
    """ "id" for a rule, ruling, example or component; "term"; or "icon"."""
    name: str
    words: str
    start: int
    end: int


class Run(NamedTuple):
    """Part of a text that looks alike, an icon (`icon` is its name and `text` is empty), or how an item begins."""

    text: str
    bold: bool
    italic: bool
    icon: str = ""
    styles: tuple[str, ...] = ()
    """The names of its styles, from the outermost to the innermost."""
    item: str = ""
    """Of a list: what its line begins with, the blanks too."""


class Braced(NamedTuple):
    """A mark in braces that has its end: where it and its words begin, and where the brace that ends it stands."""

    start: int
    inside: int
    end: int
    style: str
    asked: str
    """What is asked for; empty for a style."""


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
    """A text as it is printed, whatever it asks for. `named` gives the words of a reference that brings none."""
    text = "".join(_with_words(text))
    bold = italic = 0
    at = 0
    paired = {stars.start: stars for stars in _paired(text)}
    marks = braced(text)
    opened = {mark.start: mark.style for mark in marks}
    closed = {mark.end for mark in marks}
    styles: list[tuple[str, ...]] = [()]
    first = ITEM.match(text)
    if first:
        yield Run("", False, False, item=first[0])
        at = first.end()
    for match in _MARK.finditer(text, at):
        if match.start() > at:
            yield Run(text[at : match.start()], bold > 0, italic > 0, "", styles[-1])
        at = match.end()
        stars = paired.get(match.start())
        if stars:
            bold -= stars.ended.count(2)
            italic -= stars.ended.count(1)
            if stars.left:
                yield Run("*" * stars.left, bold > 0, italic > 0, "", styles[-1])
            bold += stars.begun.count(2)
            italic += stars.begun.count(1)
        elif match.start() in opened:
            style = opened[match.start()]
            styles.append((*styles[-1], style) if style else styles[-1])
        elif match.start() in closed:
            styles.pop()
        elif match["icon"]:
            yield Run("", bold > 0, italic > 0, match["icon"], styles[-1])
        else:
            printed = match["sign"] or (BREAK if match["break"] else match[0])
            shown = named(_reference(match)) if match["name"] else printed
            yield Run(shown, bold > 0, italic > 0, "", styles[-1])
            if match["item"]:
                yield Run("", False, False, item=match["item"])
                at = match.end("item")
    if at < len(text):
        yield Run(text[at:], bold > 0, italic > 0, "", styles[-1])


def plain_words(text: str, words_of: Mapping[str, str], holds: Callable[[str], bool]) -> str:
    """A text without its marks, for where nothing stands out: references and icons as words, items with a bullet.

    `holds` is as in `chosen`.
    """
    found = runs(chosen(text, holds), lambda reference: words_of.get(reference.name, reference.name))
    words = "".join(run.text or run.icon.replace("-", " ") or run.item.replace("-", "•") for run in found)
    return words.replace(BREAK, "\n")


def first_mark(text: str) -> str:
    """The first mark that a reader of marks would not print as it stands; "" without one. Stars count in pairs."""
    pairs = {stars.start for stars in _paired(text) if stars.begun}.union(mark.start for mark in braced(text))
    for match in _MARK.finditer(text):
        if match["name"] or match["icon"] or match["sign"] or match["break"] or match.start() in pairs:
            return match[0]
    return ""


def braced(text: str, codes: Sequence[tuple[int, int]] = (), most: float = MOST_NESTED) -> list[Braced]:
    """The styles and conditions of a text that have their end, in the order of their ends; at most so many nested.

    Those of words that a reference brings are left out: these are texts of their own.
    """
    found: list[Braced] = []
    if "{" not in text:
        return found
    opened: list[re.Match[str]] = []
    deep = 0
    for match in _marks(text, codes):
        if match[0][0] == "{" and not match["break"]:
            opened.append(match)
            deep += match[0] != "{"
        elif match[0] == "}" and opened:
            begin = opened.pop()
            if begin[0] == "{":
                continue
            if deep <= most:
                asked = (begin["asked"] or "").strip()
                found.append(Braced(begin.start(), begin.end(), match.start(), begin["style"] or "", asked))
            deep -= 1
    return found


def chosen(text: str, holds: Callable[[str], bool], code: bool = False) -> str:
    """A text in which every condition is decided: `holds` tells whether a name holds. With `code`, but for code.

    A line that only stood there for something else is left out with its end.

    >>> chosen("{if low|Pale}{if not low|{small|Red}} owl", {"low"}.__contains__)
    'Pale owl'
    """
    if "{if" not in text:
        return text
    edits: list[tuple[int, int, str]] = []
    for match in _MARK.finditer(text):
        if match["words"] and "{if" in match["words"]:
            edits.append((*match.span("words"), chosen(match["words"], holds)))
    for mark in braced(text, _codes(text) if code else ()):
        if mark.style:
            continue
        name = asked_name(mark.asked)
        if holds(name) == (name == mark.asked):
            edits += [(mark.start, mark.inside, ""), (mark.end, mark.end + 1, "")]
        else:
            alone = text[mark.start - 1 : mark.start] in ("", "\n") and text[mark.end + 1 : mark.end + 2] == "\n"
            edits.append((mark.start, mark.end + 1 + alone, ""))
    return replaced_parts(text, sorted(edits))


class Sign(NamedTuple):
    """Where something of a mark in braces stands: it "open"s or "close"s a style, or is a "break" of the line."""

    kind: str
    style: str
    start: int
    end: int


def signs(text: str, code: bool = False) -> list[Sign]:
    """Where styles of a text open and close, and where its lines are broken, in order; with `code`, outside of code."""
    if "{" not in text:
        return []
    codes = _codes(text) if code else ()
    found = [Sign("break", "", *match.span()) for match in _marks(text, codes) if match["break"]]
    for mark in braced(text, codes):
        found += [Sign("open", mark.style, mark.start, mark.inside), Sign("close", mark.style, mark.end, mark.end + 1)]
    return sorted(found, key=lambda sign: sign.start)


def unstyled(text: str) -> str:
    """A text without its styles; the other marks stay."""
    found = signs(text, code=True)
    return replaced_parts(text, ((sign.start, sign.end, " " if sign.kind == "break" else "") for sign in found))


def literal(text: str) -> str:
    r"""Words as a text that shows them as they are.

    >>> literal("*Stop* [[here]]")
    '\\*Stop\\* \\[\\[here\\]\\]'
    """
    return _SIGNS.sub(r"\\\g<0>", text)


def asked_name(asked: str) -> str:
    """The name that a condition asks for: `low` in `low` and in `not low`."""
    first, _, rest = asked.partition(" ")
    return rest.strip() if first == "not" and rest else asked


def replaced_parts(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """A text with parts replaced; what begins within a part that was replaced before stays out."""
    parts, at = [], 0
    for start, end, by in edits:
        if start >= at:
            parts += [text[at:start], by]
            at = end
    return "".join([*parts, text[at:]])


def brace_faults(text: str, styles: Collection[str], names: Collection[str], code: bool = True) -> Iterator[Fault]:
    """What is wrong with the marks in braces of a text, and what would be right.

    `styles` and `names` may be written; with `code`, code is left out, as pages have it.
    """
    if "{" not in text:
        return
    codes = _codes(text) if code else ()
    closed = {mark.start: mark for mark in braced(text, codes, math.inf)}
    known = {mark.start for mark in braced(text, codes)}
    ends = [match.start() for match in _marks(text, codes) if match["end"] is not None]
    for match in _marks(text, codes):
        if match["words"]:
            yield from brace_faults(match["words"], styles, names, code)
        if not match["style"] and match["asked"] is None:
            continue
        mark = closed.get(match.start())
        shown = text[match.start() : match.end() + 20].partition("\n")[0]
        name = match["style"] or asked_name(match["asked"].strip())
        if match["style"] and name not in styles:
            yield f'there is no style "{name}"', f"{did_you_mean(name, styles, STYLES)} (\\{{ prints a brace)".lstrip()
        elif not match["style"] and name not in names:
            yield f'nothing called "{name}" can be asked for in "{shown}"', did_you_mean(name, names)
        elif mark is None:
            yield f'the brace in "{shown}" is never closed', r"write } behind its words; \{ prints a brace"
        elif mark.start not in known:
            yield f'"{shown}" stands within too many other marks', f"at most {MOST_NESTED}"
        elif mark.style and bisect_left(ends, mark.start) < bisect_left(ends, mark.end):
            yield f'the style in "{shown}" goes beyond its paragraph', "write it in each paragraph and item anew"


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


def _marks(text: str, codes: Sequence[tuple[int, int]] = ()) -> Iterator[re.Match[str]]:
    """All marks of a text, but for those in code."""
    ahead = list(reversed(codes))
    for match in _MARK.finditer(text):
        while ahead and ahead[-1][1] <= match.start():
            ahead.pop()
        if not ahead or ahead[-1][0] > match.start():
            yield match


def _codes(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in CODE.finditer(text)] if "`" in text else []


def _paired(text: str, codes: Sequence[tuple[int, int]] = ()) -> list[_Stars]:
    """All stars of a text, with their partners found."""
    found: list[_Stars] = []
    if "*" not in text:
        return found
    blocks: list[list[_Stars]] = [[]]
    """The stars of this paragraph: outside of all marks in braces, in the first that is open, in one within it."""
    marks = braced(text, codes)
    opened, closed = {mark.start for mark in marks}, {mark.end for mark in marks}
    solid: set[int] = set()
    """Where an icon or a reference ends."""
    words = at = 0
    for match in _marks(text, codes):
        if match["name"] or match["icon"]:
            solid.add(match.end())
        elif match.start() in opened:
            blocks.append([])
        elif match.start() in closed:
            _pair(blocks.pop())
        elif match["end"] is not None:
            for block in blocks:
                _pair(block)
                block.clear()
        elif match["stars"]:
            words += len(_SPACE.findall(text, at, match.start()))
            at = match.start()
            block = blocks[-1]
            block.append(_stars(text, match, at in solid, block[-1] if block else None, words))
            found.append(block[-1])
    for block in blocks:
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
