"""A toy game with hidden hands and chance, and saboteurs: the same game with one promise broken each.

Each seat is dealt 2 of 9 numbered cards. In turn, each seat puts a card face down; then all are shown, and the highest
takes the trick. After the first trick each seat draws a card. After three tricks, whoever took most cards has won.
A game is a class here, so that a saboteur is a subclass.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from types import MappingProxyType

from grimalkin.engine.chance import Scripted, Seeded
from grimalkin.engine.shape import Listing, Misfit, Record, Whole
from grimalkin.engine.words import OVER, Event, Line, Refusal, Result, Score, Tally, Unreadable

FACTS = {"components": {"card": {"count": 9}}}
NOTHING = 0


class Hands:
    """The state: cards in the pile, in hands, face down on the table and taken, by seat."""

    RULE = "TOY-1"

    def __init__(self, seats, chance):
        self.seats, self.chance = tuple(seats), chance
        self.pile, self.table, self.tricks = [], [NOTHING] * len(seats), 0
        self.hands, self.won = [[] for _ in seats], [[] for _ in seats]

    def draw(self, chance, pool):
        card = chance.pick("card", pool)
        pool.remove(card)
        return card

    def to_act(self):
        return OVER if self.tricks == 3 else self.table.index(NOTHING)

    def turn_key(self):
        return self.tricks

    def legal(self):
        return [] if self.to_act() == OVER else sorted(self.hands[self.to_act()])

    def why_not(self, move):
        if move in self.legal():
            return None
        return Refusal(self.RULE, f"the {move} is not in the hand of the seat to act")

    def apply(self, move, log=None):
        seat = self.to_act()
        log = [] if log is None else log
        self.hands[seat].remove(move)
        self.table[seat] = move
        log.append(self.played(seat, move))
        if NOTHING in self.table:
            return
        winner = self.table.index(max(self.table))
        log.append(Event("TOY-2", f"{self.seats[winner]} takes {self.table} with the highest card."))
        self.take(winner)
        self.table = [NOTHING] * len(self.seats)
        self.tricks += 1
        if self.tricks == 1:
            for each, hand in enumerate(self.hands):
                hand.append(self.draw(self.chance, self.pile))
                log.append(Event("TOY-3", f"{self.seats[each]} draws the {hand[-1]}.", frozenset([each])))

    def played(self, seat, move):
        name = self.seats[seat]
        return Event(self.RULE, f"{name} plays the {move}.", frozenset([seat]), f"{name} plays a card.")

    def take(self, winner):
        self.won[winner] += self.table

    def view(self, seat):
        sizes = [len(hand) for hand in self.hands]
        down = [bool(card) for card in self.table]
        return (sorted(self.hands[seat]), self.table[seat], sizes, down, [cards[:] for cards in self.won])

    def imagine(self, seat, chance):
        other = self.clone()
        others = [each for each in range(len(self.seats)) if each != seat]
        unknown = [*self.pile, *(card for each in others for card in (*self.hands[each], self.table[each]) if card)]
        for each in others:
            other.hands[each] = [self.draw(chance, unknown) for _ in self.hands[each]]
            other.table[each] = self.draw(chance, unknown) if self.table[each] else NOTHING
        other.pile = unknown
        return other

    def line(self, cards):
        return Line("TOY-2", "cards taken", len(cards), 1, len(cards))

    def score(self):
        return [Score(name, (self.line(cards),)) for name, cards in zip(self.seats, self.won, strict=True)]

    def result(self):
        if self.to_act() != OVER:
            return None
        best = max(score.total for score in self.score())
        return Result(tuple(s.seat for s in self.score() if s.total == best), ("TOY-2",), "most cards")

    def position(self):
        lists = {"pile": self.pile[:], "table": self.table[:], "tricks": self.tricks}
        return lists | {name: [self.hands[seat][:], self.won[seat][:]] for seat, name in enumerate(self.seats)}

    def pieces(self):
        heaps = [self.pile, self.table, *self.hands, *self.won]
        return Counter(f"card {card}" for cards in heaps for card in cards if card)

    def key(self):
        piles = (self.pile, *self.hands, *self.won)
        return (self.seats, tuple(self.table), self.tricks, *(tuple(sorted(cards)) for cards in piles))

    def clone(self):
        other = type(self)(self.seats, self.chance.clone())
        other.pile, other.table, other.tricks = self.pile[:], self.table[:], self.tricks
        other.hands, other.won = [hand[:] for hand in self.hands], [cards[:] for cards in self.won]
        return other


def random_bot(seed):
    luck = Random(str(seed)).random
    return lambda _view, legal: legal[int(luck() * len(legal))]


def high_bot(_seed):
    return lambda _view, legal: max(legal)


def low_bot(_seed):
    return lambda _view, legal: min(legal)


class Toy:
    """The game, in the shape of a game module."""

    State = Hands
    SEATS = (2, 3)
    LAWS = MappingProxyType(
        {
            "TOY-0": ("toy_game:Toy.start",),
            "TOY-1": ("toy_game:Hands.why_not",),
            "TOY-2": ("toy_game:Hands.take",),
            "TOY-3": ("toy_game:Hands.draw",),
        }
    )
    REFUSALS = frozenset({"TOY-1"})
    OPTIONS = Record({})
    DRAWS = MappingProxyType({"card": "a card off the pile"})
    SIMULATION = MappingProxyType({})
    MOST_DECISIONS = 9
    BOTS = MappingProxyType({"random": random_bot, "high": high_bot, "low": low_bot})

    @classmethod
    def every_move(cls, facts):
        return list(range(1, facts["components"]["card"]["count"] + 1))

    @classmethod
    def check_facts(cls, _facts):
        return []

    @classmethod
    def position_shape(cls, _facts):
        return Record({"pile": Listing(Whole())})

    @classmethod
    def start(cls, facts, seats, _options, chance, log=None):
        state = cls.State(seats, chance)
        state.pile = cls.every_move(facts)
        for seat, hand in enumerate(state.hands):
            hand += [state.draw(chance, state.pile) for _ in range(2)]
            if log is not None:
                log.append(Event("TOY-0", f"{seats[seat]} is dealt {hand}.", frozenset([seat])))
        return state

    @classmethod
    def load(cls, _facts, position, chance=None):
        pile, table, tricks, *seats = position.values()
        state = cls.State(list(position)[3:], chance or Scripted())
        state.pile, state.table, state.tricks = pile[:], table[:], tricks
        state.hands, state.won = [hand[:] for hand, _ in seats], [won[:] for _, won in seats]
        return state

    @classmethod
    def read(cls, text, _state):
        if not all(word.isdigit() for word in text.split(", ")):
            raise Unreadable(f'"{text}" is not a list of cards')
        return [int(word) for word in text.split(", ")]

    @classmethod
    def write(cls, moves, state, reader=None):
        return ", ".join(str(move) if reader in (None, state.to_act()) else "?" for move in moves)

    @classmethod
    def tally(cls, state):
        taken = [score.total for score in state.score()]
        seats = tuple({"took": "something" if cards else "nothing", "cards": cards} for cards in taken)
        return Tally({"end": f"{len(state.result().winners)} won", "most": max(taken)}, seats)


# Saboteurs: the docstring says what is wrong, `caught_by` is the name of the check that must notice, and no other may.


class Disorder(Toy):
    """Legal moves come in the order of nothing in particular."""

    caught_by = "legal_moves_keep_a_fixed_order"

    class State(Hands):
        def legal(self):
            return super().legal()[::-1]


class Repetition(Toy):
    """A legal move is listed twice."""

    caught_by = "legal_moves_keep_a_fixed_order"

    class State(Hands):
        def legal(self):
            return super().legal()[:1] + super().legal()


class Prohibition(Toy):
    """A legal move is refused."""

    caught_by = "legal_moves_are_not_refused"

    class State(Hands):
        def why_not(self, move):
            return Refusal("TOY-1", "the 9 is too good") if move == 9 else super().why_not(move)


class Permission(Toy):
    """A move that is not legal is not refused."""

    caught_by = "other_moves_are_refused_by_a_known_rule"

    class State(Hands):
        def why_not(self, move):
            return None if move == 9 else super().why_not(move)


class Lawlessness(Toy):
    """A refusal names an id that is not in REFUSALS."""

    caught_by = "other_moves_are_refused_by_a_known_rule"
    REFUSALS = frozenset({"TOY-2"})


class Misprint(Toy):
    """One move is written like another."""

    caught_by = "notation_reads_back"

    @classmethod
    def write(cls, moves, state, reader=None):
        return super().write([9 if move == 6 else move for move in moves], state, reader)


class Thief(Toy):
    """A card of each trick gets lost."""

    caught_by = "pieces_are_conserved"

    class State(Hands):
        def take(self, winner):
            self.won[winner] += self.table[1:]


class Dealer(Toy):
    """One card is dealt behind the back of the recorded chance."""

    caught_by = "replay_reproduces_every_state"

    @classmethod
    def start(cls, facts, seats, _options, chance, log=None):
        state = super().start(facts, seats, _options, chance, log)
        state.pile.append(state.hands[0].pop())
        state.hands[0].append(state.draw(chance.clone(), state.pile))
        return state


class Scribe(Toy):
    """Writing a log changes the game."""

    caught_by = "replay_reproduces_every_state"

    class State(Hands):
        def clone(self):
            other = super().clone()
            other.cloned = True
            return other

        def apply(self, move, log=None):
            super().apply(move, log)
            if log is None and not hasattr(self, "cloned"):
                self.won[0].reverse()
                self.tricks = min(3, self.tricks * 2)


class Twins(Toy):
    """A clone shares a list with its original."""

    caught_by = "clones_are_equal_and_apart"

    class State(Hands):
        def clone(self):
            other = super().clone()
            other.won = self.won
            return other


class Forgetful(Toy):
    """A position leaves out the cards on the table."""

    caught_by = "positions_load_back"

    class State(Hands):
        def position(self):
            return super().position() | {"table": [NOTHING] * len(self.seats)}


class Deaf(Toy):
    """A loaded state draws as it likes, and not from the chance that it is given."""

    caught_by = "positions_load_back"

    @classmethod
    def load(cls, facts, position, _chance=None):
        return super().load(facts, position, Seeded(0))


class Amnesia(Toy):
    """A loaded state has forgotten what everybody has seen and no key holds: who took the last trick."""

    caught_by = "positions_load_back"

    class State(Hands):
        last = NOTHING

        def take(self, winner):
            super().take(winner)
            self.last = winner

        def view(self, seat):
            return (*super().view(seat), self.last)

        def clone(self):
            other = super().clone()
            other.last = self.last
            return other


class Window(Toy):
    """A view shows every hand."""

    caught_by = "views_hide_what_is_hidden"

    class State(Hands):
        def view(self, seat):
            return (*super().view(seat), [hand[:] for hand in self.hands])


class Peeker(Toy):
    """A view shows the pile that nobody may look at, by its sum only."""

    caught_by = "views_hide_what_is_hidden"

    class State(Hands):
        def view(self, seat):
            return (*super().view(seat), sum(self.pile) + self.table[(seat + 1) % len(self.seats)])


class Gossip(Toy):
    """The log tells everyone which card was put face down."""

    caught_by = "logs_hide_what_is_hidden"

    class State(Hands):
        def played(self, seat, move):
            return Event("TOY-1", super().played(seat, move).text)


class Hinter(Toy):
    """The hint for the others says whether the hidden card is high."""

    caught_by = "logs_hide_what_is_hidden"

    class State(Hands):
        def played(self, seat, move):
            told = super().played(seat, move)
            return Event(told.rule, told.text, told.audience, f"a {'high' if move > 5 else 'low'} card")


class Ledger(Toy):
    """The facts of an event tell everyone which card was put face down; its sentence does not."""

    caught_by = "logs_hide_what_is_hidden"

    class State(Hands):
        def played(self, seat, move):
            return Event("TOY-1", f"{self.seats[seat]} plays a card.", facts={"card": move})


class Clerk(Toy):
    """A card laid face down is written for everybody."""

    caught_by = "notation_hides_what_is_hidden"

    @classmethod
    def write(cls, moves, state, _reader=None):
        return super().write(moves, state)


class Chatterer(Toy):
    """The first card of a line is hidden, and the second, for which it is refused, is not."""

    caught_by = "notation_hides_what_is_hidden"

    @classmethod
    def write(cls, moves, state, reader=None):
        return ", ".join([super().write(moves[:1], state, reader), *map(str, moves[1:])])


class Blindfold(Toy):
    """Not even who lays a card reads which one it is."""

    caught_by = "notation_hides_what_is_hidden"

    @classmethod
    def write(cls, moves, state, reader=None):
        return super().write(moves, state) if reader is None else "?"


class Treadmill(Toy):
    """After the last trick everything starts again."""

    caught_by = "games_end"

    class State(Hands):
        def take(self, winner):
            super().take(winner)
            if self.tricks == 2:
                self.tricks = 0
                self.hands, self.won = self.won, [[] for _ in self.seats]
                self.pile += [card for hand in self.hands for card in hand[2:]]
                self.hands = [hand[:2] for hand in self.hands]
                for hand in self.hands:
                    while len(hand) < 2:
                        hand.append(self.pile.pop())


class Hurry(Toy):
    """A winner is named before the end."""

    caught_by = "games_end"

    class State(Hands):
        def result(self):
            return Result(self.seats[:1], ("TOY-2",), "of course")


class Boast(Toy):
    """A total is more than its lines."""

    caught_by = "totals_are_their_lines"

    class State(Hands):
        def score(self):
            return [Braggart(score.seat, score.lines) for score in super().score()]


class Braggart(Score):
    """A score with a point that no line has."""

    @property
    def total(self):
        return super().total + 1


class Discount(Toy):
    """The points of a line are not its count times each."""

    caught_by = "totals_are_their_lines"

    class State(Hands):
        def line(self, cards):
            return Line("TOY-2", "cards taken", len(cards), 1, len(cards) + 1)


class HouseRule(Toy):
    """A score line names a rule that nobody knows."""

    caught_by = "score_lines_name_known_rules"

    class State(Hands):
        def line(self, cards):
            return Line("TOY-99", "cards taken", len(cards), 1, len(cards))


class Rumour(Toy):
    """An event names a rule that nobody knows."""

    caught_by = "events_name_known_rules"

    class State(Hands):
        def played(self, seat, move):
            told = super().played(seat, move)
            return Event("TOY-99", told.text, told.audience, told.hint)


class Conjurer(Toy):
    """What is drawn has a label that nobody has heard of."""

    caught_by = "draws_are_declared"
    DRAWS = MappingProxyType({"{seat}": "a card for that seat"})


class Promise(Toy):
    """LAWS names a function that is not there."""

    caught_by = "laws_name_what_is_there"
    LAWS = MappingProxyType(Toy.LAWS | {"TOY-4": ("toy_game:Hands.cut",)})


class Hasher(Toy):
    """Cards are dealt from a set of words, in whatever order the process hashes them."""

    caught_by = "fresh_processes_agree"

    class State(Hands):
        def draw(self, chance, pool):
            pool[:] = [int(word) for word in {str(card) for card in pool}]
            return super().draw(chance, pool)


class Baggage(Toy):
    """Starting a game imports something outside the standard library."""

    caught_by = "fresh_processes_agree"

    @classmethod
    def start(cls, facts, seats, _options, chance, log=None):
        import hypothesis  # noqa: F401  # the sabotage itself

        return super().start(facts, seats, _options, chance, log)


class Inspector(Toy):
    """Its own cards are no cards of the game."""

    caught_by = "components_are_pieces_of_the_game"

    @classmethod
    def check_facts(cls, facts):
        return [Misfit(("components", "card"), "too few")]


class Doubter(Toy):
    """What has arisen could not have arisen."""

    caught_by = "positions_of_games_are_not_doubted"

    @classmethod
    def doubts(cls, state):
        return [Misfit(("pile",), "too short")] if state.tricks else []


class Peeper(Toy):
    """A position as one seat knows it shows the hands of all."""

    caught_by = "what_is_seen_hides_what_is_hidden"

    @classmethod
    def seen(cls, state, _seat):
        return state.position()


class Uncounted(Toy):
    """A finished game is counted by halves."""

    caught_by = "finished_games_are_counted"

    @classmethod
    def tally(cls, state):
        return Tally({"points": 0.5}, tuple({} for _ in state.seats))


class Stubborn(Toy):
    """A bot plays the same card for ever."""

    caught_by = "bots_choose_legal_moves"
    BOTS = MappingProxyType(Toy.BOTS | {"one": lambda _seed: lambda _view, _legal: 1})


class Blank(Toy):
    """A chart is nothing."""

    caught_by = "charts_can_be_made"
    CHARTS = MappingProxyType({"nothing": lambda _facts: None})


SABOTEURS = tuple(Toy.__subclasses__())
