"""Curses & Covens: tables that cannot be, what is known of the tray, and a log that tells only what happens."""

from __future__ import annotations

import pytest

from grimalkin.engine.chance import Scripted
from grimalkin.engine.replay import play_line
from grimalkin.engine.shape import Misfits
from grimalkin.engine.words import OVER
from grimalkin.games import curses_and_covens as game
from grimalkin.games.curses_and_covens.facts import UNSEEN
from grimalkin.games.curses_and_covens.knowledge import Deed

FOUR = "fake love-rose crystal-opal nature-ivy"
FIVE = f"{FOUR} wild"
COVEN = "love-mabel love-viola wild"


@pytest.fixture(scope="module")
def facts(facts_of):
    return facts_of("curses-and-covens")


def record_of(text, **record):
    """A position from `Hester: love-rose; ritual-bell | Ada: baker miller | Basil:`, the cooper in the woods."""
    seats = {}
    for place, seat in enumerate(text.split("|")):
        name, _, cards = seat.partition(":")
        witches, _, rituals = cards.partition(";")
        has = {"hand": cards.split()} if place else {"witches": witches.split(), "rituals": rituals.split()}
        seats[name.strip()] = has
    return {"seats": seats, "woods": "cooper"} | {key.replace("_", "-"): value for key, value in record.items()}


def run_out(facts, text, *out, **record):
    """A position in which the deck has run out: the last town has all cards that lie nowhere else, but those `out`."""
    there = {"cooper", *out, *text.replace(";", " ").split()}
    components = facts["components"].items()
    cards = [id_ for id_, piece in components if piece.get("suit") or piece.get("occupation") or piece.get("rite")]
    return record_of(" ".join([text, *(card for card in cards if card not in there)]), **record)


def misfits_of(facts, record):
    with pytest.raises(Misfits) as error:
        game.load(facts, record)
    return [(".".join(map(str, misfit.at)), misfit.message, misfit.hint) for misfit in error.value.misfits]


def doubts_of(facts, record):
    """What is doubted of a position that loads."""
    return [(".".join(map(str, doubt.at)), doubt.message, doubt.hint) for doubt in game.doubts(loaded(facts, record))]


def loaded(facts, record, *draws):
    """A position as a state. `draws` are what chance gives next, as `pick smith`."""
    return game.load(facts, record, Scripted([tuple(draw.split()) for draw in draws]))


def play(state, *lines):
    """The events while lines are played, each with the name of the seat that must be the one to act."""
    events = []
    for line in lines:
        name, _, text = line.partition(": ")

        assert name == state.seats[state.to_act()]

        play_line(game, state, text, events)
    return events


def told(events, rule):
    return [event.text for event in events if event.rule == rule]


# How a game ended

LAST = {"round": 6, "options": {"rounds": 6}}


def ended(facts, text, record):
    """A finished game."""
    return record_of(f"Hester: {text} | Basil: smith".replace("Hester: |", "Hester: ; |"), phase="over", **record)


@pytest.mark.parametrize(
    ("text", "record", "where", "what", "rule"),
    [
        (f"{FIVE} | Ada: baker", {"won": "rituals"}, "won", "not what the table tells", "CC-WIN-2"),
        ("; ritual-bell ritual-candles | Ada: baker", {"won": "captures"}, "won", "not what the table", "CC-WIN-3"),
        (f"{FOUR} | Ada: baker", {"won": "captures"}, "won", "not what the table tells", "CC-WIN-3"),
        ("; ritual-bell | Ada: baker", {"won": "rituals"}, "won", "not what the table tells", "CC-WIN-2"),
        ("| Ada: love-rose love-mabel", {"won": "coven"}, "won", "not what the table tells", "CC-WIN-1"),
        ("| Ada: baker", {"won": "nobody"}, "won", "a game does not end so here", "CC-AMB-30"),
        (f"| Ada: {COVEN}", LAST, "", '"won" is missing', "coven or nobody"),
        (f"{FIVE}; ritual-bell ritual-candles | Ada: baker", {}, "", '"won" is missing', "captures or rituals"),
        ("| Ada: baker", {}, "", '"won" is missing', "no side has what it takes"),
    ],
)
def test_a_game_ends_as_its_table_tells(facts, text, record, where, what, rule):
    """Each misfit says what would be right, and by which rule."""
    ((at, message, hint),) = misfits_of(facts, ended(facts, text, record))

    assert where == at
    assert what in message
    assert rule in hint


