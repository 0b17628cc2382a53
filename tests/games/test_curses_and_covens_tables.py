"""Curses & Covens: tables that cannot be, what is known of the tray, and a log that tells only what happens."""

from __future__ import annotations

import pytest
from covens_for_tests import no_deck, play, record_of, script
from playing import told
from stories import assert_followed, flow, rows, stories

from grimalkin.engine.shape import Misfits
from grimalkin.engine.words import OVER
from grimalkin.games import curses_and_covens as game
from grimalkin.games.curses_and_covens.facts import UNSEEN, box_of
from grimalkin.games.curses_and_covens.knowledge import Deed


@pytest.fixture(scope="module")
def facts(facts_of):
    return facts_of("curses-and-covens")


def run_out(facts, text, *out, **record):
    """A position in which the deck has run out: the last town has all cards that are nowhere else, but those `out`."""
    return record_of(no_deck(box_of(facts).ids, text, *out), **record)


def record_in(text):
    """A record from `Hester: ; / Ada: baker -- phase: hunt, picks: 1`."""
    seats, _, rest = text.partition("--")
    return record_of(seats.replace("/", "|"), **flow(rest))


def misfits_of(facts, record):
    with pytest.raises(Misfits) as error:
        game.load(facts, record)
    return [(".".join(map(str, misfit.at)), misfit.message, misfit.hint) for misfit in error.value.misfits]


def doubts_of(facts, record):
    """What is doubted of a position that loads."""
    return [(".".join(map(str, doubt.at)), doubt.message, doubt.hint) for doubt in game.doubts(loaded(facts, record))]


def loaded(facts, record, *draws):
    """A position as a state. `draws` are what chance gives next, as `pick smith`."""
    return game.load(facts, record, script(*draws))


# How a game ended

FIVE_AND_TWO = "fake love-rose crystal-opal nature-ivy wild; ritual-bell ritual-candles"
ENDS = """
fake love-rose crystal-opal nature-ivy wild / Ada: baker -- won: rituals | won | not what the table shows | CC-WIN-2
; ritual-bell ritual-candles / Ada: baker -- won: captures         | won | not what the table shows     | CC-WIN-3
fake love-rose crystal-opal nature-ivy / Ada: baker -- won: captures | won | not what the table shows   | CC-WIN-3
; ritual-bell / Ada: baker -- won: rituals                         | won | not what the table shows     | CC-WIN-2
; / Ada: love-rose love-mabel -- won: coven                        | won | not what the table shows     | CC-WIN-1
; / Ada: baker -- won: nobody                                      | won | a game does not end like this | CC-AMB-30
; / Ada: love-mabel love-viola wild -- LAST                        |     | "won" is missing | coven or nobody
FIVE_AND_TWO / Ada: baker --                                       |     | "won" is missing | captures or rituals
; / Ada: baker --                                                  |     | "won" is missing | neither side has what it
"""


def ended(text):
    """The record of a finished game."""
    text = text.replace("LAST", "round: 6, options: {rounds: 6}").replace("FIVE_AND_TWO", FIVE_AND_TWO)
    seats, _, rest = text.partition("--")
    return record_in(f"Hester: {seats} / Basil: smith -- phase: over, {rest}")


@pytest.mark.parametrize(("text", "where", "what", "rule"), rows(ENDS))
def test_a_game_ends_as_its_table_tells(facts, text, where, what, rule):
    """Each misfit says what would be right, and by which rule."""
    ((at, message, hint),) = misfits_of(facts, ended(text))

    assert where == at
    assert what in message
    assert rule in hint


LATE_ENDS = """
FIVE_AND_TWO / Ada: baker -- won: captures      | seats.Hester | 5 witches and 2 rituals | CC-AMB-17
FIVE_AND_TWO / Ada: baker -- won: rituals, LAST | seats.Hester | 5 witches and 2 rituals | CC-AMB-17
fake love-rose crystal-opal nature-ivy wild love-viola nature-fern / Ada: baker --
    | seats.Hester.witches | 7 witches | CC-HUNT-6
; ritual-bell ritual-candles ritual-cauldron / Ada: -- | seats.Hester.rituals | 3 rituals | CC-HUNT-7
love-rose nature-ivy nature-fern wild fake / Ada: --   | seats.Hester.witches | after others | CC-HUNT-8
fake love-rose crystal-opal nature-ivy wild / Ada: baker -- won: nobody, LAST
    | won | not what the table shows | CC-WIN-3
; ritual-bell ritual-candles / Ada: -- won: nobody, LAST | won | not what the table shows | CC-WIN-2
fake love-rose crystal-opal nature-ivy nature-fern / Ada: love-mabel love-viola wild -- won: coven
    | won | not what the table shows | CC-WIN-3
; ritual-bell ritual-candles / Ada: love-mabel love-viola wild -- won: coven | won | not what the table shows | CC-WIN-2
; / Ada: love-mabel love-viola wild -- won: coven, cast: lullaby | cast | does not hold any more | CC-SPELL-6
; / Ada: baker -- cast: lullaby, LAST                            | cast | does not hold any more | CC-SPELL-6
fake love-rose crystal-opal nature-ivy wild / Ada: baker -- cast: broken-mirror
    | cast | has been captured in this Hunt | CC-CURSE-2
"""


