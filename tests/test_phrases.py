"""Sentences that are data: what is read prints as it was, and what cannot be read is told with its place."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grimalkin.engine.phrases import LONGEST, Form, Kind, NotRead, Phrase, Series, Table

YOU = Phrase("you")
ENGLISH = Table(
    [
        Kind("text", "a text", [Form("text", "{sentences}")]),
        Kind("sentences", "sentences", Series("sentence", " ", " ", capitals=True)),
        Kind("sentence", "a sentence", [Form("do", "{^clauses}."), Form("if", "{^gate}, {clauses}.")]),
        Kind("clauses", "what is done", Series("clause", ", ", " and ")),
        Kind("gate", "a gate", [Form("night", "at night"), Form("rain", "when it rains")]),
        Kind(
            "clause",
            "something that is done",
            [
                Form("eat", "eat {n:number} <fish|fishes>", fixed={"who": YOU}),
                Form("eat", "{who} eats {n:number} <fish|fishes>"),
                Form("meet", "meet {cat:name cats}"),
                Form("change", "get {n:signed}"),
                Form("walk", "walk{where}"),
            ],
        ),
        Kind("who", "who does it", [Form("cat", "each cat"), Form("dog", "the dog")]),
        Kind("where", "where", [Form("here", ""), Form("home", " home"), Form("to", " to {who}")]),
    ]
)
GERMAN = Table(
    [
        Kind("text", "ein Text", [Form("text", "{sentences}")]),
        Kind("sentences", "Sätze", Series("sentence", " ", " ", capitals=True)),
        Kind("sentence", "ein Satz", [Form("do", "{^clauses}."), Form("if", "{^gate}: {clauses}.")]),
        Kind("clauses", "was geschieht", Series("clause", ", ", " und ")),
        Kind("gate", "eine Bedingung", [Form("night", "nachts"), Form("rain", "bei Regen")]),
        Kind(
            "clause",
            "etwas, das geschieht",
            [
                Form("eat", "iss {n:number} Fisch<|e>", fixed={"who": YOU}),
                Form("eat", "{n:number} Fisch<|e> frisst {who}"),
                Form("meet", "triff {cat:name cats}"),
                Form("change", "erhalte {n:signed}"),
                Form("walk", "geh{where}"),
            ],
        ),
        Kind("who", "wer", [Form("cat", "jede Katze"), Form("dog", "der Hund")]),
        Kind("where", "wohin", [Form("here", ""), Form("home", " heim"), Form("to", " zu {who}")]),
    ]
)
NAMES = {"cats": {"Tom": "tom", "Tom the Elder": "tom-2"}}
READ = (
    "Eat 1 fish.",
    "Eat 2 fishes and each cat eats 1 fish.",
    "Eat 2 fishes, walk home and get +1.",
    "At night, walk and meet Tom the Elder. Meet Tom.",
    "When it rains, get −2.",
    "Walk to the dog.",
)


@pytest.mark.parametrize("text", READ)
def test_what_is_read_prints_as_it_was(text: str) -> None:
    assert text == ENGLISH.print(ENGLISH.read(text, NAMES), NAMES)


@pytest.mark.parametrize("text", READ)
def test_a_word_left_out_never_reads_as_the_same(text: str) -> None:
    whole = ENGLISH.read(text, NAMES)
    words = text.split(" ")

    for left_out in range(len(words)):
        shorter = " ".join(words[:left_out] + words[left_out + 1 :])
        with suppress(NotRead):
            assert ENGLISH.read(shorter, NAMES) != whole


def test_a_tree_says_what_stands_in_its_slots() -> None:
    tree = ENGLISH.read("At night, the dog eats 3 fishes.")
    (sentence,) = tree["sentences"]  # type: ignore[misc, union-attr]

    assert Phrase("night") == sentence["gate"]
    assert (Phrase("eat", (("n", 3), ("who", Phrase("dog")))),) == sentence["clauses"]
    assert ["text", "if", "eat", "dog", "night"] == [phrase.name for phrase in tree.every()]


def test_a_tree_is_plain_data() -> None:
    tree = ENGLISH.read("Meet Tom.", NAMES)

    assert tree.plain() == {
        "phrase": "text",
        "sentences": [{"phrase": "do", "clauses": [{"phrase": "meet", "cat": "tom"}]}],
    }


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("Eat 2 fishes and the dog eats 1 fish.", "Iss 2 Fische und 1 Fisch frisst der Hund."),
        ("At night, walk to each cat. Get −1.", "Nachts: geh zu jede Katze. Erhalte −1."),
    ],
)
def test_another_language_is_another_table(english: str, german: str) -> None:
    """The same tree, whichever words it was read from."""
    tree = ENGLISH.read(english)

    assert german == GERMAN.print(tree)
    assert tree == GERMAN.read(german)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("Eat 2 fish.", 'it stops making sense at "fish."', 'possible here: "fishes"'),
        ("Eat two fishes.", 'it stops making sense at "two fishes."', 'possible here: "a number"'),
        ("Eat 2 fishes", "it ends too early", ""),
        ("eat 2 fishes.", 'it stops making sense at "eat 2 fishes."', ""),
        ("Walk hme.", 'it stops making sense at "hme."', 'possible here: "home"'),
        ("Meet Thomas.", 'it stops making sense at "Thomas."', 'possible here: "Tom"'),
        ("Get -2.", 'it should be written "Get −2."', ""),
        ("", "it ends too early", ""),
        ("Walk. " * 200, f"it has 1,200 characters; at most {LONGEST:,}", ""),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str, message: str, hint: str) -> None:
    with pytest.raises(NotRead) as caught:
        ENGLISH.read(text, NAMES)

    assert message == str(caught.value)
    assert caught.value.hint(text).startswith(hint)


def test_two_readings_are_a_fault() -> None:
    table = Table(
        [
            Kind("text", "a text", [Form("text", "{one}.")]),
            Kind("one", "one", [Form("near", "{who} by the river"), Form("go", "{who}{where}")]),
            Kind("who", "who", [Form("cat", "the cat")]),
            Kind("where", "where", [Form("river", " by the river")]),
        ]
    )

    with pytest.raises(NotRead, match='it can be read in two ways, as "near" or "go"'):
        table.read("the cat by the river.")


@given(st.text(alphabet="aeEWwtT .,+−-0123456789hisfnd\n{}<|>", max_size=80))
def test_whatever_is_written_is_read_or_refused(text: str) -> None:
    try:
        tree = ENGLISH.read(text, NAMES)
    except NotRead as fault:
        assert 0 <= fault.at <= len(text)
    else:
        assert text == ENGLISH.print(tree, NAMES)


CLAUSE = st.one_of(
    st.builds(lambda n: Phrase("eat", (("n", n), ("who", YOU))), st.integers(0, 99)),
    st.builds(
        lambda n, who: Phrase("eat", (("n", n), ("who", Phrase(who)))),
        st.integers(0, 9),
        st.sampled_from(["cat", "dog"]),
    ),
    st.builds(lambda n: Phrase("change", (("n", n),)), st.integers(1, 9) | st.integers(-9, -1)),
    st.builds(lambda cat: Phrase("meet", (("cat", cat),)), st.sampled_from(["tom", "tom-2"])),
    st.builds(lambda where: Phrase("walk", (("where", Phrase(where)),)), st.sampled_from(["here", "home"])),
)
CLAUSES = st.lists(CLAUSE, min_size=1, max_size=4).map(tuple)
SENTENCE = st.one_of(
    st.builds(lambda clauses: Phrase("do", (("clauses", clauses),)), CLAUSES),
    st.builds(lambda clauses: Phrase("if", (("clauses", clauses), ("gate", Phrase("rain")))), CLAUSES),
)


@given(st.lists(SENTENCE, min_size=1, max_size=3).map(lambda all_: Phrase("text", (("sentences", tuple(all_)),))))
def test_what_is_printed_reads_as_it_was(tree: Phrase) -> None:
    for table in (ENGLISH, GERMAN):
        assert tree == table.read(table.print(tree, NAMES), NAMES)


def test_a_text_of_many_ways_is_refused_at_once() -> None:
    """Readings of a piece are kept few, so that their number does not grow with every word."""
    table = Table(
        [
            Kind("text", "a text", [Form("end", "."), Form("one", "a{text}"), Form("other", "{^a}{text}")]),
            Kind("a", "a", [Form("small", "a"), Form("large", "A")]),
        ]
    )

    with pytest.raises(NotRead):
        table.read("a" * 150 + "!")
