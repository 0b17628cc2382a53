"""The Riverboat for bots: a sensible party's next move or answer, from what everybody sees.

Every wish is legal and costs bucks or a card, so wishes come to an end. All values are in bucks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans import numbers
from grimalkin.games.cats_of_new_orleans.campaign.riverboat import clauses_in, fee_of, is_on_sale, lessons_for, price_of
from grimalkin.games.cats_of_new_orleans.clauses import is_card, number, pick_of
from grimalkin.games.cats_of_new_orleans.moves import Move
from grimalkin.games.cats_of_new_orleans.phrases.abilities import Ability
from grimalkin.games.cats_of_new_orleans.players.judgement import promise
from grimalkin.games.cats_of_new_orleans.table import HeroView, View

HEALTHY: Final = 7
"""A hero with fewer Lives than this buys a drink."""
LIFE: Final = numbers.DRINK
LAST_LIFE: Final = 25
POWER: Final = 32
"""The value of a best weapon worth 1 more: about half a Wound more per attack."""
SPARE: Final = 0.3
"""The share of that value that counts for the second weapon."""
FOUND: Final = 0.75
"""The share of its price that a card drawn at random is worth: used if it fits, otherwise sold for half."""
POWDER: Final = 10
"""The value of a Stash of Ammunition to a hero who has none and may need it."""
WORTH: Final[Mapping[str, int]] = {
    "recover": LIFE,
    "cancel": 9,
    "gain-ap": 6,
    "gain-mp": 3,
    "party-card": 6,
    "reload": 7,
    "attackers-draws": 12,
    "draws": 8,
    "cannot-be-stunned": 12,
    "act": 5,
}
"""The value of each use of an item, by the item's verb."""
OFTEN: Final = 3
"""The number of uses of an item that is not discarded."""


def next_aboard(view: View, legal: list[Move], luck: Callable[[], float]) -> Move:
    """Return the next move: a hero's turn, an action in it, or going on."""
    if view.active:
        wished = wishes(view, next(hero for hero in view.heroes if hero.name == view.active))
        return wished[int(luck() * len(wished))] if wished else ("end",)
    wanting = next((hero for hero in view.heroes if wishes(view, hero)), None)
    move: Move = ("act", wanting.name) if wanting is not None else ("onward",)
    assert move in legal, move
    return move


def wishes(view: View, hero: HeroView) -> list[Move]:
    """Return what a hero would do in its turn: the first thing, or several of equal value."""
    return [*arranged(view, hero)][:1] or WISHES[view.step](view, hero)


# Weapons


def arm_worth(view: View, card: int) -> float:
    """Return the value of a weapon to a hero with none; less if it may soon be depleted."""
    arm = view.box.arm(card)
    promised = promise(view.box, arm, 0)
    return (2 * promised.wounds + 0.5 * promised.stun + 0.03 * arm.range) * LASTS.get(arm.deplete, 1.0)


LASTS: Final[Mapping[str, float]] = {"ace": 0.75, "face card": 0.6, "black": 0.4}
"""The share of a scenario that a weapon lasts without ammunition, by the cards that deplete it."""


def weapons_of(view: View, hero: HeroView) -> list[int]:
    """Return all weapons of a hero, best first."""
    found = {*hero.weapons, *(card for card in hero.loot if card in view.box.weapons)}
    return sorted(found, key=lambda card: (-arm_worth(view, card), card))


def arranged(view: View, hero: HeroView) -> Iterator[Move]:
    """Yield moves that equip the best weapons, and that share what one hero has too much of."""
    ids, best = view.box.ids, weapons_of(view, hero)[: numbers.MOST_WEAPONS]
    yield from (("stow", ids[card]) for card in hero.weapons if card not in best)
    yield from (("equip", ids[card]) for card in best if card in hero.loot)
    yield from (("transfer", other.name) for other in view.heroes if gifts(view, hero, other))


