"""Steps of stories that are not as they are written: each fails."""

from __future__ import annotations

import pytest
from games_for_tests import bundled_game
from playing import NAMES
from stories import assert_followed, stories

from grimalkin.engine.chance import Seeded
from grimalkin.games import were_kittens

STORIES = """
rules in another order
    new
    > penny -> WK-SETUP-4 WK-SETUP-2
some rules are not among them
    new
    > penny -> ... WK-SETUP-2 WK-SETUP-5
a rule fires that must not
    new
    > penny -> no WK-SETUP-2
another seat
    new
    > Basil: penny
another refusal
    new
    ! quarter -> WK-SETUP-3
another reason
    new
    ! quarter -> WK-SETUP-2: because
another turn
    new
    turn: Basil
other moves
    new
    legal: [penny, dime]
another sentence
    new
    > penny
    told WK-SETUP-2: Ada takes a penny.
other facts
    new
    > penny
    facts WK-SETUP-2: {seat: Basil}
another part of the position
    new
    > penny
    seats.Ada.hand: {penny: 2}
"""


@pytest.mark.parametrize("story", stories(STORIES))
def test_a_step_that_is_wrong_fails(story) -> None:
    state = were_kittens.start(bundled_game("were-kittens").facts, NAMES[:2], {}, Seeded(0))
    with pytest.raises(AssertionError):
        assert_followed(were_kittens, state, story.steps)