@pytest.mark.parametrize(("text", "where", "what", "rule"), rows(LATE_ENDS))
def test_an_end_that_came_too_late_is_doubted(facts, text, where, what, rule):
    """Each doubt says what would be right, and by which rule; the result stands as it is written."""
    record = ended(text)
    ((at, message, hint),) = doubts_of(facts, record)

    assert where == at
    assert what in message
    assert rule in hint
    assert record.get("won", "") in ("", loaded(facts, record).position()["won"])


WITH_A_COVEN = """
fake love-rose crystal-opal nature-ivy wild / Ada: baker --                              | Hester
fake love-rose crystal-opal nature-ivy wild; ritual-bell / Ada: baker -- won: captures, cast: nightmare, LAST | Hester
fake love-rose crystal-opal nature-ivy nature-fern / Ada: love-mabel love-viola wild --  | Hester
fake love-rose crystal-opal nature-ivy; ritual-bell ritual-candles / Ada: love-mabel love-viola wild
    -- cast: broken-mirror | Ada Basil
fake love-rose crystal-opal nature-ivy; ritual-bell / Ada: love-mabel love-viola wild -- won: coven, LAST | Ada Basil
fake love-rose crystal-opal nature-ivy; ritual-bell / Ada: love-mabel love-viola wild -- | Ada Basil
fake love-rose crystal-opal nature-ivy; ritual-bell / Ada: love-mabel love-viola wild -- won: nobody, LAST |
fake love-rose crystal-opal nature-ivy; ritual-bell / Ada: baker -- LAST |
"""


@pytest.mark.parametrize(("text", "winners"), rows(WITH_A_COVEN))
def test_a_coven_in_hand_may_have_come_too_late(facts, text, winners):
    """CC-AMB-30: it may be shown in the last Census, or be there when the game ends in another way."""
    state = loaded(facts, ended(text))

    assert (OVER, winners.split()) == (state.to_act(), list(state.result().winners))
    assert state.key() == loaded(facts, state.position()).key()


# The tray, hands without cards, talk


@pytest.mark.parametrize(
    ("front", "tray", "record", "left"),
    [
        ("; ritual-bell", "wild teacher", {}, "3 towns are left"),
        ("; ritual-bell", "wild", {"served": ["Ada"]}, "2 towns are left"),
        ("; ritual-bell", "wild", {"served": ["Basil"], "cast": "lullaby", "hat": "Basil"}, "2 towns are left"),
        (";", "wild teacher", {"cast": "broken-mirror"}, "3 towns are left"),
    ],
)
def test_the_tray_has_a_card_for_each_town_while_the_deck_has_some(facts, front, tray, record, left):
    """CC-ARR-2, CC-CHARM-1, CC-CURSE-2, CC-AMB-7."""
    text = f"Hester: {front} | Ada: love-rose | Basil: baker | Cleo: smith"
    record = {"phase": "arrival", "tray": tray.split()} | record
    ((at, message, hint),) = doubts_of(facts, record_of(text, **record))

    assert ("tray", True) == (at, message.endswith("on the tray, and more in the deck"))
    assert left in hint

    short = loaded(facts, run_out(facts, text, *tray.split(), **record))

    assert "deal nothing" in [game.write([move], short) for move in short.legal()]

    ((at, _, _),) = doubts_of(facts, run_out(facts, text, "fake", *tray.split(), under=["fake"], deck=[], **record))

    assert "tray" == at


