"""Bots: one that makes any move, and parties that fight their way to the objectives.

They know only what the table shows. Where the group chooses among equally good moves of the vermin, bots
choose in its favour; two of them do not, to measure what these choices are worth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any, Final

from grimalkin.engine.play import random_bot
from grimalkin.engine.words import Tally
from grimalkin.games.cats_of_new_orleans.clauses import Said
from grimalkin.games.cats_of_new_orleans.figures import bucks_of
from grimalkin.games.cats_of_new_orleans.maps import NUMBERS
from grimalkin.games.cats_of_new_orleans.moves import Move
from grimalkin.games.cats_of_new_orleans.numbers import HERO_AP, INTERLUDE, LEFT, OBJECTIVE, OUT, SIDES
from grimalkin.games.cats_of_new_orleans.players.cardplay import Cardplay, Cheating
from grimalkin.games.cats_of_new_orleans.players.judgement import Judged
from grimalkin.games.cats_of_new_orleans.players.plans import Planner, way
from grimalkin.games.cats_of_new_orleans.players.shopping import answer_aboard, arm_worth, next_aboard
from grimalkin.games.cats_of_new_orleans.state import State
from grimalkin.games.cats_of_new_orleans.table import HeroView, View

Bot = Callable[[View, list[Move]], Move]
MOST_USES: Final = 4
"""The most cards that a hero uses in an activation: some cost nothing and could be used forever."""
CALM: Final = 0.6
"""The most Lives at stake for which the vermin may as well go first."""
KIND, CRUEL, RANDOM = 1, -1, 0
"""How a bot chooses among equally good moves of the vermin."""
ALWAYS: Final[Mapping[str, Move]] = {"ace": ("do",), "yes_or_no": ("do",), "agree": ("agree",)}
"""Questions that always have the same answer."""


class Sensible:
    """A bot that plans each activation, and keeps planning while it lasts."""

    def __init__(self, seed: int, ties: int = KIND) -> None:
        self.luck = Random(str(seed)).random
        self.ties = ties
        self.known: tuple[object, ...] = ()
        self.judged: Judged | None = None
        self.queue: list[Move] = []
        self.seen: tuple[object, ...] = ()

    def __call__(self, view: View, legal: list[Move]) -> Move:
        if len(legal) == 1:
            return legal[0]
        if view.phase == INTERLUDE:
            return (answer_aboard if view.asked else next_aboard)(view, legal, self.luck)
        if view.asked:
            return self.answer(view, legal)
        if view.active:
            return self.go_on(view, legal)
        return self.next_hero(view, legal)

    def judge(self, view: View) -> Judged:
        """Return the judgement of a view, cached until the view changes."""
        known = (view.heroes, view.vermin, view.doors, view.taken, view.round, view.phase, view.depleted)
        if known != self.known or self.judged is None:
            self.known, self.judged = known, Judged(view)
        return self.judged

    def planner(self, view: View, name: str) -> Planner:
        """Return the plans of a hero with the AP it has now."""
        hero = next(one for one in view.heroes if one.name == name)
        return Planner(self.judge(view), hero, hero.ap)

    # An activation

    def next_hero(self, view: View, legal: list[Move]) -> Move:
        """Choose a hero that can attack from its square, otherwise the one nearest to its goal."""
        judged = self.judge(view)
        waiting = {hero.name: hero for hero in judged.heroes}

        def order(move: Move) -> tuple[float, float]:
            hero = waiting[move[1]]
            planner = Planner(judged, hero, HERO_AP[len(view.heroes)])
            return -planner.aim(hero.at)[0], planner.far[hero.at]

        return min(legal, key=order)

    def go_on(self, view: View, legal: list[Move]) -> Move:
        """Return the next step of the plan, or of a new plan if anything unexpected has happened."""
        seen = (view.vermin, view.doors, view.round, view.active)
        if self.queue and seen == self.seen and self.queue[0] in legal:
            return self.queue.pop(0)
        self.queue, self.seen = [], seen
        planner = self.planner(view, view.active)
        if planner.hero.leaping >= 0:
            return self.leap_on(planner, legal)
        if ("unstun",) in legal:
            return ("unstun",)
        options = frozenset(legal)
        used = self.use_card(planner, legal)
        if used is not None:
            return used
        plan = planner.best(options)
        door = planner.door()
        if door is not None and door.worth > plan.worth and door.moves[0] in options:
            plan = door
        if plan.moves[0] not in options:
            # No hero may stay on another's square, so it takes the least bad step.
            return ("end",) if ("end",) in legal else self.step(planner, legal)
        self.queue = list(plan.moves[1:])
        return plan.moves[0]

    def leap_on(self, planner: Planner, legal: list[Move]) -> Move:
        found = planner.leaps(planner.hero.leaping)
        ends = [square for square in found if not planner.barred >> square & 1]
        if not ends:
            return legal[0]
        steps = way(found, max(ends, key=planner.end))
        move: Move = ("go", planner.board.names[steps[0]]) if steps else ("land",)
        return move if move in legal else legal[-1]

    def use_card(self, planner: Planner, legal: list[Move]) -> Move | None:
        """Return the use of a card that is worth more than it costs, or None."""
        hero = planner.hero
        if hero.uses >= MOST_USES:
            return None
        uses = [move for move in legal if move[0] == "use" and move[1] in planner.judged.box.numbers]
        if not uses:
            return None
        play = Cardplay(planner)
        worth = {move: play.worth(planner.judged.box.numbers[move[1]]) for move in uses}
        best = max(uses, key=lambda move: worth[move])
        return best if worth[best] > 0 else None

    # Questions

    def answer(self, view: View, legal: list[Move]) -> Move:
        question, about = view.asked[0], view.asked[3]
        if question in ALWAYS:
            return ALWAYS[question]
        answering: Callable[[View, list[Move], Any], Move] | None = getattr(self, f"on_{question}", None)
        return answering(view, legal, about) if answering is not None else legal[0]

    def any_of(self, legal: list[Move], worth: Callable[[Move], float]) -> Move:
        """Return the best move, chosen at random if several are equally good."""
        counted = [(worth(move), move) for move in legal]
        best = max(value for value, _ in counted)
        choice = [move for value, move in counted if value == best]
        return choice[int(self.luck() * len(choice))]

    def on_first_side(self, view: View, _legal: list[Move], _about: Any) -> Move:
        """Let the vermin go first when little can happen, so that they never have two turns in a row."""
        judged = self.judge(view)
        if judged.peaceful:
            calm = all(not self._is_beside(judged, hero) for hero in judged.heroes)
            return ("vermin-first",) if calm and view.vermin else ("heroes-first",)
        stake = sum(judged.danger(hero.at, hero) for hero in judged.heroes)
        aims = sum(Planner(judged, hero, HERO_AP[len(view.heroes)]).aim(hero.at)[0] for hero in judged.heroes)
        return ("vermin-first",) if stake + aims < CALM and view.vermin else ("heroes-first",)

    @staticmethod
    def _is_beside(judged: Judged, hero: HeroView) -> bool:
        beside = judged.ways.adjacent[hero.at] | 1 << hero.at
        return any(beside >> one.at & 1 for one in judged.view.vermin)

    def on_bring(self, _view: View, legal: list[Move], _about: Any) -> Move:
        """Bring as many skills as possible, whichever they are."""
        return self.any_of(legal, lambda move: move[0] == "choose")

    def on_start_on(self, view: View, legal: list[Move], about: Any) -> Move:
        judged = self.judge(view)
        goals = judged.around(judged.objectives) if judged.objectives else judged.board.exits
        far = judged.far_from(goals)
        return self.any_of(legal, lambda move: -far[NUMBERS[move[1]]])

    def on_take_preferred(self, view: View, legal: list[Move], _about: Any) -> Move:
        return self.any_of(legal, lambda move: arm_worth(view, view.box.numbers[move[1]]))

    def on_learn(self, _view: View, legal: list[Move], _about: Any) -> Move:
        return self.any_of(legal, lambda _: 0.0)

    def on_cheat(self, view: View, legal: list[Move], about: Any) -> Move:
        judged, (who, fighting) = self.judge(view), about
        if not fighting or not view.fights:
            drawn = view.box.values[view.card]
            hand = [move for move in legal if move[0] == "cheat"]
            best = max(hand, key=lambda move: view.box.values[view.box.numbers[move[1]]])
            better = view.box.values[view.box.numbers[best[1]]]
            return best if drawn <= 6 < better and any(hero.name == who for hero in view.heroes) else ("keep",)
        cheating = Cheating(judged, view.fights[-1], view.card)
        return max(legal, key=lambda move: 0.0 if move[0] == "keep" else cheating.worth(view.box.numbers[move[1]]))

    def on_discard(self, view: View, legal: list[Move], _about: Any) -> Move:
        return min(legal, key=lambda move: abs(view.box.values[view.box.numbers[move[1]]] - 7))

    def on_use(self, view: View, legal: list[Move], about: Any) -> Move:
        """Use what is offered, as it cancels a Wound or gives something, unless it would do harm."""
        offered, on = about
        use = next((move for move in legal if move[0] == "use"), legal[0])
        clauses = {clause.name for said in offered for one in said.ability.body for clause in one.every()}
        if "redraw" in clauses and view.fights and view.card >= 0 and self._is_content(view):
            return ("pass",)
        if "initiative-heroes" in clauses and view.first == SIDES.index("vermin"):
            return ("pass",)  # the vermin went first this round; the danger is two turns in a row
        if on == "would-suffer" and "take-for" in clauses and not self._can_take_it(view, offered[0]):
            return ("pass",)
        return use

    def _is_content(self, view: View) -> bool:
        """Return whether the card drawn for an attack is good for the party as it is."""
        fight = view.fights[-1]
        value = Cheating(self.judge(view), fight, view.card).value(view.card)
        return value == 0 if fight.by_vermin else value > 0

    @staticmethod
    def _can_take_it(view: View, said: Said) -> bool:
        """Return whether a hero has more Lives than the one whose Wound it could take."""
        lives = {one.name: one.lives for one in view.heroes}
        return lives.get(said.me, 0) > lives.get(said.that, 0) + 1

    def on_keep_one(self, view: View, legal: list[Move], _about: Any) -> Move:
        return self.any_of(legal, lambda move: loot_worth(view, view.box.numbers[move[1]]))

    def on_handled(self, _view: View, legal: list[Move], _about: Any) -> Move:
        return ("done",) if ("done",) in legal else legal[0]

    def on_free_attack(self, view: View, legal: list[Move], about: Any) -> Move:
        """Return the best of the attacks on offer."""
        if all(one.name != about[0] for one in view.heroes):
            return legal[0]
        planner = self.planner(view, about[0])
        worth: dict[Move, float] = {("attack", aim.arm.id, aim.vermin.name): aim.free for aim in planner.aims}
        areas = {planner.board.big_names[planner.board.big[one.at]] for one in view.vermin}

        def of(move: Move) -> float:
            if move[0] != "attack":
                return 0.0
            return worth.get(move, 0.1 if move[2] not in NUMBERS or move[2] in areas else -0.1)

        return self.any_of(legal, of)

    def on_walks(self, view: View, legal: list[Move], about: Any) -> Move:
        return self.step(self.planner(view, about[0]), legal)

    on_leap = on_walks

    def on_strolls(self, view: View, legal: list[Move], about: Any) -> Move:
        """Move to a better square before the attack that follows; otherwise save the points."""
        planner = self.planner(view, about[0])
        aims = {move: planner.aim(NUMBERS[move[1]])[0] for move in legal if len(move) > 1}
        here = planner.aim(planner.hero.at)[0]
        better = max(aims, key=lambda move: aims[move], default=None)
        if better is not None and (aims[better] > 1.1 * here or ("done",) not in legal):
            return better
        return ("done",)

    def step(self, planner: Planner, legal: list[Move]) -> Move:
        """Return the move to the best square: the hero's own, or one that is a step away."""

        def worth(move: Move) -> float:
            if len(move) < 2 or move[1] not in NUMBERS:
                return planner.end(planner.hero.at)
            square = NUMBERS[move[1]]
            return planner.end(square) + planner.aim(square)[0] - (5 if planner.board.water >> square & 1 else 0)

        return self.any_of(legal, worth)

    def on_choose(self, view: View, legal: list[Move], about: Any) -> Move:
        """Choose the hero who needs it most, or the vermin that does the most harm."""
        judged = self.judge(view)
        heroes = {one.name: one for one in view.heroes}
        vermin = {one.name: one for one in view.vermin}
        gives_points = about[1][0].name in ("gain-ap", "gain-mp", "act")

        def worth(move: Move) -> float:
            name = move[-1]
            if name in heroes:
                hero = heroes[name]
                if gives_points:
                    return -1.0 if hero.done else judged.far(hero)[hero.at] * judged.pace(hero)
                return 10 - hero.lives + (0 if hero.done else 0.5)
            if name in vermin:
                return judged.harm(vermin[name]) + 0.5 * (not vermin[name].stunned)
            return 0.0

        return self.any_of(legal, worth)

    def on_turn_door(self, view: View, legal: list[Move], _about: Any) -> Move:
        """Open the door that shortens the way, and close one only if there is no other."""
        judged = self.judge(view)
        hero = next((one for one in judged.heroes if one.name == view.active), None)

        def gained(move: Move) -> float:
            number, door = next(one for one in enumerate(judged.board.doors) if one[1].name == move[1])
            if hero is None or view.doors >> number & 1:
                return -1.0
            far = judged.far(hero)
            return float(far[hero.at] - far[door.b if hero.at == door.a else door.a])

        return self.any_of(legal, gained)

    def on_choose_more(self, view: View, legal: list[Move], about: Any) -> Move:
        return self.on_choose(view, [move for move in legal if move[0] != "done"] or legal, about)

    # Ties of the vermin

    def on_target(self, view: View, legal: list[Move], _about: Any) -> Move:
        """Choose which of several equally near heroes a vermin attacks."""
        lives = {one.name: one.lives for one in view.heroes}
        return self.any_of(legal, lambda move: self.ties * lives.get(move[1], 0))

    def on_step(self, view: View, legal: list[Move], _about: Any) -> Move:
        """Choose where a vermin goes: kind players keep it where it can attack the fewest."""
        if not self.ties:
            return self.any_of(legal, lambda _: 0.0)
        judged = self.judge(view)

        def seen(move: Move) -> float:
            square = NUMBERS[move[1]]
            near = sum(judged.board.king(square, hero.at) for hero in judged.heroes)
            return self.ties * near

        return self.any_of(legal, seen)

    on_placed = on_step

    def on_shifted(self, view: View, legal: list[Move], about: Any) -> Move:
        if any(one.name == about[0] for one in view.heroes):
            return self.on_walks(view, legal, about)
        return self.on_step(view, legal, about)


