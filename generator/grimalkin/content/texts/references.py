r"""The marks inside texts: references, icons, emphasis, styles. Callers decide what each becomes.

`[[WK-ACT-4]]` is a rule, `[[penny]]` a component, `[[=claw]]` a term, `[[id|words]]` shows these words, `:paw:` is
an icon, `**bold**` and `*italic*` are emphasis, `{small|words}` has a named style, `{br}` breaks the line, and
`{if cards|words}` and `{if not low|words}` appear only where that is true. Lines that begin with `- ` or `1. ` are
items of a list. A backslash before a symbol prints the symbol: `\*`, `\:paw:`, `\[[`, `\{`.

Marks in braces may hold other marks. Emphasis inside a style ends with it, and a style ends with its paragraph. Braces
that are not marks are printed as written; inside a mark, they must come in pairs.

Stars are read as CommonMark reads them (https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis), except in
two cases where no card designer means emphasis. A star after a number, an icon, a bracket or a single letter and
before something else is a times sign, as in `3*4*x`, `2*:paw: and 3*:claw:`, `2*(a+b)`. Two stars in the middle of
words are a pair only if they are in the same word, as in `Claws*Lives and Luck*Will`.
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
"""A message that says what is wrong, and a hint that says what would be right."""
_MARK = re.compile(
    r"\\(?P<sign>[!-/:-@\[-`{-~])"
    r"|\[\[(?P<term>=?)(?P<name>[^\[\]|]+)(?:\|(?P<words>[^\[\]]+))?\]\]"
    r"|:(?P<icon>[^\W\d_][\w-]*):"
    r"|(?P<stars>\*+)"
    r"|\{(?:(?P<style>[^\W\d_][\w-]*)\||if[ \t](?P<asked>[^{}|\n]*)\||(?P<break>br)\})?"
    r"|\}"
    r"|\n(?P<end>[ \t]*(?=\n)|(?=(?P<item>[ \t]*(?:-|\d{1,9}\.)[ \t])|[ \t]*(?:[+*]|\d+[.)])[ \t]))"
)
"""Emphasis ends at the end of its paragraph, and where an item of a list begins."""
ITEM = re.compile(r"([ \t]*)(-|\d{1,9}\.)[ \t]")
"""The beginning of a list item: its blanks, and its dash or number."""
_SIGNS = re.compile(r"[\\*\[\]{}|:]")
CODE = re.compile(r"(?<![\\`])(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
"""Code, which pages show. Faces have none."""
BRACKETS = re.compile(r"[ \n]?\(((?:\[\[[A-Za-z0-9-]++\]\](?:, )?)++)\)([.,:;]?)")
"""Rules in brackets after a sentence, which the page for newcomers shows as small numbers."""
_SPACE = re.compile(r"\s")

ICONS = "the guide's reference shows the shared icons; put your own in icons/NAME.svg"
STYLES = "declare styles of your own in game.yaml"
ASKED = ("cards", "pages", "books", "full", "low", "mono")
"""Names that a condition in any text may use: where the text appears, and its inks; pages have full inks."""
BREAK = "\u2028"
"""The character for `{br}` in runs, which ends a line but not an item: Unicode's line separator, which no text has."""
MOST_NESTED = 8
"""The most marks in braces that may be nested."""


class Reference(NamedTuple):
    """A reference in a text: its target, the words to show if it gives any, and its place."""

    kind: str
    """ "id" for a rule, ruling, example or component; "term"; or "icon"."""
    name: str
    words: str
    start: int
    end: int


class Run(NamedTuple):
    """Part of a text in one style, an icon (`icon` is its name and `text` is empty), or the beginning of an item."""

    text: str
    bold: bool
    italic: bool
    icon: str = ""
    styles: tuple[str, ...] = ()
    """The names of its styles, from the outermost to the innermost."""
    item: str = ""
    """The beginning of an item's line in a list, with its blanks."""


class Braced(NamedTuple):
    """A complete mark in braces: where it and its words begin, and the place of its closing brace."""

    start: int
    inside: int
    end: int
    style: str
    asked: str
    """The condition; empty for a style."""


