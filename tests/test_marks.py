"""Marks inside texts: emphasis by the rules of CommonMark, icons beside anything, signs as they are."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown import markdown

from grimalkin.content.texts.references import loose_marks, plain_stars, plain_words, references, runs
from grimalkin.site.pages.links import harmless


def told(text: str) -> str:
    """A text with its emphasis as HTML and its icons in brackets."""
    parts = []
    for run in runs(text, lambda reference: reference.name):
        part = f"({run.icon})" if run.icon else run.text or run.item
        part = f"<i>{part}</i>" if run.italic else part
        parts.append(f"<b>{part}</b>" if run.bold else part)
    return "".join(parts).replace("</b><b>", "").replace("</i><i>", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pay 2:paw: or :paw::paw:", "Pay 2(paw) or (paw)(paw)"),
        ("Cost:paw:s", "Cost(paw)s"),
        (":paw:: two", "(paw): two"),
        ("10:30:45 and a ratio of 3:2", "10:30:45 and a ratio of 3:2"),
        (r"\:paw: is a word", ":paw: is a word"),
        (":-) and ::", ":-) and ::"),
        ("[[owl]] or [[owl|an *owl*]]", "owl or an <i>owl</i>"),
        (r"\[[owl]]", "[[owl]]"),
    ],
)
def test_icons_stand_beside_anything(text: str, expected: str) -> None:
    """Letters, digits and other icons may touch them; a backslash makes a plain word of one."""
    assert expected == told(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis
        ("*foo bar*", "<i>foo bar</i>"),
        ("a * foo bar*", "a * foo bar*"),
        ('a*"foo"*', 'a*"foo"*'),
        ("* a *", "* a *"),
        ("foo*bar*", "foo<i>bar</i>"),
        ("*foo bar *", "*foo bar *"),
        ("*(*foo)", "*(*foo)"),
        ("*(*foo*)*", "<i>(foo)</i>"),
        ("*foo*bar", "<i>foo</i>bar"),
        ("**foo bar**", "<b>foo bar</b>"),
        ("** foo bar**", "** foo bar**"),
        ('a**"foo"**', 'a**"foo"**'),
        ("foo**bar**", "foo<b>bar</b>"),
        ("*foo**bar**baz*", "<i>foo</i><b><i>bar</i></b><i>baz</i>"),
        ("*foo**bar*", "<i>foo**bar</i>"),
        ("***foo** bar*", "<b><i>foo</i></b><i> bar</i>"),
        ("foo***bar***baz", "foo<b><i>bar</i></b>baz"),
        ("**foo*", "*<i>foo</i>"),
        ("*foo**", "<i>foo</i>*"),
        ("****foo*", "***<i>foo</i>"),
        ("foo ***", "foo ***"),
        (r"foo *\**", "foo <i>*</i>"),
        # Where it is not ours to be CommonMark's
        ("3*4 and 5*6", "3*4 and 5*6"),
        ("3*4*5", "3*4*5"),
        ("a*b and c*d", "a*b and c*d"),
        ("un*believ*able", "un<i>believ</i>able"),
        ("**2**:paw: **:paw::paw:**", "<b>2</b>(paw) <b>(paw)(paw)</b>"),
        ("fewer* :paw:*, then*", "fewer* (paw)<i>, then</i>"),
        ("Pay 1*:paw: and 2*:paw:, x*:paw:*2", "Pay 1*(paw) and 2*(paw), x*(paw)*2"),
        ("4*a+5*b, x*y*z, a*b*c*d", "4*a+5*b, x*y*z, a*b*c*d"),
        ("(2*3)*4 and 3*(x+1)*2", "(2*3)*4 and 3*(x+1)*2"),
        ("Claws*Lives and Luck*Will", "Claws*Lives and Luck*Will"),
        ("*X*s, *2*:paw:, *:paw:*s, *Cat*s", "<i>X</i>s, <i>2</i>(paw), <i>(paw)</i>s, <i>Cat</i>s"),
        # Emphasis ends with its paragraph
        ("**one\n\ntwo**", "**one\n\ntwo**"),
        ("**one\ntwo**", "<b>one\ntwo</b>"),
        ("- *one\n- two*", "- *one\n- two*"),
        (r"back\slash \\ \* \x", r"back\slash \ * \x"),
    ],
)
def test_emphasis_is_that_of_commonmark(text: str, expected: str) -> None:
    """What flanks a star decides what it does; a backslash before a sign prints the sign."""
    assert expected == told(text)


class Letters(HTMLParser):
    """The letters of a page, each with the marks around it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.around: list[str] = []
        self.found: list[tuple[str, bool, bool]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.around.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.around.pop()

    def handle_data(self, data: str) -> None:
        self.found += [(char, "strong" in self.around, "em" in self.around) for char in data]


@pytest.mark.parametrize(
    "text",
    [
        "3*4 and 5*6",
        "a*b and c*d",
        "foo***bar***baz",
        "**foo*",
        "a * b*",
        r"\*no\* **yes** \:paw:",
        "*foo**bar**baz*",
        "C**",
    ],
)
def test_pages_emphasise_what_cards_do(text: str) -> None:
    """Letter by letter, though another program makes pages."""
    expected = [
        (char, run.bold, run.italic) for run in runs(text, lambda reference: reference.name) for char in run.text
    ]

    assert expected == Letters(markdown(harmless(text))).found


@pytest.mark.parametrize(
    ("text", "loose"),
    [
        ("Take **two and go", ["**two and go"]),
        ("Take two** and go", ["Take two**"]),
        ("*Only at night.", ["*Only at night."]),
        ("**one\n\ntwo**", ["**one", "two**"]),
        ("***bold**", ["***bold**"]),
        ("half**bold", ["**bold"]),
        ("`**` is two stars", []),
        ("Strength 3*, and 2 * 3 or 4*5, x*y", []),
        ("*** and * * *", []),
        (r"\*Only at night.", []),
        ("**** and **", ["****", "**** and **"]),
        ("2*:paw:, (2*3)*4, 2**3 and 3*(x+1)*2", []),
        ("**all** *well*", []),
    ],
)
def test_halves_of_emphasis_are_found(text: str, loose: list[str]) -> None:
    """What was meant as emphasis and is none; stars that are signs, footnotes or rows are left alone."""
    assert loose == list(loose_marks(text))


@given(st.text(alphabet="ab 3*:.()paw", max_size=40))
def test_nothing_is_lost(text: str) -> None:
    """Every letter is printed, and every star that is in no pair; pages and faces find the same ones."""
    text = f"x{text}"
    shown = "".join(run.text or f":{run.icon}:" for run in runs(text, lambda reference: f"[[{reference.name}]]"))

    assert text.replace("*", "") == shown.replace("*", "")
    assert len(list(plain_stars(text))) == shown.count("*")


@pytest.mark.parametrize("part", ["*a", "a*", "**a ", "a**b", "*a**", "**a*b ", ":a", "[[a", "a* *b", "\\*"])
def test_long_texts_take_no_longer_than_they_must(part: str) -> None:
    """Twenty thousand characters of stars without partners; looking at all pairs would take minutes."""
    text = part * (20_000 // len(part))

    assert len(list(runs(text, lambda reference: ""))) <= len(text)
    assert len(list(references(text))) <= len(text)


def test_where_nothing_stands_out_marks_are_words() -> None:
    """On a cover an icon is its name, and a component its own."""
    text = "- **Two** [[owl]]s with{br}{small|:big-paw:}{if pages| here} for [[owl|{large|them}]]"

    assert "• Two Owls with\nbig paw for them" == plain_words(text, {"owl": "Owl"}, {"cards"}.__contains__)
