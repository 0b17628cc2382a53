"""Paragraphs of a book: broken so that all of them looks best, and pages that end where they may."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as some

from grimalkin.content.stocks import load_papers
from grimalkin.printing.book.flow import BELOW, Leaf, Slab, faults, flow, pages_of
from grimalkin.printing.book.make import LEAST_CREEP, PAGE, THICKNESS, Form, booklet, forms_of
from grimalkin.printing.book.setting import BODY, blocks
from grimalkin.printing.type.paragraphs import broken
from grimalkin.printing.type.words import Word, read_words
from grimalkin.problems import Problems

TEXT = (
    "A cat that has eaten goes to sleep, and whoever wakes it has to pay what the town is asking for: a coin of any "
    "kind, or whatever the neighbours agree that it is worth tonight, when the moon is up and the milk is cold."
)


def words_of(text: str, language: str = "") -> list[Word]:
    return [word for line in read_words(text, BODY.font, {}, {}, language, BODY.look) for word in line]


def spelled(text: str, room: float, language: str = "en-GB", filled: bool = True) -> list[str]:
    lines = broken(words_of(text, language), room, BODY.space, filled)
    return [" ".join("".join(piece.text for piece in word.pieces) for word in line.words) for line in lines]


# Lines


@pytest.mark.parametrize("room", [14.0, 20.0, 33.0])
def test_filled_lines_reach_both_edges(room: float) -> None:
    """All but the last, none wider than the room, and spaces within a paragraph are much alike."""
    lines = broken(words_of(TEXT, "en-GB"), room, BODY.space)

    assert len(lines) >= 3
    assert all(abs(line.width - room) < 1e-6 for line in lines[:-1])
    assert lines[-1].width <= room
    assert all(-0.3 * BODY.space <= line.spread <= 2 * BODY.space for line in lines)


def test_a_paragraph_is_broken_as_a_whole() -> None:
    """Greedy lines would have a hole; the first line gives a word away so that the second is no worse.

    In rooms of every width the worst line is at most as loose as the worst of the greedy ones.
    """
    words = words_of(TEXT)
    for room in (12.0, 16.0, 19.0, 24.0, 31.0):
        lines = broken(words, room, BODY.space)
        greedy, at = [], 0
        while at < len(words):
            end, wide = at + 1, words[at].width
            while end < len(words) and wide + BODY.space + words[end].width <= room:
                wide += BODY.space + words[end].width
                end += 1
            greedy.append((room - wide) / max(1, end - at - 1) if end < len(words) else 0.0)
            at = end

        assert max(line.spread for line in lines) <= max(greedy) + 1e-9, room


def test_no_word_is_lost_or_doubled() -> None:
    for room in (6.0, 9.0, 15.0, 40.0):
        joined = "".join(spelled(TEXT, room)).replace(" ", "").replace("-", "").replace("\N{SOFT HYPHEN}", "")

        assert joined == TEXT.replace(" ", "").replace("-", ""), room


def test_a_long_word_goes_on_for_several_lines() -> None:
    """No letter of its middle is lost or doubled."""
    word = "Donaudampfschifffahrtsgesellschaft"
    lines = spelled(word, 5.0, "de")

    assert len(lines) >= 4
    assert word == "".join(lines).replace("-", "").replace("\N{SOFT HYPHEN}", "")


def test_lines_that_are_not_filled_are_ragged() -> None:
    lines = broken(words_of(TEXT), 18.0, BODY.space, filled=False)

    assert all(line.spread == 0 and line.width <= 18.0 for line in lines)


def test_a_word_that_is_wider_than_the_room_stands_alone() -> None:
    assert spelled("a Donaudampfschifffahrt b", 5.0, "") == ["a", "Donaudampfschifffahrt", "b"]


def test_nothing_makes_no_lines() -> None:
    assert broken([], 10.0, BODY.space) == []


def test_items_and_paragraphs_are_told_apart() -> None:
    found = blocks("One\ntwo.\n- a\n  b\n  1. deep\n\nThree.")

    assert [(one.text, one.sign, one.deep) for one in found] == [
        ("One two.", "", 0),
        ("a b", "•", 1),
        ("deep", "1.", 2),
        ("Three.", "", 0),
    ]


# Pages


@dataclass
class Stack:
    """Slabs that need no drawing."""

    slabs: list[Slab] = field(default_factory=list)

    def add(self, height: float, **more: object) -> Stack:
        name = f"s{len(self.slabs)}"
        self.slabs.append(Slab(height, lambda *_: None, anchors=(name,), **more))  # type: ignore[arg-type]
        return self

    def pages(self, height: float, first: int = 2) -> list[list[str]]:
        return [[one.slab.anchors[0] for one in leaf.placed] for leaf in flow(self.slabs, height, first)]


def test_a_heading_never_stands_at_the_foot() -> None:
    made = Stack().add(70).add(10, keep=True).add(30)

    assert made.pages(100) == [["s0"], ["s1", "s2"]]


def test_what_floats_waits_while_text_goes_on() -> None:
    made = Stack().add(60).add(50, floats=True).add(30).add(30)

    assert made.pages(100) == [["s0", "s2"], ["s1", "s3"]]


def test_what_begins_a_page_begins_one() -> None:
    made = Stack().add(10).add(10, starts=True).add(10)

    assert made.pages(100) == [["s0"], ["s1", "s2"]]


def test_what_wants_room_takes_the_next_page_where_there_is_less() -> None:
    made = Stack().add(40).add(10, wants=70.0).add(10)

    assert made.pages(100) == [["s0"], ["s1", "s2"]]


def test_nothing_stands_above_what_begins_a_page() -> None:
    leaves = flow(Stack().add(95).add(20, before=8.0).slabs, 100)

    assert leaves[1].placed[0].top == 0


SLABS = some.lists(
    some.tuples(some.integers(1, 40), some.integers(0, 9), some.booleans(), some.booleans()), min_size=1, max_size=40
)


@given(SLABS)
def test_pages_keep_their_promises(kinds: list[tuple[int, int, bool, bool]]) -> None:
    """Everything stands once, in its order but for what floats; nothing lies on anything else or below the foot."""
    made = Stack()
    kept = 0
    for number, (height, before, keep, floats) in enumerate(kinds, 1):
        kept = kept + 1 if keep and kept < 2 and number < len(kinds) else 0
        made.add(height, before=float(before), keep=kept > 0, floats=floats and not kept)
    leaves: list[Leaf] = flow(made.slabs, 200)
    placed = [one for leaf in leaves for one in leaf.placed]
    still = [one.slab.anchors[0] for one in placed if not one.slab.floats]

    assert sorted(one.slab.anchors[0] for one in placed) == sorted(one.anchors[0] for one in made.slabs)
    assert still == [one.anchors[0] for one in made.slabs if not one.floats]
    for leaf in leaves:
        assert leaf.placed and leaf.foot <= 200.01
        for above, below in pairwise(leaf.placed):
            assert below.top >= above.top + above.slab.height
            assert not above.slab.keep or below is not None
        assert leaf is leaves[-1] or not leaf.placed[-1].slab.keep
    assert pages_of(leaves, 2).keys() == {one.anchors[0] for one in made.slabs}


def test_what_floats_never_goes_overleaf() -> None:
    """The first page here is on the right: what floats takes what it belongs to along."""
    made = Stack().add(61).add(10, calls=True, keep=True).add(20).add(50, floats=True).add(9)

    assert made.pages(100, first=3) == [["s0"], ["s1", "s2", "s3", "s4"]]
    assert made.pages(100, first=2) == [["s0", "s1", "s2", "s4"], ["s3"]]


def test_a_picture_is_overleaf_rather_than_a_page_half_empty() -> None:
    """Its words stay with the text that they belong to."""
    made = Stack().add(30).add(10, calls=True, keep=True).add(20).add(50, floats=True).add(15)
    words, picture = (replace(Stack().add(height).slabs[0], anchors=(name,)) for height, name in ((12, "w"), (38, "p")))
    made.slabs[3] = replace(made.slabs[3], apart=lambda: (words, picture))

    assert made.pages(100, first=3) == [["s0", "s1", "s2", "w", "s4"], ["p"]]
    assert Stack().add(30).add(10, calls=True).add(20).add(50, floats=True).add(15).pages(100, first=3) == [
        ["s0", "s1", "s2", "s4"],
        ["s3"],
    ]


def test_pages_that_are_too_empty_are_counted() -> None:
    """One on which a chapter ends is not, unless it is the second in a row."""
    leaves = flow(Stack().add(30).add(50, starts=True).add(80, starts=True).add(9, starts=True, wants=20.0).slabs, 100)

    assert 3 == faults(leaves, 100)
    assert 0 == faults(flow(Stack().add(30).add(80, starts=True, wants=20.0).slabs, 100), 100)


def test_what_floats_is_not_overleaf_of_where_its_text_began() -> None:
    """The text would begin on the right page and end on the next one, where there is room for the figure."""
    made = Stack().add(80).add(10, calls=True).add(10).add(10).add(30, floats=True)

    assert made.pages(100, first=3) == [["s0"], ["s1", "s2", "s3", "s4"]]
    assert made.pages(100, first=2) == [["s0", "s1", "s2"], ["s3", "s4"]]


def test_what_stays_together_and_is_higher_than_a_page_is_parted() -> None:
    made = Stack().add(30, keep=True).add(40, keep=True).add(50, keep=True).add(20)

    assert made.pages(100) == [["s0", "s1"], ["s2", "s3"]]


def test_all_that_waits_stands_on_the_facing_page() -> None:
    made = Stack().add(90, calls=True).add(40, floats=True).add(40, floats=True).add(15)

    assert made.pages(100) == [["s0"], ["s1", "s2", "s3"]]


def test_text_that_goes_on_keeps_away_from_what_waited() -> None:
    leaves = flow(Stack().add(60, calls=True).add(50, floats=True).add(38).add(10).add(10, before=9.0).slabs, 100)

    assert [0.0, 50.0 + BELOW, 69.0 + BELOW] == [one.top for one in leaves[1].placed]


def test_what_fills_a_page_is_not_moved_for_what_floats() -> None:
    made = Stack().add(10, calls=True, keep=True).add(80).add(50, floats=True)

    assert made.pages(100, first=3) == [["s0", "s1"], ["s2"]]


def test_what_begins_on_the_page_before_goes_along_too() -> None:
    """There is no room for its figure below one that waited: text from both pages stands with it overleaf, and once."""
    made = Stack().add(62, calls=True).add(60, floats=True).add(36, calls=True).add(20).add(50, floats=True).add(9)

    assert made.pages(100, first=2) == [["s0"], ["s1"], ["s2", "s3", "s5"], ["s4"]]


def test_no_chapter_begins_above_what_still_waits() -> None:
    made = Stack().add(60, calls=True).add(50, floats=True).add(10, wants=20.0, keep=True).add(5)

    assert made.pages(100, first=2) == [["s0"], ["s1", "s2", "s3"]]


# Forms

PAPERS = {name: paper for name, paper in load_papers(None, Problems()).items() if name in ("a4", "letter")}
FORMS = forms_of(PAPERS)


def folded(sides: list[tuple[int | None, int | None]]) -> list[int | None]:
    """The pages as a reader leafs through them: leaves lie in each other, each folded in the middle."""
    first, last = [], []
    for front, back in zip(sides[::2], sides[1::2], strict=True):
        first += [front[1], back[0]]
        last[:0] = [back[1], front[0]]
    return [*first, *last]


@given(some.integers(1, 130))
def test_a_booklet_folds_into_its_order(count: int) -> None:
    sides = [(pair[0], pair[1]) for pair in booklet("a4", PAPERS["a4"]).sides(count)]
    whole = -(-count // 4) * 4
    blank: list[int | None] = [None] * (whole - count)

    assert folded(sides) == [*range(1, count + 1), *blank]


@given(some.integers(2, 130))
def test_the_back_of_a_booklet_lies_outside(count: int) -> None:
    """Whatever is blank lies before it."""
    sides = [(pair[0], pair[1]) for pair in booklet("a4", PAPERS["a4"]).sides(count, has_back=True)]
    whole = -(-count // 4) * 4
    blank: list[int | None] = [None] * (whole - count)

    assert folded(sides) == [*range(1, count), *blank, count]
    assert sides[0] == (count, 1)


@pytest.mark.parametrize("form", [form for form in FORMS if form.folded], ids=lambda form: form.ending)
def test_pages_meet_at_the_fold_and_creep_towards_it(form: Form) -> None:
    """Both pages touch the fold; in a thick booklet those of inner leaves lie over it by what lies around them."""
    count = LEAST_CREEP + 4
    for side in range(0, count // 2, 2):
        left, right = (form.place(place, side, count) for place in (0, 1))
        moved = THICKNESS * (side // 2)

        assert left.x + PAGE[0] * left.scale == pytest.approx(form.paper[0] / 2 + moved)
        assert right.x == pytest.approx(form.paper[0] / 2 - moved)
    assert form.place(1, 20, LEAST_CREEP).x == form.paper[0] / 2


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.ending or "screen")
def test_a_page_lies_within_its_paper(form: Form) -> None:
    for place in range(2 if form.folded else 1):
        at = form.place(place, 0, 40)

        assert at.x >= -1e-9 and at.y >= -1e-9
        assert at.x + PAGE[0] * at.scale <= form.paper[0] + 1e-9
        assert at.y + PAGE[1] * at.scale <= form.paper[1] + 1e-9
