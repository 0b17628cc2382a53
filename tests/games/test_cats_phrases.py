"""The Cats of New Orleans: what a card of one's own may say.

Every form of the phrase table works where it may stand; where the engine would not carry it out it is refused by name.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest
from cats_yard import FACTS, Facts, play, with_yard
from soak import sample, seeded

from grimalkin.engine.chance import Seeded
from grimalkin.games.cats_of_new_orleans import check_facts, start
from grimalkin.games.cats_of_new_orleans.facts import HOLDERS, ONLY, refused
from grimalkin.games.cats_of_new_orleans.phrases import TABLE, names_of

HOSTS: Final = {
    "skill": "roof-paths",
    "weapon": "cavalry-saber",
    "item": "beignets",
    "event": "wanted-poster",
    "flaw": "minou",
}
"""For each holder of a text the card that lends its place."""
OFFERED: Final = sorted({form.example for _, form in TABLE.every_form() if form.example})
AT_CARDS: Final = [(holder, text) for text in OFFERED for holder in HOSTS]
KINDS: Final = ("trigger", "cost", "limit", "duration", "clause", "state", "scope")
"""Kinds of phrases of which some are for a certain holder."""


def lending(holder: str, text: str) -> Facts:
    """The facts with another text on a card."""
    pieces = dict(FACTS["components"])
    pieces[HOSTS[holder]] = {**pieces[HOSTS[holder]], "text": text}
    return {**FACTS, "components": pieces}


CASES: Final[dict[str, tuple[str, str]]] = {
    "Exhaust: DRAW. On 7+, stun a vermin in sight. Otherwise, suffer 1 Wound.": (
        "skill",
        """
        minou c3
        pistoleer-1 h3
        > use roof-paths | 7h
        pistoleer-1 stunned
        minou lives 9
        --
        minou c3
        pistoleer-1 h3
        > use roof-paths | 6h
        pistoleer-1 -stunned
        minou lives 8
        """,
    ),
    "When you are stunned, gain 1 MP.": (
        "skill",
        """
        minou c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 8h
        minou stunned mp 1
        """,
    ),
    "When you are attacked, gain 1 MP.": (
        "skill",
        """
        minou c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 2h
        minou mp 1
        """,
    ),
    "When a vermin in sight is revealed, gain 1 MP.": (
        "skill",
        """
        minou j2 loot skeleton-key
        unknown-1 k2 is marker-pistoleers
        > use skeleton-key
        minou mp 1
        """,
    ),
    "When you draw a Club for an attack, gain 1 MP.": (
        "skill",
        """
        minou c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | 2c
        minou mp 1
        > attack unarmed pistoleer-1 | 2s
        minou mp 1
        """,
    ),
    "When you draw a Spade for an attack, gain 1 MP.": (
        "skill",
        """
        minou c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | 2s
        minou mp 1
        """,
    ),
    "When you draw a Joker for an attack, gain 1 AP.": (
        "skill",
        """
        minou c3 lives 5
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | red-joker
        minou ap 2 lives 6
        gone pistoleer-1
        """,
    ),
    "When you draw a 10 or higher for an attack, gain 1 MP.": (
        "skill",
        """
        minou c3
        bayou-bitter-1 c4
        > attack unarmed bayou-bitter-1 | 10s
        minou mp 1
        > attack unarmed bayou-bitter-1 | 9s
        minou mp 1
        """,
    ),
    "When you draw a 4 or lower for an attack, gain 1 MP.": (
        "skill",
        """
        minou c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | 4s
        minou mp 1
        """,
    ),
    "If no hero is in sight, gain 1 MP.": (
        "skill",
        """
        minou c3                               # she sees herself
        cannot use roof-paths
        """,
    ),
    "If no vermin is within Range 3, gain 1 MP.": (
        "skill",
        """
        minou c3
        pistoleer-1 g3
        > use roof-paths
        minou mp 1
        --
        minou c3
        pistoleer-1 f3
        cannot use roof-paths
        """,
    ),
    "If you see no vermin, gain 3 MP.": (
        "skill",
        """
        minou c3
        > use roof-paths
        minou mp 3
        --
        minou c3
        pistoleer-1 h8
        cannot use roof-paths
        """,
    ),
    "If 3 or more vermin are in sight, gain 1 AP.": (
        "skill",
        """
        minou c3
        pistoleer-1 h1
        pistoleer-2 h2
        pistoleer-3 h3
        > use roof-paths
        minou ap 3
        --
        minou c3
        pistoleer-1 h1
        pistoleer-2 h2
        cannot use roof-paths
        """,
    ),
    "If you have 3 or fewer Lives, gain 1 AP.": (
        "skill",
        """
        minou c3 lives 3
        > use roof-paths
        minou ap 3
        --
        minou c3 lives 4
        cannot use roof-paths
        """,
    ),
    "If you have not attacked this activation, gain 1 MP.": (
        "skill",
        """
        minou c3
        pistoleer-1 c4
        > use roof-paths
        minou mp 1
        > attack unarmed pistoleer-1 | 2c
        cannot use roof-paths
        """,
    ),
    "If you have no weapon equipped, take +2 on each draw.": (
        "skill",
        """
        minou c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | 9h
        gone pistoleer-1
        --
        minou c3 weapons hatpin
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | 9h
        pistoleer-1 stunned
        """,
    ),
    "If the party hand is empty, add 1 card to the party hand.": (
        "skill",
        """
        minou c3
        > use roof-paths | 4h
        hand 4h
        cannot use roof-paths
        """,
    ),
    "If it is the first round, gain 1 AP.": (
        "skill",
        """
        minou c3
        > use roof-paths
        minou ap 3
        --
        minou c3
        round 2
        cannot use roof-paths
        """,
    ),
    "If the target is wounded, take +1 on each draw.": (
        "skill",
        """
        minou c3
        bayou-bitter-1 c4 wounds 1
        > attack unarmed bayou-bitter-1 | 10h
        gone bayou-bitter-1
        --
        minou c3
        bayou-bitter-1 c4
        > attack unarmed bayou-bitter-1 | 10h
        bayou-bitter-1 wounds 0 stunned
        """,
    ),
    "If the target is a boss, take +1 on each draw.": (
        "skill",
        """
        minou c3
        croc c4
        > attack unarmed croc | 10h
        croc wounds 1
        """,
    ),
    "When you attack, if the target is vulnerable, gain 1 MP.": (
        "skill",
        """
        minou c3
        pistoleer-1 c4 vulnerable
        > attack unarmed pistoleer-1 | 2h
        minou mp 1
        --
        minou c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | 2h
        minou mp 0
        """,
    ),
    "After you attack, if the target is not a boss, stun it.": (
        "skill",
        """
        minou c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | 2h
        pistoleer-1 stunned
        """,
    ),
    "After you attack, if it is eliminated, gain 1 buck.": (
        "skill",
        """
        minou c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | 2h
        minou bucks 0
        > attack unarmed pistoleer-1 | Qh
        minou bucks 1
        """,
    ),
    "After you attack, push the target 1 square.": (
        "skill",
        """
        minou c3
        pistoleer-1 d3
        > attack unarmed pistoleer-1 | 2h
        > to e3
        pistoleer-1 at e3
        """,
    ),
    "When a vermin suffers a Wound, that vermin regains 1 Health.": (
        "skill",
        """
        minou c3
        bayou-bitter-1 c4
        > attack unarmed bayou-bitter-1 | Qh
        bayou-bitter-1 wounds 0 stunned
        """,
    ),
    "Exhaust: This round, take +1 on each draw.": (
        "skill",
        """
        minou c3
        pistoleer-1 c4
        > use roof-paths
        > attack unarmed pistoleer-1 | 10h
        gone pistoleer-1
        > end
        lasting 1
        """,
    ),
    "Exhaust: For the rest of the scenario, take +1 on each draw.": (
        "skill",
        """
        minou c3
        pistoleer-1 c4
        > use roof-paths
        > attack unarmed pistoleer-1 | 10h
        gone pistoleer-1
        lasting 1
        """,
    ),
    "Exhaust: Each hero loses 1 AP.": (
        "skill",
        """
        minou c3
        > use roof-paths
        minou ap 1
        """,
    ),
    "Exhaust: Lose 1 Life.": (
        "skill",
        """
        minou c3
        > use roof-paths
        minou lives 8
        """,
    ),
    "Exhaust: Remove the Vulnerable marker from a hero adjacent to you.": (
        "skill",
        """
        minou c3
        patch c4 vulnerable
        > use roof-paths
        patch -vulnerable
        --
        minou c3
        patch c4
        cannot use roof-paths
        """,
    ),
    "Draw 2 cards for each draw and keep the higher.": (
        "skill",
        """
        minou c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | 2h Jc
        gone pistoleer-1
        """,
    ),
    "Draw 2 cards for each draw and keep the lower.": (
        "skill",
        """
        minou c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | 2h Jc
        pistoleer-1 -stunned
        """,
    ),
    "Exhaust: Each hero removes the Depleted token from a weapon.": (
        "skill",
        """
        minou c3 weapons derringer
        patch c4 weapons pepperbox
        depleted derringer pepperbox
        > use roof-paths
        loaded derringer pepperbox
        """,
    ),
    "After you attack, put a Depleted token on this weapon.": (
        "weapon",
        """
        minou c3 weapons cavalry-saber
        pistoleer-1 c4
        > attack cavalry-saber pistoleer-1 | 2h
        depleted cavalry-saber
        cannot attack cavalry-saber pistoleer-1
        """,
    ),
    "Exhaust: Each hero refreshes a skill.": (
        "skill",
        """
        minou c3
        patch c4 skills drilled
        exhausted drilled
        > use roof-paths
        ready drilled
        exhausted roof-paths
        """,
    ),
    "After you attack, discard this card.": (
        "weapon",
        """
        minou c3 weapons cavalry-saber
        pistoleer-1 c4
        > attack cavalry-saber pistoleer-1 | 2h
        minou lacks cavalry-saber
        loot-gone cavalry-saber
        """,
    ),
    "Move up to 2 squares, ignoring hindering terrain. Once per activation.": (
        "skill",
        """
        minou b5
        > use roof-paths
        > go c5
        > go d5
        minou at d5
        cannot use roof-paths
        """,
    ),
    "Your attacks with this weapon take +1 on each draw.": (
        "weapon",
        """
        minou c3 weapons cavalry-saber
        bayou-bitter-1 c4
        > attack cavalry-saber bayou-bitter-1 | 6h
        bayou-bitter-1 wounds 1
        > attack unarmed bayou-bitter-1 | 7h
        bayou-bitter-1 wounds 1                # 7 + 3 for the Stun
        """,
    ),
    "Exhaust: Spawn 1 vermin on each S1.": (
        "skill",
        """
        minou c3
        > use roof-paths | marker-bayou-mosquito
        mosquito-1 at l5
        """,
    ),
    "Exhaust: Stun a stunned vermin.": (
        "skill",
        """
        minou c3
        pistoleer-1 h3 stunned
        cannot use roof-paths
        """,
    ),
    "Exhaust: Stun an unstunned vermin.": (
        "skill",
        """
        minou c3
        pistoleer-1 h3 stunned
        pistoleer-2 h4
        > use roof-paths
        pistoleer-2 stunned
        """,
    ),
    "Exhaust: Stun each wounded vermin.": (
        "skill",
        """
        minou c3
        bayou-bitter-1 h3 wounds 1
        bayou-bitter-2 h4
        > use roof-paths
        bayou-bitter-1 stunned
        bayou-bitter-2 -stunned
        """,
    ),
    "Exhaust: Stun up to 2 vulnerable vermin.": (
        "skill",
        """
        minou c3
        pistoleer-1 h3 vulnerable
        pistoleer-2 h4
        > use roof-paths
        cannot choose pistoleer-2
        > choose pistoleer-1
        pistoleer-1 stunned
        """,
    ),
    "Exhaust: Stun an unrevealed vermin.": (
        "skill",
        """
        minou c3
        pistoleer-1 h3
        unknown-1 k1 is marker-bayou-bitters
        > use roof-paths
        bayou-bitter-1 stunned
        pistoleer-1 -stunned
        """,
    ),
    "Exhaust: Stun each revealed vermin.": (
        "skill",
        """
        minou c3
        pistoleer-1 h3
        unknown-1 k1 is marker-bayou-bitters
        > use roof-paths
        pistoleer-1 stunned
        unknown-1 -stunned
        """,
    ),
    "Exhaust: Each hero in your square recovers 1 Life.": (
        "skill",
        """
        minou c3 lives 5
        patch c4 lives 5
        > use roof-paths
        minou lives 6
        patch lives 5
        """,
    ),
    "Exhaust: Stun a vermin within Range 4 and in sight.": (
        "skill",
        """
        minou j1
        pistoleer-1 k1
        pistoleer-2 h1
        > use roof-paths
        pistoleer-2 stunned
        """,
    ),
    "Exhaust: Stun each vermin in the same big square.": (
        "skill",
        """
        minou c3
        pistoleer-1 d4
        pistoleer-2 e3
        > use roof-paths
        pistoleer-1 stunned
        pistoleer-2 -stunned
        """,
    ),
    "Exhaust: The nearest hero recovers 1 Life.": (
        "skill",
        """
        minou c3 lives 5
        patch c4 lives 5
        > use roof-paths
        minou lives 5
        patch lives 6
        """,
    ),
    "When you stun a vermin, stun another vermin adjacent to that vermin.": (
        "skill",
        """
        minou c3
        bayou-bitter-1 c4
        pistoleer-1 c5
        > attack unarmed bayou-bitter-1 | 8h
        pistoleer-1 stunned
        """,
    ),
    "Exhaust: Stun the nearest vermin.": (
        "skill",
        """
        minou c3
        pistoleer-1 e3
        pistoleer-2 f3
        > use roof-paths
        pistoleer-1 stunned
        pistoleer-2 -stunned
        """,
    ),
    "When a vermin in sight attacks, exhaust: Stun that vermin.": (
        "skill",
        """
        minou c3
        patch h3
        pistoleer-1 h4
        phase vermin
        > vermin pistoleer-1
        > use roof-paths | 2h
        pistoleer-1 stunned
        """,
    ),
    "Exhaust: Stun a vermin in sight. Not for bosses.": (
        "skill",
        """
        minou c3
        roux-poubelle h3
        cannot use roof-paths
        """,
    ),
    "A hero adjacent to you may lose 1 Life to gain 2 MP.": (
        "event",
        """
        minou e6
        patch e5
        > investigate e7 | wanted-poster
        > do
        patch lives 8 mp 2
        minou lives 9
        """,
    ),
    "When an attack would stun or wound you, exhaust: Cancel all Stuns and Wounds of this attack.": (
        "skill",
        """
        minou c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1 | 10h
        > use roof-paths
        minou -stunned lives 9
        """,
    ),
    "When you draw a red card for an attack, take +2 on each draw.": (
        "skill",
        """
        minou c3
        pistoleer-1 c4
        > attack unarmed pistoleer-1 | 9h
        gone pistoleer-1
        """,
    ),
    "When a vermin attacks you, exhaust: Attacks against you take −3 on each draw.": (
        "skill",
        """
        minou c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1
        > use roof-paths | 9h
        minou -stunned
        lasting 0
        """,
    ),
}


@pytest.mark.slow("reads the box anew for each card")
@pytest.mark.parametrize("text", CASES)
def test_a_card_of_ones_own_does_what_it_says(text: str) -> None:
    holder, case = CASES[text]
    facts = lending(holder, text)

    assert [] == check_facts(facts)
    for part in case.split("--\n"):
        play(part, HOSTS[holder], with_yard(facts))


# What is refused


REFUSED: Final = [
    ("skill", "Learn a level 1 skill for free.", '"learn a level … skill for free" on a skill'),
    ("item", "Spend 5 bucks: Recover 1 Life. Once per Riverboat visit.", '"once per Riverboat visit" on an item'),
    ("skill", "Discard: Gain 1 AP.", '"discard" on a skill'),
    ("skill", "This attack is an area attack.", '"this attack is an area attack" on a skill'),
    ("event", "When you Prowl, gain 1 MP.", "a trigger, a price or a limit on an event of the Loot deck"),
    ("event", "Gain 1 MP. Once per round.", "a trigger, a price or a limit on an event of the Loot deck"),
    ("skill", "Exhaust: For this attack, take +1 on each draw.", '"for this attack" without an attack'),
    ("skill", "While you are in water, gain 1 MP.", 'an action after "while"'),
    ("skill", "When you Prowl, exhaust: Cancel that Wound.", "cancelling something that is not about to happen"),
    (
        "skill",
        "When you Prowl, you may suffer it yourself instead.",
        "suffering a Wound for a hero that would not suffer one",
    ),
    ("skill", "Each hero in sight ignores water.", "an effect for others that works only for the owner of the card"),
    ("skill", "Exhaust: A vermin in sight gains 2 MP.", "an effect for vermin that only heroes can have"),
    ("skill", "Exhaust: Eliminate a hero in sight.", "an effect for heroes that only vermin can have"),
    (
        "skill",
        "When a vermin would suffer a Wound, exhaust: Cancel that Wound.",
        "a Wound that a vermin would suffer, as a trigger",
    ),
    ("skill", "If it is exhausted, gain 1 MP.", '"exhausted" on a skill'),
    ("skill", "In the Initiative segment, gain 1 MP.", "an action in the Initiative segment"),
    ("skill", "When a hero sees Croc, gain 1 MP.", '"when … sees …" on a skill'),
    ("skill", "No vermin may attack.", '"no … may …" on a skill'),
    ("weapon", "Move up to 2 squares, ignoring water.", "a move that ignores water or figures"),
]


@pytest.mark.parametrize(("holder", "text", "told"), REFUSED)
def test_what_no_code_does_is_refused(holder: str, text: str, told: str) -> None:
    (misfit, *_) = check_facts(lending(holder, text))

    assert f"the engine does not carry out {told}" in str(misfit)


@pytest.mark.parametrize(
    ("power", "told"),
    [
        ("When this vermin is stunned, gain 1 AP.", '"gain … AP" on a power, which addresses nobody'),
        ("When this vermin is stunned, exhaust: It gains 1 AP.", '"exhaust" on a power'),
        ("This vermin makes no attack.", "never attacking, as a permanent effect"),
    ],
)
def test_powers_speak_of_vermin_alone(power: str, told: str) -> None:
    powers = {**FACTS["lists"]["powers"]}
    powers["thick-skinned"] = {**powers["thick-skinned"], "text": power}
    facts = {**FACTS, "lists": {**FACTS["lists"], "powers": powers}}

    assert any(told in str(misfit) for misfit in check_facts(facts)), check_facts(facts)


def test_a_special_rule_of_an_unarmed_attack_is_refused() -> None:
    pieces = {**FACTS["components"]}
    pieces["minou"] = {**pieces["minou"], "special": "A Stun is also a Wound."}

    assert any("unarmed attack" in str(misfit) for misfit in check_facts({**FACTS, "components": pieces}))


def test_a_special_rule_may_forbid_vermin_to_attack() -> None:
    special = [{"title": "Truce", "text": "No vermin may attack."}]
    case = """
        odile c3
        pistoleer-1 c4
        phase vermin
        > vermin pistoleer-1
        odile lives 9
    """

    play(case, facts=with_yard(FACTS, special=special))


def test_every_form_is_for_somebody_or_for_nobody() -> None:
    """What stands on no holder is told to be refused, wherever it stands."""
    nobody = {(kind, name) for kind, names in ONLY.items() for name, holders in names.items() if not holders}
    forms = {(kind.name, form.name) for kind, form in TABLE.every_form() if kind.name in KINDS}

    assert {(kind, name) for kind, names in ONLY.items() for name in names} <= forms
    assert nobody == {("limit", "riverboat"), ("state", "exhausted")}
    assert all(holders <= set(HOLDERS) for names in ONLY.values() for holders in names.values())


# What is played


def some_moves(facts: Facts, seed: int, most: int) -> None:
    """A game with the card in play, in which cards are used when they can be."""
    options: dict[str, Any] = {
        "scenario": ("streets", "hijacked")[seed % 2],
        "heroes": ["minou", "patch"] if seed % 3 else ["minou", "patch", "odile", "nera"],
        "weapons": {"minou": ["cavalry-saber", "pepperbox"], "patch": ["blunderbuss"]},
        "loot": {"minou": ["beignets", "stash-1", "wage-packet"]},
        "skills": {"minou": ["roof-paths"]},
    }
    state, random = start(facts, ["Ada", "Basil"], options, Seeded(seed)), Random(seed)
    for _ in range(most):
        if state.to_act() < 0:
            return
        legal = state.legal()
        lively = [move for move in legal if move[0] in ("use", "attack", "investigate", "do", "choose", "go")]
        chosen = lively if lively and random.random() < 0.6 else legal
        move = chosen[int(random.random() * len(chosen))]
        assert state.why_not(move) is None
        state.apply(move, [])


@pytest.mark.parametrize(("holder", "text"), sample(AT_CARDS, 24))
def test_what_is_offered_is_played_or_refused(holder: str, text: str) -> None:
    facts = lending(holder, text)
    if any(refused(TABLE.read(text, names_of(FACTS)), holder)):
        assert all("does not carry out" in str(misfit) for misfit in check_facts(facts))
    else:
        some_moves(facts, len(text) + len(holder), 50)


@seeded(4)
def test_cards_of_the_box_are_played_in_the_streets(seed: int) -> None:
    """With skills and Loot by chance, more of them than anybody could bring."""
    random = Random(seed)
    pieces = FACTS["components"]
    heroes = random.sample([id_ for id_, piece in pieces.items() if piece["deck"] == "heroes"], 4)
    kinds = ("item", "ammunition")
    items = [id_ for id_, piece in pieces.items() if piece["deck"] == "loot" and piece["kind"] in kinds]
    weapons = [id_ for id_, piece in pieces.items() if piece["deck"] == "loot" and piece["kind"] == "weapon"]
    random.shuffle(items)
    random.shuffle(weapons)
    skills: dict[str, list[str]] = {}
    for hero in heroes:
        of = [id_ for id_, piece in pieces.items() if piece["deck"] == "skills" and piece["hero"] == hero]
        most = {1: 3, 2: 2, 3: 1}
        skills[hero] = [
            id_
            for level, count in most.items()
            for id_ in random.sample([each for each in of if pieces[each]["level"] == level], count)
        ]
    options = {
        "scenario": ("streets", "hijacked")[seed % 2],
        "heroes": heroes,
        "skills": skills,
        "weapons": {hero: weapons[2 * index : 2 * index + 2] for index, hero in enumerate(heroes)},
        "loot": {hero: items[6 * index : 6 * index + 6] for index, hero in enumerate(heroes)},
    }
    state = start(FACTS, ["Ada", "Basil"], options, Seeded(seed))
    for _ in range(160):
        if state.to_act() < 0:
            break
        legal = state.legal()
        lively = [move for move in legal if move[0] in ("use", "attack", "investigate", "do", "choose", "go")]
        chosen = lively if lively and random.random() < 0.6 else legal
        state.apply(chosen[int(random.random() * len(chosen))], [])