def gifts(view: View, hero: HeroView, other: HeroView) -> list[int]:
    """Return what one hero does not need and another does: weapons, and powder for them."""
    spare = (
        weapons_of(view, hero)[numbers.MOST_WEAPONS :] if len(weapons_of(view, other)) < numbers.MOST_WEAPONS else []
    )
    return [*spare, *(useless_powder(view, hero) if wants_powder(view, other) else ())]


def wants_powder(view: View, hero: HeroView) -> bool:
    """Return whether a hero has something to load, and nothing to load it with."""
    return can_be_empty(view, hero) and not any(card in view.box.stashes for card in hero.loot)


def can_be_empty(view: View, hero: HeroView) -> bool:
    """Return whether a hero has a weapon that some card depletes."""
    return any(view.box.arm(card).deplete for card in weapons_of(view, hero))


# Step by step


def purse(view: View) -> int:
    """Return all the bucks on board."""
    return sum(hero.bucks + sum(bucks_on(view, card) for card in hero.loot) for hero in view.heroes)


def bucks_on(view: View, card: int) -> int:
    return int(view.box.piece(card).get("bucks") or 0)


def at_bar(view: View, hero: HeroView) -> list[Move]:
    """Return the moves at the bar: the weakest drinks first."""
    weakest = min(view.heroes, key=lambda one: one.lives)
    thirsty = hero is weakest and hero.lives < HEALTHY and purse(view) >= numbers.DRINK
    return [("heal",)] if thirsty else []


def at_gear(view: View, hero: HeroView) -> list[Move]:
    """Return the moves at the gear: sell, then gamble, then buy, to have the most to spend."""
    ids = view.box.ids
    sold: list[Move] = [
        ("sell", ids[card]) for card in (*weapons_of(view, hero)[numbers.MOST_WEAPONS :], *useless_powder(view, hero))
    ]
    if sold:
        return sold[:1]
    takes = [card for card in view.offer if not is_on_sale(view, card) and expected(view, hero, card) > 0]
    if takes:
        return [("gamble", ids[max(takes, key=lambda card: expected(view, hero, card))])]
    bought = best_buy(view)
    return [("buy", ids[bought[1]])] if bought is not None and bought[0] == hero.name else []


def useless_powder(view: View, hero: HeroView) -> list[int]:
    """Return the Stashes of a hero with no weapon that can be depleted."""
    return [] if can_be_empty(view, hero) else [card for card in hero.loot if card in view.box.stashes]


def best_buy(view: View) -> tuple[str, int] | None:
    """Return who buys which card for the largest gain over its price; None if nothing is worth it."""
    money = purse(view)
    gains = [
        (gain(view, hero, card) - price, hero.name, card)
        for card in dict.fromkeys(view.offer)
        if is_on_sale(view, card) and (price := price_of(view, card)) <= money
        for hero in view.heroes
    ]
    best = max(gains, key=lambda one: one[0], default=None)
    return best[1:] if best is not None and best[0] > 0 else None


def gain(view: View, hero: HeroView, card: int) -> float:
    """Return the value of a card on offer to a hero."""
    kind = view.box.piece(card)["kind"]
    if kind == "weapon":
        has = [arm_worth(view, one) for one in weapons_of(view, hero)] + [
            arm_worth(view, hero.card)
        ] * numbers.MOST_WEAPONS
        best, second = sorted(has, reverse=True)[:2]
        new = arm_worth(view, card)
        return POWER * (max(0.0, new - best) + SPARE * max(0.0, min(new, best) - second))
    if kind == "ammunition":
        return POWDER if wants_powder(view, hero) else 0.0
    return sum(item_worth(ability) for ability in view.box.abilities(card)) - len(hero.loot)


def item_worth(ability: Ability) -> float:
    """Return the value of one line of an item over all its uses."""
    each = sum(
        WORTH.get(clause.name, 1) * int(str(dict(clause.parts).get("n", 1)).replace("−", "").replace("-", ""))
        for sentence in ability.body
        for clause in clauses_in(sentence)
    )
    thrown = ability.cost is not None and ability.cost.name == "discard"
    return float(each) if thrown else min(float(OFTEN * each), 4.0 * POWDER)


