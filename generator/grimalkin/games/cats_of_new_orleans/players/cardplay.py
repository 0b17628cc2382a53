"""The value of a hero's cards at a moment: deeds, reactions on offer, and the party hand. It follows from what
the cards say, not from which cards they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from grimalkin.engine.kinds import members
from grimalkin.engine.phrases import Phrase
from grimalkin.games.cats_of_new_orleans.attack import result_of
from grimalkin.games.cats_of_new_orleans.clauses import phrases
from grimalkin.games.cats_of_new_orleans.figures import sees
from grimalkin.games.cats_of_new_orleans.numbers import DIFFICULTIES, EASY, MOST_HAND, MOST_LIVES
from grimalkin.games.cats_of_new_orleans.phrases.abilities import Ability
from grimalkin.games.cats_of_new_orleans.players.judgement import STRIDE, STUN, Judged
from grimalkin.games.cats_of_new_orleans.players.plans import Planner
from grimalkin.games.cats_of_new_orleans.table import Fight, HeroView

ACTION: Final = 0.7
"""The value of an AP, in Lives."""
KEPT: Final = 0.45
"""The value of keeping a card in the party hand."""
USED: Final = 0.12
"""The least that using a card must gain."""

Worth = Callable[["Cardplay", Phrase], float]


class Cardplay:
    """The value of the cards of one hero now."""

    def __init__(self, planner: Planner) -> None:
        self.planner: Final = planner
        self.judged: Final[Judged] = planner.judged
        self.hero: Final[HeroView] = planner.hero

    def worth(self, card: int) -> float:
        """Return the value of using a card now, less its cost; if the card has several deeds, the best one counts."""
        deeds = [one for one in self.judged.box.abilities(card) if not one.on]
        return max((self._of(one) for one in deeds), default=0.0)

    def _of(self, ability: Ability) -> float:
        every = [one for sentence in ability.body for _, value in sentence.parts for one in phrases(value)]
        return sum(map(self._clause, every)) - self._price(ability.cost) - USED

    def _price(self, cost: Phrase | None) -> float:
        if cost is None:
            return 0.0
        if cost.name in ("spend-ap", "spend-ap-exhaust"):
            least = ACTION if cost.name == "spend-ap" and not self.would_attack else 0.1
            return max(least, self.worth_of_ap(_n(cost)))
        if cost.name in ("lose-lives", "lose-lives-exhaust"):
            return float(_n(cost))
        return PRICES.get(cost.name, 0.0)

    @property
    def would_attack(self) -> bool:
        """Return whether the best plan begins with an attack."""
        return self.planner.best().moves[0][0] == "attack"

    def worth_of_ap(self, n: int) -> float:
        """Return how much less the best plan is worth with this many fewer AP."""
        return self.planner.best().worth - Planner(self.judged, self.hero, self.planner.ap - n).best().worth

    def _clause(self, clause: Phrase) -> float:
        count = WORTH.get(clause.name)
        return count(self, clause) if count else 0.02

    # Values of verbs

    @property
    def attack(self) -> float:
        """Return the value of the best attack from the hero's square."""
        return self.planner.aim(self.hero.at)[0]

    @property
    def is_empty(self) -> bool:
        """Return whether one of the hero's weapons is depleted."""
        return any(self.judged.view.depleted >> card & 1 for card in self.hero.weapons)

    @property
    def danger(self) -> float:
        return self.judged.danger(self.hero.at, self.hero)

    def beside(self, around: bool = False) -> list[float]:
        """Return the value of stunning each vermin beside the hero, best first."""
        judged = self.judged
        near = judged.ways.surrounding[self.hero.at] if around else judged.ways.adjacent[self.hero.at]
        near |= 1 << self.hero.at
        found = [judged.harm(one) for one in judged.view.vermin if not one.stunned and judged.covers(one) & near]
        return sorted(found, reverse=True)

    def going(self, points: int) -> float:
        """Return the value of this many MP."""
        far = self.planner.far[self.hero.at]
        return min(points, far) * self.planner.pace if far else 0.1 * self.danger

    def worst_in_sight(self) -> float:
        """Return the harm done by the worst vermin in sight that could be pulled closer."""
        judged = self.judged
        seen = sees(judged.ways, self.hero.at)
        return max((judged.harm(one) for one in judged.view.vermin if judged.covers(one) & seen), default=0.0)

    def leaping(self, reach: int) -> float:
        """Return the gain of leaping to the best square in reach."""
        planner, board = self.planner, self.judged.board
        free = board.within(self.hero.at, reach) & board.standable & ~planner.crowded & ~board.water
        best = max((planner.end(square) for square in members(free)), default=0.0)
        return best - planner.end(self.hero.at)

    def others_going(self, points: int) -> float:
        """Return the value of another hero's move."""
        judged = self.judged
        others = [one for one in judged.heroes if one.name != self.hero.name]
        return max((min(points, judged.far(one)[one.at]) * judged.pace(one) for one in others), default=0.0)

    @staticmethod
    def healing(hero: HeroView, lives: int, spare: float = 0.35) -> float:
        """Return the value of recovered Lives: more for heroes with few, and `spare` each for those with many."""
        return min(lives, MOST_LIVES - hero.lives) * (1.3 if hero.lives <= 4 else 0.9 if hero.lives <= 6 else spare)