@dataclass(slots=True)
class _Stars:
    """Adjacent stars: their place, how many have no partner yet, and whether they can open or close emphasis."""

    start: int
    end: int
    left: int
    opens: bool
    closes: bool
    within: bool
    """Whether letters or digits are on both sides."""
    times: bool
    """Whether it is a times sign."""
    word: int
    """The number of blanks before it."""
    ended: list[int] = field(default_factory=list)
    begun: list[int] = field(default_factory=list)
    """The number of stars in each emphasis that ends, and that begins, here."""

    @property
    def is_loose(self) -> bool:
        """Return whether this looks like half of a pair, or like a pair with nothing inside.

        A single star after a word marks a footnote, and one inside a word is a symbol; three are a row of symbols.
        """
        count = self.end - self.start
        if self.opens or self.closes:
            return self.left > 0 and (count > 1 or (self.opens and not self.within))
        return count % 2 == 0 and not self.times


def references(text: str) -> Iterator[Reference]:
    """Yield every reference in a text, in order."""
    return (_reference(match) for match in _MARK.finditer(text) if match["name"] or match["icon"])


def runs(text: str, named: Callable[[Reference], str]) -> Iterator[Run]:
    """Yield a text's runs as printed, with all conditions true. `named` gives words to references that have none."""
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
    """Return a text without marks: references and icons become words, items get a bullet.

    `holds` is as in `chosen`.
    """
    found = runs(chosen(text, holds), lambda reference: words_of.get(reference.name, reference.name))
    words = "".join(run.text or run.icon.replace("-", " ") or run.item.replace("-", "•") for run in found)
    return words.replace(BREAK, "\n")


def first_mark(text: str) -> str:
    """Return the first mark that would not be printed as written, or "". Stars count only in pairs."""
    pairs = {stars.start for stars in _paired(text) if stars.begun}.union(mark.start for mark in braced(text))
    for match in _MARK.finditer(text):
        if match["name"] or match["icon"] or match["sign"] or match["break"] or match.start() in pairs:
            return match[0]
    return ""


def braced(text: str, codes: Sequence[tuple[int, int]] = (), most: float = MOST_NESTED) -> list[Braced]:
    """Return the complete styles and conditions of a text, in order of their ends, nested at most `most` deep.

    Those in the words that a reference gives are left out: these are texts of their own.
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
    """Decide every condition in a text: `holds` returns whether a name is true. With `code`, leave code alone.

    A line left empty by this is removed, including its line end.

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
    """A place in a mark with braces: it "open"s or "close"s a style, or is a "break" of the line."""

    kind: str
    style: str
    start: int
    end: int


def signs(text: str, code: bool = False) -> list[Sign]:
    """Return where styles open and close and where lines break, in order; with `code`, only outside code."""
    if "{" not in text:
        return []
    codes = _codes(text) if code else ()
    found = [Sign("break", "", *match.span()) for match in _marks(text, codes) if match["break"]]
    for mark in braced(text, codes):
        found += [Sign("open", mark.style, mark.start, mark.inside), Sign("close", mark.style, mark.end, mark.end + 1)]
    return sorted(found, key=lambda sign: sign.start)


def unstyled(text: str) -> str:
    """Remove the styles from a text; keep the other marks."""
    found = signs(text, code=True)
    return replaced_parts(text, ((sign.start, sign.end, " " if sign.kind == "break" else "") for sign in found))


def literal(text: str) -> str:
    r"""Return a text that shows these words literally.

    >>> literal("*Stop* [[here]]")
    '\\*Stop\\* \\[\\[here\\]\\]'
    """
    return _SIGNS.sub(r"\\\g<0>", text)


def asked_name(asked: str) -> str:
    """Return the name in a condition: `low` in both `low` and `not low`."""
    first, _, rest = asked.partition(" ")
    return rest.strip() if first == "not" and rest else asked