@pytest.mark.parametrize("record", [{}, {"deck": [], "under": ["fake"]}, {"acted": 1, "hat": "Cleo"}])
def test_in_travel_a_town_is_without_cards_only_when_the_deck_has_run_out(facts, record):
    """CC-AMB-6: it has drawn in the Census, been dealt to in Arrival, and never gives its last card away."""
    text = "Hester: ; | Ada: | Basil: love-rose | Cleo: smith"
    out = ["fake"] if "under" in record else []
    made = run_out(facts, text, *out, **record) if out else record_of(text, **record)
    ((at, message, hint),) = doubts_of(facts, made | {"phase": "travel"})

    assert ("seats.Ada.hand", "Ada has no cards, and the deck has some") == (at, message)
    assert "CC-AMB-6" in hint

    record = {key: value for key, value in record.items() if key not in ("deck", "under")}
    state = loaded(facts, run_out(facts, text, phase="travel", **record))

    assert [] == state.hands[1]


@pytest.mark.parametrize(
    "record", [{"shuffle": "yes", "under": ["fake"]}, {"tray": ["fake", "wild"]}, {"tray": ["fake", "wild", "teacher"]}]
)
def test_in_arrival_a_town_is_without_cards_only_when_the_deck_had_run_out(facts, record):
    """CC-CENSUS-1: what the Hunter draws now would have been its card; and then nothing could be chosen."""
    text = "Hester: ; ritual-bell | Ada: | Basil: love-rose | Cleo: smith"
    out = record.get("tray", []) if len(record.get("tray", [])) == 2 else None
    made = run_out(facts, text, *out) if out else record_of(text)
    ((at, _, _),) = doubts_of(facts, made | {"phase": "arrival"} | record)

    assert "seats.Ada.hand" == at


@pytest.mark.parametrize("words", ["Hester: hush", "nonsense", "Basil: trust me", "Ada trust me", "Ada: ", "Adam: hm"])
def test_only_the_town_with_the_hat_has_talked(facts, words):
    """CC-AMB-23."""
    text = "Hester: ; | Ada: love-rose | Basil: baker | Cleo: smith"
    ((at, message, hint),) = doubts_of(facts, record_of(text, talk=["Ada: hear me", words]))

    assert ("talk.1", f'"{words}" is not what Ada says') == (at, message)
    assert "CC-AMB-23" in hint
    assert ["Cleo: hear: me"] == loaded(facts, record_of(text, hat="Cleo", talk=["Cleo: hear: me"])).talk


ONES = """
phase: hunt, cast: nightmare, picks: 1, first: Ada    | the 1 pick has been made
phase: hunt, picks: 2, first: Ada                     | all 2 picks have been made
phase: travel, asked: Basil                           | Basil has 1 card, and nothing to choose
phase: hunt, cast: nightmare, picks: 1, emptying: Ada | Ada has 1 card, and nothing to choose
"""


@pytest.mark.parametrize(("record", "message"), rows(ONES))
def test_one_is_told_as_one(facts, record, message):
    made = record_in(f"Hester: ; / Ada: love-rose / Basil: baker / Cleo: smith -- {record}")

    assert [message] == [what for _, what, _ in doubts_of(facts, made)]


# What is known of the tray


def after_discard(facts, ada, *lines, front="; ritual-bell"):
    """The deck has run out; Ada loses love-rose and lays the rest of her hand under it, the Hunter leaves it there.
    She draws the first of these cards in the Census, and the next Arrival takes the others."""
    text = f"Hester: love-mabel nature-ivy wild{front} | Ada: love-rose {ada} | Basil: baker midwife | Cleo:"
    record = run_out(facts, text, phase="hunt", deck=[], picks=1, first="Basil", hat="Basil")
    state = loaded(facts, record, "pick love-rose")
    play(state, "Hester: pick Ada", *lines)
    return state


def seen_hand(state, seat, name, *discarded):
    """What a seat sees in another's hand: those of the cards `discarded`, and "?" for each that it does not know."""
    return [card for card in game.seen(state, seat)["seats"][name]["hand"] if card in (*discarded, "?")]


ONE_BELOW = ["Ada: under crystal-opal", "Hester: leave", "Hester: leave", "Basil: hat Basil"]


def test_who_knows_the_top_card_knows_it_on_the_tray(facts):
    """CC-AMB-10, CC-ARR-2: Ada has laid her there, and sees to whom the only card goes; Basil knows nothing of it."""
    state = after_discard(facts, "crystal-opal fake", *ONE_BELOW)
    fake = state.box.fake

    assert [["fake"], ["fake"], ["?"], ["?"]] == [game.seen(state, seat)["tray"] for seat in range(4)]
    assert [(fake,), (fake,), (UNSEEN,), (UNSEEN,)] == [state.view(seat).tray for seat in range(4)]
    assert [(fake,), (fake,), (), ()] == [state.view(seat).known.tray for seat in range(4)]

    again = loaded(facts, state.position())
    for each in (state, again):
        play(each, "Hester: deal nothing, deal nothing")

        assert [["fake"], ["fake"], ["?"]] == [seen_hand(each, seat, "Cleo", "fake") for seat in (0, 1, 2)]
        assert all("tray" not in game.seen(each, seat) for seat in range(4))