def _n(clause: Phrase, default: int = 1) -> int:
    return int(str(dict(clause.parts).get("n", default)))


def _whom(clause: Phrase) -> str:
    """Return the name of the figure that a clause is about."""
    for label in ("whom", "who", "figure"):
        value = dict(clause.parts).get(label)
        if isinstance(value, Phrase):
            inner = dict(value.parts).get("figure")
            return inner.name if isinstance(inner, Phrase) else value.name
    return "you"


def _gain_ap(play: Cardplay, clause: Phrase) -> float:
    if _whom(clause) != "you":
        return ACTION * _n(clause) if any(not one.done for one in play.judged.heroes if one is not play.hero) else 0.0
    useful = max(play.attack, play.going(STRIDE))
    return useful * _n(clause) if play.planner.ap < 2 else 0.7 * useful * _n(clause)


def _gain_mp(play: Cardplay, clause: Phrase) -> float:
    return play.going(_n(clause)) if _whom(clause) == "you" else play.others_going(_n(clause))


def _recover(play: Cardplay, clause: Phrase) -> float:
    whom = _whom(clause)
    if whom == "you":
        return play.healing(play.hero, _n(clause), 0.3)
    gains = [play.healing(one, _n(clause)) for one in play.judged.heroes]
    return sum(gains) if whom.startswith("each") else max(gains, default=0.0)


def _stun(play: Cardplay, clause: Phrase) -> float:
    whom = _whom(clause)
    worth = play.beside(around=whom in ("each-vermin", "up-to"))
    return sum(worth) if whom == "each-vermin" else sum(worth[:3]) if whom == "up-to" else sum(worth[:1])


def _act(play: Cardplay, clause: Phrase) -> float:
    what = clause["act"]
    assert isinstance(what, Phrase)
    mine = _whom(clause) == "you"
    if what.name in ("attack", "attack-at"):
        return play.attack if play.would_attack else 0.0
    if what.name in POINTS_OF:
        points = POINTS_OF[what.name]
        return play.going(points) if mine else play.others_going(points)
    if what.name == "leap" and mine:
        return play.leaping(_n(what, 3))
    if what.name in ("move", "move-ignoring", "leap"):
        return play.going(_n(what, 3)) if mine else 2 * play.others_going(_n(what, 3))
    if what.name == "investigate":
        return play.planner.search(play.hero.at)[0]
    if what.name == "reload":
        return 0.8 * play.is_empty
    return 0.0


POINTS_OF: Final = {"prowl": 1, "stride": 3}
PRICES: Final = {"discard": 0.25, "party-card": KEPT, "spend-bucks": 0.1, "spend-mp": 0.1, "stash": 0.4}
"""The value of prices other than AP and Lives, in Lives."""


def _more_cards(play: Cardplay, _clause: Phrase) -> float:
    return play.attack * 0.6 if play.attack > 0.3 else 0.0


