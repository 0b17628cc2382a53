"""The cards of The Cats: all texts of one kind of card are set in one size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import pytest

from grimalkin.content import load_game
from grimalkin.content.stocks import load_stocks
from grimalkin.printing.face import Composer
from grimalkin.problems import Problems
from grimalkin.source import data_folder

SIZES = {
    ("skills", "front"): {"name": 13, "rules": 9, "flavour": 8, "hero": 6.5},
    ("loot", "front"): {"name": 11, "rules": 9, "flavour": 8, "price": 11, "bucks": 20},
    ("events", "front"): {"name": 12, "read aloud": 9, "what it does": 9, "place": 6.5},
    ("foes", "front"): {"name": 14, "kind": 8, "attack 1": 8, "attack 2": 8, "powers": 8, "flavour": 8},
    ("foes", "back"): {"name": 13, "kind": 8, "what it does": 8, "flavour": 8},
    ("markers", "front"): {"name": 7},
    ("standees", "front"): {"name": 10.5},
}
"""Points of each text, by deck and side."""

Found = Mapping[tuple[str, str, str], frozenset[float]]


@pytest.fixture(scope="module")
def sizes() -> Found:
    """The sizes in points of each kind of text, as fitted on all cards."""
    problems = Problems()
    game = load_game(data_folder("content") / "cats-of-new-orleans", problems)
    assert game is not None, [*map(str, problems)]
    composer = Composer(game, load_stocks(game.folder, problems), problems)
    found: defaultdict[tuple[str, str, str], set[float]] = defaultdict(set)
    for deck in game.info.decks:
        if not any(deck.id == named for named, _ in SIZES):
            continue
        for row in game.components[deck.id]:
            for face in filter(None, composer.faces(deck, row)):
                side = face.id.rpartition("-")[2]
                for group, box in (pair for layer in face.layers for pair in layer.boxes.items()):
                    texts = [float(text.get("font-size", "0")) for text in group.iter() if text.get("font-size")]
                    if texts:
                        found[deck.id, side, box["name"]].add(round(max(texts) / 25.4 * 72, 1))
    assert not list(problems)
    return {kind: frozenset(points) for kind, points in found.items()}


@pytest.mark.slow("composes two hundred cards")
@pytest.mark.parametrize(("deck", "side"), SIZES)
def test_texts_of_one_kind_have_one_size(sizes: Found, deck: str, side: str) -> None:
    """A long text is edited; it never shrinks alone."""
    found = {name: sizes[deck, side, name] for name in SIZES[deck, side]}

    assert found == {name: {points} for name, points in SIZES[deck, side].items()}