@pytest.mark.parametrize(
    ("text", "record", "where", "what", "rule"),
    [
        (
            f"{FIVE}; ritual-bell ritual-candles | Ada: baker",
            {"won": "captures"},
            "seats.Hester",
            "5 witches and 2 rituals",
            "CC-AMB-17",
        ),
        (
            f"{FIVE}; ritual-bell ritual-candles | Ada: baker",
            {"won": "rituals"} | LAST,
            "seats.Hester",
            "5 witches and 2 rituals",
            "CC-AMB-17",
        ),
        (f"{FIVE} love-viola nature-fern | Ada: baker", {}, "seats.Hester.witches", "7 witches", "CC-HUNT-6"),
        ("; ritual-bell ritual-candles ritual-cauldron | Ada: ", {}, "seats.Hester.rituals", "3 rituals", "CC-HUNT-7"),
        ("love-rose nature-ivy nature-fern wild fake | Ada: ", {}, "seats.Hester.witches", "after others", "CC-HUNT-8"),
        (f"{FIVE} | Ada: baker", {"won": "nobody"} | LAST, "won", "not what the table tells", "CC-WIN-3"),
        ("; ritual-bell ritual-candles | Ada: ", {"won": "nobody"} | LAST, "won", "not what the table", "CC-WIN-2"),
        (f"{FOUR} nature-fern | Ada: {COVEN}", {"won": "coven"}, "won", "not what the table tells", "CC-WIN-3"),
        (f"; ritual-bell ritual-candles | Ada: {COVEN}", {"won": "coven"}, "won", "not what the table", "CC-WIN-2"),
        (f"| Ada: {COVEN}", {"won": "coven", "cast": "lullaby"}, "cast", "does not hold any more", "CC-SPELL-6"),
        ("| Ada: baker", {"cast": "lullaby"} | LAST, "cast", "does not hold any more", "CC-SPELL-6"),
        (f"{FIVE} | Ada: baker", {"cast": "broken-mirror"}, "cast", "has been captured in this Hunt", "CC-CURSE-2"),
    ],
)
def test_an_end_that_came_too_late_is_doubted(facts, text, record, where, what, rule):
    """Each doubt says what would be right, and by which rule; the result stands as it is written."""
    record = ended(facts, text, record)
    ((at, message, hint),) = doubts_of(facts, record)

    assert where == at
    assert what in message
    assert rule in hint
    assert record.get("won", "") in ("", loaded(facts, record).position()["won"])


@pytest.mark.parametrize(
    ("text", "record", "winners"),
    [
        (f"{FIVE} | Ada: baker", {}, ["Hester"]),
        (f"{FIVE}; ritual-bell | Ada: baker", {"won": "captures", "cast": "nightmare"} | LAST, ["Hester"]),
        (f"{FOUR} nature-fern | Ada: {COVEN}", {}, ["Hester"]),
        (f"{FOUR}; ritual-bell ritual-candles | Ada: {COVEN}", {"cast": "broken-mirror"}, ["Ada", "Basil"]),
        (f"{FOUR}; ritual-bell | Ada: {COVEN}", {"won": "coven"} | LAST, ["Ada", "Basil"]),
        (f"{FOUR}; ritual-bell | Ada: {COVEN}", {}, ["Ada", "Basil"]),
        (f"{FOUR}; ritual-bell | Ada: {COVEN}", {"won": "nobody"} | LAST, []),
        (f"{FOUR}; ritual-bell | Ada: baker", LAST, []),
    ],
)
def test_a_coven_in_hand_may_have_come_too_late(facts, text, record, winners):
    """CC-AMB-30: it may be shown in the last Census, or be there when the game ends in another way."""
    state = loaded(facts, record_of(f"Hester: {text} | Basil: smith", phase="over", **record))

    assert (OVER, winners) == (state.to_act(), list(state.result().winners))
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


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"phase": "hunt", "cast": "nightmare", "picks": 1, "first": "Ada"}, "the 1 pick has been made"),
        ({"phase": "hunt", "picks": 2, "first": "Ada"}, "all 2 picks have been made"),
        ({"phase": "travel", "asked": "Basil"}, "Basil has 1 card, and nothing to choose"),
        (
            {"phase": "hunt", "cast": "nightmare", "picks": 1, "emptying": "Ada"},
            "Ada has 1 card, and nothing to choose",
        ),
    ],
)
def test_one_is_told_as_one(facts, record, message):
    text = "Hester: ; | Ada: love-rose | Basil: baker | Cleo: smith"

    assert [message] == [what for _, what, _ in doubts_of(facts, record_of(text, **record))]


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


def hunt(facts, text, *draws, **record):
    return loaded(facts, record_of(text, **({"phase": "hunt"} | record)), *draws)