TWO_BELOW = [
    "Ada: under crystal-opal, under fake",
    "Hester: leave",
    "Hester: leave",
    "Basil: hat Basil",
    "Hester: leave",
]


def test_of_two_known_cards_on_the_tray_who_gets_one_knows_the_other(facts):
    """CC-ARR-3: what others get of two is not seen."""
    state = after_discard(facts, "crystal-opal fake miller", *TWO_BELOW)

    assert [["fake", "miller"], ["fake", "miller"], ["?", "?"]] == [
        game.seen(state, seat)["tray"] for seat in (0, 1, 2)
    ]

    other = state.clone()
    play(state, "Hester: deal fake")

    assert [["miller"], ["miller"], ["?"]] == [game.seen(state, seat)["tray"] for seat in (0, 1, 2)]

    play(state, "Hester: deal nothing")

    assert [["miller"], ["?"]] == [seen_hand(state, seat, "Cleo", "miller") for seat in (1, 2)]

    play(other, "Hester: deal nothing, deal fake")

    assert [["?"], ["?"]] == [seen_hand(other, 1, name, "fake", "miller") for name in ("Basil", "Cleo")]
    assert ["fake"] == seen_hand(other, 2, "Basil", "fake")


def test_a_history_may_begin_with_cards_on_the_tray(facts):
    """What lay there before is not known, so the next card to leave may be any of them."""
    text = "Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith"
    history = ["laid-under Ada fake", "looked under fake"]
    record = record_of(text, phase="arrival", served=["Ada"], tray=["wild", "fake"], history=history)
    state = loaded(facts, record)

    assert ["fake", "?"] == game.seen(state, 1)["tray"]

    play(state, "Hester: deal wild")

    assert ["?", "?"] == game.seen(state, 1)["seats"]["Basil"]["hand"]


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_the_hunter_alone_sees_what_is_laid_out(facts, seat):
    """CC-ARR-2, CC-ARR-3: in the logs of the towns the cards are UNSEEN, and in what they read they have no names."""
    text = "Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith"
    state = loaded(facts, record_of(text), "tray wild", "tray fake", "tray teacher")
    events = play(state, "Ada: hat Ada")
    cards, numbers = state.box.names, state.box.numbers
    tray = [(numbers[id_],) for id_ in ("wild", "fake", "teacher")]

    assert tray == [entry[3] for entry in state.view(0).log if entry[0] is Deed.LOOKED]
    assert [(UNSEEN,)] * 3 == [entry[3] for entry in state.view(seat).log if entry[0] is Deed.LOOKED]

    (looked,) = [event for event in events if event.rule == "CC-ARR-2"]

    assert {0} == looked.audience
    assert not any(name in looked.hint for name in cards)


# What the log tells

