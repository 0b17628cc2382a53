"""What a party keeps, on paper: printed into the fields of a form and read back, it is the same."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_forms import filled_in

from grimalkin.cli import main
from grimalkin.engine.shape import Choice, Listing, Record, Table, Whole, YesNo
from grimalkin.play.campaign.paper import Words, filled, read

CARDS = ("owl", "cat", "rat-1", "rat-2", "hat")
NAMES = {
    "owl": "The Owl",
    "cat": "Cat, black",
    "rat-1": "Rat",
    "rat-2": "Rat",
    "hat": "Hat",
    "tom": "Tom",
    "kit": "Kit",
}
LEVELS = {"owl": "1", "cat": "2", "rat-1": "1", "rat-2": "2", "hat": "1"}
SHAPE = Record(
    {"party": Table(Record({"lives": Whole(0, 9)}, {"bag": Listing(Choice(CARDS)), "arts": Listing(Choice(CARDS))}))},
    {
        "pace": Choice(("slow", "quick")),
        "after": Choice(("owl", "hat")),
        "read": Listing(Whole(1)),
        "gone": Listing(Choice(CARDS)),
        "proud": YesNo(),
        "secret": Listing(Choice(CARDS)),
    },
)
WORDS = Words(NAMES, lambda id_, column: LEVELS.get(id_, "") if column == "level" else "")


@dataclass(frozen=True)
class Blank:
    name: str
    kind: str = "text"
    say: str = ""
    most: int = 60


ROW = ("name", "lives", "bag.1", "bag.2", "arts.level-1", "arts.level-2")
FORM = [
    *(Blank(f"party.{row}.{part}", say=f"row {row}, {part}") for row in (1, 2) for part in ROW),
    *(Blank(name, "check", name) for name in ("pace.slow", "pace.quick", "proud", *(f"gone.{card}" for card in CARDS))),
    *(Blank(name, say=name) for name in ("after", "read", "notes.day")),
]


def cards() -> Any:
    return st.lists(st.sampled_from(CARDS), min_size=1, max_size=4, unique=True)


KEPT = st.fixed_dictionaries(
    {
        "party": st.dictionaries(
            st.sampled_from(["tom", "kit"]),
            st.fixed_dictionaries({"lives": st.integers(0, 9)}, optional={"bag": cards(), "arts": cards()}),
            min_size=1,
        )
    },
    optional={
        "pace": st.sampled_from(["slow", "quick"]),
        "after": st.sampled_from(["owl", "hat"]),
        "read": st.lists(st.integers(1, 99), min_size=1, max_size=9),
        "gone": cards(),
        "proud": st.booleans(),
        "secret": cards(),
    },
)


@given(KEPT)
def test_what_is_printed_is_read_back_the_same(kept: dict[str, Any]) -> None:
    """With names, with ids where two have one name, with order, and with what has no field."""
    values, misfits = filled(SHAPE, kept, FORM, WORDS)

    assert misfits == []
    assert read(SHAPE, kept, FORM, values, WORDS) == (kept, [])


@given(KEPT, KEPT)
def test_a_form_replaces_what_it_has_fields_for(kept: dict[str, Any], other: dict[str, Any]) -> None:
    """And nothing else: what stands on it counts, whatever was kept before."""
    values, _ = filled(SHAPE, kept, FORM, WORDS)
    found, misfits = read(SHAPE, {**other, "party": {**other["party"], **kept["party"]}}, FORM, values, WORDS)

    assert misfits == []
    assert found.get("secret") == other.get("secret")
    assert filled(SHAPE, found, FORM, WORDS)[0] == values


def test_pieces_are_written_by_their_names() -> None:
    """But for those that would be taken for others."""
    kept = {"party": {"tom": {"lives": 3, "bag": ["owl", "cat", "rat-1"], "arts": ["hat", "rat-2"]}}, "gone": ["hat"]}
    values, _ = filled(SHAPE, kept, FORM, WORDS)

    assert {
        "party.1.name": "Tom",
        "party.1.lives": "3",
        "party.1.bag.1": "The Owl, cat",
        "party.1.bag.2": "rat-1",
        "party.1.arts.level-1": "Hat",
        "party.1.arts.level-2": "rat-2",
        "gone.hat": "yes",
    } == values


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ({"party.1.bag.1": "the  OWL; hat, Thé Owls"}, 'row 1, bag.1: "Thé Owls" is not known here; did you mean'),
        ({"party.1.bag.1": "Rat"}, 'row 1, bag.1: "Rat" is not known here; write rat-1 or rat-2'),
        ({"party.1.lives": "ten"}, 'row 1, lives: "ten" is not a whole number'),
        ({"party.2.lives": "3"}, "row 2, lives: it belongs to a row without a name"),
        ({"party.2.name": "tom"}, 'row 2, name: "tom" is listed twice'),
        ({"pace.slow": "yes", "pace.quick": "yes"}, "pace.quick: pace.slow is also ticked"),
        ({"read": "3, x"}, 'read: "x" is not a whole number'),
    ],
)
def test_what_cannot_be_read_is_told_with_its_field(texts: dict[str, str], told: str) -> None:
    """In the words that the field has for those who listen."""
    _, misfits = read(SHAPE, {"party": {"tom": {"lives": 3}}}, FORM, {"party.1.name": "Tom", **texts}, WORDS)

    assert [told] == [str(misfit)[: len(told)] for misfit in misfits]


def test_what_has_no_room_is_told() -> None:
    """A form that leaves something out would be read back without it."""
    kept = {"party": {"tom": {"lives": 3, "bag": ["owl", "hat"]}}}
    short = [Blank("party.1.name"), Blank("party.1.bag", say="the bag", most=9)]
    _, misfits = filled(SHAPE, kept, short, WORDS)
    assert ['party.1.bag: "The Owl, Hat…" has 12 characters; the field takes 9: the bag'] == list(map(str, misfits))
    _, misfits = filled(SHAPE, kept, [Blank("party.1.bag.level-2")], WORDS)

    assert ["party.1.bag: this form has no field for The Owl and Hat"] == list(map(str, misfits))


@pytest.mark.slow("draws a form of a whole game")
def test_the_log_of_the_cats_and_the_file_say_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Printed, read back, changed on screen and read again, as both of its forms."""
    monkeypatch.chdir(tmp_path)
    kept = (
        "heroes:\n"
        "  patch: {lives: 7, loot: [brass-locket, stash-1], weapons: [cavalry-saber], skills: [practised-paws]}\n"
        "  minou: {lives: 9, bucks: 2}\nwon: [bad-times]\nafter: bad-times\nlog: [8, 3]\naspects-lost: [psycho]\n"
    )
    Path("kept.yaml").write_text(kept)
    Path("c.yaml").write_text(
        "format: 1\ngame: cats-of-new-orleans\nrules: '1'\nseats: [Ada]\noptions: {heroes: [patch, minou]}\n"
    )
    assert main(["campaign", "tell", "c.yaml", "bad-times", "kept.yaml", "--won"]) == 0
    before = Path("c.yaml").read_bytes()
    for form in ("adventure-log-sheet", "safehaven-sheet"):
        assert main(["campaign", "print", "c.yaml", "--form", form, "--output", "log.pdf"]) == 0
        capsys.readouterr()
        assert main(["campaign", "read", "c.yaml", "log.pdf"]) == 0
        assert capsys.readouterr().out.startswith("the form agrees with the file; nothing was changed\n")
        assert Path("c.yaml").read_bytes() == before
        changed = filled_in(
            Path("log.pdf").read_bytes(), {"heroes.2.loot.1": "candle stub", "heroes.1.lives": "5"}, shown=False
        )
        Path("log.pdf").write_bytes(changed)
        assert main(["campaign", "read", "c.yaml", "log.pdf"]) == 0
        told = Path("c.yaml").read_text("utf-8").partition("corrected: as log.pdf says\n")[2]
        assert "lives: 5" in told
        assert "loot: [candle-stub]" in told
        assert main(["campaign", "undo", "c.yaml"]) == 0
    capsys.readouterr()
    Path("log.pdf").write_bytes(filled_in(changed, {"heroes.1.weapons.1": "Cavalry Sabre"}, shown=False))
    assert main(["campaign", "read", "c.yaml", "log.pdf"]) == 1
    assert (
        'log.pdf: hero 1, first weapon: "Cavalry Sabre" is not known here; did you mean "Cavalry Saber"?'
        in capsys.readouterr().err
    )
    assert main(["score", "cats-of-new-orleans", "log.pdf"]) == 1
    assert (
        "this form says what a party keeps; it is not a position; `grimalkin campaign read` reads it"
        in capsys.readouterr().err
    )


@pytest.mark.slow("starts commands")
@pytest.mark.parametrize("action", ["print", "kept"])
def test_a_folder_that_is_missing_is_named(
    action: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["campaign", "new", "c.yaml", "cats-of-new-orleans", "Ada"]) == 0
    assert main(["campaign", action, "c.yaml", "--output", "nowhere/x.pdf"]) == 1
    assert "--output: there is no folder nowhere; make it, or name another" in capsys.readouterr().err