def at_lessons(view: View, hero: HeroView) -> list[Move]:
    """Return the moves at the skills: the cheapest lessons first, for the hero with the fewest skills."""
    wanted = {one.name: lessons(view, one) for one in view.heroes}
    able = [one for one in view.heroes if wanted[one.name]]
    if not able:
        return []
    first = min(able, key=lambda one: (fee_of(view, wanted[one.name][0]), len(one.skills)))
    return [("train", view.box.ids[card]) for card in wanted[hero.name]] if hero is first else []


def lessons(view: View, hero: HeroView) -> list[int]:
    """Return the cheapest skills, all of one level, that a hero could pay for and bring along."""
    level = {card: int(view.box.piece(card)["level"]) for card in (*hero.skills, *lessons_for(view, hero))}
    room = {of: most - sum(level[card] == of for card in hero.skills) for of, most in numbers.MOST_SKILLS.items()}
    able = [card for card in lessons_for(view, hero) if room[level[card]] > 0 and fee_of(view, card) <= purse(view)]
    return [card for card in able if level[card] == min(map(level.__getitem__, able))]


WISHES: Final[Mapping[int, Callable[[View, HeroView], list[Move]]]] = {
    numbers.BAR: at_bar,
    numbers.GEAR: at_gear,
    numbers.TRAINING: at_lessons,
}
"""By the step of the visit, the function that returns a hero's moves."""


# Values of sentences


def expected(view: View, hero: HeroView, card: int) -> float:
    """Return the average value of a gamble over all possible cards; negative if nobody can pay.

    Other effects of Jokers are left out: one gives what the other takes.
    """
    worth = 0.0
    for ability in view.box.told_aboard(card):
        paid = price(view, hero, ability.cost) if ability.cost is not None else 0.0
        if paid > purse(view):
            return -paid
        worth += sum(told_worth(view, hero, one, purse(view) - int(paid)) for one in ability.body) - paid
    return worth


def told_worth(view: View, hero: HeroView, one: Phrase, money: int) -> float:
    """Return the average value of a sentence, with this many bucks on board."""

    def of(label: str) -> float:
        return sum(clause_worth(view, hero, clause, money) for clause in clauses_in(one, label))

    if one.name == "coin":
        return (of("heads") + of("tails")) / 2
    if one.name in ("flip", "flip-else"):
        result = one["result"]
        assert isinstance(result, Phrase)
        cards = view.top[:1] or view.deck or view.discard
        good = sum(is_card(view, result, card) for card in cards) / len(cards)
        return good * of("clauses") + (1 - good) * of("else")
    return of("clauses")


def clause_worth(view: View, hero: HeroView, clause: Phrase, money: int) -> float:
    """Return the value of a clause to the party."""
    whom = pick_of(clause)
    meant = view.heroes if whom is not None and whom.name == "each-hero" else (hero,)
    n = number(clause) if any(label == "n" for label, _ in clause.parts) else 0
    if clause.name == "recover":
        return float(sum(LIFE * min(n, numbers.MOST_LIVES - one.lives) for one in meant))
    if clause.name in ("lose-lives", "suffer"):
        return -sum(life_worth(one, n) for one in meant)
    if clause.name == "gain-bucks":
        return float(n * len(meant))
    if clause.name == "lose-bucks":
        return -float(min(money, n * len(meant)))
    if clause.name == "draw-loot":
        return n * sum(found_worth(view)) / max(1, len(view.loot_deck))
    if clause.name == "draw-loot-keep":
        return best_of(found_worth(view), n)
    return 0.0


def life_worth(hero: HeroView, count: int) -> float:
    """Return the cost of losing this many Lives; the last one is dear."""
    return LIFE * count + (LAST_LIFE if hero.lives <= count + 1 else 0)


def found_worth(view: View) -> list[float]:
    """Return the values of the cards that may be drawn from the Loot deck, in order."""
    return sorted(card_worth(view, card) for card in view.loot_deck)