STORIES = """
CC-CURSE-1 in a Nightmare a ritual tells nothing of the hand of a town that has none left
    Hester: ; | Ada: ritual-bell | Basil: baker -- draws: [pick ritual-bell, Ada smith], phase: hunt, cast: nightmare
    > Hester: pick Ada -> no CC-HUNT-14
    says Ada still puts the rest of its hand under the deck.: false
CC-CURSE-1 in a Nightmare a ritual tells of the hand that goes all the same
    Hester: ; | Ada: ritual-bell wild | Basil: baker
        -- draws: [pick ritual-bell, Ada smith], phase: hunt, cast: nightmare
    > Hester: pick Ada -> no CC-HUNT-14
    told CC-CURSE-1: ... / Ada still puts the rest of its hand under the deck. / ...
CC-HUNT-14 in a Wild Chase a ritual tells nothing of the hand of a town that has none left
    Hester: ; | Ada: ritual-bell | Basil: baker -- draws: [pick ritual-bell, Ada smith], phase: hunt, cast: wild-chase
    > Hester: pick Ada -> no CC-HUNT-14
    says Ada still puts the rest of its hand under the deck.: false
CC-HUNT-14 in a Wild Chase a ritual tells of the hand that is kept
    Hester: ; | Ada: ritual-bell wild | Basil: baker
        -- draws: [pick ritual-bell, Ada smith], phase: hunt, cast: wild-chase
    > Hester: pick Ada -> ... CC-HUNT-14
    told CC-HUNT-14: ... / Ada keeps its hand. / ...
    says Ada still puts the rest of its hand under the deck.: false
CC-CURSE-2 a lone witch slips away after nothing
    Hester: ; | Ada: love-rose | Basil: baker -- draws: [pick love-rose, Ada smith], phase: hunt, cast: broken-mirror
    > Hester: pick Ada -> ... CC-CURSE-2
    says the rest of: false
CC-CURSE-2 a witch slips away after the rest of the hand
    Hester: ; | Ada: love-rose wild | Basil: baker
        -- draws: [pick love-rose, Ada smith], phase: hunt, cast: broken-mirror
    > Hester: pick Ada
    told CC-CURSE-2: ...after the rest of Ada's hand...
CC-AMB-11 who escapes goes after nothing if no hand was laid down
    Hester: love-rose wild; | Ada: fake | Basil: baker -- draws: [pick fake], phase: hunt
    > Hester: pick Ada -> no CC-AMB-11
CC-AMB-11 who escapes goes after the hand that was laid down
    Hester: love-rose wild; | Ada: fake smith | Basil: baker -- draws: [pick fake], phase: hunt
    > Hester: pick Ada
    told CC-AMB-11: They go below the cards that the town has put there.
CC-HUNT-5 a capture tells of no card where none goes with her
    Hester: ; | Ada: love-rose | Basil: baker -- draws: [pick love-rose], phase: hunt
    > Hester: pick Ada
    count CC-HUNT-5: 1
CC-HUNT-5 a capture tells of one card that goes with her
    Hester: ; | Ada: love-rose smith | Basil: baker -- draws: [pick love-rose], phase: hunt
    > Hester: pick Ada
    count CC-HUNT-5: 2
    told CC-HUNT-5: ... / Ada puts its other card under the deck.
CC-HUNT-5 a capture tells how many cards go with her
    Hester: ; | Ada: love-rose smith wild | Basil: baker -- draws: [pick love-rose], phase: hunt
    > Hester: pick Ada
    count CC-HUNT-5: 2
    told CC-HUNT-5: ... / Ada puts the other 2 cards of its hand under the deck.
CC-TRAV-4 a card that is not the only one is refused in words
    Hester: ; | Ada: love-rose | Basil: baker smith -- phase: travel
    ! woods wild -> CC-TRAV-4: ...is not Ada's card
CC-TRAV-4 a card that is not among some is refused with their number
    Hester: ; | Ada: love-rose | Basil: baker smith -- phase: travel, hat: Basil
    ! woods wild -> CC-TRAV-4: ...is not one of Basil's 2 cards
"""


@pytest.mark.parametrize("story", stories(STORIES))
def test_a_story_goes_as_it_is_written(facts, story):
    text, _, rest = story.given.partition("--")
    record = flow(rest)
    draws = record.pop("draws", [])

    assert_followed(game, loaded(facts, record_of(text, **record), *draws), story.steps)


@pytest.mark.parametrize("front", [";", "; ritual-bell"])
def test_a_lullaby_with_the_last_card_tells_who_got_nothing(facts, front):
    """CC-AMB-7, CC-TRAV-7: with a ritual in front too."""
    text = f"Hester: fake love-mabel{front} | Ada: love-rose nature-ivy wild crystal-agatha | Basil: baker"
    record = run_out(facts, f"{text} | Cleo: miller | Dora:", "smith", deck=["smith"], cast="lullaby")
    state = loaded(facts, record, "Basil smith")
    events = play(state, "Ada: hat Basil")

    assert ["The deck is empty, so no card is drawn."] == told(events, "CC-TRAV-7")
    assert ["The towns got their cards one after the other, so Ada, Cleo and Dora got nothing."] == told(
        events, "CC-AMB-7"
    )


def test_without_a_history_the_hunter_sees_the_tray_and_all_count_its_cards(facts):
    """CC-ARR-2: what lies there lies there in front of the Hunter."""
    text = "Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith"
    state = loaded(facts, record_of(text, phase="arrival", served=["Ada"], tray=["wild", "fake"]))
    both = tuple(state.box.numbers[id_] for id_ in ("wild", "fake"))

    assert [both, both] == [state.view(0).tray, state.view(0).known.tray]
    assert ([0, 1, 1, 1], 0, 2) == state.origin