def loot_worth(view: View, card: int) -> float:
    """Return the value of keeping a Loot card."""
    kind = view.box.piece(card)["kind"]
    if kind == "weapon":
        return arm_worth(view, card)
    return {"item": 0.9, "ammunition": 0.4, "bucks": 0.2}.get(str(kind), 0.3)


BOTS: Final[Mapping[str, Callable[[int], Bot]]] = {
    "random": random_bot,
    "sensible": Sensible,
    "sensible-by-chance": partial(Sensible, ties=RANDOM),
    "sensible-and-cruel": partial(Sensible, ties=CRUEL),
}


def tally(state: State) -> Tally:
    """Return the statistics of a finished scenario, by hero, and also by skill if every seat has one."""
    heroes = state.heroes
    by_seat = [[hero for hero in heroes if hero.seat == seat] for seat in range(len(state.seats))]
    seats: list[dict[str, str | int]] = [
        {
            "Lives left": sum(hero.lives for hero in mine),
            "hero": " and ".join(sorted(hero.name for hero in mine)) or "nobody",
        }
        for mine in by_seat
    ]
    if all(len(mine) == 1 and len(mine[0].skills) == 1 for mine in by_seat):
        for told, (hero,) in zip(seats, by_seat, strict=True):
            told["skill"] = state.box.ids[hero.skills[0]]
    found = sum(1 for square in state.plan.board.marks.get(OBJECTIVE, ()) if state.taken.get(square))
    return Tally(
        {
            "outcome": "won" if state.won else state.lost or "lost",
            "rounds": state.round,
            "objectives searched": found,
            "heroes out": sum(hero.place == OUT for hero in heroes),
            "heroes off the map": sum(hero.place == LEFT for hero in heroes),
            "Lives left": sum(hero.lives for hero in heroes),
            "bucks": sum(bucks_of(state, hero) for hero in heroes),
        },
        tuple(seats),
    )