def card_worth(view: View, card: int) -> float:
    return FOUND * int(view.box.piece(card)["price"] or 0) + bucks_on(view, card)


def best_of(worth: Sequence[float], count: int) -> float:
    """Return the average value of the best of several draws, from values in order."""
    total, most, left = 0.0, len(worth), 1.0
    for place in range(most - 1, -1, -1):
        under = 1.0
        for drawn in range(count):
            under *= max(0, place - drawn) / max(1, most - drawn)
        total, left = total + (left - under) * worth[place], under
    return total


def price(view: View, hero: HeroView, cost: Phrase) -> float:
    """Return the value of paying a cost."""
    n = int(str(dict(cost.parts).get("n", 1)))
    if cost.name == "spend-bucks":
        return float(n)
    if cost.name == "lose-lives":
        return life_worth(hero, n)
    return 0.0 if useless_powder(view, hero) else float(POWDER)  # a Stash of Ammunition


# Answers


def answer_aboard(view: View, legal: list[Move], luck: Callable[[], float]) -> Move:
    """Return an answer to a question of events and cards on board."""
    question, about = view.asked[0], view.asked[3]
    if question in ANSWERS:
        return ANSWERS[question](view, legal, about)
    return legal[int(luck() * len(legal))]


def _named(view: View, name: str) -> HeroView:
    """Return a hero by its name; the first hero if there is no such name."""
    return next((hero for hero in view.heroes if hero.name == name), view.heroes[0])


def _sum(view: View, hero: HeroView, clauses: Sequence[Phrase]) -> float:
    return sum(clause_worth(view, hero, clause, purse(view)) for clause in clauses)


def _either(view: View, _legal: list[Move], about: Any) -> Move:
    said, first, second = about
    hero = _named(view, said.me)
    return ("first",) if _sum(view, hero, first) > _sum(view, hero, second) else ("second",)


def _pays(view: View, _legal: list[Move], about: Any) -> Move:
    said, clauses, cost = about
    hero = _named(view, said.me)
    paid = price(view, hero, cost) if cost is not None else 0.0
    return ("do",) if _sum(view, hero, clauses) > paid else ("pass",)


def _pays_once(view: View, _legal: list[Move], about: Any) -> Move:
    """Choose the hero who gains most, if that is worth the price."""
    offered, one = about
    heroes = [_named(view, said.me) for said in offered]
    worth = {hero.name: _sum(view, hero, clauses_in(one)) - price(view, hero, one["cost"]) for hero in heroes}
    best = max(worth, key=lambda name: worth[name])
    return ("choose", best) if worth[best] > 0 else ("pass",)


def _choose(view: View, legal: list[Move], about: Any) -> Move:
    """Choose the weakest for healing, otherwise the hero who carries least."""
    heals = about[1][0].name == "recover"

    def order(move: Move) -> int:
        hero = _named(view, move[1])
        return hero.lives if heals else len(hero.loot) + len(hero.weapons)

    return min(legal, key=order)


def _keep_one(view: View, legal: list[Move], _about: Any) -> Move:
    return max(legal, key=lambda move: card_worth(view, view.box.numbers[move[1]]))


def _hand_over(view: View, legal: list[Move], about: Any) -> Move:
    """Give the other hero what it needs, until nothing is left to give."""
    name, _, other = about[:3]
    left = gifts(view, _named(view, name), _named(view, other))
    if left:
        return ("give", view.box.ids[left[0]])
    return ("done",) if ("done",) in legal else legal[0]


def _equip(_view: View, legal: list[Move], _about: Any) -> Move:
    return legal[0]


ANSWERS: Final[Mapping[str, Callable[[View, list[Move], Any], Move]]] = {
    "either": _either,
    "yes_or_no": _pays,
    "pays_once": _pays_once,
    "choose": _choose,
    "keep_one": _keep_one,
    "keep_loot": _equip,
    "handled": _hand_over,
}
"""By the word of a question, the function that answers it; others are answered at random."""