def replaced_parts(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """Replace parts of a text; skip an edit that begins inside one already made."""
    parts, at = [], 0
    for start, end, by in edits:
        if start >= at:
            parts += [text[at:start], by]
            at = end
    return "".join([*parts, text[at:]])


def brace_faults(text: str, styles: Collection[str], names: Collection[str], code: bool = True) -> Iterator[Fault]:
    """Yield what is wrong with a text's marks in braces, and what would be right.

    `styles` and `names` hold the names allowed; with `code`, ignore code, which only pages have.
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
            yield f'"{shown}" asks for "{name}", which does not exist', did_you_mean(name, names)
        elif mark is None:
            yield f'the brace in "{shown}" is never closed', r"write } after its words; \{ prints a brace"
        elif mark.start not in known:
            yield f'"{shown}" is inside too many other marks', f"at most {MOST_NESTED}"
        elif mark.style and bisect_left(ends, mark.start) < bisect_left(ends, mark.end):
            yield f'the style in "{shown}" goes beyond its paragraph', "write it again in each paragraph and item"


def loose_marks(text: str) -> Iterator[str]:
    """Yield each emphasis mark without a partner, with the words after or before it. Ignore code."""
    if "*" not in text:
        return
    for stars in _paired(text, _codes(text)):
        if stars.is_loose and stars.opens:
            yield text[stars.start : stars.end + 20].partition("\n")[0]
        elif stars.is_loose:
            yield text[max(0, stars.start - 20) : stars.end].rpartition("\n")[2]


def loose_fault(mark: str) -> tuple[str, str]:
    """Return what is wrong with such a mark, and what would be right."""
    return f'the stars in "{mark}" have no partners', r"write as many after the words as before; \* prints a star"


def plain_stars(text: str, markdown: bool = True) -> Iterator[int]:
    """Yield the places of stars that are printed; with `markdown`, not those in code or at the start of items."""
    for stars in _paired(text, _codes(text) if markdown else ()):
        line = text[text.rfind("\n", 0, stars.start) + 1 : stars.start]
        item = stars.left == 1 and not line.strip() and text[stars.end : stars.end + 1] in (" ", "\t")
        if stars.left and not (markdown and item):
            first = stars.start + sum(stars.ended)  # paired stars are next to the words they emphasise
            yield from range(first, first + stars.left)


def _reference(match: re.Match[str]) -> Reference:
    if match["icon"]:
        return Reference("icon", match["icon"], "", match.start(), match.end())
    kind = "term" if match["term"] else "id"
    return Reference(kind, match["name"].strip(), match["words"] or "", match.start(), match.end())


def _with_words(text: str) -> Iterator[str]:
    """Yield a text with references replaced by the words they give: these words may hold marks too."""
    at = 0
    for match in _MARK.finditer(text):
        if match["words"]:
            yield text[at : match.start()]
            yield match["words"]
            at = match.end()
    yield text[at:]


def _marks(text: str, codes: Sequence[tuple[int, int]] = ()) -> Iterator[re.Match[str]]:
    """Yield all marks of a text except those in code."""
    ahead = list(reversed(codes))
    for match in _MARK.finditer(text):
        while ahead and ahead[-1][1] <= match.start():
            ahead.pop()
        if not ahead or ahead[-1][0] > match.start():
            yield match


def _codes(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in CODE.finditer(text)] if "`" in text else []


def _paired(text: str, codes: Sequence[tuple[int, int]] = ()) -> list[_Stars]:
    """Return all stars of a text, with their partners found."""
    found: list[_Stars] = []
    if "*" not in text:
        return found
    blocks: list[list[_Stars]] = [[]]
    """The stars in this paragraph: those outside all braces, those in the outermost open mark, those in the next."""
    marks = braced(text, codes)
    opened, closed = {mark.start for mark in marks}, {mark.end for mark in marks}
    solid: set[int] = set()
    """The places where an icon or a reference ends."""
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
    """Return stars classified by what is beside them: left-flanking ones open, right-flanking ones close.

    An icon counts as a letter and as punctuation: `**:paw:**` and `:paw:*, then*` are both emphasis. `above` are the
    stars before them in their paragraph.
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
        # Words between two stars are emphasised, unless the first star is itself a sign.
        inside = text[above.end : start] if above and above.opens else " "
        times = times and not (inside.isalnum() or (icon_before and inside.count(":") == 2 and inside[0] == ":"))
    opens = not times and not blank_after and (icon_after or not point_after or blank_before or point_before)
    closes = not times and not blank_before and (icon_before or not point_before or blank_after or point_after)
    return _Stars(start, end, end - start, opens, closes, whole_before and whole_after, times, word)


def _is_point(char: str) -> bool:
    """Return whether CommonMark counts a character as punctuation."""
    return unicodedata.category(char)[0] in "PS"


def _pair(block: list[_Stars]) -> None:
    """Pair stars by the rules of CommonMark, nearest first."""
    openers: list[_Stars] = []
    barren: dict[tuple[bool, int, bool], int] = {}
    """The place in the text below which no opener fits, by the properties that decide it."""
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