@pytest.mark.parametrize(
    ("hand", "cast", "nightmare", "keeps"),
    [
        ("ritual-bell", "nightmare", False, False),
        ("ritual-bell wild", "nightmare", True, False),
        ("ritual-bell", "wild-chase", False, False),
        ("ritual-bell wild", "wild-chase", False, True),
    ],
)
def test_a_ritual_tells_of_a_hand_only_if_there_is_one(facts, hand, cast, nightmare, keeps):
    """CC-CURSE-1, CC-HUNT-14."""
    state = hunt(facts, f"Hester: ; | Ada: {hand} | Basil: baker", "pick ritual-bell", "Ada smith", cast=cast)
    events = play(state, "Hester: pick Ada")

    assert nightmare == ("Ada puts the rest of its hand under the deck all the same." in told(events, "CC-CURSE-1"))
    assert keeps == ("Ada keeps its hand." in told(events, "CC-HUNT-14"))
    assert keeps == bool(told(events, "CC-HUNT-14"))


def test_a_lone_witch_slips_away_after_nothing(facts):
    """CC-CURSE-2."""
    draws = ["pick love-rose", "Ada smith"]
    alone = hunt(facts, "Hester: ; | Ada: love-rose | Basil: baker", *draws, cast="broken-mirror")
    two = hunt(facts, "Hester: ; | Ada: love-rose wild | Basil: baker", *draws, cast="broken-mirror")

    assert not any("the rest of" in text for text in told(play(alone, "Hester: pick Ada"), "CC-CURSE-2"))
    assert any("after the rest of Ada's hand" in text for text in told(play(two, "Hester: pick Ada"), "CC-CURSE-2"))


def test_who_escapes_goes_after_a_hand_only_if_one_was_laid_down(facts):
    """CC-AMB-11."""
    front = "Hester: love-rose wild;"
    alone = hunt(facts, f"{front} | Ada: fake | Basil: baker", "pick fake")
    two = hunt(facts, f"{front} | Ada: fake smith | Basil: baker", "pick fake")
    texts = [told(play(state, "Hester: pick Ada"), "CC-AMB-11") for state in (alone, two)]

    assert [[], ["They go after what the town has put there."]] == texts


@pytest.mark.parametrize("front", [";", "; ritual-bell"])
def test_a_lullaby_with_the_last_card_tells_who_got_nothing(facts, front):
    """CC-AMB-7, CC-TRAV-7: with a ritual in front too."""
    text = f"Hester: fake love-mabel{front} | Ada: love-rose nature-ivy wild crystal-agatha | Basil: baker"
    record = run_out(facts, f"{text} | Cleo: miller | Dora:", "smith", deck=["smith"], cast="lullaby")
    state = loaded(facts, record, "Basil smith")
    events = play(state, "Ada: hat Basil")

    assert ["The deck is empty, so no card is drawn."] == told(events, "CC-TRAV-7")
    assert ["The towns got their cards one after the other: Ada, Cleo and Dora got nothing."] == told(
        events, "CC-AMB-7"
    )


@pytest.mark.parametrize(
    ("rest", "text"),
    [
        ("", None),
        ("smith", "Ada puts its other card under the deck."),
        ("smith wild", "Ada puts the other 2 cards of its hand under the deck."),
    ],
)
def test_a_capture_tells_how_many_cards_go_with_her(facts, rest, text):
    """CC-HUNT-5."""
    state = hunt(facts, f"Hester: ; | Ada: love-rose {rest} | Basil: baker", "pick love-rose")
    _, *more = told(play(state, "Hester: pick Ada"), "CC-HUNT-5")

    assert ([text] if text else []) == more


def test_a_card_that_is_not_the_only_one_is_refused_in_words(facts):
    """CC-TRAV-4."""
    text = "Hester: ; | Ada: love-rose | Basil: baker smith"
    state = loaded(facts, record_of(text, phase="travel"))
    other = loaded(facts, record_of(text, phase="travel", hat="Basil"))
    reasons = [each.why_not(*game.read("woods wild", each)).because for each in (state, other)]

    assert ["is not the card of Ada", "is not among the 2 cards of Basil"] == [
        why[why.index("is not") :] for why in reasons
    ]


def test_without_a_history_the_hunter_sees_the_tray_and_all_count_its_cards(facts):
    """CC-ARR-2: what lies there lies there in front of the Hunter."""
    text = "Hester: ; ritual-bell | Ada: love-rose | Basil: baker | Cleo: smith"
    state = loaded(facts, record_of(text, phase="arrival", served=["Ada"], tray=["wild", "fake"]))
    both = tuple(state.box.numbers[id_] for id_ in ("wild", "fake"))

    assert [both, both] == [state.view(0).tray, state.view(0).known.tray]
    assert ([0, 1, 1, 1], 0, 2) == state.origin