def _cover(play: Cardplay, _clause: Phrase) -> float:
    """Save cards that make attacks on heroes harder for the end of an activation, if the hero is in danger then."""
    return 0.4 * play.danger if play.planner.ap == 0 or play.danger > 2 else 0.0


WORTH: Final[dict[str, Worth]] = {
    "gain-ap": _gain_ap,
    "gain-mp": _gain_mp,
    "recover": _recover,
    "stun": _stun,
    "act": _act,
    "more-cards": _more_cards,
    "attackers-draws": _cover,
    "mark-vulnerable": lambda play, _: 0.2 * play.attack * (1 + sum(not one.done for one in play.judged.heroes)),
    "party-card": lambda play, clause: KEPT * min(_n(clause), MOST_HAND - len(play.judged.view.hand)),
    "look-poker": lambda play, _: 0.3,
    "refresh-skill": lambda play, _: 0.4,
    "reload": lambda play, _: 0.9 * play.is_empty,
    "unstun": lambda play, _: ACTION * sum(one.stunned and not one.done for one in play.judged.heroes),
    "push": lambda play, _: (
        0.3 * play.danger + 2 * play.planner.pace * (play.planner.ap > 1) if play.planner.held else 0.0
    ),
    "pull": lambda play, _: 0.5 * play.worst_in_sight() if not play.attack and play.planner.ap else 0.0,
    "reveal": lambda play, _: 0.2,
    "initiative-heroes": lambda play, _: 0.5,
    "ignore": lambda play, _: 0.2 if play.planner.far[play.hero.at] else 0.0,
    "suffer": lambda play, _: 0.0,
    "swap": lambda play, _: 0.0,
    "take-vulnerable": lambda play, _: -0.1 * play.danger,
    "door": lambda play, _: 2 * play.planner.opening(play.hero.at),
}
"""The value of each verb; others are worth almost nothing."""


# The party hand


class Cheating:
    """The value of replacing the card just drawn."""

    def __init__(self, judged: Judged, fight: Fight, drawn: int) -> None:
        self.judged: Final = judged
        self.box: Final = judged.box
        self.fight: Final = fight
        self.drawn: Final = drawn
        self.by_vermin: Final = fight.by_vermin

    def worth(self, card: int) -> float:
        """Return how much better a card from the hand is than the drawn one, less the value of keeping it."""
        return self.value(card) - self.value(self.drawn) - KEPT * (0.5 if self._is_middling(card) else 1.0)

    def _is_middling(self, card: int) -> bool:
        return 5 <= self.box.values[card] <= 8

    def value(self, card: int) -> float:
        arm = self.fight.arm
        result = result_of(self.box.values[card], self.fight.drm)
        stuns, wounds = result >= arm.stun, result >= arm.wound
        if self.by_vermin:
            return -self._cost(card, stuns, wounds)
        return self._gain(stuns, wounds)

    def _cost(self, card: int, stuns: bool, wounds: bool) -> float:
        view = self.judged.view
        hero = next((one for one in view.heroes if one.name == self.fight.at), None)
        black = self.box.suits.get(card) in ("clubs", "spades") and view.difficulty != DIFFICULTIES[EASY]
        lives = (2.0 if black else 1.0) * wounds
        if hero is not None and hero.lives <= lives and wounds:
            lives += 3
        stunned = hero is None or hero.stunned or self.fight.stuns
        return lives + (0.0 if stunned else STUN * stuns)

    def _gain(self, stuns: bool, wounds: bool) -> float:
        one = next((one for one in self.judged.view.vermin if one.name == self.fight.at), None)
        foe = self.judged.foe(one) if one is not None else None
        if one is None or foe is None:
            return 0.3 * wounds
        harm = self.judged.harm(one)
        if foe.health == 1 and foe.shares:
            return harm if stuns or wounds else 0.0
        value = 0.0
        earlier = sum(result >= self.fight.arm.wound for result in self.fight.results)
        if wounds:
            left = foe.health - one.wounds - earlier
            value += harm * 2.5 if left <= 1 else harm * 1.2 / left
            if one.marker in self.judged.quarry:
                value += 2.5
        if stuns and not one.stunned and not self.fight.stuns:
            value += harm * 0.9
        return value
