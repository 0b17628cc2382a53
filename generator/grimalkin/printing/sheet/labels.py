"""The label of a sheet: title, codes, cutting instructions, and a rule for checking the scale.

Labels are laid out in the room beside the pieces. Lengths are in millimetres, type sizes in points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from grimalkin.content.stocks import Paper
from grimalkin.printing.draw.canvas import PackedCanvas, string_width
from grimalkin.printing.draw.pdf import MM
from grimalkin.printing.draw.tags import Tags
from grimalkin.printing.face.svg.subset import INK
from grimalkin.printing.sheet.marks import MARK_WEIGHT, around
from grimalkin.printing.sheet.pieces import EPSILON, MARKS, STRIP, WORDS_EDGE, Box, Sheet
from grimalkin.printing.type.fonts import SANS, SERIF_BOLD
from grimalkin.printing.type.words import plainly_written

LINE_STEP = 2.2
LEAST_TYPE = 5.0
"""Points: text that is too long is set smaller, down to this size, and then continues on the next line."""
TITLE_FONT, FONT = (SERIF_BOLD, 8.0), (SANS, 6.0)
WORDS_GAP = 4.0
"""Millimetres between texts that share a line."""
ABOVE, BELOW = 0.75, 0.22
"""How far letters reach above and below their line, as a fraction of their type size."""
RULE_LENGTH, RULE_HEIGHT = 50.0, 1.5
RULE_WORDS = f"this line measures {RULE_LENGTH:g} mm"


class Label(NamedTuple):
    """The text on the edges of a sheet."""

    title: str
    settings: str
    hint: str = ""
    rule: str = RULE_WORDS


Where = Literal["beside", "above and below", "nowhere"]


class Text(NamedTuple):
    """Text, its position in millimetres from the upper left of the page turned to read it, and its size in points."""

    words: str
    font: str
    size: float
    x: float = 0.0
    y: float = 0.0
    is_seen: bool = True


class Words(NamedTuple):
    """A label laid out in two strips on opposite sides of the page, where the pieces leave room."""

    where: Where
    title: Text
    lines: tuple[Text, ...]
    rule: Text | None
    """The words beside the rule, which begins where they end. A short strip has no rule; the cover has one."""
    room: Box
    """The rest of the page, for pieces and marks."""


def lay_out(label: Label, sheet: Sheet, paper: Paper, room: Box, strips: tuple[Box, Box] | None = None) -> Words:
    """Place a label beside, or above and below, the pieces, where bleeds leave room; nowhere if they fill the paper.

    `room` is the printable part of the page. `strips` are the strips for text above and below, if a cutting machine
    looks for its marks beside them.
    """
    if strips:
        return Words("above and below", *_set(label, *strips), room)
    margins = (room[0], room[1], paper.width - room[2], paper.height - room[3])
    at_left, at_top, at_right, at_foot = (max(margin, WORDS_EDGE) for margin in margins)
    nothing = (paper.width / 2, 0, paper.width / 2, 0)
    left, top, right, foot = sheet.block or (around(sheet.slots) if sheet.slots else nothing)
    ways: tuple[tuple[Where, float, float, float, float, float, float, float], ...] = (
        ("beside", paper.height, paper.width, left, right, at_left, at_right, max(at_top, at_foot)),
        ("above and below", paper.width, paper.height, top, foot, at_top, at_foot, max(at_left, at_right)),
    )
    for where, wide, tall, before, after, head_edge, foot_edge, edge in ways:
        free = (before - head_edge, tall - after - foot_edge)
        if min(free) > STRIP - EPSILON:
            above, below = (max(STRIP, one - MARKS) for one in free)
            head = (edge, head_edge, wide - edge, head_edge + above)
            title, lines, rule = _set(label, head, (edge, tall - foot_edge - below, wide - edge, tall - foot_edge))
            count = len({line.y for line in lines if line.is_seen and line.y > tall / 2})
            first, last = head_edge + STRIP, tall - foot_edge - LINE_STEP * count
            inner = (first, room[1], last, room[3]) if where == "beside" else (room[0], first, room[2], last)
            return Words(where, title, lines, rule, inner)
    title, lines, _ = _set(label, room, room)
    unseen = tuple(line._replace(is_seen=False) for line in lines)
    return Words("nowhere", title._replace(is_seen=False), unseen, None, room)


def _set(label: Label, head: Box, foot: Box) -> tuple[Text, tuple[Text, ...], Text | None]:
    """Set the title, the lines and the rule's words in two strips, arranged to allow the largest type. Texts that are
    still too long continue on further lines; if there is no room for them, they are invisible."""
    rule = _text(label.rule, SANS, 6.5, head)
    has_rule = head[2] - head[0] >= 3 * RULE_LENGTH
    rule = rule._replace(x=head[2] - RULE_LENGTH - 1.5 - _wide(rule), y=head[1] + ABOVE * rule.size / MM)
    head_room, foot_room = (rule.x - WORDS_GAP if has_rule else head[2]) - head[0], foot[2] - foot[0]
    title = _text(label.title, *TITLE_FONT, head)
    if len(_broken(title, head_room)) > 1:
        title = _broken(title, head_room - 2)[0]
        title = title._replace(words=f"{title.words}…")
    settings, *hints = (_text(words, *FONT, foot) for words in (label.settings, label.hint) if words)
    most = max(1, int((foot[3] - foot[1] + EPSILON) / LINE_STEP))
    ways = [([title], [[settings, *hints]]), ([title, *hints], [[settings]])]
    if most > 1:
        ways.insert(0, ([title], [[settings], *([hint] for hint in hints)]))
    best = 0.0
    for above_now, rows_now in ways:
        scale = min(_if_read(above_now, head_room), *(_if_read(row, foot_room) for row in rows_now))
        if scale > best:
            best, above, rows = scale, above_now, rows_now
        if best == 1:
            break
    if not best:
        above, rows = [title], [[line] for text in (settings, *hints) for line in _broken(text, foot_room)]
    title, *hints = _side_by_side(above, head_room, head[0], head[1] + ABOVE * title.size / MM)
    seen, lines = min(len(rows), most), []
    for index, row in enumerate(rows):
        y = foot[3] - BELOW * row[0].size / MM - LINE_STEP * max(0, seen - 1 - index)
        lines += [text._replace(is_seen=index < most) for text in _side_by_side(row, foot_room, foot[0], y)]
    return title, (*lines, *hints), rule if has_rule else None


def _text(words: str, font: str, size: float, strip: Box) -> Text:
    """Set words in a size no taller than a strip."""
    largest = (strip[3] - strip[1] - 0.15) / (ABOVE + BELOW) * MM
    return Text(plainly_written(words, font), font, min(size, largest))


def _wide(text: Text) -> float:
    return string_width(text.words, text.font, text.size) / MM


def _scale(row: Sequence[Text], room: float) -> float:
    """Return the scale at which texts share a line, at most 1."""
    return min(1.0, (room - WORDS_GAP * (len(row) - 1)) / sum(map(_wide, row)))


def _if_read(row: Sequence[Text], room: float) -> float:
    """Return the scale at which texts share a line, or 0 if they would be too small to read."""
    scale = _scale(row, room)
    return scale if all(text.size * scale > LEAST_TYPE - 0.01 for text in row) else 0.0


def _side_by_side(row: Sequence[Text], room: float, x: float, y: float) -> list[Text]:
    """Return texts that share a line, each at its position."""
    scale, placed = _scale(row, room), []
    for text in row:
        placed.append(text._replace(size=text.size * scale, x=x, y=y))
        x += _wide(placed[-1]) + WORDS_GAP
    return placed


def _broken(text: Text, room: float) -> list[Text]:
    """Break text into lines: one if it fits at a readable size, otherwise several at that size."""
    least = text._replace(size=min(text.size, LEAST_TYPE))
    if _wide(least) <= room:
        return [text]
    lines = [""]
    for word in text.words.split(" "):
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and _wide(least._replace(words=longer)) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return [least._replace(words=line) for line in lines]


def draw_label(canvas: PackedCanvas, paper: Paper, words: Words, tags: Tags, heading: str, told: int) -> None:
    """Draw title, settings and hint on white; in reading order they come before everything tagged since `told`.

    Without room they are invisible, but can still be read aloud and searched.
    """
    tall = _begin(canvas, paper, words)
    for index, text in enumerate((words.title, *words.lines)):
        with tags.leaf("P" if index else heading, first=told + index):
            _draw(canvas, text, tall)
    canvas.restoreState()


def draw_rule(canvas: PackedCanvas, paper: Paper, words: Words) -> None:
    """Draw a line of 50 mm at the end of the title, for checking the scale, with its words."""
    if words.rule is None:
        return
    tall = _begin(canvas, paper, words)
    x, y = (words.rule.x + _wide(words.rule) + 1.5) * MM, (tall - words.rule.y) * MM
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(MARK_WEIGHT * MM)
    canvas.line(x, y, x + RULE_LENGTH * MM, y)
    steps = canvas.beginPath()  # one path, so that it is not mistaken for marks
    for step in range(int(RULE_LENGTH) + 1):
        height = RULE_HEIGHT * (1 if step % 10 == 0 else 0.75 if step % 5 == 0 else 0.5)
        steps.moveTo(x + step * MM, y)
        steps.lineTo(x + step * MM, y + height * MM)
    canvas.drawPath(steps)
    _draw(canvas, words.rule, tall)
    canvas.restoreState()


def _begin(canvas: PackedCanvas, paper: Paper, words: Words) -> float:
    """Save the state, and turn the page so that its text is upright. Return its height."""
    canvas.saveState()
    if words.where != "beside":
        return paper.height
    canvas.transform(0, 1, -1, 0, paper.width * MM, 0)
    return paper.width


def _draw(canvas: PackedCanvas, text: Text, tall: float) -> None:
    """Draw text on white."""
    x, y, size = text.x * MM, (tall - text.y) * MM, text.size
    if text.is_seen:
        canvas.setFillColor("#ffffff")
        canvas.rect(x - 1, y - size * BELOW, _wide(text) * MM + 2, size * (ABOVE + BELOW), stroke=0, fill=1)
    else:
        canvas.emit("3 Tr")
    canvas.setFillColor(INK)
    canvas.setFont(text.font, size)
    canvas.drawString(x, y, text.words)
